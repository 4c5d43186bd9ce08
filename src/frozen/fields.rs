//! What the code that `#[derive(Frozen)]` writes is made of. Not for other callers: it changes with the derive.
//!
//! A macro sees the names of types and not their facts, so whatever depends on a fact is decided here, by
//! constants over all fields of a struct. The traits here are `unsafe`, so that they stay with the types that they are
//! implemented for here and by the derive: its promises rest on them. Consecutive [`FIXED`](Frozen::FIXED) fields are a run: one comparison with
//! what is left, and then each is read from its place in the run. Where the run is not there, the same fields are
//! read one by one, and the first that fails says what is wrong: the fault never depends on the runs.

#![allow(unsafe_code)]

use super::slot::{Filled, LARGE, Slot};
use super::{ByteField, Decode, Encode, Frozen, plain};
use crate::error::{EncodeError, Fault, Reason};
use crate::schema::Shape;
use crate::wire::{Chunk, Measure, Sink, Source, Trusted};

/// The facts of one field, and where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    fixed: bool,
    total: bool,
    /// The smallest encoding.
    len: usize,
    depth: u32,
    exact: bool,
    plain: bool,
    /// The smallest encodings of the fields before it.
    at: usize,
    run: Run,
}

/// The run that a fixed field belongs to.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The index of its first field.
    first: usize,
    /// Where its first field lies.
    at: usize,
    len: usize,
    depth: u32,
}

impl Part {
    const NONE: Part = Part {
        fixed: false,
        total: false,
        len: 0,
        depth: 0,
        exact: false,
        plain: false,
        at: 0,
        run: Run { first: 0, at: 0, len: 0, depth: 0 },
    };
}

/// The type of a field: any that is [`Frozen`].
///
/// The derive asks the type of a field for nothing but this trait and its like below, which have no trait above
/// them: so the compiler says what the type lacks, and says it once, and not for each item that is missing.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` has no place on the wire",
    label = "not a Frozen value",
    note = "a struct of your own: `#[derive(kiln::Frozen)]`",
    note = "a run of bytes: `#[kiln(bytes)]` on the field",
    note = "usize, isize: u64, i64 or narrower, the same on every target; u128, i128: two u64, or [u8; 16]; char: u32 or \
            String",
    note = "sets and heaps: a sorted Vec; maps: BTreeMap or HashMap with text keys, or a Vec of pairs",
    note = "durations and times: an integer whose name says the unit and the origin, like unix_nanos: i64",
    note = "addresses: String, u32 or [u8; 16]; paths and OS strings: String or kiln::ByteBuf; cells, locks and atomics: what \
            they hold"
)]
/// # Safety
/// The facts are those of the type's [`Frozen`].
pub unsafe trait Field {
    /// Its facts.
    const PART: Part;

    /// Its shape.
    const SHAPE: fn() -> Shape;
}

// SAFETY: they are read off it.
unsafe impl<T: Frozen> Field for T {
    const PART: Part = Part {
        fixed: T::FIXED,
        total: T::TOTAL,
        len: T::MIN_LEN,
        depth: T::DEPTH,
        exact: plain::is_exact::<T>(),
        plain: T::PLAIN.holds(),
        ..Part::NONE
    };
    const SHAPE: fn() -> Shape = T::shape;
}

/// The facts of a field with `#[kiln(bytes)]`, which always writes what it counts.
pub(super) const fn bytes_part(min_len: usize, depth: u32) -> Part {
    Part { len: min_len, depth, exact: true, ..Part::NONE }
}

/// A struct with a field number `I` whose type is a macro, or has one in it. It is said here and nowhere else in derived
/// code, so that a macro that means another type each time it is asked is asked once.
///
/// # Safety
/// `Type` is the type of that field, which [`Fields::tied`] lets the compiler compare.
pub unsafe trait Member<const I: usize> {
    /// The type of the field.
    type Type;
}

/// Compiles where a type is trusted.
pub const fn is_trusted<T: Trusted + ?Sized>() {}

/// Compiles where a type is that of a field with `#[kiln(bytes)]`, all of which are trusted.
pub const fn is_byte_field<T: ByteField + ?Sized>() {}

/// Compiles where a field is of type `T`: behind a mutable pointer nothing is coerced, no lifetime is cut short, and
/// nothing is without a size.
pub const fn tie<T>(_field: *mut T) {}

/// The fields in declaration order, each with its place.
#[must_use]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
pub const fn placed<const N: usize>(mut parts: [Part; N]) -> [Part; N] {
    let (mut at, mut i) = (0, 0);
    while i < N {
        parts[i].at = at;
        at += parts[i].len;
        i += 1;
    }
    let mut first = 0;
    while first < N {
        let mut run = Run { first, at: parts[first].at, len: 0, depth: 0 };
        let mut end = first;
        while end < N && parts[end].fixed {
            run.len += parts[end].len;
            run.depth = larger(run.depth, parts[end].depth);
            end += 1;
        }
        i = first;
        while i < end {
            parts[i].run = run;
            i += 1;
        }
        first = end + 1;
    }
    parts
}

