//! Eight bytes of text at once.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// High bits of the bytes from `first` to `last`, both ASCII.
#[inline]
const fn between(eight: u64, first: u8, last: u8) -> u64 {
    let low = eight & !HIGH;
    low.wrapping_add(LOW * (0x80 - first as u64)) & !low.wrapping_add(LOW * (0x7f - last as u64)) & !eight & HIGH
}

/// Eight bytes of collapsed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Collapsed {
    /// How many of them: 8, or 7 if the last one is a space, since more of them may follow.
    pub(crate) bytes: usize,
    /// How many are not spaces.
    pub(crate) letters: u32,
}

/// Bytes of a class, given by their marks, with single spaces between them; `None` for anything else. The byte before them is not a space.
#[inline]
const fn with_single_spaces(marks: u64, spaces: u64) -> Option<Collapsed> {
    if marks | spaces != HIGH || spaces & spaces << 8 != 0 {
        return None;
    }
    let letters = 8 - ((spaces >> 7).wrapping_mul(LOW) >> 56) as u32;
    Some(Collapsed { bytes: 8 - (spaces >> 63) as usize, letters })
}

/// Printable ASCII characters with single spaces between them.
#[inline]
pub(crate) const fn printable(eight: u64) -> Option<Collapsed> {
    with_single_spaces(between(eight, b'!', 0x7f), between(eight, b' ', b' '))
}

/// Small ASCII letters with single spaces between them.
#[inline]
pub(crate) const fn small_letters(eight: u64) -> Option<Collapsed> {
    with_single_spaces(between(eight, b'a', b'z'), between(eight, b' ', b' '))
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

    fn naive(bytes: &[u8; 8], is: fn(&u8) -> bool) -> Option<Collapsed> {
        let known = bytes.iter().all(|byte| *byte == b' ' || is(byte));
        let doubled = bytes.windows(2).any(|pair| pair == b"  ");
        let letters = bytes.iter().filter(|byte| is(byte)).count() as u32;
        (known && !doubled).then_some(Collapsed { bytes: if bytes[7] == b' ' { 7 } else { 8 }, letters })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn eight_bytes_are_what_single_bytes_are(bytes in eight()) {
            let word = u64::from_le_bytes(bytes);
            prop_assert_eq!(printable(word), naive(&bytes, |byte| (0x21..0x80).contains(byte)));
            prop_assert_eq!(small_letters(word), naive(&bytes, u8::is_ascii_lowercase));
        }
    }
}
