//! Bytes to scalars, lengths and runs, and back. Chapters: Byte order, Widths and lengths, Lengths and
//! allocation, Depth.

mod nest;
mod reader;
mod trusted;
pub(crate) mod writer;

pub(crate) use nest::Nest;
pub(crate) use reader::NoList;
pub use reader::{Chunk, Reader, Source};
pub use trusted::{Trusted, TrustedReader, from_slice_trusted};
#[cfg(feature = "std")]
pub(crate) use writer::StreamSink;
pub use writer::{Measure, Sink};

/// How many containers may be nested inside one another, the outermost included.
pub const MAX_DEPTH: u32 = 64;

pub(crate) mod sealed {
    /// Keeps [`Source`](super::Source) and [`Sink`](super::Sink) to this crate.
    pub trait Sealed {}
}
