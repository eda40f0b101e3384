//! The fields of the index.
//!
//! | field | content | for |
//! |---|---|---|
//! | `all` | every word of the page, its title included, with positions | BM25, phrases, and weights by segment |
//! | `kept` | the words of the title and of content | BM25 without templates |
//! | `title` … `boilerplate` | the words of one [`Class`] | weights by role |
//! | `marks` | where each block of a segment starts in `all`, with its facts ([`Mark`]) | weights by block and by class of segment |
//! | `ranks` | ranks by links, unbiased and by topic | mixing into scores, facets |
//!
//! **Why two ways to weigh.** Postings have no payload in tantivy. A field per class is the fastest substitute: one more list for
//! each class with a weight other than 1. But thresholds (at least K words per block, at least density D) and the classes of
//! sites would need a list for each value, 20 for each word of a query, and twice the postings. Their weights are found with the
//! positions of a word instead: `marks` tells the segment of a position, so any rule about segments applies at query time without
//! reindexing, and costs one number for each block of a page. Reading positions is slower, and is done only for pages that can
//! still be among the best.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions};
use webstrata::label::Role;
use webstrata_corpus::store::SegmentRow;

/// The tokenizer of all text fields: words have been found and reduced before.
pub(crate) const SPLIT: &str = "webstrata_split";

/// Classes of text that can be weighted at full speed.
///
/// ```
/// use webstrata_search::Class;
/// assert_eq!("navigation".parse(), Ok(Class::Navigation));
/// assert_eq!(Class::ALL.len(), 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The title of the page, in its metadata and in its text.
    Title,
    /// Headings of the content.
    Heading,
    /// The rest of the content.
    Content,
    /// Comments of readers.
    Comment,
    /// Links to other pages: menus, teasers.
    Navigation,
    /// Everything else that is not content.
    Boilerplate,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 6] =
        [Class::Title, Class::Heading, Class::Content, Class::Comment, Class::Navigation, Class::Boilerplate];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Class::Title => "title",
            Class::Heading => "heading",
            Class::Content => "content",
            Class::Comment => "comment",
            Class::Navigation => "navigation",
            Class::Boilerplate => "boilerplate",
        }
    }

    /// The class of a segment: what is not content is navigation or boilerplate, whatever it looks like.
    ///
    /// ```
    /// use webstrata::label::Role;
    /// use webstrata_corpus::store::SegmentRow;
    /// use webstrata_search::Class;
    /// let row = SegmentRow { role: Some(Role::Heading), content: true, ..SegmentRow::default() };
    /// assert_eq!(Class::of(&row), Class::Heading);
    /// assert_eq!(Class::of(&SegmentRow { content: false, ..row }), Class::Boilerplate);
    /// ```
    #[must_use]
    pub fn of(segment: &SegmentRow) -> Class {
        let other = match segment.role {
            Some(Role::Navigation | Role::Related) => Class::Navigation,
            _ => Class::Boilerplate,
        };
        match segment.role {
            _ if !segment.content => other,
            Some(Role::Title) => Class::Title,
            Some(Role::Heading) => Class::Heading,
            Some(Role::Comment) => Class::Comment,
            _ => Class::Content,
        }
    }

    /// Whether its words are kept when templates are removed.
    #[must_use]
    pub const fn is_kept(self) -> bool {
        !matches!(self, Class::Navigation | Class::Boilerplate)
    }

    const fn number(self) -> u64 {
        self as u64
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Class::ALL.into_iter().find(|class| class.name() == name);
        found.ok_or_else(|| format!("unknown class {name:?}; choose one of: {}", Class::ALL.map(Class::name).join(", ")))
    }
}

/// Facts about a block of a segment, packed into 64 bits: the position of its first word in `all` (20 bits), its words and its density
/// (8 bits each, 255 for more), its [`Class`] (4 bits) and the number of its class in the site (24 bits, 0 if it has none).
///
/// ```
/// use webstrata_search::{Class, Mark};
/// let mark = Mark { start: 7, words: 12, density: 9, class: Class::Comment, site_class: 3 };
/// assert_eq!(Mark::unpack(mark.pack()), mark);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Position of its first word.
    pub start: u32,
    /// Number of words, at most 255.
    pub words: u8,
    /// Text density rounded down, at most 255.
    pub density: u8,
    /// Its class.
    pub class: Class,
    /// The number of its class in the site; 0 = none.
    pub site_class: u32,
}

