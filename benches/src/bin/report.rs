//! Runs the tables and writes what they print into `README.md`, `measured/` and `plots/`.
//!
//! `cargo run --release --bin report [-- [again] SECTION…]`
//!
//! The sections are `records`, `batch`, `directory`, `payload`, `kernels`, `instructions` and `derive`; all of them unless some
//! are named. In `README.md` the text between the marks of a section is replaced, and all other text stays. The whole
//! output of each table goes to `measured/`; `again` takes it from there instead of measuring.

use kiln_benches::plot::{Bar, Curve, Kind, Panel, bars, curves, short};
use kiln_benches::records::trusts;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

type Rows = Vec<Vec<String>>;

/// A section: its name, the table program behind it, and what becomes of what that prints.
struct Section {
    name: &'static str,
    table: &'static str,
    write: fn(&str, &Path) -> Result<String>,
}

const SECTIONS: [Section; 7] = [
    Section { name: "records", table: "records-table", write: records },
    Section { name: "batch", table: "batch-table", write: whole },
    Section { name: "directory", table: "directory-table", write: directory },
    Section { name: "payload", table: "payload-table", write: whole },
    Section { name: "kernels", table: "kernel-table", write: kernels },
    Section { name: "instructions", table: "instruction-table", write: whole },
    Section { name: "derive", table: "derive-table", write: whole },
];

fn main() -> Result<()> {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    let again = wanted.first().is_some_and(|first| first == "again");
    if again {
        wanted.remove(0);
    }
    if let Some(unknown) = wanted.iter().find(|name| SECTIONS.iter().all(|section| section.name != **name)) {
        return Err(Error::other(format!("no section is called {unknown}")));
    }
    let package = PathBuf::from(PACKAGE);
    for folder in ["measured", "plots"] {
        std::fs::create_dir_all(package.join(folder))?;
    }
    for section in SECTIONS.iter().filter(|at| wanted.is_empty() || wanted.iter().any(|name| name == at.name))
    {
        let kept = package.join(format!("measured/{}.md", section.name));
        if !again {
            let before = circumstances()?;
            let printed = table(section.table)?;
            let head = format!("`cargo run --release --bin {}`, {before}.", section.table);
            std::fs::write(&kept, format!("# {}\n\n{head}\n\n{printed}", section.name))?;
        }
        let kept = std::fs::read_to_string(&kept)?;
        let mut parts = kept.splitn(3, "\n\n");
        let (Some(_), Some(head), Some(printed)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Error::other(format!("measured/{}.md is not as it was written", section.name)));
        };
        let text = (section.write)(printed, &package.join("plots"))?;
        replace(&package.join("README.md"), section.name, &format!("{head}\n\n{text}"))?;
        eprintln!("{}: done", section.name);
    }
    Ok(())
}

/// The day, the processor and how busy it is.
fn circumstances() -> Result<String> {
    let date = Command::new("date").args(["-u", "+%F"]).output()?;
    let rustc = Command::new("rustc").arg("--version").output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let info = read("/proc/cpuinfo");
    let field =
        |name| info.lines().find(|line| line.starts_with(name)).and_then(|line| line.split(": ").nth(1));
    let load = read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned();
    Ok(format!(
        "{}, {}, {} threads, load {load} before it began, {}, {}",
        text(&date.stdout),
        field("model name").unwrap_or("an unknown processor"),
        std::thread::available_parallelism()?,
        kiln::arch::Level::current().name(),
        text(&rustc.stdout),
    ))
}

/// What a table program prints.
fn table(name: &str) -> Result<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--release", "--quiet", "--bin", name])
        .current_dir(PACKAGE)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if output.status.success() {
        String::from_utf8(output.stdout).map_err(Error::other)
    } else {
        Err(Error::other(format!("{name} ended with {}", output.status)))
    }
}

/// Replaces what stands between the marks of a section.
fn replace(path: &Path, name: &str, text: &str) -> Result<()> {
    let readme = std::fs::read_to_string(path)?;
    let (begin, end) = (format!("<!-- {name}: measured -->\n"), format!("<!-- {name}: end -->"));
    let parts = readme.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) = parts.ok_or_else(|| Error::other(format!("README.md has no marks for {name}")))?;
    std::fs::write(path, format!("{before}{begin}{}\n{end}{after}", text.trim_end()))
}

/// The rows of the Markdown tables in a text, without their heads.
fn rows(text: &str) -> Rows {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    let head = |index: usize| {
        let rule = |line: &&str| line.chars().all(|char| "|-: ".contains(char));
        rule(&lines[index]) || lines.get(index + 1).is_some_and(rule)
    };
    (0..lines.len()).filter(|&index| !head(index)).map(|index| cells(lines[index])).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or(f64::NAN)
}

/// The output as it is.
fn whole(printed: &str, _: &Path) -> Result<String> {
    Ok(printed.to_owned())
}

