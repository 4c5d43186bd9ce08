//! Directories as fields, elements and values: where they end, how deep they are, where their faults lie.

use crate::support::{alloc, block, verdict};
use block::{block, put, sample, tensor};
use kiln::tensor::{Directory, check_embedded};
use kiln::{Code, Frozen, Reason, Segment};

/// A directory as deep as there are ones in front of it: each one is an optional and the struct in it.
#[derive(Frozen)]
struct Deep<'a> {
    next: Option<Box<Deep<'a>>>,
    batch: Option<Directory<'a>>,
}

/// `levels` structs in one another, with `batch` in the innermost: it is container 2 * levels + 1.
fn deep(levels: usize, batch: &[u8]) -> Vec<u8> {
    let outer = levels - 1;
    [&vec![1; outer][..], &[0, 1], batch, &vec![0; outer]].concat()
}

#[test]
fn a_directory_is_a_container() {
    let empty = block(&[]);
    // Containers 1 to 62, then an optional: the directory is the 63rd.
    let bytes = deep(31, &empty);
    let value: Deep<'_> = kiln::from_slice(&bytes).unwrap();
    assert_eq!(kiln::to_vec(&value).unwrap(), bytes);
    // In a list it is the 64th.
    let listed = [&[1, 0, 0, 0][..], &bytes].concat();
    let value: Vec<Deep<'_>> = kiln::from_slice(&listed).unwrap();
    assert_eq!(kiln::to_vec(&value).unwrap(), listed);

    // One more pair makes it the 65th, whatever bytes it is of, or none at all.
    for batch in [&empty[..], b"XLNT", b""] {
        let bytes = deep(32, batch);
        let bytes = if batch.is_empty() { &bytes[..33] } else { &bytes };
        let error = kiln::from_slice::<Deep<'_>>(bytes).err().unwrap();
        assert_eq!((error.code(), error.reason()), (Code::Limit, Reason::Depth));
        assert_eq!((error.offset(), error.step()), (33, None));
    }
}

#[test]
fn a_directory_too_deep_is_not_written() {
    let bytes = block(&[]);
    let mut value = Deep { next: None, batch: Some(Directory::read(&bytes).unwrap()) };
    for _ in 1..31 {
        value = Deep { next: Some(Box::new(value)), batch: None };
    }
    assert_eq!(kiln::to_vec(&value), Ok(deep(31, &bytes)));
    let value = Deep { next: Some(Box::new(value)), batch: None };
    assert_eq!(kiln::to_vec(&value), Err(kiln::EncodeError::TooDeep));
}

#[derive(Frozen)]
struct Batch<'a> {
    id: i64,
    parts: Vec<Directory<'a>>,
    extra: Option<Directory<'a>>,
    tail: u16,
}

#[test]
fn the_next_value_begins_where_the_block_ends() {
    let small = block(&[tensor("x", 12, &[1], &[9])]);
    let count = 3u32.to_le_bytes();
    let parts =
        [&7i64.to_le_bytes()[..], &count, &sample(), &block(&[]), &small, &[1], &small, &[0xcd, 0xab]];
    let bytes = parts.concat();
    let value: Batch<'_> = kiln::from_slice(&bytes).unwrap();
    assert_eq!((value.id, value.tail), (7, 0xabcd));
    let lens: Vec<usize> = value.parts.iter().map(|part| part.as_bytes().len()).collect();
    assert_eq!(lens, [1410, 64, small.len()]);
    assert_eq!(value.extra.as_ref().unwrap().get(0).unwrap().bytes(), [9]);
    assert_eq!(value.extra.as_ref(), value.parts.last());
    assert_eq!(kiln::to_vec(&value).unwrap(), bytes);

    // What the last field lacks is the last field's.
    let short = &bytes[..bytes.len() - 1];
    let error = kiln::from_slice::<Batch<'_>>(short).err().unwrap();
    assert_eq!(verdict::reject(&error), (Code::Eof, None, bytes.len() as u64 - 2));
    // What is too much is the struct's.
    let long = [&bytes[..], &[0]].concat();
    let error = kiln::from_slice::<Batch<'_>>(&long).err().unwrap();
    assert_eq!(verdict::reject(&error), (Code::Trailing, None, bytes.len() as u64));
}

