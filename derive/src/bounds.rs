//! Which generics the impls get.
//!
//! The bounds stand on the parameters that the fields use, and on associated types like `T::Item` where only
//! those are used; not on the types of the fields, or a recursive type would need itself.

//!
//! Where a parameter has a bound of the program's own, which may say all that is asked of it, the types of the fields
//! are asked to be read and not the parameter: the compiler cannot choose between `T: Decode<'de>` and the same out of
//! a trait above it. Only the fields that hold the type itself cannot be asked.

use crate::attributes::Bound;
use crate::error;
use crate::names::Names;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::{
    GenericArgument, Generics, Ident, Lifetime, PathArguments, PathSegment, Result, ReturnType, Type,
    TypeParamBound, TypePath, WhereClause, WherePredicate, parse_quote,
};

/// What of a type's generics its fields use.
pub(crate) struct Bounds<'a> {
    generics: &'a Generics,
    names: &'a Names,
    /// The parameters and associated types that get a bound.
    used: Vec<TokenStream>,
    /// Those that get one when reading.
    read: Vec<TokenStream>,
    /// The fields whose types get one when reading.
    read_fields: Vec<usize>,
    /// The bounds that the program gives in the place of these.
    said: Option<Vec<WherePredicate>>,
    /// Whether a field borrows for `'static`.
    is_static: bool,
    declared: Vec<Declared>,
}

/// A bound on `Decode` that the type itself declares.
struct Declared {
    bounded: String,
    /// The lifetime in it, unless it is for all.
    lifetime: Option<Lifetime>,
}

/// The generics of an impl of `Decode`.
pub(crate) struct ForDecode {
    /// The lifetime of the bytes.
    pub(crate) de: Lifetime,
    pub(crate) generics: Generics,
    pub(crate) bounds: Option<WhereClause>,
}

