//! Batches: what is written one by one is a list, and what is a list is read one by one.

use kiln::{
    Batch, BatchSeek, BatchStream, BatchWriter, Bytes, Code, EncodeError, Error, Frozen, Limits, Reason,
};
use std::io::{self, Cursor, Seek, SeekFrom, Write};

#[derive(Frozen, Clone, Debug, PartialEq)]
struct Record {
    id: u32,
    name: String,
    parts: Option<Vec<bool>>,
}

fn records(count: u32) -> Vec<Record> {
    let record = |id| Record {
        id,
        name: "x".repeat(id as usize % 5),
        parts: (id % 3 == 0).then(|| vec![true; id as usize % 4]),
    };
    (0..count).map(record).collect()
}

#[test]
fn a_batch_is_a_list_however_it_is_written() {
    for count in [0, 1, 2, 100] {
        let records = records(count);
        let list = kiln::to_vec(&records).unwrap();
        let framed = kiln::frame::to_vec(&records).unwrap();

        let mut out = vec![0xaa];
        let mut writer = BatchWriter::new(&mut out);
        records.iter().for_each(|record| writer.push(record).unwrap());
        assert_eq!((writer.len(), writer.is_empty()), (count as usize, count == 0));
        assert_eq!(writer.finish(), count as usize);
        assert_eq!(out, [&[0xaa], &list[..]].concat());

        out.clear();
        let mut writer = BatchWriter::framed(&mut out);
        writer.extend_from_slice(&records).unwrap();
        writer.finish();
        assert_eq!(out, framed);

        let mut stream = BatchStream::new(Vec::new(), count).unwrap();
        records.iter().for_each(|record| stream.push(record).unwrap());
        assert_eq!(stream.remaining(), 0);
        assert_eq!(stream.finish().unwrap(), list);
        let mut stream = BatchStream::framed(Vec::new(), count).unwrap();
        stream.extend_from_slice(&records).unwrap();
        assert_eq!(stream.finish().unwrap(), framed);

        let mut start = Cursor::new(vec![0xaa; 3]);
        start.seek(SeekFrom::End(0)).unwrap();
        let mut seek = BatchSeek::new(start).unwrap();
        records.iter().for_each(|record| seek.push(record).unwrap());
        let mut end = seek.finish().unwrap();
        end.write_all(&[0xbb]).unwrap();
        assert_eq!(end.into_inner(), [&[0xaa; 3], &list[..], &[0xbb]].concat());
        let mut seek = BatchSeek::framed(Cursor::new(Vec::new())).unwrap();
        seek.extend_from_slice(&records).unwrap();
        assert_eq!((seek.len(), seek.is_empty()), (count as usize, count == 0));
        assert_eq!(seek.finish().unwrap().into_inner(), framed);

        let read: Vec<Record> = Batch::read(&list).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(read, records);
        let read: Vec<Record> = Batch::read_framed(&framed).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(read, records);
        assert_eq!(kiln::from_slice::<Vec<Record>>(&list).unwrap(), records);
    }
}

#[test]
fn plain_records_are_one_block() {
    let records = [(1.0f32, 2.0f32), (3.0, 4.0)];
    let mut out = Vec::new();
    let mut writer = BatchWriter::new(&mut out);
    writer.extend_from_slice(&records).unwrap();
    writer.push(&(5.0, 6.0)).unwrap();
    assert_eq!(writer.finish(), 3);
    assert_eq!(out, kiln::to_vec(&[(1.0f32, 2.0f32), (3.0, 4.0), (5.0, 6.0)]).unwrap());
}

#[test]
fn an_unfinished_batch_leaves_the_vector_as_it_was() {
    let mut out = vec![1, 2, 3];
    let mut writer = BatchWriter::framed(&mut out);
    writer.push(&7u8).unwrap();
    drop(writer);
    assert_eq!(out, [1, 2, 3]);
}

