//! bincode 2, with integers of fixed width, which is its faster configuration.

use crate::records::format::{Format, data_sets, into_slice, task};
use bincode::config::{Configuration, Fixint, LittleEndian};
use bincode::{BorrowDecode, Decode, Encode};

const CONFIG: Configuration<LittleEndian, Fixint> = bincode::config::standard().with_fixed_int_encoding();

fn format<T: Encode + Decode<()>>() -> Format<T> {
    Format::new(
        "bincode 2",
        encode,
        into_slice!(encode, |value, out| bincode::encode_into_slice(value, out, CONFIG).expect("encoding")),
        task!(encode),
        decode,
        task!(decode::<T>),
    )
}

fn encode<T: Encode>(value: &T) -> Vec<u8> {
    bincode::encode_to_vec(value, CONFIG).expect("encoding")
}

fn decode<T: Decode<()>>(bytes: &[u8]) -> T {
    bincode::decode_from_slice(bytes, CONFIG).expect("decoding").0
}

fn read<'a, T: BorrowDecode<'a, ()>>(bytes: &'a [u8]) -> T {
    bincode::borrow_decode_from_slice(bytes, CONFIG).expect("decoding").0
}

data_sets!(format, "bincode 2", read);
