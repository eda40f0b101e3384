//! The outline of a page: its non-inline elements that contain text, each with the blocks inside it.
//!
//! The learned methods derive their tree features from this table. It is built in one pass over the nodes, in document
//! order with parents before children, so that a sum over a subtree is a difference of two prefix sums over blocks.

use super::Blocks;
use crate::html::{HIDDEN, INLINE, Tag, flag};

/// Features to hide. Training masks them on some pages so that the model does not depend on names and tags that are absent
/// from other sites, years and languages.
///
/// ```
/// use webstrata::block::Mask;
/// assert!(Mask::default().is_empty());
/// assert!(!Mask { tags: true, ..Mask::default() }.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask {
    /// Share of the elements, in 256ths, whose class, id, role and itemprop are ignored.
    pub names: u16,
    /// Seed that selects those elements.
    pub seed: u32,
    /// Treat semantic elements such as `article`, `main` and `nav` as `div`.
    pub tags: bool,
    /// Treat `p` as `div`, as on pages that separate paragraphs with `br`.
    pub paragraphs: bool,
    /// Treat headings as `div`, as on pages that set their headings in bold.
    pub headings: bool,
    /// Ignore the metadata in the head.
    pub head: bool,
    /// Treat capitals as lower case, as in scripts without case.
    pub capitals: bool,
    /// Ignore commas and full stops, as in scripts without them.
    pub punctuation: bool,
    /// Ignore the words of short texts, as in languages that the model has not seen in training.
    pub words: bool,
}

impl Mask {
    /// Whether nothing is masked.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Mask::default()
    }

    /// The tag after masking.
    fn masked(self, tag: Tag) -> Tag {
        let hidden = match tag {
            Tag::ARTICLE | Tag::MAIN | Tag::SECTION | Tag::ASIDE | Tag::HEADER | Tag::FOOTER | Tag::NAV | Tag::FIGURE => self.tags,
            Tag::P => self.paragraphs,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.headings,
            _ => false,
        };
        if hidden { Tag::DIV } else { tag }
    }

    fn hides_names_of(self, node: u32) -> bool {
        self.names > 0 && splitmix64(u64::from(node) ^ (u64::from(self.seed) << 32)) & 0xff < u64::from(self.names)
    }
}

/// The SplitMix64 mixing function (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
pub(crate) fn splitmix64(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A non-inline element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub(crate) node: u32,
    /// Index of its parent in the outline; the first element is its own parent.
    pub(crate) parent: u32,
    pub(crate) tag: Tag,
    /// Blocks inside it: `start..end`.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) depth: u16,
    /// Kinds of the element and its ancestors.
    pub(crate) within: Within,
    /// Number of enclosing lists and tables, itself included.
    pub(crate) nesting: u8,
    /// Images and form fields inside it.
    pub(crate) images: u32,
    pub(crate) fields: u32,
    /// Whether its class and id may be used.
    pub(crate) named: bool,
}

/// Kinds of enclosing elements, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Within(pub(crate) u32);

impl Within {
    pub(crate) const NAV: Within = Within(1 << 2);
    pub(crate) const FOOTER: Within = Within(1 << 4);
    const TABLE: Within = Within(1 << 9);
    const CELL: Within = Within(1 << 18);
    pub(crate) const HEADING: Within = Within(1 << 20);
    /// Hidden: `hidden` or `aria-hidden`.
    pub(crate) const HIDDEN: Within = Within(1 << 22 | 1 << 23);

    pub(crate) fn has(self, other: Within) -> bool {
        self.0 & other.0 != 0
    }

    fn from_element(tag: Tag, flags: u16) -> Within {
        let bit = match tag {
            Tag::ARTICLE => 0,
            Tag::MAIN => 1,
            Tag::NAV => 2,
            Tag::HEADER => 3,
            Tag::FOOTER => 4,
            Tag::ASIDE => 5,
            Tag::FORM | Tag::FIELDSET => 6,
            Tag::UL | Tag::MENU | Tag::DIR => 7,
            Tag::OL => 8,
            Tag::TABLE => 9,
            Tag::SECTION => 10,
            Tag::FIGURE => 11,
            Tag::DL => 12,
            Tag::NOSCRIPT => 13,
            Tag::DETAILS => 14,
            Tag::LI => 15,
            Tag::BLOCKQUOTE => 16,
            Tag::PRE | Tag::LISTING | Tag::XMP => 17,
            Tag::TD | Tag::TH => 18,
            Tag::BUTTON => 19,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => 20,
            Tag::P => 21,
            Tag::ADDRESS => 24,
            Tag::DIALOG => 25,
            _ => 32,
        };
        let mut kinds = 1u32.checked_shl(bit).unwrap_or(0);
        kinds |= u32::from(flags & (flag::HIDDEN | flag::DISPLAY_NONE) != 0) << 22;
        kinds |= u32::from(flags & flag::ARIA_HIDDEN != 0) << 23;
        Within(kinds)
    }
}

