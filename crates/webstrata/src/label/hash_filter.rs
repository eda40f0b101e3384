//! A filter for word hashes: quickly rules out most hashes that are not in a set, without a lookup.

/// For each value of the low bits of a hash: whether the set may contain such a hash.
#[derive(Debug)]
pub(super) struct HashFilter<const SIZE: usize>([bool; SIZE]);

impl<const SIZE: usize> HashFilter<SIZE> {
    pub(super) fn new(hashes: impl Iterator<Item = u32>) -> Self {
        let mut filter = [false; SIZE];
        hashes.for_each(|hash| filter[hash as usize % SIZE] = true);
        HashFilter(filter)
    }

    /// False if the hash is certainly not in the set.
    pub(super) fn may_contain(&self, hash: u32) -> bool {
        self.0[hash as usize % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_never_rejected() {
        let filter = HashFilter::<64>::new([3, 70, u32::MAX].into_iter());
        assert!(filter.may_contain(3) && filter.may_contain(70) && filter.may_contain(u32::MAX));
        assert!(!filter.may_contain(4));
    }
}
