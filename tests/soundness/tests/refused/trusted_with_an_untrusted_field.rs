//! A trusted type holds one that is not, in places that a where clause does not see.
#![forbid(unsafe_code)]
use kiln::Frozen;

#[derive(Frozen)]
struct Plain {
    a: u8,
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Direct {
    plain: Plain,
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Recursive {
    again: Vec<Recursive>,
    plain: Option<Box<Plain>>,
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Generic<T> {
    value: T,
    plain: Plain,
}

fn main() {}
