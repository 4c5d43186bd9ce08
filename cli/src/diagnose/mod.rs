//! `kiln diagnose`

mod walk;

use crate::Outcome;
use crate::caps::Caps;
use crate::input::{self, Input};
use crate::output::{Failure, json_path, show};
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown::{self, Lines, cut};
use kiln::tensor::Directory;
use kiln::{Error, Limits};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use std::fmt;
use std::path::PathBuf;
use walk::Finding;

/// List every fault of a directory that can be found by walking on after the first
///
/// The first fault is the result that every reader reports; what follows is advice for a repair.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for standard input
    path: PathBuf,
    #[command(flatten)]
    caps: Caps,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: input::Options,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    distinct([Named::read("PATH", &args.path), Named::printed()])?;
    let bytes = Input::open_directory(&args.path, &args.input, &args.caps)?;
    let limits = args.caps.limits();
    let findings = match Directory::read_with(&bytes, &limits) {
        Ok(_) => Vec::new(),
        Err(error) => findings(&bytes, &limits, &error),
    };
    let outcome = if findings.is_empty() { Outcome::Accepted } else { Outcome::Rejected };
    shown::print(|out| match args.json {
        true => print_json(args, &bytes, &findings, out),
        false => print_text(args, &bytes, &findings, out),
    })?;
    Ok(outcome)
}

/// The reader's result, and then whatever else the walk finds.
fn findings(bytes: &[u8], limits: &Limits, error: &Error) -> Vec<Finding> {
    let mut findings = walk::faults(bytes, limits);
    let is_result = |finding: &Finding| finding.reason == error.reason() && finding.offset == error.offset();
    let result = match findings.iter().position(is_result) {
        Some(at) => findings.remove(at),
        None => Finding {
            reason: error.reason(),
            offset: error.offset(),
            tensor: error.tensor().map(|index| index as usize),
            detail: String::new(),
        },
    };
    findings.insert(0, result);
    findings
}

/// A finding as one line. Names come from the bytes; they are escaped, and cut, as any number of findings can be about
/// one.
struct Line<'a>(&'a Finding, &'a [u8]);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(finding, bytes) = self;
        write!(f, "{} at byte {} ({:#x})", finding.reason.code(), finding.offset, finding.offset)?;
        if let Some(step) = finding.reason.step() {
            write!(f, ", step {step}")?;
        }
        if let Some(index) = finding.tensor {
            write!(f, ", in tensor {index}")?;
            if let Some(name) = walk::name(bytes, index) {
                write!(f, " \"{}\"", cut(name))?;
            }
        }
        write!(f, ": {}", finding.reason.text())?;
        if finding.detail.is_empty() { Ok(()) } else { write!(f, " ({})", finding.detail) }
    }
}

fn print_text(args: &Args, bytes: &[u8], findings: &[Finding], out: &mut Lines) -> Result<(), Failure> {
    let path = show(&args.path);
    match findings {
        [] => out.text(format_args!("{path}: ok, no fault"))?,
        [result, others @ ..] => {
            let advice = recognise::advice_for(result.reason, bytes, &Reads::Directory);
            out.text(format_args!("{path}: the result: {}{advice}", Line(result, bytes)))?;
            for finding in others {
                out.text(format_args!("{path}: also: {}", Line(finding, bytes)))?;
            }
            out.text(format_args!("{path}: {} faults", findings.len()))?;
        }
    }
    Ok(())
}

fn print_json(args: &Args, bytes: &[u8], findings: &[Finding], out: &mut Lines) -> Result<(), Failure> {
    let result = findings.first();
    let (hint, option) = result
        .map_or((None, None), |result| recognise::hint_or_option(result.reason, bytes, &Reads::Directory));
    let path = json_path(&args.path);
    Ok(out.json(&Facts { path, accepted: findings.is_empty(), result, hint, option, faults: findings })?)
}

