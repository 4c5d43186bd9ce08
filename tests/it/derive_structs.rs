//! Derived structs and enums: their bytes, their type text, and every form that a struct can have.

use kiln::schema::fnv1a;
use kiln::tensor::Directory;
use kiln::{Code, Decode, DecodeOwned, Encode, Frozen, Reason};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The hash of a type text's tokens, mixed here and not by the derive.
fn hash(tokens: &[&str]) -> u64 {
    tokens.iter().fold(None, |hash, token| Some(fnv1a(hash, token))).unwrap()
}

/// Writes and reads the value, and compares it with these bytes both times.
fn golden<T>(value: T, bytes: &[u8])
where
    T: Encode + DecodeOwned + PartialEq + Debug,
{
    assert_eq!(kiln::to_vec(&value).unwrap(), bytes);
    assert_eq!(kiln::encoded_len(&value), Ok(bytes.len()));
    assert_eq!(kiln::from_slice::<T>(bytes), Ok(value));
}

#[derive(Frozen, Debug, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}

#[test]
fn a_struct_is_its_fields_in_declaration_order() {
    golden(Point { x: 9, y: -4 }, include_bytes!("../../spec/golden/point.kiln"));
    assert_eq!(kiln::type_text::<Point>(), "struct{x:i32,y:i32,}");
    let tokens = ["struct{", "x", ":", "i32", ",", "y", ":", "i32", ",", "}"];
    assert_eq!(kiln::schema_hash::<Point>(), hash(&tokens));
}

#[derive(Frozen, Debug, PartialEq)]
struct Everything {
    flag: bool,
    small: u8,
    wide: i64,
    half: f32,
    name: String,
    maybe: Option<u16>,
    absent: Option<Point>,
    points: Vec<Point>,
    ages: BTreeMap<String, u8>,
    pair: (u8, bool),
    boxed: Box<Point>,
    three: [u16; 3],
}

#[test]
fn no_padding_no_names_no_tags() {
    let value = Everything {
        flag: true,
        small: 7,
        wide: -2,
        half: 1.5,
        name: "né".into(),
        maybe: Some(0x0102),
        absent: None,
        points: vec![Point { x: 1, y: 2 }],
        ages: BTreeMap::from([("b".into(), 2), ("a".into(), 1)]),
        pair: (3, false),
        boxed: Box::new(Point { x: -1, y: 0 }),
        three: [1, 2, 3],
    };
    #[rustfmt::skip]
    golden(value, &[
        1,
        7,
        0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0, 0, 0xc0, 0x3f,
        3, 0, 0, 0, b'n', 0xc3, 0xa9,
        1, 2, 1,
        0,
        1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
        2, 0, 0, 0, 1, 0, 0, 0, b'a', 1, 1, 0, 0, 0, b'b', 2,
        3, 0,
        0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
        3, 0, 0, 0, 1, 0, 2, 0, 3, 0,
    ]);
    assert_eq!(
        kiln::type_text::<Everything>(),
        "struct{flag:bool,small:u8,wide:i64,half:f32,name:str,maybe:optional{u16},\
         absent:optional{struct{x:i32,y:i32,}},points:list{struct{x:i32,y:i32,}},ages:dict{u8},\
         pair:struct{0:u8,1:bool,},boxed:struct{x:i32,y:i32,},three:list{u16},}"
    );
}

#[derive(Frozen, Debug, PartialEq)]
struct Pair(u16, Option<bool>);

#[derive(Frozen, Debug, PartialEq)]
struct Id(u32);

#[test]
fn the_fields_of_a_tuple_struct_are_numbered() {
    golden(Pair(0x1234, Some(true)), &[0x34, 0x12, 1, 1]);
    assert_eq!(kiln::type_text::<Pair>(), "struct{0:u16,1:optional{bool},}");
    assert_eq!(kiln::schema_hash::<Pair>(), kiln::schema_hash::<(u16, Option<bool>)>());
    golden(Id(7), &[7, 0, 0, 0]);
    assert_eq!(kiln::type_text::<Id>(), "struct{0:u32,}");
}

#[derive(Frozen, Debug, PartialEq)]
struct Unit;

