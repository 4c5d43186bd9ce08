//! UTF-8, checked: yes or no at speed, and where it ends slowly.
#![allow(unsafe_code)]

/// Most texts are ASCII and no longer than this: one look, without a loop and without a branch on the length.
const WINDOW: usize = 64;

/// The high bits of the first bytes of a window: those of `n` bytes are the window that begins `WINDOW - n` bytes in.
static HIGH_BITS: [u8; 2 * WINDOW] = {
    let mut bits = [0; 2 * WINDOW];
    let mut i = 0;
    while i < WINDOW {
        bits[i] = 0x80;
        i += 1;
    }
    bits
};

/// The first `len` of `bytes` as text, if they are UTF-8. What follows them may be read and makes no difference.
///
/// # Panics
/// When there are fewer bytes.
#[inline(always)]
pub(crate) fn checked_beginning(bytes: &[u8], len: usize) -> Option<&str> {
    let text = &bytes[..len];
    match bytes.first_chunk() {
        Some(window) if len <= WINDOW => {
            if is_ascii(window, len) {
                // SAFETY: none of the bytes has its high bit set, so each is a character of its own.
                return Some(unsafe { core::str::from_utf8_unchecked(text) });
            }
        }
        _ => {}
    }
    checked(text)
}

/// Whether the first `len` bytes of the window are ASCII.
#[inline(always)]
fn is_ascii(window: &[u8; WINDOW], len: usize) -> bool {
    let bits = HIGH_BITS[WINDOW - len..].first_chunk::<WINDOW>();
    let bits = bits.unwrap_or_else(|| unreachable!("the length is no more than a window"));
    window.iter().zip(bits).fold(0, |seen, (byte, bit)| seen | (byte & bit)) == 0
}

/// The bytes as text, if they are UTF-8: of many bytes vector code repays its call.
#[inline(never)]
pub(crate) fn checked(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < WINDOW {
        core::str::from_utf8(bytes).ok()
    } else {
        simdutf8::basic::from_utf8(bytes).ok()
    }
}

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
    use alloc::vec;

    #[test]
    fn only_the_bytes_of_the_text_count() {
        for len in 0..=2 * WINDOW {
            for after in [0, 1, WINDOW, 2 * WINDOW] {
                let mut bytes = vec![b'x'; len];
                bytes.resize(len + after, 0xff);
                assert_eq!(checked_beginning(&bytes, len).map(str::len), Some(len));
                for at in 0..len {
                    for byte in [0x7f, 0x80, 0xff] {
                        bytes[at] = byte;
                        assert_eq!(
                            checked_beginning(&bytes, len).is_some(),
                            byte == 0x7f,
                            "{byte} at {at} of {len}"
                        );
                    }
                    bytes[at] = b'x';
                }
                if let Some(at) = len.checked_sub(2) {
                    bytes[at..len].copy_from_slice("é".as_bytes());
                    assert_eq!(checked_beginning(&bytes, len).map(str::len), Some(len));
                    assert_eq!(checked_beginning(&bytes, len - 1), None);
                }
            }
        }
    }
}
