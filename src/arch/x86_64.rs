//! What x86-64 processors have beyond plain code compiled for them: UTF-8 by table look-up, from `simdutf8`, and
//! conversions through the byte shuffle and through the instruction that widens half-precision numbers.

use super::blocks::{self, Rest, UpperBytes, split};
use super::kernels::{LARGE, Table, compile, kernels};
use super::scalar;
use super::slots;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

pub(super) use avx2::TABLE as AVX2;
pub(super) use avx512::TABLE as AVX512;
pub(super) use sse42::TABLE as SSE42;

mod sse42 {
    use super::*;

    /// What the instructions make no faster, or slower, stays as it is.
    pub(in super::super) const TABLE: Table = Table {
        is_utf8,
        any_bit_set: Table::FLOOR.any_bit_set,
        are_plain: Table::FLOOR.are_plain,
        unpack_u4: Table::FLOOR.unpack_u4,
        u4_to_f32: Table::FLOOR.u4_to_f32,
        pack_u4: Table::FLOOR.pack_u4,
        pack_i4: Table::FLOOR.pack_i4,
        bf16_to_f32: Table::FLOOR.bf16_to_f32,
        ..PLAIN
    };

    kernels!(compile!("sse4.2,ssse3"));

    #[target_feature(enable = "sse4.2,ssse3")]
    fn is_utf8(bytes: &[u8]) -> bool {
        use simdutf8::basic::imp::x86::sse42::validate_utf8;
        // SAFETY: this function has the features that the other asks for.
        unsafe { validate_utf8(bytes) }.is_ok()
    }
}

mod avx2 {
    use super::*;

    pub(in super::super) const TABLE: Table = Table {
        copy,
        copy_past_caches,
        copy_swapped_u16,
        copy_swapped_u32,
        copy_swapped_u64,
        are_plain,
        is_utf8,
        u4_to_f32,
        i4_to_f32,
        e2m1_to_f32,
        e4m3_to_f32,
        e5m2_to_f32,
        f16_to_f32,
        ..PLAIN
    };

    kernels!(compile!("avx2,f16c"));

    /// A quarter of a descriptor at once, and two products at once.
    #[target_feature(enable = "avx2,f16c")]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "quarters of a descriptor; ranks and codes are taken modulo the tables' lengths; factors of 64 bits have a product of 128"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a product")]
    fn are_plain(descriptors: &[[u8; 128]]) -> bool {
        use crate::tensor::{Descriptor, plain};
        let unused: [__m256i; 4] = bytemuck::cast(plain::UNUSED);
        let unusual: __m256i = bytemuck::cast(plain::UNUSUAL);
        let (mut odd, mut odd_bits) = (0, _mm256_setzero_si256());
        for raw in descriptors {
            let quarter = |at: usize| bytemuck::pod_read_unaligned::<__m256i>(&raw[32 * at..32 * at + 32]);
            let rank = usize::from(raw[Descriptor::RANK_AT]) % plain::RANKS;
            let kind = plain::KINDS[rank][usize::from(raw[Descriptor::DTYPE_AT]) % plain::CODES];
            let past: __m256i = bytemuck::cast(plain::PAST[rank]);
            let dims = quarter(2);
            let factors = _mm256_sub_epi64(dims, past);
            for bits in [
                _mm256_and_si256(quarter(0), unused[0]),
                _mm256_and_si256(quarter(1), unused[1]),
                _mm256_and_si256(quarter(3), unused[3]),
                _mm256_and_si256(dims, past),
                _mm256_and_si256(factors, unusual),
            ] {
                odd_bits = _mm256_or_si256(odd_bits, bits);
            }
            let products = _mm256_mul_epu32(factors, _mm256_bsrli_epi128::<8>(factors));
            let first = _mm_cvtsi128_si64(_mm256_castsi256_si128(products)) as u64;
            let last = _mm_cvtsi128_si64(_mm256_extracti128_si256::<1>(products)) as u64;
            let len = u128::from(first) * u128::from(last.wrapping_mul(u64::from(kind & !plain::ODD)));
            let given: u64 =
                bytemuck::pod_read_unaligned(&raw[Descriptor::BYTE_LEN_AT..Descriptor::BYTE_LEN_AT + 8]);
            odd |= u64::from(kind & plain::ODD) | (len >> 64) as u64 | len as u64 ^ given;
        }
        odd == 0 && _mm256_testz_si256(odd_bits, odd_bits) == 1
    }

