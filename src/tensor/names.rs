//! Tables of names under hashes keyed at random. They keep numbers; the names stay where they are.

use alloc::vec;
use alloc::vec::Vec;
use core::hash::Hasher;
use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// How many bits of a word say which tensor it is: its index plus one. The others are the highest of the hash.
const INDEX_BITS: u32 = 32;
const INDEX: u64 = (1 << INDEX_BITS) - 1;

/// The most tensors whose names go into a table.
#[expect(clippy::cast_possible_truncation, reason = "evaluated when compiled")]
pub(super) const MOST: usize = INDEX as usize - 1;

/// What stands for a name in a table: enough of its hash to be told from nearly all others, and to find its place
/// again when a table grows, so that names are hardly ever looked at but to find the one that is wanted. Never 0. There
/// is a word for each of [`MOST`] tensors.
#[inline]
#[expect(
    clippy::arithmetic_side_effects,
    reason = "an index is below 2^64 - 1, as what it counts takes memory"
)]
pub(super) fn word_of(hash: u64, index: usize) -> u64 {
    hash & !INDEX | (index as u64 + 1)
}

/// The tensor that a word stands for.
#[inline]
pub(super) fn index_of(word: u64) -> usize {
    ((word & INDEX) as usize).wrapping_sub(1)
}

/// The bits of the hash that a word has.
#[inline]
pub(super) fn hash_of(word: u64) -> u32 {
    (word >> INDEX_BITS) as u32
}

/// Whether two words are of one name, as far as words say.
#[inline]
pub(super) fn is_alike(a: u64, b: u64) -> bool {
    (a ^ b) <= INDEX
}

/// Tensors by the hashes of names that come one after another: an open table, in which a word belongs at the place
/// that is to the table as the hash is to all hashes, and if that is taken, at the next free one.
#[derive(Clone)]
pub(crate) struct Names {
    keys: Keys,
    /// 0 is a free one, and one in three always is.
    slots: Vec<u64>,
    len: usize,
}

impl Names {
    /// A table with room for `count` names, and with keys of its own.
    pub(crate) fn with_capacity(count: usize) -> Names {
        Names { keys: Keys::random(), slots: vec![0; slots_for(count)], len: 0 }
    }

    #[inline]
    fn place(&self, word: u64) -> usize {
        const HASH_BITS: u32 = u64::BITS - INDEX_BITS;
        ((word >> INDEX_BITS).wrapping_mul(self.slots.len() as u64) >> HASH_BITS) as usize
    }

    /// Adds the name of tensor `index`. `is_same` says whether a tensor has this name.
    ///
    /// # Errors
    /// The tensor that has it already; nothing is added then.
    #[expect(clippy::arithmetic_side_effects, reason = "divided before it is multiplied")]
    pub(crate) fn add(
        &mut self,
        name: &[u8],
        index: usize,
        is_same: impl Fn(usize) -> bool,
    ) -> Result<(), usize> {
        if self.len >= self.slots.len() / 3 * 2 {
            self.grow();
        }
        self.add_word(word_of(self.keys.hash(name), index), is_same)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "positions in the slots; one in three is free")]
    fn add_word(&mut self, word: u64, is_same: impl Fn(usize) -> bool) -> Result<(), usize> {
        let mut at = self.place(word);
        loop {
            match self.slots.get_mut(at) {
                Some(slot) if *slot == 0 => {
                    *slot = word;
                    self.len += 1;
                    return Ok(());
                }
                Some(slot) if is_alike(*slot, word) && is_same(index_of(*slot)) => {
                    return Err(index_of(*slot));
                }
                Some(_) => at += 1,
                None => at = 0,
            }
        }
    }

    #[cold]
    #[expect(clippy::arithmetic_side_effects, reason = "there are three slots of eight bytes for two names")]
    fn grow(&mut self) {
        let old = core::mem::take(&mut self.slots);
        self.slots = vec![0; slots_for(self.len * 2 + 16)];
        self.len = 0;
        for &word in old.iter().filter(|&&word| word != 0) {
            // The names differ, as they have been compared.
            let _: Result<(), usize> = self.add_word(word, |_| false);
        }
    }

    /// The tensor of that name; `name` gives the name of one.
    pub(crate) fn find<'n>(&self, wanted: &[u8], name: impl Fn(usize) -> &'n [u8]) -> Option<usize> {
        let word = word_of(self.keys.hash(wanted), 0);
        let (before, from) = self.slots.split_at_checked(self.place(word))?;
        let run = from.iter().chain(before).take_while(|&&slot| slot != 0);
        let alike = run.filter(|&&slot| is_alike(slot, word));
        alike.map(|&slot| index_of(slot)).find(|&index| name(index) == wanted)
    }
}

