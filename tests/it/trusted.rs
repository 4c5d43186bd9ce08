//! Trusted readers: what each read takes, and what is not tested on the way.
#![allow(unsafe_code)]

use kiln::Limits;
use kiln::wire::{MAX_DEPTH, Source, TrustedReader};

#[test]
fn each_read_takes_its_bytes_and_no_more() {
    let bytes = [
        &[1, 2][..],
        &[3, 0, 0, 0, 7, 8, 9],
        &[2, 0, 0, 0, 5, 6],
        &[4, 0, 0, 0, 0xff, 0, 0xff, 0],
        &[2, 0, 0, 0, 0xc3, 0xa9],
        &[0xee; 3],
    ]
    .concat();
    // SAFETY: what is read below is what the bytes were put together from.
    let mut reader = unsafe { TrustedReader::new(&bytes) };
    assert_eq!((reader.offset(), reader.rest()), (0, &bytes[..]));
    assert_eq!(reader.array(), Ok([1, 2]));
    assert_eq!((reader.count(1), reader.offset()), (Ok(3), 6));
    assert_eq!((reader.take(3), reader.offset()), (Ok(&[7, 8, 9][..]), 9));
    assert_eq!((reader.exact_count(2, 1), reader.offset()), (Ok(()), 13));
    let chunk = reader.chunk(2, 0).unwrap();
    assert_eq!((chunk.bytes, chunk.offset, reader.offset()), (&[5, 6][..], 13, 15));
    assert_eq!((reader.run(), reader.offset()), (Ok(&[0xff, 0, 0xff, 0][..]), 23));
    assert_eq!((reader.text(), reader.offset()), (Ok("é"), 29));
    assert_eq!(reader.rest(), [0xee; 3]);
}

#[test]
fn neither_caps_nor_the_depth_nor_the_budget_are_tested() {
    let bytes = [7];
    // SAFETY: one byte is read.
    let mut reader = unsafe { TrustedReader::new(&bytes) };
    assert_eq!(reader.limits(), Limits::NONE);
    for _ in 0..=2 * MAX_DEPTH {
        assert_eq!(reader.enter(), Ok(()));
        assert_eq!(reader.charge(usize::MAX, 0), Ok(()));
        assert_eq!(reader.charge_items(usize::MAX, usize::MAX, 0), Ok(()));
    }
    // A value of fixed size is never read part by part, which would be to find what is wrong with it.
    assert_eq!(reader.chunk(1, MAX_DEPTH + 1).unwrap().bytes, [7]);
    assert!(reader.rest().is_empty());
}
