//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
//! OOPSLA 2014). For orders of rows and folds; a dependency's next release could change those, and with them every number.

/// A generator.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// A generator that begins at a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, 0 for an `end` of 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % (end as u64).max(1)) as usize
    }

    /// Puts a list into a random order (Fisher, Yates).
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            // The bias of the remainder is below 2^-40 for any list that fits into memory.
            let other = (self.next() % (at as u64 + 1)) as usize;
            list.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        // The first outputs for the seed 1234567, as printed with the reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
