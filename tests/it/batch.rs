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
        mistake(&error).unwrap()
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

/// What a stream does once instead of taking bytes.
#[derive(Clone, Copy, Debug)]
enum Ill {
    Says(io::ErrorKind),
    TakesNothing,
    TakesTooMuch,
    Panics,
}

impl Ill {
    fn strike(self) -> io::Result<usize> {
        match self {
            Ill::Says(kind) => Err(kind.into()),
            Ill::TakesNothing => Ok(0),
            Ill::TakesTooMuch => Ok(usize::MAX),
            // As a panic, but for the message.
            Ill::Panics => std::panic::resume_unwind(Box::new("in the stream")),
        }
    }
}

/// Takes fifty bytes at a time, and is ill once: when it holds `at` bytes, or when it is flushed.
struct IllOnce {
    out: Cursor<Vec<u8>>,
    at: usize,
    at_flush: bool,
    ill: Option<Ill>,
}

impl Write for IllOnce {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_ill = self.out.get_ref().len() >= self.at && !self.at_flush;
        if let Some(ill) = self.ill.take_if(|_| is_ill) {
            return ill.strike();
        }
        let taken = bytes.len().min(50);
        self.out.write(&bytes[..taken])
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.ill.take_if(|_| self.at_flush) {
            Some(Ill::TakesNothing | Ill::TakesTooMuch) => Err(io::ErrorKind::WriteZero.into()),
            Some(ill) => ill.strike().map(drop),
            None => Ok(()),
        }
    }
}

impl Seek for IllOnce {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

/// A panic as an error.
fn caught<R>(work: impl FnOnce() -> io::Result<R>) -> io::Result<R> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(io::Error::other("unwound")))
}

fn mistake(error: &io::Error) -> Option<EncodeError> {
    error.get_ref()?.downcast_ref().copied()
}

/// Uses a stream on and on whatever it says, and tests that nothing works after the first error. Gives what was written
/// if there was none.
macro_rules! on_and_on {
    ($batch:expr, $records:expr, $what:expr) => {{
        let mut batch = $batch;
        let mut lost = false;
        for record in $records {
            let pushed = caught(|| batch.push(record));
            if lost {
                assert_eq!(mistake(&pushed.unwrap_err()), Some(EncodeError::BatchLost), "{:?}", $what);
                let extended = batch.extend_from_slice(&[]).unwrap_err();
                assert_eq!(mistake(&extended), Some(EncodeError::BatchLost), "{:?}", $what);
            } else {
                lost = pushed.is_err();
            }
        }
        match caught(|| batch.finish()) {
            Ok(out) if !lost => Some(out),
            Ok(_) => panic!("finished over a hole: {:?}", $what),
            Err(error) => {
                assert!(!lost || mistake(&error) == Some(EncodeError::BatchLost), "{:?}", $what);
                None
            }
        }
    }};
}

#[test]
fn a_stream_that_has_failed_once_never_finishes() {
    let short: Vec<String> = (0..1_000).map(|len| "x".repeat(len % 40)).collect();
    // Some too long to be gathered.
    let long: Vec<String> = (0..20).map(|at| "y".repeat(at % 3 * 10_000)).collect();
    let kinds = [io::ErrorKind::WouldBlock, io::ErrorKind::StorageFull, io::ErrorKind::TimedOut];
    let ills = kinds.map(Ill::Says).into_iter().chain([Ill::TakesNothing, Ill::TakesTooMuch, Ill::Panics]);
    for (records, ill) in [&short, &long].into_iter().flat_map(|all| ills.clone().map(move |ill| (all, ill)))
    {
        let list = kiln::to_vec(records).unwrap();
        let count = records.len() as u32;
        let last = list.len() - 1;
        // Only what was never ill is written to the end.
        let whole = |written: Option<IllOnce>| {
            if let Some(written) = written {
                assert!(written.ill.is_some());
                assert_eq!(written.out.into_inner(), list);
            }
        };
        for (at, at_flush) in
            [(0, true)].into_iter().chain([4, 100, 17_000, 40_000, last].map(|at| (at, false)))
        {
            let stream = || IllOnce { out: Cursor::new(Vec::new()), at, at_flush, ill: Some(ill) };
            let what = (ill, at, at_flush);
            let batch = BatchStream::new(stream(), count).unwrap();
            whole(on_and_on!(batch, records, what));
            let Ok(batch) = caught(|| BatchSeek::new(stream())) else {
                assert!(at <= 4, "{what:?}");
                continue;
            };
            whole(on_and_on!(batch, records, what));
        }
        // Interruptions are no errors.
        let stream = IllOnce {
            out: Cursor::new(Vec::new()),
            at: 100,
            at_flush: false,
            ill: Some(Ill::Says(io::ErrorKind::Interrupted)),
        };
        let written = on_and_on!(BatchSeek::new(stream).unwrap(), records, "interrupted");
        assert_eq!(written.unwrap().out.into_inner(), list);
    }
}

