//! A row of numbers for a page as a whole: what its page_type is told by.

use super::aggregates::Aggregates;
use super::repeats::Repeats;
use crate::html::{Dom, Tag};

/// Tags whose number on a page says something about its page_type.
const COUNTED: [(Tag, &str); 17] = [
    (Tag::ARTICLE, "articles"),
    (Tag::MAIN, "mains"),
    (Tag::H1, "h1s"),
    (Tag::H2, "h2s"),
    (Tag::H3, "h3s"),
    (Tag::LI, "items"),
    (Tag::TABLE, "tables"),
    (Tag::TR, "table-rows"),
    (Tag::FORM, "forms"),
    (Tag::P, "paragraphs"),
    (Tag::PRE, "pres"),
    (Tag::SECTION, "sections"),
    (Tag::DL, "dls"),
    (Tag::NAV, "navs"),
    (Tag::BLOCKQUOTE, "quotes"),
    (Tag::BUTTON, "buttons"),
    (Tag::TIME, "times"),
];

/// Calls back with the name and the value of each column, always in the same order.
pub(super) fn page_row(dom: &Dom<'_>, aggregates: &Aggregates, repeats: &Repeats, mut put: impl FnMut(&'static str, f32)) {
    let total = aggregates.word_sums.total().max(1.0);
    let count = aggregates.len();
    let blocks = (count as f32).max(1.0);
    put("page-words", total);
    put("page-links", aggregates.link_sums.total() / total);
    put("page-blocks", blocks);
    put("page-long-blocks", aggregates.long_count.total());
    put("page-long", aggregates.long_sums.total() / total);
    put("page-longest", aggregates.words.iter().copied().fold(0.0, f32::max));
    let mut counts = [0f32; COUNTED.len()];
    let (mut images, mut code) = (0f32, 0f32);
    for record in dom.records() {
        images += f32::from(u8::from(record.tag == Tag::IMG));
        code += f32::from(u8::from(record.tag == Tag::CODE));
        if let Some(place) = COUNTED.iter().position(|(tag, _)| *tag == record.tag) {
            counts[place] += 1.0;
        }
    }
    // With tags hidden, those that speak of parts of a page are not counted either.
    let hidden = |tag: Tag| aggregates.outline.mask.tags && matches!(tag, Tag::ARTICLE | Tag::MAIN | Tag::SECTION | Tag::NAV);
    for ((tag, name), count) in COUNTED.into_iter().zip(counts) {
        put(name, if hidden(tag) { 0.0 } else { count });
    }
    put("page-images", images);
    put("page-code", code / blocks);
    put("page-prices", aggregates.price_sums.total());
    put("page-price-share", aggregates.price_sums.total() / blocks);
    put("page-dates", aggregates.letters.iter().map(|letters| letters.dates.min(3.0)).sum());
    put("page-text/bytes", total * 6.0 / (dom.source().len() as f32).max(1.0));
    let best = repeats.best.map(|best| repeats.groups[best]).unwrap_or_default();
    let units = best.units.max(1.0);
    put("best-share", best.words / total);
    put("best-images", best.images / units);
    put("best-prices", best.prices / units);
    put("best-units", best.units);
    put("best-unit-words", best.words / units);
    put("page-fields", aggregates.outline.elements.first().map_or(0.0, |root| root.fields as f32));
    let plain = |at: &usize| aggregates.link_share[*at] < 0.3;
    put("longest-plain", (0..count).filter(plain).map(|at| aggregates.words[at]).fold(0.0, f32::max));
    put("plain-of-40", (0..count).filter(plain).filter(|&at| aggregates.words[at] >= 40.0).count() as f32);
    let single = repeats.copies.iter().filter(|&&copies| copies == 1.0).count();
    put("page-single", single as f32 / blocks);
}
