//! Escaping for XML 1.0.

use crate::content::html::escape::is_illegal;

/// Appends text. Characters that XML does not allow are left out.
pub(super) fn text(text: &str, out: &mut String) {
    escaped(text, false, out);
}

/// Appends an attribute. White space is written as character references, which parsers do not normalise.
pub(super) fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escaped(value, true, out);
    out.push('"');
}

/// Appends an attribute with an address: characters not allowed in addresses are percent-encoded.
pub(super) fn address(name: &str, value: &str, out: &mut String) {
    let mut encoded = String::with_capacity(value.len());
    let mut buffer = [0; 4];
    for c in value.trim().chars() {
        if c.is_whitespace()
            || c.is_control()
            || !is_allowed(c)
            || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`')
        {
            for byte in c.encode_utf8(&mut buffer).bytes() {
                encoded.push('%');
                encoded.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])));
            }
        } else {
            encoded.push(c);
        }
    }
    attribute(name, &encoded, out);
}

fn escaped(text: &str, in_attribute: bool, out: &mut String) {
    let special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\n' | '\t' | '\r') || !is_allowed(c);
    let mut rest = text;
    while let Some(at) = rest.find(special) {
        out.push_str(&rest[..at]);
        let c = rest[at..].chars().next().unwrap_or_default();
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            '\n' if in_attribute => out.push_str("&#10;"),
            '\t' if in_attribute => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            c if is_allowed(c) => out.push(c),
            _ => {}
        }
        rest = &rest[at + c.len_utf8()..];
    }
    out.push_str(rest);
}

/// Whether XML 1.0 allows a character and does not discourage it, as it does control characters and noncharacters.
fn is_allowed(c: char) -> bool {
    c == '\r' || !is_illegal(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_its_context() {
        let mut out = String::new();
        text("a<b>&amp;\"']]>\0\u{1}\u{b}\u{7f}\u{85}\u{fffe}\u{10ffff}\n\tz\r", &mut out);
        assert_eq!(out, "a&lt;b&gt;&amp;amp;\"']]&gt;\n\tz&#13;");
        out.clear();
        attribute("title", "\"><x y='\n&quot;\u{0}", &mut out);
        assert_eq!(out, " title=\"&quot;&gt;&lt;x y='&#10;&amp;quot;\"");
        out.clear();
        address("target", " https://e.org/a b?\"<é>\u{1}&c ", &mut out);
        assert_eq!(out, " target=\"https://e.org/a%20b?%22%3Cé%3E%01&amp;c\"");
    }
}
