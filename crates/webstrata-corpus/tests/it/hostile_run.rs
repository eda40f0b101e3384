//! A run over every hostile page of the page library, in WARC records: each yields rows or is listed as an error, and the pages between
//! them are not affected.

use crate::hostile::{BYTE_KINDS, KINDS};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use webstrata_corpus::input::{Input, InputOptions};
use webstrata_corpus::run::{RunOptions, run};
use webstrata_corpus::store::{self, ErrorRow, Format, PageRow};

const PLAIN: &str = "<title>Ferry</title><h1>Ferry</h1><p>The ferry left the quay at six, and for a long time nobody in the \
    village had asked who owned it, or who had paid for it when it was built. <p>It came back in the evening of the same day, \
    with the mail and with two passengers who had missed it in the morning.";

fn record(out: &mut impl Write, url: &str, page: &[u8]) {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", page.len());
    let length = http.len() + page.len();
    write!(
        out,
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-05-01T12:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {length}\r\n\r\n{http}"
    )
    .unwrap();
    out.write_all(page).unwrap();
    out.write_all(b"\r\n\r\n").unwrap();
}

fn hostile_pages() -> Vec<(String, Vec<u8>)> {
    let mut pages: Vec<(String, Vec<u8>)> =
        KINDS.iter().map(|kind| (kind.name.to_owned(), (kind.page)(kind.n / 8).into_bytes())).collect();
    pages.extend(BYTE_KINDS.iter().map(|kind| (kind.name.to_owned(), (kind.page)(kind.n / 2))));
    let mut add = |name: &str, page: Vec<u8>| pages.push((name.to_owned(), page));
    add("nothing", Vec::new());
    add("links to everywhere", b"<a href=x>y</a>".repeat(100_000));
    add(
        "a base of 2,000 letters",
        [format!("<base href='https://e.org/{}/'>", "x".repeat(1900)).into_bytes(), b"<a href=y>z</a>".repeat(50_000)].concat(),
    );
    add("a long text", "All work and no play makes a dull text of it. ".repeat(700_000).into_bytes());
    add("a page above the limit", vec![b'x'; 40 << 20]);
    pages
}

/// A crawl of hostile pages, each between two plain ones, with some broken records.
fn crawl(path: &Path) -> usize {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let pages = hostile_pages();
    for (number, (name, page)) in pages.iter().enumerate() {
        record(&mut out, &format!("https://example.org/plain/{number}"), PLAIN.as_bytes());
        record(&mut out, &format!("https://example.org/{}", name.replace(' ', "-")), page);
        if number % 10 == 5 {
            out.write_all(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\nwhat follows is not a record\r\n\r\n")
                .unwrap();
        }
    }
    record(&mut out, "https://example.org/plain/last\r\nX-Evil: 1", PLAIN.as_bytes());
    pages.len()
}

#[test]
fn hostile_pages_do_not_stop_a_run() {
    let here = tempfile::tempdir().unwrap();
    let warc = here.path().join("hostile.warc");
    let hostile = crawl(&warc);
    let mut outputs = Vec::new();
    for (format, threads) in [(Format::Parquet, 2), (Format::Jsonl, 1)] {
        let out = here.path().join(format.name());
        let options = RunOptions { format, threads, shard_pages: 25, ..RunOptions::default() };
        let input = Input::open(std::slice::from_ref(&warc), &InputOptions::default()).unwrap();
        let summary = run(input, &out, &options, &mut |_| ControlFlow::Continue(())).unwrap();
        assert!(summary.complete);
        let pages: Vec<PageRow> = store::pages(&out).unwrap().map(|row| row.unwrap()).collect();
        let errors: Vec<ErrorRow> = store::errors(&out).unwrap().map(|row| row.unwrap()).collect();
        let plain: Vec<&PageRow> = pages.iter().filter(|row| row.url.as_ref().unwrap().contains("/plain/")).collect();
        assert_eq!(plain.len(), hostile + 1);
        assert!(plain.iter().all(|row| row.text.contains("with two passengers") && row.hash == plain[0].hash));
        // Nothing is lost silently.
        assert!(pages.len() + errors.len() > 2 * hostile, "{} pages, {errors:?}", pages.len());
        assert!(errors.iter().all(|row| !row.message.contains("webstrata failed")), "{errors:?}");
        assert!(store::links(&out).unwrap().all(|row| row.is_ok()) && store::segments(&out).unwrap().all(|row| row.is_ok()));
        outputs.push((pages, errors));
    }
    assert!(outputs[0] == outputs[1], "both formats have the same rows");
}
