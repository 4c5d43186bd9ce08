//! Structs: their fields in declaration order.
//!
//! What depends on a field's facts is decided by `kiln::frozen::fields`; what is written here is one call for each
//! field in each function.

use crate::attributes;
use crate::bounds::{Bounds, ForDecode};
use crate::{Errors, error};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::{DataStruct, DeriveInput, Error, Index, Lifetime, Member, Result, Type};

struct Field<'a> {
    member: Member,
    /// The name on the wire.
    name: String,
    ty: &'a Type,
    is_bytes: bool,
}

pub(crate) fn expand(input: &DeriveInput, data: &DataStruct) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let kiln = attributes::of_type(&input.attrs, &mut errors);
    for (repr, span) in attributes::reprs(&input.attrs) {
        if repr == "packed" {
            errors.push(Error::new(
                span,
                "the fields of a packed struct cannot be borrowed: leave `packed` out; \
                 the wire has no padding in any case",
            ));
        }
    }
    let fields = fields(data, &mut errors);
    let bounds = Bounds::new(&input.generics, fields.iter().map(|field| (field.ty, !field.is_bytes)));
    let decode = errors.finish(bounds.decode(&quote!(#kiln::Decode)))?;
    Ok(Struct { input, kiln: kiln.to_token_stream(), fields, bounds }.expand(&decode))
}

fn fields<'a>(data: &'a DataStruct, errors: &mut Errors) -> Vec<Field<'a>> {
    let mut names = HashMap::new();
    let mut fields = Vec::with_capacity(data.fields.len());
    for (index, field) in data.fields.iter().enumerate() {
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::Unnamed(Index::from(index)),
        };
        let attributes = attributes::of_field(&field.attrs, errors);
        let (name, at) = match (&attributes.name, &field.ident) {
            (Some(name), _) => (name.value(), name.to_token_stream()),
            (None, Some(ident)) => (ident.unraw().to_string(), ident.to_token_stream()),
            (None, None) => (index.to_string(), field.ty.to_token_stream()),
        };
        if let Some(first) = names.insert(name.clone(), member.to_token_stream()) {
            errors.push(error(at, format!("the field `{first}` already has the name `{name}` on the wire")));
        }
        fields.push(Field { member, name, ty: &field.ty, is_bytes: attributes.bytes });
    }
    fields
}

struct Struct<'a> {
    input: &'a DeriveInput,
    kiln: TokenStream,
    fields: Vec<Field<'a>>,
    bounds: Bounds<'a>,
}

