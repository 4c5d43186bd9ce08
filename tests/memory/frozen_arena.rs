//! Values built in an arena: as read otherwise, with the same faults, and a handful of allocations.
#![cfg(feature = "bumpalo")]

use crate::support::alloc;
use alloc::counted;
use kiln::bumpalo::Bump;
use kiln::{Bytes, Frozen, Limits, ListView, Reason};
use std::borrow::Cow;

#[derive(Frozen, Debug, PartialEq, Clone, Copy)]
struct Entry<'a> {
    address: (u8, u8, u8, u8),
    user: &'a str,
    flags: &'a [bool],
    sizes: &'a [(u64, bool)],
    tags: &'a [&'a str],
    raw: Bytes<'a>,
    inner: &'a [Entry<'a>],
    last: Option<&'a [Option<u16>]>,
}

#[derive(Frozen, Debug, PartialEq, Clone)]
struct OwnedEntry {
    address: (u8, u8, u8, u8),
    user: String,
    flags: Vec<bool>,
    sizes: Vec<(u64, bool)>,
    tags: Vec<String>,
    raw: kiln::ByteBuf,
    inner: Vec<OwnedEntry>,
    last: Option<Vec<Option<u16>>>,
}

fn entry(n: u8, inner: Vec<OwnedEntry>) -> OwnedEntry {
    OwnedEntry {
        address: (n, 2, 3, 4),
        user: format!("user {n}"),
        flags: vec![n % 2 == 0; usize::from(n % 5)],
        sizes: vec![(u64::MAX, true), (n.into(), false)],
        tags: vec!["a".into(), "é".into(), String::new()],
        raw: vec![0xff; 3].into(),
        inner,
        last: (n % 3 > 0).then(|| vec![Some(n.into()), None]),
    }
}

