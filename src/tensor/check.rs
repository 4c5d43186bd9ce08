//! The judge: the twelve steps of the check order, each a function, called from top to bottom. The first test
//! that fails is the result. Chapters: Check order, Where a fault points.
//!
//! Nothing here is clever. [`accept`](super::accept) answers the same question fast; where it says no, this
//! file says why. The letters are those of the chapter, and each runs over all descriptors before the next.

use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::header::Header;
use super::index::Index;
use super::place::{self, Heap, Payloads};
use super::quant;
use super::shape::element_count;
use super::table::Table;
use crate::arch;
use crate::error::{Fault, Reason};
use crate::limits::Limits;
use crate::text;

/// What a reader holds of a block and knows about it.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    /// The buffer from the block's first byte on, or what a reader without payloads has of it.
    pub(crate) bytes: &'a [u8],
    /// How long the buffer is from the block's first byte on, in bytes, if that is known.
    pub(crate) total: Option<u64>,
    /// Whether the buffer ends with the block.
    pub(crate) standalone: bool,
    /// The caps.
    pub(crate) limits: Limits,
}

impl<'a> Input<'a> {
    /// A buffer that is all there.
    pub(crate) fn whole(bytes: &'a [u8], standalone: bool, limits: &Limits) -> Self {
        Input { bytes, total: Some(bytes.len() as u64), standalone, limits: *limits }
    }
}

/// A header within the caps: what step 3 leaves.
pub(crate) struct Capped(Header);

/// A header whose lengths agree: what step 4 leaves.
pub(crate) struct Summed {
    header: Header,
    /// Where the name heap ends; it may be 2^64 or more.
    heap_end: Option<u64>,
}

/// A directory whose descriptors and names are there: what step 5 leaves, and the first that can hold
/// anything for each tensor.
pub(crate) struct Present<'a> {
    header: Header,
    table: Table<'a>,
    /// Where the name heap ends.
    heap_end: u64,
}

/// A block that lies inside its buffer: what step 6 leaves.
pub(crate) struct Extent<'a> {
    header: Header,
    table: Table<'a>,
    heap_end: u64,
    /// Where the block ends.
    end: u64,
}

/// A block with nothing wrong inside: what step 11 leaves, and the first that a view can be had from.
pub(crate) struct Checked<'a> {
    /// Descriptors and names.
    pub(crate) table: Table<'a>,
    /// The tensors by name.
    pub(crate) index: Index,
    /// Where the block ends.
    pub(crate) end: u64,
}

/// The verdict on a whole buffer.
pub(crate) fn check<'a>(input: &Input<'a>) -> Result<Checked<'a>, Fault> {
    let start = step_1_is_it_a_directory(input)?;
    let header = step_2_envelope(start)?;
    let capped = step_3_caps(header, &input.limits)?;
    let summed = step_4_sum(capped)?;
    let present = step_5_fit_of_the_directory(summed, input)?;
    let extent = step_6_fit_of_the_block(present, input)?;
    step_7_base(&extent)?;
    step_7b_padding(&extent)?;
    let index = step_8_names_and_layouts(&extent)?;
    step_9_dtypes_shapes_ranges(&extent)?;
    step_10_placement(&extent)?;
    step_10c_gaps(&extent)?;
    step_11a_elements(&extent)?;
    step_11b_links(&extent)?;
    step_12_end(&extent, input)?;
    Ok(extent.checked(index))
}

/// The verdict on the first bytes of a block, as far as they decide it: where the length of the buffer is not
/// known, they end with step 4. Gives the header and where the name heap ends.
pub(crate) fn check_header(input: &Input<'_>) -> Result<(Header, u64), Fault> {
    let start = step_1_is_it_a_directory(input)?;
    let header = step_2_envelope(start)?;
    let capped = step_3_caps(header, &input.limits)?;
    let summed = step_4_sum(capped)?;
    let heap_end = heap_end(&summed, input)?;
    if input.total.is_some() {
        block_end(&summed.header, heap_end, input)?;
        base(&summed.header)?;
    }
    Ok((summed.header, heap_end))
}

