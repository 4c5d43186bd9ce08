//! What a directory reader says about bytes, in every way in which it can be asked.
// Each test uses a part.
#![allow(dead_code)]

use kiln::tensor::{self, Directory};
use kiln::{Code, Error, Limits};

/// Code, step, offset.
pub(crate) type Reject = (Code, Option<u8>, u64);

pub(crate) fn reject(error: &Error) -> Reject {
    (error.code(), error.step(), error.offset())
}

/// The verdict on a standalone directory: the length of its block, or the reject. Fails when the fast pass, the
/// check order and the reading functions do not all say the same.
#[track_caller]
pub(crate) fn standalone(bytes: &[u8], limits: &Limits) -> Result<usize, Reject> {
    let judged = tensor::check_with(bytes, limits).map_err(|error| reject(&error));
    assert_eq!(tensor::accepts(bytes, limits, true), judged.is_ok(), "fast pass against {judged:?}");
    let most = bytes.len() / 128;
    in_runs(bytes, limits, true, judged.is_ok(), most.div_ceil(2));
    in_runs(bytes, limits, true, judged.is_ok(), 1 + most / 64);
    let read = Directory::read_with(bytes, limits);
    let decoded = kiln::from_slice_with::<Directory<'_>>(bytes, limits);
    assert_eq!(decoded.as_ref().err(), read.as_ref().err());
    assert_eq!(kiln::validate_with::<Directory<'_>>(bytes, limits).as_ref().err(), read.as_ref().err());
    let verdict = match (&read, &decoded) {
        (Ok(directory), Ok(decoded)) => {
            assert_eq!(directory, decoded);
            assert_eq!(directory.as_bytes(), bytes);
            assert_eq!(kiln::to_vec(directory).as_deref(), Ok(bytes));
            Ok(directory.as_bytes().len())
        }
        (read, _) => Err(read.as_ref().err().map(reject).expect("one was refused")),
    };
    assert_eq!(verdict.map(drop), judged);
    verdict
}

/// The fast pass as several threads divide it among them, in runs of so many descriptors.
#[track_caller]
fn in_runs(bytes: &[u8], limits: &Limits, standalone: bool, expected: bool, len: usize) {
    let accepted = tensor::accepted_in_runs(bytes, limits, standalone, len.max(1));
    assert_eq!(accepted.is_some(), expected, "in runs of {len}");
    let Some(directory) = accepted else { return };
    // Looking at many of them is enough: the tests of directories read this way look at all.
    for (index, tensor) in directory.iter().enumerate().step_by(1 + directory.len() / 32) {
        if let Some(name) = tensor.name() {
            assert_eq!(directory.index_of(name), Some(index), "in runs of {len}");
        }
    }
}

/// The same for a directory that other bytes may follow.
#[track_caller]
pub(crate) fn embedded(bytes: &[u8], limits: &Limits) -> Result<usize, Reject> {
    let judged = tensor::check_embedded_with(bytes, limits).map_err(|error| reject(&error));
    assert_eq!(tensor::accepts(bytes, limits, false), judged.is_ok(), "fast pass against {judged:?}");
    in_runs(bytes, limits, false, judged.is_ok(), (bytes.len() / 128).div_ceil(3));
    let read = Directory::read_embedded_with(bytes, limits);
    let decoded = kiln::from_prefix_with::<Directory<'_>>(bytes, limits);
    assert_eq!(decoded.as_ref().err(), read.as_ref().err());
    let verdict = match read {
        Ok((directory, rest)) => {
            assert_eq!([directory.as_bytes(), rest].concat(), bytes);
            Ok(directory.as_bytes().len())
        }
        Err(error) => Err(reject(&error)),
    };
    assert_eq!(verdict, judged);
    verdict
}

/// Both, for bytes as they stand: they differ in step 12 and in nothing else.
#[track_caller]
pub(crate) fn both(bytes: &[u8]) -> Result<usize, Reject> {
    both_with(bytes, &Limits::DEFAULT)
}

/// [`both`] within `limits`.
#[track_caller]
pub(crate) fn both_with(bytes: &[u8], limits: &Limits) -> Result<usize, Reject> {
    let alone = standalone(bytes, limits);
    let inside = embedded(bytes, limits);
    match (alone, inside) {
        (Err((Code::Trailing, Some(12), at)), Ok(len)) => assert_eq!(at, len as u64),
        (alone, inside) => assert_eq!(alone, inside),
    }
    alone
}
