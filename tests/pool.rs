//! Work that one thread does faster leaves the thread pool of the program alone: it is not even started. The only test
//! in its program, since a pool that was started stays.
#![cfg(feature = "rayon")]

use kiln::tensor::{AlignedBytes, Builder, Directory, Dtype, OwnedDirectory};

#[test]
fn small_work_starts_no_threads() {
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