#[derive(Frozen, Debug, PartialEq)]
struct NoFields {}

#[derive(Frozen, Debug, PartialEq)]
struct NoTuple();

#[derive(Frozen, Debug, PartialEq)]
struct AroundNothing {
    before: u8,
    nothing: Unit,
    after: u8,
}

#[test]
fn a_struct_without_fields_takes_no_bytes() {
    golden(Unit, &[]);
    golden(NoFields {}, &[]);
    golden(NoTuple(), &[]);
    assert_eq!(kiln::type_text::<Unit>(), "struct{}");
    assert_eq!(kiln::schema_hash::<NoTuple>(), hash(&["struct{", "}"]));
    assert_eq!(kiln::from_slice::<Unit>(&[0]).unwrap_err().code(), Code::Trailing);
    golden(AroundNothing { before: 1, nothing: Unit, after: 2 }, &[1, 2]);
    assert_eq!(kiln::type_text::<AroundNothing>(), "struct{before:u8,nothing:struct{},after:u8,}");
}

#[derive(Frozen, Debug, PartialEq)]
struct Renamed {
    r#type: u8,
    #[kiln(name = "naïve key")]
    plain: u8,
    #[kiln(bytes, name = "type2")]
    payload: Vec<u8>,
}

#[derive(Frozen, Debug, PartialEq)]
struct RenamedTuple(#[kiln(name = "first")] u8, u8);

#[test]
fn names_on_the_wire() {
    assert_eq!(kiln::type_text::<Renamed>(), "struct{type:u8,naïve key:u8,type2:bytes,}");
    golden(Renamed { r#type: 1, plain: 2, payload: vec![3] }, &[1, 2, 1, 0, 0, 0, 3]);
    assert_eq!(kiln::type_text::<RenamedTuple>(), "struct{first:u8,1:u8,}");
    let bytes = [1, 2, 9, 0, 0, 0];
    let error = kiln::from_slice::<Renamed>(&bytes).unwrap_err();
    assert_eq!(
        error.describe(&bytes).to_string(),
        "EOF at byte 6 (0x6), in type2: the bytes end inside the value (9 needed, 0 left)"
    );
}

#[derive(Frozen, Debug, PartialEq)]
struct Runs<'a> {
    #[kiln(bytes)]
    vec: Vec<u8>,
    #[kiln(bytes)]
    slice: &'a [u8],
    #[kiln(bytes)]
    boxed: Box<[u8]>,
    #[kiln(bytes)]
    cow: Cow<'a, [u8]>,
    #[kiln(bytes)]
    digest: [u8; 2],
    #[kiln(bytes)]
    maybe: Option<Vec<u8>>,
    list: Vec<u8>,
}

#[test]
fn runs_of_bytes() {
    #[rustfmt::skip]
    let bytes = [
        1, 0, 0, 0, 1,
        2, 0, 0, 0, 2, 3,
        0, 0, 0, 0,
        1, 0, 0, 0, 4,
        2, 0, 0, 0, 5, 6,
        1, 1, 0, 0, 0, 7,
        1, 0, 0, 0, 8,
    ];
    let value = Runs {
        vec: vec![1],
        slice: &[2, 3],
        boxed: Box::new([]),
        cow: Cow::Borrowed(&[4]),
        digest: [5, 6],
        maybe: Some(vec![7]),
        list: vec![8],
    };
    assert_eq!(kiln::to_vec(&value).unwrap(), bytes);
    let read: Runs<'_> = kiln::from_slice(&bytes).unwrap();
    assert_eq!(read, value);
    assert_eq!(read.slice.as_ptr(), bytes[9..].as_ptr());
    assert!(matches!(read.cow, Cow::Borrowed(_)));
    assert_eq!(
        kiln::type_text::<Runs<'_>>(),
        "struct{vec:bytes,slice:bytes,boxed:bytes,cow:bytes,digest:bytes,maybe:optional{bytes},list:list{u8},}"
    );
}

#[derive(Frozen, Debug, PartialEq)]
struct Log<'a> {
    s: &'a str,
    level: u8,
}

#[derive(Frozen, Debug, PartialEq)]
struct TwoLives<'a, 'b: 'a> {
    first: Log<'a>,
    second: Option<Log<'b>>,
}