#[test]
fn a_record_that_cannot_be_written_leaves_the_batch_as_it_was() {
    use nesting::Nest;
    let deep = |levels: u32| (1..levels).fold(Nest(vec![]), |inner, _| Nest(vec![inner]));
    let mut out = Vec::new();
    let mut writer = BatchWriter::new(&mut out);
    writer.push(&deep(63)).unwrap();
    // Inside the batch, which is a list itself, sixty-four are one too many.
    assert_eq!(writer.push(&deep(64)), Err(EncodeError::TooDeep));
    writer.push(&deep(1)).unwrap();
    assert_eq!(writer.finish(), 2);
    assert_eq!(Batch::<Nest>::read(&out).unwrap().filter_map(Result::ok).count(), 2);

    let mut stream = BatchStream::new(Vec::new(), 1).unwrap();
    let error = stream.push(&deep(64)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    stream.push(&deep(63)).unwrap();
    assert_eq!(stream.finish().unwrap(), kiln::to_vec(&[deep(63)]).unwrap());
}

/// Lists in lists, by hand.
mod nesting {
    use kiln::schema::Shape;
    use kiln::wire::{Measure, Sink, Source};
    use kiln::{Decode, Encode, EncodeError, Fault, Frozen};

    #[derive(Debug)]
    pub(crate) struct Nest(pub(crate) Vec<Nest>);

    impl Frozen for Nest {
        const MIN_LEN: usize = 4;
        const DEPTH: u32 = 1;

        fn shape() -> Shape {
            Shape::List(Self::shape)
        }
    }

    impl Encode for Nest {
        fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
            self.0.measure(measure)
        }

        fn encode<S: Sink>(&self, sink: &mut S) {
            self.0.encode(sink);
        }
    }

    impl<'de> Decode<'de> for Nest {
        fn decode<S: Source<'de>>(source: &mut S) -> Result<Self, Fault> {
            Vec::decode(source).map(Nest)
        }
    }
}

#[test]
fn a_record_inside_a_batch_is_one_container_deep() {
    let list = |levels: usize| [[1, 0, 0, 0].repeat(levels - 1), vec![0; 4]].concat();
    let passes = list(64);
    assert!(Batch::<nesting::Nest>::read(&passes).unwrap().next().unwrap().is_ok());
    let fails = list(65);
    let error = Batch::<nesting::Nest>::read(&fails).unwrap().next().unwrap().unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Depth, 256));
}

#[test]
fn another_number_of_records_than_announced_is_an_error() {
    let mistake = |error: io::Error| {
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        *error.get_ref().unwrap().downcast_ref::<EncodeError>().unwrap()
    };
    let mut stream = BatchStream::new(Vec::new(), 2).unwrap();
    stream.push(&1u8).unwrap();
    assert_eq!(stream.remaining(), 1);
    assert_eq!(
        mistake(stream.extend_from_slice(&[2, 3]).unwrap_err()),
        EncodeError::BatchCount { announced: 2, written: 3 }
    );
    // Nothing of that was written, and the batch goes on.
    stream.push(&2).unwrap();
    assert_eq!(mistake(stream.push(&3).unwrap_err()), EncodeError::BatchCount { announced: 2, written: 3 });
    assert_eq!(stream.finish().unwrap(), [2, 0, 0, 0, 1, 2]);

    let mut stream = BatchStream::new(Vec::new(), 2).unwrap();
    stream.push(&1u8).unwrap();
    assert_eq!(mistake(stream.finish().unwrap_err()), EncodeError::BatchCount { announced: 2, written: 1 });
}

