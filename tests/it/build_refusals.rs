//! Every mistake that a reader would refuse is refused by the builder, with the tensor and what is wrong with
//! it.

use crate::support::{block, random, verdict};
use kiln::tensor::{Bool8, BuildError, Builder, Directory, Dtype, Mistake, OpaqueCode, TensorId};
use random::Random;

/// The mistake, its tensor and its line; and the builder is as it was.
#[track_caller]
fn refused<T: std::fmt::Debug>(
    builder: &mut Builder<'static>,
    push: impl FnOnce(&mut Builder<'static>) -> Result<T, BuildError>,
) -> (usize, Option<String>, Mistake, String) {
    let before = (builder.len(), builder.to_vec());
    let error = push(builder).unwrap_err();
    assert_eq!((builder.len(), builder.to_vec()), before);
    (error.tensor(), error.name().map(str::to_owned), error.mistake(), error.to_string())
}

/// Two tensors that are fine.
fn builder() -> Builder<'static> {
    let mut builder = Builder::new();
    builder.push("a", &[2], &[1.0f32, 2.0]).unwrap();
    builder.push(None, &[1], &[7u8]).unwrap();
    builder
}

#[test]
fn a_name_that_is_taken() {
    let mut builder = builder();
    builder.push("b", &[], &[1u8]).unwrap();
    let (tensor, name, mistake, line) = refused(&mut builder, |builder| builder.push("b", &[], &[1u8]));
    assert_eq!((tensor, name.as_deref(), mistake), (3, Some("b"), Mistake::NameRepeated { first: 2 }));
    assert_eq!(line, "tensor 3 \"b\": tensor 2 has the same name");
    // A refused tensor does not keep its name.
    refused(&mut builder, |builder| builder.push("c", &[2], &[1u8]));
    builder.push("c", &[1], &[1u8]).unwrap();
    // The composed and the decomposed form are two names.
    builder.push("\u{e9}", &[], &[1u8]).unwrap();
    builder.push("e\u{301}", &[], &[1u8]).unwrap();
    // Tensors without a name do not repeat one another.
    builder.push(None, &[], &[1u8]).unwrap();
}

#[test]
fn a_name_of_no_bytes() {
    for name in [Some(""), Some("a").filter(|_| false).or(Some(""))] {
        let (tensor, name, mistake, line) =
            refused(&mut builder(), |builder| builder.push(name, &[], &[1u8]));
        assert_eq!((tensor, name, mistake), (2, None, Mistake::EmptyName));
        assert_eq!(line, "tensor 2: the name is empty; an unnamed tensor is pushed with None");
    }
}

#[test]
fn a_name_is_shown_escaped() {
    let (.., line) = refused(&mut builder(), |builder| builder.push("x\u{202e}\n\"y", &[9], &[1u8]));
    assert_eq!(line, "tensor 2 \"x\\u{202e}\\n\"y\": dtype and shape need 9 bytes, and 1 were given");
}

#[test]
fn a_ninth_dimension() {
    let eight = [1; 8];
    builder().push("b", &eight, &[1u8]).unwrap();
    for rank in [9usize, 255, 256, 1000] {
        let shape = vec![1; rank];
        let (_, _, mistake, line) = refused(&mut builder(), |builder| builder.push("b", &shape, &[1u8]));
        assert_eq!(mistake, Mistake::Rank { rank });
        assert_eq!(line, format!("tensor 2 \"b\": the shape has {rank} dimensions and 8 are allowed"));
        let (_, _, mistake, _) = refused(&mut builder(), |builder| {
            builder.push_opaque("b", OpaqueCode::MIN, "L", 1, &shape, &[1])
        });
        assert_eq!(mistake, Mistake::Rank { rank });
    }
}

#[test]
fn a_shape_beyond_64_bits() {
    for (dtype, shape) in [
        (Dtype::U8, &[1 << 63, 2][..]),
        (Dtype::F32, &[1 << 63, 4]),
        // The count fits and the bytes do not.
        (Dtype::F64, &[1 << 61]),
        (Dtype::F16, &[1 << 32, 1 << 31]),
        (Dtype::I4, &[1 << 63, 2]),
    ] {
        let (_, _, mistake, line) =
            refused(&mut builder(), |builder| builder.push_bytes("b", dtype, shape, &[]));
        assert_eq!(mistake, Mistake::ShapeOverflow);
        assert_eq!(line, "tensor 2 \"b\": the size of the shape overflows 64 bits");
    }
    let opaque = |builder: &mut Builder<'static>| {
        builder.push_opaque("b", OpaqueCode::MIN, "L", 1, &[1 << 63, 2], &[])
    };
    assert_eq!(refused(&mut builder(), opaque).2, Mistake::ShapeOverflow);
    // A zero anywhere makes the size 0.
    for shape in [[1 << 63, 4, 0], [1 << 63, 0, 4], [0, 1 << 63, 4]] {
        builder().push_bytes("b", Dtype::F64, &shape, &[]).unwrap();
        builder().push_opaque("b", OpaqueCode::MIN, "L", 1, &shape, &[]).unwrap();
    }
}

