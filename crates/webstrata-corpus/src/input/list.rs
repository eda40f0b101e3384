//! Lists of files, one a line: `FILE`, `FILE<TAB>URL` or `{"file": …, "url": …}`.

use super::{InputError, Source};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
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

/// Reads a list of files. Names are meant from the folder that the program runs in, as if they had been typed.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let list = folder.path().join("list");
/// std::fs::write(&list, "a.html\thttps://example.org/a\ncrawl.warc.gz\n")?;
/// let sources = webstrata_corpus::input::read_list(&list)?;
/// assert_eq!(sources[0].url.as_deref(), Some("https://example.org/a"));
/// assert_eq!(sources[1].path.to_str(), Some("crawl.warc.gz"));
/// # Ok(())
/// # }
/// ```
pub fn read_list(path: &Path) -> Result<Vec<Source>, InputError> {
    let read = |error| InputError::read(path, error);
    let mut lines = BufReader::new(File::open(path).map_err(read)?);
    let mut sources = Vec::new();
    for line in 1.. {
        let mut bytes = Vec::new();
        if (&mut lines).take(LONGEST_LINE).read_until(b'\n', &mut bytes).map_err(read)? == 0 {
            break;
        }
        let wrong = |reason: String| InputError::List { path: path.to_owned(), line, reason };
        if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
            return Err(wrong("it is longer than 64 kB; is it a list of files?".into()));
        }
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let text = if line == 1 { text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text) } else { text };
        if !text.is_empty() {
            sources.push(source(text).map_err(wrong)?);
        }
    }
    Ok(sources)
}

/// The file that a line stands for.
fn source(line: &[u8]) -> Result<Source, String> {
    if line.starts_with(b"{\"") || line.starts_with(b"{ ") {
        let line: Line = serde_json::from_slice(line).map_err(|error| format!("broken JSON: {error}"))?;
        return Ok(Source { path: line.file, url: line.url });
    }
    if let Some(tab) = line.iter().rposition(|&byte| byte == b'\t')
        && let Ok(url) = std::str::from_utf8(&line[tab + 1..])
        && url.trim().get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))
    {
        return Ok(Source { path: name(&line[..tab])?, url: Some(url.trim().to_owned()) });
    }
    Ok(Source { path: name(line)?, url: None })
}

/// Names of files are bytes here and text elsewhere.
fn name(bytes: &[u8]) -> Result<PathBuf, String> {
    #[cfg(unix)]
    let name = <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    let name = String::from_utf8(bytes.to_vec()).map_err(|error| error.to_string())?;
    Ok(PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_name_and_perhaps_an_address() {
        let of = |line: &str| source(line.as_bytes()).map(|source| (source.path.to_str().unwrap().to_owned(), source.url));
        assert_eq!(of("a b.html"), Ok(("a b.html".into(), None)));
        assert_eq!(of("a\tb.html\tHTTPS://e.org/ "), Ok(("a\tb.html".into(), Some("HTTPS://e.org/".into()))));
        assert_eq!(of("a\tb.html"), Ok(("a\tb.html".into(), None)));
        assert_eq!(of(r#"{"url": "https://e.org/", "file": "a.html"}"#), Ok(("a.html".into(), Some("https://e.org/".into()))));
        assert!(of(r#"{"url": "https://e.org/"}"#).unwrap_err().contains("file"));
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, [b"\xef\xbb\xbfa.html\r\n\n".as_slice(), &[b'x'; 1 << 17]].concat()).unwrap();
        assert!(matches!(read_list(&path), Err(InputError::List { line: 3, .. })));
    }
}
