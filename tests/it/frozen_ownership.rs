//! What is built is dropped once, also when a fault comes in between; and what a reused value holds after a fault.

use kiln::__private::{Filled, Slot};
use kiln::frozen::Plain;
use kiln::schema::{Scalar, Shape, StaticType, Typed};
use kiln::wire::{Chunk, Measure, Sink, Source};
use kiln::{ByteBuf, Code, Decode, Encode, EncodeError, Fault, Frozen, Reason};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::num::Wrapping;
use std::panic::catch_unwind;
use std::rc::Rc;
use std::sync::Arc;

thread_local! {
    static MADE: Cell<usize> = const { Cell::new(0) };
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

/// A string that counts.
#[derive(Debug)]
struct Counted(String);

impl Counted {
    fn new(text: String) -> Self {
        MADE.set(MADE.get() + 1);
        Counted(text)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Counted::new(self.0.clone())
    }
}

impl Frozen for Counted {
    const MIN_LEN: usize = 4;

    fn shape() -> Shape {
        Shape::Scalar(Scalar::Str)
    }
}

impl<X> Typed<X> for Counted {
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::Str);
}

impl Encode for Counted {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        self.0.measure(measure)
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        self.0.encode(sink);
    }
}

impl<'de> Decode<'de> for Counted {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        String::decode(source).map(Counted::new)
    }
}

/// Runs `work` and says how many were made and dropped in it.
fn count<R>(work: impl FnOnce() -> R) -> (R, usize, usize) {
    MADE.set(0);
    DROPPED.set(0);
    let result = work();
    (result, MADE.get(), DROPPED.get())
}

/// Four strings, the third cut short.
fn cut(keyed: bool) -> Vec<u8> {
    let mut bytes = 4u32.to_le_bytes().to_vec();
    for key in 0..2u8 {
        if keyed {
            bytes.extend([1, 0, 0, 0, b'a' + key]);
        }
        bytes.extend([1, 0, 0, 0, b'x']);
    }
    if keyed {
        bytes.extend([1, 0, 0, 0, b'z']);
    }
    // Long enough that the count could fit.
    bytes.extend([99, 0, 0, 0]);
    bytes.extend([0; 20]);
    bytes
}

macro_rules! drops_two {
    ($($of:ty),+ $(,)?) => {$(
        let (code, made, dropped) = count(|| kiln::from_slice::<$of>(&cut(false)).map(|_| ()).unwrap_err().code());
        assert_eq!((code, made, dropped), (Code::Eof, 2, 2), stringify!($of));
    )+};
}

#[test]
fn of_four_strings_the_third_cut_short_two_are_made_and_two_dropped() {
    drops_two!(Vec<Counted>, VecDeque<Counted>, Box<[Counted]>, Rc<[Counted]>, Arc<[Counted]>, [Counted; 4]);
    drops_two!(Vec<Box<Counted>>, Vec<Rc<Counted>>, Box<Vec<Counted>>, [Box<Counted>; 4]);
    macro_rules! drops_two {
        ($($of:ty),+) => {$(
            let (code, made, dropped) = count(|| kiln::from_slice::<$of>(&cut(true)).map(|_| ()).unwrap_err().code());
            assert_eq!((code, made, dropped), (Code::Eof, 2, 2), stringify!($of));
        )+};
    }
    drops_two!(BTreeMap<String, Counted>, HashMap<String, Counted>, HashMap<Rc<str>, Box<Counted>>);
    type Four = (Counted, Counted, Counted, Counted);
    let (code, made, dropped) =
        count(|| kiln::from_slice::<Four>(&cut(false)[4..]).map(|_| ()).unwrap_err().code());
    assert_eq!((code, made, dropped), (Code::Eof, 2, 2));
    type Nested = (Option<Counted>, [Counted; 2]);
    let bytes = [&[1, 1, 0, 0, 0, b'a', 2, 0, 0, 0, 1, 0, 0, 0, b'b'][..], &[9, 0, 0, 0]].concat();
    let (code, made, dropped) = count(|| kiln::from_slice::<Nested>(&bytes).map(|_| ()).unwrap_err().code());
    assert_eq!((code, made, dropped), (Code::Eof, 2, 2));
}

