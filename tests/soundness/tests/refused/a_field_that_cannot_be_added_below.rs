//! A macro below the derive adds a field of a type that has no values.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::add;

enum Never {}

#[derive(Frozen)]
#[add(never: Never,)]
struct Row {
    a: u64,
}

fn main() {}
