//! `kiln check`

use crate::Outcome;
use crate::caps::Caps;
use crate::input::{self, Input, is_stream};
use crate::levels;
use crate::output::{self, Failure, json_error, json_path, show, size};
use crate::shown::{self, say};
use crate::types;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kiln::Limits;
use kiln::dynamic::{self, FramedError};
use kiln::schema::{Scalar, Type};
use kiln::tensor::Directory;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Accept or reject files: one line each, on rejection with code, step, offset and reason
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, folders (searched for *.kiln), or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The canonical type text of the value in each file
    #[arg(long = "type", value_name = "TEXT", default_value = "tensors", value_parser = types::parse)]
    ty: Type,
    /// A JSON Schema document of the value in each file
    #[arg(long, value_name = "SCHEMA.json", conflicts_with = "ty")]
    schema: Option<PathBuf>,
    /// The value stands behind a frame of sixteen bytes with the hash of the type
    #[arg(long)]
    framed: bool,
    #[command(flatten)]
    caps: Caps,
    /// Print one JSON object a file
    #[arg(long)]
    json: bool,
    /// Say nothing about accepted files
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    level: levels::Choice,
    #[command(flatten)]
    input: input::Options,
}

/// What is said about one file.
struct Verdict {
    outcome: Outcome,
    line: Line,
}

enum Line {
    Text(String),
    Json(serde_json::Value),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    args.level.apply()?;
    let ty = match &args.schema {
        Some(path) if is_stream(path) && args.paths.iter().any(|path| is_stream(path)) => {
            return Err(Failure::new("standard input cannot be both the schema and a file"));
        }
        Some(path) => types::schema(path)?.into_type(),
        None => args.ty.clone(),
    };
    let (files, missing) = files(&args.paths);
    let mut worst = Outcome::Accepted;
    for failure in missing {
        failure.say();
        worst = Outcome::Failed;
    }
    let limits = args.caps.limits();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, |n| n.get()).min(files.len());
    thread::scope(|scope| {
        let (sender, verdicts) = mpsc::channel();
        let (next, files, ty, limits) = (&next, &files, &ty, &limits);
        let work = |sender: mpsc::Sender<_>| {
            while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                // Nobody listens any more when standard output is closed.
                if sender.send((path, verdict(path, args, ty, limits))).is_err() {
                    return;
                }
            }
        };
        let start = |sender| thread::Builder::new().spawn_scoped(scope, move || work(sender));
        let started = (0..workers).filter(|_| start(sender.clone()).is_ok()).count();
        if started == 0 {
            work(sender.clone());
        }
        drop(sender);
        print(files, verdicts, args, worst)
    })
}

/// Prints verdicts in the order of the files, whichever comes first.
fn print<'f>(
    files: &'f [PathBuf],
    verdicts: mpsc::Receiver<(&'f PathBuf, Verdict)>,
    args: &Args,
    mut worst: Outcome,
) -> Result<Outcome, Failure> {
    let progress = progress(files.len() as u64);
    let mut early = BTreeMap::new();
    let mut order = files.iter();
    let mut awaited = order.next();
    for (path, verdict) in verdicts {
        progress.inc(1);
        early.insert(std::ptr::from_ref(path), verdict);
        while let Some(verdict) = awaited.and_then(|path| early.remove(&std::ptr::from_ref(path))) {
            awaited = order.next();
            worst = worst.max(verdict.outcome);
            if args.quiet && verdict.outcome == Outcome::Accepted {
                continue;
            }
            progress.suspend(|| match verdict.line {
                Line::Text(line) if verdict.outcome == Outcome::Failed => {
                    say(line);
                    Ok(())
                }
                Line::Text(line) => shown::print(|out| Ok(out.text(line)?)),
                Line::Json(facts) => shown::print(|out| Ok(out.json(&facts)?)),
            })?;
        }
    }
    progress.finish_and_clear();
    Ok(worst)
}

/// A bar on a terminal, once it is worth one.
fn progress(files: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(files), ProgressDrawTarget::stderr());
    if files < 100 {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} files, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// The files named and found in folders, and what could not be looked into.
fn files(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Failure>) {
    let mut files = Vec::new();
    let mut failures = Vec::new();
    for path in paths {
        if is_stream(path) || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => {
                    if entry.path().extension().is_some_and(|ending| ending == "kiln") {
                        files.push(entry.into_path());
                    }
                }
                Err(error) => failures.push(Failure::at(path, error)),
            }
        }
    }
    (files, failures)
}

fn verdict(path: &Path, args: &Args, ty: &Type, limits: &Limits) -> Verdict {
    let failed = |failure: Failure| {
        let line = if args.json {
            Line::Json(serde_json::json!({"path": json_path(path), "failed": failure.to_string()}))
        } else {
            Line::Text(failure.to_string())
        };
        Verdict { outcome: Outcome::Failed, line }
    };
    let bytes = match Input::open(path, &args.input) {
        Ok(bytes) => bytes,
        Err(failure) => return failed(failure),
    };
    match &check(&bytes, args, ty, limits) {
        Err(FramedError::Type(error)) => failed(Failure::at(path, error)),
        Ok(tensors) => {
            let line = if args.json {
                Line::Json(serde_json::json!({
                    "path": json_path(path), "accepted": true, "bytes": bytes.len(), "tensors": tensors,
                }))
            } else {
                let tensors =
                    tensors.map_or(String::new(), |count| format!("{}, ", output::tensors(count as u64)));
                Line::Text(format!("{}: ok, {tensors}{}", show(path), size(bytes.len() as u64)))
            };
            Verdict { outcome: Outcome::Accepted, line }
        }
        Err(FramedError::Rejected(error)) => {
            let described = ty.describe(error, &bytes);
            let line = if args.json {
                Line::Json(serde_json::json!({
                    "path": json_path(path), "accepted": false, "bytes": bytes.len(),
                    "error": json_error(error, &described), "hint": input::hint(&bytes, error.offset()),
                }))
            } else {
                let hint = input::hint_text(&bytes, error.offset());
                Line::Text(format!("{}: {described}{hint}", show(path)))
            };
            Verdict { outcome: Outcome::Rejected, line }
        }
    }
}

/// Checks one file; says how many tensors it holds if it is a directory.
fn check(bytes: &[u8], args: &Args, ty: &Type, limits: &Limits) -> Result<Option<usize>, FramedError> {
    if args.framed {
        return dynamic::check_framed_with(ty, bytes, limits).map(|()| None);
    }
    if *ty == Type::scalar(Scalar::Tensors) {
        return Ok(Directory::read_with(bytes, limits).map(|directory| Some(directory.len()))?);
    }
    Ok(dynamic::check_with(ty, bytes, limits).map(|()| None)?)
}
