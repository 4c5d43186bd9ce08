//! Where a value is to lie, lent out before it is there: a large value is then built in its place and never moved.
//!
//! Who is lent a [`Slot`] can bring about a [`Filled`] for it only by a value, so a safe
//! [`Decode::decode_at`](super::Decode::decode_at) that has one to show has filled the slot. The lifetime `'s` belongs
//! to one lending alone, and what was filled elsewhere is none of it.
#![allow(unsafe_code)]

use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::{MaybeUninit, offset_of};
use core::num::{Saturating, Wrapping};
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

/// The bytes from which on a value is moved in a frame of its own, so that the frames of a recursion do not grow with it.
pub(super) const LARGE: usize = 64;

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

impl<'s, T> Slot<'s, T> {
    /// Copies a value there, byte by byte.
    ///
    /// # Safety
    /// The bytes are the memory of a `T`, and a bitwise copy of it is another.
    #[inline(always)]
    pub(super) unsafe fn copy(self, bytes: &[u8]) -> Filled<'s, T> {
        debug_assert_eq!(bytes.len(), size_of::<T>());
        let to = self.at.cast::<u8>().as_ptr();
        // SAFETY: a slot is memory for a T, and nobody else's, so none of the bytes; those are as many, by the contract.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, size_of::<T>()) };
        Filled { at: self.at, lending: PhantomData, owns: PhantomData }
    }
}

impl<'s, T, const N: usize> Slot<'s, [T; N]> {
    /// Fills the elements one after another. After an error, or a panic, those before it are dropped.
    #[inline(always)]
    pub(super) fn each<C, E>(
        self,
        context: &mut C,
        mut fill: impl for<'e> FnMut(&mut C, Slot<'e, T>) -> Result<Filled<'e, T>, E>,
    ) -> Result<Filled<'s, [T; N]>, E> {
        let mut items = Items { first: self.at.cast::<T>(), len: 0 };
        // SAFETY: the slot is memory for `N` items, and nobody else's.
        unsafe { items.fill(context, N, &mut fill)? };
        // All belong to the array.
        core::mem::forget(items);
        Ok(Filled { at: self.at, lending: PhantomData, owns: PhantomData })
    }

    /// Copies the elements there, if there are `N`; else gives the slot back.
    #[inline(always)]
    pub(super) fn copied(self, items: &[T]) -> Result<Filled<'s, [T; N]>, Self>
    where
        T: Copy,
    {
        if items.len() != N {
            return Err(self);
        }
        let to = self.at.cast::<T>().as_ptr();
        // SAFETY: the slot is memory for `N` items, and nobody else's, so none of those; and they can be copied.
        unsafe { core::ptr::copy_nonoverlapping(items.as_ptr(), to, N) };
        Ok(Filled { at: self.at, lending: PhantomData, owns: PhantomData })
    }
}

/// The first items of an array or a slice that is being filled: they are dropped unless this is forgotten.
struct Items<T> {
    first: NonNull<T>,
    len: usize,
}

impl<T> Items<T> {
    /// Fills as many as are missing to `count`.
    ///
    /// # Safety
    /// There is memory for `count` items from the first on, aligned and nobody else's.
    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "counts up to `count`")]
    unsafe fn fill<C, E>(
        &mut self,
        context: &mut C,
        count: usize,
        fill: &mut impl for<'e> FnMut(&mut C, Slot<'e, T>) -> Result<Filled<'e, T>, E>,
    ) -> Result<(), E> {
        while self.len < count {
            // SAFETY: there is memory for `count` items, and fewer were filled.
            let at = unsafe { self.first.add(self.len) };
            let item = fill(context, Slot { at, lending: PhantomData })?;
            // It belongs to those before it from now on.
            core::mem::forget(item);
            self.len += 1;
        }
        Ok(())
    }
}

impl<T> Drop for Items<T> {
    #[inline(always)]
    fn drop(&mut self) {
        let items = NonNull::slice_from_raw_parts(self.first, self.len);
        // SAFETY: so many were filled, and nobody else owns them: the array, when it is whole, forgets this.
        unsafe { items.drop_in_place() }
    }
}

