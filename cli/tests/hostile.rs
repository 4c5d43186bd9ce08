//! The program where things go wrong around it: killed half-way, a disk that takes no more, folders full of damage, paths
//! that are not what they seem.
#![cfg(unix)]

#[path = "hostile/matrix.rs"]
mod matrix;
#[path = "support/run.rs"]
mod run;

use kiln::tensor::{Builder, Directory, Dtype};
use run::Run;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are text")
}

/// A safetensors file of one tensor of so many bytes, and the file that it is converted to, there already.
fn before(folder: &Path, len: usize) -> (PathBuf, PathBuf, Vec<u8>) {
    let (source, target) = (folder.join("in.safetensors"), folder.join("out.kiln"));
    let header = format!(r#"{{"w":{{"dtype":"U8","shape":[{len}],"data_offsets":[0,{len}]}}}}"#);
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.resize(bytes.len() + len, 7);
    fs::write(&source, bytes).expect("the folder can be written");
    let mut builder = Builder::new();
    builder.push_bytes("old", Dtype::U8, &[1], &[1]).expect("a tensor");
    let old = builder.to_vec().expect("a block");
    fs::write(&target, &old).expect("the folder can be written");
    (source, target, old)
}

#[test]
fn a_writer_that_is_killed_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, target, old) = before(folder.path(), 48 << 20);
    let (mut killed, mut done) = (0, 0);
    // Later and later, until the writer is done before it is killed.
    for turn in 0..200u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kiln"))
            .args(["convert", text(&source), text(&target)])
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_micros(200 * turn * turn));
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("a child that runs can be killed");
        }
        let finished = child.wait().expect("a child").success();
        let found = fs::read(&target).expect("there is always a whole file");
        if found == old {
            assert!(!finished, "turn {turn}: done, and the old file is there");
            killed += 1;
            continue;
        }
        // Done, or killed when the new file was there already.
        let new = Directory::read(&found).expect("the new file is whole");
        assert_eq!(new.get(0).expect("a tensor").bytes().len(), 48 << 20);
        done += 1;
        break;
    }
    assert!(killed > 0 && done > 0, "{killed} killed, {done} done");
}

#[test]
fn a_disk_that_takes_no_more_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, target, old) = before(folder.path(), 1 << 20);
    // No file may grow beyond so many blocks: the write that would is refused, as on a full disk. Then the system also
    // sends a signal, which whoever starts the program may have ignored.
    for first in ["trap '' XFSZ; ", ""] {
        let run = Command::new("sh")
            .args(["-c", &format!("{first}ulimit -f 64; exec \"$0\" convert \"$1\" \"$2\"")])
            .args([env!("CARGO_BIN_EXE_kiln"), text(&source), text(&target)])
            .output()
            .expect("a shell");
        let message = String::from_utf8(run.stderr).expect("messages are text");
        assert_eq!(run.status.code(), Some(2), "{first}{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains("out.kiln"), "{message}");
        assert_eq!(fs::read(&target).expect("the old file"), old);
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["in.safetensors", "out.kiln"]);
    }
    // The same for what is printed.
    let run = shell(
        folder.path(),
        "ulimit -f 64; exec \"$0\" convert \"$1\" - --to kiln > printed",
        &source,
        &target,
    );
    assert_eq!(run, Some(2));
}

