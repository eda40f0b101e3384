//! Headings inside the text are kept with it. Methods judge a heading by its few words, so some are missing between two
//! kept paragraphs.

use super::{Change, Selection};
use crate::block::{Blocks, Context};
use crate::html::{Facts, Node};

/// Maximum number of words in a heading.
const MAX_WORDS: u32 = 30;

/// Maximum number of elements between a heading and the element that it has in common with the text below it.
const MAX_WRAPPERS: usize = 6;

/// Text that readers do not see.
const UNSEEN: Facts = Facts::HIDDEN.union(Facts::DISPLAY_NONE).union(Facts::TEMPLATE);

/// Keeps the headings between two blocks that are kept, if the second is in the section of the heading.
pub(super) fn apply(blocks: Blocks<'_>, selection: &mut Selection) {
    // The next block that is not a heading, and whether the last one before was kept.
    let is_heading: Vec<bool> = blocks.records().iter().map(|record| record.context.intersects(Context::HEADING)).collect();
    let Some(first) = is_heading.iter().position(|heading| *heading) else { return };
    let mut changed: Vec<usize> = selection.changes.iter().map(|(index, _)| *index as usize).collect();
    changed.sort_unstable();
    let mut inside_text = first.checked_sub(1).is_some_and(|index| selection.keeps(index));
    let mut at = first;
    while at < is_heading.len() {
        if !is_heading[at] {
            inside_text = selection.keeps(at);
            at += 1;
            continue;
        }
        let end = (at..is_heading.len()).find(|&index| !is_heading[index]).unwrap_or(is_heading.len());
        if inside_text && selection.keeps(end) {
            for index in at..end {
                let decided = selection.keeps(index) || changed.binary_search(&index).is_ok();
                if !decided && heads(blocks, index, end) {
                    selection.set(index, true, Some(Change::SectionHeading));
                }
            }
        }
        at = end;
    }
}

/// Whether a heading that readers see and block `text` are in the same section.
fn heads(blocks: Blocks<'_>, heading: usize, text: usize) -> bool {
    let (Some(block), Some(&run)) = (blocks.get(heading), blocks.runs_of(text).first()) else { return false };
    let counts = block.counts();
    if counts.words > MAX_WORDS || counts.link_words == counts.words || block.facts().intersects(UNSEEN) {
        return false;
    }
    let dom = blocks.dom();
    let below = Blocks::run_node(run);
    let contains = |node: Node<'_>| below < dom.record(node.number()).end;
    block.node().ancestors().take(MAX_WRAPPERS).any(contains)
}

#[cfg(test)]
mod tests {
    use crate::label::Preset;
    use crate::{ExtractOptions, Page};

    #[test]
    fn headings_stay_with_their_sections() {
        let long = "It rained in the valley for three days, and nobody who lives there can remember such a week in March.";
        let kept = |html: &str| Page::parse(html.as_bytes()).extract_with(&ExtractOptions::from(Preset::MinWords(6))).text();
        let text = kept(&format!("<article><p>{long}</p><h2>Monday</h2><p>{long} Then it stopped.</p></article>"));
        assert!(text.contains("\nMonday\n"), "{text}");
        // A link to another article, and a heading whose text is not kept.
        let text =
            kept(&format!("<article><p>{long}</p><h3><a href=/x>Elsewhere</a></h3><p>{long} Then it stopped.</p></article>"));
        assert!(!text.contains("Elsewhere"), "{text}");
        let text = kept(&format!("<article><p>{long}</p></article><h2>Weather</h2><p>Sunny</p>"));
        assert!(!text.contains("Weather"), "{text}");
    }
}
