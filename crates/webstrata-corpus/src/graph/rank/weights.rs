//! How a page divides its rank among its links: evenly, or by link weights.

use super::super::{Graph, LINKS_TO_ITSELF, Stratum, adjacency};
use super::options::{LinkWeights, SelfLinks};

/// How a page divides its rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// A link of weight 1 carries the rank divided by this.
    pub divisor: f64,
    /// The share that returns over a link to the page itself.
    pub back: f64,
    /// The share that follows no link.
    pub lost: f64,
}

/// How pages divide their ranks.
pub(crate) trait WeightModel: Sync {
    /// Visits links in the order of the adjacency lists.
    type WeightCursor<'f>: WeightCursor
    where
        Self: 'f;
    /// How a page divides its rank.
    fn share(&self, page: usize) -> Share;
    /// Starts at the first link of a page, which `links_before` links precede.
    fn cursor(&self, page: usize, links_before: usize) -> Self::WeightCursor<'_>;
}

/// Yields the weights of links in order.
pub(crate) trait WeightCursor {
    /// Moves on to the links of a page.
    fn page(&mut self, page: usize);
    /// The weight of the next link, which comes from `source`.
    fn weight(&mut self, source: usize) -> f64;
}

/// The share, given the weight of all links and of the link to the page itself.
#[inline(always)]
fn share(all: f64, own: f64, rule: SelfLinks) -> Share {
    let (divisor, back, lost) = match rule {
        SelfLinks::Jump => (all, 0.0, own),
        SelfLinks::Keep => (all, own, 0.0),
        SelfLinks::Drop => (all - own, 0.0, 0.0),
    };
    if divisor > 0.0 {
        Share { divisor, back: back / divisor, lost: lost / divisor }
    } else {
        // Nothing reads what a page without links carries, so it is the rank itself.
        Share { divisor: 1.0, back: 0.0, lost: 1.0 }
    }
}

/// All links of a page have the same weight.
#[derive(Debug)]
pub(crate) struct UniformWeights<'g> {
    /// Out-degrees of all pages.
    pub degrees: &'g [u32],
    /// How self-links are treated.
    pub rule: SelfLinks,
}

/// Yields weight 1 for every link.
#[derive(Debug)]
pub(crate) struct UnitWeights;

impl WeightCursor for UnitWeights {
    #[inline(always)]
    fn page(&mut self, _: usize) {}

    #[inline(always)]
    fn weight(&mut self, _: usize) -> f64 {
        1.0
    }
}

impl WeightModel for UniformWeights<'_> {
    type WeightCursor<'f>
        = UnitWeights
    where
        Self: 'f;

    #[inline(always)]
    fn share(&self, page: usize) -> Share {
        let degree = self.degrees.get(page).copied().unwrap_or_default();
        if degree & LINKS_TO_ITSELF == 0 && degree > 0 {
            return Share { divisor: f64::from(degree), back: 0.0, lost: 0.0 };
        }
        share(f64::from(degree & !LINKS_TO_ITSELF), f64::from(degree >> 31), self.rule)
    }

    #[inline(always)]
    fn cursor(&self, _: usize, _: usize) -> UnitWeights {
        UnitWeights
    }
}

/// Links have weights by host and stratum.
#[derive(Debug)]
pub(crate) struct StratumWeights<'g> {
    graph: &'g Graph,
    weights: [[f64; 8]; 2],
    /// Total weight of the links of each page.
    all: Vec<f64>,
    rule: SelfLinks,
}

/// Iterates over the weights of links.
#[derive(Debug)]
pub(crate) struct StratumCursor<'f> {
    links: LinkCursor<'f>,
    weights: &'f [[f64; 8]; 2],
}

/// Iterates over the hosts and strata of links.
#[derive(Debug)]
pub(super) struct LinkCursor<'f> {
    graph: &'f Graph,
    strata: std::slice::Iter<'f, u8>,
    host: usize,
    pages: std::ops::Range<usize>,
}

impl<'f> LinkCursor<'f> {
    /// Starts at the first link of a page, which `links_before` links precede.
    pub(super) fn new(graph: &'f Graph, page: usize, links_before: usize) -> LinkCursor<'f> {
        let strata = graph.strata.as_deref().and_then(|strata| strata.get(links_before..)).unwrap_or_default().iter();
        let host = graph.host_of(page);
        LinkCursor { graph, strata, host, pages: graph.pages_of(host) }
    }

    /// Moves on to the links of a page.
    #[inline(always)]
    pub(super) fn page(&mut self, page: usize) {
        while page >= self.pages.end && self.host < self.graph.num_hosts() {
            self.host += 1;
            self.pages = self.graph.pages_of(self.host);
        }
    }

    /// Whether the next link, which comes from `source`, stays on its host (1) or not (0), and its stratum.
    #[inline(always)]
    pub(super) fn next(&mut self, source: usize) -> (usize, usize) {
        let stratum = self.strata.next().copied().unwrap_or(OWN_STRATUM as u8);
        (usize::from(self.pages.contains(&source)), usize::from(stratum & 7))
    }
}

/// Stratum of a link from a page to itself, which is not stored.
pub(super) const OWN_STRATUM: usize = Stratum::Unknown as usize;

impl<'g> StratumWeights<'g> {
    /// Sums the weights of the links of each page.
    pub(crate) fn new(graph: &'g Graph, link_weights: &LinkWeights, rule: SelfLinks) -> StratumWeights<'g> {
        let mut model = StratumWeights { graph, weights: link_weights.weights(), all: Vec::new(), rule };
        let mut all = vec![0.0; graph.num_pages()];
        let mut cursor = model.cursor(0, 0);
        let (mut rest, _) = graph.adjacency_from(0);
        for page in 0..graph.num_pages() {
            cursor.page(page);
            for source in adjacency::take(&mut rest).predecessors(page as u32) {
                let weight = cursor.weight(source as usize);
                if let Some(sum) = all.get_mut(source as usize) {
                    *sum += weight;
                }
            }
            if graph.links_to_itself(page) {
                all[page] += model.self_link_weight();
            }
        }
        model.all = all;
        model
    }

    /// The weight of a link from a page to itself: it stays on the host, and its stratum is not stored.
    fn self_link_weight(&self) -> f64 {
        self.weights[1][OWN_STRATUM]
    }
}

impl WeightModel for StratumWeights<'_> {
    type WeightCursor<'f>
        = StratumCursor<'f>
    where
        Self: 'f;

    fn share(&self, page: usize) -> Share {
        let own = if self.graph.links_to_itself(page) { self.self_link_weight() } else { 0.0 };
        share(self.all.get(page).copied().unwrap_or_default(), own, self.rule)
    }

    fn cursor(&self, page: usize, links_before: usize) -> StratumCursor<'_> {
        StratumCursor { links: LinkCursor::new(self.graph, page, links_before), weights: &self.weights }
    }
}

impl WeightCursor for StratumCursor<'_> {
    fn page(&mut self, page: usize) {
        self.links.page(page);
    }

    #[inline]
    fn weight(&mut self, source: usize) -> f64 {
        let (side, stratum) = self.links.next(source);
        self.weights[side][stratum]
    }
}
