//! A document, read to the end whatever is wrong with it.

use super::fault::{SchemaError, SchemaFault, SchemaProblem, instead_of};
use super::limits::{Cost, MAX_EMPTY, costs};
use super::{Docs, Form, INTEGERS, NUMBERS, Part, Property, Schema};
use crate::json::{Body, Document, Node, place, shorten};
use crate::schema::tree::is_name;
use crate::schema::{Handle, Scalar, Type, TypeBuilder, TypeError};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Keywords that say nothing about bytes.
const IGNORED: [&str; 8] =
    ["title", "description", "$schema", "$id", "$comment", "examples", "default", "deprecated"];

/// Where definitions stand, at the top of the document alone.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

pub(super) fn schema(text: &str) -> Result<Schema, SchemaError> {
    if text.len() > Type::MAX_TEXT {
        return Err(whole(text, 0, SchemaProblem::TooLong));
    }
    let document = match Document::read(text) {
        Ok(document) => document,
        Err(error) => return Err(whole(text, error.at, SchemaProblem::Syntax { expected: error.expected })),
    };
    let mut reading = Reading {
        text,
        document: &document,
        parts: Vec::new(),
        nodes: Vec::new(),
        waiting: Vec::new(),
        definitions: BTreeMap::new(),
        faults: BTreeMap::new(),
        more: false,
    };
    let root = reading.part(Node::ROOT);
    reading.define();
    while let Some((node, part)) = reading.waiting.pop() {
        let form = reading.form(node);
        let docs = reading.docs(node);
        if let Some(slot) = reading.parts.get_mut(part as usize) {
            slot.form = form;
            slot.docs = docs;
        }
    }
    reading.judge(root);
    let ty = reading.build(root);
    reading.finish(root, ty)
}

fn whole(text: &str, offset: usize, problem: SchemaProblem) -> SchemaError {
    let (line, column) = place(text, offset);
    let pointer = String::new();
    SchemaError { faults: vec![SchemaFault { pointer, offset, line, column, problem }], more: false }
}

struct Reading<'d> {
    text: &'d str,
    document: &'d Document<'d>,
    parts: Vec<Part>,
    /// The node of each part.
    nodes: Vec<Node>,
    /// Schemas that have a part and were not looked at.
    waiting: Vec<(Node, u32)>,
    /// By keyword and name.
    definitions: BTreeMap<(&'static str, String), u32>,
    /// By where they stand in the text; of two at one place the first found counts.
    faults: BTreeMap<(usize, Node), SchemaProblem>,
    more: bool,
}

impl<'d> Reading<'d> {
    fn fault(&mut self, node: Node, problem: SchemaProblem) {
        if self.faults.len() < SchemaError::MAX_FAULTS {
            self.faults.entry((self.document.offset(node), node)).or_insert(problem);
        } else {
            self.more = true;
        }
    }

    fn expected(&mut self, node: Node, expected: &'static str) {
        self.fault(node, SchemaProblem::Value { expected });
    }

