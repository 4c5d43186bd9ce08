#[derive(kiln::Frozen)]
struct Record {
    #[kiln(bytes)]
    text: String,
}

fn main() {}
