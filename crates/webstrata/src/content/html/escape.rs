//! Escaping of text and attribute values, as in the standard's serialisation algorithm.

/// Appends text. Characters not allowed in HTML are left out.
pub(in crate::content) fn text(text: &str, out: &mut String) {
    escaped(text, "", out);
}

fn escaped(text: &str, illegal: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| matches!(c, '&' | '<' | '>' | '"' | '\u{a0}') || is_illegal(c)) {
        out.push_str(&rest[..at]);
        let c = rest[at..].chars().next().unwrap_or_default();
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            '"' => out.push('"'),
            '\u{c}' => out.push(' '),
            _ => out.push_str(illegal),
        }
        rest = &rest[at + c.len_utf8()..];
    }
    out.push_str(rest);
}

/// Appends an attribute.
pub(in crate::content) fn attribute(name: &str, value: &str, out: &mut String) {
    quoted(name, value, "", out);
}

/// Appends an address attribute. Illegal characters are replaced rather than removed, so that removing one cannot form a new
/// scheme.
pub(super) fn address(name: &str, value: &str, out: &mut String) {
    quoted(name, value, "\u{fffd}", out);
}

fn quoted(name: &str, value: &str, illegal: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    let mut parts = value.split('"');
    escaped(parts.next().unwrap_or_default(), illegal, out);
    for part in parts {
        out.push_str("&quot;");
        escaped(part, illegal, out);
    }
    out.push('"');
}

/// Whether `c` is a control character or noncharacter.
pub(in crate::content) fn is_illegal(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// The label of a footnote, if it is safe as part of an `id`.
pub(in crate::content) fn safe_label(label: &str) -> Option<&str> {
    (!label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_its_context() {
        let mut out = String::new();
        text("a<b>&amp;\"'\u{a0}\0\u{1}\u{7f}\u{85}\u{fffe}\u{10ffff}\u{c}\n\tz", &mut out);
        assert_eq!(out, "a&lt;b&gt;&amp;amp;\"'&nbsp; \n\tz");
        out.clear();
        attribute("alt", "\"><x y='`&quot;", &mut out);
        assert_eq!(out, " alt=\"&quot;&gt;&lt;x y='`&amp;quot;\"");
        out.clear();
        address("href", "java\u{1}script:x", &mut out);
        assert_eq!(out, " href=\"java\u{fffd}script:x\"");
    }
}
