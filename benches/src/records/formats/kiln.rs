//! Kiln.

use crate::records::format::{Format, View, reading, task, view};
use crate::records::log::{LogRef, Logs, LogsRef};
use crate::records::mesh::{Mesh, Triangle};
use crate::records::minecraft::{PlayerRef, Players, PlayersRef};
use crate::records::mk48::{Update, Updates};
use crate::records::read::{ReadAll, ends, sum};
use bumpalo::Bump;
use kiln::{Batch, Decode, DecodeOwned, Encode, ListView};
use std::hint::black_box;

fn format<T: Encode + DecodeOwned>() -> Format<T> {
    Format::new(
        "kiln",
        |value| kiln::to_vec(value).expect("encoding"),
        task!({
            let mut out = Vec::new();
            move |value| {
                out.clear();
                kiln::encode_into(value, &mut out).expect("encoding");
                black_box(&out);
            }
        }),
        task!(|value| kiln::to_vec(value).expect("encoding")),
        |bytes| read(bytes),
        task!(read::<T>),
    )
    .validate("kiln", task!(|bytes| kiln::validate::<T>(bytes).expect("valid")))
    .into("kiln, over an older value", |bytes, place| kiln::decode_into(bytes, place).expect("decoding"))
}

fn read<'a, T: Decode<'a>>(bytes: &'a [u8]) -> T {
    kiln::from_slice(bytes).expect("decoding")
}

/// Record by record: nothing is allocated. A struct whose one field is a list is on the wire what the list is.
macro_rules! batch_view {
    ($record:ty) => {
        View {
            name: "kiln, batch",
            open: task!(|bytes| {
                for record in batch::<$record>(bytes) {
                    black_box(record);
                }
            }),
            read: reading!(|bytes| sum(batch::<$record>(bytes))),
            ends: reading!(|bytes| {
                let mut records = batch::<$record>(bytes);
                let first = records.next().map_or(0, |record| record.read_all());
                records.last().map_or(0, |record| record.read_all()).wrapping_add(first)
            }),
        }
    };
}

fn batch<'a, T: Decode<'a>>(bytes: &'a [u8]) -> impl Iterator<Item = T> {
    Batch::read(bytes).expect("a batch").map(|record| record.expect("decoding"))
}

fn list(bytes: &[u8]) -> ListView<'_, Triangle> {
    read(bytes)
}

macro_rules! in_arena {
    ($record:ty, $then:expr) => {{
        let mut arena = Bump::new();
        move |bytes| {
            let found = $then(kiln::from_slice_in(bytes, &arena).expect("decoding"));
            arena.reset();
            found
        }
    }};
}

/// A list of borrowed records in an arena that is emptied each time: a handful of allocations, and no drop.
macro_rules! arena_view {
    ($record:ty) => {
        View {
            name: "kiln, in an arena",
            open: task!(in_arena!($record, |records: &[$record]| {
                black_box(records);
            })),
            read: reading!(in_arena!($record, |records: &[$record]| sum(records))),
            ends: reading!(in_arena!($record, |records: &[$record]| ends(records))),
        }
    };
}

pub fn log() -> Vec<Format<Logs>> {
    let format = format().view(view!("kiln", read::<LogsRef<'_>>, logs));
    vec![format.view(arena_view!(LogRef<'_>)).view(batch_view!(LogRef<'_>))]
}

pub fn mesh() -> Vec<Format<Mesh>> {
    vec![format().view(View {
        name: "kiln, list view",
        open: task!(list),
        read: reading!(|bytes| sum(list(bytes))),
        ends: reading!(|bytes| {
            let list = list(bytes);
            let end = |index| list.get(index).map_or(0, |record| record.read_all());
            end(0).wrapping_add(list.len().checked_sub(1).map_or(0, end))
        }),
    })]
}

pub fn minecraft() -> Vec<Format<Players>> {
    vec![format().view(view!("kiln", read::<PlayersRef<'_>>, players)).view(batch_view!(PlayerRef<'_>))]
}

pub fn mk48() -> Vec<Format<Updates>> {
    vec![format().view(batch_view!(Update))]
}
