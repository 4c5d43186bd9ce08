//! A directory that was read: checked once, then used in place.

use super::accept::{accept, accept_in_runs};
use super::check::{Checked, Input, check as judge};
use super::header::Header;
use super::index::Index;
use super::names::Keys;
use super::parallel;
use super::table::Table;
use super::view::Tensor;
use crate::error::{EncodeError, Error, Fault};
use crate::frozen::{Decode, Encode, Exact, Frozen};
use crate::limits::Limits;
use crate::schema::{Scalar, Shape as TypeShape, StaticType, Typed};
use crate::wire::{Measure, Sink, Source};
use core::fmt;
use core::iter::FusedIterator;

/// A tensor directory in the caller's bytes: checked as a whole when it is read, and not copied. As a field of
/// a struct it is the type `tensors`. Chapters: Tensor directory, Check order.
///
/// Reading looks at the header, the descriptors, the names, the bytes between payloads, and of the payloads
/// only at those of bool and at the last byte of packed ones of odd count; nothing is allocated but the index
/// by name, and that only where the names do not ascend.
///
/// ```
/// use kiln::tensor::{Directory, Dtype};
/// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
/// let directory = Directory::read(bytes)?;
/// for tensor in &directory {
///     println!("{:?} {} {}", tensor.name(), tensor.dtype(), tensor.shape());
/// }
/// let scale = directory.get_by_name("weight.scale").unwrap();
/// assert_eq!((scale.index(), scale.dtype()), (1, Dtype::F32));
/// assert_eq!(scale.shape()[..], [2, 2]);
/// # Ok::<(), kiln::Error>(())
/// ```
#[derive(Clone)]
pub struct Directory<'a> {
    table: Table<'a>,
    index: Index,
}

impl<'a> Directory<'a> {
    /// Reads the directory that `bytes` hold, within the default [`Limits`].
    ///
    /// # Errors
    /// FRAME, LIMIT, EOF, TYPE, UTF8 and TRAILING, by the first test of the check order that fails.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        Directory::read_with(bytes, &Limits::DEFAULT)
    }

    /// [`read`](Self::read) within `limits`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(bytes: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        Directory::open(&Input::whole(bytes, true, limits)).map_err(|fault| explain(fault, bytes, limits))
    }

    /// Reads the directory that `bytes` begin with, and gives the bytes after it.
    ///
    /// # Errors
    /// As [`read`](Self::read), but never TRAILING. Chapter: Embedding.
    ///
    /// ```
    /// use kiln::tensor::Directory;
    /// # let golden: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// # let bytes = [golden, &[7]].concat();
    /// let (directory, rest) = Directory::read_embedded(&bytes)?;
    /// assert_eq!(directory.as_bytes().len() + rest.len(), bytes.len());
    /// assert_eq!(rest, [7]);
    /// # Ok::<(), kiln::Error>(())
    /// ```
    pub fn read_embedded(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        Directory::read_embedded_with(bytes, &Limits::DEFAULT)
    }

    /// [`read_embedded`](Self::read_embedded) within `limits`.
    ///
    /// # Errors
    /// As [`read_embedded`](Self::read_embedded).
    pub fn read_embedded_with(bytes: &'a [u8], limits: &Limits) -> Result<(Self, &'a [u8]), Error> {
        let directory = Directory::open(&Input::whole(bytes, false, limits))
            .map_err(|fault| explain(fault, bytes, limits))?;
        let rest = bytes.get(directory.as_bytes().len()..).unwrap_or(&[]);
        Ok((directory, rest))
    }

    /// Accepts fast, or lets the judge speak. Offsets count from the block's first byte.
    pub(crate) fn open(input: &Input<'a>) -> Result<Self, Fault> {
        let checked = match accept(input) {
            Some(checked) => checked,
            None => judged(input)?,
        };
        Ok(Directory::of(checked))
    }

    pub(crate) fn of(Checked { table, index, end }: Checked<'a>) -> Self {
        let block = table.region(0, end).unwrap_or(table.block());
        Directory { table: table.within(block), index }
    }

    /// The number of tensors.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tensor `index`, in the order of the descriptors.
    pub fn get(&self, index: usize) -> Option<Tensor<'a>> {
        Tensor::new(self.table, index)
    }

    /// The tensor of that name: one look into a table, or a binary search where names ascend. A tensor without
    /// a name is not found by the empty one.
    pub fn get_by_name(&self, name: &str) -> Option<Tensor<'a>> {
        self.get(self.index_of(name)?)
    }

    /// The index of the tensor of that name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.index.find(self.len(), |index| self.table.name_of(index), name.as_bytes())
    }

    /// The tensors, in the order of the descriptors.
    pub fn iter(&self) -> Tensors<'a> {
        Tensors { table: self.table, from: 0, to: self.len() }
    }

    /// The block as it stands, from the magic to the end of the last payload. It is the one encoding of what
    /// the directory holds.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.table.block()
    }

    /// The numbers of the header.
    pub fn header(&self) -> Header {
        self.as_bytes().first_chunk().map(Header::read).unwrap_or_default()
    }

    /// The bytes of the block that belong to no payload: header, descriptors, names and zeros.
    pub fn overhead(&self) -> u64 {
        let payloads: u64 = self.table.iter().map(|descriptor| descriptor.byte_len).sum();
        (self.as_bytes().len() as u64).saturating_sub(payloads)
    }
}

