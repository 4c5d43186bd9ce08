//! Reading into a value that exists: what it owns is used again, and it stays whole whatever happens.

use kiln::{Frozen, Reason};
use std::borrow::Cow;

#[derive(Frozen, Debug, PartialEq, Clone)]
struct Record {
    id: u32,
    name: String,
    on: bool,
    level: u8,
    tags: Vec<String>,
    #[kiln(bytes)]
    raw: Vec<u8>,
    inner: Option<Box<Inner>>,
}

#[derive(Frozen, Debug, PartialEq, Clone)]
struct Inner {
    text: String,
    list: Vec<u16>,
}

fn record(n: u8) -> Record {
    let text = |what: &str| format!("{what} {n}");
    Record {
        id: n.into(),
        name: text("name"),
        on: true,
        level: n,
        tags: vec![text("a"), text("b")],
        raw: vec![n; 3],
        inner: Some(Box::new(Inner { text: text("inner"), list: vec![n.into(); 2] })),
    }
}

#[test]
fn owned_memory_is_used_again() {
    let mut place = record(1);
    let held = |place: &Record| {
        let inner = place.inner.as_ref().unwrap();
        (
            place.name.as_ptr(),
            place.tags.as_ptr(),
            [place.tags[0].as_ptr(), place.tags[1].as_ptr()],
            place.raw.as_ptr(),
            (&raw const **inner, inner.text.as_ptr(), inner.list.as_ptr()),
        )
    };
    let before = held(&place);
    kiln::decode_into(&kiln::to_vec(&record(2)).unwrap(), &mut place).unwrap();
    assert_eq!(place, record(2));
    assert_eq!(held(&place), before);
}

#[test]
fn after_a_fault_the_fields_before_it_are_new_and_the_rest_is_old() {
    let mut bytes = kiln::to_vec(&record(2)).unwrap();
    let on = 4 + 4 + "name 2".len();
    assert_eq!(bytes[on..on + 2], [1, 2]);
    bytes[on + 1] = 9;
    bytes.truncate(on + 3);
    let mut place = record(1);
    let error = kiln::decode_into(&bytes, &mut place).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Short, on as u64 + 2));
    assert_eq!(place, Record { id: 2, name: "name 2".into(), level: 9, ..record(1) });
}

#[test]
fn at_every_cut_each_field_is_old_or_new() {
    let bytes = kiln::to_vec(&record(2)).unwrap();
    let (old, new) = (record(1), record(2));
    for len in 0..bytes.len() {
        let mut place = old.clone();
        kiln::decode_into(&bytes[..len], &mut place).unwrap_err();
        assert!([old.id, new.id].contains(&place.id));
        assert!([&old.name, &new.name].contains(&&place.name), "{len}");
        assert!([&old.raw, &new.raw].contains(&&place.raw), "{len}");
        // And it can be used on.
        kiln::decode_into(&bytes, &mut place).unwrap();
        assert_eq!(place, new);
    }
}

#[derive(Frozen, Debug, PartialEq)]
struct Borrowed<'a> {
    id: u16,
    s: &'a str,
    #[kiln(bytes)]
    run: Cow<'a, [u8]>,
    owned: Vec<&'a str>,
}

#[test]
fn borrowed_fields_are_replaced() {
    let first = Borrowed { id: 1, s: "one", run: Cow::Borrowed(&[1]), owned: vec!["a", "b"] };
    let bytes = kiln::to_vec(&first).unwrap();
    let mut place = Borrowed { id: 0, s: "", run: Cow::Owned(vec![9]), owned: Vec::with_capacity(7) };
    let list = place.owned.as_ptr();
    kiln::decode_into(&bytes, &mut place).unwrap();
    assert_eq!(place, first);
    assert_eq!(place.s.as_ptr(), bytes[6..].as_ptr());
    assert_eq!(place.owned.as_ptr(), list);
}

#[derive(Frozen, Debug, PartialEq)]
struct Fixed {
    a: bool,
    b: u16,
}

#[test]
fn a_struct_of_fixed_size_is_replaced_whole_or_not_at_all() {
    let mut place = Fixed { a: false, b: 1 };
    let error = kiln::decode_into(&[1, 2], &mut place).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Short, 1));
    assert_eq!(place, Fixed { a: false, b: 1 });
    kiln::decode_into(&[1, 2, 0], &mut place).unwrap();
    assert_eq!(place, Fixed { a: true, b: 2 });
}
