//! Validation alone: what reading would say, with nothing built, nothing charged and nothing allocated. (That it says
//! the same on every damaged input is compared beside reading, in the tests against the oracle and the dynamic values.)

use crate::support::alloc;
use alloc::{Asked, counted};
use kiln::schema::{Scalar, Shape, StaticType, Typed};
use kiln::wire::{Chunk, Measure, Sink, Source};
use kiln::{
    Batch, ByteBuf, Code, Decode, Encode, EncodeError, Error, Fault, Frozen, Limits, ListView, Reason, frame,
};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

const NOTHING: Asked = Asked { calls: 0, bytes: 0 };

#[derive(Frozen)]
struct Record {
    id: u32,
    on: bool,
    name: String,
    tags: Vec<Box<str>>,
    #[kiln(bytes)]
    raw: Vec<u8>,
    #[kiln(bytes)]
    digest: [u8; 3],
    #[kiln(bytes)]
    more: Option<[u8; 2]>,
    inner: Option<Box<Record>>,
    counts: BTreeMap<String, Vec<u16>>,
    shared: Rc<[(u8, bool)]>,
    table: HashMap<Rc<str>, [ByteBuf; 1]>,
}

fn record(inner: Option<Box<Record>>) -> Record {
    Record {
        id: 7,
        on: true,
        name: "a name that is longer than any word of a machine".into(),
        tags: vec!["a".into(), "é".into()],
        raw: vec![0xff; 3],
        digest: [1, 2, 3],
        more: inner.is_some().then_some([4, 5]),
        inner,
        counts: BTreeMap::from([("a".into(), vec![1, 2]), ("b".into(), vec![])]),
        shared: Rc::new([(1, true), (2, false)]),
        table: HashMap::from([("k".into(), [ByteBuf(vec![1])]), ("l".into(), [ByteBuf(vec![])])]),
    }
}

#[test]
fn validation_allocates_nothing_and_charges_nothing() {
    let value: Vec<Record> = (0..20).map(|_| record(Some(Box::new(record(None))))).collect();
    let mut bytes = kiln::to_vec(&value).unwrap();
    let nothing_owned = Limits::DEFAULT.with_owned(0);
    let reading = kiln::from_slice_with::<Vec<Record>>(&bytes, &nothing_owned);
    assert_eq!(reading.map(drop).unwrap_err().reason(), Reason::Budget);
    let validated = counted(|| kiln::validate_with::<Vec<Record>>(&bytes, &nothing_owned));
    assert_eq!(validated, (Ok(()), NOTHING));

    bytes.push(0);
    let (validated, asked) = counted(|| kiln::validate::<Vec<Record>>(&bytes));
    let error = validated.unwrap_err();
    assert_eq!((error.code(), error.offset(), asked), (Code::Trailing, bytes.len() as u64 - 1, NOTHING));
    assert_eq!(Some(error), kiln::from_slice::<Vec<Record>>(&bytes).err());
}

#[test]
fn every_cut_and_every_damaged_byte_gets_the_same_error() {
    let bytes = kiln::to_vec(&vec![record(Some(Box::new(record(None)))), record(None)]).unwrap();
    let agree = |bytes: &[u8]| {
        let read = kiln::from_slice::<Vec<Record>>(bytes).map(drop);
        assert_eq!(kiln::validate::<Vec<Record>>(bytes), read, "{bytes:02x?}");
        read.is_ok()
    };
    assert!(agree(&bytes));
    for len in 0..bytes.len() {
        assert!(!agree(&bytes[..len]));
    }
    let mut accepted = 0;
    for at in 0..bytes.len() {
        for damage in [1, 2, 3, 0x41, 0x7f, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= damage;
            accepted += usize::from(agree(&damaged));
        }
    }
    assert!(accepted > bytes.len());
}

#[test]
fn a_frame_is_validated_before_its_value() {
    let mut bytes = frame::to_vec(&(1u8, true)).unwrap();
    assert_eq!(frame::validate::<(u8, bool)>(&bytes), Ok(()));
    assert_eq!(frame::validate::<(u8, u8)>(&bytes).unwrap_err().code(), Code::Schema);
    bytes[17] = 2;
    let error = frame::validate::<(u8, bool)>(&bytes).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::BoolByte, 17));
    assert_eq!(Some(error), frame::from_slice::<(u8, bool)>(&bytes).err());
}

