//! The machine types that payloads can be used as. Chapter: Views and owned copies.

use super::dtype::Dtype;
use crate::arch::Kernels;
use bytemuck::{Pod, TransparentWrapper, Zeroable};
use half::{bf16, f16};

mod sealed {
    /// Keeps the two traits to this crate.
    pub trait Sealed {}
}

/// A machine type that is the memory of one element: the integers, the floats (16-bit ones from the crate
/// `half`), and the newtypes of this module for types that a machine lacks. Sealed.
///
/// `u8` also reads bool and the 8-bit floats, as bytes.
pub trait Element: Pod + PartialEq + core::fmt::Debug + Send + Sync + sealed::Sealed {
    /// The dtype that a slice of this type is written as.
    const DTYPE: Dtype;

    /// Whether payloads of that dtype can be read as this type.
    fn reads(dtype: Dtype) -> bool {
        dtype == Self::DTYPE
    }
}

macro_rules! elements {
    ($($element:ty, $dtype:ident;)*) => {$(
        impl sealed::Sealed for $element {}

        impl Element for $element {
            const DTYPE: Dtype = Dtype::$dtype;
        }
    )*};
}

elements! {
    f64, F64;
    f32, F32;
    f16, F16;
    bf16, Bf16;
    i64, I64;
    i32, I32;
    i16, I16;
    i8, I8;
    u64, U64;
    u32, U32;
    u16, U16;
    Bool8, Bool;
    E4m3, E4m3;
    E5m2, E5m2;
    E8m0, E8m0;
}

impl sealed::Sealed for u8 {}

impl Element for u8 {
    const DTYPE: Dtype = Dtype::U8;

    fn reads(dtype: Dtype) -> bool {
        matches!(dtype, Dtype::U8 | Dtype::Bool | Dtype::E4m3 | Dtype::E5m2 | Dtype::E8m0)
    }
}

/// A bool as its byte. What a checked directory holds is 0 or 1; the type itself takes every byte, so that a
/// payload can be used in place.
///
/// ```
/// use kiln::tensor::Bool8;
/// assert!(Bool8::from(true).get());
/// assert_eq!(Bool8(1), Bool8::from(true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Zeroable, Pod, TransparentWrapper)]
#[repr(transparent)]
pub struct Bool8(
    /// 0 or 1.
    pub u8,
);

impl Bool8 {
    /// Whether the byte is not 0.
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool8 {
    fn from(value: bool) -> Self {
        Bool8(value.into())
    }
}

impl From<Bool8> for bool {
    fn from(value: Bool8) -> Self {
        value.get()
    }
}

macro_rules! small_floats {
    ($($(#[$doc:meta])* $name:ident $convert:ident $example:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("use kiln::tensor::", stringify!($name), ";")]
        #[doc = $example]
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Zeroable, Pod, TransparentWrapper)]
        #[repr(transparent)]
        pub struct $name(
            /// The bits.
            pub u8,
        );

        impl $name {
            /// The value; exact, but for which NaN it is.
            pub fn to_f32(self) -> f32 {
                $convert(self.0)
            }
        }

        impl From<$name> for f32 {
            fn from(value: $name) -> f32 {
                value.to_f32()
            }
        }
    )*};
}

small_floats! {
    /// An OCP E4M3 float as its byte: bias 7, no infinities, largest value 448. Compares by bits.
    E4m3 e4m3 "assert_eq!(E4m3(0x7e).to_f32(), 448.0);";
    /// An OCP E5M2 float as its byte: bias 15, with infinities, largest value 57344. Compares by bits.
    E5m2 e5m2 "assert_eq!(E5m2(0x7b).to_f32(), 57344.0);";
    /// An OCP E8M0 scale as its byte: two to the power of the byte less 127; 255 is NaN. Compares by bits.
    E8m0 e8m0 "assert_eq!(E8m0(128).to_f32(), 2.0);";
}

fn e4m3(bits: u8) -> f32 {
    if bits & 0x7f == 0x7f {
        return f32::NAN;
    }
    minifloat::<3>(bits, 7)
}

fn e5m2(bits: u8) -> f32 {
    match bits & 0x7f {
        0x7c => f32::INFINITY.copysign(sign(bits)),
        0x7d.. => f32::NAN,
        _ => minifloat::<2>(bits, 15),
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "an exponent of eight bits")]
fn e8m0(bits: u8) -> f32 {
    match bits {
        0xff => f32::NAN,
        exponent => power_of_two(i32::from(exponent) - 127),
    }
}

#[expect(clippy::indexing_slicing, reason = "three bits are below eight")]
fn e2m1(nibble: u8) -> f32 {
    const MAGNITUDES: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    MAGNITUDES[usize::from(nibble & 7)].copysign(if nibble & 8 == 0 { 1.0 } else { -1.0 })
}

fn sign(bits: u8) -> f32 {
    if bits & 0x80 == 0 { 1.0 } else { -1.0 }
}

/// A finite float of one byte with `MANTISSA` bits after the point.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "an exponent of at most five bits, a bias of at most 15, and shifts by 2 or 3"
)]
fn minifloat<const MANTISSA: u32>(bits: u8, bias: i32) -> f32 {
    let exponent = i32::from((bits & 0x7f) >> MANTISSA);
    let fraction = f32::from(bits & ((1 << MANTISSA) - 1)) / f32::from(1u8 << MANTISSA);
    let magnitude = if exponent == 0 {
        fraction * power_of_two(1 - bias)
    } else {
        (1.0 + fraction) * power_of_two(exponent - bias)
    };
    magnitude.copysign(sign(bits))
}

