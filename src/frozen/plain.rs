//! Types whose memory is their encoding: lists of them move as one block.
#![allow(unsafe_code)]

use super::Frozen;
use super::slot::{Filled, Slot};
use crate::arch::{self, window};
use crate::wire::writer::copy_run;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// What a type promises to code that then checks less. Only `unsafe` makes a promise, and a promise is about
/// the one type it names, so it cannot be borrowed from another.
macro_rules! promise {
    ($(#[$doc:meta])* $name:ident, $contract:literal) => {
        $(#[$doc])*
        pub struct $name<T: ?Sized> {
            holds: bool,
            of: PhantomData<fn(&T)>,
        }

        impl<T: ?Sized> $name<T> {
            /// No promise.
            pub const NO: Self = Self { holds: false, of: PhantomData };

            /// The promise, if `holds`.
            ///
            /// # Safety
            #[doc = $contract]
            pub const unsafe fn promise(holds: bool) -> Self {
                Self { holds, of: PhantomData }
            }

            /// Whether it holds.
            pub const fn holds(&self) -> bool {
                self.holds
            }
        }
    };
}

promise! {
    /// The promise that the memory of a `T` is its encoding.
    Plain,
    "If `holds`: a bitwise copy of a `T` is another `T` and dropping one does nothing (it is `Copy`, or consists of \
     such types without an own `Drop`); it has no padding, no lifetime and no interior mutability in it (no \
     `UnsafeCell`, so that its bytes stay as they are behind a shared reference), every pattern of its bytes is a \
     valid value, it is `Frozen::FIXED`, its size is `Frozen::MIN_LEN` and not 0, and its bytes in memory are its \
     encoding, on the target compiled for. Those bytes are what is written for it wherever it is not `Exact`."
}

promise! {
    /// The promise that a `T` writes exactly the bytes that it has counted.
    Exact,
    "If `holds`: for every value, `Encode::encode` writes exactly as many bytes to its sink as \
     `Encode::measure` has added, when the value does not change in between; and that is `Frozen::MIN_LEN` \
     where `Frozen::FIXED` is set; and `Encode::encode_all` writes as many as `Encode::encode` of each. But for the \
     elements that are measured by `Measure::element` or `Measure::elements` and written by `Sink::element`, each as \
     often as it was measured, or that are `Plain` and written as one run: they speak for themselves."
}

/// Whether the memory of a `T` is its encoding, so that lists of it move as one block. The derive finds out
/// by itself; this is how to make sure.
///
/// ```
/// # use kiln::Frozen;
/// #[derive(Frozen, Clone, Copy)]
/// #[repr(C)]
/// struct Vertex { x: f32, y: f32, z: f32 }
///
/// const { assert!(cfg!(target_endian = "big") || kiln::is_plain::<Vertex>()) }
/// const { assert!(!kiln::is_plain::<bool>()) }
/// ```
pub const fn is_plain<T: Frozen + ?Sized>() -> bool {
    T::PLAIN.holds()
}

/// Whether a `T` writes what it counts, measured by [`Measure::part`] and written by [`Sink::part`]: by its own promise, or
/// as its memory, whose length nobody can count wrongly.
///
/// [`Measure::part`]: crate::wire::Measure::part
/// [`Sink::part`]: crate::wire::Sink::part
pub(crate) const fn is_exact<T: Frozen + ?Sized>() -> bool {
    T::EXACT.holds() || T::PLAIN.holds()
}

/// The memory of a value that is written as such: it is plain, and does not promise that its own encoding is exact.
#[inline(always)]
pub(crate) fn memory_of<T: Frozen + ?Sized>(value: &T) -> Option<&[u8]> {
    if !T::PLAIN.holds() || T::EXACT.holds() {
        return None;
    }
    let memory = core::ptr::from_ref(value).cast();
    // SAFETY: plain types have no padding and no interior mutability, so every byte of the value is initialised and
    // stays as it is; bytes have no alignment, and the length is that of the value.
    Some(unsafe { core::slice::from_raw_parts(memory, size_of_val(value)) })
}

/// The encodings of all items, which is their memory, if they are plain.
#[inline]
pub(crate) fn bytes_of<T: Frozen>(items: &[T]) -> Option<&[u8]> {
    if !T::PLAIN.holds() {
        return None;
    }
    // SAFETY: plain types have no padding, so every byte of the slice is initialised; bytes have no
    // alignment, and the length is that of the same allocation.
    Some(unsafe { core::slice::from_raw_parts(items.as_ptr().cast(), size_of_val(items)) })
}

/// The bytes as items, where they lie, if the items are plain and the address is aligned for them.
#[inline]
#[expect(clippy::arithmetic_side_effects, reason = "no type of no bytes is plain")]
pub(crate) fn items_of<T: Frozen>(bytes: &[u8]) -> Option<&[T]> {
    let aligned = bytes.as_ptr().cast::<T>().is_aligned();
    if !T::PLAIN.holds() || !aligned || bytes.len() % T::MIN_LEN != 0 {
        return None;
    }
    // SAFETY: the size of a plain type is its MIN_LEN, which divides the length; every pattern is a value of it;
    // the address is aligned; and a plain type holds no lifetime that could outlive the bytes.
    Some(unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / T::MIN_LEN) })
}