/// Words of a page that are indexed; the rest is cut off. No page meant for readers has as many.
pub(crate) const MAX_WORDS: u32 = (1 << 20) - 1;
/// Classes of sites that are distinguished.
pub(crate) const MAX_SITE_CLASSES: u32 = (1 << 24) - 1;

impl Mark {
    /// As one number. Marks of a page are in the order of their positions, and so are these numbers.
    #[must_use]
    pub const fn pack(self) -> u64 {
        let start = if self.start > MAX_WORDS { MAX_WORDS } else { self.start };
        let class = if self.site_class > MAX_SITE_CLASSES { 0 } else { self.site_class };
        ((start as u64) << 44)
            | ((self.words as u64) << 36)
            | ((self.density as u64) << 28)
            | (self.class.number() << 24)
            | class as u64
    }

    /// From one number.
    #[must_use]
    pub fn unpack(mark: u64) -> Mark {
        let class = Class::ALL.get((mark >> 24 & 15) as usize).copied().unwrap_or(Class::Boilerplate);
        Mark {
            start: (mark >> 44) as u32,
            words: (mark >> 36 & 255) as u8,
            density: (mark >> 28 & 255) as u8,
            class,
            site_class: (mark & u64::from(MAX_SITE_CLASSES)) as u32,
        }
    }
}

/// Names of fields that are read by name.
pub(crate) mod names {
    pub(crate) const MARKS: &str = "marks";
    pub(crate) const KEY: &str = "key";
    pub(crate) const HASH: &str = "hash";
    pub(crate) const SIMILAR: &str = "similar";
    pub(crate) const CLUSTER: &str = "cluster";
    pub(crate) const DATE: &str = "date";
    pub(crate) const RANKS: &str = "ranks";
}

/// The fields.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    pub(crate) all: Field,
    pub(crate) kept: Field,
    pub(crate) classes: [Field; 6],
    pub(crate) marks: Field,
    /// Hash of the address, or of the id: what a page is replaced, deleted and ranked by.
    pub(crate) key: Field,
    pub(crate) hash: Field,
    pub(crate) similar: Field,
    /// Cluster of near duplicates; 0 if it has none.
    pub(crate) cluster: Field,
    pub(crate) id: Field,
    pub(crate) url: Field,
    pub(crate) name: Field,
    pub(crate) host: Field,
    pub(crate) site: Field,
    pub(crate) language: Field,
    pub(crate) kind: Field,
    pub(crate) date: Field,
    /// Ranks by links, one for each name in the manifest.
    pub(crate) ranks: Field,
    pub(crate) text: Field,
}

impl Fields {
    pub(crate) fn new() -> Fields {
        let mut builder = Schema::builder();
        let words = |option, norms| {
            let indexing = TextFieldIndexing::default().set_tokenizer(SPLIT).set_index_option(option).set_fieldnorms(norms);
            TextOptions::default().set_indexing_options(indexing)
        };
        let all = builder.add_text_field("all", words(IndexRecordOption::WithFreqsAndPositions, true));
        let kept = builder.add_text_field("kept", words(IndexRecordOption::WithFreqs, true));
        let classes = Class::ALL.map(|class| builder.add_text_field(class.name(), words(IndexRecordOption::WithFreqs, false)));
        let marks = builder.add_u64_field(names::MARKS, FAST);
        let key = builder.add_u64_field(names::KEY, FAST | INDEXED);
        let hash = builder.add_u64_field(names::HASH, FAST);
        let similar = builder.add_u64_field(names::SIMILAR, FAST);
        let cluster = builder.add_u64_field(names::CLUSTER, FAST);
        let id = builder.add_text_field("id", STRING | STORED);
        let url = builder.add_text_field("url", STORED);
        let name = builder.add_text_field("name", STORED);
        let host = builder.add_text_field("host", STRING | STORED);
        let site = builder.add_text_field("site", STRING | STORED);
        let language = builder.add_text_field("language", STRING | STORED);
        let kind = builder.add_text_field("kind", STRING | STORED);
        let date = builder.add_i64_field(names::DATE, FAST | INDEXED | STORED);
        let ranks = builder.add_f64_field(names::RANKS, FAST);
        let text = builder.add_text_field("text", STORED);
        let schema = builder.build();
        Fields {
            schema,
            all,
            kept,
            classes,
            marks,
            key,
            hash,
            similar,
            cluster,
            id,
            url,
            name,
            host,
            site,
            language,
            kind,
            date,
            ranks,
            text,
        }
    }

    /// The field of a class.
    pub(crate) fn class(&self, class: Class) -> Field {
        self.classes[class as usize]
    }
}
