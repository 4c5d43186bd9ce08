//! The formats: a file for each, with a function for each data set.

mod bincode;
mod bincode1;
mod bitcode;
mod borsh;
mod capnp;
mod databuf;
mod flatbuffers;
mod json;
mod kiln;
mod minicbor;
mod nanoserde;
mod postcard;
mod prost;
mod rkyv;
mod rmp;
mod savefile;
mod speedy;
mod wincode;

use self::json::{serde_json, simd_json};
use super::format::Format;
use super::log::Logs;
use super::mesh::Mesh;
use super::minecraft::Players;
use super::mk48::Updates;

/// The formats of a data set, Kiln first.
macro_rules! all {
    ($set:ident) => {
        [
            kiln::$set(),
            wincode::$set(),
            bitcode::$set(),
            speedy::$set(),
            savefile::$set(),
            nanoserde::$set(),
            bincode1::$set(),
            bincode::$set(),
            borsh::$set(),
            databuf::$set(),
            postcard::$set(),
            rkyv::$set(),
            flatbuffers::$set(),
            capnp::$set(),
            minicbor::$set(),
            rmp::$set(),
            prost::$set(),
            serde_json::$set(),
            simd_json::$set(),
        ]
        .into_iter()
        .flatten()
        .collect()
    };
}

pub fn log() -> Vec<Format<Logs>> {
    all!(log)
}

pub fn mesh() -> Vec<Format<Mesh>> {
    all!(mesh)
}

pub fn minecraft() -> Vec<Format<Players>> {
    all!(minecraft)
}

pub fn mk48() -> Vec<Format<Updates>> {
    all!(mk48)
}
