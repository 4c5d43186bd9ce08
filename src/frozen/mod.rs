//! Frozen values: what a type implements to be one, and the functions that write and read them.
//! Chapter: Frozen values.
//!
//! # Types of the standard library
//!
//! | Rust | on the wire | read |
//! |---|---|---|
//! | `bool`, `u8` … `u64`, `i8` … `i64`, `f32`, `f64`, `half`'s `f16` and `bf16` | `bool`, `u8` … | |
//! | `NonZero<u8>` … `NonZero<i64>` | the integer | 0 is TYPE |
//! | `Wrapping<T>`, `Saturating<T>`, `Box<T>`, `Rc<T>`, `Arc<T>`, `&T` | what they hold | not into `&T` |
//! | `String`, `Box<str>`, `Rc<str>`, `Arc<str>` | `str` | owned |
//! | `&str`, `Cow<str>` | `str` | borrowed |
//! | [`ByteBuf`], [`Bytes`], or a field with `#[kiln(bytes)]` | `bytes` | owned, borrowed |
//! | `Vec<T>`, `VecDeque<T>`, `Box<[T]>`, `Rc<[T]>`, `Arc<[T]>` | `list{T}` | owned; `Vec<u8>` is a `list{u8}` |
//! | `[T; N]` | `list{T}` | another count is TYPE; in a box, a list or a struct of one, into its place |
//! | [`ListView<T>`](ListView) | `list{T}` | left in the buffer, for elements of a fixed size |
//! | `&[T]` | `list{T}` | borrowed, for [plain](is_plain) elements of alignment 1; in an arena, for all that own nothing |
//! | `Cow<[T]>` | `list{T}` | borrowed where the elements are plain and the address is aligned, owned elsewhere |
//! | `Option<T>` | `optional{T}` | |
//! | `BTreeMap<K, V>`, `HashMap<K, V>`, with a [`Key`] | `dict{V}` | sorted when written |
//! | tuples of 1 to 12 | `struct{0:…,1:…,}` | |
//! | `()`, `PhantomData<T>` | `struct{}` | no element of a list or dict |
//!
//! Other types have more than one obvious form, and the choice is the program's. The compiler refuses them and says
//! what to write instead: `usize`, `isize`, `u128`, `i128`, `char`, sets and heaps, maps with other keys, `Duration`,
//! `Instant` and `SystemTime`, IP and socket addresses, paths and OS strings, ranges, cells, locks and atomics.
//!
//! ```compile_fail
//! kiln::to_vec(&7usize); // u64 is the same on every target
//! ```
//! ```compile_fail
//! kiln::to_vec(&std::collections::HashSet::from([7u8])); // a sorted Vec has one order
//! ```
//! ```compile_fail
//! kiln::from_slice::<Vec<char>>(&[]); // u32 or String
//! ```
//! ```compile_fail
//! kiln::to_vec(&std::collections::BTreeMap::from([(1u8, 2u8)])); // the keys of a dict are text
//! ```
//!
//! So it does with an element that takes no bytes, since four bytes could then claim millions of them, with a slice
//! of elements that the wire does not align, and with a view of elements that have no fixed size.
//!
//! ```compile_fail
//! kiln::from_slice::<Vec<()>>(&[0; 4]);
//! ```
//! ```compile_fail
//! kiln::to_vec(&[((), ())]);
//! ```
//! ```compile_fail
//! kiln::from_slice::<std::collections::BTreeMap<String, ()>>(&[0; 4]);
//! ```
//! ```compile_fail
//! kiln::from_slice::<&[u16]>(&[0; 4]); // ListView<u16> or Cow<[u16]>
//! ```
//! ```compile_fail
//! kiln::from_slice::<kiln::ListView<String>>(&[0; 4]); // Vec<String>, or &str in a Batch
//! ```
//! ```
//! # use std::collections::BTreeMap;
//! kiln::to_vec(&7u64)?;
//! kiln::to_vec(&std::collections::BTreeSet::from([7u8]).into_iter().collect::<Vec<_>>())?;
//! kiln::from_slice::<Vec<u32>>(&[0; 4])?;
//! kiln::to_vec(&BTreeMap::from([("1", 2u8)]))?;
//! kiln::from_slice::<Vec<((), u8)>>(&[0; 4])?;
//! kiln::to_vec(&[((), 1u8)])?;
//! kiln::from_slice::<BTreeMap<String, ((), u8)>>(&[0; 4])?;
//! kiln::from_slice::<&[u8]>(&[0; 4])?;
//! kiln::from_slice::<kiln::ListView<u16>>(&[0; 4])?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # What is charged
//!
//! What a decode owns is charged against [`Limits::owned`] before it is allocated, by what the containers ask the
//! allocator for at most: a list by its count, a hash table by its power of two, a tree by half-full nodes. What the
//! allocator adds of its own is not counted: with glibc that is less than three and a half times the charge more, at the
//! worst, which is a list of boxed bytes. A value that is read into again is charged only for what it has to ask
//! for anew, so a place that has grown once costs nothing.
//!
//! # After a fault
//!
//! [`decode_into`] leaves a valid value of parts old and new: each implementation says which. Runs, and what is
//! refused by its count, are as they were; of a struct and a list the parts before the fault are new.

