//! Features of a node: the paper's content features, and its visual features if the page has a layout.
//!
//! Section 4.3 of the paper names position, shape, background colour, and size and colour of text; and sentence lengths, text in
//! links, and tag names. Every feature is scaled to about 0 to 1, so that none outweighs the others before training. Features of
//! inner nodes are computed over all their text.

use super::tree::Tree;
use crate::block::{Block, Blocks, Context};
use crate::html::Tag;
use crate::layout::{Area, Layout, Rendered};
use crate::segment::rendering::styles;

/// Names of the features, content first.
pub const NAMES: [&str; FEATURES] = [
    "words", "link density", "sentence length", "text density", "words per line", "digits", "in headings", "in lists", "in cells",
    "in forms", "in paragraphs", "in nav", "in header", "in footer", "in aside", "in main", "depth", "position", "images",
    "list tag", "table tag", "section tag", "x", "y", "width", "height", "aspect ratio", "background red", "background green",
    "background blue", "text brightness", "font size", "bold", "main font",
];

/// Number of content features.
pub(super) const CONTENT: usize = 22;
/// Number of features.
pub const FEATURES: usize = CONTENT + 12;

/// The features of a node.
pub type Row = [f32; FEATURES];

/// The features of all nodes of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeFeatures {
    pub(super) leaves: Vec<Row>,
    pub(super) inner: Vec<Row>,
    /// The area of each leaf; empty without a layout, or if the leaf is not rendered.
    pub(super) areas: Vec<Area>,
    /// Whether there is a layout.
    pub(super) visual: bool,
}

/// Sums over text.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    words: f32,
    link_words: f32,
    sentences: f32,
    lines: f32,
    leaves: f32,
    chars: f32,
    digits: f32,
    /// Words in headings, lists, cells, forms, paragraphs, nav, header, footer, aside, main.
    within: [f32; 10],
    /// Words that are rendered, and sums of their styles.
    rendered: f32,
    background: [f32; 3],
    brightness: f32,
    font_size: f32,
    bold: f32,
    main_font: f32,
}

const WITHIN: [Context; 10] = [
    Context::HEADING,
    Context::LIST,
    Context::CELL,
    Context::FORM,
    Context::P,
    Context::NAV,
    Context::HEADER,
    Context::FOOTER,
    Context::ASIDE,
    Context::MAIN,
];

impl Sums {
    fn add(&mut self, other: &Sums) {
        self.words += other.words;
        self.link_words += other.link_words;
        self.sentences += other.sentences;
        self.lines += other.lines;
        self.leaves += other.leaves;
        self.chars += other.chars;
        self.digits += other.digits;
        self.within.iter_mut().zip(other.within).for_each(|(sum, more)| *sum += more);
        self.rendered += other.rendered;
        self.background.iter_mut().zip(other.background).for_each(|(sum, more)| *sum += more);
        self.brightness += other.brightness;
        self.font_size += other.font_size;
        self.bold += other.bold;
        self.main_font += other.main_font;
    }

    fn add_text(&mut self, block: Block<'_>) {
        let counts = block.counts();
        // Blocks of symbols only have no words; they get a small weight, or they would have no features.
        let words = (counts.words as f32).max(0.5);
        self.words += words;
        self.link_words += words * block.link_density() as f32;
        self.lines += counts.lines.max(1) as f32;
        let text = block.text();
        self.chars += counts.chars.max(1) as f32;
        self.digits += text.bytes().filter(u8::is_ascii_digit).count() as f32;
        self.sentences +=
            text.chars().filter(|letter| matches!(letter, '.' | '!' | '?' | '。' | '！' | '？' | '؟' | '।')).count() as f32;
        for (sum, kind) in self.within.iter_mut().zip(WITHIN) {
            *sum += if block.context().intersects(kind) { words } else { 0.0 };
        }
    }

    fn add_style(&mut self, style: &Rendered, words: f32, main_font: Option<u32>) {
        self.rendered += words;
        let background = style.background;
        for (sum, part) in self.background.iter_mut().zip([background.red, background.green, background.blue]) {
            *sum += words * f32::from(part) / 255.0;
        }
        self.brightness += words * style.color.brightness();
        self.font_size += words * style.font_size;
        self.bold += if style.font_weight >= 600 { words } else { 0.0 };
        self.main_font += if main_font == Some(style.font_family) { words } else { 0.0 };
    }
}

