//! Where a value is to lie, lent out before it is there: a large value is then built in its place and never moved.
//!
//! Who is lent a [`Slot`] can bring about a [`Filled`] for it only by a value, so a safe
//! [`Decode::decode_at`](super::Decode::decode_at) that has one to show has filled the slot. The lifetime `'s` belongs
//! to one lending alone, and what was filled elsewhere is none of it.
#![allow(unsafe_code)]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// Neither longer nor shorter than it is.
type Lending<'s> = PhantomData<fn(&'s ()) -> &'s ()>;

/// Memory for a `T`, and nothing in it yet.
pub struct Slot<'s, T> {
    at: NonNull<T>,
    lending: Lending<'s>,
}

/// A slot with a value in it, which is dropped there unless the lender takes it.
#[must_use]
pub struct Filled<'s, T> {
    at: NonNull<T>,
    lending: Lending<'s>,
    owns: PhantomData<T>,
}

impl<'s, T> Slot<'s, T> {
    /// Puts a value there.
    #[inline(always)]
    pub fn fill(self, value: T) -> Filled<'s, T> {
        // SAFETY: a slot is memory for a T, aligned and nobody else's, for as long as it is lent.
        unsafe { self.at.write(value) };
        Filled { at: self.at, lending: PhantomData, owns: PhantomData }
    }

    /// The slot of a field.
    ///
    /// # Safety
    /// A `T` has a field of type `F` so many bytes from its beginning, and no other slot of it is in use.
    #[inline(always)]
    pub unsafe fn part<F>(&self, offset: usize) -> Slot<'s, F> {
        // SAFETY: the caller says that a field of the T begins there, and the slot is memory for all of it.
        let at = unsafe { self.at.byte_add(offset) };
        Slot { at: at.cast(), lending: PhantomData }
    }

    /// The value whose parts have been filled.
    ///
    /// # Safety
    /// They are all fields of a `T`, each filled in its [`part`](Self::part) of this slot.
    #[inline(always)]
    pub unsafe fn whole<P>(self, parts: P) -> Filled<'s, T> {
        // They are the value's from now on.
        core::mem::forget(parts);
        Filled { at: self.at, lending: PhantomData, owns: PhantomData }
    }
}

impl<T> Deref for Filled<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the value is there, and this is its owner.
        unsafe { self.at.as_ref() }
    }
}

impl<T> DerefMut for Filled<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the value is there, and this is its owner.
        unsafe { self.at.as_mut() }
    }
}

impl<T> Drop for Filled<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the value is there, and nobody has taken it: who does, forgets this.
        unsafe { self.at.drop_in_place() }
    }
}

/// Lends the memory `place`, which holds a value if there is no error.
#[inline(always)]
fn lend<C, T, E>(
    context: &mut C,
    place: &mut MaybeUninit<T>,
    fill: impl for<'s> FnOnce(&mut C, Slot<'s, T>) -> Result<Filled<'s, T>, E>,
) -> Result<(), E> {
    let slot = Slot { at: NonNull::from(place).cast(), lending: PhantomData };
    fill(context, slot).map(core::mem::forget)
}

/// Builds a value. What `fill` builds it from is handed through, so that the compiler sees that nobody else has it.
///
/// # Errors
/// Those of `fill`.
#[inline(always)]
pub fn build<C, T, E>(
    context: &mut C,
    fill: impl for<'s> FnOnce(&mut C, Slot<'s, T>) -> Result<Filled<'s, T>, E>,
) -> Result<T, E> {
    let mut place = MaybeUninit::uninit();
    lend(context, &mut place, fill)?;
    // SAFETY: `lend` had no error, so the value is there.
    Ok(unsafe { place.assume_init() })
}

/// Builds a value in a box.
#[inline(always)]
pub(super) fn build_box<C, T, E>(
    context: &mut C,
    fill: impl for<'s> FnOnce(&mut C, Slot<'s, T>) -> Result<Filled<'s, T>, E>,
) -> Result<Box<T>, E> {
    let mut place = Box::new_uninit();
    lend(context, &mut *place, fill)?;
    // SAFETY: `lend` had no error, so the value is there.
    Ok(unsafe { place.assume_init() })
}

