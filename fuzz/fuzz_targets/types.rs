#![no_main]

#[path = "../targets/types.rs"]
mod types;

libfuzzer_sys::fuzz_target!(|input: &[u8]| types::run(input));
