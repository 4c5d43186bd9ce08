//! The inputs that would make a careless reader slow: `growth` names them, `growth NAME N` reads one of size N. The
//! script `growth` beside this package counts the instructions of each at N, 2N, 4N …

#[path = "../../../tests/support/block.rs"]
mod block;

use block::{Tensor, block, put, tensor};
use kiln::dynamic;
use kiln::scan::scan_with;
use kiln::schema::{RustOptions, Schema, Type};
use kiln::tensor::{Builder, Directory, HeaderFirst, PayloadError};
use kiln::{Batch, Limits, from_slice_with};
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

const LIMITS: Limits = Limits::NONE;

/// The input of that size, and how it is read: true when it is accepted.
struct Suspect {
    name: &'static str,
    make: fn(usize) -> Vec<u8>,
    read: fn(&[u8]) -> bool,
    accepted: bool,
}

const SUSPECTS: &[Suspect] = &[
    Suspect {
        name: "unnamed tensors",
        make: |n| named(n, |_| String::new()),
        read: directory,
        accepted: true,
    },
    Suspect {
        name: "empty payloads, shuffled names",
        make: |n| named(n, shuffled(n)),
        read: directory,
        accepted: true,
    },
    Suspect {
        name: "names that begin alike",
        make: |n| named(n, |index| format!("{}{}", "layer.".repeat(20), shuffled(n)(index))),
        read: directory,
        accepted: true,
    },
    Suspect {
        name: "names that collide under known keys",
        make: |n| named(n, alike),
        read: keyed,
        accepted: true,
    },
    Suspect {
        name: "names that collide under known keys, the last repeats the first",
        make: |n| named(n, |index| alike(index % (n - 1))),
        read: keyed,
        accepted: false,
    },
    Suspect {
        name: "the last name repeats the first",
        make: |n| named(n, |index| shuffled(n)(index % (n - 1))),
        read: directory,
        accepted: false,
    },
    Suspect { name: "the last descriptor is wrong", make: last_descriptor, read: directory, accepted: false },
    Suspect { name: "the last payload is no bool", make: last_bool, read: directory, accepted: false },
    Suspect { name: "payloads that overlap", make: overlapping, read: directory, accepted: false },
    Suspect { name: "links to one scale of eight dimensions", make: linked, read: directory, accepted: true },
    Suspect {
        name: "header first, then by name",
        make: |n| named(n, shuffled(n)),
        read: outline,
        accepted: true,
    },
    Suspect {
        name: "building with shuffled names",
        make: |n| named(n, shuffled(n)),
        read: build,
        accepted: true,
    },
    Suspect { name: "blocks that claim each other", make: claims, read: found, accepted: false },
    Suspect { name: "a dict with long prefixes, as a tree", make: prefixes, read: tree, accepted: true },
    Suspect { name: "a dict with long prefixes, as a table", make: prefixes, read: table, accepted: true },
    Suspect {
        name: "a dict with long prefixes, as a value",
        make: prefixes,
        read: value_of_prefixes,
        accepted: true,
    },
    Suspect { name: "the last key repeats the one before", make: repeated_key, read: table, accepted: false },
    Suspect { name: "lists nested to the limit", make: nested, read: nest, accepted: true },
    Suspect { name: "the last of many records is cut", make: cut_records, read: records, accepted: false },
    Suspect {
        name: "every record of an index is refused",
        make: absent,
        read: refused_records,
        accepted: false,
    },
    Suspect {
        name: "every payload read by itself is refused",
        make: last_bools,
        read: refused_payloads,
        accepted: false,
    },
    Suspect {
        name: "the last of many wide records is wrong",
        make: wide_records,
        read: wide,
        accepted: false,
    },
    Suspect { name: "a type text of many fields", make: many_fields, read: type_text, accepted: true },
    Suspect { name: "a type text that nests", make: nested_text, read: type_text, accepted: true },
    Suspect {
        name: "a type text whose last field is repeated",
        make: repeated_field,
        read: type_text,
        accepted: false,
    },
    Suspect {
        name: "Rust of structs that hold the next one",
        make: schema_chain,
        read: rust,
        accepted: true,
    },
    Suspect { name: "Rust of structs in a ring", make: schema_ring, read: rust, accepted: true },
    Suspect { name: "Rust of structs inside one another", make: schema_nest, read: rust, accepted: true },
    Suspect { name: "Rust of a chain of references", make: schema_references, read: rust, accepted: true },
    Suspect {
        name: "Rust of properties that come out alike",
        make: schema_alike,
        read: rust,
        accepted: true,
    },
    Suspect {
        name: "a schema with a name twice in each object",
        make: schema_repeated,
        read: rust,
        accepted: false,
    },
    Suspect {
        name: "a schema with faults on a thousand levels",
        make: schema_faults,
        read: rust,
        accepted: false,
    },
];

