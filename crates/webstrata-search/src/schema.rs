//! The fields of the index.
//!
//! | field | content | used for |
//! |---|---|---|
//! | `all` | every word of the page, including its title, with positions | BM25, phrases, and weights by segment |
//! | `kept` | the words of the title and the content | BM25 without templates |
//! | `title` … `boilerplate` | the words of one [`Class`] | weights by role |
//! | `marks` | the start of each block of a segment in `all`, with its properties ([`Mark`]) | weights by block and by class of segment |
//! | `ranks` | link ranks, unbiased and by topic | mixing into scores, facets |
//!
//! **Why there are two ways to weight words.** Postings have no payload in tantivy. The fastest substitute is a field per class: one
//! more postings list for each class with a weight other than 1. But thresholds (at least K words per block, at least density D) and
//! the classes of sites would need a list for each value: 20 lists per query word, and twice the postings. Those weights are looked up
//! by word position instead: `marks` maps a position to its segment, so any rule about segments applies at query time without
//! reindexing, at the cost of one number per block. Reading positions is slower, and is done only for pages that can
//! still be among the best.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions};
use webstrata::label::Role;
use webstrata_corpus::store::SegmentRow;

/// The tokenizer of all text fields; their words have already been segmented and stemmed.
pub(crate) const SPLIT: &str = "webstrata_split";

/// Text classes that can be weighted at full speed.
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
    /// Readers' comments.
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

    /// The class of a segment. A segment that is not content is navigation or boilerplate, whatever its role.
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

    /// Whether words of this class are kept when templates are removed.
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
        found.ok_or_else(|| format!("unknown class '{name}'; choose one of: {}", Class::ALL.map(Class::name).join(", ")))
    }
}

/// Properties of a block of a segment, packed into 64 bits: the position of its first word in `all` (20 bits), its number of words and
/// its density (8 bits each, 255 for more), its [`Class`] (4 bits) and the number of its class in the site (24 bits, 0 for none).
///
/// ```
/// use webstrata_search::{Class, Mark};
/// let mark = Mark { start: 7, words: 12, density: 9, class: Class::Comment, site_class: 3 };
/// assert_eq!(Mark::unpack(mark.pack()), mark);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Position of the first word.
    pub start: u32,
    /// Number of words, capped at 255.
    pub words: u8,
    /// Text density rounded down, capped at 255.
    pub density: u8,
    /// The class.
    pub class: Class,
    /// The id of its class in the site; 0 for none.
    pub site_class: u32,
}

/// Maximum number of indexed words per page; the rest is cut off. No page meant for readers has that many.
pub(crate) const MAX_WORDS: u32 = (1 << 20) - 1;
/// Maximum number of site classes.
pub(crate) const MAX_SITE_CLASSES: u32 = (1 << 24) - 1;

impl Mark {
    /// Packs the mark into one number. The numbers sort like the positions.
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

    /// Unpacks a mark.
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

/// Names of the fields that are read by name.
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
    /// Hash of the address, or of the id: the key by which a page is replaced, deleted and ranked.
    pub(crate) key: Field,
    pub(crate) hash: Field,
    pub(crate) similar: Field,
    /// Cluster of near duplicates; 0 for none.
    pub(crate) cluster: Field,
    pub(crate) id: Field,
    pub(crate) url: Field,
    pub(crate) name: Field,
    pub(crate) host: Field,
    pub(crate) site: Field,
    pub(crate) language: Field,
    pub(crate) kind: Field,
    pub(crate) date: Field,
    /// Link ranks, one for each name in the manifest.
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
