//! Processes eight bytes of text at once.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The length of a collapsed prefix, if the eight bytes are printable ASCII characters with single spaces between them: 8, or 7
/// if the last one is a space, since more spaces may follow. `None` for anything else. The byte before must not be a space.
#[inline]
pub(crate) const fn printable(eight: u64) -> Option<usize> {
    let low = eight & !HIGH;
    // The sums carry into the high bit of bytes that are at least 0x21 and 0x20, respectively.
    let (above, from) = (low.wrapping_add(LOW * 0x5f), low.wrapping_add(LOW * 0x60));
    let spaces = !above & from & HIGH;
    if (from & !eight & HIGH) != HIGH || spaces & spaces << 8 != 0 {
        return None;
    }
    Some(8 - (spaces >> 63) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn eight() -> impl Strategy<Value = [u8; 8]> {
        let byte = prop_oneof![
            20 => prop::sample::select(&b"abyzx  "[..]),
            1 => prop::sample::select(&b"AZ09`{@[/:\0\x10\x1f!~\x7f\n\x80\xe1\xff"[..]),
            1 => any::<u8>(),
        ];
        prop::array::uniform8(byte)
    }

    fn naive(bytes: &[u8; 8]) -> Option<usize> {
        let known = bytes.iter().all(|byte| (b' '..0x80).contains(byte));
        let doubled = bytes.windows(2).any(|pair| pair == b"  ");
        (known && !doubled).then_some(if bytes[7] == b' ' { 7 } else { 8 })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn eight_bytes_at_a_time_match_single_bytes(bytes in eight()) {
            prop_assert_eq!(printable(u64::from_le_bytes(bytes)), naive(&bytes));
        }
    }
}