#[test]
fn what_is_accepted_and_dropped_is_dropped_once() {
    let texts = ["a", "b", "c"];
    let bytes = kiln::to_vec(&texts).unwrap();
    macro_rules! three {
        ($($of:ty),+ $(,)?) => {$(
            let ((), made, dropped) = count(|| drop(kiln::from_slice::<$of>(&bytes).unwrap()));
            assert_eq!((made, dropped), (3, 3), stringify!($of));
        )+};
    }
    three!(Vec<Counted>, VecDeque<Counted>, Box<[Counted]>, Rc<[Counted]>, Arc<[Counted]>, [Counted; 3]);
}

#[test]
fn a_failed_decode_into_leaks_nothing_and_drops_nothing_twice() {
    let good = kiln::to_vec(&["a", "b", "c", "d", "e"]).unwrap();
    macro_rules! balanced {
        ($($of:ty),+ $(,)?) => {$(
            let ((), made, dropped) = count(|| {
                let mut place: $of = kiln::from_slice(&good).unwrap();
                assert_eq!(kiln::decode_into(&cut(false), &mut place).unwrap_err().code(), Code::Eof);
                // It is a value still.
                kiln::to_vec(&place).unwrap();
                kiln::decode_into(&good, &mut place).unwrap();
                assert_eq!(kiln::to_vec(&place).unwrap(), good);
            });
            assert_eq!(made, dropped, stringify!($of));
        )+};
    }
    balanced!(
        Vec<Counted>,
        VecDeque<Counted>,
        Box<[Counted]>,
        Rc<[Counted]>,
        Vec<Box<Counted>>,
        Box<Vec<Counted>>
    );

    let pairs =
        |keys: &[&str]| kiln::to_vec(&keys.iter().map(|k| (*k, *k)).collect::<BTreeMap<_, _>>()).unwrap();
    let (good, other) = (pairs(&["a", "b", "c"]), pairs(&["a", "aa", "c", "d"]));
    macro_rules! balanced {
        ($($of:ty),+ $(,)?) => {$(
            let ((), made, dropped) = count(|| {
                let mut place: $of = kiln::from_slice(&good).unwrap();
                for bytes in [&other[..], &cut(true), &good, &other, &good, &[0; 4]] {
                    match kiln::decode_into(bytes, &mut place) {
                        Ok(()) => assert_eq!(kiln::to_vec(&place).unwrap(), bytes),
                        Err(error) => assert_eq!(error.code(), Code::Eof),
                    }
                }
                assert!(place.is_empty());
            });
            assert_eq!(made, dropped, stringify!($of));
        )+};
    }
    balanced!(BTreeMap<String, Counted>, HashMap<String, Counted>, HashMap<Box<str>, Counted>);
}

/// Reads `bytes`, which fail, into `place`; says what it then holds.
#[track_caller]
fn after<T: for<'de> Decode<'de>>(mut place: T, bytes: &[u8]) -> T {
    assert!(kiln::decode_into(bytes, &mut place).is_err());
    place
}

#[test]
fn after_a_fault_a_reused_value_holds_what_its_type_says() {
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    // Runs: as they were.
    assert_eq!(after(String::from("old"), &[3, 0, 0, 0, b'n', b'e', 0xff]), "old");
    assert_eq!(after(ByteBuf(vec![1, 2]), &[3, 0, 0, 0, 9]), [1, 2]);
    // Optionals: as they were, or with the value read into.
    assert_eq!(after(Some(7u8), &[2]), Some(7));
    assert_eq!(after(None::<u16>, &[1, 0]), None);
    assert_eq!(after(Some((1u8, String::from("old"))), &[1, 9, 1, 0, 0, 0]), Some((9, "old".into())));
    // Lists of elements without a fixed size: new up to the fault, old after it, never longer than the count.
    let cut = [2, 0, 0, 0, 1, 0, 0, 0, b'n', 9, 0, 0, 0];
    assert_eq!(after(texts(&["a", "b", "c"]), &cut), texts(&["n", "b"]));
    assert_eq!(after(VecDeque::from(texts(&["a", "b", "c"])), &cut), VecDeque::from(texts(&["n", "b"])));
    assert_eq!(after(texts(&["a", "b", "c"]), &[9, 0, 0, 0]), texts(&["a", "b", "c"]));
    // A box whose count is the same is read over, and any other is as it was.
    assert_eq!(after(texts(&["a", "b"]).into_boxed_slice(), &cut)[..], texts(&["n", "b"]));
    assert_eq!(after(texts(&["a", "b", "c"]).into_boxed_slice(), &cut)[..], texts(&["a", "b", "c"]));
    // Lists of elements of a fixed size: those before the fault.
    assert_eq!(after(vec![true; 5], &[3, 0, 0, 0, 0, 1, 2]), [false, true]);
    assert_eq!(after([true; 3], &[3, 0, 0, 0, 0, 1, 2]), [false, true, true]);
    assert_eq!(after([true; 3], &[2, 0, 0, 0, 0, 1]), [true; 3]);
    // Structs: the fields before the fault are new.
    assert_eq!(after((1u8, String::from("old"), 2u8), &[9, 0, 0, 0, 0]), (9, String::new(), 2));
    assert_eq!(after((1u8, true), &[9, 2]), (1, true));
    // Dicts: a tree keeps the entries whose keys are the same up to the fault.
    let tree = BTreeMap::from([("a".to_string(), 1u16), ("b".to_string(), 2)]);
    let bytes = [2, 0, 0, 0, 1, 0, 0, 0, b'a', 9, 0, 1, 0, 0, 0, b'c', 9];
    assert_eq!(after(tree.clone(), &bytes), BTreeMap::from([("a".to_string(), 9)]));
    assert_eq!(after(tree.clone(), &[3, 0, 0]), tree);
    let hash: HashMap<String, u16> = tree.into_iter().collect();
    assert_eq!(after(hash.clone(), &bytes), HashMap::from([("a".to_string(), 9)]));
    assert_eq!(after(hash.clone(), &[3, 0, 0]), hash);
    // Pointers: what they point to; a shared value stays with who shares it.
    assert_eq!(*after(Box::new((1u8, String::from("old"))), &[9, 9, 0, 0, 0]), (9, "old".into()));
    let shared = Rc::new((1u8, String::from("old")));
    assert_eq!(*after(Rc::clone(&shared), &[9, 9, 0, 0, 0]), (1, "old".into()));
    assert_eq!(*shared, (1, "old".into()));
}

