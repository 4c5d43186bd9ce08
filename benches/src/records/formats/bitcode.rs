//! bitcode. Its buffer is kept for what is written again and again, as its documentation advises; a buffer for
//! reading would keep scratch space, and is kept as well.

use crate::records::format::{Format, task, view};
use crate::records::log::{Logs, LogsRef};
use crate::records::mesh::Mesh;
use crate::records::minecraft::{Players, PlayersRef};
use crate::records::mk48::Updates;
use bitcode::{Buffer, DecodeOwned, Encode};
use std::hint::black_box;

fn format<T: Encode + DecodeOwned>() -> Format<T> {
    Format::new(
        "bitcode",
        |value| bitcode::encode(value),
        task!({
            let mut buffer = Buffer::new();
            move |value| {
                black_box(buffer.encode(value));
            }
        }),
        task!(|value| bitcode::encode(value)),
        |bytes| bitcode::decode(bytes).expect("decoding"),
        task!({
            let mut buffer = Buffer::new();
            move |bytes| buffer.decode::<T>(bytes).expect("decoding")
        }),
    )
}

macro_rules! decoder {
    ($kind:ty) => {{
        let mut buffer = Buffer::new();
        move |bytes| -> $kind { buffer.decode(bytes).expect("decoding") }
    }};
}

pub fn log() -> Vec<Format<Logs>> {
    vec![format().view(view!("bitcode", decoder!(LogsRef<'_>), logs))]
}

pub fn mesh() -> Vec<Format<Mesh>> {
    vec![format()]
}

pub fn minecraft() -> Vec<Format<Players>> {
    vec![format().view(view!("bitcode", decoder!(PlayersRef<'_>), players))]
}

pub fn mk48() -> Vec<Format<Updates>> {
    vec![format()]
}
