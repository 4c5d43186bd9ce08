//! Finding a tensor by its name, and finding out that no name is there twice.

use super::layers::{Layers, Unfit, Words};
use super::names::{Keys, Names, word_of};
#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;
use core::ops::Range;

/// A name that two tensors have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeated {
    /// The tensor that has it first.
    pub(crate) first: usize,
    /// The first tensor, of all, that has the name of an earlier one.
    pub(crate) second: usize,
}

/// How tensors are found by name. Names themselves are not kept: every function is told how to look one up.
/// Cheap to clone, so that whoever owns a block can lend the directory in it.
#[derive(Clone)]
pub(crate) enum Index {
    /// The names ascend, with tensors that have none in front: a binary search finds one.
    Ascending,
    /// A table keyed at random.
    Hashed(Shared<Layers>),
    /// The table of a builder.
    Built(Shared<Names>),
    /// The tensors that have names, in the order of these: where the table would have been slow.
    Sorted(Shared<[usize]>),
}

impl Index {
    /// The index of `count` names, of which the empty ones stand for none.
    ///
    /// # Errors
    /// The first name that repeats an earlier one.
    pub(crate) fn build<'n>(
        count: usize,
        name: impl Fn(usize) -> &'n [u8] + Sync,
    ) -> Result<Index, Repeated> {
        let mut indexing = Indexing::new(count, 0..count, None);
        indexing.take((0..count).map(&name), &name);
        match Indexing::finish(&mut [indexing], &name) {
            Some(index) => Ok(index),
            None => match first_repeated(count, &name) {
                Some(repeated) => Err(repeated),
                None => sorted(count, &name).map(|order| Index::Sorted(order.into())),
            },
        }
    }

    /// The tensor of that name.
    pub(crate) fn find<'n>(
        &self,
        count: usize,
        name: impl Fn(usize) -> &'n [u8],
        wanted: &[u8],
    ) -> Option<usize> {
        if wanted.is_empty() {
            return None;
        }
        match self {
            Index::Ascending => search(count, name, wanted),
            Index::Sorted(order) => {
                let at = order.binary_search_by(|&index| name(index).cmp(wanted)).ok()?;
                order.get(at).copied()
            }
            Index::Hashed(layers) => layers.find(wanted, name),
            Index::Built(names) => names.find(wanted, name),
        }
    }
}

/// A part of an index in the making, from the names of consecutive tensors, which become known one after another.
pub(crate) struct Indexing {
    /// How many tensors there are in all.
    count: usize,
    range: Range<usize>,
    done: usize,
    keys: Option<Keys>,
    /// What a table will be made of, once the names do not ascend.
    words: Option<Words>,
}

impl Indexing {
    /// Nothing yet of those of `count` names. The parts of one index have to be given the same keys.
    pub(crate) fn new(count: usize, range: Range<usize>, keys: Option<Keys>) -> Self {
        Indexing { count, done: range.start, range, keys, words: None }
    }

    /// Takes the next names, of which the empty ones stand for none. `name` gives those taken before.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "counts tensors of a block in memory")]
    pub(crate) fn take<'n>(
        &mut self,
        names: impl Iterator<Item = &'n [u8]> + Clone,
        name: &impl Fn(usize) -> &'n [u8],
    ) {
        if self.words.is_none() {
            let last = self.done.checked_sub(1).map_or(&[][..], name);
            if let Some(count) = ascend(last, names.clone()) {
                self.done += count;
                return;
            }
            self.start_over(name);
        }
        self.hash(names);
    }

    /// Hashes the names taken so far.
    #[cold]
    fn start_over<'n>(&mut self, name: &impl Fn(usize) -> &'n [u8]) {
        let before = self.range.start..core::mem::replace(&mut self.done, self.range.start);
        self.words = Some(Words::new(self.count, self.range.len()));
        self.hash(before.map(name));
    }

    #[inline]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`len` is below that of `few` when it is used; counts tensors of a block in memory"
    )]
    fn hash<'n>(&mut self, names: impl Iterator<Item = &'n [u8]>) {
        let keys = self.keys.get_or_insert_with(Keys::random);
        let Some(words) = &mut self.words else { return };
        let mut few = [0; 64];
        let mut len = 0;
        for name in names {
            if len == few.len() {
                words.extend(&few);
                len = 0;
            }
            few[len] = word_of(keys.hash(name), self.done);
            len += usize::from(!name.is_empty());
            self.done += 1;
        }
        words.extend(few.get(..len).unwrap_or(&few));
    }

    /// The index of all names, when all parts have taken theirs. Nothing when one is there twice.
    pub(crate) fn finish<'n>(
        parts: &mut [Indexing],
        name: &(impl Fn(usize) -> &'n [u8] + Sync),
    ) -> Option<Index> {
        let hashed = parts.iter().find(|part| part.words.is_some());
        let Some((count, keys)) = hashed.and_then(|part| Some((part.count, part.keys.clone()?))) else {
            return Some(Index::Ascending);
        };
        for part in parts.iter_mut().filter(|part| part.words.is_none()) {
            part.start_over(name);
        }
        let layers = match parts {
            [Indexing { words: Some(words), .. }] => {
                Layers::new(keys, count, core::slice::from_mut(words), name)
            }
            parts => {
                let mut words: Vec<Words> = parts.iter_mut().filter_map(|part| part.words.take()).collect();
                Layers::new(keys, count, &mut words, name)
            }
        };
        match layers {
            Ok(layers) => Some(Index::Hashed(layers.into())),
            Err(Unfit::Repeated) => None,
            Err(Unfit::Crowded) => Some(Index::Sorted(sorted(count, name).ok()?.into())),
        }
    }
}

