//! From a schema to Rust that derives the same type.

use super::json::{Docs, Form, Property, Schema};
use super::{Scalar, TypeError};
use crate::escape::escape;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// How [`Schema::to_rust`] writes Rust.
#[derive(Clone, Debug, Default)]
pub struct RustOptions {
    name: Option<String>,
    fallback: Option<String>,
    framed: bool,
}

impl RustOptions {
    /// Named after the schema, without a compile-time assertion.
    #[must_use]
    pub fn new() -> Self {
        RustOptions::default()
    }

    /// The name of the whole type, made into a legal one. Without it the schema's `title` names it, then the
    /// definition that it refers to, then [`fallback`](Self::fallback).
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The name of the whole type if nothing else names it; `Root` if this is not given either.
    #[must_use]
    pub fn fallback(mut self, name: &str) -> Self {
        self.fallback = Some(name.into());
        self
    }

    /// Whether a constant asserts at compile time that the type has the schema's hash, which frames carry.
    #[must_use]
    pub fn framed(mut self, framed: bool) -> Self {
        self.framed = framed;
        self
    }
}

/// A schema that Rust cannot be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RustError {
    /// A hash is to be asserted, and the type has none.
    Type(TypeError),
    /// An array or map contains itself with no object between, and Rust names such types only by structs.
    Nameless,
    /// Arrays and maps stand in one another more than 32 deep with no object between.
    TooDeep,
}

impl fmt::Display for RustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RustError::Type(error) => error.fmt(f),
            RustError::Nameless => f.write_str(
                "an array or a map contains itself with no object between: Rust has no name for such a type",
            ),
            RustError::TooDeep => {
                f.write_str("arrays and maps stand in one another more than 32 deep with no object between")
            }
        }
    }
}

impl core::error::Error for RustError {}

/// How many arrays and maps may stand in one another before an object does: what parses the Rust again takes 33 KiB of
/// stack for each in a build without optimisation, and a thread has 2 MiB.
const MAX_NESTING: usize = 32;

impl Schema {
    /// Rust with a struct for every object, which derive [`Frozen`](macro@crate::Frozen) and have the same type text
    /// and hash as the schema.
    ///
    /// Needs the feature `gen`. The program does the same by `kiln gen`.
    ///
    /// - An object in a property is named by the struct and the property (`Order` and `customer`: `OrderCustomer`), one in
    ///   an array by `Item`, one in a map by `Value`, a definition by its own name. Of names that are alike the later
    ///   ones get a number.
    /// - A property keeps its name where Rust has it as one, in snake case; `type` becomes `r#type`. Any other gets
    ///   `#[kiln(name = "…")]` with the name on the wire.
    /// - A property that is not required is an `Option`, boxed where the type contains itself. Arrays are `Vec`, maps
    ///   `BTreeMap`, base64 strings byte runs.
    /// - Titles, descriptions and defaults become documentation.
    ///
    /// # Errors
    /// [`RustError`].
    ///
    /// # From `build.rs`
    ///
    /// With `kiln` among the dependencies, and once more with the feature `gen` among the build dependencies:
    ///
    /// ```no_run
    /// use kiln::schema::{RustOptions, Schema};
    /// use std::{env, fs, path::Path};
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     println!("cargo::rerun-if-changed=order.json");
    ///     let schema = Schema::from_json(&fs::read_to_string("order.json")?)?;
    ///     let rust = schema.to_rust(&RustOptions::new().name("Order").framed(true))?;
    ///     fs::write(Path::new(&env::var("OUT_DIR")?).join("order.rs"), rust)?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// and in the program `include!(concat!(env!("OUT_DIR"), "/order.rs"));`.
    ///
    /// # Example
    ///
    /// ```
    /// use kiln::schema::{RustOptions, Schema};
    /// let schema = Schema::from_json(
    ///     r#"{"title": "reading", "type": "object", "required": ["type"], "properties": {
    ///         "type": {"type": "integer", "format": "uint16", "description": "What was read."},
    ///         "roomName": {"type": "string"}}}"#,
    /// )?;
    /// let rust = schema.to_rust(&RustOptions::new())?;
    /// assert_eq!(rust, r##"/// reading
    /// #[derive(Clone, Debug, PartialEq, kiln::Frozen)]
    /// pub struct Reading {
    ///     /// What was read.
    ///     pub r#type: u16,
    ///     #[kiln(name = "roomName")]
    ///     pub room_name: Option<String>,
    /// }
    /// "##);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn to_rust(&self, options: &RustOptions) -> Result<String, RustError> {
        let hash = match options.framed {
            true => Some(self.ty().hash().map_err(RustError::Type)?),
            false => None,
        };
        let plain = Writing::new(self).write(options, hash)?;
        match syn::parse_file(&plain) {
            Ok(file) => Ok(spaced(&prettyplease::unparse(&file))),
            // What was written is Rust; should it not be, it is still the best there is to look at.
            Err(_) => Ok(plain),
        }
    }
}

