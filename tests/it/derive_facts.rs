//! What the derive finds out about a type: sizes, runs, depth, plainness, exactness.

use kiln::schema::{Scalar, Shape, StaticType, Typed};
use kiln::wire::{Measure, Sink, Source};
use kiln::{Decode, Encode, EncodeError, Fault, Frozen};
use std::cell::{Cell, RefCell};

#[derive(Frozen)]
#[repr(C)]
struct Vertex {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Frozen)]
#[repr(C)]
struct Triangle(Vertex, Vertex, Vertex);

#[derive(Frozen)]
#[repr(C)]
struct Padded {
    small: u8,
    wide: u32,
}

#[derive(Frozen)]
#[repr(C)]
struct PaddedAtTheEnd {
    wide: u64,
    small: u8,
}

#[derive(Frozen)]
#[repr(C, align(16))]
struct Aligned {
    wide: u64,
}

#[derive(Frozen)]
struct Flag {
    flag: bool,
}

#[derive(Frozen)]
#[repr(transparent)]
struct Meters(f64);

#[derive(Frozen)]
#[repr(transparent)]
struct Dropped(u8);

impl Drop for Dropped {
    fn drop(&mut self) {}
}

#[derive(Frozen)]
struct Generic<T> {
    a: T,
}

#[derive(Frozen)]
struct Borrowing<'a> {
    s: &'a str,
}

#[derive(Frozen)]
struct Unit;

#[derive(Frozen)]
#[repr(u8)]
#[derive(Clone, Copy)]
enum Color {
    Red,
}

const LITTLE: bool = cfg!(target_endian = "little");

#[test]
fn plain_is_what_lies_in_memory_as_on_the_wire() {
    assert_eq!(kiln::is_plain::<Vertex>(), LITTLE);
    assert_eq!(kiln::is_plain::<Triangle>(), LITTLE);
    assert_eq!(kiln::is_plain::<Meters>(), LITTLE);
    assert_eq!(kiln::is_plain::<Generic<u16>>(), LITTLE);
    assert!(kiln::is_plain::<Generic<u8>>());
    assert!(kiln::is_plain::<Generic<Generic<i8>>>());
    const { assert!(kiln::is_plain::<Generic<u8>>()) }

    assert!(!kiln::is_plain::<Padded>());
    assert!(!kiln::is_plain::<PaddedAtTheEnd>());
    assert!(!kiln::is_plain::<Aligned>());
    assert!(!kiln::is_plain::<Flag>());
    assert!(!kiln::is_plain::<Dropped>());
    assert!(!kiln::is_plain::<Generic<bool>>());
    assert!(!kiln::is_plain::<Generic<Color>>());
    assert!(!kiln::is_plain::<Generic<Option<u8>>>());
    assert!(!kiln::is_plain::<Borrowing<'_>>());
    assert!(!kiln::is_plain::<Unit>());
}

/// Rust orders the fields of a struct without `repr` as it likes; whatever it does, a plain struct has them in
/// declaration order.
#[test]
fn plain_looks_at_the_offsets_and_not_at_repr() {
    #[derive(Frozen)]
    struct Mixed {
        a: u16,
        b: u32,
        c: u16,
    }
    let in_order = core::mem::offset_of!(Mixed, a) == 0
        && core::mem::offset_of!(Mixed, b) == 2
        && core::mem::offset_of!(Mixed, c) == 6;
    assert_eq!(kiln::is_plain::<Mixed>(), in_order && size_of::<Mixed>() == 8 && LITTLE);

    #[derive(Frozen, Debug, PartialEq, Clone)]
    #[repr(C)]
    struct Sorted {
        b: u32,
        a: u16,
        c: u16,
    }
    assert_eq!(kiln::is_plain::<Sorted>(), LITTLE);
    let values = vec![Sorted { b: 1, a: 2, c: 3 }, Sorted { b: 4, a: 5, c: 6 }];
    let bytes = [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 0, 0, 5, 0, 6, 0];
    assert_eq!(kiln::to_vec(&values).unwrap(), bytes);
    assert_eq!(kiln::from_slice::<Vec<Sorted>>(&bytes), Ok(values));
}

#[derive(Frozen)]
struct Nested {
    a: u8,
    inner: Generic<Generic<u32>>,
}

#[derive(Frozen)]
struct Mixed {
    a: u8,
    list: Vec<Nested>,
    maybe: Option<u64>,
    #[kiln(bytes)]
    run: Vec<u8>,
    nested: Nested,
}

#[derive(Frozen)]
struct Run {
    #[kiln(bytes)]
    run: Option<Vec<u8>>,
}

/// All facts of a type.
fn facts<T: Frozen>() -> (usize, bool, u32, bool) {
    (T::MIN_LEN, T::FIXED, T::DEPTH, T::EXACT.holds())
}

#[test]
fn lengths_and_depths_add_up() {
    assert_eq!(facts::<Unit>(), (0, true, 1, true));
    assert_eq!(facts::<Vertex>(), (12, true, 1, true));
    assert_eq!(facts::<Triangle>(), (36, true, 2, true));
    assert_eq!(facts::<Nested>(), (5, true, 3, true));
    assert_eq!(facts::<Mixed>(), (1 + 4 + 1 + 4 + 5, false, 4, true));
    assert_eq!(facts::<Borrowing<'_>>(), (4, false, 1, true));
    assert_eq!(facts::<Run>(), (1, false, 2, true));
    assert_eq!(facts::<Color>(), (1, true, 0, true));
    assert_eq!(facts::<Generic<Color>>(), (1, true, 1, true));
}

/// A hand-written value that announces one byte and writes what it is told to.
#[derive(Debug, PartialEq)]
struct Liar(u8);

impl Frozen for Liar {
    const MIN_LEN: usize = 1;
    fn shape() -> Shape {
        Shape::Scalar(Scalar::U8)
    }
}

impl<X> Typed<X> for Liar {
    const TYPE: &'static StaticType = &StaticType::Scalar(Scalar::U8);
}

impl Encode for Liar {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.add(1);
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        (0..self.0).for_each(|_| sink.put([self.0]));
    }
}

impl<'de> Decode<'de> for Liar {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        u8::decode(source).map(Liar)
    }
}

