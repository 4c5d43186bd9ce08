//! A whole JSON document, kept flat: neither reading, walking nor dropping it takes stack for its depth.

use super::lexer::{Lexer, Raw, Syntax, Token};
use super::pointer::{push_index, push_key};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The place of a node in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(pub(crate) u32);

impl Node {
    pub(crate) const ROOT: Node = Node(0);
    const NONE: Node = Node(u32::MAX);
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body<'t> {
    Object,
    Array,
    Text(Cow<'t, str>),
    Number,
    Bool(bool),
    Null,
}

struct Entry<'t> {
    body: Body<'t>,
    /// The name of a member; of anything else nothing.
    key: Option<Cow<'t, str>>,
    /// The index among the parts of `parent`.
    index: u32,
    parent: Node,
    first: Node,
    next: Node,
    /// Where it stands in the text; for a member, where its key begins.
    at: usize,
    /// Where the value itself begins and ends.
    start: usize,
    end: usize,
}

pub(crate) struct Document<'t> {
    text: &'t str,
    nodes: Vec<Entry<'t>>,
}

impl<'t> Document<'t> {
    /// Reads a text of less than 4 GiB.
    #[expect(clippy::indexing_slicing, reason = "a container that is open has a node")]
    pub(crate) fn read(text: &'t str) -> Result<Document<'t>, Syntax> {
        let mut document = Document { text, nodes: Vec::new() };
        let mut lexer = Lexer::new(text);
        // The containers that are open, and the last part of each so far.
        let mut open: Vec<(Node, Node)> = Vec::new();
        let mut key: Option<(Raw<'t>, usize)> = None;
        loop {
            let start = lexer.skip();
            let body = match lexer.token()? {
                Token::OpenObject => Body::Object,
                Token::OpenArray => Body::Array,
                Token::Text(raw) => Body::Text(raw.plain()),
                Token::Number(_) => Body::Number,
                Token::True => Body::Bool(true),
                Token::False => Body::Bool(false),
                Token::Null => Body::Null,
                _ => return Err(Syntax { at: start, expected: "a value" }),
            };
            let opens = matches!(body, Body::Object | Body::Array);
            let node = document.add(body, key.take(), &mut open, start, lexer.offset())?;
            if opens {
                open.push((node, Node::NONE));
            }
            let mut fresh = opens;
            // What is complete now, and what that completes.
            loop {
                let Some(&(container, _)) = open.last() else {
                    return match lexer.token()? {
                        Token::End => Ok(document),
                        _ => Err(Syntax { at: lexer.offset(), expected: "the end of the text" }),
                    };
                };
                let object = document.nodes[container.0 as usize].body == Body::Object;
                if lexer.pass(if object { b'}' } else { b']' }) {
                    document.nodes[container.0 as usize].end = lexer.offset();
                    open.pop();
                    fresh = false;
                    continue;
                }
                if !fresh && !lexer.pass(b',') {
                    let expected = if object { "`,` or `}`" } else { "`,` or `]`" };
                    return Err(Syntax { at: lexer.skip(), expected });
                }
                if object {
                    let at = lexer.skip();
                    let Token::Text(raw) = lexer.token()? else {
                        return Err(Syntax { at, expected: "a name in quotes" });
                    };
                    if !lexer.pass(b':') {
                        return Err(Syntax { at: lexer.skip(), expected: "`:`" });
                    }
                    key = Some((raw, at));
                }
                break;
            }
        }
    }

    #[expect(clippy::indexing_slicing, reason = "a container that is open has a node")]
    fn add(
        &mut self,
        body: Body<'t>,
        key: Option<(Raw<'t>, usize)>,
        open: &mut [(Node, Node)],
        start: usize,
        end: usize,
    ) -> Result<Node, Syntax> {
        let node = match u32::try_from(self.nodes.len()) {
            Ok(at) if at < Node::NONE.0 => Node(at),
            _ => return Err(Syntax { at: start, expected: "a text of less than 4 GiB" }),
        };
        let (mut parent, mut index) = (Node::NONE, 0);
        if let Some((container, last)) = open.last_mut() {
            parent = *container;
            match self.nodes.get_mut(last.0 as usize) {
                Some(before) => {
                    index = before.index.saturating_add(1);
                    before.next = node;
                }
                None => self.nodes[container.0 as usize].first = node,
            }
            *last = node;
        }
        let at = key.as_ref().map_or(start, |(_, at)| *at);
        let key = key.map(|(raw, _)| raw.plain());
        self.nodes.push(Entry {
            body,
            key,
            index,
            parent,
            first: Node::NONE,
            next: Node::NONE,
            at,
            start,
            end,
        });
        Ok(node)
    }

    #[expect(clippy::indexing_slicing, reason = "whoever has a `Node` of a document has it from `add`")]
    fn entry(&self, node: Node) -> &Entry<'t> {
        &self.nodes[node.0 as usize]
    }

    pub(crate) fn body(&self, node: Node) -> &Body<'t> {
        &self.entry(node).body
    }

    /// The string that a node is.
    pub(crate) fn text(&self, node: Node) -> Option<&str> {
        match self.body(node) {
            Body::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text that says the value.
    pub(crate) fn source(&self, node: Node) -> &'t str {
        let entry = self.entry(node);
        self.text.get(entry.start..entry.end).unwrap_or("")
    }

    /// Where a node stands in the text: a member with its name.
    pub(crate) fn offset(&self, node: Node) -> usize {
        self.entry(node).at
    }

    /// The elements of an array, or the values of an object's members, as written.
    pub(crate) fn parts(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let mut next = self.entry(node).first;
        core::iter::from_fn(move || {
            let node = next;
            next = self.nodes.get(node.0 as usize)?.next;
            Some(node)
        })
    }

    /// The members of an object by name, as written, repeated ones too.
    pub(crate) fn members(&self, node: Node) -> impl Iterator<Item = (&str, Node)> {
        self.parts(node).filter_map(|part| Some((self.entry(part).key.as_deref()?, part)))
    }

    /// The first member of that name.
    pub(crate) fn member(&self, node: Node, name: &str) -> Option<Node> {
        self.members(node).find(|(key, _)| *key == name).map(|(_, part)| part)
    }

    /// The JSON pointer to a node.
    pub(crate) fn pointer(&self, node: Node) -> String {
        let mut way = Vec::new();
        let mut at = node;
        while let Some(entry) = self.nodes.get(at.0 as usize) {
            way.push(entry);
            at = entry.parent;
        }
        let mut pointer = String::new();
        for entry in way.into_iter().rev().filter(|entry| entry.parent != Node::NONE) {
            match &entry.key {
                Some(key) => push_key(&mut pointer, key),
                None => push_index(&mut pointer, entry.index as usize),
            }
        }
        pointer
    }
}
