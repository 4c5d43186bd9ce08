//! Whether there are threads to divide work among, with the feature `rayon`. A process that may start none does
//! everything on the calling thread.

use rayon::iter::plumbing::{Consumer, ProducerCallback, UnindexedConsumer};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use std::error::Error;
use std::sync::OnceLock;

/// Whether `rayon` can be used by this thread: in the pool that it works in, or in the program's, which is started now
/// if nobody has done so.
pub(crate) fn is_pool() -> bool {
    static PROGRAM: OnceLock<bool> = OnceLock::new();
    rayon::current_thread_index().is_some() || *PROGRAM.get_or_init(start)
}

/// Starts the program's pool. What asks `rayon` for it without having looked panics where no thread can be started, and
/// so does everybody who asks later.
fn start() -> bool {
    // Where a target has no threads, `rayon` itself makes do with the calling one.
    if cfg!(target_family = "wasm") {
        return true;
    }
    match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        // The system gave no thread.
        Err(error) if error.source().is_some() => false,
        // Somebody has been here before, and only asking tells how they fared.
        Err(_) => std::panic::catch_unwind(rayon::current_num_threads).is_ok(),
    }
}

/// Sees to it that `rayon` can be used by this thread. Without a pool the thread becomes one by itself, until it ends.
fn make_do() {
    if !is_pool() {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        // Dropped, the pool would end while this thread goes on working in it.
        core::mem::forget(alone);
    }
}

/// An iterator that makes do with the thread that runs it where there is no pool.
pub(crate) struct MakingDo<I>(pub(crate) I);

impl<I: ParallelIterator> ParallelIterator for MakingDo<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        make_do();
        self.0.drive_unindexed(consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        self.0.opt_len()
    }
}

impl<I: IndexedParallelIterator> IndexedParallelIterator for MakingDo<I> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn drive<C: Consumer<I::Item>>(self, consumer: C) -> C::Result {
        make_do();
        self.0.drive(consumer)
    }

    fn with_producer<C: ProducerCallback<I::Item>>(self, callback: C) -> C::Output {
        make_do();
        self.0.with_producer(callback)
    }
}