    #[target_feature(enable = "avx2,f16c")]
    fn is_utf8(bytes: &[u8]) -> bool {
        use simdutf8::basic::imp::x86::avx2::validate_utf8;
        // SAFETY: this function has the features that the other asks for.
        unsafe { validate_utf8(bytes) }.is_ok()
    }

    macro_rules! copies {
        ($($name:ident $width:literal;)*) => {$(
            #[target_feature(enable = "avx2,f16c")]
            #[expect(clippy::indexing_slicing, reason = "`copy_lines` has done no more than both have")]
            fn $name(bytes: &[u8], out: &mut [u8]) {
                let done =
                    if bytes.len() < LARGE { 0 } else { copy_lines::<$width, true>(bytes, slots(out)) };
                scalar::$name(&bytes[done..], &mut out[done..]);
            }
        )*};
    }

    copies! {
        copy_swapped_u16 2;
        copy_swapped_u32 4;
        copy_swapped_u64 8;
    }

    /// No call of `memcpy`, which for such lengths is one instruction in the C library: on Zen 3 that instruction is
    /// 15 times slower where the copy begins up to 48 bytes further into its page than the original.
    #[target_feature(enable = "avx2,f16c")]
    #[expect(clippy::indexing_slicing, reason = "`copy_lines` has done no more than both have")]
    fn copy(bytes: &[u8], out: &mut [MaybeUninit<u8>]) {
        let done = copy_lines::<1, false>(bytes, out);
        scalar::copy(&bytes[done..], &mut out[done..]);
    }

    /// No call of `memcpy` either, which reads from four pages at once here: four times slower where the copy begins
    /// a line or less further into its page than the original, for then what is read seems to have just been written.
    #[target_feature(enable = "avx2,f16c")]
    #[expect(clippy::indexing_slicing, reason = "`copy_lines` has done no more than both have")]
    fn copy_past_caches(bytes: &[u8], out: &mut [MaybeUninit<u8>]) {
        let done = copy_lines::<1, true>(bytes, out);
        scalar::copy(&bytes[done..], &mut out[done..]);
    }

    /// What a processor stores past its caches at once.
    #[derive(Clone, Copy)]
    #[repr(C, align(64))]
    struct Line(MaybeUninit<[__m256i; 2]>);

    /// Copies whole lines, and the numbers before them, the bytes of each number reversed; on request without putting
    /// the lines into the caches. Gives how many bytes that were.
    #[target_feature(enable = "avx2,f16c")]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "the lines lie in `out`, and as many bytes in `bytes`; a width is not 0"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "below 32")]
    pub(super) fn copy_lines<const WIDTH: usize, const PAST_CACHES: bool>(
        bytes: &[u8],
        out: &mut [MaybeUninit<u8>],
    ) -> usize {
        let len = bytes.len().min(out.len());
        // SAFETY: any bytes, and none, are a line.
        let (before, lines, _) = unsafe { out[..len].align_to_mut::<Line>() };
        let (before_len, after) = (before.len(), before.len() + size_of_val(lines));
        if before_len % WIDTH != 0 {
            // Every line would begin in the middle of a number.
            return 0;
        }
        for (slots, number) in before.chunks_exact_mut(WIDTH).zip(bytes.chunks_exact(WIDTH)) {
            for (slot, byte) in slots.iter_mut().zip(number.iter().rev()) {
                slot.write(*byte);
            }
        }
        let order: [u8; 32] = core::array::from_fn(|at| (at ^ (WIDTH - 1)) as u8 % 16);
        let order = bytemuck::cast(order);
        for (block, line) in bytes[before_len..after].chunks_exact(64).zip(lines) {
            let (first, second) = block.split_at(32);
            let mut first: __m256i = bytemuck::pod_read_unaligned(first);
            let mut second: __m256i = bytemuck::pod_read_unaligned(second);
            if WIDTH > 1 {
                first = _mm256_shuffle_epi8(first, order);
                second = _mm256_shuffle_epi8(second, order);
            }
            if !PAST_CACHES {
                line.0.write([first, second]);
                continue;
            }
            let low = line.0.as_mut_ptr().cast::<__m256i>();
            // SAFETY: the lower half of a line is 32 bytes at a multiple of 64.
            unsafe { _mm256_stream_si256(low, first) };
            // SAFETY: a line has two halves.
            let high = unsafe { low.add(1) };
            // SAFETY: the upper half of a line is 32 bytes at a multiple of 32.
            unsafe { _mm256_stream_si256(high, second) };
        }
        if PAST_CACHES {
            // Nothing else orders such stores.
            #[allow(unused_unsafe)] // newer versions of Rust have made it safe
            // SAFETY: every processor with AVX2 has this fence, which touches no memory.
            unsafe {
                _mm_sfence();
            }
        }
        after
    }

