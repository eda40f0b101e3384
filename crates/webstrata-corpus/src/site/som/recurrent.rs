//! Recurrent structures: runs of siblings, or of sequences of siblings, with the same pattern of tags.
//!
//! The paper leaves open how they are found. Here neighbours with the same key are one item first (paragraphs, items of a list), then
//! sequences of up to [`PERIOD`] items that follow upon themselves (`dt dd dt dd`, `h2 p h2 p p`). Of several periods at one place the
//! one that covers most siblings counts, of equal ones the shortest. Time is linear in the siblings.

/// Longest sequence that is found again.
pub(super) const PERIOD: usize = 6;

/// Neighbouring siblings that are one thing: a single one, or a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Places of its siblings: from `start` up to and without `end`.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many neighbouring items its pattern has; 1 for a single sibling and for a run of equal ones.
    pub(super) period: usize,
}

impl Item {
    /// Is it a run, and not a single sibling?
    pub(super) fn is_run(&self) -> bool {
        self.end - self.start > 1
    }
}

/// The items of a list of siblings, given by their keys.
pub(super) fn items(keys: &[u64]) -> Vec<Item> {
    let mut singles: Vec<Item> = Vec::new();
    let mut start = 0;
    for same in keys.chunk_by(|a, b| a == b) {
        singles.push(Item { start, end: start + same.len(), period: 1 });
        start += same.len();
    }
    let keys: Vec<u64> = singles.iter().map(|item| keys[item.start]).collect();
    let mut items = Vec::with_capacity(singles.len());
    let equal: Vec<Vec<u32>> = (2..=PERIOD).map(|period| lengths(&keys, period)).collect();
    let mut at = 0;
    while at < singles.len() {
        let mut best = (1, 1);
        for (period, equal) in (2..=PERIOD).zip(&equal) {
            let repeated = equal[at] as usize / period * period;
            if repeated > 0 && repeated + period > best.1 {
                best = (period, repeated + period);
            }
        }
        let (period, covered) = best;
        if period == 1 {
            items.push(singles[at].clone());
        } else {
            items.push(Item { start: singles[at].start, end: singles[at + covered - 1].end, period });
        }
        at += covered;
    }
    items
}

/// By place: how many places in a row, from there on, have the key of the place `period` further on.
fn lengths(keys: &[u64], period: usize) -> Vec<u32> {
    let mut lengths = vec![0u32; keys.len()];
    for at in (0..keys.len().saturating_sub(period)).rev() {
        if keys[at] == keys[at + period] {
            lengths[at] = lengths.get(at + 1).copied().unwrap_or(0) + 1;
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(&str, usize)> {
        let keys: Vec<u64> = text.bytes().map(u64::from).collect();
        items(&keys).into_iter().map(|item| (&text[item.start..item.end], item.period)).collect()
    }

    #[test]
    fn runs_and_runs_of_sequences() {
        assert_eq!(seen(""), []);
        assert_eq!(seen("abc"), [("a", 1), ("b", 1), ("c", 1)]);
        assert_eq!(seen("hppp"), [("h", 1), ("ppp", 1)]);
        assert_eq!(seen("tdtdtd"), [("tdtdtd", 2)]);
        assert_eq!(seen("thpphphpppf"), [("t", 1), ("hpphphppp", 2), ("f", 1)]);
        assert_eq!(seen("abcabcd"), [("abcabc", 3), ("d", 1)]);
        assert_eq!(seen("hph"), [("h", 1), ("p", 1), ("h", 1)]);
    }

    /// By the letter: at each place the first period with the widest cover, compared key by key.
    fn plain(keys: &[u64]) -> Vec<(usize, usize)> {
        let mut singles: Vec<(u64, usize, usize)> = Vec::new();
        for (at, &key) in keys.iter().enumerate() {
            match singles.last_mut() {
                Some(last) if last.0 == key => last.2 = at + 1,
                _ => singles.push((key, at, at + 1)),
            }
        }
        let (mut out, mut at) = (Vec::new(), 0);
        while at < singles.len() {
            let mut covered = 1;
            for period in 2..=PERIOD {
                let pattern = |from: usize| singles.get(from..from + period).map(|s| s.iter().map(|x| x.0).collect::<Vec<_>>());
                let mut times = 1;
                while pattern(at).is_some() && pattern(at) == pattern(at + times * period) {
                    times += 1;
                }
                if times > 1 && times * period > covered {
                    covered = times * period;
                }
            }
            out.push((singles[at].1, singles[at + covered - 1].2));
            at += covered;
        }
        out
    }

    proptest::proptest! {
        #[test]
        fn as_by_the_letter(keys in proptest::collection::vec(0u64..4, 0..60)) {
            let fast: Vec<(usize, usize)> = items(&keys).into_iter().map(|item| (item.start, item.end)).collect();
            proptest::prop_assert_eq!(fast, plain(&keys));
        }
    }
}
