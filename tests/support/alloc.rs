//! An allocator that counts what the current thread asks for. A test binary that needs it has
//!
//! ```text
//! #[path = "support/alloc.rs"]
//! mod alloc;
//! #[global_allocator]
//! static COUNTING: alloc::Counting = alloc::Counting;
//! ```
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

/// [`System`], counting.
pub(crate) struct Counting;

/// What was asked for: calls that allocate or reallocate, and their sizes added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) calls: u64,
    pub(crate) bytes: u64,
}

/// Runs `work` and says what it asked for on this thread.
pub(crate) fn counted<R>(work: impl FnOnce() -> R) -> (R, Asked) {
    let before = (CALLS.get(), BYTES.get());
    let result = work();
    (result, Asked { calls: CALLS.get() - before.0, bytes: BYTES.get() - before.1 })
}

fn count(size: usize) {
    CALLS.set(CALLS.get() + 1);
    BYTES.set(BYTES.get() + size as u64);
}

// SAFETY: every call goes to System as it came; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: passed on from the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: passed on from the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: passed on from the caller.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: passed on from the caller.
        unsafe { System.dealloc(block, layout) }
    }
}
