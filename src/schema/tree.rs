//! Types as values: a tree kept flat, so that neither its depth nor a loop in it ever costs stack.

use super::{Node, Scalar, StaticType, Typed, View, fnv1a};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

/// A type known at run time: what [`parse`](Type::parse) reads from a canonical type text, and what drives
/// [`dynamic`](crate::dynamic) values. Chapter: Canonical type text and schema hash.
///
/// Two types are equal when their texts are, or, for types that contain themselves, when no path from the one
/// leads to anything else than the same path from the other.
///
/// ```
/// use kiln::schema::Type;
/// let request = Type::parse("struct{id:i64,batch:tensors,}")?;
/// assert_eq!(request.hash()?, 0xe58aadc7552f0d82);
/// assert_eq!(request.min_len(), 8 + 64);
/// assert_eq!(request.to_string(), "struct{id:i64,batch:tensors,}");
/// # Ok::<(), kiln::schema::TypeError>(())
/// ```
#[derive(Clone)]
pub struct Type {
    arena: Arena,
    root: u32,
    extent: Extent,
    /// Whether a node can be reached in two ways, which text never makes.
    shared: bool,
}

/// How long the text of a type is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// That many bytes, at most [`Type::MAX_TEXT`].
    Bytes(usize),
    TooLong,
    /// The type contains itself.
    Endless,
}

impl Extent {
    fn of(len: usize) -> Extent {
        if len <= Type::MAX_TEXT { Extent::Bytes(len) } else { Extent::TooLong }
    }

    /// The extent of a type with `more` bytes around this one.
    fn plus(self, more: usize) -> Extent {
        match self {
            Extent::Bytes(len) => Extent::of(len.saturating_add(more)),
            other => other,
        }
    }
}

/// Every node of a tree beside every other, each named by its index; children lie anywhere.
#[derive(Clone, Default)]
pub(super) struct Arena {
    nodes: Vec<Entry>,
    fields: Vec<Slot>,
    names: String,
}

#[derive(Clone, Copy)]
struct Entry {
    form: Form,
    /// The smallest encoding, in bytes; at most what a usize holds.
    min: usize,
}

#[derive(Clone, Copy)]
enum Form {
    Scalar(Scalar),
    List(u32),
    Optional(u32),
    Dict(u32),
    Struct {
        first: u32,
        len: u32,
    },
    /// Another node, or itself as long as nothing else is known. In no finished type.
    Link(u32),
}

impl Form {
    /// The token that opens the type, where it has parts.
    fn opening(self) -> &'static str {
        match self {
            Form::List(_) => "list{",
            Form::Optional(_) => "optional{",
            Form::Dict(_) => "dict{",
            Form::Struct { .. } => "struct{",
            Form::Scalar(scalar) => scalar.name(),
            Form::Link(_) => "",
        }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    /// Where the name begins among the names, and its length.
    name: u32,
    name_len: u32,
    node: u32,
}

fn index(value: usize) -> Result<u32, TypeError> {
    u32::try_from(value).map_err(|_| TypeError::TooLarge)
}

impl Arena {
    fn push(&mut self, form: Form, min: usize) -> Result<u32, TypeError> {
        let at = index(self.nodes.len())?;
        self.nodes.push(Entry { form, min });
        Ok(at)
    }

    pub(super) fn scalar(&mut self, scalar: Scalar) -> Result<u32, TypeError> {
        self.push(Form::Scalar(scalar), scalar.min_len())
    }

    pub(super) fn list(&mut self, element: u32) -> Result<u32, TypeError> {
        self.push(Form::List(element), 4)
    }

    pub(super) fn optional(&mut self, value: u32) -> Result<u32, TypeError> {
        self.push(Form::Optional(value), 1)
    }

