//! Lists: a count, then the elements. Chapters: Frozen values, List; Lengths and allocation.
//!
//! Elements of a fixed size are one comparison with the bytes left, and plain ones are one copy. What the slow way
//! would have found is what they find: the count is compared first either way, and the elements come in order.

use super::fields::{never_fixed, replace_fixed};
use super::slot::{Filled, Slot};
use super::{Decode, Encode, Exact, Frozen, plain, shared_size, slot};
use crate::error::{EncodeError, Fault};
use crate::schema::{Shape, StaticType, Typed};
use crate::wire::{Chunk, Measure, Sink, Source};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
#[cfg(feature = "bumpalo")]
use core::mem::MaybeUninit;

/// Refuses, when it is compiled, an element that takes no bytes: a few bytes of input could claim millions of them.
macro_rules! assert_some_bytes {
    ($element:ty) => {
        const {
            assert!(
                <$element as $crate::frozen::Frozen>::MIN_LEN > 0,
                "an element of a list or dict must take at least one byte, and this one can take none: give its struct \
                 a field, or write a u32 with the number of elements instead of the list"
            )
        }
    };
}
pub(super) use assert_some_bytes;

macro_rules! lists {
    ($([$($generics:tt)*] $list:ty;)*) => {$(
        /// `list{T}`.
        impl<$($generics)*> Frozen for $list {
            const MIN_LEN: usize = 4;
            const DEPTH: u32 = 1;
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: a count is counted and written, and then each element, measured by `element` or `elements`
            // and written by `element`, or exact and written by `encode_all`, or plain and written as one run; the elements are the same each time
            // they are gone through.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

            fn shape() -> Shape {
                Shape::List(T::shape)
            }
        }
    )*};
}

lists! {
    [T: Frozen] [T];
    [T: Frozen] Vec<T>;
    [T: Frozen] VecDeque<T>;
    [T: Frozen, const N: usize] [T; N];
    ['a, T: Frozen + Clone] Cow<'a, [T]>;
}

macro_rules! typed {
    ($([$($generics:tt)*] $list:ty;)*) => {$(
        impl<$($generics)*> Typed<X> for $list {
            const TYPE: &'static StaticType = &StaticType::List(T::TYPE);
        }
    )*};
}

typed! {
    [X, T: Typed<X>] [T];
    [X, T: Typed<X>] Vec<T>;
    [X, T: Typed<X>] VecDeque<T>;
    [X, T: Typed<X>, const N: usize] [T; N];
    ['a, X, T: Typed<X> + Clone] Cow<'a, [T]>;
}

/// Counts a list.
#[inline]
fn measure_items<'a, T: Encode + 'a>(
    items: impl ExactSizeIterator<Item = &'a T>,
    measure: &mut Measure,
) -> Result<(), EncodeError> {
    assert_some_bytes!(T);
    measure.count(items.len())?;
    measure_inside(items, measure)
}

/// Counts elements without their count, where they stand in a list.
#[inline]
pub(super) fn measure_inside<'a, T: Encode + 'a>(
    items: impl ExactSizeIterator<Item = &'a T>,
    measure: &mut Measure,
) -> Result<(), EncodeError> {
    measure.enter()?;
    if T::FIXED {
        measure.elements::<T>(items.len())?;
    } else {
        for item in items {
            measure.element(item)?;
        }
    }
    measure.leave();
    Ok(())
}

/// Writes elements without their count.
#[inline]
pub(super) fn encode_items<T: Encode, S: Sink>(items: &[T], sink: &mut S) {
    match plain::bytes_of(items) {
        Some(bytes) => sink.run(bytes),
        // Only what promises its length may write its elements in another way.
        None if T::EXACT.holds() => T::encode_all(items, sink),
        None => items.iter().for_each(|item| sink.element(item)),
    }
}

impl<T: Encode> Encode for [T] {
    #[inline]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure_items(self.iter(), measure)
    }

    #[inline]
    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.count(self.len());
        encode_items(self, sink);
    }
}

macro_rules! encode_as_slice {
    ($([$($generics:tt)*] $list:ty;)*) => {$(
        impl<$($generics)*> Encode for $list {
            #[inline]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                self[..].measure(measure)
            }

            #[inline]
            fn encode<S: Sink>(&self, sink: &mut S) {
                self[..].encode(sink);
            }
        }
    )*};
}

encode_as_slice! {
    [T: Encode] Vec<T>;
    [T: Encode, const N: usize] [T; N];
    ['a, T: Encode + Clone] Cow<'a, [T]>;
}

impl<T: Encode> Encode for VecDeque<T> {
    #[inline]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure_items(self.iter(), measure)
    }

    #[inline]
    fn encode<S: Sink>(&self, sink: &mut S) {
        let (front, back) = self.as_slices();
        sink.count(self.len());
        encode_items(front, sink);
        encode_items(back, sink);
    }
}

