#![no_main]

#[path = "../targets/directory.rs"]
mod directory;

libfuzzer_sys::fuzz_target!(|input: &[u8]| directory::run(input));
