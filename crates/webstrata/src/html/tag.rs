//! Tag names as small numbers, with the categories that the tree builder and the block builder need.

use super::scan::word;

/// A tag name as a number. Known names have constants; custom names are numbered per page, after the
/// known ones (see [`crate::html::Dom::tag_name`]).
///
/// ```
/// use webstrata::html::Tag;
/// assert_eq!(Tag::from_name("BlockQuote"), Tag::BLOCKQUOTE);
/// assert_eq!(Tag::H2.name(), "h2");
/// assert_eq!(Tag::from_name("x-card"), Tag::OTHER);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub(crate) u16);

/// Void: has no content and no end tag.
pub(crate) const VOID: u32 = 1;
/// The standard's "special" category.
pub(crate) const SPECIAL: u32 = 1 << 1;
/// Bounds the default scope.
pub(crate) const SCOPE: u32 = 1 << 2;
/// Its start tag closes an open `p`.
pub(crate) const CLOSES_P: u32 = 1 << 3;
/// Formatting element.
pub(crate) const FORMAT: u32 = 1 << 4;
/// Allowed in `head`.
pub(crate) const HEAD: u32 = 1 << 5;
/// Special, but does not stop the search of an `li`, `dd` or `dt` for its predecessor.
pub(crate) const NO_BARRIER: u32 = 1 << 6;
/// Its text is not shown as text of the page.
pub(crate) const HIDDEN: u32 = 1 << 7;
/// Part of a table.
pub(crate) const TABLE_PART: u32 = 1 << 8;
/// Its start tag leaves `svg` and `math`.
pub(crate) const BREAKOUT: u32 = 1 << 9;
/// Its end tag may be implied.
pub(crate) const IMPLIED_END: u32 = 1 << 10;
/// Has rules of its own besides those of its categories.
pub(crate) const RULES: u32 = 1 << 11;
/// Inline content: formatting elements are reopened before it.
pub(crate) const PHRASING: u32 = 1 << 12;

/// Inserts a marker: formatting elements are not reopened across its start or its end.
pub(crate) const MARKER: u32 = 1 << 13;

/// A plain block: special, closes a `p`.
const BLOCK: u32 = SPECIAL | CLOSES_P;

