//! How much memory any bytes can make a reader hold: during a reject 64 KiB and a small factor of their length, during
//! an owned decode the budget, whatever the budget is.
#![cfg(feature = "cases")]

use crate::support::{alloc, block};
use alloc::peak;
use block::{block, tensor};
use kiln::cases::{Case, File, Verdict};
use kiln::dynamic;
use kiln::schema::Type;
use kiln::tensor::{self, Directory, ReadError};
use kiln::{Code, Error, Limits, Reason};
use std::path::{Path, PathBuf};

/// What a reject may hold besides a multiple of the bytes.
const FLOOR: u64 = 64 << 10;

/// A value without its type takes a slot for each part, and the smallest part is one byte: a `Value` in a list, or an
/// optional's, which is in a box of its own. A struct takes no bytes itself.
fn dynamic_factor(ty: &Type) -> u64 {
    let structs = ty.to_string().matches("struct{").count() as u64;
    (size_of::<dynamic::Value>() as u64 + 8) * (1 + structs)
}

/// What a type of tensors is read with beside what it comes to own.
fn beside(ty: &Type, bytes: &[u8]) -> u64 {
    if ty.to_string().contains("tensors") { (1 << 10) + (DIRECTORY * bytes.len() as f64) as u64 } else { 0 }
}

/// Words by which names are told apart: at most half of the descriptors that they belong to, and 1 KiB.
const DIRECTORY: f64 = 0.5;

/// A stream is read into memory of its own, which grows by halves of what has come, and is checked there.
const STREAM: u64 = 4;

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("spec"))
        .expect("spec/")
        .map(|entry| entry.expect("an entry of spec/").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files.push(root.join("tests/data/vectors.json"));
    let cases: Vec<Case> =
        files.iter().flat_map(|file| File::load(file).expect("a case file").cases().to_vec()).collect();
    assert!(cases.len() > 2_000, "only {} cases", cases.len());
    cases
}

/// Bytes by `ty`, in every way that builds or only checks.
fn reads(ty: &Type, bytes: &[u8], limits: &Limits) {
    let (checked, held) = peak(|| dynamic::check_with(ty, bytes, limits));
    assert!(
        held as f64 <= FLOOR as f64 + DIRECTORY * bytes.len() as f64,
        "checking held {held} bytes of {ty}"
    );
    let (read, held) = peak(|| dynamic::decode_with(ty, bytes, limits).map(drop));
    assert!(held <= limits.owned.saturating_add(beside(ty, bytes)), "reading held {held} bytes of {ty}");
    if read.is_err() {
        let bound = FLOOR + dynamic_factor(ty) * bytes.len() as u64;
        assert!(held <= bound, "a reject held {held} bytes of {ty}");
    }
    assert!(checked.is_ok() || read.is_err());
}

fn directory(bytes: &[u8], limits: &Limits) -> Result<(), Error> {
    let (read, held) = peak(|| Directory::read_with(bytes, limits).map(drop));
    assert!(held as f64 <= FLOOR as f64 + DIRECTORY * bytes.len() as f64, "held {held} bytes");
    let (streamed, held) = peak(|| match tensor::read_from_with(&mut &*bytes, limits) {
        Ok(_) => Ok(()),
        Err(ReadError::Rejected(error)) => Err(error),
        Err(error) => panic!("{error}"),
    });
    assert!(held <= FLOOR + STREAM * bytes.len() as u64, "a stream held {held} bytes");
    assert_eq!(streamed.map_err(|error| error.code()), read.map_err(|error| error.code()));
    read
}

#[test]
fn every_case_is_read_within_its_bounds() {
    let mut rejects = 0;
    for case in cases() {
        rejects += usize::from(matches!(case.verdict(), Verdict::Reject { .. }));
        // A framed value is sixteen bytes and a value.
        let bytes = if case.framed() { case.bytes().get(16..).unwrap_or_default() } else { case.bytes() };
        reads(case.ty(), bytes, &case.limits());
        reads(case.ty(), bytes, &Limits::NONE.with_owned(1 << 30));
        if case.ty().to_string() == "tensors" {
            _ = directory(bytes, &case.limits().with_owned(u64::MAX));
        }
    }
    assert!(rejects > 1_000, "only {rejects} rejects");
}

/// Everything that is accepted is read with the least budget that is enough, and refused with less before that much
/// was asked for.
#[test]
fn the_budget_is_found_exceeded_before_it_is_allocated() {
    let mut refused = 0;
    for case in cases().into_iter().filter(|case| case.verdict() == Verdict::Accept && !case.framed()) {
        let within = |owned| {
            let limits = case.limits().with_owned(owned);
            let (read, held) = peak(|| dynamic::decode_with(case.ty(), case.bytes(), &limits).map(drop));
            let owned = owned + beside(case.ty(), case.bytes());
            assert!(held <= owned, "{}: {held} bytes held within a budget of {owned}", case.name());
            read
        };
        let (mut less, mut enough) = (0, 1u64 << 30);
        if within(less).is_ok() {
            continue;
        }
        while enough - less > 1 {
            let middle = less.midpoint(enough);
            match within(middle) {
                Ok(()) => enough = middle,
                Err(error) => {
                    assert_eq!(
                        (error.code(), error.reason()),
                        (Code::Limit, Reason::Budget),
                        "{}",
                        case.name()
                    );
                    less = middle;
                }
            }
        }
        refused += 1;
    }
    assert!(refused > 100, "only {refused} cases own something");
}