fn named(n: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    block(&(0..n).map(|index| tensor(&name(index), 12, &[0], &[])).collect::<Vec<_>>())
}

/// All names once, in no order. The factor has no divisor in common with what `n` is.
fn shuffled(n: usize) -> impl Fn(usize) -> String {
    move |index| format!("w{:07}", index * 7_919 % n)
}

/// Keys that the maker of the names has found out.
const SEED: u64 = u64::from_ne_bytes(*b"ABCDEFGH");

/// The product of a window that begins with the bytes of the seed, turned by the length, is 0, so that all these names
/// have one hash.
fn alike(index: usize) -> String {
    let begin = SEED.rotate_right(32).to_ne_bytes().map(char::from);
    format!("{}{:08}{}", String::from_iter(begin), index * 7_919 % 100_003, "x".repeat(16))
}

fn last_descriptor(n: usize) -> Vec<u8> {
    let mut bytes = named(n, shuffled(n));
    put(&mut bytes, block::d(n - 1) + 56, &[1]);
    bytes
}

fn last_bool(n: usize) -> Vec<u8> {
    let mut tensors: Vec<Tensor> =
        (0..n).map(|index| tensor(&shuffled(n)(index), 13, &[3], &[1, 0, 1])).collect();
    tensors[n - 1].payload[2] = 2;
    block(&tensors)
}

/// All at one offset, as long as all.
fn overlapping(n: usize) -> Vec<u8> {
    let mut bytes =
        block(&(0..n).map(|index| tensor(&shuffled(n)(index), 12, &[64], &[7; 64])).collect::<Vec<_>>());
    let first = block::word(&bytes, block::d(0) + 40);
    for index in 1..n {
        put(&mut bytes, block::d(index) + 40, &first.to_le_bytes());
    }
    bytes
}

fn linked(n: usize) -> Vec<u8> {
    let dims = [1, 1, 1, 1, 1, 1, 1, 3];
    let mut tensors: Vec<Tensor> = (1..n)
        .map(|index| tensor(&shuffled(n)(index), 12, &dims, &[7; 3]).linked(1, 7, 1, n as u32 - 1, 0))
        .collect();
    tensors.push(tensor("scale", 12, &dims, &[1; 3]));
    block(&tensors)
}

/// Headers that each claim all that is behind them and are refused late.
fn claims(n: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let left = named(n, |_| String::new());
    for at in 0..n / 4 {
        let mut header = left[..64].to_vec();
        // So many descriptors, as if these headers were some of them.
        let count = (n / 4 - at - 1) / 2;
        put(&mut header, 8, &(count as u64).to_le_bytes());
        put(&mut header, 24, &(count as u64 * 128).to_le_bytes());
        put(&mut header, 32, &(64 + count as u64 * 128).to_le_bytes());
        bytes.extend(header);
    }
    bytes
}

fn run(text: &[u8]) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes(), text].concat()
}

fn prefixes(n: usize) -> Vec<u8> {
    let mut bytes = (n as u32).to_le_bytes().to_vec();
    for index in 0..n {
        bytes.extend(run(format!("{}{index:07}", "prefix/".repeat(16)).as_bytes()));
        bytes.push(index as u8);
    }
    bytes
}

fn repeated_key(n: usize) -> Vec<u8> {
    let mut bytes = prefixes(n);
    let entry = (bytes.len() - 4) / n;
    let before = bytes[bytes.len() - 2 * entry..bytes.len() - entry].to_vec();
    let at = bytes.len() - entry;
    put(&mut bytes, at, &before);
    bytes
}

/// As many lists as `n`, in chains of 63, in a list.
fn nested(n: usize) -> Vec<u8> {
    let chain: Vec<u8> = [1, 0, 0, 0].repeat(62).into_iter().chain([0; 4]).collect();
    let chains = n.div_ceil(63);
    [&(chains as u32).to_le_bytes()[..], &chain.repeat(chains)].concat()
}

fn cut_records(n: usize) -> Vec<u8> {
    let mut bytes = (n as u32).to_le_bytes().to_vec();
    for index in 0..n {
        bytes.extend((index as u32).to_le_bytes());
        bytes.extend(run(b"a name"));
        bytes.extend([1, 1, 0, 0, 0, 7, 0]);
    }
    bytes.pop();
    bytes
}

