//! The files in a folder, at any depth, in the byte order of their paths.
//!
//! Folders are read as they are reached, and only the names in open folders are in memory. Symbolic links are not followed,
//! so there are no cycles and nothing outside is read.

use super::files::Kind;
use super::glob;
use super::page_file::describe;
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io, vec};

/// Which files of a folder are read.
#[derive(Clone, Debug)]
pub(super) enum FileFilter {
    /// Those with one of these extensions (in lower case, without the dot), optionally followed by `.gz` or `.zst`.
    Extensions(Arc<[String]>),
    /// Those that are known to contain pages by their names.
    Known,
    /// Those whose paths match.
    Pattern(Arc<glob::Pattern>),
}

/// A name in a folder.
#[derive(Debug)]
struct Entry {
    name: Box<OsStr>,
    folder: bool,
}

impl Entry {
    /// The order of complete paths: the path of a folder continues with a slash.
    fn order(&self, other: &Entry) -> Ordering {
        let (one, two) = (self.name.as_encoded_bytes(), other.name.as_encoded_bytes());
        let common = one.len().min(two.len());
        one[..common].cmp(&two[..common]).then_with(|| {
            let next = |entry: &Entry, bytes: &[u8]| bytes.get(common).copied().or(entry.folder.then_some(b'/'));
            next(self, one).cmp(&next(other, two))
        })
    }
}

/// A folder that is being walked.
#[derive(Debug)]
struct Level {
    path: PathBuf,
    /// The path below the root, for patterns.
    inside: PathBuf,
    entries: vec::IntoIter<Entry>,
}

/// A walk through a folder.
#[derive(Debug)]
pub(super) struct Walk {
    levels: Vec<Level>,
    /// Where to start, until the walk has started.
    root: Option<PathBuf>,
    filter: FileFilter,
    /// Files and folders to leave out, by their canonical paths.
    excluded: Vec<PathBuf>,
}

impl Walk {
    pub(super) fn new(root: &Path, filter: FileFilter, excluded: Vec<PathBuf>) -> Self {
        Walk { levels: Vec::new(), root: Some(root.to_owned()), filter, excluded }
    }

    /// Enters a folder. One that cannot be read is reported like a page that cannot be read.
    fn enter(&mut self, path: PathBuf, inside: PathBuf) -> Result<(), (PathBuf, String)> {
        // The root was named, so it is read even if results also go there.
        if !self.levels.is_empty() && self.is_excluded(&path) {
            return Ok(());
        }
        match entries(&path, &inside, &self.filter) {
            Ok(mut entries) => {
                entries.sort_unstable_by(Entry::order);
                self.levels.push(Level { path, inside, entries: entries.into_iter() });
                Ok(())
            }
            // A pattern whose root does not exist matches nothing.
            Err(_) if self.levels.is_empty() && matches!(self.filter, FileFilter::Pattern(_)) => Ok(()),
            Err(error) => {
                let message = describe("the folder cannot be read", &error);
                Err((path, message))
            }
        }
    }

    fn is_excluded(&self, path: &Path) -> bool {
        self.excluded.iter().any(|excluded| is_same(path, excluded))
    }
}

/// Whether `path` is the file or folder with the canonical path `full`. Only a path with the same name, or a symbolic link, is resolved.
fn is_same(path: &Path, full: &Path) -> bool {
    let may_be = path.file_name().is_none_or(|name| Some(name) == full.file_name());
    (may_be || path.is_symlink()) && path.canonicalize().is_ok_and(|path| path == full)
}

/// The subfolders and wanted files directly in a folder.
fn entries(path: &Path, inside: &Path, filter: &FileFilter) -> io::Result<Vec<Entry>> {
    let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut entries = Vec::new();
    for entry in fs::read_dir(here)? {
        let entry = entry?;
        let (kind, name) = (entry.file_type()?, entry.file_name());
        let wanted = match filter {
            FileFilter::Extensions(extensions) => kind.is_dir() || kind.is_file() && has_extension(&name, extensions),
            FileFilter::Known => kind.is_dir() || kind.is_file() && Kind::by_name(Path::new(&name)).is_some(),
            FileFilter::Pattern(pattern) if kind.is_dir() => pattern.may_be_below(&inside.join(&name)),
            FileFilter::Pattern(pattern) => kind.is_file() && pattern.matches(&inside.join(&name)),
        };
        if wanted {
            entries.push(Entry { name: name.into_boxed_os_str(), folder: kind.is_dir() });
        }
    }
    Ok(entries)
}

