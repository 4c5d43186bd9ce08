//! Directories from streams: the verdict on all bytes, whatever pieces they come in, and whatever the stream
//! does instead.

use crate::support::{block, cases, random, verdict};
use kiln::tensor::{
    AlignedBytes, Builder, Directory, Element, OwnedDirectory, ReadError, View, ViewError,
    read_embedded_from, read_embedded_from_with, read_embedded_into_with, read_from, read_from_with,
    read_into, read_into_with,
};
use kiln::{Code, Error, Limits, Reason};
use random::Random;
use std::io::{self, ErrorKind, Read};

/// A stream that gives at most as many bytes at a time as it is told, and is interrupted in between.
struct Pieces<'a> {
    bytes: &'a [u8],
    random: Random,
    most: usize,
}

impl<'a> Pieces<'a> {
    fn new(bytes: &'a [u8], most: usize) -> Self {
        Pieces { bytes, random: Random::new(most as u64), most }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.random.below(3) == 0 {
            return Err(ErrorKind::Interrupted.into());
        }
        // A stream may look at what it is given to write to, which is cleared or has been given before.
        assert!(buffer.iter().take(64).all(|&byte| byte == 0 || byte == 0xaa));
        let len = (1 + self.random.below(self.most)).min(buffer.len());
        self.bytes.read(&mut buffer[..len])
    }
}

fn rejected<T: std::fmt::Debug>(result: Result<T, ReadError>) -> Result<T, Error> {
    result.map_err(|error| match error {
        ReadError::Rejected(error) => error,
        other => panic!("{other}"),
    })
}

/// All that an error says but for its numbers, which a stream cannot know of TRAILING.
#[track_caller]
fn same_error(found: &Error, expected: &Error) {
    assert_eq!((verdict::reject(found), found.reason()), (verdict::reject(expected), expected.reason()));
    assert_eq!((found.tensor(), found.other_tensor()), (expected.tensor(), expected.other_tensor()));
    if found.code() != Code::Trailing {
        assert_eq!(found, expected);
    }
}

/// Reads `bytes` in every way and compares with reading them where they lie.
#[track_caller]
fn compare(bytes: &[u8], most: usize, limits: &Limits) {
    let whole = Directory::read_with(bytes, limits);
    let found = rejected(read_from_with(&mut Pieces::new(bytes, most), limits));
    match (&found, &whole) {
        (Ok(found), Ok(whole)) => assert_eq!(found, whole),
        (Err(found), Err(whole)) => same_error(found, whole),
        (found, whole) => panic!("{found:?} against {whole:?}"),
    }

    let part = Directory::read_embedded_with(bytes, limits);
    let mut stream = Pieces::new(bytes, most);
    let found = rejected(read_embedded_from_with(&mut stream, limits));
    match (&found, &part) {
        (Ok(found), Ok((part, rest))) => {
            assert_eq!(found, part);
            assert_eq!(stream.bytes, *rest);
        }
        (Err(found), Err(part)) => same_error(found, part),
        (found, part) => panic!("{found:?} against {part:?}"),
    }

    let mut buffer = vec![0xaa; bytes.len() + 100];
    match (read_into_with(&mut Pieces::new(bytes, most), &mut buffer, limits), &whole) {
        (Ok(found), Ok(whole)) => assert_eq!(&found, whole),
        (Err(ReadError::Rejected(found)), Err(whole)) => same_error(&found, whole),
        // The header claims more than there is: the buffer may be too short for it, and the stream is.
        (Err(ReadError::BufferTooShort { needed, given }), Err(whole)) => {
            assert!(needed > given as u64 && given == bytes.len() + 100);
            assert!(matches!(whole.reason(), Reason::TableShort | Reason::BlockShort));
            assert_eq!(buffer[..64], bytes[..64]);
        }
        (found, whole) => panic!("{found:?} against {whole:?}"),
    }
    if let Ok((part, rest)) = &part {
        let mut buffer = vec![0xaa; bytes.len()];
        let mut stream = Pieces::new(bytes, most);
        assert_eq!(&read_embedded_into_with(&mut stream, &mut buffer, limits).unwrap(), part);
        assert_eq!(stream.bytes, *rest);
        assert!(buffer[part.as_bytes().len()..].iter().all(|&byte| byte == 0xaa));
    }
}

#[test]
fn every_case_has_the_same_verdict_from_a_stream() {
    for case in cases::directories() {
        let limits = case.limits.with_owned(u64::MAX);
        compare(&case.bytes, 1, &limits);
        compare(&case.bytes, 64, &limits);
    }
}

