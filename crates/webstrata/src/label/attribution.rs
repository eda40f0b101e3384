//! Captions, credits and bylines: text about pictures, their makers and the authors, rather than the text they belong to.
//!
//! Pages mark such text up in three ways: by elements (`figcaption`, `time`, `rel=author`), by names (classes, ids and
//! `itemprop`), and by its shape ("Foto: …/AFP" next to a picture, a line of digits below the headline). A name counts only
//! if its element is small: `published` is as common on whole articles as on dates. All word lists are of names in markup and of
//! the few words that introduce a credit or an author; a line that has nothing but its shape must also be in the right place.
//!
//! The elements around a block are examined up to the first one with too many words, so the cost per block is bounded.

use super::letter_case::is_capital;
use super::role::Role;
use crate::block::{Blocks, Context};
use crate::html::{Dom, Node, Tag, TagSet};
use crate::model::words_of_name;
use std::sync::OnceLock;

/// Maximum words of an element that is named as a caption, and of its longest block.
const MAX_CAPTION_WORDS: u32 = 80;

/// Maximum words of a block whose elements' names are read. Longer captions are in a `figcaption`, as a rule.
const MAX_NAMED_WORDS: u32 = 40;

/// Maximum words of an element that is named as a credit, and of a block that has the shape of one.
const MAX_CREDIT_WORDS: u32 = 20;

/// Maximum words of an element that is named as a byline.
const MAX_BYLINE_WORDS: u32 = 25;

/// Maximum words of a line that is a byline by its shape.
const MAX_LINE_WORDS: u32 = 10;

/// Blocks between a headline and a byline without a name.
const BYLINE_DISTANCE: usize = 5;

/// Blocks with this many words are running text.
const LONG_WORDS: u32 = 25;

/// Elements that contain too much to be examined.
const OUTER: TagSet = TagSet::from_tags(&[Tag::HTML, Tag::BODY, Tag::MAIN, Tag::ARTICLE, Tag::TABLE, Tag::FORM]);

/// Pictures and the elements around them.
const PICTURES: TagSet = TagSet::from_tags(&[Tag::IMG, Tag::PICTURE, Tag::FIGURE, Tag::VIDEO, Tag::IFRAME, Tag::OBJECT]);

/// What a role was recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// An element that means it: `figcaption`, `time`.
    Element,
    /// The name of an element.
    Name,
    /// A name that means little on its own, and a date.
    Dated,
    /// Dates and links to authors that make up most of the line.
    Inside,
    /// The shape of the line.
    Shape,
}

impl Evidence {
    /// The evidence in words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Evidence::Element => "by its element",
            Evidence::Name => "by a class, id or property",
            Evidence::Dated => "by a class and a date",
            Evidence::Inside => "by dates and links to authors",
            Evidence::Shape => "by its shape",
        }
    }
}

/// A role and what it was recognised by.
type Found = (Role, Evidence);

/// What the names of an element say, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hints(u8);

impl Hints {
    const CAPTION: Hints = Hints(1);
    const CREDIT: Hints = Hints(1 << 1);
    const BYLINE: Hints = Hints(1 << 2);
    /// Names that are bylines only if a date or an author confirms it.
    const WEAK_BYLINE: Hints = Hints(1 << 3);
    /// The text is a slide, a card or a teaser: what looks like its caption is its content.
    const CARD: Hints = Hints(1 << 4);

    fn has(self, other: Hints) -> bool {
        self.0 & other.0 != 0
    }
}

