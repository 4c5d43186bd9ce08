//! Finding blocks inside something larger: a log, a capture, a damaged disk.
//!
//! The two magics are searched for at memory speed, and each hit is put before the reader.
//!
//! ```
//! use kiln::scan::{Verdict, scan};
//! # let block: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/golden/tensors.kiln"));
//! let mut log = b"12:00 received ".to_vec();
//! log.extend_from_slice(block);
//! log.extend_from_slice(b"\n12:01 lost a KLNT\n");
//!
//! let hits: Vec<_> = scan(&log).collect();
//! assert_eq!(hits.len(), 2);
//! assert_eq!(hits[0].offset, 15);
//! assert!(matches!(&hits[0].verdict, Verdict::Directory(directory) if directory.as_bytes() == block));
//! assert!(matches!(hits[1].verdict, Verdict::Rejected(error) if error.code() == kiln::Code::Eof));
//! ```

use crate::error::Error;
use crate::frame;
use crate::limits::Limits;
use crate::tensor::{Directory, Header, block_len, looked_at};
use core::iter::FusedIterator;
use memchr::memmem::Finder;

/// A magic, and what the reader says to it.
#[derive(Clone, Debug)]
pub struct Hit<'a> {
    /// Where the magic begins, in bytes from the start of what is scanned.
    pub offset: usize,
    /// Whether the magic is a frame's or a directory's.
    pub kind: Kind,
    /// The reader's answer.
    pub verdict: Verdict<'a>,
}

/// Which magic it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `KLNT`
    Directory,
    /// `KLN0`
    Frame,
}

/// What stands behind a magic.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Verdict<'a> {
    /// A directory, accepted. The scan goes on behind it.
    Directory(Directory<'a>),
    /// A sound frame. Where its value ends only the type knows; the scan goes on behind the frame.
    Frame {
        /// The hash of the type.
        schema_hash: u64,
    },
    /// No such block. Offsets count from the magic; [`Error::describe`] wants the bytes from there on. The scan goes
    /// on behind the magic.
    Rejected(Error),
    /// Not looked at: so much was read of blocks before this one, which overlap and were rejected, that reading on would
    /// take more than time linear in the input. A header that only claims bytes is charged no more than is read of it,
    /// so it takes blocks whose faults lie at their ends, and nobody writes such bytes by accident.
    Unread,
}

/// Finds the blocks in `bytes`, within the default limits.
pub fn scan(bytes: &[u8]) -> Scan<'_> {
    scan_with(bytes, &Limits::DEFAULT)
}

/// [`scan`] within `limits`.
pub fn scan_with<'a>(bytes: &'a [u8], limits: &Limits) -> Scan<'a> {
    Scan {
        bytes,
        at: 0,
        limits: *limits,
        magics: Finder::new(MAGICS),
        allowance: (bytes.len() as u64).saturating_mul(ALLOWANCE),
    }
}

/// What the two magics have in common; no third one has.
const MAGICS: &[u8] = b"KLN";

/// How many times over the bytes may be read in vain.
const ALLOWANCE: u64 = 8;

/// What may be read of each block in vain besides: the descriptors that are gone through together. A header takes 64
/// bytes, so that all of them together are read in time linear in the input.
const FREE: u64 = 64 * 128;

/// The blocks in a slice, in order: see [`scan`].
#[derive(Clone, Debug)]
pub struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    limits: Limits,
    magics: Finder<'static>,
    allowance: u64,
}

impl<'a> Scan<'a> {
    fn directory(&mut self, rest: &'a [u8]) -> (Verdict<'a>, usize) {
        let magic = Header::MAGIC.len();
        if self.allowance == 0 && block_len(rest).is_some_and(|len| len <= rest.len()) {
            return (Verdict::Unread, magic);
        }
        match Directory::read_embedded_with(rest, &self.limits) {
            Ok((directory, _)) => {
                let len = directory.as_bytes().len();
                (Verdict::Directory(directory), len)
            }
            Err(error) => {
                // What was read, and not what the header claims: else a few headers could use up what is meant for all.
                let charged = looked_at(rest, &error).saturating_sub(FREE);
                self.allowance = self.allowance.saturating_sub(charged);
                (Verdict::Rejected(error), magic)
            }
        }
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = Hit<'a>;

    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "positions in the bytes, at a magic that was found there"
    )]
    fn next(&mut self) -> Option<Hit<'a>> {
        loop {
            let unread = self.bytes.get(self.at..)?;
            let Some(found) = self.magics.find(unread) else {
                self.at = self.bytes.len();
                return None;
            };
            let offset = self.at + found;
            let rest = &unread[found..];
            let (kind, verdict, len) = if rest.starts_with(&Header::MAGIC) {
                let (verdict, len) = self.directory(rest);
                (Kind::Directory, verdict, len)
            } else if rest.starts_with(&frame::MAGIC) {
                match frame::peek(rest) {
                    Ok(schema_hash) => (Kind::Frame, Verdict::Frame { schema_hash }, frame::LEN),
                    Err(error) => (Kind::Frame, Verdict::Rejected(error), frame::MAGIC.len()),
                }
            } else {
                self.at = offset + MAGICS.len();
                continue;
            };
            self.at = offset + len;
            return Some(Hit { offset, kind, verdict });
        }
    }
}

impl FusedIterator for Scan<'_> {}