/// Records of sixty-four optionals that are absent.
fn absent(n: usize) -> Vec<u8> {
    let record = [&64u32.to_le_bytes()[..], &[0; 64]].concat();
    [&(n as u32).to_le_bytes()[..], &record.repeat(n)].concat()
}

fn last_bools(n: usize) -> Vec<u8> {
    block(&(0..n).map(|index| tensor(&shuffled(n)(index), 13, &[3], &[1, 0, 1])).collect::<Vec<_>>())
}

fn wide_records(n: usize) -> Vec<u8> {
    let record = [&[0; 128][..], &run(b"a name"), &[1]].concat();
    let mut bytes = [&(n as u32).to_le_bytes()[..], &record.repeat(n)].concat();
    if let Some(last) = bytes.last_mut() {
        *last = 2;
    }
    bytes
}

fn many_fields(n: usize) -> Vec<u8> {
    let fields: String = (0..n).map(|index| format!("f{}:list{{u8}},", shuffled(n)(index))).collect();
    format!("struct{{{fields}}}").into_bytes()
}

fn repeated_field(n: usize) -> Vec<u8> {
    let fields: String = (0..n).map(|index| format!("f{}:u8,", shuffled(n)(index % (n - 1)))).collect();
    format!("struct{{{fields}}}").into_bytes()
}

fn nested_text(n: usize) -> Vec<u8> {
    format!("{}u8{}", "list{".repeat(n), "}".repeat(n)).into_bytes()
}

/// Definitions, the first of which is the whole; what each is comes from its number.
fn schema_of(n: usize, definition: impl Fn(usize) -> String) -> Vec<u8> {
    let definitions: Vec<String> = (0..n).map(|at| format!("\"d{at}\":{}", definition(at))).collect();
    format!("{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{}}}}}", definitions.join(",")).into_bytes()
}