macro_rules! tags {
    ($($id:ident $name:literal $flags:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Id { $($id),* }
        #[allow(missing_docs)]
        impl Tag { $(pub const $id: Tag = Tag(Id::$id as u16);)* }
        const NAMES: &[&str] = &[$($name),*];
        const FLAGS: &[u32] = &[$($flags),*];
    };
}

tags! {
    // Not elements.
    NONE "" 0; TEXT "#text" 0; OTHER "#other" 0;
    // The document and its head.
    HTML "html" SPECIAL | SCOPE; HEAD "head" SPECIAL | BREAKOUT; BODY "body" SPECIAL | BREAKOUT;
    TITLE "title" SPECIAL | HEAD; BASE "base" SPECIAL | VOID | HEAD; LINK "link" SPECIAL | VOID | HEAD;
    META "meta" SPECIAL | VOID | HEAD | BREAKOUT; STYLE "style" SPECIAL | HEAD | HIDDEN;
    SCRIPT "script" SPECIAL | HEAD | HIDDEN; NOSCRIPT "noscript" SPECIAL | HEAD;
    TEMPLATE "template" SPECIAL | SCOPE | MARKER | HEAD | HIDDEN; NOFRAMES "noframes" SPECIAL | HEAD | HIDDEN;
    BASEFONT "basefont" SPECIAL | VOID | HEAD; BGSOUND "bgsound" SPECIAL | VOID | HEAD;
    // Blocks.
    ADDRESS "address" BLOCK | NO_BARRIER; ARTICLE "article" BLOCK; ASIDE "aside" BLOCK;
    BLOCKQUOTE "blockquote" BLOCK | BREAKOUT; CENTER "center" BLOCK | BREAKOUT; DETAILS "details" BLOCK;
    DIALOG "dialog" CLOSES_P; DIR "dir" BLOCK; DIV "div" BLOCK | NO_BARRIER | BREAKOUT; DL "dl" BLOCK | BREAKOUT;
    FIELDSET "fieldset" BLOCK; FIGCAPTION "figcaption" BLOCK; FIGURE "figure" BLOCK; FOOTER "footer" BLOCK;
    HEADER "header" BLOCK; HGROUP "hgroup" BLOCK; MAIN "main" BLOCK; MENU "menu" BLOCK | BREAKOUT; NAV "nav" BLOCK;
    OL "ol" BLOCK | BREAKOUT; P "p" BLOCK | NO_BARRIER | IMPLIED_END | BREAKOUT; SEARCH "search" BLOCK;
    SECTION "section" BLOCK; SUMMARY "summary" BLOCK; UL "ul" BLOCK | BREAKOUT;
    H1 "h1" BLOCK | BREAKOUT | RULES; H2 "h2" BLOCK | BREAKOUT | RULES; H3 "h3" BLOCK | BREAKOUT | RULES;
    H4 "h4" BLOCK | BREAKOUT | RULES; H5 "h5" BLOCK | BREAKOUT | RULES; H6 "h6" BLOCK | BREAKOUT | RULES;
    PRE "pre" BLOCK | BREAKOUT; LISTING "listing" BLOCK | BREAKOUT; FORM "form" BLOCK | RULES;
    LI "li" BLOCK | IMPLIED_END | BREAKOUT | RULES; DD "dd" BLOCK | IMPLIED_END | BREAKOUT | RULES; DT "dt" BLOCK | IMPLIED_END | BREAKOUT | RULES;
    HR "hr" BLOCK | VOID | BREAKOUT | RULES;
    // Tables.
    TABLE "table" BLOCK | SCOPE | BREAKOUT | RULES; CAPTION "caption" SPECIAL | SCOPE | MARKER | TABLE_PART;
    COLGROUP "colgroup" SPECIAL | TABLE_PART; COL "col" SPECIAL | VOID | TABLE_PART;
    THEAD "thead" SPECIAL | TABLE_PART; TBODY "tbody" SPECIAL | TABLE_PART; TFOOT "tfoot" SPECIAL | TABLE_PART;
    TR "tr" SPECIAL | TABLE_PART; TD "td" SPECIAL | SCOPE | MARKER | TABLE_PART; TH "th" SPECIAL | SCOPE | MARKER | TABLE_PART;
    // Void phrasing and embedded content.
    BR "br" SPECIAL | VOID | BREAKOUT | PHRASING; IMG "img" SPECIAL | VOID | BREAKOUT | PHRASING;
    AREA "area" SPECIAL | VOID | PHRASING; EMBED "embed" SPECIAL | VOID | BREAKOUT | PHRASING;
    INPUT "input" SPECIAL | VOID | PHRASING; KEYGEN "keygen" SPECIAL | VOID | PHRASING;
    PARAM "param" SPECIAL | VOID; SOURCE "source" SPECIAL | VOID; TRACK "track" SPECIAL | VOID;
    WBR "wbr" SPECIAL | VOID | PHRASING; FRAME "frame" SPECIAL | VOID; FRAMESET "frameset" SPECIAL;
    IFRAME "iframe" SPECIAL | HIDDEN; NOEMBED "noembed" SPECIAL | HIDDEN;
    XMP "xmp" SPECIAL | CLOSES_P | PHRASING | RULES; PLAINTEXT "plaintext" SPECIAL | CLOSES_P | RULES;
    TEXTAREA "textarea" SPECIAL | PHRASING; SELECT "select" SPECIAL | SCOPE | PHRASING;
    OPTION "option" IMPLIED_END; OPTGROUP "optgroup" IMPLIED_END; BUTTON "button" SPECIAL | PHRASING;
    OBJECT "object" SPECIAL | SCOPE | MARKER | PHRASING; APPLET "applet" SPECIAL | SCOPE | MARKER | PHRASING;
    MARQUEE "marquee" SPECIAL | SCOPE | MARKER | PHRASING;
    // Formatting elements.
    A "a" FORMAT; B "b" FORMAT | BREAKOUT; BIG "big" FORMAT | BREAKOUT; CODE "code" FORMAT | BREAKOUT;
    EM "em" FORMAT | BREAKOUT; FONT "font" FORMAT; I "i" FORMAT | BREAKOUT; NOBR "nobr" FORMAT | BREAKOUT;
    S "s" FORMAT | BREAKOUT; SMALL "small" FORMAT | BREAKOUT; STRIKE "strike" FORMAT | BREAKOUT;
    STRONG "strong" FORMAT | BREAKOUT; TT "tt" FORMAT | BREAKOUT; U "u" FORMAT | BREAKOUT;
    // Other phrasing.
    SPAN "span" BREAKOUT; ABBR "abbr" 0; ACRONYM "acronym" 0; BDI "bdi" 0; BDO "bdo" 0; CITE "cite" 0; DATA "data" 0;
    DEL "del" 0; DFN "dfn" 0; INS "ins" 0; KBD "kbd" 0; LABEL "label" 0; MARK "mark" 0; METER "meter" 0;
    OUTPUT "output" 0; PROGRESS "progress" 0; Q "q" 0; RUBY "ruby" BREAKOUT; RB "rb" IMPLIED_END; RP "rp" IMPLIED_END;
    RT "rt" IMPLIED_END; RTC "rtc" IMPLIED_END; SAMP "samp" 0; SUB "sub" BREAKOUT; SUP "sup" BREAKOUT; TIME "time" 0;
    VAR "var" BREAKOUT; PICTURE "picture" 0; VIDEO "video" 0; AUDIO "audio" 0; CANVAS "canvas" 0; MAP "map" 0;
    LEGEND "legend" 0; DATALIST "datalist" 0; SLOT "slot" 0;
    // Foreign content.
    SVG "svg" RULES; MATH "math" RULES; DESC "desc" 0; FOREIGNOBJECT "foreignobject" 0; G "g" 0; PATH "path" 0;
    USE "use" 0; RECT "rect" 0; CIRCLE "circle" 0; DEFS "defs" 0; MI "mi" 0; MO "mo" 0; MN "mn" 0; MS "ms" 0;
    MTEXT "mtext" 0; ANNOTATION "annotation" 0; ANNOTATION_XML "annotation-xml" 0; MGLYPH "mglyph" 0;
    MALIGNMARK "malignmark" 0; IMAGE "image" RULES;
}

/// Number of known names; higher numbers are custom names of a page.
pub(crate) const KNOWN: usize = NAMES.len();

/// Maximum number of custom names per page; the rest share [`Tag::OTHER`].
pub(crate) const CUSTOM_CAP: usize = 512;

/// Size of a table indexed by any tag of a page.
pub(crate) const TAG_SLOTS: usize = KNOWN + CUSTOM_CAP + 1;

impl Tag {
    /// The known tag with this name (case-insensitive), or [`Tag::OTHER`].
    #[must_use]
    pub fn from_name(name: &str) -> Tag {
        lookup(name.as_bytes())
    }

    /// The name in lower case; `#other` for a custom name, which only its page knows.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.get(usize::from(self.0)).copied().unwrap_or("#other")
    }

    /// Whether this is one of `h1` … `h6`.
    #[must_use]
    pub fn is_heading(self) -> bool {
        (Tag::H1.0..=Tag::H6.0).contains(&self.0)
    }

    /// Whether this is a custom name.
    #[must_use]
    pub fn is_custom(self) -> bool {
        usize::from(self.0) >= KNOWN || self == Tag::OTHER
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline(always)]
    pub(crate) fn flags(self) -> u32 {
        FLAGS.get(self.index()).copied().unwrap_or(0)
    }

    /// Index among the known tags; all custom names share one.
    #[inline(always)]
    pub(crate) fn known_index(self) -> usize {
        if self.index() < KNOWN { self.index() } else { Tag::OTHER.index() }
    }
}

