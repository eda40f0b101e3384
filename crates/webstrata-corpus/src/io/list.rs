//! Lists of files.
//!
//! One entry per line: `FILE`, `FILE<TAB>URL` or `{"file": …, "url": …}`. A list with NUL bytes, as `find -print0` writes it,
//! has one file name per NUL and nothing else, so names may contain anything.

use super::{Line, LineReader};
use serde::Deserialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longest entry: systems allow 4 kB for a file name, and servers 2 kB for an address.
const MAX_ENTRY: u64 = 1 << 16;

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ListEntry {
    /// The file, relative to the current folder, as on the command line.
    #[serde(rename = "file")]
    pub path: PathBuf,
    /// The address of the page in it.
    #[serde(default)]
    pub url: Option<String>,
}

/// An entry that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The entry is malformed. The list continues after it.
    #[error("{0}; a line is FILE, FILE<TAB>URL or {{\"file\": …, \"url\": …}}")]
    Malformed(String),
    /// The list cannot be read any further.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a list of files.
///
/// ```
/// use webstrata_corpus::io::FileList;
/// let list = b"a.html\thttps://example.org/a\ncrawl.warc.gz\n";
/// let entries: Vec<_> = FileList::new(&list[..]).map(Result::unwrap).collect();
/// assert_eq!(entries[0].url.as_deref(), Some("https://example.org/a"));
/// assert_eq!(entries[1].path.to_str(), Some("crawl.warc.gz"));
/// ```
#[derive(Debug)]
pub struct FileList {
    lines: LineReader,
    /// `None` until the beginning of the list has been read.
    nul_separated: Option<bool>,
    ended: bool,
}

impl FileList {
    /// Opens a list, plain or compressed.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: &Path) -> io::Result<FileList> {
        LineReader::open(path, MAX_ENTRY).map(FileList::from_lines)
    }

    /// Reads a list from a stream. Nothing is read before the first entry is requested.
    pub fn new(input: impl Read + Send + 'static) -> FileList {
        FileList::from_lines(LineReader::new(input, MAX_ENTRY))
    }

    fn from_lines(lines: LineReader) -> FileList {
        FileList { lines, nul_separated: None, ended: false }
    }

    /// The number of the last entry, from 1, counting empty ones.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.lines.number()
    }

    /// Whether the next entry can be read without waiting for the process that writes the list.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ended || self.lines.is_ready()
    }

    fn entry(&mut self, line: &mut Vec<u8>) -> Result<Option<ListEntry>, ListError> {
        let nul_separated = match self.nul_separated {
            Some(known) => known,
            None => {
                let found = self.lines.peek()?.contains(&0);
                if found {
                    self.lines.set_separator(0);
                }
                *self.nul_separated.insert(found)
            }
        };
        while let Some(read) = self.lines.read_trimmed(line)? {
            if read == Line::TooLong {
                return Err(
                    io::Error::new(io::ErrorKind::InvalidData, "the line is longer than 64 kB; is it a list of files?").into()
                );
            }
            if !line.is_empty() {
                let entry = if nul_separated { file_name(line).map(ListEntry::from) } else { parse(line) };
                return entry.map(Some).map_err(ListError::Malformed);
            }
        }
        Ok(None)
    }
}

impl Iterator for FileList {
    type Item = Result<ListEntry, ListError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let entry = self.entry(&mut Vec::new()).transpose();
        self.ended = matches!(entry, None | Some(Err(ListError::Io(_))));
        entry
    }
}

impl From<PathBuf> for ListEntry {
    fn from(path: PathBuf) -> ListEntry {
        ListEntry { path, url: None }
    }
}

fn parse(line: &[u8]) -> Result<ListEntry, String> {
    if line.starts_with(b"{\"") || line.starts_with(b"{ ") {
        return serde_json::from_slice(line).map_err(|error| format!("malformed JSON: {error}"));
    }
    if let Some(tab) = line.iter().rposition(|&byte| byte == b'\t')
        && let Ok(url) = std::str::from_utf8(&line[tab + 1..])
        && is_web_address(url.trim())
    {
        return Ok(ListEntry { path: file_name(&line[..tab])?, url: Some(url.trim().to_owned()) });
    }
    file_name(line).map(ListEntry::from)
}

/// Whether a text begins like a Web address.
fn is_web_address(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// File names are bytes on Unix and Unicode elsewhere.
fn file_name(bytes: &[u8]) -> Result<PathBuf, String> {
    #[cfg(unix)]
    let name = <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    let name = String::from_utf8(bytes.to_vec()).map_err(|error| error.to_string())?;
    Ok(PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(list: &'static [u8]) -> Vec<Result<(String, Option<String>), String>> {
        FileList::new(list)
            .map(|entry| entry.map(|e| (e.path.to_str().unwrap().to_owned(), e.url)).map_err(|error| error.to_string()))
            .collect()
    }

    #[test]
    fn an_entry_has_a_name_and_perhaps_an_address() {
        let one = |line: &'static str| entries(line.as_bytes()).pop().unwrap();
        let address = || Some("https://e.org/a?b=c".to_owned());
        assert_eq!(one("a b.html"), Ok(("a b.html".into(), None)));
        assert_eq!(one("a.html\thttps://e.org/a?b=c"), Ok(("a.html".into(), address())));
        assert_eq!(one("a\tb.html\thttps://e.org/a?b=c "), Ok(("a\tb.html".into(), address())));
        assert_eq!(one("a\tb.html\tHTTPS://e.org/"), Ok(("a\tb.html".into(), Some("HTTPS://e.org/".into()))));
        assert_eq!(one("a\tb.html"), Ok(("a\tb.html".into(), None)));
        assert_eq!(one(r#"{"url": "https://e.org/a?b=c", "file": "a.html"}"#), Ok(("a.html".into(), address())));
        assert_eq!(one(r#"{"file": "a.html", "more": 1}"#), Ok(("a.html".into(), None)));
        assert_eq!(one("{a}.html"), Ok(("{a}.html".into(), None)));
        assert!(one(r#"{"file": "#).unwrap_err().contains("malformed JSON"));
        assert!(one(r#"{"url": "https://e.org/"}"#).unwrap_err().contains("file"));
    }

    #[test]
    fn lines_may_be_empty_or_end_as_on_windows() {
        let names = |list| entries(list).into_iter().map(|entry| entry.unwrap().0).collect::<Vec<_>>();
        assert_eq!(names(b"\xef\xbb\xbfa\r\n\nb\n\n"), ["a", "b"]);
        assert_eq!(names(b""), [""; 0]);
    }

    #[test]
    fn names_between_nul_bytes_are_taken_as_they_are() {
        let names = entries(b"a\nb\0{\"file\": 1}\0c\thttp://e.org/\0").into_iter().map(Result::unwrap).collect::<Vec<_>>();
        let want = ["a\nb", "{\"file\": 1}", "c\thttp://e.org/"];
        assert_eq!(names, want.map(|name| (name.to_owned(), None)));
    }

    #[test]
    fn a_malformed_entry_does_not_end_the_list_and_an_endless_line_does() {
        let found = entries(b"a\n{\"\nb\n");
        assert!(found[0].is_ok() && found[1].is_err() && found[2].is_ok());
        let mut list = FileList::new(io::Cursor::new([b"a.html\n".as_slice(), &[b'x'; 1 << 17], b"\nb"].concat()));
        assert!(list.next().unwrap().is_ok());
        assert!(list.next().unwrap().unwrap_err().to_string().contains("longer than 64 kB"));
        assert_eq!((list.line(), list.next().is_none()), (2, true));
    }
}
