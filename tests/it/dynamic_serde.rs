//! Any type that serde knows, written and read by a type known at run time.
#![cfg(all(feature = "json", feature = "serde"))]

use crate::support::{arbitrary, shapes};
use arbitrary::Random;
use kiln::dynamic::{self, Json, SerdeError, Value};
use kiln::schema::Type;
use kiln::{Code, Frozen};
use serde::de::{DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use serde::{Deserialize, Serialize};
use shapes::{Of, Read};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

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

#[test]
fn what_one_direction_takes_the_other_takes_too() {
    let (mut written, mut refused, mut read, mut unread) = (0, 0, 0, 0);
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let shape = random.shape(4);
        // Now and then a type that was made for something else.
        let ty = match random.below(4) {
            0 => {
                let other = random.shape(2);
                random.home(&other)
            }
            _ => random.home(&shape),
        };
        let context = |what: &dyn Debug| format!("seed {seed}: {ty}, {shape:?}: {what:?}");
        Read::reading(&shape);
        for _ in 0..3 {
            let value = random.drawn(&shape);
            let Ok(bytes) = dynamic::serialize(&ty, &Of(&shape, &value)) else {
                refused += 1;
                continue;
            };
            written += 1;
            let decoded = dynamic::decode(&ty, &bytes).unwrap_or_else(|e| panic!("{e}: {}", context(&value)));
            assert_eq!(dynamic::encode(&ty, &decoded).unwrap(), bytes, "{}", context(&value));
            let back = dynamic::deserialize::<Read>(&ty, &bytes);
            let back = back.unwrap_or_else(|e| panic!("{e}: {}", context(&value)));
            assert_eq!(back.0, value, "{}", context(&value));
        }
        for _ in 0..3 {
            let bytes = dynamic::encode(&ty, &random.value(ty.root())).unwrap();
            let Ok(value) = dynamic::deserialize::<Read>(&ty, &bytes) else {
                unread += 1;
                continue;
            };
            read += 1;
            let again = dynamic::serialize(&ty, &Of(&shape, &value.0));
            let again = again.unwrap_or_else(|e| panic!("{e}: {}", context(&value.0)));
            assert!(again == bytes || shape.skips(), "{} from {bytes:?}", context(&value.0));
        }
    }
    println!("{written} written, {refused} refused, {read} read, {unread} not");
    assert!(written > 15_000 && refused > 5_000 && read > 10_000 && unread > 5_000);
}

/// Writes a value and reads it back as itself.
fn again<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str, value: &T) -> Vec<u8> {
    let bytes = written(text, value);
    let back = dynamic::deserialize::<T>(&ty(text), &bytes);
    assert_eq!(&back.unwrap_or_else(|error| panic!("{text}, {value:?}: {error}")), value, "{text}");
    bytes
}

#[test]
fn an_optional_is_never_taken_for_that_of_another_level() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Field {
        a: Option<Option<u8>>,
        b: Option<Option<Option<()>>>,
    }
    let text = "struct{a:optional{optional{u8}},b:optional{optional{optional{struct{}}}},}";
    for (a, bytes) in [(None, &[0][..]), (Some(None), &[1, 0]), (Some(Some(7)), &[1, 1, 7])] {
        for (b, more) in [
            (None, &[0][..]),
            (Some(None), &[1, 0]),
            (Some(Some(None)), &[1, 1, 0]),
            (Some(Some(Some(()))), &[1, 1, 1]),
        ] {
            assert_eq!(again(text, &Field { a, b }), [bytes, more].concat());
        }
    }
    // What serde buffers before it knows the type has each level, too.
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Number(Option<Option<u8>>),
        Words(Vec<Option<String>>),
    }
    for value in [None, Some(None), Some(Some(7))] {
        again("optional{optional{u8}}", &Either::Number(value));
        again("list{optional{optional{u8}}}", &vec![Either::Number(value)]);
    }
    again("list{optional{str}}", &Either::Words(vec![None, Some("w".into())]));
}

