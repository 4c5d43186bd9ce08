//! A directory without its payloads: what is in it, where that lies, and then as much of it as is wanted.
//! Chapter: Views and owned copies, parts of a file.

use super::check::{Input, check_directory, check_header, wrong_element_of};
use super::descriptor::Descriptor;
use super::directory::{Directory, explain};
use super::dtype::Dtype;
use super::header::Header;
use super::opaque::Layout;
use super::shape::Shape;
use super::view::{Tensor, View, ViewError, first_axis};
use crate::error::{Code, Error, Fault, Numbers};
use crate::limits::Limits;
use core::fmt;
use core::ops::Range;

/// The header of a directory of which the rest has not been read: it says how much to read next.
///
/// A file or an object store is read in three steps: the first 64 bytes, the directory, and then the payloads
/// that are wanted, or parts of them.
///
/// ```
/// use kiln::tensor::{Builder, HeaderFirst};
/// # let mut builder = Builder::new();
/// # let bias = [1f32, 2.0, 3.0];
/// # builder.push("bias", &[3], &bias)?;
/// # builder.push("weights", &[2, 3], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// # let file = builder.to_vec()?;
/// # let total = file.len() as u64;
/// # let fetch = |range: std::ops::Range<u64>| &file[range.start as usize..range.end as usize];
/// let start = HeaderFirst::read(fetch(0..64), Some(total))?;
/// let outline = start.outline(fetch(0..start.directory_len()))?;
///
/// let weights = outline.get_by_name("weights").unwrap();
/// assert_eq!(weights.shape()[..], [2, 3]);
/// let view = weights.view(fetch(weights.byte_range()))?;
/// assert_eq!(view.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
///
/// // The second row alone.
/// let row = weights.view_first(1..2, fetch(weights.first_range(1..2)?))?;
/// assert_eq!(row.to_vec::<f32>()?, [4.0, 5.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeaderFirst {
    header: Header,
    directory_len: u64,
    total: Option<u64>,
    limits: Limits,
}

impl HeaderFirst {
    /// How many bytes a header takes.
    pub const LEN: usize = Header::LEN;

    /// Reads the header that `bytes` begin with: at least 64 bytes, or all there are. `total` is the length
    /// of the whole file in bytes, which has to hold the directory and nothing else, if it is known.
    ///
    /// # Errors
    /// EOF, FRAME, LIMIT and TYPE by steps 1 to 4 of the check order; when the total length is given, also by
    /// the tests of steps 5 to 7 that need only it: a file that was cut off is found out here.
    pub fn read(bytes: &[u8], total: Option<u64>) -> Result<Self, Error> {
        HeaderFirst::read_with(bytes, total, &Limits::DEFAULT)
    }

    /// [`read`](Self::read) within `limits`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(bytes: &[u8], total: Option<u64>, limits: &Limits) -> Result<Self, Error> {
        let input = Input { bytes, total, standalone: true, limits: *limits };
        let (header, directory_len) =
            check_header(&input).map_err(|fault| explain_with(fault, bytes, total, limits))?;
        Ok(HeaderFirst { header, directory_len, total, limits: *limits })
    }

    /// The numbers of the header.
    pub fn header(&self) -> Header {
        self.header
    }

    /// How many bytes from the start of the file [`outline`](Self::outline) needs: header, descriptors and
    /// names.
    pub fn directory_len(&self) -> u64 {
        self.directory_len
    }

    /// Checks the directory that `bytes` begin with: the first [`directory_len`](Self::directory_len) bytes
    /// of the file, or more of them.
    ///
    /// # Errors
    /// As [`Directory::read`](super::Directory::read), but for what only the bytes after the directory show:
    /// padding and gaps that are not zero, bool bytes, high nibbles; and, where the total length is not
    /// known, EOF and TRAILING after the directory.
    pub fn outline<'a>(&self, bytes: &'a [u8]) -> Result<Outline<'a>, Error> {
        let input = Input { bytes, total: self.total, standalone: true, limits: self.limits };
        match check_directory(&input) {
            Ok(checked) => Ok(Outline { block_len: checked.end, directory: Directory::of(checked) }),
            Err(fault) => Err(explain_with(fault, bytes, self.total, &self.limits)),
        }
    }
}

/// The error of a fault in the first `bytes` of a file of `total` bytes.
#[cold]
fn explain_with(fault: Fault, bytes: &[u8], total: Option<u64>, limits: &Limits) -> Error {
    let error = explain(fault, bytes, limits);
    let Some(left) = total.map(|total| total.saturating_sub(error.offset())) else { return error };
    match (error.code(), error.claimed()) {
        // Else it is the bytes given that are too few.
        (Code::Eof, Some(claimed)) if left < claimed => {
            Error { numbers: Numbers::claimed(claimed, left), ..error }
        }
        (Code::Trailing, _) => Error { numbers: Numbers::left_over(left), ..error },
        _ => error,
    }
}

/// The directory of a file whose payloads have not been read: every descriptor checked, and where each
/// payload lies. Made by [`HeaderFirst::outline`].
#[derive(Clone)]
pub struct Outline<'a> {
    /// Its block is what was given of the file.
    directory: Directory<'a>,
    block_len: u64,
}

impl<'a> Outline<'a> {
    /// The number of tensors.
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of the whole block, in bytes.
    pub fn block_len(&self) -> u64 {
        self.block_len
    }

