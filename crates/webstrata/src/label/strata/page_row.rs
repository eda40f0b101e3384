//! The features of a page as a whole, from which its type is predicted. `docs/features.md` explains every name.

use super::block_rows::BlockRows;
use crate::html::{Dom, Tag};

/// Tags whose number on a page hints at its type.
const COUNTED: [(Tag, &str); 17] = [
    (Tag::ARTICLE, "article elements"),
    (Tag::MAIN, "main elements"),
    (Tag::H1, "h1 elements"),
    (Tag::H2, "h2 elements"),
    (Tag::H3, "h3 elements"),
    (Tag::LI, "li elements"),
    (Tag::TABLE, "table elements"),
    (Tag::TR, "tr elements"),
    (Tag::FORM, "form elements"),
    (Tag::P, "p elements"),
    (Tag::PRE, "pre elements"),
    (Tag::SECTION, "section elements"),
    (Tag::DL, "dl elements"),
    (Tag::NAV, "nav elements"),
    (Tag::BLOCKQUOTE, "blockquote elements"),
    (Tag::BUTTON, "button elements"),
    (Tag::TIME, "time elements"),
];

/// Calls `put` with the name and the value of each feature, always in the same order.
pub(super) fn page_row(dom: &Dom<'_>, rows: &BlockRows<'_>, mut put: impl FnMut(&'static str, f32)) {
    let (aggregates, repetition) = (&rows.aggregates, &rows.repetition);
    let total = aggregates.word_sums.total().max(1.0);
    let count = aggregates.len();
    let blocks = (count as f32).max(1.0);
    put("word count", total);
    put("link density", aggregates.link_sums.total() / total);
    put("block count", blocks);
    put("long blocks", aggregates.long_count.total());
    put("long-text share", aggregates.long_sums.total() / total);
    put("word count of longest block", aggregates.words.iter().copied().fold(0.0, f32::max));
    let mut counts = [0u32; 192];
    dom.records().iter().for_each(|record| counts[record.tag.known_index()] += 1);
    let elements = |tag: Tag| counts[tag.known_index()] as f32;
    // A mask that hides sectioning tags also hides their counts.
    let hidden = |tag: Tag| aggregates.outline.mask.tags && matches!(tag, Tag::ARTICLE | Tag::MAIN | Tag::SECTION | Tag::NAV);
    for (tag, name) in COUNTED {
        put(name, if hidden(tag) { 0.0 } else { elements(tag) });
    }
    put("img elements", elements(Tag::IMG));
    put("code elements per block", elements(Tag::CODE) / blocks);
    put("blocks with price", aggregates.price_sums.total());
    put("share of blocks with price", aggregates.price_sums.total() / blocks);
    put("date count", aggregates.text.iter().map(|text| text.dates.min(3.0)).sum());
    put("text share of source", total * 6.0 / (dom.source().len() as f32).max(1.0));
    let main = repetition.main_group.map(|main| repetition.groups[main]).unwrap_or_default();
    let units = main.units.max(1.0);
    put("page share of main group", main.words / total);
    put("share of main group units with image", main.images / units);
    put("share of main group units with price", main.prices / units);
    put("unit count of main group", main.units);
    put("words per unit of main group", main.words / units);
    put("form fields", aggregates.outline.elements.first().map_or(0.0, |root| root.fields as f32));
    let unlinked = |at: &usize| aggregates.link_density[*at] < 0.3;
    put("word count of longest unlinked block", (0..count).filter(unlinked).map(|at| aggregates.words[at]).fold(0.0, f32::max));
    put("unlinked blocks of 40 words", (0..count).filter(unlinked).filter(|&at| aggregates.words[at] >= 40.0).count() as f32);
    let unique = repetition.identical.iter().filter(|&&count| count == 1.0).count();
    put("share of unique blocks", unique as f32 / blocks);
    text_clusters(rows, &mut put);
    headings(rows, &mut put);
    topic(rows, &mut put);
}

/// Features of the words that the headline and the running text share.
fn topic(rows: &BlockRows<'_>, put: &mut impl FnMut(&'static str, f32)) {
    let (aggregates, topic) = (&rows.aggregates, &rows.topic);
    put("topic words", topic.words.min(30.0));
    put("topic density", topic.density(aggregates, 0, aggregates.len()));
    put(
        "topic density of largest text cluster",
        rows.clusters.largest().map_or(0.0, |cluster| topic.density_of(aggregates, cluster)),
    );
    put("share of long blocks with topic mentions", topic.share_of_blocks(aggregates));
}

/// Features of the running text, and of the share of the page that is a list of linked headlines.
fn text_clusters(rows: &BlockRows<'_>, put: &mut impl FnMut(&'static str, f32)) {
    let (aggregates, clusters) = (&rows.aggregates, &rows.clusters);
    let (words, long) = (aggregates.word_sums.total().max(1.0), aggregates.long_sums.total().max(1.0));
    put("linked lines", clusters.linked_lines);
    put("page share of linked lines", clusters.linked_line_words / words);
    put("text clusters", clusters.clusters.len() as f32);
    let largest = clusters.largest().copied().unwrap_or_default();
    let long_blocks = largest.long_blocks.max(1.0);
    put("word count of largest text cluster", largest.words);
    put("page share of largest text cluster", largest.words / words);
    put("share of long text in largest text cluster", largest.words / long);
    put("long blocks of largest text cluster", largest.long_blocks);
    put("words per long block of largest text cluster", largest.words / long_blocks);
    put("linked lines per long block of largest text cluster", largest.linked_lines / long_blocks);
    put("relative position of largest text cluster", largest.start as f32 / (aggregates.len() as f32).max(1.0));
    put("words per long block", aggregates.long_sums.total() / aggregates.long_count.total().max(1.0));
}

/// Blocks after the headline that are examined.
const AFTER_HEADLINE: [usize; 2] = [15, 40];

/// Features of the headline and what follows it, and of linked headings, as in lists of teasers.
fn headings(rows: &BlockRows<'_>, put: &mut impl FnMut(&'static str, f32)) {
    let aggregates = &rows.aggregates;
    let count = aggregates.len();
    let headings = || (0..count).filter(|&block| aggregates.heading[block] > 0);
    let linked = headings().filter(|&block| aggregates.link_density[block] > 0.5).count() as f32;
    put("linked headings", linked);
    put("share of headings linked", linked / (headings().count() as f32).max(1.0));
    put("blocks with most title words", rows.titles.iter().filter(|(_, of_title)| *of_title > 0.5).count() as f32);
    let (at, is_h1) = rows.headline.map_or((0, -1.0), |(at, is_h1)| (at, f32::from(u8::from(is_h1))));
    put("headline is h1", is_h1);
    put("relative position of headline", if is_h1 < 0.0 { -1.0 } else { at as f32 / (count as f32).max(1.0) });
    put("share of headline words in title", rows.titles.get(at).map_or(0.0, |titles| titles.0));
    put("share of title words in headline", rows.titles.get(at).map_or(0.0, |titles| titles.1));
    put("link density of headline", aggregates.link_density.get(at).copied().unwrap_or(0.0));
    let [near, far] = AFTER_HEADLINE.map(|reach| (at + reach).min(count));
    put("long text after headline", aggregates.long_sums.between(at.min(near), near));
    put(
        "link density after headline",
        aggregates.link_sums.between(at.min(near), near) / aggregates.word_sums.between(at.min(near), near).max(1.0),
    );
    put(
        "share of long text after headline",
        aggregates.long_sums.between(at.min(far), far) / aggregates.long_sums.total().max(1.0),
    );
}
