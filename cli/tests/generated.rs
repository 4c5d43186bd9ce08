//! What `kiln gen` writes, compiled as it is, without a warning; and that it is what `kiln gen` writes. The package in
//! `edition-2021` compiles the same files in an older edition, and rustdoc reads them there.
//!
//! After a change of the generator: `kiln gen [--framed] tests/generated/NAME.json -o tests/generated/NAME.rs`.

#![cfg(feature = "gen")]
#![deny(warnings)]

/// Each as a user has it; what is not used here is used elsewhere.
#[deny(clippy::all, clippy::pedantic)]
// This workspace asks for more than the compiler does by itself; what is generated is to be public.
#[allow(dead_code, unreachable_pub)]
mod generated {
    #[path = "lints.rs"]
    #[rustfmt::skip]
    pub(super) mod lints;
    #[path = "names.rs"]
    #[rustfmt::skip]
    pub(super) mod names;
    #[path = "order.rs"]
    #[rustfmt::skip]
    pub(super) mod order;
    #[path = "samples.rs"]
    #[rustfmt::skip]
    pub(super) mod samples;
    #[path = "tree.rs"]
    #[rustfmt::skip]
    pub(super) mod tree;
    #[path = "words.rs"]
    #[rustfmt::skip]
    pub(super) mod words;
}

use generated::{order, samples, tree};

use kiln::dynamic::Json;
use kiln::schema::{RustError, RustOptions, Schema, Type};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated")
}

fn schema(name: &str) -> Schema {
    let document = std::fs::read_to_string(folder().join(name)).expect("the schema");
    Schema::from_json(&document).expect("of the subset")
}

#[test]
fn the_generator_writes_these_files() {
    for (name, options) in [
        ("order", &["--framed"][..]),
        ("samples", &["--framed"]),
        ("tree", &[]),
        ("names", &[]),
        ("words", &[]),
        ("lints", &["--framed"]),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_kiln"))
            .arg("gen")
            .args(options)
            .arg(folder().join(format!("{name}.json")))
            .output()
            .expect("the program starts");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let kept = std::fs::read_to_string(folder().join(format!("{name}.rs"))).expect("the kept file");
        assert_eq!(String::from_utf8(run.stdout).unwrap(), kept, "{name}");
    }
}

#[test]
fn generated_types_have_the_hash_of_their_schema() {
    let order = schema("order.json");
    assert_eq!(order.ty().hash().unwrap(), kiln::schema_hash::<order::PurchaseOrder>());
    assert_eq!(*order.ty(), Type::of::<order::PurchaseOrder>().unwrap());
    assert_eq!(schema("samples.json").ty().hash().unwrap(), kiln::schema_hash::<samples::Samples>());
}

#[test]
fn a_generated_struct_and_the_schema_have_the_same_bytes() {
    let json = Json::new(schema("order.json").into_type()).unwrap();
    let text = r#"{"id":1,"type":2,"self":true,"kebab-case":"k","camelCase":"c","HTTPServer2":"s","camel_case":"d","2nd":1.5,
        "größe":2.5,"_private":-1,"quote\"d":false,"customer":{"name":"n","address":{"street":"s","zip":"z"}},
        "lines":[{"sku":"a","price":100,"photo":"AAE="}],"notes":{"x":["y"]},"stock":{"a":{"count":1,"weights":[0.5]}},
        "digest":"/w==","keys":["AA=="],"String":{"ok":true}}"#;
    let bytes = json.encode_framed(text).unwrap();
    let order: order::PurchaseOrder = kiln::frame::from_slice(&bytes).unwrap();
    assert_eq!(order.kebab_case, "k");
    assert_eq!(order.camel_case_2.as_deref(), Some("d"));
    assert_eq!(order.customer.address, order::PostalAddress { street: "s".into(), zip: "z".into() });
    assert_eq!(order.lines[0].photo.as_deref(), Some(&[0u8, 1][..]));
    assert_eq!(
        order.stock["a"],
        order::PurchaseOrderStockValue { count: 1, weights: vec![kiln::half::bf16::from_f32(0.5)] }
    );
    assert_eq!(kiln::frame::to_vec(&order).unwrap(), bytes);

    let tree = Json::new(schema("tree.json").into_type()).unwrap();
    let text = r#"{"name":"a","first":{"name":"b","others":[],"by name":{}},"others":[],"by name":{},
        "edge":{"to":{"name":"c","others":[],"by name":{}},"weight":1.0}}"#;
    let bytes = tree.encode(text).unwrap();
    let node: tree::Node = kiln::from_slice(&bytes).unwrap();
    assert_eq!(node.edge.as_ref().unwrap().to.name, "c");
    assert_eq!(kiln::to_vec(&node).unwrap(), bytes);

    let samples: samples::Samples = vec![samples::SamplesItem { at: 1, values: vec![0.5] }];
    let bytes = kiln::to_vec(&samples).unwrap();
    let json = Json::new(schema("samples.json").into_type()).unwrap();
    assert_eq!(json.decode(&bytes).unwrap(), r#"[{"at":1,"values":[0.5]}]"#);
}

