//! Decodes a file as the data set that the features name, or as all four, in the format that they name; without a
//! format it does all but decode.

use std::hint::black_box;

#[cfg(feature = "log")]
type Root = derive::log::Logs;
#[cfg(feature = "mesh")]
type Root = derive::mesh::Mesh;
#[cfg(feature = "minecraft")]
type Root = derive::minecraft::Players;
#[cfg(feature = "mk48")]
type Root = derive::mk48::Updates;
#[cfg(not(any(feature = "log", feature = "mesh", feature = "minecraft", feature = "mk48")))]
type Root = (derive::log::Logs, derive::mesh::Mesh, derive::minecraft::Players, derive::mk48::Updates);

#[cfg(feature = "kiln")]
fn decode(bytes: &[u8]) -> Option<Root> {
    kiln::from_slice(bytes).ok()
}

#[cfg(feature = "bincode")]
fn decode(bytes: &[u8]) -> Option<Root> {
    bincode::deserialize(bytes).ok()
}

#[cfg(feature = "rkyv")]
fn decode(bytes: &[u8]) -> Option<Root> {
    rkyv::from_bytes::<Root, rkyv::rancor::Error>(bytes).ok()
}

#[cfg(feature = "wincode")]
fn decode(bytes: &[u8]) -> Option<Root> {
    wincode::deserialize_exact(bytes).ok()
}

#[cfg(not(any(feature = "kiln", feature = "bincode", feature = "rkyv", feature = "wincode")))]
fn decode(_: &[u8]) -> Option<Root> {
    None
}

fn main() -> std::io::Result<()> {
    let bytes = std::fs::read(std::env::args_os().nth(1).unwrap_or_default())?;
    black_box(black_box(decode)(black_box(&bytes)));
    Ok(())
}
