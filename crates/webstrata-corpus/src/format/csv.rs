//! Pages as rows of CSV (RFC 4180): trafilatura's columns in its order, followed by further metadata.

use crate::format::xml::PageParts;
use webstrata::content::metadata::{Metadata, Value};

/// The header row.
pub const HEADER: &str = "url,id,fingerprint,hostname,title,image,date,text,comments,license,pagetype,author,sitename,language,\
    tags,description\r\n";

/// The row of a page.
pub(crate) fn row(parts: &PageParts<'_>, text: &str) -> String {
    let metadata = parts.metadata;
    let one = |value: &Option<Value<String>>| value.as_ref().map(|value| value.value.clone()).unwrap_or_default();
    let list = |values: &[Value<String>]| values.iter().map(|value| value.value.as_str()).collect::<Vec<_>>().join("; ");
    let source = parts.source().unwrap_or_default();
    let columns = [
        source.to_owned(),
        parts.id.to_owned(),
        parts.fingerprint.clone(),
        host(source).to_owned(),
        one(&metadata.title),
        one(&metadata.image),
        day(metadata),
        text.to_owned(),
        parts.comments.join("\n"),
        one(&metadata.license),
        metadata.types.first().map(|kind| kind.value.clone()).unwrap_or_default(),
        list(&metadata.authors),
        one(&metadata.site_name),
        one(&metadata.language),
        list(&metadata.tags),
        one(&metadata.description),
    ];
    columns.iter().map(|column| field(column)).collect::<Vec<_>>().join(",") + "\r\n"
}

fn day(metadata: &Metadata) -> String {
    metadata.date().map(|date| date.value.to_day().to_string()).unwrap_or_default()
}

fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    let authority = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let end = if host.starts_with('[') { host.find(']').map(|at| at + 1) } else { host.find(':') };
    &host[..end.unwrap_or(host.len())]
}

/// A field, in quotes if it has a comma, a quote or a newline, or if its spaces might be dropped.
fn field(text: &str) -> String {
    let quoted = text.contains([',', '"', '\n', '\r', '\u{2028}']) || text.starts_with(' ') || text.ends_with(' ');
    if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted() {
        for (text, want) in
            [("rain", "rain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), (" a", "\" a\"")]
        {
            assert_eq!(field(text), want);
        }
        assert_eq!(HEADER.split(',').count(), 16);
        assert_eq!(host("https://me@e.org:80/a"), "e.org");
    }
}
