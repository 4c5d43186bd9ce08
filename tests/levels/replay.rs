//! The fuzz targets, without a fuzzer, on every input that is kept of them: the corpora, and what was ever found.
//!
//! To have an input looked at for good, put it into fuzz/found/TARGET, under any name.

#[path = "../../fuzz/targets/cases_file.rs"]
mod cases_file;
#[path = "../../fuzz/targets/directory.rs"]
mod directory;
#[path = "../../fuzz/targets/directory_structured.rs"]
mod directory_structured;
#[path = "../../fuzz/targets/frame.rs"]
mod frame;
#[path = "../../fuzz/targets/frozen.rs"]
mod frozen;
#[path = "../../fuzz/targets/json_schema.rs"]
mod json_schema;
use crate::support::kept;
#[path = "../../fuzz/targets/kernels.rs"]
mod kernels;
#[path = "../../fuzz/targets/type_text.rs"]
mod type_text;
#[path = "../../fuzz/targets/types.rs"]
mod types;

use std::path::{Path, PathBuf};

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 9] = [
    ("cases_file", cases_file::run),
    ("directory", directory::run),
    ("directory_structured", directory_structured::run),
    ("frame", frame::run),
    ("frozen", frozen::run),
    ("json_schema", json_schema::run),
    ("kernels", kernels::run),
    ("type_text", type_text::run),
    ("types", types::run),
];

/// The program replays those of its own: cli/tests/replay.rs.
const ELSEWHERE: [&str; 1] = ["safetensors"];

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// With KILN_REPLAY in the environment, of
/// that target alone.
#[test]
fn every_kept_input_passes() {
    let _level = crate::LEVEL.lock();
    let only = std::env::var("KILN_REPLAY").ok();
    let chosen = || TARGETS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name));
    assert!(chosen().next().is_some(), "no target is called {only:?}");
    let failed: Vec<PathBuf> =
        chosen().flat_map(|(name, target)| kept::failures(&fuzz(), name, *target)).collect();
    assert!(failed.is_empty(), "{} inputs failed: {failed:#?}", failed.len());
}

#[test]
fn no_input_lies_where_nobody_looks() {
    let mut names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).chain(ELSEWHERE).collect();
    names.sort();
    for folder in ["corpus", "found"] {
        let folder = fuzz().join(folder);
        let folders: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
        assert_eq!(kept::list(&folder), folders);
    }
}
