//! `#[derive(Frozen)]`: see the crate `kiln`, which re-exports it.
#![deny(missing_docs)]

mod attributes;
mod bounds;
mod enums;
mod structs;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Data, DeriveInput, Error, Result};

/// Puts a type on the wire.
#[proc_macro_derive(Frozen, attributes(kiln))]
pub fn derive_frozen(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    match &input.data {
        Data::Struct(data) => structs::expand(input, data),
        Data::Enum(data) => enums::expand(input, data),
        Data::Union(data) => Err(error(
            data.union_token,
            "a union does not say which of its fields it holds, so it has no encoding: \
             write a struct with an Option for each case",
        )),
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
