//! The inner loops in plain, safe code, which every other version has to agree with.

/// Whether any byte has a bit of `mask` set. With 0xff: whether any byte is not 0; with 0xfe: whether any is
/// no bool; with 0xf0: whether any has a high half.
#[inline]
pub(crate) fn any_bit_set(bytes: &[u8], mask: u8) -> bool {
    const LANES: usize = 8;
    let wide = [mask; 8];
    let (blocks, rest) = bytes.split_at(bytes.len() - bytes.len() % (8 * LANES));
    for block in blocks.chunks_exact(8 * LANES) {
        let mut seen = 0;
        for word in block.chunks_exact(8) {
            seen |= word_of(word);
        }
        if seen & u64::from_ne_bytes(wide) != 0 {
            return true;
        }
    }
    let words = rest.chunks_exact(8);
    let tail = words.remainder().iter().fold(0, |seen, byte| seen | byte);
    let seen = words.fold(0, |seen, word| seen | word_of(word));
    seen & u64::from_ne_bytes(wide) != 0 || tail & mask != 0
}

#[inline(always)]
fn word_of(eight: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(eight);
    u64::from_ne_bytes(word)
}

/// Reverses the bytes of every number of `width` bytes: 1, 2, 4 or 8.
#[inline]
pub(crate) fn swap_in_place(bytes: &mut [u8], width: usize) {
    match width {
        2 => bytes.chunks_exact_mut(2).for_each(<[u8]>::reverse),
        4 => bytes.chunks_exact_mut(4).for_each(<[u8]>::reverse),
        8 => bytes.chunks_exact_mut(8).for_each(<[u8]>::reverse),
        _ => {}
    }
}

/// Writes one value for each half of a byte, the low half first, from half number `first` on, as many as
/// `out` takes.
#[inline]
pub(crate) fn unpack<T>(bytes: &[u8], first: usize, out: &mut [T], value: impl Fn(u8) -> T) {
    let (head, rest) = out.split_at_mut((first % 2).min(out.len()));
    let mut at = first / 2;
    for slot in head {
        *slot = value(bytes[at] >> 4);
        at += 1;
    }
    for (pair, byte) in rest.chunks_mut(2).zip(&bytes[at..]) {
        for (slot, nibble) in pair.iter_mut().zip([byte & 0x0f, byte >> 4]) {
            *slot = value(nibble);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn one_bit_is_seen_at_every_place_of_every_length() {
        for len in 0..=200 {
            let mut bytes = vec![0; len];
            assert!(!any_bit_set(&bytes, 0xff));
            for at in 0..len {
                for (bit, mask) in [(0x01u8, 0xffu8), (0x80, 0xff), (0x02, 0xfe), (0x10, 0xf0), (0x80, 0xf0)]
                {
                    bytes[at] = bit;
                    assert!(any_bit_set(&bytes, mask), "bit {bit:#x} at {at} of {len}");
                    bytes[at] = !mask;
                    assert!(!any_bit_set(&bytes, mask), "mask {mask:#x} at {at} of {len}");
                }
                bytes[at] = 0;
            }
        }
    }

    #[test]
    fn swapping_reverses_each_number() {
        let mut bytes: Vec<u8> = (0..16).collect();
        swap_in_place(&mut bytes, 1);
        assert_eq!(bytes, (0..16).collect::<Vec<u8>>());
        for width in [2, 4, 8] {
            let mut bytes: Vec<u8> = (0..16).collect();
            swap_in_place(&mut bytes, width);
            for (number, chunk) in bytes.chunks(width).enumerate() {
                let expected: Vec<u8> = (0..width).rev().map(|at| (number * width + at) as u8).collect();
                assert_eq!(chunk, expected);
            }
        }
    }

    #[test]
    fn halves_come_low_first_from_any_start() {
        let bytes = [0x21, 0x43, 0x65];
        for first in 0..6 {
            for len in 0..=6 - first {
                let mut out = vec![0xff; len];
                unpack(&bytes, first, &mut out, |nibble| nibble);
                let expected: Vec<u8> = (first + 1..=first + len).map(|value| value as u8).collect();
                assert_eq!(out, expected);
            }
        }
    }
}
