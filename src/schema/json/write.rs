//! From a type to a document.

use super::{INTEGERS, NUMBERS, Way};
use crate::escape::escape;
use crate::json::quote;
use crate::schema::{Fields, Kind, Scalar, Type, TypeRef};
use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A type that the subset of JSON Schema cannot say, and which part of it is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoJsonSchema {
    path: String,
    tensors: bool,
}

impl NoJsonSchema {
    /// The way to the part: fields by name, `[]` for an element of a list, `{}` for a value of a dict, `?` for what an
    /// optional holds. Empty for the whole type.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for NoJsonSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str("the type")?,
            path => write!(f, "the type at {}", escape(path.as_bytes()))?,
        }
        f.write_str(match self.tensors {
            true => " is a tensor directory, which JSON Schema cannot say",
            false => " is an optional that is not a field, which JSON Schema cannot say here",
        })
    }
}

impl core::error::Error for NoJsonSchema {}

/// The numbers of the parts that are definitions.
type Names = BTreeMap<u32, usize>;

pub(super) fn document(ty: &Type) -> Result<String, NoJsonSchema> {
    let (names, parts) = shared(ty)?;
    let mut out = Vec::new();
    match names.get(&ty.root().id()) {
        Some(name) => {
            out.push(b'{');
            reference(*name, &mut out);
        }
        None => {
            schema(ty.root(), &names, &mut out);
            // The definitions stand in the same object.
            out.pop();
        }
    }
    if !names.is_empty() {
        out.extend_from_slice(b",\"$defs\":{");
        let mut first = true;
        for (part, name) in parts {
            if !core::mem::take(&mut first) {
                out.push(b',');
            }
            out.extend_from_slice(format!("\"type{name}\":").as_bytes());
            schema(part, &names, &mut out);
        }
        out.push(b'}');
    }
    out.push(b'}');
    // Everything above wrote whole texts.
    Ok(String::from_utf8(out).unwrap_or_default())
}

fn reference(name: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\"$ref\":\"#/$defs/type{name}\"").as_bytes());
}

/// What a field holds, past the optional that its absence from `required` says.
fn past_optional(field: TypeRef<'_>) -> (TypeRef<'_>, bool) {
    match field.kind() {
        Kind::Optional(value) => (value, false),
        _ => (field, true),
    }
}

/// Walks every part once, refuses what cannot be said, and numbers what is met in more than one way.
fn shared(ty: &Type) -> Result<(Names, Vec<(TypeRef<'_>, usize)>), NoJsonSchema> {
    let mut seen = BTreeSet::new();
    let (mut names, mut parts) = (BTreeMap::new(), Vec::new());
    let mut waiting = alloc::vec![(ty.root(), Way::root())];
    while let Some((part, way)) = waiting.pop() {
        let no_schema = |tensors| NoJsonSchema { path: String::from(&*way.path()), tensors };
        let kind = part.kind();
        match kind {
            Kind::Scalar(Scalar::Tensors) => return Err(no_schema(true)),
            Kind::Optional(_) => return Err(no_schema(false)),
            Kind::Scalar(_) => continue,
            _ => {}
        }
        if !seen.insert(part.id()) {
            let name = names.len().saturating_add(1);
            if let Entry::Vacant(slot) = names.entry(part.id()) {
                slot.insert(name);
                parts.push((part, name));
            }
            continue;
        }
        let path = way.path();
        let below = |step| Way::below(&path, step);
        match kind {
            Kind::List(element) => waiting.push((element, below("[]"))),
            Kind::Dict(value) => waiting.push((value, below("{}"))),
            Kind::Struct(fields) => {
                let mut parts: Vec<_> =
                    fields.map(|(name, field)| (past_optional(field).0, below(name))).collect();
                parts.reverse();
                waiting.append(&mut parts);
            }
            Kind::Scalar(_) | Kind::Optional(_) => {}
        }
    }
    Ok((names, parts))
}

/// A container whose beginning was written.
enum Open<'t> {
    /// Its one part is still to come, or only its end.
    Around(Option<TypeRef<'t>>),
    Struct {
        fields: Fields<'t>,
        first: bool,
        required: Vec<&'t str>,
    },
}

/// Writes the schema of a part that is not to be a reference itself.
fn schema(part: TypeRef<'_>, names: &Names, out: &mut Vec<u8>) {
    let mut open = Vec::new();
    begin(part, &mut open, out);
    while let Some(container) = open.last_mut() {
        let next = match container {
            Open::Around(part) => part.take(),
            Open::Struct { fields, first, required } => fields.next().map(|(name, field)| {
                if !core::mem::take(first) {
                    out.push(b',');
                }
                quote(name, out);
                out.push(b':');
                let (field, needed) = past_optional(field);
                if needed {
                    required.push(name);
                }
                field
            }),
        };
        let Some(part) = next else {
            if let Open::Struct { required, .. } = container {
                end(required, out);
            }
            out.push(b'}');
            open.pop();
            continue;
        };
        match names.get(&part.id()) {
            Some(name) => {
                out.push(b'{');
                reference(*name, out);
                out.push(b'}');
            }
            None => begin(part, &mut open, out),
        }
    }
}

/// Writes a scalar, or what stands before the first part of a container.
fn begin<'t>(part: TypeRef<'t>, open: &mut Vec<Open<'t>>, out: &mut Vec<u8>) {
    match part.kind() {
        Kind::Scalar(scalar) => {
            let format = |formats: &[(&'static str, Scalar)]| {
                formats.iter().find(|(_, of)| *of == scalar).map(|(name, _)| *name)
            };
            let text = match scalar {
                Scalar::Bool => "{\"type\":\"boolean\"}".into(),
                Scalar::Bytes => "{\"type\":\"string\",\"contentEncoding\":\"base64\"}".into(),
                _ => match (format(&INTEGERS), format(&NUMBERS)) {
                    (Some(name), _) => format!("{{\"type\":\"integer\",\"format\":\"{name}\"}}"),
                    (_, Some(name)) => format!("{{\"type\":\"number\",\"format\":\"{name}\"}}"),
                    // Directories were refused.
                    (None, None) => "{\"type\":\"string\"}".into(),
                },
            };
            out.extend_from_slice(text.as_bytes());
        }
        Kind::List(element) => {
            out.extend_from_slice(b"{\"type\":\"array\",\"items\":");
            open.push(Open::Around(Some(element)));
        }
        // Optionals are passed by their fields, and others were refused.
        Kind::Dict(value) | Kind::Optional(value) => {
            out.extend_from_slice(b"{\"type\":\"object\",\"additionalProperties\":");
            open.push(Open::Around(Some(value)));
        }
        Kind::Struct(fields) => {
            out.extend_from_slice(b"{\"type\":\"object\",\"properties\":{");
            open.push(Open::Struct { fields, first: true, required: Vec::new() });
        }
    }
}

/// What stands between a struct's last property and its end.
fn end(required: &[&str], out: &mut Vec<u8>) {
    out.push(b'}');
    if !required.is_empty() {
        out.extend_from_slice(b",\"required\":[");
        for (at, name) in required.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            quote(name, out);
        }
        out.push(b']');
    }
    out.extend_from_slice(b",\"additionalProperties\":false");
}
