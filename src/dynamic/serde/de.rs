//! Bytes, by a type, to whatever serde builds: the checks of decoding, in its order, with its offsets.

use super::{SerdeError, from_brain, from_half, is_newtype};
use crate::error::{Fault, Reason};
use crate::frozen::{Decode, presence};
use crate::schema::{Fields, Kind, Scalar, TypeRef};
use crate::wire::{Reader, Source};
use ::serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use ::serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use alloc::format;
use half::{bf16, f16};

type Result<T> = core::result::Result<T, SerdeError>;

/// The next value of the bytes, and its type.
pub(super) struct Typed<'r, 't, 'de> {
    pub(super) ty: TypeRef<'t>,
    pub(super) reader: &'r mut Reader<'de>,
}

/// How a container is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    /// As it is.
    Itself,
    /// A struct by its fields in order, a run of bytes by the bytes.
    Sequence,
}

impl<'de> Typed<'_, '_, 'de> {
    fn visit<V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        let reader = self.reader;
        let scalar = match self.ty.kind() {
            Kind::Scalar(scalar) => scalar,
            kind => {
                reader.enter()?;
                let value = match kind {
                    Kind::Optional(ty) => match presence(reader)? {
                        true => visitor.visit_some(Typed { ty, reader: &mut *reader })?,
                        false => visitor.visit_none::<SerdeError>()?,
                    },
                    Kind::List(element) => {
                        let left = reader.count(element.min_len())?;
                        let mut items = Items { element, left, at: 0, reader: &mut *reader };
                        let value = visitor.visit_seq(&mut items)?;
                        used(items.left)?;
                        value
                    }
                    Kind::Dict(value) => {
                        let left = reader.count(value.min_len().saturating_add(4))?;
                        let mut entries = Entries { value, left, key: None, reader: &mut *reader };
                        let value = visitor.visit_map(&mut entries)?;
                        used(entries.left)?;
                        value
                    }
                    Kind::Struct(fields) => {
                        let mut named = Named { fields, part: None, reader: &mut *reader };
                        let value = match asked {
                            As::Itself => visitor.visit_map(&mut named)?,
                            As::Sequence => visitor.visit_seq(&mut Ordered(&mut named))?,
                        };
                        named.rest()?;
                        value
                    }
                    // Taken above.
                    Kind::Scalar(_) => return Err(SerdeError::new("a scalar is no container")),
                };
                reader.leave();
                return Ok(value);
            }
        };
        match scalar {
            Scalar::Bool => visitor.visit_bool(bool::decode(reader)?),
            Scalar::U8 => visitor.visit_u8(u8::decode(reader)?),
            Scalar::U16 => visitor.visit_u16(u16::decode(reader)?),
            Scalar::U32 => visitor.visit_u32(u32::decode(reader)?),
            Scalar::U64 => visitor.visit_u64(u64::decode(reader)?),
            Scalar::I8 => visitor.visit_i8(i8::decode(reader)?),
            Scalar::I16 => visitor.visit_i16(i16::decode(reader)?),
            Scalar::I32 => visitor.visit_i32(i32::decode(reader)?),
            Scalar::I64 => visitor.visit_i64(i64::decode(reader)?),
            Scalar::F16 => visitor.visit_f32(from_half(f16::decode(reader)?)),
            Scalar::Bf16 => visitor.visit_f32(from_brain(bf16::decode(reader)?)),
            Scalar::F32 => visitor.visit_f32(f32::decode(reader)?),
            Scalar::F64 => visitor.visit_f64(f64::decode(reader)?),
            Scalar::Str => visitor.visit_borrowed_str(reader.text()?),
            Scalar::Bytes => {
                let run = reader.run()?;
                match asked {
                    As::Itself => visitor.visit_borrowed_bytes(run),
                    As::Sequence => visitor.visit_seq(de::value::SeqDeserializer::new(run.iter().copied())),
                }
            }
            Scalar::Tensors => Err(SerdeError::new("a tensor directory has no form in serde")),
        }
    }
}

/// Refuses a program that leaves parts unread: what follows would be read in their place.
fn used(left: usize) -> Result<()> {
    match left {
        0 => Ok(()),
        left => Err(SerdeError::new(format_args!("{left} elements were not asked for"))),
    }
}