#[test]
fn bools_are_found_wherever_they_lie() {
    for len in (0..200).chain([1_000, 5_000]) {
        let mut bytes = kiln::to_vec(&vec![true; len]).unwrap();
        assert_eq!(kiln::validate::<Vec<bool>>(&bytes), Ok(()));
        let followed = [&bytes[..], &kiln::to_vec("\u{ff}".repeat(40).as_str()).unwrap()].concat();
        assert_eq!(kiln::validate::<(Vec<bool>, &str)>(&followed), Ok(()));
        for at in (0..len).step_by(1 + len / 100) {
            bytes[4 + at] = 2;
            let error = kiln::validate::<Vec<bool>>(&bytes).unwrap_err();
            assert_eq!((error.reason(), error.offset()), (Reason::BoolByte, 4 + at as u64));
            assert_eq!(Some(error), kiln::from_slice::<Vec<bool>>(&bytes).err());
            // With more behind them than one look takes in.
            bytes.extend([0xff; 40]);
            let error = kiln::validate::<(Vec<bool>, [(u64, u64, u64, u64, u64); 1])>(&bytes).unwrap_err();
            assert_eq!((error.reason(), error.offset()), (Reason::BoolByte, 4 + at as u64));
            bytes.truncate(4 + len);
            bytes[4 + at] = 1;
        }
    }
}

#[derive(Frozen, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Three {
    A,
    B,
    C,
}

#[test]
fn what_follows_a_value_that_is_absent_is_not_taken_for_it() {
    type Pair = (Option<Three>, Option<(u8, bool)>, u64);
    let absent = kiln::to_vec(&(None::<Three>, None::<(u8, bool)>, u64::MAX)).unwrap();
    assert_eq!(kiln::validate::<Pair>(&absent), Ok(()));
    let present = kiln::to_vec(&(Some(Three::C), Some((255u8, true)), u64::MAX)).unwrap();
    assert_eq!(kiln::validate::<Pair>(&present), Ok(()));
    for (bytes, at, reason) in [
        (&absent, 0, Reason::PresenceByte),
        (&absent, 1, Reason::PresenceByte),
        (&present, 0, Reason::PresenceByte),
        (&present, 1, Reason::EnumValue),
        (&present, 2, Reason::PresenceByte),
        (&present, 4, Reason::BoolByte),
    ] {
        let mut bytes = bytes.clone();
        bytes[at] = 3;
        let error = kiln::validate::<Pair>(&bytes).unwrap_err();
        assert_eq!((error.reason(), error.offset()), (reason, at as u64));
        assert_eq!(kiln::from_slice::<Pair>(&bytes), Err(error));
    }
    // The last value of the buffer, with nothing behind it.
    assert_eq!(kiln::validate::<Option<Three>>(&[0]), Ok(()));
    assert_eq!(kiln::validate::<Option<Three>>(&[1, 2]), Ok(()));
    assert_eq!(kiln::validate::<Option<Three>>(&[1]).unwrap_err().code(), Code::Eof);
}

#[test]
fn what_takes_every_pattern_says_so() {
    #[derive(Frozen)]
    struct Padded {
        _small: u8,
        _wide: (u64, core::num::Wrapping<f32>),
    }
    #[derive(Frozen)]
    struct Empty {}
    #[derive(Frozen)]
    #[repr(u8)]
    enum Color {
        _Red,
    }
    const {
        assert!(Padded::TOTAL && Empty::TOTAL && <&u8>::TOTAL && <()>::TOTAL && <(u8, i16)>::TOTAL);
        assert!(!bool::TOTAL && !Color::TOTAL && !<(u8, bool)>::TOTAL && !core::num::NonZero::<u8>::TOTAL);
        assert!(!String::TOTAL && !Vec::<u8>::TOTAL && !<[u8; 2]>::TOTAL && !Option::<u8>::TOTAL);
        assert!(!Box::<u8>::TOTAL && !Record::TOTAL);
    }
}

/// Two bytes of which the second is the larger, written by hand with the least that there is to write.
#[derive(Debug)]
struct Ascending(u8, u8);

impl Frozen for Ascending {
    const MIN_LEN: usize = 2;
    const FIXED: bool = true;

    fn shape() -> Shape {
        Shape::Scalar(Scalar::U16)
    }
}

