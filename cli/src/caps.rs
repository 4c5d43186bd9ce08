//! The caps that a command reads within.

use kiln::Limits;

/// Above these a count or a run is LIMIT.
#[derive(clap::Args)]
pub(crate) struct Caps {
    /// The largest count of a list, a dict or a directory
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.count)]
    max_count: u64,
    /// The longest string, byte run or name heap, in bytes
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.bytes)]
    max_bytes: u64,
}

impl Caps {
    pub(crate) fn limits(&self) -> Limits {
        Limits::DEFAULT.with_count(self.max_count).with_bytes(self.max_bytes)
    }
}
