#![no_main]

#[path = "../targets/kernels.rs"]
mod kernels;

libfuzzer_sys::fuzz_target!(|input: &[u8]| kernels::run(input));
