//! Recurrent structures: runs of siblings, or of sequences of siblings, with the same pattern of tags.
//!
//! The paper leaves open how to find them. Here neighbours with the same key are merged first (paragraphs, list items), then
//! repeated sequences of up to [`PERIOD`] items (`dt dd dt dd`, `h2 p h2 p p`). Of several periods at one position, the
//! one that covers the most siblings is chosen, then the shortest. Time is linear in the siblings.

/// Longest sequence whose repetition is found.
pub(super) const PERIOD: usize = 6;

/// Neighbouring siblings that belong together: a single one, or a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Indices of its siblings: from `start` up to, but excluding, `end`.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Number of neighbouring items in its pattern; 1 for a single sibling and for a run of equal ones.
    pub(super) period: usize,
}

impl Item {
    /// Whether it is a run rather than a single sibling.
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

/// For each position: how many positions in a row, from there, have the same key as the position `period` further on.
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

    fn found(text: &str) -> Vec<(&str, usize)> {
        let keys: Vec<u64> = text.bytes().map(u64::from).collect();
        items(&keys).into_iter().map(|item| (&text[item.start..item.end], item.period)).collect()
    }

    #[test]
    fn runs_and_runs_of_sequences() {
        assert_eq!(found(""), []);
        assert_eq!(found("abc"), [("a", 1), ("b", 1), ("c", 1)]);
        assert_eq!(found("hppp"), [("h", 1), ("ppp", 1)]);
        assert_eq!(found("tdtdtd"), [("tdtdtd", 2)]);
        assert_eq!(found("thpphphpppf"), [("t", 1), ("hpphphppp", 2), ("f", 1)]);
        assert_eq!(found("abcabcd"), [("abcabc", 3), ("d", 1)]);
        assert_eq!(found("hph"), [("h", 1), ("p", 1), ("h", 1)]);
    }

    /// The definition: at each position the first period with the widest cover, compared key by key.
    fn by_definition(keys: &[u64]) -> Vec<(usize, usize)> {
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
        fn items_follow_the_definition(keys in proptest::collection::vec(0u64..4, 0..60)) {
            let fast: Vec<(usize, usize)> = items(&keys).into_iter().map(|item| (item.start, item.end)).collect();
            proptest::prop_assert_eq!(fast, by_definition(&keys));
        }
    }
}
