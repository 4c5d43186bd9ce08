//! The table of fault offsets, and the order of the tests, for Frozen values: one rule a test.

use kiln::{ByteBuf, Bytes, Code, Decode, EncodeError, Frozen, Limits, ListView, Reason};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;

/// Reads `bytes` behind two others, so that no offset is right by being 0; says what the fault is.
#[track_caller]
fn fault<T: for<'de> Decode<'de>>(bytes: &[u8]) -> (Code, Reason, u64) {
    fault_with::<T>(bytes, &Limits::DEFAULT)
}

#[track_caller]
fn fault_with<T: for<'de> Decode<'de>>(bytes: &[u8], limits: &Limits) -> (Code, Reason, u64) {
    let bytes = [&[0xee; 2], bytes].concat();
    match kiln::from_slice_with::<(u16, T)>(&bytes, limits) {
        Ok(_) => panic!("accepted"),
        Err(error) => (error.code(), error.reason(), error.offset() - 2),
    }
}

const fn count(count: u32) -> [u8; 4] {
    count.to_le_bytes()
}

/// The verdict is the same for each of the types.
macro_rules! same {
    ([$($of:ty),+ $(,)?], $bytes:expr, $limits:expr, $expected:expr) => {
        $(assert_eq!(fault_with::<$of>($bytes, $limits), $expected, stringify!($of));)+
    };
    ([$($of:ty),+ $(,)?], $bytes:expr, $expected:expr) => {
        same!([$($of),+], $bytes, &Limits::DEFAULT, $expected)
    };
}

#[test]
fn a_scalar_that_does_not_fit_is_eof_at_its_start() {
    assert_eq!(fault::<u64>(&[0; 7]), (Code::Eof, Reason::Short, 0));
    assert_eq!(fault::<bool>(&[]), (Code::Eof, Reason::Short, 0));
    assert_eq!(fault::<(u8, u32)>(&[0; 4]), (Code::Eof, Reason::Short, 1));
    assert_eq!(fault::<(u8, NonZero<u16>)>(&[0; 2]), (Code::Eof, Reason::Short, 1));
}

#[test]
fn the_first_wrong_byte_comes_before_a_later_short_field() {
    assert_eq!(fault::<(bool, u32)>(&[2, 0]), (Code::Type, Reason::BoolByte, 0));
    assert_eq!(fault::<(u32, bool)>(&[0]), (Code::Eof, Reason::Short, 0));
}

#[test]
fn a_bool_byte_of_two_is_type() {
    assert_eq!(fault::<bool>(&[2]), (Code::Type, Reason::BoolByte, 0));
    assert_eq!(fault::<(u8, bool)>(&[0, 0x80]), (Code::Type, Reason::BoolByte, 1));
    same!(
        [Vec<bool>, VecDeque<bool>, Box<[bool]>, Rc<[bool]>, Arc<[bool]>, [bool; 3]],
        &[3, 0, 0, 0, 1, 0, 2],
        (Code::Type, Reason::BoolByte, 6)
    );
}

#[test]
fn a_presence_byte_of_two_is_type() {
    assert_eq!(fault::<Option<u8>>(&[2, 7]), (Code::Type, Reason::PresenceByte, 0));
    assert_eq!(fault::<Option<Option<u8>>>(&[1, 0xff]), (Code::Type, Reason::PresenceByte, 1));
    assert_eq!(fault::<Option<u8>>(&[]), (Code::Eof, Reason::Short, 0));
    assert_eq!(fault::<Option<u16>>(&[1, 0]), (Code::Eof, Reason::Short, 1));
}

#[test]
fn a_length_word_that_is_cut_is_eof_at_the_word() {
    same!(
        [String, Box<str>, Rc<str>, Arc<str>, ByteBuf, Vec<u8>, [u8; 2], VecDeque<bool>, BTreeMap<String, u8>, HashMap<String, u8>],
        &[1, 0, 0],
        (Code::Eof, Reason::Short, 0)
    );
}

