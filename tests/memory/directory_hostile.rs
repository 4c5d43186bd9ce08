//! Inputs that broke other readers, asked of this one.

use crate::support::{alloc, block, verdict};
use block::{Tensor, block, d, put, sample, tensor, with, word};
use kiln::tensor::{Directory, ViewError};
use kiln::{Code::*, Frozen, Limits};

/// A million tensors for optimised builds on a processor of one's own, fewer for others.
const LARGE: usize = match (cfg!(target_arch = "x86_64"), cfg!(debug_assertions)) {
    (true, false) => 1_000_000,
    (true, true) => 200_000,
    _ => 50_000,
};

#[test]
fn a_count_whose_size_wraps_is_limit() {
    let mut bytes = block(&[]);
    put(&mut bytes, 8, &((1u64 << 57) + 1).to_le_bytes());
    put(&mut bytes, 24, &128u64.to_le_bytes());
    assert_eq!(verdict::both_with(&bytes, &Limits::NONE), Err((Limit, Some(4), 8)));
}

#[test]
fn a_shape_whose_product_wraps_is_limit() {
    let bytes = block(&[tensor("w", 2, &[1 << 63, 4], &[])]);
    assert_eq!(verdict::both(&bytes), Err((Limit, Some(9), d(0) as u64 + 64)));
    // Once or several times, each time to 1: three times its inverse.
    let inverse = 0xaaaa_aaaa_aaaa_aaab_u64;
    assert_eq!(inverse.wrapping_mul(3), 1);
    for times in 1..=4 {
        let bytes = block(&[tensor("w", 12, &[3, inverse].repeat(times), &[7])]);
        assert_eq!(verdict::both(&bytes), Err((Limit, Some(9), d(0) as u64 + 64)));
    }
    // To 0, by the same dimension twice wherever both stand.
    for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        let mut dims = [1; 4];
        (dims[one], dims[other]) = (1 << 32, 1 << 32);
        let bytes = block(&[tensor("w", 12, &dims, &[])]);
        assert_eq!(verdict::both(&bytes), Err((Limit, Some(9), d(0) as u64 + 64)), "{dims:?}");
    }
}

#[test]
fn a_shape_whose_bytes_wrap_is_limit() {
    let bytes = block(&[tensor("w", 1, &[1 << 61], &[])]);
    assert_eq!(verdict::both(&bytes), Err((Limit, Some(9), d(0) as u64 + 64)));
}

#[test]
fn a_range_that_wraps_is_type() {
    let mut bytes = block(&[tensor("w", 12, &[128], &[0; 128])]);
    put(&mut bytes, d(0) + 40, &(u64::MAX - 63).to_le_bytes());
    assert_eq!(verdict::both(&bytes), Err((Type, Some(9), d(0) as u64 + 40)));
}

#[test]
fn a_range_past_the_data_is_type_and_a_short_buffer_is_eof() {
    let bytes = block(&[tensor("w", 12, &[64], &[1; 64]), tensor("x", 12, &[64], &[2; 64])]);
    let mut longer = with(&bytes, d(1) + 48, &128u64.to_le_bytes());
    put(&mut longer, d(1) + 64, &128u64.to_le_bytes());
    assert_eq!(verdict::both(&longer), Err((Type, Some(9), d(1) as u64 + 40)));
    let short = &bytes[..bytes.len() - 1];
    assert_eq!(verdict::both(short), Err((Eof, Some(6), 64 + word(&bytes, 24))));
}

