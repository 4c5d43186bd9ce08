//! `crate = path` leads to a module that has the macro replaced, to hand in its own path.
#![forbid(unsafe_code)]

mod shim {
    pub use kiln::*;
    macro_rules! frozen {
        ($($item:tt)*) => { kiln::__private::expand! { [crate::shim] unsafe { $($item)* } } };
    }
    pub(crate) use frozen as __frozen;
    pub mod __private {
        pub use kiln::__private::*;
        pub const fn exact(_: &[Part]) -> bool {
            true
        }
    }
}

#[derive(kiln::Frozen)]
#[kiln(crate = shim)]
struct Outer {
    a: u64,
}

fn main() {}