#[test]
fn damaged_bytes_are_one_error_to_the_struct_and_to_the_schema() {
    let json = Json::new(schema("order.json").into_type()).unwrap();
    let text = r#"{"id":1,"type":2,"self":true,"kebab-case":"é","camelCase":"c","HTTPServer2":"s","2nd":1.5,"_private":-1,
        "quote\"d":false,"customer":{"name":"n","address":{"street":"s","zip":"z"}},"lines":[{"sku":"a","price":100}],
        "notes":{"x":["y"],"z":[]},"stock":{"a":{"count":1,"weights":[0.5]}},"digest":"/w==","keys":["AA=="],
        "String":{"ok":true}}"#;
    let bytes = json.encode_framed(text).unwrap();
    let mut refused = 0;
    let mut compare = |bytes: &[u8]| {
        let by_struct = kiln::frame::from_slice::<order::PurchaseOrder>(bytes).err();
        let by_schema = json.decode_framed(bytes).err();
        match (&by_struct, &by_schema) {
            (Some(one), Some(kiln::dynamic::FramedError::Rejected(other))) => {
                assert_eq!(
                    (one.code(), one.reason(), one.offset()),
                    (other.code(), other.reason(), other.offset())
                );
                refused += 1;
            }
            (None, None) => {}
            _ => panic!("{by_struct:?} {by_schema:?}"),
        }
    };
    for at in 0..bytes.len() {
        compare(&bytes[..at]);
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            compare(&damaged);
        }
    }
    assert!(refused > bytes.len() * 3, "{refused}");
}

