//! Agreement beyond chance between two annotators.
//!
//! **Cohen's kappa** (Cohen: A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960):
//! `(p - q) / (1 - q)`, where p is the share of items to which both gave the same label, and q the share expected by chance
//! if both used their labels as often as they did, but at random.

use std::collections::BTreeMap;

/// The labels that two annotators gave to the same items.
///
/// ```
/// use webstrata_lab::metrics::agreement::Kappa;
/// let kappa: Kappa<char> = [('a', 'a'), ('a', 'b'), ('b', 'b'), ('b', 'b')].into_iter().collect();
/// // Three of four agree; by chance 1/2 · 1/4 + 1/2 · 3/4 = 1/2 would.
/// assert_eq!(kappa.kappa(), Some(0.5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kappa<L> {
    pairs: Vec<(L, L)>,
}

impl<L: Ord> Kappa<L> {
    /// The pairs of labels.
    #[must_use]
    pub fn pairs(&self) -> &[(L, L)] {
        &self.pairs
    }

    /// Kappa; `None` if there are no items, or if both gave the same single label to all of them.
    #[must_use]
    pub fn kappa(&self) -> Option<f64> {
        let items = self.pairs.len() as f64;
        let same = self.pairs.iter().filter(|(a, b)| a == b).count() as f64 / items;
        let mut counts: BTreeMap<&L, [f64; 2]> = BTreeMap::new();
        for (a, b) in &self.pairs {
            counts.entry(a).or_default()[0] += 1.0;
            counts.entry(b).or_default()[1] += 1.0;
        }
        let chance = counts.values().map(|[a, b]| a * b).sum::<f64>() / (items * items);
        (chance < 1.0).then(|| (same - chance) / (1.0 - chance))
    }
}

impl<L> FromIterator<(L, L)> for Kappa<L> {
    fn from_iter<I: IntoIterator<Item = (L, L)>>(pairs: I) -> Self {
        Kappa { pairs: pairs.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kappa(first: &str, second: &str) -> Option<f64> {
        first.chars().zip(second.chars()).collect::<Kappa<char>>().kappa()
    }

    #[test]
    fn values_of_other_implementations() {
        // scikit-learn, cohen_kappa_score.
        for (first, second, want) in [
            ("0011", "0111", 0.5),
            ("012012", "012012", 1.0),
            ("0101", "1010", -1.0),
            ("001122", "001212", 0.5),
            ("0000000011", "0000000110", 0.375),
        ] {
            let got = kappa(first, second).unwrap();
            assert!((got - want).abs() < 1e-12, "{first} {second}: {got}");
        }
    }

    #[test]
    fn undefined_without_items_or_without_choice() {
        assert_eq!((kappa("", ""), kappa("000", "000")), (None, None));
        // One annotator always says 0, so agreement is at chance level.
        assert_eq!(kappa("0011", "0000"), Some(0.0));
    }
}