/// What is known of a block that was checked, apart from its bytes. Whoever owns these keeps it, and makes a
/// [`Directory`] of the two as often as one is wanted, at the price of a few instructions.
#[derive(Clone)]
pub(crate) struct Known {
    header: Header,
    index: Index,
}

impl Known {
    pub(crate) fn new(header: Header, index: Index) -> Self {
        Known { header, index }
    }

    /// What is known of the block of `directory`.
    pub(crate) fn of(directory: &Directory<'_>) -> Self {
        Known::new(directory.header(), directory.index.clone())
    }

    /// The directory in the block that this is known of.
    #[expect(
        clippy::panic,
        reason = "every owner keeps the block that was checked, and a table asks only for its length"
    )]
    pub(crate) fn directory<'a>(&self, block: &'a [u8]) -> Directory<'a> {
        match Table::new(block, &self.header) {
            Some(table) => Directory { table, index: self.index.clone() },
            None => panic!("the directory of another block"),
        }
    }
}

/// The judge's answer, where the fast pass has said no.
#[cold]
#[inline(never)]
fn judged<'a>(input: &Input<'a>) -> Result<Checked<'a>, Fault> {
    let checked = judge(input)?;
    debug_assert!(false, "the fast pass refused a directory in which the check order finds nothing wrong");
    Ok(checked)
}

pub(crate) fn explain(fault: Fault, bytes: &[u8], limits: &Limits) -> Error {
    Error::explain(fault, bytes, 0, <Directory<'_> as Frozen>::shape, limits)
}

/// The verdict on the directory that `bytes` hold by the check order itself, step by step: slower than
/// [`Directory::read`], which has the same answer.
///
/// # Errors
/// As [`Directory::read`].
///
/// ```
/// use kiln::tensor;
/// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
/// # let mut damaged = bytes.to_vec();
/// tensor::check(bytes)?;
/// damaged[66] = 9;
/// assert_eq!(
///     tensor::check(&damaged).unwrap_err().describe(&damaged).to_string(),
///     "TYPE at byte 66 (0x42), step 9, in tensor 0 \"weight\": the rank is above 8 (found 9)"
/// );
/// # Ok::<(), kiln::Error>(())
/// ```
pub fn check(bytes: &[u8]) -> Result<(), Error> {
    check_with(bytes, &Limits::DEFAULT)
}

/// [`check`] within `limits`.
///
/// # Errors
/// As [`check`].
pub fn check_with(bytes: &[u8], limits: &Limits) -> Result<(), Error> {
    judge(&Input::whole(bytes, true, limits)).map(drop).map_err(|fault| explain(fault, bytes, limits))
}

/// The verdict on the directory that `bytes` begin with, by the check order itself; gives the length of the
/// block.
///
/// # Errors
/// As [`Directory::read_embedded`].
pub fn check_embedded(bytes: &[u8]) -> Result<usize, Error> {
    check_embedded_with(bytes, &Limits::DEFAULT)
}

/// [`check_embedded`] within `limits`.
///
/// # Errors
/// As [`check_embedded`].
pub fn check_embedded_with(bytes: &[u8], limits: &Limits) -> Result<usize, Error> {
    match judge(&Input::whole(bytes, false, limits)) {
        Ok(checked) => Ok(Directory::of(checked).as_bytes().len()),
        Err(fault) => Err(explain(fault, bytes, limits)),
    }
}

/// The fast pass alone: it has to agree with [`check_with`], or with [`check_embedded_with`]. For tests.
#[doc(hidden)]
pub fn accepts(bytes: &[u8], limits: &Limits, standalone: bool) -> bool {
    accept(&Input::whole(bytes, standalone, limits)).is_some()
}

/// What the fast pass accepts when it goes through so many descriptors at a time, as if each time on another thread:
/// it has to be what [`accepts`] says, and to find the same names. For tests.
#[doc(hidden)]
pub fn accepted_in_runs<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    standalone: bool,
    len: usize,
) -> Option<Directory<'a>> {
    let runs = |count: usize| {
        let starts = (0..count).step_by(len.max(1));
        Some(starts.map(|start| start..count.min(start.saturating_add(len.max(1)))).collect())
    };
    accept_in_runs(&Input::whole(bytes, standalone, limits), None, runs).map(Directory::of)
}

