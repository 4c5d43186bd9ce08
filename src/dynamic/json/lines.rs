//! The elements of a list on a stream, each as a line of JSON, in memory for one of them.

use super::plan::Op;
use super::write::{self, Memory, Stop};
use super::{DecodeError, Json};
use crate::error::{Code, Error, Fault, Numbers, Reason};
use crate::frame;
use crate::limits::Limits;
use crate::schema::Kind;
use crate::wire::{Reader, Source};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use std::io::{self, Read};

/// Reads a list from a stream and gives its elements one by one as JSON, in memory for the largest of them: made by
/// [`Json::lines`].
///
/// The verdict is that of [`dynamic::check`](super::super::check) on all bytes of the stream, offsets included; only
/// that lines before the fault have been given out then. [`describe`](JsonLines::describe) has the names for it.
///
/// ```
/// use kiln::dynamic::Json;
/// use kiln::{Limits, schema::Type};
///
/// let bytes = kiln::to_vec(&[(1u8, "one"), (2, "two")])?;
/// let json = Json::new(Type::of::<[(u8, &str)]>()?)?;
/// let mut lines = json.lines(&bytes[..], &Limits::DEFAULT)?;
/// let mut text = Vec::new();
/// while lines.next_line(&mut text)? {}
/// assert_eq!(text, b"{\"0\":1,\"1\":\"one\"}\n{\"0\":2,\"1\":\"two\"}\n");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct JsonLines<'a, R> {
    json: &'a Json,
    /// What an element is.
    element: u32,
    /// The smallest encoding of an element.
    min: usize,
    limits: Limits,
    input: R,
    /// Whether the stream has ended.
    ended: bool,
    buffer: Vec<u8>,
    /// Where in the buffer the next element begins.
    at: usize,
    /// How many bytes of the stream came before the buffer.
    before: u64,
    /// Where the count stands in the stream.
    start: usize,
    count: usize,
    /// How many elements were given out.
    given: usize,
    /// How many bytes were read behind the buffer, to see how many there are.
    passed: u64,
    /// The fault that was found, which stays.
    failed: Option<Error>,
}

/// A stream that cannot say that it has read more than it was asked for, at which the standard library panics.
struct Honest<'a, R>(&'a mut R);

impl<R: Read> Read for Honest<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            read if read <= buffer.len() => Ok(read),
            _ => Err(io::Error::other("the reader says it has read more than it was asked for")),
        }
    }
}

/// How much is read at first, and at least.
const PIECE: usize = 1 << 16;

impl Json {
    /// Begins to read a list from a stream.
    ///
    /// # Errors
    /// [`DecodeError::NotList`] when the type is none; LIMIT and EOF for the count; what the stream says.
    pub fn lines<R: Read>(&self, input: R, limits: &Limits) -> Result<JsonLines<'_, R>, DecodeError> {
        JsonLines::begin(self, input, limits, None)
    }

    /// [`lines`](Self::lines) of a framed list.
    ///
    /// # Errors
    /// [`DecodeError::Type`] for a type without a hash; EOF, FRAME and SCHEMA for the frame; then as
    /// [`lines`](Self::lines).
    pub fn lines_framed<R: Read>(&self, input: R, limits: &Limits) -> Result<JsonLines<'_, R>, DecodeError> {
        let hash = self.ty.hash().map_err(DecodeError::Type)?;
        JsonLines::begin(self, input, limits, Some(hash))
    }
}

impl<'a, R: Read> JsonLines<'a, R> {
    fn begin(json: &'a Json, input: R, limits: &Limits, hash: Option<u64>) -> Result<Self, DecodeError> {
        let Op::List { element, min } = json.plan.at(json.plan.root) else {
            return Err(DecodeError::NotList);
        };
        let start = if hash.is_some() { frame::LEN } else { 0 };
        let (at, before, count, given) = (start, 0, 0, 0);
        let (buffer, limits) = (Vec::new(), *limits);
        let mut lines = JsonLines {
            json,
            element,
            min,
            limits,
            input,
            ended: false,
            buffer,
            at,
            before,
            start,
            count,
            given,
            passed: 0,
            failed: None,
        };
        while lines.buffer.get(start..).is_none_or(|read| read.len() < 4) && !lines.ended {
            lines.fill()?;
        }
        if let Some(hash) = hash {
            frame::expect(&lines.buffer, hash).map_err(DecodeError::Rejected)?;
        }
        // Whether so many elements fit is seen when the stream has ended.
        let mut reader = Reader::new(&lines.buffer, start, &limits);
        match reader.count(0) {
            Ok(count) => {
                lines.at = reader.offset();
                lines.count = count;
                Ok(lines)
            }
            Err(fault) => Err(DecodeError::Rejected(Error::explain_by(
                fault,
                &lines.buffer,
                start,
                json.ty.root(),
                &limits,
            ))),
        }
    }

    /// How many elements were given out.
    #[must_use]
    pub fn given(&self) -> usize {
        self.given
    }

    /// Appends the next element as one line of compact JSON and a newline. Says no, and appends nothing, after the last.
    ///
    /// # Errors
    /// [`DecodeError::Rejected`] as [`dynamic::check`](super::super::check), the same whenever it is asked again;
    /// [`DecodeError::Io`] for what the stream says, which may be tried again. Nothing was appended then.
    pub fn next_line(&mut self, out: &mut Vec<u8>) -> Result<bool, DecodeError> {
        if let Some(error) = self.failed {
            return Err(DecodeError::Rejected(error));
        }
        let line = self.line(out);
        if let Err(DecodeError::Rejected(error)) = &line {
            self.failed = Some(*error);
        }
        line
    }

