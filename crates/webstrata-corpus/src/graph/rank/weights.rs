//! How a page shares its rank among its links: evenly, or by the weights of a surfer who tells links apart.

use super::super::{Graph, LINKS_TO_ITSELF, adjacency};
use super::options::{LinkWeights, SelfLinks};

/// What a page does with its rank.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// A link of weight 1 carries the rank divided by this.
    pub divisor: f64,
    /// The part that comes back over a link to itself.
    pub back: f64,
    /// The part that goes over no link.
    pub lost: f64,
}

/// How ranks flow.
pub trait WeightModel: Sync {
    /// Walks over links in the order of the stream.
    type WeightCursor<'f>: WeightCursor
    where
        Self: 'f;
    /// What a page does with its rank.
    fn share(&self, page: usize) -> Share;
    /// Begins a walk at the first link of a page, with so many links before it.
    fn cursor(&self, page: usize, links_before: usize) -> Self::WeightCursor<'_>;
}

/// Tells the weights of links, one after the other.
pub trait WeightCursor {
    /// The links of the next page come.
    fn page(&mut self, page: usize);
    /// The weight of the next link, which comes from this page.
    fn weight(&mut self, source: usize) -> f64;
}

/// From the weight of all links and of the one to itself.
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
        // Nobody reads what a page without links carries, so it is the rank itself.
        Share { divisor: 1.0, back: 0.0, lost: 1.0 }
    }
}

/// All links of a page are alike.
#[derive(Debug)]
pub struct UniformWeights<'g> {
    /// Out-degrees of all pages.
    pub degrees: &'g [u32],
    /// How links to the page itself count.
    pub rule: SelfLinks,
}

/// No weights.
#[derive(Debug)]
pub struct UnitWeights;

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

/// Links have weights.
#[derive(Debug)]
pub struct StratumWeights<'g> {
    graph: &'g Graph,
    strata: &'g [u8],
    weights: [[f64; 8]; 2],
    /// By page: the weight of its links together.
    all: Vec<f64>,
    rule: SelfLinks,
}

/// Weights of links, and where in the graph we are.
#[derive(Debug)]
pub struct StratumCursor<'f> {
    graph: &'f Graph,
    weights: &'f [[f64; 8]; 2],
    strata: std::slice::Iter<'f, u8>,
    host: usize,
    pages: std::ops::Range<usize>,
}

impl<'g> StratumWeights<'g> {
    /// Sums the weights of the links of each page.
    pub fn new(graph: &'g Graph, link_weights: &LinkWeights, rule: SelfLinks) -> StratumWeights<'g> {
        let strata = graph.strata.as_deref().unwrap_or_default();
        let mut model = StratumWeights { graph, strata, weights: link_weights.weights(), all: Vec::new(), rule };
        let mut all = vec![0.0; graph.num_pages()];
        let mut cursor = model.cursor(0, 0);
        let (mut rest, _) = graph.stream_from(0);
        for page in 0..graph.num_pages() {
            cursor.page(page);
            for source in adjacency::take(&mut rest).predecessors(page as u32) {
                let weight = cursor.weight(source as usize);
                if let Some(sum) = all.get_mut(source as usize) {
                    *sum += weight;
                }
            }
            if graph.links_to_itself(page) {
                all[page] += model.own();
            }
        }
        model.all = all;
        model
    }

    /// The same for a part of the graph: its pages are these.
    pub fn for_subgraph<'p>(&self, part: &'p Graph, pages: impl Iterator<Item = usize>) -> StratumWeights<'p> {
        let all = pages.map(|page| self.all.get(page).copied().unwrap_or_default()).collect();
        let strata = part.strata.as_deref().unwrap_or_default();
        StratumWeights { graph: part, strata, weights: self.weights, all, rule: self.rule }
    }

    /// The weight of a link to oneself. It stays on the host, and where it stands was not kept.
    fn own(&self) -> f64 {
        self.weights[1][7]
    }
}

impl WeightModel for StratumWeights<'_> {
    type WeightCursor<'f>
        = StratumCursor<'f>
    where
        Self: 'f;

    fn share(&self, page: usize) -> Share {
        let own = if self.graph.links_to_itself(page) { self.own() } else { 0.0 };
        share(self.all.get(page).copied().unwrap_or_default(), own, self.rule)
    }

    fn cursor(&self, page: usize, links_before: usize) -> StratumCursor<'_> {
        let strata = self.strata.get(links_before..).unwrap_or_default().iter();
        let host = self.graph.host_of(page);
        StratumCursor { graph: self.graph, weights: &self.weights, strata, host, pages: self.graph.pages_of(host) }
    }
}

impl WeightCursor for StratumCursor<'_> {
    fn page(&mut self, page: usize) {
        while page >= self.pages.end && self.host < self.graph.num_hosts() {
            self.host += 1;
            self.pages = self.graph.pages_of(self.host);
        }
    }

    #[inline]
    fn weight(&mut self, source: usize) -> f64 {
        let stratum = self.strata.next().copied().unwrap_or(7);
        self.weights[usize::from(self.pages.contains(&source))][usize::from(stratum & 7)]
    }
}
