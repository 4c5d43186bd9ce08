//! What a builder writes is the one canonical block: bytes written down by hand, bytes of the specification's
//! worked examples, and every accepted case built again.

use crate::support::cases;
use half::{bf16, f16};
use kiln::tensor::{Bool8, Builder, Directory, Dtype, E4m3, E5m2, E8m0, Element, OpaqueCode, OwnedDirectory};

/// The bytes of lines of hex, each after its offset; what no line gives is zero.
fn dump(len: usize, lines: &str) -> Vec<u8> {
    let mut bytes = vec![0; len];
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (at, hex) = line.split_once("  ").expect("an offset and bytes");
        let at = usize::from_str_radix(at, 16).expect("an offset in hex");
        for (slot, byte) in bytes[at..].iter_mut().zip(hex.split(' ')) {
            *slot = u8::from_str_radix(byte, 16).expect("a byte in hex");
        }
    }
    bytes
}

/// Every way to write says the same: into a vector, behind other bytes, over other bytes, into a stream, into
/// aligned memory.
#[track_caller]
fn written(builder: &Builder<'_>) -> Vec<u8> {
    let block = builder.to_vec().unwrap();
    assert_eq!(builder.encoded_len(), block.len() as u64);
    assert_eq!(kiln::encoded_len(builder), Ok(block.len()));
    assert_eq!(builder.header(), Directory::read(&block).unwrap().header());

    let mut appended = vec![0xaa; 3];
    kiln::encode_into(builder, &mut appended).unwrap();
    assert_eq!(appended, [&[0xaa; 3][..], &block].concat());

    let mut slice = vec![0xaa; block.len() + 1];
    assert_eq!(builder.encode_to_slice(&mut slice), Ok(block.len()));
    assert_eq!(slice, [&block[..], &[0xaa]].concat());
    let (needed, given) = (block.len(), block.len() - 1);
    let mut short = vec![0xaa; given];
    let too_short = kiln::EncodeError::SliceTooShort { needed, given };
    assert_eq!(builder.encode_to_slice(&mut short), Err(too_short));
    assert!(short.iter().all(|&byte| byte == 0xaa));

    let mut stream = Vec::new();
    assert_eq!(builder.write_to(&mut stream).unwrap(), block.len() as u64);
    assert_eq!(stream, block);
    stream.clear();
    kiln::write_to(builder, &mut stream).unwrap();
    assert_eq!(stream, block);

    let owned = builder.to_owned_directory().unwrap();
    assert_eq!(owned.as_bytes(), block);
    assert_eq!(owned.as_directory(), Directory::read(&block).unwrap());
    block
}

#[test]
fn no_tensors_are_sixty_four_bytes() {
    let golden = dump(
        64,
        "0000  4b 4c 4e 54 02 00 01 00
         0020  40",
    );
    assert_eq!(written(&Builder::new()), golden);
    assert_eq!(written(&Builder::default()), golden);
    assert_eq!(OwnedDirectory::default().as_bytes(), golden);
}

#[test]
fn two_tensors_are_the_bytes_of_the_specification() {
    let golden = dump(
        451,
        "0000  4b 4c 4e 54 02 00 03 00 02
         0010  05 00 00 00 00 00 00 00 05 01
         0020  80 01 00 00 00 00 00 00 43
         0040  02 00 01 00 00 00 00 00 00 00 00 00 01
         0060  00 00 00 00 00 00 00 00 80 01
         0070  08
         0080  02
         00c0  0d 00 01 00 00 00 00 00 01 00 00 00 04
         00e0  00 00 00 00 00 00 00 00 c0 01
         00f0  03
         0100  03
         0140  77 6d 61 73 6b
         0180  00 00 80 3f 00 00 00 bf
         01c0  01 00 01",
    );
    let mut builder = Builder::with_capacity(2);
    builder.push("w", &[2], &[1.0f32, -0.5]).unwrap();
    builder.push_bools("mask", &[3], &[true, false, true]).unwrap();
    assert_eq!(written(&builder), golden);

    let bytes = [0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf];
    let mut builder = Builder::new();
    builder.push_bytes("w", Dtype::F32, &[2], &bytes).unwrap();
    builder.push("mask", &[3], &[Bool8(1), Bool8(0), Bool8(1)]).unwrap();
    assert_eq!(written(&builder), golden);
}

