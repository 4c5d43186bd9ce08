//! A derived struct reads runs of fields at once; whatever is wrong with the bytes, it must say what reading them
//! one field after the other says. Both ways are taken here, over bytes cut and damaged at every place.

use kiln::schema::{Shape, StaticType, Typed};
use kiln::wire::{Measure, Sink, Source};
use kiln::{Decode, Encode, EncodeError, Error, Fault, Frozen, Limits, Reason};
use std::fmt::Debug;

/// What is read field by field, as the specification words it and without a look at the derive's facts.
trait OneByOne<'de>: Decode<'de> {
    fn one_by_one<S: Source<'de>>(source: &mut S) -> Result<Self, Fault>;
}

macro_rules! whole {
    ($($ty:ty),*) => {$(
        impl<'de> OneByOne<'de> for $ty {
            fn one_by_one<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                <$ty>::decode(source)
            }
        }
    )*};
}

whole!(u8, u16, u32, u64, bool, String, Color);

impl<'de> OneByOne<'de> for &'de str {
    fn one_by_one<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        <&str>::decode(source)
    }
}

impl<'de, T: OneByOne<'de>> OneByOne<'de> for Option<T> {
    fn one_by_one<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.enter()?;
        let offset = source.offset();
        let value = match source.array()? {
            [0u8] => None,
            [1] => Some(T::one_by_one(source)?),
            _ => return Err(Fault::new(Reason::PresenceByte, offset)),
        };
        source.leave();
        Ok(value)
    }
}

impl<'de, T: OneByOne<'de>> OneByOne<'de> for Vec<T> {
    fn one_by_one<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.enter()?;
        let count = source.count(T::MIN_LEN)?;
        let items = (0..count).map(|_| T::one_by_one(source)).collect::<Result<_, _>>()?;
        source.leave();
        Ok(items)
    }
}

impl<'de, T: OneByOne<'de>> OneByOne<'de> for Box<T> {
    fn one_by_one<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        T::one_by_one(source).map(Box::new)
    }
}

/// A derived struct, and its reading field by field.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident $([$de:lifetime])? { $($field:ident: $ty:ty),* }) => {
        #[derive(Frozen, Debug, PartialEq, Clone)]
        $(#[$meta])*
        struct $name$(<$de>)? { $($field: $ty),* }

        record!(@impl $name $([$de])? { $($field),* });
    };
    (@impl $name:ident { $($field:ident),* }) => {
        impl<'de> OneByOne<'de> for $name {
            record!(@body 'de { $($field),* });
        }
    };
    (@impl $name:ident [$de:lifetime] { $($field:ident),* }) => {
        impl<$de> OneByOne<$de> for $name<$de> {
            record!(@body $de { $($field),* });
        }
    };
    (@body $de:lifetime { $($field:ident),* }) => {
        fn one_by_one<S: Source<$de>>(source: &mut S) -> Result<Self, Fault> {
            source.enter()?;
            let value = Self { $($field: OneByOne::one_by_one(source)?),* };
            source.leave();
            Ok(value)
        }
    };
}

#[derive(Frozen, Debug, PartialEq, Clone, Copy)]
#[repr(u16)]
enum Color {
    Red = 0x0101,
    Green = 0x0102,
}

record! { Nothing {} }
record! { Flags { a: bool, color: Color, b: bool } }
record! { Fixed { id: u32, flags: Flags, nothing: Nothing, deep: Deep, last: u16 } }
record! { Deep { a: Deeper } }
record! { Deeper { a: bool } }
record! {
    Mixed['a] {
        first: bool,
        second: u16,
        text: &'a str,
        alone: Flags,
        maybe: Option<u8>,
        list: Vec<Fixed>,
        third: Deep,
        fourth: Color,
        fifth: u64
    }
}
record! { Ends { list: Vec<Flags>, owned: String, nothing: Nothing } }
record! { Chain { next: Option<Box<Chain>>, flag: bool, deep: Deep, end: u8 } }

/// Any of these, read field by field.
#[derive(Debug)]
struct ByHand<T>(T);

impl<T: Frozen> Frozen for ByHand<T> {
    const MIN_LEN: usize = T::MIN_LEN;
    fn shape() -> Shape {
        T::shape()
    }
}

impl<'de, T: OneByOne<'de>> Decode<'de> for ByHand<T> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        T::one_by_one(source).map(ByHand)
    }
}

