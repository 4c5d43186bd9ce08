//! Any type of the subset and any value of it: between text, bytes and schemas nothing is lost.

mod arbitrary;

use arbitrary::Random;
use kiln::Limits;
use kiln::dynamic::{self, Json, Layout};
use kiln::schema::Schema;

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
            members.into_iter().collect()
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
