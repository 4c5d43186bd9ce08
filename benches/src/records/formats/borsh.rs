//! borsh.

use crate::records::format::{Format, data_sets, into_vec, task};
use borsh::{BorshDeserialize, BorshSerialize};

fn format<T: BorshSerialize + BorshDeserialize>() -> Format<T> {
    Format::new(
        "borsh",
        encode,
        into_vec!(|value, out: &mut Vec<u8>| borsh::to_writer(out, value).expect("encoding")),
        task!(encode),
        decode,
        task!(decode::<T>),
    )
}

fn encode<T: BorshSerialize>(value: &T) -> Vec<u8> {
    borsh::to_vec(value).expect("encoding")
}

fn decode<T: BorshDeserialize>(bytes: &[u8]) -> T {
    borsh::from_slice(bytes).expect("decoding")
}

data_sets!(format);
