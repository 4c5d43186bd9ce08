//! Descriptors told apart field by field.

use kiln::tensor::{Descriptor, Dtype};

/// What `are_plain` says of one descriptor, field by field.
pub(crate) fn is_plain(raw: &[u8; 128]) -> bool {
    let descriptor = Descriptor::read(raw);
    let Descriptor { dtype, rank, name_offset, name_len, byte_offset, byte_len, shape, .. } = descriptor;
    let alone = Descriptor {
        dtype,
        rank,
        name_offset,
        name_len,
        byte_offset,
        byte_len,
        shape,
        ..Descriptor::default()
    };
    let (Some(dtype), true) = (Dtype::from_code(dtype), rank <= 4) else { return false };
    let usual = [32, 32, 30, 30].iter().zip(descriptor.dims()).all(|(bits, dim)| dim >> bits == 0);
    raw[..] == alone.write()
        && shape[usize::from(rank)..] == [0; 8][usize::from(rank)..]
        && usual
        && dtype != Dtype::Bool
        && !dtype.is_packed()
        && descriptor.element_count().and_then(|count| dtype.payload_len(count)) == Some(byte_len)
}
