//! Metadata as a YAML block before the content, as static site generators and other extractors write it.

use crate::args::Only;
use crate::format::metadata::texts;
use webstrata::content::metadata::Metadata;

/// The block, followed by an empty line.
pub(crate) fn front_matter(metadata: &Metadata, url: Option<&str>) -> String {
    let mut out = String::from("---\n");
    for (name, values, many) in texts(metadata, &Only::All) {
        let values: Vec<String> = values.iter().map(|value| scalar(value)).collect();
        let value = if many { format!("[{}]", values.join(", ")) } else { values.concat() };
        out.push_str(&format!("{name}: {value}\n"));
    }
    if let Some(url) = url {
        out.push_str(&format!("url: {}\n", scalar(url)));
    }
    out + "---\n\n"
}

/// A YAML scalar: plain if it cannot be misread, else quoted as in JSON, which is valid YAML.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '/' | '(' | ')');
    let is_word = text.starts_with(char::is_alphabetic) && text.chars().all(plain) && !text.ends_with(' ') && !text.contains("  ");
    let is_date = text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains('-')
        && text.chars().all(|c| c.is_ascii_digit() || "-:.TZ+".contains(c));
    let means_something =
        ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].iter().any(|word| text.eq_ignore_ascii_case(word));
    if (is_word && !means_something) || is_date { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    // JSON does not escape some characters that YAML treats as line breaks or does not allow.
    let mut out = String::new();
    for c in serde_json::Value::from(text).to_string().chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_yaml_would_misread_are_quoted() {
        for plain in ["Rain", "Maren Tolliver", "2024-05-13", "2024-05-13T17:42:00+02:00", "en", "pt-BR", "Übung 3"] {
            assert_eq!(scalar(plain), plain);
        }
        for (text, want) in [
            ("", r#""""#),
            ("yes", r#""yes""#),
            ("a: b", r#""a: b""#),
            ("# x", r##""# x""##),
            ("[x]", r#""[x]""#),
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
