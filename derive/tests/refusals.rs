//! What the derive refuses, and the words in which it does. After a change of the words, the files beside the
//! cases are written anew by `TRYBUILD=overwrite cargo test -p kiln-derive --test refusals`.
//!
//! What the compiler refuses in words of its own, which change with it, is tested where it is documented, at the macro.

#[test]
fn refusals_say_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
