//! A set of page numbers with rank queries: a bitmap per window of 65,536 numbers, so that sparse numbers cost little.

/// Words in the bitmap of a window.
const WORDS: usize = 1024;

/// A set of numbers.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    windows: Vec<Option<Box<[u64; WORDS]>>>,
}

impl Numbers {
    /// The numbers below `count`.
    pub(super) fn all(count: u32) -> Numbers {
        let mut numbers = Numbers::default();
        (0..count).for_each(|number| numbers.insert(number));
        numbers
    }

    #[inline]
    pub(super) fn insert(&mut self, number: u32) {
        let window = (number >> 16) as usize;
        if window >= self.windows.len() {
            self.windows.resize(window + 1, None);
        }
        let words = self.windows[window].get_or_insert_with(|| Box::new([0; WORDS]));
        words[(number >> 6) as usize % WORDS] |= 1 << (number % 64);
    }

    /// The set with rank queries.
    pub(super) fn ranked(self) -> Ranked {
        let mut count = 0u64;
        let before = self.windows.iter().map(|words| {
            let words = words.as_ref()?;
            let mut before = Box::new([0; WORDS]);
            for (before, bits) in before.iter_mut().zip(words.iter()) {
                *before = count as u32;
                count += u64::from(bits.count_ones());
            }
            Some(before)
        });
        let before = before.collect();
        Ranked { numbers: self, before, count: count as usize }
    }
}

/// A set of numbers with rank queries.
#[derive(Debug)]
pub(super) struct Ranked {
    numbers: Numbers,
    /// How many numbers precede each word.
    before: Vec<Option<Box<[u32; WORDS]>>>,
    count: usize,
}

impl Ranked {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// How many numbers of the set are smaller.
    #[inline]
    pub(super) fn rank(&self, number: u32) -> u32 {
        let (window, word) = ((number >> 16) as usize, (number >> 6) as usize % WORDS);
        match (self.numbers.windows.get(window), self.before.get(window)) {
            (Some(Some(words)), Some(Some(before))) => {
                let below = words[word] & ((1u64 << (number % 64)) - 1);
                before[word] + below.count_ones()
            }
            _ => 0,
        }
    }

    /// All numbers, unless they are 0, 1, 2 and so on.
    pub(super) fn with_gaps(&self) -> Option<Vec<u32>> {
        let last = self.numbers.windows.iter().enumerate().rev().find_map(|(window, words)| {
            let (word, bits) = words.as_ref()?.iter().enumerate().rev().find(|(_, bits)| **bits != 0)?;
            Some((window * WORDS + word) * 64 + 63 - bits.leading_zeros() as usize)
        });
        if last.is_none_or(|last| last + 1 == self.count) {
            return None;
        }
        let mut numbers = Vec::with_capacity(self.count);
        for (word, words) in self.numbers.windows.iter().enumerate().filter_map(|(at, words)| Some((at * WORDS, words.as_ref()?))) {
            for (at, &bits) in words.iter().enumerate() {
                numbers.extend((0..64u32).filter(|bit| bits >> bit & 1 != 0).map(|bit| ((word + at) * 64) as u32 + bit));
            }
        }
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn ranks_are_positions_in_a_sorted_list(numbers in prop::collection::btree_set(prop_oneof![0..500u32, 65_000..140_000u32, 4_000_000_000..u32::MAX], 1..60)) {
            let mut set = Numbers::default();
            numbers.iter().for_each(|&number| set.insert(number));
            let ranked = set.ranked();
            prop_assert_eq!(ranked.len(), numbers.len());
            for (rank, &number) in numbers.iter().enumerate() {
                prop_assert_eq!(ranked.rank(number) as usize, rank);
            }
            let dense = numbers == (0..numbers.len() as u32).collect::<BTreeSet<_>>();
            prop_assert_eq!(ranked.with_gaps(), (!dense).then(|| numbers.into_iter().collect::<Vec<_>>()));
        }
    }

    #[test]
    fn consecutive_numbers_have_no_gaps() {
        let all = Numbers::all(70_000).ranked();
        assert_eq!((all.len(), all.with_gaps(), all.rank(69_999)), (70_000, None, 69_999));
    }
}
