//! A trusted type is given a parameter that is not.
#![forbid(unsafe_code)]
use kiln::Frozen;

#[derive(Frozen)]
struct Plain {
    a: u8,
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Generic<T> {
    value: Vec<T>,
}

fn is_trusted<T: kiln::Trusted>() {}

fn main() {
    is_trusted::<Generic<u8>>();
    is_trusted::<Generic<Plain>>();
}
