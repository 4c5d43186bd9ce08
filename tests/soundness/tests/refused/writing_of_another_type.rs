//! A type implements by itself what the derive asks of fields that are written.
#![forbid(unsafe_code)]
use kiln::EncodeError;
use kiln::__private::EncodeField;
use kiln::wire::{Measure, Sink};

struct Lies;

impl EncodeField for Lies {
    fn measure_field(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.add(1);
        Ok(())
    }
    fn encode_field<S: Sink>(&self, sink: &mut S) {
        sink.run(&[0x41; 100_000]);
    }
}

fn main() {}