#[test]
fn a_claimed_count_allocates_nothing() {
    let mut bytes = block(&[]);
    put(&mut bytes, 8, &16_777_216u64.to_le_bytes());
    put(&mut bytes, 24, &(16_777_216u64 * 128).to_le_bytes());
    let (result, asked) = alloc::counted(|| Directory::read(&bytes).map(drop));
    assert_eq!(result.map_err(|error| verdict::reject(&error)), Err((Eof, Some(5), 64)));
    assert_eq!(asked, alloc::Asked { calls: 0, bytes: 0 });
    let (result, asked) = alloc::counted(|| kiln::from_slice::<Directory<'_>>(&bytes).map(drop));
    assert!(result.is_err());
    assert_eq!(asked.calls, 0);

    // The count above the cap, with the sum right or wrong.
    put(&mut bytes, 8, &16_777_217u64.to_le_bytes());
    let (result, asked) = alloc::counted(|| Directory::read(&bytes).map(drop));
    assert_eq!(result.map_err(|error| verdict::reject(&error)), Err((Limit, Some(3), 8)));
    assert_eq!(asked.calls, 0);
}

#[test]
fn reading_allocates_nothing_where_names_ascend() {
    let mut tensors: Vec<Tensor> =
        (0..100).map(|index| tensor(&format!("w{index:03}"), 12, &[3], &[1, 2, 3])).collect();
    tensors[33] = tensor("w033", 13, &[3], &[1, 0, 1]);
    let bytes = block(&tensors);
    let (found, asked) = alloc::counted(|| {
        let directory = Directory::read(&bytes).unwrap();
        let tensor = directory.get_by_name("w077").unwrap();
        (tensor.index(), tensor.bytes(), directory.iter().count())
    });
    assert_eq!(found, (77, &[1, 2, 3][..], 100));
    assert_eq!(asked.calls, 0);
}

#[test]
fn ranks_beyond_the_slots_are_type() {
    for rank in [9u8, 255] {
        let bytes = with(&sample(), d(0) + 2, &[rank]);
        assert_eq!(verdict::both(&bytes), Err((Type, Some(9), d(0) as u64 + 2)));
    }
}

#[test]
fn zero_dimensions_are_accepted_in_every_order() {
    let shapes: [&[u64]; 7] = [
        &[4, 0],
        &[1 << 63, 4, 0],
        &[1 << 63, 0, 4],
        &[0, 1 << 63, 4],
        &[1 << 63, 4, 0, 0],
        &[0, 1 << 63, 4, 0],
        &[0; 8],
    ];
    for dims in shapes {
        for dtype in [1, 2, 13, 14, 18, 19] {
            let bytes = block(&[tensor("e", dtype, dims, &[])]);
            assert_eq!(verdict::both(&bytes), Ok(bytes.len()));
            let tensor = Directory::read(&bytes).unwrap().get(0).unwrap();
            assert_eq!((tensor.element_count(), tensor.bytes().len()), (0, 0));
        }
    }
}

#[test]
fn zero_block_and_group_sizes_are_type() {
    let opaque = block(&[tensor("o", 4096, &[1], &[1, 2]).opaque("x", 0)]);
    assert_eq!(verdict::both(&opaque), Err((Type, Some(8), d(0) as u64 + 24)));
    let zero = with(&sample(), d(0) + 28, &[0; 4]);
    assert_eq!(verdict::both(&zero), Err((Type, Some(11), d(0) as u64 + 28)));
}

#[test]
fn rounding_up_does_not_wrap() {
    let scales = tensor("s", 2, &[0], &[]);
    for dims in [[u64::MAX, 0], [0, u64::MAX]] {
        for axis in [0, 1] {
            for group in [1, 2, u32::MAX] {
                let data = tensor("w", 8, &dims, &[]).linked(1, axis, group, 1, 0);
                let bytes = block(&[data, scales.clone()]);
                assert_eq!(verdict::both(&bytes), Ok(bytes.len()));
            }
        }
    }
    let mut bytes = block(&[]);
    for name_bytes in [u64::MAX, u64::MAX - 62, u64::MAX - 63, u64::MAX - 126, u64::MAX - 128] {
        put(&mut bytes, 16, &name_bytes.to_le_bytes());
        put(&mut bytes, 24, &name_bytes.to_le_bytes());
        assert_eq!(verdict::both_with(&bytes, &Limits::NONE), Err((Eof, Some(5), 64)));
    }
    for payload_base in [u64::MAX, u64::MAX - 63] {
        put(&mut bytes, 16, &0u64.to_le_bytes());
        put(&mut bytes, 24, &0u64.to_le_bytes());
        put(&mut bytes, 32, &payload_base.to_le_bytes());
        assert_eq!(verdict::both_with(&bytes, &Limits::NONE), Err((Eof, Some(6), 64)));
    }
}

#[test]
fn a_repeated_name_is_type_and_names_that_only_look_alike_pass() {
    let bytes = block(&[tensor("w", 12, &[0], &[]), tensor("w", 12, &[0], &[])]);
    assert_eq!(verdict::both(&bytes), Err((Type, Some(8), 64 + 256 + 1)));
    let bytes = block(&[tensor("e\u{301}", 12, &[1], &[1]), tensor("\u{e9}", 12, &[1], &[2])]);
    assert_eq!(verdict::both(&bytes), Ok(bytes.len()));
    let directory = Directory::read(&bytes).unwrap();
    assert_eq!(directory.get_by_name("\u{e9}").unwrap().bytes(), [2]);
    assert_eq!(directory.get_by_name("e\u{301}").unwrap().bytes(), [1]);
}

/// A directory of empty tensors with these names of one length.
fn named(names: impl ExactSizeIterator<Item = Vec<u8>>, len: usize) -> Vec<u8> {
    let count = names.len();
    let heap_at = 64 + 128 * count;
    let heap_end = heap_at + count * len;
    let base = heap_end.next_multiple_of(64);
    let mut bytes = vec![0; base];
    put(&mut bytes, 0, b"KLNT\x02\0\x03\0");
    put(&mut bytes, 8, &(count as u64).to_le_bytes());
    put(&mut bytes, 16, &((count * len) as u64).to_le_bytes());
    put(&mut bytes, 24, &((heap_end - 64) as u64).to_le_bytes());
    put(&mut bytes, 32, &(base as u64).to_le_bytes());
    for (index, name) in names.enumerate() {
        put(&mut bytes, d(index), &[12, 0, 1]);
        put(&mut bytes, d(index) + 8, &((index * len) as u32).to_le_bytes());
        put(&mut bytes, d(index) + 12, &(len as u32).to_le_bytes());
        put(&mut bytes, d(index) + 40, &(base as u64).to_le_bytes());
        put(&mut bytes, heap_at + index * len, &name);
    }
    bytes
}

/// Different names of eight letters in no order.
fn scattered(index: usize) -> Vec<u8> {
    format!("{:08x}", (index as u32).wrapping_mul(0x9e37_79b1)).into_bytes()
}

#[test]
fn the_last_of_a_million_names_repeats_the_first() {
    let mut bytes = named((0..LARGE).map(scattered), 8);
    let directory = Directory::read(&bytes).unwrap();
    assert_eq!(directory.len(), LARGE);
    for index in [0, 1, LARGE / 2, LARGE - 1] {
        let name = String::from_utf8(scattered(index)).unwrap();
        assert_eq!(directory.index_of(&name), Some(index));
    }
    assert_eq!(directory.index_of("no name!"), None);

    let last = 64 + 128 * LARGE + 8 * (LARGE - 1);
    put(&mut bytes, last, &scattered(0));
    let error = Directory::read(&bytes).unwrap_err();
    assert_eq!(verdict::reject(&error), (Type, Some(8), last as u64));
    assert_eq!((error.tensor(), error.other_tensor()), (Some(LARGE as u32 - 1), Some(0)));
}

/// A name of `blocks` times four letters for each number, whose FNV-1a hashes all end in the same twenty bits.
fn colliding(blocks: usize) -> impl Fn(usize) -> Vec<u8> {
    const PRIME: u64 = 1_099_511_628_211;
    const LOW: u64 = (1 << 20) - 1;
    let step = |state: u64, block: [u8; 4]| {
        block.into_iter().fold(state, |state, byte| ((state ^ u64::from(byte)).wrapping_mul(PRIME)) & LOW)
    };
    let mut state = 14_695_981_039_346_656_037 & LOW;
    let mut pairs = Vec::new();
    for _ in 0..blocks {
        let mut seen = std::collections::HashMap::new();
        let (pair, next) = (0..26u32.pow(4))
            .find_map(|number| {
                let letter = |place: u32| b'a' + (number / 26u32.pow(place) % 26) as u8;
                let block = [0, 1, 2, 3].map(letter);
                let next = step(state, block);
                seen.insert(next, block).map(|other| ([other, block], next))
            })
            .expect("two of half a million blocks lead to the same of a million states");
        pairs.push(pair);
        state = next;
    }
    move |index| pairs.iter().enumerate().flat_map(|(bit, pair)| pair[index >> bit & 1]).collect()
}

#[test]
fn names_that_collide_under_fnv_are_names_like_others() {
    let blocks = if LARGE > 50_000 { 16 } else { 12 };
    let name = colliding(blocks);
    let bytes = named((0..1 << blocks).map(&name), 4 * blocks);
    let directory = Directory::read(&bytes).unwrap();
    for index in [0, 1, (1 << blocks) - 1] {
        let name = String::from_utf8(name(index)).unwrap();
        assert_eq!(directory.index_of(&name), Some(index));
    }
}

/// A hash folds products, of which one is 0 where the name has the bytes of the seed, whatever stands beside them: who
/// knows the keys can make all names alike.
#[test]
fn names_that_collide_under_known_keys_are_names_like_others() {
    let count = LARGE / 50;
    let seed = u64::from_ne_bytes(*b"ABCDEFGH");
    // The seed is turned by the length of the name.
    let begin = seed.rotate_right(32).to_ne_bytes();
    let name =
        |index: usize| [&begin[..], format!("{:08}", index * 7_919 % count).as_bytes(), &[b'x'; 16]].concat();
    let mut bytes = named((0..count).map(name), 32);
    let accepted = |bytes: &[u8]| {
        let found = kiln::tensor::accepted_with_keys(bytes, &Limits::NONE, seed).map(|directory| {
            for index in [0, 1, count / 2, count - 1] {
                let name = String::from_utf8(name(index)).unwrap();
                assert_eq!(directory.index_of(&name), Some(index));
            }
            assert_eq!(directory.index_of("ABCDEFGH"), None);
        });
        found.is_some()
    };
    assert!(accepted(&bytes));
    // A table finds none by a name that is only alike to those that are there.
    let few = named([2, 0, 1].map(name).into_iter(), 32);
    let directory = kiln::tensor::accepted_with_keys(&few, &Limits::NONE, seed).unwrap();
    let index_of = |number| directory.index_of(&String::from_utf8(name(number)).unwrap());
    assert_eq!([0, 1, 2, 3].map(index_of), [Some(1), Some(2), Some(0), None]);
    let last = 64 + 128 * count + 32 * (count - 1);
    put(&mut bytes, last, &name(0));
    assert!(!accepted(&bytes));
    assert_eq!(verdict::both(&bytes), Err((Type, Some(8), last as u64)));
}

#[test]
fn aliased_payloads_are_type() {
    let bytes = block(&[tensor("a", 12, &[128], &[1; 128]), tensor("b", 12, &[128], &[2; 128])]);
    let first = word(&bytes, d(0) + 40);
    for alias in [first, first + 64] {
        let aliased = with(&bytes, d(1) + 40, &alias.to_le_bytes());
        assert_eq!(verdict::both(&aliased), Err((Type, Some(9), d(1) as u64 + 40)));
    }
}

#[test]
fn text_that_is_not_utf8_is_utf8() {
    for wrong in [&[0xff][..], &[0xc0, 0x80], &[0xed, 0xa0, 0x80], &[0xf4, 0x90, 0x80, 0x80], &[0x80]] {
        let bytes = block(&[Tensor { name: wrong.into(), ..tensor("", 12, &[0], &[]) }]);
        assert_eq!(verdict::both(&bytes), Err((Utf8, Some(8), 64 + 128)));
    }
    let halves = [&[b'a', 0xe2][..], &[0x82, 0xac]];
    let bytes = block(&halves.map(|half| Tensor { name: half.into(), ..tensor("", 12, &[0], &[]) }));
    assert_eq!(verdict::both(&bytes), Err((Utf8, Some(8), 64 + 256 + 1)));
    // The same between a name and a layout, and on a heap long enough for the vector code.
    let long = "x".repeat(200);
    let mut split = tensor(&long, 4096, &[0], &[]).opaque(&long, 1);
    split.name.push(0xe2);
    split.layout.splice(0..0, [0x82, 0xac]);
    let bytes = block(&[split]);
    assert_eq!(verdict::both(&bytes), Err((Utf8, Some(8), 64 + 128 + 200)));
}

#[test]
fn a_bool_of_two_is_type_wherever_it_is() {
    let valid = block(&[tensor("m", 13, &[131], &[1; 131])]);
    assert_eq!(verdict::both(&valid), Ok(valid.len()));
    let start = word(&valid, d(0) + 40) as usize;
    for at in start..start + 131 {
        assert_eq!(verdict::both(&with(&valid, at, &[2])), Err((Type, Some(11), at as u64)));
    }
}

#[test]
fn a_nonzero_bit_in_any_gap_is_type() {
    // Payloads around the lengths of words and vectors, whose gaps are as many bytes short of 64.
    let lens = [1, 7, 8, 9, 15, 16, 31, 32, 33, 48, 55, 56, 57, 62, 63, 64, 1];
    let tensors = lens.map(|len| tensor("", 12, &[len], &vec![0xff; len as usize]));
    let mut bytes = block(&tensors);
    assert_eq!(verdict::both(&bytes), Ok(bytes.len()));
    for index in 0..lens.len() - 1 {
        let end = (word(&bytes, d(index) + 40) + word(&bytes, d(index) + 48)) as usize;
        for at in end..end.next_multiple_of(64) {
            bytes[at] = 1 << (at % 8);
            assert_eq!(verdict::both(&bytes), Err((Type, Some(10), at as u64)));
            bytes[at] = 0;
        }
    }
}

#[test]
fn a_misaligned_directory_is_read_and_its_views_say_why_not() {
    #[derive(Frozen)]
    struct Labelled<'a> {
        label: &'a str,
        batch: Directory<'a>,
    }
    let numbers = [1.0f32, -0.0, f32::from_bits(0x7fa0_0001)];
    let payload: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let inner = block(&[tensor("f", 2, &[3], &payload), tensor("e", 1, &[0], &[])]);
    // Five bytes in front, at an address that is a multiple of 16.
    let mut storage = vec![0u128; (inner.len() + 5).div_ceil(16)];
    let buffer = &mut bytemuck::cast_slice_mut::<u128, u8>(&mut storage)[..inner.len() + 5];
    put(buffer, 0, b"\x01\0\0\0x");
    put(buffer, 5, &inner);
    let value: Labelled<'_> = kiln::from_slice(buffer).unwrap();
    assert_eq!((value.label, value.batch.as_bytes()), ("x", &inner[..]));

    let tensor = value.batch.get_by_name("f").unwrap();
    let expected = if cfg!(target_endian = "little") {
        ViewError::Alignment { needed: 4, past: 1 }
    } else {
        ViewError::ByteOrder
    };
    assert_eq!(tensor.as_slice::<f32>(), Err(expected));
    let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>();
    assert_eq!(bits(&tensor.to_vec::<f32>().unwrap()), bits(&numbers));
    // No elements need no address.
    assert_eq!(value.batch.get_by_name("e").unwrap().as_slice::<f64>(), Ok(&[][..]));
}

