//! Tensors to a block. Chapter: Canonical layout.

use super::check::wrong_element;
use super::descriptor::Descriptor;
use super::directory::{Directory, Known};
use super::dtype::{Dtype, OpaqueCode};
use super::element::Element;
use super::header::Header;
use super::index::Index;
use super::mistake::{BuildError, Mistake};
use super::names::Names;
use super::place::{self, Heap, Payloads};
use super::quant;
use super::shape::{MAX_RANK, Shape, element_count};
use super::view::Tensor;
use crate::arch;
use crate::error::{EncodeError, Reason};
use crate::escape::shorten;
use crate::frozen::{self, Encode, Exact, Frozen};
use crate::schema::{self, Scalar, StaticType, Typed};
use crate::wire::{Measure, Sink};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU64;

/// Collects tensors and writes the one block that holds them in this order. Payloads are borrowed, and names
/// copied: a block of ten gigabytes is written to a stream or a file with a few hundred bytes of memory a tensor.
///
/// Whatever a reader would refuse is refused when it is pushed, as a [`BuildError`], and leaves the builder
/// as it was. The caps of a reader are its own affair: a builder takes more than 16,777,216 tensors and more
/// than 16 MiB of names, and whoever reads that has to raise its [`Limits`](crate::Limits).
///
/// A builder can be a `tensors` field of a struct that is written; read it back as a
/// [`Directory`] or an [`OwnedDirectory`](super::OwnedDirectory).
///
/// ```
/// use kiln::tensor::{Builder, Directory, Dtype};
///
/// let mut builder = Builder::new();
/// let weights = builder.push("weights", &[2, 5], &[0.5f32; 10])?;
/// let mask = builder.push_bytes("mask", Dtype::Bool, &[3], &[1, 0, 1])?;
/// builder.push(None, &[], &[7u64])?;
/// assert_eq!((weights.index(), mask.index()), (0, 1));
/// assert_eq!(builder.push("mask", &[1], &[1u8]).unwrap_err().to_string(),
///     "tensor 3 \"mask\": tensor 1 has the same name");
///
/// let block = builder.to_vec()?;
/// assert_eq!(block.len() as u64, builder.encoded_len());
/// let directory = Directory::read(&block)?;
/// assert_eq!(directory.len(), 3);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Builder<'a> {
    entries: Vec<Entry<'a>>,
    /// The tensors about which an entry does not say all. Offsets of layout names count from the end of the tensor
    /// names, and payloads are not placed yet.
    others: Vec<Descriptor>,
    /// All tensor names, and all layout names.
    names: String,
    layouts: String,
    /// The tensors with a name, by its hash.
    by_name: Names,
    totals: Totals,
    /// How many links lead to a tensor, as far as any does.
    links: Vec<u64>,
}

/// A tensor in few bytes, because memory that was never touched is what a large directory costs.
#[derive(Clone, Copy)]
struct Entry<'a> {
    payload: &'a [u8],
    /// Zeros at and past the rank.
    shape: [u32; Entry::DIMS],
    name_offset: u32,
    name_len: u32,
    dtype: u16,
    rank: u8,
    /// The bytes of each number, when the payload is of numbers in the other byte order; else 0.
    swapped: u8,
    /// One more than the place among the others; 0 when this is all.
    other: u32,
}

/// What the header follows from, kept up to date with each push.
#[derive(Clone, Copy, Debug)]
struct Totals {
    tensors: u64,
    names: Heap,
    /// Placed from 0 on: layout names begin where the tensor names end, wherever that will be.
    layouts: Heap,
    /// Where the last layout name begins among the layout names; 0 without one.
    last_layout: u64,
    /// Placed from 0 on: the region begins at a multiple of the alignment, wherever that will be.
    payloads: Payloads,
}

/// Where the names of a tensor lie, each from where its kind begins.
struct Placed {
    name: u32,
    layout: u32,
}

/// What is given of a tensor, but for its name.
struct Given<'a, 's> {
    dtype: Dtype,
    shape: &'s [u64],
    payload: &'a [u8],
    swapped: u8,
    layout: &'s str,
    block_size: u32,
}

/// The room for a name when the number of tensors is known. Memory that is not used is not touched either.
const NAME_LEN: usize = 64;

/// A tensor that was pushed, by its place in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorId(u32);

impl TensorId {
    /// The tensor that is pushed after `index` others, if there may be so many: the table by name keeps one more
    /// than the index in 32 bits.
    fn of(index: usize) -> Option<TensorId> {
        u32::try_from(index).ok().filter(|&id| id < u32::MAX).map(TensorId)
    }

    /// The index in the directory that is built.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tensor's name or none: what a push takes a `&str`, a `String`, a `Cow<str>`, an `Option<&str>` or `None`
/// for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name<'a>(Option<Cow<'a, str>>);

impl<'a> From<&'a str> for Name<'a> {
    fn from(name: &'a str) -> Self {
        Name(Some(name.into()))
    }
}

impl<'a> From<&'a String> for Name<'a> {
    fn from(name: &'a String) -> Self {
        Name(Some(name.into()))
    }
}

