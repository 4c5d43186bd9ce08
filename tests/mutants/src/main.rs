//! Runs the mutants that cargo-mutants lists, a few thousand in an hour.
//!
//! cargo-mutants builds the crate again for each mutant. Here all of them are built in at once, each behind its number
//! ([`plan`]); then each test is run alone to see which mutants it comes by; then each mutant is run with the tests
//! that come by it, the quick ones first, until one fails. What cannot be built in so (what the compiler evaluates,
//! types that do not fit in a branch) is built one by one ([`singly`]).

mod plan;
mod singly;
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
    /// Only mutants that cannot be built in beside others
    #[arg(long)]
    singly: bool,
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
    end: Place,
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
}

impl Outcome {
    const ALL: [Self; 6] =
        [Self::Caught, Self::Timeout, Self::Equivalent, Self::Missed, Self::Unreached, Self::Unviable];

    fn word(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Timeout => "timeout",
            Self::Equivalent => "equivalent",
            Self::Missed => "missed",
            Self::Unreached => "unreached",
            Self::Unviable => "unviable",
        }
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let list = fs::read_to_string(&args.list).with_context(|| args.list.display().to_string())?;
    let mutants: Vec<Mutant> = serde_json::from_str(&list)?;
    let root = args.root.canonicalize()?;
    fs::create_dir_all(&args.work)?;
    let work = Work { folder: args.work.canonicalize()?, again: false };

    let missed = args.missed_in.as_deref().map(missed_in).transpose()?;
    let wanted: BTreeSet<usize> = (0..mutants.len())
        .filter(|&id| {
            let name = &mutants[id].name;
            args.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
                && missed.as_ref().is_none_or(|missed| missed.contains(name))
        })
        .collect();
    ensure!(!wanted.is_empty(), "no such mutants");

    let planned = plan(&root, &work, &mutants, &wanted)?;
    let equivalent = Equivalent::read(&root)?;
    let mut outcomes = BTreeMap::new();
    if !args.singly {
        println!("{} of {} mutants built in", planned.taken.len(), wanted.len());
        let unviable = planned.unviable.iter().map(|&id| (id, (Outcome::Unviable, String::new())));
        outcomes.extend(unviable);
        outcomes.extend(together(&root, &work, &mutants, &planned.taken, &equivalent, args.jobs)?);
    }
    println!("{} mutants built one by one", planned.singly.len());
    let work_singly = Work { folder: work.folder.join("singly"), again: true };
    outcomes.extend(singly::run(&root, &work_singly, &mutants, &planned.singly, &equivalent)?);
    report(&work.folder, &mutants, &outcomes)
}

/// What becomes of those mutants, all built in at once, and by which program.
fn together(
    root: &Path,
    work: &Work,
    mutants: &[Mutant],
    taken: &BTreeSet<usize>,
    equivalent: &Equivalent,
    jobs: usize,
) -> Result<BTreeMap<usize, (Outcome, String)>> {
    let programs = tests::programs(work)?;
    let (all, mut reached) = tests::record(&programs, work, mutants.len(), jobs)?;
    println!(
        "{} tests, {:.0} s one after the other",
        all.len(),
        all.iter().map(|test| test.seconds).sum::<f64>()
    );
    for tests in &mut reached {
        tests.sort_by(|&a, &b| all[a].seconds.total_cmp(&all[b].seconds));
    }
    let outcomes: Mutex<BTreeMap<usize, (Outcome, String)>> = Mutex::default();
    let order: Vec<usize> = taken.iter().copied().collect();
    let next = AtomicUsize::new(0);
    let work_off = || -> Result<()> {
        while let Some(&id) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let tests: Vec<&Test> = reached[id].iter().map(|&test| &all[test]).collect();
            let mut outcome = tests::run(&tests, id + 1)?;
            if matches!(outcome.0, Outcome::Missed | Outcome::Unreached)
                && equivalent.has(root, &mutants[id])?
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
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work_off)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    Ok(outcomes.into_inner().expect("no panic"))
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
struct Planned {
    /// Those that are in the tree.
    taken: BTreeSet<usize>,
    /// Those that do not compile.
    unviable: BTreeSet<usize>,
    /// Those that cannot be in it beside others.
    singly: Vec<usize>,
}

/// Writes the tree with the mutants in it.
fn plan(root: &Path, work: &Work, mutants: &[Mutant], wanted: &BTreeSet<usize>) -> Result<Planned> {
    let tree = work.tree();
    let files = files(root)?;
    let switch = include_str!("switch.rs").replace("COUNT", &(mutants.len() + 1).to_string());
    let (mut taken, mut unviable) = (wanted.clone(), BTreeSet::new());
    loop {
        let mut claims = BTreeMap::new();
        for name in &files {
            let mut bytes = fs::read(root.join(name))?;
            let here: Vec<usize> = taken.iter().copied().filter(|&id| mutants[id].file == *name).collect();
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
            put(&tree.join(name), &bytes)?;
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
    let singly: Vec<usize> =
        wanted.iter().filter(|id| !taken.contains(id) && !unviable.contains(id)).copied().collect();
    let names: String = singly.iter().map(|&id| format!("{}\n", mutants[id].name)).collect();
    fs::write(work.folder.join("singly.txt"), names)?;
    Ok(Planned { taken, unviable, singly })
}

/// The names of the files of the checkout.
fn files(root: &Path) -> Result<Vec<String>> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?;
    ensure!(listed.status.success(), "git ls-files failed");
    let names = String::from_utf8(listed.stdout)?;
    Ok(names.split_terminator('\0').filter(|name| root.join(name).is_file()).map(String::from).collect())
}

/// Writes a file, unless it is there as it is: cargo takes what is written for changed.
fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).ok().as_deref() != Some(bytes) {
        fs::create_dir_all(path.parent().context("no folder")?)?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// No limit of seconds: `timeout` waits for ever.
const NO_LIMIT: u32 = 0;

/// A folder with a copy of the checkout and what is built of it.
struct Work {
    folder: PathBuf,
    /// Whether it is built again and again, and each time run but once.
    again: bool,
}

impl Work {
    fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// Cargo, in the tree, killed with all that it runs after so many seconds.
    fn cargo(&self, seconds: u32) -> Command {
        let mut command = Command::new("timeout");
        command
            .args(["--signal=KILL", &seconds.to_string(), "cargo"])
            .current_dir(self.tree())
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("RUSTFLAGS", "--cap-lints=allow")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", if self.again { "0" } else { "1" })
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("CARGO_INCREMENTAL", if self.again { "1" } else { "0" })
            .stdin(Stdio::null());
        command
    }
}
