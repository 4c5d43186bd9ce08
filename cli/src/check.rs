//! `kiln check`

use crate::Outcome;
use crate::caps::Caps;
use crate::input::{self, Input, is_stream};
use crate::levels;
use crate::output::{self, Failure, json_error, json_path, show, size};
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown::{self, say};
use crate::types;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kiln::Limits;
use kiln::dynamic::{self, FramedError};
use kiln::schema::{Scalar, Type};
use kiln::tensor::Directory;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Accept or reject files: one line each, on rejection with code, step, offset and reason
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, folders (searched for regular files *.kiln, and links to such), or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The canonical type text of the value in each file (tensors if not given)
    #[arg(long = "type", value_name = "TEXT", value_parser = types::parse)]
    ty: Option<Type>,
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
    /// Whether it says no more than that a file is accepted.
    is_accept: bool,
}

enum Line {
    Text(String),
    /// What was not checked and why, for standard error.
    Message(String),
    Json(serde_json::Value),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    args.level.apply()?;
    let paths = args.paths.iter().map(|path| Named::read("PATH", path));
    let schema = args.schema.as_deref().map(|path| Named::read("--schema", path));
    distinct(paths.chain(schema).chain([Named::printed()]))?;
    let ty = match &args.schema {
        Some(path) => types::schema(path)?.into_type(),
        None => args.ty.clone().unwrap_or(Type::scalar(Scalar::Tensors)),
    };
    let files = files(&args.paths);
    let limits = args.caps.limits();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, |n| n.get()).min(files.len());
    thread::scope(|scope| {
        let (sender, verdicts) = mpsc::channel();
        let (next, files, ty, limits) = (&next, &files, &ty, &limits);
        let work = |sender: mpsc::Sender<_>| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(found) = files.get(index) else { return };
                // Nobody listens any more when standard output is closed.
                if sender.send((index, verdict(found, args, ty, limits))).is_err() {
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
        print(files, verdicts, args)
    })
}

