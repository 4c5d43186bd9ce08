//! The formats: a file for each, with a function for each data set.

mod bitcode;
mod kiln;
mod wincode;

use super::format::Format;
use super::log::Logs;
use super::mesh::Mesh;
use super::minecraft::Players;
use super::mk48::Updates;

pub fn log() -> Vec<Format<Logs>> {
    [kiln::log(), wincode::log(), bitcode::log()].into_iter().flatten().collect()
}

pub fn mesh() -> Vec<Format<Mesh>> {
    [kiln::mesh(), wincode::mesh(), bitcode::mesh()].into_iter().flatten().collect()
}

pub fn minecraft() -> Vec<Format<Players>> {
    [kiln::minecraft(), wincode::minecraft(), bitcode::minecraft()].into_iter().flatten().collect()
}

pub fn mk48() -> Vec<Format<Updates>> {
    [kiln::mk48(), wincode::mk48(), bitcode::mk48()].into_iter().flatten().collect()
}
