//! The text in the name heap. Chapter: Tensor directory, name heap.

use super::table::Table;
use crate::text;

/// Whether a byte goes on with a character that an earlier byte began.
#[inline(always)]
fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Whether every name is UTF-8 by itself, for names that fill the heap without gaps: then that is so exactly
/// when the heap is UTF-8 as a whole and no name begins in the middle of a character.
pub(crate) fn is_text(table: &Table<'_>) -> bool {
    text::checked(table.heap()).is_some()
        && table.iter().all(|descriptor| {
            let starts_well = |name: &[u8]| !name.first().copied().is_some_and(is_continuation);
            starts_well(table.name(&descriptor)) && starts_well(table.layout(&descriptor))
        })
}
