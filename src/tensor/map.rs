//! Directories used in a mapped file. Chapter: Views and owned copies.

use super::directory::{Directory, Known};
use super::owned::keeps_a_directory;
use super::read::ReadError;
use super::view::Tensor;
use crate::limits::Limits;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

/// A tensor directory in a file that is mapped into memory: checked once, and its payloads are read from the
/// disk when they are used. Made by [`open`].
pub struct MappedDirectory {
    block: Mmap,
    known: Known,
}

impl MappedDirectory {
    /// The directory, to be read like any other. Its tensors borrow from here.
    pub fn as_directory(&self) -> Directory<'_> {
        self.known.directory(&self.block)
    }
}

keeps_a_directory!(MappedDirectory);

/// Maps the file at `path` and checks the directory in it, within the default [`Limits`].
///
/// Of the payloads, only those of bool and the last bytes of packed ones are looked at, and the bytes between
/// them. From a network disk, mapping is many times slower than [`read_file`](super::read_file).
///
/// # Safety
/// As long as the mapping lives, nobody writes to the file or cuts it short, in this process or another one:
/// the memory would change under shared references, or vanish. A file that is only ever replaced as
/// [`Builder::save`](super::Builder::save) does it, by renaming another one over it, is safe.
///
/// # Errors
/// [`ReadError::Io`] for what cannot be mapped, directories, pipes and devices among it; what
/// [`Directory::read`] says of the bytes, of an empty file too.
///
/// ```
/// # let dir = std::env::temp_dir().join(format!("kiln-doc-open-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// # let path = dir.join("model.kiln");
/// use kiln::tensor::{Builder, open};
/// let mut builder = Builder::new();
/// builder.push("w", &[2], &[1.0f64, 2.0])?;
/// builder.save(&path)?;
/// // SAFETY: nobody else knows the file.
/// let mapped = unsafe { open(&path)? };
/// assert_eq!(mapped.get_by_name("w").unwrap().to_vec::<f64>()?, [1.0, 2.0]);
/// # drop(mapped);
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(unsafe_code)]
pub unsafe fn open(path: impl AsRef<Path>) -> Result<MappedDirectory, ReadError> {
    // SAFETY: passed on to the caller.
    unsafe { open_with(path, &Limits::DEFAULT) }
}

/// [`open`] within `limits`.
///
/// # Safety
/// As [`open`].
///
/// # Errors
/// As [`open`].
#[allow(unsafe_code)]
pub unsafe fn open_with(path: impl AsRef<Path>, limits: &Limits) -> Result<MappedDirectory, ReadError> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(io::Error::from(ErrorKind::IsADirectory).into());
    }
    if !found.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "only a regular file can be mapped").into());
    }
    if found.len() == 0 {
        // No system maps no bytes.
        Directory::read_with(&[], limits)?;
    }
    // SAFETY: passed on to the caller.
    let block = unsafe { Mmap::map(&file)? };
    let known = Known::of(&Directory::read_with(&block, limits)?);
    Ok(MappedDirectory { block, known })
}
