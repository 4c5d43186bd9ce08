//! From a byte offset back to the value that lies there. Cold: it runs only after a reject, over bytes that
//! were accepted up to the fault.

use crate::error::{Error, Fault, Reason};
use crate::escape::escape;
use crate::limits::Limits;
use crate::schema::{Node, Scalar, Shape, View};
use crate::wire::{MAX_DEPTH, Nest};
use core::fmt;

/// One step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segment {
    /// A field of a struct, by declaration order.
    Field(u32),
    /// An element of a list.
    Index(u32),
    /// A dict's entry: the key or the value, by wire order.
    Entry(u32),
    /// A tensor of a directory.
    Tensor(u32),
}

/// A bounded path: the outermost steps from the value to the fault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Path {
    /// Two bits a segment.
    kinds: u32,
    len: u8,
    cut: bool,
    index: [u32; Path::MAX],
}

impl Path {
    /// How many steps are kept; what lies deeper is left out, but for a tensor.
    pub const MAX: usize = 12;

    pub(crate) const EMPTY: Path = Path { kinds: 0, len: 0, cut: false, index: [0; Path::MAX] };

    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`len` is at most `MAX`, and `kinds` has two bits for each of so many steps"
    )]
    fn push(&mut self, segment: Segment) {
        let (kind, index) = match segment {
            Segment::Field(index) => (0, index),
            Segment::Index(index) => (1, index),
            Segment::Entry(index) => (2, index),
            Segment::Tensor(index) => (3, index),
        };
        let at = if usize::from(self.len) < Path::MAX {
            self.len += 1;
            usize::from(self.len) - 1
        } else {
            self.cut = true;
            if kind != 3 {
                return;
            }
            Path::MAX - 1
        };
        self.index[at] = index;
        self.kinds = self.kinds & !(3 << (2 * at)) | kind << (2 * at);
    }

    /// The steps, outermost first.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`len` is at most `MAX`, and `kinds` has two bits for each of so many steps"
    )]
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.index[..usize::from(self.len)].iter().enumerate().map(|(at, &index)| {
            match self.kinds >> (2 * at) & 3 {
                0 => Segment::Field(index),
                1 => Segment::Index(index),
                2 => Segment::Entry(index),
                _ => Segment::Tensor(index),
            }
        })
    }

    /// `, in PATH (like tensor N)`, or nothing for a fault of the whole.
    pub(crate) fn place(&self, other: Option<u32>) -> impl fmt::Display + '_ {
        struct Place<'a>(&'a Path, Option<u32>);
        impl fmt::Display for Place<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if self.0.len > 0 {
                    write!(f, ", in {}", self.0)?;
                }
                if let Some(other) = self.1 {
                    write!(f, " and tensor {other}")?;
                }
                Ok(())
            }
        }
        Place(self, other)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments().enumerate() {
            let dot = if at == 0 { "" } else { "." };
            match segment {
                Segment::Field(index) => write!(f, "{dot}{index}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Entry(index) => write!(f, "{{{index}}}")?,
                Segment::Tensor(index) if at == 0 => write!(f, "tensor {index}")?,
                Segment::Tensor(index) => write!(f, ", tensor {index}")?,
            }
        }
        if self.cut { f.write_str("…") } else { Ok(()) }
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The Rust type that was read, for errors that can still resolve names.
#[derive(Clone, Copy)]
pub(crate) struct Root(pub(crate) Option<fn() -> Shape>);

impl PartialEq for Root {
    /// Not part of what makes two errors equal: function addresses say nothing.
    fn eq(&self, _: &Root) -> bool {
        true
    }
}

impl Eq for Root {}

/// A step with what the bytes and the type know about it.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Field(u32, &'a str),
    Index(u32),
    Entry(u32, &'a [u8]),
    Tensor(u32, &'a [u8]),
}

impl Step<'_> {
    fn segment(self) -> Segment {
        match self {
            Step::Field(index, _) => Segment::Field(index),
            Step::Index(index) => Segment::Index(index),
            Step::Entry(index, _) => Segment::Entry(index),
            Step::Tensor(index, _) => Segment::Tensor(index),
        }
    }
}

/// Every container is one step, a dict's key or a tensor one more.
const MAX_STEPS: usize = MAX_DEPTH as usize + 2;

/// The way to a fault, whole, and what stands there.
pub(crate) struct Trail<'a> {
    steps: [Step<'a>; MAX_STEPS],
    len: usize,
    /// The bytes that the value at the fault needs, where its type or length says so.
    needed: u64,
    /// Where the directory begins that the fault lies in.
    directory: Option<usize>,
}

/// The fault was reached; the trail says where.
struct Reached;

/// A container of which the walk is inside, and its next part.
enum Level<N, F> {
    List { element: N, next: u32, count: u32 },
    Optional(Option<N>),
    Dict { value: N, next: u32, count: u32 },
    Struct { fields: F, next: u32 },
}

struct Walk<'a> {
    bytes: &'a [u8],
    /// The fault's offset.
    target: usize,
    /// Whether the fault is the depth, which points at a container and not at what lies inside.
    depth_fault: bool,
    trail: Trail<'a>,
}

