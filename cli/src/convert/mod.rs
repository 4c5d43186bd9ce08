//! `kiln convert`

mod safetensors;

use crate::Outcome;
use crate::caps::{self, Caps};
use crate::input::{self, Input, is_stream, read_stream};
use crate::output::{Failure, Output, Unwritten, reject, show};
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown::{Passed, say};
use crate::types;
use kiln::tensor::{Builder, Directory};
use kiln::{Limits, Reason};
use safetensors::{Metadata, Safetensors, from_safetensors, read_metadata};
use std::convert::Infallible;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Convert safetensors to kiln and back, keeping order, names, shapes and bytes
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file to read; its ending says what it is (.safetensors, .kiln), or --from does
    #[arg(value_name = "IN")]
    source: PathBuf,
    /// The file to write, whole or not at all; its ending says what it becomes, or --to does
    #[arg(value_name = "OUT")]
    target: PathBuf,
    /// What IN is
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// What OUT becomes
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// The metadata map of a safetensors file, which Kiln has no place for: written to this file, or read
    /// from it on the way back
    #[arg(long, value_name = "FILE.json")]
    metadata: Option<PathBuf>,
    /// Carry tensors whose dtype Kiln has not, such as C64, as bytes that it does not look into: opaque, with the
    /// dtype in the name of the layout. The way back makes of them what they were
    #[arg(long)]
    as_bytes: bool,
    #[command(flatten)]
    caps: Caps,
    #[command(flatten)]
    input: input::Options,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Safetensors,
    Kiln,
}

impl Format {
    fn of(path: &Path, told: Option<Format>, option: &str) -> Result<Format, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match (told, ending) {
            (Some(format), _) => Ok(format),
            (None, Some("safetensors")) => Ok(Format::Safetensors),
            (None, Some("kiln")) => Ok(Format::Kiln),
            _ => Err(Failure::at(
                path,
                format_args!("not a .safetensors or .kiln name; say what it is by {option}"),
            )),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let from = Format::of(&args.source, args.from, "--from")?;
    let to = Format::of(&args.target, args.to, "--to")?;
    if from == to {
        return Err(Failure::new("IN and OUT are of the same format; there is nothing to convert"));
    }
    let metadata = args.metadata.as_deref().map(|path| match from {
        Format::Safetensors => Named::write("--metadata", path),
        Format::Kiln => Named::read("--metadata", path),
    });
    let paths = [Named::read("IN", &args.source), Named::write("OUT", &args.target)];
    distinct(paths.into_iter().chain(metadata))?;
    match from {
        Format::Safetensors => to_kiln(args),
        Format::Kiln => to_safetensors(args),
    }
}

fn to_kiln(args: &Args) -> Result<Outcome, Failure> {
    let bytes = Input::open(&args.source, &args.input, &args.caps)?;
    let (builder, metadata) = match from_safetensors(&bytes, args.as_bytes) {
        Ok(read) => read,
        Err(refusal) => {
            let hint = if refusal.is_other {
                recognise::aside(&bytes, &Reads::Source(recognise::Format::Safetensors))
            } else {
                String::new()
            };
            return Ok(reject(&args.source, format_args!("{refusal}{hint}")));
        }
    };
    if let Err(why) = within(&builder, &args.caps.limits()) {
        return Ok(reject(&args.source, why));
    }
    let metadata = metadata.unwrap_or_default();
    let mut target = Output::open(&args.target)?;
    let mut side = match &args.metadata {
        // A file from another conversion is not emptied.
        Some(path)
            if metadata.is_empty()
                && !is_stream(path)
                && fs::metadata(path).is_ok_and(|found| found.is_file()) =>
        {
            say(format_args!("{}: no metadata; {} is left as it is", show(&args.source), show(path)));
            None
        }
        Some(path) => Some(Output::open(path)?),
        None => None,
    };
    // All is written before the first file appears, and what cannot be taken back comes last.
    if let Some(side) = &mut side {
        fill(side, |out| {
            let mut out = Passed::json(out);
            serde_json::to_writer_pretty(&mut out, &metadata)?;
            writeln!(out)
        })?;
        side.flush()?;
    }
    fill(&mut target, |out| builder.write_to(out).map(drop))?;
    target.commit()?;
    side.map_or(Ok(()), Output::commit)?;
    if args.metadata.is_none() && !metadata.is_empty() {
        let bytes: usize = metadata.iter().map(|(key, value)| key.len().saturating_add(value.len())).sum();
        let keys = match metadata.len() {
            1 => "1 key".into(),
            keys => format!("{keys} keys"),
        };
        say(format_args!(
            "{}: metadata dropped: {keys}, {bytes} bytes; --metadata FILE.json keeps it",
            show(&args.source)
        ));
    }
    Ok(Outcome::Accepted)
}

/// Refuses what this program would not read again within the same caps.
fn within(builder: &Builder<'_>, limits: &Limits) -> Result<(), String> {
    let header = builder.header();
    let refuse = |reason: Reason, claimed: u64, allowed: u64| {
        let option = caps::option(reason).unwrap_or_default();
        Err(format!("LIMIT: {} ({claimed}, allowed {allowed}) ({option} N allows more)", reason.text()))
    };
    if header.tensor_count > limits.count {
        return refuse(Reason::TensorCountCap, header.tensor_count, limits.count);
    }
    if header.name_bytes > limits.bytes {
        return refuse(Reason::NameBytesCap, header.name_bytes, limits.bytes);
    }
    Ok(())
}

fn to_safetensors(args: &Args) -> Result<Outcome, Failure> {
    let bytes = Input::open_directory(&args.source, &args.input, &args.caps)?;
    let directory = match Directory::read_with(&bytes, &args.caps.limits()) {
        Ok(directory) => directory,
        Err(error) => {
            let advice = recognise::advice(&error, &bytes, &Reads::Source(recognise::Format::Directory));
            return Ok(reject(&args.source, format_args!("{}{advice}", error.describe(&bytes))));
        }
    };
    let metadata = args.metadata.as_deref().map(|path| side_file(path, &args.caps)).transpose()?;
    let metadata = metadata.unwrap_or_default();
    let whole = match Safetensors::of(&directory, &metadata) {
        Ok(whole) => whole,
        Err(refusal) => return Ok(reject(&args.source, refusal)),
    };
    let mut target = Output::open(&args.target)?;
    fill(&mut target, |out| whole.write_to(out))?;
    target.commit()?;
    Ok(Outcome::Accepted)
}

/// Reads the metadata map beside a Kiln file.
fn side_file(path: &Path, caps: &Caps) -> Result<Metadata, Failure> {
    let text = types::open(path).and_then(|file| read_stream(path, file, caps.owned()))?;
    read_metadata(&text).map_err(|error| {
        let why = recognise::no_json(&text, error);
        Failure::at(path, format_args!("not a JSON object of strings: {why}"))
    })
}

/// Fills an output with what is in memory, so that only the output can fail.
fn fill(output: &mut Output, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    match output.write(|out| Ok::<(), Unwritten<Infallible>>(fill(out)?))? {
        Ok(()) => Ok(()),
    }
}
