//! Bytes to JSON text, straight along the plan: the checks of decoding, in its order, with its offsets.

use super::Layout;
use super::number::{BF16, F16, F32, F64, Format, put};
use super::plan::{Op, Plan};
use crate::error::{Error, Fault, Reason};
use crate::frozen::{Decode, presence};
use crate::json::quote;
use crate::limits::Limits;
use crate::schema::{Scalar, Type};
use crate::wire::writer::write_all;
use crate::wire::{Nest, Reader, Source};
use alloc::vec::Vec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use half::{bf16, f16};
use std::io;

/// Why the text ends before the value does.
pub(super) enum Stop {
    Fault(Fault),
    Io(io::Error),
}

impl From<Fault> for Stop {
    #[cold]
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

/// The same for the caller.
pub(super) enum Stopped {
    Rejected(Error),
    Io(io::Error),
}

/// Where text goes: it is gathered, and passed on from time to time.
pub(super) trait Out {
    fn text(&mut self) -> &mut Vec<u8>;

    /// Called between parts; may empty the text.
    fn pass(&mut self) -> io::Result<()>;
}

/// Text that stays in memory.
pub(super) struct Memory<'a>(pub(super) &'a mut Vec<u8>);

impl Out for Memory<'_> {
    #[inline]
    fn text(&mut self) -> &mut Vec<u8> {
        self.0
    }

    #[inline]
    fn pass(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Text that goes to a stream.
pub(super) struct Stream<W> {
    gathered: Vec<u8>,
    out: W,
}

/// How much text is gathered before it is passed on.
const ENOUGH: usize = 1 << 16;

impl<W: io::Write> Stream<W> {
    pub(super) fn new(out: W) -> Self {
        Stream { gathered: Vec::with_capacity(ENOUGH + ENOUGH / 4), out }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        write_all(&mut self.out, &self.gathered)?;
        self.out.flush()
    }
}

impl<W: io::Write> Out for Stream<W> {
    #[inline]
    fn text(&mut self) -> &mut Vec<u8> {
        &mut self.gathered
    }

    #[inline]
    fn pass(&mut self) -> io::Result<()> {
        if self.gathered.len() < ENOUGH {
            return Ok(());
        }
        write_all(&mut self.out, &self.gathered)?;
        self.gathered.clear();
        Ok(())
    }
}

impl Plan {
    /// Writes the one value of `bytes` behind `start`.
    pub(super) fn whole(
        &self,
        ty: &Type,
        bytes: &[u8],
        start: usize,
        limits: &Limits,
        layout: Layout,
        out: &mut impl Out,
    ) -> Result<(), Stopped> {
        let mut reader = Reader::new(bytes, start, limits);
        let written = match layout {
            Layout::Compact => value::<false>(self, self.root, &mut reader, out),
            Layout::Pretty => value::<true>(self, self.root, &mut reader, out),
        };
        let fault = match written {
            Ok(()) if reader.rest().is_empty() => return Ok(()),
            Ok(()) => Fault::new(Reason::Trailing, reader.offset()),
            Err(Stop::Fault(fault)) => fault,
            Err(Stop::Io(error)) => return Err(Stopped::Io(error)),
        };
        Err(Stopped::Rejected(Error::explain_by(fault, bytes, start, ty.root(), limits)))
    }
}

/// A container of which the beginning was written.
struct Open<'de> {
    form: Form<'de>,
    /// Whether it stands in the optional of a field, which is a container too.
    in_optional: bool,
    /// Whether nothing was written in it.
    empty: bool,
}

enum Form<'de> {
    List { element: u32, left: usize },
    Optional { value: Option<u32> },
    Dict { value: u32, left: usize, key: Option<&'de str> },
    Struct { next: u32, end: u32 },
}

/// A part that comes next.
#[derive(Clone, Copy)]
struct Next {
    op: u32,
    in_optional: bool,
}

