//! A table of many names that are known together, made without a test for each name.

use super::names::{Keys, MOST, index_of, is_alike, word_of};
use alloc::vec;
use alloc::vec::Vec;

/// Buckets, as a power of two, that are filled at once: the words and the counts of so many fit the second cache.
const AT_ONCE: u32 = 13;

/// More words in one bucket than chance puts there: half as many are met once in a million tables of a million
/// names.
const CROWD: u32 = 24;

/// Tensors by the hashes of their names: [words](word_of) in the order of buckets, which are the highest bits of a hash.
///
/// A name may be hashed to the same bucket as others, but not to the same as many: such names have no table.
#[derive(Clone)]
pub(crate) struct Buckets {
    keys: Keys,
    words: Vec<u64>,
    /// How many of the words each bucket ends after. There is one at least.
    ends: Vec<u32>,
}

/// Why there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Two tensors have the same name.
    Repeated,
    /// The hash serves badly.
    Crowded,
}

impl Buckets {
    /// The table of these words, which were made with these keys; `name` gives the name of a tensor.
    pub(super) fn new<'n>(
        keys: Keys,
        mut words: Vec<u64>,
        name: &impl Fn(usize) -> &'n [u8],
    ) -> Result<Buckets, Unfit> {
        if words.len() > MOST {
            return Err(Unfit::Crowded);
        }
        let bits = words.len().next_power_of_two().ilog2().max(1);
        let mut ends = vec![0; 1 << bits];
        // As many comparisons as it takes if hardly any words are alike.
        let mut comparisons = words.len() / 8 + 64;
        let mut fill = |from: &[u64], to: &mut [u64], ends: &mut [u32], start: usize| {
            let most = fill(from, to, ends, start, bits);
            if most > CROWD {
                return Err(Unfit::Crowded);
            }
            unique(to, most as usize, &mut comparisons, name)
        };
        if bits <= AT_ONCE + 1 {
            let from = words;
            words = vec![0; from.len()];
            fill(&from, &mut words, &mut ends, 0)?;
        } else {
            // First into parts that the cache holds, so that both ways are near.
            let (from, parts) = part(&words, bits - AT_ONCE);
            let mut start = 0;
            for (end, ends) in parts.into_iter().zip(ends.chunks_exact_mut(1 << AT_ONCE)) {
                if let (Some(from), Some(to)) = (from.get(start..end), words.get_mut(start..end)) {
                    fill(from, to, ends, start)?;
                }
                start = end;
            }
        }
        Ok(Buckets { keys, words, ends })
    }

    /// The tensor of that name.
    pub(crate) fn find<'n>(&self, wanted: &[u8], name: impl Fn(usize) -> &'n [u8]) -> Option<usize> {
        let word = word_of(self.keys.hash(wanted), 0);
        let bucket = bucket(word, self.ends.len().ilog2());
        let end = *self.ends.get(bucket)? as usize;
        let start =
            bucket.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end as usize);
        let alike = self.words.get(start..end)?.iter().filter(|&&other| is_alike(word, other));
        alike.map(|&other| index_of(other)).find(|&index| name(index) == wanted)
    }
}

#[inline]
fn bucket(word: u64, bits: u32) -> usize {
    (word >> (u64::BITS - bits)) as usize
}

/// Sorts words by their highest bits. Gives where each part ends, too.
fn part(words: &[u64], bits: u32) -> (Vec<u64>, Vec<usize>) {
    let mut ends = vec![0; 1 << bits];
    for &word in words {
        if let Some(count) = ends.get_mut(bucket(word, bits)) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += core::mem::replace(end, sum);
    }
    let mut sorted = vec![0; words.len()];
    for &word in words {
        if let Some(end) = ends.get_mut(bucket(word, bits)) {
            if let Some(slot) = sorted.get_mut(*end) {
                *slot = word;
            }
            *end += 1;
        }
    }
    (sorted, ends)
}

