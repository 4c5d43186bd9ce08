//! Every implementation for a type of std against the chapter Frozen values read literally: on random values, and
//! on the bytes near them, the verdict is the same, code and offset; what is accepted encodes to the same bytes; and
//! every way to read it gives the same value.
#![allow(unsafe_code)]

use crate::support::{oracle, random};
use kiln::{ByteBuf, Bytes, Frozen, Limits, ListView};
use oracle::{Caps, Type, damaged};
use random::Random;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::num::Wrapping;
use std::rc::Rc;
use std::sync::Arc;

const ROUNDS: u64 = if cfg!(debug_assertions) { 3_000 } else { 30_000 };

/// Compares one type on `ROUNDS` inputs. A macro, because the type may borrow from each input.
macro_rules! agree {
    ($($name:ident: $of:ty = $text:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(kiln::type_text::<$of>(), $text);
            let of = Type::parse($text);
            let (mut accepted, mut rejected) = (0u64, 0u64);
            let inputs: Vec<Vec<u8>> = (0..ROUNDS)
                .map(|seed| {
                    let (mut random, mut bytes) = (Random::new(seed), Vec::new());
                    of.random(&mut random, &mut bytes);
                    if seed % 4 == 0 { bytes } else { damaged(&bytes, &mut random) }
                })
                .collect();
            // Reused from input to input, and so full of what was there before.
            let mut reused: Option<$of> = None;
            for (seed, bytes) in inputs.iter().enumerate() {
                let caps = match seed % 3 {
                    0 => Caps { count: 3, bytes: 4 },
                    _ => Caps { count: 16_777_216, bytes: 16 << 20 },
                };
                let limits = Limits::DEFAULT.with_count(caps.count).with_bytes(caps.bytes);
                let verdict = of.verdict(bytes, caps);
                let read = kiln::from_slice_with::<$of>(bytes, &limits);
                let found = read.as_ref().map(|_| ()).map_err(|error| (error.code(), error.offset() as usize));
                assert_eq!(found, verdict, "{} of {bytes:02x?}", $text);
                let validated = kiln::validate_with::<$of>(bytes, &limits);
                assert_eq!(validated.err(), read.as_ref().err().copied(), "{} of {bytes:02x?}", $text);

                let mut place = match reused.take() {
                    Some(place) => place,
                    None => match kiln::from_slice::<$of>(bytes) {
                        Ok(value) => value,
                        Err(_) => continue,
                    },
                };
                let into = kiln::decode_into_with(bytes, &mut place, &limits);
                assert_eq!(into, read.as_ref().map(|_| ()).map_err(|error| *error), "{} of {bytes:02x?}", $text);
                if let Ok(value) = read {
                    accepted += 1;
                    assert_eq!(kiln::encoded_len(&value), Ok(bytes.len()));
                    assert_eq!(kiln::to_vec(&value).as_ref(), Ok(bytes));
                    assert_eq!(kiln::to_vec(&place).as_ref(), Ok(bytes));
                    let mut slice = vec![0xaa; bytes.len() + 1];
                    assert_eq!(kiln::encode_to_slice(&value, &mut slice), Ok(bytes.len()));
                    assert_eq!((&slice[..bytes.len()], slice[bytes.len()]), (&bytes[..], 0xaa));
                    // SAFETY: the bytes were accepted just now.
                    let trusted = unsafe { kiln::from_slice_trusted::<$of>(bytes) };
                    assert_eq!(kiln::to_vec(&trusted).as_ref(), Ok(bytes));
                } else {
                    rejected += 1;
                    // Parts old and new, and still a value: it encodes, and what it encodes to is accepted.
                    let bytes = kiln::to_vec(&place).unwrap();
                    assert_eq!(of.verdict(&bytes, Caps { count: u64::MAX, bytes: u64::MAX }), Ok(()));
                }
                reused = Some(place);
            }
            assert!(accepted > ROUNDS / 5 && rejected > ROUNDS / 5, "{accepted} accepted, {rejected} rejected");
        }
    )*};
}