/// A record that does not what it says.
mod unruly {
    use kiln::schema::{Scalar, Shape};
    use kiln::wire::{Measure, Sink};
    use kiln::{Encode, EncodeError, Frozen};

    pub(crate) struct Unruly {
        pub(crate) announces: usize,
        pub(crate) writes: usize,
        pub(crate) panics: bool,
    }

    impl Frozen for Unruly {
        const MIN_LEN: usize = 1;

        fn shape() -> Shape {
            Shape::Scalar(Scalar::U8)
        }
    }

    impl Encode for Unruly {
        fn measure(&self, measure: &mut Measure) -> Result<(), EncodeError> {
            measure.add(self.announces);
            Ok(())
        }

        fn encode<S: Sink>(&self, sink: &mut S) {
            sink.run(&vec![7; self.writes]);
            if self.panics {
                std::panic::resume_unwind(Box::new("in the record"));
            }
        }
    }
}

#[test]
fn a_record_that_fails_half_way_leaves_no_half_of_it() {
    use unruly::Unruly;
    let well = || Unruly { announces: 3, writes: 3, panics: false };
    for (announces, writes, panics) in [
        (100, 99, false),
        (100, 101, false),
        (100, 100, true),
        (100, 0, true),
        (50_000, 49_999, false),
        (50_000, 50_001, false),
        (50_000, 20_000, true),
    ] {
        let what = (announces, writes, panics);
        // In memory the batch is as it was.
        let mut out = vec![0xaa];
        let mut writer = BatchWriter::new(&mut out);
        writer.push(&well()).unwrap();
        let ill = Unruly { announces, writes, panics };
        let pushed = caught(|| Ok(writer.push(&ill)?)).unwrap_err();
        assert!(panics || mistake(&pushed) == Some(EncodeError::LengthMismatch { announced: announces }));
        writer.push(&well()).unwrap();
        assert_eq!(writer.finish(), 2);
        assert_eq!(out, [0xaa, 2, 0, 0, 0, 7, 7, 7, 7, 7, 7]);

        // So it is on a stream as long as records are gathered; long ones are there by half.
        macro_rules! on_a_stream {
            ($batch:expr, $bytes:expr) => {{
                let (mut batch, bytes) = ($batch, $bytes);
                batch.push(&well()).unwrap();
                caught(|| batch.push(&ill)).unwrap_err();
                let pushed = batch.push(&well()).map_err(|error| mistake(&error));
                let finished = batch.finish().map_err(|error| mistake(&error));
                match announces {
                    100 => {
                        pushed.unwrap();
                        assert_eq!(bytes(finished.unwrap()), [2, 0, 0, 0, 7, 7, 7, 7, 7, 7], "{what:?}");
                    }
                    _ => {
                        assert_eq!(pushed, Err(Some(EncodeError::BatchLost)), "{what:?}");
                        assert_eq!(finished, Err(Some(EncodeError::BatchLost)), "{what:?}");
                    }
                }
            }};
        }
        on_a_stream!(BatchStream::new(Vec::new(), 2).unwrap(), |out: Vec<u8>| out);
        on_a_stream!(BatchSeek::new(Cursor::new(Vec::new())).unwrap(), Cursor::into_inner);
    }
}

#[test]
fn a_batch_that_is_never_finished_is_refused() {
    for pushed in [0, 1, 100, 10_000] {
        let mut out = Cursor::new(Vec::new());
        let mut batch = BatchSeek::new(&mut out).unwrap();
        batch.extend_from_slice(&vec![7u32; pushed]).unwrap();
        drop(batch);
        for limits in [Limits::DEFAULT, Limits::NONE] {
            Batch::<u32>::read_with(out.get_ref(), &limits).unwrap_err();
        }
        let mut out = Vec::new();
        let mut batch = BatchStream::new(&mut out, 10_000).unwrap();
        batch.extend_from_slice(&vec![7u32; pushed]).unwrap();
        drop(batch);
        // All of them at once are long enough to be passed on.
        assert_eq!(Batch::<u32>::read(&out).is_ok(), pushed == 10_000);
    }
}

