//! What every command says in the same way.

use crate::Outcome;
use crate::input::is_stream;
use crate::shown::{self, say};
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;

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

/// Only writing to standard output fails without a path.
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

/// Writes a file through a temporary one beside it, so that an old file stays until the new one is whole; or, to
/// standard output, as far as `fill` comes.
pub(crate) fn write<E>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Unwritten<E>>,
) -> Result<Result<(), E>, Failure> {
    let (filled, written) = if is_stream(path) {
        let mut out = BufWriter::new(shown::payload());
        let filled = fill(&mut out);
        (filled, out.flush())
    } else {
        let mut filled = Ok(());
        let written = kiln::tensor::replace_file(path, |file| {
            let mut out = BufWriter::with_capacity(1 << 16, file);
            filled = fill(&mut out);
            match filled {
                Ok(()) => out.flush(),
                // So that no file appears.
                Err(_) => Err(io::Error::other("not written")),
            }
        });
        (filled, written)
    };
    let output = |error: io::Error| match is_stream(path) {
        true => Failure::from(error),
        false => Failure::at(path, error),
    };
    match (filled, written) {
        (Ok(()), Ok(())) => Ok(Ok(())),
        (Ok(()), Err(error)) | (Err(Unwritten::Output(error)), _) => Err(output(error)),
        (Err(Unwritten::Input(error)), _) => Ok(Err(error)),
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
    serde_json::json!({
        "code": error.code().name(),
        "step": error.step(),
        "offset": error.offset(),
        "tensor": error.tensor(),
        "other_tensor": error.other_tensor(),
        "reason": error.reason().text(),
        "claimed": error.claimed(),
        "allowed": error.allowed(),
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