#[test]
fn faults_count_from_the_start_of_the_buffer() {
    let second = 8 + 4 + 1410;
    let count = 2u32.to_le_bytes();
    let mut bytes = [&[0; 8][..], &count, &sample(), &sample(), &[0, 0, 0]].concat();
    put(&mut bytes, second + 1090, &[3]);
    let error = kiln::from_slice::<Batch<'_>>(&bytes).err().unwrap();
    assert_eq!(verdict::reject(&error), (Code::Type, Some(11), second as u64 + 1090));
    assert_eq!(error.tensor(), Some(1));
    let path: Vec<Segment> = error.path().collect();
    assert_eq!(path, [Segment::Field(1), Segment::Index(1), Segment::Tensor(1)]);
    assert_eq!(
        error.describe(&bytes).to_string(),
        format!(
            "TYPE at byte {at} (0x{at:x}), step 11, in parts[1], tensor 1 \"mask\": \
             a byte of a bool payload is neither 0 nor 1 (found 3)",
            at = second + 1090
        )
    );

    // A repeated name names both tensors there too.
    let mut bytes = [&[0; 8][..], &count, &sample(), &sample(), &[0, 0, 0]].concat();
    put(&mut bytes, second + 966, b"q");
    let error = kiln::from_slice::<Batch<'_>>(&bytes).err().unwrap();
    assert_eq!(verdict::reject(&error), (Code::Type, Some(8), second as u64 + 966));
    assert_eq!((error.tensor(), error.other_tensor()), (Some(3), Some(2)));

    // A block cut short, of which the buffer's end is to blame.
    let cut = &bytes[..second + 1000];
    let error = kiln::from_slice::<Batch<'_>>(cut).err().unwrap();
    assert_eq!(verdict::reject(&error), (Code::Eof, Some(6), second as u64 + 976));
    assert_eq!((error.claimed(), error.allowed()), (Some(1410 - 976), Some(24)));
    let cut = &bytes[..second + 10];
    let error = kiln::from_slice::<Batch<'_>>(cut).err().unwrap();
    // The count of two directories of 64 bytes or more fits, and the second is not whole.
    assert_eq!(verdict::reject(&error), (Code::Eof, Some(1), second as u64));
    assert_eq!((error.claimed(), error.allowed()), (Some(64), Some(10)));
}

#[test]
fn a_block_that_claims_to_end_before_its_fault_is_at_fault_all_the_same() {
    let count = 2u32.to_le_bytes();
    let mut bytes = [&[0; 8][..], &count, &sample(), &sample(), &[0, 0, 0]].concat();
    // The second one has its payloads, which are none, at its own start: a length of 0.
    let second = 8 + 4 + 1410;
    put(&mut bytes, second + 32, &[0; 16]);
    let error = kiln::from_slice::<Batch<'_>>(&bytes).err().unwrap();
    assert_eq!(verdict::reject(&error), (Code::Type, Some(7), second as u64 + 32));
    let path: Vec<Segment> = error.path().collect();
    assert_eq!(path, [Segment::Field(1), Segment::Index(1)]);
}

#[test]
fn the_check_of_what_bytes_begin_with_gives_its_length() {
    let bytes = [&sample()[..], &[1, 2, 3]].concat();
    assert_eq!(check_embedded(&bytes), Ok(1410));
    assert_eq!(check_embedded(&bytes[..1410]), Ok(1410));
    assert_eq!(check_embedded(&block(&[])), Ok(64));
    let error = check_embedded(&bytes[..1409]).unwrap_err();
    assert_eq!(verdict::reject(&error), (Code::Eof, Some(6), 976));
}

#[test]
fn the_index_by_name_is_all_that_is_allocated() {
    let names = (0..100).map(|index| format!("w{:02}", index * 37 % 100));
    let tensors: Vec<block::Tensor> = names.map(|name| tensor(&name, 12, &[0], &[])).collect();
    let bytes = block(&tensors);
    let (found, asked) = alloc::counted(|| Directory::read(&bytes).unwrap().index_of("w37"));
    assert_eq!(found, Some(1));
    // A word for each name, a slot for each in a first layer and for those left over in others, and what the table
    // is shared by. The keys are drawn at random, and once in thirty times the other layers have to grow.
    assert!(asked.calls <= 8, "{} calls", asked.calls);
    assert!(asked.bytes <= (100 + 128 + 128 + 256) * 8 + 512, "{} bytes for 100 names", asked.bytes);
}
