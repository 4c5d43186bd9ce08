//! The table of kernels, as Markdown: GB/s of the larger side, and the ratio to a copy (for what writes) or to a
//! plain read (for what reads) of as many bytes.
//!
//! `cargo run --release --bin kernel-table [-- FILTER [SIZE…]]`, and `-- gaps` for a table of its own: the time that a
//! gap of 1 to 63 bytes takes, which is tested for zeros.
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
    if filter == "gaps" {
        return gaps();
    }
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

/// Nanoseconds for one gap, by its length, and for gaps of all lengths in an order that no branch can be predicted by.
fn gaps() {
    const GAPS: usize = 4096;
    let zeros = vec![0u8; 64 * GAPS];
    let mut state = 1u64;
    let mixed: Vec<usize> = (0..GAPS)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            1 + (state >> 33) as usize % 63
        })
        .collect();
    // A gap ends where a payload begins, at a multiple of 64.
    let test = |lengths: &[usize], kernels: &Kernels| {
        let lines = zeros.chunks_exact(64);
        lines
            .zip(lengths)
            .fold(false, |seen, (line, len)| seen | kernels.any_bit_set(&line[64 - len..], 0xff))
    };
    let levels: Vec<&Kernels> = Level::available().filter_map(Kernels::at).collect();
    print!("| bytes |");
    levels.iter().for_each(|kernels| print!(" {} |", kernels.level()));
    println!("\n|---|{}", "--:|".repeat(levels.len()));
    let row = |name: &str, lengths: &[usize]| {
        let mut found = vec![Vec::new(); levels.len()];
        for _ in 0..ROUNDS {
            for (times, kernels) in found.iter_mut().zip(&levels) {
                times.push(time(|| {
                    black_box(test(black_box(lengths), kernels));
                }));
            }
        }
        print!("| {name} |");
        found.into_iter().for_each(|times| print!(" {:.1} |", median(times) / lengths.len() as f64));
        println!();
    };
    for len in 1..64 {
        row(&len.to_string(), &vec![len; 64]);
    }
    row("all, mixed", &mixed);
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
