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
    /// Reads a value, untimed: it has to be the one that was written. None where there are no owned values; then the
    /// sum over all fields has to be that of the value.
    pub decode: Option<fn(&[u8]) -> T>,
    /// Writes into a buffer that is kept.
    pub reuse: for<'a> fn(&'a T) -> Task<'a>,
    /// Writes into a new buffer.
    pub fresh: for<'a> fn(&'a T) -> Task<'a>,
    /// Reads an owned value and drops it.
    pub owned: Option<for<'a> fn(&'a [u8]) -> Task<'a>>,
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
        let format = Self::in_place(name, encode, reuse, fresh);
        Format { decode: Some(decode), owned: Some(owned), ..format }
    }

    /// A format that is read where it lies, and in no other way.
    pub fn in_place(
        name: &'static str,
        encode: fn(&T) -> Vec<u8>,
        reuse: for<'a> fn(&'a T) -> Task<'a>,
        fresh: for<'a> fn(&'a T) -> Task<'a>,
    ) -> Self {
        let views = Vec::new();
        Format { name, encode, decode: None, reuse, fresh, owned: None, into: None, validate: None, views }
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

/// The data sets of a format that does the same with all four: from a function that makes a `Format`, and from another
/// that reads the borrowed forms, where the format has them.
macro_rules! data_sets {
    ($format:ident $(, $name:expr, $read:ident)?) => {
        pub fn log() -> Vec<$crate::records::format::Format<$crate::records::log::Logs>> {
            vec![$format()
                $(.view($crate::records::format::view!($name, $read::<$crate::records::log::LogsRef<'_>>, logs)))?]
        }

        pub fn mesh() -> Vec<$crate::records::format::Format<$crate::records::mesh::Mesh>> {
            vec![$format()]
        }

        pub fn minecraft() -> Vec<$crate::records::format::Format<$crate::records::minecraft::Players>> {
            vec![$format()
                $(.view($crate::records::format::view!(
                    $name,
                    $read::<$crate::records::minecraft::PlayersRef<'_>>,
                    players
                )))?]
        }

        pub fn mk48() -> Vec<$crate::records::format::Format<$crate::records::mk48::Updates>> {
            vec![$format()]
        }
    };
}
pub(crate) use data_sets;

/// Writing into a vector that is emptied each time: a closure of the value and the vector.
macro_rules! into_vec {
    ($write:expr) => {
        |value| {
            let mut out: Vec<u8> = Vec::new();
            Box::new(move || {
                out.clear();
                $write(std::hint::black_box(value), &mut out);
                std::hint::black_box(&out);
            })
        }
    };
}
pub(crate) use into_vec;

/// Writing into a slice that is known to be long enough: a closure of the value and the slice.
macro_rules! into_slice {
    ($encode:expr, $write:expr) => {
        |value| {
            let mut out: Vec<u8> = $encode(value);
            Box::new(move || {
                $write(std::hint::black_box(value), &mut out[..]);
                std::hint::black_box(&out);
            })
        }
    };
}
pub(crate) use into_slice;
