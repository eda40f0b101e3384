//! Features of elements, computed once per element: neighbouring blocks share their ancestors.

use super::aggregates::Aggregates;
use super::repetition::Repetition;
use super::tags::tag_number;

/// Number of levels below the body with features of their own.
pub(super) const TOP_LEVELS: usize = 4;

/// Statistics of an element, used in the features of the blocks inside it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ElementStats {
    pub(super) words: f32,
    pub(super) link_density: f32,
    pub(super) blocks: f32,
    /// Share of the page's words.
    pub(super) share: f32,
    /// Share of its words in long blocks.
    pub(super) long: f32,
    /// Share of the page's words in long blocks.
    pub(super) long_share: f32,
    /// Share of its words that the published rules keep.
    pub(super) kept_by_rules: f32,
    /// Siblings with the same tag and class, itself included.
    pub(super) similar: f32,
    /// Siblings with the same tag, itself included.
    pub(super) same_tag: f32,
    pub(super) tag: f32,
    pub(super) images: f32,
    pub(super) fields: f32,
    /// The outermost elements that contain it, from the one below the body inwards; itself where there are fewer.
    pub(super) top: [u32; TOP_LEVELS],
}

impl ElementStats {
    /// The statistics of all elements.
    pub(super) fn for_all(aggregates: &Aggregates, repetition: &Repetition, body: u32) -> Vec<ElementStats> {
        let total = aggregates.word_sums.total().max(1.0);
        let total_long = aggregates.long_sums.total().max(1.0);
        let elements = &aggregates.outline.elements;
        let mut all: Vec<ElementStats> = Vec::with_capacity(elements.len());
        // For each element: its level below the body, capped.
        let mut levels: Vec<u8> = Vec::with_capacity(elements.len());
        for (at, element) in elements.iter().enumerate() {
            let number = at as u32;
            let mut top = [number; TOP_LEVELS];
            let outer = element.parent as usize;
            let outer_levels = if outer == at || number == body { 0 } else { levels[outer] };
            if let Some(outer) = all.get(outer) {
                top.iter_mut().zip(outer.top).take(usize::from(outer_levels)).for_each(|(own, outer)| *own = outer);
            }
            levels.push(if number == body { 0 } else { (outer_levels + 1).min(TOP_LEVELS as u8) });
            let words = aggregates.words_in(number);
            let long = aggregates.long_in(number);
            all.push(ElementStats {
                words,
                link_density: aggregates.link_density_in(number),
                blocks: aggregates.blocks_in(number),
                share: words / total,
                long: long / words.max(1.0),
                long_share: long / total_long,
                kept_by_rules: aggregates.sum(&aggregates.article_sums, number) / words.max(1.0),
                similar: repetition.similar[at],
                same_tag: repetition.same_tag[at],
                tag: tag_number(element.tag),
                images: element.images as f32,
                fields: element.fields as f32,
                top,
            });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::Mask;
    use crate::html::Tag;
    use crate::label::strata::names::ElementNames;

    /// The outermost ancestors, found by walking up to the body.
    fn walked(aggregates: &Aggregates, body: u32, element: u32) -> [u32; TOP_LEVELS] {
        let mut path = [element; TOP_LEVELS];
        let mut at = element;
        while at != body {
            path = [at, path[0], path[1], path[2]];
            let parent = aggregates.outline.parent(at);
            if parent == at {
                break;
            }
            at = parent;
        }
        path
    }

    #[test]
    fn top_levels_agree_with_walking_up() {
        let deep = "<div><section><article><div><ul><li><p>deep</p></li></ul></div></article></section><p>b</p></div>";
        for html in [deep, "text", "<p>a<p>b", "<frameset><noframes>x", "<table><tr><td><table><tr><td>1<td>2</table><td>3</table>"]
        {
            let page = Page::parse(html.as_bytes());
            let aggregates = Aggregates::new(&page.input(), Mask::default());
            let repetition = Repetition::new(&aggregates, &ElementNames::new(page.blocks(), &aggregates.outline));
            let elements = &aggregates.outline.elements;
            let body = elements.iter().position(|element| element.tag == Tag::BODY).unwrap_or(0) as u32;
            for (at, stats) in ElementStats::for_all(&aggregates, &repetition, body).iter().enumerate() {
                assert_eq!(stats.top, walked(&aggregates, body, at as u32), "{html} {at}");
            }
        }
    }
}
