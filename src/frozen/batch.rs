//! Batches: a list of records written and read one by one. Chapter: Batches.
//!
//! A batch is a `list{…}` like any other: what a writer here writes, [`from_slice`](crate::from_slice) reads as a
//! `Vec`, and what [`to_vec`](crate::to_vec) makes of a slice, [`Batch`] reads. A record inside it stands one
//! container deep.

use super::list::assert_some_bytes;
use super::{Decode, Encode, Exact, Frozen, encode_into, trailing};
use crate::arch;
use crate::error::{EncodeError, Error, Fault};
use crate::frame;
use crate::limits::Limits;
use crate::schema::{Shape, Typed, schema_hash};
#[cfg(feature = "std")]
use crate::wire::writer;
use crate::wire::{MAX_DEPTH, Measure, Reader, Sink, Source};
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
#[cfg(feature = "std")]
use std::io::{self, Seek, SeekFrom, Write};

/// The bytes of a batch's count.
const COUNT: usize = 4;

/// What stands in the place of the count until all records are written: more than any bytes hold.
const UNFINISHED: [u8; COUNT] = [0xff; COUNT];

/// Records where they are written in a batch: inside a list, and without its count.
struct Records<'a, T>(&'a [T]);

impl<T: Frozen> Frozen for Records<'_, T> {
    const MIN_LEN: usize = 0;
    #[allow(unsafe_code, reason = "a promise")]
    // SAFETY: each record is measured by `element` or `elements` and written by `element`, or plain and written as
    // one run.
    const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

    fn shape() -> Shape {
        Shape::List(T::shape)
    }
}

impl<T: Encode> Encode for Records<'_, T> {
    #[inline]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        super::list::measure_inside(self.0.iter(), measure)
    }

    #[inline]
    fn encode<S: Sink>(&self, sink: &mut S) {
        super::list::encode_items(self.0, sink);
    }
}

/// The count of records written so far, which a u32 has to reach.
#[derive(Debug)]
struct Count(u32);

impl Count {
    fn after(&self, more: usize) -> Result<u32, EncodeError> {
        let count = u32::try_from(more).ok().and_then(|more| self.0.checked_add(more));
        count.ok_or(EncodeError::CountAboveU32 { count: (self.0 as usize).saturating_add(more) })
    }
}

/// Writes records one after another to the end of a vector; the count is filled in by
/// [`finish`](BatchWriter::finish). Clear the vector to reuse it for the next batch.
///
/// A writer that is dropped unfinished leaves the vector as it was.
///
/// ```
/// use kiln::{Batch, BatchWriter};
/// let mut out = Vec::new();
/// for batch in [&[(9i32, -4i32), (1, 2)][..], &[]] {
///     out.clear();
///     let mut writer = BatchWriter::new(&mut out);
///     for record in batch {
///         writer.push(record)?;
///     }
///     assert_eq!(writer.finish(), batch.len());
///     assert_eq!(kiln::from_slice::<Vec<(i32, i32)>>(&out)?, batch);
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "an unfinished batch is taken back"]
pub struct BatchWriter<'a, T> {
    out: &'a mut Vec<u8>,
    /// Where the vector ended before.
    before: usize,
    /// Where the count stands.
    at: usize,
    count: Count,
    finished: bool,
    record: PhantomData<fn(&T)>,
}

