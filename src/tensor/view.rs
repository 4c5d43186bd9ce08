//! Payloads used where they lie, or copied out. Chapter: Views and owned copies.

use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::element::{Element, Unpacked};
use super::opaque::Layout;
use super::quant::Quantization;
use super::shape::{MAX_RANK, Shape};
use super::table::Table;
use crate::arch;
use crate::error::Code;
use crate::limits::Limits;
use alloc::vec::Vec;
use bytemuck::Zeroable;
use core::fmt;
use core::ops::Range;

/// One tensor of a checked directory. It borrows the bytes that were read, not the
/// [`Directory`](super::Directory), and is as cheap to copy as a few references.
#[derive(Clone, Copy)]
pub struct Tensor<'a> {
    table: Table<'a>,
    index: usize,
    raw: &'a [u8; Descriptor::LEN],
}

impl<'a> Tensor<'a> {
    /// Tensor `index` of a block that was checked.
    pub(crate) fn new(table: Table<'a>, index: usize) -> Option<Self> {
        let raw = table.raw().get(index)?;
        Some(Tensor { table, index, raw })
    }

    /// What the tensor is read from.
    pub(crate) fn table(&self) -> Table<'a> {
        self.table
    }

    /// The place of the tensor in the directory.
    pub fn index(&self) -> usize {
        self.index
    }

    /// All numbers of the descriptor.
    pub fn descriptor(&self) -> Descriptor {
        Descriptor::read(self.raw)
    }

    /// The name, if it has one; never the empty text.
    pub fn name(&self) -> Option<&'a str> {
        text(self.table.name(&self.descriptor()))
    }

    /// What the elements are.
    ///
    /// # Panics
    /// When the bytes have changed since they were checked, and no longer say.
    #[expect(clippy::panic, reason = "documented: only a map whose file was changed gets there")]
    pub fn dtype(&self) -> Dtype {
        match Dtype::from_code(self.descriptor().dtype) {
            Some(dtype) => dtype,
            None => panic!("the bytes of a checked directory have changed"),
        }
    }

    /// The number of dimensions, at most eight.
    pub fn rank(&self) -> usize {
        self.shape().rank()
    }

    /// The dimensions, outermost first.
    pub fn shape(&self) -> Shape {
        Shape::new(self.descriptor().dims()).unwrap_or(Shape::SCALAR)
    }

    /// The number of elements: the product of the dimensions. Of an opaque tensor, as its shape says.
    pub fn element_count(&self) -> u64 {
        // Step 9 has refused the products that do not fit.
        self.descriptor().element_count().unwrap_or(u64::MAX)
    }

    /// Where the payload begins, in bytes from the start of the directory: a multiple of 64.
    pub fn byte_offset(&self) -> u64 {
        self.descriptor().byte_offset
    }

    /// The length of the payload, in bytes.
    pub fn byte_len(&self) -> u64 {
        self.descriptor().byte_len
    }

    /// Where the payload lies, in bytes from the start of the directory.
    pub fn byte_range(&self) -> Range<u64> {
        let descriptor = self.descriptor();
        descriptor.byte_offset..descriptor.byte_offset.saturating_add(descriptor.byte_len)
    }

    /// The payload: little-endian elements in row-major order, or the bytes of an opaque layout.
    ///
    /// # Panics
    /// When the bytes have changed since they were checked, so that the payload leaves them.
    #[expect(clippy::panic, reason = "documented: only a map whose file was changed gets there")]
    pub fn bytes(&self) -> &'a [u8] {
        match self.table.payload(&self.descriptor()) {
            Some(payload) => payload,
            None => panic!("the bytes of a checked directory have changed"),
        }
    }

    /// Whose bytes the payload is made of, when the tensor is opaque.
    pub fn layout(&self) -> Option<Layout<'a>> {
        let Dtype::Opaque(code) = self.dtype() else { return None };
        let descriptor = self.descriptor();
        let name = text(self.table.layout(&descriptor))?;
        Some(Layout { code, name, block_size: descriptor.block_size })
    }

    /// The tensors that scale this one, if it is linked to any.
    ///
    /// ```
    /// use kiln::tensor::Directory;
    /// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// let tensor = Directory::read(bytes)?.get_by_name("packed").unwrap();
    /// let link = tensor.quantization().unwrap();
    /// assert_eq!((link.axis, link.group_size), (0, 2));
    /// assert_eq!(link.scale.name(), Some("packed.scale"));
    /// assert_eq!(link.outer.unwrap().to_vec::<f32>()?, [0.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quantization(&self) -> Option<Quantization<'a>> {
        let descriptor = self.descriptor();
        let linked = |index: u32| Tensor::new(self.table, usize::try_from(index).ok()?);
        Some(Quantization {
            axis: match descriptor.quant_scheme {
                0 => return None,
                _ => descriptor.quant_axis.into(),
            },
            group_size: descriptor.group_size,
            scale: linked(descriptor.scale_index)?,
            outer: match descriptor.quant_scheme {
                2 => Some(linked(descriptor.outer_index)?),
                _ => None,
            },
        })
    }

    /// Dtype, shape and payload, without the directory around them: what all the following is made of.
    pub fn view(&self) -> View<'a> {
        View { dtype: self.dtype(), shape: self.shape(), bytes: self.bytes() }
    }

    /// [`View::as_slice`].
    ///
    /// # Errors
    /// As there.
    pub fn as_slice<T: Element>(&self) -> Result<&'a [T], ViewError> {
        self.view().as_slice()
    }

    /// [`View::to_vec`].
    ///
    /// # Errors
    /// As there.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, ViewError> {
        self.view().to_vec()
    }

    /// [`View::to_vec_with`].
    ///
    /// # Errors
    /// As there.
    pub fn to_vec_with<T: Element>(&self, limits: &Limits) -> Result<Vec<T>, ViewError> {
        self.view().to_vec_with(limits)
    }

    /// [`View::copy_to_slice`].
    ///
    /// # Errors
    /// As there.
    pub fn copy_to_slice<T: Element>(&self, target: &mut [T]) -> Result<(), ViewError> {
        self.view().copy_to_slice(target)
    }

    /// [`View::slice_first`].
    ///
    /// # Errors
    /// As there.
    pub fn slice_first(&self, range: Range<u64>) -> Result<View<'a>, ViewError> {
        self.view().slice_first(range)
    }

    /// [`View::copy_slice`].
    ///
    /// # Errors
    /// As there.
    pub fn copy_slice<T: Element>(&self, ranges: &[Range<u64>]) -> Result<Vec<T>, ViewError> {
        self.view().copy_slice(ranges)
    }

    /// [`View::nibble`].
    pub fn nibble(&self, element: u64) -> Option<u8> {
        self.view().nibble(element)
    }

    /// [`View::unpack`].
    ///
    /// # Errors
    /// As there.
    pub fn unpack<T: Unpacked>(&self) -> Result<Vec<T>, ViewError> {
        self.view().unpack()
    }
}

