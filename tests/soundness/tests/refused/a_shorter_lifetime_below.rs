//! A macro below the derive lets a field live for a time of its own.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::replace;

#[derive(Frozen)]
#[replace(a: &'b str, b: &'b str,)]
struct Row<'a, 'b> {
    a: &'a str,
    b: &'b str,
}

fn main() {}