impl From<String> for Name<'_> {
    fn from(name: String) -> Self {
        Name(Some(name.into()))
    }
}

impl<'a> From<Cow<'a, str>> for Name<'a> {
    fn from(name: Cow<'a, str>) -> Self {
        Name(Some(name))
    }
}

impl<'a> From<Option<&'a str>> for Name<'a> {
    fn from(name: Option<&'a str>) -> Self {
        Name(name.map(Cow::Borrowed))
    }
}

impl Totals {
    const NONE: Totals = Totals {
        tensors: 0,
        names: Heap::NONE,
        layouts: Heap::NONE,
        last_layout: 0,
        payloads: Payloads::new(0),
    };

    /// The totals with a tensor more whose name, layout name and payload have these lengths, and where it is placed.
    #[inline]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "names begin below 2^32, as tested here, so they end below 2^33; there are fewer than 2^32 tensors"
    )]
    fn with(mut self, name_len: u32, layout_len: u32, byte_len: u64) -> Result<(Totals, Placed), Mistake> {
        let offset = |at: u64| u32::try_from(at).map_err(|_| Mistake::NamesTooLong);
        let name = offset(self.names.place(name_len))?;
        let layout = offset(self.layouts.place(layout_len))?;
        if layout_len > 0 {
            self.last_layout = layout.into();
        }
        if self.layouts.used() > 0 {
            // Layout names follow all tensor names, so that each new name moves them.
            offset(self.names.used() + self.last_layout)?;
        }
        self.payloads.place(byte_len).ok_or(Mistake::TooLong)?;
        self.tensors += 1;
        self.end().ok_or(Mistake::TooLong)?;
        Ok((self, Placed { name, layout }))
    }

    #[expect(clippy::arithmetic_side_effects, reason = "`with` has seen that both are below 2^33")]
    fn name_bytes(&self) -> u64 {
        self.names.used() + self.layouts.used()
    }

    #[inline]
    fn payload_base(&self) -> Option<u64> {
        place::payload_base(place::directory_bytes(self.tensors, self.name_bytes())?)
    }

    /// The length of the block.
    #[inline]
    fn end(&self) -> Option<u64> {
        self.payload_base()?.checked_add(self.payloads.end())
    }

    /// Each push has made sure that all sums fit.
    fn header(&self) -> Header {
        let directory_bytes = place::directory_bytes(self.tensors, self.name_bytes()).unwrap_or(u64::MAX);
        Header {
            flags: Header::LITTLE_ENDIAN | if self.names.used() > 0 { Header::NAMES } else { 0 },
            tensor_count: self.tensors,
            name_bytes: self.name_bytes(),
            directory_bytes,
            payload_base: place::payload_base(directory_bytes).unwrap_or(u64::MAX),
            payload_bytes: self.payloads.end(),
            ..Header::default()
        }
    }
}

impl<'a> Builder<'a> {
    /// A builder without tensors: the block of 64 bytes.
    #[must_use]
    pub fn new() -> Self {
        Builder::with_capacity(0)
    }

    /// The same with room for `tensors` of them.
    ///
    /// # Panics
    /// As [`Vec::with_capacity`] for more than memory can hold.
    #[must_use]
    pub fn with_capacity(tensors: usize) -> Self {
        Builder {
            entries: Vec::with_capacity(tensors),
            others: Vec::new(),
            names: String::with_capacity(tensors.saturating_mul(NAME_LEN)),
            layouts: String::new(),
            by_name: Names::with_capacity(tensors),
            totals: Totals::NONE,
            links: Vec::new(),
        }
    }

    /// How many tensors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The tensor at `index`, for linking.
    #[must_use]
    pub fn id(&self, index: usize) -> Option<TensorId> {
        if index < self.len() { u32::try_from(index).ok().map(TensorId) } else { None }
    }

    /// The tensor of that name, for linking.
    #[must_use]
    pub fn id_of(&self, name: &str) -> Option<TensorId> {
        let found = self.by_name.find(name.as_bytes(), |index| self.name_at(index));
        found.and_then(|index| self.id(index))
    }

    fn name_at(&self, index: usize) -> &[u8] {
        name_at(&self.entries, &self.names, index)
    }

    fn descriptor(&self, index: u32) -> Option<Descriptor> {
        let entry = self.entries.get(index as usize)?;
        Some(match entry.other.checked_sub(1) {
            Some(other) => *self.others.get(other as usize)?,
            None => entry.descriptor(),
        })
    }

