//! Which file of a folder belongs to which page.

use anyhow::{Context, Result};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Component, Path, PathBuf};
use webstrata_corpus::input::{Item, STDIN};

/// Assigns files below a folder to pages, in the order of the pages.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    /// The folder that contains all pages, if only one was named: files keep their structure below it.
    base: Option<PathBuf>,
    extension: &'static str,
    /// Hashes of the assigned files: two pages must not share one. Eight bytes per page; with ten million pages, two names collide
    /// in one of a few hundred thousand runs.
    taken: HashSet<u64>,
}

impl Folder {
    pub(crate) fn new(root: &Path, base: Option<&Path>, extension: &'static str) -> Result<Self> {
        fs::create_dir_all(root).with_context(|| format!("cannot create the output folder {}", root.display()))?;
        Ok(Folder { root: root.to_owned(), base: base.map(Path::to_owned), extension, taken: HashSet::new() })
    }

    /// The file for a page, or why there is none.
    pub(crate) fn assign(&mut self, item: &Item) -> Result<PathBuf, String> {
        let page = match item {
            Item::File(file) => file.path.clone(),
            other => PathBuf::from(&*other.origin().file),
        };
        let inside = self.base.as_ref().and_then(|base| page.strip_prefix(base).ok()).unwrap_or(&page);
        let record = if let Item::File(_) = item { None } else { record(item) };
        let path = place(&self.root, inside, record.as_deref(), self.extension);
        // Hashed without a random seed, so that a run can be repeated.
        if !self.taken.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(&path)) {
            return Err(format!("{} is already the file of another page; rename one of the two", path.display()));
        }
        if is_page_itself(&path, &page) {
            return Err("its result would overwrite it; choose another folder".into());
        }
        Ok(path)
    }
}

/// The part of a page's name that distinguishes it from the other pages of its file.
fn record(item: &Item) -> Option<String> {
    let (name, file) = (item.name(), &item.origin().file);
    name.strip_prefix(&**file).filter(|rest| !rest.is_empty()).map(str::to_owned)
}

/// Whether the result would overwrite the page.
fn is_page_itself(path: &Path, page: &Path) -> bool {
    let same = || Some(path.canonicalize().ok()? == page.canonicalize().ok()?);
    path.extension() == page.extension() && same().unwrap_or(false)
}

/// Where the result of a page goes: below `root`, whatever the page's name is.
fn place(root: &Path, name: &Path, record: Option<&str>, extension: &str) -> PathBuf {
    let mut path = root.to_owned();
    let inside = name.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part),
        _ => None,
    });
    path.extend(inside);
    if name.as_os_str() == STDIN {
        path = root.join("stdin");
    } else if path == root {
        path = root.join("page"); // only `..` and similar components
    }
    let stem = |path: &Path| path.file_stem().map_or_else(|| OsString::from("page"), OsString::from);
    let mut file = match record {
        // `crawl.warc.gz@1734.txt`
        Some(record) => {
            let mut name = path.file_name().map_or_else(|| OsString::from("page"), OsString::from);
            name.push(record);
            name
        }
        // `page.html.gz` becomes `page.txt`.
        None => match path.extension().and_then(|last| last.to_str()) {
            Some("gz" | "zst") if Path::new(&stem(&path)).extension().is_some() => stem(Path::new(&stem(&path))),
            _ => stem(&path),
        },
    };
    file.push(".");
    file.push(extension);
    path.set_file_name(file);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stay_below_their_folder() {
        for (name, record, want) in [
            ("a/b.html", None, "out/a/b.txt"),
            ("a/b.html.gz", None, "out/a/b.txt"),
            ("b.gz", None, "out/b.txt"),
            ("/etc/passwd", None, "out/etc/passwd.txt"),
            ("../../x.htm", None, "out/x.txt"),
            ("./a.b.html", None, "out/a.b.txt"),
            ("-", None, "out/stdin.txt"),
            ("..", None, "out/page.txt"),
            ("/", None, "out/page.txt"),
            ("a/crawl.warc.gz", Some("@1734+5"), "out/a/crawl.warc.gz@1734+5.txt"),
            ("-", Some("@17"), "out/stdin@17.txt"),
        ] {
            assert_eq!(place(Path::new("out"), Path::new(name), record, "txt"), Path::new(want), "{name}");
        }
    }
}