    pub(super) fn dict(&mut self, value: u32) -> Result<u32, TypeError> {
        self.push(Form::Dict(value), 4)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "fields were only added")]
    pub(super) fn structure<'n>(
        &mut self,
        fields: impl Iterator<Item = (&'n str, u32)>,
    ) -> Result<u32, TypeError> {
        let first = self.fields.len();
        let mut min = 0usize;
        for (name, node) in fields {
            min = min.saturating_add(self.min(node));
            self.fields.push(Slot { name: index(self.names.len())?, name_len: index(name.len())?, node });
            self.names.push_str(name);
        }
        let len = index(self.fields.len() - first)?;
        self.push(Form::Struct { first: index(first)?, len }, min)
    }

    /// The smallest encoding of a node, as far as it is known.
    pub(super) fn min(&self, node: u32) -> usize {
        self.nodes.get(node as usize).map_or(0, |entry| entry.min)
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a node leads to nodes of its arena: text and methods make no others, and `settle` refuses the rest"
    )]
    fn form(&self, node: u32) -> Form {
        self.nodes[node as usize].form
    }

    #[expect(clippy::indexing_slicing, reason = "from a struct of this arena")]
    fn slots(&self, first: u32, len: u32) -> &[Slot] {
        &self.fields[first as usize..][..len as usize]
    }

    #[expect(
        clippy::string_slice,
        reason = "from a slot of this arena, which holds where a whole name was added"
    )]
    fn name(&self, slot: &Slot) -> &str {
        &self.names[slot.name as usize..][..slot.name_len as usize]
    }

    /// The `n`th part of a node.
    fn part(&self, node: u32, n: usize) -> Option<u32> {
        match self.form(node) {
            Form::List(part) | Form::Optional(part) | Form::Dict(part) if n == 0 => Some(part),
            Form::Struct { first, len } => self.slots(first, len).get(n).map(|slot| slot.node),
            _ => None,
        }
    }

    /// Takes all nodes of another arena in, and says by how much their indices grew.
    #[expect(clippy::arithmetic_side_effects, reason = "the sums have been found to fit 32 bits")]
    fn append(&mut self, other: &Arena) -> Result<u32, TypeError> {
        let by = index(self.nodes.len())?;
        let (fields, names) = (index(self.fields.len())?, index(self.names.len())?);
        index(self.nodes.len() + other.nodes.len())?;
        index(self.fields.len() + other.fields.len())?;
        index(self.names.len() + other.names.len())?;
        self.nodes.extend(other.nodes.iter().map(|entry| {
            let form = match entry.form {
                Form::List(part) => Form::List(part + by),
                Form::Optional(part) => Form::Optional(part + by),
                Form::Dict(part) => Form::Dict(part + by),
                Form::Struct { first, len } => Form::Struct { first: first + fields, len },
                Form::Link(part) => Form::Link(part + by),
                Form::Scalar(scalar) => Form::Scalar(scalar),
            };
            Entry { form, min: entry.min }
        }));
        let moved = |slot: &Slot| Slot { name: slot.name + names, node: slot.node + by, ..*slot };
        self.fields.extend(other.fields.iter().map(moved));
        self.names.push_str(&other.names);
        Ok(by)
    }

    /// Every node that can be reached from `root` through nodes that `through` says yes to, parts before what
    /// they are part of; whether a way leads back to where it came from; and whether two ways lead to one node.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "there is a mark for each node, and a node leads to nodes of its arena"
    )]
    fn post_order(&self, root: u32, seen: &mut [Seen], through: fn(Form) -> bool) -> Order {
        let mut order = Order { nodes: Vec::new(), cyclic: false, shared: false };
        if seen[root as usize] != Seen::No {
            return order;
        }
        seen[root as usize] = Seen::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let part = if through(self.form(*node)) { self.part(*node, *next) } else { None };
            *next += 1;
            match part {
                None => {
                    seen[*node as usize] = Seen::Done;
                    order.nodes.push(*node);
                    stack.pop();
                }
                Some(part) => match seen[part as usize] {
                    Seen::No => {
                        seen[part as usize] = Seen::Open;
                        stack.push((part, 0));
                    }
                    Seen::Open => order.cyclic = true,
                    Seen::Done => order.shared = true,
                },
            }
        }
        order
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    No,
    Open,
    Done,
}

struct Order {
    nodes: Vec<u32>,
    cyclic: bool,
    shared: bool,
}

/// Whether a field may have that name: not empty, none of `{ } : ,` and no NUL.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.bytes().any(ends_word)
}

/// The bytes that no name and no type's name holds.
pub(super) fn ends_word(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b':' | b',' | 0)
}

/// The first of the names that was there before, by its place. Sorted, not compared pair by pair: a struct of
/// a million fields is no slower by the field than one of ten.
pub(super) fn repeated<'n>(names: impl Iterator<Item = &'n str>) -> Option<usize> {
    let mut order: Vec<(&str, usize)> = names.enumerate().map(|(at, name)| (name, at)).collect();
    order.sort_unstable();
    let pairs = order.iter().zip(order.iter().skip(1));
    pairs.filter(|(first, second)| first.0 == second.0).map(|(_, second)| second.1).min()
}

