//! The part of `webstrata-lab train strata` that learns segment boundaries: the model of the segmenter `strata`.

use super::date;
use crate::Summary;
use anyhow::{Result, bail};
use std::path::Path;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, Show, error};
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::strata::cuts::{CutOptions, CutReport, Sample, train_cuts};

/// Annotated pages to learn from.
pub(super) struct Marked {
    samples: Vec<Sample>,
    set: String,
}

impl Marked {
    /// Reads a set. Pages without annotations are reported and skipped.
    pub(super) fn read(folder: &Path, summary: &mut Summary) -> Result<Marked> {
        let pages = MarkedPage::read_all(folder)?;
        let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let set = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut samples: Vec<Sample> = pages.iter().map(Sample::new).collect();
        samples.retain(|sample| {
            let marked = sample.marks.iter().any(|marks| !marks.words.is_empty());
            if !marked {
                error(&format!("{set}: no text of html/{}.html is annotated; skipped", sample.id));
            }
            marked
        });
        summary.done += samples.len() as u64;
        summary.failed += (pages.len() - samples.len()) as u64;
        if samples.len() < 2 {
            bail!(
                "{}: only {} of {} pages in html/ can be used, and cross-validation needs at least two; blocks are annotated with the \
                 attributes data-block (1, or 2 for nested blocks) and data-block-type",
                folder.display(),
                samples.len(),
                pages.len()
            );
        }
        Ok(Marked { samples, set })
    }

    /// Learns the model, writes it, and returns its card.
    pub(super) fn learn(&self, output: &Path, show: Show) -> Result<String> {
        let defaults = CutOptions::default();
        // No empty folds.
        let options = CutOptions { folds: defaults.folds.min(self.samples.len()), ..defaults };
        let progress = Progress::with_total(show, &self.set, options.folds + 1, "trainings");
        let trained = train_cuts(&self.samples, &options, &|_| progress.tick())?;
        drop(progress);
        let file = trained.model.write();
        write_without_sync(output, &file)?;
        Ok(format!(
            "# The model of the segmenter `strata`\n\n\
             Trained on {} by `webstrata-lab train strata --segments {}`; {} bytes.\n\n\
             {} pages, cross-validated by page in {} folds. Marked text only, means of pages:\n\n{}\n\
             The same pages with class names, ids and the tags of HTML5 hidden:\n\n{}",
            date::today(),
            self.set,
            file.len(),
            self.samples.len(),
            options.folds,
            CutReport::new(&self.samples, &trained.predictions, &trained.model),
            CutReport::new(&self.samples, &trained.masked, &trained.model),
        ))
    }
}
