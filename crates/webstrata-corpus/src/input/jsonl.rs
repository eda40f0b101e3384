//! JSON Lines: one page per line, plain or compressed. The names of the fields with the page, its address and its date are
//! options.

use super::decompress::{Location, Stream};
use super::{Broken, InputOptions, Item, Reason};
use crate::document::{Document, Origin};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Bytes searched at a time.
const STRIDE: usize = 1 << 16;
/// Bytes of JSON per byte of a page. A character takes up to six; two on average is more than any page needs.
const ESCAPES: u64 = 2;
/// Bytes of a line besides the page.
const OTHER_FIELDS: u64 = 1 << 20;
/// Decompression-bomb ratio, as for WARC files.
const WASTE_RATIO: u64 = 100;
const FREE_WASTE: u64 = 1 << 26;

/// Reads a file of JSON Lines.
#[derive(Debug)]
pub(super) struct JsonLines {
    name: Arc<str>,
    stream: Stream,
}

impl JsonLines {
    /// Reads the lines of a stream.
    pub(super) fn new(name: Arc<str>, stream: Stream) -> JsonLines {
        JsonLines { name, stream }
    }

    pub(super) fn stream(&self) -> &Stream {
        &self.stream
    }

    pub(super) fn stream_mut(&mut self) -> &mut Stream {
        &mut self.stream
    }

    /// The next page or broken line.
    pub(super) fn next(&mut self, options: &InputOptions) -> io::Result<Option<Item>> {
        let max_line = options.max_bytes.saturating_mul(ESCAPES).saturating_add(OTHER_FIELDS);
        let max_line = usize::try_from(max_line).unwrap_or(usize::MAX);
        loop {
            self.stream.fill(1)?;
            let location = self.stream.location(0);
            let mut seen = 0;
            let end = loop {
                let there = self.stream.fill(seen + STRIDE)?;
                if let Some(end) = self.stream.ahead()[seen..].iter().position(|&byte| byte == b'\n') {
                    break Some(seen + end);
                }
                if there < seen + STRIDE || there > max_line {
                    break None;
                }
                seen = there;
            };
            let there = self.stream.ahead().len();
            let Some(end) = end.or((self.stream.damage().is_none() && there <= max_line).then_some(there)) else {
                return self.broken(location, max_line).map(Some);
            };
            if end == 0 && there == 0 {
                return Ok(None);
            }
            let item = self.item(location, end, options);
            self.stream.consume((end + 1).min(there));
            // Advances the position to the next line.
            self.stream.fill(1)?;
            if let Some(item) = item {
                return Ok(Some(item));
            }
        }
    }

    fn origin(&self, location: Location) -> Origin {
        Origin { file: Arc::clone(&self.name), offset: location.offset, inside: location.inside }
    }

    /// The page in a line of `end` bytes; `None` for an empty line.
    fn item(&self, location: Location, end: usize, options: &InputOptions) -> Option<Item> {
        let line = self.stream.ahead()[..end].trim_ascii();
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if line.is_empty() {
            return None;
        }
        let broken = |message: String| Some(Item::Broken(Broken::damaged(self.origin(location), message)));
        let missing = |message: String| Some(Item::Broken(Broken::new(self.origin(location), Reason::Unreadable, message)));
        let mut json = serde_json::Deserializer::from_slice(line);
        let row = match (Row { options }).deserialize(&mut json).and_then(|found| json.end().map(|()| found)) {
            Ok(row) => row,
            Err(error) => return broken(format!("invalid JSON: {error}")),
        };
        let Some(html) = row.html else {
            return missing(format!(
                "no text in the field {:?}; name the field with the page (--html-column)",
                options.html_column
            ));
        };
        // One byte more than the limit shows the page library that the page was truncated.
        let mut bytes = html.into_bytes();
        bytes.truncate(usize::try_from(options.max_bytes).unwrap_or(usize::MAX).saturating_add(1));
        // JSON text is Unicode, whatever the page declares.
        let charset = Some("utf-8".to_owned());
        let origin = self.origin(location);
        Some(Item::Document(Document { url: row.url, date: row.date, charset, ..Document::new(origin, bytes) }))
    }

    /// Reports damage or an overlong line, and goes to the next line.
    fn broken(&mut self, location: Location, max_line: usize) -> io::Result<Item> {
        let mut reason = format!("the line is longer than {max_line} bytes");
        let (began, mut wasted) = (self.stream.position(), 0u64);
        loop {
            let there = self.stream.fill(STRIDE)?;
            if let Some(end) = self.stream.ahead().iter().position(|&byte| byte == b'\n') {
                self.stream.consume(end + 1);
                self.stream.fill(1)?;
                break;
            }
            self.stream.consume(there);
            wasted += there as u64;
            if wasted > FREE_WASTE + WASTE_RATIO * self.stream.position().saturating_sub(began) {
                self.stream.abandon_member("a member decompresses to more than a hundred times its size without a line end");
            }
            if let Some(damage) = self.stream.damage() {
                let cause = damage.to_string();
                let skipped = self.stream.recover()?;
                reason = format!("{cause}; {skipped} bytes are skipped");
                // A member that starts like a line is the start of a line.
                self.stream.fill(1)?;
                if self.stream.ahead().first() == Some(&b'{') {
                    break;
                }
            } else if there < STRIDE {
                break;
            }
        }
        Ok(Item::Broken(Broken::damaged(self.origin(location), reason)))
    }
}

/// Whether the first line of a file has a page. Also true if it cannot be read, which is reported when the file is read.
pub(super) fn has_pages(path: &Path, options: &InputOptions) -> bool {
    let first = || -> io::Result<Option<Item>> { JsonLines::new("".into(), Stream::new(File::open(path)?.into())?).next(options) };
    match first() {
        Ok(Some(Item::Broken(broken))) => broken.is_damaged(),
        Ok(None) => false,
        _ => true,
    }
}

/// The fields that are used.
#[derive(Debug, Default)]
struct Found {
    html: Option<String>,
    url: Option<String>,
    date: Option<String>,
}

/// Reads the wanted fields of a line and ignores the others.
struct Row<'a> {
    options: &'a InputOptions,
}

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = Found;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Found, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one object per line")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Found, M::Error> {
        let mut found = Found::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == self.options.html_column {
                found.html = map.next_value()?;
            } else if key == self.options.url_column {
                found.url = map.next_value::<Scalar>()?.0;
            } else if key == self.options.date_column {
                found.date = map.next_value::<Scalar>()?.0;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// Text, or a number as text. Anything else counts as missing.
struct Scalar(Option<String>);

impl<'de> serde::Deserialize<'de> for Scalar {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        // The length of a value is bounded by its line, and its depth by the parser, which stops at 128 levels.
        Ok(Scalar(match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Some(text),
            serde_json::Value::Number(number) => Some(number.to_string()),
            _ => None,
        }))
    }
}