impl Type {
    /// The longest type text that is read or printed, in bytes: 16 MiB.
    pub const MAX_TEXT: usize = 16 << 20;

    /// The type that a canonical type text names. Takes time and memory in proportion to the text, and no
    /// stack for nesting: the type may be deeper than any value can be.
    ///
    /// # Errors
    /// [`TypeError::Syntax`] for text that does not follow the grammar, [`TypeError::RepeatedField`] and
    /// [`TypeError::EmptyElement`] for a type that may not be, [`TypeError::TooLong`] above
    /// [`MAX_TEXT`](Self::MAX_TEXT).
    ///
    /// ```
    /// use kiln::schema::{Type, TypeError};
    /// assert_eq!(Type::parse("list{u7}"), Err(TypeError::Syntax { at: 5, expected: "a type" }));
    /// ```
    pub fn parse(text: &str) -> Result<Type, TypeError> {
        super::text::parse(text)
    }

    /// A type whose nodes make a tree, as a text of `len` bytes does.
    pub(super) fn tree(arena: Arena, root: u32, len: usize) -> Type {
        Type { arena, root, extent: Extent::of(len), shared: false }
    }

    /// The type of one token.
    ///
    /// ```
    /// use kiln::schema::{Scalar, Type};
    /// let matrix = Type::list(Type::list(Type::scalar(Scalar::F32))?)?;
    /// assert_eq!(matrix.to_string(), "list{list{f32}}");
    /// # Ok::<(), kiln::schema::TypeError>(())
    /// ```
    #[must_use]
    pub fn scalar(scalar: Scalar) -> Type {
        let entry = Entry { form: Form::Scalar(scalar), min: scalar.min_len() };
        let arena = Arena { nodes: vec![entry], ..Arena::default() };
        Type::tree(arena, 0, scalar.name().len())
    }

    /// `list{element}`
    ///
    /// # Errors
    /// [`TypeError::EmptyElement`] when the element can take no bytes, [`TypeError::TooLarge`].
    pub fn list(element: Type) -> Result<Type, TypeError> {
        element.not_empty()?.wrap(Arena::list)
    }

    /// `optional{value}`
    ///
    /// # Errors
    /// [`TypeError::TooLarge`].
    pub fn optional(value: Type) -> Result<Type, TypeError> {
        value.wrap(Arena::optional)
    }

    /// `dict{value}`
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub fn dict(value: Type) -> Result<Type, TypeError> {
        value.not_empty()?.wrap(Arena::dict)
    }

    /// A struct of fields in that order.
    ///
    /// # Errors
    /// [`TypeError::FieldName`] for a name that no text can hold, [`TypeError::RepeatedField`],
    /// [`TypeError::TooLarge`].
    ///
    /// ```
    /// use kiln::schema::{Scalar, Type};
    /// let point = Type::structure([("x", Type::scalar(Scalar::I32)), ("y", Type::scalar(Scalar::I32))])?;
    /// assert_eq!(point, Type::parse("struct{x:i32,y:i32,}")?);
    /// # Ok::<(), kiln::schema::TypeError>(())
    /// ```
    pub fn structure<N: AsRef<str>>(fields: impl IntoIterator<Item = (N, Type)>) -> Result<Type, TypeError> {
        let mut fields: Vec<(N, Type)> = fields.into_iter().collect();
        for (name, _) in &fields {
            if !is_name(name.as_ref()) {
                return Err(TypeError::FieldName { name: name.as_ref().into() });
            }
        }
        let again = repeated(fields.iter().map(|(name, _)| name.as_ref()));
        if let Some((name, _)) = again.and_then(|at| fields.get(at)) {
            return Err(TypeError::RepeatedField { name: name.as_ref().into(), at: None });
        }
        // The largest part keeps its nodes where they are, so that growing a type field by field does not
        // copy it over and over.
        let sizes = fields.iter().map(|(_, part)| part.arena.nodes.len());
        let largest = sizes.enumerate().max_by_key(|&(_, size)| size).map_or(0, |(at, _)| at);
        let mut arena = match fields.get_mut(largest) {
            Some((_, part)) => core::mem::take(&mut part.arena),
            None => Arena::default(),
        };
        let mut extent = Extent::of("struct{}".len());
        let mut shared = false;
        let mut nodes = Vec::with_capacity(fields.len());
        for (at, (name, part)) in fields.iter().enumerate() {
            let by = if at == largest { 0 } else { arena.append(&part.arena)? };
            // `append` has found the sum to fit.
            nodes.push(part.root.saturating_add(by));
            shared |= part.shared;
            extent = match part.extent {
                Extent::Bytes(len) => extent.plus(name.as_ref().len()).plus(len).plus(":,".len()),
                _ if extent == Extent::Endless => extent,
                other => other,
            };
        }
        let names = fields.iter().map(|(name, _)| name.as_ref());
        let root = arena.structure(names.zip(nodes))?;
        Ok(Type { arena, root, extent, shared })
    }

