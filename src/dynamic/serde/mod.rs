//! Any type that serde knows, written and read by a type known at run time, without a [`Value`] in between.

mod de;
mod ser;
mod value;

pub use value::Named;

use super::Value;
use crate::error::{Error, Fault};
use crate::limits::Limits;
use crate::schema::{Type, TypeRef};
use crate::wire::{Reader, Source};
use ::serde::{Deserialize, Serialize};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use half::{bf16, f16};

/// Writes what serde makes of `value` as a `ty`, straight to bytes.
///
/// | serde | Kiln |
/// |---|---|
/// | a number | a number of any width that holds it exactly |
/// | a string, a `char`, the name of a variant without data | `str` |
/// | bytes, a sequence of `u8` | `bytes` |
/// | a sequence, a tuple | `list{T}` |
/// | a map with strings for keys | `dict{T}`, in any order |
/// | a struct, a map of known length | `struct{…}` with these names, in any order |
/// | a tuple, a tuple struct | `struct{…}` with the names `0`, `1`, … |
/// | `None`, a field skipped by `skip_serializing_if` or not there | `optional{T}`, absent |
/// | `Some`, or a value by itself | `optional{T}`, present |
/// | a newtype | what it holds |
///
/// # Errors
/// [`SerdeError`] for everything else, with the path to it: a field missing or unknown, a number that does not fit;
/// by name for what serde's attributes make that the wire has no place for: `flatten` (which makes a map of unknown
/// length of a struct), `skip_serializing_if` on a field that is no optional, `tag` and `content` and any other enum with data.
/// `untagged` is what its variant is.
///
/// ```
/// use kiln::{dynamic, schema::Type};
/// use std::collections::HashMap;
///
/// let ty = Type::parse("dict{u16}")?;
/// let map = HashMap::from([("b", 2u64), ("a", 1)]);
/// let bytes = dynamic::serialize(&ty, &map)?;
/// assert_eq!(dynamic::deserialize::<HashMap<&str, u64>>(&ty, &bytes)?, map);
///
/// let error = dynamic::serialize(&ty, &HashMap::from([("a", 70_000)])).unwrap_err();
/// assert_eq!(error.to_string(), "in [\"a\"]: 70000 is out of the range of u16");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn serialize<T: Serialize + ?Sized>(ty: &Type, value: &T) -> Result<Vec<u8>, SerdeError> {
    let mut out = Vec::new();
    serialize_into(ty, value, &mut out)?;
    Ok(out)
}

/// Appends what serde makes of `value` as a `ty`.
///
/// # Errors
/// As [`serialize`]; `out` is then as it was.
pub fn serialize_into<T: Serialize + ?Sized>(
    ty: &Type,
    value: &T,
    out: &mut Vec<u8>,
) -> Result<(), SerdeError> {
    let before = out.len();
    let result = value.serialize(ser::Writer { ty: ty.root(), out, depth: 0 });
    if result.is_err() {
        out.truncate(before);
    }
    result
}

/// Reads the one value of type `ty` that `bytes` hold into any type that serde can build, within the default
/// [`Limits`]. Texts and byte runs can be borrowed.
///
/// The way back of [`serialize`]: a struct is a map of its fields' names, or a sequence where a tuple is asked for; an
/// absent field is left out, any other absent optional is `None`. As the type says what everything is, `flatten`,
/// `untagged` and types like `serde_json::Value` are read as well.
///
/// # Errors
/// [`SerdeError`]: [`rejected`](SerdeError::rejected) says with which of the seven codes, if it was the bytes and not
/// the Rust type that did not fit. The owned budget is not touched: what is built is the Rust type's affair.
///
/// ```
/// use kiln::{Code, dynamic, schema::Type};
/// let ty = Type::parse("list{struct{0:u8,1:str,}}")?;
/// let bytes = kiln::to_vec(&[(1u8, "one")])?;
/// assert_eq!(dynamic::deserialize::<Vec<(u32, &str)>>(&ty, &bytes)?, [(1, "one")]);
/// let error = dynamic::deserialize::<Vec<(u32, &str)>>(&ty, &bytes[..8]).unwrap_err();
/// assert_eq!(error.rejected().map(|error| error.code()), Some(Code::Eof));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn deserialize<'de, T: Deserialize<'de>>(ty: &Type, bytes: &'de [u8]) -> Result<T, SerdeError> {
    deserialize_with(ty, bytes, &Limits::DEFAULT)
}

