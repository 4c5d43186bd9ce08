//! Tokens of JSON text.

use alloc::borrow::Cow;
use alloc::string::String;

/// A token. A text or a number is where it stands, not yet what it says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'t> {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    Comma,
    Colon,
    Text(Raw<'t>),
    Number(&'t str),
    True,
    False,
    Null,
    End,
}

/// A string as it stands between its quotes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Raw<'t> {
    pub(crate) text: &'t str,
    /// Whether a backslash stands in it.
    pub(crate) escaped: bool,
}

impl<'t> Raw<'t> {
    /// What it says.
    pub(crate) fn plain(self) -> Cow<'t, str> {
        if !self.escaped {
            return Cow::Borrowed(self.text);
        }
        let mut text = String::with_capacity(self.text.len());
        unescape(self.text, |part| text.push_str(part));
        Cow::Owned(text)
    }
}

/// Text that is no JSON: the first byte at which it is not, and what would have to stand there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Syntax {
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
}

/// A cursor over JSON text.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Lexer { text, at: 0 }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Where the next token begins.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "`at` is a position in the text")]
    pub(crate) fn skip(&mut self) -> usize {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte(self.at) {
            self.at += 1;
        }
        self.at
    }

    /// Where the last token ended, if [`skip`](Self::skip) was not called since.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The first byte of the next token.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let at = self.skip();
        self.byte(at)
    }

    /// Passes the next token if it is that one byte.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "`at` is a position in the text")]
    pub(crate) fn pass(&mut self, byte: u8) -> bool {
        let at = self.skip();
        let there = self.byte(at) == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// The next token.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "the token lies in the text")]
    pub(crate) fn token(&mut self) -> Result<Token<'t>, Syntax> {
        let at = self.skip();
        let Some(byte) = self.byte(at) else { return Ok(Token::End) };
        let single = |token| Ok((token, 1));
        let (token, len) = match byte {
            b'"' => return self.string(),
            b'-' | b'0'..=b'9' => return self.number(),
            b'{' => single(Token::OpenObject),
            b'}' => single(Token::CloseObject),
            b'[' => single(Token::OpenArray),
            b']' => single(Token::CloseArray),
            b',' => single(Token::Comma),
            b':' => single(Token::Colon),
            b't' => self.word("true", Token::True),
            b'f' => self.word("false", Token::False),
            b'n' => self.word("null", Token::Null),
            _ if at == 0 && self.text.starts_with('\u{feff}') => {
                Err(Syntax { at, expected: "a value, and no byte order mark before it" })
            }
            _ => Err(Syntax { at, expected: "a value" }),
        }?;
        self.at += len;
        Ok(token)
    }

    fn word(&self, word: &'static str, token: Token<'t>) -> Result<(Token<'t>, usize), Syntax> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            Ok((token, word.len()))
        } else {
            Err(Syntax { at: self.at, expected: "a value" })
        }
    }

    #[expect(clippy::arithmetic_side_effects, reason = "positions in the text, or one behind it")]
    fn string(&mut self) -> Result<Token<'t>, Syntax> {
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            match self.byte(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at = self.escape(at)?;
                }
                Some(0x20..) => at += 1,
                Some(_) => return Err(Syntax { at, expected: "no control character in a string" }),
                None => return Err(Syntax { at, expected: "the end of the string" }),
            }
        }
        self.at = at + 1;
        // A quote is never part of another character.
        let text = self.text.get(start..at).unwrap_or("");
        Ok(Token::Text(Raw { text, escaped }))
    }

    /// Passes over the escape sequence at `at`, a pair of surrogates as one.
    #[expect(clippy::arithmetic_side_effects, reason = "positions in the text, or a few behind it")]
    fn escape(&self, at: usize) -> Result<usize, Syntax> {
        match self.byte(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => match self.unit(at) {
                Some(0xD800..0xDC00) => match self.unit(at + 6) {
                    Some(0xDC00..0xE000) => Ok(at + 12),
                    _ => Err(Syntax { at, expected: "both halves of a surrogate pair" }),
                },
                Some(0xDC00..0xE000) => Err(Syntax { at, expected: "both halves of a surrogate pair" }),
                Some(_) => Ok(at + 6),
                None => Err(Syntax { at, expected: "four hexadecimal digits after \\u" }),
            },
            _ => Err(Syntax { at, expected: "an escape sequence that JSON has" }),
        }
    }

    /// The sixteen bits of `\uXXXX` at `at`.
    fn unit(&self, at: usize) -> Option<u32> {
        unit(self.text.as_bytes().get(at..)?)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "positions in the text, or one behind it")]
    fn number(&mut self) -> Result<Token<'t>, Syntax> {
        let start = self.at;
        let mut at = start + usize::from(self.byte(start) == Some(b'-'));
        if self.byte(at) == Some(b'0') {
            at += 1;
        } else {
            at = self.digits(at)?;
        }
        if self.byte(at) == Some(b'.') {
            at = self.digits(at + 1)?;
        }
        if let Some(b'e' | b'E') = self.byte(at) {
            at += 1;
            at += usize::from(matches!(self.byte(at), Some(b'+' | b'-')));
            at = self.digits(at)?;
        }
        self.at = at;
        Ok(Token::Number(self.text.get(start..at).unwrap_or("")))
    }

    /// Passes over at least one digit.
    #[expect(clippy::arithmetic_side_effects, reason = "positions in the text")]
    fn digits(&self, start: usize) -> Result<usize, Syntax> {
        let mut at = start;
        while let Some(b'0'..=b'9') = self.byte(at) {
            at += 1;
        }
        if at == start { Err(Syntax { at, expected: "a digit" }) } else { Ok(at) }
    }
}

fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.first_chunk::<6>()? else { return None };
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
}

/// Gives the pieces of what a string says, whose escape sequences a [`Lexer`] has found to be right.
pub(crate) fn unescape(raw: &str, mut part: impl FnMut(&str)) {
    let mut rest = raw;
    while let Some((plain, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        part(plain);
        let bytes = escape.as_bytes();
        let (c, len) = match bytes.get(1) {
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'u') => match (unit(bytes), bytes.get(6..).and_then(unit)) {
                (Some(high @ 0xD800..0xDC00), Some(low)) => {
                    let code = ((high & 0x3FF) << 10 | low & 0x3FF).wrapping_add(0x10000);
                    (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
                }
                (Some(unit), _) => (char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
                (None, _) => (char::REPLACEMENT_CHARACTER, 2),
            },
            Some(&byte) => (char::from(byte), 2),
            None => return,
        };
        part(c.encode_utf8(&mut [0; 4]));
        rest = escape.get(len..).unwrap_or("");
    }
    part(rest);
}
