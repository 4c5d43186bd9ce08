#[derive(kiln::Frozen)]
struct Record {
    id: u8,
    #[kiln(name = "id")]
    other: u8,
    r#type: u8,
    #[kiln(name = "type")]
    kind: u8,
    #[kiln(name = "late")]
    early: u8,
    late: u8,
}

#[derive(kiln::Frozen)]
struct Tuple(#[kiln(name = "1")] u8, u16);

fn main() {}
