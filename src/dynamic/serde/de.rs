//! Bytes, by a type, to whatever serde builds: the checks of decoding, in its order, with its offsets.
//!
//! What is asked for has to be what [`serialize`](super::serialize) would have written as the type: a program that
//! asks for something else is refused, so that what one direction takes the other takes too.

use super::{
    Problem, SerdeError, base, from_brain, from_half, is_newtype, narrow, odd, ordered, shown, widen,
};
use crate::error::{Fault, Reason};
use crate::frozen::{Decode, presence};
use crate::limits::Limits;
use crate::schema::{Fields, Kind, Scalar, Type, TypeRef};
use crate::wire::{Reader, Source};
use ::serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use ::serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use alloc::collections::BTreeSet;
use alloc::format;
use half::{bf16, f16};

type Result<T> = core::result::Result<T, SerdeError>;

/// A field of a struct: the struct's [`id`](TypeRef::id), and the field's place in it.
pub(super) type Place = (u32, usize);

/// The bytes that are read, and what became of them.
pub(super) struct Input<'a, 'de> {
    pub(super) reader: Reader<'de>,
    /// The absent fields that are given as none, where others are left out.
    nones: &'a BTreeSet<Place>,
    /// An absent field that was left out, and is asked for all the same: it would have to be given as none.
    pub(super) wanted: Option<Place>,
    /// Whether a field that was given as none was not taken as that.
    pub(super) refused: bool,
    /// The error after which nothing can be read.
    pub(super) failed: Option<SerdeError>,
}

impl<'a, 'de> Input<'a, 'de> {
    pub(super) fn new(reader: Reader<'de>, nones: &'a BTreeSet<Place>) -> Self {
        Input { reader, nones, wanted: None, refused: false, failed: None }
    }

    /// Whether all was read so far.
    fn sound(&self) -> Result<()> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// The result of reading a part; the error of one stays that of the whole, whatever its caller makes of it.
    fn keep<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            self.failed = Some(error.clone());
        }
        result
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
enum As {
    /// Whatever is there.
    Any,
    Bool,
    Integer,
    F32,
    F64,
    Text,
    Bytes,
    Sequence,
    Tuple,
    Map,
    Struct,
    Unit,
    Optional,
    /// A newtype, which is what it holds, or a struct around it.
    Newtype,
    /// The name of a variant of that enum.
    Enum(&'static str),
}

impl As {
    /// In the words of the errors of writing.
    fn name(self) -> &'static str {
        match self {
            As::Any => "anything",
            As::Bool => "a bool",
            As::Integer => "an integer",
            As::F32 | As::F64 => "a float",
            As::Text => "a string",
            As::Bytes => "bytes",
            As::Sequence => "a sequence",
            As::Tuple => "a tuple",
            As::Map => "a map",
            As::Struct => "a struct",
            As::Unit => "a unit",
            As::Optional => "an optional",
            As::Newtype => "a newtype",
            As::Enum(_) => "the name of a variant",
        }
    }

    fn mismatch<T>(self, ty: TypeRef<'_>) -> Result<T> {
        let kind = ty.kind().name();
        match self {
            As::Enum(name) => Err(SerdeError::new(format_args!(
                "the enum {name} is read from the name of a variant, a str, and the type is {kind}"
            ))),
            asked => {
                Err(SerdeError::new(format_args!("the type is {kind}, and {} is asked for", asked.name())))
            }
        }
    }
}

