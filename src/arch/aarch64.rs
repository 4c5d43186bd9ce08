//! What aarch64 processors have beyond plain code, which NEON is the least of there: UTF-8 by table look-up, from
//! `simdutf8`, and conversions through table look-up and through the instruction that widens half-precision numbers.
//!
//! The conversions are here because of what `llvm-mca` expects of Neoverse N1, Cortex-A55 and Apple M1: 1.6 to 7
//! times the speed of plain code. They have not been timed on a processor.

use super::blocks::{self, Rest, UpperBytes, split};
use super::kernels::Table;
use super::scalar;
use bytemuck::cast;
use core::arch::aarch64::{uint8x16_t, uint16x8_t};

pub(super) const NEON: Table = Table {
    is_utf8,
    u4_to_f32,
    i4_to_f32,
    e2m1_to_f32,
    e4m3_to_f32,
    e5m2_to_f32,
    f16_to_f32,
    ..Table::FLOOR
};

/// The instructions that the kernels are made of.
mod instruction {
    use core::arch::aarch64::*;
    use core::arch::asm;

    macro_rules! safe {
        ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty = $intrinsic:path;)*) => {$(
            #[inline(always)]
            #[allow(unused_unsafe)] // from Rust 1.87 on the intrinsics are safe
            pub(super) fn $name($($arg: $type),*) -> $result {
                // SAFETY: this module is compiled only where the target promises NEON.
                unsafe { $intrinsic($($arg),*) }
            }
        )*};
    }

    safe! {
        and(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vandq_u8;
        or(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vorrq_u8;
        equal(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vceqq_u8;
        high_halves(a: uint8x16_t) -> uint8x16_t = vshrq_n_u8::<4>;
        halve_signed(a: int16x8_t) -> int16x8_t = vshrq_n_s16::<1>;
        look_up(table: uint8x16_t, index: uint8x16_t) -> uint8x16_t = vqtbl1q_u8;
        zip_low(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vzip1q_u8;
        zip_high(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vzip2q_u8;
        zip_low_pairs(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vzip1q_u16;
        zip_high_pairs(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vzip2q_u16;
        multiply(a: float32x4_t, b: float32x4_t) -> float32x4_t = vmulq_f32;
    }

    /// The values of eight half-precision numbers. The intrinsic for it needs a type that Rust has not yet.
    #[inline(always)]
    pub(super) fn widen(halves: uint16x8_t) -> [float32x4_t; 2] {
        let (low, high);
        // SAFETY: both instructions are NEON's, which the target promises, and touch nothing but these registers.
        unsafe {
            asm!(
                "fcvtl {low:v}.4s, {halves:v}.4h",
                "fcvtl2 {high:v}.4s, {halves:v}.8h",
                low = out(vreg) low,
                high = lateout(vreg) high,
                halves = in(vreg) halves,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        [low, high]
    }
}
use instruction::*;

fn is_utf8(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok()
}

fn f16_to_f32(bytes: &[u8], out: &mut [f32]) {
    let (blocks, rest) = split::<[u8; 16], [f32; 8]>(bytes, out);
    for (block, out) in blocks {
        *out = cast(widen(cast(*block)));
    }
    scalar::f16_to_f32(rest.0, rest.1);
}

/// E5M2 is the upper half of half precision.
fn e5m2_to_f32(bytes: &[u8], out: &mut [f32]) {
    let zero = cast([0u8; 16]);
    let (blocks, rest) = split::<[u8; 16], [f32; 16]>(bytes, out);
    for (block, out) in blocks {
        let bits = cast(*block);
        *out = cast([widen(cast(zip_low(zero, bits))), widen(cast(zip_high(zero, bits)))]);
    }
    scalar::e5m2_to_f32(rest.0, rest.1);
}

/// As on x86-64: E4M3 becomes a half-precision number with one shift, 256 times too small, and NaN gets the
/// bit of the exponent that it lacks then.
fn e4m3_to_f32(bytes: &[u8], out: &mut [f32]) {
    let (zero, magnitude, missing) = (cast([0u8; 16]), cast([0x7fu8; 16]), cast([0x40u8; 16]));
    let not_exponent_top = cast([!0x4000u16; 8]);
    let scale = cast([256f32; 4]);
    let (blocks, rest) = split::<[u8; 16], [f32; 16]>(bytes, out);
    for (block, out) in blocks {
        let bits = cast(*block);
        let nan = and(equal(and(bits, magnitude), magnitude), missing);
        let value = |bits: uint8x16_t, nan: uint8x16_t| {
            let half: uint8x16_t = cast(halve_signed(cast(bits)));
            widen(cast(or(and(half, not_exponent_top), nan))).map(|value| multiply(value, scale))
        };
        *out = cast([
            value(zip_low(zero, bits), zip_low(zero, nan)),
            value(zip_high(zero, bits), zip_high(zero, nan)),
        ]);
    }
    scalar::e4m3_to_f32(rest.0, rest.1);
}

fn u4_to_f32(bytes: &[u8], out: &mut [f32]) {
    let (bytes, out) = halves_to_f32(bytes, out, blocks::U4);
    scalar::u4_to_f32(bytes, out);
}

fn i4_to_f32(bytes: &[u8], out: &mut [f32]) {
    let (bytes, out) = halves_to_f32(bytes, out, blocks::I4);
    scalar::i4_to_f32(bytes, out);
}

fn e2m1_to_f32(bytes: &[u8], out: &mut [f32]) {
    let (bytes, out) = halves_to_f32(bytes, out, blocks::E2M1);
    scalar::e2m1_to_f32(bytes, out);
}

/// Looks the upper bytes of the value of each half up. Gives what is left.
#[inline(always)]
fn halves_to_f32<'a, 'b>(bytes: &'a [u8], out: &'b mut [f32], tables: UpperBytes) -> Rest<'a, 'b> {
    let [third, fourth] = tables.map(cast::<[u8; 16], uint8x16_t>);
    let low_half = cast([0x0fu8; 16]);
    let zero: uint16x8_t = cast([0u16; 8]);
    let (blocks, rest) = split::<[u8; 16], [f32; 32]>(bytes, out);
    for (block, out) in blocks {
        let bits = cast(*block);
        let (low, high) = (and(bits, low_half), high_halves(bits));
        let sixteen = |halves: uint8x16_t| {
            let (third, fourth) = (look_up(third, halves), look_up(fourth, halves));
            let (first, second) = (cast(zip_low(third, fourth)), cast(zip_high(third, fourth)));
            [
                zip_low_pairs(zero, first),
                zip_high_pairs(zero, first),
                zip_low_pairs(zero, second),
                zip_high_pairs(zero, second),
            ]
        };
        *out = cast([sixteen(zip_low(low, high)), sixteen(zip_high(low, high))]);
    }
    rest
}
