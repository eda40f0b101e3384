//! Metadata in XML: attributes of `doc`, and the TEI header.

use super::XmlOptions;
use super::escape::{address, attribute, text};
use crate::content::metadata::{Metadata, Value};
use crate::html::address as addresses;

/// The values of a list, separated by semicolons.
fn joined(values: &[Value<String>]) -> String {
    values.iter().map(|value| value.value.as_str()).collect::<Vec<_>>().join("; ")
}

fn plain(value: Option<&Value<String>>) -> Option<&str> {
    value.map(|value| value.value.as_str())
}

/// The address of the page: the one in the options, else the one it declares.
fn source<'o>(options: &XmlOptions<'o>) -> Option<&'o str> {
    options.url.or_else(|| options.metadata.and_then(|metadata| plain(metadata.canonical.as_ref())))
}

/// Appends the attributes of `doc`.
pub(super) fn attributes(options: &XmlOptions<'_>, out: &mut String) {
    let nothing = Metadata::default();
    let metadata = options.metadata.unwrap_or(&nothing);
    let source = source(options).unwrap_or_default();
    let date = metadata.date().map(|date| date.value.to_day().to_string()).unwrap_or_default();
    let values = [
        ("sitename", plain(metadata.site_name.as_ref()).unwrap_or_default()),
        ("title", plain(metadata.title.as_ref()).unwrap_or_default()),
        ("author", &joined(&metadata.authors)),
        ("date", &date),
        ("source", source),
        ("hostname", addresses::host(source).unwrap_or_default()),
        ("excerpt", plain(metadata.description.as_ref()).unwrap_or_default()),
        ("categories", &joined(&metadata.types)),
        ("tags", &joined(&metadata.tags)),
        ("license", plain(metadata.license.as_ref()).unwrap_or_default()),
        ("image", plain(metadata.image.as_ref()).unwrap_or_default()),
        ("language", plain(metadata.language.as_ref()).unwrap_or_default()),
        ("id", options.id.unwrap_or_default()),
        ("fingerprint", options.fingerprint.unwrap_or_default()),
    ];
    for (name, value) in values.into_iter().filter(|(_, value)| !value.is_empty()) {
        attribute(name, value, out);
    }
}

/// Appends `<name attributes>text</name>`.
fn element(name: &str, attributes: &[(&str, &str)], content: &str, out: &mut String) {
    out.push('<');
    out.push_str(name);
    attributes.iter().for_each(|(name, value)| attribute(name, value, out));
    out.push('>');
    text(content, out);
    out.push_str("</");
    out.push_str(name);
    out.push_str(">\n");
}

/// Appends the TEI header.
pub(super) fn tei(options: &XmlOptions<'_>, out: &mut String) {
    let nothing = Metadata::default();
    let metadata = options.metadata.unwrap_or(&nothing);
    out.push_str("<teiHeader>\n<fileDesc>\n");
    title_statement(metadata, out);
    out.push_str("<publicationStmt>\n<p>The content of a Web page, extracted from its HTML.</p>\n</publicationStmt>\n");
    let notes = [("id", options.id), ("fingerprint", options.fingerprint)];
    if notes.iter().any(|(_, note)| note.is_some()) {
        out.push_str("<notesStmt>\n");
        for (kind, note) in notes.into_iter().filter_map(|(kind, note)| Some((kind, note?))) {
            element("note", &[("type", kind)], note, out);
        }
        out.push_str("</notesStmt>\n");
    }
    source_description(options, metadata, out);
    out.push_str("</fileDesc>\n<encodingDesc>\n<appInfo>\n<application ident=\"webstrata\"");
    attribute("version", env!("CARGO_PKG_VERSION"), out);
    out.push_str(">\n<label>webstrata</label>\n</application>\n</appInfo>\n</encodingDesc>\n");
    profile(metadata, out);
    out.push_str("</teiHeader>\n");
}

fn title_statement(metadata: &Metadata, out: &mut String) {
    out.push_str("<titleStmt>\n");
    element("title", &[("type", "main")], plain(metadata.title.as_ref()).unwrap_or_default(), out);
    for author in &metadata.authors {
        element("author", &[], &author.value, out);
    }
    out.push_str("</titleStmt>\n");
}

/// Appends the publication date, with the attribute `when`, which requires a complete date.
fn date(metadata: &Metadata, out: &mut String) {
    if let Some(date) = metadata.date() {
        let day = date.value.to_day().to_string();
        element("date", &[("when", &day)], &date.value.to_string(), out);
    }
}

fn source_description(options: &XmlOptions<'_>, metadata: &Metadata, out: &mut String) {
    let source = source(options);
    let host = source.and_then(addresses::host);
    let site = plain(metadata.site_name.as_ref()).or(host);
    let day = metadata.date().map(|date| date.value.to_day().to_string());
    let parts = [plain(metadata.title.as_ref()), site, day.as_deref()];
    let short: Vec<&str> = parts.into_iter().flatten().collect();
    out.push_str("<sourceDesc>\n");
    element("bibl", &[], &short.join(", "), out);
    out.push_str("<biblFull>\n");
    title_statement(metadata, out);
    out.push_str("<publicationStmt>\n");
    let publisher = match (plain(metadata.site_name.as_ref()), host) {
        (Some(name), Some(host)) => format!("{name} ({host})"),
        (name, host) => name.or(host).unwrap_or_default().to_owned(),
    };
    element("publisher", &[], &publisher, out);
    if let Some(source) = source.filter(|source| !source.trim().is_empty()) {
        out.push_str("<ptr type=\"URL\"");
        address("target", source, out);
        out.push_str("/>\n");
    }
    date(metadata, out);
    if let Some(license) = plain(metadata.license.as_ref()) {
        out.push_str("<availability>\n");
        element("p", &[], license, out);
        out.push_str("</availability>\n");
    }
    out.push_str("</publicationStmt>\n</biblFull>\n</sourceDesc>\n");
}

fn profile(metadata: &Metadata, out: &mut String) {
    out.push_str("<profileDesc>\n<abstract>\n");
    element("p", &[], plain(metadata.description.as_ref()).unwrap_or_default(), out);
    out.push_str("</abstract>\n");
    if let Some(language) = plain(metadata.language.as_ref()) {
        out.push_str("<langUsage>\n");
        element("language", &[("ident", language)], language, out);
        out.push_str("</langUsage>\n");
    }
    if !metadata.tags.is_empty() || !metadata.types.is_empty() {
        out.push_str("<textClass>\n<keywords>\n");
        for (kind, values) in [("categories", &metadata.types), ("tags", &metadata.tags)] {
            values.iter().for_each(|value| element("term", &[("type", kind)], &value.value, out));
        }
        out.push_str("</keywords>\n</textClass>\n");
    }
    if metadata.date().is_some() {
        out.push_str("<creation>");
        date(metadata, out);
        out.push_str("</creation>\n");
    }
    out.push_str("</profileDesc>\n");
}
