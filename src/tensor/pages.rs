//! Large storage straight from the system, in huge pages where it has them.

use memmap2::{Advice, MmapMut};

/// Memory that the system gives as zeros, page by page, when it is touched. Touching a gigabyte costs a quarter of a
/// million faults with small pages and 512 with huge ones.
/// It begins at a multiple of the size of a page, and so of 64.
pub(super) struct Pages {
    map: MmapMut,
    /// Nothing past so many bytes was ever written: they are zeros.
    written: usize,
}

impl Pages {
    /// From so many bytes on the storage comes from here. Below, glibc's allocator keeps what is given back, so that
    /// it does not have to be touched anew; from here on it asks the system each time as well.
    pub(super) const LEAST: usize = 32 << 20;

    /// `len` zeros, which are some, if the system gives so many.
    pub(super) fn new(len: usize) -> Option<Self> {
        let map = MmapMut::map_anon(len).ok()?;
        // A system that has no huge pages says so. Small ones do as well, only slower.
        let _ = map.advise(Advice::HugePage);
        Some(Pages { map, written: 0 })
    }

    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The first `len` bytes, to be written: whatever was there before.
    #[expect(
        clippy::indexing_slicing,
        reason = "`AlignedBytes` asks for no more than its capacity, which is the map's length"
    )]
    pub(super) fn first_mut(&mut self, len: usize) -> &mut [u8] {
        self.written = self.written.max(len);
        &mut self.map[..len]
    }

    /// Makes zeros of these bytes.
    #[expect(
        clippy::indexing_slicing,
        reason = "`start` and `end` are lengths that `AlignedBytes` has and will have, within its capacity"
    )]
    pub(super) fn clear(&mut self, start: usize, end: usize) {
        let stale = self.written.clamp(start, end);
        self.map[start..stale].fill(0);
    }
}
