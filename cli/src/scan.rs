//! `kiln scan`

use crate::Outcome;
use crate::caps::{self, Caps};
use crate::input::{self, Input};
use crate::leftovers;
use crate::output::{Failure, json_error, json_path, reject, show, size, tensors};
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown;
use kiln::scan::{Hit, Kind, Verdict, scan_with};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Find blocks inside something larger: a log, a capture, a damaged file
///
/// One line for each magic: its offset, what it is, and whether the reader accepts it. Status 1 if a block is
/// rejected or none is found.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for standard input
    path: PathBuf,
    /// Write each accepted directory to this folder, as OFFSET.kiln (a frame has no end without its type); nothing
    /// that is there already is replaced or followed
    #[arg(long, value_name = "DIR")]
    extract: Option<PathBuf>,
    #[command(flatten)]
    caps: Caps,
    /// Print one JSON object a block
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: input::Options,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let folder = args.extract.as_deref().map(|folder| Named::write("--extract", folder));
    distinct([Named::read("PATH", &args.path), Named::printed()].into_iter().chain(folder))?;
    let bytes = Input::open(&args.path, &args.input, &args.caps)?;
    if let Some(folder) = &args.extract {
        fs::create_dir_all(folder).map_err(|error| Failure::at(folder, error))?;
    }
    shown::print(|out| report(args, &bytes, out))
}

fn report(args: &Args, bytes: &[u8], out: &mut shown::Lines) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Rejected;
    let (mut found, mut rejected) = (false, false);
    for hit in scan_with(bytes, &args.caps.limits()) {
        if let (Some(folder), Verdict::Directory(directory)) = (&args.extract, &hit.verdict) {
            extract(folder, hit.offset, directory.as_bytes())?;
        }
        rejected |= matches!(hit.verdict, Verdict::Rejected(_) | Verdict::Unread);
        outcome = if rejected { Outcome::Rejected } else { Outcome::Accepted };
        if args.json {
            out.json(&json(args, &hit, bytes))?;
        } else {
            out.text(line(args, &hit, bytes))?;
        }
        found = true;
    }
    if !found {
        return Ok(reject(
            &args.path,
            format_args!("no block found{}", recognise::aside(bytes, &Reads::Blocks)),
        ));
    }
    Ok(outcome)
}

/// Writes a block to a new file. One of these bytes that is there already is the same file.
fn extract(folder: &Path, offset: usize, block: &[u8]) -> Result<(), Failure> {
    let path = folder.join(format!("{offset:016x}.kiln"));
    match create(folder, &path, block) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_file_of(&path, block) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Failure::at(&path, "there is something else already, which is not replaced"))
        }
        written => written.map_err(|error| Failure::at(&path, error)),
    }
}

/// Makes a file that is whole when it has its name, in a folder that others may write to: no link is followed, and
/// nothing is replaced.
fn create(folder: &Path, path: &Path, block: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kiln-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As every new file has them, the process's mask allowing.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = leftovers::make(|| builder.tempfile_in(folder), tempfile::NamedTempFile::path)?;
    let temporary = new.path().to_path_buf();
    let written = new.write_all(block).and_then(|()| new.as_file().sync_all());
    leftovers::settle(&temporary, || {
        written?;
        new.persist_noclobber(path).map(drop).map_err(|error| error.error)
    })
}

/// Whether there is a regular file of these bytes.
fn is_file_of(path: &Path, block: &[u8]) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == block.len() as u64)
        && fs::read(path).is_ok_and(|bytes| bytes == block)
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Directory => "directory",
        Kind::Frame => "frame",
    }
}

/// What lies at the place of a hit and behind it.
fn from<'a>(bytes: &'a [u8], hit: &Hit<'_>) -> &'a [u8] {
    bytes.get(hit.offset..).unwrap_or_default()
}

fn line(args: &Args, hit: &Hit<'_>, bytes: &[u8]) -> String {
    let verdict = match &hit.verdict {
        Verdict::Directory(directory) => {
            let len = directory.as_bytes().len() as u64;
            format!("{}, {}, accepted", tensors(directory.len() as u64), size(len))
        }
        Verdict::Frame { schema_hash } => format!("schema hash {schema_hash:#018x}, accepted"),
        Verdict::Rejected(error) => {
            format!("rejected: {}{}", error.describe(from(bytes, hit)), caps::advice(error.reason()))
        }
        _ => "not read: too many blocks claim the same bytes".into(),
    };
    format!("{}: {} ({:#x}): {}, {verdict}", show(&args.path), hit.offset, hit.offset, kind(hit.kind))
}

#[expect(clippy::indexing_slicing, reason = "the facts are an object, which takes any key")]
fn json(args: &Args, hit: &Hit<'_>, bytes: &[u8]) -> serde_json::Value {
    let mut facts = serde_json::json!({
        "path": json_path(&args.path), "offset": hit.offset, "kind": kind(hit.kind),
        "accepted": matches!(hit.verdict, Verdict::Directory(_) | Verdict::Frame { .. }),
    });
    match &hit.verdict {
        Verdict::Directory(directory) => {
            facts["tensors"] = directory.len().into();
            facts["bytes"] = directory.as_bytes().len().into();
        }
        Verdict::Frame { schema_hash } => facts["schema_hash"] = format!("{schema_hash:#018x}").into(),
        Verdict::Rejected(error) => {
            facts["error"] = json_error(error, &error.describe(from(bytes, hit)));
        }
        _ => facts["read"] = false.into(),
    }
    facts
}
