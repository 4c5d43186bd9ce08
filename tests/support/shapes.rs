//! Values of Rust types that are drawn together with their Kiln type: what a program with serde could declare, made
//! from a seed. They serialise and are read back as the code would that serde derives.

use super::arbitrary::Random;
use kiln::schema::{Scalar, Type};
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct};
use serde::{Serialize, Serializer};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// A Rust type, as serde sees it.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Bool,
    U8,
    I16,
    U64,
    I128,
    F32,
    F64,
    Char,
    Text,
    Bytes,
    Seq(Box<Shape>),
    Tuple(Vec<Shape>),
    TupleStruct(Vec<Shape>),
    Struct(Vec<Field>),
    /// The key is a text of some kind.
    Map(Box<Shape>, Box<Shape>),
    Option(Box<Shape>),
    Newtype(Box<Shape>),
    Unit,
    UnitStruct,
    Enum,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    name: &'static str,
    shape: Shape,
    /// `#[serde(default, skip_serializing_if = "Vec::is_empty")]`
    skipped: bool,
}

/// A value of a [`Shape`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Drawn {
    Bool(bool),
    Integer(i128),
    /// The bits of an f32.
    Single(u32),
    /// The bits of an f64.
    Double(u64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    /// A sequence, a tuple, the fields of a struct.
    Parts(Vec<Drawn>),
    /// By ascending keys.
    Map(Vec<(Drawn, Drawn)>),
    Option(Option<Box<Drawn>>),
    Newtype(Box<Drawn>),
    Unit,
    Variant(usize),
}

const NAMES: [&str; 6] = ["a", "b", "0", "1", "é", "long name"];
const VARIANTS: &[&str] = &["Red", "Green", "blue"];

/// A field's type of the struct that is a tuple.
fn place(at: usize) -> String {
    at.to_string()
}

impl Random {
    pub(crate) fn shape(&mut self, depth: usize) -> Shape {
        let below = depth.saturating_sub(1);
        match self.below(if depth == 0 { 13 } else { 32 }) {
            0 => Shape::Bool,
            1 => Shape::U8,
            2 => Shape::I16,
            3 => Shape::U64,
            4 => Shape::I128,
            5 => Shape::F32,
            6 => Shape::F64,
            7 => Shape::Char,
            8 => Shape::Text,
            9 => Shape::Bytes,
            10 => Shape::Unit,
            11 => Shape::UnitStruct,
            12 => Shape::Enum,
            13..17 => Shape::Seq(self.shape(below).into()),
            17 => Shape::Tuple((0..self.below(4)).map(|_| self.shape(below)).collect()),
            18 => Shape::TupleStruct((0..self.below(4)).map(|_| self.shape(below)).collect()),
            19..22 => {
                let names = (0..self.below(NAMES.len())).map(|at| NAMES[at]);
                let names: Vec<_> = names.collect();
                let field = |name| {
                    let shape = self.shape(below);
                    let skipped = matches!(shape, Shape::Seq(_)) && self.below(2) == 0;
                    Field { name, shape, skipped }
                };
                Shape::Struct(names.into_iter().map(field).collect())
            }
            22..24 => {
                let key = match self.below(5) {
                    0 => Shape::Char,
                    1 => Shape::Newtype(Shape::Text.into()),
                    2 => Shape::Option(Shape::Text.into()),
                    3 => Shape::Enum,
                    _ => Shape::Text,
                };
                Shape::Map(key.into(), self.shape(below).into())
            }
            24..28 => Shape::Option(self.shape(below).into()),
            _ => Shape::Newtype(self.shape(below).into()),
        }
    }

