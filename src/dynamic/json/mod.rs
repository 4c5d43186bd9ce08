//! Values as JSON text, without a tree in between.

mod fault;
mod lines;
mod number;
mod plan;
mod read;
mod write;

pub use fault::{JsonError, JsonProblem};
pub use lines::JsonLines;
pub use plan::NoJson;

use super::{FramedError, Value, ValueError};
use crate::error::Error;
use crate::frame;
use crate::limits::Limits;
use crate::schema::{Type, TypeError};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use plan::{Op, Plan};
use std::io;

/// A type made ready to read and write its values as JSON text: compiled once, used as often as wanted.
///
/// | type | JSON |
/// |---|---|
/// | `bool` | `true`, `false` |
/// | integers | a number, to the last digit; one that is written `1.0` or `1e2` is whole too |
/// | `f64`, `f32` | a number, with the fewest digits that lead back to the same bits; read as the nearest there is |
/// | `f16`, `bf16` | the number as an `f32`; read as the nearest there is |
/// | … infinities and NaN | the strings `"Infinity"`, `"-Infinity"`, `"NaN"`, and for a NaN of other bits than `7e00`, `7fc0`, `7fc00000`, `7ff8000000000000` all of them in hexadecimal: `"NaN:0x7ff8000000000001"` |
/// | `str` | a string |
/// | `bytes` | a string of base64, with `+`, `/` and padding |
/// | `list{T}` | an array |
/// | `dict{T}` | an object; written by ascending keys, read in any order |
/// | `struct{…}` | an object; written in the order of the fields, read in any order |
/// | … a field `optional{T}` | left out when absent; T when present |
/// | `optional{T}` elsewhere | `null` when absent, T when present |
/// | `tensors`, and an `optional{optional{T}}` that is not a field | nothing: [`NoJson`] |
///
/// The nearest is meant of all digits, however many there are, and takes time in proportion to them.
///
/// Reading is as strict as the wire: an unknown property, a property twice, a missing field, a `null` that no type
/// asks for, a number out of range or with a fraction, base64 that is not canonical are refused, each with its JSON
/// pointer.
///
/// ```
/// use kiln::dynamic::Json;
/// use kiln::schema::Type;
///
/// let json = Json::new(Type::parse("struct{id:u64,tags:list{str},note:optional{str},}")?)?;
/// let text = r#"{"tags": ["a"], "id": 18446744073709551615}"#;
/// let bytes = json.encode(text)?;
/// assert_eq!(json.decode(&bytes)?, r#"{"id":18446744073709551615,"tags":["a"]}"#);
///
/// let error = json.encode(r#"{"id": -1, "tags": []}"#).unwrap_err();
/// assert_eq!(error.to_string(), "at /id (line 1, column 8): -1 is out of the range of u64");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Json {
    ty: Type,
    plan: Plan,
}

/// How JSON text is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// On one line, without a space.
    #[default]
    Compact,
    /// A line for every part, indented by two spaces.
    Pretty,
}

impl Json {
    /// Compiles a type.
    ///
    /// # Errors
    /// [`NoJson`] for a type with a part that has no JSON.
    pub fn new(ty: Type) -> Result<Json, NoJson> {
        let plan = Plan::new(&ty)?;
        Ok(Json { ty, plan })
    }

    /// The type.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The one value that `bytes` hold, as compact JSON text, within the default [`Limits`].
    ///
    /// # Errors
    /// As [`dynamic::check`](super::check).
    pub fn decode(&self, bytes: &[u8]) -> Result<String, Error> {
        self.decode_with(bytes, &Limits::DEFAULT, Layout::Compact)
    }

