//! The tensor directory. Chapter: Tensor directory.

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
#[cfg(feature = "std")]
mod map;
mod opaque;
mod owned;
pub(crate) mod place;
pub(crate) mod quant;
mod ranges;
#[cfg(feature = "std")]
mod read;
pub(crate) mod shape;
pub(crate) mod table;
mod view;

pub use aligned::AlignedBytes;
pub use builder::{BuildError, Builder, Mistake, Name, TensorId};
pub use descriptor::Descriptor;
#[doc(hidden)]
pub use directory::accepts;
pub use directory::{Directory, Tensors, check, check_embedded, check_embedded_with, check_with};
pub use dtype::{Dtype, OpaqueCode};
pub use element::{Bool8, E4m3, E5m2, E8m0, Element, Unpacked};
pub(crate) use explain::{block_len, details, name_in};
#[cfg(feature = "std")]
pub use file::replace_file;
pub use header::Header;
#[cfg(feature = "std")]
pub use map::{MappedDirectory, open, open_with};
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
