//! Properties of a segment's text: token lengths, full stops and sentences.
//!
//! A token is a run of characters without white space; its length is its number of letters and digits. A full stop is a dot right after
//! at least two letters and before white space, except after a few abbreviations (thesis, 4.3.2); the full stops of Chinese, Japanese,
//! Hindi and Urdu count as well. A sentence ends at `. ? ! ;` (4.4.2).

/// Abbreviations whose dot is not a full stop, in lower case.
const ABBREVIATIONS: [&str; 18] =
    ["vs", "dc", "inc", "ltd", "no", "vat", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Maximum length of a term in characters: longer tokens are data, not words.
const MAX_TERM: usize = 48;

/// Number of letters and digits of a token, which is its length.
#[inline]
pub(super) fn length(token: &str) -> u64 {
    if token.is_ascii() {
        token.bytes().filter(u8::is_ascii_alphanumeric).count() as u64
    } else {
        token.chars().filter(|c| c.is_alphanumeric()).count() as u64
    }
}

/// Whether a token ends with a full stop.
#[inline]
pub(super) fn is_full_stop(token: &str) -> bool {
    let Some(word) = token.strip_suffix('.') else {
        return !token.is_ascii() && token.ends_with(['。', '।', '۔', '｡']);
    };
    let mut last = word.chars().rev();
    let letters = last.next().is_some_and(char::is_alphabetic) && last.next().is_some_and(char::is_alphabetic);
    letters && !(word.len() <= 3 && ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Whether a token ends a sentence.
#[inline]
pub(super) fn ends_sentence(token: &str) -> bool {
    let end = token.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»']);
    match end.as_bytes().last() {
        Some(b'.') => is_full_stop(end),
        Some(b'?' | b'!' | b';') => true,
        Some(byte) if !byte.is_ascii() => end.ends_with(['。', '।', '۔', '｡', '？', '！', '；', '؟']),
        _ => false,
    }
}

/// The term in a token: lower-cased, without punctuation at its ends; `None` if it has no letter.
#[inline]
pub(super) fn term<'a>(token: &'a str, buffer: &'a mut String) -> Option<&'a str> {
    let bytes = token.as_bytes();
    if token.is_ascii() {
        let start = bytes.iter().position(u8::is_ascii_alphanumeric)?;
        let end = bytes.iter().rposition(u8::is_ascii_alphanumeric)? + 1;
        let word = &token[start..end];
        if word.len() > MAX_TERM || !word.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        if !word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Some(word);
        }
        buffer.clear();
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
        return Some(buffer);
    }
    let word = token.trim_matches(|c: char| !c.is_alphanumeric());
    if word.is_empty() || word.len() > MAX_TERM * 2 || !word.chars().any(char::is_alphabetic) {
        return None;
    }
    buffer.clear();
    buffer.extend(word.chars().flat_map(char::to_lowercase));
    Some(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops_as_the_thesis_defines_them() {
        for token in ["rain.", "it.", "e-mail.", "Straße.", "雨が降る。"] {
            assert!(is_full_stop(token), "{token}");
        }
        for token in ["a.", "3.", "vs.", "Inc.", "VAT.", "Dec.", "rain", "U.S.", "...", ".", "v2.", "rain.)"] {
            assert!(!is_full_stop(token), "{token}");
        }
        for token in ["rain.)", "rain?", "\"rain!\"", "rain;", "何？"] {
            assert!(ends_sentence(token), "{token}");
        }
        assert!(!ends_sentence("rain,") && !ends_sentence("Mr") && !ends_sentence(""));
    }

    #[test]
    fn terms_and_lengths() {
        let mut buffer = String::new();
        assert_eq!(term("(Rain),", &mut buffer), Some("rain"));
        assert_eq!(term("dr.who", &mut buffer), Some("dr.who"));
        assert_eq!(term("«ÜBER»", &mut buffer), Some("über"));
        for token in ["2010", "--", "…"] {
            assert_eq!(term(token, &mut buffer), None);
        }
        assert_eq!((length("we'll"), length("«ÜBER»"), length("--")), (4, 4, 0));
    }
}
