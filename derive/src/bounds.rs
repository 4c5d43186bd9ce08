//! Which generics the impls get.
//!
//! The bounds stand on the parameters that the fields use, and on associated types like `T::Item` where only
//! those are used; not on the types of the fields, or a recursive type would need itself.

use crate::error;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    GenericArgument, GenericParam, Generics, Ident, Lifetime, PathArguments, PathSegment, Result, ReturnType,
    Type, TypeParamBound, TypePath, WhereClause, WherePredicate, parse_quote,
};

/// What of a type's generics its fields use.
pub(crate) struct Bounds<'a> {
    generics: &'a Generics,
    /// The parameters and associated types that get a bound.
    used: Vec<TokenStream>,
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
    pub(crate) fn new(generics: &'a Generics, fields: impl Iterator<Item = (&'a Type, bool)>) -> Self {
        let params = generics.type_params().map(|param| &param.ident).collect();
        let mut uses = Uses { params, found: Vec::new(), is_static: false };
        let mut lifetimes = Uses { params: Vec::new(), found: Vec::new(), is_static: false };
        for (ty, is_asked) in fields {
            if is_asked { uses.in_type(ty) } else { lifetimes.in_type(ty) }
        }
        uses.is_static |= lifetimes.is_static;
        Bounds { generics, used: uses.found, is_static: uses.is_static, declared: declared(generics) }
    }

    /// The where clause of an impl that needs `bound` of what the fields use.
    pub(crate) fn each(&self, bound: &TokenStream) -> Option<WhereClause> {
        self.each_that(bound, |_| true)
    }

    fn each_that(&self, bound: &TokenStream, wanted: impl Fn(&str) -> bool) -> Option<WhereClause> {
        let mut clause = self.generics.where_clause.clone();
        for used in self.used.iter().filter(|used| wanted(&used.to_string())) {
            add(&mut clause, parse_quote!(#used: #bound));
        }
        clause
    }

    /// The generics of an impl with a type parameter more, and that parameter.
    pub(crate) fn with_param(&self) -> (Generics, Ident) {
        let taken = |name: &str| {
            self.generics.params.iter().any(|param| match param {
                GenericParam::Type(param) => param.ident == name,
                GenericParam::Const(param) => param.ident == name,
                GenericParam::Lifetime(_) => false,
            })
        };
        let mut name = "X".to_owned();
        while taken(&name) {
            name.push('X');
        }
        let param = Ident::new(&name, Span::call_site());
        let mut generics = self.generics.clone();
        generics.params.push(parse_quote!(#param));
        (generics, param)
    }

    /// The generics of an impl of `decode`.
    ///
    /// The lifetime of the bytes is a new one that outlives all of the type's own. But where the type itself says
    /// `T: Decode<'a>`, the compiler could not tell that bound from one with a new lifetime: then it is `'a`.
    pub(crate) fn decode(&self, decode: &TokenStream) -> Result<ForDecode> {
        let mut generics = self.generics.clone();
        let own: Vec<&Lifetime> = generics.lifetimes().map(|param| &param.lifetime).collect();
        let mut named = self.declared.iter().filter_map(|declared| declared.lifetime.as_ref());
        let de = match named.next() {
            Some(de) => de.clone(),
            None => {
                let mut name = "'de".to_owned();
                while own.iter().any(|lifetime| lifetime.to_string() == name) {
                    name.push('_');
                }
                Lifetime::new(&name, Span::call_site())
            }
        };
        if let Some(other) = named.find(|other| **other != de) {
            return Err(error(
                other,
                format!(
                    "a value is read from one buffer, so `Decode<{de}>` and `Decode<{other}>` are one too many"
                ),
            ));
        }
        let mut bounds = self.each_that(&quote!(#decode<#de>), |used| {
            self.declared.iter().all(|declared| declared.bounded != used)
        });
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
        let text = used.to_string();
        if self.found.iter().all(|known| known.to_string() != text) {
            self.found.push(used);
        }
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
