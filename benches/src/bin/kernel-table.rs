//! The table of kernels, as Markdown: GB/s of the larger side, and the ratio to a copy (for what writes) or to a
//! plain read (for what reads) of as many bytes.
//!
//! `cargo run --release --bin kernel-table [-- FILTER [SIZE…]]`
//!
//! What is compared is measured in turns, round by round, and each number is a median: a slow minute of a busy
//! machine slows both sides.

use kiln::arch::{Kernels, Level};
use kiln_benches::{CASES, Case, Memory, SIZES, copy, plain_read};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 15;
/// A measurement takes about so many nanoseconds, or one call.
const SPAN: usize = 150_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let filter = arguments.next().unwrap_or_default();
    let sizes: Vec<usize> = arguments.map(|size| size.parse().expect("a size in bytes")).collect();
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    let levels: Vec<&Kernels> = Level::available().filter_map(Kernels::at).collect();

    print!("| kernel | bytes | floor |");
    levels.iter().for_each(|kernels| print!(" {} |", kernels.level()));
    println!(" peers |");
    println!("|---|--:|--:|{}---|", "--:|".repeat(levels.len()));
    for case in CASES.iter().filter(|case| case.name.contains(&filter)) {
        for &size in &sizes {
            row(case, size, &levels);
        }
    }
}

fn row(case: &Case, size: usize, levels: &[&Kernels]) {
    let mut memory = Memory::new(case.data, size);
    let rounds = if size > 32 << 20 { 5 } else { ROUNDS };
    let mut floor = Vec::new();
    let mut found = vec![Vec::new(); levels.len() + case.peers.len()];
    for _ in 0..rounds {
        let (input, output) = memory.full(size);
        floor.push(if case.floor() == "read" {
            time(|| {
                black_box(plain_read(black_box(input)));
            })
        } else {
            time(|| copy(black_box(input), black_box(output)))
        });
        let (input, output) = memory.of(case, size);
        let (by_level, by_peer) = found.split_at_mut(levels.len());
        for (times, kernels) in by_level.iter_mut().zip(levels) {
            times.push(time(|| case.run(kernels, input, output)));
        }
        for (times, (_, peer)) in by_peer.iter_mut().zip(case.peers) {
            times.push(time(|| peer(black_box(input), black_box(output))));
        }
    }
    let speed = |times: &[f64]| {
        let time = median(times.to_vec());
        if size < 1024 { format!("{time:.1} ns") } else { format!("{:.1}", size as f64 / time) }
    };
    let cell = |times: &[f64]| {
        let ratios = floor.iter().zip(times).map(|(floor, time)| floor / time).collect();
        format!("{} ({:.2})", speed(times), median(ratios))
    };
    print!("| {} | {size} | {} {} |", case.name, case.floor(), speed(&floor));
    let (by_level, by_peer) = found.split_at(levels.len());
    by_level.iter().for_each(|times| print!(" {} |", cell(times)));
    let peers: Vec<String> =
        case.peers.iter().zip(by_peer).map(|((name, _), times)| format!("{name} {}", cell(times))).collect();
    println!(" {} |", peers.join(", "));
}

/// Nanoseconds of one call.
fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let once = start.elapsed().as_nanos() as usize;
    let calls = (SPAN / once.max(5)).max(1);
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
