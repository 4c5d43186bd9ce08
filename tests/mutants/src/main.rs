//! Runs the mutants that cargo-mutants lists, a few thousand in an hour.
//!
//! cargo-mutants builds the crate again for each mutant. Here all of them are built in at once, each behind its number
//! ([`plan`]); then each test is run alone to see which mutants it comes by; then each mutant is run with the tests
//! that come by it, the quick ones first, until one fails. What cannot be built in so (what the compiler evaluates,
//! types that do not fit in a branch) is listed, and left to cargo-mutants.

mod plan;
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use serde::Deserialize;

use crate::tests::Test;

/// Runs the mutants of `cargo mutants --list --json`, all built into one set of test programs.
#[derive(Parser)]
struct Args {
    /// What `cargo mutants --list --json` printed
    list: PathBuf,
    /// The checkout
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// The folder to work in
    #[arg(long, default_value = "target/mutants")]
    work: PathBuf,
    /// Only mutants whose names hold this
    #[arg(long)]
    only: Option<String>,
    /// Only mutants that were missed according to this file of outcomes
    #[arg(long)]
    missed_in: Option<PathBuf>,
    /// Test programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

#[derive(Deserialize)]
struct Mutant {
    name: String,
    file: String,
    genre: String,
    replacement: String,
    span: MutantSpan,
    function: Option<MutantFunction>,
}

#[derive(Deserialize)]
struct MutantFunction {
    return_type: String,
}

#[derive(Deserialize)]
struct MutantSpan {
    start: Place,
}

#[derive(Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

impl Mutant {
    /// Whether it stands for the value of a function whose type is `impl Trait`.
    fn gives_some_type(&self) -> bool {
        self.genre == "FnValue"
            && self.function.as_ref().is_some_and(|function| function.return_type.contains("impl "))
    }

    /// Its name without the place, which changes with every line above: `FILE: WHAT in FUNCTION`.
    fn what(&self) -> &str {
        self.name.splitn(4, ':').nth(3).unwrap_or(&self.name).trim()
    }
}

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Caught,
    Timeout,
    Equivalent,
    Missed,
    Unreached,
    Unviable,
    Left,
}

impl Outcome {
    const ALL: [Self; 7] = [
        Self::Caught,
        Self::Timeout,
        Self::Equivalent,
        Self::Missed,
        Self::Unreached,
        Self::Unviable,
        Self::Left,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Timeout => "timeout",
            Self::Equivalent => "equivalent",
            Self::Missed => "missed",
            Self::Unreached => "unreached",
            Self::Unviable => "unviable",
            Self::Left => "left",
        }
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let list = fs::read_to_string(&args.list).with_context(|| args.list.display().to_string())?;
    let mutants: Vec<Mutant> = serde_json::from_str(&list)?;
    let root = args.root.canonicalize()?;
    fs::create_dir_all(&args.work)?;
    let work = args.work.canonicalize()?;

    let missed = args.missed_in.as_deref().map(missed_in).transpose()?;
    let wanted: BTreeSet<usize> = (0..mutants.len())
        .filter(|&id| {
            let name = &mutants[id].name;
            args.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
                && missed.as_ref().is_none_or(|missed| missed.contains(name))
        })
        .collect();
    ensure!(!wanted.is_empty(), "no such mutants");

    let built = build(&root, &work, &mutants, &wanted)?;
    println!("{} of {} mutants built in", built.taken.len(), wanted.len());
    let programs = tests::programs(&work)?;
    let (all, mut reached) = tests::record(&programs, &work, mutants.len(), args.jobs)?;
    println!(
        "{} tests, {:.0} s one after the other",
        all.len(),
        all.iter().map(|test| test.seconds).sum::<f64>()
    );

    let equivalent = Equivalent::read(&root)?;
    let outcomes: Mutex<BTreeMap<usize, (Outcome, String)>> = Mutex::default();
    for &id in wanted.difference(&built.taken) {
        let outcome = if built.unviable.contains(&id) { Outcome::Unviable } else { Outcome::Left };
        outcomes.lock().expect("no panic").insert(id, (outcome, String::new()));
    }
    let order: Vec<usize> = built.taken.iter().copied().collect();
    let next = AtomicUsize::new(0);
    let work_off = |reached: &[Vec<usize>]| -> Result<()> {
        while let Some(&id) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let tests: Vec<&Test> = reached[id].iter().map(|&test| &all[test]).collect();
            let mut outcome = tests::run(&tests, id + 1)?;
            if matches!(outcome.0, Outcome::Missed | Outcome::Unreached)
                && equivalent.has(&root, &mutants[id])?
            {
                outcome = (Outcome::Equivalent, String::new());
            }
            if matches!(outcome.0, Outcome::Missed | Outcome::Unreached) {
                println!("{} {}", outcome.0.word(), mutants[id].name);
            }
            outcomes.lock().expect("no panic").insert(id, outcome);
        }
        Ok(())
    };
    for tests in &mut reached {
        tests.sort_by(|&a, &b| all[a].seconds.total_cmp(&all[b].seconds));
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..args.jobs).map(|_| scope.spawn(|| work_off(&reached))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    let outcomes = outcomes.into_inner().expect("no panic");
    report(&work, &mutants, &outcomes)
}

