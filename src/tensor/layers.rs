//! A table of many names that are known together, made without a test for each name.

use super::names::{Keys, MOST, hash_of, index_of, is_alike, word_of};
use super::parallel;
use alloc::vec;
use alloc::vec::Vec;

/// Words, as a power of two, that go into layers together: they and the layers fit the second cache.
const AT_ONCE: u32 = 13;

/// More layers than chance makes: for a million names it takes ten.
const LAYERS: usize = 24;

/// The words of names in parts, by their highest bits: what is in a part goes into layers together.
pub(super) struct Words {
    parts: Vec<Vec<u64>>,
}

impl Words {
    /// Room for the words of `some` out of `all` names.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`all` is compared first, and `some` counts names that lie in memory"
    )]
    pub(super) fn new(all: usize, some: usize) -> Words {
        let all = all.next_power_of_two().ilog2();
        let bits = if all <= AT_ONCE + 1 { 0 } else { all - AT_ONCE };
        // Some parts have more than the mean, but no part has much more.
        let room = if bits == 0 { some } else { (some >> bits) + (some >> bits) / 16 + 64 };
        Words { parts: (0..1 << bits).map(|_| Vec::with_capacity(room)).collect() }
    }

    fn take(&mut self, part: usize) -> Vec<u64> {
        self.parts.get_mut(part).map(core::mem::take).unwrap_or_default()
    }

    pub(super) fn extend(&mut self, words: &[u64]) {
        if let [all] = &mut self.parts[..] {
            return all.extend_from_slice(words);
        }
        let bits = self.parts.len().ilog2();
        for &word in words {
            if let Some(part) = self.parts.get_mut(highest(word, bits)) {
                part.push(word);
            }
        }
    }
}

/// Tensors by the hashes of their names, in layers of slots. Each [word](word_of) belongs to one slot of each layer, and
/// all of one slot are put there, so that the last one stays. The others go on to the next layer, where they belong to
/// slots of other neighbours. Of two words of one name, one meets the other: they are together until one of them
/// stays, and the other is left over there.
///
/// So a table is made by writing all words, and then reading them back to see which have stayed; neither asks how a
/// word compares to others before the next word can be looked at.
#[derive(Clone)]
pub(crate) struct Layers {
    keys: Keys,
    /// As many as a power of two.
    parts: Vec<Part>,
}

/// The words with the same highest bits.
#[derive(Clone)]
struct Part {
    /// The first layer, which has most of them.
    first: Vec<u64>,
    /// The others, one after another.
    more: Vec<u64>,
    /// How many slots each layer has, as a power of two; 0 after the last one.
    sizes: [u8; LAYERS],
}

/// Why there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Two tensors have the same name.
    Repeated,
    /// The hash serves badly, or there are more tensors than words can be told apart.
    Crowded,
}

impl Layers {
    /// The table of these words, which were made with these keys, for so many names in all; `name` gives the name of
    /// a tensor.
    pub(super) fn new<'n>(
        keys: Keys,
        total: usize,
        runs: &mut [Words],
        name: &(impl Fn(usize) -> &'n [u8] + Sync),
    ) -> Result<Layers, Unfit> {
        if total > MOST {
            return Err(Unfit::Crowded);
        }
        let count = runs.first().map_or(0, |run| run.parts.len());
        let bits = count.max(1).ilog2();
        let parts = match runs {
            [run] => (0..count).map(|part| Part::new(run.take(part), bits, name)).collect(),
            runs => {
                let mut take = |part| runs.iter_mut().map(|run| run.take(part)).collect();
                let words: Vec<Vec<Vec<u64>>> = (0..count).map(&mut take).collect();
                parallel::try_map(words, |words| Part::new(words.concat(), bits, name))
            }
        };
        Ok(Layers { keys, parts: parts? })
    }

