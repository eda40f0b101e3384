//! Cross-validated extraction: each page is read by the model that was trained without its site.
//!
//! The training cross-validates every stage on blocks. What users get is text, after the selection has added the headline and
//! dropped copies, captions and comments. So the models of the folds are kept, and whole extractions are scored with them.

use super::corpus::{GoldBlocks, site};
use super::train::fold_of;
use crate::extract::run::Answers;
use crate::gold::set::GoldPage;
use crate::metrics::words::{Vocabulary, bag};
use std::fs;
use std::path::{Path, PathBuf};
use webstrata::content::{Content, TextOptions};
use webstrata::label::strata::{ContentModel, StrataLabeller};
use webstrata::model::ModelError;
use webstrata::{ExtractOptions, Page};
use webstrata_corpus::io::{IoError, write_without_sync};

/// A model per fold, trained without the sites of the fold.
#[derive(Clone, Debug)]
pub struct FoldModels {
    name: String,
    models: Vec<ContentModel>,
    options: ExtractOptions,
}

/// Why the models of the folds cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FoldError {
    /// A file cannot be read.
    #[error("cannot read {} (`webstrata-lab train strata --folds-out` writes it)", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A file is not a model.
    #[error("{}: {source}; `webstrata-lab train strata --folds-out` writes a new one", file.display())]
    Model {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: ModelError,
    },
}

/// The cross-validated extraction of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extracted {
    /// Word F1 of its text.
    pub f1: f64,
    /// The confidence of the method.
    pub confidence: f32,
}

/// The file of a fold.
fn file(folder: &Path, fold: usize) -> PathBuf {
    folder.join(format!("fold-{fold}.model"))
}

impl FoldModels {
    /// Models by fold, as in [`Trained::folds`](super::train::Trained::folds).
    #[must_use]
    pub fn new(models: Vec<ContentModel>) -> Self {
        FoldModels { name: "strata, cross-validated".to_owned(), models, options: ExtractOptions::default() }
    }

    /// Sets the options of the selection.
    #[must_use]
    pub fn options(self, options: ExtractOptions) -> Self {
        FoldModels { options, ..self }
    }

    /// Writes `fold-0.model` and so on to a folder, which is created if necessary.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), IoError> {
        fs::create_dir_all(folder).map_err(IoError::on("create", folder))?;
        for (fold, model) in self.models.iter().enumerate() {
            write_without_sync(&file(folder, fold), &model.write())?;
        }
        // Models of an earlier training with more folds would be read as well.
        let next = file(folder, self.models.len());
        match fs::remove_file(&next) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(IoError::on("remove", &next)(error)),
            _ => Ok(()),
        }
    }

    /// Reads the models from such a folder.
    ///
    /// # Errors
    /// If there is no model, or one cannot be read.
    pub fn read(folder: &Path) -> Result<Self, FoldError> {
        let mut models = Vec::new();
        while models.is_empty() || file(folder, models.len()).exists() {
            let file = file(folder, models.len());
            let bytes = fs::read(&file).map_err(|source| FoldError::Read { file: file.clone(), source })?;
            models.push(ContentModel::read(&bytes).map_err(|source| FoldError::Model { file, source })?);
        }
        Ok(FoldModels::new(models))
    }

    /// Calls `then` with what the model of the site's fold extracts.
    fn with_content<T>(&self, site: &str, page: &Page<'_>, then: impl FnOnce(&Content<'_>) -> T) -> T {
        let labeller = StrataLabeller::new(&self.models[fold_of(site, self.models.len())]);
        let content = page.extract_by(&labeller, &self.options);
        then(&content)
    }

    /// Extracts a page of the training, and scores the text.
    #[must_use]
    pub fn extract(&self, page: &GoldBlocks) -> Extracted {
        self.with_content(&page.site, &Page::parse(&page.bytes), |content| {
            let mut vocabulary = Vocabulary::default();
            let gold = vocabulary.read(&page.gold_text);
            let answer = vocabulary.read(&content.text_with(&TextOptions::BARE));
            Extracted { f1: bag(&gold, &answer).f1(), confidence: content.labels().confidence().unwrap_or(1.0) }
        })
    }
}

impl Answers for FoldModels {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&self, page: &Page<'_>, entry: &GoldPage) -> String {
        self.with_content(&site(entry), page, |content| content.text_with(&TextOptions::BARE))
    }
}
