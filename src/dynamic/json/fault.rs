//! Why a JSON text is no value of a type.

use crate::error::{EncodeError, Error};
use crate::escape::escape;
use crate::schema::TypeError;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// A JSON text that is no value of the type asked for, and where: the caller's mistake, so none of the seven codes.
/// Displays as one line, in which names and numbers from the text are escaped and shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    pub(super) pointer: String,
    pub(super) offset: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) problem: JsonProblem,
}

impl JsonError {
    /// A fault of no place in the text.
    pub(super) fn of(problem: JsonProblem) -> JsonError {
        JsonError { pointer: String::new(), offset: 0, line: 1, column: 1, problem }
    }

    /// The JSON pointer (RFC 6901) to the value at fault; empty for the whole. One of more than 4096 bytes has `…` in its
    /// middle, and so have names and numbers in a [`JsonProblem`].
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Where that stands in the text, in bytes.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The same as a line, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The character in that line, counted from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong.
    #[must_use]
    pub fn problem(&self) -> &JsonProblem {
        &self.problem
    }
}

/// What is wrong with a value in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonProblem {
    /// The text is no JSON.
    Syntax {
        /// What would have to stand there.
        expected: &'static str,
    },
    /// A value of another kind than the type has.
    Kind {
        /// What the type needs, in words of JSON.
        needed: &'static str,
        /// The type, in the words of the type text.
        ty: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A field that has to be there and is not.
    Missing {
        /// Its name.
        name: String,
    },
    /// A property that is no field.
    Unknown,
    /// A property or key that is there twice.
    Repeated,
    /// A number that the type has not.
    OutOfRange {
        /// As written.
        number: String,
        /// The type, in the words of the type text.
        ty: &'static str,
    },
    /// A number with a fraction where the type is an integer.
    NotWhole {
        /// As written.
        number: String,
    },
    /// A string for a float that is none of `NaN`, `NaN:0x…`, `Infinity`, `-Infinity`.
    NotFloat,
    /// A string that is not base64.
    NotBase64,
    /// What no type can write.
    Encode(EncodeError),
    /// An element is to be written, and the type is no list.
    NotList,
    /// The type has no frame.
    Type(TypeError),
    /// The bytes that the text stands for cannot be held as a value.
    Unreadable(Box<Error>),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            JsonProblem::NotList | JsonProblem::Type(_) | JsonProblem::Unreadable(_) => {
                return self.problem.fmt(f);
            }
            _ => {}
        }
        match self.pointer.is_empty() {
            true => f.write_str("at the top")?,
            false => write!(f, "at {}", escape(self.pointer.as_bytes()))?,
        }
        write!(f, " (line {}, column {}): {}", self.line, self.column, self.problem)
    }
}

/// A number as written, but no longer than anybody reads.
fn short(number: &str) -> String {
    match number.split_at_checked(40) {
        Some((head, tail)) if !tail.is_empty() => [head, "…"].concat(),
        _ => number.into(),
    }
}

impl fmt::Display for JsonProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonProblem::Syntax { expected } => write!(f, "no JSON: expected {expected}"),
            JsonProblem::Kind { needed, ty, found: "null" } => {
                write!(f, "expected {needed} for {ty}, found null; what is absent is left out")
            }
            JsonProblem::Kind { needed, ty, found } => write!(f, "expected {needed} for {ty}, found {found}"),
            JsonProblem::Missing { name } => write!(f, "the field \"{}\" is missing", escape(name.as_bytes())),
            JsonProblem::Unknown => f.write_str("the type has no such field"),
            JsonProblem::Repeated => f.write_str("the name is there twice"),
            JsonProblem::OutOfRange { number, ty } => {
                write!(f, "{} is out of the range of {ty}", short(number))
            }
            JsonProblem::NotWhole { number } => write!(f, "{} is not whole", short(number)),
            JsonProblem::NotFloat => f.write_str(
                "expected a number, \"NaN\", \"NaN:0x\" and all bits in hexadecimal, \"Infinity\" or \"-Infinity\"",
            ),
            JsonProblem::NotBase64 => f.write_str("the string is not base64, with + and / and padded with ="),
            JsonProblem::Encode(error) => error.fmt(f),
            JsonProblem::NotList => f.write_str("the type is no list, so it has no elements"),
            JsonProblem::Type(error) => error.fmt(f),
            JsonProblem::Unreadable(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for JsonError {}