#[test]
fn a_payload_of_another_length() {
    for (dtype, needed) in [(Dtype::F64, 24), (Dtype::Bf16, 6), (Dtype::Bool, 3), (Dtype::E2m1, 2)] {
        for given in (0..30).filter(|&given| given != needed) {
            let bytes = &[0; 30][..given as usize];
            let (_, _, mistake, _) =
                refused(&mut builder(), |builder| builder.push_bytes("b", dtype, &[3], bytes));
            assert_eq!(mistake, Mistake::ByteLen { needed, given });
        }
    }
    let (_, _, mistake, _) = refused(&mut builder(), |builder| builder.push("b", &[], &[1u32, 2]));
    assert_eq!(mistake, Mistake::ByteLen { needed: 4, given: 8 });
    let (_, _, mistake, _) = refused(&mut builder(), |builder| builder.push::<u32>("b", &[2, 3], &[]));
    assert_eq!(mistake, Mistake::ByteLen { needed: 24, given: 0 });
}

#[test]
fn a_bool_byte_above_one() {
    for at in 0..130 {
        for byte in [2u8, 0x80, 0xff] {
            let mut bytes = vec![1; 130];
            bytes[at] = byte;
            let bytes: &'static [u8] = bytes.leak();
            let (_, _, mistake, line) =
                refused(&mut builder(), |builder| builder.push_bytes("b", Dtype::Bool, &[130], bytes));
            assert_eq!(mistake, Mistake::BoolByte { at });
            assert_eq!(line, format!("tensor 2 \"b\": the bool byte at {at} is neither 0 nor 1"));
        }
    }
    let (_, _, mistake, _) =
        refused(&mut builder(), |builder| builder.push("b", &[2], &[Bool8(1), Bool8(2)]));
    assert_eq!(mistake, Mistake::BoolByte { at: 1 });
}

#[test]
fn a_high_nibble_that_no_element_has() {
    for dtype in [Dtype::I4, Dtype::U4, Dtype::E2m1] {
        let (_, _, mistake, line) =
            refused(&mut builder(), |builder| builder.push_bytes("b", dtype, &[3], &[0xff, 0xf0]));
        assert_eq!(mistake, Mistake::HighNibble);
        assert_eq!(line, "tensor 2 \"b\": the unused high nibble of the last byte is not 0");
        builder().push_bytes("b", dtype, &[3], &[0xff, 0x0f]).unwrap();
        builder().push_bytes("b", dtype, &[4], &[0xff, 0xff]).unwrap();
        builder().push_bytes("b", dtype, &[3, 0], &[]).unwrap();
    }
}

#[test]
fn opaque_rules() {
    let dtype = Dtype::Opaque(OpaqueCode::MIN);
    let (_, _, mistake, line) = refused(&mut builder(), |builder| builder.push_bytes("b", dtype, &[1], &[1]));
    assert_eq!(mistake, Mistake::OpaqueDtype);
    assert_eq!(line, "tensor 2 \"b\": an opaque tensor needs a layout and is pushed with one");

    let push = |layout, block_size, bytes| {
        refused(&mut builder(), |builder| {
            builder.push_opaque("b", OpaqueCode::MIN, layout, block_size, &[5], bytes)
        })
    };
    let (_, _, mistake, line) = push("", 18, &[0; 18]);
    assert_eq!((mistake, &*line), (Mistake::EmptyLayout, "tensor 2 \"b\": the layout name is empty"));
    let (_, _, mistake, line) = push("L", 0, &[]);
    assert_eq!((mistake, &*line), (Mistake::EmptyBlock, "tensor 2 \"b\": the block size is 0"));
    let (_, _, mistake, line) = push("L", 18, &[0; 35]);
    assert_eq!(mistake, Mistake::PartialBlock { block_size: 18, given: 35 });
    assert_eq!(line, "tensor 2 \"b\": 35 bytes are no multiple of the block size 18");
    for blocks in 0..3 {
        let bytes = &[0; 36][..18 * blocks];
        builder().push_opaque("b", OpaqueCode::MIN, "L", 18, &[5], bytes).unwrap();
    }
}

