//! `kiln schema`, `decode`, `encode`, `gen` and `check --schema` as a user runs them.

#[path = "support/run.rs"]
mod run;

use run::{Run, fed, kiln};
use std::fs;
#[cfg(target_os = "linux")]
use std::{path::Path, process::Command};

const SCHEMA: &str = r#"{"type": "array", "items": {"type": "object", "properties": {
    "id": {"type": "integer", "format": "uint32"}, "note": {"type": "string"}}, "required": ["id"]}}"#;
const TYPE: &str = "list{struct{id:u32,note:optional{str},}}";
const LINES: &str = "{\"id\":1}\n{\"id\":2,\"note\":\"two\"}\n";
const BYTES: [u8; 21] = [2, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 3, 0, 0, 0, b't', b'w', b'o'];

/// A folder with the schema, the value as JSON, as lines and as bytes.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put =
        |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("it can be written");
    put("s.json", SCHEMA.as_bytes());
    put("in.json", br#"[{"id": 1}, {"note": "two", "id": 2}]"#);
    put("in.jsonl", LINES.as_bytes());
    put("v.kiln", &BYTES);
    folder
}

fn read(folder: &tempfile::TempDir, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).expect("it was written")
}

#[test]
fn a_schema_is_printed_as_its_type() {
    let folder = folder();
    let run = kiln(folder.path(), &["schema", "s.json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let hash = kiln::schema::Type::parse(TYPE).unwrap().hash().unwrap();
    let expected = format!("type        {TYPE}\nhash        {hash:#018x}\nmin bytes   4\nfixed size  no\n");
    assert_eq!(run.out, expected);
    let fed = Run::from(fed(folder.path(), &["schema", "--json", "-"], SCHEMA.as_bytes()));
    let facts: serde_json::Value = serde_json::from_str(&fed.out).unwrap();
    assert_eq!(facts["type"], TYPE);
    assert_eq!(facts["fixed_size"], false);
}

#[test]
fn the_faults_of_a_schema_are_status_1_and_a_line_each() {
    let folder = folder();
    fs::write(folder.path().join("bad.json"), "{\"type\": \"array\",\n \"minItems\": 1}").unwrap();
    let run = kiln(folder.path(), &["schema", "bad.json"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert_eq!(
        run.err,
        "kiln: bad.json: at the top (line 1, column 1): missing: `items`, the schema of every element\n\
         kiln: bad.json: at /minItems (line 2, column 2): the keyword is not in the subset: remove it, and check the \
         array before encoding\n"
    );
    let run = kiln(folder.path(), &["schema", "--json", "bad.json"]);
    let facts: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(facts["faults"][1]["pointer"], "/minItems");
    assert_eq!(run.status, 1);
    // Elsewhere it is not the input that is at fault.
    assert_eq!(kiln(folder.path(), &["decode", "v.kiln", "--schema", "bad.json"]).status, 2);
    // Without the feature there is no such command.
    assert_eq!(kiln(folder.path(), &["gen", "bad.json"]).status, if cfg!(feature = "gen") { 1 } else { 2 });
    assert_eq!(kiln(folder.path(), &["schema", "missing.json"]).status, 2);
    assert_eq!(kiln(folder.path(), &["schema"]).status, 2);
}

#[test]
fn a_type_is_printed_as_a_schema() {
    let folder = folder();
    let run = kiln(folder.path(), &["schema", "--from-type", TYPE]);
    assert_eq!(run.status, 0);
    let again = Run::from(fed(folder.path(), &["schema", "-"], run.out.as_bytes()));
    assert!(again.out.contains(TYPE), "{}", again.out);
    let run = kiln(folder.path(), &["schema", "--from-type", "list{tensors}"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("tensor directory"), "{}", run.err);
}

#[test]
fn values_are_decoded_by_schema_and_by_type() {
    let folder = folder();
    let json = "[{\"id\":1},{\"id\":2,\"note\":\"two\"}]\n";
    for by in [["--schema", "s.json"], ["--type", TYPE]] {
        let run = kiln(folder.path(), &["decode", "v.kiln", by[0], by[1]]);
        assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, json, ""));
    }
    assert_eq!(
        String::from_utf8(fed(folder.path(), &["decode", "-", "--type", TYPE], &BYTES).stdout).unwrap(),
        json
    );
    let pretty = kiln(folder.path(), &["decode", "v.kiln", "--type", TYPE, "--layout", "pretty"]);
    assert!(pretty.out.starts_with("[\n  {\n    \"id\": 1\n  },\n"), "{}", pretty.out);
    let lines = kiln(folder.path(), &["decode", "v.kiln", "--type", TYPE, "--lines"]);
    assert_eq!(lines.out, LINES);
    let run = kiln(folder.path(), &["decode", "v.kiln", "--type", TYPE, "--lines", "-o", "out.jsonl"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""));
    assert_eq!(read(&folder, "out.jsonl"), LINES.as_bytes());
}

#[test]
fn values_are_encoded_from_json_and_from_lines() {
    let folder = folder();
    for by in [["--schema", "s.json"], ["--type", TYPE]] {
        let run = kiln(folder.path(), &["encode", "in.json", by[0], by[1], "-o", "out.kiln"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        assert_eq!(read(&folder, "out.kiln"), BYTES);
    }
    let run = kiln(folder.path(), &["encode", "in.jsonl", "--type", TYPE, "--lines", "-o", "lines.kiln"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(read(&folder, "lines.kiln"), BYTES);
    let blank = format!("\n{}\r\n \n", LINES.trim_end());
    let args = ["encode", "-", "--type", TYPE, "--lines", "--count", "2"];
    assert_eq!(fed(folder.path(), &args, blank.as_bytes()).stdout, BYTES);
    assert_eq!(fed(folder.path(), &["encode", "-", "--type", "u8"], b"7").stdout, [7]);
}

#[test]
fn lines_to_a_pipe_need_their_count() {
    let folder = folder();
    let run = kiln(folder.path(), &["encode", "in.jsonl", "--type", TYPE, "--lines"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--count"), "{}", run.err);
    for (count, why) in [("3", "3 lines were announced"), ("1", "line 2 is one more than the 1")] {
        let run = kiln(
            folder.path(),
            &["encode", "in.jsonl", "--type", TYPE, "--lines", "--count", count, "-o", "x.kiln"],
        );
        assert_eq!(run.status, 1);
        assert!(run.err.contains(why), "{}", run.err);
        assert!(!folder.path().join("x.kiln").exists());
    }
    assert_eq!(kiln(folder.path(), &["encode", "in.jsonl", "--type", "u8", "--lines", "-o", "x"]).status, 2);
}

#[test]
fn frames_are_written_and_expected() {
    let folder = folder();
    let run = kiln(folder.path(), &["encode", "in.json", "--schema", "s.json", "--framed", "-o", "f.kiln"]);
    assert_eq!(run.status, 0);
    let framed = read(&folder, "f.kiln");
    assert_eq!((&framed[..4], &framed[16..]), (&b"KLN0"[..], &BYTES[..]));
    let run =
        kiln(folder.path(), &["encode", "in.jsonl", "--type", TYPE, "--framed", "--lines", "-o", "g.kiln"]);
    assert_eq!(run.status, 0);
    assert_eq!(read(&folder, "g.kiln"), framed);
    for layout in [&["--layout", "compact"][..], &["--lines"]] {
        let args = [&["decode", "f.kiln", "--framed", "--schema", "s.json"][..], layout].concat();
        assert_eq!(kiln(folder.path(), &args).status, 0);
        let other = [&["decode", "f.kiln", "--framed", "--type", "list{u8}"][..], layout].concat();
        let run = kiln(folder.path(), &other);
        assert_eq!(run.status, 1);
        assert!(run.err.starts_with("kiln: f.kiln: SCHEMA at byte 8 (0x8)"), "{}", run.err);
    }
    assert_eq!(kiln(folder.path(), &["check", "f.kiln", "--framed", "--schema", "s.json"]).status, 0);
}

#[test]
fn what_is_rejected_is_named_by_file_and_place() {
    let folder = folder();
    let mut bytes = BYTES;
    bytes[13] = 2;
    fs::write(folder.path().join("bad.kiln"), bytes).unwrap();
    let whole = kiln(folder.path(), &["decode", "bad.kiln", "--schema", "s.json"]);
    assert_eq!((whole.status, whole.out.as_str()), (1, ""));
    assert_eq!(
        whole.err,
        "kiln: bad.kiln: TYPE at byte 13 (0xd), in [1].note: a presence byte is neither 0 nor 1 (found 2)\n"
    );
    let run = kiln(folder.path(), &["decode", "bad.kiln", "--schema", "s.json", "--lines"]);
    assert_eq!((run.status, run.out.as_str()), (1, "{\"id\":1}\n"));
    assert_eq!(run.err, whole.err);
    let run = kiln(folder.path(), &["decode", "bad.kiln", "--schema", "s.json", "--lines", "-o", "x.jsonl"]);
    assert_eq!(run.status, 1);
    assert!(!folder.path().join("x.jsonl").exists());

    fs::write(folder.path().join("bad.json"), "[{\"id\": 1},\n {\"id\": -1}]").unwrap();
    let run = kiln(folder.path(), &["encode", "bad.json", "--schema", "s.json", "-o", "x.kiln"]);
    assert_eq!(run.status, 1);
    assert_eq!(run.err, "kiln: bad.json: at /1/id (line 2, column 9): -1 is out of the range of u32\n");
    assert!(!folder.path().join("x.kiln").exists());
    fs::write(folder.path().join("bad.jsonl"), "{\"id\": 1}\n\n{\"id\": 2, \"no\": 1}\n").unwrap();
    let run = kiln(folder.path(), &["encode", "bad.jsonl", "--schema", "s.json", "--lines", "-o", "x.kiln"]);
    assert_eq!(run.err, "kiln: bad.jsonl: at /no (line 3, column 11): the type has no such field\n");
    let run = Run::from(fed(folder.path(), &["encode", "-", "--type", "str"], b"\"\xff\""));
    assert_eq!((run.status, run.err.as_str()), (2, "kiln: -: not UTF-8 from byte 1 on\n"));
}

#[test]
fn a_type_without_json_is_said_to_have_none() {
    let folder = folder();
    let run = kiln(folder.path(), &["decode", "v.kiln", "--type", "list{tensors}"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("kiln inspect"), "{}", run.err);
    assert_eq!(kiln(folder.path(), &["decode", "v.kiln"]).status, 2);
    assert_eq!(kiln(folder.path(), &["decode", "v.kiln", "--type", TYPE, "--schema", "s.json"]).status, 2);
    let run = Run::from(fed(folder.path(), &["decode", "-", "--schema", "-"], b""));
    assert_eq!(run.status, 2);
}

#[test]
fn check_takes_a_schema() {
    let folder = folder();
    assert_eq!(kiln(folder.path(), &["check", "v.kiln", "--schema", "s.json"]).status, 0);
    let run = kiln(folder.path(), &["check", "in.json", "--schema", "s.json"]);
    assert_eq!(run.status, 1);
    assert_eq!(kiln(folder.path(), &["check", "v.kiln", "--schema", "s.json", "--type", TYPE]).status, 2);
    assert_eq!(kiln(folder.path(), &["check", "v.kiln", "--schema", "missing.json"]).status, 2);
}

#[test]
fn the_numbers_of_an_error_are_members_of_its_json() {
    let folder = folder();
    fs::write(folder.path().join("f.kiln"), kiln::frame::to_vec(&7u32).unwrap()).unwrap();
    let error = |args: &[&str]| -> serde_json::Value {
        let run = kiln(folder.path(), &[&["check", "--json"], args].concat());
        serde_json::from_str::<serde_json::Value>(&run.out).unwrap()["error"].take()
    };
    let framed = error(&["f.kiln", "--framed", "--type", "i32"]);
    assert_eq!(framed["found"], format!("{:#018x}", kiln::schema_hash::<u32>()));
    assert_eq!(framed["expected"], format!("{:#018x}", kiln::schema_hash::<i32>()));
    let short = error(&["v.kiln", "--type", "list{u64}", "--max-count", "1"]);
    assert_eq!((&short["claimed"], &short["allowed"]), (&2.into(), &1.into()));
    let list = error(&["v.kiln", "--type", "list{struct{a:u64,b:u64,}}"]);
    assert_eq!((&list["count"], &list["claimed"], &list["allowed"]), (&2.into(), &32.into(), &17.into()));
}

#[test]
fn caps_hold_for_decode() {
    let folder = folder();
    for lines in [&["--lines"][..], &[]] {
        let args = [&["decode", "v.kiln", "--type", TYPE, "--max-count", "1"][..], lines].concat();
        let run = kiln(folder.path(), &args);
        assert_eq!(run.status, 1);
        assert!(run.err.contains("LIMIT at byte 0 (0x0)"), "{}", run.err);
    }
}

/// Runs the program with `limit` KiB for its data: what it holds at once, whatever passes through it.
#[cfg(target_os = "linux")]
fn limited(folder: &Path, limit: u32, args: &str) -> Run {
    Command::new("sh")
        .current_dir(folder)
        .arg("-c")
        .arg(format!("ulimit -d {limit} && exec \"$0\" {args}"))
        .arg(env!("CARGO_BIN_EXE_kiln"))
        .output()
        .expect("a shell")
        .into()
}

#[cfg(target_os = "linux")]
#[test]
fn lines_take_the_same_memory_however_many_there_are() {
    let folder = folder();
    // 24 MB, through 8 MiB of memory.
    let line = format!("{{\"id\":1,\"note\":\"{}\"}}\n", "x".repeat(1000));
    let count = 24_000;
    fs::write(folder.path().join("long.jsonl"), line.repeat(count)).unwrap();
    let whole = limited(folder.path(), 8192, &format!("encode long.jsonl --type '{TYPE}' -o long.kiln"));
    assert_ne!(whole.status, 0, "the limit is none: what needs more memory came through");
    let run =
        limited(folder.path(), 8192, &format!("encode long.jsonl --type '{TYPE}' --lines -o long.kiln"));
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let run =
        limited(folder.path(), 8192, &format!("decode long.kiln --type '{TYPE}' --lines -o again.jsonl"));
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(read(&folder, "again.jsonl") == read(&folder, "long.jsonl"));
    let piped = format!("decode - --type '{TYPE}' --lines -o again.jsonl <long.kiln");
    assert_eq!(limited(folder.path(), 8192, &piped).status, 0);
}
