//! JSON text to bytes, straight along the plan.
//!
//! Text may say the fields of a struct in any order and the keys of a dict too; bytes have one. Parts are written
//! as they come, and put in order when their container ends, which costs nothing where they came in order.

use super::fault::{JsonError, JsonProblem};
use super::number::{BF16, F16, F32, F64, integer};
use super::plan::{Op, Plan};
use crate::error::EncodeError;
use crate::escape::shorten;
use crate::json::{Lexer, Raw, Syntax, Token, place, push_index, push_key, unescape};
use crate::schema::Scalar;
use crate::wire::{MAX_DEPTH, Nest};
use alloc::string::String;
use alloc::vec::Vec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What is wrong, and where in the text.
struct Fault {
    at: usize,
    problem: JsonProblem,
}

impl From<Syntax> for Fault {
    fn from(error: Syntax) -> Fault {
        Fault { at: error.at, problem: JsonProblem::Syntax { expected: error.expected } }
    }
}

fn fault<T>(at: usize, problem: JsonProblem) -> Result<T, Fault> {
    Err(Fault { at, problem })
}

fn syntax<T>(at: usize, expected: &'static str) -> Result<T, Fault> {
    fault(at, JsonProblem::Syntax { expected })
}

pub(super) fn value(plan: &Plan, root: u32, text: &str, out: &mut Vec<u8>) -> Result<(), JsonError> {
    let mut reading = Reading {
        plan,
        lexer: Lexer::new(text),
        out,
        nest: Nest::new(),
        depth: 0,
        fields: Vec::new(),
        entries: Vec::new(),
        scratch: Vec::new(),
        unknown: None,
    };
    match reading.whole(root) {
        Ok(()) => Ok(()),
        Err(fault) => {
            let pointer = shorten(&reading.pointer()).into_owned();
            let (line, column) = place(text, fault.at);
            Err(JsonError { pointer, offset: fault.at, line, column, problem: fault.problem })
        }
    }
}

/// Where a field's bytes are among those written.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
    /// Whether the text has said it: what was passed over may still come.
    said: bool,
}

const NOWHERE: Place = Place { start: 0, end: 0, said: false };

/// Where an entry's bytes are, its key's length word first, and where its key stands in the text.
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    end: usize,
    at: usize,
}

/// A container that is not complete.
struct Open {
    form: Form,
    /// How many containers it is: two where it stands in the optional of a field.
    containers: u32,
    /// Whether no part of it has come.
    fresh: bool,
}

enum Form {
    List {
        element: u32,
        /// Where the count stands.
        at: usize,
        count: usize,
    },
    Optional,
    Dict {
        value: u32,
        /// Where the count stands.
        at: usize,
        /// Its first entry among all that are open.
        entries: usize,
    },
    Struct {
        first: u32,
        len: u32,
        /// The field that comes next in order.
        next: u32,
        /// The field that is being read.
        current: Option<u32>,
        /// Where its bytes begin.
        at: usize,
        /// The place of its first field among all that are open.
        fields: usize,
        /// Whether the fields came in order so far.
        ordered: bool,
    },
}

struct Reading<'p, 't, 'o> {
    plan: &'p Plan,
    lexer: Lexer<'t>,
    out: &'o mut Vec<u8>,
    nest: Nest<Open>,
    depth: u32,
    /// The fields of all structs that are open.
    fields: Vec<Place>,
    /// The entries of all dicts that are open.
    entries: Vec<Entry>,
    scratch: Vec<u8>,
    /// The name that ends the pointer, where the fault is a name.
    unknown: Option<String>,
}

/// A part that comes next.
#[derive(Clone, Copy)]
struct Next {
    op: u32,
    /// How many containers were entered for it already.
    containers: u32,
}

