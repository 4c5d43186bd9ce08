#![no_main]

#[path = "../targets/json_schema.rs"]
mod json_schema;

libfuzzer_sys::fuzz_target!(|input: &[u8]| json_schema::run(input));
