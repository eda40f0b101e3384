//! Scripts written without spaces between words.

/// Whether `c` is a letter of a script written without spaces between words (Han, kana, Thai, Lao, Khmer, Burmese).
///
/// Hangul is not: Korean is written with spaces.
///
/// ```
/// use webstrata::block::is_unspaced;
/// assert!(is_unspaced('層') && is_unspaced('か') && is_unspaced('ช'));
/// assert!(!is_unspaced('a') && !is_unspaced('층') && !is_unspaced('。'));
/// ```
#[must_use]
pub fn is_unspaced(c: char) -> bool {
    // Most input is Latin, Greek or Cyrillic.
    c >= '\u{0e01}'
        && matches!(c,
        '\u{0e01}'..='\u{0e3a}' | '\u{0e40}'..='\u{0e4e}'   // Thai
        | '\u{0e81}'..='\u{0ece}' | '\u{0edc}'..='\u{0edf}' // Lao
        | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' // Burmese
        | '\u{1780}'..='\u{17d3}'                           // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{3035}' // ideographic marks
        | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' // Hiragana
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' // Katakana
        | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
        | '\u{20000}'..='\u{3ffff}')
}

/// Width of such a letter in columns when text is wrapped: 2 for Han and kana, 1 for Thai, Lao, Khmer and Burmese.
pub(crate) fn columns(c: char) -> u32 {
    if c >= '\u{2e80}' && !('\u{ff61}'..='\u{ff9f}').contains(&c) { 2 } else { 1 }
}
