//! What a file is that is not what was expected, told from how it begins.

use crate::caps;
use kiln::tensor::Directory;
use kiln::{Error, Limits, Reason};
use serde::de::IgnoredAny;
use std::fmt;

/// A format that a file can be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Directory,
    Frame,
    Safetensors,
    Json,
    /// One that no command reads, in words.
    Other(&'static str),
}

/// First bytes that nothing else has, where they stand, and whose they are.
const MAGICS: [(usize, &[u8], Format); 25] = [
    (0, b"KLNT", Format::Directory),
    (0, b"KLN0", Format::Frame),
    (0, b"version https://git-lfs.github.com/spec/", POINTER),
    (0, b"version https://hawser.github.com/spec/", POINTER),
    (
        0,
        b"/annex/objects/",
        Format::Other("a pointer file of git-annex, which stands for the file; git annex get fetches that"),
    ),
    (0, b"GGUF", Format::Other("a GGUF file")),
    (0, b"\x93NUMPY", Format::Other("a NumPy array")),
    (0, b"PK\x03\x04", Format::Other("a ZIP archive, as PyTorch and NumPy write them")),
    (0, b"PK\x05\x06", Format::Other("a ZIP archive with nothing in it")),
    // The number that torch.save begins with, as a pickle of its own.
    (
        0,
        b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.",
        Format::Other("a PyTorch file of the old kind, a pickle"),
    ),
    (0, b"\x89HDF\r\n\x1a\n", Format::Other("an HDF5 file")),
    (0, b"ARROW1\0\0", Format::Other("an Arrow file")),
    (0, b"PAR1", Format::Other("a Parquet file")),
    (4, b"TFL3", Format::Other("a TensorFlow Lite file")),
    (0, b"SQLite format 3\0", Format::Other("an SQLite database")),
    (0, b"\x28\xb5\x2f\xfd", Format::Other("zstd data; decompress it first")),
    (0, b"\xfd7zXZ\0", Format::Other("xz data; decompress it first")),
    (0, b"\x04\x22\x4d\x18", Format::Other("lz4 data; decompress it first")),
    (4, b"1AY&SY", Format::Other("bzip2 data; decompress it first")),
    (0, b"7z\xbc\xaf\x27\x1c", Format::Other("a 7z archive")),
    (257, b"ustar", Format::Other("a tar archive")),
    (0, b"%PDF-", Format::Other("a PDF document")),
    (0, b"\x89PNG\r\n\x1a\n", Format::Other("a PNG image")),
    (0, b"\x7fELF", Format::Other("a program")),
    (0, b"#!/", Format::Other("a script")),
];

const POINTER: Format =
    Format::Other("a pointer file of Git LFS, which stands for the file; git lfs pull fetches that");

/// What some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// How far into a file is looked for what it is.
const FAR: usize = 1 << 16;

/// So many bytes are no short file: what begins as one thing for so long, and goes on beyond what is there, is that.
const LONG: usize = 64;

/// What the file is, as far as its bytes tell. Too few of them tell nothing.
pub(crate) fn format(bytes: &[u8]) -> Option<Format> {
    let magic = MAGICS
        .iter()
        .find(|&&(at, magic, _)| bytes.get(at..).is_some_and(|from| from.starts_with(magic)))
        .map(|&(_, _, format)| format);
    magic.or_else(|| {
        if is_gzip(bytes) {
            return Some(Format::Other("gzip data; decompress it first"));
        }
        if is_safetensors(bytes) {
            return Some(Format::Safetensors);
        }
        if is_pickle(bytes) {
            return Some(Format::Other("a pickle of Python"));
        }
        if is_onnx(bytes) {
            return Some(Format::Other("an ONNX model"));
        }
        text(bytes)
    })
}

/// A gzip header: deflate, no reserved flag, a known effort and system.
fn is_gzip(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, 8, 0..=31, _, _, _, _, 0 | 2 | 4, 0..=13 | 255, ..])
}

/// The length of a header that a reader would take, and an object of JSON as far as it is there.
fn is_safetensors(bytes: &[u8]) -> bool {
    let Some((len, rest)) = bytes.split_first_chunk() else { return false };
    match u64::from_le_bytes(*len) {
        len @ 2..=100_000_000 => {
            let whole = usize::try_from(len).ok().and_then(|len| rest.get(..len));
            let header = whole.or(Some(rest).filter(|rest| rest.len() >= LONG));
            header.is_some_and(|header| header.starts_with(b"{") && is_json(header))
        }
        _ => false,
    }
}

