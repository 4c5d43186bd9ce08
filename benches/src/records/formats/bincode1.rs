//! bincode 1: integers of fixed width, as it comes.

use crate::records::format::{Format, data_sets, into_vec, task};
use serde::de::{Deserialize, DeserializeOwned};
use serde::ser::Serialize;

fn format<T: Serialize + DeserializeOwned>() -> Format<T> {
    Format::new(
        "bincode 1",
        |value| bincode1::serialize(value).expect("encoding"),
        into_vec!(|value, out| bincode1::serialize_into(out, value).expect("encoding")),
        task!(|value| bincode1::serialize(value).expect("encoding")),
        |bytes| read(bytes),
        task!(read::<T>),
    )
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> T {
    bincode1::deserialize(bytes).expect("decoding")
}

data_sets!(format, "bincode 1", read);
