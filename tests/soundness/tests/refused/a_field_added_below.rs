//! A macro below the derive adds a field, which nobody would fill.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::add;

#[derive(Frozen)]
#[add(extra: Box<u64>,)]
struct Row {
    a: u64,
    b: String,
}

fn main() {}
