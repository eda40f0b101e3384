//! The features of a page as a whole, from which its type is predicted. `docs/features.md` explains every name.

use super::aggregates::Aggregates;
use super::repetition::Repetition;
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
pub(super) fn page_row(dom: &Dom<'_>, aggregates: &Aggregates, repetition: &Repetition, mut put: impl FnMut(&'static str, f32)) {
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
    // A mask that hides sectioning tags hides their counts too.
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
}
