//! Every kernel at every level that this processor has gives what its definition says, whatever the length, the
//! address and the place of the byte that counts.
//!
//! Definitions are written out here, one number at a time, from the formats' own rules. With KILN_EXPECT_LEVELS
//! in the environment, the levels have to be those: their names in ascending order, with spaces between them.

use crate::support::plain;
use kiln::arch::{Kernels, Level};
use kiln::tensor::{Descriptor, Dtype};
use plain::is_plain;

/// The bytes of a cache line: addresses repeat their alignment after so many.
const LINE: usize = 64;

/// The kernels of every level that this processor has.
fn every_level() -> impl Iterator<Item = &'static Kernels> {
    Level::available().map(|level| {
        let kernels = Kernels::at(level).expect("an available level has kernels");
        assert_eq!(kernels.level(), level);
        kernels
    })
}

/// Lengths from 0 to 400, and around the sizes of blocks and pages.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=400).chain(long_lengths())
}

fn long_lengths() -> impl Iterator<Item = usize> {
    [512usize, 1024, 4096, 8192, 65536].into_iter().flat_map(|size| {
        [-65, -64, -33, -32, -31, -1, 0, 1, 31, 33, 63, 64, 65].map(|by| size.saturating_add_signed(by))
    })
}

/// A sequence of numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let words = len.div_ceil(8);
        let mut bytes: Vec<u8> = (0..words).flat_map(|_| self.next().to_le_bytes()).collect();
        bytes.truncate(len);
        bytes
    }
}

/// A buffer in which a slice can be put at any place of a cache line.
struct Aligned<T> {
    slots: Vec<T>,
    start: usize,
}

impl<T: Copy + PartialEq + std::fmt::Debug> Aligned<T> {
    fn new(room: usize, fill: T) -> Self {
        let slots = vec![fill; room + 3 * LINE];
        let start = slots.as_ptr().align_offset(LINE);
        assert!(start <= LINE);
        Aligned { slots, start }
    }

    /// `len` slots, which begin `offset` slots after the beginning of a cache line.
    fn at(&mut self, offset: usize, len: usize) -> &mut [T] {
        &mut self.slots[self.start + offset..][..len]
    }

    /// That the slots on both sides of those of [`at`](Self::at) are all still `fill`, which is then put into
    /// these too.
    #[track_caller]
    fn only_changed(&mut self, offset: usize, len: usize, fill: T) {
        self.at(offset, len).fill(fill);
        let near = self.start + offset;
        let near = near.saturating_sub(LINE)..(near + len + LINE).min(self.slots.len());
        assert!(self.slots[near].iter().all(|slot| *slot == fill), "written outside the {len} at {offset}");
    }
}

#[test]
fn no_level_that_the_processor_has_is_left_out() {
    let levels: Vec<&str> = Level::available().map(Level::name).collect();
    println!("levels: {}", levels.join(", "));

    let mut expected = vec!["scalar"];
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        expected.extend(is_x86_feature_detected!("sse4.2").then_some("sse42"));
        expected.extend(is_x86_feature_detected!("avx2").then_some("avx2"));
        // Every processor that has these two has VL and DQ as well.
        let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        expected.extend(avx512.then_some("avx512"));
    }
    #[cfg(all(target_arch = "x86_64", not(feature = "std")))]
    {
        expected.extend(cfg!(target_feature = "sse4.2").then_some("sse42"));
        expected.extend(cfg!(all(target_feature = "avx2", target_feature = "f16c")).then_some("avx2"));
        expected.extend(cfg!(target_feature = "avx512bw").then_some("avx512"));
    }
    if cfg!(target_arch = "aarch64") {
        expected.push("neon");
    }
    assert_eq!(levels, expected);
    // AVX-512 is used when it is asked for.
    expected.retain(|level| *level != "avx512");
    assert_eq!(Some(&Level::best().name()), expected.last());
    if let Ok(names) = std::env::var("KILN_EXPECT_LEVELS") {
        assert_eq!(levels.join(" "), names, "KILN_EXPECT_LEVELS");
    }
}

#[test]
fn levels_have_names_and_only_those_of_this_processor_have_kernels() {
    for &level in Level::ALL {
        assert_eq!(Level::from_name(level.name()), Some(level));
        assert_eq!(level.to_string(), level.name());
        assert_eq!(Kernels::at(level).is_some(), level.is_available());
        assert_eq!(Level::available().any(|other| other == level), level.is_available());
    }
    assert_eq!(Level::from_name("Scalar"), None);
    assert_eq!(Level::from_name(""), None);
}