/// Hands everything that serde asks for to `read`, with what it is.
macro_rules! asks {
    ($lifetime:lifetime: $($method:ident($($unused:ty),*) as $asked:expr;)*) => {
        type Error = SerdeError;

        $(fn $method<V: Visitor<$lifetime>>(self, $(_: $unused,)* visitor: V) -> Result<V::Value> {
            self.read(visitor, $asked)
        })*

        fn deserialize_enum<V: Visitor<$lifetime>>(
            self,
            name: &'static str,
            _: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value> {
            self.read(visitor, As::Enum(name))
        }

        fn is_human_readable(&self) -> bool {
            false
        }
    };
    ($lifetime:lifetime) => {
        asks! { $lifetime:
            deserialize_any() as As::Any;
            deserialize_ignored_any() as As::Any;
            deserialize_bool() as As::Bool;
            deserialize_i8() as As::Integer;
            deserialize_i16() as As::Integer;
            deserialize_i32() as As::Integer;
            deserialize_i64() as As::Integer;
            deserialize_i128() as As::Integer;
            deserialize_u8() as As::Integer;
            deserialize_u16() as As::Integer;
            deserialize_u32() as As::Integer;
            deserialize_u64() as As::Integer;
            deserialize_u128() as As::Integer;
            deserialize_f32() as As::F32;
            deserialize_f64() as As::F64;
            deserialize_char() as As::Text;
            deserialize_str() as As::Text;
            deserialize_string() as As::Text;
            deserialize_identifier() as As::Text;
            deserialize_bytes() as As::Bytes;
            deserialize_byte_buf() as As::Bytes;
            deserialize_seq() as As::Sequence;
            deserialize_tuple(usize) as As::Tuple;
            deserialize_tuple_struct(&'static str, usize) as As::Tuple;
            deserialize_map() as As::Map;
            deserialize_struct(&'static str, &'static [&'static str]) as As::Struct;
            deserialize_unit() as As::Unit;
            deserialize_unit_struct(&'static str) as As::Unit;
            deserialize_option() as As::Optional;
            deserialize_newtype_struct(&'static str) as As::Newtype;
        }
    };
}

/// The next value of the bytes, and its type.
pub(super) struct Typed<'r, 'a, 't, 'de> {
    pub(super) ty: TypeRef<'t>,
    pub(super) input: &'r mut Input<'a, 'de>,
}

impl<'de> Typed<'_, '_, '_, 'de> {
    fn read<V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        match (asked, self.ty.kind()) {
            // What it holds says whether it is there, but of a struct around that.
            (As::Newtype, _) if !is_newtype(base(self.ty)) => visitor.visit_newtype_struct(self),
            (As::Optional, Kind::Optional(_)) => self.kept(visitor, asked),
            // What is always there is there.
            (As::Optional, _) => visitor.visit_some(self),
            _ => self.kept(visitor, asked),
        }
    }

    fn kept<V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        let Typed { ty, input } = self;
        input.sound()?;
        let value = Typed { ty, input: &mut *input }.visit(visitor, asked);
        input.keep(value)
    }

    fn visit<V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        let Typed { ty, input } = self;
        if let Kind::Scalar(scalar) = ty.kind() {
            return single(scalar, ty, input, visitor, asked);
        }
        input.reader.enter()?;
        let value = match (ty.kind(), asked) {
            (Kind::Optional(ty), _) => match presence(&mut input.reader)? {
                true => Typed { ty, input: &mut *input }.present(visitor, asked)?,
                false => visitor.visit_none::<SerdeError>()?,
            },
            (Kind::List(element), As::Any | As::Sequence | As::Tuple) => {
                let left = input.reader.count(element.min_len())?;
                let mut items = Items { element, left, at: 0, input: &mut *input };
                let value = visitor.visit_seq(&mut items)?;
                used(items.left)?;
                value
            }
            (Kind::Dict(value), As::Any | As::Map) => {
                let left = input.reader.count(value.min_len().saturating_add(4))?;
                let mut entries = Entries { value, left, key: None, waiting: false, input: &mut *input };
                let value = visitor.visit_map(&mut entries)?;
                entries.all()?;
                value
            }
            (Kind::Struct(fields), As::Any | As::Map | As::Struct) => {
                let mut named = Named::new(ty, fields, input);
                match visitor.visit_map(&mut named) {
                    Ok(value) => {
                        named.all()?;
                        value
                    }
                    Err(error) => {
                        named.missing(&error);
                        return Err(error);
                    }
                }
            }
            (Kind::Struct(fields), As::Tuple) => {
                ordered(fields.clone())?;
                let mut named = Named::new(ty, fields, input);
                let value = visitor.visit_seq(Ordered(&mut named))?;
                named.all()?;
                value
            }
            (Kind::Struct(mut fields), As::Newtype) => match fields.next() {
                Some((name, ty)) => visitor
                    .visit_newtype_struct(Typed { ty, input: &mut *input })
                    .map_err(|error| error.within(|| shown(name)))?,
                None => return asked.mismatch(ty),
            },
            (Kind::Struct(fields), As::Unit) if fields.len() == 0 => visitor.visit_unit::<SerdeError>()?,
            _ => return asked.mismatch(ty),
        };
        // A part that was at fault, whoever passed that over.
        input.sound()?;
        input.reader.leave();
        Ok(value)
    }

    /// What an optional holds that was found to be there.
    fn present<V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        match (asked, self.ty.kind()) {
            // Among optionals only this tells one that holds none from none.
            (As::Optional, _) | (As::Any, Kind::Optional(_)) => visitor.visit_some(self),
            // To all others it is the value, as a value by itself is a present optional.
            _ => self.read(visitor, asked),
        }
    }
}

/// Reads what holds no other value.
fn single<'de, V: Visitor<'de>>(
    scalar: Scalar,
    ty: TypeRef<'_>,
    input: &mut Input<'_, 'de>,
    visitor: V,
    asked: As,
) -> Result<V::Value> {
    let reader = &mut input.reader;
    match (scalar, asked) {
        (Scalar::Bool, As::Any | As::Bool) => visitor.visit_bool(bool::decode(reader)?),
        (Scalar::U8, As::Any | As::Integer) => visitor.visit_u8(u8::decode(reader)?),
        (Scalar::U16, As::Any | As::Integer) => visitor.visit_u16(u16::decode(reader)?),
        (Scalar::U32, As::Any | As::Integer) => visitor.visit_u32(u32::decode(reader)?),
        (Scalar::U64, As::Any | As::Integer) => visitor.visit_u64(u64::decode(reader)?),
        (Scalar::I8, As::Any | As::Integer) => visitor.visit_i8(i8::decode(reader)?),
        (Scalar::I16, As::Any | As::Integer) => visitor.visit_i16(i16::decode(reader)?),
        (Scalar::I32, As::Any | As::Integer) => visitor.visit_i32(i32::decode(reader)?),
        (Scalar::I64, As::Any | As::Integer) => visitor.visit_i64(i64::decode(reader)?),
        (Scalar::F16 | Scalar::Bf16 | Scalar::F32, As::Any | As::F32 | As::F64) => {
            let number = match scalar {
                Scalar::F16 => from_half(f16::decode(reader)?),
                Scalar::Bf16 => from_brain(bf16::decode(reader)?),
                _ => f32::decode(reader)?,
            };
            match asked {
                As::F64 => visitor.visit_f64(widen(number)),
                _ => visitor.visit_f32(number),
            }
        }
        (Scalar::F64, As::Any | As::F64) => visitor.visit_f64(f64::decode(reader)?),
        (Scalar::F64, As::F32) => {
            let number = f64::decode(reader)?;
            let narrow = narrow(number).ok_or_else(|| {
                let f32 = Type::scalar(Scalar::F32);
                odd(number, f32.root())
            })?;
            visitor.visit_f32(narrow)
        }
        (Scalar::Str, As::Any | As::Text) => visitor.visit_borrowed_str(reader.text()?),
        (Scalar::Str, As::Enum(_)) => {
            visitor.visit_enum(BorrowedStrDeserializer::<SerdeError>::new(reader.text()?))
        }
        (Scalar::Bytes, As::Any | As::Bytes) => visitor.visit_borrowed_bytes(reader.run()?),
        (Scalar::Bytes, As::Sequence | As::Tuple) => {
            let run = reader.run()?;
            let byte = Type::scalar(Scalar::U8);
            let mut input = Input::new(Reader::new(run, 0, &Limits::NONE), input.nones);
            let mut items = Items { element: byte.root(), left: run.len(), at: 0, input: &mut input };
            let value = visitor.visit_seq(&mut items)?;
            used(items.left)?;
            input.sound()?;
            Ok(value)
        }
        (Scalar::Tensors, _) => Err(SerdeError::new("a tensor directory has no form in serde")),
        _ => asked.mismatch(ty),
    }
}

/// Refuses a program that leaves parts unread: what follows would be read in their place.
fn used(left: usize) -> Result<()> {
    match left {
        0 => Ok(()),
        left => Err(SerdeError::new(format_args!("{left} elements were not asked for"))),
    }
}

impl<'de> de::Deserializer<'de> for Typed<'_, '_, '_, 'de> {
    asks! { 'de }
}

/// The value of a field whose optional was found to be there and was entered.
struct Present<'r, 'a, 't, 'de>(Typed<'r, 'a, 't, 'de>);

impl<'de> Present<'_, '_, '_, 'de> {
    fn read<V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        match asked {
            As::Newtype if !is_newtype(base(self.0.ty)) => visitor.visit_newtype_struct(self),
            _ => self.0.present(visitor, asked),
        }
    }
}

