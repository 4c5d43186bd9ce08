//! The judge's answer, fast: yes, with the index that it took, or no. It looks at things in the order that
//! suits it, and leaves it to [`check`](mod@super::check) to say what is wrong.

use super::check::{Checked, Input};
use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::header::{Header, field};
use super::index::Indexing;
use super::names::Keys;
use super::parallel::{self, Bools};
use super::place::{self, Heap, Payloads};
use super::shape::element_count;
use super::table::Table;
use super::{heap, plain, quant};
use crate::arch::{self, Kernels};
use alloc::vec::Vec;
use core::ops::Range;

/// Descriptors that are gone through before their names are looked at: with the names, what the first cache holds.
const CHUNK: usize = 64;

/// Accepts a whole buffer exactly when the judge finds nothing.
pub(crate) fn accept<'a>(input: &Input<'a>) -> Option<Checked<'a>> {
    accept_in_runs(input, None, parallel::runs)
}

/// The same in runs of descriptors: `runs` says for how many which, or nothing when they are one; and with names hashed
/// by these keys.
pub(crate) fn accept_in_runs<'a>(
    input: &Input<'a>,
    keys: Option<Keys>,
    runs: impl FnOnce(usize) -> Option<Vec<Range<usize>>>,
) -> Option<Checked<'a>> {
    let start = input.bytes.first_chunk::<{ Header::LEN }>()?;
    let header = Header::read(start);
    let end = accept_header(start, &header, input)?;
    let table = Table::new(input.bytes, &header)?;
    let heap_end = header.directory_bytes.checked_add(Header::LEN as u64)?;
    let padding = table.region(heap_end, header.payload_base)?;
    if arch::any_bit_set(padding, 0xff) {
        return None;
    }
    let index = match runs(table.len()) {
        None => {
            let mut run = Run::new(table, 0..table.len(), header.payload_base, keys);
            run.accept()?;
            make_the_block(&table, core::slice::from_ref(&run), end, &header)?;
            Indexing::finish(&mut [run.indexing], &|index| table.name_of(index))?
        }
        Some(ranges) => {
            let keys = keys.unwrap_or_else(Keys::random);
            let run = |range: Range<usize>| {
                let payloads = Run::first_payload(&table, range.start, &header)?;
                let mut run = Run::new(table, range, payloads, Some(keys.clone()));
                run.accept()?;
                Some(run)
            };
            let runs = parallel::try_map(ranges, |range| run(range).ok_or(())).ok()?;
            make_the_block(&table, &runs, end, &header)?;
            let mut parts: Vec<Indexing> = runs.into_iter().map(|run| run.indexing).collect();
            Indexing::finish(&mut parts, &|index| table.name_of(index))?
        }
    };
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

/// Steps 8 to 11 in one pass over consecutive descriptors. The offsets being the canonical ones, names and payloads
/// are inside, do not overlap, and leave no gap but the ones looked at.
///
/// A run that is not the first one believes what its first descriptors say about where names and payloads have got to.
/// That is compared with what the run before it has found out, when all are done.
struct Run<'a> {
    table: Table<'a>,
    range: Range<usize>,
    names: Span,
    payloads: Span,
    layouts: Heap,
    /// Where the first layout lies tells where all tensor names must end.
    first_layout: Option<u64>,
    bools: Bools<'a>,
    indexing: Indexing,
}

/// From where to where something goes that lies without gaps.
#[derive(Clone, Copy)]
struct Span {
    start: u64,
    end: u64,
}

impl<'a> Run<'a> {
    /// The descriptors of that range, whose payloads begin at `payloads`.
    fn new(table: Table<'a>, range: Range<usize>, payloads: u64, keys: Option<Keys>) -> Self {
        let names = if range.start == 0 { 0 } else { first_name(&table, range.clone()) };
        Run {
            table,
            names: Span { start: names, end: names },
            payloads: Span { start: payloads, end: payloads },
            layouts: Heap::default(),
            first_layout: None,
            bools: Bools::default(),
            indexing: Indexing::new(table.len(), range.clone(), keys),
            range,
        }
    }

