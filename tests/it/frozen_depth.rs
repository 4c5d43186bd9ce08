//! Sixty-four containers nested pass and sixty-five do not, whatever they are, both ways; and nothing recurses deeper
//! than that. How much stack a container takes, and that it does not grow with arrays in it.

use crate::support::stack;
use kiln::schema::Shape;
use kiln::tensor::OwnedDirectory;
use kiln::wire::{Measure, Sink, Source};
use kiln::{Batch, Code, Decode, Encode, EncodeError, Error, Fault, Frozen, ListView, Reason};
use stack::{BESIDE, CONTAINER, FIELD, GIVEN, MOVED, Probe, lowest};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

/// A type that is nothing on the wire but the container that holds itself.
macro_rules! nests {
    ($($name:ident($inner:ty);)*) => {$(
        #[derive(Debug, PartialEq, Default)]
        struct $name($inner);

        impl Frozen for $name {
            const MIN_LEN: usize = <$inner as Frozen>::MIN_LEN;
            const DEPTH: u32 = <$inner as Frozen>::DEPTH;

            fn shape() -> Shape {
                <$inner as Frozen>::shape()
            }
        }

        impl Encode for $name {
            fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
                self.0.measure(measure)
            }

            fn encode<S: Sink>(&self, sink: &mut S) {
                self.0.encode(sink);
            }
        }

        impl<'de> Decode<'de> for $name {
            fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
                <$inner>::decode(source).map($name)
            }

            fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
                <$inner>::decode_into(source, &mut place.0)
            }
        }
    )*};
}

nests! {
    List(Vec<List>);
    Ring(VecDeque<Ring>);
    Slice(Box<[Slice]>);
    Shared(Rc<[Shared]>);
    Maybe(Option<Box<Maybe>>);
    Tree(BTreeMap<String, Tree>);
    Hash(HashMap<String, Hash>);
}

fn too_deep(error: Error) -> u64 {
    assert_eq!((error.code(), error.reason()), (Code::Limit, Reason::Depth));
    error.offset()
}

/// `around` goes in front of what is nested; `innermost` is the empty container.
fn nested(around: &[u8], innermost: &[u8], depth: usize) -> Vec<u8> {
    [around.repeat(depth - 1), innermost.to_vec()].concat()
}

fn limit<T>(around: &[u8], innermost: &[u8])
where
    T: Encode + for<'de> Decode<'de> + PartialEq + Debug + Default,
{
    let bytes = nested(around, innermost, 64);
    let value: T = kiln::from_slice(&bytes).unwrap();
    assert_eq!(kiln::to_vec(&value).unwrap(), bytes);
    let mut place = T::default();
    kiln::decode_into(&bytes, &mut place).unwrap();
    assert_eq!(place, value);
    kiln::decode_into(&bytes, &mut place).unwrap();
    assert_eq!(place, value);

    // The container that is one too many is reported before its bytes are looked at, whatever they are.
    for tail in [innermost.to_vec(), vec![0xff; 16], around.repeat(1_000)] {
        let bytes = [around.repeat(64), tail].concat();
        let at = 64 * around.len() as u64;
        assert_eq!(too_deep(kiln::from_slice::<T>(&bytes).unwrap_err()), at);
        assert_eq!(too_deep(kiln::decode_into(&bytes, &mut place).unwrap_err()), at);
    }
}

const ONE: &[u8] = &[1, 0, 0, 0];
const NONE: &[u8] = &[0, 0, 0, 0];

#[test]
fn sixty_four_lists_pass_and_sixty_five_do_not() {
    limit::<List>(ONE, NONE);
    limit::<Ring>(ONE, NONE);
    limit::<Slice>(ONE, NONE);
    limit::<Shared>(ONE, NONE);
}

#[test]
fn sixty_four_optionals_pass_and_sixty_five_do_not() {
    limit::<Maybe>(&[1], &[0]);
    // The depth comes before the missing presence byte, which would be EOF.
    assert_eq!(too_deep(kiln::from_slice::<Maybe>(&[1; 64]).unwrap_err()), 64);
    assert_eq!(kiln::from_slice::<Maybe>(&[1; 63]).unwrap_err().code(), Code::Eof);
}

#[test]
fn sixty_four_dicts_pass_and_sixty_five_do_not() {
    let around = [1, 0, 0, 0, 1, 0, 0, 0, b'k'];
    limit::<Tree>(&around, NONE);
    limit::<Hash>(&around, NONE);
}

/// Sixty lists, each the only element of the one around it, with the last in hand. As a type of std's it would be
/// sixty levels of `Vec`, which the compiler takes minutes for.
#[derive(Debug)]
struct Sixty<T>(Vec<T>);

fn sixty<T>(value: T) -> Sixty<T> {
    Sixty(vec![value])
}

impl<T: Frozen> Frozen for Sixty<T> {
    const MIN_LEN: usize = 4;
    const DEPTH: u32 = 1;

    fn shape() -> Shape {
        Shape::List(Self::shape)
    }
}