/// Writes a value. The way down is kept in a [`Nest`] and not in calls.
#[expect(clippy::arithmetic_side_effects, reason = "counts containers, at most as many as a `Nest` holds")]
pub(super) fn value<const PRETTY: bool>(
    plan: &Plan,
    root: u32,
    reader: &mut Reader<'_>,
    out: &mut impl Out,
) -> Result<(), Stop> {
    let mut nest: Nest<Open> = Nest::new();
    let mut depth = 0;
    let mut next = Next { op: root, in_optional: false };
    loop {
        if let Some(container) = begin(plan, next, reader, out.text())? {
            // The reader counts more containers than this: it has refused before.
            if !nest.push(container) {
                return Err(Fault::new(Reason::Depth, reader.offset()).into());
            }
            depth += 1;
        }
        next = loop {
            let Some(container) = nest.last() else { return Ok(()) };
            if let Some(part) = container.next::<PRETTY>(plan, depth, reader, out.text())? {
                break part;
            }
            container.close::<PRETTY>(depth, out.text());
            reader.leave();
            if container.in_optional {
                reader.leave();
            }
            nest.pop();
            depth -= 1;
            out.pass().map_err(Stop::Io)?;
        };
    }
}

/// Writes what holds no other value, or what stands before the first part of a container.
#[inline]
#[expect(clippy::arithmetic_side_effects, reason = "fields are counted in 32 bits")]
fn begin<'de>(
    plan: &Plan,
    part: Next,
    reader: &mut Reader<'de>,
    text: &mut Vec<u8>,
) -> Result<Option<Open<'de>>, Fault> {
    let op = plan.at(part.op);
    if let Op::Scalar(scalar) = op {
        single(scalar, reader, text)?;
        if part.in_optional {
            reader.leave();
        }
        return Ok(None);
    }
    reader.enter()?;
    let form = match op {
        Op::Struct { first, len } => {
            text.push(b'{');
            Form::Struct { next: first, end: first + len }
        }
        Op::List { element, min } => {
            let left = reader.count(min)?;
            text.push(b'[');
            Form::List { element, left }
        }
        Op::Dict { value, min } => {
            let left = reader.count(min)?;
            text.push(b'{');
            Form::Dict { value, left, key: None }
        }
        Op::Optional { value } => {
            if presence(reader)? {
                Form::Optional { value: Some(value) }
            } else {
                text.extend_from_slice(b"null");
                Form::Optional { value: None }
            }
        }
        // Written above.
        Op::Scalar(_) => Form::Optional { value: None },
    };
    Ok(Some(Open { form, in_optional: part.in_optional, empty: true }))
}

#[inline]
fn single(scalar: Scalar, reader: &mut Reader<'_>, text: &mut Vec<u8>) -> Result<(), Fault> {
    match scalar {
        Scalar::Bool => {
            let word: &[u8] = if bool::decode(reader)? { b"true" } else { b"false" };
            text.extend_from_slice(word);
        }
        Scalar::U8 => put(u8::decode(reader)?, text),
        Scalar::U16 => put(u16::decode(reader)?, text),
        Scalar::U32 => put(u32::decode(reader)?, text),
        Scalar::U64 => put(u64::decode(reader)?, text),
        Scalar::I8 => put(i8::decode(reader)?, text),
        Scalar::I16 => put(i16::decode(reader)?, text),
        Scalar::I32 => put(i32::decode(reader)?, text),
        Scalar::I64 => put(i64::decode(reader)?, text),
        Scalar::F16 => {
            let number = f16::decode(reader)?;
            narrow(f32::from(number), F16, number.to_bits(), text);
        }
        Scalar::Bf16 => {
            let number = bf16::decode(reader)?;
            narrow(f32::from(number), BF16, number.to_bits(), text);
        }
        Scalar::F32 => {
            let number = f32::decode(reader)?;
            if number.is_finite() {
                put(number, text);
            } else {
                F32.put_odd(u64::from(number.to_bits()), text);
            }
        }
        Scalar::F64 => {
            let number = f64::decode(reader)?;
            if number.is_finite() {
                put(number, text);
            } else {
                F64.put_odd(number.to_bits(), text);
            }
        }
        Scalar::Str => quote(reader.text()?, text),
        Scalar::Bytes => {
            let run = reader.run()?;
            text.push(b'"');
            let start = text.len();
            // Four characters for three bytes of at most 4 GiB.
            text.resize(run.len().div_ceil(3).saturating_mul(4).saturating_add(start), 0);
            let room = text.get_mut(start..).unwrap_or_default();
            let written = STANDARD.encode_slice(run, room).unwrap_or(0);
            text.truncate(start.saturating_add(written));
            text.push(b'"');
        }
        // No plan has one.
        Scalar::Tensors => return Err(Fault::new(Reason::Refused, reader.offset())),
    }
    Ok(())
}