mod batch;
pub(crate) mod bytes;
mod dict;
pub(crate) mod fields;
mod index;
mod list;
mod num;
mod optional;
pub(crate) mod plain;
mod pointer;
pub(crate) mod slot;
mod text;
mod tuple;
mod view;

pub use batch::{Batch, BatchWriter};
#[cfg(feature = "std")]
pub use batch::{BatchSeek, BatchStream};
use bytes::ByteField;
pub use bytes::{ByteBuf, Bytes};
pub use dict::{DecodeKey, Key};
pub use index::BatchIndex;
pub(crate) use optional::presence;
pub use plain::{Exact, Plain, is_plain};
pub use view::{ListIter, ListView};

use crate::error::{EncodeError, Error, Fault, Reason};
use crate::limits::Limits;
use crate::schema::{Scalar, Shape};
use crate::wire::{Chunk, Measure, NoList, Reader, Sink, Source, writer};
use alloc::vec::Vec;
use slot::{Filled, Slot};

/// What an `Rc` or an `Arc` takes for `size` bytes of `T`: two counters beside it, and what aligns the two.
#[expect(clippy::arithmetic_side_effects, reason = "an alignment is at most 2^29")]
const fn shared_size<T>(size: usize) -> usize {
    let word = size_of::<usize>();
    let padding = if align_of::<T>() > word { 2 * align_of::<T>() } else { word };
    size.saturating_add(2 * word + padding)
}

/// A type with a place on the wire. `#[derive(Frozen)]` implements this trait and [`Encode`], [`Decode`] and
/// [`Typed`](crate::schema::Typed) beside it.
///
/// By hand, give [`MIN_LEN`](Self::MIN_LEN) and [`shape`](Self::shape) and leave the rest: the type is then read and
/// written part by part, with every check.
///
/// ```
/// use kiln::{Decode, Encode, EncodeError, Fault, Frozen, Reason};
/// use kiln::schema::{Scalar, Shape, StaticType, Typed};
/// use kiln::wire::{Measure, Sink, Source};
///
/// /// A percentage: one byte, at most 100.
/// #[derive(Debug, PartialEq)]
/// struct Percent(u8);
///
/// impl Frozen for Percent {
///     const MIN_LEN: usize = 1;
///     fn shape() -> Shape {
///         Shape::Scalar(Scalar::U8)
///     }
/// }
/// impl Typed for Percent {
///     const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::U8);
/// }
/// impl Encode for Percent {
///     fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
///         self.0.measure(measure)
///     }
///     fn encode<S: Sink>(&self, sink: &mut S) {
///         self.0.encode(sink);
///     }
/// }
/// impl<'de> Decode<'de> for Percent {
///     fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
///         let offset = source.offset();
///         match u8::decode(source)? {
///             value @ ..=100 => Ok(Percent(value)),
///             _ => Err(Fault::new(Reason::Refused, offset)),
///         }
///     }
/// }
///
/// assert_eq!(kiln::from_slice::<Percent>(&[100]), Ok(Percent(100)));
/// assert_eq!(kiln::from_slice::<Percent>(&[101]).unwrap_err().reason(), Reason::Refused);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no place on the wire",
    label = "not a Frozen value",
    note = "a struct of your own: `#[derive(kiln::Frozen)]`, which also gives `Encode`, `Decode` and `Typed`",
    note = "usize, isize: u64, i64 or narrower, the same on every target; u128, i128: two u64, or [u8; 16]; char: u32 or \
            String",
    note = "sets and heaps: a sorted Vec; maps: BTreeMap or HashMap with text keys, or a Vec of pairs",
    note = "durations and times: an integer whose name says the unit and the origin, like unix_nanos: i64",
    note = "addresses: String, u32 or [u8; 16]; paths and OS strings: String or kiln::ByteBuf; cells, locks and atomics: what \
            they hold"
)]
pub trait Frozen {
    /// The smallest encoding of any value, in bytes. Chapter: Lengths and allocation.
    const MIN_LEN: usize;

