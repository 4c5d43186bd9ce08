//! Small directories cut short at every byte and damaged at every bit: the fast pass and the check order agree
//! every time, and the reject is where the damage is or before it.

use crate::support::{block, verdict};
use block::{block, d, sample, tensor};
use kiln::{Code, Limits};

/// An emulated processor tests some of what others test all of.
const STEP: usize = if cfg!(target_arch = "x86_64") { 1 } else { 5 };

/// Bits whose change leaves a directory valid: those of names and of payloads without rules.
fn is_free(at: usize, bit: u8) -> bool {
    match at {
        // Text stays text while it stays ASCII, but no two names may become the same: tested by the caller.
        960..976 => bit < 7,
        1024..1028 | 1152 | 1216..1224 | 1280..1284 | 1344..1380 | 1408 => true,
        1088..1091 => bit == 0,
        1153 | 1409 => bit < 4,
        _ => false,
    }
}

#[test]
fn every_bit_of_the_sample() {
    let valid = sample();
    let mut bytes = valid.clone();
    for at in 0..valid.len() {
        for bit in (at as u8 % STEP as u8..8).step_by(STEP) {
            bytes[at] ^= 1 << bit;
            match verdict::both(&bytes) {
                Ok(_) => assert!(is_free(at, bit) || is_other_meaning(at, bit), "bit {bit} of byte {at}"),
                Err((code, step, offset)) => {
                    let repeats = code == Code::Type && step == Some(8) && (960..972).contains(&at);
                    assert!(!is_free(at, bit) || repeats, "bit {bit} of byte {at}: {code} at {offset}");
                }
            }
            bytes[at] = valid[at];
        }
    }
}

/// Bits whose change makes another valid directory: of dtypes of one width, of an opaque code or block size, of a
/// shape that says nothing about the length, of a link that fits as well.
fn is_other_meaning(at: usize, bit: u8) -> bool {
    let index = (at - 64) / 128;
    match (index, at - d(index)) {
        // i8, f32, e2m1 and i4 have neighbours; of an opaque code every bit but the highest is free above 4096.
        (_, 0) => true,
        (5, 1) => bit != 7,
        (5, 2 | 24..28 | 64..72) => true,
        // A group of 2 to 127 more elements than there are is one group too; axis 0 has as many groups.
        (0, 4) => bit == 0,
        (0 | 2, 28..32) => true,
        _ => false,
    }
}

#[test]
fn every_length_of_the_sample() {
    let valid = sample();
    for len in 0..valid.len() {
        let (code, step, offset) = verdict::both(&valid[..len]).unwrap_err();
        let expected = match len {
            0..64 => (1, 0),
            64..976 => (5, 64),
            _ => (6, 976),
        };
        assert_eq!((code, step, offset), (Code::Eof, Some(expected.0), expected.1), "{len} bytes");
    }
}

#[test]
fn every_byte_of_every_small_directory_set_to_other_values() {
    let small = [
        block(&[]),
        block(&[tensor("b", 13, &[2], &[1, 0])]),
        block(&[tensor("", 18, &[1], &[5]), tensor("é", 2, &[0, 3], &[])]),
        block(&[tensor("o", 5000, &[2], &[1, 2, 3, 4]).opaque("ab", 2)]),
        block(&[tensor("q", 8, &[2], &[1, 2]).linked(1, 0, 2, 1, 0), tensor("s", 12, &[1], &[3])]),
    ];
    let values = [0, 1, 2, 3, 4, 8, 9, 0x10, 0x3f, 0x40, 0x7f, 0x80, 0xc3, 0xff];
    for valid in &small {
        assert_eq!(verdict::both(valid), Ok(valid.len()));
        let mut bytes = valid.clone();
        for at in 0..valid.len() {
            for value in values {
                bytes[at] = value;
                let _ = verdict::both(&bytes);
            }
            bytes[at] = valid[at];
        }
    }
}

#[test]
fn every_field_of_the_sample_set_to_numbers_at_the_edges() {
    let valid = sample();
    let edges = [0, 1, 2, 63, 64, 65, 1024, 1410, 1 << 31, 1 << 32, (1 << 32) + 64, 1 << 57, 1 << 63]
        .into_iter()
        .flat_map(|edge: u64| [edge.wrapping_sub(1), edge, edge.wrapping_neg()]);
    for edge in edges {
        for at in (0..960).step_by(8 * STEP) {
            // Caps are for the header; the halves of a word of it are no numbers.
            let (limits, halves) = if at < 64 { (Limits::NONE, 0..0) } else { (Limits::DEFAULT, at..at + 8) };
            let _ = verdict::both_with(&block::with(&valid, at, &edge.to_le_bytes()), &limits);
            for half in halves.step_by(4) {
                let _ = verdict::both(&block::with(&valid, half, &(edge as u32).to_le_bytes()));
            }
        }
    }
}
