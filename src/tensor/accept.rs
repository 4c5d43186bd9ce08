//! The judge's answer, fast: yes, with the index that it took, or no. It looks at things in the order that
//! suits it, and leaves it to [`check`](super::check) to say what is wrong.

use super::check::{Checked, Input};
use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::header::Header;
use super::index::Index;
use super::place::{self, Heap, Payloads};
use super::shape::{MAX_RANK, element_count};
use super::table::Table;
use super::{heap, quant};
use crate::arch;

/// Accepts a whole buffer exactly when the judge finds nothing.
pub(crate) fn accept<'a>(input: &Input<'a>) -> Option<Checked<'a>> {
    let start = input.bytes.first_chunk::<{ Header::LEN }>()?;
    let header = Header::read(start);
    let end = accept_header(start, &header, input)?;
    let table = Table::new(input.bytes, &header)?;
    let heap_end = header.directory_bytes.checked_add(Header::LEN as u64)?;
    let padding = table.region(heap_end, header.payload_base)?;
    let index = (!arch::any_bit_set(padding, 0xff)
        && accept_descriptors(&table, &header, end)?
        && heap::is_text(&table))
    .then(|| Index::build(table.len(), |index| table.name_of(index)).ok())??;
    Some(Checked { table, index, end })
}

/// Steps 1 to 7a and 12; gives the end of the block.
fn accept_header(start: &[u8; Header::LEN], header: &Header, input: &Input<'_>) -> Option<u64> {
    let len = input.bytes.len() as u64;
    let end = header.payload_base.checked_add(header.payload_bytes)?;
    let well = start.starts_with(&Header::MAGIC)
        && header.version == Header::VERSION
        && header.flags & !Header::NAMES == Header::LITTLE_ENDIAN
        && !arch::any_bit_set(&start[Header::RESERVED_AT..], 0xff)
        && header.tensor_count <= input.limits.count
        && header.name_bytes <= input.limits.bytes
        && header.directory_bytes == place::directory_bytes(header.tensor_count, header.name_bytes)?
        && header.payload_base == place::payload_base(header.directory_bytes)?
        && if input.standalone { end == len } else { end <= len };
    well.then_some(end)
}

/// Steps 8 to 11 but for what the names say, in one pass. The offsets being the canonical ones, names and
/// payloads are inside, do not overlap, and leave no gap but the ones looked at.
fn accept_descriptors(table: &Table<'_>, header: &Header, end: u64) -> Option<bool> {
    let mut names = Heap::default();
    let mut layouts = Heap::default();
    // Where the first layout lies tells where all tensor names must end.
    let mut first_layout = None;
    let mut payloads = Payloads::new(header.payload_base);
    for (index, raw) in table.raw().iter().enumerate() {
        let descriptor = Descriptor::read(raw);
        let dtype = descriptor.element_type()?;

        let layout = layouts.place(descriptor.layout_len);
        let layout_offset = u64::from(descriptor.layout_offset);
        let layout_placed = if descriptor.layout_len == 0 {
            layout_offset == 0
        } else {
            layout_offset.checked_sub(layout) == Some(*first_layout.get_or_insert(layout_offset))
        };
        let heap_well =
            layout_placed && names.place(descriptor.name_len) == u64::from(descriptor.name_offset);

        let cursor = payloads.end();
        let offset = descriptor.byte_offset;
        let placed = payloads.place(descriptor.byte_len) == Some(offset) && payloads.end() <= end;

        let well = reserved_is_zero(raw)
            && heap_well
            && placed
            && accept_shape(dtype, &descriptor)?
            && !arch::any_bit_set(table.region(cursor, offset)?, 0xff)
            && accept_elements(dtype, &descriptor, table)?
            && accept_link(index, &descriptor, table);
        if !well {
            return Some(false);
        }
    }
    let named = names.used() > 0;
    Some(
        payloads.end() == end
            && names.used().checked_add(layouts.used())? == header.name_bytes
            && first_layout.is_none_or(|offset| offset == names.used())
            && named == (header.flags & Header::NAMES != 0),
    )
}

fn reserved_is_zero(raw: &[u8; Descriptor::LEN]) -> bool {
    !arch::any_bit_set(&raw[Descriptor::RESERVED_AT..Descriptor::NAME_OFFSET_AT], 0xff)
        && !arch::any_bit_set(&raw[Descriptor::RESERVED_WORD_AT..Descriptor::SHAPE_AT], 0xff)
}

/// The rules between dtype, layout, rank, shape and length.
fn accept_shape(dtype: Dtype, descriptor: &Descriptor) -> Option<bool> {
    let (dims, past) = descriptor.shape.split_at_checked(descriptor.rank.into())?;
    debug_assert!(dims.len() <= MAX_RANK);
    let count = element_count(dims)?;
    let opaque = dtype.is_opaque();
    let well = if opaque {
        descriptor.byte_len.checked_rem(descriptor.block_size.into())? == 0
    } else {
        descriptor.byte_len == dtype.payload_len(count)? && descriptor.block_size == 0
    };
    Some(well && (descriptor.layout_len > 0) == opaque && past.iter().all(|&slot| slot == 0))
}

/// The payload bytes that a dtype restricts.
fn accept_elements(dtype: Dtype, descriptor: &Descriptor, table: &Table<'_>) -> Option<bool> {
    if dtype == Dtype::Bool {
        return Some(!arch::any_bit_set(table.payload(descriptor)?, 0xfe));
    }
    if dtype.is_packed() && descriptor.element_count()? % 2 == 1 {
        let end = descriptor.byte_offset.checked_add(descriptor.byte_len)?;
        return Some(!arch::any_bit_set(table.region(end.checked_sub(1)?, end)?, 0xf0));
    }
    Some(true)
}

fn accept_link(index: usize, descriptor: &Descriptor, table: &Table<'_>) -> bool {
    quant::test(index as u64, descriptor, |link| table.linked(link)).is_ok()
}
