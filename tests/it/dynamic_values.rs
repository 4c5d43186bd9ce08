//! Values driven by a type that is known at run time. Chapter: Dynamic values.

use half::{bf16, f16};
use kiln::dynamic::{self, FramedError, Problem, Step, Value};
use kiln::schema::{Scalar, Type, TypeBuilder, TypeError};
use kiln::{Code, EncodeError, Limits, Reason};

fn parse(text: &str) -> Type {
    Type::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Runs on a stack of 64 KiB: what needs more for 64 containers does not come back.
fn on_a_small_stack(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 10).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic");
    });
}

/// Decodes, checks, and encodes to the same bytes again, bare and framed.
fn round_trip(text: &str, bytes: &[u8]) -> Value {
    let ty = parse(text);
    let value = dynamic::decode(&ty, bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
    dynamic::check(&ty, bytes).unwrap();
    assert_eq!(dynamic::encoded_len(&ty, &value), Ok(bytes.len()));
    assert_eq!(dynamic::encode(&ty, &value).as_deref(), Ok(bytes));
    let framed = dynamic::encode_framed(&ty, &value).unwrap();
    assert_eq!(framed[..16], kiln::frame::header(ty.hash().unwrap()));
    assert_eq!(framed[16..], *bytes);
    assert_eq!(dynamic::decode_framed(&ty, &framed), Ok(value.clone()));
    assert_eq!(dynamic::check_framed(&ty, &framed), Ok(()));
    let followed = [bytes, &[0xee]].concat();
    assert_eq!(dynamic::from_prefix(&ty, &followed), Ok((value.clone(), &[0xee][..])));
    let error = dynamic::decode(&ty, &followed).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::Trailing, bytes.len() as u64));
    assert_eq!(dynamic::check(&ty, &followed), Err(error));
    value
}

/// Refuses, alike in decoding and in checking, and gives the line with names.
fn refusal(text: &str, bytes: &[u8], limits: &Limits) -> String {
    let ty = parse(text);
    let error = dynamic::decode_with(&ty, bytes, limits).expect_err(text);
    assert_eq!(dynamic::check_with(&ty, bytes, limits), Err(error));
    assert_eq!(dynamic::from_prefix_with(&ty, bytes, limits), Err(error));
    ty.describe(&error, bytes).to_string()
}

#[test]
fn every_scalar_keeps_its_bits() {
    for (text, bytes, value) in [
        ("bool", &[1][..], Value::Bool(true)),
        ("u8", &[0xff], Value::U8(255)),
        ("u16", &[1, 2], Value::U16(0x0201)),
        ("u32", &[1, 2, 3, 4], Value::U32(0x0403_0201)),
        ("u64", &[0xff; 8], Value::U64(u64::MAX)),
        ("i8", &[0x80], Value::I8(-128)),
        ("i16", &[0xfc, 0xff], Value::I16(-4)),
        ("i32", &[0xfc, 0xff, 0xff, 0xff], Value::I32(-4)),
        ("i64", &[0, 0, 0, 0, 0, 0, 0, 0x80], Value::I64(i64::MIN)),
        ("f16", &[1, 0x7c], Value::F16(f16::from_bits(0x7c01))),
        ("bf16", &[0x81, 0xff], Value::Bf16(bf16::from_bits(0xff81))),
        ("f32", &[1, 0, 0x80, 0x7f], Value::F32(f32::from_bits(0x7f80_0001))),
        ("f64", &[0, 0, 0, 0, 0, 0, 0, 0x80], Value::F64(-0.0)),
        ("str", &[2, 0, 0, 0, 0xc3, 0xa9], Value::Str("é".into())),
        ("bytes", &[2, 0, 0, 0, 0xff, 0], Value::Bytes(vec![0xff, 0])),
    ] {
        assert_eq!(round_trip(text, bytes), value);
        assert_eq!(value.kind(), text);
    }
}

