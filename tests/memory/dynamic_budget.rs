//! What a value that is driven by a type may allocate: never what a count only claims, and never more than the
//! budget. Chapters: Lengths and allocation, Caps.

use crate::support::alloc;
use alloc::counted;
use kiln::dynamic::{self, Value};
use kiln::schema::Type;
use kiln::{Code, Limits, Reason};

fn parse(text: &str) -> Type {
    Type::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const VALUES: [(&str, &[u8]); 8] = [
    ("list{u8}", &[3, 0, 0, 0, 1, 2, 3]),
    ("str", b"\x04\0\0\0text"),
    ("bytes", b"\x04\0\0\0\xff\xff\xff\xff"),
    ("optional{optional{u64}}", &[1, 1, 1, 2, 3, 4, 5, 6, 7, 8]),
    ("dict{bool}", b"\x02\0\0\0\x01\0\0\0a\x01\x02\0\0\0bc\0"),
    ("struct{a:u8,b:str,c:struct{},d:list{str},}", b"\x01\x02\0\0\0ab\x02\0\0\0\x01\0\0\0c\0\0\0\0"),
    ("struct{id:i64,batch:tensors,tail:str,}", include_bytes!("../../spec/golden/in-struct.kiln")),
    ("tensors", include_bytes!("../../spec/golden/empty.kiln")),
];

#[test]
fn a_count_that_only_claims_allocates_nothing() {
    // The largest count within the cap, and no elements.
    for text in ["list{u64}", "list{str}", "dict{u8}", "list{struct{a:u32,b:list{u8},}}"] {
        let (ty, bytes) = (parse(text), 16_777_216u32.to_le_bytes());
        let (error, asked) = counted(|| dynamic::decode(&ty, &bytes).unwrap_err());
        assert_eq!((error.code(), error.offset()), (Code::Eof, 0), "{text}");
        assert_eq!((asked.calls, asked.bytes), (0, 0), "{text}");
        let (checked, asked) = counted(|| dynamic::check(&ty, &bytes));
        assert_eq!((checked, asked.calls), (Err(error), 0), "{text}");
    }
    // The one field of the struct, and nothing for the list in it.
    let (ty, bytes) = (parse("struct{a:list{bool},}"), 16_777_216u32.to_le_bytes());
    let (refused, asked) = counted(|| dynamic::decode(&ty, &bytes).unwrap_err());
    assert_eq!((refused.code(), asked.bytes), (Code::Eof, size_of::<Value>() as u64));
    for text in ["str", "bytes"] {
        let (ty, bytes) = (parse(text), 16_777_216u32.to_le_bytes());
        let (error, asked) = counted(|| dynamic::decode(&ty, &bytes).unwrap_err());
        assert_eq!((error.code(), error.offset(), asked.calls), (Code::Eof, 4, 0), "{text}");
    }
}

#[test]
fn checking_allocates_nothing_and_encoding_once() {
    for (text, bytes) in VALUES {
        let ty = parse(text);
        let (checked, asked) = counted(|| dynamic::check(&ty, bytes));
        assert_eq!((checked, asked.calls), (Ok(()), 0), "{text}");
        let value = dynamic::decode(&ty, bytes).unwrap();
        let (encoded, asked) = counted(|| dynamic::encode(&ty, &value));
        assert_eq!((encoded.as_deref(), asked.calls), (Ok(bytes), 1), "{text}");
        assert_eq!(asked.bytes, bytes.len() as u64, "{text}");
    }
}

#[test]
fn no_more_is_allocated_than_the_budget_allows() {
    for (text, bytes) in VALUES {
        let ty = parse(text);
        let within = |owned| dynamic::decode_with(&ty, bytes, &Limits::DEFAULT.with_owned(owned));
        // The least budget that is enough.
        let (mut low, mut high) = (0, 1 << 20);
        while low < high {
            let middle = (low + high) / 2;
            if within(middle).is_ok() { high = middle } else { low = middle + 1 }
        }
        assert!(low > 0, "{text} is built out of nothing");
        for owned in 0..low {
            let (refused, asked) = counted(|| within(owned));
            let error = refused.expect_err(text);
            assert_eq!((error.code(), error.reason()), (Code::Limit, Reason::Budget), "{text} with {owned}");
            assert!(asked.bytes <= owned, "{text}: {asked:?} with {owned}");
        }
        let (value, asked) = counted(|| within(low));
        assert!(value.is_ok() && asked.bytes <= low, "{text}: {asked:?} with {low}");
        // The budget is about what is owned, and checking owns nothing.
        assert_eq!(dynamic::check_with(&ty, bytes, &Limits::DEFAULT.with_owned(0)), Ok(()));
    }
}

#[test]
fn small_encodings_of_large_values_meet_the_budget_first() {
    let count = 100_000u32;
    let mut bytes = count.to_le_bytes().to_vec();
    bytes.resize(4 + count as usize, 0);
    let needed = u64::from(count) * size_of::<Value>() as u64;
    let ty = parse("list{optional{struct{a:u64,}}}");
    let (refused, asked) =
        counted(|| dynamic::decode_with(&ty, &bytes, &Limits::DEFAULT.with_owned(needed - 1)).unwrap_err());
    assert_eq!((refused.reason(), refused.offset(), asked.calls), (Reason::Budget, 0, 0));
    assert!(dynamic::decode_with(&ty, &bytes, &Limits::DEFAULT.with_owned(needed)).is_ok());
}
