//! Any type that serde knows, written and read by a type known at run time.

mod arbitrary;

use arbitrary::Random;
use kiln::dynamic::{self, Json, SerdeError, Value};
use kiln::schema::Type;
use kiln::{Code, Frozen};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

fn ty(text: &str) -> Type {
    Type::parse(text).expect("a type")
}

fn written<T: Serialize + ?Sized>(text: &str, value: &T) -> Vec<u8> {
    dynamic::serialize(&ty(text), value).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused<T: Serialize + ?Sized>(text: &str, value: &T) -> String {
    dynamic::serialize(&ty(text), value).expect_err("it does not fit").to_string()
}

#[derive(Frozen, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Inner {
    name: String,
    sizes: Vec<u16>,
}

#[derive(Frozen, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Outer {
    id: u64,
    ratio: f32,
    inner: Inner,
    note: Option<String>,
    more: Vec<Option<Inner>>,
    map: BTreeMap<String, i8>,
    pair: (u8, String),
    on: bool,
}

fn outer() -> Outer {
    let inner = Inner { name: "é".into(), sizes: vec![1, 65535] };
    Outer {
        id: u64::MAX,
        ratio: f32::from_bits(0x7fc0_0001),
        inner: inner.clone(),
        note: Some("n".into()),
        more: vec![None, Some(inner)],
        map: [("b".into(), -1), ("a".into(), 1)].into(),
        pair: (7, "p".into()),
        on: true,
    }
}

#[test]
fn a_struct_has_the_bytes_of_its_derive_and_comes_back() {
    let ty = Type::of::<Outer>().unwrap();
    let mut value = outer();
    for note in [None, Some("x".to_owned())] {
        value.note = note;
        let bytes = dynamic::serialize(&ty, &value).unwrap();
        assert_eq!(bytes, kiln::to_vec(&value).unwrap());
        let back: Outer = dynamic::deserialize(&ty, &bytes).unwrap();
        assert_eq!(kiln::to_vec(&back).unwrap(), bytes);
    }
}

#[test]
fn damaged_bytes_are_one_error_to_the_derive_and_to_serde() {
    let ty = Type::of::<Outer>().unwrap();
    let bytes = kiln::to_vec(&outer()).unwrap();
    let mut refused = 0;
    let mut compare = |bytes: &[u8]| {
        let by_derive = kiln::from_slice::<Outer>(bytes).map(drop);
        let by_serde = dynamic::deserialize::<Outer>(&ty, bytes).map(drop);
        refused += usize::from(by_derive.is_err());
        let by_serde = by_serde.map_err(|error| *error.rejected().unwrap_or_else(|| panic!("{error}")));
        assert_eq!(by_serde, by_derive, "{bytes:?}");
    };
    for at in 0..bytes.len() {
        compare(&bytes[..at]);
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            compare(&damaged);
        }
    }
    compare(&[&bytes[..], &[0]].concat());
    assert!(refused > bytes.len() * 2, "{refused}");
}

#[test]
fn fields_come_in_any_order_and_absent_ones_are_absent() {
    #[derive(Serialize)]
    struct Turned {
        b: u8,
        a: u16,
    }
    assert_eq!(written("struct{a:u16,c:optional{u8},b:u8,}", &Turned { b: 1, a: 2 }), [2, 0, 0, 1]);
    assert_eq!(refused("struct{a:u16,b:u8,c:u8,}", &Turned { b: 1, a: 2 }), "the field \"c\" is missing");
    assert_eq!(refused("struct{a:u16,}", &Turned { b: 1, a: 2 }), "the type has no field \"b\"");
    assert_eq!(refused("list{u16}", &Turned { b: 1, a: 2 }), "expected list, found a struct");

    #[derive(Deserialize, Debug, PartialEq)]
    struct Read {
        b: u8,
        #[serde(default)]
        c: u32,
        missing: Option<u8>,
    }
    let text = "struct{a:u16,c:optional{u8},b:u8,}";
    let read: Read = dynamic::deserialize(&ty(text), &[2, 0, 0, 1]).unwrap();
    assert_eq!(read, Read { b: 1, c: 0, missing: None });
}

#[test]
fn numbers_fit_exactly_or_not_at_all() {
    assert_eq!(written("u8", &255u64), [255]);
    assert_eq!(written("i16", &-1i8), [255, 255]);
    assert_eq!(written("u64", &u128::from(u64::MAX)), [255; 8]);
    assert_eq!(refused("u8", &256), "256 is out of the range of u8");
    assert_eq!(refused("u8", &-1), "-1 is out of the range of u8");
    assert_eq!(refused("i8", &128), "128 is out of the range of i8");
    assert!(refused("u64", &u128::MAX).contains("out of the range of u64"));
    assert_eq!(refused("f64", &1), "expected f64, found an integer");
    assert_eq!(refused("u8", &1.0), "expected u8, found a float");
    assert_eq!(written("f32", &0.5f64), 0.5f32.to_le_bytes());
    assert_eq!(refused("f32", &0.1f64), "0.1 is no f32");
    assert_eq!(refused("f16", &65536.0f32), "65536.0 is no f16");
    assert_eq!(written("f16", &f32::NEG_INFINITY), [0, 0xfc]);
    assert_eq!(written("bf16", &-0.0f64), [0, 0x80]);
    for bits in [0x7fc0_0001u32, 0xffc0_0000, 0x7f80_0000, 0x8000_0000] {
        assert_eq!(written("f32", &f32::from_bits(bits)), bits.to_le_bytes());
        assert_eq!(dynamic::deserialize::<f32>(&ty("f32"), &bits.to_le_bytes()).unwrap().to_bits(), bits);
    }
}

