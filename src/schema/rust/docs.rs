//! The words of a schema as documentation in Markdown that says what they say: lists and code stay what they are,
//! addresses become links, and everything else is text.

use crate::escape::escape;
use crate::schema::Docs;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

/// The lines of the documentation of a part.
pub(super) fn lines(docs: &Docs) -> Vec<String> {
    let default = docs.default.as_ref().map(|default| format!("Default: {default}"));
    let deprecated = docs.deprecated.then(|| String::from("Deprecated."));
    let mut all = Lines(Vec::new());
    for words in
        [docs.title.as_deref(), docs.description.as_deref(), default.as_deref(), deprecated.as_deref()]
    {
        all.paragraphs(words.unwrap_or(""));
        all.blank();
    }
    while all.0.last().is_some_and(String::is_empty) {
        all.0.pop();
    }
    all.0
}

struct Lines(Vec<String>);

impl Lines {
    /// Ends what came before.
    fn blank(&mut self) {
        if self.0.last().is_some_and(|line| !line.is_empty()) {
            self.0.push(String::new());
        }
    }

    fn paragraphs(&mut self, words: &str) {
        let all: Vec<String> = words.lines().map(|line| line.replace('\t', "    ")).collect();
        let mut lines = &all[..];
        // How far the rest of a list's item is indented.
        let mut item: Option<usize> = None;
        while let Some((line, rest)) = lines.split_first() {
            lines = rest;
            let line = line.trim();
            if line.is_empty() {
                self.blank();
                item = None;
            } else if let Some((code, rest)) = fenced(line, rest) {
                self.blank();
                self.code(code);
                self.blank();
                (lines, item) = (rest, None);
            } else if let Some((marker, content)) = list_item(line) {
                self.0.push(format!("{marker} {}", text(content)));
                item = Some(marker.len().saturating_add(1));
            } else {
                self.0.push(format!("{}{}", " ".repeat(item.unwrap_or(0)), text(line)));
            }
        }
    }

    /// Code of no language, which is not run as a test.
    fn code(&mut self, lines: &[String]) {
        let run = |line: &String| line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let longest = lines.iter().map(run).max().unwrap_or(0);
        let fence = "`".repeat(longest.saturating_add(1).max(3));
        self.0.push(format!("{fence}text"));
        self.0.extend(lines.iter().map(|line| literal(line.trim_end())));
        self.0.push(fence);
    }
}

/// The lines of code that a fence opens, and what is behind the one that closes it.
fn fenced<'l>(line: &str, rest: &'l [String]) -> Option<(&'l [String], &'l [String])> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    let len = line.len().saturating_sub(info.len());
    if len < 3 || info.contains('`') {
        return None;
    }
    let closes = |line: &String| {
        let line = line.trim();
        line.len() >= len && line.chars().all(|c| c == mark)
    };
    let end = rest.iter().position(closes)?;
    let (code, rest) = rest.split_at_checked(end)?;
    Some((code, rest.get(1..)?))
}

/// The mark of a list's item, and what the item says.
fn list_item(line: &str) -> Option<(&str, &str)> {
    let (marker, content) = line.split_once(' ')?;
    let content = content.trim_start();
    let number = marker.strip_suffix(['.', ')']).unwrap_or("");
    let numbered = (1..=9).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    ((numbered || matches!(marker, "-" | "*" | "+")) && !content.is_empty()).then_some((marker, content))
}

/// A line as text: what would be markup is escaped, except that code between single backticks stays code and addresses
/// become links.
fn text(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = begin(line, &mut plain);
    // What the character before was, for an underscore inside a word is no markup.
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let (link, code) = (address(rest), code(rest));
        let len = if let Some(link) = link {
            plain.push_str(&format!("<{link}>"));
            link.len()
        } else if let Some(code) = code {
            plain.push_str(&format!("`{}`", literal(code)));
            code.len().saturating_add(2)
        } else {
            let next = rest.chars().nth(1).unwrap_or(' ');
            let marks = match c {
                '[' | ']' | '<' | '>' | '`' | '~' | '*' | '|' => true,
                '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
                // What would be a character by its name or number.
                '&' => next == '#' || next.is_ascii_alphabetic(),
                _ => false,
            };
            if marks {
                plain.push('\\');
            }
            plain.push_str(&escape(c.encode_utf8(&mut [0; 4]).as_bytes()).to_string());
            c.len_utf8()
        };
        before = c;
        rest = rest.get(len..).unwrap_or("");
    }
    plain
}

/// Escapes what is only markup at the beginning of a line, and gives the rest of the line.
fn begin<'l>(line: &'l str, plain: &mut String) -> &'l str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line.get(digits..).filter(|rest| digits > 0 && rest.starts_with(['.', ')']));
    let at = if number.is_some() { digits } else { 0 };
    let (before, rest) = line.split_at_checked(at).unwrap_or(("", line));
    plain.push_str(before);
    if number.is_some() || rest.starts_with(['#', '-', '+', '=']) {
        let mut marked = rest.chars();
        plain.push('\\');
        plain.extend(marked.next());
        return marked.as_str();
    }
    rest
}

/// The address that a text begins with, as far as a link can hold it.
fn address(text: &str) -> Option<&str> {
    let behind =
        text.strip_prefix("http").map(|rest| rest.strip_prefix('s').unwrap_or(rest))?.strip_prefix("://")?;
    let holds = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&()*+,;=%".contains(c);
    let len = behind.find(|c| !holds(c)).unwrap_or(behind.len());
    // What ends a sentence is not meant.
    let said = behind.get(..len)?.trim_end_matches(|c| ".,;:!?)*".contains(c));
    (!said.is_empty())
        .then(|| text.get(..text.len().saturating_sub(behind.len()).saturating_add(said.len())))?
}

/// The code between single backticks that a text begins with.
fn code(text: &str) -> Option<&str> {
    let (code, behind) = text.strip_prefix('`')?.split_once('`')?;
    (!code.trim().is_empty() && !behind.starts_with('`')).then_some(code)
}

/// A text as it stands in code, where nothing is markup.
fn literal(code: &str) -> String {
    let pieces: Vec<String> = code.split('\\').map(|piece| escape(piece.as_bytes()).to_string()).collect();
    pieces.join("\\")
}

/// Whether clippy might take a word of a line for a name or an address that belongs into backticks.
pub(super) fn names_code(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        let said = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let capitals = said.chars().filter(|c| c.is_uppercase()).count();
        said.contains(['_', ':']) || (capitals > 1 && said.chars().any(char::is_lowercase))
    })
}
