//! Mutants that no branch can stand for: the source is changed, and what tests it is built anew.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::tests::{self, EXAMPLES};
use crate::{Equivalent, Mutant, NO_LIMIT, Outcome, Place, Work};

/// So many of the suites are asked before the rest, which takes minutes for each mutant.
const FIRST: usize = 12;

/// The seconds that a build may take: what the compiler evaluates may have no end.
const BUILD: u32 = 300;

/// Tests that are built together.
struct Suite {
    /// What cargo calls them, as `--test=NAME`.
    target: String,
    seconds: f64,
    /// How many mutants of which file they have caught.
    caught: HashMap<String, usize>,
}

impl Suite {
    /// How likely it is to catch a mutant of that file: it has caught others there, it is named after a folder on the
    /// way, or it has caught many elsewhere.
    fn promise(&self, file: &str) -> (usize, bool, usize) {
        let here = self.caught.get(file).copied().unwrap_or(0);
        let named = file.trim_end_matches(".rs").split('/').skip(1).any(|word| self.target.contains(word));
        (here, named, self.caught.values().sum())
    }
}

/// What becomes of each of those mutants, and by which suite.
pub fn run(
    root: &Path,
    work: &Work,
    mutants: &[Mutant],
    singly: &[usize],
    equivalent: &Equivalent,
) -> Result<Vec<(usize, (Outcome, String))>> {
    let tree = work.tree();
    for name in crate::files(root)? {
        crate::put(&tree.join(&name), &fs::read(root.join(&name))?)?;
    }
    let mut suites = suites(work)?;
    let mut outcomes = Vec::new();
    let (mut asked, mut passed) = (singly.to_vec(), HashMap::new());
    // All are asked of the suites that have caught most, then those that pass of the others.
    for most in [FIRST, suites.len()] {
        let mut missed = Vec::new();
        for id in asked {
            let mutant = &mutants[id];
            let path = tree.join(&mutant.file);
            let source = fs::read_to_string(&path)?;
            fs::write(&path, changed(&source, mutant)?)?;
            let passed: &mut Vec<String> = passed.entry(id).or_default();
            let outcome = outcome(work, mutant, &mut suites, most, passed)?;
            fs::write(&path, &source)?;
            let outcome = match outcome {
                None if equivalent.has(root, mutant)? => Some((Outcome::Equivalent, String::new())),
                other => other,
            };
            let word = outcome.as_ref().map_or("passes so far", |(outcome, _)| outcome.word());
            println!("{word} {}", mutant.name);
            match outcome {
                None => missed.push(id),
                Some(outcome) => outcomes.push((id, outcome)),
            }
        }
        asked = missed;
    }
    outcomes.extend(asked.into_iter().map(|id| (id, (Outcome::Missed, String::new()))));
    Ok(outcomes)
}

/// What the first suites say, without those that it has passed already; nothing when it passes them.
fn outcome(
    work: &Work,
    mutant: &Mutant,
    suites: &mut [Suite],
    most: usize,
    passed: &mut Vec<String>,
) -> Result<Option<(Outcome, String)>> {
    suites.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    suites.sort_by_key(|suite| Reverse(suite.promise(&mutant.file)));
    let checked = work.cargo(BUILD).args(CHECK).stderr(Stdio::null()).status()?;
    if !checked.success() {
        let late = tests::failed(checked) == Outcome::Timeout;
        return Ok(Some((if late { Outcome::Timeout } else { Outcome::Unviable }, String::new())));
    }
    for suite in suites.iter_mut().take(most) {
        if passed.contains(&suite.target) {
            continue;
        }
        let outcome = ask(work, &suite.target, 10.0 + 10.0 * suite.seconds)?;
        if outcome != Outcome::Missed {
            *suite.caught.entry(mutant.file.clone()).or_default() += 1;
            return Ok(Some((outcome, suite.target.clone())));
        }
        passed.push(suite.target.clone());
    }
    Ok(None)
}

const CHECK: [&str; 5] = ["check", "--quiet", "--package=kiln", "--lib", "--all-features"];

/// Builds that suite and runs it for so many seconds at most. A suite that does not build has caught the mutant: its
/// code asks of the library what no longer holds.
fn ask(work: &Work, target: &str, seconds: f64) -> Result<Outcome> {
    if target == EXAMPLES {
        let status = tests::examples(work, BUILD).stderr(Stdio::null()).status()?;
        return Ok(if status.success() { Outcome::Missed } else { tests::failed(status) });
    }
    let (built, programs) = tests::build(work, target, BUILD)?;
    if !built.success() {
        return Ok(tests::failed(built));
    }
    for program in programs {
        let status = tests::test(&program.path, &program.folder, std::iter::empty(), seconds).status()?;
        if !status.success() {
            return Ok(tests::failed(status));
        }
    }
    Ok(Outcome::Missed)
}

/// The suites that pass without a mutant, with how long they take.
fn suites(work: &Work) -> Result<Vec<Suite>> {
    let (built, programs) = tests::build(work, "--all-targets", NO_LIMIT)?;
    ensure!(built.success(), "the tests do not build");
    let mut targets: Vec<String> = programs.into_iter().map(|program| program.target).collect();
    targets.sort();
    targets.dedup();
    targets.push(EXAMPLES.into());
    let mut suites = Vec::new();
    for target in targets {
        let began = Instant::now();
        if ask(work, &target, 600.0)? == Outcome::Missed {
            let seconds = began.elapsed().as_secs_f64();
            suites.push(Suite { target, seconds, caught: HashMap::new() });
        } else {
            println!("left out, for it fails without a mutant: {target}");
        }
    }
    Ok(suites)
}

/// The source with that mutant in it.
fn changed(source: &str, mutant: &Mutant) -> Result<String> {
    let at = |place: &Place| -> Result<usize> {
        let line: usize = source.split_inclusive('\n').take(place.line - 1).map(str::len).sum();
        let chars = source[line..].char_indices().map(|(at, _)| line + at).chain([source.len()]);
        chars.into_iter().nth(place.column - 1).with_context(|| format!("no such place: {}", mutant.name))
    };
    let (start, end) = (at(&mutant.span.start)?, at(&mutant.span.end)?);
    ensure!(start <= end, "no such place: {}", mutant.name);
    Ok(format!("{}{}{}", &source[..start], mutant.replacement, &source[end..]))
}
