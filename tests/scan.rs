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

/// Headers one after another, each of which claims all the rest as its only name and is refused at the very end.
#[test]
fn blocks_that_claim_the_same_bytes_are_not_read_over_and_over() {
    let (step, blocks) = (Header::LEN + Descriptor::LEN, 2_000);
    let mut bytes = vec![0; step * blocks];
    for index in 0..blocks {
        let start = index * step;
        let names = (bytes.len() - start - step) as u64;
        let header = Header {
            flags: Header::LITTLE_ENDIAN | Header::NAMES,
            tensor_count: 1,
            name_bytes: names,
            directory_bytes: Descriptor::LEN as u64 + names,
            payload_base: (step as u64 + names).next_multiple_of(64),
            ..Header::default()
        };
        let descriptor = Descriptor {
            dtype: Dtype::U8.code(),
            rank: 1,
            name_len: names as u32,
            byte_offset: header.payload_base + 64,
            ..Descriptor::default()
        };
        bytes[start..start + Header::LEN].copy_from_slice(&header.write());
        bytes[start + Header::LEN..start + step].copy_from_slice(&descriptor.write());
    }
    let hits: Vec<_> = scan(&bytes).collect();
    assert_eq!(hits.len(), blocks);
    let unread = hits.iter().filter(|hit| matches!(hit.verdict, Verdict::Unread)).count();
    let rejected = hits.iter().filter(|hit| matches!(hit.verdict, Verdict::Rejected(_))).count();
    assert_eq!(unread + rejected, blocks);
    // What was read in vain is at most eight times the input; the last blocks are small enough to be read again.
    assert!(unread > blocks / 2, "{unread}");
    assert!(matches!(hits[0].verdict, Verdict::Rejected(_)));
}
