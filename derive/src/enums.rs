//! Enums: a fieldless one travels as its integer.

use crate::names::Names;
use crate::{Errors, Kiln, attributes, error};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DataEnum, DeriveInput, Error, Fields, Ident, Result};

/// The integers that an enum may travel as, and the scalar of each.
const REPRS: [(&str, &str); 3] = [("u8", "U8"), ("u16", "U16"), ("u32", "U32")];

pub(crate) fn expand(kiln: &Kiln, input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let of_type = attributes::of_type(&input.attrs, &mut errors);
    if let Some(bound) = &of_type.bound {
        errors.push(error(&bound.at, "an enum travels as an integer, which has no bounds"));
    }
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
    let names = Names::new(quote!(#input));
    let [sink, measure, source, chunk, value] =
        ["sink", "measure", "source", "chunk", "value"].map(|local| names.local(&format!("__kiln_{local}")));
    let [sink_type, source_type, owner] =
        ["Sink", "Source", "Owner"].map(|param| names.ident(&format!("__Kiln{param}")));
    let de = names.lifetime("de");
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let values: Vec<Ident> =
        (0..variants.len()).map(|index| names.local(&format!("__KILN_VALUE_{index}"))).collect();
    let core = quote!(#kiln::__private::core);
    let integer = quote!(#core::primitive::#repr);
    let result = quote!(#core::result::Result);
    let attributes = kiln.attributes();
    // SAFETY, of what is written: `measure` adds MIN_LEN and `encode` puts an array of MIN_LEN bytes.
    let exact = kiln.unsafe_block(quote!(#kiln::frozen::Exact::promise(true)));
    let trusted = of_type.trusted.then(|| {
        let unsafety = kiln.unsafety;
        // SAFETY, of what is written: the implementation of `Decode` below depends on the bytes alone.
        quote!(#attributes #unsafety impl #kiln::Trusted for #name {})
    });
    Ok(quote! {
        // The derive saw tokens, which another macro may have changed.
        #attributes
        const _: () = #core::assert!(
            #core::mem::size_of::<#name>() <= #core::mem::size_of::<#integer>(),
            "the enum is wider than the #[repr(…)] that its derive saw",
        );

        #attributes
        impl #kiln::Frozen for #name {
            const MIN_LEN: #core::primitive::usize = #core::mem::size_of::<#integer>();
            const FIXED: #core::primitive::bool = true;
            const EXACT: #kiln::frozen::Exact<Self> = #exact;

            fn shape() -> #kiln::schema::Shape {
                #kiln::schema::Shape::Scalar(#kiln::schema::Scalar::#scalar)
            }
        }

        #attributes
        impl<#owner> #kiln::schema::Typed<#owner> for #name {
            const TYPE: &'static #kiln::schema::StaticType =
                &#kiln::schema::StaticType::Scalar(#kiln::schema::Scalar::#scalar);
        }

        #attributes
        impl #kiln::Encode for #name {
            #[inline]
            fn measure(&self, #measure: &mut #kiln::wire::Measure) -> #result<(), #kiln::EncodeError> {
                #measure.add(<Self as #kiln::Frozen>::MIN_LEN);
                #result::Ok(())
            }

            #[inline]
            fn encode<#sink_type: #kiln::wire::Sink>(&self, #sink: &mut #sink_type) {
                let #value = match self { #(Self::#variants => Self::#variants as #integer),* };
                #kiln::wire::Sink::put(#sink, #value.to_le_bytes());
            }
        }

        #attributes
        impl<#de> #kiln::Decode<#de> for #name {
            #[inline]
            fn decode<#source_type: #kiln::wire::Source<#de>>(
                #source: &mut #source_type,
            ) -> #result<Self, #kiln::Fault> {
                #kiln::__private::read_scalar(#source)
            }

            #[inline(always)]
            fn validate<#source_type: #kiln::wire::Source<#de>>(
                #source: &mut #source_type,
            ) -> #result<(), #kiln::Fault> {
                #kiln::__private::check_scalar::<Self, #source_type>(#source)
            }

            #[inline(always)]
            fn decode_fixed(#chunk: #kiln::wire::Chunk<#de>) -> #result<Self, #kiln::Fault> {
                #(const #values: #integer = #name::#variants as #integer;)*
                // An option first, which is a register: so this is a comparison and not a table of results.
                let #value = match #integer::from_le_bytes(#chunk.array()) {
                    #(#values => #core::option::Option::Some(Self::#variants),)*
                    _ => #core::option::Option::None,
                };
                match #value {
                    #core::option::Option::Some(#value) => #result::Ok(#value),
                    #core::option::Option::None => #result::Err(#kiln::__private::no_value(#chunk)),
                }
            }
        }

        #trusted
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