impl<X> Typed<X> for Ascending {
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::U16);
}

impl Encode for Ascending {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.add(2);
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([self.0, self.1]);
    }
}

impl<'de> Decode<'de> for Ascending {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let offset = source.offset();
        let [low, high] = source.array()?;
        if low < high { Ok(Ascending(low, high)) } else { Err(Fault::new(Reason::Refused, offset)) }
    }
}

#[test]
fn a_hand_written_type_is_read_and_dropped() {
    #[derive(Frozen, Debug)]
    struct Around {
        before: u8,
        pair: Ascending,
        after: bool,
    }
    assert_eq!(kiln::validate::<Vec<Ascending>>(&[2, 0, 0, 0, 1, 2, 3, 4]), Ok(()));
    let error = kiln::validate::<Vec<Ascending>>(&[2, 0, 0, 0, 1, 2, 3, 3]).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Refused, 6));
    for bytes in [[9, 1, 2, 1], [9, 2, 2, 1], [9, 1, 2, 2], [9, 2, 1, 2]] {
        let read = kiln::from_slice::<Around>(&bytes).map(drop);
        assert_eq!(kiln::validate::<Around>(&bytes), read);
        assert_eq!(read.is_ok(), bytes == [9, 1, 2, 1]);
    }
}

/// A fixed size of nothing, refused all the same.
struct Never;

impl Frozen for Never {
    const MIN_LEN: usize = 0;
    const FIXED: bool = true;

    fn shape() -> Shape {
        Shape::Struct(&[])
    }
}

impl<'de> Decode<'de> for Never {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        Err(Fault::new(Reason::Refused, source.offset()))
    }

    fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
        Err(Fault::new(Reason::Refused, chunk.offset))
    }
}

#[test]
fn a_value_of_no_bytes_is_asked_once() {
    for error in [
        kiln::validate::<Never>(&[]).unwrap_err(),
        kiln::validate::<(Never,)>(&[]).unwrap_err(),
        kiln::validate::<(Never, ())>(&[]).unwrap_err(),
    ] {
        assert_eq!((error.reason(), error.offset()), (Reason::Refused, 0));
    }
}

thread_local! {
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// `N` bytes that count how often they are read.
#[derive(Debug, PartialEq, Clone)]
struct Watched<const N: usize>([u8; N]);

impl<const N: usize> Frozen for Watched<N> {
    const MIN_LEN: usize = N;
    const FIXED: bool = true;
    const TOTAL: bool = true;

    fn shape() -> Shape {
        Shape::Scalar(Scalar::U8)
    }
}

impl<'de, const N: usize> Decode<'de> for Watched<N> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        LOOKS.set(LOOKS.get() + 1);
        source.array().map(Watched)
    }
}

#[test]
fn what_takes_every_pattern_is_accepted_without_a_look() {
    unseen::<1>();
    unseen::<8>();
    unseen::<40>();
}

fn unseen<const N: usize>() {
    let looks = |read: &dyn Fn() -> Result<(), Error>| {
        LOOKS.set(0);
        assert_eq!(read(), Ok(()));
        LOOKS.get()
    };
    let list = [&100u32.to_le_bytes()[..], &vec![9; 100 * N]].concat();
    assert_eq!(looks(&|| kiln::validate::<Vec<Watched<N>>>(&list)), 0);
    assert_eq!(looks(&|| kiln::validate::<[Watched<N>; 100]>(&list)), 0);
    assert_eq!(looks(&|| kiln::validate::<(u32, Watched<N>)>(&list[..4 + N])), 0);
    assert_eq!(looks(&|| kiln::validate::<Option<Watched<N>>>(&[&[1], &list[4..4 + N]].concat())), 0);
    assert_eq!(looks(&|| kiln::from_slice::<ListView<Watched<N>>>(&list).map(drop)), 0);
    assert_eq!(looks(&|| Batch::<Watched<N>>::index(&list).map(drop)), 0);
    // What is asked for is read, and nothing else.
    let view: ListView<Watched<N>> = kiln::from_slice(&list).unwrap();
    let get = || {
        assert_eq!(view.get(50), Some(Watched([9; N])));
        Ok(())
    };
    assert_eq!(looks(&get), 1);
    assert_eq!(looks(&|| kiln::from_slice::<Vec<Watched<N>>>(&list).map(drop)), 100);
}
