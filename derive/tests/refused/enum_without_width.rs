#[derive(kiln::Frozen)]
enum Color {
    Red,
}

#[derive(kiln::Frozen)]
#[repr(C)]
enum Foreign {
    Red,
}

fn main() {}
