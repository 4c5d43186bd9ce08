//! What kernels written for vectors share: blocks of a vector's size, and tables of values.

use bytemuck::Pod;

/// Pairs of a block of bytes and the floats that it becomes.
type Blocks<'a, 'b, B, F> = core::iter::Zip<core::slice::Iter<'a, B>, core::slice::IterMut<'b, F>>;
/// Bytes and floats that are left over.
pub(super) type Rest<'a, 'b> = (&'a [u8], &'b mut [f32]);

/// The blocks of `bytes` and `out` that belong to each other, and what is left over.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "a quotient, multiplied back; types of some bytes")]
pub(super) fn split<'a, 'b, B: Pod, F: Pod>(
    bytes: &'a [u8],
    out: &'b mut [f32],
) -> (Blocks<'a, 'b, B, F>, Rest<'a, 'b>) {
    let floats = size_of::<F>() / size_of::<f32>();
    let count = (bytes.len() / size_of::<B>()).min(out.len() / floats);
    let (blocks, bytes) = bytes.split_at(count * size_of::<B>());
    let (slots, out) = out.split_at_mut(count * floats);
    let blocks = bytemuck::cast_slice::<u8, B>(blocks).iter();
    let slots = bytemuck::cast_slice_mut::<f32, F>(slots).iter_mut();
    (blocks.zip(slots), (bytes, out))
}

/// The third and the fourth byte of the f32 that each half stands for. The others are 0.
pub(super) type UpperBytes = [[u8; 16]; 2];

pub(super) const U4: UpperBytes =
    upper_bytes([0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.]);
pub(super) const I4: UpperBytes =
    upper_bytes([0., 1., 2., 3., 4., 5., 6., 7., -8., -7., -6., -5., -4., -3., -2., -1.]);
pub(super) const E2M1: UpperBytes =
    upper_bytes([0., 0.5, 1., 1.5, 2., 3., 4., 6., -0., -0.5, -1., -1.5, -2., -3., -4., -6.]);

#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "evaluated when compiled"
)]
const fn upper_bytes(values: [f32; 16]) -> UpperBytes {
    let mut bytes = [[0; 16]; 2];
    let mut at = 0;
    while at < 16 {
        let [0, 0, third, fourth] = values[at].to_bits().to_le_bytes() else {
            panic!("the value has bits in its lower half");
        };
        bytes[0][at] = third;
        bytes[1][at] = fourth;
        at += 1;
    }
    bytes
}
