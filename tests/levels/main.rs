//! The tests that set the level of vectors of the whole process: one at a time.
#![allow(clippy::duplicate_mod, reason = "the fuzz targets bring with them what they need of the support")]

#[path = "../support/mod.rs"]
mod support;

mod edges;
mod replay;

/// Held by whoever sets the level.
static LEVEL: std::sync::Mutex<()> = std::sync::Mutex::new(());
