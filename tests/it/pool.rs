//! Threads: work that one thread does faster leaves the pool of the program alone, and where no thread can be started
//! one does everything. Each test runs in a process of its own, since a pool that was started stays, and one that could
//! not be started stays away.
#![cfg(feature = "rayon")]

use kiln::tensor::{AlignedBytes, Builder, Directory, Dtype, OwnedDirectory};
use kiln::{Batch, Code};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use std::process::Command;

/// Runs this test alone in a process with so much stack for each thread that is started. True in that process.
///
/// Under an emulator KILN_RUNNER says what runs programs, as `.ci/cross` sets it.
fn alone(test: &str, stack: usize) -> bool {
    const ALONE: &str = "KILN_POOL_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let program = std::env::args().next().unwrap();
    let runner = std::env::var("KILN_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace().chain([&*program]);
    let mut child = Command::new(words.next().unwrap());
    child.args(words).args([test, "--exact", "--test-threads=1", "--nocapture"]).env(ALONE, "1");
    let output = child.env("RUST_MIN_STACK", stack.to_string()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("1 passed") && !text.contains("panicked"), "{out}{text}");
    false
}

/// More than any address space has left.
const NO_ROOM: usize = usize::MAX / 4 * 3;

/// Everything that is divided among threads where there are some.
fn do_everything() {
    // Long payloads of bools, and the copy of a large block.
    let payload = vec![1u8; 6 << 20];
    let mut builder = Builder::new();
    builder.push_bytes("mask", Dtype::Bool, &[6 << 20], &payload).unwrap();
    let mut block = builder.to_vec().unwrap();
    assert_eq!(Directory::read(&block).unwrap().len(), 1);
    assert_eq!(OwnedDirectory::read(&block[..]).unwrap().as_bytes(), block);
    block[5 << 20] = 2;
    let error = Directory::read(&block).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::Type, 5 << 20));
    let mut aligned = AlignedBytes::copy_of(&payload);
    aligned.assign(&payload);
    assert_eq!(aligned[..], payload);

    // A large table, whose names need one as well.
    let mut builder = Builder::new();
    for index in 0..140_000u32 {
        builder.push(format!("{}", index ^ 1), &[], &[0u8]).unwrap();
    }
    let block = builder.to_vec().unwrap();
    assert_eq!(Directory::read(&block).unwrap().index_of("7998"), Some(7999));

    // Records by their number, in every way that such an iterator can be run.
    let bytes = kiln::to_vec(&(0..5000u32).map(|number| number.to_string()).collect::<Vec<_>>()).unwrap();
    let index = Batch::<String>::index(&bytes).unwrap();
    let all: Vec<String> = index.par_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(all.last().map(String::as_str), Some("4999"));
    assert_eq!(index.par_iter().enumerate().filter(|(_, record)| record.is_ok()).count(), 5000);
    assert_eq!(index.par_iter().rev().collect::<Vec<_>>().len(), 5000);
    assert_eq!(index.par_iter().zip(index.par_iter()).filter(|(one, other)| one == other).count(), 5000);
}

#[test]
fn without_threads_one_does_everything() {
    if alone("pool::without_threads_one_does_everything", NO_ROOM) {
        assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "a thread was started");
        do_everything();
    }
}

/// Whoever starts the program's pool and goes on without it.
#[test]
fn a_pool_that_somebody_else_failed_to_start_is_done_without() {
    if alone("pool::a_pool_that_somebody_else_failed_to_start_is_done_without", 2 << 20) {
        let none = |_| Err(std::io::Error::other("no threads"));
        let pool = rayon::ThreadPoolBuilder::new().spawn_handler(none).build_global();
        assert!(pool.is_err(), "a pool without threads");
        // `rayon` says so once, by a panic that is caught.
        std::panic::set_hook(Box::new(|_| {}));
        do_everything();
    }
}

#[test]
fn small_work_starts_no_threads() {
    if !alone("pool::small_work_starts_no_threads", 2 << 20) {
        return;
    }
    let payload = vec![1u8; 3 << 20];
    let mut builder = Builder::new();
    builder.push_bytes("mask", Dtype::Bool, &[1 << 20], &payload[..1 << 20]).unwrap();
    for index in 0..8000u32 {
        builder.push(format!("{}", index ^ 1), &[], &payload[..1]).unwrap();
    }
    let block = builder.to_vec().unwrap();
    // Written to storage that is fresh, and over what is there.
    let mut aligned = AlignedBytes::copy_of(&payload);
    aligned.assign(&payload[1..]);
    assert_eq!(Directory::read(&block).unwrap().index_of("7998"), Some(8000));
    let mut owned = OwnedDirectory::read(&block[..]).unwrap();
    kiln::decode_into(&block, &mut owned).unwrap();
    assert_eq!(owned.len(), 8001);

    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    assert!(pool.build_global().is_ok(), "the pool was started");
}
