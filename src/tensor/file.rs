//! A file replaced in one step, so that nobody ever sees half of one.

use std::format;
use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Write};
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

/// How many symbolic links are followed before they are taken for a loop, as Linux counts them.
const MAX_LINKS: usize = 40;

/// Writes a file through `write`, all or nothing, and gives what `write` gave.
///
/// `write` fills a temporary file in the same directory. When it has succeeded, the file is flushed to the
/// disk and renamed over `path`: a reader sees the old file or the new one, and a program that has the old
/// one mapped keeps the old one whole. When anything up to the renaming fails, the old file is as it was and
/// the temporary one is gone.
///
/// * Nobody may do more with the new file than with the old one. Its permissions are kept, on Linux its access
///   list too, and its owner and group as far as the system lets; where it does not, the permissions are narrowed
///   to what everybody had before. Bits that change who a program runs as are dropped. An access list that the
///   directory would give is for files that are new.
/// * A file that is read-only is not replaced. Hard links to the old file still lead to it, since the file is a
///   new one; other attributes of the old one stay with it.
/// * A symbolic link is followed: the file that it leads to is replaced, and the link stays.
/// * A device or a pipe cannot be replaced, and is written to as it stands. So is what a process has open, where
///   Linux shows it as a link: `/dev/stdout` and `/dev/fd/3` are written to at the end, whatever was there before.
///
/// # Errors
/// What `write` or the system says; among them that the directory cannot be written to. The old file is then as it
/// was, and where there was none there is none, but for two errors: what was written as it stands before an error stays
/// written; and when the directory cannot be flushed after the renaming, the error begins with "the new
/// file is in place". A directory that may not be read is not flushed: then a loss of power soon afterwards can
/// bring the old file back.
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
    let mut options = OpenOptions::new();
    match find(&path)? {
        Found::Other => fill(options.write(true).open(&path)?, write),
        Found::Open => fill(options.append(true).open(&path)?, write),
        Found::Nothing => Replacement::beside(path, None)?.fill(write),
        Found::File(old) => Replacement::beside(path, Some(old))?.fill(write),
    }
}

/// Writes to what is written to as it stands.
fn fill<T>(mut file: File, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let written = write(&mut file)?;
    file.flush()?;
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
    /// Who might do what with the file that is there, when this began.
    old: Option<Access>,
    /// To be flushed in the end.
    folder: Folder,
}

impl Replacement {
    /// Makes the temporary file, beside the one at `path` or the one that a symbolic link there leads to.
    ///
    /// # Errors
    /// What the system says; a file there that is read-only, a directory, a device or a pipe.
    pub fn begin(path: impl AsRef<Path>) -> io::Result<Replacement> {
        let path = follow(path.as_ref())?;
        match find(&path)? {
            Found::Other | Found::Open => {
                Err(io::Error::new(ErrorKind::InvalidInput, "not a file that can be replaced"))
            }
            Found::Nothing => Replacement::beside(path, None),
            Found::File(old) => Replacement::beside(path, Some(old)),
        }
    }

    fn beside(target: PathBuf, old: Option<Access>) -> io::Result<Replacement> {
        // What can fail comes before what replaces.
        let folder = Folder::open(directory(&target))?;
        let (file, temporary) = Temporary::create(&target, old.as_ref())?;
        Ok(Replacement { file, temporary, target, old, folder })
    }

    fn fill<T>(mut self, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        let written = write(&mut self.file)?;
        self.commit()?;
        Ok(written)
    }

    /// The temporary file, to be written.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Where the temporary file lies.
    pub fn temporary(&self) -> &Path {
        &self.temporary.path
    }