#[derive(Frozen, Debug, PartialEq)]
struct AroundLiar {
    liar: Liar,
    next: Option<Box<AroundLiar>>,
}

#[derive(Frozen)]
struct Lists {
    recursive: Option<Box<Lists>>,
    liars: Vec<Generic<Liar>>,
    maybe: Option<Liar>,
}

#[test]
fn a_value_with_a_wrong_length_is_an_error_and_never_written_past_its_end() {
    assert!(!AroundLiar::EXACT.holds());
    assert!(!Generic::<Liar>::EXACT.holds());
    // This one's own lists speak for their elements when they are measured.
    assert!(Lists::EXACT.holds());
    let wrong = |lists: Lists| match kiln::to_vec(&lists) {
        Err(EncodeError::LengthMismatch { .. }) => {}
        other => panic!("{other:?}"),
    };
    let liars = |of: &[u8]| of.iter().map(|n| Generic { a: Liar(*n) }).collect::<Vec<_>>();
    wrong(Lists { recursive: None, liars: liars(&[200]), maybe: None });
    wrong(Lists { recursive: None, liars: liars(&[1, 1, 0]), maybe: None });
    wrong(Lists { recursive: None, liars: vec![], maybe: Some(Liar(9)) });
    let inner = Lists { recursive: None, liars: liars(&[50]), maybe: None };
    wrong(Lists { recursive: Some(Box::new(inner)), liars: vec![], maybe: None });
    // One byte too many and one too few do not make up for each other.
    wrong(Lists { recursive: None, liars: liars(&[2, 0]), maybe: None });
    wrong(Lists { recursive: None, liars: liars(&[2]), maybe: Some(Liar(0)) });

    let honest = Lists { recursive: None, liars: liars(&[1, 1]), maybe: Some(Liar(1)) };
    let outer = Lists { recursive: Some(Box::new(honest)), liars: liars(&[1]), maybe: None };
    let bytes = [1, 0, 2, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0];
    assert_eq!(kiln::to_vec(&outer).unwrap(), bytes);
    let mut out = [0xaa; 17];
    assert_eq!(kiln::encode_to_slice(&outer, &mut out), Ok(16));
    assert_eq!((&out[..16], out[16]), (&bytes[..], 0xaa));
    let mut stream = Vec::new();
    assert_eq!(kiln::write_to(&outer, &mut stream).unwrap(), 16);
    assert_eq!(stream, bytes);
}

/// A struct that is in doubt as a whole, with a list in doubt inside it: what is in doubt counts once.
#[derive(Frozen)]
struct Doubtful {
    liar: Liar,
    list: Vec<Liar>,
    tail: u32,
}