/// A protocol from 2 on, with what each of them begins with, and the stop at the end.
fn is_pickle(bytes: &[u8]) -> bool {
    match bytes {
        [0x80, 2 | 3, b'}' | b']' | b'(' | b'c', ..] => bytes.ends_with(b"."),
        // A frame that is all there, or of which much is.
        [0x80, 4 | 5, 0x95, rest @ ..] => rest.split_first_chunk().is_some_and(|(len, rest)| {
            let len = u64::from_le_bytes(*len);
            if bytes.len() >= LONG && len > rest.len() as u64 {
                return len <= u64::from(u32::MAX);
            }
            len <= rest.len() as u64 && bytes.ends_with(b".")
        }),
        _ => false,
    }
}

/// The fields of a model in protocol buffers, from its version to its graph.
fn is_onnx(bytes: &[u8]) -> bool {
    let [8, 1..=31, rest @ ..] = bytes else { return false };
    let mut rest = rest;
    while let [tag, behind @ ..] = rest {
        let Some((number, behind)) = varint(behind) else { return false };
        let fits = || usize::try_from(number).ok().filter(|_| number > 0).and_then(|len| behind.get(len..));
        rest = match tag {
            // The model's version is a number; producer, domain, documentation and operator sets are runs of bytes.
            0x28 => behind,
            0x12 | 0x1a | 0x22 | 0x32 | 0x42 => match fits() {
                Some(behind) => behind,
                None if number == 0 => behind,
                None => return false,
            },
            // The graph begins with a node, its name, or what it has.
            0x3a => {
                let is_graph = matches!(behind.first(), Some(0x0a | 0x12 | 0x2a | 0x52 | 0x5a | 0x62 | 0x6a));
                return is_graph && (fits().is_some() || bytes.len() >= LONG);
            }
            _ => return false,
        };
    }
    false
}

/// A number of seven bits a byte, and what follows it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let len = bytes.iter().take(9).position(|byte| byte & 0x80 == 0)?.checked_add(1)?;
    let (number, behind) = bytes.split_at_checked(len)?;
    let number = number.iter().rev().fold(0u64, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
    Some((number, behind))
}

/// Text of a kind that can be told: pages, XML, JSON.
fn text(bytes: &[u8]) -> Option<Format> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes).trim_ascii_start();
    // The beginning of a tag, whose name ends there.
    let tag = |tag: &[u8]| {
        let (name, behind) = bytes.split_at_checked(tag.len()).unwrap_or_default();
        name.eq_ignore_ascii_case(tag) && matches!(behind.first(), Some(b'>' | b' ' | b'\t' | b'\r' | b'\n'))
    };
    if tag(b"<!doctype html") || tag(b"<html") {
        return Some(Format::Other("an HTML page, as servers send instead of a file"));
    }
    if tag(b"<?xml") || tag(b"<Error") {
        return Some(Format::Other("an XML document, as servers send instead of a file"));
    }
    is_json(bytes).then_some(Format::Json)
}

/// An object or an array, whole as far as it is looked at.
fn is_json(bytes: &[u8]) -> bool {
    if !matches!(bytes.first(), Some(b'{' | b'[')) {
        return false;
    }
    let near = bytes.get(..FAR).unwrap_or(bytes);
    match serde_json::Deserializer::from_slice(near).into_iter::<IgnoredAny>().next() {
        Some(Ok(_)) => true,
        Some(Err(error)) => error.is_eof() && near.len() >= LONG,
        None => false,
    }
}

/// What a command reads, and so what its hint would be wrong or idle about.
pub(crate) enum Reads {
    Directory,
    /// A value of a type.
    Value {
        framed: bool,
        /// The options that were given and without which the command reads a directory.
        instead: Option<String>,
    },
    /// Either, as no option says it is a value.
    DirectoryOrValue,
    /// Either side of a conversion.
    Source(Format),
    Json,
    /// Whatever has blocks in it.
    Blocks,
}

