//! Values: the reader that has a type only at run time, the readers that the derive writes, and the chapter read
//! literally, on the same bytes.
//!
//! An input is read from its front: a type, how its bytes come to be, limits, the bytes.

#[path = "../../tests/support/oracle.rs"]
mod oracle;
#[path = "../../tests/support/random.rs"]
mod random;

use arbitrary::{Result, Unstructured};
use kiln::dynamic::{self, Value};
use kiln::schema::{Type, Typed};
use kiln::tensor::{Directory, OwnedDirectory};
use kiln::{
    Batch, BatchSeek, BatchStream, BatchWriter, ByteBuf, Bytes, Code, Decode, Encode, Frozen, Limits,
    ListView, Trusted,
};
use oracle::{Caps, damaged};
use random::Random;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::Cursor;

/// Checks the input; panics where two answers differ.
pub(crate) fn run(input: &[u8]) {
    let mut from = Unstructured::new(input);
    // It runs out of bytes by giving zeros.
    if let Ok(kind) = from.int_in_range(0..=2 * DERIVED.len()) {
        let done = match DERIVED.get(kind) {
            Some((text, compare)) => compare(text, &mut from),
            None => any_type(&mut from),
        };
        done.expect("an input that runs out gives zeros");
    }
}

/// How bytes are read.
struct Manner {
    limits: Limits,
    caps: Caps,
}

fn manner(from: &mut Unstructured<'_>) -> Result<Manner> {
    let mut caps = Caps { count: 16_777_216, bytes: 16 << 20 };
    if from.ratio(1, 4)? {
        caps.count = from.int_in_range(0..=8)?;
    }
    if from.ratio(1, 4)? {
        caps.bytes = from.int_in_range(0..=8)?;
    }
    let limits = Limits::DEFAULT.with_count(caps.count).with_bytes(caps.bytes).with_owned(u64::MAX);
    Ok(Manner { limits, caps })
}

/// What is left of the input, or a value of the type, as it is or damaged.
fn bytes(text: &str, from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let as_they_are = text.contains("tensors") || from.arbitrary()?;
    if as_they_are {
        // Choosing a length takes bytes too.
        let len = from.int_in_range(0..=from.len())?.min(from.len());
        return Ok(from.bytes(len)?.to_vec());
    }
    let (seed, damage): (u64, bool) = from.arbitrary()?;
    let (mut random, mut bytes) = (Random::new(seed), Vec::new());
    oracle::Type::parse(text).random(&mut random, &mut bytes);
    Ok(if damage { damaged(&bytes, &mut random) } else { bytes })
}

/// A type that nobody wrote down.
fn any_type(from: &mut Unstructured<'_>) -> Result<()> {
    let mut text = String::new();
    put_type(&mut text, 0, from)?;
    // Elements of no bytes are refused; the target `type_text` says when.
    let Ok(ty) = Type::parse(&text) else { return Ok(()) };
    let manner = manner(from)?;
    let bytes = bytes(&text, from)?;
    let verdict = oracle::Type::parse(&text).verdict(&bytes, manner.caps);
    let read = dynamic(&ty, &bytes, &manner.limits);
    assert_eq!(read.map(drop).map_err(|error| (error.code(), error.offset() as usize)), verdict, "{text}");
    Ok(())
}

/// Appends a type text of no tensors.
fn put_type(text: &mut String, depth: u32, from: &mut Unstructured<'_>) -> Result<()> {
    const SCALARS: [&str; 15] = [
        "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "str",
        "bytes",
    ];
    let kind = if depth < 4 { from.int_in_range(0..=9u8)? } else { 9 };
    match kind {
        0..=2 => {
            text.push_str(["list{", "optional{", "dict{"][usize::from(kind)]);
            put_type(text, depth + 1, from)?;
            text.push('}');
        }
        3 | 4 => {
            text.push_str("struct{");
            for field in 0..from.int_in_range(0..=4)? {
                text.push(char::from(b'a' + field));
                text.push(':');
                put_type(text, depth + 1, from)?;
                text.push(',');
            }
            text.push('}');
        }
        _ => text.push_str(from.choose(&SCALARS)?),
    }
    Ok(())
}

