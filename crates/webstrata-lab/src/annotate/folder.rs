//! The pages of a folder and the annotations saved with them.
//!
//! Pages are `DIR/html/*.html`, or `DIR/*.html` if there is no folder `html`; annotations are `DIR/annotations/NAME/<id>.json`. The
//! browser names a page by its number in a list made at startup, so no path ever comes from a request. Pages and annotations
//! that are symbolic links are refused: a downloaded folder must not give access to files outside it.

use super::marks::{Annotation, FORMAT, Start};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use webstrata_corpus::io::{IoError, write_atomically};

/// Folder of the annotations.
pub const ANNOTATIONS: &str = "annotations";
/// Maximum size of a page in bytes.
const MAX_PAGE: u64 = 64 << 20;
/// Maximum size of an annotation in bytes. A page of maximum size has less than one block per three bytes, but nobody annotates such a page.
const MAX_ANNOTATION: u64 = 64 << 20;

/// Why a page or an annotation cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file or folder cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
    /// An annotation cannot be written.
    #[error(transparent)]
    Write(#[from] IoError),
    /// The folder has no pages.
    #[error("{}: no pages (html/*.html or *.html)", .0.display())]
    Empty(PathBuf),
    /// The name of an annotator cannot be used as a file name.
    #[error("{0:?} is not a valid annotator name: use 1 to 40 letters, digits, - and _")]
    Name(String),
    /// A file has invalid contents.
    #[error("{}: {problem}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// A folder with pages.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    pages: Vec<PageFile>,
}

/// A page of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// The file name without its extension.
    pub id: String,
    /// The file.
    pub path: PathBuf,
}

impl Folder {
    /// Finds the pages of a folder, sorted by name.
    ///
    /// # Errors
    /// If the folder cannot be read or has no pages.
    pub fn open(root: &Path) -> Result<Folder, FolderError> {
        let html = root.join("html");
        let folder = if html.is_dir() { html } else { root.to_owned() };
        let mut pages = Vec::new();
        for entry in fs::read_dir(&folder).map_err(reading(&folder))? {
            let entry = entry.map_err(reading(&folder))?;
            let path = entry.path();
            let is_page = path.extension().is_some_and(|ending| ending == "html" || ending == "htm");
            // Symbolic links are not followed; names that are not Unicode cannot be represented in JSON.
            if is_page
                && entry.file_type().is_ok_and(|kind| kind.is_file())
                && let Some(id) = path.file_stem().and_then(|stem| stem.to_str())
            {
                pages.push(PageFile { id: id.to_owned(), path });
            }
        }
        pages.sort_by(|a, b| a.path.cmp(&b.path));
        // `a.html` and `a.htm` would share an annotation.
        pages.dedup_by(|next, first| next.id == first.id);
        if pages.is_empty() {
            return Err(FolderError::Empty(folder));
        }
        Ok(Folder { root: root.to_owned(), pages })
    }

    /// The pages in the folder.
    #[must_use]
    pub fn pages(&self) -> &[PageFile] {
        &self.pages
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Names of the annotators who have annotated pages here, sorted.
    #[must_use]
    pub fn annotators(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(ANNOTATIONS)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| check_name(name).is_ok());
        names.sort();
        names
    }

    /// The annotations of one annotator.
    ///
    /// # Errors
    /// If the name is invalid.
    pub fn annotator(&self, name: &str) -> Result<Annotator<'_>, FolderError> {
        check_name(name)?;
        Ok(Annotator { folder: self, name: name.to_owned() })
    }
}

impl PageFile {
    /// The page's bytes.
    ///
    /// # Errors
    /// If the file cannot be read or is too large.
    pub fn read(&self) -> Result<Vec<u8>, FolderError> {
        bounded(&self.path, MAX_PAGE)
    }
}

/// The annotations of one annotator in a folder.
#[derive(Clone, Debug)]
pub struct Annotator<'f> {
    folder: &'f Folder,
    name: String,
}

