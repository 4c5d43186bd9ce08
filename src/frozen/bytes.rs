//! Runs of bytes. Chapter: Frozen values, Strings and byte runs.
//!
//! `Vec<u8>` is a `list{u8}`, because Rust cannot tell it from other vectors. A byte run, `bytes`, is either one of
//! the two types here or a field with the attribute `#[kiln(bytes)]`. The bytes on the wire are the same; the
//! type text, the schema hash and the cap are not.

use super::fields::{Part, bytes_part, never_fixed};
use super::slot::{Filled, Slot};
use super::{Decode, Encode, Exact, Frozen, optional, slot};
use crate::error::{EncodeError, Fault, Reason};
use crate::schema::{Scalar, Shape, StaticType, Typed};
use crate::wire::{Chunk, Measure, Sink, Source};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// A byte run, `bytes`, where it lies: decoding borrows it from the buffer.
///
/// ```
/// use kiln::Bytes;
/// assert_eq!(kiln::type_text::<Bytes>(), "bytes");
/// let wire = kiln::to_vec(&Bytes(&[0xff, 0]))?;
/// assert_eq!(wire, [2, 0, 0, 0, 0xff, 0]);
/// let run: Bytes = kiln::from_slice(&wire)?;
/// assert_eq!(run.len(), 2);
/// assert_eq!(run, [0xff, 0]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// Decoding gives LIMIT for a length above [`Limits::bytes`](crate::Limits::bytes) and EOF for one beyond the bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bytes<'a>(pub &'a [u8]);

/// A byte run, `bytes`, that owns what it decodes.
///
/// ```
/// use kiln::ByteBuf;
/// let run: ByteBuf = kiln::from_slice(&[2, 0, 0, 0, 0xff, 0])?;
/// assert_eq!(run, [0xff, 0]);
/// assert_eq!(format!("{run:?}"), r#"b"\xff\x00""#);
/// assert_eq!(Vec::from(run), [0xff, 0]);
/// # Ok::<(), kiln::Error>(())
/// ```
///
/// # Errors
/// As [`Bytes`], and LIMIT for more than the owned budget. When decoding into an existing value fails, it holds
/// what it held.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ByteBuf(pub Vec<u8>);

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl Deref for ByteBuf {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for ByteBuf {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

macro_rules! like_a_slice {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<$($generics)*> AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl<$($generics)*> fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "b\"{}\"", self.0.escape_ascii())
            }
        }

        impl<$($generics)*> PartialEq<[u8]> for $name {
            fn eq(&self, other: &[u8]) -> bool {
                *self.0 == *other
            }
        }

        impl<$($generics)*> PartialEq<&[u8]> for $name {
            fn eq(&self, other: &&[u8]) -> bool {
                *self.0 == **other
            }
        }

        impl<$($generics)* const N: usize> PartialEq<[u8; N]> for $name {
            fn eq(&self, other: &[u8; N]) -> bool {
                *self.0 == *other
            }
        }

        impl<$($generics)* const N: usize> PartialEq<&[u8; N]> for $name {
            fn eq(&self, other: &&[u8; N]) -> bool {
                *self.0 == **other
            }
        }
    )*};
}

like_a_slice! {
    ['a,] Bytes<'a>;
    [] ByteBuf;
}

impl PartialEq<Bytes<'_>> for ByteBuf {
    fn eq(&self, other: &Bytes<'_>) -> bool {
        *self.0 == *other.0
    }
}

impl PartialEq<ByteBuf> for Bytes<'_> {
    fn eq(&self, other: &ByteBuf) -> bool {
        *self.0 == *other.0
    }
}

impl<'a> From<&'a [u8]> for Bytes<'a> {
    fn from(run: &'a [u8]) -> Self {
        Bytes(run)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Bytes<'a> {
    fn from(run: &'a [u8; N]) -> Self {
        Bytes(run)
    }
}

impl<'a> From<&'a ByteBuf> for Bytes<'a> {
    fn from(run: &'a ByteBuf) -> Self {
        Bytes(&run.0)
    }
}

impl<'a> From<Bytes<'a>> for &'a [u8] {
    fn from(run: Bytes<'a>) -> Self {
        run.0
    }
}

impl From<Vec<u8>> for ByteBuf {
    fn from(run: Vec<u8>) -> Self {
        ByteBuf(run)
    }
}

impl From<&[u8]> for ByteBuf {
    fn from(run: &[u8]) -> Self {
        ByteBuf(run.to_vec())
    }
}

impl From<Bytes<'_>> for ByteBuf {
    fn from(run: Bytes<'_>) -> Self {
        ByteBuf(run.0.to_vec())
    }
}

impl From<ByteBuf> for Vec<u8> {
    fn from(run: ByteBuf) -> Self {
        run.0
    }
}

