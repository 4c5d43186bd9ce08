//! Any bytes, read as a directory in every way there is: all ways have one answer, at every level.
//!
//! The reference is the check order at the scalar level. Its answer, code, reason, step, offset and tensor, has to
//! be that of the fast pass, the reader, the reader behind another value, streams that come in pieces, and, but for
//! what only payloads show, the reader that has the header first. What is accepted is found by its names and is
//! written again as the same bytes.
//!
//! An input is the bytes and then [`TAIL`] bytes that say how they are read: see [`Manner`].

#[path = "../../tests/support/outline.rs"]
mod outline;
#[path = "../../tests/support/verdict.rs"]
mod verdict;

use kiln::arch::Level;
use kiln::tensor::{self, Builder, Directory, OwnedDirectory, ReadError};
use kiln::{Code, Error, Limits, Reason};
use std::io::{self, ErrorKind, Read};
use verdict::{Reject, reject};

/// How many bytes at the end of an input are not part of the directory.
const TAIL: usize = 4;

/// How a directory is read.
struct Manner {
    limits: Limits,
    /// What [`tensor::read_from_with`] may own, where it is not without limit.
    owned: Option<u64>,
    /// How many bytes of a stream come at once; 0 for all that are asked for.
    piece: usize,
    /// Whether every other call of a stream is interrupted.
    interrupted: bool,
}

impl Manner {
    /// Of the first byte, bit 0 caps the count at the second byte, bit 1 caps a run at the third, bit 2 makes that
    /// cap 64 times as large, bit 3 leaves all caps out that are not given, bit 4 sets a budget of 64 times the
    /// third byte. The fourth has the length of a piece, and interrupts in its highest bit.
    fn of([kind, count, bytes, stream]: [u8; TAIL]) -> Self {
        let chosen = |bit: u32| kind >> bit & 1 == 1;
        let mut limits = if chosen(3) { Limits::NONE } else { Limits::DEFAULT };
        limits.owned = u64::MAX;
        if chosen(0) {
            limits.count = count.into();
        }
        if chosen(1) {
            limits.bytes = u64::from(bytes) * if chosen(2) { 64 } else { 1 };
        }
        Manner {
            limits,
            owned: chosen(4).then_some(u64::from(bytes) * 64),
            piece: usize::from(stream & 0x7f),
            interrupted: stream & 0x80 != 0,
        }
    }
}

/// Checks the input; panics where two answers differ. It sets the level in use, which the process shares.
pub(crate) fn run(input: &[u8]) {
    let (bytes, manner) = match input.split_last_chunk() {
        Some((bytes, tail)) => (bytes, Manner::of(*tail)),
        None => (input, Manner::of([0; TAIL])),
    };
    let mut first = None;
    for level in Level::available() {
        level.force().expect("an available level can be forced");
        assert_eq!(Level::current(), level);
        let answers = answers(bytes, &manner);
        let first = *first.get_or_insert(answers);
        assert_eq!(answers, first, "{level} against {}", Level::Scalar);
    }
    Level::best().force().expect("the best level is available");
}

/// What was said about bytes as a whole, and about bytes that a directory begins.
type Answers = (Result<usize, Said>, Result<usize, Said>);

/// Everything about a reject but the numbers behind it.
type Said = (Reject, Reason, Option<u32>, Option<u32>);

fn said(error: &Error) -> Said {
    (reject(error), error.reason(), error.tensor(), error.other_tensor())
}

/// The answers at the level in use.
fn answers(bytes: &[u8], manner: &Manner) -> Answers {
    let limits = &manner.limits;
    // The check order, the fast pass and the readers.
    let verdict = verdict::both_with(bytes, limits);
    let alone = tensor::check_with(bytes, limits).map(|()| bytes.len()).map_err(|error| said(&error));
    let inside = tensor::check_embedded_with(bytes, limits).map_err(|error| said(&error));
    assert_eq!(alone.map_err(|said| said.0), verdict);
    let read = Directory::read_with(bytes, limits);
    assert_eq!(read.as_ref().map(Directory::len).map_err(said).err(), alone.err());

    outline::compare(bytes, limits);
    behind_a_byte(bytes, limits, &inside);
    streams(bytes, manner, &alone, &inside);
    if let Ok(directory) = &read {
        names(directory);
        rebuilt(directory);
        trailing(bytes, limits);
    }
    (alone, inside)
}

/// Behind another value a directory lies at another address and offset, and is told apart by nothing else.
fn behind_a_byte(bytes: &[u8], limits: &Limits, inside: &Result<usize, Said>) {
    let moved = [&[0xa5], bytes].concat();
    let found = match kiln::from_prefix_with::<(u8, Directory<'_>)>(&moved, limits) {
        Ok(((byte, directory), rest)) => {
            assert_eq!(byte, 0xa5);
            assert_eq!([directory.as_bytes(), rest].concat(), bytes);
            Ok(directory.as_bytes().len())
        }
        Err(error) => {
            let ((code, step, offset), reason, tensor, other) = said(&error);
            Err(((code, step, offset - 1), reason, tensor, other))
        }
    };
    assert_eq!(found, *inside, "behind a byte");
}