/// Words in names, in the languages that names are written in.
const NAMES: [(Hints, &[&str]); 5] = [
    (
        Hints::CAPTION,
        &[
            "caption", "captions", "figcaption", "imagecaption", "imgcaption", "photocaption", "piccaption", "cutline",
            "bildunterschrift", "bildtext", "bildzeile", "legende", "didascalia", "fotobijschrift", "bijschrift", "bildetekst",
            "kuvateksti", "piedefoto",
        ],
    ),
    (
        Hints::CREDIT,
        &[
            "credit", "credits", "photocredit", "imagecredit", "imgcredit", "piccredit", "photographer", "fotograf", "fotografo",
            "photographe", "fotocredit", "bildnachweis", "bildquelle", "bildrechte", "fotoquelle", "copyrightholder", "credittext",
        ],
    ),
    (
        Hints::BYLINE,
        &[
            "author", "authors", "byline", "bylines", "dateline", "pubdate", "pubtime", "timestamp", "autor", "autores", "autore",
            "auteur", "auteurs", "verfasser", "datepublished", "datemodified", "datecreated", "publishdate", "publicationdate",
            "postdate", "articledate", "signature", "firma", "redacteur", "skribent", "forfatter", "writer", "reporter",
            "journalist", "fecha", "datum", "publishtime", "authorname", "readingtime", "readtime",
        ],
    ),
    (
        Hints::WEAK_BYLINE,
        &["date", "time", "published", "updated", "modified", "posted", "meta", "metadata", "info", "postmeta", "postinfo"],
    ),
    (
        Hints::CARD,
        &[
            "carousel", "slide", "slider", "slideshow", "banner", "hero", "card", "cards", "thumbnail", "product", "teaser",
            "gallery", "tile",
        ],
    ),
];

/// The hints by hash, sorted.
fn hint_words() -> &'static [(u32, Hints)] {
    static WORDS: OnceLock<Vec<(u32, Hints)>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let hashed = |(hints, words): (Hints, &'static [&'static str])| {
            words.iter().filter_map(move |word| words_of_name(word).next().map(|hash| (hash, hints)))
        };
        let mut words: Vec<(u32, Hints)> = NAMES.into_iter().flat_map(hashed).collect();
        words.sort_unstable_by_key(|(hash, _)| *hash);
        words
    })
}

/// What the names of an element say.
fn hints_of(node: Node<'_>) -> Hints {
    let words = hint_words();
    let mut hints = Hints::default();
    for attribute in node.attributes() {
        let is = |name: &str| attribute.name().eq_ignore_ascii_case(name);
        let value = attribute.span().slice(node.dom().source());
        match attribute.name().len() {
            5 if is("class") => {}
            2 if is("id") => {}
            8 if is("itemprop") => {}
            3 if is("rel") => {
                if value.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("author")) {
                    hints.0 |= Hints::BYLINE.0;
                }
                continue;
            }
            _ => continue,
        }
        for word in words_of_name(value) {
            if let Ok(at) = words.binary_search_by_key(&word, |(hash, _)| *hash) {
                hints.0 |= words[at].1.0;
            }
        }
    }
    hints
}

/// The blocks that an element contains, as far as they have been counted.
#[derive(Clone, Copy, Debug)]
struct Window<'p> {
    blocks: Blocks<'p>,
    first: usize,
    last: usize,
    words: u32,
    /// Whether a heading is among them.
    heading: bool,
}

impl<'p> Window<'p> {
    fn new(blocks: Blocks<'p>, index: usize) -> Self {
        let record = &blocks.records()[index];
        let heading = record.context.intersects(Context::HEADING);
        Window { blocks, first: index, last: index, words: record.counts.words, heading }
    }

    /// Extends the window to all blocks that start inside nodes `start..end`. False if they have more words than any caption.
    fn extend(&mut self, start: u32, end: u32) -> bool {
        let blocks = self.blocks;
        let first_run = |index: usize| blocks.runs_of(index).first().map(|&run| Blocks::run_node(run));
        let (mut first, mut last) = (self.first, self.last);
        while self.words <= MAX_CAPTION_WORDS && first > 0 && first_run(first - 1).is_some_and(|run| run >= start) {
            first -= 1;
            self.add(first);
        }
        while self.words <= MAX_CAPTION_WORDS && first_run(last + 1).is_some_and(|run| run < end) {
            last += 1;
            self.add(last);
        }
        (self.first, self.last) = (first, last);
        self.words <= MAX_CAPTION_WORDS
    }

