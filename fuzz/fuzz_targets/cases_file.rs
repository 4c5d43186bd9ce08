#![no_main]

#[path = "../targets/cases_file.rs"]
mod cases_file;

libfuzzer_sys::fuzz_target!(|input: &[u8]| cases_file::run(input));