/// Runs a line of shell in a folder, with the program and the paths in `$0`, `$1` and `$2`.
fn shell(folder: &Path, line: &str, source: &Path, target: &Path) -> Option<i32> {
    let run = Command::new("sh")
        .current_dir(folder)
        .args(["-c", line, env!("CARGO_BIN_EXE_kiln"), text(source), text(target)])
        .stderr(Stdio::null())
        .status();
    run.expect("a shell").code()
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions_whatever_the_mask() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, target, old) = before(folder.path(), 1000);
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o7777;
    for (mask, new_mode) in [("000", 0o666), ("777", 0), ("027", 0o640)] {
        for old_mode in [0o640, 0o666, 0o600] {
            fs::write(&target, &old).expect("the folder can be written");
            fs::set_permissions(&target, fs::Permissions::from_mode(old_mode)).expect("permissions");
            let line = format!("umask {mask}; exec \"$0\" convert \"$1\" \"$2\"");
            assert_eq!(shell(folder.path(), &line, &source, &target), Some(0));
            assert_eq!(mode(&target), old_mode, "mask {mask}");
            assert_ne!(fs::read(&target).expect("the new file"), old);
        }
        let new = folder.path().join(format!("new-{mask}.kiln"));
        let line = format!("umask {mask}; exec \"$0\" convert \"$1\" \"$2\"");
        assert_eq!(shell(folder.path(), &line, &source, &new), Some(0));
        assert_eq!(mode(&new), new_mode, "mask {mask}");
    }
}

#[test]
fn a_folder_that_is_gone_is_an_error_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, _, _) = before(folder.path(), 1000);
    let line = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" convert \"$1\" \"$2\"";
    for target in ["new.kiln", "./new.kiln", "none/new.kiln"] {
        assert_eq!(shell(folder.path(), line, &source, Path::new(target)), Some(2), "{target}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2);
}

#[test]
fn a_folder_of_ten_thousand_damaged_files_is_answered_file_by_file() {
    const FILES: usize = 10_000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut builder = Builder::new();
    builder.push("w", &[4], &[1.0f32, 2.0, 3.0, 4.0]).expect("a tensor");
    builder.push_bools("mask\n", &[3], &[true, false, true]).expect("a tensor");
    let whole = builder.to_vec().expect("a block");
    for index in 0..FILES {
        let mut bytes = whole.clone();
        // One bit that no reader accepts, another one each time while there are some; then lengths.
        match index % 3 {
            0 => bytes[index / 3 % 8] ^= 1 << (index % 8),
            1 => bytes.truncate(index % whole.len()),
            _ => bytes[64 + 56 + index % 8] = index as u8 | 1,
        }
        fs::write(folder.path().join(format!("{index:05}.kiln")), bytes).expect("the folder can be written");
    }
    let run = Command::new(env!("CARGO_BIN_EXE_kiln"))
        .arg("check")
        .arg(folder.path())
        .output()
        .expect("the program starts");
    let out = String::from_utf8(run.stdout).expect("output is text")
        + &String::from_utf8(run.stderr).expect("messages are text");
    assert_eq!(run.status.code(), Some(1));
    let answered: BTreeSet<&str> = out
        .lines()
        .filter_map(|line| line.split_once(".kiln"))
        .filter_map(|(path, _)| path.rsplit('/').next())
        .collect();
    assert_eq!(answered.len(), FILES);
    assert!(!out.contains("panicked"), "{out}");
}

/// A process that may start no thread: here, since none has room for its stack.
#[test]
fn without_threads_one_checks_all_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut paths = Vec::new();
    for index in 0..5 {
        let path = folder.path().join(format!("{index}.kiln"));
        let block = Builder::new().to_vec().expect("a block");
        fs::write(&path, block).expect("the folder can be written");
        paths.push(path);
    }
    let mut check = Command::new(env!("CARGO_BIN_EXE_kiln"));
    check.arg("check").args(&paths).env("RUST_MIN_STACK", (1u64 << 62).to_string());
    let output = check.output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.is_empty(), "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 5);
}