    /// The type of a Rust type.
    ///
    /// # Errors
    /// Only for a hand-written [`Typed`] whose tree no text can name: as [`structure`](Self::structure) and
    /// [`list`](Self::list).
    ///
    /// ```
    /// use kiln::schema::Type;
    /// assert_eq!(Type::of::<Vec<(u8, Option<f64>)>>()?.to_string(), "list{struct{0:u8,1:optional{f64},}}");
    /// # Ok::<(), kiln::schema::TypeError>(())
    /// ```
    pub fn of<T: Typed + ?Sized>() -> Result<Type, TypeError> {
        /// As deep as the compiler let the type be.
        fn add(types: &mut TypeBuilder, tree: &StaticType) -> Handle {
            match tree {
                StaticType::Scalar(scalar) => types.scalar(*scalar),
                StaticType::List(part) => {
                    let part = add(types, part);
                    types.list(part)
                }
                StaticType::Optional(part) => {
                    let part = add(types, part);
                    types.optional(part)
                }
                StaticType::Dict(part) => {
                    let part = add(types, part);
                    types.dict(part)
                }
                StaticType::Struct(fields) => {
                    let parts: Vec<_> = fields.iter().map(|(name, part)| (*name, add(types, part))).collect();
                    types.structure(parts)
                }
            }
        }
        let mut types = TypeBuilder::new();
        let root = add(&mut types, T::TYPE);
        types.finish(root)
    }

    fn not_empty(self) -> Result<Type, TypeError> {
        if self.min_len() == 0 { Err(TypeError::EmptyElement { at: None }) } else { Ok(self) }
    }

    fn wrap(mut self, around: fn(&mut Arena, u32) -> Result<u32, TypeError>) -> Result<Type, TypeError> {
        self.root = around(&mut self.arena, self.root)?;
        self.extent = self.extent.plus(self.arena.form(self.root).opening().len()).plus("}".len());
        Ok(self)
    }

