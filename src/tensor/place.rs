//! The one placement: where everything in a block lies. The encoder writes by it and the checker compares
//! with it. Chapter: Canonical layout.

use super::descriptor::Descriptor;
use super::header::Header;

/// What payloads, and the region they lie in, are aligned to, in bytes from the start of the directory.
pub const ALIGNMENT: u64 = 64;

/// The least multiple of 64 that is not below `at`, if it is below 2^64.
#[inline]
pub(crate) const fn align(at: u64) -> Option<u64> {
    at.checked_next_multiple_of(ALIGNMENT)
}

/// The length of descriptors and name heap, in bytes, if it is below 2^64.
#[inline]
pub(crate) fn directory_bytes(tensor_count: u64, name_bytes: u64) -> Option<u64> {
    tensor_count.checked_mul(Descriptor::LEN as u64)?.checked_add(name_bytes)
}

/// Where the payloads begin behind that many bytes of descriptors and names.
#[inline]
pub(crate) fn payload_base(directory_bytes: u64) -> Option<u64> {
    align(directory_bytes.checked_add(Header::LEN as u64)?)
}

/// Places payloads one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payloads {
    cursor: u64,
}

impl Payloads {
    /// Nothing placed yet.
    #[inline]
    pub(crate) const fn new(payload_base: u64) -> Self {
        Payloads { cursor: payload_base }
    }

    /// Where the next payload begins, whatever its length. Nothing at 2^64.
    #[inline]
    pub(crate) const fn next(&self) -> Option<u64> {
        align(self.cursor)
    }

    /// Places a payload of `len` bytes and says where it begins. Nothing when it would end at 2^64 or later.
    #[inline]
    pub(crate) fn place(&mut self, len: u64) -> Option<u64> {
        let offset = self.next()?;
        self.cursor = offset.checked_add(len)?;
        Some(offset)
    }

    /// Where the last payload ends: the end of the block.
    #[inline]
    pub(crate) const fn end(&self) -> u64 {
        self.cursor
    }
}

/// Places names in the heap one after another: all tensor names, then all layout names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heap {
    used: u64,
}

impl Heap {
    /// Nothing placed yet.
    pub(crate) const NONE: Heap = Heap::new(0);

    /// So many bytes are used.
    #[inline]
    pub(crate) const fn new(used: u64) -> Self {
        Heap { used }
    }

    /// The offset of the next name when it has `len` bytes: 0 when it has none. It is a u64 so that an offset
    /// that a descriptor cannot hold is seen to be no canonical one.
    #[inline]
    pub(crate) const fn next(&self, len: u32) -> u64 {
        if len == 0 { 0 } else { self.used }
    }

    /// Places a name of `len` bytes and gives its offset.
    #[inline]
    pub(crate) fn place(&mut self, len: u32) -> u64 {
        let offset = self.next(len);
        // 2^32 names of 2^32 bytes are more than any input holds.
        self.used = self.used.saturating_add(u64::from(len));
        offset
    }

    /// The bytes used so far: at the end, the length of the heap.
    #[inline]
    pub(crate) const fn used(&self) -> u64 {
        self.used
    }
}
