//! Where results go: standard output in order, or one file a page, written whole or not at all.

use anyhow::{Context, Result};
use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};
use std::path::{Component, Path, PathBuf};

/// Says something on standard error. That nobody listens there is no reason to stop (as `eprintln!` would).
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "webstrata: {text}");
}

/// Did the reader of our output go away? That is no error of ours.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == ErrorKind::BrokenPipe)
}

/// Takes the results of pages in order.
pub(crate) enum Sink {
    /// All on standard output.
    Stdout {
        out: BufWriter<StdoutLock<'static>>,
        /// What stands between two pages.
        separator: &'static str,
        /// Was a page written already?
        any: bool,
    },
    /// Each in a file of its own below a folder.
    Folder {
        root: PathBuf,
        extension: &'static str,
        /// Files written in this run: two pages must not share one.
        written: HashSet<PathBuf>,
    },
}

impl Sink {
    /// A folder if one is given, else standard output.
    pub(crate) fn new(folder: Option<&Path>, extension: &'static str, separator: &'static str) -> Result<Self> {
        let Some(root) = folder else {
            return Ok(Sink::Stdout { out: BufWriter::with_capacity(1 << 16, io::stdout().lock()), separator, any: false });
        };
        fs::create_dir_all(root).with_context(|| format!("cannot make the output folder {}", root.display()))?;
        Ok(Sink::Folder { root: root.to_owned(), extension, written: HashSet::new() })
    }

    /// Writes the result of the page `name`.
    pub(crate) fn write(&mut self, name: &Path, text: &str) -> Result<()> {
        match self {
            Sink::Stdout { out, separator, any } => {
                let before = if std::mem::replace(any, true) { *separator } else { "" };
                let written = out.write_all(before.as_bytes()).and_then(|()| out.write_all(text.as_bytes()));
                written.context("cannot write to standard output")
            }
            Sink::Folder { root, extension, written } => {
                let path = place(root, name, extension);
                if !written.insert(path.clone()) {
                    anyhow::bail!(
                        "{} was written for another page of this run already; give the two different names",
                        path.display()
                    );
                }
                write_whole(&path, text).with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }

    /// Ends the output.
    pub(crate) fn finish(self) -> Result<()> {
        if let Sink::Stdout { mut out, .. } = self {
            out.flush().context("cannot write to standard output")?;
        }
        Ok(())
    }
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

/// Writes a file under a temporary name and renames it: nobody ever sees half of it.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let result = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
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
}
