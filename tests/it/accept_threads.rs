//! Long payloads and large tables, which several threads may look at and copy: the verdict is the first fault in
//! order, however many threads there are.

use crate::support::verdict;
use kiln::tensor::{self, Builder, Descriptor, Directory, Dtype, Header, OpaqueCode, OwnedDirectory};
use kiln::{Code, Limits};

#[test]
fn the_first_wrong_byte_of_long_bool_payloads() {
    let payload = vec![1u8; 3_000_001];
    let mut builder = Builder::new();
    for name in ["a", "b", "c"] {
        builder.push_bytes(name, Dtype::Bool, &[payload.len() as u64], &payload).expect("a tensor");
    }
    let block = builder.to_vec().expect("a block");
    assert_eq!(verdict::standalone(&block, &Limits::DEFAULT), Ok(block.len()));
    let starts: Vec<usize> = {
        let directory = Directory::read(&block).expect("a directory");
        directory.iter().map(|tensor| tensor.byte_range().start as usize).collect()
    };
    let last = payload.len() - 1;
    for wrong in [&[(0, 0)][..], &[(2, last)], &[(0, last), (1, 0)], &[(2, 0), (1, 1_500_000)]] {
        let mut damaged = block.clone();
        let wrong: Vec<usize> = wrong.iter().map(|&(tensor, at)| starts[tensor] + at).collect();
        wrong.iter().for_each(|&at| damaged[at] = 2);
        let first = wrong.iter().copied().min().expect("a byte") as u64;
        assert_eq!(verdict::standalone(&damaged, &Limits::DEFAULT), Err((Code::Type, Some(11), first)));
    }
}

#[test]
fn a_long_block_is_copied_whole() {
    let payload: Vec<u8> = (0..9_000_017u32).map(|at| (at % 251) as u8).collect();
    let mut builder = Builder::new();
    builder.push("w", &[payload.len() as u64], &payload).expect("a tensor");
    let block = builder.to_vec().expect("a block");
    let owned = OwnedDirectory::read(&block).expect("a directory");
    assert!(owned.as_bytes() == block);

    // And into storage that is there, which another block has filled.
    let mut place = Builder::new().to_owned_directory().expect("a directory");
    for payload in [&payload[..], &payload[1..9_000_001], &payload[..8], &payload[..]] {
        let mut builder = Builder::new();
        builder.push("w", &[payload.len() as u64], payload).expect("a tensor");
        let block = builder.to_vec().expect("a block");
        kiln::decode_into(&block, &mut place).expect("a directory");
        assert!(place.as_bytes() == block);
        assert_eq!(place.get_by_name("w").map(|tensor| tensor.bytes() == payload), Some(true));
    }
}

/// The tensors of a run.
const RUN: usize = 4096;

/// Whether the fast pass accepts, in one run and in several: which the check order does as well or none does.
fn is_accepted(bytes: &[u8]) -> bool {
    let accepted = tensor::accepts(bytes, &Limits::NONE, true);
    assert_eq!(accepted, tensor::check_with(bytes, &Limits::NONE).is_ok());
    assert_eq!(accepted, tensor::accepted_in_runs(bytes, &Limits::NONE, true, RUN).is_some());
    accepted
}

/// Tensors in runs, as several threads take them, and with so many names that their table is made in parts; with a fault in one run or in what two runs say of each other.
#[test]
fn a_large_table_has_one_verdict() {
    const COUNT: usize = 17_000;
    let payload = [7u8; 65];
    let name = |index: usize| format!("{:05}", (index * 7 + 3) % COUNT);
    let mut builder = Builder::new();
    for index in 0..COUNT {
        match index {
            // Without a name, all along the place where a run begins.
            8_000..8_500 => builder.push(None, &[1], &payload[..1]),
            5 | 9_999 | 16_999 => {
                builder.push_opaque(name(index), OpaqueCode::MIN, "Q4_K", 1, &[1], &payload)
            }
            _ => builder.push(name(index), &[index as u64 % 66], &payload[..index % 66]),
        }
        .expect("a tensor");
    }
    let block = builder.to_vec().expect("a block");
    assert!(is_accepted(&block));
    let directory = tensor::accepted_in_runs(&block, &Limits::NONE, true, RUN).expect("a directory");
    for (index, tensor) in directory.iter().enumerate() {
        let found = tensor.name().map(|name| directory.index_of(name));
        assert_eq!(found, tensor.name().map(|_| Some(index)));
    }

    let at = |index: usize, field: usize| Header::LEN + index * Descriptor::LEN + field;
    let mut damaged = block.clone();
    let mut refused = |place: usize, bits: u8| {
        damaged[place] ^= bits;
        assert!(!is_accepted(&damaged), "{place}");
        damaged[place] ^= bits;
    };
    // Where runs end, and the gap there.
    for index in [RUN - 1, RUN, 2 * RUN, 4 * RUN, COUNT - 1] {
        refused(at(index, Descriptor::NAME_OFFSET_AT), 64);
        refused(at(index, Descriptor::NAME_LEN_AT), 1);
        refused(at(index, Descriptor::BYTE_OFFSET_AT), 64);
        let ends = [index - 1, index].map(|index| directory.get(index).expect("a tensor").byte_range());
        if ends[0].end < ends[1].start {
            refused(ends[1].start as usize - 1, 1);
        }
    }
    for index in [9_999, 16_999] {
        refused(at(index, Descriptor::LAYOUT_OFFSET_AT), 1);
    }
    // Two runs have the same name.
    let heap = Header::LEN + COUNT * Descriptor::LEN;
    let mut repeated = block.clone();
    repeated.copy_within(heap..heap + 5, heap + 5 * 10_000);
    assert!(!is_accepted(&repeated));
    // A character in the names of two runs.
    let mut torn = block;
    (torn[heap + 5 * RUN - 1], torn[heap + 5 * RUN]) = (0xc3, 0xa4);
    assert!(!is_accepted(&torn));
}
