//! Text: a length and that many bytes of UTF-8. Chapter: Frozen values, Strings and byte runs.

use super::fields::never_fixed;
use super::slot::{Filled, Slot};
use super::{Decode, Encode, Exact, Frozen, shared_size, slot};
use crate::error::{EncodeError, Fault};
use crate::schema::{Scalar, Shape, StaticType, Typed};
use crate::text;
use crate::wire::{Chunk, Measure, Sink, Source};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;

macro_rules! texts {
    ($([$($generics:tt)*] $text:ty;)*) => {$(
        /// `str`.
        impl<$($generics)*> Frozen for $text {
            const MIN_LEN: usize = Scalar::Str.min_len();
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: a length and a run of that length are counted and written.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

            fn shape() -> Shape {
                Shape::Scalar(Scalar::Str)
            }
        }

        impl<$($generics)* X> Typed<X> for $text {
            const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::Str);
        }

        impl<$($generics)*> Encode for $text {
            #[inline]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                measure.run(self.len())
            }

            #[inline]
            fn encode<S: Sink>(&self, sink: &mut S) {
                sink.count(self.len());
                sink.run(self.as_bytes());
            }
        }
    )*};
}

texts! {
    [] str;
    [] String;
    ['a,] Cow<'a, str>;
}

/// What all texts do alike, in an implementation of [`Decode`].
macro_rules! as_any_text {
    () => {
        #[inline]
        fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
            never_fixed()
        }

        #[inline]
        fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
            source.text().map(drop)
        }
    };
}

/// Borrows the text from the buffer.
impl<'de: 'a, 'a> Decode<'de> for &'a str {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.text()
    }

    as_any_text!();
}

/// Always borrows the text from the buffer.
impl<'de: 'a, 'a> Decode<'de> for Cow<'a, str> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.text().map(Cow::Borrowed)
    }

    as_any_text!();
}

impl<'de> Decode<'de> for String {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        slot::build(source, Self::decode_at)
    }

    #[inline]
    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        let offset = source.offset();
        let text = source.text()?;
        source.charge(text.len(), offset)?;
        Ok(slot.fill(text::owned(text)))
    }

    as_any_text!();

    /// After a fault the string is as it was.
    #[inline]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        let offset = source.offset();
        let text = source.text()?;
        if text.len() > place.capacity() {
            source.charge(text.len(), offset)?;
        }
        place.clear();
        place.reserve_exact(text.len());
        place.push_str(text);
        Ok(())
    }
}

macro_rules! pointers {
    ($($pointer:ident, $size:expr, |$source:ident, $place:ident| $into:expr;)*) => {$(
        impl<'de> Decode<'de> for $pointer<str> {
            #[inline]
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                let offset = source.offset();
                let text = source.text()?;
                source.charge($size(text.len()), offset)?;
                Ok(text.into())
            }

            as_any_text!();

            /// A box is kept when the length is the same, a counted text when the text is. After a fault it is as it was.
            fn decode_into<S: Source<'de>>($source: &mut S, $place: &mut Self) -> Result<(), Fault> {
                $into
            }
        }
    )*};
}

/// Reads a text into a pointer to it, unless it is that already.
macro_rules! unless_same {
    ($source:ident, $place:ident, $size:expr) => {{
        let offset = $source.offset();
        let text = $source.text()?;
        if **$place != *text {
            $source.charge($size(text.len()), offset)?;
            *$place = text.into();
        }
        Ok(())
    }};
}

pointers! {
    Box, core::convert::identity, |source, place| {
        let mut text = core::mem::take(place).into_string();
        let result = String::decode_into(source, &mut text);
        *place = text.into_boxed_str();
        result
    };
    Rc, shared_size::<u8>, |source, place| unless_same!(source, place, shared_size::<u8>);
}

#[cfg(target_has_atomic = "ptr")]
pointers! {
    Arc, shared_size::<u8>, |source, place| unless_same!(source, place, shared_size::<u8>);
}
