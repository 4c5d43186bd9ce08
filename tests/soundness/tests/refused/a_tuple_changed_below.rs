//! A macro below the derive puts another struct of that name in the place of a tuple struct.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::instead;

#[derive(Frozen)]
#[instead(struct Pair(u64, Box<u64>);)]
struct Pair(u64, u64);

fn main() {}
