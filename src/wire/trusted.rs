//! The unchecked cursor, for bytes that this process just wrote. Chapter: Trusted readers.
#![allow(unsafe_code)]

use super::{Chunk, Source, sealed::Sealed};
use crate::error::Fault;
#[cfg(debug_assertions)]
use crate::frozen;
use crate::frozen::{ByteBuf, Bytes, Decode, Key, ListView};
use crate::limits::Limits;
use crate::tensor::{Directory, OwnedDirectory};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::rc::Rc;
use alloc::string::String;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::num::{NonZero, Saturating, Wrapping};
use half::{bf16, f16};

/// A type that reads trusted bytes as it reads others. Chapter: Trusted readers.
///
/// `#[kiln(trusted)]` beside `#[derive(Frozen)]` implements it, and compiles where all fields are trusted; the types
/// of the standard library and of this one are, where what they hold is.
///
/// ```
/// use kiln::Frozen;
///
/// #[derive(Frozen, Debug, PartialEq)]
/// #[kiln(trusted)]
/// struct Point { x: i32, y: i32 }
///
/// let bytes = kiln::to_vec(&Point { x: 9, y: -4 })?;
/// // SAFETY: the line above wrote them.
/// assert_eq!(unsafe { kiln::from_slice_trusted::<Point>(&bytes) }, Point { x: 9, y: -4 });
/// # Ok::<(), kiln::EncodeError>(())
/// ```
///
/// # Safety
/// [`Decode`] asks the source for the same things in the same order for the same bytes, whatever kind of source it is,
/// whatever its limits, and how often ever; and it goes on after no fault: a source that gave one is not asked again, and
/// the fault, or one in its place, is returned. So what a checked source accepts, a trusted one reads without a fault and
/// without leaving the bytes. The same holds for all that the type holds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to read trusted bytes as it reads others",
    label = "not Trusted",
    note = "a derived type says so with `#[kiln(trusted)]`; a hand-written one by `unsafe impl kiln::Trusted`"
)]
pub unsafe trait Trusted {
    /// Never called: the derive asks here whether all fields are trusted.
    #[doc(hidden)]
    fn trusted_fields() {}
}

/// Implements [`Trusted`] for types that are if what they hold is.
macro_rules! trusted {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        // SAFETY: its `Decode` depends on the bytes alone and hands on every fault, if that of what it holds does.
        unsafe impl<$($generics)*> Trusted for $type {}
    )*};
}

trusted! {
    [] bool; [] u8; [] u16; [] u32; [] u64; [] i8; [] i16; [] i32; [] i64; [] f32; [] f64; [] f16; [] bf16;
    [] NonZero<u8>; [] NonZero<u16>; [] NonZero<u32>; [] NonZero<u64>;
    [] NonZero<i8>; [] NonZero<i16>; [] NonZero<i32>; [] NonZero<i64>;
    [T: Trusted] Wrapping<T>;
    [T: Trusted] Saturating<T>;
    [T: Trusted + ?Sized] Box<T>;
    [T: Trusted + ?Sized] Rc<T>;
    [] str;
    [] String;
    [] &str;
    [] Cow<'_, str>;
    [] Bytes<'_>;
    [] ByteBuf;
    [T: Trusted] [T];
    [T: Trusted, const N: usize] [T; N];
    [T: Trusted] Vec<T>;
    [T: Trusted] VecDeque<T>;
    [T: Trusted] &[T];
    [T: Trusted + Clone] Cow<'_, [T]>;
    [T: Trusted] ListView<'_, T>;
    [T: Trusted] Option<T>;
    [K: Key, V: Trusted] BTreeMap<K, V>;
    [] ();
    [T: ?Sized] PhantomData<T>;
    [] Directory<'_>;
    [] OwnedDirectory;
}

#[cfg(target_has_atomic = "ptr")]
trusted! {
    [T: Trusted + ?Sized] Arc<T>;
}

#[cfg(feature = "std")]
trusted! {
    [K: Key, V: Trusted, S] std::collections::HashMap<K, V, S>;
}

macro_rules! trusted_tuples {
    ($(($($T:ident),+);)*) => { trusted! { $([$($T: Trusted),+] ($($T,)+);)* } };
}

trusted_tuples! {
    (A); (A, B); (A, B, C); (A, B, C, D); (A, B, C, D, E); (A, B, C, D, E, F); (A, B, C, D, E, F, G);
    (A, B, C, D, E, F, G, H); (A, B, C, D, E, F, G, H, I); (A, B, C, D, E, F, G, H, I, J);
    (A, B, C, D, E, F, G, H, I, J, K); (A, B, C, D, E, F, G, H, I, J, K, L);
}

/// A cursor that believes every length. Making one is unsafe; debug builds check what it promises.
///
/// # Safety contract
/// The bytes from the cursor on are a complete, accepted encoding of the value, or of the sequence of values,
/// that is then read, in the order in which they are read; and the types of these values are [`Trusted`]. Nothing else
/// about them is checked in a release build: a length that lies makes a read leave the buffer.
#[derive(Clone, Debug)]
pub struct TrustedReader<'de> {
    bytes: &'de [u8],
    at: usize,
}