    fn add(&mut self, index: usize) {
        let record = &self.blocks.records()[index];
        self.words = self.words.saturating_add(record.counts.words.max(1));
        self.heading |= record.context.intersects(Context::HEADING);
    }
}

/// Whether a block is a caption, a credit or a byline. `content` is whether it is kept so far: menus and footers are not
/// examined, since nobody asks for the dates in them.
pub(crate) fn role_of(blocks: Blocks<'_>, index: usize, content: bool) -> Option<Found> {
    let record = blocks.records().get(index)?;
    let words = record.counts.words;
    let context = record.context;
    if words > MAX_CAPTION_WORDS
        || (words > MAX_NAMED_WORDS && !context.intersects(Context::CAPTION))
        || context.intersects(Context::HEADING)
        || context.intersects(Context::PRE)
    {
        return None;
    }
    let menu = context.intersects(Context::NAV) || context.intersects(Context::FOOTER) || record.counts.link_words * 2 > words;
    if !content && menu && !context.intersects(Context::CAPTION) {
        return None;
    }
    role_by_elements(blocks, index, words).or_else(|| role_by_shape(blocks, index, words))
}

/// The role by the elements around a block and inside it.
fn role_by_elements(blocks: Blocks<'_>, index: usize, words: u32) -> Option<Found> {
    let dom = blocks.dom();
    let runs = blocks.runs_of(index);
    let (first, last) = (Blocks::run_node(*runs.first()?), Blocks::run_node(*runs.last()?));
    let mut window = Window::new(blocks, index);
    let mut found = None;
    let mut weak = false;
    let mut element = dom.record(first).parent;
    loop {
        let record = dom.record(element);
        if OUTER.contains(record.tag) {
            break;
        }
        // Inline elements at the start of the block do not describe all of it.
        if record.end > last {
            if !window.extend(element, record.end) {
                break;
            }
            if record.tag == Tag::FIGCAPTION {
                found = found.or_else(|| is_picture(dom, element).then_some((Role::Caption, Evidence::Element)));
                break;
            }
            if record.tag == Tag::TIME && window.words <= MAX_LINE_WORDS {
                return Some((Role::Byline, Evidence::Element));
            }
            let hints = hints_of(Node::new(dom, element));
            if hints.has(Hints::CARD) {
                return None;
            }
            if found.is_none() && !window.heading {
                if hints.has(Hints::CREDIT) && window.words <= MAX_CREDIT_WORDS {
                    found = Some((Role::Credit, Evidence::Name));
                } else if hints.has(Hints::CAPTION) {
                    found = Some((Role::Caption, Evidence::Name));
                } else if hints.has(Hints::BYLINE) && window.words <= MAX_BYLINE_WORDS {
                    found = Some((Role::Byline, Evidence::Name));
                }
                weak |= hints.has(Hints::WEAK_BYLINE) && window.words <= MAX_BYLINE_WORDS;
            }
        }
        if element == record.parent {
            break;
        }
        element = record.parent;
    }
    let dated = || (words <= MAX_BYLINE_WORDS && weak && is_dated(blocks, index)).then_some((Role::Byline, Evidence::Dated));
    let inside = || has_byline_inside(blocks, index, words).then_some((Role::Byline, Evidence::Inside));
    found.or_else(dated).or_else(inside)
}

/// Whether the `figure` around a `figcaption` shows a picture rather than code, a table or a quotation.
fn is_picture(dom: &Dom<'_>, figcaption: u32) -> bool {
    const TEXT: TagSet = TagSet::from_tags(&[Tag::TABLE, Tag::PRE, Tag::BLOCKQUOTE, Tag::UL, Tag::OL]);
    /// Nodes of a figure that are examined.
    const MAX_NODES: usize = 100;
    let parent = dom.record(figcaption).parent;
    !Node::new(dom, parent).descendants().take(MAX_NODES).any(|node| TEXT.contains(node.tag()))
}

