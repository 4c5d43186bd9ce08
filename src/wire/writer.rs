//! Scalars into a buffer whose length was counted first. Little-endian always.
#![allow(unsafe_code)]

use super::{MAX_DEPTH, sealed::Sealed};
use crate::arch;
use crate::error::EncodeError;
use crate::frozen::{Encode, Frozen, plain};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Counts the bytes of a value before it is written, and refuses here what cannot be written at all.
#[derive(Debug)]
pub struct Measure {
    /// The sum, which may have wrapped around.
    len: u64,
    /// All bits that the sum and what was added have ever had set: it has wrapped around only if one of the two highest
    /// is among them, and so it need not be tested at each step.
    bits: u64,
    depth: u32,
    /// How many of the bytes are those of elements that do not promise to write what they counted.
    doubtful: usize,
}

impl Measure {
    /// Nothing counted yet.
    fn new() -> Self {
        Measure { len: 0, bits: 0, depth: 0, doubtful: 0 }
    }

    /// Adds `len` bytes.
    #[inline(always)]
    pub fn add(&mut self, len: usize) {
        self.sum(len as u64);
    }

    #[inline(always)]
    fn sum(&mut self, len: u64) {
        self.len = self.len.wrapping_add(len);
        self.bits |= self.len | len;
    }

    /// Adds `count` values of `size` bytes each.
    #[inline]
    pub fn add_items(&mut self, count: usize, size: usize) {
        self.sum((count as u64).saturating_mul(size as u64));
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
        match u32::try_from(len) {
            Ok(short) => {
                self.len = self.len.wrapping_add(u64::from(short) + 4);
                self.bits |= self.len;
                Ok(())
            }
            Err(_) => Err(EncodeError::CountAboveU32 { count: len }),
        }
    }

    /// Goes into a container.
    ///
    /// # Errors
    /// When it would be the 65th.
    #[inline]
    pub fn enter(&mut self) -> Result<(), EncodeError> {
        self.room(1)?;
        self.depth = self.depth.wrapping_add(1);
        Ok(())
    }

    /// Goes into a container with room for `depth` more inside it.
    #[inline(always)]
    pub(crate) fn enter_over(&mut self, depth: u32) -> Result<(), EncodeError> {
        self.room(depth.saturating_add(1))?;
        self.depth = self.depth.wrapping_add(1);
        Ok(())
    }

    /// Says whether `depth` containers more may be entered, without entering them.
    ///
    /// # Errors
    /// When one of them would be the 65th.
    #[inline]
    pub fn room(&self, depth: u32) -> Result<(), EncodeError> {
        if depth > MAX_DEPTH.wrapping_sub(self.depth) { Err(EncodeError::TooDeep) } else { Ok(()) }
    }

    /// Comes out of a container.
    #[inline]
    pub fn leave(&mut self) {
        // A hand-written type may come out once too often: that is its own affair, and no panic.
        self.depth = self.depth.wrapping_sub(1);
    }