impl<T: Encode> Encode for Sixty<T> {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        for _ in 1..60 {
            measure.enter()?;
            measure.count(1)?;
        }
        self.0.measure(measure)?;
        for _ in 1..60 {
            measure.leave();
        }
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        for _ in 1..60 {
            sink.count(1);
        }
        self.0.encode(sink);
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Sixty<T> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        for _ in 1..60 {
            source.enter()?;
            source.exact_count(1, 4)?;
        }
        let last = Vec::decode(source)?;
        for _ in 1..60 {
            source.leave();
        }
        Ok(Sixty(last))
    }
}

/// What stands at depth 61 and reaches 64 is accepted, and what reaches 65 is not, where it begins; an empty list
/// enters nothing.
macro_rules! in_sixty {
    ($good:ty, $deep:ty, $bytes:expr, $at:expr) => {{
        let bytes = nested(ONE, &$bytes, 61);
        let value: Sixty<$good> = kiln::from_slice(&bytes).unwrap();
        assert_eq!(kiln::to_vec(&value).unwrap(), bytes);
        let error = kiln::from_slice::<Sixty<$deep>>(&bytes).map(|_| ()).unwrap_err();
        assert_eq!(too_deep(error), 240 + $at);
        let empty: Sixty<$deep> = kiln::from_slice(&nested(ONE, NONE, 60)).unwrap();
        assert_eq!(kiln::to_vec(&empty).unwrap(), nested(ONE, NONE, 60));
    }};
}

#[test]
fn structs_count_too() {
    in_sixty!(((((u8,),),),), (((((u8,),),),),), [7], 0);
    // Not only the first field may be the deepest.
    in_sixty!((u8, (u8, (u8, (u8, u8)))), (u8, (u8, (u8, (u8, (u8,))))), [1, 2, 3, 4, 5], 4);
    in_sixty!((((u8, ()),),), ((((u8, ()),),),), [7], 1);
    // Structs without a fixed size.
    in_sixty!(((((u8, Bytes),),),), (((((u8, Bytes),),),),), [7, 0, 0, 0, 0], 0);
}

#[derive(Frozen, Debug, PartialEq)]
struct Innermost {
    byte: u8,
    flag: bool,
}

#[derive(Frozen, Debug, PartialEq)]
struct AroundIt {
    byte: u8,
    inner: Innermost,
    text: String,
}

#[test]
fn derived_structs_are_read_at_the_last_depth_too() {
    // The innermost struct is the 64th container, or one that stands in a 63rd.
    let list = nested(ONE, &[7, 1], 64);
    let around = nested(ONE, &[9, 7, 1, 0, 0, 0, 0], 63);
    let innermost = || Innermost { byte: 7, flag: true };
    macro_rules! reads {
        ($of:ty, $bytes:expr, $value:expr) => {{
            let read = kiln::from_slice::<Sixty<$of>>(&$bytes).unwrap();
            assert_eq!(read.0, [$value]);
            assert_eq!(kiln::to_vec(&read).unwrap(), $bytes);
            assert_eq!(kiln::validate::<Sixty<$of>>(&$bytes), Ok(()));
            let mut place = sixty($value);
            kiln::decode_into(&$bytes, &mut place).unwrap();
            assert_eq!(place.0, [$value]);
            let deeper = [ONE, &$bytes].concat();
            too_deep(kiln::from_slice::<Sixty<Vec<$of>>>(&deeper).map(drop).unwrap_err());
            too_deep(kiln::validate::<Sixty<Vec<$of>>>(&deeper).unwrap_err());
            assert_eq!(kiln::encoded_len(&sixty(vec![$value])), Err(EncodeError::TooDeep));
        }};
    }
    reads!(Vec<Vec<Vec<Innermost>>>, list, vec![vec![vec![innermost()]]]);
    let around_it = || AroundIt { byte: 9, inner: innermost(), text: String::new() };
    reads!(Vec<Vec<AroundIt>>, around, vec![vec![around_it()]]);
}

type Bytes = kiln::ByteBuf;

#[test]
fn elements_of_a_fixed_size_are_not_too_deep_if_there_are_none() {
    type Deep<L> = ((L,),);
    // Lists at depth 63, whose elements would be at 64 and 65.
    let empty = nested(ONE, NONE, 61);
    let full = [nested(ONE, ONE, 61), vec![7]].concat();
    macro_rules! reads {
        ($list:ty) => {
            assert!(kiln::from_slice::<Sixty<Deep<$list>>>(&empty).is_ok(), stringify!($list));
            let error = kiln::from_slice::<Sixty<Deep<$list>>>(&full).map(|_| ()).unwrap_err();
            assert_eq!(too_deep(error), 244, stringify!($list));
        };
    }
    reads!(Vec<((u8,),)>);
    reads!(Rc<[((bool,),)]>);
    reads!(ListView<((u8,),)>);
    reads!(ListView<((bool,),)>);
    reads!(&[((u8,),)]);
    reads!(Cow<[((u8,),)]>);
    let array = kiln::from_slice::<Sixty<Deep<[((u8,),); 1]>>>(&full).unwrap_err();
    assert_eq!(too_deep(array), 244);
}

/// Two bytes inside `DEEP` containers, in a type that says it has `SAYS` of them.
#[derive(Debug, PartialEq, Clone, Copy)]
struct Within<const SAYS: u32, const DEEP: u32>(u16);

