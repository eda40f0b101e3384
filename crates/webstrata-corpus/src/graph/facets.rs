//! Facets: what pages and the results of a query are about, by ranks alone.
//!
//! A facet has its own ranking, such as that of a topic ([`super::topics`]), scaled to a mean of 1: a page above 1 is more
//! closely related to the facet than the average page. Facets of one dimension (topic, language, age …) are alternatives: the more of them a page
//! exceeds 1 in, the weaker each is. Equations 3.13 to 3.16 and Algorithm 3.1 of the thesis, with the natural logarithm.
//!
//! C. Kohlschütter, P.-A. Chirita, W. Nejdl: Using link analysis to identify aspects in faceted Web search. SIGIR 2006 Faceted
//! Search Workshop.

use super::GraphError;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Number of results of a query to consider (the thesis' k).
pub const RESULTS: usize = 100;
/// Minimum membership for which a page counts for a facet (ϑ).
pub const MEMBERSHIP: f64 = 0.1;
/// Minimum share of the results for a facet to count as a facet of the query (λ); the thesis highlights facets from this share on.
pub const SHARE: f64 = 0.25;

/// How facets of results are identified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacetOptions {
    /// Number of results to consider.
    pub results: usize,
    /// Minimum membership for which a page counts for a facet.
    pub membership: f64,
    /// Minimum share of the results for a facet to count as a facet of the query.
    pub share: f64,
    /// Maximum number of passes of [`Facets::identify`] (the thesis' i_max).
    pub max_passes: usize,
}

impl Default for FacetOptions {
    fn default() -> Self {
        FacetOptions { results: RESULTS, membership: MEMBERSHIP, share: SHARE, max_passes: 10 }
    }
}

/// A facet: one vector of ranks.
#[derive(Clone, Debug)]
struct Facet {
    dimension: u32,
    /// Scaled to a mean of 1.
    scores: Vec<f64>,
}

/// Facets of the pages of a graph.
///
/// ```
/// use webstrata_corpus::graph::facets::Facets;
/// let mut facets = Facets::default();
/// facets.push(0, &[0.5, 0.3, 0.1, 0.1])?; // scores 2, 1.2, 0.4, 0.4
/// facets.push(0, &[0.1, 0.5, 0.1, 0.3])?;
/// assert_eq!((facets.uncertainty(0, 0), facets.uncertainty(0, 1), facets.uncertainty(0, 2)), (1.0, 2.0, f64::INFINITY));
/// assert!((facets.membership(0, 0) - 2f64.ln()).abs() < 1e-12);
/// assert!((facets.membership(0, 1) - 1.2f64.ln() / 2.0).abs() < 1e-12);
/// assert_eq!((facets.strongest(1).unwrap().0, facets.strongest(2)), (1, None));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Facets {
    facets: Vec<Facet>,
}

/// Result of [`Facets::identify`].
#[derive(Clone, Debug, PartialEq)]
pub struct Identified {
    /// Number of passes.
    pub passes: usize,
    /// Facets by which the results were ranked and sampled (D): the seed, and those found in earlier passes.
    pub sampled: Vec<usize>,
    /// The share of the samples that belong to each facet, in the last pass.
    pub shares: Vec<f64>,
    /// Facets that reach the required share in the last pass, largest first.
    pub found: Vec<usize>,
}

/// Called with newly found facets; may add more.
pub type Below<'b> = dyn FnMut(&mut Facets, &[usize]) -> Result<(), GraphError> + 'b;

impl Facets {
    /// Adds a facet, given the ranks of all pages, and returns its number.
    ///
    /// # Errors
    /// If ranks are not non-negative numbers with a sum above 0, or if their number differs from that of the other facets.
    pub fn push(&mut self, dimension: u32, ranks: &[f64]) -> Result<usize, GraphError> {
        let sum: f64 = ranks.iter().sum();
        let fine = ranks.iter().all(|rank| *rank >= 0.0) && sum > 0.0 && sum.is_finite();
        if !fine {
            return Err(GraphError::Option("the ranks of a facet must be non-negative numbers, at least one above 0".into()));
        }
        let scale = ranks.len() as f64 / sum;
        self.push_scores(dimension, ranks.iter().map(|rank| rank * scale).collect())
    }