    /// Whether every value takes exactly [`MIN_LEN`](Self::MIN_LEN) bytes. Then
    /// [`decode_fixed`](Decode::decode_fixed) may be asked for a value.
    const FIXED: bool = false;

    /// Whether, beside being [`FIXED`](Self::FIXED), every pattern of [`MIN_LEN`](Self::MIN_LEN) bytes is a value. Then
    /// a value is accepted without a look at it.
    const TOTAL: bool = false;

    /// How many containers are entered on the way into a value before any count, presence byte or length
    /// decides: 0 for a scalar, 1 for a list, 1 more than its deepest field for a struct.
    const DEPTH: u32 = 0;

    /// Whether the memory of a value is its encoding.
    const PLAIN: Plain<Self> = Plain::NO;

    /// Whether [`Encode::encode`] is known to write exactly what [`Encode::measure`] counts. A struct asks its
    /// fields. A list, an optional or a dict does not ask its element here, or the constant of a recursive type
    /// would need itself; it measures it by [`Measure::element`] and writes it by [`Sink::element`], which ask
    /// then.
    const EXACT: Exact<Self> = Exact::NO;

    /// What the type looks like on the wire: the way down to a fault, for the path of an error.
    fn shape() -> Shape;
}

/// A [`Frozen`] type that can be written.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written to the wire",
    label = "not Encode",
    note = "a struct of your own: `#[derive(kiln::Frozen)]`, which also gives `Encode`, `Decode` and `Typed`",
    note = "usize, isize: u64, i64 or narrower, the same on every target; u128, i128: two u64, or [u8; 16]; char: u32 or \
            String",
    note = "sets and heaps: a sorted Vec; maps: BTreeMap or HashMap with text keys, or a Vec of pairs",
    note = "durations and times: an integer whose name says the unit and the origin, like unix_nanos: i64",
    note = "addresses: String, u32 or [u8; 16]; paths and OS strings: String or kiln::ByteBuf; cells, locks and atomics: what \
            they hold"
)]
pub trait Encode: Frozen {
    /// Counts the bytes that [`encode`](Self::encode) will write, and refuses what cannot be written.
    ///
    /// # Errors
    /// A count above u32, a nesting above 64.
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError>;

    /// Writes the value. Called after [`measure`](Self::measure) has accepted it.
    fn encode<S: Sink>(&self, sink: &mut S);

    /// Writes values one after another, as [`encode`](Self::encode) would.
    #[doc(hidden)]
    #[inline(always)]
    fn encode_all<S: Sink>(items: &[Self], sink: &mut S)
    where
        Self: Sized,
    {
        items.iter().for_each(|item| sink.element(item));
    }
}

