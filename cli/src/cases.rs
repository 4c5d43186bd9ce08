//! `kiln cases`

use crate::Outcome;
use crate::levels;
use crate::output::{Failure, json_path, show};
use crate::place::{Named, distinct};
use crate::recognise;
use crate::{shown, types};
use kiln::cases::{File, LoadError};
use kiln::escape;
use std::path::{Path, PathBuf};

/// Run case files: print the cases that disagree, then how many passed and failed
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The case files, or - for standard input
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
    /// Print one JSON object a case that disagrees, and one for the sum
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    level: levels::Choice,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    args.level.apply()?;
    let files = args.files.iter().map(|path| Named::read("FILE.json", path));
    distinct(files.chain([Named::printed()]))?;
    shown::print(|out| report(args, out))
}

/// Reads a file, or standard input, whose cases have their files where the program runs.
fn load(path: &Path) -> Result<File, Failure> {
    let text = types::text_within(path, File::MAX_TEXT as u64, "a case file")?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = File::parse(&text, folder).map_err(|error| match error {
        LoadError::Json(_) => Failure::at(path, recognise::no_json(text.as_bytes(), error)),
        _ => Failure::at(path, error),
    })?;
    if file.cases().is_empty() {
        return Err(Failure::at(path, "nothing to run: no case in this file"));
    }
    Ok(file)
}

#[expect(clippy::arithmetic_side_effects, reason = "counts cases that lie in memory")]
fn report(args: &Args, out: &mut shown::Lines) -> Result<Outcome, Failure> {
    let (mut passed, mut failed) = (0, 0);
    for path in &args.files {
        // One file is held at a time. Where one cannot be read no sum is printed.
        let file = load(path)?;
        for case in file.cases() {
            let Err(mismatch) = case.run() else {
                passed += 1;
                continue;
            };
            failed += 1;
            if args.json {
                let facts = serde_json::json!({
                    "file": json_path(path), "case": case.name(),
                    "expected": mismatch.expected(), "found": mismatch.found(),
                });
                out.json(&facts)?;
            } else {
                out.text(format_args!("{}: {}: {mismatch}", show(path), escape(case.name().as_bytes())))?;
            }
        }
    }
    if args.json {
        out.json(&serde_json::json!({"passed": passed, "failed": failed}))?;
    } else {
        out.text(format_args!("{passed} passed, {failed} failed"))?;
    }
    Ok(if failed == 0 { Outcome::Accepted } else { Outcome::Rejected })
}
