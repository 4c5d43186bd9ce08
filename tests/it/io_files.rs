//! Files: replaced in one step or not at all, read plainly, mapped.

use crate::support::block;
use kiln::tensor::{
    Builder, Directory, MappedDirectory, ReadError, open, open_with, read_file, read_file_with, replace_file,
};
use kiln::{Code, Limits, Reason};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// An empty directory, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("io_files-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// What lies in it, hidden files too.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn builder(elements: &[u32]) -> Builder<'_> {
    let mut builder = Builder::new();
    builder.push("w", &[elements.len() as u64], elements).unwrap();
    builder
}

#[allow(unsafe_code)]
fn mapped(path: &Path) -> Result<MappedDirectory, ReadError> {
    // SAFETY: the files of these tests are replaced and never written to while they are mapped.
    unsafe { open(path) }
}

fn rejected<T: std::fmt::Debug>(result: Result<T, ReadError>) -> kiln::Error {
    match result {
        Err(ReadError::Rejected(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn failed<T: std::fmt::Debug>(result: Result<T, ReadError>) -> io::Error {
    match result {
        Err(ReadError::Io(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_saved_is_read_back() {
    let folder = Folder::new("saved");
    let path = folder.file("model.kiln");
    for len in [0u32, 1, 3, 100_000] {
        let elements: Vec<u32> = (0..len).collect();
        let builder = builder(&elements);
        assert_eq!(builder.save(&path).unwrap(), builder.encoded_len());
        assert_eq!(fs::read(&path).unwrap(), builder.to_vec().unwrap());
        assert_eq!(folder.names(), ["model.kiln"]);

        let owned = read_file(&path).unwrap();
        assert_eq!(owned.get_by_name("w").unwrap().to_vec::<u32>().unwrap(), elements);
        let mapped = mapped(&path).unwrap();
        assert_eq!(mapped.as_directory(), owned.as_directory());
        assert_eq!(mapped.as_bytes(), owned.as_bytes());
        assert_eq!((mapped.len(), mapped.is_empty()), (1, false));
        assert_eq!(mapped.get_by_name("w"), mapped.get(0));
        assert_eq!(mapped.iter().count(), (&mapped).into_iter().count());
        assert_eq!(format!("{mapped:?}"), format!("{owned:?}"));
        if cfg!(target_endian = "little") {
            assert_eq!(mapped.get(0).unwrap().as_slice::<u32>(), Ok(&elements[..]));
        }
    }
}

#[test]
fn saving_over_a_mapped_file_leaves_the_mapping_whole() {
    let folder = Folder::new("mapped");
    let path = folder.file("model.kiln");
    let (old, new) = (vec![1u32; 50_000], vec![2u32; 10]);
    builder(&old).save(&path).unwrap();
    let mapped_old = mapped(&path).unwrap();
    builder(&new).save(&path).unwrap();
    let mapped_new = mapped(&path).unwrap();
    builder(&[]).save(&path).unwrap();
    assert_eq!(mapped_old.get(0).unwrap().to_vec::<u32>().unwrap(), old);
    assert_eq!(mapped_new.get(0).unwrap().to_vec::<u32>().unwrap(), new);
    assert_eq!(read_file(&path).unwrap().get(0).unwrap().element_count(), 0);
}

#[test]
fn a_file_can_be_saved_over_by_what_is_mapped_from_it() {
    let folder = Folder::new("itself");
    let path = folder.file("model.kiln");
    fs::write(&path, block::sample()).unwrap();
    let source = mapped(&path).unwrap();
    let directory = source.as_directory();
    let mut part = Builder::new();
    part.push_tensor(directory.get_by_name("mask").unwrap()).unwrap();
    part.save(&path).unwrap();
    assert_eq!(read_file(&path).unwrap().get(0), directory.get(1));
    Builder::of(&directory).unwrap().save(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), block::sample());
}

#[test]
fn a_save_that_fails_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new("failed");
    let path = folder.file("model.kiln");
    fs::write(&path, "old").unwrap();
    let failed = replace_file(&path, |file| {
        file.write_all(b"half of the new one")?;
        Err::<(), _>(io::Error::other("the disk is full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    assert_eq!((fs::read(&path).unwrap(), folder.names()), (b"old".to_vec(), vec!["model.kiln".to_owned()]));
    let unwound = std::panic::catch_unwind(|| replace_file::<()>(&path, |_| panic!("in the middle")));
    assert!(unwound.is_err());
    assert_eq!((fs::read(&path).unwrap(), folder.names()), (b"old".to_vec(), vec!["model.kiln".to_owned()]));

    let builder = builder(&[1, 2, 3]);
    // No such directory, a file in its place, a directory in the place of the file.
    assert_eq!(builder.save(folder.file("none/model.kiln")).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(builder.save(path.join("model.kiln")).unwrap_err().kind(), ErrorKind::NotADirectory);
    assert_eq!(builder.save(&folder.0).unwrap_err().kind(), ErrorKind::IsADirectory);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(folder.names(), ["model.kiln"]);
    // What a new file would have been is not there either.
    let failed = replace_file(folder.file("new.kiln"), |_| Err::<(), _>(io::Error::other("no")));
    assert!(failed.is_err());
    assert_eq!(folder.names(), ["model.kiln"]);
}

#[test]
fn what_is_written_lies_beside_its_target_until_it_is_whole() {
    let folder = Folder::new("beside");
    let path = folder.file("model.kiln");
    replace_file(&path, |file| {
        assert_eq!(folder.names().len(), 1);
        file.write_all(b"new")?;
        assert_eq!(fs::read(folder.file(&folder.names()[0]))?, b"new");
        assert!(!path.exists());
        Ok(())
    })
    .unwrap();
    assert_eq!((folder.names(), fs::read(&path).unwrap()), (vec!["model.kiln".to_owned()], b"new".to_vec()));
}

/// Nobody can be there before, and what a killed process has left is in nobody's way.
#[test]
fn temporary_names_cannot_be_foretold() {
    let folder = Folder::new("names");
    let path = folder.file("model.kiln");
    let mut names = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let name = replace_file(&path, |_| Ok(folder.names().remove(0))).unwrap();
        let number = name.strip_prefix(".kiln-").and_then(|name| name.strip_suffix(".tmp")).unwrap();
        names.insert(u64::from_str_radix(number, 16).unwrap());
    }
    assert_eq!(names.len(), 100);
    // Not counted up, neither by ones nor by anything else.
    let numbers: Vec<u64> = names.iter().copied().collect();
    let steps: std::collections::BTreeSet<u64> = numbers.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(steps.len(), 99);
    fs::write(folder.file(".kiln-0123456789abcdef.tmp"), "left").unwrap();
    builder(&[1]).save(&path).unwrap();
    assert_eq!(folder.names(), [".kiln-0123456789abcdef.tmp", "model.kiln"]);
}

#[test]
fn nothing_is_written_for_a_path_that_cannot_be() {
    let folder = Folder::new("longest");
    // No file system has names of so many bytes.
    let path = folder.file(&"n".repeat(5_000));
    let failed = replace_file::<()>(&path, |_| panic!("not to be called"));
    assert_ne!(failed.unwrap_err().kind(), ErrorKind::NotFound);
    // Nor are there files without a name; what is no file is found out before anything is written.
    for name in ["none/", "none/.", "none/..", "none/none", "", ".", "..", "./"] {
        let path = if name.is_empty() { PathBuf::new() } else { folder.0.join(name) };
        replace_file::<()>(&path, |_| panic!("not to be called")).unwrap_err();
    }
    replace_file::<()>("/", |_| panic!("not to be called")).unwrap_err();
    assert!(folder.names().is_empty());
    fs::write(folder.file("old"), "old").unwrap();
    for name in ["old/", "old/.", "old/new"] {
        replace_file::<()>(folder.0.join(name), |_| panic!("not to be called")).unwrap_err();
    }
    assert_eq!(
        (folder.names(), fs::read(folder.file("old")).unwrap()),
        (vec!["old".to_owned()], b"old".to_vec())
    );
    // A way round is one.
    replace_file(folder.0.join("./../").join(folder.0.file_name().unwrap()).join("old"), |_| Ok(())).unwrap();
    assert_eq!(fs::read(folder.file("old")).unwrap(), b"");
}

#[test]
fn a_stream_that_takes_no_more_is_an_error() {
    let elements = vec![7u32; 100_000];
    let builder = builder(&elements);
    // Fails in the header, between, and in the payload.
    for room in [0, 63, 64, 200, 20_000, 300_000, builder.encoded_len() as usize - 1] {
        let mut out = vec![0; room];
        let error = builder.write_to(&mut &mut out[..]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WriteZero);
    }
    let mut out = vec![0; builder.encoded_len() as usize];
    assert_eq!(builder.write_to(&mut &mut out[..]).unwrap(), out.len() as u64);
    assert_eq!(out, builder.to_vec().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let builder = builder(&[1, 2, 3]);
    let mut full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    assert_eq!(builder.write_to(&mut full).unwrap_err().kind(), ErrorKind::StorageFull);
}

/// Not tried with a device, which a superuser would be without if it failed.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_written_to_and_stays_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let folder = Folder::new("pipe");
    let path = folder.file("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    // More than a pipe holds, so that a writer sees that nobody reads on.
    let elements = vec![7u32; 1 << 20];
    let builder = builder(&elements);
    let block = builder.to_vec().unwrap();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(&path).unwrap());
        assert_eq!(builder.save(&path).unwrap(), block.len() as u64);
        assert!(reader.join().unwrap() == block);
        let reader = scope.spawn(|| drop(fs::File::open(&path).unwrap()));
        assert_eq!(builder.save(&path).unwrap_err().kind(), ErrorKind::BrokenPipe);
        reader.join().unwrap();
    });
    assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    assert_eq!(folder.names(), ["pipe"]);
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let folder = Folder::new("permissions");
    let path = folder.file("model.kiln");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let builder = builder(&[1, 2, 3]);
    // A new file has what every new file has.
    builder.save(&path).unwrap();
    fs::write(folder.file("plain"), "").unwrap();
    assert_eq!(mode(&path), mode(&folder.file("plain")));
    for permissions in [0o600, 0o640, 0o666, 0o755, 0o202] {
        fs::set_permissions(&path, fs::Permissions::from_mode(permissions)).unwrap();
        let before = fs::metadata(&path).unwrap().ino();
        // Not even while it is written is it more open than that.
        replace_file(&path, |file| {
            assert_eq!(file.metadata()?.permissions().mode() & 0o7777, permissions);
            builder.write_to(file)
        })
        .unwrap();
        assert_eq!(mode(&path), permissions);
        assert_ne!(fs::metadata(&path).unwrap().ino(), before);
    }
    // But for those that let whoever runs a file be somebody else.
    for permissions in [0o4755, 0o2755, 0o6711, 0o1644, 0o7777] {
        fs::set_permissions(&path, fs::Permissions::from_mode(permissions)).unwrap();
        assert_eq!(mode(&path), permissions);
        builder.save(&path).unwrap();
        assert_eq!(mode(&path), permissions & 0o777);
    }
    // What is taken away while the new file is written is taken away from it, too.
    replace_file(&path, |_| fs::set_permissions(&path, fs::Permissions::from_mode(0o600))).unwrap();
    assert_eq!(mode(&path), 0o600);
    let protected = replace_file(&path, |_| fs::set_permissions(&path, fs::Permissions::from_mode(0o400)));
    assert_eq!(protected.unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o400, vec![]));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let error = builder.save(&path).unwrap_err();
    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::PermissionDenied, "the file is read-only"));
}

/// What belongs to others, and what only they may do.
#[cfg(target_os = "linux")]
mod access {
    use super::{Folder, builder};
    use kiln::tensor::Replacement;
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    use rustix::process::{Gid, Uid};
    use std::fs;
    use std::io::{ErrorKind, Read, Seek, SeekFrom};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::path::{Path, PathBuf};

    const ACCESS: &str = "system.posix_acl_access";
    const DEFAULT: &str = "system.posix_acl_default";

    /// Somebody else, and one more.
    const OTHER: u32 = 54_321;
    const THIRD: u32 = 54_322;

    /// An access list: what the owner, a user by number, the group and others may, and what all but the owner and others
    /// may at most.
    fn list(owner: u16, (user, users): (u32, u16), group: u16, mask: u16, others: u16) -> Vec<u8> {
        const NOBODY: u32 = u32::MAX;
        let entries = [
            (1u16, owner, NOBODY),
            (2, users, user),
            (4, group, NOBODY),
            (0x10, mask, NOBODY),
            (0x20, others, NOBODY),
        ];
        let mut bytes = 2u32.to_le_bytes().to_vec();
        for (tag, may, id) in entries {
            bytes.extend([tag.to_le_bytes(), may.to_le_bytes()].concat());
            bytes.extend(id.to_le_bytes());
        }
        bytes
    }

    fn list_of(path: &Path) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 1000];
        let len = getxattr(path, ACCESS, &mut bytes[..]).ok()?;
        bytes.truncate(len);
        Some(bytes)
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn allow(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Runs `work` as somebody else, on a thread of its own: on Linux each has its own rights.
    fn as_other<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                rustix::thread::set_thread_groups(&[]).unwrap();
                rustix::thread::set_thread_res_gid(None, Gid::from_raw(OTHER), None).unwrap();
                rustix::thread::set_thread_res_uid(None, Uid::from_raw(OTHER), None).unwrap();
                work()
            });
            other.join().unwrap()
        })
    }

    /// As a shell does it with `>>`, and with a file that nobody has a name for any more.
    #[test]
    fn what_is_open_is_written_to_at_its_end_and_not_replaced() {
        use std::os::fd::AsRawFd;
        let folder = Folder::new("open");
        let path = folder.file("log");
        let builder = builder(&[1, 2, 3]);
        let block = builder.to_vec().unwrap();
        fs::write(&path, "before").unwrap();
        let open = fs::OpenOptions::new().append(true).read(true).open(&path).unwrap();
        let inode = fs::metadata(&path).unwrap().ino();
        let direct = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
        let by_device = PathBuf::from(format!("/dev/fd/{}", open.as_raw_fd()));
        std::os::unix::fs::symlink(&by_device, folder.file("link")).unwrap();
        let mut expected = b"before".to_vec();
        for link in [&direct, &by_device, &folder.file("link")] {
            assert_eq!(builder.save(link).unwrap(), block.len() as u64);
            expected.extend(&block);
            assert_eq!(fs::read(&path).unwrap(), expected);
            assert_eq!(Replacement::begin(link).unwrap_err().kind(), ErrorKind::InvalidInput);
        }
        assert_eq!(
            (fs::metadata(&path).unwrap().ino(), folder.names()),
            (inode, vec!["link".into(), "log".into()])
        );
        fs::remove_file(&path).unwrap();
        builder.save(&direct).unwrap();
        expected.extend(&block);
        let mut found = Vec::new();
        (&open).seek(SeekFrom::Start(0)).unwrap();
        (&open).read_to_end(&mut found).unwrap();
        assert_eq!((found, folder.names()), (expected, vec!["link".to_owned()]));
    }

    #[test]
    fn an_access_list_is_kept_and_none_is_taken_on() {
        let folder = Folder::new("lists");
        let path = folder.file("model.kiln");
        let builder = builder(&[1, 2, 3]);
        // The group may nothing, and what looks like its bits is what the list grants to anybody.
        let granted = list(6, (THIRD, 6), 0, 6, 0);
        fs::write(&path, "old").unwrap();
        setxattr(&path, ACCESS, &granted, XattrFlags::empty()).unwrap();
        assert_eq!(mode(&path), 0o660);
        builder.save(&path).unwrap();
        assert_eq!((list_of(&path).unwrap(), mode(&path)), (granted, 0o660));

        // The directory has a list for what is new in it. An old file without one stays without.
        let given = list(7, (THIRD, 7), 7, 7, 7);
        let old = folder.file("old.kiln");
        fs::write(&old, "old").unwrap();
        allow(&old, 0o640);
        setxattr(&folder.0, DEFAULT, &given, XattrFlags::empty()).unwrap();
        builder.save(&old).unwrap();
        assert_eq!((list_of(&old), mode(&old)), (None, 0o640));
        // A new one gets what every new one gets.
        let new = folder.file("new.kiln");
        builder.save(&new).unwrap();
        fs::write(folder.file("plain"), "").unwrap();
        assert!(list_of(&new).is_some());
        assert_eq!(
            (list_of(&new), mode(&new)),
            (list_of(&folder.file("plain")), mode(&folder.file("plain")))
        );
    }

    /// Needs a superuser, who can make files of others, and be others; `another_owner_or_group_lets_nobody_do_more`
    /// needs none.
    #[test]
    fn the_owner_is_kept_or_nobody_gets_more() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let elements = [1, 2, 3];
        // Where somebody else can come to it.
        let folder = Folder(std::env::temp_dir().join(format!("kiln-io_files-{}-owner", std::process::id())));
        fs::create_dir_all(&folder.0).unwrap();
        allow(&folder.0, 0o777);
        let path = folder.file("model.kiln");
        let owner = |path: &Path| fs::metadata(path).map(|found| (found.uid(), found.gid())).unwrap();
        let made = |mode: u32, uid: u32, gid: u32| {
            let _ = fs::remove_file(&path);
            fs::write(&path, "old").unwrap();
            chown(&path, Some(uid), Some(gid)).unwrap();
            allow(&path, mode);
        };
        // A superuser keeps it.
        made(0o640, OTHER, THIRD);
        builder(&elements).save(&path).unwrap();
        assert_eq!((owner(&path), mode(&path)), ((OTHER, THIRD), 0o640));
        let granted = list(6, (0, 6), 0, 6, 0);
        setxattr(&path, ACCESS, &granted, XattrFlags::empty()).unwrap();
        builder(&elements).save(&path).unwrap();
        assert_eq!((owner(&path), list_of(&path)), ((OTHER, THIRD), Some(granted.clone())));

        // Others cannot. Their group is none of those that had the bits of the group.
        for (old, new) in [(0o664, 0o644), (0o660, 0o600), (0o6777, 0o777), (0o606, 0o600), (0o246, 0o200)] {
            made(old, THIRD, THIRD);
            as_other(|| builder(&elements).save(&path).unwrap());
            assert_eq!((owner(&path), mode(&path)), ((OTHER, OTHER), new), "{old:o}");
        }
        // The owner can keep it, and a group that is another one cannot be given.
        made(0o664, OTHER, THIRD);
        as_other(|| builder(&elements).save(&path).unwrap());
        assert_eq!((owner(&path), mode(&path)), ((OTHER, OTHER), 0o644));
        // What a list grants goes by owner and group.
        made(0o600, THIRD, THIRD);
        setxattr(&path, ACCESS, &granted, XattrFlags::empty()).unwrap();
        assert_eq!(mode(&path), 0o660);
        as_other(|| builder(&elements).save(&path).unwrap());
        assert_eq!((owner(&path), mode(&path), list_of(&path)), ((OTHER, OTHER), 0o600, None));

        // A directory that may be written to and not read cannot be flushed, which is no error.
        chown(&folder.0, Some(OTHER), Some(OTHER)).unwrap();
        allow(&folder.0, 0o300);
        as_other(|| builder(&elements).save(&path).unwrap());
        // One that may not be written to leaves the old file.
        allow(&folder.0, 0o500);
        let before = fs::read(&path).unwrap();
        let refused = as_other(|| builder(&[]).save(&path).unwrap_err());
        assert_eq!((refused.kind(), fs::read(&path).unwrap()), (ErrorKind::PermissionDenied, before));
        assert_eq!(folder.names(), ["model.kiln"]);
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_followed_and_stays() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    fs::create_dir(folder.file("store")).unwrap();
    let target = folder.file("store/v1.kiln");
    let builder = builder(&[1, 2, 3]);
    let block = builder.to_vec().unwrap();
    // A link to a link, the second one relative; first to nothing, then to a file.
    symlink("store/latest", folder.file("model.kiln")).unwrap();
    symlink("v1.kiln", folder.file("store/latest")).unwrap();
    for old in [None, Some("old")] {
        if let Some(old) = old {
            fs::write(&target, old).unwrap();
        }
        builder.save(folder.file("model.kiln")).unwrap();
        assert_eq!(fs::read(&target).unwrap(), block);
        assert!(fs::symlink_metadata(folder.file("model.kiln")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(folder.file("store/latest")).unwrap().is_symlink());
    }
    assert_eq!(folder.names(), ["model.kiln", "store"]);
    symlink("b", folder.file("a")).unwrap();
    symlink("a", folder.file("b")).unwrap();
    builder.save(folder.file("a")).unwrap_err();
    assert_eq!(folder.names(), ["a", "b", "model.kiln", "store"]);
}

#[test]
fn a_reader_sees_one_whole_file_or_another() {
    let folder = Folder::new("together");
    let path = folder.file("model.kiln");
    let ones = vec![1u32; 30_000];
    let twos = vec![2u32; 10_000];
    builder(&ones).save(&path).unwrap();
    let rounds = if cfg!(target_arch = "x86_64") { 100 } else { 20 };
    std::thread::scope(|scope| {
        for elements in [&ones, &twos] {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..rounds {
                    builder(elements).save(path).unwrap();
                }
            });
        }
        for _ in 0..rounds {
            let found = read_file(&path).unwrap();
            let found = found.get(0).unwrap().to_vec::<u32>().unwrap();
            assert!(found == ones || found == twos);
        }
    });
    assert_eq!(folder.names(), ["model.kiln"]);
}

