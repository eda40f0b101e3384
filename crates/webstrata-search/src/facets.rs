//! Facets of results: their topics, by the topic ranks of the pages (thesis, section 3.4).
//!
//! Equations 3.13 to 3.15 define whether a page belongs to a topic. Algorithm 3.1 finds the facets of results: it ranks the results by
//! each topic and takes the top of each ranking as a sample. Topics to which enough of the sample belongs are used for ranking in the
//! next pass, together with the topics below them. Topics with the same parent are alternatives. If there are ranks without a topic,
//! ranks are taken relative to them: a page belongs to a topic in which it ranks higher than in general (`docs/rank.md` compares both).

use crate::SearchError;
use crate::search::Hit;
use crate::topic_ranks::TopicRanks;
use serde::Serialize;
use std::collections::BTreeMap;
use webstrata_corpus::graph::GraphError;
use webstrata_corpus::graph::facets::{FacetOptions, Facets};
use webstrata_corpus::graph::topics::{SEPARATOR, UNBIASED};

/// A facet of results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facet {
    /// The topic, as a path from the root.
    pub topic: String,
    /// Share of the results that belong to it.
    pub share: f64,
}

/// How a page's score for a topic is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Membership {
    /// From ranks relative to those without a topic, if there are any.
    #[default]
    Relative,
    /// From ranks scaled to a mean of 1, as in the thesis.
    Plain,
}

/// Topics that can become facets, added when they are needed.
struct Source<'r> {
    ranks: &'r TopicRanks,
    general: Option<&'r [f64]>,
    /// Columns of the facets.
    columns: Vec<usize>,
    /// Numbers of dimensions, by parent.
    dimensions: BTreeMap<&'r str, u32>,
}

/// The parent topic; empty for the top level.
fn above(topic: &str) -> &str {
    topic.rsplit_once(SEPARATOR).map_or("", |(above, _)| above)
}

impl<'r> Source<'r> {
    fn new(ranks: &'r TopicRanks, membership: Membership) -> Source<'r> {
        let general = ranks.column(UNBIASED).filter(|_| membership == Membership::Relative);
        Source { ranks, general, columns: Vec::new(), dimensions: BTreeMap::new() }
    }

    /// Adds the topics directly below one, unless they are there already. Topics without pages are not facets.
    fn push_below(&mut self, facets: &mut Facets, topic: &str) -> Result<(), GraphError> {
        let names = self.ranks.names();
        for (column, name) in names.into_iter().enumerate() {
            let ranks = self.ranks.values(column);
            if name == UNBIASED || above(name) != topic || self.columns.contains(&column) || !ranks.iter().any(|rank| *rank > 0.0) {
                continue;
            }
            let next = self.dimensions.len() as u32;
            let dimension = *self.dimensions.entry(above(name)).or_insert(next);
            match self.general {
                Some(general) => facets.push_relative(dimension, ranks, general)?,
                None => facets.push(dimension, ranks)?,
            };
            self.columns.push(column);
        }
        Ok(())
    }

    fn name(&self, facet: usize) -> &'r str {
        self.columns.get(facet).and_then(|&column| self.ranks.names().get(column).copied()).unwrap_or_default()
    }
}

impl TopicRanks {
    /// The facets of results, largest first: top-level topics, and the topics below them to which results belong.
    ///
    /// # Errors
    /// If the ranks are invalid.
    pub fn facets(&self, hits: &[Hit], options: &FacetOptions) -> Result<Vec<Facet>, SearchError> {
        self.facets_by(hits, None, Membership::default(), options)
    }

    /// The facets of results, largest first: top-level topics and those below them to which results belong, or, with `below`, the
    /// topics below that one. The results are all pages found, or as many of them as are considered.
    ///
    /// # Errors
    /// If the ranks are invalid.
    pub fn facets_by(
        &self,
        hits: &[Hit],
        below: Option<&str>,
        membership: Membership,
        options: &FacetOptions,
    ) -> Result<Vec<Facet>, SearchError> {
        let mut source = Source::new(self, membership);
        let mut facets = Facets::default();
        source.push_below(&mut facets, below.unwrap_or_default())?;
        let number = |hit: &Hit| Some((self.number(hit.url.as_deref(), &hit.id)?, f64::from(hit.score)));
        let results: Vec<(usize, f64)> = hits.iter().filter_map(number).collect();
        // Algorithm 3.1 samples by every facet of a seed. The seed consists of the facets of the results as they are.
        let first: Vec<usize> = results.iter().map(|&(page, _)| page).collect();
        let shares = facets.shares(&first, options);
        let seed: Vec<usize> = (0..facets.len()).filter(|&facet| shares[facet] >= options.share).collect();
        facets.identify(&results, &seed, options, &mut |facets, new| {
            new.iter().try_for_each(|&facet| source.push_below(facets, source.name(facet)))
        })?;
        // The reported share is that of the results themselves (3.16), which readers can check.
        let shares = facets.shares(&first, options);
        // Among facets with the same share, the one with the stronger membership comes first.
        let mut strength = vec![0.0; shares.len()];
        for &page in first.iter().take(options.results) {
            strength.iter_mut().zip(facets.memberships(page)).for_each(|(sum, membership)| *sum += membership.max(0.0));
        }
        let mut order: Vec<usize> = (0..shares.len()).filter(|&facet| shares[facet] > 0.0).collect();
        order.sort_by(|&one, &two| {
            let by_share = shares[two].total_cmp(&shares[one]).then(strength[two].total_cmp(&strength[one]));
            by_share.then_with(|| source.name(one).cmp(source.name(two)))
        });
        let found = order.into_iter().map(|facet| Facet { topic: source.name(facet).to_owned(), share: shares[facet] });
        Ok(found.collect())
    }
}