    /// Adds the tensor of these elements, in row-major order. Their memory is borrowed as it is; on a
    /// big-endian host the numbers are turned around piece by piece when they are written.
    ///
    /// # Errors
    /// A name that is empty or taken; a shape of more than eight dimensions, or of another number of
    /// elements; a [`Bool8`](super::Bool8) above 1; names of more than 32 bits, a block of more than 64 bits.
    ///
    /// ```
    /// use kiln::tensor::Builder;
    /// let mut builder = Builder::new();
    /// builder.push("w", &[2, 3], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(
    ///     builder.push("b", &[3], &[0f32; 2]).unwrap_err().to_string(),
    ///     "tensor 1 \"b\": dtype and shape need 12 bytes, and 8 were given"
    /// );
    /// # Ok::<(), kiln::tensor::BuildError>(())
    /// ```
    #[expect(clippy::cast_possible_truncation, reason = "a number has at most eight bytes")]
    pub fn push<'n, T: Element>(
        &mut self,
        name: impl Into<Name<'n>>,
        shape: &[u64],
        elements: &'a [T],
    ) -> Result<TensorId, BuildError> {
        let bytes = bytemuck::cast_slice(elements);
        let swapped = match size_of::<T>() {
            width @ 2.. if cfg!(target_endian = "big") => width as u8,
            _ => 0,
        };
        self.add_closed(name.into().0.as_deref(), T::DTYPE, shape, bytes, swapped)
    }

    /// Adds a bool tensor.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    ///
    /// ```
    /// use kiln::tensor::Builder;
    /// Builder::new().push_bools("mask", &[3], &[true, false, true])?;
    /// # Ok::<(), kiln::tensor::BuildError>(())
    /// ```
    pub fn push_bools<'n>(
        &mut self,
        name: impl Into<Name<'n>>,
        shape: &[u64],
        elements: &'a [bool],
    ) -> Result<TensorId, BuildError> {
        self.push_bytes(name, Dtype::Bool, shape, bytemuck::cast_slice(elements))
    }

    /// Adds a tensor whose payload is given as it is on the wire: little-endian numbers, packed elements two
    /// in a byte with the earlier one in the low half.
    ///
    /// # Errors
    /// As [`push`](Self::push), and an opaque dtype, a bool byte above 1, a nonzero high nibble behind an odd
    /// number of packed elements.
    ///
    /// ```
    /// use kiln::tensor::{Builder, Dtype};
    /// let mut builder = Builder::new();
    /// // The elements 1, 2 and 3.
    /// builder.push_bytes("packed", Dtype::U4, &[3], &[0x21, 0x03])?;
    /// assert!(builder.push_bytes("odd", Dtype::U4, &[3], &[0x21, 0xf3]).is_err());
    /// # Ok::<(), kiln::tensor::BuildError>(())
    /// ```
    pub fn push_bytes<'n>(
        &mut self,
        name: impl Into<Name<'n>>,
        dtype: Dtype,
        shape: &[u64],
        bytes: &'a [u8],
    ) -> Result<TensorId, BuildError> {
        self.add_closed(name.into().0.as_deref(), dtype, shape, bytes, 0)
    }

    /// Adds a tensor whose bytes only another system understands: blocks of `block_size` bytes in the layout
    /// of that name. The shape is stored and not compared with the bytes. Chapter: Opaque layouts.
    ///
    /// # Errors
    /// A tensor name that is empty or taken, an empty layout name, a block size of 0, bytes that are no
    /// multiple of it, more than eight dimensions or a product of them above 64 bits; names of more than 32
    /// bits, a block of more than 64 bits.
    ///
    /// ```
    /// use kiln::tensor::{Builder, OpaqueCode};
    /// let mut builder = Builder::new();
    /// builder.push_opaque("blk", OpaqueCode::MIN, "Q4_K", 144, &[256], &[0; 144])?;
    /// # Ok::<(), kiln::tensor::BuildError>(())
    /// ```
    pub fn push_opaque<'n>(
        &mut self,
        name: impl Into<Name<'n>>,
        code: OpaqueCode,
        layout: impl Into<Cow<'n, str>>,
        block_size: u32,
        shape: &[u64],
        bytes: &'a [u8],
    ) -> Result<TensorId, BuildError> {
        let layout = layout.into();
        let dtype = Dtype::Opaque(code);
        let given = Given { dtype, shape, payload: bytes, swapped: 0, layout: &layout, block_size };
        self.add(name.into().0.as_deref(), opaque(&given).map(|()| given))
    }

    /// Adds a tensor of a directory as it is, but for its links, which [`quantize`](Self::quantize) sets.
    ///
    /// # Errors
    /// A name that is taken; names of more than 32 bits, a block of more than 64 bits.
    ///
    /// ```
    /// use kiln::tensor::{Builder, Directory};
    /// # let mut source = Builder::new();
    /// # source.push("encoder.w", &[], &[1f32])?;
    /// # source.push("decoder.w", &[], &[2f32])?;
    /// # let block = source.to_vec()?;
    /// let directory = Directory::read(&block)?;
    /// let mut part = Builder::new();
    /// for tensor in &directory {
    ///     if tensor.name().is_some_and(|name| name.starts_with("decoder.")) {
    ///         part.push_tensor(tensor)?;
    ///     }
    /// }
    /// assert_eq!(part.to_owned_directory()?.get(0), directory.get(1));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn push_tensor(&mut self, tensor: Tensor<'a>) -> Result<TensorId, BuildError> {
        let (name, shape, bytes) = (tensor.name(), tensor.shape(), tensor.bytes());
        match tensor.layout() {
            Some(layout) => {
                self.push_opaque(name, layout.code, layout.name, layout.block_size, &shape, bytes)
            }
            None => self.push_bytes(name, tensor.dtype(), &shape, bytes),
        }
    }

    /// A builder of what a directory holds: the same tensors in the same order with the same links, so that
    /// it writes the same block.
    ///
    /// # Errors
    /// None for a directory whose bytes have not changed since they were checked.
    ///
    /// ```
    /// use kiln::tensor::{Builder, Directory};
    /// # let block = Builder::new().to_vec()?;
    /// let directory = Directory::read(&block)?;
    /// assert_eq!(Builder::of(&directory)?.to_vec()?, block);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[expect(clippy::cast_possible_truncation, reason = "a tensor that was pushed before")]
    pub fn of(directory: &Directory<'a>) -> Result<Builder<'a>, BuildError> {
        let mut builder = Builder::with_capacity(directory.len());
        for tensor in directory {
            builder.push_tensor(tensor)?;
        }
        for tensor in directory {
            if let Some(link) = tensor.quantization() {
                let id = |tensor: Tensor<'_>| TensorId(tensor.index() as u32);
                let outer = link.outer.map(id);
                builder.quantize(id(tensor), link.axis, link.group_size, id(link.scale), outer)?;
            }
        }
        Ok(builder)
    }

    /// Links a tensor to the one that scales it: along `axis`, each run of `group_size` elements shares an
    /// element of `scale`, and `outer`, if there is one, is a single f32 that scales the scales. A link that
    /// the tensor had is replaced. The tensors linked to may be pushed before or after it. Chapter:
    /// Quantization.
    ///
    /// # Errors
    /// A tensor of another builder; an opaque tensor, or one that is linked to; an axis that it has not; a
    /// group size of 0; a scale tensor that is opaque, linked itself, the tensor itself, or of another number
    /// of elements than there are groups; an outer tensor that is not a single f32, linked itself, or the
    /// tensor itself.
    ///
    /// ```
    /// use kiln::tensor::{Builder, Dtype};
    /// let mut builder = Builder::new();
    /// let packed = [0x21, 0x43, 0x65, 0x07, 0x00];
    /// let weights = builder.push_bytes("w", Dtype::I4, &[2, 5], &packed)?;
    /// // Two rows, each of a group of four and a group of one.
    /// let scales = builder.push("w.scale", &[2, 2], &[0.5f32; 4])?;
    /// builder.quantize(weights, 1, 4, scales, None)?;
    /// assert_eq!(
    ///     builder.quantize(weights, 1, 2, scales, None).unwrap_err().to_string(),
    ///     "tensor 0 \"w\": tensor 1 cannot be its scale: that takes another tensor, closed, \
    ///      without a link of its own, of 6 elements"
    /// );
    /// # Ok::<(), kiln::tensor::BuildError>(())
    /// ```
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`link` has found all tensors in `entries`, and a link that is taken back was counted"
    )]
    pub fn quantize(
        &mut self,
        tensor: TensorId,
        axis: usize,
        group_size: u32,
        scale: TensorId,
        outer: Option<TensorId>,
    ) -> Result<(), BuildError> {
        match self.link(tensor, axis, group_size, scale, outer) {
            Ok((old, linked)) => {
                self.replace(tensor.index(), linked);
                self.links.resize(self.len(), 0);
                for target in targets(&old) {
                    self.links[target] -= 1;
                }
                for target in targets(&linked) {
                    self.links[target] += 1;
                }
                Ok(())
            }
            Err(mistake) => {
                let name = shorten(&String::from_utf8_lossy(self.name_at(tensor.index()))).into();
                Err(BuildError { tensor: tensor.index(), name, mistake })
            }
        }
    }

    /// The descriptor of a tensor as it is and with that link, if it may have it.
    fn link(
        &self,
        tensor: TensorId,
        axis: usize,
        group_size: u32,
        scale: TensorId,
        outer: Option<TensorId>,
    ) -> Result<(Descriptor, Descriptor), Mistake> {
        let old = self.descriptor(tensor.0).ok_or(Mistake::UnknownTensor)?;
        let dims = old.dims();
        let no_axis = Mistake::Axis { axis, rank: dims.len() };
        let linked = Descriptor {
            quant_scheme: if outer.is_some() { 2 } else { 1 },
            quant_axis: u8::try_from(axis).map_err(|_| no_axis)?,
            group_size,
            scale_index: scale.0,
            outer_index: outer.map_or(0, |outer| outer.0),
            ..old
        };
        quant::test(tensor.0.into(), &linked, |index| self.descriptor(index)).map_err(|(reason, _)| {
            match reason {
                Reason::QuantScheme => Mistake::OpaqueLinked,
                Reason::QuantAxis => no_axis,
                Reason::GroupSize => Mistake::EmptyGroup,
                Reason::ScaleIndex => {
                    let groups = quant::groups(dims, axis, group_size).unwrap_or(u64::MAX);
                    Mistake::Scale { scale: scale.index(), groups }
                }
                _ => Mistake::Outer { outer: linked.outer_index as usize },
            }
        })?;
        let is_linked_to = self.links.get(tensor.index()).is_some_and(|&links| links > 0);
        if is_linked_to { Err(Mistake::LinkedTo) } else { Ok((old, linked)) }
    }

    /// Adds a tensor of a closed dtype.
    fn add_closed(
        &mut self,
        name: Option<&str>,
        dtype: Dtype,
        shape: &[u64],
        payload: &'a [u8],
        swapped: u8,
    ) -> Result<TensorId, BuildError> {
        let given = Given { dtype, shape, payload, swapped, layout: "", block_size: 0 };
        self.add(name, closed(&given).map(|()| given))
    }

    /// Adds a tensor that is fine by itself, or says what is wrong with it.
    #[inline]
    fn add(
        &mut self,
        name: Option<&str>,
        given: Result<Given<'a, '_>, Mistake>,
    ) -> Result<TensorId, BuildError> {
        match given.and_then(|given| self.admit(name, &given)) {
            Ok(id) => Ok(id),
            Err(mistake) => {
                // An error says which, and keeps no copy of what may be as long as memory.
                let name = shorten(name.unwrap_or_default()).into();
                Err(BuildError { tensor: self.len(), name, mistake })
            }
        }
    }

    /// Takes in the next tensor, or refuses it and changes nothing.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "where a dimension has more than 32 bits, `tell_more` keeps it whole; the rank is at most eight"
    )]
    fn admit(&mut self, name: Option<&str>, given: &Given<'a, '_>) -> Result<TensorId, Mistake> {
        let len = |text: &str| u32::try_from(text.len()).map_err(|_| Mistake::NamesTooLong);
        let at = self.len();
        let id = TensorId::of(at).ok_or(Mistake::TooManyTensors)?;
        if name == Some("") {
            return Err(Mistake::EmptyName);
        }
        let name = name.unwrap_or_default();
        let (name_len, layout_len) = (len(name)?, len(given.layout)?);
        let (totals, placed) = self.totals.with(name_len, layout_len, given.payload.len() as u64)?;
        if !name.is_empty() {
            let is_same = |index: usize| name_at(&self.entries, &self.names, index) == name.as_bytes();
            self.by_name
                .add(name.as_bytes(), at, is_same)
                .map_err(|first| Mistake::NameRepeated { first })?;
        }

        self.totals = totals;
        self.names.push_str(name);
        let mut short = given.shape.len() <= Entry::DIMS;
        let mut dims = given.shape.iter().map(|&dim| {
            short &= dim >> 32 == 0;
            dim as u32
        });
        let mut next = || dims.next().unwrap_or(0);
        let shape = [next(), next(), next(), next()];
        self.entries.push(Entry {
            payload: given.payload,
            shape,
            name_offset: placed.name,
            name_len,
            dtype: given.dtype.code(),
            rank: given.shape.len() as u8,
            swapped: given.swapped,
            other: 0,
        });
        if !short || layout_len > 0 {
            self.tell_more(given, placed.layout, layout_len);
        }
        Ok(id)
    }

    /// Takes in what the last entry does not say.
    #[cold]
    fn tell_more(&mut self, given: &Given<'a, '_>, layout_offset: u32, layout_len: u32) {
        let (Some(entry), Some(shape)) = (self.entries.last(), Shape::new(given.shape)) else { return };
        let block_size = given.block_size;
        let whole =
            Descriptor { layout_offset, layout_len, block_size, shape: shape.slots(), ..entry.descriptor() };
        self.layouts.push_str(given.layout);
        self.replace(self.len().saturating_sub(1), whole);
    }

    /// Makes this the descriptor of a tensor.
    #[expect(
        clippy::indexing_slicing,
        reason = "only called with the index of an entry, whose `other` was set here"
    )]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no more than there are entries, which 32 bits count"
    )]
    fn replace(&mut self, index: usize, descriptor: Descriptor) {
        let entry = &mut self.entries[index];
        match entry.other.checked_sub(1) {
            Some(other) => self.others[other as usize] = descriptor,
            None => {
                self.others.push(descriptor);
                // No more than there are entries, which 32 bits count.
                entry.other = self.others.len() as u32;
            }
        }
    }
}

