//! A macro below the derive adds variants to an enum: one like the others, and one that cannot be.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::add;

#[derive(Frozen)]
#[repr(u8)]
#[add(Blue,)]
enum Color {
    Red,
    Green,
}

enum Never {}

#[derive(Frozen)]
#[repr(u8)]
#[add(Off(Never),)]
enum Switch {
    On,
}

fn main() {}
