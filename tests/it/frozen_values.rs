//! What values look like on the wire, type by type, and what the types say about themselves.

use kiln::schema::Typed;
use kiln::{ByteBuf, Bytes, Decode, Encode, Frozen, ListView, is_plain};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::{NonZero, Saturating, Wrapping};
use std::rc::Rc;
use std::sync::Arc;

/// Bytes in the notation of the specification.
fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// The value is these bytes, both ways, and its type has this text.
#[track_caller]
fn is<'de, T>(value: &T, bytes: &'de [u8], text: &str)
where
    T: Encode + Decode<'de> + Typed + PartialEq + Debug,
{
    assert_eq!(kiln::to_vec(value).unwrap(), bytes);
    assert_eq!(kiln::from_slice::<T>(bytes).as_ref(), Ok(value));
    assert_eq!(kiln::type_text::<T>(), text);
}

#[test]
fn text_is_a_length_and_utf8() {
    let lab = hex("03 00 00 00 6c 61 62");
    is(&"lab", &lab, "str");
    is(&String::from("lab"), &lab, "str");
    is(&Cow::Borrowed("lab"), &lab, "str");
    is(&Box::<str>::from("lab"), &lab, "str");
    is(&Rc::<str>::from("lab"), &lab, "str");
    is(&Arc::<str>::from("lab"), &lab, "str");
    assert_eq!(kiln::to_vec("lab").unwrap(), lab);
    is(&"é", &hex("02 00 00 00 c3 a9"), "str");
    is(&"", &[0; 4], "str");
}

#[test]
fn text_and_bytes_are_borrowed_from_the_buffer() {
    let bytes = hex("03 00 00 00 6c 61 62 02 00 00 00 ff 00");
    let (text, run): (&str, Bytes) = kiln::from_slice(&bytes).unwrap();
    let (cow, _): (Cow<str>, Bytes) = kiln::from_slice(&bytes).unwrap();
    assert_eq!(text.as_ptr(), bytes[4..].as_ptr());
    assert!(matches!(cow, Cow::Borrowed(text) if text.as_ptr() == bytes[4..].as_ptr()));
    assert_eq!(run.0.as_ptr(), bytes[11..].as_ptr());
}

#[test]
fn byte_runs_are_bytes_and_byte_vectors_are_lists() {
    let wire = hex("02 00 00 00 ff 00");
    is(&ByteBuf(vec![0xff, 0]), &wire, "bytes");
    is(&Bytes(&[0xff, 0]), &wire, "bytes");
    is(&vec![0xffu8, 0], &wire, "list{u8}");
    assert_ne!(kiln::schema_hash::<ByteBuf>(), kiln::schema_hash::<Vec<u8>>());
}

#[test]
fn byte_runs_come_from_slices_and_compare_with_them_and_with_each_other() {
    let (slice, array): (&[u8], &[u8; 2]) = (&[0xff, 0], &[0xff, 0]);
    let owned = ByteBuf(vec![0xff, 0]);
    let borrowed = [Bytes::from(slice), Bytes::from(array), Bytes::from(&owned)];
    assert_eq!(borrowed.map(|run| run.0.as_ptr()), [slice.as_ptr(), array.as_ptr(), owned.as_ptr()]);
    assert_eq!(borrowed.map(<&[u8]>::from), [slice; 3]);
    let kept = vec![0xff, 0];
    let at = kept.as_ptr();
    let kept = ByteBuf::from(kept);
    assert_eq!((kept.as_ptr(), &kept[..]), (at, slice));
    assert_eq!([ByteBuf::from(slice), ByteBuf::from(borrowed[0]), kept], [(); 3].map(|()| owned.clone()));
    assert!(owned == borrowed[0]);
    assert!(borrowed[0] == owned);
    for other in [&[0xff, 1][..], &[0xff], &[], &[0xff, 0, 0]] {
        assert!(owned != Bytes(other) && borrowed[0] != ByteBuf(other.to_vec()), "{other:?}");
    }
}

