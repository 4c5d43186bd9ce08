//! Any type of the subset and any value of it: between text, bytes and schemas nothing is lost.
#![cfg(feature = "json")]

use crate::support::arbitrary;
use arbitrary::Random;
use kiln::dynamic::{self, DecodeError, Json, Layout};
use kiln::schema::{Scalar, Schema, Type, TypeBuilder};
use kiln::{Error, Frozen, Limits, Reason};
use serde::de::IgnoredAny;

#[test]
fn kiln_to_json_to_kiln_is_the_identity() {
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let ty = random.ty(4, false);
        let value = random.value(ty.root());
        let bytes = dynamic::encode(&ty, &value).unwrap();
        let json = Json::new(ty.clone()).unwrap();
        for layout in [Layout::Compact, Layout::Pretty] {
            let text = json.decode_with(&bytes, &Limits::DEFAULT, layout).unwrap();
            let back =
                json.encode(&text).unwrap_or_else(|error| panic!("seed {seed}: {ty}: {text}: {error}"));
            assert_eq!(back, bytes, "seed {seed}: {ty}: {text}");
        }
        assert_eq!(json.value(&json.text(&value).unwrap()).unwrap(), value, "seed {seed}");
    }
}

#[test]
fn json_to_kiln_to_json_is_the_identity() {
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let ty = random.ty(4, true);
        let json = Json::new(ty.clone()).unwrap();
        let text = json.text(&random.value(ty.root())).unwrap();
        // Another reader of JSON agrees that this is JSON.
        let tree: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(json.decode(&json.encode(&text).unwrap()).unwrap(), text, "seed {seed}");
        // Its own spelling of the same, and members in any order, are the same bytes.
        let bytes = json.encode(&text).unwrap();
        let spelled = serde_json::to_string_pretty(&shuffled(&tree, &mut random)).unwrap();
        assert_eq!(json.encode(&spelled).map_err(|e| e.to_string()), Ok(bytes), "seed {seed}: {spelled}");
    }
}

/// The same tree with the members of its objects in another order; floats are left as text, whose last digit
/// serde_json does not promise to keep.
fn shuffled(tree: &serde_json::Value, random: &mut Random) -> serde_json::Value {
    match tree {
        serde_json::Value::Array(items) => items.iter().map(|item| shuffled(item, random)).collect(),
        serde_json::Value::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(key, value)| (key.clone(), shuffled(value, random))).collect();
            for at in (1..members.len()).rev() {
                members.swap(at, random.below(at + 1));
            }
            serde_json::Value::Object(members.into_iter().collect())
        }
        other => other.clone(),
    }
}

#[test]
fn damaged_bytes_are_refused_as_the_checker_does() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let ty = random.ty(4, false);
        let bytes = dynamic::encode(&ty, &random.value(ty.root())).unwrap();
        let json = Json::new(ty.clone()).unwrap();
        for _ in 0..60 {
            let mut bytes = bytes.clone();
            match random.below(3) {
                0 => bytes.truncate(random.below(bytes.len() + 1)),
                1 => bytes.push(random.word() as u8),
                _ if bytes.is_empty() => {}
                _ => {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
            let limits = Limits::DEFAULT.with_count(3).with_bytes(12);
            let expected = dynamic::check_with(&ty, &bytes, &limits);
            let found = json.decode_with(&bytes, &limits, Layout::Compact);
            assert_eq!(found.map(drop), expected, "seed {seed}: {ty}: {bytes:?}");
        }
    }
}

#[test]
fn from_text_to_schema_and_back_is_the_same_type() {
    for seed in 0..2000 {
        let ty = Random::new(seed).ty(5, true);
        let document = ty.to_json_schema().unwrap_or_else(|error| panic!("seed {seed}: {ty}: {error}"));
        // Another reader agrees that it is JSON.
        let value: serde_json::Value = serde_json::from_str(&document).unwrap();
        let schema =
            Schema::from_json(&document).unwrap_or_else(|error| panic!("seed {seed}: {document}: {error}"));
        assert_eq!(*schema.ty(), ty, "seed {seed}");
        assert_eq!(schema.ty().hash(), ty.hash(), "seed {seed}");
        assert_eq!(*Schema::from_value(&value).unwrap().ty(), ty, "seed {seed}");
    }
}

/// What the elements of a list, read one by one, are refused with, and the line that names the place.
fn by_lines(json: &Json, bytes: &[u8], limits: &Limits) -> Option<(Error, String)> {
    let rejected = |error: DecodeError| match error {
        DecodeError::Rejected(error) => error,
        other => panic!("{other}"),
    };
    let mut lines = match json.lines(bytes, limits) {
        Ok(lines) => lines,
        Err(error) => {
            let error = rejected(error);
            return Some((error, json.ty().describe(&error, bytes).to_string()));
        }
    };
    let mut text = Vec::new();
    loop {
        match lines.next_line(&mut text) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => {
                let error = rejected(error);
                assert_eq!(
                    lines.next_line(&mut text).map_err(rejected),
                    Err(error),
                    "it says something else"
                );
                return Some((error, lines.describe(&error).to_string()));
            }
        }
    }
}

