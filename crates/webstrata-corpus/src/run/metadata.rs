//! The metadata columns of a page: from the archive, and from the page itself.

use crate::store::PageRow;
use crate::{Document, Timestamp};
use webstrata::Page;
use webstrata::content::metadata::{Date, Metadata, Value};

/// A row with what is known before extraction: where the page was read from, how it was fetched and decoded.
pub(super) fn captured(document: &Document, page: &Page<'_>) -> PageRow {
    let capture = &document.capture;
    PageRow {
        id: document.origin.to_string(),
        url: document.url.clone(),
        fetched: document.date.as_deref().and_then(Timestamp::parse),
        fetched_text: document.date.clone(),
        http_status: capture.status,
        content_type: capture.content_type.clone(),
        content_language: capture.content_language.clone(),
        encoding: page.encoding().name().to_owned(),
        encoding_because: page.evidence().to_string(),
        transcoded: page.is_transcoded(),
        warc_record_id: capture.record_id.clone(),
        payload_digest: capture.payload_digest.clone(),
        title: page.title().map(str::to_owned),
        problems: document.problems.clone(),
        ..PageRow::default()
    }
}

/// Sets the metadata columns.
pub(super) fn fill(metadata: Metadata, row: &mut PageRow) {
    row.title = one(metadata.title);
    row.authors = list(metadata.authors);
    (row.published, row.published_text) = date(metadata.published);
    (row.modified, row.modified_text) = date(metadata.modified);
    row.language_source = metadata.language.as_ref().map(|language| language.source.to_string());
    row.language = one(metadata.language);
    row.direction = one(metadata.direction);
    row.site_name = one(metadata.site_name);
    row.description = one(metadata.description);
    row.canonical = one(metadata.canonical);
    row.image = one(metadata.image);
    row.tags = list(metadata.tags);
    row.license = one(metadata.license);
    row.feeds = list(metadata.feeds);
    row.amp = one(metadata.amp);
    row.types = list(metadata.types);
}

fn one(value: Option<Value<String>>) -> Option<String> {
    value.map(|value| value.value)
}

fn list(values: Vec<Value<String>>) -> Vec<String> {
    values.into_iter().map(|value| value.value).collect()
}

fn date(value: Option<Value<Date>>) -> (Option<Timestamp>, Option<String>) {
    let date = value.map(|value| value.value);
    (date.as_ref().and_then(Timestamp::from_date), date.map(|date| date.to_string()))
}