    /// The type itself, to look into.
    #[must_use]
    pub fn root(&self) -> TypeRef<'_> {
        TypeRef { arena: &self.arena, node: self.root }
    }

    /// The smallest encoding of any value, in bytes; `usize::MAX` where a sum goes beyond it.
    /// Chapter: Lengths and allocation.
    #[must_use]
    pub fn min_len(&self) -> usize {
        self.root().min_len()
    }

    /// Whether every value takes the same number of bytes, [`min_len`](Self::min_len): no list, dict, optional, text,
    /// byte run or directory is in it.
    ///
    /// ```
    /// use kiln::schema::Type;
    /// assert!(Type::parse("struct{at:u64,place:struct{x:f32,y:f32,},}")?.is_fixed());
    /// assert!(!Type::parse("struct{at:u64,name:str,}")?.is_fixed());
    /// # Ok::<(), kiln::schema::TypeError>(())
    /// ```
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        let mut seen = vec![Seen::No; self.arena.nodes.len()];
        self.arena.post_order(self.root, &mut seen, |_| true).nodes.into_iter().all(|node| {
            match self.arena.form(node) {
                Form::Scalar(scalar) => scalar.is_fixed(),
                Form::Struct { .. } => true,
                Form::List(_) | Form::Optional(_) | Form::Dict(_) | Form::Link(_) => false,
            }
        })
    }

    /// Whether the type contains itself, so that it has no text, no hash and no frame.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.extent == Extent::Endless
    }

    /// The canonical type text, the way back from [`parse`](Self::parse). Displaying the type gives the same
    /// text, with `…` where there is none. Field names stand in it as they are: put it through
    /// [`escape`](crate::escape()) before it goes to a terminal.
    ///
    /// # Errors
    /// [`TypeError::Recursive`], and [`TypeError::TooLong`] above [`MAX_TEXT`](Self::MAX_TEXT).
    pub fn text(&self) -> Result<String, TypeError> {
        let mut text = String::with_capacity(self.text_len()?);
        let Ok(()) = self.tokens(|token| {
            text.push_str(token);
            Ok::<(), Infallible>(())
        });
        Ok(text)
    }

    /// The schema hash. Chapter: Canonical type text and schema hash.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn hash(&self) -> Result<u64, TypeError> {
        self.text_len()?;
        let mut hash = None;
        let Ok(()) = self.tokens(|token| {
            hash = Some(fnv1a(hash, token));
            Ok::<(), Infallible>(())
        });
        hash.ok_or(TypeError::TooLong)
    }

    fn text_len(&self) -> Result<usize, TypeError> {
        match self.extent {
            Extent::Bytes(len) => Ok(len),
            Extent::TooLong => Err(TypeError::TooLong),
            Extent::Endless => Err(TypeError::Recursive),
        }
    }

    /// Gives the tokens one by one, and `…` where the type comes back to a node that it is still inside of.
    #[expect(clippy::arithmetic_side_effects, reason = "counts parts of a node")]
    fn tokens<E>(&self, mut token: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let arena = &self.arena;
        let mut open = vec![false; if self.is_recursive() { arena.nodes.len() } else { 0 }];
        let mut mark = |node: u32, inside: bool| match open.get_mut(node as usize) {
            Some(slot) => core::mem::replace(slot, inside),
            None => false,
        };
        let mut stack = vec![(self.root, 0)];
        token(arena.form(self.root).opening())?;
        mark(self.root, true);
        while let Some((node, next)) = stack.last_mut() {
            let (node, at) = (*node, *next);
            *next += 1;
            let form = arena.form(node);
            if let Form::Struct { first, len } = form {
                let slots = arena.slots(first, len);
                if at > 0 && at <= slots.len() {
                    token(",")?;
                }
                if let Some(slot) = slots.get(at) {
                    token(arena.name(slot))?;
                    token(":")?;
                }
            }
            match arena.part(node, at) {
                Some(part) if mark(part, true) => token("…")?,
                Some(part) => {
                    token(arena.form(part).opening())?;
                    stack.push((part, 0));
                }
                None => {
                    if !matches!(form, Form::Scalar(_)) {
                        token("}")?;
                    }
                    mark(node, false);
                    stack.pop();
                }
            }
        }
        Ok(())
    }
}

impl core::str::FromStr for Type {
    type Err = TypeError;

