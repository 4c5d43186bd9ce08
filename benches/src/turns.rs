//! Measuring things in turns: whatever slows the machine for a while slows all of them.

use std::time::Instant;

/// What is measured: something done once, and how often it counts.
pub struct Contender<'a> {
    pub name: &'static str,
    /// The time is given for one of so many.
    pub items: usize,
    pub work: Box<dyn FnMut() + 'a>,
}

/// Nanoseconds of a call whose caches are nobody else's for long.
const LONG: f64 = 20e6;

/// Nanoseconds of calls that do not count, before those that do. What fits into an outer cache is there only after
/// several calls: copying 6 MB took 780 us at first, then 680, 590, 430 and, from the seventh call on, 220. With one such
/// call it was measured how much of the caches the others had left.
const WARM: f64 = 5e6;

/// What was found out about a contender: nanoseconds for one item.
pub struct Found {
    pub name: &'static str,
    pub median: f64,
    pub least: f64,
    /// Round by round.
    pub rounds: Vec<f64>,
}

impl Found {
    /// How many times the time of the other this one takes: the median of the rounds, in each of which both had the
    /// same luck.
    pub fn of(&self, other: &Found) -> f64 {
        let mut ratios: Vec<f64> =
            self.rounds.iter().zip(&other.rounds).map(|(this, other)| this / other).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// Measures each contender once a round, for at least `span` nanoseconds or one call, after [`WARM`] nanoseconds or one
/// call that do not count, where a call takes less than [`LONG`].
pub fn take_turns(contenders: &mut [Contender<'_>], rounds: usize, span: f64) -> Vec<Found> {
    let calls: Vec<(usize, usize)> = contenders
        .iter_mut()
        .map(|contender| {
            // The second call finds everything in place.
            let once = time(1, &mut contender.work).min(time(1, &mut contender.work));
            let calls = |span: f64| (span / once.max(1.0)).ceil() as usize;
            (calls(span), if once < LONG { calls(WARM) } else { 0 })
        })
        .collect();
    let mut times = vec![Vec::new(); contenders.len()];
    for _ in 0..rounds {
        for ((contender, &(calls, warm)), times) in contenders.iter_mut().zip(&calls).zip(&mut times) {
            // What the others left of the caches is no fault of this one.
            time(warm, &mut contender.work);
            times.push(time(calls, &mut contender.work) / calls as f64 / contender.items as f64);
        }
    }
    let found = contenders.iter().zip(times).map(|(contender, rounds)| {
        let mut times = rounds.clone();
        times.sort_by(f64::total_cmp);
        Found { name: contender.name, median: times[times.len() / 2], least: times[0], rounds }
    });
    found.collect()
}

fn time(calls: usize, work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed().as_nanos() as f64
}
