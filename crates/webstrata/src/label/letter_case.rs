//! Lower case for letters of common scripts. The standard library looks up every letter beyond ASCII in packed tables, which
//! took a sixth of the time on pages in Russian, Greek or Chinese.

/// A letter in the tables below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::label) struct Letter {
    pub(in crate::label) lower: char,
    pub(in crate::label) capital: bool,
}

/// Looks up a letter; `None` for rare letters and everything else.
#[inline]
pub(in crate::label) fn letter(c: char) -> Option<Letter> {
    let number = u32::from(c);
    let (lower, capital) = match number {
        // Small letters: Latin with accents, Greek, Cyrillic.
        0xe0..=0xf6 | 0xf8..=0xff | 0x3ac..=0x3ce | 0x430..=0x45f => (number, false),
        // Their capitals.
        0xc0..=0xd6 | 0xd8..=0xde | 0x391..=0x3a1 | 0x3a3..=0x3ab | 0x410..=0x42f => (number + 0x20, true),
        0x400..=0x40f => (number + 0x50, true),
        // Scripts without capitals: Hebrew, Arabic, Devanagari, Thai, kana, Han, Hangul.
        0x5d0..=0x5ea | 0x620..=0x64a | 0x905..=0x939 | 0xe01..=0xe30 | 0x3041..=0x3096 | 0x30a1..=0x30fa => (number, false),
        0x4e00..=0x9fff | 0xac00..=0xd7a3 => (number, false),
        // More Latin letters with accents: capitals and small letters alternate.
        0x100..=0x12f | 0x132..=0x137 | 0x14a..=0x177 => (number | 1, number & 1 == 0),
        0x139..=0x148 | 0x179..=0x17e => (number + (number & 1), number & 1 == 1),
        _ => return None,
    };
    Some(Letter { lower: char::from_u32(lower)?, capital })
}

/// Whether a character is a capital.
#[inline]
pub(in crate::label) fn is_capital(c: char) -> bool {
    if c < FIRST || is_punctuation(c) {
        return c.is_ascii_uppercase();
    }
    letter(c).map_or_else(|| c.is_uppercase(), |letter| letter.capital)
}

/// A letter or digit in lower case (its first character); `None` for anything else.
#[inline]
pub(in crate::label) fn word_letter(c: char) -> Option<char> {
    if is_punctuation(c) || matches!(c, '\u{a0}'..='\u{a9}' | '\u{ab}'..='\u{b1}' | '\u{b6}'..='\u{b8}' | '\u{bb}') {
        return None;
    }
    match letter(c) {
        Some(letter) => Some(letter.lower),
        None => c.is_alphanumeric().then(|| c.to_lowercase().next().unwrap_or(c)),
    }
}

/// Whether a character is a quotation mark, dash or space that is common in running text.
#[inline]
fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{ff01}'..='\u{ff0f}')
}

/// The first letter of the alphabets beyond ASCII. The few letters between them are symbols rather than parts of words, such as `ª` and `µ`.
const FIRST: char = '\u{c0}';

/// Appends a character in lower case.
#[inline]
pub(in crate::label) fn push_lower(c: char, out: &mut String) {
    match letter(c) {
        _ if c.is_ascii() => out.push(c.to_ascii_lowercase()),
        Some(letter) => out.push(letter.lower),
        None => out.extend(c.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        let mut known = 0;
        for c in '\0'..=char::MAX {
            assert_eq!(is_capital(c), c.is_uppercase(), "{c:?}");
            assert_eq!(word_letter(c), c.is_alphanumeric().then(|| c.to_lowercase().next().unwrap_or(c)), "{c:?}");
            let mut lower = String::new();
            push_lower(c, &mut lower);
            assert!(lower.chars().eq(c.to_lowercase()), "{c:?}");
            known += u32::from(letter(c).is_some());
        }
        assert!(known > 30_000);
    }
}
