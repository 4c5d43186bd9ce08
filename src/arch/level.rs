//! Which instructions the kernels may use: found out once, at run time where there is a standard library.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions that kernels are compiled for.
///
/// Every level gives the same answers; they differ in speed only. The [best](Self::best) one that the processor has is
/// chosen at run time, once per process. Without the feature `std` the choice is made at compile time, from
/// the target features that the program is built with.
///
/// ```
/// use kiln::arch::Level;
///
/// for level in Level::available() {
///     println!("{level}{}", if level == Level::current() { " (in use)" } else { "" });
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Plain Rust for the least that the target promises: SSE2 on x86-64, NEON on aarch64, and no vectors at all where a
    /// target leaves them alone, as `x86_64-unknown-none` does. Every processor has it.
    Scalar,
    /// SSE4.2 and what came before it, on x86-64: for processors and emulators without AVX2.
    Sse42,
    /// AVX2 and F16C, on x86-64.
    Avx2,
    /// AVX-512 as far as processors from Skylake-X and Zen 4 on have it (F, BW, VL and DQ), on x86-64. Never chosen
    /// unasked: it has been tested, and not yet measured on such a processor.
    Avx512,
    /// NEON, on aarch64: beyond plain Rust, which NEON is the least of there, kernels written for it.
    Neon,
}

/// The level in use, as its place in [`Level::ALL`] plus one; 0 before it is known. Only levels that the
/// processor has are ever stored.
static CURRENT: AtomicU8 = AtomicU8::new(0);

impl Level {
    /// The levels of every processor, in ascending order: a later one is made for newer processors.
    pub const ALL: &'static [Level] = &[Level::Scalar, Level::Sse42, Level::Avx2, Level::Avx512, Level::Neon];

    /// The levels that this process can use, in ascending order; [`Scalar`](Self::Scalar) is always the first.
    pub fn available() -> impl DoubleEndedIterator<Item = Level> + Clone {
        Level::ALL.iter().copied().filter(|level| level.is_available())
    }

    /// Whether this process can use the level.
    pub fn is_available(self) -> bool {
        match self {
            Level::Scalar => true,
            Level::Sse42 => has_sse42(),
            Level::Avx2 => has_avx2(),
            Level::Avx512 => has_avx2() && has_avx512(),
            Level::Neon => {
                cfg!(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))
            }
        }
    }

    /// The fastest level that this process can use, of those that were measured: not [`Avx512`](Self::Avx512), which
    /// has to be [forced](Self::force).
    pub fn best() -> Level {
        Level::available().rfind(|level| *level != Level::Avx512).unwrap_or(Level::Scalar)
    }

    /// The level in use: the [`best`](Self::best), or the one [forced](Self::force).
    #[inline]
    pub fn current() -> Level {
        match Level::ALL.get(usize::from(CURRENT.load(Ordering::Relaxed)).wrapping_sub(1)) {
            Some(&level) => level,
            None => detect(),
        }
    }

    /// Makes this the level in use, for the whole process and from now on. `Level::best().force()` takes it back.
    ///
    /// For finding out what a level is worth, or whether one is at fault. What is already running may
    /// still finish at the level that it began with.
    ///
    /// # Errors
    /// [`Unavailable`] when the processor lacks it; the level in use is then as before.
    ///
    /// ```
    /// use kiln::arch::Level;
    ///
    /// Level::Scalar.force()?;
    /// assert_eq!(Level::current(), Level::Scalar);
    /// # Ok::<(), kiln::arch::Unavailable>(())
    /// ```
    pub fn force(self) -> Result<(), Unavailable> {
        if !self.is_available() {
            return Err(Unavailable(self));
        }
        CURRENT.store(self.code(), Ordering::Relaxed);
        Ok(())
    }

    #[expect(clippy::arithmetic_side_effects, reason = "there are few levels")]
    fn code(self) -> u8 {
        self as u8 + 1
    }

    /// The name, as [`from_name`](Self::from_name) takes it: `scalar`, `sse42`, `avx2`, `avx512`, `neon`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Sse42 => "sse42",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
            Level::Neon => "neon",
        }
    }

    /// The level of that name, whether the processor has it or not.
    ///
    /// ```
    /// # use kiln::arch::Level;
    /// assert_eq!(Level::from_name("avx2"), Some(Level::Avx2));
    /// assert_eq!(Level::from_name("mmx"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.iter().copied().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A level was asked for that this process cannot use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable(
    /// The level.
    pub Level,
);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this processor lacks the level {}", self.0)
    }
}

impl core::error::Error for Unavailable {}

#[cfg(feature = "std")]
#[cold]
fn detect() -> Level {
    let best = Level::best();
    // Another thread may have forced a level in between: then that one counts.
    match CURRENT.compare_exchange(0, best.code(), Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => best,
        Err(_) => Level::current(),
    }
}

/// What the compiler already knows need not be remembered.
#[cfg(not(feature = "std"))]
fn detect() -> Level {
    Level::best()
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
fn has_sse42() -> bool {
    std::arch::is_x86_feature_detected!("sse4.2") && std::arch::is_x86_feature_detected!("ssse3")
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("f16c")
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vl")
        && std::arch::is_x86_feature_detected!("avx512dq")
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
fn has_sse42() -> bool {
    cfg!(all(target_arch = "x86_64", target_feature = "sse4.2", target_feature = "ssse3"))
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
fn has_avx2() -> bool {
    cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "f16c"))
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
fn has_avx512() -> bool {
    cfg!(all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512vl",
        target_feature = "avx512dq",
    ))
}
