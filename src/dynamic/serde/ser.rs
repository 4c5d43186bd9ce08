//! What serde says of a value, to bytes by a type.

use super::{SerdeError, base, is_newtype, narrow, odd, shown, to_brain, to_half, widen};
use crate::schema::{Kind, Scalar, TypeRef};
use crate::wire::MAX_DEPTH;
use ::serde::Serialize;
use ::serde::ser::{self, Impossible};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

type Result<T> = core::result::Result<T, SerdeError>;

/// Writes one value of a type.
pub(super) struct Writer<'t, 'o> {
    pub(super) ty: TypeRef<'t>,
    pub(super) out: &'o mut Vec<u8>,
    /// How many containers are around it.
    pub(super) depth: u32,
}

fn length(len: usize) -> Result<[u8; 4]> {
    match u32::try_from(len) {
        Ok(len) => Ok(len.to_le_bytes()),
        Err(_) => Err(SerdeError::new(crate::EncodeError::CountAboveU32 { count: len })),
    }
}

impl<'t, 'o> Writer<'t, 'o> {
    #[expect(clippy::arithmetic_side_effects, reason = "compared with the greatest depth")]
    fn enter(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(SerdeError::new(crate::EncodeError::TooDeep));
        }
        self.depth += 1;
        Ok(())
    }

    /// Past an optional, which a value by itself makes present.
    fn present(mut self) -> Result<Self> {
        while let Kind::Optional(value) = self.ty.kind() {
            self.enter()?;
            self.out.push(1);
            self.ty = value;
        }
        Ok(self)
    }

    fn mismatch<T>(&self, found: impl fmt::Display) -> Result<T> {
        Err(SerdeError::new(format_args!("expected {}, found {found}", self.ty.kind().name())))
    }

    #[expect(clippy::indexing_slicing, reason = "an integer takes at most eight bytes")]
    fn integer(self, value: i128) -> Result<()> {
        let this = self.present()?;
        let Kind::Scalar(scalar) = this.ty.kind() else { return this.mismatch("an integer") };
        let most: i128 = match scalar {
            Scalar::U8 => u8::MAX.into(),
            Scalar::U16 => u16::MAX.into(),
            Scalar::U32 => u32::MAX.into(),
            Scalar::U64 => u64::MAX.into(),
            Scalar::I8 => i8::MAX.into(),
            Scalar::I16 => i16::MAX.into(),
            Scalar::I32 => i32::MAX.into(),
            Scalar::I64 => i64::MAX.into(),
            _ => return this.mismatch("an integer"),
        };
        let signed = matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64);
        // In two's complement the least number is the complement of the greatest.
        if !(if signed { !most } else { 0 }..=most).contains(&value) {
            return Err(SerdeError::new(format_args!("{value} is out of the range of {}", scalar.name())));
        }
        // The low bytes of two's complement are those of the narrower number.
        this.out.extend_from_slice(&value.to_le_bytes()[..scalar.min_len()]);
        Ok(())
    }

    /// A float, where the type has all its bits.
    fn float(self, value: f64) -> Result<()> {
        let this = self.present()?;
        let written = match this.ty.kind() {
            Kind::Scalar(Scalar::F64) => {
                this.out.extend_from_slice(&value.to_le_bytes());
                Some(())
            }
            Kind::Scalar(Scalar::F32) => {
                narrow(value).map(|value| this.out.extend_from_slice(&value.to_le_bytes()))
            }
            Kind::Scalar(Scalar::F16) => {
                narrow(value).and_then(to_half).map(|value| this.out.extend_from_slice(&value.to_le_bytes()))
            }
            Kind::Scalar(Scalar::Bf16) => {
                narrow(value).and_then(to_brain).map(|value| this.out.extend_from_slice(&value.to_le_bytes()))
            }
            _ => return this.mismatch("a float"),
        };
        written.ok_or_else(|| odd(value, this.ty))
    }

    fn run(self, scalar: Scalar, run: &[u8], found: &str) -> Result<()> {
        let this = self.present()?;
        match this.ty.kind() {
            Kind::Scalar(kind) if kind == scalar => {
                this.out.extend_from_slice(&length(run.len())?);
                this.out.extend_from_slice(run);
                Ok(())
            }
            _ => this.mismatch(found),
        }
    }

    /// Begins a list, or the bytes of a run one by one.
    fn list(self) -> Result<Items<'t, 'o>> {
        let mut this = self.present()?;
        let element = match this.ty.kind() {
            Kind::List(element) => {
                this.enter()?;
                Some(element)
            }
            Kind::Scalar(Scalar::Bytes) => None,
            _ => return this.mismatch("a sequence"),
        };
        let start = this.out.len();
        this.out.extend_from_slice(&[0; 4]);
        Ok(Items { element, out: this.out, depth: this.depth, start, count: 0, failed: None })
    }

    /// Begins a struct; without names its fields come in order, and their names have to say so.
    fn structure(self, named: bool) -> Result<Fields<'t, 'o>> {
        let mut this = self.present()?;
        let Kind::Struct(fields) = this.ty.kind() else { return this.mismatch("a struct") };
        this.enter()?;
        if !named {
            super::ordered(fields.clone())?;
        }
        let names: Vec<(&str, TypeRef<'_>)> = fields.collect();
        let start = this.out.len();
        let places = vec![None; names.len()];
        let (out, depth) = (this.out, this.depth);
        Ok(Fields { named, names, out, depth, start, places, next: 0, ordered: true, failed: None })
    }

    fn tuple(self) -> Result<Tuple<'t, 'o>> {
        let this = self.present()?;
        match this.ty.kind() {
            Kind::Struct(_) => this.structure(false).map(Tuple::Fields),
            _ => this.list().map(Tuple::Items),
        }
    }

    fn variant<T>(&self, name: &str, variant: &str) -> Result<T> {
        Err(SerdeError::new(format_args!(
            "the variant {name}::{variant} has data, and the wire has no tags: \
             make it a struct of optionals, or #[serde(untagged)] where the type is that of the one variant"
        )))
    }
}

