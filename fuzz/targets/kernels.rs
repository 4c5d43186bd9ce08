//! Every kernel at every level, on any bytes at any alignment: what the scalar one says, and not a byte beside it.
//!
//! An input is the bytes and then [`TAIL`] bytes that say where they are put: see [`Place`].

#[path = "../../tests/support/plain.rs"]
mod plain;

use kiln::arch::{Kernels, Level};
use kiln::tensor::{Descriptor, Dtype};
use plain::is_plain;
use std::fmt::Debug;

/// How many bytes at the end of an input are not given to the kernels.
const TAIL: usize = 4;

/// Where bytes lie and where results go.
struct Place {
    /// How many slots are in front of what a kernel reads.
    from: usize,
    /// How many are in front of what it writes.
    to: usize,
    /// How many are behind both: with none, a sanitizer sees what the comparison cannot.
    behind: usize,
    /// The bits that are looked for. They also choose where texts and runs of elements begin.
    mask: u8,
    /// What results begin as, and what lies around everything.
    fill: u8,
}

impl Place {
    /// The low six bits of the first two bytes are the slots in front; the high ones of the first say how many
    /// are behind; the third is the mask, the fourth the fill.
    fn of([from, to, mask, fill]: [u8; TAIL]) -> Self {
        let behind = [0, 1, 9, 64][usize::from(from >> 6)];
        Place { from: usize::from(from % 64), to: usize::from(to % 64), behind, mask, fill }
    }
}

/// An allocation of its own that ends `behind` slots after the `len` of interest.
struct Room<T> {
    all: Vec<T>,
    front: usize,
    len: usize,
    fill: T,
}

impl<T: Copy + PartialEq> Room<T> {
    fn new(front: usize, len: usize, behind: usize, fill: T) -> Self {
        Room { all: vec![fill; front + len + behind], front, len, fill }
    }

    fn slots(&mut self) -> &mut [T] {
        &mut self.all[self.front..][..self.len]
    }

    /// Whether all around the slots is as it was.
    fn untouched(&self) -> bool {
        let (front, rest) = self.all.split_at(self.front);
        front.iter().chain(&rest[self.len..]).all(|slot| *slot == self.fill)
    }
}

/// Numbers that are compared by their bits, NaNs too.
trait Number: Copy + PartialEq + Debug {
    fn of(fill: u8) -> Self;
    fn bits(self) -> u32;
}

impl Number for u8 {
    fn of(fill: u8) -> u8 {
        fill
    }

    fn bits(self) -> u32 {
        self.into()
    }
}

impl Number for i8 {
    fn of(fill: u8) -> i8 {
        fill as i8
    }

    fn bits(self) -> u32 {
        u32::from(self as u8)
    }
}

impl Number for f32 {
    /// Never a NaN, which would not be equal to itself.
    fn of(fill: u8) -> f32 {
        f32::from(fill) + 0.25
    }

    fn bits(self) -> u32 {
        self.to_bits()
    }
}

/// Checks the input; panics where two levels differ.
pub(crate) fn run(input: &[u8]) {
    let (bytes, tail) = match input.split_last_chunk() {
        Some((bytes, tail)) => (bytes, *tail),
        None => (input, [0; TAIL]),
    };
    let place = Place::of(tail);
    let mut source = Room::new(place.from, bytes.len(), place.behind, place.fill);
    source.slots().copy_from_slice(bytes);
    let bytes = &*source.slots();

    masks(bytes, &place);
    records(bytes);
    texts(bytes, place.mask);
    swaps(bytes, &place);
    unpacked(bytes, &place);
    packed(bytes, &place);
    floats(bytes, &place);
}

fn levels() -> impl Iterator<Item = &'static Kernels> {
    Level::available().map(|level| Kernels::at(level).expect("an available level has kernels"))
}

/// That every level answers `expected`.
fn all_say<T: PartialEq + Debug>(what: &str, expected: T, answer: impl Fn(&Kernels) -> T) {
    for kernels in levels() {
        assert_eq!(answer(kernels), expected, "{what}, {kernels:?}");
    }
}