impl Entry<'_> {
    /// The dimensions that an entry has room for, each of 32 bits: nearly all shapes need no more.
    const DIMS: usize = 4;

    /// As far as this says it.
    fn descriptor(&self) -> Descriptor {
        let mut shape = [0; MAX_RANK];
        for (slot, dim) in shape.iter_mut().zip(self.shape) {
            *slot = dim.into();
        }
        Descriptor {
            dtype: self.dtype,
            rank: self.rank,
            name_offset: self.name_offset,
            name_len: self.name_len,
            byte_len: self.payload.len() as u64,
            shape,
            ..Descriptor::default()
        }
    }
}

/// The name of a tensor, empty when it has none or is not there.
fn name_at<'n>(entries: &[Entry<'_>], names: &'n str, index: usize) -> &'n [u8] {
    let name = || {
        let entry = entries.get(index)?;
        names.as_bytes().get(entry.name_offset as usize..)?.get(..entry.name_len as usize)
    };
    name().unwrap_or(&[])
}

/// Tests that what is given makes a closed tensor.
#[inline]
fn closed(given: &Given<'_, '_>) -> Result<(), Mistake> {
    let &Given { dtype, shape, payload, .. } = given;
    if shape.len() > MAX_RANK {
        return Err(Mistake::Rank { rank: shape.len() });
    }
    let Some(&width @ 1..) = Dtype::PLAIN_WIDTHS.get(usize::from(dtype.code())) else {
        return restricted(given);
    };
    let count = element_count(shape).ok_or(Mistake::ShapeOverflow)?;
    let needed = count.checked_mul(width.into()).ok_or(Mistake::ShapeOverflow)?;
    same_len(needed, payload)
}

