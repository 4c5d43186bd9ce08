//! A macro below the derive takes a field away, with a field of that name to be had behind a `Deref`.
#![forbid(unsafe_code)]
use kiln::Frozen;
use kiln_soundness_macros::replace;

struct Behind {
    b: u64,
}

#[derive(Frozen)]
#[replace(a: Behind,)]
struct Row {
    a: Behind,
    b: u64,
}

impl std::ops::Deref for Row {
    type Target = Behind;
    fn deref(&self) -> &Behind {
        &self.a
    }
}

impl std::ops::DerefMut for Row {
    fn deref_mut(&mut self) -> &mut Behind {
        &mut self.a
    }
}

fn main() {}
