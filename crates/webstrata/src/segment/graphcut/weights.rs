//! The learned weights of GCuts and CCLUS: a metric between nodes and labels, the probabilities that two nodes belong together, and λ.

use super::node_features::{FEATURES, Row};
use super::pair_features::PAIR_FEATURES;
use crate::model::{ModelError, ModelReader, ModelWriter};
use std::sync::LazyLock;

/// Weights for pages with a layout, or for pages without.
///
/// ```
/// use webstrata::segment::graphcut::Weights;
/// let plain = Weights::untrained();
/// assert_eq!(plain.project(&[0.5; 34]), [0.5; 34]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The metric: rows are multiplied by this matrix before distances are taken (Weinberger et al. 2006 call it L).
    pub metric: Vec<Row>,
    /// Logistic model for neighbouring leaves (`V` of GCuts).
    pub neighbours: Vec<f32>,
    /// Logistic model for children and parents (`V` of GCuts).
    pub parents: Vec<f32>,
    /// Logistic model for all pairs of leaves (`v` of CCLUS).
    pub pairs: Vec<f32>,
    /// λ of GCuts, without parents, without learning, and of CCLUS.
    pub lambda: [f32; 4],
}

/// Weight of each feature without learning. The paper has a "uniformly weighted sum of features passed to a sigmoid".
const UNIFORM: f32 = -1.0;

impl Weights {
    /// The Euclidean metric and uniform weights of all differences, as in the paper's variants NL.
    #[must_use]
    pub fn untrained() -> Self {
        let unit = |at: usize| {
            let mut row = [0.0; FEATURES];
            row[at] = 1.0;
            row
        };
        let mut uniform = vec![UNIFORM; FEATURES];
        uniform.resize(PAIR_FEATURES + 1, 0.0);
        let metric = (0..FEATURES).map(unit).collect();
        // λ = 1.5 is the paper's for GCuts-NL.
        Weights { metric, neighbours: uniform.clone(), parents: uniform.clone(), pairs: uniform, lambda: [1.5, 1.5, 1.5, 0.5] }
    }

    /// The features of a node, transformed so that Euclidean distances are those of the metric.
    #[must_use]
    pub fn project(&self, row: &Row) -> Row {
        let mut projected = [0.0; FEATURES];
        for (place, weights) in projected.iter_mut().zip(&self.metric) {
            *place = weights.iter().zip(row).map(|(weight, value)| weight * value).sum();
        }
        projected
    }

    fn write(&self, out: &mut ModelWriter) {
        self.lambda.iter().for_each(|lambda| out.f32(*lambda));
        self.metric.iter().flatten().for_each(|weight| out.f32(*weight));
        for model in [&self.neighbours, &self.parents, &self.pairs] {
            (0..=PAIR_FEATURES).for_each(|at| out.f32(model.get(at).copied().unwrap_or(0.0)));
        }
    }

    fn read(input: &mut ModelReader<'_>) -> Result<Self, ModelError> {
        let mut number = || input.f32().and_then(|number| if number.is_finite() { Ok(number) } else { Err(ModelError::Checksum) });
        let mut weight = |most: f32| number().map(|lambda| lambda.clamp(0.0, most));
        let lambda = [weight(100.0)?, weight(100.0)?, weight(100.0)?, weight(1.0)?];
        let mut metric = Vec::with_capacity(FEATURES);
        for _ in 0..FEATURES {
            let mut row = [0.0; FEATURES];
            for place in &mut row {
                *place = number()?;
            }
            metric.push(row);
        }
        let mut model = || (0..=PAIR_FEATURES).map(|_| number()).collect::<Result<Vec<f32>, _>>();
        Ok(Weights { metric, neighbours: model()?, parents: model()?, pairs: model()?, lambda })
    }
}

/// The weights for both kinds of pages.
///
/// ```
/// use webstrata::segment::graphcut::GraphCutModel;
/// let model = GraphCutModel::shipped();
/// assert_eq!(&GraphCutModel::read(&model.write())?, model);
/// assert!(GraphCutModel::read(b"{}").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GraphCutModel {
    /// For pages without a layout.
    pub content: Weights,
    /// For pages with a layout.
    pub visual: Weights,
}

static SHIPPED: LazyLock<GraphCutModel> =
    LazyLock::new(|| GraphCutModel::read(include_bytes!("gcuts.model")).unwrap_or_else(|_| GraphCutModel::untrained()));

impl GraphCutModel {
    /// The model that ships with the library.
    #[must_use]
    pub fn shipped() -> &'static GraphCutModel {
        &SHIPPED
    }

    /// A model without learned weights.
    #[must_use]
    pub fn untrained() -> Self {
        GraphCutModel { content: Weights::untrained(), visual: Weights::untrained() }
    }

    /// The weights for a page.
    #[must_use]
    pub fn weights(&self, visual: bool) -> &Weights {
        if visual { &self.visual } else { &self.content }
    }

    /// Writes the model.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = ModelWriter::default();
        out.u16(FEATURES as u16);
        out.u16(PAIR_FEATURES as u16);
        self.content.write(&mut out);
        self.visual.write(&mut out);
        out.finish()
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If the file is not a model, is damaged, has a different version, or was trained with different features.
    pub fn read(file: &[u8]) -> Result<Self, ModelError> {
        let mut input = ModelReader::new(file)?;
        for expected in [FEATURES, PAIR_FEATURES] {
            let found = usize::from(input.u16()?);
            if found != expected {
                return Err(ModelError::Features { found, expected });
            }
        }
        Ok(GraphCutModel { content: Weights::read(&mut input)?, visual: Weights::read(&mut input)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_model_is_valid() {
        let file = include_bytes!("gcuts.model");
        let model = GraphCutModel::read(file);
        assert!(model.is_ok(), "{:?}", model.err());
        assert!(file.len() < 20_000);
        assert_ne!(GraphCutModel::shipped(), &GraphCutModel::untrained());
    }

    #[test]
    fn damaged_files_are_rejected() {
        let file = GraphCutModel::untrained().write();
        for len in (0..file.len()).step_by(97) {
            assert!(GraphCutModel::read(&file[..len]).is_err());
        }
        let mut out = ModelWriter::default();
        out.u16(7);
        assert!(matches!(GraphCutModel::read(&out.finish()), Err(ModelError::Features { found: 7, .. })));
    }
}