const fn larger(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

/// A struct with derived traits.
///
/// # Safety
/// The fields are all that the struct has, in declaration order, each with the facts of its type.
pub unsafe trait Fields: Frozen {
    /// Its fields.
    const FIELDS: &'static [Part];

    /// Never called. It compiles where the fields that the derive saw are those of the struct: a pattern names all of
    /// them, borrowing each, and [`tie`] holds each against the type that it is read and written as.
    fn tied(&mut self);
}

/// The smallest encoding of the struct.
#[must_use]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
pub const fn min_len(fields: &[Part]) -> usize {
    let (mut len, mut i) = (0, 0);
    while i < fields.len() {
        len += fields[i].len;
        i += 1;
    }
    len
}

/// How many containers are entered on the way into the struct, itself included.
#[must_use]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
pub const fn depth(fields: &[Part]) -> u32 {
    let (mut depth, mut i) = (0, 0);
    while i < fields.len() {
        depth = larger(depth, fields[i].depth);
        i += 1;
    }
    depth + 1
}

/// Whether every field is of fixed size.
#[must_use]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
pub const fn fixed(fields: &[Part]) -> bool {
    let mut i = 0;
    while i < fields.len() && fields[i].fixed {
        i += 1;
    }
    i == fields.len()
}

/// Whether every field is of fixed size and takes every pattern.
#[must_use]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
pub const fn total(fields: &[Part]) -> bool {
    let mut i = 0;
    while i < fields.len() && fields[i].fixed && fields[i].total {
        i += 1;
    }
    i == fields.len()
}

/// Whether every field writes what it counts.
#[must_use]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
pub const fn exact(fields: &[Part]) -> bool {
    let mut i = 0;
    while i < fields.len() && fields[i].exact {
        i += 1;
    }
    i == fields.len()
}

/// Whether the memory of a struct of this size, with its fields at these offsets and with or without drop glue, is
/// its encoding. A struct of no bytes is not called plain: nothing can be counted in it.
#[must_use]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
pub const fn plain(fields: &[Part], offsets: &[usize], size: usize, needs_drop: bool) -> bool {
    let mut i = 0;
    while i < fields.len() && fields[i].plain && fields[i].at == offsets[i] {
        i += 1;
    }
    i == fields.len() && size == min_len(fields) && size != 0 && !needs_drop
}

/// The bytes and the depth of the fixed fields together, which are counted without looking at them.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "called in constants: evaluated when compiled"
)]
const fn fixed_sum(fields: &[Part]) -> (usize, u32) {
    let (mut len, mut depth, mut i) = (0, 0, 0);
    while i < fields.len() {
        if fields[i].fixed {
            len += fields[i].len;
            depth = larger(depth, fields[i].depth);
        }
        i += 1;
    }
    (len, depth)
}

/// Goes into a struct that is measured, and counts its fixed fields.
///
/// # Errors
/// A nesting above 64.
#[inline(always)]
pub fn measure_fixed<T: Fields + ?Sized>(measure: &mut Measure) -> Result<(), EncodeError> {
    let (len, depth) = const { fixed_sum(T::FIELDS) };
    measure.enter_over(depth)?;
    measure.add(len);
    Ok(())
}

/// The type of a field that is written: any that is [`Encode`].
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be written to the wire",
    label = "not Encode"
)]
/// # Safety
/// What is written is what was counted, if the [`Field`] says that it is exact.
pub unsafe trait EncodeField {
    /// Counts a field that [`measure_fixed`] did not.
    ///
    /// # Errors
    /// Those of the field.
    fn measure_field(&self, measure: &mut Measure) -> Result<(), EncodeError>;

    /// Writes the field.
    fn encode_field<S: Sink>(&self, sink: &mut S);
}

// SAFETY: an exact value promises it, and a plain one is written as its memory.
unsafe impl<T: Encode> EncodeField for T {
    #[inline(always)]
    fn measure_field(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        if T::FIXED { Ok(()) } else { measure.part(self) }
    }

    #[inline(always)]
    fn encode_field<S: Sink>(&self, sink: &mut S) {
        sink.part(self);
    }
}

/// A struct that says what is wrong with bytes that do not hold a run of its fields.
///
/// # Safety
/// For the derive alone.
pub unsafe trait Reread<'de>: Fields {
    /// Reads the fixed fields one by one from field `from` on, which begins at the next byte.
    fn fault<S: Source<'de>>(source: &mut S, from: usize) -> Fault;
}

