//! Dicts: a count, then pairs of a text key and a value, the keys strictly ascending by their bytes.
//! Chapter: Frozen values, Dict.

use super::fields::never_fixed;
use super::list::assert_some_bytes;
use super::{Decode, Encode, Exact, Frozen, shared_size, slot};
use crate::error::{EncodeError, Fault, Reason};
#[cfg(feature = "std")]
use crate::limits::Limits;
use crate::schema::{Scalar, Shape, StaticType, Typed};
#[cfg(feature = "std")]
use crate::wire::Reader;
use crate::wire::{Chunk, Measure, Sink, Source};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use core::borrow::Borrow;
#[cfg(feature = "std")]
use {
    alloc::vec::Vec,
    core::hash::{BuildHasher, Hash},
    std::collections::HashMap,
};

/// A key of a dict: `String`, `&str`, `Cow<str>`, `Box<str>`, `Rc<str>` or `Arc<str>`. Keys of a dict are text, and
/// these are compared by their bytes, as the wire wants it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a dict",
    label = "the keys of a dict are text",
    note = "use `String`, `&str`, `Cow<str>`, `Box<str>`, `Rc<str>` or `Arc<str>`",
    note = "for other keys write a list of pairs, `Vec<(K, V)>`, and sort it if one map shall have one encoding"
)]
pub trait Key: Ord + Borrow<str> + sealed::Sealed {}

/// A [`Key`] that can be read from bytes that live for `'de`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a dict that is read",
    label = "the keys of a dict are text",
    note = "use `String`, `&str`, `Cow<str>`, `Box<str>`, `Rc<str>` or `Arc<str>`"
)]
pub trait DecodeKey<'de>: Key + Sized {
    /// The key of a text whose length lies at `offset`.
    #[doc(hidden)]
    fn from_text<S: Source<'de>>(text: &'de str, offset: usize, source: &mut S) -> Result<Self, Fault>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! keys {
    ($([$($lives:tt)*] [$($generics:tt)*] $key:ty, |$text:ident| $charge:expr => $value:expr;)*) => {$(
        impl<$($generics)*> sealed::Sealed for $key {}

        impl<$($generics)*> Key for $key {}

        impl<'de $($lives)*, $($generics)*> DecodeKey<'de> for $key {
            #[inline]
            fn from_text<S: Source<'de>>($text: &'de str, offset: usize, source: &mut S) -> Result<Self, Fault> {
                source.charge($charge, offset)?;
                Ok($value)
            }
        }
    )*};
}

keys! {
    [: 'a] ['a] &'a str, |text| 0 => text;
    [: 'a] ['a] Cow<'a, str>, |text| 0 => Cow::Borrowed(text);
    [] [] String, |text| text.len() => text.into();
    [] [] Box<str>, |text| text.len() => text.into();
    [] [] Rc<str>, |text| shared_size::<u8>(text.len()) => text.into();
}

#[cfg(target_has_atomic = "ptr")]
keys! {
    [] [] Arc<str>, |text| shared_size::<u8>(text.len()) => text.into();
}

/// Reads keys and compares each with the one before it.
struct Keys<'de> {
    last: Option<&'de str>,
}

impl<'de> Keys<'de> {
    /// The next key and where its length lies: its cap, its fit, its UTF-8, its order.
    #[inline]
    fn next<S: Source<'de>>(&mut self, source: &mut S) -> Result<(&'de str, usize), Fault> {
        let offset = source.offset();
        let text = source.text()?;
        // The order of str is that of its bytes.
        if self.last.is_some_and(|last| text <= last) {
            return Err(Fault::new(Reason::KeyOrder, offset));
        }
        self.last = Some(text);
        Ok((text, offset))
    }
}

/// The smallest pair.
const fn pair_len<V: Frozen>() -> usize {
    V::MIN_LEN.saturating_add(Scalar::Str.min_len())
}

/// Tests a dict.
fn validate_entries<'de, V: Decode<'de>, S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
    assert_some_bytes!(V);
    source.enter()?;
    let count = source.count(pair_len::<V>())?;
    let mut keys = Keys { last: None };
    for _ in 0..count {
        keys.next(source)?;
        V::validate(source)?;
    }
    source.leave();
    Ok(())
}

