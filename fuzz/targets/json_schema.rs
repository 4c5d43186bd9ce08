//! Any bytes as a JSON Schema document, and any bytes as a value of its type: as Kiln and as JSON.
//!
//! An input is the document, a NUL, and the value. What is read of a document is held against another reader of JSON, and
//! against the document that its type is written as; what is read of a value against every other way of reading it.

use kiln::Limits;
use kiln::dynamic::{self, DecodeError, Json, Layout};
use kiln::schema::{Kind, NoJsonSchema, Schema, SchemaProblem};
use std::io::Read;

pub(crate) fn run(input: &[u8]) {
    let cut = input.iter().position(|&byte| byte == 0).unwrap_or(input.len());
    let Ok(document) = std::str::from_utf8(&input[..cut]) else { return };
    let rest = input.get(cut + 1..).unwrap_or(&[]);
    let Some(json) = schema(document) else { return };
    bytes(&json, rest);
    if let Ok(text) = std::str::from_utf8(rest) {
        encode(&json, text);
    }
}

/// What the other reader says of a text, where it says anything: it refuses depth and size by itself.
fn other(text: &str) -> Option<Result<serde_json::Value, ()>> {
    match serde_json::from_str(text) {
        Ok(value) => Some(Ok(value)),
        Err(error) => {
            let line = error.to_string();
            let own = line.starts_with("recursion limit") || line.starts_with("number out of range");
            if own { None } else { Some(Err(())) }
        }
    }
}

fn schema(document: &str) -> Option<Json> {
    let schema = match Schema::from_json(document) {
        Ok(schema) => schema,
        Err(error) => {
            assert!(!error.faults().is_empty());
            let syntax = matches!(error.faults()[0].problem(), SchemaProblem::Syntax { .. });
            match other(document) {
                Some(Ok(value)) => {
                    assert!(!syntax, "the other reader has it for JSON: {error}");
                    // Of a name that is there twice the other reader has only the last.
                    let twice =
                        error.faults().iter().any(|fault| *fault.problem() == SchemaProblem::Repeated);
                    for fault in error.faults().iter().filter(|_| !twice && !error.has_more()) {
                        let place = value.pointer(fault.pointer());
                        assert!(place.is_some() || fault.pointer().contains('…'), "nothing is at {fault}");
                    }
                }
                Some(Err(())) => assert!(syntax, "the other reader has it for no JSON: {error}"),
                None => {}
            }
            for fault in error.faults() {
                assert!(document.is_char_boundary(fault.offset()), "{fault}");
            }
            return None;
        }
    };
    if let Some(value) = other(document) {
        let value = value.expect("the other reader has it for no JSON");
        let again = Schema::from_value(&value).expect("a document whose text was read");
        assert_eq!(again.ty(), schema.ty());
    }
    let written: Result<String, NoJsonSchema> = schema.ty().to_json_schema();
    let written = written.expect("a type of the subset has a schema");
    let again = Schema::from_json(&written).expect("what was written is of the subset");
    assert_eq!(again.ty(), schema.ty(), "{written}");
    assert_eq!(again.ty().hash(), schema.ty().hash());
    Some(Json::new(schema.into_type()).expect("a type of the subset has JSON"))
}

/// A stream that comes in pieces of all sizes.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, place: &mut [u8]) -> std::io::Result<usize> {
        self.1 = self.1 % 7 + 1;
        let len = self.1.min(self.0.len()).min(place.len());
        let (now, rest) = self.0.split_at(len);
        place[..len].copy_from_slice(now);
        self.0 = rest;
        Ok(len)
    }
}

/// The bytes as a value: one verdict, and back to the same bytes.
fn bytes(json: &Json, bytes: &[u8]) {
    let ty = json.ty();
    let limits = Limits::DEFAULT.with_count(1000).with_bytes(1000);
    let verdict = dynamic::check_with(ty, bytes, &limits);
    let text = json.decode_with(bytes, &limits, Layout::Compact);
    assert_eq!(text.as_ref().map(|_| ()).map_err(|error| *error), verdict);
    let tree = dynamic::decode_with(ty, bytes, &limits);
    assert_eq!(tree.as_ref().map(|_| ()).map_err(|error| *error), verdict);
    if let Kind::List(_) = ty.root().kind() {
        let mut lines = Vec::new();
        let read = json.lines(Pieces(bytes, 0), &limits).and_then(|mut elements| {
            while elements.next_line(&mut lines)? {}
            Ok(())
        });
        match (read, &verdict) {
            (Ok(()), Ok(())) => {
                let lines = String::from_utf8(lines).expect("lines of text");
                let list = format!("[{}]", lines.lines().collect::<Vec<_>>().join(","));
                assert_eq!(Ok(list), text);
            }
            (Err(DecodeError::Rejected(error)), Err(other)) => {
                let facts =
                    |error: &kiln::Error| (error.reason(), error.offset(), error.claimed(), error.allowed());
                assert_eq!(facts(&error), facts(other));
                assert!(error.path().eq(other.path()), "{error} {other}");
            }
            (read, _) => panic!("{read:?} {verdict:?}"),
        }
    }
    let (Ok(text), Ok(tree)) = (text, tree) else { return };
    assert_eq!(json.encode(&text).as_deref(), Ok(bytes), "{text}");
    let pretty = json.decode_with(bytes, &limits, Layout::Pretty).expect("it was accepted");
    assert_eq!(json.encode(&pretty).as_deref(), Ok(bytes), "{pretty}");
    assert_eq!(dynamic::encode(ty, &tree).as_deref(), Ok(bytes));
    assert_eq!(dynamic::serialize(ty, &ty.named(&tree)).as_deref(), Ok(bytes));
    assert_ne!(
        other(&text).map(|read| read.is_ok()),
        Some(false),
        "the other reader has it for no JSON: {text}"
    );
}

/// The text as a value: what it is written as is a value, and stays the same.
fn encode(json: &Json, text: &str) {
    let read = other(text);
    let bytes = match json.encode(text) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert!(text.is_char_boundary(error.offset()), "{error}");
            return;
        }
    };
    assert_eq!(dynamic::check_with(json.ty(), &bytes, &Limits::NONE), Ok(()));
    let again = json.decode_with(&bytes, &Limits::NONE, Layout::Compact).expect("it is a value");
    assert_eq!(json.encode(&again).as_ref(), Ok(&bytes), "{again}");
    match read {
        Some(Ok(tree)) => {
            // What serde can say of the other reader's tree is the same value.
            if let Ok(other) = dynamic::serialize(json.ty(), &tree) {
                assert_eq!(other, bytes, "{text}");
            }
        }
        Some(Err(())) => panic!("the other reader has it for no JSON: {text}"),
        None => {}
    }
}
