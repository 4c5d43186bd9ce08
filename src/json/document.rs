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

    /// The members whose name stands before in the same object, whatever escape sequences say it; at most so many.
    pub(crate) fn repeated(&self, most: usize) -> Vec<Node> {
        let mut found = Vec::new();
        let mut members: Vec<(&str, Node)> = Vec::new();
        for at in 0..self.nodes.len() {
            // Nodes are counted in 32 bits.
            let node = Node(u32::try_from(at).unwrap_or(u32::MAX));
            if *self.body(node) != Body::Object {
                continue;
            }
            members.clear();
            members.extend(self.members(node));
            // Names that are alike stay in the order of the text.
            members.sort_by_key(|(name, _)| *name);
            let pairs = members.iter().zip(members.iter().skip(1));
            found.extend(pairs.filter(|(one, other)| one.0 == other.0).map(|(_, (_, node))| *node));
            if found.len() >= most {
                found.truncate(most);
                break;
            }
        }
        found
    }

    /// The JSON pointers to nodes.
    pub(crate) fn pointers(&self) -> Pointers<'_, 't> {
        let mut heads: Vec<Head> = Vec::with_capacity(self.nodes.len());
        for (at, entry) in self.nodes.iter().enumerate() {
            // A part stands behind what it is a part of.
            let head = match heads.get(entry.parent.0 as usize) {
                Some(above) if above.len > Pointers::MOST => Head { len: above.len, node: above.node },
                above => {
                    let before = above.map_or(0, |above| above.len);
                    let step = above.map_or(0, |_| entry.step_len());
                    // Nodes are counted in 32 bits.
                    let node = Node(u32::try_from(at).unwrap_or(u32::MAX));
                    Head { len: before.saturating_add(step), node }
                }
            };
            heads.push(head);
        }
        Pointers { document: self, heads }
    }
}

impl Entry<'_> {
    /// The length of the step to it in a pointer.
    fn step_len(&self) -> usize {
        let mut step = String::new();
        match &self.key {
            Some(key) if key.len() > Pointers::MOST => return key.len(),
            _ => self.push_step(&mut step),
        }
        step.len()
    }

    fn push_step(&self, pointer: &mut String) {
        match &self.key {
            Some(key) => push_key(pointer, key),
            None => push_index(pointer, self.index as usize),
        }
    }
}

/// How long the pointer to a node is, and to which node above it, or itself, the pointer first is too long.
struct Head {
    /// At least [`Pointers::MOST`] and one more where it is too long.
    len: usize,
    node: Node,
}

/// JSON pointers to the nodes of a document, of long ones both ends: each in a time that does not depend on how deep or
/// how long-named its node is.
pub(crate) struct Pointers<'d, 't> {
    document: &'d Document<'t>,
    heads: Vec<Head>,
}

impl Pointers<'_, '_> {
    /// Beyond so many bytes a pointer has `…` in its middle.
    const MOST: usize = 4096;

    pub(crate) fn of(&self, node: Node) -> String {
        match self.heads.get(node.0 as usize) {
            Some(head) if head.len > Self::MOST => {
                let half = Self::MOST / 2;
                let mut pointer = self.begin(head.node, half);
                pointer.push('…');
                pointer.push_str(&self.end(node, half.saturating_sub('…'.len_utf8())));
                pointer
            }
            _ => self.end(node, Self::MOST),
        }
    }

    /// The first bytes of the pointer to a node that is not far below the top.
    fn begin(&self, node: Node, most: usize) -> String {
        let entry = self.document.entry(node);
        let mut pointer = self.end(entry.parent, usize::MAX);
        match &entry.key {
            // Escaping makes no text shorter.
            Some(key) => push_key(&mut pointer, key.get(..ceil(key, most)).unwrap_or(key)),
            None => entry.push_step(&mut pointer),
        }
        pointer.truncate(floor(&pointer, most));
        pointer
    }

    /// The last bytes of the pointer to a node.
    fn end(&self, node: Node, most: usize) -> String {
        let (mut steps, mut len): (Vec<String>, usize) = (Vec::new(), 0);
        let mut at = node;
        while let Some(entry) = self.document.nodes.get(at.0 as usize).filter(|_| len <= most) {
            if entry.parent == Node::NONE {
                break;
            }
            let mut step = String::new();
            match &entry.key {
                Some(key) if key.len() > most => {
                    let last = floor(key, key.len().saturating_sub(most).saturating_sub(1));
                    push_key(&mut step, key.get(last..).unwrap_or(key));
                }
                _ => entry.push_step(&mut step),
            }
            len = len.saturating_add(step.len());
            steps.push(step);
            at = entry.parent;
        }
        steps.reverse();
        let mut pointer = steps.concat();
        let cut = ceil(&pointer, pointer.len().saturating_sub(most));
        pointer.drain(..cut);
        pointer
    }
}

/// Where the character begins that has the byte `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Where the first character at or behind `at` begins.
fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