/// Takes three bytes at a time, then interrupts.
struct Slow {
    out: Vec<u8>,
    calls: usize,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls % 2 == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let taken = bytes.len().min(3);
        self.out.extend(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_slow_stream_gets_every_byte_and_long_records_pass_through() {
    let long = vec![7u8; 100_000];
    let records: Vec<Bytes> =
        vec![Bytes(&[1]), Bytes(&long), Bytes(&[]), Bytes(&long[..16_380]), Bytes(&[2])];
    let mut stream = BatchStream::new(Slow { out: Vec::new(), calls: 0 }, 5).unwrap();
    records.iter().for_each(|record| stream.push(record).unwrap());
    assert_eq!(stream.finish().unwrap().out, kiln::to_vec(&records).unwrap());
}

#[test]
fn a_stream_that_fails_says_so() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    assert_eq!(BatchStream::<_, u8>::new(Full(3), 1).err().unwrap().kind(), io::ErrorKind::StorageFull);
    let mut stream = BatchStream::new(Full(5), 2).unwrap();
    stream.push(&1u8).unwrap();
    stream.push(&2u8).unwrap();
    assert_eq!(stream.finish().err().unwrap().kind(), io::ErrorKind::StorageFull);
}

fn items<'de, T: kiln::Decode<'de>>(bytes: &'de [u8]) -> Vec<Result<T, (Code, u64)>> {
    let batch = Batch::<T>::read(bytes).unwrap();
    batch.map(|item| item.map_err(|error: Error| (error.code(), error.offset()))).collect()
}

#[test]
fn bytes_after_the_last_record_are_trailing_once() {
    assert_eq!(items::<u16>(&[1, 0, 0, 0, 7, 0, 9]), [Ok(7), Err((Code::Trailing, 6))]);
    assert_eq!(items::<u16>(&[0, 0, 0, 0, 9]), [Err((Code::Trailing, 4))]);
    assert_eq!(items::<u16>(&[0, 0, 0, 0]), []);
    assert_eq!(items::<String>(&[1, 0, 0, 0, 0, 0, 0, 0, 0]), [Ok(String::new()), Err((Code::Trailing, 8))]);
}

#[test]
fn an_error_is_the_last_item_and_names_the_record() {
    let bytes = [3, 0, 0, 0, 1, 0, 2, 5, 1, 1];
    let mut batch = Batch::<(bool, u8)>::read(&bytes).unwrap();
    assert_eq!(batch.remaining(), 3);
    assert_eq!(batch.next(), Some(Ok((true, 0))));
    assert_eq!(batch.remaining(), 2);
    let error = batch.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "TYPE at byte 6 (0x6), in [1].0: a bool byte is neither 0 nor 1");
    assert_eq!((batch.remaining(), batch.size_hint()), (0, (0, Some(0))));
    assert!(batch.next().is_none() && batch.next().is_none());
    let mut place = (false, 0);
    assert!(batch.next_into(&mut place).is_none());

    let framed = kiln::frame::to_vec(&[Some(true)]).unwrap();
    let damaged = [&framed[..20], &[1, 2]].concat();
    let error = Batch::<Option<bool>>::read_framed(&damaged).unwrap().next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "TYPE at byte 21 (0x15), in [0]: a bool byte is neither 0 nor 1");
}

#[test]
fn the_count_is_checked_when_the_batch_is_opened() {
    let refused = |bytes: &[u8], limits: &Limits| {
        let error = Batch::<u32>::read_with(bytes, limits).unwrap_err();
        (error.code(), error.offset())
    };
    assert_eq!(refused(&[1, 0, 0], &Limits::DEFAULT), (Code::Eof, 0));
    assert_eq!(refused(&[1, 0, 0, 0, 7, 0, 0], &Limits::DEFAULT), (Code::Eof, 0));
    assert_eq!(refused(&[3, 0, 0, 0], &Limits::DEFAULT.with_count(2)), (Code::Limit, 0));
    let framed = kiln::frame::to_vec(&[7u32]).unwrap();
    assert_eq!(Batch::<u32>::read_framed(&framed[..19]).unwrap_err().offset(), 16);
    assert_eq!(Batch::<i32>::read_framed(&framed).unwrap_err().code(), Code::Schema);
    let limits = Limits::DEFAULT.with_count(0);
    assert_eq!(Batch::<u32>::read_framed_with(&framed, &limits).unwrap_err().code(), Code::Limit);
}