#[test]
fn links_that_form_a_loop_are_type() {
    let one = 1.0f32.to_le_bytes();
    let linked = |name: &str, scale| tensor(name, 2, &[1], &one).linked(1, 0, 1, scale, 0);
    let at_scale = |index: usize| Err((Type, Some(11), d(index) as u64 + 32));
    assert_eq!(verdict::both(&block(&[linked("a", 0), linked("b", 0)])), at_scale(0));
    assert_eq!(verdict::both(&block(&[linked("a", 1), linked("b", 0)])), at_scale(0));
    assert_eq!(verdict::both(&block(&[linked("a", 1), tensor("b", 2, &[1], &one)])), Ok(64 * 6 + 4 + 64));
    assert_eq!(verdict::both(&block(&[linked("a", 2), tensor("b", 2, &[1], &one)])), at_scale(0));
    let outer = tensor("a", 2, &[1], &one).linked(2, 0, 1, 1, 0);
    assert_eq!(
        verdict::both(&block(&[outer, tensor("b", 2, &[1], &one)])),
        Err((Type, Some(11), d(0) as u64 + 36))
    );
}

#[test]
fn dimensions_that_disagree_with_the_length_are_type() {
    let bytes = block(&[tensor("w", 2, &[3], &[0; 16])]);
    assert_eq!(verdict::both(&bytes), Err((Type, Some(9), d(0) as u64 + 48)));
}

