//! The tensor directory. Chapter: Tensor directory.

mod descriptor;
mod dtype;
mod element;
mod header;
pub(crate) mod place;
pub(crate) mod shape;

pub use descriptor::Descriptor;
pub use dtype::{Dtype, OpaqueCode};
pub use element::{Bool8, E4m3, E5m2, E8m0, Element, Unpacked};
pub use header::Header;
pub use place::ALIGNMENT;
pub use shape::{MAX_RANK, Shape};

use crate::error::Fault;

/// The length of the block that begins with `block`, by its header alone, if it has one.
pub(crate) fn block_len(block: &[u8]) -> Option<usize> {
    let word = |at: usize| Some(u64::from_le_bytes(*block.get(at..)?.first_chunk()?));
    usize::try_from(word(32)?.checked_add(word(40)?)?).ok().map(|len| len.max(64))
}

/// The name of tensor `index` in a block that need not be valid.
pub(crate) fn name_in(_block: &[u8], _index: u32) -> Option<&[u8]> {
    None
}

/// What more an error says about a fault in the directory that begins with `block`, at `start` of the
/// caller's buffer: the tensor that the one at fault collides with, and the numbers claimed and allowed.
pub(crate) fn collision(
    _fault: &Fault,
    _block: &[u8],
    _start: usize,
    numbers: (u64, u64),
) -> (Option<u32>, (u64, u64)) {
    (None, numbers)
}
