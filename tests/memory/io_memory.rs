//! What reading and building allocate: never what a header claims, and no second copy of a payload.

use crate::support::{alloc, block};
use alloc::{Asked, counted, short_of_memory};
use kiln::tensor::{
    AlignedBytes, Builder, Directory, Dtype, Header, HeaderFirst, OwnedDirectory, ReadError, ViewError,
    read_file, read_from, read_from_with, read_into,
};
use kiln::{Code, EncodeError, Limits, Reason};
use std::io::{self, Read, Write};

const NOTHING: Asked = Asked { calls: 0, bytes: 0 };

/// What is always had for a header, whatever it claims.
const FIRST: u64 = 64 << 10;

fn header(tensor_count: u64, payload_bytes: u64) -> Vec<u8> {
    let directory_bytes = tensor_count * 128;
    let header = Header {
        flags: Header::LITTLE_ENDIAN,
        tensor_count,
        directory_bytes,
        payload_base: (64 + directory_bytes).next_multiple_of(64),
        payload_bytes,
        ..Header::default()
    };
    header.write().to_vec()
}

#[test]
fn a_claim_allocates_nothing_without_bytes() {
    for (count, payload) in [(0, 1 << 40), (0, 1 << 62), (1 << 24, 0), (1 << 24, 1 << 40), (1 << 50, 1 << 50)]
    {
        let bytes = header(count, payload);
        let (found, asked) = counted(|| read_from_with(&mut &bytes[..], &Limits::NONE).map(drop));
        match found {
            Err(ReadError::Rejected(error)) => assert_eq!(error.code(), Code::Eof),
            other => panic!("{other:?}"),
        }
        assert!(asked.bytes <= FIRST, "{asked:?} for a claim of {count} tensors and {payload} bytes");

        // Within the default limits nothing at all is asked for.
        let (found, asked) = counted(|| read_from(&mut &bytes[..]).map(drop));
        match found {
            Err(ReadError::Rejected(error)) => assert_eq!(error.code(), Code::Limit),
            other => panic!("{other:?}"),
        }
        assert_eq!(asked, NOTHING);
    }
    let bytes = header(1 << 24, 0);
    let (found, asked) =
        counted(|| HeaderFirst::read(&bytes, None).and_then(|start| start.outline(&bytes).map(drop)));
    assert_eq!(found.unwrap_err().code(), Code::Eof);
    assert_eq!(asked, NOTHING);
    let (found, asked) = counted(|| Directory::read(&bytes).map(drop));
    assert_eq!(found.unwrap_err().code(), Code::Eof);
    assert_eq!(asked, NOTHING);
    let (found, asked) = counted(|| OwnedDirectory::read(&bytes).map(drop));
    assert_eq!(found.unwrap_err().code(), Code::Eof);
    assert_eq!(asked, NOTHING);
}

#[test]
fn storage_grows_as_bytes_arrive() {
    let start = header(0, 1 << 34);
    for come in [64, 1_000, 70_000, 300_000, 2_000_000] {
        let mut stream = (&start[..]).chain(io::repeat(0).take(come - 64));
        let limits = Limits::DEFAULT.with_owned(u64::MAX);
        let (found, asked) = counted(|| read_from_with(&mut stream, &limits).map(drop));
        assert!(matches!(found, Err(ReadError::Rejected(error)) if error.code() == Code::Eof));
        // Four times what has come, and what the steps before it took.
        assert!(asked.bytes <= FIRST + 4 * come * 4 / 3, "{asked:?} for {come} bytes");
    }
}

/// A directory with one tensor of `len` bytes.
fn long(len: usize) -> Vec<u8> {
    let payload = vec![7u8; len];
    let mut builder = Builder::new();
    builder.push("long", &[len as u64], &payload).unwrap();
    builder.to_vec().unwrap()
}

#[test]
fn a_stream_is_stored_once_and_moved_little() {
    let bytes = long(5_000_000);
    let len = bytes.len() as u64;
    let (found, asked) = counted(|| read_from(&mut &bytes[..]).unwrap());
    assert_eq!(found.as_bytes(), bytes);
    assert!(asked.bytes >= len && asked.bytes < len * 4 / 3 + 1_000, "{asked:?}");

    let mut buffer = AlignedBytes::zeroed(bytes.len());
    let (found, asked) = counted(|| read_into(&mut &bytes[..], &mut buffer).unwrap().len());
    assert_eq!((found, asked), (1, NOTHING));
}

