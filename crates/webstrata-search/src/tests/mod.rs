//! Properties of whole searches on generated collections.

mod answers;
mod facets;
mod hostile;
mod scores;

use crate::{ClassCounter, Index, IndexOptions, IndexWriter, SearchOptions};
use tempfile::TempDir;
use webstrata::label::Role;
use webstrata_corpus::io::Random;
use webstrata_corpus::store::{PageRow, SegmentRow};

/// Words with a frequency distribution like that of natural language: the first ones are frequent.
pub(super) fn word(random: &mut Random) -> String {
    let exponent = random.unit() * 7.0;
    format!("w{}", exponent.exp() as u32)
}

pub(super) fn words(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

/// A page with a title, a menu, a heading, text, comments and a footer.
pub(super) fn page(number: usize, random: &mut Random) -> (PageRow, Vec<SegmentRow>) {
    let roles = [
        (Role::Navigation, false, 5),
        (Role::Heading, true, 4),
        (Role::Body, true, 60),
        (Role::Body, true, 9),
        (Role::Comment, true, 15),
        (Role::Footer, false, 8),
    ];
    let mut segments = Vec::new();
    for (at, (role, content, most)) in roles.into_iter().enumerate() {
        let count = 1 + random.below(most);
        segments.push(SegmentRow {
            page: format!("p{number}"),
            number: at as u32,
            text: words(random, count),
            role: Some(role),
            content,
            words: count as u32,
            text_density: (count as f32).min(18.5),
            path: format!("/html/body/div[{}]", at + 1),
            ..SegmentRow::default()
        });
    }
    let text = segments.iter().filter(|segment| segment.content).map(|segment| segment.text.clone()).collect::<Vec<_>>().join("\n");
    let row = PageRow {
        id: format!("p{number}"),
        url: Some(format!("https://site{}.example/{number}", number % 5)),
        host: Some(format!("site{}.example", number % 5)),
        title: Some(words(random, 3)),
        hash: number as u64 + 1,
        text,
        ..PageRow::default()
    };
    (row, segments)
}

/// An index in several parts, so that statistics of the parts differ from those of the whole.
pub(super) fn collection(pages: usize, parts: usize) -> (TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions { threads: 1, ..IndexOptions::default() };
    let mut random = Random::new(7);
    let rows: Vec<_> = (0..pages).map(|number| page(number, &mut random)).collect();
    let mut writer = IndexWriter::open(folder.path(), &options).unwrap();
    let mut counter = ClassCounter::default();
    rows.iter().for_each(|(page, segments)| counter.add(page.host.as_deref().unwrap(), page.title.as_deref(), segments));
    writer.set_class_weights(counter.finish()).unwrap();
    for (number, (page, segments)) in rows.iter().enumerate() {
        writer.add(page, segments).unwrap();
        if number % (pages / parts + 1) == pages / parts {
            writer.commit().unwrap();
        }
    }
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    (folder, index)
}

pub(super) fn queries(count: usize) -> Vec<String> {
    let mut random = Random::new(11);
    (0..count)
        .map(|_| {
            let words_in = 1 + random.below(4);
            words(&mut random, words_in)
        })
        .collect()
}

pub(super) fn ranked(index: &Index, query: &str, options: &SearchOptions) -> Vec<(String, f32)> {
    index.rank(&query.parse().unwrap(), options).unwrap()
}
