//! The context pass: corrects the probability of each gap by what the first pass predicts for the gaps around it.
//!
//! Similar sections are cut alike, a part that is cut inside is also cut off from its neighbours, and small parts are
//! joined to a neighbour. None of that is visible at a single gap.

use super::aggregates::Aggregates;
use super::parts::Parts;

/// Gaps of at least this probability count as cuts when distances to the nearest cut are measured.
const CUT_THRESHOLD: f32 = 0.4;

/// Names of the features that this pass adds.
pub(super) const COLUMNS: [&str; 22] = [
    "first-pass probability",
    "probability of second previous gap",
    "probability of previous gap",
    "probability of next gap",
    "probability of second next gap",
    "highest probability inside left part",
    "highest probability inside right part",
    "mean probability of sibling gaps",
    "highest probability of sibling gaps",
    "share of sibling gaps above",
    "probability of gap before outer part",
    "probability of gap after outer part",
    "highest probability beside outer part",
    "words since previous cut",
    "words until next cut",
    "atoms since previous cut",
    "atoms until next cut",
    "mean probability of page",
    "cut count of page",
    "coarse probability",
    "mean coarse probability of sibling gaps",
    "mean probability of similar gaps",
];

/// The result of the first pass, aggregated for the context pass.
///
/// ```
/// use webstrata::{Page, block::{GapModel, Mask}, segment::strata::GapFeatures};
/// let page = Page::parse(b"<p>one<p>two<p>three");
/// let features = GapFeatures::new(page.blocks_by(GapModel::Tags), Mask::default());
/// let context = features.context(&[0.2, 0.7], &[0.1, 0.1]);
/// let mut rows = Vec::new();
/// features.context_rows(&context, 0..2, &mut rows);
/// assert_eq!(rows.len(), 2 * GapFeatures::context_columns().len());
/// ```
#[derive(Debug)]
pub struct ContextRows<'s> {
    parts: &'s Parts,
    probabilities: &'s [f32],
    other: &'s [f32],
    /// For each part: the highest probability of the gaps anywhere inside it, and of those between its children.
    inside: Vec<f32>,
    own: Vec<f32>,
    /// For each part: sums of the probabilities between its children, by either level, and their number.
    sums: Vec<(f32, f32, f32)>,
    /// For each gap: share of the gaps of the same part with higher probabilities.
    above: Vec<f32>,
    /// For each gap: mean probability of the gaps between similar parts.
    similar: Vec<f32>,
    /// For each gap: words and atoms to the nearest cut on either side.
    nearest: Vec<[f32; 4]>,
    mean: f32,
    cuts: f32,
}

impl<'s> ContextRows<'s> {
    /// `probabilities` are those to correct, `other` those of the other level.
    pub(super) fn new(parts: &'s Parts, aggregates: &Aggregates, probabilities: &'s [f32], other: &'s [f32]) -> Self {
        let count = parts.parts.len();
        let mut context = ContextRows {
            parts,
            probabilities,
            other,
            inside: vec![0.0; count],
            own: vec![0.0; count],
            sums: vec![(0.0, 0.0, 0.0); count],
            above: vec![0.0; probabilities.len()],
            similar: mean_of_similar(parts, aggregates, probabilities),
            nearest: nearest_cuts(parts, aggregates, probabilities),
            mean: probabilities.iter().sum::<f32>() / probabilities.len().max(1) as f32,
            cuts: probabilities.iter().filter(|probability| **probability >= CUT_THRESHOLD).count() as f32,
        };
        for ((gap, &probability), &other) in parts.gaps.iter().zip(probabilities).zip(other) {
            let outer = gap.outer as usize;
            context.own[outer] = context.own[outer].max(probability);
            let (sum, others, number) = &mut context.sums[outer];
            *sum += probability;
            *others += other;
            *number += 1.0;
        }
        context.inside.copy_from_slice(&context.own);
        // Parents come before their children; bare text has no gaps.
        for at in (1..count).rev() {
            let parent = parts.parts[at].parent as usize;
            context.inside[parent] = context.inside[parent].max(context.inside[at]);
        }
        let mut order: Vec<u32> = (0..probabilities.len() as u32).collect();
        let key = |gap: u32| (parts.gaps[gap as usize].outer, probabilities[gap as usize]);
        order.sort_unstable_by(|&a, &b| key(a).0.cmp(&key(b).0).then(key(b).1.total_cmp(&key(a).1)).then(a.cmp(&b)));
        for group in order.chunk_by(|&a, &b| key(a).0 == key(b).0) {
            let mut larger = 0;
            for same in group.chunk_by(|&a, &b| key(a).1 == key(b).1) {
                for &gap in same {
                    context.above[gap as usize] = larger as f32 / group.len() as f32;
                }
                larger += same.len();
            }
        }
        context
    }

