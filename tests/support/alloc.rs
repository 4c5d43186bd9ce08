//! An allocator that counts what the current thread asks for and holds.
#![allow(unsafe_code)]
// Each test uses a part.
#![allow(dead_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// What is held, less what was given back that another thread had asked for.
    static HELD: Cell<i64> = const { Cell::new(0) };
    static MOST_HELD: Cell<i64> = const { Cell::new(0) };
    /// The largest request that is granted.
    static MOST_GRANTED: Cell<usize> = const { Cell::new(usize::MAX) };
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

/// Runs `work` and says how many bytes glibc takes for what it asked for on this thread: a word is put before each block,
/// which then is a multiple of two words and at least four.
pub(crate) fn taken<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = TAKEN.get();
    let result = work();
    (result, TAKEN.get() - before)
}

/// Runs `work` and says how many bytes more than before it held at once, on this thread.
pub(crate) fn peak<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = HELD.get();
    MOST_HELD.set(before);
    let result = work();
    (result, (MOST_HELD.get() - before) as u64)
}

/// Runs `work` on a machine that has no memory for more than `most` bytes at once, as far as this thread can tell.
pub(crate) fn short_of_memory<R>(most: usize, work: impl FnOnce() -> R) -> R {
    let before = MOST_GRANTED.replace(most);
    let result = work();
    MOST_GRANTED.set(before);
    result
}

fn count(size: usize) {
    CALLS.set(CALLS.get() + 1);
    BYTES.set(BYTES.get() + size as u64);
    let word = size_of::<usize>();
    TAKEN.set(TAKEN.get() + (size + word).next_multiple_of(2 * word).max(4 * word) as u64);
    HELD.set(HELD.get() + size as i64);
    MOST_HELD.set(MOST_HELD.get().max(HELD.get()));
}

fn give_back(size: usize) {
    HELD.set(HELD.get() - size as i64);
}

/// What the system has given, counted if it has.
fn given(block: *mut u8, size: usize) -> *mut u8 {
    if !block.is_null() {
        count(size);
    }
    block
}

/// Whether a request is not even passed on.
fn is_refused(size: usize) -> bool {
    size > MOST_GRANTED.get()
}

// SAFETY: every call goes to System as it came, or is refused as any allocator may; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return core::ptr::null_mut();
        }
        // SAFETY: passed on from the caller.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return core::ptr::null_mut();
        }
        // SAFETY: passed on from the caller.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_refused(size) {
            return core::ptr::null_mut();
        }
        // SAFETY: passed on from the caller.
        let moved = given(unsafe { System.realloc(block, layout, size) }, size);
        if !moved.is_null() {
            // Both may have been there for a while, and were counted.
            give_back(layout.size());
        }
        moved
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: passed on from the caller.
        unsafe { System.dealloc(block, layout) }
    }
}
