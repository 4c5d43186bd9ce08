//! What compiles, lies, and comes to nothing: a wrong answer, an error or a panic, and every byte that is handed out was
//! written. `.ci/valgrind` runs it too, so each test looks at all bytes that it is given.
#![forbid(unsafe_code)]

use kiln::schema::{Scalar, Shape, StaticType, Typed};
use kiln::wire::{Chunk, Measure, Sink, Source};
use kiln::{Decode, Encode, EncodeError, Fault, Frozen};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// A type whose every answer is another one than the last: how long it is, what it writes, what it reads, and where it
/// panics.
#[derive(Clone, Debug, Default)]
struct Liar {
    counted: Vec<usize>,
    written: Vec<usize>,
    asked: Rc<Cell<usize>>,
}

impl Liar {
    fn new(counted: &[usize], written: &[usize]) -> Self {
        Liar { counted: counted.into(), written: written.into(), asked: Rc::default() }
    }

    fn next(&self, answers: &[usize]) -> usize {
        let asked = self.asked.get();
        self.asked.set(asked + 1);
        answers.get(asked % answers.len().max(1)).copied().unwrap_or(0)
    }
}

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
        measure.add(self.next(&self.counted));
        Ok(())
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        let len = self.next(&self.written);
        assert!(len < 1000, "a liar panics");
        sink.run(&vec![0x55; len]);
    }
}

/// The same of a type that says it is of fixed size.
#[derive(Clone, Debug)]
struct Fixed(Liar);

impl Frozen for Fixed {
    const MIN_LEN: usize = 3;
    const FIXED: bool = true;
    const TOTAL: bool = true;

    fn shape() -> Shape {
        Shape::Scalar(Scalar::U8)
    }
}

impl Encode for Fixed {
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        self.0.measure(measure)
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        self.0.encode(sink);
    }
}

impl<'de> Decode<'de> for Fixed {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        source.take(2).map(|_| Fixed(Liar::default()))
    }

    fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
        Err(Fault::new(kiln::Reason::Refused, chunk.offset))
    }
}

impl<'de> Decode<'de> for Liar {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        // Goes on after a fault, and reads what is not there.
        let _: Result<u64, Fault> = u64::decode(source);
        let _: Result<&str, Fault> = source.text();
        source.leave();
        Ok(Liar::default())
    }
}

#[derive(Frozen, Debug, Default)]
struct Outer<T> {
    before: u64,
    value: T,
    after: String,
}

/// Encodes in every way; whatever comes out is looked at.
fn encode<T: Encode + ?Sized>(value: &T) {
    let looked_at = |bytes: &[u8]| {
        let sum: u64 = bytes.iter().map(|byte| u64::from(*byte)).sum();
        assert!(sum < u64::MAX);
    };
    let tried = catch_unwind(AssertUnwindSafe(|| {
        if let Ok(bytes) = kiln::to_vec(value) {
            looked_at(&bytes);
        }
        let mut out = vec![0xaa; 64];
        if kiln::encode_to_slice(value, &mut out).is_ok() {
            looked_at(&out);
        }
        let mut out = vec![1, 2, 3];
        let _ = kiln::encode_into(value, &mut out);
        looked_at(&out);
        let mut out = Vec::new();
        let _ = kiln::write_to(value, &mut out);
        looked_at(&out);
    }));
    // A panic is the liar's own.
    if let Err(panic) = tried {
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a liar panics"));
    }
}

/// A value in every container.
fn encode_everywhere<T: Encode + Clone>(value: &T) {
    let some = |count| vec![value.clone(); count];
    encode(value);
    encode(&Some(value.clone()));
    encode(&Some(Some(value.clone())));
    encode(&some(3));
    encode(&[value.clone(), value.clone()]);
    encode(&VecDeque::from(some(5)));
    encode(&Cow::Borrowed(&some(2)[..]));
    encode(&Rc::<[T]>::from(some(2)));
    encode(&Box::new(Some(value.clone())));
    encode(&BTreeMap::from([("a", value.clone()), ("b", value.clone())]));
    encode(&HashMap::from([("a".to_owned(), value.clone())]));
    encode(&(1u8, value.clone(), Some(2u32), vec![Some(value.clone()), None]));
    let outer = |value: T| Outer { before: 1, value, after: "after".into() };
    encode(&outer(value.clone()));
    encode(&vec![outer(value.clone()), outer(value.clone())]);
    encode(&Outer { before: 1, value: some(4), after: String::new() });
    encode(&(vec![1u64, 2], vec![vec![value.clone()], vec![]], "text"));
    let mut out = Vec::new();
    let mut batch = kiln::BatchWriter::new(&mut out);
    let pushed = catch_unwind(AssertUnwindSafe(|| {
        let _ = batch.push(value);
        let _ = batch.push(value);
    }));
    assert!(pushed.is_ok() || pushed.is_err_and(|panic| panic.is::<&str>()));
}

