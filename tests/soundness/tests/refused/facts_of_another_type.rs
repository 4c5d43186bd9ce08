//! A type that is not on the wire claims the facts of a field for itself, with another type's plainness.
#![forbid(unsafe_code)]
use kiln::__private::{Field, Part};
use kiln::schema::Shape;

struct Reference(&'static u64);

impl Field for Reference {
    const PART: Part = <u64 as Field>::PART;
    const SHAPE: fn() -> Shape = <u64 as Field>::SHAPE;
}

fn main() {}
