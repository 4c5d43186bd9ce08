#[derive(kiln::Frozen)]
#[kiln(crate = kiln)]
#[kiln(crate = kiln)]
struct Record {
    #[kiln(bytes, bytes)]
    a: Vec<u8>,
    #[kiln(name = "b1", name = "b2")]
    b: u8,
}

fn main() {}