#[test]
fn a_run_above_the_cap_is_limit_at_its_length_before_it_is_eof_after_it() {
    let limits = Limits::DEFAULT.with_bytes(3);
    same!([String, Box<str>, Rc<str>, ByteBuf], &count(4), &limits, (Code::Limit, Reason::RunCap, 0));
    same!([String, Box<str>, Rc<str>, ByteBuf], &count(3), &limits, (Code::Eof, Reason::Short, 4));
    // However much lies behind the length.
    for behind in [3, 4, 60, 200] {
        let bytes = [&count(4)[..], &vec![b'x'; behind]].concat();
        same!([String, Box<str>, Rc<str>, ByteBuf], &bytes, &limits, (Code::Limit, Reason::RunCap, 0));
        let bytes = [&count(1)[..], &bytes].concat();
        same!([BTreeMap<String, u8>], &bytes, &limits, (Code::Limit, Reason::RunCap, 4));
        let bytes = [&count(3)[..], &vec![b'x'; behind]].concat();
        let (text, rest) = kiln::from_prefix_with::<&str>(&bytes, &limits).unwrap();
        assert_eq!((text, rest.len()), ("xxx", behind - 3));
    }
    same!([String, ByteBuf], &count(u32::MAX), &Limits::NONE, (Code::Eof, Reason::Short, 4));
    same!([String, ByteBuf], &count((16 << 20) + 1), (Code::Limit, Reason::RunCap, 0));
    same!([String, ByteBuf], &count(16 << 20), (Code::Eof, Reason::Short, 4));
}

#[test]
fn a_run_of_a_known_length_is_held_by_the_cap_first_and_by_its_length_then() {
    #[derive(Frozen, Debug, PartialEq)]
    struct Four {
        #[kiln(bytes)]
        run: [u8; 4],
    }
    let capped = |bytes| Limits::DEFAULT.with_bytes(bytes);
    let whole = [&count(4)[..], b"kiln"].concat();
    for bytes in [4, 5] {
        assert_eq!(kiln::from_slice_with(&whole, &capped(bytes)), Ok(Four { run: *b"kiln" }));
        same!([Four], &count(3), &capped(bytes), (Code::Type, Reason::ArrayCount, 0));
        same!([Four], &whole[..7], &capped(bytes), (Code::Eof, Reason::Short, 4));
    }
    same!([Four], &count(5), &capped(5), (Code::Type, Reason::ArrayCount, 0));
    same!([Four], &count(5), &capped(4), (Code::Limit, Reason::RunCap, 0));
    same!([Four], &whole, &capped(3), (Code::Limit, Reason::RunCap, 0));
}

#[test]
fn text_that_is_not_utf8_is_utf8_where_the_valid_part_ends() {
    let cases: [(&[u8], u64); 6] = [
        (b"\xff", 0),
        (b"ab\xc0\x80", 2),
        (b"a\xed\xa0\x80", 1),
        (b"abc\xe2\x82", 3),
        (b"\xf4\x90\x80\x80", 0),
        (b"\xf0\x9f\x98\x80\x80", 4),
    ];
    for (run, at) in cases {
        let bytes = [&count(run.len() as u32)[..], run].concat();
        same!([String, Box<str>, Rc<str>, Arc<str>], &bytes, (Code::Utf8, Reason::Text, 4 + at));
        // Far enough in for the vector code.
        let long = [&[b'x'; 100][..], run, &[b'y'; 100]].concat();
        let bytes = [&count(long.len() as u32)[..], &long].concat();
        same!([String, Box<str>, Rc<str>, Arc<str>], &bytes, (Code::Utf8, Reason::Text, 104 + at));
    }
    let runs = [2, 0, 0, 0, 0xff, 0xfe];
    assert_eq!(kiln::from_slice::<Bytes>(&runs).unwrap(), [0xff, 0xfe]);
}