impl<'a, T: Encode> BatchWriter<'a, T> {
    /// Begins a batch at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self::begin(out, None)
    }

    /// Begins a batch in a frame: that of a list of records.
    ///
    /// ```
    /// # use kiln::BatchWriter;
    /// let mut out = Vec::new();
    /// let mut writer = BatchWriter::framed(&mut out);
    /// writer.push(&(9i32, -4i32))?;
    /// writer.finish();
    /// assert_eq!(out, kiln::frame::to_vec(&[(9i32, -4i32)])?);
    /// # Ok::<(), kiln::EncodeError>(())
    /// ```
    pub fn framed(out: &'a mut Vec<u8>) -> Self
    where
        T: Typed,
    {
        Self::begin(out, Some(frame::header(schema_hash::<[T]>())))
    }

    fn begin(out: &'a mut Vec<u8>, frame: Option<[u8; frame::LEN]>) -> Self {
        assert_some_bytes!(T);
        let before = out.len();
        out.extend_from_slice(frame.as_ref().map_or(&[], |frame| &frame[..]));
        let at = out.len();
        out.extend_from_slice(&UNFINISHED);
        BatchWriter { out, before, at, count: Count(0), finished: false, record: PhantomData }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// As [`encode_into`], with the record nested one deep, and a count above u32; the batch is
    /// then as it was and can go on.
    #[inline]
    pub fn push(&mut self, record: &T) -> Result<(), EncodeError> {
        self.extend_from_slice(core::slice::from_ref(record))
    }

    /// Writes records, all or none; plain ones as one block.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    #[inline]
    pub fn extend_from_slice(&mut self, records: &[T]) -> Result<(), EncodeError> {
        let count = self.count.after(records.len())?;
        encode_into(&Records(records), self.out)?;
        self.count = Count(count);
        Ok(())
    }

    /// How many records were written.
    pub fn len(&self) -> usize {
        self.count.0 as usize
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.count.0 == 0
    }

    /// Fills in the count and says how many records there are.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "the count's bytes were put there in `begin`, and records only behind them"
    )]
    pub fn finish(mut self) -> usize {
        self.out[self.at..self.at + COUNT].copy_from_slice(&self.count.0.to_le_bytes());
        self.finished = true;
        self.len()
    }
}

impl<T> Drop for BatchWriter<'_, T> {
    fn drop(&mut self) {
        if !self.finished {
            self.out.truncate(self.before);
        }
    }
}

/// Bytes on their way to a stream, gathered so that a small record is no call of its own.
#[cfg(feature = "std")]
#[derive(Debug)]
struct Gather<W> {
    out: W,
    buffer: Vec<u8>,
    /// How many bytes the stream has taken.
    written: u64,
    /// Whether the stream may have taken a part of what it was given, by an error or a panic of its own or of a
    /// record's: nobody knows which, so that nothing can follow.
    lost: bool,
}

#[cfg(feature = "std")]
impl<W: Write> Gather<W> {
    const FULL: usize = 16 << 10;

    fn new(out: W) -> Self {
        Gather { out, buffer: Vec::with_capacity(2 * Self::FULL), written: 0, lost: false }
    }

    fn push<T: Encode>(&mut self, records: &[T]) -> io::Result<()> {
        self.test()?;
        let records = Records(records);
        if super::encoded_len(&records)? > Self::FULL {
            self.flush()?;
            return self.write(|out| super::write_to(&records, out));
        }
        encode_into(&records, &mut self.buffer)?;
        if self.buffer.len() >= Self::FULL { self.flush() } else { Ok(()) }
    }

    /// Passes on what is gathered.
    fn flush(&mut self) -> io::Result<()> {
        let buffer = core::mem::take(&mut self.buffer);
        self.write(|out| writer::write_all(out, &buffer).map(|()| buffer.len() as u64))?;
        self.buffer = buffer;
        self.buffer.clear();
        Ok(())
    }

    /// Writes to the stream, which is lost unless `write` comes back and has written all.
    fn write(&mut self, write: impl FnOnce(&mut W) -> io::Result<u64>) -> io::Result<()> {
        self.test()?;
        self.lost = true;
        let written = write(&mut self.out)?;
        self.lost = false;
        self.written = self.written.saturating_add(written);
        Ok(())
    }

    /// Says so when the stream is lost.
    fn test(&self) -> io::Result<()> {
        if self.lost { Err(EncodeError::BatchLost.into()) } else { Ok(()) }
    }
}

/// Says so when a stream does not stand where it must.
#[cfg(feature = "std")]
fn stands_at(found: u64, expected: u64) -> io::Result<()> {
    if found == expected { Ok(()) } else { Err(EncodeError::BatchPosition { expected, found }.into()) }
}

