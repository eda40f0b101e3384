//! FeatureExtractor and K-FeatureExtractor (Debnath, Mitra, Pal, Giles: Automatic Identification of
//! Informative Sections of Web Pages, IEEE TKDE 17(9), 2005, 5.1–5.2, Algorithms 3 and 4).
//!
//! GetBlockSet partitions the page into parts with ten features ([`Part`](crate::segment::Part)), each divided by its largest value on
//! the page. A part enters the *winner basket* if the sum of its desired features exceeds the sum of its others. Values
//! are recomputed within the basket; FeatureExtractor keeps the part with the best value, K-FeatureExtractor the highest cluster of a
//! k-means on those values. With several desired features the values are a weighted sum (6.4).
//!
//! The paper treats a table as one block here, so that no single word wins (5.1, last paragraph), but partitions by `tr` in Algorithm 3.
//! We follow the algorithm.

use super::unit::{StageInfo, Trail, Unit};
use super::{FeatureOptions, Input, Stage};
use crate::segment::{Feature, FeatureCounts};

/// Which parts of the winner basket are content.
///
/// ```
/// use webstrata::label::{FeatureOptions, Winners};
/// let parts = [[50, 0, 0, 0, 0, 0, 0, 0, 0, 0], [40, 0, 0, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 1, 0, 0, 0, 0, 0]];
/// assert_eq!(FeatureOptions::paper().winners(&parts, Winners::Best), [0]);
/// assert_eq!(FeatureOptions::paper().clusters(1).winners(&parts, Winners::Cluster), [0, 1]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winners {
    /// The one with the best value: FeatureExtractor.
    Best,
    /// The highest cluster: K-FeatureExtractor.
    Cluster,
}

/// The FeatureExtractor stage; units are judged by the part that contains them.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureExtractor {
    pub(super) options: FeatureOptions,
    pub(super) winners: Winners,
}

/// Maximum number of k-means iterations; on one dimension it converges much sooner.
const MAX_ITERATIONS: usize = 50;

static INFO: StageInfo = StageInfo {
    name: "feature-extractor",
    source: "Debnath et al. 2005, Algorithms 3 and 4",
    rules: &[
        "content: desired features {} exceed all others {}, and it is among the best of the basket",
        "boilerplate: desired features {}, others {}",
        "boilerplate: desired features {} exceed all others {}, but others in the basket have more",
    ],
};

/// A part's share of the desired features, weighted, and of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shares {
    desired: f64,
    others: f64,
}

/// The parts whose desired features exceed the others, ascending, and their values within the basket.
struct Basket {
    parts: Vec<usize>,
    values: Vec<f64>,
}

impl FeatureOptions {
    /// The indices of the parts that are content, ascending.
    #[must_use]
    pub fn winners(&self, parts: &[FeatureCounts], winners: Winners) -> Vec<usize> {
        self.basket(parts, &self.shares(parts)).winners(winners, self.clusters)
    }

    /// The shares of some parts: each feature is divided by its largest value among them.
    fn shares(&self, parts: &[FeatureCounts]) -> Vec<Shares> {
        let most = Feature::ALL.map(|feature| parts.iter().map(|part| part[feature as usize]).max().unwrap_or(0));
        let of_part = |part: &FeatureCounts| {
            let mut shares = Shares::default();
            for feature in Feature::ALL.into_iter().filter(|&feature| self.features.get(feature) > 0.0) {
                let share = f64::from(part[feature as usize]) / f64::from(most[feature as usize].max(1));
                let weight = self.desired.get(feature);
                if weight > 0.0 {
                    shares.desired += weight * share;
                } else {
                    shares.others += share;
                }
            }
            shares
        };
        parts.iter().map(of_part).collect()
    }

    fn basket(&self, parts: &[FeatureCounts], shares: &[Shares]) -> Basket {
        let basket: Vec<usize> = (0..parts.len()).filter(|&part| shares[part].desired > shares[part].others).collect();
        let again = self.shares(&basket.iter().map(|&part| parts[part]).collect::<Vec<_>>());
        Basket { parts: basket, values: again.into_iter().map(|shares| shares.desired).collect() }
    }
}

impl Basket {
    fn winners(&self, winners: Winners, clusters: u8) -> Vec<usize> {
        let values = &self.values;
        match winners {
            // Ties go to the first.
            Winners::Best => {
                let best = (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b]));
                best.map(|at| self.parts[at]).into_iter().collect()
            }
            Winners::Cluster => {
                let floor = cluster_floor(values, usize::from(clusters));
                self.parts.iter().zip(values).filter(|&(_, &value)| value >= floor).map(|(&part, _)| part).collect()
            }
        }
    }
}

