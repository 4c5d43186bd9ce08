#![no_main]

#[path = "../targets/directory.rs"]
mod directory;
#[path = "../targets/directory_structured.rs"]
mod directory_structured;

libfuzzer_sys::fuzz_target!(|input: &[u8]| directory_structured::run(input));
