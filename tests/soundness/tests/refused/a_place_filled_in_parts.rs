//! A value is put together of parts that may not be all of it, and used after it was dropped.
#![forbid(unsafe_code)]
use kiln::__private::{Slot, build};

struct Pair(u64, u64);

fn in_parts() {
    let _: Result<Pair, ()> = build(&mut (), |_, slot: Slot<'_, Pair>| {
        let first = slot.part::<u64>(0).fill(1);
        Ok(slot.whole(first))
    });
}

fn twice() {
    let _: Result<Box<u64>, ()> = build(&mut (), |_, slot: Slot<'_, Box<u64>>| {
        let filled = slot.fill(Box::new(1));
        drop(filled);
        Ok(filled)
    });
}

fn main() {}
