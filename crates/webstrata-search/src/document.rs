//! Turns a page of a run into a document of the index.

use crate::class_weights::SiteClasses;
use crate::clusters::Clusters;
use crate::fold::similarity_hash;
use crate::parts::parts;
use crate::schema::{Class, Fields, MAX_WORDS, Mark};
use crate::split::{GAP, WORD_END};
use crate::topic_ranks::TopicRanks;
use crate::words::{Words, primary};
use std::sync::Arc;
use tantivy::TantivyDocument;
use webstrata_corpus::run::site_of;
use webstrata_corpus::store::{PageRow, SegmentRow};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of content stored for snippets.
const MAX_TEXT: usize = 1 << 17;

/// The key by which a page is replaced, deleted and ranked: the hash of its address, or of its id if it has no address.
pub(crate) fn key(url: Option<&str>, id: &str) -> u64 {
    xxh3_64(url.filter(|url| !url.is_empty()).unwrap_or(id).as_bytes())
}

/// Text of one page, by index field.
#[derive(Debug, Default)]
struct Texts {
    all: String,
    kept: String,
    classes: [String; 6],
    marks: Vec<Mark>,
    position: u32,
}

impl Texts {
    /// Adds a block. Blocks with `is_kept` remain when templates are removed.
    fn add(&mut self, words: &mut Words, text: &str, mut mark: Mark, is_kept: bool) {
        if self.position >= MAX_WORDS {
            return;
        }
        mark.start = self.position;
        let before = self.position;
        let Texts { all, kept, classes, position, .. } = self;
        words.each(text, &mut |word, _| {
            if *position >= MAX_WORDS {
                return;
            }
            *position += 1;
            let push = |field: &mut String| {
                field.push_str(word);
                field.push(WORD_END);
            };
            push(all);
            push(&mut classes[mark.class as usize]);
            if is_kept {
                push(kept);
            }
        });
        if self.position > before {
            self.marks.push(mark);
            self.all.push(GAP);
            self.position += 1;
        }
    }
}

/// Converts to a byte; larger values become 255.
fn byte(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}

/// Page data that is not in the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Further {
    pub(crate) ranks: Option<Arc<TopicRanks>>,
    pub(crate) clusters: Option<Arc<Clusters>>,
}

/// The document of a page.
pub(crate) fn document(
    fields: &Fields,
    classes: &SiteClasses,
    further: &Further,
    page: &PageRow,
    segments: &[SegmentRow],
) -> TantivyDocument {
    let mut words = Words::new(page.language.as_deref());
    let mut texts = Texts::default();
    let site = page.host.as_deref().map(site_of).unwrap_or_default();
    if let Some(title) = &page.title {
        let count = title.split_whitespace().count().min(255) as u8;
        let mark = Mark { start: 0, words: count, density: count, class: Class::Title, site_class: classes.title(site) };
        texts.add(&mut words, title, mark, true);
    }
    for segment in segments {
        let class = Class::of(segment);
        let [rest, headings] = classes.numbers(site, segment);
        for part in parts(segment) {
            let mark = Mark {
                start: 0,
                words: part.words.min(255) as u8,
                density: byte(part.density),
                class: part.class(class),
                site_class: if part.heading { headings } else { rest },
            };
            texts.add(&mut words, part.text, mark, class.is_kept());
        }
    }
    let end = Mark { start: texts.position, words: 0, density: 0, class: Class::Boilerplate, site_class: 0 };
    texts.marks.push(end);

    let mut document = TantivyDocument::new();
    document.add_text(fields.all, &texts.all);
    document.add_text(fields.kept, &texts.kept);
    for (class, text) in Class::ALL.into_iter().zip(&texts.classes).filter(|(_, text)| !text.is_empty()) {
        document.add_text(fields.class(class), text);
    }
    for mark in &texts.marks {
        document.add_u64(fields.marks, mark.pack());
    }
    let key = key(page.url.as_deref(), &page.id);
    document.add_u64(fields.key, key);
    for rank in further.ranks.as_ref().and_then(|ranks| ranks.of_page(key)).into_iter().flatten() {
        document.add_f64(fields.ranks, rank);
    }
    // Hash 0: pages without content are not duplicates of each other.
    document.add_u64(fields.hash, if page.text.trim().is_empty() { 0 } else { page.hash });
    document.add_u64(fields.cluster, further.clusters.as_ref().map_or(0, |clusters| clusters.of(&page.id)));
    document.add_u64(fields.similar, similarity_hash(&page.text));
    document.add_text(fields.id, &page.id);
    for (field, value) in
        [(fields.url, &page.url), (fields.name, &page.title), (fields.host, &page.host), (fields.kind, &page.page_type)]
    {
        if let Some(value) = value {
            document.add_text(field, value);
        }
    }
    if !site.is_empty() {
        document.add_text(fields.site, site);
    }
    if let Some(language) = &page.language {
        let (whole, first) = (language.to_ascii_lowercase(), primary(language));
        document.add_text(fields.language, &first);
        if whole != first {
            document.add_text(fields.language, whole);
        }
    }
    if let Some(date) = page.published.or(page.modified) {
        document.add_i64(fields.date, date.micros().div_euclid(1_000_000));
    }
    document.add_text(fields.text, cut(&page.text));
    document
}

/// Truncates a text to what is stored.
fn cut(text: &str) -> &str {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}