/// Whether most of a short block is inside a `time` element or a link to the author.
fn has_byline_inside(blocks: Blocks<'_>, index: usize, words: u32) -> bool {
    let dom = blocks.dom();
    let runs = blocks.runs_of(index);
    if runs.len() < 2 || words > MAX_LINE_WORDS * 2 {
        return false;
    }
    let (mut inside, mut all) = (0, 0);
    for &run in runs {
        let record = dom.record(Blocks::run_node(run));
        let parent = Node::new(dom, record.parent);
        let marked = parent.tag() == Tag::TIME || (parent.tag() == Tag::A && hints_of(parent).has(Hints::BYLINE));
        all += record.to - record.from;
        inside += if marked { record.to - record.from } else { 0 };
    }
    inside * 2 >= all
}

/// Whether a line is a date to a good part, in any language: it has a year, or three numbers with the same sign between
/// them, and few letters beside its digits.
fn is_dated(blocks: Blocks<'_>, index: usize) -> bool {
    let (mut digits, mut letters) = (0u32, 0u32);
    let (mut year, mut date) = (false, false);
    // The digits of the current number, its value, and how many numbers the last sign has connected.
    let (mut length, mut value, mut sign, mut connected) = (0u32, 0u32, ' ', 0u32);
    for &run in blocks.runs_of(index) {
        for c in blocks.dom().run_text(Blocks::run_node(run)).chars().chain([' ']) {
            if let Some(digit) = digit_of(c) {
                digits += 1;
                length += 1;
                value = (value * 10 + digit).min(10_000);
                continue;
            }
            letters += u32::from(c.is_alphabetic());
            if length > 0 {
                year |= length == 4 && (1900..2100).contains(&value);
                date |= connected >= 2 && length <= 4;
                connected =
                    if matches!(c, '.' | '/' | '-') && length <= 4 && (connected == 0 || c == sign) { connected + 1 } else { 0 };
                sign = c;
            } else if c != ' ' || sign != '.' {
                // Only "13. 5. 2024" has spaces inside.
                connected = 0;
            }
            if matches!(c, '$' | '€' | '£' | '¥' | '%') {
                return false;
            }
            (length, value) = (0, 0);
        }
    }
    (year || date) && digits * 4 >= letters
}

/// The value of a digit in the scripts that write dates with their own.
fn digit_of(c: char) -> Option<u32> {
    let zero = match c {
        '0'..='9' => '0',
        '٠'..='٩' => '٠',
        '۰'..='۹' => '۰',
        '०'..='९' => '०',
        '০'..='৯' => '০',
        '๐'..='๙' => '๐',
        '０'..='９' => '０',
        _ => return None,
    };
    Some(u32::from(c) - u32::from(zero))
}

/// Starts of credits that say so, in lower case. They end in a colon or a space.
const CREDITS: [&str; 42] = [
    "photo:", "photo :", "photos:", "photo by ", "photos by ", "photo credit", "photograph:", "photograph by ", "photography:",
    "picture:", "pictures:", "image:", "images:", "image credit", "image courtesy", "photo courtesy", "image source:", "foto:",
    "fotos:", "foto ©", "foto di ", "bild:", "bilder:", "bildquelle:", "bildnachweis", "bildrechte", "symbolbild:", "crédit photo",
    "crédits photo", "crédit :", "imagen:", "imagem:", "fotografía:", "fotografia:", "fot.", "fotó:", "kuva:", "beeld:", "фото:",
    "写真：", "사진=", "图片来源",
];

/// Starts of credits that also begin other lines: they count next to a picture only.
const WEAK_CREDITS: [&str; 3] = ["©", "(c)", "credit:"];

