//! Numbers of every width as JSON, and back, to the last bit.

use super::fault::JsonProblem;
use crate::schema::Scalar;
use alloc::format;
use alloc::vec::Vec;
use half::{bf16, f16};
use serde::Serialize;

/// Appends a finite number or an integer.
#[inline]
pub(super) fn put(number: impl Serialize, out: &mut Vec<u8>) {
    // Neither does a number fail to serialise nor memory to be written.
    let _: Result<(), serde_json::Error> = serde_json::to_writer(out, &number);
}

/// The bits of a float: what tells its NaN and infinities.
#[derive(Clone, Copy)]
pub(super) struct Format {
    scalar: Scalar,
    /// How many bits the fraction has.
    fraction: u32,
    /// How many bits the whole has.
    width: u32,
}

pub(super) const F16: Format = Format { scalar: Scalar::F16, fraction: 10, width: 16 };
pub(super) const BF16: Format = Format { scalar: Scalar::Bf16, fraction: 7, width: 16 };
pub(super) const F32: Format = Format { scalar: Scalar::F32, fraction: 23, width: 32 };
pub(super) const F64: Format = Format { scalar: Scalar::F64, fraction: 52, width: 64 };

impl Format {
    #[expect(clippy::arithmetic_side_effects, reason = "formats of 16 to 64 bits")]
    const fn infinity(self) -> u64 {
        let sign = 1u64 << (self.width - 1);
        (sign - 1) & !((1u64 << self.fraction) - 1)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "formats of 16 to 64 bits")]
    const fn negative_infinity(self) -> u64 {
        self.infinity() | 1u64 << (self.width - 1)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "formats of 16 to 64 bits")]
    const fn nan(self) -> u64 {
        self.infinity() | 1u64 << (self.fraction - 1)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "formats of 16 to 64 bits")]
    fn is_nan(self, bits: u64) -> bool {
        // Without the sign.
        bits & ((1u64 << (self.width - 1)) - 1) > self.infinity()
    }

    /// Appends bits that are no finite number.
    #[cold]
    pub(super) fn put_odd(self, bits: u64, out: &mut Vec<u8>) {
        if bits == self.infinity() {
            out.extend_from_slice(b"\"Infinity\"");
        } else if bits == self.negative_infinity() {
            out.extend_from_slice(b"\"-Infinity\"");
        } else if bits == self.nan() {
            out.extend_from_slice(b"\"NaN\"");
        } else {
            let digits = (self.width / 4) as usize;
            out.extend_from_slice(format!("\"NaN:0x{bits:0digits$x}\"").as_bytes());
        }
    }

    /// The bits that a string stands for.
    pub(super) fn odd(self, text: &str) -> Option<u64> {
        match text {
            "Infinity" => Some(self.infinity()),
            "-Infinity" => Some(self.negative_infinity()),
            "NaN" => Some(self.nan()),
            _ => {
                let digits = text.strip_prefix("NaN:0x")?;
                let plain = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
                if !plain || digits.len() != (self.width / 4) as usize {
                    return None;
                }
                u64::from_str_radix(digits, 16).ok().filter(|&bits| self.is_nan(bits))
            }
        }
    }

    /// The bits of the nearest number to one written in JSON.
    pub(super) fn nearest(self, number: &str) -> Result<u64, JsonProblem> {
        let wide = || number.parse::<f64>().unwrap_or(f64::NAN);
        let bits = match self.scalar {
            Scalar::F16 => u64::from(f16::from_f64(wide()).to_bits()),
            Scalar::Bf16 => u64::from(bf16::from_f64(wide()).to_bits()),
            Scalar::F32 => u64::from(number.parse::<f32>().unwrap_or(f32::NAN).to_bits()),
            _ => wide().to_bits(),
        };
        // What rounds to an infinity, or is no number at all.
        if bits & self.infinity() == self.infinity() {
            return Err(JsonProblem::OutOfRange { number: number.into(), ty: self.scalar.name() });
        }
        Ok(bits)
    }
}

/// An integer as written in JSON, if it is one of that type: from `least` to `most`.
#[inline]
pub(super) fn integer(number: &str, scalar: Scalar, least: i128, most: i128) -> Result<i128, JsonProblem> {
    let value = match number.parse::<i64>() {
        Ok(value) => Some(i128::from(value)),
        Err(_) => whole(number)?,
    };
    match value {
        Some(value) if least <= value && value <= most => Ok(value),
        _ => Err(JsonProblem::OutOfRange { number: number.into(), ty: scalar.name() }),
    }
}

/// The number as an integer, exactly; `None` when it is larger than any type has.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "counts digits of a text, exponents of 64 bits, and a value of at most 20 digits, all in 128 bits"
)]
fn whole(number: &str) -> Result<Option<i128>, JsonProblem> {
    let (negative, rest) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (units, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // Digits without leading zeros, and how many of them stand after the point.
    let digits = || units.bytes().chain(fraction.bytes()).skip_while(|&digit| digit == b'0');
    let count = digits().count() as i128;
    if count == 0 {
        return Ok(Some(0));
    }
    // An exponent beyond an i64 moves the point past any digits that a text can have.
    let beyond = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let after = fraction.len() as i128 - i128::from(exponent.parse::<i64>().unwrap_or(beyond));
    let kept = count - after;
    if digits().enumerate().any(|(at, digit)| at as i128 >= kept && digit != b'0') {
        return Err(JsonProblem::NotWhole { number: number.into() });
    }
    if kept > 20 {
        return Ok(None);
    }
    let mut value = 0;
    for at in 0..kept {
        let digit = usize::try_from(at).ok().and_then(|at| digits().nth(at)).unwrap_or(b'0');
        value = value * 10 + i128::from(digit - b'0');
    }
    Ok(Some(if negative { -value } else { value }))
}
