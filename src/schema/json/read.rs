//! A document, read to the end whatever is wrong with it.

use super::advice::{Beside, Place, Union, says_type};
use super::fault::{SchemaError, SchemaFault, SchemaProblem};
use super::limits::{Cost, MAX_EMPTY, costs};
use super::{Docs, Form, INTEGERS, NUMBERS, Part, Property, Schema};
use crate::json::{Body, Document, Node, Places, place};
use crate::schema::tree::is_name;
use crate::schema::{Handle, Scalar, Type, TypeBuilder, TypeError};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Keywords that say nothing about bytes, and of which type they are.
const IGNORED: [(&str, Word); 8] = [
    ("title", Word::Text),
    ("description", Word::Text),
    ("$schema", Word::Text),
    ("$id", Word::Text),
    ("$comment", Word::Text),
    ("examples", Word::List),
    ("default", Word::Any),
    ("deprecated", Word::Flag),
];

#[derive(Clone, Copy)]
enum Word {
    Text,
    List,
    Flag,
    Any,
}

impl Word {
    fn is(self, body: &Body<'_>) -> bool {
        match self {
            Word::Text => matches!(body, Body::Text(_)),
            Word::List => *body == Body::Array,
            Word::Flag => matches!(body, Body::Bool(_)),
            Word::Any => true,
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Word::Text => "a string, or nothing",
            Word::List => "an array, or nothing",
            Word::Flag => "true or false, or nothing",
            Word::Any => "a value",
        }
    }
}

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
    // One more than are kept, so that it is said.
    for node in document.repeated(SchemaError::MAX_FAULTS + 1) {
        reading.fault(node, SchemaProblem::Repeated);
    }
    let root = reading.part(Node::ROOT, Place::Top);
    reading.define();
    while let Some((node, part, place)) = reading.waiting.pop() {
        let form = reading.form(node, place);
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
    waiting: Vec<(Node, u32, Place)>,
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
    fn part(&mut self, node: Node, place: Place) -> u32 {
        // There are at most as many parts as nodes, which a u32 counts.
        let part = self.parts.len() as u32;
        self.parts.push(Part { form: Form::Broken, docs: Docs::default(), name: None });
        self.nodes.push(node);
        self.waiting.push((node, part, place));
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
            for (name, node) in document.members(node) {
                let part = self.part(node, Place::Definition);
                if let Some(slot) = self.parts.get_mut(part as usize) {
                    slot.name = Some(name.into());
                }
                self.definitions.entry((keyword, name.into())).or_insert(part);
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

    /// Refuses every member that is neither ignored nor among `known`, and words of another type than they have.
    fn only(&mut self, node: Node, beside: &Beside<'d>, known: &[&str]) {
        let document = self.document;
        for (name, member) in document.members(node) {
            if let Some((_, word)) = IGNORED.iter().find(|(ignored, _)| *ignored == name) {
                if name == "$id" && node != Node::ROOT {
                    let instead = beside.instead_of(name, member);
                    self.fault(member, SchemaProblem::Keyword { instead });
                } else if !word.is(document.body(member)) {
                    self.expected(member, word.expected());
                }
                continue;
            }
            let definition = node == Node::ROOT && DEFINITIONS.contains(&name);
            if !(known.contains(&name) || definition) {
                self.fault(member, SchemaProblem::Keyword { instead: beside.instead_of(name, member) });
            }
        }
    }

    fn form(&mut self, node: Node, place: Place) -> Form {
        let document = self.document;
        if *document.body(node) != Body::Object {
            self.expected(node, "a schema, which is an object");
            return Form::Broken;
        }
        let beside = &Beside::of(document, node, place);
        if let Some(reference) = document.member(node, "$ref") {
            self.only(node, beside, &["$ref"]);
            return self.reference(reference);
        }
        let Some(ty) = document.member(node, "type") else {
            if !self.alternatives(node, place) {
                self.fault(node, SchemaProblem::Missing { needed: "`type`, or `$ref`" });
            }
            return self.untyped(node, beside);
        };
        match document.text(ty) {
            Some("boolean") => {
                self.only(node, beside, &["type"]);
                Form::Scalar(Scalar::Bool)
            }
            Some("integer") => {
                self.only(node, beside, &["type", "format"]);
                let expected = "one of int8, int16, int32, int64, uint8, uint16, uint32, uint64";
                self.width(node, Scalar::I64, &INTEGERS, expected)
            }
            Some("number") => {
                self.only(node, beside, &["type", "format"]);
                self.width(node, Scalar::F64, &NUMBERS, "one of float16, bfloat16, float, double")
            }
            Some("string") => {
                self.only(node, beside, &["type", "contentEncoding"]);
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
                self.only(node, beside, &["type", "items"]);
                match document.member(node, "items") {
                    None => {
                        // A tuple is to be written as an object, which has none.
                        if document.member(node, "prefixItems").is_none() {
                            let needed = "`items`, the schema of every element";
                            self.fault(node, SchemaProblem::Missing { needed });
                        }
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
                    Some(items) => Form::List(self.part(items, Place::Inside)),
                }
            }
            Some("object") => self.object(node, beside),
            Some("null") => {
                self.expected(ty, beside.no_null());
                self.untyped(node, beside)
            }
            Some(_) => {
                self.expected(ty, "one of boolean, integer, number, string, array, object");
                self.untyped(node, beside)
            }
            None => {
                self.expected(ty, beside.one_type(ty));
                self.untyped(node, beside)
            }
        }
    }

    /// Looks for more to say of a schema whose type nobody knows: keywords that no type has, and the schemas in it.
    fn untyped(&mut self, node: Node, beside: &Beside<'d>) -> Form {
        let document = self.document;
        self.only(
            node,
            beside,
            &["type", "properties", "required", "additionalProperties", "items", "format", "contentEncoding"],
        );
        if let Some(properties) = document.member(node, "properties") {
            let required = document.member(node, "required").map(|node| self.names(node)).unwrap_or_default();
            self.properties(properties, &required);
        }
        for keyword in ["items", "additionalProperties"] {
            let schema = document.member(node, keyword);
            if let Some(schema) = schema.filter(|&schema| *document.body(schema) == Body::Object) {
                self.part(schema, Place::Inside);
            }
        }
        Form::Broken
    }

    /// Looks for what is to be written in the place of alternatives or values: whether it says a type. A schema among
    /// it is looked at as the one that it will be.
    fn alternatives(&mut self, node: Node, place: Place) -> bool {
        let document = self.document;
        let mut says = false;
        for (name, member) in document.members(node) {
            says |= says_type(document, name, member);
            if let "anyOf" | "oneOf" | "allOf" = name {
                if let Some(one) = Union::of(document, name, member).one() {
                    self.part(one, place);
                }
            }
        }
        says
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

    fn object(&mut self, node: Node, beside: &Beside<'d>) -> Form {
        let document = self.document;
        self.only(node, beside, &["type", "properties", "required", "additionalProperties"]);
        let additional = document.member(node, "additionalProperties");
        let required = document.member(node, "required");
        let Some(properties) = document.member(node, "properties") else {
            if let Some(required) = required {
                let instead = "there are no `properties` here that it could speak of";
                self.fault(required, SchemaProblem::Keyword { instead });
            }
            return match additional {
                Some(values) if !matches!(document.body(values), Body::Bool(_)) => {
                    Form::Dict(self.part(values, Place::Inside))
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
        if let (Some(required), Body::Object) = (required, document.body(properties)) {
            self.required(required, properties);
        }
        let required = required.map(|node| self.names(node)).unwrap_or_default();
        let Some(parts) = self.properties(properties, &required) else { return Form::Broken };
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
    fn properties(&mut self, node: Node, required: &BTreeSet<&str>) -> Option<Vec<(&'d str, u32)>> {
        let document = self.document;
        if *document.body(node) != Body::Object {
            self.expected(node, "an object of properties");
            return None;
        }
        let mut parts = Vec::new();
        for (name, property) in document.members(node) {
            if !is_name(name) {
                self.fault(property, SchemaProblem::FieldName);
            }
            let place = Place::Property { required: required.contains(name) };
            parts.push((name, self.part(property, place)));
        }
        Some(parts)
    }

    /// The names in `required`.
    fn names(&self, required: Node) -> BTreeSet<&'d str> {
        let document = self.document;
        let array = *document.body(required) == Body::Array;
        document.parts(required).filter(|_| array).filter_map(|part| document.text(part)).collect()
    }

    /// Refuses what is no list of properties.
    fn required(&mut self, node: Node, properties: Node) {
        let document = self.document;
        let mut names = BTreeSet::new();
        if *document.body(node) != Body::Array {
            self.expected(node, "an array of names");
            return;
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
    }

    fn reference(&mut self, node: Node) -> Form {
        let Some(target) = self.document.text(node) else {
            self.expected(node, "a reference, which is a string");
            return Form::Broken;
        };
        // A pointer in a URI fragment: `%` first, then the segments, then `~` in each.
        let Some(fragment) = target.strip_prefix('#') else {
            self.fault(node, SchemaProblem::Remote);
            return Form::Broken;
        };
        let pointer = percent_decoded(fragment);
        let segments = pointer.as_deref().map(|pointer| pointer.split('/').map(segment));
        let Some(segments) = segments.and_then(|segments| segments.collect::<Option<Vec<String>>>()) else {
            self.expected(
                node,
                "a JSON pointer in a URI fragment: behind each `%` two hexadecimal digits, which make UTF-8, \
                 and behind each `~` a 0 or a 1",
            );
            return Form::Broken;
        };
        let found = match &segments[..] {
            [none, keyword, name] if none.is_empty() => {
                DEFINITIONS.iter().find(|known| *known == keyword).map(|keyword| (*keyword, name.clone()))
            }
            _ => None,
        };
        let Some((keyword, name)) = found else {
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
        let (pointers, mut places) = (self.document.pointers(), Places::new(self.text));
        for ((offset, node), problem) in self.faults {
            let (line, column) = places.next(offset);
            faults.push(SchemaFault { pointer: pointers.of(node), offset, line, column, problem });
        }
        Err(SchemaError { faults, more: self.more })
    }
}

/// What a URI fragment says, if its `%` each introduce two hexadecimal digits and make UTF-8.
fn percent_decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        let hex = |digit: Option<u8>| char::from(digit?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(hex(rest.next())? << 4 | hex(rest.next())?).ok()?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// What a segment of a JSON pointer says, if it is one.
fn segment(text: &str) -> Option<String> {
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
