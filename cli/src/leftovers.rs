//! Temporary files, which no end of the program but a kill leaves behind.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those that there are. Who makes, renames or removes one holds the lock meanwhile, so that whoever ends the program
/// knows of all of them and finds none half renamed.
static THERE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn there() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    THERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a temporary file, to be removed when a signal ends the program.
pub(crate) fn make<T>(make: impl FnOnce() -> io::Result<T>, path: impl Fn(&T) -> &Path) -> io::Result<T> {
    watch();
    let mut there = there();
    let made = make()?;
    there.insert(path(&made).to_path_buf());
    Ok(made)
}

/// Renames or removes the temporary file at `path`.
pub(crate) fn settle<T>(path: &Path, settle: impl FnOnce() -> T) -> T {
    let mut there = there();
    let settled = settle();
    there.remove(path);
    settled
}

/// Starts the thread that waits for the signals that end the program, once.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::{Once, mpsc};
    use std::thread;

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let (ready, waits) = mpsc::channel();
        let watcher = move || {
            // All that come from without; a fault of the program's own has no safe handler.
            let ends = [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU];
            let signals = Signals::new(ends.into_iter().filter(|&signal| !is_ignored(signal)));
            // The program waits for this line, and then for nothing.
            let _ = ready.send(());
            let Ok(mut signals) = signals else { return };
            if let Some(signal) = signals.forever().next() {
                let there = there();
                for path in &*there {
                    // The program ends by the signal, whatever became of the file.
                    let _ = std::fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        };
        // Where no thread can be started the signals do what they always do.
        if thread::Builder::new().spawn(watcher).is_ok() {
            let _ = waits.recv();
        }
    });
}

/// Whether the program was started with this signal ignored, as `nohup` does it, which it is to stay.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let ignored = std::fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    });
    let bit = u32::try_from(signal).ok().and_then(|signal| signal.checked_sub(1));
    bit.and_then(|bit| ignored?.checked_shr(bit)).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(not(unix))]
fn watch() {}
