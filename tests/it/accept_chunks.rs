//! The fast pass goes through descriptors and names in chunks, and takes a short way for plain tensors: it has the
//! judge's answer for every kind of descriptor, wherever in the chunks it lies.

use crate::support::verdict;
use kiln::Limits;
use kiln::tensor::{Builder, Descriptor, Directory, Dtype, Header};

fn is_accepted(bytes: &[u8]) -> bool {
    verdict::standalone(bytes, &Limits::NONE).is_ok()
}

fn field(block: &mut [u8], tensor: usize, at: usize) -> &mut [u8] {
    &mut block[Header::LEN + tensor * Descriptor::LEN + at..]
}

fn put(block: &mut [u8], tensor: usize, descriptor: &Descriptor) {
    field(block, tensor, 0)[..Descriptor::LEN].copy_from_slice(&descriptor.write());
}

fn descriptor(block: &[u8], tensor: usize) -> Descriptor {
    let at = Header::LEN + tensor * Descriptor::LEN;
    Descriptor::read(block[at..].first_chunk().expect("a descriptor"))
}

/// Every dtype code, rank and number of dimensions that are not 0, with a payload of 64 bytes that may or may not
/// be what they say.
#[test]
fn dtypes_ranks_and_dimensions() {
    let mut builder = Builder::new();
    builder.push("w", &[64], &[0u8; 64]).expect("a tensor");
    let block = builder.to_vec().expect("a block");
    let plain = descriptor(&block, 0);
    let mut accepted = 0;
    for dtype in (0..=20).chain([31, 32, 255, 256, 4096, u16::MAX]) {
        for rank in 0..=9 {
            for used in 0..=8 {
                for (first, dim) in [
                    (64, 1),
                    (32, 1),
                    (16, 1),
                    (8, 1),
                    (16, 2),
                    (2, 2),
                    (64, 0),
                    (128, 1),
                    (1 << 32, 1 << 32),
                    (1 << 63, 2),
                    (u64::MAX, 0),
                ] {
                    let mut shape = [0; 8];
                    shape[..used].fill(dim);
                    if let Some(slot) = shape.first_mut().filter(|_| used > 0) {
                        *slot = first;
                    }
                    let mut damaged = block.clone();
                    put(&mut damaged, 0, &Descriptor { dtype, rank, shape, ..plain });
                    accepted += usize::from(is_accepted(&damaged));
                }
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}

/// A tensor of 2^64 elements, which two dimensions have between them, has not the payload of one without any.
#[test]
fn dimensions_whose_product_is_0_modulo_64_bits() {
    let mut builder = Builder::new();
    builder.push("w", &[0], &[0u8; 0]).expect("a tensor");
    let block = builder.to_vec().expect("a block");
    assert!(is_accepted(&block));
    let plain = descriptor(&block, 0);
    for (rank, second) in (2..=8).flat_map(|rank: u8| (1..usize::from(rank)).map(move |slot| (rank, slot))) {
        for (first, bits) in (0..second).flat_map(|first| (1..64).map(move |bits| (first, bits))) {
            let mut shape = [0; 8];
            shape[..usize::from(rank)].fill(1);
            (shape[first], shape[second]) = (1 << bits, 1 << (64 - bits));
            let mut damaged = block.clone();
            put(&mut damaged, 0, &Descriptor { rank, shape, ..plain });
            assert!(!is_accepted(&damaged), "{shape:?}");
        }
    }
}

/// Of every so many bits one is tried in each tensor, and each in one of twelve: where reading is slow.
const STEP: usize = match (cfg!(target_arch = "x86_64"), cfg!(debug_assertions)) {
    (true, false) => 1,
    (true, true) => 6,
    _ => 12,
};

/// A bit of a descriptor that is set or cleared, in the first, a middle and the last tensor of several chunks.
#[test]
fn every_bit_of_a_descriptor() {
    let names: Vec<String> = (0..150).map(|index| format!("layer.{index}.weight")).collect();
    let mut builder = Builder::new();
    for (index, name) in names.iter().enumerate() {
        match index % 3 {
            0 => builder.push(name, &[2, 3], &[0f32; 6]),
            1 => builder.push_bytes(name, Dtype::Bool, &[3], &[0, 1, 1]),
            _ => builder.push_bytes(name, Dtype::U4, &[5], &[0x11, 0x11, 0x01]),
        }
        .expect("a tensor");
    }
    let block = builder.to_vec().expect("a block");
    assert!(is_accepted(&block));
    let mut accepted = 0;
    for (turn, tensor) in [0, 1, 2, 63, 64, 65, 100, 127, 128, 147, 148, 149].into_iter().enumerate() {
        for bit in (turn % STEP..8 * Descriptor::LEN).step_by(STEP) {
            let mut damaged = block.clone();
            field(&mut damaged, tensor, bit / 8)[0] ^= 1 << (bit % 8);
            accepted += usize::from(is_accepted(&damaged));
        }
    }
    // Some bits make another dtype of the same size.
    assert!((1..100).contains(&accepted), "{accepted}");
}

/// Names and their text, in tensors that lie in chunks of their own, in tables small and large.
#[test]
fn names_in_all_chunks() {
    for count in [2, 63, 64, 65, 129, 1000, if STEP == 12 { 5_000 } else { 20_000 }] {
        for ascending in [true, false] {
            let name = |index: usize| format!("{:06}é", if ascending { index } else { index ^ 1 });
            let mut builder = Builder::new();
            for index in 0..count {
                builder.push(name(index), &[], &[0u8]).expect("a tensor");
            }
            let block = builder.to_vec().expect("a block");
            let directory = Directory::read_with(&block, &Limits::NONE).expect("a directory");
            for index in [0, 1, count / 2, count - 1] {
                assert_eq!(directory.index_of(&name(index)), Some(index));
            }
            let heap = Header::LEN + count * Descriptor::LEN;
            let len = name(0).len();
            for second in [1, count / 2, count - 1] {
                let mut repeated = block.clone();
                repeated.copy_within(heap..heap + len, heap + second * len);
                assert!(!is_accepted(&repeated), "{count} {second}");
                // The last byte of a name, which a character needs.
                let mut cut = block.clone();
                cut[heap + (second + 1) * len - 1] = b'x';
                assert!(!is_accepted(&cut), "{count} {second}");
                // The heap as a whole is text still, but a character is in two names.
                let mut torn = block.clone();
                let mut first = descriptor(&torn, second - 1);
                let mut next = descriptor(&torn, second);
                first.name_len -= 1;
                next.name_offset -= 1;
                next.name_len += 1;
                put(&mut torn, second - 1, &first);
                put(&mut torn, second, &next);
                assert!(!is_accepted(&torn), "{count} {second}");
            }
        }
    }
}

/// Names that ascend through whole chunks and then no more.
#[test]
fn names_that_ascend_for_a_while() {
    for break_at in [1, 63, 64, 65, 128, 299] {
        let name = |index: usize| format!("{:04}", if index == break_at { 0 } else { index + 1 });
        let mut builder = Builder::new();
        for index in 0..300 {
            builder.push(name(index), &[], &[0u8]).expect("a tensor");
        }
        let block = builder.to_vec().expect("a block");
        assert!(is_accepted(&block));
        let directory = Directory::read(&block).expect("a directory");
        assert!((0..300).all(|index| directory.index_of(&name(index)) == Some(index)), "{break_at}");
        // The name that breaks the order is the first one's.
        let heap = Header::LEN + 300 * Descriptor::LEN;
        let mut repeated = block;
        repeated.copy_within(heap..heap + 4, heap + 4 * break_at);
        assert!(!is_accepted(&repeated), "{break_at}");
    }
}
