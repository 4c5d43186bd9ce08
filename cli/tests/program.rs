//! The program as a user runs it: what it prints and how it exits.

#[path = "support/run.rs"]
mod run;

use kiln::tensor::{Builder, Directory, Dtype, OpaqueCode};
use run::Run;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};

fn kiln<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Run {
    run::kiln(Path::new("."), args)
}

fn kiln_fed(args: &[&str], input: &[u8]) -> Run {
    run::fed(Path::new("."), args, input).into()
}

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder of this test's own, removed at its end.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are text")
}

/// Two tensors, the second with a name that would write on a terminal.
fn directory() -> Vec<u8> {
    let mut builder = Builder::new();
    builder.push("weight", &[2, 2], &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    builder.push("bad\u{1b}[31m\u{202e}name\n", &[3], &[1u8, 2, 3]).unwrap();
    builder.to_vec().unwrap()
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("the test's folder can be written");
}

#[test]
fn an_accepted_file_is_status_0_and_one_line() {
    let run = kiln(&["check", text(&root().join("spec/golden/tensors.kiln"))]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(run.out.lines().count(), 1);
    assert!(run.out.contains(": ok, "), "{}", run.out);
}

#[test]
fn a_rejected_file_is_status_1_and_a_line_with_all_that_is_known() {
    let folder = folder();
    let path = folder.path().join("a.kiln");
    let mut bytes = directory();
    bytes[64 + 128] = 20;
    write(&path, &bytes);
    let run = kiln(&["check", text(&path)]);
    assert_eq!(run.status, 1);
    assert_eq!(
        run.out,
        format!(
            "{}: TYPE at byte 192 (0xc0), step 9, in tensor 1 \"bad\\u{{1b}}[31m\\u{{202e}}name\\n\": \
             the dtype code is not one a reader accepts (found 20)\n",
            path.display()
        )
    );
}

#[test]
fn an_unreadable_file_is_status_2_and_wins() {
    let folder = folder();
    let rejected = folder.path().join("a.kiln");
    write(&rejected, b"KLNT");
    let missing = folder.path().join("missing.kiln");
    let run = kiln(&["check", text(&missing), text(&rejected)]);
    assert_eq!(run.status, 2);
    assert!(run.out.contains("EOF at byte 0 (0x0), step 1"), "{}", run.out);
    assert!(run.err.starts_with("kiln: ") && run.err.contains("missing.kiln"), "{}", run.err);
    assert_eq!(kiln(&["check"]).status, 2);
    assert_eq!(kiln(&["check", "--type", "list{", text(&rejected)]).status, 2);
    assert_eq!(kiln(&["no-such-command"]).status, 2);
}

#[test]
fn folders_are_searched_and_every_file_is_answered_in_order() {
    let folder = folder();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    for index in 0..300 {
        let mut bytes = directory();
        if index % 3 == 0 {
            bytes.pop();
        }
        write(&inner.join(format!("{index:03}.kiln")), &bytes);
    }
    write(&inner.join("other.txt"), b"no");
    let run = kiln(&["check", text(folder.path())]);
    assert_eq!(run.status, 1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 300);
    for (index, line) in lines.iter().enumerate() {
        assert!(line.contains(&format!("{index:03}.kiln: ")), "{line}");
        assert_eq!(line.contains("EOF"), index % 3 == 0, "{line}");
    }
    let quiet = kiln(&["check", "--quiet", text(folder.path())]);
    assert_eq!(quiet.out.lines().count(), 100);
}

#[test]
fn values_and_frames_are_checked_by_their_type() {
    let point = root().join("spec/golden/point.kiln");
    let ty = "struct{x:i32,y:i32,}";
    assert_eq!(kiln(&["check", "--type", ty, text(&point)]).status, 0);
    let longer = kiln(&["check", "--type", "struct{x:i32,y:i64,}", text(&point)]);
    assert_eq!(longer.status, 1);
    assert!(longer.out.contains("EOF at byte 4 (0x4), in y: "), "{}", longer.out);

    let folder = folder();
    let path = folder.path().join("framed.kiln");
    write(&path, &kiln::frame::to_vec(&7u32).unwrap());
    assert_eq!(kiln(&["check", "--framed", "--type", "u32", text(&path)]).status, 0);
    let other = kiln(&["check", "--framed", "--type", "i32", text(&path)]);
    assert_eq!(other.status, 1);
    assert!(other.out.contains("SCHEMA at byte 8 (0x8)"), "{}", other.out);
    let unframed = kiln(&["check", text(&path)]);
    assert!(unframed.out.contains("give --framed and --type"), "{}", unframed.out);
}

/// What a command says of a file that is damaged, or another one.
#[test]
fn a_hint_fits_what_was_given() {
    let folder = folder();
    let hinted = |bytes: &[u8], args: &[&str], wanted: &str| {
        let path = folder.path().join("a");
        write(&path, bytes);
        let args: Vec<&str> = args.iter().map(|&arg| if arg == "FILE" { text(&path) } else { arg }).collect();
        let run = kiln(&args);
        let line = [run.out.as_str(), run.err.as_str()].concat();
        let line = line.lines().next().unwrap_or_default();
        let hint = line.find(" (this looks like ").map_or("", |at| &line[at..]);
        let wanted = if wanted.is_empty() { String::new() } else { format!(" (this looks like {wanted})") };
        assert_eq!(hint, wanted, "{args:?}: {line}");
        assert!(!line.is_empty());
        line.to_owned()
    };
    let directory = directory();
    let framed = kiln::frame::to_vec(&7u32).unwrap();
    let mut version = directory.clone();
    version[4] = 1;
    let mut count = directory.clone();
    count[8..16].copy_from_slice(&(1u64 << 40).to_le_bytes());
    // A directory that is damaged is one all the same.
    for damaged in [&version[..], &count, &directory[..20], &directory[..3], &directory[..100], b""] {
        for command in ["check", "inspect", "diagnose"] {
            hinted(damaged, &[command, "FILE"], "");
            hinted(damaged, &[command, "--json", "FILE"], "");
        }
        hinted(damaged, &["check", "FILE", "--type", "tensors"], "");
        hinted(damaged, &["check", "FILE", "--type", "list{u8}"], "");
        let out = text(folder.path()).to_owned() + "/out";
        hinted(damaged, &["convert", "FILE", &out, "--from", "kiln", "--to", "safetensors"], "");
    }
    assert!(hinted(&count, &["check", "FILE"], "").contains("--max-count"));
    // What is damaged inside of a value that begins with a directory.
    let mut inside = directory.clone();
    inside.extend_from_slice(&[1, 2]);
    hinted(&inside, &["check", "FILE", "--type", "struct{t:tensors,b:bool,}"], "");
    // Only what was given can be left out.
    hinted(&directory, &["check", "FILE", "--type", "list{u8}"], "a tensor directory; leave out --type");
    hinted(&directory, &["check", "FILE", "--framed"], "a tensor directory; leave out --framed");
    hinted(
        &directory,
        &["check", "FILE", "--framed", "--type", "u8"],
        "a tensor directory; leave out --type and --framed",
    );
    hinted(&directory, &["decode", "FILE", "--type", "u8"], "a tensor directory; kiln inspect shows it");
    hinted(&framed, &["check", "FILE"], "a framed value; give --framed and --type or --schema");
    hinted(&framed, &["check", "FILE", "--type", "u32"], "a framed value; give --framed");
    hinted(&framed, &["check", "FILE", "--type", "u8", "--framed"], "");
    hinted(&framed, &["decode", "FILE", "--type", "u32"], "a framed value; give --framed");
    hinted(&framed, &["decode", "FILE", "--type", "i32", "--framed"], "");
    hinted(&framed, &["inspect", "FILE"], "a framed value; kiln decode --framed reads it");
    // Where it is another file, no cap is to be raised for it.
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
    let called = "a pointer file of Git LFS, which stands for the file; git lfs pull fetches that";
    let line = hinted(pointer, &["decode", "FILE", "--type", "list{u8}"], called);
    assert!(line.contains("LIMIT") && !line.contains("--max-count"), "{line}");
    for args in [
        &["check", "FILE"][..],
        &["inspect", "FILE"],
        &["diagnose", "FILE"],
        &["scan", "FILE"],
        &["cases", "FILE"],
        &["schema", "FILE"],
        &["decode", "FILE", "--type", "str"],
        &["decode", "FILE", "--type", "list{str}", "--lines"],
        &["encode", "FILE", "--type", "u8"],
        &["encode", "FILE", "--type", "list{u8}", "--lines", "--count", "1"],
        &["convert", "FILE", "out.kiln", "--from", "safetensors"],
        &["convert", "FILE", "out.safetensors", "--from", "kiln"],
    ] {
        hinted(pointer, args, called);
    }
    let run = kiln(&["check", "--json", text(&folder.path().join("a"))]);
    let facts: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&facts["error"]["code"], &facts["hint"]), (&"FRAME".into(), &called.into()));
}

