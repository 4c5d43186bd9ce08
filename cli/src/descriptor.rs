//! The descriptors that the program was started with.
#![allow(unsafe_code)]

#[cfg(unix)]
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};

/// A bit for each of the three standard descriptors that was closed.
static CLOSED: AtomicU8 = AtomicU8::new(0);

// Before `main` the standard library opens the null device in the place of a standard descriptor that is closed, and
// from then on what is written there is lost without a word.
#[cfg(unix)]
ctor::declarative::ctor! {
    // SAFETY: makes two system calls, through a crate that needs no runtime, and stores a number.
    #[ctor(unsafe)]
    fn look_at_standard_descriptors() {
        use rustix::io::{Errno, fcntl_getfd};
        let input = fcntl_getfd(rustix::stdio::stdin()) == Err(Errno::BADF);
        let output = fcntl_getfd(rustix::stdio::stdout()) == Err(Errno::BADF);
        CLOSED.store(u8::from(input) | u8::from(output) << 1, Ordering::Relaxed);
    }
}

/// An error if the program was started without the standard descriptor of that number, 0 or 1.
pub(crate) fn open(number: u8) -> io::Result<()> {
    if CLOSED.load(Ordering::Relaxed) >> number & 1 == 0 {
        return Ok(());
    }
    #[cfg(unix)]
    return Err(rustix::io::Errno::BADF.into());
    #[cfg(not(unix))]
    return Err(io::ErrorKind::NotFound.into());
}

/// The same open file as descriptor `number`, with its position and its mode: what is opened anew by its path begins at
/// the start, and does not append.
#[cfg(unix)]
pub(crate) fn duplicate(number: u32) -> io::Result<File> {
    use std::os::fd::BorrowedFd;
    if let Ok(number @ 0..=1) = u8::try_from(number) {
        open(number)?;
    }
    let number = i32::try_from(number).map_err(|_| io::Error::from(rustix::io::Errno::BADF))?;
    // SAFETY: the descriptor is used for this one call, which fails when it is none. A command looks at its paths before
    // it opens anything, on one thread, so that nobody closes one meanwhile; and no type counts on being the only
    // owner of a descriptor that the user has named.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    Ok(File::from(borrowed.try_clone_to_owned()?))
}
