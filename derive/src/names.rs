//! Names that nothing in the item has, for what the derive declares beside it.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::format_ident;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::{Ident, Lifetime};

/// All identifiers of an item, those of lifetimes included.
pub(crate) struct Names {
    taken: HashSet<String>,
    /// A hash of them all, FNV-1a.
    hash: u32,
}

impl Names {
    pub(crate) fn new(item: TokenStream) -> Names {
        let mut names = Names { taken: HashSet::new(), hash: 0x811c_9dc5 };
        names.take(item);
        names
    }

    fn take(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    let ident = ident.unraw().to_string();
                    for byte in ident.bytes() {
                        self.hash = (self.hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
                    }
                    self.taken.insert(ident);
                }
                TokenTree::Group(group) => self.take(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn fresh(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.taken.contains(&name) {
            name.push('_');
        }
        name
    }

    /// An identifier like `name`, for a binding or a constant. No other item has it: a constant or a unit struct of that
    /// name, though the item says nothing of it, would be a pattern and no binding.
    pub(crate) fn local(&self, name: &str) -> Ident {
        self.ident(&format!("{name}_{:08x}", self.hash))
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
