//! Payloads used in place and copied out, from every address, on every byte order.
// A range for each axis, and tensors of one axis have one.
#![allow(clippy::single_range_in_vec_init)]

use crate::support::{block, random};
use block::{block, sample, tensor as written};
use half::{bf16, f16};
use kiln::tensor::{
    ALIGNMENT, Bool8, Directory, Dtype, E4m3, E5m2, E8m0, Element, Tensor, Unpacked, View, ViewError,
};
use kiln::{Code, Limits};
use random::Random;
use std::ops::Range;

const LITTLE: bool = cfg!(target_endian = "little");

/// The bytes with `before` zeros in front of them, in storage whose address is a multiple of 64.
struct Placed {
    storage: Vec<u8>,
    start: usize,
    len: usize,
}

impl Placed {
    fn new(bytes: &[u8], before: usize) -> Placed {
        let mut storage = vec![0; bytes.len() + before + 64];
        let start = storage.as_ptr().align_offset(64) + before;
        storage[start..start + bytes.len()].copy_from_slice(bytes);
        Placed { storage, start, len: bytes.len() }
    }

    fn bytes(&self) -> &[u8] {
        &self.storage[self.start..self.start + self.len]
    }
}

fn read(bytes: &[u8]) -> Directory<'_> {
    Directory::read(bytes).unwrap()
}

/// Writes `values` as a tensor of `T` and reads them back in every way, from every address.
fn round_trip<T: Element>(dtype: Dtype, values: &[T], bytes: &[u8]) {
    assert_eq!(T::DTYPE, dtype);
    let bytes_of_block = block(&[written("t", dtype.code(), &[values.len() as u64], bytes)]);
    for before in 0..16 {
        let placed = Placed::new(&bytes_of_block, before);
        let tensor = read(placed.bytes()).get_by_name("t").unwrap();
        assert_eq!((tensor.dtype(), tensor.element_count()), (dtype, values.len() as u64));
        assert_eq!(tensor.bytes(), bytes);

        let past = before % align_of::<T>();
        let expected = if !LITTLE && size_of::<T>() > 1 {
            Err(ViewError::ByteOrder)
        } else if past != 0 {
            Err(ViewError::Alignment { needed: align_of::<T>(), past })
        } else {
            Ok(values)
        };
        assert_eq!(tensor.as_slice::<T>(), expected);
        assert_eq!(tensor.to_vec::<T>().unwrap(), values);
        let mut copy = vec![T::zeroed(); values.len()];
        tensor.copy_to_slice(&mut copy).unwrap();
        assert_eq!(copy, values);
        assert_eq!(tensor.copy_slice::<T>(&[1..3]).unwrap(), &values[1..3]);
        assert_eq!(tensor.slice_first(1..3).unwrap().to_vec::<T>().unwrap(), &values[1..3]);
    }
}

macro_rules! integers {
    ($($number:ty, $dtype:ident;)*) => {$({
        let values = [<$number>::MIN, <$number>::MAX, 1, 0x12 as $number, 0, 5];
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        round_trip(Dtype::$dtype, &values, &bytes);
    })*};
}

#[test]
fn integers_come_back() {
    integers! {
        u8, U8; u16, U16; u32, U32; u64, U64;
        i8, I8; i16, I16; i32, I32; i64, I64;
    }
}

