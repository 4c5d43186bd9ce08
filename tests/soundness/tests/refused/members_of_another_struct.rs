//! A struct says by itself what its fields are.
#![forbid(unsafe_code)]
use kiln::__private::Member;

struct Pair {
    first: Box<u64>,
}

impl Member<0> for Pair {
    type Type = u64;
}

fn main() {}