/// That every level writes the same `len` results, and nothing around them; gives them.
fn all_write<T: Number>(what: &str, len: usize, place: &Place, write: impl Fn(&Kernels, &mut [T])) -> Vec<T> {
    let mut scalar: Option<Vec<T>> = None;
    for kernels in levels() {
        let mut results = Room::new(place.to, len, place.behind, T::of(place.fill));
        write(kernels, results.slots());
        assert!(results.untouched(), "{what}, {kernels:?}: written around the {len}");
        let results = results.slots().to_vec();
        match &scalar {
            None => scalar = Some(results),
            Some(scalar) => {
                let differs = scalar.iter().zip(&results).position(|(one, other)| one.bits() != other.bits());
                assert_eq!(differs, None, "{what}, {kernels:?}: the first of {len} to differ");
            }
        }
    }
    scalar.expect("there is a scalar level")
}

fn masks(bytes: &[u8], place: &Place) {
    for mask in [place.mask, 0xff, 0xfe, 0xf0, 0x80] {
        let expected = bytes.iter().any(|byte| byte & mask != 0);
        all_say("any bit set", expected, |kernels| kernels.any_bit_set(bytes, mask));
    }
    // The same with only one byte that counts, which may be the last: else most bytes have an early one.
    let at = usize::from(place.fill) * bytes.len() / 256;
    let mut one = Room::new(place.from, bytes.len(), place.behind, 0xff);
    for (slot, byte) in one.slots().iter_mut().zip(bytes) {
        *slot = byte & !place.mask;
    }
    let none = one.slots().to_vec();
    all_say("no bit set", false, |kernels| kernels.any_bit_set(&none, place.mask));
    if let (Some(slot), true) = (one.slots().get_mut(at), place.mask != 0) {
        *slot |= place.mask;
        let one = &*one.slots();
        all_say("one byte's bits set", true, |kernels| kernels.any_bit_set(one, place.mask));
    }
}

/// Descriptors of any bytes, and of bytes that are made plain as far as this knows how.
fn records(bytes: &[u8]) {
    let mut each = Vec::new();
    let mut left = bytes;
    while let Some((record, after)) = left.split_first_chunk::<128>() {
        // Where it lies in the input, so at any address.
        let alone = std::slice::from_ref(record);
        all_say("a record", is_plain(record), |kernels| kernels.are_plain(alone));
        let mut shape = Descriptor::read(record).shape;
        let rank = record[2] % 5;
        shape[rank.into()..].fill(0);
        shape[..2].iter_mut().for_each(|dim| *dim %= 1 << 32);
        shape[2..].iter_mut().for_each(|dim| *dim %= 1 << 30);
        let dtype = Dtype::CLOSED[usize::from(record[0]) % Dtype::CLOSED.len()];
        let mut made = Descriptor { dtype: dtype.code(), rank, shape, ..Descriptor::default() };
        made.byte_len = made.element_count().and_then(|count| dtype.payload_len(count)).unwrap_or(0);
        let made = made.write();
        all_say("a record made plain", is_plain(&made), |kernels| kernels.are_plain(&[made]));
        each.push(if is_plain(record) { *record } else { made });
        left = after;
    }
    let expected = each.iter().all(is_plain);
    all_say("records", expected, |kernels| kernels.are_plain(&each));
}

fn texts(bytes: &[u8], mask: u8) {
    let whole = std::str::from_utf8(bytes).ok();
    all_say("text", whole, |kernels| kernels.text(bytes));
    // Texts as long as each other, with empty ones between them where the mask is even.
    let step = usize::from(mask / 2) + 1;
    let copies = if mask % 2 == 0 { 2 } else { 1 };
    let starts: Vec<usize> =
        (0..=bytes.len()).step_by(step).flat_map(|start| std::iter::repeat_n(start, copies)).collect();
    let each = bytes.chunks(step).all(|text| std::str::from_utf8(text).is_ok());
    all_say("texts", each, |kernels| kernels.are_utf8(bytes, starts.iter().copied()));
}

fn swaps(bytes: &[u8], place: &Place) {
    for width in [1, 2, 4, 8] {
        let bytes = &bytes[..bytes.len() / width * width];
        let copied = all_write("copy swapped", bytes.len(), place, |kernels, out: &mut [u8]| {
            kernels.copy_swapped(bytes, width, out);
        });
        let mut expected = bytes.to_vec();
        expected.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        assert_eq!(copied, expected, "copy swapped, by {width}");
        let swapped = all_write("swap in place", bytes.len(), place, |kernels, out: &mut [u8]| {
            out.copy_from_slice(bytes);
            kernels.swap_in_place(out, width);
        });
        assert_eq!(swapped, expected, "swap in place, by {width}");
        let loaded = all_write("copy from little-endian", bytes.len(), place, |kernels, out: &mut [u8]| {
            kernels.copy_from_le(bytes, width, out);
        });
        assert_eq!(loaded, if cfg!(target_endian = "big") { &expected } else { bytes });
    }
}

