//! Sixteen bytes in front of one Frozen value: the hash of the type it has. Chapter: Frame.
//!
//! The functions are those of the crate's root under the same names, with the frame around the value.
//!
//! ```
//! use kiln::{Code, frame};
//! let bytes = frame::to_vec(&(9i32, -4i32))?;
//! assert_eq!(bytes.len(), 16 + 8);
//! assert_eq!(frame::from_slice::<(i32, i32)>(&bytes)?, (9, -4));
//! assert_eq!(frame::from_slice::<(i32, u32)>(&bytes).unwrap_err().code(), Code::Schema);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::error::{EncodeError, Error, Fault, Numbers, Reason};
use crate::frozen::{self, Decode, Encode, Exact, Frozen, plain};
use crate::limits::Limits;
use crate::path::Root;
use crate::schema::{Shape, Typed, schema_hash};
use crate::wire::{Measure, Sink};
use alloc::vec::Vec;

/// The magic that a frame begins with.
pub const MAGIC: [u8; 4] = *b"KLN0";

/// The length of a frame, in bytes.
pub const LEN: usize = 16;

/// The profile of Frozen values, the only one that a reader takes. Chapter: Profiles.
pub const FROZEN: u16 = 0;

const LITTLE_ENDIAN: u8 = 1;

/// The frame of a type with that schema hash.
#[must_use]
pub const fn header(hash: u64) -> [u8; LEN] {
    let [m0, m1, m2, m3] = MAGIC;
    let [p0, p1] = FROZEN.to_le_bytes();
    let [a, b, c, d, e, f, g, h] = hash.to_le_bytes();
    [m0, m1, m2, m3, p0, p1, LITTLE_ENDIAN, 0, a, b, c, d, e, f, g, h]
}

/// Reads the frame that `bytes` begin with and gives the schema hash in it.
///
/// # Errors
/// EOF for fewer than 16 bytes, FRAME for another magic, profile, flags or reserved byte.
pub fn peek(bytes: &[u8]) -> Result<u64, Error> {
    parse(bytes).map_err(|fault| whole(fault, bytes))
}

#[cold]
fn whole(fault: Fault, bytes: &[u8]) -> Error {
    let nothing: fn() -> Shape = || Shape::Struct(&[]);
    let [_, _, _, _, p0, p1, flags, reserved, ..] = *bytes.first_chunk::<LEN>().unwrap_or(&[0; LEN]);
    let numbers = match fault.reason() {
        Reason::FrameShort => Numbers::claimed(LEN as u64, bytes.len() as u64),
        Reason::FrameMagic => {
            let magic = bytes.first_chunk().map_or(0, |magic| u32::from_le_bytes(*magic));
            Numbers::found(magic.into())
        }
        Reason::FrameProfile => Numbers::expected(u16::from_le_bytes([p0, p1]).into(), FROZEN.into()),
        Reason::FrameFlags => Numbers::expected(flags.into(), LITTLE_ENDIAN.into()),
        Reason::FrameReserved => Numbers::expected(reserved.into(), 0),
        _ => Numbers::NONE,
    };
    Error { numbers, ..Error::explain_by(fault, bytes, bytes.len(), nothing, &Limits::NONE) }
}

fn parse(bytes: &[u8]) -> Result<u64, Fault> {
    let fault = |reason, at| Err(Fault::new(reason, at));
    match bytes.first_chunk() {
        None => return fault(Reason::FrameShort, 0),
        Some(&magic) if magic != MAGIC => return fault(Reason::FrameMagic, 0),
        Some(_) => {}
    }
    let Some(&[_, _, _, _, p0, p1, flags, reserved, a, b, c, d, e, f, g, h]) = bytes.first_chunk::<LEN>()
    else {
        return fault(Reason::FrameShort, 0);
    };
    if u16::from_le_bytes([p0, p1]) != FROZEN {
        return fault(Reason::FrameProfile, 4);
    }
    if flags != LITTLE_ENDIAN {
        return fault(Reason::FrameFlags, 6);
    }
    if reserved != 0 {
        return fault(Reason::FrameReserved, 7);
    }
    Ok(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
}

/// Reads the frame and compares its hash.
///
/// # Errors
/// As [`peek`], and SCHEMA for another hash: both are in the error.
pub fn expect(bytes: &[u8], hash: u64) -> Result<(), Error> {
    let found = peek(bytes)?;
    if found == hash { Ok(()) } else { Err(other_hash(bytes, found, hash)) }
}

#[cold]
fn other_hash(bytes: &[u8], found: u64, expected: u64) -> Error {
    let error = whole(Fault::new(Reason::SchemaHash, 8), bytes);
    Error { numbers: Numbers::expected(found, expected), ..error }
}

/// The same for the hash of a type, whose text is then in the error.
pub(crate) fn expect_type<T: Typed + ?Sized>(bytes: &[u8], shape: fn() -> Shape) -> Result<(), Error> {
    expect(bytes, schema_hash::<T>()).map_err(|error| match error.reason() {
        Reason::SchemaHash => Error { root: Root::of(shape), ..error },
        _ => error,
    })
}

/// A value with its frame, for writing.
struct Framed<'a, T: ?Sized>(&'a T);

