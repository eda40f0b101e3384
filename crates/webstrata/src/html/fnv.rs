//! FNV-1a hashes (Fowler, Noll, Vo) in 64 and in 32 bits.
//!
//! Trained models store hashes of words, and evaluation sets are split by hashes of names, so the values must
//! never change. The hash is not keyed: a table that hostile input can fill must bound its probing.

/// Hash of the empty string.
pub(crate) const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// The 32-bit hash of the empty string.
pub(crate) const OFFSET_BASIS_32: u32 = 0x811c_9dc5;

/// Extends a hash by one byte (or code point).
#[inline]
pub(crate) fn add(hash: u64, unit: impl Into<u64>) -> u64 {
    (hash ^ unit.into()).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Extends a 32-bit hash by one byte.
#[inline]
pub(crate) fn add_32(hash: u32, unit: impl Into<u32>) -> u32 {
    (hash ^ unit.into()).wrapping_mul(0x0100_0193)
}

/// The 64-bit FNV-1a hash of some bytes.
///
/// ```
/// use webstrata::model::fnv1a;
/// assert_eq!(fnv1a(*b"foobar"), 0x8594_4171_f739_67e8);
/// ```
#[must_use]
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(OFFSET_BASIS, add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_match_the_published_test_vectors() {
        assert_eq!(
            ["", "a", "foobar"].map(|text| fnv1a(text.bytes())),
            [OFFSET_BASIS, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]
        );
        assert_eq!(
            ["", "a", "foobar"].map(|text| text.bytes().fold(OFFSET_BASIS_32, add_32)),
            [OFFSET_BASIS_32, 0xe40c_292c, 0xbf9c_f968]
        );
    }
}