/// The verdict on a block without its payloads: the steps that look at payload bytes are left out, and those
/// that ask for the length of the buffer where it is not known.
pub(crate) fn check_directory<'a>(input: &Input<'a>) -> Result<Checked<'a>, Fault> {
    let start = step_1_is_it_a_directory(input)?;
    let header = step_2_envelope(start)?;
    let capped = step_3_caps(header, &input.limits)?;
    let summed = step_4_sum(capped)?;
    let present = step_5_fit_of_the_directory(summed, input)?;
    let extent = step_6_fit_of_the_block(present, input)?;
    step_7_base(&extent)?;
    let index = step_8_names_and_layouts(&extent)?;
    step_9_dtypes_shapes_ranges(&extent)?;
    step_10_placement(&extent)?;
    step_11b_links(&extent)?;
    step_12_end(&extent, input)?;
    Ok(extent.checked(index))
}

fn step_1_is_it_a_directory<'a>(input: &Input<'a>) -> Result<&'a [u8; Header::LEN], Fault> {
    // a.
    let Some(magic) = input.bytes.first_chunk() else {
        return Err(Fault::new(Reason::HeaderShort, 0));
    };
    // b.
    if *magic != Header::MAGIC {
        return Err(Fault::new(Reason::Magic, 0));
    }
    // c.
    input.bytes.first_chunk().ok_or(Fault::new(Reason::HeaderShort, 0))
}

#[expect(clippy::arithmetic_side_effects, reason = "a position in 64 bytes")]
fn step_2_envelope(start: &[u8; Header::LEN]) -> Result<Header, Fault> {
    let header = Header::read(start);
    if header.version != Header::VERSION {
        return Err(Fault::new(Reason::Version, Header::VERSION_AT));
    }
    let known = Header::LITTLE_ENDIAN | Header::NAMES;
    if header.flags & !known != 0 || header.flags & Header::LITTLE_ENDIAN == 0 {
        return Err(Fault::new(Reason::Flags, Header::FLAGS_AT));
    }
    if let Some(at) = first_above(&start[Header::RESERVED_AT..], 0) {
        return Err(Fault::new(Reason::HeaderReserved, Header::RESERVED_AT + at));
    }
    Ok(header)
}

fn step_3_caps(header: Header, limits: &Limits) -> Result<Capped, Fault> {
    if header.tensor_count > limits.count {
        return Err(Fault::new(Reason::TensorCountCap, Header::TENSOR_COUNT_AT));
    }
    if header.name_bytes > limits.bytes {
        return Err(Fault::new(Reason::NameBytesCap, Header::NAME_BYTES_AT));
    }
    Ok(Capped(header))
}

fn step_4_sum(Capped(header): Capped) -> Result<Summed, Fault> {
    // a.
    let Some(sum) = place::directory_bytes(header.tensor_count, header.name_bytes) else {
        return Err(Fault::new(Reason::TableOverflow, Header::TENSOR_COUNT_AT));
    };
    // b.
    if header.directory_bytes != sum {
        return Err(Fault::new(Reason::DirectoryBytes, Header::DIRECTORY_BYTES_AT));
    }
    Ok(Summed { header, heap_end: sum.checked_add(Header::LEN as u64) })
}

fn step_5_fit_of_the_directory<'a>(summed: Summed, input: &Input<'a>) -> Result<Present<'a>, Fault> {
    let heap_end = heap_end(&summed, input)?;
    let header = summed.header;
    let table = Table::new(input.bytes, &header).ok_or(TABLE_SHORT)?;
    Ok(Present { header, table, heap_end })
}

const TABLE_SHORT: Fault = Fault::new(Reason::TableShort, Header::LEN);

/// Where the name heap ends, if the buffer is known or may be thought to reach there.
fn heap_end(summed: &Summed, input: &Input<'_>) -> Result<u64, Fault> {
    match summed.heap_end {
        Some(end) if input.total.is_none_or(|total| end <= total) => Ok(end),
        _ => Err(TABLE_SHORT),
    }
}

