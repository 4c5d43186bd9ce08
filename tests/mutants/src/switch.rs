#[doc(hidden)]
#[allow(warnings)]
pub(crate) mod mutant {
    extern crate std;
    use core::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
    use std::prelude::v1::*;

    const UNKNOWN: u32 = u32::MAX;
    const RECORDING: u32 = u32::MAX - 1;
    static NOW: AtomicU32 = AtomicU32::new(UNKNOWN);
    static REACHED: [AtomicU8; COUNT] = [const { AtomicU8::new(0) }; COUNT];

    /// Whether this run is that mutant's. Says, in a run that records, that a test came by.
    #[inline(always)]
    pub(crate) fn on(id: u32) -> bool {
        let now = NOW.load(Relaxed);
        if now >= RECORDING { other(id, now) } else { now == id }
    }

    #[cold]
    #[inline(never)]
    fn other(id: u32, mut now: u32) -> bool {
        if now == UNKNOWN {
            // Not by the standard library, which allocates for it: there are tests that count allocations.
            if unsafe { !getenv(c"KILN_MUTANTS_REACHED".as_ptr()).is_null() } {
                now = RECORDING;
                unsafe { atexit(write) };
            } else {
                let id = unsafe { getenv(c"KILN_MUTANT".as_ptr()) };
                now = if id.is_null() { 0 } else { unsafe { atoi(id) as u32 } };
            }
            NOW.store(now, Relaxed);
        }
        if now == RECORDING {
            REACHED[id as usize].store(1, Relaxed);
        }
        now == id
    }

    extern "C" fn write() {
        let bytes: std::vec::Vec<u8> = REACHED.iter().map(|reached| reached.load(Relaxed)).collect();
        let folder = std::env::var_os("KILN_MUTANTS_REACHED").unwrap();
        let path = std::path::Path::new(&folder).join(std::process::id().to_string());
        std::fs::write(path, bytes).unwrap();
    }

    unsafe extern "C" {
        fn getenv(name: *const core::ffi::c_char) -> *const core::ffi::c_char;
        fn atoi(digits: *const core::ffi::c_char) -> i32;
        fn atexit(call: extern "C" fn()) -> i32;
    }
}
