//! The inner loops, called kernels: small functions over many bytes, for every set of instructions, or [`Level`],
//! that pays. They say yes or no, or give values; where a fault is, the check order finds.
//!
//! The reader and the builder use the kernels by themselves, at the best level of the processor that they run on.
//! A program comes here to see or to [force](Level::force) the level, or to use the numbers of a payload:
//! [`Kernels`] unpacks and packs four-bit elements and converts small floats, in bulk.
//!
//! Every level gives the same answers. They are compiled from the same plain code, but for what was measured to
//! be well ahead of it when written with a level's own instructions: on x86-64 UTF-8 (by the crate `simdutf8`), the
//! conversions to `f32` from four-bit elements, E4M3, E5M2 and half precision, swapping copies larger than the caches,
//! and plain copies, which `memcpy` makes slowly at some addresses. Everything else was no faster by hand.
//!
//! [`Level::Avx512`] has been tested on an emulated processor and measured on none: a processor that has AVX-512 uses
//! [`Level::Avx2`] until it is told otherwise. The conversions of [`Level::Neon`] were chosen by a model of three processors.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod aarch64;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
))]
mod blocks;
mod kernels;
mod level;
mod scalar;
pub(crate) mod window;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

pub use kernels::Kernels;
pub use level::{Level, Unavailable};

use core::mem::MaybeUninit;

/// Whether any byte has a bit of `mask` set. With 0xff: whether any byte is not 0; with 0xfe: whether any is
/// no bool; with 0xf0: whether any has a high half.
#[inline]
pub(crate) fn any_bit_set(bytes: &[u8], mask: u8) -> bool {
    // Few bytes need no kernel, and so no look at the level.
    if bytes.len() < kernels::SHORT {
        scalar::any_bit_set_in_few(bytes, mask)
    } else {
        Kernels::best().any_bit_set(bytes, mask)
    }
}

/// Asks for the memory of bytes that will be read soon: the line of the cache that the first of them lies in.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8]) {
    prefetch_behind(bytes, 0);
}

/// The same for what lies so many bytes behind the first of these, be there memory or not.
#[inline(always)]
pub(crate) fn prefetch_behind(bytes: &[u8], distance: usize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: a hint, which every processor with SSE takes whatever the address is.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(distance).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = (bytes, distance);
}

/// Copies bytes to a slice of the same length.
#[inline]
pub(crate) fn copy(bytes: &[u8], out: &mut [u8]) {
    copy_to_slots(bytes, slots(out));
}

/// Copies bytes to as many slots, which then hold them.
#[inline]
pub(crate) fn copy_to_slots(bytes: &[u8], out: &mut [MaybeUninit<u8>]) {
    // What is short needs no look at the level.
    if bytes.len() < kernels::COPIED {
        out.copy_from_slice(filled(bytes));
    } else {
        Kernels::best().copy(bytes, out);
    }
}

/// Bytes as slots that hold them.
#[inline(always)]
fn filled(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: the layout is the same, and initialised bytes are a special case of those that need not be.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// Bytes as slots, for those who write bytes to them and nothing else.
#[inline(always)]
fn slots(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the layout is the same, initialised bytes are a special case of those that need not be, and who gets
    // them, which is this module alone, takes no byte away.
    unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Copies little-endian numbers of `width` bytes, 1, 2, 4 or 8, to memory in the host's order, as long as they are.
#[inline]
pub(crate) fn copy_from_le(bytes: &[u8], width: usize, out: &mut [u8]) {
    if cfg!(target_endian = "little") {
        copy(bytes, out)
    } else {
        Kernels::best().copy_swapped(bytes, width, out)
    }
}

/// Reverses the bytes of every number of `width` bytes: 1, 2, 4 or 8.
#[inline]
pub(crate) fn swap_in_place(bytes: &mut [u8], width: usize) {
    Kernels::best().swap_in_place(bytes, width);
}

/// Where the first byte lies that has a bit of `mask`: in the first piece of which the kernel says that it has one.
#[cold]
pub(crate) fn first_bit_set(bytes: &[u8], mask: u8) -> Option<usize> {
    const PIECE: usize = 4096;
    let (number, piece) = bytes.chunks(PIECE).enumerate().find(|(_, piece)| any_bit_set(piece, mask))?;
    let at = piece.iter().position(|&byte| byte & mask != 0)?;
    number.checked_mul(PIECE)?.checked_add(at)
}
