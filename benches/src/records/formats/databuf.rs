//! databuf, with the numbers of the host, which needs no conversion.

use crate::records::format::{Format, data_sets, into_vec, task};
use databuf::config::num::LE;
use databuf::{Decode, Encode};

fn format<T: Encode + for<'a> Decode<'a>>() -> Format<T> {
    Format::new(
        "databuf",
        |value| value.to_bytes::<LE>(),
        into_vec!(|value: &T, out: &mut Vec<u8>| value.encode::<LE>(out).expect("encoding")),
        task!(|value: &T| value.to_bytes::<LE>()),
        |bytes| read(bytes),
        task!(read::<T>),
    )
}

fn read<'a, T: Decode<'a>>(bytes: &'a [u8]) -> T {
    T::from_bytes::<LE>(bytes).expect("decoding")
}

data_sets!(format, "databuf", read);