/// The most memory for the fewest bytes, of each kind of part.
#[test]
fn the_worst_values_are_held_by_the_factor() {
    const MANY: u32 = 100_000;
    let counted = |count: u32, parts: &[u8]| [&count.to_le_bytes()[..], parts].concat();
    let of = |text: &str, bytes: &[u8]| {
        let ty = Type::parse(text).expect("a type");
        reads(&ty, bytes, &Limits::DEFAULT);
        // Whatever the last byte is: everything before it has been built when it is refused.
        reads(&ty, &bytes[..bytes.len() - 1], &Limits::DEFAULT);
        reads(&ty, &[bytes, &[0]].concat(), &Limits::DEFAULT);
    };
    of("list{bool}", &counted(MANY, &vec![1; MANY as usize]));
    of("list{optional{u64}}", &counted(MANY, &vec![0; MANY as usize]));
    of("list{optional{bool}}", &counted(MANY, &[1, 0].repeat(MANY as usize)));
    of("list{optional{optional{optional{bool}}}}", &counted(MANY, &[1, 1, 1, 0].repeat(MANY as usize)));
    of("list{struct{a:u8,}}", &counted(MANY, &vec![7; MANY as usize]));
    of("list{struct{a:struct{b:struct{c:bool,},},}}", &counted(MANY, &vec![1; MANY as usize]));
    of("list{str}", &counted(MANY, &vec![0; 4 * MANY as usize]));
    of("list{list{list{u8}}}", &counted(MANY, &[1, 0, 0, 0, 0, 0, 0, 0].repeat(MANY as usize)));
    let keys: Vec<u8> = (0..MANY)
        .flat_map(|key| [&4u32.to_le_bytes()[..], &key.to_be_bytes().map(|b| b & 0x7f), &[0]].concat())
        .collect();
    let mut last = None;
    let ascending =
        keys.chunks(9).filter(|entry| last.replace(entry.to_vec()).is_none_or(|last| last < entry.to_vec()));
    let entries: Vec<&[u8]> = ascending.collect();
    of("dict{optional{u8}}", &counted(entries.len() as u32, &entries.concat()));
}

#[test]
fn the_worst_directories_are_held_by_the_factor() {
    const MANY: usize = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
    let named = |name: &dyn Fn(usize) -> String| {
        let tensors: Vec<_> = (0..MANY).map(|index| tensor(&name(index), 12, &[0], &[])).collect();
        block(&tensors)
    };
    for bytes in [
        named(&|index| format!("{:x}", MANY - index)),
        named(&|index| format!("{:x}", index * 7_919 % MANY)),
        named(&|index| if index == MANY - 1 { format!("{:x}", MANY) } else { format!("{:x}", MANY - index) }),
        named(&|_| String::new()),
    ] {
        let read = directory(&bytes, &Limits::DEFAULT);
        if let Err(error) = read {
            assert_eq!((error.code(), error.step()), (Code::Type, Some(8)));
        }
        assert!(directory(&bytes[..bytes.len() - 1], &Limits::DEFAULT).is_err());
    }
}

#[test]
fn a_case_file_holds_its_byte_strings_once_and_a_case_its_budget() {
    const MIB: u64 = 1 << 20;
    // Of 128 MiB, whose value would take more than 1 GiB; of 4, whose value has its place in the budget.
    let case = |name: &str, count: u32, pieces: &str| {
        let count: String = count.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        format!(
            r#"{{"name": "{name}", "type": "list{{u8}}", "hex": ["{count}", {pieces}], "accept": true,
                 "caps": {{"count": 200000000}}}}"#
        )
    };
    let large = case("large", 128 << 20, &[r#""00*16777216""#; 8].join(", "));
    let small = case("small", 4 << 20, r#""0001*2097152""#);
    let text = format!(r#"{{"format": "kiln-cases/1", "cases": [{large}, {small}]}}"#);
    let (file, held) = peak(|| File::parse(&text, Path::new("")).expect("two cases"));
    assert!(held <= 133 * MIB, "reading holds {held} bytes");
    let (large, held) = peak(|| file.cases()[0].run());
    assert!(large.unwrap_err().to_string().contains("too large to run"));
    assert!(held <= MIB, "the large case holds {held} bytes");
    let (small, held) = peak(|| file.cases()[1].run());
    assert_eq!(small, Ok(()));
    let value = size_of::<dynamic::Value>() as u64 * 4 * MIB;
    assert!(value < File::OWNED && held <= value + 5 * MIB, "the small case holds {held} bytes");
    // Nor do many pieces or many cases of a text take more than a few times its length.
    let pieces = format!(r#"["{}"]"#, [""; 300_000].join(r#"",""#));
    let many: Vec<String> =
        (0..20_000).map(|at| format!(r#"{{"name":"{at}","type":"u8","hex":"","accept":true}}"#)).collect();
    let one = format!(r#"{{"name": "n", "type": "u8", "hex": {pieces}, "accept": true}}"#);
    for cases in [one, many.join(",")] {
        let text = format!(r#"{{"format": "kiln-cases/1", "cases": [{cases}]}}"#);
        let (file, held) = peak(|| File::parse(&text, Path::new("")).map(drop));
        file.expect("cases");
        assert!(held <= 40 * text.len() as u64, "{} bytes of text hold {held}", text.len());
    }
}