#[test]
fn caps_are_lowered_and_raised() {
    let path = root().join("spec/golden/tensors.kiln");
    let run = kiln(&["check", "--max-count", "1", text(&path)]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("LIMIT at byte 8 (0x8), step 3"), "{}", run.out);
    assert!(run.out.contains("allowed 1)"), "{}", run.out);
    let run = kiln(&["check", "--max-bytes", "0", text(&path)]);
    assert!(run.out.contains("LIMIT at byte 16 (0x10), step 3"), "{}", run.out);
}

#[test]
fn standard_input_and_plain_reads_give_the_same_answer() {
    let bytes = directory();
    assert_eq!(kiln_fed(&["check", "-"], &bytes).status, 0);
    let cut = kiln_fed(&["check", "-"], &bytes[..bytes.len() - 1]);
    assert_eq!(cut.status, 1);
    assert!(cut.out.starts_with("-: EOF at byte "), "{}", cut.out);
    assert_eq!(kiln_fed(&["check", "-"], b"").status, 1);

    let folder = folder();
    let path = folder.path().join("a.kiln");
    for bytes in [&bytes[..], &bytes[..100], &[]] {
        write(&path, bytes);
        let mapped = kiln(&["check", text(&path)]);
        let read = kiln(&["check", "--no-mmap", text(&path)]);
        assert_eq!((mapped.status, mapped.out), (read.status, read.out));
    }
}

