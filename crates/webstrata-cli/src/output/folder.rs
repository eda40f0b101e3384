//! Which file of a folder belongs to which page.

use crate::inputs::Input;
use anyhow::{Context, Result};
use std::collections::HashSet;
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Component, Path, PathBuf};

/// Gives pages their files below a folder, in the order of the pages.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    /// The folder that all pages are in, if only one was given: names keep what is inside.
    base: Option<PathBuf>,
    extension: &'static str,
    /// Fingerprints of the files given away in this run: two pages must not share one. Eight bytes a page, and among ten
    /// million pages one in a few hundred thousand runs sees two names as one.
    taken: HashSet<u64>,
}

impl Folder {
    pub(crate) fn new(root: &Path, base: Option<&Path>, extension: &'static str) -> Result<Self> {
        fs::create_dir_all(root).with_context(|| format!("cannot make the output folder {}", root.display()))?;
        Ok(Folder { root: root.to_owned(), base: base.map(Path::to_owned), extension, taken: HashSet::new() })
    }

    /// Gives a page its file, or says why it gets none.
    pub(crate) fn assign(&mut self, input: &mut Input) {
        if input.trouble.is_some() {
            return;
        }
        let inside = self.base.as_ref().and_then(|base| input.name.strip_prefix(base).ok()).unwrap_or(&input.name);
        let path = place(&self.root, inside, self.extension);
        // The same in every run, so that a run can be repeated.
        if !self.taken.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(&path)) {
            let shown = path.display();
            input.trouble = Some(format!("{shown} belongs to another page of this run already; give the two different names"));
        } else if is_page_itself(&path, &input.name) {
            input.trouble = Some("its result would take its place; give -o another folder".into());
        } else {
            input.place = Some(path);
        }
    }
}

/// Would the result overwrite the page?
fn is_page_itself(path: &Path, page: &Path) -> bool {
    let same = || Some(path.canonicalize().ok()? == page.canonicalize().ok()?);
    path.extension() == page.extension() && same().unwrap_or(false)
}

/// Where the result of a page goes: below `root`, whatever the page's name says.
fn place(root: &Path, name: &Path, extension: &str) -> PathBuf {
    let mut path = root.to_owned();
    let inside = name.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part),
        _ => None,
    });
    path.extend(inside);
    if name.as_os_str() == "-" {
        path = root.join("stdin");
    } else if path == root {
        path = root.join("page"); // nothing but `..` and the like
    }
    let mut file = path.file_stem().map(std::ffi::OsStr::to_owned).unwrap_or_else(|| "page".into());
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
        for (name, want) in [
            ("a/b.html", "out/a/b.txt"),
            ("/etc/passwd", "out/etc/passwd.txt"),
            ("../../x.htm", "out/x.txt"),
            ("./a.b.html", "out/a.b.txt"),
            ("-", "out/stdin.txt"),
            ("..", "out/page.txt"),
            ("/", "out/page.txt"),
        ] {
            assert_eq!(place(Path::new("out"), Path::new(name), "txt"), Path::new(want), "{name}");
        }
    }

    #[test]
    fn the_first_page_has_the_file() {
        let here = tempfile::tempdir().unwrap();
        fs::write(here.path().join("b.txt"), "a page").unwrap();
        let mut folder = Folder::new(here.path(), Some(&here.path().join("in")), "txt").unwrap();
        let mut assigned = |name: PathBuf| {
            let mut input = Input { name, ..Input::default() };
            folder.assign(&mut input);
            (input.place.map(|place| place.strip_prefix(here.path()).unwrap().to_owned()), input.trouble.is_some())
        };
        assert_eq!(assigned(here.path().join("in/deep/a.html")), (Some("deep/a.txt".into()), false));
        assert_eq!(assigned(here.path().join("in/deep/a.htm")), (None, true));
        assert_eq!(assigned("a.html".into()), (Some("a.txt".into()), false));
        assert_eq!(assigned(here.path().join("in/../b.txt")), (Some("b.txt".into()), false).clone());
    }
}
