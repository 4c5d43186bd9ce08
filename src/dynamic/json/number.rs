//! Numbers of every width as JSON, and back, to the last bit.

use super::fault::JsonProblem;
use crate::escape::shorten;
use crate::schema::Scalar;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Write};
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

    /// The bits of the nearest number to one written in JSON, of two that are as near the even one.
    pub(super) fn nearest(self, number: &str) -> Result<u64, JsonProblem> {
        let short = short(number);
        // The lexer has seen that it is a number.
        let wide = || short.parse::<f64>().unwrap_or(f64::NAN);
        let bits = match self.scalar {
            Scalar::F16 | Scalar::Bf16 => self.narrow(wide(), number),
            Scalar::F32 => u64::from(short.parse::<f32>().unwrap_or(f32::NAN).to_bits()),
            _ => wide().to_bits(),
        };
        // What rounds to an infinity, or is no number at all.
        if bits & self.infinity() == self.infinity() {
            return Err(JsonProblem::OutOfRange {
                number: shorten(number).into_owned(),
                ty: self.scalar.name(),
            });
        }
        Ok(bits)
    }

    /// The bits of the nearest number of 16 bits to `number`, to which `wide` is the nearest of 64. Where that lies half
    /// way between two, the digits of the number tell on which side of it the number is: to round twice is to round wrong.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "of 53 bits at least 42 and at most 53 go, and exponents are those of an f64"
    )]
    fn narrow(self, wide: f64, number: &str) -> u64 {
        let bits = wide.to_bits();
        let sign = bits >> 63 << (self.width - 1);
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        if exponent == 0x7ff {
            return sign | self.infinity();
        }
        // The weight of the lowest bit, here and in the narrow number, which has a least one.
        let whole = fraction | 1 << 52;
        let here = exponent - 1075;
        let bias = (1 << (self.width - self.fraction - 2)) - 1;
        let least = 1 - bias - self.fraction as i32;
        let there = (here + 52 - self.fraction as i32).max(least);
        // Below half of the least number, as all are that an f64 has no leading bit for.
        let Some(gone) = u32::try_from(there - here).ok().filter(|gone| *gone <= 53) else { return sign };
        let (kept, rest, half) = (whole >> gone, whole & ((1 << gone) - 1), 1 << (gone - 1));
        let up = match rest.cmp(&half).then_with(|| Decimal::read(number).cmp_magnitude(wide)) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => kept & 1 == 1,
        };
        // A fraction that is full carries into the exponent.
        let magnitude = ((there - least) as u64) << self.fraction;
        sign | (magnitude + kept + u64::from(up)).min(self.infinity())
    }
}

/// A number as its significant digits and where the point stands before or behind them.
struct Decimal<'t> {
    negative: bool,
    units: &'t str,
    fraction: &'t str,
    /// How many zeros come before the first other digit.
    zeros: usize,
    /// How many of the digits stand before the point; the digits go on with zeros, and begin with them if it is negative.
    point: i128,
}

impl<'t> Decimal<'t> {
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "counts digits of a text, and exponents of 64 bits, in 128 bits"
    )]
    fn read(number: &'t str) -> Decimal<'t> {
        let (negative, rest) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (units, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let zeros = units.bytes().chain(fraction.bytes()).take_while(|&digit| digit == b'0').count();
        // An exponent beyond an i64 moves the point past any digits that a text can have.
        let beyond = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
        let exponent = i128::from(exponent.parse::<i64>().unwrap_or(beyond));
        let point = units.len() as i128 - zeros as i128 + exponent;
        Decimal { negative, units, fraction, zeros, point }
    }

    /// The digits without the zeros in front: those before the point, and those behind it.
    fn parts(&self) -> [&'t [u8]; 2] {
        let behind = self.zeros.saturating_sub(self.units.len());
        let units = self.units.as_bytes().get(self.zeros..).unwrap_or_default();
        [units, self.fraction.as_bytes().get(behind..).unwrap_or_default()]
    }

    fn digits(&self) -> impl Iterator<Item = u8> + 't {
        self.parts().into_iter().flatten().copied()
    }

    /// Whether a digit that is not zero comes behind the first `count`.
    fn goes_on(&self, count: usize) -> bool {
        let [units, fraction] = self.parts();
        let rest = [units.get(count..), fraction.get(count.saturating_sub(units.len())..)];
        rest.into_iter().flatten().any(|digits| digits.iter().any(|&digit| digit != b'0'))
    }

    fn is_zero(&self) -> bool {
        self.parts().iter().all(|digits| digits.is_empty())
    }

    /// Compares it with a float, both without their signs and neither zero.
    fn cmp_magnitude(&self, float: f64) -> Ordering {
        // Every digit of a float whose lowest bit weighs 2^-134 at least: half of the least number of 16 bits.
        let float = format!("{:.140}", float.abs());
        let float = Decimal::read(&float);
        let padded = |digits: &mut dyn Iterator<Item = u8>| digits.next().unwrap_or(b'0');
        let (mut a, mut b) = (self.digits(), float.digits());
        let count = |decimal: &Decimal<'_>| decimal.parts().map(<[u8]>::len).iter().sum::<usize>();
        let longer = count(self).max(count(&float));
        let digits = (0..longer).map(|_| padded(&mut a).cmp(&padded(&mut b)));
        self.point.cmp(&float.point).then_with(|| digits.fold(Ordering::Equal, Ordering::then))
    }
}

/// More significant digits than a number half way between two floats has, of which an `f64` has 767 at most.
const DIGITS: usize = 800;

/// The same number in as few bytes as the standard library reads without a limit of its own: beyond [`DIGITS`] it only
/// matters whether there is another digit than zero. An exponent of five figures is beyond every float either way.
#[expect(clippy::arithmetic_side_effects, reason = "counts digits and clamped exponents in 128 bits")]
fn short(number: &str) -> Cow<'_, str> {
    if number.len() <= DIGITS {
        return Cow::Borrowed(number);
    }
    let decimal = Decimal::read(number);
    let mut text = String::with_capacity(DIGITS + 16);
    if decimal.negative {
        text.push('-');
    }
    if decimal.is_zero() {
        text.push('0');
        return Cow::Owned(text);
    }
    let first = text.len();
    text.extend(decimal.digits().take(DIGITS).map(char::from));
    if decimal.goes_on(DIGITS) {
        text.push('1');
    }
    let exponent = (decimal.point - (text.len() - first) as i128).clamp(-99_999, 99_999);
    // Writing to a String does not fail.
    let _: fmt::Result = write!(text, "e{exponent}");
    Cow::Owned(text)
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
        _ => Err(JsonProblem::OutOfRange { number: shorten(number).into_owned(), ty: scalar.name() }),
    }
}

/// The number as an integer, exactly; `None` when it is larger than any type has.
#[expect(clippy::arithmetic_side_effects, reason = "a value of at most 20 digits in 128 bits")]
fn whole(number: &str) -> Result<Option<i128>, JsonProblem> {
    let decimal = Decimal::read(number);
    if decimal.is_zero() {
        return Ok(Some(0));
    }
    let kept = decimal.point.max(0);
    if decimal.goes_on(usize::try_from(kept).unwrap_or(usize::MAX)) {
        return Err(JsonProblem::NotWhole { number: shorten(number).into_owned() });
    }
    if kept > 20 {
        return Ok(None);
    }
    let mut digits = decimal.digits();
    let mut value = 0;
    for _ in 0..kept {
        value = value * 10 + i128::from(digits.next().unwrap_or(b'0') - b'0');
    }
    Ok(Some(if decimal.negative { -value } else { value }))
}
