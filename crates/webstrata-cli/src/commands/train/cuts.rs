//! The part of `webstrata train strata` that learns where pages are cut: the model of the segmenter `strata`.

use super::date;
use crate::args::When;
use crate::output::write_whole;
use crate::run::Summary;
use anyhow::{Context, Result, bail};
use std::path::Path;
use webstrata_corpus::progress::Progress;
use webstrata_corpus::progress::error;
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::strata::cuts::{CutOptions, CutReport, Lesson, train_cuts};

/// Marked pages to learn from.
pub(super) struct Marked {
    lessons: Vec<Lesson>,
    set: String,
}

impl Marked {
    /// Reads a set. Pages without marks are named and left out.
    pub(super) fn read(folder: &Path, summary: &mut Summary) -> Result<Marked> {
        let pages = MarkedPage::read_all(folder)?;
        let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let set = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut lessons: Vec<Lesson> = pages.iter().map(Lesson::new).collect();
        lessons.retain(|lesson| {
            let marked = lesson.marks.iter().any(|marks| !marks.words.is_empty());
            if !marked {
                error(&format!("{set}: no text of the page html/{}.html is marked; left out", lesson.id));
            }
            marked
        });
        summary.done += lessons.len() as u64;
        summary.failed += (pages.len() - lessons.len()) as u64;
        if lessons.len() < 2 {
            bail!(
                "{}: only {} of {} pages in html/ can be used, and cross-validation needs two at least; blocks are marked with the \
                 attributes data-block (1, or 2 for what is inside) and data-block-type",
                folder.display(),
                lessons.len(),
                pages.len()
            );
        }
        Ok(Marked { lessons, set })
    }

    /// Learns the model, writes it, and gives its card.
    pub(super) fn learn(&self, output: &Path, progress: When) -> Result<String> {
        let usual = CutOptions::default();
        // A fold without a page would be learned without for nothing.
        let options = CutOptions { folds: usual.folds.min(self.lessons.len()), ..usual };
        let watch = Progress::with_total(progress, &self.set, options.folds + 1, "trainings");
        let trained = train_cuts(&self.lessons, &options, &|_| watch.tick())?;
        drop(watch);
        let file = trained.model.write();
        write_whole(output, &file).with_context(|| format!("cannot write {}", output.display()))?;
        Ok(format!(
            "# The model of the segmenter `strata`\n\n\
             Learned on {} by `webstrata train strata --segments {}`; {} bytes.\n\n\
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
