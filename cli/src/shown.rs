//! Where text leaves the program. Every line on standard error, and every line of text or JSON on standard output,
//! is escaped here and nowhere before: whoever put it together, no character of it acts on a terminal.

use crate::Outcome;
use crate::descriptor;
use crate::output::Failure;
use clap::error::{ContextKind, ContextValue};
use kiln::escape;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::fmt::{self, Display, Write as _};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use unicode_width::UnicodeWidthStr;

/// Whether a character would act on a terminal or on the direction of writing, or cannot be seen: what
/// [`kiln::escape`] escapes, but for the backslash, so that what is escaped already passes as it is.
fn is_risky(c: char) -> bool {
    if matches!(c, ' '..='~') || c.escape_debug().next() == Some(c) {
        return false;
    }
    // The method of a character escapes accents, too, which that of a text leaves on what they belong to.
    let accent: String = ['a', c].into_iter().collect();
    accent.escape_debug().nth(1) != Some(c)
}

/// How a character is spelled where it cannot be shown.
type Spelling = fn(&mut String, char);

/// As text: `\n`, `\u{202e}`.
fn in_text(line: &mut String, c: char) {
    line.extend(c.escape_debug());
}

/// As a string in JSON: `\u202e`, above U+FFFF a pair.
fn in_json(line: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // A string takes whatever is written.
        _ = write!(line, "\\u{unit:04x}");
    }
}

/// Whether all of it is shown as it is, as most names and almost all lines are.
fn is_ascii_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

fn spell(line: &mut String, text: &str, risky: impl Fn(char) -> bool, spelling: Spelling) {
    if is_ascii_text(text.as_bytes()) {
        line.push_str(text);
        return;
    }
    for piece in text.split_inclusive(&risky) {
        let plain = piece.trim_end_matches(&risky);
        line.push_str(plain);
        for c in piece.chars().skip(plain.chars().count()) {
            spelling(line, c);
        }
    }
}

/// How many columns a name takes at most, where it is one of many.
pub(crate) const WIDEST: usize = 64;

/// What is left of the beginning and of the end of a longer one.
const HEAD: usize = 40;
const TAIL: usize = WIDEST - HEAD - 1;

/// A name, escaped, and with `…` for the middle when it is longer than [`WIDEST`]. Marks that stand over others count
/// as well, or a name of nothing else would have no end.
pub(crate) fn cut(name: &[u8]) -> String {
    const WINDOW: usize = 4 * WIDEST;
    if name.len() <= WIDEST && is_ascii_text(name) && !name.contains(&b'\\') {
        return String::from_utf8_lossy(name).into_owned();
    }
    if name.len() <= WINDOW && spelled(name).map(|piece| columns(&piece)).sum::<usize>() <= WIDEST {
        return escape(name).to_string();
    }
    // No character has more than four bytes, so that the one that a window cuts lies beyond what is taken of it.
    let window = name.len().min(WINDOW);
    let (head, _) = name.split_at_checked(window).unwrap_or_default();
    let (_, tail) = name.split_at_checked(name.len().saturating_sub(window)).unwrap_or_default();
    let fitting = |room: usize| {
        let mut room = Some(room);
        move |piece: &String| {
            room = room.and_then(|room| room.checked_sub(columns(piece)));
            room.is_some()
        }
    };
    let mut cut: String = spelled(head).take_while(fitting(HEAD)).collect();
    let tail: Vec<String> = spelled(tail).collect();
    let tail: Vec<String> = tail.into_iter().rev().take_while(fitting(TAIL)).collect();
    cut.push('…');
    cut.extend(tail.into_iter().rev());
    cut
}

/// What each character of a name is spelled as.
fn spelled(name: &[u8]) -> impl Iterator<Item = String> {
    let of = |c: char| if is_risky(c) || c == '\\' { c.escape_debug().to_string() } else { c.to_string() };
    name.utf8_chunks().flat_map(move |chunk| {
        let bytes = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        chunk.valid().chars().map(of).chain(bytes)
    })
}

fn columns(piece: &str) -> usize {
    piece.width().max(1)
}

/// Appends what is written to it, escaped.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        spell(self.0, text, is_risky, in_text);
        Ok(())
    }
}

fn escape_into(line: &mut String, text: impl Display) {
    // A string takes whatever is written.
    _ = write!(Escaped(line), "{text}");
}