    #[expect(clippy::arithmetic_side_effects, reason = "counts lines up to `count`")]
    fn line(&mut self, out: &mut Vec<u8>) -> Result<bool, DecodeError> {
        if self.given == self.count {
            return self.end().map(|()| false);
        }
        let length = out.len();
        loop {
            let mut reader = Reader::new(&self.buffer, self.at, &self.limits).inside(1);
            match write::value::<false>(&self.json.plan, self.element, &mut reader, &mut Memory(out)) {
                Ok(()) => {
                    self.at = reader.offset();
                    self.given += 1;
                    out.push(b'\n');
                    return Ok(true);
                }
                Err(Stop::Io(error)) => return Err(DecodeError::Io(error)),
                Err(Stop::Fault(fault)) => {
                    out.truncate(length);
                    // Of what is there nothing is wrong, but it is not all.
                    if fault.reason().code() == Code::Eof && !self.ended {
                        self.fill()?;
                        continue;
                    }
                    return Err(self.reject(fault));
                }
            }
        }
    }

    /// The line of an error that [`next_line`](Self::next_line) ended with, with names in the place of indices, as
    /// [`Type::describe`](crate::schema::Type::describe) gives it from all bytes.
    ///
    /// ```
    /// use kiln::dynamic::{DecodeError, Json};
    /// use kiln::{Limits, schema::Type};
    ///
    /// let json = Json::new(Type::parse("list{struct{id:u32,active:bool,}}")?)?;
    /// let bytes = [1, 0, 0, 0, 7, 0, 0, 0, 3];
    /// let mut lines = json.lines(&bytes[..], &Limits::DEFAULT)?;
    /// let Err(DecodeError::Rejected(error)) = lines.next_line(&mut Vec::new()) else { panic!() };
    /// assert_eq!(
    ///     lines.describe(&error).to_string(),
    ///     "TYPE at byte 8 (0x8), in [0].active: a bool byte is neither 0 nor 1 (found 3)"
    /// );
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn describe<'e>(&'e self, error: &'e Error) -> impl fmt::Display + 'e {
        struct Line<'e, 'a, R>(&'e JsonLines<'a, R>, &'e Error);
        impl<R> fmt::Display for Line<'_, '_, R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Line(lines, error) = self;
                match (lines.json.ty.root().kind(), error.path().next()) {
                    // The element is still in the buffer.
                    (Kind::List(element), Some(_)) => {
                        error.line_within(f, element, &lines.buffer, lines.at, lines.before)
                    }
                    _ => fmt::Display::fmt(error, f),
                }
            }
        }
        Line(self, error)
    }

    /// Reads on, as much again as the buffer has left.
    #[expect(clippy::arithmetic_side_effects, reason = "counts bytes of a stream")]
    fn fill(&mut self) -> Result<(), DecodeError> {
        // The frame and the count are looked at together.
        if self.count > 0 {
            self.buffer.drain(..self.at);
            self.before += self.at as u64;
            self.at = 0;
        }
        let more = self.buffer.len().max(PIECE) as u64;
        let read = Honest(&mut self.input).take(more).read_to_end(&mut self.buffer)?;
        self.ended = (read as u64) < more;
        Ok(())
    }

    /// After the last element.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`at` is a position in the buffer; counts bytes of a stream"
    )]
    fn end(&mut self) -> Result<(), DecodeError> {
        if self.at == self.buffer.len() && !self.ended {
            self.fill()?;
        }
        let mut left = (self.buffer.len() - self.at) as u64;
        if left == 0 {
            return Ok(());
        }
        self.pass(u64::MAX)?;
        left += self.passed;
        let fault = Fault::at(Reason::Trailing, self.before + self.at as u64);
        Err(DecodeError::Rejected(Error::bare(fault, Numbers::left_over(left))))
    }

    /// The error of a fault in the buffer, unless the count was at fault all the time.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "counts bytes of a stream, of which frame and count are the first"
    )]
    fn reject(&mut self, fault: Fault) -> DecodeError {
        let begin = self.start as u64 + 4;
        let needed = (self.count as u64).saturating_mul(self.min as u64);
        let there = self.before + self.buffer.len() as u64 - begin;
        let missing = needed.saturating_sub(there);
        if let Err(error) = self.pass(missing) {
            return DecodeError::Io(error);
        }
        if self.passed < missing {
            let fault = Fault::new(Reason::CountShort, self.start);
            let numbers = Numbers::counted(self.count as u64, needed, there + self.passed);
            return DecodeError::Rejected(Error::bare(fault, numbers));
        }
        let Kind::List(element) = self.json.ty.root().kind() else { return DecodeError::NotList };
        let error = Error::explain_inside(fault, &self.buffer, self.at, 1, element, &self.limits);
        DecodeError::Rejected(error.within(self.given, self.before, self.start))
    }

    /// Reads on behind the buffer, keeping nothing, until `most` bytes were read there or the stream ends.
    #[expect(clippy::arithmetic_side_effects, reason = "counts bytes of a stream")]
    fn pass(&mut self, most: u64) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        while self.passed < most {
            let room = usize::try_from(most - self.passed).unwrap_or(PIECE).min(PIECE);
            match Honest(&mut self.input).read(piece.get_mut(..room).unwrap_or_default()) {
                Ok(0) => break,
                Ok(read) => self.passed += read as u64,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl<R> fmt::Debug for JsonLines<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonLines")
            .field("given", &self.given)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}
