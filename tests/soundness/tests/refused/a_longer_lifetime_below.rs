//! A macro below the derive lets a field live for longer than the bytes do.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::replace;

#[derive(Frozen)]
#[replace(a: &'static str, b: std::marker::PhantomData<&'a ()>,)]
struct Row<'a> {
    a: &'a str,
    b: std::marker::PhantomData<&'a ()>,
}

fn main() {}
