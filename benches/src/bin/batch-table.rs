//! A million records of 32 bytes, read one by one, as Markdown: microseconds for all of them, median and least, and the
//! speed as a part of that of the floors: summing the same bytes word by word, and reading them with AVX2 where there is
//! some (the median of the rounds, and the ratio of the least times).
//!
//! `cargo run --release [--features rayon] --bin batch-table`
//!
//! Every field of every record is added up; the floors do the same to plain words, and one only reads.

use kiln::{Batch, Frozen, ListView};
use kiln_benches::plain_read;
use kiln_benches::turns::{Contender, Found, take_turns};
use std::hint::black_box;

const RECORDS: usize = 1_000_000;

#[derive(Frozen, Clone, Copy)]
struct Event {
    id: u64,
    at: u64,
    value: u64,
    kind: u32,
    count: u32,
}

impl Event {
    fn sum(self) -> u64 {
        let Event { id, at, value, kind, count } = self;
        [id, at, value, kind.into(), count.into()].into_iter().fold(0, u64::wrapping_add)
    }
}

const _: () = assert!(Event::FIXED && Event::MIN_LEN == 32);

fn main() {
    let events: Vec<Event> = (0..RECORDS as u64)
        .map(|id| Event { id, at: id * 17, value: id ^ 0x5555, kind: id as u32 % 7, count: 1 })
        .collect();
    let bytes = kiln::to_vec(&events).expect("a list");
    let expected = events.iter().fold(0, |sum: u64, event| sum.wrapping_add(event.sum()));
    let words: &[u64] = bytemuck::pod_collect_to_vec::<u8, u64>(&bytes[4..]).leak();
    let total = |sum: u64| assert_eq!(black_box(sum), expected);

    let mut contenders = vec![
        one("a batch, one by one", || {
            let batch = Batch::<Event>::read(black_box(&bytes)).expect("a batch");
            total(batch.fold(0, |sum, event| sum.wrapping_add(event.expect("an event").sum())));
        }),
        one("a list view, one by one", || {
            let list: ListView<'_, Event> = kiln::from_slice(black_box(&bytes)).expect("a list");
            total(list.iter().fold(0, |sum, event| sum.wrapping_add(event.sum())));
        }),
        one("an index, one by one", || {
            let index = Batch::<Event>::index(black_box(&bytes)).expect("a batch");
            total(index.iter().fold(0, |sum, event| sum.wrapping_add(event.expect("an event").sum())));
        }),
        one("floor: sum the words", || {
            black_box(black_box(words).iter().fold(0, |sum: u64, word| sum.wrapping_add(*word)));
        }),
        one("floor: read the bytes", || {
            black_box(plain_read(black_box(&bytes)));
        }),
    ];
    #[cfg(feature = "rayon")]
    contenders.push(one("an index, on all threads", || {
        use rayon::iter::ParallelIterator;
        let index = Batch::<Event>::index(black_box(&bytes)).expect("a batch");
        total(index.par_iter().map(|event| event.expect("an event").sum()).reduce(|| 0, u64::wrapping_add));
    }));

    let found = take_turns(&mut contenders, 31, 5e6);
    let floor = |name| found.iter().find(|one| one.name == name).expect("a floor");
    let (sum, read) = (floor("floor: sum the words"), floor("floor: read the bytes"));
    println!("| how | median us | least us | GB/s | of the sum's speed | of the read's speed |");
    println!("|---|--:|--:|--:|--:|--:|");
    for one in &found {
        let (median, least) = (one.median / 1e3, one.least / 1e3);
        let speed = bytes.len() as f64 / one.least;
        let of = |floor: &Found| format!("{:.2}, {:.2}", floor.of(one), floor.least / one.least);
        println!("| {} | {median:.0} | {least:.0} | {speed:.1} | {} | {} |", one.name, of(sum), of(read));
    }
}

fn one<'a>(name: &'static str, work: impl FnMut() + 'a) -> Contender<'a> {
    Contender { name, items: 1, work: Box::new(work) }
}