/// Reads one field and lets it go.
pub type Skip<S> = fn(&mut S) -> Result<(), Fault>;

/// The [`Skip`] of a field that is in no run.
#[must_use]
pub fn skip_nothing<S>() -> Skip<S> {
    |_| Ok(())
}

/// The fault that reading `fields` from the one numbered `from` on ends in.
#[cold]
#[inline(never)]
pub fn fault<'de, S: Source<'de>>(source: &mut S, from: usize, fields: &[Skip<S>]) -> Fault {
    let start = source.offset();
    for skip in fields.iter().skip(from) {
        if let Err(fault) = skip(source) {
            return fault;
        }
    }
    // All of them are there after all: a hand-written type has a wrong FIXED, MIN_LEN or DEPTH.
    Fault::new(Reason::Short, start)
}

/// No run yet.
#[inline(always)]
#[must_use]
pub fn no_run<'de>() -> Chunk<'de> {
    Chunk { bytes: &[], offset: 0 }
}

/// The bytes of the fixed field `I` of `O`, from its run; the first field of a run takes the run.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "`I` is a field of `O`, or it does not compile; a field begins where its run does or later"
)]
fn part<'de, O: Reread<'de>, S: Source<'de>, const I: usize>(
    source: &mut S,
    run: &mut Chunk<'de>,
) -> Result<Chunk<'de>, Fault> {
    let part = const { O::FIELDS[I] };
    if const { O::FIELDS[I].run.first == I } {
        match source.chunk(part.run.len, part.run.depth) {
            Some(chunk) => *run = chunk,
            None => return Err(O::fault(source, I)),
        }
    }
    Ok(run.part(part.at - part.run.at, part.len))
}

/// The type of a field that is read, any that is [`Decode`]: field `I` of `O`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be read from the wire",
    label = "not Decode",
    note = "slices: `&[T]` only of plain elements of alignment 1; else kiln::ListView<T>, Cow<[T]> or Vec<T>; `&T`: Box<T> or T"
)]
/// # Safety
/// For every [`Decode`] alone.
pub unsafe trait DecodeField<'de>: Sized {
    /// Reads the field.
    ///
    /// # Errors
    /// Those of the field.
    fn read<O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
    ) -> Result<Self, Fault>;

    /// Reads the field into its slot.
    ///
    /// # Errors
    /// Those of the field.
    fn read_at<'s, O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault>;

    /// Reads the field into one that exists.
    ///
    /// # Errors
    /// Those of the field.
    fn read_into<O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
        place: &mut Self,
    ) -> Result<(), Fault>;

    /// Reads the field into its slot from the bytes of a struct of fixed size.
    ///
    /// # Errors
    /// Those of the field.
    fn read_fixed_at<'s, O: Fields, const I: usize>(
        chunk: Chunk<'de>,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault>;

    /// Tests the field.
    ///
    /// # Errors
    /// Those of the field.
    fn check<O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
    ) -> Result<(), Fault>;

    /// Tests the field in the bytes of a struct of fixed size.
    ///
    /// # Errors
    /// Those of the field.
    fn check_fixed<O: Fields, const I: usize>(chunk: Chunk<'de>) -> Result<(), Fault>;

    /// The [`Skip`] of the field.
    #[must_use]
    fn skip<S: Source<'de>>() -> Skip<S>;
}

// SAFETY: it is one.
unsafe impl<'de, T: Decode<'de>> DecodeField<'de> for T {
    #[inline(always)]
    fn read<O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
    ) -> Result<Self, Fault> {
        if T::FIXED { T::decode_fixed(part::<O, S, I>(source, run)?) } else { T::decode(source) }
    }

    #[inline(always)]
    fn read_at<'s, O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        if T::FIXED {
            T::decode_fixed_at(part::<O, S, I>(source, run)?, slot)
        } else {
            T::decode_at(source, slot)
        }
    }

    #[inline(always)]
    fn read_into<O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
        place: &mut Self,
    ) -> Result<(), Fault> {
        if T::FIXED {
            replace_fixed(part::<O, S, I>(source, run)?, place)
        } else {
            T::decode_into(source, place)
        }
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "`I` is a field of `O`, or it does not compile")]
    fn read_fixed_at<'s, O: Fields, const I: usize>(
        chunk: Chunk<'de>,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        T::decode_fixed_at(chunk.part(const { O::FIELDS[I].at }, T::MIN_LEN), slot)
    }

    #[inline(always)]
    fn check<O: Reread<'de>, S: Source<'de>, const I: usize>(
        source: &mut S,
        run: &mut Chunk<'de>,
    ) -> Result<(), Fault> {
        if T::FIXED { T::validate_fixed(part::<O, S, I>(source, run)?) } else { T::validate(source) }
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "`I` is a field of `O`, or it does not compile")]
    fn check_fixed<O: Fields, const I: usize>(chunk: Chunk<'de>) -> Result<(), Fault> {
        T::validate_fixed(chunk.part(const { O::FIELDS[I].at }, T::MIN_LEN))
    }

    fn skip<S: Source<'de>>() -> Skip<S> {
        if T::FIXED { T::validate } else { skip_nothing() }
    }
}