/// An empty line between items, whose last lines alone begin so.
fn spaced(rust: &str) -> String {
    let mut spaced = String::with_capacity(rust.len());
    let mut lines = rust.lines().peekable();
    while let Some(line) = lines.next() {
        spaced.push_str(line);
        spaced.push('\n');
        let ends = line.starts_with('}') || (line.starts_with("pub ") && line.ends_with([';', '}']));
        if ends && lines.peek().is_some() {
            spaced.push('\n');
        }
    }
    spaced
}

/// Names that are taken, each by one.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    /// The number that was tried last behind a name, so that none is tried twice.
    asked: BTreeMap<String, u64>,
}

impl Taken {
    /// The name, or, as it is taken, with the least number behind it from 2 on that makes it free. It is taken now.
    fn take(&mut self, name: String, separator: &str) -> String {
        let number = self.asked.entry(name.clone()).or_insert(1);
        let mut free = name.clone();
        while !self.names.insert(free.clone()) {
            *number = number.saturating_add(1);
            free = format!("{name}{separator}{number}");
        }
        free
    }
}

struct Writing<'s> {
    schema: &'s Schema,
    /// The names of structs that were met.
    names: BTreeMap<u32, String>,
    taken: Taken,
    /// Structs that have a name and were not written.
    waiting: Vec<u32>,
    out: String,
}

/// Names that what is written uses otherwise.
const RESERVED: [&str; 9] = ["Self", "String", "Vec", "Option", "Box", "Some", "None", "Ok", "Err"];

