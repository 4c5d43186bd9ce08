//! Kiln: a strict binary wire format, read in place and checked in full.
#![no_std]
#![deny(missing_docs)]
#![cfg_attr(docsrs, feature(doc_auto_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// So that the paths that the derive writes resolve inside this crate too.
extern crate self as kiln;

mod arch;
#[cfg(feature = "cases")]
pub mod cases;
pub mod dynamic;
mod error;
mod escape;
pub mod frame;
pub mod frozen;
mod limits;
mod path;
pub mod schema;
pub mod tensor;
mod text;
pub mod wire;

pub use error::{Code, EncodeError, Error, Fault, Reason};
pub use escape::escape;
pub use frozen::{
    Batch, BatchWriter, ByteBuf, Bytes, Decode, DecodeOwned, Encode, Frozen, ListView, decode_into,
    decode_into_with, encode_into, encode_to_slice, encoded_len, from_prefix, from_prefix_with, from_slice,
    from_slice_with, is_plain, to_vec,
};
#[cfg(feature = "std")]
pub use frozen::{BatchSeek, BatchStream, write_to};
#[cfg(feature = "derive")]
pub use kiln_derive::Frozen;
pub use limits::Limits;
pub use path::{Described, Path, Segment};
pub use schema::{schema_hash, type_text};
pub use wire::from_slice_trusted;
