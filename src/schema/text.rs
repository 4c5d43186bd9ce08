//! From canonical type text to [`Type`]. Chapter: Canonical type text and schema hash.

use super::tree::{Arena, ends_word, repeated};
use super::{Scalar, Type, TypeError};
use alloc::vec::Vec;

/// A type whose parts are being read.
enum Open {
    /// Begins at that byte, and is made of its one part by that function.
    Around { at: usize, make: fn(&mut Arena, u32) -> Result<u32, TypeError>, may_be_empty: bool },
    /// Its fields are the pending ones from that one on.
    Struct { first: usize },
}

/// A field of a struct that is still open.
struct Pending {
    /// Where the name lies in the text.
    name: core::ops::Range<usize>,
    /// The field's type, once it is read.
    node: u32,
}

pub(super) fn parse(text: &str) -> Result<Type, TypeError> {
    if text.len() > Type::MAX_TEXT {
        return Err(TypeError::TooLong);
    }
    let mut parser = Parser { text, at: 0, arena: Arena::default(), open: Vec::new(), pending: Vec::new() };
    let root = parser.whole()?;
    Ok(Type::tree(parser.arena, root, text.len()))
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    arena: Arena,
    open: Vec<Open>,
    pending: Vec<Pending>,
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<u32, TypeError> {
        loop {
            let Some(mut node) = self.begin()? else { continue };
            // A type is complete; so is what it completes.
            loop {
                node = match self.open.pop() {
                    None if self.at == self.text.len() => return Ok(node),
                    None => return self.fail("the end of the text"),
                    Some(Open::Around { at, make, may_be_empty }) => {
                        self.pass(b'}', "`}`")?;
                        if !may_be_empty && self.arena.min(node) == 0 {
                            return Err(TypeError::EmptyElement { at: Some(at) });
                        }
                        make(&mut self.arena, node)?
                    }
                    Some(Open::Struct { first }) => {
                        self.pass(b',', "`,`")?;
                        if let Some(field) = self.pending.last_mut() {
                            field.node = node;
                        }
                        match self.field(first)? {
                            Some(node) => node,
                            None => break,
                        }
                    }
                };
            }
        }
    }

    /// Reads a scalar, or what opens another type; in the second case a part comes next, unless the struct is
    /// complete already.
    #[expect(clippy::arithmetic_side_effects, reason = "positions in a text of at most `MAX_TEXT`")]
    fn begin(&mut self) -> Result<Option<u32>, TypeError> {
        let at = self.at;
        let rest = self.text.get(at..).unwrap_or_default();
        let len = rest.bytes().position(ends_word).unwrap_or(rest.len());
        // What ends a word is ASCII, and so no part of another character.
        let (word, after) = rest.split_at_checked(len).unwrap_or_default();
        if after.starts_with('{') {
            let around = |make, may_be_empty| Open::Around { at, make, may_be_empty };
            let open = match word {
                "list" => around(Arena::list, false),
                "optional" => around(Arena::optional, true),
                "dict" => around(Arena::dict, false),
                "struct" => {
                    self.at += len + 1;
                    return self.field(self.pending.len());
                }
                _ => return self.fail("a type"),
            };
            self.open.push(open);
            self.at += len + 1;
            return Ok(None);
        }
        match Scalar::from_name(word) {
            Some(scalar) => {
                self.at += len;
                self.arena.scalar(scalar).map(Some)
            }
            None => self.fail("a type"),
        }
    }

    /// Reads the name of a struct's next field, whose type comes next, or the end of the struct, which is then
    /// complete.
    #[expect(clippy::arithmetic_side_effects, reason = "positions in a text of at most `MAX_TEXT`")]
    fn field(&mut self, first: usize) -> Result<Option<u32>, TypeError> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if rest.first() == Some(&b'}') {
            self.at += 1;
            return self.close(first).map(Some);
        }
        let len = rest.iter().position(|&byte| ends_word(byte)).unwrap_or(rest.len());
        if len == 0 {
            return self.fail("a field name or `}`");
        }
        let name = self.at..self.at + len;
        self.at += len;
        self.pass(b':', "`:`")?;
        self.pending.push(Pending { name, node: 0 });
        self.open.push(Open::Struct { first });
        Ok(None)
    }

    /// Makes the struct whose fields are the pending ones from `first` on.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "a struct's fields are pending from where it was opened; their names lie in the text, between ASCII"
    )]
    fn close(&mut self, first: usize) -> Result<u32, TypeError> {
        let text = self.text;
        if let Some(at) = repeated(self.pending[first..].iter().map(|field| &text[field.name.clone()])) {
            let name = self.pending[first + at].name.clone();
            return Err(TypeError::RepeatedField { at: Some(name.start), name: text[name].into() });
        }
        self.arena.structure(self.pending.drain(first..).map(|field| (&text[field.name], field.node)))
    }

    #[expect(clippy::arithmetic_side_effects, reason = "a position in a text of at most `MAX_TEXT`")]
    fn pass(&mut self, byte: u8, expected: &'static str) -> Result<(), TypeError> {
        if self.text.as_bytes().get(self.at) != Some(&byte) {
            return self.fail(expected);
        }
        self.at += 1;
        Ok(())
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T, TypeError> {
        Err(TypeError::Syntax { at: self.at, expected })
    }
}