/// Reads a struct of fixed size.
///
/// # Errors
/// Those of its fields, and its own depth.
#[inline(always)]
pub fn read_whole<'de, 's, T: Decode<'de> + Reread<'de>, S: Source<'de>>(
    source: &mut S,
    slot: Slot<'s, T>,
) -> Result<Filled<'s, T>, Fault> {
    match source.chunk(T::MIN_LEN, T::DEPTH) {
        Some(chunk) => T::decode_fixed_at(chunk, slot),
        None => Err(match source.enter() {
            Ok(()) => T::fault(source, 0),
            Err(fault) => fault,
        }),
    }
}

/// Reads a value of fixed size in the place of another, as a whole or not at all. A large one is put together in a frame
/// of its own, so that the frames of a recursion do not grow with it.
///
/// # Errors
/// Those of the value.
#[inline(always)]
pub(super) fn replace_fixed<'de, T: Decode<'de>>(chunk: Chunk<'de>, place: &mut T) -> Result<(), Fault> {
    #[inline(never)]
    fn apart<'de, T: Decode<'de>>(chunk: Chunk<'de>, place: &mut T) -> Result<(), Fault> {
        *place = T::decode_fixed(chunk)?;
        Ok(())
    }
    if size_of::<T>() > LARGE {
        return apart(chunk, place);
    }
    *place = T::decode_fixed(chunk)?;
    Ok(())
}

/// The same for a struct or a tuple of fixed size, from the bytes that come next.
///
/// # Errors
/// Those of its fields, and its own depth.
#[inline(always)]
pub fn replace_whole<'de, T: Decode<'de>, S: Source<'de>>(
    source: &mut S,
    place: &mut T,
) -> Result<(), Fault> {
    #[inline(never)]
    fn apart<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S, place: &mut T) -> Result<(), Fault> {
        *place = T::decode(source)?;
        Ok(())
    }
    if size_of::<T>() > LARGE {
        return apart(source, place);
    }
    *place = T::decode(source)?;
    Ok(())
}

/// Tests a struct of fixed size.
///
/// # Errors
/// Those of its fields, and its own depth.
#[inline(always)]
pub fn check_whole<'de, T: Decode<'de> + Reread<'de>, S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
    match source.chunk(T::MIN_LEN, T::DEPTH) {
        Some(chunk) => T::validate_fixed(chunk),
        None => Err(match source.enter() {
            Ok(()) => T::fault(source, 0),
            Err(fault) => fault,
        }),
    }
}

/// Tests all values of a fixed size in a chunk, each by `check`.
///
/// # Errors
/// Those of the first that is refused.
#[inline(always)]
pub fn check_each<'de, T: Frozen>(
    chunk: Chunk<'de>,
    check: impl Fn(Chunk<'de>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if T::TOTAL {
        Ok(())
    } else if T::MIN_LEN == 0 {
        check(chunk)
    } else {
        super::list::pieces::<T>(chunk).try_for_each(check)
    }
}

/// Reads a scalar of fixed size: an enum.
///
/// # Errors
/// EOF, and what the scalar excludes.
#[inline(always)]
pub fn read_scalar<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S) -> Result<T, Fault> {
    let offset = source.offset();
    let bytes = source.take(T::MIN_LEN)?;
    T::decode_fixed(Chunk { bytes, offset })
}

/// Tests a scalar of fixed size: an enum.
///
/// # Errors
/// EOF, and what the scalar excludes.
#[inline(always)]
pub fn check_scalar<'de, T: Decode<'de>, S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
    let offset = source.offset();
    let bytes = source.take(T::MIN_LEN)?;
    T::validate_fixed(Chunk { bytes, offset })
}

/// The answer of [`Decode::decode_fixed`] for types that are never [`FIXED`](Frozen::FIXED).
#[cold]
#[expect(clippy::unreachable, reason = "documented: asked only of types that are FIXED")]
pub fn never_fixed() -> ! {
    unreachable!("decode_fixed asked of a type that is not FIXED")
}

/// The fault of an integer that is no value of an enum.
#[inline]
#[must_use]
pub fn no_value(chunk: Chunk<'_>) -> Fault {
    Fault::new(Reason::EnumValue, chunk.offset)
}