#[test]
fn floats_come_back() {
    let wide = [1.0f64, -0.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY];
    round_trip(Dtype::F64, &wide, &wide.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
    let values = [1.0f32, -0.0, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY];
    round_trip(
        Dtype::F32,
        &values,
        &values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>(),
    );
    let halves = [f16::ONE, f16::NEG_ZERO, f16::MAX, f16::INFINITY];
    round_trip(
        Dtype::F16,
        &halves,
        &halves.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>(),
    );
    let brains = [bf16::ONE, bf16::NEG_ZERO, bf16::MAX, bf16::INFINITY];
    round_trip(
        Dtype::Bf16,
        &brains,
        &brains.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>(),
    );
}

#[test]
fn types_that_a_machine_lacks_come_back_as_bytes() {
    round_trip(Dtype::Bool, &[Bool8(1), Bool8(0), Bool8(1)], &[1, 0, 1]);
    round_trip(Dtype::E4m3, &[E4m3(0x7e), E4m3(0x80), E4m3(0xff)], &[0x7e, 0x80, 0xff]);
    round_trip(Dtype::E5m2, &[E5m2(0x7b), E5m2(0x7c), E5m2(0xfd)], &[0x7b, 0x7c, 0xfd]);
    round_trip(Dtype::E8m0, &[E8m0(0), E8m0(127), E8m0(255)], &[0, 127, 255]);
    assert_eq!([Bool8(0), Bool8(1)].map(bool::from), [false, true]);
    assert_eq!([false, true].map(Bool8::from), [Bool8(0), Bool8(1)]);
    for dtype in [Dtype::Bool, Dtype::E4m3, Dtype::E5m2, Dtype::E8m0, Dtype::U8] {
        let bytes = block(&[written("t", dtype.code(), &[2], &[1, 0])]);
        assert_eq!(read(&bytes).get(0).unwrap().as_slice::<u8>(), Ok(&[1, 0][..]));
    }
}

#[test]
fn bits_of_numbers_are_kept() {
    // Signalling NaNs with payloads.
    let bits = [0x7fa0_0001u32, 0xffbf_ffff, 0x7f80_0001];
    let bytes = block(&[written("t", 2, &[3], &bits.map(u32::to_le_bytes).concat())]);
    let copy = read(&bytes).get(0).unwrap().to_vec::<f32>().unwrap();
    assert_eq!(copy.iter().map(|value| value.to_bits()).collect::<Vec<u32>>(), bits);
    let bits = [0x7ff4_0000_0000_0001u64, 0xfff7_ffff_ffff_ffff];
    let bytes = block(&[written("t", 1, &[2], &bits.map(u64::to_le_bytes).concat())]);
    let copy = read(&bytes).get(0).unwrap().to_vec::<f64>().unwrap();
    assert_eq!(copy.iter().map(|value| value.to_bits()).collect::<Vec<u64>>(), bits);
}

#[test]
fn another_dtype_is_refused_whatever_the_width() {
    let bytes = sample();
    let directory = read(&bytes);
    let refused = |found, asked| ViewError::Dtype { asked, found };
    let [w, mask, q, s, _, op, _] = [0, 1, 2, 3, 4, 5, 6].map(|index| directory.get(index).unwrap());
    assert_eq!(w.as_slice::<u8>(), Err(refused(Dtype::I8, Dtype::U8)));
    assert_eq!(mask.as_slice::<i8>(), Err(refused(Dtype::Bool, Dtype::I8)));
    assert_eq!(s.to_vec::<i32>(), Err(refused(Dtype::F32, Dtype::I32)));
    assert_eq!(s.copy_slice::<u32>(&[0..1]), Err(refused(Dtype::F32, Dtype::U32)));
    assert_eq!(q.copy_to_slice(&mut [0u8; 3]), Err(refused(Dtype::I4, Dtype::U8)));
    assert_eq!(q.unpack::<u8>(), Err(refused(Dtype::I4, Dtype::U4)));
    assert_eq!(w.unpack::<i8>(), Err(refused(Dtype::I8, Dtype::I4)));
    assert_eq!(op.as_slice::<u8>(), Err(refused(op.dtype(), Dtype::U8)));
    assert_eq!(op.slice_first(0..1), Err(ViewError::Opaque));
    assert_eq!(s.as_slice::<i32>().unwrap_err().to_string(), "the elements are f32, not i32");
}

#[test]
fn facts_of_each_tensor() {
    let bytes = sample();
    let directory = read(&bytes);
    assert_eq!((directory.len(), directory.is_empty(), directory.overhead()), (7, false, 1410 - 59));
    assert_eq!(directory.header().payload_base, 1024);
    assert_eq!(directory.as_bytes(), bytes);
    let names: Vec<Option<&str>> = directory.iter().map(|tensor| tensor.name()).collect();
    assert_eq!(names, [Some("w"), Some("mask"), Some("q"), Some("s"), Some("out"), Some("op"), None]);
    for (index, tensor) in directory.iter().enumerate() {
        assert_eq!(tensor.index(), index);
        assert_eq!(tensor.byte_offset() % ALIGNMENT, 0);
        let range = tensor.byte_range();
        assert_eq!(tensor.bytes(), &bytes[range.start as usize..range.end as usize]);
        assert_eq!(tensor.byte_len(), tensor.bytes().len() as u64);
        assert_eq!(tensor.rank(), tensor.shape().len());
        assert_eq!(directory.get(index), Some(tensor));
        match tensor.name() {
            Some(name) => assert_eq!(directory.index_of(name), Some(index)),
            None => assert_eq!(directory.index_of(""), None),
        }
    }
    assert_eq!(directory.get(7), None);
    assert_eq!(directory.get_by_name("W"), None);

    let op = directory.get_by_name("op").unwrap();
    let layout = op.layout().unwrap();
    assert_eq!((layout.code.get(), layout.name, layout.block_size), (4096, "Q4_K", 18));
    assert_eq!((op.shape()[..].to_vec(), op.bytes().len()), (vec![4], 36));
    assert_eq!(directory.get(0).unwrap().layout(), None);

    let w = directory.get_by_name("w").unwrap().quantization().unwrap();
    assert_eq!((w.axis, w.group_size, w.scale.index(), w.outer), (1, 2, 3, None));
    let q = directory.get_by_name("q").unwrap().quantization().unwrap();
    assert_eq!((q.axis, q.group_size, q.scale.index()), (0, 2, 3));
    assert_eq!(q.outer.unwrap().to_vec::<f32>().unwrap(), [0.25]);
    assert_eq!(directory.get(3).unwrap().quantization(), None);
}

#[test]
fn iteration_goes_both_ways_and_ends() {
    let bytes = sample();
    let directory = read(&bytes);
    let mut tensors = directory.iter();
    assert_eq!(tensors.len(), 7);
    assert_eq!(tensors.next().unwrap().index(), 0);
    assert_eq!(tensors.next_back().unwrap().index(), 6);
    assert_eq!(tensors.nth(1).unwrap().index(), 2);
    assert_eq!(tensors.len(), 3);
    assert_eq!(tensors.by_ref().rev().map(|tensor| tensor.index()).collect::<Vec<_>>(), [5, 4, 3]);
    assert_eq!((tensors.next(), tensors.next_back(), tensors.len()), (None, None, 0));
    assert_eq!(directory.iter().nth(7), None);
    assert_eq!(directory.iter().nth(usize::MAX), None);
    assert_eq!((&directory).into_iter().count(), 7);
}

#[test]
fn tensors_are_equal_that_say_the_same() {
    let opaque = |name, layout, size, payload: &[u8]| written(name, 4096, &[4], payload).opaque(layout, size);
    let blocks = [
        // Two that say the same, and then what differs from them in one thing.
        block(&[written("t", 12, &[4], &[1, 2, 3, 4])]),
        block(&[written("s", 12, &[], &[9]), written("t", 12, &[4], &[1, 2, 3, 4])]),
        block(&[written("u", 12, &[4], &[1, 2, 3, 4])]),
        block(&[written("", 12, &[4], &[1, 2, 3, 4])]),
        block(&[written("t", 8, &[4], &[1, 2, 3, 4])]),
        block(&[written("t", 12, &[2, 2], &[1, 2, 3, 4])]),
        block(&[written("t", 12, &[4], &[1, 2, 3, 5])]),
        block(&[written("s", 12, &[], &[9]), written("t", 12, &[4], &[1, 2, 3, 4]).linked(1, 0, 4, 0, 0)]),
        block(&[written("s", 12, &[], &[8]), written("t", 12, &[4], &[1, 2, 3, 4]).linked(1, 0, 4, 0, 0)]),
        block(&[written("s", 12, &[], &[9]), written("t", 12, &[4], &[1, 2, 3, 4]).linked(1, 0, 5, 0, 0)]),
        block(&[opaque("t", "Q", 2, &[1, 2, 3, 4])]),
        block(&[opaque("t", "P", 2, &[1, 2, 3, 4])]),
        block(&[opaque("t", "Q", 4, &[1, 2, 3, 4])]),
    ];
    let last = |bytes| read(bytes).iter().next_back().unwrap();
    assert_eq!(last(&blocks[0]), last(&blocks[1]));
    for (index, one) in blocks.iter().enumerate() {
        assert_eq!(last(one), last(one));
        for other in blocks[index + 1..].iter().skip(usize::from(index == 0)) {
            assert_ne!(last(one), last(other));
        }
    }
}

#[test]
fn directories_compare_by_their_bytes_and_show_their_tensors() {
    let (bytes, same) = (sample(), sample());
    let other = block(&[written("mask", 13, &[3], &[1, 0, 0]), written("", 12, &[], &[9])]);
    let (directory, other) = (read(&bytes), read(&other));
    assert_eq!(directory, read(&same));
    assert_ne!(directory, other);
    // 64 bytes of header, two descriptors and four bytes of names: payloads from 384 on.
    let mask = "Tensor { index: 0, name: Some(\"mask\"), dtype: Bool, shape: [3], byte_range: 384..387, .. }";
    let last = "Tensor { index: 1, name: None, dtype: U8, shape: [], byte_range: 448..449, .. }";
    assert_eq!(format!("{other:?}"), format!("[{mask}, {last}]"));
    let part = other.get(0).unwrap().slice_first(1..3).unwrap();
    assert_eq!(format!("{part:?}"), "View { dtype: Bool, shape: [2], bytes: 2 }");
    // An iterator shows what it has not given yet.
    let mut tensors = other.iter();
    assert_eq!(format!("{tensors:?}"), format!("[{mask}, {last}]"));
    assert_eq!(format!("{:?}", tensors.next().unwrap()), mask);
    assert_eq!(format!("{tensors:?}"), format!("[{last}]"));
}

#[test]
fn views_outlive_the_directory() {
    fn name_and_payload<'a>(bytes: &'a [u8]) -> (&'a str, &'a [u8], View<'a>, Tensor<'a>) {
        let directory = Directory::read(bytes).unwrap();
        let tensor = directory.get(1).unwrap();
        (tensor.name().unwrap(), tensor.bytes(), tensor.view(), tensor)
    }
    let bytes = sample();
    let (name, payload, view, tensor) = name_and_payload(&bytes);
    assert_eq!((name, payload), ("mask", &[1, 0, 1][..]));
    assert_eq!((view.bytes(), tensor.bytes()), (payload, payload));
}

