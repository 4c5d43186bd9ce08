//! Hand-written types that lie: what one counts and writes, where it reads on after a fault, what it fills and takes back
//! comes from the input, and it stands in every container. Whatever it answers, every byte that is handed out was
//! written (valgrind looks at that: `.ci/valgrind`), nothing is dropped twice or forgotten, and what is read ends.

use kiln::__private::{Filled, Slot};
use kiln::schema::{Scalar, Shape};
use kiln::wire::{Chunk, Measure, Sink, Source};
use kiln::{
    Batch, BatchSeek, BatchStream, BatchWriter, Decode, Encode, EncodeError, Fault, Frozen, Limits, ListView,
    Reason,
};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::Cursor;
use std::rc::Rc;
use std::sync::Arc;

thread_local! {
    /// The answers that are left, from the last one on.
    static ANSWERS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Values made, less those dropped.
    static ALIVE: Cell<isize> = const { Cell::new(0) };
}

/// The next answer; 255 when there are no more.
fn answer() -> u8 {
    ANSWERS.with_borrow_mut(Vec::pop).unwrap_or(255)
}

/// What is counted while it is alive, and owns memory, so that a second drop is one of the allocator's too.
#[derive(Debug)]
struct Life(Box<u8>);

impl Life {
    fn new(value: u8) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Life(Box::new(value))
    }
}

impl Clone for Life {
    fn clone(&self) -> Self {
        Life::new(*self.0)
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// A type whose facts are said and need not be true.
#[derive(Clone, Debug)]
struct Hand<const MIN_LEN: usize, const DEPTH: u32, const FIXED: bool, const TOTAL: bool>(Life);

impl<const MIN_LEN: usize, const DEPTH: u32, const FIXED: bool, const TOTAL: bool> Frozen
    for Hand<MIN_LEN, DEPTH, FIXED, TOTAL>
{
    const MIN_LEN: usize = MIN_LEN;
    const FIXED: bool = FIXED;
    const TOTAL: bool = TOTAL;
    const DEPTH: u32 = DEPTH;

    fn shape() -> Shape {
        Shape::Scalar(Scalar::U8)
    }
}

impl<const MIN_LEN: usize, const DEPTH: u32, const FIXED: bool, const TOTAL: bool> Encode
    for Hand<MIN_LEN, DEPTH, FIXED, TOTAL>
{
    fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
        loop {
            match answer() {
                0..=3 => measure.add(MIN_LEN),
                4..=7 => measure.add(usize::from(answer() % 40)),
                8 => measure.add(usize::MAX),
                9 => measure.add_items(usize::from(answer()), usize::MAX / 2),
                10 => measure.run(usize::from(answer() % 9))?,
                11 => measure.count(usize::from(answer()))?,
                12 => measure.enter()?,
                13 => measure.leave(),
                14 => measure.element(&Some(7u8))?,
                15 => measure.elements::<u16>(usize::from(answer() % 4))?,
                16 => measure.element(&vec!["text"; usize::from(answer() % 3)])?,
                17 => return Err(EncodeError::TooLong),
                18..=40 => {}
                _ => return Ok(()),
            }
            if answer() > 200 {
                return Ok(());
            }
        }
    }

    fn encode<S: Sink>(&self, sink: &mut S) {
        const WRITTEN: [u8; 300] = [0x55; 300];
        loop {
            match answer() {
                0..=3 => sink.run(&WRITTEN[..MIN_LEN]),
                4..=7 => sink.run(&WRITTEN[..usize::from(answer() % 40)]),
                8 => sink.put([1u8; 3]),
                9 => sink.run(&WRITTEN),
                10 => sink.count(usize::from(answer())),
                11 => sink.element(&Some(7u8)),
                12 => sink.element(&vec!["text"; usize::from(answer() % 3)]),
                13 => sink.put(0u64.to_le_bytes()),
                14..=40 => {}
                _ => return,
            }
            if answer() > 200 {
                return;
            }
        }
    }
}

/// Reads as the answers say, and swallows the faults that they say.
fn read<'de, S: Source<'de>>(source: &mut S, min_len: usize) -> Result<u8, Fault> {
    let offset = source.offset();
    for _ in 0..8 {
        let fault = match answer() {
            0..=3 => source.take(min_len).err(),
            4 => source.array::<3>().err(),
            5 => source.take(usize::from(answer())).err(),
            6 => source
                .chunk(usize::from(answer() % 16), u32::from(answer() % 70))
                .map(drop)
                .is_none()
                .then(|| Fault::new(Reason::Short, offset)),
            7 => source.count(usize::from(answer() % 4)).err(),
            8 => source.exact_count(usize::from(answer() % 4), 1).err(),
            9 => source.run().err(),
            10 => source.text().err(),
            11 => source.enter().err(),
            12 => {
                source.leave();
                None
            }
            13 => source.charge(usize::from(answer()), offset).err(),
            14 => source.charge_items(usize::MAX, usize::from(answer()), usize::MAX).err(),
            15 => Vec::<Option<u8>>::decode(source).err(),
            16 => Some(Fault::new(Reason::Refused, usize::from(answer()))),
            17 => Some(Fault::new(Reason::Short, usize::MAX)),
            _ => break,
        };
        if let Some(fault) = fault {
            // Half of the faults are passed over.
            if answer() & 1 == 1 {
                return Err(fault);
            }
        }
    }
    Ok(answer())
}

impl<'de, const MIN_LEN: usize, const DEPTH: u32, const FIXED: bool, const TOTAL: bool> Decode<'de>
    for Hand<MIN_LEN, DEPTH, FIXED, TOTAL>
{
    fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
        read(source, MIN_LEN).map(|value| Hand(Life::new(value)))
    }

