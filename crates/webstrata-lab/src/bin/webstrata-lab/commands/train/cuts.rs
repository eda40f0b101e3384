//! The part of `webstrata-lab train strata` that learns segment boundaries: the model of the segmenter `strata`.

use super::date;
use crate::Summary;
use anyhow::{Context, Result, bail};
use std::path::Path;
use webstrata::block::GapModel;
use webstrata::segment::strata::LayoutRows;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, Show, error};
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::layouts::with_layout;
use webstrata_lab::strata::cuts::{CutOptions, CutReport, Sample, train_cuts, train_layout};

/// Annotated pages to learn from.
pub(super) struct Marked {
    samples: Vec<Sample>,
    /// Layout features of the pages; empty without layouts.
    layouts: Vec<LayoutRows>,
    set: String,
}

impl Marked {
    /// Reads a set. Pages without annotations are reported and skipped.
    pub(super) fn read(folder: &Path, layouts: Option<&Path>, summary: &mut Summary) -> Result<Marked> {
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
        let rows = |(sample, layouts): (&Sample, &Path)| -> Result<LayoutRows> {
            let marked = pages.iter().find(|marked| marked.id() == sample.id).context("the page is gone")?;
            let page = with_layout(layouts, marked.id(), marked.parse())?;
            LayoutRows::new(page.blocks_by(GapModel::Tags), &sample.features)
                .with_context(|| format!("{}: its layout is empty", sample.id))
        };
        let layouts = samples.iter().filter_map(|sample| Some((sample, layouts?))).map(rows).collect::<Result<Vec<_>>>()?;
        Ok(Marked { samples, layouts, set })
    }

    /// Learns the model, writes it, and returns its card.
    pub(super) fn learn(&self, output: &Path, layout_output: Option<&Path>, show: Show) -> Result<String> {
        let defaults = CutOptions::default();
        // No empty folds.
        let options = CutOptions { folds: defaults.folds.min(self.samples.len()), ..defaults };
        let progress = Progress::with_total(show, &self.set, options.folds + 1, "training runs");
        let trained = train_cuts(&self.samples, &options, &|_| progress.tick())?;
        drop(progress);
        let file = trained.model.write();
        write_without_sync(output, &file)?;
        let with_layout = match layout_output {
            Some(output) if !self.layouts.is_empty() => {
                let layout = train_layout(&self.samples, &self.layouts, &trained, &options)?;
                let file = layout.model.write();
                write_without_sync(output, &file)?;
                format!(
                    "\nWith the layouts of the pages, corrected by the layout pass ({} bytes):\n\n{}",
                    file.len(),
                    CutReport::new(&self.samples, &layout.predictions, &trained.model)
                )
            }
            _ => String::new(),
        };
        Ok(format!(
            "# The model of the segmenter `strata`\n\n\
             Trained on {} by `webstrata-lab train strata --segments {}`; {} bytes.\n\n\
             {} pages, cross-validated by page in {} folds. Marked text only, means of pages:\n\n{}\n\
             The same pages with class names, ids and the tags of HTML5 hidden:\n\n{}{with_layout}",
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