#[test]
fn values_are_equal_when_their_bits_are() {
    let nan = |bits| Value::F32(f32::from_bits(bits));
    assert_eq!(nan(0x7fc0_0000), nan(0x7fc0_0000));
    assert_ne!(nan(0x7fc0_0000), nan(0x7fc0_0001));
    assert_ne!(Value::F64(0.0), Value::F64(-0.0));
    assert_ne!(Value::F16(f16::from_f32(0.0)), Value::F16(f16::from_f32(-0.0)));
    assert_ne!(Value::Bf16(bf16::from_f32(0.0)), Value::Bf16(bf16::from_f32(-0.0)));
    assert_ne!(Value::U8(1), Value::I8(1));
    assert_ne!(Value::List(vec![]), Value::Struct(vec![]));
    assert_ne!(Value::some(Value::U8(0)), Value::Optional(None));
    assert_eq!(Value::Dict(vec![("a".into(), nan(1))]), Value::Dict(vec![("a".into(), nan(1))]));
}

#[test]
fn every_container_round_trips() {
    let value = round_trip("list{list{u8}}", &[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7]);
    assert_eq!(value, Value::List(vec![Value::List(vec![]), Value::List(vec![Value::U8(7)])]));
    let value = round_trip("optional{optional{u8}}", &[1, 0]);
    assert_eq!(value, Value::some(Value::Optional(None)));
    let value = round_trip("dict{u8}", &[2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, b'a', 2]);
    assert_eq!(value, Value::dict([("a".into(), Value::U8(2)), (String::new(), Value::U8(1))]));
    let value = round_trip("struct{a:struct{},b:struct{c:bool,},d:list{bool},}", &[0, 1, 0, 0, 0, 1]);
    assert_eq!(
        value,
        Value::Struct(vec![
            Value::Struct(vec![]),
            Value::Struct(vec![Value::Bool(false)]),
            Value::List(vec![Value::Bool(true)]),
        ])
    );
    let value = round_trip("list{optional{struct{}}}", &[2, 0, 0, 0, 1, 0]);
    assert_eq!(value, Value::List(vec![Value::some(Value::Struct(vec![])), Value::Optional(None)]));
    // Byte order, not the order of UTF-16 units.
    round_trip("dict{bool}", "\x02\0\0\0\x03\0\0\0\u{ffff}\x01\x04\0\0\0\u{10000}\0".as_bytes());
}

#[test]
fn a_refusal_names_the_way_to_the_fault() {
    let record = "struct{field:struct{list:list{struct{id:u8,name:str,}},},}";
    let mut bytes = vec![4, 0, 0, 0];
    for id in 0..4 {
        bytes.extend([id, 2, 0, 0, 0, b'o', b'k']);
    }
    round_trip(record, &bytes);
    bytes[31] = 0xff;
    assert_eq!(
        refusal(record, &bytes, &Limits::DEFAULT),
        "UTF8 at byte 31 (0x1f), in field.list[3].name: a text is not UTF-8"
    );
    bytes.truncate(31);
    assert_eq!(
        refusal(record, &bytes, &Limits::DEFAULT),
        "EOF at byte 30 (0x1e), in field.list[3].name: the bytes end inside the value (2 needed, 1 left)"
    );
    bytes.truncate(23);
    assert_eq!(
        refusal(record, &bytes, &Limits::DEFAULT),
        "EOF at byte 0 (0x0), in field.list: the bytes left cannot hold that many elements (4 need at least 20 bytes, 19 left)"
    );

    let dict = "struct{scores:dict{optional{bool}},}";
    let bytes = [2, 0, 0, 0, 2, 0, 0, 0, b'\n', b'b', 1, 1, 1, 0, 0, 0, b'c', 1, 2];
    assert_eq!(
        refusal(dict, &bytes, &Limits::DEFAULT),
        "TYPE at byte 18 (0x12), in scores[\"c\"]: a bool byte is neither 0 nor 1 (found 2)"
    );
    let bytes = [2, 0, 0, 0, 2, 0, 0, 0, b'\n', b'b', 1, 2];
    assert_eq!(
        refusal(dict, &bytes, &Limits::DEFAULT),
        "EOF at byte 0 (0x0), in scores: the bytes left cannot hold that many elements (2 need at least 10 bytes, 8 left)"
    );
    let bytes = [1, 0, 0, 0, 2, 0, 0, 0, b'\n', b'b', 1, 2];
    assert_eq!(
        refusal(dict, &bytes, &Limits::DEFAULT),
        "TYPE at byte 11 (0xb), in scores[\"\\nb\"]: a bool byte is neither 0 nor 1 (found 2)"
    );
    let bytes = [2, 0, 0, 0, 1, 0, 0, 0, b'b', 0, 1, 0, 0, 0, b'a', 0];
    assert_eq!(
        refusal(dict, &bytes, &Limits::DEFAULT),
        "TYPE at byte 10 (0xa), in scores{1}: a dict key is not above the key before it"
    );
    assert_eq!(
        refusal("struct{a:u8,b\u{202e}:bool,}", &[1, 2], &Limits::DEFAULT),
        "TYPE at byte 1 (0x1), in b\\u{202e}: a bool byte is neither 0 nor 1 (found 2)"
    );
    assert_eq!(
        refusal("struct{a:optional{u8},}", &[2], &Limits::DEFAULT),
        "TYPE at byte 0 (0x0), in a: a presence byte is neither 0 nor 1 (found 2)"
    );
    let limits = Limits::DEFAULT.with_bytes(3);
    assert_eq!(
        refusal("struct{a:u8,b:bytes,}", &[0, 4, 0, 0, 0, 1, 2, 3, 4], &limits),
        "LIMIT at byte 1 (0x1), in b: the length is above the cap (4, allowed 3)"
    );
}

