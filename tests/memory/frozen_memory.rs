//! What decoding and encoding allocate: nothing for a claim, never more than was charged, and nothing again for what
//! is reused.

use crate::support::alloc;
use alloc::{Asked, counted, short_of_memory, taken};
use kiln::{
    Batch, BatchStream, BatchWriter, ByteBuf, Bytes, Code, DecodeOwned, Encode, EncodeError, Frozen, Limits,
    ListView, Reason,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

const NOTHING: Asked = Asked { calls: 0, bytes: 0 };

#[test]
fn a_count_that_cannot_fit_allocates_nothing() {
    macro_rules! nothing {
        ($($of:ty),+ $(,)?) => {$(
            // The default cap itself, and everything a u32 can say.
            for (count, limits) in [(1u32 << 24, Limits::DEFAULT), (u32::MAX, Limits::NONE)] {
                let mut bytes = count.to_le_bytes().to_vec();
                bytes.resize(64, 0);
                let (read, asked) = counted(|| kiln::from_slice_with::<$of>(&bytes, &limits));
                let error = read.map(|_| ()).unwrap_err();
                assert_eq!((error.code(), asked), (Code::Eof, NOTHING), stringify!($of));
            }
        )+};
    }
    nothing!(Vec<u64>, Vec<u8>, Vec<String>, Vec<(u8, bool)>, Vec<Option<u8>>, VecDeque<u16>, Box<[u32]>);
    nothing!(
        Rc<[u32]>,
        Arc<[String]>,
        ListView<u16>,
        &[u8],
        String,
        Box<str>,
        Rc<str>,
        Arc<str>,
        ByteBuf,
        Bytes
    );
    nothing!(BTreeMap<String, u8>, HashMap<String, u8>, HashMap<Rc<str>, Vec<u8>>, Vec<Vec<Vec<u8>>>);
}

#[test]
fn wide_elements_behind_few_bytes_are_held_by_the_budget() {
    // One byte each on the wire, more than a KiB each in memory: a MiB would become more than a GiB.
    type Wide = Option<[u64; 128]>;
    let mut bytes = (1u32 << 20).to_le_bytes().to_vec();
    bytes.resize(4 + (1 << 20), 0);
    let (read, asked) = counted(|| kiln::from_slice::<Vec<Wide>>(&bytes));
    let error = read.unwrap_err();
    assert_eq!((error.code(), error.reason(), error.offset()), (Code::Limit, Reason::Budget, 0));
    assert_eq!(asked, NOTHING);
    // A tenth of it is within the budget.
    bytes[..4].copy_from_slice(&100_000u32.to_le_bytes());
    bytes.truncate(4 + 100_000);
    assert_eq!(kiln::from_slice::<Vec<Wide>>(&bytes).unwrap().len(), 100_000);
    let exact = Limits::DEFAULT.with_owned(100_000 * size_of::<Wide>() as u64);
    assert!(kiln::from_slice_with::<Vec<Wide>>(&bytes, &exact).is_ok());
    let short = exact.with_owned(exact.owned - 1);
    assert_eq!(kiln::from_slice_with::<Vec<Wide>>(&bytes, &short).unwrap_err().reason(), Reason::Budget);
}

/// The charge is an upper bound of what is allocated in all, and not a wild one.
#[track_caller]
fn bounds<T: Encode + DecodeOwned>(value: &T) {
    let bytes = kiln::to_vec(value).unwrap();
    let read = |owned| kiln::from_slice_with::<T>(&bytes, &Limits::NONE.with_owned(owned)).map(|_| ());
    let (result, asked) = counted(|| read(u64::MAX));
    assert_eq!(result, Ok(()));
    if let Some(less) = asked.bytes.checked_sub(1) {
        assert_eq!(read(less).unwrap_err().reason(), Reason::Budget, "{} allocated", asked.bytes);
    }
    assert_eq!(read(8 * asked.bytes + 2_000), Ok(()), "{} allocated", asked.bytes);
}

#[test]
fn no_container_takes_more_than_it_is_charged() {
    let name = |i: usize| format!("{:.*}", i % 7, i as f64 / 7.0);
    for len in (0..70).chain([100, 112, 113, 224, 225, 448, 449, 1_000, 1_792, 1_793, 5_000]) {
        bounds(&vec![7u8; len]);
        bounds(&(0..len as u64).collect::<Vec<_>>());
        bounds(&(0..len as u64).collect::<VecDeque<_>>());
        bounds(&vec![true; len].into_boxed_slice());
        bounds(&Rc::<[u16]>::from(vec![7u16; len]));
        bounds(&Arc::<[Option<u16>]>::from(vec![Some(7u16); len]));
        bounds(&(0..len).map(name).collect::<Vec<_>>());
        bounds(&vec![Some(Box::new((1u8, 2u64))); len]);
        bounds(&vec![(Rc::new(7u8), Arc::new(8u64)); len]);
        bounds(&ByteBuf(vec![7; len]));
        bounds(&"x".repeat(len));
        bounds(&Box::<str>::from("x".repeat(len)));
        bounds(&Rc::<str>::from("x".repeat(len)));
        bounds(&(0..len).map(|i| (i.to_string(), i as u8)).collect::<BTreeMap<_, _>>());
        bounds(&(0..len).map(|i| (i.to_string(), [i as u64; 9])).collect::<BTreeMap<_, _>>());
        bounds(
            &(0..len).map(|i| (Rc::<str>::from(i.to_string()), vec![i as u16])).collect::<BTreeMap<_, _>>(),
        );
        bounds(&(0..len).map(|i| (i.to_string(), i as u8)).collect::<HashMap<_, _>>());
        bounds(&(0..len).map(|i| (i.to_string(), [i as u64; 9])).collect::<HashMap<_, _>>());
        bounds(
            &(0..len).map(|i| (Box::<str>::from(i.to_string()), vec![i as u16])).collect::<HashMap<_, _>>(),
        );
    }
}

/// What a decode is charged for: the smallest budget that it stays within.
fn charge<T: DecodeOwned>(bytes: &[u8]) -> u64 {
    let fits = |owned| kiln::from_slice_with::<T>(bytes, &Limits::NONE.with_owned(owned)).is_ok();
    let (mut low, mut high) = (0, 1 << 32);
    while low < high {
        let middle = (low + high) / 2;
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

#[test]
fn an_allocator_takes_less_than_four_and_a_half_times_the_charge() {
    /// Twice what is taken, in units of the charge.
    fn twice<T: Encode + DecodeOwned>(value: &T) -> u64 {
        let bytes = kiln::to_vec(value).unwrap();
        let (read, taken) = taken(|| kiln::from_slice_with::<T>(&bytes, &Limits::NONE));
        read.map(drop).unwrap();
        (2 * taken).div_ceil(charge::<T>(&bytes))
    }
    const MANY: usize = 200;
    let byte = || Box::new(7u8);
    // Close to it come the shortest blocks there are, each behind a pointer in a list.
    let worst = twice(&vec![byte(); MANY]);
    assert!((8..=9).contains(&worst), "{worst}");
    let text = |at: usize| (at % 10).to_string();
    let key = |at: usize| format!("{at:03}");
    let others = [
        twice(&vec![Box::new(byte()); MANY]),
        twice(&vec![Some(byte()); MANY]),
        twice(&vec![(byte(), byte()); MANY]),
        twice(&vec![vec![7u8]; MANY]),
        twice(&vec![vec![vec![7u8]]; MANY]),
        twice(&vec![VecDeque::from([7u8]); MANY]),
        twice(&vec![vec![byte(); 3]; MANY]),
        twice(&(0..MANY).map(text).collect::<Vec<_>>()),
        twice(&(0..MANY).map(|at| text(at).into_boxed_str()).collect::<Vec<_>>()),
        twice(&(0..MANY).map(|at| Rc::<str>::from(text(at))).collect::<Vec<_>>()),
        twice(&(0..MANY).map(|at| (Rc::new(at as u8), Arc::new(at as u8))).collect::<Vec<_>>()),
        twice(&(0..MANY).map(|_| byte()).collect::<VecDeque<_>>()),
        twice(&(0..MANY).map(|at| (key(at), byte())).collect::<HashMap<_, _>>()),
        twice(&(0..MANY).map(|at| (key(at), byte())).collect::<BTreeMap<_, _>>()),
        twice(&(0..MANY).map(|at| (key(at).into_boxed_str(), vec![byte()])).collect::<BTreeMap<_, _>>()),
        twice(&vec![BTreeMap::from([(key(1), byte())]); MANY]),
        twice(&vec![HashMap::from([(key(1), byte())]); MANY]),
        twice(&vec![7u8; 1 << 16]),
    ];
    assert!(others.iter().all(|&twice| twice <= 9), "{others:?}");
}

#[test]
fn what_is_shared_is_charged_with_its_counters_and_what_aligns_them() {
    #[derive(Frozen)]
    #[repr(align(64))]
    struct Line {
        of: [u64; 8],
    }
    #[track_caller]
    fn charged<T: Encode + DecodeOwned>(value: &T, bytes: usize) {
        let written = kiln::to_vec(value).unwrap();
        let read = |owned: usize| {
            kiln::from_slice_with::<T>(&written, &Limits::NONE.with_owned(owned as u64)).map(|_| ())
        };
        assert_eq!(read(bytes), Ok(()));
        assert_eq!(read(bytes - 1).unwrap_err().reason(), Reason::Budget);
    }
    let word = size_of::<usize>();
    charged(&Rc::new(7u8), 1 + 3 * word);
    charged(&Arc::new(7u64), 8 + 3 * word);
    charged(&Rc::<str>::from("seven"), 5 + 3 * word);
    charged(&Arc::<[u16]>::from([7, 8, 9]), 6 + 6 + 3 * word); // the list that becomes the slice, and the slice
    let line = Rc::new(Line { of: [7; 8] });
    charged(&line, 64 + 2 * word + 2 * 64);
    bounds(&line);
}

#[test]
fn a_list_is_one_allocation_of_its_exact_size() {
    let bytes = kiln::to_vec(&vec![7u64; 1_000]).unwrap();
    let (_, asked) = counted(|| kiln::from_slice::<Vec<u64>>(&bytes).unwrap());
    assert_eq!(asked, Asked { calls: 1, bytes: 8_000 });
    let (_, asked) = counted(|| kiln::from_slice::<Box<[u64]>>(&bytes).unwrap());
    assert_eq!(asked, Asked { calls: 1, bytes: 8_000 });
    let bytes = kiln::to_vec(&vec![true; 1_000]).unwrap();
    let (_, asked) = counted(|| kiln::from_slice::<VecDeque<bool>>(&bytes).unwrap());
    assert_eq!(asked, Asked { calls: 1, bytes: 1_000 });
    let (_, asked) =
        counted(|| kiln::from_slice::<ListView<bool>>(&bytes).unwrap().iter().filter(|b| *b).count());
    assert_eq!(asked, NOTHING);
    let (_, asked) = counted(|| kiln::from_slice::<[bool; 1_000]>(&bytes).unwrap());
    assert_eq!(asked, NOTHING);
}

#[test]
fn a_hash_table_is_charged_no_more_than_a_line_above_what_it_takes() {
    // Seven in eight slots are used at most: at 28, 56 and so on a table is full, and with one entry more twice as large.
    for full in [28, 56, 448, 7 << 10] {
        for len in [full - 1, full, full + 1] {
            let keys: Vec<String> = (0..len).map(|i| format!("{i:04}")).collect();
            let map: BTreeMap<&str, u32> = keys.iter().map(|key| (&**key, 7)).collect();
            let bytes = kiln::to_vec(&map).unwrap();
            let (_, asked) = counted(|| kiln::from_slice::<HashMap<&str, u32>>(&bytes).unwrap());
            let read = |owned| {
                kiln::from_slice_with::<HashMap<&str, u32>>(&bytes, &Limits::DEFAULT.with_owned(owned))
                    .map(drop)
            };
            assert_eq!(read(asked.bytes + 64), Ok(()), "{len}: {asked:?}");
            assert_eq!(read(asked.bytes - 1).unwrap_err().reason(), Reason::Budget, "{len}: {asked:?}");
        }
    }
}

#[test]
fn a_list_read_into_one_that_has_no_room_is_one_allocation_of_its_exact_size() {
    for len in [1, 33, 1_000] {
        let bytes = kiln::to_vec(&vec![true; len]).unwrap();
        let mut place = Vec::<bool>::new();
        let (result, asked) = counted(|| kiln::decode_into(&bytes, &mut place));
        assert_eq!((result, asked), (Ok(()), Asked { calls: 1, bytes: len as u64 }));
        let mut place = Vec::<u8>::new();
        let (result, asked) = counted(|| kiln::decode_into(&bytes, &mut place));
        assert_eq!((result, asked), (Ok(()), Asked { calls: 1, bytes: len as u64 }));
        // With a fault in it, it is no more.
        let damaged = [&bytes[..bytes.len() - 1], &[2]].concat();
        let mut place = Vec::<bool>::new();
        let (result, asked) = counted(|| kiln::decode_into(&damaged, &mut place).map_err(|e| e.reason()));
        assert_eq!((result, asked), (Err(Reason::BoolByte), Asked { calls: 1, bytes: len as u64 }));
        assert_eq!(place, vec![true; len - 1]);
    }
}

/// Reads `count` of something, where there is room for `room`, with nothing left to own: this does when there is room
/// enough, and then asks for nothing.
#[track_caller]
fn has_room<T: for<'de> kiln::Decode<'de>>(make: impl Fn(usize) -> T, bytes: &[u8], count: usize) {
    let none = Limits::DEFAULT.with_owned(0);
    for room in [0, 1, count - 1, count, count + 1, 2 * count] {
        let mut place = make(room);
        let (result, asked) = counted(|| kiln::decode_into_with(bytes, &mut place, &none));
        let expected = if room >= count { Ok(()) } else { Err((Reason::Budget, 0)) };
        assert_eq!(result.map_err(|e| (e.reason(), e.offset())), expected, "room for {room} of {count}");
        assert_eq!(asked, NOTHING, "room for {room} of {count}");
    }
}

#[test]
fn what_has_room_is_not_charged_and_what_has_not_is() {
    for count in [2, 7, 14, 28, 100] {
        let bytes = kiln::to_vec(&vec![1u8; count]).unwrap();
        has_room(Vec::<u8>::with_capacity, &bytes, count);
        has_room(|room| ByteBuf(Vec::with_capacity(room)), &bytes, count);
        has_room(String::with_capacity, &bytes, count);
        has_room(VecDeque::<u8>::with_capacity, &bytes, count);
        has_room(Vec::<bool>::with_capacity, &bytes, count);
        let bytes = kiln::to_vec(&vec![Some(1u8); count]).unwrap();
        has_room(Vec::<Option<u8>>::with_capacity, &bytes, count);
        let bytes = kiln::to_vec(&vec![7u32; count]).unwrap();
        has_room(Vec::<u32>::with_capacity, &bytes, count);
    }
}

#[test]
fn a_cow_is_read_into_its_vector_where_it_cannot_borrow() {
    let none = Limits::DEFAULT.with_owned(0);
    let wire = kiln::to_vec(&(0u8, vec![1u32, 2, 3])).unwrap();
    let mut buffer = vec![0; wire.len() + 4];
    let mut owned = 0;
    for start in 0..4 {
        buffer[start..][..wire.len()].copy_from_slice(&wire);
        let bytes = &buffer[start..][..wire.len()];
        let can_borrow = kiln::from_slice_with::<(u8, Cow<'_, [u32]>)>(bytes, &none).is_ok();
        for room in [0, 2, 3, 4] {
            let mut place: (u8, Cow<'_, [u32]>) = (9, Cow::Owned(Vec::with_capacity(room)));
            let (result, asked) = counted(|| kiln::decode_into_with(bytes, &mut place, &none));
            assert_eq!(asked, NOTHING);
            if can_borrow || room >= 3 {
                assert_eq!((result, &place.1[..]), (Ok(()), &[1, 2, 3][..]));
            } else {
                assert_eq!(result.unwrap_err().reason(), Reason::Budget);
            }
        }
        owned += u32::from(!can_borrow);
    }
    assert_eq!(owned, if cfg!(target_endian = "little") { 3 } else { 4 });
}

#[test]
fn a_full_hash_table_is_read_into_again() {
    let mut place = HashMap::<&str, u8>::with_capacity(20);
    let keys: Vec<String> = (0..place.capacity()).map(|i| format!("{i:03}")).collect();
    let map: BTreeMap<&str, u8> = keys.iter().map(|key| (&**key, 7)).collect();
    let bytes = kiln::to_vec(&map).unwrap();
    let none = Limits::DEFAULT.with_owned(0);
    for _ in 0..2 {
        let (result, asked) = counted(|| kiln::decode_into_with(&bytes, &mut place, &none));
        assert_eq!((result, asked), (Ok(()), NOTHING));
        assert_eq!((place.len(), place.capacity()), (keys.len(), keys.len()));
    }
}

#[test]
fn encoding_allocates_its_exact_length_once() {
    let value = (vec![1u32; 100], BTreeMap::from([("key", vec![Some("text"); 10])]), "end");
    let (bytes, asked) = counted(|| kiln::to_vec(&value).unwrap());
    assert_eq!(asked, Asked { calls: 1, bytes: bytes.len() as u64 });
    let mut out = Vec::with_capacity(bytes.len());
    let ((), asked) = counted(|| kiln::encode_into(&value, &mut out).unwrap());
    assert_eq!((asked, &out), (NOTHING, &bytes));
}

#[test]
fn a_fault_allocates_nothing_either() {
    let bytes = [1, 0, 0, 0, 2];
    let (error, asked) = counted(|| {
        let error = kiln::from_slice::<ListView<bool>>(&bytes).unwrap_err();
        (error.code(), error.path().count())
    });
    assert_eq!((error, asked), ((Code::Type, 1), NOTHING));
}

#[derive(Frozen, Default)]
struct Everything {
    name: String,
    list: Vec<u16>,
    flags: Vec<bool>,
    nested: Vec<Vec<String>>,
    ring: VecDeque<u8>,
    optional: Option<String>,
    boxed: Box<(u8, Vec<u8>)>,
    slice: Box<[u32]>,
    shared: Rc<String>,
    array: [String; 2],
    tree: BTreeMap<String, Vec<u8>>,
    #[kiln(bytes)]
    run: Vec<u8>,
    #[kiln(bytes)]
    boxed_run: Option<Box<[u8]>>,
}

fn everything(mark: u8) -> Everything {
    let text = |len: usize| char::from(mark).to_string().repeat(len);
    Everything {
        name: text(30),
        list: vec![mark.into(); 100],
        flags: vec![mark & 1 == 0; 9],
        nested: vec![vec![text(3), text(4)], vec![], vec![text(5)]],
        ring: VecDeque::from(vec![mark; 12]),
        optional: Some(text(8)),
        boxed: Box::new((mark, vec![mark; 5])),
        slice: Box::new([mark.into(); 6]),
        shared: Rc::new(text(9)),
        array: [text(1), text(2)],
        tree: BTreeMap::from([("a".into(), vec![mark; 3]), ("b".into(), vec![])]),
        run: vec![mark; 7],
        boxed_run: Some(Box::new([mark; 3])),
    }
}

#[test]
fn what_a_value_owns_is_reused() {
    let (first, second) =
        (kiln::to_vec(&everything(b'x')).unwrap(), kiln::to_vec(&everything(b'y')).unwrap());
    let mut place: Everything = kiln::from_slice(&first).unwrap();
    let none = Limits::DEFAULT.with_owned(0);
    let (result, asked) = counted(|| kiln::decode_into_with(&second, &mut place, &none));
    assert_eq!((result, asked), (Ok(()), NOTHING));
    assert_eq!(kiln::to_vec(&place).unwrap(), second);

    // Less of everything asks for nothing either, but for boxes and shared values of another size.
    let smaller =
        Everything { slice: Box::new([7; 6]), shared: Rc::new("z".into()), ..Everything::default() };
    let smaller = Everything { boxed_run: Some(Box::new([7; 3])), ..smaller };
    let bytes = kiln::to_vec(&smaller).unwrap();
    let (result, asked) = counted(|| kiln::decode_into_with(&bytes, &mut place, &none));
    assert_eq!((result, asked), (Ok(()), NOTHING));
    assert_eq!(kiln::to_vec(&place).unwrap(), bytes);
}

#[test]
fn a_hash_table_is_reused_where_entries_own_nothing_and_entries_where_they_do() {
    let map = |from: u32| (from..from + 100).map(|i| (format!("{i:04}"), i)).collect::<BTreeMap<_, _>>();
    let (first, second) = (kiln::to_vec(&map(0)).unwrap(), kiln::to_vec(&map(50)).unwrap());
    let mut place: HashMap<&str, u32> = kiln::from_slice(&first).unwrap();
    let (result, asked) = counted(|| kiln::decode_into(&second, &mut place));
    assert_eq!((result, asked), (Ok(()), NOTHING));
    assert_eq!(kiln::to_vec(&place).unwrap(), second);

    let mut place: HashMap<String, u32> = kiln::from_slice(&first).unwrap();
    let (result, asked) = counted(|| kiln::decode_into(&second, &mut place));
    // A table, and the fifty keys that were not there.
    assert_eq!((result, asked.calls), (Ok(()), 51));
    assert_eq!(kiln::to_vec(&place).unwrap(), second);
}

/// Keys with values that own something; every key and every value is long enough to be seen.
fn entries(keys: impl Iterator<Item = u32>, mark: &str) -> Vec<(String, String)> {
    keys.map(|key| (format!("{key:04}"), format!("{mark} {key:04}"))).collect()
}

#[test]
fn maps_keep_what_belongs_to_equal_keys() {
    macro_rules! kept {
        ($map:ident, $nodes:expr) => {{
            let made = |keys: &mut dyn Iterator<Item = u32>, mark| entries(keys, mark).into_iter().collect();
            let mut place: $map<String, String> = made(&mut (0..100), "old");
            // The same keys: nothing is asked for.
            let same: $map<String, String> = made(&mut (0..100), "new");
            let bytes = kiln::to_vec(&same).unwrap();
            let (result, asked) = counted(|| kiln::decode_into(&bytes, &mut place));
            assert_eq!((result, asked), (Ok(()), NOTHING));
            assert_eq!(place, same);
            // Every second key, from the fifth on and as many after the last: tables or nodes, and what is new.
            for other in [(4..204).step_by(2).collect::<Vec<_>>(), vec![], (0..3).collect(), (0..300).collect()] {
                let missing = other.iter().filter(|key| !place.contains_key(&format!("{key:04}"))).count();
                let new: $map<String, String> = made(&mut other.iter().copied(), "new");
                let bytes = kiln::to_vec(&new).unwrap();
                let (result, asked) = counted(|| kiln::decode_into(&bytes, &mut place));
                assert_eq!(result, Ok(()));
                assert!(asked.calls <= (2 * missing + $nodes(other.len())) as u64, "{asked:?}, {missing} missing");
                assert_eq!(place, new);
            }
        }};
    }
    kept!(HashMap, |_| 1);
    kept!(BTreeMap, |count| count / 5 + 1);
}

#[test]
fn a_map_read_into_half_way_keeps_what_was_read() {
    let old: HashMap<String, String> = entries(0..10, "old").into_iter().collect();
    // Four of the old keys, one that is new, five of the old keys.
    let new = entries([0, 1, 2, 4].into_iter().chain([44, 5, 6, 7, 8, 9]), "new");
    let mut new: BTreeMap<String, String> = new.into_iter().collect();
    let bytes = kiln::to_vec(&new).unwrap();
    let mut place = old.clone();
    kiln::decode_into(&bytes, &mut place).unwrap();
    assert_eq!(place, new.clone().into_iter().collect());
    let mut tree: BTreeMap<String, String> = old.clone().into_iter().collect();
    kiln::decode_into(&bytes, &mut tree).unwrap();
    assert_eq!(tree, new);
    // The last value is cut short: what came before it is there.
    let cut = &bytes[..bytes.len() - 1];
    let mut place = old.clone();
    assert_eq!(kiln::decode_into(cut, &mut place).unwrap_err().code(), Code::Eof);
    new.pop_last();
    assert_eq!(place, new.clone().into_iter().collect());
    let mut tree: BTreeMap<String, String> = old.into_iter().collect();
    assert_eq!(kiln::decode_into(cut, &mut tree).unwrap_err().code(), Code::Eof);
    assert_eq!(tree, new);
}

#[test]
fn texts_behind_pointers_are_kept_where_they_can_be() {
    type Texts = (Box<str>, Rc<str>, Arc<str>);
    let texts = |text: &str| -> Texts { (text.into(), text.into(), text.into()) };
    let mut place = texts("same");
    let bytes = kiln::to_vec(&texts("same")).unwrap();
    assert_eq!(counted(|| kiln::decode_into(&bytes, &mut place)), (Ok(()), NOTHING));
    let bytes = kiln::to_vec(&("else", "same", "same")).unwrap();
    assert_eq!(counted(|| kiln::decode_into(&bytes, &mut place)), (Ok(()), NOTHING));
    assert_eq!(place, ("else".into(), "same".into(), "same".into()));
    let bytes = kiln::to_vec(&texts("longer")).unwrap();
    kiln::decode_into(&bytes, &mut place).unwrap();
    assert_eq!(place, texts("longer"));
    let mut old = Box::<str>::from("old");
    assert!(kiln::decode_into(&[3, 0, 0, 0, 0xff, 0, 0], &mut old).is_err());
    assert_eq!(&*old, "old");
}

#[test]
fn a_batch_is_written_into_a_reused_buffer_and_read_without_allocating() {
    let records: Vec<(u32, &str, Option<f64>)> =
        (0..1_000).map(|i| (i, "name", Some(f64::from(i)))).collect();
    let mut out = Vec::new();
    let mut write = || {
        out.clear();
        let mut writer = BatchWriter::new(&mut out);
        records.iter().for_each(|record| writer.push(record).unwrap());
        writer.finish()
    };
    assert_eq!(write(), 1_000);
    assert_eq!(counted(write), (1_000, NOTHING));
    let (sum, asked) = counted(|| {
        let batch = Batch::<(u32, &str, Option<f64>)>::read(&out).unwrap();
        batch.map(|record| record.unwrap().0).sum::<u32>()
    });
    assert_eq!((sum, asked), (499_500, NOTHING));

    let (letters, asked) = counted(|| {
        let mut batch = Batch::<(u32, String, Option<f64>)>::read(&out).unwrap();
        let (mut place, mut letters) = ((0, String::new(), None), 0);
        while let Some(result) = batch.next_into(&mut place) {
            result.unwrap();
            letters += place.1.len();
        }
        letters
    });
    assert_eq!((letters, asked.calls), (4_000, 1));
}

#[test]
fn each_record_of_a_batch_has_a_budget_of_its_own() {
    let bytes = kiln::to_vec(&vec!["12345"; 100]).unwrap();
    let limits = Limits::DEFAULT.with_owned(5);
    assert!(Batch::<String>::read_with(&bytes, &limits).unwrap().all(|record| record.is_ok()));
    let limits = Limits::DEFAULT.with_owned(4);
    let error = Batch::<String>::read_with(&bytes, &limits).unwrap().next().unwrap().unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Budget, 4));
}

#[test]
fn a_long_record_goes_to_a_stream_without_a_copy_of_it() {
    let long = vec![7u8; 1 << 20];
    let mut out = Vec::with_capacity(2 << 20);
    let mut stream = BatchStream::new(&mut out, 1).unwrap();
    let (result, asked) = counted(|| stream.push(&Bytes(&long)));
    result.unwrap();
    assert!(asked.bytes < 64 << 10, "{asked:?}");
    stream.finish().unwrap();
    assert!(out == kiln::to_vec(&[Bytes(&long)]).unwrap());
}

/// What takes 2^42 bytes to write and next to nothing to hold.
fn more_than_there_is() -> Vec<[Bytes<'static>; 1 << 10]> {
    // Zeros that nobody touches.
    let long = Vec::leak(vec![0; 1 << 24]);
    vec![[Bytes(long); 1 << 10]; 1 << 8]
}

#[test]
fn what_memory_cannot_hold_is_an_error_of_whoever_writes_it() {
    let value = more_than_there_is();
    let mut out = vec![7];
    short_of_memory(1 << 30, || {
        let len = kiln::encoded_len(&value);
        assert!(len.is_ok_and(|len| len as u64 > 1 << 42) || cfg!(target_pointer_width = "32"));
        assert_eq!(kiln::to_vec(&value).unwrap_err(), EncodeError::TooLong);
        assert_eq!(kiln::encode_into(&value, &mut out).unwrap_err(), EncodeError::TooLong);
        assert_eq!(kiln::frame::to_vec(&value).unwrap_err(), EncodeError::TooLong);
        assert_eq!(kiln::frame::encode_into(&value, &mut out).unwrap_err(), EncodeError::TooLong);
    });
    assert_eq!(out, [7]);
    // The batch goes on without it.
    let mut writer = BatchWriter::new(&mut out);
    let pushed = short_of_memory(1 << 30, || writer.push(&value));
    assert_eq!(pushed.unwrap_err(), EncodeError::TooLong);
    writer.push(&vec![]).unwrap();
    assert_eq!(writer.finish(), 1);
    assert_eq!(out, [7, 1, 0, 0, 0, 0, 0, 0, 0]);

    use kiln::dynamic::{self, Problem, Value};
    let ty = kiln::schema::Type::parse("list{bytes}").unwrap();
    let value = Value::List(vec![Value::Bytes(vec![1; 1 << 16]); 16]);
    let framed = short_of_memory(1 << 19, || {
        let mut out = vec![7];
        let encoded = [dynamic::encode(&ty, &value).map(drop), dynamic::encode_into(&ty, &value, &mut out)];
        assert_eq!(out, [7]);
        assert!(
            encoded
                .iter()
                .all(|encoded| encoded.as_ref().unwrap_err().problem()
                    == &Problem::Encode(EncodeError::TooLong))
        );
        dynamic::encode_framed(&ty, &value)
    });
    assert_eq!(framed.unwrap_err().problem(), &Problem::Encode(EncodeError::TooLong));
}
