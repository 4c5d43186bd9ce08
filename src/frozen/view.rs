//! A list that stays in the buffer. Chapter: Lengths and allocation.

use super::fields::never_fixed;
use super::list::{self, assert_some_bytes};
use super::{Decode, Encode, Exact, Frozen, plain};
use crate::error::{EncodeError, Fault};
use crate::schema::{Shape, StaticType, Typed};
use crate::wire::{Chunk, Measure, Sink, Source};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;

/// A list, `list{T}`, of elements of a fixed size, that stays in the buffer: decoding checks every element and stores
/// none. Elements are read when they are asked for, from any address and on any byte order.
///
/// An element whose type has no fixed size (it holds a string, a list, an optional, a dict or tensors) is refused
/// by the compiler.
///
/// ```
/// use kiln::ListView;
/// let wire = kiln::to_vec(&(7u8, vec![1.5f32, -2.0]))?;
/// let (_, list): (u8, ListView<f32>) = kiln::from_slice(&wire)?;
/// assert_eq!(list.len(), 2);
/// assert_eq!(list.get(1), Some(-2.0));
/// assert_eq!(list.get(2), None);
/// assert_eq!(list.iter().sum::<f32>(), -0.5);
/// match list.as_slice() {
///     Some(slice) => assert_eq!(slice, [1.5, -2.0]),
///     None => assert_eq!(list.to_vec(), [1.5, -2.0]),
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// Decoding gives what `Vec<T>` gives, but for the owned budget, of which a view takes nothing.
pub struct ListView<'a, T> {
    /// Whole elements, each accepted.
    bytes: &'a [u8],
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for ListView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ListView<'_, T> {}

impl<T> Default for ListView<'_, T> {
    /// The empty list.
    ///
    /// ```
    /// assert_eq!(kiln::ListView::<f32>::default().len(), 0);
    /// ```
    /// ```compile_fail
    /// kiln::ListView::<()>::default().len(); // no list has elements of no bytes
    /// ```
    fn default() -> Self {
        ListView { bytes: &[], element: PhantomData }
    }
}

impl<'a, T: Decode<'a>> ListView<'a, T> {
    /// How many elements there are.
    #[expect(clippy::arithmetic_side_effects, reason = "an element takes at least a byte")]
    pub fn len(&self) -> usize {
        assert_some_bytes!(T);
        self.bytes.len() / T::MIN_LEN
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Element `index`, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        assert_some_bytes!(T);
        let at = index.checked_mul(T::MIN_LEN)?;
        let bytes = self.bytes.get(at..)?.get(..T::MIN_LEN)?;
        // The element was accepted when the list was.
        T::decode_fixed(Chunk { bytes, offset: at }).ok()
    }

    /// The elements in order.
    #[inline]
    pub fn iter(&self) -> ListIter<'a, T> {
        assert_some_bytes!(T);
        ListIter { rest: self.bytes, element: PhantomData }
    }

    /// Searches elements that ascend by what `compare` says of each: less where what is looked for comes later. The
    /// index of an element that is equal, or where one would have to be inserted.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "`from <= middle < to <= len`")]
    pub fn binary_search_by(&self, mut compare: impl FnMut(T) -> Ordering) -> Result<usize, usize> {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from + (to - from) / 2;
            match self.get(middle).map(&mut compare) {
                Some(Ordering::Less) => from = middle + 1,
                Some(Ordering::Equal) => return Ok(middle),
                Some(Ordering::Greater) | None => to = middle,
            }
        }
        Err(from)
    }

    /// Searches elements that ascend by the key that `key_of` gives for each. Only what it looks at is decoded.
    ///
    /// ```
    /// use kiln::ListView;
    /// let wire = kiln::to_vec(&[(1u32, 0.5f64), (5, 1.0), (9, 2.0)])?;
    /// let list: ListView<(u32, f64)> = kiln::from_slice(&wire)?;
    /// assert_eq!(list.binary_search_by_key(&5, |(id, _)| id), Ok(1));
    /// assert_eq!(list.binary_search_by_key(&6, |(id, _)| id), Err(2));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[inline]
    pub fn binary_search_by_key<K: Ord>(
        &self,
        key: &K,
        mut key_of: impl FnMut(T) -> K,
    ) -> Result<usize, usize> {
        self.binary_search_by(|item| key_of(item).cmp(key))
    }

    /// How many elements come first that `is_before` says yes to, if it says no to all after them.
    #[inline]
    pub fn partition_point(&self, mut is_before: impl FnMut(T) -> bool) -> usize {
        let search = |item| if is_before(item) { Ordering::Less } else { Ordering::Greater };
        self.binary_search_by(search).unwrap_or_else(|index| index)
    }

    /// The elements where they lie, if they are [plain](crate::is_plain), the address is aligned for them and the host
    /// is little-endian (or they are single bytes).
    ///
    /// Whether the address is aligned is chance, so a caller needs a way on: [`iter`](Self::iter) or
    /// [`to_vec`](Self::to_vec), or a `Cow<[T]>` field, which decides by itself.
    #[inline]
    pub fn as_slice(&self) -> Option<&'a [T]> {
        plain::items_of(self.bytes)
    }

    /// The encoding of the elements, without the count.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The elements copied out.
    pub fn to_vec(&self) -> Vec<T> {
        let mut items = Vec::with_capacity(self.len());
        if !plain::extend(&mut items, self.bytes) {
            items.extend(self.iter());
        }
        items
    }
}