#[test]
fn a_count_above_the_cap_is_limit_before_it_is_eof() {
    let limits = Limits::DEFAULT.with_count(2);
    same!(
        [Vec<u8>, VecDeque<u8>, Box<[u8]>, Rc<[u8]>, [u8; 3], [u8; 4], BTreeMap<String, u8>, HashMap<String, u8>],
        &count(3),
        &limits,
        (Code::Limit, Reason::CountCap, 0)
    );
    same!([Vec<u8>, Vec<String>, BTreeMap<String, u8>], &count(16_777_217), (Code::Limit, Reason::CountCap, 0));
}

#[test]
fn a_count_that_cannot_fit_is_eof_at_the_count_before_any_element() {
    same!(
        [Vec<bool>, VecDeque<bool>, Box<[bool]>, Rc<[bool]>, Vec<Option<u8>>, [bool; 3]],
        &[3, 0, 0, 0, 2, 2],
        (Code::Eof, Reason::CountShort, 0)
    );
    // Two strings need eight bytes.
    assert_eq!(fault::<Vec<String>>(&[2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0]), (Code::Eof, Reason::CountShort, 0));
    // Two pairs need ten.
    same!(
        [BTreeMap<String, u8>, HashMap<String, u8>],
        &[2, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0],
        (Code::Eof, Reason::CountShort, 0)
    );
    same!([Vec<u64>, Vec<f32>, Vec<u8>], &count(1 << 24), (Code::Eof, Reason::CountShort, 0));
    same!([Vec<u64>, Vec<(u64, u64)>], &count(u32::MAX), &Limits::NONE, (Code::Eof, Reason::CountShort, 0));
}

#[test]
fn an_element_that_is_cut_is_eof_inside_it() {
    // The count fits by the smallest encodings; the first string then takes what the second needs.
    let bytes = [2, 0, 0, 0, 2, 0, 0, 0, b'a', b'b', 5, 0];
    same!([Vec<String>, VecDeque<String>, [String; 2]], &bytes, (Code::Eof, Reason::Short, 10));
}

#[test]
fn views_and_borrowed_lists_have_the_faults_of_a_list() {
    macro_rules! refused {
        ($of:ty, $bytes:expr, $expected:expr) => {{
            let bytes = [&[0xee; 2], &$bytes[..]].concat();
            let error = kiln::from_slice::<(u16, $of)>(&bytes).map(|_| ()).unwrap_err();
            assert_eq!((error.code(), error.reason(), error.offset() - 2), $expected);
        }};
    }
    refused!(ListView<bool>, [3, 0, 0, 0, 1, 0, 2], (Code::Type, Reason::BoolByte, 6));
    refused!(ListView<(u8, bool)>, [1, 0, 0, 0, 1, 3], (Code::Type, Reason::BoolByte, 5));
    refused!(ListView<u32>, count(1), (Code::Eof, Reason::CountShort, 0));
    refused!(&[u8], count(1), (Code::Eof, Reason::CountShort, 0));
    refused!(&[u8], count(16_777_217), (Code::Limit, Reason::CountCap, 0));
    refused!(Cow<[u32]>, [1, 0, 0, 0, 0, 0, 0], (Code::Eof, Reason::CountShort, 0));
    refused!(Cow<[bool]>, [1, 0, 0, 0, 9], (Code::Type, Reason::BoolByte, 4));
    refused!(&str, [1, 0, 0, 0, 0xff], (Code::Utf8, Reason::Text, 4));
    refused!(Cow<str>, [1, 0, 0, 0, 0xff], (Code::Utf8, Reason::Text, 4));
    refused!(Bytes, [2, 0, 0, 0, 0xff], (Code::Eof, Reason::Short, 4));
}

