//! The hash of a type's tokens, and the static tree it is computed from at compile time.

use super::Scalar;
use alloc::string::String;

/// The tree of a Rust type that is not recursive, known at compile time.
#[derive(Debug)]
pub enum StaticType {
    /// One token.
    Scalar(Scalar),
    /// `list{T}`
    List(&'static StaticType),
    /// `optional{T}`
    Optional(&'static StaticType),
    /// `dict{T}`
    Dict(&'static StaticType),
    /// `struct{name:T,}`
    Struct(&'static [(&'static str, &'static StaticType)]),
}

/// A type with finite type text, and so with a schema hash and a frame. `#[derive(Frozen)]` implements it.
///
/// `X` says nothing: it only puts off the constant until somebody asks for it, so that a recursive type
/// compiles, and asking for its hash does not.
#[diagnostic::on_unimplemented(message = "`{Self}` has no type text", label = "not Typed")]
pub trait Typed<X = ()> {
    /// The tree.
    const TYPE: &'static StaticType;
}

const BASIS: u64 = 14_695_981_039_346_656_037;
const PRIME: u64 = 1_099_511_628_211;

/// Mixes one token of a type text into a running FNV-1a hash: its bytes, then a zero byte. Start from `None`.
///
/// ```
/// use kiln::schema::fnv1a;
/// assert_eq!(fnv1a(None, "u8"), kiln::schema_hash::<u8>());
/// ```
pub const fn fnv1a(hash: Option<u64>, token: &str) -> u64 {
    let mut hash = match hash {
        Some(hash) => hash,
        None => BASIS,
    };
    let mut bytes = token.as_bytes();
    while let [byte, rest @ ..] = bytes {
        hash = (hash ^ *byte as u64).wrapping_mul(PRIME);
        bytes = rest;
    }
    hash.wrapping_mul(PRIME)
}

impl StaticType {
    /// The schema hash of the type.
    pub const fn hash(&self) -> u64 {
        self.mix(BASIS)
    }

    const fn mix(&self, hash: u64) -> u64 {
        let (open, part) = match self {
            StaticType::Scalar(scalar) => return fnv1a(Some(hash), scalar.name()),
            StaticType::List(part) => ("list{", part),
            StaticType::Optional(part) => ("optional{", part),
            StaticType::Dict(part) => ("dict{", part),
            StaticType::Struct(fields) => {
                let mut hash = fnv1a(Some(hash), "struct{");
                let mut fields = *fields;
                while let [(name, part), rest @ ..] = fields {
                    hash = fnv1a(Some(hash), name);
                    hash = fnv1a(Some(hash), ":");
                    hash = part.mix(hash);
                    hash = fnv1a(Some(hash), ",");
                    fields = rest;
                }
                return fnv1a(Some(hash), "}");
            }
        };
        fnv1a(Some(part.mix(fnv1a(Some(hash), open))), "}")
    }

    /// The smallest encoding, in bytes.
    const fn min_len(&self) -> usize {
        match self {
            StaticType::Scalar(scalar) => scalar.min_len(),
            StaticType::List(_) | StaticType::Dict(_) => 4,
            StaticType::Optional(_) => 1,
            StaticType::Struct(fields) => {
                let (mut sum, mut fields) = (0usize, *fields);
                while let [(_, part), rest @ ..] = fields {
                    sum = sum.saturating_add(part.min_len());
                    fields = rest;
                }
                sum
            }
        }
    }

    /// The type itself, unless a list or dict in it has an element of no bytes, which no type may have.
    const fn sound(&self) -> &Self {
        match self {
            StaticType::Scalar(_) => {}
            StaticType::Optional(part) => {
                _ = part.sound();
            }
            StaticType::List(part) | StaticType::Dict(part) => {
                assert!(
                    part.sound().min_len() > 0,
                    "an element of no bytes: give it a field, or send the count alone"
                );
            }
            StaticType::Struct(fields) => {
                let mut fields = *fields;
                while let [(_, part), rest @ ..] = fields {
                    _ = part.sound();
                    fields = rest;
                }
            }
        }
        self
    }

    /// Appends the canonical type text.
    pub fn write_text(&self, text: &mut String) {
        let (open, part) = match self {
            StaticType::Scalar(scalar) => return text.push_str(scalar.name()),
            StaticType::List(part) => ("list{", part),
            StaticType::Optional(part) => ("optional{", part),
            StaticType::Dict(part) => ("dict{", part),
            StaticType::Struct(fields) => {
                text.push_str("struct{");
                for (name, part) in *fields {
                    text.push_str(name);
                    text.push(':');
                    part.write_text(text);
                    text.push(',');
                }
                return text.push('}');
            }
        };
        text.push_str(open);
        part.write_text(text);
        text.push('}');
    }
}

/// The schema hash of a type: what a frame around it carries. A constant; asking for a recursive type's is a
/// compile error, since its text has no end; so is that of a type with elements of no bytes.
///
/// ```compile_fail
/// const HASH: u64 = kiln::schema_hash::<Vec<()>>();
/// ```
///
/// ```
/// # use kiln::{Frozen, tensor::Directory};
/// #[derive(Frozen)]
/// struct Request<'a> { id: i64, batch: Directory<'a> }
///
/// const HASH: u64 = kiln::schema_hash::<Request<'static>>();
/// assert_eq!(HASH, 0xe58aadc7552f0d82);
/// ```
pub const fn schema_hash<T: Typed + ?Sized>() -> u64 {
    const { T::TYPE.sound().hash() }
}

/// The canonical type text of a type.
///
/// ```
/// assert_eq!(kiln::type_text::<Vec<Option<f32>>>(), "list{optional{f32}}");
/// ```
pub fn type_text<T: Typed + ?Sized>() -> String {
    let mut text = String::new();
    const { T::TYPE.sound() }.write_text(&mut text);
    text
}