/// A [`Frozen`] type that can be read from bytes that live for `'de`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the wire",
    label = "not Decode",
    note = "slices: `&[T]` only of plain elements of alignment 1; else kiln::ListView<T>, Cow<[T]> or Vec<T>; `&T`: Box<T> or T",
    note = "a struct of your own: `#[derive(kiln::Frozen)]`, which also gives `Encode`, `Decode` and `Typed`",
    note = "usize, isize: u64, i64 or narrower, the same on every target; u128, i128: two u64, or [u8; 16]; char: u32 or \
            String",
    note = "sets and heaps: a sorted Vec; maps: BTreeMap or HashMap with text keys, or a Vec of pairs",
    note = "durations and times: an integer whose name says the unit and the origin, like unix_nanos: i64",
    note = "addresses: String, u32 or [u8; 16]; paths and OS strings: String or kiln::ByteBuf; cells, locks and atomics: what \
            they hold"
)]
pub trait Decode<'de>: Frozen + Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// The fault that the chapter Frozen values names for it.
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault>;

    /// Reads a value into the place where it is to lie.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    #[doc(hidden)]
    #[inline(always)]
    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        Self::decode(source).map(|value| slot.fill(value))
    }

    /// Appends `count` values that lie behind one another: those of a list, for which at least a byte each is left. After
    /// a fault those before it are there.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), for the first that it refuses.
    #[doc(hidden)]
    #[inline(always)]
    fn decode_all<S: Source<'de>>(source: &mut S, items: &mut Vec<Self>, count: usize) -> Result<(), Fault> {
        list::read_each(source, items, count)
    }

    /// Reads a value of a [`FIXED`](Frozen::FIXED) type from its [`MIN_LEN`](Frozen::MIN_LEN) bytes.
    ///
    /// # Errors
    /// TYPE for a byte that the type excludes.
    ///
    /// # Panics
    /// Perhaps, when the type is not FIXED or the bytes are not `MIN_LEN`: a caller's mistake.
    fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
        Self::decode(&mut Reader::with_arena(chunk.bytes, 0, &Limits::NONE, NoList))
            .map_err(|fault| fault.moved(chunk.offset))
    }

    /// Reads a value of a [`FIXED`](Frozen::FIXED) type into the place where it is to lie.
    ///
    /// # Errors
    /// As [`decode_fixed`](Self::decode_fixed).
    #[doc(hidden)]
    #[inline(always)]
    fn decode_fixed_at<'s>(chunk: Chunk<'de>, slot: Slot<'s, Self>) -> Result<Filled<'s, Self>, Fault> {
        Self::decode_fixed(chunk).map(|value| slot.fill(value))
    }

    /// Reads the elements of an array, of a [`FIXED`](Frozen::FIXED) type, into their place from the chunk that they fill.
    ///
    /// # Errors
    /// As [`decode_fixed`](Self::decode_fixed), for the first that it refuses.
    #[doc(hidden)]
    #[inline(always)]
    fn decode_array_at<'s, const N: usize>(
        chunk: Chunk<'de>,
        slot: Slot<'s, [Self; N]>,
    ) -> Result<Filled<'s, [Self; N]>, Fault> {
        match plain::fill_array(chunk.bytes, slot) {
            Ok(filled) => Ok(filled),
            Err(slot) => list::fill_each(chunk, slot),
        }
    }

    /// Appends all values of a [`FIXED`](Frozen::FIXED) type that fill `chunk`. After a fault those before it are there.
    ///
    /// # Errors
    /// As [`decode_fixed`](Self::decode_fixed), for the first that it refuses.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "a divisor of at least 1")]
    fn extend_fixed(items: &mut Vec<Self>, chunk: Chunk<'de>) -> Result<(), Fault> {
        if plain::extend(items, chunk.bytes) {
            return Ok(());
        }
        let count = chunk.bytes.len() / Self::MIN_LEN.max(1);
        let mut pieces = list::pieces::<Self>(chunk);
        slot::extend(&mut pieces, items, count, |pieces, slot| {
            Self::decode_fixed_at(pieces.next().unwrap_or(chunk), slot)
        })
    }

    /// Reads past a value: tests all that [`decode`](Self::decode) tests, builds nothing and charges nothing. By
    /// default a value is read and dropped.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), but for the owned budget.
    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        Self::decode(source).map(drop)
    }

    /// Tests all values of a [`FIXED`](Frozen::FIXED) type that fill `chunk`, in order.
    ///
    /// # Errors
    /// As [`decode_fixed`](Self::decode_fixed), for the first that it refuses.
    #[inline]
    fn validate_fixed(chunk: Chunk<'de>) -> Result<(), Fault> {
        fields::check_each::<Self>(chunk, |chunk| Self::decode_fixed(chunk).map(drop))
    }

    /// Tests `count` values behind one another: those of a list, which took at least a byte each of what is left.
    ///
    /// # Errors
    /// As [`validate`](Self::validate), for the first that it refuses.
    #[doc(hidden)]
    #[inline(always)]
    fn validate_all<S: Source<'de>>(source: &mut S, count: usize) -> Result<(), Fault> {
        list::validate_each::<Self, S>(source, count)
    }

    /// Reads a value into one that exists, reusing what it owns. After a fault `place` holds a valid value
    /// of parts old and new.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        *place = Self::decode(source)?;
        Ok(())
    }
}