#[test]
fn what_is_in_doubt_is_in_doubt_once() {
    let doubtful =
        |list: &[u8]| Doubtful { liar: Liar(1), list: list.iter().map(|n| Liar(*n)).collect(), tail: 7 };
    let bytes = [2, 0, 0, 0, 1, 1, 0, 0, 0, 1, 7, 0, 0, 0, 1, 0, 0, 0, 0, 7, 0, 0, 0];
    assert_eq!(kiln::to_vec(&vec![doubtful(&[1]), doubtful(&[])]).unwrap(), bytes);
    for list in [&[2, 1][..], &[0], &[200, 200]] {
        let result = kiln::to_vec(&vec![doubtful(&[1]), doubtful(list), doubtful(&[1])]);
        assert!(matches!(result, Err(EncodeError::LengthMismatch { .. })), "{result:?}");
    }
}

/// Counts one byte more each time that it is asked, and writes what it counted last.
struct Growing(Cell<u8>);

impl Frozen for Growing {
    const MIN_LEN: usize = 1;
    fn shape() -> Shape {
        Shape::Scalar(Scalar::Bytes)
    }
}

impl Encode for Growing {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        self.0.set(self.0.get() + 1);
        measure.add(self.0.get().into());
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        (0..self.0.get()).for_each(|_| sink.put([0xff]));
    }
}

#[test]
fn a_length_that_changes_is_an_error() {
    let growing = |n| Some(Growing(Cell::new(n)));
    for items in [vec![growing(0)], vec![growing(0), growing(9)], vec![growing(9), None, growing(0)]] {
        let result = kiln::to_vec(&items);
        assert!(matches!(result, Err(EncodeError::LengthMismatch { .. })), "{result:?}");
    }
    assert_eq!(kiln::to_vec(&vec![None::<Growing>]).unwrap(), [1, 0, 0, 0, 0]);
}

/// Swaps the count that it is given for another one.
struct Swaps;

struct Thief<'a>(RefCell<&'a mut Measure>);

impl Frozen for Swaps {
    const MIN_LEN: usize = 1;
    fn shape() -> Shape {
        Shape::Scalar(Scalar::Bytes)
    }
}

impl Frozen for Thief<'_> {
    const MIN_LEN: usize = 1;
    fn shape() -> Shape {
        Shape::Scalar(Scalar::Bytes)
    }
}

impl Encode for Swaps {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        kiln::encoded_len(&Thief(RefCell::new(measure))).map(drop)
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([1]);
    }
}

impl Encode for Thief<'_> {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        core::mem::swap(*self.0.borrow_mut(), measure);
        Ok(())
    }

    fn encode<S: Sink>(&self, _sink: &mut S) {}
}

#[test]
fn a_count_cannot_be_stolen_from_the_parts_that_are_exact() {
    type Around = (Vec<u8>, Vec<Swaps>);
    assert!(Around::EXACT.holds());
    let around = |count: usize| -> Around { (vec![7; 1000], (0..count).map(|_| Swaps).collect()) };
    assert_eq!(kiln::encoded_len(&around(0)), Ok(1008));
    for count in [1, 3] {
        // What was counted before the theft still is.
        assert_eq!(kiln::encoded_len(&around(count)), Ok(1008));
        let result = kiln::to_vec(&around(count));
        assert!(matches!(result, Err(EncodeError::LengthMismatch { .. })), "{result:?}");
    }
}

/// Writes each value as it counts it, and many at once as something longer.
struct LongTogether(u8);

impl Frozen for LongTogether {
    const MIN_LEN: usize = 1;

    fn shape() -> Shape {
        Shape::Scalar(Scalar::U8)
    }
}

impl Encode for LongTogether {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        measure.add(1);
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        sink.put([self.0]);
    }

    fn encode_all<S: Sink>(items: &[Self], sink: &mut S) {
        items.iter().for_each(|_| sink.put([0xff; 64]));
    }
}

#[test]
fn what_does_not_promise_its_length_writes_its_elements_one_by_one() {
    let items = vec![LongTogether(1), LongTogether(2)];
    assert!(Vec::<LongTogether>::EXACT.holds() && !LongTogether::EXACT.holds());
    assert_eq!(kiln::to_vec(&items).unwrap(), [2, 0, 0, 0, 1, 2]);
    let mut out = [0xaa; 7];
    assert_eq!(kiln::encode_to_slice(&items, &mut out), Ok(6));
    assert_eq!(out, [2, 0, 0, 0, 1, 2, 0xaa]);
}