/// The same for dtypes that are not plain.
fn restricted(given: &Given<'_, '_>) -> Result<(), Mistake> {
    let &Given { dtype, shape, payload, .. } = given;
    if dtype.is_opaque() {
        return Err(Mistake::OpaqueDtype);
    }
    let count = element_count(shape).ok_or(Mistake::ShapeOverflow)?;
    same_len(dtype.payload_len(count).ok_or(Mistake::ShapeOverflow)?, payload)?;
    match wrong_element(dtype, count, payload) {
        Some((Reason::BoolPayload, at)) => Err(Mistake::BoolByte { at }),
        Some(_) => Err(Mistake::HighNibble),
        None => Ok(()),
    }
}

#[inline]
fn same_len(needed: u64, payload: &[u8]) -> Result<(), Mistake> {
    let given = payload.len() as u64;
    if needed == given { Ok(()) } else { Err(Mistake::ByteLen { needed, given }) }
}

/// Tests that what is given makes an opaque tensor.
fn opaque(given: &Given<'_, '_>) -> Result<(), Mistake> {
    let &Given { shape, payload, layout, block_size, .. } = given;
    if shape.len() > MAX_RANK {
        return Err(Mistake::Rank { rank: shape.len() });
    }
    if layout.is_empty() {
        return Err(Mistake::EmptyLayout);
    }
    let block = NonZeroU64::new(block_size.into()).ok_or(Mistake::EmptyBlock)?;
    element_count(shape).ok_or(Mistake::ShapeOverflow)?;
    let len = payload.len() as u64;
    if len % block != 0 {
        return Err(Mistake::PartialBlock { block_size, given: len });
    }
    Ok(())
}