    /// Measures an element of a list, an optional or a dict, to be written by [`Sink::element`]. The
    /// [`EXACT`](crate::Frozen::EXACT) of a list does not look at its element, so the element's is asked here: what
    /// promises nothing is written with every write compared.
    ///
    /// # Errors
    /// Those of the element.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what is measured is in memory; a sum that is not is refused by `bits`"
    )]
    pub fn element<T: Encode + ?Sized>(&mut self, element: &T) -> Result<(), EncodeError> {
        if plain::is_exact::<T>() {
            return self.part(element);
        }
        // In a count of its own: safe code can swap two of them, and what is exact must stay as it was counted.
        let mut inner = Measure { depth: self.depth, ..Measure::new() };
        inner.part(element)?;
        self.sum(inner.len);
        self.bits |= inner.bits;
        self.doubtful = self.doubtful.wrapping_add(inner.len as usize);
        Ok(())
    }

    /// Measures a part of a value, to be written by [`Sink::part`]: a plain one that is not exact by its size.
    #[inline(always)]
    pub(crate) fn part<T: Encode + ?Sized>(&mut self, part: &T) -> Result<(), EncodeError> {
        match plain::memory_of(part) {
            Some(memory) => {
                self.room(T::DEPTH)?;
                self.add(memory.len());
                Ok(())
            }
            None => part.measure(self),
        }
    }

    /// The same for `count` elements of a [`FIXED`](crate::Frozen::FIXED) type, without looking at them.
    ///
    /// # Errors
    /// A nesting above 64.
    #[inline(always)]
    pub fn elements<T: Frozen>(&mut self, count: usize) -> Result<(), EncodeError> {
        if count > 0 {
            self.room(T::DEPTH)?;
        }
        self.add_items(count, T::MIN_LEN);
        if !plain::is_exact::<T>() {
            self.doubtful = self.doubtful.wrapping_add(count.wrapping_mul(T::MIN_LEN));
        }
        Ok(())
    }

    /// What was counted.
    fn finish(self) -> Result<Counted, EncodeError> {
        match usize::try_from(self.len) {
            Ok(len) if self.bits >> 62 == 0 && len <= isize::MAX as usize => {
                Ok(Counted { len, doubtful: self.doubtful })
            }
            _ => Err(EncodeError::TooLong),
        }
    }
}

/// The length of one value, and how much of it is in doubt.
#[derive(Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) len: usize,
    doubtful: usize,
}

/// Where encoding puts its bytes. Implemented by this crate only.
pub trait Sink: Sealed {
    /// Writes these bytes.
    fn put<const N: usize>(&mut self, bytes: [u8; N]);

    /// Writes a run of bytes, without a length.
    fn run(&mut self, bytes: &[u8]);

    /// Writes a count that [`Measure::count`] has accepted.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "`Measure::count` has accepted it")]
    fn count(&mut self, count: usize) {
        self.put((count as u32).to_le_bytes());
    }

    /// Writes the value of an optional, if there is one, after its presence byte.
    #[doc(hidden)]
    #[inline(always)]
    fn optional<T: Encode>(&mut self, value: &Option<T>)
    where
        Self: Sized,
    {
        if let Some(value) = value {
            self.element(value);
        }
    }

    /// Writes what was measured by [`Measure::element`] or counted by [`Measure::elements`].
    #[inline(always)]
    fn element<T: Encode + ?Sized>(&mut self, element: &T)
    where
        Self: Sized,
    {
        self.part(element);
    }

    /// Writes a part that was measured by [`Measure::part`].
    #[doc(hidden)]
    #[inline(always)]
    fn part<T: Encode + ?Sized>(&mut self, part: &T)
    where
        Self: Sized,
    {
        match plain::memory_of(part) {
            Some(memory) => self.run(memory),
            None => part.encode(self),
        }
    }
}

/// The bytes of the value of an optional that is written whether it is there or not.
const FEW: usize = 8;

/// A sink for types that promise their length: it compares nothing, but for their elements that do not promise it.
///
/// The slots left are always those of what is exact and still to be written, and those in doubt.
struct ExactSink<'a> {
    next: *mut u8,
    /// Where the slots end.
    end: *mut u8,
    doubtful: usize,
    /// Whether an element did not write what it had counted.
    wrong: bool,
    #[cfg(debug_assertions)]
    left: usize,
    slots: PhantomData<&'a mut [MaybeUninit<u8>]>,
}

impl<'a> ExactSink<'a> {
    /// A sink that fills `slots`, of which so many are in doubt.
    ///
    /// # Safety
    /// Beside what is written by [`element`](Sink::element) of types that are not exact, exactly as many bytes are
    /// written to it as there are slots that are not in doubt.
    unsafe fn new(slots: &'a mut [MaybeUninit<u8>], doubtful: usize) -> Self {
        ExactSink {
            next: slots.as_mut_ptr().cast(),
            end: slots.as_mut_ptr_range().end.cast(),
            doubtful,
            wrong: false,
            #[cfg(debug_assertions)]
            left: slots.len(),
            slots: PhantomData,
        }
    }

    /// Whether all slots were written.
    fn is_full(&self) -> bool {
        !self.wrong && self.doubtful == 0
    }

