//! Where the records of a batch begin, found once: then they can be read in any order, and on several threads.

use super::list::{self, assert_some_bytes};
use super::{Batch, Decode, Frozen, end};
use crate::error::{Error, Fault};
use crate::frame;
use crate::limits::Limits;
use crate::schema::Typed;
use crate::wire::{Chunk, MAX_DEPTH, Reader, Source};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// The records of a batch by their number. [`Batch::index`] makes one: in one pass that accepts the whole batch, and
/// builds nothing but the list of where records begin; of records of a fixed size, not even that.
///
/// ```
/// use kiln::Batch;
/// let bytes = kiln::to_vec(&["one", "two", "three"])?;
/// let words = Batch::<&str>::index(&bytes)?;
/// assert_eq!(words.len(), 3);
/// assert_eq!(words.get(2).transpose()?, Some("three"));
/// assert_eq!(words.get(3).transpose()?, None);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct BatchIndex<'de, T> {
    bytes: &'de [u8],
    starts: Starts,
    limits: Limits,
    record: PhantomData<fn() -> T>,
}

/// Where records begin.
enum Starts {
    /// One behind the other from here on, this many.
    FixedSize(usize, usize),
    Each(Vec<usize>),
}

impl<'de, T: Decode<'de>> Batch<'de, T> {
    /// Accepts the batch that `bytes` hold, within the default [`Limits`], and finds where its records begin.
    ///
    /// # Errors
    /// Those of [`validate`](crate::validate) for the list of records; LIMIT when the owned budget does not hold the
    /// index: a word for each record that has no fixed size.
    pub fn index(bytes: &'de [u8]) -> Result<BatchIndex<'de, T>, Error> {
        Self::index_with(bytes, &Limits::DEFAULT)
    }

    /// [`index`](Self::index) within `limits`, which hold for reading records, too.
    ///
    /// # Errors
    /// As [`index`](Self::index).
    pub fn index_with(bytes: &'de [u8], limits: &Limits) -> Result<BatchIndex<'de, T>, Error> {
        BatchIndex::open(bytes, 0, limits)
    }

    /// [`index`](Self::index) of the framed batch that `bytes` hold.
    ///
    /// # Errors
    /// EOF, FRAME and SCHEMA for the frame, then as [`index`](Self::index).
    pub fn index_framed(bytes: &'de [u8]) -> Result<BatchIndex<'de, T>, Error>
    where
        T: Typed,
    {
        Self::index_framed_with(bytes, &Limits::DEFAULT)
    }

    /// [`index_framed`](Self::index_framed) within `limits`.
    ///
    /// # Errors
    /// As [`index_framed`](Self::index_framed).
    pub fn index_framed_with(bytes: &'de [u8], limits: &Limits) -> Result<BatchIndex<'de, T>, Error>
    where
        T: Typed,
    {
        frame::expect_type::<[T]>(bytes, <[T]>::shape)?;
        BatchIndex::open(bytes, frame::LEN, limits)
    }
}

/// Reads past the records, and says where they begin.
fn find<'de, T: Decode<'de>>(reader: &mut Reader<'de>) -> Result<Starts, Fault> {
    let offset = reader.offset();
    reader.enter()?;
    let count = reader.count(T::MIN_LEN)?;
    let starts = if T::FIXED {
        let chunk = list::chunk::<T, _>(reader, count)?;
        T::validate_fixed(chunk)?;
        Starts::FixedSize(chunk.offset, count)
    } else {
        reader.charge_items(count, size_of::<usize>(), offset)?;
        let mut starts = Vec::with_capacity(count);
        for _ in 0..count {
            starts.push(reader.offset());
            T::validate(reader)?;
        }
        Starts::Each(starts)
    };
    reader.leave();
    Ok(starts)
}

impl<'de, T: Decode<'de>> BatchIndex<'de, T> {
    fn open(bytes: &'de [u8], start: usize, limits: &Limits) -> Result<Self, Error> {
        assert_some_bytes!(T);
        let mut reader = Reader::new(bytes, start, limits);
        match find::<T>(&mut reader) {
            Ok(starts) => {
                end::<[T]>(bytes, start, reader.rest(), limits)?;
                Ok(BatchIndex { bytes, starts, limits: *limits, record: PhantomData })
            }
            Err(fault) => Err(Error::explain(fault, bytes, start, <[T]>::shape, limits)),
        }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        match &self.starts {
            Starts::FixedSize(_, count) => *count,
            Starts::Each(starts) => starts.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where record `index` begins, in bytes from the start of the buffer.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "a record that the bytes hold")]
    pub fn offset(&self, index: usize) -> Option<usize> {
        match &self.starts {
            Starts::FixedSize(first, count) if index < *count => Some(first + index * T::MIN_LEN),
            Starts::FixedSize(..) => None,
            Starts::Each(starts) => starts.get(index).copied(),
        }
    }

    /// Reads record `index`; `None` beyond the last.
    ///
    /// # Errors
    /// LIMIT for a record that would own more than the budget, which each has to itself. Nothing else is left to go
    /// wrong, unless a hand-written [`Decode`] does not say the same each time.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Result<T, Error>> {
        let offset = self.offset(index)?;
        // A record of a fixed size needs no reader.
        if T::FIXED && T::DEPTH < MAX_DEPTH {
            let bytes = self.bytes.get(offset..).and_then(|rest| rest.get(..T::MIN_LEN));
            if let Some(bytes) = bytes {
                let record = T::decode_fixed(Chunk { bytes, offset });
                return Some(record.map_err(|fault| self.explain(fault, index, offset)));
            }
        }
        let mut reader = Reader::new(self.bytes, offset, &self.limits).inside(1);
        Some(T::decode(&mut reader).map_err(|fault| self.explain(fault, index, offset)))
    }

    #[cold]
    fn explain(&self, fault: Fault, index: usize, offset: usize) -> Error {
        // From the record's own start: whoever reads all records may be refused each.
        Error::explain_record(fault, self.bytes, (index, offset), T::shape, &self.limits)
    }

    /// The records in order.
    #[expect(clippy::unreachable, reason = "`get` gives a record for each index below the length")]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Result<T, Error>> + DoubleEndedIterator {
        (0..self.len())
            .map(|index| self.get(index).unwrap_or_else(|| unreachable!("the index is below the length")))
    }

    /// The records, for reading on several threads (feature `rayon`); on the calling one where no thread can be started.
    ///
    /// ```
    /// use kiln::Batch;
    /// use rayon::prelude::*;
    /// let bytes = kiln::to_vec(&["one", "two", "three"])?;
    /// let words = Batch::<String>::index(&bytes)?;
    /// let words: Vec<String> = words.par_iter().collect::<Result<_, _>>()?;
    /// assert_eq!(words, ["one", "two", "three"]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[cfg(feature = "rayon")]
    #[expect(clippy::unreachable, reason = "`get` gives a record for each index below the length")]
    pub fn par_iter(&self) -> impl rayon::iter::IndexedParallelIterator<Item = Result<T, Error>>
    where
        T: Send,
    {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        crate::threads::MakingDo((0..self.len()).into_par_iter())
            .map(|index| self.get(index).unwrap_or_else(|| unreachable!("the index is below the length")))
    }
}

impl<T> fmt::Debug for BatchIndex<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = match &self.starts {
            Starts::FixedSize(_, count) => *count,
            Starts::Each(starts) => starts.len(),
        };
        f.debug_struct("BatchIndex").field("len", &len).finish_non_exhaustive()
    }
}
