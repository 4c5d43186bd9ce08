//! The case files, run against the library, and the form that a case file has. Chapter: Golden cases.
#![cfg(feature = "cases")]

use kiln::Code;
use kiln::cases::{File, LoadError, Verdict};
use std::path::{Path, PathBuf};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs the cases of a file and says how many there are.
fn run(path: &Path) -> usize {
    let file = File::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let failures: Vec<String> = file
        .cases()
        .iter()
        .filter_map(|case| case.run().err().map(|error| format!("{}: {error}", case.name())))
        .collect();
    assert!(failures.is_empty(), "{}:\n{}", path.display(), failures.join("\n"));
    println!("{}: {} passed", path.display(), file.cases().len());
    file.cases().len()
}

#[test]
fn every_case_file_of_the_specification_passes() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root("spec"))
        .expect("spec/")
        .map(|entry| entry.expect("an entry of spec/").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    assert!(files.contains(&root("spec/kiln-v2-cases.json")));
    let cases: usize = files.iter().map(|path| run(path)).sum();
    assert!(cases > 46, "only {cases} cases");
}

#[test]
fn the_vectors_pass() {
    assert_eq!(run(&root("tests/data/vectors.json")), 606);
}

#[test]
fn the_golden_cases_are_forty_six_and_hold_the_known_ones() {
    let file = File::load(root("spec/kiln-v2-cases.json")).unwrap();
    assert_eq!(file.cases().len(), 46);
    let case = |name: &str| file.cases().iter().find(|case| case.name() == name).expect("a known case");
    let refused = |name: &str| match case(name).verdict() {
        Verdict::Reject { code, step, .. } => (code, step),
        Verdict::Accept => panic!("{name} is accepted"),
    };
    assert_eq!(refused("kiln-v2-count-cap"), (Code::Limit, Some(3)));
    assert_eq!(case("kiln-v2-count-cap").bytes()[8..16], 16_777_217u64.to_le_bytes());
    assert_eq!(refused("kiln-list-struct-hostile"), (Code::Eof, None));
    assert_eq!(case("kiln-v2-in-struct").verdict(), Verdict::Accept);
    assert_eq!(case("kiln-point").bytes(), [9, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff]);
    for code in Code::ALL {
        let reached = |verdict| matches!(verdict, Verdict::Reject { code: found, .. } if found == code);
        assert!(file.cases().iter().any(|case| reached(case.verdict())), "no case is {code}");
    }
    for wanted in 1..=12 {
        let reached =
            |verdict| matches!(verdict, Verdict::Reject { step: Some(found), .. } if found == wanted);
        assert!(file.cases().iter().any(|case| reached(case.verdict())), "no case is of step {wanted}");
    }
}

