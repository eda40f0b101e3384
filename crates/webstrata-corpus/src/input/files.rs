//! Which files are read: named files, those in folders, those that match patterns, and those on a list.
//!
//! Files are found one after another, so that memory does not grow with their number.

use super::codec::Codec;
use super::decompress::{Pipe, Storage, Stream};
use super::folder::{FileFilter, Walk};
use super::page_file::describe;
use super::{Failure, InputError, InputOptions, Reason, glob, http, jsonl, parquet};
use crate::io::{FileList, ListEntry, ListError};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of standard input.
pub const STDIN: &str = "-";
/// Bytes that show what a file contains.
const SNIFFED: usize = 4096;
const EXTENSIONS: [(&str, Kind); 9] = [
    ("warc", Kind::Warc),
    ("jsonl", Kind::JsonLines),
    ("ndjson", Kind::JsonLines),
    ("parquet", Kind::Parquet),
    ("html", Kind::Page),
    ("htm", Kind::Page),
    ("xhtml", Kind::Page),
    ("xht", Kind::Page),
    ("shtml", Kind::Page),
];

/// The kind of content in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Page,
    Warc,
    JsonLines,
    Parquet,
}

impl Kind {
    /// The kind of a file by its name, which may end in `.gz` or `.zst`.
    pub(super) fn by_name(path: &Path) -> Option<Kind> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = [".gz", ".zst"].into_iter().find_map(|codec| name.strip_suffix(codec)).unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        EXTENSIONS.into_iter().find_map(|(known, kind)| (known == extension).then_some(kind))
    }

    /// The kind of a file by its first bytes.
    fn by_content(start: &[u8]) -> Kind {
        if start.starts_with(b"WARC/") {
            Kind::Warc
        } else if start.starts_with(b"PAR1") {
            Kind::Parquet
        } else if start.trim_ascii_start().starts_with(b"{") && !http::looks_like_page(start) {
            Kind::JsonLines
        } else {
            Kind::Page
        }
    }

    /// The kind of a file. Its name decides, except that a file named as JSON Lines must also begin like JSON.
    fn of_file(path: &Path) -> io::Result<Kind> {
        match Kind::by_name(path) {
            Some(Kind::JsonLines) | None => {}
            Some(kind) => return Ok(kind),
        }
        // Opening a pipe waits for its writer. That is left to the thread that processes it, which has a time limit.
        if !fs::metadata(path)?.is_file() {
            return Ok(Kind::Page);
        }
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        (&mut file).take(SNIFFED as u64).read_to_end(&mut start)?;
        if Codec::detect(&start) == Codec::Plain {
            return Ok(Kind::by_content(&start));
        }
        let mut stream = Stream::new(file.into())?;
        stream.fill(SNIFFED)?;
        Ok(Kind::by_content(stream.ahead()))
    }
}

/// A file to be read.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) name: Arc<str>,
    pub(super) url: Option<String>,
    pub(super) kind: Kind,
    pub(super) bytes: u64,
    /// Why it cannot be read.
    pub(super) failure: Option<Failure>,
}

impl Found {
    fn new(path: PathBuf, url: Option<String>, kind: Kind, bytes: u64) -> Found {
        Found { name: path.to_string_lossy().into(), path, url, kind, bytes, failure: None }
    }

    fn failed(path: impl Into<PathBuf>, message: impl Into<String>) -> Found {
        let failure = Some(Failure::new(Reason::Unreadable, message));
        Found { failure, ..Found::new(path.into(), None, Kind::Page, 0) }
    }

    pub(super) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == STDIN
    }
}

/// A command-line argument.
#[derive(Clone, Debug)]
enum Argument {
    File(PathBuf),
    Folder(PathBuf),
    Pattern(PathBuf, Arc<glob::Pattern>),
    /// A Web address.
    Address(PathBuf),
}

/// Names of files, folders and patterns, and a list of more, as users give them.
///
/// ```
/// use webstrata_corpus::input::{Input, InputOptions, Sources};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<p>One page.")?;
/// let sources = Sources::new([folder.path().join("*.html")])?;
/// assert_eq!(Input::stream(sources, &InputOptions::default())?.count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sources {
    arguments: Vec<Argument>,
    list: Option<PathBuf>,
    extensions: Option<Arc<[String]>>,
    excluded: Vec<PathBuf>,
}

impl Sources {
    /// Files, folders, patterns such as `crawl/**/*.html`, and `-` for standard input. A name that exists is taken
    /// literally, even if it looks like a pattern.
    ///
    /// # Errors
    /// When a pattern is malformed or standard input is named twice.
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Result<Sources, InputError> {
        let arguments = paths.into_iter().map(|path| argument(path.into())).collect::<Result<_, _>>()?;
        let sources = Sources { arguments, ..Sources::default() };
        if sources.arguments.iter().filter(|argument| is_stdin(argument)).count() > 1 {
            return Err(InputError::Stdin("standard input can be read only once; give `-` once"));
        }
        Ok(sources)
    }