impl NodeFeatures {
    /// The features of the nodes of a tree.
    pub(super) fn new(blocks: Blocks<'_>, tree: &Tree) -> Self {
        let layout = blocks.layout().filter(|layout| !layout.page().is_empty() && layout.rendered() > 0);
        let main_font = layout.and_then(|layout| main_font(blocks, layout));
        let mut areas = vec![Area::default(); tree.leaves.len()];
        let mut sums: Vec<Sums> = Vec::with_capacity(tree.leaves.len());
        for (leaf, area) in tree.leaves.iter().zip(&mut areas) {
            let mut sum = Sums { leaves: 1.0, ..Sums::default() };
            for block in (leaf.start..leaf.end).filter_map(|index| blocks.get(index as usize)) {
                sum.add_text(block);
                if let Some(layout) = layout {
                    let styles: Vec<&Rendered> = styles(block, layout).collect();
                    let words = (block.counts().words as f32).max(0.5) / styles.len().max(1) as f32;
                    for style in styles {
                        sum.add_style(style, words, main_font);
                        *area = area.union(style.area);
                    }
                }
            }
            sums.push(sum);
        }
        let mut inner_sums = vec![Sums::default(); tree.inner.len()];
        let mut inner_areas = vec![Area::default(); tree.inner.len()];
        for ((leaf, sum), area) in tree.leaves.iter().zip(&sums).zip(&areas) {
            inner_sums[leaf.parent as usize].add(sum);
            let place = &mut inner_areas[leaf.parent as usize];
            *place = place.union(*area);
        }
        for node in (1..tree.inner.len()).rev() {
            let parent = tree.inner[node].parent as usize;
            let (below, area) = (inner_sums[node], inner_areas[node]);
            inner_sums[parent].add(&below);
            inner_areas[parent] = inner_areas[parent].union(area);
        }
        let page = Totals { words: inner_sums.first().map_or(1.0, |sum| sum.words.max(1.0)), layout };
        let mut before = 0.0;
        let mut starts = Vec::with_capacity(sums.len() + 1);
        for sum in &sums {
            starts.push(before);
            before += sum.words;
        }
        starts.push(before);
        let outline = &tree.outline.elements;
        let leaves = tree.leaves.iter().enumerate().map(|(index, leaf)| {
            let element = outline[leaf.element as usize];
            page.row(&sums[index], starts[index], areas[index], element.tag, element.depth, 0)
        });
        let inner = tree.inner.iter().enumerate().map(|(index, node)| {
            let element = outline[node.element as usize];
            let start = starts.get(node.leaves.start as usize).copied().unwrap_or(0.0);
            page.row(&inner_sums[index], start, inner_areas[index], element.tag, element.depth, element.images)
        });
        NodeFeatures { leaves: leaves.collect(), inner: inner.collect(), visual: layout.is_some(), areas }
    }
}

/// Page totals by which the values in rows are normalised.
struct Totals<'p> {
    words: f32,
    layout: Option<&'p Layout>,
}

impl Totals<'_> {
    fn row(&self, sums: &Sums, start: f32, area: Area, tag: Tag, depth: u16, images: u32) -> Row {
        let words = sums.words.max(0.5);
        let log = |value: f32, scale: f32| ((1.0 + value.max(0.0)).ln() / scale).min(1.5);
        let mut row = [0.0; FEATURES];
        let content = [
            log(words, 8.0),
            sums.link_words / words,
            log(words / (1.0 + sums.sentences), 5.0),
            (words / sums.lines.max(1.0) / 15.0).min(1.5),
            log(words / sums.leaves.max(1.0), 5.0),
            (sums.digits / sums.chars.max(1.0)).min(1.0),
        ];
        row[..6].copy_from_slice(&content);
        row[6..16].iter_mut().zip(sums.within).for_each(|(place, sum)| *place = sum / words);
        row[16] = (f32::from(depth) / 20.0).min(1.5);
        row[17] = (start + words / 2.0) / self.words;
        row[18] = log(images as f32, 4.0);
        row[19] = f32::from(u8::from(matches!(tag, Tag::LI | Tag::UL | Tag::OL | Tag::DL | Tag::DT | Tag::DD)));
        row[20] = f32::from(u8::from(matches!(tag, Tag::TABLE | Tag::TBODY | Tag::TR | Tag::TD | Tag::TH)));
        row[21] = f32::from(u8::from(matches!(
            tag,
            Tag::SECTION | Tag::ARTICLE | Tag::NAV | Tag::HEADER | Tag::FOOTER | Tag::ASIDE | Tag::MAIN | Tag::FORM | Tag::BODY
        )));
        if let Some(layout) = self.layout {
            row[CONTENT..].copy_from_slice(&visual(sums, area, layout.page()));
        }
        row
    }
}