    #[inline(always)]
    fn copy(&mut self, from: *const u8, len: usize) {
        // SAFETY: `len` more slots are left, since no more is written in all than there are slots; `from` is
        // a live slice or array of `len` bytes, and never the slots, which are borrowed mutably.
        unsafe { core::ptr::copy_nonoverlapping(from, self.next, len) };
        self.advance(len);
    }

    #[inline(always)]
    #[cfg_attr(
        debug_assertions,
        expect(clippy::expect_used, reason = "in debug builds only, where an unsafe promise was broken")
    )]
    fn advance(&mut self, len: usize) {
        #[cfg(debug_assertions)]
        {
            self.left = self.left.checked_sub(len).expect("a type promised a shorter encoding");
        }
        // SAFETY: the slots reach at least `len` further: so much was written there.
        self.next = unsafe { self.next.add(len) };
    }

    /// Writes the value of an optional over the slots that come next, and goes past it if there is one. Presence is often
    /// as good as random, so it is no branch here.
    ///
    /// # Safety
    /// [`FEW`] slots are left, and the value is exact and takes no more.
    #[inline(always)]
    unsafe fn few<T: Encode>(&mut self, value: &Option<T>) {
        const NOTHING: &[u8] = &[0; FEW];
        let mut few = [MaybeUninit::new(0); FEW];
        let bytes = match value {
            Some(value) => plain::bytes_of(core::slice::from_ref(value)),
            None if T::PLAIN.holds() => NOTHING.get(..T::MIN_LEN),
            None => None,
        };
        if let Some(bytes) = bytes {
            // A compiler that sees which bytes these may be reads them in a branch after all.
            let bytes = core::hint::black_box(bytes);
            // SAFETY: passed on from the caller: as many slots are left.
            unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, T::MIN_LEN) };
        } else {
            if let Some(value) = value {
                value.encode(&mut CheckedSink::new(&mut few));
            }
            // SAFETY: passed on from the caller: as many slots are left.
            unsafe { core::ptr::copy_nonoverlapping(few.as_ptr().cast(), self.next, FEW) };
        }
        self.advance(if value.is_some() { T::MIN_LEN } else { 0 });
    }

    /// Writes an element into as many slots as it counts again, if that many are in doubt.
    #[cold]
    fn doubtful<T: Encode + ?Sized>(&mut self, element: &T) {
        let len = if T::FIXED { Ok(T::MIN_LEN) } else { count(element).map(|counted| counted.len) };
        let (len, left) = match len.map(|len| (len, self.doubtful.checked_sub(len))) {
            Ok((len, Some(left))) => (len, left),
            _ => return self.wrong = true,
        };
        self.doubtful = left;
        // SAFETY: no fewer slots are left than are in doubt, which `len` was no more than; nobody else has a
        // reference to them while this sink is borrowed.
        let slots = unsafe { core::slice::from_raw_parts_mut(self.next.cast(), len) };
        let mut sink = CheckedSink::new(slots);
        sink.part(element);
        if sink.is_full() {
            self.advance(len);
        } else {
            self.wrong = true;
        }
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
        // SAFETY: as many more slots are left, since no more is written in all than there are slots, and the bytes are
        // not among them, since they are borrowed mutably.
        unsafe { copy_run(bytes, self.next) };
        self.advance(bytes.len());
    }

    #[inline(always)]
    fn optional<T: Encode>(&mut self, value: &Option<T>) {
        let left = self.end.addr().wrapping_sub(self.next.addr());
        if T::FIXED && plain::is_exact::<T>() && T::MIN_LEN <= FEW && left >= FEW {
            // SAFETY: so many slots are left, as was just compared.
            unsafe { self.few(value) };
        } else if let Some(value) = value {
            self.element(value);
        }
    }

    #[inline(always)]
    fn element<T: Encode + ?Sized>(&mut self, element: &T) {
        if plain::is_exact::<T>() { self.part(element) } else { self.doubtful(element) }
    }
}