impl<'de> de::Deserializer<'de> for Typed<'_, '_, 'de> {
    type Error = SerdeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor, As::Itself)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.ty.kind() {
            Kind::Optional(_) => self.visit(visitor, As::Itself),
            // What is always there is there.
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        match self.ty.kind() {
            _ if is_newtype(self.ty) => self.visit(visitor, As::Sequence),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor, As::Sequence)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.visit(visitor, As::Sequence)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.visit(visitor, As::Sequence)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.ty.kind() {
            Kind::Struct(fields) if fields.len() == 0 => {
                self.reader.enter()?;
                self.reader.leave();
                visitor.visit_unit()
            }
            _ => self.visit(visitor, As::Itself),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.ty.kind() {
            Kind::Scalar(Scalar::Str) => {
                visitor.visit_enum(BorrowedStrDeserializer::<SerdeError>::new(self.reader.text()?))
            }
            kind => Err(SerdeError::new(format_args!(
                "the enum {name} is read from the name of a variant, a str, and the type is {}",
                kind.name()
            ))),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf map struct identifier
        ignored_any
    }
}

struct Items<'r, 't, 'de> {
    element: TypeRef<'t>,
    left: usize,
    at: usize,
    reader: &'r mut Reader<'de>,
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_, 'de> {
    type Error = SerdeError;

    #[expect(clippy::arithmetic_side_effects, reason = "counts elements of bytes in memory")]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let at = self.at;
        (self.left, self.at) = (left, at + 1);
        seed.deserialize(Typed { ty: self.element, reader: &mut *self.reader })
            .map(Some)
            .map_err(|error| error.within(|| format!("[{at}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

struct Entries<'r, 't, 'de> {
    value: TypeRef<'t>,
    left: usize,
    key: Option<&'de str>,
    reader: &'r mut Reader<'de>,
}

impl<'de> MapAccess<'de> for &mut Entries<'_, '_, 'de> {
    type Error = SerdeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let at = self.reader.offset();
        let key = self.reader.text()?;
        if self.key.replace(key).is_some_and(|before| key <= before) {
            return Err(Fault::new(Reason::KeyOrder, at).into());
        }
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let key = self.key.unwrap_or("");
        seed.deserialize(Typed { ty: self.value, reader: &mut *self.reader })
            .map_err(|error| error.within(|| format!("[\"{}\"]", crate::escape(key.as_bytes()))))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The fields of a struct by name; absent ones are left out.
struct Named<'r, 't, 'de> {
    fields: Fields<'t>,
    /// The field whose name was given, and whether its optional was entered.
    part: Option<(&'t str, TypeRef<'t>, bool)>,
    reader: &'r mut Reader<'de>,
}

impl<'t, 'de> Named<'_, 't, 'de> {
    fn value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let Some((name, ty, entered)) = self.part.take() else {
            return Err(SerdeError::new("a value was asked for before its name"));
        };
        let value = seed
            .deserialize(Typed { ty, reader: &mut *self.reader })
            .map_err(|error| error.within(|| format!("{}", crate::escape(name.as_bytes()))))?;
        if entered {
            self.reader.leave();
        }
        Ok(value)
    }

    /// Goes over the fields that nobody asked for: a tuple shorter than the struct, a visitor that stops.
    fn rest(&mut self) -> Result<()> {
        match (&self.part, self.fields.len()) {
            (None, 0) => Ok(()),
            (_, left) => Err(SerdeError::new(format_args!("{left} fields were not asked for"))),
        }
    }
}

impl<'de> MapAccess<'de> for &mut Named<'_, '_, 'de> {
    type Error = SerdeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        for (name, field) in self.fields.by_ref() {
            self.part = match field.kind() {
                Kind::Optional(value) => {
                    self.reader.enter()?;
                    if !presence(self.reader)? {
                        self.reader.leave();
                        continue;
                    }
                    Some((name, value, true))
                }
                _ => Some((name, field, false)),
            };
            // The name is the type's, and lives no longer than that.
            return seed.deserialize(StrDeserializer::new(name)).map(Some);
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.value(seed)
    }
}

/// The fields of a struct in order.
struct Ordered<'n, 'r, 't, 'de>(&'n mut Named<'r, 't, 'de>);

impl<'de> SeqAccess<'de> for &mut Ordered<'_, '_, '_, 'de> {
    type Error = SerdeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((name, field)) = self.0.fields.next() else { return Ok(None) };
        self.0.part = Some((name, field, false));
        self.0.value(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.fields.len())
    }
}