/// A type that owns all it decodes.
pub trait DecodeOwned: for<'de> Decode<'de> {}

impl<T: for<'de> Decode<'de>> DecodeOwned for T {}

/// The length of the encoding of `value`, in bytes.
///
/// # Errors
/// A count above u32, a nesting above 64, a length that no address reaches.
///
/// ```
/// assert_eq!(kiln::encoded_len("wire"), Ok(8));
/// ```
pub fn encoded_len<T: Encode + ?Sized>(value: &T) -> Result<usize, EncodeError> {
    writer::count(value).map(|counted| counted.len)
}

/// Writes a value into a new vector.
///
/// # Errors
/// As [`encoded_len`], and [`EncodeError::TooLong`] when memory cannot hold it.
///
/// ```
/// assert_eq!(kiln::to_vec(&(9i32, -4i32))?, [9, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff]);
/// # Ok::<(), kiln::EncodeError>(())
/// ```
pub fn to_vec<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    let mut out = Vec::new();
    encode_into(value, &mut out)?;
    Ok(out)
}

/// Appends a value to a vector. Clear the vector first to reuse it.
///
/// # Errors
/// As [`to_vec`]; the vector is then as it was.
///
/// ```
/// let mut out = Vec::new();
/// for value in [1u16, 2] {
///     out.clear();
///     kiln::encode_into(&value, &mut out)?;
///     assert_eq!(out, value.to_le_bytes());
/// }
/// # Ok::<(), kiln::EncodeError>(())
/// ```
pub fn encode_into<T: Encode + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    writer::append(value, out)
}

/// Writes a value to the start of a slice and says how many bytes it took.
///
/// # Errors
/// As [`encoded_len`], and [`EncodeError::SliceTooShort`]; nothing is written then.
///
/// ```
/// let mut out = [0xaa; 8];
/// assert_eq!(kiln::encode_to_slice(&7u32, &mut out), Ok(4));
/// assert_eq!(out, [7, 0, 0, 0, 0xaa, 0xaa, 0xaa, 0xaa]);
/// ```
pub fn encode_to_slice<T: Encode + ?Sized>(value: &T, out: &mut [u8]) -> Result<usize, EncodeError> {
    writer::fill(value, out)
}

/// Writes a value to a stream and says how many bytes it took. Long runs are passed on without a copy.
///
/// # Errors
/// What the stream says; [`EncodeError`] as an `InvalidInput`, before anything is written.
#[cfg(feature = "std")]
pub fn write_to<T: Encode + ?Sized, W: std::io::Write + ?Sized>(
    value: &T,
    out: &mut W,
) -> std::io::Result<u64> {
    let announced = encoded_len(value)?;
    let mut sink = crate::wire::StreamSink::new(out);
    sink.part(value);
    let written = sink.finish()?;
    if written == announced as u64 {
        Ok(written)
    } else {
        Err(EncodeError::LengthMismatch { announced }.into())
    }
}

/// Reads the one value that `bytes` hold, within the default [`Limits`].
///
/// The value is given by value, over the stack. One that is large in memory, such as an array of a megabyte, is better
/// asked for as a `Box<T>`, which is read into its place, or read by [`decode_into`].
///
/// ```
/// let bytes = kiln::to_vec(&vec![7u8; 8 << 20])?;
/// let array: Box<[u8; 8 << 20]> = kiln::from_slice(&bytes)?;
/// assert_eq!(array[8_388_607], 7);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// FRAME, LIMIT, EOF, TYPE, UTF8 as the value demands; TRAILING when bytes are left over.
///
/// ```
/// let point: (i32, i32) = kiln::from_slice(&[9, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff])?;
/// assert_eq!(point, (9, -4));
/// # Ok::<(), kiln::Error>(())
/// ```
#[inline]
pub fn from_slice<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    from_slice_with(bytes, &Limits::DEFAULT)
}

/// [`from_slice`] within `limits`.
///
/// # Errors
/// As [`from_slice`].
#[inline]
pub fn from_slice_with<'de, T: Decode<'de>>(bytes: &'de [u8], limits: &Limits) -> Result<T, Error> {
    read_whole(bytes, 0, limits)
}