/// Writes a batch to a stream that cannot go back: the count is given first.
///
/// Records are gathered; [`finish`](BatchStream::finish) passes on the last of them. What was written is no whole
/// batch before `finish` has returned without an error. After an error of the stream, of whatever kind, nobody knows
/// what it has taken: the batch is lost, and everything that follows is an error.
///
/// ```
/// # use kiln::BatchStream;
/// let mut stream = BatchStream::new(Vec::new(), 2)?;
/// stream.push(&7u32)?;
/// stream.push(&8)?;
/// let out = stream.finish()?;
/// assert_eq!(out, kiln::to_vec(&[7u32, 8])?);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[cfg(feature = "std")]
#[derive(Debug)]
#[must_use = "the last records are written by finish"]
pub struct BatchStream<W: Write, T> {
    gather: Gather<W>,
    announced: u32,
    count: Count,
    record: PhantomData<fn(&T)>,
}

#[cfg(feature = "std")]
impl<W: Write, T: Encode> BatchStream<W, T> {
    /// Begins a batch of `count` records.
    ///
    /// # Errors
    /// What the stream says.
    pub fn new(out: W, count: u32) -> io::Result<Self> {
        Self::begin(out, count, &[])
    }

    /// Begins a batch of `count` records in a frame: that of a list of records.
    ///
    /// # Errors
    /// What the stream says.
    pub fn framed(out: W, count: u32) -> io::Result<Self>
    where
        T: Typed,
    {
        Self::begin(out, count, &frame::header(schema_hash::<[T]>()))
    }

    fn begin(mut out: W, announced: u32, frame: &[u8]) -> io::Result<Self> {
        assert_some_bytes!(T);
        writer::write_all(&mut out, frame)?;
        writer::write_all(&mut out, &announced.to_le_bytes())?;
        Ok(BatchStream { gather: Gather::new(out), announced, count: Count(0), record: PhantomData })
    }

    /// Writes a record.
    ///
    /// # Errors
    /// [`EncodeError`] as an `InvalidInput`, with [`EncodeError::BatchCount`] for a record beyond the count: the
    /// record is not written, and the batch can go on. Or what the stream says, and the batch is lost: from then on
    /// the error is [`EncodeError::BatchLost`]. The batch is lost as well when a long record turns out to write
    /// another length than it has announced.
    pub fn push(&mut self, record: &T) -> io::Result<()> {
        self.extend_from_slice(core::slice::from_ref(record))
    }

    /// Writes records, all or none; plain ones as one block.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    #[expect(clippy::arithmetic_side_effects, reason = "no more were written than announced")]
    pub fn extend_from_slice(&mut self, records: &[T]) -> io::Result<()> {
        self.gather.test()?;
        let (announced, left) = (self.announced, (self.announced - self.count.0) as usize);
        if records.len() > left {
            return Err(EncodeError::BatchCount { announced, written: u64::from(announced) + 1 }.into());
        }
        let count = self.count.after(records.len())?;
        self.gather.push(records)?;
        self.count = Count(count);
        Ok(())
    }

    /// How many of the records announced are still to come.
    #[expect(clippy::arithmetic_side_effects, reason = "no more were written than announced")]
    pub fn remaining(&self) -> u32 {
        self.announced - self.count.0
    }

    /// Passes on what is gathered, and gives the stream back.
    ///
    /// # Errors
    /// [`EncodeError::BatchCount`] as an `InvalidInput` when records are missing, [`EncodeError::BatchLost`] when there
    /// was an error before; what the stream says.
    pub fn finish(mut self) -> io::Result<W> {
        self.gather.flush()?;
        if self.count.0 != self.announced {
            let written = u64::from(self.count.0);
            return Err(EncodeError::BatchCount { announced: self.announced, written }.into());
        }
        self.gather.out.flush()?;
        Ok(self.gather.out)
    }
}