#[test]
fn a_newtype_is_there_when_what_it_holds_is() {
    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone, Eq, Hash, PartialOrd, Ord)]
    struct W<T>(T);
    assert_eq!(again("optional{u8}", &W(None::<u8>)), [0]);
    assert_eq!(again("optional{u8}", &W(Some(7u8))), [1, 7]);
    assert_eq!(again("optional{u8}", &W(W(None::<u8>))), [0]);
    assert_eq!(again("optional{optional{u8}}", &Some(W(None::<u8>))), [1, 0]);
    assert_eq!(again("optional{optional{u8}}", &W(Some(W(None::<u8>)))), [1, 0]);
    assert_eq!(again("optional{optional{u8}}", &W(7u8)), [1, 1, 7]);
    assert_eq!(again("list{optional{u8}}", &vec![W(None), W(Some(7u8))]), [2, 0, 0, 0, 0, 1, 7]);
    assert_eq!(again("dict{optional{u8}}", &BTreeMap::from([(W("k".to_owned()), W(None::<u8>))])).len(), 10);
    // The struct around one holds it, so it is there.
    assert_eq!(again("struct{0:optional{u8},}", &W(None::<u8>)), [0]);
    assert_eq!(again("optional{struct{0:optional{u8},}}", &W(None::<u8>)), [1, 0]);
    assert_eq!(again("optional{struct{0:optional{u8},}}", &Some(W(None::<u8>))), [1, 0]);
    assert_eq!(again("optional{struct{0:optional{u8},}}", &None::<W<Option<u8>>>), [0]);
    assert_eq!(refused("optional{struct{0:u8,}}", &W(None::<u8>)), "in 0: expected u8, found none");

    // In a field beside others that are left out when they are absent.
    #[derive(Serialize, Deserialize, Debug, PartialEq, Default)]
    struct Fields {
        w: W<Option<u8>>,
        ww: W<W<Option<u8>>>,
        o: Option<W<u8>>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        v: Vec<u8>,
        unit: Option<()>,
        x: W<Option<Option<u8>>>,
    }
    impl<T: Default> Default for W<T> {
        fn default() -> Self {
            W(T::default())
        }
    }
    let text = "struct{o:optional{u8},v:optional{list{u8}},w:optional{u8},unit:optional{struct{}},ww:optional{u8},\
                x:optional{optional{u8}},}";
    assert_eq!(again(text, &Fields::default()), [0; 6]);
    let list = format!("list{{{text}}}");
    let many: Vec<Fields> = (0..64)
        .map(|at| Fields {
            w: W((at & 1 > 0).then_some(7)),
            ww: W(W((at & 2 > 0).then_some(7))),
            o: (at & 4 > 0).then_some(W(7)),
            v: if at & 8 > 0 { vec![7] } else { vec![] },
            unit: (at & 16 > 0).then_some(()),
            x: W((at & 32 > 0).then_some((at & 1 > 0).then_some(7))),
        })
        .collect();
    again(&list, &many);
    // A field that is absent and can neither be none nor be left out is missing, however often it was tried.
    let bytes = written(text, &Fields::default());
    #[derive(Deserialize, Debug)]
    struct Needs {
        #[expect(dead_code)]
        w: W<Option<u8>>,
        #[expect(dead_code)]
        o: u8,
    }
    let error = dynamic::deserialize::<Needs>(&ty(text), &bytes).unwrap_err();
    assert_eq!(error.to_string(), "missing field `o`");
    let error =
        dynamic::deserialize::<Vec<Needs>>(&ty(&list), &written(&list, &[Fields::default()])).unwrap_err();
    assert_eq!(error.to_string(), "in [0]: missing field `o`");
}

