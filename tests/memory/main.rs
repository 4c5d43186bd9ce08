//! The tests that count what is allocated.

#[path = "../support/mod.rs"]
mod support;

mod bounds_memory;
mod directory_embedded;
mod directory_hostile;
mod dynamic_budget;
mod frozen_arena;
mod frozen_memory;
mod frozen_validate;
mod io_memory;

#[global_allocator]
static COUNTING: support::alloc::Counting = support::alloc::Counting;
