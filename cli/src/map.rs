//! The one place where a file is mapped.
#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps a whole file for reading.
///
/// The bytes are checked where they lie and nothing is remembered about them past the run. A file that another
/// process cuts short meanwhile ends this one with a bus error; `--no-mmap` reads such files instead.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and never handed out as anything but bytes that are checked on every use;
    // a program that writes the file meanwhile is the user's to avoid, as the help of --no-mmap says.
    unsafe { Mmap::map(file) }
}
