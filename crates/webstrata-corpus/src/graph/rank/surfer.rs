//! A surfer who chooses a kind of link before a link: the stratified random surfer of the thesis.
//!
//! C. Kohlschütter: Exploiting Links and Text Structure on the Web. Dissertation, Hannover 2011, figure 5.2: after a jump (J) or a
//! link the surfer decides to browse inside the host (I), to leave it (E) or to jump, and picks a link of that kind afterwards. The
//! decision depends on the last one, so the states of the chain are pairs of a page and the way in which the surfer arrived there.
//!
//! Where the text of 5.2.1 is inconsistent or silent:
//! - The printed probabilities of jumping, (1-a)(1-b) from I and (1-a)(1-c) from E, do not complete a distribution. Jumps have the
//!   probability 1-a in every state, as in figure 5.1.
//! - After a jump, inside and outside have the probabilities a b and a c, which add up to a only if b + c = 1. They are scaled to a.
//! - The text does not say what happens on a page without a link of the chosen kind. [`MissingLinkRule`] has two rules.
//! - According to the text, b = c = 0.5 is plain PageRank. It is not: a link then gets half of its page's rank if it is the only one that leaves
//!   the host, however many stay. [`LinkWeights`](super::LinkWeights) has that property, but not the others.

use super::super::{Graph, GraphError, Stratum};

/// Rule for a page without a link of the chosen kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingLinkRule {
    /// Chooses among the kinds that the page has, with probabilities in the same proportions. A kind of probability 0 is never
    /// chosen; if there is no other, the surfer jumps.
    #[default]
    Other,
    /// Jumps.
    Jump,
}

/// The choice that a surfer makes before choosing a link.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// To stay on the host or to leave it: the thesis' surfer.
    Hosts {
        /// Probability of staying again after staying (the thesis' β).
        stay: f64,
        /// Probability of leaving again after leaving (the thesis' γ).
        leave: f64,
    },
    /// A part of the page. Goes beyond the thesis, which poses it as a question (section 5.3).
    Strata {
        /// Weights of strata in the order of [`Stratum::ALL`]: a stratum is chosen with a probability proportional to its weight.
        weights: [f64; 8],
        /// Probability of choosing a stratum again after following a link in it; the others share the rest by their weights. With
        /// `None`, the last stratum makes no difference.
        again: [Option<f64>; 8],
    },
}

/// A surfer who chooses a kind of link, and then one of the links of that kind, all with the same probability.
///
/// ```
/// use webstrata_corpus::graph::{Graph, rank::{self, Preference, SolveOptions, Surfer}};
/// // A page with one link inside its host, and nine to other hosts.
/// let links = (0..9).map(|n| ("http://a.org/".into(), format!("http://b{n}.org/")));
/// let graph = Graph::from_names(links.chain([("http://a.org/".to_owned(), "http://a.org/x".to_owned())]))?;
/// let surfer = Some(Surfer::hosts(0.9, 0.1));
/// let options = SolveOptions { surfer, arrivals: true, ..SolveOptions::default() };
/// let ranks = rank::solve(&graph, &Preference::Uniform, &options)?;
/// let arrivals = ranks.arrivals.unwrap();
/// assert!((arrivals.inside / (arrivals.inside + arrivals.outside) - 0.9).abs() < 1e-9);
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Surfer {
    /// The choice to make.
    pub choice: Choice,
    /// The rule for a page without a link of the chosen kind.
    pub absent: MissingLinkRule,
}

impl Surfer {
    /// The surfer of figure 5.2.
    #[must_use]
    pub fn hosts(stay: f64, leave: f64) -> Surfer {
        Surfer { choice: Choice::Hosts { stay, leave }, absent: MissingLinkRule::default() }
    }

    /// A surfer who chooses by stratum, regardless of the last choice.
    #[must_use]
    pub fn strata(weights: [f64; 8]) -> Surfer {
        Surfer { choice: Choice::Strata { weights, again: [None; 8] }, absent: MissingLinkRule::default() }
    }

    /// Checks that the probabilities make sense for a graph.
    pub(super) fn check(&self, graph: &Graph) -> Result<(), GraphError> {
        let invalid = |reason: String| Err(GraphError::Option(reason));
        match &self.choice {
            Choice::Hosts { stay, leave } => {
                for (name, value) in [("stay", stay), ("leave", leave)] {
                    if !(0.0..=1.0).contains(value) {
                        return invalid(format!("invalid probability {name} = {value}; give a number from 0 to 1"));
                    }
                }
                if !graph.has_hosts() {
                    return invalid(
                        "the pages of this graph are numbers, so it is unknown which links stay on their host; \
                         give an edge list of URLs"
                            .into(),
                    );
                }
            }
            Choice::Strata { weights, again } => {
                for (stratum, (weight, again)) in Stratum::ALL.iter().zip(weights.iter().zip(again)) {
                    if !(0.0..=1e9).contains(weight) {
                        return invalid(format!("invalid weight {weight} of {stratum}; give a number from 0 to 1e9"));
                    }
                    if let Some(again) = again
                        && !(0.0..=1.0).contains(again)
                    {
                        return invalid(format!(
                            "invalid probability {again} of choosing {stratum} again; give a number from 0 to 1"
                        ));
                    }
                }
                if weights.iter().all(|&weight| weight == 0.0) {
                    return invalid("all strata have weight 0; give at least one a larger weight".into());
                }
                if !graph.has_strata() {
                    return invalid("this graph has no strata; build it from the folder of a run".into());
                }
            }
        }
        Ok(())
    }
}

