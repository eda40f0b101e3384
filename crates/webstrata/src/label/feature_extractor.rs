//! FeatureExtractor and K-FeatureExtractor (Debnath, Mitra, Pal, Giles: Automatic Identification of
//! Informative Sections of Web Pages, IEEE TKDE 17(9), 2005, 5.1–5.2, Algorithms 3 and 4).
//!
//! The page is partitioned by GetBlockSet. Each part has ten features (terms, text tags, lists, tables, links,
//! objects, frames, forms, scripts, style sheets), divided by the largest value on the page. A part enters the
//! *winner basket* when its value of the desired feature (terms) exceeds the sum of its others. Values
//! are computed again within the basket; FeatureExtractor keeps the part with the best value,
//! K-FeatureExtractor the highest cluster of a k-means on those values.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};
use crate::block::Blocks;
use crate::html::{Tag, TagSet};
use crate::segment::GetBlockSet;

/// Which parts of the winner basket are content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Winners {
    /// The one with the best value: FeatureExtractor.
    Best,
    /// The highest of this many clusters (the paper uses 2 or 3): K-FeatureExtractor.
    Cluster(u8),
}

/// The FeatureExtractor stage; units are judged by the part that contains them.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureExtractor {
    /// The segmenter that partitions the page.
    pub(super) partition: GetBlockSet,
    /// The parts that are kept.
    pub(super) winners: Winners,
}

impl FeatureExtractor {
    /// FeatureExtractor.
    pub(super) fn best() -> Self {
        FeatureExtractor { partition: GetBlockSet::html5(), winners: Winners::Best }
    }

    /// K-FeatureExtractor with two clusters.
    pub(super) fn clusters() -> Self {
        FeatureExtractor { partition: GetBlockSet::html5(), winners: Winners::Cluster(2) }
    }
}

/// Number of features; terms come first.
const FEATURES: usize = 10;
const TERMS: usize = 0;
const LINKS: usize = 4;

/// Maximum number of k-means iterations; on one dimension it converges much sooner.
const MAX_ITERATIONS: usize = 50;

static INFO: StageInfo = StageInfo {
    name: "feature-extractor",
    source: "Debnath et al. 2005, Algorithms 3 and 4",
    rules: &[
        "content: text {} exceeds all other features {}, and it is among the best of the basket",
        "boilerplate: text {}, other features {}",
        "boilerplate: text {} exceeds all other features {}, but others in the basket have more",
    ],
};

/// The feature that an element counts towards, other than terms.
fn feature_of(tag: Tag) -> Option<usize> {
    const TEXT_TAGS: TagSet = TagSet::from_tags(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]);
    const LISTS: TagSet = TagSet::from_tags(&[Tag::UL, Tag::OL, Tag::DL, Tag::DIR, Tag::MENU]);
    const OBJECTS: TagSet =
        TagSet::from_tags(&[Tag::IMG, Tag::OBJECT, Tag::APPLET, Tag::EMBED, Tag::VIDEO, Tag::AUDIO, Tag::CANVAS, Tag::SVG]);
    const FRAMES: TagSet = TagSet::from_tags(&[Tag::FRAME, Tag::IFRAME]);
    const STYLES: TagSet = TagSet::from_tags(&[Tag::STYLE, Tag::LINK]);
    match tag {
        Tag::TABLE => Some(3),
        Tag::A => Some(LINKS),
        Tag::FORM => Some(7),
        Tag::SCRIPT => Some(8),
        _ if TEXT_TAGS.contains(tag) => Some(1),
        _ if LISTS.contains(tag) => Some(2),
        _ if OBJECTS.contains(tag) => Some(5),
        _ if FRAMES.contains(tag) => Some(6),
        _ if STYLES.contains(tag) => Some(9),
        _ => None,
    }
}

/// A part of the page: the end of its blocks, and the counts of its features.
struct Part {
    end: u32,
    values: [f64; FEATURES],
}

fn parts(blocks: Blocks<'_>, partition: GetBlockSet) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let nodes = blocks.dom().records();
    // Markup before the first text belongs to the head; markup between two texts belongs to the later one.
    let mut node = blocks.runs_of(0).first().map_or(0, |&run| Blocks::run_node(run) as usize);
    for block in blocks {
        if parts.is_empty() || block.gap().intersects(partition.tags) {
            parts.push(Part { end: 0, values: [0.0; FEATURES] });
        }
        let Some(part) = parts.last_mut() else { continue };
        part.end = block.index() as u32 + 1;
        part.values[TERMS] += f64::from(block.counts().words);
        let last = blocks.runs_of(block.index()).last().map_or(node, |&run| Blocks::run_node(run) as usize);
        for record in nodes.get(node..=last).unwrap_or_default() {
            if let Some(feature) = feature_of(record.tag) {
                part.values[feature] += 1.0;
            }
        }
        node = last + 1;
    }
    parts
}

/// Divides every feature by its largest value among `values`.
fn normalise(values: &mut [[f64; FEATURES]]) {
    for feature in 0..FEATURES {
        let max = values.iter().map(|v| v[feature]).fold(0.0, f64::max);
        if max > 0.0 {
            values.iter_mut().for_each(|v| v[feature] /= max);
        }
    }
}

/// Minimum of the highest of `k` clusters. Initial centroids are at equidistant positions of the sorted list.
#[doc(hidden)]
#[must_use]
pub fn cluster_floor(values: &[f64], k: usize) -> f64 {
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
        let parts = parts(input.blocks, self.partition);
        let raw: Vec<[f64; FEATURES]> = parts.iter().map(|p| p.values).collect();
        let mut shares = raw.clone();
        normalise(&mut shares);
        let others = |v: &[f64; FEATURES]| v.iter().sum::<f64>() - v[TERMS];
        let basket: Vec<usize> = (0..parts.len()).filter(|&i| shares[i][TERMS] > others(&shares[i])).collect();
        let mut again: Vec<[f64; FEATURES]> = basket.iter().map(|&i| raw[i]).collect();
        normalise(&mut again);
        let values: Vec<f64> = again.iter().map(|v| v[TERMS]).collect();
        let winners: Vec<usize> = match self.winners {
            // Of equal values the first wins.
            Winners::Best => {
                (0..basket.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).map(|k| basket[k]).into_iter().collect()
            }
            Winners::Cluster(k) => {
                let floor = cluster_floor(&values, usize::from(k));
                basket.iter().zip(&values).filter(|&(_, &value)| value >= floor).map(|(&part, _)| part).collect()
            }
        };
        for unit in &mut units {
            let part = parts.partition_point(|p| p.end <= unit.first);
            let share = shares.get(part).copied().unwrap_or_default();
            let content = winners.binary_search(&part).is_ok();
            let rule = if content {
                0
            } else if basket.binary_search(&part).is_ok() {
                2
            } else {
                1
            };
            let step = trail.note(&INFO, rule, &[share[TERMS] as f32, others(&share) as f32]);
            trail.judge(unit, step);
            *unit = unit.decided(content, step);
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_on_one_dimension() {
        assert_eq!(cluster_floor(&[0.1, 0.2, 0.9, 1.0], 2), 0.9);
        assert_eq!(cluster_floor(&[0.1, 0.5, 0.55, 1.0], 3), 1.0);
        assert_eq!(cluster_floor(&[0.7], 2), 0.7);
        assert_eq!(cluster_floor(&[0.5, 0.5, 0.5], 2), 0.5);
        assert_eq!(cluster_floor(&[], 2), 0.0);
    }
}
