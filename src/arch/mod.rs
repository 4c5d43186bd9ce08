//! The inner loops of the fast paths, one small function each. Yes or no, or values; never where a fault is.

pub(crate) mod scalar;

pub(crate) use scalar::{any_bit_set, swap_in_place, unpack};