/// Writes a batch to a stream that can go back: the count is filled in by [`finish`](BatchSeek::finish).
///
/// Until then the count on the stream is the largest there is, which the bytes after it contradict, so that a batch
/// which is never finished is refused by whoever reads it. After an error of the stream, of
/// whatever kind, nobody knows what it has taken: the batch is lost, and everything that follows is an error.
///
/// Whether the stream goes back is tried at the beginning and looked at in the end: a file opened for appending does
/// not, and puts the count behind the records.
///
/// ```
/// # use kiln::BatchSeek;
/// let mut batch = BatchSeek::new(std::io::Cursor::new(Vec::new()))?;
/// batch.push(&7u32)?;
/// batch.push(&8)?;
/// let out = batch.finish()?.into_inner();
/// assert_eq!(out, kiln::to_vec(&[7u32, 8])?);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[cfg(feature = "std")]
#[derive(Debug)]
#[must_use = "the count is written by finish"]
pub struct BatchSeek<W: Write + Seek, T> {
    gather: Gather<W>,
    /// Where the count stands.
    at: u64,
    count: Count,
    record: PhantomData<fn(&T)>,
}

#[cfg(feature = "std")]
impl<W: Write + Seek, T: Encode> BatchSeek<W, T> {
    /// Begins a batch where the stream stands.
    ///
    /// # Errors
    /// [`EncodeError::BatchPosition`] as an `InvalidInput` for a stream that does not go back to where the count
    /// stands, with what was written to find out; what the stream says.
    pub fn new(out: W) -> io::Result<Self> {
        Self::begin(out, &[])
    }

    /// Begins a batch in a frame: that of a list of records.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn framed(out: W) -> io::Result<Self>
    where
        T: Typed,
    {
        Self::begin(out, &frame::header(schema_hash::<[T]>()))
    }

    fn begin(mut out: W, frame: &[u8]) -> io::Result<Self> {
        assert_some_bytes!(T);
        let start = out.stream_position()?;
        writer::write_all(&mut out, frame)?;
        let at = start.saturating_add(frame.len() as u64);
        writer::write_all(&mut out, &UNFINISHED)?;
        let mut batch = BatchSeek { gather: Gather::new(out), at, count: Count(0), record: PhantomData };
        stands_at(batch.gather.out.stream_position()?, batch.records_at())?;
        // Once more over itself, as in the end: better now than when all records are written.
        batch.put_count(UNFINISHED)?;
        Ok(batch)
    }

    /// Where the records begin.
    fn records_at(&self) -> u64 {
        self.at.saturating_add(COUNT as u64)
    }

    /// Writes the count where it stands, and looks whether the stream is behind it then.
    fn put_count(&mut self, count: [u8; COUNT]) -> io::Result<()> {
        let expected = self.records_at();
        let out = &mut self.gather.out;
        stands_at(out.seek(SeekFrom::Start(self.at))?, self.at)?;
        writer::write_all(out, &count)?;
        stands_at(out.stream_position()?, expected)
    }

    /// Writes a record.
    ///
    /// # Errors
    /// [`EncodeError`] as an `InvalidInput`: the record is not written, and the batch can go on. Or what the stream
    /// says, and the batch is lost: from then on the error is [`EncodeError::BatchLost`]. The batch is lost as well
    /// when a long record turns out to write another length than it has announced.
    pub fn push(&mut self, record: &T) -> io::Result<()> {
        self.extend_from_slice(core::slice::from_ref(record))
    }

