//! Pointers: on the wire they are what they point to.

use super::fields::never_fixed;
use super::{Decode, Encode, Exact, Frozen, plain, shared_size, slot};
use crate::error::{EncodeError, Fault};
use crate::schema::{Shape, StaticType, Typed};
use crate::wire::{Chunk, Measure, Sink, Source};
use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;

macro_rules! pointers {
    ($([$($generics:tt)*] $pointer:ty, $fixed:expr, $total:expr;)*) => {$(
        /// What it points to.
        impl<$($generics)* T: Frozen + ?Sized> Frozen for $pointer {
            const MIN_LEN: usize = T::MIN_LEN;
            const FIXED: bool = $fixed;
            const TOTAL: bool = $total;
            const DEPTH: u32 = T::DEPTH;
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: what it points to is counted and written, and that is exact if this is.
            const EXACT: Exact<Self> = unsafe { Exact::promise(plain::is_exact::<T>()) };

            fn shape() -> Shape {
                T::shape()
            }
        }

        impl<$($generics)* X, T: Typed<X> + ?Sized> Typed<X> for $pointer {
            const TYPE: &'static StaticType = T::TYPE;
        }

        impl<$($generics)* T: Encode + ?Sized> Encode for $pointer {
            #[inline]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                measure.part(&**self)
            }

            #[inline]
            fn encode<S: Sink>(&self, sink: &mut S) {
                sink.part(&**self);
            }
        }
    )*};
}

// What owns memory is never FIXED: a value read from a chunk has nobody to charge.
pointers! {
    ['a,] &'a T, T::FIXED, T::TOTAL;
    [] Box<T>, false, false;
    [] Rc<T>, false, false;
}

#[cfg(target_has_atomic = "ptr")]
pointers! {
    [] Arc<T>, false, false;
}

impl<'de, T: Decode<'de>> Decode<'de> for Box<T> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.charge(size_of::<T>(), source.offset())?;
        slot::build_box(source, T::decode_at)
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        T::validate(source)
    }

    /// Keeps the box. After a fault it holds what `T` says.
    #[inline]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        T::decode_into(source, place)
    }
}

macro_rules! counted {
    ($($pointer:ident, $build:ident;)*) => {$(
        impl<'de, T: Decode<'de>> Decode<'de> for $pointer<T> {
            #[inline]
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                source.charge(shared_size::<T>(size_of::<T>()), source.offset())?;
                slot::$build(source, T::decode_at)
            }

            #[inline]
            fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
                never_fixed()
            }

            #[inline]
            fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
                T::validate(source)
            }

            /// Keeps the place when nobody shares it; who does, keeps the old value. After a fault it holds
            /// what `T` says, or, shared, what it held.
            #[inline]
            fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
                match $pointer::get_mut(place) {
                    Some(value) => T::decode_into(source, value),
                    None => {
                        *place = Self::decode(source)?;
                        Ok(())
                    }
                }
            }
        }
    )*};
}

counted! {
    Rc, build_rc;
}
#[cfg(target_has_atomic = "ptr")]
counted! {
    Arc, build_arc;
}
