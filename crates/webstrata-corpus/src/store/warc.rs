//! Records like those of Common Crawl's WET and WAT files, each a gzip member.
//!
//! Nothing in them depends on when they are written: a record has the date of its page, and its id is derived from the page's. A
//! record must have a date; if its page has none, it is 1970-01-01.

use super::{Chunk, PageRow, PageRows, StoreError};
use crate::Timestamp;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::io::Write;
use webstrata::label::Role;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Gzip level, the usual one.
const LEVEL: u32 = 6;

/// The texts of pages as records of type `conversion`.
pub(super) fn texts(chunk: &Chunk) -> Result<Vec<u8>, StoreError> {
    let mut out = Vec::new();
    for PageRows { page, .. } in &chunk.pages {
        let language = page.language.as_ref();
        let language = language.map(|language| format!("WARC-Identified-Content-Language: {}\r\n", header_value(language)));
        let record = Record { kind: "conversion", media: "text/plain", more: &language.unwrap_or_default(), page };
        record.write(&mut out, page.text.as_bytes())?;
    }
    Ok(out)
}

/// Titles and links of pages as records of type `metadata`.
pub(super) fn links(chunk: &Chunk) -> Result<Vec<u8>, StoreError> {
    let mut out = Vec::new();
    for rows in &chunk.pages {
        let body = serde_json::to_vec(&Envelope::new(rows)).map_err(|error| failed(&error))?;
        Record { kind: "metadata", media: "application/json", more: "", page: &rows.page }.write(&mut out, &body)?;
    }
    Ok(out)
}

fn failed(error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Encode { table: "records", reason: error.to_string() }
}

struct Record<'r> {
    kind: &'static str,
    media: &'static str,
    /// Further header lines, each with its newline.
    more: &'r str,
    page: &'r PageRow,
}

impl Record<'_> {
    fn write(&self, out: &mut Vec<u8>, body: &[u8]) -> Result<(), StoreError> {
        let page = self.page;
        let address = page.url.as_deref().unwrap_or(&page.id);
        // Dates in WARC 1.0 have whole seconds.
        let date = page.fetched.map(|time| Timestamp::from_micros(time.micros() - time.micros().rem_euclid(1_000_000)));
        let date = date.flatten().unwrap_or_default();
        let refers_to = page.warc_record_id.as_ref().map(|id| format!("WARC-Refers-To: <{}>\r\n", header_value(id)));
        let header = format!(
            "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Target-URI: {}\r\nWARC-Date: {date}\r\nWARC-Record-ID: {}\r\n{}{}Content-Type: {}\r\n\
             Content-Length: {}\r\n\r\n",
            self.kind,
            header_value(address),
            record_id(self.kind, &page.id),
            refers_to.unwrap_or_default(),
            self.more,
            self.media,
            body.len()
        );
        let mut member = GzEncoder::new(&mut *out, Compression::new(LEVEL));
        let written = member.write_all(header.as_bytes()).and_then(|()| member.write_all(body));
        written
            .and_then(|()| member.write_all(b"\r\n\r\n"))
            .and_then(|()| member.finish().map(drop))
            .map_err(|error| failed(&error))
    }
}

