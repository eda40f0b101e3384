//! Text and values of attributes, as the standard's serialiser writes them.

/// Appends text. Characters that no HTML may have are left out.
pub(super) fn text(text: &str, out: &mut String) {
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
pub(super) fn attribute(name: &str, value: &str, out: &mut String) {
    quoted(name, value, "", out);
}

/// Appends an attribute that is an address. What is illegal leaves a trace here, so that nothing new comes about where it stood.
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

/// Controls and noncharacters.
fn is_illegal(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// The label of a footnote as part of a name.
pub(super) fn label_of(label: &str) -> Option<&str> {
    (!label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out() {
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
