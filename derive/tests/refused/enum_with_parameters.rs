#[derive(kiln::Frozen)]
#[repr(u8)]
enum Color<const N: usize> {
    Red,
}

fn main() {}