/// The names of the mutants that a file of outcomes has as missed or as reached by no test.
fn missed_in(path: &Path) -> Result<BTreeSet<String>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text
        .lines()
        .filter_map(|line| line.strip_prefix("missed\t").or(line.strip_prefix("unreached\t")))
        .filter_map(|rest| rest.split('\t').next())
        .map(String::from)
        .collect())
}

/// Writes the outcome of each to `outcomes.tsv`, and prints how many there are of each kind in each folder.
fn report(work: &Path, mutants: &[Mutant], outcomes: &BTreeMap<usize, (Outcome, String)>) -> Result<()> {
    let mut text = String::new();
    let mut counts: BTreeMap<String, BTreeMap<Outcome, usize>> = BTreeMap::new();
    for (&id, (outcome, by)) in outcomes {
        let mutant = &mutants[id];
        text.push_str(&format!("{}\t{}\t{by}\n", outcome.word(), mutant.name));
        let mut parts = mutant.file.split('/');
        let folder = match (parts.next(), parts.next(), parts.next()) {
            (Some(src), Some(folder), Some(_)) => format!("{src}/{folder}"),
            _ => mutant.file.clone(),
        };
        *counts.entry(folder).or_default().entry(*outcome).or_default() += 1;
    }
    fs::write(work.join("outcomes.tsv"), text)?;
    println!("| where | {} |", Outcome::ALL.map(Outcome::word).join(" | "));
    println!("|---|{}", "--:|".repeat(Outcome::ALL.len()));
    for (folder, count) in counts {
        let cells = Outcome::ALL.map(|outcome| count.get(&outcome).copied().unwrap_or(0).to_string());
        println!("| `{folder}` | {} |", cells.join(" | "));
    }
    Ok(())
}

/// The mutants that change nothing that can be seen, from `tests/mutants/equivalent.tsv`: the file, what is replaced,
/// the line of source that it stands in, and why.
struct Equivalent(BTreeSet<(String, String, String)>);

impl Equivalent {
    fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join("tests/mutants/equivalent.tsv"))?;
        let mut rows = BTreeSet::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let [file, what, source, why] = line.split('\t').collect::<Vec<_>>()[..] else {
                bail!("equivalent.tsv: not four columns: {line}");
            };
            ensure!(!why.is_empty(), "equivalent.tsv: no reason: {line}");
            rows.insert((file.to_string(), what.to_string(), source.to_string()));
        }
        Ok(Self(rows))
    }

    fn has(&self, root: &Path, mutant: &Mutant) -> Result<bool> {
        let text = fs::read_to_string(root.join(&mutant.file))?;
        let line = text.lines().nth(mutant.span.start.line - 1).unwrap_or("").trim();
        Ok(self.0.contains(&(mutant.file.clone(), mutant.what().to_string(), line.to_string())))
    }
}

/// What the compiler says of the mutants.
struct Built {
    taken: BTreeSet<usize>,
    /// Those that do not compile.
    unviable: BTreeSet<usize>,
}

/// Builds the tree with the mutants in it.
fn build(root: &Path, work: &Path, mutants: &[Mutant], wanted: &BTreeSet<usize>) -> Result<Built> {
    let tree = work.join("tree");
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?;
    ensure!(listed.status.success(), "git ls-files failed");
    let switch = include_str!("switch.rs").replace("COUNT", &(mutants.len() + 1).to_string());
    let (mut taken, mut unviable) = (wanted.clone(), BTreeSet::new());
    loop {
        let mut claims = BTreeMap::new();
        for name in String::from_utf8(listed.stdout.clone())?.split_terminator('\0') {
            let Ok(mut bytes) = fs::read(root.join(name)) else { continue };
            let here: Vec<usize> = taken.iter().copied().filter(|&id| mutants[id].file == name).collect();
            if !here.is_empty() {
                let written = plan::write(std::str::from_utf8(&bytes)?, mutants, &here)
                    .with_context(|| name.to_string())?;
                for id in &written.constant {
                    taken.remove(id);
                }
                bytes = written.text.into_bytes();
                claims.insert(name.to_string(), written.claims);
            }
            if name == "src/lib.rs" {
                bytes.extend_from_slice(switch.as_bytes());
            }
            let path = tree.join(name);
            if fs::read(&path).ok().as_ref() != Some(&bytes) {
                fs::create_dir_all(path.parent().expect("a folder"))?;
                fs::write(&path, &bytes)?;
            }
        }
        let refused = tests::check(work, &claims)?;
        if refused.is_empty() {
            break;
        }
        println!("{} mutants do not compile", refused.len());
        for (id, alone) in refused {
            ensure!(taken.remove(&id), "an error of the compiler that is no mutant's");
            if alone {
                unviable.insert(id);
            }
        }
    }
    let names = wanted.iter().filter(|id| !taken.contains(id) && !unviable.contains(id));
    let names: String = names.map(|&id| format!("{}\n", mutants[id].name)).collect();
    fs::write(work.join("left.txt"), names)?;
    tests::compile(work)?;
    Ok(Built { taken, unviable })
}

/// A command in the tree, within the folder to work in.
fn in_tree(program: &str, work: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(work.join("tree"))
        .env("CARGO_TARGET_DIR", work.join("target"))
        .env("RUSTFLAGS", "--cap-lints=allow")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1") // thousands of runs are worth it
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0") // nothing is left as it was from one run to the next
        .stdin(Stdio::null());
    command
}