#[test]
fn a_list_is_a_count_and_its_elements() {
    let wire = hex("02 00 00 00 01 00 02 01");
    is(&vec![1u16, 258], &wire, "list{u16}");
    is(&VecDeque::from([1u16, 258]), &wire, "list{u16}");
    is(&Box::<[u16]>::from([1, 258]), &wire, "list{u16}");
    is(&Rc::<[u16]>::from([1, 258]), &wire, "list{u16}");
    is(&Arc::<[u16]>::from([1, 258]), &wire, "list{u16}");
    is(&Cow::Borrowed(&[1u16, 258][..]), &wire, "list{u16}");
    is(&[1u16, 258], &wire, "list{u16}");
    assert_eq!(kiln::to_vec(&[1u16, 258][..]).unwrap(), wire);
    assert_eq!(kiln::to_vec(&kiln::from_slice::<ListView<u16>>(&wire).unwrap()).unwrap(), wire);
    is(&vec![vec![], vec![7u8]], &hex("02 00 00 00 00 00 00 00 01 00 00 00 07"), "list{list{u8}}");
}

#[test]
fn both_halves_of_a_ring_are_written() {
    let mut ring = VecDeque::with_capacity(4);
    ring.extend([3u16, 4]);
    ring.push_front(2);
    ring.push_front(1);
    assert!(!ring.as_slices().1.is_empty());
    assert_eq!(kiln::to_vec(&ring).unwrap(), kiln::to_vec(&[1u16, 2, 3, 4]).unwrap());
}

#[test]
fn an_array_is_a_list_that_knows_its_count() {
    is(&[0u8; 0], &[0; 4], "list{u8}");
    is(&[true, false], &hex("02 00 00 00 01 00"), "list{bool}");
    let texts = [String::from("a"), String::from("b")];
    is(&texts, &kiln::to_vec(&["a", "b"]).unwrap(), "list{str}");
    is(&[[1u8, 2], [3, 4]], &hex("02 00 00 00 02 00 00 00 01 02 02 00 00 00 03 04"), "list{list{u8}}");
}

#[test]
fn an_optional_is_a_presence_byte_and_perhaps_a_value() {
    is(&None::<i32>, &[0], "optional{i32}");
    is(&Some(-4i32), &hex("01 fc ff ff ff"), "optional{i32}");
    is(&Some(None::<u8>), &hex("01 00"), "optional{optional{u8}}");
}

#[test]
fn a_dict_is_sorted_on_the_way_out() {
    let wire = hex("02 00 00 00 01 00 00 00 61 01 01 00 00 00 62 02");
    is(&BTreeMap::from([(String::from("b"), 2u8), (String::from("a"), 1)]), &wire, "dict{u8}");
    is(&BTreeMap::from([("b", 2u8), ("a", 1)]), &wire, "dict{u8}");
    is(&HashMap::from([(String::from("b"), 2u8), (String::from("a"), 1)]), &wire, "dict{u8}");
    is(&HashMap::from([(Cow::Borrowed("b"), 2u8), (Cow::Borrowed("a"), 1)]), &wire, "dict{u8}");
    is(&HashMap::from([(Box::<str>::from("b"), 2u8), (Box::from("a"), 1)]), &wire, "dict{u8}");
}

#[test]
fn keys_are_sorted_by_bytes_and_not_by_utf16() {
    let keys = ["\u{10000}", "a", "", "\u{ffff}", "b", "aa", "é"];
    let map: HashMap<&str, u8> = keys.into_iter().map(|key| (key, 0)).collect();
    // A dict is the bytes of a list of pairs, but for the promise about the keys.
    let wire = kiln::to_vec(&map).unwrap();
    let pairs: Vec<(&str, u8)> = kiln::from_slice(&wire).unwrap();
    let order: Vec<&str> = pairs.iter().map(|(key, _)| *key).collect();
    assert_eq!(order, ["", "a", "aa", "b", "é", "\u{ffff}", "\u{10000}"]);
}

