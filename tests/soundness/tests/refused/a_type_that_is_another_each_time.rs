//! A macro as a field's type is asked by the compiler and by the derive, and means another type each time.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::another;

#[derive(Frozen)]
struct Row {
    a: another!(),
}

fn main() {}
