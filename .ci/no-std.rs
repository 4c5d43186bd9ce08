//! A program without a standard library, built and run by .ci/no-std.
//!
//! It leans on the C library for memory and for its start, as an embedder would.
#![no_std]

extern crate alloc;

use alloc::{string::String, vec::Vec};
use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;

unsafe extern "C" {
    fn aligned_alloc(alignment: usize, size: usize) -> *mut u8;
    fn free(pointer: *mut u8);
    fn abort() -> !;
}

struct CLibrary;

// SAFETY: aligned_alloc gives unique memory of the asked alignment and size or null, which is GlobalAlloc's
// contract; C11 asks for a size that is a multiple of the alignment, and Layout lets it be padded.
unsafe impl GlobalAlloc for CLibrary {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let layout = layout.pad_to_align();
        // SAFETY: the alignment is a power of two and divides the size.
        unsafe { aligned_alloc(layout.align(), layout.size()) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        // SAFETY: the caller promises that `alloc` gave this pointer.
        unsafe { free(pointer) }
    }
}

#[global_allocator]
static ALLOCATOR: CLibrary = CLibrary;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: abort has no precondition.
    unsafe { abort() }
}

// The precompiled core and alloc refer to it; nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// Encodes and decodes, and gives 0 when everything came back.
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let words: Vec<String> = ["one", "two", "three"].map(String::from).into();
    let Ok(bytes) = kiln::to_vec(&words) else { return 2 };
    match kiln::from_slice::<Vec<String>>(&bytes) {
        Ok(back) if back == words => {}
        _ => return 3,
    }
    match kiln::from_slice::<Vec<String>>(&bytes[..bytes.len() - 1]) {
        Err(error) if error.code() == kiln::Code::Eof => 0,
        _ => 4,
    }
}
