//! The checked cursor: everything is compared with what is left before it is believed.

use super::{MAX_DEPTH, sealed::Sealed};
use crate::error::{Fault, Reason};
use crate::limits::Limits;
use crate::text;

/// Where decoding takes its bytes from: a checked [`Reader`], or a
/// [`TrustedReader`](super::TrustedReader) over bytes that this process wrote. Implemented by this crate only.
///
/// Offsets count from the first byte of the caller's buffer.
pub trait Source<'de>: Sealed {
    /// Whether there is an arena, in which a `&[T]` of any element can be built.
    const ARENA: bool = false;

    /// The arena.
    #[cfg(feature = "bumpalo")]
    #[doc(hidden)]
    fn arena(&self) -> Option<&'de bumpalo::Bump> {
        None
    }

    /// Where the next byte lies.
    fn offset(&self) -> usize;

    /// All bytes not yet read.
    fn rest(&self) -> &'de [u8];

    /// The caps in force.
    fn limits(&self) -> Limits;

    /// The next `N` bytes. EOF at their start when fewer are left.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault>;

    /// The next `len` bytes. EOF at their start when fewer are left.
    fn take(&mut self, len: usize) -> Result<&'de [u8], Fault>;

    /// The next `len` bytes when they are there and `depth` more containers may be entered; else nothing is
    /// read, and reading part by part finds the fault. For values of fixed size.
    fn chunk(&mut self, len: usize, depth: u32) -> Option<Chunk<'de>>;

    /// A count of elements that take at least `min` bytes each (at least 1). LIMIT above the count cap, then
    /// EOF when the bytes left cannot hold them; both at the count. Nothing may be allocated for a count
    /// before this has returned it.
    fn count(&mut self, min: usize) -> Result<usize, Fault>;

    /// A count that has to be `expected`: LIMIT above the count cap, TYPE for any other number, then EOF.
    fn exact_count(&mut self, expected: usize, min: usize) -> Result<(), Fault>;

    /// A length and that many bytes. LIMIT above the byte cap at the length, EOF just after it.
    fn run(&mut self) -> Result<&'de [u8], Fault>;

    /// A run that is UTF-8; UTF8 where the valid part ends.
    fn text(&mut self) -> Result<&'de str, Fault>;

    /// Goes into a container that begins at the next byte. LIMIT with [`Reason::Depth`] at the 65th.
    fn enter(&mut self) -> Result<(), Fault>;

    /// Comes out of it.
    fn leave(&mut self);

    /// Takes `size` bytes from the owned budget, before they are allocated. LIMIT with [`Reason::Budget`] at
    /// `offset`, where the value begins that would own them.
    fn charge(&mut self, size: usize, offset: usize) -> Result<(), Fault>;

    /// The same for `count` items of `size` bytes.
    #[inline]
    fn charge_items(&mut self, count: usize, size: usize, offset: usize) -> Result<(), Fault> {
        self.charge(count.saturating_mul(size), offset)
    }
}

/// LIMIT for `size` bytes at `offset`, of which only so many are `left`.
#[cold]
fn over_budget(size: usize, left: u64, offset: usize) -> Fault {
    Fault::counted(Reason::Budget, offset, (size as u64).saturating_sub(left))
}

/// The bytes of a value, or of values, of fixed size, all of them there.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'de> {
    /// The bytes.
    pub bytes: &'de [u8],
    /// Where they begin in the caller's buffer.
    pub offset: usize,
}

impl<'de> Chunk<'de> {
    /// The part of `len` bytes from `at` on. Both are constants of the type read, so that the comparison
    /// disappears where the length of the whole is known.
    ///
    /// # Panics
    /// When the part is not inside: the caller asked for more than the fixed size it had announced.
    #[inline(always)]
    #[must_use]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "documented: a caller that asks for more than the fixed size it has announced"
    )]
    pub fn part(self, at: usize, len: usize) -> Chunk<'de> {
        Chunk { bytes: &self.bytes[at..at + len], offset: self.offset + at }
    }

    /// The bytes as an array.
    ///
    /// # Panics
    /// When there are not exactly `N`: a caller's mistake as above.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::panic, reason = "documented: a caller that asks for another size than it has announced")]
    pub fn array<const N: usize>(self) -> [u8; N] {
        match self.bytes.try_into() {
            Ok(array) => array,
            Err(_) => panic!("a chunk of {} bytes read as {N}", self.bytes.len()),
        }
    }
}

