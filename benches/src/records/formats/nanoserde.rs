//! nanoserde's binary form.

use crate::records::format::{Format, data_sets, into_vec, task};
use nanoserde::{DeBin, SerBin};

fn format<T: SerBin + DeBin>() -> Format<T> {
    Format::new(
        "nanoserde",
        |value| value.serialize_bin(),
        into_vec!(|value: &T, out: &mut Vec<u8>| value.ser_bin(out)),
        task!(|value: &T| value.serialize_bin()),
        decode,
        task!(decode::<T>),
    )
}

fn decode<T: DeBin>(bytes: &[u8]) -> T {
    T::deserialize_bin(bytes).expect("decoding")
}

data_sets!(format);
