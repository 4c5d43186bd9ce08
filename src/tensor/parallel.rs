//! Scans, copies and tables that are long enough for several threads, with the feature `rayon`. Without it, below the
//! sizes here, and where no thread can be started, the calling thread does everything itself. Below the sizes the pool is
//! not even touched.
//!
//! Payloads are divided by bytes: how many tensors there are and how long each is makes no difference.

use crate::arch;
#[cfg(feature = "rayon")]
use crate::threads;
use alloc::vec::Vec;
use core::ops::Range;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// From so many bytes on several threads are faster: starting them takes as long as reading some hundred KiB.
#[cfg(feature = "rayon")]
const LARGE: usize = 4 << 20;

/// What a thread takes at once.
#[cfg(feature = "rayon")]
const PIECE: usize = 512 << 10;

/// The payloads of bool tensors. Whether they are well is yes or no, so that it does not matter which thread finds
/// out: which byte is wrong, the check order says.
#[derive(Default)]
pub(super) struct Bools<'a> {
    /// Those that are long, looked at together at the end.
    #[cfg(feature = "rayon")]
    put_off: Vec<&'a [u8]>,
    #[cfg(not(feature = "rayon"))]
    looked_at: core::marker::PhantomData<&'a [u8]>,
}

impl<'a> Bools<'a> {
    /// Takes a payload. False when a byte of it is found to be no bool.
    pub(super) fn take(&mut self, payload: &'a [u8]) -> bool {
        #[cfg(feature = "rayon")]
        if payload.len() >= PIECE {
            self.put_off.push(payload);
            return true;
        }
        !arch::any_bit_set(payload, 0xfe)
    }

    /// Whether all bytes of all payloads are bools, as far as [`take`](Self::take) has not said no.
    #[cfg(feature = "rayon")]
    pub(super) fn finish(self) -> bool {
        let wrong = |piece: &[u8]| arch::any_bit_set(piece, 0xfe);
        if self.put_off.iter().map(|payload| payload.len()).sum::<usize>() < LARGE || !threads::is_pool() {
            !self.put_off.into_iter().any(wrong)
        } else {
            !self.put_off.par_iter().flat_map(|payload| payload.par_chunks(PIECE)).any(wrong)
        }
    }

    /// Nothing is put off.
    #[cfg(not(feature = "rayon"))]
    pub(super) fn finish(self) -> bool {
        true
    }
}

/// From so many tensors on several threads are faster at the table of descriptors: one goes through so many in 2 to 3
/// milliseconds. Below, a second core that is not free at once has been seen to make it slower.
#[cfg(feature = "rayon")]
const MANY: usize = 128 << 10;

/// The tensors that a thread looks at, at least.
#[cfg(feature = "rayon")]
const RUN: usize = 8 << 10;

/// The ranges in which several threads look at the descriptors of `count` tensors. Nothing when one does it all.
#[cfg(feature = "rayon")]
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a small multiple of a number of threads, and positions in a table that lies in memory"
)]
pub(super) fn runs(count: usize) -> Option<Vec<Range<usize>>> {
    if count < MANY || !threads::is_pool() {
        return None;
    }
    let threads = rayon::current_num_threads();
    if threads == 1 {
        return None;
    }
    // More ranges than threads, as not all threads start or go on equally fast.
    let len = count.div_ceil(threads * 4).max(RUN);
    Some((0..count).step_by(len).map(|start| start..count.min(start + len)).collect())
}

/// The ranges in which several threads look at the descriptors of `count` tensors: there is one thread.
#[cfg(not(feature = "rayon"))]
pub(super) fn runs(_: usize) -> Option<Vec<Range<usize>>> {
    None
}

/// What `item` makes of all, or what it makes of one that it makes nothing of; on several threads.
pub(super) fn try_map<T: Send, R: Send, E: Send>(
    items: Vec<T>,
    item: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "rayon")]
    if threads::is_pool() {
        return items.into_par_iter().map(item).collect();
    }
    items.into_iter().map(item).collect()
}

/// Adds what `item` makes of each chunk of `N` bytes to a vector that has room for all.
#[cfg_attr(
    feature = "rayon",
    expect(clippy::arithmetic_side_effects, reason = "only called with the length of a line")
)]
pub(super) fn extend<T: Send, const N: usize>(
    to: &mut Vec<T>,
    bytes: &[u8],
    item: impl Fn(&[u8]) -> T + Sync + Send,
) {
    #[cfg(feature = "rayon")]
    if bytes.len() >= LARGE && threads::is_pool() {
        to.par_extend(bytes.par_chunks_exact(N).with_min_len(PIECE / N).map(item));
        return;
    }
    to.extend(bytes.chunks_exact(N).map(item));
}

/// Copies bytes to a slice of the same length.
pub(super) fn copy(bytes: &[u8], to: &mut [u8]) {
    #[cfg(feature = "rayon")]
    if bytes.len() >= LARGE && threads::is_pool() {
        let kernels = arch::Kernels::best();
        let pieces = to.par_chunks_mut(PIECE).zip(bytes.par_chunks(PIECE));
        return pieces.for_each(|(to, bytes)| kernels.copy_part(bytes, to));
    }
    arch::copy(bytes, to);
}