impl Struct<'_> {
    /// What `ordinary` gives for each field, or `bytes` for those with the attribute.
    fn each(
        &self,
        ordinary: impl Fn(usize, &Field<'_>) -> TokenStream,
        bytes: impl Fn(&Field<'_>) -> TokenStream,
    ) -> Vec<TokenStream> {
        let each = |(index, field): (usize, &Field<'_>)| {
            if field.is_bytes { bytes(field) } else { ordinary(index, field) }
        };
        self.fields.iter().enumerate().map(each).collect()
    }

    /// Whether it has a lifetime parameter.
    fn borrows(&self) -> bool {
        self.input.generics.lifetimes().next().is_some()
    }

    fn expand(&self, decode: &ForDecode) -> TokenStream {
        let facts = self.facts();
        let typed = self.typed();
        let encode = self.encode();
        let decode = self.decode(decode);
        quote!(#facts #typed #encode #decode)
    }

    fn facts(&self) -> TokenStream {
        let Struct { kiln, .. } = self;
        let name = &self.input.ident;
        let (generics, args, _) = self.input.generics.split_for_impl();
        let bounds = self.bounds.each(&quote!(#kiln::Frozen));
        let parts = self.each(
            |_, Field { ty, .. }| quote!(<#ty as #kiln::frozen::fields::Field>::PART),
            |Field { ty, .. }| {
                let field = quote!(<#ty as #kiln::frozen::ByteField>);
                quote!(#kiln::frozen::fields::bytes_part(#field::MIN_LEN, #field::DEPTH))
            },
        );
        let shapes = self.each(
            |_, Field { name, ty, .. }| {
                quote!(#kiln::schema::Field { name: #name, shape: <#ty as #kiln::frozen::fields::Field>::SHAPE })
            },
            |Field { name, ty, .. }| {
                quote!(#kiln::schema::Field { name: #name, shape: <#ty as #kiln::frozen::ByteField>::shape })
            },
        );
        let fields = quote!(<Self as #kiln::frozen::fields::Fields>::FIELDS);
        let plain = self.plain(&fields);
        quote! {
            #[automatically_derived]
            impl #generics #kiln::frozen::fields::Fields for #name #args #bounds {
                const FIELDS: &'static [#kiln::frozen::fields::Part] =
                    &#kiln::frozen::fields::placed([#(#parts),*]);
            }

            #[automatically_derived]
            impl #generics #kiln::Frozen for #name #args #bounds {
                const MIN_LEN: ::core::primitive::usize = #kiln::frozen::fields::min_len(#fields);
                const FIXED: ::core::primitive::bool = #kiln::frozen::fields::fixed(#fields);
                const TOTAL: ::core::primitive::bool = #kiln::frozen::fields::total(#fields);
                const DEPTH: ::core::primitive::u32 = #kiln::frozen::fields::depth(#fields);
                #plain
                // SAFETY: `measure` counts the fields and `encode` writes them, and all of them are exact.
                const EXACT: #kiln::frozen::Exact<Self> =
                    unsafe { #kiln::frozen::Exact::promise(#kiln::frozen::fields::exact(#fields)) };

                fn shape() -> #kiln::schema::Shape {
                    #kiln::schema::Shape::Struct(const { &[#(#shapes),*] })
                }
            }
        }
    }

    /// The constant `PLAIN`, where the struct may be plain at all.
    fn plain(&self, fields: &TokenStream) -> Option<TokenStream> {
        let kiln = &self.kiln;
        if self.borrows() || self.fields.iter().any(|field| field.is_bytes) {
            return None;
        }
        let members = self.fields.iter().map(|field| &field.member);
        Some(quote! {
            // SAFETY: every field is plain and lies where its encoding does, nothing lies between or after them,
            // dropping does nothing, and `encode` writes the fields in this order.
            const PLAIN: #kiln::frozen::Plain<Self> = unsafe {
                #kiln::frozen::Plain::promise(#kiln::frozen::fields::plain(
                    #fields,
                    &[#(::core::mem::offset_of!(Self, #members)),*],
                    ::core::mem::size_of::<Self>(),
                    ::core::mem::needs_drop::<Self>(),
                ))
            };
        })
    }

    fn typed(&self) -> TokenStream {
        let Struct { kiln, .. } = self;
        let name = &self.input.ident;
        let (generics, param) = self.bounds.with_param();
        let (generics, ..) = generics.split_for_impl();
        let (_, args, _) = self.input.generics.split_for_impl();
        let bounds = self.bounds.each(&quote!(#kiln::schema::Typed<#param>));
        let fields = self.each(
            |_, Field { name, ty, .. }| quote!((#name, <#ty as #kiln::schema::Typed<#param>>::TYPE)),
            |Field { name, ty, .. }| quote!((#name, <#ty as #kiln::frozen::ByteField>::TYPE)),
        );
        quote! {
            #[automatically_derived]
            impl #generics #kiln::schema::Typed<#param> for #name #args #bounds {
                const TYPE: &'static #kiln::schema::StaticType =
                    &#kiln::schema::StaticType::Struct(&[#(#fields),*]);
            }
        }
    }

    fn encode(&self) -> TokenStream {
        let Struct { kiln, .. } = self;
        let name = &self.input.ident;
        let (generics, args, _) = self.input.generics.split_for_impl();
        let bounds = self.bounds.each(&quote!(#kiln::Encode));
        let measure = self.each(
            |_, Field { member, ty, .. }| quote!(<#ty as #kiln::frozen::fields::EncodeField>::measure_field(&self.#member, __measure)?;),
            |Field { member, ty, .. }| quote!(<#ty as #kiln::frozen::ByteField>::measure(&self.#member, __measure)?;),
        );
        let encode = self.each(
            |_, Field { member, ty, .. }| quote!(<#ty as #kiln::frozen::fields::EncodeField>::encode_field(&self.#member, __sink);),
            |Field { member, ty, .. }| quote!(<#ty as #kiln::frozen::ByteField>::encode(&self.#member, __sink);),
        );
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #generics #kiln::Encode for #name #args #bounds {
                #[inline]
                fn measure(
                    &self,
                    __measure: &mut #kiln::wire::Measure,
                ) -> ::core::result::Result<(), #kiln::EncodeError> {
                    #kiln::frozen::fields::measure_fixed::<Self>(__measure)?;
                    #(#measure)*
                    __measure.leave();
                    ::core::result::Result::Ok(())
                }

                #[inline]
                fn encode<__S: #kiln::wire::Sink>(&self, __sink: &mut __S) {
                    #(#encode)*
                }
            }
        }
    }

    /// What reads a value that has no place yet. If it owns nothing, it is put together from registers: what owns something
    /// would have to be dropped in parts at each fault, and is no worse off in memory. A struct that does not
    /// borrow owns something most often, and is spared the time to compile this.
    fn decode_value(&self, de: &Lifetime) -> TokenStream {
        let Struct { kiln, .. } = self;
        let in_place = quote!(#kiln::frozen::slot::build(__source, <Self as #kiln::Decode<#de>>::decode_at));
        if !self.borrows() {
            return in_place;
        }
        let members = self.fields.iter().map(|field| &field.member);
        let read = self.each(
            |index, Field { ty, .. }| {
                quote! {
                    <#ty as #kiln::frozen::fields::DecodeField<#de>>::read::<Self, __S, #index>(
                        __source, &mut __run,
                    )?
                }
            },
            |Field { ty, .. }| quote!(<#ty as #kiln::frozen::DecodeByteField<#de>>::decode(__source)?),
        );
        quote! {
            if <Self as #kiln::Frozen>::FIXED || ::core::mem::needs_drop::<Self>() {
                return #in_place;
            }
            __source.enter()?;
            let mut __run = #kiln::frozen::fields::no_run();
            let __value = Self { #(#members: #read,)* };
            __source.leave();
            ::core::result::Result::Ok(__value)
        }
    }

    fn decode(&self, decode: &ForDecode) -> TokenStream {
        let Struct { kiln, .. } = self;
        let name = &self.input.ident;
        let (_, args, _) = self.input.generics.split_for_impl();
        let ForDecode { de, generics, bounds } = decode;
        let (generics, ..) = generics.split_for_impl();
        let fields = quote!(#kiln::frozen::fields);
        let slot = quote!(#kiln::frozen::slot);
        let one_by_one = self.each(
            |_, Field { ty, .. }| quote!(<#ty as #fields::DecodeField<#de>>::skip::<__S>()),
            |_| quote!(#fields::skip_nothing::<__S>()),
        );
        let slots: Vec<_> = (0..self.fields.len()).map(|index| format_ident!("__part_{index}")).collect();
        let part = |Field { member, .. }: &Field<'_>| {
            // SAFETY, of what is written: this is a field of the struct, and each has its slot once.
            quote!(unsafe { __slot.part(::core::mem::offset_of!(Self, #member)) })
        };
        let read = self.each(
            |index, field| {
                let (ty, part) = (field.ty, part(field));
                quote!(<#ty as #fields::DecodeField<#de>>::read_at::<Self, __S, #index>(__source, &mut __run, #part)?)
            },
            |field| {
                let (ty, part) = (field.ty, part(field));
                quote!(<#ty as #kiln::frozen::DecodeByteField<#de>>::decode_at(__source, #part)?)
            },
        );
        let read_into = self.each(
            |index, Field { member, ty, .. }| {
                quote! {
                    <#ty as #fields::DecodeField<#de>>::read_into::<Self, __S, #index>(
                        __source, &mut __run, &mut __place.#member,
                    )?;
                }
            },
            |Field { member, ty, .. }| {
                quote! {
                    <#ty as #kiln::frozen::DecodeByteField<#de>>::decode_into(
                        __source, &mut __place.#member,
                    )?;
                }
            },
        );
        let check = self.each(
            |index, Field { ty, .. }| {
                quote!(<#ty as #fields::DecodeField<#de>>::check::<Self, __S, #index>(__source, &mut __run)?;)
            },
            |Field { ty, .. }| quote!(<#ty as #kiln::frozen::DecodeByteField<#de>>::validate(__source)?;),
        );
        // A struct with a field that is never of fixed size is never of fixed size, and a struct without
        // fields always is; of any other, only the compiler knows.
        let is_never_fixed = self.fields.iter().any(|field| field.is_bytes);
        let (whole_at, whole_into, check_whole) = if is_never_fixed {
            (None, None, None)
        } else {
            (
                Some(quote! {
                    if <Self as #kiln::Frozen>::FIXED {
                        return #fields::read_whole(__source, __slot);
                    }
                }),
                Some(quote! {
                    if <Self as #kiln::Frozen>::FIXED {
                        return #fields::replace_whole(__source, __place);
                    }
                }),
                Some(
                    quote!(if <Self as #kiln::Frozen>::FIXED { return #fields::check_whole::<Self, __S>(__source); }),
                ),
            )
        };
        let decode_fixed = if is_never_fixed {
            quote! {
                #[inline]
                fn decode_fixed(
                    _: #kiln::wire::Chunk<#de>,
                ) -> ::core::result::Result<Self, #kiln::Fault> {
                    #fields::never_fixed()
                }
            }
        } else {
            let read_fixed = self.fields.iter().enumerate().map(|(index, field)| {
                let (ty, part) = (field.ty, part(field));
                quote!(<#ty as #fields::DecodeField<#de>>::read_fixed_at::<Self, #index>(__chunk, #part)?)
            });
            let check_fixed = self.fields.iter().enumerate().map(|(index, Field { ty, .. })| {
                quote!(<#ty as #fields::DecodeField<#de>>::check_fixed::<Self, #index>(__chunk)?;)
            });
            quote! {
                #[inline]
                fn validate_fixed(
                    __chunk: #kiln::wire::Chunk<#de>,
                ) -> ::core::result::Result<(), #kiln::Fault> {
                    #fields::check_each::<Self>(__chunk, |__chunk| {
                        let __chunk = __chunk.part(0, <Self as #kiln::Frozen>::MIN_LEN);
                        #(#check_fixed)*
                        ::core::result::Result::Ok(())
                    })
                }

                #[inline]
                fn decode_fixed(
                    __chunk: #kiln::wire::Chunk<#de>,
                ) -> ::core::result::Result<Self, #kiln::Fault> {
                    #slot::build(&mut (), |_, __slot| <Self as #kiln::Decode<#de>>::decode_fixed_at(__chunk, __slot))
                }

                #[inline]
                fn decode_fixed_at<'__s>(
                    __chunk: #kiln::wire::Chunk<#de>,
                    __slot: #slot::Slot<'__s, Self>,
                ) -> ::core::result::Result<#slot::Filled<'__s, Self>, #kiln::Fault> {
                    let __chunk = __chunk.part(0, <Self as #kiln::Frozen>::MIN_LEN);
                    #(let #slots = #read_fixed;)*
                    // SAFETY: these are all fields of the struct, each filled in its part of the slot.
                    ::core::result::Result::Ok(unsafe { __slot.whole((#(#slots,)*)) })
                }
            }
        };
        let decode_value = self.decode_value(de);
        quote! {
            #[automatically_derived]
            impl #generics #fields::Reread<#de> for #name #args #bounds {
                fn fault<__S: #kiln::wire::Source<#de>>(
                    __source: &mut __S,
                    __from: ::core::primitive::usize,
                ) -> #kiln::Fault {
                    #fields::fault(__source, __from, &[#(#one_by_one),*])
                }
            }

            #[automatically_derived]
            #[allow(deprecated)]
            impl #generics #kiln::Decode<#de> for #name #args #bounds {
                #[inline]
                fn decode<__S: #kiln::wire::Source<#de>>(
                    __source: &mut __S,
                ) -> ::core::result::Result<Self, #kiln::Fault> {
                    #decode_value
                }

                #[inline]
                fn decode_at<'__s, __S: #kiln::wire::Source<#de>>(
                    __source: &mut __S,
                    __slot: #slot::Slot<'__s, Self>,
                ) -> ::core::result::Result<#slot::Filled<'__s, Self>, #kiln::Fault> {
                    #whole_at
                    __source.enter()?;
                    let mut __run = #fields::no_run();
                    #(let #slots = #read;)*
                    __source.leave();
                    // SAFETY: these are all fields of the struct, each filled in its part of the slot.
                    ::core::result::Result::Ok(unsafe { __slot.whole((#(#slots,)*)) })
                }

                #decode_fixed

                fn validate<__S: #kiln::wire::Source<#de>>(
                    __source: &mut __S,
                ) -> ::core::result::Result<(), #kiln::Fault> {
                    #check_whole
                    __source.enter()?;
                    let mut __run = #fields::no_run();
                    #(#check)*
                    __source.leave();
                    ::core::result::Result::Ok(())
                }

                fn decode_into<__S: #kiln::wire::Source<#de>>(
                    __source: &mut __S,
                    __place: &mut Self,
                ) -> ::core::result::Result<(), #kiln::Fault> {
                    #whole_into
                    __source.enter()?;
                    let mut __run = #fields::no_run();
                    #(#read_into)*
                    __source.leave();
                    ::core::result::Result::Ok(())
                }
            }
        }
    }
}
