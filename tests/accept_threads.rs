//! Long payloads, which several threads may look at and copy: the verdict is the first fault in order, however
//! many threads there are.

#[path = "support/verdict.rs"]
mod verdict;

use kiln::tensor::{Builder, Directory, Dtype, OwnedDirectory};
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
