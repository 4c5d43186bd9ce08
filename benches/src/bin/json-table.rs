//! Values as JSON text, as Markdown: the log data set ten times over, 100,000 records, from bytes to JSON and back.
//!
//! `cargo run --release --bin json-table [-- ROUNDS]`
//!
//! Kiln walks the bytes by a type that it got at run time from a JSON Schema. The others have the structs, or transcode
//! what says its own names from one format into the other without a tree in between. All write the same text.

use kiln::dynamic::Json;
use kiln::schema::Type;
use kiln::{Limits, dynamic::Layout};
use kiln_benches::records::Set;
use kiln_benches::records::log::{Logs, LogsRef};
use kiln_benches::turns::{Contender, Found, take_turns};
use std::hint::black_box;

const TIMES: usize = 10;
/// Nanoseconds for a contender's turn.
const SPAN: f64 = 50e6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(15), |rounds| rounds.parse())?;
    let logs = Logs::make().logs;
    let logs = Logs { logs: logs.iter().cycle().take(TIMES * logs.len()).cloned().collect() };
    let count = logs.logs.len();
    // The type comes from text, as it does for a program that has no structs.
    let schema = Type::of::<Logs>()?.to_json_schema()?;
    let json = Json::new(kiln::schema::Schema::from_json(&schema)?.into_type())?;

    let text = serde_json::to_string(&logs)?;
    let kiln = kiln::to_vec(&logs)?;
    let pack = rmp_serde::to_vec_named(&logs)?;
    let cbor = minicbor_serde::to_vec(&logs)?;
    assert!(json.decode_with(&kiln, &Limits::NONE, Layout::Compact)? == text);
    assert!(json.encode(&text)? == kiln);
    assert!(from_pack(&pack)? == text.as_bytes());
    assert!(from_cbor(&cbor)? == text.as_bytes());

    println!(
        "{count} records; {} bytes of JSON, {} of Kiln, {} of MessagePack, {} of CBOR.",
        text.len(),
        kiln.len(),
        pack.len(),
        cbor.len()
    );
    let mut out = Vec::with_capacity(text.len() + (1 << 17));
    let mut other = out.clone();
    let mut third = out.clone();
    // What is written to grows to its size in the first call.
    table(
        "bytes to JSON text",
        rounds,
        &text,
        vec![
            Contender {
                name: "Kiln by its schema",
                items: count,
                work: Box::new(|| {
                    out.clear();
                    let written = json.decode_to(&kiln, &Limits::NONE, Layout::Compact, &mut out);
                    assert!(black_box(written).is_ok());
                }),
            },
            Contender {
                name: "serde_json, from structs in memory",
                items: count,
                work: Box::new(|| {
                    other.clear();
                    assert!(black_box(serde_json::to_writer(&mut other, &logs)).is_ok());
                }),
            },
            Contender {
                name: "Kiln into structs, then serde_json",
                items: count,
                work: Box::new(|| {
                    third.clear();
                    let logs = kiln::from_slice::<LogsRef<'_>>(&kiln).expect("it was written");
                    assert!(black_box(serde_json::to_writer(&mut third, &logs)).is_ok());
                }),
            },
            Contender {
                name: "MessagePack, transcoded by serde",
                items: count,
                work: Box::new(|| {
                    assert!(black_box(from_pack(&pack)).is_ok());
                }),
            },
            Contender {
                name: "CBOR, transcoded by serde",
                items: count,
                work: Box::new(|| {
                    assert!(black_box(from_cbor(&cbor)).is_ok());
                }),
            },
        ],
    );
    let mut bytes = Vec::with_capacity(kiln.len());
    table(
        "JSON text to bytes",
        rounds,
        &text,
        vec![
            Contender {
                name: "Kiln by its schema",
                items: count,
                work: Box::new(|| {
                    bytes.clear();
                    assert!(black_box(json.encode_into(&text, &mut bytes)).is_ok());
                }),
            },
            Contender {
                name: "serde_json into structs, then Kiln",
                items: count,
                work: Box::new(|| {
                    let logs: Logs = serde_json::from_str(&text).expect("it is JSON");
                    black_box(kiln::to_vec(&logs)).expect("it can be written");
                }),
            },
            Contender {
                name: "serde_json into structs",
                items: count,
                work: Box::new(|| {
                    black_box(serde_json::from_str::<Logs>(&text)).expect("it is JSON");
                }),
            },
        ],
    );
    Ok(())
}

fn from_pack(pack: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut out = Vec::new();
    let mut from = rmp_serde::Deserializer::from_read_ref(pack);
    serde_transcode::transcode(&mut from, &mut serde_json::Serializer::new(&mut out))?;
    Ok(out)
}

fn from_cbor(cbor: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut out = Vec::new();
    let mut from = minicbor_serde::Deserializer::new(cbor);
    serde_transcode::transcode(&mut from, &mut serde_json::Serializer::new(&mut out))?;
    Ok(out)
}

fn table(title: &str, rounds: usize, text: &str, mut contenders: Vec<Contender<'_>>) {
    let items = contenders.first().map_or(1, |contender| contender.items);
    let found = take_turns(&mut contenders, rounds, SPAN);
    println!("\n| {title} | ns a record | MB/s of JSON | times Kiln |\n|---|--:|--:|--:|");
    let first: Option<&Found> = found.first();
    for one in &found {
        let speed = text.len() as f64 / items as f64 / one.median * 1e3;
        let ratio = first.map_or(1.0, |first| one.of(first));
        println!("| {} | {:.0} | {speed:.0} | {ratio:.2} |", one.name, one.median);
    }
}