/// Compares the hint before each item with the items that then come.
fn holds<T: for<'de> kiln::Decode<'de>>(bytes: &[u8]) {
    let mut batch = Batch::<T>::read(bytes).unwrap();
    let mut hints = vec![batch.size_hint()];
    while batch.next().is_some() {
        hints.push(batch.size_hint());
    }
    let items = hints.len() - 1;
    for (done, (low, high)) in hints.into_iter().enumerate() {
        let rest = items - done;
        assert!(low <= rest && rest <= high.unwrap(), "{low} {rest} {high:?} of {bytes:?}");
    }
}

#[test]
fn the_size_hint_holds_what_comes() {
    let good = kiln::to_vec(&records(9)).unwrap();
    for cut in 0..8 {
        let mut damaged = good[..good.len() - cut].to_vec();
        holds::<Record>(&damaged);
        damaged.extend([9, 9, 9]);
        holds::<Record>(&damaged);
    }
    let fixed = kiln::to_vec(&[1u16, 2, 3]).unwrap();
    holds::<u16>(&fixed);
    holds::<u16>(&[&fixed[..], &[1]].concat());
    holds::<bool>(&[3, 0, 0, 0, 1, 2, 1]);
    // Records of a fixed size are all there, and whether something follows them is known.
    assert_eq!(Batch::<u16>::read(&fixed).unwrap().size_hint(), (1, Some(3)));
}

#[test]
fn records_can_be_borrowed_and_outlive_the_batch() {
    let bytes = kiln::to_vec(&["one", "two"]).unwrap();
    let words: Vec<&str> = {
        let batch = Batch::<&str>::read(&bytes).unwrap();
        batch.map(Result::unwrap).collect()
    };
    assert_eq!(words, ["one", "two"]);
}

#[test]
fn an_index_reads_records_in_any_order() {
    let records = records(100);
    let list = kiln::to_vec(&records).unwrap();
    let framed = kiln::frame::to_vec(&records).unwrap();
    let one = kiln::to_vec(&records[..1]).unwrap().len();
    for (index, start) in
        [(Batch::<Record>::index(&list).unwrap(), 0), (Batch::index_framed(&framed).unwrap(), 16)]
    {
        assert_eq!((index.len(), index.is_empty()), (100, false));
        assert_eq!((index.offset(0), index.offset(1)), (Some(start + 4), Some(start + one)));
        for at in [99, 0, 50, 1] {
            assert_eq!(index.get(at).unwrap().unwrap(), records[at]);
        }
        assert!(index.get(100).is_none() && index.offset(100).is_none() && index.get(usize::MAX).is_none());
        assert_eq!(index.iter().collect::<Result<Vec<_>, _>>().unwrap(), records);
        assert_eq!(index.iter().next_back().unwrap().unwrap(), records[99]);
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            assert_eq!(index.par_iter().collect::<Result<Vec<_>, _>>().unwrap(), records);
        }
    }
    let fixed: Vec<(u32, bool)> = (0..10).map(|n| (n, n % 2 == 0)).collect();
    let bytes = kiln::to_vec(&fixed).unwrap();
    let index = Batch::<(u32, bool)>::index_with(&bytes, &Limits::DEFAULT.with_owned(0)).unwrap();
    assert_eq!((index.offset(9), index.offset(10), index.get(9)), (Some(49), None, Some(Ok((9, false)))));
    assert!(Batch::<u8>::index(&[0; 4]).unwrap().is_empty());
    assert!(Batch::<&str>::index(&[0; 4]).unwrap().is_empty());
}

