//! A value to bytes, by a type. What the type does not allow is found before anything is written.

use super::Value;
use crate::error::EncodeError;
use crate::escape::{escape, shorten};
use crate::frozen::Encode;
use crate::schema::{Fields, Kind, Scalar, Type, TypeError, TypeRef};
use crate::wire::sealed::Sealed;
use crate::wire::{Nest, Sink};
use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, slice};

/// The length of the encoding, if `value` is a `ty` and can be written.
pub(super) fn measure(ty: &Type, value: &Value) -> Result<usize, ValueError> {
    let mut count = Count(0);
    write(ty, value, &mut count)?;
    if count.0 > isize::MAX as usize {
        return Err(ValueError::too_long());
    }
    Ok(count.0)
}

/// Appends a value that was measured.
pub(super) fn append(ty: &Type, value: &Value, out: &mut Vec<u8>) -> Result<(), ValueError> {
    write(ty, value, &mut Append(out))
}

/// Counts what it is given.
struct Count(usize);

impl Sealed for Count {}

impl Sink for Count {
    fn put<const N: usize>(&mut self, _: [u8; N]) {
        self.0 = self.0.saturating_add(N);
    }

    fn run(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }
}

struct Append<'a>(&'a mut Vec<u8>);

impl Sealed for Append<'_> {}

impl Sink for Append<'_> {
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.0.extend_from_slice(&bytes);
    }

    fn run(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// A container of which the beginning was written.
enum Open<'a> {
    List {
        element: TypeRef<'a>,
        count: usize,
        items: slice::Iter<'a, Value>,
    },
    /// At most one part: an optional, and a directory, which has none.
    One(Option<(TypeRef<'a>, &'a Value)>),
    Dict {
        value: TypeRef<'a>,
        key: Option<&'a str>,
        entries: slice::Iter<'a, (String, Value)>,
    },
    Struct {
        fields: Fields<'a>,
        name: &'a str,
        items: slice::Iter<'a, Value>,
    },
}

/// Writes a value. The way down is kept in a [`Nest`] and not in calls, and is the path of an error.
fn write<S: Sink>(ty: &Type, value: &Value, out: &mut S) -> Result<(), ValueError> {
    let mut nest = Nest::new();
    let refuse = |nest: &Nest<Open<'_>>, problem| {
        let path = nest.iter().filter_map(Open::step).collect();
        Err(ValueError { path, problem })
    };
    let mut part = (ty.root(), value);
    loop {
        match begin(part.0, part.1, out) {
            Ok(None) => {}
            Ok(Some(container)) => {
                if !nest.push(container) {
                    return refuse(&nest, Problem::Encode(EncodeError::TooDeep));
                }
            }
            Err(problem) => return refuse(&nest, problem),
        }
        part = loop {
            let Some(container) = nest.last() else { return Ok(()) };
            match container.next(out) {
                Ok(Some(part)) => break part,
                Ok(None) => drop(nest.pop()),
                Err(problem) => return refuse(&nest, problem),
            }
        };
    }
}

/// Writes a value without parts, or what stands before the first part.
fn begin<'a, S: Sink>(ty: TypeRef<'a>, value: &'a Value, out: &mut S) -> Result<Option<Open<'a>>, Problem> {
    Ok(Some(match (ty.kind(), value) {
        (Kind::List(element), Value::List(items)) => {
            put_count(items.len(), out)?;
            Open::List { element, count: items.len(), items: items.iter() }
        }
        (Kind::Optional(value), Value::Optional(item)) => {
            out.put([u8::from(item.is_some())]);
            Open::One(item.as_ref().map(|item| (value, &**item)))
        }
        (Kind::Dict(value), Value::Dict(entries)) => {
            put_count(entries.len(), out)?;
            Open::Dict { value, key: None, entries: entries.iter() }
        }
        (Kind::Struct(fields), Value::Struct(items)) => {
            if fields.len() != items.len() {
                return Err(Problem::FieldCount { needed: fields.len(), given: items.len() });
            }
            Open::Struct { fields, name: "", items: items.iter() }
        }
        (Kind::Scalar(Scalar::Tensors), Value::Tensors(directory)) => {
            directory.encode(out);
            Open::One(None)
        }
        (Kind::Scalar(scalar), value) if scalar.name() == value.kind() => {
            single(value, out)?;
            return Ok(None);
        }
        (kind, value) => return Err(Problem::Kind { needed: kind.name(), given: value.kind() }),
    }))
}

