//! Duplicates among texts in memory.

use crate::error::Kind;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use webstrata_corpus::dedup::{DedupError, Index, Keep, MatchKind, Page, Settings, Signer, Similarity};
use webstrata_corpus::io::TempDir;

/// For each text, the text of its cluster that is kept, and whether they match exactly (`exact`), nearly (`near`) or not at all.
#[pyfunction]
pub(crate) fn near_duplicates(
    py: Python<'_>,
    texts: Vec<PyBackedStr>,
    preset: &str,
) -> PyResult<Vec<(usize, Option<&'static str>)>> {
    let similarity = match preset {
        "fineweb" => Similarity::fineweb(),
        "paper" => Similarity::paper(),
        other => return Err(Kind::Option.raise(format!("unknown preset '{other}'; use fineweb or paper"))),
    };
    py.detach(|| clusters(&texts, similarity)).map_err(|error| Kind::Input.raise(error))
}

fn clusters(texts: &[PyBackedStr], similarity: Similarity) -> Result<Vec<(usize, Option<&'static str>)>, DedupError> {
    let folder = TempDir::new(&std::env::temp_dir());
    let settings = Settings { similarity, text_source: "content".into() };
    let mut index = Index::open(&folder.path()?, &settings, Default::default())?;
    let mut signer = Signer::new(similarity);
    if let Some(mut batch) = index.batch("texts", false)? {
        for (number, text) in texts.iter().enumerate() {
            // In a tie the smaller id is kept, so ids have the same number of digits.
            let id = format!("{number:020}");
            batch.push(Page { id: &id, date: None, confidence: None }, &signer.sign(text))?;
        }
        batch.finish()?;
    }
    let rows = index.clusters(Keep::Longest, &())?;
    rows.map(|row| row.map(|row| (row.cluster.parse().unwrap_or(0), row.same.map(MatchKind::name)))).collect()
}
