#![no_main]

#[path = "../targets/safetensors.rs"]
mod safetensors_file;

libfuzzer_sys::fuzz_target!(|input: &[u8]| safetensors_file::run(input));