impl<'a> Bounds<'a> {
    /// Of the fields' types, those whose traits are not asked for are looked at for lifetimes only.
    pub(crate) fn new(
        name: &Ident,
        generics: &'a Generics,
        fields: impl Iterator<Item = (&'a Type, bool)>,
        said: Option<Bound>,
        names: &'a Names,
    ) -> Self {
        let params: Vec<&Ident> = generics.type_params().map(|param| &param.ident).collect();
        let found_in = |ty, params| {
            let mut uses = Uses { params, found: Vec::new(), is_static: false };
            uses.in_type(ty);
            uses
        };
        let of_its_own = bounded_by_the_program(generics);
        let mut bounds = Bounds {
            generics,
            names,
            used: Vec::new(),
            read: Vec::new(),
            read_fields: Vec::new(),
            said: said.map(|bound| bound.predicates),
            is_static: false,
            declared: declared(generics),
        };
        for (index, (ty, is_asked)) in fields.enumerate() {
            let uses = found_in(ty, if is_asked { params.clone() } else { Vec::new() });
            bounds.is_static |= uses.is_static;
            let may_be_known = uses.found.iter().any(|used| of_its_own.contains(&first_of(used)));
            let is_own = |ident: &Ident| ident == name || ident == "Self";
            if may_be_known && !mentions(ty.to_token_stream(), &is_own) {
                bounds.read_fields.push(index);
            } else {
                uses.found.iter().for_each(|used| insert(&mut bounds.read, used));
            }
            uses.found.iter().for_each(|used| insert(&mut bounds.used, used));
        }
        bounds
    }

    /// The where clause of an impl that needs `bound` of what the fields use.
    pub(crate) fn each(&self, bound: &TokenStream) -> Option<WhereClause> {
        let mut clause = self.generics.where_clause.clone();
        for used in &self.used {
            add(&mut clause, parse_quote!(#used: #bound));
        }
        clause
    }

    /// The where clause of an impl for which the program may have said what it needs; else it is `bound` of what the
    /// fields use.
    pub(crate) fn each_unless_said(&self, bound: &TokenStream) -> Option<WhereClause> {
        let Some(said) = &self.said else { return self.each(bound) };
        let mut clause = self.generics.where_clause.clone();
        let de = self.lifetime();
        let for_all =
            said.iter().filter(|said| !mentions(said.to_token_stream(), &|ident| *ident == de.ident));
        for_all.for_each(|predicate| add(&mut clause, predicate.clone()));
        clause
    }

    /// The generics of an impl with the type parameter `param` more.
    pub(crate) fn with_param(&self, param: &Ident) -> Generics {
        let mut generics = self.generics.clone();
        generics.params.push(parse_quote!(#param));
        generics
    }

    /// The lifetime of the bytes, where none of the type's own is it.
    fn lifetime(&self) -> Lifetime {
        self.names.lifetime("de")
    }

    /// The generics of an impl of `decode`, in which a field that is asked by itself is bounded by `decode_field`.
    ///
    /// The lifetime of the bytes is a new one that outlives all of the type's own. But where the type itself says
    /// `T: Decode<'a>`, the compiler could not tell that bound from one with a new lifetime: then it is `'a`.
    pub(crate) fn decode(
        &self,
        frozen: &TokenStream,
        decode: &TokenStream,
        decode_field: &TokenStream,
        member: impl Fn(usize) -> TokenStream,
    ) -> Result<ForDecode> {
        let mut generics = self.generics.clone();
        let own: Vec<&Lifetime> = generics.lifetimes().map(|param| &param.lifetime).collect();
        let mut named = self.declared.iter().filter_map(|declared| declared.lifetime.as_ref());
        let de = named.next().cloned().unwrap_or_else(|| self.lifetime());
        if let Some(other) = named.find(|other| **other != de) {
            return Err(error(
                other,
                format!(
                    "a value is read from one buffer, so `Decode<{de}>` and `Decode<{other}>` are one too many"
                ),
            ));
        }
        let mut bounds = self.each_unless_said(frozen);
        match &self.said {
            Some(said) => {
                let is_de = |ident: &Ident| *ident == de.ident;
                let when_read = said.iter().filter(|said| mentions(said.to_token_stream(), &is_de));
                when_read.for_each(|predicate| add(&mut bounds, predicate.clone()));
            }
            None => {
                let declared: Vec<&str> =
                    self.declared.iter().map(|declared| declared.bounded.as_str()).collect();
                for used in self.read.iter().filter(|used| !declared.contains(&&*used.to_string())) {
                    add(&mut bounds, parse_quote!(#used: #decode<#de>));
                }
                for field in self.read_fields.iter().map(|index| member(*index)) {
                    add(&mut bounds, parse_quote!(#field: #decode_field<#de>));
                }
            }
        }
        for shorter in own.iter().filter(|shorter| ***shorter != de) {
            add(&mut bounds, parse_quote!(#de: #shorter));
        }
        if self.is_static {
            add(&mut bounds, parse_quote!(#de: 'static));
        }
        if !own.contains(&&de) {
            generics.params.insert(0, parse_quote!(#de));
        }
        Ok(ForDecode { de, generics, bounds })
    }
}

/// Adds what is not there yet.
fn insert(found: &mut Vec<TokenStream>, used: &TokenStream) {
    let text = used.to_string();
    if found.iter().all(|known| known.to_string() != text) {
        found.push(used.clone());
    }
}

/// The parameter that stands first in a parameter or an associated type of one.
fn first_of(used: &TokenStream) -> String {
    let ident = used.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    ident.unwrap_or_default()
}

/// Whether such an identifier stands somewhere in the tokens.
fn mentions(tokens: TokenStream, wanted: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => wanted(&ident),
        TokenTree::Group(group) => mentions(group.stream(), wanted),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The parameters with a bound that is neither of the standard library nor of this one: it may have the traits of this
/// one above it.
fn bounded_by_the_program(generics: &Generics) -> HashSet<String> {
    const KNOWN: [&str; 29] = [
        "Any",
        "AsMut",
        "AsRef",
        "Borrow",
        "BorrowMut",
        "Clone",
        "Copy",
        "Debug",
        "Decode",
        "DecodeKey",
        "DecodeOwned",
        "Default",
        "Deref",
        "Display",
        "Encode",
        "Eq",
        "Frozen",
        "Hash",
        "Key",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Send",
        "Sized",
        "Sync",
        "ToOwned",
        "Trusted",
        "Typed",
        "Unpin",
    ];
    let is_unknown = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| KNOWN.iter().all(|known| last.ident != known))
        }
        _ => false,
    };
    let mut bounded = HashSet::new();
    for param in generics.type_params().filter(|param| param.bounds.iter().any(is_unknown)) {
        bounded.insert(param.ident.to_string());
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        match predicate {
            WherePredicate::Type(predicate) if predicate.bounds.iter().any(is_unknown) => {
                bounded.insert(first_of(&predicate.bounded_ty.to_token_stream()));
            }
            _ => {}
        }
    }
    bounded
}

fn add(clause: &mut Option<WhereClause>, predicate: WherePredicate) {
    match clause {
        Some(clause) => clause.predicates.push(predicate),
        None => *clause = Some(parse_quote!(where #predicate)),
    }
}

/// The bounds on `Decode` among a type's own.
fn declared(generics: &Generics) -> Vec<Declared> {
    let mut found = Vec::new();
    let mut note = |bounded: String, bound: &TypeParamBound| {
        let TypeParamBound::Trait(bound) = bound else { return };
        let Some(last) = bound.path.segments.last() else { return };
        let lifetime = match &last.arguments {
            PathArguments::None if last.ident == "DecodeOwned" => None,
            PathArguments::AngleBracketed(arguments)
                if last.ident == "Decode" && arguments.args.len() == 1 =>
            {
                match arguments.args.first() {
                    Some(GenericArgument::Lifetime(_)) if bound.lifetimes.is_some() => None,
                    Some(GenericArgument::Lifetime(lifetime)) => Some(lifetime.clone()),
                    _ => return,
                }
            }
            _ => return,
        };
        found.push(Declared { bounded, lifetime });
    };
    for param in generics.type_params() {
        param.bounds.iter().for_each(|bound| note(param.ident.to_string(), bound));
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate {
            let bounded = predicate.bounded_ty.to_token_stream().to_string();
            predicate.bounds.iter().for_each(|bound| note(bounded.clone(), bound));
        }
    }
    found
}

/// The type parameters found in types.
struct Uses<'a> {
    params: Vec<&'a Ident>,
    found: Vec<TokenStream>,
    is_static: bool,
}

impl Uses<'_> {
    fn found(&mut self, used: TokenStream) {
        insert(&mut self.found, &used);
    }

    fn is_param(&self, segment: &PathSegment) -> bool {
        segment.arguments.is_none() && self.params.iter().any(|param| **param == segment.ident)
    }

    fn lifetime(&mut self, lifetime: &Lifetime) {
        self.is_static |= lifetime.ident == "static";
    }

    fn in_type(&mut self, ty: &Type) {
        match ty {
            Type::Array(array) => self.in_type(&array.elem),
            Type::Group(group) => self.in_type(&group.elem),
            Type::Paren(paren) => self.in_type(&paren.elem),
            Type::Slice(slice) => self.in_type(&slice.elem),
            Type::Ptr(pointer) => self.in_type(&pointer.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| self.in_type(elem)),
            Type::Reference(reference) => {
                reference.lifetime.iter().for_each(|lifetime| self.lifetime(lifetime));
                self.in_type(&reference.elem);
            }
            Type::Path(path) => self.in_path(path),
            Type::Macro(call) => self.in_tokens(call.mac.tokens.clone()),
            _ => {}
        }
    }

    fn in_path(&mut self, path: &TypePath) {
        let segments = &path.path.segments;
        if let Some(qself) = &path.qself {
            // `<T as Trait>::Item` gets a bound, `<Vec<u8> as Trait>::Item` needs none.
            let mut inside = Uses { params: self.params.clone(), found: Vec::new(), is_static: false };
            inside.in_type(&qself.ty);
            if !inside.found.is_empty() {
                self.found(path.to_token_stream());
            }
            return;
        }
        match segments.first() {
            Some(first) if path.path.leading_colon.is_none() && self.is_param(first) => {
                return self.found(path.to_token_stream());
            }
            _ => {}
        }
        if segments.last().is_some_and(|last| last.ident == "PhantomData") {
            return;
        }
        for segment in segments {
            match &segment.arguments {
                PathArguments::None => {}
                PathArguments::AngleBracketed(arguments) => {
                    for argument in &arguments.args {
                        match argument {
                            GenericArgument::Type(ty) => self.in_type(ty),
                            GenericArgument::AssocType(assoc) => self.in_type(&assoc.ty),
                            GenericArgument::Lifetime(lifetime) => self.lifetime(lifetime),
                            _ => {}
                        }
                    }
                }
                PathArguments::Parenthesized(arguments) => {
                    arguments.inputs.iter().for_each(|ty| self.in_type(ty));
                    if let ReturnType::Type(_, ty) = &arguments.output {
                        self.in_type(ty);
                    }
                }
            }
        }
    }

    /// A macro's input has no structure: whatever in it is called like a parameter is one.
    fn in_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if self.params.iter().any(|param| **param == ident) => {
                    self.found(ident.to_token_stream());
                }
                TokenTree::Group(group) => self.in_tokens(group.stream()),
                _ => {}
            }
        }
    }
}
