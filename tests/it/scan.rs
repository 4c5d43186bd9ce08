//! Blocks inside something larger.

use kiln::scan::{Kind, Verdict, scan, scan_with};
use kiln::tensor::{Builder, Descriptor, Dtype, Header};
use kiln::{Code, Limits};

fn block(names: &[&str]) -> Vec<u8> {
    let mut builder = Builder::new();
    for name in names {
        builder.push(*name, &[3], &[1.0f32, 2.0, 3.0]).unwrap();
    }
    builder.to_vec().unwrap()
}

#[test]
fn every_block_is_found_where_it_lies_and_none_inside_another() {
    // A name and a payload that hold magics are part of their block.
    let mut tricky = Builder::new();
    tricky.push("KLNT", &[8], b"KLNTKLN0").unwrap();
    let (first, second) = (block(&["a", "b"]), tricky.to_vec().unwrap());
    let framed = kiln::frame::to_vec(&7u32).unwrap();
    for gap in [0usize, 1, 3, 63, 64] {
        let mut bytes = vec![b'K'; gap];
        let mut wanted = Vec::new();
        for part in [&first, &framed, &second, &first] {
            wanted.push(bytes.len());
            bytes.extend_from_slice(part);
            bytes.extend(b"KLNKL".iter().cycle().take(gap));
        }
        let hits: Vec<_> = scan(&bytes).collect();
        let offsets: Vec<usize> = hits.iter().map(|hit| hit.offset).collect();
        assert_eq!(offsets, wanted);
        let kinds: Vec<Kind> = hits.iter().map(|hit| hit.kind).collect();
        assert_eq!(kinds, [Kind::Directory, Kind::Frame, Kind::Directory, Kind::Directory]);
        let Verdict::Frame { schema_hash } = hits[1].verdict else { panic!("{:?}", hits[1]) };
        assert_eq!(schema_hash, kiln::schema_hash::<u32>());
        let Verdict::Directory(found) = &hits[2].verdict else { panic!("{:?}", hits[2]) };
        assert_eq!(found.as_bytes(), second);
        assert_eq!(found.get_by_name("KLNT").unwrap().bytes(), b"KLNTKLN0");
    }
}

#[test]
fn a_damaged_block_says_why_and_does_not_hide_the_next() {
    let good = block(&["a"]);
    let mut damaged = good.clone();
    damaged[Header::LEN] = 20;
    let bytes = [&damaged[..], &good[..], &good[..good.len() - 1]].concat();
    let hits: Vec<_> = scan(&bytes).collect();
    assert_eq!(hits.len(), 3);
    let Verdict::Rejected(error) = hits[0].verdict else { panic!("{:?}", hits[0]) };
    assert_eq!((error.code(), error.step(), error.offset()), (Code::Type, Some(9), 64));
    assert!(matches!(hits[1].verdict, Verdict::Directory(_)));
    let Verdict::Rejected(error) = hits[2].verdict else { panic!("{:?}", hits[2]) };
    assert_eq!((error.code(), error.step()), (Code::Eof, Some(6)));
}

#[test]
fn limits_hold_for_what_is_found() {
    let bytes = block(&["a", "b"]);
    let mut hits = scan_with(&bytes, &Limits::DEFAULT.with_count(1));
    let Some(Verdict::Rejected(error)) = hits.next().map(|hit| hit.verdict) else { panic!("accepted") };
    assert_eq!(error.code(), Code::Limit);
    assert!(hits.next().is_none());
    assert!(hits.next().is_none());
}

#[test]
fn nothing_is_found_in_nothing() {
    for bytes in [&b""[..], b"K", b"KLN", b"xKLN1", b"KLNKLN"] {
        assert_eq!(scan(bytes).count(), 0, "{bytes:?}");
    }
    for bytes in [&b"KLNT"[..], b"KLN0", b"KLNKLN0"] {
        let hits: Vec<_> = scan(bytes).collect();
        assert_eq!(hits.len(), 1);
        let Verdict::Rejected(error) = hits[0].verdict else { panic!("{:?}", hits[0]) };
        assert_eq!(error.code(), Code::Eof);
    }
}