impl<const SAYS: u32, const DEEP: u32> Frozen for Within<SAYS, DEEP> {
    const MIN_LEN: usize = 2;
    const FIXED: bool = true;
    const DEPTH: u32 = SAYS;

    fn shape() -> Shape {
        u16::shape()
    }
}

impl<const SAYS: u32, const DEEP: u32> Encode for Within<SAYS, DEEP> {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        (0..DEEP).try_for_each(|_| measure.enter())?;
        measure.add(2);
        (0..DEEP).for_each(|_| measure.leave());
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        self.0.encode(sink);
    }
}

impl<'de, const SAYS: u32, const DEEP: u32> Decode<'de> for Within<SAYS, DEEP> {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        (0..DEEP).try_for_each(|_| source.enter())?;
        let value = u16::decode(source)?;
        (0..DEEP).for_each(|_| source.leave());
        Ok(Within(value))
    }
}

#[test]
fn what_has_a_fixed_size_is_held_by_the_depth_that_it_says() {
    type Fits = Within<63, 63>;
    type Deep = Within<64, 64>;
    let list = [1, 0, 0, 0, 7, 0];
    let value = [1, 7, 0];
    macro_rules! reads {
        ($fits:ty, $deep:ty, $bytes:expr) => {{
            let bytes: &[u8] = &$bytes;
            let at = bytes.len() as u64 - 2;
            assert!(kiln::from_slice::<$fits>(bytes).is_ok(), stringify!($fits));
            assert_eq!(kiln::validate::<$fits>(bytes), Ok(()), stringify!($fits));
            assert_eq!(too_deep(kiln::from_slice::<$deep>(bytes).map(drop).unwrap_err()), at);
            assert_eq!(too_deep(kiln::validate::<$deep>(bytes).unwrap_err()), at);
        }};
    }
    reads!(Vec<Fits>, Vec<Deep>, list);
    reads!([Fits; 1], [Deep; 1], list);
    reads!(ListView<Fits>, ListView<Deep>, list);
    reads!(Cow<[Fits]>, Cow<[Deep]>, list);
    reads!(Option<Fits>, Option<Deep>, value);
    reads!((u8, Fits), (u8, Deep), value);

    // A batch is a list itself, and so each of its records lies one container deep.
    assert_eq!(Batch::<Fits>::read(&list).unwrap().next(), Some(Ok(Within(7))));
    assert_eq!(Batch::<Fits>::index(&list).unwrap().get(0), Some(Ok(Within(7))));
    let error = Batch::<Deep>::read(&list).unwrap().next().unwrap().unwrap_err();
    assert_eq!(too_deep(error), 4);
    let mut place = Within(0);
    let error = Batch::<Deep>::read(&list).unwrap().next_into(&mut place).unwrap().unwrap_err();
    assert_eq!(too_deep(error), 4);
    assert_eq!(too_deep(Batch::<Deep>::index(&list).unwrap_err()), 4);
}

#[test]
fn a_view_of_nothing_has_nothing_from_behind_it() {
    let (view, after): (ListView<Within<64, 64>>, u16) = kiln::from_slice(&[0, 0, 0, 0, 7, 0]).unwrap();
    assert_eq!((view.len(), view.as_bytes(), after), (0, &[][..], 7));
}

#[test]
fn a_depth_that_is_said_too_high_costs_time_and_no_element() {
    type Said = Within<100, 0>;
    let bytes = [3, 0, 0, 0, 1, 0, 2, 0, 3, 0];
    let items = [Within(1), Within(2), Within(3)];
    assert_eq!(kiln::from_slice::<Vec<Said>>(&bytes).unwrap(), items);
    assert_eq!(kiln::from_slice::<ListView<Said>>(&bytes).unwrap().to_vec(), items);
    assert_eq!(kiln::from_slice::<Cow<[Said]>>(&bytes).unwrap()[..], items);
    assert_eq!(Batch::<Said>::read(&bytes).unwrap().collect::<Result<Vec<_>, _>>().unwrap(), items);
    assert_eq!(Batch::<Said>::index(&bytes).unwrap().get(2), Some(Ok(Within(3))));
    assert_eq!(kiln::from_slice::<Option<Said>>(&[1, 7, 0]), Ok(Some(Within(7))));
    // Nor is it written with another length, or at all where there is no room for so many.
    let fits = vec![Within::<63, 0>(1), Within(2), Within(3)];
    assert_eq!(kiln::to_vec(&fits).unwrap(), bytes);
    assert_eq!(kiln::to_vec(&Some(Within::<63, 0>(7))).unwrap(), [1, 7, 0]);
    assert_eq!(kiln::encoded_len(&vec![Within::<64, 0>(1)]), Err(EncodeError::TooDeep));
    assert_eq!(kiln::encoded_len(&Some(Within::<64, 0>(1))), Err(EncodeError::TooDeep));
}

