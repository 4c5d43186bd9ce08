//! Inputs that begin right behind an unreadable page and inputs that end right before one: no reader and no kernel looks
//! past either end. A read there ends the test program.
#![cfg(target_os = "linux")]

use crate::support::{block, pages};
use block::{block, sample, tensor};
use kiln::arch::{Kernels, Level};
use kiln::scan::scan;
use kiln::schema::Type;
use kiln::tensor::{Directory, HeaderFirst, check, check_embedded, read_from};
use kiln::{Batch, Frozen, Limits, ListView, dynamic, frame};
use pages::{Pages, SIZE};
use std::collections::{BTreeMap, HashMap};

/// Every length up to more than four of the widest registers, and those around a page of 4 KiB.
fn lengths() -> impl Iterator<Item = usize> + Clone {
    (0..=257).chain(4_090..=4_102)
}

/// Copies the bytes to both edges of the page and hands them on.
fn at_both_edges(pages: &mut Pages, bytes: &[u8], mut read: impl FnMut(&[u8])) {
    for start in [0, SIZE - bytes.len()] {
        let slots = &mut pages.inside()[start..][..bytes.len()];
        slots.copy_from_slice(bytes);
        read(slots);
    }
}

/// Bytes of which none is 0 and all are ASCII, or, with `other`, every third begins a character of three bytes.
fn text(len: usize, other: bool) -> Vec<u8> {
    if other {
        "模".bytes().cycle().take(len / 3 * 3).chain([b'x'; 2]).take(len).collect()
    } else {
        vec![b'a'; len]
    }
}

#[test]
fn kernels_read_nothing_beside_their_bytes() {
    let mut pages = Pages::fenced();
    for kernels in Level::available().filter_map(Kernels::at) {
        for len in lengths() {
            at_both_edges(&mut pages, &vec![0; len], |bytes| {
                assert!(!kernels.any_bit_set(bytes, 0xff));
            });
            for other in [false, true] {
                at_both_edges(&mut pages, &text(len, other), |bytes| {
                    assert!(kernels.text(bytes).is_some(), "{len}");
                    assert!(kernels.are_utf8(bytes, [0, len]));
                });
            }
            at_both_edges(&mut pages, &vec![0x21; len], |bytes| {
                let (mut codes, mut signed) = (vec![0; 2 * len], vec![0; 2 * len]);
                kernels.unpack_u4(bytes, 0, &mut codes);
                kernels.unpack_i4(bytes, 0, &mut signed);
                assert!(
                    codes.chunks(2).all(|pair| pair == [1, 2]) && signed.chunks(2).all(|pair| pair == [1, 2])
                );
                let mut floats = vec![0.0; 2 * len];
                kernels.u4_to_f32(bytes, 0, &mut floats);
                kernels.i4_to_f32(bytes, 0, &mut floats);
                kernels.e2m1_to_f32(bytes, 0, &mut floats);
                kernels.e4m3_to_f32(bytes, &mut floats[..len]);
                kernels.e5m2_to_f32(bytes, &mut floats[..len]);
                kernels.e8m0_to_f32(bytes, &mut floats[..len]);
                let pairs = &bytes[..len / 2 * 2];
                kernels.f16_to_f32(pairs, &mut floats[..len / 2]);
                kernels.bf16_to_f32(pairs, &mut floats[..len / 2]);
                for width in [1, 2, 4, 8] {
                    let whole = &bytes[..len / width * width];
                    let mut out = vec![0; whole.len()];
                    kernels.copy_swapped(whole, width, &mut out);
                    kernels.copy_from_le(whole, width, &mut out);
                    // The end of the bytes is an edge too, when it is no whole number that ends there.
                    let whole = &bytes[len % width..];
                    kernels.copy_swapped(whole, width, &mut out);
                }
            });
            at_both_edges(&mut pages, &vec![0x07; len], |bytes| {
                let mut out = vec![0; len.div_ceil(2)];
                assert!(kernels.pack_u4(bytes, &mut out));
            });
            let records = len / 128;
            at_both_edges(&mut pages, &vec![0; records * 128], |bytes| {
                let records: &[[u8; 128]] = bytemuck::cast_slice(bytes);
                assert_eq!(kernels.are_plain(records), records.is_empty());
            });
        }
    }
}

#[test]
fn kernels_write_nothing_beside_their_results() {
    let mut pages = Pages::fenced();
    for kernels in Level::available().filter_map(Kernels::at) {
        for len in lengths() {
            for start in [0, SIZE - len] {
                let out = &mut pages.inside()[start..][..len];
                for width in [1, 2, 4, 8] {
                    let whole = len / width * width;
                    kernels.swap_in_place(&mut out[..whole], width);
                    kernels.copy_swapped(&vec![1; whole], width, &mut out[len - whole..]);
                    kernels.copy_from_le(&vec![1; whole], width, &mut out[len - whole..]);
                }
                kernels.unpack_u4(&vec![0x21; len.div_ceil(2)], 0, out);
                assert!(kernels.pack_u4(&vec![3; 2 * len], out));
                assert!(out.iter().all(|byte| *byte == 0x33), "{len}");
            }
        }
    }
}

