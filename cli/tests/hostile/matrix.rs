//! Every command, in text, in JSON and in errors, over names that would act on a terminal: none of them reaches one.

use kiln::tensor::{Builder, OpaqueCode};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

/// Controls of both sets, marks of direction, line ends of every kind, and what cannot be seen.
const HOSTILE: &str = "\u{1b}[31m\u{7}\u{8}\r\n\t\u{7f}\u{9b}31m\u{61c}\u{200e}\u{202e}\u{2066}\u{2028}\u{2029}\u{feff}\u{e0041}";

/// A name of each kind in front of them, so that all are different.
fn named(kind: &str) -> String {
    format!("{kind}{HOSTILE}")
}

/// Whether a character of the output would do something.
fn acts(c: char) -> bool {
    c != '\n' && c != '\\' && kiln::escape(format!("a{c}").as_bytes()).to_string() != format!("a{c}")
}

fn kiln(folder: &Path, args: &[OsString]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kiln"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the program starts")
}

/// Whether a string says what it means in the spelling of text, other than a message, which is such a text.
fn is_escaped_twice(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.contains("\\u{"),
        serde_json::Value::Array(values) => values.iter().any(is_escaped_twice),
        serde_json::Value::Object(members) => {
            members.iter().any(|(name, value)| name != "message" && is_escaped_twice(value))
        }
        _ => false,
    }
}

/// What the program prints where it prints no payload, after a look at every character of it.
fn printed(args: &[OsString], output: &Output) -> String {
    let mut printed = String::new();
    for part in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(part).expect("all that is printed is text");
        if let Some(c) = text.chars().find(|&c| acts(c)) {
            panic!("{args:?} printed {c:?}: {text:?}");
        }
        printed.push_str(text);
    }
    assert!(matches!(output.status.code(), Some(0..=2)), "{args:?}: {:?}", output.status);
    printed
}

