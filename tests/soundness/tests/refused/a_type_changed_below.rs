//! A macro below the derive changes the type of a field to one of the same size.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::replace;

#[derive(Frozen)]
#[replace(a: Box<u64>,)]
struct Row {
    a: u64,
}

fn main() {}
