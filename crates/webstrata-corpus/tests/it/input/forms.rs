//! The same records in every form of compression, and which records are pages.

use super::support::*;
use webstrata_corpus::Origin;
use webstrata_corpus::archive::{Packing, Record, WarcWriter};
use webstrata_corpus::input::InputOptions;

#[test]
fn every_form_gives_the_same_pages() {
    let pages = some_pages(40);
    for form in Form::ALL {
        let (bytes, places) = pack(&some_records(&pages), form);
        let (_folder, path) = file(form.name(), &bytes);
        let items = read(&path, &InputOptions::default());
        assert_eq!(messages(&items), [""; 0], "{form:?}");
        let found = documents(&items);
        assert_eq!(found.len(), pages.len(), "{form:?}");
        for (document, (url, page)) in found.iter().zip(&pages) {
            assert_eq!(document.url.as_deref(), Some(url.as_str()));
            assert_eq!(document.date.as_deref(), Some(DATE));
            assert_eq!(document.charset.as_deref(), Some("utf-8"));
            assert_eq!(&document.bytes, page);
            assert!(document.problems.is_empty());
        }
        // Every record has its own origin: its offset in the file if records are members.
        let origins: Vec<&Origin> = found.iter().map(|document| &document.origin).collect();
        assert!(origins.is_sorted() && origins.windows(2).all(|pair| pair[0] != pair[1]), "{form:?}");
        if !places.is_empty() {
            let offsets: Vec<usize> = origins.iter().map(|origin| origin.offset as usize).collect();
            assert_eq!(offsets, places, "{form:?}");
            assert!(origins.iter().all(|origin| origin.inside == 0));
        }
    }
}

#[test]
fn only_pages_are_returned() {
    let mut archive = WarcWriter::new(Vec::new(), Packing::Gzip).unwrap();
    let mut add = |kind: &str, content_type: &str, content: &[u8]| {
        archive.record(&Record { kind, uri: Some("https://example.org/x"), date: DATE, content_type, content }).unwrap();
    };
    let http = "application/http; msgtype=response";
    add("warcinfo", "application/warc-fields", b"software: ours\r\n");
    add("request", "application/http; msgtype=request", b"GET / HTTP/1.1\r\n\r\n");
    add("response", "text/dns", b"example.org. 1 IN A 127.0.0.1");
    add("response", http, b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n<html>no");
    add("response", http, b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html>missing");
    add("response", http, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one");
    add("response", http, b"HTTP/1.0 200\nContent-type: application/xhtml+xml;charset='latin1'\n\n<p>two");
    add("response", http, b"HTTP/1.1 203 OK\r\nX: y\r\n\r\n <!DOCTYPE html><p>three");
    add("response", http, b"HTTP/1.1 200 OK\r\nX: y\r\n\r\nno page, no type");
    add("resource", "text/html; charset=koi8-r", b"<p>four");
    add("resource", "application/pdf", b"%PDF");
    add("metadata", "text/html", b"<p>no");
    let bytes = archive.into_inner();
    let items = read_bytes("a.warc.gz", &bytes, &InputOptions::default());
    assert_eq!(messages(&items), [""; 0]);
    let found: Vec<(String, Option<&str>)> = documents(&items)
        .into_iter()
        .map(|document| (String::from_utf8(document.bytes.clone()).unwrap(), document.charset.as_deref()))
        .collect();
    let want = [("<p>one", None), ("<p>two", Some("latin1")), (" <!DOCTYPE html><p>three", None), ("<p>four", Some("koi8-r"))];
    assert_eq!(found, want.map(|(text, charset)| (text.to_owned(), charset)));
    let all = InputOptions { any_status: true, ..InputOptions::default() };
    assert_eq!(documents(&read_bytes("a.warc.gz", &bytes, &all)).len(), 5);
}

#[test]
fn the_type_that_the_crawler_detected_counts() {
    let with = |found: &str, said: &str| {
        let content = format!("HTTP/1.1 200 OK\r\nContent-Type: {said}\r\n\r\n<p>x");
        let text = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <https://e.org/>\r\nWARC-Identified-Payload-Type: {found}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
            content.len()
        );
        let items = read_bytes("a.warc", text.as_bytes(), &InputOptions::default());
        let urls: Vec<Option<String>> = documents(&items).into_iter().map(|document| document.url.clone()).collect();
        assert!(urls.iter().all(|url| url.as_deref() == Some("https://e.org/")), "{urls:?}");
        urls.len() == 1
    };
    assert!(with("text/html", "application/octet-stream"));
    assert!(with("text/plain", "text/html"));
    assert!(with("application/xhtml+xml", "text/plain"));
    assert!(!with("application/pdf", "text/html"));
    assert!(!with("text/plain", "text/plain"));
}

#[test]
fn sloppy_archives_are_read() {
    let one = record("https://e.org/1", b"<p>1");
    let trimmed = one.strip_suffix(b"\r\n\r\n").unwrap();
    let bare: Vec<u8> = String::from_utf8(one.clone()).unwrap().replacen("\r\nWARC-", "\nWARC-", 9).into_bytes();
    for (name, bytes) in [
        ("no line ends after records", [trimmed, trimmed, trimmed].concat()),
        ("many line ends", [&one, b"\n\n\n\n\n\r\n\r\n".repeat(30).as_slice(), &one, &one].concat()),
        ("bare line feeds", [&bare[..], &bare, &bare].concat()),
        ("line ends first", [b"\r\n", &one[..], &one, &one].concat()),
    ] {
        let items = read_bytes("a.warc", &bytes, &InputOptions::default());
        assert_eq!((documents(&items).len(), messages(&items).len()), (3, 0), "{name}: {items:?}");
    }
    // Zeros after the last member, and an empty member between two others.
    let bytes = [gzip(&one), gzip(b""), gzip(&one), vec![0; 5000]].concat();
    let items = read_bytes("a.warc.gz", &bytes, &InputOptions::default());
    assert_eq!((documents(&items).len(), messages(&items).len()), (2, 0), "{items:?}");
    assert!(read_bytes("a.warc", b"", &InputOptions::default()).is_empty());
}

#[test]
fn long_records_are_skipped_and_long_pages_truncated() {
    let options = InputOptions { max_bytes: 10_000, ..InputOptions::default() };
    let film = vec![b'v'; 1_000_000];
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n";
    let long = format!("<html>{}", "x".repeat(200_000));
    let records = [
        record("https://e.org/1", b"<p>1"),
        response("https://e.org/film", &[head, &film[..]].concat()),
        record("https://e.org/2", long.as_bytes()),
        record("https://e.org/3", b"<p>3"),
    ];
    for form in Form::ALL {
        let (bytes, _) = pack(&records, form);
        let items = read_bytes(form.name(), &bytes, &options);
        let lengths: Vec<usize> = documents(&items).iter().map(|document| document.bytes.len()).collect();
        assert_eq!(lengths, [4, 10_001, 4], "{form:?}: {:?}", messages(&items));
        assert_eq!(messages(&items), [""; 0]);
        // One byte more than the limit shows the page library that the page was truncated.
        assert_eq!(documents(&items)[1].problems, [""; 0]);
    }
}