fn step_6_fit_of_the_block<'a>(present: Present<'a>, input: &Input<'_>) -> Result<Extent<'a>, Fault> {
    let Present { header, table, heap_end } = present;
    let end = block_end(&header, heap_end, input)?;
    Ok(Extent { header, table, heap_end, end })
}

/// Where the block ends, if that lies inside the buffer or may be thought to.
fn block_end(header: &Header, heap_end: u64, input: &Input<'_>) -> Result<u64, Fault> {
    // a.
    let Some(end) = header.payload_base.checked_add(header.payload_bytes) else {
        return Err(Fault::new(Reason::BlockOverflow, Header::PAYLOAD_BYTES_AT));
    };
    // b.
    if input.total.is_some_and(|total| end > total) {
        return Err(Fault::at(Reason::BlockShort, heap_end));
    }
    Ok(end)
}

/// a.
fn step_7_base(extent: &Extent<'_>) -> Result<(), Fault> {
    base(&extent.header)
}

fn base(header: &Header) -> Result<(), Fault> {
    if place::payload_base(header.directory_bytes) != Some(header.payload_base) {
        return Err(Fault::new(Reason::PayloadBase, Header::PAYLOAD_BASE_AT));
    }
    Ok(())
}

/// b.
fn step_7b_padding(extent: &Extent<'_>) -> Result<(), Fault> {
    extent.zeros(extent.heap_end, extent.header.payload_base, Reason::Padding)
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "positions in a block that step 5 has found inside the bytes"
)]
fn step_8_names_and_layouts(extent: &Extent<'_>) -> Result<Index, Fault> {
    let table = &extent.table;
    let name_bytes = extent.header.name_bytes;
    // a.
    for (index, raw) in table.raw().iter().enumerate() {
        let reserved = [
            (Descriptor::RESERVED_AT, &raw[Descriptor::RESERVED_AT..Descriptor::NAME_OFFSET_AT]),
            (Descriptor::RESERVED_WORD_AT, &raw[Descriptor::RESERVED_WORD_AT..Descriptor::SHAPE_AT]),
        ];
        for (at, bytes) in reserved {
            if let Some(first) = first_above(bytes, 0) {
                return Err(in_descriptor(Reason::DescriptorReserved, index, at + first));
            }
        }
    }
    // b.
    let mut heap = Heap::default();
    for (index, descriptor) in table.iter().enumerate() {
        if heap.place(descriptor.name_len) != u64::from(descriptor.name_offset) {
            return Err(in_descriptor(Reason::NameOffset, index, Descriptor::NAME_OFFSET_AT));
        }
        if heap.used() > name_bytes {
            return Err(in_descriptor(Reason::NameRange, index, Descriptor::NAME_LEN_AT));
        }
    }
    // c.
    for (index, descriptor) in table.iter().enumerate() {
        let opaque = descriptor.is_opaque();
        if (descriptor.layout_len > 0) != opaque {
            return Err(in_descriptor(Reason::LayoutPresence, index, Descriptor::LAYOUT_LEN_AT));
        }
        if (descriptor.block_size > 0) != opaque {
            return Err(in_descriptor(Reason::BlockSize, index, Descriptor::BLOCK_SIZE_AT));
        }
        if heap.place(descriptor.layout_len) != u64::from(descriptor.layout_offset) {
            return Err(in_descriptor(Reason::LayoutOffset, index, Descriptor::LAYOUT_OFFSET_AT));
        }
        if heap.used() > name_bytes {
            return Err(in_descriptor(Reason::LayoutRange, index, Descriptor::LAYOUT_LEN_AT));
        }
    }
    let heap_at = table.heap_at() as u64;
    // d.
    if heap.used() != name_bytes {
        return Err(Fault::at(Reason::HeapUnused, heap_at + heap.used()));
    }
    // e.
    let named = table.iter().any(|descriptor| descriptor.name_len > 0);
    if named != (extent.header.flags & Header::NAMES != 0) {
        return Err(Fault::new(Reason::NamesFlag, Header::FLAGS_AT));
    }
    // f.
    for (index, descriptor) in table.iter().enumerate() {
        let name = table.name(&descriptor);
        if text::checked_early(name).is_none() {
            let at = heap_at + u64::from(descriptor.name_offset) + text::valid_up_to(name) as u64;
            return Err(Fault::in_tensor(Reason::NameText, at, index));
        }
    }
    for (index, descriptor) in table.iter().enumerate() {
        let layout = table.layout(&descriptor);
        if text::checked_early(layout).is_none() {
            let at = heap_at + u64::from(descriptor.layout_offset) + text::valid_up_to(layout) as u64;
            return Err(Fault::in_tensor(Reason::LayoutText, at, index));
        }
    }
    // g.
    Index::build(table.len(), |index| table.name_of(index)).map_err(|repeated| {
        let name_offset = table.get(repeated.second).map_or(0, |descriptor| descriptor.name_offset);
        Fault::in_tensor(Reason::NameRepeated, heap_at + u64::from(name_offset), repeated.second)
    })
}

