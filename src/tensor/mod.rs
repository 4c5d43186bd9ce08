//! Tensor directories, read in place. Chapter: Tensor directory.
//!
//! [`Directory::read`] checks a block as a whole and gives its tensors; a [`Tensor`] gives what its descriptor
//! says, its payload as bytes, and a [`View`] of the payload as numbers: borrowed ([`View::as_slice`]) where dtype,
//! address and byte order allow, or copied ([`View::to_vec`]) wherever the bytes lie. All of them borrow the
//! caller's bytes and not one another. Numbers are [`Element`]s; two packed elements in a byte are [`Unpacked`].
//!
//! ```
//! use kiln::tensor::Directory;
//! # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
//! let directory = Directory::read(bytes)?;
//! let weight = directory.get_by_name("weight").unwrap();
//! assert_eq!(weight.as_slice::<i8>()?, [1, 2, 3, 4, 5, 6, 7, 8]);
//!
//! // One scale for each two elements of a row.
//! let link = weight.quantization().unwrap();
//! assert_eq!((link.axis, link.group_size), (1, 2));
//! assert_eq!(link.scale.to_vec::<f32>()?, [1.0, 2.0, 0.5, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accept;
mod aligned;
mod builder;
pub(crate) mod check;
mod descriptor;
mod directory;
mod dtype;
mod element;
mod explain;
#[cfg(feature = "std")]
mod file;
mod header;
mod heap;
pub(crate) mod index;
mod layers;
#[cfg(feature = "std")]
mod map;
mod mistake;
mod names;
mod opaque;
mod owned;
#[cfg(all(feature = "std", target_os = "linux"))]
mod pages;
mod parallel;
pub(crate) mod place;
pub(crate) mod plain;
pub(crate) mod quant;
mod ranges;
#[cfg(feature = "std")]
mod read;
pub(crate) mod shape;
pub(crate) mod table;
mod view;

pub use aligned::AlignedBytes;
pub use builder::{Builder, Name, TensorId};
pub use descriptor::Descriptor;
pub use directory::{Directory, Tensors, check, check_embedded, check_embedded_with, check_with};
#[doc(hidden)]
pub use directory::{accepted_in_runs, accepted_with_keys, accepts};
pub use dtype::{Dtype, OpaqueCode};
pub use element::{Bool8, E4m3, E5m2, E8m0, Element, Unpacked};
pub(crate) use explain::{block_len, details, looked_at, name_in};
#[cfg(feature = "std")]
pub use file::{Replacement, replace_file};
pub use header::Header;
#[cfg(feature = "std")]
pub use map::{MappedDirectory, open, open_with};
pub use mistake::{BuildError, Mistake};
pub use opaque::Layout;
pub use owned::OwnedDirectory;
pub use place::ALIGNMENT;
pub use quant::Quantization;
pub use ranges::{HeaderFirst, Outline, Outlined, PayloadError};
#[cfg(feature = "std")]
pub use read::{
    ReadError, read_embedded_from, read_embedded_from_with, read_embedded_into, read_embedded_into_with,
    read_file, read_file_with, read_from, read_from_with, read_into, read_into_with,
};
pub use shape::{MAX_RANK, Shape};
pub use view::{Tensor, View, ViewError};
