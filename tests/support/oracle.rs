//! The chapter Frozen values, literally and slowly: what the section "Decoding, in full" says about any bytes of any type
//! text, and random bytes that it accepts. It shares nothing with the library but the names of the codes.

use super::random::Random;
use kiln::Code;

pub(crate) enum Type {
    Scalar(usize),
    Bool,
    Str,
    Bytes,
    List(Box<Type>),
    Optional(Box<Type>),
    Dict(Box<Type>),
    Struct(Vec<Type>),
}

#[derive(Clone, Copy)]
pub(crate) struct Caps {
    pub(crate) count: u64,
    pub(crate) bytes: u64,
}

impl Type {
    /// The type of a canonical text.
    pub(crate) fn parse(text: &str) -> Type {
        let (parsed, rest) = Type::prefix(text);
        assert_eq!(rest, "");
        parsed
    }

    fn prefix(text: &str) -> (Type, &str) {
        let part = |rest| {
            let (inner, rest) = Type::prefix(rest);
            (Box::new(inner), rest.strip_prefix('}').unwrap())
        };
        if let Some(rest) = text.strip_prefix("list{") {
            let (inner, rest) = part(rest);
            return (Type::List(inner), rest);
        }
        if let Some(rest) = text.strip_prefix("optional{") {
            let (inner, rest) = part(rest);
            return (Type::Optional(inner), rest);
        }
        if let Some(rest) = text.strip_prefix("dict{") {
            let (inner, rest) = part(rest);
            return (Type::Dict(inner), rest);
        }
        if let Some(mut rest) = text.strip_prefix("struct{") {
            let mut fields = Vec::new();
            while !rest.starts_with('}') {
                let (field, after) = Type::prefix(rest.split_once(':').unwrap().1);
                fields.push(field);
                rest = after.strip_prefix(',').unwrap();
            }
            return (Type::Struct(fields), &rest[1..]);
        }
        let end = text.find([',', '}']).unwrap_or(text.len());
        let scalar = match &text[..end] {
            "bool" => Type::Bool,
            "str" => Type::Str,
            "bytes" => Type::Bytes,
            "u8" | "i8" => Type::Scalar(1),
            "u16" | "i16" | "f16" | "bf16" => Type::Scalar(2),
            "u32" | "i32" | "f32" => Type::Scalar(4),
            "u64" | "i64" | "f64" => Type::Scalar(8),
            other => panic!("no scalar: {other}"),
        };
        (scalar, &text[end..])
    }

    fn smallest(&self) -> u64 {
        match self {
            Type::Scalar(width) => *width as u64,
            Type::Bool | Type::Optional(_) => 1,
            Type::Str | Type::Bytes | Type::List(_) | Type::Dict(_) => 4,
            Type::Struct(fields) => fields.iter().map(Type::smallest).sum(),
        }
    }

    /// What a reader has to say about `bytes` as a standalone value of this type.
    pub(crate) fn verdict(&self, bytes: &[u8], caps: Caps) -> Result<(), (Code, usize)> {
        let mut reading = Reading { bytes, at: 0, caps };
        reading.value(self, 0)?;
        if reading.at == bytes.len() { Ok(()) } else { Err((Code::Trailing, reading.at)) }
    }

    /// Appends a random value.
    pub(crate) fn random(&self, random: &mut Random, out: &mut Vec<u8>) {
        match self {
            Type::Scalar(width) => out.extend((0..*width).map(|_| random.byte())),
            Type::Bool => out.push(random.byte() & 1),
            Type::Str => put_run(&text(random), out),
            Type::Bytes => {
                let run: Vec<u8> = (0..random.below(6)).map(|_| random.byte()).collect();
                put_run(&run, out);
            }
            Type::List(element) => {
                let count = random.below(5);
                out.extend((count as u32).to_le_bytes());
                for _ in 0..count {
                    element.random(random, out);
                }
            }
            Type::Optional(value) => {
                let present = random.byte() & 1;
                out.push(present);
                if present == 1 {
                    value.random(random, out);
                }
            }
            Type::Dict(value) => {
                let mut keys: Vec<Vec<u8>> = (0..random.below(5)).map(|_| text(random)).collect();
                keys.sort();
                keys.dedup();
                out.extend((keys.len() as u32).to_le_bytes());
                for key in keys {
                    put_run(&key, out);
                    value.random(random, out);
                }
            }
            Type::Struct(fields) => fields.iter().for_each(|field| field.random(random, out)),
        }
    }
}

