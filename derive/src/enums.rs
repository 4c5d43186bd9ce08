//! Enums: a fieldless one travels as its integer.

use crate::{Errors, attributes, error};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DataEnum, DeriveInput, Error, Fields, Ident, Result};

/// The integers that an enum may travel as, and the scalar of each.
const REPRS: [(&str, &str); 3] = [("u8", "U8"), ("u16", "U16"), ("u32", "U32")];

pub(crate) fn expand(input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let kiln = attributes::of_type(&input.attrs, &mut errors);
    for variant in &data.variants {
        attributes::none(&variant.attrs, &mut errors);
    }
    let with_data = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit));
    if let Some(variant) = with_data {
        errors.push(if variant.fields.is_empty() {
            error(&variant.fields, format!("`{}` has no data: write it without these", variant.ident))
        } else {
            error(
                variant,
                "an enum with data has no encoding: write a struct of a fieldless #[repr(u8)] enum and, for each \
                 variant with data, an Option of its data",
            )
        });
    }
    if !input.generics.params.is_empty() {
        errors.push(error(&input.generics, "an enum travels as an integer, which has no parameters"));
    }
    let (repr, scalar) = match (repr(input), with_data) {
        (Ok(repr), _) => repr,
        (Err(error), None) => return errors.finish(Err(error)),
        // One fault is enough to be told.
        (Err(_), Some(_)) => REPRS[0],
    };
    errors.finish(Ok(()))?;
    let (repr, scalar) = (format_ident!("{repr}"), format_ident!("{scalar}"));
    let name = &input.ident;
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let values: Vec<Ident> = (0..variants.len()).map(|index| format_ident!("VALUE_{index}")).collect();
    let integer = quote!(::core::primitive::#repr);
    Ok(quote! {
        #[automatically_derived]
        impl #kiln::Frozen for #name {
            const MIN_LEN: ::core::primitive::usize = ::core::mem::size_of::<#integer>();
            const FIXED: ::core::primitive::bool = true;
            // SAFETY: `measure` adds MIN_LEN and `encode` puts an array of MIN_LEN bytes.
            const EXACT: #kiln::frozen::Exact<Self> = unsafe { #kiln::frozen::Exact::promise(true) };

            fn shape() -> #kiln::schema::Shape {
                #kiln::schema::Shape::Scalar(#kiln::schema::Scalar::#scalar)
            }
        }

        #[automatically_derived]
        impl<X> #kiln::schema::Typed<X> for #name {
            const TYPE: &'static #kiln::schema::StaticType =
                &#kiln::schema::StaticType::Scalar(#kiln::schema::Scalar::#scalar);
        }

        #[automatically_derived]
        #[allow(deprecated)]
        impl #kiln::Encode for #name {
            #[inline]
            fn measure(
                &self,
                __measure: &mut #kiln::wire::Measure,
            ) -> ::core::result::Result<(), #kiln::EncodeError> {
                __measure.add(<Self as #kiln::Frozen>::MIN_LEN);
                ::core::result::Result::Ok(())
            }

            #[inline]
            fn encode<__S: #kiln::wire::Sink>(&self, __sink: &mut __S) {
                let __value = match self { #(Self::#variants => Self::#variants as #integer),* };
                __sink.put(__value.to_le_bytes());
            }
        }

        #[automatically_derived]
        #[allow(deprecated)]
        impl<'de> #kiln::Decode<'de> for #name {
            #[inline]
            fn decode<__S: #kiln::wire::Source<'de>>(
                __source: &mut __S,
            ) -> ::core::result::Result<Self, #kiln::Fault> {
                #kiln::frozen::fields::read_scalar(__source)
            }

            #[inline(always)]
            fn validate<__S: #kiln::wire::Source<'de>>(
                __source: &mut __S,
            ) -> ::core::result::Result<(), #kiln::Fault> {
                #kiln::frozen::fields::check_scalar::<Self, __S>(__source)
            }

            #[inline(always)]
            fn decode_fixed(
                __chunk: #kiln::wire::Chunk<'de>,
            ) -> ::core::result::Result<Self, #kiln::Fault> {
                #(const #values: #integer = #name::#variants as #integer;)*
                // An option first, which is a register: so this is a comparison and not a table of results.
                let __value = match #integer::from_le_bytes(__chunk.array()) {
                    #(#values => ::core::option::Option::Some(Self::#variants),)*
                    _ => ::core::option::Option::None,
                };
                match __value {
                    ::core::option::Option::Some(__value) => ::core::result::Result::Ok(__value),
                    ::core::option::Option::None => {
                        ::core::result::Result::Err(#kiln::frozen::fields::no_value(__chunk))
                    }
                }
            }
        }
    })
}

/// The integer that the enum travels as, and its scalar.
fn repr(input: &DeriveInput) -> Result<(&'static str, &'static str)> {
    let reprs = attributes::reprs(&input.attrs);
    let known = |(repr, _): &_| REPRS.iter().find(|(known, _)| repr == known).copied();
    if let Some(known) = reprs.iter().find_map(known) {
        return Ok(known);
    }
    const ADVICE: &str = "write #[repr(u8)], #[repr(u16)] or #[repr(u32)]";
    let is_integer = |repr: &str| {
        repr.strip_prefix(['i', 'u']).is_some_and(|bits| bits == "size" || bits.parse::<u8>().is_ok())
    };
    match reprs.iter().find(|(repr, _)| is_integer(repr)) {
        Some((repr, at)) => Err(Error::new(
            *at,
            format!("an enum travels in 1, 2 or 4 unsigned bytes, not as {repr}: {ADVICE}"),
        )),
        None => Err(error(
            &input.ident,
            format!("an enum travels as its integer, and the width of this one is not said: {ADVICE}"),
        )),
    }
}
