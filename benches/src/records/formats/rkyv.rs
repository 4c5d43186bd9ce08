//! rkyv: its archived form is read in place, after validation or without. Its buffer and its arena are kept, as its
//! documentation advises, and its errors say nothing, which is its fastest choice.

use crate::records::format::{Format, View, reading, task};
use crate::records::log::{ArchivedLogs, Logs};
use crate::records::mesh::{ArchivedMesh, Mesh};
use crate::records::minecraft::{ArchivedPlayers, Players};
use crate::records::mk48::{ArchivedUpdates, Updates};
use crate::records::read::{ReadAll, ends, sum};
use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::option::ArchivedOption;
use rkyv::rancor::Failure;
use rkyv::ser::allocator::{Arena, ArenaHandle};
use rkyv::string::ArchivedString;
use rkyv::tuple::{ArchivedTuple2, ArchivedTuple3};
use rkyv::util::AlignedVec;
use rkyv::vec::ArchivedVec;
use rkyv::{Archive, Deserialize, Serialize};
use std::hint::black_box;

fn format<T>(check: &'static str) -> Format<T>
where
    T: for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, Failure>> + 'static,
    T: Archive,
    T::Archived: for<'a> CheckBytes<HighValidator<'a, Failure>> + Deserialize<T, HighDeserializer<Failure>>,
{
    Format::new(
        "rkyv",
        |value| rkyv::to_bytes::<Failure>(value).expect("encoding").to_vec(),
        |value| {
            let (mut out, mut arena) = (AlignedVec::<16>::new(), Arena::new());
            Box::new(move || {
                out.clear();
                let buffer = std::mem::take(&mut out);
                let written = rkyv::api::high::to_bytes_in_with_alloc::<_, _, Failure>(
                    black_box(value),
                    buffer,
                    arena.acquire(),
                );
                out = black_box(written.expect("encoding"));
            })
        },
        task!(|value: &T| rkyv::to_bytes::<Failure>(value).expect("encoding")),
        decode,
        task!(decode::<T>),
    )
    .validate(check, task!(access::<T::Archived>))
}

fn decode<T>(bytes: &[u8]) -> T
where
    T: Archive,
    T::Archived: for<'a> CheckBytes<HighValidator<'a, Failure>> + Deserialize<T, HighDeserializer<Failure>>,
{
    rkyv::from_bytes::<T, Failure>(bytes).expect("decoding")
}

fn access<A: rkyv::Portable + for<'a> CheckBytes<HighValidator<'a, Failure>>>(bytes: &[u8]) -> &A {
    rkyv::access::<A, Failure>(bytes).expect("access")
}

fn unchecked<A: rkyv::Portable>(bytes: &[u8]) -> &A {
    // SAFETY: what is read was written by this program as that type.
    unsafe { rkyv::access_unchecked::<A>(bytes) }
}

/// Two views: one that validates, and one that trusts.
macro_rules! views {
    ($archived:ty, $records:ident) => {
        [("rkyv, validated", 0), ("rkyv, not validated", 1)].map(|(name, which)| match which {
            0 => views!(@ name, access::<$archived>, $records),
            _ => views!(@ name, unchecked::<$archived>, $records),
        })
    };
    (@ $name:expr, $open:expr, $records:ident) => {
        View {
            name: $name,
            open: task!($open),
            read: reading!(|bytes| $open(bytes).read_all()),
            ends: reading!(|bytes| ends(&$open(bytes).$records)),
        }
    };
}

pub fn log() -> Vec<Format<Logs>> {
    vec![views!(ArchivedLogs, logs).into_iter().fold(format("rkyv, validated"), Format::view)]
}

pub fn mesh() -> Vec<Format<Mesh>> {
    vec![views!(ArchivedMesh, triangles).into_iter().fold(format("rkyv, validated"), Format::view)]
}

pub fn minecraft() -> Vec<Format<Players>> {
    vec![views!(ArchivedPlayers, players).into_iter().fold(format("rkyv, validated"), Format::view)]
}

pub fn mk48() -> Vec<Format<Updates>> {
    vec![views!(ArchivedUpdates, updates).into_iter().fold(format("rkyv, validated"), Format::view)]
}

macro_rules! numbers {
    ($($archived:ident),*) => {$(
        impl ReadAll for rkyv::rend::$archived {
            #[inline]
            fn read_all(&self) -> u64 {
                self.to_native().read_all()
            }
        }
    )*};
}
numbers!(u16_le, u32_le, u64_le, i16_le, i32_le, i64_le, f32_le, f64_le);

impl ReadAll for ArchivedString {
    #[inline]
    fn read_all(&self) -> u64 {
        self.as_str().read_all()
    }
}

impl<T: ReadAll> ReadAll for ArchivedVec<T> {
    #[inline]
    fn read_all(&self) -> u64 {
        sum(self.as_slice())
    }
}

impl<T: ReadAll> ReadAll for ArchivedOption<T> {
    #[inline]
    fn read_all(&self) -> u64 {
        self.as_ref().map_or(0, |some| some.read_all().wrapping_add(1))
    }
}

impl<A: ReadAll, B: ReadAll> ReadAll for ArchivedTuple2<A, B> {
    #[inline]
    fn read_all(&self) -> u64 {
        self.0.read_all().wrapping_add(self.1.read_all())
    }
}

impl<A: ReadAll, B: ReadAll, C: ReadAll> ReadAll for ArchivedTuple3<A, B, C> {
    #[inline]
    fn read_all(&self) -> u64 {
        self.0.read_all().wrapping_add(self.1.read_all()).wrapping_add(self.2.read_all())
    }
}
