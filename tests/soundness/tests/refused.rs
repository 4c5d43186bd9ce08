//! What no compiler takes. After a change of the words, those of the compiler included, the files beside the programs are
//! written anew by `TRYBUILD=overwrite cargo test -p kiln-soundness --test refused`; read them before they are
//! committed: a program must be refused for what it tries, not for a name that has changed.

#[test]
fn programs_that_lie_about_types_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
