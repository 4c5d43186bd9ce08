//! A macro in the place of the enum that the derive saw gives it a value that its width on the wire does not hold.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::instead;

#[derive(Frozen)]
#[instead(#[repr(u16)] enum Color { Red = 1, Green = 257 })]
#[repr(u8)]
enum Color {
    Red = 1,
    Green = 2,
}

fn main() {
    let _ = kiln::from_slice::<Color>(&[1]);
}
