//! One file per command.

pub(crate) mod annotate;
pub(crate) mod eval;
pub(crate) mod layouts;
pub(crate) mod train;

use anyhow::{Context, Result};
use webstrata::label::trained::ModelLabeller;
use webstrata_corpus::progress::error;

/// Runs `work` in a thread pool; 0 = one thread per core.
fn with_threads<T: Send>(threads: u16, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build().context("cannot start the threads")?;
    pool.install(work)
}

/// Warns if a model is measured on its training set, judging by the name of the set.
fn warn_if_trained_on(model: &ModelLabeller, name: &str, set: &str) {
    if model.model().card().data == set {
        error(&format!(
            "{name}: trained on a set of the same name ({set}); scores on training pages are too high: see the cross-validation \
             that `webstrata-lab train blocks` printed"
        ));
    }
}
