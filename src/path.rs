//! From a byte offset back to the value that lies there. Cold: it runs only after a reject, over bytes that
//! were accepted up to the fault.

use crate::error::{Code, Error, Fault, Numbers, Reason};
use crate::escape::{quoted, short};
use crate::limits::Limits;
use crate::pass::{Inside, Known, Plan};
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
}

/// A path with the names of fields, as far as the type that was read is known.
pub(crate) struct NamedPath<'a> {
    path: &'a Path,
    root: Root,
}

impl fmt::Display for NamedPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut node = self.root.shape;
        for (at, segment) in self.path.segments().enumerate() {
            let dot = if at == 0 { "" } else { "." };
            let mut name = None;
            // The list around a record is no part of the record's type.
            if at > 0 || !self.root.is_record() {
                let found = node.and_then(|node| step(node, segment));
                (node, name) = (found.map(|found| found.0), found.and_then(|found| found.1));
            }
            match (segment, name) {
                (Segment::Field(_), Some(name)) => write!(f, "{dot}{}", short(name.as_bytes()))?,
                (Segment::Field(index), None) => write!(f, "{dot}{index}")?,
                (Segment::Index(index), _) => write!(f, "[{index}]")?,
                (Segment::Entry(index), _) => write!(f, "{{{index}}}")?,
                (Segment::Tensor(index), _) if at == 0 => write!(f, "tensor {index}")?,
                (Segment::Tensor(index), _) => write!(f, ", tensor {index}")?,
            }
        }
        if self.path.cut { f.write_str("…") } else { Ok(()) }
    }
}

/// A Rust type's shape, which is only unrolled as far as anybody looks.
type Unrolled = fn() -> Shape;

/// The part of a type that a step leads to, and its name if it is a field.
fn step(mut node: Unrolled, segment: Segment) -> Option<(Unrolled, Option<&'static str>)> {
    // Optionals are no steps.
    for _ in 0..=MAX_DEPTH {
        return match (node(), segment) {
            (Shape::Optional(value), _) => {
                node = value;
                continue;
            }
            (Shape::Struct(fields), Segment::Field(index)) => {
                let field = fields.get(usize::try_from(index).ok()?)?;
                Some((field.shape, Some(field.name)))
            }
            (Shape::List(part), Segment::Index(_)) | (Shape::Dict(part), Segment::Entry(_)) => {
                Some((part, None))
            }
            _ => None,
        };
    }
    None
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

/// What was read, for errors that can still resolve names.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    /// The Rust type.
    pub(crate) shape: Option<fn() -> Shape>,
    /// Where its value begins in the buffer, and [`RECORD`](Self::RECORD).
    place: u64,
}

impl Root {
    /// Of a record of a list, to which the first step of the path leads.
    const RECORD: u64 = 1 << 63;

    /// No Rust type.
    pub(crate) fn unknown(start: usize) -> Root {
        Root { shape: None, place: start as u64 & !Root::RECORD }
    }

    /// A value of a Rust type, of which nothing is read.
    pub(crate) fn of(shape: fn() -> Shape) -> Root {
        Root { shape: Some(shape), place: 0 }
    }

    fn start(self) -> usize {
        usize::try_from(self.place & !Root::RECORD).unwrap_or(usize::MAX)
    }

    fn is_record(self) -> bool {
        self.place & Root::RECORD != 0
    }
}

impl PartialEq for Root {
    /// Not part of what makes two errors equal: function addresses say nothing, nor does where somebody began to read.
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
    Tensor(u32),
}

impl Step<'_> {
    fn segment(self) -> Segment {
        match self {
            Step::Field(index, _) => Segment::Field(index),
            Step::Index(index) => Segment::Index(index),
            Step::Entry(index, _) => Segment::Entry(index),
            Step::Tensor(index) => Segment::Tensor(index),
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
    /// What the value at the fault is, if it has no parts.
    scalar: Option<Scalar>,
    /// The bytes that each element needs at least, if the value at the fault is a list or dict.
    element: u64,
    /// Where the directory begins that the fault lies in.
    directory: Option<usize>,
}

impl<'a> Trail<'a> {
    fn push(&mut self, step: Step<'a>) {
        if let Some(slot) = self.steps.get_mut(self.len) {
            *slot = step;
            self.len = self.len.saturating_add(1);
        }
    }

    fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }
}