/// What to say of a file that was rejected, when it is something else than the command reads.
pub(crate) fn hint(bytes: &[u8], reads: &Reads) -> Option<String> {
    let is_directory = || Directory::read_with(bytes, &Limits::NONE).is_ok();
    let words = match (format(bytes)?, reads) {
        (Format::Other(what), _) => what,
        (Format::Directory, Reads::Directory | Reads::DirectoryOrValue | Reads::Blocks) => return None,
        // A value, too, can begin with a directory.
        (Format::Directory, Reads::Value { framed: false, .. }) if !is_directory() => return None,
        (Format::Directory, Reads::Value { instead: Some(options), .. }) => {
            return Some(format!("a tensor directory; leave out {options}"));
        }
        (Format::Frame, Reads::Blocks | Reads::Value { framed: true, .. }) => return None,
        (Format::Frame, Reads::Value { framed: false, .. }) => "a framed value; give --framed",
        (Format::Frame, Reads::DirectoryOrValue) => "a framed value; give --framed and --type or --schema",
        (format, Reads::Source(expected)) if format == *expected => return None,
        (Format::Directory, Reads::Source(_)) => "a tensor directory already",
        (Format::Safetensors, Reads::Source(_)) => "a safetensors file already",
        (Format::Json, Reads::Json) => return None,
        (Format::Directory, _) => "a tensor directory; kiln inspect shows it",
        (Format::Frame, _) => "a framed value; kiln decode --framed reads it",
        (Format::Safetensors, _) => "a safetensors file; kiln convert reads it",
        (Format::Json, _) => "JSON text; kiln encode makes a value of it",
    };
    Some(words.into())
}

/// The same as the end of a line.
pub(crate) fn aside(bytes: &[u8], reads: &Reads) -> String {
    hint(bytes, reads).map_or(String::new(), |hint| format!(" (this looks like {hint})"))
}

/// Why a text is not the JSON that a command reads, and what it is instead.
pub(crate) fn no_json(text: &[u8], error: impl fmt::Display) -> String {
    match text.starts_with(MARK) {
        true => "a byte order mark is before it".into(),
        false => format!("{error}{}", aside(text, &Reads::Json)),
    }
}

/// What to do about an error, at the end of its line: what the file is, or else which option raises the cap.
pub(crate) fn advice(error: &Error, bytes: &[u8], reads: &Reads) -> String {
    advice_for(error.reason(), bytes, reads)
}

pub(crate) fn advice_for(reason: Reason, bytes: &[u8], reads: &Reads) -> String {
    match aside(bytes, reads) {
        aside if aside.is_empty() => caps::advice(reason),
        aside => aside,
    }
}