macro_rules! parts {
    ($([$($part:ident $field:tt $fill:ident),+] $whole:ty;)*) => {$(
        impl<'s, $($part),+> Slot<'s, $whole> {
            /// Fills the fields one after another. After an error, or a panic, those before it are dropped.
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "one for each field")]
            pub(super) fn fields<C, E>(
                self,
                context: &mut C,
                $($fill: impl for<'p> FnOnce(&mut C, Slot<'p, $part>) -> Result<Filled<'p, $part>, E>,)+
            ) -> Result<Filled<'s, $whole>, E> {
                let parts = ($(
                    $fill(context, {
                        // SAFETY: the field of that type lies there, and this is its one slot.
                        unsafe { self.part::<$part>(offset_of!($whole, $field)) }
                    })?,
                )+);
                // SAFETY: these are all fields, each filled in its slot: a lending of its own has no other result.
                Ok(unsafe { self.whole(parts) })
            }
        }
    )*};
}

parts! {
    [A 0 a] Wrapping<A>;
    [A 0 a] Saturating<A>;
    [A 0 a] (A,);
    [A 0 a, B 1 b] (A, B);
    [A 0 a, B 1 b, D 2 d] (A, B, D);
    [A 0 a, B 1 b, D 2 d, F 3 f] (A, B, D, F);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g] (A, B, D, F, G);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g, H 5 h] (A, B, D, F, G, H);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g, H 5 h, I 6 i] (A, B, D, F, G, H, I);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g, H 5 h, I 6 i, J 7 j] (A, B, D, F, G, H, I, J);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g, H 5 h, I 6 i, J 7 j, K 8 k] (A, B, D, F, G, H, I, J, K);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g, H 5 h, I 6 i, J 7 j, K 8 k, L 9 l] (A, B, D, F, G, H, I, J, K, L);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g, H 5 h, I 6 i, J 7 j, K 8 k, L 9 l, M 10 m]
        (A, B, D, F, G, H, I, J, K, L, M);
    [A 0 a, B 1 b, D 2 d, F 3 f, G 4 g, H 5 h, I 6 i, J 7 j, K 8 k, L 9 l, M 10 m, N 11 n]
        (A, B, D, F, G, H, I, J, K, L, M, N);
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

/// Builds a value and hands it on. A large one is held once by a frame that is there for it alone, and moved on in
/// another: so the frames of a recursion hold each value that is being built, and none but those.
///
/// # Errors
/// Those of `fill`.
#[inline(always)]
pub(super) fn build_and<C, T, E, R>(
    context: &mut C,
    fill: impl for<'s> FnOnce(&mut C, Slot<'s, T>) -> Result<Filled<'s, T>, E>,
    then: impl FnOnce(T) -> R,
) -> Result<R, E> {
    #[inline(never)]
    fn apart<C, T, E, R>(
        context: &mut C,
        fill: impl for<'s> FnOnce(&mut C, Slot<'s, T>) -> Result<Filled<'s, T>, E>,
        then: impl FnOnce(T) -> R,
    ) -> Result<R, E> {
        let mut place = MaybeUninit::uninit();
        lend(context, &mut place, fill)?;
        // SAFETY: `lend` had no error, so the value is there, and it is forgotten here.
        Ok(unsafe { hand_on(&mut place, then) })
    }
    /// # Safety
    /// The value is there, and nobody takes it again.
    #[inline(never)]
    unsafe fn hand_on<T, R>(place: &mut MaybeUninit<T>, then: impl FnOnce(T) -> R) -> R {
        // SAFETY: passed on from the caller.
        then(unsafe { place.assume_init_read() })
    }
    if size_of::<T>() > LARGE { apart(context, fill, then) } else { build(context, fill).map(then) }
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

macro_rules! shared {
    ($($(#[$doc:meta])* $name:ident, $pointer:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name<C, T, E>(
            context: &mut C,
            fill: impl for<'s> FnOnce(&mut C, Slot<'s, T>) -> Result<Filled<'s, T>, E>,
        ) -> Result<$pointer<T>, E> {
            let mut shared = $pointer::<T>::new_uninit();
            match $pointer::get_mut(&mut shared) {
                Some(place) => lend(context, place, fill)?,
                None => unreachable!("shared before anybody has it"),
            }
            // SAFETY: `lend` had no error, so the value is there.
            Ok(unsafe { shared.assume_init() })
        }
    )*};
}

shared! {
    /// Builds a value in an `Rc`.
    build_rc, Rc;
}

