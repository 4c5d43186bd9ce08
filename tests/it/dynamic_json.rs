//! Values as JSON text and back: every width to the last bit, every misfit by its pointer.
#![cfg(feature = "json")]

use kiln::dynamic::{self, DecodeError, Json, JsonProblem, Layout, Value};
use kiln::schema::Type;
use kiln::{Code, EncodeError, Limits, Reason};

fn json(text: &str) -> Json {
    Json::new(Type::parse(text).expect("a type")).expect("a type with JSON")
}

/// The text that the bytes of a text say.
fn again(ty: &str, text: &str) -> String {
    let json = json(ty);
    let bytes = json.encode(text).unwrap_or_else(|error| panic!("{ty} {text}: {error}"));
    json.decode(&bytes).expect("what was written is read")
}

fn refused(ty: &str, text: &str) -> (String, String) {
    let error = json(ty).encode(text).expect_err("it does not fit");
    (error.pointer().to_owned(), error.problem().to_string())
}

#[test]
fn integers_are_exact_to_the_ends_of_their_range() {
    for (ty, least, most) in [
        ("u8", "0", "255"),
        ("u16", "0", "65535"),
        ("u32", "0", "4294967295"),
        ("u64", "0", "18446744073709551615"),
        ("i8", "-128", "127"),
        ("i16", "-32768", "32767"),
        ("i32", "-2147483648", "2147483647"),
        ("i64", "-9223372036854775808", "9223372036854775807"),
    ] {
        assert_eq!(again(ty, least), least);
        assert_eq!(again(ty, most), most);
    }
    for (ty, number) in [
        ("u8", "256"),
        ("u8", "-1"),
        ("i8", "128"),
        ("i8", "-129"),
        ("u64", "18446744073709551616"),
        ("i64", "9223372036854775808"),
        ("i64", "-9223372036854775809"),
        ("u64", "1e20"),
        ("u64", "1e999999999999999999999"),
        ("u64", "100000000000000000000000000000000000000000000000000"),
    ] {
        let (pointer, problem) = refused(ty, number);
        assert_eq!(pointer, "");
        assert!(problem.ends_with(&format!("is out of the range of {ty}")), "{problem}");
    }
}

