//! Names from the bytes, made safe to show.

use alloc::borrow::Cow;
use core::fmt;

/// Shows bytes as text in which nothing acts on a terminal or on the direction of writing: control
/// characters, format characters (bidirectional marks and zero-width ones among them), separators other than
/// the space, private and unassigned code points become `\u{…}`, newlines `\n`, a backslash `\\`, and bytes
/// that are not UTF-8 `\xNN`. Everything else is shown as it is.
///
/// ```
/// use kiln::escape;
/// assert_eq!(escape("w\u{202e}0\n".as_bytes()).to_string(), r"w\u{202e}0\n");
/// assert_eq!(escape("poids d'été".as_bytes()).to_string(), "poids d'été");
/// ```
pub fn escape(bytes: &[u8]) -> impl fmt::Display + '_ {
    Escaped(bytes)
}

struct Escaped<'a>(&'a [u8]);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            // Quotes are harmless; between them, std's own table says what can be printed.
            for piece in chunk.valid().split_inclusive(['\'', '"']) {
                let text = piece.strip_suffix(['\'', '"']).unwrap_or(piece);
                write!(f, "{}", text.escape_debug())?;
                f.write_str(piece.get(text.len()..).unwrap_or_default())?;
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        f.write_str("")
    }
}

/// A text as an error keeps or shows it: without the middle of what nobody would read.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::string_slice,
    reason = "the text is longer than `MOST`; both ends are moved to where characters begin"
)]
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    const MOST: usize = 4096;
    if text.len() <= MOST {
        return text.into();
    }
    let (mut head, mut tail) = (MOST / 2, text.len() - MOST / 2 + '…'.len_utf8());
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    [&text[..head], "…", &text[tail..]].concat().into()
}

/// So many bytes of a name are shown where it is only mentioned.
const SHORT: usize = 80;

/// The first bytes of a name, and whether they are all.
fn begin(name: &[u8]) -> (&[u8], bool) {
    // Before the next character, of which no byte but the first is below 0x80 or above 0xbf.
    let starts = |&at: &usize| name.get(at).is_none_or(|byte| byte & 0xc0 != 0x80);
    match name.len() {
        ..=SHORT => (name, true),
        _ => (name.get(..(SHORT - 3..=SHORT).rev().find(starts).unwrap_or(SHORT)).unwrap_or(name), false),
    }
}

/// A name as [`escape`] shows it, but no longer than anybody reads: what is left out leaves `…`.
pub(crate) fn short(name: &[u8]) -> impl fmt::Display + '_ {
    struct Short<'a>(&'a [u8]);
    impl fmt::Display for Short<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let (begin, all) = begin(self.0);
            write!(f, "{}{}", escape(begin), if all { "" } else { "…" })
        }
    }
    Short(name)
}

/// The same in quotes, and behind a name that is cut its length.
pub(crate) fn quoted(name: &[u8]) -> impl fmt::Display + '_ {
    struct Quoted<'a>(&'a [u8]);
    impl fmt::Display for Quoted<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let (begin, all) = begin(self.0);
            write!(f, "\"{}\"", escape(begin))?;
            if all { Ok(()) } else { write!(f, "… ({} bytes)", self.0.len()) }
        }
    }
    Quoted(name)
}