#[test]
fn damaged_directories_have_the_same_verdict_from_a_stream() {
    let sample = block::sample();
    let mut random = Random::new(29);
    for _ in 0..if cfg!(target_arch = "x86_64") { 1_000 } else { 200 } {
        let mut bytes = sample.clone();
        match random.below(4) {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => bytes.extend(core::iter::repeat_n(0, random.below(130))),
            _ => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
        compare(&bytes, 1 + random.below(300), &Limits::DEFAULT.with_owned(u64::MAX));
    }
}

/// A payload that takes several steps of growth, and one that ends in the middle of each.
#[test]
fn a_long_payload_arrives_whole() {
    let numbers: Vec<u64> = (0..200_000).map(|at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut builder = Builder::new();
    builder.push("numbers", &[200_000], &numbers).unwrap();
    builder.push("tail", &[3], &[1u8, 2, 3]).unwrap();
    let bytes = builder.to_vec().unwrap();
    for most in [1_000, 65_536, 10_000_000] {
        let found = read_from(&mut Pieces::new(&bytes, most)).unwrap();
        assert_eq!(found.as_bytes(), bytes);
        assert_eq!(found.get(0).unwrap().to_vec::<u64>().unwrap(), numbers);
        // Five quarters are needed while it grows, and no more than the block in the end.
        assert!(found.capacity() < bytes.len() + 64);
    }
    for cut in [65, 448, 25_000, 100_000, 400_447, 1_600_320, bytes.len() - 1] {
        let error = rejected(read_from(&mut &bytes[..cut])).unwrap_err();
        assert_eq!(Err(error), Directory::read(&bytes[..cut]).map(drop));
        assert_eq!(error.code(), Code::Eof);
    }
}

#[test]
fn what_a_stream_goes_on_with_is_trailing() {
    let bytes = [block::sample(), vec![9]].concat();
    let len = bytes.len() as u64 - 1;
    let error = rejected(read_from(&mut &bytes[..])).unwrap_err();
    assert_eq!(verdict::reject(&error), (Code::Trailing, Some(12), len));
    assert_eq!(error.claimed(), None);
    assert_eq!(
        error.to_string(),
        format!("TRAILING at byte {len} (0x{len:x}), step 12: bytes are left over after the block")
    );
    // Nothing after the first such byte is asked for.
    let mut stream = bytes.chain(io::repeat(9));
    assert_eq!(rejected(read_from(&mut stream)).unwrap_err().code(), Code::Trailing);
    // A fault inside the block comes first, though the stream goes on.
    let mut damaged = block::sample();
    damaged[64 + 5] = 1;
    let error = rejected(read_from(&mut damaged.chain(io::repeat(9)))).unwrap_err();
    assert_eq!(verdict::reject(&error), (Code::Frame, Some(8), 69));
}

/// Gives the bytes, and then fails.
struct Broken<'a>(&'a [u8], ErrorKind);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(self.1.into()),
            read => Ok(read),
        }
    }
}