/// An array of two arrays of two strings, the last cut short.
fn cut_rows() -> Vec<u8> {
    let mut bytes = 2u32.to_le_bytes().to_vec();
    for _ in 0..2 {
        bytes.extend([2, 0, 0, 0]);
        bytes.extend([1, 0, 0, 0, b'x', 1, 0, 0, 0, b'y']);
    }
    bytes.pop();
    bytes
}

type Rows = [[Counted; 2]; 2];

#[derive(Frozen)]
struct Row {
    before: Counted,
    rows: Rows,
    after: Option<Counted>,
}

#[test]
fn the_elements_of_arrays_before_a_fault_are_dropped_once_wherever_the_arrays_lie() {
    macro_rules! drops {
        ($($of:ty, $before:expr, $made:expr;)+) => {$(
            let bytes = [&$before[..], &cut_rows()].concat();
            let (code, made, dropped) =
                count(|| kiln::from_slice::<$of>(&bytes).map(|_| ()).unwrap_err().code());
            assert_eq!((code, made, dropped), (Code::Eof, $made, $made), stringify!($of));
        )+};
    }
    drops! {
        Rows, [], 3;
        Box<Rows>, [], 3;
        Rc<Rows>, [], 3;
        Arc<Rows>, [], 3;
        Box<Rc<Rows>>, [], 3;
        Box<Wrapping<Rows>>, [], 3;
        (Rows, u8), [], 3;
        Box<(u8, Rows, Counted)>, [7], 3;
        Option<Rows>, [1], 3;
        Option<Box<(u8, Option<(Rows, u8)>)>>, [1, 7, 1], 3;
        Vec<Rows>, [1, 0, 0, 0], 3;
        Rc<[Rows]>, [1, 0, 0, 0], 3;
        [Rows; 1], [1, 0, 0, 0], 3;
        Vec<(Counted, Rows)>, [1, 0, 0, 0, 1, 0, 0, 0, b'a'], 4;
        BTreeMap<String, Rows>, [1, 0, 0, 0, 1, 0, 0, 0, b'a'], 3;
        HashMap<String, Rows>, [1, 0, 0, 0, 1, 0, 0, 0, b'a'], 3;
        Row, [1, 0, 0, 0, b'a'], 4;
        Box<Row>, [1, 0, 0, 0, b'a'], 4;
        [Option<Row>; 1], [1, 0, 0, 0, 1, 1, 0, 0, 0, b'a'], 4;
    }
}

