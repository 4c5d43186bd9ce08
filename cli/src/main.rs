//! The program `kiln`.
fn main() {}
