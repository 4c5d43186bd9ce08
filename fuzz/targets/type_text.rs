//! Any bytes as a type text: a literal reading of the grammar accepts the same ones, and what is accepted is printed
//! as it was.

use kiln::schema::{Kind, Type, TypeError, TypeRef};

/// Checks the input; panics where two answers differ.
pub(crate) fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let parsed = Type::parse(text);
    let mut tokens = Vec::new();
    let smallest = grammar(text, &mut tokens);
    match (&parsed, smallest) {
        (Ok(ty), Some(smallest)) => {
            assert_eq!(ty.text().as_deref(), Ok(text));
            assert_eq!(ty.to_string(), text);
            assert_eq!(ty.min_len() as u64, smallest);
            assert_eq!(Type::parse(&ty.to_string()).as_ref(), Ok(ty));
            let mixed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            let hash = tokens
                .iter()
                .fold(0xcbf2_9ce4_8422_2325, |hash, token| mixed(token.bytes().fold(hash, mixed), 0));
            assert_eq!(ty.hash(), Ok(hash));
            assert!(!ty.is_recursive());
            assert_eq!(walked(ty.root()), text);
        }
        (Err(error), None) => {
            let line = error.to_string();
            assert!(!line.contains(char::is_control), "{line:?}");
            let (TypeError::Syntax { at, .. }
            | TypeError::RepeatedField { at: Some(at), .. }
            | TypeError::EmptyElement { at: Some(at) }) = error
            else {
                panic!("{error:?} of a text")
            };
            assert!(*at <= text.len());
        }
        (parsed, smallest) => panic!("{parsed:?} against {smallest:?} of {text:?}"),
    }
}

/// The text of a type put together from what it says of its parts.
fn walked(ty: TypeRef<'_>) -> String {
    match ty.kind() {
        Kind::Scalar(scalar) => scalar.name().to_owned(),
        Kind::List(part) => format!("list{{{}}}", walked(part)),
        Kind::Optional(part) => format!("optional{{{}}}", walked(part)),
        Kind::Dict(part) => format!("dict{{{}}}", walked(part)),
        Kind::Struct(fields) => {
            let fields: String = fields.map(|(name, field)| format!("{name}:{},", walked(field))).collect();
            format!("struct{{{fields}}}")
        }
    }
}

/// The fewest bytes of a value, if the whole text is a type. It nests as deep as the text, so the fuzzer is given
/// short ones.
fn grammar<'a>(text: &'a str, tokens: &mut Vec<&'a str>) -> Option<u64> {
    let (smallest, rest) = one(text, tokens)?;
    rest.is_empty().then_some(smallest)
}

/// Takes `token` off the front of the text.
fn take<'a>(text: &'a str, token: &str, tokens: &mut Vec<&'a str>) -> Option<&'a str> {
    let rest = text.strip_prefix(token)?;
    tokens.push(&text[..token.len()]);
    Some(rest)
}

fn one<'a>(text: &'a str, tokens: &mut Vec<&'a str>) -> Option<(u64, &'a str)> {
    const SCALARS: [(&str, u64); 16] = [
        ("bool", 1),
        ("u8", 1),
        ("u16", 2),
        ("u32", 4),
        ("u64", 8),
        ("i8", 1),
        ("i16", 2),
        ("i32", 4),
        ("i64", 8),
        ("f16", 2),
        ("bf16", 2),
        ("f32", 4),
        ("f64", 8),
        ("str", 4),
        ("bytes", 4),
        ("tensors", 64),
    ];
    for (opening, empty_may_be, smallest) in
        [("list{", false, 4), ("dict{", false, 4), ("optional{", true, 1)]
    {
        if let Some(rest) = take(text, opening, tokens) {
            let (inner, rest) = one(rest, tokens)?;
            let rest = take(rest, "}", tokens)?;
            return (inner > 0 || empty_may_be).then_some((smallest, rest));
        }
    }
    if let Some(mut rest) = take(text, "struct{", tokens) {
        let (mut smallest, mut names) = (0u64, Vec::new());
        while !rest.starts_with('}') {
            let name = &rest[..rest.find(['{', '}', ':', ',', '\0'])?];
            if name.is_empty() || names.contains(&name) {
                return None;
            }
            names.push(name);
            let typed = take(take(rest, name, tokens)?, ":", tokens)?;
            let (field, after) = one(typed, tokens)?;
            smallest = smallest.saturating_add(field);
            rest = take(after, ",", tokens)?;
        }
        return Some((smallest, take(rest, "}", tokens)?));
    }
    // No token begins another.
    SCALARS.iter().find_map(|(token, smallest)| Some((*smallest, take(text, token, tokens)?)))
}