#[test]
fn a_link_is_the_bytes_of_the_specification() {
    let mut builder = Builder::new();
    let weights = builder.push_bytes("w", Dtype::I4, &[2, 5], &[0x21, 0x43, 0x65, 0x87, 0x09]).unwrap();
    let scales = builder.push("s", &[4], &[0.5f32; 4]).unwrap();
    builder.quantize(weights, 1, 4, scales, None).unwrap();
    let golden = dump(
        64,
        "0000  0e 00 02 01 01 00 00 00 00 00 00 00 01 00 00 00
         0010  00 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00
         0020  01 00 00 00 00 00 00 00 80 01 00 00 00 00 00 00
         0030  05",
    );
    assert_eq!(written(&builder)[64..128], golden);

    // With an outer scale that is pushed last.
    let outer = builder.push(None, &[1, 1], &[2.0f32]).unwrap();
    builder.quantize(weights, 1, 4, scales, Some(outer)).unwrap();
    let golden = dump(
        64,
        "0000  0e 00 02 02 01 00 00 00 00 00 00 00 01 00 00 00
         0010  00 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00
         0020  01 00 00 00 02 00 00 00 00 02 00 00 00 00 00 00
         0030  05",
    );
    assert_eq!(written(&builder)[64..128], golden);

    // And back: what the outer scale left is zero again.
    builder.quantize(weights, 0, 2, scales, None).unwrap_err();
    builder.quantize(weights, 1, 4, scales, None).unwrap();
    assert_eq!(written(&builder)[64 + 36..64 + 40], [0; 4]);
    // Nothing leads to the outer tensor any more, so it may have a link itself.
    builder.push("one", &[1], &[1u8]).unwrap();
    let one = builder.id_of("one").unwrap();
    builder.quantize(outer, 0, 1, one, None).unwrap();
    written(&builder);
}

#[test]
fn an_opaque_layout_is_the_bytes_of_the_specification() {
    let golden = dump(
        400,
        "0000  4b 4c 4e 54 02 00 03 00 01
         0010  07 00 00 00 00 00 00 00 87
         0020  00 01 00 00 00 00 00 00 90
         0040  00 10 01 00 00 00 00 00 00 00 00 00 03
         0050  03 00 00 00 04 00 00 00 90
         0060  00 00 00 00 00 00 00 00 00 01
         0070  90
         0080  00 01
         00c0  62 6c 6b 51 34 5f 4b",
    );
    let mut builder = Builder::new();
    builder.push_opaque("blk", OpaqueCode::MIN, "Q4_K", 144, &[256], &[0; 144]).unwrap();
    assert_eq!(written(&builder), golden);
}

#[test]
fn layout_names_follow_all_tensor_names() {
    let mut builder = Builder::new();
    builder.push_opaque("a", OpaqueCode::MIN, "L1", 1, &[], &[1]).unwrap();
    builder.push("bb", &[], &[2u8]).unwrap();
    builder.push_opaque(None, OpaqueCode::MAX, "L1", 2, &[0, 7], &[]).unwrap();
    builder.push(String::from("ccc"), &[], &[3u8]).unwrap();
    let block = written(&builder);
    let heap = 64 + 4 * 128;
    assert_eq!(block[heap..heap + 10], *b"abbcccL1L1");
    let words = |index: usize| {
        let at = 64 + 128 * index + 8;
        [0, 4, 8, 12].map(|word| u32::from_le_bytes(*block[at + word..].first_chunk().unwrap()))
    };
    assert_eq!(
        [words(0), words(1), words(2), words(3)],
        [[0, 1, 6, 2], [1, 2, 0, 0], [0, 0, 8, 2], [3, 3, 0, 0]]
    );
}

#[test]
fn empty_payloads_share_the_place_of_the_next_one() {
    let offsets = |lens: &[usize]| {
        let payload = [7u8; 200];
        let mut builder = Builder::new();
        for &len in lens {
            builder.push(None, &[len as u64], &payload[..len]).unwrap();
        }
        let block = written(&builder);
        let directory = Directory::read(&block).unwrap();
        let base = directory.header().payload_base;
        let offsets: Vec<u64> = directory.iter().map(|tensor| tensor.byte_offset() - base).collect();
        (offsets, directory.header().payload_bytes)
    };
    assert_eq!(offsets(&[8, 0, 3]), (vec![0, 64, 64], 67));
    assert_eq!(offsets(&[8, 3, 0]), (vec![0, 64, 128], 128));
    assert_eq!(offsets(&[0, 0]), (vec![0, 0], 0));
    assert_eq!(offsets(&[64, 65, 1]), (vec![0, 64, 192], 193));
}

