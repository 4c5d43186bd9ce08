//! SECURITY.md: what it names is there; and the one row of its table that no other file of tests has.

use kiln::schema::Type;
use kiln::tensor::{Directory, OwnedDirectory};
use kiln::{Batch, Code, Error, Limits, dynamic, frame};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn an_empty_input_is_eof_to_every_reader() {
    let nothing: &[u8] = &Vec::new();
    let text = Type::parse("str").expect("a type");
    let answers: [(&str, Option<Error>); 14] = [
        ("a number", kiln::from_slice::<u8>(nothing).err()),
        ("a text", kiln::from_slice::<&str>(nothing).err()),
        ("a list", kiln::from_slice::<Vec<u64>>(nothing).err()),
        ("its front", kiln::from_prefix::<u8>(nothing).err()),
        ("over an older value", kiln::decode_into(nothing, &mut vec![1u8]).err()),
        ("validation", kiln::validate::<Vec<u64>>(nothing).err()),
        ("a batch", Batch::<u8>::read(nothing).err()),
        ("an index", Batch::<u8>::index(nothing).err()),
        ("a frame", frame::from_slice::<u8>(nothing).err()),
        ("a type read at run time", dynamic::decode(&text, nothing).err()),
        ("its checker", dynamic::check(&text, nothing).err()),
        ("a directory", Directory::read(nothing).err()),
        ("a directory as a value", kiln::from_slice::<OwnedDirectory>(nothing).err()),
        ("a directory with caps", Directory::read_with(nothing, &Limits::NONE).err()),
    ];
    for (reader, answer) in answers {
        assert_eq!(answer.map(|error| (error.code(), error.offset())), Some((Code::Eof, 0)), "{reader}");
    }
}

#[test]
fn every_test_that_the_page_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("SECURITY.md")).expect("the page");
    let mut tests = BTreeSet::new();
    for folder in
        ["tests", "cli/src", "cli/tests", "cli/tests/hostile", "src/tensor", "tests/soundness/tests"]
    {
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
