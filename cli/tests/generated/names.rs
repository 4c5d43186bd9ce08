// Generated from names.json by `kiln gen`; edit that, not this.

/// names that are awkward in Rust
#[allow(clippy::pub_underscore_fields)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRust {
    #[kiln(name = "self")]
    pub self_: u8,
    #[kiln(name = "Self")]
    pub self_2: Option<u8>,
    #[kiln(name = "SELF")]
    pub self_3: u8,
    #[kiln(name = "self_")]
    pub self_4: Option<u8>,
    #[kiln(name = "self_2")]
    pub self_2_2: u8,
    pub r#abstract: Option<u8>,
    pub r#as: u8,
    pub r#async: Option<u8>,
    pub r#await: u8,
    pub r#become: Option<u8>,
    pub r#box: u8,
    pub r#break: Option<u8>,
    pub r#const: u8,
    pub r#continue: Option<u8>,
    #[kiln(name = "crate")]
    pub crate_: u8,
    pub r#do: Option<u8>,
    pub r#dyn: u8,
    pub r#else: Option<u8>,
    pub r#enum: u8,
    pub r#extern: Option<u8>,
    pub r#false: u8,
    pub r#final: Option<u8>,
    pub r#fn: u8,
    pub r#for: Option<u8>,
    pub r#gen: u8,
    pub r#if: Option<u8>,
    pub r#impl: u8,
    pub r#in: Option<u8>,
    pub r#let: u8,
    pub r#loop: Option<u8>,
    pub r#macro: u8,
    pub macro_rules: Option<u8>,
    pub r#match: u8,
    pub r#mod: Option<u8>,
    pub r#move: u8,
    pub r#mut: Option<u8>,
    pub r#override: u8,
    pub r#priv: Option<u8>,
    pub r#pub: u8,
    pub raw: Option<u8>,
    pub r#ref: u8,
    pub r#return: Option<u8>,
    pub safe: u8,
    pub r#static: Option<u8>,
    pub r#struct: u8,
    #[kiln(name = "super")]
    pub super_: Option<u8>,
    pub r#trait: u8,
    pub r#true: Option<u8>,
    pub r#try: u8,
    pub r#type: Option<u8>,
    pub r#typeof: u8,
    pub union: Option<u8>,
    pub r#unsafe: u8,
    pub r#unsized: Option<u8>,
    pub r#use: u8,
    pub r#virtual: Option<u8>,
    pub r#where: u8,
    pub r#while: Option<u8>,
    pub r#yield: u8,
    pub auto: Option<u8>,
    pub default: u8,
    #[kiln(name = "_")]
    pub field: Option<u8>,
    #[kiln(name = "__")]
    pub field_2: u8,
    #[kiln(name = "___")]
    pub field_3: Option<u8>,
    pub _1: u8,
    #[kiln(name = "1")]
    pub _1_2: Option<u8>,
    #[kiln(name = "1st")]
    pub _1st: u8,
    #[kiln(name = "a__b")]
    pub a_b: Option<u8>,
    #[kiln(name = "a_b")]
    pub a_b_2: u8,
    #[kiln(name = "a-b")]
    pub a_b_3: Option<u8>,
    #[kiln(name = "a b")]
    pub a_b_4: u8,
    #[kiln(name = "A_B")]
    pub a_b_5: Option<u8>,
    #[kiln(name = "aB")]
    pub a_b_6: u8,
    #[kiln(name = "AB")]
    pub ab: Option<u8>,
    #[kiln(name = "ABC")]
    pub abc: u8,
    #[kiln(name = "é")]
    pub field_4: Option<u8>,
    #[kiln(name = "größe")]
    pub gr_e: u8,
    #[kiln(name = "名前")]
    pub field_5: Option<u8>,
    #[kiln(name = "🙂")]
    pub field_6: u8,
    #[kiln(name = "🙂🙂")]
    pub field_7: Option<u8>,
    #[kiln(name = "a🙂")]
    pub a: u8,
    #[kiln(name = "\u{202e}")]
    pub field_8: Option<u8>,
    #[kiln(name = "\t")]
    pub field_9: u8,
    #[kiln(name = "\n")]
    pub field_10: Option<u8>,
    #[kiln(name = "\"")]
    pub field_11: u8,
    #[kiln(name = "\\")]
    pub field_12: Option<u8>,
    #[kiln(name = "\"#")]
    pub field_13: u8,
    #[kiln(name = "r#type")]
    pub r_type: Option<u8>,
    #[kiln(name = "'a")]
    pub a_2: u8,
    #[kiln(name = "#")]
    pub field_14: Option<u8>,
    #[kiln(name = "//")]
    pub field_15: u8,
    #[kiln(name = "*/")]
    pub field_16: Option<u8>,
    #[kiln(name = "/*")]
    pub field_17: u8,
    #[kiln(name = "%s")]
    pub s: u8,
    pub u8: Option<u8>,
    pub str: u8,
    #[kiln(name = "String")]
    pub string: Option<u8>,
    pub kiln: u8,
    pub std: Option<u8>,
    pub core: u8,
    #[kiln(name = "b\u{1}")]
    pub b: Option<u8>,
    pub xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: u8,
    pub types: Option<NamesThatAreAwkwardInRustTypes>,
    pub collide: Option<NamesThatAreAwkwardInRustCollide>,
}