/// The only test that looks at the level in use, which the process shares.
#[test]
fn a_forced_level_is_the_one_in_use_until_another_is_forced() {
    assert_eq!(Level::current(), Level::best());
    for &level in Level::ALL {
        let before = Level::current();
        if level.is_available() {
            level.force().expect("an available level can be forced");
            assert_eq!(Level::current(), level);
            assert_eq!(Kernels::best().level(), level);
        } else {
            let refused = level.force().expect_err("a level that the processor lacks");
            assert_eq!(refused.0, level);
            assert!(refused.to_string().contains(level.name()));
            assert_eq!(Level::current(), before);
        }
    }
    Level::best().force().expect("the best level is available");
    assert_eq!(Level::current(), Level::best());
}

// Masks

const MASKS: [u8; 6] = [0xff, 0xfe, 0xf0, 0x80, 0x01, 0x7e];

/// A bit of the mask, a different one for each `turn`.
fn bit_of(mask: u8, turn: usize) -> u8 {
    let bits: Vec<u8> = (0..8).map(|bit| 1 << bit).filter(|bit| mask & bit != 0).collect();
    bits[turn % bits.len()]
}

#[test]
fn one_bit_of_the_mask_is_seen_at_every_place_of_every_length() {
    for kernels in every_level() {
        for (turn, mask) in MASKS.into_iter().enumerate() {
            // All the other bits are set everywhere.
            let mut buffer = Aligned::new(400, !mask);
            for len in 0..=400 {
                // Each place at some address and with some masks; the next test has each address.
                for place in ((turn + len) % 3..len).step_by(3) {
                    let offset = (7 * len + 13 * place) % LINE;
                    let bytes = buffer.at(offset, len);
                    bytes[place] |= bit_of(mask, len + place);
                    assert!(kernels.any_bit_set(bytes, mask), "{kernels:?} {mask:#x}: {place} of {len}");
                    bytes[place] = !mask;
                }
                assert!(
                    !kernels.any_bit_set(buffer.at(len % LINE, len), mask),
                    "{kernels:?} {mask:#x}: {len}"
                );
            }
        }
    }
}

#[test]
fn bits_around_the_bytes_are_not_seen_at_any_address() {
    for kernels in every_level() {
        let mut buffer = Aligned::new(400, 0xff);
        for len in 0..=400 {
            for offset in 0..LINE {
                let mask = MASKS[(len + offset) % MASKS.len()];
                let bytes = buffer.at(offset, len);
                bytes.fill(!mask);
                let seen = kernels.any_bit_set(bytes, mask);
                let ends = len > 0
                    && [0, len - 1].iter().all(|&end| {
                        bytes[end] = 0xff;
                        let seen = kernels.any_bit_set(bytes, mask);
                        bytes[end] = !mask;
                        seen
                    });
                bytes.fill(0xff);
                assert!(!seen, "{kernels:?} {mask:#x}: {len} at {offset}");
                assert_eq!(ends, len > 0, "{kernels:?} {mask:#x}: ends of {len} at {offset}");
            }
        }
    }
}

#[test]
fn one_bit_of_the_mask_is_seen_in_long_runs() {
    let mut random = Random(1);
    for kernels in every_level() {
        for len in long_lengths().chain((0..40).map(|_| random.below(100_000))).collect::<Vec<_>>() {
            let mask = MASKS[random.below(MASKS.len())];
            let mut bytes = random.bytes(len);
            bytes.iter_mut().for_each(|byte| *byte &= !mask);
            assert!(!kernels.any_bit_set(&bytes, mask));
            let mut places = vec![0, len - 1, len / 2];
            places.extend((0..5).map(|_| random.below(len)));
            for place in places {
                bytes[place] |= bit_of(mask, place);
                assert!(kernels.any_bit_set(&bytes, mask), "{kernels:?} {mask:#x}: {place} of {len}");
                bytes[place] &= !mask;
            }
        }
    }
}

#[test]
fn one_bit_of_the_mask_is_seen_in_what_fills_a_cache() {
    let mut random = Random(3);
    for kernels in every_level() {
        for len in [1 << 20, (1 << 20) + 1025 + random.below(5000)] {
            let mask = MASKS[random.below(MASKS.len())];
            let mut bytes = vec![!mask; len];
            assert!(!kernels.any_bit_set(&bytes, mask), "{kernels:?} {mask:#x}: {len}");
            let quarter = len / 4 / 256 * 256;
            let borders = (0..=4).flat_map(|at| [at * quarter, (at * quarter).saturating_sub(1)]);
            let places =
                borders.chain([len - 1, len - 32, len - 33]).chain((0..20).map(|_| random.below(len)));
            for place in places.filter(|place| *place < len).collect::<Vec<_>>() {
                bytes[place] |= bit_of(mask, place);
                assert!(kernels.any_bit_set(&bytes, mask), "{kernels:?} {mask:#x}: {place} of {len}");
                bytes[place] = !mask;
            }
        }
    }
}