fn unpacked(bytes: &[u8], place: &Place) {
    let elements = 2 * bytes.len();
    // From the first, and from another up to one before the last.
    for (first, short) in [(0, 0), (usize::from(place.mask), 0), (usize::from(place.mask), 1)] {
        let first = first.min(elements);
        let len = (elements - first).saturating_sub(short);
        let codes = all_write("unpack u4", len, place, |kernels, out: &mut [u8]| {
            kernels.unpack_u4(bytes, first, out);
        });
        for (at, code) in codes.iter().enumerate() {
            let at = first + at;
            assert_eq!(*code, bytes[at / 2] >> (4 * (at % 2)) & 0x0f, "unpack u4, element {at}");
        }
        let values = all_write("unpack i4", len, place, |kernels, out: &mut [i8]| {
            kernels.unpack_i4(bytes, first, out);
        });
        let float = |value: f32| value.to_bits();
        for (value, code) in values.iter().zip(&codes) {
            assert_eq!(*value, (*code as i8) << 4 >> 4, "unpack i4");
        }
        let floats = all_write("u4 to f32", len, place, |kernels, out: &mut [f32]| {
            kernels.u4_to_f32(bytes, first, out);
        });
        assert!(floats.iter().zip(&codes).all(|(value, code)| float(*value) == float(f32::from(*code))));
        let floats = all_write("i4 to f32", len, place, |kernels, out: &mut [f32]| {
            kernels.i4_to_f32(bytes, first, out);
        });
        assert!(floats.iter().zip(&values).all(|(value, code)| float(*value) == float(f32::from(*code))));
        all_write("e2m1 to f32", len, place, |kernels, out: &mut [f32]| {
            kernels.e2m1_to_f32(bytes, first, out);
        });

        // Packing is the way back, from any element on.
        let again = all_write("pack u4", len.div_ceil(2), place, |kernels, out: &mut [u8]| {
            assert!(kernels.pack_u4(&codes, out), "codes are in range");
        });
        let signed = all_write("pack i4", len.div_ceil(2), place, |kernels, out: &mut [u8]| {
            assert!(kernels.pack_i4(&values, out), "values are in range");
        });
        assert_eq!(again, signed);
        for (at, code) in codes.iter().enumerate() {
            assert_eq!(again[at / 2] >> (4 * (at % 2)) & 0x0f, *code, "packed again, element {at}");
        }
        assert!(len % 2 == 0 || again[len / 2] < 0x10, "the unused half is not 0");
    }
}

/// Of values out of range the low half is taken, and that is said.
fn packed(bytes: &[u8], place: &Place) {
    let signed: Vec<i8> = bytes.iter().map(|byte| *byte as i8).collect();
    let expected: Vec<u8> =
        bytes.chunks(2).map(|pair| pair[0] & 0x0f | pair.get(1).map_or(0, |high| high << 4)).collect();
    let in_range = bytes.iter().all(|byte| *byte < 16);
    let packed = all_write("pack any u4", expected.len(), place, |kernels, out: &mut [u8]| {
        assert_eq!(kernels.pack_u4(bytes, out), in_range, "pack any u4, {kernels:?}");
    });
    assert_eq!(packed, expected);
    let in_range = signed.iter().all(|value| (-8..8).contains(value));
    let packed = all_write("pack any i4", expected.len(), place, |kernels, out: &mut [u8]| {
        assert_eq!(kernels.pack_i4(&signed, out), in_range, "pack any i4, {kernels:?}");
    });
    assert_eq!(packed, expected);
}

fn floats(bytes: &[u8], place: &Place) {
    type Convert = fn(&Kernels, &[u8], &mut [f32]);
    let kinds: [(&str, usize, Convert); 5] = [
        ("e4m3 to f32", 1, Kernels::e4m3_to_f32),
        ("e5m2 to f32", 1, Kernels::e5m2_to_f32),
        ("e8m0 to f32", 1, Kernels::e8m0_to_f32),
        ("f16 to f32", 2, Kernels::f16_to_f32),
        ("bf16 to f32", 2, Kernels::bf16_to_f32),
    ];
    for (what, width, convert) in kinds {
        let bytes = &bytes[..bytes.len() / width * width];
        all_write(what, bytes.len() / width, place, |kernels, out: &mut [f32]| {
            convert(kernels, bytes, out);
        });
    }
}