#[test]
fn a_stream_that_fails_says_so() {
    let bytes = block::sample();
    for cut in [0, 3, 64, 500, bytes.len() - 1, bytes.len()] {
        for kind in [ErrorKind::ConnectionReset, ErrorKind::WouldBlock, ErrorKind::UnexpectedEof] {
            let found = [
                read_from(&mut Broken(&bytes[..cut], kind)).map(drop),
                read_into(&mut Broken(&bytes[..cut], kind), &mut [0; 2000]).map(drop),
            ];
            for found in found {
                match found {
                    Err(ReadError::Io(error)) => assert_eq!(error.kind(), kind),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    // The embedded form does not ask what comes after the block.
    let found = read_embedded_from(&mut Broken(&bytes, ErrorKind::ConnectionReset)).unwrap();
    assert_eq!(found.as_bytes(), bytes);
}

/// Says that it has read more than it was asked for.
struct Liar<'a>(&'a [u8], usize);

impl Read for Liar<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        Ok(if read == buffer.len() { read + self.1 } else { read })
    }
}

#[test]
fn a_stream_that_lies_about_its_count_is_an_error() {
    let bytes = block::sample();
    for lie in [1, 64, usize::MAX - 4096] {
        for found in [
            read_from(&mut Liar(&bytes, lie)).map(drop),
            read_embedded_from(&mut Liar(&bytes, lie)).map(drop),
            read_into(&mut Liar(&bytes, lie), &mut [0; 2000]).map(drop),
        ] {
            match found {
                Err(ReadError::Io(error)) => assert_eq!(error.kind(), ErrorKind::Other),
                other => panic!("{other:?}"),
            }
        }
    }
    // More than is asked for at once, as lines of JSON, and more than there is left, after a fault.
    let json = kiln::dynamic::Json::new(kiln::schema::Type::parse("list{u8}").unwrap()).unwrap();
    let list = kiln::to_vec(&vec![7u8; 1 << 20]).unwrap();
    for (bytes, lie) in [(list.clone(), 1), ([&[0; 4][..], &list].concat(), 1), (list, usize::MAX / 2)] {
        let mut text = Vec::new();
        let found = json.lines(Liar(&bytes, lie), &Limits::DEFAULT).and_then(|mut lines| {
            while lines.next_line(&mut text)? {}
            Ok(())
        });
        match found {
            Err(kiln::dynamic::DecodeError::Io(error)) => assert_eq!(error.kind(), ErrorKind::Other),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_budget_is_that_of_the_limits() {
    let bytes = block::sample();
    let storage = bytes.len().next_multiple_of(64) as u64;
    let limits = |owned| Limits::DEFAULT.with_owned(owned);
    assert!(read_from_with(&mut &bytes[..], &limits(storage)).is_ok());
    assert!(OwnedDirectory::read_with(&bytes, &limits(storage)).is_ok());
    assert!(kiln::from_slice_with::<OwnedDirectory>(&bytes, &limits(storage)).is_ok());
    let errors = [
        rejected(read_from_with(&mut &bytes[..], &limits(storage - 1))).unwrap_err(),
        OwnedDirectory::read_with(&bytes, &limits(storage - 1)).unwrap_err(),
    ];
    for error in errors {
        assert_eq!((verdict::reject(&error), error.reason()), ((Code::Limit, None, 0), Reason::Budget));
        assert_eq!((error.claimed(), error.allowed()), (Some(storage), Some(storage - 1)));
    }
    let behind = kiln::to_vec(&(7u8, &Directory::read(&bytes).unwrap())).unwrap();
    let error = kiln::from_slice_with::<(u8, OwnedDirectory)>(&behind, &limits(storage - 1)).unwrap_err();
    assert_eq!((verdict::reject(&error), error.reason()), ((Code::Limit, None, 1), Reason::Budget));
    // Reading into the caller's memory owns nothing.
    assert!(read_into_with(&mut &bytes[..], &mut [0; 2000], &limits(0)).is_ok());
    // The check comes first: of bytes that are no directory, that is what is said.
    let error = OwnedDirectory::read_with(&bytes[..bytes.len() - 1], &limits(0)).unwrap_err();
    assert_eq!(error.code(), Code::Eof);
}

/// Up to 64 KiB are allocated at once. A longer block is moved when it has come in part: it and a quarter of it are
/// there at the same time.
#[test]
fn the_budget_counts_what_is_there_while_storage_grows() {
    let payload = vec![7u8; 65_600];
    // The payload begins at 192.
    for (len, needed) in [(65_536, 65_536), (65_600, 65_600 + 16_448)] {
        let mut builder = Builder::new();
        builder.push(None, &[len - 192], &payload[..len as usize - 192]).unwrap();
        let bytes = builder.to_vec().unwrap();
        assert_eq!(bytes.len() as u64, len);
        let read = |owned| read_from_with(&mut &bytes[..], &Limits::DEFAULT.with_owned(owned));
        assert!(read(needed).is_ok());
        let error = rejected(read(needed - 1)).unwrap_err();
        assert_eq!((error.reason(), error.claimed()), (Reason::Budget, Some(needed)));
    }
}

#[test]
fn a_buffer_that_is_too_short_is_the_callers_mistake() {
    let bytes = block::sample();
    for given in [0, 3, 63, 64, 65, bytes.len() - 1] {
        let mut buffer = vec![0xaa; given];
        match read_into(&mut &bytes[..], &mut buffer).map(drop) {
            Err(error @ ReadError::BufferTooShort { needed, given: found }) => {
                assert_eq!((needed, found), (bytes.len() as u64, given));
                let line = format!("the block takes {needed} bytes and the buffer has {given}");
                assert_eq!(error.to_string(), line);
            }
            other => panic!("{other:?}"),
        }
        // The header can be read again there.
        let first = given.min(64);
        assert_eq!(buffer[..first], bytes[..first]);
        assert!(buffer[first..].iter().all(|&byte| byte == 0xaa));
    }
    let mut buffer = AlignedBytes::zeroed(bytes.len());
    assert_eq!(read_into(&mut &bytes[..], &mut buffer).unwrap(), Directory::read(&bytes).unwrap());
}

/// A typed view of memory that is aligned fails only where the byte order is another one.
#[track_caller]
fn in_place<T: Element>(view: View<'_>, expected: &[T]) {
    match view.as_slice::<T>() {
        Ok(elements) => assert_eq!(elements, expected),
        Err(error) => {
            assert_eq!(error, ViewError::ByteOrder);
            assert_ne!(1u16.to_ne_bytes(), [1, 0]);
        }
    }
    assert_eq!(view.to_vec::<T>().unwrap(), expected);
}

#[test]
fn an_owned_payload_can_be_used_in_place_wherever_it_came_from() {
    let mut builder = Builder::new();
    builder.push("a", &[3], &[1.5f64, -2.0, 3.0]).unwrap();
    builder.push("b", &[2], &[7u16, 8]).unwrap();
    builder.push("c", &[5], &[1i8, 2, 3, 4, -5]).unwrap();
    let block = builder.to_vec().unwrap();
    // Behind a string of every length, so that the block lies at every address.
    for len in 0..70 {
        let bytes = kiln::to_vec(&("x".repeat(len).as_str(), &builder)).unwrap();
        let (_, borrowed): (&str, Directory<'_>) = kiln::from_slice(&bytes).unwrap();
        let (_, owned): (&str, OwnedDirectory) = kiln::from_slice(&bytes).unwrap();
        assert_eq!(owned.as_bytes().as_ptr().addr() % 64, 0);
        for tensor in &owned {
            assert_eq!(tensor.bytes().as_ptr().addr() % 64, 0);
        }
        in_place(owned.get(0).unwrap().view(), &[1.5f64, -2.0, 3.0]);
        in_place(owned.get(1).unwrap().view(), &[7u16, 8]);
        in_place(owned.get(2).unwrap().view(), &[1i8, 2, 3, 4, -5]);

        // The borrowed one says why it cannot be used in place, and can be copied.
        let tensor = borrowed.get(0).unwrap();
        let past = tensor.bytes().as_ptr().addr() % align_of::<f64>();
        match tensor.as_slice::<f64>() {
            Ok(_) => assert!(past == 0 && cfg!(target_endian = "little")),
            Err(ViewError::Alignment { needed, past: found }) => {
                assert_eq!((needed, found), (align_of::<f64>(), past));
                assert_ne!(past, 0);
            }
            Err(other) => assert!(other == ViewError::ByteOrder && cfg!(target_endian = "big")),
        }
        assert_eq!(tensor.to_vec::<f64>().unwrap(), [1.5, -2.0, 3.0]);
    }
    in_place(read_from(&mut &block[..]).unwrap().get(0).unwrap().view(), &[1.5f64, -2.0, 3.0]);
    in_place(builder.to_owned_directory().unwrap().get(1).unwrap().view(), &[7u16, 8]);
    in_place(OwnedDirectory::read(&block).unwrap().clone().get(0).unwrap().view(), &[1.5f64, -2.0, 3.0]);
}

#[test]
fn a_reused_directory_holds_what_it_was_given_last() {
    let sample = block::sample();
    let empty = Builder::new().to_vec().unwrap();
    let mut place = OwnedDirectory::default();
    assert!(place.is_empty());
    for bytes in [&sample, &empty, &sample] {
        kiln::decode_into(bytes, &mut place).unwrap();
        assert_eq!(place.as_directory(), Directory::read(bytes).unwrap());
        assert_eq!(place.get_by_name("w").is_some(), !place.is_empty());
    }
    let storage = place.capacity();
    kiln::decode_into(&empty, &mut place).unwrap();
    assert_eq!((place.len(), place.capacity()), (0, storage));
    kiln::decode_into(&sample, &mut place).unwrap();
    // After a fault it is as it was.
    kiln::decode_into(&sample[..700], &mut place).unwrap_err();
    assert_eq!(place.as_bytes(), sample);
    // Storage that is there is not charged for.
    let limits = Limits::DEFAULT.with_owned(0);
    kiln::decode_into_with(&empty, &mut place, &limits).unwrap();
    let mut place = OwnedDirectory::default();
    assert_eq!(place.capacity(), empty.len());
    kiln::decode_into_with(&empty, &mut place, &limits).unwrap();
    let error = kiln::decode_into_with(&sample, &mut place, &limits).unwrap_err();
    assert_eq!(error.reason(), Reason::Budget);
    assert!(place.is_empty());
}

#[test]
fn a_directory_that_was_checked_once_is_lent_without_a_check() {
    let owned = OwnedDirectory::read(&block::sample()).unwrap();
    let tensors: Vec<_> = {
        // Tensors borrow the block and outlive the directory that gave them.
        let directory = owned.as_directory();
        directory.iter().collect()
    };
    assert_eq!(tensors.len(), owned.len());
    assert_eq!(owned.iter().collect::<Vec<_>>(), tensors);
    assert_eq!((&owned).into_iter().next_back(), owned.get(owned.len() - 1));
    assert_eq!(owned.get(99), None);
    assert_eq!(owned.clone(), owned);
    assert_eq!(format!("{owned:?}"), format!("{:?}", owned.as_directory()));
    assert_eq!(owned.clone().into_bytes()[..], *owned.as_bytes());
    let again = OwnedDirectory::from_aligned(owned.clone().into_bytes()).unwrap();
    assert_eq!(again, owned);
    assert_eq!(OwnedDirectory::from(&owned.as_directory()), owned);
    let error = OwnedDirectory::from_aligned(AlignedBytes::zeroed(64)).unwrap_err();
    assert_eq!(error.code(), Code::Frame);
}

#[test]
fn aligned_bytes_hold_what_they_were_given() {
    for len in 0..200 {
        let bytes: Vec<u8> = (0..len).collect();
        let mut aligned = AlignedBytes::copy_of(&bytes);
        assert_eq!(aligned[..], bytes);
        assert_eq!(aligned.as_ptr().addr() % AlignedBytes::ALIGN, 0);
        assert_eq!(aligned, AlignedBytes::from(&bytes[..]));
        assert_eq!(AsRef::<[u8]>::as_ref(&aligned), bytes);
        assert_eq!(AlignedBytes::zeroed(bytes.len())[..], vec![0; bytes.len()]);
        let capacity = aligned.capacity();
        assert!(capacity >= bytes.len());
        aligned.assign(&bytes[..bytes.len() / 2]);
        assert_eq!((&aligned[..], aligned.capacity()), (&bytes[..bytes.len() / 2], capacity));
        aligned.clear();
        assert_eq!(aligned[..], [0u8; 0]);
    }
    assert_eq!(format!("{:?}", AlignedBytes::zeroed(3)), "AlignedBytes(3 bytes)");
    assert_eq!(AlignedBytes::new(), AlignedBytes::default());
}

/// Storage that the system gives directly where it can, and what grows into it.
#[test]
fn large_aligned_bytes_hold_what_they_were_given() {
    let mut bytes = vec![7; 33 << 20];
    for (at, line) in bytes.chunks_exact_mut(64).enumerate() {
        line[..8].copy_from_slice(&(at as u64).to_le_bytes());
    }
    let mut aligned = AlignedBytes::copy_of(&bytes[3..]);
    assert!(aligned[..] == bytes[3..]);
    assert_eq!(aligned.as_ptr().addr() % AlignedBytes::ALIGN, 0);
    let capacity = aligned.capacity();
    assert!(capacity >= aligned.len() && capacity < aligned.len() + 64);
    assert!(aligned.clone() == aligned);
    aligned[0] ^= 1;
    assert!(aligned[0] == bytes[3] ^ 1 && aligned[1..] == bytes[4..]);

    aligned.assign(&bytes[..1000]);
    assert_eq!((&aligned[..], aligned.capacity()), (&bytes[..1000], capacity));
    aligned.clear();
    assert_eq!((aligned.len(), aligned.capacity()), (0, capacity));
    aligned.assign(&bytes[5..]);
    assert!(aligned[..] == bytes[5..] && aligned.capacity() == capacity);

    let mut zeroed = AlignedBytes::zeroed(bytes.len());
    assert!(zeroed[..] == vec![0; bytes.len()]);
    zeroed.copy_from_slice(&bytes);
    assert!(zeroed == AlignedBytes::from(&bytes[..]));
}

#[test]
fn a_stream_grows_into_large_storage_and_may_end_there() {
    let mut builder = Builder::new();
    let mut numbers = vec![7u32; 9 << 20];
    numbers.chunks_exact_mut(16).enumerate().for_each(|(at, line)| line[0] = at as u32);
    builder.push("numbers", &[9 << 20], &numbers).unwrap();
    let bytes = builder.to_vec().unwrap();
    let found = read_from(&mut Pieces::new(&bytes, 1 << 20)).unwrap();
    assert!(found.as_bytes() == bytes);
    assert!(found.capacity() < bytes.len() + 64);
    let cut = &bytes[..bytes.len() - 1];
    let error = rejected(read_from(&mut Pieces::new(cut, 1 << 20))).unwrap_err();
    assert_eq!(Err(error), Directory::read(cut).map(drop));
}
