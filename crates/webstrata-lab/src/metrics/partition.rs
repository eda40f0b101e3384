//! Comparison of two partitions of the same items (here: the words of a page).
//!
//! All measures are computed from the contingency table of a gold partition A and an answer B of `n`
//! items: `n_ij` items are in cluster i of A and cluster j of B, `a_i` and `b_j` are the cluster sizes.
//!
//! - **Adjusted Rand** (Hubert, Arabie: Comparing Partitions, Journal of Classification 2, 1985), with
//!   `C(x) = x (x - 1) / 2`, the number of pairs:
//!
//!   ```text
//!           Σij C(n_ij)  -  Σi C(a_i) Σj C(b_j) / C(n)
//!   AR = ─────────────────────────────────────────────────────────
//!        (Σi C(a_i) + Σj C(b_j)) / 2  -  Σi C(a_i) Σj C(b_j) / C(n)
//!   ```
//!
//!   1 for equal partitions, 0 on average for random ones of the same sizes; may be negative.
//! - **NMI** (Strehl, Ghosh: Cluster Ensembles, JMLR 3, 2002): `I(A, B) / sqrt(H(A) H(B))`, between 0 and 1.
//!   It favours answers with many small clusters; do not use it alone.
//! - **BCubed** (Bagga, Baldwin: Entity-based Cross-document Coreferencing, COLING-ACL 1998; Amigó and
//!   others: A Comparison of Extrinsic Clustering Evaluation Metrics, Information Retrieval 12, 2009): of
//!   the items in the same answer cluster as an item, the share in its gold cluster (precision),
//!   and vice versa (recall), the item itself included, averaged over items:
//!   `P = Σij n_ij² / b_j / n`, `R = Σij n_ij² / a_i / n`, `F = 2 P R / (P + R)`.
//!
//! Sums run in label order: the same labels give the same bits.

/// Contingency table of two partitions.
///
/// ```
/// use webstrata_lab::metrics::partition::Contingency;
/// let gold = ["nav", "nav", "text", "text"];
/// let same = Contingency::new(gold.into_iter().zip([7, 7, 1, 1]));
/// assert_eq!(same.adjusted_rand(), 1.0);
/// let halved = Contingency::new(gold.into_iter().zip([0, 1, 2, 3]));
/// assert_eq!(halved.adjusted_rand(), 0.0);
/// assert_eq!((halved.bcubed().precision, halved.bcubed().recall), (1.0, 0.5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contingency {
    /// The non-empty cells.
    cells: Vec<Cell>,
    /// Sizes of the gold clusters.
    gold: Vec<u64>,
    /// Sizes of the answer clusters.
    answer: Vec<u64>,
    items: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    gold: usize,
    answer: usize,
    items: u64,
}

/// BCubed precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BCubed {
    /// Share of an item's answer cluster that is in its gold cluster.
    pub precision: f64,
    /// Share of an item's gold cluster that is in its answer cluster.
    pub recall: f64,
    /// `2 P R / (P + R)`.
    pub f: f64,
}

impl Contingency {
    /// The table of items given as (gold label, answer label). Only equality of labels matters.
    #[must_use]
    pub fn new<G: Ord, A: Ord>(items: impl IntoIterator<Item = (G, A)>) -> Self {
        let items: Vec<(G, A)> = items.into_iter().collect();
        let (gold_of, gold) = clusters(&items, |item| &item.0);
        let (answer_of, answer) = clusters(&items, |item| &item.1);
        let mut pairs: Vec<(usize, usize)> = gold_of.into_iter().zip(answer_of).collect();
        pairs.sort_unstable();
        let cells = pairs
            .chunk_by(|a, b| a == b)
            .map(|same| Cell { gold: same[0].0, answer: same[0].1, items: same.len() as u64 })
            .collect();
        Contingency { cells, gold, answer, items: pairs.len() as u64 }
    }

    /// Number of items.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Number of gold clusters.
    #[must_use]
    pub fn gold_clusters(&self) -> usize {
        self.gold.len()
    }

    /// Number of answer clusters.
    #[must_use]
    pub fn answer_clusters(&self) -> usize {
        self.answer.len()
    }

    /// Adjusted Rand. 1 where the adjustment is undefined: both partitions are one cluster, both are all singletons, or
    /// there are fewer than two items.
    #[must_use]
    pub fn adjusted_rand(&self) -> f64 {
        let sum = |sizes: &[u64]| sizes.iter().map(|&size| pairs(size)).sum::<f64>();
        let both: f64 = self.cells.iter().map(|cell| pairs(cell.items)).sum();
        let (gold, answer, all) = (sum(&self.gold), sum(&self.answer), pairs(self.items));
        // The denominator is 0 only if both sums are 0 or both are `all`: then the partitions are equal.
        if (gold == 0.0 && answer == 0.0) || (gold == all && answer == all) {
            return 1.0;
        }
        let expected = gold * answer / all;
        (both - expected) / ((gold + answer) / 2.0 - expected)
    }

