//! Any type that serde knows, written and read by a type known at run time, without a [`Value`] in between.

mod de;
mod ser;
mod value;

pub use value::Named;

use super::Value;
use crate::error::{Error, Fault};
use crate::escape::{escape, shorten};
use crate::limits::Limits;
use crate::schema::{Fields, Kind, Type, TypeRef};
use crate::wire::{MAX_DEPTH, Reader, Source};
use ::serde::{Deserialize, Serialize};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use half::{bf16, f16};

/// Writes what serde makes of `value` as a `ty`, straight to bytes.
///
/// | serde | Kiln |
/// |---|---|
/// | a number | a number of any width that holds it exactly, a NaN with all its bits |
/// | a string, a `char`, the name of a variant without data | `str` |
/// | bytes, a sequence of `u8` | `bytes` |
/// | a sequence, a tuple | `list{T}` |
/// | a map with strings for keys | `dict{T}`, in any order |
/// | a struct, a map of known length | `struct{…}` with these names, in any order |
/// | a tuple, a tuple struct | `struct{…}` with the names `0`, `1`, … |
/// | a unit, a unit struct | `struct{}` |
/// | `None`, a field skipped by `skip_serializing_if` or not there | `optional{T}`, absent |
/// | `Some`, or a value by itself | `optional{T}`, present |
/// | a newtype | what it holds, or `struct{0:…,}` around that |
///
/// Whatever is written here [`deserialize`] reads as the same value, of the type that was written. An error stays one:
/// a `Serialize` that goes on after one part was refused is refused as a whole.
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
/// The way back of [`serialize`], by the same table: what is asked for has to be what is written as the type. A struct is
/// a map of its fields' names, which cannot be borrowed, or a tuple if they are `0`, `1`, …. An absent field is left out,
/// and any other absent optional is `None`. A newtype of an optional in an absent field, of which serde says that the field
/// is missing, is given its `None` by reading again from the start, once for each such field of the type at most. As the
/// type says what everything is, `flatten`, `untagged` and types like `serde_json::Value` are read as well; but what serde
/// buffers for them has lost that a struct is a tuple or a newtype, and bytes a sequence.
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
    let explained = |fault| {
        let error = Error::explain_by(fault, bytes, 0, ty.root(), limits);
        SerdeError { path: Vec::new(), problem: Problem::Rejected(Box::new(error)) }
    };
    let mut nones = BTreeSet::new();
    let mut missing = None;
    loop {
        let mut input = de::Input::new(Reader::new(bytes, 0, limits), &nones);
        let value = T::deserialize(de::Typed { ty: ty.root(), input: &mut input });
        // An error that somebody passed over is one still.
        let error = match (value, input.failed.take()) {
            (Ok(value), None) => match input.reader.rest() {
                [] => return Ok(value),
                _ => {
                    return Err(explained(Fault::new(crate::error::Reason::Trailing, input.reader.offset())));
                }
            },
            (Ok(_), Some(error)) | (Err(error), _) => error,
        };
        match input.wanted.take() {
            // Once for each optional field of the type at most.
            Some(field) => {
                nones.insert(field);
                missing = Some(error);
            }
            None => {
                let error = if input.refused { missing.unwrap_or(error) } else { error };
                return Err(match error.problem {
                    Problem::Fault(fault) => explained(fault),
                    _ => error,
                });
            }
        }
    }
}