#[test]
fn counting_and_writing_other_lengths_is_an_error() {
    let lens = [0, 1, 3, 4, 8, 9, 60];
    for counted in lens {
        for written in lens {
            let liar = Liar::new(&[counted], &[written]);
            encode_everywhere(&liar);
            encode_everywhere(&Fixed(liar));
        }
    }
}

#[test]
fn counting_another_length_each_time_is_an_error() {
    let sequences: [&[usize]; 8] =
        [&[1, 8], &[8, 1], &[0, 0, 9], &[3, 4], &[4, 3, 4], &[60, 1, 1], &[1, 1000], &[usize::MAX, 1]];
    for counted in sequences {
        for written in sequences {
            let written: Vec<usize> = written.iter().map(|len| (*len).min(1000)).collect();
            let liar = Liar::new(counted, &written);
            encode_everywhere(&liar);
            encode_everywhere(&Fixed(liar));
        }
    }
}

/// Reads in every way, to no end that would not be seen.
fn decode<T: for<'de> Decode<'de> + Debug>(bytes: &[u8]) {
    let read = kiln::from_slice::<T>(bytes);
    assert!(format!("{read:?}").len() < 1 << 20);
    let _ = kiln::validate::<T>(bytes);
    let _ = kiln::from_prefix::<T>(bytes);
    if let Ok(mut value) = read {
        let _ = kiln::decode_into(bytes, &mut value);
        let _ = kiln::decode_into(&bytes[..bytes.len() / 2], &mut value);
        assert!(format!("{value:?}").len() < 1 << 20);
    }
}

#[test]
fn reading_on_after_a_fault_and_past_a_value_is_a_wrong_answer() {
    let mut long = 3u32.to_le_bytes().to_vec();
    long.extend([1; 64]);
    for bytes in [&[][..], &[0], &[1, 0, 0, 0], &[1, 0, 0, 0, 1, 1, 1, 1], &long] {
        decode::<Liar>(bytes);
        decode::<Vec<Liar>>(bytes);
        decode::<[Liar; 3]>(bytes);
        decode::<Option<Liar>>(bytes);
        decode::<Option<Box<Liar>>>(bytes);
        decode::<BTreeMap<String, Liar>>(bytes);
        decode::<HashMap<String, Liar>>(bytes);
        decode::<(u8, Liar, String)>(bytes);
        decode::<Outer<Liar>>(bytes);
        decode::<Vec<Outer<Liar>>>(bytes);
        decode::<Fixed>(bytes);
        decode::<Vec<Fixed>>(bytes);
        decode::<[Fixed; 3]>(bytes);
        decode::<Option<Fixed>>(bytes);
        decode::<Box<Fixed>>(bytes);
        decode::<Outer<Fixed>>(bytes);
        decode::<Vec<(u8, Fixed)>>(bytes);
        let view = kiln::from_slice::<kiln::ListView<'_, Fixed>>(bytes);
        assert!(view.map_or(0, |view| view.iter().count() + view.to_vec().len()) < 1000);
        if let Ok(batch) = kiln::Batch::<Liar>::read(bytes) {
            assert!(batch.take(1000).count() <= 1000);
        }
    }
}

/// A hasher that finds nothing again.
#[derive(Clone, Default)]
struct Forgets(Rc<Cell<u64>>);

impl BuildHasher for Forgets {
    type Hasher = Forgets;

    fn build_hasher(&self) -> Forgets {
        self.clone()
    }
}

impl Hasher for Forgets {
    fn finish(&self) -> u64 {
        self.0.set(self.0.get().wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1));
        self.0.get()
    }

    fn write(&mut self, _: &[u8]) {}
}

#[test]
fn a_map_that_finds_nothing_again_is_written_and_read() {
    let mut map = HashMap::with_hasher(Forgets::default());
    for key in ["b", "a", "c", "b"] {
        map.insert(key.to_owned(), 7u16);
    }
    encode(&map);
    let bytes = kiln::to_vec(&BTreeMap::from([("a", 1u16), ("b", 2)])).unwrap();
    let mut map: HashMap<String, u16, Forgets> = kiln::from_slice(&bytes).unwrap();
    assert_eq!(map.len(), 2);
    for _ in 0..4 {
        kiln::decode_into(&bytes, &mut map).unwrap();
    }
}

mod replaced {
    //! What `crate = path` leads to has everything replaced that the derive uses by name; it is not asked.
    pub(crate) mod shim {
        pub(crate) use kiln::*;

        pub(crate) mod frozen {
            pub(crate) struct Exact<T>(std::marker::PhantomData<T>);

            #[allow(dead_code)]
            impl<T> Exact<T> {
                pub(crate) const fn promise(_: bool) -> kiln::frozen::Exact<T> {
                    kiln::frozen::Exact::NO
                }
            }
        }

        #[allow(dead_code)]
        pub(crate) mod __private {
            pub(crate) use kiln::__private::*;

            pub(crate) const fn exact(_: &[Part]) -> bool {
                true
            }