/// The length of what `kiln inspect` prints, with `limit` KiB for its data.
fn inspected(path: &Path, limit: u32, options: &[&str]) -> usize {
    let run = Command::new("sh")
        .args(["-c", &format!("ulimit -d {limit} && exec \"$0\" inspect \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_kiln"))
        .args(options)
        .arg(path)
        .output()
        .expect("a shell");
    assert!(run.status.success(), "{options:?}: {}", String::from_utf8_lossy(&run.stderr));
    if options.contains(&"--json") {
        let facts: serde_json::Value = serde_json::from_slice(&run.stdout).expect("one object");
        assert_eq!(
            facts["tensors"].as_array().map(Vec::len),
            facts["tensor_count"].as_u64().map(|n| n as usize)
        );
    }
    run.stdout.len()
}

#[test]
fn inspect_prints_no_product_of_two_of_the_files_numbers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.kiln");
    for long in
        ["n".repeat(1 << 20), "e\u{301}".repeat(1 << 18), "\u{301}".repeat(1 << 19), "字".repeat(1 << 18)]
    {
        let mut builder = Builder::new();
        builder.push(long.as_str(), &[1], &[1u8]).expect("a tensor");
        for _ in 0..4_000 {
            builder.push(None, &[1], &[1u8]).expect("a tensor");
        }
        let bytes = builder.to_vec().expect("a block");
        fs::write(&path, &bytes).expect("the folder can be written");
        let cut = inspected(&path, 1 << 20, &[]);
        assert!(cut < 4_000 * 120, "{cut} bytes in rows that are cut");
        let whole = inspected(&path, 1 << 20, &["--wide"]);
        // A name is printed once; a mark at its beginning is escaped.
        assert!(
            (long.len() + cut - 1000..=long.len() + cut + 1000).contains(&whole),
            "{whole} bytes, {cut} cut"
        );
        let json = inspected(&path, 1 << 20, &["--json"]);
        assert!((long.len()..long.len() + 4_000 * 200).contains(&json), "{json} bytes of JSON");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn inspect_holds_no_rows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.kiln");
    let mut builder = Builder::new();
    for index in 0..30_000 {
        builder.push(format!("model.layers.{index}.weight"), &[1], &[1u8]).expect("a tensor");
    }
    fs::write(&path, builder.to_vec().expect("a block")).expect("the folder can be written");
    // 4 MB of descriptors, and 2 to 4 MB of rows, through 10 MiB of which the program takes some before it begins.
    for options in [&[][..], &["--wide"], &["--json"], &["--sort", "name"]] {
        assert!(inspected(&path, 10 << 10, options) > 30_000 * 50);
    }
}

/// Findings can all be about one name.
#[test]
fn diagnose_prints_no_product_of_two_of_the_files_numbers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.kiln");
    let mut builder = Builder::new();
    builder.push("n".repeat(1 << 20), &[1], &[1u8]).expect("a tensor");
    for _ in 0..2_000 {
        builder.push(None, &[1], &[1u8]).expect("a tensor");
    }
    let mut bytes = builder.to_vec().expect("a block");
    for index in 1..2_000 {
        let at = 64 + 128 * index;
        let name = kiln::tensor::Descriptor::NAME_OFFSET_AT;
        bytes.copy_within(64 + name..64 + name + 8, at + name);
    }
    fs::write(&path, &bytes).expect("the folder can be written");
    let run =
        Command::new(env!("CARGO_BIN_EXE_kiln")).arg("diagnose").arg(&path).output().expect("it starts");
    assert_eq!(run.status.code(), Some(1));
    let lines = run.stdout.split(|&byte| byte == b'\n').count();
    assert!(lines > 2_000 && run.stdout.len() < lines * 400, "{} bytes in {lines} lines", run.stdout.len());
}

#[test]
fn whoever_stops_reading_stops_an_inspection() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.kiln");
    let mut builder = Builder::new();
    for _ in 0..100_000 {
        builder.push(None, &[1], &[1u8]).expect("a tensor");
    }
    fs::write(&path, builder.to_vec().expect("a block")).expect("the folder can be written");
    for options in ["", "--json"] {
        let run = Command::new("sh")
            .args([
                "-c",
                &format!("\"$0\" inspect {options} \"$1\" | head -c 1000"),
                env!("CARGO_BIN_EXE_kiln"),
            ])
            .arg(&path)
            .output()
            .expect("a shell");
        assert_eq!((run.stdout.len(), run.stderr.len()), (1000, 0));
    }
}

/// A safetensors file of this header and payload.
fn safetensors_file(header: &str, payload: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), payload].concat()
}

/// A directory of one tensor.
fn block() -> Vec<u8> {
    let mut builder = Builder::new();
    builder.push("w", &[3], &[1u8, 2, 3]).expect("a tensor");
    builder.to_vec().expect("a block")
}

