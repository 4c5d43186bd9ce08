//! Bytes that begin at a multiple of 64 in memory, as payloads do in a block.

#[cfg(all(feature = "std", target_os = "linux"))]
use super::pages::Pages;
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
    #[expect(clippy::indexing_slicing, reason = "every caller gives at most a line")]
    fn padded(bytes: &[u8]) -> Line {
        let mut line = Line::ZERO;
        line.0[..bytes.len()].copy_from_slice(bytes);
        line
    }
}

const _: () = assert!(size_of::<Line>() == AlignedBytes::ALIGN && align_of::<Line>() == AlignedBytes::ALIGN);

/// Where the bytes are.
enum Storage {
    /// As many lines as the bytes need; what lies past these in the last one is zero.
    Lines(Vec<Line>),
    #[cfg(all(feature = "std", target_os = "linux"))]
    Pages(Pages),
}
use Storage::*;

impl Storage {
    /// Storage for a large number of bytes, if there are that many and the system gives it.
    fn large(len: usize) -> Option<Storage> {
        #[cfg(all(feature = "std", target_os = "linux"))]
        if len >= Pages::LEAST {
            return Pages::new(AlignedBytes::storage(len)).map(Pages);
        }
        let _ = len;
        None
    }

    /// Storage without content that `len` bytes fit into, if there is so much memory.
    fn try_with_capacity(len: usize) -> Option<Storage> {
        if let Some(large) = Storage::large(len) {
            return Some(large);
        }
        let mut lines = Vec::new();
        lines.try_reserve_exact(len.div_ceil(AlignedBytes::ALIGN)).ok()?;
        Some(Lines(lines))
    }
}

/// Owned bytes that begin at a multiple of 64 in memory, so that every payload of a block that is copied into
/// them can be used in place. Chapter: Views and owned copies.
///
/// On Linux, storage for 32 MiB and more comes from the system, past the global allocator, and in huge pages where
/// the system offers them: fresh memory is then filled several times faster.
///
/// ```
/// use kiln::tensor::AlignedBytes;
/// let bytes = AlignedBytes::copy_of(&[1, 2, 3]);
/// assert_eq!(bytes[..], [1, 2, 3]);
/// assert_eq!(bytes.as_ptr() as usize % AlignedBytes::ALIGN, 0);
/// ```
pub struct AlignedBytes {
    storage: Storage,
    len: usize,
}

impl AlignedBytes {
    /// What the address of the first byte is a multiple of.
    pub const ALIGN: usize = 64;

    /// The memory that `len` bytes take.
    pub(crate) const fn storage(len: usize) -> usize {
        // Only what is no length of a slice is cut off.
        len.saturating_add(Self::ALIGN - 1) & !(Self::ALIGN - 1)
    }

    /// No bytes, and no allocation.
    #[must_use]
    pub const fn new() -> Self {
        AlignedBytes { storage: Lines(Vec::new()), len: 0 }
    }

