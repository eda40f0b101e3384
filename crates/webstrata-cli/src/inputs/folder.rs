//! Pages in a folder, at any depth, in the order of the bytes of their paths.
//!
//! A folder is read when its turn comes, and only the names in the folders that are open are in memory: no more than
//! sorting needs. Symbolic links are not followed, so there are no circles and nothing outside is read.

use super::{Input, glob};
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io, vec};

/// Which files of a folder are pages.
#[derive(Clone, Debug)]
pub(super) enum Want {
    /// Those whose names end so (small letters, without the dot).
    Endings(Arc<[String]>),
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
    /// The order of whole paths: that of a folder goes on with a slash.
    fn order(&self, other: &Entry) -> Ordering {
        let (one, two) = (self.name.as_encoded_bytes(), other.name.as_encoded_bytes());
        let common = one.len().min(two.len());
        one[..common].cmp(&two[..common]).then_with(|| {
            let next = |entry: &Entry, bytes: &[u8]| bytes.get(common).copied().or(entry.folder.then_some(b'/'));
            next(self, one).cmp(&next(other, two))
        })
    }
}

/// A folder that is being gone through.
#[derive(Debug)]
struct Level {
    path: PathBuf,
    /// The path below the folder where the walk began, for patterns.
    inside: PathBuf,
    entries: vec::IntoIter<Entry>,
}

/// A walk through a folder.
#[derive(Debug)]
pub(super) struct Walk {
    levels: Vec<Level>,
    /// Where to begin, until it has begun.
    root: Option<PathBuf>,
    want: Want,
    /// A folder to stay out of, by its full path.
    skip: Option<PathBuf>,
}

impl Walk {
    pub(super) fn new(root: &Path, want: Want, skip: Option<PathBuf>) -> Self {
        Walk { levels: Vec::new(), root: Some(root.to_owned()), want, skip }
    }

    /// Goes into a folder. One that cannot be read is reported like a page that cannot be read.
    fn enter(&mut self, path: PathBuf, inside: PathBuf) -> Result<(), Box<Input>> {
        // The folder that was typed is meant, also if results go there too.
        if !self.levels.is_empty() && self.skip.as_ref().is_some_and(|skip| is_same(&path, skip)) {
            return Ok(());
        }
        match entries(&path, &inside, &self.want) {
            Ok(mut entries) => {
                entries.sort_unstable_by(Entry::order);
                self.levels.push(Level { path, inside, entries: entries.into_iter() });
                Ok(())
            }
            // A pattern whose beginning does not exist matches nothing.
            Err(_) if self.levels.is_empty() && matches!(self.want, Want::Pattern(_)) => Ok(()),
            Err(error) => Err(Box::new(Input::trouble(path, super::read::remedied("cannot read the folder", &error)))),
        }
    }
}

/// Is `path` the folder with the full path `full`? Only one of the same name is looked at closely.
fn is_same(path: &Path, full: &Path) -> bool {
    let may_be = path.file_name().is_none_or(|name| Some(name) == full.file_name());
    (may_be || path.is_symlink()) && path.canonicalize().is_ok_and(|path| path == full)
}

/// The folders and pages directly in a folder.
fn entries(path: &Path, inside: &Path, want: &Want) -> io::Result<Vec<Entry>> {
    let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut entries = Vec::new();
    for entry in fs::read_dir(here)? {
        let entry = entry?;
        let (kind, name) = (entry.file_type()?, entry.file_name());
        let wanted = match want {
            Want::Endings(endings) => kind.is_dir() || kind.is_file() && has_ending(&name, endings),
            Want::Pattern(pattern) if kind.is_dir() => pattern.may_be_below(&inside.join(&name)),
            Want::Pattern(pattern) => kind.is_file() && pattern.matches(&inside.join(&name)),
        };
        if wanted {
            entries.push(Entry { name: name.into_boxed_os_str(), folder: kind.is_dir() });
        }
    }
    Ok(entries)
}

fn has_ending(name: &OsStr, endings: &[String]) -> bool {
    let name = name.as_encoded_bytes();
    let ends = |ending: &String| {
        let start = name.len().wrapping_sub(ending.len());
        name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(ending.as_bytes()))
            && name.get(start.wrapping_sub(1)) == Some(&b'.')
    };
    endings.iter().any(ends)
}

impl Iterator for Walk {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        if let Some(root) = self.root.take()
            && let Err(trouble) = self.enter(root, PathBuf::new())
        {
            return Some(*trouble);
        }
        loop {
            let level = self.levels.last_mut()?;
            let Some(entry) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            let path = level.path.join(&*entry.name);
            if !entry.folder {
                return Some(Input::new(path));
            }
            let inside = level.inside.join(&*entry.name);
            if let Err(trouble) = self.enter(path, inside) {
                return Some(*trouble);
            }
        }
    }
}

#[cfg(test)]
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

    fn found(root: &Path, want: Want) -> Vec<String> {
        let inside = |input: Input| input.name.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        Walk::new(root, want, None).map(inside).collect()
    }

    fn endings() -> Want {
        Want::Endings(["html".to_owned(), "htm".to_owned()].into())
    }

    #[test]
    fn the_order_is_that_of_whole_paths() {
        let names = [
            "a.html", "a/b.html", "a-b.html", "a/b/c.htm", "a0/x.html", "a.htm.html", "B.HTML", "ä.html", "a/z.txt", "ahtml",
            ".html",
        ];
        let folder = folder(&names);
        let mut want: Vec<&str> = names.into_iter().filter(|name| !["a/z.txt", "ahtml"].contains(name)).collect();
        want.sort_unstable();
        assert_eq!(found(folder.path(), endings()), want);
    }

    #[test]
    fn patterns_choose() {
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
            let inside = |input: Input| input.name.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned();
            let root = pattern.root().to_owned();
            let names: Vec<String> = Walk::new(&root, Want::Pattern(Arc::new(pattern)), None).map(inside).collect();
            assert_eq!(names, want);
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let outside = folder(&["secret.html"]);
        let folder = folder(&["a/x.html"]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/circle")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret.html"), folder.path().join("link.html")).unwrap();
        assert_eq!(found(folder.path(), endings()), ["a/x.html"]);
        // The folder that was typed may be a link.
        let link = outside.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        assert_eq!(found(&link, endings()), ["a/x.html"]);
    }

    #[test]
    fn the_folder_of_results_is_left_out() {
        let folder = folder(&["a.html", "out/b.html", "out/deep/c.html", "sub/out/d.html"]);
        let skip = folder.path().join("out").canonicalize().unwrap();
        let names: Vec<PathBuf> = Walk::new(folder.path(), endings(), Some(skip)).map(|input| input.name).collect();
        assert_eq!(names, ["a.html", "sub/out/d.html"].map(|name| folder.path().join(name)));
    }
}