impl Annotator<'_> {
    /// The annotator's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file of a page's annotation.
    #[must_use]
    pub fn file(&self, page: &PageFile) -> PathBuf {
        self.folder.root.join(ANNOTATIONS).join(&self.name).join(format!("{}.json", page.id))
    }

    /// The saved annotation of a page, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read, or is not an annotation of this page by this annotator.
    pub fn saved(&self, page: &PageFile) -> Result<Option<Annotation>, FolderError> {
        let path = self.file(page);
        if !self.is_own_file(&path)? {
            return Ok(None);
        }
        let bad = |problem: String| FolderError::Bad { path: path.clone(), problem };
        let marks: Annotation =
            serde_json::from_slice(&bounded(&path, MAX_ANNOTATION)?).map_err(|error| bad(format!("not an annotation: {error}")))?;
        if marks.format != FORMAT {
            return Err(bad(format!("its format is {:?}, not {FORMAT:?}", marks.format)));
        }
        if marks.id != page.id {
            return Err(bad(format!("it is an annotation of {:?}", marks.id)));
        }
        Ok(Some(marks))
    }

    /// The saved annotation of a page, or else its initial annotation.
    ///
    /// # Errors
    /// As for [`Annotator::saved`]; also if the page has changed since it was annotated.
    pub fn load(&self, page: &PageFile, html: &[u8], start: Start) -> Result<Annotation, FolderError> {
        let Some(saved) = self.saved(page)? else { return Ok(Annotation::new(&page.id, &self.name, html, start)) };
        if !saved.fits(&Annotation::new(&page.id, &self.name, html, Start::Empty)) {
            let problem = format!("{} has changed since it was annotated; restore it, or move this file away", page.path.display());
            return Err(FolderError::Bad { path: self.file(page), problem });
        }
        Ok(saved)
    }

    /// Saves an annotation.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, page: &PageFile, marks: &Annotation) -> Result<(), FolderError> {
        let path = self.file(page);
        self.is_own_file(&path)?;
        let bad = |error: serde_json::Error| FolderError::Bad { path: path.clone(), problem: error.to_string() };
        let mut text = serde_json::to_vec(marks).map_err(bad)?;
        text.push(b'\n');
        Ok(write_atomically(&path, &text)?)
    }

    /// Whether the file exists. Neither it nor its folders may be symbolic links.
    fn is_own_file(&self, path: &Path) -> Result<bool, FolderError> {
        let folders = [self.folder.root.join(ANNOTATIONS), self.folder.root.join(ANNOTATIONS).join(&self.name)];
        for (at, is_file) in folders.iter().map(|folder| (folder.as_path(), false)).chain([(path, true)]) {
            match fs::symlink_metadata(at) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                Err(source) => return Err(FolderError::Read { path: at.to_owned(), source }),
                Ok(found) if found.is_file() == is_file && found.is_dir() != is_file => {}
                Ok(_) => {
                    let problem = format!("not a {}; links are not followed", if is_file { "file" } else { "folder" });
                    return Err(FolderError::Bad { path: at.to_owned(), problem });
                }
            }
        }
        Ok(true)
    }
}

/// Checks that a name is a valid folder name on all systems.
fn check_name(name: &str) -> Result<(), FolderError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=40).contains(&name.len()) && name.bytes().all(plain) { Ok(()) } else { Err(FolderError::Name(name.to_owned())) }
}

/// Reads a file of at most `limit` bytes.
fn bounded(path: &Path, limit: u64) -> Result<Vec<u8>, FolderError> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(reading(path))?;
    if bytes.len() as u64 > limit {
        return Err(FolderError::Bad { path: path.to_owned(), problem: format!("larger than {limit} bytes") });
    }
    Ok(bytes)
}

