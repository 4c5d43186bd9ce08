//! MessagePack by rmp-serde: structs as arrays, as it comes.

use crate::records::format::{Format, data_sets, into_vec, task};
use serde::de::{Deserialize, DeserializeOwned};
use serde::ser::Serialize;

fn format<T: Serialize + DeserializeOwned>() -> Format<T> {
    Format::new(
        "rmp-serde",
        |value| rmp_serde::to_vec(value).expect("encoding"),
        into_vec!(|value: &T, out: &mut Vec<u8>| rmp_serde::encode::write(out, value).expect("encoding")),
        task!(|value: &T| rmp_serde::to_vec(value).expect("encoding")),
        |bytes| read(bytes),
        task!(read::<T>),
    )
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> T {
    rmp_serde::from_slice(bytes).expect("decoding")
}

data_sets!(format, "rmp-serde", read);
