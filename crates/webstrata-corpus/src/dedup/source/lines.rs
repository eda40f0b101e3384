//! JSON Lines with a text in each, plain or packed with gzip or zstd.

use super::{Item, SourceOptions, Text};
use crate::dedup::error::{DedupError, at};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A line of the file.
pub(crate) struct Line {
    /// As it is written, with its end.
    pub(crate) bytes: Vec<u8>,
    /// What it says, or what is wrong with it.
    pub(crate) text: Result<Text, String>,
}

impl Line {
    pub(super) fn into_item(self) -> Item {
        match self.text {
            Ok(text) => Item::Text(text),
            Err(error) => Item::Broken(error),
        }
    }
}

/// Reads a file line by line. Lines of nothing but white space do not count.
pub(crate) struct Lines {
    path: PathBuf,
    options: SourceOptions,
    from: Box<dyn BufRead + Send>,
    /// Where the next line begins, in what the file unpacks to.
    offset: u64,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("path", &self.path).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl Lines {
    pub(crate) fn open(path: &Path, options: &SourceOptions) -> Result<Self, DedupError> {
        let file = File::open(path).map_err(at(path))?;
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let from: Box<dyn BufRead + Send> = match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("gz") => Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file))),
            Some("zst") => Box::new(BufReader::with_capacity(1 << 16, zstd::Decoder::new(file).map_err(at(path))?)),
            _ => Box::new(BufReader::with_capacity(1 << 16, file)),
        };
        Ok(Lines { path: path.to_owned(), options: options.clone(), from, offset: 0 })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line>, DedupError> {
        loop {
            let Some((bytes, whole)) = self.line()? else { return Ok(None) };
            let begun = self.offset;
            self.offset += bytes.len() as u64;
            if !whole {
                self.offset += self.pass_over()?;
                let text = Err(self.wrong(begun, &format!("the line is longer than {} bytes", self.options.pages.max_record)));
                return Ok(Some(Line { bytes, text }));
            }
            if !bytes.trim_ascii().is_empty() {
                let text = self.text(&bytes, begun);
                return Ok(Some(Line { bytes, text }));
            }
        }
    }

    /// The next line, and whether it is whole: what is too long is cut.
    fn line(&mut self) -> Result<Option<(Vec<u8>, bool)>, DedupError> {
        let mut bytes = Vec::new();
        let most = self.options.pages.max_record;
        let read = self.from.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(at(&self.path))?;
        let whole = (read as u64) < most || bytes.ends_with(b"\n");
        Ok((read > 0).then_some((bytes, whole)))
    }

    /// Passes over the rest of a line.
    fn pass_over(&mut self) -> Result<u64, DedupError> {
        let mut passed = 0;
        loop {
            let buffer = match self.from.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(at(&self.path)(error)),
            };
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let step = end.map_or(buffer.len(), |end| end + 1);
            let over = end.is_some() || step == 0;
            self.from.consume(step);
            passed += step as u64;
            if over {
                return Ok(passed);
            }
        }
    }

    fn wrong(&self, offset: u64, what: &str) -> String {
        format!("{}@{offset}: {what}", self.path.display())
    }

    fn text(&self, line: &[u8], offset: u64) -> Result<Text, String> {
        let value: Value = serde_json::from_slice(line).map_err(|error| self.wrong(offset, &error.to_string()))?;
        let Value::Object(mut fields) = value else { return Err(self.wrong(offset, "it is no JSON object")) };
        let options = &self.options;
        let Some(Value::String(text)) = fields.remove(&options.text_column) else {
            return Err(self.wrong(offset, &format!("there is no text in the field '{}'", options.text_column)));
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

/// Is the file called as JSON Lines are?
pub(super) fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending))
}

/// Has the first line of the file a text, and no page?
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
        std::iter::from_fn(|| lines.next().unwrap()).map(|line| line.text).collect()
    }

    #[test]
    fn lines_are_texts_or_say_what_is_wrong() {
        let input = b"{\"id\": 7, \"text\": \"a\", \"date\": \"2024\", \"confidence\": 0.5}\n\n  \n[1]\n{\"text\": 1}\n{bad\n{\"text\": \"b\"}";
        let read = read("a.jsonl", input, &SourceOptions::default());
        assert_eq!(read[0], Ok(Text { id: "7".into(), text: "a".into(), date: Some("2024".into()), confidence: Some(0.5) }));
        for (place, word) in [(1, "no JSON object"), (2, "'text'"), (3, "key must be")] {
            let error = read[place].as_ref().unwrap_err();
            assert!(error.contains(word) && error.contains("a.jsonl@"), "{error}");
        }
        let last = format!("a.jsonl@{}", input.len() - "{'text': 'b'}".len());
        assert!(read[4].as_ref().unwrap().id.ends_with(&last), "{:?}", read[4]);
        assert_eq!(read.len(), 5);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let mut options = SourceOptions::default();
        options.pages.max_record = 40;
        let long = format!("{{\"text\": \"{}\"}}\n{{\"id\": \"b\", \"text\": \"b\"}}\n", "x".repeat(200_000));
        let read = read("a.jsonl", long.as_bytes(), &options);
        assert!(read[0].as_ref().unwrap_err().contains("longer than 40 bytes"));
        assert_eq!((read.len(), read[1].as_ref().unwrap().id.as_str()), (2, "b"));
    }

    #[test]
    fn packed_lines_are_unpacked() {
        let line = b"{\"id\": \"a\", \"text\": \"a\"}\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(line).unwrap();
        for (name, bytes) in [("a.jsonl.gz", gzip.finish().unwrap()), ("a.jsonl.zst", zstd::encode_all(&line[..], 1).unwrap())] {
            assert_eq!(read(name, &bytes, &SourceOptions::default())[0].as_ref().unwrap().id, "a", "{name}");
            assert!(is_named_so(Path::new(name)));
        }
        assert!(!is_named_so(Path::new("a.warc.gz")));
    }
}
