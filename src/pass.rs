//! Passing over values that are known to be well, by a type laid flat: what has a fixed size is passed in one step,
//! however many parts it has, so that finding out where a fault lies takes about as long as decoding up to it. Nothing
//! is allocated: a type for which there is no room is gone through part by part.

use crate::schema::{Node, Scalar, View};
use crate::wire::MAX_DEPTH;

/// A part of a value, in the order of the wire.
#[derive(Clone, Copy)]
enum Op<N> {
    /// So many bytes.
    Fixed(u64),
    /// A length and so many bytes.
    Run,
    /// A directory.
    Tensors,
    Struct(Part<N>),
    Optional(Part<N>),
    List(Part<N>),
    Dict(Part<N>),
}

/// A type inside another, laid flat when it is first met: a recursive type has no end.
#[derive(Clone, Copy)]
enum Part<N> {
    Later(N),
    Flat(usize),
}

/// A type laid flat, or one for which there is no room.
#[derive(Clone, Copy)]
struct Flat {
    /// What tells the type.
    key: usize,
    /// Its first part.
    start: usize,
    /// Behind its last part.
    end: usize,
    /// The smallest encoding, or less, in bytes.
    min: u64,
    /// Whether every value takes as many bytes as the smallest.
    fixed: bool,
    fits: bool,
}

/// Structs inside one another that are laid flat together.
const TOGETHER: u32 = 8;

/// Containers inside one another that are passed by calls, and not by what lies on the stack of a plan.
const SHALLOW: u32 = 4;

/// Types laid flat.
pub(crate) struct Plan<N> {
    ops: [Option<Op<N>>; 96],
    len: usize,
    flats: [Option<Flat>; 24],
}

/// A list or dict that a fault lies in, and the part of it.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    /// Where its count lies.
    pub(crate) count_at: usize,
    /// Which element or entry it is.
    pub(crate) index: u32,
    /// Where that begins.
    pub(crate) at: usize,
}

/// The bytes, up to where it is not known that they are well.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) bytes: &'a [u8],
    /// The fault's offset.
    pub(crate) target: usize,
    /// Whether directories that end before the fault are passed.
    pub(crate) directories: bool,
}

impl Known<'_> {
    /// Where `len` bytes at `at` end, if they are there and end before the fault.
    pub(crate) fn pass(&self, at: usize, len: u64) -> Option<usize> {
        let end = at.checked_add(usize::try_from(len).ok()?)?;
        (end <= self.bytes.len() && end <= self.target).then_some(end)
    }

    /// A count or length at `at`, and where it ends.
    pub(crate) fn length(&self, at: usize) -> Option<(u32, usize)> {
        let after = self.pass(at, 4)?;
        Some((u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?), after))
    }

    /// Where the run at `at` ends.
    fn run(&self, at: usize) -> Option<usize> {
        let (len, after) = self.length(at)?;
        self.pass(after, len.into())
    }

    /// Whether there is a value in the optional at `at`, and where its first byte ends.
    fn presence(&self, at: usize) -> Option<(bool, usize)> {
        let after = self.pass(at, 1)?;
        Some((self.bytes.get(at) != Some(&0), after))
    }

    /// Where the directory at `at` ends, by what its header says; its inside is the judge's.
    pub(crate) fn directory(&self, at: usize) -> Option<usize> {
        let len = crate::tensor::block_len(self.bytes.get(at..)?)?;
        at.checked_add(len).filter(|&end| end <= self.target && self.directories)
    }
}

/// What is being passed.
enum Open<N, F> {
    /// The parts of a type laid flat, from one on.
    Parts { next: usize, end: usize },
    /// The fields of a struct for which there was no room.
    Fields(F),
    /// The elements of a list or the entries of a dict.
    Items { item: Part<N>, keys: bool, begun: bool, count: u32, inside: Inside },
}

/// For each container its parts and its items, and what they lie in.
const DEEPEST: usize = 2 * MAX_DEPTH as usize + 2;

struct Stack<N, F> {
    open: [Option<Open<N, F>>; DEEPEST],
    len: usize,
}

