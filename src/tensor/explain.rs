//! What an error says beyond code and place, found out again from the bytes. Cold.

use super::descriptor::Descriptor;
use super::header::Header;
use super::place;
use super::table::Table;
use crate::error::{Fault, Reason};

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
/// they should.
pub(crate) fn name_in(block: &[u8], index: u32) -> Option<&[u8]> {
    let table = Table::new(block, &header(block)?)?;
    let descriptor = table.linked(index)?;
    let before: u64 =
        table.iter().take(usize::try_from(index).ok()?).map(|before| u64::from(before.name_len)).sum();
    (before == u64::from(descriptor.name_offset)).then(|| table.name(&descriptor))
}

/// What more an error says about a fault in the directory that begins with `block`, at `start` of the
/// caller's buffer: the tensor that the one at fault collides with, and the numbers claimed and allowed.
pub(crate) fn details(
    fault: &Fault,
    block: &[u8],
    start: usize,
    numbers: (u64, u64),
) -> (Option<u32>, (u64, u64)) {
    let header = block.first_chunk().map(Header::read).unwrap_or_default();
    let left = (block.len() as u64).saturating_sub(fault.offset().saturating_sub(start as u64));
    let numbers = match fault.reason() {
        Reason::HeaderShort => (Header::LEN as u64, left),
        Reason::TableShort => (header.directory_bytes, left),
        Reason::BlockShort => {
            let end = header.payload_base.saturating_add(header.payload_bytes);
            let directory_end = header.directory_bytes.saturating_add(Header::LEN as u64);
            (end.saturating_sub(directory_end), left)
        }
        _ => numbers,
    };
    (fault.tensor().and_then(|index| other(fault.reason(), block, index)), numbers)
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
