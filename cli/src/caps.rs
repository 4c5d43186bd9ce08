//! The caps that a command reads within.

use kiln::{Limits, Reason};

/// Above these a count, a run or what is kept in memory is LIMIT.
#[derive(clap::Args)]
pub(crate) struct Caps {
    /// The largest count of a list, a dict or a directory (16777216 if not given)
    #[arg(long, value_name = "N")]
    max_count: Option<u64>,
    /// The longest string, byte run or name heap, in bytes (16777216 if not given)
    #[arg(long, value_name = "N")]
    max_bytes: Option<u64>,
    /// The most that is kept in memory of a value or of what comes from a stream, in bytes (1073741824 if not given)
    #[arg(long, value_name = "N")]
    max_owned: Option<u64>,
}

impl Caps {
    /// What was given, and otherwise what every reader keeps to.
    pub(crate) fn limits(&self) -> Limits {
        self.limits_or(&Limits::DEFAULT)
    }

    /// What was given, and otherwise this.
    pub(crate) fn limits_or(&self, others: &Limits) -> Limits {
        others
            .with_count(self.max_count.unwrap_or(others.count))
            .with_bytes(self.max_bytes.unwrap_or(others.bytes))
            .with_owned(self.max_owned.unwrap_or(others.owned))
    }

    /// The most that is read from a stream.
    pub(crate) fn owned(&self) -> u64 {
        self.max_owned.unwrap_or(Limits::DEFAULT.owned)
    }
}

/// The option that raises the cap behind a LIMIT.
pub(crate) fn option(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::CountCap | Reason::TensorCountCap => Some("--max-count"),
        Reason::RunCap | Reason::NameBytesCap => Some("--max-bytes"),
        Reason::Budget => Some("--max-owned"),
        _ => None,
    }
}

/// The same at the end of a line about an error.
pub(crate) fn advice(reason: Reason) -> String {
    option(reason).map_or(String::new(), |option| format!(" ({option} N allows more)"))
}