impl<N, F> Stack<N, F> {
    /// Nothing where values do not go so deep: some type says other things of itself than it reads.
    fn push(&mut self, open: Open<N, F>) -> Option<()> {
        *self.open.get_mut(self.len)? = Some(open);
        self.len = self.len.saturating_add(1);
        Some(())
    }

    fn last(&mut self) -> Option<&mut Open<N, F>> {
        self.open.get_mut(self.len.checked_sub(1)?)?.as_mut()
    }

    fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }
}

impl<'t, N: Node<'t>> Plan<N> {
    pub(crate) const fn new() -> Self {
        Plan { ops: [const { None }; 96], len: 0, flats: [None; 24] }
    }

    /// The smallest encoding of a `node`, or less, in bytes.
    pub(crate) fn min_len(&mut self, node: N) -> u64 {
        match self.flat(node, 0) {
            Some((_, flat)) => flat.min,
            None => self.part(node).1,
        }
    }

    /// Lays a type flat that lies in so many structs which are being laid flat. Nothing without room.
    fn flat(&mut self, node: N, depth: u32) -> Option<(usize, Flat)> {
        let key = node.key();
        let is_it = |flat: &Option<Flat>| flat.is_none_or(|flat| flat.key == key);
        let id = self.flats.iter().position(is_it)?;
        if let Some(flat) = self.flats.get(id).copied().flatten() {
            return flat.fits.then_some((id, flat));
        }
        // A type that lies in itself is not fixed.
        let none = Flat { key, start: 0, end: 0, min: 0, fixed: false, fits: true };
        *self.flats.get_mut(id)? = Some(none);
        if let View::Struct(fields) = node.view() {
            for (_, field) in fields {
                if depth < TOGETHER && matches!(field.view(), View::Struct(_)) {
                    self.flat(field, depth.saturating_add(1));
                }
            }
        }
        let start = self.len;
        let flat = self.parts(node).map(|min| {
            let fixed = matches!(self.ops.get(start..self.len), Some([] | [Some(Op::Fixed(_))]));
            Flat { start, end: self.len, min, fixed, ..none }
        });
        if flat.is_none() {
            self.len = start;
        }
        *self.flats.get_mut(id)? = Some(flat.unwrap_or(Flat { fits: false, ..none }));
        flat.map(|flat| (id, flat))
    }

    /// Adds the parts of a type, and gives the smallest encoding, in bytes.
    fn parts(&mut self, node: N) -> Option<u64> {
        let start = self.len;
        let View::Struct(fields) = node.view() else {
            let (op, min) = self.part(node);
            self.push(start, op)?;
            return Some(min);
        };
        let mut sum = 0u64;
        for (_, field) in fields {
            let (op, min) = self.part(field);
            self.push(start, op)?;
            sum = sum.saturating_add(min);
        }
        Some(sum)
    }

    /// Adds a part to those from `start` on. Fixed sizes become one.
    fn push(&mut self, start: usize, op: Op<N>) -> Option<()> {
        let before = self.ops.get_mut(start..self.len).and_then(|parts| parts.last_mut());
        if let (Some(Some(Op::Fixed(before))), Op::Fixed(len)) = (before, op) {
            *before = before.saturating_add(len);
            return Some(());
        }
        *self.ops.get_mut(self.len)? = Some(op);
        self.len = self.len.saturating_add(1);
        Some(())
    }