/// Text that was checked when the directory was read.
fn text(bytes: &[u8]) -> Option<&str> {
    if bytes.is_empty() { None } else { core::str::from_utf8(bytes).ok() }
}

impl PartialEq for Tensor<'_> {
    /// Equal names, dtypes, shapes, payloads and layouts; links lead to equal tensors.
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
            && self.dtype() == other.dtype()
            && self.shape() == other.shape()
            && self.layout() == other.layout()
            && self.bytes() == other.bytes()
            && self.quantization() == other.quantization()
    }
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("index", &self.index)
            .field("name", &self.name())
            .field("dtype", &self.dtype())
            .field("shape", &self.shape())
            .field("byte_range", &self.byte_range())
            .finish_non_exhaustive()
    }
}

/// Elements of one dtype in one shape, in the caller's bytes: the payload of a tensor, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    dtype: Dtype,
    shape: Shape,
    bytes: &'a [u8],
}

impl<'a> View<'a> {
    /// A view of bytes whose length is what dtype and shape need.
    pub(crate) fn new(dtype: Dtype, shape: Shape, bytes: &'a [u8]) -> Self {
        View { dtype, shape, bytes }
    }

    /// What the elements are.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The dimensions, outermost first.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of elements.
    pub fn element_count(&self) -> u64 {
        self.shape.element_count().unwrap_or(u64::MAX)
    }