/// What a [`Reader`] has beside it: nothing, or an arena.
#[doc(hidden)]
pub trait Arena<'de>: Sealed {
    const ARENA: bool;

    #[cfg(feature = "bumpalo")]
    fn bump(&self) -> Option<&'de bumpalo::Bump>;
}

impl Sealed for () {}

impl<'de> Arena<'de> for () {
    const ARENA: bool = false;

    #[cfg(feature = "bumpalo")]
    fn bump(&self) -> Option<&'de bumpalo::Bump> {
        None
    }
}

#[cfg(feature = "bumpalo")]
impl Sealed for &bumpalo::Bump {}

#[cfg(feature = "bumpalo")]
impl<'de> Arena<'de> for &'de bumpalo::Bump {
    const ARENA: bool = true;

    #[inline(always)]
    fn bump(&self) -> Option<&'de bumpalo::Bump> {
        Some(self)
    }
}

/// The arena of values that hold no list, since they have a fixed size: there is none, and nobody asks for it.
#[derive(Clone, Copy)]
pub(crate) struct NoList;

impl Sealed for NoList {}

impl<'de> Arena<'de> for NoList {
    const ARENA: bool = true;

    #[cfg(feature = "bumpalo")]
    fn bump(&self) -> Option<&'de bumpalo::Bump> {
        None
    }
}

/// A cursor over untrusted bytes, with or without an arena.
#[derive(Clone, Debug)]
pub struct Reader<'de, A = ()> {
    /// The bytes not yet read. That they are kept, and not how many were read, spares a comparison for each read.
    rest: &'de [u8],
    /// Where they end in the caller's buffer.
    end: usize,
    depth: u32,
    limits: Limits,
    #[cfg_attr(not(feature = "bumpalo"), allow(dead_code))]
    arena: A,
}

impl<'de> Reader<'de> {
    /// A reader of `bytes` from `start` on (at most their length); `limits.owned` is what it may still charge.
    #[inline(always)]
    pub(crate) fn new(bytes: &'de [u8], start: usize, limits: &Limits) -> Self {
        Reader::with_arena(bytes, start, limits, ())
    }
}

impl<'de, A> Reader<'de, A> {
    /// The same with an arena.
    #[inline(always)]
    pub(crate) fn with_arena(bytes: &'de [u8], start: usize, limits: &Limits, arena: A) -> Self {
        let rest = bytes.get(start..).unwrap_or(&[]);
        Reader { rest, end: bytes.len(), depth: 0, limits: *limits, arena }
    }

    /// The same place with the depth of a container around it: for elements read one by one.
    #[inline(always)]
    pub(crate) fn inside(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Begins an element that stands so deep and may charge so much, whatever those before it took.
    #[inline(always)]
    pub(crate) fn begin(&mut self, depth: u32, owned: u64) {
        self.depth = depth;
        self.limits.owned = owned;
    }
}

impl<'de, A: Arena<'de>> Reader<'de, A> {
    /// A text that is short and ASCII, if the bytes ahead reach so far that nothing has to be compared with them: the
    /// length and a window behind it.
    #[inline(always)]
    fn short_text(&mut self) -> Option<&'de str> {
        let (len, rest) = self.rest.split_first_chunk()?;
        let len = u32::from_le_bytes(*len);
        if u64::from(len) > self.limits.bytes {
            return None;
        }
        let text = text::ascii(rest.first_chunk()?, usize::try_from(len).ok()?)?;
        self.rest = rest.get(text.len()..)?;
        Some(text)
    }

    /// Any text, or none where [`text_fault`](Self::text_fault) finds what is wrong: then nothing is read.
    ///
    /// Without the fault this comes back in two registers, where a short text is, too. With it both would come through
    /// memory, and the processor would wait for one wide load of what two narrow stores had just put there.
    #[inline(never)]
    fn any_text(&mut self) -> Option<&'de str> {
        let before = self.rest;
        let text = self.run().ok().and_then(text::checked);
        if text.is_none() {
            self.rest = before;
        }
        text
    }

    /// Why no text comes next.
    #[cold]
    #[inline(never)]
    #[expect(clippy::arithmetic_side_effects, reason = "the run was just passed")]
    fn text_fault(&mut self) -> Fault {
        match self.run() {
            Ok(run) => Fault::new(Reason::Text, self.offset() - run.len() + text::valid_up_to(run)),
            Err(fault) => fault,
        }
    }

    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "four bytes were just passed")]
    fn word(&mut self, cap: u64, reason: Reason) -> Result<usize, Fault> {
        let len = u32::from_le_bytes(self.array()?);
        if u64::from(len) > cap {
            return Err(Fault::new(reason, self.offset() - 4));
        }
        // A target whose addresses are narrower than a count cannot hold the elements either.
        Ok(usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Says whether so many elements fit; else EOF at their count, which was just read.
    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "only asked when four bytes were just passed")]
    fn fit(&self, count: usize, min: usize) -> Result<(), Fault> {
        match count.checked_mul(min) {
            Some(size) if size <= self.rest.len() => Ok(()),
            _ => Err(Fault::new(Reason::CountShort, self.offset() - 4)),
        }
    }
}

