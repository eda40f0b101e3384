//! A second look: what the first one said of the gaps round a gap.
//!
//! Sections of one kind are cut alike, a part that is cut inside is cut off from what is beside it, and what is small is
//! joined to a neighbour: none of that can be seen from one gap.

use super::aggregates::Aggregates;
use super::parts::Parts;

/// From this probability on a gap counts as a cut for the distances to the next one.
const STRONG: f32 = 0.4;

/// Names of the columns.
pub(super) const COLUMNS: [&str; 22] = [
    "first",
    "first-2",
    "first-1",
    "first+1",
    "first+2",
    "inside-left",
    "inside-right",
    "siblings-mean",
    "siblings-most",
    "siblings-above",
    "before-outer",
    "behind-outer",
    "outer-most",
    "words-to-cut-before",
    "words-to-cut-behind",
    "atoms-to-cut-before",
    "atoms-to-cut-behind",
    "page-mean",
    "page-cuts",
    "other-first",
    "other-siblings-mean",
    "alike-mean",
];

/// What the first look said, summed up.
///
/// ```
/// use webstrata::{Page, block::{GapModel, Mask}, segment::strata::GapFeatures};
/// let page = Page::parse(b"<p>one<p>two<p>three");
/// let features = GapFeatures::new(page.blocks_by(GapModel::Tags), Mask::default());
/// let said = features.context(&[0.2, 0.7], &[0.1, 0.1]);
/// let mut rows = Vec::new();
/// features.context_rows(&said, 0..2, &mut rows);
/// assert_eq!(rows.len(), 2 * GapFeatures::context_columns().len());
/// ```
#[derive(Debug)]
pub struct ContextRows<'s> {
    parts: &'s Parts,
    probabilities: &'s [f32],
    other: &'s [f32],
    /// By part: the largest probability of a gap inside it; of one right inside it.
    inside: Vec<f32>,
    own: Vec<f32>,
    /// By part: sum of the probabilities right inside it, by either model, and how many.
    sums: Vec<(f32, f32, f32)>,
    /// By gap: share of the gaps of the same part with larger probabilities.
    above: Vec<f32>,
    /// By gap: mean probability of the gaps between parts that look like its own.
    alike: Vec<f32>,
    /// By gap: words and atoms to the next cut on either side.
    nearest: Vec<[f32; 4]>,
    mean: f32,
    cuts: f32,
}

impl<'s> ContextRows<'s> {
    /// `probabilities` are those that are to be mended, `other` those of the other model.
    pub(super) fn new(parts: &'s Parts, sums: &Aggregates, probabilities: &'s [f32], other: &'s [f32]) -> Self {
        let count = parts.parts.len();
        let mut said = ContextRows {
            parts,
            probabilities,
            other,
            inside: vec![0.0; count],
            own: vec![0.0; count],
            sums: vec![(0.0, 0.0, 0.0); count],
            above: vec![0.0; probabilities.len()],
            alike: alike(parts, sums, probabilities),
            nearest: nearest(parts, sums, probabilities),
            mean: probabilities.iter().sum::<f32>() / probabilities.len().max(1) as f32,
            cuts: probabilities.iter().filter(|probability| **probability >= STRONG).count() as f32,
        };
        for ((gap, &probability), &other) in parts.gaps.iter().zip(probabilities).zip(other) {
            let outer = gap.outer as usize;
            said.own[outer] = said.own[outer].max(probability);
            let (sum, others, number) = &mut said.sums[outer];
            *sum += probability;
            *others += other;
            *number += 1.0;
        }
        said.inside.copy_from_slice(&said.own);
        // Parents stand before their children; bare text has no gaps.
        for at in (1..count).rev() {
            let parent = parts.parts[at].parent as usize;
            said.inside[parent] = said.inside[parent].max(said.inside[at]);
        }
        let mut order: Vec<u32> = (0..probabilities.len() as u32).collect();
        let key = |gap: u32| (parts.gaps[gap as usize].outer, probabilities[gap as usize]);
        order.sort_unstable_by(|&a, &b| key(a).0.cmp(&key(b).0).then(key(b).1.total_cmp(&key(a).1)).then(a.cmp(&b)));
        for group in order.chunk_by(|&a, &b| key(a).0 == key(b).0) {
            let mut larger = 0;
            for same in group.chunk_by(|&a, &b| key(a).1 == key(b).1) {
                for &gap in same {
                    said.above[gap as usize] = larger as f32 / group.len() as f32;
                }
                larger += same.len();
            }
        }
        said
    }