/// A folder of one file of each kind that the commands read.
fn inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put =
        |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("it can be written");
    let header = r#"{"__metadata__":{"k":"v"},"w":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}"#;
    put("a.safetensors", &safetensors_file(header, &[1, 2, 3]));
    let plain = header.replace(r#""__metadata__":{"k":"v"},"#, "");
    put("plain.safetensors", &safetensors_file(&plain, &[1, 2, 3]));
    put("a.kiln", &block());
    put("m.json", br#"{"k":"v"}"#);
    put("s.json", br#"{"type":"string"}"#);
    put("v.json", br#""x""#);
    put("v.jsonl", b"1\n2\n");
    put(
        "c.json",
        br#"{"format":"kiln-cases/1","cases":[{"name":"n","type":"u8","hex":"07","accept":true}]}"#,
    );
    folder
}

/// Every name in a folder, with what is in those that are files.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            let is_file = entry.file_type().is_file();
            let bytes = if is_file { fs::read(entry.path()).expect("it is read") } else { Vec::new() };
            (entry.into_path(), bytes)
        })
        .collect()
}

/// Runs a line of the shell in which `kiln` is the program.
fn sh(folder: &Path, line: &str) -> Run {
    let line = format!("kiln() {{ \"$0\" \"$@\"; }}; {line}");
    Command::new("sh")
        .current_dir(folder)
        .args(["-c", &line, env!("CARGO_BIN_EXE_kiln")])
        .output()
        .expect("a shell")
        .into()
}

#[test]
fn two_paths_of_a_command_to_one_file_are_a_usage_error_before_anything_is_written() {
    let folder = inputs();
    let path = folder.path();
    symlink("a.safetensors", path.join("soft")).unwrap();
    symlink("not-there", path.join("dangling")).unwrap();
    symlink(".", path.join("here")).unwrap();
    fs::hard_link(path.join("a.safetensors"), path.join("hard")).unwrap();
    fs::hard_link(path.join("v.json"), path.join("v2.json")).unwrap();
    let before = contents(path);
    for line in [
        "kiln convert a.safetensors a.kiln --metadata a.kiln",
        "kiln convert a.safetensors a.kiln --metadata ./a.kiln",
        "kiln convert a.safetensors new.kiln --metadata here/here/new.kiln",
        "kiln convert a.safetensors dangling --to kiln --metadata not-there",
        "kiln convert a.safetensors new.kiln --metadata a.safetensors",
        "kiln convert a.safetensors new.kiln --metadata soft",
        "kiln convert a.safetensors soft --to kiln",
        "kiln convert a.safetensors hard --to kiln",
        "kiln convert a.safetensors - --to kiln --metadata -",
        "kiln convert a.safetensors - --to kiln --metadata /dev/stdout",
        "kiln convert a.safetensors /dev/fd/1 --to kiln --metadata /proc/self/fd/1",
        "kiln convert a.safetensors a.kiln --metadata /dev/fd/7 7<>a.kiln",
        "kiln convert a.kiln b.safetensors --metadata a.kiln",
        "kiln convert a.kiln m.json --to safetensors --metadata m.json",
        "kiln convert - b.safetensors --from kiln --metadata /dev/stdin <a.kiln",
        "kiln convert - a.kiln --from safetensors <a.kiln",
        "kiln encode v.json --schema s.json -o v.json",
        "kiln encode v.json --schema s.json -o v2.json",
        "kiln encode v.json --schema s.json -o here/s.json",
        "kiln encode v.json --type str >>v.json",
        "kiln encode - --schema - -o new <s.json",
        "kiln encode v.jsonl --lines --type 'list{u8}' -o ./v.jsonl",
        "kiln decode v.json --schema s.json -o s.json",
        "kiln decode v.json --type str -o v2.json",
        "kiln decode - --schema /dev/stdin <s.json",
        "kiln decode v.json --lines --type 'list{u8}' >>v.json",
        "kiln gen s.json -o s.json",
        "kiln gen s.json -o here/s.json",
        "kiln schema s.json >>s.json",
        "kiln check s.json --schema s.json",
        "kiln check a.kiln - --schema - <s.json",
        "kiln check - /dev/stdin <a.kiln",
        "kiln check a.kiln >>a.kiln",
        "kiln inspect a.kiln >>a.kiln",
        "kiln diagnose a.kiln >>a.kiln",
        "kiln cases c.json >>c.json",
        "kiln scan a.kiln >>a.kiln",
        "kiln scan a.kiln --extract a.kiln",
    ] {
        let run = sh(path, line);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{line}: {}", run.err);
        assert!(run.err.contains(" one file: ") || run.err.contains("named twice"), "{line}: {}", run.err);
        assert!(contents(path) == before, "{line}: a file is another one now");
    }
    // What is no loss is no error.
    for line in [
        "kiln check a.kiln a.kiln here/a.kiln",
        "kiln check - a.kiln <a.kiln",
        "kiln encode - --type str <v.json | kiln decode - --type str",
        "kiln encode - --type str </dev/null >/dev/null; test $? = 1",
    ] {
        let run = sh(path, line);
        assert_eq!(run.status, 0, "{line}: {}", run.err);
        assert!(!run.err.contains("one file"), "{line}: {}", run.err);
    }
}

