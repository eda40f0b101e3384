//! Ranks by topic, computed in batches, and their mixtures.
//!
//! **Linearity.** The solver finds `y = (1-a) v + a P y` and scales y to a sum of 1, since mass lost at pages without links returns
//! to the preference vector v ([`super::super::rank`]). The unscaled y is linear in v: a mixture of preference vectors gives exactly
//! the mixture of their y. The scaled ranks are not: a topic that loses more mass has a smaller sum s of y, and counts for less. So
//! a mixture with weights w is `sum of w s r / sum of w s`, which is what the solver gives for the mixture of the preference
//! vectors; if no mass is lost, all s are 1, and this is equation 3.6.
//!
//! The sum need not be stored: if l is the share of the ranks lost in a step, `s = (1-a) / (1 - a (1-l))`.

use super::super::rank::{Iteration, Preference, Ranks, SelfLinks, SolveOptions, solve_with_progress};
use super::super::{Graph, GraphError};
use super::{Mixture, Taxonomy, UNBIASED};

/// Ranks by topic.
///
/// ```
/// use webstrata_corpus::graph::{Graph, rank::{Preference, SolveOptions}, topics::TopicRanks};
/// let graph = Graph::from_links(4, [(0, 1), (1, 0), (2, 3), (3, 2)])?;
/// let topics = [("left".to_owned(), Preference::Pages(vec![(0, 1.0)])), ("right".to_owned(), Preference::Pages(vec![(2, 1.0)]))];
/// let ranks = TopicRanks::solve(&graph, topics.into(), &SolveOptions::default(), &mut |_| true)?;
/// let mixed = ranks.mix(&graph, &"left=0.75,right=0.25".parse()?)?;
/// assert!((mixed[0] + mixed[1] - 0.75).abs() < 1e-12);
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TopicRanks {
    /// Names of the topics.
    pub names: Vec<String>,
    /// Ranks by each topic.
    pub ranks: Vec<Ranks>,
    damping: f64,
    self_links: SelfLinks,
    /// Whether pages divide their rank evenly among their links.
    even: bool,
}

impl TopicRanks {
    /// Ranks the pages of a graph by each preference vector, in batches of [`SolveOptions::batch_size`].
    ///
    /// # Errors
    /// Same as for [`solve_with_progress`].
    pub fn solve(
        graph: &Graph,
        topics: Vec<(String, Preference)>,
        options: &SolveOptions,
        progress: &mut (dyn FnMut(Iteration) -> bool + Send),
    ) -> Result<TopicRanks, GraphError> {
        let (names, preferences): (Vec<String>, Vec<Preference>) = topics.into_iter().unzip();
        let ranks = solve_with_progress(graph, &preferences, options, progress)?;
        let even = options.link_weights.is_none() && options.surfer.is_none();
        Ok(TopicRanks { names, ranks, damping: options.damping, self_links: options.self_links, even })
    }

    /// The ranks by a topic.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Ranks> {
        self.names.iter().position(|other| other == name).and_then(|at| self.ranks.get(at))
    }

    /// The ranks for a mixture of the topics' preference vectors: the same as those that the solver would find.
    ///
    /// # Errors
    /// If a topic of the mixture was not ranked, or if links have weights.
    pub fn mix(&self, graph: &Graph, mixture: &Mixture) -> Result<Vec<f64>, GraphError> {
        if !self.even {
            let reason =
                "ranks of surfers who prefer some links cannot be mixed; rank with the mixture as preference vector instead";
            return Err(GraphError::Option(reason.into()));
        }
        let mut mixed = vec![0.0; graph.num_pages()];
        let mut sum = 0.0;
        for (name, weight) in &mixture.parts {
            let Some(ranks) = self.get(name).filter(|ranks| ranks.values.len() == mixed.len()) else {
                return Err(GraphError::Option(format!("{:?}: topic {name:?} is not among the ranked topics", mixture.name)));
            };
            let weight = weight * self.unscaled_sum(graph, &ranks.values);
            sum += weight;
            mixed.iter_mut().zip(&ranks.values).for_each(|(mixed, rank)| *mixed += weight * rank);
        }
        mixed.iter_mut().for_each(|rank| *rank /= sum);
        Ok(mixed)
    }

    /// The sum of the unscaled solution.
    fn unscaled_sum(&self, graph: &Graph, ranks: &[f64]) -> f64 {
        let lost = |page: usize| {
            let (links, own) = (graph.out_degree(page), u32::from(graph.links_to_itself(page)));
            match self.self_links {
                _ if links == 0 => 1.0,
                SelfLinks::Jump => f64::from(own) / f64::from(links),
                SelfLinks::Keep => 0.0,
                SelfLinks::Drop => f64::from(u8::from(links == own)),
            }
        };
        let lost: f64 = ranks.iter().enumerate().map(|(page, rank)| rank * lost(page)).sum();
        (1.0 - self.damping) / (1.0 - self.damping * (1.0 - lost))
    }
}

impl Taxonomy {
    /// The preference vector of a topic: its pages, all with the same probability.
    #[must_use]
    pub fn preference(&self, topic: usize) -> Preference {
        Preference::Pages(self.pages(topic).into_iter().map(|page| (page, 1.0)).collect())
    }

    /// The preference vectors of topics with their paths, after the uniform one.
    #[must_use]
    pub fn preferences(&self, topics: &[usize]) -> Vec<(String, Preference)> {
        let unbiased = (UNBIASED.to_owned(), Preference::Uniform);
        let named = |&topic: &usize| Some((self.topics().get(topic)?.path.clone(), self.preference(topic)));
        std::iter::once(unbiased).chain(topics.iter().filter_map(named)).collect()
    }
}