/// Prints verdicts in the order of the files, whichever comes first.
fn print(
    files: &[Found],
    verdicts: mpsc::Receiver<(usize, Verdict)>,
    args: &Args,
) -> Result<Outcome, Failure> {
    let progress = progress(files.len() as u64);
    let mut worst = Outcome::Accepted;
    let mut early = BTreeMap::new();
    let mut awaited = 0usize;
    for (index, verdict) in verdicts {
        progress.inc(1);
        early.insert(index, verdict);
        while let Some(verdict) = early.remove(&awaited) {
            awaited = awaited.saturating_add(1);
            worst = worst.max(verdict.outcome);
            if args.quiet && verdict.is_accept {
                continue;
            }
            progress.suspend(|| match verdict.line {
                Line::Message(line) => {
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

/// What is to be said about, in this order.
enum Found {
    /// A file or a stream that was named.
    Named(PathBuf),
    /// A file of a folder.
    InFolder(PathBuf),
    /// What was found in a folder and is not opened, and what it is.
    LeftOut(PathBuf, &'static str),
    /// Why there is nothing to check.
    Failed(PathBuf, Failure),
}

/// The files named and found in folders, what is left out of these, and what could not be looked into.
fn files(paths: &[PathBuf]) -> Vec<Found> {
    let mut files = Vec::new();
    for path in paths {
        if is_stream(path) || !path.is_dir() {
            files.push(Found::Named(path.clone()));
            continue;
        }
        let before = files.len();
        // Links to folders are not followed, so that none leads in a circle or out of the folder.
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) => files.extend(found(&entry)),
                Err(error) => files.push(Found::Failed(path.clone(), Failure::at(path, error))),
            }
        }
        let among = files.get(before..).unwrap_or_default();
        if !among.iter().any(|found| matches!(found, Found::InFolder(_) | Found::Failed(..))) {
            let nothing = Failure::at(path, "nothing to check: no file *.kiln in this folder");
            files.push(Found::Failed(path.clone(), nothing));
        }
    }
    files
}

/// What an entry of a folder is to `check`, if anything.
fn found(entry: &walkdir::DirEntry) -> Option<Found> {
    let path = entry.path();
    let is_link = entry.path_is_symlink();
    let is_named_so = path.extension().is_some_and(|ending| ending == "kiln");
    // The folder itself is searched, by whatever path it was named.
    if entry.depth() == 0 || entry.file_type().is_dir() || !(is_link || is_named_so) {
        return None;
    }
    // Through a link; one that leads nowhere is said when it is opened.
    let facts = fs::metadata(path);
    match facts.map(|facts| facts.file_type()) {
        Ok(kind) if kind.is_dir() => Some(Found::LeftOut(path.to_path_buf(), "a link to a folder")),
        _ if !is_named_so => None,
        Ok(kind) if !kind.is_file() => Some(Found::LeftOut(path.to_path_buf(), special(kind))),
        _ => Some(Found::InFolder(path.to_path_buf())),
    }
}

/// What a file is that is neither regular nor a folder.
fn special(kind: fs::FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    let _ = kind;
    "no regular file"
}

fn failed(args: &Args, path: &Path, failure: &Failure) -> Verdict {
    let line = match args.json {
        true => Line::Json(serde_json::json!({"path": json_path(path), "failed": failure.to_string()})),
        false => Line::Message(failure.to_string()),
    };
    Verdict { outcome: Outcome::Failed, line, is_accept: false }
}

fn left_out(args: &Args, path: &Path, what: &str) -> Verdict {
    let line = match args.json {
        true => Line::Json(serde_json::json!({"path": json_path(path), "left_out": what})),
        false => Line::Message(format!("{}: left out: {what}", show(path))),
    };
    Verdict { outcome: Outcome::Accepted, line, is_accept: false }
}

/// What the options ask for, which a hint has to fit.
fn reads(args: &Args, ty: &Type) -> Reads {
    if !args.framed && *ty == Type::scalar(Scalar::Tensors) {
        return Reads::DirectoryOrValue;
    }
    let options =
        [("--type", args.ty.is_some()), ("--schema", args.schema.is_some()), ("--framed", args.framed)];
    let given: Vec<&str> = options.iter().filter(|(_, given)| *given).map(|(option, _)| *option).collect();
    Reads::Value { framed: args.framed, instead: Some(given.join(" and ")) }
}

fn verdict(found: &Found, args: &Args, ty: &Type, limits: &Limits) -> Verdict {
    let (path, opened) = match found {
        Found::LeftOut(path, what) => return left_out(args, path, what),
        Found::Failed(path, failure) => return failed(args, path, failure),
        Found::Named(path) if is_directory(args, ty) => {
            (path, Input::open_directory(path, &args.input, &args.caps).map(Some))
        }
        Found::Named(path) => (path, Input::open(path, &args.input, &args.caps).map(Some)),
        Found::InFolder(path) => (path, Input::open_found(path, &args.input, &args.caps)),
    };
    let bytes = match opened {
        Ok(Some(bytes)) => bytes,
        // It was a regular file when the folder was searched.
        Ok(None) => return left_out(args, path, "no regular file"),
        Err(failure) => return failed(args, path, &failure),
    };
    match &check(&bytes, args, ty, limits) {
        Err(FramedError::Type(error)) => failed(args, path, &Failure::at(path, error)),
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
            Verdict { outcome: Outcome::Accepted, line, is_accept: true }
        }
        Err(FramedError::Rejected(error)) => {
            let described = ty.describe(error, &bytes);
            let line = if args.json {
                let (hint, option) = recognise::hint_or_option(error.reason(), &bytes, &reads(args, ty));
                Line::Json(serde_json::json!({
                    "path": json_path(path), "accepted": false, "bytes": bytes.len(),
                    "error": json_error(error, &described), "hint": hint, "option": option,
                }))
            } else {
                let advice = recognise::advice(error, &bytes, &reads(args, ty));
                Line::Text(format!("{}: {described}{advice}", show(path)))
            };
            Verdict { outcome: Outcome::Rejected, line, is_accept: false }
        }
    }
}

/// Whether the files are directories and nothing around them.
fn is_directory(args: &Args, ty: &Type) -> bool {
    !args.framed && *ty == Type::scalar(Scalar::Tensors)
}

/// Checks one file; says how many tensors it holds if it is a directory.
fn check(bytes: &[u8], args: &Args, ty: &Type, limits: &Limits) -> Result<Option<usize>, FramedError> {
    if args.framed {
        return dynamic::check_framed_with(ty, bytes, limits).map(|()| None);
    }
    if is_directory(args, ty) {
        return Ok(Directory::read_with(bytes, limits).map(|directory| Some(directory.len()))?);
    }
    Ok(dynamic::check_with(ty, bytes, limits).map(|()| None)?)
}