    /// Where the payload of a run's first descriptor begins, by what it says.
    fn first_payload(table: &Table<'a>, index: usize, header: &Header) -> Option<u64> {
        Some(if index == 0 { header.payload_base } else { table.get(index)?.byte_offset })
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "counts descriptors of a slice and bytes of names, 64 lengths of 32 bits at a time"
    )]
    fn accept(&mut self) -> Option<()> {
        let table = self.table;
        let name = |index| table.name_of(index);
        let mut index = self.range.start;
        for chunk in table.raw().get(self.range.clone())?.chunks(CHUNK) {
            let text = self.take(index, chunk)?;
            index += chunk.len();
            let mut end = 0;
            let starts = chunk.iter().map(|raw| {
                end += half(raw, Descriptor::NAME_LEN_AT) as usize;
                end
            });
            if !Kernels::best().are_utf8(text, starts) {
                return None;
            }
            // While the names are hashed, what comes next is on its way.
            let (next, heap) = table.after(index, self.names.end);
            let mut next = next.iter().zip(heap.chunks(64));
            let names = split(text, chunk).inspect(move |_| {
                if let Some((raw, name)) = next.next() {
                    arch::prefetch(&raw[..64]);
                    arch::prefetch(&raw[64..]);
                    arch::prefetch(name);
                }
            });
            self.indexing.take(names, &name);
        }
        core::mem::take(&mut self.bools).finish().then_some(())
    }

    /// Goes through the next descriptors, and gives their names, one after another.
    fn take(&mut self, index: usize, descriptors: &[[u8; Descriptor::LEN]]) -> Option<&'a [u8]> {
        let mut names = Heap::new(self.names.end);
        let mut payloads = Payloads::new(self.payloads.end);
        let mut misplaced = 0;
        for raw in descriptors {
            let name_offset = names.place(half(raw, Descriptor::NAME_LEN_AT));
            misplaced |= name_offset ^ u64::from(half(raw, Descriptor::NAME_OFFSET_AT));
            let cursor = payloads.end();
            let offset = word(raw, Descriptor::BYTE_OFFSET_AT);
            misplaced |= payloads.place(word(raw, Descriptor::BYTE_LEN_AT))? ^ offset;
            if cursor != offset && !self.is_gap(cursor, offset)? {
                return None;
            }
        }
        if misplaced != 0 {
            return None;
        }
        if !Kernels::best().are_plain(descriptors) {
            for (raw, index) in descriptors.iter().zip(index..) {
                if !(plain::oddity(raw) == 0 || self.accept_any(index, raw)?) {
                    return None;
                }
            }
        }
        let text = self.table.names(self.names.end, names.used());
        (self.names.end, self.payloads.end) = (names.used(), payloads.end());
        text
    }

    /// Whether there are only zeros, and no more than a payload is aligned by.
    fn is_gap(&self, start: u64, end: u64) -> Option<bool> {
        let is_short = end.checked_sub(start)? < place::ALIGNMENT;
        Some(is_short && !arch::any_bit_set(self.table.region(start, end)?, 0xff))
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
}

/// The names of these tensors, which lie one after another in `text`.
fn split<'a>(
    mut text: &'a [u8],
    descriptors: &[[u8; Descriptor::LEN]],
) -> impl Iterator<Item = &'a [u8]> + Clone {
    descriptors.iter().map(move |raw| {
        let len = half(raw, Descriptor::NAME_LEN_AT) as usize;
        let (name, rest) = text.split_at_checked(len).unwrap_or_default();
        text = rest;
        name
    })
}

/// Where the first name of those tensors lies, by what its descriptor says.
fn first_name(table: &Table<'_>, range: Range<usize>) -> u64 {
    let named = range.filter_map(|index| table.get(index)).find(|descriptor| descriptor.name_len > 0);
    named.map_or(0, |descriptor| descriptor.name_offset.into())
}

/// Whether the runs, one after another, are what the header says.
fn make_the_block(table: &Table<'_>, runs: &[Run<'_>], end: u64, header: &Header) -> Option<()> {
    let (mut names, mut layouts, mut first_layout) = (0, 0u64, None);
    let mut payloads = Payloads::new(header.payload_base);
    for run in runs {
        if run.names.end > run.names.start {
            if run.names.start != names {
                return None;
            }
            names = run.names.end;
        }
        if !run.range.is_empty() {
            if payloads.next()? != run.payloads.start || !run.is_gap(payloads.end(), run.payloads.start)? {
                return None;
            }
            payloads = Payloads::new(run.payloads.end);
        }
        if let Some(first) = run.first_layout {
            if first.checked_sub(layouts) != Some(*first_layout.get_or_insert(first)) {
                return None;
            }
            layouts = layouts.checked_add(run.layouts.used())?;
        }
    }
    let well = payloads.end() == end
        && names.checked_add(layouts)? == header.name_bytes
        && first_layout.is_none_or(|offset| offset == names)
        && (names > 0) == (header.flags & Header::NAMES != 0)
        && heap::layouts_are_text(table, names);
    well.then_some(())
}

#[inline(always)]
fn half(raw: &[u8; Descriptor::LEN], at: usize) -> u32 {
    u32::from_le_bytes(field(raw, at))
}

#[inline(always)]
fn word(raw: &[u8; Descriptor::LEN], at: usize) -> u64 {
    u64::from_le_bytes(field(raw, at))
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
