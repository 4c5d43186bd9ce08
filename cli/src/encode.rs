//! `kiln encode`

use crate::Outcome;
use crate::input::is_stream;
use crate::output::{Failure, Unwritten, reject, write};
use crate::shown::{self, is_watched};
use crate::types;
use kiln::dynamic::{Json, JsonError};
use kiln::frame;
use kiln::schema::Kind;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Write a value from JSON, by its JSON Schema or type text
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The JSON file, or - for standard input
    #[arg(value_name = "IN.json")]
    path: PathBuf,
    #[command(flatten)]
    ty: types::Source,
    /// The file to write, whole or not at all; - is standard output
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Put a frame of sixteen bytes with the hash of the type in front
    #[arg(long)]
    framed: bool,
    /// The input has the elements of a list one a line, and is read in memory for one of them; empty lines are
    /// passed over
    #[arg(long)]
    lines: bool,
    /// How many lines there are: the list begins with it, and only a file can be gone back to
    #[arg(long, value_name = "N", requires = "lines")]
    count: Option<u32>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if is_stream(&args.output) && is_watched() {
        return Err(Failure::new("a terminal shows no bytes; name a file with -o"));
    }
    let ty = args.ty.load(&args.path)?;
    let header = match args.framed {
        true => frame::header(ty.hash().map_err(Failure::new)?).to_vec(),
        false => Vec::new(),
    };
    let json = Json::new(ty).map_err(Failure::new)?;
    if args.lines {
        return lines(args, &json, &header);
    }
    let text = types::text(&args.path)?;
    let mut bytes = header;
    if let Err(error) = json.encode_into(&text, &mut bytes) {
        return Ok(reject(&args.path, error));
    }
    match write(&args.output, |out| Ok::<(), Unwritten<Infallible>>(out.write_all(&bytes)?))? {
        Ok(()) => Ok(Outcome::Accepted),
    }
}

/// Why lines did not become a list.
enum Ended {
    /// A line is at fault.
    Line { number: usize, error: JsonError },
    /// What else is wrong with the input.
    Input(String),
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written.
    Write(io::Error),
}

fn lines(args: &Args, json: &Json, header: &[u8]) -> Result<Outcome, Failure> {
    let Kind::List(_) = json.ty().root().kind() else {
        return Err(Failure::new("--lines needs a type that is a list"));
    };
    if is_stream(&args.output) && args.count.is_none() {
        return Err(Failure::new(
            "the count of a list stands before its elements: say it with --count, or write to a file with -o",
        ));
    }
    let input: Box<dyn BufRead> = match is_stream(&args.path) {
        true => Box::new(io::stdin().lock()),
        false => {
            let file = File::open(&args.path).map_err(|error| Failure::at(&args.path, error))?;
            Box::new(BufReader::with_capacity(1 << 16, file))
        }
    };
    let ended = if is_stream(&args.output) {
        let mut out = BufWriter::new(shown::payload());
        elements(json, input, header, args.count, &mut out).and_then(|_| out.flush().map_err(Ended::Write))
    } else {
        let mut ended = Ok(());
        let replaced = kiln::tensor::replace_file(&args.output, |file| {
            ended = to_file(json, input, header, args.count, file);
            match &ended {
                Ok(()) => Ok(()),
                // So that no file appears.
                Err(_) => Err(io::Error::other("not written")),
            }
        });
        match (ended, replaced) {
            (Ok(()), Err(error)) => Err(Ended::Write(error)),
            (ended, _) => ended,
        }
    };
    match ended {
        Ok(()) => Ok(Outcome::Accepted),
        Err(Ended::Line { number, error }) => Ok(reject(&args.path, at_line(number, &error))),
        Err(Ended::Input(why)) => Ok(reject(&args.path, why)),
        Err(Ended::Read(error)) => Err(Failure::at(&args.path, error)),
        Err(Ended::Write(error)) if is_stream(&args.output) => Err(error.into()),
        Err(Ended::Write(error)) => Err(Failure::at(&args.output, error)),
    }
}

/// What is wrong with one line of many.
fn at_line(number: usize, error: &JsonError) -> String {
    let pointer = match error.pointer() {
        "" => "the top".into(),
        pointer => kiln::escape(pointer.as_bytes()).to_string(),
    };
    format!("at {pointer} (line {number}, column {}): {}", error.column(), error.problem())
}

/// Writes the list to a file, and the count when it is known.
fn to_file(
    json: &Json,
    input: Box<dyn BufRead>,
    header: &[u8],
    count: Option<u32>,
    file: &mut File,
) -> Result<(), Ended> {
    // A pipe or a device, which there is no going back on, is no file that was made anew.
    if count.is_none() && file.stream_position().is_err() {
        let why = "the output cannot be gone back to for the count: say it with --count";
        return Err(Ended::Write(io::Error::new(io::ErrorKind::NotSeekable, why)));
    }
    let mut out = BufWriter::with_capacity(1 << 16, &mut *file);
    let written = elements(json, input, header, count, &mut out)?;
    out.flush().map_err(Ended::Write)?;
    drop(out);
    if count.is_none() {
        file.seek(SeekFrom::Start(header.len() as u64)).map_err(Ended::Write)?;
        file.write_all(&written.to_le_bytes()).map_err(Ended::Write)?;
    }
    Ok(())
}

/// Writes frame, count and elements; says how many there were.
#[expect(clippy::arithmetic_side_effects, reason = "counts lines, compared with 2^32 before")]
fn elements(
    json: &Json,
    mut input: Box<dyn BufRead>,
    header: &[u8],
    count: Option<u32>,
    out: &mut dyn Write,
) -> Result<u32, Ended> {
    out.write_all(header).map_err(Ended::Write)?;
    out.write_all(&count.unwrap_or(0).to_le_bytes()).map_err(Ended::Write)?;
    let (mut line, mut bytes) = (Vec::new(), Vec::new());
    let (mut number, mut written) = (0usize, 0u32);
    loop {
        line.clear();
        number = number.saturating_add(1);
        if input.read_until(b'\n', &mut line).map_err(Ended::Read)? == 0 {
            break;
        }
        let text = std::str::from_utf8(&line).map_err(|error| {
            Ended::Input(format!("not UTF-8 in line {number} from byte {} on", error.valid_up_to()))
        })?;
        let text = text.trim_end_matches(['\n', '\r']);
        if text.trim_matches([' ', '\t']).is_empty() {
            continue;
        }
        if written == count.unwrap_or(u32::MAX) {
            return Err(Ended::Input(format!("line {number} is one more than the {written} of the count")));
        }
        bytes.clear();
        json.encode_element_into(text, &mut bytes).map_err(|error| Ended::Line { number, error })?;
        out.write_all(&bytes).map_err(Ended::Write)?;
        written += 1;
    }
    match count {
        Some(count) if count != written => {
            Err(Ended::Input(format!("{count} lines were announced with --count, and there are {written}")))
        }
        _ => Ok(written),
    }
}
