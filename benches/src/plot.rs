//! Plots as SVG text: bars that compare, and curves by size.

use std::fmt::Write;

/// A bar.
pub struct Bar {
    pub name: String,
    pub value: f64,
    /// What it is drawn as.
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Ours,
    Peer,
    /// What bounds the others.
    Floor,
}

impl Kind {
    fn colour(self) -> &'static str {
        match self {
            Self::Ours => "#d9480f",
            Self::Peer => "#8fa3b8",
            Self::Floor => "#2b8a3e",
        }
    }
}

/// Bars that belong together, the shortest first.
pub struct Panel {
    pub title: String,
    pub bars: Vec<Bar>,
}

const FONT: &str = "font-family=\"system-ui, Segoe UI, Helvetica, Arial, sans-serif\"";
const ROW: f64 = 20.0;
const NAMES: f64 = 190.0;
const LENGTH: f64 = 240.0;
const WIDTH: f64 = NAMES + LENGTH + 80.0;

/// Panels of bars, two beside each other. A bar that is more than four times as long as the median of its panel is cut;
/// its number says how long it is.
pub fn bars(title: &str, unit: &str, panels: &[Panel]) -> String {
    let columns = panels.len().clamp(1, 2);
    let heights: Vec<f64> = panels
        .chunks(columns)
        .map(|row| row.iter().map(|panel| panel.bars.len()).max().unwrap_or(0) as f64 * ROW + 56.0)
        .collect();
    let (width, height) = (columns as f64 * WIDTH + 20.0, heights.iter().sum::<f64>() + 50.0);
    let mut out = open(title, width, height);
    let mut top = 50.0;
    for (row, height) in panels.chunks(columns).zip(heights) {
        for (column, panel) in row.iter().enumerate() {
            draw_panel(&mut out, panel, unit, 10.0 + column as f64 * WIDTH, top);
        }
        top += height;
    }
    out.push_str("</svg>\n");
    out
}

fn draw_panel(out: &mut String, panel: &Panel, unit: &str, left: f64, top: f64) {
    let mut bars: Vec<&Bar> = panel.bars.iter().collect();
    bars.sort_by(|a, b| a.value.total_cmp(&b.value));
    let median = bars.get(bars.len() / 2).map_or(0.0, |bar| bar.value);
    let longest = bars.last().map_or(0.0, |bar| bar.value);
    let full = longest.min(4.0 * median).max(f64::MIN_POSITIVE);
    text(out, left, top + 14.0, 14, "start", "#1f2933", "600", &format!("{} ({unit})", panel.title));
    for (index, bar) in bars.iter().enumerate() {
        let y = top + 26.0 + index as f64 * ROW;
        let length = (bar.value / full).min(1.0) * LENGTH;
        let weight = if bar.kind == Kind::Peer { "400" } else { "600" };
        text(out, left + NAMES - 6.0, y + 13.0, 12, "end", "#1f2933", weight, &bar.name);
        rect(out, left + NAMES, y + 2.0, length.max(0.5), ROW - 5.0, bar.kind.colour());
        if bar.value > full {
            // Two cuts near the end.
            for cut in [14.0, 8.0] {
                rect(out, left + NAMES + LENGTH - cut, y + 2.0, 2.0, ROW - 5.0, "#ffffff");
            }
        }
        let x = left + NAMES + length + 5.0;
        text(out, x, y + 13.0, 11, "start", "#52606d", weight, &short(bar.value));
    }
}

/// A curve: points of a size and a height.
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Drawn with dashes: what bounds the others.
    pub bound: bool,
}

/// Curves by size in bytes, both axes logarithmic.
pub fn curves(title: &str, unit: &str, curves: &[Curve]) -> String {
    const COLOURS: [&str; 8] =
        ["#d9480f", "#1971c2", "#2b8a3e", "#9c36b5", "#e8a317", "#0c8599", "#c2255c", "#5c7cfa"];
    let (width, height, left, right, top, bottom) = (920.0, 480.0, 70.0, 690.0, 60.0, 430.0);
    let mut out = open(title, width, height);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let low = points().map(|point| point.0).fold(f64::INFINITY, f64::min).log2();
    let high = points().map(|point| point.0).fold(0.0, f64::max).log2();
    let least = points().map(|point| point.1).fold(f64::INFINITY, f64::min).log2().floor();
    let most = points().map(|point| point.1).fold(0.0, f64::max).log2().ceil();
    let x = |size: f64| left + (size.log2() - low) / (high - low).max(1.0) * (right - left);
    let y = |value: f64| bottom - (value.log2() - least) / (most - least).max(1.0) * (bottom - top);
    for power in least as i32..=most as i32 {
        let value = f64::from(power).exp2();
        line(&mut out, left, y(value), right, y(value), "#e4e7eb", false);
        text(&mut out, left - 6.0, y(value) + 4.0, 11, "end", "#52606d", "400", &short(value));
    }
    let mut power = (low / 4.0).ceil() as i32 * 4;
    while f64::from(power) <= high {
        let size = f64::from(power).exp2();
        line(&mut out, x(size), top, x(size), bottom, "#e4e7eb", false);
        text(&mut out, x(size), bottom + 16.0, 11, "middle", "#52606d", "400", &bytes(size));
        power += 4;
    }
    text(&mut out, left, top - 10.0, 12, "start", "#52606d", "400", unit);
    for (index, curve) in curves.iter().enumerate() {
        let colour = if curve.bound { "#7b8794" } else { COLOURS[index % COLOURS.len()] };
        for pair in curve.points.windows(2) {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            line(&mut out, x(x1), y(y1), x(x2), y(y2), colour, curve.bound);
        }
        let row = top + 8.0 + index as f64 * ROW;
        line(&mut out, right + 16.0, row, right + 44.0, row, colour, curve.bound);
        text(&mut out, right + 50.0, row + 4.0, 12, "start", "#1f2933", "400", &curve.name);
    }
    out.push_str("</svg>\n");
    out
}

fn open(title: &str, width: f64, height: f64) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" {FONT}>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    text(&mut out, 14.0, 28.0, 18, "start", "#1f2933", "700", title);
    out
}

#[allow(clippy::too_many_arguments)] // what SVG asks for
fn text(
    out: &mut String,
    x: f64,
    y: f64,
    size: u32,
    anchor: &str,
    colour: &str,
    weight: &str,
    content: &str,
) {
    let content = content.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" font-weight=\"{weight}\" text-anchor=\"{anchor}\" \
         fill=\"{colour}\">{content}</text>"
    );
}

fn rect(out: &mut String, x: f64, y: f64, width: f64, height: f64, colour: &str) {
    let _ = writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
    );
}

fn line(out: &mut String, x1: f64, y1: f64, x2: f64, y2: f64, colour: &str, dashed: bool) {
    let dashes = if dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    let _ = writeln!(
        out,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
         stroke-width=\"1.8\"{dashes}/>"
    );
}

/// Three digits, or as many as the number has before the point.
pub fn short(value: f64) -> String {
    match value {
        value if value >= 99.95 => format!("{value:.0}"),
        value if value >= 9.995 => format!("{value:.1}"),
        value if value >= 0.0995 => format!("{value:.2}"),
        value if value >= 0.001 => format!("{value:.4}"),
        value => format!("{value:.6}"),
    }
}

fn bytes(size: f64) -> String {
    match size as u64 {
        size if size >= 1 << 30 => format!("{} GiB", size >> 30),
        size if size >= 1 << 20 => format!("{} MiB", size >> 20),
        size if size >= 1 << 10 => format!("{} KiB", size >> 10),
        size => format!("{size} B"),
    }
}
