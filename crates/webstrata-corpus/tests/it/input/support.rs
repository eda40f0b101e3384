//! Archives to read, and helpers that read them.

use flate2::write::GzEncoder;
use std::io::Write;
use std::path::{Path, PathBuf};
use webstrata_corpus::Document;
use webstrata_corpus::archive::{Packing, Record, WarcWriter};
use webstrata_corpus::input::{Input, InputOptions, Item};

pub(crate) const DATE: &str = "2024-05-01T12:00:00Z";

/// The ways in which an archive can be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Gzip,
    /// All records in one member.
    GzipWhole,
    /// Members of a fixed size, regardless of record boundaries.
    GzipBlocks,
    Zstd,
    ZstdWhole,
    ZstdDictionary,
}

impl Form {
    pub(crate) const ALL: [Form; 7] =
        [Form::Plain, Form::Gzip, Form::GzipWhole, Form::GzipBlocks, Form::Zstd, Form::ZstdWhole, Form::ZstdDictionary];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Plain => "a.warc",
            Form::Gzip | Form::GzipWhole | Form::GzipBlocks => "a.warc.gz",
            Form::Zstd | Form::ZstdWhole | Form::ZstdDictionary => "a.warc.zst",
        }
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    member.write_all(bytes).unwrap();
    member.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut frame = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
    frame.include_checksum(true).unwrap();
    frame.write_all(bytes).unwrap();
    frame.finish().unwrap()
}

/// An uncompressed record with a page.
pub(crate) fn record(url: &str, page: &[u8]) -> Vec<u8> {
    let mut archive = WarcWriter::new(Vec::new(), Packing::Plain).unwrap();
    archive.page(url, DATE, "text/html; charset=utf-8", page).unwrap();
    archive.into_inner()
}

/// An uncompressed record with an HTTP response as it was received.
pub(crate) fn response(url: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = WarcWriter::new(Vec::new(), Packing::Plain).unwrap();
    let content_type = "application/http; msgtype=response";
    archive.record(&Record { kind: "response", uri: Some(url), date: DATE, content_type, content }).unwrap();
    archive.into_inner()
}

/// Records compressed in a form, and the offset of each in the file if it is a member of its own.
pub(crate) fn pack(records: &[Vec<u8>], form: Form) -> (Vec<u8>, Vec<usize>) {
    let whole = records.concat();
    let mut archive = match form {
        Form::GzipWhole => return (gzip(&whole), vec![]),
        Form::GzipBlocks => return (whole.chunks(1000).flat_map(gzip).collect(), vec![]),
        Form::ZstdWhole => return (zstd(&whole), vec![]),
        Form::Plain => WarcWriter::new(Vec::new(), Packing::Plain).unwrap(),
        Form::Gzip => WarcWriter::new(Vec::new(), Packing::Gzip).unwrap(),
        Form::Zstd => WarcWriter::new(Vec::new(), Packing::Zstd).unwrap(),
        Form::ZstdDictionary => WarcWriter::with_dictionary(Vec::new(), dictionary()).unwrap(),
    };
    let mut places = Vec::new();
    for record in records {
        places.push(archive.get_ref().len());
        archive.write(record).unwrap();
    }
    (archive.into_inner(), places)
}

fn dictionary() -> Vec<u8> {
    record("https://example.org/dictionary", &b"<html><body><p>words that all pages have in common".repeat(5))
}

/// A file in its own folder.
pub(crate) fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// All items of a file or folder.
pub(crate) fn read(path: &Path, options: &InputOptions) -> Vec<Item> {
    Input::open(&[path.to_owned()], options).unwrap().map(Result::unwrap).collect()
}

/// All items of these bytes as a file of this name.
pub(crate) fn read_bytes(name: &str, bytes: &[u8], options: &InputOptions) -> Vec<Item> {
    let (_folder, path) = file(name, bytes);
    read(&path, options)
}

pub(crate) fn documents(items: &[Item]) -> Vec<&Document> {
    items.iter().filter_map(|item| if let Item::Document(document) = item { Some(document) } else { None }).collect()
}

/// The messages of broken items.
pub(crate) fn messages(items: &[Item]) -> Vec<&str> {
    items
        .iter()
        .filter_map(|item| if let Item::Broken(broken) = item { Some(broken.failure.message.as_str()) } else { None })
        .collect()
}

/// Reproducible random numbers (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Pages that do not compress well, each with its address.
pub(crate) fn some_pages(count: usize) -> Vec<(String, Vec<u8>)> {
    let mut random = Random(0x1234_5678_9abc_def1);
    (0..count)
        .map(|number| {
            let words: Vec<String> = (0..50 + random.below(400)).map(|_| format!("w{}", random.below(100_000))).collect();
            (format!("https://example.org/{number}"), format!("<html><body><p>Page {number}: {}", words.join(" ")).into_bytes())
        })
        .collect()
}

pub(crate) fn some_records(pages: &[(String, Vec<u8>)]) -> Vec<Vec<u8>> {
    pages.iter().map(|(url, page)| record(url, page)).collect()
}