#[test]
fn a_tuple_is_a_struct_with_numbered_fields() {
    let wire = hex("09 00 00 00 fc ff ff ff");
    is(&(9i32, -4i32), &wire, "struct{0:i32,1:i32,}");
    is(&((9i32,), -4i32), &wire, "struct{0:struct{0:i32,},1:i32,}");
    is(
        &(1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8, 10u8, 11u8, String::new()),
        &hex("01 02 03 04 05 06 07 08 09 0a 0b 00 00 00 00"),
        "struct{0:u8,1:u8,2:u8,3:u8,4:u8,5:u8,6:u8,7:u8,8:u8,9:u8,10:u8,11:str,}",
    );
}

#[test]
fn a_struct_without_fields_takes_no_bytes() {
    is(&(), &[], "struct{}");
    is(&PhantomData::<f64>, &[], "struct{}");
    is(&((), 7u8, ()), &[7], "struct{0:struct{},1:u8,2:struct{},}");
}

#[test]
fn pointers_and_wrappers_are_what_they_hold() {
    let wire = hex("04 03 02 01");
    is(&Box::new(0x0102_0304u32), &wire, "u32");
    is(&Rc::new(0x0102_0304u32), &wire, "u32");
    is(&Arc::new(0x0102_0304u32), &wire, "u32");
    is(&Wrapping(0x0102_0304u32), &wire, "u32");
    is(&Saturating(0x0102_0304u32), &wire, "u32");
    is(&NonZero::new(0x0102_0304u32).unwrap(), &wire, "u32");
    is(&NonZero::new(-1i8).unwrap(), &[0xff], "i8");
    assert_eq!(kiln::to_vec(&&&0x0102_0304u32).unwrap(), wire);
}

#[test]
fn every_pattern_of_a_float_survives() {
    // One, minus zero, the largest and smallest, infinities, and NaNs quiet and signalling with a payload.
    let f64s: [u64; 8] = [
        0x3ff0_0000_0000_0000,
        0x8000_0000_0000_0000,
        0x7fef_ffff_ffff_ffff,
        1,
        0xfff0_0000_0000_0000,
        0x7ff8_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0xfff7_dead_beef_cafe,
    ];
    let f32s: [u32; 6] = [0x3f80_0000, 0x8000_0000, 0x7f7f_ffff, 1, 0x7f80_0001, 0xffc0_beef];
    let f16s: [u16; 6] = [0x3c00, 0x8000, 0x7bff, 1, 0x7c01, 0xfe5a];
    let bf16s: [u16; 6] = [0x3f80, 0x8000, 0x7f7f, 1, 0x7f81, 0xffa5];
    macro_rules! survives {
        ($patterns:ident, $float:ty) => {
            for bits in $patterns {
                let wire = bits.to_le_bytes();
                let value: $float = kiln::from_slice(&wire).unwrap();
                assert_eq!(value.to_bits(), bits);
                assert_eq!(kiln::to_vec(&value).unwrap(), wire);
            }
            // And in a list, where they move as one block.
            let values: Vec<$float> = $patterns.iter().map(|bits| <$float>::from_bits(*bits)).collect();
            let wire = kiln::to_vec(&values).unwrap();
            let bytes: Vec<u8> = $patterns.iter().flat_map(|bits| bits.to_le_bytes()).collect();
            assert_eq!(wire[4..], bytes);
            let back: Vec<$float> = kiln::from_slice(&wire).unwrap();
            assert!(back.iter().map(|value| value.to_bits()).eq($patterns));
        };
    }
    survives!(f64s, f64);
    survives!(f32s, f32);
    survives!(f16s, half::f16);
    survives!(bf16s, half::bf16);
    assert_eq!(kiln::to_vec(&1.0f32).unwrap(), hex("00 00 80 3f"));
    assert_eq!(kiln::to_vec(&-0.0f64).unwrap(), hex("00 00 00 00 00 00 00 80"));
}