/// The two newtypes are on the wire what a field with the attribute is.
macro_rules! newtype {
    ($([$($generics:tt)*] $name:ty, $inner:ty;)*) => {$(
        impl<$($generics)*> Frozen for $name {
            const MIN_LEN: usize = <$inner as ByteField>::MIN_LEN;
            #[allow(unsafe_code, reason = "a promise")]
            // SAFETY: every ByteField counts and writes the same run.
            const EXACT: Exact<Self> = unsafe { Exact::promise(true) };

            fn shape() -> Shape {
                <$inner as ByteField>::shape()
            }
        }

        impl<$($generics)* X> Typed<X> for $name {
            const TYPE: &'static StaticType = <$inner as ByteField>::TYPE;
        }

        impl<$($generics)*> Encode for $name {
            #[inline]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                ByteField::measure(&self.0, measure)
            }

            #[inline]
            fn encode<S: Sink>(&self, sink: &mut S) {
                ByteField::encode(&self.0, sink);
            }
        }
    )*};
}

newtype! {
    ['a,] Bytes<'a>, &'a [u8];
    [] ByteBuf, Vec<u8>;
}

impl<'de: 'a, 'a> Decode<'de> for Bytes<'a> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        DecodeByteField::decode(source).map(Bytes)
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        <&'a [u8] as DecodeByteField>::validate(source)
    }
}

impl<'de> Decode<'de> for ByteBuf {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        DecodeByteField::decode(source).map(ByteBuf)
    }

    #[inline]
    fn decode_fixed(_: Chunk<'de>) -> Result<Self, Fault> {
        never_fixed()
    }

    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        <Vec<u8> as DecodeByteField>::validate(source)
    }

    #[inline]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        DecodeByteField::decode_into(source, &mut place.0)
    }
}

/// What the derive asks of a field with `#[kiln(bytes)]`, in the place of [`Frozen`], [`Encode`] and [`Typed`]:
/// `Vec<u8>`, `Box<[u8]>`, `Rc<[u8]>`, `Arc<[u8]>`, `&[u8]`, `Cow<[u8]>`, `[u8; N]`, and an `Option` of each
/// (then `optional{bytes}`).
///
/// The facts that are not here are the same for all: never `FIXED`, never `PLAIN`, always `EXACT` (the trait is
/// sealed, so the derive may take that for granted).
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`#[kiln(bytes)]` stands on a field of type `{Self}`, which is not a run of bytes",
    label = "not a run of bytes",
    note = "it goes on `Vec<u8>`, `Box<[u8]>`, `Rc<[u8]>`, `Arc<[u8]>`, `&[u8]`, `Cow<[u8]>` or `[u8; N]`, or on an `Option` \
            of one of them",
    note = "for runs of bytes inside other types use `kiln::ByteBuf` or `kiln::Bytes`, as in `Vec<kiln::ByteBuf>`"
)]
pub trait ByteField: sealed::Sealed {
    /// [`Frozen::MIN_LEN`].
    const MIN_LEN: usize;

    /// [`Frozen::DEPTH`].
    const DEPTH: u32;

    /// Its facts as a field.
    const PART: Part = bytes_part(Self::MIN_LEN, Self::DEPTH);

    /// [`Typed::TYPE`].
    const TYPE: &'static StaticType;

    /// [`Frozen::shape`].
    fn shape() -> Shape;

    /// [`Encode::measure`].
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError>;

    /// [`Encode::encode`].
    fn encode<S: Sink>(&self, sink: &mut S);
}

/// What the derive asks of such a field in the place of [`Decode`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a run of bytes cannot be read into a `{Self}`",
    label = "cannot be read"
)]
pub trait DecodeByteField<'de>: ByteField + Sized {
    /// [`Decode::decode`].
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault>;

    /// [`Decode::validate`].
    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        source.run().map(drop)
    }

    /// [`Decode::decode_at`].
    #[inline(always)]
    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        Self::decode(source).map(|value| slot.fill(value))
    }

    /// [`Decode::decode_into`].
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        *place = Self::decode(source)?;
        Ok(())
    }
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! byte_fields {
    ($([$($generics:tt)*] $run:ty;)*) => {$(
        impl<$($generics)*> sealed::Sealed for $run {}

        impl<$($generics)*> ByteField for $run {
            const MIN_LEN: usize = Scalar::Bytes.min_len();
            const DEPTH: u32 = 0;
            const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::Bytes);

            fn shape() -> Shape {
                Shape::Scalar(Scalar::Bytes)
            }

            #[inline]
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                let run: &[u8] = self.as_ref();
                measure.run(run.len())
            }

            #[inline]
            fn encode<S: Sink>(&self, sink: &mut S) {
                let run: &[u8] = self.as_ref();
                sink.count(run.len());
                sink.run(run);
            }
        }
    )*};
}