/// Reads both ways, and into the given value as well. All three agree.
fn agree<'de, T>(bytes: &'de [u8], place: &T, limits: &Limits) -> Result<T, Error>
where
    T: OneByOne<'de> + PartialEq + Clone + Debug,
{
    let derived = kiln::from_slice_with::<T>(bytes, limits);
    let by_hand = kiln::from_slice_with::<ByHand<T>>(bytes, limits).map(|value| value.0);
    assert_eq!(derived, by_hand, "of {bytes:02x?}");
    let mut place = place.clone();
    let into = kiln::decode_into_with(bytes, &mut place, limits).map(|()| place);
    assert_eq!(into, by_hand, "into, of {bytes:02x?}");
    derived
}

/// The faults that were seen, each with its place.
type Seen = std::collections::BTreeSet<(String, u64, String)>;

/// Cuts and damages the encoding of the value at every byte, and gives the faults.
fn torture<'de, T>(bytes: &'de [u8], value: &T) -> Seen
where
    T: OneByOne<'de> + PartialEq + Clone + Debug,
{
    assert_eq!(agree::<T>(bytes, value, &Limits::DEFAULT).as_ref(), Ok(value));
    let mut seen = Seen::new();
    let mut note = |error: Error, bytes: &[u8]| {
        let described = error.describe(bytes).to_string();
        let path = described.split(": ").next().unwrap().split(", in ").nth(1).unwrap_or("").to_owned();
        seen.insert((format!("{:?}", error.reason()), error.offset(), path));
    };
    for len in 0..bytes.len() {
        let error = agree::<T>(&bytes[..len], value, &Limits::DEFAULT).unwrap_err();
        note(error, &bytes[..len]);
    }
    for at in 0..bytes.len() {
        for byte in [0, 1, 2, 3, 0x7f, 0x80, 0xff] {
            // Leaked, so that borrowed values of one lifetime can be compared.
            let damaged: &'de mut [u8] = Box::leak(bytes.into());
            damaged[at] = byte;
            // Whatever else is wrong behind it, or missing.
            for len in [damaged.len(), at + 1, (at + 3).min(damaged.len())] {
                if let Err(error) = agree::<T>(&damaged[..len], value, &Limits::DEFAULT) {
                    note(error, &damaged[..len]);
                }
            }
        }
    }
    for count in 0..4 {
        let limits = Limits::DEFAULT.with_count(count).with_bytes(count);
        if let Err(error) = agree::<T>(bytes, value, &limits) {
            note(error, bytes);
        }
    }
    seen
}

fn flags() -> Flags {
    Flags { a: true, color: Color::Green, b: false }
}

fn fixed() -> Fixed {
    Fixed { id: 7, flags: flags(), nothing: Nothing {}, deep: deep(), last: 0x8001 }
}

fn deep() -> Deep {
    Deep { a: Deeper { a: true } }
}

fn mixed() -> Mixed<'static> {
    Mixed {
        first: true,
        second: 0x0203,
        text: "dé",
        alone: flags(),
        maybe: Some(0xff),
        list: vec![fixed(), fixed()],
        third: deep(),
        fourth: Color::Red,
        fifth: u64::MAX,
    }
}

#[track_caller]
fn has(seen: &Seen, reason: &str, offset: u64, path: &str) {
    let fault = (reason.to_owned(), offset, path.to_owned());
    assert!(seen.contains(&fault), "{fault:?} is none of {seen:#?}");
}

#[test]
fn a_struct_of_fixed_size() {
    let bytes: &[u8] = kiln::to_vec(&fixed()).unwrap().leak();
    assert_eq!(bytes, [7, 0, 0, 0, 1, 2, 1, 0, 1, 1, 0x80]);
    let seen = torture(bytes, &fixed());
    has(&seen, "Short", 0, "id");
    has(&seen, "Short", 4, "flags.a");
    has(&seen, "BoolByte", 4, "flags.a");
    has(&seen, "EnumValue", 5, "flags.color");
    has(&seen, "Short", 5, "flags.color");
    has(&seen, "BoolByte", 7, "flags.b");
    has(&seen, "BoolByte", 8, "deep.a.a");
    has(&seen, "Short", 8, "deep.a.a");
    has(&seen, "Short", 9, "last");
    torture(&[], &Nothing {});
}