    /// [`Type::parse`].
    fn from_str(text: &str) -> Result<Type, TypeError> {
        Type::parse(text)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.extent == Extent::TooLong {
            f.write_str("…")
        } else {
            self.tokens(|token| f.write_str(token))
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Type({self})")
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        let (a, b) = (&self.arena, &other.arena);
        // In two trees no pair comes up twice.
        let mut seen = BTreeSet::new();
        let remember = self.shared || other.shared;
        let mut pairs = vec![(self.root, other.root)];
        while let Some((x, y)) = pairs.pop() {
            if remember && !seen.insert((x, y)) {
                continue;
            }
            match (a.form(x), b.form(y)) {
                (Form::Scalar(x), Form::Scalar(y)) if x == y => {}
                (Form::List(x), Form::List(y))
                | (Form::Optional(x), Form::Optional(y))
                | (Form::Dict(x), Form::Dict(y)) => pairs.push((x, y)),
                (Form::Struct { first, len }, Form::Struct { first: other, len: same }) if len == same => {
                    for (x, y) in a.slots(first, len).iter().zip(b.slots(other, len)) {
                        if a.name(x) != b.name(y) {
                            return false;
                        }
                        pairs.push((x.node, y.node));
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

impl Eq for Type {}

/// A [`Type`] or a part of one, to look into; a copy is free.
#[derive(Clone, Copy)]
pub struct TypeRef<'t> {
    arena: &'t Arena,
    node: u32,
}

/// What a type is made of.
#[derive(Clone, Debug)]
pub enum Kind<'t> {
    /// One token.
    Scalar(Scalar),
    /// A list of an element.
    List(TypeRef<'t>),
    /// A presence byte and perhaps a value.
    Optional(TypeRef<'t>),
    /// Ascending text keys and a value each.
    Dict(TypeRef<'t>),
    /// Fields in declaration order.
    Struct(Fields<'t>),
}

impl<'t> Kind<'t> {
    /// The fields, if it is a struct.
    #[must_use]
    pub fn fields(self) -> Option<Fields<'t>> {
        if let Kind::Struct(fields) = self { Some(fields) } else { None }
    }

    /// The token, without its brace.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Scalar(scalar) => scalar.name(),
            Kind::List(_) => "list",
            Kind::Optional(_) => "optional",
            Kind::Dict(_) => "dict",
            Kind::Struct(_) => "struct",
        }
    }
}

/// The fields of a struct, by name and type, in declaration order.
#[derive(Clone)]
pub struct Fields<'t> {
    arena: &'t Arena,
    slots: core::slice::Iter<'t, Slot>,
}

impl<'t> TypeRef<'t> {
    /// What the type is made of.
    #[must_use]
    pub fn kind(self) -> Kind<'t> {
        let TypeRef { arena, node } = self;
        let part = |node| TypeRef { arena, node };
        match arena.form(node) {
            Form::Scalar(scalar) => Kind::Scalar(scalar),
            Form::List(node) => Kind::List(part(node)),
            Form::Optional(node) => Kind::Optional(part(node)),
            Form::Dict(node) => Kind::Dict(part(node)),
            Form::Struct { first, len } => {
                Kind::Struct(Fields { arena, slots: arena.slots(first, len).iter() })
            }
            // `finish` leaves none.
            Form::Link(_) => Kind::Struct(Fields { arena, slots: [].iter() }),
        }
    }

    /// As [`Type::min_len`].
    #[must_use]
    pub fn min_len(self) -> usize {
        self.arena.min(self.node)
    }

    /// What tells this part of a type from its others: a part that is met twice has it twice.
    #[cfg(any(feature = "json", feature = "serde"))]
    pub(crate) fn id(self) -> u32 {
        self.node
    }
}

impl fmt::Debug for TypeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeRef({})", self.node)
    }
}

impl<'t> Iterator for Fields<'t> {
    type Item = (&'t str, TypeRef<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let slot = self.slots.next()?;
        Some((self.arena.name(slot), TypeRef { arena: self.arena, node: slot.node }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl ExactSizeIterator for Fields<'_> {}

impl fmt::Debug for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone().map(|(name, _)| name)).finish()
    }
}

impl<'t> Node<'t> for TypeRef<'t> {
    type Fields = Fields<'t>;

    fn view(self) -> View<Self, Fields<'t>> {
        match self.kind() {
            Kind::Scalar(scalar) => View::Scalar(scalar),
            Kind::List(element) => View::List(element),
            Kind::Optional(value) => View::Optional(value),
            Kind::Dict(value) => View::Dict(value),
            Kind::Struct(fields) => View::Struct(fields),
        }
    }

    fn least(self) -> Option<u64> {
        Some(self.min_len() as u64)
    }

    fn key(self) -> usize {
        self.node as usize
    }
}

/// Puts a [`Type`] together part by part, when a part may be used more than once or inside itself.
///
/// ```
/// use kiln::schema::{Scalar, TypeBuilder, TypeError};
/// let mut types = TypeBuilder::new();
/// let node = types.declare();
/// let name = types.scalar(Scalar::Str);
/// let children = types.list(node);
/// let body = types.structure([("name", name), ("children", children)]);
/// types.define(node, body);
/// let tree = types.finish(node)?;
/// assert_eq!(tree.min_len(), 8);
/// assert_eq!(tree.hash(), Err(TypeError::Recursive));
/// # Ok::<(), TypeError>(())
/// ```
#[derive(Default)]
pub struct TypeBuilder {
    arena: Arena,
    /// The first mistake, reported at the end.
    mistake: Option<TypeError>,
}

/// A part of a type that a [`TypeBuilder`] is making; only of use with that builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(u32);

impl TypeBuilder {
    /// A builder without parts.
    #[must_use]
    pub fn new() -> Self {
        TypeBuilder::default()
    }

    fn push(&mut self, add: impl FnOnce(&mut Arena) -> Result<u32, TypeError>) -> Handle {
        match add(&mut self.arena) {
            Ok(node) => Handle(node),
            Err(mistake) => {
                self.mistake.get_or_insert(mistake);
                Handle(u32::MAX)
            }
        }
    }

    /// The type of one token.
    pub fn scalar(&mut self, scalar: Scalar) -> Handle {
        self.push(|arena| arena.scalar(scalar))
    }

    /// `list{element}`
    pub fn list(&mut self, element: Handle) -> Handle {
        self.push(|arena| arena.list(element.0))
    }

