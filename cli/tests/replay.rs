//! The fuzz targets of what only the program reads, without a fuzzer, on every input that is kept of them.

#[path = "../../tests/support/kept.rs"]
mod kept;
#[path = "../../fuzz/targets/safetensors.rs"]
mod safetensors_file;

use std::path::{Path, PathBuf};

#[test]
fn every_kept_input_passes() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    assert_eq!(kept::failures(&fuzz, "safetensors", safetensors_file::run), Vec::<PathBuf>::new());
}
