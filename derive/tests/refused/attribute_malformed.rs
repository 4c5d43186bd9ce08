#[derive(kiln::Frozen)]
#[kiln(crate = "kiln")]
struct Record {
    #[kiln(bytes = true)]
    a: Vec<u8>,
    #[kiln(name)]
    b: u8,
    #[kiln(name = b)]
    c: u8,
    #[kiln = "d"]
    d: u8,
}

fn main() {}
