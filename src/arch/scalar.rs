//! The inner loops in plain, safe code, which every other version has to agree with. A level that has no version
//! of its own is this one, compiled for it.
//!
//! The loops are shaped so that the compiler makes vectors of them, whatever the vectors are. Bytes that do not
//! fit together (an output that is too short, a number cut off) are left alone: lengths are tested before.

use super::filled;
use bytemuck::Pod;
use core::mem::MaybeUninit;

/// Bytes between two looks at whether the answer is known already.
const BLOCK: usize = 256;
/// Bytes of the rest that are taken at once.
const PIECE: usize = 32;

/// From so many bytes on they come from memory or soon will.
const STREAMED: usize = 1 << 20;

/// Whether any byte has a bit of `mask` set.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "a quotient, multiplied back")]
pub(super) fn any_bit_set(bytes: &[u8], mask: u8) -> bool {
    if bytes.len() < STREAMED {
        return any_bit_set_in_run(bytes, mask);
    }
    // What is read in four places far from each other, a block here and a block there, the processor reads ahead in
    // all four: a quarter more than in one place, and half as much again in the outer cache.
    let quarter = bytes.len() / 4 / BLOCK * BLOCK;
    let (first, rest) = bytes.split_at(quarter);
    let (second, rest) = rest.split_at(quarter);
    let (third, rest) = rest.split_at(quarter);
    let (fourth, rest) = rest.split_at(quarter);
    let [first, second, third, fourth] =
        [first, second, third, fourth].map(|quarter| quarter.chunks_exact(BLOCK));
    let mut blocks = first.zip(second).zip(third.zip(fourth));
    let any = blocks.any(|((first, second), (third, fourth))| {
        any_in(first, mask) | any_in(second, mask) | any_in(third, mask) | any_in(fourth, mask)
    });
    any || any_bit_set_in_run(rest, mask)
}

/// The same from the first byte to the last.
#[inline(always)]
fn any_bit_set_in_run(bytes: &[u8], mask: u8) -> bool {
    let blocks = bytes.chunks_exact(BLOCK);
    let pieces = blocks.remainder().chunks_exact(PIECE);
    for block in blocks {
        if any_in(block, mask) {
            return true;
        }
    }
    // What is left over is looked at as one piece as well, which begins in what has been looked at.
    let rest = match bytes.last_chunk::<PIECE>() {
        Some(last) => last,
        None => pieces.remainder(),
    };
    // With an end in the middle: without one the compiler looks at many pieces side by side, which takes 100 KiB of code
    // for the seven that there can be.
    for piece in pieces {
        if any_in(piece, mask) {
            return true;
        }
    }
    any_in(rest, mask)
}

/// The mask is applied to each byte: so the compiler finds the instruction that tests a whole vector.
#[inline(always)]
fn any_in(bytes: &[u8], mask: u8) -> bool {
    bytes.iter().fold(0, |seen, byte| seen | (byte & mask)) != 0
}

/// The same for less than 64 bytes: two reads from both ends, which may overlap, and no loop.
#[inline]
pub(super) fn any_bit_set_in_few(bytes: &[u8], mask: u8) -> bool {
    match bytes.len() {
        32.. => any_in_ends::<32>(bytes, mask),
        16.. => any_in_ends::<16>(bytes, mask),
        8.. => any_in_ends::<8>(bytes, mask),
        4.. => any_in_ends::<4>(bytes, mask),
        2.. => any_in_ends::<2>(bytes, mask),
        _ => any_in(bytes, mask),
    }
}

/// For `N` to twice `N` bytes.
#[inline(always)]
fn any_in_ends<const N: usize>(bytes: &[u8], mask: u8) -> bool {
    debug_assert!((N..=N.saturating_mul(2)).contains(&bytes.len()));
    match (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) {
        (Some(first), Some(last)) => {
            first.iter().zip(last).fold(0, |seen, (first, last)| seen | ((first | last) & mask)) != 0
        }
        _ => any_in(bytes, mask),
    }
}

/// Whether all descriptors are of plain tensors.
#[inline(always)]
pub(super) fn are_plain(descriptors: &[[u8; 128]]) -> bool {
    descriptors.iter().fold(0, |odd, raw| odd | crate::tensor::plain::oddity(raw)) == 0
}

/// Whether bytes are UTF-8. The standard library looks for ASCII two words at a time, vectors are faster.
#[inline(always)]
pub(super) fn is_utf8(bytes: &[u8]) -> bool {
    !any_bit_set(bytes, 0x80) || core::str::from_utf8(bytes).is_ok()
}