impl<'de> de::Deserializer<'de> for Present<'_, '_, '_, 'de> {
    asks! { 'de }
}

/// The value of a field that is absent.
struct Absent<'r, 't> {
    ty: TypeRef<'t>,
    /// Whether it was refused.
    refused: &'r mut bool,
}

impl Absent<'_, '_> {
    fn read<'de, V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        match asked {
            As::Newtype if !is_newtype(base(self.ty)) => visitor.visit_newtype_struct(self),
            _ => visitor.visit_none().inspect_err(|_: &SerdeError| *self.refused = true),
        }
    }
}

impl<'de> de::Deserializer<'de> for Absent<'_, '_> {
    asks! { 'de }
}

/// The key of a dict, or the name of a field, which is the type's and lives no longer than that.
enum Key<'t, 'de> {
    Bytes(&'de str),
    Type(&'t str),
}

impl<'de> Key<'_, 'de> {
    fn read<V: Visitor<'de>>(self, visitor: V, asked: As) -> Result<V::Value> {
        match (asked, self) {
            (As::Optional, key) => visitor.visit_some(key),
            (As::Newtype, key) => visitor.visit_newtype_struct(key),
            (As::Any | As::Text, Key::Bytes(text)) => visitor.visit_borrowed_str(text),
            (As::Any | As::Text, Key::Type(text)) => visitor.visit_str(text),
            (As::Enum(_), Key::Bytes(text) | Key::Type(text)) => {
                visitor.visit_enum(StrDeserializer::<SerdeError>::new(text))
            }
            (asked, _) => {
                Err(SerdeError::new(format_args!("a key is a str, and {} is asked for", asked.name())))
            }
        }
    }
}

impl<'de> de::Deserializer<'de> for Key<'_, 'de> {
    asks! { 'de }
}

struct Items<'r, 'a, 't, 'de> {
    element: TypeRef<'t>,
    left: usize,
    at: usize,
    input: &'r mut Input<'a, 'de>,
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_, '_, 'de> {
    type Error = SerdeError;

    #[expect(clippy::arithmetic_side_effects, reason = "counts elements of bytes in memory")]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.input.sound()?;
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let at = self.at;
        (self.left, self.at) = (left, at + 1);
        let value = seed
            .deserialize(Typed { ty: self.element, input: &mut *self.input })
            .map_err(|error| error.within(|| format!("[{at}]")));
        self.input.keep(value).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

struct Entries<'r, 'a, 't, 'de> {
    value: TypeRef<'t>,
    left: usize,
    key: Option<&'de str>,
    /// Whether the value of the last key is still to be read.
    waiting: bool,
    input: &'r mut Input<'a, 'de>,
}

impl<'de> Entries<'_, '_, '_, 'de> {
    fn next(&mut self) -> Result<Option<&'de str>> {
        self.input.sound()?;
        if self.waiting {
            return Err(SerdeError::new("a key was asked for before the value of the one before it"));
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let at = self.input.reader.offset();
        let key = self.input.reader.text()?;
        if self.key.replace(key).is_some_and(|before| key <= before) {
            return Err(Fault::new(Reason::KeyOrder, at).into());
        }
        self.waiting = true;
        Ok(Some(key))
    }

    /// Whether all was asked for.
    fn all(&self) -> Result<()> {
        used(self.left.saturating_add(usize::from(self.waiting)))
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, '_, '_, 'de> {
    type Error = SerdeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let next = self.next();
        let Some(key) = self.input.keep(next)? else { return Ok(None) };
        let key = seed.deserialize(Key::Bytes(key)).map_err(|error| error.within(|| "[key]".into()));
        self.input.keep(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.input.sound()?;
        let value = match (core::mem::take(&mut self.waiting), self.key) {
            (true, Some(key)) => seed
                .deserialize(Typed { ty: self.value, input: &mut *self.input })
                .map_err(|error| error.within(|| format!("[\"{}\"]", shown(key)))),
            _ => Err(SerdeError::new("a value was asked for before its key")),
        };
        self.input.keep(value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The fields of a struct by name; absent ones are left out.
struct Named<'r, 'a, 't, 'de> {
    ty: TypeRef<'t>,
    fields: Fields<'t>,
    /// How many fields there are.
    count: usize,
    /// The field whose name was given, and the way to its value.
    part: Option<(&'t str, TypeRef<'t>, Way)>,
    input: &'r mut Input<'a, 'de>,
}

#[derive(Clone, Copy)]
enum Way {
    /// Nothing of it was read.
    Whole,
    /// Its optional was entered.
    Present,
    /// Its optional was read, and holds nothing.
    Absent,
}

impl<'r, 'a, 't, 'de> Named<'r, 'a, 't, 'de> {
    fn new(ty: TypeRef<'t>, fields: Fields<'t>, input: &'r mut Input<'a, 'de>) -> Self {
        Named { ty, count: fields.len(), fields, part: None, input }
    }

    /// Goes to the next field that is there, and says its name.
    #[expect(clippy::arithmetic_side_effects, reason = "of the fields some are left")]
    fn next(&mut self) -> Result<Option<&'t str>> {
        self.input.sound()?;
        if self.part.is_some() {
            return Err(SerdeError::new("a name was asked for before the value of the one before it"));
        }
        while let Some((name, field)) = self.fields.next() {
            let place = self.count - self.fields.len() - 1;
            let part = match field.kind() {
                Kind::Optional(value) => {
                    let reader = &mut self.input.reader;
                    reader.enter()?;
                    if presence(reader)? {
                        (name, value, Way::Present)
                    } else {
                        reader.leave();
                        if !self.input.nones.contains(&(self.ty.id(), place)) {
                            continue;
                        }
                        (name, value, Way::Absent)
                    }
                }
                _ => (name, field, Way::Whole),
            };
            self.part = Some(part);
            return Ok(Some(name));
        }
        Ok(None)
    }

    fn value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.input.sound()?;
        let value = match self.part.take() {
            Some((name, ty, way)) => match way {
                Way::Whole => seed.deserialize(Typed { ty, input: &mut *self.input }),
                Way::Present => {
                    let value = seed.deserialize(Present(Typed { ty, input: &mut *self.input }));
                    self.input.reader.leave();
                    value
                }
                Way::Absent => seed.deserialize(Absent { ty, refused: &mut self.input.refused }),
            }
            .map_err(|error| error.within(|| shown(name))),
            None => Err(SerdeError::new("a value was asked for before its name")),
        };
        self.input.keep(value)
    }

    /// Refuses a program that leaves fields unread: a tuple shorter than the struct, a visitor that stops.
    fn all(&self) -> Result<()> {
        match self.fields.len().saturating_add(usize::from(self.part.is_some())) {
            0 => Ok(()),
            left => Err(SerdeError::new(format_args!("{left} fields were not asked for"))),
        }
    }

    /// Looks whether a field is missing that is absent and was left out. What is built cannot say beforehand which it
    /// wants: `#[serde(default)]` wants it left out, and a newtype of an optional wants its none.
    fn missing(&mut self, error: &SerdeError) {
        let SerdeError { problem: Problem::Missing(name), path } = error else { return };
        let Some(mut fields) = self.ty.kind().fields() else { return };
        let Some(place) =
            fields.position(|(field, ty)| field == *name && matches!(ty.kind(), Kind::Optional(_)))
        else {
            return;
        };
        let place = (self.ty.id(), place);
        if path.is_empty() && !self.input.nones.contains(&place) {
            self.input.wanted = Some(place);
        }
    }
}

impl<'de> MapAccess<'de> for &mut Named<'_, '_, '_, 'de> {
    type Error = SerdeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let next = self.next();
        let Some(name) = self.input.keep(next)? else { return Ok(None) };
        let key = seed.deserialize(Key::Type(name));
        self.input.keep(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.value(seed)
    }
}

/// The fields of a struct in order.
struct Ordered<'n, 'r, 'a, 't, 'de>(&'n mut Named<'r, 'a, 't, 'de>);

impl<'de> SeqAccess<'de> for Ordered<'_, '_, '_, '_, 'de> {
    type Error = SerdeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.0.input.sound()?;
        let Some((name, field)) = self.0.fields.next() else { return Ok(None) };
        self.0.part = Some((name, field, Way::Whole));
        self.0.value(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.fields.len())
    }
}