#[test]
fn texts_bytes_and_variants_are_what_they_are() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Color {
        Red,
        Green,
    }
    assert_eq!(written("str", &Color::Green), b"\x05\0\0\0green");
    assert_eq!(dynamic::deserialize::<Color>(&ty("str"), b"\x03\0\0\0red").unwrap(), Color::Red);
    assert!(
        dynamic::deserialize::<Color>(&ty("u8"), &[1]).unwrap_err().to_string().contains("the enum Color")
    );
    assert_eq!(written("str", &'é'), "\u{2}\0\0\0é".as_bytes());
    assert_eq!(written("bytes", &[1u8, 2][..]), [2, 0, 0, 0, 1, 2]);
    assert_eq!(dynamic::deserialize::<Vec<u8>>(&ty("bytes"), &[2, 0, 0, 0, 1, 2]).unwrap(), [1, 2]);
    assert_eq!(dynamic::deserialize::<&[u8]>(&ty("bytes"), &[2, 0, 0, 0, 1, 2]).unwrap(), [1, 2]);
    assert_eq!(refused("bytes", &[300u16][..]), "in [0]: 300 is out of the range of u8");
    assert_eq!(refused("str", &[1u8][..]), "expected str, found a sequence");
}

#[test]
fn tuples_newtypes_units_and_optionals_have_their_place() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Celsius(f32);
    assert_eq!(written("struct{0:f32,}", &Celsius(0.5)), written("f32", &Celsius(0.5)));
    assert_eq!(
        dynamic::deserialize::<Celsius>(&ty("struct{0:f32,}"), &0.5f32.to_le_bytes()).unwrap(),
        Celsius(0.5)
    );
    assert_eq!(dynamic::deserialize::<Celsius>(&ty("f32"), &0.5f32.to_le_bytes()).unwrap(), Celsius(0.5));
    assert_eq!(written("struct{0:u8,1:u16,}", &(1, 2)), [1, 2, 0]);
    assert_eq!(written("list{u8}", &(1, 2)), [2, 0, 0, 0, 1, 2]);
    assert_eq!(
        refused("struct{a:u8,b:u8,}", &(1, 2)),
        "a tuple cannot be a struct with the field \"a\" in place 0"
    );
    assert_eq!(refused("struct{0:u8,}", &(1, 2)), "the type has only 1 fields");
    assert_eq!(refused("struct{0:u8,1:u8,2:u8,}", &(1, 2)), "the field \"2\" is missing");
    let short = dynamic::deserialize::<(u8, u8)>(&ty("struct{0:u8,1:u8,2:u8,}"), &[1, 2, 3]).unwrap_err();
    assert_eq!(short.to_string(), "1 fields were not asked for");
    assert!(written("struct{}", &()).is_empty());
    dynamic::deserialize::<()>(&ty("struct{}"), &[]).unwrap();
    assert_eq!(written("optional{u8}", &7), [1, 7]);
    assert_eq!(written("optional{optional{u8}}", &Some(None::<u8>)), [1, 0]);
    assert_eq!(
        dynamic::deserialize::<Option<Option<u8>>>(&ty("optional{optional{u8}}"), &[1, 0]).unwrap(),
        Some(None)
    );
    assert_eq!(dynamic::deserialize::<Option<u8>>(&ty("u8"), &[7]).unwrap(), Some(7));
    assert_eq!(refused("u8", &None::<u8>), "expected u8, found none");
}

#[test]
fn maps_are_sorted_and_their_keys_are_texts() {
    let map = HashMap::from([("b", 1), ("", 2), ("a", 3)]);
    let sorted: BTreeMap<&str, u8> = map.iter().map(|(key, value)| (*key, *value)).collect();
    assert_eq!(written("dict{u8}", &map), kiln::to_vec(&sorted).unwrap());
    assert_eq!(refused("dict{u8}", &HashMap::from([(1, 1)])), "in [key]: expected str, found an integer");
    assert_eq!(
        refused("dict{list{u8}}", &HashMap::from([("a", vec![1, -1])])),
        "in [\"a\"][1]: -1 is out of the range of u8"
    );
}

