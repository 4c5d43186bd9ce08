//! A macro below the derive packs the struct, so that its fields are not aligned.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::attribute;

#[derive(Frozen)]
#[attribute(#[repr(packed)])]
struct Row {
    a: u8,
    b: u64,
}

fn main() {}
