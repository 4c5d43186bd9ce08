//! Plain tensors, as nearly all are: what there is to a descriptor that a few instructions accept.
//!
//! A plain tensor is without layout or link, of at most four dimensions of a usual size, and of elements that may have
//! any value. These are the facts about its descriptor, which the fast pass tests in vectors where there are any.

use super::descriptor::Descriptor;
use super::dtype::Dtype;
use super::header::field;

/// The dimensions that are looked at.
pub(crate) const DIMS: usize = 4;

/// Dtype codes and ranks that are looked up are below these.
pub(crate) const CODES: usize = 32;
pub(crate) const RANKS: usize = 8;

/// What has no bit set: the upper bits of a dtype code, and those of the rank; scheme, axis, layout, block and group
/// size, links and reserved bytes; slots past those that are looked at.
#[expect(clippy::indexing_slicing, reason = "evaluated when compiled")]
#[expect(clippy::cast_possible_truncation, reason = "evaluated when compiled")]
pub(crate) const UNUSED: [u8; Descriptor::LEN] = {
    let mut mask = [0; Descriptor::LEN];
    mask[Descriptor::DTYPE_AT] = !(CODES as u8 - 1);
    mask[Descriptor::RANK_AT] = !(RANKS as u8 - 1);
    let spans = [
        (Descriptor::DTYPE_AT + 1, Descriptor::RANK_AT),
        (Descriptor::QUANT_SCHEME_AT, Descriptor::NAME_OFFSET_AT),
        (Descriptor::LAYOUT_OFFSET_AT, Descriptor::BYTE_OFFSET_AT),
        (Descriptor::RESERVED_WORD_AT, Descriptor::SHAPE_AT),
        (Descriptor::SHAPE_AT + 8 * DIMS, Descriptor::LEN),
    ];
    let mut span = 0;
    while span < spans.len() {
        let (mut at, end) = spans[span];
        while at < end {
            mask[at] = 0xff;
            at += 1;
        }
        span += 1;
    }
    mask
};

/// By rank, what has no bit set in each slot. It is also what is taken from the slot to have a factor: 1 where there
/// is no dimension.
#[expect(clippy::indexing_slicing, reason = "evaluated when compiled")]
pub(crate) const PAST: [[u64; DIMS]; RANKS] = {
    let mut past = [[0; DIMS]; RANKS];
    let mut slot = 0;
    while slot < DIMS {
        let mut rank = 0;
        while rank <= slot {
            past[rank][slot] = u64::MAX;
            rank += 1;
        }
        slot += 1;
    }
    past
};

/// What no factor has a bit of, so that the product of the first two, and that of the others and the width, are whole.
pub(crate) const UNUSUAL: [u64; DIMS] = [!0 << 32, !0 << 32, !0 << 30, !0 << 30];

/// By rank and dtype code, the bytes of an element; above these bits [`ODD`], and 0, where the tensor is not plain.
#[expect(clippy::indexing_slicing, reason = "evaluated when compiled")]
pub(crate) const KINDS: [[u16; CODES]; RANKS] = {
    let mut kinds = [[ODD; CODES]; RANKS];
    let mut rank = 0;
    while rank <= DIMS {
        let mut code = 0;
        while code < CODES {
            let width = Dtype::PLAIN_WIDTHS[code];
            if width > 0 {
                kinds[rank][code] = width as u16;
            }
            code += 1;
        }
        rank += 1;
    }
    kinds
};
pub(crate) const ODD: u16 = 1 << 8;

/// 0 for the descriptor of a plain tensor whose payload has the length that follows. Some others are well, too.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "sixteen words and four slots of a descriptor; ranks and codes are taken modulo the tables' lengths; factors of 64 bits have a product of 128"
)]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a product")]
pub(crate) fn oddity(raw: &[u8; Descriptor::LEN]) -> u64 {
    let word = |at| u64::from_le_bytes(field(raw, at));
    let mut odd = 0;
    for at in 0..Descriptor::LEN / 8 {
        let unused: [u8; 8] = field(&UNUSED, 8 * at);
        if unused != [0; 8] {
            odd |= word(8 * at) & u64::from_le_bytes(unused);
        }
    }
    let rank = usize::from(raw[Descriptor::RANK_AT]) % RANKS;
    let kind = KINDS[rank][usize::from(raw[Descriptor::DTYPE_AT]) % CODES];
    odd |= u64::from(kind & ODD);
    let factors: [u64; DIMS] = core::array::from_fn(|slot| {
        let (dim, past) = (word(Descriptor::SHAPE_AT + 8 * slot), PAST[rank][slot]);
        odd |= dim & past;
        dim.wrapping_sub(past)
    });
    odd |= (factors[0] | factors[1]) & UNUSUAL[0] | (factors[2] | factors[3]) & UNUSUAL[2];
    let [first, last] = [factors[0].wrapping_mul(factors[1]), factors[2].wrapping_mul(factors[3])];
    let len = u128::from(first) * u128::from(last.wrapping_mul(u64::from(kind & !ODD)));
    odd | (len >> 64) as u64 | len as u64 ^ word(Descriptor::BYTE_LEN_AT)
}