#[test]
fn check_speaks_json() {
    let folder = folder();
    let path = folder.path().join("a.kiln");
    let mut bytes = directory();
    write(&path, &bytes);
    let run = kiln(&["check", "--json", text(&path)]);
    let facts: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(facts["accepted"], true);
    assert_eq!(facts["tensors"], 2);
    bytes[64 + 128] = 20;
    write(&path, &bytes);
    let missing = folder.path().join("missing.kiln");
    let run = kiln(&["check", "--json", text(&path), text(&missing)]);
    assert_eq!(run.status, 2);
    let lines: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["error"]["code"], "TYPE");
    assert_eq!(lines[0]["error"]["step"], 9);
    assert_eq!(lines[0]["error"]["offset"], 192);
    assert_eq!(lines[0]["error"]["tensor"], 1);
    assert!(lines[1]["failed"].as_str().unwrap().contains("missing.kiln"));
}

#[test]
fn inspect_shows_facts_and_a_table_with_escaped_names() {
    let folder = folder();
    let path = folder.path().join("a.kiln");
    write(&path, &directory());
    let run = kiln(&["inspect", text(&path)]);
    assert_eq!(run.status, 0);
    assert!(!run.out.chars().any(|c| c.is_control() && c != '\n'), "{}", run.out);
    assert!(run.out.contains("bad\\u{1b}[31m\\u{202e}name\\n"), "{}", run.out);
    let row = run.out.lines().find(|line| line.contains("weight")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..5], ["0", "weight", "f32", "[2,", "2]"]);
    assert!(run.out.contains("tensors   2"), "{}", run.out);

    let found = kiln(&["inspect", "--grep", "^wei", text(&path)]);
    assert!(found.out.contains("weight") && !found.out.contains("bad"), "{}", found.out);
    let sorted = kiln(&["inspect", "--sort", "name", text(&path)]);
    assert!(sorted.out.find("bad").unwrap() < sorted.out.find("weight").unwrap());
    assert_eq!(kiln(&["inspect", "--grep", "(", text(&path)]).status, 2);

    let json = kiln(&["inspect", "--json", text(&path)]);
    let facts: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(facts["tensors"][1]["name"], "bad\u{1b}[31m\u{202e}name\n");
    assert_eq!(facts["tensors"][0]["shape"], serde_json::json!([2, 2]));
    assert_eq!(facts["dtypes"]["f32"]["bytes"], 16);
}

#[test]
fn inspect_of_a_rejected_file_says_why() {
    let folder = folder();
    let path = folder.path().join("a.kiln");
    write(&path, b"\x08\0\0\0\0\0\0\0{}      ");
    let run = kiln(&["inspect", text(&path)]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("FRAME at byte 0 (0x0), step 1"), "{}", run.err);
    assert!(run.err.contains("a safetensors file; kiln convert reads it"), "{}", run.err);
    assert_eq!(kiln(&["inspect", text(folder.path())]).status, 2);
}

#[test]
fn diagnose_marks_the_result_and_goes_on() {
    let folder = folder();
    let path = folder.path().join("a.kiln");
    let mut bytes = directory();
    assert_eq!(kiln_fed(&["diagnose", "-"], &bytes).status, 0);
    bytes[64] = 20;
    bytes[64 + 128 + 2] = 9;
    bytes.push(0);
    write(&path, &bytes);
    let run = kiln(&["diagnose", text(&path)]);
    assert_eq!(run.status, 1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains(": the result: TYPE at byte 64 (0x40), step 9"), "{}", run.out);
    assert!(lines.iter().any(|line| line.contains(": also: TYPE at byte 194")), "{}", run.out);
    assert!(lines.iter().any(|line| line.contains(": also: TRAILING")), "{}", run.out);
    let json = kiln(&["diagnose", "--json", text(&path)]);
    let facts: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(facts["result"]["offset"], 64);
    assert!(facts["faults"].as_array().unwrap().len() >= 3);
}

#[test]
fn case_files_are_run_and_counted() {
    let run = kiln(&["cases", text(&root().join("spec/kiln-v2-cases.json"))]);
    assert_eq!((run.status, run.out.as_str()), (0, "46 passed, 0 failed\n"));

    let folder = folder();
    let path = folder.path().join("cases.json");
    let wrong = r#"{"format": "kiln-cases/1", "cases": [
        {"name": "right", "type": "u8", "hex": "07", "accept": true},
        {"name": "wrong", "type": "u8", "hex": "", "accept": false, "error": "TYPE"}]}"#;
    write(&path, wrong.as_bytes());
    let run = kiln(&["cases", text(&path)]);
    assert_eq!(run.status, 1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("cases.json: wrong: expected TYPE, found EOF"), "{}", lines[0]);
    assert_eq!(lines[1], "1 passed, 1 failed");

    let missing = folder.path().join("missing.json");
    let run = kiln(&["cases", text(&missing)]);
    assert_eq!(run.status, 2);
    assert_eq!(run.err.matches("missing.json").count(), 1, "{}", run.err);

    write(&path, wrong.replace("\"error\"", "\"eror\"").as_bytes());
    assert_eq!(kiln(&["cases", text(&path)]).status, 2);

    // From a stream there is no folder of the cases but the one that the program runs in.
    let run = kiln_fed(&["cases", "-"], wrong.as_bytes());
    assert_eq!((run.status, run.out.lines().last()), (1, Some("1 passed, 1 failed")), "{}", run.err);
    assert!(run.out.starts_with("-: wrong: expected TYPE"), "{}", run.out);
}

