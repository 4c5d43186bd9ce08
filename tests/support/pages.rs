//! Memory of whole pages, some of which nobody may read: a read there ends the test program.
#![allow(unsafe_code)]
// Each test uses a part.
#![allow(dead_code)]

use core::ffi::{c_int, c_void};

/// At least the page of every system that the tests run on.
pub(crate) const SIZE: usize = 64 << 10;

const PROT_NONE: c_int = 0;
const PROT_READ: c_int = 1;
const PROT_WRITE: c_int = 2;

// The C library is there, since std links it.
unsafe extern "C" {
    fn mprotect(start: *mut c_void, len: usize, protection: c_int) -> c_int;
}

/// A copy of some bytes.
pub(crate) struct Pages {
    storage: Vec<u8>,
    /// Where the copy begins in the storage: at the start of a page.
    start: usize,
    len: usize,
    forbidden: Vec<usize>,
}

impl Pages {
    pub(crate) fn new(bytes: &[u8]) -> Pages {
        let mut storage = vec![0; bytes.len() + SIZE];
        let start = storage.as_ptr().align_offset(SIZE);
        storage[start..start + bytes.len()].copy_from_slice(bytes);
        Pages { storage, start, len: bytes.len(), forbidden: Vec::new() }
    }

    /// The copy. Reading a byte of a forbidden page ends the program.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.storage[self.start..self.start + self.len]
    }

    /// Forbids the pages that lie wholly between the bytes `from` and `to` of the copy.
    pub(crate) fn forbid(&mut self, from: usize, to: usize) {
        for page in from.div_ceil(SIZE)..to / SIZE {
            self.protect(page, PROT_NONE);
            self.forbidden.push(page);
        }
    }

    /// How many pages are forbidden.
    pub(crate) fn forbidden(&self) -> usize {
        self.forbidden.len()
    }

    /// A readable page between two forbidden ones.
    pub(crate) fn fenced() -> Pages {
        let mut pages = Pages::new(&vec![0; 3 * SIZE]);
        pages.forbid(0, SIZE);
        pages.forbid(2 * SIZE, 3 * SIZE);
        pages
    }

    /// The page between the fences.
    pub(crate) fn inside(&mut self) -> &mut [u8] {
        &mut self.storage[self.start + SIZE..][..SIZE]
    }

    fn protect(&mut self, page: usize, protection: c_int) {
        let bytes = &mut self.storage[self.start + page * SIZE..][..SIZE];
        // SAFETY: the whole page belongs to the storage, and no reference to it is read while it is forbidden
        // but for the reads that a test is there to catch.
        let status = unsafe { mprotect(bytes.as_mut_ptr().cast(), SIZE, protection) };
        assert_eq!(status, 0, "the system refuses to change the protection of a page");
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // The allocator gets its memory back as it was.
        for page in core::mem::take(&mut self.forbidden) {
            self.protect(page, PROT_READ | PROT_WRITE);
        }
    }
}
