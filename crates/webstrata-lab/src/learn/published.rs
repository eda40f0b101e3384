//! The two trees that the thesis prints (Algorithms 4.2 and 4.3), as trees over columns: the rows of table 4.9 called simplified.
//!
//! The page library has them as labellers; here they get scores from training rows, which the area under the ROC curve
//! needs. A test shows that both give the same answers.

use super::tree::{Node, Split, Tree};

/// Columns of `density+link` and `words+link`: the measure of the previous, current and next block, then their link densities.
const PREVIOUS: usize = 0;
const CURRENT: usize = 1;
const NEXT: usize = 2;
const PREVIOUS_LINKS: usize = 3;
const LINKS: usize = 4;

fn leaf(content: bool) -> Node {
    Node { weights: vec![0.0; 2], answer: usize::from(content), split: None }
}

fn split(column: usize, threshold: f32, low: usize, high: usize) -> Node {
    Node { weights: vec![0.0; 2], answer: 0, split: Some(Split { column, threshold, low, high }) }
}

/// Algorithm 4.2, over the columns `density+link`.
///
/// ```
/// use webstrata_lab::learn::published::densitometric;
/// assert_eq!(densitometric().leaves(), 8);
/// assert_eq!(densitometric().answer(&[0.0, 12.0, 12.0, 0.0, 0.0, 0.0]), 1);
/// ```
#[must_use]
pub fn densitometric() -> Tree {
    Tree::from_ordered_nodes(vec![
        split(LINKS, 1.0 / 3.0, 1, 14),
        split(PREVIOUS_LINKS, 5.0 / 9.0, 2, 11),
        split(CURRENT, 9.0, 3, 8),
        split(NEXT, 10.0, 4, 7),
        split(PREVIOUS, 4.0, 5, 6),
        leaf(false),
        leaf(true),
        leaf(true),
        split(NEXT, 0.0, 9, 10),
        leaf(false),
        leaf(true),
        split(NEXT, 11.0, 12, 13),
        leaf(false),
        leaf(true),
        leaf(false),
    ])
}

/// Algorithm 4.3, over the columns `words+link`.
///
/// ```
/// use webstrata_lab::learn::published::num_words;
/// assert_eq!(num_words().leaves(), 8);
/// assert_eq!(num_words().answer(&[0.0, 17.0, 0.0, 0.0, 0.0, 0.0]), 1);
/// ```
#[must_use]
pub fn num_words() -> Tree {
    Tree::from_ordered_nodes(vec![
        split(LINKS, 1.0 / 3.0, 1, 14),
        split(PREVIOUS_LINKS, 5.0 / 9.0, 2, 9),
        split(CURRENT, 16.0, 3, 8),
        split(NEXT, 15.0, 4, 7),
        split(PREVIOUS, 4.0, 5, 6),
        leaf(false),
        leaf(true),
        leaf(true),
        leaf(true),
        split(CURRENT, 40.0, 10, 13),
        split(NEXT, 17.0, 11, 12),
        leaf(false),
        leaf(true),
        leaf(true),
        leaf(false),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::column::Column;
    use webstrata::Page;
    use webstrata::block::{Features, Frequencies};
    use webstrata::label::Preset;

    #[test]
    fn published_trees_match_the_labellers() {
        let mut html = String::new();
        // Paragraphs of 0 to 60 words in a scattered order, every third one with links.
        for number in 0..400usize {
            let words = number * 37 % 61;
            let linked = if number % 3 == 0 { words * (number % 7) / 6 } else { 0 };
            html.push_str(&format!("<p><a href=x>{}</a> {}</p>", "linked ".repeat(linked), "plain ".repeat(words - linked)));
        }
        let page = Page::parse(html.as_bytes());
        let features = Features::new(page.blocks());
        for (tree, preset, columns) in
            [(densitometric(), Preset::DensityRules, "density+link"), (num_words(), Preset::NumWordsRules, "words+link")]
        {
            let columns = Column::list(columns).unwrap_or_default();
            let labels = page.label(&preset);
            let mut content = 0;
            for block in 0..features.len() {
                let row: Vec<f32> = columns.iter().map(|column| column.value(&features, Frequencies::default(), block)).collect();
                assert_eq!(tree.answer(&row) == 1, labels.verdict(block).content, "{preset}, block {block}: {row:?}");
                content += tree.answer(&row);
            }
            assert!(content > 50 && content < features.len() - 50);
        }
    }
}
