//! Scalars of fixed width.

use super::slot::{Filled, Slot};
use super::{Decode, Encode, Exact, Frozen, Plain, list, plain};
use crate::arch;
use crate::error::{EncodeError, Fault, Reason};
use crate::schema::{Scalar, Shape, StaticType, Typed};
use crate::wire::{Chunk, Measure, Sink, Source};
use alloc::vec::Vec;
use core::num::{NonZero, Saturating, Wrapping};
use half::{bf16, f16};

macro_rules! numbers {
    ($($number:ty, $scalar:ident;)*) => {$(
        impl Frozen for $number {
            const MIN_LEN: usize = size_of::<$number>();
            const FIXED: bool = true;
            const TOTAL: bool = true;
            #[allow(unsafe_code, reason = "a promise")]
            const PLAIN: Plain<Self> = {
                let native = cfg!(target_endian = "little") || size_of::<$number>() == 1;
                // SAFETY: a number is Copy, has no padding, and takes every pattern; its bytes in memory are its
                // little-endian encoding where that is the host's order, or where it is one byte.
                unsafe { Plain::promise(native) }
            };
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: `measure` adds MIN_LEN and `encode` puts an array of MIN_LEN bytes.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

            fn shape() -> Shape {
                Shape::Scalar(Scalar::$scalar)
            }
        }

        impl<X> Typed<X> for $number {
            const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::$scalar);
        }

        impl Encode for $number {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                measure.add(Self::MIN_LEN);
                Ok(())
            }

            #[inline(always)]
            fn encode<S: Sink>(&self, sink: &mut S) {
                sink.put(self.to_le_bytes());
            }
        }

        impl<'de> Decode<'de> for $number {
            #[inline(always)]
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                Ok(Self::from_le_bytes(source.array()?))
            }

            #[inline(always)]
            fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
                source.take(Self::MIN_LEN).map(drop)
            }

            #[inline(always)]
            fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
                Ok(Self::from_le_bytes(chunk.array()))
            }
        }
    )*};
}

numbers! {
    u8, U8;
    u16, U16;
    u32, U32;
    u64, U64;
    i8, I8;
    i16, I16;
    i32, I32;
    i64, I64;
    f16, F16;
    bf16, Bf16;
    f32, F32;
    f64, F64;
}

impl Frozen for bool {
    const MIN_LEN: usize = 1;
    const FIXED: bool = true;
    #[allow(unsafe_code, reason = "a promise")]
    // SAFETY: `measure` adds one byte and `encode` puts one.
    const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

    fn shape() -> Shape {
        Shape::Scalar(Scalar::Bool)
    }
}

impl<X> Typed<X> for bool {
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::Bool);
}

impl Encode for bool {
    #[inline(always)]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.add(1);
        Ok(())
    }

    #[inline(always)]
    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([u8::from(*self)]);
    }

    #[inline(always)]
    fn encode_all<S: Sink>(items: &[Self], sink: &mut S) {
        sink.run(bytemuck::cast_slice(items));
    }
}

impl<'de> Decode<'de> for bool {
    #[inline(always)]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let offset = source.offset();
        let bytes = source.array::<1>()?;
        Self::decode_fixed(Chunk { bytes: &bytes, offset })
    }

    #[inline(always)]
    fn decode_fixed(chunk: Chunk<'_>) -> Result<Self, Fault> {
        match chunk.array() {
            [0u8] => Ok(false),
            [1] => Ok(true),
            _ => Err(Fault::new(Reason::BoolByte, chunk.offset)),
        }
    }

    #[inline]
    fn extend_fixed(items: &mut Vec<Self>, chunk: Chunk<'_>) -> Result<(), Fault> {
        if let Some(bools) = plain::bools_of(chunk.bytes) {
            plain::extend_bools(items, bools);
            return Ok(());
        }
        // Room for all, as if none were wrong: what grows step by step asks for more than is charged.
        items.reserve_exact(chunk.bytes.len());
        let before = arch::first_bit_set(chunk.bytes, 0xfe).and_then(|index| chunk.bytes.get(..index));
        plain::extend_bools(items, before.and_then(plain::bools_of).unwrap_or(&[]));
        Self::validate_fixed(chunk)
    }

    #[inline]
    fn decode_array_at<'s, const N: usize>(
        chunk: Chunk<'_>,
        slot: Slot<'s, [Self; N]>,
    ) -> Result<Filled<'s, [Self; N]>, Fault> {
        match slot.copied(plain::bools_of(chunk.bytes).unwrap_or(&[])) {
            Ok(filled) => Ok(filled),
            // One is wrong, or there is none.
            Err(slot) => list::fill_each(chunk, slot),
        }
    }

    /// Most lists of bools are short, and no two in succession equally long.
    #[inline(always)]
    fn decode_all<S: Source<'de>>(source: &mut S, items: &mut Vec<Self>, count: usize) -> Result<(), Fault> {
        if let Some(bools) = plain::few_bools(source.rest(), count) {
            source.take(count)?;
            plain::extend_bools(items, bools);
            return Ok(());
        }
        list::read_each(source, items, count)
    }

    #[inline(always)]
    fn validate_all<S: Source<'de>>(source: &mut S, count: usize) -> Result<(), Fault> {
        if plain::few_bools(source.rest(), count).is_some() {
            return source.take(count).map(drop);
        }
        list::validate_each::<Self, S>(source, count)
    }

    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "a position in the chunk")]
    fn validate_fixed(chunk: Chunk<'_>) -> Result<(), Fault> {
        match chunk.bytes {
            [0 | 1] => Ok(()),
            bytes if !arch::any_bit_set(bytes, 0xfe) => Ok(()),
            bytes => {
                let index = arch::first_bit_set(bytes, 0xfe).unwrap_or(0);
                Err(Fault::new(Reason::BoolByte, chunk.offset + index))
            }
        }
    }
}