    /// The tensor of that name.
    pub(crate) fn find<'n>(&self, wanted: &[u8], name: impl Fn(usize) -> &'n [u8]) -> Option<usize> {
        let word = word_of(self.keys.hash(wanted), 0);
        let bits = self.parts.len().max(1).ilog2();
        let part = self.parts.get(highest(word, bits))?;
        let mut slots = Slots::new(bits);
        let mut layer = &part.first[..];
        let mut more = &part.more[..];
        for &size in &part.sizes {
            // An empty slot: no word that belongs to it has ever come so far.
            let held = *layer.get(slots.of(word, size)).filter(|&&held| held != 0)?;
            if is_alike(held, word) && name(index_of(held)) == wanted {
                return Some(index_of(held));
            }
            slots = slots.next();
            (layer, more) = more.split_at_checked(1 << part.sizes.get(slots.layer)?)?;
        }
        None
    }
}

/// Which slot of a layer a word belongs to.
#[derive(Clone, Copy)]
struct Slots {
    /// The bits that all words have in common.
    bits: u32,
    layer: usize,
    factor: u32,
}

impl Slots {
    fn new(bits: u32) -> Slots {
        Slots { bits, layer: 0, factor: 1 }
    }

    /// Those of the next layer, which share words out otherwise.
    #[expect(clippy::arithmetic_side_effects, reason = "counts layers, of which there are 24")]
    fn next(self) -> Slots {
        Slots { layer: self.layer + 1, factor: self.factor.wrapping_mul(0x9e37_79b1), ..self }
    }

    /// The slot out of 2^`size`.
    #[inline]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "there are fewer than 2^32 words, so `size` is at most 32"
    )]
    fn of(self, word: u64, size: u8) -> usize {
        let mixed = (hash_of(word) << self.bits).wrapping_mul(self.factor);
        mixed.checked_shr(u32::BITS - u32::from(size)).unwrap_or(0) as usize
    }
}

impl Part {
    /// The table of words of which each has the same first `bits`.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`some` counts words that lie in memory, and the last layer was added at `start`"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "a logarithm")]
    fn new<'n>(mut words: Vec<u64>, bits: u32, name: &impl Fn(usize) -> &'n [u8]) -> Result<Part, Unfit> {
        // As many comparisons as it takes if hardly any words are alike.
        let mut comparisons = words.len() / 8 + 64;
        let mut part = Part { first: Vec::new(), more: Vec::new(), sizes: [0; LAYERS] };
        let mut slots = Slots::new(bits);
        while !words.is_empty() {
            // A slot for each word or more.
            let size = words.len().next_power_of_two().ilog2().max(1);
            *part.sizes.get_mut(slots.layer).ok_or(Unfit::Crowded)? = size as u8;
            let layer = if slots.layer == 0 {
                part.first = vec![0; 1 << size];
                &mut part.first[..]
            } else {
                if slots.layer == 1 {
                    part.more.reserve(2 << size);
                }
                let start = part.more.len();
                part.more.resize(start + (1 << size), 0);
                &mut part.more[start..]
            };
            if put(&mut words, layer, |word| slots.of(word, size as u8)) {
                unique(&words, layer, |word| slots.of(word, size as u8), &mut comparisons, name)?;
            }
            slots = slots.next();
        }
        Ok(part)
    }
}

/// Puts words into a layer and leaves those that have not stayed there. Says whether one of these is alike to the one
/// that has stayed in its place.
#[expect(clippy::arithmetic_side_effects, reason = "counts words")]
fn put(words: &mut Vec<u64>, layer: &mut [u64], slot: impl Fn(u64) -> usize) -> bool {
    for &word in words.iter() {
        if let Some(held) = layer.get_mut(slot(word)) {
            *held = word;
        }
    }
    let (mut left, mut alike) = (0, false);
    let cells = core::cell::Cell::from_mut(&mut words[..]).as_slice_of_cells();
    for cell in cells {
        let word = cell.get();
        let held = layer.get(slot(word)).copied().unwrap_or(word);
        // Overwritten by the next one if it is not to be left.
        if let Some(cell) = cells.get(left) {
            cell.set(word);
        }
        left += usize::from(held != word);
        alike |= held != word && is_alike(held, word);
    }
    words.truncate(left);
    alike
}