impl<'a> Walk<'a> {
    fn push(&mut self, step: Step<'a>) {
        if let Some(slot) = self.trail.steps.get_mut(self.trail.len) {
            *slot = step;
            self.trail.len = self.trail.len.saturating_add(1);
        }
    }

    fn pop(&mut self) {
        self.trail.len = self.trail.len.saturating_sub(1);
    }

    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..)?.first_chunk().copied()
    }

    /// Says whether `len` bytes at `at` are there and end before the fault; if so, where they end.
    fn pass(&mut self, at: usize, len: u64) -> Result<usize, Reached> {
        self.trail.needed = len;
        match usize::try_from(len).ok().and_then(|len| at.checked_add(len)) {
            Some(end) if end <= self.bytes.len() && end <= self.target => Ok(end),
            _ => Err(Reached),
        }
    }

    fn length(&mut self, at: usize) -> Result<(u32, usize), Reached> {
        let after = self.pass(at, 4)?;
        Ok((u32::from_le_bytes(self.array(at).ok_or(Reached)?), after))
    }

    fn run(&mut self, at: usize) -> Result<(&'a [u8], usize), Reached> {
        let (len, start) = self.length(at)?;
        let end = self.pass(start, u64::from(len))?;
        // A run that ends where the fault lies was read whole: the fault is the next thing's.
        Ok((self.bytes.get(start..end).ok_or(Reached)?, end))
    }

    /// Walks the value of type `node` from `from` on. The way down is kept in a [`Nest`] and not in calls: explaining
    /// takes no more of the stack for a deep value than for a flat one.
    fn value<N: Node<'a>>(&mut self, node: N, from: Origin) -> Result<usize, Reached> {
        let mut nest: Nest<Level<N, N::Fields>> = Nest::new();
        let (mut part, mut at) = match (from, node.view()) {
            (Origin::Element { at, next, count }, View::List(element)) => {
                nest.push(Level::List { element, next, count });
                (None, at)
            }
            (Origin::Start(at) | Origin::Element { at, .. }, _) => (Some(node), at),
        };
        loop {
            if let Some(node) = part {
                if let Some(level) = self.begin(node, &mut at)? {
                    if !nest.push(level) {
                        return Err(Reached);
                    }
                }
            }
            part = loop {
                let Some(level) = nest.last() else { return Ok(at) };
                match self.next(level, &mut at)? {
                    Some(part) => break Some(part),
                    None => drop(nest.pop()),
                }
            };
        }
    }

    /// Walks past a value without parts, or past what stands before the first part.
    fn begin<N: Node<'a>>(
        &mut self,
        node: N,
        at: &mut usize,
    ) -> Result<Option<Level<N, N::Fields>>, Reached> {
        Ok(Some(match node.view() {
            View::Scalar(Scalar::Str | Scalar::Bytes) => {
                *at = self.run(*at)?.1;
                return Ok(None);
            }
            View::Scalar(Scalar::Tensors) => {
                *at = self.directory(*at)?;
                return Ok(None);
            }
            View::Scalar(scalar) => {
                *at = self.pass(*at, scalar.min_len() as u64)?;
                return Ok(None);
            }
            View::Optional(value) => {
                let present = self.array(*at) != Some([0u8]);
                *at = self.pass(*at, 1)?;
                Level::Optional(if present { Some(value) } else { None })
            }
            View::Struct(fields) => Level::Struct { fields, next: 0 },
            View::List(element) => {
                let (count, after) = self.length(*at)?;
                *at = after;
                Level::List { element, next: 0, count }
            }
            View::Dict(value) => {
                let (count, after) = self.length(*at)?;
                *at = after;
                Level::Dict { value, next: 0, count }
            }
        }))
    }

    /// The next part of a container, if there is one, and its step in the place of the step before it.
    fn next<N: Node<'a>>(
        &mut self,
        level: &mut Level<N, N::Fields>,
        at: &mut usize,
    ) -> Result<Option<N>, Reached> {
        match level {
            Level::Optional(value) => return Ok(value.take()),
            Level::List { next: 1.., .. }
            | Level::Dict { next: 1.., .. }
            | Level::Struct { next: 1.., .. } => {
                self.pop();
            }
            _ => {}
        }
        match level {
            Level::List { element, next, count } if *next < *count => {
                self.push(Step::Index(*next));
                *next = next.saturating_add(1);
                Ok(Some(*element))
            }
            Level::Dict { value, next, count } if *next < *count => {
                self.push(Step::Entry(*next, &[]));
                let (key, after) = self.run(*at)?;
                self.pop();
                self.push(Step::Entry(*next, key));
                (*next, *at) = (next.saturating_add(1), after);
                Ok(Some(*value))
            }
            Level::Struct { fields, next } => Ok(fields.next().map(|(name, field)| {
                self.push(Step::Field(*next, name));
                *next = next.saturating_add(1);
                field
            })),
            _ => Ok(None),
        }
    }

    /// A whole directory, passed over by what its header says; its inside is the judge's.
    fn directory(&mut self, at: usize) -> Result<usize, Reached> {
        self.trail.directory = Some(at);
        let end = self.bytes.get(at..).and_then(crate::tensor::block_len);
        match end.and_then(|len| at.checked_add(len)) {
            Some(end) if end <= self.target && !self.depth_fault => {
                self.trail.directory = None;
                Ok(end)
            }
            _ => Err(Reached),
        }
    }
}