    /// Adds a facet, given the ranks of all pages, relative to their ranks without a topic: a page then belongs to a facet if it ranks
    /// higher by the topic than in general, even if it has few in-links. This is not in the thesis; `docs/rank.md` evaluates it.
    ///
    /// ```
    /// use webstrata_corpus::graph::facets::Facets;
    /// let mut facets = Facets::default();
    /// facets.push_relative(0, &[0.5, 0.3, 0.2], &[0.8, 0.1, 0.1])?;
    /// assert!((facets.score(0, 1) - 3.0).abs() < 1e-12 && facets.membership(0, 0) == 0.0);
    /// # Ok::<(), webstrata_corpus::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// Same as for [`Facets::push`], and if both vectors differ in length.
    pub fn push_relative(&mut self, dimension: u32, ranks: &[f64], general: &[f64]) -> Result<usize, GraphError> {
        let (sum, all): (f64, f64) = (ranks.iter().sum(), general.iter().sum());
        let are_ranks = [ranks, general].iter().all(|ranks| ranks.iter().all(|rank| *rank >= 0.0));
        if ranks.len() != general.len() || !are_ranks || !(sum > 0.0 && all > 0.0 && (sum + all).is_finite()) {
            let reason = "the ranks of a facet and those without one must cover the same pages and be non-negative numbers, at least one of each above 0";
            return Err(GraphError::Option(reason.into()));
        }
        let relative = |(rank, general): (&f64, &f64)| if *general > 0.0 { rank / sum / (general / all) } else { 0.0 };
        self.push_scores(dimension, ranks.iter().zip(general).map(relative).collect())
    }

    /// Adds a facet with scores that are already scaled to a mean of 1.
    ///
    /// # Errors
    /// If scores are not non-negative numbers, or if their number differs from that of the other facets.
    pub fn push_scores(&mut self, dimension: u32, scores: Vec<f64>) -> Result<usize, GraphError> {
        if !scores.iter().all(|score| *score >= 0.0 && score.is_finite()) {
            return Err(GraphError::Option("the scores of a facet must be non-negative numbers".into()));
        }
        if let Some(first) = self.facets.first().filter(|first| first.scores.len() != scores.len()) {
            let reason = format!("{} scores, but the other facets have {}", scores.len(), first.scores.len());
            return Err(GraphError::Option(reason));
        }
        self.facets.push(Facet { dimension, scores });
        Ok(self.facets.len() - 1)
    }