/// Tests that none of the words that are left has the name of the one that has stayed in its place.
#[cold]
fn unique<'n>(
    words: &[u64],
    layer: &[u64],
    slot: impl Fn(u64) -> usize,
    comparisons: &mut usize,
    name: &impl Fn(usize) -> &'n [u8],
) -> Result<(), Unfit> {
    for &word in words {
        let held = layer.get(slot(word)).copied().unwrap_or(0);
        if is_alike(held, word) {
            if name(index_of(held)) == name(index_of(word)) {
                return Err(Unfit::Repeated);
            }
            *comparisons = comparisons.checked_sub(1).ok_or(Unfit::Crowded)?;
        }
    }
    Ok(())
}

/// The `bits` highest bits of a word.
#[inline]
#[expect(clippy::arithmetic_side_effects, reason = "`bits` is the logarithm of a number of parts")]
#[expect(clippy::cast_possible_truncation, reason = "`bits` is the logarithm of a number of parts")]
fn highest(word: u64, bits: u32) -> usize {
    word.checked_shr(u64::BITS - bits).unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

    fn table(hashes: impl Iterator<Item = u64>, same: bool) -> Result<Layers, Unfit> {
        let words: Vec<u64> = hashes.enumerate().map(|(index, hash)| word_of(hash, index)).collect();
        let names: Vec<String> = (0..40_000).map(|index| format!("{index}")).collect();
        let name = |index: usize| if same { b"w" } else { names[index].as_bytes() };
        Layers::new(Keys::random(), words.len(), &mut runs(&words, 3), &name)
    }

    /// The words as so many found them together.
    fn runs(words: &[u64], many: usize) -> Vec<Words> {
        let run = |some: &[u64]| {
            let mut run = Words::new(words.len(), some.len());
            run.extend(some);
            run
        };
        words.chunks(words.len().div_ceil(many).max(1)).map(run).collect()
    }

    /// Tables of one part and of several, from one run and from several.
    #[test]
    fn names_are_found_in_tables_of_all_sizes() {
        for count in [0, 1, 2, 3, 300, 16_384, 16_385, 40_000] {
            let names: Vec<String> = (0..count).map(|index| format!("{index}")).collect();
            let name = |index: usize| names[index].as_bytes();
            let keys = Keys::random();
            let words: Vec<u64> = (0..count).map(|index| word_of(keys.hash(name(index)), index)).collect();
            for many in [1, 2, 7] {
                let table = Layers::new(keys.clone(), count, &mut runs(&words, many), &name);
                let table = table.unwrap_or_else(|unfit| panic!("{unfit:?}"));
                assert!((0..count).all(|index| table.find(name(index), name) == Some(index)), "{count}");
                assert_eq!(table.find(b"x", name), None);
            }
        }
    }

    /// Each part has about as many words as any other, and most of them in its first layer.
    #[test]
    fn words_are_spread_over_parts_and_slots() {
        let table = table((0..40_000).map(|index: u64| index.wrapping_mul(SPREAD)), false);
        let table = table.unwrap_or_else(|unfit| panic!("{unfit:?}"));
        assert_eq!(table.parts.len(), 8);
        for part in &table.parts {
            let first = part.first.iter().filter(|&&word| word != 0).count();
            let more = part.more.iter().filter(|&&word| word != 0).count();
            assert!((4500..5500).contains(&(first + more)) && first > more, "{first} and {more}");
        }
    }

    /// More words than there are layers, of one slot in the first.
    #[test]
    fn words_of_one_slot_part_in_the_next_layer() {
        let hashes =
            (0..2000u64).map(|index| if index < 100 { index << 32 } else { index.wrapping_mul(SPREAD) });
        assert_eq!(table(hashes, false).err(), None);
    }

    #[test]
    fn more_tensors_than_words_have_numbers_for_have_no_table() {
        let new = |total| Layers::new(Keys::random(), total, &mut runs(&[], 1), &|_| b"");
        assert_eq!(new(0xffff_fffe).err(), None);
        assert_eq!(new(0xffff_ffff).err(), Some(Unfit::Crowded));
    }

    /// A hash for each kind of badness that a table meets.
    #[test]
    fn a_hash_that_serves_badly_is_given_up() {
        for count in [2000u64, 40_000] {
            let crowded = |hash: fn(u64) -> u64| table((0..count).map(hash), false).err();
            assert_eq!(crowded(|_| 0), Some(Unfit::Crowded));
            assert_eq!(crowded(|_| u64::MAX), Some(Unfit::Crowded));
            // Few slots.
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
