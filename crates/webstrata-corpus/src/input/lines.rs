//! JSON Lines: a page a line, plain or packed, with the page, its address and its date under names that can be chosen.

use super::http::cut;
use super::tape::{Place, Tape};
use super::{Broken, InputOptions, Item};
use crate::document::{Document, Origin};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Bytes that are looked at at a time.
const STRIDE: usize = 1 << 16;
/// A character of a page takes up to six bytes in JSON; two, on average, is more than any page needs.
const ESCAPES: u64 = 2;
/// Bytes of a line beside the page.
const OTHER_FIELDS: u64 = 1 << 20;
/// As for WARC files: bytes that may be unpacked for nothing.
const WASTE_RATIO: u64 = 100;
const FREE_WASTE: u64 = 1 << 26;

/// A file of lines that is being read.
#[derive(Debug)]
pub(super) struct Lines {
    name: Arc<str>,
    tape: Tape,
}

impl Lines {
    /// A file from its beginning.
    pub(super) fn new(name: Arc<str>, file: File) -> io::Result<Lines> {
        Ok(Lines { name, tape: Tape::new(file)? })
    }

    pub(super) fn tape(&self) -> &Tape {
        &self.tape
    }

    pub(super) fn tape_mut(&mut self) -> &mut Tape {
        &mut self.tape
    }

    /// The next page or broken line.
    pub(super) fn next(&mut self, options: &InputOptions) -> io::Result<Option<Item>> {
        let longest = options.max_record.saturating_mul(ESCAPES).saturating_add(OTHER_FIELDS);
        let longest = usize::try_from(longest).unwrap_or(usize::MAX);
        loop {
            self.tape.fill(1)?;
            let place = self.tape.place(0);
            let mut seen = 0;
            let end = loop {
                let there = self.tape.fill(seen + STRIDE)?;
                if let Some(end) = self.tape.ahead()[seen..].iter().position(|&byte| byte == b'\n') {
                    break Some(seen + end);
                }
                if there < seen + STRIDE || there > longest {
                    break None;
                }
                seen = there;
            };
            let there = self.tape.ahead().len();
            let Some(end) = end.or((self.tape.damage().is_none() && there <= longest).then_some(there)) else {
                return self.broken(place, longest).map(Some);
            };
            if end == 0 && there == 0 {
                return Ok(None);
            }
            let item = self.item(place, end, options);
            self.tape.take((end + 1).min(there));
            // So that the position is that of the next line.
            self.tape.fill(1)?;
            if let Some(item) = item {
                return Ok(Some(item));
            }
        }
    }

    fn origin(&self, place: Place) -> Origin {
        Origin { file: Arc::clone(&self.name), offset: place.offset, inside: place.inside }
    }

    /// The page in the line of `end` bytes; nothing in an empty line.
    fn item(&self, place: Place, end: usize, options: &InputOptions) -> Option<Item> {
        let line = self.tape.ahead()[..end].trim_ascii();
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if line.is_empty() {
            return None;
        }
        let broken = |reason: String| Some(Item::Broken(Broken { origin: self.origin(place), reason }));
        let mut json = serde_json::Deserializer::from_slice(line);
        let row = match (Row { options }).deserialize(&mut json).and_then(|found| json.end().map(|()| found)) {
            Ok(row) => row,
            Err(error) => return broken(format!("broken JSON: {error}")),
        };
        let Some(html) = row.html else { return broken(format!("the line has no text named {:?}", options.html_column)) };
        let mut problems = Vec::new();
        let limit = usize::try_from(options.max_record).unwrap_or(usize::MAX);
        let bytes = cut(html.into_bytes(), limit, &mut problems);
        // Text in JSON is Unicode, whatever the page says about itself.
        let charset = Some("utf-8".to_owned());
        Some(Item::Document(Document { origin: self.origin(place), url: row.url, date: row.date, charset, bytes, problems }))
    }

    /// Names what is damaged, or a line without end, and goes to the next line.
    fn broken(&mut self, place: Place, longest: usize) -> io::Result<Item> {
        let mut reason = format!("the line is longer than {longest} bytes");
        let (began, mut wasted) = (self.tape.position(), 0u64);
        loop {
            let there = self.tape.fill(STRIDE)?;
            if let Some(end) = self.tape.ahead().iter().position(|&byte| byte == b'\n') {
                self.tape.take(end + 1);
                self.tape.fill(1)?;
                break;
            }
            self.tape.take(there);
            wasted += there as u64;
            if wasted > FREE_WASTE + WASTE_RATIO * self.tape.position().saturating_sub(began) {
                self.tape.give_up_member("a member unpacks to more than a hundred times its size, without a line end");
            }
            if let Some(damage) = self.tape.damage() {
                let cause = damage.reason.clone();
                let skipped = self.tape.recover()?;
                reason = format!("{cause}; {skipped} bytes are skipped");
                // A member that begins as a line does is the beginning of a line.
                self.tape.fill(1)?;
                if self.tape.ahead().first() == Some(&b'{') {
                    break;
                }
            } else if there < STRIDE {
                break;
            }
        }
        Ok(Item::Broken(Broken { origin: self.origin(place), reason }))
    }
}

/// The fields of a line that are of use.
#[derive(Debug, Default)]
struct Found {
    html: Option<String>,
    url: Option<String>,
    date: Option<String>,
}

/// Reads a line by the names of its fields, and keeps nothing else.
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
        f.write_str("an object a line")
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

/// Text, or a number as text. Anything else is nothing.
struct Scalar(Option<String>);

impl<'de> serde::Deserialize<'de> for Scalar {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        // What a field holds is bounded by its line, and so is its depth: the parser stops at 128 levels.
        Ok(Scalar(match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Some(text),
            serde_json::Value::Number(number) => Some(number.to_string()),
            _ => None,
        }))
    }
}