fn safetensors(header: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// The files, each with a name of its own kind, and the arguments of each command that are tried with them.
fn rows(folder: &Path) -> BTreeMap<&'static str, Vec<Vec<String>>> {
    let h = HOSTILE;
    let put = |kind: &str, bytes: &[u8]| {
        fs::write(folder.join(named(kind)), bytes).expect("it can be written");
        named(kind)
    };
    let mut builder = Builder::new();
    builder.push(format!("weight{h}"), &[2], &[1u8, 2]).unwrap();
    builder
        .push_opaque(format!("opaque{h}"), OpaqueCode::MIN, format!("layout{h}"), 1, &[2], &[1, 2])
        .unwrap();
    let whole = builder.to_vec().unwrap();
    let directory = put("directory", &whole);
    let mut bytes = whole.clone();
    bytes[64] = 20;
    bytes[64 + 128 + 2] = 9;
    let damaged = put("damaged", &bytes);
    let log = put("log", &[b"lines\n", &whole[..], &bytes[..]].concat());
    let empty = put("empty", b"");

    let field = format!("struct{{id{h}:bool,d:dict{{u8}},}}");
    let value = put("value", &[1, 0, 0, 0, 0]);
    let wrong = put("wrong", &[2, 0, 0, 0, 0]);
    // A dict with one key twice.
    let key = format!("key{h}");
    let entry = [&(key.len() as u32).to_le_bytes(), key.as_bytes(), &[7]].concat();
    let twice = put("twice", &[&[1, 2, 0, 0, 0], &entry[..], &entry[..]].concat());
    let framed = put("framed", &kiln::frame::to_vec(&7u32).unwrap());

    let tensor = json!({"dtype": "U8", "shape": [1], "data_offsets": [0, 1]});
    let tensors = |header: serde_json::Value| safetensors(&header.to_string(), &[7]);
    let model = put("model", &tensors(json!({"__metadata__": {key.clone(): h}, format!("w{h}"): tensor})));
    let dtype =
        put("dtype", &tensors(json!({format!("w{h}"): {"dtype": h, "shape": [1], "data_offsets": [0, 1]}})));
    let complex = put(
        "complex",
        &safetensors(
            &json!({format!("w{h}"): {"dtype": "C64", "shape": [1], "data_offsets": [0, 8]}}).to_string(),
            &[0; 8],
        ),
    );
    let gap =
        put("gap", &tensors(json!({format!("w{h}"): {"dtype": "U8", "shape": [1], "data_offsets": [5, 6]}})));
    let same =
        put("same", &safetensors(&format!(r#"{{{0}:{tensor},{0}:{tensor}}}"#, json!(format!("w{h}"))), &[7]));
    let no_header = put("no-header", &safetensors(h, &[7]));

    let good = put("schema", json!({
        "title": h, "description": h, "type": "object", "required": [key],
        "properties": {key.clone(): {"type": "boolean", "description": format!("one{h}")}, "d": {"$ref": format!("#/$defs/{}", key.replace('/', "~1"))}},
        "$defs": {key.clone(): {"type": "array", "items": {"type": "string"}}}}).to_string().as_bytes());
    let bad = put("bad", json!({
        "type": "object", "required": [h],
        "properties": {key.clone(): {"type": h}, "b": {"$ref": h}, "c": {"format": h, "type": "integer"}, "e": {h: 1}}})
        .to_string().as_bytes());
    let text = put("text", h.as_bytes());
    let sound = json!({format!("id{h}"): true, "d": {key.clone(): 3}}).to_string();
    let in_json = put("in", sound.as_bytes());
    let odd =
        put("odd", json!({format!("id{h}"): h, format!("no{h}"): {key.clone(): h}}).to_string().as_bytes());
    let lines = put("lines", format!("[]\n{}\n", json!([h])).as_bytes());
    let case = |ty: &str, hex: &str, code: &str| {
        json!({"format": "kiln-cases/1", "cases": [{"name": h, "type": ty, "hex": hex, "accept": code.is_empty(), "error": code}]})
            .to_string().replace(r#","error":"""#, "")
    };
    let cases = put("cases", case("u8", "07", "").as_bytes());
    let fails = put("fails", case("u8", "", "TYPE").as_bytes());
    let unread: Vec<String> =
        [case(h, "07", ""), case("u8", h, ""), case("u8", "", h), json!({"format": h}).to_string()]
            .iter()
            .enumerate()
            .map(|(index, text)| put(&format!("unread{index}"), text.as_bytes()))
            .collect();
    let missing = named("missing");
    let out = named("out");

    let mut rows: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    let mut row = |command: &'static str, args: &[&str]| {
        let args = [&[command], args].concat();
        rows.entry(command).or_default().push(args.into_iter().map(Into::into).collect());
    };
    for file in [&directory, &damaged, &empty, &framed, &model, &text, &missing] {
        for json in [&["--json"][..], &[]] {
            for command in ["check", "inspect", "diagnose", "scan"] {
                row(command, &[&[file.as_str()], json].concat());
            }
        }
    }
    for json in [&["--json"][..], &[]] {
        row("scan", &[&[log.as_str()], json].concat());
        row("scan", &[&[log.as_str(), "--extract", &missing], json].concat());
        row("scan", &[&[log.as_str(), "--extract", &log], json].concat());
        row("inspect", &[&[directory.as_str(), "--grep", h], json].concat());
        row("check", &[&[".", "--max-bytes", "10"], json].concat());
        for file in [&value, &wrong, &twice, &framed, &directory] {
            row("check", &[&[file.as_str(), "--type", &field], json].concat());
            row("check", &[&[file.as_str(), "--schema", &good], json].concat());
            row("check", &[&[file.as_str(), "--type", &field, "--framed"], json].concat());
        }
        row("check", &[&[value.as_str(), "--schema", &bad], json].concat());
        for text in [&field, h, "u8"] {
            row("hash", &[&[text], json].concat());
        }
        for file in [&good, &bad, &text, &missing] {
            row("schema", &[&[file.as_str()], json].concat());
        }
        for file in [&cases, &fails, &text, &missing].into_iter().chain(&unread) {
            row("cases", &[&[file.as_str()], json].concat());
        }
        row("levels", json);
    }
    row("inspect", &[&directory, "--wide"]);
    for text in [&field, h, "list{tensors}"] {
        row("schema", &["--from-type", text]);
    }
    for file in [&value, &wrong, &twice, &framed, &directory, &missing] {
        for by in [["--type", &field], ["--schema", &good], ["--schema", &bad], ["--type", h]] {
            row("decode", &[&[file.as_str()], &by[..]].concat());
            row("decode", &[&[file.as_str(), "--layout", "pretty"], &by[..]].concat());
            row("decode", &[&[file.as_str(), "--framed"], &by[..]].concat());
        }
        row("decode", &[file, "--lines", "--type", &format!("list{{{field}}}")]);
    }
    for file in [&odd, &text, &missing, &value] {
        row("encode", &[file, "--type", &field]);
        row("encode", &[file, "--schema", &bad]);
    }
    row("encode", &[&in_json, "--type", &field, "-o", &out]);
    row("encode", &[&lines, "--lines", "--type", "list{list{u8}}", "-o", &out]);
    row("encode", &[&in_json, "--type", &field, "-o", &(missing.clone() + "/x")]);
    for file in [&good, &bad, &text, &missing] {
        row("gen", &[file]);
        row("gen", &[file, "--framed", "--name", h]);
    }
    for file in [&model, &dtype, &complex, &gap, &same, &no_header, &text, &missing, &directory] {
        row("convert", &[file, &out, "--from", "safetensors", "--to", "kiln"]);
    }
    for file in [&directory, &damaged, &model, &missing] {
        row("convert", &[file, &out, "--from", "kiln", "--to", "safetensors"]);
    }
    row(
        "convert",
        &[&model, &out, "--from", "safetensors", "--to", "kiln", "--metadata", &named("metadata")],
    );
    row("convert", &[&directory, &out, "--from", "kiln", "--to", "safetensors", "--metadata", &text]);
    row("convert", &[&model, &out]);
    if cfg!(not(feature = "gen")) {
        rows.remove("gen");
    }
    rows
}

/// The commands that the program itself lists.
fn commands(folder: &Path) -> BTreeSet<String> {
    let help = printed(&[], &kiln(folder, &["--help".into()]));
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Descriptions that go on in the next line stand further to the right.
    let names =
        listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|&name| name != "help").map(Into::into).collect()
}

#[test]
fn no_name_of_any_kind_acts_on_a_terminal_whichever_command_prints_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let rows = rows(folder);
    let commands = commands(folder);
    assert_eq!(
        rows.keys().map(ToString::to_string).collect::<BTreeSet<_>>(),
        commands,
        "each command has its rows"
    );
    for (command, rows) in rows {
        let help = printed(&[], &kiln(folder, &[command.into(), "--help".into()]));
        let (mut speaks_json, mut shows, mut statuses) = (false, 0, BTreeSet::new());
        for args in rows {
            let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
            let output = kiln(folder, &args);
            let text = printed(&args, &output);
            statuses.insert(output.status.code());
            shows += usize::from(text.contains("\\u202e") || text.contains("\\u{202e}"));
            if args.iter().any(|arg| arg == "--json") {
                speaks_json = true;
                for line in std::str::from_utf8(&output.stdout).unwrap().lines() {
                    let value = serde_json::from_str(line)
                        .unwrap_or_else(|error| panic!("{args:?}: {error}: {line}"));
                    assert!(!is_escaped_twice(&value), "{args:?}: {line}");
                }
            }
        }
        assert_eq!(speaks_json, help.contains("--json"), "{command}");
        if command != "levels" {
            assert!(shows > 0 && statuses.len() > 1, "{command}: shown {shows} times, {statuses:?}");
        }
        // What is wrong with the arguments themselves.
        for wrong in [
            &[HOSTILE, HOSTILE][..],
            &[&format!("--{HOSTILE}")],
            &["--type", HOSTILE, "--json", HOSTILE],
            &["--max-count", HOSTILE],
            &["--level", HOSTILE],
            &["--sort", HOSTILE],
            &["--grep", &format!("({HOSTILE}")],
        ] {
            let args: Vec<OsString> = [command].iter().chain(wrong).map(Into::into).collect();
            printed(&args, &kiln(folder, &args));
        }
        let args = [
            command.into(),
            OsStr::from_bytes(b"--\xff\x1b\xc2").into(),
            OsStr::from_bytes(b"\xff\x1b").into(),
        ];
        printed(&args, &kiln(folder, &args));
    }
    for args in [&[HOSTILE][..], &["help", HOSTILE], &[&format!("-{HOSTILE}")], &["check", "--", HOSTILE]] {
        let args: Vec<OsString> = args.iter().map(Into::into).collect();
        assert!(printed(&args, &kiln(folder, &args)).contains("\\u{1b}"), "{args:?}");
    }
    let mut renamed = Command::new(env!("CARGO_BIN_EXE_kiln"));
    printed(&[], &renamed.arg0(HOSTILE).arg("check").output().expect("the program starts"));
}
