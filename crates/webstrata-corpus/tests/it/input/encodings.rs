//! Transfer and content encodings: complete, truncated, and inconsistent with the header.

use super::support::*;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use std::io::Write;
use webstrata_corpus::input::{InputOptions, Item};

const PAGE: &[u8] = b"<html><body><p>The same text, however it is encoded, however often: the same text.";

/// `hello` as a Brotli stream: the window size, one uncompressed block of five bytes, the end.
const BROTLI_HELLO: &[u8] = &[0x0b, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', 0x03];

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn chunks(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in bytes.chunks(size) {
        out.extend_from_slice(format!("{:X};name=value\r\n", chunk.len()).as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"0\r\nTrailer: x\r\n\r\n");
    out
}

/// The item read from a response with these header fields and this body.
fn item(fields: &str, body: &[u8], options: &InputOptions) -> Item {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n");
    let bytes = [record("https://e.org/before", b"<p>"), response("https://e.org/", &[head.as_bytes(), body].concat())].concat();
    let mut items = read_bytes("a.warc", &bytes, options);
    assert_eq!(items.len(), 2);
    items.pop().unwrap()
}

fn page(fields: &str, body: &[u8]) -> (Vec<u8>, Vec<String>) {
    match item(fields, body, &InputOptions::default()) {
        Item::Document(document) => (document.bytes, document.problems),
        other => panic!("{fields}: {other:?}"),
    }
}

#[test]
fn encodings_are_decoded() {
    for (fields, body) in [
        ("", PAGE.to_vec()),
        ("Content-Encoding: gzip\r\n", gzip(PAGE)),
        ("Content-Encoding: X-GZIP\r\n", gzip(PAGE)),
        ("Content-Encoding: deflate\r\n", zlib(PAGE)),
        ("Content-Encoding: deflate\r\n", deflate(PAGE)),
        ("Content-Encoding: zstd\r\n", zstd(PAGE)),
        ("Content-Encoding: gzip, zstd\r\n", zstd(&gzip(PAGE))),
        ("Content-Encoding: gzip\r\nContent-Encoding: deflate\r\n", zlib(&gzip(PAGE))),
        ("Transfer-Encoding: chunked\r\n", chunks(PAGE, 7)),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunks(&gzip(PAGE), 10)),
        ("Transfer-Encoding: gzip, chunked\r\n", chunks(&gzip(PAGE), 1000)),
        // Already decoded, but the header is still there.
        ("Content-Encoding: gzip\r\n", PAGE.to_vec()),
        ("Content-Encoding: br\r\n", PAGE.to_vec()),
        ("Content-Encoding: deflate\r\n", PAGE.to_vec()),
        ("Content-Encoding: zstd\r\n", PAGE.to_vec()),
        ("Content-Encoding: utf-8\r\n", PAGE.to_vec()),
        ("Content-Encoding: identity\r\n", PAGE.to_vec()),
        ("Transfer-Encoding: chunked\r\n", PAGE.to_vec()),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", gzip(PAGE)),
    ] {
        let (bytes, problems) = page(fields, &body);
        assert_eq!(String::from_utf8_lossy(&bytes), String::from_utf8_lossy(PAGE), "{fields:?}");
        assert!(problems.is_empty(), "{fields:?}: {problems:?}");
    }
    assert_eq!(page("Content-Encoding: br\r\n", BROTLI_HELLO), (b"hello".to_vec(), vec![]));
}

#[test]
fn a_truncated_body_is_a_page_with_a_problem() {
    let long: Vec<u8> =
        (0..20_000u32).flat_map(|number| format!("<p>{}", number.wrapping_mul(2_654_435_761)).into_bytes()).collect();
    for (fields, body) in [
        ("Content-Encoding: gzip\r\n", gzip(&long)),
        ("Content-Encoding: deflate\r\n", zlib(&long)),
        ("Transfer-Encoding: chunked\r\n", chunks(&long, 1000)),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunks(&gzip(&long), 1000)),
        ("Content-Encoding: zstd\r\n", zstd(&long)),
    ] {
        let (bytes, problems) = page(fields, &body[..body.len() * 2 / 3]);
        assert!(bytes.len() > 1000 && bytes.len() < long.len(), "{fields:?}: {}", bytes.len());
        assert!(long.starts_with(&bytes), "{fields:?}");
        assert!(!problems.is_empty(), "{fields:?}");
    }
}

#[test]
fn a_body_that_cannot_be_decoded_is_reported() {
    for (fields, body) in [
        ("Content-Encoding: gzip\r\n", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff].to_vec()),
        ("Content-Encoding: br\r\n", vec![0xff; 50]),
        ("Content-Encoding: compress\r\n", vec![0x1f, 0x9d, 0x90, 3]),
    ] {
        let item = item(fields, &body, &InputOptions::default());
        assert!(matches!(&item, Item::Broken(broken) if broken.origin.offset > 0), "{fields:?}: {item:?}");
    }
}

#[test]
fn decompression_bombs_are_truncated() {
    let options = InputOptions { max_bytes: 100_000, ..InputOptions::default() };
    let zeros = vec![b' '; 50_000_000];
    for (name, bomb) in
        [("gzip", gzip(&zeros)), ("zstd", zstd(&zeros)), ("deflate", zlib(&zeros)), ("gzip, gzip", gzip(&gzip(&zeros)))]
    {
        let Item::Document(document) = item(&format!("Content-Encoding: {name}\r\n"), &bomb, &options) else { panic!("{name}") };
        assert_eq!(document.bytes.len(), 100_001, "{name}");
        assert!(document.bytes.capacity() < 1_000_000, "{name}: {}", document.bytes.capacity());
        assert_eq!(document.problems, [""; 0], "{name}: the page library reports the cut");
    }
}
