//! Metadata as a YAML block before the content, as static site generators and other extractors write it.

use crate::format::MetadataFields;
use crate::format::metadata::texts;
use webstrata::content::metadata::Metadata;

/// The block, followed by an empty line.
pub(crate) fn front_matter(metadata: &Metadata, url: Option<&str>) -> String {
    let mut out = String::from("---\n");
    for (name, values, many) in texts(metadata, &MetadataFields::All) {
        let is_date = matches!(name, "published" | "modified");
        let values: Vec<String> = values.into_iter().map(|value| if is_date { value } else { scalar(&value) }).collect();
        let value = if many { format!("[{}]", values.join(", ")) } else { values.concat() };
        out.push_str(&format!("{name}: {value}\n"));
    }
    if let Some(url) = url {
        out.push_str(&format!("url: {}\n", scalar(url)));
    }
    out + "---\n\n"
}

/// A YAML string: plain if it cannot be misread, else in double quotes, with escapes as in JSON, which are valid YAML.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '/' | '(' | ')');
    let is_word = text.starts_with(char::is_alphabetic) && text.chars().all(plain) && !text.ends_with(' ') && !text.contains("  ");
    let means_something =
        ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_word && !means_something { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // A renderer that does not know front matter takes these for HTML, links and images.
            '<' | '>' | '[' | ']' | '!' | '`' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            // Line breaks in YAML, and characters that it does not allow.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_yaml_would_misread_are_quoted() {
        for plain in ["Rain", "Maren Tolliver", "en", "pt-BR", "Übung 3"] {
            assert_eq!(scalar(plain), plain);
        }
        for (text, want) in [
            ("", r#""""#),
            ("yes", r#""yes""#),
            ("a: b", r#""a: b""#),
            ("# x", r##""# x""##),
            ("[x](y)", r#""\x5bx\x5d(y)""#),
            ("<b>", r#""\x3cb\x3e""#),
            ("2024-05-13", r#""2024-05-13""#),
            ("a\\b\u{1}\u{85}\u{fffe}", r#""a\\b\u0001\u0085\ufffe""#),
            ("3.14", r#""3.14""#),
            ("a \"b\"\nc", r#""a \"b\"\nc""#),
            ("---", r#""---""#),
            ("a, b", r#""a, b""#),
            ("a\u{2028}b", "\"a\\u2028b\""),
            ("https://e.org/", r#""https://e.org/""#),
        ] {
            assert_eq!(scalar(text), want);
        }
    }
}