#[test]
fn lists_of_numbers_are_little_endian_on_every_host() {
    let wire = hex("02 00 00 00 04 03 02 01 fc ff ff ff");
    assert_eq!(kiln::to_vec(&[0x0102_0304i32, -4]).unwrap(), wire);
    assert_eq!(kiln::from_slice::<Vec<i32>>(&wire).unwrap(), [0x0102_0304, -4]);
    assert_eq!(kiln::from_slice::<[i32; 2]>(&wire).unwrap(), [0x0102_0304, -4]);
    assert_eq!(kiln::from_slice::<Cow<[i32]>>(&wire).unwrap()[..], [0x0102_0304, -4]);
    let view: ListView<i32> = kiln::from_slice(&wire).unwrap();
    assert_eq!((view.get(0), view.get(1), view.get(2)), (Some(0x0102_0304), Some(-4), None));
    if cfg!(target_endian = "big") {
        assert!(view.as_slice().is_none());
    }
}

#[test]
fn a_cow_borrows_where_the_address_allows() {
    let wire = kiln::to_vec(&(0u8, &[1u32, 2, 3][..])).unwrap();
    // The elements lie 5 bytes into the value: of four starting addresses in a row exactly one aligns them.
    let mut buffer = vec![0; wire.len() + 4];
    let mut borrowed = 0;
    for start in 0..4 {
        buffer[start..start + wire.len()].copy_from_slice(&wire);
        let bytes = &buffer[start..start + wire.len()];
        let (_, items): (u8, Cow<[u32]>) = kiln::from_slice(bytes).unwrap();
        assert_eq!(items[..], [1, 2, 3]);
        let (_, view): (u8, ListView<u32>) = kiln::from_slice(bytes).unwrap();
        assert_eq!(view.as_slice().is_some(), matches!(items, Cow::Borrowed(_)));
        assert_eq!(view.to_vec(), [1, 2, 3]);
        borrowed += u32::from(matches!(items, Cow::Borrowed(_)));
    }
    assert_eq!(borrowed, u32::from(cfg!(target_endian = "little")));
}

#[test]
fn a_list_view_reads_from_both_ends() {
    let wire = kiln::to_vec(&[(1u8, true), (2, false), (3, true)]).unwrap();
    let view: ListView<(u8, bool)> = kiln::from_slice(&wire).unwrap();
    assert_eq!(view.len(), 3);
    assert!(!view.is_empty());
    assert_eq!(view.as_slice(), None);
    assert_eq!(view.as_bytes(), &wire[4..]);
    assert_eq!(view.to_vec(), [(1, true), (2, false), (3, true)]);
    assert_eq!(view.iter().rev().collect::<Vec<_>>(), [(3, true), (2, false), (1, true)]);
    let mut items = view.into_iter();
    assert_eq!(items.len(), 3);
    assert_eq!(items.next_back(), Some((3, true)));
    assert_eq!(items.nth(1), Some((2, false)));
    assert_eq!((items.next(), items.next_back()), (None, None));
    assert_eq!(view.get(usize::MAX), None);
    assert_eq!(format!("{view:?}"), "[(1, true), (2, false), (3, true)]");
    assert_eq!(view, ListView::clone(&view));
    assert_eq!(ListView::<u8>::default().len(), 0);
}

#[test]
fn views_are_equal_when_their_elements_are() {
    let wires = [&[1u16, 2][..], &[1, 3], &[1], &[]].map(|items| kiln::to_vec(items).unwrap());
    for (at, wire) in wires.iter().enumerate() {
        let view: ListView<u16> = kiln::from_slice(wire).unwrap();
        assert_eq!((view.len(), view.is_empty()), (wire.len() / 2 - 2, wire.len() == 4));
        for (other, wire) in wires.iter().enumerate() {
            assert_eq!(view == kiln::from_slice(wire).unwrap(), at == other, "{at} {other}");
        }
    }
    // What is not equal to itself is not equal here, and what is equal in other bytes is.
    let float = |float: f32| kiln::to_vec(&[float]).unwrap();
    let (nan, zero, minus) = (float(f32::NAN), float(0.0), float(-0.0));
    let view = |wire| kiln::from_slice::<ListView<f32>>(wire).unwrap();
    assert!(view(&nan) != view(&nan) && view(&zero) == view(&minus));
}

