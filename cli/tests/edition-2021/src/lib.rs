//! What `kiln gen` writes, as it is, in the edition of 2021: rustc, clippy and rustdoc have nothing to say of it.

#![deny(warnings, clippy::all, clippy::pedantic, rustdoc::all)]

#[path = "../../generated/lints.rs"]
#[rustfmt::skip]
pub mod lints;
#[path = "../../generated/names.rs"]
#[rustfmt::skip]
pub mod names;
#[path = "../../generated/order.rs"]
#[rustfmt::skip]
pub mod order;
#[path = "../../generated/samples.rs"]
#[rustfmt::skip]
pub mod samples;
#[path = "../../generated/tree.rs"]
#[rustfmt::skip]
pub mod tree;
#[path = "../../generated/words.rs"]
#[rustfmt::skip]
pub mod words;