#[test]
fn many_bits_of_the_mask_do_not_hide_one_another() {
    for kernels in every_level() {
        for len in lengths().chain(long_lengths()).chain([1 << 20, (1 << 20) + 300]).filter(|len| *len > 0) {
            let mut bytes = vec![0; len];
            for step in [1, 2] {
                bytes.iter_mut().step_by(step).for_each(|byte| *byte = 0x40);
                assert!(kernels.any_bit_set(&bytes, 0x40), "{kernels:?}: every {step} of {len}");
                bytes.fill(0);
            }
            let quarter = len / 4 / 256 * 256;
            for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                bytes[one * quarter] = 0x40;
                bytes[other * quarter] = 0x40;
                assert!(
                    kernels.any_bit_set(&bytes, 0x40),
                    "{kernels:?}: quarters {one} and {other} of {len}"
                );
                bytes[one * quarter] = 0;
                bytes[other * quarter] = 0;
            }
        }
    }
}

/// Descriptors of every closed dtype and rank up to eight, of sizes small and large, with their payload's length.
fn descriptors() -> Vec<[u8; 128]> {
    let mut descriptors = Vec::new();
    for &dtype in Dtype::CLOSED {
        for rank in 0..=8 {
            for dims in
                [[3, 5, 7, 2], [0, 1, 1, 1], [1, 1, 1, 0], [1 << 31, 1 << 20, 2, 2], [1 << 32, 0, 3, 3]]
            {
                let mut shape = [0; 8];
                shape.iter_mut().zip(dims.iter().cycle()).take(rank).for_each(|(slot, dim)| *slot = *dim);
                let raw = Descriptor {
                    dtype: dtype.code(),
                    rank: rank as u8,
                    name_offset: u32::MAX,
                    name_len: 77,
                    byte_offset: u64::MAX,
                    shape,
                    ..Descriptor::default()
                };
                let count = raw.element_count().unwrap_or(1);
                let byte_len = dtype.payload_len(count).unwrap_or(0);
                descriptors.push(Descriptor { byte_len, ..raw }.write());
            }
        }
    }
    descriptors
}

#[test]
fn plain_descriptors_are_told_from_those_with_any_bit_changed() {
    let descriptors = descriptors();
    let mut plain: Vec<[u8; 128]> = descriptors.iter().copied().filter(is_plain).collect();
    assert!(plain.len() > 100 && descriptors.len() - plain.len() > 100);
    for kernels in every_level() {
        assert!(kernels.are_plain(&[]));
        assert!(kernels.are_plain(&plain), "{kernels:?}");
        for raw in &descriptors {
            assert_eq!(kernels.are_plain(&[*raw]), is_plain(raw), "{kernels:?} {raw:?}");
        }
    }
    // A few of every kind: dtypes, ranks and sizes go round in steps that have no common measure.
    for raw in descriptors.iter().step_by(if cfg!(target_arch = "x86_64") { 17 } else { 113 }) {
        for bit in 0..8 * 128 {
            let mut changed = *raw;
            changed[bit / 8] ^= 1 << (bit % 8);
            let expected = is_plain(&changed);
            for kernels in every_level() {
                assert_eq!(kernels.are_plain(&[changed]), expected, "{kernels:?} {bit} of {raw:?}");
            }
        }
    }
    // Wherever it lies among others.
    plain.truncate(9);
    for kernels in every_level() {
        for count in 1..=plain.len() {
            for at in 0..count {
                let mut some = plain[..count].to_vec();
                some[at][127] = 1;
                assert!(!kernels.are_plain(&some), "{kernels:?} {at} of {count}");
            }
        }
    }
}

/// Dimensions whose product is cut off at the length that is given.
#[test]
fn a_length_is_not_taken_from_a_product_that_was_cut_off() {
    let sizes = [0u64, 1, 2, 1 << 29, 1 << 30, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 33, 1 << 63, u64::MAX];
    for kernels in every_level() {
        for dtype in [Dtype::U8, Dtype::F64] {
            for a in sizes {
                for b in sizes {
                    for c in sizes {
                        let shape = [a, b, c, 3, 0, 0, 0, 0];
                        let width = dtype.payload_len(1).expect("a closed dtype");
                        let byte_len = a.wrapping_mul(b).wrapping_mul(c).wrapping_mul(3).wrapping_mul(width);
                        let descriptor = Descriptor {
                            dtype: dtype.code(),
                            rank: 4,
                            shape,
                            byte_len,
                            ..Descriptor::default()
                        };
                        let raw = descriptor.write();
                        assert_eq!(kernels.are_plain(&[raw]), is_plain(&raw), "{kernels:?} {descriptor:?}");
                    }
                }
            }
        }
    }
}

// Text

/// Texts with characters of every length, and of one.
const TEXTS: [&str; 4] = [
    "model.layers.12.self_attn.q_proj",
    "größe",
    "模型.层.权重",
    "a\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}",
];