impl<'a, T: Decode<'a>> IntoIterator for ListView<'a, T> {
    type Item = T;
    type IntoIter = ListIter<'a, T>;

    fn into_iter(self) -> ListIter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Decode<'a>> IntoIterator for &ListView<'a, T> {
    type Item = T;
    type IntoIter = ListIter<'a, T>;

    fn into_iter(self) -> ListIter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Decode<'a> + fmt::Debug> fmt::Debug for ListView<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Decode<'a> + PartialEq> PartialEq for ListView<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes.len() == other.bytes.len() && self.iter().eq(other.iter())
    }
}

impl<'a, T: Decode<'a> + Eq> Eq for ListView<'a, T> {}

/// The elements of a [`ListView`], read as they are asked for.
pub struct ListIter<'a, T> {
    rest: &'a [u8],
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for ListIter<'_, T> {
    fn clone(&self) -> Self {
        ListIter { rest: self.rest, element: PhantomData }
    }
}

impl<'a, T: Decode<'a>> ListIter<'a, T> {
    fn read(bytes: &'a [u8]) -> Option<T> {
        // The element was accepted when the list was.
        T::decode_fixed(Chunk { bytes, offset: 0 }).ok()
    }
}

impl<'a, T: Decode<'a>> Iterator for ListIter<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let (bytes, rest) = self.rest.split_at_checked(T::MIN_LEN)?;
        self.rest = rest;
        Self::read(bytes)
    }

    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "an element takes at least a byte")]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.rest.len() / T::MIN_LEN;
        (len, Some(len))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        let skipped = n.saturating_mul(T::MIN_LEN).min(self.rest.len());
        self.rest = self.rest.get(skipped..).unwrap_or_default();
        self.next()
    }
}

impl<'a, T: Decode<'a>> DoubleEndedIterator for ListIter<'a, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        let at = self.rest.len().checked_sub(T::MIN_LEN)?;
        let (rest, bytes) = self.rest.split_at(at);
        self.rest = rest;
        Self::read(bytes)
    }
}

impl<'a, T: Decode<'a>> ExactSizeIterator for ListIter<'a, T> {}

impl<'a, T: Decode<'a>> core::iter::FusedIterator for ListIter<'a, T> {}

/// `list{T}`.
impl<T: Frozen> Frozen for ListView<'_, T> {
    const MIN_LEN: usize = 4;
    const DEPTH: u32 = 1;
    #[allow(unsafe_code, reason = "a promise")]
    // SAFETY: a count and the run of bytes are counted and written, whatever the element.
    const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

    fn shape() -> Shape {
        Shape::List(T::shape)
    }
}

impl<X, T: Typed<X>> Typed<X> for ListView<'_, T> {
    const TYPE: &'static StaticType = &StaticType::List(T::TYPE);
}

impl<T: Frozen> Encode for ListView<'_, T> {
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "an element takes at least a byte")]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        assert_some_bytes!(T);
        measure.enter()?;
        if !self.bytes.is_empty() {
            measure.room(T::DEPTH)?;
        }
        measure.count(self.bytes.len() / T::MIN_LEN)?;
        measure.add(self.bytes.len());
        measure.leave();
        Ok(())
    }

    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "an element takes at least a byte")]
    fn encode<S: Sink>(&self, sink: &mut S) {
        assert_some_bytes!(T);
        sink.count(self.bytes.len() / T::MIN_LEN);
        sink.run(self.bytes);
    }
}

impl<'de: 'a, 'a, T: Decode<'de>> Decode<'de> for ListView<'a, T> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        assert_some_bytes!(T);
        const {
            assert!(
                T::FIXED,
                "a ListView needs elements of a fixed size: without strings, lists, optionals, dicts or tensors in them; \
                 read a Vec<T>, or the records of a batch one by one with kiln::Batch"
            );
        }
        source.enter()?;
        let count = source.count(T::MIN_LEN)?;
        let chunk = list::chunk::<T, S>(source, count)?;
        T::validate_fixed(chunk)?;
        source.leave();
        Ok(ListView { bytes: chunk.bytes, element: PhantomData })
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        list::validate_items::<T, S>(source)
    }
}