#[test]
fn thousands_of_records_take_a_handful_of_allocations() {
    let value: Vec<OwnedEntry> = (0..5_000).map(|n| entry(n as u8, vec![entry(1, vec![])])).collect();
    let bytes = kiln::to_vec(&value).unwrap();
    let mut arena = Bump::new();
    for round in 0..3 {
        let (entries, asked) = counted(|| kiln::from_slice_in::<&[Entry<'_>]>(&bytes, &arena).unwrap());
        assert_eq!(kiln::to_vec(entries).unwrap(), bytes);
        assert!(asked.calls < 20, "{asked:?}");
        if round == 2 {
            assert_eq!(asked.calls, 0, "an arena that is large enough asks for nothing");
        }
        arena.reset();
    }
}

#[test]
fn a_copy_of_the_buffer_in_the_arena_outlives_the_buffer() {
    let arena = Bump::new();
    let value = vec![entry(7, vec![])];
    let entries: &[Entry<'_>] = {
        let received = kiln::to_vec(&value).unwrap();
        kiln::from_slice_in(arena.alloc_slice_copy(&received), &arena).unwrap()
    };
    assert_eq!(kiln::to_vec(entries), kiln::to_vec(&value));
    assert_eq!(entries[0].user, "user 7");
}

#[test]
fn faults_are_those_of_owned_values() {
    let bytes = kiln::to_vec(&vec![entry(1, vec![entry(2, vec![])]), entry(3, vec![])]).unwrap();
    let agree = |bytes: &[u8], limits: &Limits| {
        let arena = Bump::new();
        let built = kiln::from_slice_in_with::<&[Entry<'_>]>(bytes, &arena, limits);
        let owned = kiln::from_slice_with::<Vec<OwnedEntry>>(bytes, limits);
        match (&built, &owned) {
            (Ok(built), Ok(owned)) => assert_eq!(kiln::to_vec(*built), kiln::to_vec(owned)),
            (built, owned) => assert_eq!(built.as_ref().err(), owned.as_ref().err(), "{bytes:02x?}"),
        }
        built.is_ok()
    };
    let limits = Limits::DEFAULT.with_owned(u64::MAX);
    assert!(agree(&bytes, &limits));
    for len in 0..bytes.len() {
        assert!(!agree(&bytes[..len], &limits));
    }
    let mut accepted = 0;
    for at in 0..bytes.len() {
        for damage in [1, 2, 3, 0x41, 0x7f, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= damage;
            for limits in [limits, limits.with_count(2).with_bytes(7)] {
                accepted += usize::from(agree(&damaged, &limits));
            }
        }
    }
    assert!(accepted > 0);
}

#[test]
fn what_is_built_is_charged_before() {
    let bytes = kiln::to_vec(&vec![vec![1u64; 100]; 3]).unwrap();
    let need = (3 * size_of::<&[u64]>() + 300 * 8) as u64;
    let read = |owned: u64| {
        let arena = Bump::new();
        let limits = Limits::DEFAULT.with_owned(owned);
        kiln::from_slice_in_with::<&[&[u64]]>(&bytes, &arena, &limits).map(|lists| lists.len())
    };
    assert_eq!(read(need), Ok(3));
    assert_eq!(read(need - 1).unwrap_err().reason(), Reason::Budget);
    let (result, asked) = counted(|| read(0));
    assert_eq!((result.unwrap_err().reason(), asked.calls), (Reason::Budget, 0));
}

#[test]
fn plain_bytes_are_borrowed_and_lists_of_either_kind_go_into_a_cow() {
    type Value<'a> = (&'a [u8], Cow<'a, [&'a str]>, Cow<'a, [String]>, Cow<'a, [u32]>, ListView<'a, u16>);
    let owned = (vec![1u8, 2], vec!["a"], vec!["b"], vec![3u32], vec![4u16]);
    let bytes = kiln::to_vec(&owned).unwrap();
    let arena = Bump::new();
    let value: Value<'_> = kiln::from_slice_in(&bytes, &arena).unwrap();
    assert_eq!(kiln::to_vec(&value).as_ref(), Ok(&bytes));
    assert!(bytes.as_ptr_range().contains(&value.0.as_ptr()));
    assert!(matches!((&value.1, &value.2), (Cow::Borrowed(["a"]), Cow::Owned(_))));
    // What can be borrowed from the buffer is not built beside it.
    let bytes = kiln::to_vec(&vec![1u8, 2]).unwrap();
    let run: Cow<'_, [u8]> = kiln::from_slice_in(&bytes, &arena).unwrap();
    assert!(matches!(run, Cow::Borrowed(run) if run.as_ptr() == bytes[4..].as_ptr()));
}

#[test]
fn numbers_of_a_wider_alignment_are_built_aligned() {
    let bytes = kiln::to_vec(&(1u8, vec![1.5f64, -0.0], vec![(1u8, 2u32)])).unwrap();
    let arena = Bump::new();
    let (_, floats, pairs): (u8, &[f64], &[(u8, u32)]) = kiln::from_slice_in(&bytes, &arena).unwrap();
    assert_eq!((floats, pairs), (&[1.5, -0.0][..], &[(1, 2)][..]));
}

#[derive(Frozen)]
struct Wide<'a> {
    numbers: [u64; 512],
    name: &'a str,
    inner: &'a [Wide<'a>],
}

#[test]
fn wide_elements_are_built_in_their_place_and_take_no_stack() {
    // Thirty-one levels of two containers each.
    let level = [&[1, 0, 0, 0, 0, 2, 0, 0][..], &[7; 4096], &[1, 0, 0, 0, b'n']].concat();
    let bytes = [level.repeat(31), vec![0; 4]].concat();
    let stack = if cfg!(debug_assertions) { 384 << 10 } else { 80 << 10 };
    let read = move || {
        let arena = Bump::new();
        let mut wide: &[Wide<'_>] = kiln::from_slice_in(&bytes, &arena).unwrap();
        let mut levels = 0;
        while let [Wide { numbers, name, inner }] = wide {
            assert_eq!((numbers[511], *name), (0x0707_0707_0707_0707, "n"));
            (wide, levels) = (inner, levels + 1);
        }
        assert_eq!(levels, 31);
        let cut = kiln::from_slice_in::<&[Wide<'_>]>(&bytes[..bytes.len() - 1], &arena).map(|_| ());
        assert_eq!(cut.unwrap_err().reason(), Reason::Short);
    };
    std::thread::Builder::new().stack_size(stack).spawn(read).unwrap().join().unwrap();
}