fn has_extension(name: &OsStr, extensions: &[String]) -> bool {
    let has = |name: &[u8], extension: &str| {
        let start = name.len().wrapping_sub(extension.len());
        name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(extension.as_bytes()))
            && name.get(start.wrapping_sub(1)) == Some(&b'.')
    };
    let name = name.as_encoded_bytes();
    let compressed = ["gz", "zst"].into_iter().find(|codec| has(name, codec));
    let inner = compressed.map_or(name, |codec| &name[..name.len() - codec.len() - 1]);
    extensions.iter().any(|extension| has(name, extension) || has(inner, extension))
}

impl Iterator for Walk {
    /// A file, or a folder that cannot be read and why.
    type Item = Result<PathBuf, (PathBuf, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(root) = self.root.take()
            && let Err(problem) = self.enter(root, PathBuf::new())
        {
            return Some(Err(problem));
        }
        loop {
            let level = self.levels.last_mut()?;
            let Some(entry) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            let path = level.path.join(&*entry.name);
            if !entry.folder {
                if self.is_excluded(&path) {
                    continue;
                }
                return Some(Ok(path));
            }
            let inside = level.inside.join(&*entry.name);
            if let Err(problem) = self.enter(path, inside) {
                return Some(Err(problem));
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// A folder with empty files.
    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn found(root: &Path, filter: FileFilter) -> Vec<String> {
        let inside = |path: PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        Walk::new(root, filter, Vec::new()).map(|found| inside(found.unwrap())).collect()
    }

    fn html() -> FileFilter {
        FileFilter::Extensions(["html".to_owned(), "htm".to_owned()].into())
    }

    #[test]
    fn files_are_in_the_order_of_their_paths() {
        let names = [
            "a.html", "a/b.html", "a-b.html", "a/b/c.htm", "a0/x.html", "a.htm.html", "B.HTML", "ä.html", "a/z.txt", "ahtml",
            ".html", "c.html.gz", "d.HTM.zst", "e.txt.gz",
        ];
        let folder = folder(&names);
        let mut want: Vec<&str> = names.into_iter().filter(|name| !["a/z.txt", "ahtml", "e.txt.gz"].contains(name)).collect();
        want.sort_unstable();
        assert_eq!(found(folder.path(), html()), want);
    }

    #[test]
    fn patterns_select_files() {
        let folder = folder(&["a/x.html", "a/b/y.html", "b/x.html", "b/c/d/z.html", "top.html", "top.txt"]);
        for (pattern, want) in [
            ("**/*.html", vec!["a/b/y.html", "a/x.html", "b/c/d/z.html", "b/x.html", "top.html"]),
            ("*.html", vec!["top.html"]),
            ("*/*.html", vec!["a/x.html", "b/x.html"]),
            ("{a,b}/x.html", vec!["a/x.html", "b/x.html"]),
            ("{a/b,b/c/d}/*", vec!["a/b/y.html", "b/c/d/z.html"]),
            ("?/**/z.html", vec!["b/c/d/z.html"]),
            ("[!a]/*", vec!["b/x.html"]),
            ("top.*", vec!["top.html", "top.txt"]),
            ("b/**", vec!["b/c/d/z.html", "b/x.html"]),
            ("missing/*.html", vec![]),
        ] {
            let pattern = glob::Pattern::new(&format!("{}/{pattern}", folder.path().display())).unwrap();
            let inside = |path: PathBuf| path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned();
            let root = pattern.root().to_owned();
            let names: Vec<String> =
                Walk::new(&root, FileFilter::Pattern(Arc::new(pattern)), Vec::new()).map(|found| inside(found.unwrap())).collect();
            assert_eq!(names, want);
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let outside = folder(&["secret.html"]);
        let folder = folder(&["a/x.html"]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/cycle")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret.html"), folder.path().join("link.html")).unwrap();
        assert_eq!(found(folder.path(), html()), ["a/x.html"]);
        // The root may be a link.
        let link = outside.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        assert_eq!(found(&link, html()), ["a/x.html"]);
    }

    #[test]
    fn the_excluded_folder_is_left_out() {
        let folder = folder(&["a.html", "out/b.html", "out/deep/c.html", "sub/out/d.html"]);
        let excluded = folder.path().join("out").canonicalize().unwrap();
        let names: Vec<PathBuf> = Walk::new(folder.path(), html(), vec![excluded]).map(Result::unwrap).collect();
        assert_eq!(names, ["a.html", "sub/out/d.html"].map(|name| folder.path().join(name)));
    }
}
