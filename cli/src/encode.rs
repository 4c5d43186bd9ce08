//! `kiln encode`

use crate::Outcome;
use crate::caps::{self, Caps};
use crate::input::is_stream;
use crate::output::{Failure, Output, Unwritten, reject, write};
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown::is_watched;
use crate::types;
use kiln::dynamic::{self, Json, JsonError};
use kiln::frame;
use kiln::schema::Kind;
use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read, Write};
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
    #[command(flatten)]
    caps: Caps,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if is_stream(&args.output) && is_watched() {
        return Err(Failure::new("a terminal shows no bytes; name a file with -o"));
    }
    let paths = [Named::read("IN.json", &args.path), Named::write("--output", &args.output)];
    distinct(paths.into_iter().chain(args.ty.named()))?;
    let ty = args.ty.load()?;
    let header = match args.framed {
        true => frame::header(ty.hash().map_err(Failure::new)?).to_vec(),
        false => Vec::new(),
    };
    let json = Json::new(ty).map_err(Failure::new)?;
    if args.lines {
        return lines(args, &json, &header);
    }
    let text = types::text(&args.path, args.caps.owned())?;
    let mut bytes = header;
    let start = bytes.len();
    if let Err(error) = json.encode_into(&text, &mut bytes) {
        let hint = recognise::aside(text.as_bytes(), &Reads::Json);
        return Ok(reject(&args.path, format_args!("{error}{hint}")));
    }
    let value = bytes.get(start..).unwrap_or_default();
    if let Err(error) = dynamic::check_with(json.ty(), value, &args.caps.limits()) {
        return Ok(reject(&args.path, unread(&error)));
    }
    match write(&args.output, |out| Ok::<(), Unwritten<Infallible>>(out.write_all(&bytes)?))? {
        Ok(()) => Ok(Outcome::Accepted),
    }
}

/// Why a value would not be read again within the same caps.
fn unread(error: &kiln::Error) -> String {
    format!("the bytes of the value are refused: {error}{}", caps::advice(error.reason()))
}

/// Why lines did not become a list.
enum Ended {
    /// A line is at fault.
    Line { number: usize, error: JsonError },
    /// What else is wrong with the input.
    Input(String),
    /// The input could not be read.
    Read(io::Error),
}

fn lines(args: &Args, json: &Json, header: &[u8]) -> Result<Outcome, Failure> {
    let Kind::List(_) = json.ty().root().kind() else {
        return Err(Failure::new("--lines needs a type that is a list"));
    };
    let mut output = Output::open(&args.output)?;
    if output.is_stream() && args.count.is_none() {
        return Err(Failure::new(
            "the count of a list stands before its elements: say it with --count, or write to a file with -o",
        ));
    }
    let mut input = BufReader::with_capacity(1 << 16, types::open(&args.path)?);
    let head = input.fill_buf().map_err(|error| Failure::at(&args.path, error))?.to_vec();
    let hint = || recognise::aside(&head, &Reads::Json);
    let mut count = 0;
    let written = output.write(|out| {
        count = elements(json, input, header, args, out)?;
        Ok(())
    });
    match written? {
        Ok(()) => {}
        Err(Ended::Line { number, error }) => {
            let why = at_line(number, &error);
            return Ok(reject(&args.path, format_args!("{why}{}", hint())));
        }
        Err(Ended::Input(why)) => return Ok(reject(&args.path, format_args!("{why}{}", hint()))),
        Err(Ended::Read(error)) => return Err(Failure::at(&args.path, error)),
    }
    if args.count.is_none() {
        output.write_at_start(header.len() as u64, &count.to_le_bytes())?;
    }
    output.commit()?;
    Ok(Outcome::Accepted)
}

/// What is wrong with one line of many.
fn at_line(number: usize, error: &JsonError) -> String {
    let pointer = match error.pointer() {
        "" => "the top".into(),
        pointer => kiln::escape(pointer.as_bytes()).to_string(),
    };
    format!("at {pointer} (line {number}, column {}): {}", error.column(), error.problem())
}

/// Writes frame, count and elements; says how many there were.
#[expect(clippy::arithmetic_side_effects, reason = "counts lines, compared with 2^32 before")]
fn elements(
    json: &Json,
    mut input: impl BufRead,
    header: &[u8],
    args: &Args,
    out: &mut dyn Write,
) -> Result<u32, Unwritten<Ended>> {
    let (limits, most) = (args.caps.limits(), args.caps.owned());
    let input_at_fault = |why: String| Unwritten::Input(Ended::Input(why));
    let count = args.count;
    out.write_all(header)?;
    out.write_all(&count.unwrap_or(0).to_le_bytes())?;
    let (mut line, mut bytes) = (Vec::new(), Vec::new());
    let (mut number, mut written) = (0usize, 0u32);
    loop {
        line.clear();
        number = number.saturating_add(1);
        let read = input.by_ref().take(most.saturating_add(1)).read_until(b'\n', &mut line);
        if read.map_err(|error| Unwritten::Input(Ended::Read(error)))? == 0 {
            break;
        }
        if line.len() as u64 > most {
            return Err(input_at_fault(format!(
                "line {number} has more than {most} bytes, and is kept in memory (--max-owned N allows more)"
            )));
        }
        let text = std::str::from_utf8(&line).map_err(|error| {
            input_at_fault(format!("not UTF-8 in line {number} from byte {} on", error.valid_up_to()))
        })?;
        let text = text.trim_end_matches(['\n', '\r']);
        if text.trim_matches([' ', '\t']).is_empty() {
            continue;
        }
        if written == count.unwrap_or(u32::MAX) {
            return Err(input_at_fault(format!("line {number} is one more than the {written} of the count")));
        }
        // A list of one element, which readers are to take within the same caps.
        bytes.clear();
        bytes.extend_from_slice(&1u32.to_le_bytes());
        json.encode_element_into(text, &mut bytes)
            .map_err(|error| Unwritten::Input(Ended::Line { number, error }))?;
        written += 1;
        if u64::from(written) > limits.count {
            let most = limits.count;
            return Err(input_at_fault(format!(
                "line {number} is one more than the {most} elements that are taken (--max-count N allows more)"
            )));
        }
        if let Err(error) = dynamic::check_with(json.ty(), &bytes, &limits) {
            return Err(input_at_fault(format!("line {number}: {}", unread(&error))));
        }
        out.write_all(bytes.get(4..).unwrap_or_default())?;
    }
    match count {
        Some(count) if count != written => {
            Err(input_at_fault(format!("{count} lines were announced with --count, and there are {written}")))
        }
        _ => Ok(written),
    }
}
