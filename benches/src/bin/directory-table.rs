//! The table of directories, as Markdown: nanoseconds per tensor, median and least, of Kiln and its peers, and how
//! many times Kiln is faster.
//!
//! `cargo run --release [--features rayon] --bin directory-table [-- WORK|all [ORDER|all [COUNT…]]]`
//!
//! The work `threads` compares acceptance on one thread with that on several.

use kiln_benches::directories::{COUNTS, Order, Sample, Work};
use kiln_benches::turns::take_turns;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut wanted = || arguments.next().unwrap_or("all".into());
    let (work, order) = (wanted(), wanted());
    let counts: Vec<usize> = arguments.map(|count| count.parse().expect("a number of tensors")).collect();
    let counts = if counts.is_empty() { COUNTS.to_vec() } else { counts };
    let is = |wanted: &str, name: &str| wanted == "all" || name.starts_with(wanted);

    println!("| work | order | tensors | name bytes | kiln | peers |");
    println!("|---|---|--:|--:|--:|---|");
    for &count in &counts {
        for &order in Order::ALL.iter().filter(|at| is(&order, at.name())) {
            let sample = Sample::new(count, order);
            for &work in Work::ALL.iter().filter(|at| is(&work, at.name())) {
                let rounds = if count > 100_000 { 7 } else { 25 };
                let found = take_turns(&mut sample.contenders(work), rounds, 400_000.0);
                let kiln = &found[0];
                let peers: Vec<String> = found[1..]
                    .iter()
                    .map(|peer| {
                        let ratio = peer.median / kiln.median;
                        format!("{} {:.0}, {:.0} ({ratio:.1})", peer.name, peer.median, peer.least)
                    })
                    .collect();
                println!(
                    "| {} | {} | {count} | {:.0} | {:.1}, {:.1} | {} |",
                    work.name(),
                    order.name(),
                    sample.name_len(),
                    kiln.median,
                    kiln.least,
                    peers.join("; ")
                );
            }
        }
    }
}