/// Says one line on standard error.
pub(crate) fn say(line: impl Display) {
    let mut text = String::from("kiln: ");
    escape_into(&mut text, line);
    text.push('\n');
    to_stderr(&text);
}

#[expect(clippy::disallowed_methods, reason = "the one place")]
fn to_stderr(text: &str) {
    // There is nowhere else to say that this cannot be said; the status is what it is.
    _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Standard output for lines.
pub(crate) struct Lines {
    out: BufWriter<StdoutLock<'static>>,
    line: String,
    watched: bool,
}

/// Lends standard output, and sees to it that all of it is written, or says so.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub(crate) fn print<T>(fill: impl FnOnce(&mut Lines) -> Result<T, Failure>) -> Result<T, Failure> {
    descriptor::open(1)?;
    let out = BufWriter::new(io::stdout().lock());
    let mut lines = Lines { out, line: String::new(), watched: is_watched() };
    let filled = fill(&mut lines)?;
    lines.out.flush()?;
    Ok(filled)
}

impl Lines {
    /// A line of text.
    pub(crate) fn text(&mut self, line: impl Display) -> io::Result<()> {
        self.line.clear();
        escape_into(&mut self.line, line);
        self.out.write_all(self.line.as_bytes())?;
        self.ended()
    }

    /// A value as a line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        value.serialize(&mut Serializer::with_formatter(&mut self.out, Spelled))?;
        self.ended()
    }

    /// Who watches sees each line when it is there.
    fn ended(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n")?;
        if self.watched { self.out.flush() } else { Ok(()) }
    }
}

/// Whether somebody looks at what is printed.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub(crate) fn is_watched() -> bool {
    io::stdout().is_terminal()
}

/// Standard output for bytes that are what the user asked for, and not text.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub(crate) fn payload() -> StdoutLock<'static> {
    io::stdout().lock()
}

/// JSON in one line, in whose strings nothing is risky.
struct Spelled;

impl Formatter for Spelled {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        if !text.contains(is_risky) {
            return CompactFormatter.write_string_fragment(out, text);
        }
        let mut spelled = String::new();
        spell(&mut spelled, text, is_risky, in_json);
        out.write_all(spelled.as_bytes())
    }
}

/// Passes text on that was laid out elsewhere, with its line ends, and with what else is risky spelled out.
pub(crate) struct Passed<W> {
    out: W,
    spelling: Spelling,
    /// The beginning of a character whose end was not written yet.
    cut: Vec<u8>,
    text: String,
}

impl<W: Write> Passed<W> {
    /// JSON, which has such characters in strings only.
    pub(crate) fn json(out: W) -> Self {
        Passed { out, spelling: in_json, cut: Vec::new(), text: String::new() }
    }

    /// Rust, which has them in literals and comments only.
    #[cfg(feature = "gen")]
    pub(crate) fn rust(out: W) -> Self {
        Passed { out, spelling: in_text, cut: Vec::new(), text: String::new() }
    }
}