/// The tensors that one is linked to.
fn targets(descriptor: &Descriptor) -> impl Iterator<Item = usize> + use<> {
    let scale = (descriptor.quant_scheme >= 1).then_some(descriptor.scale_index);
    let outer = (descriptor.quant_scheme >= 2).then_some(descriptor.outer_index);
    scale.into_iter().chain(outer).map(|index| index as usize)
}

/// Writing.
impl Builder<'_> {
    /// The length of the block, in bytes.
    #[must_use]
    pub fn encoded_len(&self) -> u64 {
        // Each push has made sure that the sum fits.
        self.totals.end().unwrap_or(u64::MAX)
    }

    /// The header of the block.
    #[must_use]
    pub fn header(&self) -> Header {
        self.totals.header()
    }

    /// What a reader would find out about the block.
    pub(super) fn known(&self) -> Known {
        Known::new(self.header(), Index::Built(self.by_name.clone().into()))
    }

    /// Writes the block into a new vector.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] when memory cannot hold it.
    pub fn to_vec(&self) -> Result<Vec<u8>, EncodeError> {
        frozen::to_vec(self)
    }

    /// Writes the block to the start of a slice and says how many bytes it took. What the slice held before
    /// shows nowhere.
    ///
    /// # Errors
    /// [`EncodeError::SliceTooShort`]; nothing is written then.
    ///
    /// ```
    /// use kiln::tensor::Builder;
    /// let mut out = [0xaa; 65];
    /// assert_eq!(Builder::new().encode_to_slice(&mut out)?, 64);
    /// assert_eq!(out[..4], *b"KLNT");
    /// assert_eq!(out[63..], [0, 0xaa]);
    /// # Ok::<(), kiln::EncodeError>(())
    /// ```
    pub fn encode_to_slice(&self, out: &mut [u8]) -> Result<usize, EncodeError> {
        frozen::encode_to_slice(self, out)
    }

    /// Writes the block to a stream and says how many bytes it took. Payloads go straight from where they lie
    /// to the stream, in one call each.
    ///
    /// # Errors
    /// What the stream says.
    ///
    /// ```
    /// use kiln::tensor::Builder;
    /// let mut builder = Builder::new();
    /// builder.push("w", &[2], &[1.0f64, 2.0])?;
    /// let mut out = Vec::new();
    /// assert_eq!(builder.write_to(&mut out)?, builder.encoded_len());
    /// assert_eq!(out, builder.to_vec()?);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn write_to<W: std::io::Write + ?Sized>(&self, out: &mut W) -> std::io::Result<u64> {
        // Not by way of a measured length, which ends at the target's address space; a stream does not.
        let mut sink = crate::wire::StreamSink::new(out);
        self.encode(&mut sink);
        sink.finish()
    }

    /// Writes the block to a file, all or nothing, as [`replace_file`](super::replace_file) does: through a
    /// temporary file in the same directory that is flushed to the disk and renamed. A program that has the
    /// old file mapped keeps the old bytes.
    ///
    /// # Errors
    /// What the system says. The old file is then as it was, unless the error says that the new one is in place, as
    /// [`replace_file`](super::replace_file) has it.
    ///
    /// ```
    /// # let dir = std::env::temp_dir().join(format!("kiln-doc-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir)?;
    /// # let path = dir.join("model.kiln");
    /// use kiln::tensor::Builder;
    /// let mut builder = Builder::new();
    /// builder.push("w", &[2], &[1.0f64, 2.0])?;
    /// builder.save(&path)?;
    /// assert_eq!(std::fs::read(&path)?, builder.to_vec()?);
    /// # std::fs::remove_dir_all(&dir)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> std::io::Result<u64> {
        super::replace_file(path, |file| self.write_to(file))
    }
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("tensors", &self.len())
            .field("encoded_len", &self.encoded_len())
            .finish_non_exhaustive()
    }
}