    /// The bytes of the elements: little-endian, in row-major order.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The elements where they lie, without a copy. No elements are an empty slice whatever the address.
    ///
    /// # Errors
    /// [`ViewError::Dtype`] when `T` is not what the payload holds; [`ViewError::ByteOrder`] on a big-endian
    /// host, but for elements of one byte; [`ViewError::Alignment`] when the payload lies at an address that
    /// `T` cannot have. The last two are no fault of the bytes: [`to_vec`](Self::to_vec) works then too.
    ///
    /// ```
    /// use kiln::tensor::{Directory, ViewError};
    /// # let golden: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// # let mut storage = vec![0u64; golden.len().div_ceil(8)];
    /// # let storage: &mut [u8] = bytemuck::cast_slice_mut(&mut storage);
    /// # storage[..golden.len()].copy_from_slice(golden);
    /// # let bytes = &storage[..golden.len()];
    /// let tensor = Directory::read(bytes)?.get_by_name("weight.scale").unwrap();
    /// match tensor.as_slice::<f32>() {
    ///     Ok(numbers) => assert_eq!(numbers, [1.0, 2.0, 0.5, 1.0]),
    ///     Err(ViewError::ByteOrder) => assert!(cfg!(target_endian = "big")),
    ///     Err(other) => panic!("{other}"),
    /// }
    /// # Ok::<(), kiln::Error>(())
    /// ```
    pub fn as_slice<T: Element>(&self) -> Result<&'a [T], ViewError> {
        self.expect::<T>()?;
        if self.bytes.is_empty() {
            return Ok(&[]);
        }
        if cfg!(target_endian = "big") && size_of::<T>() > 1 {
            return Err(ViewError::ByteOrder);
        }
        let address = self.bytes.as_ptr().addr();
        bytemuck::try_cast_slice(self.bytes).map_err(|_| ViewError::Alignment {
            needed: align_of::<T>(),
            past: address.checked_rem(align_of::<T>()).unwrap_or(0),
        })
    }

    /// A copy of the elements, from any address and on any host.
    ///
    /// # Errors
    /// [`ViewError::Dtype`] as [`as_slice`](Self::as_slice), [`ViewError::Budget`] for more bytes than the default
    /// [`Limits::owned`], [`ViewError::Memory`] for more than memory can hold.
    ///
    /// ```
    /// use kiln::tensor::Directory;
    /// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// let tensor = Directory::read(bytes)?.get_by_name("weight.scale").unwrap();
    /// assert_eq!(tensor.to_vec::<f32>()?, [1.0, 2.0, 0.5, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, ViewError> {
        self.to_vec_with(&Limits::DEFAULT)
    }

    /// [`to_vec`](Self::to_vec) within `limits.owned`, in bytes.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn to_vec_with<T: Element>(&self, limits: &Limits) -> Result<Vec<T>, ViewError> {
        self.expect::<T>()?;
        budget(self.bytes.len() as u64, limits)?;
        if let Ok(elements) = self.as_slice() {
            let mut copy = Vec::new();
            copy.try_reserve_exact(elements.len()).map_err(|_| no_memory::<T>(elements.len() as u64))?;
            copy.extend_from_slice(elements);
            return Ok(copy);
        }
        let mut elements = zeros(self.bytes.len().checked_div(size_of::<T>()).unwrap_or(0) as u64)?;
        read_into(self.bytes, &mut elements);
        Ok(elements)
    }

    /// Copies the elements into `target`, from any address and on any host.
    ///
    /// # Errors
    /// [`ViewError::Dtype`] as [`as_slice`](Self::as_slice), and [`ViewError::Length`] when `target` has not
    /// exactly as many elements; nothing is written then.
    pub fn copy_to_slice<T: Element>(&self, target: &mut [T]) -> Result<(), ViewError> {
        self.expect::<T>()?;
        length(self.element_count(), target.len())?;
        read_into(self.bytes, target);
        Ok(())
    }

    /// The part of the view whose first index is in `range`, without a copy.
    ///
    /// # Errors
    /// [`ViewError::Opaque`] for an opaque layout, [`ViewError::Rank`] without an axis, [`ViewError::Range`]
    /// when the range leaves it, [`ViewError::HalfByte`] when it begins or ends in the middle of a byte of
    /// packed elements: [`unpack_slice`](Self::unpack_slice) copies it out.
    ///
    /// ```
    /// use kiln::tensor::Directory;
    /// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// let tensor = Directory::read(bytes)?.get_by_name("weight").unwrap();
    /// assert_eq!(tensor.shape()[..], [2, 4]);
    /// let row = tensor.slice_first(1..2)?;
    /// assert_eq!(row.shape()[..], [1, 4]);
    /// assert_eq!(row.as_slice::<i8>()?, [5, 6, 7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(
        clippy::indexing_slicing,
        reason = "the part lies inside the payload, whose length follows from the shape while nobody changes it"
    )]
    pub fn slice_first(&self, range: Range<u64>) -> Result<View<'a>, ViewError> {
        let (shape, bytes) = first_axis(self.dtype, &self.shape, range)?;
        let bytes = &self.bytes[usize_of(bytes.start)..usize_of(bytes.end)];
        Ok(View { dtype: self.dtype, shape, bytes })
    }

    /// A copy of the elements whose indices are in `ranges`, one for each axis, in row-major order.
    ///
    /// # Errors
    /// [`ViewError::Dtype`] as [`as_slice`](Self::as_slice), [`ViewError::Rank`] for another number of
    /// ranges, [`ViewError::Range`] for one that leaves its axis, [`ViewError::Budget`] and [`ViewError::Memory`] as
    /// [`to_vec`](Self::to_vec).
    ///
    /// ```
    /// use kiln::tensor::Directory;
    /// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// let tensor = Directory::read(bytes)?.get_by_name("weight").unwrap();
    /// assert_eq!(tensor.copy_slice::<i8>(&[0..2, 1..3])?, [2, 3, 6, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy_slice<T: Element>(&self, ranges: &[Range<u64>]) -> Result<Vec<T>, ViewError> {
        self.copy_slice_with(ranges, &Limits::DEFAULT)
    }

    /// [`copy_slice`](Self::copy_slice) within `limits.owned`, in bytes.
    ///
    /// # Errors
    /// As [`copy_slice`](Self::copy_slice).
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`runs` gives parts of the payload, whose length follows from the shape while nobody changes it"
    )]
    pub fn copy_slice_with<T: Element>(
        &self,
        ranges: &[Range<u64>],
        limits: &Limits,
    ) -> Result<Vec<T>, ViewError> {
        self.expect::<T>()?;
        let count = self.slice_count(ranges)?;
        budget(count.saturating_mul(size_of::<T>() as u64), limits)?;
        let mut elements = zeros(count)?;
        let mut left = elements.as_mut_slice();
        self.runs(ranges, |first, len| {
            let (target, rest) = core::mem::take(&mut left).split_at_mut(len);
            let start = first * size_of::<T>();
            read_into(&self.bytes[start..start + size_of_val(target)], target);
            left = rest;
        });
        Ok(elements)
    }

    /// The four bits of a packed element, in the low half of a byte: the value of a u4; give them to
    /// [`Unpacked::from_nibble`] for that of an i4 or e2m1. Nothing for another dtype or past the last element.
    ///
    /// ```
    /// use kiln::tensor::{Directory, Unpacked};
    /// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// let tensor = Directory::read(bytes)?.get_by_name("packed").unwrap();
    /// assert_eq!(tensor.nibble(0), Some(1));
    /// assert_eq!(tensor.nibble(2).map(u8::from_nibble), Some(3));
    /// assert_eq!(tensor.nibble(3), None);
    /// # Ok::<(), kiln::Error>(())
    /// ```
    pub fn nibble(&self, element: u64) -> Option<u8> {
        if !self.dtype.is_packed() || element >= self.element_count() {
            return None;
        }
        let byte = self.bytes.get(usize_of(element / 2))?;
        Some(if element % 2 == 0 { byte & 0x0f } else { byte >> 4 })
    }

    /// A copy of packed elements, one value each: `u8` for u4, `i8` for i4, `f32` for e2m1.
    ///
    /// # Errors
    /// [`ViewError::Dtype`] when `T` is not what the packed dtype unpacks to, [`ViewError::Budget`] and
    /// [`ViewError::Memory`] as [`to_vec`](Self::to_vec).
    ///
    /// ```
    /// use kiln::tensor::Directory;
    /// # let bytes: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
    /// let tensor = Directory::read(bytes)?.get_by_name("packed").unwrap();
    /// assert_eq!(tensor.unpack::<u8>()?, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unpack<T: Unpacked>(&self) -> Result<Vec<T>, ViewError> {
        self.unpack_with(&Limits::DEFAULT)
    }

    /// [`unpack`](Self::unpack) within `limits.owned`, in bytes.
    ///
    /// # Errors
    /// As [`unpack`](Self::unpack).
    pub fn unpack_with<T: Unpacked>(&self, limits: &Limits) -> Result<Vec<T>, ViewError> {
        self.expect_packed::<T>()?;
        let count = self.element_count();
        budget(count.saturating_mul(size_of::<T>() as u64), limits)?;
        let mut values = zeros::<T>(count)?;
        T::unpack(self.bytes, 0, &mut values);
        Ok(values)
    }

    /// Copies packed elements into `target`, one value each.
    ///
    /// # Errors
    /// [`ViewError::Dtype`] as [`unpack`](Self::unpack), [`ViewError::Length`] when `target` has not exactly
    /// as many elements; nothing is written then.
    pub fn unpack_to_slice<T: Unpacked>(&self, target: &mut [T]) -> Result<(), ViewError> {
        self.expect_packed::<T>()?;
        length(self.element_count(), target.len())?;
        T::unpack(self.bytes, 0, target);
        Ok(())
    }

    /// A copy of the packed elements whose indices are in `ranges`, one value each, in row-major order.
    ///
    /// # Errors
    /// [`ViewError::Dtype`] as [`unpack`](Self::unpack), the others as [`copy_slice`](Self::copy_slice).
    pub fn unpack_slice<T: Unpacked>(&self, ranges: &[Range<u64>]) -> Result<Vec<T>, ViewError> {
        self.unpack_slice_with(ranges, &Limits::DEFAULT)
    }

    /// [`unpack_slice`](Self::unpack_slice) within `limits.owned`, in bytes.
    ///
    /// # Errors
    /// As [`unpack_slice`](Self::unpack_slice).
    pub fn unpack_slice_with<T: Unpacked>(
        &self,
        ranges: &[Range<u64>],
        limits: &Limits,
    ) -> Result<Vec<T>, ViewError> {
        self.expect_packed::<T>()?;
        let count = self.slice_count(ranges)?;
        budget(count.saturating_mul(size_of::<T>() as u64), limits)?;
        let mut values = zeros::<T>(count)?;
        let mut left = values.as_mut_slice();
        self.runs(ranges, |first, len| {
            let (target, rest) = core::mem::take(&mut left).split_at_mut(len);
            T::unpack(self.bytes, first, target);
            left = rest;
        });
        Ok(values)
    }

    fn expect<T: Element>(&self) -> Result<(), ViewError> {
        if T::reads(self.dtype) {
            return Ok(());
        }
        Err(ViewError::Dtype { asked: T::DTYPE, found: self.dtype })
    }

    fn expect_packed<T: Unpacked>(&self) -> Result<(), ViewError> {
        if T::DTYPE == self.dtype {
            return Ok(());
        }
        Err(ViewError::Dtype { asked: T::DTYPE, found: self.dtype })
    }

    /// How many elements a slice has, if there is one range for each axis and each lies inside.
    #[expect(clippy::arithmetic_side_effects, reason = "every range was found in order and inside its axis")]
    fn slice_count(&self, ranges: &[Range<u64>]) -> Result<u64, ViewError> {
        if ranges.len() != self.shape.rank() {
            return Err(ViewError::Rank { given: ranges.len(), rank: self.shape.rank() });
        }
        for (axis, (range, &dim)) in ranges.iter().zip(self.shape.iter()).enumerate() {
            if range.start > range.end || range.end > dim {
                return Err(ViewError::Range { axis, dim });
            }
        }
        if ranges.iter().any(Range::is_empty) {
            return Ok(0);
        }
        // No dimension is 0, so this is at most the element count.
        Ok(ranges.iter().map(|range| range.end - range.start).product())
    }

    /// Calls `run` with the first element and the length of each contiguous part of a slice that
    /// [`slice_count`](Self::slice_count) has accepted, in row-major order.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`slice_count` has found one range for each axis and inside it, so that no dimension is 0 and every product at most the element count"
    )]
    fn runs(&self, ranges: &[Range<u64>], mut run: impl FnMut(usize, usize)) {
        if ranges.iter().any(Range::is_empty) {
            return;
        }
        let rank = ranges.len();
        let mut strides = [1u64; MAX_RANK];
        for axis in (1..rank).rev() {
            strides[axis - 1] = strides[axis] * self.shape[axis];
        }
        // The axes from `outer` on are contiguous: the first of them in part, the others in full.
        let mut outer = rank;
        let mut len = 1;
        while outer > 0 {
            outer -= 1;
            let picked = ranges[outer].end - ranges[outer].start;
            len *= picked;
            if picked != self.shape[outer] {
                break;
            }
        }
        let mut at = [0u64; MAX_RANK];
        for (at, range) in at.iter_mut().zip(ranges) {
            *at = range.start;
        }
        loop {
            let first: u64 = at.iter().zip(&strides).take(rank).map(|(at, stride)| at * stride).sum();
            run(usize_of(first), usize_of(len));
            let mut axis = outer;
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                at[axis] += 1;
                if at[axis] < ranges[axis].end {
                    break;
                }
                at[axis] = ranges[axis].start;
            }
        }
    }
}

