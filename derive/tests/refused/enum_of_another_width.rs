#[derive(kiln::Frozen)]
#[repr(i8)]
enum Signed {
    Red = -1,
}

#[derive(kiln::Frozen)]
#[repr(u64)]
enum Wide {
    Red,
}

#[derive(kiln::Frozen)]
#[repr(usize)]
enum Pointer {
    Red,
}

fn main() {}
