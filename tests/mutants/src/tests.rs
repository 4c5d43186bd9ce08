//! The compiler's answers and the tests.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::plan::Claim;
use crate::{NO_LIMIT, Outcome, Work};

/// One test, and how long it takes.
pub struct Test {
    pub program: PathBuf,
    pub folder: PathBuf,
    pub name: String,
    pub seconds: f64,
}

/// A test program, the folder that its tests begin in, and their names.
pub struct Program {
    pub path: PathBuf,
    pub folder: PathBuf,
    /// What cargo calls it, as `--test=NAME`.
    pub target: String,
    tests: Vec<String>,
}

/// The name of all examples of the documentation together: their program cannot run one alone.
pub const EXAMPLES: &str = "";

/// The mutants that the compiler refuses in the tree as it is, and whether the fault is that one's alone.
pub fn check(work: &Work, claims: &BTreeMap<String, Vec<Claim>>) -> Result<BTreeMap<usize, bool>> {
    let mut refused = BTreeMap::new();
    let (mut others, mut why) = (Vec::new(), String::new());
    let output = work
        .cargo(NO_LIMIT)
        .args(["check", "--package", "kiln", "--lib", "--all-features", "--message-format=json"])
        .stderr(Stdio::inherit())
        .output()?;
    for message in messages(&output.stdout)? {
        if message["message"]["level"] != "error" {
            continue;
        }
        let spans = message["message"]["spans"].as_array().cloned().unwrap_or_default();
        let mut found = false;
        // The primary place says whose it is; where it lies in no mutant, another place of the message may.
        for primary in [true, false] {
            for span in spans.iter().filter(|span| span["is_primary"] == primary) {
                let from = span["byte_start"].as_u64().context("no place")? as usize;
                let to = span["byte_end"].as_u64().context("no place")? as usize;
                let Some(claims) = span["file_name"].as_str().and_then(|file| claims.get(file)) else {
                    continue;
                };
                let owner = claims
                    .iter()
                    .filter(|claim| claim.bytes.start <= from && to <= claim.bytes.end)
                    .min_by_key(|claim| claim.bytes.len());
                if let Some(claim) = owner {
                    let alone = claim.mutants.len() == 1;
                    for &id in &claim.mutants {
                        *refused.entry(id).or_insert(alone) |= alone;
                    }
                    found = true;
                    why.push_str(message["message"]["rendered"].as_str().unwrap_or(""));
                }
            }
            if found {
                break;
            }
        }
        if !found && !spans.is_empty() {
            others.push(message["message"]["rendered"].as_str().unwrap_or("an error").to_string());
        }
    }
    if !why.is_empty() {
        fs::write(work.folder.join("refused.txt"), why)?;
    }
    if refused.is_empty() && !output.status.success() {
        bail!("does not compile:\n{}", others.join("\n"));
    }
    Ok(refused)
}