    /// `optional{value}`
    pub fn optional(&mut self, value: Handle) -> Handle {
        self.push(|arena| arena.optional(value.0))
    }

    /// `dict{value}`
    pub fn dict(&mut self, value: Handle) -> Handle {
        self.push(|arena| arena.dict(value.0))
    }

    /// A struct of fields in that order.
    pub fn structure<N: AsRef<str>>(&mut self, fields: impl IntoIterator<Item = (N, Handle)>) -> Handle {
        let fields: Vec<(N, Handle)> = fields.into_iter().collect();
        self.push(|arena| arena.structure(fields.iter().map(|(name, part)| (name.as_ref(), part.0))))
    }

    /// A part to be defined later: what a recursive type refers to itself by.
    pub fn declare(&mut self) -> Handle {
        self.push(|arena| {
            let at = index(arena.nodes.len())?;
            arena.push(Form::Link(at), 0)
        })
    }

    /// Says what a declared part is.
    pub fn define(&mut self, declared: Handle, is: Handle) {
        match self.arena.nodes.get_mut(declared.0 as usize) {
            Some(Entry { form: form @ Form::Link(_), .. }) => *form = Form::Link(is.0),
            _ => {
                self.mistake.get_or_insert(TypeError::Undefined);
            }
        }
    }

    /// The type that `root` is the whole of.
    ///
    /// # Errors
    /// [`TypeError::FieldName`] for a name that no text can hold, [`TypeError::RepeatedField`],
    /// [`TypeError::EmptyElement`], [`TypeError::Undefined`] for a part that was declared and never became
    /// anything, or that is of another builder, [`TypeError::Endless`], [`TypeError::TooLarge`].
    #[expect(clippy::indexing_slicing, reason = "found by `post_order` in this arena")]
    pub fn finish(mut self, root: Handle) -> Result<Type, TypeError> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        let root = self.settle(root.0)?;
        let mut arena = self.arena;
        let mut seen = vec![Seen::No; arena.nodes.len()];
        let Order { nodes, cyclic, shared } = arena.post_order(root, &mut seen, |_| true);
        let mut known = vec![Seen::No; arena.nodes.len()];
        for &node in &nodes {
            // Only from struct to struct does one smallest encoding hang on another.
            let structs = arena.post_order(node, &mut known, |form| matches!(form, Form::Struct { .. }));
            if structs.cyclic {
                return Err(TypeError::Endless);
            }
            for part in structs.nodes {
                if let Form::Struct { first, len } = arena.form(part) {
                    let mins = arena.slots(first, len).iter().map(|slot| arena.min(slot.node));
                    arena.nodes[part as usize].min = mins.fold(0, usize::saturating_add);
                }
            }
        }
        for &node in &nodes {
            match arena.form(node) {
                Form::List(part) | Form::Dict(part) if arena.min(part) == 0 => {
                    return Err(TypeError::EmptyElement { at: None });
                }
                Form::Struct { first, len } => {
                    let names = || arena.slots(first, len).iter().map(|slot| arena.name(slot));
                    if let Some(name) = names().find(|name| !is_name(name)) {
                        return Err(TypeError::FieldName { name: name.into() });
                    }
                    if let Some(name) = repeated(names()).and_then(|at| names().nth(at)) {
                        return Err(TypeError::RepeatedField { name: name.into(), at: None });
                    }
                }
                _ => {}
            }
        }
        let extent = if cyclic { Extent::Endless } else { Extent::of(text_len(&arena, &nodes, root)) };
        Ok(Type { arena, root, extent, shared: shared || cyclic })
    }

    /// Makes every part point at what it really is, past all links, and gives what `root` really is.
    #[expect(
        clippy::indexing_slicing,
        reason = "there is an end for each node, and the way leads through nodes"
    )]
    fn settle(&mut self, root: u32) -> Result<u32, TypeError> {
        let nodes = &mut self.arena.nodes;
        let mut ends: Vec<Option<u32>> = vec![None; nodes.len()];
        for start in 0..nodes.len() {
            let mut way = Vec::new();
            let mut at = index(start)?;
            let end = loop {
                match (ends.get(at as usize), nodes.get(at as usize)) {
                    (Some(Some(end)), _) => break Some(*end),
                    (_, Some(Entry { form: Form::Link(to), .. })) if way.len() <= nodes.len() => {
                        way.push(at);
                        at = *to;
                    }
                    (_, Some(Entry { form: Form::Link(_), .. }) | None) => break None,
                    (_, Some(_)) => break Some(at),
                }
            };
            // A loop of links is met once: its nodes are all refused with the whole.
            let end = end.ok_or(TypeError::Undefined)?;
            for at in way {
                ends[at as usize] = Some(end);
            }
            ends[start] = Some(end);
        }
        let end = |at: u32| ends.get(at as usize).copied().flatten().ok_or(TypeError::Undefined);
        for node in nodes.iter_mut() {
            if let Form::List(part) | Form::Optional(part) | Form::Dict(part) = &mut node.form {
                *part = end(*part)?;
            }
        }
        for slot in &mut self.arena.fields {
            slot.node = end(slot.node)?;
        }
        end(root)
    }
}

