//! UTF-8, checked: yes or no at speed, and where it ends slowly.

/// From here on the vector code repays its call.
const LONG: usize = 64;

/// The bytes as text, if they are UTF-8.
#[inline]
pub(crate) fn checked(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < LONG { core::str::from_utf8(bytes).ok() } else { simdutf8::basic::from_utf8(bytes).ok() }
}

/// How many bytes of a text that is not UTF-8 are: the offset of the lead byte of its first broken sequence.
#[cold]
pub(crate) fn valid_up_to(bytes: &[u8]) -> usize {
    match core::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}
