//! Files crafted to crash the reader, slow it down or exhaust its memory.

use super::support::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};
use webstrata_corpus::input::{Input, InputOptions, Item};

/// Small limits that are easy to hit.
fn tight() -> InputOptions {
    InputOptions { max_bytes: 20_000, ..InputOptions::default() }
}

/// Reads arbitrary bytes as a file of this name. Every item must be within the limits.
fn survive(name: &str, bytes: &[u8]) -> Vec<Item> {
    let options = tight();
    let items = read_bytes(name, bytes, &options);
    for item in &items {
        if let Item::Document(document) = item {
            assert!(document.bytes.len() as u64 <= options.max_bytes + 1);
        }
        assert!(item.origin().offset <= bytes.len() as u64);
    }
    // Every item consumes some bytes.
    assert!(items.len() <= bytes.len() / 2 + 1, "{} items of {} bytes", items.len(), bytes.len());
    items
}

const NAMES: [&str; 8] = ["a.warc", "a.warc.gz", "a.warc.zst", "a.jsonl", "a.jsonl.gz", "a.parquet", "a.html", "a"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(name in 0..NAMES.len(), magic in 0..6usize, bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let magics: [&[u8]; 6] = [b"", b"\x1f\x8b\x08\0\0\0\0\0\0\x03", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18", b"WARC/1.0\r\n", b"PAR1"];
        let bytes = [magics[magic], &bytes].concat();
        if let Ok(input) = { let (_folder, path) = file(NAMES[name], &bytes); Input::open(&[path], &tight()) } {
            drop(input);
        }
        survive(NAMES[name], &bytes);
    }

    #[test]
    fn damaged_and_truncated_archives(form in 0..Form::ALL.len(), seed in any::<u64>(), flips in 0..30usize, cut in any::<bool>()) {
        let (mut bytes, _) = pack(&some_records(&some_pages(12)), Form::ALL[form]);
        let mut random = Random(seed | 1);
        if cut {
            let end = random.below(bytes.len());
            bytes.truncate(end);
        }
        for _ in 0..flips.min(bytes.len()) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        survive(Form::ALL[form].name(), &bytes);
    }

    #[test]
    fn damaged_records_in_intact_members(form in 0..Form::ALL.len(), seed in any::<u64>(), flips in 1..40usize) {
        let mut records = some_records(&some_pages(8));
        let mut random = Random(seed | 1);
        for _ in 0..flips {
            let record = random.below(records.len());
            // Headers are where damage matters.
            let at = random.below(records[record].len().min(400));
            records[record][at] = *b"\r\n:0 9WARCx\xff".get(random.below(12)).unwrap();
        }
        let (bytes, _) = pack(&records, Form::ALL[form]);
        survive(Form::ALL[form].name(), &bytes);
    }
}

/// Time limit for each of the files below: linear work takes seconds, quadratic work would take minutes.
const TIME_LIMIT: Duration = Duration::from_secs(20);

fn in_time(what: &str, name: &str, bytes: &[u8], options: &InputOptions) -> Vec<Item> {
    let start = Instant::now();
    let items = read_bytes(name, bytes, options);
    let took = start.elapsed();
    assert!(took < TIME_LIMIT, "{what}: {took:?} for {} bytes", bytes.len());
    items
}

#[test]
fn the_work_is_linear() {
    let options = InputOptions::default();
    let lie = |length: usize| format!("WARC/1.0\r\nContent-Length: {length}\r\n\r\n").into_bytes();
    let sound = record("https://e.org/", b"<p>sound");
    let lies = lie(3_000_000).repeat(300_000);
    let video_lies = lie(99_000_000).repeat(300_000);
    for form in [Form::Plain, Form::GzipWhole, Form::ZstdWhole] {
        let (bytes, _) = pack(&[lies.clone(), sound.clone()], form);
        let items = in_time("wrong lengths", form.name(), &bytes, &options);
        assert_eq!(documents(&items).len(), 1, "{form:?}");
    }
    let items = in_time("wrong lengths of videos", "a.warc", &[video_lies, sound.clone()].concat(), &options);
    assert_eq!(documents(&items).len(), 1);
    in_time("endless headers", "a.warc", &b"WARC/1.0\r\nx: y\r\n".repeat(1_000_000), &options);
    in_time("starts of gzip members", "a.warc.gz", &[0x1f, 0x8b, 8, 0].repeat(2_000_000), &options);
    in_time("starts of Zstandard frames", "a.warc.zst", &[0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1].repeat(1_000_000), &options);
    let tiny: Vec<u8> = std::iter::repeat_n(gzip(b"W"), 300_000).flatten().collect();
    in_time("members of one byte", "a.warc.gz", &[gzip(&lie(30_000_000)), tiny].concat(), &options);
    in_time("one line", "a.jsonl", &vec![b'{'; 100_000_000], &options);
    in_time("nested", "a.jsonl", &[b"{\"x\": ".as_slice(), &b"[".repeat(10_000_000)].concat(), &options);
}

/// A gzip member of stored blocks.
fn stored(blocks: &[&[u8]]) -> Vec<u8> {
    let mut out = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
    for block in blocks {
        let length = block.len() as u16;
        out.push(0);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    out
}

#[test]
fn nested_members_are_not_read_again_and_again() {
    // Every member begins like a record and extends over all members after it; none of them ever ends.
    let mut bytes = Vec::new();
    for _ in 0..100_000 {
        let head = b"WARC/1.0\r\nContent-Length: 30000000\r\n\r\n";
        bytes.extend_from_slice(&stored(&[head]));
        // A block that swallows the header of the next member.
        bytes.extend_from_slice(&[0, 10, 0, 0xf5, 0xff]);
    }
    in_time("nested members", "a.warc.gz", &bytes, &InputOptions::default());
}

#[test]
fn decompression_bombs_are_skipped_and_what_follows_is_read() {
    let sound = record("https://e.org/", b"<p>sound");
    // 400 MB of zeros: as a record that declares this length, and without the start of a record.
    let long = [b"WARC/1.0\r\nContent-Length: 400000000\r\n\r\n".to_vec(), vec![0; 400_000_000]].concat();
    for (name, pack) in [("a.warc.gz", gzip as fn(&[u8]) -> Vec<u8>), ("a.warc.zst", zstd)] {
        for bomb in [&long[..], &long[50..]] {
            let bytes = [pack(&sound), pack(bomb), pack(&sound)].concat();
            let items = in_time("a bomb", name, &bytes, &tight());
            assert_eq!((documents(&items).len(), messages(&items).len()), (2, 1), "{name}: {:?}", messages(&items));
        }
    }
}
