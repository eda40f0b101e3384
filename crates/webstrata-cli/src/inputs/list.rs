//! Names of pages from a list, one a line, each with its address if the list has it.

use super::{Input, NO_FETCHING, STDIN, is_address};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Longest line: a name of 4 kB and an address of 2 kB are the most that systems and servers take.
const LONGEST_LINE: u64 = 1 << 16;

/// A line that is JSON.
#[derive(Deserialize)]
struct Line {
    file: PathBuf,
    #[serde(default)]
    url: Option<String>,
}

/// A list that is being read.
pub(super) struct List {
    lines: BufReader<Box<dyn Read + Send>>,
    name: PathBuf,
    number: u64,
    is_stdin: bool,
    ended: bool,
}

impl std::fmt::Debug for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("List").field("name", &self.name).field("number", &self.number).finish_non_exhaustive()
    }
}

impl List {
    pub(super) fn open(name: &Path) -> Result<Self> {
        let is_stdin = name.as_os_str() == STDIN;
        let source: Box<dyn Read + Send> = if is_stdin {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(name).with_context(|| format!("cannot read the list of pages {}", name.display()))?)
        };
        Ok(List { lines: BufReader::new(source), name: name.to_owned(), number: 0, is_stdin, ended: false })
    }

    /// Can the next line be had without waiting for whoever writes it?
    pub(super) fn ready(&self) -> bool {
        !self.is_stdin || self.ended || self.lines.buffer().contains(&b'\n')
    }

    /// The next line without its end.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        if (&mut self.lines).take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 == LONGEST_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the line is longer than 64 kB; is it a list of names?"));
        }
        if line.last() == Some(&b'\r') {
            line.pop(); // lines may end as they do on Windows
        }
        if self.number == 1 && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        Ok(Some(line))
    }

    fn input(&self, line: Vec<u8>) -> Input {
        let at = || format!("line {} of the list {}", self.number, self.name.display());
        let input = match page(line) {
            Ok(input) => input,
            Err(error) => {
                return Input::trouble(at(), format!("{error}; a line is FILE, FILE<TAB>URL or {{\"file\": …, \"url\": …}}"));
            }
        };
        if input.is_stdin() && self.is_stdin {
            return Input::trouble(STDIN, "standard input cannot be both a page and the list of pages; give the list in a file");
        }
        input
    }
}

impl Iterator for List {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        while !self.ended {
            match self.line() {
                Ok(Some(line)) if line.is_empty() => {}
                Ok(Some(line)) => return Some(self.input(line)),
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    let name = format!("the list {}", self.name.display());
                    return Some(Input::trouble(name, format!("cannot read it behind line {}: {error}", self.number)));
                }
            }
        }
        None
    }
}

/// The page that a line stands for.
fn page(line: Vec<u8>) -> Result<Input, String> {
    if line.starts_with(b"{\"") || line.starts_with(b"{ ") {
        let line: Line = serde_json::from_slice(&line).map_err(|error| format!("broken JSON: {error}"))?;
        return Ok(Input { url: line.url, ..Input::new(line.file) });
    }
    if let Some(tab) = line.iter().rposition(|&byte| byte == b'\t')
        && let Ok(url) = std::str::from_utf8(&line[tab + 1..])
        && is_address(url.trim())
    {
        return Ok(Input { url: Some(url.trim().to_owned()), ..Input::new(name(line[..tab].to_vec())?) });
    }
    let name = name(line)?;
    if is_address(&name.to_string_lossy()) {
        return Ok(Input::trouble(name, NO_FETCHING));
    }
    Ok(Input::new(name))
}

/// Names of files are bytes here and text elsewhere.
fn name(bytes: Vec<u8>) -> Result<PathBuf, String> {
    #[cfg(unix)]
    let name = <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes);
    #[cfg(not(unix))]
    let name = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    Ok(PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> (String, Option<String>, bool) {
        let input = page(line.as_bytes().to_vec()).unwrap();
        (input.name.to_str().unwrap().to_owned(), input.url, input.trouble.is_some())
    }

    #[test]
    fn a_line_has_a_name_and_perhaps_an_address() {
        let address = || Some("https://e.org/a?b=c".to_owned());
        assert_eq!(of("a b.html"), ("a b.html".into(), None, false));
        assert_eq!(of("a.html\thttps://e.org/a?b=c"), ("a.html".into(), address(), false));
        assert_eq!(of("a\tb.html\thttps://e.org/a?b=c "), ("a\tb.html".into(), address(), false));
        assert_eq!(of("a\tb.html"), ("a\tb.html".into(), None, false));
        assert_eq!(of(r#"{"url": "https://e.org/a?b=c", "file": "a.html"}"#), ("a.html".into(), address(), false));
        assert_eq!(of(r#"{"file": "a.html", "more": 1}"#), ("a.html".into(), None, false));
        assert_eq!(of("{a}.html"), ("{a}.html".into(), None, false));
        assert_eq!(of("HTTPS://e.org/a"), ("HTTPS://e.org/a".into(), None, true));
        assert!(page(br#"{"file": "#.to_vec()).unwrap_err().contains("broken JSON"));
        assert!(page(br#"{"url": "https://e.org/"}"#.to_vec()).unwrap_err().contains("file"));
    }

    #[test]
    fn a_line_without_end_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, [b"a.html\n".as_slice(), &[b'x'; 1 << 17]].concat()).unwrap();
        let inputs: Vec<Input> = List::open(&path).unwrap().collect();
        assert_eq!(inputs.len(), 2);
        assert!(inputs[1].trouble.as_ref().unwrap().contains("behind line 2: the line is longer"), "{inputs:?}");
    }
}