/// A stream that gives what the manner says.
struct Pieces<'a> {
    bytes: &'a [u8],
    piece: usize,
    interrupted: bool,
    calls: usize,
}

impl<'a> Pieces<'a> {
    fn of(bytes: &'a [u8], manner: &Manner) -> Self {
        Pieces { bytes, piece: manner.piece, interrupted: manner.interrupted, calls: 0 }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.interrupted && self.calls % 2 == 1 {
            return Err(ErrorKind::Interrupted.into());
        }
        let piece = if self.piece == 0 { buffer.len() } else { self.piece.min(buffer.len()) };
        self.bytes.read(&mut buffer[..piece])
    }
}

/// From streams, into memory that grows, and into memory that is there.
fn streams(bytes: &[u8], manner: &Manner, alone: &Result<usize, Said>, inside: &Result<usize, Said>) {
    let limits = &manner.limits;
    let whole = of_stream(tensor::read_from_with(&mut Pieces::of(bytes, manner), limits), bytes);
    assert_eq!(whole, *alone, "from a stream");
    let mut stream = Pieces::of(bytes, manner);
    let start = of_stream(tensor::read_embedded_from_with(&mut stream, limits), bytes);
    assert_eq!(start, *inside, "from a stream that goes on");
    if let Ok(len) = start {
        assert_eq!(stream.bytes, &bytes[len..], "left in the stream");
    }

    let mut buffer = vec![0x5a; bytes.len()];
    match tensor::read_into_with(&mut Pieces::of(bytes, manner), &mut buffer, limits) {
        Ok(directory) => {
            assert_eq!(directory.as_bytes(), bytes);
            assert_eq!(*alone, Ok(bytes.len()));
        }
        Err(ReadError::Rejected(error)) => assert_eq!(Err(said(&error)), *alone, "into a buffer"),
        Err(ReadError::BufferTooShort { needed, given }) => {
            // The header claims more than there is: the check order says so, or finds something else first.
            assert_eq!(given, bytes.len());
            assert!(needed > given as u64 && alone.is_err());
        }
        Err(ReadError::Io(error)) => panic!("{error}"),
        Err(error) => panic!("{error:?}"),
    }

    if let Some(owned) = manner.owned {
        let limits = limits.with_owned(owned);
        match tensor::read_from_with(&mut Pieces::of(bytes, manner), &limits) {
            Err(ReadError::Rejected(error)) if error.reason() == Reason::Budget => {
                assert_eq!((error.code(), error.allowed()), (Code::Limit, Some(owned)));
                assert!(error.claimed().is_some_and(|claimed| claimed > owned));
            }
            other => {
                let block = other.as_ref().map_or(0, |directory| directory.as_bytes().len() as u64);
                assert!(block <= owned, "{block} bytes within a budget of {owned}");
                assert_eq!(of_stream(other, bytes), *alone, "within a budget");
            }
        }
    }
}

/// The answer of a stream of `bytes`: the length of the block, or the reject.
fn of_stream(read: Result<OwnedDirectory, ReadError>, bytes: &[u8]) -> Result<usize, Said> {
    match read {
        Ok(owned) => {
            let len = owned.as_bytes().len();
            assert_eq!(owned.as_bytes(), &bytes[..len]);
            Ok(len)
        }
        Err(ReadError::Rejected(error)) => Err(said(&error)),
        Err(error) => panic!("a stream that does not fail: {error:?}"),
    }
}

/// Every tensor is found by its name, and no name belongs to two.
fn names(directory: &Directory<'_>) {
    for tensor in directory {
        assert_eq!(
            tensor.name().map_or(Some(tensor.index()), |name| directory.index_of(name)),
            Some(tensor.index())
        );
    }
    assert!(directory.index_of("").is_none());
}

/// A directory has one encoding.
fn rebuilt(directory: &Directory<'_>) {
    let builder = Builder::of(directory).expect("what was accepted can be built");
    assert_eq!(builder.header(), directory.header());
    assert_eq!(builder.to_vec().as_deref(), Ok(directory.as_bytes()));
    let mut written = Vec::new();
    let len = builder.write_to(&mut written).expect("memory can be written to");
    assert_eq!((len, &written[..]), (directory.as_bytes().len() as u64, directory.as_bytes()));
}

/// With one byte more it is refused for that byte, and with one byte less for the missing one.
fn trailing(bytes: &[u8], limits: &Limits) {
    let long = [bytes, &[0]].concat();
    assert_eq!(verdict::both_with(&long, limits), Err((Code::Trailing, Some(12), bytes.len() as u64)));
    let short = verdict::both_with(&bytes[..bytes.len() - 1], limits);
    assert!(matches!(short, Err((Code::Eof, Some(1 | 5 | 6), _))), "one byte less: {short:?}");
}