/// A line of the records table.
struct Record {
    set: String,
    work: String,
    by: String,
    least: f64,
    bytes: String,
}

impl Record {
    fn ours(&self) -> bool {
        self.by.starts_with("kiln")
    }

    fn over(&self) -> bool {
        self.by.ends_with("over an older value")
    }

    fn floor(&self) -> bool {
        self.by.starts_with("floor")
    }

    /// Whether it reads records in columns, and not one after another.
    fn columns(&self) -> bool {
        self.by == "bitcode"
    }

    /// Whether it does the same work with as many checks.
    fn peer(&self) -> bool {
        self.kind() == Kind::Peer && !trusts(&self.by, &self.work)
    }

    fn kind(&self) -> Kind {
        if self.ours() {
            Kind::Ours
        } else if self.floor() {
            Kind::Floor
        } else {
            Kind::Peer
        }
    }
}

/// How short the best of some records is.
fn best<'a>(records: impl Iterator<Item = &'a Record>) -> Option<&'a Record> {
    records.min_by(|a, b| a.least.total_cmp(&b.least))
}

fn records(printed: &str, plots: &Path) -> Result<String> {
    let record = |row: Vec<String>| {
        let mut cells = row.into_iter();
        let mut cell = || cells.next().unwrap_or_default();
        let (set, work, by, _median, least) = (cell(), cell(), cell(), cell(), cell());
        let (_peer, _floor, bytes) = (cell(), cell(), cell());
        Record { set, work, by, least: number(&least), bytes }
    };
    let records: Vec<Record> = rows(printed).into_iter().map(record).collect();
    let in_order = |name: fn(&Record) -> &String| {
        let mut names: Vec<&String> = Vec::new();
        for record in &records {
            if !names.contains(&name(record)) {
                names.push(name(record));
            }
        }
        names
    };
    let (sets, works) = (in_order(|record| &record.set), in_order(|record| &record.work));
    let group = |set: &str, work: &str| {
        records.iter().filter(move |record| record.set == set && record.work == work).collect::<Vec<_>>()
    };

    let mut out = String::from(
        "Least microseconds for a whole data set, and in brackets how many times the other's Kiln's is; \
         `measured/records.md` has the medians and the ratios round by round.\n\n\
         | data set | work | Kiln | best peer | best peer but bitcode | floor |\n|---|---|--:|--:|--:|--:|\n",
    );
    for set in &sets {
        for work in &works {
            let group = group(set, work);
            let all = || group.iter().copied();
            let peers = || all().filter(|one| one.peer());
            // Reading over an older value allocates nothing, so that it is work of its own.
            let (over, other): (Vec<_>, Vec<_>) = all().filter(|one| one.ours()).partition(|one| one.over());
            for kiln in [best(other.into_iter()), best(over.into_iter())].into_iter().flatten() {
                let against = |other: Option<&Record>| {
                    other.map_or(String::new(), |other| {
                        let name = if other.floor() { String::new() } else { format!("{} ", other.by) };
                        format!("{name}{} ({:.2})", short(other.least), kiln.least / other.least)
                    })
                };
                let _ = writeln!(
                    out,
                    "| {set} | {work} | {} {} | {} | {} | {} |",
                    kiln.by.trim_start_matches("kiln").trim_start_matches(", "),
                    short(kiln.least),
                    against(best(peers())),
                    against(best(peers().filter(|one| !one.columns()))),
                    against(all().find(|one| one.floor())),
                );
            }
        }
    }
    for (work, file) in [
        ("encode into a reused buffer", "records-encode.svg"),
        ("decode to owned", "records-decode.svg"),
        ("borrow and read all", "records-borrow.svg"),
        ("validate", "records-validate.svg"),
    ] {
        let panel = |set: &&String| {
            let bar = |one: &&Record| Bar { name: one.by.clone(), value: one.least, kind: one.kind() };
            let bars: Vec<Bar> = group(set, work).iter().map(bar).collect();
            Panel { title: (*set).clone(), bars }
        };
        let panels: Vec<Panel> = sets.iter().map(panel).filter(|panel| panel.bars.len() > 1).collect();
        let title = format!("Records: {work}");
        std::fs::write(plots.join(file), bars(&title, "microseconds, less is better", &panels))?;
        let _ = writeln!(out, "\n![{title}](plots/{file})");
    }
    for set in &sets {
        let _ = write!(out, "\n<details><summary>{set}: all formats</summary>\n\n| by | bytes |");
        for work in &works {
            let _ = write!(out, " {work} |");
        }
        let _ = writeln!(out, "\n|---|--:|{}", "--:|".repeat(works.len()));
        let mut by: BTreeMap<(bool, &str), (&str, Vec<String>)> = BTreeMap::new();
        for (column, work) in works.iter().enumerate() {
            let group = group(set, work);
            let peer = best(group.iter().copied().filter(|one| one.peer()));
            for one in group {
                let cells = by
                    .entry((!one.ours(), &one.by))
                    .or_insert((&one.bytes, vec![String::new(); works.len()]));
                let ratio = peer.map_or(String::new(), |peer| format!(" ({:.2})", one.least / peer.least));
                cells.1[column] = format!("{}{ratio}", short(one.least));
            }
        }
        for ((_, name), (bytes, cells)) in by {
            let _ = writeln!(out, "| {name} | {bytes} | {} |", cells.join(" | "));
        }
        out.push_str("\n</details>\n");
    }
    Ok(out)
}

