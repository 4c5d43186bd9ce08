//! Structs: their fields in declaration order.
//!
//! What depends on a field's facts is decided by `kiln::__private`; what is written here is one call for each
//! field in each function.
//!
//! The derive has seen tokens, and not the struct: a macro may have changed one, and may mean another thing each time
//! it is asked. So a type with a macro in it is said once, as a [`Member`](Struct::members), and `tied` lets the compiler
//! compare the types that are read and written with the fields that the struct has.

use crate::attributes;
use crate::bounds::{Bounds, ForDecode};
use crate::names::Names;
use crate::{Errors, Kiln, error};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::{DataStruct, DeriveInput, Error, Generics, Ident, Index, Lifetime, Member, Result, Type};

struct Field<'a> {
    member: Member,
    /// The name on the wire.
    name: String,
    /// Its type as the struct says it.
    said: &'a Type,
    /// Whether that may mean another type each time.
    is_macro: bool,
    /// Its type as the code says it.
    ty: TokenStream,
    is_bytes: bool,
}

pub(crate) fn expand(kiln: &Kiln, input: &DeriveInput, data: &DataStruct) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let of_type = attributes::of_type(&input.attrs, &mut errors);
    for (repr, span) in attributes::reprs(&input.attrs) {
        if repr == "packed" {
            errors.push(Error::new(
                span,
                "the fields of a packed struct cannot be borrowed: leave `packed` out; \
                 the wire has no padding in any case",
            ));
        }
    }
    let fields = fields(kiln, data, &mut errors);
    let names = Names::new(DeriveInput { attrs: Vec::new(), ..input.clone() }.to_token_stream());
    let bounds = Bounds::new(
        &input.ident,
        &input.generics,
        fields.iter().map(|field| (field.said, !field.is_bytes)),
        of_type.bound,
        &names,
    );
    let decode = bounds.decode(
        &quote!(#kiln::Frozen),
        &quote!(#kiln::Decode),
        &quote!(#kiln::__private::DecodeField),
        |index| fields.get(index).map(|field| field.ty.clone()).unwrap_or_default(),
    );
    let decode = errors.finish(decode)?;
    let locals = Locals::new(&names);
    Ok(Struct { input, kiln, fields, bounds, names: locals, trusted: of_type.trusted }.expand(&decode))
}

fn fields<'a>(kiln: &Kiln, data: &'a DataStruct, errors: &mut Errors) -> Vec<Field<'a>> {
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
        let said = field.ty.to_token_stream();
        let is_macro = has_macro(said.clone());
        let ty = if is_macro { member_type(kiln, index, said) } else { said };
        fields.push(Field { member, name, said: &field.ty, is_macro, ty, is_bytes: attributes.bytes });
    }
    fields
}

