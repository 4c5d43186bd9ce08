//! A file replaced in one step, so that nobody ever sees half of one.

use std::format;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many symbolic links are followed before they are taken for a loop, as Linux counts them.
const MAX_LINKS: usize = 40;

/// Writes a file through `write`, all or nothing, and gives what `write` gave.
///
/// `write` fills a temporary file in the same directory. When it has succeeded, the file is flushed to the
/// disk and renamed over `path`: a reader sees the old file or the new one, and a program that has the old
/// one mapped keeps the old one whole. When anything up to the renaming fails, the old file is as it was and
/// the temporary one is gone.
///
/// * An existing file's permissions are kept, and one that is read-only is not replaced; its owner and its
///   hard links are not, since the file is a new one.
/// * A symbolic link is followed: the file that it leads to is replaced, and the link stays.
/// * A device or a pipe cannot be replaced, and is written to as it stands.
///
/// # Errors
/// What `write` or the system says; among them that the directory cannot be written to.
///
/// ```
/// # let dir = std::env::temp_dir().join(format!("kiln-doc-replace-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// use std::io::Write;
/// let path = dir.join("notes.txt");
/// kiln::tensor::replace_file(&path, |file| file.write_all(b"old"))?;
/// let failed: std::io::Result<()> = kiln::tensor::replace_file(&path, |file| {
///     file.write_all(b"half of the n")?;
///     Err(std::io::Error::other("no more"))
/// });
/// assert!(failed.is_err());
/// assert_eq!(std::fs::read(&path)?, b"old");
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace_file<T>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> io::Result<T> {
    let path = follow(path.as_ref())?;
    let old = match fs::metadata(&path) {
        Ok(old) if old.is_file() && old.permissions().readonly() => {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(old) if old.is_file() => Some(old),
        Ok(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(_) => {
            let mut device = OpenOptions::new().write(true).open(&path)?;
            let written = write(&mut device)?;
            device.flush()?;
            return Ok(written);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut new = Replacement::beside(path, old.as_ref())?;
    let written = write(new.file())?;
    new.commit()?;
    Ok(written)
}

/// A file that will replace another in one step, as [`replace_file`] does it, in two calls: what is written lies in a
/// temporary file until [`commit`](Self::commit), and is gone with it if that is never called.
///
/// Of several files that belong together all can be written before the first takes its place; and who ends by a signal
/// can remove what lies at [`temporary`](Self::temporary).
///
/// ```
/// # let dir = std::env::temp_dir().join(format!("kiln-doc-replacement-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// use kiln::tensor::Replacement;
/// use std::io::Write;
/// let mut weights = Replacement::begin(dir.join("weights.txt"))?;
/// let mut notes = Replacement::begin(dir.join("notes.txt"))?;
/// weights.file().write_all(b"7")?;
/// notes.file().write_all(b"seven")?;
/// for file in [&mut weights, &mut notes] {
///     file.file().sync_all()?;
/// }
/// assert!(!dir.join("weights.txt").exists());
/// weights.commit()?;
/// notes.commit()?;
/// assert_eq!(std::fs::read(dir.join("notes.txt"))?, b"seven");
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    file: File,
    temporary: Temporary,
    target: PathBuf,
}

impl Replacement {
    /// Makes the temporary file, beside the one at `path` or the one that a symbolic link there leads to.
    ///
    /// # Errors
    /// What the system says; a file there that is read-only, a directory, a device or a pipe.
    pub fn begin(path: impl AsRef<Path>) -> io::Result<Replacement> {
        let path = follow(path.as_ref())?;
        let old = match fs::metadata(&path) {
            Ok(old) if old.is_file() && old.permissions().readonly() => {
                return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
            }
            Ok(old) if old.is_file() => Some(old),
            Ok(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(_) => return Err(io::Error::new(ErrorKind::InvalidInput, "not a file that can be replaced")),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Replacement::beside(path, old.as_ref())
    }

    fn beside(target: PathBuf, old: Option<&Metadata>) -> io::Result<Replacement> {
        let (file, temporary) = Temporary::create(&target, old)?;
        Ok(Replacement { file, temporary, target })
    }

    /// The temporary file, to be written.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Where the temporary file lies.
    pub fn temporary(&self) -> &Path {
        &self.temporary.path
    }

    /// Flushes the file to the disk and renames it over the old one.
    ///
    /// # Errors
    /// What the system says.
    pub fn commit(self) -> io::Result<()> {
        let Replacement { file, temporary, target } = self;
        file.sync_all()?;
        // Some systems rename no open file.
        drop(file);
        temporary.rename(&target)
    }
}

/// The file that `path` leads to through symbolic links, which need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => {
                let link = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(link);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "too many symbolic links"))
}

/// The directory that a file lies in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A file that is removed unless it is renamed.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    /// A new file beside `target`, no more open to others than `old`.
    fn create(target: &Path, old: Option<&Metadata>) -> io::Result<(File, Temporary)> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            // Not made from the target's name, which may be as long as names can be.
            let path = directory(target).join(format!(".kiln-{}-{number}.tmp", std::process::id()));
            match options(old).open(&path) {
                Ok(file) => {
                    let temporary = Temporary { path, renamed: false };
                    if let Some(old) = old {
                        // What the process's mask took away.
                        file.set_permissions(old.permissions())?;
                    }
                    return Ok((file, temporary));
                }
                // Left behind by a process of the same number that was killed.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.renamed = true;
        sync_directory(directory(target))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // The error that led here is the one to report; a file that cannot be removed is no second one.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How the temporary file is made: never one that exists, never readable by more than the old file was.
fn options(old: Option<&Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(old) = old {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(old.permissions().mode() & 0o777);
    }
    #[cfg(not(unix))]
    let _ = old;
    options
}

/// Makes the new name as lasting as the bytes, where directories can be flushed.
fn sync_directory(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    match File::open(path).and_then(|directory| directory.sync_all()) {
        // A directory that may be written to and not read, or a file system that has no such operation.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::PermissionDenied | ErrorKind::InvalidInput | ErrorKind::Unsupported
            ) => {}
        flushed => return flushed,
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Before what the process's mask took away is given back, and whatever the mask is.
    #[test]
    fn a_temporary_file_is_made_no_more_open_than_the_old_one() {
        let folder = std::env::temp_dir().join(format!("kiln-unit-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (old, new) = (folder.join("old"), folder.join("new"));
        fs::write(&old, "").unwrap();
        for mode in [0o600, 0o640, 0o644, 0o711] {
            fs::set_permissions(&old, fs::Permissions::from_mode(mode)).unwrap();
            let made = options(Some(&fs::metadata(&old).unwrap())).open(&new).unwrap();
            assert_eq!(made.metadata().unwrap().permissions().mode() & 0o777 & !mode, 0, "{mode:o}");
            fs::remove_file(&new).unwrap();
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_without_a_directory_lies_in_the_one_worked_in() {
        for (path, expected) in [("model.kiln", "."), ("./model.kiln", "."), ("a/b", "a"), ("/a", "/")] {
            assert_eq!(directory(Path::new(path)), Path::new(expected));
        }
    }

    #[test]
    fn a_directory_that_cannot_be_flushed_is_an_error_unless_none_can() {
        sync_directory(&std::env::temp_dir()).unwrap();
        let none = sync_directory(Path::new("/no/such/directory"));
        assert_eq!(none.unwrap_err().kind(), ErrorKind::NotFound);
        // A file system that flushes no directories.
        #[cfg(target_os = "linux")]
        sync_directory(Path::new("/proc")).unwrap();
    }
}