/// Copies a run that is likely to be short: up to 64 bytes as a few arrays that may overlap, which is no call, no loop,
/// and few branches, since lengths are often as good as random.
///
/// # Safety
/// As many bytes may be written at `to`, and they are none of those copied.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "places inside the run, whose length was just compared")]
pub(crate) unsafe fn copy_run(bytes: &[u8], to: *mut u8) {
    let len = bytes.len();
    if len >= 8 {
        if len <= 32 {
            let last = len - 8;
            let inner = if last >= 8 { 8 } else { 0 };
            // SAFETY: passed on from the caller; every place is at most `last`.
            unsafe { copy_parts::<8, 4>(bytes, to, [0, inner, last - inner, last]) }
        } else if len <= 64 {
            let last = len - 16;
            // SAFETY: passed on from the caller; every place is at most `last`, which is above 16.
            unsafe { copy_parts::<16, 4>(bytes, to, [0, 16, last - 16, last]) }
        } else {
            // SAFETY: passed on from the caller.
            unsafe { copy_long(bytes, to) }
        }
    } else if len >= 4 {
        // SAFETY: passed on from the caller; 4 bytes begin at both places.
        unsafe { copy_parts::<4, 2>(bytes, to, [0, len - 4]) }
    } else if len > 0 {
        // SAFETY: passed on from the caller; a byte lies at each place.
        unsafe { copy_parts::<1, 3>(bytes, to, [0, len / 2, len - 1]) }
    }
}

/// Copies a run that is not short: one function for all who do, or their code grows with the ways to copy.
///
/// # Safety
/// As [`copy_run`].
#[inline(never)]
unsafe fn copy_long(bytes: &[u8], to: *mut u8) {
    // SAFETY: passed on from the caller; slots need hold nothing yet.
    let slots = unsafe { core::slice::from_raw_parts_mut(to.cast::<MaybeUninit<u8>>(), bytes.len()) };
    arch::copy_to_slots(bytes, slots);
}

/// Copies `N` bytes at each of the places.
///
/// # Safety
/// As [`copy_run`], and so many bytes lie at each place.
#[inline(always)]
unsafe fn copy_parts<const N: usize, const PARTS: usize>(bytes: &[u8], to: *mut u8, places: [usize; PARTS]) {
    for at in places {
        debug_assert!(bytes.get(at..).is_some_and(|rest| rest.len() >= N));
        // SAFETY: the caller says that the place lies inside.
        let from = unsafe { bytes.as_ptr().add(at) };
        // SAFETY: as above, where the caller lets as many bytes be written.
        let to = unsafe { to.add(at) };
        // SAFETY: `N` bytes lie at both, and those written are none of those copied.
        unsafe { core::ptr::copy_nonoverlapping(from, to, N) }
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
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`at` counts slots that were filled"
    )]
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
    measure.part(value)?;
    measure.finish()
}

/// Appends a value.
#[expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "as many slots were reserved")]
pub(crate) fn append<T: Encode + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let counted = count(value)?;
    let len = counted.len;
    out.try_reserve(len).map_err(|_| EncodeError::TooLong)?;
    let start = out.len();
    write(value, counted, &mut out.spare_capacity_mut()[..len])?;
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
    write(value, counted, slots)?;
    Ok(needed)
}

/// Writes a value that was counted to take all `slots`; on success they are initialised.
#[inline]
fn write<T: Encode + ?Sized>(
    value: &T,
    counted: Counted,
    slots: &mut [MaybeUninit<u8>],
) -> Result<(), EncodeError> {
    let is_full = if T::EXACT.holds() {
        // SAFETY: by its promise the type writes what was counted, but for the elements in doubt; and what was
        // counted is how many slots there are.
        let mut sink = unsafe { ExactSink::new(slots, counted.doubtful) };
        value.encode(&mut sink);
        sink.is_full()
    } else {
        let mut sink = CheckedSink::new(slots);
        sink.part(value);
        sink.is_full()
    };
    if is_full { Ok(()) } else { Err(EncodeError::LengthMismatch { announced: counted.len }) }
}