#[test]
fn keys_elements_and_units_go_both_ways_or_neither() {
    #[derive(Serialize, Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
    enum Color {
        Red,
        Green,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Key<T>(T);
    again("dict{u8}", &BTreeMap::from([(Key("a".to_owned()), 1u8), (Key("b".to_owned()), 2)]));
    again("dict{u8}", &BTreeMap::from([(Some("a".to_owned()), 1u8)]));
    again("dict{u8}", &BTreeMap::from([(Some(Key(Some('a'))), 1u8)]));
    again("dict{u8}", &BTreeMap::from([(Key(Color::Green), 1u8), (Key(Color::Red), 2)]));
    // Of a struct the names are keys like others.
    again("struct{a:u8,b:optional{u8},}", &BTreeMap::from([(Key("a".to_owned()), 1u8)]));
    again("struct{Red:u8,}", &BTreeMap::from([(Color::Red, 1u8)]));
    let bytes = written("dict{u8}", &BTreeMap::from([("1", 1u8)]));
    assert!(dynamic::deserialize::<BTreeMap<u8, u8>>(&ty("dict{u8}"), &bytes).is_err());
    assert!(refused("dict{u8}", &BTreeMap::from([(None::<String>, 1u8)])).contains("found none"));

    again("list{optional{u8}}", &vec![7u8, 8]);
    again("list{optional{optional{str}}}", &vec!["a".to_owned()]);
    again("optional{list{u8}}", &vec![7u8]);
    again("optional{struct{0:u8,1:bool,}}", &(7u8, true));
    again("optional{dict{u8}}", &BTreeMap::from([("a".to_owned(), 7u8)]));
    again("optional{str}", &Color::Red);
    again("bytes", &vec![Key(7u8)]);
    again("bytes", &vec![Some(7u8)]);
    assert!(dynamic::deserialize::<Vec<u8>>(&ty("list{optional{u8}}"), &[1, 0, 0, 0, 0]).is_err());

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Nothing;
    assert_eq!(again("optional{struct{}}", &()), [1]);
    assert_eq!(again("optional{struct{}}", &Nothing), [1]);
    assert_eq!(again("optional{struct{}}", &Some(())), [1]);
    assert_eq!(again("optional{struct{}}", &None::<Nothing>), [0]);
    assert_eq!(refused("struct{a:optional{u8},}", &()), "expected struct, found a unit");
    assert!(dynamic::deserialize::<()>(&ty("struct{a:optional{u8},}"), &[0]).is_err());

    // What has the kind of another's name is not taken for it.
    for (text, bytes) in [("str", &b"\x01\0\0\0a"[..]), ("list{u8}", &[1, 0, 0, 0, 7]), ("u8", &[7])] {
        assert!(dynamic::deserialize::<ByteBuf>(&ty(text), bytes).is_err(), "{text}");
        assert!(dynamic::serialize(&ty(text), &ByteBuf(vec![7])).is_err(), "{text}");
    }
    let error = dynamic::deserialize::<String>(&ty("bytes"), b"\x01\0\0\0a").unwrap_err();
    assert_eq!(error.to_string(), "the type is bytes, and a string is asked for");
    assert!(dynamic::deserialize::<f64>(&ty("u8"), &[7]).is_err());
    assert!(dynamic::deserialize::<(u8, u8)>(&ty("struct{a:u8,b:u8,}"), &[1, 2]).is_err());
    assert!(dynamic::deserialize::<Vec<u8>>(&ty("struct{0:u8,}"), &[1]).is_err());
    assert!(dynamic::serialize(&ty("struct{0:u8,1:optional{u8},}"), &(7u8,)).is_err());
}

/// Bytes as serde has them.
#[derive(Debug, PartialEq)]
struct ByteBuf(Vec<u8>);

impl Serialize for ByteBuf {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for ByteBuf {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // It takes what is no bytes as well.
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = ByteBuf;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, run: &[u8]) -> Result<ByteBuf, E> {
                Ok(ByteBuf(run.into()))
            }
            fn visit_str<E>(self, text: &str) -> Result<ByteBuf, E> {
                Ok(ByteBuf(text.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<ByteBuf, A::Error> {
                let mut run = Vec::new();
                while let Some(byte) = from.next_element()? {
                    run.push(byte);
                }
                Ok(ByteBuf(run))
            }
        }
        from.deserialize_byte_buf(Visit)
    }
}

#[test]
fn a_nan_keeps_its_bits_or_is_refused() {
    // Width, fraction and the shift to where an f64 has its fraction.
    let formats = [("f16", 16, 10u32), ("bf16", 16, 7), ("f32", 32, 23), ("f64", 64, 52)];
    let bytes_of = |bits: u64, width: usize| bits.to_le_bytes()[..width / 8].to_vec();
    let mut kept = 0;
    for (text, width, fraction) in formats {
        let ty = ty(text);
        // What an f64 and an f32 carry, from the highest bit of the fraction to the lowest, quiet and signalling.
        for carried in
            (0..52).map(|bit| 1u64 << bit).chain([1 << 51 | 1 << 45, 1 << 51 | 1 << 29, 1 << 50 | 1])
        {
            for sign in [0, 1u64] {
                let wide = f64::from_bits(sign << 63 | 0x7ff << 52 | carried);
                let fits = carried & ((1u64 << (52 - fraction)) - 1) == 0;
                let narrow = sign << (width - 1)
                    | ((1u64 << (width as u32 - 1 - fraction)) - 1) << fraction
                    | carried >> (52 - fraction);
                match dynamic::serialize(&ty, &wide) {
                    Ok(bytes) => {
                        assert!(fits, "{text} {:#x}", wide.to_bits());
                        assert_eq!(bytes, bytes_of(narrow, width), "{text} {:#x}", wide.to_bits());
                        let back: f64 = dynamic::deserialize(&ty, &bytes).unwrap();
                        assert_eq!(back.to_bits(), wide.to_bits(), "{text}");
                        kept += 1;
                    }
                    Err(error) => {
                        assert!(!fits, "{text} {:#x}: {error}", wide.to_bits());
                        assert_eq!(error.to_string(), format!("NaN:{:#018x} is no {text}", wide.to_bits()));
                    }
                }
                // The same of an f32, which is widened and narrowed by bits as well.
                let single = f32::from_bits((sign << 31 | 0xff << 23 | carried >> 29) as u32);
                if carried & ((1 << 29) - 1) == 0 {
                    let bytes = dynamic::serialize(&ty, &single);
                    assert_eq!(bytes.is_ok(), fits, "{text} {:#x}", single.to_bits());
                    if let Ok(bytes) = bytes {
                        assert_eq!(bytes, bytes_of(narrow, width), "{text} {:#x}", single.to_bits());
                        let back: f32 = dynamic::deserialize(&ty, &bytes).unwrap();
                        assert_eq!(back.to_bits(), single.to_bits(), "{text}");
                    }
                } else if text == "f64" {
                    // What only an f64 carries is no f32.
                    let error = dynamic::deserialize::<f32>(&ty, &wide.to_le_bytes()).unwrap_err();
                    assert_eq!(error.to_string(), format!("NaN:{:#018x} is no f32", wide.to_bits()));
                }
            }
        }
        // As JSON every width has all its own bits.
        let json = Json::new(ty.clone()).unwrap();
        for bit in 0..fraction {
            let nan = ((1u64 << (width as u32 - 1 - fraction)) - 1) << fraction | 1 << bit;
            let bytes = bytes_of(nan, width);
            assert_eq!(json.encode(&json.decode(&bytes).unwrap()).unwrap(), bytes, "{text} {nan:#x}");
        }
    }
    assert!(kept > 150, "{kept}");
    assert!(dynamic::deserialize::<f32>(&ty("f64"), &0.1f64.to_le_bytes()).is_err());
    assert_eq!(dynamic::deserialize::<f32>(&ty("f64"), &0.5f64.to_le_bytes()).unwrap(), 0.5);
}

/// A map or a struct that is written as these calls say: a key, a value, both; and where it goes on after an error.
struct Calls<'a> {
    calls: &'a [Call],
    sized: bool,
    goes_on: bool,
}

#[derive(Clone, Copy, Debug)]
enum Call {
    Key(&'static str),
    Value(u16),
}

impl Serialize for Calls<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let keys = self.calls.iter().filter(|call| matches!(call, Call::Key(_))).count();
        let mut map = to.serialize_map(self.sized.then_some(keys))?;
        for call in self.calls {
            let said = match call {
                Call::Key(key) => map.serialize_key(key),
                Call::Value(value) => map.serialize_value(value),
            };
            if !self.goes_on {
                said?;
            }
        }
        map.end()
    }
}

