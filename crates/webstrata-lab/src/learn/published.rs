//! The two trees printed in the thesis (Algorithms 4.2 and 4.3): the rows of table 4.9 called simplified.
//!
//! The page library has them as labellers and as classifiers over columns. Here the classifiers get scores from training rows, which the
//! area under the ROC curve needs.

pub use webstrata::label::trained::published::{densitometric, num_words};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::column::Column;
    use webstrata::Page;
    use webstrata::block::{Features, Frequencies};
    use webstrata::label::Preset;
    use webstrata::label::trained::parts::PartShares;

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
                let row: Vec<f32> = columns
                    .iter()
                    .map(|column| column.value(&features, Frequencies::default(), &PartShares::default(), block))
                    .collect();
                assert_eq!(tree.predict(&row) == 1, labels.verdict(block).content, "{preset}, block {block}: {row:?}");
                content += tree.predict(&row);
            }
            assert!(content > 50 && content < features.len() - 50);
        }
    }
}