/// Headers one after another. To each the others are a payload, and what follows them are bools, of which the last is
/// none.
#[test]
fn blocks_that_claim_the_same_bytes_are_not_read_over_and_over() {
    let (step, blocks) = (Header::LEN + 2 * Descriptor::LEN, 500);
    let mut bytes = Vec::new();
    let bools = (step * blocks) as u64;
    for index in 0..blocks {
        let others = (step * (blocks - 1 - index)) as u64;
        let payload_base = step as u64;
        let header = Header {
            flags: Header::LITTLE_ENDIAN,
            tensor_count: 2,
            directory_bytes: 2 * Descriptor::LEN as u64,
            payload_base,
            payload_bytes: others + bools,
            ..Header::default()
        };
        let payload = |dtype: Dtype, byte_offset, byte_len| Descriptor {
            dtype: dtype.code(),
            rank: 1,
            byte_offset,
            byte_len,
            shape: [byte_len, 0, 0, 0, 0, 0, 0, 0],
            ..Descriptor::default()
        };
        bytes.extend(header.write());
        bytes.extend(payload(Dtype::U8, payload_base, others).write());
        bytes.extend(payload(Dtype::Bool, payload_base + others, bools).write());
    }
    bytes.resize(bytes.len() + bools as usize, 0);
    *bytes.last_mut().unwrap() = 2;
    let hits: Vec<_> = scan(&bytes).collect();
    assert_eq!(hits.len(), blocks);
    let Verdict::Rejected(error) = hits[0].verdict else { panic!("{:?}", hits[0]) };
    assert_eq!((error.step(), error.offset()), (Some(11), bytes.len() as u64 - 1));
    let unread = hits.iter().filter(|hit| matches!(hit.verdict, Verdict::Unread)).count();
    let rejected = hits.iter().filter(|hit| matches!(hit.verdict, Verdict::Rejected(_))).count();
    assert_eq!(unread + rejected, blocks);
    // What was read in vain is at most eight times the input and a block.
    assert!(rejected as u64 * bools <= 9 * bytes.len() as u64, "{rejected}");
}

/// Headers of which nothing more is read than that they are wrong, each claiming all that follows, at several places.
#[test]
fn headers_that_claim_the_rest_do_not_hide_a_block() {
    let good = block(&["a"]);
    for count in [8, 9, 100, 3000] {
        for gap in [0usize, 64, 1000] {
            for kind in 0..4u8 {
                let mut bytes = Vec::new();
                let total = count * (192 + gap) + good.len() + 50_000;
                for _ in 0..count {
                    let left = (total - bytes.len()) as u64;
                    // As descriptors; as names; as a payload; as bools, the first of which is none.
                    let tensors = if kind == 0 { (left - 64) / 128 } else { 1 };
                    let name_bytes = if kind == 1 { left - 192 } else { 0 };
                    let directory_bytes = tensors * 128 + name_bytes;
                    let payload_base = (64 + directory_bytes).next_multiple_of(64);
                    let header = Header {
                        flags: Header::LITTLE_ENDIAN | if kind == 1 { Header::NAMES } else { 0 },
                        tensor_count: tensors,
                        name_bytes,
                        directory_bytes,
                        payload_base,
                        payload_bytes: left.saturating_sub(payload_base),
                        ..Header::default()
                    };
                    let len = header.payload_bytes;
                    let descriptor = Descriptor {
                        dtype: if kind == 3 { Dtype::Bool } else { Dtype::U8 }.code(),
                        rank: if kind == 2 { 9 } else { 1 },
                        name_len: u32::from(kind == 1),
                        byte_offset: payload_base,
                        byte_len: len,
                        shape: [len, 0, 0, 0, 0, 0, 0, 0],
                        ..Descriptor::default()
                    };
                    bytes.extend(header.write());
                    bytes.extend(descriptor.write());
                    bytes.resize(bytes.len() + gap, 0xff);
                }
                let at = bytes.len();
                bytes.extend(&good);
                bytes.resize(total, 0xff);
                let found =
                    scan(&bytes).any(|hit| hit.offset == at && matches!(hit.verdict, Verdict::Directory(_)));
                assert!(found, "{count} headers, {gap} bytes apart, of kind {kind}");
            }
        }
    }
}