fn reading(path: &Path) -> impl FnOnce(io::Error) -> FolderError + use<> {
    let path = path.to_owned();
    |source| FolderError::Read { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let here = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = here.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        here
    }

    fn ids(folder: &Folder) -> Vec<&str> {
        folder.pages().iter().map(|page| page.id.as_str()).collect()
    }

    #[test]
    fn pages_are_those_of_the_html_folder_or_of_the_folder_itself() {
        let set =
            folder(&[("html/b.html", "<p>b"), ("html/a.htm", "<p>a"), ("html/a.html", "<p>A"), ("c.html", "<p>c"), ("html/x", "")]);
        assert_eq!(ids(&Folder::open(set.path()).unwrap()), ["a", "b"]);
        let plain = folder(&[("c.html", "<p>c"), ("d.txt", "d")]);
        assert_eq!(ids(&Folder::open(plain.path()).unwrap()), ["c"]);
        let error = Folder::open(folder(&[("d.txt", "d")]).path()).unwrap_err();
        assert!(error.to_string().contains("no pages"));
    }

    #[test]
    fn annotations_are_saved_and_found_again() {
        let here = folder(&[("a.html", "<p>one<p>two")]);
        let pages = Folder::open(here.path()).unwrap();
        let (page, anna) = (&pages.pages()[0], pages.annotator("anna").unwrap());
        let html = page.read().unwrap();
        let mut marks = anna.load(page, &html, Start::Empty).unwrap();
        assert!(anna.saved(page).unwrap().is_none());
        (marks.blocks[1].content, marks.version) = (true, 1);
        anna.save(page, &marks).unwrap();
        // The recorded start of a saved page does not change.
        assert_eq!(anna.load(page, &html, Start::Strata).unwrap(), marks);
        assert_eq!(pages.annotators(), ["anna"]);
        assert!(pages.annotator("ben").unwrap().saved(page).unwrap().is_none());
        let error = anna.load(page, b"<p>one", Start::Empty).unwrap_err().to_string();
        assert!(error.contains("has changed since"), "{error}");
        for name in ["", "..", "a/b", "a\\b", "anna b", &"x".repeat(41)] {
            assert!(pages.annotator(name).is_err(), "{name}");
        }
    }

    #[test]
    fn broken_annotations_are_errors_and_stay() {
        let other = r#"{"format":"webstrata.annotation/1","id":"b","sha256":"","annotator":"x","start":"empty","version":0,"done":false,"blocks":[]}"#;
        for (text, want) in [("{", "not an annotation"), (other, "annotation of \"b\""), (&other.replace("/1", "/9"), "format")] {
            let here = folder(&[("a.html", "<p>one"), ("annotations/anna/a.json", text)]);
            let pages = Folder::open(here.path()).unwrap();
            let error = pages.annotator("anna").unwrap().load(&pages.pages()[0], b"<p>one", Start::Empty).unwrap_err().to_string();
            assert!(error.contains(want), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_of_the_folder() {
        use std::os::unix::fs::symlink;
        let outside = folder(&[("secret.html", "<p>secret"), ("bashrc", "old")]);
        let here = folder(&[("a.html", "<p>one"), ("annotations/anna/b.json", "")]);
        symlink(outside.path().join("secret.html"), here.path().join("s.html")).unwrap();
        symlink(outside.path().join("bashrc"), here.path().join("annotations/anna/a.json")).unwrap();
        symlink(outside.path(), here.path().join("annotations/ben")).unwrap();
        let pages = Folder::open(here.path()).unwrap();
        assert_eq!(ids(&pages), ["a"]);
        for name in ["anna", "ben"] {
            let annotator = pages.annotator(name).unwrap();
            let marks = Annotation::new("a", name, b"<p>one", Start::Empty);
            for error in [annotator.save(&pages.pages()[0], &marks).unwrap_err(), annotator.saved(&pages.pages()[0]).unwrap_err()] {
                assert!(error.to_string().contains("links are not followed"), "{error}");
            }
        }
        assert_eq!(fs::read_to_string(outside.path().join("bashrc")).unwrap(), "old");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 2);
    }
}
