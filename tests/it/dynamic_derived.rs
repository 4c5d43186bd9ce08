//! A type read at run time gives the same values, codes, reasons, offsets and paths as the Rust type that it
//! was made from, on valid bytes, at every cut, and with every byte damaged.

use crate::support::agree;
use agree::{agree, near};
use kiln::schema::{Type, Typed};
use kiln::tensor::{Builder, OwnedDirectory};
use kiln::{ByteBuf, DecodeOwned, Encode, Limits};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Compares on the bytes of `value` and on all near them.
fn compare<T: DecodeOwned + Encode + Typed + PartialEq + Debug>(value: &T) {
    let ty = Type::of::<T>().expect("a type with a text");
    assert_eq!(ty.hash(), Ok(kiln::schema_hash::<T>()));
    assert_eq!(ty.min_len(), T::MIN_LEN);
    let bytes = kiln::to_vec(value).expect("a value that encodes");
    let (mut accepted, mut refused) = (0, 0);
    for limits in [Limits::DEFAULT.with_owned(u64::MAX), Limits::NONE.with_count(2).with_bytes(4)] {
        for bytes in near(&bytes, &[1, 2, 3, 0x41, 0x7f, 0x80, 0xff]) {
            *if agree::<T>(&ty, &bytes, &limits) { &mut accepted } else { &mut refused } += 1;
        }
    }
    assert!(accepted > 0 && refused > bytes.len(), "{accepted} accepted, {refused} refused");
}

type Record = (u32, String, Option<f32>, Vec<String>, bool, BTreeMap<String, Option<Vec<i16>>>);

fn record(id: u32) -> Record {
    let many = BTreeMap::from([
        (String::new(), None),
        ("a".into(), Some(vec![])),
        ("ab".into(), Some(vec![-1, 2])),
        ("é".into(), None),
    ]);
    (id, "name".into(), Some(-0.0), vec![String::new(), "täg".into()], id % 2 == 1, many)
}

#[test]
fn records_agree() {
    compare(&record(0));
    compare(&vec![record(1), record(2)]);
    compare(&BTreeMap::from([("k".to_owned(), (record(3), [Some(true), None].to_vec()))]));
}

#[test]
fn scalars_and_runs_agree() {
    compare(&(true, 1u8, 2u16, 3u32, 4u64, -1i8, -2i16, -3i32, -4i64, 1.0f32));
    compare(&vec![true, false, true]);
    compare(&vec![(7u8, false), (8, true)]);
    compare(&(f64::NAN.to_bits(), "text".to_owned(), ByteBuf(vec![0xff, 0])));
    compare(&vec![ByteBuf(vec![1]), ByteBuf(vec![])]);
    compare(&vec![vec![1u64, 2], vec![], vec![3]]);
}

#[test]
fn optionals_agree() {
    compare(&Some(Some(Some(7u16))));
    compare(&vec![Some(Some(true)), Some(None), None]);
    compare(&(Some("a".to_owned()), None::<String>, Some(vec![Some(1u8)])));
}

#[test]
fn directories_agree() {
    let mut builder = Builder::new();
    builder.push("a", &[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("a tensor");
    builder.push_bools("é", &[3], &[true, false, true]).expect("a tensor");
    let directory = builder.to_owned_directory().expect("a directory");
    compare(&(1i64, directory.clone(), "tail".to_owned()));
    compare(&vec![Some(OwnedDirectory::default()), None, Some(OwnedDirectory::default())]);
    compare(&directory);
}
