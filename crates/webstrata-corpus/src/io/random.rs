//! Pseudorandom numbers that are the same on every machine: `SplitMix64` (Steele, Lea, Flood: Fast splittable pseudorandom
//! number generators, OOPSLA 2014). Generated graphs, folds and training orders depend on the exact numbers, which a
//! dependency's next release could change.

/// A seeded random number generator.
///
/// ```
/// use webstrata_corpus::io::Random;
/// let mut dice = Random::new(42);
/// let throws: Vec<usize> = (0..3).map(|_| dice.below(6) + 1).collect();
/// assert_eq!(throws, [2, 2, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

/// Step between two states: the golden ratio in 64 bits.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// `SplitMix64`'s output function, a bijection that mixes all bits (MurmurHash3's finalizer with D. Stafford's constants).
#[must_use]
pub const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Random {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The generator for one of many items that are drawn independently, such as the pages of a generated graph.
    #[must_use]
    pub fn for_item(seed: u64, item: u64) -> Random {
        Random(mix(seed.wrapping_add(mix(item))))
    }

    /// The generator for an item, with a seed derived from a name.
    #[must_use]
    pub fn for_name(name: &str, item: u64) -> Random {
        // FNV-1a.
        let seed =
            name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        let mut random = Random(seed ^ item.wrapping_mul(GAMMA));
        random.next();
        random
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "an endless sequence needs no Option")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        mix(self.0)
    }

    /// A number below `end`; 0 if `end` is 0. The bias of the remainder is below 2^-32 for an `end` of 32 bits.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % (end as u64).max(1)) as usize
    }

    /// A number below `end`, by multiplication instead of division.
    pub fn scaled(&mut self, end: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u32
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True once in `times` on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// Shuffles a list (Fisher, Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            let other = self.below(at + 1);
            list.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        // The first outputs for the seed 1234567, as printed by the reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut random = Random::for_name("range", 3);
        for _ in 0..1000 {
            assert!(random.below(7) < 7 && random.scaled(7) < 7 && (0.0..1.0).contains(&random.unit()));
        }
        assert_eq!((random.below(0), random.scaled(0)), (0, 0));
        let mut list: Vec<u32> = (0..100).collect();
        random.shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