/// Where in its bytes a value is walked from.
#[derive(Clone, Copy)]
pub(crate) enum Origin {
    /// Where it begins.
    Start(usize),
    /// Where an element of the list begins that the value is, of which the bytes before are no longer there.
    #[cfg_attr(not(feature = "json"), expect(dead_code, reason = "lists are read one by one as JSON"))]
    Element { at: usize, next: u32, count: u32 },
}

impl Origin {
    fn at(self) -> usize {
        match self {
            Origin::Start(at) | Origin::Element { at, .. } => at,
        }
    }
}

/// Walks `bytes` by the type down to the fault.
fn trail<'a, N: Node<'a>>(node: N, bytes: &'a [u8], from: Origin, fault: &Fault) -> Trail<'a> {
    let mut walk = Walk {
        bytes,
        target: usize::try_from(fault.offset()).unwrap_or(usize::MAX),
        depth_fault: fault.reason() == Reason::Depth,
        trail: Trail { steps: [Step::Index(0); MAX_STEPS], len: 0, needed: 0, directory: None },
    };
    let whole = matches!(fault.reason(), Reason::Trailing) || walk.target < from.at();
    if whole || walk.value(node, from).is_ok() {
        // The fault is the whole value's.
        walk.trail.len = 0;
        if fault.tensor().is_some() {
            walk.trail.directory = Some(from.at());
        }
    }
    if let Some(index) = fault.tensor() {
        let block = walk.trail.directory.and_then(|at| bytes.get(at..)).unwrap_or(&[]);
        walk.push(Step::Tensor(index, crate::tensor::name_in(block, index).unwrap_or(&[])));
    }
    walk.trail
}

impl Error {
    /// The error of a fault in `bytes`, where the value begins at `start` and has the type `root`.
    #[cold]
    #[inline(never)]
    pub(crate) fn explain(
        fault: Fault,
        bytes: &[u8],
        start: usize,
        root: fn() -> Shape,
        limits: &Limits,
    ) -> Error {
        Error { root: Root(Some(root)), ..Error::explain_by(fault, bytes, start, root, limits) }
    }

    /// The same by any tree; its names are then resolved by whoever holds the tree.
    #[cold]
    pub(crate) fn explain_by<'a, N: Node<'a>>(
        fault: Fault,
        bytes: &'a [u8],
        start: usize,
        node: N,
        limits: &Limits,
    ) -> Error {
        Error::explain_from(fault, bytes, Origin::Start(start), node, limits)
    }

    /// The same, walked from where the bytes are still there.
    #[cold]
    pub(crate) fn explain_from<'a, N: Node<'a>>(
        fault: Fault,
        bytes: &'a [u8],
        from: Origin,
        node: N,
        limits: &Limits,
    ) -> Error {
        let trail = trail(node, bytes, from, &fault);
        let mut path = Path::EMPTY;
        for step in trail.steps.iter().take(trail.len) {
            path.push(step.segment());
        }
        let at = usize::try_from(fault.offset()).unwrap_or(usize::MAX);
        let left = bytes.len().saturating_sub(at) as u64;
        let word = |len: usize| {
            let mut word = [0; 8];
            let found = bytes.get(at..at.saturating_add(len)).unwrap_or_default();
            for (to, from) in word.iter_mut().zip(found) {
                *to = *from;
            }
            u64::from_le_bytes(word)
        };
        let numbers = match fault.reason() {
            Reason::Short => (trail.needed, left),
            Reason::CountCap => (word(4), limits.count),
            Reason::RunCap => (word(4), limits.bytes),
            Reason::TensorCountCap => (word(8), limits.count),
            Reason::NameBytesCap => (word(8), limits.bytes),
            Reason::Trailing | Reason::TrailingBlock => (left, 0),
            _ => (0, 0),
        };
        let (other, numbers) = match trail.directory {
            Some(at) => crate::tensor::details(&fault, bytes.get(at..).unwrap_or(&[]), at, numbers),
            None => (None, numbers),
        };
        Error {
            fault,
            numbers,
            other: other.unwrap_or(u32::MAX),
            start: u32::try_from(from.at()).unwrap_or(u32::MAX),
            root: Root(None),
            path,
        }
    }
}

#[cfg(feature = "json")]
impl Error {
    /// An error of a whole value, and what numbers say of it.
    pub(crate) fn bare(fault: Fault, numbers: (u64, u64)) -> Error {
        Error { fault, numbers, other: u32::MAX, start: 0, root: Root(None), path: Path::EMPTY }
    }

    /// The same error seen from a buffer that starts `before` bytes earlier, in which the value begins at `start`.
    pub(crate) fn moved(self, before: u64, start: usize) -> Error {
        let fault = self.fault.moved(usize::try_from(before).unwrap_or(usize::MAX));
        Error { fault, start: u32::try_from(start).unwrap_or(u32::MAX), ..self }
    }
}

/// An error with the names that its path stands for: what [`Error::describe`] displays.
pub struct Described<'a> {
    error: &'a Error,
    bytes: &'a [u8],
}

