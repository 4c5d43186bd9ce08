//! Bytes that begin at a multiple of 64 in memory, as payloads do in a block.

use super::parallel;
use alloc::vec::Vec;
use bytemuck::{Pod, Zeroable};
use core::fmt;
use core::ops::{Deref, DerefMut};

/// The unit of the storage: an allocation of lines is aligned to 64 without any further work.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; AlignedBytes::ALIGN]);

impl Line {
    const ZERO: Line = Line([0; AlignedBytes::ALIGN]);

    /// At most a line's bytes, and zeros after them.
    #[inline(always)]
    fn padded(bytes: &[u8]) -> Line {
        let mut line = Line::ZERO;
        line.0[..bytes.len()].copy_from_slice(bytes);
        line
    }
}

const _: () = assert!(size_of::<Line>() == AlignedBytes::ALIGN && align_of::<Line>() == AlignedBytes::ALIGN);

/// Owned bytes that begin at a multiple of 64 in memory, so that every payload of a block that is copied into
/// them can be used in place. Chapter: Views and owned copies.
///
/// ```
/// use kiln::tensor::AlignedBytes;
/// let bytes = AlignedBytes::copy_of(&[1, 2, 3]);
/// assert_eq!(bytes[..], [1, 2, 3]);
/// assert_eq!(bytes.as_ptr() as usize % AlignedBytes::ALIGN, 0);
/// ```
#[derive(Clone, Default)]
pub struct AlignedBytes {
    /// As many as `len` needs; what lies past it in the last one is zero.
    lines: Vec<Line>,
    len: usize,
}

impl AlignedBytes {
    /// What the address of the first byte is a multiple of.
    pub const ALIGN: usize = 64;

    /// The memory that `len` bytes take.
    pub(crate) const fn storage(len: usize) -> usize {
        // Only what is no length of a slice is cut off.
        len.saturating_add(Self::ALIGN - 1) / Self::ALIGN * Self::ALIGN
    }

    /// No bytes, and no allocation.
    #[must_use]
    pub const fn new() -> Self {
        AlignedBytes { lines: Vec::new(), len: 0 }
    }

    /// `len` zeros.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        // Fresh pages of the system are zero already, and are touched when they are written.
        let lines = len.div_ceil(Self::ALIGN);
        let lines = bytemuck::try_zeroed_vec(lines).unwrap_or_else(|()| alloc::vec![Line::ZERO; lines]);
        AlignedBytes { lines, len }
    }

    /// The same bytes in storage of their own.
    #[must_use]
    pub fn copy_of(bytes: &[u8]) -> Self {
        let mut copy = AlignedBytes::new();
        copy.assign(bytes);
        copy
    }

    /// Replaces the content by these bytes. Storage is allocated only when there is too little of it, and the
    /// old one is then given back first.
    pub fn assign(&mut self, bytes: &[u8]) {
        // Line by line: one call of memcpy for all was measured to take three times as long, from a vector into
        // aligned storage. Why is not known; where the two lie within their pages may have to do with it.
        self.clear();
        let lines = bytes.len().div_ceil(Self::ALIGN);
        if lines > self.lines.capacity() {
            *self = AlignedBytes::new();
            self.lines.reserve_exact(lines);
        }
        let rest = bytes.chunks_exact(Self::ALIGN).remainder();
        parallel::extend::<_, { Self::ALIGN }>(&mut self.lines, bytes, Line::padded);
        if !rest.is_empty() {
            self.lines.push(Line::padded(rest));
        }
        self.len = bytes.len();
    }

    /// Forgets the content and keeps the storage.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.len = 0;
    }

    /// How many bytes the storage holds without another allocation.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.lines.capacity() * Self::ALIGN
    }

    /// Makes room for `len` bytes in all, exactly, without changing the content.
    #[cfg(feature = "std")]
    pub(crate) fn try_reserve_total(&mut self, len: usize) -> std::io::Result<()> {
        let more = len.div_ceil(Self::ALIGN).saturating_sub(self.lines.len());
        self.lines.try_reserve_exact(more).map_err(|_| std::io::ErrorKind::OutOfMemory.into())
    }

    /// Appends `more` zeros and gives them, to be written over.
    #[cfg(feature = "std")]
    pub(crate) fn grow(&mut self, more: usize) -> &mut [u8] {
        let start = self.len;
        self.len += more;
        self.lines.resize(self.len.div_ceil(Self::ALIGN), Line::ZERO);
        &mut self[start..]
    }

    /// Cuts the content off after `len` bytes.
    #[cfg(feature = "std")]
    pub(crate) fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.lines.truncate(len.div_ceil(Self::ALIGN));
        self.len = len;
        if let Some(Line(last)) = self.lines.last_mut() {
            let used = len % Self::ALIGN;
            if used != 0 {
                last[used..].fill(0);
            }
        }
    }
}

impl Deref for AlignedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl DerefMut for AlignedBytes {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}

impl AsRef<[u8]> for AlignedBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<&[u8]> for AlignedBytes {
    fn from(bytes: &[u8]) -> Self {
        AlignedBytes::copy_of(bytes)
    }
}

impl PartialEq for AlignedBytes {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl Eq for AlignedBytes {}

impl fmt::Debug for AlignedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AlignedBytes({} bytes)", self.len)
    }
}
