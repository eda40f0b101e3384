//! Developer tool, not a tutorial: extracts the metadata of many pages. Reads paths from standard input, one per line, each
//! optionally followed by a tab and the page's address. Writes one line of JSON per page.
//!
//! `ls pages/*.html | cargo run --release -p webstrata --example metadata`
#![allow(clippy::print_stdout, reason = "the result of a program")]

use serde_json::{Value as Json, json};
use std::error::Error;
use std::io::{self, BufRead, Write};
use webstrata::Page;
use webstrata::content::metadata::{Metadata, MetadataOptions, Value};

fn one<T: ToString>(value: &Option<Value<T>>) -> Json {
    value.as_ref().map_or(Json::Null, |v| json!({"value": v.value.to_string(), "source": v.source.to_string()}))
}

fn many(values: &[Value<String>]) -> Json {
    values.iter().map(|v| json!({"value": v.value, "source": v.source.to_string()})).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (path, url) = line.split_once('\t').map_or((line.as_str(), None), |(path, url)| (path, Some(url)));
        let bytes = std::fs::read(path)?;
        let page = Page::parse(&bytes);
        let m = Metadata::from_dom(page.dom(), &MetadataOptions::default().url(url.filter(|u| !u.is_empty())));
        let object = json!({
            "file": path, "title": one(&m.title), "authors": many(&m.authors), "date": one(&m.date().cloned()), "published": one(&m.published), "modified": one(&m.modified),
            "language": one(&m.language), "site_name": one(&m.site_name), "description": one(&m.description), "canonical": one(&m.canonical),
            "image": one(&m.image), "tags": many(&m.tags), "license": one(&m.license), "feeds": many(&m.feeds), "amp": one(&m.amp),
            "types": many(&m.types),
        });
        writeln!(out, "{object}")?;
    }
    out.flush()?;
    Ok(())
}