#[test]
fn what_is_open_is_written_to_as_it_stands() {
    let folder = inputs();
    let path = folder.path();
    assert_eq!(sh(path, "kiln convert plain.safetensors new.kiln").status, 0);
    let block = fs::read(path.join("new.kiln")).unwrap();
    let after = [b"earlier\n", &block[..]].concat();
    for (line, expected) in [
        ("kiln convert plain.safetensors /dev/stdout --to kiln | cat >f", &block),
        ("kiln convert plain.safetensors /proc/self/fd/1 --to kiln | cat >f", &block),
        ("echo earlier >f; kiln convert plain.safetensors /dev/stdout --to kiln >>f", &after),
        ("echo earlier >f; kiln convert plain.safetensors - --to kiln >>f", &after),
        ("echo earlier >f; kiln convert plain.safetensors /dev/fd/7 --to kiln 7>>f", &after),
        ("{ echo earlier; kiln convert plain.safetensors /dev/stdout --to kiln; } >f", &after),
        ("ln -s /dev/fd/7 link; kiln convert plain.safetensors link --to kiln 7>f && test -h link", &block),
        ("exec 7>f; ln f g; rm f; kiln convert plain.safetensors /dev/fd/7 --to kiln && mv g f", &block),
        (
            "mkfifo pipe; cat pipe >f & kiln convert plain.safetensors pipe --to kiln && wait && test -p pipe",
            &block,
        ),
    ] {
        let _ = fs::remove_file(path.join("f"));
        let run = sh(path, line);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{line}");
        assert!(fs::read(path.join("f")).unwrap() == *expected, "{line}");
        assert!(!contents(path).keys().any(|path| text(path).contains("deleted")), "{line}");
    }
    // An unlinked file has no name to be found under.
    let run = sh(
        path,
        "exec 7>f 8<f; rm f; kiln convert plain.safetensors /dev/fd/7 --to kiln && cat <&8 | cmp - new.kiln && ls -A",
    );
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(!run.out.contains("deleted") && !run.out.contains(".tmp"), "{}", run.out);
    // There is no going back to the count of a list in what is only appended to.
    let run = sh(path, "echo earlier >f; kiln encode v.jsonl --lines --type 'list{u8}' -o /dev/fd/7 7>>f");
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--count"), "{}", run.err);
    assert_eq!(fs::read(path.join("f")).unwrap(), b"earlier\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_ends_the_program_leaves_no_temporary_file() {
    use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    use std::os::unix::process::ExitStatusExt;
    // Terminals and people send three of them, and limits of time and whoever runs programs in turn the others.
    for signal in [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU] {
        let folder = inputs();
        let before = contents(folder.path());
        // Whoever runs the tests may have it ignored. Some of them would leave the memory of the program in a file.
        let line = format!(
            "ulimit -c 0; exec env --default-signal={signal} \"$0\" encode - --type 'list{{u8}}' --lines -o out"
        );
        let mut child = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", &line, env!("CARGO_BIN_EXE_kiln")])
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell");
        // It waits for its input, and its temporary file is there.
        while contents(folder.path()) == before {
            std::thread::sleep(Duration::from_millis(1));
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        }
        kill(child.id(), signal);
        // Not by waiting for the child, which would end its input.
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        assert_eq!(status.signal(), Some(signal));
        assert!(contents(folder.path()) == before, "signal {signal}: {:?}", contents(folder.path()).keys());
    }
}

fn kill(process: u32, signal: i32) {
    let done = Command::new("sh").args(["-c", &format!("kill -{signal} {process}")]).status().unwrap();
    assert!(done.success());
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let folder = inputs();
    let before = contents(folder.path());
    let mut child = Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", "trap '' HUP; exec \"$0\" encode - --type 'list{u8}' --lines -o out"])
        .arg(env!("CARGO_BIN_EXE_kiln"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    while contents(folder.path()) == before {
        std::thread::sleep(Duration::from_millis(1));
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    }
    kill(child.id(), 1);
    child.stdin.take().unwrap().write_all(b"7\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read(folder.path().join("out")).unwrap(), [1, 0, 0, 0, 7]);
}

#[test]
fn standard_output_that_is_closed_or_full_is_an_error_of_every_command() {
    let folder = inputs();
    for command in [
        "--help",
        "--version",
        "check --help",
        "check a.kiln",
        "check --json a.kiln",
        "inspect a.kiln",
        "inspect --json a.kiln",
        "diagnose a.kiln",
        "diagnose --json a.kiln",
        "convert a.safetensors - --to kiln",
        "convert a.safetensors /dev/stdout --to kiln",
        "convert a.kiln - --to safetensors",
        "convert a.safetensors b.kiln --metadata -",
        "scan a.kiln",
        "scan --json a.kiln",
        "cases c.json",
        "cases --json c.json",
        "hash u8",
        "hash --json u8",
        "schema s.json",
        "schema --json s.json",
        "schema --from-type u8",
        "decode s.json --type 'struct{a:u64,b:u64,c:u8,}'",
        "decode v.jsonl --type u32",
        "encode v.json --type str",
        "encode v.jsonl --type 'list{u8}' --lines --count 2",
        "gen s.json",
        "levels",
        "levels --json",
    ] {
        for to in [">&-", ">/dev/full"] {
            let run = sh(folder.path(), &format!("kiln {command} {to}"));
            assert_eq!(run.status, 2, "{command} {to}: {}", run.err);
            assert_eq!(run.err.lines().count(), 1, "{command} {to}: {}", run.err);
            let reason = if to == ">&-" { "Bad file descriptor" } else { "No space left on device" };
            assert!(run.err.contains(reason), "{command} {to}: {}", run.err);
        }
    }
    assert!(!folder.path().join("b.kiln").exists(), "one output failed, and the other appeared");
    // Nothing is printed there, so nothing is lost.
    assert_eq!(sh(folder.path(), "kiln convert plain.safetensors b.kiln >&-").status, 0);
    let run = sh(folder.path(), "kiln check - <&-");
    assert_eq!(run.status, 2);
    assert!(run.err.contains("Bad file descriptor"), "{}", run.err);
}

#[test]
fn a_folder_is_searched_for_regular_files_and_the_rest_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let inner = path.join("in");
    fs::create_dir_all(inner.join("folder.kiln")).unwrap();
    fs::write(inner.join("a.kiln"), block()).unwrap();
    fs::write(inner.join("folder.kiln/b.kiln"), block()).unwrap();
    symlink("a.kiln", inner.join("link.kiln")).unwrap();
    symlink("/dev/zero", inner.join("zero.kiln")).unwrap();
    symlink("..", inner.join("folder.kiln/loop")).unwrap();
    symlink("nowhere", inner.join("other")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(inner.join("socket.kiln")).unwrap();
    assert_eq!(sh(path, "mkfifo in/pipe.kiln in/pipe").status, 0);
    let run = sh(path, "kiln check in");
    assert_eq!(run.status, 0, "{}", run.err);
    let accepted: Vec<&str> = run.out.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(accepted, ["in/a.kiln", "in/folder.kiln/b.kiln", "in/link.kiln"]);
    assert_eq!(
        run.err,
        "kiln: in/folder.kiln/loop: left out: a link to a folder\n\
         kiln: in/pipe.kiln: left out: a pipe\n\
         kiln: in/socket.kiln: left out: a socket\n\
         kiln: in/zero.kiln: left out: a device\n"
    );
    let quiet = sh(path, "kiln check --quiet in");
    assert_eq!((quiet.status, quiet.out.as_str(), quiet.err.lines().count()), (0, "", 4));
    let json = sh(path, "kiln check --json in");
    let left: Vec<String> = json
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .filter_map(|facts| Some(facts.get("left_out")?.as_str()?.to_owned()))
        .collect();
    assert_eq!(left, ["a link to a folder", "a pipe", "a socket", "a device"]);
    // A link to a folder that is named is searched, and nothing is said of it.
    symlink("in", path.join("named")).unwrap();
    let named = sh(path, "kiln check named");
    assert_eq!((named.status, named.out), (0, run.out.replace("in/", "named/")));
    assert_eq!(named.err, run.err.replace("in/", "named/"));
    // One that leads nowhere is an error, as a file that cannot be read is.
    symlink("nowhere", inner.join("dangling.kiln")).unwrap();
    assert_eq!(sh(path, "kiln check in").status, 2);
}

#[test]
fn a_folder_without_a_file_to_check_is_said_and_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for name in ["empty", "other", "pipes", "full"] {
        fs::create_dir(path.join(name)).unwrap();
    }
    fs::write(path.join("other/a.txt"), block()).unwrap();
    fs::write(path.join("full/a.kiln"), block()).unwrap();
    assert_eq!(sh(path, "mkfifo pipes/a.kiln").status, 0);
    for arguments in ["empty", "other", "pipes", "empty full", "--quiet empty"] {
        let run = sh(path, &format!("kiln check {arguments}"));
        assert_eq!(run.status, 2, "{arguments}");
        assert!(
            run.err.contains("nothing to check: no file *.kiln in this folder"),
            "{arguments}: {}",
            run.err
        );
    }
    let json = sh(path, "kiln check --json empty");
    assert!(json.out.contains(r#""failed":"empty: nothing to check"#), "{}", json.out);
}

#[test]
fn a_device_that_is_named_is_read_as_a_stream_as_far_as_it_has_to_be() {
    let folder = inputs();
    for command in ["check", "inspect", "diagnose"] {
        let run = sh(folder.path(), &format!("kiln {command} /dev/zero"));
        assert_eq!(run.status, 1, "{command}: {}", run.err);
        assert!((run.out + &run.err).contains("FRAME at byte 0 (0x0), step 1"), "{command}");
    }
    for command in [
        "check --type 'list{u8}' /dev/zero",
        "decode --type 'list{u8}' /dev/zero",
        "encode --type str /dev/zero",
        "encode --type 'list{u8}' --lines -o x /dev/zero",
        "convert --from safetensors /dev/zero x.kiln",
        "scan /dev/zero",
    ] {
        let run = sh(folder.path(), &format!("kiln {command} --max-owned 1000"));
        let status = if command.contains("lines") { 1 } else { 2 };
        assert_eq!(run.status, status, "{command}: {}", run.err);
        assert!(run.err.contains("--max-owned N allows more"), "{command}: {}", run.err);
    }
    let run = sh(folder.path(), "mkfifo p; cat a.kiln >p & kiln check p");
    assert_eq!((run.status, run.out.as_str()), (0, "p: ok, 1 tensor, 259 B\n"));
}

#[test]
fn what_is_extracted_follows_no_link_and_replaces_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let log = [b"line\n", &block()[..], b"line\n"].concat();
    fs::write(path.join("log"), &log).unwrap();
    fs::create_dir(path.join("out")).unwrap();
    fs::write(path.join("outside"), b"mine").unwrap();
    let target = path.join("out/0000000000000005.kiln");
    for link in ["../outside", "../not-there", "/dev/null"] {
        symlink(link, &target).unwrap();
        let run = sh(path, "kiln scan log --extract out");
        assert_eq!(run.status, 2, "{link}: {}", run.err);
        assert!(run.err.contains("there is something else already"), "{link}: {}", run.err);
        assert_eq!(fs::read_link(&target).unwrap(), Path::new(link));
        fs::remove_file(&target).unwrap();
    }
    assert_eq!(fs::read(path.join("outside")).unwrap(), b"mine");
    assert!(!path.join("not-there").exists());
    fs::write(&target, b"mine").unwrap();
    assert_eq!(sh(path, "kiln scan log --extract out").status, 2);
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    fs::remove_file(&target).unwrap();
    // Twice is as good as once.
    for _ in 0..2 {
        let run = sh(path, "umask 027; kiln scan log --extract out && ls -A out && stat -c %a out/*");
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        assert!(run.out.ends_with("\n0000000000000005.kiln\n640\n"), "{}", run.out);
    }
    // The file that is read is none that may be written, wherever it lies.
    fs::write(path.join("out/0000000000000000.kiln"), [&block()[..], b"more"].concat()).unwrap();
    let run = sh(path, "kiln scan out/0000000000000000.kiln --extract out");
    assert_eq!(run.status, 2);
    assert!(fs::read(path.join("out/0000000000000000.kiln")).unwrap().ends_with(b"more"));
}

#[test]
fn of_two_outputs_none_appears_before_both_are_complete() {
    let folder = inputs();
    let path = folder.path();
    fs::create_dir(path.join("folder")).unwrap();
    let before = contents(path);
    for line in [
        // The metadata cannot be written, for one reason or another.
        "kiln convert a.safetensors a.kiln --metadata folder",
        "kiln convert a.safetensors new.kiln --metadata no-folder/m.json",
        "kiln convert a.safetensors new.kiln --metadata /dev/full",
        "kiln convert a.safetensors a.kiln --metadata a.kiln/m.json",
        // The file cannot.
        "kiln convert a.safetensors folder --to kiln --metadata m.json",
        "kiln convert a.safetensors no-folder/a.kiln --metadata m.json",
        "kiln convert a.safetensors /dev/full --to kiln --metadata m.json",
        "trap '' XFSZ; ulimit -f 0; kiln convert a.safetensors a.kiln --metadata m.json",
    ] {
        let run = sh(path, line);
        assert_eq!((run.status, run.err.lines().count()), (2, 1), "{line}: {}", run.err);
        assert!(contents(path) == before, "{line}");
    }
}

#[test]
fn a_metadata_file_is_not_emptied_by_a_file_without_metadata() {
    let folder = inputs();
    let path = folder.path();
    let run = sh(path, "kiln convert plain.safetensors new.kiln --metadata m.json");
    assert_eq!(run.status, 0);
    assert_eq!(run.err, "kiln: plain.safetensors: no metadata; m.json is left as it is\n");
    assert_eq!(fs::read(path.join("m.json")).unwrap(), br#"{"k":"v"}"#);
    symlink("m.json", path.join("link.json")).unwrap();
    let run = sh(path, "kiln convert plain.safetensors new.kiln --metadata link.json");
    assert_eq!((run.status, run.err.lines().count()), (0, 1), "{}", run.err);
    assert_eq!(fs::read(path.join("m.json")).unwrap(), br#"{"k":"v"}"#);
    // What was not there is made, so that the way back is the same command.
    let run = sh(path, "kiln convert plain.safetensors new.kiln --metadata new.json");
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(fs::read(path.join("new.json")).unwrap(), b"{}\n");
    assert_eq!(sh(path, "kiln convert new.kiln new.safetensors --metadata new.json").status, 0);
}