#[test]
fn the_line_of_an_error_behind_a_frame_counts_the_frame() {
    let ty = parse("struct{a:u8,b:bool,}");
    let mut bytes = kiln::frame::header(ty.hash().unwrap()).to_vec();
    bytes.extend([7, 2]);
    let Err(FramedError::Rejected(error)) = dynamic::decode_framed(&ty, &bytes) else { panic!("accepted") };
    assert_eq!(dynamic::check_framed(&ty, &bytes), Err(FramedError::Rejected(error)));
    let line = "TYPE at byte 17 (0x11), in b: a bool byte is neither 0 nor 1 (found 2)";
    assert_eq!(ty.describe(&error, &bytes).to_string(), line);
    assert_eq!(FramedError::Rejected(error).to_string(), line.replace("in b", "in 1"));
}

#[test]
fn a_frame_is_checked_before_the_value() {
    let (ty, other) = (parse("u16"), parse("i16"));
    let bytes = dynamic::encode_framed(&ty, &Value::U16(7)).unwrap();
    let code = |ty: &Type, bytes: &[u8]| match dynamic::decode_framed(ty, bytes) {
        Err(FramedError::Rejected(error)) => (error.code(), error.offset()),
        other => panic!("{other:?}"),
    };
    assert_eq!(code(&other, &bytes), (Code::Schema, 8));
    assert_eq!(code(&ty, &bytes[..15]), (Code::Eof, 0));
    assert_eq!(code(&ty, &bytes[..17]), (Code::Eof, 16));
    assert_eq!(code(&ty, &[&bytes[..], &[0]].concat()), (Code::Trailing, 18));
    assert_eq!(code(&ty, &bytes[2..]), (Code::Frame, 0));
}

/// `struct{value:u8,next:optional{…},}`
fn linked() -> Type {
    let mut types = TypeBuilder::new();
    let node = types.declare();
    let value = types.scalar(Scalar::U8);
    let next = types.optional(node);
    let body = types.structure([("value", value), ("next", next)]);
    types.define(node, body);
    types.finish(node).unwrap()
}