    /// Adds the files of a list, in the format of [`FileList`]; `-` is standard input.
    ///
    /// # Errors
    /// When standard input is both the list and a page.
    pub fn with_list(mut self, list: Option<PathBuf>) -> Result<Sources, InputError> {
        let is_list = list.as_ref().is_some_and(|list| list.as_os_str() == STDIN);
        if is_list && self.arguments.iter().any(is_stdin) {
            return Err(InputError::Stdin("standard input cannot be both a page and the list of pages; put the list in a file"));
        }
        self.list = list;
        Ok(self)
    }

    /// Reads the files with these extensions from folders, instead of those that are known to contain pages.
    #[must_use]
    pub fn with_extensions(mut self, extensions: &[String]) -> Sources {
        let clean = |extension: &String| extension.trim_start_matches(['*', '.']).to_ascii_lowercase();
        self.extensions = (!extensions.is_empty()).then(|| extensions.iter().map(clean).collect());
        self
    }

    /// Leaves a file or folder out when folders and patterns are searched, because results go there.
    #[must_use]
    pub fn excluding(mut self, path: &Path) -> Sources {
        self.excluded.extend(path.canonicalize());
        self
    }

    /// The folder that contains all pages, if a single folder was named.
    #[must_use]
    pub fn only_folder(&self) -> Option<&Path> {
        match self.arguments.as_slice() {
            [Argument::Folder(folder)] if self.list.is_none() => Some(folder),
            _ => None,
        }
    }

    /// Whether `path` was named as a file.
    #[must_use]
    pub fn names(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let is =
            |argument: &Argument| matches!(argument, Argument::File(file) if file.canonicalize().is_ok_and(|file| file == path));
        self.arguments.iter().any(is)
    }

    /// Whether standard input is the only source.
    #[must_use]
    pub fn is_stdin(&self) -> bool {
        self.only_file().is_some_and(|file| file.as_os_str() == STDIN)
    }

    /// The file that was named, if it is the only source.
    pub(super) fn only_file(&self) -> Option<&Path> {
        match self.arguments.as_slice() {
            [Argument::File(file)] if self.list.is_none() => Some(file),
            _ => None,
        }
    }

    /// Bytes of all files, or `None` if it cannot be determined without consuming the input. Stops when `tick`, which is
    /// called at intervals, returns false.
    #[must_use]
    pub fn total_bytes(&self, options: &InputOptions, mut tick: impl FnMut() -> bool) -> Option<u64> {
        let from_stdin = self.arguments.iter().any(is_stdin);
        if from_stdin || self.list.as_ref().is_some_and(|list| !list.is_file()) {
            return None;
        }
        let mut total = 0;
        for (number, found) in self.find(options).ok()?.enumerate() {
            total += fs::metadata(&found.path).map_or(0, |metadata| metadata.len());
            if number % 100 == 99 && !tick() {
                return None;
            }
        }
        Some(total)
    }

    /// The files, in the order in which they are read, to divide them among processes.
    ///
    /// # Errors
    /// When a list of files cannot be read.
    pub fn files(&self, options: &InputOptions) -> Result<Vec<PathBuf>, InputError> {
        Ok(self.find(options)?.map(|found| found.path).collect())
    }

    /// The files, in order. Fails at once if a list cannot be opened.
    pub(super) fn find(&self, options: &InputOptions) -> Result<Finder, InputError> {
        let open = |list: &PathBuf| {
            if list.as_os_str() == STDIN {
                return Ok(FileList::new(io::stdin()));
            }
            FileList::open(list).map_err(|error| InputError::read(list, error))
        };
        let list = self.list.as_ref().map(open).transpose()?;
        Ok(Finder { sources: self.clone(), options: options.clone(), next: 0, search: None, list })
    }
}

fn is_stdin(argument: &Argument) -> bool {
    matches!(argument, Argument::File(path) if path.as_os_str() == STDIN)
}

fn argument(path: PathBuf) -> Result<Argument, InputError> {
    let text = path.to_string_lossy();
    if path.as_os_str() == STDIN {
        return Ok(Argument::File(path));
    }
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => Ok(Argument::Folder(path)),
        Err(_) if is_address(&text) => Ok(Argument::Address(path)),
        Err(_) if glob::is_pattern(&text) => match glob::Pattern::new(&text) {
            Ok(pattern) => Ok(Argument::Pattern(path.clone(), Arc::new(pattern))),
            Err(error) => Err(InputError::Pattern(error.to_string())),
        },
        _ => Ok(Argument::File(path)),
    }
}