/// What the fast pass accepts when everybody knows the keys under which it hashes names: it has to be what [`accepts`]
/// says, in as little time. For tests.
#[doc(hidden)]
pub fn accepted_with_keys<'a>(bytes: &'a [u8], limits: &Limits, seed: u64) -> Option<Directory<'a>> {
    let keys = Some(Keys::known(seed));
    accept_in_runs(&Input::whole(bytes, true, limits), keys, parallel::runs).map(Directory::of)
}

impl PartialEq for Directory<'_> {
    /// Equal contents are equal bytes.
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Directory<'_> {}

impl fmt::Debug for Directory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<'a> IntoIterator for &Directory<'a> {
    type Item = Tensor<'a>;
    type IntoIter = Tensors<'a>;

    fn into_iter(self) -> Tensors<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for Directory<'a> {
    type Item = Tensor<'a>;
    type IntoIter = Tensors<'a>;

    fn into_iter(self) -> Tensors<'a> {
        self.iter()
    }
}

/// The tensors of a directory, in order; it borrows the bytes and not the [`Directory`].
#[derive(Clone)]
pub struct Tensors<'a> {
    table: Table<'a>,
    from: usize,
    to: usize,
}

impl<'a> Iterator for Tensors<'a> {
    type Item = Tensor<'a>;

    fn next(&mut self) -> Option<Tensor<'a>> {
        self.nth(0)
    }

    fn nth(&mut self, skip: usize) -> Option<Tensor<'a>> {
        let at = self.from.saturating_add(skip).min(self.to);
        self.from = at.saturating_add(1).min(self.to);
        if at < self.to { Tensor::new(self.table, at) } else { None }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.to.saturating_sub(self.from);
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Tensors<'_> {
    #[expect(clippy::arithmetic_side_effects, reason = "`to` is above `from`")]
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.from == self.to {
            return None;
        }
        self.to -= 1;
        Tensor::new(self.table, self.to)
    }
}

impl ExactSizeIterator for Tensors<'_> {}

impl FusedIterator for Tensors<'_> {}

impl fmt::Debug for Tensors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl Frozen for Directory<'_> {
    const MIN_LEN: usize = Header::LEN;
    const DEPTH: u32 = 1;
    // SAFETY: `measure` adds the length of the block and `encode` puts the block.
    #[allow(unsafe_code)]
    const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

    fn shape() -> TypeShape {
        TypeShape::Scalar(Scalar::Tensors)
    }
}

impl<X> Typed<X> for Directory<'_> {
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::Tensors);
}

impl Encode for Directory<'_> {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.room(1)?;
        measure.add(self.as_bytes().len());
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.run(self.as_bytes());
    }
}

impl<'de: 'a, 'a> Decode<'de> for Directory<'a> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.enter()?;
        let start = source.offset();
        let directory = Directory::open(&Input::whole(source.rest(), false, &source.limits()))
            .map_err(|fault| fault.moved(start))?;
        source.take(directory.as_bytes().len())?;
        source.leave();
        Ok(directory)
    }
}
