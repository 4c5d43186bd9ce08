//! UTF-8, checked: yes or no at speed, and where it ends slowly.
#![allow(unsafe_code)]

use crate::arch::window;
use crate::frozen::plain;
use alloc::string::String;
use alloc::vec::Vec;

/// Most texts are ASCII and no longer than this.
const WINDOW: usize = 64;

/// The first `len` bytes of the window as text, if they are ASCII and not too many.
#[inline(always)]
pub(crate) fn ascii(window: &[u8; WINDOW], len: usize) -> Option<&str> {
    if !window::is_clear::<0x80, WINDOW, { 2 * WINDOW }>(window, len) {
        return None;
    }
    let text = window.get(..len)?;
    // SAFETY: none of the bytes has its high bit set, so each is a character of its own.
    Some(unsafe { core::str::from_utf8_unchecked(text) })
}

/// A string of its own, which is most often short.
#[inline(always)]
pub(crate) fn owned(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    plain::extend(&mut bytes, text.as_bytes());
    // SAFETY: these are the bytes of a text.
    unsafe { String::from_utf8_unchecked(bytes) }
}

/// The bytes as text, if they are UTF-8: of many bytes vector code repays its call.
pub(crate) fn checked(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < WINDOW {
        core::str::from_utf8(bytes).ok()
    } else {
        simdutf8::basic::from_utf8(bytes).ok()
    }
}

/// The same of bytes that somebody may have only claimed to be text: of many, no more is read than is UTF-8.
pub(crate) fn checked_early(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < LONG { checked(bytes) } else { simdutf8::compat::from_utf8(bytes).ok() }
}

/// Many bytes: more than a few names have.
const LONG: usize = 8 << 10;

/// How many bytes of a text that is not UTF-8 are: the offset of the lead byte of its first broken sequence.
#[cold]
pub(crate) fn valid_up_to(bytes: &[u8]) -> usize {
    match core::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_bytes_of_the_text_count() {
        for after in [0, 0x7f, 0xff] {
            let mut window = [after; WINDOW];
            for len in 0..=WINDOW {
                window[..len].fill(b'x');
                assert_eq!(ascii(&window, len).map(str::len), Some(len));
                for at in 0..len {
                    for byte in [0, 0x7f, 0x80, 0xff] {
                        window[at] = byte;
                        assert_eq!(ascii(&window, len).is_some(), byte < 0x80, "{byte} at {at} of {len}");
                    }
                    window[at] = b'x';
                }
            }
            assert_eq!((ascii(&window, WINDOW + 1), ascii(&window, usize::MAX)), (None, None));
        }
    }
}