#[test]
fn depth_comes_before_the_bytes_of_the_container_and_after_what_stands_before_it() {
    // The list at depth 65 begins where the buffer ends.
    let bytes = nested(ONE, &[7], 61);
    let error = kiln::from_slice::<Sixty<((((u8, Vec<u8>),),),)>>(&bytes).map(|_| ()).unwrap_err();
    // Count 60 cannot fit its element, and that is found first.
    assert_eq!((error.code(), error.offset()), (Code::Eof, 236));
    let bytes = nested(ONE, &[9, 1, 0], 61);
    let error = kiln::from_slice::<Sixty<((((bool, Option<u8>),),),)>>(&bytes).map(|_| ()).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::Type, 240));
    let bytes = nested(ONE, &[1, 9, 0], 61);
    let error = kiln::from_slice::<Sixty<((((bool, Option<u8>),),),)>>(&bytes).map(|_| ()).unwrap_err();
    assert_eq!(too_deep(error), 241);
}

#[test]
fn what_is_too_deep_is_not_written() {
    macro_rules! refused {
        ($value:expr, $around:expr) => {
            let mut value = Default::default();
            for _ in 1..64 {
                value = $around(value);
            }
            assert!(kiln::to_vec(&value).is_ok());
            let value = $around(value);
            assert_eq!(kiln::encoded_len(&value), Err(EncodeError::TooDeep));
            let mut out = vec![1];
            assert_eq!(kiln::encode_into(&value, &mut out), Err(EncodeError::TooDeep));
            assert_eq!(out, [1]);
        };
    }
    refused!(List, |value: List| List(vec![value]));
    refused!(Ring, |value: Ring| Ring(VecDeque::from([value])));
    refused!(Maybe, |value: Maybe| Maybe(Some(Box::new(value))));
    refused!(Tree, |value: Tree| Tree(BTreeMap::from([(String::new(), value)])));
    refused!(Hash, |value: Hash| Hash(HashMap::from([(String::new(), value)])));

    // Lists of a fixed size are counted without measuring each element, and so are structs.
    assert!(kiln::to_vec(&sixty(((((7u8,),),),))).is_ok());
    assert_eq!(kiln::encoded_len(&sixty((((((7u8,),),),),))), Err(EncodeError::TooDeep));
    assert_eq!(kiln::encoded_len(&sixty((((((0u8, "text"),),),),))), Err(EncodeError::TooDeep));
    // Of an empty list no element is entered.
    type Five = (((((u8,),),),),);
    let list: Sixty<Five> = Sixty(vec![]);
    assert_eq!(kiln::to_vec(&list).unwrap(), nested(ONE, NONE, 60));
    assert_eq!(kiln::encoded_len(&sixty(vec![vec![vec![vec![(7u8,); 0]]]])), Ok(256));
    assert_eq!(kiln::encoded_len(&sixty(vec![vec![vec![vec![(7u8,); 1]]]])), Err(EncodeError::TooDeep));
    // So are the elements of a view, which are written as one run.
    let list = [1, 0, 0, 0, 7, 0];
    let view: ListView<Within<62, 62>> = kiln::from_slice(&list).unwrap();
    assert_eq!(kiln::to_vec(&(view,)).unwrap(), list);
    let view: ListView<Within<63, 63>> = kiln::from_slice(&list).unwrap();
    assert_eq!(kiln::encoded_len(&(view,)), Err(EncodeError::TooDeep));
    assert_eq!(kiln::encoded_len(&(ListView::<Within<63, 63>>::default(),)), Ok(4));
    // A struct without fields is a container like others.
    assert_eq!(kiln::encoded_len(&sixty((0u8, (0u8, (0u8, ()))))), Ok(243));
    assert_eq!(kiln::encoded_len(&sixty((0u8, (0u8, (0u8, (0u8, ())))))), Err(EncodeError::TooDeep));
}

#[test]
fn a_million_nested_containers_fail_cleanly_on_a_small_stack() {
    // Optimised, sixty-four levels of the largest frames (a hash table's) take about 30 KB; unoptimised, where what is
    // inlined keeps a frame of its own for each value, between 256 and 320 KiB. A million levels take no more.
    let stack = if cfg!(debug_assertions) { 512 << 10 } else { 64 << 10 };
    let on_small_stack =
        |work: fn()| std::thread::Builder::new().stack_size(stack).spawn(work).unwrap().join().unwrap();
    on_small_stack(|| _ = too_deep(kiln::from_slice::<List>(&ONE.repeat(1 << 20)).unwrap_err()));
    on_small_stack(|| _ = too_deep(kiln::from_slice::<Maybe>(&[1].repeat(1 << 20)).unwrap_err()));
    const PAIR: [u8; 8] = [1, 0, 0, 0, 0, 0, 0, 0];
    on_small_stack(|| _ = too_deep(kiln::from_slice::<Tree>(&PAIR.repeat(1 << 17)).unwrap_err()));
    on_small_stack(|| _ = too_deep(kiln::from_slice::<Hash>(&PAIR.repeat(1 << 17)).unwrap_err()));
}

/// Does `work` in a thread with so many bytes of stack.
fn on_stack(bytes: usize, work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work).unwrap().join().unwrap();
    });
}

const LONG: usize = 1 << 20;

#[derive(Frozen)]
struct Large {
    id: u32,
    numbers: [u64; LONG / 8],
    flags: [bool; LONG / 8],
    rows: [[u16; 1024]; 256],
    pairs: [(u8, bool); 1 << 16],
    texts: [String; 1 << 14],
    #[kiln(bytes)]
    run: [u8; LONG],
    tuple: (u8, [u8; LONG]),
    wrapping: std::num::Wrapping<[i8; LONG]>,
}

