//! The tests that set the level of vectors of the whole process: one at a time.

#[path = "../support/mod.rs"]
mod support;

mod edges;
mod replay;

/// Held by whoever sets the level.
static LEVEL: std::sync::Mutex<()> = std::sync::Mutex::new(());