/// Reads the one value that `bytes` hold into one that exists, reusing what it owns.
///
/// # Errors
/// As [`from_slice`]. `place` then holds a valid value of parts old and new.
///
/// ```
/// let mut names = vec![String::with_capacity(100)];
/// kiln::decode_into(&kiln::to_vec(&["a", "b"][..])?, &mut names)?;
/// assert_eq!(names, ["a", "b"]);
/// assert!(names[0].capacity() >= 100);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn decode_into<'de, T: Decode<'de>>(bytes: &'de [u8], place: &mut T) -> Result<(), Error> {
    decode_into_with(bytes, place, &Limits::DEFAULT)
}

/// [`decode_into`] within `limits`.
///
/// # Errors
/// As [`decode_into`].
pub fn decode_into_with<'de, T: Decode<'de>>(
    bytes: &'de [u8],
    place: &mut T,
    limits: &Limits,
) -> Result<(), Error> {
    read_into(bytes, 0, place, limits)
}

/// Reads the one value that `bytes` hold, and builds its lists in an arena: a `&[T]` can then be of any elements that own
/// nothing, such as structs of `&str` and `&[T]`. Texts and byte runs are borrowed from `bytes`.
///
/// So thousands of records take a handful of allocations, and dropping them takes nothing. Where the value shall outlive
/// the buffer that was received, copy that into the arena first, which is one allocation more and moves every text at
/// once.
///
/// ```
/// use kiln::{Frozen, bumpalo::Bump};
///
/// #[derive(Frozen)]
/// struct Entry<'a> {
///     user: &'a str,
///     tags: &'a [&'a str],
/// }
///
/// let arena = Bump::new();
/// let entries: &[Entry] = {
///     let received = kiln::to_vec(&[("ann", vec!["a", "b"]), ("bo", vec![])])?;
///     kiln::from_slice_in(arena.alloc_slice_copy(&received), &arena)?
/// };
/// assert_eq!((entries[0].user, entries[0].tags), ("ann", &["a", "b"][..]));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// An arena drops nothing, so elements of a `&[T]` that own memory are refused by the compiler:
///
/// ```compile_fail,E0080
/// let arena = kiln::bumpalo::Bump::new();
/// let names: &[String] = kiln::from_slice_in(&[0; 4], &arena).unwrap();
/// ```
///
/// # Errors
/// As [`from_slice`]; what is built in the arena is charged as if it were owned. After an error the arena may hold parts
/// of the value, which nobody can reach.
#[cfg(feature = "bumpalo")]
pub fn from_slice_in<'a, T: Decode<'a>>(bytes: &'a [u8], arena: &'a bumpalo::Bump) -> Result<T, Error> {
    from_slice_in_with(bytes, arena, &Limits::DEFAULT)
}

/// [`from_slice_in`] within `limits`.
///
/// # Errors
/// As [`from_slice_in`].
#[cfg(feature = "bumpalo")]
pub fn from_slice_in_with<'a, T: Decode<'a>>(
    bytes: &'a [u8],
    arena: &'a bumpalo::Bump,
    limits: &Limits,
) -> Result<T, Error> {
    let mut reader = Reader::with_arena(bytes, 0, limits, arena);
    match T::decode(&mut reader) {
        Ok(value) => end::<T>(bytes, 0, reader.rest(), limits).map(|()| value),
        Err(fault) => Err(Error::explain(fault, bytes, 0, T::shape, limits)),
    }
}

/// Says whether `bytes` hold one `T`: [`from_slice`] would read it, but nothing is built and nothing allocated.
///
/// Of numbers, and lists of structs of numbers, only lengths are looked at: that takes the same time for any many of
/// them. Where a type holds tensors, a table of their names is made and dropped; a hand-written [`Decode`] may build a
/// value and drop it.
///
/// # Errors
/// Those of [`from_slice`], with the same reason, offset and path, but for the owned budget, of which it takes nothing.
///
/// ```
/// use kiln::Reason;
/// let mut bytes = kiln::to_vec(&[("a", true), ("b", false)])?;
/// kiln::validate::<Vec<(&str, bool)>>(&bytes)?;
///
/// *bytes.last_mut().unwrap() = 2;
/// let error = kiln::validate::<Vec<(&str, bool)>>(&bytes).unwrap_err();
/// assert_eq!((error.reason(), error.offset()), (Reason::BoolByte, 15));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[inline]
pub fn validate<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<(), Error> {
    validate_with::<T>(bytes, &Limits::DEFAULT)
}

