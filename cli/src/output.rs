//! What every command says in the same way.

use crate::input::is_stream;
use crate::shown::say;
use crate::{Outcome, leftovers, place};
use kiln::Code;
use kiln::tensor::Replacement;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::Arc;

/// Why a command could not do its work: one line, exit status 2.
pub(crate) struct Failure {
    lines: Vec<String>,
    closed_pipe: bool,
}

impl Failure {
    pub(crate) fn new(line: impl fmt::Display) -> Failure {
        Failure::lines(vec![line.to_string()])
    }

    /// A failure of the file or stream at `path`.
    pub(crate) fn at(path: &Path, line: impl fmt::Display) -> Failure {
        Failure::new(format_args!("{}: {line}", show(path)))
    }

    /// Several lines instead of one.
    pub(crate) fn lines(lines: Vec<String>) -> Failure {
        Failure { lines, closed_pipe: false }
    }

    /// Says it on standard error.
    pub(crate) fn say(&self) {
        self.lines.iter().for_each(say);
    }

    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("; "))
    }
}

/// Only standard output fails without a path.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure {
            lines: vec![format!("standard output: {error}")],
            closed_pipe: error.kind() == io::ErrorKind::BrokenPipe,
        }
    }
}

/// Says why what lies at `path` is rejected.
pub(crate) fn reject(path: &Path, why: impl fmt::Display) -> Outcome {
    say(format_args!("{}: {why}", show(path)));
    Outcome::Rejected
}

/// Why something was not written to its end.
pub(crate) enum Unwritten<E> {
    /// The output says no.
    Output(io::Error),
    /// What was to be written is at fault.
    Input(E),
}

impl<E> From<io::Error> for Unwritten<E> {
    fn from(error: io::Error) -> Self {
        Unwritten::Output(error)
    }
}

/// Makes a write beyond the largest file that is allowed fail, as one on a full disk does, instead of ending the program
/// by a signal.
#[cfg(unix)]
pub(crate) fn fail_at_the_limit() {
    // Where there can be no handler the signal does what it always does.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(not(unix))]
pub(crate) fn fail_at_the_limit() {}

/// Where a command writes what it makes.
///
/// A file appears whole or not at all: a temporary one beside it is filled, and renamed by [`commit`](Output::commit).
/// Standard output, a descriptor, a pipe and a device are written to as they stand.
pub(crate) struct Output {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Stream(File),
    #[cfg(not(unix))]
    Standard,
    New(Pending),
}

/// A file that is not renamed yet.
struct Pending(Option<Replacement>);

impl Pending {
    fn begin(path: &Path) -> io::Result<Pending> {
        let new = leftovers::make(|| Replacement::begin(path), Replacement::temporary)?;
        Ok(Pending(Some(new)))
    }

    fn settle(&mut self, settle: impl FnOnce(Replacement) -> io::Result<()>) -> io::Result<()> {
        let Some(new) = self.0.take() else { return Ok(()) };
        let temporary = new.temporary().to_path_buf();
        leftovers::settle(&temporary, || settle(new))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // What is dropped is removed; a file that cannot be is no second error.
        let _ = self.settle(|new| {
            drop(new);
            Ok(())
        });
    }
}

impl Output {
    /// Opens a stream, or makes the temporary file.
    pub(crate) fn open(path: &Path) -> Result<Output, Failure> {
        let fail = |error| Output::failure(path, error);
        #[cfg(not(unix))]
        if is_stream(path) {
            return Ok(Output { path: path.to_path_buf(), sink: Sink::Standard });
        }
        let sink = match place::open_stream(path).map_err(fail)? {
            Some(stream) => Sink::Stream(stream),
            None => Sink::New(Pending::begin(path).map_err(fail)?),
        };
        Ok(Output { path: path.to_path_buf(), sink })
    }

    fn failure(path: &Path, error: io::Error) -> Failure {
        if is_stream(path) {
            return Failure::from(error);
        }
        Failure { closed_pipe: error.kind() == io::ErrorKind::BrokenPipe, ..Failure::at(path, error) }
    }

    /// Whether it is written to as it stands, so that there is no going back to what was written.
    pub(crate) fn is_stream(&self) -> bool {
        !matches!(self.sink, Sink::New(_))
    }

    /// Lets `fill` write, through a buffer.
    pub(crate) fn write<E>(
        &mut self,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), Unwritten<E>>,
    ) -> Result<Result<(), E>, Failure> {
        let result = match &mut self.sink {
            Sink::Stream(file) => buffered(file, fill),
            #[cfg(not(unix))]
            Sink::Standard => buffered(crate::shown::payload(), fill),
            Sink::New(Pending(Some(new))) => buffered(new.file(), fill),
            Sink::New(Pending(None)) => Ok(()),
        };
        match result {
            Ok(()) => Ok(Ok(())),
            Err(Unwritten::Input(error)) => Ok(Err(error)),
            Err(Unwritten::Output(error)) => Err(Output::failure(&self.path, error)),
        }
    }

    /// Writes over the first bytes of a file that is new.
    pub(crate) fn write_at_start(&mut self, before: u64, bytes: &[u8]) -> Result<(), Failure> {
        let Sink::New(Pending(Some(new))) = &mut self.sink else { return Ok(()) };
        let file = new.file();
        let written = file.seek(SeekFrom::Start(before)).and_then(|_| file.write_all(bytes));
        written.map_err(|error| Output::failure(&self.path, error))
    }

    /// Has the bytes of a new file on the disk, so that renaming is all that is left to do.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let flushed = match &mut self.sink {
            Sink::New(Pending(Some(new))) => new.file().sync_all(),
            _ => Ok(()),
        };
        flushed.map_err(|error| Output::failure(&self.path, error))
    }

    /// Puts a new file in its place.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        self.flush()?;
        let committed = match &mut self.sink {
            Sink::New(new) => new.settle(Replacement::commit),
            _ => Ok(()),
        };
        committed.map_err(|error| Output::failure(&self.path, error))
    }
}

