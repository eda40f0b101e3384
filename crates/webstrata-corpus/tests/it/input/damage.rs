//! Damage affects only the record that contains it.

use super::support::*;
use std::collections::BTreeSet;
use webstrata_corpus::input::{InputOptions, Item};

/// The pages that are missing or changed.
fn lost(items: &[Item], pages: &[(String, Vec<u8>)]) -> BTreeSet<usize> {
    let found = documents(items);
    (0..pages.len())
        .filter(|&number| {
            let (url, page) = &pages[number];
            !found.iter().any(|document| document.url.as_deref() == Some(url) && &document.bytes == page)
        })
        .collect()
}

/// The record that a byte of the file belongs to.
fn hit(places: &[usize], at: usize) -> usize {
    places.partition_point(|&place| place <= at).saturating_sub(1)
}

#[test]
fn a_flipped_bit_costs_one_record() {
    let pages = some_pages(30);
    let records = some_records(&pages);
    let mut random = Random(7);
    for form in [Form::Gzip, Form::Zstd, Form::ZstdDictionary] {
        let (sound, places) = pack(&records, form);
        for _ in 0..300 {
            let at = places[0] + random.below(sound.len() - places[0]);
            let mut bytes = sound.clone();
            bytes[at] ^= 1 << random.below(8);
            let number = hit(&places, at);
            // A file that does not begin like a compressed file is read as plain text.
            if number == 0 && at < 4 {
                continue;
            }
            let items = read_bytes(form.name(), &bytes, &InputOptions::default());
            let lost = lost(&items, &pages);
            // Some bytes do not matter, such as the time stamp in a gzip header.
            assert!(lost.is_empty() || lost == BTreeSet::from([number]), "{form:?}, byte {at}: lost {lost:?} instead of {number}");
            let broken: Vec<u64> =
                items.iter().filter(|item| matches!(item, Item::Broken(_))).map(|item| item.origin().offset).collect();
            if !lost.is_empty() {
                assert_eq!(broken, [places[number] as u64], "{form:?}, byte {at}: {:?}", messages(&items));
            }
        }
    }
}

#[test]
fn holes_and_garbage_cost_only_the_records_they_touch() {
    let pages = some_pages(30);
    let records = some_records(&pages);
    let mut random = Random(11);
    for form in [Form::Gzip, Form::Zstd] {
        let (sound, places) = pack(&records, form);
        for round in 0..150 {
            let from = places[1] + random.below(sound.len() - places[1]);
            let length = (1 + random.below(3000)).min(sound.len() - from);
            let mut bytes = sound.clone();
            match round % 3 {
                0 => drop(bytes.drain(from..from + length)),
                1 => bytes[from..from + length].iter_mut().for_each(|byte| *byte = random.next() as u8),
                _ => drop(bytes.splice(from..from, (0..length).map(|_| random.next() as u8).collect::<Vec<_>>())),
            }
            let touched: BTreeSet<usize> = if round % 3 == 2 {
                BTreeSet::from([hit(&places, from)])
            } else {
                (hit(&places, from)..=hit(&places, from + length - 1)).collect()
            };
            // A hole between two records must harm neither.
            let items = read_bytes(form.name(), &bytes, &InputOptions::default());
            let lost = lost(&items, &pages);
            assert!(lost.is_subset(&touched), "{form:?}, {length} bytes at {from}, kind {}: {lost:?} of {touched:?}", round % 3);
            if !lost.is_empty() {
                assert!(!messages(&items).is_empty(), "{form:?}, {length} bytes at {from}: no message about {lost:?}");
            }
        }
    }
}

#[test]
fn a_truncated_file_reports_its_last_record() {
    let pages = some_pages(12);
    let records = some_records(&pages);
    let mut random = Random(13);
    for form in [Form::Plain, Form::Gzip, Form::Zstd, Form::ZstdDictionary] {
        let (sound, places) = pack(&records, form);
        for _ in 0..150 {
            let end = places[0] + random.below(sound.len() - places[0]);
            let items = read_bytes(form.name(), &sound[..end], &InputOptions::default());
            let number = hit(&places, end);
            let found = documents(&items).len();
            // The newlines after a record may be missing.
            assert!(found == number || found == number + 1, "{form:?}, {end} bytes: {found} pages, the cut is in record {number}");
            if found == number && end > places[number] + 4 {
                assert_eq!(messages(&items).len(), 1, "{form:?}, {end} bytes: {items:?}");
            }
        }
    }
}