#[test]
fn text_is_what_the_standard_library_says_for_every_length_and_break() {
    for kernels in every_level() {
        for text in TEXTS {
            let long: Vec<u8> = text.bytes().cycle().take(400).collect();
            let mut buffer = Aligned::new(400, 0x80);
            for len in 0..=400 {
                // Most lengths cut a character in two.
                let bytes = buffer.at(len % LINE, len);
                bytes.copy_from_slice(&long[..len]);
                assert_eq!(kernels.text(bytes), std::str::from_utf8(bytes).ok(), "{kernels:?} {text} {len}");
                for place in (len % 5..len).step_by(5) {
                    // A stray continuation, a lead byte without one, a byte that is in no text.
                    bytes[place] = [0x80, 0xc3, 0xe0, 0xed, 0xf4, 0xff][(len + place / 5) % 6];
                    assert_eq!(
                        kernels.text(bytes),
                        std::str::from_utf8(bytes).ok(),
                        "{kernels:?} {text} {place} of {len}"
                    );
                    bytes[place] = long[place];
                }
                bytes.fill(0x80);
            }
        }
    }
}

#[test]
fn long_texts_may_turn_from_ascii_to_others_anywhere() {
    let mut random = Random(3);
    for kernels in every_level() {
        for len in long_lengths() {
            let mut bytes = vec![b'a'; len];
            assert!(kernels.text(&bytes).is_some());
            for _ in 0..6 {
                let place = random.below(len);
                for (piece, valid) in [("ß", true), ("权", true), ("\u{10ffff}", true), ("", false)] {
                    let saved = bytes.clone();
                    let piece = if valid { piece.as_bytes() } else { &[0xed, 0xa0, 0x80] };
                    let end = (place + piece.len()).min(len);
                    bytes[place..end].copy_from_slice(&piece[..end - place]);
                    assert_eq!(
                        kernels.text(&bytes),
                        std::str::from_utf8(&bytes).ok(),
                        "{kernels:?} {place} of {len}"
                    );
                    bytes = saved;
                }
            }
        }
    }
}

#[test]
fn texts_behind_one_another_are_each_looked_at() {
    let mut random = Random(4);
    for kernels in every_level() {
        let mut refused = 0;
        for round in 0..3000 {
            let mut run = Vec::new();
            let count = random.below(if round % 10 == 0 { 60 } else { 8 });
            for _ in 0..count {
                let text = TEXTS[random.below(if round % 3 == 0 { 1 } else { TEXTS.len() })];
                run.extend_from_slice(&text.as_bytes()[..random.below(text.len() + 1)]);
            }
            // Half of the runs are cut at characters, and so may be wrong only at their ends.
            if round % 2 == 0 {
                run = String::from_utf8_lossy(&run).replace('\u{fffd}', "").into_bytes();
            }
            let mut starts: Vec<usize> = (0..random.below(6)).map(|_| random.below(run.len() + 1)).collect();
            starts.sort_unstable();
            if random.below(2) == 0 {
                starts.retain(|&start| run.get(start).is_none_or(|byte| byte & 0xc0 != 0x80));
            }
            let mut pieces = vec![0];
            pieces.extend(&starts);
            pieces.push(run.len());
            let each = pieces.windows(2).all(|piece| std::str::from_utf8(&run[piece[0]..piece[1]]).is_ok());
            refused += usize::from(!each);
            let starts: Vec<usize> = pieces[..pieces.len() - 1].to_vec();
            assert_eq!(
                kernels.are_utf8(&run, starts.iter().copied()),
                each,
                "{kernels:?} {starts:?} {run:x?}"
            );
        }
        assert!((500..2500).contains(&refused), "{refused} of 3000 refused");
    }
    for kernels in every_level() {
        // The end of the run, and what is past it, is no middle of a character.
        assert!(kernels.are_utf8("ß".as_bytes(), [0, 2, 2, 3]));
        assert!(!kernels.are_utf8("ß".as_bytes(), [0, 1]));
        assert!(kernels.are_utf8(b"", [0, 0]));
    }
}

// Bytes of numbers

#[test]
fn swapping_reverses_each_number_and_nothing_else() {
    let mut random = Random(5);
    let source = random.bytes(66_000 + LINE);
    for kernels in every_level() {
        for width in [1, 2, 4, 8] {
            let mut out = Aligned::new(66_000, 0xa5);
            for len in lengths().filter(|len| len % width == 0) {
                let (from, to) = (random.below(LINE), random.below(LINE));
                let bytes = &source[from..][..len];
                let mut expected = bytes.to_vec();
                expected.chunks_exact_mut(width).for_each(<[u8]>::reverse);

                kernels.copy_swapped(bytes, width, out.at(to, len));
                assert_eq!(out.at(to, len), expected, "{kernels:?} {width}: {len}, copied");
                out.only_changed(to, len, 0xa5);

                out.at(to, len).copy_from_slice(bytes);
                kernels.swap_in_place(out.at(to, len), width);
                assert_eq!(out.at(to, len), expected, "{kernels:?} {width}: {len}, in place");
                out.only_changed(to, len, 0xa5);

                kernels.copy_from_le(bytes, width, out.at(to, len));
                let expected = if cfg!(target_endian = "big") { &expected } else { bytes };
                assert_eq!(out.at(to, len), expected, "{kernels:?} {width}: {len}, from little-endian");
                out.only_changed(to, len, 0xa5);
            }
        }
    }
}