/// Slots with room for `count` names: three for each two.
fn slots_for(count: usize) -> usize {
    count.div_ceil(2).saturating_mul(3)
}

/// Digits of pi that make odd numbers.
const ODD: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

/// The keys of a table's hash, drawn anew for each table.
///
/// The hash folds products of keyed words, as foldhash does, whose keys these are and which hashes long names. What is
/// done here is for the lengths that names have: without a loop, whose end would be mispredicted.
#[derive(Clone)]
pub(crate) struct Keys {
    hasher: u64,
    factors: [u64; 4],
    shared: SharedSeed,
}

impl Keys {
    /// Keys from the standard library's, which the system seeds; without it from addresses and a counter.
    pub(super) fn random() -> Keys {
        use core::hash::BuildHasher;
        #[cfg(feature = "std")]
        let source = std::hash::RandomState::new();
        #[cfg(not(feature = "std"))]
        let source = foldhash::quality::RandomState::default();
        Keys::of([0u64, 1, 2].map(|number| source.hash_one(number)))
    }

    /// Keys that anybody can find out.
    pub(super) fn known(seed: u64) -> Keys {
        Keys::of([seed, seed, 1])
    }

    fn of([hasher, shared, factors]: [u64; 3]) -> Keys {
        // Multiplied, so that nobody knows by what they differ, and so how windows could be exchanged.
        let factors = ODD.map(|odd| factors.wrapping_mul(odd));
        Keys { hasher, factors, shared: SharedSeed::from_u64(shared) }
    }

    #[inline]
    pub(super) fn hash(&self, name: &[u8]) -> u64 {
        match name.len() {
            17..=64 => self.hash_usual(name).unwrap_or(0),
            _ => self.hash_other(name),
        }
    }

    /// Four windows of sixteen bytes, which meet or overlap, and together are the whole name.
    #[inline(always)]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "only called with 17 to 64 bytes; factors of 64 bits have a product of 128"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 bytes, and the halves of 128 bits")]
    fn hash_usual(&self, name: &[u8]) -> Option<u64> {
        let len = name.len();
        let [first, second] = [0, 16.min(len - 16)].map(|at| name.get(at..)?.first_chunk::<16>());
        let [third, fourth] =
            [len.saturating_sub(32), len - 16].map(|at| name.get(at..)?.first_chunk::<16>());
        let seed = self.hasher.rotate_right(len as u32);
        let mut hash = 0;
        for (window, factor) in [first?, second?, third?, fourth?].into_iter().zip(self.factors) {
            let number = u128::from_ne_bytes(*window);
            let product = u128::from(number as u64 ^ seed) * u128::from((number >> 64) as u64 ^ factor);
            hash ^= product as u64 ^ (product >> 64) as u64;
        }
        Some(hash)
    }

