//! The part of `webstrata-lab train strata` that learns segment boundaries: the model of the segmenter `strata`.

use super::date;
use crate::Summary;
use crate::args::When;
use anyhow::{Result, bail};
use std::path::Path;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, error};
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::strata::cuts::{CutOptions, CutReport, Lesson, train_cuts};

/// Annotated pages to learn from.
pub(super) struct Marked {
    lessons: Vec<Lesson>,
    set: String,
}

impl Marked {
    /// Reads a set. Pages without annotations are reported and skipped.
    pub(super) fn read(folder: &Path, summary: &mut Summary) -> Result<Marked> {
        let pages = MarkedPage::read_all(folder)?;
        let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let set = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut lessons: Vec<Lesson> = pages.iter().map(Lesson::new).collect();
        lessons.retain(|lesson| {
            let marked = lesson.marks.iter().any(|marks| !marks.words.is_empty());
            if !marked {
                error(&format!("{set}: no text of html/{}.html is annotated; skipped", lesson.id));
            }
            marked
        });
        summary.done += lessons.len() as u64;
        summary.failed += (pages.len() - lessons.len()) as u64;
        if lessons.len() < 2 {
            bail!(
                "{}: only {} of {} pages in html/ can be used, and cross-validation needs at least two; blocks are annotated with the \
                 attributes data-block (1, or 2 for nested blocks) and data-block-type",
                folder.display(),
                lessons.len(),
                pages.len()
            );
        }
        Ok(Marked { lessons, set })
    }

    /// Learns the model, writes it, and returns its card.
    pub(super) fn learn(&self, output: &Path, when: When) -> Result<String> {
        let defaults = CutOptions::default();
        // No empty folds.
        let options = CutOptions { folds: defaults.folds.min(self.lessons.len()), ..defaults };
        let progress = Progress::with_total(when, &self.set, options.folds + 1, "trainings");
        let trained = train_cuts(&self.lessons, &options, &|_| progress.tick())?;
        drop(progress);
        let file = trained.model.write();
        write_without_sync(output, &file)?;
        Ok(format!(
            "# The model of the segmenter `strata`\n\n\
             Learned on {} by `webstrata-lab train strata --segments {}`; {} bytes.\n\n\
             {} pages, cross-validated by page in {} folds. Marked text only, means of pages:\n\n{}\n\
             The same pages with class names, ids and the tags of HTML5 hidden:\n\n{}",
            date::today(),
            self.set,
            file.len(),
            self.lessons.len(),
            options.folds,
            CutReport::of(&self.lessons, &trained.opinions, &trained.model),
            CutReport::of(&self.lessons, &trained.masked, &trained.model),
        ))
    }
}
