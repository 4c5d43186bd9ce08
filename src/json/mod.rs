//! JSON text, strictly as RFC 8259 has it: tokens, documents kept flat, pointers (RFC 6901).
//!
//! A parser of its own because three things are needed that a tree of values has lost: keys that are there twice,
//! the digits of a number as written, and where in the text everything stands.

mod document;
mod lexer;
mod pointer;

pub(crate) use document::{Body, Document, Node};
pub(crate) use lexer::{Lexer, Raw, Syntax, Token, unescape};
pub(crate) use pointer::{Places, place, push_index, push_key};

/// Appends a string with its quotes, escaping what JSON must have escaped.
pub(crate) fn quote(text: &str, out: &mut alloc::vec::Vec<u8>) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len().saturating_add(2));
    out.push(b'"');
    loop {
        let clean = clean(rest);
        let (plain, tail) = rest.split_at(clean);
        out.extend_from_slice(plain);
        let Some((&byte, tail)) = tail.split_first() else { break };
        rest = tail;
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            byte => {
                // Below 32.
                let digit = b"0123456789abcdef".get(usize::from(byte & 15)).copied().unwrap_or(b'0');
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', b'0' | byte >> 4, digit]);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short]);
    }
    out.push(b'"');
}

/// How many bytes at the beginning go into a string as they are.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the rest is a part of the bytes, and a position lies in it"
)]
fn clean(bytes: &[u8]) -> usize {
    let special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let mut rest = bytes;
    // Eight bytes at once: may one of them be special? A wrong yes costs a look at each.
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    while let Some((word, after)) = rest.split_first_chunk() {
        let word = u64::from_le_bytes(*word);
        let zero = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
        let below = word.wrapping_sub(ONES * 0x20) & !word & TOPS;
        if below | zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) != 0 {
            break;
        }
        rest = after;
    }
    (bytes.len() - rest.len()) + rest.iter().position(|&byte| special(byte)).unwrap_or(rest.len())
}
