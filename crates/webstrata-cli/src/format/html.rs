//! Clean HTML as a document: the fragment of the content, and a head with what the page says about itself.

use crate::args::Only;
use crate::format::metadata::texts;
use webstrata::content::metadata::Metadata;

/// A whole document round a fragment of clean HTML.
pub(crate) fn document(title: Option<&str>, metadata: Option<&Metadata>, fragment: &str) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">");
    if let Some(title) = title {
        out.push_str(&format!("<title>{}</title>", escaped(title)));
    }
    for (name, values, _) in metadata.map(|metadata| texts(metadata, &Only::All)).unwrap_or_default() {
        for value in values {
            out.push_str(&format!("\n<meta name=\"{name}\" content=\"{}\">", escaped(&value)));
        }
    }
    out.push_str("</head><body>\n");
    out.push_str(fragment);
    out + "</body></html>\n"
}

/// Text that can stand between tags and in quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\0' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::Page;

    #[test]
    fn nothing_of_a_page_becomes_markup() {
        let html = b"<title></title><meta name=author content='\"><script>x()</script>'><title>a</title>";
        let page = Page::parse(html, &Default::default());
        let metadata = page.metadata(&Default::default());
        let document = document(Some("</title><script>"), Some(&metadata), "<p>x</p>\n");
        assert_eq!(document.matches("<script").count(), 0, "{document}");
        assert!(document.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"), "{document}");
    }
}