#[derive(Serialize)]
struct Facts<'a> {
    path: serde_json::Value,
    accepted: bool,
    result: Option<&'a Finding>,
    hint: Option<String>,
    option: Option<&'static str>,
    faults: &'a [Finding],
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Finding", 6)?;
        fields.serialize_field("code", self.reason.code().name())?;
        fields.serialize_field("step", &self.reason.step())?;
        fields.serialize_field("offset", &self.offset)?;
        fields.serialize_field("tensor", &self.tensor)?;
        fields.serialize_field("reason", self.reason.text())?;
        fields.serialize_field("detail", &self.detail)?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiln::cases::File;
    use kiln::schema::{Scalar, Type};
    use std::path::Path;

    /// A directory, and the same with each of its bits turned.
    fn damaged() -> Vec<(String, Vec<u8>, Limits)> {
        let mut builder = kiln::tensor::Builder::new();
        builder.push("b", &[2, 3], &[1u16; 6]).unwrap();
        builder.push(None, &[], &[1u8]).unwrap();
        builder.push("a", &[5], &[0.5f32; 5]).unwrap();
        let mut whole = builder.to_vec().unwrap();
        whole[64 + 128..64 + 128 + 2].copy_from_slice(&kiln::tensor::Dtype::Bool.code().to_le_bytes());
        let mut directories = vec![("whole".to_owned(), whole.clone(), Limits::DEFAULT)];
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            directories.push((format!("bit {bit}"), bytes, Limits::DEFAULT));
        }
        directories
    }

    /// Every unframed directory of the case files, with its limits, which are not in the package of the program; and
    /// damaged ones.
    fn directories() -> Vec<(String, Vec<u8>, Limits)> {
        let mut directories = damaged();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        if !root.join("spec/reading.py").exists() {
            return directories;
        }
        let mut files = vec![root.join("tests/data/vectors.json")];
        for entry in std::fs::read_dir(root.join("spec")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "json") {
                files.push(path);
            }
        }
        let built = directories.len();
        for path in files {
            for case in File::load(&path).unwrap().cases() {
                if *case.ty() == Type::scalar(Scalar::Tensors) && !case.framed() {
                    directories.push((case.name().to_owned(), case.bytes().to_vec(), case.limits()));
                }
            }
        }
        assert!(directories.len() - built > 388, "only {} directories", directories.len() - built);
        directories
    }

    #[test]
    fn the_walk_finds_the_result_of_every_reject_and_nothing_else_before_it() {
        for (name, bytes, limits) in directories() {
            let found = walk::faults(&bytes, &limits);
            match Directory::read_with(&bytes, &limits) {
                Ok(_) => assert_eq!(found, [], "{name}"),
                Err(error) => {
                    let result = found.first().unwrap_or_else(|| panic!("{name}: nothing for {error}"));
                    let place = (result.reason, result.offset, result.tensor);
                    let tensor = error.tensor().map(|index| index as usize);
                    assert_eq!(place, (error.reason(), error.offset(), tensor), "{name}");
                }
            }
        }
    }

    /// Else a file would take as many times longer as it has tensors.
    #[test]
    fn bytes_that_many_tensors_claim_are_looked_at_a_few_times_and_no_more() {
        let payload = [2; 100_000];
        let mut builder = kiln::tensor::Builder::new();
        for _ in 0..99 {
            builder.push(None, &[0], &[0u8; 0]).unwrap();
        }
        builder.push(None, &[100_000], &payload).unwrap();
        let mut bytes = builder.to_vec().unwrap();
        let last = bytes[64 + 99 * 128..64 + 100 * 128].to_vec();
        for index in 0..100 {
            let at = 64 + index * 128;
            bytes[at..at + 128].copy_from_slice(&last);
            bytes[at..at + 2].copy_from_slice(&kiln::tensor::Dtype::Bool.code().to_le_bytes());
        }
        let found = walk::faults(&bytes, &Limits::DEFAULT);
        let count = |reason| found.iter().filter(|finding| finding.reason == reason).count();
        assert_eq!((count(kiln::Reason::Overlap), count(kiln::Reason::BoolPayload)), (99, 4));
    }

    #[test]
    fn faults_behind_the_first_are_listed_too() {
        let (_, mut bytes, limits) = directories()
            .into_iter()
            .find(|(_, bytes, limits)| {
                Directory::read_with(bytes, limits).is_ok_and(|directory| directory.len() >= 2)
            })
            .unwrap();
        bytes[48] = 1;
        bytes[64] = 20;
        bytes[64 + 128 + 2] = 9;
        let error = Directory::read_with(&bytes, &limits).unwrap_err();
        let findings = findings(&bytes, &limits, &error);
        let reasons: Vec<kiln::Reason> = findings.iter().map(|finding| finding.reason).collect();
        assert_eq!(reasons[0], kiln::Reason::HeaderReserved);
        assert!(reasons.contains(&kiln::Reason::Dtype), "{reasons:?}");
        assert!(reasons.contains(&kiln::Reason::Rank), "{reasons:?}");
    }
}
