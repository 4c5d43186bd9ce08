//! JSON Schema documents: the subset, everything beside it by its pointer, and the way back.

use kiln::schema::{Scalar, Schema, SchemaError, SchemaProblem, Type, TypeBuilder, TypeError};

fn text(document: &str) -> String {
    match Schema::from_json(document) {
        Ok(schema) => schema.ty().text().expect("a text"),
        Err(error) => panic!("{document}: {error}"),
    }
}

/// The faults of a document, as pointer and line.
fn faults(document: &str) -> Vec<(String, String)> {
    match Schema::from_json(document) {
        Ok(schema) => panic!("{document} is accepted as {}", schema.ty()),
        Err(error) => {
            error.faults().iter().map(|f| (f.pointer().to_owned(), f.problem().to_string())).collect()
        }
    }
}

fn pointers(document: &str) -> Vec<String> {
    faults(document).into_iter().map(|(pointer, _)| pointer).collect()
}

#[test]
fn every_row_of_the_table_is_its_type() {
    for (document, ty) in [
        (r#"{"type":"boolean"}"#, "bool"),
        (r#"{"type":"integer"}"#, "i64"),
        (r#"{"type":"integer","format":"int8"}"#, "i8"),
        (r#"{"type":"integer","format":"int16"}"#, "i16"),
        (r#"{"type":"integer","format":"int32"}"#, "i32"),
        (r#"{"type":"integer","format":"int64"}"#, "i64"),
        (r#"{"type":"integer","format":"uint8"}"#, "u8"),
        (r#"{"type":"integer","format":"uint16"}"#, "u16"),
        (r#"{"type":"integer","format":"uint32"}"#, "u32"),
        (r#"{"type":"integer","format":"uint64"}"#, "u64"),
        (r#"{"type":"number"}"#, "f64"),
        (r#"{"type":"number","format":"float16"}"#, "f16"),
        (r#"{"type":"number","format":"bfloat16"}"#, "bf16"),
        (r#"{"type":"number","format":"float"}"#, "f32"),
        (r#"{"type":"number","format":"double"}"#, "f64"),
        (r#"{"type":"string"}"#, "str"),
        (r#"{"type":"string","contentEncoding":"base64"}"#, "bytes"),
        (r#"{"type":"array","items":{"type":"string"}}"#, "list{str}"),
        (r#"{"type":"object","properties":{}}"#, "struct{}"),
        (r#"{"type":"object","additionalProperties":{"type":"boolean"}}"#, "dict{bool}"),
        (r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"boolean"}}}"##, "bool"),
        (r##"{"$ref":"#/definitions/a","definitions":{"a":{"type":"boolean"}}}"##, "bool"),
    ] {
        assert_eq!(text(document), ty);
        let value: serde_json::Value = serde_json::from_str(document).unwrap();
        assert_eq!(Schema::from_value(&value).unwrap().ty().to_string(), ty);
    }
}

#[test]
fn the_worked_example_of_the_specification_is_its_type() {
    let document = r#"{
      "type": "object",
      "properties": {
        "id":    {"type": "integer", "format": "uint32"},
        "label": {"type": "string"},
        "ok":    {"type": "boolean"},
        "temps": {"type": "array", "items": {"type": "number", "format": "float"}},
        "note":  {"type": "string"}
      },
      "required": ["id", "label", "ok", "temps"],
      "additionalProperties": false
    }"#;
    assert_eq!(text(document), "struct{id:u32,label:str,ok:bool,temps:list{f32},note:optional{str},}");
}

#[test]
fn properties_stand_in_the_order_of_the_text_and_required_has_none() {
    let document = r#"{"type":"object","properties":{"z":{"type":"boolean"},"a":{"type":"boolean"},"m":{"type":"boolean"}},
        "required":["m","a"]}"#;
    assert_eq!(text(document), "struct{z:optional{bool},a:bool,m:bool,}");
    let value: serde_json::Value = serde_json::from_str(document).unwrap();
    assert_eq!(
        Schema::from_value(&value).unwrap().ty().to_string(),
        "struct{z:optional{bool},a:bool,m:bool,}"
    );
}

#[test]
fn words_change_nothing_and_are_kept() {
    let schema = Schema::from_json(
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"x","$comment":"c","title":"T","description":"D",
            "default":{"a": 1, "a":2},"examples":[1],"deprecated":true,"type":"integer"}"#,
    )
    .unwrap();
    assert_eq!(schema.ty().to_string(), "i64");
    let docs = schema.docs();
    assert_eq!((docs.title.as_deref(), docs.description.as_deref()), (Some("T"), Some("D")));
    assert_eq!(docs.default.as_deref(), Some(r#"{"a": 1, "a":2}"#));
    assert!(docs.deprecated);
}

#[test]
fn references_are_resolved_by_the_rules_of_pointers_and_fragments() {
    let document = r##"{"type":"object","required":["a","b","c"],"properties":{
        "a":{"$ref":"#/$defs/x~1y~0z"},"b":{"$ref":"#/$defs/%70%C3%A9%25","description":"d"},"c":{"$ref":"#/definitions/p"}},
        "$defs":{"x/y~z":{"type":"boolean"},"pé%":{"type":"string"}},"definitions":{"p":{"$ref":"#/$defs/x~1y~0z"}}}"##;
    assert_eq!(text(document), "struct{a:bool,b:str,c:bool,}");
    for target in [
        "",
        "#",
        "#/",
        "#/$defs",
        "#/properties/a",
        "other.json",
        "https://x/y",
        "#a",
        "#/$defs/a/b",
        "#/$defs/%",
        "#/$defs/%zz",
        "#/$defs/%ff",
        "#/$defs/~2",
        "#/$defs/~",
    ] {
        let document = format!(
            r#"{{"type":"array","items":{{"$ref":"{target}"}},"$defs":{{"a":{{"type":"string"}}}}}}"#
        );
        let found = faults(&document);
        assert_eq!(found[0].0, "/items/$ref", "{target}");
        assert!(found[0].1.starts_with("the reference leads elsewhere"), "{target}: {}", found[0].1);
    }
    let dangling = r##"{"type":"array","items":{"$ref":"#/$defs/b"},"$defs":{"a":{"type":"string"}}}"##;
    assert_eq!(
        faults(dangling),
        [("/items/$ref".into(), "the document has no definition of that name".into())]
    );
    let beside = r##"{"$ref":"#/$defs/a","type":"string","$defs":{"a":{"type":"string"}}}"##;
    assert_eq!(pointers(beside), ["/type"]);
}

#[test]
fn a_recursive_type_has_no_hash() {
    let schema = Schema::from_json(
        r##"{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","required":["name","children"],"properties":{
            "name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}"##,
    )
    .unwrap();
    assert!(schema.ty().is_recursive());
    assert_eq!(schema.ty().hash(), Err(TypeError::Recursive));
    let json = kiln::dynamic::Json::new(schema.into_type()).unwrap();
    let text = r#"{"name":"a","children":[{"name":"b","children":[]}]}"#;
    assert_eq!(json.decode(&json.encode(text).unwrap()).unwrap(), text);
}

#[test]
fn references_that_lead_nowhere_are_refused() {
    let document = r##"{"type":"array","items":{"$ref":"#/$defs/c"},"$defs":{
        "a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"},"c":{"$ref":"#/$defs/a"},"self":{"$ref":"#/$defs/self"}}}"##;
    assert_eq!(pointers(document), ["/$defs/a/$ref", "/$defs/b/$ref", "/$defs/self/$ref"]);
    let endless = r##"{"$ref":"#/$defs/a","$defs":{
        "a":{"type":"object","required":["b"],"properties":{"b":{"$ref":"#/$defs/b"}}},
        "b":{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/a"}}}}}"##;
    assert_eq!(pointers(endless), ["/$defs/a", "/$defs/b"]);
    // With one of them optional there are values.
    let finite = endless.replace(r#""required":["a"],"#, "");
    assert!(Schema::from_json(&finite).unwrap().ty().is_recursive());
}

#[test]
fn every_other_keyword_is_refused_with_its_pointer() {
    for (document, pointer) in [
        (r#"{"type":"integer","minimum":0}"#, "/minimum"),
        (r#"{"type":"string","pattern":"a"}"#, "/pattern"),
        (r#"{"type":"string","format":"date-time"}"#, "/format"),
        (r#"{"type":"string","enum":["a"]}"#, "/enum"),
        (r#"{"type":"string","items":{"type":"string"}}"#, "/items"),
        (r#"{"type":"string","contentEncoding":"base16"}"#, "/contentEncoding"),
        (r#"{"type":"boolean","contentEncoding":"base64"}"#, "/contentEncoding"),
        (r#"{"type":"integer","format":"double"}"#, "/format"),
        (r#"{"type":"number","format":"int32"}"#, "/format"),
        (r#"{"type":"number","format":7}"#, "/format"),
        (r#"{"type":"array","items":[{"type":"string"}]}"#, "/items"),
        (r#"{"type":"array","items":true}"#, "/items"),
        (r#"{"type":"array"}"#, ""),
        (r#"{"type":"array","items":{"type":"string"},"prefixItems":[]}"#, "/prefixItems"),
        (r#"{"type":"object"}"#, ""),
        (r#"{"type":"object","additionalProperties":true}"#, "/additionalProperties"),
        (r#"{"type":"object","additionalProperties":false}"#, "/additionalProperties"),
        (r#"{"type":"object","additionalProperties":{}}"#, "/additionalProperties"),
        (r#"{"type":"object","additionalProperties":{"type":"string"},"required":["a"]}"#, "/required"),
        (
            r#"{"type":"object","properties":{},"additionalProperties":{"type":"string"}}"#,
            "/additionalProperties",
        ),
        (r#"{"type":"object","properties":[]}"#, "/properties"),
        (r#"{"type":"object","properties":{"a":{"type":"string"}},"required":"a"}"#, "/required"),
        (r#"{"type":"object","properties":{"a":{"type":"string"}},"required":[1]}"#, "/required/0"),
        (r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]}"#, "/required/1"),
        (r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"]}"#, "/required/1"),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{}}"#,
            "/patternProperties",
        ),
        (r#"{"type":["string","null"]}"#, "/type"),
        (r#"{"type":"null"}"#, "/type"),
        (r#"{"type":"strin"}"#, "/type"),
        (r#"{"anyOf":[]}"#, ""),
        (r#"{}"#, ""),
        ("true", ""),
        ("[]", ""),
        (r#"{"type":"object","properties":{"a":{"type":"string","$defs":{}}}}"#, "/properties/a/$defs"),
        (r#"{"type":"string","$defs":[]}"#, "/$defs"),
        (
            r#"{"type":"string","$defs":{"unused":{"type":"string","minLength":1}}}"#,
            "/$defs/unused/minLength",
        ),
        (r#"{"$ref":7}"#, "/$ref"),
        (r#"{"type":"string","x-vendor":1}"#, "/x-vendor"),
    ] {
        let found = faults(document);
        assert!(found.iter().any(|(at, _)| at == pointer), "{document}: {found:?}");
        for (_, line) in found {
            assert!(line.len() > 20, "{document}: {line}");
        }
    }
}

#[test]
fn all_faults_are_listed_in_the_order_of_the_text() {
    let document = r##"{
        "type": "object",
        "properties": {
            "a": {"type": "integer", "minimum": 0},
            "": {"type": "string"},
            "b:c": {"$ref": "#/$defs/none"},
            "a": {"type": "array", "items": {"type": "object", "properties": {}}}
        },
        "required": ["a", "zz"],
        "oneOf": []
    }"##;
    assert_eq!(
        pointers(document),
        [
            "/properties/a/minimum",
            "/properties/",
            "/properties/b:c",
            "/properties/b:c/$ref",
            "/properties/a",
            "/properties/a/items",
            "/required/1",
            "/oneOf"
        ]
    );
    let error = Schema::from_json(document).unwrap_err();
    let last = error.faults().last().unwrap();
    assert_eq!((last.line(), last.column()), (10, 9));
    assert!(document[last.offset()..].starts_with("\"oneOf\""));
    assert_eq!(error.to_string().lines().count(), 8);
    assert!(!error.has_more());
}

/// One keyword of each family, and of the families with several the first and the last.
#[test]
fn the_line_of_a_keyword_says_what_to_write_instead() {
    for (keyword, instead) in [
        ("minimum", "choose a width by `format`"),
        ("multipleOf", "choose a width by `format`"),
        ("minLength", "check the text before encoding"),
        ("contentSchema", "check the text before encoding"),
        ("minItems", "check the array before encoding"),
        ("maxContains", "check the array before encoding"),
        ("minProperties", "check the object before encoding"),
        ("dependencies", "check the object before encoding"),
        ("patternProperties", "say a map as `additionalProperties` with one schema"),
        ("propertyNames", "say a map as `additionalProperties` with one schema"),
        ("unevaluatedProperties", "write `additionalProperties`: false"),
        ("enum", "say the `type` of the values"),
        ("const", "say the `type` of the values"),
        ("anyOf", "an object with a property for each case"),
        ("else", "an object with a property for each case"),
        ("allOf", "write the properties of all parts into one object"),
        ("not", "remove it, and check before encoding"),
        ("nullable", "leave the property out of `required` instead"),
        ("prefixItems", "an object with a named property for each element"),
        ("unevaluatedItems", "an object with a named property for each element"),
        ("$dynamicRef", "write `$ref` to a definition at the top of the document"),
        ("$recursiveRef", "write `$ref` to a definition at the top of the document"),
        ("$anchor", "refer to definitions as \"#/$defs/NAME\""),
        ("$vocabulary", "refer to definitions as \"#/$defs/NAME\""),
        ("id", "write `$id`"),
        ("x-vendor", "move what it says into `description` or `$comment`"),
    ] {
        let found = faults(&format!(r#"{{"type":"string","{keyword}":1}}"#));
        let [(pointer, line)] = &found[..] else { panic!("{keyword}: {found:?}") };
        assert_eq!(*pointer, format!("/{keyword}"));
        assert!(line.contains(instead), "{keyword}: {line}");
    }
    for (document, instead) in [
        (r#"{"type":"array","items":[{"type":"string"}]}"#, "one schema for every element"),
        (r#"{"type":"object","additionalProperties":true}"#, "the schema of the map's values"),
        (r#"{"type":"array","items":{"type":"string","$defs":{}}}"#, "to the top of the document"),
        (r#"{"type":"string","properties":{}}"#, "it belongs to `type`: \"object\""),
        (r#"{"type":"string","items":{}}"#, "it belongs to `type`: \"array\""),
        (r#"{"type":"boolean","contentEncoding":"base64"}"#, "it belongs to `type`: \"string\""),
        (r#"{"type":"string","format":"date"}"#, "nothing else has one"),
        (r##"{"$ref":"#/$defs/a","type":"string","$defs":{"a":{"type":"string"}}}"##, "only words may stand"),
    ] {
        let found = faults(document);
        assert!(found.iter().any(|(_, line)| line.contains(instead)), "{document}: {found:?}");
    }
}

#[test]
fn a_schema_whose_type_is_wrong_hides_nothing_that_is_in_it() {
    for (ty, at) in [
        (r#""type":"strin","#, "/type"),
        (r#""type":null,"#, "/type"),
        (r#""type":"null","#, "/type"),
        ("", ""),
    ] {
        let document = format!(
            r#"{{{ty}"minLength":3,"properties":{{"a":{{"type":"integer","minimum":0}},"b":7,"a":{{"type":"bool"}}}},
            "items":{{"type":"x"}},"additionalProperties":{{"$ref":"elsewhere"}}}}"#
        );
        let expected = [
            at,
            "/minLength",
            "/properties/a/minimum",
            "/properties/b",
            "/properties/a",
            "/properties/a/type",
            "/items/type",
            "/additionalProperties/$ref",
        ];
        assert_eq!(pointers(&document), expected, "{document}");
    }
}

#[test]
fn a_name_twice_is_refused_wherever_it_says_something() {
    for (document, pointer) in [
        (r#"{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"string"}}}"#, "/properties/a"),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"\u0061":{"type":"string"}}}"#,
            "/properties/a",
        ),
        (r#"{"type":"string","type":"string"}"#, "/type"),
        (r#"{"type":"string","title":"a","title":"b"}"#, "/title"),
        (r#"{"type":"string","$defs":{"a":{"type":"string"},"a":{"type":"string"}}}"#, "/$defs/a"),
    ] {
        assert_eq!(
            faults(document),
            [(pointer.to_owned(), "the name stands here twice: remove one".to_owned())]
        );
    }
}

#[test]
fn elements_of_no_bytes_are_refused() {
    for (document, pointer) in [
        (r#"{"type":"array","items":{"type":"object","properties":{}}}"#, "/items"),
        (
            r#"{"type":"object","additionalProperties":{"type":"object","properties":{}}}"#,
            "/additionalProperties",
        ),
        (
            r#"{"type":"array","items":{"type":"object","properties":{"a":{"type":"object","properties":{}}},"required":["a"]}}"#,
            "/items",
        ),
        (
            r##"{"type":"array","items":{"$ref":"#/$defs/e"},"$defs":{"e":{"type":"object","properties":{}}}}"##,
            "/items",
        ),
    ] {
        assert_eq!(pointers(document), [pointer], "{document}");
    }
    // The presence byte of an optional is a byte.
    let some =
        r#"{"type":"array","items":{"type":"object","properties":{"a":{"type":"object","properties":{}}}}}"#;
    assert_eq!(text(some), "list{struct{a:optional{struct{}},}}");
}

/// A struct in a struct, so many of them.
fn nested(depth: usize) -> String {
    let open = r#"{"type":"object","required":["a"],"properties":{"a":"#;
    format!("{}{{\"type\":\"string\"}}{}", open.repeat(depth), "}}".repeat(depth))
}

#[test]
fn nesting_that_no_value_could_end_is_refused() {
    assert!(Schema::from_json(&nested(64)).is_ok());
    assert_eq!(
        faults(&nested(65)),
        [(String::new(), "every value would nest deeper than 64 containers".to_owned())]
    );
    // An array may be empty at any depth, and what is deeper is never reached.
    let array =
        format!("{}{{\"type\":\"string\"}}{}", r#"{"type":"array","items":"#.repeat(5000), "}".repeat(5000));
    assert_eq!(Schema::from_json(&array).unwrap().ty().text().unwrap().len(), 5000 * 6 + 3);
}

#[test]
fn text_that_is_no_json_is_one_fault() {
    for (document, line, column) in [
        ("", 1, 1),
        ("{\"type\":}", 1, 9),
        ("{\n \"type\": \"string\",\n}", 3, 1),
        ("{\"é\" 1}", 1, 6),
        ("{} {}", 1, 5),
    ] {
        let error = Schema::from_json(document).unwrap_err();
        assert_eq!(error.faults().len(), 1);
        let fault = &error.faults()[0];
        assert!(matches!(fault.problem(), SchemaProblem::Syntax { .. }), "{document}");
        assert_eq!((fault.line(), fault.column()), (line, column), "{document}");
    }
    let long = " ".repeat(Type::MAX_TEXT + 1);
    assert_eq!(*Schema::from_json(&long).unwrap_err().faults()[0].problem(), SchemaProblem::TooLong);
}

#[test]
fn of_parts_that_never_end_only_the_loop_is_at_fault() {
    let object = |of: &str| {
        format!(r##"{{"type":"object","required":["a"],"properties":{{"a":{{"$ref":"#/$defs/{of}"}}}}}}"##)
    };
    let (to_loop, around, itself) = (object("around"), object("loop"), object("loop"));
    let document = format!(
        r##"{{"type":"object","required":["a"],"properties":{{"a":{to_loop}}},"$defs":{{"around":{around},"loop":{itself}}}}}"##
    );
    assert_eq!(pointers(&document), ["/$defs/loop"]);
}

#[test]
fn an_object_of_no_bytes_holds_at_most_1024() {
    let of = |inner: usize| {
        let names: Vec<String> = (0..inner).map(|at| format!("\"p{at}\"")).collect();
        let properties: Vec<String> =
            names.iter().map(|name| format!(r#"{name}:{{"type":"object","properties":{{}}}}"#)).collect();
        format!(
            r#"{{"type":"object","required":[{}],"properties":{{{}}}}}"#,
            names.join(","),
            properties.join(",")
        )
    };
    assert_eq!(Schema::from_json(&of(1023)).unwrap().ty().min_len(), 0);
    assert_eq!(faults(&of(1024)).len(), 1);
    assert_eq!(Schema::from_json(&of(1024)).unwrap_err().faults()[0].problem(), &SchemaProblem::TooLarge);
}

#[test]
fn a_document_has_at_most_sixteen_mib() {
    let document = r#"{"type":"boolean"}"#;
    let padded = |len: usize| format!("{document}{}", " ".repeat(len - document.len()));
    assert_eq!(text(&padded(16 << 20)), "bool");
    assert_eq!(faults(&padded((16 << 20) + 1)).len(), 1);
}

#[test]
fn a_long_pointer_shows_both_ends_in_whole_characters() {
    for name in ["e".repeat(5000), "é".repeat(3000), "€".repeat(2000), "€".repeat(2001), "𝄞".repeat(1501)]
    {
        let document = format!(
            r#"{{"type":"object","required":[],"properties":{{"a{name}":{{"type":"integer","minimum":0}}}}}}"#
        );
        let whole = format!("/properties/a{name}/minimum");
        // Half of 4096 bytes at either end, the mark between them in the second half.
        let head = (0..=2048).rev().find(|at| whole.is_char_boundary(*at)).unwrap();
        let tail = (whole.len() - 2045..).find(|at| whole.is_char_boundary(*at)).unwrap();
        assert_eq!(pointers(&document), [format!("{}…{}", &whole[..head], &whole[tail..])]);
    }
}

#[test]
fn hostile_documents_are_answered_in_bounded_space() {
    let many: Vec<String> = (0..5000).map(|at| format!("\"x{at}\":0")).collect();
    let error = Schema::from_json(&format!("{{\"type\":\"string\",{}}}", many.join(","))).unwrap_err();
    assert_eq!(error.faults().len(), SchemaError::MAX_FAULTS);
    assert!(error.has_more());
    let deep = format!("{}0{}", r#"{"type":"array","items":"#.repeat(50_000), "}".repeat(50_000));
    let error = Schema::from_json(&deep).unwrap_err();
    assert_eq!(error.faults().len(), 1);
    assert!(error.faults()[0].pointer().len() <= 4096 && error.faults()[0].pointer().contains('…'));
    let open = "[".repeat(1_000_000);
    assert!(Schema::from_json(&open).is_err());
    // A few lines that say more objects than anybody could walk through.
    let mut definitions = String::from(r#""d0":{"type":"object","properties":{}}"#);
    for at in 1..60 {
        let before = at - 1;
        definitions.push_str(&format!(
            r##","d{at}":{{"type":"object","required":["a","b"],"properties":{{"a":{{"$ref":"#/$defs/d{before}"}},"b":{{"$ref":"#/$defs/d{before}"}}}}}}"##
        ));
    }
    let document = format!(r##"{{"$ref":"#/$defs/d59","$defs":{{{definitions}}}}}"##);
    let error = Schema::from_json(&document).unwrap_err();
    assert_eq!(
        (error.faults()[0].pointer(), error.faults()[0].problem()),
        ("/$defs/d10", &SchemaProblem::TooLarge)
    );
    // Names from the document are escaped where they are shown.
    let error = Schema::from_json("{\"type\":\"string\",\"\\u001b[31m\":0}").unwrap_err();
    assert!(error.to_string().starts_with("at /\\u{1b}[31m (line 1, column 18): "), "{error}");
}

#[test]
fn recursive_and_shared_types_become_definitions() {
    for document in [
        r##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}"##,
        r##"{"$ref":"#/$defs/l","$defs":{"l":{"type":"array","items":{"$ref":"#/$defs/l"}}}}"##,
        r##"{"type":"object","required":["a","b"],"properties":{"a":{"$ref":"#/$defs/p"},"b":{"$ref":"#/$defs/p"},
            "c":{"$ref":"#/$defs/q"}},"$defs":{"p":{"type":"object","additionalProperties":{"$ref":"#/$defs/q"}},
            "q":{"type":"object","properties":{"p":{"$ref":"#/$defs/p"},"s":{"type":"string"}},"required":["s"]}}}"##,
    ] {
        let schema = Schema::from_json(document).unwrap();
        let again = schema.ty().to_json_schema().unwrap();
        assert_eq!(Schema::from_json(&again).unwrap().ty(), schema.ty(), "{again}");
    }
}

#[test]
fn a_type_of_which_parts_are_used_often_has_a_short_schema() {
    use kiln::schema::{Scalar, TypeBuilder};
    let mut types = TypeBuilder::new();
    let mut part = types.scalar(Scalar::U8);
    for _ in 0..60 {
        part = types.structure([("a", part), ("b", part)]);
    }
    let ty = types.finish(part).unwrap();
    assert!(ty.to_json_schema().unwrap().len() < 20_000);
}

#[test]
fn what_the_subset_cannot_say_is_refused_with_the_reason() {
    for (ty, path, reason) in [
        ("tensors", "", "tensor directory"),
        ("struct{a:list{tensors},}", "a[]", "tensor directory"),
        ("optional{u8}", "", "optional"),
        ("list{optional{u8}}", "[]", "optional"),
        ("struct{a:optional{optional{u8}},}", "a", "optional"),
        ("struct{a:dict{struct{b:optional{tensors},}},}", "a{}.b", "tensor directory"),
    ] {
        let error = Type::parse(ty).unwrap().to_json_schema().unwrap_err();
        assert_eq!(error.path(), path, "{ty}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    // A way of more than 4096 bytes is not gone on with.
    for (len, step) in [(4096, ".x"), (4097, "")] {
        let name = "n".repeat(len);
        let ty = Type::parse(&format!("struct{{{name}:struct{{x:tensors,}},}}")).unwrap();
        assert_eq!(ty.to_json_schema().unwrap_err().path(), format!("{name}{step}"));
    }
}

#[test]
fn a_scalar_that_is_used_twice_is_no_definition() {
    let mut types = TypeBuilder::new();
    let number = types.scalar(Scalar::U8);
    let pair = types.structure([("a", number), ("b", number)]);
    let schema = types.finish(pair).unwrap().to_json_schema().unwrap();
    assert!(!schema.contains("$"), "{schema}");
}