    /// A type as a part of another, and its smallest encoding, or less, in bytes.
    fn part(&self, node: N) -> (Op<N>, u64) {
        match node.view() {
            View::Scalar(Scalar::Str | Scalar::Bytes) => (Op::Run, 4),
            View::Scalar(Scalar::Tensors) => (Op::Tensors, Scalar::Tensors.min_len() as u64),
            View::Scalar(scalar) => (Op::Fixed(scalar.min_len() as u64), scalar.min_len() as u64),
            View::Optional(value) => (Op::Optional(Part::Later(value)), 1),
            View::List(element) => (Op::List(Part::Later(element)), 4),
            View::Dict(value) => (Op::Dict(Part::Later(value)), 4),
            View::Struct(_) => {
                let key = node.key();
                let is_it = |flat: &Flat| flat.key == key && flat.fits;
                let mut flats = self.flats.iter().enumerate();
                match flats.find_map(|(id, flat)| Some((id, flat.filter(is_it)?))) {
                    Some((_, flat)) if flat.fixed => (Op::Fixed(flat.min), flat.min),
                    Some((id, flat)) => (Op::Struct(Part::Flat(id)), flat.min),
                    None => (Op::Struct(Part::Later(node)), 0),
                }
            }
        }
    }

    /// Where the value of type `node` at `at` ends, if it ends before the fault; else `inside` is given the lists and
    /// dicts that the fault lies in, outermost first.
    pub(crate) fn pass(
        &mut self,
        node: N,
        at: usize,
        known: &Known<'_>,
        inside: impl FnMut(Inside),
    ) -> Option<usize> {
        let mut stack = Stack { open: [const { None }; DEEPEST], len: 0 };
        let end = self.run(node, at, known, &mut stack);
        if end.is_none() {
            let open = stack.open.iter().take(stack.len).flatten();
            let items = open.filter_map(|open| match open {
                Open::Items { inside, .. } => Some(*inside),
                _ => None,
            });
            items.for_each(inside);
        }
        end
    }

    fn run(
        &mut self,
        node: N,
        start: usize,
        known: &Known<'_>,
        stack: &mut Stack<N, N::Fields>,
    ) -> Option<usize> {
        let mut at = start;
        let mut part = Some(Part::Later(node));
        loop {
            // What comes next goes on top.
            let mut op = match part.take() {
                None => None,
                Some(part) => self.enter(part, stack)?,
            };
            if op.is_none() {
                match stack.last() {
                    None => return Some(at),
                    Some(Open::Parts { next, end }) => {
                        if next == end {
                            stack.pop();
                            continue;
                        }
                        let number = *next;
                        *next = next.saturating_add(1);
                        op = Some(self.op(number)?);
                    }
                    Some(Open::Fields(fields)) => match fields.next() {
                        Some((_, field)) => part = Some(Part::Later(field)),
                        None => stack.pop(),
                    },
                    Some(Open::Items { item, keys, begun, count, inside }) => {
                        if core::mem::replace(begun, true) {
                            inside.index = inside.index.saturating_add(1);
                            inside.at = at;
                        }
                        if !*keys {
                            at = self.elements(*item, *count, inside, known)?;
                        }
                        if inside.index >= *count {
                            stack.pop();
                            continue;
                        }
                        if *keys {
                            at = known.run(at)?;
                        }
                        part = Some(*item);
                    }
                }
            }
            match op {
                None => {}
                Some(Op::Fixed(len)) => at = known.pass(at, len)?,
                Some(Op::Run) => at = known.run(at)?,
                Some(Op::Tensors) => at = known.directory(at)?,
                Some(Op::Struct(inner)) => part = Some(inner),
                Some(Op::Optional(value)) => {
                    let (present, after) = known.presence(at)?;
                    at = after;
                    part = present.then_some(value);
                }
                Some(op @ (Op::List(item) | Op::Dict(item))) => {
                    let (count, after) = known.length(at)?;
                    let inside = Inside { count_at: at, index: 0, at: after };
                    at = after;
                    let keys = matches!(op, Op::Dict(_));
                    stack.push(Open::Items { item, keys, begun: false, count, inside })?;
                }
            }
        }
    }

    /// Part `number` of a type, with the types in it laid flat.
    fn op(&mut self, number: usize) -> Option<Op<N>> {
        let op = self.ops.get(number).copied().flatten()?;
        let (Op::Struct(part) | Op::Optional(part) | Op::List(part) | Op::Dict(part)) = op else {
            return Some(op);
        };
        let Part::Later(node) = part else { return Some(op) };
        let Some((id, _)) = self.flat(node, 0) else { return Some(op) };
        let part = Part::Flat(id);
        let op = match op {
            Op::Struct(_) => Op::Struct(part),
            Op::Optional(_) => Op::Optional(part),
            Op::List(_) => Op::List(part),
            _ => Op::Dict(part),
        };
        *self.ops.get_mut(number)? = Some(op);
        Some(op)
    }