    #[target_feature(enable = "avx2,f16c")]
    fn f16_to_f32(bytes: &[u8], out: &mut [f32]) {
        let (blocks, rest) = split::<[u8; 16], [f32; 8]>(bytes, out);
        for (block, out) in blocks {
            *out = bytemuck::cast(_mm256_cvtph_ps(bytemuck::cast(*block)));
        }
        scalar::f16_to_f32(rest.0, rest.1);
    }

    /// E5M2 is the upper half of half precision.
    #[target_feature(enable = "avx2,f16c")]
    fn e5m2_to_f32(bytes: &[u8], out: &mut [f32]) {
        let zero = _mm_setzero_si128();
        let (blocks, rest) = split::<[u8; 16], [f32; 16]>(bytes, out);
        for (block, out) in blocks {
            let bits = bytemuck::cast(*block);
            *out = bytemuck::cast([
                _mm256_cvtph_ps(_mm_unpacklo_epi8(zero, bits)),
                _mm256_cvtph_ps(_mm_unpackhi_epi8(zero, bits)),
            ]);
        }
        scalar::e5m2_to_f32(rest.0, rest.1);
    }

    /// E4M3 becomes a half-precision number with one shift: of the same form, subnormal numbers included, but with
    /// a bias larger by 8, which a multiplication makes good. NaN needs the missing bit of the exponent.
    #[target_feature(enable = "avx2,f16c")]
    fn e4m3_to_f32(bytes: &[u8], out: &mut [f32]) {
        let (magnitude, missing) = (_mm_set1_epi8(0x7f), _mm_set1_epi8(0x40));
        let not_exponent_top = _mm_set1_epi16(!0x4000);
        let scale = _mm256_set1_ps(256.0);
        let zero = _mm_setzero_si128();
        let (blocks, rest) = split::<[u8; 16], [f32; 16]>(bytes, out);
        for (block, out) in blocks {
            let bits = bytemuck::cast(*block);
            let nan = _mm_cmpeq_epi8(_mm_and_si128(bits, magnitude), magnitude);
            let nan = _mm_and_si128(nan, missing);
            // The arithmetic shift copies the sign into the top of the exponent, where it does not belong.
            let low = _mm_srai_epi16::<1>(_mm_unpacklo_epi8(zero, bits));
            let low = _mm_and_si128(low, not_exponent_top);
            let low = _mm_or_si128(low, _mm_unpacklo_epi8(zero, nan));
            let high = _mm_srai_epi16::<1>(_mm_unpackhi_epi8(zero, bits));
            let high = _mm_and_si128(high, not_exponent_top);
            let high = _mm_or_si128(high, _mm_unpackhi_epi8(zero, nan));
            *out = bytemuck::cast([
                _mm256_mul_ps(_mm256_cvtph_ps(low), scale),
                _mm256_mul_ps(_mm256_cvtph_ps(high), scale),
            ]);
        }
        scalar::e4m3_to_f32(rest.0, rest.1);
    }

    #[target_feature(enable = "avx2,f16c")]
    fn u4_to_f32(bytes: &[u8], out: &mut [f32]) {
        let (bytes, out) = halves_to_f32(bytes, out, blocks::U4);
        scalar::u4_to_f32(bytes, out);
    }

    #[target_feature(enable = "avx2,f16c")]
    fn i4_to_f32(bytes: &[u8], out: &mut [f32]) {
        let (bytes, out) = halves_to_f32(bytes, out, blocks::I4);
        scalar::i4_to_f32(bytes, out);
    }

    #[target_feature(enable = "avx2,f16c")]
    fn e2m1_to_f32(bytes: &[u8], out: &mut [f32]) {
        let (bytes, out) = halves_to_f32(bytes, out, blocks::E2M1);
        scalar::e2m1_to_f32(bytes, out);
    }