const NOT_FETCHED: &str = "this is an address; `webstrata extract --urls-from LIST --save-warc FILE` fetches pages and keeps them for all \
commands. Or download it, name the file, and give the address with --base-url or after a tab in the list";

/// Whether a text is a Web address.
fn is_address(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// Finds the files of [`Sources`] one after another.
#[derive(Debug)]
pub(super) struct Finder {
    sources: Sources,
    options: InputOptions,
    next: usize,
    search: Option<Search>,
    list: Option<FileList>,
}

/// A folder or a pattern that is being searched.
#[derive(Debug)]
struct Search {
    walk: Walk,
    /// As it was named.
    name: PathBuf,
    /// Whether files that turn out not to contain pages are left out.
    is_folder: bool,
    any: bool,
}

impl Finder {
    /// Whether the next file is available without waiting.
    pub(super) fn is_ready(&self) -> bool {
        let more_arguments = self.search.is_some() || self.next < self.sources.arguments.len();
        more_arguments || self.list.as_ref().is_none_or(FileList::is_ready)
    }

    fn file(&self, path: PathBuf, url: Option<String>) -> Found {
        if path.as_os_str() == STDIN {
            return Found::new(path, url, Kind::Page, 0);
        }
        match Kind::of_file(&path) {
            Ok(kind) => Found::new(path, url, kind, 0),
            // Reported when the file is opened, like files whose kind is known by name.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Found::new(path, url, Kind::Page, 0),
            Err(error) => Found::failed(path, describe("cannot be read", &error)),
        }
    }

    /// The next file of the list.
    fn listed(&mut self) -> Option<Found> {
        let list = self.list.as_mut()?;
        let entry = list.next()?;
        let name = self.sources.list.as_deref().unwrap_or(Path::new("")).display();
        Some(match entry {
            Ok(ListEntry { path, .. }) if is_address(&path.to_string_lossy()) => Found::failed(path, NOT_FETCHED),
            Ok(ListEntry { path, .. }) if path.as_os_str() == STDIN && self.sources.list.as_deref() == Some(Path::new(STDIN)) => {
                Found::failed(path, "standard input cannot be both a page and the list of pages; put the list in a file")
            }
            Ok(ListEntry { path, .. }) if path.is_dir() => {
                Found::failed(path, "this is a folder; give folders as arguments, not in a list")
            }
            Ok(ListEntry { path, url }) => self.file(path, url),
            Err(error @ ListError::Malformed(_)) => {
                Found::failed(format!("line {} of the list {name}", list.line()), error.to_string())
            }
            Err(ListError::Io(error)) => {
                Found::failed(format!("the list {name}"), format!("cannot be read after line {}: {error}", list.line()))
            }
        })
    }

    /// A file that was found in a folder; `None` if it contains no pages.
    fn in_folder(&self, path: PathBuf) -> Option<Found> {
        if self.sources.extensions.is_some() {
            let kind = Kind::by_name(&path).unwrap_or(Kind::Page);
            return Some(Found::new(path, None, kind, 0));
        }
        let found = self.file(path, None);
        let contains_pages = match found.kind {
            Kind::JsonLines => jsonl::has_pages(&found.path, &self.options),
            Kind::Parquet => parquet::check(&found.path, &self.options).is_ok(),
            Kind::Page | Kind::Warc => true,
        };
        contains_pages.then_some(found)
    }

    fn nothing_found(&self, search: Search) -> Found {
        if !search.is_folder {
            return Found::failed(search.name, "no file matches; check the pattern, which is relative to the current folder");
        }
        let expected = match &self.sources.extensions {
            Some(extensions) => format!("no file whose name ends in .{}", extensions.join(" or .")),
            None => format!(
                "no file whose name ends in .html, .htm, .xhtml, .xht, .shtml or .warc, and no JSON Lines or Parquet file with the \
                 column {:?}",
                self.options.html_column
            ),
        };
        Found::failed(search.name, format!("no pages in it: {expected}; other extensions can be given with --ext"))
    }
}

impl Iterator for Finder {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            if let Some(search) = &mut self.search {
                let is_folder = search.is_folder;
                match search.walk.next() {
                    Some(found) => {
                        let found = match found {
                            Ok(path) if is_folder => self.in_folder(path),
                            Ok(path) => Some(self.file(path, None)),
                            Err((path, message)) => Some(Found::failed(path, message)),
                        };
                        if let Some(search) = &mut self.search {
                            search.any |= found.is_some();
                        }
                        match found {
                            Some(found) => return Some(found),
                            None => continue,
                        }
                    }
                    None => {
                        if let Some(search) = self.search.take().filter(|search| !search.any) {
                            return Some(self.nothing_found(search));
                        }
                    }
                }
            }
            let Some(argument) = self.sources.arguments.get(self.next).cloned() else { return self.listed() };
            self.next += 1;
            let excluded = self.sources.excluded.clone();
            self.search = match argument {
                Argument::File(path) => return Some(self.file(path, None)),
                Argument::Address(path) => return Some(Found::failed(path, NOT_FETCHED)),
                Argument::Folder(folder) => {
                    let filter = self.sources.extensions.clone().map_or(FileFilter::Known, FileFilter::Extensions);
                    Some(Search { walk: Walk::new(&folder, filter, excluded), name: folder, is_folder: true, any: false })
                }
                Argument::Pattern(name, pattern) => {
                    let walk = Walk::new(pattern.root(), FileFilter::Pattern(Arc::clone(&pattern)), excluded);
                    Some(Search { walk, name, is_folder: false, any: false })
                }
            };
        }
    }
}