fn narrow(number: f32, format: Format, bits: u16, text: &mut Vec<u8>) {
    if number.is_finite() {
        put(number, text);
    } else {
        format.put_odd(u64::from(bits), text);
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "two spaces for each of at most 64 containers")]
fn line(depth: usize, text: &mut Vec<u8>) {
    text.push(b'\n');
    text.resize(text.len() + 2 * depth, b' ');
}

impl<'de> Open<'de> {
    /// What comes next, after what stands before it.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "fields are counted in 32 bits")]
    fn next<const PRETTY: bool>(
        &mut self,
        plan: &Plan,
        depth: usize,
        reader: &mut Reader<'de>,
        text: &mut Vec<u8>,
    ) -> Result<Option<Next>, Fault> {
        let op = match &mut self.form {
            Form::Struct { next, end } => {
                while *next < *end {
                    let field = plan.field(*next);
                    *next += 1;
                    if field.optional {
                        reader.enter()?;
                        if !presence(reader)? {
                            reader.leave();
                            continue;
                        }
                    }
                    separate::<PRETTY>(&mut self.empty, depth, text);
                    text.extend_from_slice(plan.key(field));
                    if PRETTY {
                        text.push(b' ');
                    }
                    match plan.at(field.op) {
                        Op::Scalar(scalar) => {
                            single(scalar, reader, text)?;
                            if field.optional {
                                reader.leave();
                            }
                        }
                        _ => return Ok(Some(Next { op: field.op, in_optional: field.optional })),
                    }
                }
                return Ok(None);
            }
            Form::List { element, left } => {
                let Some(more) = left.checked_sub(1) else { return Ok(None) };
                *left = more;
                separate::<PRETTY>(&mut self.empty, depth, text);
                *element
            }
            Form::Optional { value } => match value.take() {
                Some(value) => value,
                None => return Ok(None),
            },
            Form::Dict { value, left, key } => {
                let Some(more) = left.checked_sub(1) else { return Ok(None) };
                *left = more;
                let at = reader.offset();
                let name = reader.text()?;
                if key.is_some_and(|before| name <= before) {
                    return Err(Fault::new(Reason::KeyOrder, at));
                }
                *key = Some(name);
                separate::<PRETTY>(&mut self.empty, depth, text);
                quote(name, text);
                text.extend_from_slice(if PRETTY { b": " } else { b":" });
                *value
            }
        };
        Ok(Some(Next { op, in_optional: false }))
    }

    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "a container that is closed was counted")]
    fn close<const PRETTY: bool>(&self, depth: usize, text: &mut Vec<u8>) {
        let end = match self.form {
            Form::Optional { .. } => return,
            Form::List { .. } => b']',
            Form::Dict { .. } | Form::Struct { .. } => b'}',
        };
        if PRETTY && !self.empty {
            line(depth - 1, text);
        }
        text.push(end);
    }
}

#[inline]
fn separate<const PRETTY: bool>(empty: &mut bool, depth: usize, text: &mut Vec<u8>) {
    if !core::mem::replace(empty, false) {
        text.push(b',');
    }
    if PRETTY {
        line(depth, text);
    }
}
