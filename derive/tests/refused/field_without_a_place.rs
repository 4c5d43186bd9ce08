struct Other;

#[derive(kiln::Frozen)]
struct Record {
    id: u32,
    count: usize,
    other: Other,
}

fn main() {}