#[test]
fn swapping_bears_every_pair_of_addresses() {
    let mut random = Random(6);
    let source = random.bytes(200 + LINE);
    for kernels in every_level() {
        for width in [2, 4, 8] {
            let mut out = Aligned::new(200, 0);
            for from in 0..LINE {
                for to in 0..LINE {
                    let len = (from * LINE + to) * width % 200;
                    let mut expected = source[from..][..len].to_vec();
                    expected.chunks_exact_mut(width).for_each(<[u8]>::reverse);
                    kernels.copy_swapped(&source[from..][..len], width, out.at(to, len));
                    assert_eq!(out.at(to, len), expected, "{kernels:?} {width}: {from} to {to}");
                }
            }
        }
    }
}

#[test]
fn copying_bears_every_pair_of_addresses() {
    const ROOM: usize = 4296;
    let source = Random(7).bytes(ROOM + LINE);
    for kernels in every_level() {
        let mut out = Aligned::new(ROOM, 0xa5);
        for from in 0..LINE {
            for to in 0..LINE {
                let len = 4096 + (from * LINE + to) % 200;
                let bytes = &source[from..][..len];
                kernels.copy_from_le(bytes, 1, out.at(to, len));
                assert!(out.at(to, len) == bytes, "{kernels:?}: {from} to {to}");
                out.at(to, len).fill(0xa5);
            }
        }
        out.only_changed(0, ROOM, 0xa5);
    }
}

#[test]
fn copies_larger_than_any_cache_are_swapped_alike() {
    let (count, start) = ((36 << 20) / 4, 3);
    // No two of what any kernel takes at once are alike: the numbers begin again after a prime number of them.
    let numbers: Vec<u8> =
        (0..65_521u32).flat_map(|number| number.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
    let source = numbers.repeat(count * 4 / numbers.len() + 1);
    let bytes = &source[start..][..4 * count];
    let mut out = vec![0; bytes.len() + LINE];
    for kernels in every_level() {
        for offset in [0, 1, 4, LINE - 4] {
            let out = &mut out[offset..][..bytes.len()];
            out.fill(0);
            kernels.copy_swapped(bytes, 4, out);
            kernels.swap_in_place(out, 4);
            assert!(out == bytes, "{kernels:?} {offset}");
            out.fill(0);
            kernels.copy_from_le(bytes, 4, out);
            if cfg!(target_endian = "big") {
                kernels.swap_in_place(out, 4);
            }
            assert!(out == bytes, "{kernels:?} {offset}: not swapped");
        }
    }
}

#[test]
fn little_endian_numbers_have_their_values_on_this_host() {
    let numbers = [0u64, 1, 0x0102_0304_0506_0708, u64::MAX, 1 << 63];
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    for kernels in every_level() {
        let mut memory = vec![0; bytes.len()];
        kernels.copy_from_le(&bytes, 8, &mut memory);
        let read: Vec<u64> =
            memory.chunks_exact(8).map(|eight| u64::from_ne_bytes(eight.try_into().unwrap())).collect();
        assert_eq!(read, numbers);
    }
}

// Packed elements

/// Half number `at` of `bytes`, the low half of a byte first.
fn half(bytes: &[u8], at: usize) -> u8 {
    bytes[at / 2] >> (4 * (at % 2)) & 0x0f
}

/// The value of a half in two's complement.
fn i4(half: u8) -> i8 {
    if half < 8 { half as i8 } else { half as i8 - 16 }
}

/// What tells two values apart: their bits.
trait Bits: Copy + PartialEq + std::fmt::Debug + std::panic::RefUnwindSafe {
    fn bits(self) -> u32;
}

impl Bits for u8 {
    fn bits(self) -> u32 {
        self.into()
    }
}

impl Bits for i8 {
    fn bits(self) -> u32 {
        (self as u8).into()
    }
}

impl Bits for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }
}

/// Every byte at every place of 32.
fn every_byte_everywhere() -> Vec<u8> {
    (0..257 * 32).map(|at| (at % 257) as u8).collect()
}