#[test]
fn arrays_are_read_over_element_by_element() {
    let good = kiln::to_vec(&[["a", "b"], ["c", "d"]]).unwrap();
    macro_rules! balanced {
        ($($of:ty),+ $(,)?) => {$(
            let ((), made, dropped) = count(|| {
                let mut place: $of = kiln::from_slice(&good).unwrap();
                assert_eq!(kiln::decode_into(&cut_rows(), &mut place).unwrap_err().code(), Code::Eof);
                kiln::to_vec(&place).unwrap();
                kiln::decode_into(&good, &mut place).unwrap();
                assert_eq!(kiln::to_vec(&place).unwrap(), good);
            });
            assert_eq!(made, dropped, stringify!($of));
        )+};
    }
    balanced!(Rows, Box<Rows>, Rc<Rows>, Arc<Rows>, Wrapping<Rows>, [Vec<Counted>; 2], Vec<[Counted; 2]>);
    // What somebody shares stays as it was.
    let ((), made, dropped) = count(|| {
        let old: Rc<Rows> = kiln::from_slice(&good).unwrap();
        let mut place = Rc::clone(&old);
        kiln::decode_into(&cut_rows(), &mut place).unwrap_err();
        assert!(Rc::ptr_eq(&old, &place));
        kiln::decode_into(&kiln::to_vec(&[["e"; 2]; 2]).unwrap(), &mut place).unwrap();
        assert_eq!((&*old[0][0].0, &*place[0][0].0), ("a", "e"));
    });
    assert_eq!(made, dropped);
}

/// A string that counts, and that cannot be read if it is `!`; nor dropped without a panic if it is `?`.
#[derive(Debug)]
struct Fragile(Counted);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.0.0 != "?" || std::thread::panicking(), "dropped");
    }
}

impl Frozen for Fragile {
    const MIN_LEN: usize = 4;

    fn shape() -> Shape {
        Counted::shape()
    }
}

impl<'de> Decode<'de> for Fragile {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        let read = Counted::decode(source)?;
        assert_ne!(read.0, "!");
        Ok(Fragile(read))
    }
}

#[test]
fn a_panic_amid_an_array_drops_what_was_read_once() {
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let array = |texts: [&str; 4]| kiln::to_vec(&texts).unwrap();
    macro_rules! panics {
        ($($of:ty, $before:expr;)+) => {$(
            for texts in [["a", "b", "!", "d"], ["!", "a", "b", "c"], ["a", "b", "c", "!"]] {
                let bytes = [&$before[..], &array(texts)].concat();
                let (result, made, dropped) =
                    count(|| catch_unwind(|| drop(kiln::from_slice::<$of>(&bytes))));
                assert!(result.is_err(), stringify!($of));
                assert_eq!(made, dropped, stringify!($of));
            }
            // While a fault is on its way, what is dropped panics, and the others are dropped all the same. Not on s390x,
            // where this ends in an allocation of no sensible size under the emulator, and why has not been found.
            if cfg!(not(target_arch = "s390x")) {
                let mut bytes = [&$before[..], &array(["a", "?", "c", "d"])].concat();
                bytes.pop();
                let (result, made, dropped) = count(|| catch_unwind(|| drop(kiln::from_slice::<$of>(&bytes))));
                assert!(result.is_err(), stringify!($of));
                assert_eq!((made, dropped), (3, 3), stringify!($of));
            }
        )+};
    }
    panics! {
        [Fragile; 4], [];
        Box<[Fragile; 4]>, [];
        Rc<[Fragile; 4]>, [];
        Arc<[Fragile; 4]>, [];
        Box<Wrapping<[Fragile; 4]>>, [];
        Box<(bool, [Fragile; 4])>, [1];
        Option<[Fragile; 4]>, [1];
        Box<[[Fragile; 4]; 1]>, [1, 0, 0, 0];
        Vec<(u8, [Fragile; 4])>, [1, 0, 0, 0, 7];
        BTreeMap<String, [Fragile; 4]>, [1, 0, 0, 0, 0, 0, 0, 0];
        HashMap<String, [Fragile; 4]>, [1, 0, 0, 0, 0, 0, 0, 0];
    }
    std::panic::set_hook(quiet);
}

/// A byte that is a fault when it is 9, found after the slot was filled; and one that is lost when it is 8. It says that it has
/// a fixed size, and owns something all the same.
struct Late(Counted);

impl Frozen for Late {
    const MIN_LEN: usize = 1;
    const FIXED: bool = true;

    fn shape() -> Shape {
        u8::shape()
    }
}

