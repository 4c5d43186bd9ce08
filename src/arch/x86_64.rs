//! What x86-64 processors have beyond plain code compiled for them: UTF-8 by table look-up, from `simdutf8`, and
//! conversions through the byte shuffle and through the instruction that widens half-precision numbers.

use super::blocks::{self, Rest, UpperBytes, split};
use super::kernels::{Table, compile, kernels};
use super::scalar;
use core::arch::x86_64::*;

pub(super) use avx2::TABLE as AVX2;
pub(super) use sse42::TABLE as SSE42;

mod sse42 {
    use super::*;

    pub(in super::super) const TABLE: Table = Table { is_utf8, ..PLAIN };

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

    pub(in super::super) const TABLE: Table =
        Table { is_utf8, u4_to_f32, i4_to_f32, e2m1_to_f32, e4m3_to_f32, e5m2_to_f32, f16_to_f32, ..PLAIN };

    kernels!(compile!("avx2,f16c"));

    #[target_feature(enable = "avx2,f16c")]
    fn is_utf8(bytes: &[u8]) -> bool {
        use simdutf8::basic::imp::x86::avx2::validate_utf8;
        // SAFETY: this function has the features that the other asks for.
        unsafe { validate_utf8(bytes) }.is_ok()
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