#[derive(Frozen, Debug, PartialEq)]
struct TakenName<'de> {
    s: &'de str,
}

#[derive(Frozen, Debug, PartialEq)]
struct Constant {
    s: &'static str,
    #[kiln(bytes)]
    run: Option<Cow<'static, [u8]>>,
}

#[test]
fn borrowed_fields_lie_in_the_buffer() {
    let bytes = kiln::to_vec(&TwoLives {
        first: Log { s: "one", level: 1 },
        second: Some(Log { s: "two", level: 2 }),
    })
    .unwrap();
    let read: TwoLives<'_, '_> = kiln::from_slice(&bytes).unwrap();
    assert_eq!(read.first, Log { s: "one", level: 1 });
    assert_eq!(read.first.s.as_ptr(), bytes[4..].as_ptr());
    assert_eq!(read.second, Some(Log { s: "two", level: 2 }));
    // What was borrowed outlives what borrowed it.
    let Log { s, .. } = { kiln::from_slice::<TwoLives<'_, '_>>(&bytes).unwrap().first };
    assert_eq!(s, "one");
    assert_eq!(kiln::from_slice(&[1, 0, 0, 0, b'x']), Ok(TakenName { s: "x" }));
    static BYTES: [u8; 6] = [1, 0, 0, 0, b'x', 0];
    assert_eq!(kiln::from_slice(&BYTES), Ok(Constant { s: "x", run: None }));
}

#[derive(Frozen, Debug, PartialEq)]
struct Both<T, U = u8> {
    a: T,
    b: Option<U>,
}

#[derive(Frozen, Debug, PartialEq)]
struct Bounded<T: Default + Copy, const N: usize>
where
    T: Debug,
{
    items: [T; N],
}

#[derive(Frozen, Debug, PartialEq)]
struct Defaulted<const N: usize = 2>([u8; N]);

#[test]
fn parameters_of_types_and_constants() {
    golden(Both { a: 1u16, b: Some(2u8) }, &[1, 0, 1, 2]);
    golden(Both { a: Point { x: 0, y: 1 }, b: None::<String> }, &[0, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(kiln::type_text::<Both<bool>>(), "struct{a:bool,b:optional{u8},}");
    golden(Bounded { items: [1u16, 2] }, &[2, 0, 0, 0, 1, 0, 2, 0]);
    let error = kiln::from_slice::<Bounded<u16, 3>>(&[2, 0, 0, 0, 1, 0, 2, 0]).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::ArrayCount, 0));
    golden(Defaulted::<2>([1, 2]), &[2, 0, 0, 0, 1, 2]);
}

/// A family of types.
trait Family {
    type Member;
    type Other;
}

struct Numbers;

impl Family for Numbers {
    type Member = u16;
    type Other = i8;
}

/// `F` itself is no value on the wire: only what belongs to it.
#[derive(Frozen)]
struct OfFamily<F: Family> {
    one: F::Member,
    many: Vec<F::Member>,
    other: <F as Family>::Other,
}

#[test]
fn associated_types() {
    let bytes = [1, 0, 1, 0, 0, 0, 2, 0, 0xff];
    assert_eq!(kiln::to_vec(&OfFamily::<Numbers> { one: 1, many: vec![2], other: -1 }).unwrap(), bytes);
    let OfFamily { one, many, other } = kiln::from_slice::<OfFamily<Numbers>>(&bytes).unwrap();
    assert_eq!((one, many, other), (1, vec![2], -1));
    assert_eq!(kiln::type_text::<OfFamily<Numbers>>(), "struct{one:u16,many:list{u16},other:i8,}");
}

#[derive(Frozen, Debug, PartialEq)]
struct Declared<'a, T: Decode<'a>> {
    s: &'a str,
    value: T,
}

#[derive(Frozen, Debug, PartialEq)]
struct DeclaredBelow<'a, 'b, T, U>
where
    T: Decode<'a>,
{
    value: Option<T>,
    other: U,
    a: &'a str,
    b: &'b str,
}