/// The bytes of `count` elements of a fixed size, if that is what they have and the depth allows them.
#[inline(always)]
pub(super) fn fixed<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S, count: usize) -> Option<Chunk<'de>> {
    if !T::FIXED {
        return None;
    }
    source.chunk(count.checked_mul(T::MIN_LEN)?, T::DEPTH)
}

/// The bytes of the elements in a chunk, one by one.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "a position in the chunk")]
pub(super) fn pieces<T: Frozen>(chunk: Chunk<'_>) -> impl Iterator<Item = Chunk<'_>> {
    chunk
        .bytes
        .chunks_exact(T::MIN_LEN)
        .enumerate()
        .map(move |(index, bytes)| Chunk { bytes, offset: chunk.offset + index * T::MIN_LEN })
}

/// The elements in a chunk, each in its slot of an array.
#[inline]
pub(super) fn fill_each<'de, 's, T: Decode<'de>, const N: usize>(
    chunk: Chunk<'de>,
    slot: Slot<'s, [T; N]>,
) -> Result<Filled<'s, [T; N]>, Fault> {
    let mut pieces = pieces::<T>(chunk);
    slot.each(&mut pieces, |pieces, slot| T::decode_fixed_at(pieces.next().unwrap_or(chunk), slot))
}

/// Tests a list.
#[inline]
pub(super) fn validate_items<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
    assert_some_bytes!(T);
    source.enter()?;
    let count = source.count(T::MIN_LEN)?;
    T::validate_all(source, count)?;
    source.leave();
    Ok(())
}

/// Tests the elements after a count that was accepted.
#[inline]
pub(super) fn validate_each<'de, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    count: usize,
) -> Result<(), Fault> {
    match fixed::<T, S>(source, count) {
        Some(chunk) => T::validate_fixed(chunk),
        None if T::FIXED => validate_too_deep::<T, S>(source, count),
        None => (0..count).try_for_each(|_| T::validate(source)),
    }
}

/// Tests elements of a fixed size that the bytes have room for and the depth has not: the first says where, if there is
/// one.
#[cold]
#[inline(never)]
fn validate_too_deep<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S, count: usize) -> Result<(), Fault> {
    (0..count).try_for_each(|_| T::validate(source))
}

/// Elements behind those that are there, after a count that was accepted.
#[inline(always)]
pub(super) fn read_each<'de, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    items: &mut Vec<T>,
    count: usize,
) -> Result<(), Fault> {
    match fixed::<T, S>(source, count) {
        Some(chunk) if T::PLAIN.holds() => {
            plain::extend(items, chunk.bytes);
            Ok(())
        }
        Some(chunk) => T::extend_fixed(items, chunk),
        None => slot::extend(source, items, count, T::decode_at),
    }
}

/// The elements after a count that was accepted; the list began at `offset`.
#[inline]
fn read_items<'de, 's, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    count: usize,
    offset: usize,
    slot: Slot<'s, Vec<T>>,
) -> Result<Filled<'s, Vec<T>>, Fault> {
    source.charge_items(count, size_of::<T>(), offset)?;
    let mut items = slot.fill(Vec::with_capacity(count));
    T::decode_all(source, &mut items, count)?;
    Ok(items)
}

/// The same into as many elements that are there.
#[inline]
fn read_over<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S, items: &mut [T]) -> Result<(), Fault> {
    match fixed::<T, S>(source, items.len()) {
        Some(chunk) if plain::overwrite(items, chunk.bytes) => {}
        Some(chunk) => {
            for (item, piece) in items.iter_mut().zip(pieces::<T>(chunk)) {
                replace_fixed(piece, item)?;
            }
        }
        None => {
            for item in items {
                T::decode_into(source, item)?;
            }
        }
    }
    Ok(())
}

/// What all lists do alike, in an implementation of [`Decode`].
macro_rules! as_any_list {
    () => {
        #[inline]
        fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
            never_fixed()
        }

        #[inline]
        fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
            validate_items::<T, S>(source)
        }
    };
}

