#![no_main]

#[path = "../targets/type_text.rs"]
mod type_text;

libfuzzer_sys::fuzz_target!(|input: &[u8]| type_text::run(input));
