//! The text in the name heap. Chapter: Tensor directory, name heap.

use super::table::Table;
use crate::arch::Kernels;

/// Whether every layout name is UTF-8 by itself, for layout names that fill the heap from `start` on without gaps.
#[expect(
    clippy::cast_possible_truncation,
    reason = "names end inside the heap, and layouts begin there by 32 bits"
)]
pub(crate) fn layouts_are_text(table: &Table<'_>, start: u64) -> bool {
    let Some(text) = table.heap().get(start as usize..) else { return false };
    let starts = table.iter().filter(|descriptor| descriptor.layout_len > 0);
    let starts = starts.filter_map(|descriptor| u64::from(descriptor.layout_offset).checked_sub(start));
    text.is_empty() || Kernels::best().are_utf8(text, starts.map(|start| start as usize))
}
