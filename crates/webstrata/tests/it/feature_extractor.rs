//! FeatureExtractor and K-FeatureExtractor against a literal reading of the paper (Debnath, Mitra, Pal, Giles, IEEE TKDE 17(9), 2005,
//! Figs. 2, 5 and 6): the page is a sequence of tags and words, split by the first listed tag, each part by the next, and so on.

use crate::support::data;
use webstrata::Page;
use webstrata::html::{Node, Tag};
use webstrata::label::{Labeller, Preset};
use webstrata::segment::GetBlockSet;

/// The list for newer HTML, in some order.
const TAGS: [Tag; 22] = [
    Tag::TABLE,
    Tag::TR,
    Tag::P,
    Tag::HR,
    Tag::UL,
    Tag::DIV,
    Tag::OL,
    Tag::DL,
    Tag::SECTION,
    Tag::ARTICLE,
    Tag::ASIDE,
    Tag::NAV,
    Tag::HEADER,
    Tag::FOOTER,
    Tag::MAIN,
    Tag::FIGURE,
    Tag::FORM,
    Tag::BLOCKQUOTE,
    Tag::DETAILS,
    Tag::DIALOG,
    Tag::PRE,
    Tag::MENU,
];

#[derive(Clone, Copy, PartialEq)]
enum Item {
    Start(Tag),
    End(Tag),
    /// A text node.
    Text(u32),
}

/// The page in document order.
fn row(page: &Page<'_>) -> Vec<Item> {
    let mut row = Vec::new();
    let mut open: Vec<Node<'_>> = Vec::new();
    for node in page.dom().nodes() {
        while open.last().is_some_and(|last| node.parent().map(Node::id) != Some(last.id())) {
            row.extend(open.pop().map(|node| Item::End(node.tag())));
        }
        if node.tag() == Tag::TEXT {
            row.push(Item::Text(node.id().index() as u32));
        } else {
            row.push(Item::Start(node.tag()));
            open.push(node);
        }
    }
    row.extend(open.into_iter().rev().map(|node| Item::End(node.tag())));
    row
}

/// GetBlockSet: splits by the first tag, each part by the next.
fn block_set(row: &[Item]) -> Vec<Vec<Item>> {
    let mut parts = vec![row.to_vec()];
    for tag in TAGS {
        let is_boundary = |item: &Item| *item == Item::Start(tag) || *item == Item::End(tag);
        parts = parts.iter().flat_map(|part| part.split(is_boundary).map(<[Item]>::to_vec)).collect();
    }
    parts
}

/// Words, and tags by kind: headings, lists, tables, links, objects, frames, forms, scripts, style sheets.
fn features(part: &[Item], words: &dyn Fn(u32) -> u32) -> [f64; 10] {
    let mut features = [0.0; 10];
    for item in part {
        match *item {
            Item::Text(node) => features[0] += f64::from(words(node)),
            Item::Start(tag) => {
                let kind = match tag.name() {
                    "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => 1,
                    "ul" | "ol" | "dl" | "dir" | "menu" => 2,
                    "table" => 3,
                    "a" => 4,
                    "img" | "object" | "applet" | "embed" | "video" | "audio" | "canvas" | "svg" => 5,
                    "frame" | "iframe" => 6,
                    "form" => 7,
                    "script" => 8,
                    "style" | "link" => 9,
                    _ => continue,
                };
                features[kind] += 1.0;
            }
            Item::End(_) => {}
        }
    }
    features
}

/// Values divided by the largest.
fn shares(parts: &[[f64; 10]]) -> Vec<[f64; 10]> {
    let most: [f64; 10] = std::array::from_fn(|k| parts.iter().map(|part| part[k]).fold(0.0, f64::max));
    parts.iter().map(|part| std::array::from_fn(|k| if most[k] > 0.0 { part[k] / most[k] } else { 0.0 })).collect()
}

