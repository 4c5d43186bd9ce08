//! The 128 bytes about one tensor. Chapter: Tensor directory.

use super::dtype::{Dtype, OpaqueCode};
use super::header::{field, put};
use super::shape::{MAX_RANK, element_count};

/// The numbers of a tensor's descriptor, as they stand in the bytes: reading them tests nothing.
///
/// ```
/// use kiln::tensor::{Descriptor, Dtype};
/// let scalar = Descriptor {
///     dtype: Dtype::U8.code(),
///     byte_offset: 192,
///     byte_len: 1,
///     ..Descriptor::default()
/// };
/// assert_eq!(Descriptor::read(&scalar.write()), scalar);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// The code of the element type.
    pub dtype: u16,
    /// The number of dimensions.
    pub rank: u8,
    /// How the tensor is linked to its scales: 0, 1 or 2.
    pub quant_scheme: u8,
    /// The axis along which elements share a scale.
    pub quant_axis: u8,
    /// Where the name begins, in bytes from the start of the name heap.
    pub name_offset: u32,
    /// The length of the name, in bytes; 0 without one.
    pub name_len: u32,
    /// Where the layout name begins, in bytes from the start of the name heap.
    pub layout_offset: u32,
    /// The length of the layout name, in bytes; 0 but for an opaque tensor.
    pub layout_len: u32,
    /// The size of a foreign block, in bytes; 0 but for an opaque tensor.
    pub block_size: u32,
    /// How many elements along the axis share a scale.
    pub group_size: u32,
    /// The index of the scale tensor.
    pub scale_index: u32,
    /// The index of the outer tensor.
    pub outer_index: u32,
    /// Where the payload begins, in bytes from the start of the directory.
    pub byte_offset: u64,
    /// The length of the payload, in bytes.
    pub byte_len: u64,
    /// The dimensions, then zeros.
    pub shape: [u64; MAX_RANK],
}

impl Descriptor {
    /// The length of a descriptor, in bytes.
    pub const LEN: usize = 128;

    /// Where the dtype lies, in bytes from the start of the descriptor.
    pub const DTYPE_AT: usize = 0;
    /// Where the rank lies.
    pub const RANK_AT: usize = 2;
    /// Where the quantization scheme lies.
    pub const QUANT_SCHEME_AT: usize = 3;
    /// Where the quantization axis lies.
    pub const QUANT_AXIS_AT: usize = 4;
    /// Where the first three reserved bytes lie.
    pub const RESERVED_AT: usize = 5;
    /// Where the offset of the name lies.
    pub const NAME_OFFSET_AT: usize = 8;
    /// Where the length of the name lies.
    pub const NAME_LEN_AT: usize = 12;
    /// Where the offset of the layout name lies.
    pub const LAYOUT_OFFSET_AT: usize = 16;
    /// Where the length of the layout name lies.
    pub const LAYOUT_LEN_AT: usize = 20;
    /// Where the block size lies.
    pub const BLOCK_SIZE_AT: usize = 24;
    /// Where the group size lies.
    pub const GROUP_SIZE_AT: usize = 28;
    /// Where the index of the scale tensor lies.
    pub const SCALE_INDEX_AT: usize = 32;
    /// Where the index of the outer tensor lies.
    pub const OUTER_INDEX_AT: usize = 36;
    /// Where the offset of the payload lies.
    pub const BYTE_OFFSET_AT: usize = 40;
    /// Where the length of the payload lies.
    pub const BYTE_LEN_AT: usize = 48;
    /// Where the other eight reserved bytes lie.
    pub const RESERVED_WORD_AT: usize = 56;
    /// Where the eight shape slots lie.
    pub const SHAPE_AT: usize = 64;

