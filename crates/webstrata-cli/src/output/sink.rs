//! Writes the results of pages one after another.

use super::{Shape, Target};
use anyhow::{Context, Result};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use webstrata_corpus::io::AtomicFile;

/// An output for many pages.
#[derive(Debug)]
pub(crate) struct Sink {
    out: Out,
    shape: Shape,
    /// Whether there may be several pages. JSON is then an array, even of one page.
    several: bool,
    /// Whether a page has been written.
    any: bool,
}

#[derive(Debug)]
enum Out {
    Stdout(BufWriter<StdoutLock<'static>>),
    File(AtomicFile, PathBuf),
    /// Every page has its own file.
    Folder,
}

impl Sink {
    pub(crate) fn new(target: &Target, shape: Shape, several: bool) -> Result<Self> {
        let out = match target {
            Target::Stdout => Out::Stdout(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
            Target::File(path) => Out::File(AtomicFile::create(path)?, path.clone()),
            Target::Folder(_) => Out::Folder,
        };
        Ok(Sink { out, shape, several, any: false })
    }

    /// Writes the result of the next page.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        // A page without parts leaves no trace, not even a separator.
        if matches!(self.out, Out::Folder) || (self.shape.parts && text.is_empty()) {
            return Ok(());
        }
        let any = std::mem::replace(&mut self.any, true);
        if self.shape.array && self.several {
            let (before, text) = (if any { ",\n" } else { "[\n" }, text.trim_end());
            return self.put(before).and_then(|()| self.put(text));
        }
        self.put(if any { self.shape.between } else { self.shape.header })?;
        self.put(text)
    }

    fn put(&mut self, text: &str) -> Result<()> {
        match &mut self.out {
            Out::Stdout(out) => out.write_all(text.as_bytes()).context("cannot write to standard output"),
            Out::File(file, path) => file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display())),
            Out::Folder => Ok(()),
        }
    }

    /// Flushes the buffer of standard output.
    pub(crate) fn flush(&mut self) -> Result<()> {
        match &mut self.out {
            Out::Stdout(out) => out.flush().context("cannot write to standard output"),
            _ => Ok(()),
        }
    }

    /// Completes the output; a file gets its name now.
    pub(crate) fn finish(mut self) -> Result<()> {
        if self.shape.array && self.several {
            self.put(if self.any { "\n]\n" } else { "[]\n" })?;
        } else if !self.any {
            self.put(self.shape.header)?;
        }
        match self.out {
            Out::Stdout(mut out) => out.flush().context("cannot write to standard output"),
            Out::File(file, _) => Ok(file.commit_without_sync()?),
            Out::Folder => Ok(()),
        }
    }

    /// A file to remove if the process ends before [`Sink::finish`].
    pub(crate) fn temporary(&self) -> Option<&Path> {
        match &self.out {
            Out::File(file, _) => file.temporary_path(),
            _ => None,
        }
    }
}
