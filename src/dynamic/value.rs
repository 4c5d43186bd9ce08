//! A value without its type.

use crate::tensor::OwnedDirectory;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use half::{bf16, f16};

/// A value of any [`Type`](crate::schema::Type), owned. Every width is a variant of its own, so that no bit is lost
/// or made up.
///
/// Two values are equal when they encode to the same bytes by the same type: floats are compared by their
/// bits, so that a NaN equals itself, and 0.0 is not -0.0.
///
/// A value that [`decode`](super::decode()) gives nests at most 64 deep. One that is put together by hand can nest
/// deeper, and is dropped by recursion like any boxed tree.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// `bool`
    Bool(bool),
    /// `u8`
    U8(u8),
    /// `u16`
    U16(u16),
    /// `u32`
    U32(u32),
    /// `u64`
    U64(u64),
    /// `i8`
    I8(i8),
    /// `i16`
    I16(i16),
    /// `i32`
    I32(i32),
    /// `i64`
    I64(i64),
    /// `f16`
    F16(f16),
    /// `bf16`
    Bf16(bf16),
    /// `f32`
    F32(f32),
    /// `f64`
    F64(f64),
    /// `str`
    Str(String),
    /// `bytes`
    Bytes(Vec<u8>),
    /// `tensors`
    Tensors(Box<OwnedDirectory>),
    /// The elements of a `list{T}`.
    List(Vec<Value>),
    /// An `optional{T}`.
    Optional(Option<Box<Value>>),
    /// The keys and values of a `dict{T}`, by ascending bytes of the keys: see [`dict`](Self::dict).
    Dict(Vec<(String, Value)>),
    /// The fields of a `struct{…}`, in declaration order.
    Struct(Vec<Value>),
}

impl Value {
    /// A present optional.
    #[must_use]
    pub fn some(value: Value) -> Value {
        Value::Optional(Some(Box::new(value)))
    }

    /// A dict of these entries in any order; encoding refuses a key that is there twice.
    ///
    /// ```
    /// use kiln::dynamic::Value;
    /// let dict = Value::dict([("b".into(), Value::U8(2)), ("a".into(), Value::U8(1))]);
    /// assert_eq!(dict, Value::Dict(vec![("a".into(), Value::U8(1)), ("b".into(), Value::U8(2))]));
    /// ```
    #[must_use]
    pub fn dict(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
        let mut entries: Vec<_> = entries.into_iter().collect();
        // The order of str is that of its bytes.
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Value::Dict(entries)
    }

    /// What it is, in the words of the type text.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Bool(_) => "bool",
            Value::U8(_) => "u8",
            Value::U16(_) => "u16",
            Value::U32(_) => "u32",
            Value::U64(_) => "u64",
            Value::I8(_) => "i8",
            Value::I16(_) => "i16",
            Value::I32(_) => "i32",
            Value::I64(_) => "i64",
            Value::F16(_) => "f16",
            Value::Bf16(_) => "bf16",
            Value::F32(_) => "f32",
            Value::F64(_) => "f64",
            Value::Str(_) => "str",
            Value::Bytes(_) => "bytes",
            Value::Tensors(_) => "tensors",
            Value::List(_) => "list",
            Value::Optional(_) => "optional",
            Value::Dict(_) => "dict",
            Value::Struct(_) => "struct",
        }
    }
}

impl From<OwnedDirectory> for Value {
    fn from(directory: OwnedDirectory) -> Self {
        Value::Tensors(Box::new(directory))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Str(text.into())
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::U8(a), Value::U8(b)) => a == b,
            (Value::U16(a), Value::U16(b)) => a == b,
            (Value::U32(a), Value::U32(b)) => a == b,
            (Value::U64(a), Value::U64(b)) => a == b,
            (Value::I8(a), Value::I8(b)) => a == b,
            (Value::I16(a), Value::I16(b)) => a == b,
            (Value::I32(a), Value::I32(b)) => a == b,
            (Value::I64(a), Value::I64(b)) => a == b,
            (Value::F16(a), Value::F16(b)) => a.to_bits() == b.to_bits(),
            (Value::Bf16(a), Value::Bf16(b)) => a.to_bits() == b.to_bits(),
            (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits(),
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Tensors(a), Value::Tensors(b)) => a == b,
            (Value::List(a), Value::List(b)) | (Value::Struct(a), Value::Struct(b)) => a == b,
            (Value::Optional(a), Value::Optional(b)) => a == b,
            (Value::Dict(a), Value::Dict(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}