/// The outline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    pub(crate) elements: Vec<Element>,
    /// For each block: the innermost element around it.
    pub(crate) innermost: Vec<u32>,
    pub(crate) mask: Mask,
}

impl Outline {
    /// Builds the outline of a page. Elements without text are left out, but their images and fields are counted.
    pub(crate) fn new(blocks: Blocks<'_>, mask: Mask) -> Self {
        let dom = blocks.dom();
        let nodes = dom.records();
        let mut all: Vec<Element> = Vec::with_capacity(nodes.len() / 2);
        let mut innermost = Vec::with_capacity(blocks.len());
        let first_run = |index: usize| blocks.runs_of(index).first().map_or(u32::MAX, |&run| Blocks::run_node(run));
        let mut open: Vec<u32> = Vec::with_capacity(32);
        // The end of the innermost open element.
        let mut open_until = u32::MAX;
        let mut next = first_run(0);
        let total = nodes.len() as u32;
        let mut id = 0u32;
        while id < total {
            let node = &nodes[id as usize];
            while open_until <= id
                && let Some(top) = open.pop()
            {
                all[top as usize].end = innermost.len() as u32;
                open_until = open.last().map_or(u32::MAX, |&top| nodes[all[top as usize].node as usize].end);
            }
            let top = open.last().copied();
            let tag = node.tag;
            if tag == Tag::TEXT {
                if id == next {
                    innermost.push(top.unwrap_or(0));
                    next = first_run(innermost.len());
                }
                id += 1;
                continue;
            }
            if matches!(tag, Tag::IMG | Tag::INPUT | Tag::TEXTAREA | Tag::SELECT)
                && let Some(top) = top
            {
                let element = &mut all[top as usize];
                *(if tag == Tag::IMG { &mut element.images } else { &mut element.fields }) += 1;
            }
            let skipped = tag.flags() & HIDDEN != 0
                || matches!(tag, Tag::HEAD | Tag::SVG | Tag::SELECT | Tag::TEXTAREA)
                || (tag == Tag::NOSCRIPT && !blocks.includes_noscript());
            if skipped {
                id = node.end.max(id + 1);
                continue;
            }
            if !INLINE.contains(tag) && (node.end > id + 1 || id == 0) {
                let index = all.len() as u32;
                let outer = top.map(|top| all[top as usize]);
                let masked_tag = mask.masked(tag);
                all.push(Element {
                    node: id,
                    parent: top.unwrap_or(index),
                    tag: masked_tag,
                    start: innermost.len() as u32,
                    end: 0,
                    depth: outer.map_or(0, |o| o.depth.saturating_add(1)),
                    within: Within::from_element(masked_tag, node.flags),
                    nesting: u8::from(matches!(masked_tag, Tag::UL | Tag::OL | Tag::DL | Tag::TABLE)),
                    images: 0,
                    fields: 0,
                    named: !mask.hides_names_of(id),
                });
                open.push(index);
                open_until = node.end;
            }
            id += 1;
        }
        for &left in &open {
            all[left as usize].end = innermost.len() as u32;
        }
        let mut outline = Outline { elements: all, innermost, mask };
        outline.drop_empty();
        outline.unwrap_layout_tables();
        outline.propagate_context();
        outline
    }

    /// Treats the parts of layout tables as `div`, since their content is not data. A table is used for layout if one of its cells
    /// contains block-level elements, or more than half of the page.
    fn unwrap_layout_tables(&mut self) {
        let blocks = self.innermost.len() as u32;
        let mut layout = vec![false; self.elements.len()];
        // For each element: 1 + the index of its table, or 0 outside tables.
        let mut table = vec![0u32; self.elements.len()];
        for at in 0..self.elements.len() {
            let Element { tag, parent, start, end, .. } = self.elements[at];
            let outer = if parent as usize == at { 0 } else { table[parent as usize] };
            table[at] = outer;
            let block_level = matches!(
                tag,
                Tag::TABLE
                    | Tag::DIV
                    | Tag::FORM
                    | Tag::H1
                    | Tag::H2
                    | Tag::H3
                    | Tag::H4
                    | Tag::ARTICLE
                    | Tag::SECTION
                    | Tag::HR
                    | Tag::CENTER
            );
            let large = matches!(tag, Tag::TD | Tag::TH) && blocks > 8 && (end - start) * 2 > blocks;
            if outer > 0 && (block_level || large) {
                layout[outer as usize - 1] = true;
            }
            if tag == Tag::TABLE {
                table[at] = at as u32 + 1;
            }
        }
        for at in 0..self.elements.len() {
            let element = &mut self.elements[at];
            let part = matches!(element.tag, Tag::TABLE | Tag::TBODY | Tag::THEAD | Tag::TFOOT | Tag::TR | Tag::TD | Tag::TH);
            if part && table[at] > 0 && layout[table[at] as usize - 1] {
                element.within.0 &= !(Within::TABLE.0 | Within::CELL.0);
                element.nesting = 0;
                element.tag = Tag::DIV;
            }
        }
    }