#[test]
fn link_rules() {
    let mut builder = Builder::new();
    let data = builder.push("data", &[4, 6], &[0u8; 24]).unwrap();
    let scale = builder.push("scale", &[4, 2], &[0f32; 8]).unwrap();
    let one = builder.push("one", &[1], &[0f32]).unwrap();
    let half = builder.push("half", &[], &[half::f16::ONE]).unwrap();
    let opaque = builder.push_opaque("opaque", OpaqueCode::MIN, "L", 1, &[8], &[0; 8]).unwrap();
    let scalar = builder.push("scalar", &[], &[0u8]).unwrap();
    let empty = builder.push("empty", &[3, 0], &[0u8; 0]).unwrap();
    let none = builder.push("none", &[0], &[0f32; 0]).unwrap();
    let foreign = {
        let mut other = Builder::new();
        for _ in 0..20 {
            other.push(None, &[0], &[0u8; 0]).unwrap();
        }
        other.push(None, &[0], &[0u8; 0]).unwrap()
    };

    let mut link = |tensor: TensorId, axis, group, scale, outer| {
        let (index, name, mistake, line) =
            refused(&mut builder, |builder| builder.quantize(tensor, axis, group, scale, outer));
        if tensor == foreign {
            assert_eq!((index, name), (20, None));
        } else {
            assert_eq!(index, tensor.index());
            assert!(line.starts_with(&format!("tensor {index} \"{}\": ", name.unwrap())));
        }
        mistake
    };
    assert_eq!(link(foreign, 0, 1, scale, None), Mistake::UnknownTensor);
    assert_eq!(link(opaque, 0, 1, scale, None), Mistake::OpaqueLinked);
    assert_eq!(link(data, 2, 3, scale, None), Mistake::Axis { axis: 2, rank: 2 });
    assert_eq!(link(data, 256, 3, scale, None), Mistake::Axis { axis: 256, rank: 2 });
    assert_eq!(link(data, 257, 3, scale, None), Mistake::Axis { axis: 257, rank: 2 });
    assert_eq!(link(scalar, 0, 1, one, None), Mistake::Axis { axis: 0, rank: 0 });
    assert_eq!(link(data, 1, 0, scale, None), Mistake::EmptyGroup);
    let wrong = |scale: TensorId, groups| Mistake::Scale { scale: scale.index(), groups };
    assert_eq!(link(data, 1, 3, foreign, None), wrong(foreign, 8));
    assert_eq!(link(data, 1, 3, data, None), wrong(data, 8));
    assert_eq!(link(data, 1, 3, opaque, None), wrong(opaque, 8));
    assert_eq!(link(data, 1, 3, one, None), wrong(one, 8));
    assert_eq!(link(data, 1, 2, scale, None), wrong(scale, 12));
    assert_eq!(link(data, 0, 3, scale, None), wrong(scale, 12));
    assert_eq!(link(empty, 0, 3, scale, None), wrong(scale, 0));
    let wrong = |outer: TensorId| Mistake::Outer { outer: outer.index() };
    for outer in [foreign, data, scale, half, opaque, scalar, none] {
        assert_eq!(link(data, 1, 3, scale, Some(outer)), wrong(outer));
    }

    builder.quantize(data, 1, 3, scale, Some(one)).unwrap();
    builder.quantize(empty, 0, 3, none, None).unwrap();
    // No chains: neither from a tensor that is linked to, nor to one that is linked.
    let mut link = |tensor, axis, group, scale| {
        refused(&mut builder, |builder| builder.quantize(tensor, axis, group, scale, None)).2
    };
    assert_eq!(link(scale, 0, 4, half), Mistake::Scale { scale: 3, groups: 2 });
    assert_eq!(link(one, 0, 1, half), Mistake::LinkedTo);
    assert_eq!(link(none, 0, 1, empty), Mistake::Scale { scale: empty.index(), groups: 0 });
    let block = builder.to_vec().unwrap();
    let directory = Directory::read(&block).unwrap();
    assert_eq!(directory.get(0).unwrap().quantization().unwrap().outer.unwrap().name(), Some("one"));
}