    /// Writes records, all or none; plain ones as one block.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn extend_from_slice(&mut self, records: &[T]) -> io::Result<()> {
        self.gather.test()?;
        let count = self.count.after(records.len())?;
        self.gather.push(records)?;
        self.count = Count(count);
        Ok(())
    }

    /// How many records were written.
    pub fn len(&self) -> usize {
        self.count.0 as usize
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.count.0 == 0
    }

    /// Passes on what is gathered, fills in the count, and gives the stream back at the end of the batch.
    ///
    /// # Errors
    /// [`EncodeError::BatchLost`] as an `InvalidInput` when there was an error before, [`EncodeError::BatchPosition`]
    /// when the stream does not stand where the records or the count end; what the stream says. What was written may
    /// then be no whole batch.
    pub fn finish(mut self) -> io::Result<W> {
        self.gather.flush()?;
        let end = self.records_at().saturating_add(self.gather.written);
        stands_at(self.gather.out.stream_position()?, end)?;
        self.put_count(self.count.0.to_le_bytes())?;
        let mut out = self.gather.out;
        stands_at(out.seek(SeekFrom::Start(end))?, end)?;
        out.flush()?;
        Ok(out)
    }
}

/// Reads the records of a batch one by one, storing none: an iterator of `Result<T, Error>`.
///
/// The count is checked when the batch is opened, the records as they come. The first error is the last item;
/// bytes after the last record are one, TRAILING. An error names the record: its path begins with `[i]`.
///
/// Each record is a decode of its own for the owned budget ([`Limits::owned`]): what all of them take together is up
/// to who keeps them.
///
/// ```
/// use kiln::Batch;
/// let bytes = kiln::to_vec(&[("a", 1u8), ("b", 2)])?;
/// let mut total = 0;
/// for record in Batch::<(&str, u8)>::read(&bytes)? {
///     let (_name, value) = record?;
///     total += value;
/// }
/// assert_eq!(total, 3);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Batch<'de, T> {
    bytes: &'de [u8],
    /// Where the list begins.
    start: usize,
    /// At the next record.
    reader: Reader<'de>,
    /// How many records are to come: none after an error.
    remaining: usize,
    ended: bool,
    limits: Limits,
    record: PhantomData<fn() -> T>,
}