/// Reads by a type in every way there is; the ways have one answer.
fn dynamic(ty: &Type, bytes: &[u8], limits: &Limits) -> std::result::Result<Value, kiln::Error> {
    let read = dynamic::decode_with(ty, bytes, limits);
    assert_eq!(dynamic::check_with(ty, bytes, limits).err(), read.as_ref().err().copied(), "{ty}");
    match &read {
        Ok(value) => {
            assert_eq!(dynamic::encode(ty, value).as_deref(), Ok(bytes), "{ty}");
            assert_eq!(dynamic::encoded_len(ty, value), Ok(bytes.len()), "{ty}");
        }
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64);
            assert!(!ty.describe(error, bytes).to_string().contains(char::is_control));
        }
    }
    // At the front of more bytes it is the same value, or the same fault unless more bytes were missing.
    let prefix = dynamic::from_prefix_with(ty, bytes, limits);
    match (&read, &prefix) {
        (Ok(value), Ok((prefix, rest))) => assert!(rest.is_empty() && value == prefix, "{ty}"),
        (Err(error), Ok((_, rest))) => {
            assert_eq!(
                (error.code(), error.offset()),
                (Code::Trailing, (bytes.len() - rest.len()) as u64),
                "{ty}"
            );
        }
        (read, prefix) => assert_eq!(read.as_ref().err(), prefix.as_ref().err(), "{ty}"),
    }
    read
}

/// A derived type against the same type read at run time.
fn derived<'de, T>(text: &str, bytes: &'de [u8], limits: &Limits) -> bool
where
    T: Decode<'de> + Encode + Typed + Trusted,
{
    let ty = Type::of::<T>().expect("the type has a text");
    assert_eq!(ty.to_string(), text);
    let read = kiln::from_slice_with::<T>(bytes, limits);
    let value = dynamic(&ty, bytes, limits);
    assert_eq!(read.as_ref().err(), value.as_ref().err(), "{text}");
    assert_eq!(kiln::validate_with::<T>(bytes, limits).err(), read.as_ref().err().copied(), "{text}");
    match read {
        Ok(value) => {
            assert_eq!(kiln::encoded_len(&value), Ok(bytes.len()), "{text}");
            assert_eq!(kiln::to_vec(&value).as_deref(), Ok(bytes), "{text}");
            #[allow(unsafe_code)]
            // SAFETY: the bytes were accepted just now.
            let trusted = unsafe { kiln::from_slice_trusted::<T>(bytes) };
            assert_eq!(kiln::to_vec(&trusted).as_deref(), Ok(bytes), "{text}, trusted");
            true
        }
        Err(error) => {
            assert_eq!(error.describe(bytes).to_string(), ty.describe(&error, bytes).to_string());
            false
        }
    }
}

/// The records of a list one by one, by their index, and written one by one: as the list.
fn records<'de, T>(text: &str, bytes: &'de [u8], limits: &Limits)
where
    T: Decode<'de> + Encode + Typed,
{
    let whole = kiln::from_slice_with::<Vec<T>>(bytes, limits).map(drop);
    let records = Batch::<T>::read_with(bytes, limits).and_then(|batch| batch.collect());
    let records: std::result::Result<Vec<T>, kiln::Error> = records;
    assert_eq!(records.as_ref().err(), whole.as_ref().err(), "{text}, one by one");
    let index = Batch::<T>::index_with(bytes, limits);
    assert_eq!(index.as_ref().err(), whole.as_ref().err(), "{text}, index");
    let (Ok(records), Ok(index)) = (records, index) else { return };

    assert_eq!(index.len(), records.len(), "{text}");
    for (at, record) in records.iter().enumerate().rev() {
        let found = index.get(at).expect("a record").expect("it was accepted");
        assert_eq!(written(&found), written(record), "{text}, record {at} by the index");
    }
    assert!(index.get(records.len()).is_none(), "{text}");

    let count = u32::try_from(records.len()).expect("a count was read");
    let (mut out, mut stream) = (Vec::new(), BatchStream::new(Vec::new(), count).expect("memory"));
    let mut seek = BatchSeek::new(Cursor::new(Vec::new())).expect("memory");
    let mut writer = BatchWriter::new(&mut out);
    for record in &records {
        writer.push(record).expect("what was read can be written");
        stream.push(record).expect("what was read can be written");
        seek.push(record).expect("what was read can be written");
    }
    writer.finish();
    assert_eq!(out, bytes, "{text}, written");
    assert_eq!(stream.finish().expect("memory"), bytes, "{text}, streamed");
    assert_eq!(seek.finish().expect("memory").into_inner(), bytes, "{text}, counted behind");
}

/// The same for records of a fixed size, and in a view.
fn fixed_records<'de, T>(text: &str, bytes: &'de [u8], limits: &Limits)
where
    T: Decode<'de> + Encode + Typed,
{
    records::<T>(text, bytes, limits);
    let whole = kiln::from_slice_with::<Vec<T>>(bytes, limits);
    let view = kiln::from_slice_with::<ListView<'_, T>>(bytes, limits);
    assert_eq!(view.as_ref().err(), whole.as_ref().err(), "{text}, view");
    let (Ok(whole), Ok(view)) = (whole, view) else { return };
    assert_eq!(kiln::to_vec(&view).as_deref(), Ok(bytes), "{text}, view");
    let mut from_behind = view.iter().rev();
    for (at, record) in whole.iter().enumerate().rev() {
        let found = [view.get(at), from_behind.next()].map(|found| found.as_ref().map(written));
        assert_eq!(found, [Some(written(record)), Some(written(record))], "{text}, record {at} of the view");
    }
    assert!(from_behind.next().is_none() && view.get(whole.len()).is_none(), "{text}");
}