impl<W: Write> Write for Passed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Most of what is written is ASCII, and then nothing is risky: controls are escaped wherever JSON is made.
        if self.cut.is_empty() && bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
            self.out.write_all(bytes)?;
            return Ok(bytes.len());
        }
        self.text.clear();
        let joined = [std::mem::take(&mut self.cut).as_slice(), bytes].concat();
        let risky = |c| c != '\n' && is_risky(c);
        let mut chunks = joined.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            spell(&mut self.text, chunk.valid(), risky, self.spelling);
            // At the end it is a character that goes on in what is written next.
            if chunks.peek().is_none() {
                self.cut.extend_from_slice(chunk.invalid());
            }
        }
        self.out.write_all(self.text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Prints what is wrong with the arguments, or the help that they ask for. It has lines; what the user gave is not to
/// add any.
pub(crate) fn arguments(mut error: clap::Error) -> Result<Outcome, Failure> {
    let given: Vec<(ContextKind, ContextValue)> =
        error.context().map(|(kind, value)| (kind, value.clone())).collect();
    let escaped = |text: &dyn Display| {
        let mut escaped = String::new();
        escape_into(&mut escaped, text);
        escaped
    };
    for (kind, value) in given {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(escaped(&text)),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| escaped(text)).collect())
            }
            ContextValue::StyledStrs(texts) => {
                ContextValue::StyledStrs(texts.iter().map(|text| escaped(text).into()).collect())
            }
            // The usage, which has lines, and numbers.
            other => other,
        };
        error.insert(kind, value);
    }
    let text = error.render().to_string();
    if !error.use_stderr() {
        print(|out| Ok(text.lines().try_for_each(|line| out.text(line))?))?;
        return Ok(Outcome::Accepted);
    }
    let mut lines = String::new();
    for line in text.lines() {
        escape_into(&mut lines, line);
        lines.push('\n');
    }
    to_stderr(&lines);
    Ok(Outcome::Failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_risky_is_what_the_library_escapes_but_for_the_backslash() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}");
            let escaped = escape(text.as_bytes()).to_string();
            assert_eq!(is_risky(c), c != '\\' && escaped != text, "{c:?}");
            // What is escaped once is not escaped again.
            assert!(!escaped.chars().any(is_risky), "{c:?}");
        }
        for c in ['\u{7f}', '\u{9b}', '\u{61c}', '\u{200e}', '\u{202e}', '\u{2069}', '\u{2028}', '\u{2029}'] {
            assert!(is_risky(c), "{c:?}");
        }
    }

    #[test]
    fn json_is_spelled_in_units_of_sixteen_bits_and_means_the_same() {
        let text = "\u{1b}\u{7f}\u{9b}\u{202e}\u{2028}\u{ffff}\u{e0041}\u{1f600}é\"\\\n";
        let mut spelled = Vec::new();
        text.serialize(&mut Serializer::with_formatter(&mut spelled, Spelled)).unwrap();
        let spelled = String::from_utf8(spelled).unwrap();
        assert_eq!(spelled, r#""\u001b\u007f\u009b\u202e\u2028\uffff\udb40\udc41😀é\"\\\n""#);
        assert_eq!(serde_json::from_str::<String>(&spelled).unwrap(), text);
    }

    #[test]
    fn text_passed_on_in_pieces_of_any_length_is_the_same() {
        let json = "{\n  \"a\u{202e}\u{e0041}é字\u{7f}\": \"\u{9b}😀\"\n}\n";
        for pieces in 1..=json.len() {
            let mut out = Vec::new();
            let mut passed = Passed::json(&mut out);
            json.as_bytes().chunks(pieces).for_each(|piece| passed.write_all(piece).unwrap());
            let out = String::from_utf8(out).unwrap();
            assert_eq!(
                out, "{\n  \"a\\u202e\\udb40\\udc41é字\\u007f\": \"\\u009b😀\"\n}\n",
                "in pieces of {pieces}"
            );
        }
    }

    #[test]
    fn a_name_is_cut_in_its_middle_between_characters_and_escapes() {
        let long = |piece: &str| cut(piece.repeat(1000).as_bytes());
        assert_eq!(long("n"), format!("{}…{}", "n".repeat(40), "n".repeat(23)));
        assert_eq!(long("字"), format!("{}…{}", "字".repeat(20), "字".repeat(11)));
        assert_eq!(long("\u{202e}"), format!("{}…{}", "\\u{202e}".repeat(5), "\\u{202e}".repeat(2)));
        assert_eq!(long("\\"), format!("{}…{}", "\\\\".repeat(20), "\\\\".repeat(11)));
        assert_eq!(cut(&[0xff; 1000]), format!("{}…{}", "\\xff".repeat(10), "\\xff".repeat(5)));
        assert_eq!(long("\u{301}").chars().count(), 64);
        for (name, whole) in [("", ""), ("w\n", "w\\n"), ("a\\b", "a\\\\b"), ("é\u{301}", "é\u{301}")] {
            assert_eq!(cut(name.as_bytes()), whole);
        }
        assert_eq!(cut("n".repeat(64).as_bytes()), "n".repeat(64));
        for len in 0..300 {
            let cut = cut("字n".repeat(len).as_bytes());
            assert!(cut.width() <= WIDEST, "{cut}");
        }
    }

    #[test]
    fn a_path_is_shown_with_its_backslashes_as_they_are() {
        let path = std::path::Path::new(r"C:\models\a.kiln");
        let mut line = String::new();
        escape_into(&mut line, crate::output::show(path));
        assert_eq!(line, r"C:\models\a.kiln");
    }
}
