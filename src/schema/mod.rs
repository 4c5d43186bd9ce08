//! Types as data: what a Rust type looks like on the wire, its canonical text and its hash.
//! Chapter: Canonical type text and schema hash.

mod hash;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "gen")]
mod rust;
mod scalar;
mod shape;
mod text;
mod tree;

pub use hash::{StaticType, Typed, fnv1a, schema_hash, type_text};
#[cfg(feature = "json")]
pub(crate) use json::Way;
#[cfg(feature = "json")]
pub use json::{Docs, NoJsonSchema, Schema, SchemaError, SchemaFault, SchemaProblem};
#[cfg(feature = "gen")]
pub use rust::{RustError, RustOptions};
pub use scalar::Scalar;
pub use shape::{Field, Shape};
pub(crate) use shape::{Node, View};
pub use tree::{Fields, Handle, Kind, Type, TypeBuilder, TypeError, TypeRef};