macro_rules! dicts {
    ($([$($generics:tt)*] $dict:ty;)*) => {$(
        /// `dict{V}`.
        impl<K: Key, V: Frozen, $($generics)*> Frozen for $dict {
            const MIN_LEN: usize = 4;
            const DEPTH: u32 = 1;
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: a count, and for each entry a run and a value by `element`, are counted and written;
            // the order makes no difference to the length.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

            fn shape() -> Shape {
                Shape::Dict(V::shape)
            }
        }

        impl<X, K: Key, V: Typed<X>, $($generics)*> Typed<X> for $dict {
            const TYPE: &'static StaticType = &StaticType::Dict(V::TYPE);
        }
    )*};
}

dicts! {
    [] BTreeMap<K, V>;
}

#[cfg(feature = "std")]
dicts! {
    [S] HashMap<K, V, S>;
}

#[inline]
fn measure_entries<'a, K: Key + 'a, V: Encode + 'a>(
    count: usize,
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    measure: &mut Measure,
) -> Result<(), EncodeError> {
    assert_some_bytes!(V);
    measure.enter()?;
    measure.count(count)?;
    for (key, value) in entries {
        measure.run(key.borrow().len())?;
        measure.element(value)?;
    }
    measure.leave();
    Ok(())
}

#[inline]
fn encode_entries<'a, K: Key + 'a, V: Encode + 'a, S: Sink>(
    count: usize,
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    sink: &mut S,
) {
    sink.count(count);
    for (key, value) in entries {
        let key: &str = key.borrow();
        key.encode(sink);
        sink.element(value);
    }
}

impl<K: Key, V: Encode> Encode for BTreeMap<K, V> {
    #[inline]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure_entries(self.len(), self.iter(), measure)
    }

    #[inline]
    fn encode<S: Sink>(&self, sink: &mut S) {
        encode_entries(self.len(), self.iter(), sink);
    }
}

/// The entries are sorted when they are written, by a vector of references.
#[cfg(feature = "std")]
impl<K: Key, V: Encode, H> Encode for HashMap<K, V, H> {
    #[inline]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure_entries(self.len(), self.iter(), measure)
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        let mut entries: Vec<(&K, &V)> = self.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        encode_entries(entries.len(), entries.into_iter(), sink);
    }
}

/// No tree of `count` entries takes more: a node has room for 11 entries and, further up, for 12 edges, and all but
/// the root hold at least 5.
#[expect(clippy::arithmetic_side_effects, reason = "divided before one is added; the size of a word")]
fn tree_size<K, V>(count: usize) -> usize {
    let entry = size_of::<K>().saturating_add(size_of::<V>());
    let node = entry.saturating_mul(11).saturating_add(16 * size_of::<usize>());
    if count == 0 { 0 } else { (count / 5 + 1).saturating_mul(node) }
}

// What moves a value by value is a function of its own: the frames of a recursion do not grow with it.

/// Moves the first entry.
#[inline(never)]
fn move_first<K: Key, V>(from: &mut BTreeMap<K, V>, to: &mut BTreeMap<K, V>) {
    to.extend(from.pop_first());
}

/// Drops the entries whose keys are less than `text`.
#[inline(never)]
fn drop_before<K: Key, V>(map: &mut BTreeMap<K, V>, text: &str) {
    while map.first_key_value().is_some_and(|(key, _)| (*key).borrow() < text) {
        map.pop_first();
    }
}

/// Moves the entry with the key `text`.
#[cfg(feature = "std")]
#[inline(never)]
fn move_entry<K, V, H>(from: &mut HashMap<K, V, H>, to: &mut HashMap<K, V, H>, text: &str)
where
    K: Key + Hash,
    H: BuildHasher,
{
    to.extend(from.remove_entry(text));
}

