//! The derive macro of [Kiln](https://docs.rs/kiln). Programs use it as `kiln::Frozen`, which the crate `kiln`
//! re-exports beside the trait of that name; nothing else is here.
#![deny(missing_docs)]

mod attributes;
mod bounds;
mod enums;
mod names;
mod structs;

use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Error, Result, Token, braced, bracketed};

#[doc = include_str!("frozen.md")]
#[proc_macro_derive(Frozen, attributes(kiln))]
pub fn derive_frozen(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = TokenStream::from(input);
    let kiln = attributes::crate_of(item.clone());
    quote!(#kiln::__frozen! { #item }).into()
}

/// What the derive expands to, for the macro `__frozen` of the crate `kiln` alone: `[$crate] unsafe { item }`.
///
/// Only that crate can say `$crate` and mean itself, whatever path led to its macro; and `unsafe` is a token that it
/// hands in, so that there is none in the code written here that nobody has said. So no path in an unsafe block can be
/// made to lead to something else by a program that does not say `unsafe` itself.
#[doc(hidden)]
#[proc_macro]
pub fn expand(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Expand { kiln, item } = syn::parse_macro_input!(input as Expand);
    let expanded = match &item.data {
        Data::Struct(data) => structs::expand(&kiln, &item, data),
        Data::Enum(data) => enums::expand(&kiln, &item, data),
        Data::Union(data) => Err(error(
            data.union_token,
            "a union does not say which of its fields it holds, so it has no encoding: \
             write a struct with an Option for each case",
        )),
    };
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// What [`expand`] is given.
struct Expand {
    kiln: Kiln,
    item: DeriveInput,
}

impl Parse for Expand {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (path, item);
        bracketed!(path in input);
        let path = path.parse()?;
        let unsafety = input.parse()?;
        braced!(item in input);
        Ok(Expand { kiln: Kiln { path, unsafety }, item: item.parse()? })
    }
}

/// The crate `kiln`, and its leave to write `unsafe`.
struct Kiln {
    path: TokenStream,
    unsafety: Token![unsafe],
}

impl ToTokens for Kiln {
    /// The path of the crate.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.path.to_tokens(tokens);
    }
}

impl Kiln {
    /// The expression in an unsafe block, all of it with the span of the `unsafe` that was handed in: whoever wrote that is
    /// who lints hold to account.
    fn unsafe_block(&self, operation: TokenStream) -> TokenStream {
        let mut block = Group::new(Delimiter::Brace, operation);
        block.set_span(self.unsafety.span);
        let unsafety = self.unsafety;
        quote!(#unsafety #block)
    }

    /// What stands on each implementation.
    fn attributes(&self) -> TokenStream {
        quote!(#[automatically_derived] #[allow(deprecated)])
    }
}

/// An error at these tokens.
fn error(at: impl ToTokens, message: impl std::fmt::Display) -> Error {
    Error::new_spanned(at, message)
}

/// Errors that are reported together.
#[derive(Default)]
struct Errors(Option<Error>);

impl Errors {
    fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The value, or nothing and its error kept.
    fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// The last result, if nothing failed before.
    fn finish<T>(mut self, last: Result<T>) -> Result<T> {
        let value = self.keep(last);
        match (value, self.0) {
            (Some(value), None) => Ok(value),
            (_, errors) => Err(errors.expect("a value that is missing left its error")),
        }
    }
}
