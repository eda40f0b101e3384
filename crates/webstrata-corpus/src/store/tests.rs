//! Rows are read back as written, and folders are resumed.
use super::*;
use crate::input::{Failure, Reason, Skipped};
use crate::{Origin, Timestamp};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use webstrata::label::Role;

fn manifest(format: Format, tables: &[Table]) -> Manifest {
    let settings = BTreeMap::from([("preset".to_owned(), "strata".to_owned())]);
    Manifest::new(format, tables, settings, json!({"files": [["a.warc", 7]]}))
}

/// Writes chunks, `per_shard` to a shard, as a complete run.
fn write_run(root: &Path, format: Format, tables: &[Table], chunks: &[Chunk], per_shard: usize) {
    let manifest = manifest(format, tables);
    let encoder = Encoder::new(format, tables).unwrap();
    let (folder, state) = RunFolder::open(root, &manifest).unwrap();
    let (mut shards, mut rows) = (state.shards, state.rows);
    for shard in chunks.chunks(per_shard).skip(usize::try_from(state.shards).unwrap()) {
        let mut writer = ShardWriter::create(folder.root(), shards, &encoder).unwrap();
        for chunk in shard {
            writer.append(encoder.encode(chunk).unwrap()).unwrap();
        }
        let (files, counts) = writer.finish().unwrap();
        folder.commit(&Checkpoint { shard: shards, position: json!(shards), rows: counts, files }).unwrap();
        shards += 1;
        rows.add(counts);
    }
    folder.complete(&manifest, shards, rows, Skipped::default()).unwrap();
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zä\"\\\\\n\u{0}中]{0,12}", Just(String::new())]
}

