//! Maps hashes to item numbers, four bytes each: finding an item takes one access to this table and one to the item.
//!
//! Items are numbered from 0 in order of insertion. The caller stores the items and knows their XXH3 hashes.

/// An empty slot.
const NONE: u32 = u32::MAX;
/// Slots of the smallest table.
const MIN_PLACES: usize = 1 << 10;

/// A hash table with open addressing, at most half full.
#[derive(Debug, Default)]
pub(super) struct Index {
    places: Vec<u32>,
    items: usize,
}

impl Index {
    /// The index of the item with this hash that `is` accepts. If there is none, returns the next index, and the caller adds the item.
    #[inline]
    pub(super) fn number(&mut self, hash: u64, is: impl Fn(u32) -> bool, hash_of: impl Fn(u32) -> u64) -> u32 {
        if self.items * 2 >= self.places.len() {
            self.grow(hash_of);
        }
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        loop {
            match self.places[at] {
                NONE => {
                    self.places[at] = self.items as u32;
                    self.items += 1;
                    return self.places[at];
                }
                number if is(number) => return number,
                _ => at = (at + 1) & last,
            }
        }
    }

    /// The first number to probe for a hash: usually that of the item, if it exists.
    #[inline]
    pub(super) fn first(&self, hash: u64) -> u32 {
        self.places.get(hash as usize & self.places.len().wrapping_sub(1)).copied().unwrap_or(NONE)
    }

    /// Removes all items.
    pub(super) fn clear(&mut self) {
        self.places.fill(NONE);
        self.items = 0;
    }

    #[cold]
    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let places = (self.places.len() * 2).max(MIN_PLACES);
        self.places.clear();
        self.places.resize(places, NONE);
        for number in 0..self.items as u32 {
            let mut at = hash_of(number) as usize & (places - 1);
            while self.places[at] != NONE {
                at = (at + 1) & (places - 1);
            }
            self.places[at] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Numbers are those of a map, even when hashes are equal or differ only in their upper bits.
    #[test]
    fn as_a_map() {
        for bits in [u64::MAX, 0xff, 0, 0xffff_ffff_0000_0000] {
            let mut random = webstrata_corpus::io::Random::new(3);
            let (mut index, mut items, mut map) = (Index::default(), Vec::new(), HashMap::new());
            let hash = |item: u64| item.wrapping_mul(0x9e37_79b9_7f4a_7c15) & bits;
            let rounds = if bits == u64::MAX { 20_000 } else { 2_000 };
            for round in 0..rounds {
                if round == rounds / 2 {
                    index.clear();
                    items.clear();
                    map.clear();
                }
                let item = u64::from(random.scaled(5_000));
                let next = map.len() as u32;
                let expected = *map.entry(item).or_insert(next);
                let found =
                    index.number(hash(item), |number| items[number as usize] == item, |number| hash(items[number as usize]));
                assert_eq!(found, expected);
                if found == next {
                    items.push(item);
                }
                assert!(bits != u64::MAX || index.first(hash(item)) != NONE);
            }
        }
    }
}