/// Builds `count` values behind those that are there. After an error the list has those before it.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "room for `count` items was reserved")]
pub(super) fn extend<C, T, E>(
    context: &mut C,
    items: &mut Vec<T>,
    count: usize,
    mut fill: impl for<'s> FnMut(&mut C, Slot<'s, T>) -> Result<Filled<'s, T>, E>,
) -> Result<(), E> {
    items.reserve_exact(count);
    for _ in 0..count {
        let len = items.len();
        // SAFETY: the room reserved is for `count` items, and fewer have been added, so there is a slot at `len`.
        let place = unsafe { items.as_mut_ptr().add(len) };
        // SAFETY: and it is memory for an item, which nobody else uses.
        let place = unsafe { &mut *place.cast::<MaybeUninit<T>>() };
        lend(context, place, &mut fill)?;
        // SAFETY: `lend` had no error, so the item at `len` is there, as those before it are.
        unsafe { items.set_len(len + 1) };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use alloc::string::String;
    use core::mem::offset_of;

    #[derive(Debug)]
    struct Pair {
        name: String,
        shared: Rc<()>,
    }

    /// A pair built part by part; without its second part when `fails`.
    fn pair<'s>(
        shared: &mut Rc<()>,
        slot: Slot<'s, Pair>,
        fails: bool,
    ) -> Result<Filled<'s, Pair>, &'static str> {
        // SAFETY: the field of that type lies there, and this is its one slot.
        let mut second = unsafe { slot.part::<Rc<()>>(offset_of!(Pair, shared)) }.fill(Rc::clone(shared));
        assert!(Rc::ptr_eq(&second, shared));
        *second = Rc::clone(shared);
        if fails {
            return Err("no name");
        }
        // SAFETY: as above.
        let first = unsafe { slot.part::<String>(offset_of!(Pair, name)) }.fill("name".into());
        // SAFETY: a pair has no other fields.
        Ok(unsafe { slot.whole((first, second)) })
    }

    #[test]
    fn what_is_built_belongs_to_who_asked_for_it() {
        let mut shared = Rc::new(());
        let built = build(&mut shared, |shared, slot| pair(shared, slot, false)).unwrap();
        let boxed = build_box(&mut shared, |shared, slot| pair(shared, slot, false)).unwrap();
        assert_eq!((&*built.name, &*boxed.name, Rc::strong_count(&shared)), ("name", "name", 3));
        assert!(Rc::ptr_eq(&built.shared, &boxed.shared));
        drop((built, boxed));
        assert_eq!(Rc::strong_count(&shared), 1);
    }

    #[test]
    fn parts_of_what_fails_are_dropped_once_and_the_rest_is_never_touched() {
        let mut shared = Rc::new(());
        assert_eq!(build(&mut shared, |shared, slot| pair(shared, slot, true)).unwrap_err(), "no name");
        assert_eq!(build_box(&mut shared, |shared, slot| pair(shared, slot, true)).unwrap_err(), "no name");
        assert_eq!(Rc::strong_count(&shared), 1);
        let unused: Result<Pair, ()> = build(&mut (), |_, _| Err(()));
        assert!(unused.is_err());
    }

    #[test]
    fn a_list_keeps_what_was_built_before_the_failure() {
        let mut shared = Rc::new(());
        let mut items = Vec::new();
        for fails_at in [2, 0, 7, 5] {
            let (before, mut at) = (items.len(), 0);
            let result = extend(&mut shared, &mut items, 5, |shared, slot| {
                at += 1;
                pair(shared, slot, at > fails_at)
            });
            assert_eq!(result.is_ok(), fails_at >= 5);
            assert_eq!(items.len() - before, fails_at.min(5));
            assert_eq!(Rc::strong_count(&shared), 1 + items.len());
        }
        assert!(items.iter().all(|item| item.name == "name"));
        drop(items);
        assert_eq!(Rc::strong_count(&shared), 1);
    }

    #[test]
    fn items_without_a_size_are_counted() {
        let mut items = Vec::new();
        extend(&mut (), &mut items, 3, |_, slot| Ok::<_, ()>(slot.fill(()))).unwrap();
        assert_eq!(items, [(); 3]);
    }
}