/// Calls `unpack` for many lengths, starts and addresses, and compares with `value` of each half.
fn each_unpacked<T: Bits>(
    fill: T,
    value: impl Fn(u8) -> T,
    unpack: impl Fn(&Kernels, &[u8], usize, &mut [T]) + std::panic::RefUnwindSafe,
) {
    let mut random = Random(7);
    let mut source = every_byte_everywhere();
    let whole = 2 * source.len();
    source.extend(random.bytes(40_000));
    for kernels in every_level() {
        let mut out = Aligned::new(70_000, fill);
        let mut runs = vec![(0, 0, whole)];
        for len in 0..=400 {
            runs.extend([0, 1].map(|odd| (random.below(LINE), 2 * random.below(20) + odd, len)));
        }
        runs.extend(long_lengths().map(|len| (random.below(LINE), random.below(10_000), len)));
        for (from, first, len) in runs {
            let bytes = &source[from..];
            let to = random.below(LINE);
            unpack(kernels, bytes, first, out.at(to, len));
            for (at, found) in out.at(to, len).iter().enumerate() {
                let expected = value(half(bytes, first + at));
                assert_eq!(found.bits(), expected.bits(), "{kernels:?} {at} of {len} from {first}");
            }
            out.only_changed(to, len, fill);
        }
        for first in 0..4 {
            let two = [0x10, 0x32];
            unpack(kernels, &two, first, &mut vec![fill; 4 - first]);
            let too_many = || unpack(kernels, &two, first, &mut vec![fill; 5 - first]);
            assert!(std::panic::catch_unwind(too_many).is_err(), "{kernels:?} from {first}");
        }
        unpack(kernels, &[], 0, &mut []);
    }
}

#[test]
fn u4_elements_unpack_to_their_halves() {
    each_unpacked(0xa5, |half| half, Kernels::unpack_u4);
}

#[test]
fn i4_elements_unpack_to_their_values() {
    each_unpacked(0x5a, i4, Kernels::unpack_i4);
}

#[test]
fn u4_elements_become_exact_floats() {
    each_unpacked(1e30, |half| half.into(), Kernels::u4_to_f32);
}

#[test]
fn i4_elements_become_exact_floats() {
    each_unpacked(1e30, |half| i4(half).into(), Kernels::i4_to_f32);
}

#[test]
fn e2m1_elements_become_exact_floats() {
    each_unpacked(1e30, |half| E2M1.value(half.into()), Kernels::e2m1_to_f32);
}

#[test]
fn packing_takes_the_low_halves_and_tells_when_more_was_there() {
    let mut random = Random(8);
    for kernels in every_level() {
        let mut out = Aligned::new(40_000, 0xa5);
        for len in lengths() {
            let mut values = random.bytes(len);
            values.iter_mut().for_each(|value| *value &= 0x0f);
            let signed: Vec<i8> = values.iter().map(|&value| i4(value)).collect();
            let mut expected = vec![0; len.div_ceil(2)];
            for (at, value) in values.iter().enumerate() {
                expected[at / 2] |= value << (4 * (at % 2));
            }
            let to = random.below(LINE);
            assert!(kernels.pack_u4(&values, out.at(to, expected.len())), "{kernels:?} {len}");
            assert_eq!(out.at(to, expected.len()), expected, "{kernels:?} {len}");
            out.only_changed(to, expected.len(), 0xa5);
            assert!(kernels.pack_i4(&signed, out.at(to, expected.len())), "{kernels:?} {len}");
            assert_eq!(out.at(to, expected.len()), expected, "{kernels:?} {len}");
            out.only_changed(to, expected.len(), 0xa5);

            let places: Vec<usize> =
                if len <= 100 { (0..len).collect() } else { (0..3).map(|_| random.below(len)).collect() };
            for place in places {
                // The first values out of range on each side, and those farthest out.
                let (large, outside) =
                    ([16, 0x80, 255, 17][place % 4], [8i8, -9, i8::MAX, i8::MIN][place % 4]);
                let mut expected = expected.clone();
                let mut cut = |value: u8| {
                    expected[place / 2] &= !(0x0f << (4 * (place % 2)));
                    expected[place / 2] |= (value & 0x0f) << (4 * (place % 2));
                    expected.clone()
                };
                let saved = std::mem::replace(&mut values[place], large);
                assert!(
                    !kernels.pack_u4(&values, out.at(0, len.div_ceil(2))),
                    "{kernels:?} {place} of {len}"
                );
                assert_eq!(out.at(0, len.div_ceil(2)), cut(large));
                values[place] = saved;
                let mut signed = signed.clone();
                signed[place] = outside;
                assert!(
                    !kernels.pack_i4(&signed, out.at(0, len.div_ceil(2))),
                    "{kernels:?} {place} of {len}"
                );
                assert_eq!(out.at(0, len.div_ceil(2)), cut(outside as u8));
            }
            out.only_changed(0, expected.len(), 0xa5);
        }
    }
}