#[test]
fn an_empty_file_is_eof() {
    let folder = Folder::new("empty");
    let path = folder.file("empty.kiln");
    fs::write(&path, "").unwrap();
    for error in [rejected(read_file(&path)), rejected(mapped(&path))] {
        assert_eq!((error.code(), error.step(), error.offset()), (Code::Eof, Some(1), 0));
        assert_eq!(Err(error), Directory::read(&[]).map(drop));
    }
}

#[test]
fn what_cannot_be_read_is_an_io_error() {
    let folder = Folder::new("unreadable");
    for error in [failed(read_file(folder.file("none"))), failed(mapped(&folder.file("none")))] {
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
    for error in [failed(read_file(&folder.0)), failed(mapped(&folder.0))] {
        assert_eq!(error.kind(), ErrorKind::IsADirectory);
    }
    #[cfg(target_os = "linux")]
    {
        let error = failed(mapped(Path::new("/dev/zero")));
        assert_eq!(
            (error.kind(), &*error.to_string()),
            (ErrorKind::InvalidInput, "only a regular file can be mapped")
        );
        // A device can be read, and this one is no directory.
        assert_eq!(rejected(read_file("/dev/zero")).code(), Code::Frame);
    }
}

#[test]
fn a_file_has_the_verdict_of_its_bytes() {
    let folder = Folder::new("verdict");
    let path = folder.file("model.kiln");
    let sample = block::sample();
    let mut all = Vec::new();
    for len in [3, 63, 64, 500, 1000, sample.len() - 1, sample.len()] {
        all.push(sample[..len].to_vec());
    }
    for more in [1, 64, 5000] {
        all.push([&sample[..], &vec![0; more]].concat());
    }
    for at in (0..sample.len()).step_by(7) {
        let mut bytes = sample.clone();
        bytes[at] ^= 0x11;
        all.push(bytes);
    }
    for bytes in all {
        fs::write(&path, &bytes).unwrap();
        match Directory::read(&bytes) {
            Ok(directory) => {
                assert_eq!(read_file(&path).unwrap(), directory);
                assert_eq!(mapped(&path).unwrap().as_directory(), directory);
            }
            Err(error) => {
                // With the numbers: a file knows how many bytes are left over.
                assert_eq!(rejected(read_file(&path)), error);
                assert_eq!(rejected(mapped(&path)), error);
            }
        }
    }
}

#[test]
fn the_limits_are_those_given() {
    let folder = Folder::new("limits");
    let path = folder.file("model.kiln");
    let sample = block::sample();
    fs::write(&path, &sample).unwrap();
    let storage = sample.len().next_multiple_of(64) as u64;
    assert!(read_file_with(&path, &Limits::DEFAULT.with_owned(storage)).is_ok());
    let error = rejected(read_file_with(&path, &Limits::DEFAULT.with_owned(storage - 1)));
    assert_eq!((error.code(), error.reason()), (Code::Limit, Reason::Budget));
    let limits = Limits::DEFAULT.with_owned(0).with_count(6);
    #[allow(unsafe_code)]
    // SAFETY: as in `mapped`.
    let found = unsafe { open_with(&path, &limits) };
    let error = rejected(found);
    assert_eq!((error.code(), error.claimed(), error.allowed()), (Code::Limit, Some(7), Some(6)));
    // A mapping owns nothing.
    #[allow(unsafe_code)]
    // SAFETY: as in `mapped`.
    let found = unsafe { open_with(&path, &limits.with_count(7)) };
    assert_eq!(found.unwrap().len(), 7);
}

#[test]
fn errors_say_what_they_come_from() {
    let error = ReadError::from(io::Error::other("no more"));
    assert_eq!(error.to_string(), "no more");
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "no more");
    let error = ReadError::from(Directory::read(&[]).unwrap_err());
    assert_eq!(error.to_string(), Directory::read(&[]).unwrap_err().to_string());
    assert!(std::error::Error::source(&error).is_some());
}
