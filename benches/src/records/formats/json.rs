//! JSON, by serde_json and by simd-json.

pub mod serde_json {
    use crate::records::format::{Format, data_sets, into_vec, task};
    use serde::de::{Deserialize, DeserializeOwned};
    use serde::ser::Serialize;

    fn format<T: Serialize + DeserializeOwned>() -> Format<T> {
        Format::new(
            "serde_json",
            |value| ::serde_json::to_vec(value).expect("encoding"),
            into_vec!(|value: &T, out: &mut Vec<u8>| ::serde_json::to_writer(out, value).expect("encoding")),
            task!(|value: &T| ::serde_json::to_vec(value).expect("encoding")),
            |bytes| read(bytes),
            task!(read::<T>),
        )
    }

    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> T {
        ::serde_json::from_slice(bytes).expect("decoding")
    }

    data_sets!(format, "serde_json", read);
}

pub mod simd_json {
    use crate::records::format::{Format, data_sets, into_vec, task};
    use ::simd_json::Buffers;
    use serde::de::DeserializeOwned;
    use serde::ser::Serialize;

    /// It changes the text while it reads, so each reading begins with a copy of the text.
    fn format<T: Serialize + DeserializeOwned>() -> Format<T> {
        Format::new(
            "simd-json",
            |value| ::simd_json::to_vec(value).expect("encoding"),
            into_vec!(|value: &T, out: &mut Vec<u8>| ::simd_json::to_writer(out, value).expect("encoding")),
            task!(|value: &T| ::simd_json::to_vec(value).expect("encoding")),
            |bytes| ::simd_json::from_slice(&mut bytes.to_vec()).expect("decoding"),
            task!({
                let (mut buffers, mut text) = (Buffers::default(), Vec::new());
                move |bytes: &[u8]| {
                    text.clear();
                    text.extend_from_slice(bytes);
                    ::simd_json::serde::from_slice_with_buffers::<T>(&mut text, &mut buffers)
                        .expect("decoding")
                }
            }),
        )
    }

    data_sets!(format);
}
