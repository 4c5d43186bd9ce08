//! `#[derive(Frozen)]`: see the crate `kiln`, which re-exports it.