    /// The numbers in `bytes`. Reserved bytes are not looked at.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "there are eight slots")]
    pub fn read(bytes: &[u8; Descriptor::LEN]) -> Descriptor {
        let u32_at = |at| u32::from_le_bytes(field(bytes, at));
        let u64_at = |at| u64::from_le_bytes(field(bytes, at));
        Descriptor {
            dtype: u16::from_le_bytes(field(bytes, Descriptor::DTYPE_AT)),
            rank: bytes[Descriptor::RANK_AT],
            quant_scheme: bytes[Descriptor::QUANT_SCHEME_AT],
            quant_axis: bytes[Descriptor::QUANT_AXIS_AT],
            name_offset: u32_at(Descriptor::NAME_OFFSET_AT),
            name_len: u32_at(Descriptor::NAME_LEN_AT),
            layout_offset: u32_at(Descriptor::LAYOUT_OFFSET_AT),
            layout_len: u32_at(Descriptor::LAYOUT_LEN_AT),
            block_size: u32_at(Descriptor::BLOCK_SIZE_AT),
            group_size: u32_at(Descriptor::GROUP_SIZE_AT),
            scale_index: u32_at(Descriptor::SCALE_INDEX_AT),
            outer_index: u32_at(Descriptor::OUTER_INDEX_AT),
            byte_offset: u64_at(Descriptor::BYTE_OFFSET_AT),
            byte_len: u64_at(Descriptor::BYTE_LEN_AT),
            shape: core::array::from_fn(|slot| u64_at(Descriptor::SHAPE_AT + 8 * slot)),
        }
    }

    /// The descriptor of these numbers, with reserved zeros.
    #[expect(clippy::arithmetic_side_effects, reason = "there are eight slots")]
    pub fn write(&self) -> [u8; Descriptor::LEN] {
        let mut bytes = [0; Descriptor::LEN];
        put(&mut bytes, Descriptor::DTYPE_AT, self.dtype.to_le_bytes());
        put(&mut bytes, Descriptor::RANK_AT, [self.rank]);
        put(&mut bytes, Descriptor::QUANT_SCHEME_AT, [self.quant_scheme]);
        put(&mut bytes, Descriptor::QUANT_AXIS_AT, [self.quant_axis]);
        put(&mut bytes, Descriptor::NAME_OFFSET_AT, self.name_offset.to_le_bytes());
        put(&mut bytes, Descriptor::NAME_LEN_AT, self.name_len.to_le_bytes());
        put(&mut bytes, Descriptor::LAYOUT_OFFSET_AT, self.layout_offset.to_le_bytes());
        put(&mut bytes, Descriptor::LAYOUT_LEN_AT, self.layout_len.to_le_bytes());
        put(&mut bytes, Descriptor::BLOCK_SIZE_AT, self.block_size.to_le_bytes());
        put(&mut bytes, Descriptor::GROUP_SIZE_AT, self.group_size.to_le_bytes());
        put(&mut bytes, Descriptor::SCALE_INDEX_AT, self.scale_index.to_le_bytes());
        put(&mut bytes, Descriptor::OUTER_INDEX_AT, self.outer_index.to_le_bytes());
        put(&mut bytes, Descriptor::BYTE_OFFSET_AT, self.byte_offset.to_le_bytes());
        put(&mut bytes, Descriptor::BYTE_LEN_AT, self.byte_len.to_le_bytes());
        for (slot, dim) in self.shape.iter().enumerate() {
            put(&mut bytes, Descriptor::SHAPE_AT + 8 * slot, dim.to_le_bytes());
        }
        bytes
    }

    /// The dimensions in use: as many slots as the rank says, at most eight.
    pub fn dims(&self) -> &[u64] {
        self.shape.get(..usize::from(self.rank)).unwrap_or(&self.shape)
    }

    /// The product of the dimensions in use, if it is below 2^64. Chapter: Shapes.
    pub fn element_count(&self) -> Option<u64> {
        element_count(self.dims())
    }

    /// The element type, if a reader accepts the code.
    pub const fn element_type(&self) -> Option<Dtype> {
        Dtype::from_code(self.dtype)
    }

    /// Whether the code is an opaque one.
    pub const fn is_opaque(&self) -> bool {
        OpaqueCode::new(self.dtype).is_some()
    }
}