impl<'de> TrustedReader<'de> {
    /// A trusted reader of `bytes`.
    ///
    /// # Safety
    /// The contract above holds for all that will be read.
    pub unsafe fn new(bytes: &'de [u8]) -> Self {
        TrustedReader { bytes, at: 0 }
    }

    /// The next `len` bytes.
    ///
    /// # Safety
    /// That many are left.
    #[inline(always)]
    #[expect(clippy::arithmetic_side_effects, reason = "the caller promises that `len` bytes are left")]
    pub unsafe fn bytes_fast(&mut self, len: usize) -> &'de [u8] {
        debug_assert!(len <= self.bytes.len() - self.at, "trusted bytes end inside the value");
        // SAFETY: the caller says that `len` bytes are left after `at`, so both ends lie inside.
        let run = unsafe { self.bytes.get_unchecked(self.at..self.at + len) };
        self.at += len;
        run
    }

    #[inline(always)]
    unsafe fn array_fast<const N: usize>(&mut self) -> [u8; N] {
        // SAFETY: passed on to the caller.
        let run = unsafe { self.bytes_fast(N) };
        // SAFETY: the run has N bytes, and an array of bytes has no alignment.
        unsafe { *run.as_ptr().cast::<[u8; N]>() }
    }

    /// The next byte.
    ///
    /// # Safety
    /// One byte is left.
    #[inline(always)]
    pub unsafe fn u8_fast(&mut self) -> u8 {
        // SAFETY: passed on to the caller.
        let [byte] = unsafe { self.array_fast() };
        byte
    }

    /// The next u32.
    ///
    /// # Safety
    /// Four bytes are left.
    #[inline(always)]
    pub unsafe fn u32_fast(&mut self) -> u32 {
        // SAFETY: passed on to the caller.
        u32::from_le_bytes(unsafe { self.array_fast() })
    }

    /// The next u64.
    ///
    /// # Safety
    /// Eight bytes are left.
    #[inline(always)]
    pub unsafe fn u64_fast(&mut self) -> u64 {
        // SAFETY: passed on to the caller.
        u64::from_le_bytes(unsafe { self.array_fast() })
    }

    /// The next length and the text after it.
    ///
    /// # Safety
    /// A length word is left, as many bytes as it says follow, and they are UTF-8.
    #[inline(always)]
    pub unsafe fn str_fast(&mut self) -> &'de str {
        // SAFETY: passed on to the caller.
        let len = unsafe { self.u32_fast() } as usize;
        // SAFETY: passed on to the caller.
        let run = unsafe { self.bytes_fast(len) };
        debug_assert!(core::str::from_utf8(run).is_ok(), "trusted text is not UTF-8");
        // SAFETY: passed on to the caller.
        unsafe { core::str::from_utf8_unchecked(run) }
    }
}

impl Sealed for TrustedReader<'_> {}

/// Every method relies on the contract of the type, which the maker of the reader has taken on.
impl<'de> Source<'de> for TrustedReader<'de> {
    #[inline(always)]
    fn offset(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn rest(&self) -> &'de [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    #[inline]
    fn limits(&self) -> Limits {
        Limits::NONE
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        // SAFETY: a whole value is left, by the contract.
        Ok(unsafe { self.array_fast() })
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<&'de [u8], Fault> {
        // SAFETY: a whole value is left, by the contract.
        Ok(unsafe { self.bytes_fast(len) })
    }

    #[inline(always)]
    fn chunk(&mut self, len: usize, _depth: u32) -> Option<Chunk<'de>> {
        let offset = self.at;
        // SAFETY: a whole value is left, by the contract.
        Some(Chunk { bytes: unsafe { self.bytes_fast(len) }, offset })
    }

    #[inline(always)]
    fn count(&mut self, min: usize) -> Result<usize, Fault> {
        // SAFETY: a whole value is left, by the contract.
        let count = unsafe { self.u32_fast() } as usize;
        debug_assert!(count.checked_mul(min).is_some_and(|size| size <= self.rest().len()));
        Ok(count)
    }

    #[inline(always)]
    fn exact_count(&mut self, expected: usize, min: usize) -> Result<(), Fault> {
        let count = self.count(min)?;
        debug_assert_eq!(count, expected, "a trusted array has another length");
        Ok(())
    }

    #[inline(always)]
    fn run(&mut self) -> Result<&'de [u8], Fault> {
        // SAFETY: a whole value is left, by the contract.
        let len = unsafe { self.u32_fast() } as usize;
        self.take(len)
    }

    #[inline(always)]
    fn text(&mut self) -> Result<&'de str, Fault> {
        // SAFETY: a whole value is left, by the contract, and its texts are UTF-8.
        Ok(unsafe { self.str_fast() })
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn charge(&mut self, _size: usize, _offset: usize) -> Result<(), Fault> {
        Ok(())
    }
}

