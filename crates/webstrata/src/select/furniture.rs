//! Furniture: lines such as "Advertisement" or "Share this", which belong to the page rather than to its text.
//!
//! A block is furniture if its whole text is a line of the table, ignoring case, spaces and punctuation. Methods judge such
//! blocks by their surroundings, which in the middle of an article are content.

use super::furniture_table::LINES;
use super::{Change, Selection};
use crate::block::{Block, Blocks, Context};

/// Maximum size of a block that is looked up, in words and in bytes of the page's source.
const MAX_WORDS: u32 = 8;
const MAX_BYTES: u32 = 90;

/// Drops furniture. First-level headings are titles and are kept.
pub(super) fn drop(blocks: Blocks<'_>, selection: &mut Selection) {
    let mut folded = String::new();
    for (index, record) in blocks.records().iter().enumerate() {
        let outside = record.context.intersects(Context::H1) || record.context.intersects(Context::PRE);
        if record.counts.words > MAX_WORDS || outside || !selection.keeps(index) {
            continue;
        }
        if is_furniture(blocks, index, &mut folded) {
            selection.set(index, false, Some(Change::Furniture));
        }
    }
}

/// Whether the text of a block is furniture. `folded` is a buffer.
pub(super) fn is_furniture(blocks: Blocks<'_>, index: usize, folded: &mut String) -> bool {
    let dom = blocks.dom();
    let runs = blocks.runs_of(index);
    let bytes = runs.iter().fold(0u32, |sum, &run| sum.saturating_add(dom.span_of(Blocks::run_node(run)).len()));
    if bytes > MAX_BYTES {
        return false;
    }
    folded.clear();
    for &run in runs {
        if Blocks::run_is_spaced(run) {
            fold(" ", folded);
        }
        fold(&dom.run_text(Blocks::run_node(run)), folded);
    }
    LINES.binary_search(&folded.trim_end()).is_ok() || (is_numbered(folded) && is_prompt(blocks, index))
}

/// Whether a folded text may be the prompt of a notebook cell.
fn is_numbered(folded: &str) -> bool {
    let number = folded.strip_prefix("in ").or_else(|| folded.strip_prefix("out "));
    number.is_some_and(|number| number.trim_end().bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a block is the prompt of a notebook cell: `In [1]:`, `Out[1]:`.
fn is_prompt(blocks: Blocks<'_>, index: usize) -> bool {
    let text = blocks.get(index).map(Block::text).unwrap_or_default();
    let rest = text.strip_prefix("In").or_else(|| text.strip_prefix("Out")).unwrap_or_default().trim();
    rest.starts_with('[') && rest.ends_with("]:")
}

/// Appends a text in lower case; anything between letters and digits becomes one space, and apostrophes are removed.
fn fold(text: &str, out: &mut String) {
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !c.is_ascii() && is_part_of_word(c) {
            out.extend(c.to_lowercase());
        } else if !matches!(c, '\'' | '’') && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
}

/// Letters, digits and the marks that scripts such as Devanagari and Thai combine with them.
fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{d7f}' | '\u{e31}'..='\u{e4e}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Preset;
    use crate::{ExtractOptions, Page};

    #[test]
    fn the_table_is_sorted_and_folded() {
        for pair in LINES.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
        for line in LINES {
            let mut folded = String::new();
            fold(line, &mut folded);
            assert_eq!(folded.trim_end(), *line);
            assert!(line.split(' ').count() <= MAX_WORDS as usize && line.len() as u32 <= MAX_BYTES, "{line}");
        }
    }

    fn text(line: &str, preset: Preset) -> String {
        let html = format!("<p>It rained in the valley.</p><div>{line}</div><p>Nobody can remember when that last happened.</p>");
        Page::parse(html.as_bytes()).extract_with(&preset.into()).text()
    }

    #[test]
    fn whole_blocks_are_furniture_in_many_languages() {
        let lines = [
            "Advertisement",
            "ADVERTISEMENT",
            "- Advertisement -",
            "Anzeige",
            "Article content",
            "Publicité",
            "Реклама",
            "広告",
            "광고",
            "广告",
            "Advertentie",
            "Annons",
            "Reklama",
            "REKLAM",
            "Publicidad",
            "Pubblicità",
            "Story continues below advertisement",
            "Διαφήμιση",
            "إعلان",
            "विज्ञापन",
            "Lesen Sie auch:",
            "Share",
            "Skip to content",
            "Loading&hellip;",
            "<span>Share</span> <b>this</b> article",
            "In&nbsp;[12]:",
            "Out[12]:",
        ];
        for line in lines {
            assert_eq!(text(line, Preset::MinWords(1)), text("", Preset::MinWords(1)), "{line}");
            assert!(text(line, Preset::KeepEverything).lines().count() == 3, "{line}");
        }
    }

    #[test]
    fn sentences_and_titles_are_not() {
        for line in [
            "Advertisement is an old trade.",
            "<h1>Advertisement</h1>",
            "<pre>loading</pre>",
            "Shared",
            "Annonsen",
            "In 2024:",
            "[12]",
        ] {
            assert_eq!(text(line, Preset::MinWords(1)).lines().count(), 3, "{line}");
        }
        let page = Page::parse("<p>One two three</p><div>Anzeige</div>".as_bytes());
        let content = page.extract_with(&ExtractOptions::from(Preset::MinWords(1)));
        assert!(content.explain().why(1).ends_with("furniture: not content: such lines belong to the page, not to its text"));
    }
}
