//! Running the program.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// How it ended and what it printed.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            status: output.status.code().expect("the program exits by itself"),
            out: String::from_utf8(output.stdout).expect("output is text"),
            err: String::from_utf8(output.stderr).expect("messages are text"),
        }
    }
}

/// Runs it in a folder.
#[allow(dead_code, reason = "not every test program runs it so")]
pub(crate) fn kiln<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Run {
    Command::new(env!("CARGO_BIN_EXE_kiln"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the program starts")
        .into()
}

/// The same with something on its standard input.
#[allow(dead_code, reason = "not every test program runs it so")]
pub(crate) fn fed(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kiln"))
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A program that rejects early reads no further.
    let feeder = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder ends");
    output
}
