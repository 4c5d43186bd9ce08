//! Names that Rust and its lints have nothing against.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;

/// Names that are taken, each by one.
#[derive(Default)]
pub(super) struct Taken {
    names: BTreeSet<String>,
    /// The number that was tried last behind a name, so that none is tried twice.
    asked: BTreeMap<String, u64>,
}

impl Taken {
    /// With what is written otherwise taken as types.
    pub(super) fn by_types() -> Self {
        let names = ["Self", "String", "Vec", "Option", "Box", "Some", "None", "Ok", "Err"];
        Taken { names: names.map(String::from).into(), asked: BTreeMap::new() }
    }

    /// The name, or, as it is taken, with the least number behind it from 2 on that makes it free. It is taken now.
    fn take(&mut self, name: String, separator: &str) -> String {
        let number = self.asked.entry(name.clone()).or_insert(1);
        let mut free = name.clone();
        while !self.names.insert(free.clone()) {
            *number = number.saturating_add(1);
            free = format!("{name}{separator}{number}");
        }
        free
    }

    /// The free name of a type.
    pub(super) fn take_type(&mut self, name: &str) -> String {
        self.take(fitting(name), "")
    }

    /// The free name of a field, and whether it is another than on the wire.
    pub(super) fn take_field(&mut self, name: &str) -> (String, bool) {
        let mut made = if is_snake(name) { name.into() } else { snake(name) };
        // These cannot be said as raw identifiers.
        if matches!(made.as_str(), "self" | "super" | "crate") {
            made.push('_');
        }
        // Rust warns of two underscores in a row.
        let separator = if made.ends_with('_') { "" } else { "_" };
        let mut free = self.take(made, separator);
        let renamed = free != name;
        if KEYWORDS.contains(&free.as_str()) {
            free.insert_str(0, "r#");
        }
        (free, renamed)
    }
}

/// How many bytes the name of a type may have: one that is put together from the names of what it is in would grow with
/// each of them.
const MAX_TYPE_NAME: usize = 100;

/// The end of a name that is too long, from a word on; and no abbreviation in capitals, of which clippy warns.
fn fitting(name: &str) -> String {
    let cut = name.len().saturating_sub(MAX_TYPE_NAME);
    let tail = name.get(cut..).unwrap_or(name);
    let word = if cut == 0 { Some(0) } else { tail.find(|c: char| c.is_ascii_uppercase()) };
    let mut made = String::new();
    match word.and_then(|at| tail.get(at..)) {
        Some(tail) => made.push_str(tail),
        None => {
            made.push('T');
            made.push_str(tail);
        }
    }
    if made.len() > 2 && made.bytes().all(|byte| byte.is_ascii_uppercase()) {
        let rest = made.split_off(1);
        made.push_str(&rest.to_ascii_lowercase());
    }
    made
}

/// The words of a name: runs of ASCII letters and digits.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// The name of a type.
pub(super) fn pascal(name: &str) -> String {
    let mut made = String::new();
    for word in words(name) {
        let (first, rest) = word.split_at(1);
        if made.is_empty() && first.starts_with(|c: char| c.is_ascii_digit()) {
            made.push('T');
        }
        made.push_str(&first.to_ascii_uppercase());
        made.push_str(rest);
    }
    if made.is_empty() { "Type".into() } else { made }
}

/// Whether a name is one that Rust has for a field and does not warn of.
fn is_snake(name: &str) -> bool {
    let inner = name.trim_matches('_');
    !inner.is_empty()
        && !inner.contains("__")
        && !name.contains("__")
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

fn snake(name: &str) -> String {
    let mut made = String::new();
    for word in words(name) {
        if !made.is_empty() {
            made.push('_');
        }
        let mut bytes = word.bytes().peekable();
        let mut before = None;
        while let Some(byte) = bytes.next() {
            // `roomName`, and `HTTPServer`.
            let breaks =
                |before: u8| !before.is_ascii_uppercase() || bytes.peek().is_some_and(u8::is_ascii_lowercase);
            if byte.is_ascii_uppercase() && before.is_some_and(breaks) {
                made.push('_');
            }
            made.push(char::from(byte.to_ascii_lowercase()));
            before = Some(byte);
        }
    }
    if made.is_empty() {
        made.push_str("field");
    }
    if made.starts_with(|c: char| c.is_ascii_digit()) {
        made.insert(0, '_');
    }
    made
}

/// Whether clippy might say of the fields of a struct that all repeat a word, or one of them the struct's name.
pub(super) fn repeat_words(structure: &str, fields: &[String]) -> bool {
    let name = snake(structure);
    let plain = || fields.iter().map(|field| field.trim_start_matches("r#").trim_matches('_'));
    let shared = |word: fn(&str) -> Option<&str>| {
        let mut all = plain().map(word);
        let first = all.next().flatten();
        first.is_some() && all.all(|word| word == first)
    };
    let repeats = |field: &str| field.starts_with(&name) || field.ends_with(&name);
    // Of one or two fields it says nothing.
    fields.len() > 2
        && (shared(|field| field.split('_').next())
            || shared(|field| field.rsplit('_').next())
            || plain().any(repeats))
}

/// What an edition of Rust keeps for itself.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];
