//! Kiln: a strict binary wire format, read in place and checked in full.
//!
//! - A **Frozen value** is written in declaration order, without names, tags or padding, little-endian on every
//!   host. The struct is the schema: [`derive(Frozen)`](macro@Frozen), [`to_vec`], [`from_slice`].
//! - A **batch** is a list of records that is written and read one by one: [`Batch`], [`BatchWriter`].
//! - A **frame** is sixteen bytes in front of a value, with the hash of its type: [`frame`].
//! - A **tensor directory** is one block of descriptors, names and payloads, whose numbers are used where they lie:
//!   [`tensor`].
//! - Blocks inside something larger are found by [`scan`].
//! - Types that are only known at run time, and values of them: [`schema`], [`dynamic`].
//!
//! One value has exactly one byte string. A reader checks everything, in a published order, and answers with a value
//! or with one of seven codes ([`Code`]), a reason, an offset and a path ([`Error`]). It allocates nothing for a count
//! that the bytes cannot hold, and nothing beyond its [`Limits`]. No input makes it panic.
//!
//! Every reader comes twice: `x` within [`Limits::DEFAULT`], and `x_with` within limits of the caller's. What the
//! caller does wrong is an error of another type: [`EncodeError`], [`tensor::BuildError`], [`schema::TypeError`].
//!
//! The chapters that these pages name are those of the specification, in `spec/` of the repository.
//!
//! ```
//! use kiln::Frozen;
//!
//! #[derive(Frozen, Debug, PartialEq)]
//! struct Reading<'a> {
//!     id: u32,
//!     label: &'a str,
//!     temps: Vec<f32>,
//! }
//!
//! let reading = Reading { id: 300, label: "lab", temps: vec![1.0, -0.5] };
//! let bytes = kiln::to_vec(&reading)?;
//! assert_eq!(bytes.len(), 4 + (4 + 3) + (4 + 2 * 4));
//! assert_eq!(kiln::from_slice::<Reading<'_>>(&bytes)?, reading);
//!
//! let cut = kiln::from_slice::<Reading<'_>>(&bytes[..bytes.len() - 1]).unwrap_err();
//! assert_eq!(
//!     cut.describe(&bytes[..bytes.len() - 1]).to_string(),
//!     "EOF at byte 11 (0xb), in temps: the bytes left cannot hold that many elements (2 need at least 8 bytes, 7 left)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `std` (default): streams, files, maps; without it the crate is `no_std` with `alloc`. `derive` (default):
//! `#[derive(Frozen)]`. `rayon`: long bool payloads and large copies on several threads. `bumpalo`: `from_slice_in`, which builds
//! lists in an arena. `json`: types from JSON Schema
//! ([`schema`]) and values as JSON text ([`dynamic`]). `gen`: Rust from JSON Schema. `serde`: values of any type that serde knows, by a
//! type known at run time. `cases`: the runner of conformance
//! case files.
#![no_std]
#![deny(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// No input and no argument makes this crate panic or wrap: where one of these would be found, it is said why it cannot.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// So that the paths that the derive writes resolve inside this crate too.
extern crate self as kiln;

pub mod arch;
#[cfg(feature = "cases")]
pub mod cases;
pub mod dynamic;
mod error;
mod escape;
pub mod frame;
pub mod frozen;
#[cfg(feature = "json")]
mod json;
mod limits;
mod pass;
mod path;
pub mod scan;
pub mod schema;
pub mod tensor;
mod text;
#[cfg(feature = "rayon")]
mod threads;
pub mod wire;

#[cfg(feature = "bumpalo")]
#[doc(no_inline)]
pub use bumpalo;
pub use error::{Code, EncodeError, Error, Fault, Reason};
pub use escape::escape;
pub use frozen::{
    Batch, BatchIndex, BatchWriter, ByteBuf, Bytes, Decode, DecodeOwned, Encode, Frozen, ListView,
    decode_into, decode_into_with, encode_into, encode_to_slice, encoded_len, from_prefix, from_prefix_with,
    from_slice, from_slice_with, is_plain, to_vec, validate, validate_with,
};
#[cfg(feature = "std")]
pub use frozen::{BatchSeek, BatchStream, write_to};
#[cfg(feature = "bumpalo")]
pub use frozen::{from_slice_in, from_slice_in_with};
/// The crate that `f16` and `bf16` are of, in the version that implements this crate's traits.
pub use half;
#[cfg(feature = "derive")]
pub use kiln_derive::Frozen;
pub use limits::Limits;
pub use path::{Described, Path, Segment};
pub use schema::{schema_hash, type_text};
pub use wire::{Trusted, from_slice_trusted};

/// What the derive's code is made of, for it alone: it changes with the derive.
#[doc(hidden)]
pub mod __private {
    pub use crate::frozen::bytes::{ByteField, DecodeByteField};
    pub use crate::frozen::fields::*;
    pub use crate::frozen::slot::{Filled, Slot, build};
    pub use core;
    #[cfg(feature = "derive")]
    pub use kiln_derive::expand;
}

/// What the derive leads to, by whatever path the program has for this crate: from here on all paths begin with
/// `$crate`, and the word `unsafe` is this crate's.
#[cfg(feature = "derive")]
#[doc(hidden)]
#[macro_export]
macro_rules! __frozen {
    ($($item:tt)*) => { $crate::__private::expand! { [$crate] unsafe { $($item)* } } };
}

/// So that the examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So that the examples of the derive are compiled and run: its package cannot need this one.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("frozen/derive.md")]
struct Derive;