    /// A type that a program could want values of that shape in.
    pub(crate) fn home(&mut self, shape: &Shape) -> Type {
        // A value by itself is a present optional, of any depth.
        if self.below(6) == 0 {
            return Type::optional(self.home(shape)).expect("small");
        }
        let scalar = |random: &mut Random, of: &[Scalar]| Type::scalar(of[random.below(of.len())]);
        let list = |element: Type, random: &mut Random| {
            // An element of no bytes cannot be listed.
            Type::list(element).unwrap_or_else(|_| scalar(random, &[Scalar::Bytes]))
        };
        let tuple = |random: &mut Random, parts: &[Shape]| {
            let places = (0..).map(place);
            let parts: Vec<Type> = parts.iter().map(|part| random.home(part)).collect();
            Type::structure(places.zip(parts)).expect("small")
        };
        match shape {
            Shape::Bool => Type::scalar(Scalar::Bool),
            Shape::U8 | Shape::I16 | Shape::U64 | Shape::I128 => scalar(
                self,
                &[Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64, Scalar::I8, Scalar::I16, Scalar::I64],
            ),
            Shape::F32 | Shape::F64 => scalar(self, &[Scalar::F32, Scalar::F64, Scalar::F16, Scalar::Bf16]),
            Shape::Char | Shape::Text | Shape::Enum => Type::scalar(Scalar::Str),
            Shape::Bytes => Type::scalar(Scalar::Bytes),
            Shape::Seq(element) if matches!(**element, Shape::U8 | Shape::U64) && self.below(2) == 0 => {
                Type::scalar(Scalar::Bytes)
            }
            Shape::Seq(element) => list(self.home(element), self),
            Shape::Tuple(parts) | Shape::TupleStruct(parts) => match parts.first() {
                Some(first) if self.below(3) == 0 => list(self.home(first), self),
                _ => tuple(self, parts),
            },
            Shape::Struct(fields) => {
                let mut fields: Vec<(&str, Type)> = fields
                    .iter()
                    .map(|field| {
                        let ty = self.home(&field.shape);
                        (field.name, if field.skipped { Type::optional(ty).expect("small") } else { ty })
                    })
                    .collect();
                for at in (1..fields.len()).rev() {
                    fields.swap(at, self.below(at + 1));
                }
                Type::structure(fields).expect("small")
            }
            Shape::Map(_, value) => Type::dict(self.home(value)).unwrap_or_else(|_| Type::scalar(Scalar::U8)),
            Shape::Option(value) => match self.below(8) {
                0 => self.home(value),
                _ => Type::optional(self.home(value)).expect("small"),
            },
            Shape::Newtype(value) => match self.below(3) {
                0 => Type::structure([("0", self.home(value))]).expect("small"),
                _ => self.home(value),
            },
            Shape::Unit | Shape::UnitStruct => Type::structure::<&str>([]).expect("small"),
        }
    }

    pub(crate) fn drawn(&mut self, shape: &Shape) -> Drawn {
        let word = match self.below(3) {
            0 => self.word(),
            1 => self.word() >> self.below(64),
            _ => self.word() & 0x7f,
        };
        let few = if self.below(3) == 0 { 0 } else { self.below(4) };
        match shape {
            Shape::Bool => Drawn::Bool(word & 1 == 1),
            Shape::U8 => Drawn::Integer((word as u8).into()),
            Shape::I16 => Drawn::Integer((word as i16).into()),
            Shape::U64 => Drawn::Integer(word.into()),
            Shape::I128 => Drawn::Integer((word as i64).into()),
            // Of the NaN some are signalling, and some have bits that narrower floats have, too.
            Shape::F32 => Drawn::Single(match word % 4 {
                0 => (word as u32) | 0x7f80_0000,
                1 => 0xff80_0000 | ((word >> 8) as u32) << 16,
                2 => ((word >> 48) as f32).to_bits(),
                _ => word as u32,
            }),
            Shape::F64 => Drawn::Double(match word % 4 {
                0 => word | 0x7ff0_0000_0000_0000,
                1 => 0x7ff0_0000_0000_0000 | (word >> 8 & 0xff) << 44,
                2 => ((word >> 48) as f64).to_bits(),
                _ => word,
            }),
            Shape::Char => Drawn::Char(self.text().chars().next().unwrap_or('x')),
            Shape::Text => Drawn::Text(self.text()),
            Shape::Bytes => Drawn::Bytes((0..few).map(|_| self.word() as u8).collect()),
            Shape::Seq(element) => Drawn::Parts((0..few).map(|_| self.drawn(element)).collect()),
            Shape::Tuple(parts) | Shape::TupleStruct(parts) => {
                Drawn::Parts(parts.iter().map(|part| self.drawn(part)).collect())
            }
            Shape::Struct(fields) => {
                Drawn::Parts(fields.iter().map(|field| self.drawn(&field.shape)).collect())
            }
            Shape::Map(key, value) => {
                let mut entries: Vec<(String, (Drawn, Drawn))> = (0..few)
                    .map(|_| (self.drawn(key), self.drawn(value)))
                    .map(|entry| (spelled(&entry.0), entry))
                    .collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                entries.dedup_by(|a, b| a.0 == b.0);
                Drawn::Map(entries.into_iter().map(|(_, entry)| entry).collect())
            }
            Shape::Option(value) => {
                let there = self.below(2) == 0;
                Drawn::Option(there.then(|| self.drawn(value).into()))
            }
            Shape::Newtype(value) => Drawn::Newtype(self.drawn(value).into()),
            Shape::Unit | Shape::UnitStruct => Drawn::Unit,
            Shape::Enum => Drawn::Variant(self.below(VARIANTS.len())),
        }
    }
}