/// The payload of a typed push is little-endian whatever the host is.
#[test]
fn numbers_are_little_endian_on_every_host() {
    #[track_caller]
    fn payload<T: Element>(dtype: Dtype, elements: &[T], expected: &[u8]) {
        let mut builder = Builder::new();
        builder.push("t", &[elements.len() as u64], elements).unwrap();
        let block = written(&builder);
        let tensor = Directory::read(&block).unwrap().get(0).unwrap();
        assert_eq!((tensor.dtype(), tensor.bytes()), (dtype, expected));
        assert_eq!(tensor.to_vec::<T>().unwrap(), elements);
    }
    payload(Dtype::F64, &[1.0f64, -0.0], &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x80]);
    payload(Dtype::F32, &[1.0f32, -0.5], &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf]);
    payload(Dtype::F16, &[f16::ONE, f16::from_bits(0x8001)], &[0, 0x3c, 1, 0x80]);
    payload(Dtype::Bf16, &[bf16::ONE, bf16::from_bits(0x8001)], &[0x80, 0x3f, 1, 0x80]);
    payload(Dtype::I64, &[-2i64], &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    payload(Dtype::I32, &[-2i32], &[0xfe, 0xff, 0xff, 0xff]);
    payload(Dtype::I16, &[-2i16, 3], &[0xfe, 0xff, 3, 0]);
    payload(Dtype::I8, &[-2i8, 3], &[0xfe, 3]);
    payload(Dtype::U64, &[0x0102_0304_0506_0708u64], &[8, 7, 6, 5, 4, 3, 2, 1]);
    payload(Dtype::U32, &[0x0102_0304u32, 5], &[4, 3, 2, 1, 5, 0, 0, 0]);
    payload(Dtype::U16, &[0x0102u16, 3], &[2, 1, 3, 0]);
    payload(Dtype::U8, &[1u8, 255], &[1, 255]);
    payload(Dtype::Bool, &[Bool8(1), Bool8(0)], &[1, 0]);
    payload(Dtype::E4m3, &[E4m3(0x7e)], &[0x7e]);
    payload(Dtype::E5m2, &[E5m2(0x7b)], &[0x7b]);
    payload(Dtype::E8m0, &[E8m0(128)], &[128]);
    // Longer than what is turned around at once.
    let numbers: Vec<u32> = (0..5000).map(|number| number * 0x0001_0203).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    payload(Dtype::U32, &numbers, &bytes);
}

/// Shapes that a builder can keep short, and those that it cannot: of more than four dimensions, or with one that
/// 32 bits do not count.
#[test]
fn shapes_of_every_rank_and_width() {
    let least = u64::from(u32::MAX);
    let mut shapes: Vec<Vec<u64>> = (0..=8).map(|rank| vec![1; rank]).collect();
    for wide in [least, least + 1, u64::MAX] {
        for rank in 1..=8 {
            for at in 0..rank {
                let mut shape = vec![0; rank];
                shape[at] = wide;
                if rank > 1 {
                    shapes.push(shape);
                }
            }
        }
    }
    let mut builder = Builder::new();
    for (index, shape) in shapes.iter().enumerate() {
        let count: u64 = if shape.contains(&0) { 0 } else { shape.iter().product() };
        builder.push(format!("t{index}"), shape, &[7u8][..count as usize]).unwrap();
    }
    let block = written(&builder);
    let directory = Directory::read(&block).unwrap();
    let read: Vec<Vec<u64>> = directory.iter().map(|tensor| tensor.shape().to_vec()).collect();
    assert_eq!(read, shapes);
    assert_eq!(Builder::of(&directory).unwrap().to_vec().unwrap(), block);
}

/// A name may go before the builder does.
#[test]
fn names_are_copied() {
    let mut builder = Builder::with_capacity(3);
    for index in 0..3 {
        let name = format!("layer.{index}");
        builder.push(name.as_str(), &[], &[1u8]).unwrap();
    }
    assert_eq!(builder.id_of("layer.2"), builder.id(2));
    let block = written(&builder);
    assert_eq!(Directory::read(&block).unwrap().index_of("layer.1"), Some(1));
}

#[test]
fn every_accepted_case_is_built_again_to_the_same_bytes() {
    let mut built = 0;
    for case in cases::directories() {
        let Ok(directory) = Directory::read_with(&case.bytes, &case.limits) else { continue };
        let builder = Builder::of(&directory).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(builder.len(), directory.len());
        assert!(builder.to_vec().unwrap() == case.bytes, "{}", case.name);
        let mut slice = vec![0xaa; case.bytes.len()];
        builder.encode_to_slice(&mut slice).unwrap();
        assert!(slice == case.bytes, "{}", case.name);
        let owned = builder.to_owned_directory().unwrap();
        assert!(owned.as_bytes() == case.bytes, "{}", case.name);
        for (index, tensor) in directory.iter().enumerate() {
            if let Some(name) = tensor.name() {
                assert_eq!(owned.get_by_name(name).map(|tensor| tensor.index()), Some(index));
                assert_eq!(builder.id_of(name), builder.id(index));
            }
        }
        built += 1;
    }
    assert!(built >= 40, "only {built} cases are accepted");
}