impl<'t> Reading<'_, 't, '_> {
    fn whole(&mut self, root: u32) -> Result<(), Fault> {
        let mut next = Next { op: root, containers: 0 };
        loop {
            self.begin(next)?;
            next = loop {
                if self.nest.last().is_none() {
                    let at = self.lexer.skip();
                    return match self.lexer.token()? {
                        Token::End => Ok(()),
                        _ => syntax(at, "the end of the text"),
                    };
                }
                if let Some(part) = self.part()? {
                    break part;
                }
                self.close()?;
            };
        }
    }

    #[expect(clippy::arithmetic_side_effects, reason = "compared with the greatest depth")]
    fn enter(&mut self, at: usize) -> Result<(), Fault> {
        if self.depth == MAX_DEPTH {
            return fault(at, JsonProblem::Encode(EncodeError::TooDeep));
        }
        self.depth += 1;
        Ok(())
    }

    /// Reads what holds no other value, or what stands before the first part of a container.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "containers that were entered are left; places are as many as a plan has fields"
    )]
    fn begin(&mut self, part: Next) -> Result<(), Fault> {
        let at = self.lexer.skip();
        let op = self.plan.at(part.op);
        if let Op::Scalar(scalar) = op {
            let token = self.lexer.token()?;
            single(scalar, token, at, self.out)?;
            self.depth -= part.containers;
            return Ok(());
        }
        let containers = part.containers + 1;
        self.enter(at)?;
        let form = match op {
            Op::Optional { value } => {
                if self.lexer.peek() == Some(b'n') {
                    // Nothing else begins so.
                    self.lexer.token()?;
                    self.out.push(0);
                    self.depth -= containers;
                    return Ok(());
                }
                self.out.push(1);
                self.push(Form::Optional, containers, at)?;
                // What it holds is no optional: no plan has that.
                return self.begin(Next { op: value, containers: 0 });
            }
            Op::List { element, .. } => {
                self.open(Token::OpenArray, "an array", "list", at)?;
                let at = self.out.len();
                self.out.extend_from_slice(&[0; 4]);
                Form::List { element, at, count: 0 }
            }
            Op::Dict { value, .. } => {
                self.open(Token::OpenObject, "an object", "dict", at)?;
                let at = self.out.len();
                self.out.extend_from_slice(&[0; 4]);
                Form::Dict { value, at, entries: self.entries.len() }
            }
            Op::Struct { first, len } => {
                self.open(Token::OpenObject, "an object", "struct", at)?;
                let fields = self.fields.len();
                self.fields.resize(fields + len as usize, NOWHERE);
                let at = self.out.len();
                Form::Struct { first, len, next: 0, current: None, at, fields, ordered: true }
            }
            // Read above.
            Op::Scalar(_) => return Ok(()),
        };
        self.push(form, containers, at)
    }

    fn push(&mut self, form: Form, containers: u32, at: usize) -> Result<(), Fault> {
        // Never more than were entered.
        match self.nest.push(Open { form, containers, fresh: true }) {
            true => Ok(()),
            false => fault(at, JsonProblem::Encode(EncodeError::TooDeep)),
        }
    }

    fn open(
        &mut self,
        token: Token<'static>,
        needed: &'static str,
        ty: &'static str,
        at: usize,
    ) -> Result<(), Fault> {
        match self.lexer.token()? {
            found if found == token => Ok(()),
            found => mismatch(needed, ty, found, at),
        }
    }

    /// The next part of the innermost container, after what stands before it; none at its end.
    #[expect(clippy::arithmetic_side_effects, reason = "counts elements of a text")]
    fn part(&mut self) -> Result<Option<Next>, Fault> {
        self.end_part();
        let Some(open) = self.nest.last() else { return Ok(None) };
        let fresh = core::mem::replace(&mut open.fresh, false);
        let object = match &mut open.form {
            Form::Optional => return Ok(None),
            Form::List { element, count, .. } => {
                if self.lexer.pass(b']') {
                    return Ok(None);
                }
                if !fresh && !self.lexer.pass(b',') {
                    return syntax(self.lexer.skip(), "`,` or `]`");
                }
                *count += 1;
                return Ok(Some(Next { op: *element, containers: 0 }));
            }
            object => object,
        };
        if self.lexer.pass(b'}') {
            return Ok(None);
        }
        if !fresh && !self.lexer.pass(b',') {
            return syntax(self.lexer.skip(), "`,` or `}`");
        }
        let at = self.lexer.skip();
        let Token::Text(name) = self.lexer.token()? else { return syntax(at, "a name in quotes") };
        if !self.lexer.pass(b':') {
            return syntax(self.lexer.skip(), "`:`");
        }
        match object {
            Form::Dict { value, .. } => {
                let op = *value;
                let start = self.out.len();
                put_text(name, at, self.out)?;
                self.entries.push(Entry { start, end: start, at });
                Ok(Some(Next { op, containers: 0 }))
            }
            _ => self.field(name, at).map(Some),
        }
    }

    /// A field of the innermost struct, by name.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`find` gives fields of the struct, and each has a place from when it was opened"
    )]
    fn field(&mut self, name: Raw<'t>, at: usize) -> Result<Next, Fault> {
        let plan = self.plan;
        let Some(Open { form: Form::Struct { first, len, next, current, fields, ordered, .. }, .. }) =
            self.nest.last()
        else {
            return syntax(at, "a value");
        };
        let (first, len) = (*first, *len);
        let found = match *next < len && !name.escaped && plan.name(first + *next) == name.text {
            true => Some(*next),
            false => plan.find(first, len, &name.plain()),
        };
        *current = None;
        let Some(found) = found else {
            self.unknown = Some(name.plain().into());
            return fault(at, JsonProblem::Unknown);
        };
        let places = &mut self.fields[*fields..];
        if places[found as usize].said {
            self.unknown = Some(name.plain().into());
            return fault(at, JsonProblem::Repeated);
        }
        if found >= *next {
            for passed in *next..found {
                let start = self.out.len();
                if plan.field(first + passed).optional {
                    self.out.push(0);
                }
                places[passed as usize] = Place { start, end: self.out.len(), said: false };
            }
            *next = found + 1;
        } else {
            *ordered = false;
        }
        *current = Some(found);
        let start = self.out.len();
        places[found as usize] = Place { start, end: start, said: true };
        let field = plan.field(first + found);
        if field.optional {
            let at = self.lexer.skip();
            self.enter(at)?;
            self.out.push(1);
        }
        Ok(Next { op: field.op, containers: u32::from(field.optional) })
    }
}

