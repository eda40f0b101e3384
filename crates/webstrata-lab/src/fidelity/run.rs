//! Runs our methods and rivals over a set with structured gold.

use super::markdown::Elements;
use super::score::{PageScore, score};
use crate::extract::rival::Rival;
use crate::extract::run::Candidate;
use crate::gold::set::{GoldPage, GoldSet};
use rayon::prelude::*;
use std::fs;
use webstrata::Page;

/// Result of one method on a set.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The method's name.
    pub name: String,
    /// The elements of each page's Markdown; empty if there was no answer.
    pub answers: Vec<Elements>,
    /// The score of each page.
    pub scores: Vec<PageScore>,
    /// Failures, with their reasons.
    pub failures: Vec<String>,
}

impl Outcome {
    fn new(name: &str, set: &GoldSet, answers: Vec<Elements>, failures: Vec<String>) -> Self {
        let scored = |(page, answer): (&GoldPage, &Elements)| score(&page.structure, answer);
        let scores = set.pages.par_iter().zip(&answers).map(scored).collect();
        Outcome { name: name.to_owned(), answers, scores, failures }
    }
}

/// Runs our methods; the result does not depend on the number of threads.
#[must_use]
pub fn run(set: &GoldSet, candidates: &[Candidate]) -> Vec<Outcome> {
    let one = |candidate: &Candidate| {
        let markdown = |page: &GoldPage| {
            let bytes = fs::read(&page.file).map_err(|error| format!("{}: {error}", page.id))?;
            Ok(Elements::read(&candidate.markdown(&Page::parse(&bytes))))
        };
        let read: Vec<Result<Elements, String>> = set.pages.par_iter().map(markdown).collect();
        let failures = read.iter().filter_map(|page| page.as_ref().err().cloned()).collect();
        Outcome::new(&candidate.name, set, read.into_iter().map(Result::unwrap_or_default).collect(), failures)
    };
    candidates.iter().map(one).collect()
}

/// Runs a rival that writes Markdown.
///
/// # Errors
/// If the command cannot be started, or its output cannot be read.
pub fn run_rival(set: &GoldSet, rival: &Rival, done: &(dyn Fn() + Sync)) -> std::io::Result<Outcome> {
    let found = rival.texts(set, done)?;
    let answers = found.texts.par_iter().map(|text| Elements::read(text.as_deref().unwrap_or_default())).collect();
    Ok(Outcome::new(&rival.name, set, answers, found.failures))
}
