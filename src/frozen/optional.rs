//! A presence byte and perhaps a value. Chapter: Frozen values, Optional.

use super::fields::never_fixed;
use super::slot::{Filled, LARGE, Slot};
use super::{Decode, Encode, Exact, Frozen, slot};
use crate::error::{EncodeError, Fault, Reason};
use crate::schema::{Shape, StaticType, Typed};
use crate::wire::{Chunk, Measure, Sink, Source};

/// `optional{T}`.
impl<T: Frozen> Frozen for Option<T> {
    const MIN_LEN: usize = 1;
    const DEPTH: u32 = 1;
    #[allow(unsafe_code, reason = "a promise")]
    // SAFETY: one byte is counted and written, and then the value, measured by `element` or `elements` and written by
    // `element`.
    const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

    fn shape() -> Shape {
        Shape::Optional(T::shape)
    }
}

impl<X, T: Typed<X>> Typed<X> for Option<T> {
    const TYPE: &'static StaticType = &StaticType::Optional(T::TYPE);
}

impl<T: Encode> Encode for Option<T> {
    #[inline]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.enter()?;
        measure.add(1);
        if T::FIXED {
            // Presence is often as good as random, so it is no branch here.
            measure.elements::<T>(usize::from(self.is_some()))?;
        } else if let Some(value) = self {
            measure.element(value)?;
        }
        measure.leave();
        Ok(())
    }

    #[inline]
    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([u8::from(self.is_some())]);
        sink.optional(self);
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Option<T> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        slot::build(source, Self::decode_at)
    }

    #[inline]
    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        if size_of::<T>() > LARGE { large_at(source, slot) } else { small_at(source, slot) }
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        inside(source, |source, present| match !skip_fixed::<T, S>(source, present) && present {
            true => T::validate(source),
            false => Ok(()),
        })
    }

    /// A value that is there before and after is kept and read into. After a fault in it, it holds what `T` says;
    /// otherwise the optional is as it was.
    #[inline]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        inside(source, |source, present| {
            match place {
                _ if !present => clear(place),
                Some(value) => T::decode_into(source, value)?,
                None => slot::build_and(source, T::decode_at, |value| *place = Some(value))?,
            }
            Ok(())
        })
    }
}

#[inline]
fn small_at<'de, 's, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    slot: Slot<'s, Option<T>>,
) -> Result<Filled<'s, Option<T>>, Fault> {
    inside(source, |source, present| {
        Ok(match few::<T, S>(source, present) {
            Some(value) => slot.fill(value),
            None if present => slot.fill(Some(T::decode(source)?)),
            None => slot.fill(None),
        })
    })
}

/// The same for a large value, which is built beside its place: where in an optional it lies, only the compiler knows.
#[inline]
fn large_at<'de, 's, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    slot: Slot<'s, Option<T>>,
) -> Result<Filled<'s, Option<T>>, Fault> {
    inside(source, |source, present| match present {
        true => slot::build_and(source, T::decode_at, |value| slot.fill(Some(value))),
        false => Ok(absent(slot)),
    })
}

#[inline]
fn clear<T>(place: &mut Option<T>) {
    *place = None;
}

#[inline]
fn absent<T>(slot: Slot<'_, Option<T>>) -> Filled<'_, Option<T>> {
    slot.fill(None)
}

/// What comes after the presence byte of an optional, which is read first.
#[inline(always)]
pub(super) fn inside<'de, S: Source<'de>, R>(
    source: &mut S,
    then: impl FnOnce(&mut S, bool) -> Result<R, Fault>,
) -> Result<R, Fault> {
    source.enter()?;
    let present = presence(source)?;
    let found = then(source, present)?;
    source.leave();
    Ok(found)
}

/// Goes past a value of fixed size that is `present` and accepted, or past nothing; says whether it did. Presence is often
/// as good as random, so it is no branch here: the bytes are looked at in any case.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "0 or 1, times a length")]
fn skip_fixed<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S, present: bool) -> bool {
    // More bytes than these are better not looked at in vain.
    const FEW: usize = 16;
    if !T::FIXED || !T::TOTAL && T::MIN_LEN > FEW {
        return false;
    }
    if !T::TOTAL {
        let offset = source.offset();
        let Some(bytes) = source.rest().get(..T::MIN_LEN) else { return false };
        if T::validate_fixed(Chunk { bytes, offset }).is_err() & present {
            return false;
        }
    }
    source.chunk(usize::from(present) * T::MIN_LEN, T::DEPTH).is_some()
}

/// The optional, where its value has few bytes. Presence is often as good as random, so it is no branch here: the bytes
/// are looked at in any case. None where they have to be read with a fault in view.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "0 or 1, times a length")]
fn few<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S, present: bool) -> Option<Option<T>> {
    const FEW: usize = 8;
    if !T::FIXED || T::MIN_LEN > FEW || core::mem::needs_drop::<T>() {
        return None;
    }
    // Containers inside are entered, and so counted, only where the value is read by itself.
    if T::DEPTH > 0 {
        return None;
    }
    let offset = source.offset();
    let bytes = source.rest().get(..T::MIN_LEN)?;
    let value = T::decode_fixed(Chunk { bytes, offset }).ok();
    if present & value.is_none() {
        return None;
    }
    source.chunk(usize::from(present) * T::MIN_LEN, 0)?;
    Some(if present { value } else { None })
}

/// A presence byte: TYPE unless 0 or 1.
#[inline(always)]
pub(crate) fn presence<'de, S: Source<'de>>(source: &mut S) -> Result<bool, Fault> {
    let offset = source.offset();
    match source.array()? {
        [0u8] => Ok(false),
        [1] => Ok(true),
        _ => Err(Fault::new(Reason::PresenceByte, offset)),
    }
}
