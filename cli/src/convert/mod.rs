//! `kiln convert`

mod safetensors;

use crate::Outcome;
use crate::input::{self, Input, is_stream};
use crate::output::{Failure, reject, show};
use crate::shown::{self, say};
use kiln::escape;
use kiln::tensor::Directory;
use safetensors::{from_safetensors, to_safetensors};
use std::collections::{BTreeMap, HashMap};
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
    let bytes = Input::open(&args.source, &args.input)?;
    let refused = match from {
        Format::Safetensors => {
            let (builder, metadata) = match from_safetensors(&bytes) {
                Ok(read) => read,
                Err(refusal) => return Ok(reject(&args.source, refusal)),
            };
            write(&args.target, |out| builder.write_to(out).map(drop))?;
            return keep_metadata(args, metadata);
        }
        Format::Kiln => {
            let directory = match Directory::read(&bytes) {
                Ok(directory) => directory,
                Err(error) => return Ok(reject(&args.source, error.describe(&bytes))),
            };
            let metadata = args.metadata.as_deref().map(read_metadata).transpose()?.unwrap_or_default();
            match to_safetensors(&directory, &metadata) {
                Ok(header) => {
                    write(&args.target, |out| {
                        out.write_all(&header)?;
                        directory.iter().try_for_each(|tensor| out.write_all(tensor.bytes()))
                    })?;
                    return Ok(Outcome::Accepted);
                }
                Err(refusal) => refusal,
            }
        }
    };
    Ok(reject(&args.source, refused))
}

/// Writes the metadata map beside the converted file, or says what was dropped.
fn keep_metadata(args: &Args, metadata: Option<HashMap<String, String>>) -> Result<Outcome, Failure> {
    let sorted: BTreeMap<String, String> = metadata.into_iter().flatten().collect();
    if let Some(path) = &args.metadata {
        let text = serde_json::to_string_pretty(&sorted).map_err(|error| Failure::at(path, error))?;
        write(path, |out| writeln!(out, "{text}"))?;
    } else if !sorted.is_empty() {
        let dropped: Vec<String> = sorted
            .iter()
            .map(|(key, value)| format!("{}={}", escape(key.as_bytes()), escape(value.as_bytes())))
            .collect();
        say(format_args!(
            "{}: metadata dropped, keep it with --metadata FILE.json: {}",
            show(&args.source),
            dropped.join(", ")
        ));
    }
    Ok(Outcome::Accepted)
}

fn read_metadata(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let text = fs::read(path).map_err(|error| Failure::at(path, error))?;
    serde_json::from_slice(&text)
        .map_err(|error| Failure::at(path, format_args!("not a JSON object of strings: {error}")))
}

/// Writes a file through a temporary one beside it, so that the old file stays until the new one is whole.
fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let fail = |error: io::Error| Failure::at(path, error);
    if is_stream(path) {
        let mut out = io::BufWriter::new(shown::payload());
        fill(&mut out)?;
        return Ok(out.flush()?);
    }
    kiln::tensor::replace_file(path, |file| fill(file)).map_err(fail)
}
