//! A directory that owns its block. Chapter: Views and owned copies.

use super::aligned::AlignedBytes;
use super::builder::Builder;
use super::directory::{Directory, Known, explain};
use super::view::Tensor;
use crate::error::{EncodeError, Error, Fault, Numbers, Reason};
use crate::frozen::{Decode, Encode, Exact, Frozen};
use crate::limits::Limits;
use crate::schema::{Shape, StaticType, Typed};
use crate::wire::{Measure, Sink, Source};

/// A tensor directory that owns its block, in memory aligned to 64: every payload begins at a multiple of 64,
/// so on a little-endian host [`as_slice`](Tensor::as_slice) never fails for its address. The directory was
/// checked when it was made; [`as_directory`](Self::as_directory) checks nothing again.
///
/// As a field of a struct it is the type `tensors`, owned where [`Directory`] borrows.
///
/// ```
/// use kiln::tensor::{Builder, OwnedDirectory};
/// let mut builder = Builder::new();
/// builder.push("w", &[2], &[1.0f64, 2.0])?;
/// let block = builder.to_vec()?;
///
/// let owned = OwnedDirectory::read(&block)?;
/// drop(block);
/// let w = owned.get_by_name("w").unwrap();
/// assert_eq!(w.to_vec::<f64>()?, [1.0, 2.0]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct OwnedDirectory {
    block: AlignedBytes,
    known: Known,
}

impl OwnedDirectory {
    /// Copies the directory that `bytes` hold, after checking it, within the default [`Limits`].
    ///
    /// # Errors
    /// As [`Directory::read`], and LIMIT with [`Reason::Budget`] for a block longer than [`Limits::owned`].
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        OwnedDirectory::read_with(bytes, &Limits::DEFAULT)
    }

    /// [`read`](Self::read) within `limits`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Self, Error> {
        let directory = Directory::read_with(bytes, limits)?;
        match AlignedBytes::storage(bytes.len()) as u64 {
            needed if needed > limits.owned => Err(over_budget(needed, bytes, limits)),
            _ => Ok(OwnedDirectory::from(&directory)),
        }
    }

    /// The directory that `block` holds, without copying it.
    ///
    /// # Errors
    /// As [`Directory::read`].
    ///
    /// ```
    /// use kiln::tensor::{AlignedBytes, Builder, OwnedDirectory};
    /// let builder = Builder::new();
    /// let mut block = AlignedBytes::zeroed(builder.encoded_len() as usize);
    /// builder.encode_to_slice(&mut block)?;
    /// assert!(OwnedDirectory::from_aligned(block)?.is_empty());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn from_aligned(block: AlignedBytes) -> Result<Self, Error> {
        OwnedDirectory::from_aligned_with(block, &Limits::DEFAULT)
    }

    /// [`from_aligned`](Self::from_aligned) within the caps of `limits`; its budget counts what is allocated,
    /// which is nothing here.
    ///
    /// # Errors
    /// As [`from_aligned`](Self::from_aligned).
    pub fn from_aligned_with(block: AlignedBytes, limits: &Limits) -> Result<Self, Error> {
        let known = Known::of(&Directory::read_with(&block, limits)?);
        Ok(OwnedDirectory { block, known })
    }

    /// The directory that `block` begins with; the rest of it is cut off.
    #[cfg(feature = "std")]
    pub(super) fn of_block(mut block: AlignedBytes, limits: &Limits) -> Result<Self, Error> {
        let (directory, _) = Directory::read_embedded_with(&block, limits)?;
        let (known, len) = (Known::of(&directory), directory.as_bytes().len());
        block.truncate(len);
        Ok(OwnedDirectory { block, known })
    }

    /// The directory, to be read like any other. Its tensors borrow from here.
    pub fn as_directory(&self) -> Directory<'_> {
        self.known.directory(&self.block)
    }

    /// The block, given up.
    pub fn into_bytes(self) -> AlignedBytes {
        self.block
    }

    /// How many bytes the storage takes.
    pub fn capacity(&self) -> usize {
        self.block.capacity()
    }
}

/// LIMIT for a block whose owned copy would take `needed` bytes.
#[cold]
pub(super) fn over_budget(needed: u64, bytes: &[u8], limits: &Limits) -> Error {
    let error = explain(Fault::new(Reason::Budget, 0), bytes, limits);
    Error { numbers: Numbers::claimed(needed, limits.owned), ..error }
}

