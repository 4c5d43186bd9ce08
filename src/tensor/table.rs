//! The descriptors and the names of a block that lies in memory.

use super::descriptor::Descriptor;
use super::header::Header;
use super::place;
use alloc::vec::Vec;

/// Descriptors and name heap of a block, found by its header and known to lie inside its bytes; what they
/// say may still be wrong. Whatever is allocated for each tensor is allocated by this type.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    block: &'a [u8],
    descriptors: &'a [[u8; Descriptor::LEN]],
    heap: &'a [u8],
}

impl<'a> Table<'a> {
    /// The table of the block that begins with `bytes`, if they reach to its end.
    pub(crate) fn new(bytes: &'a [u8], header: &Header) -> Option<Self> {
        let len = place::directory_bytes(header.tensor_count, header.name_bytes)?;
        let directory = bytes.get(Header::LEN..)?.get(..usize::try_from(len).ok()?)?;
        let heap_len = usize::try_from(header.name_bytes).ok()?;
        let (descriptors, heap) = directory.split_at_checked(directory.len().checked_sub(heap_len)?)?;
        let descriptors = bytemuck::try_cast_slice(descriptors).ok()?;
        Some(Table { block: bytes, descriptors, heap })
    }

    /// The same table with the block cut off at its end.
    pub(crate) fn within(self, block: &'a [u8]) -> Self {
        Table { block, ..self }
    }

    /// The bytes of the block.
    pub(crate) fn block(&self) -> &'a [u8] {
        self.block
    }

    /// The number of tensors.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.descriptors.len()
    }

    /// All names.
    #[inline]
    pub(crate) fn heap(&self) -> &'a [u8] {
        self.heap
    }

    /// The bytes of the heap from `start` to `end`.
    #[inline]
    pub(crate) fn names(&self, start: u64, end: u64) -> Option<&'a [u8]> {
        self.heap.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    /// The descriptors from number `index` on, and the heap from `start` on: as far as there are any.
    #[inline]
    pub(crate) fn after(&self, index: usize, start: u64) -> (&'a [[u8; Descriptor::LEN]], &'a [u8]) {
        let heap = usize::try_from(start).ok().and_then(|start| self.heap.get(start..));
        (self.descriptors.get(index..).unwrap_or(&[]), heap.unwrap_or(&[]))
    }

    /// Where the heap begins, in bytes from the start of the block.
    #[expect(clippy::arithmetic_side_effects, reason = "a position in the block")]
    pub(crate) fn heap_at(&self) -> usize {
        Header::LEN + size_of_val(self.descriptors)
    }

    /// Where the descriptor of tensor `index` begins.
    #[expect(clippy::arithmetic_side_effects, reason = "only asked for descriptors that lie in the block")]
    pub(crate) fn descriptor_at(index: usize) -> usize {
        Header::LEN + index * Descriptor::LEN
    }

    /// Every descriptor as its bytes.
    #[inline]
    pub(crate) fn raw(&self) -> &'a [[u8; Descriptor::LEN]] {
        self.descriptors
    }

    /// The descriptor of tensor `index`, if there is one.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Descriptor> {
        self.descriptors.get(index).map(Descriptor::read)
    }

    /// Every descriptor, in order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = Descriptor> + use<'a> {
        self.descriptors.iter().map(Descriptor::read)
    }

    /// The descriptor that a link leads to.
    #[inline]
    pub(crate) fn linked(&self, index: u32) -> Option<Descriptor> {
        self.get(usize::try_from(index).ok()?)
    }

    /// The name of a tensor: empty when it has none, or when it leaves the heap, which step 8 refuses.
    #[inline]
    pub(crate) fn name(&self, descriptor: &Descriptor) -> &'a [u8] {
        self.run(descriptor.name_offset, descriptor.name_len)
    }

    /// The name of tensor `index`, likewise.
    #[inline]
    pub(crate) fn name_of(&self, index: usize) -> &'a [u8] {
        let Some(raw) = self.descriptors.get(index) else { return &[] };
        let word = |at| u32::from_le_bytes(super::header::field(raw, at));
        self.run(word(Descriptor::NAME_OFFSET_AT), word(Descriptor::NAME_LEN_AT))
    }

    /// The layout name of a tensor, likewise.
    pub(crate) fn layout(&self, descriptor: &Descriptor) -> &'a [u8] {
        self.run(descriptor.layout_offset, descriptor.layout_len)
    }

    #[inline]
    fn run(&self, offset: u32, len: u32) -> &'a [u8] {
        let run = || self.heap.get(usize::try_from(offset).ok()?..)?.get(..usize::try_from(len).ok()?);
        run().unwrap_or(&[])
    }

    /// The payload of a tensor: nothing when it leaves the bytes, which step 9 refuses.
    #[inline]
    pub(crate) fn payload(&self, descriptor: &Descriptor) -> Option<&'a [u8]> {
        self.region(descriptor.byte_offset, descriptor.byte_offset.checked_add(descriptor.byte_len)?)
    }

    /// The bytes of the block from `start` to `end`.
    #[inline]
    pub(crate) fn region(&self, start: u64, end: u64) -> Option<&'a [u8]> {
        self.block.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    /// An item for each descriptor that `item` gives one for.
    pub(crate) fn collect<T>(&self, item: impl Fn(usize, Descriptor) -> Option<T>) -> Vec<T> {
        let mut items = Vec::with_capacity(self.len());
        items.extend(self.iter().enumerate().filter_map(|(index, descriptor)| item(index, descriptor)));
        items
    }
}
