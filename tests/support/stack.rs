//! How far down its stack a thread gets while a value is read, tested, counted, written or dropped, and how far it may.

use kiln::schema::{Scalar, Shape, StaticType, Typed};
use kiln::wire::{Measure, Sink, Source};
use kiln::{Decode, Encode, EncodeError, Fault, Frozen};
use std::cell::Cell;
use std::hint::black_box;

/// The bytes that a container may take, and those for each field of a struct, as SECURITY.md says them.
pub(crate) const CONTAINER: usize = if cfg!(debug_assertions) { 4096 } else { 512 };
pub(crate) const FIELD: usize = if cfg!(debug_assertions) { 512 } else { 16 };
/// What is taken beside the containers: by the thread itself, and by what is called innermost.
pub(crate) const BESIDE: usize = if cfg!(debug_assertions) { 64 << 10 } else { 48 << 10 };
/// How often a value that an optional or a dict holds is there while it is moved into its place.
pub(crate) const MOVED: usize = if cfg!(debug_assertions) { 24 } else { 8 };

/// How often a value that is asked for by value is there until the caller has it.
pub(crate) const GIVEN: usize = if cfg!(debug_assertions) { 24 } else { 4 };

thread_local! {
    static LOWEST: Cell<usize> = const { Cell::new(usize::MAX) };
}

#[inline(never)]
fn mark() {
    let here = black_box(0u8);
    let at = std::ptr::from_ref(black_box(&here)).addr();
    LOWEST.set(LOWEST.get().min(at));
}

/// The lowest address at which `work` met a [`Probe`].
pub(crate) fn lowest(work: impl FnOnce()) -> usize {
    LOWEST.set(usize::MAX);
    work();
    LOWEST.get()
}

/// A byte that marks where the stack is whatever is done with it.
#[derive(Debug, Default)]
pub(crate) struct Probe;

impl Drop for Probe {
    fn drop(&mut self) {
        mark();
    }
}

impl Frozen for Probe {
    const MIN_LEN: usize = 1;

    fn shape() -> Shape {
        u8::shape()
    }
}

impl<X> Typed<X> for Probe {
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::U8);
}

impl Encode for Probe {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        mark();
        measure.add(1);
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        mark();
        sink.put([7]);
    }
}

impl<'de> Decode<'de> for Probe {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        mark();
        u8::decode(source).map(|_| Probe)
    }

    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        mark();
        u8::validate(source)
    }

    fn decode_into<S: Source<'de>>(source: &mut S, _: &mut Self) -> Result<(), Fault> {
        mark();
        u8::validate(source)
    }
}