impl<A> Sealed for Reader<'_, A> {}

impl<'de, A: Arena<'de>> Source<'de> for Reader<'de, A> {
    const ARENA: bool = A::ARENA;

    #[cfg(feature = "bumpalo")]
    #[inline(always)]
    fn arena(&self) -> Option<&'de bumpalo::Bump> {
        self.arena.bump()
    }

    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "what is left is a part of what ends at `end`")]
    fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    #[inline(always)]
    fn rest(&self) -> &'de [u8] {
        self.rest
    }

    #[inline]
    fn limits(&self) -> Limits {
        self.limits
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        match self.rest.split_first_chunk() {
            Some((array, rest)) => {
                self.rest = rest;
                Ok(*array)
            }
            None => Err(Fault::new(Reason::Short, self.offset())),
        }
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<&'de [u8], Fault> {
        match self.rest.split_at_checked(len) {
            Some((run, rest)) => {
                self.rest = rest;
                Ok(run)
            }
            None => Err(Fault::new(Reason::Short, self.offset())),
        }
    }

    #[inline(always)]
    fn chunk(&mut self, len: usize, depth: u32) -> Option<Chunk<'de>> {
        if depth > MAX_DEPTH.wrapping_sub(self.depth) {
            return None;
        }
        let offset = self.offset();
        let (bytes, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(Chunk { bytes, offset })
    }

    #[inline(always)]
    fn count(&mut self, min: usize) -> Result<usize, Fault> {
        let count = self.word(self.limits.count, Reason::CountCap)?;
        self.fit(count, min)?;
        Ok(count)
    }

    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "four bytes were just passed")]
    fn exact_count(&mut self, expected: usize, min: usize) -> Result<(), Fault> {
        let count = self.word(self.limits.count, Reason::CountCap)?;
        if count != expected {
            return Err(Fault::counted(Reason::ArrayCount, self.offset() - 4, expected as u64));
        }
        self.fit(count, min)
    }

    #[inline(always)]
    fn run(&mut self) -> Result<&'de [u8], Fault> {
        let len = self.word(self.limits.bytes, Reason::RunCap)?;
        self.take(len)
    }

    #[inline(always)]
    fn text(&mut self) -> Result<&'de str, Fault> {
        match self.short_text() {
            Some(text) => Ok(text),
            None => self.any_text().ok_or_else(|| self.text_fault()),
        }
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<(), Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault::new(Reason::Depth, self.offset()));
        }
        self.depth = self.depth.wrapping_add(1);
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {
        // A hand-written type may come out once too often: that is its own affair, and no panic.
        self.depth = self.depth.wrapping_sub(1);
    }

    #[inline(always)]
    fn charge(&mut self, size: usize, offset: usize) -> Result<(), Fault> {
        match self.limits.owned.checked_sub(size as u64) {
            Some(left) => {
                self.limits.owned = left;
                Ok(())
            }
            None => Err(over_budget(size, self.limits.owned, offset)),
        }
    }
}
