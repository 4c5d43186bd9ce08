//! Instructions, as Markdown, counted by callgrind: of a tensor in a directory, and of a record in a data set.
//!
//! `cargo run --release --bin instruction-table [-- FILTER]`
//!
//! Times are noisy where others work on the same machine; counts are not, though they know nothing of caches. Needs
//! valgrind, which hides AVX-512 from the program, so that the best level is AVX2. The filter is a part of the first
//! column.

use kiln_benches::directories::{self, Order};
use kiln_benches::records::{self, samples};
use kiln_benches::turns::Contender;
use std::io::{Error, Result};
use std::process::Command;

/// The peers of records: the two that are ahead of all others, and for access in place the one that validates.
const PEERS: [&str; 3] = ["wincode, u32 lengths", "bitcode", "rkyv, validated"];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("--work") => {
            work(&arguments.next().unwrap_or_default());
            Ok(())
        }
        filter => count(filter.unwrap_or_default()),
    }
}

/// What is counted: callgrind is told to count inside of this function alone.
#[inline(never)]
fn counted(contender: &mut Contender<'_>) {
    (contender.work)();
    // What follows the call keeps this function on the stack until the call is done.
    std::hint::black_box(&contender.items);
}

/// Does the work under callgrind, and prints what it is.
fn work(filter: &str) {
    let works = [directories::Work::Accept, directories::Work::Judge, directories::Work::Build];
    for count in [300, 10_000] {
        let mut made = None;
        for work in works {
            let what = format!("directory of {count} tensors, {}", work.name());
            if what.contains(filter) {
                let sample = made.get_or_insert_with(|| directories::Sample::new(count, Order::File));
                run(&what, 1, sample.contenders(work));
            }
        }
    }
    let works = [
        records::Work::Reuse,
        records::Work::Owned,
        records::Work::Open,
        records::Work::Read,
        records::Work::Validate,
    ];
    let what = |set: &str, work: records::Work| format!("{set}, {}", work.name());
    for sample in samples(|set| works.iter().any(|&work| what(set, work).contains(filter))) {
        for work in works {
            let what = what(sample.name(), work);
            if what.contains(filter) {
                let mut contenders = sample.contenders(work);
                contenders.retain(|one| one.name.starts_with("kiln") || PEERS.contains(&one.name));
                run(&what, sample.records(), contenders);
            }
        }
    }
}

fn run(what: &str, items: usize, contenders: Vec<Contender<'_>>) {
    for mut contender in contenders {
        // The first calls find out what the processor can do and fill what is kept.
        (contender.work)();
        (contender.work)();
        counted(&mut contender);
        println!("{what}|{}|{}", contender.name, items * contender.items);
    }
}

/// Runs this program under callgrind, which leaves a file after each call that is counted.
fn count(filter: &str) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("kiln-instruction-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = counts(filter, &folder);
    std::fs::remove_dir_all(&folder)?;
    let counts = result?;

    println!("| what | by | instructions |");
    println!("|---|---|--:|");
    for (what, by, count) in counts {
        println!("| {what} | {by} | {count:.1} |");
    }
    Ok(())
}

fn counts(filter: &str, folder: &std::path::Path) -> Result<Vec<(String, String, f64)>> {
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--toggle-collect=*instruction_table::counted*",
            "--dump-after=instruction_table::counted",
        ])
        .arg(format!("--callgrind-out-file={}/out", folder.display()))
        .arg(std::env::current_exe()?)
        .args(["--work", filter])
        .output()?;
    if !output.status.success() {
        return Err(Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let one = |(index, line): (usize, &str)| {
        let profile = std::fs::read_to_string(folder.join(format!("out.{}", index + 1)))?;
        let total =
            profile.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse::<f64>().ok());
        let total = total.ok_or_else(|| Error::other("callgrind left no total"))?;
        let mut parts = line.split('|');
        let mut part = || parts.next().unwrap_or_default().to_owned();
        let (what, by, items) = (part(), part(), part());
        let items: f64 = items.parse().map_err(Error::other)?;
        Ok((what, by, total / items))
    };
    lines.lines().enumerate().map(one).collect()
}