    #[inline(never)]
    fn hash_other(&self, name: &[u8]) -> u64 {
        let mut hasher = FoldHasher::with_seed(self.hasher, &self.shared);
        hasher.write(name);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    #[test]
    fn two_tables_have_different_keys() {
        let [a, b] = [Keys::random(), Keys::random()];
        assert_ne!(a.hash(b"w"), b.hash(b"w"));
    }

    /// Of any length, and whichever byte differs.
    #[test]
    fn names_that_differ_in_a_byte_have_different_hashes() {
        let keys = Keys::random();
        let mut seen = alloc::collections::BTreeSet::new();
        let mut count = 0;
        for len in 0..150 {
            let mut name: Vec<u8> = (0..len).map(|at| b'a' + at % 20).collect();
            for at in 0..usize::from(len) {
                for other in [b'x', b'y', 0] {
                    let own = core::mem::replace(&mut name[at], other);
                    seen.insert(keys.hash(&name) >> 32);
                    name[at] = own;
                    count += 1;
                }
            }
            seen.insert(keys.hash(&name) >> 32);
            count += 1;
        }
        // 33,000 numbers of 32 bits: it would be strange if 20 pairs were alike.
        assert!(seen.len() + 20 > count, "{} of {count}", seen.len());
    }

    /// In one window of four.
    #[test]
    fn names_that_differ_in_a_number_have_different_hashes() {
        let keys = Keys::random();
        let name = |number: u32| format!("{number:016}{:x<48}", "");
        let mut hashes: Vec<u64> =
            (0..30_000).map(|number| keys.hash(name(number).as_bytes()) >> 32).collect();
        hashes.sort_unstable();
        hashes.dedup();
        // Chance makes one pair alike in ten such tests.
        assert!(hashes.len() > 30_000 - 20, "{}", hashes.len());
    }

    /// Windows of a name in other places make another hash.
    #[test]
    fn names_of_the_same_windows_have_different_hashes() {
        let keys = Keys::random();
        let windows = [[b'a'; 16], [b'b'; 16], [b'c'; 16], [b'd'; 16]];
        let mut hashes: Vec<u64> = Vec::new();
        for order in 0..256 {
            let name = [order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6].map(|at| windows[at]).concat();
            hashes.push(keys.hash(&name) >> 32);
        }
        hashes.sort_unstable();
        hashes.dedup();
        assert!(hashes.len() > 250, "{}", hashes.len());
    }

    #[test]
    fn a_table_that_grows_keeps_its_names() {
        let names: Vec<String> = (0..3000).map(|index| format!("{index}")).collect();
        let name = |index: usize| names[index].as_bytes();
        let mut table = Names::with_capacity(0);
        assert_eq!(table.find(b"0", name), None);
        for index in 0..3000 {
            assert_eq!(table.add(name(index), index, |other| name(other) == name(index)), Ok(()));
        }
        for index in 0..3000 {
            assert_eq!(table.find(name(index), name), Some(index));
            assert_eq!(table.add(name(index), 3000, |other| name(other) == name(index)), Err(index));
        }
        assert_eq!(table.find(b"3000", name), None);
    }

    #[test]
    fn words_alike_of_names_that_differ_are_both_kept() {
        let mut table = Names::with_capacity(2);
        assert_eq!(table.add_word(word_of(7 << 60, 0), |_| false), Ok(()));
        assert_eq!(table.add_word(word_of(7 << 60, 1), |_| false), Ok(()));
        assert_eq!(table.add_word(word_of(7 << 60, 2), |index| index == 1), Err(1));
        // Nor are all of one name that are said to be.
        assert_eq!(table.add_word(word_of(1 << 60, 2), |_| true), Ok(()));
    }

    /// As far from the start as the hash is from 0, each in its range.
    #[test]
    fn words_are_spread_over_a_table() {
        let table = Names::with_capacity(2000);
        let place = |hash: u64| table.place(word_of(hash, 0));
        assert_eq!([0, 1 << 62, 1 << 63, u64::MAX].map(place), [0, 750, 1500, 2999]);
    }

    #[test]
    fn a_word_holds_the_highest_index() {
        let last = MOST - 1;
        for hash in [0, u64::MAX] {
            let [a, b] = [word_of(hash, last), word_of(hash, 0)];
            assert_eq!((index_of(a), index_of(b)), (last, 0));
            assert!(a != 0 && is_alike(a, b) && !is_alike(a, word_of(!hash, 0)));
        }
    }
}