#[test]
fn a_case_file_without_cases_is_said_and_is_an_error() {
    let folder = folder();
    let (none, one) = (folder.path().join("none.json"), folder.path().join("one.json"));
    write(&none, br#"{"format": "kiln-cases/1", "cases": []}"#);
    write(
        &one,
        br#"{"format": "kiln-cases/1", "cases": [{"name": "a", "type": "u8", "hex": "07", "accept": true}]}"#,
    );
    for arguments in [vec!["cases", text(&none)], vec!["cases", "--json", text(&one), text(&none)]] {
        let run = kiln(&arguments);
        assert_eq!((run.status, run.err.lines().count()), (2, 1), "{arguments:?}: {}", run.out);
        assert!(run.err.contains("none.json: nothing to run: no case in this file"), "{}", run.err);
    }
}

#[test]
fn what_is_no_case_file_is_called_what_it_is_also_when_it_is_no_text() {
    let folder = folder();
    let path = folder.path().join("cases.json");
    write(&path, &directory());
    let run = kiln(&["cases", text(&path)]);
    assert_eq!((run.status, run.err.lines().count()), (2, 1));
    assert!(
        run.err.ends_with("(this looks like a tensor directory; kiln inspect shows it)\n"),
        "{}",
        run.err
    );
}

#[test]
fn a_byte_order_mark_before_metadata_or_cases_is_named() {
    let run = kiln_fed(&["cases", "-"], b"\xef\xbb\xbf{\"format\":\"kiln-cases/1\",\"cases\":[]}");
    assert_eq!((run.status, run.err.as_str()), (2, "kiln: -: a byte order mark is before it\n"));
    let folder = folder();
    let (source, side) = (folder.path().join("a.kiln"), folder.path().join("m.json"));
    let target = folder.path().join("a.safetensors");
    write(&source, &directory());
    write(&side, b"\xef\xbb\xbf{\"k\":\"v\"}");
    let run = kiln(&["convert", text(&source), text(&target), "--metadata", text(&side)]);
    assert_eq!((run.status, run.err.lines().count()), (2, 1));
    assert!(
        run.err.ends_with("m.json: not a JSON object of strings: a byte order mark is before it\n"),
        "{}",
        run.err
    );
    assert!(!target.exists());
}

#[test]
fn hash_prints_sixteen_digits() {
    let run = kiln(&["hash", "struct{id:i64,batch:tensors,}"]);
    assert_eq!((run.status, run.out.as_str()), (0, "0xe58aadc7552f0d82\n"));
    let run = kiln(&["hash", "--json", "list{u8}"]);
    let facts: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(facts["hash"], "0x8ef63282ba0d1a00");
    assert_eq!(facts["min_bytes"], 4);
    let run = kiln(&["hash", "struct{a:u8}"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.err.lines().count(), 1);
}

#[test]
fn convert_goes_there_and_back() {
    let folder = folder();
    let source = root().join("tests/data/silero-excerpt.safetensors");
    let middle = folder.path().join("a.kiln");
    let target = folder.path().join("b.safetensors");
    let metadata = folder.path().join("m.json");
    let options = ["--metadata", text(&metadata)];
    let run = kiln(&[&["convert", text(&source), text(&middle)], &options[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(kiln(&["check", text(&middle)]).status, 0);
    let run = kiln(&[&["convert", text(&middle), text(&target)], &options[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));

    let (before, after) = (fs::read(source).unwrap(), fs::read(target).unwrap());
    let before = safetensors::SafeTensors::deserialize(&before).unwrap();
    let after = safetensors::SafeTensors::deserialize(&after).unwrap();
    assert!(before.len() > 1);
    assert_eq!(before.len(), after.len());
    for (name, tensor) in before.iter() {
        let again = after.tensor(name).unwrap();
        assert_eq!((tensor.dtype(), tensor.shape()), (again.dtype(), again.shape()), "{name}");
        assert_eq!(tensor.data(), again.data(), "{name}");
    }
}

/// A safetensors file of this header and payload.
fn safetensors_file(header: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

#[test]
fn dropped_metadata_is_named_and_kept_metadata_comes_back() {
    let folder = folder();
    let source = folder.path().join("a.safetensors");
    let middle = folder.path().join("a.kiln");
    let header = r#"{"__metadata__":{"format":"pt","a\u001b":"b"},"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#;
    write(&source, &safetensors_file(header, &[7]));
    let run = kiln(&["convert", text(&source), text(&middle)]);
    assert_eq!(run.status, 0);
    assert_eq!(
        run.err,
        format!(
            "kiln: {}: metadata dropped: 2 keys, 11 bytes; --metadata FILE.json keeps it\n",
            source.display()
        )
    );

    let metadata = folder.path().join("m.json");
    let run = kiln(&["convert", text(&source), text(&middle), "--metadata", text(&metadata)]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let target = folder.path().join("b.safetensors");
    kiln(&["convert", text(&middle), text(&target), "--metadata", text(&metadata)]);
    let bytes = fs::read(&target).unwrap();
    let (_, read) = safetensors::SafeTensors::read_metadata(&bytes).unwrap();
    let kept = read.metadata().as_ref().unwrap();
    assert_eq!(kept["format"], "pt");
    assert_eq!(kept["a\u{1b}"], "b");

    write(&metadata, b"[1]");
    let run = kiln(&["convert", text(&middle), text(&target), "--metadata", text(&metadata)]);
    assert_eq!(run.status, 2);
    assert_eq!(fs::read(&target).unwrap(), bytes, "a failed conversion leaves the old file");
}

#[test]
fn empty_tensors_keep_their_place() {
    let folder = folder();
    let source = folder.path().join("a.safetensors");
    let names = ["z", "a", "m", "b", "y", "c"];
    let entries: Vec<String> = names
        .iter()
        .map(|name| format!(r#""{name}":{{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]}}"#))
        .collect();
    write(&source, &safetensors_file(&format!("{{{}}}", entries.join(",")), &[]));
    let middle = folder.path().join("a.kiln");
    assert_eq!(kiln(&["convert", text(&source), text(&middle)]).status, 0);
    let bytes = fs::read(&middle).unwrap();
    let directory = Directory::read(&bytes).unwrap();
    let found: Vec<&str> = directory.iter().map(|tensor| tensor.name().unwrap()).collect();
    assert_eq!(found, names);
}

#[test]
fn what_cannot_cross_is_refused_by_name_and_writes_nothing() {
    let folder = folder();
    let target = folder.path().join("out.safetensors");
    let refused = |builder: &Builder<'_>, wanted: &str| {
        let source = folder.path().join("in.kiln");
        write(&source, &builder.to_vec().unwrap());
        let run = kiln(&["convert", text(&source), text(&target)]);
        assert_eq!(run.status, 1, "{}", run.err);
        assert!(run.err.contains(wanted), "{} does not say {wanted}", run.err);
        assert_eq!(run.err.lines().count(), 1);
        assert!(!target.exists());
    };
    let mut unnamed = Builder::new();
    unnamed.push(None::<&str>, &[1], &[1u8]).unwrap();
    refused(&unnamed, "tensor 0");
    let mut packed = Builder::new();
    packed.push("fine", &[1], &[1u8]).unwrap();
    packed.push_bytes("nibbles", Dtype::U4, &[2], &[0x21]).unwrap();
    refused(&packed, "tensor 1 \"nibbles\": its dtype u4");
    let mut odd = Builder::new();
    odd.push_bytes("odd", Dtype::E2m1, &[3], &[0x21, 0x03]).unwrap();
    refused(&odd, "tensor 0 \"odd\"");
    let mut opaque = Builder::new();
    opaque.push_opaque("blk", OpaqueCode::MIN, "Q4_K", 1, &[1], &[0]).unwrap();
    refused(&opaque, "tensor 0 \"blk\"");

    let source = folder.path().join("in.safetensors");
    let target = folder.path().join("out.kiln");
    for (header, payload, wanted) in [
        (r#"{"c":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}}"#, &[0u8; 8][..], "\"c\": its dtype C64"),
        (r#"{"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#, &[0], "tensor 0 \"\""),
        (r#"{"b":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}}"#, &[2], "\"b\""),
        (r#"{"r":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}}"#, &[2], "\"r\""),
        (r#"{"w":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}}"#, &[0], "in.safetensors: "),
    ] {
        write(&source, &safetensors_file(header, payload));
        let run = kiln(&["convert", text(&source), text(&target)]);
        assert_eq!(run.status, 1, "{}", run.err);
        assert!(run.err.contains(wanted), "{} does not say {wanted}", run.err);
        assert!(!target.exists());
    }
}

#[test]
fn an_object_with_a_key_twice_is_refused_by_the_key_however_it_is_spelled() {
    let folder = folder();
    let (source, target) = (folder.path().join("a.safetensors"), folder.path().join("a.kiln"));
    let u8 = r#"{"dtype":"U8","shape":[4],"data_offsets":[0,4]}"#;
    let f32 = r#"{"dtype":"F32","shape":[1],"data_offsets":[0,4]}"#;
    for (header, key) in [
        (format!(r#"{{"w":{u8},"w":{f32}}}"#), "w"),
        (format!(r#"{{"w":{u8},"\u0077":{u8}}}"#), "w"),
        (format!(r#"{{"\n":{u8},"\u000a":{u8}}}"#), "\\n"),
        (format!(r#"{{"__metadata__":{{"k":"a","k":"b"}},"w":{u8}}}"#), "k"),
        (format!(r#"{{"__metadata__":{{"k":"a","\u006b":"a"}},"w":{u8}}}"#), "k"),
        (format!(r#"{{"__metadata__":{{}},"w":{u8},"__metadata__":{{}}}}"#), "__metadata__"),
        (r#"{"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"dtyp\u0065":"F32"}}"#.into(), "dtype"),
        (r#"{"w":{"shape":[4],"dtype":"U8","shape":[4],"data_offsets":[0,4]}}"#.into(), "shape"),
    ] {
        write(&source, &safetensors_file(&header, &[0; 4]));
        let run = kiln(&["convert", text(&source), text(&target)]);
        assert_eq!((run.status, run.err.lines().count()), (1, 1), "{header}: {}", run.err);
        assert!(run.err.contains(&format!("the key \"{key}\" is there twice")), "{header}: {}", run.err);
        assert!(!target.exists());
    }
    write(&source, &directory());
    let side = folder.path().join("m.json");
    for text_of_side in [r#"{"k":"a","k":"a"}"#, r#"{"k":"a","\u006b":"b"}"#] {
        write(&side, text_of_side.as_bytes());
        let options = ["--from", "kiln", "--to", "safetensors", "--metadata", text(&side)];
        let run = kiln(&[&["convert", text(&source), text(&target)], &options[..]].concat());
        assert_eq!(run.status, 2);
        assert!(run.err.contains("the key \"k\" is there twice"), "{}", run.err);
        assert!(!target.exists());
    }
}

#[test]
fn a_safetensors_file_that_is_cut_or_goes_on_is_refused_with_the_number_of_bytes() {
    let folder = folder();
    let (source, target) = (folder.path().join("a.safetensors"), folder.path().join("a.kiln"));
    let header = r#"{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}"#;
    let whole = safetensors_file(header, &[7; 8]);
    let end = 8 + header.len();
    for (bytes, wanted) in [
        (&whole[..end + 5], "the payloads have 8 bytes, 5 are there, 3 are missing".to_owned()),
        (&whole[..end], "the payloads have 8 bytes, 0 are there, 8 are missing".into()),
        (&whole[..end - 1], format!("it has {} bytes, {} are there, 1 are missing", end - 8, end - 9)),
        (&whole[..3], "5 of 8 bytes are missing".into()),
        (&[], "8 of 8 bytes are missing".into()),
        (&[&whole[..], &[0; 64]].concat(), "the payloads have 8 bytes, and 64 more follow".into()),
    ] {
        write(&source, bytes);
        let run = kiln(&["convert", text(&source), text(&target)]);
        assert_eq!(run.status, 1, "{}", run.err);
        assert!(run.err.contains(&wanted), "{} does not say {wanted}", run.err);
        assert!(!target.exists());
    }
}

#[test]
fn dtypes_of_one_side_alone_are_all_named_and_carried_as_bytes_there_and_back() {
    let folder = folder();
    let (source, middle) = (folder.path().join("a.safetensors"), folder.path().join("a.kiln"));
    let back = folder.path().join("b.safetensors");
    let header = [
        r#"{"c":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}"#,
        r#""d":{"dtype":"C64","shape":[0,3],"data_offsets":[8,8]}"#,
        r#""f":{"dtype":"F8_E4M3FNUZ","shape":[8],"data_offsets":[8,16]}"#,
        r#""g":{"dtype":"F8_E5M2FNUZ","shape":[],"data_offsets":[16,17]}"#,
        r#""six":{"dtype":"F6_E2M3","shape":[2,2],"data_offsets":[17,20]}"#,
        r#""ten":{"dtype":"F6_E3M2","shape":[4],"data_offsets":[20,23]}"#,
        r#""u":{"dtype":"U8","shape":[1],"data_offsets":[23,24]}}"#,
    ];
    let mut header = header.join(",");
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    let payload: Vec<u8> = (0..24).collect();
    write(&source, &safetensors_file(&header, &payload));
    let run = kiln(&["convert", text(&source), text(&middle)]);
    assert_eq!(run.status, 1);
    assert!(!middle.exists());
    let all = "C64 (2 tensors), F6_E2M3 (1 tensor), F6_E3M2 (1 tensor), F8_E4M3FNUZ (1 tensor), F8_E5M2FNUZ (1 tensor)";
    assert!(run.err.contains(all) && run.err.contains("; --as-bytes carries them"), "{}", run.err);

    let run = kiln(&["convert", text(&source), text(&middle), "--as-bytes"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let bytes = fs::read(&middle).unwrap();
    let directory = Directory::read(&bytes).unwrap();
    let layouts: Vec<_> =
        directory.iter().map(|tensor| tensor.layout().map(|it| (it.name, it.block_size))).collect();
    assert_eq!(layouts[0], Some(("safetensors:C64", 8)));
    assert_eq!(layouts[4], Some(("safetensors:F6_E2M3", 3)));
    assert_eq!(layouts[6], None);
    assert_eq!(kiln(&["convert", text(&middle), text(&back)]).status, 0);
    assert_eq!(fs::read(&back).unwrap(), fs::read(&source).unwrap());

    // Only what the conversion made is made into what it was.
    let mut others = Builder::new();
    let c64 = "safetensors:C64";
    others.push_opaque("code", OpaqueCode::new(5000).unwrap(), c64, 8, &[1], &[0; 8]).unwrap();
    others.push_opaque("block", OpaqueCode::MIN, c64, 4, &[1], &[0; 8]).unwrap();
    others.push_opaque("known", OpaqueCode::MIN, "safetensors:F32", 4, &[1], &[0; 4]).unwrap();
    others.push_opaque("foreign", OpaqueCode::MIN, "Q4_K", 144, &[256], &[0; 144]).unwrap();
    others.push_bytes("nibbles", Dtype::U4, &[2], &[0x21]).unwrap();
    others.push_bytes("more", Dtype::I4, &[2], &[0x21]).unwrap();
    write(&middle, &others.to_vec().unwrap());
    fs::remove_file(&back).unwrap();
    let run = kiln(&["convert", text(&middle), text(&back)]);
    assert_eq!(run.status, 1);
    for dtype in [
        "i4 (1 tensor)",
        "u4 (1 tensor)",
        "opaque(5000) \"safetensors:C64\" (1 tensor)",
        "opaque(4096) \"safetensors:C64\" (1 tensor)",
        "opaque(4096) \"safetensors:F32\" (1 tensor)",
        "opaque(4096) \"Q4_K\" (1 tensor)",
    ] {
        assert!(run.err.contains(dtype), "{} does not say {dtype}", run.err);
    }
    let mut wrong = Builder::new();
    wrong.push_opaque("c", OpaqueCode::MIN, c64, 8, &[2], &[0; 8]).unwrap();
    write(&middle, &wrong.to_vec().unwrap());
    let run = kiln(&["convert", text(&middle), text(&back)]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("its bytes are not what dtype and shape need"), "{}", run.err);
    assert!(!back.exists());
}

#[test]
fn what_is_converted_can_be_read_again_within_the_same_caps() {
    let folder = folder();
    let (source, middle) = (folder.path().join("a.safetensors"), folder.path().join("a.kiln"));
    let back = folder.path().join("b.safetensors");
    // A name heap of one byte above the default cap.
    let name = "n".repeat((16 << 20) + 1);
    let header = format!(r#"{{"{name}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}}}"#);
    write(&source, &safetensors_file(&header, &[]));
    let more = ["--max-bytes", "16777217"];
    let run = kiln(&["convert", text(&source), text(&middle)]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("LIMIT") && run.err.contains("--max-bytes N allows more"), "{}", run.err);
    assert!(!middle.exists());
    let run = kiln(&[&["convert", text(&source), text(&middle)], &more[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let run = kiln(&["convert", text(&middle), text(&back)]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("LIMIT") && run.err.contains("--max-bytes N allows more"), "{}", run.err);
    let run = kiln(&[&["convert", text(&middle), text(&back)], &more[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let written = fs::read(&back).unwrap();
    assert!(safetensors::SafeTensors::deserialize(&written).unwrap().tensor(&name).is_ok());

    // The same for a count, and for what is encoded.
    let two = r#"{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"b":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#;
    write(&source, &safetensors_file(two, &[]));
    let run = kiln(&["convert", text(&source), text(&middle), "--max-count", "1"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("--max-count N allows more"), "{}", run.err);
    for (options, option) in [
        (&["--type", "str", "--max-bytes", "2"][..], "--max-bytes"),
        (&["--type", "list{u8}", "--max-count", "2"], "--max-count"),
        (&["--type", "list{u8}", "--lines", "--count", "3", "--max-count", "2"], "--max-count"),
        (&["--type", "list{str}", "--lines", "--count", "1", "--max-bytes", "2"], "--max-bytes"),
    ] {
        let input = match options {
            ["--type", "str", ..] | [_, "list{str}", ..] => "\"abc\"",
            [_, _, "--lines", ..] => "1\n2\n3\n",
            _ => "[1,2,3]",
        };
        let run = kiln_fed(&[&["encode", "-", "-o", text(&middle)], options].concat(), input.as_bytes());
        assert_eq!(run.status, 1, "{options:?}: {}", run.err);
        assert!(run.err.contains(&format!("{option} N allows more")), "{options:?}: {}", run.err);
    }
}

#[test]
fn a_header_that_no_reader_of_safetensors_takes_is_not_written() {
    let folder = folder();
    let (source, target) = (folder.path().join("a.kiln"), folder.path().join("a.safetensors"));
    // Each of these characters takes six bytes of JSON: above 100,000,000 from a name heap within the default cap.
    let name = "\u{1}".repeat(16_700_000);
    let mut builder = Builder::new();
    builder.push(name.as_str(), &[1], &[1u8]).unwrap();
    write(&source, &builder.to_vec().unwrap());
    let run = kiln(&["convert", text(&source), text(&target)]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.ends_with("and its readers take at most 100000000\n"),
        "{}",
        &run.err[run.err.len() - 100..]
    );
    assert!(!target.exists());
    // Metadata counts as well, and the last byte that fits does.
    let mut small = Builder::new();
    small.push("w", &[1], &[1u8]).unwrap();
    write(&source, &small.to_vec().unwrap());
    let side = folder.path().join("m.json");
    let rest = r#"{"__metadata__":{"k":""},"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#.len();
    for (len, status) in [(100_000_000 - rest, 0), (100_000_000 - rest + 1, 1)] {
        write(&side, format!(r#"{{"k":"{}"}}"#, "v".repeat(len)).as_bytes());
        let run = kiln(&["convert", text(&source), text(&target), "--metadata", text(&side)]);
        assert_eq!(run.status, status, "{}", run.err);
        if status == 0 {
            let written = fs::read(&target).unwrap();
            assert!(safetensors::SafeTensors::deserialize(&written).is_ok());
        }
    }
}

#[test]
fn every_command_that_reads_has_the_options_of_the_caps() {
    for command in ["check", "inspect", "diagnose", "convert", "scan", "decode", "encode"] {
        let help = kiln(&[command, "--help"]).out;
        for option in ["--max-count", "--max-bytes", "--max-owned"] {
            assert!(help.contains(option), "{command} has no {option}");
        }
    }
    let path = root().join("spec/golden/tensors.kiln");
    for command in ["check", "inspect", "diagnose", "scan"] {
        for (option, most) in [("--max-count", "1"), ("--max-bytes", "0")] {
            let run = kiln(&[command, option, most, text(&path)]);
            assert_eq!(run.status, 1, "{command}");
            let line = run.out + &run.err;
            assert!(line.contains(&format!("({option} N allows more)")), "{command}: {line}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn converting_holds_little_of_each_tensor() {
    let folder = folder();
    const TENSORS: usize = 50_000;
    let mut builder = Builder::new();
    for index in 0..TENSORS {
        builder.push(format!("model.layers.{index}.weight"), &[1], &[7u8]).unwrap();
    }
    let block = builder.to_vec().unwrap();
    write(&folder.path().join("a.kiln"), &block);
    // The file is mapped: what it takes is what the program holds of its own.
    let limited = |limit: u32, args: &str| {
        let line = format!("ulimit -d {limit} && exec \"$0\" {args}");
        Run::from(
            Command::new("sh")
                .current_dir(folder.path())
                .args(["-c", &line, env!("CARGO_BIN_EXE_kiln")])
                .output()
                .expect("a shell"),
        )
    };
    let run = limited(16 << 10, "convert a.kiln a.safetensors");
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let run = limited(40 << 10, "convert a.safetensors b.kiln");
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(fs::read(folder.path().join("b.kiln")).unwrap() == block);
}

#[test]
fn formats_are_told_by_ending_or_option() {
    let folder = folder();
    let source = root().join("tests/data/silero-excerpt.safetensors");
    let odd = folder.path().join("model.bin");
    assert_eq!(kiln(&["convert", text(&source), text(&odd)]).status, 2);
    assert_eq!(kiln(&["convert", text(&source), text(&odd), "--to", "kiln"]).status, 0);
    let streamed = kiln_fed(
        &["convert", "-", text(&folder.path().join("s.kiln")), "--from", "safetensors"],
        &fs::read(&source).unwrap(),
    );
    assert_eq!(streamed.status, 0);
    assert_eq!(fs::read(&odd).unwrap(), fs::read(folder.path().join("s.kiln")).unwrap());
    assert_eq!(kiln(&["convert", text(&source), text(&source)]).status, 2);
}

#[test]
fn blocks_are_found_inside_a_log_and_extracted() {
    let folder = folder();
    let path = folder.path().join("log");
    let block = directory();
    let mut damaged = block.clone();
    damaged[64] = 20;
    write(&path, &[b"log line\n", &block[..], b"more\n", &damaged[..]].concat());
    let out = folder.path().join("out");
    let run = kiln(&["scan", text(&path), "--extract", text(&out)]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains(": 9 (0x9): directory, 2 tensors, "), "{}", run.out);
    assert!(lines[0].ends_with(", accepted"), "{}", run.out);
    assert!(
        lines[1].contains("rejected: TYPE at byte 64 (0x40), step 9, in tensor 0 \"weight\""),
        "{}",
        run.out
    );
    let files: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files, [out.join("0000000000000009.kiln")]);
    assert_eq!(fs::read(&files[0]).unwrap(), block);

    let json = kiln(&["scan", "--json", text(&path)]);
    let rows: Vec<serde_json::Value> =
        json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["offset"], &rows[0]["tensors"]), (&9.into(), &2.into()));
    assert_eq!(rows[1]["error"]["offset"], 64);
    assert_eq!(kiln_fed(&["scan", "-"], &block).status, 0);
    assert_eq!(kiln_fed(&["scan", "-"], b"nothing here").status, 1);
}

#[test]
fn a_level_is_listed_forced_and_refused() {
    use kiln::arch::Level;
    let run = kiln(&["levels"]);
    assert_eq!(run.status, 0);
    assert_eq!(run.out.lines().count(), Level::ALL.len());
    assert_eq!(run.out.lines().filter(|line| line.ends_with("in use")).count(), 1);
    let cases = root().join("spec/kiln-v2-cases.json");
    let golden = root().join("spec/golden/tensors.kiln");
    for &level in Level::ALL {
        let status = if level.is_available() { 0 } else { 2 };
        assert_eq!(kiln(&["cases", "--level", level.name(), text(&cases)]).status, status, "{level}");
        assert_eq!(kiln(&["check", "--level", level.name(), text(&golden)]).status, status, "{level}");
    }
    assert_eq!(kiln(&["check", "--level", "mmx", text(&golden)]).status, 2);
}

#[test]
fn help_and_version_are_there() {
    for command in ["check", "inspect", "diagnose", "convert", "scan", "cases", "hash", "levels"] {
        let run = kiln(&[command, "--help"]);
        assert_eq!(run.status, 0);
        assert!(run.out.contains("Usage: kiln"), "{}", run.out);
    }
    let help = kiln(&["--help"]);
    assert!(help.out.contains("Exit status: 0 accepted, 1 rejected or different, 2"), "{}", help.out);
    let version = kiln(&["--version"]);
    assert_eq!(version.out, kiln(&["-V"]).out);
    let lines: Vec<&str> = version.out.lines().collect();
    assert_eq!(lines[0], format!("kiln {}", env!("CARGO_PKG_VERSION")));
    // Those that the bytes have.
    let directory = Builder::new().to_vec().unwrap();
    let frame = kiln::frame::to_vec(&7u8).unwrap();
    let (directories, profile) =
        (u16::from_le_bytes([directory[4], directory[5]]), u16::from_le_bytes([frame[4], frame[5]]));
    assert_eq!(lines[1], format!("wire    directories {directories}, profile {profile}"));
    use kiln::arch::Level;
    let available: Vec<&str> = Level::available().map(Level::name).collect();
    assert_eq!(
        lines[2],
        format!("levels  {} is the best; available: {}", Level::best(), available.join(", "))
    );
    assert_eq!(lines.len(), 3);
}

#[cfg(unix)]
#[test]
fn a_reader_that_stops_reading_ends_the_program_by_the_signal_and_without_a_word() {
    use std::os::unix::process::ExitStatusExt;
    let path = root().join("spec/golden/tensors.kiln");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = Command::new(env!("CARGO_BIN_EXE_kiln"))
        .args(["inspect", text(&path)])
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    // SIGPIPE, as other programs end.
    assert_eq!((output.status.code(), output.status.signal()), (None, Some(13)));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
