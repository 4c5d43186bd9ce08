//! Types from JSON Schema documents, and back. Chapter: Dynamic values.

mod advice;
mod fault;
mod limits;
mod read;
mod way;
mod write;

pub use fault::{SchemaError, SchemaFault, SchemaProblem};
pub(crate) use way::Way;
pub use write::NoJsonSchema;

use super::{Scalar, Type};
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

/// A type read from a JSON Schema document, with what the document says of it in words. Chapter: Dynamic values.
///
/// Fields stand in the order in which the document writes its properties; a property that is not in `required` is
/// an optional. What the subset does not know is refused.
///
/// ```
/// use kiln::schema::Schema;
/// let schema = Schema::from_json(r##"{
///     "type": "object",
///     "properties": {
///         "id": {"type": "integer", "format": "uint32"},
///         "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}},
///         "note": {"type": "string"}
///     },
///     "required": ["id", "tags"],
///     "$defs": {"tag": {"type": "string"}}
/// }"##)?;
/// assert_eq!(schema.ty().text()?, "struct{id:u32,tags:list{str},note:optional{str},}");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Schema {
    ty: Type,
    pub(in crate::schema) parts: Vec<Part>,
    pub(in crate::schema) root: u32,
}

/// A part of a schema, named by its index; references are parts too.
#[derive(Clone, Debug)]
pub(in crate::schema) struct Part {
    pub(in crate::schema) form: Form,
    pub(in crate::schema) docs: Docs,
    /// The name of the definition that this is.
    pub(in crate::schema) name: Option<String>,
}

#[derive(Clone, Debug)]
pub(in crate::schema) enum Form {
    Scalar(Scalar),
    List(u32),
    Dict(u32),
    Struct(Vec<Property>),
    Link(u32),
    /// A part with a fault; no schema that is handed out has one.
    Broken,
}

#[derive(Clone, Debug)]
pub(in crate::schema) struct Property {
    pub(in crate::schema) name: String,
    pub(in crate::schema) part: u32,
    pub(in crate::schema) required: bool,
}

/// What a schema says in words, which changes nothing on the wire.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Docs {
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `default`, as JSON text
    pub default: Option<String>,
    /// `"deprecated": true`
    pub deprecated: bool,
}

impl Schema {
    /// Reads a document.
    ///
    /// # Errors
    /// All faults of the document, each with its place as a JSON pointer; for a text that is no JSON, the first.
    ///
    /// ```
    /// use kiln::schema::Schema;
    /// let error = Schema::from_json(r#"{"type": "array", "items": {"type": "integer", "minimum": 0}}"#).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "at /items/minimum (line 1, column 48): the keyword is not in the subset: \
    ///      remove it and write `format`: \"uint64\", which holds the range; check that before encoding"
    /// );
    /// ```
    pub fn from_json(text: &str) -> Result<Schema, SchemaError> {
        read::schema(text)
    }

    /// Reads a document that was parsed already. Lines and columns of faults are then those of its text without
    /// spaces; a property that was there twice has been lost.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json).
    pub fn from_value(value: &serde_json::Value) -> Result<Schema, SchemaError> {
        Schema::from_json(&value.to_string())
    }

    /// The type.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The type, without the words.
    #[must_use]
    pub fn into_type(self) -> Type {
        self.ty
    }

    /// What the document says of the whole.
    #[must_use]
    pub fn docs(&self) -> &Docs {
        static NONE: Docs = Docs { title: None, description: None, default: None, deprecated: false };
        self.parts.get(self.root as usize).map_or(&NONE, |part| &part.docs)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").field("ty", &self.ty).finish_non_exhaustive()
    }
}

impl From<Schema> for Type {
    fn from(schema: Schema) -> Type {
        schema.ty
    }
}

impl Type {
    /// A JSON Schema of the type, as text, in the subset that [`Schema::from_json`] reads; reading it gives the same
    /// type. What is used in more than one place, or inside itself, is a definition.
    ///
    /// # Errors
    /// [`NoJsonSchema`] for what the subset cannot say: a `tensors`, and an optional that is not the type of a field.
    ///
    /// ```
    /// use kiln::schema::Type;
    /// let ty = Type::parse("struct{id:u32,note:optional{str},}")?;
    /// let value: serde_json::Value = serde_json::from_str(&ty.to_json_schema()?)?;
    /// assert_eq!(value["properties"]["id"], serde_json::json!({"type": "integer", "format": "uint32"}));
    /// assert_eq!(value["required"], serde_json::json!(["id"]));
    ///
    /// let error = Type::parse("list{optional{u8}}")?.to_json_schema().unwrap_err();
    /// assert_eq!(error.to_string(), "the type at [] is an optional that is not a field, which JSON Schema cannot say here");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn to_json_schema(&self) -> Result<String, NoJsonSchema> {
        write::document(self)
    }
}

/// The formats of `"type": "integer"`; without one it is the first of 64 bits.
const INTEGERS: [(&str, Scalar); 8] = [
    ("int8", Scalar::I8),
    ("int16", Scalar::I16),
    ("int32", Scalar::I32),
    ("int64", Scalar::I64),
    ("uint8", Scalar::U8),
    ("uint16", Scalar::U16),
    ("uint32", Scalar::U32),
    ("uint64", Scalar::U64),
];

/// The formats of `"type": "number"`.
const NUMBERS: [(&str, Scalar); 4] =
    [("float16", Scalar::F16), ("bfloat16", Scalar::Bf16), ("float", Scalar::F32), ("double", Scalar::F64)];

impl core::str::FromStr for Schema {
    type Err = SchemaError;

    fn from_str(text: &str) -> Result<Schema, SchemaError> {
        Schema::from_json(text)
    }
}
