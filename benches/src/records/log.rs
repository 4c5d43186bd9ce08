//! Entries of a web server's log.

use super::derive::{borrowed, owned};
use super::draw::Draw;
use super::format::Format;
use super::read::{ends, fields};
use super::{Set, formats};
use std::hint::black_box;

include!("../../types/log.rs");

fields!(Address, ArchivedAddress => [x0, x1, x2, x3]);
fields!(Log, LogRef<'_>, ArchivedLog => [address, identity, user, date, request, status, size]);
fields!(Logs, LogsRef<'_>, ArchivedLogs => [logs]);

impl Log {
    fn draw(draw: &mut Draw, second: u64) -> Self {
        const PATHS: [&str; 8] = [
            "/",
            "/index.html",
            "/favicon.ico",
            "/static/style.css",
            "/images/logo.png",
            "/api/v2/items",
            "/download/release.tar.gz",
            "/search",
        ];
        let method = *draw.pick(&["GET", "GET", "GET", "GET", "POST", "HEAD", "PUT", "DELETE"]);
        let path = *draw.pick(&PATHS);
        let query = if draw.once_in(3) { format!("?id={}", draw.of(1..100_000)) } else { String::new() };
        let version = *draw.pick(&["HTTP/1.0", "HTTP/1.1", "HTTP/1.1", "HTTP/2.0"]);
        let zone = *draw.pick(&["+0000", "+0100", "-0500", "+0530"]);
        let mut octet = || draw.of(0..256) as u8;
        Log {
            address: Address { x0: octet(), x1: octet(), x2: octet(), x3: octet() },
            identity: "-".into(),
            user: if draw.once_in(2) { "-".into() } else { format!("user{}", draw.of(1..5000)) },
            date: format!(
                "{:02}/Nov/2026:{:02}:{:02}:{:02} {zone}",
                1 + second / 86_400,
                second / 3600 % 24,
                second / 60 % 60,
                second % 60
            ),
            request: format!("{method} {path}{query} {version}"),
            status: *draw.pick(&[200, 200, 200, 200, 204, 301, 304, 403, 404, 500]),
            size: draw.of(0..100_000_000),
        }
    }
}

impl Logs {
    /// The borrowed form of owned values: what a borrowed decode must write at the least.
    pub fn borrowed(&self) -> LogsRef<'_> {
        fn log(log: &Log) -> LogRef<'_> {
            LogRef {
                address: log.address,
                identity: &log.identity,
                user: &log.user,
                date: &log.date,
                request: &log.request,
                status: log.status,
                size: log.size,
            }
        }
        LogsRef { logs: self.logs.iter().map(log).collect() }
    }
}

impl Set for Logs {
    const NAME: &'static str = "log";

    fn make() -> Self {
        let mut draw = Draw::new(1);
        let mut second = 0;
        let log = |_| {
            second += draw.of(0..360);
            Log::draw(&mut draw, second)
        };
        Logs { logs: (0..10_000).map(log).collect() }
    }

    fn records(&self) -> usize {
        self.logs.len()
    }

    fn ends(&self) -> u64 {
        ends(&self.logs)
    }

    fn floor(&self) -> Option<Box<dyn FnMut() + '_>> {
        Some(Box::new(move || {
            black_box(black_box(self).borrowed());
        }))
    }

    fn formats() -> Vec<Format<Self>> {
        formats::log()
    }
}