fn messages(output: &[u8]) -> Result<Vec<Value>> {
    std::str::from_utf8(output)?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Builds the tests of that target of the library and the program, for so many seconds at most. Not those of the
/// derive: they are about another crate, and would build this one with other features.
pub fn build(work: &Work, target: &str, seconds: u32) -> Result<(ExitStatus, Vec<Program>)> {
    let output = work
        .cargo(seconds)
        .args(["test", "--package=kiln", "--package=kiln-tool", "--all-features", "--no-run"])
        .args(["--quiet", "--message-format=json", target])
        .stderr(Stdio::null())
        .output()?;
    let mut programs = Vec::new();
    if !output.status.success() {
        return Ok((output.status, programs)); // without what may be half a message
    }
    for message in messages(&output.stdout)? {
        let (Some(path), Some(manifest)) =
            (message["executable"].as_str(), message["manifest_path"].as_str())
        else {
            continue;
        };
        if message["profile"]["test"] == true {
            let folder = Path::new(manifest).parent().context("no folder")?;
            let list = Command::new(path).arg("--list").current_dir(folder).output()?;
            let list = String::from_utf8(list.stdout)?;
            let tests =
                list.lines().filter_map(|line| line.strip_suffix(": test")).map(String::from).collect();
            let (kind, name) = (&message["target"]["kind"][0], &message["target"]["name"]);
            let target = match (kind.as_str(), name.as_str()) {
                (Some(kind @ ("test" | "bin" | "example" | "bench")), Some(name)) => {
                    format!("--{kind}={name}")
                }
                _ => "--lib".into(),
            };
            programs.push(Program { path: path.into(), folder: folder.into(), target, tests });
        }
    }
    Ok((output.status, programs))
}

/// The command that runs the examples in the documentation, for so many seconds at most.
pub fn examples(work: &Work, seconds: u32) -> Command {
    let mut command = work.cargo(seconds);
    command
        .args(["test", "--doc", "--package", "kiln", "--all-features", "--quiet"])
        .env("RUSTDOCFLAGS", "--cap-lints=allow")
        .stdout(Stdio::null());
    command
}

/// The test programs of the tree, with that of the examples in the documentation.
pub fn programs(work: &Work) -> Result<Vec<Program>> {
    let (built, mut programs) = build(work, "--all-targets", NO_LIMIT)?;
    ensure!(built.success(), "the tests do not build");
    let folder = work.folder.join("examples");
    let _ = fs::remove_dir_all(&folder);
    let status = examples(work, NO_LIMIT)
        .env("RUSTC_BOOTSTRAP", "1") // to keep what is built
        .env(
            "RUSTDOCFLAGS",
            format!("-Zunstable-options --persist-doctests={} --cap-lints=allow", folder.display()),
        )
        .status()?;
    ensure!(status.success(), "the examples of the documentation fail");
    for folder in fs::read_dir(&folder)? {
        let path = folder?.path().join("rust_out");
        if path.exists() {
            programs.push(Program {
                path,
                folder: work.tree(),
                target: EXAMPLES.into(),
                tests: vec![EXAMPLES.into()],
            });
        }
    }
    Ok(programs)
}

/// Runs every test alone. Gives those that pass, and for each mutant the tests that come by it.
pub fn record(
    programs: &[Program],
    work: &Work,
    mutants: usize,
    jobs: usize,
) -> Result<(Vec<Test>, Vec<Vec<usize>>)> {
    let names: Vec<(&Program, &String)> =
        programs.iter().flat_map(|program| program.tests.iter().map(move |name| (program, name))).collect();
    let (tests, reached) = (Mutex::new(Vec::new()), Mutex::new(vec![Vec::new(); mutants]));
    let next = AtomicUsize::new(0);
    let work_off = || -> Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(program, name)) = names.get(at) else { return Ok(()) };
            let seen = work.folder.join("reached").join(at.to_string());
            let _ = fs::remove_dir_all(&seen);
            fs::create_dir_all(&seen)?;
            let began = Instant::now();
            let status = test(&program.path, &program.folder, [name.as_str()].into_iter(), 600.0)
                .env("KILN_MUTANTS_REACHED", &seen)
                .status()?;
            let seconds = began.elapsed().as_secs_f64();
            if !status.success() {
                println!("left out, for it fails without a mutant: {name} of {}", program.path.display());
                continue;
            }
            let mut tests = tests.lock().expect("no panic");
            let mut reached = reached.lock().expect("no panic");
            for file in fs::read_dir(&seen)? {
                for (id, _) in fs::read(file?.path())?.iter().enumerate().filter(|(_, seen)| **seen != 0) {
                    let by: &mut Vec<usize> = &mut reached[id - 1];
                    if by.last() != Some(&tests.len()) {
                        by.push(tests.len());
                    }
                }
            }
            tests.push(Test {
                program: program.path.clone(),
                folder: program.folder.clone(),
                name: name.clone(),
                seconds,
            });
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work_off)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    Ok((tests.into_inner().expect("no panic"), reached.into_inner().expect("no panic")))
}

/// Those tests of a program, ended after so many seconds and within 8 GiB of address space.
pub fn test<'a>(
    program: &Path,
    folder: &Path,
    names: impl Iterator<Item = &'a str>,
    seconds: f64,
) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v 8388608; exec timeout --signal=KILL \"$@\"", "sh", &format!("{seconds:.0}")])
        .arg(program)
        .args(["--exact", "--test-threads=1", "--quiet"])
        .args(names.filter(|name| *name != EXAMPLES))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What becomes of a mutant under these tests, which are sorted by how long they take; and by which program.
pub fn run(tests: &[&Test], id: usize) -> Result<(Outcome, String)> {
    if tests.is_empty() {
        return Ok((Outcome::Unreached, String::new()));
    }
    let mut left = tests.to_vec();
    while let Some(first) = left.first() {
        let program = first.program.clone();
        // Of the quickest test's program those that are about as quick; its slow ones come later.
        let limit = (first.seconds * 4.0).max(0.1);
        let (now, later): (Vec<&Test>, Vec<&Test>) =
            left.iter().partition(|test| test.program == program && test.seconds <= limit);
        let seconds = 10.0 + 10.0 * now.iter().map(|test| test.seconds).sum::<f64>();
        let status = test(&program, &first.folder, now.iter().map(|test| test.name.as_str()), seconds)
            .env("KILN_MUTANT", id.to_string())
            .status()?;
        if !status.success() {
            let name = program.file_name().and_then(|name| name.to_str()).unwrap_or("");
            let name = name.rsplit_once('-').map_or("examples", |(name, _)| name).to_string();
            return Ok((failed(status), name));
        }
        left = later;
    }
    Ok((Outcome::Missed, String::new()))
}

/// What a test that fails with this status says of the mutant.
pub fn failed(status: ExitStatus) -> Outcome {
    let late = status.signal() == Some(9) || status.code() == Some(128 + 9);
    if late { Outcome::Timeout } else { Outcome::Caught }
}
