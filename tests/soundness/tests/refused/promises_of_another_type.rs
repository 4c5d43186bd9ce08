//! The promises of one type are handed on as another's, or made up.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln::frozen::{Exact, Plain};
use kiln::schema::Shape;

struct Reference(&'static u64);

impl Frozen for Reference {
    const MIN_LEN: usize = 8;
    const FIXED: bool = true;
    const PLAIN: Plain<Self> = <u64 as Frozen>::PLAIN;
    const EXACT: Exact<Self> = Exact::promise(true);
    fn shape() -> Shape {
        u64::shape()
    }
}

fn main() {
    let _: Plain<Reference> = Plain { holds: true, of: std::marker::PhantomData };
}
