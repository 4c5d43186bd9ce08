//! The judge's answer, fast: yes, with the index that it took, or no. It looks at things in the order that
//! suits it, and leaves it to [`check`](mod@super::check) to say what is wrong.

use super::check::{Checked, Input};
use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::header::{Header, field};
use super::index::Indexing;
use super::parallel::Bools;
use super::place::{self, Heap, Payloads};
use super::shape::{MAX_RANK, element_count};
use super::table::Table;
use super::{heap, quant};
use crate::arch;

/// Descriptors that are gone through before their names are looked at: with the names, what the first cache holds.
const CHUNK: usize = 64;

/// Accepts a whole buffer exactly when the judge finds nothing.
pub(crate) fn accept<'a>(input: &Input<'a>) -> Option<Checked<'a>> {
    let start = input.bytes.first_chunk::<{ Header::LEN }>()?;
    let header = Header::read(start);
    let end = accept_header(start, &header, input)?;
    let table = Table::new(input.bytes, &header)?;
    let heap_end = header.directory_bytes.checked_add(Header::LEN as u64)?;
    let padding = table.region(heap_end, header.payload_base)?;
    if arch::any_bit_set(padding, 0xff) {
        return None;
    }

    let name = |index| table.name_of(index);
    let mut sweep = Sweep::new(&table, &header);
    let mut indexing = Indexing::new(table.len());
    let mut ascii = true;
    let mut heap = table.heap();
    for chunk in table.raw().chunks(CHUNK) {
        let names = sweep.take(chunk)?;
        let (text, rest) = heap.split_at_checked(usize::try_from(names).ok()?)?;
        (ascii, heap) = (ascii && !arch::any_bit_set(text, 0x80), rest);
        indexing.upto(sweep.index, &name);
    }
    // Layout names are what is left.
    ascii = ascii && !arch::any_bit_set(heap, 0x80);
    let well = sweep.ends_at(end, &header)? && (ascii || heap::is_text(&table));
    let index = (well && sweep.bools.finish()).then(|| indexing.finish(&name))??;
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

/// Steps 8 to 11 but for what the names say, in one pass over the descriptors. The offsets being the canonical
/// ones, names and payloads are inside, do not overlap, and leave no gap but the ones looked at.
struct Sweep<'t, 'a> {
    table: &'t Table<'a>,
    index: usize,
    names: Heap,
    layouts: Heap,
    /// Where the first layout lies tells where all tensor names must end.
    first_layout: Option<u64>,
    payloads: Payloads,
    bools: Bools<'a>,
}

impl<'t, 'a> Sweep<'t, 'a> {
    fn new(table: &'t Table<'a>, header: &Header) -> Self {
        Sweep {
            table,
            index: 0,
            names: Heap::default(),
            layouts: Heap::default(),
            first_layout: None,
            payloads: Payloads::new(header.payload_base),
            bools: Bools::default(),
        }
    }

    /// Goes through the next descriptors, and gives the bytes that their names take.
    fn take(&mut self, descriptors: &[[u8; Descriptor::LEN]]) -> Option<u64> {
        let (mut names, mut payloads) = (self.names, self.payloads);
        for (raw, index) in descriptors.iter().zip(self.index..) {
            let half = |at| u32::from_le_bytes(field(raw, at));
            let name_offset = names.place(half(Descriptor::NAME_LEN_AT));
            let cursor = payloads.end();
            let offset = word(raw, Descriptor::BYTE_OFFSET_AT);
            let len = word(raw, Descriptor::BYTE_LEN_AT);
            let placed = name_offset == u64::from(half(Descriptor::NAME_OFFSET_AT))
                && payloads.place(len)? == offset
                && (cursor == offset || !arch::any_bit_set(self.table.region(cursor, offset)?, 0xff));
            if !(placed && (plain_len(raw) == Some(len) || self.accept_any(index, raw)?)) {
                return None;
            }
        }
        let text = names.used() - self.names.used();
        (self.names, self.payloads, self.index) = (names, payloads, self.index + descriptors.len());
        Some(text)
    }

    /// A descriptor of any kind, but for name and placement.
    #[inline(never)]
    fn accept_any(&mut self, index: usize, raw: &[u8; Descriptor::LEN]) -> Option<bool> {
        let descriptor = Descriptor::read(raw);
        let dtype = descriptor.element_type()?;

        let layout = self.layouts.place(descriptor.layout_len);
        let layout_offset = u64::from(descriptor.layout_offset);
        let layout_placed = if descriptor.layout_len == 0 {
            layout_offset == 0
        } else {
            layout_offset.checked_sub(layout) == Some(*self.first_layout.get_or_insert(layout_offset))
        };

        let well = reserved_is_zero(raw)
            && layout_placed
            && accept_shape(dtype, &descriptor)?
            && self.accept_elements(dtype, &descriptor)?
            && quant::test(index as u64, &descriptor, |link| self.table.linked(link)).is_ok();
        Some(well)
    }

