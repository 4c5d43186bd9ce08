//! Sixty-four containers nested pass and sixty-five do not, whatever they are, both ways; and nothing recurses deeper
//! than that.

use kiln::schema::Shape;
use kiln::wire::{Measure, Sink, Source};
use kiln::{Batch, Code, Decode, Encode, EncodeError, Error, Fault, Frozen, ListView, Reason};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;

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