impl<'s> Writing<'s> {
    fn new(schema: &'s Schema) -> Self {
        let mut taken = Taken::default();
        taken.names.extend(RESERVED.map(String::from));
        Writing { schema, names: BTreeMap::new(), taken, waiting: Vec::new(), out: String::new() }
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "parts of a schema lead to parts of the same schema; nothing before `met` was popped"
    )]
    fn write(mut self, options: &RustOptions, hash: Option<u64>) -> Result<String, RustError> {
        let schema = self.schema;
        let root = self.real(schema.root);
        let part = &schema.parts[root as usize];
        let docs = [&schema.parts[schema.root as usize].docs, &part.docs];
        let title = docs.iter().find_map(|docs| docs.title.as_deref());
        let name = options.name.as_deref().or(title).or(part.name.as_deref());
        let name = name.or(options.fallback.as_deref()).unwrap_or("Root");
        let name = self.taken.take(pascal(name), "");
        if let Form::Struct(_) = part.form {
            self.names.insert(root, name.clone());
            self.waiting.push(root);
        } else {
            let (of, bytes) = self.expression(schema.root, &name)?;
            let of = if bytes { "kiln::ByteBuf".into() } else { of };
            document(schema.docs(), &mut self.out);
            self.out.push_str(&format!("pub type {name} = {of};\n"));
        }
        while let Some(part) = self.waiting.pop() {
            let met = self.waiting.len();
            self.structure(part)?;
            // The first that was met comes next.
            self.waiting[met..].reverse();
        }
        if let Some(hash) = hash {
            let [a, b, c, d] = [48, 32, 16, 0].map(|bits| hash >> bits & 0xffff);
            let grouped = format!("0x{a:04x}_{b:04x}_{c:04x}_{d:04x}");
            self.out.push_str(&format!(
                "const _: () = match kiln::schema_hash::<{name}>() {{\
                     {grouped} => {{}}, _ => panic!(\"the type is not the one of the schema\") }};\n"
            ));
        }
        Ok(self.out)
    }

    /// The part that references lead to.
    fn real(&self, mut part: u32) -> u32 {
        // A schema has no reference that leads in a circle.
        while let Some(Form::Link(target)) = self.schema.parts.get(part as usize).map(|part| &part.form) {
            part = *target;
        }
        part
    }

    #[expect(clippy::indexing_slicing, reason = "parts of a schema lead to parts of the same schema")]
    fn form(&self, part: u32) -> &'s Form {
        &self.schema.parts[part as usize].form
    }

    /// The Rust type of a part, and whether it is a byte run, for which a field says so itself. `name` is what an
    /// object in it is called, if a definition does not name it.
    fn expression(&mut self, part: u32, name: &str) -> Result<(String, bool), RustError> {
        let (mut before, mut after, mut name) = (String::new(), String::new(), name.to_string());
        let mut seen = BTreeSet::new();
        let mut at = self.real(part);
        loop {
            let known = match self.form(at) {
                Form::Scalar(Scalar::Bytes) if before.is_empty() => return Ok(("Vec<u8>".into(), true)),
                Form::Scalar(scalar) => rust_of(*scalar).into(),
                Form::Struct(_) => self.named(at, &name),
                Form::List(element) => {
                    before.push_str("Vec<");
                    name.push_str("Item");
                    if !seen.insert(at) {
                        return Err(RustError::Nameless);
                    }
                    at = self.real(*element);
                    after.push('>');
                    String::new()
                }
                Form::Dict(value) => {
                    before.push_str("std::collections::BTreeMap<String, ");
                    name.push_str("Value");
                    if !seen.insert(at) {
                        return Err(RustError::Nameless);
                    }
                    at = self.real(*value);
                    after.push('>');
                    String::new()
                }
                // Followed, and of no schema.
                Form::Link(_) | Form::Broken => return Err(RustError::Nameless),
            };
            if !known.is_empty() {
                return Ok((format!("{before}{known}{after}"), false));
            }
            if after.len() > MAX_NESTING {
                return Err(RustError::TooDeep);
            }
        }
    }

    /// The name of a struct; one without a name gets it now.
    #[expect(clippy::indexing_slicing, reason = "parts of a schema lead to parts of the same schema")]
    fn named(&mut self, part: u32, name: &str) -> String {
        if let Some(name) = self.names.get(&part) {
            return name.clone();
        }
        let definition = self.schema.parts[part as usize].name.as_deref();
        let name = self.taken.take(definition.map_or(name.into(), pascal), "");
        self.names.insert(part, name.clone());
        self.waiting.push(part);
        name
    }

    #[expect(clippy::indexing_slicing, reason = "parts of a schema lead to parts of the same schema")]
    fn structure(&mut self, part: u32) -> Result<(), RustError> {
        let Form::Struct(properties) = self.form(part) else { return Ok(()) };
        let name = self.names.get(&part).cloned().unwrap_or_default();
        let mut body = String::new();
        let mut taken = Taken::default();
        for property in properties {
            let (mut of, bytes) =
                self.expression(property.part, &format!("{name}{}", pascal(&property.name)))?;
            let (field, renamed) = field_name(&property.name, &mut taken);
            document(&self.schema.parts[property.part as usize].docs, &mut body);
            if bytes {
                body.push_str("#[kiln(bytes)]");
            }
            if renamed {
                body.push_str(&format!("#[kiln(name = {:?})]", property.name));
            }
            if !property.required {
                let boxed = self.leads_to(property, part);
                of = if boxed { format!("Option<Box<{of}>>") } else { format!("Option<{of}>") };
            }
            body.push_str(&format!("pub {field}: {of},\n"));
        }
        document(&self.schema.parts[part as usize].docs, &mut self.out);
        self.out.push_str("#[derive(Clone, Debug, PartialEq, kiln::Frozen)]\n");
        self.out.push_str(&format!("pub struct {name} {{\n{body}}}\n"));
        Ok(())
    }

    /// Whether a property leads back to its struct with no array and no map on the way, so that it needs a box.
    fn leads_to(&self, property: &Property, part: u32) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![self.real(property.part)];
        while let Some(at) = waiting.pop() {
            if at == part {
                return true;
            }
            if let (Form::Struct(properties), true) = (self.form(at), seen.insert(at)) {
                waiting.extend(properties.iter().map(|property| self.real(property.part)));
            }
        }
        false
    }
}