/// Sorts words by the buckets that `ends` is about, of 2^`bits` in all, which begin after `start` words. Gives how
/// many the fullest has.
fn fill(from: &[u64], to: &mut [u64], ends: &mut [u32], start: usize, bits: u32) -> u32 {
    let mask = ends.len() - 1;
    for &word in from {
        if let Some(count) = ends.get_mut(bucket(word, bits) & mask) {
            *count += 1;
        }
    }
    let (mut sum, mut most) = (start as u32, 0);
    for end in ends.iter_mut() {
        most = most.max(*end);
        sum += core::mem::replace(end, sum);
    }
    for &word in from {
        if let Some(end) = ends.get_mut(bucket(word, bits) & mask) {
            if let Some(slot) = to.get_mut(*end as usize - start) {
                *slot = word;
            }
            *end += 1;
        }
    }
    most
}

/// Tests that no two of the words, of which alike ones are less than `most` apart, are of the same name.
fn unique<'n>(
    words: &[u64],
    most: usize,
    comparisons: &mut usize,
    name: &impl Fn(usize) -> &'n [u8],
) -> Result<(), Unfit> {
    for distance in 1..most {
        let pairs = || words.iter().zip(words.iter().skip(distance));
        if !pairs().fold(false, |seen, (&a, &b)| seen | is_alike(a, b)) {
            continue;
        }
        for (&a, &b) in pairs().filter(|&(&a, &b)| is_alike(a, b)) {
            if name(index_of(a)) == name(index_of(b)) {
                return Err(Unfit::Repeated);
            }
            *comparisons = comparisons.checked_sub(1).ok_or(Unfit::Crowded)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

    fn table(hashes: impl Iterator<Item = u64>, same: bool) -> Result<Buckets, Unfit> {
        let words = hashes.enumerate().map(|(index, hash)| word_of(hash, index)).collect();
        let names: Vec<String> = (0..40_000).map(|index| format!("{index}")).collect();
        Buckets::new(Keys::random(), words, &|index| if same { b"w" } else { names[index].as_bytes() })
    }

    /// Tables of one part and of several.
    #[test]
    fn names_are_found_in_tables_of_all_sizes() {
        for count in [0, 1, 2, 3, 300, 16_384, 16_385, 40_000] {
            let names: Vec<String> = (0..count).map(|index| format!("{index}")).collect();
            let name = |index: usize| names[index].as_bytes();
            let keys = Keys::random();
            let words: Vec<u64> = (0..count).map(|index| word_of(keys.hash(name(index)), index)).collect();
            let table = Buckets::new(keys, words, &name).map_err(|unfit| panic!("{unfit:?}")).unwrap();
            assert!((0..count).all(|index| table.find(name(index), name) == Some(index)), "{count}");
            assert_eq!(table.find(b"x", name), None);
        }
    }

    /// A hash for each kind of badness that a table meets.
    #[test]
    fn a_hash_that_serves_badly_is_given_up() {
        for count in [2000u64, 40_000] {
            let crowded = |hash: fn(u64) -> u64| table((0..count).map(hash), false).err();
            assert_eq!(crowded(|_| 0), Some(Unfit::Crowded));
            assert_eq!(crowded(|_| u64::MAX), Some(Unfit::Crowded));
            // Few buckets.
            assert_eq!(crowded(|index| index << 57), Some(Unfit::Crowded));
            // Differences where no word has them.
            assert_eq!(crowded(|index| index & 0xff_ffff), Some(Unfit::Crowded));
            // Few names for each hash, but many hashes that more than one has.
            assert_eq!(crowded(|index| (index / 3).wrapping_mul(SPREAD)), Some(Unfit::Crowded));
            assert_eq!(crowded(|index| index.wrapping_mul(SPREAD)), None);
        }
    }

    #[test]
    fn two_of_one_name_are_found_wherever_they_are() {
        for count in [2000u64, 40_000] {
            for (a, b) in [(0, 1), (0, count - 1), (count / 2, count - 2)] {
                let hashes = (0..count).map(|index| if index == b { a } else { index }.wrapping_mul(SPREAD));
                assert_eq!(table(hashes.clone(), true).err(), Some(Unfit::Repeated), "{a} {b} {count}");
                assert!(table(hashes, false).is_ok());
            }
        }
    }
}
