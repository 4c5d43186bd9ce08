//! Values written to a stream: every byte in order, in few pieces, and long runs as they lie.

use kiln::{Bytes, Encode, EncodeError};
use std::io::{self, ErrorKind, Write};

/// Keeps each piece that it is given, and takes no more than `room` bytes.
struct Pieces {
    pieces: Vec<Vec<u8>>,
    room: usize,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.room {
            return Err(ErrorKind::StorageFull.into());
        }
        self.room -= bytes.len();
        self.pieces.push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The pieces in which a value is written.
fn pieces<T: Encode + ?Sized>(value: &T) -> Vec<Vec<u8>> {
    let mut out = Pieces { pieces: Vec::new(), room: usize::MAX };
    let written = kiln::write_to(value, &mut out).unwrap();
    let bytes = kiln::to_vec(value).unwrap();
    assert_eq!(written, bytes.len() as u64);
    assert!(out.pieces.concat() == bytes, "{written} bytes in {} pieces", out.pieces.len());
    out.pieces
}

#[test]
fn small_parts_are_gathered_and_nothing_is_written_for_nothing() {
    let words: Vec<String> = (0..10_000).map(|i| i.to_string()).collect();
    let sent = pieces(&words);
    let len: usize = sent.iter().map(Vec::len).sum();
    // Ten thousand words of 8 or fewer bytes: all pieces but the last are as good as 16 KiB, and none is longer.
    let (last, full) = sent.split_last().unwrap();
    assert_eq!(sent.len(), len.div_ceil(16 << 10));
    assert!(
        full.iter().all(|piece| ((16 << 10) - 8..=16 << 10).contains(&piece.len())) && last.len() <= 16 << 10
    );
    assert_eq!(pieces(&(1u8, "two")), [[1, 3, 0, 0, 0, b't', b'w', b'o']]);
}

#[test]
fn a_long_run_is_passed_on_as_it_lies() {
    let long: Vec<u8> = (0..100_000u32).map(|at| (at % 251) as u8).collect();
    let text = "x".repeat(100_000);
    for sent in [
        pieces(&(1u8, Bytes(&long), 2u8)),
        pieces(&(1u8, &long, 2u8)),
        pieces(&(1u8, &text[..], 2u8)),
        // The memory of bools is what they are on the wire.
        pieces(&(1u8, vec![true; 100_000], 2u8)),
    ] {
        assert_eq!(sent.iter().map(Vec::len).collect::<Vec<_>>(), [5, 100_000, 1]);
    }
    // Runs that are not so long are gathered until the next one has no room: of 16 KiB, two of 8 are all.
    let lens = |run: &[u8]| pieces(&(Bytes(run), Bytes(run), 7u8)).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(lens(&long[..(8 << 10) - 4]), [16 << 10, 1]);
    assert_eq!(lens(&long[..(8 << 10) - 3]), [(8 << 10) + 5, (8 << 10) - 3 + 1]);
    assert_eq!(lens(&long[..16 << 10]), [4, 16 << 10, 4, 16 << 10, 1]);
}

#[test]
fn numbers_are_one_run_where_memory_is_the_encoding() {
    let list: Vec<u32> = (0..50_000).collect();
    let sent = pieces(&list);
    if cfg!(target_endian = "little") {
        assert_eq!(sent.iter().map(Vec::len).collect::<Vec<_>>(), [4, 200_000]);
    }
}

#[test]
fn a_stream_that_fails_gets_nothing_more_and_its_error_comes_back() {
    let long = vec![7u8; 40_000];
    let value = (1u8, Bytes(&long), Bytes(&long), 2u8);
    // After nothing, after the first piece, after the first long run, and before the last byte.
    for (room, taken) in [(4, 0), (5, 5), (40_004, 5), (40_005, 40_005), (80_009, 80_009)] {
        let mut out = Pieces { pieces: Vec::new(), room };
        assert_eq!(kiln::write_to(&value, &mut out).unwrap_err().kind(), ErrorKind::StorageFull, "{room}");
        assert_eq!(out.pieces.concat().len(), taken, "{room}");
    }
    let mut out = Pieces { pieces: Vec::new(), room: 80_010 };
    assert_eq!(kiln::write_to(&value, &mut out).unwrap(), 80_010);
}

#[test]
fn what_cannot_be_written_is_refused_before_the_first_byte() {
    use kiln::schema::{Scalar, Shape};
    use kiln::wire::{Measure, Sink};

    /// Counts one number of bytes and writes another.
    struct Wrong {
        counted: usize,
        written: usize,
    }

    impl kiln::Frozen for Wrong {
        const MIN_LEN: usize = 1;

        fn shape() -> Shape {
            Shape::Scalar(Scalar::U8)
        }
    }

    impl Encode for Wrong {
        fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
            measure.add(self.counted);
            Ok(())
        }

        fn encode<S: Sink>(&self, sink: &mut S) {
            (0..self.written).for_each(|_| sink.put([7]));
        }
    }

    let write = |counted, written| {
        let mut out = Pieces { pieces: Vec::new(), room: usize::MAX };
        let result = kiln::write_to(&Wrong { counted, written }, &mut out);
        (result.map_err(|error| *error.get_ref().unwrap().downcast_ref::<EncodeError>().unwrap()), out.pieces)
    };
    assert_eq!(write(usize::MAX, 3), (Err(EncodeError::TooLong), vec![]));
    // A wrong count is found when all is written, since nobody knew before.
    assert_eq!(write(2, 3).0, Err(EncodeError::LengthMismatch { announced: 2 }));
    assert_eq!(write(4, 3).0, Err(EncodeError::LengthMismatch { announced: 4 }));
    assert_eq!(write(3, 3), (Ok(3), vec![vec![7; 3]]));
}