#[test]
fn a_file_is_stored_once() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("io_memory.kiln");
    let bytes = long(5_000_000);
    std::fs::write(&path, &bytes).unwrap();
    let (found, asked) = counted(|| read_file(&path).unwrap());
    assert_eq!(found.as_bytes(), bytes);
    let storage = bytes.len().next_multiple_of(64) as u64;
    assert!(asked.bytes < storage + 1_000, "{asked:?} for {storage}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn an_owned_copy_is_charged_what_it_takes() {
    for len in [1, 10, 63, 64, 65, 128, 191, 192, 193] {
        let bytes = long(len);
        let (_, asked) = counted(|| OwnedDirectory::read(&bytes).unwrap());
        assert_eq!(asked, Asked { calls: 1, bytes: bytes.len().next_multiple_of(64) as u64 });
        let within = |owned| {
            let limits = Limits::DEFAULT.with_owned(owned);
            let frozen = kiln::from_slice_with::<OwnedDirectory>(&bytes, &limits).map(drop);
            (OwnedDirectory::read_with(&bytes, &limits).map(drop), frozen)
        };
        assert_eq!(within(asked.bytes), (Ok(()), Ok(())));
        let (read, frozen) = within(asked.bytes - 1);
        assert_eq!(
            (read.unwrap_err().reason(), frozen.unwrap_err().reason()),
            (Reason::Budget, Reason::Budget)
        );
    }
}

#[test]
fn an_owned_copy_is_one_allocation_and_is_not_made_over_budget() {
    let bytes = long(100_000);
    let storage = bytes.len().next_multiple_of(64);
    let (owned, asked) = counted(|| OwnedDirectory::read(&bytes).unwrap());
    assert_eq!(asked, Asked { calls: 1, bytes: storage as u64 });
    assert_eq!(owned.capacity(), storage);
    let limits = Limits::DEFAULT.with_owned(100_000);
    let (found, asked) = counted(|| kiln::from_slice_with::<OwnedDirectory>(&bytes, &limits).map(drop));
    assert_eq!(found.unwrap_err().reason(), Reason::Budget);
    assert_eq!(asked, NOTHING);

    let mut place = OwnedDirectory::read(&bytes).unwrap();
    let ((), asked) = counted(|| kiln::decode_into(&bytes, &mut place).unwrap());
    assert_eq!(asked, NOTHING);
    let (found, asked) = counted(|| place.as_directory().get_by_name("long").map(|tensor| tensor.byte_len()));
    assert_eq!((found, asked), (Some(100_000), NOTHING));
    // Also where the index by name is a table.
    let place = OwnedDirectory::read(&block::sample()).unwrap();
    let (found, asked) = counted(|| place.as_directory().get_by_name("mask").map(|tensor| tensor.index()));
    assert_eq!((found, asked), (Some(1), NOTHING));
}

#[test]
fn aligned_storage_that_is_large_enough_is_used_to_its_last_byte() {
    let bytes = vec![7; 10_000];
    let mut aligned = AlignedBytes::copy_of(&bytes[..1_000]);
    let full = aligned.capacity();
    assert!((1_000..10_000).contains(&full));
    let ((), asked) = counted(|| aligned.assign(&bytes[..full]));
    assert_eq!((aligned.len(), asked), (full, NOTHING));
    let ((), asked) = counted(|| aligned.assign(&bytes[..full + 1]));
    assert_eq!(asked, Asked { calls: 1, bytes: full as u64 + 64 });
}

#[cfg(target_os = "linux")]
#[test]
fn large_storage_comes_past_the_allocator() {
    let (small, large) = ((32 << 20) - 1, 32 << 20);
    let (_, asked) = counted(|| AlignedBytes::zeroed(small));
    assert_eq!(asked, Asked { calls: 1, bytes: large as u64 });
    let (zeros, asked) = counted(|| AlignedBytes::zeroed(large));
    // A thread pool may be started for it.
    assert!(zeros.len() == large && asked.bytes < 64 << 10, "{asked:?}");
    let (copy, asked) = counted(|| AlignedBytes::copy_of(&zeros));
    assert!(copy.len() == large && asked.bytes < 64 << 10, "{asked:?}");
}

/// Counts what is written to it.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_builder_borrows_names_and_payloads() {
    let names: Vec<String> = (0..100).map(|at| format!("layers.{at}.weight")).collect();
    let payload = vec![1.5f64; 100_000];
    let mut builder = Builder::with_capacity(names.len());
    let ((), asked) = counted(|| {
        for name in &names {
            builder.push(name, &[100_000], &payload).unwrap();
        }
    });
    assert_eq!(asked, NOTHING);

    // Eighty megabytes to a stream through a small buffer.
    let mut out = Count(0);
    let (written, asked) = counted(|| builder.write_to(&mut out).unwrap());
    assert_eq!((written, out.0), (builder.encoded_len(), builder.encoded_len()));
    assert!(written > 80_000_000);
    assert!(asked.bytes <= 64 << 10, "{asked:?}");

    // The whole block in memory is allocated once.
    let small = {
        let mut builder = Builder::new();
        builder.push("w", &[1_000], &payload[..1_000]).unwrap();
        builder
    };
    let (block, asked) = counted(|| small.to_vec().unwrap());
    assert_eq!(asked, Asked { calls: 1, bytes: block.len() as u64 });
    let mut slice = vec![0; block.len()];
    let (_, asked) = counted(|| small.encode_to_slice(&mut slice).unwrap());
    assert_eq!(asked, NOTHING);
}