impl Default for Builder<'_> {
    fn default() -> Self {
        Builder::new()
    }
}

impl Frozen for Builder<'_> {
    const MIN_LEN: usize = Header::LEN;
    const DEPTH: u32 = 1;
    // SAFETY: `measure` adds payload_base and the payloads, placed one after another. `encode` writes as much: the
    // header, 128 bytes for each of as many descriptors as `Totals` counts, names of the length that it adds up,
    // zeros up to payload_base, and the same payloads placed the same way.
    #[allow(unsafe_code)]
    const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

    fn shape() -> schema::Shape {
        schema::Shape::Scalar(Scalar::Tensors)
    }
}

impl<X> Typed<X> for Builder<'_> {
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::Tensors);
}

impl Encode for Builder<'_> {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.enter()?;
        measure.add(usize::try_from(self.encoded_len()).map_err(|_| EncodeError::TooLong)?);
        measure.leave();
        Ok(())
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "each push has made sure that the end of the block is below 2^64, and layout names below 2^32"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "each push has made sure that the sum fits 32 bits")]
    fn encode<S: Sink>(&self, sink: &mut S) {
        let header = self.header();
        sink.put(header.write());
        let mut placed = Payloads::new(0);
        for entry in &self.entries {
            let byte_offset = header.payload_base + place(&mut placed, entry);
            match entry.other.checked_sub(1).and_then(|other| self.others.get(other as usize)) {
                None => entry.write(sink, byte_offset),
                Some(other) => {
                    let mut whole = Descriptor { byte_offset, ..*other };
                    if whole.layout_len > 0 {
                        // Each push has made sure that the sum fits 32 bits.
                        whole.layout_offset += self.totals.names.used() as u32;
                    }
                    sink.put(whole.write());
                }
            }
        }
        sink.run(self.names.as_bytes());
        sink.run(self.layouts.as_bytes());
        zeros(sink, header.payload_base - (Header::LEN as u64 + header.directory_bytes));
        let mut placed = Payloads::new(0);
        for entry in &self.entries {
            let end = placed.end();
            zeros(sink, place(&mut placed, entry) - end);
            entry.write_payload(sink);
        }
    }
}

/// Places the payload of the next tensor, as the push has made sure that it can be.
#[inline]
fn place(placed: &mut Payloads, entry: &Entry<'_>) -> u64 {
    let end = placed.end();
    placed.place(entry.payload.len() as u64).unwrap_or(end)
}

/// Writes fewer zeros than payloads are aligned to.
#[expect(clippy::indexing_slicing, reason = "callers fill up to the next multiple of the alignment")]
#[expect(clippy::cast_possible_truncation, reason = "below 64")]
fn zeros<S: Sink>(sink: &mut S, count: u64) {
    sink.run(&[0; place::ALIGNMENT as usize][..count as usize]);
}