#[test]
fn a_whole_number_may_be_written_with_a_point_or_an_exponent() {
    for (text, number) in [
        ("1.0", "1"),
        ("1e2", "100"),
        ("1.50e1", "15"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("0e5", "0"),
        ("120e-1", "12"),
        ("0.00012E+4", "1"),
        ("1844674407370955161500e-2", "18446744073709551615"),
        ("0e99999999999999999999", "0"),
    ] {
        if text == "0.00012E+4" {
            assert_eq!(refused("u64", text), ("".into(), "0.00012E+4 is not whole".into()));
        } else {
            assert_eq!(again("u64", text), number, "{text}");
        }
    }
    for text in
        ["0.5", "1e-1", "1e-99999999999999999999", "9007199254740992.5", "12.0000000000000000000000001"]
    {
        assert_eq!(refused("i64", text), ("".into(), format!("{text} is not whole")));
    }
}

#[test]
fn floats_are_the_nearest_and_the_shortest() {
    assert_eq!(again("f64", "0.1"), "0.1");
    assert_eq!(again("f64", "1"), "1.0");
    assert_eq!(again("f64", "-0"), "-0.0");
    assert_eq!(again("f64", "5e-324"), "5e-324");
    assert_eq!(again("f64", "1e-400"), "0.0");
    assert_eq!(again("f64", "1.7976931348623157e308").parse(), Ok(f64::MAX));
    assert_eq!(again("f32", "16777217"), "16777216.0");
    // Just above the middle between two: by way of the nearest f64 it would go down.
    assert_eq!(again("f32", "1.000000059604644775390626"), "1.0000001");
    assert_eq!(again("f16", "65504"), "65504.0");
    assert_eq!(again("bf16", "0.1").parse(), Ok(0.100_097_656_f32));
    for (ty, text) in
        [("f64", "1e309"), ("f32", "3.5e38"), ("f16", "65520"), ("bf16", "3.4e38"), ("f64", "-1e999")]
    {
        assert!(refused(ty, text).1.contains("out of the range of"), "{ty} {text}");
    }
}

#[test]
fn a_number_of_any_length_is_read_to_the_nearest() {
    let zeros = |count: usize| "0".repeat(count);
    for count in [700, 5_000, 655_359, 700_000, 2_000_000] {
        let one = [format!("0.{}1e{}", zeros(count), count + 1), format!("1{}e-{count}", zeros(count))];
        for (text, types) in [(&one[0], ["f64", "f16"]), (&one[1], ["f32", "bf16"])] {
            for ty in types {
                assert_eq!(again(ty, &format!("-{text}")), "-1.0", "{ty}, {count} zeros");
            }
            assert_eq!(again("u64", text), "1");
        }
        // As far from one as it goes, and zero however it is written.
        assert_eq!(again("f64", &format!("0.{}1e{}", zeros(count), count + 309)).parse(), Ok(1e308));
        assert_eq!(again("f64", &format!("1{}e-{}", zeros(count), count + 323)), "1e-323");
        assert_eq!(again("f64", &format!("-0.{}e{count}", zeros(count))), "-0.0");
        assert_eq!(again("f16", &format!("0.{}1e{count}", zeros(count + 100))), "0.0");
        assert_eq!(
            refused("f32", &format!("1{}", zeros(count))).1,
            format!("1{}… is out of the range of f32", zeros(39))
        );
        // Half way between 1 and the next, and the least there is above that.
        for (ty, half) in [
            ("f64", "1.00000000000000011102230246251565404236316680908203125"),
            ("f32", "1.000000059604644775390625"),
            ("f16", "1.00048828125"),
            ("bf16", "1.00390625"),
        ] {
            assert_eq!(again(ty, &format!("{half}{}", zeros(count))), "1.0", "{ty}");
            let above = again(ty, &format!("{half}{}1", zeros(count)));
            assert!(above.starts_with("1.0") && above.len() > 3, "{ty}: {above}");
        }
    }
    // A thousand digits of which the last says which way.
    let nines = "9".repeat(1000);
    assert_eq!(again("f64", &format!("9007199254740992.{nines}")), "9007199254740992.0");
    assert_eq!(again("f64", &format!("9007199254740993.{}1", zeros(1000))), "9007199254740994.0");
}

#[test]
fn halves_are_rounded_once() {
    // Between any two neighbours: their middle, and what is nearer to the one and to the other by less than an f64 tells.
    fn between(ty: &str, value: impl Fn(u16) -> f64, last: u16) {
        let json = json(ty);
        let bits = |text: &str| json.encode(text).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        for below in (0..last).step_by(37).chain([last - 1]) {
            let middle = format!("{:.140}", (value(below) + value(below + 1)) / 2.0);
            let middle = middle.trim_end_matches('0');
            let upper = format!("{middle}00000000000000000000000000000001");
            let mut lower = middle.as_bytes().to_vec();
            for digit in lower.iter_mut().rev().filter(|digit| **digit != b'.') {
                let borrowed = *digit == b'0';
                *digit = if borrowed { b'9' } else { *digit - 1 };
                if !borrowed {
                    break;
                }
            }
            let lower = format!("{}9999999999999999999999999999999", String::from_utf8(lower).unwrap());
            let middle = middle.trim_end_matches('.');
            let even = below + (below & 1);
            for (text, expected) in [(middle, even), (&upper, below + 1), (&lower, below)] {
                assert_eq!(bits(text), Ok(expected), "{ty} {text}");
                assert_eq!(bits(&format!("-{text}")), Ok(expected | 0x8000), "{ty} -{text}");
            }
        }
    }
    between("f16", |bits| half::f16::from_bits(bits).to_f64(), 0x7bff);
    between("bf16", |bits| half::bf16::from_bits(bits).to_f64(), 0x7f7f);
    // From half a step above the greatest on it is out of range, for there a number would round to infinity.
    assert_eq!(again("f16", "65519.9999999999999999999999999999999999"), "65504.0");
    assert!(refused("f16", "65520").1.contains("out of the range of f16"));
    assert!(refused("bf16", "3.3961775292304957e38").1.contains("out of the range of bf16"));
}

#[test]
fn names_and_numbers_in_errors_are_cut() {
    let long = "n".repeat(2_000_000);
    for (ty, text) in [
        ("struct{a:u8,}", format!("{{\"{long}\":1}}")),
        ("dict{u8}", format!("{{\"{long}\":true}}")),
        ("u8", "7".repeat(2_000_000)),
        ("u8", format!("0.{}", "7".repeat(2_000_000))),
        ("f32", "7".repeat(2_000_000)),
    ] {
        let error = json(ty).encode(&text).unwrap_err();
        assert!(error.pointer().len() <= 4096, "{}", error.pointer().len());
        assert!(error.to_string().len() < 5_000, "{}", error.to_string().len());
        assert!(error.to_string().contains('…'), "{error}");
        assert!(format!("{error:?}").len() < 9_000, "the error keeps the whole");
    }
    let ty = format!("struct{{{long}:u8,}}");
    assert!(refused(&ty, "{}").1.len() < 5_000);
}

#[test]
fn what_json_has_no_number_for_is_a_string_and_keeps_its_bits() {
    for (ty, text) in [
        ("f64", "Infinity"),
        ("f64", "-Infinity"),
        ("f64", "NaN"),
        ("f64", "NaN:0x7ff8000000000001"),
        ("f64", "NaN:0xfff8000000000000"),
        ("f64", "NaN:0x7ff0000000000001"),
        ("f32", "NaN"),
        ("f32", "NaN:0x7f800001"),
        ("f32", "-Infinity"),
        ("f16", "NaN:0xfe00"),
        ("f16", "Infinity"),
        ("bf16", "NaN:0x7f81"),
    ] {
        assert_eq!(again(ty, &format!("\"{text}\"")), format!("\"{text}\""), "{ty}");
    }
    let bytes = json("f64").encode("\"NaN:0x7ff0000000000001\"").unwrap();
    assert_eq!(bytes, 0x7ff0_0000_0000_0001_u64.to_le_bytes());
    // All bits of the canonical one may be written too.
    assert_eq!(again("f32", "\"NaN:0x7fc00000\""), "\"NaN\"");
    for text in [
        "\"NaN:0x7ff0000000000000\"",
        "\"NaN:0x3ff0000000000000\"",
        "\"NaN:0x7ff800000000000\"",
        "\"NaN:0x7FF8000000000001\"",
        "\"NaN:0x+ff8000000000001\"",
        "\"nan\"",
        "\"1.0\"",
        "\"\"",
    ] {
        assert!(refused("f64", text).1.starts_with("expected a number, \"NaN\""), "{text}");
    }
}

#[test]
fn texts_are_escaped_and_unescaped() {
    assert_eq!(
        again("str", r#""\u0041\ud83d\ude00\/\"\\\b\f\n\r\t\u0001é""#),
        r#""A😀/\"\\\b\f\n\r\t\u0001é""#
    );
    for text in [
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ud83dA""#,
        r#""\ud83d\u0041""#,
        r#""\x""#,
        r#""\u12g4""#,
        "\"\n\"",
        "\"a",
    ] {
        let error = json("str").encode(text).unwrap_err();
        assert!(matches!(error.problem(), JsonProblem::Syntax { .. }), "{text}: {error}");
    }
}

#[test]
fn byte_runs_are_canonical_base64() {
    assert_eq!(json("bytes").encode(r#""AAH\/""#).unwrap(), [3, 0, 0, 0, 0, 1, 255]);
    for text in ["", "AA==", "AAA=", "AAAA", "+/+/"] {
        assert_eq!(again("bytes", &format!("\"{text}\"")), format!("\"{text}\""));
    }
    for text in ["A", "AA", "AA=", "AB==", "A A=", "AAAA\\n", "-_-_", "===="] {
        assert!(refused("bytes", &format!("\"{text}\"")).1.starts_with("the string is not base64"), "{text}");
    }
}

#[test]
fn optionals_are_left_out_as_fields_and_null_elsewhere() {
    let ty = "struct{a:optional{u8},b:optional{optional{u8}},c:list{optional{u8}},}";
    for text in [r#"{"c":[]}"#, r#"{"a":1,"b":null,"c":[null,1]}"#, r#"{"b":2,"c":[null]}"#] {
        assert_eq!(again(ty, text), text);
    }
    let (pointer, problem) = refused(ty, r#"{"a": null, "c": []}"#);
    assert_eq!(pointer, "/a");
    assert_eq!(problem, "expected a number for u8, found null; what is absent is left out");
    assert_eq!(again("optional{dict{str}}", "null"), "null");
    let error = Json::new(Type::parse("list{optional{optional{u8}}}").unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "the type at [] is an optional in an optional, and JSON has only one null");
    let error = Json::new(Type::parse("struct{a:dict{tensors},}").unwrap()).unwrap_err();
    assert_eq!(error.path(), "a{}");
}

#[test]
fn properties_come_in_any_order() {
    let ty = "struct{a:u8,b:optional{str},c:dict{u8},d:optional{u8},e:struct{},}";
    let json = json(ty);
    let whole = json.encode(r#"{"a":1,"b":"x","c":{"k":1,"l":2},"d":4,"e":{}}"#).unwrap();
    assert_eq!(json.encode(r#"{"e":{},"d":4,"c":{"l":2,"k":1},"b":"x","a":1}"#).unwrap(), whole);
    assert_eq!(json.encode(r#"{"d":4,"a":1,"e":{},"b":"x","c":{"l":2,"k":1}}"#).unwrap(), whole);
    let none = json.encode(r#"{"a":1,"c":{},"e":{}}"#).unwrap();
    assert_eq!(none, [1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(json.encode(r#"{"e":{},"c":{},"a":1}"#).unwrap(), none);
    assert_eq!(json.encode(r#"{"\u0061":1,"c":{},"e":{}}"#).unwrap(), none);
    // What was passed over and comes later takes the place that was left for it.
    assert_eq!(json.encode(r#"{"a":1,"c":{},"e":{},"b":""}"#).unwrap(), [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn a_key_in_another_spelling_is_the_same_key() {
    for (ty, text, pointer) in [
        ("struct{a:u8,}", r#"{"a":1,"\u0061":2}"#, "/a"),
        ("struct{a:u8,}", r#"{"\u0061":1,"a":1}"#, "/a"),
        ("struct{a:optional{u8},b:u8,}", r#"{"b":1,"\u0061":1,"\u0061":1}"#, "/a"),
        ("struct{é:u8,}", r#"{"é":1,"\u00E9":2}"#, "/é"),
        ("struct{😀:u8,}", r#"{"😀":1,"\ud83d\uDE00":2}"#, "/😀"),
        ("dict{u8}", r#"{"a":1,"b":2,"\u0061":3}"#, "/a"),
        ("dict{u8}", r#"{"\u0062":1,"a":2,"b":3}"#, "/b"),
        ("dict{u8}", r#"{"/":1,"\/":3}"#, "/~1"),
        ("dict{u8}", r#"{"\n":1,"\u000a":3}"#, "/\n"),
        ("dict{u8}", r#"{"":1,"":3}"#, "/"),
        ("list{dict{dict{str}}}", r#"[{"x":{"k":"","\u006b":""}}]"#, "/0/x/k"),
        ("list{dict{dict{str}}}", r#"[{},{"x":{"k":""},"\u0078":{}}]"#, "/1/x"),
    ] {
        assert_eq!(refused(ty, text), (pointer.into(), "the name is there twice".into()), "{ty} {text}");
    }
}

#[test]
fn what_does_not_fit_is_named_by_its_pointer() {
    let ty = "list{struct{id:u32,tags:list{str},more:optional{dict{struct{x:bool,}}},}}";
    for (text, pointer, problem) in [
        ("[{\"id\":1}]", "/0", "the field \"tags\" is missing"),
        ("[{\"tags\":[]}]", "/0", "the field \"id\" is missing"),
        ("[{\"id\":1,\"tags\":[],\"z/~\":1}]", "/0/z~1~0", "the type has no such field"),
        ("[{\"id\":1,\"tags\":[],\"id\":1}]", "/0/id", "the name is there twice"),
        ("[{\"id\":1,\"tags\":[\"a\",2]}]", "/0/tags/1", "expected a string for str, found a number"),
        ("[{\"id\":\"1\",\"tags\":[]}]", "/0/id", "expected a number for u32, found a string"),
        ("[{\"id\":1.5,\"tags\":[]}]", "/0/id", "1.5 is not whole"),
        (
            "[{\"id\":1,\"tags\":[],\"more\":{\"k\":{\"x\":0}}}]",
            "/0/more/k/x",
            "expected true or false for bool, found a number",
        ),
        (
            "[{\"id\":1,\"tags\":[],\"more\":{\"k\":{\"x\":true},\"k\":{\"x\":true}}}]",
            "/0/more/k",
            "the name is there twice",
        ),
        ("[{\"id\":1,\"tags\":[],\"more\":[]}]", "/0/more", "expected an object for dict, found an array"),
        ("[{\"id\":1,\"tags\":{}}]", "/0/tags", "expected an array for list, found an object"),
        ("{}", "", "expected an array for list, found an object"),
        ("[7]", "/0", "expected an object for struct, found a number"),
    ] {
        assert_eq!(refused(ty, text), (pointer.into(), problem.into()), "{text}");
    }
}

#[test]
fn text_that_is_no_json_is_refused_where_it_is_none() {
    for (text, offset, expected) in [
        ("", 0, "an array"),
        ("[1,]", 3, "a value"),
        ("[1 2]", 3, "`,` or `]`"),
        ("[01]", 2, "`,` or `]`"),
        ("[1.]", 3, "a digit"),
        ("[-]", 2, "a digit"),
        ("[1e]", 3, "a digit"),
        ("[1]x", 3, "a value"),
        ("[1] 2", 4, "the end of the text"),
        ("[tru]", 1, "a value"),
        ("[1", 2, "`,` or `]`"),
        ("\u{feff}[1]", 0, "a value, and no byte order mark before it"),
    ] {
        let error = json("list{u8}").encode(text).unwrap_err();
        assert_eq!(error.offset(), offset, "{text}: {error}");
        let _ = expected;
        match error.problem() {
            JsonProblem::Syntax { expected: found } => {
                assert!(*found == expected || text.is_empty(), "{text}: {found}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let error = json("list{u8}").encode("[1,\n  é]").unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 3));
}

#[test]
fn nothing_is_left_in_the_buffer_after_an_error() {
    let mut out = vec![1, 2, 3];
    assert!(json("list{u8}").encode_into("[1,2,300]", &mut out).is_err());
    assert_eq!(out, [1, 2, 3]);
    json("list{u8}").encode_into("[4]", &mut out).unwrap();
    assert_eq!(out, [1, 2, 3, 1, 0, 0, 0, 4]);
}

/// A list in a list, so often.
fn nested(depth: usize) -> String {
    format!("{}u8{}", "list{".repeat(depth), "}".repeat(depth))
}

#[test]
fn depth_ends_at_64_in_both_directions() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(again(&nested(100), &deep(64)), deep(64));
    let error = json(&nested(100)).encode(&deep(65)).unwrap_err();
    assert_eq!(*error.problem(), JsonProblem::Encode(EncodeError::TooDeep));
    assert_eq!(error.offset(), 64);
    let mut bytes = [1, 0, 0, 0].repeat(64);
    bytes.extend([0; 4]);
    let error = json(&nested(100)).decode(&bytes).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Depth, 256));
    // The optional of a field is a container too.
    let field = |inner: &str| format!("struct{{a:optional{{{inner}}},}}");
    let mut ty = "u8".to_owned();
    let mut text = "7".to_owned();
    for _ in 0..32 {
        (ty, text) = (field(&ty), format!("{{\"a\":{text}}}"));
    }
    assert_eq!(again(&ty, &text), text);
    let (deeper, more) = (format!("list{{{ty}}}"), format!("[{text}]"));
    assert_eq!(refused(&deeper, &more).1, "the value nests more than 64 containers");
}

#[test]
fn recursive_types_have_json_and_no_frame() {
    use kiln::schema::{Scalar, TypeBuilder};
    let mut types = TypeBuilder::new();
    let node = types.declare();
    let name = types.scalar(Scalar::Str);
    let next = types.optional(node);
    let body = types.structure([("name", name), ("next", next)]);
    types.define(node, body);
    let json = Json::new(types.finish(node).unwrap()).unwrap();
    let text = r#"{"name":"a","next":{"name":"b"}}"#;
    assert_eq!(json.decode(&json.encode(text).unwrap()).unwrap(), text);
    let error = json.encode_framed(text).unwrap_err();
    assert_eq!(error.to_string(), "a type that contains itself has no type text, hash or frame");
    assert!(matches!(json.decode_framed(&[]), Err(dynamic::FramedError::Type(_))));
}

#[test]
fn frames_are_written_and_expected() {
    let json = json("struct{id:u32,}");
    let bytes = json.encode_framed(r#"{"id":7}"#).unwrap();
    assert_eq!(json.decode_framed(&bytes).unwrap(), r#"{"id":7}"#);
    let mut other = bytes.clone();
    other[8] ^= 1;
    match json.decode_framed(&other).unwrap_err() {
        dynamic::FramedError::Rejected(error) => assert_eq!(error.code(), Code::Schema),
        other => panic!("{other:?}"),
    }
}

#[test]
fn pretty_text_has_a_line_for_every_part() {
    let json = json("struct{a:list{u8},b:dict{struct{x:u8,}},c:list{u8},d:optional{optional{u8}},}");
    let bytes = json.encode(r#"{"a":[1,2],"b":{"k":{"x":1}},"c":[],"d":null}"#).unwrap();
    let text = json.decode_with(&bytes, &Limits::DEFAULT, Layout::Pretty).unwrap();
    let expected = "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {\n    \"k\": {\n      \"x\": 1\n    }\n  },\n  \"c\": [],\n  \"d\": null\n}";
    assert_eq!(text, expected);
}

#[test]
fn a_stream_gets_the_same_text_and_its_errors_come_through() {
    let json = json("list{str}");
    let words: Vec<String> = (0..20_000).map(|at| format!("\"word {at}\"")).collect();
    let text = format!("[{}]", words.join(","));
    let bytes = json.encode(&text).unwrap();
    let mut out = Vec::new();
    json.decode_to(&bytes, &Limits::DEFAULT, Layout::Compact, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), text);
    let mut full = [0u8; 100];
    let error = json.decode_to(&bytes, &Limits::DEFAULT, Layout::Compact, &mut full[..]).unwrap_err();
    assert!(matches!(error, DecodeError::Io(_)));
}

/// A stream that gives one byte at a time.
struct Drops<'a>(&'a [u8]);

impl std::io::Read for Drops<'_> {
    fn read(&mut self, place: &mut [u8]) -> std::io::Result<usize> {
        let len = self.0.len().min(place.len()).min(1);
        let (now, rest) = self.0.split_at(len);
        place[..len].copy_from_slice(now);
        self.0 = rest;
        Ok(len)
    }
}

#[test]
fn lines_of_a_stream_are_the_elements_and_the_verdict_is_the_checkers() {
    let ty = Type::parse("list{struct{id:u32,name:str,more:list{u16},}}").unwrap();
    let json = Json::new(ty.clone()).unwrap();
    let text = r#"[{"id":1,"name":"a","more":[]},{"id":2,"name":"bb","more":[1,2,3]},{"id":3,"name":"","more":[9]}]"#;
    let bytes = json.encode(text).unwrap();
    let read = |bytes: &[u8], framed: bool| {
        let mut out = Vec::new();
        let lines = match framed {
            true => json.lines_framed(Drops(bytes), &Limits::DEFAULT),
            false => json.lines(Drops(bytes), &Limits::DEFAULT),
        };
        let mut described = String::new();
        let result = lines.and_then(|mut lines| {
            loop {
                match lines.next_line(&mut out) {
                    Ok(true) => {}
                    Ok(false) => return Ok(()),
                    Err(error) => {
                        if let DecodeError::Rejected(error) = &error {
                            described = lines.describe(error).to_string();
                        }
                        return Err(error);
                    }
                }
            }
        });
        (String::from_utf8(out).unwrap(), result, described)
    };
    let (lines, result, _) = read(&bytes, false);
    result.unwrap();
    assert_eq!(format!("[{}]", lines.trim_end().replace('\n', ",")), text);
    let framed = json.encode_framed(text).unwrap();
    assert_eq!(read(&framed, true).0, lines);
    let mut named = 0;
    for cut in 0..bytes.len() {
        for damage in 0..3 {
            let mut bytes = bytes.clone();
            match damage {
                0 => bytes.truncate(cut),
                1 => bytes[cut] ^= 0x81,
                _ => bytes.insert(cut, 0xff),
            }
            let expected = dynamic::check(&ty, &bytes)
                .map_err(|e| (e.reason(), e.offset(), e.claimed(), e.path().collect::<Vec<_>>()));
            let (_, result, described) = read(&bytes, false);
            let found = match result {
                Ok(()) => Ok(()),
                Err(DecodeError::Rejected(e)) => {
                    // A fault of the count ends the stream before there are lines to ask.
                    if e.path().next().is_some() {
                        assert_eq!(described, ty.describe(&e, &bytes).to_string(), "{bytes:?}");
                        named += usize::from(described.contains("].more[") || described.contains("].name"));
                    }
                    Err((e.reason(), e.offset(), e.claimed(), e.path().collect()))
                }
                Err(other) => panic!("{other}"),
            };
            assert_eq!(found, expected, "{bytes:?}");
        }
    }
    assert!(named > 10, "{named} faults were described with the names of fields");
    assert!(matches!(
        Json::new(Type::parse("u8").unwrap()).unwrap().lines(&[][..], &Limits::DEFAULT),
        Err(DecodeError::NotList)
    ));
}

#[test]
fn long_streams_are_read_piece_by_piece() {
    let json = json("list{str}");
    let word = "x".repeat(1000);
    let text = format!("[{}]", vec![format!("\"{word}\""); 1000].join(","));
    let bytes = json.encode(&text).unwrap();
    let mut lines = json.lines(&bytes[..], &Limits::DEFAULT).unwrap();
    let (mut out, mut count) = (Vec::new(), 0);
    while lines.next_line(&mut out).unwrap() {
        assert_eq!(out.len(), 1003);
        out.clear();
        count += 1;
    }
    assert_eq!((count, lines.given()), (1000, 1000));
}

#[test]
fn values_without_their_type_are_checked() {
    let json = json("list{u8}");
    let error = json.text(&Value::List(vec![Value::U16(1)])).unwrap_err();
    assert_eq!(error.to_string(), "in [0]: expected u8, found u16");
}
