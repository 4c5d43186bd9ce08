//! Numbers drawn from a fixed seed, the same on every machine.

use std::ops::Range;

/// SplitMix64.
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number of the range.
    pub fn of(&mut self, range: Range<u64>) -> u64 {
        let width = range.end - range.start;
        range.start + ((u128::from(self.bits()) * u128::from(width)) >> 64) as u64
    }

    /// Zero to one, one excluded.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.of(0..times) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.of(0..items.len() as u64) as usize]
    }

    /// As many items as a number of the range says.
    pub fn list<T>(&mut self, count: Range<u64>, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.of(count)).map(|_| item(self)).collect()
    }

    /// An item once in `times`.
    pub fn maybe<T>(&mut self, times: u64, item: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.once_in(times).then(|| item(self))
    }
}