#[test]
fn an_index_is_refused_as_the_list_is() {
    let bytes = kiln::to_vec(&records(5)).unwrap();
    let agree = |bytes: &[u8]| {
        let list = kiln::from_slice::<Vec<Record>>(bytes).map(drop);
        assert_eq!(Batch::<Record>::index(bytes).map(drop), list, "{bytes:02x?}");
        list.is_ok()
    };
    for len in 0..bytes.len() {
        assert!(!agree(&bytes[..len]));
    }
    assert!(agree(&bytes) && !agree(&[&bytes[..], &[0]].concat()));
    for at in 0..bytes.len() {
        for damage in [1, 2, 3, 0x41, 0x7f, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= damage;
            agree(&damaged);
        }
    }
    let budget = Limits::DEFAULT.with_owned(5 * size_of::<usize>() as u64);
    let index = Batch::<Record>::index_with(&bytes, &budget).unwrap();
    assert!(index.get(0).unwrap().is_ok());
    let error = Batch::<Record>::index_with(&bytes, &budget.with_owned(budget.owned - 1)).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Budget, 0));
    // Each record has the budget to itself.
    let long = kiln::to_vec(&["", &"x".repeat(40)]).unwrap();
    let index = Batch::<String>::index_with(&long, &Limits::DEFAULT.with_owned(39)).unwrap();
    let error = index.get(1).unwrap().unwrap_err();
    assert_eq!((index.get(0), error.reason(), error.offset()), (Some(Ok(String::new())), Reason::Budget, 8));
    assert_eq!(error.to_string().split(':').next(), Some("LIMIT at byte 8 (0x8), in [1]"));
}

#[test]
fn batches_show_how_many_records_they_have() {
    let bytes = kiln::to_vec(&["one", "two"]).unwrap();
    let mut batch = Batch::<&str>::read(&bytes).unwrap();
    assert_eq!(format!("{batch:?}"), "Batch { remaining: 2, .. }");
    assert_eq!(batch.next(), Some(Ok("one")));
    assert_eq!(format!("{batch:?}"), "Batch { remaining: 1, .. }");
    assert_eq!(format!("{:?}", Batch::<&str>::index(&bytes).unwrap()), "BatchIndex { len: 2, .. }");
    assert_eq!(
        format!("{:?}", Batch::<u8>::index(&[3, 0, 0, 0, 1, 2, 3]).unwrap()),
        "BatchIndex { len: 3, .. }"
    );
}

/// Longer records are asked for ahead of their turn, beyond the end of what there is in the end.
#[test]
fn records_of_every_fixed_size_are_read_to_the_last() {
    fn each<T>(len: usize, record: fn(u64) -> T)
    where
        T: kiln::Encode + for<'de> kiln::Decode<'de> + PartialEq + std::fmt::Debug,
    {
        for count in [0, 1, 2, 300] {
            let records: Vec<T> = (0..count).map(record).collect();
            let bytes = kiln::to_vec(&records).unwrap();
            assert_eq!(bytes.len(), 4 + len * records.len());
            let read: Result<Vec<T>, _> = Batch::read(&bytes).unwrap().collect();
            assert_eq!(read, Ok(records), "{count} records of {len} bytes");
        }
    }
    let four = |at: u64| (at, at + 1, !at, 7u64);
    each(8, |at| (at,));
    each(24, |at| (at, at + 1, !at));
    each(32, four);
    each(40, |at| (at, (at, at + 1, !at, 7u64)));
    each(64, |at| ((at, at + 1, !at, 7u64), (at, 1u64, 2u64, 3u64)));
    each(72, |at| (at, (at, at + 1, !at, 7u64), (at, 1u64, 2u64, 3u64)));
    each(256, |at| {
        let part = ((at, at + 1), (!at, 7u64));
        ((part, part, part, part), (part, part, part, part))
    });
    each(264, |at| {
        let part = ((at, at + 1), (!at, 7u64));
        ((part, part, part, part), at, (part, part, part, part))
    });
}