/// k-means with k = 2 on sorted values; the minimum of the higher cluster.
fn higher_cluster(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (mut low, mut high) = (sorted[0], sorted[sorted.len() - 1]);
    loop {
        let (a, b): (Vec<f64>, Vec<f64>) = sorted.iter().partition(|value| (**value - low).abs() <= (**value - high).abs());
        let mean = |list: &[f64], old: f64| if list.is_empty() { old } else { list.iter().sum::<f64>() / list.len() as f64 };
        let next = (mean(&a, low), mean(&b, high));
        if next == (low, high) || b.is_empty() {
            return b.first().copied().unwrap_or(sorted[0]);
        }
        (low, high) = next;
    }
}

/// The text nodes that FeatureExtractor keeps, or K-FeatureExtractor with two clusters.
fn literal(page: &Page<'_>, clusters: bool) -> Vec<u32> {
    // Words are counted by the library; a block with several text nodes is counted at the first.
    let blocks = page.blocks();
    let starts: Vec<(u32, u32)> =
        blocks.iter().filter_map(|block| Some((block.runs().next()?.index() as u32, block.counts().words))).collect();
    let words = |node: u32| starts.binary_search_by_key(&node, |(start, _)| *start).map_or(0, |at| starts[at].1);
    let parts = block_set(&row(page));
    let counts: Vec<[f64; 10]> = parts.iter().map(|part| features(part, &words)).collect();
    let exceeds = |share: &[f64; 10]| share[0] > share[1..].iter().sum::<f64>();
    let basket: Vec<usize> = shares(&counts).iter().enumerate().filter(|(_, share)| exceeds(share)).map(|(part, _)| part).collect();
    let values: Vec<f64> = shares(&basket.iter().map(|&part| counts[part]).collect::<Vec<_>>()).iter().map(|v| v[0]).collect();
    let Some(best) = values.iter().copied().reduce(f64::max) else { return Vec::new() };
    let won: Vec<usize> = if clusters {
        let floor = higher_cluster(&values);
        basket.iter().zip(&values).filter(|(_, value)| **value >= floor).map(|(part, _)| *part).collect()
    } else {
        basket.iter().zip(&values).find(|(_, value)| **value == best).map(|(part, _)| *part).into_iter().collect()
    };
    let texts = won.into_iter().flat_map(|part| parts[part].iter().copied());
    texts.filter_map(|item| if let Item::Text(node) = item { Some(node) } else { None }).collect()
}

/// The first text nodes of the blocks that a preset keeps, and those that the literal reading keeps.
fn both(page: &Page<'_>, preset: Preset) -> (Vec<u32>, Vec<u32>) {
    let labels = preset.label(&page.input());
    let first = |block: usize| page.blocks().get(block).and_then(|block| block.runs().next()).map(|run| run.index() as u32);
    let ours: Vec<u32> = labels.content().filter_map(first).collect();
    let all: Vec<u32> = (0..page.blocks().len()).filter_map(first).collect();
    let theirs = literal(page, preset == Preset::KFeatureExtractor);
    (ours, all.into_iter().filter(|node| theirs.contains(node)).collect())
}

fn check(name: &str, bytes: &[u8]) {
    let page = Page::parse(bytes);
    for preset in [Preset::FeatureExtractor, Preset::KFeatureExtractor] {
        let (ours, theirs) = both(&page, preset);
        assert_eq!(ours, theirs, "{name}: {preset}");
    }
}

#[test]
fn the_list_is_that_of_the_library() {
    assert_eq!(GetBlockSet::html5().tags, webstrata::html::TagSet::from_tags(&TAGS));
}

#[test]
fn bundled_pages_agree_with_a_literal_reading() {
    for (name, bytes) in data::bundled() {
        check(&name, &bytes);
    }
}

#[test]
fn real_news_pages_agree_with_a_literal_reading() {
    let Some(folder) = data::folder("l3s-gn1") else { return };
    let pages = data::files(&folder.join("html"), "html");
    assert!(pages.len() >= 100, "{} pages", pages.len());
    for path in &pages[..100] {
        check(&path.display().to_string(), &std::fs::read(path).unwrap());
    }
}
