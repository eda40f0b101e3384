//! Groups of equal keys.

/// Spreads keys over slots (Knuth: The Art of Computer Programming, 6.4).
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Assigns equal keys to the same group, with groups numbered in the order of their first keys; returns the number of
/// groups.
pub(crate) fn group_equal_keys(keys: &[u64], groups: &mut Vec<u32>) -> usize {
    groups.clear();
    groups.reserve(keys.len());
    let size = (2 * keys.len()).next_power_of_two().max(4);
    // For each slot: 1 + the index of a group, or 0 if empty.
    let mut slots = vec![0u32; size];
    let mut group_keys: Vec<u64> = Vec::with_capacity(keys.len());
    let mut probes = 4 * keys.len() + 64;
    for &key in keys {
        let mut slot = key.wrapping_mul(MULTIPLIER) >> 32;
        let group = loop {
            let entry = &mut slots[slot as usize & (size - 1)];
            match (*entry as usize).checked_sub(1) {
                Some(group) if group_keys[group] == key => break group,
                Some(_) => slot += 1,
                None => {
                    group_keys.push(key);
                    *entry = group_keys.len() as u32;
                    break group_keys.len() - 1;
                }
            }
            probes -= 1;
            if probes == 0 {
                // The page is crafted to make keys collide.
                return group_by_sorting(keys, groups);
            }
        };
        groups.push(group as u32);
    }
    group_keys.len()
}

/// Groups by sorting, which no input can make slow.
fn group_by_sorting(keys: &[u64], groups: &mut Vec<u32>) -> usize {
    let mut order: Vec<(u64, u32)> = keys.iter().zip(0..).map(|(&key, at)| (key, at)).collect();
    order.sort_unstable();
    // For each key: the index of its first occurrence.
    groups.clear();
    groups.resize(keys.len(), 0);
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        same.iter().for_each(|&(_, at)| groups[at as usize] = same[0].1);
    }
    let mut count = 0;
    for at in 0..groups.len() {
        let first = groups[at] as usize;
        groups[at] = if first == at { count } else { groups[first] };
        count += u32::from(first == at);
    }
    count as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_keys_share_a_group() {
        let mut groups = Vec::new();
        assert_eq!(group_equal_keys(&[7, 3, 7, 9], &mut groups), 3);
        assert_eq!(groups, [0, 1, 0, 2]);
        assert_eq!(group_equal_keys(&[], &mut groups), 0);
        assert!(groups.is_empty());
    }

    #[test]
    fn colliding_keys_are_sorted() {
        // The inverse of the multiplier: products are small, so their upper halves are all 0.
        let inverse = (0..6).fold(1u64, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(MULTIPLIER.wrapping_mul(inverse))));
        let keys: Vec<u64> = (0..20_000u64).map(|at| (at % 10_000).wrapping_mul(inverse)).collect();
        let (mut hashed, mut sorted) = (Vec::new(), Vec::new());
        assert_eq!(group_equal_keys(&keys, &mut hashed), 10_000);
        assert_eq!(group_by_sorting(&keys, &mut sorted), 10_000);
        assert_eq!(hashed, sorted);
    }

    proptest! {
        #[test]
        fn hashing_agrees_with_sorting(keys in prop::collection::vec(0u64..50, 0..200)) {
            let (mut hashed, mut sorted) = (Vec::new(), Vec::new());
            prop_assert_eq!(group_equal_keys(&keys, &mut hashed), group_by_sorting(&keys, &mut sorted));
            prop_assert_eq!(hashed, sorted);
        }
    }
}
