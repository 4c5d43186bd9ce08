//! Programs without `unsafe` that try to break memory safety through Kiln. Those in `tests/refused` must not compile;
//! those in `tests/harmless.rs` run, and nothing comes of them, under valgrind neither (`.ci/valgrind`).
