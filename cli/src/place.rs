//! What the paths of a command lead to, and that no two lead to one file.

use crate::input::is_stream;
use crate::output::{Failure, show};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How many symbolic links are followed before they are taken for a loop, as Linux counts them.
const MAX_LINKS: usize = 40;

/// What a command does with a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    Read,
    Write,
}

/// Where a path leads.
#[derive(Debug, PartialEq)]
pub(crate) enum Place {
    /// To a descriptor of this process.
    Descriptor(u32),
    /// To one of another process.
    Foreign(PathBuf),
    /// To a file, there or not, by a path whose last part is no symbolic link.
    File(PathBuf),
}

impl Place {
    /// Follows the path. `-` is standard input or output.
    pub(crate) fn of(path: &Path, usage: Use) -> io::Result<Place> {
        if is_stream(path) {
            return Ok(Place::Descriptor(match usage {
                Use::Read => 0,
                Use::Write => 1,
            }));
        }
        let mut path = path.to_path_buf();
        for _ in 0..MAX_LINKS {
            if let Some(place) = Place::of_descriptor(&path) {
                return Ok(place);
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => {
                    let link = fs::read_link(&path)?;
                    path = folder(&path).join(link);
                }
                _ => return Ok(Place::File(path)),
            }
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "too many symbolic links"))
    }

    /// What `/proc/self/fd/N`, `/dev/fd/N` and their like name. Such a link shows a path, and does not lead there.
    fn of_descriptor(path: &Path) -> Option<Place> {
        let number: u32 = path.file_name()?.to_str()?.parse().ok()?;
        let folder = fs::canonicalize(folder(path)).ok()?;
        if folder == Path::new("/dev/fd") {
            return Some(Place::Descriptor(number));
        }
        let mut parts = folder.strip_prefix("/proc").ok()?.iter();
        let process: u32 = parts.next()?.to_str()?.parse().ok()?;
        if parts.next_back()? != "fd" {
            return None;
        }
        Some(match process == std::process::id() {
            true => Place::Descriptor(number),
            false => Place::Foreign(path.to_path_buf()),
        })
    }

    /// The file that is there.
    #[cfg(unix)]
    fn metadata(&self) -> io::Result<fs::Metadata> {
        match self {
            Place::Descriptor(number) => crate::descriptor::duplicate(*number)?.metadata(),
            Place::Foreign(path) | Place::File(path) => fs::metadata(path),
        }
    }
}

/// The folder that a path lies in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// What the output of a command is called that has no option for it.
const PRINTED: &str = "standard output";

/// A path of a command.
pub(crate) struct Named<'p> {
    /// What the command calls it.
    pub(crate) role: &'static str,
    pub(crate) path: &'p Path,
    pub(crate) usage: Use,
}

impl<'p> Named<'p> {
    pub(crate) fn read(role: &'static str, path: &'p Path) -> Named<'p> {
        Named { role, path, usage: Use::Read }
    }

    pub(crate) fn write(role: &'static str, path: &'p Path) -> Named<'p> {
        Named { role, path, usage: Use::Write }
    }

    /// Standard output, where a command prints what it found.
    pub(crate) fn printed() -> Named<'static> {
        Named::write(PRINTED, Path::new("-"))
    }
}

/// Which file a path leads to, whatever the path is.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    /// By device and number.
    #[cfg(unix)]
    There(u64, u64),
    /// One that can be made: its folder by device and number, and its name.
    #[cfg(unix)]
    New(u64, u64, std::ffi::OsString),
    #[cfg(not(unix))]
    Path(PathBuf),
    #[cfg(not(unix))]
    Stream(Use),
}

#[cfg(unix)]
fn identity(place: &Place) -> Option<(Identity, Kind)> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    if let Ok(found) = place.metadata() {
        let file_type = found.file_type();
        let kind = if found.is_file() || found.is_dir() || file_type.is_block_device() {
            Kind::Kept
        } else if file_type.is_char_device() || file_type.is_socket() {
            Kind::TwoWays
        } else {
            Kind::Pipe
        };
        return Some((Identity::There(found.dev(), found.ino()), kind));
    }
    let Place::File(path) = place else { return None };
    let found = fs::metadata(folder(path)).ok()?;
    Some((Identity::New(found.dev(), found.ino(), path.file_name()?.to_owned()), Kind::Kept))
}

#[cfg(not(unix))]
fn identity(place: &Place) -> Option<(Identity, Kind)> {
    match place {
        Place::Descriptor(0) => Some((Identity::Stream(Use::Read), Kind::Pipe)),
        Place::Descriptor(_) => Some((Identity::Stream(Use::Write), Kind::Pipe)),
        Place::Foreign(path) | Place::File(path) => {
            let path = fs::canonicalize(path).or_else(|_| {
                Ok::<_, io::Error>(fs::canonicalize(folder(path))?.join(path.file_name().unwrap_or_default()))
            });
            path.ok().map(|path| (Identity::Path(path), Kind::Kept))
        }
    }
}

/// What happens to what two paths to one file do.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Bytes that stay: can be read twice.
    Kept,
    /// What is written is not what is read: a terminal, a socket, the null device.
    TwoWays,
    /// What is read is gone.
    Pipe,
}

/// Refuses two paths that lead to one file, before anything is opened to be written. Of one list of inputs two may: a file
/// that is read twice is the same twice.
pub(crate) fn distinct<'p>(paths: impl IntoIterator<Item = Named<'p>>) -> Result<(), Failure> {
    let mut seen: HashMap<Identity, (Named<'p>, bool)> = HashMap::new();
    for named in paths {
        // What cannot be followed or looked at is said when it is opened.
        let Ok(place) = Place::of(named.path, named.usage) else { continue };
        let Some((identity, kind)) = identity(&place) else { continue };
        let is_open = matches!(place, Place::Descriptor(_));
        let Some((other, is_other_open)) = seen.get(&identity) else {
            seen.insert(identity, (named, is_open));
            continue;
        };
        let harmless = match (other.usage, named.usage) {
            // What was read from an open file is not read from it again.
            (Use::Read, Use::Read) => {
                other.role == named.role && kind == Kind::Kept && !(is_open && *is_other_open)
            }
            (Use::Write, Use::Write) => false,
            _ => kind == Kind::TwoWays,
        };
        if !harmless {
            return Err(Failure::new(one_file(other, &named)));
        }
    }
    Ok(())
}

fn one_file(one: &Named<'_>, two: &Named<'_>) -> String {
    let what = match (show(one.path), show(two.path)) {
        (path, other) if path == other || two.role == PRINTED => path,
        (path, other) => format!("{path} and {other}"),
    };
    match one.role == two.role {
        true => format!("{} can be read once, and is named twice: {what}", one.role),
        false => format!("{} and {} are one file: {what}", one.role, two.role),
    }
}

/// Opens what can only be written to as it stands, and nothing for a file that can be replaced.
pub(crate) fn open_stream(path: &Path) -> io::Result<Option<File>> {
    match Place::of(path, Use::Write)? {
        #[cfg(unix)]
        Place::Descriptor(number) => crate::descriptor::duplicate(number).map(Some),
        #[cfg(not(unix))]
        Place::Descriptor(_) => Err(io::ErrorKind::Unsupported.into()),
        Place::Foreign(path) => File::options().append(true).open(path).map(Some),
        Place::File(path) => match fs::metadata(&path) {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                File::options().write(true).open(path).map(Some)
            }
            _ => Ok(None),
        },
    }
}