#[derive(Frozen)]
struct OneOf {
    small: Option<Box<[u8; 4]>>,
    large: Option<Box<[u8; LONG]>>,
}

/// The encoding of a `Large`, of whose arrays the stack could hold none.
fn large() -> Vec<u8> {
    let mut bytes = 1u32.to_le_bytes().to_vec();
    let mut list = |count: usize, len: usize| {
        bytes.extend((count as u32).to_le_bytes());
        bytes.resize(bytes.len() + len, 1);
    };
    list(LONG / 8, LONG);
    list(LONG / 8, LONG / 8);
    list(256, 0);
    (0..256).for_each(|_| list(1024, 2048));
    list(1 << 16, 2 << 16);
    list(1 << 14, 0);
    (0..1 << 14).for_each(|_| list(0, 0));
    list(LONG, LONG);
    bytes.push(1);
    let mut list = |len: usize| {
        bytes.extend((len as u32).to_le_bytes());
        bytes.resize(bytes.len() + len, 1);
    };
    list(LONG);
    list(LONG);
    bytes
}

#[test]
fn arrays_are_read_into_their_place_and_take_no_stack() {
    let one = [&(LONG as u32).to_le_bytes()[..], &[7; LONG]].concat();
    let listed = [ONE, &one].concat();
    let large = large();
    on_stack(if cfg!(debug_assertions) { 128 << 10 } else { 64 << 10 }, || {
        type Array = [u8; LONG];
        macro_rules! reads {
            ($bytes:expr, $($of:ty, $first:expr;)*) => {$({
                let bytes: &[u8] = &$bytes;
                let mut value: $of = kiln::from_slice(bytes).unwrap();
                let first: for<'a> fn(&'a $of) -> &'a Array = $first;
                assert_eq!(first(&value)[LONG - 1], 7, stringify!($of));
                assert!(kiln::to_vec(&value).unwrap() == bytes, stringify!($of));
                kiln::decode_into(bytes, &mut value).unwrap();
                assert_eq!(first(&value)[0], 7, stringify!($of));
                assert_eq!(kiln::validate::<$of>(bytes), Ok(()), stringify!($of));
                let error = kiln::from_slice::<$of>(&bytes[..bytes.len() - 1]).map(drop).unwrap_err();
                assert_eq!(error.code(), Code::Eof, stringify!($of));
            })*};
        }
        reads! { one,
            Box<Array>, |value| value;
            Rc<Array>, |value| value;
            Arc<Array>, |value| value;
            Box<Rc<Array>>, |value| value;
            Rc<Box<Array>>, |value| value;
            Box<std::num::Saturating<Array>>, |value| &value.0;
        }
        reads! { listed,
            Vec<Array>, |value| &value[0];
            Box<[Array]>, |value| &value[0];
            Rc<[Array]>, |value| &value[0];
            Arc<[Array]>, |value| &value[0];
            Box<[Array; 1]>, |value| &value[0];
            [Box<Array>; 1], |value| &value[0];
            Vec<Box<Array>>, |value| &value[0];
            Vec<(Array,)>, |value| &value[0].0;
        }
        reads! { [&[1], &one[..]].concat(),
            Option<Box<Array>>, |value| value.as_ref().unwrap();
            Box<(u8, Array)>, |value| &value.1;
            Box<(bool, (Array,))>, |value| &value.1.0;
        }
        reads! { [ONE, &[1, 0, 0, 0, b'k'], &one].concat(),
            BTreeMap<String, Box<Array>>, |value| &value["k"];
            HashMap<String, Box<Array>>, |value| &value["k"];
            Vec<(String, Array)>, |value| &value[0].1;
        }
        reads! { [&[0, 1], &one[..]].concat(), OneOf, |value| value.large.as_ref().unwrap(); }

        // Read over another, the standard library moves its elements by value.
        assert_eq!(kiln::from_slice::<VecDeque<Array>>(&listed).unwrap()[0][LONG - 1], 7);
        let mut longer = (8u32 << 20).to_le_bytes().to_vec();
        longer.resize(4 + (8 << 20), 7);
        let longer: Box<[u8; 8 << 20]> = kiln::from_slice(&longer).unwrap();
        assert_eq!(longer[longer.len() - 1], 7);

        let mut batch = Batch::<Box<Array>>::read(&listed).unwrap();
        let mut value = batch.next().unwrap().unwrap();
        assert!(batch.next().is_none());
        assert!(Batch::<Box<Array>>::index(&listed).unwrap().get(0).unwrap().unwrap() == value);
        Batch::<Array>::read(&listed).unwrap().next_into(&mut value).unwrap().unwrap();
        let framed = kiln::frame::to_vec(&*value).unwrap();
        assert!(kiln::frame::from_slice::<Box<Array>>(&framed).unwrap() == value);
        kiln::frame::decode_into(&framed, &mut *value).unwrap();

        let mut value: Box<Large> = kiln::from_slice(&large).unwrap();
        assert_eq!((value.id, value.numbers[LONG / 8 - 1]), (1, 0x0101_0101_0101_0101));
        assert_eq!((value.rows[255][1023], value.pairs[(1 << 16) - 1]), (0x0101, (1, true)));
        assert!(kiln::to_vec(&*value).unwrap() == large);
        kiln::decode_into(&large, &mut *value).unwrap();
        assert_eq!(kiln::validate::<Large>(&large), Ok(()));
        kiln::write_to(&*value, &mut std::io::sink()).unwrap();
        for end in (0..large.len()).step_by(large.len() / 5) {
            assert!(kiln::from_slice::<Box<Large>>(&large[..end]).is_err());
            assert!(kiln::decode_into(&large[..end], &mut *value).is_err());
        }
    });
}