/// The fault was reached; the trail says where.
struct Reached;

/// A struct or optional of which the walk is inside, and its next part.
enum Level<N, F> {
    /// The one element of a list, or the one value of a dict, that the fault lies in.
    Item,
    Optional(Option<N>),
    Struct {
        fields: F,
        next: u32,
    },
}

/// The walk down to a fault. Everything before it has been passed once to see which elements of which lists it lies in;
/// then the walk goes into these, and passes over what stands beside them.
struct Walk<'a, N> {
    known: Known<'a>,
    plan: Plan<N>,
    /// The lists and dicts that the fault lies in, the outermost first.
    inside: Nest<Inside>,
    /// How many of these the walk has gone into.
    gone: usize,
    trail: Trail<'a>,
}

impl<'a, N: Node<'a>> Walk<'a, N> {
    /// Says whether `len` bytes at `at` are there and end before the fault; if so, where they end.
    fn pass(&mut self, at: usize, len: u64) -> Result<usize, Reached> {
        self.trail.needed = len;
        self.known.pass(at, len).ok_or(Reached)
    }

    fn run(&mut self, at: usize) -> Result<(&'a [u8], usize), Reached> {
        self.pass(at, 4)?;
        let (len, start) = self.known.length(at).ok_or(Reached)?;
        let end = self.pass(start, u64::from(len))?;
        // A run that ends where the fault lies was read whole: the fault is the next thing's.
        Ok((self.known.bytes.get(start..end).ok_or(Reached)?, end))
    }

    /// Walks the value of type `node` at `at`, which lies in so many containers. The way down is kept in a [`Nest`] and
    /// not in calls: explaining takes no more of the stack for a deep value than for a flat one.
    fn value(&mut self, node: N, at: usize, depth: usize) -> Result<usize, Reached> {
        let inside = &mut self.inside;
        if let Some(end) = self.plan.pass(node, at, &self.known, |item| _ = inside.push(item)) {
            return Ok(end);
        }
        let mut nest: Nest<Level<N, N::Fields>> = Nest::new();
        let (mut node, mut at) = (node, at);
        loop {
            if let Some(level) = self.begin(&mut node, &mut at)? {
                if depth.saturating_add(nest.iter().count()) >= MAX_DEPTH as usize || !nest.push(level) {
                    return Err(Reached);
                }
                if let Some(Level::Item) = nest.last() {
                    continue;
                }
            }
            node = loop {
                let Some(level) = nest.last() else { return Ok(at) };
                match self.next(level) {
                    Some(part) => break part,
                    None => drop(nest.pop()),
                }
            };
        }
    }

    /// Walks past a value without parts, or past what stands before the part that is gone into; of a list or dict, to
    /// that part.
    fn begin(&mut self, node: &mut N, at: &mut usize) -> Result<Option<Level<N, N::Fields>>, Reached> {
        self.trail.scalar = None;
        Ok(Some(match node.view() {
            View::Scalar(scalar) => {
                self.trail.scalar = Some(scalar);
                *at = match scalar {
                    Scalar::Str | Scalar::Bytes => self.run(*at)?.1,
                    Scalar::Tensors => {
                        self.trail.directory = Some(*at);
                        let end = self.known.directory(*at).ok_or(Reached)?;
                        self.trail.directory = None;
                        end
                    }
                    scalar => self.pass(*at, scalar.min_len() as u64)?,
                };
                return Ok(None);
            }
            View::Optional(value) => {
                let present = self.known.bytes.get(*at) != Some(&0);
                *at = self.pass(*at, 1)?;
                Level::Optional(if present { Some(value) } else { None })
            }
            View::Struct(fields) => Level::Struct { fields, next: 0 },
            View::List(part) | View::Dict(part) => {
                let keys = matches!(node.view(), View::Dict(_));
                let inside = self.inside.iter().nth(self.gone).copied();
                let Some(inside) = inside.filter(|inside| inside.count_at == *at) else {
                    // Well as a whole, or the fault is the count's.
                    if let Some(end) = self.plan.pass(*node, *at, &self.known, |_| ()) {
                        *at = end;
                        return Ok(None);
                    }
                    let key = if keys { 4 } else { 0 };
                    let least = part.least().unwrap_or_else(|| self.plan.min_len(part));
                    self.trail.element = least.saturating_add(key);
                    self.trail.needed = 4;
                    return Err(Reached);
                };
                self.gone = self.gone.saturating_add(1);
                *at = inside.at;
                if keys {
                    self.trail.push(Step::Entry(inside.index, &[]));
                    let (key, after) = self.run(*at)?;
                    self.trail.pop();
                    self.trail.push(Step::Entry(inside.index, key));
                    *at = after;
                } else {
                    self.trail.push(Step::Index(inside.index));
                }
                *node = part;
                Level::Item
            }
        }))
    }

    /// The next part of a container, if there is one, and its step in the place of the step before it.
    fn next(&mut self, level: &mut Level<N, N::Fields>) -> Option<N> {
        match level {
            Level::Item => {
                self.trail.pop();
                None
            }
            Level::Optional(value) => value.take(),
            Level::Struct { fields, next } => {
                if *next > 0 {
                    self.trail.pop();
                }
                let (name, field) = fields.next()?;
                self.trail.push(Step::Field(*next, name));
                *next = next.saturating_add(1);
                Some(field)
            }
        }
    }
}