/// Whatever reads the bytes finds the same fault, to the last number, on the same way.
fn one_fault(ty: &Type, bytes: &[u8], limits: &Limits) -> Option<Error> {
    let expected = dynamic::check_with(ty, bytes, limits);
    let line = |error: &Error| ty.describe(error, bytes).to_string();
    assert_eq!(dynamic::decode_with(ty, bytes, limits).map(drop), expected, "{ty} {bytes:?}");
    let ignored = dynamic::deserialize_with::<IgnoredAny>(ty, bytes, limits).map(drop);
    assert_eq!(ignored.map_err(|error| *error.rejected().expect("the bytes")), expected, "{ty} {bytes:?}");
    if let Ok(json) = Json::new(ty.clone()) {
        let decoded = json.decode_with(bytes, limits, Layout::Compact).map(drop);
        assert_eq!(decoded, expected, "{ty} {bytes:?}");
        let expected = expected.err().map(|error| (error, line(&error)));
        assert_eq!(by_lines(&json, bytes, limits), expected, "{ty} {bytes:?}");
    }
    expected.err()
}

#[test]
fn the_way_to_a_fault_in_a_deep_type_is_one_however_it_is_found() {
    // A container with one part, and the bytes that stand before the part.
    let wrap = |kind: usize, ty: &str| -> (String, &[u8]) {
        match kind {
            0 => (format!("list{{{ty}}}"), &[1, 0, 0, 0]),
            1 => (format!("struct{{f:{ty},}}"), &[]),
            2 => (format!("struct{{f:optional{{{ty}}},}}"), &[1]),
            3 => (format!("dict{{{ty}}}"), &[1, 0, 0, 0, 1, 0, 0, 0, b'k']),
            _ => (format!("optional{{{ty}}}"), &[1]),
        }
    };
    let inner: [(&str, &[u8]); 10] = [
        ("u8", &[7]),
        ("str", b"\x01\0\0\0s"),
        ("list{u16}", &[1, 0, 0, 0, 1, 2]),
        ("struct{a:u8,}", &[7]),
        ("struct{a:struct{b:bool,},}", &[1]),
        ("struct{}", &[]),
        ("struct{a:optional{bool},b:u8,}", &[1, 0, 7]),
        ("dict{u8}", b"\x02\0\0\0\x01\0\0\0a\x07\x01\0\0\0b\x08"),
        ("optional{u8}", &[1, 7]),
        ("list{struct{a:list{bool},}}", &[1, 0, 0, 0, 1, 0, 0, 0, 1]),
    ];
    let (mut types, mut faults, mut deep) = (0, 0, 0);
    for pattern in 0..12 {
        let mut random = Random::new(pattern);
        for depth in 62..=65 {
            for (text, value) in inner {
                let (mut ty, mut bytes) = (text.to_owned(), value.to_vec());
                for level in (0..depth).rev() {
                    // The outermost is a list, and the first patterns are one container again and again.
                    let kind = match pattern {
                        _ if level == 0 => 0,
                        0..5 => pattern as usize,
                        _ => random.below(5),
                    };
                    let (around, before) = wrap(kind, &ty);
                    (ty, bytes) = (around, [before, &bytes[..]].concat());
                }
                let Ok(ty) = Type::parse(&ty) else { continue };
                types += 1;
                let mut compare = |bytes: &[u8]| {
                    let fault = one_fault(&ty, bytes, &Limits::DEFAULT);
                    faults += usize::from(fault.is_some());
                    deep += usize::from(fault.is_some_and(|fault| fault.reason() == Reason::Depth));
                };
                compare(&bytes);
                compare(&[&bytes[..], &[0]].concat());
                for at in bytes.len().saturating_sub(10)..bytes.len() {
                    compare(&bytes[..at]);
                    for byte in [0, 2, 0xff] {
                        let mut bytes = bytes.clone();
                        bytes[at] = byte;
                        compare(&bytes);
                    }
                }
            }
        }
    }
    assert!(
        types > 400 && faults > 10_000 && deep > 3_000,
        "{types} types, {faults} faults, {deep} of depth"
    );
}

#[test]
fn any_fault_in_any_value_is_one_however_it_is_found() {
    let mut faults = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let Ok(ty) = Type::list(random.ty(5, false)) else { continue };
        let bytes = dynamic::encode(&ty, &random.value(ty.root())).unwrap();
        for _ in 0..40 {
            let mut bytes = bytes.clone();
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes.truncate(at),
                1 => bytes[at] = random.word() as u8,
                _ => bytes[at] ^= 1 << random.below(8),
            }
            let limits = Limits::DEFAULT.with_count(5).with_bytes(12);
            faults += usize::from(one_fault(&ty, &bytes, &limits).is_some());
        }
    }
    assert!(faults > 3000, "{faults} faults");
}

#[test]
fn a_recursive_type_is_walked_like_its_derive() {
    #[derive(Frozen, Debug)]
    struct Tree {
        name: bool,
        below: Vec<Tree>,
    }
    let mut types = TypeBuilder::new();
    let node = types.declare();
    let name = types.scalar(Scalar::Bool);
    let below = types.list(node);
    let body = types.structure([("name", name), ("below", below)]);
    types.define(node, body);
    let list = types.list(node);
    let ty = types.finish(list).unwrap();
    let mut deep = 0;
    for depth in 28..36 {
        let mut bytes = [1, 0, 0, 0, 1].repeat(depth);
        bytes.extend([0; 4]);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] = 9;
            for bytes in [&bytes[..at], &damaged] {
                let found = one_fault(&ty, bytes, &Limits::DEFAULT);
                let derived = kiln::from_slice::<Vec<Tree>>(bytes).err();
                assert_eq!(found, derived);
                if let Some(error) = derived {
                    assert_eq!(ty.describe(&error, bytes).to_string(), error.describe(bytes).to_string());
                    deep += usize::from(error.reason() == Reason::Depth);
                }
            }
        }
    }
    assert!(deep > 100, "{deep}");
}
