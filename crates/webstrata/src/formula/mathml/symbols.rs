//! Maps the characters in formulas to TeX.

use super::symbol_table::SYMBOLS;

/// Functions for which TeX has a command of the same name.
const FUNCTIONS: [&str; 32] = [
    "\\arccos", "\\arcsin", "\\arctan", "\\arg", "\\cos", "\\cosh", "\\cot", "\\coth", "\\csc", "\\deg", "\\det", "\\dim", "\\exp",
    "\\gcd", "\\hom", "\\inf", "\\ker", "\\lg", "\\lim", "\\liminf", "\\limsup", "\\ln", "\\log", "\\max", "\\min", "\\Pr",
    "\\sec", "\\sin", "\\sinh", "\\sup", "\\tan", "\\tanh",
];

/// Functions whose subscript is written below them.
const LIMIT_FUNCTIONS: [&str; 10] = ["lim", "liminf", "limsup", "max", "min", "sup", "inf", "det", "gcd", "Pr"];

/// The alphabets of the Unicode block Mathematical Alphanumeric Symbols, in order: 26 capitals and 26 small letters each.
const ALPHABETS: [&str; 13] = [
    "mathbf", "", "boldsymbol", "mathcal", "mathcal", "mathfrak", "mathbb", "mathfrak", "mathsf", "mathsf", "mathsf", "mathsf",
    "mathtt",
];
const DIGIT_ALPHABETS: [&str; 5] = ["mathbf", "mathbb", "mathsf", "mathsf", "mathtt"];
const FIRST_LETTER: u32 = 0x1d400;
const FIRST_GREEK: u32 = 0x1d6a8;
const FIRST_DIGIT: u32 = 0x1d7ce;
const GREEK: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΘΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ";

/// TeX for a character; `None` if it can be written as it is.
pub(super) fn symbol(c: char) -> Option<&'static str> {
    SYMBOLS.binary_search_by_key(&c, |(symbol, _)| *symbol).ok().map(|at| SYMBOLS[at].1)
}

/// The command for a function's name.
pub(super) fn function(name: &str) -> Option<&'static str> {
    match name {
        "lim sup" | "lim\u{2009}sup" => Some("\\limsup"),
        "lim inf" | "lim\u{2009}inf" => Some("\\liminf"),
        "mod" => Some("\\bmod"),
        name => FUNCTIONS.into_iter().find(|command| command.strip_prefix('\\') == Some(name)),
    }
}

/// Whether a subscript of this function is written below it.
pub(super) fn has_limits(name: &str) -> bool {
    LIMIT_FUNCTIONS.contains(&name)
}

/// Whether `c` is an operator that takes limits, such as a sum or an integral.
pub(super) fn is_large(c: char) -> bool {
    matches!(c, '∏'..='∑' | '∫'..='∳' | '⋀'..='⋃' | '⨀'..='⨌')
}

/// The plain form of a styled letter or digit, and the command for its alphabet, which may be empty.
pub(super) fn plain_letter(c: char) -> Option<(char, &'static str)> {
    let code = u32::from(c);
    let at = |first: u32, size: u32| (((code - first) / size) as usize, (code - first) % size);
    match code {
        FIRST_LETTER..FIRST_GREEK => {
            let (alphabet, letter) = at(FIRST_LETTER, 52);
            let letter = if letter < 26 { b'A' + letter as u8 } else { b'a' + (letter - 26) as u8 };
            Some((char::from(letter), ALPHABETS.get(alphabet)?))
        }
        FIRST_GREEK..FIRST_DIGIT => {
            let (alphabet, letter) = at(FIRST_GREEK, 58);
            let bold = alphabet != 1;
            Some((GREEK.chars().nth(letter as usize)?, if bold { "boldsymbol" } else { "" }))
        }
        FIRST_DIGIT..0x1d800 => {
            let (alphabet, digit) = at(FIRST_DIGIT, 10);
            Some((char::from(b'0' + digit as u8), DIGIT_ALPHABETS.get(alphabet)?))
        }
        _ => None,
    }
}

/// The accent command for a character above a base; the second command is for a base of several letters.
pub(super) fn accent(c: char) -> Option<(&'static str, &'static str)> {
    Some(match c {
        '^' | 'ˆ' | '\u{302}' => ("hat", "widehat"),
        '~' | '˜' | '∼' | '\u{303}' => ("tilde", "widetilde"),
        '¯' | '‾' | 'ˉ' | '_' | '\u{304}' | '\u{305}' | '-' | '−' | '―' | '─' => ("bar", "overline"),
        '→' | '⃗' | '⟶' => ("vec", "overrightarrow"),
        '←' | '⃖' => ("overleftarrow", "overleftarrow"),
        '↔' => ("overleftrightarrow", "overleftrightarrow"),
        '˙' | '.' | '\u{307}' => ("dot", "dot"),
        '¨' | '\u{308}' => ("ddot", "ddot"),
        '⃛' => ("dddot", "dddot"),
        '´' | '\u{301}' => ("acute", "acute"),
        '`' | '\u{300}' => ("grave", "grave"),
        '˘' | '\u{306}' => ("breve", "breve"),
        'ˇ' | '\u{30c}' => ("check", "check"),
        '˚' | '\u{30a}' => ("mathring", "mathring"),
        '⏞' | '︷' => ("overbrace", "overbrace"),
        '⏜' | '⌢' => ("overparen", "overparen"),
        _ => return None,
    })
}

/// The accent command for a character below a base.
pub(super) fn under_accent(c: char) -> Option<&'static str> {
    Some(match c {
        '_' | '¯' | '‾' | '\u{332}' | '-' | '−' | '―' | '─' => "underline",
        '⏟' | '︸' => "underbrace",
        '⏝' | '⌣' => "underparen",
        '→' => "underrightarrow",
        '←' => "underleftarrow",
        _ => return None,
    })
}

/// The command for an arrow that stretches to the width of its label.
pub(super) fn labelled_arrow(c: char) -> Option<&'static str> {
    Some(match c {
        '→' | '⟶' => "xrightarrow",
        '←' | '⟵' => "xleftarrow",
        '↔' | '⟷' => "xleftrightarrow",
        '⇒' | '⟹' => "xRightarrow",
        '⇐' | '⟸' => "xLeftarrow",
        '⇔' | '⟺' => "xLeftrightarrow",
        '↦' => "xmapsto",
        '↪' => "xhookrightarrow",
        '⇌' => "xrightleftharpoons",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(SYMBOLS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!((symbol('≤'), symbol('α'), symbol('x')), (Some("\\leq"), Some("\\alpha"), None));
    }

    #[test]
    fn styled_letters() {
        for (c, want) in [
            ('𝐀', Some(('A', "mathbf"))),
            ('𝑧', Some(('z', ""))),
            ('𝔸', Some(('A', "mathbb"))),
            ('𝟏', Some(('1', "mathbf"))),
            ('𝛂', Some(('α', "boldsymbol"))),
            ('𝜋', Some(('π', ""))),
            ('𝜕', Some(('∂', ""))),
            ('𝚣', Some(('z', "mathtt"))),
            ('A', None),
        ] {
            assert_eq!(plain_letter(c), want, "{c}");
        }
        assert_eq!(GREEK.chars().count(), 58);
        assert!(
            ('\u{1d400}'..='\u{1d7ff}')
                .all(|c| plain_letter(c).is_some() || matches!(c, '\u{1d6a4}'..='\u{1d6a7}' | '\u{1d7ca}'..='\u{1d7cd}'))
        );
    }
}
