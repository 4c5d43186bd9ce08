//! A program brings its own sink, source, key of a dict.
#![forbid(unsafe_code)]
use kiln::frozen::Key;
use kiln::wire::{Sink, Source};

struct Mine;

impl Sink for Mine {
    fn put<const N: usize>(&mut self, _: [u8; N]) {}
    fn run(&mut self, _: &[u8]) {}
}

fn source<'de, S: Source<'de>>(_: S) {}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Changing;

impl std::borrow::Borrow<str> for Changing {
    fn borrow(&self) -> &str {
        ""
    }
}

impl Key for Changing {}

fn main() {
    source(Mine);
}
