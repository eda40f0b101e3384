//! Supervised discretisation of numeric features (Fayyad, Irani: Multi-interval discretization of
//! continuous-valued attributes for classification learning, IJCAI 1993).
//!
//! The cut with the lowest class entropy is made if its gain exceeds its description length:
//! `gain > (log2(cuts) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / N`, and both sides are cut again. As in Weka, `cuts` is the number
//! of possible cuts, where the paper has `N - 1`.

use super::dataset::Dataset;

/// Rows with the same value of a feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    pub(super) value: f32,
    /// Weight of each class.
    pub(super) weights: Vec<f64>,
}

impl Group {
    /// Whether all rows are of one class.
    pub(super) fn is_only(&self, class: usize) -> bool {
        self.weights.iter().enumerate().all(|(at, weight)| at == class || *weight == 0.0)
    }
}

/// The values of a column in some rows, ascending.
pub(super) fn groups(data: &Dataset, column: usize, rows: &[u32], weight: impl Fn(usize) -> f64) -> Vec<Group> {
    let values = data.column(column);
    let mut order: Vec<u32> = rows.to_vec();
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
    let mut groups: Vec<Group> = Vec::new();
    for row in order.into_iter().map(|row| row as usize) {
        if groups.last().is_none_or(|last| last.value != values[row]) {
            groups.push(Group { value: values[row], weights: vec![0.0; data.classes()] });
        }
        if let Some(last) = groups.last_mut() {
            last.weights[data.class(row)] += weight(row);
        }
    }
    groups
}

/// Entropy of a class distribution in bits; 0 for an empty one.
#[must_use]
pub(super) fn entropy(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    -weights.iter().filter(|weight| **weight > 0.0).map(|weight| weight / sum * (weight / sum).log2()).sum::<f64>()
}

fn sum(groups: &[Group], classes: usize) -> Vec<f64> {
    let mut sums = vec![0.0; classes];
    for group in groups {
        sums.iter_mut().zip(&group.weights).for_each(|(sum, weight)| *sum += weight);
    }
    sums
}

/// The cuts: indices of the groups that begin an interval, ascending, without the first.
pub(super) fn cuts(groups: &[Group], classes: usize) -> Vec<usize> {
    let mut cuts = Vec::new();
    // Iterative: ranges still to be cut.
    let mut open = vec![(0, groups.len())];
    while let Some((start, end)) = open.pop() {
        if let Some(cut) = best_cut(&groups[start..end], classes).map(|at| start + at) {
            cuts.push(cut);
            open.extend([(start, cut), (cut, end)]);
        }
    }
    cuts.sort_unstable();
    cuts
}

fn best_cut(groups: &[Group], classes: usize) -> Option<usize> {
    let all = sum(groups, classes);
    let n: f64 = all.iter().sum();
    let before = entropy(&all);
    let mut low = vec![0.0; classes];
    let mut best: Option<(f64, usize, Vec<f64>)> = None;
    for (at, group) in groups.iter().enumerate().take(groups.len().saturating_sub(1)) {
        low.iter_mut().zip(&group.weights).for_each(|(sum, weight)| *sum += weight);
        let high: Vec<f64> = all.iter().zip(&low).map(|(all, low)| all - low).collect();
        let share = low.iter().sum::<f64>() / n;
        let after = share * entropy(&low) + (1.0 - share) * entropy(&high);
        if best.as_ref().is_none_or(|(least, ..)| after < *least) {
            best = Some((after, at + 1, low.clone()));
        }
    }
    let (after, at, low) = best?;
    let high: Vec<f64> = all.iter().zip(&low).map(|(all, low)| all - low).collect();
    let present = |weights: &[f64]| weights.iter().filter(|weight| **weight > 0.0).count() as f64;
    let k = present(&all);
    let delta = (3f64.powf(k) - 2.0).log2() - (k * before - present(&low) * entropy(&low) - present(&high) * entropy(&high));
    let places = (groups.len() - 1) as f64;
    (before - after > (places.log2() + delta) / n && before > after).then_some(at)
}

/// Information gain in bits of the intervals between cuts.
pub(super) fn gain(groups: &[Group], cuts: &[usize], classes: usize) -> f64 {
    let all = sum(groups, classes);
    let n: f64 = all.iter().sum();
    if n == 0.0 {
        return 0.0;
    }
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([groups.len()]);
    let after: f64 = starts
        .zip(ends)
        .map(|(start, end)| {
            let part = sum(&groups[start..end], classes);
            part.iter().sum::<f64>() / n * entropy(&part)
        })
        .sum();
    entropy(&all) - after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(value: f32, weights: [f64; 2]) -> Group {
        Group { value, weights: weights.to_vec() }
    }

    #[test]
    fn cuts_must_exceed_their_cost() {
        // 50 of each class, separated in the middle: gain 1, costs (0 + log2(7) - 2) / 100 = 0.008.
        let separated = [group(1.0, [50.0, 0.0]), group(2.0, [0.0, 50.0])];
        assert_eq!(cuts(&separated, 2), [1]);
        assert_eq!(gain(&separated, &[1], 2), 1.0);
        // One of each class: gain 1 > (0 + log2(7) - 2) / 2 = 0.40; mixed groups gain nothing.
        assert_eq!(cuts(&[group(1.0, [1.0, 0.0]), group(2.0, [0.0, 1.0])], 2), [1]);
        assert!(cuts(&[group(1.0, [5.0, 5.0]), group(2.0, [6.0, 6.0])], 2).is_empty());
        // 3:2 and 2:3 of ten: gain 0.029 < (0 + log2(7) - 2 + 4 * 0.971 - …) / 10.
        assert!(cuts(&[group(1.0, [3.0, 2.0]), group(2.0, [2.0, 3.0])], 2).is_empty());
    }

    #[test]
    fn three_intervals() {
        let groups: Vec<Group> =
            (0..30).map(|x| group(x as f32, if (10..20).contains(&x) { [0.0, 9.0] } else { [9.0, 0.0] })).collect();
        assert_eq!(cuts(&groups, 2), [10, 20]);
        assert!((gain(&groups, &[10, 20], 2) - entropy(&[2.0, 1.0])).abs() < 1e-12);
    }
}