/// A type of levels, each of which holds the next one.
trait Level: Encode + for<'de> Decode<'de> {
    /// Beside how many others the next level stands, and inside how many containers.
    const FIELDS: usize;
    const CONTAINERS: usize;
    /// What of a level is held by value by an optional or a dict.
    const HELD: usize;

    fn level(next: Option<Self>) -> Self;

    fn levels(count: usize) -> Box<Self> {
        (1..count).fold(Box::new(Self::level(None)), |next, _| Box::new(Self::level(Some(*next))))
    }
}

/// Does to `levels` levels all that can be done to a value: how far down that gets, for each.
fn all<T: Level>(levels: usize) -> Vec<(&'static str, usize)> {
    let mut value = T::levels(levels);
    let mut shallow = T::levels(1);
    let bytes = kiln::to_vec(&*value).unwrap();
    let list = [ONE, &bytes].concat();
    let cut = &bytes[..bytes.len() - 1];
    vec![
        ("encoded_len", lowest(|| _ = kiln::encoded_len(&*value).unwrap())),
        ("to_vec", lowest(|| _ = kiln::to_vec(&*value).unwrap())),
        ("write_to", lowest(|| _ = kiln::write_to(&*value, &mut std::io::sink()).unwrap())),
        ("validate", lowest(|| kiln::validate::<T>(&bytes).unwrap())),
        ("decode_into, over its like", lowest(|| kiln::decode_into(&bytes, &mut *value).unwrap())),
        ("decode_into, over another", lowest(|| kiln::decode_into(&bytes, &mut *shallow).unwrap())),
        ("drop", lowest(|| drop(value))),
        ("from_slice", lowest(|| std::mem::forget(kiln::from_slice::<Box<T>>(&bytes).unwrap()))),
        ("from_slice by value", lowest(|| std::mem::forget(kiln::from_slice::<T>(&bytes).unwrap()))),
        ("a fault", lowest(|| _ = kiln::from_slice::<Box<T>>(cut).map(drop).unwrap_err())),
        ("a fault tested", lowest(|| _ = kiln::validate::<T>(cut).unwrap_err())),
        ("a batch", lowest(|| _ = Batch::<Box<T>>::read(&list).unwrap().next())),
        ("an index", lowest(|| _ = Batch::<Box<T>>::index(&list).unwrap().get(0))),
    ]
}

/// As many containers as may be nested, or as whole levels fill, in a thread with as much stack as they may take.
fn fits<T: Level>() {
    // Some are left for a batch, and for what else a level holds.
    let (few, many) = (2, (64 - 6) / T::CONTAINERS);
    let level = T::CONTAINERS * CONTAINER + T::FIELDS * FIELD + T::HELD;
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            for ((work, high), (_, low)) in all::<T>(few).into_iter().zip(all::<T>(many)) {
                let taken = (high - low) / (many - few);
                assert!(taken <= level, "{}, {work}: {taken} of {level}", std::any::type_name::<T>());
            }
        })
        .unwrap()
        .join()
        .unwrap();
    // Made elsewhere, as a level is made by value.
    let levels = 64 << 20;
    let bytes = std::thread::Builder::new()
        .stack_size(levels)
        .spawn(move || kiln::to_vec(&*T::levels(many)).unwrap());
    let bytes = bytes.unwrap().join().unwrap();
    on_stack(many * level + BESIDE + MOVED * T::HELD, || {
        let mut value: Box<T> = kiln::from_slice(&bytes).unwrap();
        kiln::decode_into(&bytes, &mut *value).unwrap();
        assert!(kiln::to_vec(&*value).unwrap() == bytes);
        kiln::write_to(&*value, &mut std::io::sink()).unwrap();
        kiln::validate::<T>(&bytes).unwrap();
        kiln::from_slice::<Box<T>>(&bytes[..bytes.len() - 1]).map(drop).unwrap_err();
    });
}

macro_rules! levels {
    ($($name:ident { $($field:ident: $of:ty = $value:expr,)* }
        $next:ty, |$inner:ident| $put:expr, $containers:expr, $fields:expr, $held:expr;)*) => {$({
        #[derive(Frozen)]
        struct $name { $($field: $of,)* next: $next, probe: Probe }

        impl Level for $name {
            const FIELDS: usize = $fields + 2;
            const CONTAINERS: usize = $containers;
            const HELD: usize = $held;

            fn level($inner: Option<Self>) -> Self {
                $name { $($field: $value,)* next: $put, probe: Probe }
            }
        }

        fits::<$name>();
    })*};
}

