//! Reading pages from Parquet files.

use super::support::*;
use arrow_array::{ArrayRef, BinaryArray, RecordBatch, StringArray, TimestampMillisecondArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use webstrata_corpus::input::{Input, InputError, InputOptions, Item};

/// Writes rows of pages in groups of `group` rows.
pub(crate) fn write(path: &Path, rows: usize, group: usize) {
    write_compressed(path, rows, group, Compression::UNCOMPRESSED);
}

fn write_compressed(path: &Path, rows: usize, group: usize, compression: Compression) {
    let pages: Vec<String> = (0..rows).map(|row| format!("<p>row {row} {}", "x".repeat(row * 13 % 300))).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("other", Arc::new(StringArray::from(vec!["never read"; rows]))),
        ("html", Arc::new(StringArray::from(pages))),
        ("url", Arc::new(StringArray::from((0..rows).map(|row| Some(format!("https://e.org/{row}"))).collect::<Vec<_>>()))),
        ("date", Arc::new(TimestampMillisecondArray::from(vec![1_714_564_800_000; rows]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group)).set_compression(compression).build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn rows_are_pages() {
    let (_folder, path) = file("a.parquet", b"");
    write(&path, 45, 20);
    let items = read(&path, &InputOptions::default());
    let pages = documents(&items);
    assert_eq!(pages.len(), 45);
    for (row, page) in pages.iter().enumerate() {
        assert_eq!(page.origin.offset, row as u64);
        assert_eq!(page.url.as_deref(), Some(format!("https://e.org/{row}").as_str()));
        assert_eq!(page.date.as_deref(), Some(DATE));
        assert_eq!(page.charset.as_deref(), Some("utf-8"));
        assert!(page.bytes.starts_with(format!("<p>row {row} ").as_bytes()));
    }
    let small = InputOptions { max_bytes: 5, ..InputOptions::default() };
    assert!(documents(&read(&path, &small)).iter().all(|page| page.bytes.len() == 6 && page.problems.is_empty()));
}

#[test]
fn all_compressions_are_read() {
    let compressions = [
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
    ];
    for compression in compressions {
        let (_folder, path) = file("a.parquet", b"");
        write_compressed(&path, 45, 20, compression);
        let items = read(&path, &InputOptions::default());
        let pages = documents(&items);
        assert_eq!(pages.len(), 45, "{compression:?}: {:?}", messages(&items));
        assert!(pages[44].bytes.starts_with(b"<p>row 44 "), "{compression:?}");
    }
}

#[test]
fn columns_can_be_chosen() {
    let (_folder, path) = file("a.parquet", b"");
    let batch = RecordBatch::try_from_iter([
        ("content", Arc::new(BinaryArray::from_opt_vec(vec![Some(b"<p>\xe4".as_slice()), None])) as ArrayRef),
        ("id", Arc::new(StringArray::from(vec!["a", "b"])) as ArrayRef),
    ])
    .unwrap();
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let error = Input::open(std::slice::from_ref(&path), &InputOptions::default()).unwrap_err();
    assert!(matches!(error, InputError::NoColumn { .. }));
    assert!(error.to_string().contains("\"content\", \"id\""), "{error}");
    let options = InputOptions { html_column: "content".into(), url_column: "id".into(), ..InputOptions::default() };
    let items = read(&path, &options);
    let Item::Document(page) = &items[0] else { panic!("{items:?}") };
    assert_eq!((page.bytes.as_slice(), page.charset.as_deref(), page.url.as_deref()), (b"<p>\xe4".as_slice(), None, Some("a")));
    assert_eq!(messages(&items), ["the page is null"]);
}

#[test]
fn damage_costs_only_its_row_group() {
    let (_folder, path) = file("a.parquet", b"");
    write(&path, 200, 20);
    let sound = std::fs::read(&path).unwrap();
    let mut random = Random(19);
    for round in 0..300 {
        let mut bytes = sound.clone();
        if round % 2 == 0 {
            bytes.truncate(random.below(sound.len()));
        }
        for _ in 0..round % 7 {
            let at = random.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        std::fs::write(&path, &bytes).unwrap();
        // If the names of columns are damaged, there may be no column of pages.
        if let Ok(input) = Input::open(std::slice::from_ref(&path), &InputOptions::default()) {
            let items: Vec<Item> = input.map(Result::unwrap).collect();
            assert!(items.len() <= 400);
        }
    }
    let mut bytes = sound.clone();
    let middle = sound.len() / 2;
    bytes[middle..middle + 30].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let items = read(&path, &InputOptions::default());
    assert!(documents(&items).len() >= 160, "{}", documents(&items).len());
}