impl fmt::Debug for TypeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypeBuilder").field("parts", &self.arena.nodes.len()).finish_non_exhaustive()
    }
}

/// The length of a finite text, counted from the parts up: a type that uses a part twice may have a text far
/// longer than itself.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "there is a length for each node; a token has a few bytes"
)]
fn text_len(arena: &Arena, nodes: &[u32], root: u32) -> usize {
    let mut lens = vec![0usize; arena.nodes.len()];
    for &node in nodes {
        let form = arena.form(node);
        let around = form.opening().len() + usize::from(!matches!(form, Form::Scalar(_)));
        lens[node as usize] = match form {
            Form::List(part) | Form::Optional(part) | Form::Dict(part) => {
                lens[part as usize].saturating_add(around)
            }
            Form::Struct { first, len } => arena.slots(first, len).iter().fold(around, |sum, slot| {
                sum.saturating_add(lens[slot.node as usize])
                    .saturating_add(slot.name_len as usize)
                    .saturating_add(":,".len())
            }),
            Form::Scalar(_) | Form::Link(_) => around,
        };
    }
    lens[root as usize]
}

/// A type that cannot be, or that has no text: the caller's mistake, so none of the seven codes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeError {
    /// The text does not follow the grammar.
    Syntax {
        /// The first byte at which it does not.
        at: usize,
        /// What would have to stand there.
        expected: &'static str,
    },
    /// A field name that is empty or holds one of `{ } : ,` or a NUL.
    FieldName {
        /// The name.
        name: String,
    },
    /// A struct has the same field name twice.
    RepeatedField {
        /// The name.
        name: String,
        /// Where the second one begins in the text, if a text was read.
        at: Option<usize>,
    },
    /// The element of a list or dict can take no bytes. Chapter: Lengths and allocation.
    EmptyElement {
        /// Where the list or dict begins in the text, if a text was read.
        at: Option<usize>,
    },
    /// The type contains itself, so it has no text, no hash and no frame.
    Recursive,
    /// The type contains itself with no list, optional or dict between, so it has no values.
    Endless,
    /// A declared part was never defined, or is part of another builder.
    Undefined,
    /// The text is longer than [`Type::MAX_TEXT`].
    TooLong,
    /// The type has more than 4294967295 parts.
    TooLarge,
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |f: &mut fmt::Formatter<'_>, at: &Option<usize>| match at {
            Some(at) => write!(f, " at byte {at} of the type text"),
            None => Ok(()),
        };
        match self {
            TypeError::Syntax { at, expected } => {
                write!(f, "expected {expected} at byte {at} of the type text")
            }
            TypeError::FieldName { name } => {
                let name = crate::escape(name.as_bytes());
                write!(
                    f,
                    "\"{name}\" is no field name: a name has at least one byte and none of {{ }} : , or NUL"
                )
            }
            TypeError::RepeatedField { name, at } => {
                write!(f, "a struct has the field \"{}\" twice", crate::escape(name.as_bytes()))?;
                place(f, at)
            }
            TypeError::EmptyElement { at } => {
                f.write_str("the element of a list or dict can take no bytes")?;
                place(f, at)
            }
            TypeError::Recursive => {
                f.write_str("a type that contains itself has no type text, hash or frame")
            }
            TypeError::Endless => f.write_str(
                "a type contains itself with no list, optional or dict between, so it has no values",
            ),
            TypeError::Undefined => f.write_str("a part of the type was declared and never defined"),
            TypeError::TooLong => write!(f, "the type text is longer than {} bytes", Type::MAX_TEXT),
            TypeError::TooLarge => write!(f, "the type has more than {} parts", u32::MAX),
        }
    }
}

impl core::error::Error for TypeError {}