/// The same in two parts, of which one is there at most.
pub(crate) fn hint_or_option(
    reason: Reason,
    bytes: &[u8],
    reads: &Reads,
) -> (Option<String>, Option<&'static str>) {
    match hint(bytes, reads) {
        None => (None, caps::option(reason)),
        hint => (hint, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiln::tensor::Builder;

    fn other(bytes: &[u8]) -> Option<&'static str> {
        match format(bytes) {
            Some(Format::Other(what)) => Some(what),
            _ => None,
        }
    }

    /// Small files as their own programs write them, and a word of what they are.
    const OTHERS: &[(&[u8], &str)] = &[
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "Git LFS"),
        (b"/annex/objects/SHA256E-s9--00.safetensors\n", "git-annex"),
        (b"<!doctype html><html></html>", "HTML"),
        (b"\xef\xbb\xbf\r\n<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", "HTML"),
        (b"<HTML lang=en><body>404</body></HTML>", "HTML"),
        (b"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", "XML"),
        (b"GGUF\x03\0\0\0", "GGUF"),
        (b"\x93NUMPY\x01\0v\0{'descr': '<f4', }", "NumPy"),
        (b"PK\x03\x04\x14\0\0\0\0\0", "ZIP"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", "gzip"),
        (b"\x1f\x8b\x08\x08\xaa\xbb\xcc\x5d\x02\xffname\0", "gzip"),
        (b"\x28\xb5\x2f\xfd\x24\0\x01\0\0\x99\xe9\xd8\x51", "zstd"),
        (b"\x89HDF\r\n\x1a\n\0\0", "HDF5"),
        (b"\x80\x04\x95\x05\0\0\0\0\0\0\0]\x94.\0.", "pickle"),
        (b"\x80\x02}q\0.", "pickle"),
        (b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.", "PyTorch"),
        (b"\x08\x07\x12\x07pytorch\x1a\x032.1\x3a\x04\x12\x02ab\x42\x02\x10\x11", "ONNX"),
        (b"\x08\x0a\x3a\x02\x0a\0", "ONNX"),
    ];

    #[test]
    fn files_of_others_are_called_what_they_are_by_whatever_reads_them() {
        for &(bytes, word) in OTHERS {
            assert!(other(bytes).is_some_and(|what| what.contains(word)), "{word}: {:?}", format(bytes));
            for reads in [Reads::Directory, Reads::Json, Reads::Blocks, Reads::Source(Format::Safetensors)] {
                assert_eq!(hint(bytes, &reads).as_deref(), other(bytes), "{word}");
            }
        }
    }

    #[test]
    fn a_file_that_only_resembles_another_is_called_nothing() {
        let like: &[&[u8]] = &[
            b"",
            b"G",
            b"GGU",
            b"PK",
            b"\x1f\x8b",
            b"\x1f\x8b\x08",
            b"<",
            b"<html",
            b"<htmlx>",
            b"a <html>",
            b"<!doctype",
            b"<xml>",
            b"version 1",
            b"version https://example.org/",
            b"\x08",
            b"\x08\x07",
            // A list of 35615 bytes that is cut short.
            b"\x1f\x8b\0\0abcdef",
            // A graph that is not all there, a pickle without its end.
            b"\x08\x07\x3a\x7fab",
            b"\x08\x07\x12\x40pytorch",
            b"\x80\x02}q\0",
            b"\x80\x04\x95\xff\0\0\0\0\0\0\0.",
            // Text that is not JSON as far as it goes, and JSON that a value's bytes may be, too.
            b"{",
            b"[",
            b"{a}",
            b"{\"a\":",
            b"7",
            b"true",
            b"\"text\"",
            // Headers that reach further than the file.
            b"\x09\0\0\0\0\0\0\0{\"a\":1}",
            b"\xff\xff\xff\xff\xff\xff\xff\xff{\"",
            b"\x08\0\0\0\0\0\0\0(\"a\":1}",
        ];
        for bytes in like {
            assert_eq!(format(bytes), None, "{}", bytes.escape_ascii());
        }
        for &(bytes, word) in OTHERS {
            assert_eq!(format(&[b"x", bytes].concat()), None, "{word} behind another byte");
        }
    }

    /// As much as is read of a stream whose header is refused.
    #[test]
    fn the_beginning_of_a_long_file_tells_what_it_is() {
        let pickle = [b"\x80\x05\x95\0\0\x01\0\0\0\0\0]\x94".as_slice(), &[b'K'; 100]].concat();
        let header =
            [b"\0\x01\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\",\"shape\":[1]".as_slice(), &[b' '; 100]].concat();
        let model = [b"\x08\x07\x12\x07pytorch\x3a\xff\xff\x7f\x0a".as_slice(), &[0; 100]].concat();
        assert_eq!(other(&pickle[..64]), Some("a pickle of Python"));
        assert_eq!(format(&header[..72]), Some(Format::Safetensors));
        assert_eq!(other(&model[..64]), Some("an ONNX model"));
        for long in [pickle, header, model] {
            assert_eq!(format(&long[..48]), None);
        }
    }

    #[test]
    fn what_the_program_reads_is_named_where_another_command_or_option_reads_it() {
        let directory = Builder::new().to_vec().unwrap();
        let frame = kiln::frame::to_vec(&7u32).unwrap();
        let safetensors = b"\x02\0\0\0\0\0\0\0{}".to_vec();
        let json = b" [1, 2]".to_vec();
        let value = |framed, options: Option<&str>| Reads::Value { framed, instead: options.map(Into::into) };
        let said = |bytes: &[u8], reads: &Reads| hint(bytes, reads).unwrap_or_default();
        for (bytes, reads, words) in [
            (&directory, Reads::Directory, ""),
            (&directory, Reads::Blocks, ""),
            (&directory, value(false, None), "a tensor directory; kiln inspect shows it"),
            (&directory, value(false, Some("--type")), "a tensor directory; leave out --type"),
            (&directory[..60].to_vec(), value(false, Some("--type")), ""),
            (
                &directory[..60].to_vec(),
                value(true, Some("--framed")),
                "a tensor directory; leave out --framed",
            ),
            (&directory, Reads::Source(Format::Safetensors), "a tensor directory already"),
            (&directory, Reads::Source(Format::Directory), ""),
            (&frame, Reads::Directory, "a framed value; kiln decode --framed reads it"),
            (&frame, Reads::DirectoryOrValue, "a framed value; give --framed and --type or --schema"),
            (&frame, value(false, None), "a framed value; give --framed"),
            (&frame, value(true, None), ""),
            (&safetensors, Reads::Directory, "a safetensors file; kiln convert reads it"),
            (&safetensors, Reads::Source(Format::Directory), "a safetensors file already"),
            (&safetensors, Reads::Source(Format::Safetensors), ""),
            (&json, Reads::Json, ""),
            (&json, value(false, None), "JSON text; kiln encode makes a value of it"),
        ] {
            assert_eq!(said(bytes, &reads), words, "{}", bytes.escape_ascii());
        }
    }
}