#[test]
fn a_recursive_type_goes_bare_and_to_depth_64() {
    on_a_small_stack(|| {
        let ty = linked();
        // A node is two containers: itself, and the optional that says whether another follows.
        let chain = |nodes: usize| {
            let mut bytes = [7, 1].repeat(nodes);
            bytes[2 * nodes - 1] = 0;
            bytes
        };
        let bytes = chain(32);
        let value = dynamic::decode(&ty, &bytes).unwrap();
        assert_eq!(dynamic::encode(&ty, &value), Ok(bytes));
        let bytes = chain(33);
        let error = dynamic::decode(&ty, &bytes).unwrap_err();
        assert_eq!((error.code(), error.reason(), error.offset()), (Code::Limit, Reason::Depth, 64));
        assert_eq!(dynamic::check(&ty, &bytes), Err(error));

        let deeper = Value::Struct(vec![Value::U8(7), Value::some(value)]);
        let error = dynamic::encode(&ty, &deeper).unwrap_err();
        assert_eq!(*error.problem(), Problem::Encode(EncodeError::TooDeep));
        assert_eq!(error.path(), vec![Step::Field("next".into()); 32]);

        assert_eq!(dynamic::decode_framed(&ty, &chain(1)), Err(FramedError::Type(TypeError::Recursive)));
        assert_eq!(dynamic::check_framed(&ty, &chain(1)), Err(FramedError::Type(TypeError::Recursive)));
        let error = dynamic::encode_framed(&ty, &deeper).unwrap_err();
        assert_eq!(*error.problem(), Problem::Type(TypeError::Recursive));
        assert_eq!(error.to_string(), "a type that contains itself has no type text, hash or frame");
    });
}

/// A type that nests one kind of container `depth` times around a `u8`, and bytes that go all the way down.
fn nest(kind: &str, depth: usize) -> (Type, Vec<u8>) {
    let (open, close, bytes) = match kind {
        "list" => ("list{", "}", vec![1, 0, 0, 0]),
        "optional" => ("optional{", "}", vec![1]),
        "dict" => ("dict{", "}", vec![1, 0, 0, 0, 1, 0, 0, 0, b'k']),
        _ => ("struct{a:", ",}", vec![]),
    };
    let text = open.repeat(depth) + "u8" + &close.repeat(depth);
    (parse(&text), [bytes.repeat(depth), vec![7]].concat())
}

#[test]
fn sixty_four_containers_pass_and_the_sixty_fifth_is_a_depth_error() {
    for kind in ["list", "optional", "dict", "struct"] {
        on_a_small_stack(|| {
            let (ty, bytes) = nest(kind, 64);
            let value = dynamic::decode(&ty, &bytes).unwrap();
            assert_eq!(dynamic::check(&ty, &bytes), Ok(()));
            assert_eq!(dynamic::encode(&ty, &value).as_ref(), Ok(&bytes));
            // The innermost value is refused with the whole way to it.
            let short = &bytes[..bytes.len() - 1];
            let error = dynamic::decode(&ty, short).unwrap_err();
            assert_eq!(error.code(), Code::Eof);
            assert!(ty.describe(&error, short).to_string().starts_with("EOF at byte "));

            for depth in [65, 66, 1000] {
                let (ty, bytes) = nest(kind, depth);
                let error = dynamic::decode(&ty, &bytes).unwrap_err();
                let first = bytes.len() - 1 - (bytes.len() - 1) / depth * (depth - 64);
                assert_eq!((error.reason(), error.offset()), (Reason::Depth, first as u64), "{kind} {depth}");
                assert_eq!(dynamic::check(&ty, &bytes), Err(error));
                // Before its first byte is looked at, whether it is there or not.
                let error = dynamic::decode(&ty, &bytes[..first]).unwrap_err();
                match kind {
                    "list" | "dict" => assert_eq!(error.reason(), Reason::CountShort),
                    _ => assert_eq!((error.reason(), error.offset()), (Reason::Depth, first as u64)),
                }
                let wrap = |inner| match kind {
                    "list" => Value::List(vec![inner]),
                    "optional" => Value::some(inner),
                    "dict" => Value::dict([("k".into(), inner)]),
                    _ => Value::Struct(vec![inner]),
                };
                // A value by hand may be as deep as one likes, but a box around a box is dropped by recursion.
                let deep = (0..depth.min(80)).fold(Value::U8(7), |inner, _| wrap(inner));
                let error = dynamic::encode(&ty, &deep).unwrap_err();
                assert_eq!(*error.problem(), Problem::Encode(EncodeError::TooDeep));
            }
        });
    }
}

