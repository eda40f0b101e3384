//! Takes the results of pages in their order and writes them one behind the other.

use super::{Shape, Target};
use anyhow::{Context, Result};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use webstrata_corpus::io::AtomicFile;

/// An output that many pages go to.
#[derive(Debug)]
pub(crate) struct Sink {
    out: Out,
    shape: Shape,
    /// May there be several pages? Then JSON is an array, also of one.
    several: bool,
    /// Was a page written already?
    any: bool,
}

#[derive(Debug)]
enum Out {
    Stdout(BufWriter<StdoutLock<'static>>),
    File(AtomicFile, PathBuf),
    /// Pages are written by those who make them.
    Elsewhere,
}

impl Sink {
    pub(crate) fn new(target: &Target, shape: Shape, several: bool) -> Result<Self> {
        let out = match target {
            Target::Stdout => Out::Stdout(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
            Target::File(path) => Out::File(AtomicFile::create(path)?, path.clone()),
            Target::Folder(_) => Out::Elsewhere,
        };
        Ok(Sink { out, shape, several, any: false })
    }

    /// Writes the result of the next page.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        if matches!(self.out, Out::Elsewhere) {
            return Ok(());
        }
        let any = std::mem::replace(&mut self.any, true);
        if self.shape.array && self.several {
            let (before, text) = (if any { ",\n" } else { "[\n" }, text.trim_end());
            return self.put(before).and_then(|()| self.put(text));
        }
        if any {
            self.put(self.shape.between)?;
        }
        self.put(text)
    }

    fn put(&mut self, text: &str) -> Result<()> {
        match &mut self.out {
            Out::Stdout(out) => out.write_all(text.as_bytes()).context("cannot write to standard output"),
            Out::File(file, path) => file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display())),
            Out::Elsewhere => Ok(()),
        }
    }

    /// Lets whoever reads standard output have what there is.
    pub(crate) fn flush(&mut self) -> Result<()> {
        match &mut self.out {
            Out::Stdout(out) => out.flush().context("cannot write to standard output"),
            _ => Ok(()),
        }
    }

    /// Ends the output; a file gets its name now.
    pub(crate) fn finish(mut self) -> Result<()> {
        if self.shape.array && self.several {
            self.put(if self.any { "\n]\n" } else { "[]\n" })?;
        }
        match self.out {
            Out::Stdout(mut out) => out.flush().context("cannot write to standard output"),
            Out::File(file, _) => Ok(file.commit_without_sync()?),
            Out::Elsewhere => Ok(()),
        }
    }

    /// A file that must not stay behind if the process ends before [`Sink::finish`].
    pub(crate) fn temporary(&self) -> Option<&Path> {
        match &self.out {
            Out::File(file, _) => file.temporary_path(),
            _ => None,
        }
    }
}