    /// Normalised mutual information. 1 if both partitions are the same single cluster, 0 if only one of them has entropy.
    #[must_use]
    pub fn nmi(&self) -> f64 {
        match (self.gold.len() > 1, self.answer.len() > 1) {
            (false, false) => return 1.0,
            (true, true) => {}
            _ => return 0.0,
        }
        let n = self.items as f64;
        let entropy = |sizes: &[u64]| -sizes.iter().map(|&size| size as f64 / n * (size as f64 / n).ln()).sum::<f64>();
        let information: f64 = self
            .cells
            .iter()
            .map(|cell| {
                let (shared, a, b) = (cell.items as f64, self.gold[cell.gold] as f64, self.answer[cell.answer] as f64);
                shared / n * (shared * n / (a * b)).ln()
            })
            .sum();
        // Rounding may push the value slightly out of the interval.
        (information / (entropy(&self.gold) * entropy(&self.answer)).sqrt()).clamp(0.0, 1.0)
    }

    /// BCubed; all 1 if there are no items.
    #[must_use]
    pub fn bcubed(&self) -> BCubed {
        if self.items == 0 {
            return BCubed { precision: 1.0, recall: 1.0, f: 1.0 };
        }
        let share = |size: &dyn Fn(&Cell) -> u64| {
            let sum: f64 = self.cells.iter().map(|cell| (cell.items * cell.items) as f64 / size(cell) as f64).sum();
            sum / self.items as f64
        };
        let precision = share(&|cell| self.answer[cell.answer]);
        let recall = share(&|cell| self.gold[cell.gold]);
        // Neither is 0: an item is always in its own cluster.
        BCubed { precision, recall, f: 2.0 * precision * recall / (precision + recall) }
    }
}

/// The cluster of each item, and the size of each cluster. Clusters are numbered in label order.
fn clusters<I, L: Ord>(items: &[I], label: impl Fn(&I) -> &L) -> (Vec<usize>, Vec<u64>) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| label(&items[a]).cmp(label(&items[b])));
    let mut of = vec![0; items.len()];
    let mut sizes = Vec::new();
    for same in order.chunk_by(|&a, &b| label(&items[a]) == label(&items[b])) {
        for &item in same {
            of[item] = sizes.len();
        }
        sizes.push(same.len() as u64);
    }
    (of, sizes)
}

