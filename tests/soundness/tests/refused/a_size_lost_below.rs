//! A macro below the derive changes an array to a slice, into whose pointer a pointer to an array would turn.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::replace;

#[derive(Frozen)]
#[replace(a: [u8],)]
struct Row {
    a: [u8; 4],
}

fn main() {}
