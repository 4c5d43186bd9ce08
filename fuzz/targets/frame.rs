//! Any bytes as a framed value: the answer is that of the chapter Frame, read literally, and then that of the value.

use kiln::dynamic::{self, FramedError};
use kiln::schema::Type;
use kiln::{Code, Frozen, Limits, frame};

#[derive(Frozen, PartialEq, Debug)]
struct Reading {
    id: u32,
    label: String,
    on: Option<bool>,
}

/// Checks the input; panics where two answers differ. The last byte says whether the frame is given what it needs.
pub(crate) fn run(input: &[u8]) {
    let Some((&manner, bytes)) = input.split_last() else { return };
    let mut bytes = bytes.to_vec();
    let hash = kiln::schema_hash::<Reading>();
    if manner & 1 == 1 && bytes.len() >= frame::LEN {
        bytes[..frame::LEN].copy_from_slice(&frame::header(hash));
        // And then perhaps one bit of it is wrong.
        if manner & 2 == 2 {
            bytes[usize::from(manner >> 4)] ^= 1 << (manner >> 2 & 3);
        }
    }
    let (bytes, limits) = (&bytes[..], Limits::DEFAULT);

    let said = |error: kiln::Error| (error.code(), error.offset());
    assert_eq!(frame::peek(bytes).map_err(said), peek(bytes));
    assert_eq!(frame::expect(bytes, hash).map_err(said), expect(bytes, hash));

    let ty = Type::of::<Reading>().expect("the type has a text");
    let framed = frame::from_slice_with::<Reading>(bytes, &limits);
    let value = match dynamic::decode_framed_with(&ty, bytes, &limits) {
        Ok(value) => Ok(value),
        Err(FramedError::Rejected(error)) => Err(error),
        Err(FramedError::Type(error)) => panic!("{error}"),
    };
    assert_eq!(framed.as_ref().err(), value.as_ref().err());
    assert_eq!(dynamic::check_framed_with(&ty, bytes, &limits).is_ok(), framed.is_ok());
    match (expect(bytes, hash), framed) {
        (Err(fault), framed) => assert_eq!(framed.map_err(said), Err(fault)),
        (Ok(()), Ok(reading)) => {
            assert_eq!(frame::to_vec(&reading).as_deref(), Ok(bytes));
            assert_eq!(kiln::from_slice::<Reading>(&bytes[frame::LEN..]), Ok(reading));
            assert_eq!(
                dynamic::encode_framed(&ty, &value.expect("both were accepted")).as_deref(),
                Ok(bytes)
            );
        }
        (Ok(()), Err(error)) => {
            let alone = kiln::from_slice::<Reading>(&bytes[frame::LEN..]).expect_err("the value was refused");
            assert_eq!((alone.code(), alone.reason()), (error.code(), error.reason()));
            assert_eq!(alone.offset() + frame::LEN as u64, error.offset());
            assert!(alone.path().eq(error.path()));
        }
    }
    let prefix = frame::from_prefix_with::<Reading>(bytes, &limits);
    match (frame::from_slice_with::<Reading>(bytes, &limits), prefix) {
        (Ok(whole), Ok((prefix, rest))) => assert!(rest.is_empty() && whole == prefix),
        (Err(error), Ok((_, rest))) => {
            assert_eq!(said(error), (Code::Trailing, (bytes.len() - rest.len()) as u64));
        }
        (whole, prefix) => assert_eq!(whole.err(), prefix.err()),
    }
}

type Fault = (Code, u64);

fn peek(bytes: &[u8]) -> Result<u64, Fault> {
    if bytes.len() < 4 {
        return Err((Code::Eof, 0));
    }
    if &bytes[..4] != b"KLN0" {
        return Err((Code::Frame, 0));
    }
    if bytes.len() < 16 {
        return Err((Code::Eof, 0));
    }
    for (at, expected) in [(4, &[0, 0][..]), (6, &[1]), (7, &[0])] {
        if &bytes[at..at + expected.len()] != expected {
            return Err((Code::Frame, at as u64));
        }
    }
    Ok(u64::from_le_bytes(bytes[8..16].try_into().expect("eight bytes")))
}

fn expect(bytes: &[u8], hash: u64) -> Result<(), Fault> {
    if peek(bytes)? == hash { Ok(()) } else { Err((Code::Schema, 8)) }
}