/// A set of known tags; all custom names count as [`Tag::OTHER`].
///
/// ```
/// use webstrata::html::{Tag, TagSet};
/// let set: TagSet = [Tag::P, Tag::DIV].into_iter().collect();
/// assert!(set.contains(Tag::P) && !set.contains(Tag::A));
/// assert!(set.is_subset(TagSet::ALL));
/// assert_eq!(set.to_string(), "div p");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct TagSet([u64; 3]);

const _: () = assert!(KNOWN <= 192, "TagSet holds 192 tags");

impl TagSet {
    /// The empty set.
    pub const EMPTY: TagSet = TagSet([0; 3]);
    /// Every tag.
    pub const ALL: TagSet = TagSet([u64::MAX; 3]);

    /// The set of `tags`, usable in constants.
    #[must_use]
    pub const fn from_tags(tags: &[Tag]) -> TagSet {
        let mut bits = [0u64; 3];
        let mut i = 0;
        while i < tags.len() {
            let t = tags[i].0 as usize;
            let t = if t < KNOWN { t } else { Tag::OTHER.0 as usize };
            bits[t / 64] |= 1 << (t % 64);
            i += 1;
        }
        TagSet(bits)
    }

    /// Adds one tag.
    #[inline(always)]
    pub fn insert(&mut self, tag: Tag) {
        let t = tag.known_index();
        self.0[t / 64] |= 1 << (t % 64);
    }