#[test]
fn only_containers_that_occur_count_for_the_depth() {
    let (ty, _) = nest("optional", 1000);
    let mut bytes = [1u8].repeat(63);
    bytes.push(0);
    let value = dynamic::decode(&ty, &bytes).unwrap();
    assert_eq!(dynamic::encode(&ty, &value), Ok(bytes));
    let (ty, _) = nest("list", 1000);
    assert_eq!(dynamic::decode(&ty, &[0; 4]), Ok(Value::List(vec![])));
}

#[test]
fn a_type_nested_a_million_deep_decodes_to_a_depth_error() {
    on_a_small_stack(|| {
        let (ty, _) = nest("struct", 1_000_000);
        let error = dynamic::decode(&ty, &[7]).unwrap_err();
        assert_eq!((error.reason(), error.offset()), (Reason::Depth, 0));
        assert!(ty.describe(&error, &[7]).to_string().starts_with("LIMIT at byte 0 (0x0), in a.a.a."));
    });
}

#[test]
fn a_value_of_another_type_is_refused_with_the_way_to_it() {
    let mistake = |text: &str, value: Value| {
        let mut out = vec![1, 2, 3];
        let error = dynamic::encode_into(&parse(text), &value, &mut out).unwrap_err();
        assert_eq!(out, [1, 2, 3]);
        assert_eq!(dynamic::encode(&parse(text), &value).as_ref(), Err(&error));
        assert_eq!(dynamic::encode_framed(&parse(text), &value).as_ref(), Err(&error));
        error.to_string()
    };
    assert_eq!(mistake("u8", Value::U16(1)), "expected u8, found u16");
    assert_eq!(mistake("str", Value::Bytes(vec![])), "expected str, found bytes");
    assert_eq!(mistake("bytes", "a".into()), "expected bytes, found str");
    assert_eq!(mistake("list{u8}", Value::Bytes(vec![])), "expected list, found bytes");
    assert_eq!(mistake("optional{u8}", Value::U8(1)), "expected optional, found u8");
    assert_eq!(mistake("struct{a:u8,}", Value::List(vec![])), "expected struct, found list");
    assert_eq!(mistake("tensors", Value::Bytes(vec![])), "expected tensors, found bytes");
    assert_eq!(
        mistake("struct{a:u8,b:u8,}", Value::Struct(vec![Value::U8(1)])),
        "expected a struct of 2 fields, found one of 1"
    );
    let inner = Value::Struct(vec![Value::U8(1), Value::some(Value::Bool(true))]);
    let dict = Value::dict([("a".into(), Value::List(vec![])), ("\n".into(), Value::List(vec![inner]))]);
    assert_eq!(
        mistake(
            "struct{name:str,entries:dict{list{struct{id:u8,\u{202e}:optional{u8},}}},}",
            Value::Struct(vec!["n".into(), dict])
        ),
        "in entries[\"\\n\"][0].\\u{202e}: expected u8, found bool"
    );
    let twice =
        Value::dict([("b".into(), Value::U8(1)), ("a".into(), Value::U8(2)), ("b".into(), Value::U8(3))]);
    assert_eq!(mistake("dict{u8}", twice), "in [\"b\"]: the key is not above the key before it");
    let unsorted = Value::Dict(vec![("b".into(), Value::U8(1)), ("a".into(), Value::U8(2))]);
    assert_eq!(mistake("dict{u8}", unsorted), "in [\"a\"]: the key is not above the key before it");
}

#[test]
fn caps_are_those_of_the_limits() {
    let bytes = [2, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0, 0];
    let text = "list{str}";
    round_trip(text, &bytes);
    assert!(dynamic::decode_with(&parse(text), &bytes, &Limits::NONE).is_ok());
    let limits = Limits::DEFAULT.with_count(1);
    assert_eq!(
        refusal(text, &bytes, &limits),
        "LIMIT at byte 0 (0x0): the count is above the cap (2, allowed 1)"
    );
    let limits = Limits::DEFAULT.with_bytes(0);
    assert_eq!(
        refusal(text, &bytes, &limits),
        "LIMIT at byte 4 (0x4), in [0]: the length is above the cap (1, allowed 0)"
    );
}