    /// The values of all features.
    pub(super) fn values(&self, gap: usize) -> [f32; COLUMNS.len()] {
        let mut values = [0.0; COLUMNS.len()];
        let mut slots = values.iter_mut();
        self.row(gap, |value| {
            if let Some(slot) = slots.next() {
                *slot = value;
            }
        });
        values
    }

    /// Calls `put` with the value of each feature.
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
        // Excludes the gap itself.
        let mean = |sum: f32, own: f32| if number > 1.0 { (sum - own) / (number - 1.0) } else { -1.0 };
        put(mean(sum, self.probabilities[gap]));
        put(self.own[place.outer as usize]);
        put(self.above[gap]);
        // The gaps at both ends of the outer part.
        let outer = &self.parts.parts[place.outer as usize];
        let before = (outer.start as usize).checked_sub(1).map_or(1.0, |at| self.probabilities[at]);
        let after = (outer.end as usize).checked_sub(1).and_then(|at| self.probabilities.get(at)).copied().unwrap_or(1.0);
        put(before);
        put(after);
        put(self.own[outer.parent as usize]);
        self.nearest[gap].iter().for_each(|&distance| put(distance));
        put(self.mean);
        put(self.cuts);
        put(self.other.get(gap).copied().unwrap_or(0.0));
        put(mean(others, self.other.get(gap).copied().unwrap_or(0.0)));
        put(self.similar[gap]);
    }
}

/// For each gap: the mean probability of all gaps on the page between parts with the same tags and classes.
fn mean_of_similar(parts: &Parts, aggregates: &Aggregates, probabilities: &[f32]) -> Vec<f32> {
    let keys: Vec<u64> = parts
        .gaps
        .iter()
        .map(|gap| {
            let appearance = |part: u32| aggregates.appearance[part as usize];
            crate::block::outline::splitmix64(
                appearance(gap.left) ^ appearance(gap.right).rotate_left(21) ^ appearance(gap.outer).rotate_left(42),
            )
        })
        .collect();
    let mut groups = Vec::new();
    let mut means = vec![(0f32, 0f32); crate::block::groups::group_equal_keys(&keys, &mut groups)];
    for (&group, &probability) in groups.iter().zip(probabilities) {
        let (sum, number) = &mut means[group as usize];
        *sum += probability;
        *number += 1.0;
    }
    groups.iter().map(|&group| means[group as usize].0 / means[group as usize].1).collect()
}

/// For each gap: words and atoms to the cuts before and after it; the ends of the page count as cuts.
fn nearest_cuts(parts: &Parts, aggregates: &Aggregates, probabilities: &[f32]) -> Vec<[f32; 4]> {
    let mut nearest = vec![[0.0; 4]; probabilities.len()];
    let words = |atom: usize| aggregates.prefix[atom].words as f32;
    let mut cut = 0;
    for gap in 0..probabilities.len() {
        nearest[gap][0] = words(gap + 1) - words(cut);
        nearest[gap][2] = (gap + 1 - cut) as f32;
        if probabilities[gap] >= CUT_THRESHOLD {
            cut = gap + 1;
        }
    }
    let mut cut = parts.count();
    for gap in (0..probabilities.len()).rev() {
        nearest[gap][1] = words(cut) - words(gap + 1);
        nearest[gap][3] = (cut - gap - 1) as f32;
        if probabilities[gap] >= CUT_THRESHOLD {
            cut = gap + 1;
        }
    }
    nearest
}
