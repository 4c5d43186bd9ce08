//! Any bytes as a case file. What it holds is read as the reader functions read it, and no file makes the runner
//! panic or look outside its folder.

use kiln::Reason;
use kiln::cases::{File, Verdict};
use kiln::dynamic::{self, FramedError};
use std::path::Path;

/// Checks the input; panics where two answers differ.
pub(crate) fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    // A folder that is not there: no case of a fuzzer's reads a file.
    let folder = Path::new("/nowhere/at/all");
    let file = match File::parse(text, folder) {
        Ok(file) => file,
        Err(error) => {
            assert!(!error.to_string().contains(|c: char| c.is_control() && c != '\n'), "{error}");
            return;
        }
    };
    for case in file.cases() {
        let (ty, bytes, limits) = (case.ty(), case.bytes(), case.limits());
        let read = match case.framed() {
            true => dynamic::decode_framed_with(ty, bytes, &limits),
            false => dynamic::decode_with(ty, bytes, &limits).map_err(FramedError::Rejected),
        };
        let right = match (&read, case.verdict()) {
            (Ok(_), Verdict::Accept) => true,
            (Err(FramedError::Rejected(error)), Verdict::Reject { code, step, offset }) => {
                error.reason() != Reason::Budget
                    && error.code() == code
                    && step.is_none_or(|step| error.step() == Some(step))
                    && offset.is_none_or(|offset| error.offset() == offset)
            }
            _ => false,
        };
        let ran = case.run();
        assert_eq!(ran.is_ok(), right, "{:?}", case.name());
        if let Err(mismatch) = ran {
            assert!(!mismatch.to_string().contains(char::is_control), "{mismatch}");
        }
    }
}
