//! The thesis' own news set, if available: block labels against the gold text, table 4.8, and the main rows of table 4.9.
//!
//! Needs `WEBSTRATA_DATA`, the folder of the sets; without it nothing is checked.

use crate::evaluation_set;
use webstrata::block::GapModel;
use webstrata_lab::gold::l3s_blocks::{L3sBlocks, Label};
use webstrata_lab::learn::classifier::Learner;
use webstrata_lab::learn::column::Column;
use webstrata_lab::learn::cross_validation::{By, cross_validate};
use webstrata_lab::learn::dataset::{Classes, LabelledBlocks};
use webstrata_lab::learn::published::{densitometric, num_words};
use webstrata_lab::learn::tables::table_4_8;
use webstrata_lab::learn::tree::TreeOptions;
use webstrata_lab::metrics::words::{Vocabulary, bag};

#[test]
fn words_of_content_blocks_match_the_gold_text() {
    let Some(folder) = evaluation_set("l3s-gn1") else { return };
    let set = L3sBlocks::read(&folder).unwrap();
    assert_eq!((set.pages.len(), set.problems.len()), (311, 0));
    for gaps in [GapModel::Lines, GapModel::Tags] {
        let mut scores = Vec::new();
        for labelled in &set.pages {
            let parsed = labelled.page.parse();
            let blocks = parsed.blocks_by(gaps);
            let labels = labelled.page.block_labels(blocks);
            let text: Vec<String> = blocks
                .iter()
                .zip(labels)
                .filter(|(_, label)| matches!(label, Label::Headline | Label::FullText | Label::Supplemental))
                .map(|(block, _)| block.text())
                .collect();
            let mut vocabulary = Vocabulary::default();
            let gold = vocabulary.read(labelled.gold.gold_text.as_deref().unwrap_or(""));
            scores.push(bag(&gold, &vocabulary.read(&text.join("\n"))).f1());
        }
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let low = scores.iter().filter(|score| **score < 0.95).count();
        println!("{gaps:?}: mean F1 {mean:.4}, {low} pages below 0.95, least {:.3}", scores.iter().copied().fold(1.0, f64::min));
        assert!(mean > 0.99, "{gaps:?}: {mean}");
    }
}

#[test]
fn shares_of_classes_match_the_thesis() {
    let Some(folder) = evaluation_set("l3s-gn1") else { return };
    let set = L3sBlocks::read(&folder).unwrap();
    let rows = table_4_8(&LabelledBlocks::new(&set, GapModel::Tags));
    for row in &rows {
        let Some((blocks, words)) = row.thesis else { continue };
        println!("{}: {:.3} of the blocks ({blocks}), {:.3} of the words ({words})", row.name, row.block_share, row.word_share);
        // Only half of the pages are available, and shares are printed in whole percent.
        assert!((row.block_share - blocks).abs() < 0.03 && (row.word_share - words).abs() < 0.05, "{}", row.name);
    }
    let words = |name: &str| rows.iter().find(|row| row.name == name).unwrap().words;
    assert!(words("comments") > 5 * words("related"), "the last two rows of the thesis' table are in the wrong order");
}

#[test]
fn main_rows_of_the_thesis_are_reproduced() {
    let Some(folder) = evaluation_set("l3s-gn1").filter(|_| crate::full_lane()) else { return };
    let blocks = LabelledBlocks::new(&L3sBlocks::read(&folder).unwrap(), GapModel::Tags);
    // F1 and area of table 4.9, two classes.
    for (columns, learner, f1, area) in [
        ("density+link", Learner::Fixed(densitometric()), 0.924, 0.969),
        ("words+link", Learner::Fixed(num_words()), 0.922, 0.957),
        ("density+link", Learner::Tree(TreeOptions::thesis()), 0.939, 0.976),
        ("local", Learner::Tree(TreeOptions::thesis()), 0.950, 0.981),
    ] {
        let data = blocks.dataset(&Column::list(columns).unwrap(), Classes::Two);
        let scores = cross_validate(&data, &learner, 10, By::Page);
        println!("{} {columns}: F1 {:.3} ({f1}), AuC {:.3} ({area})", learner.name(), scores.f1, scores.area);
        assert!((scores.f1 - f1).abs() < 0.03 && (scores.area - area).abs() < 0.03, "{columns}: {scores:?}");
    }
}