    fn decode_at<'s, S: Source<'de>>(
        source: &mut S,
        slot: Slot<'s, Self>,
    ) -> Result<Filled<'s, Self>, Fault> {
        let mut filled = slot.fill(Self::decode(source)?);
        match answer() {
            0..=9 => filled.0 = Life::new(1),
            10..=19 => drop(filled.0.clone()),
            20..=29 => return Err(Fault::new(Reason::Refused, source.offset())),
            _ => {}
        }
        Ok(filled)
    }

    fn decode_fixed(chunk: Chunk<'de>) -> Result<Self, Fault> {
        match (answer(), chunk.bytes.first()) {
            (0..=9, _) | (_, None) => Err(Fault::new(Reason::Refused, chunk.offset)),
            (_, Some(first)) => Ok(Hand(Life::new(*first))),
        }
    }

    fn validate<S: Source<'de>>(source: &mut S) -> Result<(), Fault> {
        read(source, MIN_LEN).map(drop)
    }

    fn validate_fixed(chunk: Chunk<'de>) -> Result<(), Fault> {
        if answer() < 10 { Err(Fault::new(Reason::Refused, chunk.offset)) } else { Ok(()) }
    }

    fn decode_into<S: Source<'de>>(source: &mut S, place: &mut Self) -> Result<(), Fault> {
        if answer() & 1 == 1 {
            *place = Self::decode(source)?;
        } else {
            *place.0.0 = read(source, MIN_LEN)?;
        }
        Ok(())
    }
}

#[derive(Frozen, Clone, Debug)]
struct Between<T> {
    before: u64,
    value: T,
    after: Vec<u16>,
}

#[derive(Frozen, Clone, Debug)]
struct Fields<T> {
    first: T,
    array: [T; 2],
    last: u8,
}

/// Looks at every byte, so that valgrind does.
fn look(bytes: &[u8]) {
    assert!(bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>() <= 255 * bytes.len() as u64);
}

fn write<T: Encode + ?Sized>(value: &T) {
    if let Ok(bytes) = kiln::to_vec(value) {
        look(&bytes);
    }
    let mut out = [0xaa; 80];
    let written = kiln::encode_to_slice(value, &mut out);
    look(&out);
    if let Ok(len) = written {
        assert!(out[len..].iter().all(|byte| *byte == 0xaa), "written behind the value");
    }
    let mut out = vec![1, 2, 3];
    let appended = kiln::encode_into(value, &mut out).is_ok();
    look(&out);
    assert!(out.starts_with(&[1, 2, 3]) && (appended || out.len() == 3));
    let mut out = Vec::new();
    let streamed = kiln::write_to(value, &mut out);
    look(&out);
    assert!(streamed.map_or(true, |len| len == out.len() as u64));
}

fn write_batches<T: Encode>(records: &[T]) {
    let mut out = vec![9];
    let mut writer = BatchWriter::new(&mut out);
    let accepted = records.iter().filter(|record| writer.push(record).is_ok()).count();
    assert_eq!(writer.finish(), accepted);
    look(&out);
    let count = u32::try_from(records.len()).expect("a few records");
    if let Ok(mut stream) = BatchStream::new(Vec::new(), count) {
        let accepted = records.iter().filter(|record| stream.push(record).is_ok()).count();
        let finished = stream.finish();
        assert!(accepted == records.len() || finished.is_err(), "finished over a hole");
        look(&finished.unwrap_or_default());
    }
    if let Ok(mut seek) = BatchSeek::new(Cursor::new(Vec::new())) {
        let accepted = records.iter().filter(|record| seek.push(record).is_ok()).count();
        if let Ok(finished) = seek.finish() {
            let bytes = finished.into_inner();
            look(&bytes);
            assert!(bytes.starts_with(&(accepted as u32).to_le_bytes()), "a record that failed is counted");
        }
    }
}

fn read_as<'de, T: Decode<'de>>(bytes: &'de [u8], limits: &Limits) {
    if let Err(error) = kiln::validate_with::<T>(bytes, limits) {
        assert!(!error.describe(bytes).to_string().is_empty());
    }
    drop(kiln::from_prefix_with::<T>(bytes, limits));
    if let Ok(mut value) = kiln::from_slice_with::<T>(bytes, limits) {
        let _ = kiln::decode_into_with(bytes, &mut value, limits);
        let _ = kiln::decode_into_with(&bytes[..bytes.len() / 2], &mut value, limits);
    }
}

