//! Candidate answers for a page as a whole: sets of blocks, one of which is chosen.
//!
//! A threshold decides block by block. Pages other than articles are often decided better as a whole: all blocks with one
//! path or none, a contiguous range, one element, the repeated units or everything but them. Each candidate maximises the
//! expected F1 within its kind. Which candidate is best depends on the page; a forest predicts the F1 of each from the blocks it keeps
//! (`answer_row.rs`).

use super::select::best_threshold;

/// Facts about blocks, paths and elements from which candidates are built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'p> {
    pub(super) words: &'p [f32],
    pub(super) link_density: &'p [f32],
    /// Heading level, 0 for other text.
    pub(super) heading: &'p [u8],
    /// Whether the published rules classify a block as content.
    pub(super) by_rules: &'p [bool],
    pub(super) in_main_group: &'p [bool],
    /// Index of each block's path, and the number of paths.
    pub(super) path: &'p [u32],
    pub(super) paths: usize,
    /// For each element: its blocks.
    pub(super) elements: &'p [(u32, u32)],
}

/// How a candidate is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// Blocks above the threshold with the highest expected F1, with the floor of the page type: the base answer.
    Base,
    /// The base answer without a floor.
    NoFloor,
    /// Blocks with at least this probability, in percent.
    Threshold(u8),
    /// The contiguous range with the highest expected F1, without its least probable blocks.
    Range,
    /// Whole paths, above the threshold with the highest expected F1.
    Paths,
    /// Blocks by their own probability and that of their path.
    Mixed,
    /// The element with the highest expected F1, without its least probable blocks.
    Element,
    /// The base answer with the main group.
    WithGroup,
    /// The base answer without the main group.
    WithoutGroup,
    /// The base answer with probable blocks between its first and last one.
    Filled,
    /// All blocks.
    Everything,
}

impl Kind {
    /// The kind as a feature value.
    pub(super) fn number(self) -> f32 {
        match self {
            Kind::Base => 0.0,
            Kind::NoFloor => 1.0,
            Kind::Threshold(percent) => 2.0 + f32::from(percent) / 100.0,
            Kind::Range => 3.0,
            Kind::Paths => 4.0,
            Kind::Mixed => 5.0,
            Kind::Element => 6.0,
            Kind::WithGroup => 7.0,
            Kind::WithoutGroup => 8.0,
            Kind::Filled => 9.0,
            Kind::Everything => 10.0,
        }
    }

    /// A description of the blocks it keeps, for explanations.
    pub(super) fn description(self) -> &'static str {
        match self {
            Kind::Base | Kind::NoFloor | Kind::Threshold(_) => "blocks above a threshold",
            Kind::Range => "a contiguous range",
            Kind::Paths | Kind::Mixed => "blocks with the same path together",
            Kind::Element => "the blocks of one element",
            Kind::WithGroup => "the repeated units",
            Kind::WithoutGroup => "everything but the repeated units",
            Kind::Filled => "a range without gaps",
            Kind::Everything => "the whole page",
        }
    }
}

/// Thresholds tried, in percent.
const THRESHOLDS: [u8; 6] = [5, 10, 20, 35, 50, 70];

/// Minimum probability of a block in a range or element.
const MIN_PROBABILITY: f32 = 0.1;

/// Minimum probability of a block between two kept ones.
const MIN_BETWEEN_PROBABILITY: f32 = 0.15;

/// A candidate: which blocks it keeps.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) kind: Kind,
    pub(super) kept: Vec<bool>,
}

/// The base answer: the set of blocks with the highest expected F-measure, with none below the floor; also returns the threshold.
pub(super) fn base(probabilities: &[f32], words: &[f32], beta: f32, floor: f32) -> (Answer, f32) {
    let (threshold, _) = best_threshold(probabilities, words, beta, floor, 1.0);
    (Answer { kind: Kind::Base, kept: at_least(probabilities, threshold) }, threshold)
}

