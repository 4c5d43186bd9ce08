//! From a schema to Rust that derives the same type.

mod docs;
mod names;
mod parts;

use super::json::{Docs, Form, Schema};
use super::{Scalar, TypeError};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use names::{Taken, pascal};

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
    /// - Titles, descriptions and defaults become documentation: lists, code and addresses stay what they are, all else
    ///   is text. Where clippy would speak of what the schema says, an attribute allows it.
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

struct Writing<'s> {
    schema: &'s Schema,
    /// For each part the one that references lead to.
    real: Vec<u32>,
    /// For each struct a number that it shares with those that it contains and that contain it.
    components: Vec<u32>,
    /// The names of structs that were met.
    names: BTreeMap<u32, String>,
    taken: Taken,
    /// Structs that have a name and were not written.
    waiting: Vec<u32>,
    out: String,
}

impl<'s> Writing<'s> {
    fn new(schema: &'s Schema) -> Self {
        let real = parts::resolved(&schema.parts);
        let components = parts::components(&schema.parts, &real);
        let (names, taken) = (BTreeMap::new(), Taken::by_types());
        Writing { schema, real, components, names, taken, waiting: Vec::new(), out: String::new() }
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
        let name = self.taken.take_type(&pascal(name));
        if let Form::Struct(_) = part.form {
            self.names.insert(root, name.clone());
            self.waiting.push(root);
        } else {
            let (of, bytes) = self.expression(schema.root, &name)?;
            let of = if bytes { "kiln::ByteBuf".into() } else { of };
            let mut lints = Lints::default();
            lints.document(schema.docs(), &mut self.out);
            lints.allow(&mut self.out);
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
    #[expect(clippy::indexing_slicing, reason = "parts of a schema lead to parts of the same schema")]
    fn real(&self, part: u32) -> u32 {
        self.real[part as usize]
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
        let definition = self.schema.parts[part as usize].name.as_deref().map(pascal);
        let name = self.taken.take_type(definition.as_deref().unwrap_or(name));
        self.names.insert(part, name.clone());
        self.waiting.push(part);
        name
    }

    #[expect(clippy::indexing_slicing, reason = "parts of a schema lead to parts of the same schema")]
    fn structure(&mut self, part: u32) -> Result<(), RustError> {
        let Form::Struct(properties) = self.form(part) else { return Ok(()) };
        let name = self.names.get(&part).cloned().unwrap_or_default();
        let (mut lints, mut fields, mut body) = (Lints::default(), Vec::new(), String::new());
        let mut taken = Taken::default();
        for property in properties {
            let (mut of, bytes) =
                self.expression(property.part, &format!("{name}{}", pascal(&property.name)))?;
            let (field, renamed) = taken.take_field(&property.name);
            lints.document(&self.schema.parts[property.part as usize].docs, &mut body);
            if bytes {
                body.push_str("#[kiln(bytes)]");
            }
            if renamed {
                body.push_str(&format!("#[kiln(name = {:?})]", property.name));
            }
            if !property.required {
                // Where it leads back to its struct, with no array and no map on the way.
                let inside = self.components[self.real(property.part) as usize];
                let boxed = inside == self.components[part as usize];
                of = if boxed { format!("Option<Box<{of}>>") } else { format!("Option<{of}>") };
            }
            lints.field(&field, &of);
            body.push_str(&format!("pub {field}: {of},\n"));
            fields.push(field);
        }
        lints.repeats = names::repeat_words(&name, &fields);
        lints.document(&self.schema.parts[part as usize].docs, &mut self.out);
        lints.allow(&mut self.out);
        self.out.push_str("#[derive(Clone, Debug, PartialEq, kiln::Frozen)]\n");
        self.out.push_str(&format!("pub struct {name} {{\n{body}}}\n"));
        Ok(())
    }
}

/// What of clippy's an item may be said to be, for the schema says so and not whoever wrote the Rust.
#[derive(Default)]
struct Lints {
    code_in_docs: bool,
    bools: usize,
    repeats: bool,
    underscores: bool,
    complex: bool,
}

impl Lints {
    /// Appends the words of a schema as documentation.
    fn document(&mut self, docs: &Docs, out: &mut String) {
        for line in docs::lines(docs) {
            self.code_in_docs |= docs::names_code(&line);
            let space = if line.is_empty() { "" } else { " " };
            out.push_str(&format!("#[doc = {:?}]\n", format!("{space}{line}")));
        }
    }

    fn field(&mut self, name: &str, of: &str) {
        self.bools = self.bools.saturating_add(usize::from(of == "bool"));
        self.underscores |= name.starts_with('_');
        self.complex |= is_complex(of);
    }

    /// Appends an attribute that allows what would be said.
    fn allow(&self, out: &mut String) {
        let lints = [
            (self.code_in_docs, "clippy::doc_markdown"),
            (self.underscores, "clippy::pub_underscore_fields"),
            (self.bools > 3, "clippy::struct_excessive_bools"),
            (self.repeats, "clippy::struct_field_names"),
            (self.complex, "clippy::type_complexity"),
        ];
        let lints: Vec<&str> = lints.iter().filter(|(said, _)| *said).map(|(_, lint)| *lint).collect();
        if !lints.is_empty() {
            out.push_str(&format!("#[allow({})]\n", lints.join(", ")));
        }
    }
}

/// Whether clippy has a type for very complex: each type counts as much more as it is deeper inside others.
fn is_complex(rust: &str) -> bool {
    let (mut score, mut level) = (10u32, 10u32);
    for c in rust.chars() {
        match c {
            '<' => {
                level = level.saturating_add(10);
                score = score.saturating_add(level);
            }
            ',' => score = score.saturating_add(level),
            '>' => level = level.saturating_sub(10),
            _ => {}
        }
    }
    score > 250
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
