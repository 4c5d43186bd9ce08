//! Directories written by the layout of the specification, without the library, and then damaged.
// Each test uses a part.
#![allow(dead_code)]

/// One tensor to be written; nothing about it is checked.
#[derive(Clone, Default)]
pub(crate) struct Tensor {
    pub(crate) name: Vec<u8>,
    pub(crate) dtype: u16,
    pub(crate) dims: Vec<u64>,
    pub(crate) payload: Vec<u8>,
    pub(crate) layout: Vec<u8>,
    pub(crate) block_size: u32,
    /// Scheme, axis, group size, scale, outer.
    pub(crate) link: (u8, u8, u32, u32, u32),
}

/// A tensor of a closed dtype.
pub(crate) fn tensor(name: &str, dtype: u16, dims: &[u64], payload: &[u8]) -> Tensor {
    Tensor { name: name.into(), dtype, dims: dims.into(), payload: payload.into(), ..Tensor::default() }
}

impl Tensor {
    pub(crate) fn linked(self, scheme: u8, axis: u8, group: u32, scale: u32, outer: u32) -> Tensor {
        Tensor { link: (scheme, axis, group, scale, outer), ..self }
    }

    pub(crate) fn opaque(self, layout: &str, block_size: u32) -> Tensor {
        Tensor { layout: layout.into(), block_size, ..self }
    }
}

/// Writes a block in the canonical layout.
pub(crate) fn block(tensors: &[Tensor]) -> Vec<u8> {
    let names: Vec<u8> = tensors.iter().flat_map(|tensor| tensor.name.clone()).collect();
    let layouts: Vec<u8> = tensors.iter().flat_map(|tensor| tensor.layout.clone()).collect();
    let heap_at = 64 + 128 * tensors.len();
    let heap_end = heap_at + names.len() + layouts.len();
    let base = heap_end.next_multiple_of(64);

    let mut bytes = vec![0; base];
    let flags = if names.is_empty() { 1 } else { 3 };
    put(&mut bytes, 0, b"KLNT");
    put(&mut bytes, 4, &2u16.to_le_bytes());
    put(&mut bytes, 6, &u16::to_le_bytes(flags));
    put(&mut bytes, 8, &(tensors.len() as u64).to_le_bytes());
    put(&mut bytes, 16, &((heap_end - heap_at) as u64).to_le_bytes());
    put(&mut bytes, 24, &((heap_end - 64) as u64).to_le_bytes());
    put(&mut bytes, 32, &(base as u64).to_le_bytes());
    put(&mut bytes, heap_at, &names);
    put(&mut bytes, heap_at + names.len(), &layouts);

    let (mut name_at, mut layout_at) = (0, names.len());
    for (index, tensor) in tensors.iter().enumerate() {
        bytes.resize(bytes.len().next_multiple_of(64), 0);
        let d = 64 + 128 * index;
        let offset = bytes.len();
        let (scheme, axis, group, scale, outer) = tensor.link;
        let place = |at: usize, len: usize| if len == 0 { 0 } else { at as u32 };
        put(&mut bytes, d, &tensor.dtype.to_le_bytes());
        put(&mut bytes, d + 2, &[tensor.dims.len() as u8, scheme, axis]);
        put(&mut bytes, d + 8, &place(name_at, tensor.name.len()).to_le_bytes());
        put(&mut bytes, d + 12, &(tensor.name.len() as u32).to_le_bytes());
        put(&mut bytes, d + 16, &place(layout_at, tensor.layout.len()).to_le_bytes());
        put(&mut bytes, d + 20, &(tensor.layout.len() as u32).to_le_bytes());
        put(&mut bytes, d + 24, &tensor.block_size.to_le_bytes());
        put(&mut bytes, d + 28, &group.to_le_bytes());
        put(&mut bytes, d + 32, &scale.to_le_bytes());
        put(&mut bytes, d + 36, &outer.to_le_bytes());
        put(&mut bytes, d + 40, &(offset as u64).to_le_bytes());
        put(&mut bytes, d + 48, &(tensor.payload.len() as u64).to_le_bytes());
        for (slot, dim) in tensor.dims.iter().enumerate() {
            put(&mut bytes, d + 64 + 8 * slot, &dim.to_le_bytes());
        }
        bytes.extend_from_slice(&tensor.payload);
        name_at += tensor.name.len();
        layout_at += tensor.layout.len();
    }
    let payload_bytes = bytes.len() - base;
    put(&mut bytes, 40, &(payload_bytes as u64).to_le_bytes());
    bytes
}

/// Writes `field` at `at`.
#[track_caller]
pub(crate) fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    bytes[at..at + field.len()].copy_from_slice(field);
}

/// The same bytes with `field` at `at`.
#[track_caller]
pub(crate) fn with(bytes: &[u8], at: usize, field: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    put(&mut bytes, at, field);
    bytes
}

/// The number of eight bytes at `at`.
#[track_caller]
pub(crate) fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// One tensor of every kind, with links of both schemes. The heap, `wmaskqsoutopQ4_K`, is at 960 to 975; the
/// payloads are at 1024 (w), 1088 (mask), 1152 (q), 1216 (s), 1280 (out), 1344 (op), 1408 (no name); the block ends
/// at 1410.
pub(crate) fn sample() -> Vec<u8> {
    let f32s = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    block(&[
        tensor("w", 8, &[2, 2], &[1, 2, 3, 0xfc]).linked(1, 1, 2, 3, 0),
        tensor("mask", 13, &[3], &[1, 0, 1]),
        tensor("q", 14, &[3], &[0x21, 0x0f]).linked(2, 0, 2, 3, 4),
        tensor("s", 2, &[2], &f32s(&[1.0, -0.5])),
        tensor("out", 2, &[], &f32s(&[0.25])),
        tensor("op", 4096, &[4], &[7; 36]).opaque("Q4_K", 18),
        tensor("", 18, &[3], &[0xab, 0x0c]),
    ])
}

/// Where the descriptor of tensor `index` begins.
pub(crate) fn d(index: usize) -> usize {
    64 + 128 * index
}