#[test]
fn every_value_packs_in_both_halves_or_is_out_of_range() {
    for kernels in every_level() {
        for value in 0..=255u8 {
            // In the vectors and in what they leave over.
            for place in [64, 65, 128, 129, 130] {
                let mut values = [0x05; 131];
                values[place] = value;
                let mut packed = [0; 66];
                assert_eq!(
                    kernels.pack_u4(&values, &mut packed),
                    value < 16,
                    "{kernels:?} {value} at {place}"
                );
                let mut back = [0; 131];
                kernels.unpack_u4(&packed, 0, &mut back);
                assert_eq!(back, values.map(|value| value & 0x0f), "{kernels:?} {value} at {place}");

                let signed = values.map(|value| value as i8);
                let fits = (-8..8).contains(&(value as i8));
                assert_eq!(kernels.pack_i4(&signed, &mut packed), fits, "{kernels:?} {value} at {place}");
                let mut back = [0; 131];
                kernels.unpack_i4(&packed, 0, &mut back);
                assert_eq!(back, values.map(|value| i4(value & 0x0f)), "{kernels:?} {value} at {place}");
            }
        }
    }
}

// Small floats

/// A binary float format: sign, exponent and mantissa, from the highest bit down.
struct Format {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    /// What the numbers with the highest exponent are.
    highest: Highest,
}

enum Highest {
    /// Infinity, and with any mantissa bit set NaN.
    Infinity,
    /// Numbers like the others, but for NaN where all mantissa bits are set.
    OneNan,
    /// Numbers like the others.
    Numbers,
}

const E2M1: Format = Format { exponent: 2, mantissa: 1, bias: 1, highest: Highest::Numbers };
const E4M3: Format = Format { exponent: 4, mantissa: 3, bias: 7, highest: Highest::OneNan };
const E5M2: Format = Format { exponent: 5, mantissa: 2, bias: 15, highest: Highest::Infinity };
const F16: Format = Format { exponent: 5, mantissa: 10, bias: 15, highest: Highest::Infinity };
const BF16: Format = Format { exponent: 8, mantissa: 7, bias: 127, highest: Highest::Infinity };

impl Format {
    fn value(&self, bits: u32) -> f32 {
        let mantissa = bits & ((1 << self.mantissa) - 1);
        let exponent = bits >> self.mantissa & ((1 << self.exponent) - 1);
        let negative = bits >> (self.mantissa + self.exponent) & 1 == 1;
        let all_ones = mantissa == (1 << self.mantissa) - 1;
        let (infinite, nan) = match self.highest {
            _ if exponent != (1 << self.exponent) - 1 => (false, false),
            Highest::Infinity => (mantissa == 0, mantissa != 0),
            Highest::OneNan => (false, all_ones),
            Highest::Numbers => (false, false),
        };
        if nan {
            // A quiet NaN: its sign, its mantissa in the highest bits, and the highest of them set.
            let bits = 0x7fc0_0000 | mantissa << (23 - self.mantissa) | u32::from(negative) << 31;
            return f32::from_bits(bits);
        }
        let magnitude = if infinite {
            f64::INFINITY
        } else {
            let fraction = f64::from(mantissa) / f64::from(1u32 << self.mantissa);
            let lead = if exponent == 0 { 0.0 } else { 1.0 };
            (lead + fraction) * 2f64.powi(exponent.max(1) as i32 - self.bias)
        };
        let value = if negative { -magnitude } else { magnitude };
        let single = value as f32;
        assert_eq!(f64::from(single), value, "every number of the format is an f32");
        single
    }
}

#[test]
fn the_definitions_have_the_extremes_that_the_formats_name() {
    assert_eq!(E2M1.value(0b0111), 6.0);
    assert_eq!(E2M1.value(0b0001), 0.5);
    assert_eq!(E4M3.value(0x7e), 448.0);
    assert_eq!(E4M3.value(0x08), 2f32.powi(-6));
    assert_eq!(E4M3.value(0x01), 2f32.powi(-9));
    assert!(E4M3.value(0x7f).is_nan() && E4M3.value(0xff).is_nan());
    assert_eq!(E5M2.value(0x7b), 57344.0);
    assert_eq!(E5M2.value(0x04), 2f32.powi(-14));
    assert_eq!(E5M2.value(0x01), 2f32.powi(-16));
    assert_eq!(E5M2.value(0xfc), f32::NEG_INFINITY);
    assert!((0x7d..=0x7f).all(|bits| E5M2.value(bits).is_nan()));
    assert_eq!(F16.value(0x7bff), 65504.0);
    assert_eq!(BF16.value(0x7f7f).to_bits(), 0x7f7f_0000);
    assert_eq!(e8m0(0), 2f32.powi(-127));
    assert_eq!(e8m0(254), 2f32.powi(127));
    assert!(e8m0(255).is_nan());
}

