//! A document as XML: a plain dialect with the element names that users of trafilatura know, and TEI P5.
//!
//! The plain dialect is `<doc title="…" author="…" …><main>…</main><comments/></doc>`. In both dialects text is in `head` (`ab` in
//! TEI), `p`, `list`/`item`, `table`/`row`/`cell`, `quote`, `code`, `note`, with `hi`, `del`, `code`, `ref`, `graphic`, `formula` and
//! `lb` inside. Every tag is generated here; text and values are escaped, and characters that XML does not allow are left out.

mod body;
mod escape;
mod header;
mod inline;

use super::Document;
use super::metadata::Metadata;
use crate::options::setters;

/// Information about the page of an XML document besides its content.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::XmlOptions, label::Preset};
/// let page = Page::parse(b"<title>Rain</title><h2>Rain</h2><p>It <b>rained</b> again.");
/// let metadata = page.metadata();
/// let document = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).document(&Default::default());
/// let options = XmlOptions::default().metadata(Some(&metadata)).url("https://example.org/rain");
/// assert_eq!(document.xml(&options), r##"<doc title="Rain" source="https://example.org/rain" hostname="example.org">
/// <main>
/// <head rend="h2">Rain</head>
/// <p>It <hi rend="#b">rained</hi> again.</p>
/// </main>
/// <comments/>
/// </doc>
/// "##);
/// assert!(document.tei(&options).contains("<title type=\"main\">Rain</title>"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct XmlOptions<'a> {
    /// The metadata of the page.
    pub metadata: Option<&'a Metadata>,
    /// Its address.
    pub url: Option<&'a str>,
    /// Its identifier, such as a file name or the position of its record.
    pub id: Option<&'a str>,
    /// A fingerprint of its text.
    pub fingerprint: Option<&'a str>,
    /// Readers' comments, one paragraph each, if they are not part of the document.
    pub comments: &'a [String],
}

setters! { XmlOptions<'a> { metadata: Option<&'a Metadata>, comments: &'a [String] } into { url: Option<&'a str>, id: Option<&'a str>, fingerprint: Option<&'a str> } }

/// An XML dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Plain,
    Tei,
}

impl Document {
    /// The document as XML: `doc` with metadata as attributes, `main` and `comments`.
    #[must_use]
    pub fn xml(&self, options: &XmlOptions<'_>) -> String {
        let mut out = String::from("<doc");
        header::attributes(options, &mut out);
        out.push_str(">\n<main>\n");
        body::write(self, Dialect::Plain, &mut out);
        out.push_str("</main>\n");
        if options.comments.is_empty() {
            out.push_str("<comments/>\n</doc>\n");
            return out;
        }
        out.push_str("<comments>\n");
        body::paragraphs(options.comments, &mut out);
        out.push_str("</comments>\n</doc>\n");
        out
    }

    /// The document as TEI P5: metadata in `teiHeader`, the content in a `div` of the body, comments in another.
    #[must_use]
    pub fn tei(&self, options: &XmlOptions<'_>) -> String {
        let mut out = String::from("<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n");
        header::tei(options, &mut out);
        out.push_str("<text");
        if let Some(language) = options.metadata.and_then(|metadata| metadata.language.as_ref()) {
            escape::attribute("xml:lang", &language.value, &mut out);
        }
        out.push_str(">\n<body>\n<div type=\"entry\">\n");
        body::write(self, Dialect::Tei, &mut out);
        out.push_str("</div>\n");
        if !options.comments.is_empty() {
            out.push_str("<div type=\"comments\">\n");
            body::paragraphs(options.comments, &mut out);
            out.push_str("</div>\n");
        }
        out.push_str("</body>\n</text>\n</TEI>\n");
        out
    }
}