impl<'a> Described<'a> {
    pub(crate) fn new(error: &'a Error, bytes: &'a [u8]) -> Self {
        Described { error, bytes }
    }
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.root {
            Root(Some(root)) => self.error.line_by(f, root, self.bytes),
            Root(None) => fmt::Display::fmt(self.error, f),
        }
    }
}

impl Error {
    /// The line with names by any tree.
    pub(crate) fn line_by<'a, N: Node<'a>>(
        &self,
        f: &mut fmt::Formatter<'_>,
        node: N,
        bytes: &'a [u8],
    ) -> fmt::Result {
        let trail = trail(node, bytes, Origin::Start(self.start as usize), &self.fault);
        self.line(f, &Named { trail: &trail, bytes, other: self.other_tensor() })
    }
}

#[cfg(feature = "json")]
impl Error {
    /// The line with names of what [`moved`](Self::moved) gave, by the tree and the bytes that were moved.
    pub(crate) fn line_from<'a, N: Node<'a>>(
        &self,
        f: &mut fmt::Formatter<'_>,
        node: N,
        bytes: &'a [u8],
        from: Origin,
        before: u64,
    ) -> fmt::Result {
        let trail = trail(node, bytes, from, &self.fault.back(before));
        self.line(f, &Named { trail: &trail, bytes, other: self.other_tensor() })
    }
}

struct Named<'t, 'a> {
    trail: &'t Trail<'a>,
    bytes: &'a [u8],
    other: Option<u32>,
}

impl Named<'_, '_> {
    fn tensor(f: &mut fmt::Formatter<'_>, index: u32, name: &[u8]) -> fmt::Result {
        write!(f, "tensor {index}")?;
        if name.is_empty() { Ok(()) } else { write!(f, " \"{}\"", escape(name)) }
    }
}

impl fmt::Display for Named<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.trail.steps.iter().take(self.trail.len).enumerate() {
            if at == 0 {
                f.write_str(", in ")?;
            }
            match *step {
                Step::Field(_, name) if at == 0 => write!(f, "{}", escape(name.as_bytes()))?,
                Step::Field(_, name) => write!(f, ".{}", escape(name.as_bytes()))?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Entry(index, []) => write!(f, "{{{index}}}")?,
                Step::Entry(_, key) => write!(f, "[\"{}\"]", escape(key))?,
                Step::Tensor(index, name) => {
                    f.write_str(if at == 0 { "" } else { ", " })?;
                    Named::tensor(f, index, name)?;
                }
            }
        }
        if let Some(other) = self.other {
            let block = self.trail.directory.and_then(|at| self.bytes.get(at..)).unwrap_or(&[]);
            f.write_str(" and ")?;
            Named::tensor(f, other, crate::tensor::name_in(block, other).unwrap_or(&[]))?;
        }
        Ok(())
    }
}
