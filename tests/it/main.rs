//! The tests of the library that need nothing but the library.

#[path = "../support/mod.rs"]
mod support;

mod accept_chunks;
mod accept_threads;
mod batch;
mod build_golden;
mod build_refusals;
mod cases;
mod derive_facts;
mod derive_faults;
mod derive_recursive;
mod derive_reuse;
mod derive_structs;
mod directory_agree;
mod directory_damage;
mod directory_order;
mod directory_pages;
mod directory_views;
mod dynamic_any;
mod dynamic_derived;
mod dynamic_json;
mod dynamic_serde;
mod dynamic_values;
mod empty;
mod frame;
mod frozen_depth;
mod frozen_faults;
mod frozen_oracle;
mod frozen_ownership;
mod frozen_records;
mod frozen_stream;
mod frozen_values;
mod header_first;
mod io_files;
mod io_streams;
mod kernels;
mod offsets;
mod pool;
mod scan;
mod schema_json;
mod schema_suite;
mod schema_type;
mod target;
mod trusted;
