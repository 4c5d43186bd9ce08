//! Type text to `Type` and back. Chapter: Canonical type text and schema hash.

use kiln::schema::{Fields, Kind, Scalar, StaticType, Type, TypeBuilder, TypeError, Typed};
use std::fmt::Write as _;

/// Runs on a stack of 64 KiB: what recurses by nesting does not come back.
fn on_a_small_stack(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 10).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic");
    });
}

fn parse(text: &str) -> Type {
    Type::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn syntax(text: &str) -> (usize, &'static str) {
    match Type::parse(text) {
        Err(TypeError::Syntax { at, expected }) => (at, expected),
        other => panic!("{text}: {other:?}"),
    }
}

const VALID: [&str; 14] = [
    "u8",
    "tensors",
    "list{u8}",
    "optional{optional{str}}",
    "dict{bytes}",
    "struct{}",
    "struct{x:i32,y:i32,}",
    "struct{id:i64,batch:tensors,}",
    "dict{optional{list{struct{name:str,raw:bytes,}}}}",
    "struct{u8:u8,list:list{u8},struct:struct{},}",
    "struct{a:struct{b:struct{c:u8,},d:f16,},e:bf16,}",
    "optional{struct{}}",
    "list{optional{struct{}}}",
    "struct{  é\u{202e}\n\"[]:u8,\u{10ffff}:bool,}",
];

#[test]
fn every_scalar_is_its_own_text() {
    for &scalar in Scalar::ALL {
        let ty = parse(scalar.name());
        assert!(matches!(ty.root().kind(), Kind::Scalar(found) if found == scalar));
        assert_eq!(ty.text().as_deref(), Ok(scalar.name()));
        assert_eq!(ty.min_len(), scalar.min_len());
        assert_eq!(ty, Type::scalar(scalar));
    }
}

#[test]
fn text_to_type_to_text_is_the_same_text() {
    for text in VALID {
        let ty = parse(text);
        assert_eq!(ty.text().as_deref(), Ok(text));
        assert_eq!(ty.to_string(), text);
        assert_eq!(text.parse().as_ref(), Ok(&ty));
        assert_eq!(format!("{ty:?}"), format!("Type({text})"));
        assert!(!ty.is_recursive());
    }
    for a in VALID {
        for b in VALID {
            assert_eq!(parse(a) == parse(b), a == b, "{a} and {b}");
            assert_eq!(parse(a).hash() == parse(b).hash(), a == b, "{a} and {b}");
        }
    }
}

#[test]
fn hashes_are_those_of_the_chapter() {
    for (text, hash) in [
        ("u8", 0x4d3ccb193e937808),
        ("str", 0xaf29b4191dbbb7d0),
        ("tensors", 0xbb673a9f6de6bb0f),
        ("list{u8}", 0x8ef63282ba0d1a00),
        ("struct{}", 0x805b6a2144bace1e),
        ("struct{0:i32,1:i32,}", 0x7aa25649dd5e0f9f),
        ("struct{x:i32,y:i32,}", 0xe66ac0386103c72f),
        ("struct{id:i64,batch:tensors,}", 0xe58aadc7552f0d82),
    ] {
        assert_eq!(parse(text).hash(), Ok(hash), "{text}");
    }
}

#[test]
fn smallest_encodings_are_those_of_the_chapter() {
    for (text, min) in [
        ("list{u64}", 4),
        ("dict{struct{a:u64,}}", 4),
        ("optional{struct{a:u64,}}", 1),
        ("struct{}", 0),
        ("struct{a:struct{},b:struct{},}", 0),
        ("struct{id:u32,label:str,ok:bool,temps:list{f32},}", 13),
        ("struct{a:struct{b:u64,c:f16,},d:tensors,e:optional{u64},f:dict{u64},}", 8 + 2 + 64 + 1 + 4),
    ] {
        assert_eq!(parse(text).min_len(), min, "{text}");
    }
}

#[test]
fn a_syntax_error_says_where_and_what_was_expected() {
    for (text, at, expected) in [
        ("", 0, "a type"),
        (" u8", 0, "a type"),
        ("u7", 0, "a type"),
        ("U8", 0, "a type"),
        ("u8 ", 0, "a type"),
        ("u8,", 2, "the end of the text"),
        ("u8}", 2, "the end of the text"),
        ("u8{", 0, "a type"),
        ("u8\0", 2, "the end of the text"),
        ("list", 0, "a type"),
        ("list{", 5, "a type"),
        ("list{}", 5, "a type"),
        ("list{u8", 7, "`}`"),
        ("list{u8,}", 7, "`}`"),
        ("list{u8}}", 8, "the end of the text"),
        ("vec{u8}", 0, "a type"),
        ("{u8}", 0, "a type"),
        ("dict{str:u8}", 8, "`}`"),
        ("struct", 0, "a type"),
        ("struct{", 7, "a field name or `}`"),
        ("struct{,}", 7, "a field name or `}`"),
        ("struct{:u8,}", 7, "a field name or `}`"),
        ("struct{a", 8, "`:`"),
        ("struct{a,}", 8, "`:`"),
        ("struct{a{:u8,}", 8, "`:`"),
        ("struct{a\0:u8,}", 8, "`:`"),
        ("struct{\0:u8,}", 7, "a field name or `}`"),
        ("struct{a:", 9, "a type"),
        ("struct{a:u8}", 11, "`,`"),
        ("struct{a:u8", 11, "`,`"),
        ("struct{a:u8,", 12, "a field name or `}`"),
        ("struct{a:struct{b:u9,},}", 18, "a type"),
        ("struct{é:u8,}{", 14, "the end of the text"),
    ] {
        assert_eq!(syntax(text), (at, expected), "{text}");
    }
    let error = Type::parse("list{u8").unwrap_err();
    assert_eq!(error.to_string(), "expected `}` at byte 7 of the type text");
}

#[test]
fn a_field_name_twice_is_refused_at_the_second() {
    for (text, name, at) in [
        ("struct{a:u8,a:u16,}", "a", 12),
        ("struct{é:u8,e:u8,é:u8,}", "é", 18),
        ("list{struct{b:u8,a:struct{a:u8,},b:u8,}}", "b", 33),
        ("struct{c:u8,b:u8,b:u8,a:u8,a:u8,}", "b", 17),
    ] {
        let expected = TypeError::RepeatedField { name: name.into(), at: Some(at) };
        assert_eq!(Type::parse(text), Err(expected), "{text}");
    }
    parse("struct{a:struct{a:struct{a:u8,},},A:u8,}");
    parse("struct{\u{e9}:u8,e\u{301}:u8,}");
    let error = Type::parse("struct{\u{202e}:u8,\u{202e}:u8,}").unwrap_err();
    assert_eq!(error.to_string(), r#"a struct has the field "\u{202e}" twice at byte 14 of the type text"#);
}

#[test]
fn an_element_of_no_bytes_is_refused() {
    for (text, at) in [
        ("list{struct{}}", 0),
        ("dict{struct{}}", 0),
        ("optional{list{struct{a:struct{},b:struct{},}}}", 9),
        ("struct{a:u8,b:dict{struct{}},}", 14),
    ] {
        assert_eq!(Type::parse(text), Err(TypeError::EmptyElement { at: Some(at) }), "{text}");
    }
    parse("list{struct{a:struct{},b:bool,}}");
}

#[test]
fn whatever_is_damaged_is_refused_or_its_own_text() {
    for text in VALID {
        for (len, _) in text.char_indices() {
            // `struct{…` begins like `str`.
            assert_eq!(Type::parse(&text[..len]).is_ok(), &text[..len] == "str", "{}", &text[..len]);
        }
        for (at, _) in text.char_indices() {
            for with in ["", "{", "}", ":", ",", "\0", "a", "8", "é"] {
                let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
                let damaged = format!("{}{with}{}", &text[..at], &text[end..]);
                if let Ok(ty) = Type::parse(&damaged) {
                    assert_eq!(ty.text().as_deref(), Ok(&damaged[..]));
                }
            }
        }
    }
}

#[test]
fn a_text_nested_a_million_deep_needs_no_stack() {
    on_a_small_stack(|| {
        let deep = 1_000_000;
        let optional = "optional{".repeat(deep) + "u8" + &"}".repeat(deep);
        let ty = parse(&optional);
        assert_eq!(ty.min_len(), 1);
        assert_eq!(ty.text().as_deref(), Ok(&optional[..]));
        assert_eq!(ty, ty.clone());
        assert!(ty.hash().is_ok());

        let mut nested = "struct{a:".repeat(deep) + "u8" + &",}".repeat(deep);
        let ty = parse(&nested);
        assert_eq!(ty.min_len(), 1);
        assert_eq!(ty.to_string(), nested);
        assert_ne!(ty, parse(&optional));
        nested.pop();
        assert_eq!(syntax(&nested), (nested.len(), "a field name or `}`"));
        assert_eq!(syntax(&"list{".repeat(deep)), (5 * deep, "a type"));
    });
}

#[test]
fn a_text_above_sixteen_mib_is_refused() {
    let field = "x".repeat(Type::MAX_TEXT - "struct{:u8,}".len());
    let longest = format!("struct{{{field}:u8,}}");
    assert_eq!(parse(&longest).text().map(|text| text.len()), Ok(Type::MAX_TEXT));
    assert_eq!(Type::parse(&format!("struct{{x{field}:u8,}}")), Err(TypeError::TooLong));
    let around = Type::optional(parse(&longest)).unwrap();
    assert_eq!(around.hash(), Err(TypeError::TooLong));
    assert_eq!(around.min_len(), 1);
}

#[test]
fn a_struct_of_very_many_fields_is_compared_by_sorting() {
    let mut text = String::from("struct{");
    for field in 0..200_000 {
        write!(text, "field{field}:u8,").unwrap();
    }
    let whole = parse(&format!("{text}}}"));
    assert_eq!(whole.min_len(), 200_000);
    let at = text.len();
    let expected = TypeError::RepeatedField { name: "field0".into(), at: Some(at) };
    assert_eq!(Type::parse(&format!("{text}field0:u8,}}")), Err(expected));
}

#[test]
fn built_types_are_those_of_the_text() {
    let u8 = || Type::scalar(Scalar::U8);
    let inner = Type::structure([("name", Type::scalar(Scalar::Str)), ("raw", Type::scalar(Scalar::Bytes))]);
    let list = Type::list(inner.unwrap()).unwrap();
    let dict = Type::dict(Type::optional(list.clone()).unwrap()).unwrap();
    assert_eq!(dict, parse("dict{optional{list{struct{name:str,raw:bytes,}}}}"));
    let both = Type::structure([("a", u8()), ("b", dict.clone()), ("c", list), ("d", u8())]).unwrap();
    assert_eq!(
        both.text().unwrap(),
        "struct{a:u8,b:dict{optional{list{struct{name:str,raw:bytes,}}}},c:list{struct{name:str,raw:bytes,}},d:u8,}"
    );
    assert_eq!(both.min_len(), 10);
    let text = both.text().unwrap();
    assert_eq!((both.clone(), both.hash()), (parse(&text), parse(&text).hash()));
    let none: [(&str, Type); 0] = [];
    assert_eq!(Type::structure(none).unwrap(), parse("struct{}"));

    assert_eq!(Type::list(parse("struct{}")), Err(TypeError::EmptyElement { at: None }));
    assert_eq!(Type::dict(parse("struct{a:struct{},}")), Err(TypeError::EmptyElement { at: None }));
    let twice = Type::structure([("a", u8()), ("a", u8())]);
    assert_eq!(twice, Err(TypeError::RepeatedField { name: "a".into(), at: None }));
    for name in ["", "a:", "{", "}", "a,b", "\0"] {
        assert_eq!(Type::structure([(name, u8())]), Err(TypeError::FieldName { name: name.into() }));
    }
}

#[test]
fn parts_that_contain_themselves_are_taken_in_whole() {
    let both = Type::structure([("a", linked(false)), ("b", linked(false))]).unwrap();
    let part = "struct{value:u32,next:optional{…},}";
    assert_eq!(both.to_string(), format!("struct{{a:{part},b:{part},}}"));
    let twice = Type::structure([("a", linked(true)), ("b", linked(false))]).unwrap();
    assert_eq!(both, twice);

    // Beside a larger one, whose first node is another.
    let larger = |types: &mut TypeBuilder| {
        let node = types.declare();
        let (key, list) = (types.scalar(Scalar::Str), types.list(node));
        let body = types.structure([("key", key), ("parts", list), ("other", list)]);
        types.define(node, body);
        node
    };
    let mut types = TypeBuilder::new();
    let root = larger(&mut types);
    let beside = Type::structure([("a", linked(false)), ("b", types.finish(root).unwrap())]).unwrap();
    let mut types = TypeBuilder::new();
    let b = larger(&mut types);
    let node = types.declare();
    let (value, next) = (types.scalar(Scalar::U32), types.optional(node));
    let body = types.structure([("value", value), ("next", next)]);
    types.define(node, body);
    let root = types.structure([("a", node), ("b", b)]);
    assert_eq!(beside, types.finish(root).unwrap());
}

#[test]
fn large_parts_are_taken_in_whole() {
    let wide = |of: &str| {
        let names: Vec<String> = (0..70_000).map(|at| format!("{of}{at}")).collect();
        Type::structure(names.iter().map(|name| (name.as_str(), Type::scalar(Scalar::U8)))).unwrap()
    };
    let both = Type::structure([("x", wide("a")), ("y", wide("b"))]).unwrap();
    assert_eq!(both.min_len(), 140_000);
    let text = both.text().unwrap();
    assert!(text.starts_with("struct{x:struct{a0:u8,a1:u8,"), "{}", &text[..40]);
    assert!(text.ends_with(",b69999:u8,},}"));
    assert_eq!(both, parse(&text));
}

/// A struct of one field with a name so long that the type's text has `len` bytes.
fn as_long_as(len: usize) -> (Type, Type) {
    let name = "n".repeat(len - "struct{:list{u8},}".len());
    let put_together = Type::structure([(name.as_str(), parse("list{u8}"))]).unwrap();
    let mut types = TypeBuilder::new();
    let byte = types.scalar(Scalar::U8);
    let list = types.list(byte);
    let root = types.structure([(name.as_str(), list)]);
    (put_together, types.finish(root).unwrap())
}

#[test]
fn a_built_type_has_a_text_up_to_sixteen_mib() {
    let (put_together, built) = as_long_as(Type::MAX_TEXT);
    for ty in [put_together, built] {
        assert_eq!(ty.text().map(|text| text.len()), Ok(16 << 20));
        assert!(ty.hash().is_ok());
    }
    let (put_together, built) = as_long_as(Type::MAX_TEXT + 1);
    for ty in [put_together, built] {
        assert_eq!(ty.text(), Err(TypeError::TooLong));
        assert_eq!(ty.hash(), Err(TypeError::TooLong));
    }
}

#[test]
fn what_types_are_shows_without_their_insides() {
    let ty = parse("struct{id:u64,tags:list{str},}");
    assert_eq!(format!("{ty:?}"), "Type(struct{id:u64,tags:list{str},})");
    let root = ty.root();
    assert!(format!("{root:?}").starts_with("TypeRef("), "{root:?}");
    assert_eq!(format!("{:?}", root.kind().fields().unwrap()), r#"["id", "tags"]"#);
    let mut types = TypeBuilder::new();
    types.scalar(Scalar::U8);
    types.declare();
    assert_eq!(format!("{types:?}"), "TypeBuilder { parts: 2, .. }");
}

struct Record;

impl<X> Typed<X> for Record {
    const TYPE: &'static StaticType = &StaticType::Struct(&[
        ("id", &StaticType::Scalar(Scalar::I64)),
        ("tags", &StaticType::Dict(&StaticType::Optional(&StaticType::Scalar(Scalar::Str)))),
        ("batch", &StaticType::List(&StaticType::Scalar(Scalar::Tensors))),
    ]);
}

struct Malformed;

impl<X> Typed<X> for Malformed {
    const TYPE: &'static StaticType = &StaticType::Struct(&[("a:u8,b", &StaticType::Scalar(Scalar::U8))]);
}

#[test]
fn a_rust_type_has_the_same_tree() {
    let ty = Type::of::<Record>().unwrap();
    assert_eq!(ty.to_string(), "struct{id:i64,tags:dict{optional{str}},batch:list{tensors},}");
    assert_eq!(ty.to_string(), kiln::type_text::<Record>());
    assert_eq!(ty.hash(), Ok(kiln::schema_hash::<Record>()));
    assert_eq!(ty, parse(&ty.to_string()));
    assert_eq!(Type::of::<Malformed>(), Err(TypeError::FieldName { name: "a:u8,b".into() }));
}

/// A node that contains itself, and the same one level unrolled.
fn linked(unrolled: bool) -> Type {
    let mut types = TypeBuilder::new();
    let node = types.declare();
    let value = types.scalar(Scalar::U32);
    let next = types.optional(node);
    let body = types.structure([("value", value), ("next", next)]);
    types.define(node, body);
    if !unrolled {
        return types.finish(node).unwrap();
    }
    let whole = types.structure([("value", value), ("next", next)]);
    types.finish(whole).unwrap()
}

#[test]
fn a_recursive_type_has_no_text_and_no_hash() {
    for unrolled in [false, true] {
        let ty = linked(unrolled);
        assert!(ty.is_recursive());
        assert_eq!(ty.hash(), Err(TypeError::Recursive));
        assert_eq!(ty.text(), Err(TypeError::Recursive));
        assert_eq!(ty.min_len(), 5);
        assert_eq!(Type::list(ty.clone()).unwrap().hash(), Err(TypeError::Recursive));
        let around = Type::structure([("a", parse("u8")), ("b", ty)]).unwrap();
        assert_eq!(around.hash(), Err(TypeError::Recursive));
        assert_eq!(around.min_len(), 6);
    }
    assert_eq!(linked(false).to_string(), "struct{value:u32,next:optional{…},}");
    assert_eq!(linked(false), linked(true));
    assert_ne!(linked(false), parse("struct{value:u32,next:optional{u8},}"));
    let steps: Vec<_> =
        linked(false).root().kind().fields().unwrap().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(steps, ["value", "next"]);
}

#[test]
fn mutual_recursion_through_a_list_has_a_smallest_encoding() {
    let mut types = TypeBuilder::new();
    let (a, b) = (types.declare(), types.declare());
    let many_b = types.list(b);
    let id = types.scalar(Scalar::U64);
    let body_a = types.structure([("id", id), ("b", many_b)]);
    let body_b = types.structure([("a", a), ("tag", id)]);
    types.define(a, body_a);
    types.define(b, body_b);
    let ty = types.finish(b).unwrap();
    assert_eq!(ty.min_len(), 8 + 4 + 8);
    assert_eq!(ty.to_string(), "struct{a:struct{id:u64,b:list{…},},tag:u64,}");
}

#[test]
fn a_type_without_values_is_refused() {
    let mut types = TypeBuilder::new();
    let (a, b) = (types.declare(), types.declare());
    let body_a = types.structure([("b", b)]);
    let body_b = types.structure([("a", a)]);
    types.define(a, body_a);
    types.define(b, body_b);
    let whole = types.list(a);
    assert_eq!(types.finish(whole), Err(TypeError::Endless));
}

#[test]
fn what_was_never_defined_is_refused() {
    let undefined = Err(TypeError::Undefined);
    let mut types = TypeBuilder::new();
    let open = types.declare();
    assert_eq!(types.finish(open), undefined);

    let mut types = TypeBuilder::new();
    let (a, b) = (types.declare(), types.declare());
    types.define(a, b);
    types.define(b, a);
    assert_eq!(types.finish(a), undefined);

    let mut types = TypeBuilder::new();
    let scalar = types.scalar(Scalar::U8);
    types.define(scalar, scalar);
    assert_eq!(types.finish(scalar), undefined);

    let foreign = {
        let mut other = TypeBuilder::new();
        other.scalar(Scalar::U8);
        other.scalar(Scalar::U8)
    };
    assert_eq!(TypeBuilder::new().finish(foreign), undefined);
    let mut types = TypeBuilder::new();
    let list = types.list(foreign);
    types.define(list, foreign);
    assert_eq!(types.finish(list), undefined);

    // A chain of names that ends somewhere is that end.
    let mut types = TypeBuilder::new();
    let chain: Vec<_> = (0..100_000).map(|_| types.declare()).collect();
    let end = types.scalar(Scalar::Str);
    for pair in chain.windows(2) {
        types.define(pair[0], pair[1]);
    }
    types.define(chain[chain.len() - 1], end);
    assert_eq!(types.finish(chain[0]), Ok(parse("str")));
}

#[test]
fn the_builder_refuses_what_the_text_refuses() {
    let finish = |make: fn(&mut TypeBuilder) -> kiln::schema::Handle| {
        let mut types = TypeBuilder::new();
        let root = make(&mut types);
        types.finish(root).unwrap_err()
    };
    let empty: fn(&mut TypeBuilder) -> _ = |types| {
        let none: [(&str, _); 0] = [];
        let empty = types.structure(none);
        types.list(empty)
    };
    assert_eq!(finish(empty), TypeError::EmptyElement { at: None });
    let name: fn(&mut TypeBuilder) -> _ = |types| {
        let part = types.scalar(Scalar::U8);
        types.structure([("a", part), ("b:", part)])
    };
    assert_eq!(finish(name), TypeError::FieldName { name: "b:".into() });
    let twice: fn(&mut TypeBuilder) -> _ = |types| {
        let part = types.scalar(Scalar::U8);
        types.structure([("a", part), ("b", part), ("a", part)])
    };
    assert_eq!(finish(twice), TypeError::RepeatedField { name: "a".into(), at: None });
}

/// Each level holds the one below twice: a short description of an endless text.
fn doubled(levels: usize) -> Type {
    let mut types = TypeBuilder::new();
    let mut part = types.scalar(Scalar::U64);
    for _ in 0..levels {
        part = types.structure([("a", part), ("b", part)]);
    }
    types.finish(part).unwrap()
}

#[test]
fn a_type_that_doubles_is_never_written_out() {
    assert_eq!(doubled(1), parse("struct{a:u64,b:u64,}"));
    assert_eq!(doubled(10).text().unwrap(), parse(&doubled(10).text().unwrap()).text().unwrap());
    assert_eq!(doubled(10), parse(&doubled(10).text().unwrap()));
    let huge = doubled(200);
    assert_eq!(huge.min_len(), usize::MAX);
    assert_eq!(huge.hash(), Err(TypeError::TooLong));
    assert_eq!(huge.text(), Err(TypeError::TooLong));
    assert_eq!(huge.to_string(), "…");
    assert_eq!(huge, doubled(200));
    assert_ne!(huge, doubled(199));

    // Nor where it is a part; and that another part never ends is said first.
    let around = |part: Type| Type::structure([("a", part), ("b", parse("u8"))]).unwrap();
    assert_eq!(around(doubled(200)), around(doubled(200)));
    assert_ne!(around(doubled(200)), around(doubled(199)));
    assert_eq!(around(doubled(200)).hash(), Err(TypeError::TooLong));
    for parts in [[doubled(200), linked(false)], [linked(false), doubled(200)]] {
        let [a, b] = parts;
        assert_eq!(Type::structure([("a", a), ("b", b)]).unwrap().hash(), Err(TypeError::Recursive));
    }
}

#[test]
fn fields_say_how_many_are_left() {
    let ty = parse("struct{a:u8,b:list{u16},}");
    let mut fields: Fields = ty.root().kind().fields().unwrap();
    assert_eq!(fields.len(), 2);
    let (name, part) = fields.next().unwrap();
    assert_eq!((name, part.min_len(), fields.len()), ("a", 1, 1));
    let (name, part) = fields.next().unwrap();
    assert!(name == "b" && matches!(part.kind(), Kind::List(part) if part.min_len() == 2));
    assert!(fields.next().is_none());
    assert!(parse("u8").root().kind().fields().is_none());
}
