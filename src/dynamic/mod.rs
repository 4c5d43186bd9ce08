//! Values of a type known at run time: decoded, checked and encoded by a [`Type`] in the place of a Rust struct.
//! Chapter: Dynamic values.
//!
//! The bytes are those of the Rust type with the same type text, and so are the code, step and offset of
//! whatever is refused.
//!
//! ```
//! use kiln::dynamic::{self, Value};
//! use kiln::schema::Type;
//!
//! let ty = Type::parse("list{struct{id:u32,label:optional{str},}}")?;
//! let bytes = [1, 0, 0, 0, 7, 0, 0, 0, 1, 2, 0, 0, 0, b'o', b'k'];
//! let value = dynamic::decode(&ty, &bytes)?;
//! assert_eq!(value, Value::List(vec![Value::Struct(vec![Value::U32(7), Value::some("ok".into())])]));
//! assert_eq!(dynamic::encode(&ty, &value)?, bytes);
//!
//! let error = dynamic::decode(&ty, &bytes[..14]).unwrap_err();
//! assert_eq!(
//!     ty.describe(&error, &bytes[..14]).to_string(),
//!     "EOF at byte 13 (0xd), in [0].label: the bytes end inside the value (2 needed, 1 left)"
//! );
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod decode;
mod encode;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "serde")]
mod serde;
mod value;

pub use encode::{Problem, Step, ValueError};
#[cfg(feature = "json")]
pub use json::{DecodeError, Json, JsonError, JsonLines, JsonProblem, Layout, NoJson};
#[cfg(feature = "serde")]
pub use serde::{Named, SerdeError, deserialize, deserialize_with, serialize, serialize_into};
pub use value::Value;

use crate::error::{Error, Fault};
use crate::frame;
use crate::limits::Limits;
use crate::schema::{Kind, Shape, Type, TypeError};
use crate::wire::{Reader, Source};
use alloc::vec::Vec;
use core::fmt;

/// Reads the one value of type `ty` that `bytes` hold, within the default [`Limits`].
///
/// The owned budget is charged for every slot of a [`Value`], every text, byte run and directory.
///
/// # Errors
/// As [`kiln::from_slice`](crate::from_slice).
pub fn decode(ty: &Type, bytes: &[u8]) -> Result<Value, Error> {
    decode_with(ty, bytes, &Limits::DEFAULT)
}

/// [`decode()`] within `limits`.
///
/// # Errors
/// As [`decode()`].
pub fn decode_with(ty: &Type, bytes: &[u8], limits: &Limits) -> Result<Value, Error> {
    whole::<true>(ty, bytes, 0, limits)
}

/// Reads the value of type `ty` that `bytes` begin with, and gives the bytes after it.
///
/// # Errors
/// As [`decode()`], but never TRAILING.
pub fn from_prefix<'a>(ty: &Type, bytes: &'a [u8]) -> Result<(Value, &'a [u8]), Error> {
    from_prefix_with(ty, bytes, &Limits::DEFAULT)
}

/// [`from_prefix`] within `limits`.
///
/// # Errors
/// As [`from_prefix`].
pub fn from_prefix_with<'a>(ty: &Type, bytes: &'a [u8], limits: &Limits) -> Result<(Value, &'a [u8]), Error> {
    prefix::<true>(ty, bytes, 0, limits)
}

/// Checks that `bytes` hold one value of type `ty`, building nothing. Nothing is allocated but what finds a name
/// twice in a directory whose names do not ascend.
///
/// # Errors
/// As [`decode()`], but for the owned budget, which is not touched.
///
/// ```
/// use kiln::{Code, dynamic, schema::Type};
/// let ty = Type::parse("list{bool}")?;
/// assert!(dynamic::check(&ty, &[2, 0, 0, 0, 1, 0]).is_ok());
/// assert_eq!(dynamic::check(&ty, &[2, 0, 0, 0, 1, 2]).unwrap_err().code(), Code::Type);
/// # Ok::<(), kiln::schema::TypeError>(())
/// ```
pub fn check(ty: &Type, bytes: &[u8]) -> Result<(), Error> {
    check_with(ty, bytes, &Limits::DEFAULT)
}

/// [`check`] within `limits`.
///
/// # Errors
/// As [`check`].
pub fn check_with(ty: &Type, bytes: &[u8], limits: &Limits) -> Result<(), Error> {
    whole::<false>(ty, bytes, 0, limits).map(drop)
}

/// Reads the one framed value of type `ty` that `bytes` hold, within the default [`Limits`].
///
/// # Errors
/// [`FramedError::Type`] for a type without a hash. Else EOF, FRAME and SCHEMA for the frame, then as [`decode()`].
pub fn decode_framed(ty: &Type, bytes: &[u8]) -> Result<Value, FramedError> {
    decode_framed_with(ty, bytes, &Limits::DEFAULT)
}

/// [`decode_framed`] within `limits`.
///
/// # Errors
/// As [`decode_framed`].
pub fn decode_framed_with(ty: &Type, bytes: &[u8], limits: &Limits) -> Result<Value, FramedError> {
    frame::expect(bytes, ty.hash()?)?;
    Ok(whole::<true>(ty, bytes, frame::LEN, limits)?)
}

/// Checks that `bytes` hold one framed value of type `ty`, building nothing.
///
/// # Errors
/// As [`decode_framed`], but for the owned budget.
pub fn check_framed(ty: &Type, bytes: &[u8]) -> Result<(), FramedError> {
    check_framed_with(ty, bytes, &Limits::DEFAULT)
}

