//! The official JSON Schema Test Suite, as far as the subset goes: the same values are accepted, and everything else is
//! refused where it leaves the subset.
#![cfg(feature = "json")]

use kiln::dynamic::Json;
use kiln::schema::Schema;
use serde_json::Value;

/// What JSON Schema accepts and no width holds.
const BEYOND_ANY_WIDTH: [&str; 2] = ["a bignum is an integer", "a negative bignum is an integer"];

fn groups() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/json-schema-suite/draft2020-12.json");
    let text = std::fs::read_to_string(path).expect("the suite's excerpt");
    serde_json::from_str(&text).expect("a list of groups")
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn inside_the_subset_the_same_values_are_accepted() {
    let (mut inside, mut beyond) = (0, 0);
    for group in groups() {
        let Some(tests) = group["tests"].as_array() else { continue };
        let schema = Schema::from_value(&group["schema"]).unwrap_or_else(|error| panic!("{group}: {error}"));
        assert_eq!(schema.ty().to_string(), text(&group, "type"));
        let json = Json::new(schema.into_type()).unwrap();
        for test in tests {
            let result = json.encode(&test["data"].to_string());
            let description = text(test, "description");
            if BEYOND_ANY_WIDTH.contains(&description) {
                let error = result.expect_err("no width holds it").to_string();
                assert!(error.contains("is out of the range of i64"), "{error}");
                beyond += 1;
                continue;
            }
            assert_eq!(
                Some(result.is_ok()),
                test["valid"].as_bool(),
                "{}: {description}: {result:?}",
                group["schema"]
            );
            inside += 1;
        }
    }
    assert_eq!((inside, beyond), (49, 2));
}

#[test]
fn outside_it_every_place_is_named() {
    let mut outside = 0;
    for group in groups() {
        let Some(places) = group["stopped_at"].as_array() else { continue };
        let error = Schema::from_value(&group["schema"]).expect_err("it is outside");
        let found: Vec<&str> = error.faults().iter().map(|fault| fault.pointer()).collect();
        let places: Vec<&str> = places.iter().filter_map(Value::as_str).collect();
        assert_eq!(found, places, "{}", group["schema"]);
        outside += 1;
    }
    assert_eq!(outside, 102);
}

/// Schemas of the shapes that spec/json-schema-survey.md found inside the subset, and a value of each.
#[test]
fn schemas_as_packages_have_them_round_trip_their_values() {
    for (schema, ty, value) in [
        (
            r#"{"$schema": "http://json-schema.org/draft-07/schema", "type": "object", "properties": {
                "item": {"type": "object", "properties": {"title": {"type": "string"}}}}}"#,
            "struct{item:optional{struct{title:optional{str},}},}",
            r#"{"item":{"title":"an item"}}"#,
        ),
        (
            r#"{"$id": "https://example.org/tool", "type": "object", "properties": {"tool": {"type": "object",
                "properties": {"two": {"type": "integer"}}, "additionalProperties": false}}, "additionalProperties": false}"#,
            "struct{tool:optional{struct{two:optional{i64},}},}",
            r#"{"tool":{"two":2}}"#,
        ),
        (
            r#"{"type": "object", "additionalProperties": {"type": "string"}, "description": "scopes by name",
                "examples": [{"read": "may read"}]}"#,
            "dict{str}",
            r#"{"read":"may read","write":"may write"}"#,
        ),
        (
            r##"{"type": "object", "required": ["kinds"], "properties": {"kinds": {"type": "array", "items":
                {"$ref": "#/definitions/Kind"}}, "format": {"type": "string", "default": ""}}, "definitions": {"Kind":
                {"type": "object", "required": ["label"], "properties": {"label": {"type": "string"}, "post":
                {"$ref": "#/definitions/Post"}}}, "Post": {"type": "object", "properties": {"key": {"type": "string"}}}}}"##,
            "struct{kinds:list{struct{label:str,post:optional{struct{key:optional{str},}},}},format:optional{str},}",
            r#"{"kinds":[{"label":"Added"},{"label":"Fixed","post":{"key":"k"}}],"format":"x"}"#,
        ),
    ] {
        let schema = Schema::from_json(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
        assert_eq!(schema.ty().to_string(), ty);
        let json = Json::new(schema.into_type()).unwrap();
        assert_eq!(json.decode(&json.encode(value).unwrap()).unwrap(), value);
    }
}