#[test]
fn a_view_of_long_elements_is_written_as_it_was_read() {
    type Eight<T> = (T, T, T, T, T, T, T, T);
    type Long = Eight<Eight<Eight<u64>>>;
    assert_eq!(Long::MIN_LEN, 4096);
    let mut wire = 256u32.to_le_bytes().to_vec();
    wire.extend((0..1 << 20).map(|at: u32| (at % 251) as u8));
    let view: ListView<Long> = kiln::from_slice(&wire).unwrap();
    assert_eq!(view.len(), 256);
    assert!(kiln::to_vec(&view).unwrap() == wire);
}

#[test]
fn what_has_no_fixed_size_gives_no_value_where_one_is_asked_for() {
    use kiln::wire::Chunk;
    macro_rules! refuses {
        ($($of:ty),+ $(,)?) => {$(
            const { assert!(!<$of>::FIXED) }
            let asked = std::panic::catch_unwind(|| {
                <$of as Decode>::decode_fixed(Chunk { bytes: &[0; 16], offset: 0 }).is_ok()
            });
            let message = asked.unwrap_err();
            let message = message.downcast_ref::<&str>().unwrap();
            assert!(message.contains("not FIXED"), "{}: {message}", stringify!($of));
        )+};
    }
    refuses!(
        String,
        &str,
        Cow<str>,
        Box<str>,
        Rc<str>,
        Arc<str>,
        Bytes,
        ByteBuf,
        Option<u8>,
        Box<u8>,
        Rc<u8>,
        Arc<u8>
    );
    refuses!(Vec<u8>, VecDeque<u8>, Box<[u8]>, Rc<[u8]>, Arc<[u8]>, &[u8], [u8; 2], Cow<[u8]>, ListView<u8>);
    refuses!(BTreeMap<String, u8>, HashMap<String, u8>);
}

#[test]
fn encoding_overwrites_every_byte_and_no_other() {
    let value = (7u8, "é", Some(true), vec![1u16, 2], BTreeMap::from([("k", [3u8])]));
    let wire = kiln::to_vec(&value).unwrap();
    let mut buffer = [0xaa; 64];
    assert_eq!(kiln::encode_to_slice(&value, &mut buffer), Ok(wire.len()));
    assert_eq!(buffer[..wire.len()], wire);
    assert!(buffer[wire.len()..].iter().all(|byte| *byte == 0xaa));

    let mut vector = vec![0xaa; 3];
    vector.reserve(100);
    vector.spare_capacity_mut().fill(std::mem::MaybeUninit::new(0xaa));
    kiln::encode_into(&value, &mut vector).unwrap();
    assert_eq!(vector, [&[0xaa; 3], &wire[..]].concat());

    let mut stream = Vec::new();
    assert_eq!(kiln::write_to(&value, &mut stream).unwrap(), wire.len() as u64);
    assert_eq!(stream, wire);
}

#[test]
fn the_smallest_encoding_is_that_of_the_table() {
    fn facts<T: Frozen + ?Sized>() -> (usize, bool, u32) {
        (T::MIN_LEN, T::FIXED, T::DEPTH)
    }
    assert_eq!(facts::<bool>(), (1, true, 0));
    assert_eq!(facts::<half::bf16>(), (2, true, 0));
    assert_eq!(facts::<f64>(), (8, true, 0));
    assert_eq!(facts::<NonZero<u16>>(), (2, true, 0));
    assert_eq!(facts::<&str>(), (4, false, 0));
    assert_eq!(facts::<Bytes>(), (4, false, 0));
    assert_eq!(facts::<Vec<u64>>(), (4, false, 1));
    assert_eq!(facts::<[u64]>(), (4, false, 1));
    // An array is a list: its count could be anything until it is read.
    assert_eq!(facts::<[u64; 3]>(), (4, false, 1));
    assert_eq!(facts::<Option<u64>>(), (1, false, 1));
    assert_eq!(facts::<BTreeMap<String, u64>>(), (4, false, 1));
    assert_eq!(facts::<()>(), (0, true, 1));
    assert_eq!(facts::<(u8, bool)>(), (2, true, 1));
    assert_eq!(facts::<(u8, ((), (u16,)))>(), (3, true, 3));
    assert_eq!(facts::<(u8, Option<Vec<u8>>)>(), (2, false, 2));
    assert_eq!(facts::<Box<u32>>(), (4, false, 0));
    assert_eq!(facts::<&u32>(), (4, true, 0));
}