#[test]
fn a_builder_is_a_field_that_is_read_back_as_a_directory() {
    let mut builder = Builder::new();
    builder.push("w", &[2], &[1.0f64, -2.0]).unwrap();
    let block = builder.to_vec().unwrap();
    let bytes = kiln::to_vec(&(7u8, &builder, 0x0102u16)).unwrap();
    assert_eq!(bytes, [&[7][..], &block, &[2, 1]].concat());

    let (id, directory, tail): (u8, Directory<'_>, u16) = kiln::from_slice(&bytes).unwrap();
    assert_eq!((id, directory.as_bytes(), tail), (7, &block[..], 0x0102));
    let (id, owned, tail): (u8, OwnedDirectory, u16) = kiln::from_slice(&bytes).unwrap();
    assert_eq!((id, tail), (7, 0x0102));
    assert_eq!(owned, directory);
    assert_eq!(kiln::to_vec(&(id, &owned, tail)).unwrap(), bytes);
    assert_eq!(kiln::to_vec(&(id, &directory, tail)).unwrap(), bytes);

    let framed = kiln::frame::to_vec(&builder).unwrap();
    assert_eq!(framed[16..], block);
    assert_eq!(kiln::frame::from_slice::<OwnedDirectory>(&framed).unwrap(), owned);
    assert_eq!(kiln::schema_hash::<Builder<'static>>(), kiln::schema_hash::<Directory<'static>>());
    assert_eq!(kiln::schema_hash::<OwnedDirectory>(), kiln::schema_hash::<Directory<'static>>());
    assert_eq!(kiln::type_text::<OwnedDirectory>(), "tensors");

    let list = kiln::to_vec(&vec![&builder, &Builder::new()]).unwrap();
    assert_eq!(list.len(), 4 + block.len() + 64);
    let read: Vec<OwnedDirectory> = kiln::from_slice(&list).unwrap();
    assert_eq!((read[0].len(), read[1].len()), (1, 0));
}

#[test]
fn names_come_in_every_form_and_directories_cross_threads() {
    let mut builder = Builder::new();
    let owned = String::from("a");
    builder.push(&owned, &[], &[1u8]).unwrap();
    builder.push(owned.clone() + "b", &[], &[1u8]).unwrap();
    builder.push(std::borrow::Cow::Borrowed("c"), &[], &[1u8]).unwrap();
    builder.push(Some("d"), &[], &[1u8]).unwrap();
    builder.push(None, &[], &[1u8]).unwrap();
    let names = |owned: &OwnedDirectory| -> Vec<Option<String>> {
        owned.iter().map(|tensor| tensor.name().map(str::to_owned)).collect()
    };
    let expected = [Some("a"), Some("ab"), Some("c"), Some("d"), None].map(|name| name.map(str::to_owned));
    let owned = builder.to_owned_directory().unwrap();
    assert_eq!(std::thread::scope(|scope| scope.spawn(|| names(&owned)).join().unwrap()), expected);

    fn crosses_threads<T: Send + Sync>() {}
    crosses_threads::<Builder<'_>>();
    crosses_threads::<Directory<'_>>();
    crosses_threads::<OwnedDirectory>();
    crosses_threads::<kiln::tensor::MappedDirectory>();
    crosses_threads::<kiln::tensor::Outline<'_>>();
    crosses_threads::<kiln::tensor::BuildError>();
    crosses_threads::<kiln::tensor::ReadError>();
}

/// A cloned builder goes its own way.
#[test]
fn a_builder_is_a_value() {
    let mut one = Builder::new();
    assert_eq!((one.len(), one.is_empty()), (0, true));
    one.push("a", &[], &[1u8]).unwrap();
    assert_eq!((one.len(), one.is_empty()), (1, false));
    let mut two = one.clone();
    two.push("b", &[], &[2u8]).unwrap();
    one.push("b", &[], &[3u8]).unwrap();
    assert_eq!(one.len(), 2);
    let (first, second) = (one.to_owned_directory().unwrap(), two.to_owned_directory().unwrap());
    assert_ne!(first, second);
    assert_ne!(first, second.as_directory());
    assert_eq!(first, first.as_directory());
    assert_eq!(two.id(1).map(|id| id.index()), Some(1));
    assert_eq!((two.id(2), two.id_of("c"), two.id_of("")), (None, None, None));
    assert_ne!(written(&one), written(&two));
    assert_eq!(
        format!("{two:?}"),
        format!("Builder {{ tensors: 2, encoded_len: {}, .. }}", two.encoded_len())
    );
}