            pub(crate) const fn plain(_: &[Part], _: &[usize], _: usize, _: bool) -> bool {
                true
            }
        }
    }
}

#[derive(Frozen)]
#[kiln(crate = replaced::shim)]
struct ThroughAShim {
    liar: Liar,
}

#[test]
fn a_path_that_leads_to_something_else_is_followed_to_the_macro_alone() {
    assert!(!kiln::is_plain::<ThroughAShim>());
    assert!(!<ThroughAShim as Frozen>::EXACT.holds());
    let value = ThroughAShim { liar: Liar::new(&[1], &[500]) };
    assert_eq!(kiln::to_vec(&value), Err(EncodeError::LengthMismatch { announced: 1 }));
    encode(&value);
}

mod named_like_the_crate {
    //! Modules and types of the names that the derive could lean on.
    #![allow(dead_code, non_camel_case_types)]

    mod core {}
    mod std {}
    mod kiln {}
    mod alloc {}
    struct Option;
    struct Result;
    struct Vec;
    struct u8;
    struct usize;

    #[derive(::kiln::Frozen)]
    pub(super) struct Named {
        pub(super) a: u16,
        pub(super) b: ::std::option::Option<bool>,
    }

    #[derive(::kiln::Frozen, PartialEq, Debug)]
    #[repr(u16)]
    pub(super) enum Size {
        Small = 1,
    }
}

#[test]
fn names_in_scope_mean_nothing_to_the_derive() {
    let named = named_like_the_crate::Named { a: 1, b: Some(true) };
    assert_eq!(kiln::to_vec(&named), Ok(vec![1, 0, 1, 1]));
    assert_eq!(kiln::from_slice(&[1, 0]), Ok(named_like_the_crate::Size::Small));
}

/// A type that the derive cannot read the name of, asked for once.
#[derive(Frozen, Debug, PartialEq)]
struct OfAMacro {
    a: kiln_soundness_macros::always!(),
    b: [kiln_soundness_macros::always!(); 2],
}

#[test]
fn a_macro_as_a_type_is_that_type() {
    let value = OfAMacro { a: Box::new(1), b: [Box::new(2), Box::new(3)] };
    let bytes = kiln::to_vec(&value).unwrap();
    assert_eq!(kiln::type_text::<OfAMacro>(), "struct{a:u64,b:list{u64},}");
    assert_eq!(kiln::from_slice(&bytes), Ok(value));
}

mod with_a_drop {
    /// A struct that is dropped, uninhabited parts and all, has its fields counted like any other.
    #[derive(kiln::Frozen, Debug)]
    pub(super) struct Dropped {
        pub(super) name: String,
        pub(super) nothing: Vec<u8>,
    }

    impl Drop for Dropped {
        fn drop(&mut self) {
            assert_ne!(self.name, "never");
        }
    }
}

#[test]
fn what_is_half_built_is_dropped_in_parts_and_not_as_a_whole() {
    let bytes = [1, 0, 0, 0, b'a', 9, 0, 0, 0];
    for len in 0..=bytes.len() {
        assert!(kiln::from_slice::<with_a_drop::Dropped>(&bytes[..len]).is_err());
        assert!(kiln::from_slice::<Vec<with_a_drop::Dropped>>(&bytes[..len]).is_err());
    }
}

/// A place that is kept, given back late, or never.
struct Keeps(String);

impl Frozen for Keeps {
    const MIN_LEN: usize = 4;

    fn shape() -> Shape {
        Shape::Scalar(Scalar::Str)
    }
}

impl<'de> Decode<'de> for Keeps {
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        String::decode(source).map(Keeps)
    }

    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: kiln::__private::Slot<'s, Self>,
    ) -> Result<kiln::__private::Filled<'s, Self>, Fault> {
        let offset = source.offset();
        let filled = slot.fill(Keeps::decode(source)?);
        match &*filled.0 {
            "drop" => Err(Fault::new(kiln::Reason::Refused, offset)),
            "panic" => panic!("a liar panics"),
            _ => Ok(filled),
        }
    }
}

#[test]
fn a_place_that_is_filled_and_not_given_back_is_nobodys() {
    for what in ["keep", "drop", "panic"] {
        let words = ["keep", what, "keep"];
        let bytes = kiln::to_vec(&words[..]).unwrap();
        let pair = kiln::to_vec(&("keep", what)).unwrap();
        let tried = catch_unwind(|| {
            let list = kiln::from_slice::<Vec<Keeps>>(&bytes);
            assert_eq!(list.map(|list| list.len()).ok(), (what == "keep").then_some(3));
            let array = kiln::from_slice::<[Keeps; 3]>(&bytes);
            assert!(array.is_ok() || what != "keep");
            let boxed = kiln::from_slice::<Box<[Keeps; 3]>>(&bytes);
            assert!(boxed.is_ok() || what != "keep");
        });
        assert_eq!(tried.is_err(), what == "panic");
        let _ = catch_unwind(|| kiln::from_slice::<(Keeps, Keeps)>(&pair).is_ok());
    }
}
