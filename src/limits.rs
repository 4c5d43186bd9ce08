//! What a reader accepts before it has to say LIMIT.

/// The caps of a reader. Chapter: Caps.
///
/// The first two are part of the published verdict: a count above [`count`](Self::count) or a run above
/// [`bytes`](Self::bytes) is LIMIT, whatever follows it. The third belongs to this implementation and never
/// decides whether bytes are a Kiln value, only whether this process wants to own it.
///
/// ```
/// use kiln::{Code, Limits};
/// let bytes = kiln::to_vec(&vec![1u16, 2, 3])?;
/// let limits = Limits::DEFAULT.with_count(2);
/// let error = kiln::from_slice_with::<Vec<u16>>(&bytes, &limits).unwrap_err();
/// assert_eq!(error.code(), Code::Limit);
/// # Ok::<(), kiln::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest count of one list, one dict or one directory, in elements.
    pub count: u64,
    /// The longest string, byte run, dict key or name heap, in bytes.
    pub bytes: u64,
    /// What one owned decode may allocate in all, in bytes, each container charged at an upper bound before
    /// it is made, without what the allocator adds for each block. The table by which the names of a directory are told apart comes beside it, owned or borrowed:
    /// at most half of the length of the descriptors, and 1 KiB.
    pub owned: u64,
}

impl Limits {
    /// 16,777,216 for a count, 16 MiB for a run, 1 GiB owned.
    pub const DEFAULT: Limits = Limits { count: 16_777_216, bytes: 16 << 20, owned: 1 << 30 };

    /// No caps: every count and run that the bytes really hold, and as much memory as that takes.
    pub const NONE: Limits = Limits { count: u64::MAX, bytes: u64::MAX, owned: u64::MAX };

    /// The same limits with another cap for one count, in elements.
    #[must_use]
    pub const fn with_count(self, count: u64) -> Limits {
        Limits { count, ..self }
    }

    /// The same limits with another cap for one run, in bytes.
    #[must_use]
    pub const fn with_bytes(self, bytes: u64) -> Limits {
        Limits { bytes, ..self }
    }

    /// The same limits with another budget for what one decode may own, in bytes.
    #[must_use]
    pub const fn with_owned(self, owned: u64) -> Limits {
        Limits { owned, ..self }
    }
}

impl Default for Limits {
    /// [`Limits::DEFAULT`].
    fn default() -> Self {
        Limits::DEFAULT
    }
}
