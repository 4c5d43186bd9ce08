//! JSON Schema documents: the subset, everything beside it by its pointer, and the way back.
#![cfg(feature = "json")]

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
            "default":{"a": 1, "b":2},"examples":[1],"deprecated":true,"type":"integer"}"#,
    )
    .unwrap();
    assert_eq!(schema.ty().to_string(), "i64");
    let docs = schema.docs();
    assert_eq!((docs.title.as_deref(), docs.description.as_deref()), (Some("T"), Some("D")));
    assert_eq!(docs.default.as_deref(), Some(r#"{"a": 1, "b":2}"#));
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
        "%23/$defs/a",
        "#%2F$defs%2Fa%2f",
    ] {
        let document = format!(
            r#"{{"type":"array","items":{{"$ref":"{target}"}},"$defs":{{"a":{{"type":"string"}}}}}}"#
        );
        let found = faults(&document);
        assert_eq!(found[0].0, "/items/$ref", "{target}");
        assert!(found[0].1.starts_with("the reference leads elsewhere"), "{target}: {}", found[0].1);
    }
    for target in [
        "%",
        "%7",
        "%zz",
        "%+1",
        "%7é",
        "%ff",
        "%C3",
        "%ed%a0%80",
        "%c0%af",
        "~",
        "~2",
        "%7e",
        "%7e2",
        "~%2F",
    ] {
        let document = format!(r##"{{"type":"array","items":{{"$ref":"#/$defs/{target}"}},"$defs":{{}}}}"##);
        let found = faults(&document);
        let [(pointer, line)] = &found[..] else { panic!("{target}: {found:?}") };
        assert_eq!(pointer, "/items/$ref", "{target}");
        assert!(line.starts_with("expected a JSON pointer in a URI fragment"), "{target}: {line}");
    }
    let dangling = r##"{"type":"array","items":{"$ref":"#/$defs/b"},"$defs":{"a":{"type":"string"}}}"##;
    assert_eq!(
        faults(dangling),
        [("/items/$ref".into(), "the document has no definition of that name".into())]
    );
    let beside = r##"{"$ref":"#/$defs/a","type":"string","$defs":{"a":{"type":"string"}}}"##;
    assert_eq!(pointers(beside), ["/type"]);
}

/// RFC 6901 (6): a fragment is decoded as a whole before the pointer in it is divided.
#[test]
fn a_fragment_is_percent_decoded_before_it_is_divided() {
    let definitions = r##""$defs":{"a":{"type":"object","properties":{"items":{"type":"string"}}},
        "a/items":{"type":"integer","format":"uint8"},"%2F":{"type":"boolean"},"é":{"type":"number"}}"##;
    let of = |target: &str| format!(r#"{{"$ref":"{target}",{definitions}}}"#);
    for (target, ty) in [
        ("#/$defs/a~1items", "u8"),
        ("#/$defs/a%7e1items", "u8"),
        ("#/$defs/a%7E1items", "u8"),
        ("#/%24defs/a", "struct{items:optional{str},}"),
        ("#%2f%24defs%2Fa", "struct{items:optional{str},}"),
        ("#/$defs/%252F", "bool"),
        ("#/$defs/%c3%A9", "f64"),
        ("#/$defs/é", "f64"),
    ] {
        assert_eq!(text(&of(target)), ty, "{target}");
    }
    for target in
        ["#/$defs/a%2Fitems", "#/$defs/a%2fitems", "#/$defs/a%2Fproperties%2Fitems", "#/$defs%2Fa/items"]
    {
        let found = faults(&of(target));
        let [(pointer, line)] = &found[..] else { panic!("{target}: {found:?}") };
        assert_eq!(pointer, "/$ref");
        assert!(line.starts_with("the reference leads elsewhere"), "{target}: {line}");
    }
}

#[test]
fn words_of_a_wrong_type_are_refused_by_their_pointer() {
    let words = [
        ("title", r#"[7, null, true, {}, ["a"]]"#, "a string"),
        ("description", r#"[7, null, true, {}, ["a"]]"#, "a string"),
        ("$schema", r#"[7, null, true, {}, ["a"]]"#, "a string"),
        ("$comment", r#"[7, null, true, {}, ["a"]]"#, "a string"),
        ("examples", r#"["a", 7, null, true, {}]"#, "an array"),
        ("deprecated", r#"["true", 1, null, [], {}]"#, "true or false"),
    ];
    for (word, wrong, expected) in words.iter().chain(&[("$id", r#"[7, null, true, {}, ["a"]]"#, "a string")])
    {
        let wrong: Vec<serde_json::Value> = serde_json::from_str(wrong).unwrap();
        for wrong in wrong {
            let found = faults(&format!(r#"{{"type":"string","{word}":{wrong}}}"#));
            assert_eq!(found, [(format!("/{word}"), format!("expected {expected}, or nothing"))]);
            if *word == "$id" {
                continue;
            }
            let inside = format!(
                r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/a","{word}":{wrong}}}}},
                "$defs":{{"a":{{"type":"array","{word}":{wrong},"items":{{"type":"number","{word}":{wrong}}}}},
                "b":{{"{word}":{wrong},"type":"none"}}}}}}"##
            );
            let places = [format!("/properties/a/{word}"), format!("/$defs/a/{word}")];
            let more =
                [format!("/$defs/a/items/{word}"), format!("/$defs/b/{word}"), "/$defs/b/type".to_owned()];
            assert_eq!(pointers(&inside), [&places[..], &more].concat(), "{wrong}");
        }
    }
    assert_eq!(
        text(r#"{"type":"string","default":null,"deprecated":false,"examples":[],"title":""}"#),
        "str"
    );
}

/// It would change what references below it lead to.
#[test]
fn an_identifier_below_the_top_is_refused() {
    for (document, pointer) in [
        (r##"{"$ref":"#/$defs/a","$defs":{"a":{"$id":"x","type":"string"}}}"##, "/$defs/a/$id"),
        (
            r##"{"$ref":"#/definitions/a","definitions":{"a":{"$id":"#x","type":"string"}}}"##,
            "/definitions/a/$id",
        ),
        (r#"{"type":"array","items":{"$id":"https://example.org/b","type":"string"}}"#, "/items/$id"),
        (r#"{"type":"object","properties":{"a":{"$id":7,"type":"string"}}}"#, "/properties/a/$id"),
        (
            r##"{"type":"object","properties":{"a":{"$id":"x","$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}"##,
            "/properties/a/$id",
        ),
        (r#"{"type":"object","properties":{"a":{"id":"x","type":"string"}}}"#, "/properties/a/id"),
    ] {
        let found = faults(document);
        let [(at, line)] = &found[..] else { panic!("{document}: {found:?}") };
        assert_eq!(at, pointer);
        assert!(line.contains("only the whole document may have one"), "{line}");
    }
    assert_eq!(
        text(r#"{"$id":"https://example.org/a","type":"object","properties":{"$id":{"type":"string"}}}"#),
        "struct{$id:optional{str},}"
    );
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
        ("minimum", "check the range before encoding"),
        ("multipleOf", "check the number before encoding"),
        ("minLength", "check the text before encoding"),
        ("contentSchema", "check the text before encoding"),
        ("minItems", "check the array before encoding"),
        ("maxContains", "check the array before encoding"),
        ("minProperties", "check the object before encoding"),
        ("dependencies", "check the object before encoding"),
        ("patternProperties", "say a map as `additionalProperties` with one schema"),
        ("propertyNames", "check the names before encoding"),
        ("unevaluatedProperties", "an object has no other properties"),
        ("enum", "check which value it is before encoding"),
        ("const", "check which value it is before encoding"),
        ("anyOf", "an object with a property for each case"),
        ("else", "check before encoding"),
        ("allOf", "write the properties of all parts into one object"),
        ("not", "remove it, and check before encoding"),
        ("nullable", "a property that is not in `required`"),
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

/// Schemas as libraries of several languages derive them from types: what is said of each, and the type when that is
/// done.
#[test]
fn advice_on_what_generators_write_works() {
    let property = |schema: &str, required: &str| {
        format!(
            r##"{{"type":"object","properties":{{"a":{schema}}},"required":[{required}],"$defs":{{"D":{{"type":"object","properties":{{"x":{{"type":"boolean"}}}}}}}}}}"##
        )
    };
    // A required property as it comes, where and what is said, the property as that says it, whether still required.
    for (before, said, after, required, ty) in [
        (
            r#"{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"A"}"#,
            &[(
                "/anyOf",
                "write the schema that is not null in its place, and leave the property out of `required`",
            )][..],
            r#"{"type":"string","default":null,"title":"A"}"#,
            false,
            "optional{str}",
        ),
        (
            r##"{"anyOf":[{"$ref":"#/$defs/D"},{"type":"null"}]}"##,
            &[("/anyOf", "leave the property out of `required`")],
            r##"{"$ref":"#/$defs/D"}"##,
            false,
            "optional{struct{x:optional{bool},}}",
        ),
        (
            r#"{"oneOf":[{"const":null},{"type":"integer","format":"uint32","minimum":0}]}"#,
            &[
                ("/oneOf", "leave the property out of `required`"),
                ("/oneOf/1/minimum", "no integer of this `format` is beyond it"),
            ],
            r#"{"type":"integer","format":"uint32"}"#,
            false,
            "optional{u32}",
        ),
        (
            r#"{"type":["integer","null"],"format":"uint8","minimum":0,"maximum":255}"#,
            &[
                (
                    "/type",
                    "the type that is not null, by its name alone; leave the property out of `required`",
                ),
                ("/minimum", "check the range"),
                ("/maximum", "check the range"),
            ],
            r#"{"type":"integer","format":"uint8"}"#,
            false,
            "optional{u8}",
        ),
        (
            r#"{"type":"string","nullable":true}"#,
            &[("/nullable", "leave the property out of `required`")],
            r#"{"type":"string"}"#,
            false,
            "optional{str}",
        ),
        (
            r#"{"type":"string","nullable":false}"#,
            &[("/nullable", "remove it")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r##"{"allOf":[{"$ref":"#/$defs/D"}],"description":"d"}"##,
            &[("/allOf", "write its one schema in its place")],
            r##"{"$ref":"#/$defs/D","description":"d"}"##,
            true,
            "struct{x:optional{bool},}",
        ),
        (
            r#"{"type":"integer","minimum":0,"maximum":255}"#,
            &[("/minimum", "write `format`: \"uint8\""), ("/maximum", "write `format`: \"uint8\"")],
            r#"{"type":"integer","format":"uint8"}"#,
            true,
            "u8",
        ),
        (
            r#"{"type":"integer","exclusiveMinimum":-1,"exclusiveMaximum":65536}"#,
            &[("/exclusiveMinimum", "\"uint16\""), ("/exclusiveMaximum", "\"uint16\"")],
            r#"{"type":"integer","format":"uint16"}"#,
            true,
            "u16",
        ),
        (
            r#"{"type":"integer","exclusiveMinimum":0,"maximum":65536}"#,
            &[("/exclusiveMinimum", "\"uint32\""), ("/maximum", "\"uint32\"")],
            r#"{"type":"integer","format":"uint32"}"#,
            true,
            "u32",
        ),
        (
            r#"{"type":"integer","minimum":-2147483648,"maximum":2147483647.0}"#,
            &[("/minimum", "\"int32\""), ("/maximum", "\"int32\"")],
            r#"{"type":"integer","format":"int32"}"#,
            true,
            "i32",
        ),
        (
            r#"{"type":"integer","minimum":-128,"maximum":127}"#,
            &[("/minimum", "\"int8\""), ("/maximum", "\"int8\"")],
            r#"{"type":"integer","format":"int8"}"#,
            true,
            "i8",
        ),
        (
            r#"{"type":"integer","minimum":-129,"maximum":1e2}"#,
            &[("/minimum", "\"int16\""), ("/maximum", "\"int16\"")],
            r#"{"type":"integer","format":"int16"}"#,
            true,
            "i16",
        ),
        (
            r#"{"type":"integer","minimum":1}"#,
            &[("/minimum", "\"uint64\"")],
            r#"{"type":"integer","format":"uint64"}"#,
            true,
            "u64",
        ),
        (
            r#"{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}"#,
            &[("/minimum", "remove it, and check the range"), ("/maximum", "remove it, and check the range")],
            r#"{"type":"integer"}"#,
            true,
            "i64",
        ),
        (
            r#"{"type":"integer","minimum":0,"maximum":1e30}"#,
            &[("/minimum", "\"uint64\""), ("/maximum", "\"uint64\"")],
            r#"{"type":"integer","format":"uint64"}"#,
            true,
            "u64",
        ),
        (
            r#"{"type":"integer","format":"uint32","minimum":0.0}"#,
            &[("/minimum", "no integer of this `format` is beyond it")],
            r#"{"type":"integer","format":"uint32"}"#,
            true,
            "u32",
        ),
        (
            r#"{"type":"integer","format":"uint32","exclusiveMinimum":0}"#,
            &[("/exclusiveMinimum", "remove it, and check the range")],
            r#"{"type":"integer","format":"uint32"}"#,
            true,
            "u32",
        ),
        (
            r#"{"type":"integer","format":"int16","exclusiveMaximum":32768}"#,
            &[("/exclusiveMaximum", "no integer of this `format` is beyond it")],
            r#"{"type":"integer","format":"int16"}"#,
            true,
            "i16",
        ),
        (
            r#"{"type":"number","format":"float","minimum":0}"#,
            &[("/minimum", "remove it, and check the range")],
            r#"{"type":"number","format":"float"}"#,
            true,
            "f32",
        ),
        (
            r#"{"type":"string","format":"date-time"}"#,
            &[("/format", "remove it, and check the text before encoding")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r#"{"type":"string","format":"uuid","pattern":"^.*$","minLength":1}"#,
            &[("/format", "remove it"), ("/pattern", "remove it"), ("/minLength", "remove it")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r#"{"type":"string","format":"binary"}"#,
            &[("/format", "write `contentEncoding`: \"base64\" in its place")],
            r#"{"type":"string","contentEncoding":"base64"}"#,
            true,
            "bytes",
        ),
        (
            r#"{"type":"string","const":"cat"}"#,
            &[("/const", "remove it, and check which value it is")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r#"{"const":1}"#,
            &[("/const", "write `type`: \"integer\" in its place")],
            r#"{"type":"integer"}"#,
            true,
            "i64",
        ),
        (
            r#"{"enum":["a","b"]}"#,
            &[("/enum", "write `type`: \"string\" in its place")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r#"{"enum":[1,2.5]}"#,
            &[("/enum", "write `type`: \"number\" in its place")],
            r#"{"type":"number"}"#,
            true,
            "f64",
        ),
        (
            r#"{"const":true}"#,
            &[("/const", "write `type`: \"boolean\" in its place")],
            r#"{"type":"boolean"}"#,
            true,
            "bool",
        ),
        (
            r#"{"anyOf":[{"const":"a","type":"string"},{"const":"b","type":"string","description":"B"}]}"#,
            &[("/anyOf", "write `type`: \"string\" in its place")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r#"{"oneOf":[{"enum":["a","c"],"type":"string"},{"const":"b"}]}"#,
            &[("/oneOf", "write `type`: \"string\" in its place")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r#"{"enum":["a",null]}"#,
            &[
                ("", "missing"),
                (
                    "/enum",
                    "the one `type` of the values that are not null, leave the property out of `required`",
                ),
            ],
            r#"{"type":"string"}"#,
            false,
            "optional{str}",
        ),
        (
            r#"{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}]}"#,
            &[("", "missing"), ("/anyOf", "a property for each case but null, none of them in `required`")],
            r#"{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}"#,
            true,
            "struct{n:optional{i64},s:optional{str},}",
        ),
        (
            r#"{"type":["integer","string"]}"#,
            &[("/type", "an object with a property for each, none of them in `required`")],
            r#"{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}"#,
            true,
            "struct{n:optional{i64},s:optional{str},}",
        ),
        (
            r#"{"type":["string"]}"#,
            &[("/type", "one type, by its name alone")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2}"#,
            &[
                ("/prefixItems", "an object with a named property for each element"),
                ("/minItems", "remove it"),
                ("/maxItems", "remove it"),
            ],
            r#"{"type":"object","properties":{"first":{"type":"integer"},"second":{"type":"string"}},"required":["first","second"]}"#,
            true,
            "struct{first:i64,second:str,}",
        ),
        (
            r#"{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"number"}}"#,
            &[("/propertyNames", "remove it")],
            r#"{"type":"object","additionalProperties":{"type":"number"}}"#,
            true,
            "dict{f64}",
        ),
        (
            r#"{"type":"object","patternProperties":{"^(.*)$":{"type":"number"}}}"#,
            &[
                ("", "a schema in `additionalProperties` for a map"),
                ("/patternProperties", "say a map as `additionalProperties` with one schema"),
            ],
            r#"{"type":"object","additionalProperties":{"type":"number"}}"#,
            true,
            "dict{f64}",
        ),
        (
            r#"{"type":"object","properties":{"x":{"type":"boolean"}},"patternProperties":{"^y":{"type":"number"}}}"#,
            &[("/patternProperties", "write a property whose object says the map")],
            r#"{"type":"object","properties":{"x":{"type":"boolean"},"y":{"type":"object","additionalProperties":{"type":"number"}}}}"#,
            true,
            "struct{x:optional{bool},y:optional{dict{f64}},}",
        ),
        (
            r#"{"type":"object","properties":{"x":{"type":"boolean"}},"unevaluatedProperties":false}"#,
            &[("/unevaluatedProperties", "remove it")],
            r#"{"type":"object","properties":{"x":{"type":"boolean"}}}"#,
            true,
            "struct{x:optional{bool},}",
        ),
        (
            r#"{"type":"array","items":{"type":"string"},"additionalItems":false,"uniqueItems":true}"#,
            &[
                ("/additionalItems", "remove it: `items` is the schema of every element"),
                ("/uniqueItems", "remove it"),
            ],
            r#"{"type":"array","items":{"type":"string"}}"#,
            true,
            "list{str}",
        ),
        (
            r#"{"type":"string","required":true}"#,
            &[("/required", "the `required` of their object")],
            r#"{"type":"string"}"#,
            true,
            "str",
        ),
        (
            r##"{"$ref":"#/$defs/D","minimum":0,"properties":{}}"##,
            &[("/minimum", "remove it"), ("/properties", "beside `$ref` only words may stand")],
            r##"{"$ref":"#/$defs/D"}"##,
            true,
            "struct{x:optional{bool},}",
        ),
        (
            r##"{"$ref":"#"}"##,
            &[("/$ref", "put the schema into `$defs` at the top")],
            r##"{"$ref":"#/$defs/D"}"##,
            true,
            "struct{x:optional{bool},}",
        ),
    ] {
        let found = faults(&property(before, "\"a\""));
        assert_eq!(found.len(), said.len(), "{before}: {found:?}");
        for ((pointer, line), (at, advice)) in found.iter().zip(said) {
            assert_eq!(*pointer, format!("/properties/a{at}"), "{before}");
            assert!(line.contains(advice), "{before}: {line}");
        }
        let required = if required { "\"a\"" } else { "" };
        assert_eq!(text(&property(after, required)), format!("struct{{a:{ty},}}"), "{after}");
    }
}

/// What says optional in a property does not anywhere else.
#[test]
fn advice_on_null_fits_the_place() {
    for (nullable, keyword) in [
        (r#""anyOf":[{"type":"string"},{"type":"null"}]"#, "anyOf"),
        (r#""type":["null","string"]"#, "type"),
        (r#""type":"string","nullable":true"#, "nullable"),
    ] {
        for (document, at, advice) in [
            (
                r#"{"type":"object","properties":{"a":{N}}}"#,
                "/properties/a",
                "the property is not in `required`, so it may be absent",
            ),
            (
                r#"{"type":"object","properties":{"a":{N}},"required":["a"]}"#,
                "/properties/a",
                "leave the property out of `required`",
            ),
            (
                r#"{"properties":{"a":{N}},"required":["a"]}"#,
                "/properties/a",
                "leave the property out of `required`",
            ),
            (r#"{"type":"array","items":{N}}"#, "/items", "as a property"),
            (r#"{"type":"object","additionalProperties":{N}}"#, "/additionalProperties", "as a property"),
            (r#"{N}"#, "", "as a property"),
            (
                r#"{"type":"string","$defs":{"d":{N}}}"#,
                "/$defs/d",
                "leave the properties that refer to this out of `required`",
            ),
        ] {
            let document = document.replace("N", nullable);
            let found = faults(&document);
            let line = found.iter().find(|(pointer, _)| *pointer == format!("{at}/{keyword}"));
            let (_, line) = line.unwrap_or_else(|| panic!("{document}: {found:?}"));
            assert!(line.contains(advice), "{document}: {line}");
            let others =
                found.iter().filter(|(pointer, _)| pointer.starts_with(at) && !pointer.contains(keyword));
            assert_eq!(others.filter(|(pointer, _)| !pointer.is_empty()).count(), 0, "{document}: {found:?}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_called_what_it_is() {
    let error = Schema::from_json("\u{feff}{\"type\":\"string\"}").unwrap_err().to_string();
    assert_eq!(
        error,
        "at the top (line 1, column 1): no JSON: expected a value, and no byte order mark before it"
    );
    let json = kiln::dynamic::Json::new(Type::parse("bool").unwrap()).unwrap();
    assert!(json.encode("\u{feff}true").unwrap_err().to_string().contains("no byte order mark"));
    // Only where it is one.
    assert!(!Schema::from_json(" \u{feff}").unwrap_err().to_string().contains("mark"));
}

/// A document whose faults all stand far from its beginning and deep in it: neither their pointers nor their lines go
/// through all of it for each.
#[test]
fn many_faults_far_inside_are_found_at_their_places() {
    let depth = 300_000;
    let padding = "\n".repeat(1 << 20);
    let members: Vec<String> = (0..1000).map(|at| format!("\n\"é{at}\":0")).collect();
    let document = format!(
        "{}{padding}{{\"type\":\"string\",{}}}{}",
        r#"{"type":"array","items":"#.repeat(depth),
        members.join(","),
        "}".repeat(depth)
    );
    let error = Schema::from_json(&document).unwrap_err();
    assert_eq!(error.faults().len(), 1000);
    for (at, fault) in error.faults().iter().enumerate() {
        assert_eq!((fault.line(), fault.column()), ((1 << 20) + at + 2, 1));
        assert!(fault.pointer().starts_with("/items/items/"), "{at}");
        assert!(fault.pointer().ends_with(&format!("/items/items/é{at}")), "{at}");
        assert!((4090..=4096).contains(&fault.pointer().len()));
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
        (r#"{"type":"string","$defs":{},"\u0024defs":{"a":{"type":"string"}}}"#, "/$defs"),
        (r#"{"type":"string","default":{"a":1,"a":1}}"#, "/default/a"),
        (r#"{"type":"string","examples":[0,{"a":[{"b":1,"c":2,"\u0062":3}]}]}"#, "/examples/1/a/0/b"),
        (r#"{"type":"string","examples":[{"a\/\"":1,"a/\u0022":2}]}"#, "/examples/0/a~1\""),
        (r#"{"type":"string","examples":[{"\ud834\udd1e":1,"𝄞":2}]}"#, "/examples/0/𝄞"),
    ] {
        assert_eq!(
            faults(document),
            [(pointer.to_owned(), "the name stands here twice: remove one".to_owned())]
        );
    }
}

#[test]
fn every_name_that_stands_twice_is_listed_once() {
    let object = r#"{"b":0,"a":0,"b":0,"c":0,"a":0,"b":0}"#;
    let document =
        format!(r#"{{"type":"string","anyOf":[{object}],"default":{object},"title":"t","title":7}}"#);
    let of = |at: &str| ["b", "a", "b"].map(|name| format!("{at}/{name}")).to_vec();
    let found = Schema::from_json(&document).unwrap_err();
    let twice: Vec<&str> = found
        .faults()
        .iter()
        .filter(|fault| *fault.problem() == SchemaProblem::Repeated)
        .map(|fault| fault.pointer())
        .collect();
    assert_eq!(twice, [of("/anyOf/0"), of("/default"), vec!["/title".to_owned()]].concat());
    // One more than are kept.
    for (times, more) in [(1001, false), (1002, true)] {
        let members = vec![r#""a":0"#; times].join(",");
        let error =
            Schema::from_json(&format!(r#"{{"type":"string","default":{{{members}}}}}"#)).unwrap_err();
        assert_eq!((error.faults().len(), error.has_more()), (1000, more));
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