/// Number of pairs among `size` items.
fn pairs(size: u64) -> f64 {
    let size = size as f64;
    size * (size - 1.0).max(0.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(gold: &str, answer: &str) -> Contingency {
        assert_eq!(gold.len(), answer.len());
        Contingency::new(gold.bytes().zip(answer.bytes()))
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    /// Gold, answer, Adjusted Rand, NMI, BCubed precision and recall, computed with scikit-learn 1.9.1
    /// (`adjusted_rand_score`, `normalized_mutual_info_score` with the geometric mean) and the Python package `bcubed` 1.5.
    const PRINTED: [(&str, &str, f64, f64, f64, f64); 11] = [
        ("000111", "001122", 0.24242424242424243, 0.5295405780575618, 0.8333333333333334, 0.5555555555555555),
        ("000111", "012345", 0.0, 0.6219749249242618, 1.0, 0.3333333333333333),
        ("aaabbbccc", "aabbbbccc", 0.6428571428571429, 0.7861332638754119, 0.8333333333333334, 0.8518518518518517),
        ("0011", "0101", -0.5, 0.0, 0.5, 0.5),
        (
            "000000111111222222", "000001112112222022", 0.42134314627414904, 0.5272302871888518, 0.6597883597883597,
            0.6666666666666667,
        ),
        ("0001112223334445", "0000011111222223", 0.38666666666666666, 0.6907348386915098, 0.5249999999999999, 0.8333333333333333),
        ("00000000011111122222", "33333333333333333333", 0.0, 0.0, 0.355, 1.0),
        ("0110100110010110", "0011001100110011", -0.07142857142857142, 0.0, 0.5, 0.5),
        ("aaaaaaaaaabbbbbccd", "aaaabbbbbbbbbccccc", 0.19925233644859813, 0.4481974445882222, 0.6, 0.6000000000000001),
        ("0123456789", "0123456789", 1.0, 1.0, 1.0, 1.0),
        ("00", "01", 0.0, 0.0, 1.0, 0.5),
    ];

    #[test]
    fn matches_other_implementations() {
        for (gold, answer, rand, nmi, precision, recall) in PRINTED {
            let table = table(gold, answer);
            assert!(close(table.adjusted_rand(), rand), "{gold} {answer}: {} {rand}", table.adjusted_rand());
            assert!(close(table.nmi(), nmi), "{gold} {answer}: {} {nmi}", table.nmi());
            assert!(close(table.bcubed().precision, precision), "{gold} {answer}: {:?}", table.bcubed());
            assert!(close(table.bcubed().recall, recall), "{gold} {answer}: {:?}", table.bcubed());
        }
    }

    #[test]
    fn matches_values_computed_by_hand() {
        // Cells 2, 1, 1, 2; gold clusters 3, 3; answer clusters 2, 2, 2.
        let table = table("000111", "001122");
        // Pairs: shared 2, gold 6, answer 3, all 15. (2 - 6·3/15) / (4.5 - 6·3/15) = 0.8 / 3.3.
        assert!(close(table.adjusted_rand(), 8.0 / 33.0));
        // I = 2 · 2/6 ln 2 + 2 · 1/6 ln 1, H = ln 2 and ln 3.
        assert!(close(table.nmi(), 2.0 / 3.0 * (2f64.ln() / 3f64.ln()).sqrt()));
        // P = (4/2 + 1/2 + 1/2 + 4/2) / 6, R = (4 + 1 + 1 + 4) / 3 / 6.
        let bcubed = table.bcubed();
        assert!(close(bcubed.precision, 5.0 / 6.0) && close(bcubed.recall, 5.0 / 9.0) && close(bcubed.f, 2.0 / 3.0));
        assert_eq!((table.items(), table.gold_clusters(), table.answer_clusters()), (6, 2, 3));
    }

    #[test]
    fn degenerate_partitions() {
        let empty = Contingency::default();
        assert_eq!((empty.adjusted_rand(), empty.nmi(), empty.bcubed().f), (1.0, 1.0, 1.0));
        for (gold, answer, rand, nmi) in [
            ("0", "0", 1.0, 1.0),
            ("000", "111", 1.0, 1.0),
            ("012", "210", 1.0, 1.0),
            ("000", "012", 0.0, 0.0),
            ("012", "000", 0.0, 0.0),
        ] {
            let table = table(gold, answer);
            assert!(close(table.adjusted_rand(), rand) && close(table.nmi(), nmi), "{gold} {answer} {table:?}");
        }
    }

    /// The definitions, pair by pair and item by item.
    fn naive(items: &[(u8, u8)]) -> (f64, BCubed) {
        let n = items.len();
        let (mut both, mut gold, mut answer, mut all) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            for j in 0..i {
                let (same_gold, same_answer) = (items[i].0 == items[j].0, items[i].1 == items[j].1);
                both += f64::from(u8::from(same_gold && same_answer));
                gold += f64::from(u8::from(same_gold));
                answer += f64::from(u8::from(same_answer));
                all += 1.0;
            }
        }
        let expected = gold * answer / all;
        let rand = (both - expected) / ((gold + answer) / 2.0 - expected);
        let mean = |cluster: &dyn Fn(&(u8, u8)) -> u8, class: &dyn Fn(&(u8, u8)) -> u8| {
            let share = |item: &(u8, u8)| {
                let inside: Vec<_> = items.iter().filter(|other| cluster(other) == cluster(item)).collect();
                inside.iter().filter(|other| class(other) == class(item)).count() as f64 / inside.len() as f64
            };
            items.iter().map(share).sum::<f64>() / n as f64
        };
        let (precision, recall) = (mean(&|i| i.1, &|i| i.0), mean(&|i| i.0, &|i| i.1));
        (rand, BCubed { precision, recall, f: 2.0 * precision * recall / (precision + recall) })
    }

    proptest! {
        #[test]
        fn same_as_the_definitions(items in prop::collection::vec((0u8..5, 0u8..5), 2..60)) {
            let table = Contingency::new(items.iter().copied());
            let (rand, bcubed) = naive(&items);
            prop_assert!(rand.is_nan() && table.adjusted_rand() == 1.0 || (rand - table.adjusted_rand()).abs() < 1e-9);
            prop_assert!((bcubed.precision - table.bcubed().precision).abs() < 1e-9);
            prop_assert!((bcubed.recall - table.bcubed().recall).abs() < 1e-9);
            prop_assert!((bcubed.f - table.bcubed().f).abs() < 1e-9);
        }

        #[test]
        fn names_do_not_matter_and_sides_swap(items in prop::collection::vec((0u8..6, 0u8..6), 0..60)) {
            let table = Contingency::new(items.iter().copied());
            let renamed = Contingency::new(items.iter().map(|&(a, b)| (a ^ 5, 200 - b)));
            let swapped = Contingency::new(items.iter().map(|&(a, b)| (b, a)));
            for other in [&renamed, &swapped] {
                prop_assert!((table.adjusted_rand() - other.adjusted_rand()).abs() < 1e-9);
                prop_assert!((table.nmi() - other.nmi()).abs() < 1e-9);
                prop_assert!((table.bcubed().f - other.bcubed().f).abs() < 1e-9);
            }
            prop_assert!((table.bcubed().precision - swapped.bcubed().recall).abs() < 1e-9);
            let same = Contingency::new(items.iter().map(|&(a, _)| (a, a)));
            prop_assert!((same.adjusted_rand() - 1.0).abs() < 1e-9 && (same.nmi() - 1.0).abs() < 1e-9);
        }
    }
}