#[test]
fn numbers_above_32_bits_are_not_cut() {
    let high = 1u64 << 32;
    let valid = block(&[tensor("w", 12, &[64], &[1; 64])]);
    let base = word(&valid, 32);
    let cases = [
        (8, 1 + high, (Limit, Some(3), 8)),
        (16, 1 + high, (Limit, Some(3), 16)),
        (24, 129 + high, (Type, Some(4), 24)),
        (32, base + high, (Eof, Some(6), 193)),
        (40, 64 + high, (Eof, Some(6), 193)),
        (d(0) + 40, base + high, (Type, Some(9), d(0) as u64 + 40)),
        (d(0) + 40, high + 64, (Type, Some(9), d(0) as u64 + 40)),
        (d(0) + 48, 64 + high, (Type, Some(9), d(0) as u64 + 48)),
        (d(0) + 64, 64 + high, (Type, Some(9), d(0) as u64 + 48)),
    ];
    for (at, wrong, reject) in cases {
        let bytes = with(&valid, at, &wrong.to_le_bytes());
        assert_eq!(verdict::both(&bytes), Err(reject), "{wrong:#x} at {at}");
    }
    // With the caps raised, the sums are what does not fit.
    let mut bytes = with(&valid, 8, &(high + 1).to_le_bytes());
    put(&mut bytes, 24, &(129 + 128 * high).to_le_bytes());
    assert_eq!(verdict::both_with(&bytes, &Limits::NONE), Err((Eof, Some(5), 64)));
    let mut bytes = with(&valid, 16, &(high + 1).to_le_bytes());
    put(&mut bytes, 24, &(129 + high).to_le_bytes());
    assert_eq!(verdict::both_with(&bytes, &Limits::NONE), Err((Eof, Some(5), 64)));
}