    /// Number of facets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.facets.len()
    }

    /// Whether there are no facets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facets.is_empty()
    }

    /// The score of a page for a facet; the mean is 1. 0 for an unknown page or facet.
    #[must_use]
    pub fn score(&self, facet: usize, page: usize) -> f64 {
        self.facets.get(facet).and_then(|facet| facet.scores.get(page)).copied().unwrap_or_default()
    }

    /// The uncertainty of a page's membership in a facet (3.14): the number of facets of the same dimension for which the page is
    /// above the mean; infinite if there are none.
    #[must_use]
    pub fn uncertainty(&self, facet: usize, page: usize) -> f64 {
        let Some(dimension) = self.facets.get(facet).map(|facet| facet.dimension) else { return f64::INFINITY };
        let above = (0..self.len()).filter(|&other| self.facets[other].dimension == dimension && self.score(other, page) >= 1.0);
        match above.count() {
            0 => f64::INFINITY,
            count => count as f64,
        }
    }

    /// The membership of a page in a facet (3.15): the logarithm of its score divided by the uncertainty. Positive if it belongs to
    /// the facet, negative if not; 0 if the uncertainty is infinite.
    #[must_use]
    pub fn membership(&self, facet: usize, page: usize) -> f64 {
        membership(self.score(facet, page), self.uncertainty(facet, page))
    }

    /// The membership of a page in each facet.
    #[must_use]
    pub fn memberships(&self, page: usize) -> Vec<f64> {
        let mut dimensions: Vec<u32> = self.facets.iter().map(|facet| facet.dimension).collect();
        dimensions.sort_unstable();
        dimensions.dedup();
        let place = |dimension: u32| dimensions.partition_point(|&other| other < dimension);
        let mut above = vec![0u32; dimensions.len()];
        for (at, facet) in self.facets.iter().enumerate() {
            above[place(facet.dimension)] += u32::from(self.score(at, page) >= 1.0);
        }
        let one = |(at, facet): (usize, &Facet)| {
            let count = above[place(facet.dimension)];
            membership(self.score(at, page), if count == 0 { f64::INFINITY } else { f64::from(count) })
        };
        self.facets.iter().enumerate().map(one).collect()
    }

    /// The facet with the largest positive membership of a page; the first of equal ones.
    #[must_use]
    pub fn strongest(&self, page: usize) -> Option<(usize, f64)> {
        let positive = self.memberships(page).into_iter().enumerate().filter(|(_, membership)| *membership > 0.0);
        positive.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// For each facet, the share of the first [`FacetOptions::results`] results that belong to it (3.16).
    ///
    /// ```
    /// use webstrata_corpus::graph::facets::{FacetOptions, Facets};
    /// let mut facets = Facets::default();
    /// facets.push(0, &[0.5, 0.3, 0.1, 0.1])?;
    /// facets.push(0, &[0.1, 0.2, 0.3, 0.4])?;
    /// assert_eq!(facets.shares(&[0, 1, 3], &FacetOptions::default()), [2.0 / 3.0, 1.0 / 3.0]);
    /// # Ok::<(), webstrata_corpus::graph::GraphError>(())
    /// ```
    #[must_use]
    pub fn shares(&self, results: &[usize], options: &FacetOptions) -> Vec<f64> {
        let sample = &results[..results.len().min(options.results)];
        self.sample_shares(std::iter::once(sample), options)
    }

    /// For each facet, the share of all pages of the samples that belong to it.
    fn sample_shares<'s>(&self, samples: impl Iterator<Item = &'s [usize]>, options: &FacetOptions) -> Vec<f64> {
        let (mut counts, mut pages) = (vec![0u64; self.len()], 0u64);
        for &page in samples.flatten() {
            pages += 1;
            for (count, membership) in counts.iter_mut().zip(self.memberships(page)) {
                *count += u64::from(membership >= options.membership);
            }
        }
        counts.into_iter().map(|count| if pages == 0 { 0.0 } else { count as f64 / pages as f64 }).collect()
    }

    /// The first results for a facet, by the product of a page's search weight and its rank (3.5).
    fn sample(&self, facet: usize, results: &[(usize, f64)], count: usize) -> Vec<usize> {
        let mut scored: Vec<(usize, f64)> =
            results.iter().map(|&(page, weight)| (page, weight * self.score(facet, page))).collect();
        let order = |one: &(usize, f64), two: &(usize, f64)| match two.1.total_cmp(&one.1) {
            Ordering::Equal => one.0.cmp(&two.0),
            other => other,
        };
        scored.sort_unstable_by(order);
        scored.truncate(count);
        scored.into_iter().map(|(page, _)| page).collect()
    }

    /// Algorithm 3.1: identifies the facets of a query. `results` are all pages found, each once, with their search weights (1
    /// if there are none); `seed` are the facets to start with.
    ///
    /// In each pass the results are ranked by every facet of D, the first of each ranking are the sample, and the facets that reach
    /// the required share join D. It ends when D does not grow, or after the allowed passes. The thesis shows D to the user; after
    /// one pass, as evaluated there, D is just the seed, so the facets found in the last pass are also returned.
    ///
    /// `below` is called with the facets that have just joined D and may [`push`](Facets::push) more, such as those below them in a
    /// taxonomy. This way, a tree is descended only where the results are, and the rest of it is never ranked.
    ///
    /// # Errors
    /// Those of `below`, and if the seed contains an unknown facet.
    pub fn identify(
        &mut self,
        results: &[(usize, f64)],
        seed: &[usize],
        options: &FacetOptions,
        below: &mut Below<'_>,
    ) -> Result<Identified, GraphError> {
        if let Some(facet) = seed.iter().find(|&&facet| facet >= self.len()) {
            return Err(GraphError::Option(format!("the seed has facet {facet}, but there are {} facets", self.len())));
        }
        let mut sampled: BTreeSet<usize> = BTreeSet::new();
        let mut samples: Vec<Vec<usize>> = Vec::new();
        let mut next: Vec<usize> = seed.to_vec();
        let (mut passes, mut shares) = (0, vec![0.0; self.len()]);
        while passes < options.max_passes {
            let new: Vec<usize> = next.iter().copied().filter(|facet| sampled.insert(*facet)).collect();
            if new.is_empty() {
                break;
            }
            passes += 1;
            samples.extend(new.iter().map(|&facet| self.sample(facet, results, options.results)));
            below(self, &new)?;
            shares = self.sample_shares(samples.iter().map(Vec::as_slice), options);
            next = (0..self.len()).filter(|&facet| shares[facet] >= options.share).collect();
        }
        let mut found = next;
        found.retain(|&facet| shares.get(facet).is_some_and(|&share| share >= options.share && share > 0.0));
        found.sort_by(|&one, &two| shares[two].total_cmp(&shares[one]).then(one.cmp(&two)));
        Ok(Identified { passes, sampled: sampled.into_iter().collect(), shares, found })
    }
}