/// Writes what holds no other value.
#[expect(clippy::indexing_slicing, reason = "a number takes at most eight bytes")]
#[expect(clippy::cast_possible_truncation, reason = "found to lie between the type's least and greatest")]
fn single(scalar: Scalar, token: Token<'_>, at: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let located = |problem| Fault { at, problem };
    macro_rules! integer {
        ($number:ident, $of:ty) => {{
            let (least, most) = (i128::from(<$of>::MIN), i128::from(<$of>::MAX));
            let value = integer($number, scalar, least, most).map_err(located)?;
            // It lies between the two.
            out.extend_from_slice(&(value as $of).to_le_bytes());
        }};
    }
    let format = match scalar {
        Scalar::F16 => F16,
        Scalar::Bf16 => BF16,
        Scalar::F32 => F32,
        _ => F64,
    };
    let bits = match (scalar, token) {
        (Scalar::Bool, Token::True | Token::False) => {
            out.push(u8::from(token == Token::True));
            return Ok(());
        }
        (Scalar::Str, Token::Text(text)) => return put_text(text, at, out),
        (Scalar::Bytes, Token::Text(text)) => return put_bytes(text, at, out),
        (Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64, Token::Number(number)) => {
            format.nearest(number).map_err(located)?
        }
        (Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64, Token::Text(text)) => {
            format.odd(&text.plain()).ok_or(located(JsonProblem::NotFloat))?
        }
        (_, Token::Number(number)) => {
            match scalar {
                Scalar::U8 => integer!(number, u8),
                Scalar::U16 => integer!(number, u16),
                Scalar::U32 => integer!(number, u32),
                Scalar::U64 => integer!(number, u64),
                Scalar::I8 => integer!(number, i8),
                Scalar::I16 => integer!(number, i16),
                Scalar::I32 => integer!(number, i32),
                Scalar::I64 => integer!(number, i64),
                _ => return mismatch(needed(scalar), scalar.name(), token, at),
            }
            return Ok(());
        }
        _ => return mismatch(needed(scalar), scalar.name(), token, at),
    };
    out.extend_from_slice(&bits.to_le_bytes()[..scalar.min_len()]);
    Ok(())
}