#[test]
fn a_copy_needs_the_right_length_and_the_budget() {
    let bytes = block(&[written("t", 2, &[2, 2], &[0; 16]), written("p", 18, &[3], &[0x21, 0x03])]);
    let directory = read(&bytes);
    let tensor = directory.get(0).unwrap();
    assert_eq!(tensor.copy_to_slice(&mut [1.0f32; 3]), Err(ViewError::Length { needed: 4, given: 3 }));
    let limits = Limits::DEFAULT.with_owned(15);
    let refused = ViewError::Budget { needed: 16, allowed: 15 };
    assert_eq!(tensor.to_vec_with::<f32>(&limits), Err(refused));
    assert_eq!(refused.code(), Some(Code::Limit));
    assert_eq!(ViewError::ByteOrder.code(), None);
    assert_eq!(tensor.to_vec_with::<f32>(&limits.with_owned(16)), Ok(vec![0.0; 4]));
    let view = tensor.view();
    assert_eq!(view.copy_slice_with::<f32>(&[0..2, 0..2], &limits), Err(refused));
    assert_eq!(view.copy_slice_with::<f32>(&[0..2, 0..1], &limits), Ok(vec![0.0; 2]));
    // Packed elements grow when they are unpacked.
    let packed = directory.get(1).unwrap().view();
    assert_eq!(
        packed.unpack_with::<f32>(&limits.with_owned(11)),
        Err(ViewError::Budget { needed: 12, allowed: 11 })
    );
    assert_eq!(packed.unpack_with::<f32>(&limits.with_owned(12)), Ok(vec![0.5, 1.0, 1.5]));
    assert_eq!(packed.unpack_slice_with::<f32>(&[0..3], &limits.with_owned(11)).ok(), None);
    assert_eq!(packed.unpack_to_slice(&mut [0.0f32; 4]), Err(ViewError::Length { needed: 3, given: 4 }));
    let mut values = [9.0f32; 3];
    packed.unpack_to_slice(&mut values).unwrap();
    assert_eq!(values, [0.5, 1.0, 1.5]);
}