/// Two to the power of `exponent`, from -127 to 127.
#[expect(clippy::arithmetic_side_effects, reason = "from -127 to 127, as it says")]
fn power_of_two(exponent: i32) -> f32 {
    let biased = exponent + 127;
    // Below the normal range there is one power left with half the smallest normal number's mantissa.
    f32::from_bits(if biased <= 0 { 1 << 22 } else { (biased as u32) << 23 })
}

/// A value that a packed element is unpacked to: `u8` for u4, `i8` for i4, `f32` for e2m1. Sealed.
pub trait Unpacked: Pod + PartialEq + core::fmt::Debug + Send + Sync + sealed::Sealed {
    /// The packed dtype.
    const DTYPE: Dtype;

    /// The value of the low half of `nibble`.
    ///
    /// ```
    /// use kiln::tensor::Unpacked;
    /// assert_eq!(u8::from_nibble(0xf), 15);
    /// assert_eq!(i8::from_nibble(0xf), -1);
    /// assert_eq!(f32::from_nibble(0xf), -6.0);
    /// ```
    fn from_nibble(nibble: u8) -> Self;

    /// Unpacks as many elements as `out` takes, which are there, from element number `first` on.
    #[doc(hidden)]
    fn unpack(bytes: &[u8], first: usize, out: &mut [Self]);
}

impl Unpacked for u8 {
    const DTYPE: Dtype = Dtype::U4;

    #[inline]
    fn from_nibble(nibble: u8) -> u8 {
        nibble & 0x0f
    }

    fn unpack(bytes: &[u8], first: usize, out: &mut [u8]) {
        Kernels::best().unpack_u4(bytes, first, out);
    }
}

impl Unpacked for i8 {
    const DTYPE: Dtype = Dtype::I4;

    #[inline]
    fn from_nibble(nibble: u8) -> i8 {
        ((nibble << 4) as i8) >> 4
    }

    fn unpack(bytes: &[u8], first: usize, out: &mut [i8]) {
        Kernels::best().unpack_i4(bytes, first, out);
    }
}

impl Unpacked for f32 {
    const DTYPE: Dtype = Dtype::E2m1;

    #[inline]
    fn from_nibble(nibble: u8) -> f32 {
        e2m1(nibble)
    }

    fn unpack(bytes: &[u8], first: usize, out: &mut [f32]) {
        Kernels::best().e2m1_to_f32(bytes, first, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value by the definition of a float, in double precision.
    fn defined(bits: u8, mantissa: u32, bias: i32) -> f64 {
        let exponent = i32::from((bits & 0x7f) >> mantissa);
        let fraction = f64::from(bits & ((1 << mantissa) - 1)) / f64::from(1u32 << mantissa);
        let lead = if exponent == 0 { 0.0 } else { 1.0 };
        let scale = exponent.max(1) - bias;
        let power = (0..scale.abs()).fold(1.0, |power, _| if scale < 0 { power / 2.0 } else { power * 2.0 });
        let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
        sign * (lead + fraction) * power
    }

    #[test]
    fn eight_bit_floats_have_their_defined_values() {
        for bits in 0..=255u8 {
            let value = E4m3(bits).to_f32();
            if bits & 0x7f == 0x7f {
                assert!(value.is_nan());
            } else {
                assert_eq!(f64::from(value).to_bits(), defined(bits, 3, 7).to_bits(), "e4m3 {bits:#x}");
            }
            let value = E5m2(bits).to_f32();
            match bits & 0x7f {
                0x7d.. => assert!(value.is_nan()),
                0x7c => assert!(value.is_infinite() && value.is_sign_negative() == (bits & 0x80 != 0)),
                _ => assert_eq!(f64::from(value).to_bits(), defined(bits, 2, 15).to_bits(), "e5m2 {bits:#x}"),
            }
        }
    }

    #[test]
    fn scales_double_from_byte_to_byte() {
        assert_eq!(E8m0(127).to_f32(), 1.0);
        for bits in 0..254u8 {
            assert_eq!(E8m0(bits).to_f32() * 2.0, E8m0(bits + 1).to_f32());
        }
        assert!(E8m0(255).to_f32().is_nan());
    }

    #[test]
    fn nibbles_have_their_defined_values() {
        for nibble in 0..16u8 {
            let signed = if nibble < 8 { i32::from(nibble) } else { i32::from(nibble) - 16 };
            assert_eq!(u8::from_nibble(nibble), nibble);
            assert_eq!(i32::from(i8::from_nibble(nibble)), signed);
            // Two exponent bits with bias 1, one bit after the point.
            let (exponent, fraction) = (nibble >> 1 & 3, f32::from(nibble & 1) / 2.0);
            let magnitude = match exponent {
                0 => fraction,
                exponent => (1.0 + fraction) * f32::from(1u8 << (exponent - 1)),
            };
            let value = if nibble < 8 { magnitude } else { -magnitude };
            assert_eq!(f32::from_nibble(nibble).to_bits(), value.to_bits());
        }
    }
}