    /// Flushes the file to the disk and renames it over the old one. Who may do less with that than when this began may
    /// do less with the new one.
    ///
    /// # Errors
    /// What the system says; a file that has become read-only. The old file is then as it was, unless the error says that the new one is in place, as
    /// [`replace_file`] has it.
    pub fn commit(self) -> io::Result<()> {
        let Replacement { file, temporary, target, old, folder } = self;
        file.sync_all()?;
        match find(&target)? {
            Found::File(now) if old.as_ref() != Some(&now) => now.pass_to(&file)?,
            _ => {}
        }
        // Some systems rename no open file.
        drop(file);
        temporary.rename(&target)?;
        in_place(folder.flush())
    }
}

/// What lies where a file is to be.
enum Found {
    Nothing,
    File(Access),
    /// A device or a pipe.
    Other,
    /// What a process has open, whatever that is.
    Open,
}

/// Looks what lies at a path that is no symbolic link, and refuses what neither can be replaced nor written to.
fn find(path: &Path) -> io::Result<Found> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(_) if is_open(path) => Ok(Found::Open),
        Ok(old) if old.is_file() && old.permissions().readonly() => {
            Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"))
        }
        Ok(old) if old.is_file() => Ok(Found::File(Access::of(path, &old)?)),
        Ok(_) => Ok(Found::Other),
        Err(error) if error.kind() == ErrorKind::NotFound && names_a_file(path) => Ok(Found::Nothing),
        Err(error) => Err(error),
    }
}

/// Whether a path that leads to nothing can become one to a file: it ends in a name, and not in a separator or a dot.
fn names_a_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    !name.is_empty() && path.as_os_str().as_encoded_bytes().ends_with(name)
}

/// Says what there is when the directory could not be flushed after the renaming.
fn in_place(flushed: io::Result<()>) -> io::Result<()> {
    flushed.map_err(|error| {
        let line =
            format!("the new file is in place, and a loss of power may bring the old one back: {error}");
        io::Error::new(error.kind(), line)
    })
}

/// Whether a path is a link to something that a process has open: a link in form, but what it leads to need not be where
/// it says.
fn is_open(path: &Path) -> bool {
    #[cfg(target_os = "linux")]
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        let system = rustix::fs::statfs(directory(path));
        return system.is_ok_and(|system| system.f_type == rustix::fs::PROC_SUPER_MAGIC);
    }
    let _ = path;
    false
}

/// The file that `path` leads to through symbolic links, which need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() && !is_open(&path) => {
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

