//! Damaged indexes, folders that are not indexes, and hostile pages.

use super::collection;
use crate::{Index, IndexOptions, IndexWriter, SearchError, SearchOptions, build};
use std::fs;
use std::ops::ControlFlow;
use webstrata_corpus::store::{PageRow, SegmentRow};

#[test]
fn damaged_indexes_are_errors() {
    let (folder, index) = collection(60, 1);
    index.verify().unwrap();
    drop(index);
    let tantivy = folder.path().join("tantivy");
    let mut files: Vec<_> =
        fs::read_dir(&tantivy).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    let mut noticed = 0;
    for file in files.iter().filter(|file| !file.file_name().unwrap().to_string_lossy().starts_with('.')) {
        let bytes = fs::read(file).unwrap();
        for (cut, flip) in [(bytes.len() / 2, None), (bytes.len(), Some(bytes.len() / 3)), (0, None)] {
            let mut damaged = bytes[..cut].to_vec();
            if let Some(byte) = flip.and_then(|at| damaged.get_mut(at)) {
                *byte ^= 0x55;
            }
            fs::write(file, &damaged).unwrap();
            // An answer or an error, but never a panic.
            let outcome = Index::open(folder.path()).and_then(|index| {
                let found = index.search(&"w1 w5".parse().unwrap(), &SearchOptions::default());
                index.verify().and(found)
            });
            if let Err(error) = outcome {
                let message = error.to_string();
                assert!(
                    message.contains("damaged") || message.contains("is not an index") || message.contains("cannot"),
                    "{message}"
                );
                noticed += 1;
            }
        }
        fs::write(file, &bytes).unwrap();
    }
    assert!(noticed >= files.len(), "{noticed} of {}", files.len());
    fs::write(folder.path().join("webstrata-index.json"), r#"{"format":"webstrata.index/99"}"#).unwrap();
    let error = Index::open(folder.path()).unwrap_err();
    assert!(matches!(&error, SearchError::Format { found, .. } if found == "webstrata.index/99"), "{error}");
}

#[test]
fn foreign_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "").unwrap();
    assert!(matches!(IndexWriter::open(folder.path(), &IndexOptions::default()), Err(SearchError::Occupied(_))));
    let mut go = |_: &crate::Built| ControlFlow::Continue(());
    let none = build(&folder.path().join("none"), &folder.path().join("out"), &IndexOptions::default(), &mut go);
    assert!(matches!(none, Err(SearchError::Store(_))), "{none:?}");
    let index = tempfile::tempdir().unwrap();
    let first = IndexWriter::open(index.path(), &IndexOptions::default()).unwrap();
    assert!(matches!(IndexWriter::open(index.path(), &IndexOptions::default()), Err(SearchError::Busy(_))));
    drop(first);
}

#[test]
fn hostile_pages_are_indexed() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default()).unwrap();
    let texts = [
        "\u{1f}\u{1e}\u{0}".repeat(100),
        "字".repeat(20_000),
        "a ".repeat(1_200_000),
        "\u{202e}évil\u{1b}[2J".into(),
        "ก".repeat(5000),
    ];
    for (number, text) in texts.into_iter().enumerate() {
        let row = PageRow { id: number.to_string(), text: text.clone(), language: Some("x-\u{0}".into()), ..PageRow::default() };
        let segment = SegmentRow {
            text,
            content: true,
            words: u32::MAX,
            text_density: f32::NAN,
            path: "/[".repeat(1000),
            ..SegmentRow::default()
        };
        writer.add(&row, &[segment]).unwrap();
    }
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    for query in ["a", "字", "évil", "\"a a\"", "ก"] {
        let found = index.search(&query.parse().unwrap(), &SearchOptions { explain: true, ..SearchOptions::default() }).unwrap();
        assert!(found.hits.iter().all(|hit| !hit.snippet.text.contains('\u{1b}')), "{query}");
    }
}
