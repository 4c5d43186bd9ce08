//! The fuzz targets, without a fuzzer, on every input that is kept of them: the corpora, and what was ever found.
//!
//! To have an input looked at for good, put it into fuzz/found/TARGET, under any name.

#[path = "../fuzz/targets/directory.rs"]
mod directory;
#[path = "../fuzz/targets/kernels.rs"]
mod kernels;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 2] = [("directory", directory::run), ("kernels", kernels::run)];

/// What lies in a folder of fuzz/, in order of name.
fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of a folder").path()).collect();
    paths.sort();
    paths
}

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// One test, since the target `directory` sets the level of the whole process.
#[test]
fn every_kept_input_passes() {
    let mut failed = Vec::new();
    for (name, target) in TARGETS {
        for (folder, least) in [("corpus", 50), ("found", 1)] {
            let files = list(&fuzz().join(folder).join(name));
            println!("{folder}/{name}: {} inputs", files.len());
            assert!(files.len() >= least, "{folder}/{name} has only {} inputs", files.len());
            failed.extend(files.into_iter().filter(|path| {
                let input = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                catch_unwind(|| target(&input)).is_err()
            }));
        }
    }
    assert!(failed.is_empty(), "{} inputs failed: {failed:#?}", failed.len());
}

#[test]
fn no_input_lies_where_nobody_looks() {
    for folder in ["corpus", "found"] {
        let names: Vec<PathBuf> = TARGETS.iter().map(|(name, _)| fuzz().join(folder).join(name)).collect();
        assert_eq!(list(&fuzz().join(folder)), names);
    }
}
