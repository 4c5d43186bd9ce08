//! `#[kiln(…)]` and `#[repr(…)]`.

use crate::{Errors, error};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, LitStr, Path, Result, Token, WherePredicate, parenthesized, parse_quote, token};

/// The attributes that there are, with where they go and how they are written.
const KNOWN: [(&str, &str); 5] = [
    ("bytes", "`bytes` goes on a field: #[kiln(bytes)]"),
    ("name", "`name` goes on a field: #[kiln(name = \"…\")]"),
    ("crate", "`crate` goes on the type: #[kiln(crate = path)]"),
    ("bound", "`bound` goes on a struct: #[kiln(bound(T: Trait))]"),
    ("trusted", "`trusted` goes on the type: #[kiln(trusted)]"),
];

/// Runs `take` over everything in the `#[kiln(…)]` of `attributes`; it says whether it took the part.
fn each(
    attributes: &[Attribute],
    errors: &mut Errors,
    mut take: impl FnMut(&ParseNestedMeta) -> Result<bool>,
) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("kiln")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if take(&meta)? {
                return Ok(());
            }
            let known = KNOWN.iter().find(|(name, _)| meta.path.is_ident(name));
            let message = known.map_or(
                "kiln has no such attribute: there are `bytes` and `name` for a field, and `crate`, `bound` and `trusted` for \
                 the type",
                |(_, place)| place,
            );
            Err(error(&meta.path, message))
        });
        errors.keep(parsed);
    }
}

/// An attribute that may be given once.
struct Once<T>(Option<T>);

impl<T> Once<T> {
    fn set(&mut self, meta: &ParseNestedMeta, value: T) -> Result<()> {
        match self.0.replace(value) {
            None => Ok(()),
            Some(_) => {
                let name = meta.path.to_token_stream();
                Err(error(&meta.path, format!("`{name}` is given twice")))
            }
        }
    }
}

/// The path of the crate `kiln`, by the attributes in front of an item. What is wrong with them, [`of_type`] says.
pub(crate) fn crate_of(item: TokenStream) -> Path {
    let attributes = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    let attributes = attributes.parse2(item).unwrap_or_default();
    of_type(&attributes, &mut Errors::default()).path.unwrap_or_else(|| parse_quote!(::kiln))
}

/// What stands on the type.
pub(crate) struct OfType {
    /// Where the crate `kiln` is.
    path: Option<Path>,
    /// The bounds of the implementations, in the place of those that are found.
    pub(crate) bound: Option<Bound>,
    pub(crate) trusted: bool,
}

/// Where the bounds are said, and what they are.
pub(crate) struct Bound {
    pub(crate) at: Path,
    pub(crate) predicates: Vec<WherePredicate>,
}

/// Reads what stands on the type.
pub(crate) fn of_type(attributes: &[Attribute], errors: &mut Errors) -> OfType {
    let (mut path, mut bound, mut trusted) = (Once(None), Once(None), Once(None));
    each(attributes, errors, |meta| {
        if meta.path.is_ident("crate") {
            let value = meta.value()?;
            if value.peek(LitStr) {
                return Err(value.error("the path goes without quotes: #[kiln(crate = path)]"));
            }
            path.set(meta, value.call(Path::parse_mod_style)?)?;
        } else if meta.path.is_ident("bound") {
            if !meta.input.peek(token::Paren) {
                return Err(meta.input.error("the bounds go in parentheses: #[kiln(bound(T: Trait))]"));
            }
            let predicates;
            parenthesized!(predicates in meta.input);
            let predicates = predicates.parse_terminated(WherePredicate::parse, Token![,])?;
            bound.set(meta, Bound { at: meta.path.clone(), predicates: predicates.into_iter().collect() })?;
        } else if meta.path.is_ident("trusted") {
            trusted.set(meta, ())?;
        } else {
            return Ok(false);
        }
        Ok(true)
    });
    OfType { path: path.0, bound: bound.0, trusted: trusted.0.is_some() }
}

/// What stands on a field.
pub(crate) struct OfField {
    pub(crate) bytes: bool,
    /// The name on the wire, in the place of the identifier.
    pub(crate) name: Option<LitStr>,
}

/// Reads what stands on a field.
pub(crate) fn of_field(attributes: &[Attribute], errors: &mut Errors) -> OfField {
    let (mut bytes, mut name) = (Once(None), Once(None));
    each(attributes, errors, |meta| {
        if meta.path.is_ident("bytes") {
            bytes.set(meta, ())?;
        } else if meta.path.is_ident("name") {
            let literal = meta.value()?.parse()?;
            check_name(&literal)?;
            name.set(meta, literal)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    });
    OfField { bytes: bytes.0.is_some(), name: name.0 }
}

/// Refuses what a type text cannot hold as a name.
fn check_name(literal: &LitStr) -> Result<()> {
    let name = literal.value();
    if name.is_empty() {
        return Err(error(literal, "a name on the wire is not empty"));
    }
    match name.chars().find(|c| ['{', '}', ':', ',', '\0'].contains(c)) {
        Some(c) => Err(error(
            literal,
            format!(
                "{c:?} cannot stand in a name on the wire: a name has no brace, no colon, no comma and no NUL"
            ),
        )),
        None => Ok(()),
    }
}

/// Refuses attributes where none has a meaning.
pub(crate) fn none(attributes: &[Attribute], errors: &mut Errors) {
    each(attributes, errors, |_| Ok(false));
}

/// The words inside `#[repr(…)]`, as far as they are words.
pub(crate) fn reprs(attributes: &[Attribute]) -> Vec<(String, Span)> {
    let mut reprs = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // What does not parse is the compiler's to refuse.
        let _: Result<()> = attribute.parse_nested_meta(|meta| {
            if let Some(word) = meta.path.get_ident() {
                reprs.push((word.to_string(), meta.path.span()));
            }
            if meta.input.peek(token::Paren) {
                let content;
                parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        });
    }
    reprs
}
