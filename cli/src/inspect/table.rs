//! The table of tensors: one pass for the widths of its columns, and one that prints row after row.

use super::Chosen;
use crate::output::Failure;
use crate::shown::{Lines, WIDEST, cut};
use kiln::escape;
use kiln::tensor::Tensor;
use unicode_width::UnicodeWidthStr;

const COLUMNS: usize = 7;

/// A column, and whether it is numbers, which stand at the right.
const HEAD: [(&str, bool); COLUMNS] = [
    ("index", true),
    ("name", false),
    ("dtype", false),
    ("shape", false),
    ("bytes", true),
    ("offset", true),
    ("link or layout", false),
];

pub(super) fn print(chosen: &Chosen<'_>, wide: bool, out: &mut Lines) -> Result<(), Failure> {
    let mut widths = HEAD.map(|(name, _)| name.width());
    for tensor in chosen.tensors() {
        for (width, cell) in widths.iter_mut().zip(cells(&tensor, cut)) {
            // What is shown whole sticks out of its column instead of widening it for all rows.
            *width = cell.width().min(WIDEST).max(*width);
        }
    }
    out.text(line(&HEAD.map(|(name, _)| name.to_owned()), &widths))?;
    let shorten = if wide { |name: &[u8]| escape(name).to_string() } else { cut };
    for tensor in chosen.tensors() {
        out.text(line(&cells(&tensor, shorten), &widths))?;
    }
    Ok(())
}

/// What stands in the row of a tensor. Names are escaped, and cut unless they are wanted whole.
fn cells(tensor: &Tensor<'_>, shorten: fn(&[u8]) -> String) -> [String; COLUMNS] {
    [
        tensor.index().to_string(),
        tensor.name().map_or(String::new(), |name| shorten(name.as_bytes())),
        tensor.dtype().to_string(),
        tensor.shape().to_string(),
        tensor.bytes().len().to_string(),
        format!("{:#x}", tensor.byte_offset()),
        notes(tensor, shorten),
    ]
}

/// The link of a quantized tensor or the layout of an opaque one.
fn notes(tensor: &Tensor<'_>, shorten: fn(&[u8]) -> String) -> String {
    if let Some(link) = tensor.quantization() {
        let outer = link.outer.map_or(String::new(), |outer| format!(", outer {}", outer.index()));
        let (axis, group_size, scale) = (link.axis, link.group_size, link.scale.index());
        return format!("scale {scale}{outer}, axis {axis} in groups of {group_size}");
    }
    tensor.layout().map_or(String::new(), |layout| {
        format!("{} in blocks of {}", shorten(layout.name.as_bytes()), layout.block_size)
    })
}

/// Cells in their columns, two spaces apart, with nothing behind the last.
fn line(cells: &[String; COLUMNS], widths: &[usize; COLUMNS]) -> String {
    let mut line = String::new();
    for ((cell, &width), (_, right)) in cells.iter().zip(widths).zip(HEAD) {
        let missing = " ".repeat(width.saturating_sub(cell.width()));
        let (before, behind) = if right { (missing.as_str(), "") } else { ("", missing.as_str()) };
        line.extend([before, cell, behind, "  "]);
    }
    line.truncate(line.trim_end().len());
    line
}