    /// `len` zeros.
    ///
    /// # Panics
    /// As [`Vec::with_capacity`] for more than memory can hold; [`try_zeroed`](Self::try_zeroed) says so.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        // What cannot be had is said as vectors say it.
        AlignedBytes::try_zeroed(len).unwrap_or_else(|| AlignedBytes {
            storage: Lines(alloc::vec![Line::ZERO; len.div_ceil(Self::ALIGN)]),
            len,
        })
    }

    /// `len` zeros, or nothing when memory cannot hold them.
    ///
    /// ```
    /// use kiln::tensor::AlignedBytes;
    /// assert_eq!(AlignedBytes::try_zeroed(3).unwrap()[..], [0; 3]);
    /// assert!(AlignedBytes::try_zeroed(usize::MAX).is_none());
    /// ```
    #[must_use]
    pub fn try_zeroed(len: usize) -> Option<Self> {
        let storage = match Storage::large(len) {
            Some(storage) => storage,
            None => Lines(bytemuck::allocation::try_zeroed_vec(len.div_ceil(Self::ALIGN)).ok()?),
        };
        let mut zeros = AlignedBytes { storage, len };
        // Whatever is written there from now on is known to the storage.
        zeros.all_mut();
        Some(zeros)
    }

    /// The same bytes in storage of their own.
    ///
    /// # Panics
    /// As [`Vec::with_capacity`] for more than memory can hold; [`try_copy_of`](Self::try_copy_of) says so.
    #[must_use]
    pub fn copy_of(bytes: &[u8]) -> Self {
        let mut copy = AlignedBytes::new();
        copy.assign(bytes);
        copy
    }

    /// The same bytes in storage of their own, or nothing when memory cannot hold it.
    ///
    /// ```
    /// use kiln::tensor::AlignedBytes;
    /// assert_eq!(AlignedBytes::try_copy_of(&[1, 2, 3]).unwrap()[..], [1, 2, 3]);
    /// ```
    #[must_use]
    pub fn try_copy_of(bytes: &[u8]) -> Option<Self> {
        let mut copy = AlignedBytes { storage: Storage::try_with_capacity(bytes.len())?, len: 0 };
        copy.assign(bytes);
        Some(copy)
    }

    /// Replaces the content by these bytes. Storage is allocated only when there is too little of it, and the
    /// old one is then given back first.
    ///
    /// # Panics
    /// As [`Vec::with_capacity`] for more than memory can hold.
    pub fn assign(&mut self, bytes: &[u8]) {
        let lines = bytes.len().div_ceil(Self::ALIGN);
        if bytes.len() > self.capacity() {
            *self = AlignedBytes::new();
            self.storage = Storage::large(bytes.len()).unwrap_or_else(|| Lines(Vec::with_capacity(lines)));
        }
        self.len = bytes.len();
        match &mut self.storage {
            Lines(there) => {
                // What is there is written over, and lines are added to it.
                there.truncate(bytes.len() / Self::ALIGN);
                let (over, more) = bytes.split_at(size_of_val(there.as_slice()));
                parallel::copy(over, bytemuck::cast_slice_mut(there));
                parallel::extend::<_, { Self::ALIGN }>(there, more, Line::padded);
                if there.len() < lines {
                    there.push(Line::padded(more.chunks_exact(Self::ALIGN).remainder()));
                }
            }
            #[cfg(all(feature = "std", target_os = "linux"))]
            Pages(pages) => parallel::copy(bytes, pages.first_mut(bytes.len())),
        }
    }

    /// Forgets the content and keeps the storage.
    pub fn clear(&mut self) {
        match &mut self.storage {
            Lines(lines) => lines.clear(),
            #[cfg(all(feature = "std", target_os = "linux"))]
            Pages(_) => {}
        }
        self.len = 0;
    }

    /// How many bytes the storage holds without another allocation.
    #[must_use]
    #[expect(clippy::arithmetic_side_effects, reason = "the bytes of an allocation are at most isize::MAX")]
    pub fn capacity(&self) -> usize {
        match &self.storage {
            Lines(lines) => lines.capacity() * Self::ALIGN,
            #[cfg(all(feature = "std", target_os = "linux"))]
            Pages(pages) => pages.len(),
        }
    }

    /// Makes room for `len` bytes in all, exactly, without changing the content.
    #[cfg(feature = "std")]
    pub(crate) fn try_reserve_total(&mut self, len: usize) -> std::io::Result<()> {
        if len <= self.capacity() {
            return Ok(());
        }
        let storage = Storage::try_with_capacity(len).ok_or(std::io::ErrorKind::OutOfMemory)?;
        let mut larger = AlignedBytes { storage, len: 0 };
        larger.assign(self);
        *self = larger;
        Ok(())
    }

    /// Appends `more` zeros and gives them, to be written over.
    #[cfg(feature = "std")]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`read_block` asks for no more than there is room for"
    )]
    pub(crate) fn grow(&mut self, more: usize) -> &mut [u8] {
        let start = self.len;
        self.len += more;
        match &mut self.storage {
            Lines(lines) => lines.resize(self.len.div_ceil(Self::ALIGN), Line::ZERO),
            #[cfg(target_os = "linux")]
            Pages(pages) => pages.clear(start, self.len),
        }
        self.all_mut().get_mut(start..).unwrap_or_default()
    }

    /// Cuts the content off after `len` bytes.
    #[cfg(feature = "std")]
    pub(crate) fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.len = len;
        match &mut self.storage {
            Lines(lines) => {
                lines.truncate(len.div_ceil(Self::ALIGN));
                if let Some(Line(last)) = lines.last_mut() {
                    let used = len % Self::ALIGN;
                    if let Some(unused) = last.get_mut(used..).filter(|_| used != 0) {
                        unused.fill(0);
                    }
                }
            }
            #[cfg(target_os = "linux")]
            Pages(_) => {}
        }
    }

    #[expect(clippy::indexing_slicing, reason = "`len` is at most what the lines hold")]
    fn all_mut(&mut self) -> &mut [u8] {
        match &mut self.storage {
            Lines(lines) => &mut bytemuck::cast_slice_mut(lines)[..self.len],
            #[cfg(all(feature = "std", target_os = "linux"))]
            Pages(pages) => pages.first_mut(self.len),
        }
    }
}

impl Default for AlignedBytes {
    fn default() -> Self {
        AlignedBytes::new()
    }
}

impl Clone for AlignedBytes {
    fn clone(&self) -> Self {
        AlignedBytes::copy_of(self)
    }
}

impl Deref for AlignedBytes {
    type Target = [u8];

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "`len` is at most what the storage holds")]
    fn deref(&self) -> &[u8] {
        match &self.storage {
            Lines(lines) => &bytemuck::cast_slice(lines)[..self.len],
            #[cfg(all(feature = "std", target_os = "linux"))]
            Pages(pages) => &pages.bytes()[..self.len],
        }
    }
}

impl DerefMut for AlignedBytes {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        self.all_mut()
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

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::AlignedBytes;

    #[test]
    fn growing_appends_zeros_where_there_was_something_else_before() {
        for len in [1_000, 33 << 20] {
            let mut bytes = AlignedBytes::copy_of(&alloc::vec![7; len]);
            bytes.truncate(70);
            assert!(bytes.grow(len - 70).iter().all(|byte| *byte == 0));
            assert!(bytes[..70].iter().all(|byte| *byte == 7));
            bytes.truncate(10);
            bytes.try_reserve_total(len + 1).unwrap();
            assert!(bytes.grow(len - 9).iter().all(|byte| *byte == 0));
            assert_eq!((bytes.len(), &bytes[..11]), (len + 1, &[7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0][..]));
        }
    }
}
