//! The original pages of a run, if the server knows where its inputs are.
//!
//! Tables have no HTML, but the id of a page says where it was read from: `file@offset`. Tables are untrusted: whatever an id says,
//! only files below the folder are opened.

use std::path::{Path, PathBuf};
use webstrata_corpus::Document;
use webstrata_corpus::input::{Input, InputOptions, Item, Position, Sources};

/// The folder with the inputs of a run.
pub(crate) struct SourceFiles {
    root: PathBuf,
}

impl SourceFiles {
    pub(crate) fn open(folder: &Path) -> std::io::Result<Self> {
        let root = folder.canonicalize()?;
        std::fs::read_dir(&root)?;
        Ok(SourceFiles { root })
    }

    /// The page with this id, cut one byte after `max_bytes`; `None` if its file is not below the folder or has changed.
    pub(crate) fn page(&self, id: &str, max_bytes: usize) -> Option<Document> {
        let (file, at) = id.rsplit_once('@')?;
        let (offset, inside) = at.split_once('+').unwrap_or((at, "0"));
        let (offset, inside) = (offset.parse().ok()?, inside.parse().ok()?);
        let path = self.find(Path::new(file))?;
        let options = InputOptions { max_bytes: max_bytes as u64, ..InputOptions::default() };
        let mut input = Input::list(&Sources::new([path]).ok()?, &options).ok()?;
        input.seek(&Position { offset, inside, ..Position::default() }).ok()?;
        match input.next()?.ok()? {
            Item::Document(page) if (page.origin.offset, page.origin.inside) == (offset, inside) => Some(page),
            _ => None,
        }
    }

    /// The file: below the folder by the path that the run was given, or by its name alone.
    fn find(&self, file: &Path) -> Option<PathBuf> {
        let by_name = file.file_name().map(|name| self.root.join(name));
        // Joining an absolute path leaves it unchanged.
        let candidates = [Some(self.root.join(file)), file.canonicalize().ok(), by_name];
        let inside = |path: PathBuf| {
            let path = path.canonicalize().ok()?;
            let plain = path.to_str().is_some_and(|path| !path.contains(['*', '?', '[', '{'])); // no pattern for other files
            (plain && path.is_file() && path.starts_with(&self.root)).then_some(path)
        };
        candidates.into_iter().flatten().find_map(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_below_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("inputs");
        std::fs::create_dir_all(root.join("a")).unwrap();
        for (file, text) in [("secret.html", "<p>secret"), ("inputs/page.html", "<p>page"), ("inputs/a/deep.html", "<p>deep")] {
            std::fs::write(outer.path().join(file), text).unwrap();
        }
        std::fs::write(root.join("lines.jsonl"), "{\"html\":\"<p>one\"}\n{\"html\":\"<p>two\",\"url\":\"https://a.example/\"}\n")
            .unwrap();
        let sources = SourceFiles::open(&root).unwrap();
        let read = |id: &str| sources.page(id, 100).map(|page| String::from_utf8(page.bytes).unwrap());
        assert_eq!(read("page.html@0").as_deref(), Some("<p>page"));
        assert_eq!(read("a/deep.html@0").as_deref(), Some("<p>deep"));
        assert_eq!(read("/elsewhere/page.html@0").as_deref(), Some("<p>page"), "the folder was moved");
        assert_eq!(read(&format!("{}@0", root.join("a/deep.html").display())).as_deref(), Some("<p>deep"));
        assert_eq!(read("lines.jsonl@0").as_deref(), Some("<p>one"));
        assert_eq!(read("lines.jsonl@18").as_deref(), Some("<p>two"));
        assert_eq!(sources.page("page.html@0", 3).unwrap().bytes, b"<p>p", "cut");
        let secret = format!("{}@0", outer.path().join("secret.html").display());
        for id in [
            "../secret.html@0",
            secret.as_str(),
            "/etc/passwd@0",
            "a/../../secret.html@0",
            "*.html@0",
            "page.html",
            "page.html@x",
            "@0",
            "a@0",
        ] {
            assert_eq!(read(id), None, "{id}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret.html"), root.join("link.html")).unwrap();
            assert_eq!(read("link.html@0"), None, "a link out of the folder");
        }
        assert_eq!(read("lines.jsonl@5"), None, "no record begins there");
        assert!(SourceFiles::open(&outer.path().join("none")).is_err());
    }
}