    /// [`decode`](Self::decode) within `limits`, laid out as asked. The owned budget is not touched.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_with(&self, bytes: &[u8], limits: &Limits, layout: Layout) -> Result<String, Error> {
        let mut out = Vec::new();
        match self.plan.whole(&self.ty, bytes, 0, limits, layout, &mut write::Memory(&mut out)) {
            Ok(()) => Ok(text(out)),
            Err(write::Stopped::Rejected(error)) => Err(error),
            // Memory gives no such error.
            Err(write::Stopped::Io(_)) => Ok(String::new()),
        }
    }

    /// The one framed value that `bytes` hold, as compact JSON text.
    ///
    /// # Errors
    /// As [`dynamic::check_framed`](super::check_framed).
    pub fn decode_framed(&self, bytes: &[u8]) -> Result<String, FramedError> {
        frame::expect(bytes, self.ty.hash()?)?;
        let mut out = Vec::new();
        let mut memory = write::Memory(&mut out);
        match self.plan.whole(&self.ty, bytes, frame::LEN, &Limits::DEFAULT, Layout::Compact, &mut memory) {
            Ok(()) => Ok(text(out)),
            Err(write::Stopped::Rejected(error)) => Err(error.into()),
            Err(write::Stopped::Io(_)) => Ok(String::new()),
        }
    }

    /// Writes the one value that `bytes` hold to a stream, piece by piece. What was written before an error is no
    /// whole JSON text; [`dynamic::check`](super::check) beforehand costs little and keeps that from happening.
    ///
    /// # Errors
    /// [`DecodeError::Rejected`] as [`decode`](Self::decode), [`DecodeError::Io`] for what the stream says.
    pub fn decode_to(
        &self,
        bytes: &[u8],
        limits: &Limits,
        layout: Layout,
        out: impl io::Write,
    ) -> Result<(), DecodeError> {
        self.decode_from(bytes, 0, limits, layout, out)
    }

    /// [`decode_to`](Self::decode_to) of a framed value.
    ///
    /// # Errors
    /// [`DecodeError::Type`] for a type without a hash; EOF, FRAME and SCHEMA for the frame; then as
    /// [`decode_to`](Self::decode_to).
    pub fn decode_framed_to(
        &self,
        bytes: &[u8],
        limits: &Limits,
        layout: Layout,
        out: impl io::Write,
    ) -> Result<(), DecodeError> {
        let hash = self.ty.hash().map_err(DecodeError::Type)?;
        frame::expect(bytes, hash).map_err(DecodeError::Rejected)?;
        self.decode_from(bytes, frame::LEN, limits, layout, out)
    }

    fn decode_from(
        &self,
        bytes: &[u8],
        start: usize,
        limits: &Limits,
        layout: Layout,
        out: impl io::Write,
    ) -> Result<(), DecodeError> {
        let mut stream = write::Stream::new(out);
        match self.plan.whole(&self.ty, bytes, start, limits, layout, &mut stream) {
            Ok(()) => stream.finish().map_err(DecodeError::Io),
            Err(write::Stopped::Rejected(error)) => Err(DecodeError::Rejected(error)),
            Err(write::Stopped::Io(error)) => Err(DecodeError::Io(error)),
        }
    }

    /// The bytes of the value that a JSON text says.
    ///
    /// # Errors
    /// [`JsonError`], with the JSON pointer of what does not fit.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, JsonError> {
        let mut out = Vec::new();
        self.encode_into(text, &mut out)?;
        Ok(out)
    }

    /// Appends the bytes of the value that a JSON text says.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); `out` is then as it was.
    pub fn encode_into(&self, text: &str, out: &mut Vec<u8>) -> Result<(), JsonError> {
        self.append(self.plan.root, text, out)
    }

    /// Appends the bytes of an element of the list that the type is: a line of JSON lines. Count and frame are the
    /// caller's to write.
    ///
    /// # Errors
    /// As [`encode`](Self::encode), and [`JsonProblem::NotList`]; `out` is then as it was.
    ///
    /// ```
    /// use kiln::dynamic::Json;
    /// use kiln::schema::Type;
    /// let json = Json::new(Type::parse("list{u16}")?)?;
    /// let mut bytes = 2u32.to_le_bytes().to_vec();
    /// for line in "7\n8\n".lines() {
    ///     json.encode_element_into(line, &mut bytes)?;
    /// }
    /// assert_eq!(bytes, json.encode("[7, 8]")?);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn encode_element_into(&self, text: &str, out: &mut Vec<u8>) -> Result<(), JsonError> {
        match self.plan.at(self.plan.root) {
            Op::List { element, .. } => self.append(element, text, out),
            _ => Err(JsonError::of(JsonProblem::NotList)),
        }
    }

    fn append(&self, op: u32, text: &str, out: &mut Vec<u8>) -> Result<(), JsonError> {
        let before = out.len();
        let result = read::value(&self.plan, op, text, out);
        if result.is_err() {
            out.truncate(before);
        }
        result
    }

    /// Frame and bytes of the value that a JSON text says.
    ///
    /// # Errors
    /// As [`encode`](Self::encode), and [`JsonProblem::Type`] for a type without a hash.
    pub fn encode_framed(&self, text: &str) -> Result<Vec<u8>, JsonError> {
        let hash = self.ty.hash().map_err(|error| JsonError::of(JsonProblem::Type(error)))?;
        let mut out = frame::header(hash).to_vec();
        self.encode_into(text, &mut out)?;
        Ok(out)
    }

    /// The value that a JSON text says.
    ///
    /// # Errors
    /// As [`encode`](Self::encode). The owned budget of a [`Value`] is not limited here: it is at most a fixed multiple
    /// of the text.
    ///
    /// ```
    /// use kiln::dynamic::{Json, Value};
    /// use kiln::schema::Type;
    /// let json = Json::new(Type::parse("list{f32}")?)?;
    /// let value = json.value(r#"[0.5, "NaN"]"#)?;
    /// assert_eq!(value, Value::List(vec![Value::F32(0.5), Value::F32(f32::NAN)]));
    /// assert_eq!(json.text(&value)?, r#"[0.5,"NaN"]"#);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn value(&self, text: &str) -> Result<Value, JsonError> {
        let bytes = self.encode(text)?;
        // What was just written is a value of the type.
        super::decode_with(&self.ty, &bytes, &Limits::NONE)
            .map_err(|error| JsonError::of(JsonProblem::Unreadable(Box::new(error))))
    }

    /// A value as compact JSON text.
    ///
    /// # Errors
    /// As [`dynamic::encode`](super::encode()).
    pub fn text(&self, value: &Value) -> Result<String, ValueError> {
        let bytes = super::encode(&self.ty, value)?;
        // What was just written is a value of the type.
        Ok(self.decode_with(&bytes, &Limits::NONE, Layout::Compact).unwrap_or_default())
    }
}

/// Only whole texts were put together.
fn text(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap_or_default()
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Json").field("ty", &self.ty).finish_non_exhaustive()
    }
}

/// Why JSON text could not be written to a stream.
#[derive(Debug)]
pub enum DecodeError {
    /// The bytes were rejected with one of the seven codes.
    Rejected(Error),
    /// The type has no frame: the caller's mistake.
    Type(TypeError),
    /// The type is no list, and its elements were asked for: the caller's mistake.
    NotList,
    /// What a stream said.
    Io(io::Error),
}

impl From<io::Error> for DecodeError {
    fn from(error: io::Error) -> Self {
        DecodeError::Io(error)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Rejected(error) => error.fmt(f),
            DecodeError::Type(error) => error.fmt(f),
            DecodeError::NotList => {
                f.write_str("the type is no list, so it has no elements to give one by one")
            }
            DecodeError::Io(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for DecodeError {}
