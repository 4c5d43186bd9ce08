//! What deriving costs, as Markdown: the code of a decode, in bytes, and the processor time of compiling the structs.
//!
//! `cargo run --release --bin derive-table [-- code|time]`
//!
//! It builds the package in `derive/` again and again, into a folder of its own, with one format at a time. Of code,
//! the machine code of a program that decodes a data set and drops it is compared with that of the same program
//! without the decoding. Of time, the least of several runs counts, in user seconds, which a busy machine changes
//! less than it changes the time on the clock.

use std::path::Path;
use std::process::Command;

const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/derive");
const FORMATS: [&str; 4] = ["kiln", "bincode", "rkyv", "wincode"];
const SETS: [&str; 4] = ["log", "mesh", "minecraft", "mk48"];
const ROUNDS: usize = 7;

fn main() -> std::io::Result<()> {
    let wanted = std::env::args().nth(1);
    let is = |name| wanted.as_deref().is_none_or(|wanted| wanted == name);
    if is("code") {
        code()?;
        println!();
    }
    if is("time") {
        time()?;
    }
    Ok(())
}

fn code() -> std::io::Result<()> {
    println!("| data set | {} |", FORMATS.join(" | "));
    println!("|---|{}", "--:|".repeat(FORMATS.len()));
    for set in SETS {
        let without = text(&[set])?;
        print!("| {set} |");
        for format in FORMATS {
            print!(" {} |", text(&[set, format])?.saturating_sub(without));
        }
        println!();
    }
    Ok(())
}

/// The bytes of machine code in the program with those features.
fn text(features: &[&str]) -> std::io::Result<u64> {
    cargo(&["build", "--release"], features)?;
    let program = target().join("release/derive");
    let output = Command::new("size").args(["-A", "-d"]).arg(program).output()?;
    let sections = String::from_utf8_lossy(&output.stdout);
    let text = sections.lines().find_map(|line| line.strip_prefix(".text")?.split_whitespace().next());
    text.and_then(|bytes| bytes.parse().ok()).ok_or_else(|| std::io::Error::other("size printed no .text"))
}

fn time() -> std::io::Result<()> {
    println!("| user seconds | no format | kiln | serde | rkyv | wincode |");
    println!("|---|--:|--:|--:|--:|--:|");
    type Row = (&'static str, &'static [&'static str], [&'static [&'static str]; 5]);
    let rows: [Row; 2] = [
        (
            "`cargo check` of the structs",
            &["check", "--lib"],
            [&[], &["kiln"], &["serde"], &["rkyv"], &["wincode"]],
        ),
        (
            "`cargo build --release` of a program that decodes all four data sets (serde: with bincode 1)",
            &["build", "--release"],
            [&[], &["kiln"], &["bincode"], &["rkyv"], &["wincode"]],
        ),
    ];
    for (name, command, columns) in rows {
        let rounds = if command[0] == "check" { ROUNDS } else { 3 };
        print!("| {name} |");
        for features in columns {
            // The dependencies first.
            cargo(command, features)?;
            let mut least = f64::INFINITY;
            for _ in 0..rounds {
                for source in ["src/lib.rs", "src/main.rs"] {
                    let file = std::fs::File::options().append(true).open(Path::new(PACKAGE).join(source))?;
                    file.set_modified(std::time::SystemTime::now())?;
                }
                least = least.min(cargo(command, features)?);
            }
            print!(" {least:.2} |");
        }
        println!();
    }
    Ok(())
}

fn target() -> std::path::PathBuf {
    std::env::temp_dir().join("kiln-derive-table")
}

/// Runs cargo on the package and says how many seconds the processor spent for it outside the system.
fn cargo(command: &[&str], features: &[&str]) -> std::io::Result<f64> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new("bash")
        .args(["-c", "TIMEFORMAT=%U; time \"$@\" --quiet 2>&1", "derive-table", &cargo])
        .args(command)
        .args(["--features", &features.join(",")])
        .current_dir(PACKAGE)
        .env("CARGO_TARGET_DIR", target())
        .output()?;
    let messages = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(std::io::Error::other(messages.into_owned()));
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let seconds = errors.lines().last().and_then(|line| line.trim().parse().ok());
    seconds.ok_or_else(|| std::io::Error::other(format!("bash printed no time: {errors}")))
}