/// The text that a key is.
fn spelled(key: &Drawn) -> String {
    match key {
        Drawn::Char(c) => c.to_string(),
        Drawn::Text(text) => text.clone(),
        Drawn::Newtype(key) | Drawn::Option(Some(key)) => spelled(key),
        Drawn::Variant(at) => VARIANTS[*at].to_owned(),
        _ => String::new(),
    }
}

impl Shape {
    /// Whether a value is written otherwise than it was read: what is empty, as left out.
    pub(crate) fn skips(&self) -> bool {
        match self {
            Shape::Seq(part) | Shape::Map(_, part) | Shape::Option(part) | Shape::Newtype(part) => {
                part.skips()
            }
            Shape::Tuple(parts) | Shape::TupleStruct(parts) => parts.iter().any(Shape::skips),
            Shape::Struct(fields) => fields.iter().any(|field| field.skipped || field.shape.skips()),
            _ => false,
        }
    }
}

/// A value with its Rust type.
pub(crate) struct Of<'a>(pub(crate) &'a Shape, pub(crate) &'a Drawn);

impl Serialize for Of<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (self.0, self.1) {
            (Shape::U8, Drawn::Integer(value)) => to.serialize_u8(*value as u8),
            (Shape::I16, Drawn::Integer(value)) => to.serialize_i16(*value as i16),
            (Shape::U64, Drawn::Integer(value)) => to.serialize_u64(*value as u64),
            (_, Drawn::Bool(value)) => to.serialize_bool(*value),
            (_, Drawn::Integer(value)) => to.serialize_i128(*value),
            (_, Drawn::Single(bits)) => to.serialize_f32(f32::from_bits(*bits)),
            (_, Drawn::Double(bits)) => to.serialize_f64(f64::from_bits(*bits)),
            (_, Drawn::Char(value)) => to.serialize_char(*value),
            (_, Drawn::Text(text)) => to.serialize_str(text),
            (_, Drawn::Bytes(run)) => to.serialize_bytes(run),
            (Shape::Seq(shape), Drawn::Parts(parts)) => {
                let mut seq = to.serialize_seq(Some(parts.len()))?;
                parts.iter().try_for_each(|part| seq.serialize_element(&Of(shape, part)))?;
                seq.end()
            }
            (Shape::Tuple(shapes), Drawn::Parts(parts)) => {
                let mut tuple = to.serialize_tuple(parts.len())?;
                shapes
                    .iter()
                    .zip(parts)
                    .try_for_each(|(shape, part)| tuple.serialize_element(&Of(shape, part)))?;
                tuple.end()
            }
            (Shape::TupleStruct(shapes), Drawn::Parts(parts)) => {
                let mut tuple = to.serialize_tuple_struct("T", parts.len())?;
                shapes
                    .iter()
                    .zip(parts)
                    .try_for_each(|(shape, part)| tuple.serialize_field(&Of(shape, part)))?;
                tuple.end()
            }
            (Shape::Struct(fields), Drawn::Parts(parts)) => {
                let mut fields_out = to.serialize_struct("S", parts.len())?;
                for (field, part) in fields.iter().zip(parts) {
                    match part {
                        Drawn::Parts(parts) if field.skipped && parts.is_empty() => {
                            fields_out.skip_field(field.name)?;
                        }
                        part => fields_out.serialize_field(field.name, &Of(&field.shape, part))?,
                    }
                }
                fields_out.end()
            }
            (Shape::Map(key, value), Drawn::Map(entries)) => {
                let mut map = to.serialize_map(Some(entries.len()))?;
                for (a, b) in entries {
                    map.serialize_entry(&Of(key, a), &Of(value, b))?;
                }
                map.end()
            }
            (Shape::Option(shape), Drawn::Option(Some(value))) => to.serialize_some(&Of(shape, value)),
            (Shape::Option(_), Drawn::Option(None)) => to.serialize_none(),
            (Shape::Newtype(shape), Drawn::Newtype(value)) => {
                to.serialize_newtype_struct("N", &Of(shape, value))
            }
            (Shape::Unit, _) => to.serialize_unit(),
            (Shape::UnitStruct, _) => to.serialize_unit_struct("U"),
            (_, Drawn::Variant(at)) => to.serialize_unit_variant("E", *at as u32, VARIANTS[*at]),
            (shape, value) => panic!("{value:?} is no {shape:?}"),
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Rc<Shape>> = RefCell::new(Rc::new(Shape::Unit));
}

