//! Tuples: structs whose fields are named `0`, `1`, … Chapter: Frozen values, Struct.

use super::fields::{check_each, replace_whole};
use super::slot::{Filled, Slot};
use super::{Decode, Encode, Exact, Frozen, Plain, plain, slot};
use crate::error::{EncodeError, Fault};
use crate::schema::{Field, Shape, StaticType, Typed};
use crate::wire::{Chunk, Measure, Sink, Source};
use core::marker::PhantomData;
use core::mem::offset_of;

const fn max(depths: &[u32]) -> u32 {
    match depths {
        [] => 0,
        [first, rest @ ..] => {
            let rest = max(rest);
            if *first > rest { *first } else { rest }
        }
    }
}

macro_rules! tuples {
    ($(($($T:ident $index:tt $name:literal),+))*) => {$(
        /// `struct{0:…,1:…,}`.
        impl<$($T: Frozen),+> Frozen for ($($T,)+) {
            const MIN_LEN: usize = 0 $(+ $T::MIN_LEN)+;
            const FIXED: bool = true $(&& $T::FIXED)+;
            const TOTAL: bool = true $(&& $T::TOTAL)+;
            const DEPTH: u32 = 1 + max(&[$($T::DEPTH),+]);
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: a tuple of plain fields is Copy, and every pattern is a value of it. Rust may order the
            // fields of a tuple as it likes, so each is asked to begin where the encodings before it end, and
            // the whole to end with the last: then there is no padding.
            #[expect(clippy::arithmetic_side_effects, reason = "evaluated when compiled")]
            const PLAIN: Plain<Self> = unsafe {
                Plain::promise({
                    let mut at = 0;
                    let mut plain = true;
                    $(
                        plain = plain && $T::PLAIN.holds() && size_of::<$T>() == $T::MIN_LEN
                            && offset_of!(Self, $index) == at;
                        at += $T::MIN_LEN;
                    )+
                    plain && size_of::<Self>() == at
                })
            };
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: the fields are counted and written in order, and each is exact if this is; FIXED ones are
            // counted by their MIN_LEN, which is then exact too.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true $(&& plain::is_exact::<$T>())+) };

            fn shape() -> Shape {
                Shape::Struct(const { &[$(Field { name: $name, shape: $T::shape }),+] })
            }
        }

        impl<X, $($T: Typed<X>),+> Typed<X> for ($($T,)+) {
            const TYPE: &'static StaticType = &StaticType::Struct(&[$(($name, $T::TYPE)),+]);
        }

        impl<$($T: Encode),+> Encode for ($($T,)+) {
            #[inline]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                if Self::FIXED {
                    measure.room(Self::DEPTH)?;
                    measure.add(Self::MIN_LEN);
                    return Ok(());
                }
                measure.enter()?;
                $(measure.part(&self.$index)?;)+
                measure.leave();
                Ok(())
            }

            #[inline]
            fn encode<S: Sink>(&self, sink: &mut S) {
                $(sink.part(&self.$index);)+
            }
        }

        impl<'de, $($T: Decode<'de>),+> Decode<'de> for ($($T,)+) {
            #[inline]
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                if Self::FIXED {
                    if let Some(chunk) = source.chunk(Self::MIN_LEN, Self::DEPTH) {
                        return Self::decode_fixed(chunk);
                    }
                }
                source.enter()?;
                let value = ($($T::decode(source)?,)+);
                source.leave();
                Ok(value)
            }

            #[inline]
            fn decode_at<'s, S: Source<'de>>(
                source: &mut S,
                slot: Slot<'s, Self>,
            ) -> Result<Filled<'s, Self>, Fault> {
                if Self::FIXED {
                    if let Some(chunk) = source.chunk(Self::MIN_LEN, Self::DEPTH) {
                        return Self::decode_fixed_at(chunk, slot);
                    }
                }
                source.enter()?;
                let filled = slot.fields(source, $($T::decode_at),+)?;
                source.leave();
                Ok(filled)
            }

            #[inline]
            fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
                slot::build(&mut (), |_, slot| Self::decode_fixed_at(chunk, slot))
            }

            #[inline]
            fn decode_fixed_at<'s>(chunk: Chunk<'de>, slot: Slot<'s, Self>) -> Result<Filled<'s, Self>, Fault> {
                let slot = match plain::fill(chunk.bytes, slot) {
                    Ok(filled) => return Ok(filled),
                    Err(slot) => slot,
                };
                let mut parts = Parts { chunk, at: 0 };
                slot.fields(&mut parts, $(|parts, slot| $T::decode_fixed_at(parts.next($T::MIN_LEN), slot)),+)
            }

            #[inline]
            fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
                if Self::FIXED {
                    if let Some(chunk) = source.chunk(Self::MIN_LEN, Self::DEPTH) {
                        return Self::validate_fixed(chunk);
                    }
                }
                source.enter()?;
                $($T::validate(source)?;)+
                source.leave();
                Ok(())
            }

            #[inline]
            fn validate_fixed(chunk: Chunk<'de>) -> Result<(), Fault> {
                check_each::<Self>(chunk, |chunk| {
                    let mut parts = Parts { chunk, at: 0 };
                    $($T::validate_fixed(parts.next($T::MIN_LEN))?;)+
                    Ok(())
                })
            }

            /// After a fault the fields before it are new and those after it old.
            #[inline]
            fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
                if Self::FIXED {
                    return replace_whole(source, place);
                }
                source.enter()?;
                $($T::decode_into(source, &mut place.$index)?;)+
                source.leave();
                Ok(())
            }
        }
    )*};
}

/// The parts of a chunk, one after another.
struct Parts<'de> {
    chunk: Chunk<'de>,
    at: usize,
}

impl<'de> Parts<'de> {
    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "adds up the lengths of parts that the chunk has")]
    fn next(&mut self, len: usize) -> Chunk<'de> {
        let part = self.chunk.part(self.at, len);
        self.at += len;
        part
    }
}

tuples! {
    (A 0 "0")
    (A 0 "0", B 1 "1")
    (A 0 "0", B 1 "1", C 2 "2")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6", H 7 "7")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6", H 7 "7", I 8 "8")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6", H 7 "7", I 8 "8", J 9 "9")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6", H 7 "7", I 8 "8", J 9 "9", K 10 "10")
    (A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6", H 7 "7", I 8 "8", J 9 "9", K 10 "10", L 11 "11")
}

macro_rules! empty {
    ($([$($generics:tt)*] $unit:ty, $value:expr;)*) => {$(
        /// `struct{}`: no bytes, one container. It cannot be the element of a list or dict.
        impl<$($generics)*> Frozen for $unit {
            const MIN_LEN: usize = 0;
            const FIXED: bool = true;
            const TOTAL: bool = true;
            const DEPTH: u32 = 1;
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: nothing is counted and nothing is written.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

            fn shape() -> Shape {
                Shape::Struct(&[])
            }
        }

        impl<X, $($generics)*> Typed<X> for $unit {
            const TYPE: &'static StaticType = &StaticType::Struct(&[]);
        }

        impl<$($generics)*> Encode for $unit {
            #[inline]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                measure.room(1)
            }

            #[inline]
            fn encode<S: Sink>(&self, _sink: &mut S) {}
        }

        impl<'de, $($generics)*> Decode<'de> for $unit {
            #[inline]
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                source.enter()?;
                source.leave();
                Ok($value)
            }

            #[inline]
            fn decode_fixed(_chunk: Chunk<'de>) -> Result<Self, Fault> {
                Ok($value)
            }
        }
    )*};
}

empty! {
    [] (), ();
    [T: ?Sized] PhantomData<T>, PhantomData;
}