fn needed(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "true or false",
        Scalar::Str => "a string",
        Scalar::Bytes => "a string of base64",
        _ => "a number",
    }
}

fn mismatch<T>(needed: &'static str, ty: &'static str, found: Token<'_>, at: usize) -> Result<T, Fault> {
    let found = match found {
        Token::OpenObject => "an object",
        Token::OpenArray => "an array",
        Token::Text(_) => "a string",
        Token::Number(_) => "a number",
        Token::True | Token::False => "a boolean",
        Token::Null => "null",
        _ => return syntax(at, "a value"),
    };
    fault(at, JsonProblem::Kind { needed, ty, found })
}

/// The bytes of a length word.
fn length(len: usize, at: usize) -> Result<[u8; 4], Fault> {
    match u32::try_from(len) {
        Ok(len) => Ok(len.to_le_bytes()),
        Err(_) => fault(at, JsonProblem::Encode(EncodeError::CountAboveU32 { count: len })),
    }
}

#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "four bytes were put at `start`"
)]
fn put_text(text: Raw<'_>, at: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    if !text.escaped {
        out.extend_from_slice(&length(text.text.len(), at)?);
        out.extend_from_slice(text.text.as_bytes());
        return Ok(());
    }
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    unescape(text.text, |part| out.extend_from_slice(part.as_bytes()));
    let len = length(out.len() - start - 4, at)?;
    out[start..start + 4].copy_from_slice(&len);
    Ok(())
}

#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "four bytes were put at `start`"
)]
fn put_bytes(text: Raw<'_>, at: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    if STANDARD.decode_vec(text.plain().as_bytes(), out).is_err() {
        return fault(at, JsonProblem::NotBase64);
    }
    let len = length(out.len() - start - 4, at)?;
    out[start..start + 4].copy_from_slice(&len);
    Ok(())
}