fn e8m0(bits: u32) -> f32 {
    if bits == 255 { f32::NAN } else { 2f64.powi(bits as i32 - 127) as f32 }
}

/// Compares `convert` with `value` for every pattern of `WIDTH` bytes at every place of a vector, and for many
/// lengths and addresses.
fn each_converted<const WIDTH: usize>(
    value: impl Fn(u32) -> f32,
    convert: impl Fn(&Kernels, &[u8], &mut [f32]) + std::panic::RefUnwindSafe,
) {
    let patterns = 1 << (8 * WIDTH);
    let values: Vec<u32> = (0..patterns).map(|bits| value(bits).to_bits()).collect();
    let every: Vec<u8> =
        (0..patterns + 32).flat_map(|bits| bits.to_le_bytes().into_iter().take(WIDTH)).collect();
    let mut random = Random(9);
    let source = random.bytes(WIDTH * 66_000 + LINE);
    for kernels in every_level() {
        let mut out = Aligned::new(66_000, 1e30);
        for shift in 0..32 {
            let bytes = &every[shift * WIDTH..][..patterns as usize * WIDTH];
            let out = out.at(shift % 7, patterns as usize);
            convert(kernels, bytes, out);
            for (at, found) in out.iter().enumerate() {
                let bits = (at + shift) % patterns as usize;
                assert_eq!(found.to_bits(), values[bits], "{kernels:?} {bits:#x}");
            }
        }
        out.slots.fill(1e30);
        for len in lengths() {
            let (from, to) = (random.below(LINE), random.below(LINE));
            let bytes = &source[from..][..len * WIDTH];
            convert(kernels, bytes, out.at(to, len));
            for (bits, found) in bytes.chunks_exact(WIDTH).zip(out.at(to, len)) {
                let bits = bits.iter().rev().fold(0, |bits, byte| bits << 8 | usize::from(*byte));
                assert_eq!(found.to_bits(), values[bits], "{kernels:?} {bits:#x} of {len}");
            }
            out.only_changed(to, len, 1e30);
        }
        for (bytes, floats) in [(WIDTH, 0), (0, 1), (3 * WIDTH, 2), (2 * WIDTH, 3)] {
            let unequal = || convert(kernels, &vec![0; bytes], &mut vec![0.0; floats]);
            assert!(std::panic::catch_unwind(unequal).is_err(), "{kernels:?} {bytes} bytes, {floats} floats");
        }
    }
}

#[test]
fn every_e4m3_number_becomes_its_value() {
    each_converted::<1>(|bits| E4M3.value(bits), Kernels::e4m3_to_f32);
}

#[test]
fn every_e5m2_number_becomes_its_value() {
    each_converted::<1>(|bits| E5M2.value(bits), Kernels::e5m2_to_f32);
}

#[test]
fn every_e8m0_scale_becomes_its_value() {
    each_converted::<1>(e8m0, Kernels::e8m0_to_f32);
}

#[test]
fn every_half_precision_number_becomes_its_value() {
    each_converted::<2>(|bits| F16.value(bits), Kernels::f16_to_f32);
}

#[test]
fn every_bfloat16_number_becomes_its_value() {
    each_converted::<2>(|bits| BF16.value(bits), Kernels::bf16_to_f32);
}

#[test]
fn lengths_that_do_not_go_together_are_refused() {
    for kernels in every_level() {
        let refused = |what: &str, call: &(dyn Fn() + std::panic::RefUnwindSafe)| {
            assert!(std::panic::catch_unwind(call).is_err(), "{kernels:?} {what}");
        };
        refused("a longer copy", &|| kernels.copy_swapped(&[0; 4], 4, &mut [0; 8]));
        refused("a longer source", &|| kernels.copy_swapped(&[0; 8], 4, &mut [0; 4]));
        refused("half a number", &|| kernels.copy_swapped(&[0; 6], 4, &mut [0; 6]));
        refused("a width of three", &|| kernels.copy_swapped(&[0; 6], 3, &mut [0; 6]));
        refused("a width of zero", &|| kernels.copy_swapped(&[0; 6], 0, &mut [0; 6]));
        refused("half a number in place", &|| kernels.swap_in_place(&mut [0; 3], 2));
        refused("a width of three in place", &|| kernels.swap_in_place(&mut [0; 3], 3));
        refused("a longer copy from little-endian", &|| kernels.copy_from_le(&[0; 4], 4, &mut [0; 8]));
        refused("a width of 16", &|| kernels.copy_from_le(&[0; 16], 16, &mut [0; 16]));
        refused("too few bytes to pack into", &|| assert!(kernels.pack_u4(&[0; 3], &mut [0; 1])));
        refused("too many bytes to pack into", &|| assert!(kernels.pack_i4(&[0; 3], &mut [0; 3])));
    }
}