    /// Goes into a part, or gives what it is if it is not one with parts laid flat.
    fn enter(&mut self, part: Part<N>, stack: &mut Stack<N, N::Fields>) -> Option<Option<Op<N>>> {
        let flat = match part {
            Part::Flat(id) => self.flats.get(id).copied().flatten(),
            Part::Later(node) => match self.flat(node, 0) {
                Some((_, flat)) => Some(flat),
                None => {
                    if let View::Struct(fields) = node.view() {
                        stack.push(Open::Fields(fields))?;
                        return Some(None);
                    }
                    return Some(Some(self.part(node).0));
                }
            },
        }?;
        stack.push(Open::Parts { next: flat.start, end: flat.end })?;
        Some(None)
    }

    /// Passes the elements of a list that end before the fault, as long as that needs no stack, and gives where the next
    /// one begins.
    fn elements(
        &mut self,
        item: Part<N>,
        count: u32,
        inside: &mut Inside,
        known: &Known<'_>,
    ) -> Option<usize> {
        let flat = match item {
            Part::Flat(id) => self.flats.get(id).copied().flatten(),
            Part::Later(node) => self.flat(node, 0).map(|(_, flat)| flat),
        };
        match flat {
            Some(flat) if flat.fixed => {
                let reach = known.target.min(known.bytes.len()).saturating_sub(inside.at) as u64;
                let left = count.saturating_sub(inside.index);
                let passed = reach.checked_div(flat.min)?.min(left.into());
                inside.at = inside.at.checked_add(usize::try_from(passed.checked_mul(flat.min)?).ok()?)?;
                inside.index = inside.index.saturating_add(u32::try_from(passed).ok()?);
            }
            Some(flat) => {
                while inside.index < count {
                    let Some(end) = self.shallow(&flat, inside.at, known, SHALLOW) else { break };
                    inside.at = end;
                    inside.index = inside.index.saturating_add(1);
                }
            }
            None => {}
        }
        Some(inside.at)
    }

    /// Where a value ends, if it ends before the fault and has at most so many containers inside one another, all of
    /// them laid flat.
    fn shallow(&self, flat: &Flat, start: usize, known: &Known<'_>, depth: u32) -> Option<usize> {
        let mut at = start;
        for op in self.ops.get(flat.start..flat.end)? {
            at = match *op.as_ref()? {
                Op::Fixed(len) => known.pass(at, len)?,
                Op::Run => known.run(at)?,
                Op::Tensors => known.directory(at)?,
                Op::Struct(part) => self.few(part, 1, false, at, known, depth)?,
                Op::Optional(part) => {
                    let (present, after) = known.presence(at)?;
                    self.few(part, present.into(), false, after, known, depth)?
                }
                Op::List(part) => {
                    let (count, after) = known.length(at)?;
                    self.few(part, count, false, after, known, depth)?
                }
                Op::Dict(part) => {
                    let (count, after) = known.length(at)?;
                    self.few(part, count, true, after, known, depth)?
                }
            };
        }
        Some(at)
    }

    /// Where `count` such values in a row end, each behind its key if they have keys.
    fn few(
        &self,
        part: Part<N>,
        count: u32,
        keys: bool,
        start: usize,
        known: &Known<'_>,
        depth: u32,
    ) -> Option<usize> {
        let Part::Flat(id) = part else { return None };
        let flat = self.flats.get(id)?.as_ref()?;
        if flat.fixed && !keys {
            return known.pass(start, flat.min.checked_mul(count.into())?);
        }
        let depth = depth.checked_sub(1)?;
        let mut at = start;
        for _ in 0..count {
            if keys {
                at = known.run(at)?;
            }
            at = self.shallow(flat, at, known, depth)?;
        }
        Some(at)
    }
}