fn directory(printed: &str, plots: &Path) -> Result<String> {
    let mut panels = Vec::new();
    for row in rows(printed) {
        let [work, order, count, _, kiln, peers] = &row[..] else {
            return Err(Error::other(format!("not a row of directories: {row:?}")));
        };
        let median = |cell: &str| number(cell.split(',').next().unwrap_or_default());
        if order != "file order" || !["accept", "look-up", "build"].contains(&work.as_str()) {
            continue;
        }
        let mut bars = vec![Bar { name: "kiln".into(), value: median(kiln), kind: Kind::Ours }];
        for peer in peers.split("; ").filter(|peer| !peer.is_empty()) {
            let (name, times) = peer.split_once(' ').unwrap_or((peer, ""));
            bars.push(Bar { name: name.into(), value: median(times), kind: Kind::Peer });
        }
        panels.push(Panel { title: format!("{work}, {count} tensors"), bars });
    }
    let title = "Tensor directories: names in file order";
    std::fs::write(plots.join("directory.svg"), bars(title, "ns per tensor, less is better", &panels))?;
    Ok(format!("{printed}\n![{title}](plots/directory.svg)\n"))
}

/// The kernels that the plot shows: those that do most of the work of reading, and two conversions.
const SHOWN: [&str; 6] =
    ["any_bit_set", "text, ASCII", "copy_swapped u32", "unpack_u4", "e4m3_to_f32", "f16_to_f32"];

fn kernels(printed: &str, plots: &Path) -> Result<String> {
    let head = printed.lines().next().unwrap_or_default();
    let levels: Vec<&str> = head.trim_matches('|').split('|').map(str::trim).collect();
    let Some(best) = levels.len().checked_sub(2).filter(|&best| best > 2) else {
        return Err(Error::other("the table of kernels has no levels"));
    };
    let mut out = format!(
        "At {}, the best level of this processor: GB/s of the larger side, and in brackets the ratio to the floor, which \
         is a copy for what writes and a plain read for what reads. `measured/kernels.md` has every level and size.\n\n\
         | kernel | 4 KiB | 256 KiB | 256 MiB |\n|---|--:|--:|--:|\n",
        levels[best]
    );
    let mut cells: Vec<(String, BTreeMap<u64, String>)> = Vec::new();
    let mut shown: Vec<Curve> = Vec::new();
    let mut floors: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for row in rows(printed) {
        let size: f64 = number(&row[1]);
        // Below a kilobyte the table gives nanoseconds.
        let speed = |cell: &str| match cell.split_once(" ns") {
            Some((time, _)) => size / number(time),
            None => number(cell.split(' ').next().unwrap_or_default()),
        };
        if cells.last().is_none_or(|(name, _)| *name != row[0]) {
            cells.push((row[0].clone(), BTreeMap::new()));
        }
        if let Some((_, by_size)) = cells.last_mut() {
            by_size.insert(size as u64, row[best].clone());
        }
        if SHOWN.contains(&row[0].as_str()) {
            if shown.last().is_none_or(|curve| curve.name != row[0]) {
                shown.push(Curve { name: row[0].clone(), points: Vec::new(), bound: false });
            }
            if let Some(curve) = shown.last_mut() {
                curve.points.push((size, speed(&row[best])));
            }
            let (name, floor) = row[2].split_once(' ').unwrap_or(("", &row[2]));
            let name = if name == "read" { "plain read" } else { "memcpy" };
            let points = floors.entry(name).or_default();
            if points.iter().all(|point| point.0 != size) {
                points.push((size, speed(floor)));
            }
        }
    }
    for (name, by_size) in cells {
        let cell = |size: u64| by_size.get(&size).map_or("", String::as_str);
        let _ = writeln!(out, "| {name} | {} | {} | {} |", cell(4 << 10), cell(256 << 10), cell(256 << 20));
    }
    let bounds = floors.into_iter().map(|(name, points)| Curve { name: name.into(), points, bound: true });
    shown.extend(bounds);
    let title = "Kernels by size of the larger side";
    std::fs::write(plots.join("kernels.svg"), curves(title, "GB/s, more is better", &shown))?;
    let _ = writeln!(out, "\n![{title}](plots/kernels.svg)");
    Ok(out)
}
