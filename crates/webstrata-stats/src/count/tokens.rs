//! Tokens of a text: runs of characters without white space, found byte by byte.

/// Byte classes for finding white space.
const TEXT: u8 = 0;
const SPACE: u8 = 1;
/// The first byte of a character that may be white space.
const MAYBE: u8 = 2;

const CLASSES: [u8; 256] = {
    let mut classes = [TEXT; 256];
    let mut byte = 9;
    while byte <= 13 {
        classes[byte] = SPACE;
        byte += 1;
    }
    classes[b' ' as usize] = SPACE;
    // U+0085 and U+00A0; U+1680; U+2000 to U+205F; U+3000.
    classes[0xc2] = MAYBE;
    classes[0xe1] = MAYBE;
    classes[0xe2] = MAYBE;
    classes[0xe3] = MAYBE;
    classes
};

/// The start and end of the next token at or after a position. Equivalent to `str::split_whitespace`.
#[inline]
pub(super) fn next(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut start = from;
    loop {
        match bytes.get(start).map(|byte| CLASSES[usize::from(*byte)])? {
            TEXT => break,
            SPACE => start += 1,
            _ => match white_space(&bytes[start..]) {
                0 => break,
                length => start += length,
            },
        }
    }
    Some((start, end(bytes, start)))
}

/// The end of the token at a position. Reads eight bytes at a time, as long as they contain neither white space nor non-ASCII bytes.
#[inline]
fn end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let found = special(u64::from_le_bytes(*eight));
            at += found.trailing_zeros() as usize / 8;
            if found != 0 {
                break;
            }
        }
        // Byte by byte to the next space, or until the bytes are ASCII again.
        loop {
            let Some(byte) = bytes.get(at) else { return at };
            match CLASSES[usize::from(*byte)] {
                TEXT => {}
                SPACE => return at,
                _ => {
                    if white_space(&bytes[at..]) > 0 {
                        return at;
                    }
                }
            }
            at += 1;
            if byte.is_ascii() && bytes.len() - at >= 8 {
                break;
            }
        }
    }
}

/// Sets the upper bit of bytes that are spaces, control characters or non-ASCII. Only the lowest mark is reliable.
#[inline]
fn special(eight: u64) -> u64 {
    const EACH: u64 = u64::MAX / 255;
    let low = eight.wrapping_sub(EACH * 0x21) & !eight;
    (low | eight) & (EACH * 0x80)
}

/// The length of the non-ASCII white space character at the start of a text; 0 if there is none.
fn white_space(bytes: &[u8]) -> usize {
    match bytes {
        [0xc2, 0x85 | 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<&str> {
        let mut at = 0;
        std::iter::from_fn(|| {
            let (start, end) = next(text, at)?;
            at = end;
            Some(&text[start..end])
        })
        .collect()
    }

    /// White space is the same as in the standard library.
    #[test]
    fn every_character() {
        for character in '\0'..=char::MAX {
            let text = format!("a{character}b");
            assert_eq!(tokens(&text).len() == 2, character.is_whitespace(), "{character:?}");
        }
    }

    proptest! {
        #[test]
        fn tokens_are_those_of_the_standard_library(text in "[a-c!\u{1f}\u{0} \\t\\n\u{b}\u{85}\u{a0}\u{1680}\u{2009}\u{200b}\u{3000}é日。‘]{0,60}") {
            prop_assert_eq!(tokens(&text), text.split_whitespace().collect::<Vec<_>>());
        }
    }
}
