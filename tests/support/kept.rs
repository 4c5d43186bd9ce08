//! The inputs that are kept of a fuzz target, and the target run on them.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// What lies in a folder, in order of name.
pub(crate) fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of a folder").path()).collect();
    paths.sort();
    paths
}

/// The inputs of the target of that name, in the folder fuzz/ at `fuzz`, that it fails on.
pub(crate) fn failures(fuzz: &Path, name: &str, target: fn(&[u8])) -> Vec<PathBuf> {
    let mut failed = Vec::new();
    for (folder, least) in [("corpus", 40), ("found", 1)] {
        let files = list(&fuzz.join(folder).join(name));
        println!("{folder}/{name}: {} inputs", files.len());
        assert!(files.len() >= least, "{folder}/{name} has only {} inputs", files.len());
        failed.extend(files.into_iter().filter(|path| {
            let input = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            catch_unwind(|| target(&input)).is_err()
        }));
    }
    failed
}