    /// The payload bytes that a dtype restricts.
    fn accept_elements(&mut self, dtype: Dtype, descriptor: &Descriptor) -> Option<bool> {
        if dtype == Dtype::Bool {
            return Some(self.bools.take(self.table.payload(descriptor)?));
        }
        if dtype.is_packed() && descriptor.element_count()? % 2 == 1 {
            let end = descriptor.byte_offset.checked_add(descriptor.byte_len)?;
            return Some(!arch::any_bit_set(self.table.region(end.checked_sub(1)?, end)?, 0xf0));
        }
        Some(true)
    }

    /// Whether what was gone through makes the whole block.
    fn ends_at(&self, end: u64, header: &Header) -> Option<bool> {
        let names = self.names.used();
        Some(
            self.payloads.end() == end
                && names.checked_add(self.layouts.used())? == header.name_bytes
                && self.first_layout.is_none_or(|offset| offset == names)
                && (names > 0) == (header.flags & Header::NAMES != 0),
        )
    }
}

#[inline(always)]
fn word(raw: &[u8; Descriptor::LEN], at: usize) -> u64 {
    u64::from_le_bytes(field(raw, at))
}

/// The payload length that follows from the descriptor of a plain tensor, as nearly all are: without layout or link,
/// of at most four dimensions, of elements that may have any value. Such a descriptor is well as far as it is
/// placed well. Nothing for any other one.
#[inline(always)]
fn plain_len(raw: &[u8; Descriptor::LEN]) -> Option<u64> {
    /// The dimensions that are looked at one by one.
    const DIMS: usize = 4;
    /// By rank, what has to be 0 in each slot.
    const PAST: [[u64; DIMS]; DIMS + 1] = {
        let mut past = [[0; DIMS]; DIMS + 1];
        let mut slot = 0;
        while slot < DIMS {
            let mut rank = 0;
            while rank <= slot {
                past[rank][slot] = u64::MAX;
                rank += 1;
            }
            slot += 1;
        }
        past
    };

    let start = word(raw, Descriptor::DTYPE_AT);
    let (code, rank) = (start as u16, (start >> (8 * Descriptor::RANK_AT)) as u8);
    let width = Dtype::width_if_plain(code)?;
    let past = PAST.get(usize::from(rank))?;
    // Scheme, axis and the first reserved bytes; layout; block and group size; links; the other reserved bytes.
    let mut unused = start >> (8 * Descriptor::QUANT_SCHEME_AT)
        | word(raw, Descriptor::LAYOUT_OFFSET_AT)
        | word(raw, Descriptor::BLOCK_SIZE_AT)
        | word(raw, Descriptor::SCALE_INDEX_AT)
        | word(raw, Descriptor::RESERVED_WORD_AT);
    let mut len = width;
    let mut overflow = 0;
    for (slot, past) in past.iter().enumerate() {
        let dim = word(raw, Descriptor::SHAPE_AT + 8 * slot);
        unused |= dim & past;
        let product = u128::from(len) * u128::from(dim | past & 1);
        (len, overflow) = (product as u64, overflow | (product >> 64) as u64);
    }
    for slot in DIMS..MAX_RANK {
        unused |= word(raw, Descriptor::SHAPE_AT + 8 * slot);
    }
    (unused | overflow == 0).then_some(len)
}

fn reserved_is_zero(raw: &[u8; Descriptor::LEN]) -> bool {
    !arch::any_bit_set(&raw[Descriptor::RESERVED_AT..Descriptor::NAME_OFFSET_AT], 0xff)
        && !arch::any_bit_set(&raw[Descriptor::RESERVED_WORD_AT..Descriptor::SHAPE_AT], 0xff)
}

/// The rules between dtype, layout, rank, shape and length.
fn accept_shape(dtype: Dtype, descriptor: &Descriptor) -> Option<bool> {
    let (dims, past) = descriptor.shape.split_at_checked(descriptor.rank.into())?;
    let count = element_count(dims)?;
    let opaque = dtype.is_opaque();
    let well = if opaque {
        descriptor.byte_len.checked_rem(descriptor.block_size.into())? == 0
    } else {
        descriptor.byte_len == dtype.payload_len(count)? && descriptor.block_size == 0
    };
    Some(well && (descriptor.layout_len > 0) == opaque && past.iter().all(|&slot| slot == 0))
}