#[cfg(target_has_atomic = "ptr")]
shared! {
    /// Builds a value in an `Arc`.
    build_arc, Arc;
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

/// Builds a value in each of the places. After an error, or a panic, those before it are dropped.
///
/// # Errors
/// Those of `fill`.
#[cfg(feature = "bumpalo")]
#[inline(always)]
pub(super) fn fill_slice<'a, C, T, E>(
    context: &mut C,
    places: &'a mut [MaybeUninit<T>],
    mut fill: impl for<'e> FnMut(&mut C, Slot<'e, T>) -> Result<Filled<'e, T>, E>,
) -> Result<&'a mut [T], E> {
    let count = places.len();
    let first = NonNull::from(places).cast::<T>();
    let mut items = Items { first, len: 0 };
    // SAFETY: there are as many places, and they are borrowed mutably.
    unsafe { items.fill(context, count, &mut fill)? };
    // All belong to the caller.
    core::mem::forget(items);
    let mut items = NonNull::slice_from_raw_parts(first, count);
    // SAFETY: as many items were filled as there are places, which are borrowed for as long.
    Ok(unsafe { items.as_mut() })
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
    fn an_array_is_built_item_by_item_and_dropped_as_far_as_it_was() {
        let mut shared = Rc::new(());
        for fails_at in 0..=3 {
            let mut at = 0;
            let built: Result<Box<[Pair; 3]>, _> = build_box(&mut shared, |shared, slot| {
                slot.each(shared, |shared, slot| {
                    at += 1;
                    pair(shared, slot, at > fails_at)
                })
            });
            assert_eq!(built.is_ok(), fails_at == 3);
            assert_eq!(Rc::strong_count(&shared), if built.is_ok() { 4 } else { 1 });
        }
        assert_eq!(Rc::strong_count(&shared), 1);
        let copied =
            |items: &[u16]| build(&mut (), |(), slot: Slot<'_, [u16; 2]>| slot.copied(items).map_err(|_| ()));
        assert_eq!((copied(&[1, 2]), copied(&[1]), copied(&[1, 2, 3])), (Ok([1, 2]), Err(()), Err(())));
    }

    #[test]
    fn fields_are_built_in_their_order_and_dropped_as_far_as_they_were() {
        let mut shared = Rc::new(());
        for fails in [false, true] {
            let built = build(&mut shared, |shared, slot: Slot<'_, (u8, Pair, Pair)>| {
                slot.fields(
                    shared,
                    |_, slot| Ok(slot.fill(7)),
                    |shared, slot| pair(shared, slot, false),
                    |shared, slot| pair(shared, slot, fails),
                )
            });
            assert_eq!((built.is_err(), Rc::strong_count(&shared)), (fails, if fails { 1 } else { 3 }));
            assert!(built.is_ok_and(|built| built.0 == 7 && built.2.name == "name") != fails);
        }
        let wrapping = build(&mut (), |(), slot: Slot<'_, Wrapping<u8>>| {
            slot.fields(&mut (), |(), slot| Ok::<_, ()>(slot.fill(9)))
        });
        assert_eq!(wrapping, Ok(Wrapping(9)));
    }

    #[test]
    fn shared_values_are_built_where_they_are_shared() {
        let mut shared = Rc::new(());
        let one = build_rc(&mut shared, |shared, slot| pair(shared, slot, false)).unwrap();
        assert_eq!((&*one.name, Rc::strong_count(&one), Rc::strong_count(&shared)), ("name", 1, 2));
        assert!(build_rc(&mut shared, |shared, slot| pair(shared, slot, true)).is_err());
        drop(one);
        assert_eq!(Rc::strong_count(&shared), 1);
        #[cfg(target_has_atomic = "ptr")]
        assert_eq!(*build_arc(&mut (), |(), slot| Ok::<_, ()>(slot.fill([1u8; 3]))).unwrap(), [1; 3]);
    }

    #[test]
    fn what_is_handed_on_is_dropped_by_who_has_it() {
        let mut shared = Rc::new(());
        type Large = (Pair, [u64; 99]);
        let mut large = |fails: bool| {
            build_and(
                &mut shared,
                |shared, slot: Slot<'_, Large>| {
                    slot.fields(
                        shared,
                        |shared, slot| pair(shared, slot, false),
                        |_, slot| match fails {
                            false => Ok(slot.fill([7; 99])),
                            true => Err("no numbers"),
                        },
                    )
                },
                |value| value.0.name.len() + value.1.len(),
            )
        };
        assert_eq!((large(true), large(false)), (Err("no numbers"), Ok(103)));
        assert_eq!(
            build_and(&mut shared, |shared, slot| pair(shared, slot, false), |pair| pair.name.len()),
            Ok(4)
        );
        assert_eq!(Rc::strong_count(&shared), 1);
    }

    #[test]
    fn items_without_a_size_are_counted() {
        let mut items = Vec::new();
        extend(&mut (), &mut items, 3, |_, slot| Ok::<_, ()>(slot.fill(()))).unwrap();
        assert_eq!(items, [(); 3]);
    }
}