/// What is read as the shape that [`reading`](Self::reading) was given.
pub(crate) struct Read(pub(crate) Drawn);

impl Read {
    pub(crate) fn reading(shape: &Shape) {
        CURRENT.with(|current| *current.borrow_mut() = Rc::new(shape.clone()));
    }
}

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let shape = CURRENT.with(|current| current.borrow().clone());
        As(&shape).deserialize(from).map(Read)
    }
}

/// Reads a value of a shape, and is the visitor that does so.
struct As<'a>(&'a Shape);

/// The name of a variant or of a field.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        struct Visit;
        impl Visitor<'_> for Visit {
            type Value = String;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_str<E>(self, name: &str) -> Result<String, E> {
                Ok(name.into())
            }
        }
        from.deserialize_identifier(Visit)
    }
}

impl<'de> DeserializeSeed<'de> for As<'_> {
    type Value = Drawn;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Drawn, D::Error> {
        match self.0 {
            Shape::Bool => bool::deserialize(from).map(Drawn::Bool),
            Shape::U8 => u8::deserialize(from).map(|value| Drawn::Integer(value.into())),
            Shape::I16 => i16::deserialize(from).map(|value| Drawn::Integer(value.into())),
            Shape::U64 => u64::deserialize(from).map(|value| Drawn::Integer(value.into())),
            Shape::I128 => i128::deserialize(from).map(Drawn::Integer),
            Shape::F32 => f32::deserialize(from).map(|value| Drawn::Single(value.to_bits())),
            Shape::F64 => f64::deserialize(from).map(|value| Drawn::Double(value.to_bits())),
            Shape::Char => char::deserialize(from).map(Drawn::Char),
            Shape::Text => String::deserialize(from).map(Drawn::Text),
            Shape::Bytes => from.deserialize_byte_buf(self),
            Shape::Seq(_) => from.deserialize_seq(self),
            Shape::Tuple(parts) => from.deserialize_tuple(parts.len(), self),
            Shape::TupleStruct(parts) => from.deserialize_tuple_struct("T", parts.len(), self),
            Shape::Struct(_) => from.deserialize_struct("S", &NAMES, self),
            Shape::Map(..) => from.deserialize_map(self),
            Shape::Option(_) => from.deserialize_option(self),
            Shape::Newtype(_) => from.deserialize_newtype_struct("N", self),
            Shape::Unit => <()>::deserialize(from).map(|()| Drawn::Unit),
            Shape::UnitStruct => from.deserialize_unit_struct("U", self),
            Shape::Enum => from.deserialize_enum("E", VARIANTS, self),
        }
    }
}

