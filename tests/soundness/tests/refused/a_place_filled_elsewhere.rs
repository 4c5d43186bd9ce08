//! A value is said to be in its place, and is in another, or in none.
#![forbid(unsafe_code)]
use kiln::__private::{Filled, Slot, build};

fn from_another_lending() {
    let mut kept = None;
    let _ = build(&mut (), |_, slot: Slot<'_, u64>| {
        kept = Some(slot.fill(1));
        Err::<Filled<'_, u64>, ()>(())
    });
}

fn from_the_lending_around() {
    let _: Result<u64, ()> = build(&mut (), |_, outer: Slot<'_, u64>| {
        let inner: Result<u64, ()> = build(&mut (), |_, _| Ok(outer.fill(1)));
        inner.map(|_| unreachable!())
    });
}

fn main() {}
