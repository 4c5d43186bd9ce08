//! Reading a directory touches no page that holds nothing but payload without rules.
#![cfg(target_os = "linux")]

use crate::support::{block, pages, verdict};
use block::{block, d, put, tensor, word};
use kiln::tensor::{Directory, check};

/// A directory whose large payloads no reader may look at: all but bool and the last byte of odd packed ones.
#[test]
fn payload_pages_are_not_touched() {
    const LARGE: usize = 4 * pages::SIZE;
    let large = vec![0xabu8; LARGE];
    let dims = [LARGE as u64];
    let packed = vec![0x0bu8; LARGE];
    let bytes = block(&[
        tensor("b", 12, &dims, &large),
        tensor("a", 4096, &[1], &large).opaque("x", 16),
        tensor("e", 18, &[2 * LARGE as u64], &large),
        tensor("o", 15, &[2 * LARGE as u64 - 1], &packed),
        tensor("q", 8, &dims, &large).linked(1, 0, 4, 5, 0),
        tensor("s", 16, &[LARGE as u64 / 4], &large[..LARGE / 4]),
        tensor("m", 13, &[3], &[1, 0, 1]),
    ]);
    let mut mapped = pages::Pages::new(&bytes);
    for index in 0..6 {
        let start = word(&bytes, d(index) + 40) as usize;
        let end = start + word(&bytes, d(index) + 48) as usize;
        // The last byte of odd packed elements is looked at, and with it its page.
        mapped.forbid(start, end - usize::from(index == 3));
    }
    assert!(mapped.forbidden() >= 5 * 3, "only {} pages were forbidden", mapped.forbidden());

    let directory = Directory::read(mapped.bytes()).unwrap();
    assert_eq!(directory.len(), 7);
    assert_eq!(directory.get_by_name("m").unwrap().bytes(), [1, 0, 1]);
    assert_eq!(directory.get_by_name("q").unwrap().quantization().unwrap().scale.index(), 5);
    assert_eq!(check(mapped.bytes()), Ok(()));
}

/// A reject is found without them too.
#[test]
fn payload_pages_are_not_touched_by_a_reject() {
    const LARGE: usize = 4 * pages::SIZE;
    let mut bytes =
        block(&[tensor("w", 12, &[LARGE as u64], &vec![1; LARGE]), tensor("m", 13, &[3], &[1, 0, 1])]);
    let start = word(&bytes, d(0) + 40) as usize;
    let last = bytes.len() - 1;
    put(&mut bytes, last, &[2]);
    let mut mapped = pages::Pages::new(&bytes);
    mapped.forbid(start, start + LARGE);
    let error = Directory::read(mapped.bytes()).unwrap_err();
    assert_eq!(verdict::reject(&error), (kiln::Code::Type, Some(11), last as u64));
    assert!(error.describe(mapped.bytes()).to_string().contains("tensor 1 \"m\""));
}