/// The tree's nodes are charged before they are made, as if they were as empty as can be.
impl<'de, K: DecodeKey<'de>, V: Decode<'de>> Decode<'de> for BTreeMap<K, V> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let mut map = BTreeMap::new();
        Self::decode_into(source, &mut map)?;
        Ok(map)
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        validate_entries::<V, S>(source)
    }

    /// Keeps the tree while the keys are the same, and reads into their values. At the first other key a new tree takes
    /// over the entries whose keys occur again, and their values are read into. After a fault the map holds the new
    /// entries before it, and, where all keys were the same so far, the old ones after it.
    #[expect(clippy::arithmetic_side_effects, reason = "counts entries up to `count`")]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        assert_some_bytes!(V);
        let offset = source.offset();
        source.enter()?;
        let count = source.count(pair_len::<V>())?;
        let mut keys = Keys { last: None };
        let mut same = 0;
        let mut other = None;
        let mut entries = place.iter_mut();
        while same < count && other.is_none() {
            let (text, at) = keys.next(source)?;
            match entries.next() {
                Some((key, value)) if (*key).borrow() == text => {
                    V::decode_into(source, value)?;
                    same += 1;
                }
                _ => other = Some((text, at)),
            }
        }
        if same < place.len() || same < count {
            source.charge(tree_size::<K, V>(count), offset)?;
            let mut old = core::mem::take(place);
            (0..same).for_each(|_| move_first(&mut old, place));
            for _ in same..count {
                let (text, at) = match other.take() {
                    Some(key) => key,
                    None => keys.next(source)?,
                };
                // Both the old keys and the new ones ascend, so each is looked at once.
                if !old.is_empty() {
                    drop_before(&mut old, text);
                }
                match old.first_entry() {
                    Some(mut entry) if (*entry.key()).borrow() == text => {
                        V::decode_into(source, entry.get_mut())?;
                        move_first(&mut old, place);
                    }
                    _ => {
                        let key = K::from_text(text, at, source)?;
                        slot::build_and(source, V::decode_at, |value| drop(place.insert(key, value)))?;
                    }
                }
            }
        }
        source.leave();
        Ok(())
    }
}

/// No hash table of `count` entries takes more: slots are a power of two (at least 16 here) and at most seven in
/// eight are used; each has a control byte, and a group of them more stands at the end.
#[cfg(feature = "std")]
fn table_size<K, V>(count: usize) -> usize {
    if count == 0 {
        return 0;
    }
    let slots = (count.saturating_mul(8) / 7).checked_next_power_of_two().unwrap_or(usize::MAX).max(16);
    slots.saturating_mul(size_of::<(K, V)>().saturating_add(1)).saturating_add(64)
}

/// The table is charged before it is made, and made once.
#[cfg(feature = "std")]
impl<'de, K, V, H> Decode<'de> for HashMap<K, V, H>
where
    K: DecodeKey<'de> + Hash,
    V: Decode<'de>,
    H: BuildHasher + Default,
{
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let mut map = HashMap::default();
        Self::decode_into(source, &mut map)?;
        Ok(map)
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        validate_entries::<V, S>(source)
    }

    /// Keeps the table where entries own nothing; and where they do, if the keys are the same, and reads into their
    /// values. Otherwise a new table takes over the entries whose keys occur again. After a fault the map holds the new
    /// entries before it, and, where all keys were the same so far, the old ones after it.
    #[expect(clippy::arithmetic_side_effects, reason = "counts entries up to `count`")]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        assert_some_bytes!(V);
        let offset = source.offset();
        source.enter()?;
        let count = source.count(pair_len::<V>())?;
        let entries = source.rest();
        let mut keys = Keys { last: None };
        let mut same = 0;
        let mut other = None;
        let mut old = HashMap::default();
        if !core::mem::needs_drop::<(K, V)>() {
            place.clear();
        } else {
            while same < count && count == place.len() && other.is_none() {
                let (text, at) = keys.next(source)?;
                match place.get_mut(text) {
                    Some(value) => {
                        V::decode_into(source, value)?;
                        same += 1;
                    }
                    None => other = Some((text, at)),
                }
            }
            if same == count && count == place.len() {
                source.leave();
                return Ok(());
            }
            core::mem::swap(place, &mut old);
        }
        if count > place.capacity() {
            source.charge(table_size::<K, V>(count), offset)?;
            place.reserve(count);
        }
        // What was read into before the first other key: its keys are read again, to find it.
        let mut again = Reader::new(entries, 0, &Limits::NONE);
        for _ in 0..same {
            let text = again.text()?;
            V::validate(&mut again)?;
            move_entry(&mut old, place, text);
        }
        for _ in same..count {
            let (text, at) = match other.take() {
                Some(key) => key,
                None => keys.next(source)?,
            };
            match if old.is_empty() { None } else { old.get_mut(text) } {
                Some(value) => {
                    V::decode_into(source, value)?;
                    move_entry(&mut old, place, text);
                }
                None => {
                    let key = K::from_text(text, at, source)?;
                    slot::build_and(source, V::decode_at, |value| drop(place.insert(key, value)))?;
                }
            }
        }
        source.leave();
        Ok(())
    }
}