/// Walks `bytes` from `start` by the type down to the fault; the value lies in so many containers.
pub(crate) fn trail<'a, N: Node<'a>>(
    node: N,
    bytes: &'a [u8],
    start: usize,
    depth: usize,
    fault: &Fault,
) -> Trail<'a> {
    let target = usize::try_from(fault.offset()).unwrap_or(usize::MAX);
    let trail = Trail {
        steps: [Step::Index(0); MAX_STEPS],
        len: 0,
        needed: 0,
        scalar: None,
        element: 0,
        directory: None,
    };
    // A fault of the depth points at a container, and not at what lies inside.
    let known = Known { bytes, target, directories: fault.reason() != Reason::Depth };
    let mut walk = Walk { known, plan: Plan::new(), inside: Nest::new(), gone: 0, trail };
    let whole = matches!(fault.reason(), Reason::Trailing) || target < start;
    if whole || walk.value(node, start, depth).is_ok() {
        // The fault is the whole value's.
        walk.trail.len = 0;
        if fault.tensor().is_some() {
            walk.trail.directory = Some(start);
        }
    }
    if let Some(index) = fault.tensor() {
        walk.trail.push(Step::Tensor(index));
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
        let error = Error::explain_by(fault, bytes, start, root, limits);
        Error { root: Root { shape: Some(root), ..error.root }, ..error }
    }

    /// The error of a fault in record `index` of a list: as [`explain`](Self::explain) of the record, seen from the list.
    #[cold]
    #[inline(never)]
    pub(crate) fn explain_record(
        fault: Fault,
        bytes: &[u8],
        (index, start): (usize, usize),
        root: fn() -> Shape,
        limits: &Limits,
    ) -> Error {
        let error = Error::explain_inside(fault, bytes, start, 1, root, limits);
        let root = Root { shape: Some(root), place: error.root.place | Root::RECORD };
        Error { root, ..error.behind(index) }
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
        Error::explain_inside(fault, bytes, start, 0, node, limits)
    }

    /// The same of a value that lies in so many containers.
    #[cold]
    pub(crate) fn explain_inside<'a, N: Node<'a>>(
        fault: Fault,
        bytes: &'a [u8],
        start: usize,
        depth: usize,
        node: N,
        limits: &Limits,
    ) -> Error {
        let trail = trail(node, bytes, start, depth, &fault);
        let mut path = Path::EMPTY;
        for step in trail.steps.iter().take(trail.len) {
            path.push(step.segment());
        }
        let numbers = numbers(&fault, bytes, &trail, limits);
        let (other, numbers) = match trail.directory {
            Some(at) => crate::tensor::details(&fault, bytes.get(at..).unwrap_or(&[]), at, numbers),
            None => (None, numbers),
        };
        let other = other.unwrap_or(u32::MAX);
        Error { fault, numbers, other, root: Root::unknown(start), path }
    }

    /// Seen from the list that the value is the element `index` of.
    fn behind(self, index: usize) -> Error {
        let mut path = Path::EMPTY;
        path.push(Segment::Index(u32::try_from(index).unwrap_or(u32::MAX)));
        for segment in self.path.segments() {
            path.push(segment);
        }
        path.cut |= self.path.cut;
        Error { path, ..self }
    }
}