fn written<T: Encode>(record: &T) -> Vec<u8> {
    kiln::to_vec(record).expect("what was read can be written")
}

/// One derived type, its text in front: a macro, because the type may borrow from the input.
type Compare = fn(&str, &mut Unstructured<'_>) -> Result<()>;

macro_rules! types {
    ($($of:ty $(, $check:ident of $element:ty)? = $text:literal;)*) => {
        /// Every construct that the derive and std's types have.
        const DERIVED: &[(&str, Compare)] = &[$((
            $text,
            |text, from| {
                let manner = manner(from)?;
                // What was read before is written over.
                let (before, after) = (bytes(text, from)?, bytes(text, from)?);
                for bytes in [&before, &after] {
                    derived::<$of>(text, bytes, &manner.limits);
                    $($check::<$element>(text, bytes, &manner.limits);)?
                }
                if let Ok(mut place) = kiln::from_slice::<$of>(&before) {
                    let into = kiln::decode_into_with(&after, &mut place, &manner.limits);
                    assert_eq!(into.err(), kiln::from_slice_with::<$of>(&after, &manner.limits).err(), "{text}");
                    let again = kiln::to_vec(&place).expect("what was read can be written");
                    if into.is_ok() {
                        assert_eq!(again, after, "{text}");
                    }
                    assert_eq!(kiln::from_slice_with::<$of>(&again, &Limits::NONE).map(drop), Ok(()), "{text}");
                }
                Ok(())
            },
        )),*];
    };
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Fixed {
    id: u32,
    on: bool,
    at: (i64, f32),
    kind: u8,
}

#[derive(Frozen, Clone, Copy)]
#[kiln(trusted)]
#[repr(C)]
struct Plain {
    x: f32,
    y: f32,
    id: u32,
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Owned {
    sensor: u16,
    valid: bool,
    values: Vec<f32>,
    note: Option<String>,
    #[kiln(bytes)]
    raw: Vec<u8>,
    parts: Vec<Fixed>,
    names: BTreeMap<String, Option<Vec<String>>>,
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Borrowed<'a> {
    name: &'a str,
    raw: Bytes<'a>,
    perhaps: Cow<'a, str>,
    list: ListView<'a, u32>,
    views: Vec<ListView<'a, (bool, u16)>>,
    map: HashMap<&'a str, &'a [u8]>,
    last: u64,
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Tensors<'a> {
    id: i64,
    batch: Directory<'a>,
    more: Option<OwnedDirectory>,
    name: String,
}

types! {
    Fixed = "struct{id:u32,on:bool,at:struct{0:i64,1:f32,},kind:u8,}";
    Vec<Fixed>, fixed_records of Fixed = "list{struct{id:u32,on:bool,at:struct{0:i64,1:f32,},kind:u8,}}";
    Vec<Plain>, fixed_records of Plain = "list{struct{x:f32,y:f32,id:u32,}}";
    Cow<[Plain]> = "list{struct{x:f32,y:f32,id:u32,}}";
    Owned = "struct{sensor:u16,valid:bool,values:list{f32},note:optional{str},raw:bytes,parts:list{struct{id:u32,on:bool,at:struct{0:i64,1:f32,},kind:u8,}},names:dict{optional{list{str}}},}";
    Vec<Owned>, records of Owned = "list{struct{sensor:u16,valid:bool,values:list{f32},note:optional{str},raw:bytes,parts:list{struct{id:u32,on:bool,at:struct{0:i64,1:f32,},kind:u8,}},names:dict{optional{list{str}}},}}";
    Borrowed = "struct{name:str,raw:bytes,perhaps:str,list:list{u32},views:list{list{struct{0:bool,1:u16,}}},map:dict{list{u8}},last:u64,}";
    Tensors = "struct{id:i64,batch:tensors,more:optional{tensors},name:str,}";
    (Vec<bool>, Vec<String>, Option<Option<bool>>) = "struct{0:list{bool},1:list{str},2:optional{optional{bool}},}";
    Vec<Vec<Option<u16>>>, records of Vec<Option<u16>> = "list{list{optional{u16}}}";
    (VecDeque<i8>, Vec<ByteBuf>, Box<[Box<str>]>) = "struct{0:list{i8},1:list{bytes},2:list{str},}";
    BTreeMap<String, HashMap<String, (bool, Option<f64>)>> = "dict{dict{struct{0:bool,1:optional{f64},}}}";
}
