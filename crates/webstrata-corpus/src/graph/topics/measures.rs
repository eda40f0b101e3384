//! Measures of rankings: rank correlation, overlap, average precision.

/// Kendall's tau-b of two scorings of the same items, in O(n log n). 0 if one of them is constant. Scores must be numbers.
///
/// W. R. Knight: A computer method for calculating Kendall's tau with ungrouped data. JASA 61 (1966).
///
/// ```
/// let (a, b) = ([12.0, 2.0, 1.0, 12.0, 2.0], [1.0, 4.0, 7.0, 1.0, 0.0]);
/// // of 10 pairs, 2 are concordant, 6 discordant, 1 is tied in a, 1 in both: (2 - 6) / sqrt(8 * 9)
/// // (scipy 1.17: kendalltau(a, b).statistic = -0.47140452079103173)
/// let tau = webstrata_corpus::graph::topics::measures::kendall_tau_b(&a, &b);
/// assert!((tau + 4.0 / 72f64.sqrt()).abs() < 1e-12);
/// ```
#[must_use]
pub fn kendall_tau_b(a: &[f64], b: &[f64]) -> f64 {
    // Positive and negative zero are equal.
    let mut items: Vec<(f64, f64)> = a.iter().zip(b).map(|(a, b)| (a + 0.0, b + 0.0)).collect();
    items.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let pairs = |n: usize| n as f64 * n.saturating_sub(1) as f64 / 2.0;
    let all = pairs(items.len());
    let ties_a: f64 = items.chunk_by(|x, y| x.0 == y.0).map(|same| pairs(same.len())).sum();
    let ties_both: f64 = items.chunk_by(|x, y| x == y).map(|same| pairs(same.len())).sum();
    let mut values: Vec<f64> = items.iter().map(|item| item.1).collect();
    let swaps = sort_and_count(&mut values) as f64;
    let ties_b: f64 = values.chunk_by(|x, y| x == y).map(|same| pairs(same.len())).sum();
    let below = ((all - ties_a) * (all - ties_b)).sqrt();
    if below == 0.0 { 0.0 } else { (all - ties_a - ties_b + ties_both - 2.0 * swaps) / below }
}

/// Sorts by merging runs of doubling length, and returns the number of inversions.
fn sort_and_count(values: &mut [f64]) -> u64 {
    let mut other = values.to_vec();
    let mut swaps = 0;
    let mut width = 1;
    while width < values.len() {
        for start in (0..values.len()).step_by(2 * width) {
            let (middle, end) = ((start + width).min(values.len()), (start + 2 * width).min(values.len()));
            let (mut left, mut right) = (start, middle);
            for slot in &mut other[start..end] {
                if right == end || (left < middle && values[left] <= values[right]) {
                    *slot = values[left];
                    left += 1;
                } else {
                    swaps += (middle - left) as u64;
                    *slot = values[right];
                    right += 1;
                }
            }
        }
        values.copy_from_slice(&other);
        width *= 2;
    }
    swaps
}

/// The share of the first `k` items of one list that are among the first `k` of the other. Items must be unique within a list.
///
/// ```
/// use webstrata_corpus::graph::topics::measures::overlap;
/// assert_eq!(overlap(&[1, 2, 3, 4], &[2, 1, 9, 3], 3), 2.0 / 3.0);
/// ```
#[must_use]
pub fn overlap(one: &[u32], two: &[u32], k: usize) -> f64 {
    let first = |list: &[u32]| {
        let mut first: Vec<u32> = list.iter().take(k).copied().collect();
        first.sort_unstable();
        first
    };
    let (one, two) = (first(one), first(two));
    let longer = one.len().max(two.len());
    let both = one.iter().filter(|item| two.binary_search(item).is_ok()).count();
    if longer == 0 { 1.0 } else { both as f64 / longer as f64 }
}

/// Average precision: the mean of the precision at the rank of each of all `total` relevant items.
///
/// ```
/// // relevant at ranks 1 and 3, 3 relevant in all: (1/1 + 2/3) / 3
/// let average = webstrata_corpus::graph::topics::measures::average_precision([true, false, true], 3);
/// assert!((average - 5.0 / 9.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn average_precision(relevant: impl IntoIterator<Item = bool>, total: usize) -> f64 {
    let (mut found, mut sum) = (0u64, 0.0);
    for (at, _) in relevant.into_iter().enumerate().filter(|(_, relevant)| *relevant) {
        found += 1;
        sum += found as f64 / (at + 1) as f64;
    }
    if total == 0 { 0.0 } else { sum / total as f64 }
}