#[test]
fn plain_is_what_has_its_encoding_in_memory() {
    let little = cfg!(target_endian = "little");
    assert_eq!(is_plain::<u32>(), little);
    assert!(is_plain::<u8>() && is_plain::<i8>() && is_plain::<(u8, i8)>());
    assert_eq!(is_plain::<Wrapping<f64>>(), little);
    assert_eq!(is_plain::<(f32, f32)>(), little);
    assert!(!is_plain::<bool>() && !is_plain::<(u8, bool)>() && !is_plain::<NonZero<u8>>());
    assert!(
        !is_plain::<(u8, u32)>() && !is_plain::<Box<u8>>() && !is_plain::<&u8>() && !is_plain::<[u8; 2]>()
    );
}

#[test]
fn a_list_view_is_searched_by_halves() {
    for len in 0..20u32 {
        let items: Vec<(u32, bool)> = (0..len).map(|n| (3 * n + 1, n % 2 == 0)).collect();
        let bytes = kiln::to_vec(&items).unwrap();
        let list: ListView<(u32, bool)> = kiln::from_slice(&bytes).unwrap();
        for wanted in 0..3 * len + 3 {
            let expected = items.binary_search_by_key(&wanted, |item| item.0);
            assert_eq!(list.binary_search_by_key(&wanted, |item| item.0), expected);
            assert_eq!(list.binary_search_by(|item| item.0.cmp(&wanted)), expected);
            let before = items.partition_point(|item| item.0 < wanted);
            assert_eq!(list.partition_point(|item| item.0 < wanted), before);
        }
    }
}

/// A type that claims any length, and writes nothing.
struct Claim(usize);

impl Frozen for Claim {
    const MIN_LEN: usize = 1;

    fn shape() -> kiln::schema::Shape {
        kiln::schema::Shape::Scalar(kiln::schema::Scalar::U8)
    }
}

impl Encode for Claim {
    fn measure(&self, measure: &mut kiln::wire::Measure) -> Result<(), kiln::EncodeError> {
        measure.add(self.0);
        Ok(())
    }

    fn encode<S: kiln::wire::Sink>(&self, _: &mut S) {}
}

#[test]
fn a_length_that_memory_cannot_hold_is_too_long_however_it_adds_up() {
    let half = usize::MAX / 2 + 1;
    for claims in [
        &[usize::MAX][..],
        &[usize::MAX, 1, 1],
        &[half, half],
        &[half, half, 0, half, half],
        &[half / 2; 4],
        &[half / 2; 16],
        &[half - 5, 4],
        // The highest bits of the sum are those of what is added, and then it is small again.
        &[usize::MAX - 4, 2],
    ] {
        let claims: Vec<Claim> = claims.iter().copied().map(Claim).collect();
        assert_eq!(kiln::encoded_len(&claims), Err(kiln::EncodeError::TooLong));
    }
    // Whatever comes before and after it, and inside an element.
    assert_eq!(kiln::encoded_len(&("abc", Claim(usize::MAX))), Err(kiln::EncodeError::TooLong));
    assert_eq!(kiln::encoded_len(&(Claim(usize::MAX), "abc")), Err(kiln::EncodeError::TooLong));
    assert_eq!(kiln::encoded_len(&(Claim(usize::MAX), vec![7u8])), Err(kiln::EncodeError::TooLong));
    assert_eq!(kiln::encoded_len(&vec![(Claim(half), Claim(half))]), Err(kiln::EncodeError::TooLong));
    assert_eq!(
        kiln::encoded_len(&vec![("abc", Claim(half), Claim(half), "abc")]),
        Err(kiln::EncodeError::TooLong)
    );
    assert_eq!(kiln::encoded_len(&vec![Claim(7), Claim(8)]), Ok(19));
}
