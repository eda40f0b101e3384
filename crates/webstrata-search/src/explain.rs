//! Explanations of scores.

use crate::ranking::{Ranking, Weights};
use crate::schema::Class;
use crate::scorer::Operands;
use crate::search::SearchOptions;
use serde::Serialize;
use std::fmt;

/// A score with its formula and operands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// The score.
    pub score: f32,
    /// How it is calculated.
    pub formula: &'static str,
    /// The ranking.
    pub ranking: String,
    /// Its weights, if it has any.
    pub weights: Option<String>,
    /// Saturation of term frequencies.
    pub k1: f32,
    /// Strength of length normalisation.
    pub b: f32,
    /// The factor of the page's rank; 1 without ranks.
    pub rank: f32,
    /// k1 · (1 − b + b · length / average length).
    pub norm: f32,
    /// The query words that occur on the page.
    pub words: Vec<ExplainedWord>,
    /// How often they occur in each class of text.
    pub classes: Vec<ExplainedClass>,
}

/// A word's contribution to a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedWord {
    /// The word as it is indexed.
    pub word: String,
    /// idf · (k1 + 1) · tf / (tf + norm).
    pub score: f32,
    /// ln(1 + (N − n + 0.5) / (n + 0.5)) for n of N pages with the word.
    pub idf: f32,
    /// Occurrences, weighted by segment.
    pub tf: f32,
    /// Occurrences.
    pub occurrences: u32,
}

/// Occurrences in a class of text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedClass {
    /// The class.
    pub class: Class,
    /// Its weight, unless the ranking weights segments one by one.
    pub weight: Option<f32>,
    /// Occurrences of the words of the query.
    pub occurrences: u32,
}

impl Explained {
    pub(crate) fn new(operands: Operands, options: &SearchOptions, classes: Vec<(Class, u32)>) -> Explained {
        let weights = (options.ranking == Ranking::Segments).then(|| options.weights.to_string());
        let weight = |class: Class| match options.ranking {
            Ranking::Bm25 => Some(1.0),
            Ranking::NoTemplates => Some(if class.is_kept() { 1.0 } else { 0.0 }),
            Ranking::Segments if options.weights != Weights::Site => options.weights.of(class),
            _ => None,
        };
        let words = operands.terms.into_iter().map(|term| ExplainedWord {
            word: term.term,
            score: term.score,
            idf: term.idf,
            tf: term.tf,
            occurrences: term.plain_tf,
        });
        let class = |(class, occurrences)| ExplainedClass { class, weight: weight(class), occurrences };
        Explained {
            score: operands.score,
            formula: "rank * sum of idf * (k1 + 1) * tf / (tf + norm)",
            ranking: options.ranking.to_string(),
            weights,
            k1: options.k1,
            b: options.b,
            rank: operands.rank,
            norm: operands.norm,
            words: words.collect(),
            classes: classes.into_iter().map(class).collect(),
        }
    }
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.weights.as_ref().map(|weights| format!(" ({weights})")).unwrap_or_default();
        writeln!(f, "{:.4} = {} by {}{weights}", self.score, self.formula, self.ranking)?;
        writeln!(f, "  rank {:.4}, k1 {}, b {}, norm {:.4}", self.rank, self.k1, self.b, self.norm)?;
        for word in &self.words {
            let ExplainedWord { word, score, idf, tf, occurrences } = word;
            writeln!(f, "  {word}: {score:.4}, idf {idf:.4}, tf {tf:.4}, occurrences {occurrences}")?;
        }
        let class = |class: &ExplainedClass| match class.weight {
            Some(weight) => format!("{} {} times {weight}", class.class, class.occurrences),
            None => format!("{} {}", class.class, class.occurrences),
        };
        writeln!(f, "  found in: {}", self.classes.iter().map(class).collect::<Vec<_>>().join(", "))
    }
}
