//! `kiln inspect`

mod table;

use crate::Outcome;
use crate::caps::Caps;
use crate::input::{self, Input};
use crate::output::{self, Failure, json_error, json_path, reject, show, size};
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown::{self, Lines};
use kiln::Limits;
use kiln::tensor::{Directory, Tensor};
use regex_lite::Regex;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
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
    /// Show names and layouts of any length whole, instead of cutting out the middle of those above 64 columns
    #[arg(long)]
    wide: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "wide")]
    json: bool,
    #[command(flatten)]
    caps: Caps,
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
    distinct([Named::read("PATH", &args.path), Named::printed()])?;
    let bytes = Input::open_directory(&args.path, &args.input, &args.caps)?;
    // Whoever looks into a file wants to see it, however large it is; what it claims is still checked.
    let directory = match Directory::read_with(&bytes, &args.caps.limits_or(&Limits::NONE)) {
        Ok(directory) => directory,
        Err(error) => {
            let described = error.describe(&bytes);
            if args.json {
                let (hint, option) = recognise::hint_or_option(error.reason(), &bytes, &Reads::Directory);
                let facts = serde_json::json!({
                    "path": json_path(&args.path), "accepted": false,
                    "error": json_error(&error, &described), "hint": hint, "option": option,
                });
                shown::print(|out| Ok(out.json(&facts)?))?;
                return Ok(Outcome::Rejected);
            }
            let advice = recognise::advice(&error, &bytes, &Reads::Directory);
            return Ok(reject(&args.path, format_args!("{described}{advice}")));
        }
    };
    let chosen = Chosen::of(&directory, args);
    shown::print(|out| match args.json {
        true => Ok(out.json(&facts(args, &chosen))?),
        false => print_text(args, &chosen, out),
    })?;
    Ok(Outcome::Accepted)
}

/// The tensors to be shown, in order. Rows of them are made one after another, as they are printed.
struct Chosen<'a> {
    directory: &'a Directory<'a>,
    indices: Vec<usize>,
}

impl<'a> Chosen<'a> {
    fn of(directory: &'a Directory<'a>, args: &Args) -> Self {
        let wanted = |tensor: &Tensor<'_>| {
            args.grep.as_ref().is_none_or(|pattern| pattern.is_match(tensor.name().unwrap_or_default()))
        };
        let numbered = (0..).zip(directory.iter());
        let mut indices: Vec<usize> =
            numbered.filter(|(_, tensor)| wanted(tensor)).map(|(index, _)| index).collect();
        let tensor = |&index: &usize| directory.get(index);
        match args.sort.unwrap_or(Column::Index) {
            Column::Index => {}
            Column::Name => indices.sort_by_key(|index| tensor(index).and_then(|tensor| tensor.name())),
            Column::Dtype => indices.sort_by_key(|index| tensor(index).map(|tensor| tensor.dtype().code())),
            Column::Bytes => {
                indices
                    .sort_by_key(|index| std::cmp::Reverse(tensor(index).map(|tensor| tensor.bytes().len())));
            }
            Column::Offset => indices.sort_by_key(|index| tensor(index).map(|tensor| tensor.byte_offset())),
        }
        Chosen { directory, indices }
    }

    fn tensors(&self) -> impl Iterator<Item = Tensor<'a>> {
        self.indices.iter().filter_map(|&index| self.directory.get(index))
    }

    /// Tensors and bytes of each dtype.
    #[expect(clippy::arithmetic_side_effects, reason = "counts tensors and bytes of a block in memory")]
    fn totals(&self) -> BTreeMap<u16, Total> {
        let mut totals = BTreeMap::new();
        for tensor in self.tensors() {
            let name = || tensor.dtype().to_string();
            let total = totals.entry(tensor.dtype().code()).or_insert_with(|| Total {
                name: name(),
                tensors: 0,
                bytes: 0,
            });
            total.tensors += 1;
            total.bytes += tensor.bytes().len() as u64;
        }
        totals
    }
}