#[test]
fn attributes_that_the_wire_has_no_place_for_are_named() {
    #[derive(Serialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: HashMap<String, u8>,
    }
    let flat = Flat { a: 1, rest: HashMap::new() };
    assert!(refused("struct{a:u8,}", &flat).contains("#[serde(flatten)]"));

    #[derive(Serialize)]
    struct Skip {
        a: u8,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        b: Vec<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        c: Option<u8>,
    }
    let skip = |b: &[u8]| Skip { a: 1, b: b.to_vec(), c: None };
    let found = refused("struct{a:u8,b:list{u8},c:optional{u8},}", &skip(&[]));
    assert!(found.contains("\"b\"") && found.contains("skip_serializing_if"), "{found}");
    // A field that may be absent is, when it is skipped.
    let all = "struct{a:u8,b:optional{list{u8}},c:optional{u8},}";
    assert_eq!(written(all, &skip(&[])), [1, 0, 0]);
    assert_eq!(written(all, &skip(&[9])), [1, 1, 1, 0, 0, 0, 9, 0]);

    #[derive(Serialize)]
    enum Shape {
        Circle { r: f32 },
        Square(f32),
        Pair(u8, u8),
    }
    for shape in [Shape::Circle { r: 1.0 }, Shape::Square(1.0), Shape::Pair(1, 2)] {
        let found = refused("struct{r:f32,}", &shape);
        assert!(found.contains("has data, and the wire has no tags"), "{found}");
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Number(u8),
        Word(String),
    }
    assert_eq!(written("u8", &Either::Number(7)), [7]);
    assert_eq!(refused("u8", &Either::Word("w".into())), "expected u8, found a string");
    assert_eq!(dynamic::deserialize::<Either>(&ty("str"), b"\x01\0\0\0w").unwrap(), Either::Word("w".into()));
}

#[test]
fn depth_ends_at_64() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Deep(Vec<Deep>);
    let nest = |depth: usize| (1..depth).fold(Deep(Vec::new()), |inner, _| Deep(vec![inner]));
    let text = format!("{}u8{}", "list{".repeat(100), "}".repeat(100));
    let bytes = written(&text, &nest(64));
    assert_eq!(dynamic::deserialize::<Deep>(&ty(&text), &bytes).unwrap(), nest(64));
    assert!(refused(&text, &nest(65)).ends_with("the value nests more than 64 containers"));
    let mut deeper = [1, 0, 0, 0].repeat(64);
    deeper.extend([0; 4]);
    let error = dynamic::deserialize::<Deep>(&ty(&text), &deeper).unwrap_err();
    assert_eq!(error.rejected().map(|error| (error.code(), error.offset())), Some((Code::Limit, 256)));
}

#[test]
fn nothing_is_left_in_the_buffer_after_an_error() {
    let mut out = vec![1];
    let error: SerdeError = dynamic::serialize_into(&ty("list{u8}"), &[1, 2, 300], &mut out).unwrap_err();
    assert_eq!((out, error.to_string().as_str()), (vec![1], "in [2]: 300 is out of the range of u8"));
}

/// Whether a part of it is no number of JSON, which a program without our convention makes null of.
fn has_odd_float(value: &Value) -> bool {
    match value {
        Value::F16(number) => !number.is_finite(),
        Value::Bf16(number) => !number.is_finite(),
        Value::F32(number) => !number.is_finite(),
        Value::F64(number) => !number.is_finite(),
        Value::List(items) | Value::Struct(items) => items.iter().any(has_odd_float),
        Value::Optional(Some(item)) => has_odd_float(item),
        Value::Dict(entries) => entries.iter().any(|(_, item)| has_odd_float(item)),
        // serde_json says bytes as a list of numbers.
        Value::Bytes(_) => true,
        _ => false,
    }
}

#[test]
fn any_value_with_its_type_serialises_to_its_own_bytes_and_its_own_json() {
    let mut compared = 0;
    for seed in 0..800 {
        let mut random = Random::new(seed);
        let ty = random.ty(4, seed % 2 == 0);
        let value = random.value(ty.root());
        let bytes = dynamic::encode(&ty, &value).unwrap();
        assert_eq!(dynamic::serialize(&ty, &ty.named(&value)).unwrap(), bytes, "seed {seed}: {ty}");
        if !has_odd_float(&value) {
            let text = serde_json::to_string(&ty.named(&value)).unwrap();
            assert_eq!(text, Json::new(ty.clone()).unwrap().decode(&bytes).unwrap(), "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn a_value_without_its_type_serialises_its_fields_in_order() {
    let value = Value::Struct(vec![
        Value::U8(1),
        Value::some("a".into()),
        Value::dict([("k".into(), Value::Bool(true))]),
    ]);
    assert_eq!(serde_json::to_string(&value).unwrap(), r#"[1,"a",{"k":true}]"#);
    let wrong = ty("u16");
    assert!(
        serde_json::to_string(&wrong.named(&value))
            .unwrap_err()
            .to_string()
            .contains("expected u16, found struct")
    );
}
