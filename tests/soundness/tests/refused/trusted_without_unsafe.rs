//! A hand-written type says without a word of unsafe that it is trusted.
#![forbid(unsafe_code)]

struct Mine;

impl kiln::Trusted for Mine {}

fn main() {}