/// The part of a tensor whose first index is in `range`: its shape, and where in the payload it lies, in bytes.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "the range is in order and inside its axis; no dimension is 0 where products are taken, which are at most the element count"
)]
pub(crate) fn first_axis(
    dtype: Dtype,
    shape: &Shape,
    range: Range<u64>,
) -> Result<(Shape, Range<u64>), ViewError> {
    let bits = dtype.bits().ok_or(ViewError::Opaque)?;
    let Some((&dim, inner)) = shape.split_first() else {
        return Err(ViewError::Rank { given: 1, rank: 0 });
    };
    if range.start > range.end || range.end > dim {
        return Err(ViewError::Range { axis: 0, dim });
    }
    let mut slots = shape.slots();
    slots[0] = range.end - range.start;
    let part = Shape::new(&slots[..shape.rank()]).unwrap_or(Shape::SCALAR);
    // Without elements, the product of the inner dimensions may not fit: it is not needed.
    if range.is_empty() || inner.contains(&0) {
        return Ok((part, 0..0));
    }
    let row: u64 = inner.iter().product();
    let (start, end) = (range.start * row, range.end * row);
    let whole = |element: u64| element % 2 == 0 || element == dim * row;
    if bits == 4 && !(start % 2 == 0 && whole(end)) {
        return Err(ViewError::HalfByte);
    }
    Ok((part, byte_of(start, bits)..byte_of(end, bits)))
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("dtype", &self.dtype)
            .field("shape", &self.shape)
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

/// An element number of a payload that lies in memory.
fn usize_of(element: u64) -> usize {
    usize::try_from(element).unwrap_or(usize::MAX)
}

/// Where element `element` begins, or the one before it ends, in bytes.
#[expect(clippy::arithmetic_side_effects, reason = "the payload of the tensor has as many bytes or more")]
fn byte_of(element: u64, bits: u32) -> u64 {
    if bits == 4 { element.div_ceil(2) } else { element * u64::from(bits / 8) }
}

fn length(needed: u64, given: usize) -> Result<(), ViewError> {
    if needed == given as u64 { Ok(()) } else { Err(ViewError::Length { needed, given }) }
}

fn budget(needed: u64, limits: &Limits) -> Result<(), ViewError> {
    if needed <= limits.owned { Ok(()) } else { Err(ViewError::Budget { needed, allowed: limits.owned }) }
}

/// So many zeros, to be written over.
fn zeros<T: Zeroable>(count: u64) -> Result<Vec<T>, ViewError> {
    let zeros = usize::try_from(count).ok().map(bytemuck::allocation::try_zeroed_vec);
    zeros.and_then(Result::ok).ok_or_else(|| no_memory::<T>(count))
}

/// The error for a copy of so many elements that there is no memory for.
#[cold]
fn no_memory<T>(count: u64) -> ViewError {
    ViewError::Memory { needed: count.saturating_mul(size_of::<T>() as u64) }
}

/// Copies little-endian elements to memory in the host's order.
fn read_into<T: Element>(bytes: &[u8], target: &mut [T]) {
    arch::copy_from_le(bytes, size_of::<T>(), bytemuck::cast_slice_mut(target));
}

/// Why a payload cannot be used in the way asked for. No fault of the bytes, so none of the seven codes, but
/// for [`Budget`](Self::Budget).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewError {
    /// The elements are of another dtype.
    Dtype {
        /// The dtype of the machine type asked for.
        asked: Dtype,
        /// The dtype of the payload.
        found: Dtype,
    },
    /// The payload begins at an address that the machine type cannot have.
    Alignment {
        /// The multiple, in bytes, that the address would have to be.
        needed: usize,
        /// How many bytes past such a multiple it is.
        past: usize,
    },
    /// The host is big-endian, so that the elements are not its numbers as they lie.
    ByteOrder,
    /// The layout is opaque: only its bytes can be had.
    Opaque,
    /// There is not one range for each axis.
    Rank {
        /// How many ranges were given.
        given: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// A range ends before it begins, or leaves its axis.
    Range {
        /// The axis.
        axis: usize,
        /// Its length.
        dim: u64,
    },
    /// The part begins or ends in the middle of a byte of packed elements.
    HalfByte,
    /// The slice to copy into has another length.
    Length {
        /// The elements there are.
        needed: u64,
        /// The elements it takes.
        given: usize,
    },
    /// The copy would own more memory than the limits allow: [`Code::Limit`].
    Budget {
        /// The bytes needed.
        needed: u64,
        /// The bytes allowed.
        allowed: u64,
    },
    /// The limits allow the copy, and there is no memory for it.
    Memory {
        /// The bytes needed.
        needed: u64,
    },
}

impl ViewError {
    /// LIMIT when the budget was too small; none otherwise.
    pub const fn code(&self) -> Option<Code> {
        match self {
            ViewError::Budget { .. } => Some(Code::Limit),
            _ => None,
        }
    }
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ViewError::Dtype { asked, found } => write!(f, "the elements are {found}, not {asked}"),
            ViewError::Alignment { needed, past } => write!(
                f,
                "the payload lies {past} bytes past a multiple of {needed}; a copy can be had all the same"
            ),
            ViewError::ByteOrder => f.write_str(
                "the elements are little-endian and this machine is not; a copy can be had all the same",
            ),
            ViewError::Opaque => f.write_str("the layout is opaque: only its bytes can be had"),
            ViewError::Rank { given, rank } => write!(f, "{given} ranges for {rank} axes"),
            ViewError::Range { axis, dim } => {
                write!(f, "the range leaves axis {axis}, which has length {dim}")
            }
            ViewError::HalfByte => {
                f.write_str("the part begins or ends in the middle of a byte of packed elements")
            }
            ViewError::Length { needed, given } => write!(f, "{needed} elements for a slice of {given}"),
            ViewError::Budget { needed, allowed } => {
                write!(f, "LIMIT: a copy of {needed} bytes is above the {allowed} that may be owned")
            }
            ViewError::Memory { needed } => write!(f, "memory cannot hold a copy of {needed} bytes"),
        }
    }
}

impl core::error::Error for ViewError {}