fn visual(sums: &Sums, area: Area, page: Area) -> [f32; FEATURES - CONTENT] {
    let words = sums.rendered.max(0.5);
    let share = |value: f32, whole: f32| (value / whole.max(1.0)).clamp(0.0, 1.0);
    let aspect = ((area.width.max(1.0) / area.height.max(1.0)).ln() / 10.0 + 0.5).clamp(0.0, 1.0);
    [
        share(area.x + area.width / 2.0, page.width),
        share(area.y + area.height / 2.0, page.height),
        share(area.width, page.width),
        ((1.0 + area.height).ln() / 9.0).min(1.0),
        aspect,
        sums.background[0] / words,
        sums.background[1] / words,
        sums.background[2] / words,
        sums.brightness / words,
        ((1.0 + sums.font_size / words).ln() / 5.0).min(1.0),
        sums.bold / words,
        sums.main_font / words,
    ]
}

/// The font family with the most words.
fn main_font(blocks: Blocks<'_>, layout: &Layout) -> Option<u32> {
    let mut fonts: Vec<(u32, u32)> = Vec::new();
    for block in blocks {
        if let Some(style) = styles(block, layout).next() {
            fonts.push((style.font_family, block.counts().words));
        }
    }
    fonts.sort_unstable();
    let family = |same: &[(u32, u32)]| (same.iter().map(|(_, words)| u64::from(*words)).sum::<u64>(), same[0].0);
    fonts.chunk_by(|a, b| a.0 == b.0).map(family).max().map(|(_, font)| font)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::GapModel;
    use crate::layout::Color;

    const PAGE: &[u8] =
        b"<ul><li><a href=/>Home</a><li><a href=/news>All the news</a></ul><div><h1>Rain</h1><p>It rains. It rains again.</div>";

    fn place(name: &str) -> usize {
        NAMES.iter().position(|known| *known == name).unwrap()
    }

    #[test]
    fn content_features_of_leaves_and_parents() {
        let page = Page::parse(PAGE);
        let blocks = page.blocks_by(GapModel::Tags);
        let tree = Tree::new(blocks, 100);
        let rows = NodeFeatures::new(blocks, &tree);
        let column = |rows: &[Row], name: &str| rows.iter().map(|row| row[place(name)]).collect::<Vec<f32>>();
        assert_eq!(column(&rows.leaves, "link density"), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(column(&rows.leaves, "in headings"), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(column(&rows.inner, "link density"), [0.4, 1.0, 0.0]);
        assert_eq!(column(&rows.inner, "list tag"), [0.0, 1.0, 0.0]);
        assert!(!rows.visual && rows.leaves.iter().all(|row| row[CONTENT..].iter().all(|value| *value == 0.0)));
        assert!(rows.leaves.iter().chain(&rows.inner).flatten().all(|value| (0.0..=1.5).contains(value)));
    }

    #[test]
    fn visual_features_come_from_the_layout() {
        let page = Page::parse(PAGE);
        let blocks = page.blocks_by(GapModel::Tags);
        let mut layout = Layout::new(1000.0, 500.0, page.dom().len());
        let texts: Vec<_> = blocks.iter().flat_map(|block| block.runs().collect::<Vec<_>>()).collect();
        let red = Color::new(255, 0, 0, 255);
        for (at, &text) in texts.iter().enumerate() {
            let style = Rendered::new(Area::new(100.0 * at as f32, 0.0, 100.0, 50.0)).background(red).font_weight(if at == 2 {
                700
            } else {
                400
            });
            layout.set(text, style);
        }
        let page = page.with_layout(layout);
        let blocks = page.blocks_by(GapModel::Tags);
        let rows = NodeFeatures::new(blocks, &Tree::new(blocks, 100));
        assert!(rows.visual);
        assert_eq!(rows.leaves[2][place("bold")], 1.0);
        assert_eq!(rows.inner[0][place("x")], 0.2);
        assert_eq!(rows.inner[0][place("background red")], 1.0);
        assert_eq!(rows.areas[1], Area::new(100.0, 0.0, 100.0, 50.0));
    }
}
