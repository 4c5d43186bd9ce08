//! Directories from streams and files, into memory of one's own. Chapter: Views and owned copies.

use super::aligned::AlignedBytes;
use super::check::{Input, check_header};
use super::directory::{Directory, explain};
use super::header::Header;
use super::owned::{OwnedDirectory, over_budget};
use crate::error::{Error, Fault, Numbers, Reason};
use crate::limits::Limits;
use core::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Why no directory came out of a stream or a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The stream failed.
    Io(io::Error),
    /// The bytes were refused.
    Rejected(Error),
    /// The buffer to read into is shorter than the block.
    BufferTooShort {
        /// The bytes needed.
        needed: u64,
        /// The bytes given.
        given: usize,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => fmt::Display::fmt(error, f),
            ReadError::Rejected(error) => fmt::Display::fmt(error, f),
            ReadError::BufferTooShort { needed, given } => {
                write!(f, "the block takes {needed} bytes and the buffer has {given}")
            }
        }
    }
}

impl core::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => Some(error),
            ReadError::Rejected(error) => Some(error),
            ReadError::BufferTooShort { .. } => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

impl From<Error> for ReadError {
    fn from(error: Error) -> Self {
        ReadError::Rejected(error)
    }
}

/// Reads the directory that a stream holds up to its end, within the default [`Limits`].
///
/// The verdict is that of [`Directory::read`] on all bytes of the stream. Memory is allocated only as bytes
/// arrive: at most four times as many as have come, and never for what a header merely claims. Storage is
/// moved while it grows, so the budget has to hold five quarters of the block; [`read_file`] needs less.
///
/// # Errors
/// [`ReadError::Io`], but for [`Interrupted`](ErrorKind::Interrupted), which is tried again; what
/// [`Directory::read`] says; LIMIT with [`Reason::Budget`] where the budget does not hold the block. Of bytes
/// left over only the first is read, so TRAILING does not say how many there are.
///
/// ```
/// use kiln::tensor::{Builder, read_from};
/// let mut builder = Builder::new();
/// builder.push("w", &[2], &[1.0f64, 2.0])?;
/// let block = builder.to_vec()?;
/// let directory = read_from(&mut &block[..])?;
/// assert_eq!(directory.get_by_name("w").unwrap().to_vec::<f64>()?, [1.0, 2.0]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn read_from<R: Read + ?Sized>(reader: &mut R) -> Result<OwnedDirectory, ReadError> {
    read_from_with(reader, &Limits::DEFAULT)
}

/// [`read_from`] within `limits`.
///
/// # Errors
/// As [`read_from`].
pub fn read_from_with<R: Read + ?Sized>(
    reader: &mut R,
    limits: &Limits,
) -> Result<OwnedDirectory, ReadError> {
    let directory = read_embedded_from_with(reader, limits)?;
    at_end(reader, directory.as_bytes(), limits)?;
    Ok(directory)
}

/// Reads the directory that a stream goes on with, and not a byte more.
///
/// # Errors
/// As [`read_from`], but never TRAILING.
///
/// ```
/// use kiln::tensor::{Builder, read_embedded_from};
/// let stream = [Builder::new().to_vec()?, vec![7]].concat();
/// let mut reader = &stream[..];
/// assert!(read_embedded_from(&mut reader)?.is_empty());
/// assert_eq!(reader, [7]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn read_embedded_from<R: Read + ?Sized>(reader: &mut R) -> Result<OwnedDirectory, ReadError> {
    read_embedded_from_with(reader, &Limits::DEFAULT)
}

/// [`read_embedded_from`] within `limits`.
///
/// # Errors
/// As [`read_embedded_from`].
pub fn read_embedded_from_with<R: Read + ?Sized>(
    reader: &mut R,
    limits: &Limits,
) -> Result<OwnedDirectory, ReadError> {
    read_block(reader, 0, limits)
}