fn golden(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/golden").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_directory_is_a_value_like_others() {
    let value = round_trip("struct{id:i64,batch:tensors,tail:str,}", &golden("in-struct.kiln"));
    let Value::Struct(fields) = value else { panic!("not a struct") };
    let [Value::I64(_), Value::Tensors(batch), Value::Str(_)] = &fields[..] else { panic!("{fields:?}") };
    let directory = kiln::tensor::OwnedDirectory::read(batch.as_bytes()).unwrap();
    assert_eq!(fields[1], directory.into());
    assert_ne!(fields[1], kiln::tensor::OwnedDirectory::default().into());
    assert_eq!(fields[1].kind(), "tensors");

    // Left-over bytes are the twelfth step where the directory is the whole value, and no step where it is not.
    let block = golden("tensors.kiln");
    for (text, start, step) in
        [("tensors", 0, Some(12)), ("struct{a:tensors,}", 0, None), ("tensors", 16, Some(12))]
    {
        let ty = parse(text);
        let frame = kiln::frame::header(ty.hash().unwrap());
        let bytes = [&frame[..start], &block[..], &[7]].concat();
        let error = match start {
            0 => dynamic::check(&ty, &bytes).unwrap_err(),
            _ => match dynamic::check_framed(&ty, &bytes) {
                Err(FramedError::Rejected(error)) => error,
                other => panic!("{other:?}"),
            },
        };
        let end = (start + block.len()) as u64;
        assert_eq!((error.code(), error.step(), error.offset()), (Code::Trailing, step, end), "{text}");
    }
}

#[test]
fn a_fault_in_a_directory_names_the_field_and_the_tensor() {
    let mut bytes = vec![1, 0, 0, 0];
    bytes.extend(golden("tensors.kiln"));
    let text = "struct{batches:list{struct{block:tensors,}},}";
    round_trip(text, &bytes);
    let name = {
        let (directory, rest) = kiln::tensor::Directory::read_embedded(&bytes[4..]).unwrap();
        assert!(rest.is_empty());
        directory.get(0).unwrap().name().unwrap().to_owned()
    };
    bytes[4 + 66] = 9;
    assert_eq!(
        refusal(text, &bytes, &Limits::DEFAULT),
        format!(
            "TYPE at byte 70 (0x46), step 9, in batches[0].block, tensor 0 \"{name}\": the rank is above 8 (found 9)"
        )
    );
}

#[test]
fn a_directory_is_a_container() {
    on_a_small_stack(|| {
        let block = golden("empty.kiln");
        for depth in [64, 65] {
            let text = "optional{".repeat(depth - 1) + "tensors" + &"}".repeat(depth - 1);
            let ty = parse(&text);
            let mut bytes = vec![1; depth - 1];
            bytes.extend(&block);
            let directory = Value::from(kiln::tensor::OwnedDirectory::default());
            let value = (1..depth).fold(directory, |inner, _| Value::some(inner));
            if depth == 64 {
                assert_eq!(dynamic::decode(&ty, &bytes), Ok(value.clone()));
                assert_eq!(dynamic::encode(&ty, &value), Ok(bytes));
                continue;
            }
            // The depth comes before the first step, so also where no byte of the directory is there.
            for len in [64, 65, bytes.len()] {
                let error = dynamic::decode(&ty, &bytes[..len]).unwrap_err();
                assert_eq!((error.reason(), error.offset(), error.step()), (Reason::Depth, 64, None));
                assert_eq!(dynamic::check(&ty, &bytes[..len]), Err(error));
            }
            let error = dynamic::encode(&ty, &value).unwrap_err();
            assert_eq!(*error.problem(), Problem::Encode(EncodeError::TooDeep));
        }
    });
}