#[test]
fn an_unused_nibble_is_zero() {
    for dtype in [14, 15, 18] {
        let bytes = block(&[tensor("p", dtype, &[3], &[0xff, 0xf7])]);
        assert_eq!(verdict::both(&bytes), Err((Type, Some(11), bytes.len() as u64 - 1)));
        let bytes = block(&[tensor("p", dtype, &[3], &[0xff, 0x07])]);
        assert_eq!(verdict::both(&bytes), Ok(bytes.len()));
        let bytes = block(&[tensor("p", dtype, &[4], &[0xff, 0xf7])]);
        assert_eq!(verdict::both(&bytes), Ok(bytes.len()));
    }
}

#[test]
fn reserved_dtypes_are_type() {
    for dtype in [0, 20, 4095, 32768, u16::MAX] {
        let bytes = block(&[tensor("w", dtype, &[0], &[])]);
        assert_eq!(verdict::both(&bytes), Err((Type, Some(9), d(0) as u64)));
    }
}

#[test]
fn descriptors_that_share_a_name_are_type() {
    let bytes = block(&[tensor("ab", 12, &[0], &[]), tensor("cd", 12, &[0], &[])]);
    let shared = with(&bytes, d(1) + 8, &0u32.to_le_bytes());
    assert_eq!(verdict::both(&shared), Err((Type, Some(8), d(1) as u64 + 8)));
    let within = with(&bytes, d(1) + 8, &1u32.to_le_bytes());
    assert_eq!(verdict::both(&within), Err((Type, Some(8), d(1) as u64 + 8)));
}

#[test]
fn errors_show_no_control_characters_of_names() {
    let mut bytes = block(&[tensor("a\u{202e}\u{1b}[2J\n", 12, &[0], &[]), tensor("b", 12, &[0], &[])]);
    put(&mut bytes, d(0) + 2, &[9]);
    let error = Directory::read(&bytes).unwrap_err();
    let line = error.describe(&bytes).to_string();
    assert!(line.contains(r#"tensor 0 "a\u{202e}\u{1b}[2J\n""#), "{line}");
}
