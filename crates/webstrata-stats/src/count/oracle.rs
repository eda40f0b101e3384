//! Naive counting, token by token and letter by letter, as an oracle for the fast implementation.

use super::spill::Sum;
use super::text::{ends_sentence, is_full_stop, length, term};
use super::values::{Cell, example};
use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use webstrata_corpus::site::Fingerprint;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Debug, Default, PartialEq)]
struct Naive {
    terms: BTreeMap<u64, Term>,
    templates: BTreeMap<u128, Template>,
    sentences: Histogram<1_000>,
    letters: [Histogram<MAX_DENSITY>; 2],
    stops: [Histogram<MAX_DENSITY>; 2],
}

impl Naive {
    fn add(&mut self, page: PageFacts<'_>) {
        let mut seen = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
        for segment in page.segments().iter().filter(|segment| segment.words > 0) {
            let (text, density) = (page.text(segment), rounded(segment.density));
            let long = usize::from(density > MAX_SHORT);
            let (mut stop, mut sentence, mut buffer) = (false, 0, String::new());
            self.letters[0].add(density, 0);
            self.letters[1].add(density, 0);
            for token in text.split_whitespace() {
                let size = length(token);
                self.letters[0].add(density, size);
                self.letters[1].add(density, u64::from(size > 0));
                sentence += usize::from(size > 0);
                if let Some(term) = term(token, &mut buffer) {
                    let key = xxh3_64(term.as_bytes());
                    let known = self.terms.entry(key).or_insert_with(|| Term::new(term));
                    known.count += 1;
                    for place in [long, 2] {
                        known.pages[place] += u64::from(seen[place].insert(key));
                    }
                }
                stop |= is_full_stop(token);
                if sentence > 0 && ends_sentence(token) {
                    self.sentences.add(sentence, 1);
                    sentence = 0;
                }
            }
            self.stops[usize::from(stop)].add(density, 1);
            if let Some(fingerprint) = Fingerprint::new(text) {
                let cell = Cell { density: density.min(MAX_DENSITY) as u8, stop, segments: 1, words: u64::from(segment.words) };
                example(text, &mut buffer);
                let one = Template { text: buffer.as_str().into(), count: 1, cells: vec![cell] };
                self.templates.entry(fingerprint.0).or_default().sum(one);
            }
        }
    }
}

/// A text of recurring tokens and of tokens that are hard to parse.
fn text() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "the",
        "The",
        "THE",
        "rain",
        "Rain.",
        "\"rain!\"",
        "don't",
        "e-mail,",
        "vs.",
        "Inc.",
        "May",
        "Monday,",
        "9",
        "am",
        "—",
        "www.a.org",
        "http://a.org/x",
        "Über",
        "über",
        "İstanbul",
        "ΟΔΟΣ",
        "日本語。",
        "何？",
        "a\u{1f}b",
        "internationalization.",
        "fifteen-letters",
        "sixteen-letters!",
        "x",
        "…",
        "(see",
        "Mr.",
        "3rd",
    ]);
    let token = prop_oneof![8 => known.prop_map(str::to_owned), 1 => "\\PC{1,20}"];
    let space = prop::sample::select(vec![" ", " ", " ", "\n", "\t ", "\u{a0}", "\u{3000}", "\u{2028}"]);
    prop::collection::vec((token, space), 0..40).prop_map(|pairs| pairs.into_iter().map(|(token, space)| token + space).collect())
}

proptest! {
    #[test]
    fn matches_the_naive_version(
        pages in prop::collection::vec(prop::collection::vec((text(), 0u32..40, 0.0f32..20.0), 0..6), 0..8),
        memory in prop::sample::select(vec![1, 20, 100_000]),
    ) {
        let parent = tempfile::tempdir().unwrap();
        let mut chunk = Chunk::default();
        for (number, page) in pages.iter().enumerate() {
            chunk.page(&number.to_string(), None, None);
            page.iter().for_each(|(text, words, density)| chunk.segment(text, *words, *density, 0.0));
        }
        let mut counts = Counts::new(Memory { terms: memory, fingerprints: memory, pages: memory }, &TempDir::new(parent.path()));
        let mut naive = Naive::default();
        for page in chunk.pages() {
            counts.add(page).unwrap();
            naive.add(page);
        }
        let Counts { tallies, terms, templates, .. } = counts;
        let mut found = Naive {
            sentences: tallies.sentences,
            letters: tallies.density_letters,
            stops: tallies.density_segments,
            ..Naive::default()
        };
        terms.finish().for_each(|key, term| {
            found.terms.insert(key, term);
            Ok(())
        }).unwrap();
        templates.finish().for_each(|key, template| {
            found.templates.insert(key, template);
            Ok(())
        }).unwrap();
        prop_assert_eq!(found, naive);
    }
}
