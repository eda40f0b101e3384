//! The table of pages.

use super::table::{self, Table, row};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// One page. Metadata columns have the same names as in the JSON of `webstrata extract`.
///
/// ```
/// use webstrata_corpus::store::PageRow;
/// let row = PageRow { id: "crawl.warc.gz@0".into(), text: "Rain".into(), hash: 255, ..PageRow::default() };
/// let json = serde_json::to_string(&row).unwrap();
/// assert!(json.starts_with(r#"{"id":"crawl.warc.gz@0","url":null,"#) && json.contains(r#""hash":"00000000000000ff""#));
/// assert_eq!(serde_json::from_str::<PageRow>(&json).unwrap(), row);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageRow {
    /// Where it was read from, `file@offset`: unique in a run.
    pub id: String,
    /// Its address.
    pub url: Option<String>,
    /// The host of its address, in lower case.
    pub host: Option<String>,
    /// When it was fetched.
    pub fetched: Option<Timestamp>,
    /// The same, as given in the input.
    pub fetched_text: Option<String>,
    /// Status of the HTTP response.
    pub http_status: Option<u16>,
    /// Media type as declared by the server or by the record, with its parameters.
    pub content_type: Option<String>,
    /// `Content-Language` of the HTTP response.
    pub content_language: Option<String>,
    /// Its encoding, by its name in the WHATWG Encoding standard.
    pub encoding: String,
    /// How the encoding was determined.
    pub encoding_because: String,
    /// Whether spans refer to the UTF-8 that the page was converted to, instead of the page as it was read.
    pub transcoded: bool,
    /// Id of the WARC record, without angle brackets.
    pub warc_record_id: Option<String>,
    /// Digest of the payload as the WARC record states it, such as `sha1:…`.
    pub payload_digest: Option<String>,
    /// The title, without the name of the site.
    pub title: Option<String>,
    /// The authors.
    pub authors: Vec<String>,
    /// When it was published; UTC if the page does not give the zone, midnight if it does not give the time.
    pub published: Option<Timestamp>,
    /// The same as ISO 8601, with time and zone only if the page gives them.
    pub published_text: Option<String>,
    /// When it was last changed; zone and time as for `published`.
    pub modified: Option<Timestamp>,
    /// The same as ISO 8601; zone and time as for `published_text`.
    pub modified_text: Option<String>,
    /// Its language as a BCP 47 tag.
    pub language: Option<String>,
    /// The source of the language.
    pub language_source: Option<String>,
    /// Text direction.
    pub direction: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// Its description of itself.
    pub description: Option<String>,
    /// Its preferred address.
    pub canonical: Option<String>,
    /// Address of its representative image.
    pub image: Option<String>,
    /// Tags and keywords.
    pub tags: Vec<String>,
    /// Its licence: an address or a text.
    pub license: Option<String>,
    /// Addresses of feeds.
    pub feeds: Vec<String>,
    /// URL of its AMP version.
    pub amp: Option<String>,
    /// Declared types of the page.
    pub types: Vec<String>,
    /// The page type, if the method predicts one.
    pub page_type: Option<String>,
    /// The expected F1 of the result, from 0 to 1.
    pub confidence: Option<f32>,
    /// Its content as plain text.
    pub text: String,
    /// Its content as Markdown.
    pub markdown: String,
    /// XXH3 of the lowercased words of its content: the same for pages with the same text.
    #[serde(with = "table::hex")]
    pub hash: u64,
    /// Keys for finding near duplicates, if requested.
    #[serde(with = "table::hexes")]
    pub signature: Vec<u64>,
    /// Codes of truncations and repairs.
    pub problems: Vec<String>,
}

row!(
    PageRow,
    Table::Pages,
    [
        id, url, host, fetched, fetched_text, http_status, content_type, content_language, encoding, encoding_because, transcoded,
        warc_record_id, payload_digest, title, authors, published, published_text, modified, modified_text, language,
        language_source, direction, site_name, description, canonical, image, tags, license, feeds, amp, types, page_type,
        confidence, text, markdown, hash, signature, problems,
    ]
);
