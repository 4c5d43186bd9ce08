//! What an error says beyond code and place, found out again from the bytes. Cold.

use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::header::Header;
use super::place::{self, Heap, Payloads};
use super::table::Table;
use crate::arch;
use crate::error::{Error, Fault, Numbers, Reason};

fn header(block: &[u8]) -> Option<Header> {
    let header = Header::read(block.first_chunk()?);
    let agrees = place::directory_bytes(header.tensor_count, header.name_bytes)
        == Some(header.directory_bytes)
        && place::payload_base(header.directory_bytes) == Some(header.payload_base);
    agrees.then_some(header)
}

/// The length of the block that begins with `block`, by its header alone, if the header's numbers agree: so
/// that every fault inside lies before its end.
pub(crate) fn block_len(block: &[u8]) -> Option<usize> {
    let header = header(block)?;
    usize::try_from(header.payload_base.checked_add(header.payload_bytes)?).ok()
}

/// The name of tensor `index` in a block that need not be valid: the bytes in the heap, when they lie where
/// they should, which is known if they are `placed`.
pub(crate) fn name_in(block: &[u8], index: u32, placed: bool) -> Option<&[u8]> {
    let table = Table::new(block, &header(block)?)?;
    let descriptor = table.linked(index)?;
    let canonical = || expected_name_offset(&table, usize::try_from(index).ok()?);
    (placed || canonical() == Some(descriptor.name_offset.into())).then(|| table.name(&descriptor))
}

/// Where the name of a tensor would have to lie in the heap.
fn expected_name_offset(table: &Table<'_>, index: usize) -> Option<u64> {
    let mut heap = Heap::default();
    table.iter().take(index).for_each(|before| _ = heap.place(before.name_len));
    Some(heap.next(table.get(index)?.name_len))
}

/// Where the layout name of a tensor would have to lie in the heap.
fn expected_layout_offset(table: &Table<'_>, index: usize) -> Option<u64> {
    let mut heap = Heap::default();
    table.iter().for_each(|tensor| _ = heap.place(tensor.name_len));
    table.iter().take(index).for_each(|before| _ = heap.place(before.layout_len));
    Some(heap.next(table.get(index)?.layout_len))
}

/// Where the payload of a tensor would have to begin.
fn expected_payload(table: &Table<'_>, header: &Header, index: usize) -> Option<u64> {
    let mut payloads = Payloads::new(header.payload_base);
    for before in table.iter().take(index) {
        payloads.place(before.byte_len)?;
    }
    payloads.next()
}

/// How long the payloads would have to be.
fn expected_payload_bytes(table: &Table<'_>, header: &Header) -> Option<u64> {
    let mut payloads = Payloads::new(header.payload_base);
    for tensor in table.iter() {
        payloads.place(tensor.byte_len)?;
    }
    payloads.end().checked_sub(header.payload_base)
}

/// What more an error says about a fault in the directory that begins with `block`, at `start` of the
/// caller's buffer: the tensor that the one at fault collides with, and numbers.
pub(crate) fn details(fault: &Fault, block: &[u8], start: usize, numbers: Numbers) -> (Option<u32>, Numbers) {
    let at = fault.offset().saturating_sub(start as u64);
    let left = (block.len() as u64).saturating_sub(at);
    let header = block.first_chunk().map(Header::read).unwrap_or_default();
    let numbers = match fault.reason() {
        Reason::HeaderShort => Numbers::claimed(Header::LEN as u64, left),
        Reason::TableShort => Numbers::claimed(header.directory_bytes, left),
        Reason::BlockShort => {
            let end = header.payload_base.saturating_add(header.payload_bytes);
            let directory_end = header.directory_bytes.saturating_add(Header::LEN as u64);
            Numbers::claimed(end.saturating_sub(directory_end), left)
        }
        reason => match found(reason, block, at) {
            Some(found) => match expected(fault, block, &header) {
                Some(expected) => Numbers::expected(found, expected),
                None => Numbers::found(found),
            },
            None => numbers,
        },
    };
    (fault.tensor().and_then(|index| other(fault.reason(), block, index)), numbers)
}

