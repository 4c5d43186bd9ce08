#[derive(kiln::Frozen)]
#[kiln(bytes)]
#[kiln(name = "Other")]
struct Record {
    #[kiln(crate = kiln)]
    a: u8,
}

#[derive(kiln::Frozen)]
#[repr(u8)]
enum Color {
    #[kiln(name = "red")]
    Red,
}

fn main() {}