/// What numbers say of a fault.
fn numbers(fault: &Fault, bytes: &[u8], trail: &Trail<'_>, limits: &Limits) -> Numbers {
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
    match fault.reason() {
        Reason::Short => Numbers::claimed(trail.needed, left),
        Reason::CountShort => {
            let count = word(4);
            Numbers::counted(count, count.saturating_mul(trail.element), left.saturating_sub(4))
        }
        Reason::CountCap => Numbers::claimed(word(4), limits.count),
        Reason::RunCap => Numbers::claimed(word(4), limits.bytes),
        Reason::TensorCountCap => Numbers::claimed(word(8), limits.count),
        Reason::NameBytesCap => Numbers::claimed(word(8), limits.bytes),
        Reason::Trailing | Reason::TrailingBlock => Numbers::left_over(left),
        Reason::Budget => match fault.number() {
            Some(excess) => Numbers::claimed(limits.owned.saturating_add(excess), limits.owned),
            None => Numbers::NONE,
        },
        Reason::ArrayCount => match fault.number() {
            Some(expected) => Numbers::expected(word(4), expected),
            None => Numbers::found(word(4)),
        },
        Reason::BoolByte | Reason::PresenceByte => Numbers::found(word(1)),
        Reason::EnumValue => match trail.scalar {
            Some(scalar @ (Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)) => {
                // The sign is the highest bit of the integer, and is to be that of 64.
                let unused =
                    u32::try_from(8usize.saturating_sub(scalar.min_len())).unwrap_or(0).saturating_mul(8);
                let bits = word(scalar.min_len()).wrapping_shl(unused);
                Numbers::signed(i64::from_le_bytes(bits.to_le_bytes()).wrapping_shr(unused))
            }
            Some(scalar) if scalar.is_fixed() => Numbers::found(word(scalar.min_len())),
            _ => Numbers::NONE,
        },
        _ => Numbers::NONE,
    }
}

#[cfg(feature = "json")]
impl Error {
    /// An error of a whole value, and what numbers say of it.
    pub(crate) fn bare(fault: Fault, numbers: Numbers) -> Error {
        Error { fault, numbers, other: u32::MAX, root: Root::unknown(0), path: Path::EMPTY }
    }

    /// The error of an element whose bytes were preceded by `before` others, seen from the list around it, which begins
    /// at `start`.
    pub(crate) fn within(self, index: usize, before: u64, start: usize) -> Error {
        let fault = self.fault.moved(usize::try_from(before).unwrap_or(usize::MAX));
        Error { fault, root: Root::unknown(start), ..self.behind(index) }
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
        let (error, bytes) = (self.error, self.bytes);
        let start = error.root.start();
        match error.root.shape {
            Some(_) if error.path.len == 0 => error.line_without_bytes(f),
            Some(root) if error.root.is_record() => {
                let trail = trail(root, bytes, start, 1, &error.fault);
                error.line_of(f, trail.behind(error.path().next()), bytes)
            }
            Some(root) => error.line_of(f, trail(root, bytes, start, 0, &error.fault), bytes),
            None => error.line_without_bytes(f),
        }
    }
}

impl Error {
    /// The path with the names of fields.
    pub(crate) fn named_path(&self) -> NamedPath<'_> {
        NamedPath { path: &self.path, root: self.root }
    }

    /// The line with the names that are known without the bytes.
    pub(crate) fn line_without_bytes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Place<'a>(&'a Error);
        impl fmt::Display for Place<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if self.0.path.len > 0 {
                    write!(f, ", in {}", self.0.named_path())?;
                }
                if let Some(other) = self.0.other_tensor() {
                    write!(f, " and tensor {other}")?;
                }
                Ok(())
            }
        }
        match self.root.shape {
            Some(root) => self.line(f, &Place(self), Some(&Text(root))),
            None => self.line(f, &Place(self), None),
        }
    }

    /// The line with names by any tree.
    pub(crate) fn line_by<'a, N: Node<'a>>(
        &self,
        f: &mut fmt::Formatter<'_>,
        node: N,
        bytes: &'a [u8],
    ) -> fmt::Result {
        if self.code() == Code::Schema {
            return self.line(f, &"", Some(&Text(node)));
        }
        let start = self.root.start();
        self.line_of(f, trail(node, bytes, start, 0, &self.fault), bytes)
    }

    fn line_of(&self, f: &mut fmt::Formatter<'_>, trail: Trail<'_>, bytes: &[u8]) -> fmt::Result {
        self.line(f, &Named { trail: &trail, bytes, error: self }, None)
    }
}

