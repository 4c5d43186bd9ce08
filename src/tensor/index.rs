//! Finding a tensor by its name, and finding out that no name is there twice.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::hash::Hasher;
use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;
use hashbrown::HashTable;

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
    Hashed(Arc<(HashTable<u32>, Keys)>),
    /// The tensors that have names, in the order of these: where the table would have been slow.
    Sorted(Arc<[usize]>),
}

impl Index {
    /// The index of `count` names, of which the empty ones stand for none.
    ///
    /// # Errors
    /// The first name that repeats an earlier one.
    pub(crate) fn build<'n>(count: usize, name: impl Fn(usize) -> &'n [u8]) -> Result<Index, Repeated> {
        if ascend(count, &name) {
            return Ok(Index::Ascending);
        }
        let keys = Keys::random();
        match hashed(count, &name, |name| keys.hash(name)) {
            Some(table) => Ok(Index::hashed(table?, keys)),
            None => Ok(Index::Sorted(sorted(count, &name)?.into())),
        }
    }

    /// The index that a table of all names under these keys is.
    pub(crate) fn hashed(table: HashTable<u32>, keys: Keys) -> Index {
        Index::Hashed(Arc::new((table, keys)))
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
            Index::Ascending => search(count, |at| name(at), wanted),
            Index::Sorted(order) => {
                search(order.len(), |at| name(order[at]), wanted).and_then(|at| order.get(at).copied())
            }
            Index::Hashed(hashed) => {
                let (table, keys) = &**hashed;
                let found = table.find(keys.hash(wanted), |&index| name(index as usize) == wanted);
                found.map(|&index| index as usize)
            }
        }
    }
}

/// Where `wanted` lies among `len` ascending names.
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

/// Whether each name is above the one before it, or neither of the two is there.
fn ascend<'n>(count: usize, name: &impl Fn(usize) -> &'n [u8]) -> bool {
    let mut last: &[u8] = &[];
    (0..count).all(|index| {
        let next = name(index);
        let above = next > last || next.is_empty() && last.is_empty();
        last = next;
        above
    })
}

/// A table of the names, or the first repeated one. Nothing when the hash serves so badly that sorting is
/// faster, or when there are more names than a table entry can number.
///
/// What bounds the time is not the secret of the hash but the number of names compared: an entry that a probe
/// passes without comparing it has another tag, and of tags there are 128, so probes are bounded with it.
fn hashed<'n>(
    count: usize,
    name: &impl Fn(usize) -> &'n [u8],
    hash: impl Fn(&[u8]) -> u64,
) -> Option<Result<HashTable<u32>, Repeated>> {
    /// Chance alone makes about one in ten names meet another with its tag.
    const SPARE: usize = 64;

    u32::try_from(count).ok()?;
    let named = (0..count).filter(|&index| !name(index).is_empty()).count();
    let mut table = HashTable::with_capacity(named);
    let mut comparisons = named + SPARE;
    for second in 0..count {
        let wanted = name(second);
        if wanted.is_empty() {
            continue;
        }
        let key = hash(wanted);
        let found = table.find(key, |&index: &u32| {
            comparisons = comparisons.saturating_sub(1);
            comparisons == 0 || name(index as usize) == wanted
        });
        if comparisons == 0 {
            return None;
        }
        if let Some(&first) = found {
            return Some(Err(Repeated { first: first as usize, second }));
        }
        table.insert_unique(key, second as u32, |&index| hash(name(index as usize)));
    }
    Some(Ok(table))
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

/// The keys of a table's hash, drawn anew for each table.
#[derive(Clone)]
pub(crate) struct Keys {
    hasher: u64,
    shared: SharedSeed,
}

impl Keys {
    /// Keys from the standard library's, which the system seeds; without it from addresses and a counter.
    pub(crate) fn random() -> Keys {
        use core::hash::BuildHasher;
        #[cfg(feature = "std")]
        let source = std::hash::RandomState::new();
        #[cfg(not(feature = "std"))]
        let source = foldhash::quality::RandomState::default();
        Keys { hasher: source.hash_one(0u64), shared: SharedSeed::from_u64(source.hash_one(1u64)) }
    }

    #[inline]
    pub(crate) fn hash(&self, name: &[u8]) -> u64 {
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

    /// A hash for each kind of badness that a table meets.
    const HASHES: [fn(&[u8]) -> u64; 5] = [
        |_| 0,
        |_| u64::MAX,
        // The same place in the table, another tag for each of 128 names.
        |name| name.iter().fold(0, |sum: u64, &byte| sum.wrapping_mul(31) + u64::from(byte)) << 57,
        // The same tag, another place.
        |name| name.iter().fold(0, |sum: u64, &byte| sum.wrapping_mul(31) + u64::from(byte)) & 0xff_ffff,
        |name| Keys { hasher: 1, shared: SharedSeed::from_u64(2) }.hash(name),
    ];

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
            assert_eq!(Index::build(100, name).err(), expected);
            for hash in HASHES {
                if let Some(table) = hashed(100, &name, hash) {
                    assert_eq!(table.err(), expected);
                }
            }
        }
    }

    #[test]
    fn a_hash_that_collides_is_given_up_and_sorting_goes_on() {
        let names = names(20_000);
        let name = |index: usize| names[index].as_bytes();
        let given_up = HASHES.map(|hash| hashed(names.len(), &name, hash).is_none());
        assert_eq!(given_up, [true, true, true, true, false]);
        let index = Index::Sorted(sorted(names.len(), &name).unwrap().into());
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

    #[test]
    fn two_tables_have_different_keys() {
        let [a, b] = [Keys::random(), Keys::random()];
        assert_ne!(a.hash(b"w"), b.hash(b"w"));
    }
}
