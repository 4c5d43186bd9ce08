//! What `kiln gen` writes, as it is, in the edition of 2021: rustc, clippy and rustdoc have nothing to say of it.

#![deny(warnings, clippy::all, clippy::pedantic, rustdoc::all)]

#[path = "../../generated/lints.rs"]
pub mod lints;
#[path = "../../generated/names.rs"]
pub mod names;
#[path = "../../generated/order.rs"]
pub mod order;
#[path = "../../generated/samples.rs"]
pub mod samples;
#[path = "../../generated/tree.rs"]
pub mod tree;
#[path = "../../generated/words.rs"]
pub mod words;
