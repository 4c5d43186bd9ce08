//! Values of any type, serialised.

use super::Value;
use crate::schema::{Kind, TypeRef};
use ::serde::ser::{Error, SerializeMap};
use ::serde::{Serialize, Serializer};

/// Without its type a struct is the sequence of its fields, since their names are the type's:
/// [`Type::named`](crate::schema::Type::named) knows them. `f16` and `bf16` are an `f32`, which holds them; a directory
/// is an error.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::U8(value) => serializer.serialize_u8(*value),
            Value::U16(value) => serializer.serialize_u16(*value),
            Value::U32(value) => serializer.serialize_u32(*value),
            Value::U64(value) => serializer.serialize_u64(*value),
            Value::I8(value) => serializer.serialize_i8(*value),
            Value::I16(value) => serializer.serialize_i16(*value),
            Value::I32(value) => serializer.serialize_i32(*value),
            Value::I64(value) => serializer.serialize_i64(*value),
            Value::F16(value) => serializer.serialize_f32(super::from_half(*value)),
            Value::Bf16(value) => serializer.serialize_f32(super::from_brain(*value)),
            Value::F32(value) => serializer.serialize_f32(*value),
            Value::F64(value) => serializer.serialize_f64(*value),
            Value::Str(text) => serializer.serialize_str(text),
            Value::Bytes(run) => serializer.serialize_bytes(run),
            Value::Tensors(_) => Err(Error::custom("a tensor directory has no form in serde")),
            Value::List(items) | Value::Struct(items) => serializer.collect_seq(items),
            Value::Optional(None) => serializer.serialize_none(),
            Value::Optional(Some(value)) => serializer.serialize_some(&**value),
            Value::Dict(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

/// A value that serialises with the names of its type's fields: made by
/// [`Type::named`](crate::schema::Type::named). Absent fields are left out. A value that is none of the type is an error.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    ty: TypeRef<'a>,
    value: &'a Value,
}

impl<'a> Named<'a> {
    pub(super) fn new(ty: TypeRef<'a>, value: &'a Value) -> Self {
        Named { ty, value }
    }
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = |ty| move |value| Named { ty, value };
        match (self.ty.kind(), self.value) {
            (Kind::List(element), Value::List(items)) => {
                serializer.collect_seq(items.iter().map(named(element)))
            }
            (Kind::Optional(_), Value::Optional(None)) => serializer.serialize_none(),
            (Kind::Optional(ty), Value::Optional(Some(value))) => {
                serializer.serialize_some(&Named { ty, value })
            }
            (Kind::Dict(ty), Value::Dict(entries)) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, Named { ty, value })))
            }
            (Kind::Struct(fields), Value::Struct(items)) if fields.len() == items.len() => {
                let present = |item: &&Value| !matches!(item, Value::Optional(None));
                let mut map = serializer.serialize_map(Some(items.iter().filter(present).count()))?;
                for ((name, ty), value) in fields.zip(items).filter(|(_, item)| present(item)) {
                    match (ty.kind(), value) {
                        // What is there is said by being there, unless it is an optional again.
                        (Kind::Optional(ty), Value::Optional(Some(value)))
                            if !matches!(ty.kind(), Kind::Optional(_)) =>
                        {
                            map.serialize_entry(name, &Named { ty, value })?;
                        }
                        _ => map.serialize_entry(name, &Named { ty, value })?,
                    }
                }
                map.end()
            }
            (Kind::Scalar(scalar), value) if scalar.name() == value.kind() => value.serialize(serializer),
            (kind, value) => {
                Err(Error::custom(format_args!("expected {}, found {}", kind.name(), value.kind())))
            }
        }
    }
}
