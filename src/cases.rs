//! The runner of case files: byte strings with the answer that every reader must give. Chapter: Golden cases.
//!
//! ```
//! use kiln::cases::File;
//! let file = File::parse(
//!     r#"{"format": "kiln-cases/1", "cases": [
//!         {"name": "two", "type": "list{u8}", "hex": ["02000000", "07*2"], "accept": true},
//!         {"name": "short", "type": "list{u8}", "hex": "03000000", "accept": false, "error": "EOF", "offset": 4}
//!     ]}"#,
//!     "spec".as_ref(),
//! )?;
//! assert!(file.cases()[0].run().is_ok());
//! assert_eq!(
//!     file.cases()[1].run().unwrap_err().to_string(),
//!     "expected EOF at byte 4, found EOF at byte 0 (0x0): the bytes left cannot hold that many elements \
//!      (3 need at least 3 bytes, 0 left)"
//! );
//! # Ok::<(), kiln::cases::LoadError>(())
//! ```

use crate::dynamic::{self, FramedError, Value};
use crate::error::{Code, Error, Reason};
use crate::escape::{escape, shorten};
use crate::limits::Limits;
use crate::schema::{Kind, Scalar, Type};
use crate::tensor::Builder;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// A case file, read and found to be in the form of the chapter.
#[derive(Clone, Debug)]
pub struct File {
    cases: Vec<Case>,
}

/// A byte string with the answer to it.
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    ty: Type,
    framed: bool,
    bytes: Vec<u8>,
    verdict: Verdict,
    limits: Limits,
    note: String,
}

/// What a reader has to say to the bytes of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is a value, and encoding the value gives the same bytes.
    Accept,
    /// It is none.
    Reject {
        /// The code.
        code: Code,
        /// The step of the directory's check order, where the case gives one.
        step: Option<u8>,
        /// The offset, where the case gives one.
        offset: Option<u64>,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Verdict::Accept => f.write_str("accepted"),
            Verdict::Reject { code, step, offset } => {
                code.fmt(f)?;
                if let Some(offset) = offset {
                    write!(f, " at byte {offset}")?;
                }
                step.map_or(Ok(()), |step| write!(f, ", step {step}"))
            }
        }
    }
}

/// A case file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    cases: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    r#type: String,
    #[serde(default)]
    framed: bool,
    #[serde(default, deserialize_with = "given")]
    hex: Option<Hex>,
    #[serde(default, deserialize_with = "given")]
    file: Option<String>,
    accept: bool,
    #[serde(default, deserialize_with = "given")]
    error: Option<String>,
    #[serde(default, deserialize_with = "given")]
    step: Option<u8>,
    #[serde(default, deserialize_with = "given")]
    offset: Option<u64>,
    #[serde(default)]
    caps: Caps,
    #[serde(default)]
    note: String,
}

