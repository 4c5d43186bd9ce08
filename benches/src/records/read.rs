//! Reading every field: what all formats do alike with what they give access to.

/// Reads every field of a value: the bits of the numbers are added up, and of a string its length and its two ends.
/// The same values give the same sum, whichever format they come from.
pub trait ReadAll {
    fn read_all(&self) -> u64;
}

impl<T: ReadAll + ?Sized> ReadAll for &T {
    #[inline]
    fn read_all(&self) -> u64 {
        (**self).read_all()
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl ReadAll for $number {
            #[inline]
            fn read_all(&self) -> u64 {
                *self as u64
            }
        }
    )*};
}
numbers!(bool, u8, u16, u32, u64, i8, i16, i32, i64);

impl ReadAll for f32 {
    #[inline]
    fn read_all(&self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl ReadAll for f64 {
    #[inline]
    fn read_all(&self) -> u64 {
        self.to_bits()
    }
}

impl ReadAll for str {
    #[inline]
    fn read_all(&self) -> u64 {
        self.as_bytes().read_all()
    }
}

/// A run of bytes: its length and its two ends.
impl ReadAll for [u8] {
    #[inline]
    fn read_all(&self) -> u64 {
        match self {
            [] => 0,
            [only] => 1 + u64::from(*only) * 2,
            [first, .., last] => self.len() as u64 + u64::from(*first) + u64::from(*last),
        }
    }
}

impl ReadAll for String {
    #[inline]
    fn read_all(&self) -> u64 {
        self.as_str().read_all()
    }
}

impl<T: ReadAll> ReadAll for Option<T> {
    #[inline]
    fn read_all(&self) -> u64 {
        self.as_ref().map_or(0, |some| some.read_all().wrapping_add(1))
    }
}

impl<T: ReadAll> ReadAll for Vec<T> {
    #[inline]
    fn read_all(&self) -> u64 {
        sum(self)
    }
}

impl<T: ReadAll, const N: usize> ReadAll for [T; N] {
    #[inline]
    fn read_all(&self) -> u64 {
        sum(self)
    }
}

impl<A: ReadAll, B: ReadAll> ReadAll for (A, B) {
    #[inline]
    fn read_all(&self) -> u64 {
        self.0.read_all().wrapping_add(self.1.read_all())
    }
}

impl<A: ReadAll, B: ReadAll, C: ReadAll> ReadAll for (A, B, C) {
    #[inline]
    fn read_all(&self) -> u64 {
        self.0.read_all().wrapping_add(self.1.read_all()).wrapping_add(self.2.read_all())
    }
}

/// The elements of a list, and their number.
#[inline]
pub fn sum<T: ReadAll>(items: impl IntoIterator<Item = T>) -> u64 {
    let mut count = 0u64;
    let sum = items.into_iter().fold(0u64, |sum, item| {
        count += 1;
        sum.wrapping_add(item.read_all())
    });
    sum.wrapping_add(count)
}

/// The first and the last element of a list.
#[inline]
pub fn ends<T: ReadAll>(items: &[T]) -> u64 {
    let end = |item: Option<&T>| item.map_or(0, ReadAll::read_all);
    end(items.first()).wrapping_add(end(items.last()))
}

/// Reads all fields of structs that have the same fields.
macro_rules! fields {
    ($($kind:ty),+ => $fields:tt) => {
        $($crate::records::read::fields!(@ $kind, $fields);)+
    };
    (@ $kind:ty, [$($field:ident),+]) => {
        impl $crate::records::read::ReadAll for $kind {
            #[inline]
            fn read_all(&self) -> u64 {
                0u64 $(.wrapping_add($crate::records::read::ReadAll::read_all(&self.$field)))+
            }
        }
    };
}
pub(crate) use fields;

/// Reads an enum without data as its number.
macro_rules! small_enum {
    ($($kind:ty),+) => {$(
        impl $crate::records::read::ReadAll for $kind {
            #[inline]
            fn read_all(&self) -> u64 {
                u64::from(*self as u8)
            }
        }
    )+};
}
pub(crate) use small_enum;