/// Minimum of the highest of `k` clusters. Initial centroids are at equidistant positions of the sorted list.
fn cluster_floor(values: &[f64], k: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let k = k.clamp(1, sorted.len().max(1));
    let Some(&highest) = sorted.last() else { return 0.0 };
    let place = |i: usize| if k == 1 { 0 } else { i * (sorted.len() - 1) / (k - 1) };
    let mut centroids: Vec<f64> = (0..k).map(|i| sorted[place(i)]).collect();
    let nearest = |centroids: &[f64], value: f64| {
        (0..centroids.len()).min_by(|&a, &b| (centroids[a] - value).abs().total_cmp(&(centroids[b] - value).abs())).unwrap_or(0)
    };
    for _ in 0..MAX_ITERATIONS {
        let mut sums = vec![(0.0, 0u32); k];
        for &value in &sorted {
            let (sum, count) = &mut sums[nearest(&centroids, value)];
            *sum += value;
            *count += 1;
        }
        let next: Vec<f64> = sums.iter().zip(&centroids).map(|(&(s, n), &c)| if n == 0 { c } else { s / f64::from(n) }).collect();
        if next == centroids {
            break;
        }
        centroids = next;
    }
    let top = nearest(&centroids, highest);
    sorted.into_iter().find(|&value| nearest(&centroids, value) == top).unwrap_or(highest)
}

impl Stage for FeatureExtractor {
    fn info(&self) -> &'static StageInfo {
        &INFO
    }

    fn apply(&self, input: &Input<'_>, mut units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let (parts, of_blocks) = self.options.partition.parts_and_blocks(input.blocks);
        let counts: Vec<FeatureCounts> = parts.iter().map(|part| part.counts).collect();
        let shares = self.options.shares(&counts);
        let basket = self.options.basket(&counts, &shares);
        let winners = basket.winners(self.winners, self.options.clusters);
        for unit in &mut units {
            let part = of_blocks.get(unit.first as usize).map_or(usize::MAX, |&part| part as usize);
            let share = shares.get(part).copied().unwrap_or_default();
            let content = winners.binary_search(&part).is_ok();
            let rule = if content {
                0
            } else if basket.parts.binary_search(&part).is_ok() {
                2
            } else {
                1
            };
            let step = trail.note(&INFO, rule, &[share.desired as f32, share.others as f32]);
            trail.judge(unit, step);
            *unit = unit.decided(content, step);
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FeatureWeights, Labeller, Preset};
    use super::*;
    use crate::Page;

    #[test]
    fn clusters_on_one_dimension() {
        assert_eq!(cluster_floor(&[0.1, 0.2, 0.9, 1.0], 2), 0.9);
        assert_eq!(cluster_floor(&[0.1, 0.5, 0.55, 1.0], 3), 1.0);
        assert_eq!(cluster_floor(&[0.7], 2), 0.7);
        assert_eq!(cluster_floor(&[0.5, 0.5, 0.5], 2), 0.5);
        assert_eq!(cluster_floor(&[], 2), 0.0);
    }

    /// The worked example of 5.1: 1000 words of 2000, 2 images of 4, 3 links of 50, an applet of 3 (both objects here).
    #[test]
    fn values_are_shares_of_the_largest() {
        let parts = [[1000, 0, 0, 0, 3, 2, 0, 0, 0, 0], [2000, 0, 0, 0, 50, 4, 0, 0, 0, 0]];
        let shares = FeatureOptions::paper().shares(&parts);
        assert_eq!(shares[0], Shares { desired: 0.5, others: 3.0 / 50.0 + 2.0 / 4.0 });
    }

    #[test]
    fn a_picture_in_its_own_part_costs_an_article_nothing() {
        let html = format!("<div><img src=a></div><p>{}</p><div>{}</div>", "word ".repeat(300), "note ".repeat(20));
        let page = Page::parse(html.as_bytes());
        for preset in [Preset::FeatureExtractor, Preset::KFeatureExtractor] {
            let content: Vec<usize> = preset.label(&page.input()).content().collect();
            assert_eq!(content, [0], "{preset}");
        }
    }

    #[test]
    fn any_feature_can_be_desired() {
        let parts =
            [[10, 0, 0, 0, 9, 0, 0, 0, 0, 0], [90, 0, 0, 0, 1, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 5, 0, 0, 0, 0], [0; Feature::COUNT]];
        let best = |desired: &str| {
            let desired: FeatureWeights = desired.parse().unwrap();
            FeatureOptions::paper().desired(desired).winners(&parts, Winners::Best)
        };
        assert_eq!((best("text"), best("links"), best("objects")), (vec![1], vec![0], vec![2]));
        // Weighted: the picture counts twice as much as the words of the second part.
        assert_eq!((best("text,objects"), best("text,objects=2")), (vec![2], vec![2]));
        assert_eq!(best("text=3,objects"), [1]);
        let only_text = FeatureOptions::paper().features(FeatureWeights::TEXT);
        assert_eq!(only_text.clusters(1).winners(&parts, Winners::Cluster), [0, 1, 2]);
    }
}
