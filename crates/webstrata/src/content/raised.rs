//! Superscripts and subscripts as Unicode characters, where they exist.
//!
//! All fonts have such characters for digits, `+` and `-`, so `10<sup>6</sup>` is 10⁶ in plain text and in Markdown with any
//! renderer. Letters stay letters, since people search for `1<sup>st</sup>` as 1st.

use super::render::Style;

/// The Unicode characters for raised or lowered text, trimmed; `None` if one of them has no equivalent.
pub(super) fn characters(text: &str, style: Style) -> Option<String> {
    let text = text.trim();
    let map = if style.contains(Style::SUPERSCRIPT) { superscript } else { subscript };
    if text.is_empty() || style.intersects(Style::CODE) || !style.intersects(Style::RAISED) {
        return None;
    }
    text.chars().map(map).collect()
}

/// The text of an event without the space that only separates attached text from the preceding word.
pub(super) fn attached(text: &str, style: Style) -> &str {
    if style.contains(Style::ATTACHED) { text.trim_start() } else { text }
}

fn superscript(c: char) -> Option<char> {
    Some(match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32(u32::from(c) - u32::from('4') + u32::from('⁴'))?,
        '+' => '⁺',
        '-' | '−' | '–' => '⁻',
        '=' => '⁼',
        '(' => '⁽',
        ')' => '⁾',
        'n' => 'ⁿ',
        _ => return None,
    })
}

fn subscript(c: char) -> Option<char> {
    Some(match c {
        '0'..='9' => char::from_u32(u32::from(c) - u32::from('0') + u32::from('₀'))?,
        '+' => '₊',
        '-' | '−' | '–' => '₋',
        '=' => '₌',
        '(' => '₍',
        ')' => '₎',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_signs_have_characters() {
        assert_eq!(characters(" 0123456789+-=()n", Style::SUPERSCRIPT).as_deref(), Some("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"));
        assert_eq!(characters("0123456789+−=()", Style::SUBSCRIPT).as_deref(), Some("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"));
        assert_eq!(characters("st", Style::SUPERSCRIPT), None);
        assert_eq!(characters("6", Style::PLAIN), None);
    }
}
