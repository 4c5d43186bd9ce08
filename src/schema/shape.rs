//! The shape of a Rust type on the wire, unrolled on demand so that recursive types have one too.

use super::Scalar;

/// What a type looks like on the wire. The parts are functions, not values: a recursive type is then a shape
/// like any other, and nobody unrolls it further than the bytes go.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One token.
    Scalar(Scalar),
    /// A list of an element.
    List(fn() -> Shape),
    /// A presence byte and perhaps a value.
    Optional(fn() -> Shape),
    /// Ascending text keys and a value each.
    Dict(fn() -> Shape),
    /// Fields in declaration order.
    Struct(&'static [Field]),
}

/// A field of a [`Shape::Struct`].
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in the canonical type text.
    pub name: &'static str,
    /// What it holds.
    pub shape: fn() -> Shape,
}

/// One level of a type, whoever keeps it: a Rust type's [`Shape`] or a tree read at run time. `N` is the
/// handle of a part.
pub(crate) enum View<N, F> {
    Scalar(Scalar),
    List(N),
    Optional(N),
    Dict(N),
    Struct(F),
}

/// A handle of a type that a cold walk can go down through.
pub(crate) trait Node<'t>: Copy {
    /// The fields of a struct, in declaration order.
    type Fields: Iterator<Item = (&'t str, Self)>;

    fn view(self) -> View<Self, Self::Fields>;

    /// What tells it from handles of other types. That of one type may be told from itself.
    fn key(self) -> usize;

    /// The smallest encoding, in bytes, if the handle knows it.
    fn least(self) -> Option<u64> {
        None
    }
}

impl<'t> Node<'t> for fn() -> Shape {
    type Fields = core::iter::Map<core::slice::Iter<'static, Field>, fn(&'static Field) -> (&'t str, Self)>;

    fn view(self) -> View<Self, Self::Fields> {
        fn part<'t>(field: &'static Field) -> (&'t str, fn() -> Shape) {
            (field.name, field.shape)
        }
        match self() {
            Shape::Scalar(scalar) => View::Scalar(scalar),
            Shape::List(element) => View::List(element),
            Shape::Optional(value) => View::Optional(value),
            Shape::Dict(value) => View::Dict(value),
            Shape::Struct(fields) => {
                View::Struct(fields.iter().map(part as fn(&'static Field) -> (&'t str, Self)))
            }
        }
    }

    fn key(self) -> usize {
        self as usize
    }
}