/// Reads `bytes` as everything there is.
fn as_everything(bytes: &[u8], types: &[Type]) {
    for ty in types {
        let read = dynamic::decode(ty, bytes);
        assert_eq!(dynamic::check(ty, bytes).err(), read.as_ref().err().copied());
        if let Err(error) = read {
            assert!(!ty.describe(&error, bytes).to_string().is_empty());
        }
    }
    fn derived<'de, T: kiln::Decode<'de>>(bytes: &'de [u8]) -> bool {
        let valid = kiln::validate::<T>(bytes).is_ok();
        let read = kiln::from_slice::<T>(bytes);
        assert_eq!(read.is_ok(), valid);
        read.map_err(|error| error.describe(bytes).to_string()).is_ok()
    }
    let accepted = [
        derived::<Vec<bool>>(bytes),
        derived::<Vec<u16>>(bytes),
        derived::<ListView<'_, u32>>(bytes),
        derived::<&str>(bytes),
        derived::<String>(bytes),
        derived::<Vec<&str>>(bytes),
        derived::<BTreeMap<String, u8>>(bytes),
        derived::<HashMap<&str, Option<bool>>>(bytes),
        derived::<Vec<Reading<'_>>>(bytes),
        derived::<(u8, Directory<'_>)>(bytes),
    ];
    // Where reading one by one ends, the batch says.
    if let Ok(mut batch) = Batch::<Reading<'_>>::read(bytes) {
        assert_eq!(batch.all(|record| record.is_ok()), accepted[8]);
    }
    assert_eq!(Directory::read(bytes).map(drop), check(bytes));
    let streamed = read_from(&mut &*bytes).is_ok();
    assert_eq!(streamed, check(bytes).is_ok());
    _ = check_embedded(bytes).is_ok();
    _ = HeaderFirst::read(&bytes[..bytes.len().min(64)], Some(bytes.len() as u64)).is_ok();
    assert_eq!(frame::peek(bytes).is_ok(), bytes.starts_with(b"KLN0\0\0\x01\0") && bytes.len() >= 16);
    assert!(scan(bytes).all(|hit| hit.offset <= 1));
}

#[derive(Frozen)]
struct Reading<'a> {
    id: u32,
    label: &'a str,
    on: Option<bool>,
    last: u8,
}

#[test]
fn readers_read_nothing_beside_their_bytes() {
    let types: Vec<Type> = [
        "list{bool}",
        "list{u16}",
        "list{str}",
        "str",
        "bytes",
        "dict{u8}",
        "optional{u64}",
        "tensors",
        "list{struct{id:u32,label:str,on:optional{bool},last:u8,}}",
        "struct{a:u8,b:tensors,}",
    ]
    .map(|text| Type::parse(text).expect("a type"))
    .into();
    let mut pages = Pages::fenced();
    let with_count = |count: usize, parts: Vec<u8>| [&(count as u32).to_le_bytes()[..], &parts].concat();
    let mut longest = 0;
    for len in lengths() {
        let run = with_count(len, text(len, false));
        let other = with_count(len, text(len, true));
        let texts = with_count(2, [other.clone(), run.clone()].concat());
        let dict = with_count(1, [other.clone(), vec![1]].concat());
        let label = [&[7, 0, 0, 0][..], &other, &[1, 1, 9]].concat();
        let records = with_count(2, [label.clone(), label].concat());
        let bools = with_count(len, vec![1; len]);
        let framed = [&frame::header(7)[..], &run].concat();
        let payload = vec![1; len];
        let directory = block(&[
            tensor(&"w".repeat(len % 70 + 1), 13, &[len as u64], &payload),
            tensor("é", 15, &[1], &[1]),
        ]);
        let behind = [&[0][..], &directory].concat();
        for whole in [run, other, texts, dict, records, bools, framed, directory, behind] {
            longest = longest.max(whole.len());
            at_both_edges(&mut pages, &whole, |bytes| as_everything(bytes, &types));
            // And with the last byte gone, so that something is missing right at the edge.
            at_both_edges(&mut pages, &whole[..whole.len() - 1], |bytes| as_everything(bytes, &types));
        }
    }
    assert!(longest < SIZE);
}

#[test]
fn directories_cut_anywhere_are_read_to_their_end_and_no_further() {
    let _level = crate::LEVEL.lock();
    let mut pages = Pages::fenced();
    let whole = sample();
    for len in 0..=whole.len() {
        at_both_edges(&mut pages, &whole[..len], |bytes| {
            for level in Level::available() {
                level.force().expect("an available level");
                assert_eq!(Directory::read_with(bytes, &Limits::NONE).is_ok(), len == whole.len());
            }
        });
    }
    Level::best().force().expect("the best level is available");
}