#[derive(Frozen, Debug, PartialEq)]
struct Owned<T: DecodeOwned, U: for<'x> Decode<'x>>(T, U);

#[test]
fn bounds_that_the_type_itself_declares() {
    let bytes = [1, 0, 0, 0, b'x', 1, 0, 0, 0, b'y'];
    assert_eq!(kiln::from_slice(&bytes), Ok(Declared { s: "x", value: "y" }));
    let bytes = [1, 7, 8, 0, 0, 0, 0, 1, 0, 0, 0, b'z'];
    assert_eq!(kiln::from_slice(&bytes), Ok(DeclaredBelow { value: Some(7u8), other: 8u8, a: "", b: "z" }));
    golden(Owned(1u8, 2u8), &[1, 2]);
}

#[derive(Frozen, Debug, PartialEq)]
struct Unsized<T: ?Sized>(Box<T>);

#[derive(Frozen, Debug, PartialEq)]
struct Outlived<'a, T: 'a + Clone> {
    items: Cow<'a, [T]>,
}

#[test]
fn bounds_on_size_and_life() {
    golden(Unsized(Box::new(1u8)), &[1]);
    let text: Unsized<str> = Unsized("ab".into());
    assert_eq!(kiln::to_vec(&text).unwrap(), [2, 0, 0, 0, b'a', b'b']);
    let items = Cow::Borrowed(&[1u16, 2][..]);
    let bytes = [2, 0, 0, 0, 1, 0, 2, 0];
    assert_eq!(kiln::to_vec(&Outlived { items: items.clone() }).unwrap(), bytes);
    assert_eq!(kiln::from_slice(&bytes), Ok(Outlived { items }));
}

/// The name that the derive would give its own parameter, taken.
#[derive(Frozen, Debug, PartialEq)]
struct Taken<X, XX>(X, XX);

macro_rules! through_a_macro {
    ($name:ident, $field:ident, $ty:ty) => {
        #[derive(Frozen, Debug, PartialEq)]
        struct $name<T> {
            $field: $ty,
            other: T,
        }
    };
}

through_a_macro!(FromMacro, number, Vec<u8>);

macro_rules! list_of {
    ($ty:ty) => { Vec<$ty> };
}

#[derive(Frozen)]
struct MacroType<T>(list_of!(T));

#[test]
fn unusual_ways_to_write_a_struct() {
    golden(Taken(1u8, true), &[1, 1]);
    golden(FromMacro { number: vec![1], other: 2u8 }, &[1, 0, 0, 0, 1, 2]);
    let MacroType(list) = kiln::from_slice::<MacroType<u8>>(&[1, 0, 0, 0, 5]).unwrap();
    assert_eq!(list, [5]);
}

#[derive(Frozen, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Color {
    Red,
    Green = 5,
    Blue,
}

#[derive(Frozen, Debug, PartialEq)]
#[repr(u16)]
enum Level {
    Low = 1 << 4,
    High = Level::BASE + 0x200,
}

impl Level {
    const BASE: u16 = 0x100;
}

#[derive(Frozen, Debug, PartialEq)]
#[repr(u32)]
enum Wide {
    Most = u32::MAX,
}

#[test]
fn an_enum_is_its_integer() {
    golden(Color::Red, &[0]);
    golden(Color::Blue, &[6]);
    golden(vec![Color::Green, Color::Blue], &[2, 0, 0, 0, 5, 6]);
    golden((Level::Low, Level::High), &[0x10, 0, 0, 3]);
    golden(Wide::Most, &[0xff; 4]);
    assert_eq!(kiln::type_text::<(Color, Level, Wide)>(), "struct{0:u8,1:u16,2:u32,}");
}