/// Appends the items that `bytes` encode, if they are plain; says whether it did.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "no type of no bytes is plain")]
pub(crate) fn extend<T: Frozen>(items: &mut Vec<T>, bytes: &[u8]) -> bool {
    if !T::PLAIN.holds() || bytes.len() % T::MIN_LEN != 0 {
        return false;
    }
    // SAFETY: every pattern of MIN_LEN bytes is a value of a plain type, and its memory.
    unsafe { append(items, bytes, bytes.len() / T::MIN_LEN) };
    true
}

/// Appends bools.
#[inline(always)]
pub(super) fn extend_bools(items: &mut Vec<bool>, bools: &[bool]) {
    // SAFETY: the memory of a bool is one byte.
    unsafe { append(items, bytemuck::cast_slice(bools), bools.len()) };
}

/// Appends `count` items, of which there are most often few.
///
/// # Safety
/// The bytes are the memory of so many items, which are bitwise copies of values and own nothing.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "room for `count` items was reserved")]
unsafe fn append<T>(items: &mut Vec<T>, bytes: &[u8], count: usize) {
    debug_assert_eq!(bytes.len(), count * size_of::<T>());
    items.reserve_exact(count);
    let len = items.len();
    let slots = items.spare_capacity_mut();
    // SAFETY: `count` slots were reserved, and by the contract the bytes fill as many; source and target are different
    // allocations.
    unsafe { copy_run(bytes, slots.as_mut_ptr().cast()) };
    // SAFETY: the `count` slots after `len` now hold the memory of items.
    unsafe { items.set_len(len + count) };
}

/// The value that `bytes` encode, in its slot, if it is plain; else gives the slot back.
#[inline(always)]
pub(super) fn fill<'s, T: Frozen>(bytes: &[u8], slot: Slot<'s, T>) -> Result<Filled<'s, T>, Slot<'s, T>> {
    if !T::PLAIN.holds() || bytes.len() != size_of::<T>() {
        return Err(slot);
    }
    // SAFETY: every pattern of so many bytes is a value of a plain type, and its memory, of which a copy is another.
    Ok(unsafe { slot.copy(bytes) })
}

/// The `N` items that `bytes` encode, in their slot, if they are plain; else gives the slot back.
#[inline(always)]
pub(super) fn fill_array<'s, T: Frozen, const N: usize>(
    bytes: &[u8],
    slot: Slot<'s, [T; N]>,
) -> Result<Filled<'s, [T; N]>, Slot<'s, [T; N]>> {
    if !T::PLAIN.holds() || bytes.len() != size_of::<[T; N]>() {
        return Err(slot);
    }
    // SAFETY: an array has no padding beyond that of its items, so the bytes are as many as those of the array; and
    // every pattern is a value of a plain type, and its memory, of which a copy is another.
    Ok(unsafe { slot.copy(bytes) })
}

/// Copies the items that `bytes` encode over `items`, if they are plain and as many; says whether it did.
#[inline(always)]
pub(super) fn overwrite<T: Frozen>(items: &mut [T], bytes: &[u8]) -> bool {
    if !T::PLAIN.holds() || bytes.len() != size_of_val(items) {
        return false;
    }
    // SAFETY: as many bytes are written as the items have, which nobody else uses; every pattern is a value of a plain
    // type, and dropping the one that was there does nothing.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), items.as_mut_ptr().cast::<u8>(), bytes.len()) };
    true
}

/// The bytes as bools, if each is 0 or 1.
#[inline]
pub(crate) fn bools_of(bytes: &[u8]) -> Option<&[bool]> {
    if arch::any_bit_set(bytes, 0xfe) {
        return None;
    }
    // SAFETY: a bool is one byte that is 0 or 1, and all of these are.
    Some(unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) })
}

/// The first `count` bytes as bools, if each is 0 or 1, they are few, and enough bytes lie behind them to tell without a
/// branch on how many they are.
#[inline(always)]
pub(super) fn few_bools(bytes: &[u8], count: usize) -> Option<&[bool]> {
    const FEW: usize = 32;
    if !window::is_clear::<0xfe, FEW, { 2 * FEW }>(bytes.first_chunk()?, count) {
        return None;
    }
    let bytes = bytes.get(..count)?;
    // SAFETY: a bool is one byte that is 0 or 1, and all of these are: they have no other bit set.
    Some(unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) })
}