fn at_least(probabilities: &[f32], threshold: f32) -> Vec<bool> {
    probabilities.iter().map(|&probability| probability >= threshold).collect()
}

/// All candidates except the base answer. Duplicates of earlier candidates are left out.
pub(super) fn candidates(shape: &Shape<'_>, probabilities: &[f32], base: &Answer) -> Vec<Answer> {
    let words = shape.words;
    let mut answers: Vec<Answer> = Vec::new();
    let mut add = |kind: Kind, kept: Vec<bool>| {
        if kept != base.kept && answers.iter().all(|answer| answer.kept != kept) {
            answers.push(Answer { kind, kept });
        }
    };
    add(Kind::NoFloor, at_least(probabilities, best_threshold(probabilities, words, 1.0, 0.0, 1.0).0));
    for percent in THRESHOLDS {
        add(Kind::Threshold(percent), at_least(probabilities, f32::from(percent) / 100.0));
    }
    let inside = |(start, end): (usize, usize)| -> Vec<bool> {
        (0..words.len()).map(|block| (start..end).contains(&block) && probabilities[block] >= MIN_PROBABILITY).collect()
    };
    add(Kind::Range, inside(best_range(probabilities, words)));
    let by_path = by_path(shape, probabilities);
    add(Kind::Paths, at_least(&by_path, best_threshold(&by_path, words, 1.0, 0.0, 1.0).0));
    let mixed: Vec<f32> = by_path.iter().zip(probabilities).map(|(path, own)| (path * own).sqrt()).collect();
    add(Kind::Mixed, at_least(&mixed, best_threshold(&mixed, words, 1.0, 0.0, 1.0).0));
    add(Kind::Element, inside(best_element(shape, probabilities)));
    if shape.in_main_group.contains(&true) {
        let pairs = || base.kept.iter().zip(shape.in_main_group);
        add(Kind::WithGroup, pairs().map(|(kept, inside)| *kept || *inside).collect());
        add(Kind::WithoutGroup, pairs().map(|(kept, inside)| *kept && !inside).collect());
    }
    if let (Some(first), Some(last)) = (base.kept.iter().position(|kept| *kept), base.kept.iter().rposition(|kept| *kept)) {
        let between = |block: usize| (first..=last).contains(&block) && probabilities[block] >= MIN_BETWEEN_PROBABILITY;
        add(Kind::Filled, (0..words.len()).map(|block| base.kept[block] || between(block)).collect());
    }
    add(Kind::Everything, vec![true; words.len()]);
    answers
}

/// Maximum iterations of the search for a range; it rarely takes more than four.
const MAX_ROUNDS: usize = 8;

/// The contiguous range with the highest expected F1.
///
/// F1 is a ratio, and the best ratio is found by maximising differences instead (Dinkelbach: On nonlinear fractional
/// programming, 1967), each by one pass over the blocks.
fn best_range(probabilities: &[f32], words: &[f32]) -> (usize, usize) {
    let content: f32 = probabilities.iter().zip(words).map(|(probability, words)| probability * words).sum();
    let (mut best, mut ratio) = ((0, words.len()), 0f32);
    for _ in 0..MAX_ROUNDS {
        let (mut max, mut sum, mut start) = (f32::NEG_INFINITY, 0f32, 0);
        let mut range = best;
        for (block, (probability, words)) in probabilities.iter().zip(words).enumerate() {
            if sum <= 0.0 {
                (sum, start) = (0.0, block);
            }
            sum += words * (2.0 * probability - ratio);
            if sum > max {
                (max, range) = (sum, (start, block + 1));
            }
        }
        let inside = || probabilities[range.0..range.1].iter().zip(&words[range.0..range.1]);
        let hits: f32 = inside().map(|(probability, words)| probability * words).sum();
        let size: f32 = inside().map(|(_, words)| words).sum();
        let new = 2.0 * hits / (size + content).max(1e-6);
        best = range;
        if new <= ratio + 1e-5 {
            break;
        }
        ratio = new;
    }
    best
}

