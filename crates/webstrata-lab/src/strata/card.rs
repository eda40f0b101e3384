//! Model card: training data and expected scores.

use super::answers::DECISIONS;
use super::corpus::GoldBlocks;
use super::folds::Extracted;
use super::pipeline::{Sets, mean, scores};
use super::train::Trained;
use crate::table::{Table, share};
use std::fmt::Write;
use webstrata::label::strata::{PageType, most_probable};

/// Contents of a model card.
#[derive(Clone, Debug)]
pub struct Card {
    /// Sets by name, with their use and number of pages.
    pub data: Vec<(String, &'static str, usize)>,
    /// By page type, and overall.
    pub scores: Vec<Scores>,
    /// Share of pages whose page type was predicted correctly, by set.
    pub page_types: Vec<(String, f64)>,
    /// Share of all pages with a confidence below [`LOW_CONFIDENCE`], and of those with an F1 below 0.5.
    pub flagged: (f64, f64),
    /// By set: mean F1 of each of [`DECISIONS`].
    pub decisions: Vec<(String, [f64; DECISIONS.len()])>,
    /// Size of the model in bytes.
    pub size: usize,
}

/// Cross-validated scores of some pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// Which pages.
    pub pages: String,
    /// Their number.
    pub number: usize,
    /// Mean word F1 of the extracted text.
    pub f1: f64,
    /// Share of pages with an F1 below 0.5.
    pub low: f64,
    /// Mean word F1 of the blocks that the model keeps, before the selection.
    pub blocks: f64,
}

/// Confidence below which a page should be checked.
pub const LOW_CONFIDENCE: f32 = 0.8;

impl Card {
    pub(super) fn new(sets: &Sets, pages: &[GoldBlocks], trained: &Trained, extracted: &[Extracted]) -> Card {
        let used = |sets: &[crate::gold::set::GoldSet], what: &'static str| {
            sets.iter().map(|set| (set.name.clone(), what, set.pages.len())).collect::<Vec<_>>()
        };
        let mut data = used(&sets.gold, "whole gold texts");
        data.extend(used(&sets.articles, "articles"));
        data.extend(used(&sets.snippets, "labelled snippets"));
        let by_blocks = scores(pages, trained);
        let row = |name: &str, of: &dyn Fn(&GoldBlocks) -> bool| {
            let some: Vec<usize> = (0..pages.len()).filter(|&at| of(&pages[at])).collect();
            let mean = |of: &dyn Fn(usize) -> f64| mean(&some.iter().map(|&at| of(at)).collect::<Vec<f64>>());
            Scores {
                pages: name.to_owned(),
                number: some.len(),
                f1: mean(&|at| extracted[at].f1),
                low: mean(&|at| f64::from(u8::from(extracted[at].f1 < 0.5))),
                blocks: mean(&|at| by_blocks[at]),
            }
        };
        let mut rows = vec![row("all", &|_| true)];
        rows.extend(PageType::ALL.map(|page_type| row(page_type.name(), &|page| page.page_type == Some(page_type))));
        for set in &sets.gold {
            rows.push(row(&set.name, &|page| page.set == set.name));
            rows.extend(PageType::ALL.map(|page_type| {
                row(&format!("{}, {page_type}", set.name), &|page| page.set == set.name && page.page_type == Some(page_type))
            }));
        }
        rows.retain(|row| row.number > 0);
        let is_predicted =
            |(page, page_types): &(&GoldBlocks, &[f32; PageType::ALL.len()])| page.page_type == Some(most_probable(page_types));
        let correct = |set: &crate::gold::set::GoldSet| {
            let typed =
                || pages.iter().zip(&trained.page_types).filter(|(page, _)| page.set == set.name && page.page_type.is_some());
            let correct = typed().filter(is_predicted).count() as f64;
            (typed().count() > 0).then(|| (set.name.clone(), correct / typed().count() as f64))
        };
        let below = |which: &dyn Fn(f64) -> bool| {
            let some = || extracted.iter().filter(|page| which(page.f1));
            some().filter(|page| page.confidence < LOW_CONFIDENCE).count() as f64 / (some().count() as f64).max(1.0)
        };
        let decisions = |set: &crate::gold::set::GoldSet| {
            let of_set = || pages.iter().zip(&trained.decisions).filter(|(page, _)| page.set == set.name);
            let column = |at: usize| mean(&of_set().map(|(_, scores)| f64::from(scores[at])).collect::<Vec<f64>>());
            (set.name.clone(), std::array::from_fn(column))
        };
        Card {
            decisions: sets.gold.iter().map(decisions).collect(),
            data,
            scores: rows,
            page_types: sets.gold.iter().filter_map(correct).collect(),
            flagged: (below(&|_| true), below(&|score| score < 0.5)),
            size: trained.model.write().len(),
        }
    }

    /// The card as Markdown, with the date and the command.
    #[must_use]
    pub fn markdown(&self, date: &str, command: &str, ablation: &[(&'static str, f64)]) -> String {
        let mut out = String::from("# The model of `strata`\n\n");
        let _ = writeln!(out, "Trained on {date} by `{command}`; {} bytes.\n", self.size);
        out.push_str("Training data (not part of this project; each set has its own licence):\n\n");
        let mut table = Table::new(&["set", "used as", "pages"]);
        for (name, what, pages) in &self.data {
            table.row(vec![name.clone(), (*what).to_owned(), pages.to_string()]);
        }
        out.push_str(&table.markdown());
        out.push_str(
            "\nWord F1, mean over pages, cross-validated by site on the sets with whole gold texts: of the text that is extracted, and of \
             the blocks that the model keeps, before the selection adds the headline and drops copies, captions and comments:\n\n",
        );
        let mut table = Table::new(&["pages", "number", "F1", "under 0.5", "F1 of blocks"]);
        for row in &self.scores {
            table.row(vec![row.pages.clone(), row.number.to_string(), share(row.f1), share(row.low), share(row.blocks)]);
        }
        out.push_str(&table.markdown());
        out.push_str("\nShare of pages whose page type is predicted correctly, cross-validated by site:\n\n");
        let mut table = Table::new(&["set", "correct"]);
        for (name, correct) in &self.page_types {
            table.row(vec![name.clone(), share(*correct)]);
        }
        out.push_str(&table.markdown());
        out.push_str("\nWord F1 of blocks by what is decided for a page as a whole, cross-validated by site:\n\n");
        let mut table = Table::new(&[&["set"][..], &DECISIONS].concat());
        for (name, scores) in &self.decisions {
            table.row(std::iter::once(name.clone()).chain(scores.iter().map(|score| share(*score))).collect());
        }
        out.push_str(&table.markdown());
        let (of_all, of_low) = self.flagged;
        let _ = writeln!(
            out,
            "\nA confidence below {LOW_CONFIDENCE} flags {} of all pages, and {} of those with an F1 below 0.5.",
            share(of_all),
            share(of_low)
        );
        if let Some((_, whole)) = ablation.first() {
            out.push_str("\nContribution of groups of features: F1 without each, with smaller forests throughout.\n\n");
            let mut table = Table::new(&["without", "F1", "difference"]);
            for (name, f1) in ablation {
                table.row(vec![(*name).to_owned(), format!("{f1:.4}"), format!("{:+.4}", f1 - whole)]);
            }
            out.push_str(&table.markdown());
        }
        out
    }
}
