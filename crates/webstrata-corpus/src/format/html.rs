//! Clean HTML as a document: the content, and a head with metadata.

use crate::format::MetadataFields;
use crate::format::metadata::texts;
use crate::markup::Html;
use webstrata::content::metadata::Metadata;

/// A complete document around a fragment of clean HTML.
pub(crate) fn document(title: Option<&str>, metadata: Option<&Metadata>, fragment: &str) -> String {
    let mut head = Html::with_capacity(512 + fragment.len());
    head.raw("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">");
    if let Some(title) = title {
        head.raw("<title>").text(title).raw("</title>");
    }
    for (name, values, _) in metadata.map(|metadata| texts(metadata, &MetadataFields::All)).unwrap_or_default() {
        for value in values {
            head.raw("\n<meta name=\"").raw(name).raw("\" content=\"").text(&value).raw("\">");
        }
    }
    head.raw("</head><body>\n");
    head.finish() + fragment + "</body></html>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::Page;

    #[test]
    fn text_of_a_page_never_becomes_markup() {
        let html = b"<title></title><meta name=author content='\"><script>x()</script>'><title>a</title>";
        let page = Page::parse(html);
        let metadata = page.metadata();
        let document = document(Some("</title><script>"), Some(&metadata), "<p>x</p>\n");
        assert_eq!(document.matches("<script").count(), 0, "{document}");
        assert!(document.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"), "{document}");
    }
}