#[derive(Serialize)]
struct Total {
    #[serde(skip)]
    name: String,
    tensors: u64,
    bytes: u64,
}

#[expect(clippy::arithmetic_side_effects, reason = "the overhead is a part of the block")]
fn print_text(args: &Args, chosen: &Chosen<'_>, out: &mut Lines) -> Result<(), Failure> {
    let directory = chosen.directory;
    let block = directory.as_bytes().len() as u64;
    let overhead = directory.overhead();
    let payload = block - overhead;
    let base = directory.header().payload_base;
    out.text(format_args!("{}: tensor directory, version 2", show(&args.path)))?;
    out.text(format_args!("tensors   {}", directory.len()))?;
    out.text(format_args!("bytes     {block} ({})", size(block)))?;
    out.text(format_args!("payloads  {payload} ({}), from {base:#x}", size(payload)))?;
    out.text(format_args!("overhead  {overhead} ({}): header, descriptors, names, padding", size(overhead)))?;
    if !chosen.indices.is_empty() {
        out.text("")?;
        table::print(chosen, args.wide, out)?;
    }
    out.text("")?;
    for Total { name, tensors, bytes } in chosen.totals().values() {
        out.text(format_args!("{name:<9} {}, {}", output::tensors(*tensors), size(*bytes)))?;
    }
    if chosen.indices.len() < directory.len() {
        out.text(format_args!("{} of {} tensors shown", chosen.indices.len(), directory.len()))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Facts<'a> {
    path: serde_json::Value,
    accepted: bool,
    version: u16,
    tensor_count: usize,
    bytes: u64,
    payload_base: u64,
    payload_bytes: u64,
    overhead_bytes: u64,
    #[serde(serialize_with = "by_name")]
    dtypes: BTreeMap<u16, Total>,
    #[serde(serialize_with = "rows")]
    tensors: &'a Chosen<'a>,
}

#[derive(Serialize)]
struct Row<'a> {
    index: usize,
    name: Option<&'a str>,
    dtype: String,
    shape: Vec<u64>,
    bytes: usize,
    offset: u64,
    layout: Option<Layout<'a>>,
    quantization: Option<Quantization>,
}

#[derive(Serialize)]
struct Layout<'a> {
    name: &'a str,
    block_size: u32,
}

#[derive(Serialize)]
struct Quantization {
    axis: usize,
    group_size: u32,
    scale_index: usize,
    outer_index: Option<usize>,
}

#[expect(clippy::arithmetic_side_effects, reason = "the overhead is a part of the block")]
fn facts<'a>(args: &Args, chosen: &'a Chosen<'a>) -> Facts<'a> {
    let directory = chosen.directory;
    let block = directory.as_bytes().len() as u64;
    let overhead = directory.overhead();
    Facts {
        path: json_path(&args.path),
        accepted: true,
        version: 2,
        tensor_count: directory.len(),
        bytes: block,
        payload_base: directory.header().payload_base,
        payload_bytes: block - overhead,
        overhead_bytes: overhead,
        dtypes: chosen.totals(),
        tensors: chosen,
    }
}

fn by_name<S: Serializer>(totals: &BTreeMap<u16, Total>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(totals.values().map(|total| (&total.name, total)))
}

fn rows<S: Serializer>(chosen: &Chosen<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(chosen.tensors().map(row))
}

fn row(tensor: Tensor<'_>) -> Row<'_> {
    Row {
        index: tensor.index(),
        name: tensor.name(),
        dtype: tensor.dtype().to_string(),
        shape: tensor.shape().to_vec(),
        bytes: tensor.bytes().len(),
        offset: tensor.byte_offset(),
        layout: tensor.layout().map(|layout| Layout { name: layout.name, block_size: layout.block_size }),
        quantization: tensor.quantization().map(|link| Quantization {
            axis: link.axis,
            group_size: link.group_size,
            scale_index: link.scale.index(),
            outer_index: link.outer.map(|outer| outer.index()),
        }),
    }
}
