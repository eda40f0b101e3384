//! The page type that is reported. It is computed when it is first needed: on most pages the text does not depend on it.

use super::model::{ContentModel, most_probable, page_type_probabilities};
use super::page_type::PageType;
use super::text_words::text_weights;
use crate::block::Mask;
use crate::label::Input;
use std::sync::OnceLock;

/// The page type of a labelled page, or what it is computed from.
#[derive(Clone, Debug)]
pub(crate) struct ReportedType {
    /// The row of the page, without words.
    row: Vec<f32>,
    found: OnceLock<PageType>,
}

impl ReportedType {
    pub(super) fn new(row: Vec<f32>) -> Self {
        ReportedType { row, found: OnceLock::new() }
    }

    /// The page type, once [`ReportedType::complete`] has run.
    pub(crate) fn get(&self) -> Option<PageType> {
        self.found.get().copied()
    }

    /// Computes the page type, unless it is known. `input` is the page that the row describes.
    pub(super) fn complete(&self, model: &ContentModel, input: &Input<'_>) {
        self.found.get_or_init(|| {
            let mut row = self.row.clone();
            row.extend(text_weights(input, Mask::default(), &model.words.texts));
            most_probable(&page_type_probabilities(&model.reported_types, &row))
        });
    }
}

impl PartialEq for ReportedType {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

#[cfg(test)]
mod tests {
    use crate::Page;
    use crate::label::strata::StrataLabeller;

    #[test]
    fn page_types_do_not_depend_on_when_they_are_computed() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
        let strata = StrataLabeller::shipped().unwrap();
        for entry in std::fs::read_dir(folder).unwrap() {
            let Ok(bytes) = std::fs::read(entry.unwrap().path().join("page.html")) else { continue };
            let page = Page::parse(&bytes);
            let labels = page.label(&strata);
            assert!(labels.page_type().is_some());
            let content = page.extract();
            assert_eq!(content.labels(), &labels);
            assert_eq!(content.clone().without_comments().labels(), &labels);
            assert_eq!(content.explain().labels(), &labels);
            let later = strata.label_without_page_type(&page.input());
            assert_eq!(later.page_type(), None);
            strata.complete(&page.input(), &later);
            assert_eq!(later, labels);
        }
    }
}