    /// Whether the tag is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, tag: Tag) -> bool {
        let t = tag.0 as usize;
        let t = if t < KNOWN { t } else { Tag::OTHER.0 as usize };
        self.0[t / 64] & (1 << (t % 64)) != 0
    }

    /// Whether the two sets have a tag in common.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: TagSet) -> bool {
        (self.0[0] & other.0[0]) | (self.0[1] & other.0[1]) | (self.0[2] & other.0[2]) != 0
    }

    /// Whether every tag of this set is in the other.
    #[inline]
    #[must_use]
    pub const fn is_subset(self, other: TagSet) -> bool {
        (self.0[0] & !other.0[0]) | (self.0[1] & !other.0[1]) | (self.0[2] & !other.0[2]) == 0
    }

    /// The tags in either set.
    #[must_use]
    pub const fn union(self, other: TagSet) -> TagSet {
        TagSet([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }

    /// The tags of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: TagSet) -> TagSet {
        TagSet([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// The tags in numeric order.
    pub fn iter(self) -> impl Iterator<Item = Tag> {
        (0..KNOWN as u16).map(Tag).filter(move |&t| self.contains(t))
    }
}

/// Inline elements: their tags end neither a word nor a line.
///
/// `img`, `picture` and `svg` end a word but not the line; `br` and all elements not listed end both.
pub(crate) const INLINE: TagSet = TagSet::from_tags(&[
    Tag::A,
    Tag::ABBR,
    Tag::ACRONYM,
    Tag::B,
    Tag::BDI,
    Tag::BDO,
    Tag::BIG,
    Tag::CITE,
    Tag::CODE,
    Tag::DATA,
    Tag::DEL,
    Tag::DFN,
    Tag::EM,
    Tag::FONT,
    Tag::I,
    Tag::INS,
    Tag::KBD,
    Tag::LABEL,
    Tag::MARK,
    Tag::NOBR,
    Tag::Q,
    Tag::RB,
    Tag::RP,
    Tag::RT,
    Tag::RTC,
    Tag::RUBY,
    Tag::S,
    Tag::SAMP,
    Tag::SLOT,
    Tag::SMALL,
    Tag::SPAN,
    Tag::STRIKE,
    Tag::STRONG,
    Tag::SUB,
    Tag::SUP,
    Tag::TIME,
    Tag::TT,
    Tag::U,
    Tag::VAR,
    Tag::WBR,
]);

impl FromIterator<Tag> for TagSet {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        let mut set = TagSet::EMPTY;
        set.extend(tags);
        set
    }
}

impl Extend<Tag> for TagSet {
    fn extend<I: IntoIterator<Item = Tag>>(&mut self, tags: I) {
        for tag in tags {
            self.insert(tag);
        }
    }
}

/// Names in alphabetical order, separated by spaces.
impl std::fmt::Display for TagSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut names: Vec<&str> = self.iter().map(Tag::name).collect();
        names.sort_unstable();
        f.write_str(&names.join(" "))
    }
}

