//! Where results go: standard output, one file, or a folder with one file per page.

mod folder;
mod gate;
mod sink;

pub(crate) use folder::Folder;
pub(crate) use gate::Gate;
pub(crate) use sink::Sink;

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// How the results of pages are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Extension of files.
    pub(crate) extension: &'static str,
    /// Separator between two pages.
    pub(crate) between: &'static str,
    /// Whether pages in one file can be told apart by a program.
    pub(crate) one_file: bool,
    /// Whether several pages are written as an array.
    pub(crate) array: bool,
    /// Whether the result of a page is several files in their own folder; `-o` then names a folder.
    pub(crate) parts: bool,
    /// Header of every file.
    pub(crate) header: &'static str,
    /// The option that names the file or folder: `-o` or `--report`.
    pub(crate) option: &'static str,
}

/// Where results go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

/// Extensions that mark a name as that of a file.
const FILE_EXTENSIONS: [&str; 9] = ["txt", "md", "html", "htm", "json", "jsonl", "ndjson", "csv", "xml"];

impl Target {
    /// The target named by `shape.option`, for one page or `several`.
    pub(crate) fn new(output: Option<&Path>, several: bool, shape: Shape) -> Result<Self> {
        let Some(path) = output else { return Ok(Target::Stdout) };
        if path.as_os_str() == "-" {
            return Ok(Target::Stdout);
        }
        let named_as_folder = path.as_os_str().as_encoded_bytes().last() == Some(&b'/');
        if named_as_folder || path.is_dir() || shape.parts {
            return Ok(Target::Folder(path.to_owned()));
        }
        if !several || shape.one_file {
            return Ok(Target::File(path.to_owned()));
        }
        let (shown, option) = (path.display(), shape.option);
        // A report has no other format.
        let one_file = if option == "-o" { ", or use --format jsonl for one file" } else { "" };
        if path.exists() {
            bail!("{shown} is a file, but several pages need a folder; choose another name for {option}{one_file}");
        }
        if path.extension().is_some_and(|found| FILE_EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known))) {
            let folder = path.with_extension("");
            let folder = folder.display();
            bail!("several pages need a folder, but {shown} is named like a file; use {option} {folder}/{one_file}");
        }
        Ok(Target::Folder(path.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_a_file_or_a_folder() {
        let here = tempfile::tempdir().unwrap();
        std::fs::write(here.path().join("there"), "").unwrap();
        let text = Shape { extension: "txt", between: "\n", one_file: false, array: false, parts: false, header: "", option: "-o" };
        let lines = Shape { extension: "jsonl", one_file: true, ..text };
        let of = |name: &str, several, shape| match Target::new(Some(&here.path().join(name)), several, shape) {
            Ok(Target::File(_)) => "file".to_owned(),
            Ok(Target::Folder(_)) => "folder".to_owned(),
            Ok(Target::Stdout) => "stdout".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(of("new", false, text), "file");
        assert_eq!(of("new", true, text), "folder");
        assert_eq!(of("new.d", true, text), "folder");
        assert_eq!(of("new", true, lines), "file");
        assert_eq!(of("new/", true, lines), "folder");
        assert_eq!(of("new/", false, text), "folder");
        assert_eq!(of("", false, lines), "folder", "it exists");
        assert_eq!(of("there", false, text), "file");
        assert!(of("there", true, text).ends_with("choose another name for -o, or use --format jsonl for one file"));
        let new = here.path().join("new").display().to_string();
        assert!(of("new.txt", true, text).ends_with(&format!("use -o {new}/, or use --format jsonl for one file")));
        let report = Shape { extension: "html", option: "--report", ..text };
        assert!(of("there", true, report).ends_with("choose another name for --report"));
        assert!(of("new.html", true, report).ends_with(&format!("use --report {new}/")));
        assert_eq!(of("new.txt/", true, text), "folder");
        assert_eq!(Target::new(Some(Path::new("-")), true, text).unwrap(), Target::Stdout);
    }
}