    /// Calls back with the value of each column.
    pub(super) fn row(&self, gap: usize, mut put: impl FnMut(f32)) {
        let near = |step: isize| gap.checked_add_signed(step).and_then(|at| self.probabilities.get(at)).copied().unwrap_or(1.0);
        let place = &self.parts.gaps[gap];
        put(self.probabilities[gap]);
        put(near(-2));
        put(near(-1));
        put(near(1));
        put(near(2));
        put(self.inside[place.left as usize]);
        put(self.inside[place.right as usize]);
        let (sum, others, number) = self.sums[place.outer as usize];
        // Without the gap itself.
        let mean = |sum: f32, own: f32| if number > 1.0 { (sum - own) / (number - 1.0) } else { -1.0 };
        put(mean(sum, self.probabilities[gap]));
        put(self.own[place.outer as usize]);
        put(self.above[gap]);
        // The gaps at both ends of the part round it.
        let outer = &self.parts.parts[place.outer as usize];
        let before = (outer.start as usize).checked_sub(1).map_or(1.0, |at| self.probabilities[at]);
        let behind = (outer.end as usize).checked_sub(1).and_then(|at| self.probabilities.get(at)).copied().unwrap_or(1.0);
        put(before);
        put(behind);
        put(self.own[outer.parent as usize]);
        self.nearest[gap].iter().for_each(|&distance| put(distance));
        put(self.mean);
        put(self.cuts);
        put(self.other.get(gap).copied().unwrap_or(0.0));
        put(mean(others, self.other.get(gap).copied().unwrap_or(0.0)));
        put(self.alike[gap]);
    }
}

/// By gap: the mean probability of all gaps of the page between parts that look like those at this gap.
fn alike(parts: &Parts, sums: &Aggregates, probabilities: &[f32]) -> Vec<f32> {
    let keys: Vec<u64> = parts
        .gaps
        .iter()
        .map(|gap| {
            let look = |part: u32| sums.looks[part as usize];
            crate::block::outline::splitmix64(look(gap.left) ^ look(gap.right).rotate_left(21) ^ look(gap.outer).rotate_left(42))
        })
        .collect();
    let mut groups = Vec::new();
    let mut means = vec![(0f32, 0f32); crate::block::outline::group_equal_keys(&keys, &mut groups)];
    for (&group, &probability) in groups.iter().zip(probabilities) {
        let (sum, number) = &mut means[group as usize];
        *sum += probability;
        *number += 1.0;
    }
    groups.iter().map(|&group| means[group as usize].0 / means[group as usize].1).collect()
}

/// By gap: words and atoms to the cut before it and behind it; the page's ends are cuts.
fn nearest(parts: &Parts, sums: &Aggregates, probabilities: &[f32]) -> Vec<[f32; 4]> {
    let mut nearest = vec![[0.0; 4]; probabilities.len()];
    let words = |atom: usize| sums.before[atom].words as f32;
    let mut cut = 0;
    for gap in 0..probabilities.len() {
        nearest[gap][0] = words(gap + 1) - words(cut);
        nearest[gap][2] = (gap + 1 - cut) as f32;
        if probabilities[gap] >= STRONG {
            cut = gap + 1;
        }
    }
    let mut cut = parts.count();
    for gap in (0..probabilities.len()).rev() {
        nearest[gap][1] = words(cut) - words(gap + 1);
        nearest[gap][3] = (cut - gap - 1) as f32;
        if probabilities[gap] >= STRONG {
            cut = gap + 1;
        }
    }
    nearest
}