#[test]
fn an_outline_allocates_for_what_is_there() {
    let bytes = long(1_000);
    let (found, asked) = counted(|| {
        let start = HeaderFirst::read(&bytes[..64], Some(bytes.len() as u64)).unwrap();
        let outline = start.outline(&bytes[..196]).unwrap();
        let tensor = outline.get_by_name("long").unwrap();
        let range = tensor.byte_range();
        tensor.view(&bytes[range.start as usize..range.end as usize]).unwrap().element_count()
    });
    assert_eq!(found, 1_000);
    // The check order sorts the ranges of the tensors that are there.
    assert!(asked.bytes <= 32, "{asked:?}");
}

/// Storage of this length is had from the allocator; from 32 MiB on it is had from the system, which this thread cannot
/// keep from granting it.
const REFUSED: usize = 16 << 20;

#[test]
fn what_memory_cannot_hold_is_the_error_that_is_promised() {
    let bytes = long(REFUSED);
    let directory = Directory::read(&bytes).unwrap();
    let builder = Builder::of(&directory).unwrap();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("io_memory-short.kiln");
    std::fs::write(&path, &bytes).unwrap();
    let out_of_memory = |found: Result<OwnedDirectory, ReadError>| match found {
        Err(ReadError::Io(error)) => assert_eq!(error.kind(), io::ErrorKind::OutOfMemory),
        other => panic!("{other:?}"),
    };
    short_of_memory(REFUSED - 1, || {
        assert_eq!(builder.to_vec().unwrap_err(), EncodeError::TooLong);
        assert_eq!(builder.to_owned_directory().unwrap_err(), EncodeError::TooLong);
        assert!(AlignedBytes::try_zeroed(REFUSED).is_none());
        assert!(AlignedBytes::try_copy_of(&bytes).is_none());
        out_of_memory(read_file(&path));
        out_of_memory(read_from(&mut &bytes[..]));
        let tensor = directory.get(0).unwrap();
        let needed = REFUSED as u64;
        assert_eq!(tensor.to_vec::<u8>(), Err(ViewError::Memory { needed }));
        let all = &(0..needed);
        assert_eq!(
            tensor.view().copy_slice::<u8>(std::slice::from_ref(all)),
            Err(ViewError::Memory { needed })
        );
    });
    std::fs::remove_file(&path).unwrap();

    let packed = vec![0; REFUSED / 2];
    let mut builder = Builder::new();
    builder.push_bytes("packed", Dtype::U4, &[REFUSED as u64], &packed).unwrap();
    let bytes = builder.to_vec().unwrap();
    let view = Directory::read(&bytes).unwrap().get(0).unwrap().view();
    let needed = REFUSED as u64;
    short_of_memory(REFUSED - 1, || {
        assert_eq!(view.unpack::<u8>(), Err(ViewError::Memory { needed }));
        let all = &(0..needed);
        assert_eq!(view.unpack_slice::<u8>(std::slice::from_ref(all)), Err(ViewError::Memory { needed }));
    });
    assert_eq!(ViewError::Memory { needed }.code(), None);
    assert_eq!(ViewError::Memory { needed }.to_string(), "memory cannot hold a copy of 16777216 bytes");
}

/// Where the system is asked and not the allocator.
#[cfg(target_pointer_width = "64")]
#[test]
fn what_no_address_space_holds_is_the_error_that_is_promised() {
    // Zeros that nobody touches, a quarter of a million times: 2^58 bytes.
    let long = vec![0u8; 1 << 30];
    let mut builder = Builder::new();
    for _ in 0..1 << 18 {
        builder.push(None, &[1 << 30], &long).unwrap();
    }
    assert!(builder.encoded_len() > 1 << 48);
    assert_eq!(builder.to_vec().unwrap_err(), EncodeError::TooLong);
    assert_eq!(builder.to_owned_directory().unwrap_err(), EncodeError::TooLong);
    for len in [1 << 48, isize::MAX as usize - 63, isize::MAX as usize, usize::MAX] {
        assert!(AlignedBytes::try_zeroed(len).is_none());
    }
}