impl<'de> Decode<'de> for Late {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        u8::decode(source).map(|byte| Late(Counted::new(byte.to_string())))
    }

    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        let offset = source.offset();
        let byte = u8::decode(source)?;
        Self::fill(byte, offset, slot)
    }

    fn decode_fixed_at<'s>(chunk: Chunk<'de>, slot: Slot<'s, Self>) -> Result<Filled<'s, Self>, Fault> {
        Self::fill(chunk.bytes[0], chunk.offset, slot)
    }
}

impl Late {
    fn fill(byte: u8, offset: usize, slot: Slot<'_, Self>) -> Result<Filled<'_, Self>, Fault> {
        // What is lost has no memory that valgrind would miss.
        let text = if byte == 8 { String::new() } else { byte.to_string() };
        let filled = slot.fill(Late(Counted::new(text)));
        match byte {
            8 => std::mem::forget(filled),
            9 => drop(filled),
            _ => return Ok(filled),
        }
        Err(Fault::new(Reason::Refused, offset))
    }
}

#[test]
fn an_element_that_is_filled_and_refused_is_dropped_once_or_lost() {
    macro_rules! refused {
        ($($of:ty),+ $(,)?) => {$(
            for (byte, lost) in [(9, 0), (8, 1)] {
                let (error, made, dropped) =
                    count(|| kiln::from_slice::<$of>(&[4, 0, 0, 0, 1, 2, byte, 3]).map(drop).unwrap_err());
                assert_eq!((error.reason(), error.offset()), (Reason::Refused, 6), stringify!($of));
                assert_eq!((made, dropped), (3, 3 - lost), stringify!($of));
            }
            let (value, made, dropped) = count(|| kiln::from_slice::<$of>(&[4, 0, 0, 0, 1, 2, 3, 4]).unwrap());
            assert_eq!((value.iter().map(|late| late.0.0.len()).sum::<usize>(), made, dropped), (4, 4, 0));
        )+};
    }
    refused!([Late; 4], Box<[Late; 4]>, Rc<[Late; 4]>, Arc<[Late; 4]>, Vec<Late>, Box<[Late]>);
}

/// Nothing in memory, a byte on the wire.
#[derive(Debug, PartialEq)]
struct Nothing;

impl Drop for Nothing {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

impl Frozen for Nothing {
    const MIN_LEN: usize = 1;

    fn shape() -> Shape {
        u8::shape()
    }
}

impl<'de> Decode<'de> for Nothing {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        match u8::decode(source)? {
            7 => Err(Fault::new(Reason::Refused, source.offset())),
            _ => {
                MADE.set(MADE.get() + 1);
                Ok(Nothing)
            }
        }
    }
}

#[test]
fn elements_without_a_size_in_memory_are_read_and_dropped_by_their_number() {
    let mut bytes = 1000u32.to_le_bytes().to_vec();
    bytes.resize(1004, 1);
    for read in [999, 0, 500] {
        bytes[4 + read] = 7;
        let (result, made, dropped) = count(|| kiln::from_slice::<Box<[Nothing; 1000]>>(&bytes).map(drop));
        assert_eq!((result.is_err(), made, dropped), (true, read, read));
        bytes[4 + read] = 1;
    }
    let (result, made, dropped) = count(|| kiln::from_slice::<Rc<[Nothing; 1000]>>(&bytes).map(drop));
    assert_eq!((result, made, dropped), (Ok(()), 1000, 1000));
    let error = kiln::from_slice::<[Nothing; usize::MAX]>(&bytes).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::ArrayCount, 0));
    assert_eq!(kiln::from_slice::<[Nothing; 0]>(&[0; 4]), Ok([]));
    assert_eq!(*kiln::from_slice::<Box<[String; 0]>>(&[0; 4]).unwrap(), [""; 0]);
    assert_eq!(*kiln::from_slice::<Rc<[bool; 0]>>(&[0; 4]).unwrap(), [true; 0]);
    assert_eq!(*kiln::from_slice::<Arc<[[u8; 0]; 1]>>(&[1, 0, 0, 0, 0, 0, 0, 0]).unwrap(), [[0u8; 0]]);
}

#[test]
fn a_shared_value_is_not_written_over() {
    let mut place = Arc::new(String::from("old"));
    let other = Arc::clone(&place);
    kiln::decode_into(&kiln::to_vec("new").unwrap(), &mut place).unwrap();
    assert_eq!((&place[..], &other[..]), ("new", "old"));
    drop(other);
    let address = Arc::as_ptr(&place);
    kiln::decode_into(&kiln::to_vec("newer").unwrap(), &mut place).unwrap();
    assert_eq!((&place[..], Arc::as_ptr(&place)), ("newer", address));
}

