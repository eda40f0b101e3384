//! Runs our methods over a set: each page is read and parsed once, every method extracts, and every answer is scored.

use super::score::PageScore;
use crate::gold::set::{GoldPage, GoldSet};
use rayon::prelude::*;
use std::fs;
use webstrata::content::{RenderOptions, TextOptions};
use webstrata::label::Labeller;
use webstrata::{ExtractOptions, Page};

/// Something that extracts text from pages.
pub trait Answers: Sync {
    /// Its name in tables.
    fn name(&self) -> &str;
    /// The main content as plain text. The entry of the page in its set says which site it is from, for methods that are cross-validated by site.
    fn answer(&self, page: &Page<'_>, entry: &GoldPage) -> String;
}

/// A method under test.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name in tables.
    pub name: String,
    /// Its options.
    pub options: ExtractOptions,
}

impl Candidate {
    /// The main content as Markdown, as `webstrata extract --format markdown` writes it.
    #[must_use]
    pub fn markdown(&self, page: &Page<'_>) -> String {
        page.extract_with(&self.options).markdown(&RenderOptions::default())
    }
}

impl Answers for Candidate {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&self, page: &Page<'_>, _: &GoldPage) -> String {
        page.extract_with(&self.options).text_with(&TextOptions::BARE)
    }
}

/// A labeller that is not a preset, such as a trained model.
///
/// ```
/// use webstrata::{Page, label::Preset};
/// use webstrata_lab::{extract::run::{Answers, LabellerCandidate}, gold::set::GoldPage};
/// let candidate = LabellerCandidate { name: "long".into(), labeller: Box::new(Preset::MinWords(2)), options: Default::default() };
/// assert_eq!(candidate.answer(&Page::parse(b"<p>one<p>two three"), &GoldPage::default()), "two three");
/// ```
#[derive(Debug)]
pub struct LabellerCandidate {
    /// Its name in tables.
    pub name: String,
    /// The labeller.
    pub labeller: Box<dyn Labeller>,
    /// Options of the subsequent selection.
    pub options: ExtractOptions,
}

impl Answers for LabellerCandidate {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&self, page: &Page<'_>, _: &GoldPage) -> String {
        page.extract_by(&*self.labeller, &self.options).text_with(&TextOptions::BARE)
    }
}

impl Answers for Box<dyn Answers> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn answer(&self, page: &Page<'_>, entry: &GoldPage) -> String {
        (**self).answer(page, entry)
    }
}

/// Result of one method on a set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The method's name.
    pub name: String,
    /// The score of each page; `None` if there was no answer.
    pub scores: Vec<Option<PageScore>>,
    /// Failures, with their reasons.
    pub failures: Vec<String>,
}

impl Outcome {
    /// A result without any answers.
    pub(crate) fn new(name: &str, pages: usize) -> Self {
        Outcome { name: name.to_owned(), scores: vec![None; pages], failures: Vec::new() }
    }

    /// The scores of all pages with an answer.
    pub fn answered(&self) -> impl Iterator<Item = &PageScore> {
        self.scores.iter().flatten()
    }
}

/// Runs all candidates over a set on all threads of the current pool; the result does not depend on their number.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use webstrata_lab::{extract::run::{Candidate, run}, gold::set::GoldSet};
/// # let folder = tempfile::tempdir()?;
/// # std::fs::create_dir(folder.path().join("html"))?;
/// # std::fs::write(folder.path().join("html/1.html"), "<p>It rains.")?;
/// # std::fs::write(folder.path().join("gold.jsonl"), "{\"id\": \"1\", \"gold_text\": \"It rains.\"}")?;
/// let set = GoldSet::read(folder.path())?;
/// let all = Candidate { name: "all".into(), options: webstrata::label::Preset::KeepEverything.into() };
/// let outcome = run(&set, &[all]).remove(0);
/// assert_eq!(outcome.scores[0].as_ref().unwrap().words.unwrap().bag.f1(), 1.0);
/// # Ok(()) }
/// ```
#[must_use]
pub fn run<A: Answers>(set: &GoldSet, candidates: &[A]) -> Vec<Outcome> {
    run_watched(set, candidates, &|| ())
}

/// Like [`run`], but calls `done` for each page.
#[must_use]
pub fn run_watched<A: Answers>(set: &GoldSet, candidates: &[A], done: &(dyn Fn() + Sync)) -> Vec<Outcome> {
    let rows: Vec<Result<Vec<PageScore>, String>> = set
        .pages
        .par_iter()
        .map(|page| {
            let bytes = fs::read(&page.file).map_err(|error| format!("{}: {error}", page.id))?;
            let parsed = Page::parse(&bytes);
            let scores = candidates.iter().map(|candidate| PageScore::new(page, &candidate.answer(&parsed, page))).collect();
            done();
            Ok(scores)
        })
        .collect();
    let mut outcomes: Vec<Outcome> = candidates.iter().map(|c| Outcome::new(c.name(), set.pages.len())).collect();
    for (at, row) in rows.into_iter().enumerate() {
        match row {
            Ok(scores) => outcomes.iter_mut().zip(scores).for_each(|(outcome, score)| outcome.scores[at] = Some(score)),
            Err(what) => outcomes.iter_mut().for_each(|outcome| outcome.failures.push(what.clone())),
        }
    }
    outcomes
}