impl<'de, T: Decode<'de>> Batch<'de, T> {
    /// Opens the batch that `bytes` hold, within the default [`Limits`].
    ///
    /// # Errors
    /// LIMIT and EOF for the count.
    pub fn read(bytes: &'de [u8]) -> Result<Self, Error> {
        Self::read_with(bytes, &Limits::DEFAULT)
    }

    /// [`read`](Self::read) within `limits`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(bytes: &'de [u8], limits: &Limits) -> Result<Self, Error> {
        Self::open(bytes, 0, limits)
    }

    /// Opens the framed batch that `bytes` hold.
    ///
    /// # Errors
    /// EOF, FRAME and SCHEMA for the frame, then as [`read`](Self::read).
    pub fn read_framed(bytes: &'de [u8]) -> Result<Self, Error>
    where
        T: Typed,
    {
        Self::read_framed_with(bytes, &Limits::DEFAULT)
    }

    /// [`read_framed`](Self::read_framed) within `limits`.
    ///
    /// # Errors
    /// As [`read_framed`](Self::read_framed).
    pub fn read_framed_with(bytes: &'de [u8], limits: &Limits) -> Result<Self, Error>
    where
        T: Typed,
    {
        frame::expect_type::<[T]>(bytes, <[T]>::shape)?;
        Self::open(bytes, frame::LEN, limits)
    }

    fn open(bytes: &'de [u8], start: usize, limits: &Limits) -> Result<Self, Error> {
        assert_some_bytes!(T);
        let mut reader = Reader::new(bytes, start, limits);
        match reader.count(T::MIN_LEN) {
            Ok(remaining) => Ok(Batch {
                bytes,
                start,
                reader,
                remaining,
                ended: false,
                limits: *limits,
                record: PhantomData,
            }),
            Err(fault) => Err(Error::explain(fault, bytes, start, <[T]>::shape, limits)),
        }
    }

    /// How many records are still to come, if they are all well. An error ends the batch earlier.
    pub fn remaining(&self) -> usize {
        self.remaining
    }

    /// Reads the next record into one that exists, reusing what it owns; `None` after the last.
    ///
    /// # Errors
    /// As the iterator. `place` then holds a valid value of parts old and new.
    ///
    /// ```
    /// # use kiln::Batch;
    /// let bytes = kiln::to_vec(&["one", "two"])?;
    /// let mut batch = Batch::<String>::read(&bytes)?;
    /// let (mut word, mut letters) = (String::new(), 0);
    /// while batch.next_into(&mut word).transpose()?.is_some() {
    ///     letters += word.len();
    /// }
    /// assert_eq!(letters, 6);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[inline]
    pub fn next_into(&mut self, place: &mut T) -> Option<Result<(), Error>> {
        self.step(|reader| T::decode_into(reader, place))
    }

    /// Reads the next record, or finds the end. Nobody is lent the batch itself but who reads a record, so that the
    /// compiler can keep it in registers where none is.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "some records remain")]
    fn step<R>(
        &mut self,
        read: impl FnOnce(&mut Reader<'de>) -> Result<R, Fault>,
    ) -> Option<Result<R, Error>> {
        let found = if self.remaining > 0 {
            self.reader.begin(1, self.limits.owned);
            read(&mut self.reader)
        } else if core::mem::replace(&mut self.ended, true) || self.reader.rest().is_empty() {
            return None;
        } else {
            Err(Fault::new(trailing(<[T]>::shape()), self.reader.offset()))
        };
        match found {
            Ok(record) => {
                self.remaining -= 1;
                Some(Ok(record))
            }
            Err(fault) => {
                self.ended = true;
                self.remaining = 0;
                Some(Err(explain::<T>(fault, self.bytes, self.start, self.limits)))
            }
        }
    }
}

/// Asks for the records of a fixed size that are read soon, where the next of them begins `rest`. What is done with each
/// is more than a processor looks past to see which lines it needs next: without this, a million records of 32 bytes
/// were read at 0.7 of the speed of memory.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "counts up to `LONG`")]
fn look_ahead<T: Frozen>(rest: &[u8]) {
    const AHEAD: usize = 4096;
    const LINE: usize = 64;
    // Of shorter ones a line has many, and asking with each costs more than it gains; of longer ones each has many lines.
    const SHORT: usize = 32;
    const LONG: usize = 256;
    let mut at = 0;
    while SHORT <= T::MIN_LEN && T::MIN_LEN <= LONG && at < T::MIN_LEN {
        arch::prefetch_behind(rest, AHEAD + at);
        at += LINE;
    }
}

#[cold]
#[inline(never)]
fn explain<T: Frozen>(fault: Fault, bytes: &[u8], start: usize, limits: Limits) -> Error {
    Error::explain(fault, bytes, start, <[T]>::shape, &limits)
}

impl<'de, T: Decode<'de>> Iterator for Batch<'de, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if !T::FIXED || T::DEPTH >= MAX_DEPTH {
            return self.step(T::decode);
        }
        // A record of a fixed size needs no reader.
        self.step(|reader| {
            look_ahead::<T>(reader.rest());
            match reader.chunk(T::MIN_LEN, 0) {
                Some(chunk) => T::decode_fixed(chunk),
                // Never, since the count was accepted: a copy is lent for the sake of those that are read.
                None => T::decode(&mut reader.clone()),
            }
        })
    }

    /// At least one item where a record or a left-over byte is; at most the records and an error.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the count was accepted, so that the bytes hold as many records"
    )]
    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.ended {
            return (0, Some(0));
        }
        let left_over = usize::from(!self.reader.rest().is_empty());
        if T::FIXED {
            // All records are there, since the count was accepted; what follows them is TRAILING.
            let records = self.remaining * T::MIN_LEN;
            let trailing = usize::from(self.reader.rest().len() > records);
            return (left_over, Some(self.remaining + trailing));
        }
        (left_over, self.remaining.checked_add(left_over))
    }
}

impl<'de, T: Decode<'de>> FusedIterator for Batch<'de, T> {}

impl<T> fmt::Debug for Batch<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("remaining", &self.remaining).finish_non_exhaustive()
    }
}