/// A header value with everything that would end its line percent-encoded.
fn header_value(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        if c.is_whitespace() || c.is_control() {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// A UUID (version 8, a custom hash) that depends only on the page and the type.
fn record_id(kind: &str, id: &str) -> String {
    let hash = xxh3_128_with_seed(id.as_bytes(), kind.len() as u64);
    let (version, variant) = (8u128 << 76, 2u128 << 62);
    let bits = hash & !(0xf << 76) & !(3 << 62) | version | variant;
    let hex = format!("{bits:032x}");
    format!("<urn:uuid:{}-{}-{}-{}-{}>", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Envelope<'p> {
    envelope: Payload<'p>,
}

#[derive(Serialize)]
struct Payload<'p> {
    #[serde(rename = "Payload-Metadata")]
    metadata: Response<'p>,
}

#[derive(Serialize)]
struct Response<'p> {
    #[serde(rename = "HTTP-Response-Metadata")]
    response: Html<'p>,
}

#[derive(Serialize)]
struct Html<'p> {
    #[serde(rename = "HTML-Metadata")]
    html: Metadata<'p>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata<'p> {
    head: Head<'p>,
    links: Vec<Link<'p>>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Head<'p> {
    title: Option<&'p str>,
}

#[derive(Serialize)]
struct Link<'p> {
    path: &'static str,
    url: &'p str,
    text: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_host: Option<bool>,
}

impl<'p> Envelope<'p> {
    fn new(rows: &'p PageRows) -> Self {
        let link = |row: &'p super::LinkRow| Link {
            path: "A@/href",
            url: &row.target,
            text: &row.anchor,
            role: row.role.map(Role::name),
            same_host: row.same_host,
        };
        let html = Metadata { head: Head { title: rows.page.title.as_deref() }, links: rows.links.iter().map(link).collect() };
        Envelope { envelope: Payload { metadata: Response { response: Html { html } } } }
    }
}

#[cfg(test)]
mod tests {
    use super::super::LinkRow;
    use super::*;
    use std::io::Read;

    fn chunk() -> Chunk {
        let page = PageRow {
            id: "a.warc@7".into(),
            url: Some("https://example.org/a\r\nEvil: 1".into()),
            title: Some("Rain".into()),
            text: "It rained.".into(),
            language: Some("en".into()),
            fetched: Timestamp::parse("2024-05-01T12:00:00.75Z"),
            warc_record_id: Some("urn:uuid:1".into()),
            ..PageRow::default()
        };
        let link =
            LinkRow { target: "https://example.org/b".into(), anchor: "b".into(), role: Some(Role::Body), ..LinkRow::default() };
        let second = PageRow { id: "a.warc@9".into(), ..PageRow::default() };
        let pages =
            vec![PageRows { page, links: vec![link], ..PageRows::default() }, PageRows { page: second, ..PageRows::default() }];
        Chunk { pages, errors: Vec::new() }
    }

    fn decompress(bytes: &[u8]) -> (String, String) {
        let mut first = String::new();
        flate2::bufread::GzDecoder::new(bytes).read_to_string(&mut first).unwrap();
        let mut all = String::new();
        flate2::bufread::MultiGzDecoder::new(bytes).read_to_string(&mut all).unwrap();
        (first, all)
    }

    #[test]
    fn a_page_is_a_conversion_record() {
        let (first, all) = decompress(&texts(&chunk()).unwrap());
        let want = "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: https://example.org/a%0D%0AEvil:%201\r\n\
            WARC-Date: 2024-05-01T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:";
        assert!(first.starts_with(want), "{first}");
        let end = "WARC-Refers-To: <urn:uuid:1>\r\nWARC-Identified-Content-Language: en\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nIt rained.\r\n\r\n";
        assert!(first.ends_with(end), "{first}");
        assert_eq!(all.matches("WARC-Type: conversion").count(), 2);
        assert!(all.contains("WARC-Date: 1970-01-01T00:00:00Z") && all.matches("WARC-Refers-To").count() == 1, "{all}");
    }

    #[test]
    fn links_are_a_metadata_record() {
        let (first, _) = decompress(&links(&chunk()).unwrap());
        let body = first.split("\r\n\r\n").nth(1).unwrap();
        let value: serde_json::Value = serde_json::from_str(body).unwrap();
        let html = &value["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"]["HTML-Metadata"];
        assert_eq!((&html["Head"]["Title"], &html["Links"][0]["url"]), (&"Rain".into(), &"https://example.org/b".into()));
    }

    #[test]
    fn ids_are_uuids_and_differ_by_type() {
        let (one, other) = (record_id("conversion", "a"), record_id("metadata", "a"));
        assert_ne!(one, other);
        let uuid = one.trim_start_matches("<urn:uuid:").trim_end_matches('>');
        assert_eq!(uuid.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert!(uuid.as_bytes()[14] == b'8' && b"89ab".contains(&uuid.as_bytes()[19]));
    }
}
