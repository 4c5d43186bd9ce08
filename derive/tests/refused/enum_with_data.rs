#[derive(kiln::Frozen)]
enum Shape {
    Point,
    Circle { radius: f32 },
    Square(f32),
}

#[derive(kiln::Frozen)]
#[repr(u8)]
enum Tuple {
    Empty(),
}

fn main() {}