/// Reads the one value that `bytes` hold, believing every length: for bytes that this process has just written.
///
/// Nothing is tested: neither lengths, nor bool and presence bytes, UTF-8, the order of keys, caps, the depth or
/// whether bytes are left over. Chapter: Trusted readers. Use it where a measurement shows that it gains something;
/// debug builds read with every test first and panic where one fails.
///
/// # Safety
/// [`from_slice_with`](crate::from_slice_with) would accept `bytes` as a `T` without limits; that `T` is [`Trusted`] has
/// been promised elsewhere. So it is for what
/// [`to_vec`](crate::to_vec) and its like have written for a type of the same type text, when every value in it is one
/// that `T` takes, and nobody has written to the bytes since. A matching schema hash does not prove it.
///
/// ```
/// let bytes = kiln::to_vec(&("wire", vec![1u16, 2]))?;
/// // SAFETY: the line above wrote them, for a type with the same type text.
/// let (name, numbers) = unsafe { kiln::from_slice_trusted::<(&str, Vec<u16>)>(&bytes) };
/// assert_eq!((name, &numbers[..]), ("wire", &[1, 2][..]));
/// # Ok::<(), kiln::EncodeError>(())
/// ```
#[inline]
#[cfg_attr(
    debug_assertions,
    expect(clippy::panic, reason = "documented: debug builds test what the caller promises")
)]
pub unsafe fn from_slice_trusted<'de, T: Decode<'de> + Trusted>(bytes: &'de [u8]) -> T {
    #[cfg(debug_assertions)]
    if let Err(error) = frozen::from_slice_with::<T>(bytes, &Limits::NONE) {
        panic!("trusted bytes are no value: {error}");
    }
    // SAFETY: the caller says that the bytes are accepted.
    let mut reader = unsafe { TrustedReader::new(bytes) };
    match T::decode(&mut reader) {
        Ok(value) => value,
        // SAFETY: what a full reader accepts has no fault, as the type is trusted.
        Err(_) => unsafe { core::hint::unreachable_unchecked() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frozen;

    const BYTES: [u8; 22] = [7, 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1, 2, 0, 0, 0, 0xc3, 0xa9, 0xff, 0xfe, 0xfd];

    #[test]
    fn the_fast_reads_are_little_endian_and_stop_where_they_say() {
        // SAFETY: what is read below lies inside the bytes, as counted there.
        let mut reader = unsafe { TrustedReader::new(&BYTES) };
        // SAFETY: 22 bytes are left.
        assert_eq!(unsafe { reader.u8_fast() }, 7);
        // SAFETY: 21 bytes are left.
        assert_eq!(unsafe { reader.u32_fast() }, 0x0102_0304);
        // SAFETY: 17 bytes are left.
        assert_eq!(unsafe { reader.u64_fast() }, 0x0102_0304_0506_0708);
        // SAFETY: 9 bytes are left: a length of 2 and the two bytes of é first.
        assert_eq!(unsafe { reader.str_fast() }, "é");
        assert_eq!((reader.offset(), reader.rest()), (19, &[0xff, 0xfe, 0xfd][..]));
        // SAFETY: 3 bytes are left.
        assert_eq!(unsafe { reader.bytes_fast(3) }, [0xff, 0xfe, 0xfd]);
        assert!(reader.rest().is_empty());
    }

    #[test]
    fn what_the_encoder_wrote_is_read_back() {
        type Value<'a> = (u8, &'a str, Vec<Option<bool>>, Vec<(u16, bool)>, Vec<f32>, Option<String>);
        let value: Value<'_> = (
            7,
            "wire",
            [Some(true), None].into(),
            [(1, true), (2, false)].into(),
            [1.5, -0.0].into(),
            Some("é".into()),
        );
        let bytes = frozen::to_vec(&value).unwrap();
        // SAFETY: the line above wrote them, for the same type.
        assert_eq!(unsafe { from_slice_trusted::<Value<'_>>(&bytes) }, value);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "trusted bytes are no value: TYPE at byte 4")]
    fn debug_builds_find_bytes_that_are_no_value() {
        // SAFETY: the contract is broken, which this build finds before it relies on it.
        unsafe { from_slice_trusted::<Vec<bool>>(&[1, 0, 0, 0, 2]) };
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "trusted bytes end inside the value")]
    fn debug_builds_find_a_length_that_lies() {
        // SAFETY: the contract is broken, which this build finds before it relies on it.
        let mut reader = unsafe { TrustedReader::new(&[9, 0, 0, 0, b'x']) };
        // SAFETY: as above.
        unsafe { reader.str_fast() };
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "trusted text is not UTF-8")]
    fn debug_builds_find_text_that_is_none() {
        // SAFETY: the contract is broken, which this build finds before it relies on it.
        let mut reader = unsafe { TrustedReader::new(&[1, 0, 0, 0, 0xff]) };
        // SAFETY: as above.
        unsafe { reader.str_fast() };
    }
}