#[test]
fn an_array_of_another_count_is_type_before_it_is_eof() {
    assert_eq!(fault::<[u8; 3]>(&[2, 0, 0, 0, 1, 2]), (Code::Type, Reason::ArrayCount, 0));
    assert_eq!(fault::<[u8; 3]>(&count(16_777_216)), (Code::Type, Reason::ArrayCount, 0));
    assert_eq!(fault::<[u8; 3]>(&count(16_777_217)), (Code::Limit, Reason::CountCap, 0));
    assert_eq!(fault::<[u8; 3]>(&count(3)), (Code::Eof, Reason::CountShort, 0));
    assert_eq!(fault::<[u8; 0]>(&count(1)), (Code::Type, Reason::ArrayCount, 0));
    // An array in a list counts as any list does: four bytes at least.
    assert_eq!(
        fault::<Vec<[u32; 2]>>(&[2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        (Code::Type, Reason::ArrayCount, 4)
    );
}

#[test]
fn a_zero_that_the_type_excludes_is_type() {
    assert_eq!(fault::<NonZero<u32>>(&[0; 4]), (Code::Type, Reason::ZeroValue, 0));
    assert_eq!(fault::<(u8, NonZero<i64>)>(&[0; 9]), (Code::Type, Reason::ZeroValue, 1));
    assert_eq!(fault::<Vec<NonZero<u16>>>(&[2, 0, 0, 0, 1, 0, 0, 0]), (Code::Type, Reason::ZeroValue, 6));
}

fn pair(key: &[u8], value: &[u8]) -> Vec<u8> {
    [&count(key.len() as u32)[..], key, value].concat()
}

fn dict(pairs: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut bytes = count(pairs.len() as u32).to_vec();
    pairs.iter().for_each(|(key, value)| bytes.extend(pair(key, value)));
    bytes
}

#[test]
fn a_key_out_of_order_or_repeated_is_type_at_its_length() {
    let refused: [[&str; 2]; 5] = [["b", "a"], ["a", "a"], ["aa", "a"], ["a", ""], ["\u{10000}", "\u{ffff}"]];
    for [first, second] in refused {
        let bytes = dict(&[(first.as_bytes(), &[1]), (second.as_bytes(), &[2])]);
        let at = (4 + 4 + first.len() + 1) as u64;
        same!(
            [BTreeMap<String, u8>, HashMap<String, u8>, BTreeMap<Rc<str>, u8>],
            &bytes,
            (Code::Type, Reason::KeyOrder, at)
        );
        let bytes = dict(&[(second.as_bytes(), &[2]), (first.as_bytes(), &[1])]);
        assert_eq!(kiln::from_slice::<BTreeMap<&str, u8>>(&bytes).is_ok(), first != second);
    }
}

#[test]
fn a_key_is_settled_before_its_value_is_looked_at() {
    // Each bad in two ways: the key's fault is the one reported.
    let bad_value = &[2][..];
    let bytes = dict(&[(b"b", &[0]), (b"a", bad_value)]);
    same!([BTreeMap<String, bool>, HashMap<String, bool>], &bytes, (Code::Type, Reason::KeyOrder, 10));
    let bytes = dict(&[(b"b", &[0]), (b"a\xff", bad_value)]);
    same!([BTreeMap<String, bool>, HashMap<String, bool>], &bytes, (Code::Utf8, Reason::Text, 15));
    let bytes = dict(&[(b"b", &[0]), (b"aaaa", bad_value)]);
    let limits = Limits::DEFAULT.with_bytes(3);
    same!([BTreeMap<String, bool>, HashMap<String, bool>], &bytes, &limits, (Code::Limit, Reason::RunCap, 10));
    let bytes = [&dict(&[(b"b", &[0]), (b"a", &[])])[..10], &count(9), &[0xff; 8]].concat();
    same!([BTreeMap<String, bool>, HashMap<String, bool>], &bytes, (Code::Eof, Reason::Short, 14));
    let bytes = dict(&[(b"a", &[0]), (b"b", bad_value)]);
    same!([BTreeMap<String, bool>, HashMap<String, bool>], &bytes, (Code::Type, Reason::BoolByte, 15));
}

#[test]
fn bytes_left_over_are_trailing_at_the_first_and_a_prefix_has_none() {
    let error = kiln::from_slice::<Vec<u8>>(&[1, 0, 0, 0, 7, 0]).unwrap_err();
    assert_eq!((error.code(), error.offset(), error.claimed()), (Code::Trailing, 5, Some(1)));
    let (value, rest) = kiln::from_prefix::<Vec<u8>>(&[1, 0, 0, 0, 7, 0]).unwrap();
    assert_eq!((&value[..], rest), (&[7][..], &[0][..]));
    let error = kiln::from_slice::<()>(&[0]).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::Trailing, 0));
}

