//! What rows say of the elements round a block, worked out once for each element: blocks side by side stand in the same ones.

use super::aggregates::Aggregates;
use super::repeats::Repeats;
use super::rows::tag_number;

/// Elements on the way down from the body that rows tell of.
pub(super) const TOPS: usize = 4;

/// An element's part of the rows of the blocks inside it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) words: f32,
    /// Share of its words that are linked.
    pub(super) links: f32,
    pub(super) blocks: f32,
    /// Share of the page's words.
    pub(super) share: f32,
    /// Share of its words in long blocks.
    pub(super) long: f32,
    /// Share of the page's words in long blocks.
    pub(super) long_share: f32,
    /// Share of its words that the published rules take for content.
    pub(super) ruled: f32,
    pub(super) alike: f32,
    pub(super) same_tag: f32,
    pub(super) tag: f32,
    pub(super) images: f32,
    pub(super) fields: f32,
    /// The outermost elements that it is in, from the one below the body inwards; itself where there are fewer.
    pub(super) top: [u32; TOPS],
}

impl Facts {
    /// By element.
    pub(super) fn all(aggregates: &Aggregates, repeats: &Repeats, body: u32) -> Vec<Facts> {
        let total = aggregates.word_sums.total().max(1.0);
        let total_long = aggregates.long_sums.total().max(1.0);
        let elements = &aggregates.outline.elements;
        let mut all: Vec<Facts> = Vec::with_capacity(elements.len());
        // By element: how many elements there are from the body down to it, up to the number that is told of.
        let mut levels: Vec<u8> = Vec::with_capacity(elements.len());
        for (at, element) in elements.iter().enumerate() {
            let number = at as u32;
            let mut top = [number; TOPS];
            let outer = element.parent as usize;
            let outer_levels = if outer == at || number == body { 0 } else { levels[outer] };
            if let Some(outer) = all.get(outer) {
                top.iter_mut().zip(outer.top).take(usize::from(outer_levels)).for_each(|(own, outer)| *own = outer);
            }
            levels.push(if number == body { 0 } else { (outer_levels + 1).min(TOPS as u8) });
            let words = aggregates.words_in(number);
            let long = aggregates.long_in(number);
            all.push(Facts {
                words,
                links: aggregates.links_in(number),
                blocks: aggregates.blocks_in(number),
                share: words / total,
                long: long / words.max(1.0),
                long_share: long / total_long,
                ruled: aggregates.sum(&aggregates.article_sums, number) / words.max(1.0),
                alike: repeats.alike[at],
                same_tag: repeats.same_tag[at],
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

    /// The last elements on the way up to the body, walked.
    fn walked(aggregates: &Aggregates, body: u32, element: u32) -> [u32; TOPS] {
        let mut way = [element; TOPS];
        let mut at = element;
        while at != body {
            way = [at, way[0], way[1], way[2]];
            let parent = aggregates.outline.parent(at);
            if parent == at {
                break;
            }
            at = parent;
        }
        way
    }

    #[test]
    fn outermost_elements_are_those_of_the_way_up() {
        let deep = "<div><section><article><div><ul><li><p>deep</p></li></ul></div></article></section><p>b</p></div>";
        for html in [deep, "text", "<p>a<p>b", "<frameset><noframes>x", "<table><tr><td><table><tr><td>1<td>2</table><td>3</table>"]
        {
            let page = Page::parse(html.as_bytes());
            let aggregates = Aggregates::new(&page.input(), Mask::default());
            let repeats = Repeats::new(&aggregates, &ElementNames::new(page.blocks(), &aggregates.outline));
            let elements = &aggregates.outline.elements;
            let body = elements.iter().position(|element| element.tag == Tag::BODY).unwrap_or(0) as u32;
            for (at, facts) in Facts::all(&aggregates, &repeats, body).iter().enumerate() {
                assert_eq!(facts.top, walked(&aggregates, body, at as u32), "{html} {at}");
            }
        }
    }
}
