//! What a format can do with a data set, as functions: `records` runs them all alike.

use std::hint::black_box;

/// Something that is done again and again, with what it keeps from one time to the next.
pub type Task<'a> = Box<dyn FnMut() + 'a>;

/// The same, and what it gives says what was read.
pub type Reading<'a> = Box<dyn FnMut() -> u64 + 'a>;

/// A format and a data set.
pub struct Format<T: 'static> {
    pub name: &'static str,
    /// Writes a value, untimed: the bytes that everything below reads.
    pub encode: fn(&T) -> Vec<u8>,
    /// Reads a value, untimed: it has to be the one that was written.
    pub decode: fn(&[u8]) -> T,
    /// Writes into a buffer that is kept.
    pub reuse: for<'a> fn(&'a T) -> Task<'a>,
    /// Writes into a new buffer.
    pub fresh: for<'a> fn(&'a T) -> Task<'a>,
    /// Reads an owned value and drops it.
    pub owned: for<'a> fn(&'a [u8]) -> Task<'a>,
    /// Reads an owned value over an older one.
    pub into: Option<Over<T>>,
    /// Checks everything and builds nothing.
    pub validate: Option<Check>,
    /// The ways to read without copying what the bytes hold.
    pub views: Vec<View>,
}

/// Reading an owned value over an older one.
pub struct Over<T> {
    pub name: &'static str,
    pub decode: fn(&[u8], &mut T),
}

impl<T: Clone> Over<T> {
    /// Reads again and again over a value that has been read before.
    pub fn task<'a>(&self, value: &T, bytes: &'a [u8]) -> Task<'a>
    where
        T: 'a,
    {
        let (mut place, decode) = (value.clone(), self.decode);
        Box::new(move || {
            decode(black_box(bytes), &mut place);
            black_box(&place);
        })
    }
}

/// Checking everything and building nothing.
pub struct Check {
    pub name: &'static str,
    pub task: for<'a> fn(&'a [u8]) -> Task<'a>,
}

/// A way to read without copying what the bytes hold.
pub struct View {
    pub name: &'static str,
    /// Goes as far as a program must before it can read a field.
    pub open: for<'a> fn(&'a [u8]) -> Task<'a>,
    /// Opens, and reads every field.
    pub read: for<'a> fn(&'a [u8]) -> Reading<'a>,
    /// Opens, and reads the first record and the last.
    pub ends: for<'a> fn(&'a [u8]) -> Reading<'a>,
}

impl<T: 'static> Format<T> {
    /// A format with owned values alone.
    pub fn new(
        name: &'static str,
        encode: fn(&T) -> Vec<u8>,
        reuse: for<'a> fn(&'a T) -> Task<'a>,
        fresh: for<'a> fn(&'a T) -> Task<'a>,
        decode: fn(&[u8]) -> T,
        owned: for<'a> fn(&'a [u8]) -> Task<'a>,
    ) -> Self {
        Format { name, encode, decode, reuse, fresh, owned, into: None, validate: None, views: Vec::new() }
    }

    pub fn into(mut self, name: &'static str, decode: fn(&[u8], &mut T)) -> Self {
        self.into = Some(Over { name, decode });
        self
    }

    pub fn validate(mut self, name: &'static str, task: for<'a> fn(&'a [u8]) -> Task<'a>) -> Self {
        self.validate = Some(Check { name, task });
        self
    }

    pub fn view(mut self, view: View) -> Self {
        self.views.push(view);
        self
    }
}

/// Something done to a value or to bytes, as a task.
macro_rules! task {
    ($work:expr) => {
        |input| {
            #[allow(unused_mut)] // some keep nothing
            let mut work = $work;
            Box::new(move || {
                std::hint::black_box(work(std::hint::black_box(input)));
            })
        }
    };
}
pub(crate) use task;

/// The same for what says what it read.
macro_rules! reading {
    ($work:expr) => {
        |input| {
            #[allow(unused_mut)] // some keep nothing
            let mut work = $work;
            Box::new(move || work(std::hint::black_box(input)))
        }
    };
}
pub(crate) use reading;

/// A view that is a value whose records are a slice in one of its fields: its name, a function that opens it, and the
/// field.
macro_rules! view {
    ($name:expr, $open:expr, $records:ident) => {
        $crate::records::format::View {
            name: $name,
            open: $crate::records::format::task!($open),
            read: $crate::records::format::reading!({
                #[allow(unused_mut)] // some keep nothing
                let mut open = $open;
                move |bytes| $crate::records::read::ReadAll::read_all(&open(bytes))
            }),
            ends: $crate::records::format::reading!({
                #[allow(unused_mut)] // some keep nothing
                let mut open = $open;
                move |bytes| $crate::records::read::ends(&open(bytes).$records)
            }),
        }
    };
}
pub(crate) use view;