    /// Tensor `index`, in the order of the descriptors.
    pub fn get(&self, index: usize) -> Option<Outlined<'a>> {
        self.directory.get(index).map(Outlined)
    }

    /// The tensor of that name.
    pub fn get_by_name(&self, name: &str) -> Option<Outlined<'a>> {
        self.directory.get_by_name(name).map(Outlined)
    }

    /// The tensors, in the order of the descriptors.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Outlined<'a>> + ExactSizeIterator + use<'a> {
        self.directory.iter().map(Outlined)
    }
}

impl fmt::Debug for Outline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A tensor whose payload has not been read. It borrows the bytes of the directory, not the [`Outline`].
#[derive(Clone, Copy)]
pub struct Outlined<'a>(Tensor<'a>);

impl<'a> Outlined<'a> {
    /// The place of the tensor in the directory.
    pub fn index(&self) -> usize {
        self.0.index()
    }

    /// All numbers of the descriptor.
    pub fn descriptor(&self) -> Descriptor {
        self.0.descriptor()
    }

    /// The name, if it has one; never the empty text.
    pub fn name(&self) -> Option<&'a str> {
        self.0.name()
    }

    /// What the elements are.
    pub fn dtype(&self) -> Dtype {
        self.0.dtype()
    }

    /// The dimensions, outermost first.
    pub fn shape(&self) -> Shape {
        self.0.shape()
    }

    /// The number of elements: the product of the dimensions. Of an opaque tensor, as its shape says.
    pub fn element_count(&self) -> u64 {
        self.0.element_count()
    }

    /// Whose bytes the payload is made of, when the tensor is opaque.
    pub fn layout(&self) -> Option<Layout<'a>> {
        self.0.layout()
    }

    /// The tensor that scales this one, if it is linked to one; axis and group size are in the
    /// [`descriptor`](Self::descriptor).
    pub fn scale(&self) -> Option<Outlined<'a>> {
        self.0.quantization().map(|link| Outlined(link.scale))
    }

    /// The tensor that scales the scales, if there is one.
    pub fn outer(&self) -> Option<Outlined<'a>> {
        self.0.quantization()?.outer.map(Outlined)
    }

    /// Where the payload lies, in bytes from the start of the file.
    pub fn byte_range(&self) -> Range<u64> {
        self.0.byte_range()
    }

    /// Where that part of the payload lies whose first index is in `range`, in bytes from the start of the
    /// file.
    ///
    /// # Errors
    /// As [`View::slice_first`].
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the part lies inside the payload, and step 9a has found that inside the block"
    )]
    pub fn first_range(&self, range: Range<u64>) -> Result<Range<u64>, ViewError> {
        let (_, part) = first_axis(self.dtype(), &self.shape(), range)?;
        // The part lies inside the payload, and the payload inside the block.
        let start = self.0.byte_offset();
        Ok(start + part.start..start + part.end)
    }

    /// The payload, read from [`byte_range`](Self::byte_range), for use: checked where the dtype asks for it.
    ///
    /// # Errors
    /// [`PayloadError::Length`] for another number of bytes; TYPE for a bool byte above 1 or a nonzero high
    /// nibble, with the offset in the file, as step 11 of the check order has it.
    pub fn view<'p>(&self, payload: &'p [u8]) -> Result<View<'p>, PayloadError> {
        self.checked(self.shape(), 0..self.0.byte_len(), payload)
    }

    /// The part of the payload whose first index is in `range`, read from [`first_range`](Self::first_range).
    ///
    /// # Errors
    /// As [`view`](Self::view), and [`PayloadError::View`] as [`first_range`](Self::first_range).
    pub fn view_first<'p>(&self, range: Range<u64>, part: &'p [u8]) -> Result<View<'p>, PayloadError> {
        let (shape, bytes) = first_axis(self.dtype(), &self.shape(), range).map_err(PayloadError::View)?;
        self.checked(shape, bytes, part)
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`part` is in order, lies inside the payload, and that inside the block"
    )]
    fn checked<'p>(&self, shape: Shape, part: Range<u64>, bytes: &'p [u8]) -> Result<View<'p>, PayloadError> {
        let needed = part.end - part.start;
        if needed != bytes.len() as u64 {
            return Err(PayloadError::Length { needed, given: bytes.len() });
        }
        let descriptor = self.descriptor();
        // Only the last byte of a packed payload has a half that may be unused.
        let restricted = !self.dtype().is_packed() || part.end == descriptor.byte_len;
        match wrong_element_of(&descriptor, bytes).filter(|_| restricted) {
            None => Ok(View::new(self.dtype(), shape, bytes)),
            Some((reason, at_part)) => {
                let at = descriptor.byte_offset + part.start + at_part as u64;
                let fault = Fault::in_tensor(reason, at, self.index());
                let error = explain(fault, self.0.table().block(), &Limits::NONE);
                let found = bytes.get(at_part).copied().unwrap_or(0);
                Err(PayloadError::Rejected(Error { numbers: Numbers::found(found.into()), ..error }))
            }
        }
    }
}

impl fmt::Debug for Outlined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Why bytes are not the payload, or not the part of it, that they are said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayloadError {
    /// There are more or fewer bytes than the range has.
    Length {
        /// The bytes of the range.
        needed: u64,
        /// The bytes given.
        given: usize,
    },
    /// The part asked for is none.
    View(ViewError),
    /// The bytes are refused.
    Rejected(Error),
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PayloadError::Length { needed, given } => {
                write!(f, "the range has {needed} bytes, and {given} were given")
            }
            PayloadError::View(error) => fmt::Display::fmt(error, f),
            PayloadError::Rejected(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl core::error::Error for PayloadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            PayloadError::Length { .. } => None,
            PayloadError::View(error) => Some(error),
            PayloadError::Rejected(error) => Some(error),
        }
    }
}