/// [`validate`] within `limits`.
///
/// # Errors
/// As [`validate`].
#[inline]
pub fn validate_with<'de, T: Decode<'de>>(bytes: &'de [u8], limits: &Limits) -> Result<(), Error> {
    validate_whole::<T>(bytes, 0, limits)
}

/// Reads the value that `bytes` begin with, and gives the bytes after it.
///
/// # Errors
/// As [`from_slice`], but never TRAILING.
///
/// ```
/// let (first, rest) = kiln::from_prefix::<u16>(&[1, 0, 2, 0])?;
/// assert_eq!((first, rest), (1, &[2, 0][..]));
/// # Ok::<(), kiln::Error>(())
/// ```
pub fn from_prefix<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8]), Error> {
    from_prefix_with(bytes, &Limits::DEFAULT)
}

/// [`from_prefix`] within `limits`.
///
/// # Errors
/// As [`from_prefix`].
pub fn from_prefix_with<'de, T: Decode<'de>>(
    bytes: &'de [u8],
    limits: &Limits,
) -> Result<(T, &'de [u8]), Error> {
    read_prefix(bytes, 0, limits)
}

/// Reads the value that fills `bytes` from `start` on.
#[inline]
pub(crate) fn read_whole<'de, T: Decode<'de>>(
    bytes: &'de [u8],
    start: usize,
    limits: &Limits,
) -> Result<T, Error> {
    let (value, rest) = read_prefix(bytes, start, limits)?;
    end::<T>(bytes, start, rest, limits)?;
    Ok(value)
}

/// Reads the value that begins at `start`.
#[inline]
pub(crate) fn read_prefix<'de, T: Decode<'de>>(
    bytes: &'de [u8],
    start: usize,
    limits: &Limits,
) -> Result<(T, &'de [u8]), Error> {
    let mut reader = Reader::new(bytes, start, limits);
    match T::decode(&mut reader) {
        Ok(value) => Ok((value, reader.rest())),
        Err(fault) => Err(Error::explain(fault, bytes, start, T::shape, limits)),
    }
}

/// Reads the value that fills `bytes` from `start` on into one that exists.
pub(crate) fn read_into<'de, T: Decode<'de>>(
    bytes: &'de [u8],
    start: usize,
    place: &mut T,
    limits: &Limits,
) -> Result<(), Error> {
    let mut reader = Reader::new(bytes, start, limits);
    match T::decode_into(&mut reader, place) {
        Ok(()) => end::<T>(bytes, start, reader.rest(), limits),
        Err(fault) => Err(Error::explain(fault, bytes, start, T::shape, limits)),
    }
}

/// Tests the value that fills `bytes` from `start` on.
#[inline]
pub(crate) fn validate_whole<'de, T: Decode<'de>>(
    bytes: &'de [u8],
    start: usize,
    limits: &Limits,
) -> Result<(), Error> {
    let mut reader = Reader::new(bytes, start, limits);
    match T::validate(&mut reader) {
        Ok(()) => end::<T>(bytes, start, reader.rest(), limits),
        Err(fault) => Err(Error::explain(fault, bytes, start, T::shape, limits)),
    }
}

/// TRAILING when `rest` is not empty.
#[inline]
#[expect(clippy::arithmetic_side_effects, reason = "what is left is a part of the bytes")]
fn end<T: Frozen + ?Sized>(bytes: &[u8], start: usize, rest: &[u8], limits: &Limits) -> Result<(), Error> {
    if rest.is_empty() {
        return Ok(());
    }
    let fault = Fault::new(trailing(T::shape()), bytes.len() - rest.len());
    Err(Error::explain(fault, bytes, start, T::shape, limits))
}

/// Left-over bytes are the twelfth step of a directory that stands alone, and no step of anything else.
#[cold]
pub(crate) fn trailing(shape: Shape) -> Reason {
    match shape {
        Shape::Scalar(Scalar::Tensors) => Reason::TrailingBlock,
        _ => Reason::Trailing,
    }
}