fn page() -> impl Strategy<Value = PageRows> {
    let row = (text(), proptest::option::of(text()), text(), proptest::option::of(0.0f32..1.0), any::<u64>());
    let times = (proptest::option::of(-(1i64 << 50)..1 << 50), proptest::option::of(any::<u16>()), any::<bool>());
    let lists = (proptest::collection::vec(any::<u64>(), 0..3), proptest::collection::vec(text(), 0..3));
    let spans = proptest::collection::vec((any::<u32>(), any::<u32>()).prop_map(|(start, end)| [start, end]), 0..3);
    let role = proptest::option::of(proptest::sample::select(&Role::ALL[..]));
    let segment = (text(), spans, role, any::<bool>(), 0.0f32..1.0, proptest::option::of(text()), any::<u32>());
    let link = (text(), text(), proptest::option::of(any::<u32>()), proptest::option::of(any::<bool>()));
    let segments = proptest::collection::vec(segment, 0..3);
    (row, times, lists, segments, proptest::collection::vec(link, 0..3)).prop_map(|(row, times, lists, segments, links)| {
        let (id, url, text, confidence, hash) = row;
        let (time, http_status, transcoded) = times;
        let (signature, problems) = lists;
        let segment = |(path, spans, role, content, score, class, words)| SegmentRow {
            page: id.clone(),
            text: String::clone(&path),
            path,
            spans,
            transcoded,
            role,
            content,
            score,
            class,
            words,
            ..SegmentRow::default()
        };
        let link = |(target, anchor, segment, same_host)| LinkRow {
            page: id.clone(),
            target,
            anchor,
            segment,
            same_host,
            ..LinkRow::default()
        };
        PageRows {
            segments: segments.into_iter().map(segment).collect(),
            links: links.into_iter().map(link).collect(),
            page: PageRow {
                host: url.clone(),
                title: url.clone(),
                fetched: time.and_then(Timestamp::from_micros),
                modified: time.map(|micros| micros / 1000).and_then(Timestamp::from_micros),
                http_status,
                transcoded,
                authors: problems.clone(),
                license: url.clone(),
                url,
                markdown: text.clone(),
                id,
                text,
                confidence,
                hash,
                signature,
                problems,
                ..PageRow::default()
            },
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Rows are read back as written, in both formats with tables.
    #[test]
    fn rows_are_read_back(chunks in proptest::collection::vec(proptest::collection::vec(page(), 0..4), 0..5)) {
        let failed = ErrorRow::new(&Origin::new("a.warc", 3), None, Failure::new(Reason::TimedOut, "given up"));
        let chunk = |pages: &Vec<PageRows>| Chunk { pages: pages.clone(), errors: vec![failed.clone(); pages.len() / 3] };
        let written: Vec<Chunk> = chunks.iter().map(chunk).collect();
        for format in [Format::Parquet, Format::Jsonl] {
            let here = tempfile::tempdir().unwrap();
            write_run(here.path(), format, &Table::ALL, &written, 2);
            let all: Vec<&PageRows> = chunks.iter().flatten().collect();
            let found: Vec<PageRow> = pages(here.path()).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(found, all.iter().map(|rows| rows.page.clone()).collect::<Vec<_>>());
            let found: Vec<SegmentRow> = segments(here.path()).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(found, all.iter().flat_map(|rows| rows.segments.clone()).collect::<Vec<_>>());
            let found: Vec<LinkRow> = links(here.path()).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(found, all.iter().flat_map(|rows| rows.links.clone()).collect::<Vec<_>>());
            let found: Vec<ErrorRow> = errors(here.path()).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(found.len(), written.iter().map(|chunk| chunk.errors.len()).sum::<usize>());
        }
    }
}

fn some_pages(numbers: std::ops::Range<u32>) -> Chunk {
    let rows = |number: u32| PageRows { page: PageRow { id: format!("a@{number}"), ..PageRow::default() }, ..PageRows::default() };
    Chunk { pages: numbers.map(rows).collect(), errors: Vec::new() }
}

#[test]
fn a_run_is_resumed() {
    let here = tempfile::tempdir().unwrap();
    let root = here.path().join("out");
    let manifest = manifest(Format::Jsonl, &[Table::Pages]);
    let encoder = Encoder::new(Format::Jsonl, &[Table::Pages]).unwrap();
    let (folder, state) = RunFolder::open(&root, &manifest).unwrap();
    assert_eq!(state, RunState::default());
    for shard in 0..2 {
        let mut writer = ShardWriter::create(&root, shard, &encoder).unwrap();
        writer.append(encoder.encode(&some_pages(0..3)).unwrap()).unwrap();
        let (files, rows) = writer.finish().unwrap();
        // The second shard is complete but has no checkpoint.
        if shard == 0 {
            folder.commit(&Checkpoint { shard, position: json!(3), rows, files }).unwrap();
        }
    }
    fs::write(root.join("pages/.part-000002.jsonl.tmp"), "unfinished").unwrap();
    assert!(matches!(pages(&root), Err(StoreError::Incomplete(_))));
    assert!(matches!(RunFolder::open(&root, &manifest), Err(StoreError::Busy(_))));
    drop(folder);
    let (folder, state) = RunFolder::open(&root, &manifest).unwrap();
    assert_eq!((state.shards, state.rows.pages, state.last.unwrap().position), (1, 3, json!(3)));
    let left: Vec<_> = fs::read_dir(root.join("pages")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["part-000000.jsonl"]);
    folder.complete(&manifest, 1, state.rows, Skipped::default()).unwrap();
    drop(folder);
    assert!(RunFolder::open(&root, &manifest).unwrap().1.complete);
    assert_eq!(pages(&root).unwrap().count(), 3);
    assert!(matches!(links(&root), Err(StoreError::NoTable { .. })));
}

#[test]
fn another_run_is_refused() {
    let here = tempfile::tempdir().unwrap();
    let first = manifest(Format::Parquet, &Table::ALL);
    drop(RunFolder::open(here.path(), &first).unwrap());
    let mut preset = first.clone();
    preset.settings.insert("preset".into(), "article".into());
    let mut input = first.clone();
    input.input = json!({"files": [["a.warc", 8]]});
    let mut software = first.clone();
    software.software = "webstrata 9".into();
    for (other, want) in [
        (preset, "`preset` was strata and is article"),
        (input, "the input has different files"),
        (software, "webstrata 9"),
        (manifest(Format::Jsonl, &Table::ALL), "the format was parquet and is jsonl"),
        (manifest(Format::Parquet, &[Table::Pages]), "was pages,segments,links and is pages"),
    ] {
        let error = RunFolder::open(here.path(), &other).unwrap_err().to_string();
        assert!(error.contains(want) && error.contains("--out"), "{error}");
    }
    let occupied = tempfile::tempdir().unwrap();
    fs::write(occupied.path().join("thesis.tex"), "").unwrap();
    assert!(matches!(RunFolder::open(occupied.path(), &first), Err(StoreError::Occupied(_))));
}

#[test]
fn damage_is_an_error() {
    for format in [Format::Parquet, Format::Jsonl] {
        let here = tempfile::tempdir().unwrap();
        write_run(here.path(), format, &[Table::Pages], &[some_pages(0..5), some_pages(5..9)], 1);
        let path = fs::read_dir(here.path().join("pages")).unwrap().next().unwrap().unwrap().path();
        let whole = fs::read(&path).unwrap();
        for cut in (0..whole.len()).step_by(23) {
            fs::write(&path, &whole[..cut]).unwrap();
            let read: Result<Vec<PageRow>, _> = pages(here.path()).unwrap().collect();
            assert!(format == Format::Jsonl || read.is_err(), "cut at {cut}");
            let manifest = manifest(format, &[Table::Pages]);
            assert!(matches!(RunFolder::open(here.path(), &manifest), Err(StoreError::Damaged { .. })));
        }
        for at in (0..whole.len()).step_by(17) {
            let mut changed = whole.clone();
            changed[at] ^= 0x5a;
            fs::write(&path, changed).unwrap();
            let _ = pages(here.path()).unwrap().collect::<Vec<_>>(); // an error or other rows, not a panic
        }
        fs::remove_file(&path).unwrap();
        assert!(pages(here.path()).unwrap().any(|row| row.is_err()));
        fs::write(here.path().join("manifest.json"), "{").unwrap();
        assert!(matches!(pages(here.path()), Err(StoreError::Damaged { .. })));
    }
    assert!(matches!(pages(Path::new("/nowhere")), Err(StoreError::NoRun(_))));
}
