//! JSON Lines with one text per line.

use super::{Item, SourceOptions, Text};
use crate::dedup::error::{DedupError, at};
use crate::input::{Failure, Reason};
use crate::io::{self, LineReader};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A line of the file.
pub(crate) struct Line {
    /// The bytes of the line, including its newline.
    pub(crate) bytes: Vec<u8>,
    /// The text, or the position of the line and an error message.
    pub(crate) text: Result<Text, (String, String)>,
}

impl Line {
    pub(super) fn into_item(self) -> Item {
        match self.text {
            Ok(text) => Item::Text(text),
            Err((name, message)) => Item::Broken(name, Failure::new(Reason::Damaged, message)),
        }
    }
}

/// Reads a file line by line, skipping blank lines.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    options: SourceOptions,
    reader: LineReader,
}

impl Lines {
    pub(crate) fn open(path: &Path, options: &SourceOptions) -> Result<Self, DedupError> {
        let reader = LineReader::open(path, options.pages.max_bytes).map_err(at(path))?;
        Ok(Lines { path: path.to_owned(), options: options.clone(), reader })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line>, DedupError> {
        loop {
            let (offset, mut bytes) = (self.reader.offset(), Vec::new());
            let text = match self.reader.read(&mut bytes).map_err(at(&self.path))? {
                None => return Ok(None),
                Some(io::Line::TooLong) => {
                    Err(self.wrong(offset, format!("the line is longer than {} bytes", self.options.pages.max_bytes)))
                }
                Some(io::Line::Complete) if bytes.trim_ascii().is_empty() => continue,
                Some(io::Line::Complete) => self.text(&bytes, offset),
            };
            return Ok(Some(Line { bytes, text }));
        }
    }

    fn wrong(&self, offset: u64, message: impl Into<String>) -> (String, String) {
        (format!("{}@{offset}", self.path.display()), message.into())
    }

    fn text(&self, line: &[u8], offset: u64) -> Result<Text, (String, String)> {
        let value: Value = serde_json::from_slice(line).map_err(|error| self.wrong(offset, error.to_string()))?;
        let Value::Object(mut fields) = value else { return Err(self.wrong(offset, "not a JSON object")) };
        let options = &self.options;
        let Some(Value::String(text)) = fields.remove(&options.text_column) else {
            return Err(self.wrong(offset, format!("the field '{}' has no text", options.text_column)));
        };
        let id = match fields.remove(&options.id_column) {
            Some(Value::String(id)) => id,
            Some(Value::Number(id)) => id.to_string(),
            _ => format!("{}@{offset}", self.path.display()),
        };
        let date = fields.get(&options.pages.date_column).and_then(Value::as_str).map(str::to_owned);
        let confidence = fields.get(&options.confidence_column).and_then(Value::as_f64).map(|confidence| confidence as f32);
        Ok(Text { id, text, date, confidence })
    }
}

/// Whether the file name has an extension of JSON Lines.
pub(super) fn has_jsonl_name(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending))
}

/// Whether the first line of the file has a text rather than a page.
pub(super) fn has_texts(path: &Path, options: &SourceOptions) -> Result<bool, DedupError> {
    let Some(line) = Lines::open(path, options)?.next()? else { return Ok(true) };
    let Ok(Value::Object(fields)) = serde_json::from_slice::<Value>(&line.bytes) else { return Ok(true) };
    Ok(fields.contains_key(&options.text_column) || !fields.contains_key(&options.pages.html_column))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(name: &str, bytes: &[u8], options: &SourceOptions) -> Vec<Result<Text, String>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut lines = Lines::open(&path, options).unwrap();
        let joined = |(name, message): (String, String)| format!("{name}: {message}");
        std::iter::from_fn(|| lines.next().unwrap()).map(|line| line.text.map_err(joined)).collect()
    }

    #[test]
    fn lines_are_texts_or_errors() {
        let input = b"{\"id\": 7, \"text\": \"a\", \"date\": \"2024\", \"confidence\": 0.5}\n\n  \n[1]\n{\"text\": 1}\n{bad\n{\"text\": \"b\"}";
        let read = read("a.jsonl", input, &SourceOptions::default());
        assert_eq!(read[0], Ok(Text { id: "7".into(), text: "a".into(), date: Some("2024".into()), confidence: Some(0.5) }));
        for (place, word) in [(1, "not a JSON object"), (2, "'text'"), (3, "key must be")] {
            let error = read[place].as_ref().unwrap_err();
            assert!(error.contains(word) && error.contains("a.jsonl@"), "{error}");
        }
        let last = format!("a.jsonl@{}", input.len() - "{'text': 'b'}".len());
        assert!(read[4].as_ref().unwrap().id.ends_with(&last), "{:?}", read[4]);
        assert_eq!(read.len(), 5);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut options = SourceOptions::default();
        options.pages.max_bytes = 40;
        let long = format!("{{\"text\": \"{}\"}}\n{{\"id\": \"b\", \"text\": \"b\"}}\n", "x".repeat(200_000));
        let read = read("a.jsonl", long.as_bytes(), &options);
        assert!(read[0].as_ref().unwrap_err().contains("longer than 40 bytes"));
        assert_eq!((read.len(), read[1].as_ref().unwrap().id.as_str()), (2, "b"));
    }

    #[test]
    fn compressed_lines_are_read() {
        let line = b"{\"id\": \"a\", \"text\": \"a\"}\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(line).unwrap();
        for (name, bytes) in [("a.jsonl.gz", gzip.finish().unwrap()), ("a.jsonl.zst", zstd::encode_all(&line[..], 1).unwrap())] {
            assert_eq!(read(name, &bytes, &SourceOptions::default())[0].as_ref().unwrap().id, "a", "{name}");
            assert!(has_jsonl_name(Path::new(name)));
        }
        assert!(!has_jsonl_name(Path::new("a.warc.gz")));
    }
}