    /// Looks the upper bytes of the value of each half up. Gives what is left.
    #[target_feature(enable = "avx2,f16c")]
    #[inline]
    fn halves_to_f32<'a, 'b>(bytes: &'a [u8], out: &'b mut [f32], tables: UpperBytes) -> Rest<'a, 'b> {
        let third = _mm256_broadcastsi128_si256(bytemuck::cast(tables[0]));
        let fourth = _mm256_broadcastsi128_si256(bytemuck::cast(tables[1]));
        let zero = _mm256_setzero_si256();
        let half = _mm256_set1_epi8(0x0f);
        // The unpacking below takes turns between the two halves of a register: four values here, four there.
        let turns = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
        let (blocks, rest) = split::<[u8; 16], [f32; 32]>(bytes, out);
        for (block, out) in blocks {
            let wide = _mm256_cvtepu8_epi16(bytemuck::cast(*block));
            let halves = _mm256_and_si256(_mm256_or_si256(wide, _mm256_slli_epi16::<4>(wide)), half);
            let halves = _mm256_permutevar8x32_epi32(halves, turns);
            let (third, fourth) = (_mm256_shuffle_epi8(third, halves), _mm256_shuffle_epi8(fourth, halves));
            let first = _mm256_unpacklo_epi8(third, fourth);
            let second = _mm256_unpackhi_epi8(third, fourth);
            *out = bytemuck::cast([
                _mm256_unpacklo_epi16(zero, first),
                _mm256_unpackhi_epi16(zero, first),
                _mm256_unpacklo_epi16(zero, second),
                _mm256_unpackhi_epi16(zero, second),
            ]);
        }
        rest
    }
}

mod avx512 {
    use super::*;

    /// The plain kernels, in vectors twice as wide. What is written by hand for AVX2 serves here too: whether anything
    /// wider is ahead of it is for a measurement to say.
    pub(in super::super) const TABLE: Table = Table {
        are_plain: AVX2.are_plain,
        copy: AVX2.copy,
        copy_past_caches: AVX2.copy_past_caches,
        copy_swapped_u16: AVX2.copy_swapped_u16,
        copy_swapped_u32: AVX2.copy_swapped_u32,
        copy_swapped_u64: AVX2.copy_swapped_u64,
        is_utf8: AVX2.is_utf8,
        u4_to_f32: AVX2.u4_to_f32,
        i4_to_f32: AVX2.i4_to_f32,
        e2m1_to_f32: AVX2.e2m1_to_f32,
        e4m3_to_f32: AVX2.e4m3_to_f32,
        e5m2_to_f32: AVX2.e5m2_to_f32,
        f16_to_f32: AVX2.f16_to_f32,
        ..PLAIN
    };

    kernels!(compile!("avx512f,avx512bw,avx512vl,avx512dq,avx2,f16c"));
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::avx2::copy_lines;
    use crate::arch::{Level, slots};
    use alloc::vec;
    use alloc::vec::Vec;

    fn copied<const WIDTH: usize, const PAST_CACHES: bool>() {
        let source: Vec<u8> = (0..400u32).map(|at| (at * 167 % 251) as u8).collect();
        let mut streamed = 0;
        for from in 0..8 {
            for to in 0..64 {
                let len = 320 - (from * 64 + to) % 5 * WIDTH;
                let bytes = &source[from..][..len];
                let mut out = vec![0xa5; 512];
                let start = out.as_ptr().align_offset(64) + to;
                // SAFETY: the caller has asked for the level.
                let done =
                    unsafe { copy_lines::<WIDTH, PAST_CACHES>(bytes, slots(&mut out[start..][..len])) };
                streamed += usize::from(done >= 192);
                let mut expected = bytes[..done].to_vec();
                expected.chunks_exact_mut(WIDTH).for_each(<[u8]>::reverse);
                assert_eq!(&out[start..][..done], expected, "{WIDTH}: {from} to {to}");
                let mut around = out[..start].iter().chain(&out[start + done..]);
                assert!(around.all(|byte| *byte == 0xa5), "{WIDTH}: {from} to {to}");
            }
        }
        assert_eq!(streamed, 8 * 64 / WIDTH, "whole numbers before the first line, whatever the source");
    }

    #[test]
    fn whole_lines_get_the_numbers_and_nothing_else_is_written() {
        if !Level::Avx2.is_available() {
            return;
        }
        copied::<1, false>();
        copied::<1, true>();
        copied::<2, true>();
        copied::<4, true>();
        copied::<8, true>();
    }
}
