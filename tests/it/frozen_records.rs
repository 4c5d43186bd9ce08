//! The data sets of the benchmark of records: their first records are these bytes, in every version to come; and every
//! way to read them says the same of all bytes near them.

use crate::support::{agree, records};
use agree::{agree, near};
use kiln::schema::{Type, Typed};
use kiln::{Batch, Decode, DecodeOwned, Encode, Limits, ListView};
use records::{Log, LogRef, Logs, LogsRef, Mesh, Players, PlayersRef, Triangle, Update, Updates};
use std::fmt::Debug;

/// The value is these bytes, both ways, and its type has this hash.
#[track_caller]
fn golden<T: DecodeOwned + Encode + Typed + PartialEq + Debug>(value: &T, bytes: &[u8], hash: u64) {
    assert_eq!(kiln::to_vec(value).as_deref(), Ok(bytes));
    assert_eq!(kiln::from_slice::<T>(bytes).as_ref(), Ok(value));
    assert_eq!(kiln::schema_hash::<T>(), hash);
}

const LOG: &[u8] = include_bytes!("../data/records/log.kiln");
const MESH: &[u8] = include_bytes!("../data/records/mesh.kiln");
const MINECRAFT: &[u8] = include_bytes!("../data/records/minecraft.kiln");
const MK48: &[u8] = include_bytes!("../data/records/mk48.kiln");

#[test]
fn the_first_records_are_these_bytes() {
    golden(&records::logs(), LOG, 0x4db1_8c0f_581a_6ab1);
    golden(&records::mesh(), MESH, 0x089d_8279_1951_4b83);
    golden(&records::players(), MINECRAFT, 0xac72_f6fb_6bcf_4ea0);
    golden(&records::updates(), MK48, 0x1480_6cd5_b7f0_b160);
}

/// The struct around the list adds nothing to the bytes: so a batch reads the records one by one.
#[test]
fn a_batch_reads_the_records_one_by_one() {
    let logs: Vec<Log> = Batch::read(LOG).unwrap().map(Result::unwrap).collect();
    assert_eq!(logs, records::logs().logs);
    let updates: Vec<Update> = Batch::index(MK48).unwrap().iter().map(Result::unwrap).collect();
    assert_eq!(updates, records::updates().updates);
    let list: ListView<'_, Triangle> = kiln::from_slice(MESH).unwrap();
    assert_eq!(list.to_vec(), records::mesh().triangles);
    let borrowed: Vec<LogRef<'_>> = kiln::from_slice(LOG).unwrap();
    assert_eq!(kiln::to_vec(&borrowed).as_deref(), Ok(LOG));
}

/// Of every so many bytes near others one is compared: where reading is slow.
const STEP: usize = if cfg!(target_arch = "x86_64") { 1 } else { 5 };

/// Compares on bytes near these, and reads into a value that was there before.
macro_rules! compare {
    ($bytes:expr, $owned:ty $(, $borrowed:ty)?) => {{
        let bytes = &$bytes[..];
        let ty = Type::of::<$owned>().unwrap();
        let limits = Limits::DEFAULT.with_owned(u64::MAX);
        let mut place = kiln::from_slice::<$owned>(bytes).unwrap();
        let (mut accepted, mut refused) = (0, 0);
        for near in near(bytes, &[1, 0x80, 0xff]).step_by(STEP) {
            let yes = agree::<$owned>(&ty, &near, &limits);
            $(assert_eq!(agree::<$borrowed>(&ty, &near, &limits), yes);)?
            *if yes { &mut accepted } else { &mut refused } += 1;
            reused(&near, &mut place);
        }
        let least = bytes.len() / STEP;
        assert!(accepted > least && refused > least, "{accepted} accepted, {refused} refused");
    }};
}

/// Reading into a value says what reading says, and leaves a value.
fn reused<'de, T: Decode<'de> + Encode>(bytes: &'de [u8], place: &mut T) {
    let into = kiln::decode_into(bytes, place);
    assert_eq!(into, kiln::validate::<T>(bytes));
    let left = kiln::to_vec(place).expect("a value is left that encodes");
    if into.is_ok() {
        assert_eq!(left, bytes);
    }
}

#[test]
fn every_way_to_read_log_agrees() {
    compare!(LOG, Logs, LogsRef<'_>);
}

#[test]
fn every_way_to_read_mesh_agrees() {
    compare!(MESH, Mesh);
}

#[test]
fn every_way_to_read_minecraft_agrees() {
    let mut players = records::players();
    players.players.truncate(1);
    compare!(kiln::to_vec(&players).unwrap(), Players, PlayersRef<'_>);
}

#[test]
fn every_way_to_read_mk48_agrees() {
    let mut updates = records::updates();
    updates.updates.truncate(1);
    compare!(kiln::to_vec(&updates).unwrap(), Updates);
}