#[test]
fn runs_between_fields_of_any_size() {
    let bytes: &[u8] = kiln::to_vec(&mixed()).unwrap().leak();
    let seen = torture(bytes, &mixed());
    // first, second: 0..3; text: 3..10; alone: 10..14; maybe: 14..16; list: 16..20, 20..42; third, fourth, fifth.
    assert_eq!(bytes.len(), 42 + 1 + 2 + 8);
    has(&seen, "BoolByte", 0, "first");
    has(&seen, "Short", 1, "second");
    has(&seen, "Short", 3, "text");
    has(&seen, "RunCap", 3, "text");
    has(&seen, "Text", 8, "text");
    has(&seen, "BoolByte", 10, "alone.a");
    has(&seen, "EnumValue", 11, "alone.color");
    has(&seen, "Short", 13, "alone.b");
    has(&seen, "PresenceByte", 14, "maybe");
    has(&seen, "Short", 15, "maybe");
    has(&seen, "CountCap", 16, "list");
    has(&seen, "CountShort", 16, "list");
    has(&seen, "BoolByte", 20 + 4, "list[0].flags.a");
    has(&seen, "BoolByte", 31 + 8, "list[1].deep.a.a");
    has(&seen, "BoolByte", 42, "third.a.a");
    has(&seen, "Short", 42, "third.a.a");
    has(&seen, "EnumValue", 43, "fourth");
    has(&seen, "Short", 43, "fourth");
    has(&seen, "Short", 45, "fifth");
}

#[test]
fn a_run_at_the_end_and_lists_of_fixed_structs() {
    let ends = Ends { list: vec![flags(); 3], owned: "ends".into(), nothing: Nothing {} };
    let bytes: &[u8] = kiln::to_vec(&ends).unwrap().leak();
    let seen = torture(bytes, &ends);
    has(&seen, "CountShort", 0, "list");
    has(&seen, "BoolByte", 4, "list[0].a");
    has(&seen, "EnumValue", 4 + 4 + 1, "list[1].color");
    has(&seen, "Short", 20, "owned");
    let lists = vec![fixed(), fixed()];
    torture(kiln::to_vec(&lists).unwrap().leak(), &lists);
}

/// The last fields of a chain enter two containers more than its last node: at every depth, and with the bytes cut or
/// damaged at every place, what comes first in the bytes decides.
#[test]
fn depth_inside_runs() {
    let end = Chain { next: None, flag: true, deep: deep(), end: 9 };
    for nodes in 29..=32 {
        let value =
            (1..nodes).fold(end.clone(), |inner, _| Chain { next: Some(Box::new(inner)), ..end.clone() });
        // Each node is a struct in an optional; its `deep` enters two more.
        let too_deep = 2 * nodes + 1 > 64;
        assert_eq!(kiln::to_vec(&value).is_err(), too_deep);
        let mut bytes = vec![1; nodes as usize - 1];
        bytes.push(0);
        bytes.extend([1, 1, 9].repeat(nodes as usize));
        let bytes: &[u8] = bytes.leak();
        if !too_deep {
            torture(bytes, &value);
            continue;
        }
        // The deepest node's: its presence byte, its flag, and then the container.
        let error = agree(bytes, &end, &Limits::DEFAULT).unwrap_err();
        assert_eq!((error.reason(), error.offset()), (Reason::Depth, nodes + 1));
        let error = agree::<Chain>(&bytes[..nodes as usize + 1], &end, &Limits::DEFAULT).unwrap_err();
        assert_eq!((error.reason(), error.offset()), (Reason::Depth, nodes + 1));
        let error = agree::<Chain>(&bytes[..nodes as usize], &end, &Limits::DEFAULT).unwrap_err();
        assert_eq!((error.reason(), error.offset()), (Reason::Short, nodes));
        let mut damaged = bytes.to_vec();
        damaged[nodes as usize] = 2;
        let error = agree::<Chain>(damaged.leak(), &end, &Limits::DEFAULT).unwrap_err();
        assert_eq!((error.reason(), error.offset()), (Reason::BoolByte, nodes));
    }
}

/// A hand-written type that says it takes three bytes, always, and takes one.
#[derive(Debug)]
struct Crooked;

impl Frozen for Crooked {
    const MIN_LEN: usize = 3;
    const FIXED: bool = true;
    fn shape() -> Shape {
        u8::shape()
    }
}

impl<X> Typed<X> for Crooked {
    const TYPE: &'static StaticType = <u8 as Typed<X>>::TYPE;
}

impl Encode for Crooked {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.add(1);
        Ok(())
    }
    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([0]);
    }
}

impl<'de> Decode<'de> for Crooked {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        u8::decode(source).map(|_| Crooked)
    }
}

#[derive(Frozen, Debug)]
struct AroundCrooked {
    crooked: Crooked,
    next: u8,
}

#[test]
fn a_wrong_fixed_size_is_a_wrong_answer_and_no_more() {
    // The run is not there, and yet each of its fields is: something must be said.
    let error = kiln::from_slice::<AroundCrooked>(&[1, 2]).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Short, 0));
    let announced = kiln::to_vec(&AroundCrooked { crooked: Crooked, next: 2 });
    assert_eq!(announced, Err(EncodeError::LengthMismatch { announced: 4 }));
}