/// Agencies whose names end a credit. They count next to a picture only.
const AGENCIES: [&str; 14] = [
    "getty images", "reuters", "afp", "ap", "ap photo", "dpa", "epa", "shutterstock", "istock", "unsplash", "alamy", "imago",
    "keystone", "picture alliance",
];

/// Words that introduce authors at the start of a line, in lower case.
const BY: [&str; 19] = [
    "by", "von", "par", "por", "di", "door", "av", "af", "text:", "autor:", "author:", "words:", "reporting by", "written by",
    "posted by", "publié par", "geschrieben von", "автор:", "текст:",
];

/// Words that may stand between names.
const BETWEEN: [&str; 22] = [
    "and", "und", "et", "y", "e", "i", "och", "og", "en", "with", "for", "in", "at", "on", "de", "van", "von", "der", "da", "di",
    "la", "the",
];

/// The role by the shape of a line and its place.
fn role_by_shape(blocks: Blocks<'_>, index: usize, words: u32) -> Option<Found> {
    if words > MAX_CREDIT_WORDS {
        return None;
    }
    let record = &blocks.records()[index];
    if record.context.intersects(Context::CELL) || record.context.intersects(Context::LIST) {
        return None;
    }
    let text = blocks.get(index)?.text();
    let lower = text.to_lowercase();
    if CREDITS.iter().any(|start| lower.len() > start.len() && lower.starts_with(start)) {
        return Some((Role::Credit, Evidence::Shape));
    }
    let weak = WEAK_CREDITS.iter().any(|start| lower.starts_with(start));
    let agency = words <= MAX_LINE_WORDS
        && AGENCIES.iter().any(|name| {
            let start = lower.strip_suffix(')').unwrap_or(&lower).strip_suffix(name);
            start.is_some_and(|start| start.is_empty() || start.ends_with(['/', ' ', '-', '|', '©', '(', ',', '–']))
        });
    if (weak || agency) && next_to_picture(blocks, index) {
        return Some((Role::Credit, Evidence::Shape));
    }
    let line = words <= MAX_LINE_WORDS && (is_by_line(&text, &lower) || is_dated(blocks, index)) && below_headline(blocks, index);
    line.then_some((Role::Byline, Evidence::Shape))
}