#[test]
fn an_unknown_value_of_an_enum_is_type_at_its_first_byte() {
    for value in 0..=u8::MAX {
        match (value, kiln::from_slice::<Color>(&[value])) {
            (0, Ok(Color::Red)) | (5, Ok(Color::Green)) | (6, Ok(Color::Blue)) => {}
            (_, Ok(color)) => panic!("{value} gives {color:?}"),
            (_, Err(error)) => {
                assert!(![0, 5, 6].contains(&value));
                assert_eq!((error.code(), error.reason()), (Code::Type, Reason::EnumValue));
                assert_eq!(error.offset(), 0);
            }
        }
    }
    let bytes = [1, 0, 0, 0, 0x11, 0];
    let error = kiln::from_slice::<Vec<Level>>(&bytes).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::EnumValue, 4));
    let error = kiln::from_slice::<Wide>(&[0xff; 3]).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Short, 0));
    let error = kiln::from_slice::<(u8, Wide)>(&[1, 0xff, 0xff, 0xff, 0xfe]).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::EnumValue, 1));
}

#[derive(Frozen)]
struct Request<'a> {
    id: i64,
    batch: Directory<'a>,
}

#[derive(Frozen)]
struct Tailed<'a> {
    id: i64,
    batch: Directory<'a>,
    tail: &'a str,
}

#[test]
fn a_directory_is_a_field() {
    let tokens = ["struct{", "id", ":", "i64", ",", "batch", ":", "tensors", ",", "}"];
    assert_eq!(hash(&tokens), 0xe58a_adc7_552f_0d82);
    const HASH: u64 = kiln::schema_hash::<Request<'static>>();
    assert_eq!(HASH, 0xe58a_adc7_552f_0d82);

    let bytes = include_bytes!("../../spec/golden/framed.kiln");
    let request: Request<'_> = kiln::frame::from_slice(bytes).unwrap();
    assert_eq!(kiln::frame::to_vec(&request).unwrap(), bytes);
    assert!(!request.batch.is_empty());

    let bytes = include_bytes!("../../spec/golden/in-struct.kiln");
    let tailed: Tailed<'_> = kiln::from_slice(bytes).unwrap();
    assert_eq!(kiln::to_vec(&tailed).unwrap(), bytes);
    assert_eq!(tailed.tail.as_bytes().as_ptr_range().end, bytes.as_ptr_range().end);
}

/// Types, parameters, lifetimes and fields of the names that the derive gives to what it declares itself.
mod named_like_what_the_derive_declares {
    #![allow(nonstandard_style, dead_code)]

    use kiln::Frozen;

    #[derive(Frozen, Debug, PartialEq, Clone)]
    pub(super) struct X {
        pub(super) a: u8,
    }

    #[derive(Frozen, Debug, PartialEq, Clone, Copy)]
    #[repr(u8)]
    pub(super) enum __KilnSource {
        __KILN_VALUE_0 = 1,
    }

    #[derive(Frozen, Debug, PartialEq)]
    pub(super) struct __KilnSink<__KilnOwner> {
        pub(super) x: X,
        pub(super) of_x: Vec<X>,
        pub(super) e: __KilnSource,
        pub(super) t: __KilnOwner,
    }

    pub(super) trait __kiln_source<__KilnSink> {}

    impl<T, U> __kiln_source<T> for U {}

    #[derive(Frozen, Debug, PartialEq)]
    pub(super) struct __S<'de, '__kiln_lending, __KilnOwner, const __kiln_sink: usize>
    where
        __KilnOwner: __kiln_source<__KilnSink<u8>> + __kiln_source<X> + 'de,
    {
        pub(super) __kiln_source: &'de str,
        pub(super) __kiln_part: &'__kiln_lending str,
        pub(super) __kiln_part_0: [__KilnOwner; __kiln_sink],
        pub(super) __kiln_place: X,
    }

    /// A unit struct is a pattern, and a constant is one.
    #[derive(Frozen, Debug, PartialEq)]
    pub(super) struct __kiln_value;

    pub(super) const __KILN_VALUE_0: u8 = 7;

    #[derive(Frozen, Debug, PartialEq)]
    pub(super) struct OfUnits(pub(super) __kiln_value, pub(super) [u8; __KILN_VALUE_0 as usize]);
}