/// [`check_framed`] within `limits`.
///
/// # Errors
/// As [`check_framed`].
pub fn check_framed_with(ty: &Type, bytes: &[u8], limits: &Limits) -> Result<(), FramedError> {
    frame::expect(bytes, ty.hash()?)?;
    whole::<false>(ty, bytes, frame::LEN, limits)?;
    Ok(())
}

/// The length of the encoding of `value` as a `ty`, in bytes.
///
/// # Errors
/// [`ValueError`] for a value that is none of `ty`, or that cannot be written at all.
pub fn encoded_len(ty: &Type, value: &Value) -> Result<usize, ValueError> {
    encode::measure(ty, value)
}

/// Writes `value` as a `ty` into a new vector.
///
/// # Errors
/// As [`encoded_len`], and [`EncodeError::TooLong`](crate::EncodeError::TooLong) in a [`Problem::Encode`] when memory
/// cannot hold it.
///
/// ```
/// use kiln::{dynamic::{self, Value}, schema::Type};
/// let ty = Type::parse("struct{name:str,sizes:list{u16},}")?;
/// let value = Value::Struct(vec!["w".into(), Value::List(vec![Value::U16(3), Value::Bool(true)])]);
/// let error = dynamic::encode(&ty, &value).unwrap_err();
/// assert_eq!(error.to_string(), "in sizes[1]: expected u16, found bool");
/// # Ok::<(), kiln::schema::TypeError>(())
/// ```
pub fn encode(ty: &Type, value: &Value) -> Result<Vec<u8>, ValueError> {
    let mut out = Vec::new();
    encode_into(ty, value, &mut out)?;
    Ok(out)
}

/// Appends `value` as a `ty` to a vector.
///
/// # Errors
/// As [`encode()`]; the vector is then as it was.
pub fn encode_into(ty: &Type, value: &Value, out: &mut Vec<u8>) -> Result<(), ValueError> {
    let len = encode::measure(ty, value)?;
    out.try_reserve_exact(len).map_err(|_| ValueError::too_long())?;
    encode::append(ty, value, out)
}

/// Writes frame and value into a new vector.
///
/// # Errors
/// As [`encode()`], and [`Problem::Type`] for a type without a hash.
pub fn encode_framed(ty: &Type, value: &Value) -> Result<Vec<u8>, ValueError> {
    let hash = ty.hash().map_err(ValueError::of_type)?;
    let len = frame::LEN.saturating_add(encode::measure(ty, value)?);
    let mut out = Vec::new();
    out.try_reserve_exact(len).map_err(|_| ValueError::too_long())?;
    out.extend_from_slice(&frame::header(hash));
    encode::append(ty, value, &mut out)?;
    Ok(out)
}

fn whole<const BUILD: bool>(ty: &Type, bytes: &[u8], start: usize, limits: &Limits) -> Result<Value, Error> {
    let (value, rest) = prefix::<BUILD>(ty, bytes, start, limits)?;
    if rest.is_empty() {
        return Ok(value);
    }
    let shape = match ty.root().kind() {
        Kind::Scalar(scalar) => Shape::Scalar(scalar),
        _ => Shape::Struct(&[]),
    };
    let fault = Fault::new(crate::frozen::trailing(shape), bytes.len().saturating_sub(rest.len()));
    Err(Error::explain_by(fault, bytes, start, ty.root(), limits))
}

fn prefix<'a, const BUILD: bool>(
    ty: &Type,
    bytes: &'a [u8],
    start: usize,
    limits: &Limits,
) -> Result<(Value, &'a [u8]), Error> {
    let mut reader = Reader::new(bytes, start, limits);
    match decode::value::<BUILD>(ty.root(), &mut reader) {
        Ok(value) => Ok((value, reader.rest())),
        Err(fault) => Err(Error::explain_by(fault, bytes, start, ty.root(), limits)),
    }
}

impl Type {
    /// The line of an error with names in the place of indices, for an error of reading `bytes` by this type.
    /// As [`Error::describe`], which cannot know a type that was read at run time.
    ///
    /// ```
    /// use kiln::{dynamic, schema::Type};
    /// let ty = Type::parse("struct{users:list{struct{id:u32,active:bool,}},}")?;
    /// let bytes = [1, 0, 0, 0, 7, 0, 0, 0, 3];
    /// let error = dynamic::check(&ty, &bytes).unwrap_err();
    /// assert_eq!(
    ///     ty.describe(&error, &bytes).to_string(),
    ///     "TYPE at byte 8 (0x8), in users[0].active: a bool byte is neither 0 nor 1 (found 3)"
    /// );
    /// # Ok::<(), kiln::schema::TypeError>(())
    /// ```
    pub fn describe<'a>(&'a self, error: &'a Error, bytes: &'a [u8]) -> impl fmt::Display + 'a {
        struct Line<'a>(&'a Type, &'a Error, &'a [u8]);
        impl fmt::Display for Line<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.1.line_by(f, self.0.root(), self.2)
            }
        }
        Line(self, error, bytes)
    }
}

/// Why a framed value could not be read: the type has no frame, or the bytes were rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FramedError {
    /// The type has no hash: the caller's mistake.
    Type(TypeError),
    /// The bytes were rejected with one of the seven codes.
    Rejected(Error),
}

impl From<TypeError> for FramedError {
    fn from(error: TypeError) -> Self {
        FramedError::Type(error)
    }
}

impl From<Error> for FramedError {
    fn from(error: Error) -> Self {
        FramedError::Rejected(error)
    }
}

impl fmt::Display for FramedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FramedError::Type(error) => error.fmt(f),
            FramedError::Rejected(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FramedError {}