/// Whether a line consists of a word like "by" and names.
fn is_by_line(text: &str, lower: &str) -> bool {
    let by = BY.iter().filter(|by| lower.strip_prefix(**by).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
    let Some(length) = by.map(|by| by.split(' ').count()).max() else { return false };
    let mut names = text.split_whitespace().skip(length).peekable();
    names.peek().is_some_and(|name| name.starts_with(is_capital))
        && names.all(|name| name.starts_with(|c: char| is_capital(c) || !c.is_alphabetic()) || BETWEEN.contains(&name))
        && !text.ends_with(['.', '?', '!', ':'])
}

/// Whether a picture is in the gap before a block or after it.
fn next_to_picture(blocks: Blocks<'_>, index: usize) -> bool {
    let gap = |index: usize| blocks.get(index).is_some_and(|block| block.gap().intersects(PICTURES));
    gap(index) || gap(index + 1)
}

/// Whether an `h1` is a few blocks above, and no running text between.
fn below_headline(blocks: Blocks<'_>, index: usize) -> bool {
    let above = blocks.records()[index.saturating_sub(BYLINE_DISTANCE)..index].iter().rev();
    let headline = |record: &crate::block::Record| record.context.intersects(Context::H1);
    above.take_while(|record| record.counts.words < LONG_WORDS || headline(record)).any(headline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    const LONG: &str = "It has been raining in the valley for three days, and nobody who lives there can remember when that last \
                        happened, not even the old miller, who has written down the weather of every day since he was a boy.";

    /// The role of the block that contains "XX" or is marked by it, on a page with text around.
    fn role(html: &str) -> Option<Role> {
        let page = Page::parse(html.as_bytes());
        let block = page.blocks().iter().find(|block| block.text().contains("XX")).unwrap();
        role_of(page.blocks(), block.index(), true).map(|(role, _)| role)
    }

    fn in_article(html: &str) -> Option<Role> {
        role(&format!("<article><h1>Rain in the valley</h1>{html}<p>{LONG}</p><p>{LONG}</p></article>"))
    }

    #[test]
    fn captions_by_element_and_name() {
        for html in [
            "<figure><img src=a><figcaption>The bridge at XX</figcaption></figure>",
            "<figure><img src=a><figcaption><p>One</p><p>XX two</p></figcaption></figure>",
            "<div class=wp-caption><img src=a><p class=wp-caption-text>Die Brücke XX</p></div>",
            "<div><img src=a><span class=Bildunterschrift>Die Brücke XX</span></div>",
        ] {
            assert_eq!(in_article(html), Some(Role::Caption), "{html}");
        }
        for html in [
            "<div class=carousel-item><div class=carousel-caption>Spring sale XX</div></div>",
            "<div class=caption><h3>Rubber boots</h3><p>XX warm and dry</p></div>",
            &format!("<div class=caption>XX {LONG} {LONG} {LONG}</div>"),
            "<figure><table><tr><td>1<td>2</table><figcaption>Rainfall in mm XX</figcaption></figure>",
            "<h2 class=caption>XX</h2>",
        ] {
            assert_eq!(in_article(html), None, "{html}");
        }
    }

    #[test]
    fn credits_by_name_and_shape() {
        for html in [
            "<div><img src=a><span class=photo-credit>XX/AFP</span></div>",
            "<p>Foto: XX</p>",
            "<p>Photo by Jo Ash, XX</p>",
            "<p>Фото: Иван XX</p>",
            "<p>写真：XX通信</p>",
            "<img src=a><p>© XX</p>",
            "<img src=a><p>Jo Ash XX / Getty Images</p>",
        ] {
            assert_eq!(in_article(html), Some(Role::Credit), "{html}");
        }
        for html in ["<p>© XX</p>", "<p>The maps (XX) are from the files of AP</p>", "<p>Photography is an art, XX</p>"] {
            assert_eq!(in_article(html), None, "{html}");
        }
    }

    #[test]
    fn bylines_by_element_name_and_shape() {
        for html in [
            "<div class=byline>Jo Ash XX</div>",
            "<time datetime=2024-05-13>May 13, XX</time>",
            "<div class=post-meta>13.5.2024, XX</div>",
            "<p>By Jo Ash and Maren Tolliver, XX</p>",
            "<p>Von Jo Ash XX</p>",
            "<p>XX 13 May 2024, 17:42</p>",
            "<p>2024年5月13日 XX</p>",
            "<p>XX ١٣ مايو ٢٠٢٤</p>",
            "<p><a rel=author href=/jo>Jo Ash, Maren XX</a>, <time>May 13</time></p>",
            "<div class=author><p>Jo Ash</p><p>Rain reporter XX</p></div>",
        ] {
            assert_eq!(in_article(html), Some(Role::Byline), "{html}");
        }
        for html in [
            "<p>By and large XX it rained.</p>",
            "<p>$1,042 in 2024 XX</p>",
            "<p>Total reviews: 2,700 XX</p>",
            "<div class=date>About rain XX</div>",
            &format!("<div class=published><p>XX</p><p>{LONG} {LONG}</p></div>"),
        ] {
            assert_eq!(in_article(html), None, "{html}");
        }
        // Far from a headline, a date is a date.
        assert_eq!(role(&format!("<h1>Rain</h1><p>{LONG}</p><p>XX 13 May 2024</p>")), None);
    }

    #[test]
    fn menus_are_not_examined() {
        let page = Page::parse(b"<nav><div class=byline>Jo Ash</div></nav>");
        assert_eq!(role_of(page.blocks(), 0, false), None);
        assert_eq!(role_of(page.blocks(), 0, true).map(|(role, _)| role), Some(Role::Byline));
    }
}
