use kiln::{Decode, Frozen};

#[derive(Frozen)]
struct Record<'a, 'b, T: Decode<'a>, U: Decode<'b>> {
    a: &'a str,
    b: &'b str,
    t: T,
    u: U,
}

fn main() {}