impl<'t, 'o> ser::Serializer for Writer<'t, 'o> {
    type Ok = ();
    type Error = SerdeError;
    type SerializeSeq = Items<'t, 'o>;
    type SerializeTuple = Tuple<'t, 'o>;
    type SerializeTupleStruct = Tuple<'t, 'o>;
    type SerializeTupleVariant = Impossible<(), SerdeError>;
    type SerializeMap = Map<'t, 'o>;
    type SerializeStruct = Fields<'t, 'o>;
    type SerializeStructVariant = Impossible<(), SerdeError>;

    fn serialize_bool(self, value: bool) -> Result<()> {
        let this = self.present()?;
        match this.ty.kind() {
            Kind::Scalar(Scalar::Bool) => {
                this.out.push(u8::from(value));
                Ok(())
            }
            _ => this.mismatch("a bool"),
        }
    }

    fn serialize_i8(self, value: i8) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        // Beyond an i128 it is beyond every width too.
        self.integer(i128::try_from(value).unwrap_or(i128::MAX))
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.float(widen(value))
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.float(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.run(Scalar::Str, value.as_bytes(), "a string")
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.run(Scalar::Bytes, value, "bytes")
    }

    fn serialize_none(mut self) -> Result<()> {
        match self.ty.kind() {
            Kind::Optional(_) => {
                self.enter()?;
                self.out.push(0);
                Ok(())
            }
            _ => self.mismatch("none"),
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<()> {
        match self.ty.kind() {
            Kind::Optional(inner) => {
                self.enter()?;
                self.out.push(1);
                value.serialize(Writer { ty: inner, ..self })
            }
            _ => value.serialize(self),
        }
    }

    fn serialize_unit(self) -> Result<()> {
        let mut this = self.present()?;
        match this.ty.kind() {
            Kind::Struct(fields) if fields.len() == 0 => this.enter(),
            _ => this.mismatch("a unit"),
        }
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.run(Scalar::Str, variant.as_bytes(), "the name of a variant, which is a str")
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        // Of a struct around it that holds nothing else it is always there. Else what it holds says whether it is.
        if !is_newtype(base(self.ty)) {
            return value.serialize(self);
        }
        let mut fields = self.present()?.structure(false)?;
        fields.at(0, value)?;
        fields.finish()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Result<()> {
        self.variant(name, variant)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'t, 'o>> {
        self.list()
    }

    fn serialize_tuple(self, _: usize) -> Result<Tuple<'t, 'o>> {
        self.tuple()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Tuple<'t, 'o>> {
        self.tuple()
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        self.variant(name, variant)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Map<'t, 'o>> {
        let mut this = self.present()?;
        match (this.ty.kind(), len) {
            (Kind::Dict(value), _) => {
                this.enter()?;
                let start = this.out.len();
                this.out.extend_from_slice(&[0; 4]);
                let entries = Vec::new();
                let entries = Entries { value, out: this.out, depth: this.depth, start, entries };
                Ok(Map { of: Of::Entries(entries), key: None, failed: None })
            }
            (Kind::Struct(_), Some(_)) => {
                Ok(Map { of: Of::Fields(this.structure(true)?), key: None, failed: None })
            }
            // So the derive says a struct that it cannot count the fields of.
            (Kind::Struct(_), None) => this.mismatch(
                "a map of unknown length, which #[serde(flatten)] makes of a struct: write its fields out",
            ),
            _ => this.mismatch("a map"),
        }
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'t, 'o>> {
        self.structure(true)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        self.variant(name, variant)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The result of writing a part; the error of one stays that of the whole, whatever its caller makes of it.
fn keep<T>(failed: &mut Option<SerdeError>, result: Result<T>) -> Result<T> {
    if let Err(error) = &result {
        *failed = Some(error.clone());
    }
    result
}

/// Whether all parts were written so far.
fn sound(failed: &Option<SerdeError>) -> Result<()> {
    failed.clone().map_or(Ok(()), Err)
}

/// A list that is being written, or, without an element, a run of bytes.
pub(super) struct Items<'t, 'o> {
    element: Option<TypeRef<'t>>,
    out: &'o mut Vec<u8>,
    depth: u32,
    /// Where the count stands.
    start: usize,
    count: usize,
    failed: Option<SerdeError>,
}

impl Items<'_, '_> {
    #[expect(clippy::arithmetic_side_effects, reason = "counts elements written to memory")]
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        sound(&self.failed)?;
        let count = self.count;
        let written = match self.element {
            Some(ty) => value.serialize(Writer { ty, out: &mut *self.out, depth: self.depth }),
            None => {
                let byte = crate::schema::Type::scalar(Scalar::U8);
                value.serialize(Writer { ty: byte.root(), out: &mut *self.out, depth: self.depth })
            }
        };
        self.count += 1;
        keep(&mut self.failed, written.map_err(|error| error.within(|| format!("[{count}]"))))
    }

    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "four bytes were put at `start`, and what comes later is only cut off behind them"
    )]
    fn finish(self) -> Result<()> {
        sound(&self.failed)?;
        self.out[self.start..self.start + 4].copy_from_slice(&length(self.count)?);
        Ok(())
    }
}

impl ser::SerializeSeq for Items<'_, '_> {
    type Ok = ();
    type Error = SerdeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.add(value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// A tuple, which is a list or a struct.
pub(super) enum Tuple<'t, 'o> {
    Items(Items<'t, 'o>),
    Fields(Fields<'t, 'o>),
}

impl Tuple<'_, '_> {
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            Tuple::Items(items) => items.add(value),
            Tuple::Fields(fields) => fields.at(fields.next, value),
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Tuple::Items(items) => items.finish(),
            Tuple::Fields(fields) => fields.finish(),
        }
    }
}

impl ser::SerializeTuple for Tuple<'_, '_> {
    type Ok = ();
    type Error = SerdeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.add(value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeTupleStruct for Tuple<'_, '_> {
    type Ok = ();
    type Error = SerdeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.add(value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// A struct that is being written: each field where it comes, put in order at the end if they did not come so.
pub(super) struct Fields<'t, 'o> {
    /// Whether fields are given by name: one that is not given is then absent.
    named: bool,
    names: Vec<(&'t str, TypeRef<'t>)>,
    out: &'o mut Vec<u8>,
    depth: u32,
    start: usize,
    /// Where each field's bytes are.
    places: Vec<Option<(usize, usize)>>,
    /// The field that comes next in order.
    next: usize,
    ordered: bool,
    failed: Option<SerdeError>,
}

impl Fields<'_, '_> {
    fn find(&mut self, name: &str) -> Result<usize> {
        if self.names.get(self.next).is_some_and(|(next, _)| *next == name) {
            return Ok(self.next);
        }
        let found = self.names.iter().position(|(field, _)| *field == name);
        let none = || SerdeError::new(format_args!("the type has no field \"{}\"", shown(name)));
        keep(&mut self.failed, found.ok_or_else(none))
    }

    fn at<T: Serialize + ?Sized>(&mut self, field: usize, value: &T) -> Result<()> {
        sound(&self.failed)?;
        let written = self.put(field, value);
        keep(&mut self.failed, written)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "a field of the struct")]
    fn put<T: Serialize + ?Sized>(&mut self, field: usize, value: &T) -> Result<()> {
        let (Some(&(name, ty)), Some(place)) = (self.names.get(field), self.places.get_mut(field)) else {
            return Err(SerdeError::new(format_args!("the type has only {} fields", self.names.len())));
        };
        if place.is_some() {
            return Err(SerdeError::new(format_args!("the field \"{}\" is there twice", shown(name))));
        }
        self.ordered &= field == self.next;
        self.next = field + 1;
        let start = self.out.len();
        value
            .serialize(Writer { ty, out: &mut *self.out, depth: self.depth })
            .map_err(|error| error.within(|| shown(name)))?;
        *place = Some((start, self.out.len()));
        Ok(())
    }

    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "places lie among the bytes written from `start` on"
    )]
    fn finish(self) -> Result<()> {
        sound(&self.failed)?;
        let mut whole = self.ordered;
        for ((name, ty), place) in self.names.iter().zip(&self.places) {
            match (ty.kind(), place) {
                (_, Some(_)) => {}
                (Kind::Optional(_), None) if self.named => whole = false,
                _ => {
                    return Err(SerdeError::new(format_args!("the field \"{}\" is missing", shown(name))));
                }
            }
        }
        if whole {
            return Ok(());
        }
        let mut ordered = Vec::with_capacity(self.out.len() - self.start + self.places.len());
        for place in &self.places {
            match place {
                Some((start, end)) => ordered.extend_from_slice(&self.out[*start..*end]),
                None => ordered.push(0),
            }
        }
        self.out.truncate(self.start);
        self.out.append(&mut ordered);
        Ok(())
    }
}

impl ser::SerializeStruct for Fields<'_, '_> {
    type Ok = ();
    type Error = SerdeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        sound(&self.failed)?;
        let field = self.find(key)?;
        self.at(field, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        sound(&self.failed)?;
        match self.names.iter().find(|(name, _)| *name == key).map(|(_, ty)| ty.kind()) {
            Some(Kind::Optional(_)) | None => Ok(()),
            Some(_) => {
                let error = SerdeError::new(format_args!(
                    "the field \"{}\" is skipped by #[serde(skip_serializing_if)], and the type needs it: \
                     make it an optional, or take the attribute away",
                    shown(key)
                ));
                keep(&mut self.failed, Err(error))
            }
        }
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// A dict that is being written.
pub(super) struct Entries<'t, 'o> {
    value: TypeRef<'t>,
    out: &'o mut Vec<u8>,
    depth: u32,
    /// Where the count stands.
    start: usize,
    /// Where each entry begins and ends, its key's length word first.
    entries: Vec<(usize, usize)>,
}

/// Writes a key, which is a text.
fn put_key<T: Serialize + ?Sized>(key: &T, out: &mut Vec<u8>) -> Result<()> {
    let text = crate::schema::Type::scalar(Scalar::Str);
    let written = key.serialize(Writer { ty: text.root(), out, depth: 0 });
    written.map_err(|error| error.within(|| String::from("[key]")))
}

/// A map, which is a dict, or a struct whose names are known only at run time. Its parts come one by one.
pub(super) struct Map<'t, 'o> {
    of: Of<'t, 'o>,
    /// The field, or the place of the entry, whose name was given and whose value was not.
    key: Option<usize>,
    failed: Option<SerdeError>,
}

enum Of<'t, 'o> {
    Entries(Entries<'t, 'o>),
    Fields(Fields<'t, 'o>),
}

impl Map<'_, '_> {
    fn put_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if self.key.is_some() {
            return Err(SerdeError::new("a key without a value"));
        }
        self.key = Some(match &mut self.of {
            Of::Entries(entries) => entries.put_key(key)?,
            Of::Fields(fields) => {
                let mut text = Vec::new();
                put_key(key, &mut text)?;
                // A text it is, with its length in front.
                let name = text.get(4..).and_then(|name| core::str::from_utf8(name).ok()).unwrap_or("");
                fields.find(name)?
            }
        });
        Ok(())
    }

    fn put_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match (self.key.take(), &mut self.of) {
            (Some(entry), Of::Entries(entries)) => entries.put_value(entry, value),
            (Some(field), Of::Fields(fields)) => fields.at(field, value),
            (None, _) => Err(SerdeError::new("a value without a key")),
        }
    }
}

impl ser::SerializeMap for Map<'_, '_> {
    type Ok = ();
    type Error = SerdeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        sound(&self.failed)?;
        let written = self.put_key(key);
        keep(&mut self.failed, written)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        sound(&self.failed)?;
        let written = self.put_value(value);
        keep(&mut self.failed, written)
    }

    fn end(self) -> Result<()> {
        sound(&self.failed)?;
        if self.key.is_some() {
            return Err(SerdeError::new("a key without a value"));
        }
        match self.of {
            Of::Entries(entries) => entries.finish(),
            Of::Fields(fields) => fields.finish(),
        }
    }
}

impl Entries<'_, '_> {
    #[expect(clippy::indexing_slicing, reason = "entries lie among the bytes written")]
    fn key(&self, entry: (usize, usize)) -> &[u8] {
        let Some((word, rest)) = self.out[entry.0..].split_first_chunk() else { return &[] };
        let len = usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX);
        rest.get(..len).unwrap_or(rest)
    }

    /// The key of an entry, as it is shown.
    fn shown(&self, entry: (usize, usize)) -> String {
        // A text it is.
        shown(core::str::from_utf8(self.key(entry)).unwrap_or(""))
    }

    /// Begins an entry and says which it is.
    fn put_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<usize> {
        let start = self.out.len();
        put_key(key, self.out)?;
        self.entries.push((start, self.out.len()));
        Ok(self.entries.len().saturating_sub(1))
    }

    fn put_value<T: Serialize + ?Sized>(&mut self, entry: usize, value: &T) -> Result<()> {
        let written = value.serialize(Writer { ty: self.value, out: &mut *self.out, depth: self.depth });
        let end = self.out.len();
        let Some(entry) = self.entries.get_mut(entry) else { return written };
        entry.1 = end;
        let entry = *entry;
        written.map_err(|error| error.within(|| format!("[\"{}\"]", self.shown(entry))))
    }

    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "four bytes were put at `start`, and entries lie among the bytes written behind them"
    )]
    fn finish(mut self) -> Result<()> {
        let count = length(self.entries.len())?;
        self.out[self.start..self.start + 4].copy_from_slice(&count);
        if self.entries.windows(2).all(|pair| self.key(pair[0]) < self.key(pair[1])) {
            return Ok(());
        }
        let mut entries = core::mem::take(&mut self.entries);
        entries.sort_by(|a, b| self.key(*a).cmp(self.key(*b)));
        if let Some(pair) = entries.windows(2).find(|pair| self.key(pair[0]) == self.key(pair[1])) {
            let key = self.shown(pair[0]);
            return Err(SerdeError::new(format_args!("the key \"{key}\" is there twice")));
        }
        let ordered: Vec<u8> =
            entries.iter().flat_map(|&(start, end)| &self.out[start..end]).copied().collect();
        self.out.truncate(self.start + 4);
        self.out.extend_from_slice(&ordered);
        Ok(())
    }
}
