#[derive(kiln::Frozen)]
#[repr(C, packed(2))]
struct Packed {
    a: u8,
    b: u32,
}

fn main() {}
