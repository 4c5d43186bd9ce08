//! postcard: integers of variable length.

use crate::records::format::{Format, data_sets, into_slice, task};
use serde::de::{Deserialize, DeserializeOwned};
use serde::ser::Serialize;

fn format<T: Serialize + DeserializeOwned>() -> Format<T> {
    Format::new(
        "postcard",
        encode,
        into_slice!(encode, |value: &T, out| postcard::to_slice(value, out).expect("encoding").len()),
        task!(encode),
        |bytes| read(bytes),
        task!(read::<T>),
    )
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("encoding")
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> T {
    postcard::from_bytes(bytes).expect("decoding")
}

data_sets!(format, "postcard", read);
