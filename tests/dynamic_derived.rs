//! A type read at run time gives the same values, codes, reasons, offsets and paths as the Rust type that it
//! was made from, on valid bytes, at every cut, and with every byte damaged.

use kiln::dynamic;
use kiln::schema::{Type, Typed};
use kiln::tensor::{Builder, OwnedDirectory};
use kiln::{ByteBuf, DecodeOwned, Encode, Limits};
use std::collections::BTreeMap;
use std::fmt::Debug;

fn agree<T: DecodeOwned + Encode + Typed + PartialEq + Debug>(
    ty: &Type,
    bytes: &[u8],
    limits: &Limits,
) -> bool {
    let derived = kiln::from_slice_with::<T>(bytes, limits);
    let value = dynamic::decode_with(ty, bytes, limits);
    assert_eq!(dynamic::check_with(ty, bytes, limits).err(), value.as_ref().err().copied());
    assert_eq!(kiln::validate_with::<T>(bytes, limits).err(), derived.as_ref().err().copied());
    match (derived, value) {
        (Ok(derived), Ok(value)) => {
            let again = dynamic::encode(ty, &value).expect("a decoded value encodes");
            assert_eq!(again, bytes);
            assert_eq!(kiln::to_vec(&derived).expect("a decoded value encodes"), bytes);
            true
        }
        (Err(derived), Err(value)) => {
            // Equal errors have the same code, reason, offset, numbers and path.
            assert_eq!(derived, value);
            assert_eq!(derived.describe(bytes).to_string(), ty.describe(&value, bytes).to_string());
            false
        }
        (derived, value) => panic!("{derived:?} and {value:?} of {bytes:02x?}"),
    }
}

/// Compares on the bytes of `value`, on every beginning of them, on them with something after them, and with each
/// byte replaced by some others.
fn compare<T: DecodeOwned + Encode + Typed + PartialEq + Debug>(value: &T) {
    let ty = Type::of::<T>().expect("a type with a text");
    assert_eq!(ty.hash(), Ok(kiln::schema_hash::<T>()));
    assert_eq!(ty.min_len(), T::MIN_LEN);
    let bytes = kiln::to_vec(value).expect("a value that encodes");
    let (mut accepted, mut refused) = (0, 0);
    let mut count = |yes| *if yes { &mut accepted } else { &mut refused } += 1;
    for limits in [Limits::DEFAULT.with_owned(u64::MAX), Limits::NONE.with_count(2).with_bytes(4)] {
        for len in 0..bytes.len() {
            count(agree::<T>(&ty, &bytes[..len], &limits));
        }
        count(agree::<T>(&ty, &bytes, &limits));
        count(agree::<T>(&ty, &[&bytes[..], &[0]].concat(), &limits));
        for at in 0..bytes.len() {
            for damage in [1, 2, 3, 0x41, 0x7f, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= damage;
                count(agree::<T>(&ty, &damaged, &limits));
            }
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
