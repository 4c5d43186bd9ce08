//! Where a fault in a directory points: every line of the specification's table, in the order of the table,
//! on its own, behind other fields, and in a frame.

use crate::support::{block, verdict};
use block::{block, d, put, sample, tensor, with, word};
use kiln::tensor::Directory;
use kiln::{Code, Code::*, Frozen, Limits};
use verdict::Reject;

/// A directory behind other fields, 12 bytes into the buffer.
#[derive(Frozen)]
struct Behind<'a> {
    _id: u64,
    _more: u32,
    batch: Directory<'a>,
}

const BEFORE: usize = 12;

#[track_caller]
fn rejects(bytes: &[u8], expected: (Code, u8, u64)) {
    rejects_with(bytes, &Limits::DEFAULT, expected);
}

/// The reject of a standalone directory; the same one behind other fields and in a frame, moved by what
/// precedes it.
#[track_caller]
fn rejects_with(bytes: &[u8], limits: &Limits, (code, step, offset): (Code, u8, u64)) {
    let expected: Reject = (code, Some(step), offset);
    assert_eq!(verdict::both_with(bytes, limits), Err(expected));

    let behind = [&[0xee; BEFORE][..], bytes].concat();
    let error = kiln::from_slice_with::<Behind<'_>>(&behind, limits).err().expect("refused inside a struct");
    let moved = offset + BEFORE as u64;
    // What follows an embedded directory is the struct's own end.
    let step = (step != 12).then_some(step);
    assert_eq!(verdict::reject(&error), (code, step, moved));

    let mut framed = kiln::frame::header(kiln::schema_hash::<Directory<'_>>()).to_vec();
    framed.extend_from_slice(bytes);
    let error =
        kiln::frame::from_slice_with::<Directory<'_>>(&framed, limits).expect_err("refused in a frame");
    assert_eq!(verdict::reject(&error), (code, expected.1, offset + 16));
}

fn at(field: usize) -> u64 {
    field as u64
}

#[test]
fn the_sample_is_accepted() {
    let bytes = sample();
    assert_eq!(bytes.len(), 1410);
    assert_eq!(verdict::both(&bytes), Ok(1410));
    let behind = [&[0xee; BEFORE][..], &bytes].concat();
    let value: Behind<'_> = kiln::from_slice(&behind).unwrap();
    assert_eq!(value.batch.as_bytes(), bytes);
    assert_eq!(kiln::to_vec(&value).unwrap(), behind);
}

#[test]
fn step_1_is_it_a_directory() {
    // a.
    for bytes in [&b""[..], b"K", b"KLN", b"XYZ", &[0, 0, 0]] {
        rejects(bytes, (Eof, 1, 0));
    }
    // b.
    rejects(b"KLN0", (Frame, 1, 0));
    rejects(b"KLNt567890", (Frame, 1, 0));
    rejects(&with(&sample(), 3, b"S"), (Frame, 1, 0));
    // c.
    for len in 4..64 {
        rejects(&sample()[..len], (Eof, 1, 0));
    }
}

#[test]
fn step_2_envelope() {
    for version in [0u16, 1, 3, 0x0102, 0x0200] {
        rejects(&with(&sample(), 4, &version.to_le_bytes()), (Frame, 2, 4));
    }
    for flags in [0u16, 2, 4, 5, 7, 0x8003, 0x0103] {
        rejects(&with(&sample(), 6, &flags.to_le_bytes()), (Frame, 2, 6));
    }
    for reserved in 48..64 {
        rejects(&with(&sample(), reserved, &[1]), (Frame, 2, at(reserved)));
        let mut bytes = with(&sample(), 63, &[0x80]);
        bytes[reserved] = 1;
        rejects(&bytes, (Frame, 2, at(reserved)));
    }
}

#[test]
fn step_3_caps() {
    let limits = Limits::DEFAULT;
    rejects_with(&sample(), &limits.with_count(6), (Limit, 3, 8));
    assert_eq!(verdict::both_with(&sample(), &limits.with_count(7)), Ok(1410));
    rejects_with(&sample(), &limits.with_bytes(15), (Limit, 3, 16));
    assert_eq!(verdict::both_with(&sample(), &limits.with_bytes(16)), Ok(1410));
    rejects(&with(&sample(), 8, &16_777_217u64.to_le_bytes()), (Limit, 3, 8));
    rejects(&with(&sample(), 16, &16_777_217u64.to_le_bytes()), (Limit, 3, 16));
}

#[test]
fn step_4_sum() {
    // a.
    let top = Limits::NONE;
    rejects_with(&with(&sample(), 8, &((1u64 << 57) + 1).to_le_bytes()), &top, (Limit, 4, 8));
    let bytes = with(&sample(), 8, &((1u64 << 57) - 1).to_le_bytes());
    rejects_with(&with(&bytes, 16, &128u64.to_le_bytes()), &top, (Limit, 4, 8));
    rejects_with(&with(&sample(), 16, &u64::MAX.to_le_bytes()), &top, (Limit, 4, 8));
    // b.
    for wrong in [0, 911, 913, u64::MAX] {
        rejects(&with(&sample(), 24, &wrong.to_le_bytes()), (Type, 4, 24));
    }
}

#[test]
fn step_5_fit_of_the_directory() {
    for len in [64, 65, 959, 975] {
        rejects(&sample()[..len], (Eof, 5, 64));
    }
    // 64 more than fits 64 bits.
    let mut bytes = sample();
    put(&mut bytes, 8, &0u64.to_le_bytes());
    put(&mut bytes, 16, &(u64::MAX - 63).to_le_bytes());
    put(&mut bytes, 24, &(u64::MAX - 63).to_le_bytes());
    rejects_with(&bytes, &Limits::NONE, (Eof, 5, 64));
}

#[test]
fn step_6_fit_of_the_block() {
    // a.
    rejects(&with(&sample(), 40, &u64::MAX.to_le_bytes()), (Limit, 6, 40));
    rejects(&with(&sample(), 32, &u64::MAX.to_le_bytes()), (Limit, 6, 40));
    // b.
    for len in [976, 1023, 1024, 1409] {
        rejects(&sample()[..len], (Eof, 6, 976));
    }
    rejects(&with(&sample(), 40, &387u64.to_le_bytes()), (Eof, 6, 976));
    rejects(&with(&sample(), 32, &1025u64.to_le_bytes()), (Eof, 6, 976));
}

#[test]
fn step_7_base() {
    // a.
    for wrong in [0u64, 960, 976, 1023] {
        rejects(&with(&sample(), 32, &wrong.to_le_bytes()), (Type, 7, 32));
    }
    // b.
    for padding in 976..1024 {
        rejects(&with(&sample(), padding, &[1]), (Type, 7, at(padding)));
        rejects(&with(&with(&sample(), 1023, &[1]), padding, &[0x80]), (Type, 7, at(padding)));
    }
}

#[test]
fn step_8a_reserved_bytes() {
    for index in 0..7 {
        for reserved in (5..8).chain(56..64) {
            let bytes = with(&sample(), d(index) + reserved, &[1]);
            rejects(&bytes, (Frame, 8, at(d(index) + reserved)));
            rejects(&with(&bytes, d(6) + 63, &[1]), (Frame, 8, at(d(index) + reserved)));
        }
    }
}

#[test]
fn step_8b_names() {
    // w 0, mask 1, q 5, s 6, out 7, op 10, no name.
    for (index, wrong) in [(0, 1u32), (1, 0), (2, 4), (5, 12), (6, 12), (6, 1), (1, u32::MAX)] {
        rejects(&with(&sample(), d(index) + 8, &wrong.to_le_bytes()), (Type, 8, at(d(index) + 8)));
    }
    rejects(&with(&sample(), d(6) + 8, &[1]), (Type, 8, at(d(6) + 8)));
    // A name may reach over the layouts, but not leave the heap.
    for wrong in [7u32, 8, 1000, u32::MAX] {
        rejects(&with(&sample(), d(5) + 12, &wrong.to_le_bytes()), (Type, 8, at(d(5) + 12)));
    }
    // The length decides whether there is a name, so a cut one moves all the others.
    rejects(&with(&sample(), d(0) + 12, &[0]), (Type, 8, at(d(1) + 8)));
    rejects(&with(&sample(), d(1) + 12, &[3]), (Type, 8, at(d(2) + 8)));
}

#[test]
fn step_8c_layouts() {
    rejects(&with(&sample(), d(2) + 20, &[1]), (Type, 8, at(d(2) + 20)));
    rejects(&with(&sample(), d(5) + 20, &[0]), (Type, 8, at(d(5) + 20)));
    rejects(&with(&sample(), d(2) + 24, &[1]), (Type, 8, at(d(2) + 24)));
    rejects(&with(&sample(), d(5) + 24, &[0]), (Type, 8, at(d(5) + 24)));
    rejects(&with(&sample(), d(2) + 16, &[1]), (Type, 8, at(d(2) + 16)));
    for wrong in [0u32, 11, 13, u32::MAX] {
        rejects(&with(&sample(), d(5) + 16, &wrong.to_le_bytes()), (Type, 8, at(d(5) + 16)));
    }
    for wrong in [5u32, 1000, u32::MAX] {
        rejects(&with(&sample(), d(5) + 20, &wrong.to_le_bytes()), (Type, 8, at(d(5) + 20)));
    }
    // A code that is neither closed nor opaque needs none, like a closed one.
    for code in [0u16, 20, 4095, 32768, u16::MAX] {
        rejects(&with(&sample(), d(5), &code.to_le_bytes()), (Type, 8, at(d(5) + 20)));
    }
    // A closed dtype made opaque lacks its layout.
    for code in [4096u16, 32767] {
        rejects(&with(&sample(), d(3), &code.to_le_bytes()), (Type, 8, at(d(3) + 20)));
    }
}

#[test]
fn step_8d_heap() {
    rejects(&with(&sample(), d(5) + 20, &[3]), (Type, 8, 975));
    rejects(&with(&sample(), d(5) + 20, &[1]), (Type, 8, 973));
    let mut bytes = sample();
    put(&mut bytes, 16, &17u64.to_le_bytes());
    put(&mut bytes, 24, &913u64.to_le_bytes());
    rejects(&bytes, (Type, 8, 976));
}

#[test]
fn step_8e_names_flag() {
    rejects(&with(&sample(), 6, &[1]), (Type, 8, 6));
    let unnamed = block(&[tensor("", 12, &[1], &[5])]);
    assert_eq!(verdict::both(&unnamed), Ok(unnamed.len()));
    rejects(&with(&unnamed, 6, &[3]), (Type, 8, 6));
    rejects(&with(&block(&[]), 6, &[3]), (Type, 8, 6));
    // A layout name is no tensor name.
    let opaque = block(&[tensor("", 4096, &[], &[]).opaque("x", 1)]);
    assert_eq!(verdict::both(&opaque), Ok(opaque.len()));
    rejects(&with(&opaque, 6, &[3]), (Type, 8, 6));
}

#[test]
fn step_8f_text() {
    // mask is at 961 to 964, the layout at 972 to 975.
    rejects(&with(&sample(), 961, &[0xff]), (Utf8, 8, 961));
    rejects(&with(&sample(), 964, &[0x80]), (Utf8, 8, 964));
    rejects(&with(&sample(), 964, &[0xc3]), (Utf8, 8, 964));
    rejects(&with(&sample(), 962, &[0xe3, 0x81, 0x28]), (Utf8, 8, 962));
    assert_eq!(verdict::both(&with(&sample(), 962, &[0xe3, 0x81, 0x81])), Ok(1410));
    rejects(&with(&sample(), 974, &[0xe3, 0x81]), (Utf8, 8, 974));
    rejects(&with(&sample(), 975, &[0xff]), (Utf8, 8, 975));
    // A character across the border of two names belongs to neither: w, mask and op, Q4_K.
    rejects(&with(&sample(), 960, &[0xc3, 0xa9]), (Utf8, 8, 960));
    rejects(&with(&sample(), 971, &[0xc3, 0xa9]), (Utf8, 8, 971));
    // All tensor names come before all layout names.
    rejects(&with(&with(&sample(), 972, &[0xff]), 970, &[0xff]), (Utf8, 8, 970));
}

#[test]
fn step_8g_repeated_names() {
    // s becomes w; then q as well, which comes first.
    let bytes = with(&sample(), 966, b"w");
    rejects(&bytes, (Type, 8, 966));
    let error = Directory::read(&bytes).unwrap_err();
    assert_eq!((error.tensor(), error.other_tensor()), (Some(3), Some(0)));
    let bytes = with(&bytes, 965, b"w");
    rejects(&bytes, (Type, 8, 965));
    let error = Directory::read(&bytes).unwrap_err();
    assert_eq!((error.tensor(), error.other_tensor()), (Some(2), Some(0)));
    assert_eq!(
        error.describe(&bytes).to_string(),
        "TYPE at byte 965 (0x3c5), step 8, in tensor 2 \"w\" and tensor 0 \"w\": two tensors have the same name"
    );
}

#[test]
fn step_9a_dtype() {
    for code in [0u16, 20, 21, 4095, 32768, u16::MAX] {
        rejects(&with(&sample(), d(3), &code.to_le_bytes()), (Type, 9, at(d(3))));
    }
}

#[test]
fn step_9a_rank_and_slots() {
    for rank in [9u8, 16, 255] {
        rejects(&with(&sample(), d(3) + 2, &[rank]), (Type, 9, at(d(3) + 2)));
    }
    for slot in 1..8 {
        let bytes = with(&sample(), d(3) + 64 + 8 * slot, &1u64.to_le_bytes());
        rejects(&bytes, (Type, 9, at(d(3) + 64 + 8 * slot)));
        // The slot and not the byte in it; the first of two.
        let bytes = with(&with(&sample(), d(3) + 64 + 8 * slot + 7, &[1]), d(3) + 64 + 56, &[1]);
        rejects(&bytes, (Type, 9, at(d(3) + 64 + 8 * slot)));
    }
    rejects(&with(&sample(), d(3) + 2, &[0]), (Type, 9, at(d(3) + 64)));
}

#[test]
fn step_9a_overflow() {
    let shaped = |rank: u8, dims: &[u64]| {
        let mut bytes = with(&sample(), d(3) + 2, &[rank]);
        for (slot, dim) in dims.iter().enumerate() {
            put(&mut bytes, d(3) + 64 + 8 * slot, &dim.to_le_bytes());
        }
        bytes
    };
    // The count; then the count times four bytes.
    rejects(&shaped(2, &[1 << 63, 2]), (Limit, 9, at(d(3) + 64)));
    rejects(&shaped(8, &[256; 8]), (Limit, 9, at(d(3) + 64)));
    rejects(&shaped(1, &[1 << 62]), (Limit, 9, at(d(3) + 64)));
    rejects(&shaped(1, &[u64::MAX]), (Limit, 9, at(d(3) + 64)));
    // One less fits 64 bits, and is a length like another.
    rejects(&shaped(1, &[(1 << 62) - 1]), (Type, 9, at(d(3) + 48)));
    // A packed count may be as large as 64 bits.
    let packed = with(&shaped(1, &[u64::MAX]), d(3), &15u16.to_le_bytes());
    rejects(&packed, (Type, 9, at(d(3) + 48)));
    // An opaque one too, and beyond that it is refused like the others.
    let mut opaque = with(&sample(), d(5) + 64, &u64::MAX.to_le_bytes());
    assert_eq!(verdict::both(&opaque), Ok(1410));
    put(&mut opaque, d(5) + 2, &[2]);
    put(&mut opaque, d(5) + 72, &2u64.to_le_bytes());
    rejects(&opaque, (Limit, 9, at(d(5) + 64)));
}

#[test]
fn step_9a_length() {
    for wrong in [0u64, 7, 9, 16, u64::MAX] {
        rejects(&with(&sample(), d(3) + 48, &wrong.to_le_bytes()), (Type, 9, at(d(3) + 48)));
    }
    for wrong in [1u64, 35, 37] {
        rejects(&with(&sample(), d(5) + 48, &wrong.to_le_bytes()), (Type, 9, at(d(5) + 48)));
    }
    rejects(&with(&sample(), d(2) + 48, &3u64.to_le_bytes()), (Type, 9, at(d(2) + 48)));
}

#[test]
fn step_9a_range() {
    for wrong in [0u64, 960, 1023, 1403, 1410, u64::MAX - 63, u64::MAX - 7, u64::MAX] {
        rejects(&with(&sample(), d(3) + 40, &wrong.to_le_bytes()), (Type, 9, at(d(3) + 40)));
    }
    // A payload of no bytes has to lie inside too.
    let empty = block(&[tensor("e", 2, &[0], &[]), tensor("b", 12, &[1], &[9])]);
    let (base, end) = (word(&empty, 32), empty.len() as u64);
    for wrong in [0, base - 1, end + 1, u64::MAX] {
        rejects(&with(&empty, d(0) + 40, &wrong.to_le_bytes()), (Type, 9, at(d(0) + 40)));
    }
    // At the very end it does, and is then in the wrong place.
    rejects(&with(&empty, d(0) + 40, &end.to_le_bytes()), (Type, 10, at(d(0) + 40)));
}

#[test]
fn step_9b_overlap() {
    // s where q is; q where s is: the one with the higher index is at fault.
    let bytes = with(&sample(), d(3) + 40, &1152u64.to_le_bytes());
    rejects(&bytes, (Type, 9, at(d(3) + 40)));
    let error = Directory::read(&bytes).unwrap_err();
    assert_eq!((error.tensor(), error.other_tensor()), (Some(3), Some(2)));
    assert_eq!(
        error.describe(&bytes).to_string(),
        "TYPE at byte 488 (0x1e8), step 9, in tensor 3 \"s\" and tensor 2 \"q\": two payloads overlap"
    );
    let bytes = with(&sample(), d(2) + 40, &1216u64.to_le_bytes());
    rejects(&bytes, (Type, 9, at(d(3) + 40)));
    // In part: the later one by offset is at fault, whatever its index.
    let bytes = with(&sample(), d(4) + 40, &1220u64.to_le_bytes());
    rejects(&bytes, (Type, 9, at(d(4) + 40)));
    let bytes = with(&sample(), d(6) + 40, &1087u64.to_le_bytes());
    rejects(&bytes, (Type, 9, at(d(1) + 40)));
    let error = Directory::read(&bytes).unwrap_err();
    assert_eq!((error.tensor(), error.other_tensor()), (Some(1), Some(6)));
    // Two pairs: the first by offset, though its index is higher.
    let bytes = with(&with(&sample(), d(6) + 40, &1088u64.to_le_bytes()), d(3) + 40, &1280u64.to_le_bytes());
    rejects(&bytes, (Type, 9, at(d(6) + 40)));
    // A payload of no bytes between the two has no part in it.
    let payloads =
        [tensor("a", 12, &[128], &[1; 128]), tensor("e", 12, &[0], &[]), tensor("b", 12, &[1], &[2])];
    let bytes = block(&payloads);
    let first = word(&bytes, d(0) + 40);
    let bytes = with(&bytes, d(1) + 40, &(first + 1).to_le_bytes());
    let bytes = with(&bytes, d(2) + 40, &(first + 127).to_le_bytes());
    rejects(&bytes, (Type, 9, at(d(2) + 40)));
    let error = Directory::read(&bytes).unwrap_err();
    assert_eq!((error.tensor(), error.other_tensor()), (Some(2), Some(0)));
    // Touching is no overlap.
    let bytes = with(&sample(), d(2) + 40, &1091u64.to_le_bytes());
    rejects(&bytes, (Type, 10, at(d(2) + 40)));
}

#[test]
fn step_10a_placement() {
    for (index, wrong) in [(0, 1028u64), (2, 1153), (3, 1224), (5, 1350), (6, 1440 - 40)] {
        rejects(&with(&sample(), d(index) + 40, &wrong.to_le_bytes()), (Type, 10, at(d(index) + 40)));
    }
    // Two payloads that have changed places: the first one counts.
    let bytes = with(&with(&sample(), d(3) + 40, &1280u64.to_le_bytes()), d(4) + 40, &1216u64.to_le_bytes());
    rejects(&bytes, (Type, 10, at(d(3) + 40)));
}

#[test]
fn step_10b_payload_bytes() {
    let longer = [&with(&sample(), 40, &387u64.to_le_bytes())[..], &[0]].concat();
    rejects(&longer, (Type, 10, 40));
    let empty = [&with(&block(&[]), 40, &64u64.to_le_bytes())[..], &[0; 64]].concat();
    rejects(&empty, (Type, 10, 40));
}

#[test]
fn step_10c_gaps() {
    let payloads = [1024..1028, 1088..1091, 1152..1154, 1216..1224, 1280..1284, 1344..1380, 1408..1410];
    for gap in (1024..1410).filter(|at| !payloads.iter().any(|payload| payload.contains(at))) {
        for bit in [1, 0x80] {
            rejects(&with(&sample(), gap, &[bit]), (Type, 10, at(gap)));
        }
        rejects(&with(&with(&sample(), 1407, &[1]), gap, &[1]), (Type, 10, at(gap)));
    }
    // An empty payload at the end is placed, and what lies before its place belongs to the block.
    let empty = block(&[tensor("b", 12, &[1], &[9]), tensor("e", 2, &[0], &[])]);
    assert_eq!(verdict::both(&empty), Ok(empty.len()));
    rejects(&with(&empty, empty.len() - 1, &[1]), (Type, 10, at(empty.len() - 1)));
}

#[test]
fn step_11a_elements() {
    for byte in 1088..1091 {
        for wrong in [2, 3, 0x80, 0xff] {
            rejects(&with(&sample(), byte, &[wrong]), (Type, 11, at(byte)));
        }
    }
    rejects(&with(&sample(), 1088, &[1, 2, 3]), (Type, 11, 1089));
    // The last byte of three packed elements.
    for wrong in [0x10, 0x1f, 0x80, 0xf0] {
        rejects(&with(&sample(), 1153, &[wrong]), (Type, 11, 1153));
        rejects(&with(&sample(), 1409, &[wrong]), (Type, 11, 1409));
        // The first byte holds two.
        assert_eq!(verdict::both(&with(&sample(), 1152, &[wrong])), Ok(1410));
    }
}

#[test]
fn step_11b_scheme_axis_group() {
    for wrong in [3u8, 255] {
        rejects(&with(&sample(), d(0) + 3, &[wrong]), (Type, 11, at(d(0) + 3)));
    }
    for scheme in [1u8, 2] {
        rejects(&with(&sample(), d(5) + 3, &[scheme]), (Type, 11, at(d(5) + 3)));
    }
    for axis in [2u8, 8, 255] {
        rejects(&with(&sample(), d(0) + 4, &[axis]), (Type, 11, at(d(0) + 4)));
    }
    rejects(&with(&sample(), d(3) + 4, &[1]), (Type, 11, at(d(3) + 4)));
    rejects(&with(&sample(), d(0) + 28, &[0]), (Type, 11, at(d(0) + 28)));
    rejects(&with(&sample(), d(3) + 28, &[1]), (Type, 11, at(d(3) + 28)));
    // A tensor of rank 0 has no axis.
    let scalar = block(&[tensor("x", 12, &[], &[1]).linked(1, 0, 1, 1, 0), tensor("s", 12, &[], &[1])]);
    rejects(&scalar, (Type, 11, at(d(0) + 4)));
}

#[test]
fn step_11b_scale() {
    // No such tensor, itself, opaque, linked on, of another count.
    for wrong in [7u32, u32::MAX, 0, 5, 2, 1, 4, 6] {
        rejects(&with(&sample(), d(0) + 32, &wrong.to_le_bytes()), (Type, 11, at(d(0) + 32)));
    }
    rejects(&with(&sample(), d(3) + 32, &[1]), (Type, 11, at(d(3) + 32)));
    // Groups of one are four.
    rejects(&with(&sample(), d(0) + 28, &[1]), (Type, 11, at(d(0) + 32)));
    // Along the other axis there are as many.
    assert_eq!(verdict::both(&with(&sample(), d(0) + 4, &[0])), Ok(1410));
}

#[test]
fn step_11b_outer() {
    // Scheme 1 has none.
    rejects(&with(&sample(), d(0) + 36, &[4]), (Type, 11, at(d(0) + 36)));
    rejects(&with(&sample(), d(3) + 36, &[1]), (Type, 11, at(d(3) + 36)));
    // No such tensor, itself, not f32, two elements, opaque.
    for wrong in [7u32, u32::MAX, 2, 6, 1, 3, 5, 0] {
        rejects(&with(&sample(), d(2) + 36, &wrong.to_le_bytes()), (Type, 11, at(d(2) + 36)));
    }
    // The scale tensor can be the outer one too, when it has one element.
    let one = 1.0f32.to_le_bytes();
    let shared = block(&[tensor("q", 12, &[2], &[1, 2]).linked(2, 0, 2, 1, 1), tensor("s", 2, &[1], &one)]);
    assert_eq!(verdict::both(&shared), Ok(shared.len()));
}

#[test]
fn step_12_end() {
    for more in [1, 63, 1000] {
        rejects(&[&sample()[..], &vec![0; more]].concat(), (Trailing, 12, 1410));
    }
    rejects(&[&block(&[])[..], &[0xff]].concat(), (Trailing, 12, 64));
    let bytes = [&sample()[..], &[1, 2, 3]].concat();
    let error = Directory::read(&bytes).unwrap_err();
    assert_eq!(error.claimed(), Some(3));
}

#[test]
fn numbers_say_what_was_needed_and_what_was_there() {
    let numbers = |bytes: &[u8]| {
        let error = Directory::read(bytes).unwrap_err();
        (error.claimed(), error.allowed())
    };
    assert_eq!(numbers(&sample()[..10]), (Some(64), Some(10)));
    assert_eq!(numbers(&sample()[..100]), (Some(912), Some(36)));
    assert_eq!(numbers(&sample()[..1000]), (Some(434), Some(24)));
    let bytes = with(&sample(), 8, &20_000_000u64.to_le_bytes());
    assert_eq!(numbers(&bytes), (Some(20_000_000), Some(16_777_216)));
    // The same behind other fields.
    let behind = [&[0; BEFORE][..], &sample()[..100]].concat();
    let error = kiln::from_slice::<Behind<'_>>(&behind).err().unwrap();
    assert_eq!((error.claimed(), error.allowed()), (Some(912), Some(36)));
    let behind = [&[0; BEFORE][..], &with(&sample(), 1088, &[2])].concat();
    let error = kiln::from_slice::<Behind<'_>>(&behind).err().unwrap();
    assert_eq!(
        error.describe(&behind).to_string(),
        "TYPE at byte 1100 (0x44c), step 11, in batch, tensor 1 \"mask\": \
         a byte of a bool payload is neither 0 nor 1 (found 2)"
    );
}