/// Bytes as a case writes them: digits, or pieces of digits, each perhaps with how often it is repeated.
enum Hex {
    Digits(String),
    Pieces(Vec<String>),
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Hex;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("hex, which is a string or a list of strings")
            }

            fn visit_str<E>(self, digits: &str) -> Result<Hex, E> {
                Ok(Hex::Digits(digits.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Hex, A::Error> {
                let mut pieces = Vec::new();
                while let Some(piece) = from.next_element()? {
                    pieces.push(piece);
                }
                Ok(Hex::Pieces(pieces))
            }
        }
        from.deserialize_any(Visit)
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Caps {
    #[serde(default, deserialize_with = "given")]
    count: Option<u64>,
    #[serde(default, deserialize_with = "given")]
    bytes: Option<u64>,
}

/// What is there is a `T`: an Option by itself would also take null.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

impl File {
    /// The longest text of a case file, in bytes: 16 MiB.
    pub const MAX_TEXT: usize = 16 << 20;

    /// The most that all byte strings of a case file together may come to, in bytes, however short the text says
    /// them: 256 MiB. Reading a file holds that, each byte string once, and what the text is kept in.
    pub const MAX_BYTES: usize = 256 << 20;

    /// What the value of a case may own while the case runs, in bytes: 1 GiB. A case that needs more is none that
    /// passes.
    pub const OWNED: u64 = Limits::DEFAULT.owned;

    /// Reads the case file at `path`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and [`LoadError::Io`].
    pub fn load(path: impl AsRef<Path>) -> Result<File, LoadError> {
        let path = path.as_ref();
        let io = |error| LoadError::Io { path: path.into(), error };
        let bytes = read(&mut fs::File::open(path).map_err(io)?, File::MAX_TEXT).map_err(io)?;
        let text = core::str::from_utf8(&bytes)
            .map_err(|error| io(io::Error::new(io::ErrorKind::InvalidData, error)))?;
        File::parse(text, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a case file from its text. Files that it names are looked up in `folder`.
    ///
    /// # Errors
    /// [`LoadError`] for whatever is not in the form of the chapter: an unknown key, a key twice, another kind of
    /// value, hex that is none, a type that is none, a name twice; for a file that leaves `folder`; for a text of more
    /// than [`MAX_TEXT`](Self::MAX_TEXT), and for more than [`MAX_BYTES`](Self::MAX_BYTES) in all byte strings.
    pub fn parse(text: &str, folder: &Path) -> Result<File, LoadError> {
        if text.len() > File::MAX_TEXT {
            return Err(LoadError::TooLong { len: text.len() });
        }
        let document: Document = serde_json::from_str(text).map_err(LoadError::Json)?;
        if document.format != "kiln-cases/1" {
            return Err(LoadError::Format(document.format));
        }
        let mut names = BTreeSet::new();
        let mut left = File::MAX_BYTES;
        let mut cases = Vec::with_capacity(document.cases.len());
        for entry in document.cases {
            let name = entry.name.clone();
            if !names.insert(name.clone()) {
                return Err(LoadError::Case { name, what: "another case has the same name".into() });
            }
            match Case::new(entry, folder, &mut left) {
                Ok(case) => cases.push(case),
                Err(what) => return Err(LoadError::Case { name, what }),
            }
        }
        Ok(File { cases })
    }

    /// The cases, in order.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }
}

/// All that `from` gives, at most `cap` bytes.
fn read(from: &mut impl Read, cap: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take((cap as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > cap {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("there are more than {cap} bytes")));
    }
    Ok(bytes)
}

/// The bytes of a file that lies in `folder` or below it.
fn golden(folder: &Path, file: &str, cap: usize) -> Result<Vec<u8>, String> {
    if !Path::new(file).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(format!(
            "the file \"{}\" is not inside the folder of the cases",
            escape(shorten(file).as_bytes())
        ));
    }
    let path = folder.join(file);
    let io = |error: io::Error| format!("{}: {error}", escape(path.to_string_lossy().as_bytes()));
    // A pipe or a device would never end.
    let facts = fs::metadata(&path).map_err(io)?;
    if !facts.is_file() {
        return Err(format!("{} is not a file", escape(path.to_string_lossy().as_bytes())));
    }
    within(usize::try_from(facts.len()).unwrap_or(usize::MAX), cap)?;
    read(&mut fs::File::open(&path).map_err(io)?, cap).map_err(io)
}

/// The bytes that `hex` stands for, at most `cap`.
fn unhex(hex: Hex, cap: usize) -> Result<Vec<u8>, String> {
    let pieces = match hex {
        Hex::Digits(digits) => {
            return unit(&digits).and_then(|bytes| within(bytes.len(), cap).map(|_| bytes));
        }
        Hex::Pieces(pieces) => pieces,
    };
    // The pieces are read twice, so that the bytes are held once.
    let mut size = 0usize;
    for text in &pieces {
        let (unit, times) = piece(text)?;
        size = within(unit.len().saturating_mul(times).saturating_add(size), cap)?;
    }
    let mut bytes = Vec::with_capacity(size);
    for text in &pieces {
        let (unit, times) = piece(text)?;
        // Twice as much with each copy.
        let start = bytes.len();
        let end = start.saturating_add(unit.len().saturating_mul(times));
        if start < end {
            bytes.extend_from_slice(&unit);
        }
        while bytes.len() < end {
            let more = bytes.len().saturating_sub(start).min(end.saturating_sub(bytes.len()));
            bytes.extend_from_within(start..start.saturating_add(more));
        }
    }
    Ok(bytes)
}

fn within(size: usize, cap: usize) -> Result<usize, String> {
    match size <= cap {
        true => Ok(size),
        false => Err(format!("the bytes of the cases are more than {} in all", File::MAX_BYTES)),
    }
}

/// A piece of a list, and how often it stands there.
fn piece(text: &str) -> Result<(Vec<u8>, usize), String> {
    match text.split_once('*') {
        Some((digits, times)) if times.bytes().all(|byte| byte.is_ascii_digit()) => {
            let often =
                times.parse().map_err(|_| format!("hex repeats a piece \"{}\" times", shorten(times)))?;
            Ok((unit(digits)?, often))
        }
        _ => Ok((unit(text)?, 1)),
    }
}

/// What the digits stand for.
fn unit(digits: &str) -> Result<Vec<u8>, String> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| match *pair {
        [high, low] => Some(char::from(high).to_digit(16)? << 4 | char::from(low).to_digit(16)?),
        _ => None,
    });
    let unit = pairs.map(|byte| byte.and_then(|byte| u8::try_from(byte).ok()));
    let unit: Option<Vec<u8>> = unit.collect();
    unit.ok_or_else(|| format!("\"{}\" is not hex, two digits a byte", escape(shorten(digits).as_bytes())))
}

impl Case {
    #[expect(clippy::arithmetic_side_effects, reason = "what was read is no more than was left")]
    fn new(entry: Entry, folder: &Path, left: &mut usize) -> Result<Case, String> {
        let ty = Type::parse(&entry.r#type).map_err(|error| error.to_string())?;
        let bytes = match (entry.hex, entry.file) {
            (Some(hex), None) => unhex(hex, *left)?,
            (None, Some(file)) => golden(folder, &file, *left)?,
            _ => return Err("a case has either hex or file".into()),
        };
        *left -= bytes.len();
        let verdict = match (entry.accept, entry.error) {
            (true, None) if entry.step.is_none() && entry.offset.is_none() => Verdict::Accept,
            (true, _) => return Err("an accepted case has no error, step or offset".into()),
            (false, None) => return Err("a rejected case has an error".into()),
            (false, Some(error)) => Verdict::Reject {
                code: Code::from_name(&error).ok_or_else(|| {
                    format!("\"{}\" is none of the seven codes", escape(shorten(&error).as_bytes()))
                })?,
                step: entry.step,
                offset: entry.offset,
            },
        };
        if entry.step.is_some_and(|step| !(1..=12).contains(&step)) {
            return Err("a step is a number from 1 to 12".into());
        }
        if entry.step.is_some() && !matches!(ty.root().kind(), Kind::Scalar(Scalar::Tensors)) {
            return Err("only a case of the type tensors has a step".into());
        }
        let Limits { count, bytes: run, .. } = Limits::DEFAULT;
        let limits = Limits::NONE
            .with_owned(File::OWNED)
            .with_count(entry.caps.count.unwrap_or(count))
            .with_bytes(entry.caps.bytes.unwrap_or(run));
        let (name, framed, note) = (entry.name, entry.framed, entry.note);
        Ok(Case { name, ty, framed, bytes, verdict, limits, note })
    }

    /// The name, unique in its file. Escape it before it goes to a terminal.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type to read the bytes as.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Whether the bytes begin with a frame.
    #[must_use]
    pub fn framed(&self) -> bool {
        self.framed
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The answer that a reader has to give.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The caps to read with, and [`File::OWNED`].
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The note, empty where there is none. Escape it before it goes to a terminal.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Reads the bytes, holding [`File::OWNED`] and three times their length at most, and compares the answer: verdict, code, step and offset where the case gives them, and,
    /// where they are accepted, the bytes that the value encodes to. Checking without building has to say the
    /// same as decoding.
    ///
    /// # Errors
    /// [`Mismatch`], when this library gives another answer.
    pub fn run(&self) -> Result<(), Mismatch> {
        let Case { ty, bytes, limits, .. } = self;
        let (checked, decoded) = if self.framed {
            let checked = dynamic::check_framed_with(ty, bytes, limits);
            (checked, dynamic::decode_framed_with(ty, bytes, limits))
        } else {
            let checked = dynamic::check_with(ty, bytes, limits).map_err(FramedError::Rejected);
            (checked, dynamic::decode_with(ty, bytes, limits).map_err(FramedError::Rejected))
        };
        // Checking owns nothing. The budget is the runner's, and no answer to the bytes.
        if let Err(error @ FramedError::Rejected(rejected)) = &decoded {
            if rejected.reason() == Reason::Budget {
                return Err(self.mismatch(format!("a case too large to run: {}", self.line(error))));
            }
        }
        if checked.as_ref().err() != decoded.as_ref().err() {
            let said = |error: Option<&FramedError>| match error {
                None => "accepted".to_string(),
                Some(error) => self.line(error),
            };
            return Err(Mismatch {
                expected: format!(
                    "the same from checking as from decoding, {}",
                    said(decoded.as_ref().err())
                ),
                found: said(checked.as_ref().err()),
            });
        }
        match (decoded, self.verdict) {
            (Ok(value), Verdict::Accept) => match self.encode(value) {
                Ok(again) if again == *bytes => Ok(()),
                Ok(again) => {
                    let same = again.iter().zip(bytes).take_while(|(a, b)| a == b).count();
                    let len = again.len();
                    let found = format!("{len} bytes from encoding the value, different from byte {same} on");
                    Err(self.mismatch(found))
                }
                Err(error) => Err(self.mismatch(format!("a value that does not encode: {error}"))),
            },
            (Ok(_), Verdict::Reject { .. }) => Err(self.mismatch("accepted".into())),
            (Err(FramedError::Rejected(error)), verdict) if verdict.is(&error) => Ok(()),
            (Err(error), _) => Err(self.mismatch(self.line(&error))),
        }
    }

    /// Encodes a decoded value. Its directories are built anew from their tensors, so that no byte of the answer is
    /// a copy of the question.
    fn encode(&self, mut value: Value) -> Result<Vec<u8>, String> {
        // A name that says so as well costs a walk.
        let mut parts = if self.ty.to_string().contains("tensors") { vec![&mut value] } else { Vec::new() };
        while let Some(part) = parts.pop() {
            match part {
                Value::Tensors(directory) => {
                    let builder =
                        Builder::of(&directory.as_directory()).map_err(|error| error.to_string())?;
                    let again = builder.to_owned_directory().map_err(|error| error.to_string())?;
                    **directory = again;
                }
                Value::List(items) | Value::Struct(items) => parts.extend(items),
                Value::Optional(item) => parts.extend(item.as_deref_mut()),
                Value::Dict(entries) => parts.extend(entries.iter_mut().map(|(_, item)| item)),
                _ => {}
            }
        }
        let again = match self.framed {
            true => dynamic::encode_framed(&self.ty, &value),
            false => dynamic::encode(&self.ty, &value),
        };
        again.map_err(|error| error.to_string())
    }

    fn line(&self, error: &FramedError) -> String {
        match error {
            FramedError::Type(error) => error.to_string(),
            FramedError::Rejected(error) => self.ty.describe(error, &self.bytes).to_string(),
        }
    }

    fn mismatch(&self, found: String) -> Mismatch {
        Mismatch { expected: self.verdict.to_string(), found }
    }
}

impl Verdict {
    /// Whether the error is what is asked for.
    fn is(&self, error: &Error) -> bool {
        match *self {
            Verdict::Accept => false,
            Verdict::Reject { code, step, offset } => {
                error.code() == code
                    && step.is_none_or(|step| error.step() == Some(step))
                    && offset.is_none_or(|offset| error.offset() == offset)
            }
        }
    }
}

/// A case to which this library gives another answer. Displays as one line, with names escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    expected: String,
    found: String,
}

impl Mismatch {
    /// What the case asks for.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What the library says.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl core::error::Error for Mismatch {}

/// A case file that is not one, or that could not be read. Displays as one line, with names escaped,
/// and long ones cut.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// A file could not be read.
    Io {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The text is longer than [`File::MAX_TEXT`].
    TooLong {
        /// How long it is, in bytes.
        len: usize,
    },
    /// The text is not JSON, or not of the form: a key unknown, missing or repeated, another kind of value.
    Json(serde_json::Error),
    /// The file is in another format.
    Format(String),
    /// A case is not one.
    Case {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: String,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io { path, error } => {
                write!(f, "{}: {error}", escape(path.to_string_lossy().as_bytes()))
            }
            LoadError::TooLong { len } => {
                write!(f, "the text has {len} bytes, and a case file at most {}", File::MAX_TEXT)
            }
            LoadError::Json(error) => escape(shorten(&error.to_string()).as_bytes()).fmt(f),
            LoadError::Format(format) => {
                write!(f, "the format is \"{}\" and not kiln-cases/1", escape(shorten(format).as_bytes()))
            }
            LoadError::Case { name, what } => {
                write!(f, "case \"{}\": {what}", escape(shorten(name).as_bytes()))
            }
        }
    }
}

impl core::error::Error for LoadError {}