/// The list's slots are charged before they are made: its count times the size of an element in memory.
impl<'de, T: Decode<'de>> Decode<'de> for Vec<T> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        slot::build(source, Self::decode_at)
    }

    #[inline]
    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        assert_some_bytes!(T);
        let offset = source.offset();
        source.enter()?;
        let count = source.count(T::MIN_LEN)?;
        let items = read_items(source, count, offset, slot)?;
        source.leave();
        Ok(items)
    }

    as_any_list!();

    /// Keeps the slots, and what elements of no fixed size own. After a fault in an element the list holds the
    /// elements before it, and of no fixed size also old ones after it; after another fault it is as it was.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "the list was cut to `count`")]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        assert_some_bytes!(T);
        let offset = source.offset();
        source.enter()?;
        let count = source.count(T::MIN_LEN)?;
        if count > place.capacity() {
            source.charge_items(count, size_of::<T>(), offset)?;
        }
        if T::FIXED {
            place.clear();
        } else {
            place.truncate(count);
            read_over(source, place)?;
        }
        let new = count - place.len();
        T::decode_all(source, place, new)?;
        source.leave();
        Ok(())
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Box<[T]> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        Vec::decode(source).map(Vec::into_boxed_slice)
    }

    as_any_list!();

    /// Keeps the box when the count is the same. After a fault in an element those before it are then new and those
    /// after it old; otherwise it is as it was.
    #[inline]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        assert_some_bytes!(T);
        let offset = source.offset();
        source.enter()?;
        let count = source.count(T::MIN_LEN)?;
        if count == place.len() {
            read_over(source, place)?;
        } else {
            let items = slot::build(source, |source, slot| read_items(source, count, offset, slot))?;
            *place = items.into_boxed_slice();
        }
        source.leave();
        Ok(())
    }
}

macro_rules! counted {
    ($($pointer:ident),*) => {$(
        /// The elements are moved once more, beside the counters: the charge is for both places.
        impl<'de, T: Decode<'de>> Decode<'de> for $pointer<[T]> {
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                let offset = source.offset();
                let items = Vec::<T>::decode(source)?;
                source.charge(shared_size::<T>(size_of_val(&items[..])), offset)?;
                Ok(items.into())
            }

            as_any_list!();
        }
    )*};
}

counted!(Rc);
#[cfg(target_has_atomic = "ptr")]
counted!(Arc);

impl<'de, T: Decode<'de>> Decode<'de> for VecDeque<T> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        Vec::decode(source).map(VecDeque::from)
    }

    as_any_list!();

    /// As for `Vec`, which it becomes and comes back from.
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        let mut items = Vec::from(core::mem::take(place));
        let result = Vec::decode_into(source, &mut items);
        *place = items.into();
        result
    }
}

/// Borrows the elements from the buffer: for plain types of alignment 1 only, since the wire does not align. For others
/// the compiler points at [`ListView`](super::ListView), `Cow<[T]>` and `Vec<T>`. With an arena, where
#[cfg_attr(feature = "bumpalo", doc = "[`from_slice_in`](crate::from_slice_in)")]
#[cfg_attr(not(feature = "bumpalo"), doc = "`from_slice_in` (feature `bumpalo`)")]
/// reads, elements of any type that owns nothing are built there, charged as for `Vec`.
impl<'de: 'a, 'a, T: Decode<'de>> Decode<'de> for &'a [T] {
    #[inline]
    #[expect(
        clippy::unreachable,
        reason = "what is aligned to 1 begins anywhere, and the chunk holds whole elements"
    )]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        const {
            assert!(
                S::ARENA || T::PLAIN.holds() && align_of::<T>() == 1 && T::FIXED,
                "a slice can be borrowed from the wire only if its elements are plain and of alignment 1, like u8: read \
                 a kiln::ListView<T> (which never copies), a Cow<[T]> (which copies where it has to) or a Vec<T>, or \
                 build it in an arena with kiln::from_slice_in"
            );
            assert!(
                !S::ARENA || !core::mem::needs_drop::<T>(),
                "an arena drops nothing that is built in it: the elements must own nothing, so that a String is a &str \
                 there and a Vec<T> a &[T]"
            );
        }
        assert_some_bytes!(T);
        let offset = source.offset();
        source.enter()?;
        let count = source.count(T::MIN_LEN)?;
        let items = if T::PLAIN.holds() && align_of::<T>() == 1 && T::FIXED {
            let chunk = chunk::<T, S>(source, count)?;
            plain::items_of(chunk.bytes).unwrap_or_else(|| unreachable!("every address is aligned to 1"))
        } else {
            build_items(source, count, offset)?
        };
        source.leave();
        Ok(items)
    }

    as_any_list!();
}

/// The elements after a count that was accepted, in the arena; the list began at `offset`.
#[cfg(feature = "bumpalo")]
#[inline]
#[expect(clippy::unreachable, reason = "only called with a source that has an arena")]
fn build_items<'de: 'a, 'a, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    count: usize,
    offset: usize,
) -> Result<&'a [T], Fault> {
    const WIDE: usize = 256;
    let arena: &'a bumpalo::Bump = match source.arena() {
        Some(arena) => arena,
        None => unreachable!("asked only where there is an arena"),
    };
    source.charge_items(count, size_of::<T>(), offset)?;
    if size_of::<T>() > WIDE {
        // Built in place, so that the frames of a recursion do not grow with them.
        return slot::fill_slice(source, places(arena, count), T::decode_at).map(|items| &*items);
    }
    build_each(source, count, arena)
}

