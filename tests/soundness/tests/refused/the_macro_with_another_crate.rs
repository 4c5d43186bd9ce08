//! The macro that the derive leads to is called with a path of the program's in the place of the crate. Without the word
//! `unsafe` it takes nothing; with it, it is the program that has said so.
#![forbid(unsafe_code)]

mod shim {
    pub use kiln::*;
    pub mod __private {
        pub use kiln::__private::*;
        pub const fn exact(_: &[Part]) -> bool {
            true
        }
    }
}

kiln::__private::expand! { [crate::shim] { struct Silent { a: u64 } } }

#[allow(dead_code)]
struct Said {
    a: u64,
}

kiln::__private::expand! { [crate::shim] unsafe { struct Said { a: u64 } } }

fn main() {}