fn step_9_dtypes_shapes_ranges(extent: &Extent<'_>) -> Result<(), Fault> {
    // a.
    for (index, descriptor) in extent.table.iter().enumerate() {
        let Some(dtype) = descriptor.element_type() else {
            return Err(in_descriptor(Reason::Dtype, index, Descriptor::DTYPE_AT));
        };
        let rank = usize::from(descriptor.rank);
        let Some(dims) = descriptor.shape.get(..rank) else {
            return Err(in_descriptor(Reason::Rank, index, Descriptor::RANK_AT));
        };
        let mut slots = (Descriptor::SHAPE_AT..).step_by(8).zip(descriptor.shape).skip(rank);
        if let Some((at, _)) = slots.find(|&(_, slot)| slot != 0) {
            return Err(in_descriptor(Reason::ShapeTail, index, at));
        }
        let Some(count) = element_count(dims) else {
            return Err(in_descriptor(Reason::ShapeOverflow, index, Descriptor::SHAPE_AT));
        };
        let fits = if dtype.is_opaque() {
            // Step 8c has seen that the block size is not 0.
            descriptor.byte_len.checked_rem(descriptor.block_size.into()) == Some(0)
        } else {
            let Some(needed) = dtype.payload_len(count) else {
                return Err(in_descriptor(Reason::ShapeOverflow, index, Descriptor::SHAPE_AT));
            };
            descriptor.byte_len == needed
        };
        if !fits {
            return Err(in_descriptor(Reason::ByteLen, index, Descriptor::BYTE_LEN_AT));
        }
        let payload_end = descriptor.byte_offset.checked_add(descriptor.byte_len);
        let inside = descriptor.byte_offset >= extent.header.payload_base
            && payload_end.is_some_and(|payload_end| payload_end <= extent.end);
        if !inside {
            return Err(in_descriptor(Reason::PayloadRange, index, Descriptor::BYTE_OFFSET_AT));
        }
    }
    // b.
    let mut ranges = extent.table.collect(|index, descriptor| {
        (descriptor.byte_len > 0).then_some((descriptor.byte_offset, index, descriptor.byte_len))
    });
    if !ranges.is_sorted() {
        ranges.sort_unstable();
    }
    let mut last_end = 0;
    for (offset, index, len) in ranges {
        if last_end > offset {
            return Err(in_descriptor(Reason::Overlap, index, Descriptor::BYTE_OFFSET_AT));
        }
        last_end = offset.saturating_add(len);
    }
    Ok(())
}