/// A directory to be flushed, where directories can be.
#[derive(Debug)]
struct Folder(#[cfg(unix)] Option<File>);

#[cfg(unix)]
impl Folder {
    fn open(path: &Path) -> io::Result<Folder> {
        match File::open(path) {
            Ok(folder) => Ok(Folder(Some(folder))),
            // It may be written to and not read.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(Folder(None)),
            Err(error) => Err(error),
        }
    }

    /// Makes the names in it as lasting as the bytes.
    fn flush(self) -> io::Result<()> {
        match self.0.map_or(Ok(()), |folder| folder.sync_all()) {
            // A file system that has no such operation.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
            flushed => flushed,
        }
    }
}

#[cfg(not(unix))]
impl Folder {
    fn open(_: &Path) -> io::Result<Folder> {
        Ok(Folder())
    }

    fn flush(self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is removed unless it is renamed.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    /// How many names are tried before somebody is taken to be in the way.
    const TRIES: usize = 64;

    /// A new file beside `target`, no more open to anybody than `old`.
    fn create(target: &Path, old: Option<&Access>) -> io::Result<(File, Temporary)> {
        for _ in 0..Self::TRIES {
            // Not made from the target's name, which may be as long as names can be; and nobody can take it before.
            let name = format!(".kiln-{:016x}.tmp", RandomState::new().build_hasher().finish());
            let path = directory(target).join(name);
            match options(old.is_some()).open(&path) {
                Ok(file) => {
                    let temporary = Temporary { path, renamed: false };
                    if let Some(old) = old {
                        old.pass_to(&file)?;
                    }
                    return Ok((file, temporary));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.renamed = true;
        Ok(())
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

/// How the temporary file is made: never one that exists, and for its owner alone until it has the access of an old one.
fn options(is_old: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_old {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = is_old;
    options
}

/// Who may do what with a file.
#[cfg(not(unix))]
#[derive(Debug, PartialEq, Eq)]
struct Access(fs::Permissions);

#[cfg(not(unix))]
impl Access {
    fn of(_: &Path, file: &Metadata) -> io::Result<Access> {
        Ok(Access(file.permissions()))
    }

    fn pass_to(&self, file: &File) -> io::Result<()> {
        file.set_permissions(self.0.clone())
    }
}

/// Who may do what with a file.
#[cfg(unix)]
#[derive(Debug, PartialEq, Eq)]
struct Access {
    mode: u32,
    owner: u32,
    group: u32,
    list: list::List,
}

#[cfg(unix)]
impl Access {
    fn of(path: &Path, file: &Metadata) -> io::Result<Access> {
        Ok(Access { mode: file.mode(), owner: file.uid(), group: file.gid(), list: list::read(path)? })
    }

    /// Lets everybody do no more with a new file.
    fn pass_to(&self, file: &File) -> io::Result<()> {
        // Whether it worked is seen below: not everybody may give files away.
        let _ = fchown(file, Some(self.owner), Some(self.group))
            .or_else(|_| fchown(file, None, Some(self.group)));
        let made = file.metadata()?;
        let is_same = (made.uid() == self.owner, made.gid() == self.group);
        // With a list, the bits of the group are those that the list grants at most, to whomever.
        let mode = match (&self.list, is_same) {
            (None, _) => {
                list::remove(file)?;
                narrowed(self.mode, is_same)
            }
            (Some(list), (true, true)) if list::write(file, list).is_ok() => self.mode & 0o777,
            (Some(_), _) => {
                list::remove(file)?;
                self.mode & 0o700
            }
        };
        file.set_permissions(fs::Permissions::from_mode(mode))
    }
}

/// The permission bits that let nobody but the new owner do more than the old ones, where the owner or the group is
/// another one now.
#[cfg(unix)]
fn narrowed(mode: u32, (is_same_owner, is_same_group): (bool, bool)) -> u32 {
    let [owner, mut group, mut others] = [6, 3, 0].map(|class| mode >> class & 0o7);
    if !is_same_group {
        // Who is in the new group was one of the others or in the old group, whose members are others now.
        group &= others;
        others = group;
    }
    if !is_same_owner {
        // The old owner is in the group or one of the others now.
        group &= owner;
        others &= owner;
    }
    owner << 6 | group << 3 | others
}

/// Access lists as POSIX drafted them: who else may do what with a file, each user and group by name.
#[cfg(target_os = "linux")]
mod list {
    use super::{File, Path, io};
    use alloc::vec;
    use alloc::vec::Vec;
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
    use rustix::io::Errno;

    pub(super) type List = Option<Vec<u8>>;

    const NAME: &str = "system.posix_acl_access";

    /// What the kernel lets an attribute take.
    const LONGEST: usize = 64 << 10;

    /// Whether there is no list, as far as the file system has any.
    fn is_none(error: Errno) -> bool {
        [Errno::NODATA, Errno::OPNOTSUPP, Errno::NOSYS].contains(&error)
    }

    /// The list of a file that has more than permission bits.
    pub(super) fn read(path: &Path) -> io::Result<List> {
        let mut list = vec![0; LONGEST];
        match getxattr(path, NAME, &mut list[..]) {
            Ok(len) => {
                list.truncate(len);
                Ok(Some(list))
            }
            Err(error) if is_none(error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn write(file: &File, list: &[u8]) -> io::Result<()> {
        Ok(fsetxattr(file, NAME, list, XattrFlags::empty())?)
    }

    /// Takes away the list that the directory has given to a new file.
    pub(super) fn remove(file: &File) -> io::Result<()> {
        match fremovexattr(file, NAME) {
            Err(error) if !is_none(error) => Err(error.into()),
            _ => Ok(()),
        }
    }
}

/// Elsewhere lists are not looked at, and a new file has none but what its directory gives it.
#[cfg(all(unix, not(target_os = "linux")))]
mod list {
    use super::{File, Path, io};

    pub(super) type List = Option<core::convert::Infallible>;

    pub(super) fn read(_: &Path) -> io::Result<List> {
        Ok(None)
    }

    pub(super) fn write(_: &File, list: &core::convert::Infallible) -> io::Result<()> {
        match *list {}
    }

    pub(super) fn remove(_: &File) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_temporary_file_is_made_for_its_owner_alone() {
        let folder = std::env::temp_dir().join(format!("kiln-unit-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let new = folder.join("new");
        let made = options(true).open(&new).unwrap();
        assert_eq!(made.metadata().unwrap().permissions().mode() & 0o777 & !0o600, 0);
        assert_eq!(options(true).open(&new).unwrap_err().kind(), ErrorKind::AlreadyExists);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// All modes, and everybody there is: the old owner, members of neither, one or both groups.
    #[test]
    fn another_owner_or_group_lets_nobody_do_more() {
        for mode in 0..0o10000u32 {
            assert_eq!(narrowed(mode, (true, true)), mode & 0o777);
            for is_same in [(false, false), (false, true), (true, false)] {
                let new = narrowed(mode, is_same);
                assert_eq!(new & !0o777, 0, "{mode:o}");
                for (is_old_owner, in_old, in_new) in
                    (0..8).map(|who| (who & 1 > 0, who & 2 > 0, who & 4 > 0))
                {
                    if is_same.1 && in_old != in_new {
                        continue;
                    }
                    let class = |is_owner, in_group| {
                        if is_owner {
                            6
                        } else if in_group {
                            3
                        } else {
                            0
                        }
                    };
                    let before = mode >> class(is_old_owner, in_old) & 7;
                    let after = new >> class(is_old_owner && is_same.0, in_new) & 7;
                    assert_eq!(after & !before, 0, "{mode:o} {new:o} {is_same:?}");
                }
            }
        }
        // What is usual stays as it is.
        assert_eq!(narrowed(0o644, (false, false)), 0o644);
        assert_eq!(narrowed(0o640, (false, true)), 0o640);
        assert_eq!(narrowed(0o640, (true, false)), 0o600);
    }

    #[test]
    fn an_error_after_the_renaming_says_that_the_new_file_is_there() {
        let error = in_place(Err(io::Error::other("no more"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the new file is in place, and a loss of power may bring the old one back: no more"
        );
        in_place(Ok(())).unwrap();
    }

    #[test]
    fn a_path_that_ends_in_no_name_names_no_file() {
        for (path, names) in [
            ("a", true),
            ("a/b", true),
            (" ", true),
            ("", false),
            ("/", false),
            ("a/", false),
            ("a/.", false),
            ("a/..", false),
            (".", false),
            ("a//", false),
        ] {
            assert_eq!(names_a_file(Path::new(path)), names, "{path}");
        }
    }

    #[test]
    fn a_file_without_a_directory_lies_in_the_one_worked_in() {
        for (path, expected) in [("model.kiln", "."), ("./model.kiln", "."), ("a/b", "a"), ("/a", "/")] {
            assert_eq!(directory(Path::new(path)), Path::new(expected));
        }
    }

    #[test]
    fn a_directory_that_cannot_be_flushed_is_an_error_unless_none_can() {
        Folder::open(&std::env::temp_dir()).unwrap().flush().unwrap();
        assert_eq!(Folder::open(Path::new("/no/such/directory")).err().unwrap().kind(), ErrorKind::NotFound);
        // A file system that flushes no directories.
        #[cfg(target_os = "linux")]
        Folder::open(Path::new("/proc")).unwrap().flush().unwrap();
    }
}