fn rust_of(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Str => "String",
        Scalar::Bytes => "kiln::ByteBuf",
        Scalar::F16 => "kiln::half::f16",
        Scalar::Bf16 => "kiln::half::bf16",
        scalar => scalar.name(),
    }
}

/// Appends the words of a schema as documentation.
fn document(docs: &Docs, out: &mut String) {
    let mut paragraphs: Vec<String> = Vec::new();
    paragraphs.extend(docs.title.clone());
    paragraphs.extend(docs.description.clone());
    paragraphs.extend(docs.default.as_ref().map(|default| format!("Default: {default}")));
    if docs.deprecated {
        paragraphs.push("Deprecated.".into());
    }
    let lines = paragraphs.join("\n\n");
    for line in lines.lines() {
        // Indented text would be taken for code, and run as a test.
        let line = escape(line.trim().as_bytes()).to_string();
        let mut plain = String::from(if line.is_empty() { "" } else { " " });
        for c in line.chars() {
            // What would be a link, HTML or code.
            if matches!(c, '[' | ']' | '<' | '>' | '`' | '~') {
                plain.push('\\');
            }
            plain.push(c);
        }
        out.push_str(&format!("#[doc = {plain:?}]\n"));
    }
}

/// The words of a name: runs of ASCII letters and digits.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// The name of a type.
fn pascal(name: &str) -> String {
    let mut made = String::new();
    for word in words(name) {
        let (first, rest) = word.split_at(1);
        if made.is_empty() && first.starts_with(|c: char| c.is_ascii_digit()) {
            made.push('T');
        }
        made.push_str(&first.to_ascii_uppercase());
        made.push_str(rest);
    }
    if made.is_empty() { "Type".into() } else { made }
}

/// The name of a field, and whether it is another than on the wire.
fn field_name(name: &str, taken: &mut Taken) -> (String, bool) {
    let mut made = if is_snake(name) { name.into() } else { snake(name) };
    // These cannot be said as raw identifiers.
    if matches!(made.as_str(), "self" | "super" | "crate" | "_") {
        made.push('_');
    }
    let mut free = taken.take(made, "_");
    let renamed = free != name;
    if KEYWORDS.contains(&free.as_str()) {
        free.insert_str(0, "r#");
    }
    (free, renamed)
}

/// Whether a name is one that Rust has for a field and does not warn of.
fn is_snake(name: &str) -> bool {
    let inner = name.trim_matches('_');
    !inner.is_empty()
        && !inner.contains("__")
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

fn snake(name: &str) -> String {
    let mut made = String::new();
    for word in words(name) {
        if !made.is_empty() {
            made.push('_');
        }
        let mut bytes = word.bytes().peekable();
        let mut before = None;
        while let Some(byte) = bytes.next() {
            // `roomName`, and `HTTPServer`.
            let breaks =
                |before: u8| !before.is_ascii_uppercase() || bytes.peek().is_some_and(u8::is_ascii_lowercase);
            if byte.is_ascii_uppercase() && before.is_some_and(breaks) {
                made.push('_');
            }
            made.push(char::from(byte.to_ascii_lowercase()));
            before = Some(byte);
        }
    }
    if made.is_empty() {
        made.push_str("field");
    }
    if made.starts_with(|c: char| c.is_ascii_digit()) {
        made.insert(0, '_');
    }
    made
}

/// What an edition of Rust keeps for itself.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];