/// a and b.
fn step_10_placement(extent: &Extent<'_>) -> Result<(), Fault> {
    // a.
    let mut payloads = Payloads::new(extent.header.payload_base);
    for (index, descriptor) in extent.table.iter().enumerate() {
        if payloads.place(descriptor.byte_len) != Some(descriptor.byte_offset) {
            return Err(in_descriptor(Reason::Placement, index, Descriptor::BYTE_OFFSET_AT));
        }
    }
    // b.
    if payloads.end() != extent.end {
        return Err(Fault::new(Reason::PayloadBytes, Header::PAYLOAD_BYTES_AT));
    }
    Ok(())
}

/// c. The last payload ends the block, so every byte that none covers lies in front of one.
fn step_10c_gaps(extent: &Extent<'_>) -> Result<(), Fault> {
    let mut cursor = extent.header.payload_base;
    for descriptor in extent.table.iter() {
        extent.zeros(cursor, descriptor.byte_offset, Reason::Gap)?;
        cursor = descriptor.byte_offset.saturating_add(descriptor.byte_len);
    }
    Ok(())
}

/// a.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a position in a payload that step 9a has found inside the block"
)]
fn step_11a_elements(extent: &Extent<'_>) -> Result<(), Fault> {
    for (index, descriptor) in extent.table.iter().enumerate() {
        let payload = extent.table.payload(&descriptor).unwrap_or(&[]);
        if let Some((reason, at)) = wrong_element_of(&descriptor, payload) {
            return Err(Fault::in_tensor(reason, descriptor.byte_offset + at as u64, index));
        }
    }
    Ok(())
}

/// The byte of a payload that is no element of its tensor, and why.
pub(crate) fn wrong_element_of(descriptor: &Descriptor, payload: &[u8]) -> Option<(Reason, usize)> {
    wrong_element(descriptor.element_type()?, descriptor.element_count()?, payload)
}

/// The same for the payload of `count` elements.
pub(crate) fn wrong_element(dtype: Dtype, count: u64, payload: &[u8]) -> Option<(Reason, usize)> {
    if dtype == Dtype::Bool {
        return first_above(payload, 1).map(|at| (Reason::BoolPayload, at));
    }
    if dtype.is_packed() && count % 2 == 1 {
        let (last, before) = payload.split_last()?;
        return (*last > 0x0f).then_some((Reason::HighNibble, before.len()));
    }
    None
}

/// b.
fn step_11b_links(extent: &Extent<'_>) -> Result<(), Fault> {
    for (index, descriptor) in extent.table.iter().enumerate() {
        quant::test(index as u64, &descriptor, |link| extent.table.linked(link))
            .map_err(|(reason, field)| in_descriptor(reason, index, field))?;
    }
    Ok(())
}

fn step_12_end(extent: &Extent<'_>, input: &Input<'_>) -> Result<(), Fault> {
    if input.standalone && input.total.is_some_and(|total| extent.end < total) {
        return Err(Fault::at(Reason::TrailingBlock, extent.end));
    }
    Ok(())
}

impl<'a> Extent<'a> {
    /// Tests that the bytes of the block from `start` to `end` are zeros.
    #[expect(clippy::arithmetic_side_effects, reason = "a position in a region that lies inside the bytes")]
    fn zeros(&self, start: u64, end: u64, reason: Reason) -> Result<(), Fault> {
        match first_above(self.table.region(start, end).unwrap_or(&[]), 0) {
            Some(at) => Err(Fault::at(reason, start + at as u64)),
            None => Ok(()),
        }
    }

    /// What step 11 has left.
    fn checked(self, index: Index) -> Checked<'a> {
        Checked { table: self.table, index, end: self.end }
    }
}

/// The first byte above `most`, which is 0 or 1.
fn first_above(bytes: &[u8], most: u8) -> Option<usize> {
    arch::first_bit_set(bytes, !most)
}

/// A fault in a field of the descriptor of tensor `index`.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a position in a descriptor that step 5 has found inside the bytes"
)]
fn in_descriptor(reason: Reason, index: usize, field: usize) -> Fault {
    Fault::in_tensor(reason, (Table::descriptor_at(index) + field) as u64, index)
}