macro_rules! nonzero {
    ($($number:ty, $scalar:ident;)*) => {$(
        /// The integer; 0 is TYPE.
        impl Frozen for NonZero<$number> {
            const MIN_LEN: usize = size_of::<$number>();
            const FIXED: bool = true;
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: `measure` adds MIN_LEN and `encode` puts an array of MIN_LEN bytes.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

            fn shape() -> Shape {
                Shape::Scalar(Scalar::$scalar)
            }
        }

        impl<X> Typed<X> for NonZero<$number> {
            const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::$scalar);
        }

        impl Encode for NonZero<$number> {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                measure.add(Self::MIN_LEN);
                Ok(())
            }

            #[inline(always)]
            fn encode<S: Sink>(&self, sink: &mut S) {
                sink.put(self.get().to_le_bytes());
            }
        }

        impl<'de> Decode<'de> for NonZero<$number> {
            #[inline(always)]
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                let offset = source.offset();
                NonZero::new(<$number>::from_le_bytes(source.array()?))
                    .ok_or_else(|| Fault::new(Reason::ZeroValue, offset))
            }

            #[inline(always)]
            fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
                NonZero::new(<$number>::from_le_bytes(chunk.array()))
                    .ok_or_else(|| Fault::new(Reason::ZeroValue, chunk.offset))
            }
        }
    )*};
}

nonzero! {
    u8, U8;
    u16, U16;
    u32, U32;
    u64, U64;
    i8, I8;
    i16, I16;
    i32, I32;
    i64, I64;
}

macro_rules! transparent {
    ($($name:ident),*) => {$(
        /// What it holds.
        impl<T: Frozen> Frozen for $name<T> {
            const MIN_LEN: usize = T::MIN_LEN;
            const FIXED: bool = T::FIXED;
            const TOTAL: bool = T::TOTAL;
            const DEPTH: u32 = T::DEPTH;
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: std says that it has the layout of what it holds, and it is Copy where that is.
            const PLAIN: Plain<Self> = unsafe { Plain::promise(T::PLAIN.holds()) };
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: what it holds is counted and written, and that is exact if this is.
            const EXACT: Exact<Self> = unsafe { Exact::promise(plain::is_exact::<T>()) };

            fn shape() -> Shape {
                T::shape()
            }
        }

        impl<X, T: Typed<X>> Typed<X> for $name<T> {
            const TYPE: &'static StaticType = T::TYPE;
        }

        impl<T: Encode> Encode for $name<T> {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                measure.part(&self.0)
            }

            #[inline(always)]
            fn encode<S: Sink>(&self, sink: &mut S) {
                sink.part(&self.0);
            }
        }

        impl<'de, T: Decode<'de>> Decode<'de> for $name<T> {
            #[inline(always)]
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                T::decode(source).map($name)
            }

            #[inline(always)]
            fn decode_at<'s, S: Source<'de>>(
                source: &mut S,
                slot: Slot<'s, Self>,
            ) -> Result<Filled<'s, Self>, Fault> {
                slot.fields(source, T::decode_at)
            }

            #[inline(always)]
            fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
                T::decode_fixed(chunk).map($name)
            }

            #[inline(always)]
            fn decode_fixed_at<'s>(chunk: Chunk<'de>, slot: Slot<'s, Self>) -> Result<Filled<'s, Self>, Fault> {
                slot.fields(&mut (), |_, slot| T::decode_fixed_at(chunk, slot))
            }

            #[inline(always)]
            fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
                T::validate(source)
            }

            #[inline(always)]
            fn validate_fixed(chunk: Chunk<'de>) -> Result<(), Fault> {
                T::validate_fixed(chunk)
            }

            #[inline(always)]
            fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
                T::decode_into(source, &mut place.0)
            }
        }
    )*};
}

transparent!(Wrapping, Saturating);
