//! A directory put together from a description, then damaged in its fields, so that the late steps of the check
//! order are reached: everything that the target `directory` holds against each other, on such bytes.
//!
//! An input is read from its front: how the result is read, the tensors, the damages.

#[path = "../../tests/support/block.rs"]
mod block;

use super::directory;
use arbitrary::{Result, Unstructured};
use block::{Tensor, block, d, put, word};
use kiln::tensor::{Descriptor, Dtype, Header};

/// The most tensors of a directory, but for those that others are linked to.
const TENSORS: usize = 9;

/// Checks the input; panics where two answers differ.
pub(crate) fn run(input: &[u8]) {
    // It runs out of bytes by giving zeros.
    if let Ok(bytes) = bytes(&mut Unstructured::new(input)) {
        directory::run(&bytes);
    }
}

/// The input of the target `directory` that is described.
fn bytes(from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let manner: [u8; 4] = from.arbitrary()?;
    let tensors: Vec<Tensor> =
        (0..from.int_in_range(0..=TENSORS)?).map(|_| tensor(from)).collect::<Result<_>>()?;
    let mut bytes = block(&linked(tensors, from)?);
    for _ in 0..from.int_in_range(0..=3)? {
        damage(&mut bytes, from)?;
    }
    bytes.extend(manner);
    Ok(bytes)
}

/// Names that are equal, begin alike, hold more than ASCII, or are not there.
const NAMES: [&str; 12] = [
    "",
    "w",
    "w",
    "b",
    "layers.0.w",
    "layers.0.b",
    "layers.1.w",
    "é",
    "e\u{301}",
    "模型",
    "\u{10ffff}",
    "\n",
];

/// A tensor that fits by itself, without links.
fn tensor(from: &mut Unstructured<'_>) -> Result<Tensor> {
    let mut name = from.choose(&NAMES)?.to_string();
    if from.ratio(1, 2)? {
        name.push(char::from(b'a' + from.int_in_range(0..=25)?));
    }
    let mut dims = Vec::new();
    for _ in 0..from.int_in_range(0..=4)? {
        dims.push(from.int_in_range(0..=5u64)?);
    }
    let count: u64 = dims.iter().product();
    if from.ratio(1, 8)? {
        let block_size: u32 = from.int_in_range(1..=40)?;
        let len = block_size as usize * from.int_in_range(0..=3)?;
        let layout = *from.choose(&["Q4_K", "x", "é"])?;
        let dtype = from.int_in_range(4096..=32767)?;
        return Ok(block::tensor(&name, dtype, &dims, &filled(len, from)?).opaque(layout, block_size));
    }
    let dtype = Dtype::from_code(from.int_in_range(1..=19)?).expect("the closed codes");
    let len = (count as usize * dtype.bits().expect("a closed dtype") as usize).div_ceil(8);
    let mut payload = filled(len, from)?;
    if dtype == Dtype::Bool {
        payload.iter_mut().for_each(|byte| *byte &= 1);
    }
    if let (true, Some(last)) = (dtype.is_packed() && count % 2 == 1, payload.last_mut()) {
        *last &= 0x0f;
    }
    Ok(block::tensor(&name, dtype.code(), &dims, &payload))
}

/// Bytes of a pattern: what is in most payloads says nothing.
fn filled(len: usize, from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let (first, step): (u8, u8) = from.arbitrary()?;
    Ok((0..len).map(|at| (at as u8).wrapping_mul(step).wrapping_add(first)).collect())
}

/// Links some tensors, so that the links hold more often than chance would have it.
fn linked(mut tensors: Vec<Tensor>, from: &mut Unstructured<'_>) -> Result<Vec<Tensor>> {
    for index in 0..tensors.len() {
        if tensors[index].dims.is_empty() || !from.ratio(1, 3)? {
            continue;
        }
        let axis = from.int_in_range(0..=tensors[index].dims.len() - 1)?;
        let group: u32 = from.int_in_range(1..=6)?;
        let groups: u64 = tensors[index]
            .dims
            .iter()
            .enumerate()
            .map(|(at, &dim)| if at == axis { dim.div_ceil(group.into()) } else { dim })
            .product();
        let scheme = from.int_in_range(1..=2u8)?;
        let scale = tensors.len() as u32;
        let outer = if scheme == 2 { scale + 1 } else { 0 };
        tensors.push(block::tensor(
            &format!("s{scale}"),
            Dtype::U8.code(),
            &[groups],
            &filled(groups as usize, from)?,
        ));
        if scheme == 2 {
            tensors.push(block::tensor(&format!("o{outer}"), Dtype::F32.code(), &[], &filled(4, from)?));
        }
        tensors[index] = tensors[index].clone().linked(scheme, axis as u8, group, scale, outer);
    }
    Ok(tensors)
}

