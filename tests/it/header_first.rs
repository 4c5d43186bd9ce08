//! A directory read without its payloads has the verdict of the whole one, but for what only payloads show.

use crate::support::{cases, outline, random};
use kiln::tensor::{Builder, Dtype, HeaderFirst, PayloadError, ViewError};
use kiln::{Code, Limits};
use outline::compare;
use random::Random;
use std::error::Error;

#[test]
fn every_case_has_the_verdict_of_the_whole() {
    let mut later = 0;
    for case in cases::directories() {
        later += usize::from(compare(&case.bytes, &case.limits));
    }
    assert!(later > 10, "only {later} cases need bytes after the directory");
}

#[test]
fn damaged_cases_have_the_verdict_of_the_whole() {
    let mut random = Random::new(16);
    let rounds = if cfg!(target_arch = "x86_64") { 20 } else { 2 };
    for case in cases::directories() {
        if case.bytes.len() > 20_000 || case.bytes.is_empty() {
            continue;
        }
        for _ in 0..rounds {
            let mut bytes = case.bytes.clone();
            match random.below(4) {
                0 => bytes.truncate(random.below(bytes.len())),
                1 => bytes.extend(core::iter::repeat_n(0, random.below(130))),
                2 => {
                    let at = random.below(bytes.len().min(1024));
                    bytes[at] = random.byte();
                }
                _ => {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
            compare(&bytes, &case.limits);
        }
    }
}

/// `mask` [3] of bool at 384, `odd` [5] of u4 at 448.
fn block() -> Vec<u8> {
    let mut builder = Builder::new();
    builder.push_bools("mask", &[3], &[true, false, true]).unwrap();
    builder.push_bytes("odd", Dtype::U4, &[5], &[0x21, 0x43, 0x05]).unwrap();
    builder.to_vec().unwrap()
}

#[test]
fn the_total_length_finds_a_file_that_was_cut_off_with_the_header_alone() {
    let block = block();
    let len = block.len() as u64;
    let start = |total| HeaderFirst::read(&block[..64], Some(total)).map(|start| start.directory_len());
    assert_eq!(start(len), Ok(64 + 2 * 128 + 7));
    let error = start(len - 1).unwrap_err();
    assert_eq!((error.code(), error.step(), error.offset()), (Code::Eof, Some(6), 327));
    assert_eq!((error.claimed(), error.allowed()), (Some(len - 327), Some(len - 328)));
    let error = start(326).unwrap_err();
    assert_eq!((error.code(), error.step(), error.offset()), (Code::Eof, Some(5), 64));
    assert_eq!((error.claimed(), error.allowed()), (Some(263), Some(262)));
    // What follows the block is step 12, after all that the directory may be refused for.
    assert_eq!(start(len + 5), Ok(327));
    let start = HeaderFirst::read(&block[..64], Some(len + 5)).unwrap();
    let error = start.outline(&block[..327]).unwrap_err();
    assert_eq!((error.code(), error.step(), error.offset()), (Code::Trailing, Some(12), len));
    assert_eq!(error.claimed(), Some(5));
}

#[test]
fn fewer_bytes_than_the_directory_has_are_eof() {
    let block = block();
    for total in [None, Some(block.len() as u64)] {
        let start = HeaderFirst::read(&block[..64], total).unwrap();
        for len in 64..327 {
            let error = start.outline(&block[..len]).unwrap_err();
            assert_eq!((error.code(), error.step(), error.offset()), (Code::Eof, Some(5), 64));
            assert_eq!((error.claimed(), error.allowed()), (Some(263), Some(len as u64 - 64)));
        }
        assert_eq!(start.outline(&block[..327]).unwrap().len(), 2);
        assert_eq!(start.outline(&block).unwrap().len(), 2);
    }
    // Also where the file holds just as many as the directory has: it has no payloads.
    let mut builder = Builder::new();
    builder.push(None, &[0], &[0u8; 0]).unwrap();
    let block = builder.to_vec().unwrap();
    let start = HeaderFirst::read(&block[..64], Some(192)).unwrap();
    let error = start.outline(&block[..191]).unwrap_err();
    assert_eq!((error.code(), error.claimed(), error.allowed()), (Code::Eof, Some(128), Some(127)));
    for len in 0..64 {
        let error = HeaderFirst::read(&block[..len], None).unwrap_err();
        assert_eq!((error.code(), error.step(), error.offset()), (Code::Eof, Some(1), 0));
    }
}

#[test]
fn a_directory_of_more_than_64_bits_is_eof_before_anything_is_fetched() {
    // 2^57 - 1 tensors and a heap that fills up 64 bits, so that the header's end is beyond them.
    let mut header = kiln::tensor::Header::read(block().first_chunk().unwrap());
    header.tensor_count = (1 << 57) - 1;
    header.name_bytes = 127;
    header.directory_bytes = u64::MAX;
    for total in [None, Some(u64::MAX)] {
        let error = HeaderFirst::read_with(&header.write(), total, &Limits::NONE).unwrap_err();
        assert_eq!((error.code(), error.step(), error.offset()), (Code::Eof, Some(5), 64));
    }
}

#[test]
fn the_caps_are_those_given() {
    let block = block();
    let limits = Limits::DEFAULT.with_count(1);
    let error = HeaderFirst::read_with(&block[..64], None, &limits).unwrap_err();
    assert_eq!((error.code(), error.step(), error.offset()), (Code::Limit, Some(3), 8));
    let limits = Limits::DEFAULT.with_bytes(6);
    let error = HeaderFirst::read_with(&block[..64], None, &limits).unwrap_err();
    assert_eq!((error.code(), error.step(), error.offset()), (Code::Limit, Some(3), 16));
}

#[test]
fn a_payload_of_another_length_is_the_callers_mistake() {
    let block = block();
    let start = HeaderFirst::read(&block, Some(block.len() as u64)).unwrap();
    let outline = start.outline(&block).unwrap();
    let mask = outline.get_by_name("mask").unwrap();
    assert_eq!(mask.byte_range(), 384..387);
    for given in [0, 2, 4] {
        let error = mask.view(&[0; 4][..given]).unwrap_err();
        assert_eq!(error, PayloadError::Length { needed: 3, given });
    }
    let error = mask.view_first(1..2, &[0, 0]).unwrap_err();
    assert_eq!(error, PayloadError::Length { needed: 1, given: 2 });
    assert_eq!(error.to_string(), "the range has 1 bytes, and 2 were given");
    assert!(error.source().is_none());
    let error = mask.view_first(1..4, &[0; 3]).unwrap_err();
    let range = ViewError::Range { axis: 0, dim: 3 };
    assert_eq!((error, error.to_string()), (PayloadError::View(range), range.to_string()));
    assert_eq!(error.source().unwrap().to_string(), range.to_string());
}

#[test]
fn elements_are_checked_in_the_part_that_is_read() {
    let block = block();
    let start = HeaderFirst::read(&block, None).unwrap();
    let outline = start.outline(&block).unwrap();
    let rejected = |result: Result<kiln::tensor::View<'_>, PayloadError>| match result {
        Err(PayloadError::Rejected(error)) => (error.code(), error.step(), error.offset(), error.tensor()),
        other => panic!("{other:?}"),
    };
    let mask = outline.get(0).unwrap();
    assert_eq!(rejected(mask.view(&[1, 0, 2])), (Code::Type, Some(11), 386, Some(0)));
    assert_eq!(rejected(mask.view_first(1..3, &[3, 2])), (Code::Type, Some(11), 385, Some(0)));
    assert!(mask.view_first(0..2, &[1, 0]).is_ok());

    let odd = outline.get(1).unwrap();
    assert_eq!(odd.first_range(2..5), Ok(449..451));
    assert_eq!(rejected(odd.view(&[0x21, 0x43, 0x15])), (Code::Type, Some(11), 450, Some(1)));
    assert_eq!(rejected(odd.view_first(4..5, &[0x15])), (Code::Type, Some(11), 450, Some(1)));
    // Both halves of a byte that is not the last are elements.
    assert_eq!(odd.view_first(2..4, &[0xf3]).unwrap().unpack::<u8>(), Ok(vec![3, 15]));
    assert_eq!(odd.first_range(1..3), Err(ViewError::HalfByte));
    let refused = odd.view(&[0, 0, 0xff]).unwrap_err();
    let PayloadError::Rejected(error) = refused else { panic!("{refused:?}") };
    assert_eq!(refused.to_string(), error.to_string());
    assert_eq!(refused.source().unwrap().to_string(), error.to_string());
    assert_eq!(
        error.describe(&block).to_string(),
        "TYPE at byte 450 (0x1c2), step 11, in tensor 1 \"odd\": the unused high nibble of a packed payload is not 0 (found 255)"
    );
}

#[test]
fn an_outline_shows_its_tensors_as_the_directory_does() {
    let block = block();
    let outline = HeaderFirst::read(&block, None).unwrap().outline(&block).unwrap();
    let directory = kiln::tensor::Directory::read(&block).unwrap();
    assert_eq!(format!("{outline:?}"), format!("{directory:?}"));
    assert_eq!(
        format!("{:?}", outline.get(0).unwrap()),
        "Tensor { index: 0, name: Some(\"mask\"), dtype: Bool, shape: [3], byte_range: 384..387, .. }"
    );
}

#[test]
fn a_file_larger_than_memory_has_ranges_that_fit_64_bits() {
    let header = kiln::tensor::Header {
        flags: kiln::tensor::Header::LITTLE_ENDIAN,
        tensor_count: 1,
        directory_bytes: 128,
        payload_base: 192,
        payload_bytes: 8 << 50,
        ..Default::default()
    };
    let descriptor = kiln::tensor::Descriptor {
        dtype: Dtype::F64.code(),
        rank: 2,
        byte_offset: 192,
        byte_len: 8 << 50,
        shape: [1 << 20, 1 << 30, 0, 0, 0, 0, 0, 0],
        ..Default::default()
    };
    let bytes = [&header.write()[..], &descriptor.write()[..]].concat();
    let start = HeaderFirst::read(&bytes, Some(192 + (8 << 50))).unwrap();
    let outline = start.outline(&bytes).unwrap();
    let tensor = outline.get(0).unwrap();
    assert_eq!(outline.block_len(), 192 + (8 << 50));
    assert_eq!(tensor.byte_range(), 192..192 + (8 << 50));
    let row = 8 << 30;
    assert_eq!(tensor.first_range(1_000_000..1_000_001), Ok(192 + 1_000_000 * row..192 + 1_000_001 * row));
}
