//! `kiln inspect`

use crate::Outcome;
use crate::input::{self, Input};
use crate::output::{self, Failure, json_error, json_path, show, size};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use kiln::tensor::{Directory, Tensor};
use kiln::{Limits, escape};
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Show what a directory holds: header facts, a table of its tensors, totals by dtype
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for standard input
    path: PathBuf,
    /// Order the tensors by this column (index if not given)
    #[arg(long, value_enum, value_name = "COLUMN")]
    sort: Option<Column>,
    /// Show only the tensors whose name matches this regular expression
    #[arg(long, value_name = "PATTERN")]
    grep: Option<Regex>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: input::Options,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Column {
    Index,
    Name,
    Dtype,
    /// Largest first
    Bytes,
    Offset,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let bytes = Input::open(&args.path, &args.input)?;
    // Whoever looks into a file wants to see it, however large it is; what it claims is still checked.
    let directory = match Directory::read_with(&bytes, &Limits::NONE) {
        Ok(directory) => directory,
        Err(error) => {
            let described = error.describe(&bytes);
            if args.json {
                let facts = serde_json::json!({
                    "path": json_path(&args.path), "accepted": false,
                    "error": json_error(&error, &described), "hint": input::hint(&bytes, error.offset()),
                });
                writeln!(stdout(), "{facts}")?;
            } else {
                let hint = input::hint_text(&bytes, error.offset());
                eprintln!("kiln: {}: {described}{hint}", show(&args.path));
            }
            return Ok(Outcome::Rejected);
        }
    };
    let mut tensors: Vec<Tensor<'_>> = directory.iter().filter(|tensor| wanted(tensor, args)).collect();
    match args.sort.unwrap_or(Column::Index) {
        Column::Index => {}
        Column::Name => tensors.sort_by_key(Tensor::name),
        Column::Dtype => tensors.sort_by_key(|tensor| tensor.dtype().code()),
        Column::Bytes => tensors.sort_by_key(|tensor| std::cmp::Reverse(tensor.bytes().len())),
        Column::Offset => tensors.sort_by_key(Tensor::byte_offset),
    }
    if args.json { print_json(args, &directory, &tensors) } else { print_text(args, &directory, &tensors) }
}

fn wanted(tensor: &Tensor<'_>, args: &Args) -> bool {
    args.grep.as_ref().is_none_or(|pattern| pattern.is_match(tensor.name().unwrap_or_default()))
}

/// Tensors and bytes of each dtype.
#[expect(clippy::arithmetic_side_effects, reason = "counts tensors and bytes of a block in memory")]
fn totals<'a>(tensors: &[Tensor<'a>]) -> BTreeMap<u16, (String, u64, u64)> {
    let mut totals = BTreeMap::new();
    for tensor in tensors {
        let total = totals.entry(tensor.dtype().code()).or_insert_with(|| (tensor.dtype().to_string(), 0, 0));
        total.1 += 1;
        total.2 += tensor.bytes().len() as u64;
    }
    totals
}

/// The link of a quantized tensor or the layout of an opaque one.
fn notes(tensor: &Tensor<'_>) -> String {
    if let Some(link) = tensor.quantization() {
        let outer = link.outer.map_or(String::new(), |outer| format!(", outer {}", outer.index()));
        let (axis, group_size, scale) = (link.axis, link.group_size, link.scale.index());
        return format!("scale {scale}{outer}, axis {axis} in groups of {group_size}");
    }
    tensor.layout().map_or(String::new(), |layout| {
        format!("{} in blocks of {}", escape(layout.name.as_bytes()), layout.block_size)
    })
}

#[expect(clippy::arithmetic_side_effects, reason = "the overhead is a part of the block")]
fn print_text(args: &Args, directory: &Directory<'_>, tensors: &[Tensor<'_>]) -> Result<Outcome, Failure> {
    let mut out = stdout().lock();
    let block = directory.as_bytes().len() as u64;
    let overhead = directory.overhead();
    let payload = block - overhead;
    writeln!(out, "{}: tensor directory, version 2", show(&args.path))?;
    writeln!(out, "tensors   {}", directory.len())?;
    writeln!(out, "bytes     {block} ({})", size(block))?;
    writeln!(out, "payloads  {payload} ({}), from {:#x}", size(payload), directory.header().payload_base)?;
    writeln!(out, "overhead  {} ({}): header, descriptors, names, padding", overhead, size(overhead))?;
    if !tensors.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", table(tensors).trim_fmt())?;
    }
    writeln!(out)?;
    for (name, count, bytes) in totals(tensors).values() {
        writeln!(out, "{name:<9} {}, {}", output::tensors(*count), size(*bytes))?;
    }
    if tensors.len() < directory.len() {
        writeln!(out, "{} of {} tensors shown", tensors.len(), directory.len())?;
    }
    Ok(Outcome::Accepted)
}

fn table(tensors: &[Tensor<'_>]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["index", "name", "dtype", "shape", "bytes", "offset", "link or layout"]);
    for tensor in tensors {
        table.add_row([
            tensor.index().to_string(),
            tensor.name().map_or(String::new(), |name| escape(name.as_bytes()).to_string()),
            tensor.dtype().to_string(),
            tensor.shape().to_string(),
            tensor.bytes().len().to_string(),
            format!("{:#x}", tensor.byte_offset()),
            notes(tensor),
        ]);
    }
    for column in [0, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[expect(clippy::arithmetic_side_effects, reason = "the overhead is a part of the block")]
fn print_json(args: &Args, directory: &Directory<'_>, tensors: &[Tensor<'_>]) -> Result<Outcome, Failure> {
    let block = directory.as_bytes().len() as u64;
    let overhead = directory.overhead();
    let rows: Vec<serde_json::Value> = tensors
        .iter()
        .map(|tensor| {
            serde_json::json!({
                "index": tensor.index(),
                "name": tensor.name(),
                "dtype": tensor.dtype().to_string(),
                "shape": tensor.shape().to_vec(),
                "bytes": tensor.bytes().len(),
                "offset": tensor.byte_offset(),
                "layout": tensor.layout().map(|layout| serde_json::json!({
                    "name": layout.name,
                    "block_size": layout.block_size,
                })),
                "quantization": tensor.quantization().map(|link| serde_json::json!({
                    "axis": link.axis,
                    "group_size": link.group_size,
                    "scale_index": link.scale.index(),
                    "outer_index": link.outer.map(|outer| outer.index()),
                })),
            })
        })
        .collect();
    let dtypes: serde_json::Map<String, serde_json::Value> = totals(tensors)
        .into_values()
        .map(|(name, count, bytes)| (name, serde_json::json!({"tensors": count, "bytes": bytes})))
        .collect();
    let facts = serde_json::json!({
        "path": json_path(&args.path),
        "accepted": true,
        "version": 2,
        "tensor_count": directory.len(),
        "bytes": block,
        "payload_base": directory.header().payload_base,
        "payload_bytes": block - overhead,
        "overhead_bytes": overhead,
        "dtypes": dtypes,
        "tensors": rows,
    });
    writeln!(stdout(), "{facts}")?;
    Ok(Outcome::Accepted)
}