/// Levels that an optional box chains together, with these fields.
macro_rules! chains {
    ($($name:ident { $($field:ident: $of:ty = $value:expr,)* } $fields:expr;)*) => {
        levels! {
            $($name { $($field: $of = $value,)* } Option<Box<$name>>, |next| next.map(Box::new), 2, $fields, 0;)*
        }
    };
}

fn array<T: Default, const N: usize>() -> [T; N] {
    std::array::from_fn(|_| T::default())
}

type Dozen<T> = (T, T, T, T, T, T, T, T, T, T, T, T);

#[test]
fn a_level_takes_as_much_stack_as_is_said_however_large_it_is() {
    chains! {
        Narrow { id: u8 = 1, } 1;
        Numbers { a: [u64; 512] = array(), } 1;
        Flags { a: [bool; 4096] = array(), } 1;
        Texts { a: [String; 64] = array(), } 1;
        Rows { a: [[[u16; 8]; 8]; 8] = [[[0; 8]; 8]; 8], } 1;
        FlagRows { a: [[bool; 64]; 64] = [[false; 64]; 64], } 1;
        InTuple { a: ([u64; 512], String) = (array(), String::new()), } 3;
        Fixed { a: Dozen<Dozen<u32>> = Default::default(), } 1;
        // What is read before the next level, or after it, takes nothing while that is read.
        Aside { a: Option<[u64; 512]> = Some(array()), b: BTreeMap<String, [u64; 512]> = BTreeMap::new(), } 2;
        Asides { a: Option<[String; 64]> = None, b: Option<(String, [u8; 999])> = Some((String::new(), [1; 999])), } 4;
        Tuples {
            a: (String, (String, Vec<String>)) = Default::default(),
            b: (u8, (u16, (String, (Vec<u8>, String)))) = Default::default(),
        } 14;
        Many {
            a0: String = String::new(), a1: u8 = 1, a2: Vec<u16> = vec![], a3: bool = true,
            a4: Option<u32> = None, a5: Option<String> = None, a6: Vec<String> = vec![], a7: Box<u64> = Box::new(1),
            b0: String = String::new(), b1: u8 = 1, b2: Vec<u16> = vec![], b3: bool = true,
            b4: Option<u32> = None, b5: Option<String> = None, b6: Vec<String> = vec![], b7: Box<u64> = Box::new(1),
            c0: HashMap<String, u8> = HashMap::new(), c1: BTreeMap<String, String> = BTreeMap::new(),
            c2: Rc<[u8]> = Rc::new([1]), c3: VecDeque<bool> = VecDeque::new(), c4: f32 = 1.0,
        } 21;
    }
    macro_rules! wide {
        ($($name:ident $next:ty, |$inner:ident| $put:expr, $containers:expr, $fields:expr, $held:expr;)*) => {
            levels! { $($name { a: [u64; 512] = array(), } $next, |$inner| $put, $containers, $fields, $held;)* }
        };
    }
    const ALL: usize = 4160;
    wide! {
        InVec Vec<InVec>, |next| next.into_iter().collect(), 2, 1, 0;
        InRing VecDeque<InRing>, |next| next.into_iter().collect(), 2, 1, 0;
        InSlice Box<[InSlice]>, |next| next.into_iter().collect(), 2, 1, 0;
        InRcs Rc<[InRcs]>, |next| next.into_iter().collect(), 2, 1, 0;
        InArcs Arc<[InArcs]>, |next| next.into_iter().collect(), 2, 1, 0;
        InRc Option<Rc<InRc>>, |next| next.map(Rc::new), 2, 1, 0;
        InArc Option<Arc<InArc>>, |next| next.map(Arc::new), 2, 1, 0;
        InTuples Vec<(String, InTuples)>, |next| next.map(|next| (String::new(), next)).into_iter().collect(), 3, 3, 0;
        InArrays Option<Box<[InArrays; 1]>>, |next| next.map(|next| Box::new([next])), 3, 1, 0;
        InTree BTreeMap<String, Box<InTree>>,
            |next| next.map(|next| (String::new(), Box::new(next))).into_iter().collect(), 2, 1, 0;
        InHash HashMap<String, Box<InHash>>,
            |next| next.map(|next| (String::new(), Box::new(next))).into_iter().collect(), 2, 1, 0;
        // By value.
        HeldByTree BTreeMap<String, HeldByTree>,
            |next| next.map(|next| (String::new(), next)).into_iter().collect(), 2, 1, ALL;
        HeldByHash HashMap<String, HeldByHash>,
            |next| next.map(|next| (String::new(), next)).into_iter().collect(), 2, 1, ALL;
        HeldByOption Vec<Option<HeldByOption>>, |next| next.map(Some).into_iter().collect(), 3, 1, ALL;
        HeldTwice BTreeMap<String, Option<HeldTwice>>,
            |next| next.map(|next| (String::new(), Some(next))).into_iter().collect(), 3, 1, 2 * ALL;
    }
}