#[allow(clippy::pub_underscore_fields)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustTypes {
    #[kiln(name = "Option")]
    pub option: Option<Option2>,
    #[kiln(name = "Vec")]
    pub vec: Option<Vec2>,
    #[kiln(name = "String")]
    pub string: Option<String2>,
    #[kiln(name = "Box")]
    pub r#box: Option<Box2>,
    #[kiln(name = "Some")]
    pub some: Option<Some2>,
    #[kiln(name = "Ok")]
    pub ok: Option<Ok2>,
    #[kiln(name = "Self")]
    pub self_: Option<Self2>,
    #[kiln(name = "Result")]
    pub result: Option<Result>,
    #[kiln(name = "Clone")]
    pub clone: Option<Clone>,
    #[kiln(name = "Debug")]
    pub debug: Option<Debug>,
    #[kiln(name = "PartialEq")]
    pub partial_eq: Option<PartialEq>,
    #[kiln(name = "Frozen")]
    pub frozen: Option<Frozen>,
    #[kiln(name = "Default")]
    pub default: Option<Default>,
    #[kiln(name = "Sized")]
    pub sized: Option<Sized>,
    #[kiln(name = "Iterator")]
    pub iterator: Option<Iterator>,
    #[kiln(name = "BTreeMap")]
    pub b_tree_map: Option<BTreeMap>,
    #[kiln(name = "HTTP")]
    pub http: Option<Http>,
    #[kiln(name = "IO")]
    pub io: Option<IO>,
    #[kiln(name = "X2")]
    pub x2: Option<X2>,
    #[kiln(name = "T")]
    pub t: Option<T>,
    #[kiln(name = "S")]
    pub s: Option<S>,
    #[kiln(name = "R")]
    pub r: Option<R>,
    #[kiln(name = "U8")]
    pub u8: Option<U8>,
    #[kiln(name = "ByteBuf")]
    pub byte_buf: Option<ByteBuf>,
    #[kiln(name = "1st")]
    pub _1st: Option<T1st>,
    #[kiln(name = "é")]
    pub field: Option<Type>,
    pub empty: Option<Type2>,
    #[kiln(name = "🙂")]
    pub field_2: Option<Type3>,
    pub r#struct: Option<Struct>,
    #[kiln(name = "Field")]
    pub field_3: Option<Field>,
    #[kiln(name = "Type")]
    pub r#type: Option<Type4>,
    pub xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: Option<
        Txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,
    >,
    #[kiln(name = "X")]
    pub x: Option<X>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Option2 {
    pub of: bool,
    pub next: Option<Box<Option2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Vec2 {
    pub of: bool,
    pub next: Option<Box<Vec2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct String2 {
    pub of: bool,
    pub next: Option<Box<String2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Box2 {
    pub of: bool,
    pub next: Option<Box<Box2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Some2 {
    pub of: bool,
    pub next: Option<Box<Some2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Ok2 {
    pub of: bool,
    pub next: Option<Box<Ok2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Self2 {
    pub of: bool,
    pub next: Option<Box<Self2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Result {
    pub of: bool,
    pub next: Option<Box<Result>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Clone {
    pub of: bool,
    pub next: Option<Box<Clone>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Debug {
    pub of: bool,
    pub next: Option<Box<Debug>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct PartialEq {
    pub of: bool,
    pub next: Option<Box<PartialEq>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Frozen {
    pub of: bool,
    pub next: Option<Box<Frozen>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Default {
    pub of: bool,
    pub next: Option<Box<Default>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Sized {
    pub of: bool,
    pub next: Option<Box<Sized>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Iterator {
    pub of: bool,
    pub next: Option<Box<Iterator>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct BTreeMap {
    pub of: bool,
    pub next: Option<Box<BTreeMap>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Http {
    pub of: bool,
    pub next: Option<Box<Http>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct IO {
    pub of: bool,
    pub next: Option<Box<IO>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct X2 {
    pub of: bool,
    pub next: Option<Box<X2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct T {
    pub of: bool,
    pub next: Option<Box<T>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct S {
    pub of: bool,
    pub next: Option<Box<S>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct R {
    pub of: bool,
    pub next: Option<Box<R>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct U8 {
    pub of: bool,
    pub next: Option<Box<U8>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct ByteBuf {
    pub of: bool,
    pub next: Option<Box<ByteBuf>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct T1st {
    pub of: bool,
    pub next: Option<Box<T1st>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Type {
    pub of: bool,
    pub next: Option<Box<Type>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Type2 {
    pub of: bool,
    pub next: Option<Box<Type2>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Type3 {
    pub of: bool,
    pub next: Option<Box<Type3>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Struct {
    pub of: bool,
    pub next: Option<Box<Struct>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Field {
    pub of: bool,
    pub next: Option<Box<Field>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Type4 {
    pub of: bool,
    pub next: Option<Box<Type4>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx {
    pub of: bool,
    pub next: Option<
        Box<
            Txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,
        >,
    >,
}

/// A list:
///
/// - one
///   goes on
/// - two
///
/// and <https://example.org/page>
#[allow(clippy::doc_markdown, clippy::pub_underscore_fields, clippy::struct_field_names)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct X {
    #[kiln(name = "self")]
    pub self_: bool,
    #[kiln(name = "Self")]
    pub self_2: bool,
    #[kiln(name = "1st")]
    pub _1st: bool,
    #[kiln(name = "__x")]
    pub x: T,
}

#[allow(clippy::pub_underscore_fields)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollide {
    pub a: Option<NamesThatAreAwkwardInRustCollideA>,
    #[kiln(name = "A")]
    pub a_2: Option<NamesThatAreAwkwardInRustCollideA2>,
    pub a_: Option<NamesThatAreAwkwardInRustCollideA3>,
    pub _a: Option<NamesThatAreAwkwardInRustCollideA4>,
    #[kiln(name = "-a")]
    pub a_3: Option<NamesThatAreAwkwardInRustCollideA5>,
    #[kiln(name = "a-")]
    pub a_4: Option<NamesThatAreAwkwardInRustCollideA6>,
    #[kiln(name = "Item")]
    pub item: Option<NamesThatAreAwkwardInRustCollideItem>,
    #[kiln(name = "Value")]
    pub value: Option<NamesThatAreAwkwardInRustCollideValue>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideA {
    pub v: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideA2 {
    pub v: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideA3 {
    pub v: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideA4 {
    pub v: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideA5 {
    pub v: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideA6 {
    pub v: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideItem {
    pub v: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct NamesThatAreAwkwardInRustCollideValue {
    pub v: Option<bool>,
}
