//! GCuts: segments by energy-minimising graph cuts.

use super::energy::{Labelling, UNIT};
use super::graph::PageGraph;
use super::pair_features::probability;
use super::weights::{GraphCutModel, Weights};
use crate::block::Blocks;
use crate::html::Paths;
use crate::segment::{Segmentation, Segmenter};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of turns of each label. Labellings of real pages stop changing after two to four.
const CYCLES: usize = 8;

/// Which parts of the method are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// All of it.
    #[default]
    Full,
    /// No costs between parents and children (GCuts-NP of the paper).
    NoParents,
    /// Nothing learned but λ (GCuts-NL).
    NotLearned,
}

/// Segments by energy-minimising graph cuts (section 4.2 of the paper).
///
/// ```
/// use webstrata::{Page, segment::graphcut::{GCuts, Variant}};
/// let html = b"<ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/maps>Maps</a></ul>\
///     <div><h1>Rain</h1><p>It has been raining in the valley for three days, and nobody can remember that.</p>\
///     <p>The river is over its banks, and the road to the next village is closed until the end of the week.</p></div>";
/// let page = Page::parse(html);
/// let segments = page.segments_by(&GCuts::new(Variant::Full));
/// assert!(segments.segmentation().reason(0).unwrap().contains("gcuts"));
/// // The more it costs to separate leaves, the fewer segments there are.
/// assert_eq!(page.segments_by(&GCuts::new(Variant::Full).lambda(100.0)).len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct GCuts {
    variant: Variant,
    lambda: Option<f32>,
    model: Option<Arc<GraphCutModel>>,
}

impl GCuts {
    /// The variant with the weights that ship with the library.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        GCuts { variant, ..GCuts::default() }
    }

    /// The variant with the λ of the paper: 0.5 for GCuts, 1 without parents, 1.5 without learning. Its features and scales differ from
    /// ours, so the default, chosen on validation pages, works better here.
    #[must_use]
    pub fn paper(variant: Variant) -> Self {
        GCuts::new(variant).lambda(match variant {
            Variant::Full => 0.5,
            Variant::NoParents => 1.0,
            Variant::NotLearned => 1.5,
        })
    }

    /// Sets the weight of the costs between nodes.
    #[must_use]
    pub fn lambda(self, lambda: f32) -> Self {
        GCuts { lambda: Some(lambda), ..self }
    }

    /// Sets the model.
    #[must_use]
    pub fn model(self, model: Arc<GraphCutModel>) -> Self {
        GCuts { model: Some(model), ..self }
    }

    /// The best labelling found for a page.
    #[must_use]
    pub fn label(&self, graph: &PageGraph) -> Labelling {
        let (weights, lambda) = self.weights(graph);
        graph.problem(&weights, lambda, self.variant != Variant::NoParents).minimise(CYCLES)
    }

    fn weights(&self, graph: &PageGraph) -> (Cow<'_, Weights>, f32) {
        let model = self.model.as_deref().unwrap_or_else(|| GraphCutModel::shipped());
        let learned = model.weights(graph.is_visual());
        let (weights, default) = match self.variant {
            Variant::Full => (Cow::Borrowed(learned), learned.lambda[0]),
            Variant::NoParents => (Cow::Borrowed(learned), learned.lambda[1]),
            Variant::NotLearned => (Cow::Owned(Weights::untrained()), learned.lambda[2]),
        };
        (weights, self.lambda.unwrap_or(default))
    }

    /// For each run of leaves: what holds it together.
    fn reasons(&self, graph: &PageGraph, blocks: Blocks<'_>, found: &Labelling) -> Vec<String> {
        let (weights, lambda) = self.weights(graph);
        let runs: Vec<Range<usize>> = graph.runs(&found.labels).collect();
        let mut ties = vec![Ties::default(); runs.len()];
        let mut run_of = vec![0; graph.leaves()];
        for (index, run) in runs.iter().enumerate() {
            run_of[run.clone()].fill(index);
        }
        for &pair in graph.neighbours() {
            let value = probability(&weights.neighbours, &graph.neighbour_row(pair));
            let [p, q] = [pair.p, pair.q].map(|leaf| run_of[leaf as usize]);
            if p == q {
                ties[p].held += 1;
                ties[p].weakest = ties[p].weakest.min(value);
            } else if found.labels[pair.p as usize] != found.labels[pair.q as usize] {
                for run in [p, q] {
                    ties[run].strongest_cut = ties[run].strongest_cut.max(value);
                }
            }
        }
        let paths = Paths::new(blocks.dom());
        let energy = found.energy as f32 / UNIT;
        let write = |(run, ties): (&Range<usize>, &Ties)| {
            let label = graph.labels().get(found.labels[run.start] as usize).map_or(0, |label| *label as usize);
            let path = paths.path(graph.element(blocks, label));
            let lines = match run.len() {
                1 => "1 line".to_owned(),
                lines => format!("{lines} lines"),
            };
            format!("{}: {lines} nearest to {path}{ties}; lambda {lambda:.2}, energy of the page {energy:.1}", self.name())
        };
        runs.iter().zip(&ties).map(write).collect()
    }
}

/// The costs between a run of leaves and its neighbours.
#[derive(Clone, Copy, Debug)]
struct Ties {
    /// Number of pairs of neighbours inside the run.
    held: usize,
    weakest: f32,
    /// The highest probability among the pairs cut at its edges.
    strongest_cut: f32,
}

impl Default for Ties {
    fn default() -> Self {
        Ties { held: 0, weakest: 1.0, strongest_cut: 0.0 }
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.held {
            0 => {}
            1 => write!(f, "; its two lines belong together with probability {:.2}", self.weakest)?,
            held => write!(f, "; {held} pairs of neighbours belong together with probability {:.2} or more", self.weakest)?,
        }
        if self.strongest_cut > 0.0 {
            write!(f, "; separated from neighbours with probability {:.2} or less", self.strongest_cut)?;
        }
        Ok(())
    }
}

impl Segmenter for GCuts {
    fn name(&self) -> &'static str {
        match self.variant {
            Variant::Full => "gcuts",
            Variant::NoParents => "gcuts-np",
            Variant::NotLearned => "gcuts-nl",
        }
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        let graph = PageGraph::new(blocks);
        let found = self.label(&graph);
        graph.segmentation(&found.labels, blocks.len()).with_reasons(self.reasons(&graph, blocks, &found))
    }
}
