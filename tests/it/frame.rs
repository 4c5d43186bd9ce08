//! A frame and its value, through every function that takes them.

use kiln::{Code, EncodeError, Frozen, Limits, frame};

#[derive(Frozen, Debug, Default, PartialEq)]
struct Order {
    id: u16,
    note: String,
}

fn order() -> Order {
    Order { id: 0x0102, note: "to go".into() }
}

/// The sixteen bytes by the chapter, then the value's own.
fn expected() -> Vec<u8> {
    let mut bytes = b"KLN0\0\0\x01\0".to_vec();
    bytes.extend(kiln::schema_hash::<Order>().to_le_bytes());
    bytes.extend(b"\x02\x01\x05\0\0\0to go");
    bytes
}

#[test]
fn every_writer_puts_the_frame_before_the_value() {
    let (order, expected) = (order(), expected());
    assert_eq!(frame::encoded_len(&order), Ok(27));
    assert_eq!(frame::to_vec(&order).as_ref(), Ok(&expected));

    let mut out = vec![7];
    frame::encode_into(&order, &mut out).unwrap();
    assert_eq!(out, [&[7], &expected[..]].concat());

    let mut slice = [0xee; 30];
    assert_eq!(frame::encode_to_slice(&order, &mut slice), Ok(27));
    assert_eq!(slice[..27], expected);
    assert_eq!(slice[27..], [0xee; 3]);
    let short = frame::encode_to_slice(&order, &mut slice[..26]).unwrap_err();
    assert!(matches!(short, EncodeError::SliceTooShort { .. }), "{short}");

    let mut stream = Vec::new();
    assert_eq!(frame::write_to(&order, &mut stream).unwrap(), 27);
    assert_eq!(stream, expected);
}

#[test]
fn every_reader_takes_the_frame_and_the_value() {
    let bytes = expected();
    assert_eq!(frame::from_slice::<Order>(&bytes), Ok(order()));
    assert_eq!(frame::validate::<Order>(&bytes), Ok(()));
    let mut place = Order::default();
    frame::decode_into(&bytes, &mut place).unwrap();
    assert_eq!(place, order());

    let more = [&bytes[..], b"rest"].concat();
    assert_eq!(frame::from_prefix::<Order>(&more), Ok((order(), &b"rest"[..])));
    assert_eq!(frame::from_slice::<Order>(&more).unwrap_err().code(), Code::Trailing);
}

#[test]
fn every_reader_refuses_a_frame_and_a_value_alike() {
    let none = Limits::DEFAULT.with_owned(0);
    let damages: [(usize, u8, Code); 6] = [
        (0, b'k', Code::Frame),
        (4, 1, Code::Frame),
        (6, 0, Code::Frame),
        (7, 1, Code::Frame),
        (8, !expected()[8], Code::Schema),
        (22, 0xff, Code::Utf8),
    ];
    for (at, byte, code) in damages {
        let mut bytes = expected();
        bytes[at] = byte;
        let mut place = Order::default();
        let errors = [
            frame::from_slice::<Order>(&bytes).unwrap_err(),
            frame::from_prefix::<Order>(&bytes).unwrap_err(),
            frame::validate::<Order>(&bytes).unwrap_err(),
            frame::decode_into(&bytes, &mut place).unwrap_err(),
        ];
        for error in errors {
            assert_eq!((error.code(), error.offset()), (code, at as u64), "{error}");
        }
    }
    // A limit reaches the value, whose text is owned.
    let bytes = expected();
    let mut place = Order::default();
    assert_eq!(frame::from_slice_with::<Order>(&bytes, &none).unwrap_err().code(), Code::Limit);
    assert_eq!(frame::from_prefix_with::<Order>(&bytes, &none).unwrap_err().code(), Code::Limit);
    assert_eq!(frame::decode_into_with(&bytes, &mut place, &none).unwrap_err().code(), Code::Limit);
}

#[test]
fn a_frame_that_is_cut_says_how_much_there_is() {
    let bytes = expected();
    for len in 0..frame::LEN {
        let error = frame::peek(&bytes[..len]).unwrap_err();
        assert_eq!((error.code(), error.offset()), (Code::Eof, 0), "{len}");
        assert!(error.to_string().contains(&format!("{len}")), "{error}");
    }
    assert_eq!(frame::peek(&bytes), Ok(kiln::schema_hash::<Order>()));
    assert_eq!(frame::expect(&bytes, 1).unwrap_err().offset(), 8);
}