#[test]
fn a_map_is_a_key_and_a_value_by_turns() {
    use Call::{Key, Value};
    let right: [&[Call]; 3] = [&[], &[Key("a"), Value(1)], &[Key("b"), Value(1), Key("a"), Value(2)]];
    let wrong: [(&[Call], &str); 10] = [
        (&[Key("a")], "a key without a value"),
        (&[Key("a"), Value(1), Key("b")], "a key without a value"),
        (&[Key("a"), Key("b"), Value(1)], "a key without a value"),
        (&[Key("a"), Key("a"), Value(1)], "a key without a value"),
        (&[Key("b"), Value(1), Key("a"), Key("a"), Value(1)], "a key without a value"),
        (&[Value(1)], "a value without a key"),
        (&[Value(1), Key("a")], "a value without a key"),
        (&[Key("a"), Value(1), Value(2)], "a value without a key"),
        (&[Key("a"), Value(1), Value(2), Key("b"), Value(2)], "a value without a key"),
        (&[Key("a"), Value(300), Key("b"), Value(2)], "300 is out of the range of u8"),
    ];
    let dict = "dict{u8}";
    let structs =
        ["struct{a:u8,b:u8,}", "struct{a:optional{u8},b:optional{u8},}", "struct{b:u8,a:optional{u8},}"];
    for calls in right {
        for sized in [true, false] {
            let map = Calls { calls, sized, goes_on: true };
            let bytes = written(dict, &map);
            assert_eq!(bytes.len(), 4 + 3 * calls.len(), "{calls:?}");
            dynamic::check(&ty(dict), &bytes).unwrap();
        }
        let map = Calls { calls, sized: true, goes_on: false };
        assert_eq!(written(structs[1], &map).len(), 2 + calls.len() / 2, "{calls:?}");
    }
    for (calls, why) in wrong {
        for goes_on in [false, true] {
            for (text, sized) in
                [(dict, true), (dict, false), (structs[0], true), (structs[1], true), (structs[2], true)]
            {
                let map = Calls { calls, sized, goes_on };
                let mut out = vec![9];
                let error = dynamic::serialize_into(&ty(text), &map, &mut out).expect_err(text).to_string();
                assert!(error.ends_with(why), "{text} {calls:?}: {error}");
                assert_eq!(out, [9]);
                // In another container the error is that of the whole.
                let list = format!("list{{{text}}}");
                assert!(refused(&list, &[map]).ends_with(why), "{list}");
            }
        }
    }
}

