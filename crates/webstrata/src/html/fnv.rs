//! Sums of letters: a small number that equal texts share, and different ones hardly ever.
//!
//! They are FNV-1a (Fowler, Noll, Vo) in 64 and in 32 bits. Models keep sums of words, and sets are parted by sums
//! of names: they must never change.

/// The sum of no letters.
pub(crate) const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// The same in 32 bits.
pub(crate) const OFFSET_BASIS_32: u32 = 0x811c_9dc5;

/// The sum with one more letter.
#[inline]
pub(crate) fn add(sum: u64, letter: impl Into<u64>) -> u64 {
    (sum ^ letter.into()).wrapping_mul(0x0000_0100_0000_01b3)
}

/// The same in 32 bits.
#[inline]
pub(crate) fn add_32(sum: u32, letter: impl Into<u32>) -> u32 {
    (sum ^ letter.into()).wrapping_mul(0x0100_0193)
}

/// The sum of some bytes: FNV-1a in 64 bits.
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
    fn sums_are_those_of_their_authors() {
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