fn text(random: &mut Random) -> Vec<u8> {
    let parts = ["a", "b", "z", "é", "\u{ffff}", "\u{10000}", "\0"];
    (0..random.below(4)).map(|_| parts[random.below(parts.len())]).collect::<String>().into_bytes()
}

fn put_run(run: &[u8], out: &mut Vec<u8>) {
    out.extend((run.len() as u32).to_le_bytes());
    out.extend(run);
}

/// Bytes near `bytes`: something overwritten, cut off, put in, or as they were.
pub(crate) fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.below(3) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.byte()),
            2 if at < bytes.len() => _ = bytes.remove(at),
            3 if at < bytes.len() => bytes[at] = random.byte(),
            4 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ if at < bytes.len() => bytes[at] = random.below(4) as u8,
            _ => {}
        }
    }
    bytes
}

struct Reading<'a> {
    bytes: &'a [u8],
    at: usize,
    caps: Caps,
}

impl<'a> Reading<'a> {
    fn take(&mut self, len: u64) -> Result<&'a [u8], (Code, usize)> {
        let unread = &self.bytes[self.at..];
        if len > unread.len() as u64 {
            return Err((Code::Eof, self.at));
        }
        self.at += len as usize;
        Ok(&unread[..len as usize])
    }

    fn word(&mut self, cap: u64) -> Result<u64, (Code, usize)> {
        let at = self.at;
        let word = u64::from(u32::from_le_bytes(self.take(4)?.try_into().unwrap()));
        if word > cap { Err((Code::Limit, at)) } else { Ok(word) }
    }

    fn bit(&mut self) -> Result<bool, (Code, usize)> {
        let at = self.at;
        match self.take(1)? {
            [byte @ 0..=1] => Ok(*byte == 1),
            _ => Err((Code::Type, at)),
        }
    }

    fn run(&mut self, is_text: bool) -> Result<&'a [u8], (Code, usize)> {
        let len = self.word(self.caps.bytes)?;
        let start = self.at;
        let run = self.take(len)?;
        match std::str::from_utf8(run) {
            Err(error) if is_text => Err((Code::Utf8, start + error.valid_up_to())),
            _ => Ok(run),
        }
    }

    fn count(&mut self, smallest: u64) -> Result<u64, (Code, usize)> {
        let at = self.at;
        let count = self.word(self.caps.count)?;
        let fits = count * smallest <= (self.bytes.len() - self.at) as u64;
        if fits { Ok(count) } else { Err((Code::Eof, at)) }
    }

    fn value(&mut self, of: &Type, depth: u32) -> Result<(), (Code, usize)> {
        let inner = match of {
            Type::Scalar(width) => return self.take(*width as u64).map(|_| ()),
            Type::Bool => return self.bit().map(|_| ()),
            Type::Str => return self.run(true).map(|_| ()),
            Type::Bytes => return self.run(false).map(|_| ()),
            _ => depth + 1,
        };
        if inner > 64 {
            return Err((Code::Limit, self.at));
        }
        match of {
            Type::Optional(value) => {
                if self.bit()? {
                    self.value(value, inner)?;
                }
            }
            Type::Struct(fields) => {
                for field in fields {
                    self.value(field, inner)?;
                }
            }
            Type::List(element) => {
                for _ in 0..self.count(element.smallest())? {
                    self.value(element, inner)?;
                }
            }
            Type::Dict(value) => {
                let mut last = None;
                for _ in 0..self.count(4 + value.smallest())? {
                    let at = self.at;
                    let key = self.run(true)?;
                    if last.is_some_and(|last| key <= last) {
                        return Err((Code::Type, at));
                    }
                    last = Some(key);
                    self.value(value, inner)?;
                }
            }
            _ => unreachable!("a scalar is no container"),
        }
        Ok(())
    }
}
