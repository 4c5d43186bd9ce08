//! Bytes to a value, by a type: the checks of the derive, in its order, with its offsets.

use super::Value;
use crate::error::{Fault, Reason};
use crate::frozen::{Decode, presence};
use crate::schema::{Fields, Kind, Scalar, TypeRef};
use crate::tensor::{Directory, OwnedDirectory};
use crate::wire::{Nest, Reader, Source};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// What stands for a value that was checked and not built.
const CHECKED: Value = Value::Bool(true);

/// A container that was entered and is not complete. Its items stay empty where nothing is built.
enum Open<'t, 'de> {
    List { element: TypeRef<'t>, left: usize, items: Vec<Value> },
    Optional { value: Option<TypeRef<'t>>, item: Option<Box<Value>> },
    Dict { value: TypeRef<'t>, left: usize, key: Option<&'de str>, entries: Vec<(String, Value)> },
    Struct { fields: Fields<'t>, items: Vec<Value> },
}

/// Reads a value. Without `BUILD` it only checks, and gives [`CHECKED`].
///
/// The way down is kept in a [`Nest`] and not in calls: what a value takes of the stack does not depend on its type.
pub(super) fn value<const BUILD: bool>(ty: TypeRef<'_>, reader: &mut Reader<'_>) -> Result<Value, Fault> {
    let mut nest: Nest<Open> = Nest::new();
    let mut ty = ty;
    loop {
        let mut whole = match begin::<BUILD>(ty, reader)? {
            Begun::Whole(value) => Some(value),
            Begun::Open(container) => {
                if !nest.push(container) {
                    return Err(Fault::new(Reason::Depth, reader.offset()));
                }
                None
            }
        };
        ty = loop {
            let Some(container) = nest.last() else { return Ok(whole.unwrap_or(CHECKED)) };
            if let (true, Some(part)) = (BUILD, whole.take()) {
                container.take(part);
            }
            match container.next::<BUILD>(reader)? {
                Some(part) => break part,
                None => {
                    reader.leave();
                    whole = nest.pop().map(Open::close);
                }
            }
        };
    }
}

/// A value of which the beginning was read.
enum Begun<'t, 'de> {
    /// It holds no other value, so that is all of it.
    Whole(Value),
    Open(Open<'t, 'de>),
}

fn begin<'t, 'de, const BUILD: bool>(
    ty: TypeRef<'t>,
    reader: &mut Reader<'de>,
) -> Result<Begun<'t, 'de>, Fault> {
    let (at, kind) = (reader.offset(), ty.kind());
    if !matches!(kind, Kind::Scalar(_)) {
        reader.enter()?;
    }
    Ok(Begun::Open(match kind {
        Kind::Scalar(scalar) => return single::<BUILD>(scalar, reader).map(Begun::Whole),
        Kind::List(element) => {
            let count = reader.count(element.min_len())?;
            let items = room::<BUILD, _>(count, at, reader)?;
            match element.kind() {
                // Every pattern is a number, and the count has been found to fit.
                Kind::Scalar(number) if !BUILD && number.is_fixed() && number != Scalar::Bool => {
                    reader.take(count.saturating_mul(number.min_len()))?;
                    Open::List { element, left: 0, items }
                }
                _ => Open::List { element, left: count, items },
            }
        }
        Kind::Optional(value) => {
            let value = if presence(reader)? { Some(value) } else { None };
            if BUILD && value.is_some() {
                reader.charge(size_of::<Value>(), at)?;
            }
            Open::Optional { value, item: None }
        }
        Kind::Dict(value) => {
            let left = reader.count(value.min_len().saturating_add(4))?;
            Open::Dict { value, left, key: None, entries: room::<BUILD, _>(left, at, reader)? }
        }
        Kind::Struct(fields) => {
            let items = room::<BUILD, _>(fields.len(), at, reader)?;
            Open::Struct { fields, items }
        }
    }))
}

/// Reads what holds no other value.
fn single<const BUILD: bool>(scalar: Scalar, reader: &mut Reader<'_>) -> Result<Value, Fault> {
    let at = reader.offset();
    Ok(match scalar {
        Scalar::Bool => Value::Bool(Decode::decode(reader)?),
        Scalar::U8 => Value::U8(Decode::decode(reader)?),
        Scalar::U16 => Value::U16(Decode::decode(reader)?),
        Scalar::U32 => Value::U32(Decode::decode(reader)?),
        Scalar::U64 => Value::U64(Decode::decode(reader)?),
        Scalar::I8 => Value::I8(Decode::decode(reader)?),
        Scalar::I16 => Value::I16(Decode::decode(reader)?),
        Scalar::I32 => Value::I32(Decode::decode(reader)?),
        Scalar::I64 => Value::I64(Decode::decode(reader)?),
        Scalar::F16 => Value::F16(Decode::decode(reader)?),
        Scalar::Bf16 => Value::Bf16(Decode::decode(reader)?),
        Scalar::F32 => Value::F32(Decode::decode(reader)?),
        Scalar::F64 => Value::F64(Decode::decode(reader)?),
        Scalar::Str => {
            let text = reader.text()?;
            if !BUILD {
                return Ok(CHECKED);
            }
            reader.charge(text.len(), at)?;
            Value::Str(text.into())
        }
        Scalar::Bytes => {
            let run = reader.run()?;
            if !BUILD {
                return Ok(CHECKED);
            }
            reader.charge(run.len(), at)?;
            Value::Bytes(run.into())
        }
        Scalar::Tensors if BUILD => {
            reader.charge(size_of::<OwnedDirectory>(), at)?;
            Value::Tensors(Box::new(Decode::decode(reader)?))
        }
        Scalar::Tensors => {
            Directory::decode(reader)?;
            CHECKED
        }
    })
}

/// Charges for and makes the room for `count` items, if anything is built.
fn room<const BUILD: bool, T>(count: usize, at: usize, reader: &mut Reader<'_>) -> Result<Vec<T>, Fault> {
    if !BUILD {
        return Ok(Vec::new());
    }
    reader.charge_items(count, size_of::<T>(), at)?;
    Ok(Vec::with_capacity(count))
}

impl<'t, 'de> Open<'t, 'de> {
    /// The type of the next part, if there is one, after what stands before it.
    fn next<const BUILD: bool>(&mut self, reader: &mut Reader<'de>) -> Result<Option<TypeRef<'t>>, Fault> {
        match self {
            Open::List { element, left, .. } => {
                let more = left.checked_sub(1);
                *left = more.unwrap_or(0);
                Ok(more.map(|_| *element))
            }
            Open::Optional { value, .. } => Ok(value.take()),
            Open::Dict { value, left, key, .. } => {
                let Some(more) = left.checked_sub(1) else { return Ok(None) };
                *left = more;
                let at = reader.offset();
                let text = reader.text()?;
                if key.is_some_and(|before| text <= before) {
                    return Err(Fault::new(Reason::KeyOrder, at));
                }
                *key = Some(text);
                if BUILD {
                    reader.charge(text.len(), at)?;
                }
                Ok(Some(*value))
            }
            Open::Struct { fields, .. } => Ok(fields.next().map(|(_, field)| field)),
        }
    }

    /// Takes in the part that [`next`](Self::next) gave the type of.
    fn take(&mut self, part: Value) {
        match self {
            Open::List { items, .. } | Open::Struct { items, .. } => items.push(part),
            Open::Optional { item, .. } => *item = Some(Box::new(part)),
            Open::Dict { key, entries, .. } => entries.push((key.unwrap_or("").into(), part)),
        }
    }

    /// The whole value.
    fn close(self) -> Value {
        match self {
            Open::List { items, .. } => Value::List(items),
            Open::Optional { item, .. } => Value::Optional(item),
            Open::Dict { entries, .. } => Value::Dict(entries),
            Open::Struct { items, .. } => Value::Struct(items),
        }
    }
}