/// Writes all of `bytes`, in as many calls as the stream takes. As [`Write::write_all`](std::io::Write::write_all), which
/// panics where a stream says that it has taken more than it was given.
#[cfg(feature = "std")]
pub(crate) fn write_all<W: std::io::Write + ?Sized>(out: &mut W, mut bytes: &[u8]) -> std::io::Result<()> {
    use std::io::{Error, ErrorKind};
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => return Err(Error::new(ErrorKind::WriteZero, "the stream takes no more")),
            Ok(taken) => match bytes.get(taken..) {
                Some(left) => bytes = left,
                None => {
                    return Err(Error::other("the stream says it has taken more than it was given"));
                }
            },
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
            self.result = write_all(self.out, &self.buffer);
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

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "counts bytes of a stream; the buffer holds at most `GATHER`"
    )]
    fn run(&mut self, bytes: &[u8]) {
        self.written += bytes.len() as u64;
        if bytes.len() > Self::GATHER - self.buffer.len() {
            self.flush();
            if bytes.len() >= Self::GATHER {
                if self.result.is_ok() {
                    self.result = write_all(self.out, bytes);
                }
                return;
            }
        }
        self.buffer.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Lists of optionals with and without this value, which takes these bytes.
    fn optionals<T: Encode + Copy, const N: usize>(value: T, bytes: [u8; N]) {
        for (count, present) in
            (0..7u32).flat_map(|count| (0..1 << count).map(move |present| (count, present)))
        {
            let is_present = |at| present >> at & 1 == 1;
            let list: Vec<Option<T>> = (0..count).map(|at| is_present(at).then_some(value)).collect();
            let mut wire = count.to_le_bytes().to_vec();
            for at in 0..count {
                wire.push(u8::from(is_present(at)));
                wire.extend(bytes.iter().filter(|_| is_present(at)));
            }
            assert_eq!(crate::to_vec(&list).as_ref(), Ok(&wire));

            let mut out = vec![0xa5; wire.len() + 16];
            assert_eq!(crate::encode_to_slice(&list, &mut out), Ok(wire.len()));
            let (written, beside) = out.split_at(wire.len());
            assert_eq!(written, wire);
            assert!(beside.iter().all(|byte| *byte == 0xa5), "{present:b} of {count}");
        }
    }

    #[test]
    fn an_optional_that_is_not_there_leaves_nothing() {
        optionals(0xa1u8, [0xa1]);
        optionals(true, [1]);
        optionals(-2i16, [0xfe, 0xff]);
        optionals(core::num::NonZero::new(7u16).unwrap(), [7, 0]);
        optionals((1u8, 2u16), [1, 2, 0]);
        optionals(1.0f32, 1f32.to_le_bytes());
        optionals((0x0102_0304u32, false, 5i8), [4, 3, 2, 1, 0, 5]);
        optionals(u64::MAX - 1, (u64::MAX - 1).to_le_bytes());
        optionals((1u64, 2u8), [1, 0, 0, 0, 0, 0, 0, 0, 2]);
        optionals(Some(3u8), [1, 3]);
        optionals("abc", [3, 0, 0, 0, b'a', b'b', b'c']);
    }

    #[test]
    fn a_run_of_any_length_is_copied_whole_and_nothing_beside_it_is_written() {
        let bytes: Vec<u8> = (0..10_000u32).map(|at| (at * 167 % 251) as u8).collect();
        let lens = (0..=200).chain([1000, 4095, 4096, 4097, 9000]);
        for (len, shift) in lens.flat_map(|len| [0, 1, 4, 63].map(|shift| (len, shift))) {
            let run = &bytes[shift..][..len];
            let mut out = vec![0xa5; len + 128];
            // SAFETY: `len` bytes and 64 more lie behind the first 64.
            unsafe { copy_run(run, out[64..].as_mut_ptr()) };
            assert_eq!(&out[64..][..len], run, "{len} from {shift}");
            assert!(out[..64].iter().chain(&out[64 + len..]).all(|byte| *byte == 0xa5), "{len} from {shift}");
        }
    }
}
