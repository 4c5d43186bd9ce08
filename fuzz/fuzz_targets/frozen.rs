#![no_main]

#[path = "../targets/frozen.rs"]
mod frozen;

libfuzzer_sys::fuzz_target!(|input: &[u8]| frozen::run(input));
