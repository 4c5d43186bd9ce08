//! What is wrong with a document, and what to write instead.

use crate::escape::escape;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A document that is no schema of the subset: all its faults. A caller's mistake, so none of the seven codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    pub(super) faults: Vec<SchemaFault>,
    /// Whether there were more than are kept.
    pub(super) more: bool,
}

impl SchemaError {
    /// How many faults are kept of a document.
    pub const MAX_FAULTS: usize = 1000;

    /// The faults, in the order of the text; at least one, and at most [`MAX_FAULTS`](Self::MAX_FAULTS).
    #[must_use]
    pub fn faults(&self) -> &[SchemaFault] {
        &self.faults
    }

    /// Whether the document has more faults than are kept.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.more
    }
}

impl fmt::Display for SchemaError {
    /// One line for each fault.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.faults.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        if self.more { f.write_str("\nand more") } else { Ok(()) }
    }
}

impl core::error::Error for SchemaError {}

/// A fault of a document. Displays as one line, in which names from the document are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaFault {
    pub(super) pointer: String,
    pub(super) offset: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) problem: SchemaProblem,
}

impl SchemaFault {
    /// The JSON pointer (RFC 6901) to the place; empty for the whole document, and for a text that is no JSON. One
    /// of more than 4096 bytes has `…` in its middle.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Where that stands in the text, in bytes; a property begins with its name.
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
    pub fn problem(&self) -> &SchemaProblem {
        &self.problem
    }
}

/// What is wrong with a part of a document. Displays with what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaProblem {
    /// The text is no JSON.
    Syntax {
        /// What would have to stand there.
        expected: &'static str,
    },
    /// The document is longer than 16 MiB.
    TooLong,
    /// A keyword that the subset has not, or not for this `type`.
    Keyword {
        /// What to write instead.
        instead: &'static str,
    },
    /// The value of a keyword is not one that the subset has.
    Value {
        /// What may stand there.
        expected: &'static str,
    },
    /// A keyword that the schema needs is missing.
    Missing {
        /// What is missing.
        needed: &'static str,
    },
    /// A name that stands twice in one object, or in one `required`.
    Repeated,
    /// A property whose name the type text cannot hold.
    FieldName,
    /// A name in `required` that is no property.
    NoProperty,
    /// A reference that leads out of the document, or to another place than a definition.
    Remote,
    /// A reference to a definition that is not there.
    Dangling,
    /// A reference that leads only to references and back to itself.
    Circle,
    /// The element of an array or map takes no bytes.
    EmptyElement,
    /// A schema that contains itself with no array, map or optional property between, so that it has no values.
    Endless,
    /// Every value would nest deeper than 64.
    TooDeep,
    /// The type has more parts than can be counted, or an object of no bytes has more than 1024 others in it.
    TooLarge,
}

impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = escape(self.pointer.as_bytes());
        match self.pointer.is_empty() {
            true => write!(f, "at the top")?,
            false => write!(f, "at {pointer}")?,
        }
        write!(f, " (line {}, column {}): {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemaProblem::Syntax { expected } => write!(f, "no JSON: expected {expected}"),
            SchemaProblem::TooLong => f.write_str("the document is longer than 16 MiB"),
            SchemaProblem::Keyword { instead } => write!(f, "the keyword is not in the subset: {instead}"),
            SchemaProblem::Value { expected } => write!(f, "expected {expected}"),
            SchemaProblem::Missing { needed } => write!(f, "missing: {needed}"),
            SchemaProblem::Repeated => f.write_str("the name stands here twice: remove one"),
            SchemaProblem::FieldName => f.write_str(
                "no field can have this name: it has to have at least one character and none of { } : , or NUL",
            ),
            SchemaProblem::NoProperty => {
                f.write_str("a required property that `properties` does not have: add it there, or remove it here")
            }
            SchemaProblem::Remote => f.write_str(
                "the reference leads elsewhere than to a definition of this document: \
                 put the schema into `$defs` at the top and refer to it as \"#/$defs/NAME\"",
            ),
            SchemaProblem::Dangling => f.write_str("the document has no definition of that name"),
            SchemaProblem::Circle => {
                f.write_str("the reference leads only to references and back to itself, and never to a type")
            }
            SchemaProblem::EmptyElement => f.write_str(
                "an element of no bytes: give the object a property, or send the count alone as an integer",
            ),
            SchemaProblem::Endless => f.write_str(
                "the schema contains itself in every value: take a property on the way out of `required`, \
                 or make it an array",
            ),
            SchemaProblem::TooDeep => f.write_str("every value would nest deeper than 64 containers"),
            SchemaProblem::TooLarge => {
                f.write_str("the type has more parts than can be counted, or more than 1024 objects of no bytes")
            },
        }
    }
}