/// The logarithm of a score divided by the uncertainty.
fn membership(score: f64, uncertainty: f64) -> f64 {
    if uncertainty.is_infinite() { 0.0 } else { score.ln() / uncertainty }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Vectors = Vec<(u32, Vec<f64>)>;

    fn vectors() -> impl Strategy<Value = Vectors> {
        prop::collection::vec((0..3u32, prop::collection::vec(0.0..1.0f64, 25)), 1..8)
    }

    fn of(vectors: &Vectors) -> Facets {
        let mut facets = Facets::default();
        for (dimension, ranks) in vectors {
            facets.push(*dimension, ranks).unwrap();
        }
        facets
    }

    /// Equations 3.13 to 3.15 taken literally, with a mean µ instead of scaled scores.
    fn plain(vectors: &Vectors, facet: usize, page: usize) -> f64 {
        let mean = |ranks: &[f64]| ranks.iter().sum::<f64>() / ranks.len() as f64;
        let rivals =
            vectors.iter().filter(|(dimension, ranks)| *dimension == vectors[facet].0 && ranks[page] >= mean(ranks)).count();
        let ranks = &vectors[facet].1;
        if rivals == 0 { 0.0 } else { (ranks[page] / mean(ranks)).ln() / rivals as f64 }
    }

    /// Algorithm 3.1, line by line.
    fn algorithm(
        vectors: &Vectors,
        results: &[(usize, f64)],
        seed: &[usize],
        options: &FacetOptions,
    ) -> (BTreeSet<usize>, BTreeMap<usize, f64>) {
        let (mut d, mut d_new): (BTreeSet<usize>, BTreeSet<usize>) = (BTreeSet::new(), seed.iter().copied().collect());
        let (mut i, mut shares) = (0, BTreeMap::new());
        while i < options.max_passes && !d_new.is_subset(&d) {
            i += 1;
            d.extend(&d_new);
            let mut above: BTreeMap<usize, f64> = BTreeMap::new();
            let mut below = 0.0;
            for facet in &d {
                let mut sample: Vec<(f64, usize)> =
                    results.iter().map(|&(page, weight)| (-weight * vectors[*facet].1[page], page)).collect();
                sample.sort_by(|one, two| one.partial_cmp(two).unwrap());
                sample.truncate(options.results);
                below += sample.len() as f64;
                for (_, page) in sample {
                    for f in 0..vectors.len() {
                        if plain(vectors, f, page) >= options.membership {
                            *above.entry(f).or_default() += 1.0;
                        }
                    }
                }
            }
            shares = above.into_iter().map(|(f, count)| (f, count / below)).collect();
            d_new = shares.iter().filter(|(_, share)| **share >= options.share).map(|(f, _)| *f).collect();
        }
        (d, shares)
    }

    proptest! {
        #[test]
        fn membership_follows_the_equations(vectors in vectors()) {
            let facets = of(&vectors);
            for page in 0..25 {
                let all = facets.memberships(page);
                prop_assert_eq!(all.len(), vectors.len());
                for (facet, membership) in all.iter().enumerate() {
                    let want = plain(&vectors, facet, page);
                    prop_assert!((facets.membership(facet, page) - want).abs() < 1e-12);
                    prop_assert!((membership - want).abs() < 1e-12);
                }
                let best = all.iter().copied().fold(0.0, f64::max);
                prop_assert_eq!(facets.strongest(page).map_or(0.0, |found| found.1), best);
            }
        }

        #[test]
        fn facets_follow_the_algorithm(vectors in vectors(), pages in prop::collection::btree_map(0..25usize, 0.1..2.0f64, 1..25), passes in 1..4usize, results in 1..12usize, share in 0.05..0.6f64) {
            let results_of_query: Vec<(usize, f64)> = pages.into_iter().collect();
            let options = FacetOptions { results, max_passes: passes, share, ..FacetOptions::default() };
            let found = of(&vectors).identify(&results_of_query, &[0], &options, &mut |_, _| Ok(())).unwrap();
            let (sampled, shares) = algorithm(&vectors, &results_of_query, &[0], &options);
            prop_assert_eq!(found.sampled, sampled.into_iter().collect::<Vec<_>>());
            for (facet, share) in found.shares.iter().enumerate() {
                prop_assert!((share - shares.get(&facet).copied().unwrap_or_default()).abs() < 1e-12);
            }
            prop_assert!(found.passes <= passes);
            let list: Vec<usize> = results_of_query.iter().map(|result| result.0).collect();
            let share = |facet: usize| list.iter().take(results).filter(|&&page| plain(&vectors, facet, page) >= MEMBERSHIP).count() as f64 / list.len().min(results) as f64;
            let shares = of(&vectors).shares(&list, &options);
            prop_assert!((0..vectors.len()).all(|facet| (shares[facet] - share(facet)).abs() < 1e-12));
        }
    }

    #[test]
    fn a_taxonomy_is_descended_where_the_results_are() {
        // Two top-level topics; the first has two children, which are ranked when it is found.
        let mut facets = Facets::default();
        facets.push(0, &[0.4, 0.4, 0.1, 0.1]).unwrap();
        facets.push(0, &[0.1, 0.1, 0.4, 0.4]).unwrap();
        let mut asked = Vec::new();
        let mut below = |facets: &mut Facets, new: &[usize]| {
            asked.push(new.to_vec());
            if new.contains(&0) {
                facets.push(1, &[0.9, 0.05, 0.0, 0.05])?;
                facets.push(1, &[0.05, 0.9, 0.05, 0.0])?;
            }
            Ok(())
        };
        let options = FacetOptions { share: 0.5, ..FacetOptions::default() };
        let found = facets.identify(&[(0, 1.0), (1, 1.0)], &[0, 1], &options, &mut below).unwrap();
        assert_eq!(asked, [vec![0, 1], vec![2, 3]]);
        assert_eq!((found.passes, found.sampled, found.found), (2, vec![0, 1, 2, 3], vec![0, 2, 3]));
        assert_eq!(found.shares, [1.0, 0.0, 0.5, 0.5]);
        assert!(facets.identify(&[], &[9], &options, &mut |_, _| Ok(())).is_err());
        let none = facets.identify(&[], &[0], &options, &mut |_, _| Ok(())).unwrap();
        assert!(none.found.is_empty() && none.passes == 1);
    }

    #[test]
    fn invalid_facets_are_refused() {
        let mut facets = Facets::default();
        for ranks in [&[][..], &[0.0], &[-1.0, 2.0], &[f64::NAN], &[f64::INFINITY]] {
            assert!(facets.push(0, ranks).is_err(), "{ranks:?}");
        }
        for (ranks, general) in
            [(&[1.0][..], &[1.0, 1.0][..]), (&[1.0], &[0.0]), (&[0.0], &[1.0]), (&[1.0], &[-1.0]), (&[f64::NAN], &[1.0])]
        {
            assert!(facets.push_relative(0, ranks, general).is_err(), "{ranks:?} {general:?}");
        }
        facets.push(0, &[1.0, 1.0]).unwrap();
        assert!(facets.push(0, &[1.0]).unwrap_err().to_string().contains("2"));
        // Unknown pages and facets have no score, and infinite uncertainty.
        assert_eq!((facets.score(0, 9), facets.membership(7, 0), facets.strongest(9)), (0.0, 0.0, None));
        assert_eq!(facets.shares(&[], &FacetOptions::default()), [0.0]);
    }
}