/// What every type that keeps a block offers of its directory.
macro_rules! keeps_a_directory {
    ($name:ty) => {
        impl $name {
            /// The number of tensors.
            pub fn len(&self) -> usize {
                self.as_directory().len()
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.as_directory().is_empty()
            }

            /// Tensor `index`, in the order of the descriptors.
            pub fn get(&self, index: usize) -> Option<Tensor<'_>> {
                self.as_directory().get(index)
            }

            /// The tensor of that name.
            pub fn get_by_name(&self, name: &str) -> Option<Tensor<'_>> {
                self.as_directory().get_by_name(name)
            }

            /// The tensors, in the order of the descriptors.
            pub fn iter(&self) -> $crate::tensor::Tensors<'_> {
                self.as_directory().iter()
            }

            /// The block as it stands, from the magic to the end of the last payload.
            pub fn as_bytes(&self) -> &[u8] {
                &self.block
            }
        }

        impl<'a> IntoIterator for &'a $name {
            type Item = Tensor<'a>;
            type IntoIter = $crate::tensor::Tensors<'a>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Debug::fmt(&self.as_directory(), f)
            }
        }
    };
}
#[cfg(feature = "std")]
pub(super) use keeps_a_directory;

keeps_a_directory!(OwnedDirectory);

impl From<&Directory<'_>> for OwnedDirectory {
    fn from(directory: &Directory<'_>) -> Self {
        OwnedDirectory { block: AlignedBytes::copy_of(directory.as_bytes()), known: Known::of(directory) }
    }
}

impl Default for OwnedDirectory {
    /// No tensors.
    fn default() -> Self {
        let builder = Builder::new();
        let block = AlignedBytes::copy_of(&builder.header().write());
        OwnedDirectory { block, known: builder.known() }
    }
}

impl PartialEq for OwnedDirectory {
    /// Equal contents are equal bytes.
    fn eq(&self, other: &Self) -> bool {
        self.block == other.block
    }
}

impl Eq for OwnedDirectory {}

impl PartialEq<Directory<'_>> for OwnedDirectory {
    fn eq(&self, other: &Directory<'_>) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Frozen for OwnedDirectory {
    const MIN_LEN: usize = <Directory<'_> as Frozen>::MIN_LEN;
    const DEPTH: u32 = <Directory<'_> as Frozen>::DEPTH;
    // SAFETY: `measure` adds the length of the block and `encode` puts the block.
    #[allow(unsafe_code)]
    const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

    fn shape() -> Shape {
        Directory::shape()
    }
}

impl<X> Typed<X> for OwnedDirectory {
    const TYPE: &'static StaticType = <Directory<'_> as Typed<X>>::TYPE;
}

impl Encode for OwnedDirectory {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.room(1)?;
        measure.add(self.block.len());
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.run(&self.block);
    }
}

impl<'de> Decode<'de> for OwnedDirectory {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let offset = source.offset();
        let directory = Directory::decode(source)?;
        source.charge(AlignedBytes::storage(directory.as_bytes().len()), offset)?;
        Ok(OwnedDirectory::from(&directory))
    }

    /// The storage is used again when it is large enough. After a fault the directory is as it was.
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        let offset = source.offset();
        let directory = Directory::decode(source)?;
        let bytes = directory.as_bytes();
        if bytes.len() > place.block.capacity() {
            source.charge(AlignedBytes::storage(bytes.len()), offset)?;
        }
        place.known = Known::of(&directory);
        place.block.assign(bytes);
        Ok(())
    }
}

impl Builder<'_> {
    /// Writes the block into aligned memory and gives it as a directory to use.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] when memory cannot hold it.
    ///
    /// ```
    /// use kiln::tensor::Builder;
    /// let mut builder = Builder::new();
    /// builder.push("w", &[2], &[1.0f64, 2.0])?;
    /// let owned = builder.to_owned_directory()?;
    /// assert_eq!(owned.as_bytes(), builder.to_vec()?);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn to_owned_directory(&self) -> Result<OwnedDirectory, EncodeError> {
        let len = crate::frozen::encoded_len(self)?;
        let mut block = AlignedBytes::try_zeroed(len).ok_or(EncodeError::TooLong)?;
        self.encode_to_slice(&mut block)?;
        Ok(OwnedDirectory { block, known: self.known() })
    }
}
