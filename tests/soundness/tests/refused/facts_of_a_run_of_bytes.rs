//! A type that is not a run of bytes asks for the facts of one, which writes what it counts, or claims to be one.
#![forbid(unsafe_code)]
use kiln::EncodeError;
use kiln::__private::{ByteField, Part};
use kiln::schema::{Scalar, Shape, StaticType};
use kiln::wire::{Measure, Sink};

struct Lies;

impl ByteField for Lies {
    const MIN_LEN: usize = 4;
    const DEPTH: u32 = 0;
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::Bytes);
    fn shape() -> Shape {
        Shape::Scalar(Scalar::Bytes)
    }
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.run(0)
    }
    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.run(&[0x41; 100_000]);
    }
}

#[derive(kiln::Frozen)]
struct Outer {
    #[kiln(bytes)]
    lies: Lies,
}

fn main() {
    let _: Part = <Vec<u16> as ByteField>::PART;
}
