//! SECURITY.md: what it names is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_test_that_the_page_names_is_there() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let page = fs::read_to_string(root.join("SECURITY.md")).expect("the page");
    let mut tests = BTreeSet::new();
    for folder in [
        "tests/it",
        "tests/levels",
        "tests/memory",
        "tests/soundness/tests",
        "cli/src",
        "cli/tests",
        "cli/tests/hostile",
        "src/tensor",
    ] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder of tests") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "rs") {
                let source = fs::read_to_string(&path).expect("a file of tests");
                let functions = source.split("#[test]\n").skip(1);
                let named =
                    functions.filter_map(|rest| rest.trim_start().strip_prefix("fn ")?.split('(').next());
                tests.extend(named.map(str::to_owned));
            }
        }
    }
    let mut named = 0;
    for word in page.split('`').skip(1).step_by(2) {
        if word.starts_with("tests/") || word.starts_with("benches/") || word.starts_with(".ci/") {
            assert!(root.join(word).exists(), "{word} is not there");
            named += 1;
        } else if word.matches('_').count() > 2 {
            assert!(tests.contains(word), "no test is called {word}");
            named += 1;
        }
    }
    assert!(named > 50, "the page names {named} tests");
}