#[test]
fn an_error_says_where_in_the_value() {
    let bytes = dict(&[(b"ok", &[1, 0, 0, 0, 1]), (b"so\x1bso", &[2, 0, 0, 0, 1, 3])]);
    let error = kiln::from_slice::<BTreeMap<String, Vec<bool>>>(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "TYPE at byte 29 (0x1d), in {1}[1]: a bool byte is neither 0 nor 1 (found 3)"
    );
    assert_eq!(
        error.describe(&bytes).to_string(),
        r#"TYPE at byte 29 (0x1d), in ["so\u{1b}so"][1]: a bool byte is neither 0 nor 1 (found 3)"#
    );
    let error = kiln::from_slice::<(u8, Option<(u8, Vec<u32>)>)>(&[0, 1, 0, 3, 0, 0, 0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "EOF at byte 3 (0x3), in 1.1: the bytes left cannot hold that many elements (3 need at least 12 bytes, 0 left)"
    );
}

#[test]
fn the_budget_is_found_where_the_container_begins() {
    let limits = Limits::DEFAULT.with_owned(0);
    let run = [1, 0, 0, 0, b'a'];
    same!(
        [String, Box<str>, Rc<str>, ByteBuf, Vec<u8>, Box<[u8]>, VecDeque<u8>, Box<Vec<u8>>],
        &run,
        &limits,
        (Code::Limit, Reason::Budget, 0)
    );
    same!([Box<u8>, Rc<u8>, Arc<u8>], &[0], &limits, (Code::Limit, Reason::Budget, 0));
    let bytes = dict(&[(b"a", &[0])]);
    same!([BTreeMap<String, u8>, HashMap<String, u8>], &bytes, &limits, (Code::Limit, Reason::Budget, 0));
    assert_eq!(fault_with::<(u8, Option<String>)>(&[0, 1, 1, 0, 0, 0, b'a'], &limits).2, 2);
    // What claims too much is refused for that first, and what owns nothing is not charged.
    same!([Vec<u8>], &count(1), &limits, (Code::Eof, Reason::CountShort, 0));
    assert_eq!(kiln::from_slice_with::<(&str, &[u8])>(&[run, run].concat(), &limits), Ok(("a", &[b'a'][..])));
    assert_eq!(kiln::from_slice_with::<Vec<u8>>(&count(0), &limits), Ok(vec![]));
    assert_eq!(kiln::from_slice_with::<BTreeMap<String, u8>>(&count(0), &limits), Ok(BTreeMap::new()));
}

#[test]
fn a_slice_that_is_too_short_is_the_callers_mistake() {
    let mut out = [0xaa; 3];
    let error = kiln::encode_to_slice(&7u32, &mut out).unwrap_err();
    assert_eq!(error, EncodeError::SliceTooShort { needed: 4, given: 3 });
    assert_eq!(out, [0xaa; 3]);
}

/// What was found, and what was expected or allowed, as numbers and in the line.
#[test]
fn errors_say_what_was_found_and_what_was_expected() {
    let error = kiln::from_slice::<Vec<(u32, bool)>>(&[200, 0, 0, 0, 1, 2, 3]).unwrap_err();
    assert_eq!((error.count(), error.claimed(), error.allowed()), (Some(200), Some(1000), Some(3)));
    assert!(error.to_string().ends_with("(200 need at least 1000 bytes, 3 left)"), "{error}");

    let limits = Limits::DEFAULT.with_owned(100);
    let text = kiln::to_vec(&"x".repeat(101)).unwrap();
    let error = kiln::from_slice_with::<String>(&text, &limits).unwrap_err();
    assert_eq!((error.code(), error.claimed(), error.allowed()), (Code::Limit, Some(101), Some(100)));
    // All that was charged, and not the last of it.
    let texts = kiln::to_vec(&[["x"; 40].concat(), ["x"; 60].concat()]).unwrap();
    let error = kiln::from_slice_with::<(u32, String, String)>(&texts, &limits.with_owned(99)).unwrap_err();
    assert_eq!((error.claimed(), error.allowed()), (Some(100), Some(99)));
    let index = kiln::Batch::<String>::index_with(&texts, &limits.with_owned(50)).unwrap();
    let error = index.get(1).unwrap().unwrap_err();
    assert_eq!((error.claimed(), error.allowed()), (Some(60), Some(50)));
    assert_eq!(error.path().next(), Some(kiln::Segment::Index(1)));

    let error = kiln::from_slice::<[u8; 3]>(&[2, 0, 0, 0, 1, 1]).unwrap_err();
    assert_eq!((error.found(), error.expected()), (Some(2), Some(3)));
    let error = kiln::from_slice::<Option<u8>>(&[7]).unwrap_err();
    assert_eq!((error.found(), error.expected()), (Some(7), None));

    let framed = kiln::frame::to_vec(&7u8).unwrap();
    let error = kiln::frame::from_slice::<Vec<(u8, String)>>(&framed).unwrap_err();
    let (found, expected) = (kiln::schema_hash::<u8>(), kiln::schema_hash::<Vec<(u8, String)>>());
    assert_eq!((error.found(), error.expected()), (Some(found), Some(expected)));
    let line = error.to_string();
    let end = format!("(found {found:016x}, expected {expected:016x}, of list{{struct{{0:u8,1:str,}}}})");
    assert!(line.ends_with(&end), "{line}");
    assert_eq!(line, error.describe(&framed).to_string());
    let error = kiln::frame::peek(b"KLNT............").unwrap_err();
    assert!(error.to_string().ends_with("(found \"KLNT\")"), "{error}");
}

/// A key that nobody would read to the end.
#[test]
fn long_names_are_cut_in_errors() {
    let key = "\u{1b}".repeat(1 << 20);
    let bytes = kiln::to_vec(&BTreeMap::from([(&key[..], 1u8)])).unwrap();
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() = 9;
    let error = kiln::from_slice::<BTreeMap<String, bool>>(&damaged).unwrap_err();
    let line = error.describe(&damaged).to_string();
    assert!(line.len() < 700 && line.contains("\"… (1048576 bytes)]: "), "{line}");
    let error = kiln::tensor::Builder::new().push_bytes(key, kiln::tensor::Dtype::U8, &[1], &[]).unwrap_err();
    assert!(error.name().unwrap().len() < 5000);
    assert!(error.to_string().len() < 1000, "{error}");
}

/// Each from where it begins: the line of the last record is that of decoding the whole list.
#[test]
fn records_of_an_index_are_explained_as_in_their_list() {
    type Record = (u32, Vec<Option<[u64; 8]>>);
    let records: Vec<Record> = (0..50).map(|number| (number, vec![None; 9])).collect();
    let bytes = kiln::to_vec(&records).unwrap();
    let limits = Limits::DEFAULT.with_owned(500);
    let index = kiln::Batch::<Record>::index_with(&bytes, &limits).unwrap();
    for (number, record) in index.iter().enumerate() {
        let error = record.unwrap_err();
        let at = index.offset(number).unwrap() as u64 + 4;
        assert_eq!((error.code(), error.offset()), (Code::Limit, at));
        let line = error.describe(&bytes).to_string();
        assert!(line.contains(&format!(", in [{number}].1: ")), "{line}");
        assert_eq!(line, error.to_string());
    }
}
