//! The table of records, as Markdown: microseconds for a whole data set, median and least, the ratio to the best peer
//! and to the floor (the median of the rounds), and the bytes that the format takes. Who trusts the bytes unseen is no
//! peer of those who check them, and has a ratio all the same.
//!
//! `cargo run --release --bin records-table [-- SET|all [WORK|all [FORMAT…]]]`
//!
//! Names are compared by their beginning: `log`, `mesh`, `minecraft`, `mk48`; `encode`, `decode`, `borrow`, `first`,
//! `validate`; `wincode`. Kiln and the floors are always there.

use kiln_benches::records::{Samples, Work, samples, trusts};
use kiln_benches::turns::take_turns;

const ROUNDS: usize = 31;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut wanted = || arguments.next().unwrap_or("all".into());
    let (set, work) = (wanted(), wanted());
    let formats: Vec<String> = arguments.collect();
    let is = |wanted: &str, name: &str| wanted == "all" || name.starts_with(wanted);

    println!("| data set | work | by | median us | least us | of the best peer | of the floor | bytes |");
    println!("|---|---|---|--:|--:|--:|--:|--:|");
    for sample in samples(|name| is(&set, name)) {
        sample.check();
        for &work in Work::ALL.iter().filter(|at| is(&work, at.name())) {
            rows(&*sample, work, &formats);
        }
    }
}

fn rows(sample: &dyn Samples, work: Work, formats: &[String]) {
    let ours = |name: &str| name.starts_with("kiln") || Some(name) == work.floor();
    let mut contenders = sample.contenders(work);
    contenders.retain(|one| {
        formats.is_empty() || ours(one.name) || formats.iter().any(|format| one.name.starts_with(format))
    });
    let found = take_turns(&mut contenders, ROUNDS, 400_000.0);
    let floor = found.iter().find(|one| Some(one.name) == work.floor());
    let best = found
        .iter()
        .filter(|one| !ours(one.name) && !trusts(one.name, work.name()))
        .min_by(|a, b| a.median.total_cmp(&b.median));
    let sizes = sample.sizes();
    for one in &found {
        let ratio = |to: Option<_>| to.map_or(String::new(), |to| format!("{:.2}", one.of(to)));
        let size = sizes.iter().rev().find(|(name, _)| one.name.starts_with(name));
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            sample.name(),
            work.name(),
            one.name,
            micros(one.median),
            micros(one.least),
            ratio(best),
            ratio(floor),
            size.map_or(String::new(), |(_, bytes)| bytes.to_string()),
        );
    }
}

/// Microseconds, to the picosecond where there are few.
fn micros(nanos: f64) -> String {
    if nanos < 10_000.0 { format!("{:.6}", nanos / 1e3) } else { format!("{:.1}", nanos / 1e3) }
}
