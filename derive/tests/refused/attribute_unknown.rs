#[derive(kiln::Frozen)]
#[kiln(rename_all = "camelCase")]
struct Record {
    #[kiln(skip)]
    a: u8,
    #[kiln(rename = "c", bytes)]
    b: Vec<u8>,
    #[kiln]
    c: u8,
    #[kiln()]
    d: u8,
}

#[derive(kiln::Frozen)]
#[repr(u8)]
enum Color {
    #[kiln(value = 3)]
    Red,
}

fn main() {}
