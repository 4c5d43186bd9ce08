//! Scalars into a buffer whose length was counted first. Little-endian always.
#![allow(unsafe_code)]

use super::{MAX_DEPTH, sealed::Sealed};
use crate::error::EncodeError;
use crate::frozen::{Encode, Frozen};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Counts the bytes of a value before it is written, and refuses here what cannot be written at all.
#[derive(Debug)]
pub struct Measure {
    len: usize,
    depth: u32,
    overflow: bool,
    doubt: bool,
}

impl Measure {
    /// Nothing counted yet. Not public: a hand-written type must not put a new one in the place of that which
    /// it was given.
    pub(crate) fn new() -> Self {
        Measure { len: 0, depth: 0, overflow: false, doubt: false }
    }

    /// Adds `len` bytes.
    #[inline(always)]
    pub fn add(&mut self, len: usize) {
        let (sum, overflow) = self.len.overflowing_add(len);
        self.len = sum;
        self.overflow |= overflow;
    }

    /// Adds `count` values of `size` bytes each.
    #[inline]
    pub fn add_items(&mut self, count: usize, size: usize) {
        let (len, overflow) = count.overflowing_mul(size);
        self.overflow |= overflow;
        self.add(len);
    }

    /// Adds the word in front of `count` elements or bytes.
    ///
    /// # Errors
    /// When a u32 does not reach so far.
    #[inline]
    pub fn count(&mut self, count: usize) -> Result<(), EncodeError> {
        if u32::try_from(count).is_err() {
            return Err(EncodeError::CountAboveU32 { count });
        }
        self.add(4);
        Ok(())
    }

    /// Adds a length and that many bytes.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    #[inline]
    pub fn run(&mut self, len: usize) -> Result<(), EncodeError> {
        self.count(len)?;
        self.add(len);
        Ok(())
    }

    /// Goes into a container.
    ///
    /// # Errors
    /// When it would be the 65th.
    #[inline]
    pub fn enter(&mut self) -> Result<(), EncodeError> {
        self.room(1)?;
        self.depth += 1;
        Ok(())
    }

    /// Goes into a container with room for `depth` more inside it.
    #[inline(always)]
    pub(crate) fn enter_over(&mut self, depth: u32) -> Result<(), EncodeError> {
        self.room(depth.saturating_add(1))?;
        self.depth += 1;
        Ok(())
    }

    /// Says whether `depth` containers more may be entered, without entering them.
    ///
    /// # Errors
    /// When one of them would be the 65th.
    #[inline]
    pub fn room(&self, depth: u32) -> Result<(), EncodeError> {
        if depth > MAX_DEPTH - self.depth { Err(EncodeError::TooDeep) } else { Ok(()) }
    }

    /// Comes out of a container.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Measures an element of a list, an optional or a dict. Their own [`EXACT`](crate::Frozen::EXACT) does
    /// not look at the element, so here the element's is asked: one that promises nothing has the whole value
    /// written with every write compared.
    ///
    /// # Errors
    /// Those of the element.
    #[inline(always)]
    pub fn element<T: Encode + ?Sized>(&mut self, element: &T) -> Result<(), EncodeError> {
        element.measure(self)?;
        self.elements_of::<T>();
        Ok(())
    }

    /// The same promise asked of the type, when its elements were counted without measuring each.
    #[inline(always)]
    pub fn elements_of<T: Frozen + ?Sized>(&mut self) {
        self.doubt |= !T::EXACT.holds();
    }

    /// What was counted.
    pub(crate) fn finish<T: Frozen + ?Sized>(self) -> Result<Counted, EncodeError> {
        if self.overflow || self.len > isize::MAX as usize {
            return Err(EncodeError::TooLong);
        }
        Ok(Counted { len: self.len, exact: T::EXACT.holds() && !self.doubt })
    }
}

/// The length of one value, and whether every part of it promises to write what it has counted.
#[derive(Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) len: usize,
    exact: bool,
}

/// Where encoding puts its bytes. Implemented by this crate only.
pub trait Sink: Sealed {
    /// Writes these bytes.
    fn put<const N: usize>(&mut self, bytes: [u8; N]);

    /// Writes a run of bytes, without a length.
    fn run(&mut self, bytes: &[u8]);

    /// Writes a count that [`Measure::count`] has accepted.
    #[inline(always)]
    fn count(&mut self, count: usize) {
        self.put((count as u32).to_le_bytes());
    }
}

/// A sink for types that promise their length: it compares nothing.
struct ExactSink<'a> {
    next: *mut u8,
    #[cfg(debug_assertions)]
    left: usize,
    slots: PhantomData<&'a mut [MaybeUninit<u8>]>,
}

impl<'a> ExactSink<'a> {
    /// A sink that fills `slots`.
    ///
    /// # Safety
    /// Exactly as many bytes are written to it as there are slots.
    unsafe fn new(slots: &'a mut [MaybeUninit<u8>]) -> Self {
        ExactSink {
            next: slots.as_mut_ptr().cast(),
            #[cfg(debug_assertions)]
            left: slots.len(),
            slots: PhantomData,
        }
    }