/// Reads the directory that a file holds into memory, without mapping the file, within the default
/// [`Limits`].
///
/// Mapping ([`open`](super::open)) shows a large local file at once; plain reading is faster from a network
/// disk and cannot be disturbed by whoever writes to the file.
///
/// The block counts against [`Limits::owned`]: a file of more than 1 GiB needs [`read_file_with`] and a larger
/// budget.
///
/// # Errors
/// As [`read_from`]; TRAILING says how many bytes are left over.
///
/// ```
/// # let dir = std::env::temp_dir().join(format!("kiln-doc-read-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// # let path = dir.join("model.kiln");
/// use kiln::tensor::{Builder, read_file};
/// let mut builder = Builder::new();
/// builder.push("w", &[2], &[1.0f64, 2.0])?;
/// builder.save(&path)?;
/// assert_eq!(read_file(&path)?.len(), 1);
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_file(path: impl AsRef<Path>) -> Result<OwnedDirectory, ReadError> {
    read_file_with(path, &Limits::DEFAULT)
}

/// [`read_file`] within `limits`.
///
/// # Errors
/// As [`read_file`].
pub fn read_file_with(path: impl AsRef<Path>, limits: &Limits) -> Result<OwnedDirectory, ReadError> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let directory = read_block(&mut file, len, limits)?;
    let left = len.saturating_sub(directory.as_bytes().len() as u64);
    match at_end(&mut file, directory.as_bytes(), limits) {
        Ok(()) => Ok(directory),
        Err(ReadError::Rejected(error)) => Err(Error { numbers: Numbers::left_over(left), ..error }.into()),
        Err(error) => Err(error),
    }
}

/// Reads the directory that a stream holds up to its end into the start of `buffer`, and allocates nothing
/// but the index by name.
///
/// # Errors
/// As [`read_from`] but for the budget, and [`ReadError::BufferTooShort`] when the header says so: then only
/// the header has been read, and lies in the buffer as far as that goes.
///
/// ```
/// use kiln::tensor::{AlignedBytes, Builder, read_into};
/// let block = Builder::new().to_vec()?;
/// let mut buffer = AlignedBytes::zeroed(4096);
/// assert!(read_into(&mut &block[..], &mut buffer)?.is_empty());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn read_into<'b, R: Read + ?Sized>(
    reader: &mut R,
    buffer: &'b mut [u8],
) -> Result<Directory<'b>, ReadError> {
    read_into_with(reader, buffer, &Limits::DEFAULT)
}

/// [`read_into`] within `limits`.
///
/// # Errors
/// As [`read_into`].
pub fn read_into_with<'b, R: Read + ?Sized>(
    reader: &mut R,
    buffer: &'b mut [u8],
    limits: &Limits,
) -> Result<Directory<'b>, ReadError> {
    let directory = read_embedded_into_with(reader, buffer, limits)?;
    at_end(reader, directory.as_bytes(), limits)?;
    Ok(directory)
}

/// Reads the directory that a stream goes on with into the start of `buffer`, and not a byte more.
///
/// # Errors
/// As [`read_into`], but never TRAILING.
pub fn read_embedded_into<'b, R: Read + ?Sized>(
    reader: &mut R,
    buffer: &'b mut [u8],
) -> Result<Directory<'b>, ReadError> {
    read_embedded_into_with(reader, buffer, &Limits::DEFAULT)
}

/// [`read_embedded_into`] within `limits`.
///
/// # Errors
/// As [`read_embedded_into`].
pub fn read_embedded_into_with<'b, R: Read + ?Sized>(
    reader: &mut R,
    buffer: &'b mut [u8],
    limits: &Limits,
) -> Result<Directory<'b>, ReadError> {
    let (start, len) = read_header(reader, limits)?;
    for (to, from) in buffer.iter_mut().zip(start) {
        *to = from;
    }
    let given = buffer.len();
    let Some(block) = usize::try_from(len).ok().and_then(|len| buffer.get_mut(..len)) else {
        return Err(ReadError::BufferTooShort { needed: len, given });
    };
    let came = fill(reader, block.get_mut(Header::LEN..).unwrap_or_default())?;
    let block = block.get(..Header::LEN.saturating_add(came)).unwrap_or(block);
    Ok(Directory::read_embedded_with(block, limits)?.0)
}

