#![no_main]

#[path = "../targets/frame.rs"]
mod frame;

libfuzzer_sys::fuzz_target!(|input: &[u8]| frame::run(input));
