//! What the benchmarks measure: criterion runs it one by one, and the table programs side by side.

pub mod directories;
pub mod payloads;
pub mod plot;
pub mod records;
pub mod turns;

/// What flatc made of `schemas/records.fbs`.
#[allow(warnings, unused_qualifications, unsafe_op_in_unsafe_fn)]
#[allow(clippy::all, clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block)]
#[path = "../schemas/records_generated.rs"]
mod schemas;

/// What capnp's compiler made of `schemas/records.capnp`.
#[allow(clippy::all, clippy::undocumented_unsafe_blocks, unused_qualifications)]
#[path = "../schemas/records_capnp.rs"]
mod records_capnp;

use kiln::arch::Kernels;
use std::hint::black_box;

/// The sizes of the larger side, in bytes: a few registers, in each cache, in memory.
pub const SIZES: [usize; 6] = [16, 64, 4 << 10, 256 << 10, 16 << 20, 256 << 20];

/// What is done to the bytes.
pub enum Work {
    /// Looks at them.
    Read(fn(&Kernels, &[u8]) -> bool),
    /// Writes others.
    Write(fn(&Kernels, &[u8], &mut [u8])),
    /// Changes them where they are.
    Change(fn(&Kernels, &mut [u8])),
}

/// Another way to the same end.
pub type Peer = (&'static str, fn(&[u8], &mut [u8]));

/// One kernel and what it is given.
pub struct Case {
    pub name: &'static str,
    /// Bytes that make one byte of the larger side, as a fraction: 1 and 8 for four bits that become 32.
    pub input: (usize, usize),
    pub output: (usize, usize),
    pub data: Data,
    pub work: Work,
    /// Others, which know no level.
    pub peers: &'static [Peer],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Data {
    Zeros,
    Random,
    Ascii,
    Cjk,
}

impl Data {
    /// `len` bytes, cut at a character.
    pub fn make(self, len: usize) -> Vec<u8> {
        let text = |text: &str| {
            let mut bytes: Vec<u8> = text.bytes().cycle().take(len / text.len() * text.len()).collect();
            bytes.resize(len, b' ');
            bytes
        };
        match self {
            // Written, so that each page is one of its own.
            Data::Zeros => black_box(vec![1; len]).iter().map(|byte| byte - 1).collect(),
            Data::Random => {
                let mut state = 1u64;
                let mut bytes = vec![0; len];
                for word in bytes.chunks_mut(8) {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let drawn = (state ^ state >> 29).to_le_bytes();
                    word.copy_from_slice(&drawn[..word.len()]);
                }
                bytes
            }
            Data::Ascii => text("model.layers.12.self_attn.q_proj.weight"),
            Data::Cjk => text("模型层权重矩阵"),
        }
    }
}

const fn read(name: &'static str, data: Data, work: fn(&Kernels, &[u8]) -> bool) -> Case {
    Case { name, input: (1, 1), output: (0, 1), data, work: Work::Read(work), peers: &[] }
}

const fn write(
    name: &'static str,
    input: (usize, usize),
    output: (usize, usize),
    work: fn(&Kernels, &[u8], &mut [u8]),
) -> Case {
    Case { name, input, output, data: Data::Random, work: Work::Write(work), peers: &[] }
}

const fn change(name: &'static str, work: fn(&Kernels, &mut [u8])) -> Case {
    Case { name, input: (0, 1), output: (1, 1), data: Data::Random, work: Work::Change(work), peers: &[] }
}

fn floats(out: &mut [u8]) -> &mut [f32] {
    bytemuck::cast_slice_mut(out)
}

pub const CASES: &[Case] = &[
    read("any_bit_set", Data::Zeros, |kernels, bytes| kernels.any_bit_set(bytes, 0xfe)),
    // Zeros are not plain, which is found out at the end.
    read("are_plain", Data::Zeros, |kernels, bytes| {
        let whole = &bytes[..bytes.len() - bytes.len() % 128];
        kernels.are_plain(bytemuck::cast_slice(whole))
    }),
    Case {
        peers: &[("std", std_text), ("simdutf8", simdutf8_text)],
        ..read("text, ASCII", Data::Ascii, |kernels, bytes| kernels.text(bytes).is_some())
    },
    Case {
        peers: &[("std", std_text), ("simdutf8", simdutf8_text)],
        ..read("text, CJK", Data::Cjk, |kernels, bytes| kernels.text(bytes).is_some())
    },
    write("copy_swapped u16", (1, 1), (1, 1), |kernels, bytes, out| kernels.copy_swapped(bytes, 2, out)),
    write("copy_swapped u32", (1, 1), (1, 1), |kernels, bytes, out| kernels.copy_swapped(bytes, 4, out)),
    write("copy_swapped u64", (1, 1), (1, 1), |kernels, bytes, out| kernels.copy_swapped(bytes, 8, out)),
    change("swap_in_place u16", |kernels, bytes| kernels.swap_in_place(bytes, 2)),
    change("swap_in_place u32", |kernels, bytes| kernels.swap_in_place(bytes, 4)),
    change("swap_in_place u64", |kernels, bytes| kernels.swap_in_place(bytes, 8)),
    write("copy_from_le", (1, 1), (1, 1), |kernels, bytes, out| kernels.copy_from_le(bytes, 4, out)),
    write("unpack_u4", (1, 2), (1, 1), |kernels, bytes, out| kernels.unpack_u4(bytes, 0, out)),
    write("unpack_i4", (1, 2), (1, 1), |kernels, bytes, out| {
        kernels.unpack_i4(bytes, 0, bytemuck::cast_slice_mut(out));
    }),
    write("u4_to_f32", (1, 8), (1, 1), |kernels, bytes, out| kernels.u4_to_f32(bytes, 0, floats(out))),
    write("i4_to_f32", (1, 8), (1, 1), |kernels, bytes, out| kernels.i4_to_f32(bytes, 0, floats(out))),
    write("e2m1_to_f32", (1, 8), (1, 1), |kernels, bytes, out| kernels.e2m1_to_f32(bytes, 0, floats(out))),
    write("pack_u4", (1, 1), (1, 2), |kernels, bytes, out| {
        black_box(kernels.pack_u4(bytes, out));
    }),
    write("pack_i4", (1, 1), (1, 2), |kernels, bytes, out| {
        black_box(kernels.pack_i4(bytemuck::cast_slice(bytes), out));
    }),
    write("e4m3_to_f32", (1, 4), (1, 1), |kernels, bytes, out| kernels.e4m3_to_f32(bytes, floats(out))),
    write("e5m2_to_f32", (1, 4), (1, 1), |kernels, bytes, out| kernels.e5m2_to_f32(bytes, floats(out))),
    write("e8m0_to_f32", (1, 4), (1, 1), |kernels, bytes, out| kernels.e8m0_to_f32(bytes, floats(out))),
    Case {
        peers: &[("half", half_f16)],
        ..write("f16_to_f32", (1, 2), (1, 1), |kernels, bytes, out| kernels.f16_to_f32(bytes, floats(out)))
    },
    Case {
        peers: &[("half", half_bf16)],
        ..write("bf16_to_f32", (1, 2), (1, 1), |kernels, bytes, out| kernels.bf16_to_f32(bytes, floats(out)))
    },
];

fn std_text(bytes: &[u8], _: &mut [u8]) {
    black_box(std::str::from_utf8(bytes).is_ok());
}

fn simdutf8_text(bytes: &[u8], _: &mut [u8]) {
    black_box(simdutf8::basic::from_utf8(bytes).is_ok());
}

fn half_f16(bytes: &[u8], out: &mut [u8]) {
    use half::slice::HalfFloatSliceExt;
    bytemuck::cast_slice::<u8, half::f16>(bytes).convert_to_f32_slice(floats(out));
}

fn half_bf16(bytes: &[u8], out: &mut [u8]) {
    use half::slice::HalfFloatSliceExt;
    bytemuck::cast_slice::<u8, half::bf16>(bytes).convert_to_f32_slice(floats(out));
}

/// Copies as many bytes as the larger side has, what a processor does fastest.
pub fn copy(bytes: &[u8], out: &mut [u8]) {
    out.copy_from_slice(bytes);
}

/// Reads every byte into a register and does no more than to keep the compiler from leaving it out.
pub fn plain_read(bytes: &[u8]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { plain_read_avx2(bytes) };
    }
    any(bytes)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn plain_read_avx2(bytes: &[u8]) -> bool {
    any(bytes)
}

#[inline(always)]
fn any(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |seen, byte| seen | byte) != 0
}