/// A tensor such as a careless program might write: mostly right.
fn tensor(random: &mut Random, count: usize) -> block::Tensor {
    let codes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 13, 14, 15, 16, 17, 18, 19, 4096, 32767];
    let dtype = codes[random.below(codes.len())];
    let rank = if random.below(30) == 0 { 9 } else { random.below(4) };
    let dims: Vec<u64> = (0..rank)
        .map(|_| if random.below(60) == 0 { 1 << (20 + random.below(44)) } else { random.below(5) as u64 })
        .collect();
    let opaque = dtype >= 4096;
    let block_size = if opaque { random.below(5) as u32 } else { 0 };
    let elements =
        dims.iter().try_fold(1u64, |product, &dim| product.checked_mul(dim)).unwrap_or(0).min(1 << 10);
    let bits = [64, 32, 16, 16, 64, 32, 16, 8, 64, 32, 16, 8, 8, 4, 4, 8, 8, 4, 8];
    let needed = match bits.get(usize::from(dtype) - 1) {
        Some(bits) => (elements * bits).div_ceil(8),
        None => u64::from(block_size) * random.below(4) as u64,
    };
    let len = needed as usize + usize::from(random.below(40) == 0);
    let payload = (0..len)
        .map(|at| match dtype {
            13 => u8::from(random.below(2) == 0) + u8::from(random.below(200) == 0),
            14 | 15 | 18 if at + 1 == len && random.below(8) > 0 => random.byte() & 0x0f,
            _ => random.byte(),
        })
        .collect();
    let name = match random.below(4) {
        0 => String::new(),
        _ => ["w", "b", "été", "層", "x.y"][random.below(5)].repeat(1 + random.below(3)),
    };
    let linked = random.below(3) == 0;
    block::Tensor {
        name: name.into_bytes(),
        dtype,
        dims,
        payload,
        layout: if opaque && random.below(20) > 0 { b"Q".to_vec() } else { Vec::new() },
        block_size,
        link: if linked {
            let outer = random.below(count) as u32;
            let scheme = 1 + random.below(2) as u8;
            let (axis, group) = (random.below(3) as u8, random.below(4) as u32);
            (scheme, axis, group, random.below(count) as u32, if scheme == 2 { outer } else { 0 })
        } else {
            (0, 0, 0, 0, 0)
        },
    }
}

/// What the builder says of the same tensors.
fn built(tensors: &[block::Tensor]) -> Result<Vec<u8>, BuildError> {
    let mut builder = Builder::new();
    for tensor in tensors {
        let name = std::str::from_utf8(&tensor.name).ok().filter(|name| !name.is_empty());
        match Dtype::from_code(tensor.dtype).unwrap() {
            Dtype::Opaque(code) => {
                let layout = std::str::from_utf8(&tensor.layout).unwrap();
                builder.push_opaque(name, code, layout, tensor.block_size, &tensor.dims, &tensor.payload)?
            }
            closed => builder.push_bytes(name, closed, &tensor.dims, &tensor.payload)?,
        };
    }
    for (index, tensor) in tensors.iter().enumerate() {
        let (scheme, axis, group, scale, outer) = tensor.link;
        let id = |index: u32| builder.id(index as usize).unwrap();
        let (tensor, scale) = (id(index as u32), id(scale));
        let outer = (scheme == 2).then(|| id(outer));
        if scheme > 0 {
            builder.quantize(tensor, axis.into(), group, scale, outer)?;
        }
    }
    Ok(builder.to_vec().unwrap())
}

/// The same tensors, written without a check by the layout of the specification, are accepted by a reader
/// exactly when the builder takes them, and then the bytes are the same.
#[test]
fn the_builder_takes_what_a_reader_accepts_and_nothing_else() {
    let mut random = Random::new(7);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..if cfg!(target_arch = "x86_64") { 6_000 } else { 1_000 } {
        let count = 1 + random.below(4);
        let tensors: Vec<_> = (0..count).map(|_| tensor(&mut random, count)).collect();
        let written = if tensors.iter().all(|tensor| tensor.dims.len() <= 8) {
            let block = block::block(&tensors);
            verdict::standalone(&block, &kiln::Limits::DEFAULT).is_ok().then_some(block)
        } else {
            // There is no room in a descriptor.
            None
        };
        match (built(&tensors), written) {
            (Ok(built), Some(written)) => {
                assert_eq!(built, written);
                taken += 1;
            }
            (Err(_), None) => refused += 1,
            (built, written) => panic!("{built:?} against {}", written.is_some()),
        }
    }
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
}