impl<T: Frozen + ?Sized> Frozen for Framed<'_, T> {
    const MIN_LEN: usize = LEN + T::MIN_LEN;
    #[allow(unsafe_code, reason = "a promise")]
    // SAFETY: sixteen bytes are measured and put beside the value's own, which is exact if this is.
    const EXACT: Exact<Self> = unsafe { Exact::promise(plain::is_exact::<T>()) };

    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Encode + Typed + ?Sized> Encode for Framed<'_, T> {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.add(LEN);
        measure.part(self.0)
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put(header(schema_hash::<T>()));
        sink.part(self.0);
    }
}

/// The length of the value's encoding with its frame, in bytes.
///
/// # Errors
/// As [`kiln::encoded_len`](crate::encoded_len).
pub fn encoded_len<T: Encode + Typed + ?Sized>(value: &T) -> Result<usize, EncodeError> {
    frozen::encoded_len(&Framed(value))
}

/// Writes frame and value into a new vector.
///
/// # Errors
/// As [`kiln::to_vec`](crate::to_vec).
pub fn to_vec<T: Encode + Typed + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    frozen::to_vec(&Framed(value))
}

/// Appends frame and value to a vector.
///
/// # Errors
/// As [`kiln::encode_into`](crate::encode_into).
pub fn encode_into<T: Encode + Typed + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    frozen::encode_into(&Framed(value), out)
}

/// Writes frame and value to the start of a slice and says how many bytes they took.
///
/// # Errors
/// As [`kiln::encode_to_slice`](crate::encode_to_slice).
pub fn encode_to_slice<T: Encode + Typed + ?Sized>(value: &T, out: &mut [u8]) -> Result<usize, EncodeError> {
    frozen::encode_to_slice(&Framed(value), out)
}

/// Writes frame and value to a stream and says how many bytes they took.
///
/// # Errors
/// As [`kiln::write_to`](crate::write_to).
#[cfg(feature = "std")]
pub fn write_to<T: Encode + Typed + ?Sized, W: std::io::Write + ?Sized>(
    value: &T,
    out: &mut W,
) -> std::io::Result<u64> {
    frozen::write_to(&Framed(value), out)
}

/// Reads the one framed value that `bytes` hold.
///
/// # Errors
/// EOF, FRAME and SCHEMA for the frame, then as [`kiln::from_slice`](crate::from_slice).
pub fn from_slice<'de, T: Decode<'de> + Typed>(bytes: &'de [u8]) -> Result<T, Error> {
    from_slice_with(bytes, &Limits::DEFAULT)
}

/// [`from_slice`] within `limits`.
///
/// # Errors
/// As [`from_slice`].
pub fn from_slice_with<'de, T: Decode<'de> + Typed>(bytes: &'de [u8], limits: &Limits) -> Result<T, Error> {
    expect_type::<T>(bytes, T::shape)?;
    frozen::read_whole(bytes, LEN, limits)
}

/// Says whether `bytes` hold one framed `T`, building nothing.
///
/// # Errors
/// As [`from_slice`], but for the owned budget.
pub fn validate<'de, T: Decode<'de> + Typed>(bytes: &'de [u8]) -> Result<(), Error> {
    validate_with::<T>(bytes, &Limits::DEFAULT)
}

/// [`validate`] within `limits`.
///
/// # Errors
/// As [`validate`].
pub fn validate_with<'de, T: Decode<'de> + Typed>(bytes: &'de [u8], limits: &Limits) -> Result<(), Error> {
    expect_type::<T>(bytes, T::shape)?;
    frozen::validate_whole::<T>(bytes, LEN, limits)
}

/// Reads the one framed value that `bytes` hold into one that exists, reusing what it owns.
///
/// # Errors
/// As [`from_slice`]. `place` then holds a valid value of parts old and new.
pub fn decode_into<'de, T: Decode<'de> + Typed>(bytes: &'de [u8], place: &mut T) -> Result<(), Error> {
    decode_into_with(bytes, place, &Limits::DEFAULT)
}

/// [`decode_into`] within `limits`.
///
/// # Errors
/// As [`decode_into`].
pub fn decode_into_with<'de, T: Decode<'de> + Typed>(
    bytes: &'de [u8],
    place: &mut T,
    limits: &Limits,
) -> Result<(), Error> {
    expect_type::<T>(bytes, T::shape)?;
    frozen::read_into(bytes, LEN, place, limits)
}

/// Reads the framed value that `bytes` begin with, and gives the bytes after it.
///
/// # Errors
/// As [`from_slice`], but never TRAILING.
pub fn from_prefix<'de, T: Decode<'de> + Typed>(bytes: &'de [u8]) -> Result<(T, &'de [u8]), Error> {
    from_prefix_with(bytes, &Limits::DEFAULT)
}

/// [`from_prefix`] within `limits`.
///
/// # Errors
/// As [`from_prefix`].
pub fn from_prefix_with<'de, T: Decode<'de> + Typed>(
    bytes: &'de [u8],
    limits: &Limits,
) -> Result<(T, &'de [u8]), Error> {
    expect_type::<T>(bytes, T::shape)?;
    frozen::read_prefix(bytes, LEN, limits)
}
