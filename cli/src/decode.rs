//! `kiln decode`

use crate::Outcome;
use crate::caps::Caps;
use crate::input::{self, Input, is_stream};
use crate::output::{Failure, Unwritten, reject, write};
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown::{Passed, is_watched};
use crate::types;
use kiln::Limits;
use kiln::dynamic::{self, DecodeError, FramedError, Json, JsonLines, Layout};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

/// Print a value as JSON, by its JSON Schema or type text
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,
    #[command(flatten)]
    ty: types::Source,
    /// The file to write, whole or not at all; - is standard output
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// The value stands behind a frame of sixteen bytes with the hash of the type
    #[arg(long)]
    framed: bool,
    /// Print the elements of a list one a line, in memory for one of them: those before a fault are printed
    #[arg(long, conflicts_with = "layout")]
    lines: bool,
    /// How JSON is laid out; without this pretty on a terminal, else compact
    #[arg(long, value_enum, value_name = "LAYOUT")]
    layout: Option<Form>,
    #[command(flatten)]
    caps: Caps,
    #[command(flatten)]
    input: input::Options,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Compact,
    Pretty,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let paths = [Named::read("FILE", &args.path), Named::write("--output", &args.output)];
    distinct(paths.into_iter().chain(args.ty.named()))?;
    let ty = args.ty.load()?;
    let json = Json::new(ty).map_err(Failure::new)?;
    let limits = args.caps.limits();
    if args.lines {
        return lines(args, &json, &limits);
    }
    let bytes = Input::open(&args.path, &args.input, &args.caps)?;
    // So that nothing is printed of what is then rejected.
    let checked = match args.framed {
        true => dynamic::check_framed_with(json.ty(), &bytes, &limits),
        false => dynamic::check_with(json.ty(), &bytes, &limits).map_err(FramedError::Rejected),
    };
    match checked {
        Ok(()) => {}
        Err(FramedError::Type(error)) => return Err(Failure::new(error)),
        Err(FramedError::Rejected(error)) => {
            let advice = recognise::advice(&error, &bytes, &reads(args));
            let described = json.ty().describe(&error, &bytes);
            return Ok(reject(&args.path, format_args!("{described}{advice}")));
        }
    }
    let layout = match args.layout {
        Some(Form::Pretty) => Layout::Pretty,
        None if is_stream(&args.output) && is_watched() => Layout::Pretty,
        Some(Form::Compact) | None => Layout::Compact,
    };
    let written = write(&args.output, |out| {
        let mut out = Passed::json(out);
        let decoded = match args.framed {
            true => json.decode_framed_to(&bytes, &limits, layout, &mut out),
            false => json.decode_to(&bytes, &limits, layout, &mut out),
        };
        match decoded {
            Ok(()) => Ok(writeln!(out)?),
            // The bytes are in memory, so it is the output's.
            Err(DecodeError::Io(error)) => Err(Unwritten::Output(error)),
            Err(error) => Err(Unwritten::Input(error)),
        }
    });
    written?.map_or_else(|error| failed(args, &bytes, error), |()| Ok(Outcome::Accepted))
}

fn reads(args: &Args) -> Reads {
    Reads::Value { framed: args.framed, instead: None }
}

/// What ends a command that was writing already.
fn failed(args: &Args, bytes: &[u8], error: DecodeError) -> Result<Outcome, Failure> {
    match error {
        DecodeError::Rejected(error) => {
            let advice = recognise::advice(&error, bytes, &reads(args));
            Ok(reject(&args.path, format_args!("{error}{advice}")))
        }
        DecodeError::Io(error) => Err(Failure::at(&args.path, error)),
        error => Err(Failure::new(error)),
    }
}

fn lines(args: &Args, json: &Json, limits: &Limits) -> Result<Outcome, Failure> {
    let mut input = BufReader::with_capacity(ENOUGH, types::open(&args.path)?);
    let head = input.fill_buf().map_err(|error| Failure::at(&args.path, error))?.to_vec();
    let begun = match args.framed {
        true => json.lines_framed(input, limits),
        false => json.lines(input, limits),
    };
    let mut lines = match begun {
        Ok(lines) => lines,
        Err(error) => return failed(args, &head, error),
    };
    match write(&args.output, |out| print(&mut lines, &mut Passed::json(out)))? {
        Ok(()) => Ok(Outcome::Accepted),
        Err(DecodeError::Rejected(error)) => {
            let advice = recognise::advice(&error, &head, &reads(args));
            Ok(reject(&args.path, format_args!("{}{advice}", lines.describe(&error))))
        }
        Err(error) => failed(args, &head, error),
    }
}

/// How much text is gathered before it is written.
const ENOUGH: usize = 1 << 16;

/// Writes all lines, those before a fault too.
fn print(lines: &mut JsonLines<'_, impl BufRead>, out: &mut dyn Write) -> Result<(), Unwritten<DecodeError>> {
    let mut text = Vec::with_capacity(ENOUGH);
    let ended = loop {
        match lines.next_line(&mut text) {
            Ok(true) if text.len() < ENOUGH => {}
            Ok(true) => {
                out.write_all(&text)?;
                text.clear();
            }
            Ok(false) => break Ok(()),
            Err(error) => break Err(Unwritten::Input(error)),
        }
    };
    out.write_all(&text)?;
    ended
}