fn parse(cases: &str) -> Result<File, LoadError> {
    File::parse(&format!(r#"{{"format": "kiln-cases/1", "cases": [{cases}]}}"#), &root("spec"))
}

/// The error of one case with these keys beside name and type.
fn refused(keys: &str) -> String {
    match parse(&format!(r#"{{"name": "n", "type": "u8", {keys}}}"#)) {
        Ok(_) => panic!("{keys} was taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_case_file_in_any_other_form_is_refused() {
    for (text, what) in [
        ("", "EOF while parsing"),
        ("[]", "expected struct"),
        (r#"{"format": "kiln-cases/1"}"#, "missing field `cases`"),
        (r#"{"cases": []}"#, "missing field `format`"),
        (r#"{"format": "kiln-cases/2", "cases": []}"#, r#"the format is "kiln-cases/2""#),
        (r#"{"format": "kiln-cases/1", "cases": [], "note": ""}"#, "unknown field `note`"),
        (r#"{"format": "kiln-cases/1", "cases": [], "cases": []}"#, "duplicate field `cases`"),
        (r#"{"format": "kiln-cases/1", "cases": {}}"#, "invalid type"),
        (r#"{"format": "kiln-cases/1", "cases": []} x"#, "trailing characters"),
    ] {
        let error = File::parse(text, Path::new("")).expect_err(text).to_string();
        assert!(error.contains(what), "{text}: {error}");
    }
    assert!(parse("").unwrap().cases().is_empty());
}

#[test]
fn a_case_in_any_other_form_is_refused() {
    for (keys, what) in [
        (r#""hex": "07""#, "missing field `accept`"),
        (r#""accept": true"#, "either hex or file"),
        (r#""hex": "", "file": "golden/point.kiln", "accept": true"#, "either hex or file"),
        (r#""hex": "07", "accept": true, "offfset": 0"#, "unknown field `offfset`"),
        (r#""hex": "07", "accept": true, "name": "m""#, "duplicate field `name`"),
        (r#""hex": "07", "accept": true, "accept": true"#, "duplicate field `accept`"),
        // An escaped spelling is the same key.
        (r#""hex": "07", "accept": true, "\u0061ccept": true"#, "duplicate field `accept`"),
        (r#""hex": "07", "\u0068ex": "07", "accept": true"#, "duplicate field `hex`"),
        (r#""hex": "07", "accept": true, "note": "", "not\u0065": """#, "duplicate field `note`"),
        (r#""hex": "07", "accept": true, "caps": {"count": 1, "\u0063ount": 1}"#, "duplicate field `count`"),
        (r#""hex": "07", "accept": true, "caps": {}, "caps": {}"#, "duplicate field `caps`"),
        (r#""hex": "07", "accept": 1"#, "invalid type"),
        (r#""hex": 7, "accept": true"#, "hex, which is a string or a list of strings"),
        (r#""hex": [7], "accept": true"#, "expected a string"),
        (r#""hex": null, "accept": true"#, "hex, which is a string or a list of strings"),
        (r#""hex": {"a": "00", "a": "00"}, "accept": true"#, "hex, which is a string or a list of strings"),
        (r#""hex": "7", "accept": true"#, "two digits a byte"),
        (r#""hex": "0g", "accept": true"#, "two digits a byte"),
        (r#""hex": " 07", "accept": true"#, "two digits a byte"),
        (r#""hex": "+7", "accept": true"#, "two digits a byte"),
        (r#""hex": "é", "accept": true"#, "two digits a byte"),
        (r#""hex": "07*2", "accept": true"#, "two digits a byte"),
        (r#""hex": ["07*"], "accept": true"#, "hex repeats a piece \"\" times"),
        (r#""hex": ["07*-1"], "accept": true"#, "two digits a byte"),
        (r#""hex": ["07*+1"], "accept": true"#, "two digits a byte"),
        (r#""hex": ["07*2*2"], "accept": true"#, "two digits a byte"),
        (r#""hex": ["07*99999999999999999999"], "accept": true"#, "times"),
        (r#""hex": ["07*268435457"], "accept": true"#, "more than 268435456"),
        (r#""hex": ["07", "07*268435456"], "accept": true"#, "more than 268435456"),
        (r#""hex": "07", "accept": true, "error": "TYPE""#, "an accepted case has no error"),
        (r#""hex": "07", "accept": true, "offset": 0"#, "an accepted case has no error"),
        (r#""hex": "07", "accept": true, "step": 1"#, "an accepted case has no error"),
        (r#""hex": "07", "accept": false"#, "a rejected case has an error"),
        (r#""hex": "07", "accept": false, "offset": 0"#, "a rejected case has an error"),
        (r#""hex": "07", "accept": false, "error": "DEPTH""#, "\"DEPTH\" is none of the seven codes"),
        (r#""hex": "07", "accept": false, "error": "eof""#, "\"eof\" is none of the seven codes"),
        (r#""hex": "07", "accept": false, "error": null"#, "invalid type"),
        (r#""hex": "07", "accept": false, "error": "EOF", "offset": null"#, "invalid type"),
        (r#""hex": "07", "accept": false, "error": "EOF", "offset": -1"#, "invalid value"),
        (r#""hex": "07", "accept": false, "error": "EOF", "offset": "0""#, "invalid type"),
        (r#""hex": "07", "accept": false, "error": "EOF", "offset": 0.5"#, "invalid type"),
        (r#""hex": "07", "accept": false, "error": "EOF", "step": 1"#, "only a case of the type tensors"),
        (r#""hex": "07", "accept": false, "error": "EOF", "step": 0"#, "a number from 1 to 12"),
        (r#""hex": "07", "accept": false, "error": "EOF", "step": 13"#, "a number from 1 to 12"),
        (r#""hex": "07", "accept": true, "framed": null"#, "invalid type"),
        (r#""hex": "07", "accept": true, "note": 7"#, "invalid type"),
        (r#""hex": "07", "accept": true, "caps": {"owned": 7}"#, "unknown field `owned`"),
        (r#""hex": "07", "accept": true, "caps": {"count": null}"#, "invalid type"),
        (r#""hex": "07", "accept": true, "caps": 7"#, "invalid type"),
        (r#""file": "golden/none.kiln", "accept": true"#, "none.kiln"),
        (r#""file": "golden", "accept": true"#, "is not a file"),
        (r#""file": "", "accept": true"#, "is not a file"),
        (r#""file": "../Cargo.toml", "accept": true"#, "not inside the folder"),
        (r#""file": "/dev/zero", "accept": true"#, "not inside the folder"),
    ] {
        let error = refused(keys);
        assert!(error.contains(what), "{keys}: {error}");
    }
    let error = refused(r#""hex": "07", "accept": true, "a\u202e\n": 0"#);
    assert!(error.contains(r"a\u{202e}\n"), "{error}");
    let one = r#"{"name": "n", "type": "u8", "hex": "07", "accept": true}"#;
    assert_eq!(
        parse(&format!("{one}, {one}")).unwrap_err().to_string(),
        r#"case "n": another case has the same name"#
    );
    let error = parse(&one.replace("u8", "list{u9}")).unwrap_err().to_string();
    assert_eq!(error, r#"case "n": expected a type at byte 5 of the type text"#);
}

#[test]
fn the_bytes_of_a_case_are_what_the_pieces_say() {
    let bytes = |hex: &str| {
        let case = format!(r#"{{"name": "n", "type": "u8", "hex": {hex}, "accept": true}}"#);
        parse(&case).unwrap().cases()[0].bytes().to_vec()
    };
    assert_eq!(bytes(r#""""#), [0u8; 0]);
    assert_eq!(bytes(r#""00ffAb""#), [0, 0xff, 0xab]);
    assert_eq!(bytes(r#"[]"#), [0u8; 0]);
    assert_eq!(bytes(r#"["01", "0203*2", "04*0", "*5", "05*01"]"#), [1, 2, 3, 2, 3, 5]);
    let file = r#"{"name": "n", "type": "u8", "file": "golden/point.kiln", "accept": true}"#;
    assert_eq!(parse(file).unwrap().cases()[0].bytes(), [9, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff]);
}

#[test]
fn a_case_with_another_answer_says_what_was_expected_and_found() {
    for (keys, line) in [
        (r#""hex": "07", "accept": true"#, None),
        (r#""hex": "07", "accept": false, "error": "EOF""#, Some("expected EOF, found accepted")),
        (
            r#""hex": "0708", "accept": true"#,
            Some(
                "expected accepted, found TRAILING at byte 1 (0x1): bytes are left over after the value (1)",
            ),
        ),
        (r#""hex": "0708", "accept": false, "error": "TRAILING", "offset": 1"#, None),
        (
            r#""hex": "0708", "accept": false, "error": "TRAILING", "offset": 2"#,
            Some(
                "expected TRAILING at byte 2, found TRAILING at byte 1 (0x1): \
                 bytes are left over after the value (1)",
            ),
        ),
        (
            r#""hex": "", "accept": false, "error": "TYPE""#,
            Some(
                "expected TYPE, found EOF at byte 0 (0x0): the bytes end inside the value (1 needed, 0 left)",
            ),
        ),
        (
            r#""hex": "07", "framed": true, "accept": true"#,
            Some(
                "expected accepted, found EOF at byte 0 (0x0): \
                 the bytes end inside the frame (16 needed, 1 left)",
            ),
        ),
    ] {
        let file = parse(&format!(r#"{{"name": "n", "type": "u8", {keys}}}"#)).unwrap();
        let said = file.cases()[0].run().err().map(|error| error.to_string());
        assert_eq!(said.as_deref(), line, "{keys}");
    }
}

#[test]
fn a_case_that_needs_more_memory_than_the_runner_gives_does_not_pass() {
    // 521 bytes that say 256 MiB, and a value of 8 GiB.
    let mut pieces = vec![r#""00*16777216""#; 15];
    pieces.push(r#""00*16777212""#);
    let hex = format!(r#"["fcffff0f", {}]"#, pieces.join(", "));
    let caps = r#"{"count": 1000000000}"#;
    for answer in [r#""accept": true"#, r#""accept": false, "error": "LIMIT""#] {
        let case =
            format!(r#"{{"name": "n", "type": "list{{u8}}", "hex": {hex}, {answer}, "caps": {caps}}}"#);
        let file = parse(&case).unwrap();
        assert_eq!(file.cases()[0].bytes().len(), File::MAX_BYTES);
        let said = file.cases()[0].run().unwrap_err().to_string();
        assert!(said.contains("found a case too large to run: LIMIT at byte 0 (0x0)"), "{said}");
        // And no byte more, in whichever case it is.
        for bytes in [r#""hex": "07""#, r#""hex": ["07"]"#, r#""file": "golden/point.kiln""#] {
            let one = format!(r#"{{"name": "m", "type": "u8", {bytes}, "accept": true}}"#);
            let error = parse(&format!("{case}, {one}")).unwrap_err().to_string();
            assert_eq!(error, r#"case "m": the bytes of the cases are more than 268435456 in all"#);
        }
    }
    let long = format!(r#"{{"format": "kiln-cases/1", "cases": []}}{}"#, " ".repeat(File::MAX_TEXT));
    let error = File::parse(&long, Path::new("")).unwrap_err().to_string();
    assert!(error.ends_with("and a case file at most 16777216"), "{error}");
}

#[test]
fn long_names_in_refusals_are_cut() {
    let long = "n".repeat(1_000_000);
    let case = |keys: &str| parse(&format!(r#"{{"name": "{long}", "type": "u8", {keys}}}"#)).unwrap_err();
    for error in [
        File::parse(&format!(r#"{{"format": "{long}", "cases": []}}"#), Path::new("")).unwrap_err(),
        case(r#""accept": true"#),
        case(&format!(r#""{long}": 1"#)),
        case(&format!(r#""hex": "{long}", "accept": true"#)),
        case(&format!(r#""hex": ["00*{}"], "accept": true"#, "9".repeat(1_000_000))),
        case(&format!(r#""hex": "", "accept": false, "error": "{long}""#)),
        case(&format!(r#""file": "../{long}", "accept": true"#)),
    ] {
        let line = error.to_string();
        assert!(line.len() < 10_000 && line.contains('…'), "{} bytes", line.len());
    }
}

#[test]
fn caps_are_those_of_the_case() {
    for (caps, accept) in
        [("", true), (r#", "caps": {"count": 2}"#, true), (r#", "caps": {"count": 1}"#, false)]
    {
        let answer = if accept { r#""accept": true"# } else { r#""accept": false, "error": "LIMIT""# };
        let case = format!(r#"{{"name": "n", "type": "list{{u8}}", "hex": "020000000708", {answer}{caps}}}"#);
        assert_eq!(parse(&case).unwrap().cases()[0].run(), Ok(()), "{case}");
    }
}
