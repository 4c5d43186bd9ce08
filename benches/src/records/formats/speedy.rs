//! speedy.

use crate::records::format::{Format, data_sets, into_slice, task};
use speedy::{LittleEndian, Readable, Writable};

fn format<T: Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian>>() -> Format<T> {
    Format::new(
        "speedy",
        encode,
        into_slice!(encode, |value: &T, out| {
            value.write_to_buffer_with_ctx(LittleEndian {}, out).expect("encoding")
        }),
        task!(encode),
        |bytes| read(bytes),
        task!(read::<T>),
    )
}

fn encode<T: Writable<LittleEndian>>(value: &T) -> Vec<u8> {
    value.write_to_vec_with_ctx(LittleEndian {}).expect("encoding")
}

fn read<'a, T: Readable<'a, LittleEndian>>(bytes: &'a [u8]) -> T {
    T::read_from_buffer_with_ctx(LittleEndian {}, bytes).expect("decoding")
}

data_sets!(format, "speedy", read);