/// The key of a name of up to eight bytes.
const fn pack(name: &[u8]) -> u64 {
    let mut word = 0u64;
    let mut i = 0;
    while i < name.len() {
        word |= (name[i] as u64) << (8 * i);
        i += 1;
    }
    key(word, name.len())
}

/// The key of the name of 1 to 8 bytes that `word` starts with, as a little-endian word in lower case.
///
/// Letters lose their case, digits and hyphens keep their value. A byte that no ASCII name contains marks
/// the end of a shorter name, so that a trailing NUL is significant.
#[inline(always)]
const fn key(word: u64, len: usize) -> u64 {
    let mask = u64::MAX >> (64 - 8 * len);
    let word = word & mask;
    word | (word >> 1 & 0x2020_2020_2020_2020) | mask.wrapping_add(1) << 7
}

const SLOTS: usize = 1024;

const fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize
}

/// Open-addressing hash table of the names of up to eight bytes.
static SHORT_NAMES: [(u64, u16); SLOTS] = {
    let mut table = [(0u64, 0u16); SLOTS];
    let mut i = Tag::OTHER.0 as usize + 1;
    while i < KNOWN {
        let name = NAMES[i].as_bytes();
        if name.len() <= 8 {
            let key = pack(name);
            let mut at = slot(key);
            while table[at].0 != 0 {
                at = (at + 1) % SLOTS;
            }
            table[at] = (key, i as u16);
        }
        i += 1;
    }
    table
};

/// The known tag with this name (case-insensitive), or [`Tag::OTHER`].
pub(crate) fn lookup(name: &[u8]) -> Tag {
    match name.len() {
        0 => Tag::OTHER,
        1..=8 => find(pack(name)),
        _ => lookup_long(name),
    }
}

/// Like [`lookup`], for the name at `start..end`; reads eight bytes in one load where the input has them.
#[inline(always)]
pub(crate) fn lookup_at(bytes: &[u8], start: usize, end: usize) -> Tag {
    let len = end.wrapping_sub(start);
    match word(bytes, start) {
        Some(word) if len.wrapping_sub(1) < 8 => find(key(word, len)),
        _ => lookup(bytes.get(start..end).unwrap_or_default()),
    }
}

#[inline(always)]
fn find(key: u64) -> Tag {
    let mut at = slot(key);
    loop {
        let (k, t) = SHORT_NAMES[at % SLOTS];
        if k == 0 {
            return Tag::OTHER;
        }
        if k == key {
            return Tag(t);
        }
        at += 1;
    }
}

#[cold]
fn lookup_long(name: &[u8]) -> Tag {
    const LONG: [Tag; 7] = [
        Tag::BLOCKQUOTE,
        Tag::FIGCAPTION,
        Tag::PLAINTEXT,
        Tag::FOREIGNOBJECT,
        Tag::ANNOTATION,
        Tag::ANNOTATION_XML,
        Tag::MALIGNMARK,
    ];
    LONG.into_iter().find(|t| t.name().as_bytes().eq_ignore_ascii_case(name)).unwrap_or(Tag::OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_is_found_in_any_case() {
        for (i, name) in NAMES.iter().enumerate().skip(Tag::OTHER.index() + 1) {
            assert_eq!(lookup(name.as_bytes()).index(), i, "{name}");
            assert_eq!(lookup(name.to_uppercase().as_bytes()).index(), i, "{name}");
            for tail in ["", ">", " class=x>"] {
                let source = format!("<{}{tail}", name.to_uppercase());
                assert_eq!(lookup_at(source.as_bytes(), 1, name.len() + 1).index(), i, "{source}");
            }
        }
        for name in ["", "x", "h7", "aa", "blockquot", "blockquotes", "foreignobjects", "a\u{0}", "\u{1}", "`", "[", "t@", "\u{0}a"]
        {
            assert_eq!(Tag::from_name(name), Tag::OTHER, "{name}");
            assert_eq!(lookup_at(format!("{name}>        ").as_bytes(), 0, name.len()), Tag::OTHER, "{name}");
        }
    }
}