/// [`deserialize`] within `limits`.
///
/// # Errors
/// As [`deserialize`].
pub fn deserialize_with<'de, T: Deserialize<'de>>(
    ty: &Type,
    bytes: &'de [u8],
    limits: &Limits,
) -> Result<T, SerdeError> {
    let mut reader = Reader::new(bytes, 0, limits);
    let explained = |fault| {
        let error = Error::explain_by(fault, bytes, 0, ty.root(), limits);
        SerdeError { path: Vec::new(), problem: Problem::Rejected(Box::new(error)) }
    };
    let value = match T::deserialize(de::Typed { ty: ty.root(), reader: &mut reader }) {
        Ok(value) => value,
        Err(SerdeError { problem: Problem::Fault(fault), .. }) => return Err(explained(fault)),
        Err(error) => return Err(error),
    };
    match reader.rest() {
        [] => Ok(value),
        _ => Err(explained(Fault::new(crate::error::Reason::Trailing, reader.offset()))),
    }
}

/// Whether a type is a struct of one field that is named as that of a newtype is.
fn is_newtype(ty: TypeRef<'_>) -> bool {
    ty.kind()
        .fields()
        .is_some_and(|mut fields| fields.len() == 1 && fields.next().is_some_and(|(name, _)| name == "0"))
}

/// A half as the `f32` that serde has for it. A NaN keeps all its bits: a conversion by the processor would make a
/// signalling one quiet.
fn from_half(number: f16) -> f32 {
    let bits = u32::from(number.to_bits());
    match number.is_nan() {
        true => f32::from_bits((bits & 0x8000) << 16 | 0x7f80_0000 | (bits & 0x3ff) << 13),
        false => number.to_f32(),
    }
}

/// The way back, for a NaN whose bits a half has.
#[expect(clippy::cast_possible_truncation, reason = "masked to sixteen bits")]
fn to_half(nan: f32) -> f16 {
    let bits = nan.to_bits();
    // Shifted so, either fits into sixteen bits.
    let narrow = f16::from_bits((bits >> 16 & 0x8000 | 0x7c00 | bits >> 13 & 0x3ff) as u16);
    if narrow.is_nan() { narrow } else { f16::from_f32(nan) }
}

/// As [`from_half`].
fn from_brain(number: bf16) -> f32 {
    f32::from_bits(u32::from(number.to_bits()) << 16)
}

/// As [`to_half`].
fn to_brain(nan: f32) -> bf16 {
    let narrow = bf16::from_bits((nan.to_bits() >> 16) as u16);
    if narrow.is_nan() { narrow } else { bf16::from_f32(nan) }
}

/// Why a value of serde's did not become bytes, or bytes no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerdeError {
    /// Steps from the innermost outwards.
    path: Vec<String>,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    /// Bytes were rejected, and are explained by whoever has all of them.
    Fault(Fault),
    Rejected(Box<Error>),
    Message(String),
}

impl SerdeError {
    fn new(message: impl fmt::Display) -> SerdeError {
        SerdeError { path: Vec::new(), problem: Problem::Message(message.to_string()) }
    }

    /// The same, seen from one step further outside.
    fn within(mut self, step: impl FnOnce() -> String) -> SerdeError {
        if let Problem::Message(_) = self.problem {
            self.path.push(step());
        }
        self
    }

    /// The error of the bytes, if it was they that were rejected.
    #[must_use]
    pub fn rejected(&self) -> Option<&Error> {
        match &self.problem {
            Problem::Rejected(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Fault> for SerdeError {
    fn from(fault: Fault) -> SerdeError {
        SerdeError { path: Vec::new(), problem: Problem::Fault(fault) }
    }
}

impl fmt::Display for SerdeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::Rejected(error) => error.fmt(f),
            Problem::Fault(fault) => f.write_str(fault.reason().text()),
            Problem::Message(message) => {
                let mut between = "in ";
                for step in self.path.iter().rev() {
                    let field = !step.starts_with('[');
                    f.write_str(if between.is_empty() && field { "." } else { between })?;
                    f.write_str(step)?;
                    between = "";
                }
                f.write_str(if self.path.is_empty() { "" } else { ": " })?;
                f.write_str(message)
            }
        }
    }
}

impl core::error::Error for SerdeError {}

impl ::serde::ser::Error for SerdeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        SerdeError::new(message)
    }
}

impl ::serde::de::Error for SerdeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        SerdeError::new(message)
    }
}

impl Type {
    /// A value with its type, which serialises with the names of fields: as the maps that a program without this crate
    /// expects.
    ///
    /// ```
    /// use kiln::{dynamic, schema::Type};
    /// let ty = Type::parse("struct{id:u8,note:optional{str},}")?;
    /// let value = dynamic::decode(&ty, &[7, 0])?;
    /// assert_eq!(serde_json::to_string(&ty.named(&value))?, r#"{"id":7}"#);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn named<'a>(&'a self, value: &'a Value) -> Named<'a> {
        Named::new(self.root(), value)
    }
}