#[test]
fn packed_elements_come_out_one_by_one_and_in_bulk() {
    let payload = [0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe];
    let nibbles: Vec<u8> = (0..16).collect();
    for (dtype, len) in [(14u16, 16u64), (15, 16), (18, 16), (15, 15)] {
        let mut payload = payload;
        if len == 15 {
            payload[7] &= 0x0f;
        }
        let bytes = block(&[written("p", dtype, &[len], &payload)]);
        let tensor = read(&bytes).get(0).unwrap();
        let single: Vec<u8> = (0..len).map(|element| tensor.nibble(element).unwrap()).collect();
        assert_eq!(single, nibbles[..len as usize]);
        assert_eq!((tensor.nibble(len), tensor.nibble(u64::MAX)), (None, None));
        let whole = &nibbles[..len as usize];
        match dtype {
            14 => {
                assert_eq!(tensor.unpack(), Ok(whole.iter().map(|&n| i8::from_nibble(n)).collect::<Vec<_>>()))
            }
            15 => assert_eq!(tensor.unpack::<u8>().unwrap(), whole),
            _ => assert_eq!(
                tensor.unpack(),
                Ok(whole.iter().map(|&n| f32::from_nibble(n)).collect::<Vec<_>>())
            ),
        }
    }
    let bytes = sample();
    assert_eq!(read(&bytes).get(0).unwrap().nibble(0), None);
}

