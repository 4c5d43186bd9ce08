//! A macro below the derive makes a union of the struct.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::instead;

#[derive(Frozen)]
#[instead(union Row { a: u64, b: f64 })]
struct Row {
    a: u64,
    b: f64,
}

fn main() {}