/// Where `wanted` lies among `len` ascending names.
#[expect(clippy::arithmetic_side_effects, reason = "`low <= middle < high <= len`")]
fn search<'n>(len: usize, name: impl Fn(usize) -> &'n [u8], wanted: &[u8]) -> Option<usize> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        match name(middle).cmp(wanted) {
            core::cmp::Ordering::Less => low = middle + 1,
            core::cmp::Ordering::Equal => return Some(middle),
            core::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

/// How many names there are, if each is above the one before it, or neither of the two is there.
#[expect(clippy::arithmetic_side_effects, reason = "counts tensors of a block in memory")]
fn ascend<'n>(mut last: &'n [u8], names: impl Iterator<Item = &'n [u8]>) -> Option<usize> {
    let mut count = 0;
    for name in names {
        if !(name > last || name.is_empty() && last.is_empty()) {
            return None;
        }
        (last, count) = (name, count + 1);
    }
    Some(count)
}

/// The first repeated name, by an open table, which looks at each name once where sorting compares it with twenty others
/// that lie far away. Nothing when no name is, or when the hash serves so badly that the table would be slow.
fn first_repeated<'n>(count: usize, name: &impl Fn(usize) -> &'n [u8]) -> Option<Repeated> {
    let mut names = Names::with_capacity(count);
    // As many comparisons of names as it takes if hardly any words are alike, but one.
    let left = core::cell::Cell::new((count / 8).saturating_add(64));
    for second in 0..count {
        let own = name(second);
        let is_same = |first: usize| {
            left.set(left.get().saturating_sub(1));
            name(first) == own
        };
        if !own.is_empty() {
            if let Err(first) = names.add(own, second, is_same) {
                return Some(Repeated { first, second });
            }
        }
        if left.get() == 0 {
            return None;
        }
    }
    None
}

/// The tensors that have names, in the order of these, or the first repeated one.
fn sorted<'n>(count: usize, name: &impl Fn(usize) -> &'n [u8]) -> Result<Vec<usize>, Repeated> {
    let mut order: Vec<usize> = (0..count).filter(|&index| !name(index).is_empty()).collect();
    order.sort_unstable_by(|&a, &b| name(a).cmp(name(b)).then(a.cmp(&b)));
    // Of the tensors of one name the lowest comes first, so the neighbour after it is the first to repeat it.
    let mut repeated: Option<Repeated> = None;
    for pair in order.windows(2) {
        let &[first, second] = pair else { continue };
        let earlier = repeated.is_none_or(|repeated| second < repeated.second);
        if earlier && name(first) == name(second) {
            repeated = Some(Repeated { first, second });
        }
    }
    match repeated {
        // Of three or more tensors of one name, the pair with the lowest second begins with the lowest first.
        Some(repeated) => Err(repeated),
        None => Ok(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|index| format!("{}", (index * 7919 + 13) % 1_000_003)).collect()
    }

    /// What a plain comparison of all pairs finds.
    fn repeated(names: &[String]) -> Option<Repeated> {
        (0..names.len()).find_map(|second| {
            let first =
                (0..second).find(|&first| !names[first].is_empty() && names[first] == names[second])?;
            Some(Repeated { first, second })
        })
    }

    #[test]
    fn every_way_finds_the_same_first_repetition() {
        for (a, b, c) in [(3, 90, 95), (0, 99, 99), (10, 11, 12), (98, 99, 50), (0, 0, 0)] {
            let mut names = names(100);
            names[40] = String::new();
            names[41] = String::new();
            names[b] = names[a].clone();
            names[c] = names[a].clone();
            names[20] = names[60].clone();
            let name = |index: usize| names[index].as_bytes();
            let expected = repeated(&names);
            assert_eq!(sorted(100, &name).err(), expected);
            assert_eq!(first_repeated(100, &name), expected);
            assert_eq!(Index::build(100, name).err(), expected);
        }
    }

    #[test]
    fn without_a_table_the_names_are_sorted() {
        let names = names(20_000);
        let name = |index: usize| names[index].as_bytes();
        // Every word alike, so that no table can be made.
        let count = names.len();
        let mut words = Words::new(count, count);
        words.extend(&(0..count).map(|index| word_of(0, index)).collect::<Vec<_>>());
        let part = Indexing::new(count, 0..count, Some(Keys::random()));
        let index = Indexing::finish(&mut [Indexing { words: Some(words), ..part }], &name).unwrap();
        assert!(matches!(index, Index::Sorted(..)));
        for at in [0, 1, 777, 19_999] {
            assert_eq!(index.find(names.len(), name, names[at].as_bytes()), Some(at));
        }
        assert_eq!(index.find(names.len(), name, b"x"), None);
    }

    #[test]
    fn names_that_ascend_need_no_table() {
        let names = ["", "", "a", "aa", "b"];
        let name = |index: usize| names[index].as_bytes();
        let index = Index::build(5, name).unwrap();
        assert!(matches!(index, Index::Ascending));
        assert_eq!(index.find(5, name, b"aa"), Some(3));
        assert_eq!(index.find(5, name, b""), None);
        assert_eq!(index.find(5, name, b"ab"), None);
        let gap = ["a", "", "b"];
        let name = |index: usize| gap[index].as_bytes();
        let index = Index::build(3, name).unwrap();
        assert!(matches!(index, Index::Hashed(..)));
        assert_eq!(index.find(3, name, b"b"), Some(2));
        assert_eq!(index.find(3, name, b"c"), None);
    }
}