#[test]
fn a_range_along_the_first_axis_is_a_view() {
    let numbers: Vec<u16> = (0..24).collect();
    let payload: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let bytes = block(&[written("t", 11, &[4, 3, 2], &payload)]);
    let tensor = read(&bytes).get(0).unwrap();
    for start in 0..=4 {
        for end in start..=4 {
            let part = tensor.slice_first(start..end).unwrap();
            assert_eq!(part.shape()[..], [end - start, 3, 2]);
            assert_eq!(part.to_vec::<u16>().unwrap(), &numbers[6 * start as usize..6 * end as usize]);
            assert_eq!(part.bytes().len() as u64, part.element_count() * 2);
        }
    }
    let inner = tensor.slice_first(2..3).unwrap().slice_first(0..1).unwrap();
    assert_eq!(inner.to_vec::<u16>().unwrap(), &numbers[12..18]);
    let wrong = Range { start: 3, end: 2 };
    assert_eq!(tensor.slice_first(wrong), Err(ViewError::Range { axis: 0, dim: 4 }));
    assert_eq!(tensor.slice_first(0..5), Err(ViewError::Range { axis: 0, dim: 4 }));
    assert_eq!(tensor.slice_first(5..5), Err(ViewError::Range { axis: 0, dim: 4 }));
    let scalar = block(&[written("t", 12, &[], &[1])]);
    assert_eq!(read(&scalar).get(0).unwrap().slice_first(0..0), Err(ViewError::Rank { given: 1, rank: 0 }));
    // Large dimensions beside an empty one are not multiplied.
    let empty = block(&[written("t", 12, &[0, 1 << 63, 4], &[]), written("u", 12, &[1 << 63, 4, 0], &[])]);
    let directory = read(&empty);
    assert_eq!(directory.get(0).unwrap().slice_first(0..0).unwrap().bytes().len(), 0);
    let part = directory.get(1).unwrap().slice_first(5..1 << 62).unwrap();
    assert_eq!((part.element_count(), part.bytes().len()), (0, 0));
    assert_eq!(directory.get(1).unwrap().copy_slice::<u8>(&[0..7, 1..4, 0..0]), Ok(vec![]));
}