#[test]
fn a_stream_that_says_it_has_taken_more_than_there_is_is_an_error() {
    struct Liar;
    impl Write for Liar {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len() + 1)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let builder = kiln::tensor::Builder::new();
    for error in [
        kiln::write_to(&7u8, &mut Liar).unwrap_err(),
        kiln::write_to(&vec![7u8; 100_000], &mut Liar).unwrap_err(),
        kiln::frame::write_to(&7u8, &mut Liar).unwrap_err(),
        builder.write_to(&mut Liar).unwrap_err(),
        BatchStream::<_, u8>::new(Liar, 1).err().unwrap(),
    ] {
        assert_eq!(error.kind(), io::ErrorKind::Other);
        assert_eq!(error.to_string(), "the stream says it has taken more than it was given");
    }
    use kiln::dynamic::{DecodeError, Json, Layout};
    let json = Json::new(kiln::schema::Type::parse("u8").unwrap()).unwrap();
    match json.decode_to(&[7], &Limits::DEFAULT, Layout::Compact, Liar) {
        Err(DecodeError::Io(error)) => assert_eq!(error.kind(), io::ErrorKind::Other),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_opened_for_appending_cannot_take_the_count_afterwards() {
    let path =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("batch-{}", std::process::id()));
    let open = |append: bool| {
        let mut options = std::fs::OpenOptions::new();
        options.read(true).create(true).append(append).write(!append).open(&path).unwrap()
    };
    let misplaced = |opened: io::Result<()>| match mistake(&opened.unwrap_err()) {
        Some(EncodeError::BatchPosition { expected, found }) => assert_ne!(expected, found),
        other => panic!("{other:?}"),
    };
    // Empty, with something in it, and gone to its end.
    for (content, goes_to_end) in [("", false), ("before", false), ("before", true)] {
        for framed in [false, true] {
            std::fs::write(&path, content).unwrap();
            let mut file = open(true);
            if goes_to_end {
                file.seek(SeekFrom::End(0)).unwrap();
            }
            let begin = |out| if framed { BatchSeek::<_, u32>::framed(out) } else { BatchSeek::new(out) };
            misplaced(begin(file.try_clone().unwrap()).map(drop));
            let mut buffered = io::BufWriter::new(&file);
            let begin = |out| if framed { BatchSeek::<_, u32>::framed(out) } else { BatchSeek::new(out) };
            misplaced(begin(&mut buffered).map(drop));
        }
    }
    // One that goes back is written to wherever it stands, through whatever gathers.
    std::fs::write(&path, "before").unwrap();
    let mut file = open(false);
    file.seek(SeekFrom::End(-2)).unwrap();
    let mut seek = BatchSeek::new(io::BufWriter::new(&file)).unwrap();
    seek.extend_from_slice(&[7u32; 9]).unwrap();
    drop(seek.finish().unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), [b"befo", &kiln::to_vec(&[7u32; 9]).unwrap()[..]].concat());
    std::fs::remove_file(&path).unwrap();
}

/// Goes to the end for each write from the second on, as a file does that is turned to appending while it is written.
struct TurnsToAppending {
    out: Cursor<Vec<u8>>,
    writes: usize,
    from: usize,
}

impl Write for TurnsToAppending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes += 1;
        if self.writes >= self.from {
            self.out.seek(SeekFrom::End(0))?;
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for TurnsToAppending {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

#[test]
fn the_count_is_looked_for_where_it_must_be_at_the_end_too() {
    // The count, the count again, the records, the count.
    for from in 1..=5 {
        let out = TurnsToAppending { out: Cursor::new(Vec::new()), writes: 0, from };
        let finished = BatchSeek::new(out).and_then(|mut batch| {
            batch.push(&1u32)?;
            batch.finish()
        });
        match finished {
            Ok(out) => assert_eq!((from, out.out.into_inner()), (5, kiln::to_vec(&[1u32]).unwrap())),
            Err(error) => {
                assert!(from < 5);
                let found = if from < 3 { 8 } else { 12 };
                assert_eq!(mistake(&error), Some(EncodeError::BatchPosition { expected: 4, found }));
            }
        }
    }
    // Somebody else has moved the stream.
    struct Shared<'a>(&'a std::cell::RefCell<Cursor<Vec<u8>>>);
    impl Write for Shared<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    impl Seek for Shared<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.borrow_mut().seek(to)
        }
    }
    let out = std::cell::RefCell::new(Cursor::new(Vec::new()));
    let mut batch = BatchSeek::new(Shared(&out)).unwrap();
    batch.push(&1u32).unwrap();
    out.borrow_mut().set_position(0);
    let error = batch.finish().err().unwrap();
    assert_eq!(mistake(&error), Some(EncodeError::BatchPosition { expected: 8, found: 4 }));
    assert_eq!(
        error.to_string(),
        "the stream stands at byte 4 where the batch goes on at 8; is it open for appending?"
    );
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
    assert_eq!(error.to_string(), "TYPE at byte 6 (0x6), in [1].0: a bool byte is neither 0 nor 1 (found 2)");
    assert_eq!((batch.remaining(), batch.size_hint()), (0, (0, Some(0))));
    assert!(batch.next().is_none() && batch.next().is_none());
    let mut place = (false, 0);
    assert!(batch.next_into(&mut place).is_none());

    let framed = kiln::frame::to_vec(&[Some(true)]).unwrap();
    let damaged = [&framed[..20], &[1, 2]].concat();
    let error = Batch::<Option<bool>>::read_framed(&damaged).unwrap().next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "TYPE at byte 21 (0x15), in [0]: a bool byte is neither 0 nor 1 (found 2)");
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