impl Reading<'_, '_, '_> {
    /// Says where the part ends that was read last.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "an open struct has a place for each field, and an open dict keeps those that were there"
    )]
    fn end_part(&mut self) {
        let end = self.out.len();
        match self.nest.last().map(|open| &mut open.form) {
            Some(Form::Struct { current, fields, .. }) => {
                if let Some(field) = current.take() {
                    self.fields[*fields + field as usize].end = end;
                }
            }
            Some(Form::Dict { entries, .. }) => {
                if let Some(entry) = self.entries[*entries..].last_mut() {
                    entry.end = end;
                }
            }
            _ => {}
        }
    }

    /// Completes the innermost container.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "an open struct has a place for each field, a count has four bytes, and what is closed was entered"
    )]
    fn close(&mut self) -> Result<(), Fault> {
        let Some(Open { form, containers, .. }) = self.nest.pop() else { return Ok(()) };
        self.depth -= containers;
        let end = self.lexer.offset().saturating_sub(1);
        match form {
            Form::Optional => {}
            Form::List { at, count, .. } => {
                let count = length(count, end)?;
                self.out[at..at + 4].copy_from_slice(&count);
            }
            Form::Dict { at, entries, .. } => {
                let count = length(self.entries.len() - entries, end)?;
                self.out[at..at + 4].copy_from_slice(&count);
                let sorted = self.sort(at + 4, entries);
                self.entries.truncate(entries);
                return sorted;
            }
            Form::Struct { first, len, at, fields, ordered, .. } => {
                for field in 0..len {
                    let place = &mut self.fields[fields + field as usize];
                    if place.said {
                        continue;
                    }
                    if !self.plan.field(first + field).optional {
                        let name = shorten(self.plan.name(first + field)).into_owned();
                        return fault(end, JsonProblem::Missing { name });
                    }
                    // What stands behind all that was said is still to be written; what was passed over was.
                    if place.start == place.end {
                        let start = self.out.len();
                        self.out.push(0);
                        *place = Place { start, end: start + 1, said: false };
                    }
                }
                if !ordered {
                    self.scratch.clear();
                    for place in &self.fields[fields..] {
                        self.scratch.extend_from_slice(&self.out[place.start..place.end]);
                    }
                    self.out.truncate(at);
                    self.out.extend_from_slice(&self.scratch);
                }
                self.fields.truncate(fields);
            }
        }
        Ok(())
    }

    /// Puts the entries of a dict, which begin at `start`, in the order of their keys.
    #[expect(clippy::indexing_slicing, reason = "entries lie among the bytes written")]
    fn sort(&mut self, start: usize, entries: usize) -> Result<(), Fault> {
        let out = &*self.out;
        let entries = &mut self.entries[entries..];
        if entries.windows(2).all(|pair| key(out, pair[0]) < key(out, pair[1])) {
            return Ok(());
        }
        // Of the same key twice, the later one in the text is at fault.
        entries.sort_by(|a, b| key(out, *a).cmp(key(out, *b)));
        let twice = entries.windows(2).filter(|pair| key(out, pair[0]) == key(out, pair[1]));
        if let Some(second) = twice.map(|pair| pair[1]).min_by_key(|entry| entry.at) {
            self.unknown = Some(String::from_utf8_lossy(key(out, second)).into_owned());
            return fault(second.at, JsonProblem::Repeated);
        }
        self.scratch.clear();
        for entry in entries {
            self.scratch.extend_from_slice(&out[entry.start..entry.end]);
        }
        self.out.truncate(start);
        self.out.extend_from_slice(&self.scratch);
        Ok(())
    }

    /// The JSON pointer to what is being read.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "an open dict keeps the entries that were there"
    )]
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        let mut dicts = self.nest.iter().filter_map(|open| match open.form {
            Form::Dict { entries, .. } => Some(entries),
            _ => None,
        });
        dicts.next();
        for open in self.nest.iter() {
            match open.form {
                Form::Optional => {}
                Form::List { count, .. } => {
                    if let Some(index) = count.checked_sub(1) {
                        push_index(&mut pointer, index);
                    }
                }
                Form::Dict { entries, .. } => {
                    // The entries of the next dict inside begin behind this one's last.
                    let end = dicts.next().unwrap_or(self.entries.len());
                    if let Some(entry) = self.entries[entries..end].last() {
                        push_key(&mut pointer, &String::from_utf8_lossy(key(self.out, *entry)));
                    }
                }
                Form::Struct { first, current, .. } => {
                    if let Some(field) = current {
                        push_key(&mut pointer, self.plan.name(first + field));
                    }
                }
            }
        }
        if let Some(name) = &self.unknown {
            push_key(&mut pointer, name);
        }
        pointer
    }
}

/// The key of an entry among the bytes written.
#[expect(clippy::indexing_slicing, reason = "entries lie among the bytes written")]
fn key(out: &[u8], entry: Entry) -> &[u8] {
    let Some((word, rest)) = out[entry.start..].split_first_chunk() else { return &[] };
    let len = usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX);
    rest.get(..len).unwrap_or(rest)
}