#[test]
fn packed_rows_are_views_where_they_begin_and_end_with_a_byte() {
    let rows = block(&[written("p", 15, &[5, 3], &[0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0x0e])]);
    let tensor = read(&rows).get(0).unwrap();
    for start in 0..=5u64 {
        for end in start..=5 {
            let part = tensor.slice_first(start..end);
            let whole = start == end || start % 2 == 0 && (end % 2 == 0 || end == 5);
            assert_eq!(part.is_ok(), whole, "{start}..{end}");
            let expected: Vec<u8> = (3 * start as u8..3 * end as u8).collect();
            match part {
                Ok(part) => assert_eq!(part.unpack::<u8>().unwrap(), expected),
                Err(error) => assert_eq!(error, ViewError::HalfByte),
            }
            assert_eq!(tensor.view().unpack_slice::<u8>(&[start..end, 0..3]).unwrap(), expected);
        }
    }
}

/// The elements of a slice by the definition: every index of the tensor in order, kept when it is in all ranges.
fn by_definition<T: Copy>(dims: &[u64], ranges: &[Range<u64>], elements: &[T]) -> Vec<T> {
    let picked = |number: usize| {
        let mut rest = number as u64;
        dims.iter().zip(ranges).rev().all(|(dim, range)| {
            let index = rest % dim;
            rest /= dim;
            range.contains(&index)
        })
    };
    (0..elements.len()).filter(|&number| picked(number)).map(|number| elements[number]).collect()
}

#[test]
fn slices_along_all_axes_are_what_the_definition_picks() {
    let mut random = Random::new(7);
    for round in 0..300 {
        let rank = random.below(6);
        let dims: Vec<u64> = (0..rank).map(|_| 1 + random.below(4) as u64).collect();
        let count = dims.iter().product::<u64>();
        let ranges: Vec<Range<u64>> = dims
            .iter()
            .map(|&dim| match random.below(3) {
                0 => 0..dim,
                _ => {
                    let start = random.below(dim as usize + 1) as u64;
                    start..start + random.below((dim - start) as usize + 1) as u64
                }
            })
            .collect();
        let numbers: Vec<u16> = (0..count as u16).map(|number| number.wrapping_mul(257)).collect();
        let nibbles: Vec<u8> = (0..count).map(|_| random.byte() & 0x0f).collect();
        let packed = nibbles.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |high| high << 4));
        let bytes = block(&[
            written(
                "n",
                11,
                &dims,
                &numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>(),
            ),
            written("p", 15, &dims, &packed.collect::<Vec<u8>>()),
        ]);
        let directory = read(&bytes);
        let copy = directory.get(0).unwrap().copy_slice::<u16>(&ranges).unwrap();
        assert_eq!(copy, by_definition(&dims, &ranges, &numbers), "{dims:?} {ranges:?} in round {round}");
        let copy = directory.get(1).unwrap().view().unpack_slice::<u8>(&ranges).unwrap();
        assert_eq!(copy, by_definition(&dims, &ranges, &nibbles), "{dims:?} {ranges:?} in round {round}");
    }
}

#[test]
fn slices_that_leave_the_tensor_are_refused() {
    let bytes = block(&[written("t", 12, &[2, 3], &[1, 2, 3, 4, 5, 6])]);
    let tensor = read(&bytes).get(0).unwrap();
    let refused = |ranges: &[Range<u64>]| tensor.copy_slice::<u8>(ranges).unwrap_err();
    assert_eq!(refused(&[0..2]), ViewError::Rank { given: 1, rank: 2 });
    assert_eq!(refused(&[0..2, 0..3, 0..1]), ViewError::Rank { given: 3, rank: 2 });
    assert_eq!(refused(&[0..3, 0..3]), ViewError::Range { axis: 0, dim: 2 });
    assert_eq!(refused(&[0..2, 2..4]), ViewError::Range { axis: 1, dim: 3 });
    assert_eq!(refused(&[0..0, 4..4]), ViewError::Range { axis: 1, dim: 3 });
    assert_eq!(refused(&[0..2, Range { start: 2, end: 1 }]), ViewError::Range { axis: 1, dim: 3 });
}