    /// A part for a schema that will be looked at.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are at most as many parts as nodes, which a u32 counts"
    )]
    fn part(&mut self, node: Node) -> u32 {
        // There are at most as many parts as nodes, which a u32 counts.
        let part = self.parts.len() as u32;
        self.parts.push(Part { form: Form::Broken, docs: Docs::default(), name: None });
        self.nodes.push(node);
        self.waiting.push((node, part));
        part
    }

    /// Makes a part of each definition.
    fn define(&mut self) {
        let document = self.document;
        for keyword in DEFINITIONS {
            let Some(node) = document.member(Node::ROOT, keyword) else { continue };
            if *document.body(node) != Body::Object {
                self.expected(node, "an object of definitions");
                continue;
            }
            self.repeated(node);
            for (name, node) in document.members(node) {
                let part = self.part(node);
                if let Some(slot) = self.parts.get_mut(part as usize) {
                    slot.name = Some(name.into());
                }
                self.definitions.entry((keyword, name.into())).or_insert(part);
            }
        }
    }

    /// Refuses names that stand twice in one object, where the object is part of the schema.
    fn repeated(&mut self, object: Node) {
        let document = self.document;
        let mut seen = BTreeSet::new();
        for (name, node) in document.members(object) {
            if !seen.insert(name) {
                self.fault(node, SchemaProblem::Repeated);
            }
        }
    }

    fn docs(&self, node: Node) -> Docs {
        let text = |name| {
            let node = self.document.member(node, name)?;
            Some(self.document.text(node)?.to_string())
        };
        let deprecated = self.document.member(node, "deprecated");
        Docs {
            title: text("title"),
            description: text("description"),
            default: self.document.member(node, "default").map(|node| self.document.source(node).into()),
            deprecated: deprecated.is_some_and(|node| *self.document.body(node) == Body::Bool(true)),
        }
    }

    /// Refuses every member that is neither ignored nor among `known`.
    fn only(&mut self, node: Node, known: &[&str]) {
        let document = self.document;
        for (name, member) in document.members(node) {
            let definition = node == Node::ROOT && DEFINITIONS.contains(&name);
            if !(known.contains(&name) || IGNORED.contains(&name) || definition) {
                self.fault(member, SchemaProblem::Keyword { instead: instead_of(name) });
            }
        }
    }

    fn form(&mut self, node: Node) -> Form {
        let document = self.document;
        if *document.body(node) != Body::Object {
            self.expected(node, "a schema, which is an object");
            return Form::Broken;
        }
        self.repeated(node);
        if let Some(reference) = document.member(node, "$ref") {
            self.only(node, &["$ref"]);
            return self.reference(reference);
        }
        let Some(ty) = document.member(node, "type") else {
            self.fault(node, SchemaProblem::Missing { needed: "`type`, or `$ref`" });
            return self.untyped(node);
        };
        match document.text(ty) {
            Some("boolean") => {
                self.only(node, &["type"]);
                Form::Scalar(Scalar::Bool)
            }
            Some("integer") => {
                self.only(node, &["type", "format"]);
                let expected = "one of int8, int16, int32, int64, uint8, uint16, uint32, uint64";
                self.width(node, Scalar::I64, &INTEGERS, expected)
            }
            Some("number") => {
                self.only(node, &["type", "format"]);
                self.width(node, Scalar::F64, &NUMBERS, "one of float16, bfloat16, float, double")
            }
            Some("string") => {
                self.only(node, &["type", "contentEncoding"]);
                match document.member(node, "contentEncoding") {
                    None => Form::Scalar(Scalar::Str),
                    Some(encoding) if document.text(encoding) == Some("base64") => {
                        Form::Scalar(Scalar::Bytes)
                    }
                    Some(encoding) => {
                        self.expected(encoding, "\"base64\", the one encoding that there is");
                        Form::Broken
                    }
                }
            }
            Some("array") => {
                self.only(node, &["type", "items"]);
                match document.member(node, "items") {
                    None => {
                        self.fault(
                            node,
                            SchemaProblem::Missing { needed: "`items`, the schema of every element" },
                        );
                        Form::Broken
                    }
                    Some(items) if *document.body(items) == Body::Array => {
                        self.expected(
                            items,
                            "one schema for every element; for elements that differ write an object with a named \
                             property for each",
                        );
                        Form::Broken
                    }
                    Some(items) => Form::List(self.part(items)),
                }
            }
            Some("object") => self.object(node),
            Some("null") => {
                self.expected(ty, "a type with values; leave out the property instead");
                self.untyped(node)
            }
            Some(_) => {
                self.expected(ty, "one of boolean, integer, number, string, array, object");
                self.untyped(node)
            }
            None => {
                self.expected(
                    ty,
                    "one type by name; for one that may be null leave the property out of `required` instead",
                );
                self.untyped(node)
            }
        }
    }

    /// Looks for more to say of a schema whose type nobody knows: keywords that no type has, and the schemas in it.
    fn untyped(&mut self, node: Node) -> Form {
        let document = self.document;
        self.only(
            node,
            &["type", "properties", "required", "additionalProperties", "items", "format", "contentEncoding"],
        );
        if let Some(properties) = document.member(node, "properties") {
            self.properties(properties);
        }
        for keyword in ["items", "additionalProperties"] {
            let schema = document.member(node, keyword);
            if let Some(schema) = schema.filter(|&schema| *document.body(schema) == Body::Object) {
                self.part(schema);
            }
        }
        Form::Broken
    }

    fn width(
        &mut self,
        node: Node,
        default: Scalar,
        formats: &[(&str, Scalar)],
        expected: &'static str,
    ) -> Form {
        let Some(format) = self.document.member(node, "format") else { return Form::Scalar(default) };
        let name = self.document.text(format);
        match formats.iter().find(|(format, _)| Some(*format) == name) {
            Some((_, scalar)) => Form::Scalar(*scalar),
            None => {
                self.expected(format, expected);
                Form::Broken
            }
        }
    }

    fn object(&mut self, node: Node) -> Form {
        let document = self.document;
        self.only(node, &["type", "properties", "required", "additionalProperties"]);
        let additional = document.member(node, "additionalProperties");
        let required = document.member(node, "required");
        let Some(properties) = document.member(node, "properties") else {
            if let Some(required) = required {
                let instead = "there are no `properties` here that it could speak of";
                self.fault(required, SchemaProblem::Keyword { instead });
            }
            return match additional {
                Some(values) if !matches!(document.body(values), Body::Bool(_)) => {
                    Form::Dict(self.part(values))
                }
                Some(values) => {
                    self.expected(values, "the schema of the map's values, or `properties` beside it");
                    Form::Broken
                }
                None => {
                    let needed =
                        "`properties` for an object, or a schema in `additionalProperties` for a map";
                    self.fault(node, SchemaProblem::Missing { needed });
                    Form::Broken
                }
            };
        };
        if let Some(additional) = additional.filter(|&node| *document.body(node) != Body::Bool(false)) {
            self.expected(additional, "false beside `properties`: an object is either a struct or a map");
        }
        let Some(parts) = self.properties(properties) else { return Form::Broken };
        let required = required.map(|node| self.required(node, properties)).unwrap_or_default();
        let mut fields = Vec::new();
        let mut seen = BTreeSet::new();
        for (name, part) in parts {
            if seen.insert(name) {
                fields.push(Property { name: name.into(), part, required: required.contains(name) });
            }
        }
        Form::Struct(fields)
    }

    /// A part of each property, those whose name was there before too.
    fn properties(&mut self, node: Node) -> Option<Vec<(&'d str, u32)>> {
        let document = self.document;
        if *document.body(node) != Body::Object {
            self.expected(node, "an object of properties");
            return None;
        }
        self.repeated(node);
        let mut parts = Vec::new();
        for (name, property) in document.members(node) {
            if !is_name(name) {
                self.fault(property, SchemaProblem::FieldName);
            }
            parts.push((name, self.part(property)));
        }
        Some(parts)
    }

    /// The names in `required`.
    fn required(&mut self, node: Node, properties: Node) -> BTreeSet<&'d str> {
        let document = self.document;
        let mut names = BTreeSet::new();
        if *document.body(node) != Body::Array {
            self.expected(node, "an array of names");
            return names;
        }
        let known: BTreeSet<&str> = document.members(properties).map(|(name, _)| name).collect();
        for part in document.parts(node) {
            match document.text(part) {
                None => self.expected(part, "the name of a property"),
                Some(name) if !known.contains(name) => self.fault(part, SchemaProblem::NoProperty),
                Some(name) => {
                    if !names.insert(name) {
                        self.fault(part, SchemaProblem::Repeated);
                    }
                }
            }
        }
        names
    }

    fn reference(&mut self, node: Node) -> Form {
        let Some(target) = self.document.text(node) else {
            self.expected(node, "a reference, which is a string");
            return Form::Broken;
        };
        let found = DEFINITIONS.iter().find_map(|keyword| {
            let name = target.strip_prefix("#/")?.strip_prefix(keyword)?.strip_prefix('/')?;
            Some((*keyword, name))
        });
        let Some((keyword, name)) = found.and_then(|(keyword, name)| Some((keyword, segment(name)?))) else {
            self.fault(node, SchemaProblem::Remote);
            return Form::Broken;
        };
        match self.definitions.get(&(keyword, name)) {
            Some(part) => Form::Link(*part),
            None => {
                self.fault(node, SchemaProblem::Dangling);
                Form::Broken
            }
        }
    }

    /// Refuses what can be no type though each keyword is right.
    #[expect(
        clippy::indexing_slicing,
        reason = "parts lead to parts of the same list, and each has a node and a cost"
    )]
    fn judge(&mut self, root: u32) {
        let costs = costs(&self.parts);
        for part in 0..self.parts.len() {
            let node = self.nodes[part];
            match (&self.parts[part].form, costs[part]) {
                (Form::Link(_), Cost::Circle) => {
                    let node = self.document.member(node, "$ref").unwrap_or(node);
                    self.fault(node, SchemaProblem::Circle);
                }
                (Form::List(element) | Form::Dict(element), _) => {
                    if let Cost::Least { empty: true, .. } = costs[*element as usize] {
                        let node = self.nodes[*element as usize];
                        self.fault(node, SchemaProblem::EmptyElement);
                    }
                }
                (Form::Struct(_), Cost::Endless) => self.fault(node, SchemaProblem::Endless),
                (Form::Struct(_), Cost::Least { empty: true, structs, .. }) if structs > MAX_EMPTY => {
                    self.fault(node, SchemaProblem::TooLarge);
                }
                _ => {}
            }
            // A part of something too deep is only said to be so where a value of it could be asked for.
            let whole = part == root as usize || self.parts[part].name.is_some();
            if let (true, Cost::Least { depth, .. }) = (whole, costs[part]) {
                if depth > crate::wire::MAX_DEPTH {
                    self.fault(node, SchemaProblem::TooDeep);
                }
            }
        }
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "parts lead to parts of the same list, and each has a handle"
    )]
    fn build(&mut self, root: u32) -> Option<Type> {
        if !self.faults.is_empty() {
            return None;
        }
        let mut types = TypeBuilder::new();
        let handles: Vec<Handle> = self.parts.iter().map(|_| types.declare()).collect();
        for (part, &handle) in self.parts.iter().zip(&handles) {
            let is = match &part.form {
                Form::Scalar(scalar) => types.scalar(*scalar),
                Form::List(element) => types.list(handles[*element as usize]),
                Form::Dict(value) => types.dict(handles[*value as usize]),
                Form::Link(target) => handles[*target as usize],
                Form::Broken => handle,
                Form::Struct(properties) => {
                    let mut fields = Vec::with_capacity(properties.len());
                    for property in properties {
                        let value = handles[property.part as usize];
                        let value = if property.required { value } else { types.optional(value) };
                        fields.push((property.name.as_str(), value));
                    }
                    types.structure(fields)
                }
            };
            types.define(handle, is);
        }
        match types.finish(handles[root as usize]) {
            Ok(ty) => Some(ty),
            Err(error) => {
                let problem = match error {
                    TypeError::EmptyElement { .. } => SchemaProblem::EmptyElement,
                    TypeError::Endless => SchemaProblem::Endless,
                    TypeError::Undefined => SchemaProblem::Circle,
                    TypeError::FieldName { .. } => SchemaProblem::FieldName,
                    TypeError::RepeatedField { .. } => SchemaProblem::Repeated,
                    _ => SchemaProblem::TooLarge,
                };
                self.fault(Node::ROOT, problem);
                None
            }
        }
    }

    fn finish(self, root: u32, ty: Option<Type>) -> Result<Schema, SchemaError> {
        if let (Some(ty), true) = (ty, self.faults.is_empty()) {
            return Ok(Schema { ty, parts: self.parts, root });
        }
        let mut faults = Vec::with_capacity(self.faults.len());
        for ((offset, node), problem) in self.faults {
            let (line, column) = place(self.text, offset);
            let pointer = shorten(&self.document.pointer(node));
            faults.push(SchemaFault { pointer, offset, line, column, problem });
        }
        Err(SchemaError { faults, more: self.more })
    }
}

/// What one segment of a JSON pointer in a URI fragment says, if it is one.
fn segment(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex = |digit: Option<u8>| char::from(digit?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(hex(rest.next())? << 4 | hex(rest.next())?).ok()?,
            b'/' => return None,
            byte => byte,
        });
    }
    let text = String::from_utf8(bytes).ok()?;
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        plain.push(match c {
            '~' => match rest.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            c => c,
        });
    }
    Some(plain)
}
