//! The derived code in the strictest of surroundings: no unsafe, no warning, no name to rely on.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    unused,
    unused_qualifications,
    unreachable_pub,
    future_incompatible,
    nonstandard_style,
    rust_2018_idioms,
    missing_debug_implementations,
    missing_copy_implementations,
    single_use_lifetimes,
    unused_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    let_underscore_drop,
    variant_size_differences,
    unit_bindings,
    explicit_outlives_requirements
)]

/// Public, with every kind of field.
pub mod strict {
    #![deny(
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::undocumented_unsafe_blocks,
        clippy::multiple_unsafe_ops_per_block,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::default_numeric_fallback,
        clippy::missing_inline_in_public_items,
        clippy::question_mark_used,
        clippy::implicit_return,
        clippy::absolute_paths,
        clippy::shadow_same,
        clippy::shadow_reuse,
        clippy::shadow_unrelated,
        clippy::single_char_lifetime_names,
        clippy::min_ident_chars,
        clippy::mod_module_files,
        clippy::std_instead_of_core,
        clippy::exhaustive_enums,
        clippy::exhaustive_structs,
        clippy::partial_pub_fields
    )]

    use kiln::Frozen;

    /// A reading.
    #[derive(Frozen, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Reading<'text, Value> {
        /// When.
        pub at: u64,
        /// Where.
        pub place: &'text str,
        /// What.
        pub value: Option<Value>,
        /// How.
        pub unit: Unit,
        /// Raw.
        #[kiln(bytes)]
        pub raw: &'text [u8],
        /// No longer.
        #[deprecated]
        pub old: u8,
    }

    /// A unit.
    #[derive(Frozen, Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    #[non_exhaustive]
    pub enum Unit {
        /// Length.
        Meters,
        /// Time.
        #[deprecated]
        Seconds,
    }

    /// Nothing.
    #[derive(Frozen, Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Nothing;
}

/// Where every name that generated code might lean on means something else.
mod shadowed {
    #![allow(dead_code, nonstandard_style, clippy::all, clippy::pedantic)]

    struct Result;
    struct Option;
    struct Vec;
    struct Self_;
    struct u32;
    struct usize;
    struct bool;
    struct Frozen;
    struct Encode;
    struct Decode;
    trait Default {}
    trait Sized {}
    fn Ok() {}
    fn Err() {}
    fn Some() {}
    fn drop() {}
    const source: () = ();
    const sink: () = ();
    const measure: () = ();
    const chunk: () = ();
    const run: () = ();
    const value: () = ();
    const place: () = ();
    mod core {}
    mod std {}
    mod alloc {}
    mod kiln {}

    #[derive(::kiln::Frozen)]
    pub(super) struct S {
        pub(super) a: u8,
        pub(super) b: ::core::option::Option<u16>,
    }

    #[derive(::kiln::Frozen)]
    #[repr(u32)]
    pub(super) enum E {
        Source = 1,
        Sink,
    }

    /// Methods that would win over those of a trait.
    impl S {
        fn decode(self) {}
        fn encode(self) {}
        fn measure(self) {}
        fn shape(self) {}
        const MIN_LEN: () = ();
        const FIXED: () = ();
    }
}

/// A program that knows the crate under another name.
mod renamed {
    mod inner {
        pub(super) use ::kiln as wire;
    }

    #[derive(::kiln::Frozen, Debug, PartialEq, Eq)]
    #[kiln(crate = inner::wire)]
    pub(super) struct S {
        pub(super) a: u8,
        #[kiln(bytes)]
        pub(super) run: Vec<u8>,
        pub(super) e: E,
    }

    #[derive(::kiln::Frozen, Debug, PartialEq, Eq)]
    #[kiln(crate = inner::wire)]
    #[repr(u8)]
    pub(super) enum E {
        One = 1,
    }
}

/// Everything deprecated, in every shape, where no warning is allowed.
#[deny(warnings)]
#[allow(dead_code, missing_debug_implementations, missing_copy_implementations)]
mod deprecated {
    #[allow(deprecated)]
    mod types {
        #[derive(kiln::Frozen)]
        #[deprecated(note = "of old")]
        pub(super) struct Old {
            #[deprecated]
            pub(super) a: i32,
            #[kiln(bytes)]
            #[deprecated]
            pub(super) run: Vec<u8>,
        }
    }

    #[derive(kiln::Frozen)]
    struct Named<'a, T> {
        #[deprecated]
        plain: i32,
        #[deprecated(note = "no longer")]
        optional: Option<T>,
        #[deprecated]
        text: &'a str,
        #[deprecated]
        #[kiln(bytes)]
        run: &'a [u8],
        last: u8,
    }

    #[derive(kiln::Frozen)]
    #[kiln(trusted)]
    struct Numbered(#[deprecated] u32, #[deprecated] [u16; 2], u8);

    #[derive(kiln::Frozen)]
    #[kiln(trusted)]
    #[deprecated]
    #[repr(u8)]
    enum Kind {
        #[deprecated]
        Old,
        New = 3,
    }

    #[derive(kiln::Frozen)]
    #[deprecated]
    struct Nothing;

    #[allow(deprecated)]
    #[derive(kiln::Frozen)]
    struct OfTheOld {
        kind: Kind,
        nothing: Nothing,
        old: types::Old,
        olds: Vec<types::Old>,
    }
}

#[test]
fn it_compiles_and_works() {
    let bytes = [7, 1, 9, 0];
    let read = kiln::from_slice::<shadowed::S>(&bytes);
    assert!(matches!(read, Ok(shadowed::S { a: 7, b: Some(9) })));
    assert!(matches!(kiln::from_slice::<shadowed::E>(&[2, 0, 0, 0]), Ok(shadowed::E::Sink)));
    assert!(matches!(kiln::from_slice::<shadowed::E>(&[1, 0, 0, 0]), Ok(shadowed::E::Source)));
    let value = renamed::S { a: 1, run: vec![2], e: renamed::E::One };
    assert_eq!(kiln::to_vec(&value), Ok(vec![1, 1, 0, 0, 0, 2, 1]));
    assert_eq!(kiln::from_slice(&[1, 1, 0, 0, 0, 2, 1]), Ok(value));
    assert_eq!(kiln::type_text::<strict::Nothing>(), "struct{}");
    assert_eq!(
        kiln::type_text::<strict::Reading<'static, f32>>(),
        "struct{at:u64,place:str,value:optional{f32},unit:u8,raw:bytes,old:u8,}"
    );
}