/// How much is gathered before it is written.
const ENOUGH: usize = 1 << 16;

/// Fills through a buffer. What `fill` wrote before an error goes out too: a new file is not renamed then.
fn buffered<E>(
    out: impl Write,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Unwritten<E>>,
) -> Result<(), Unwritten<E>> {
    let mut out = BufWriter::with_capacity(ENOUGH, out);
    let filled = fill(&mut out);
    if let Err(Unwritten::Output(_)) = filled {
        // Not once more, when it is dropped.
        let _ = out.into_parts();
        return filled;
    }
    let flushed = out.flush();
    let _ = out.into_parts();
    filled.and(flushed.map_err(Unwritten::Output))
}

/// Writes one output from begin to end.
pub(crate) fn write<E>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Unwritten<E>>,
) -> Result<Result<(), E>, Failure> {
    let mut output = Output::open(path)?;
    match output.write(fill)? {
        Ok(()) => output.commit().map(Ok),
        Err(error) => Ok(Err(error)),
    }
}

/// A path as it is, with `\xNN` for what is no text; what is risky in it is escaped where it is printed. A backslash is
/// no sign of an escape, as it divides paths elsewhere: --json says which it is.
pub(crate) fn show(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown
}

/// A path for JSON, which escapes by itself.
pub(crate) fn json_path(path: &Path) -> serde_json::Value {
    path.to_string_lossy().into()
}

/// An error's facts as JSON members.
pub(crate) fn json_error(error: &kiln::Error, described: &dyn fmt::Display) -> serde_json::Value {
    // A hash is written as everywhere; other numbers are what they are.
    let number = |number: Option<u64>| match error.code() {
        Code::Schema => serde_json::json!(number.map(|hash| format!("{hash:#018x}"))),
        _ => serde_json::json!(number),
    };
    serde_json::json!({
        "code": error.code().name(),
        "step": error.step(),
        "offset": error.offset(),
        "tensor": error.tensor(),
        "other_tensor": error.other_tensor(),
        "reason": error.reason().text(),
        "claimed": error.claimed(),
        "allowed": error.allowed(),
        "count": error.count(),
        "found": number(error.found()),
        "expected": number(error.expected()),
        "message": described.to_string(),
    })
}

/// A number of bytes for people: three digits and a unit, exact below 10,000.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 10_000 {
        return format!("{bytes} B");
    }
    let mut amount = bytes as f64 / 1000.0;
    let mut unit = "kB";
    for larger in ["MB", "GB", "TB", "PB", "EB"] {
        if amount >= 999.5 {
            (amount, unit) = (amount / 1000.0, larger);
        }
    }
    let digits = if amount < 9.995 {
        2
    } else if amount < 99.95 {
        1
    } else {
        0
    };
    format!("{amount:.digits$} {unit}")
}

/// A number of tensors in words.
pub(crate) fn tensors(count: u64) -> String {
    if count == 1 { "1 tensor".into() } else { format!("{count} tensors") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn small_writes_are_gathered_and_large_ones_passed_on() {
        struct Calls(Vec<usize>);
        impl Write for Calls {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.push(bytes.len());
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut calls = Calls(Vec::new());
        let large = vec![0; 1 << 20];
        let filled = buffered::<Infallible>(&mut calls, |out| {
            (0..100_000).try_for_each(|_| out.write_all(&[7; 10]))?;
            Ok(out.write_all(&large)?)
        });
        assert!(filled.is_ok());
        assert_eq!(calls.0.iter().sum::<usize>(), 1_000_000 + (1 << 20));
        assert!(calls.0.len() <= 1_000_000 / (1 << 16) + 2, "{} writes", calls.0.len());
    }

    #[test]
    fn sizes_keep_three_digits() {
        for (bytes, text) in [
            (0, "0 B"),
            (9_999, "9999 B"),
            (10_000, "10.0 kB"),
            (999_499, "999 kB"),
            (999_500, "1.00 MB"),
            (90_868_376, "90.9 MB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