/// Room for so many items in the arena.
#[cfg(feature = "bumpalo")]
#[inline(never)]
fn places<T>(arena: &bumpalo::Bump, count: usize) -> &mut [MaybeUninit<T>] {
    arena.alloc_slice_fill_with(count, |_| MaybeUninit::uninit())
}

/// The elements, one by one by value, in the arena.
#[cfg(feature = "bumpalo")]
#[inline]
#[expect(clippy::arithmetic_side_effects, reason = "the chunk holds `count` elements")]
fn build_each<'de: 'a, 'a, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    count: usize,
    arena: &'a bumpalo::Bump,
) -> Result<&'a [T], Fault> {
    let items = match fixed::<T, S>(source, count) {
        Some(chunk) => arena.alloc_slice_try_fill_with(count, |index| {
            T::decode_fixed(chunk.part(index * T::MIN_LEN, T::MIN_LEN))
        }),
        None => arena.alloc_slice_try_fill_with(count, |_| T::decode(source)),
    };
    items.map(|items| &*items)
}

#[cfg(not(feature = "bumpalo"))]
#[expect(clippy::unreachable, reason = "only called with a source that has an arena, of which there is none")]
fn build_items<'de: 'a, 'a, T: Decode<'de>, S: Source<'de>>(
    _: &mut S,
    _: usize,
    _: usize,
) -> Result<&'a [T], Fault> {
    unreachable!("asked only where there is an arena")
}

/// The bytes of `count` elements of a fixed size, which are there since the count was accepted.
#[inline]
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the count was accepted, so that the bytes hold as many elements"
)]
pub(super) fn chunk<'de, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    count: usize,
) -> Result<Chunk<'de>, Fault> {
    let (rest, offset) = (source.rest(), source.offset());
    if let Some(chunk) = fixed::<T, S>(source, count) {
        return Ok(chunk);
    }
    validate_too_deep::<T, S>(source, count)?;
    Ok(Chunk { bytes: rest.get(..count * T::MIN_LEN).unwrap_or(&[]), offset })
}

/// Borrows plain elements where address and byte order allow, and owns them elsewhere; but with an arena, elements that
/// own nothing are built there.
impl<'de: 'a, 'a, T: Decode<'de> + Clone> Decode<'de> for Cow<'a, [T]> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let mut items = Cow::Borrowed(&[][..]);
        Self::decode_into(source, &mut items)?;
        Ok(items)
    }

    as_any_list!();

    /// A vector that is there is read into where elements cannot be borrowed. After a fault it holds what `Vec` says.
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        let in_arena = S::ARENA && !core::mem::needs_drop::<T>();
        if !(in_arena || T::PLAIN.holds() && T::FIXED) {
            return match place {
                Cow::Owned(items) => Vec::decode_into(source, items),
                Cow::Borrowed(_) => {
                    *place = Cow::Owned(Vec::decode(source)?);
                    Ok(())
                }
            };
        }
        assert_some_bytes!(T);
        let offset = source.offset();
        source.enter()?;
        let count = source.count(T::MIN_LEN)?;
        if in_arena && !T::PLAIN.holds() {
            *place = Cow::Borrowed(build_items(source, count, offset)?);
        } else {
            let chunk = chunk::<T, S>(source, count)?;
            match (plain::items_of(chunk.bytes), place) {
                (Some(items), place) => *place = Cow::Borrowed(items),
                (None, Cow::Owned(items)) if count <= items.capacity() => {
                    items.clear();
                    plain::extend(items, chunk.bytes);
                }
                (None, place) => {
                    source.charge_items(count, size_of::<T>(), offset)?;
                    let mut items = Vec::with_capacity(count);
                    plain::extend(&mut items, chunk.bytes);
                    *place = Cow::Owned(items);
                }
            }
        }
        source.leave();
        Ok(())
    }
}

/// Built in place, element by element, or by one copy. A fault drops the elements read so far.
impl<'de, T: Decode<'de>, const N: usize> Decode<'de> for [T; N] {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        slot::build(source, Self::decode_at)
    }

    #[inline]
    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        assert_some_bytes!(T);
        source.enter()?;
        source.exact_count(N, T::MIN_LEN)?;
        let items = match fixed::<T, S>(source, N) {
            Some(chunk) => T::decode_array_at(chunk, slot)?,
            None => slot.each(source, T::decode_at)?,
        };
        source.leave();
        Ok(items)
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        assert_some_bytes!(T);
        source.enter()?;
        source.exact_count(N, T::MIN_LEN)?;
        T::validate_all(source, N)?;
        source.leave();
        Ok(())
    }

    /// After a fault in an element those before it are new and those after it old.
    #[inline]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        assert_some_bytes!(T);
        source.enter()?;
        source.exact_count(N, T::MIN_LEN)?;
        read_over(source, place)?;
        source.leave();
        Ok(())
    }
}