#[derive(Frozen)]
#[kiln(trusted)]
struct Reading {
    sensor: u16,
    valid: bool,
    values: Vec<f32>,
    note: Option<String>,
    #[kiln(bytes)]
    raw: Vec<u8>,
}

agree! {
    a_list_of_bools: Vec<bool> = "list{bool}";
    a_list_of_numbers: Vec<u16> = "list{u16}";
    a_list_of_tuples_in_one_block: Vec<(u32, f32)> = "list{struct{0:u32,1:f32,}}";
    a_list_of_tuples_with_a_bool: Vec<(u8, bool, i32)> = "list{struct{0:u8,1:bool,2:i32,}}";
    a_list_of_texts: Vec<String> = "list{str}";
    a_list_of_byte_runs: Vec<ByteBuf> = "list{bytes}";
    lists_in_lists: Vec<Vec<Vec<u8>>> = "list{list{list{u8}}}";
    a_list_in_a_ring: VecDeque<Option<u16>> = "list{optional{u16}}";
    a_list_in_a_box: Box<[(bool, Box<str>)]> = "list{struct{0:bool,1:str,}}";
    lists_behind_counters: (Rc<[u8]>, Arc<[String]>) = "struct{0:list{u8},1:list{str},}";
    optionals: Option<Vec<Option<f64>>> = "optional{list{optional{f64}}}";
    an_optional_in_an_optional: Option<Option<bool>> = "optional{optional{bool}}";
    pointers: (Box<u16>, Rc<Option<String>>, Arc<Vec<bool>>) = "struct{0:u16,1:optional{str},2:list{bool},}";
    shared_texts: (Rc<str>, Arc<str>, Box<str>) = "struct{0:str,1:str,2:str,}";
    a_tree_dict: BTreeMap<String, Vec<u8>> = "dict{list{u8}}";
    a_hash_dict: HashMap<String, (bool, Option<i8>)> = "dict{struct{0:bool,1:optional{i8},}}";
    a_hash_dict_that_owns_nothing: HashMap<Arc<str>, u8> = "dict{u8}";
    dicts_in_dicts: BTreeMap<Box<str>, BTreeMap<Rc<str>, bool>> = "dict{dict{bool}}";
    a_tuple_of_fixed_fields: (u8, i64, bool, (Wrapping<u16>,)) = "struct{0:u8,1:i64,2:bool,3:struct{0:u16,},}";
    a_tuple_with_an_empty_field: (u8, (), String) = "struct{0:u8,1:struct{},2:str,}";
    a_derived_struct: Reading = "struct{sensor:u16,valid:bool,values:list{f32},note:optional{str},raw:bytes,}";
    a_list_of_derived_structs: Vec<Reading> =
        "list{struct{sensor:u16,valid:bool,values:list{f32},note:optional{str},raw:bytes,}}";
    a_borrowed_text: (&str, Cow<str>) = "struct{0:str,1:str,}";
    a_borrowed_byte_run: (u8, Bytes) = "struct{0:u8,1:bytes,}";
    borrowed_bytes_of_a_list: (&[u8], &[(i8, u8)]) = "struct{0:list{u8},1:list{struct{0:i8,1:u8,}},}";
    perhaps_borrowed_lists: (Cow<[u32]>, Cow<[bool]>, Cow<[String]>) = "struct{0:list{u32},1:list{bool},2:list{str},}";
    a_list_view: ListView<u32> = "list{u32}";
    a_list_view_of_tuples: (u8, ListView<(bool, u16)>) = "struct{0:u8,1:list{struct{0:bool,1:u16,}},}";
    a_borrowed_dict: BTreeMap<&str, ListView<u16>> = "dict{list{u16}}";
    a_borrowed_hash_dict: HashMap<Cow<str>, &[u8]> = "dict{list{u8}}";
    a_borrowed_hash_dict_that_owns_nothing: HashMap<&str, f32> = "dict{f32}";
}