#[test]
fn an_error_that_is_passed_over_is_one_still() {
    /// Writes all parts, whatever is said of them.
    struct Careless<'a>(&'a str);
    impl Serialize for Careless<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                "seq" => {
                    let mut seq = to.serialize_seq(None)?;
                    let _ = seq.serialize_element(&1u8);
                    let _ = seq.serialize_element("word");
                    let _ = seq.serialize_element(&2u8);
                    seq.end()
                }
                "tuple" => {
                    let mut tuple = to.serialize_tuple(2)?;
                    let _ = tuple.serialize_element("word");
                    let _ = tuple.serialize_element(&1u8);
                    let _ = tuple.serialize_element(&2u8);
                    tuple.end()
                }
                "twice" => {
                    let mut fields = to.serialize_struct("S", 2)?;
                    let _ = fields.serialize_field("0", &1u8);
                    let _ = fields.serialize_field("0", &2u8);
                    let _ = fields.serialize_field("1", &2u8);
                    fields.end()
                }
                "unknown" => {
                    let mut fields = to.serialize_struct("S", 2)?;
                    let _ = fields.serialize_field("2", &1u8);
                    let _ = fields.serialize_field("0", &1u8);
                    let _ = fields.serialize_field("1", &2u8);
                    fields.end()
                }
                _ => {
                    let mut fields = to.serialize_struct("S", 2)?;
                    let _ = fields.skip_field("0");
                    let _ = fields.serialize_field("0", &1u8);
                    let _ = fields.serialize_field("1", &2u8);
                    fields.end()
                }
            }
        }
    }
    let pair = "struct{0:u8,1:u8,}";
    for (how, text, why) in [
        ("seq", "list{u8}", "in [1]: expected u8, found a string"),
        ("seq", "bytes", "in [1]: expected u8, found a string"),
        ("tuple", pair, "in 0: expected u8, found a string"),
        ("tuple", "list{u8}", "in [0]: expected u8, found a string"),
        ("twice", pair, "the field \"0\" is there twice"),
        ("unknown", pair, "the type has no field \"2\""),
        (
            "skip",
            pair,
            "the field \"0\" is skipped by #[serde(skip_serializing_if)], and the type needs it: \
                        make it an optional, or take the attribute away",
        ),
    ] {
        assert_eq!(refused(text, &Careless(how)), why);
    }

    /// Reads something, and makes what cannot be read of it nothing.
    #[derive(Debug)]
    struct Lenient;
    impl<'de> Deserialize<'de> for Lenient {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let _ = Vec::<(u8, bool)>::deserialize(from);
            Ok(Lenient)
        }
    }
    let text = "list{list{struct{0:u8,1:bool,}}}";
    let bytes = kiln::to_vec(&vec![vec![(1u8, true)], vec![(2, false)]]).unwrap();
    assert!(dynamic::deserialize::<Vec<Lenient>>(&ty(text), &bytes).is_ok());
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] = 9;
        let expected = dynamic::check(&ty(text), &damaged).err();
        let found = dynamic::deserialize::<Vec<Lenient>>(&ty(text), &damaged).err();
        assert_eq!(found.and_then(|error| error.rejected().copied()), expected, "{damaged:?}");
    }
    let error = dynamic::deserialize::<Vec<Lenient>>(&ty("list{list{u16}}"), &[1, 0, 0, 0, 1, 0, 0, 0, 7, 0]);
    assert_eq!(error.unwrap_err().to_string(), "in [0]: the type is u16, and a tuple is asked for");
}