/// As many whole `T` as there are.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a remainder, of types of some bytes"
)]
fn whole<T: Pod>(bytes: &[u8]) -> &[T] {
    bytemuck::cast_slice(&bytes[..bytes.len() - bytes.len() % size_of::<T>()])
}

/// As many whole `T` as there are.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a remainder, of types of some bytes"
)]
fn whole_mut<T: Pod>(bytes: &mut [u8]) -> &mut [T] {
    let len = bytes.len() - bytes.len() % size_of::<T>();
    bytemuck::cast_slice_mut(&mut bytes[..len])
}

/// Copies bytes to where there need be none yet.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "as many as both have")]
pub(super) fn copy(bytes: &[u8], out: &mut [MaybeUninit<u8>]) {
    let len = bytes.len().min(out.len());
    out[..len].copy_from_slice(filled(&bytes[..len]));
}

/// The same, for more than fits into the caches. What `memcpy` does for that it knows best.
#[inline(always)]
pub(super) fn copy_past_caches(bytes: &[u8], out: &mut [MaybeUninit<u8>]) {
    copy(bytes, out);
}

macro_rules! swaps {
    ($($number:ty, $copy:ident, $in_place:ident;)*) => {$(
        /// Copies numbers, the bytes of each reversed.
        #[inline(always)]
        pub(super) fn $copy(bytes: &[u8], out: &mut [u8]) {
            const WIDTH: usize = size_of::<$number>();
            for (number, slot) in whole::<[u8; WIDTH]>(bytes).iter().zip(whole_mut::<[u8; WIDTH]>(out)) {
                *slot = <$number>::from_ne_bytes(*number).swap_bytes().to_ne_bytes();
            }
        }

        /// Reverses the bytes of every number.
        #[inline(always)]
        pub(super) fn $in_place(bytes: &mut [u8]) {
            const WIDTH: usize = size_of::<$number>();
            for number in whole_mut::<[u8; WIDTH]>(bytes) {
                *number = <$number>::from_ne_bytes(*number).swap_bytes().to_ne_bytes();
            }
        }
    )*};
}

swaps! {
    u16, copy_swapped_u16, swap_u16;
    u32, copy_swapped_u32, swap_u32;
    u64, copy_swapped_u64, swap_u64;
}

/// One value for each half of a byte, the low half first.
#[inline(always)]
pub(super) fn each_half<T: Pod>(bytes: &[u8], out: &mut [T], value: impl Fn(u8) -> T) {
    let (pairs, last) = out.split_at_mut(out.len() & !1);
    let pairs: &mut [[T; 2]] = bytemuck::cast_slice_mut(pairs);
    if let (Some(slot), Some(byte)) = (last.first_mut(), bytes.get(pairs.len())) {
        *slot = value(byte & 0x0f);
    }
    for (pair, byte) in pairs.iter_mut().zip(bytes) {
        *pair = [value(byte & 0x0f), value(byte >> 4)];
    }
}

/// The value of a half in two's complement.
#[inline(always)]
pub(super) fn i4(half: u8) -> i8 {
    (half << 4) as i8 >> 4
}

/// The value of an E2M1 half. All its bits lie in the upper half of the f32.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "three bits, moved into the upper half of 32")]
pub(super) fn e2m1(half: u8) -> f32 {
    let magnitude = u16::from(half & 7);
    // 0 and the one subnormal number, a half; above them exponent and mantissa only move into place.
    let bits = if magnitude < 2 { magnitude * 0x3f00 } else { (magnitude << 6) + 0x3f00 };
    upper(bits | u16::from(half & 8) << 12)
}