    #[inline(always)]
    fn copy(&mut self, from: *const u8, len: usize) {
        #[cfg(debug_assertions)]
        {
            self.left = self.left.checked_sub(len).expect("a type promised a shorter encoding");
        }
        // SAFETY: `len` more slots are left, since no more is written in all than there are slots; `from` is
        // a live slice or array of `len` bytes, and never the slots, which are borrowed mutably.
        unsafe { core::ptr::copy_nonoverlapping(from, self.next, len) };
        // SAFETY: the slots reach at least `len` further.
        self.next = unsafe { self.next.add(len) };
    }
}

impl Sealed for ExactSink<'_> {}

impl Sink for ExactSink<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.copy(bytes.as_ptr(), N);
    }

    #[inline(always)]
    fn run(&mut self, bytes: &[u8]) {
        self.copy(bytes.as_ptr(), bytes.len());
    }
}

/// A sink that compares every write with the space left; what does not fit is counted and not written.
struct CheckedSink<'a> {
    slots: &'a mut [MaybeUninit<u8>],
    at: usize,
    overrun: bool,
}

impl<'a> CheckedSink<'a> {
    /// A sink that fills `slots`.
    fn new(slots: &'a mut [MaybeUninit<u8>]) -> Self {
        CheckedSink { slots, at: 0, overrun: false }
    }

    /// Whether exactly all slots were written.
    fn is_full(&self) -> bool {
        !self.overrun && self.at == self.slots.len()
    }
}

impl Sealed for CheckedSink<'_> {}

impl Sink for CheckedSink<'_> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.run(&bytes);
    }

    #[inline]
    fn run(&mut self, bytes: &[u8]) {
        match self.slots[self.at..].get_mut(..bytes.len()) {
            Some(slots) => {
                for (slot, byte) in slots.iter_mut().zip(bytes) {
                    slot.write(*byte);
                }
                self.at += bytes.len();
            }
            None => self.overrun = true,
        }
    }
}

/// Measures a value.
#[inline]
pub(crate) fn count<T: Encode + ?Sized>(value: &T) -> Result<Counted, EncodeError> {
    let mut measure = Measure::new();
    value.measure(&mut measure)?;
    measure.finish::<T>()
}

/// Appends a value.
pub(crate) fn append<T: Encode + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let counted = count(value)?;
    let len = counted.len;
    out.reserve(len);
    let start = out.len();
    write(value, counted.exact, &mut out.spare_capacity_mut()[..len])?;
    // SAFETY: `write` has initialised the `len` bytes after `start`, which were reserved.
    unsafe { out.set_len(start + len) };
    Ok(())
}

/// Writes a value to the start of `out` and says how many bytes it took.
pub(crate) fn fill<T: Encode + ?Sized>(value: &T, out: &mut [u8]) -> Result<usize, EncodeError> {
    let counted = count(value)?;
    let (needed, given) = (counted.len, out.len());
    let out = out.get_mut(..needed).ok_or(EncodeError::SliceTooShort { needed, given })?;
    // SAFETY: initialised bytes are a special case of maybe initialised ones, and a sink only writes bytes.
    let slots = unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) };
    write(value, counted.exact, slots)?;
    Ok(needed)
}

/// Writes a value that was counted to take all `slots`, exactly or so it said; on success they are
/// initialised.
#[inline]
fn write<T: Encode + ?Sized>(
    value: &T,
    exact: bool,
    slots: &mut [MaybeUninit<u8>],
) -> Result<(), EncodeError> {
    if exact {
        // SAFETY: by its promise the type writes what was counted, since every part that the promise leaves
        // out was asked for its own; and that is how many slots there are.
        value.encode(&mut unsafe { ExactSink::new(slots) });
        return Ok(());
    }
    let announced = slots.len();
    let mut sink = CheckedSink::new(slots);
    value.encode(&mut sink);
    if sink.is_full() { Ok(()) } else { Err(EncodeError::LengthMismatch { announced }) }
}

/// A sink in front of an [`io::Write`](std::io::Write): small writes are gathered, long runs pass through.
#[cfg(feature = "std")]
pub(crate) struct StreamSink<'a, W: std::io::Write + ?Sized> {
    out: &'a mut W,
    buffer: Vec<u8>,
    written: u64,
    result: std::io::Result<()>,
}

#[cfg(feature = "std")]
impl<'a, W: std::io::Write + ?Sized> StreamSink<'a, W> {
    const GATHER: usize = 16 << 10;

    pub(crate) fn new(out: &'a mut W) -> Self {
        StreamSink { out, buffer: Vec::with_capacity(Self::GATHER), written: 0, result: Ok(()) }
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(&self.buffer);
        }
        self.buffer.clear();
    }

    /// Passes on what is gathered and says how many bytes were written in all.
    pub(crate) fn finish(mut self) -> std::io::Result<u64> {
        self.flush();
        self.result.map(|()| self.written)
    }
}

#[cfg(feature = "std")]
impl<W: std::io::Write + ?Sized> Sealed for StreamSink<'_, W> {}

#[cfg(feature = "std")]
impl<W: std::io::Write + ?Sized> Sink for StreamSink<'_, W> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.run(&bytes);
    }

    fn run(&mut self, bytes: &[u8]) {
        self.written += bytes.len() as u64;
        if bytes.len() > Self::GATHER - self.buffer.len() {
            self.flush();
            if bytes.len() >= Self::GATHER {
                if self.result.is_ok() {
                    self.result = self.out.write_all(bytes);
                }
                return;
            }
        }
        self.buffer.extend_from_slice(bytes);
    }
}