#[test]
fn keys_and_values_are_asked_for_by_turns() {
    thread_local!(static CALLS: RefCell<&'static str> = const { RefCell::new("") });
    #[derive(Debug)]
    struct Asks;
    impl<'de> Deserialize<'de> for Asks {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            struct Visit;
            impl<'de> Visitor<'de> for Visit {
                type Value = Asks;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a map")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Asks, A::Error> {
                    for call in CALLS.with(|calls| *calls.borrow()).chars() {
                        // Whatever is said of it.
                        match call {
                            'k' => drop(from.next_key::<String>()),
                            _ => drop(from.next_value::<u8>()),
                        }
                    }
                    Ok(Asks)
                }
            }
            from.deserialize_map(Visit)
        }
    }
    let of_dict = written("dict{u8}", &BTreeMap::from([("a", 1u8), ("b", 2)]));
    let types = [
        ("dict{u8}", &of_dict[..]),
        ("struct{a:u8,b:u8,}", &[1, 2]),
        ("struct{a:optional{u8},b:u8,}", &[1, 1, 2]),
    ];
    for (text, bytes) in types {
        for (calls, right) in [
            ("kvkvk", true),
            ("kvkv", true),
            ("kvk", false),
            ("kv", false),
            ("k", false),
            ("kkvkv", false),
            ("kkvv", false),
            ("vkvkv", false),
            ("kvvk", false),
            ("kvvkv", false),
            ("kvkvv", false),
        ] {
            CALLS.with(|cell| *cell.borrow_mut() = calls);
            let read = dynamic::deserialize::<Asks>(&ty(text), bytes);
            assert_eq!(read.is_ok(), right, "{text} {calls}: {read:?}");
        }
    }
}

#[test]
fn long_names_in_errors_are_cut() {
    let long = "n\n".repeat(1_000_000);
    let map = BTreeMap::from([(long.as_str(), 300u16)]);
    let error = refused("dict{u8}", &map);
    assert!(
        error.len() < 10_000 && error.contains('…') && error.contains("300 is out of"),
        "{}",
        error.len()
    );
    let error = refused("struct{}", &map);
    assert!(error.len() < 10_000 && error.contains('…'), "{}", error.len());
    let value = Value::dict([(long.clone(), Value::U16(7))]);
    let error = dynamic::encode(&ty("dict{u8}"), &value).unwrap_err().to_string();
    assert!(error.len() < 10_000 && error.contains('…') && error.contains("expected u8"), "{}", error.len());
    let bytes = dynamic::encode(&ty("dict{u16}"), &value).unwrap();
    let error =
        dynamic::deserialize::<BTreeMap<String, bool>>(&ty("dict{u16}"), &bytes).unwrap_err().to_string();
    assert!(
        error.len() < 10_000 && error.contains('…') && error.contains("a bool is asked for"),
        "{}",
        error.len()
    );
}