    /// Propagates the context of elements to their descendants.
    fn propagate_context(&mut self) {
        for at in 1..self.elements.len() {
            let outer = self.elements[self.elements[at].parent as usize];
            let element = &mut self.elements[at];
            element.within.0 |= outer.within.0;
            element.nesting = element.nesting.saturating_add(outer.nesting);
        }
    }

    /// Removes elements without text and sums up images and form fields.
    fn drop_empty(&mut self) {
        for at in (1..self.elements.len()).rev() {
            let Element { parent, images, fields, .. } = self.elements[at];
            let outer = &mut self.elements[parent as usize];
            if parent as usize != at {
                outer.images = outer.images.saturating_add(images);
                outer.fields = outer.fields.saturating_add(fields);
            }
        }
        let mut indexes = vec![0u32; self.elements.len()];
        let mut kept = 0u32;
        for at in 0..self.elements.len() {
            indexes[at] = kept;
            let mut element = self.elements[at];
            if element.end > element.start || at == 0 {
                // The parent of an element with text has text, so its new index is known.
                element.parent = indexes[element.parent as usize];
                self.elements[kept as usize] = element;
                kept += 1;
            }
        }
        self.elements.truncate(kept as usize);
        for innermost in &mut self.innermost {
            *innermost = indexes[*innermost as usize];
        }
    }

    pub(crate) fn parent(&self, element: u32) -> u32 {
        self.elements[element as usize].parent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn outline(html: &str, mask: Mask) -> Vec<(&'static str, u32, u32, u32)> {
        let page = Page::parse(html.as_bytes());
        let outline = Outline::new(page.blocks(), mask);
        outline.elements.iter().map(|e| (e.tag.name(), e.parent, e.start, e.end)).collect()
    }

    #[test]
    fn elements_with_text_and_their_blocks() {
        let html = "<nav><a href=/>Home</a></nav><div></div><article><h1>Rain</h1><p>It <b>rains</b>.<p>Still.</article>";
        let whole = [("html", 0, 0, 4), ("body", 0, 0, 4), ("nav", 1, 0, 1), ("article", 1, 1, 4), ("h1", 3, 1, 2)];
        let seen = outline(html, Mask::default());
        assert_eq!(seen[..5], whole);
        assert_eq!(seen[5..], [("p", 3, 2, 3), ("p", 3, 3, 4)]);
        assert_eq!(outline(html, Mask { tags: true, ..Mask::default() })[2..4], [("div", 1, 0, 1), ("div", 1, 1, 4)]);
    }

    #[test]
    fn images_and_fields_count_for_the_nearest_element_with_text() {
        let page = Page::parse(b"<div><p>one<div><img><input></div></div><p>two");
        let outline = Outline::new(page.blocks(), Mask::default());
        let counts: Vec<_> = outline.elements.iter().map(|e| (e.tag.name(), e.images, e.fields)).collect();
        assert_eq!(counts, [("html", 1, 1), ("body", 1, 1), ("div", 1, 1), ("p", 0, 0), ("p", 0, 0)]);
    }

    #[test]
    fn a_page_without_text_has_only_a_root() {
        assert_eq!(outline("", Mask::default()), [("html", 0, 0, 0)]);
    }

    #[test]
    fn layout_tables_are_unwrapped() {
        let tags = |html: &str| -> Vec<&str> { outline(html, Mask::default()).iter().skip(2).map(|e| e.0).collect() };
        assert_eq!(tags("<table><tr><td>1<td>2</table>"), ["table", "tbody", "tr", "td", "td"]);
        assert_eq!(tags("<table><tr><td><div>menu</div><td>text</table>"), ["div", "div", "div", "div", "div", "div"]);
        assert_eq!(tags("<table><tr><td><table><tr><td>1</table></table>")[..6], ["div", "div", "div", "div", "table", "tbody"]);
    }
}