fn holding(next: usize) -> String {
    format!(r##"{{"type":"object","properties":{{"n":{{"$ref":"#/$defs/d{next}"}}}}}}"##)
}

const LAST: &str = r#"{"type":"object","properties":{"v":{"type":"integer"}}}"#;

fn schema_chain(n: usize) -> Vec<u8> {
    schema_of(n, |at| if at + 1 == n { LAST.into() } else { holding(at + 1) })
}

fn schema_ring(n: usize) -> Vec<u8> {
    schema_of(n, |at| holding((at + 1) % n))
}

fn schema_nest(n: usize) -> Vec<u8> {
    let open = r#"{"type":"object","properties":{"n":"#;
    format!("{}{LAST}{}", open.repeat(n), "}}".repeat(n)).into_bytes()
}

/// Each reference is used by a property, too.
fn schema_references(n: usize) -> Vec<u8> {
    let properties: Vec<String> =
        (1..n).map(|at| format!("\"p{at}\":{{\"$ref\":\"#/$defs/d{at}\"}}")).collect();
    schema_of(n, |at| match at {
        0 => format!("{{\"type\":\"object\",\"properties\":{{{}}}}}", properties.join(",")),
        at if at + 1 == n => LAST.into(),
        at => format!("{{\"$ref\":\"#/$defs/d{}\"}}", at + 1),
    })
}

fn schema_alike(n: usize) -> Vec<u8> {
    let properties: Vec<String> = (0..n)
        .map(|at| format!("\"a{}\":{LAST}", char::from_u32(0x4e00 + at as u32).expect("a character")))
        .collect();
    format!("{{\"type\":\"object\",\"properties\":{{{}}}}}", properties.join(",")).into_bytes()
}

fn schema_repeated(n: usize) -> Vec<u8> {
    let objects = vec![r#"{"a":0,"b":1,"\u0061":2}"#; n].join(",");
    format!("{{\"type\":\"string\",\"examples\":[{objects}]}}").into_bytes()
}

fn schema_faults(n: usize) -> Vec<u8> {
    let open = |at: usize| {
        let fault = if at + 1000 < n { "" } else { "\"minItems\":1," };
        format!("{{\"type\":\"array\",{fault}\"items\":")
    };
    let open: String = (0..n).map(open).collect();
    format!("{open}{LAST}{}", "}".repeat(n)).into_bytes()
}

fn directory(bytes: &[u8]) -> bool {
    Directory::read_with(bytes, &LIMITS).is_ok()
}

fn keyed(bytes: &[u8]) -> bool {
    kiln::tensor::accepted_with_keys(bytes, &LIMITS, SEED).is_some()
}

fn outline(bytes: &[u8]) -> bool {
    let first = HeaderFirst::read_with(&bytes[..64], Some(bytes.len() as u64), &LIMITS).expect("a header");
    let outline = first.outline(&bytes[..first.directory_len() as usize]).expect("an outline");
    outline.iter().all(|tensor| {
        tensor
            .name()
            .is_some_and(|name| outline.get_by_name(name).is_some_and(|same| same.index() == tensor.index()))
    })
}

fn build(bytes: &[u8]) -> bool {
    let directory = Directory::read_with(bytes, &LIMITS).expect("a directory");
    Builder::of(&directory).is_ok_and(|builder| builder.encoded_len() == bytes.len() as u64)
}

fn found(bytes: &[u8]) -> bool {
    use kiln::scan::Verdict;
    scan_with(bytes, &LIMITS).any(|hit| matches!(hit.verdict, Verdict::Directory(found) if !found.is_empty()))
}

fn tree(bytes: &[u8]) -> bool {
    from_slice_with::<BTreeMap<String, u8>>(bytes, &LIMITS).is_ok()
}

fn table(bytes: &[u8]) -> bool {
    from_slice_with::<HashMap<String, u8>>(bytes, &LIMITS).is_ok()
}

fn by_type(text: &str, bytes: &[u8]) -> bool {
    let ty = Type::parse(text).expect("a type");
    match dynamic::decode_with(&ty, bytes, &LIMITS) {
        Ok(value) => dynamic::encode(&ty, &value).is_ok_and(|again| again == bytes),
        Err(error) => ty.describe(&error, bytes).to_string().is_empty(),
    }
}

fn value_of_prefixes(bytes: &[u8]) -> bool {
    by_type("dict{u8}", bytes)
}

fn nest(bytes: &[u8]) -> bool {
    by_type(&format!("{}u8{}", "list{".repeat(64), "}".repeat(64)), bytes)
}

fn records(bytes: &[u8]) -> bool {
    by_type("list{struct{id:u32,name:str,more:optional{list{u16}},}}", bytes)
        || from_slice_with::<Vec<(u32, String, Option<Vec<u16>>)>>(bytes, &LIMITS)
            .map_err(|error| error.describe(bytes).to_string())
            .is_ok()
}

/// Each beyond its budget, and described.
fn refused_records(bytes: &[u8]) -> bool {
    // The index takes a word for each record, and a record a hundred times what it takes on the wire.
    let records = u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let limits = LIMITS.with_owned(8 * records);
    let index = Batch::<Vec<Option<[u64; 4096]>>>::index_with(bytes, &limits).expect("a list");
    index.iter().any(|record| record.map_err(|error| error.describe(bytes).to_string()).is_ok())
}

/// Each as if it were another, and described.
fn refused_payloads(bytes: &[u8]) -> bool {
    let first = HeaderFirst::read_with(&bytes[..64], Some(bytes.len() as u64), &LIMITS).expect("a header");
    let outline = first.outline(&bytes[..first.directory_len() as usize]).expect("an outline");
    let refused = |error| match error {
        PayloadError::Rejected(error) => error.describe(bytes).to_string(),
        other => other.to_string(),
    };
    outline.iter().any(|tensor| tensor.view(&[1, 0, 2]).map_err(refused).is_ok())
}

fn wide(bytes: &[u8]) -> bool {
    type Eight = (u64, u64, u64, u64, u64, u64, u64, u64);
    type Record<'a> = (Eight, Eight, &'a str, bool);
    from_slice_with::<Vec<Record<'_>>>(bytes, &LIMITS).is_ok()
}

fn type_text(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).expect("a text");
    Type::parse(text).is_ok_and(|ty| ty.hash().is_ok() && ty.to_string() == text)
}

fn rust(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).expect("a text");
    match Schema::from_json(text) {
        Ok(schema) => schema.to_rust(&RustOptions::new()).is_ok(),
        Err(error) => error.to_string().is_empty(),
    }
}

/// What is counted: callgrind is told this name.
#[inline(never)]
fn growth_measured(suspect: &Suspect, bytes: &[u8]) -> bool {
    black_box((suspect.read)(black_box(bytes)))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n] = &arguments[..] else {
        SUSPECTS.iter().for_each(|suspect| println!("{}", suspect.name));
        return;
    };
    let suspect = SUSPECTS.iter().find(|suspect| suspect.name == name).expect("a name that is listed");
    let bytes = (suspect.make)(n.parse().expect("a number"));
    // What making the input left behind is put in order by the allocator now, and not while it is counted.
    drop(black_box(vec![0u8; 64 << 10]));
    assert_eq!(growth_measured(suspect, &bytes), suspect.accepted, "{name}");
}