#[test]
fn names_of_the_program_are_not_taken_for_those_of_the_derive() {
    use named_like_what_the_derive_declares::{__KilnSink, __KilnSource, __S, __kiln_value, OfUnits, X};
    let value =
        __KilnSink { x: X { a: 1 }, of_x: vec![X { a: 2 }], e: __KilnSource::__KILN_VALUE_0, t: true };
    let bytes = kiln::to_vec(&value).unwrap();
    assert_eq!(bytes, [1, 1, 0, 0, 0, 2, 1, 1]);
    assert_eq!(kiln::from_slice(&bytes), Ok(value));
    assert_eq!(
        kiln::type_text::<__KilnSink<bool>>(),
        "struct{x:struct{a:u8,},of_x:list{struct{a:u8,}},e:u8,t:bool,}"
    );
    let value = __S {
        __kiln_source: "a",
        __kiln_part: "b",
        __kiln_part_0: [X { a: 1 }, X { a: 2 }],
        __kiln_place: X { a: 3 },
    };
    let bytes = kiln::to_vec(&value).unwrap();
    assert_eq!(kiln::from_slice(&bytes), Ok(value));
    assert_eq!(kiln::from_slice(&[7, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]), Ok(OfUnits(__kiln_value, [1; 7])));
}

/// Bounds of the program's own that say all that is asked.
trait Row: Encode + DecodeOwned {}

impl Row for u16 {}
impl Row for String {}

trait BorrowedRow<'a>: Encode + Decode<'a> {}

impl<'a> BorrowedRow<'a> for &'a str {}

/// And one that says nothing of it.
trait Marked {}

impl Marked for u16 {}

#[derive(Frozen, Debug, PartialEq)]
struct Rows<R: Row> {
    first: R,
    rows: Vec<R>,
    last: Option<Box<R>>,
}

#[derive(Frozen, Debug, PartialEq)]
struct BorrowedRows<'a, R: BorrowedRow<'a>> {
    row: R,
    rows: Vec<R>,
    s: &'a str,
}

#[derive(Frozen, Debug, PartialEq)]
struct OfMarked<T, U>
where
    T: Marked + Copy,
{
    value: T,
    both: Vec<(T, U)>,
}

#[derive(Frozen, Debug, PartialEq)]
#[kiln(bound(R: Row))]
struct RowTree<R: Row> {
    row: R,
    trees: Vec<RowTree<R>>,
}

#[derive(Frozen, Debug, PartialEq)]
#[kiln(bound(R: Encode, R: Decode<'de>))]
struct Said<R> {
    row: Vec<R>,
}

#[derive(Frozen, Debug, PartialEq)]
struct MarkedTree<T: Marked> {
    value: T,
    trees: Vec<MarkedTree<T>>,
}

#[test]
fn bounds_through_a_trait_of_the_program() {
    fn there_and_back<T: Encode + DecodeOwned + PartialEq + Debug>(value: T, bytes: &[u8]) {
        assert_eq!(kiln::to_vec(&value).as_deref(), Ok(bytes));
        assert_eq!(kiln::from_slice(bytes), Ok(value));
    }
    fn rows<R: Row + PartialEq + Debug + Clone>(row: R, bytes: &[u8]) {
        there_and_back(Rows { first: row.clone(), rows: vec![row], last: None }, bytes);
    }
    rows(7u16, &[7, 0, 1, 0, 0, 0, 7, 0, 0]);
    rows(String::new(), &[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let borrowed = BorrowedRows { row: "a", rows: vec![], s: "" };
    let bytes = [1, 0, 0, 0, b'a', 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(kiln::to_vec(&borrowed).as_deref(), Ok(&bytes[..]));
    assert_eq!(kiln::from_slice(&bytes), Ok(borrowed));
    there_and_back(OfMarked { value: 1u16, both: vec![(2u16, true)] }, &[1, 0, 1, 0, 0, 0, 2, 0, 1]);
    let leaf = |row| RowTree { row, trees: vec![] };
    there_and_back(RowTree { row: 1u16, trees: vec![leaf(2)] }, &[1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0]);
    there_and_back(Said { row: vec![3u8] }, &[1, 0, 0, 0, 3]);
    there_and_back(MarkedTree { value: 1u16, trees: vec![] }, &[1, 0, 0, 0, 0, 0]);
    assert_eq!(kiln::type_text::<Rows<u16>>(), "struct{first:u16,rows:list{u16},last:optional{u16},}");
}