/// Memory for one size, aligned for floats.
pub struct Memory {
    input: Vec<u64>,
    output: Vec<u64>,
}

impl Memory {
    pub fn new(data: Data, size: usize) -> Self {
        Memory { input: aligned(&data.make(size)), output: aligned(&Data::Random.make(size)) }
    }

    /// Input and output of a case at that size.
    pub fn of(&mut self, case: &Case, size: usize) -> (&[u8], &mut [u8]) {
        let part = |(over, under): (usize, usize)| size * over / under;
        let input = &bytemuck::cast_slice(&self.input)[..part(case.input)];
        (input, &mut bytemuck::cast_slice_mut(&mut self.output)[..part(case.output)])
    }

    /// Both sides at full size.
    pub fn full(&mut self, size: usize) -> (&[u8], &mut [u8]) {
        (&bytemuck::cast_slice(&self.input)[..size], &mut bytemuck::cast_slice_mut(&mut self.output)[..size])
    }
}

fn aligned(bytes: &[u8]) -> Vec<u64> {
    let mut words = vec![0; bytes.len().div_ceil(8)];
    bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
    words
}

impl Case {
    /// Does the work once.
    pub fn run(&self, kernels: &Kernels, input: &[u8], output: &mut [u8]) {
        match self.work {
            Work::Read(work) => {
                black_box(work(kernels, black_box(input)));
            }
            Work::Write(work) => work(kernels, black_box(input), black_box(output)),
            Work::Change(work) => work(kernels, black_box(output)),
        }
    }

    /// What a processor does at best: a read for what reads, a copy of the larger side for what writes.
    pub fn floor(&self) -> &'static str {
        if matches!(self.work, Work::Read(_)) { "read" } else { "copy" }
    }
}