#[test]
fn a_wrong_length_costs_one_record() {
    let pages = some_pages(9);
    let number = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    for form in Form::ALL {
        for lie in
            ["0", "1", "999", "999999", "99999999", "99999999999999", "18446744073709551615", "99999999999999999999", "-1", "x", ""]
        {
            let mut records = some_records(&pages);
            let text = number(&records[4]);
            // The first is that of the record, the second that of the response in it.
            let begin = text.find("Content-Length: ").unwrap() + "Content-Length: ".len();
            let end = begin + text[begin..].find('\r').unwrap();
            records[4] = [&text[..begin], lie, &text[end..]].concat().into_bytes();
            let (bytes, _) = pack(&records, form);
            let items = read_bytes(form.name(), &bytes, &InputOptions::default());
            let lost = lost(&items, &pages);
            assert_eq!(lost, BTreeSet::from([4]), "{form:?}, {lie:?}: {:?}", messages(&items));
            assert_eq!(messages(&items).len(), 1, "{form:?}, {lie:?}: {:?}", messages(&items));
        }
    }
}

#[test]
fn wrong_headers_cost_one_record() {
    let pages = some_pages(9);
    for form in Form::ALL {
        for (from, to) in
            [("WARC/1.0", "WORK/1.0"), ("Content-Length", "Content-Width"), ("\r\n\r\n", "\r\n"), ("WARC/1.0\r\n", "")]
        {
            let mut records = some_records(&pages);
            let text = String::from_utf8(records[4].clone()).unwrap();
            records[4] = text.replacen(from, to, 1).into_bytes();
            let (bytes, _) = pack(&records, form);
            let items = read_bytes(form.name(), &bytes, &InputOptions::default());
            let lost = lost(&items, &pages);
            assert_eq!(lost, BTreeSet::from([4]), "{form:?}, {from:?}: {:?}", messages(&items));
            assert!(!messages(&items).is_empty(), "{form:?}, {from:?}");
        }
    }
}

#[test]
fn damage_in_a_large_member_keeps_the_records_before_it() {
    let pages = some_pages(200);
    let records = some_records(&pages);
    for form in [Form::GzipWhole, Form::ZstdWhole] {
        let (mut bytes, _) = pack(&records, form);
        let middle = bytes.len() / 2;
        bytes[middle..middle + 40].fill(0xff);
        let items = read_bytes(form.name(), &bytes, &InputOptions::default());
        let found = documents(&items).len();
        assert!(found > 20 && found < 150, "{form:?}: {found}");
        assert!(messages(&items).iter().any(|reason| reason.contains("bytes are skipped")), "{form:?}: {:?}", messages(&items));
    }
}

#[test]
fn damage_in_blocks_costs_the_records_around_it() {
    let pages = some_pages(60);
    let (sound, _) = pack(&some_records(&pages), Form::GzipBlocks);
    let mut random = Random(17);
    for _ in 0..100 {
        let at = 10 + random.below(sound.len() - 10);
        let mut bytes = sound.clone();
        bytes[at] ^= 0x55;
        let items = read_bytes("a.warc.gz", &bytes, &InputOptions::default());
        let lost = lost(&items, &pages);
        // A block has a thousand bytes and a page up to three thousand, so the record in the block and one on either side are lost.
        assert!(lost.len() <= 3, "byte {at}: {lost:?}, {:?}", messages(&items));
        assert!(lost.is_empty() || !messages(&items).is_empty(), "byte {at}");
    }
}

#[test]
fn lines_after_damage_are_read() {
    let line =
        |number: usize| format!("{{\"url\": \"https://e.org/{number}\", \"html\": \"<p>{}\"}}\n", number * 7919).into_bytes();
    let mut bytes = Vec::new();
    for number in 0..50 {
        if number == 20 {
            bytes.extend_from_slice(&gzip(&line(number))[..30]);
        } else {
            bytes.extend_from_slice(&gzip(&line(number)));
        }
    }
    let items = read_bytes("a.jsonl.gz", &bytes, &InputOptions::default());
    assert_eq!((documents(&items).len(), messages(&items).len()), (49, 1), "{:?}", messages(&items));
    let text = b"{\"html\": 1}\n{\"html\": \"<p>1\"}\nnot json\n\n{\"html\": \"<p>2\", \"x\": {\"y\": [1, 2]}}\n{\"html\": \"<p>3\"} trailing\n{\"url\": \"u\"}\n{\"html\": \"<p>4\", \"url\": 5, \"date\": \"d\"}";
    let items = read_bytes("a.jsonl", text, &InputOptions::default());
    let pages: Vec<&[u8]> = documents(&items).iter().map(|document| document.bytes.as_slice()).collect();
    assert_eq!(pages, [b"<p>1", b"<p>2", b"<p>4"]);
    assert_eq!(messages(&items).len(), 4, "{:?}", messages(&items));
    let last = *documents(&items).last().unwrap();
    assert_eq!((last.url.as_deref(), last.date.as_deref(), last.charset.as_deref()), (Some("5"), Some("d"), Some("utf-8")));
}