/// Plain by its promise, and not exact: what it writes by itself is not asked.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct OnlyPlain(u32);

impl Frozen for OnlyPlain {
    const MIN_LEN: usize = 4;
    const FIXED: bool = true;
    const TOTAL: bool = true;
    #[allow(unsafe_code)]
    // SAFETY: it is a u32, which on this byte order lies in memory as on the wire.
    const PLAIN: Plain<Self> = unsafe { Plain::promise(cfg!(target_endian = "little")) };

    fn shape() -> Shape {
        u32::shape()
    }
}

impl<X> Typed<X> for OnlyPlain {
    const TYPE: &'static StaticType = <u32 as Typed<X>>::TYPE;
}

impl Encode for OnlyPlain {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        self.0.measure(measure)
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        self.0.encode(sink);
    }
}

/// Counts as many bytes as it is told, one answer after the other, and writes four.
#[derive(Debug)]
struct Counts(Cell<usize>, &'static [usize]);

impl Frozen for Counts {
    const MIN_LEN: usize = 1;

    fn shape() -> Shape {
        u8::shape()
    }
}

impl Encode for Counts {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        let at = self.0.replace(self.0.get() + 1);
        measure.add(self.1[at % self.1.len()]);
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.run(&[0x55; 4]);
    }
}

/// A list of `value` in every place that can hold it is written like a list of numbers there.
fn like_numbers<A: Encode, B: Encode>(value: &A, number: &B) {
    let expected = kiln::to_vec(number).unwrap();
    assert_eq!(kiln::to_vec(value).as_ref(), Ok(&expected));
    let mut out = vec![0xaa; expected.len() + 1];
    assert_eq!(kiln::encode_to_slice(value, &mut out), Ok(expected.len()));
    assert_eq!((&out[..expected.len()], out[expected.len()]), (&expected[..], 0xaa));
    let mut out = Vec::new();
    assert_eq!(kiln::write_to(value, &mut out).unwrap(), expected.len() as u64);
    assert_eq!(out, expected);
}

#[derive(Frozen)]
struct Holds<T> {
    before: String,
    value: T,
    after: Vec<T>,
}

fn holds<T>(value: impl Fn() -> T) -> Holds<T> {
    Holds { before: "before".into(), value: value(), after: vec![value(), value()] }
}

#[test]
fn what_is_plain_and_not_exact_is_written_alike_in_every_place() {
    let (plain, number) = (OnlyPlain(0x0102_0304), 0x0102_0304u32);
    like_numbers(&plain, &number);
    like_numbers(&Some(plain), &Some(number));
    like_numbers(&Some(Some(plain)), &Some(Some(number)));
    like_numbers(&vec![plain; 3], &vec![number; 3]);
    like_numbers(&vec![Some(plain), None], &vec![Some(number), None]);
    like_numbers(&[plain; 2], &[number; 2]);
    like_numbers(&VecDeque::from([plain; 2]), &VecDeque::from([number; 2]));
    like_numbers(&(plain, "text", vec![plain]), &(number, "text", vec![number]));
    like_numbers(&Box::new(plain), &Box::new(number));
    like_numbers(&Wrapping(plain), &Wrapping(number));
    like_numbers(&BTreeMap::from([("a", plain)]), &BTreeMap::from([("a", number)]));
    like_numbers(&holds(|| plain), &holds(|| number));
    like_numbers(&vec![holds(|| Some(plain))], &vec![holds(|| Some(number))]);
    assert_eq!(kiln::frame::to_vec(&plain), kiln::frame::to_vec(&number));
    assert_eq!(<Holds<OnlyPlain> as Frozen>::EXACT.holds(), cfg!(target_endian = "little"));
}

#[test]
fn beside_a_type_that_counts_wrongly_every_byte_that_is_handed_out_was_written() {
    for counts in [&[8, 4][..], &[4, 8], &[4], &[8, 4, 4], &[0, 4], &[12, 4]] {
        let wrong = || Counts(Cell::new(0), counts);
        let tried = [
            kiln::to_vec(&(Some(OnlyPlain(7)), vec![wrong()])),
            kiln::to_vec(&(vec![wrong()], Some(OnlyPlain(7)))),
            kiln::to_vec(&(vec![OnlyPlain(7)], vec![wrong(), wrong()], vec![Some(OnlyPlain(7)); 3])),
        ];
        for bytes in tried.into_iter().flatten() {
            // Looks at each byte, which valgrind would not let pass.
            assert!(bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>() > 3);
        }
    }
}