fn read_batches<'de, T: Decode<'de>>(bytes: &'de [u8], limits: &Limits) {
    if let Ok(batch) = Batch::<T>::read_with(bytes, limits) {
        batch.take(300).for_each(drop);
    }
    if let Ok(index) = Batch::<T>::index_with(bytes, limits) {
        index.iter().take(300).for_each(drop);
        drop(index.get(index.len() / 2));
    }
}

/// A type in every container, written and read.
fn everywhere<T: for<'de> Decode<'de> + Encode + Clone>(value: &T, bytes: &[u8], limits: &Limits) {
    let some = |count| vec![value.clone(); count];
    fn between<V>(value: V) -> Between<V> {
        Between { before: 1, value, after: vec![2, 3] }
    }
    let fields = || Fields { first: value.clone(), array: [value.clone(), value.clone()], last: 4 };
    match answer() % 14 {
        0 => write(value),
        1 => write(&some(3)),
        2 => write(&Some(value.clone())),
        3 => write(&vec![Some(value.clone()), None, Some(value.clone())]),
        4 => write(&(vec![1u64], value.clone(), Some(2u32), "text")),
        5 => write(&between(value.clone())),
        6 => write(&vec![between(some(1)), between(vec![])]),
        7 => write(&(fields(), vec![fields()], vec![7u32; 5])),
        8 => write(&BTreeMap::from([("a", value.clone()), ("b", value.clone())])),
        9 => write(&HashMap::from([("a".to_owned(), Some(value.clone()))])),
        10 => write(&(VecDeque::from(some(2)), Cow::Borrowed(&some(2)[..]), [value.clone(), value.clone()])),
        11 => write(&(Box::new(value.clone()), Rc::new(Some(value.clone())), Arc::<[T]>::from(some(2)))),
        12 => write(&vec![vec![some(1), vec![]], vec![some(2)]]),
        _ => write_batches(&some(4)),
    }
    match answer() % 16 {
        0 => read_as::<T>(bytes, limits),
        1 => read_as::<Vec<T>>(bytes, limits),
        2 => read_as::<[T; 3]>(bytes, limits),
        3 => read_as::<Option<T>>(bytes, limits),
        4 => read_as::<(Box<T>, Rc<T>, Arc<T>)>(bytes, limits),
        5 => read_as::<Box<[[T; 2]; 2]>>(bytes, limits),
        6 => read_as::<(VecDeque<T>, Box<[T]>, Rc<[T]>)>(bytes, limits),
        7 => read_as::<BTreeMap<String, T>>(bytes, limits),
        8 => read_as::<HashMap<String, Option<T>>>(bytes, limits),
        9 => read_as::<(u8, T, String)>(bytes, limits),
        10 => read_as::<Between<T>>(bytes, limits),
        11 => read_as::<Vec<Between<Option<Box<T>>>>>(bytes, limits),
        12 => read_as::<Fields<T>>(bytes, limits),
        13 => read_as::<Vec<Fields<T>>>(bytes, limits),
        14 => read_as::<Cow<'_, [T]>>(bytes, limits),
        _ => read_batches::<T>(bytes, limits),
    }
}

/// The same of a type that says it is of fixed size, which can be left in the buffer.
fn viewed<T: for<'de> Decode<'de> + Encode + Clone>(value: &T, bytes: &[u8], limits: &Limits) {
    everywhere(value, bytes, limits);
    if let Ok(view) = kiln::from_slice_with::<ListView<'_, T>>(bytes, limits) {
        assert!(view.iter().count() <= view.len() && view.to_vec().len() <= view.len());
        drop((view.get(0), view.iter().next_back(), view.as_slice().is_some()));
        write(&view);
    }
}

/// Checks the input: the first byte chooses the type, the second how many answers there are, then come the bytes.
pub(crate) fn run(input: &[u8]) {
    let [kind, answers, input @ ..] = input else { return };
    let (answers, bytes) = input.split_at(usize::from(*answers).min(input.len()));
    ANSWERS.set(answers.iter().rev().copied().collect());
    ALIVE.set(0);
    let limits = Limits::DEFAULT.with_count(1000).with_owned(1 << 20);
    let life = || Life::new(7);
    match kind % 4 {
        0 => everywhere::<Hand<1, 0, false, false>>(&Hand(life()), bytes, &limits),
        1 => everywhere::<Hand<9, 63, false, true>>(&Hand(life()), bytes, &limits),
        2 => viewed::<Hand<3, 1, true, true>>(&Hand(life()), bytes, &limits),
        _ => viewed::<Hand<8, 64, true, false>>(&Hand(life()), bytes, &limits),
    }
    assert_eq!(ALIVE.get(), 0, "values that were dropped twice or never");
}