#[test]
fn what_rust_has_no_name_for_is_refused() {
    let list = Schema::from_json(
        r##"{"$ref":"#/$defs/l","$defs":{"l":{"type":"array","items":{"$ref":"#/$defs/l"}}}}"##,
    );
    assert_eq!(list.unwrap().to_rust(&RustOptions::new()), Err(RustError::Nameless));
    let tree = schema("tree.json").to_rust(&RustOptions::new().framed(true)).unwrap_err();
    assert_eq!(tree.to_string(), "a type that contains itself has no type text, hash or frame");
    let nested = |levels: usize| {
        let (before, after) = (r#"{"type":"array","items":"#.repeat(levels), "}".repeat(levels));
        let schema = Schema::from_json(&format!("{before}{{\"type\":\"string\"}}{after}")).unwrap();
        schema.to_rust(&RustOptions::new())
    };
    let rust: String = nested(32).unwrap().split([' ', '\n', ',']).collect();
    assert!(rust.contains(&format!("{}String{}", "Vec<".repeat(32), ">".repeat(32))), "{rust}");
    assert_eq!(nested(33), Err(RustError::TooDeep));
    assert_eq!(nested(1000), Err(RustError::TooDeep));
}

#[test]
fn the_caller_may_name_the_whole_type() {
    let schema =
        Schema::from_json(r#"{"title":"other","type":"object","properties":{},"required":[]}"#).unwrap();
    assert!(schema.to_rust(&RustOptions::new()).unwrap().contains("pub struct Other"));
    let named = schema.to_rust(&RustOptions::new().name("line item")).unwrap();
    assert!(named.contains("pub struct LineItem") && !named.contains("Other"), "{named}");
    assert!(format!("{schema:?}").starts_with("Schema { ty: Type(struct{})"), "{schema:?}");
}

#[test]
fn a_name_that_rust_would_warn_of_is_another_in_the_struct() {
    let schema = Schema::from_json(
        r#"{"type":"object","properties":{"a__b":{"type":"boolean"},"__":{"type":"boolean"},"_c_":{"type":"boolean"}},
            "required":["a__b","__","_c_"]}"#,
    );
    let rust = schema.unwrap().to_rust(&RustOptions::new()).unwrap();
    let lines: Vec<&str> = rust.lines().map(str::trim).filter(|line| line.contains("bool")).collect();
    assert_eq!(lines, ["pub a_b: bool,", "pub field: bool,", "pub _c_: bool,"], "{rust}");
}

#[test]
fn names_that_come_out_alike_get_numbers() {
    let properties: Vec<String> = ["a_b", "a b", "a_b_3", "a-b", "a.b"]
        .map(|name| {
            format!(
                r#""{name}":{{"type":"object","properties":{{"x":{{"type":"boolean"}}}},"required":["x"]}}"#
            )
        })
        .into();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}},"required":["a_b","a b","a_b_3","a-b","a.b"]}}"#,
        properties.join(",")
    );
    let rust = Schema::from_json(&schema).unwrap().to_rust(&RustOptions::new()).unwrap();
    let fields: Vec<&str> = rust.lines().map(str::trim).filter(|line| line.starts_with("pub a_b")).collect();
    assert_eq!(
        fields,
        [
            "pub a_b: RootAB,",
            "pub a_b_2: RootAB2,",
            "pub a_b_3: RootAB3,",
            "pub a_b_4: RootAB4,",
            "pub a_b_5: RootAB5,"
        ]
    );
}

/// Each name of a struct is put together from those of what it is in.
#[test]
fn type_names_do_not_grow_with_what_they_are_in() {
    let nested = |levels: usize| {
        let (open, close) =
            (r#"{"type":"object","properties":{"inner":"#.repeat(levels), "}}".repeat(levels));
        let schema = Schema::from_json(&format!("{open}{{\"type\":\"string\"}}{close}")).unwrap();
        schema.to_rust(&RustOptions::new()).unwrap()
    };
    let (one, two) = (nested(500), nested(1000));
    assert!(two.len() < one.len() * 9 / 4, "{} {}", one.len(), two.len());
    let longest = two.lines().filter_map(|line| line.strip_prefix("pub struct ")).map(str::len).max();
    assert!(longest.is_some_and(|len| len < 110), "{longest:?}");
}

#[test]
fn only_what_leads_back_to_its_struct_is_boxed() {
    let schema = Schema::from_json(
        r##"{"$ref":"#/$defs/a","$defs":{
            "a":{"type":"object","properties":{"b":{"$ref":"#/$defs/link"},"d":{"$ref":"#/$defs/d"},
                "list":{"type":"array","items":{"$ref":"#/$defs/a"}}}},
            "link":{"$ref":"#/$defs/b"},
            "b":{"type":"object","required":["c"],"properties":{"c":{"$ref":"#/$defs/c"},"d":{"$ref":"#/$defs/d"}}},
            "c":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}},
            "d":{"type":"object","properties":{"d":{"$ref":"#/$defs/d"},"e":{"$ref":"#/$defs/e"}}},
            "e":{"type":"object","properties":{"v":{"type":"boolean"}}}}}"##,
    );
    let rust = schema.unwrap().to_rust(&RustOptions::new()).unwrap();
    let fields: Vec<&str> = rust.lines().map(str::trim).filter(|line| line.ends_with(',')).collect();
    let expected = [
        "pub b: Option<Box<B>>,",
        "pub d: Option<D>,",
        "pub list: Option<Vec<A>>,",
        "pub c: C,",
        "pub d: Option<D>,",
        "pub a: Option<Box<A>>,",
        "pub d: Option<Box<D>>,",
        "pub e: Option<E>,",
        "pub v: Option<bool>,",
    ];
    assert_eq!(fields, expected, "{rust}");
}