#[test]
fn what_lies_innermost_takes_as_much_stack_as_is_said() {
    let mut builder = kiln::tensor::Builder::new();
    let numbers = [7u64; 4];
    for index in 0..1000 {
        builder.push(format!("tensor {index}"), &[2, 2], &numbers).unwrap();
    }
    let tensors = builder.to_vec().unwrap();
    let repeated = {
        let mut bytes = tensors.clone();
        let at = bytes.windows(10).position(|name| name == b"tensor 998").unwrap();
        bytes[at + 9] = b'7';
        bytes
    };
    on_stack(BESIDE, || {
        kiln::from_slice::<OwnedDirectory>(&tensors).unwrap();
        assert_eq!(kiln::from_slice::<OwnedDirectory>(&repeated).unwrap_err().code(), Code::Type);
        kiln::validate::<OwnedDirectory>(&repeated).unwrap_err();
        // Small trees and tables, and new ones that take over what the old ones had.
        let value = [7u64; 64];
        let bytes = kiln::to_vec(&BTreeMap::from([("a", value), ("b", value), ("c", value)])).unwrap();
        let mut tree: BTreeMap<String, [u64; 64]> = kiln::from_slice(&bytes).unwrap();
        let mut hash: HashMap<String, [u64; 64]> = kiln::from_slice(&bytes).unwrap();
        let other = kiln::to_vec(&BTreeMap::from([("a", value), ("bb", value), ("c", value)])).unwrap();
        kiln::decode_into(&other, &mut tree).unwrap();
        kiln::decode_into(&other, &mut hash).unwrap();
        assert_eq!((kiln::to_vec(&tree).unwrap(), kiln::to_vec(&hash).unwrap()), (other.clone(), other));
        assert_eq!(kiln::from_slice::<Vec<String>>(&[0xff; 64]).unwrap_err().code(), Code::Limit);
    });
}

/// A value that is given by value, and nothing done with it here.
#[inline(never)]
fn given<T: for<'de> Decode<'de>>(bytes: &[u8]) {
    assert!(kiln::from_slice::<T>(bytes).is_ok());
}

/// The next record.
#[inline(never)]
fn given_next<T: for<'de> Decode<'de>>(list: &[u8]) {
    assert!(Batch::<T>::read(list).unwrap().next().unwrap().is_ok());
}

/// Read over a value that is there already.
#[inline(never)]
fn over<T: for<'de> Decode<'de>>(bytes: &[u8], place: &mut T) {
    kiln::decode_into(bytes, place).unwrap();
}

#[test]
fn what_goes_by_value_takes_as_much_stack_as_is_said() {
    type Numbers = [u64; 1 << 15];
    const LARGE: usize = size_of::<Numbers>() + 128;
    let numbers = [&(1u32 << 15).to_le_bytes()[..], &[1; 8 << 15]].concat();
    let before = |bytes: &[u8]| [bytes, &numbers].concat();
    on_stack(BESIDE + GIVEN * LARGE, || {
        given::<Numbers>(&numbers);
        given::<(u8, Numbers)>(&before(&[1]));
        given_next::<Numbers>(&before(ONE));
        given_next::<(bool, Numbers)>(&before(&[1, 0, 0, 0, 1]));
    });
    let (dict, other) = (before(&[1, 0, 0, 0, 0, 0, 0, 0]), before(&[1, 0, 0, 0, 1, 0, 0, 0, b'k']));
    on_stack(BESIDE + LARGE + MOVED * LARGE, || {
        given::<Box<Option<Numbers>>>(&before(&[1]));
        given::<Vec<Option<(String, Numbers)>>>(&before(&[1, 0, 0, 0, 1, 0, 0, 0, 0]));
        given::<BTreeMap<String, Numbers>>(&dict);
        given::<HashMap<String, Numbers>>(&dict);
        let (mut tree, mut hash) = (BTreeMap::<String, Numbers>::new(), HashMap::<String, Numbers>::new());
        for bytes in [&dict, &other, &other, &dict] {
            over(bytes, &mut tree);
            over(bytes, &mut hash);
        }
        let mut place = Box::new(None::<Numbers>);
        over(&before(&[1]), &mut *place);
        over(&[0], &mut *place);
    });
}

/// Comes out of a container that it has not gone into.
#[derive(Debug, PartialEq)]
struct Hasty;

impl Frozen for Hasty {
    const MIN_LEN: usize = 1;
    const DEPTH: u32 = 0;

    fn shape() -> Shape {
        u8::shape()
    }
}

impl Encode for Hasty {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.leave();
        measure.add(1);
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([7]);
    }
}

impl<'de> Decode<'de> for Hasty {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.leave();
        u8::decode(source).map(|_| Hasty)
    }
}

#[test]
fn a_type_that_comes_out_once_too_often_is_read_and_written_without_a_panic() {
    assert_eq!(kiln::from_slice::<Hasty>(&[7]), Ok(Hasty));
    assert_eq!(kiln::to_vec(&Hasty), Ok(vec![7]));
    let pair = (Hasty, [9u8]);
    assert_eq!(kiln::to_vec(&pair), Ok(vec![7, 1, 0, 0, 0, 9]));
    assert_eq!(kiln::from_slice(&[7, 1, 0, 0, 0, 9]), Ok(pair));
    let list = vec![Hasty, Hasty];
    assert_eq!(kiln::to_vec(&list), Ok(vec![2, 0, 0, 0, 7, 7]));
    assert_eq!(kiln::from_slice(&[2, 0, 0, 0, 7, 7]), Ok(list));
}
