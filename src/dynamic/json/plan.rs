//! A type flattened for walking: no names to look up, no types to follow.

use crate::escape::escape;
use crate::json::quote;
use crate::schema::{Kind, Scalar, Type, TypeRef, Way};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// What to do with a value; the others it leads to by their index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Scalar(Scalar),
    List {
        element: u32,
        /// The smallest encoding of an element.
        min: usize,
    },
    Optional {
        value: u32,
    },
    Dict {
        value: u32,
        /// The smallest encoding of an entry.
        min: usize,
    },
    Struct {
        first: u32,
        len: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// What it holds, past the optional.
    pub(super) op: u32,
    pub(super) optional: bool,
    /// Where its name in quotes lies in `keys`, a colon after it.
    key: (usize, usize),
    /// Where its name lies in `names`.
    name: (usize, usize),
}

#[derive(Clone)]
pub(super) struct Plan {
    ops: Vec<Op>,
    fields: Vec<Field>,
    /// For each struct the indices of its fields, from its first, by name.
    by_name: Vec<u32>,
    keys: Vec<u8>,
    names: String,
    pub(super) root: u32,
}

impl Plan {
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "fields and operations are indices into what was pushed before, as few as the type has parts"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "a type has no more fields than a u32 counts")]
    pub(super) fn new(ty: &Type) -> Result<Plan, NoJson> {
        let mut plan = Plan {
            ops: Vec::new(),
            fields: Vec::new(),
            by_name: Vec::new(),
            keys: Vec::new(),
            names: String::new(),
            root: 0,
        };
        let mut known = BTreeMap::new();
        let mut waiting = Vec::new();
        plan.root = plan.op(ty.root(), Way::root(), &mut known, &mut waiting);
        while let Some((part, op, way)) = waiting.pop() {
            let no_json = |tensors| NoJson { path: String::from(&*way.path()), tensors };
            let mut path = None;
            let mut below = |step| Way::below(path.get_or_insert_with(|| way.path()), step);
            let made = match part.kind() {
                Kind::Scalar(Scalar::Tensors) => return Err(no_json(true)),
                Kind::Scalar(scalar) => Op::Scalar(scalar),
                Kind::List(element) => {
                    let at = plan.op(element, below("[]"), &mut known, &mut waiting);
                    Op::List { element: at, min: element.min_len() }
                }
                Kind::Dict(value) => {
                    let at = plan.op(value, below("{}"), &mut known, &mut waiting);
                    Op::Dict { value: at, min: value.min_len().saturating_add(4) }
                }
                Kind::Optional(value) => {
                    if let Kind::Optional(_) = value.kind() {
                        return Err(no_json(false));
                    }
                    Op::Optional { value: plan.op(value, below("?"), &mut known, &mut waiting) }
                }
                Kind::Struct(fields) => {
                    let first = plan.fields.len() as u32;
                    let len = fields.len() as u32;
                    for (name, field) in fields {
                        let (value, optional) = match field.kind() {
                            Kind::Optional(value) => (value, true),
                            _ => (field, false),
                        };
                        let op = plan.op(value, below(name), &mut known, &mut waiting);
                        let (key, start) = (plan.keys.len(), plan.names.len());
                        quote(name, &mut plan.keys);
                        plan.keys.push(b':');
                        plan.names.push_str(name);
                        let (key, name) = ((key, plan.keys.len()), (start, plan.names.len()));
                        plan.fields.push(Field { op, optional, key, name });
                    }
                    let mut order: Vec<u32> = (0..len).collect();
                    order.sort_by(|&a, &b| plan.name(first + a).cmp(plan.name(first + b)));
                    plan.by_name.append(&mut order);
                    Op::Struct { first, len }
                }
            };
            plan.ops[op as usize] = made;
        }
        Ok(plan)
    }

    /// The index of a part; one that was not met before is put among the waiting.
    #[expect(clippy::cast_possible_truncation, reason = "a type has no more parts than a u32 counts")]
    fn op<'t>(
        &mut self,
        part: TypeRef<'t>,
        way: Way<'t>,
        known: &mut BTreeMap<u32, u32>,
        waiting: &mut Vec<(TypeRef<'t>, u32, Way<'t>)>,
    ) -> u32 {
        // A type has no more parts than a u32 counts.
        let next = self.ops.len() as u32;
        let op = *known.entry(part.id()).or_insert(next);
        if op == next {
            self.ops.push(Op::Scalar(Scalar::Tensors));
            waiting.push((part, op, way));
        }
        op
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "operations lead to operations of the same plan")]
    pub(super) fn at(&self, op: u32) -> Op {
        self.ops[op as usize]
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "from a struct of this plan")]
    pub(super) fn field(&self, at: u32) -> Field {
        self.fields[at as usize]
    }

    /// The name of a field in quotes, a colon after it.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "from a field of this plan")]
    pub(super) fn key(&self, field: Field) -> &[u8] {
        &self.keys[field.key.0..field.key.1]
    }

    #[inline]
    #[expect(
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "from a field of this plan, which holds where a whole name was added"
    )]
    pub(super) fn name(&self, at: u32) -> &str {
        let field = self.fields[at as usize];
        &self.names[field.name.0..field.name.1]
    }

    /// The field of that name, counted from the struct's first.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "from a struct of this plan"
    )]
    pub(super) fn find(&self, first: u32, len: u32, name: &str) -> Option<u32> {
        let order = &self.by_name[first as usize..][..len as usize];
        let at = order.binary_search_by(|&field| self.name(first + field).cmp(name)).ok()?;
        order.get(at).copied()
    }
}

/// A type with a part that has no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoJson {
    path: String,
    tensors: bool,
}

impl NoJson {
    /// The way to the part: fields by name, `[]` for an element of a list, `{}` for a value of a dict, `?` for what an
    /// optional holds. Empty for the whole type.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for NoJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str("the type")?,
            path => write!(f, "the type at {}", escape(path.as_bytes()))?,
        }
        f.write_str(match self.tensors {
            true => " is a tensor directory, which has no JSON: use `kiln inspect`, or read it as tensors",
            false => " is an optional in an optional, and JSON has only one null",
        })
    }
}

impl core::error::Error for NoJson {}
