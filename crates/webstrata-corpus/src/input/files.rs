//! Which files: those that are named, and those in folders, in the order of the bytes of their paths.
//!
//! Symbolic links in folders are not followed, so there are no circles and nothing outside is read.

use super::tape::Tape;
use super::{InputError, http};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Deepest folder that is gone into.
const DEEPEST: usize = 1000;
/// Bytes that show what a file is.
const SNIFFED: usize = 4096;
const ENDINGS: [(&str, Kind); 8] = [
    ("warc", Kind::Warc),
    ("jsonl", Kind::Lines),
    ("ndjson", Kind::Lines),
    ("parquet", Kind::Parquet),
    ("html", Kind::Html),
    ("htm", Kind::Html),
    ("xhtml", Kind::Html),
    ("xht", Kind::Html),
];

/// A file or folder that was asked for, with the address of its page if it is one page and the address is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file or folder.
    pub path: PathBuf,
    /// The address of the page.
    pub url: Option<String>,
}

impl<P: Into<PathBuf>> From<P> for Source {
    fn from(path: P) -> Source {
        Source { path: path.into(), url: None }
    }
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Html,
    Warc,
    Lines,
    Parquet,
}

/// A file that will be read.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) name: Arc<str>,
    pub(super) url: Option<String>,
    pub(super) kind: Kind,
    pub(super) bytes: u64,
}

/// All files, in the order that they are read in.
pub(super) fn find(sources: &[Source]) -> Result<Vec<Found>, InputError> {
    let mut files = Vec::new();
    for source in sources {
        let path = &source.path;
        let metadata = fs::metadata(path).map_err(|error| InputError::read(path, error))?;
        if metadata.is_dir() {
            let from = files.len();
            walk(path, &mut files)?;
            files[from..].sort_by(|one: &Found, two| order(&one.path).cmp(order(&two.path)));
        } else {
            let kind = match by_name(path) {
                Some(kind) => kind,
                None => by_content(path)?,
            };
            files.push(Found { path: path.clone(), name: name(path), url: source.url.clone(), kind, bytes: metadata.len() });
        }
    }
    if u32::try_from(files.len()).is_err() {
        return Err(InputError::TooManyFiles);
    }
    Ok(files)
}

fn order(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// A name as people read it. Two files whose names are not UTF-8 may look alike; their order keeps them apart.
fn name(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

/// Adds the files in a folder, at any depth.
fn walk(root: &Path, files: &mut Vec<Found>) -> Result<(), InputError> {
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let read = |error| InputError::read(&folder, error);
        for entry in fs::read_dir(&folder).map_err(read)? {
            let entry = entry.map_err(read)?;
            let kind = entry.file_type().map_err(read)?;
            let path = entry.path();
            if kind.is_dir() && depth < DEEPEST {
                folders.push((path, depth + 1));
            } else if kind.is_file()
                && let Some(found) = by_name(&path)
            {
                let bytes = entry.metadata().map_err(read)?.len();
                files.push(Found { name: name(&path), path, url: None, kind: found, bytes });
            }
        }
    }
    Ok(())
}

/// What a file holds, as its name says; `.gz` and `.zst` may stand behind.
fn by_name(path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let name = [".gz", ".zst"].into_iter().find_map(|packed| name.strip_suffix(packed)).unwrap_or(&name);
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.into_iter().find_map(|(known, kind)| (known == ending).then_some(kind))
}

/// What a file holds, as its first bytes say.
fn by_content(path: &Path) -> Result<Kind, InputError> {
    let read = |error| InputError::read(path, error);
    let mut tape = Tape::new(File::open(path).map_err(read)?).map_err(read)?;
    tape.fill(SNIFFED).map_err(read)?;
    let start = tape.ahead();
    Ok(if start.starts_with(b"WARC/") {
        Kind::Warc
    } else if start.starts_with(b"PAR1") {
        Kind::Parquet
    } else if start.trim_ascii_start().starts_with(b"{") && !http::looks_like_page(start) {
        Kind::Lines
    } else {
        Kind::Html
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_files_are() {
        for (name, want) in [
            ("a.html", Some(Kind::Html)),
            ("A.HTM", Some(Kind::Html)),
            ("a.html.gz", Some(Kind::Html)),
            ("CC-MAIN-1.warc.gz", Some(Kind::Warc)),
            ("a.warc.zst", Some(Kind::Warc)),
            ("a.jsonl.zst", Some(Kind::Lines)),
            ("a.parquet", Some(Kind::Parquet)),
            ("a.txt", None),
            ("html", None),
            ("a.gz", None),
        ] {
            assert_eq!(by_name(Path::new(name)), want, "{name}");
        }
    }

    #[test]
    fn first_bytes_say_what_files_are() {
        let folder = tempfile::tempdir().unwrap();
        for (text, want) in [
            ("WARC/1.0\r\n", Kind::Warc),
            ("{\"html\": 1}", Kind::Lines),
            ("PAR1xxxx", Kind::Parquet),
            ("<p>x", Kind::Html),
            ("", Kind::Html),
        ] {
            let path = folder.path().join("file");
            fs::write(&path, text).unwrap();
            assert_eq!(by_content(&path).unwrap(), want, "{text}");
            fs::write(&path, zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
            assert_eq!(by_content(&path).unwrap(), want, "{text}, packed");
        }
    }
}