/// Reads the header that a stream goes on with, and says how long a buffer has to be for the judge to know
/// its verdict: the length of the block, when there is nothing wrong with it.
fn read_header<R: Read + ?Sized>(
    reader: &mut R,
    limits: &Limits,
) -> Result<([u8; Header::LEN], u64), ReadError> {
    let mut start = [0; Header::LEN];
    let filled = fill(reader, &mut start)?;
    let bytes = start.get(..filled).unwrap_or(&start);
    let input = Input { bytes, total: None, standalone: false, limits: *limits };
    let (header, heap_end) = check_header(&input).map_err(|fault| explain(fault, bytes, limits))?;
    let end = header.payload_base.checked_add(header.payload_bytes);
    Ok((start, end.map_or(heap_end, |end| end.max(heap_end))))
}

/// Reads the block that a stream goes on with, of which `available` bytes are known to be there.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "`filled` is below `len` and at most the capacity, and no more came than was asked for"
)]
fn read_block<R: Read + ?Sized>(
    reader: &mut R,
    available: u64,
    limits: &Limits,
) -> Result<OwnedDirectory, ReadError> {
    let (start, len) = read_header(reader, limits)?;
    // What grows step by step is there twice while it is moved, the old storage being a quarter of the new.
    let moved = if len > available.max(FIRST_STORAGE) { len.div_ceil(GROWTH) } else { 0 };
    let lines = |bytes: u64| bytes.saturating_add(LINE - 1) & !(LINE - 1);
    let needed = lines(len).saturating_add(lines(moved));
    if needed > limits.owned {
        return Err(over_budget(needed, &start, limits).into());
    }
    // A stream that really holds more than this target can address runs out of memory on the way.
    let len = usize::try_from(len).unwrap_or(usize::MAX);

    let mut block = AlignedBytes::new();
    block.try_reserve_total(capacity(0, len, available))?;
    block.grow(Header::LEN).copy_from_slice(&start);
    while block.len() < len {
        if block.len() == block.capacity() {
            block.try_reserve_total(capacity(block.len(), len, available))?;
        }
        let filled = block.len();
        let piece = (block.capacity().min(len) - filled).min(PIECE);
        let read = fill(reader, block.grow(piece))?;
        if read < piece {
            block.truncate(filled + read);
            break;
        }
    }
    Ok(OwnedDirectory::of_block(block, limits)?)
}

/// What storage is a multiple of.
const LINE: u64 = AlignedBytes::ALIGN as u64;

/// Storage up to this size is allocated for a header that claims as much.
const FIRST_STORAGE: u64 = 64 << 10;

/// How many times larger storage becomes when it grows.
const GROWTH: u64 = 4;

/// How many bytes are asked for at once: they are cleared first, so they should still be in the cache.
const PIECE: usize = 256 << 10;

/// The storage to have for a block of `len` bytes of which `filled` have come and `available` are known to:
/// the whole block, or the largest part of it, by powers of [`GROWTH`], that is no more than these numbers
/// answer for.
#[expect(clippy::cast_possible_truncation, reason = "a constant")]
fn capacity(filled: usize, len: usize, available: u64) -> usize {
    let answered = (filled as u64).saturating_mul(GROWTH).max(available).max(FIRST_STORAGE);
    let mut capacity = len;
    while capacity as u64 > answered {
        capacity = capacity.div_ceil(GROWTH as usize);
    }
    capacity
}

/// TRAILING when the stream goes on after the block.
fn at_end<R: Read + ?Sized>(reader: &mut R, block: &[u8], limits: &Limits) -> Result<(), ReadError> {
    if fill(reader, &mut [0])? == 0 {
        return Ok(());
    }
    Err(explain(Fault::new(Reason::TrailingBlock, block.len()), block, limits).into())
}

/// Reads until `buffer` is full or the stream ends, and says how much came.
fn fill<R: Read + ?Sized>(reader: &mut R, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(left @ [_, ..]) = buffer.get_mut(filled..) {
        match reader.read(left) {
            Ok(0) => break,
            Ok(read) if read <= left.len() => filled = filled.saturating_add(read),
            Ok(_) => return Err(io::Error::other("the reader says it has read more than it was asked for")),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