/// Whether a macro may be called somewhere in a type: in its place, or in the length of an array.
fn has_macro(said: TokenStream) -> bool {
    said.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '!',
        TokenTree::Group(group) => has_macro(group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}

/// The type of field `index`, which the compiler points at as if it were said there.
fn member_type(kiln: &Kiln, index: usize, said: TokenStream) -> TokenStream {
    let spans = |token: TokenTree| match token {
        TokenTree::Group(group) => (group.span_open(), group.span_close()),
        token => (token.span(), token.span()),
    };
    let mut tokens = said.into_iter();
    let (from, first) = tokens.next().map_or((Span::call_site(), Span::call_site()), spans);
    let to = tokens.last().map_or(first, |last| spans(last).1);
    let (from, to) = (Span::call_site().located_at(from), Span::call_site().located_at(to));
    let (begin, end) = (quote_spanned!(from=> <Self as), quote_spanned!(to=> >::Type));
    quote!(#begin #kiln::__private::Member<#index> #end)
}

/// What the functions call their own.
struct Locals {
    source: Ident,
    sink: Ident,
    measure: Ident,
    chunk: Ident,
    slot: Ident,
    run: Ident,
    value: Ident,
    place: Ident,
    from: Ident,
    part: Ident,
    source_type: Ident,
    sink_type: Ident,
    owner: Ident,
    lending: Lifetime,
}

impl Locals {
    fn new(names: &Names) -> Self {
        let local = |name: &str| names.local(&format!("__kiln_{name}"));
        let param = |name: &str| names.ident(&format!("__Kiln{name}"));
        Locals {
            source: local("source"),
            sink: local("sink"),
            measure: local("measure"),
            chunk: local("chunk"),
            slot: local("slot"),
            run: local("run"),
            value: local("value"),
            place: local("place"),
            from: local("from"),
            part: local("part"),
            source_type: param("Source"),
            sink_type: param("Sink"),
            owner: param("Owner"),
            lending: names.lifetime("__kiln_lending"),
        }
    }
}

struct Struct<'a> {
    input: &'a DeriveInput,
    kiln: &'a Kiln,
    fields: Vec<Field<'a>>,
    bounds: Bounds<'a>,
    names: Locals,
    trusted: bool,
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
        let members = self.members();
        let facts = self.facts();
        let typed = self.typed();
        let encode = self.encode();
        let trusted = self.trusted.then(|| self.trusted());
        let decode = self.decode(decode);
        quote!(#members #facts #typed #encode #decode #trusted)
    }

    /// The head of an implementation, up to its braces.
    fn head(&self, generics: &Generics, of: TokenStream, bounds: &impl ToTokens) -> TokenStream {
        let attributes = self.kiln.attributes();
        let name = &self.input.ident;
        let (generics, ..) = generics.split_for_impl();
        let (_, args, _) = self.input.generics.split_for_impl();
        quote!(#attributes impl #generics #of for #name #args #bounds)
    }

    /// The head of an implementation of an unsafe trait.
    fn unsafe_head(&self, generics: &Generics, of: TokenStream, bounds: &impl ToTokens) -> TokenStream {
        let attributes = self.kiln.attributes();
        let unsafety = self.kiln.unsafety;
        let name = &self.input.ident;
        let (generics, ..) = generics.split_for_impl();
        let (_, args, _) = self.input.generics.split_for_impl();
        quote!(#attributes #unsafety impl #generics #of for #name #args #bounds)
    }

    /// The types of the fields that macros mean, each where alone it is said.
    fn members(&self) -> TokenStream {
        let kiln = self.kiln;
        let generics = &self.input.generics;
        let member = |(index, Field { said, .. }): (usize, &Field<'_>)| {
            // SAFETY, of what is written: `tied` does not compile for any other type.
            let head =
                self.unsafe_head(generics, quote!(#kiln::__private::Member<#index>), &generics.where_clause);
            quote!(#head { type Type = #said; })
        };
        self.fields.iter().enumerate().filter(|(_, field)| field.is_macro).map(member).collect()
    }

    fn facts(&self) -> TokenStream {
        let kiln = self.kiln;
        let generics = &self.input.generics;
        let bounds = self.bounds.each_unless_said(&quote!(#kiln::Frozen));
        let core = quote!(#kiln::__private::core);
        let parts = self.each(
            |_, Field { ty, .. }| quote!(<#ty as #kiln::__private::Field>::PART),
            |Field { ty, .. }| quote!(<#ty as #kiln::__private::ByteField>::PART),
        );
        let shapes = self.each(
            |_, Field { name, ty, .. }| {
                quote!(#kiln::schema::Field { name: #name, shape: <#ty as #kiln::__private::Field>::SHAPE })
            },
            |Field { name, ty, .. }| {
                quote!(#kiln::schema::Field { name: #name, shape: <#ty as #kiln::__private::ByteField>::shape })
            },
        );
        let members: Vec<_> = self.fields.iter().map(|field| &field.member).collect();
        let types = self.fields.iter().map(|field| &field.ty);
        let parts_of_self = self.parts();
        let fields = quote!(<Self as #kiln::__private::Fields>::FIELDS);
        let plain = self.plain(&fields);
        // SAFETY, of what is written: `measure` counts the fields and `encode` writes them, and all of them are exact.
        let exact =
            self.kiln.unsafe_block(quote!(#kiln::frozen::Exact::promise(#kiln::__private::exact(#fields))));
        // SAFETY, of what is written: `tied` does not compile for fields that are not listed, nor for others.
        let fields_head = self.unsafe_head(generics, quote!(#kiln::__private::Fields), &bounds);
        let head = self.head(generics, quote!(#kiln::Frozen), &bounds);
        quote! {
            #fields_head {
                const FIELDS: &'static [#kiln::__private::Part] = &#kiln::__private::placed([#(#parts),*]);

                fn tied(&mut self) {
                    let Self { #(#members: #parts_of_self),* } = self;
                    #(#kiln::__private::tie::<#types>(&raw mut *#parts_of_self);)*
                }
            }

            #head {
                const MIN_LEN: #core::primitive::usize = #kiln::__private::min_len(#fields);
                const FIXED: #core::primitive::bool = #kiln::__private::fixed(#fields);
                const TOTAL: #core::primitive::bool = #kiln::__private::total(#fields);
                const DEPTH: #core::primitive::u32 = #kiln::__private::depth(#fields);
                #plain
                const EXACT: #kiln::frozen::Exact<Self> = #exact;

                fn shape() -> #kiln::schema::Shape {
                    #kiln::schema::Shape::Struct(const { &[#(#shapes),*] })
                }
            }
        }
    }

    /// A name for each field.
    fn parts(&self) -> Vec<Ident> {
        (0..self.fields.len()).map(|index| format_ident!("{}_{index}", self.names.part)).collect()
    }

    /// The constant `PLAIN`, where the struct may be plain at all.
    fn plain(&self, fields: &TokenStream) -> Option<TokenStream> {
        let kiln = self.kiln;
        if self.borrows() || self.fields.iter().any(|field| field.is_bytes) {
            return None;
        }
        let members = self.fields.iter().map(|field| &field.member);
        let core = quote!(#kiln::__private::core);
        // SAFETY, of what is written: every field is plain and lies where its encoding does, nothing lies between or
        // after them, dropping does nothing, and `encode` writes the fields in this order.
        let plain = self.kiln.unsafe_block(quote! {
            #kiln::frozen::Plain::promise(#kiln::__private::plain(
                #fields,
                &[#(#core::mem::offset_of!(Self, #members)),*],
                #core::mem::size_of::<Self>(),
                #core::mem::needs_drop::<Self>(),
            ))
        });
        Some(quote!(const PLAIN: #kiln::frozen::Plain<Self> = #plain;))
    }

    fn typed(&self) -> TokenStream {
        let kiln = self.kiln;
        let owner = &self.names.owner;
        let fields = self.each(
            |_, Field { name, ty, .. }| quote!((#name, <#ty as #kiln::schema::Typed<#owner>>::TYPE)),
            |Field { name, ty, .. }| quote!((#name, <#ty as #kiln::__private::ByteField>::TYPE)),
        );
        let of = quote!(#kiln::schema::Typed<#owner>);
        let bounds = self.bounds.each(&of);
        let head = self.head(&self.bounds.with_param(owner), of, &bounds);
        quote! {
            #head {
                const TYPE: &'static #kiln::schema::StaticType =
                    &#kiln::schema::StaticType::Struct(&[#(#fields),*]);
            }
        }
    }

    /// The marker of a trusted type, asked for by its attribute: unconditional but for the parameters, or a recursive type
    /// would need itself, so that the fields are asked in code that is never called.
    fn trusted(&self) -> TokenStream {
        let kiln = self.kiln;
        let bounds = self.bounds.each(&quote!(#kiln::Trusted));
        // SAFETY, of what is written: the derived implementation of `Decode` reads the fields in order and hands on
        // every fault, and the fields are trusted, or `trusted_fields` does not compile.
        let head = self.unsafe_head(&self.input.generics, quote!(#kiln::Trusted), &bounds);
        let fields = self.each(
            |_, Field { ty, .. }| quote!(#kiln::__private::is_trusted::<#ty>();),
            |Field { ty, .. }| quote!(#kiln::__private::is_byte_field::<#ty>();),
        );
        quote!(#head { fn trusted_fields() { #(#fields)* } })
    }

    fn encode(&self) -> TokenStream {
        let Struct { kiln, names: Locals { measure: measured, sink, sink_type, .. }, .. } = self;
        let bounds = self.bounds.each_unless_said(&quote!(#kiln::Encode));
        let result = quote!(#kiln::__private::core::result::Result);
        let measure = self.each(
            |_, Field { member, ty, .. }| quote!(<#ty as #kiln::__private::EncodeField>::measure_field(&self.#member, #measured)?;),
            |Field { member, ty, .. }| quote!(<#ty as #kiln::__private::ByteField>::measure(&self.#member, #measured)?;),
        );
        let encode = self.each(
            |_, Field { member, ty, .. }| quote!(<#ty as #kiln::__private::EncodeField>::encode_field(&self.#member, #sink);),
            |Field { member, ty, .. }| quote!(<#ty as #kiln::__private::ByteField>::encode(&self.#member, #sink);),
        );
        let head = self.head(&self.input.generics, quote!(#kiln::Encode), &bounds);
        quote! {
            #head {
                #[inline]
                fn measure(&self, #measured: &mut #kiln::wire::Measure) -> #result<(), #kiln::EncodeError> {
                    #kiln::__private::measure_fixed::<Self>(#measured)?;
                    #(#measure)*
                    #measured.leave();
                    #result::Ok(())
                }

                #[inline]
                fn encode<#sink_type: #kiln::wire::Sink>(&self, #sink: &mut #sink_type) {
                    #(#encode)*
                }
            }
        }
    }

    /// What reads a value that has no place yet. If it owns nothing, it is put together from registers: what owns something
    /// would have to be dropped in parts at each fault, and is no worse off in memory. A struct that does not
    /// borrow owns something most often, and is spared the time to compile this.
    fn decode_value(&self, de: &Lifetime) -> TokenStream {
        let Struct { kiln, names: Locals { source, source_type, run, value, .. }, .. } = self;
        let core = quote!(#kiln::__private::core);
        let in_place = quote!(#kiln::__private::build(#source, <Self as #kiln::Decode<#de>>::decode_at));
        if !self.borrows() {
            return in_place;
        }
        let members = self.fields.iter().map(|field| &field.member);
        let read = self.each(
            |index, Field { ty, .. }| {
                quote! {
                    <#ty as #kiln::__private::DecodeField<#de>>::read::<Self, #source_type, #index>(
                        #source, &mut #run,
                    )?
                }
            },
            |Field { ty, .. }| quote!(<#ty as #kiln::__private::DecodeByteField<#de>>::decode(#source)?),
        );
        quote! {
            if <Self as #kiln::Frozen>::FIXED || #core::mem::needs_drop::<Self>() {
                return #in_place;
            }
            #kiln::wire::Source::enter(#source)?;
            let mut #run = #kiln::__private::no_run();
            let #value = Self { #(#members: #read,)* };
            #kiln::wire::Source::leave(#source);
            #core::result::Result::Ok(#value)
        }
    }

    fn decode(&self, decode: &ForDecode) -> TokenStream {
        let Struct {
            kiln,
            names: Locals { source, source_type, run, slot, place, chunk, from, lending, .. },
            ..
        } = self;
        let ForDecode { de, generics, bounds } = decode;
        let private = quote!(#kiln::__private);
        let core = quote!(#private::core);
        let result = quote!(#core::result::Result);
        let one_by_one = self.each(
            |_, Field { ty, .. }| quote!(<#ty as #private::DecodeField<#de>>::skip::<#source_type>()),
            |_| quote!(#private::skip_nothing::<#source_type>()),
        );
        let parts = self.parts();
        let part = |Field { member, .. }: &Field<'_>| {
            // SAFETY, of what is written: this is a field of the struct, of the type that it is read as, and each has its
            // slot once.
            self.kiln
                .unsafe_block(quote!(#private::Slot::part(&#slot, #core::mem::offset_of!(Self, #member))))
        };
        // SAFETY, of what is written: these are all fields of the struct, each filled in its part of the slot.
        let whole = self.kiln.unsafe_block(quote!(#private::Slot::whole(#slot, (#(#parts,)*))));
        let read = self.each(
            |index, field| {
                let (ty, part) = (&field.ty, part(field));
                quote!(<#ty as #private::DecodeField<#de>>::read_at::<Self, #source_type, #index>(#source, &mut #run, #part)?)
            },
            |field| {
                let (ty, part) = (&field.ty, part(field));
                quote!(<#ty as #private::DecodeByteField<#de>>::decode_at(#source, #part)?)
            },
        );
        let read_into = self.each(
            |index, Field { member, ty, .. }| {
                quote! {
                    <#ty as #private::DecodeField<#de>>::read_into::<Self, #source_type, #index>(
                        #source, &mut #run, &mut #place.#member,
                    )?;
                }
            },
            |Field { member, ty, .. }| {
                quote!(<#ty as #private::DecodeByteField<#de>>::decode_into(#source, &mut #place.#member)?;)
            },
        );
        let check = self.each(
            |index, Field { ty, .. }| {
                quote!(<#ty as #private::DecodeField<#de>>::check::<Self, #source_type, #index>(#source, &mut #run)?;)
            },
            |Field { ty, .. }| quote!(<#ty as #private::DecodeByteField<#de>>::validate(#source)?;),
        );
        // A struct with a field that is never of fixed size is never of fixed size, and a struct without
        // fields always is; of any other, only the compiler knows.
        let is_never_fixed = self.fields.iter().any(|field| field.is_bytes);
        let if_fixed = |then: TokenStream| {
            (!is_never_fixed).then(|| quote!(if <Self as #kiln::Frozen>::FIXED { #then }))
        };
        let whole_at = if_fixed(quote!(return #private::read_whole(#source, #slot);));
        let check_whole = if_fixed(quote!(return #private::check_whole::<Self, #source_type>(#source);));
        let whole_into = if_fixed(quote!(return #private::replace_whole(#source, #place);));
        let decode_fixed = if is_never_fixed {
            quote! {
                #[inline]
                fn decode_fixed(_: #kiln::wire::Chunk<#de>) -> #result<Self, #kiln::Fault> {
                    #private::never_fixed()
                }
            }
        } else {
            let read_fixed = self.fields.iter().enumerate().map(|(index, field)| {
                let (ty, part) = (&field.ty, part(field));
                quote!(<#ty as #private::DecodeField<#de>>::read_fixed_at::<Self, #index>(#chunk, #part)?)
            });
            let check_fixed = self.fields.iter().enumerate().map(|(index, Field { ty, .. })| {
                quote!(<#ty as #private::DecodeField<#de>>::check_fixed::<Self, #index>(#chunk)?;)
            });
            quote! {
                #[inline]
                fn validate_fixed(#chunk: #kiln::wire::Chunk<#de>) -> #result<(), #kiln::Fault> {
                    #private::check_each::<Self>(#chunk, |#chunk| {
                        let #chunk = #chunk.part(0, <Self as #kiln::Frozen>::MIN_LEN);
                        #(#check_fixed)*
                        #result::Ok(())
                    })
                }

                #[inline]
                fn decode_fixed(#chunk: #kiln::wire::Chunk<#de>) -> #result<Self, #kiln::Fault> {
                    #private::build(&mut (), |_, #slot| <Self as #kiln::Decode<#de>>::decode_fixed_at(#chunk, #slot))
                }

                #[inline]
                fn decode_fixed_at<#lending>(
                    #chunk: #kiln::wire::Chunk<#de>,
                    #slot: #private::Slot<#lending, Self>,
                ) -> #result<#private::Filled<#lending, Self>, #kiln::Fault> {
                    let #chunk = #chunk.part(0, <Self as #kiln::Frozen>::MIN_LEN);
                    #(let #parts = #read_fixed;)*
                    #result::Ok(#whole)
                }
            }
        };
        let decode_value = self.decode_value(de);
        // SAFETY, of what is written: this is the derive.
        let reread_head = self.unsafe_head(generics, quote!(#private::Reread<#de>), bounds);
        let head = self.head(generics, quote!(#kiln::Decode<#de>), bounds);
        quote! {
            #reread_head {
                fn fault<#source_type: #kiln::wire::Source<#de>>(
                    #source: &mut #source_type,
                    #from: #core::primitive::usize,
                ) -> #kiln::Fault {
                    #private::fault(#source, #from, &[#(#one_by_one),*])
                }
            }

            #head {
                #[inline]
                fn decode<#source_type: #kiln::wire::Source<#de>>(
                    #source: &mut #source_type,
                ) -> #result<Self, #kiln::Fault> {
                    #decode_value
                }

                #[inline]
                fn decode_at<#lending, #source_type: #kiln::wire::Source<#de>>(
                    #source: &mut #source_type,
                    #slot: #private::Slot<#lending, Self>,
                ) -> #result<#private::Filled<#lending, Self>, #kiln::Fault> {
                    #whole_at
                    #kiln::wire::Source::enter(#source)?;
                    let mut #run = #private::no_run();
                    #(let #parts = #read;)*
                    #kiln::wire::Source::leave(#source);
                    #result::Ok(#whole)
                }

                #decode_fixed

                fn validate<#source_type: #kiln::wire::Source<#de>>(
                    #source: &mut #source_type,
                ) -> #result<(), #kiln::Fault> {
                    #check_whole
                    #kiln::wire::Source::enter(#source)?;
                    let mut #run = #private::no_run();
                    #(#check)*
                    #kiln::wire::Source::leave(#source);
                    #result::Ok(())
                }

                fn decode_into<#source_type: #kiln::wire::Source<#de>>(
                    #source: &mut #source_type,
                    #place: &mut Self,
                ) -> #result<(), #kiln::Fault> {
                    #whole_into
                    #kiln::wire::Source::enter(#source)?;
                    let mut #run = #private::no_run();
                    #(#read_into)*
                    #kiln::wire::Source::leave(#source);
                    #result::Ok(())
                }
            }
        }
    }
}