/// Probabilities of the kinds of links, given which kinds a page has, as a set of bits.
#[derive(Clone, Debug)]
pub(super) struct Choices<const C: usize> {
    /// After a jump.
    pub(super) first: Vec<[f64; C]>,
    /// After a link of each kind.
    pub(super) next: Vec<[[f64; C]; C]>,
}

/// Kinds of [`Choice::Hosts`].
pub(super) const INSIDE: usize = 0;
pub(super) const OUTSIDE: usize = 1;

/// Probabilities of staying and leaving, in the order of kinds.
pub(super) fn host_choices(stay: f64, leave: f64, absent: MissingLinkRule) -> Choices<2> {
    let first = if stay + leave > 0.0 { [stay / (stay + leave), leave / (stay + leave)] } else { [0.5; 2] };
    Choices::new(first, [[stay, 1.0 - stay], [1.0 - leave, leave]], absent)
}

/// Probabilities of strata.
pub(super) fn stratum_choices(weights: &[f64; 8], again: &[Option<f64>; 8], absent: MissingLinkRule) -> Choices<8> {
    let most = weights.iter().fold(0.0, |most: f64, &weight| most.max(weight));
    let weights = weights.map(|weight| weight / most);
    let first = shares(weights, 1.0);
    let next = std::array::from_fn(|kind| {
        let Some(again) = again[kind] else { return first };
        let mut others = weights;
        others[kind] = 0.0;
        let mut row = shares(others, 1.0 - again);
        // If there are no others, the same stratum is the only choice.
        row[kind] = if row.iter().all(|&share| share == 0.0) { 1.0 } else { again };
        row
    });
    Choices::new(first, next, absent)
}

/// Weights scaled to a sum, unless all are 0.
fn shares<const C: usize>(weights: [f64; C], sum: f64) -> [f64; C] {
    let all: f64 = weights.iter().sum();
    if all > 0.0 { weights.map(|weight| weight / all * sum) } else { weights }
}

impl<const C: usize> Choices<C> {
    fn new(first: [f64; C], next: [[f64; C]; C], absent: MissingLinkRule) -> Choices<C> {
        let given = |row: [f64; C], kinds: usize| {
            let row: [f64; C] = std::array::from_fn(|kind| if kinds >> kind & 1 == 1 { row[kind] } else { 0.0 });
            match absent {
                MissingLinkRule::Other => shares(row, 1.0),
                MissingLinkRule::Jump => row,
            }
        };
        let sets = 0..1usize << C;
        Choices {
            first: sets.clone().map(|kinds| given(first, kinds)).collect(),
            next: sets.map(|kinds| next.map(|row| given(row, kinds))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_figure_5_2() {
        let choices = host_choices(0.9, 0.2, MissingLinkRule::Other);
        assert_eq!(choices.next[3], [[0.9, 1.0 - 0.9], [0.8, 0.2]]);
        assert!((choices.first[3][INSIDE] - 9.0 / 11.0).abs() < 1e-15);
        // A page with links of one kind, and one without links.
        assert_eq!((choices.next[1], choices.next[2], choices.next[0]), ([[1.0, 0.0]; 2], [[0.0, 1.0]; 2], [[0.0; 2]; 2]));
        let strict = host_choices(0.9, 0.2, MissingLinkRule::Jump);
        assert_eq!((strict.next[1], strict.next[3]), ([[0.9, 0.0], [0.8, 0.0]], choices.next[3]));
        // A surfer who always stays never leaves, and one who alternates starts anywhere.
        assert_eq!(host_choices(1.0, 0.0, MissingLinkRule::Other).next[2], [[0.0; 2]; 2]);
        assert_eq!(host_choices(0.0, 0.0, MissingLinkRule::Other).first[3], [0.5; 2]);
    }

    #[test]
    fn strata_are_chosen_by_weight_or_again() {
        let mut again = [None; 8];
        again[0] = Some(0.7);
        let choices = stratum_choices(&[2.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], &again, MissingLinkRule::Other);
        assert_eq!(choices.first[255], [0.5, 0.0, 0.0, 0.25, 0.25, 0.0, 0.0, 0.0]);
        assert_eq!(choices.next[255][3], choices.first[255]);
        let near = |one: f64, two: f64| (one - two).abs() < 1e-15;
        let row = choices.next[255][0];
        assert!(near(row[0], 0.7) && near(row[3], 0.15) && near(row[4], 0.15));
        let only = stratum_choices(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], &again, MissingLinkRule::Other);
        assert!(near(only.next[255][0][0], 1.0));
    }
}