/// Whether a file exists and is one page, rather than a file of many.
pub(crate) fn is_page_file(path: &Path) -> bool {
    path.is_file() && Kind::of_file(path).is_ok_and(|kind| kind == Kind::Page)
}

/// Standard input, and what it contains.
pub(super) fn stdin() -> io::Result<(Stream, Kind, Option<File>)> {
    let file = seekable_stdin();
    let copy = file.as_ref().and_then(|file| file.try_clone().ok());
    let storage = match file {
        Some(file) => Storage::File(file),
        None => Storage::Pipe(Pipe(Box::new(io::stdin()))),
    };
    let mut stream = Stream::new(storage)?;
    stream.fill(SNIFFED)?;
    let kind = Kind::by_content(stream.ahead());
    Ok((stream, kind, copy))
}

/// Standard input as a file, if it is one.
#[cfg(unix)]
fn seekable_stdin() -> Option<File> {
    use std::io::Seek;
    use std::os::fd::AsFd;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    // If another process has already read part of it, that part is not ours to read.
    let is_whole = file.metadata().is_ok_and(|metadata| metadata.is_file()) && (&file).stream_position().is_ok_and(|at| at == 0);
    is_whole.then_some(file)
}

#[cfg(not(unix))]
fn seekable_stdin() -> Option<File> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_types_follow_from_names() {
        for (name, want) in [
            ("a.html", Some(Kind::Page)),
            ("A.HTM", Some(Kind::Page)),
            ("a.html.gz", Some(Kind::Page)),
            ("CC-MAIN-1.warc.gz", Some(Kind::Warc)),
            ("a.warc.zst", Some(Kind::Warc)),
            ("a.jsonl.zst", Some(Kind::JsonLines)),
            ("a.parquet", Some(Kind::Parquet)),
            ("a.txt", None),
            ("html", None),
            ("a.gz", None),
        ] {
            assert_eq!(Kind::by_name(Path::new(name)), want, "{name}");
        }
    }

    #[test]
    fn file_types_follow_from_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        for (text, want) in [
            ("WARC/1.0\r\n", Kind::Warc),
            ("{\"html\": 1}", Kind::JsonLines),
            ("PAR1xxxx", Kind::Parquet),
            ("<p>x", Kind::Page),
            ("", Kind::Page),
        ] {
            for name in ["file", "file.jsonl"] {
                let path = folder.path().join(name);
                fs::write(&path, text).unwrap();
                assert_eq!(Kind::of_file(&path).unwrap(), want, "{text}");
                fs::write(&path, zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
                assert_eq!(Kind::of_file(&path).unwrap(), want, "{text}, compressed");
            }
        }
    }

    #[test]
    fn folders_leave_out_tables_without_pages() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("a.html", "<p>x"), ("b.jsonl", "{\"html\": \"<p>x\"}\n"), ("c.jsonl", "{\"text\": \"x\"}\n"), ("d.txt", "")]
        {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let names = |sources: Sources| -> Vec<String> {
            let found = sources.find(&InputOptions::default()).unwrap();
            found.map(|found| found.path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        let sources = Sources::new([folder.path()]).unwrap();
        assert_eq!(names(sources.clone()), ["a.html", "b.jsonl"]);
        assert_eq!(names(sources.clone().with_extensions(&["txt".into()])), ["d.txt"]);
        assert_eq!(names(sources.clone().excluding(&folder.path().join("b.jsonl"))), ["a.html"]);
        assert_eq!(sources.total_bytes(&InputOptions::default(), || true), Some(21));
    }
}
