//! Tables 4.8 and 4.9 and figure 4.20 of the thesis on the folder of the set l3s-gn1:
//! `cargo run --release -p webstrata-lab --example thesis_tables -- FOLDER [tags|lines] [page|host|block] [no-svm]`.
#![allow(clippy::print_stdout, reason = "an example that prints tables")]

use std::error::Error;
use std::path::Path;
use webstrata::block::GapModel;
use webstrata_lab::gold::l3s_blocks::L3sBlocks;
use webstrata_lab::learn::column::Column;
use webstrata_lab::learn::cross_validation::By;
use webstrata_lab::learn::dataset::{Classes, LabelledBlocks};
use webstrata_lab::learn::information_gain::{Weighting, information_gain};
use webstrata_lab::learn::tables::{TableOptions, class_table, learner_table, table_4_8, table_4_9};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first() else { return Err("the folder of the set is needed".into()) };
    let set = L3sBlocks::read(Path::new(folder))?;
    for problem in &set.problems {
        println!("left out: {problem}");
    }
    let gaps = if arguments.iter().any(|argument| argument == "lines") { GapModel::Lines } else { GapModel::Tags };
    let by = arguments.iter().find_map(|argument| argument.parse::<By>().ok()).unwrap_or_default();
    let blocks = LabelledBlocks::new(&set, gaps);
    println!(
        "{} pages, blocks by {gaps:?}, folds by {by}\n\nTable 4.8\n\n{}",
        blocks.page_count(),
        class_table(&table_4_8(&blocks)).markdown()
    );
    let options = TableOptions { by, svm: !arguments.iter().any(|argument| argument == "no-svm"), ..Default::default() };
    let rows = table_4_9(&blocks, &options);
    for (classes, title) in [(Classes::Two, "two classes"), (Classes::Four, "four classes")] {
        println!("Table 4.9, {title}\n\n{}", learner_table(&rows, classes).markdown());
    }
    println!("Figure 4.20 (information gain in bits)\n");
    for problem in [Classes::Two, Classes::Four] {
        let data = blocks.dataset(&Column::all(), problem);
        for weighting in [Weighting::Words, Weighting::Blocks] {
            for gain in information_gain(&data, weighting).iter().take(25) {
                println!(
                    "{problem:?} by {weighting:?}: {:28} {:.4} ({} intervals)",
                    gain.column.to_string(),
                    gain.gain,
                    gain.intervals
                );
            }
        }
    }
    Ok(())
}