/// The fields of a header, by place and width, and those of a descriptor.
const HEADER: [(usize, usize); 9] = [
    (0, 4),
    (Header::VERSION_AT, 2),
    (Header::FLAGS_AT, 2),
    (Header::TENSOR_COUNT_AT, 8),
    (Header::NAME_BYTES_AT, 8),
    (Header::DIRECTORY_BYTES_AT, 8),
    (Header::PAYLOAD_BASE_AT, 8),
    (Header::PAYLOAD_BYTES_AT, 8),
    (Header::RESERVED_AT, 8),
];
const DESCRIPTOR: [(usize, usize); 18] = [
    (Descriptor::DTYPE_AT, 2),
    (Descriptor::RANK_AT, 1),
    (Descriptor::QUANT_SCHEME_AT, 1),
    (Descriptor::QUANT_AXIS_AT, 1),
    (Descriptor::RESERVED_AT, 2),
    (Descriptor::NAME_OFFSET_AT, 4),
    (Descriptor::NAME_LEN_AT, 4),
    (Descriptor::LAYOUT_OFFSET_AT, 4),
    (Descriptor::LAYOUT_LEN_AT, 4),
    (Descriptor::BLOCK_SIZE_AT, 4),
    (Descriptor::GROUP_SIZE_AT, 4),
    (Descriptor::SCALE_INDEX_AT, 4),
    (Descriptor::OUTER_INDEX_AT, 4),
    (Descriptor::BYTE_OFFSET_AT, 8),
    (Descriptor::BYTE_LEN_AT, 8),
    (Descriptor::RESERVED_WORD_AT, 8),
    (Descriptor::SHAPE_AT, 8),
    (Descriptor::SHAPE_AT + 8, 8),
];

/// Damages one thing of a block, which may be damaged already.
fn damage(bytes: &mut Vec<u8>, from: &mut Unstructured<'_>) -> Result<()> {
    let tensors = bytes.len().saturating_sub(64) / 128;
    match from.int_in_range(0..=8u8)? {
        0 => {
            let field = *from.choose(&HEADER)?;
            number(bytes, field, from)?;
        }
        1..=3 if tensors > 0 => {
            let (at, width) = *from.choose(&DESCRIPTOR)?;
            number(bytes, (d(from.int_in_range(0..=tensors - 1)?) + at, width), from)?;
        }
        // A field of one descriptor in the place of another's: links, names and payloads that meet.
        4 if tensors > 1 => {
            let (at, width) = *from.choose(&DESCRIPTOR)?;
            let (of, to) = (from.int_in_range(0..=tensors - 1)?, from.int_in_range(0..=tensors - 1)?);
            let field = bytes[d(of) + at..][..width].to_vec();
            put(bytes, d(to) + at, &field);
        }
        // A payload that lies elsewhere, with everything after it or alone.
        5 if tensors > 0 => {
            let first = from.int_in_range(0..=tensors - 1)?;
            let last = if from.arbitrary()? { tensors - 1 } else { first };
            let by = from.int_in_range(0..=2u64)? * 64;
            for index in first..=last {
                let at = d(index) + Descriptor::BYTE_OFFSET_AT;
                let moved = word(bytes, at).wrapping_add(by);
                put(bytes, at, &moved.to_le_bytes());
            }
            bytes.resize(bytes.len() + by as usize, 0);
            let left = (bytes.len() as u64).wrapping_sub(word(bytes, Header::PAYLOAD_BASE_AT));
            put(bytes, Header::PAYLOAD_BYTES_AT, &left.to_le_bytes());
        }
        6 => bytes.truncate(from.int_in_range(0..=bytes.len())?),
        7 => bytes.extend(std::iter::repeat_n(from.arbitrary::<u8>()?, from.int_in_range(1..=130)?)),
        _ if !bytes.is_empty() => {
            let at = from.int_in_range(0..=bytes.len() - 1)?;
            bytes[at] ^= 1 << from.int_in_range(0..=7)?;
        }
        _ => {}
    }
    Ok(())
}

/// Changes a number a little or altogether.
fn number(bytes: &mut [u8], (at, width): (usize, usize), from: &mut Unstructured<'_>) -> Result<()> {
    let Some(field) = bytes.get_mut(at..at + width) else { return Ok(()) };
    let mut old = [0; 8];
    old[..width].copy_from_slice(field);
    let old = u64::from_le_bytes(old);
    let new = match from.int_in_range(0..=5u8)? {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old ^ 1 << from.int_in_range(0..=8 * width - 1)?,
        3 => old.wrapping_add(64),
        4 => {
            *from.choose(&[0, 1, u64::MAX, 1 << 63, u64::MAX - 63, 1 << 32, u64::from(u32::MAX), 1 << 57])?
        }
        _ => from.arbitrary()?,
    };
    field.copy_from_slice(&new.to_le_bytes()[..width]);
    Ok(())
}