fn single<S: Sink>(value: &Value, out: &mut S) -> Result<(), Problem> {
    match value {
        Value::Bool(value) => out.put([u8::from(*value)]),
        Value::U8(value) => out.put(value.to_le_bytes()),
        Value::U16(value) => out.put(value.to_le_bytes()),
        Value::U32(value) => out.put(value.to_le_bytes()),
        Value::U64(value) => out.put(value.to_le_bytes()),
        Value::I8(value) => out.put(value.to_le_bytes()),
        Value::I16(value) => out.put(value.to_le_bytes()),
        Value::I32(value) => out.put(value.to_le_bytes()),
        Value::I64(value) => out.put(value.to_le_bytes()),
        Value::F16(value) => out.put(value.to_le_bytes()),
        Value::Bf16(value) => out.put(value.to_le_bytes()),
        Value::F32(value) => out.put(value.to_le_bytes()),
        Value::F64(value) => out.put(value.to_le_bytes()),
        Value::Str(text) => return put_run(text.as_bytes(), out),
        Value::Bytes(run) => return put_run(run, out),
        Value::Tensors(_) | Value::List(_) | Value::Optional(_) | Value::Dict(_) | Value::Struct(_) => {}
    }
    Ok(())
}

fn put_count<S: Sink>(count: usize, out: &mut S) -> Result<(), Problem> {
    if u32::try_from(count).is_err() {
        return Err(Problem::Encode(EncodeError::CountAboveU32 { count }));
    }
    out.count(count);
    Ok(())
}

fn put_run<S: Sink>(run: &[u8], out: &mut S) -> Result<(), Problem> {
    put_count(run.len(), out)?;
    out.run(run);
    Ok(())
}

impl<'a> Open<'a> {
    /// The next part and its type, if there is one, after what stands before it.
    fn next<S: Sink>(&mut self, out: &mut S) -> Result<Option<(TypeRef<'a>, &'a Value)>, Problem> {
        match self {
            Open::List { element, items, .. } => Ok(items.next().map(|item| (*element, item))),
            Open::One(part) => Ok(part.take()),
            Open::Dict { value, key, entries } => {
                let Some((text, item)) = entries.next() else { return Ok(None) };
                if key.replace(text).is_some_and(|before| text.as_str() <= before) {
                    return Err(Problem::KeyOrder);
                }
                put_run(text.as_bytes(), out)?;
                Ok(Some((*value, item)))
            }
            Open::Struct { fields, name, items } => {
                let (Some((next, field)), Some(item)) = (fields.next(), items.next()) else {
                    return Ok(None);
                };
                *name = next;
                Ok(Some((field, item)))
            }
        }
    }

    /// The step to the part that is being written.
    fn step(&self) -> Option<Step> {
        match self {
            Open::List { count, items, .. } => {
                Some(Step::Index(count.saturating_sub(items.len()).saturating_sub(1)))
            }
            Open::One(_) => None,
            Open::Dict { key, .. } => Some(Step::Key(key.unwrap_or("").into())),
            Open::Struct { name, .. } => Some(Step::Field((*name).into())),
        }
    }
}

/// A value that cannot be written as the type asked for, and where in it: the caller's mistake, so none of the
/// seven codes. Names are escaped when it is displayed, and long ones cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    path: Vec<Step>,
    problem: Problem,
}

/// A step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A field of a struct, by name.
    Field(String),
    /// An element of a list.
    Index(usize),
    /// The entry of a dict with that key.
    Key(String),
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// It is of another kind than the type says.
    Kind {
        /// The kind of the type, in the words of the type text.
        needed: &'static str,
        /// The kind of the value.
        given: &'static str,
    },
    /// A struct with another number of fields.
    FieldCount {
        /// How many the type has.
        needed: usize,
        /// How many the value has.
        given: usize,
    },
    /// A dict's key that is not above the key before it.
    KeyOrder,
    /// It cannot be written by any type.
    Encode(EncodeError),
    /// The type has no frame.
    Type(TypeError),
}

impl ValueError {
    /// Of a value that memory cannot hold the encoding of.
    pub(super) fn too_long() -> ValueError {
        ValueError { path: Vec::new(), problem: Problem::Encode(EncodeError::TooLong) }
    }

    pub(super) fn of_type(error: TypeError) -> ValueError {
        ValueError { path: Vec::new(), problem: Problem::Type(error) }
    }

    /// The way from the whole value down to the part at fault, outermost first.
    #[must_use]
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// What is wrong with it.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.path.iter().enumerate() {
            if at == 0 {
                f.write_str("in ")?;
            }
            match step {
                Step::Field(name) if at == 0 => write!(f, "{}", escape(shorten(name).as_bytes()))?,
                Step::Field(name) => write!(f, ".{}", escape(shorten(name).as_bytes()))?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) => write!(f, "[\"{}\"]", escape(shorten(key).as_bytes()))?,
            }
        }
        if !self.path.is_empty() {
            f.write_str(": ")?;
        }
        self.problem.fmt(f)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Kind { needed, given } => write!(f, "expected {needed}, found {given}"),
            Problem::FieldCount { needed, given } => {
                write!(f, "expected a struct of {needed} fields, found one of {given}")
            }
            Problem::KeyOrder => f.write_str("the key is not above the key before it"),
            Problem::Encode(error) => error.fmt(f),
            Problem::Type(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ValueError {}