/// The number at a fault.
fn found(reason: Reason, block: &[u8], at: u64) -> Option<u64> {
    let len = match reason {
        Reason::HeaderReserved
        | Reason::Padding
        | Reason::DescriptorReserved
        | Reason::Rank
        | Reason::Gap
        | Reason::BoolPayload
        | Reason::HighNibble
        | Reason::QuantScheme
        | Reason::QuantAxis => 1,
        Reason::Version | Reason::Flags | Reason::Dtype => 2,
        Reason::Magic
        | Reason::NameOffset
        | Reason::NameRange
        | Reason::LayoutPresence
        | Reason::BlockSize
        | Reason::LayoutOffset
        | Reason::LayoutRange
        | Reason::GroupSize
        | Reason::ScaleIndex
        | Reason::OuterIndex => 4,
        Reason::DirectoryBytes
        | Reason::PayloadBase
        | Reason::ShapeTail
        | Reason::ByteLen
        | Reason::PayloadRange
        | Reason::Placement
        | Reason::PayloadBytes => 8,
        _ => return None,
    };
    let mut number = [0; 8];
    let bytes = block.get(usize::try_from(at).ok()?..)?.get(..len)?;
    for (to, from) in number.iter_mut().zip(bytes) {
        *to = *from;
    }
    Some(u64::from_le_bytes(number))
}

/// The one number that would have to stand there, if there is one.
fn expected(fault: &Fault, block: &[u8], header: &Header) -> Option<u64> {
    match fault.reason() {
        Reason::Version => return Some(Header::VERSION.into()),
        Reason::DirectoryBytes => return place::directory_bytes(header.tensor_count, header.name_bytes),
        Reason::PayloadBase => return place::payload_base(header.directory_bytes),
        _ => {}
    }
    let table = Table::new(block, header)?;
    if fault.reason() == Reason::PayloadBytes {
        return expected_payload_bytes(&table, header);
    }
    let index = usize::try_from(fault.tensor()?).ok()?;
    let descriptor = table.get(index)?;
    match fault.reason() {
        Reason::NameOffset => expected_name_offset(&table, index),
        Reason::LayoutOffset => expected_layout_offset(&table, index),
        Reason::ByteLen => descriptor.element_type()?.payload_len(descriptor.element_count()?),
        Reason::Placement => expected_payload(&table, header, index),
        _ => None,
    }
}

/// The tensor that tensor `index` collides with.
fn other(reason: Reason, block: &[u8], index: u32) -> Option<u32> {
    let table = Table::new(block, &header(block)?)?;
    let at_fault = table.linked(index)?;
    let others = || (0u32..).zip(table.iter());
    match reason {
        Reason::NameRepeated => {
            let name = table.name(&at_fault);
            let same = |(_, descriptor): &(u32, Descriptor)| table.name(descriptor) == name;
            others().take_while(|&(at, _)| at < index).find(same).map(|(at, _)| at)
        }
        // The neighbour in front, by offset and then by index.
        Reason::Overlap => others()
            .filter(|(_, descriptor)| descriptor.byte_len > 0)
            .map(|(at, descriptor)| (descriptor.byte_offset, at))
            .filter(|&place| place < (at_fault.byte_offset, index))
            .max()
            .map(|(_, at)| at),
        _ => None,
    }
}

/// How many bytes of the block that begins with `block` were looked at before it was rejected with that error, each
/// counted once: by the fast pass, which goes through all of one tensor before the next, and by the judge.
pub(crate) fn looked_at(block: &[u8], error: &Error) -> u64 {
    let len = Header::LEN as u64;
    let Some((header, step)) = header(block).zip(error.step().filter(|&step| step > 7)) else { return len };
    let Some(table) = Table::new(block, &header) else { return len };
    let at_fault = error.tensor().and_then(|index| usize::try_from(index).ok()).unwrap_or(table.len());
    let whole = (table.len() as u64).saturating_mul(Descriptor::LEN as u64);
    // Descriptors, and names in pieces of so many descriptors.
    let (descriptors, names) = match error.reason() {
        Reason::DescriptorReserved => {
            ((at_fault as u64).saturating_add(64).saturating_mul(Descriptor::LEN as u64).min(whole), None)
        }
        Reason::NameText => (whole, Some(error.offset().saturating_sub(table.heap_at() as u64))),
        Reason::LayoutText | Reason::NameRepeated => (whole, Some(header.name_bytes)),
        _ if step > 8 => (whole, Some(header.name_bytes)),
        _ => (whole, None),
    };
    let before = || table.iter().take(at_fault & !63).map(|tensor| u64::from(tensor.name_len));
    let names = names.unwrap_or_else(|| before().fold(0, u64::saturating_add).min(header.name_bytes));
    let mut payloads = 0u64;
    for tensor in table.iter().take(at_fault.saturating_add(1)) {
        if tensor.element_type() != Some(Dtype::Bool) {
            continue;
        }
        let Some(payload) = table.payload(&tensor) else { break };
        let wrong = arch::first_bit_set(payload, 0xfe);
        payloads = payloads.saturating_add(wrong.unwrap_or(payload.len()) as u64);
        if wrong.is_some() {
            break;
        }
    }
    len.saturating_add(descriptors).saturating_add(names).saturating_add(payloads)
}
