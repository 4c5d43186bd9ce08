//! The program where things go wrong around it: killed half-way, a disk that takes no more, folders full of damage.
#![cfg(unix)]

#[path = "hostile/matrix.rs"]
mod matrix;

use kiln::tensor::{Builder, Directory, Dtype};
use std::collections::BTreeSet;
use std::fs;
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
    // No file may grow beyond so many blocks: the write that would is refused, as on a full disk.
    let run = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" convert \"$1\" \"$2\""])
        .args([env!("CARGO_BIN_EXE_kiln"), text(&source), text(&target)])
        .output()
        .expect("a shell");
    let message = String::from_utf8(run.stderr).expect("messages are text");
    assert_eq!(run.status.code(), Some(2), "{message}");
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