impl Trail<'_> {
    /// Seen from a list, by the step that leads to its element.
    fn behind(mut self, first: Option<Segment>) -> Self {
        if let Some(Segment::Index(index)) = first {
            self.steps.rotate_right(1);
            self.steps[0] = Step::Index(index);
            self.len = self.len.saturating_add(1).min(MAX_STEPS);
        }
        self
    }
}

#[cfg(feature = "json")]
impl Error {
    /// The line with names of what [`within`](Self::within) gave, by the tree of the element, which begins at `start`.
    pub(crate) fn line_within<'a, N: Node<'a>>(
        &self,
        f: &mut fmt::Formatter<'_>,
        node: N,
        bytes: &'a [u8],
        start: usize,
        before: u64,
    ) -> fmt::Result {
        let trail = trail(node, bytes, start, 1, &self.fault.back(before));
        self.line_of(f, trail.behind(self.path().next()), bytes)
    }
}

/// The beginning of a type's text.
struct Text<N>(N);

impl<'t, N: Node<'t>> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut room = 200usize;
        text(self.0, f, &mut room)?;
        if room == 0 { f.write_str("…") } else { Ok(()) }
    }
}

/// Writes a type's text as far as there is room. Each level takes some of it, so that they are few.
fn text<'t, N: Node<'t>>(node: N, f: &mut fmt::Formatter<'_>, room: &mut usize) -> fmt::Result {
    let put = |f: &mut fmt::Formatter<'_>, token: &str, room: &mut usize| {
        if *room > token.len() {
            *room = room.saturating_sub(token.len());
            return f.write_str(token);
        }
        *room = 0;
        Ok(())
    };
    let part = match node.view() {
        View::Scalar(scalar) => return put(f, scalar.name(), room),
        View::List(part) => {
            put(f, "list{", room)?;
            part
        }
        View::Optional(part) => {
            put(f, "optional{", room)?;
            part
        }
        View::Dict(part) => {
            put(f, "dict{", room)?;
            part
        }
        View::Struct(fields) => {
            put(f, "struct{", room)?;
            for (name, part) in fields {
                put(f, name, room)?;
                put(f, ":", room)?;
                if *room == 0 {
                    return Ok(());
                }
                text(part, f, room)?;
                put(f, ",", room)?;
            }
            return put(f, "}", room);
        }
    };
    if *room > 0 {
        text(part, f, room)?;
    }
    put(f, "}", room)
}

struct Named<'t, 'a> {
    trail: &'t Trail<'a>,
    bytes: &'a [u8],
    error: &'t Error,
}

impl Named<'_, '_> {
    fn tensor(&self, f: &mut fmt::Formatter<'_>, index: u32) -> fmt::Result {
        let block = self.trail.directory.and_then(|at| self.bytes.get(at..)).unwrap_or(&[]);
        // Behind step 8 names lie where they should.
        let placed = self.error.step().is_some_and(|step| step > 8);
        write!(f, "tensor {index}")?;
        match crate::tensor::name_in(block, index, placed) {
            Some(name @ [_, ..]) => write!(f, " {}", quoted(name)),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Named<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.trail.steps.iter().take(self.trail.len).enumerate() {
            if at == 0 {
                f.write_str(", in ")?;
            }
            match *step {
                Step::Field(_, name) if at == 0 => write!(f, "{}", short(name.as_bytes()))?,
                Step::Field(_, name) => write!(f, ".{}", short(name.as_bytes()))?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Entry(index, []) => write!(f, "{{{index}}}")?,
                Step::Entry(_, key) => write!(f, "[{}]", quoted(key))?,
                Step::Tensor(index) => {
                    f.write_str(if at == 0 { "" } else { ", " })?;
                    self.tensor(f, index)?;
                }
            }
        }
        if let Some(other) = self.error.other_tensor() {
            f.write_str(" and ")?;
            self.tensor(f, other)?;
        }
        Ok(())
    }
}