impl Entry<'_> {
    /// Writes the descriptor of a tensor about which this says all.
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S, byte_offset: u64) {
        let mut words = [0; Descriptor::LEN / 8];
        words[Descriptor::DTYPE_AT / 8] =
            u64::from(self.dtype) | u64::from(self.rank) << (8 * Descriptor::RANK_AT);
        words[Descriptor::NAME_OFFSET_AT / 8] = u64::from(self.name_offset) | u64::from(self.name_len) << 32;
        words[Descriptor::BYTE_OFFSET_AT / 8] = byte_offset;
        words[Descriptor::BYTE_LEN_AT / 8] = self.payload.len() as u64;
        for (word, dim) in words[Descriptor::SHAPE_AT / 8..].iter_mut().zip(self.shape) {
            *word = dim.into();
        }
        // One by one: as an array they would be read again, and wider, before they have arrived there.
        for word in words {
            sink.put(word.to_le_bytes());
        }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a chunk is no longer than `piece`")]
    fn write_payload<S: Sink>(&self, sink: &mut S) {
        if self.swapped == 0 {
            return sink.run(self.payload);
        }
        // Never a second copy of the payload: a piece at a time, as long as whole numbers make it.
        let mut piece = [0; 4096];
        for numbers in self.payload.chunks(piece.len()) {
            let piece = &mut piece[..numbers.len()];
            piece.copy_from_slice(numbers);
            arch::swap_in_place(piece, self.swapped.into());
            sink.run(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    /// The totals after tensors of these lengths of name, layout name and payload.
    fn totals(lens: &[(u64, u64, u64)]) -> Result<Totals, Mistake> {
        lens.iter().try_fold(Totals::NONE, |totals, &(name, layout, payload)| {
            let short = |len: u64| len.try_into().expect("a length of 32 bits");
            Ok(totals.with(short(name), short(layout), payload)?.0)
        })
    }

    const MOST: u64 = u32::MAX as u64;

    #[test]
    fn an_offset_into_the_names_has_32_bits() {
        // A name may begin at 2^32 - 1 and go on after it.
        let long = totals(&[(MOST, 0, 0), (MOST, 0, 0)]).map(|totals| totals.header().name_bytes);
        assert_eq!(long, Ok(2 * MOST));
        assert_eq!(totals(&[(MOST, 0, 0), (1, 0, 0), (1, 0, 0)]).err(), Some(Mistake::NamesTooLong));
        // A tensor without a name needs no offset.
        assert!(totals(&[(MOST, 0, 0), (1, 0, 0), (0, 0, 0)]).is_ok());
        // A layout name lies behind all names, also behind those that come later.
        assert!(totals(&[(0, 1, 0), (MOST, 0, 0)]).is_ok());
        assert_eq!(totals(&[(0, 1, 0), (MOST, 0, 0), (1, 0, 0)]).err(), Some(Mistake::NamesTooLong));
        assert_eq!(totals(&[(1, MOST, 0), (0, 1, 0)]).err(), Some(Mistake::NamesTooLong));
        assert!(totals(&[(0, MOST, 0), (0, 1, 0)]).is_ok());
        // Also when the tensor that comes later has none itself.
        assert_eq!(totals(&[(0, MOST, 0), (0, 1, 0), (1, 0, 0)]).err(), Some(Mistake::NamesTooLong));
        assert_eq!(totals(&[(0, MOST, 0), (0, 1, 0), (0, 1, 0)]).err(), Some(Mistake::NamesTooLong));
    }

    #[test]
    fn tensors_are_counted_by_32_bits() {
        let most = u32::MAX as usize;
        assert_eq!(TensorId::of(most - 1).map(TensorId::index), Some(most - 1));
        assert_eq!(TensorId::of(most), None);
        #[cfg(target_pointer_width = "64")]
        assert_eq!(TensorId::of(most + 1), None);
        // As many as there are indices below the first that is refused.
        assert_eq!(Mistake::TooManyTensors.to_string(), "a builder takes at most 4294967295 tensors");
    }

    #[test]
    fn a_block_has_64_bits() {
        // 64 and 128 bytes of header and descriptor, then the payload.
        let end = |payload| totals(&[(0, 0, payload)]).map(|totals| totals.header().payload_bytes);
        assert_eq!(end(u64::MAX - 192), Ok(u64::MAX - 192));
        assert_eq!(end(u64::MAX - 191), Err(Mistake::TooLong));
        assert_eq!(end(u64::MAX), Err(Mistake::TooLong));
        // One tensor more moves the payloads, and an empty one is aligned as any other.
        assert_eq!(totals(&[(0, 0, u64::MAX - 256), (0, 0, 0)]).err(), Some(Mistake::TooLong));
        assert!(totals(&[(0, 0, u64::MAX - 511), (0, 0, 64)]).is_ok());
        assert_eq!(totals(&[(0, 0, u64::MAX - 511), (0, 0, 192)]).err(), Some(Mistake::TooLong));
    }

    #[test]
    fn a_refused_push_leaves_the_totals_as_they_were() {
        let mut builder = Builder::new();
        builder.push("a", &[1], &[1u8]).expect("a tensor");
        let before = builder.to_vec();
        assert!(builder.push("a", &[1], &[2u8]).is_err());
        assert!(builder.push("b", &[2], &[2u8]).is_err());
        assert_eq!(builder.to_vec(), before);
    }

    /// What a big-endian host does with each payload, done here.
    #[test]
    fn numbers_of_the_other_byte_order_are_turned_around() {
        let numbers: Vec<u8> = (0..10_000u32).map(|at| (at % 251) as u8).collect();
        for (width, dtype) in [(2u8, Dtype::U16), (4, Dtype::F32), (8, Dtype::I64)] {
            let shape = [(numbers.len() / usize::from(width)) as u64];
            let mut builder = Builder::new();
            builder.add_closed(None, dtype, &shape, &numbers, width).expect("a tensor");
            let turned: Vec<u8> =
                numbers.chunks(width.into()).flat_map(|number| number.iter().rev().copied()).collect();
            let owned = builder.to_owned_directory().expect("a block");
            assert_eq!(owned.get(0).map(|tensor| tensor.bytes().to_vec()), Some(turned));
        }
    }
}
