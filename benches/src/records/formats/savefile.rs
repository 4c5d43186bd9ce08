//! savefile, without its header and schema, as its documentation shows for bare data.

use crate::records::format::{Format, data_sets, into_vec, task};
use savefile::{Deserialize, Deserializer, Serialize, Serializer};

fn format<T: Serialize + Deserialize>() -> Format<T> {
    Format::new("savefile", encode, into_vec!(write), task!(encode), decode, task!(decode::<T>))
}

fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) {
    Serializer::bare_serialize(out, 0, value).expect("encoding");
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, &mut out);
    out
}

fn decode<T: Deserialize>(mut bytes: &[u8]) -> T {
    Deserializer::bare_deserialize(&mut bytes, 0).expect("decoding")
}

data_sets!(format);