/// The type past all optionals.
fn base(mut ty: TypeRef<'_>) -> TypeRef<'_> {
    // Those of a type that is only itself in an optional have no end.
    for _ in 0..MAX_DEPTH {
        let Kind::Optional(value) = ty.kind() else { break };
        ty = value;
    }
    ty
}

/// Whether a type is a struct of one field that is named as that of a newtype is.
fn is_newtype(ty: TypeRef<'_>) -> bool {
    ty.kind()
        .fields()
        .is_some_and(|mut fields| fields.len() == 1 && fields.next().is_some_and(|(name, _)| name == "0"))
}

/// Refuses a struct whose fields do not have the names that those of a tuple have.
fn ordered(fields: Fields<'_>) -> Result<(), SerdeError> {
    for (at, (name, _)) in fields.enumerate() {
        if *name != *format!("{at}") {
            return Err(SerdeError::new(format_args!(
                "a tuple cannot be a struct with the field \"{}\" in place {at}",
                shown(name)
            )));
        }
    }
    Ok(())
}

/// A name as an error shows it.
fn shown(name: &str) -> String {
    escape(shorten(name).as_bytes()).to_string()
}

/// A float that the type has not, with the bits of a NaN.
fn odd(number: f64, ty: TypeRef<'_>) -> SerdeError {
    let ty = ty.kind().name();
    match number.is_nan() {
        true => SerdeError::new(format_args!("NaN:{:#018x} is no {ty}", number.to_bits())),
        false => SerdeError::new(format_args!("{number:?} is no {ty}")),
    }
}

// A conversion by the processor makes a signalling NaN quiet, and drops the low bits of what a NaN carries. These keep
// all bits, or say that they cannot.

/// An `f32` as an `f64`, which has all its bits.
fn widen(number: f32) -> f64 {
    let bits = u64::from(number.to_bits());
    match number.is_nan() {
        true => f64::from_bits((bits & 0x8000_0000) << 32 | 0x7ff0_0000_0000_0000 | (bits & 0x7f_ffff) << 29),
        false => f64::from(number),
    }
}

/// The `f32` that [`widen`] makes this number of, if there is one.
#[expect(clippy::cast_possible_truncation, reason = "what does not come back by `widen` is dropped")]
fn narrow(number: f64) -> Option<f32> {
    let bits = number.to_bits();
    let narrow = match number.is_nan() {
        true => f32::from_bits((bits >> 32 & 0x8000_0000 | 0x7f80_0000 | bits >> 29 & 0x7f_ffff) as u32),
        false => number as f32,
    };
    (widen(narrow).to_bits() == bits).then_some(narrow)
}

/// A half as the `f32` that serde has for it.
fn from_half(number: f16) -> f32 {
    let bits = u32::from(number.to_bits());
    match number.is_nan() {
        true => f32::from_bits((bits & 0x8000) << 16 | 0x7f80_0000 | (bits & 0x3ff) << 13),
        false => number.to_f32(),
    }
}

/// The half that [`from_half`] makes this number of, if there is one.
#[expect(clippy::cast_possible_truncation, reason = "what does not come back by `from_half` is dropped")]
fn to_half(number: f32) -> Option<f16> {
    let bits = number.to_bits();
    let half = match number.is_nan() {
        true => f16::from_bits((bits >> 16 & 0x8000 | 0x7c00 | bits >> 13 & 0x3ff) as u16),
        false => f16::from_f32(number),
    };
    (from_half(half).to_bits() == bits).then_some(half)
}

/// As [`from_half`].
fn from_brain(number: bf16) -> f32 {
    f32::from_bits(u32::from(number.to_bits()) << 16)
}

/// As [`to_half`].
fn to_brain(number: f32) -> Option<bf16> {
    let brain = bf16::from_bits((number.to_bits() >> 16) as u16);
    (from_brain(brain).to_bits() == number.to_bits()).then_some(brain)
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
    /// A field of that name is missing, says what is being built.
    Missing(&'static str),
    Message(String),
}

impl SerdeError {
    fn new(message: impl fmt::Display) -> SerdeError {
        SerdeError { path: Vec::new(), problem: Problem::Message(message.to_string()) }
    }

    /// The same, seen from one step further outside.
    fn within(mut self, step: impl FnOnce() -> String) -> SerdeError {
        if let Problem::Message(_) | Problem::Missing(_) = self.problem {
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
            Problem::Missing(_) | Problem::Message(_) => {
                let mut between = "in ";
                for step in self.path.iter().rev() {
                    let field = !step.starts_with('[');
                    f.write_str(if between.is_empty() && field { "." } else { between })?;
                    f.write_str(step)?;
                    between = "";
                }
                f.write_str(if self.path.is_empty() { "" } else { ": " })?;
                match &self.problem {
                    Problem::Missing(name) => write!(f, "missing field `{}`", shown(name)),
                    Problem::Message(message) => f.write_str(message),
                    _ => Ok(()),
                }
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

    fn missing_field(field: &'static str) -> Self {
        SerdeError { path: Vec::new(), problem: Problem::Missing(field) }
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