/// The f32 that has these bits in its upper half.
#[inline(always)]
fn upper(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[inline(always)]
pub(super) fn unpack_u4(bytes: &[u8], out: &mut [u8]) {
    each_half(bytes, out, |half| half);
}

#[inline(always)]
pub(super) fn unpack_i4(bytes: &[u8], out: &mut [i8]) {
    each_half(bytes, out, i4);
}

#[inline(always)]
pub(super) fn u4_to_f32(bytes: &[u8], out: &mut [f32]) {
    each_half(bytes, out, f32::from);
}

#[inline(always)]
pub(super) fn i4_to_f32(bytes: &[u8], out: &mut [f32]) {
    each_half(bytes, out, |half| i4(half).into());
}

#[inline(always)]
pub(super) fn e2m1_to_f32(bytes: &[u8], out: &mut [f32]) {
    each_half(bytes, out, e2m1);
}

/// Packs the low halves; says whether the high ones are all 0.
#[inline(always)]
pub(super) fn pack_u4(values: &[u8], out: &mut [u8]) -> bool {
    pack(values, out, |value| value)
}

/// Packs the low halves; says whether all values are from -8 to 7.
#[inline(always)]
pub(super) fn pack_i4(values: &[i8], out: &mut [u8]) -> bool {
    pack(bytemuck::cast_slice(values), out, |value| value.wrapping_add(8))
}

/// Packs the low halves; says whether what `range` makes of each value is below 16. A block is looked at just
/// before it is packed: two simple loops over bytes in cache are faster than one that does both.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "as many as there are pairs of values"
)]
#[expect(clippy::cast_possible_truncation, reason = "both halves of a pair fit a byte")]
fn pack(values: &[u8], out: &mut [u8], range: impl Fn(u8) -> u8) -> bool {
    const VALUES: usize = 4096;
    let mut seen = 0;
    for (values, out) in values.chunks(VALUES).zip(out.chunks_mut(VALUES / 2)) {
        seen = values.iter().fold(seen, |seen, &value| seen | range(value));
        let pairs = whole::<[u8; 2]>(values);
        if let (Some(slot), [last]) = (out.get_mut(pairs.len()), &values[2 * pairs.len()..]) {
            *slot = last & 0x0f;
        }
        for (pair, slot) in pairs.iter().zip(out) {
            let pair = u16::from_le_bytes(*pair);
            *slot = (pair & 0x0f | pair >> 4 & 0xf0) as u8;
        }
    }
    seen < 16
}

/// The value of an E4M3 number.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "seven bits, moved into the upper half of 32")]
fn e4m3(bits: u8) -> f32 {
    let magnitude = u32::from(bits & 0x7f);
    let value = match magnitude {
        // A subnormal number is a small integer in units of two to the power of -9.
        0..8 => (magnitude as i32 as f32 * f32::from_bits((127 - 9) << 23)).to_bits(),
        0x7f => 0x7ff0_0000,
        _ => (magnitude << 20) + ((127 - 7) << 23),
    };
    f32::from_bits(value | u32::from(bits & 0x80) << 24)
}

/// The value of an E8M0 number, whose bits are the exponent of an f32; but that 0 is no zero and 255 no infinity.
#[inline(always)]
fn e8m0(bits: u8) -> f32 {
    let mantissa = if bits.wrapping_add(1) < 2 { 0x40 } else { 0 };
    upper(u16::from(bits) << 7 | mantissa)
}

/// The value of a half-precision number.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "15 bits, moved up by 13, and an exponent")]
fn f16(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff);
    let moved = (magnitude << 13) + ((127 - 15) << 23);
    let value = match magnitude {
        // Given the exponent of the smallest normal number, a subnormal one is too large by that number.
        0..0x400 => {
            let one = 1 << 23;
            (f32::from_bits(moved + one) - f32::from_bits((127 - 14) << 23)).to_bits()
        }
        0x400..0x7c00 => moved,
        0x7c00 => 0x7f80_0000,
        _ => moved | 0x7fc0_0000,
    };
    f32::from_bits(value | u32::from(bits & 0x8000) << 16)
}

/// The value of a bfloat16 number, which is the upper half of an f32.
#[inline(always)]
fn bf16(bits: u16) -> f32 {
    let quiet = if bits & 0x7fff > 0x7f80 { 0x40 } else { 0 };
    upper(bits | quiet)
}

#[inline(always)]
fn each<const N: usize>(bytes: &[u8], out: &mut [f32], value: impl Fn([u8; N]) -> f32)
where
    [u8; N]: Pod,
{
    for (bits, slot) in whole::<[u8; N]>(bytes).iter().zip(out) {
        *slot = value(*bits);
    }
}

#[inline(always)]
pub(super) fn e4m3_to_f32(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |[bits]| e4m3(bits));
}

/// E5M2 is the upper half of half precision.
#[inline(always)]
pub(super) fn e5m2_to_f32(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |[bits]| f16(u16::from(bits) << 8));
}

#[inline(always)]
pub(super) fn e8m0_to_f32(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |[bits]| e8m0(bits));
}

#[inline(always)]
pub(super) fn f16_to_f32(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |bits| f16(u16::from_le_bytes(bits)));
}

#[inline(always)]
pub(super) fn bf16_to_f32(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |bits| bf16(u16::from_le_bytes(bits)));
}