/// For each block: the mean probability of the blocks with its path, weighted by words.
fn by_path(shape: &Shape<'_>, probabilities: &[f32]) -> Vec<f32> {
    let mut sums = vec![(0f32, 0f32); shape.paths];
    for ((&path, probability), words) in shape.path.iter().zip(probabilities).zip(shape.words) {
        let (sum, weight) = &mut sums[path as usize];
        *sum += probability * (words + 0.5);
        *weight += words + 0.5;
    }
    shape.path.iter().map(|&path| sums[path as usize]).map(|(sum, weight)| sum / weight.max(1e-6)).collect()
}

/// The blocks of the element with the highest expected F1; ties go to the first.
fn best_element(shape: &Shape<'_>, probabilities: &[f32]) -> (usize, usize) {
    let mut sums = Vec::with_capacity(shape.words.len() + 1);
    let (mut hits, mut size) = (0f64, 0f64);
    sums.push((hits, size));
    for (probability, words) in probabilities.iter().zip(shape.words) {
        hits += f64::from(probability * words);
        size += f64::from(*words);
        sums.push((hits, size));
    }
    let (mut best, mut max) = ((0, shape.words.len()), -1.0);
    for &(start, end) in shape.elements {
        let (start, end) = (start as usize, end as usize);
        let inside = (sums[end].0 - sums[start].0, sums[end].1 - sums[start].1);
        let expected = 2.0 * inside.0 / (inside.1 + hits).max(1e-6);
        if expected > max {
            (max, best) = (expected, (start, end));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_range_is_better() {
        let probabilities = [0.1, 0.9, 0.2, 0.8, 0.7, 0.05, 0.6, 0.1];
        let words = [30.0, 10.0, 5.0, 40.0, 20.0, 60.0, 10.0, 50.0];
        let content: f32 = probabilities.iter().zip(&words).map(|(p, w)| p * w).sum();
        let expected = |start: usize, end: usize| {
            let hits: f32 = (start..end).map(|at| probabilities[at] * words[at]).sum();
            2.0 * hits / (words[start..end].iter().sum::<f32>() + content)
        };
        let (start, end) = best_range(&probabilities, &words);
        assert_eq!((start, end), (1, 5));
        for (a, b) in (0..8).flat_map(|a| (a + 1..=8).map(move |b| (a, b))) {
            assert!(expected(a, b) <= expected(start, end) + 1e-6, "{a}..{b}");
        }
    }

    #[test]
    fn blocks_of_one_path_are_kept_together() {
        let shape = Shape {
            words: &[20.0, 20.0, 20.0, 20.0],
            link_density: &[0.0; 4],
            heading: &[0; 4],
            by_rules: &[false; 4],
            in_main_group: &[false, true, true, true],
            path: &[0, 1, 1, 1],
            paths: 2,
            elements: &[(0, 4), (1, 4)],
        };
        let probabilities = [0.1, 0.9, 0.3, 0.8];
        let (base, threshold) = base(&probabilities, shape.words, 1.0, 0.5);
        assert_eq!((base.kept.as_slice(), threshold), ([false, true, false, true].as_slice(), 0.8));
        let answers = candidates(&shape, &probabilities, &base);
        assert!(answers.iter().any(|answer| answer.kept == [false, true, true, true]));
        assert!(answers.iter().any(|answer| answer.kind == Kind::WithoutGroup && !answer.kept.contains(&true)));
        assert!(answers.iter().any(|answer| !answer.kept.contains(&false)), "everything");
        for (at, answer) in answers.iter().enumerate() {
            assert!(answers[..at].iter().all(|other| other.kept != answer.kept) && answer.kept != base.kept);
        }
    }

    #[test]
    fn an_empty_page_has_no_candidates() {
        let shape = Shape {
            words: &[],
            link_density: &[],
            heading: &[],
            by_rules: &[],
            in_main_group: &[],
            path: &[],
            paths: 0,
            elements: &[],
        };
        assert!(candidates(&shape, &[], &base(&[], &[], 1.0, 0.5).0).is_empty());
    }
}
