//! The table of large payloads, as Markdown: microseconds, median and least, and the ratio to the second of each group.
//!
//! `cargo run --release [--features rayon] --bin payload-table [-- BYTES]`
//!
//! A gigabyte unless told otherwise; it takes five times as much memory.

use kiln::tensor::Dtype;
use kiln_benches::payloads::Sample;
use kiln_benches::turns::{Contender, take_turns};

fn main() -> std::io::Result<()> {
    let bytes = std::env::args().nth(1).map_or(1 << 30, |bytes| bytes.parse().expect("a number of bytes"));
    println!("| payloads | what | median us | least us | GB/s | to the peer |");
    println!("|---|---|--:|--:|--:|--:|");
    for dtype in [Dtype::F32, Dtype::Bool] {
        let sample = Sample::new(bytes, dtype);
        let len = sample.block.len();
        group(dtype, len, &mut sample.open());
        if dtype == Dtype::F32 {
            let path = std::env::temp_dir().join(format!("kiln-payload-table-{}", std::process::id()));
            std::fs::write(&path, &sample.block)?;
            group(dtype, len, &mut [sample.map(&path)]);
            std::fs::remove_file(&path)?;
            group(dtype, len, &mut sample.copy());
            group(dtype, len, &mut sample.build());
        }
    }
    Ok(())
}

/// A group is measured in turns, and compared with the second, which is not Kiln's.
fn group(dtype: Dtype, len: usize, contenders: &mut [Contender<'_>]) {
    let found = take_turns(contenders, 9, 200_000.0);
    let peer = found.get(1).map(|peer| peer.median);
    for one in &found {
        let ratio = peer.map_or(String::new(), |peer| format!("{:.2}", peer / one.median));
        let (median, least) = (one.median / 1e3, one.least / 1e3);
        let speed = len as f64 / one.median;
        println!("| {dtype} | {} | {median:.1} | {least:.1} | {speed:.1} | {ratio} |", one.name);
    }
}
