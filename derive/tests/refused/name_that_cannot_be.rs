#[derive(kiln::Frozen)]
struct Record {
    #[kiln(name = "")]
    a: u8,
    #[kiln(name = "a:u8,b")]
    b: u8,
    #[kiln(name = "a{")]
    c: u8,
    #[kiln(name = "a}")]
    d: u8,
    #[kiln(name = "a\0")]
    e: u8,
    #[kiln(name = ",")]
    f: u8,
}

fn main() {}