impl<'de> Visitor<'de> for As<'_> {
    type Value = Drawn;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }

    fn visit_bytes<E>(self, run: &[u8]) -> Result<Drawn, E> {
        Ok(Drawn::Bytes(run.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Drawn, A::Error> {
        let mut parts = Vec::new();
        match self.0 {
            Shape::Seq(shape) => {
                while let Some(part) = from.next_element_seed(As(shape))? {
                    parts.push(part);
                }
            }
            Shape::Tuple(shapes) | Shape::TupleStruct(shapes) => {
                for (at, shape) in shapes.iter().enumerate() {
                    let part = from.next_element_seed(As(shape))?;
                    parts.push(part.ok_or_else(|| A::Error::invalid_length(at, &self))?);
                }
            }
            // As a derived struct is read from a sequence.
            Shape::Struct(fields) => {
                for (at, field) in fields.iter().enumerate() {
                    let part = from.next_element_seed(As(&field.shape))?;
                    parts.push(part.ok_or_else(|| A::Error::invalid_length(at, &self))?);
                }
            }
            Shape::Newtype(shape) => {
                let part = from.next_element_seed(As(shape))?;
                let part = part.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                return Ok(Drawn::Newtype(part.into()));
            }
            _ => return Err(A::Error::invalid_type(de::Unexpected::Seq, &self)),
        }
        Ok(Drawn::Parts(parts))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Drawn, A::Error> {
        match self.0 {
            Shape::Map(key, value) => {
                let mut entries = Vec::new();
                while let Some(key) = from.next_key_seed(As(key))? {
                    entries.push((key, from.next_value_seed(As(value))?));
                }
                entries.sort_by_key(|(key, _)| spelled(key));
                Ok(Drawn::Map(entries))
            }
            Shape::Struct(fields) => {
                let mut parts = vec![None; fields.len()];
                while let Some(name) = from.next_key_seed(Name)? {
                    match fields.iter().position(|field| field.name == name) {
                        Some(at) if parts[at].is_some() => return Err(A::Error::custom("twice")),
                        Some(at) => parts[at] = Some(from.next_value_seed(As(&fields[at].shape))?),
                        // As with `deny_unknown_fields`.
                        None => return Err(A::Error::custom("an unknown field")),
                    }
                }
                let missing = |(part, field): (Option<Drawn>, &Field)| match (part, &field.shape) {
                    (Some(part), _) => Ok(part),
                    (None, _) if field.skipped => Ok(Drawn::Parts(Vec::new())),
                    (None, Shape::Option(_)) => Ok(Drawn::Option(None)),
                    (None, _) => Err(A::Error::missing_field(field.name)),
                };
                let parts: Result<_, _> = parts.into_iter().zip(fields).map(missing).collect();
                parts.map(Drawn::Parts)
            }
            _ => Err(A::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }

    fn visit_none<E: de::Error>(self) -> Result<Drawn, E> {
        match self.0 {
            Shape::Option(_) => Ok(Drawn::Option(None)),
            _ => Err(E::invalid_type(de::Unexpected::Option, &self)),
        }
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Drawn, D::Error> {
        match self.0 {
            Shape::Option(shape) => Ok(Drawn::Option(Some(As(shape).deserialize(from)?.into()))),
            _ => Err(D::Error::invalid_type(de::Unexpected::Option, &self)),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Drawn, D::Error> {
        match self.0 {
            Shape::Newtype(shape) => Ok(Drawn::Newtype(As(shape).deserialize(from)?.into())),
            _ => Err(D::Error::invalid_type(de::Unexpected::NewtypeStruct, &self)),
        }
    }

    fn visit_unit<E: de::Error>(self) -> Result<Drawn, E> {
        match self.0 {
            Shape::UnitStruct => Ok(Drawn::Unit),
            _ => Err(E::invalid_type(de::Unexpected::Unit, &self)),
        }
    }

    fn visit_enum<A: de::EnumAccess<'de>>(self, from: A) -> Result<Drawn, A::Error> {
        let (name, rest) = from.variant_seed(Name)?;
        de::VariantAccess::unit_variant(rest)?;
        let at = VARIANTS.iter().position(|variant| *variant == name);
        at.map(Drawn::Variant).ok_or_else(|| A::Error::unknown_variant(&name, VARIANTS))
    }
}