byte_fields! {
    [] Vec<u8>;
    [] Box<[u8]>;
    [] Rc<[u8]>;
    ['a] &'a [u8];
    ['a] Cow<'a, [u8]>;
    [const N: usize] [u8; N];
}

#[cfg(target_has_atomic = "ptr")]
byte_fields! {
    [] Arc<[u8]>;
}

impl<'de: 'a, 'a> DecodeByteField<'de> for &'a [u8] {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.run()
    }
}

impl<'de: 'a, 'a> DecodeByteField<'de> for Cow<'a, [u8]> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.run().map(Cow::Borrowed)
    }
}

impl<'de> DecodeByteField<'de> for Vec<u8> {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        slot::build(source, <Self as DecodeByteField>::decode_at)
    }

    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        let offset = source.offset();
        let run = source.run()?;
        source.charge(run.len(), offset)?;
        Ok(slot.fill(run.to_vec()))
    }

    /// After a fault the vector is as it was.
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        let offset = source.offset();
        let run = source.run()?;
        if run.len() > place.capacity() {
            source.charge(run.len(), offset)?;
        }
        place.clear();
        place.reserve_exact(run.len());
        place.extend_from_slice(run);
        Ok(())
    }
}

impl<'de> DecodeByteField<'de> for Box<[u8]> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let offset = source.offset();
        let run = source.run()?;
        source.charge(run.len(), offset)?;
        Ok(run.into())
    }

    /// The box is kept when the length is the same. After a fault it is as it was.
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        let offset = source.offset();
        let run = source.run()?;
        if run.len() == place.len() {
            place.copy_from_slice(run);
        } else {
            source.charge(run.len(), offset)?;
            *place = run.into();
        }
        Ok(())
    }
}

macro_rules! counted {
    ($($pointer:ident),*) => {$(
        impl<'de> DecodeByteField<'de> for $pointer<[u8]> {
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                let offset = source.offset();
                let run = source.run()?;
                source.charge(super::shared_size::<u8>(run.len()), offset)?;
                Ok(run.into())
            }
        }
    )*};
}

counted!(Rc);
#[cfg(target_has_atomic = "ptr")]
counted!(Arc);

/// A run that has to have `N` bytes: the cap first, then TYPE for another length, both at the length; then EOF after it.
fn exact_run<'de, S: Source<'de>, const N: usize>(source: &mut S) -> Result<&'de [u8], Fault> {
    let offset = source.offset();
    let len = u32::from_le_bytes(source.array()?);
    if u64::from(len) > source.limits().bytes {
        return Err(Fault::new(Reason::RunCap, offset));
    }
    if usize::try_from(len) != Ok(N) {
        return Err(Fault::new(Reason::ArrayCount, offset));
    }
    source.take(N)
}

impl<'de, const N: usize> DecodeByteField<'de> for [u8; N] {
    #[inline]
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        slot::build(source, <Self as DecodeByteField>::decode_at)
    }

    #[inline]
    #[expect(clippy::unreachable, reason = "the run has N bytes")]
    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        let run = exact_run::<S, N>(source)?;
        match slot.copied(run) {
            Ok(filled) => Ok(filled),
            Err(_) => unreachable!("the run has N bytes"),
        }
    }

    #[inline]
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        exact_run::<S, N>(source).map(drop)
    }

    /// After a fault the array is as it was.
    #[inline]
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        place.copy_from_slice(exact_run::<S, N>(source)?);
        Ok(())
    }
}

impl<T: ByteField> sealed::Sealed for Option<T> {}

impl<T: ByteField> ByteField for Option<T> {
    const MIN_LEN: usize = 1;
    const DEPTH: u32 = 1;
    const TYPE: &'static StaticType = &StaticType::Optional(T::TYPE);

    fn shape() -> Shape {
        Shape::Optional(T::shape)
    }

    #[inline]
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.enter()?;
        measure.add(1);
        if let Some(value) = self {
            value.measure(measure)?;
        }
        measure.leave();
        Ok(())
    }

    #[inline]
    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([u8::from(self.is_some())]);
        if let Some(value) = self {
            value.encode(sink);
        }
    }
}

impl<'de, T: DecodeByteField<'de>> DecodeByteField<'de> for Option<T> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        optional::inside(
            source,
            |source, present| if present { T::decode(source).map(Some) } else { Ok(None) },
        )
    }

    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        optional::inside(source, |source, present| if present { T::validate(source) } else { Ok(()) })
    }

    /// A value that is there before and after is kept and read into. After a fault it may hold parts of both.
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        optional::inside(source, |source, present| {
            match place {
                _ if !present => *place = None,
                Some(value) => T::decode_into(source, value)?,
                None => *place = Some(T::decode(source)?),
            }
            Ok(())
        })
    }
}
