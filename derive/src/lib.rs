//! The derive macro of [Kiln](https://docs.rs/kiln). Programs use it as `kiln::Frozen`, which the crate `kiln`
//! re-exports beside the trait of that name; nothing else is here.
//!
//! ```
//! use kiln::Frozen;
//!
//! #[derive(Frozen)]
//! struct Point { x: i32, y: i32 }
//!
//! assert_eq!(kiln::to_vec(&Point { x: 9, y: -4 })?, [9, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff]);
//! # Ok::<(), kiln::EncodeError>(())
//! ```
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

/// Puts a type on the wire: implements `Frozen`, `Encode`, `Decode` and `Typed` for a struct or for an enum without
/// data. Chapters of the specification: Frozen values; Canonical type text and schema hash.
///
/// # Structs
///
/// A struct is its fields, one after the other in declaration order: no names, no tags, no padding. Reordering,
/// renaming, adding and removing fields changes the type text, and with it the schema hash in a frame.
///
/// ```
/// use kiln::Frozen;
///
/// #[derive(Frozen, Debug, PartialEq)]
/// struct Reading<'a> {
///     at: u64,
///     sensor: &'a str,
///     value: Option<f32>,
/// }
///
/// let reading = Reading { at: 1, sensor: "a7", value: None };
/// let bytes = kiln::to_vec(&reading)?;
/// assert_eq!(bytes, [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, b'a', b'7', 0]);
/// assert_eq!(kiln::from_slice::<Reading>(&bytes)?, reading);
/// assert_eq!(kiln::type_text::<Reading>(), "struct{at:u64,sensor:str,value:optional{f32},}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The fields of a tuple struct are named `0`, `1` and so on, also when there is but one. A struct without fields takes
/// no bytes. Fields may borrow from the bytes, as `sensor` does above: the value then lives as long as they do.
///
/// ```
/// # use kiln::Frozen;
/// #[derive(Frozen)]
/// struct Celsius(f32);
///
/// assert_eq!(kiln::type_text::<Celsius>(), "struct{0:f32,}");
/// ```
///
/// # Enums
///
/// An enum without data that says its width with `#[repr(u8)]`, `#[repr(u16)]` or `#[repr(u32)]` travels as that
/// integer. Reading an integer that is no value of it is TYPE, at its first byte. The type text is the integer's: a
/// reader with more or fewer variants has the same schema hash.
///
/// ```
/// use kiln::{Frozen, Reason};
///
/// #[derive(Frozen, Debug, PartialEq)]
/// #[repr(u8)]
/// enum Color { Red = 1, Green, Blue }
///
/// assert_eq!(kiln::to_vec(&Color::Blue)?, [3]);
/// assert_eq!(kiln::from_slice::<Color>(&[4]).unwrap_err().reason(), Reason::EnumValue);
/// assert_eq!(kiln::type_text::<Color>(), "u8");
/// # Ok::<(), kiln::EncodeError>(())
/// ```
///
/// An enum with data has no encoding. Write what it says as a struct: a fieldless enum, and an `Option` for the data of
/// each variant that has some.
///
/// # Attributes
///
/// On a field:
///
/// - `#[kiln(bytes)]`: the field is a byte run, `bytes`, and not a `list{u8}`. The bytes on the wire are the same, the
///   type text and the cap are not. For `Vec<u8>`, `Box<[u8]>`, `Rc<[u8]>`, `Arc<[u8]>`, `&[u8]`, `Cow<[u8]>`, `[u8; N]`, and
///   an `Option` of each. (For byte runs anywhere else there are `kiln::Bytes` and `kiln::ByteBuf`.)
/// - `#[kiln(name = "…")]`: the name of the field in the type text, if not its identifier. It is not empty and has none
///   of `{`, `}`, `:`, `,` and NUL in it, and no two fields have the same. A raw identifier `r#type` is named `type`.
///
/// On the type:
///
/// - `#[kiln(crate = path)]`: where the crate `kiln` is, if not at `::kiln`.
/// - `#[kiln(bound(T: Trait, …))]`: the bounds of the implementations, if not those under [Generics](#generics).
/// - `#[kiln(trusted)]`: the type is `kiln::Trusted`, and may be read by `kiln::from_slice_trusted`.
///
/// ```
/// use kiln::Frozen;
/// // A crate that re-exports `kiln` as part of its own interface.
/// mod facade { pub use kiln as wire; }
///
/// #[derive(Frozen)]
/// #[kiln(crate = facade::wire)]
/// struct File<'a> {
///     r#type: u16,
///     #[kiln(name = "content-type")]
///     content_type: &'a str,
///     #[kiln(bytes)]
///     content: &'a [u8],
/// }
///
/// assert_eq!(kiln::type_text::<File>(), "struct{type:u16,content-type:str,content:bytes,}");
/// ```
///
/// # Generics
///
/// Every type parameter that a field uses must itself be on the wire: the implementations have the bound `T: Frozen`,
/// `T: Encode` and so on. Of a parameter whose associated type alone is used, the associated type must be.
///
/// ```
/// # use kiln::Frozen;
/// #[derive(Frozen)]
/// struct Page<T, const N: usize> { number: u32, rows: Vec<[T; N]> }
///
/// #[derive(Frozen)]
/// struct Window<I: Iterator> { first: I::Item, rest: Vec<I::Item> }
///
/// assert_eq!(kiln::type_text::<Page<f32, 3>>(), "struct{number:u32,rows:list{list{f32}},}");
/// assert_eq!(kiln::type_text::<Window<std::ops::Range<u8>>>(), "struct{first:u8,rest:list{u8},}");
/// ```
///
/// Bounds of your own that say as much are enough: here `Row` says all that is asked of `R`. Where the derive cannot see that
/// (in a recursive type, say), and the compiler says E0283 or asks for a bound that nobody needs, give all bounds by
/// `#[kiln(bound(…))]`. Those in which the lifetime `'de` occurs, that of the bytes, are asked for when reading alone.
///
/// ```
/// # use kiln::{DecodeOwned, Encode, Frozen};
/// trait Row: Encode + DecodeOwned {}
/// impl Row for u16 {}
///
/// #[derive(Frozen)]
/// struct Table<R: Row> { rows: Vec<R> }
///
/// #[derive(Frozen)]
/// #[kiln(bound(R: Row))]
/// struct Tree<R: Row> { row: R, trees: Vec<Tree<R>> }
///
/// assert_eq!(kiln::from_slice::<Table<u16>>(&[1, 0, 0, 0, 7, 0])?.rows, [7]);
/// assert_eq!(kiln::from_slice::<Tree<u16>>(&[7, 0, 0, 0, 0, 0])?.row, 7);
/// # Ok::<(), kiln::Error>(())
/// ```
///
/// # Recursive types
///
/// A type may hold itself in a `Vec`, an `Option<Box<_>>` or a map, to the 64 containers that a value may nest. Its type
/// text has no end, so it has no schema hash and goes without a frame; asking for either does not compile.
///
/// ```
/// use kiln::Frozen;
///
/// #[derive(Frozen)]
/// struct Folder { name: String, folders: Vec<Folder> }
///
/// let inner = Folder { name: "b".into(), folders: vec![] };
/// let bytes = kiln::to_vec(&Folder { name: "a".into(), folders: vec![inner] })?;
/// assert_eq!(bytes, [1, 0, 0, 0, b'a', 1, 0, 0, 0, 1, 0, 0, 0, b'b', 0, 0, 0, 0]);
/// # Ok::<(), kiln::EncodeError>(())
/// ```
///
/// ```compile_fail,E0391
/// # use kiln::Frozen;
/// #[derive(Frozen)]
/// struct Folder { name: String, folders: Vec<Folder> }
///
/// kiln::schema_hash::<Folder>();
/// ```
///
/// ```compile_fail,E0391
/// # use kiln::Frozen;
/// # #[derive(Frozen)]
/// # struct Folder { name: String, folders: Vec<Folder> }
/// kiln::frame::to_vec(&Folder { name: String::new(), folders: vec![] });
/// ```
///
/// # What does not compile
///
/// A field whose type has no place on the wire: the compiler's message says what to take in its stead.
///
/// ```compile_fail,E0277
/// # use kiln::Frozen;
/// #[derive(Frozen)]
/// struct Page { number: usize } // u32 or u64: the same on every target
/// ```
///
/// A list or a dict of a struct that may take no bytes at all: four bytes of input could claim millions of them.
///
/// ```compile_fail,E0080
/// # use kiln::Frozen;
/// #[derive(Frozen)]
/// struct Nothing {}
///
/// kiln::to_vec(&vec![Nothing {}]);
/// ```
///
/// And enums with data or without a width, unions, packed structs, the same name for two fields, and attributes that are
/// not listed above.
///
/// # What it finds out by itself
///
/// Consecutive fields of fixed size are compared with the bytes left once, not each; a struct of such fields alone is
/// one comparison, and so is a list of those structs. A struct whose memory is its encoding (numbers, or structs of
/// numbers, in declaration order and without padding, on a little-endian target) is plain: a list of it is one copy.
/// Nothing has to be declared for that, and nothing can be declared wrongly; a program that relies on it says so:
///
/// ```
/// # use kiln::Frozen;
/// #[derive(Frozen)]
/// #[repr(C)]
/// struct Vertex { x: f32, y: f32, z: f32 }
///
/// const { assert!(cfg!(target_endian = "big") || kiln::is_plain::<Vertex>()) }
/// const { assert!(<Vertex as Frozen>::FIXED && <Vertex as Frozen>::MIN_LEN == 12) }
/// ```
///
/// # Errors
///
/// Reading gives the faults of the fields, in their order; whichever field is at fault first is the one reported, with
/// its offset and its path. A struct itself adds one: LIMIT where it would be the sixty-fifth container.
///
/// Reading into a value that exists (`kiln::decode_into`) reads each field into its place, so that what they own is
/// used again. After a fault, the fields before it are new, those after it old, and the one at fault is what its
/// type says; a struct of fixed size is new or old as a whole.
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
