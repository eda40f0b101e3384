//! Weak supervision: pages that only have labelled snippets, some content and some not.
//!
//! Several candidate answers (of a model at several thresholds, of the published rules, and their intersection) are checked against the
//! snippets, and the one that gets most of them right becomes the gold; the snippets themselves override it. These pages are
//! numerous, and more diverse in language and markup than the pages with whole gold texts; they get less weight.

use super::corpus::{GoldBlocks, site};
use crate::gold::set::{GoldPage, GoldSet};
use crate::metrics::words::Vocabulary;
use rayon::prelude::*;
use std::fs;
use webstrata::Page;
use webstrata::label::strata::{ContentModel, PageType, best_threshold};
use webstrata::label::{Labeller, Preset};

/// Reads the pages of a set that have snippets, and uses the best answer as gold. Pages on which no answer
/// gets three quarters of the snippets right are skipped.
#[must_use]
pub fn read(set: &GoldSet, teacher: &ContentModel, weight: f32) -> Vec<GoldBlocks> {
    set.pages.par_iter().filter_map(|page| read_page(&set.name, page, teacher, weight)).collect()
}

fn read_page(set: &str, gold: &GoldPage, teacher: &ContentModel, weight: f32) -> Option<GoldBlocks> {
    if gold.with.is_empty() || gold.without.is_empty() {
        return None;
    }
    let bytes = fs::read(&gold.file).ok()?;
    let (texts, answers) = {
        let page = Page::parse(&bytes);
        let texts: Vec<String> = page.blocks().iter().map(|block| block.text()).collect();
        (texts, answers(&page, teacher))
    };
    // The label of each block, if snippets give one.
    let labelled: Vec<Option<bool>> = texts
        .iter()
        .map(|text| {
            let contains_any = |snippets: &[String]| snippets.iter().any(|snippet| text.contains(folded(snippet).as_str()));
            if contains_any(&gold.with) {
                Some(true)
            } else if contains_any(&gold.without) {
                Some(false)
            } else {
                None
            }
        })
        .collect();
    let right = |answer: &Vec<bool>| {
        let pairs = || labelled.iter().zip(answer).filter_map(|(labelled, kept)| Some(((*labelled)?, *kept)));
        let share = |wanted: bool| {
            let all = pairs().filter(|(labelled, _)| *labelled == wanted).count().max(1);
            pairs().filter(|(labelled, kept)| *labelled == wanted && *kept == wanted).count() as f64 / all as f64
        };
        (share(true) + share(false)) / 2.0
    };
    let scores: Vec<f64> = answers.iter().map(right).collect();
    let best = scores.iter().copied().fold(0.0, f64::max);
    if best < 0.75 || !labelled.contains(&Some(true)) {
        return None;
    }
    let answer = answers.into_iter().zip(scores).find(|(_, score)| *score == best).map(|(answer, _)| answer)?;
    let shares: Vec<f32> =
        answer.iter().zip(&labelled).map(|(kept, labelled)| f32::from(u8::from(labelled.unwrap_or(*kept)))).collect();
    let mut vocabulary = Vocabulary::default();
    let words: Vec<Vec<u32>> = texts.iter().map(|text| vocabulary.read(text)).collect();
    let kept: Vec<u32> =
        words.iter().zip(&shares).filter(|(_, share)| **share > 0.5).flat_map(|(words, _)| words.iter().copied()).collect();
    Some(GoldBlocks {
        set: set.to_owned(),
        id: gold.id.clone(),
        site: site(gold),
        page_type: Some(PageType::Article),
        language: gold.language.clone(),
        bytes,
        words,
        gold: kept,
        gold_text: String::new(),
        shares,
        weight,
    })
}

/// The blocks kept by several methods. Better methods come first, in case snippets do not decide.
fn answers(page: &Page<'_>, teacher: &ContentModel) -> Vec<Vec<bool>> {
    let input = page.input();
    let (probabilities, _) = teacher.probabilities(&input);
    let words: Vec<f32> = page.blocks().iter().map(|block| block.counts().words as f32).collect();
    let rules = Preset::Article.label(&input);
    let count = probabilities.len();
    let above = |threshold: f32| (0..count).map(|at| probabilities[at] >= threshold).collect::<Vec<bool>>();
    let mixed = |with: f32, without: f32| {
        (0..count).map(|at| probabilities[at] >= if rules.verdict(at).content { with } else { without }).collect::<Vec<bool>>()
    };
    let (expected, _) = best_threshold(&probabilities, &words, 1.0, 0.0, 1.0);
    vec![
        mixed(0.35, 0.65),
        above(0.5),
        (0..count).map(|at| rules.verdict(at).content).collect(),
        above(expected),
        mixed(0.5, 2.0),
        mixed(0.0, 0.5),
        above(0.7),
        above(0.3),
    ]
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
