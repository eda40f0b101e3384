//! Cache of results computed from attribute values, since pages repeat their class names.

/// Number of slots in a cache.
const SLOTS: usize = 1024;

/// A direct-mapped cache of results by attribute value. A new value replaces the one in its slot, so the cache has a fixed size
/// and no page can make it slow.
#[derive(Clone, Debug)]
pub(crate) struct ValueCache<'s, T> {
    slots: Vec<(&'s str, T)>,
}

impl<'s, T: Copy> ValueCache<'s, T> {
    /// A cache that contains only the result for the empty value.
    pub(crate) fn new(empty: T) -> Self {
        ValueCache { slots: vec![("", empty); SLOTS] }
    }

    /// The result for `value`, computed unless it is cached.
    #[inline]
    pub(crate) fn get(&mut self, value: &'s str, read: impl FnOnce() -> T) -> T {
        let slot = &mut self.slots[slot(value.as_bytes())];
        if slot.0 != value {
            *slot = (value, read());
        }
        slot.1
    }
}

/// The slot of a value, from its length and its first and last bytes.
#[inline]
fn slot(value: &[u8]) -> usize {
    let number = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let (first, last) = match (value.first_chunk(), value.last_chunk()) {
        (Some(first), Some(last)) => (number(first), number(last)),
        _ => (value.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)), 0),
    };
    let hash = (first ^ last.rotate_left(23) ^ value.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> 54) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_are_those_read() {
        let values: Vec<String> = (0..3000).map(|n| format!("{}c{}", " a-long-name".repeat(n % 3), n % 400 % 90)).collect();
        let mut cache = ValueCache::new(0);
        let mut read = 0;
        for value in values.iter().map(String::as_str).chain(["", "c0", "c0"]) {
            let length = cache.get(value, || {
                read += 1;
                value.len()
            });
            assert_eq!(length, value.len(), "{value}");
        }
        assert!(read < values.len(), "{read}");
    }
}
