//! Names that nothing in the item has, for what the derive declares beside it.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::format_ident;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::{Ident, Lifetime};

/// All identifiers of an item, those of lifetimes included.
pub(crate) struct Names(HashSet<String>);

impl Names {
    pub(crate) fn new(item: TokenStream) -> Names {
        let mut names = Names(HashSet::new());
        names.take(item);
        names
    }

    fn take(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.0.insert(ident.unraw().to_string());
                }
                TokenTree::Group(group) => self.take(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn fresh(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.0.contains(&name) {
            name.push('_');
        }
        name
    }

    /// An identifier like `name`.
    pub(crate) fn ident(&self, name: &str) -> Ident {
        format_ident!("{}", self.fresh(name))
    }

    /// A lifetime like `name`, which is given without its quote.
    pub(crate) fn lifetime(&self, name: &str) -> Lifetime {
        Lifetime::new(&format!("'{}", self.fresh(name)), Span::call_site())
    }
}
