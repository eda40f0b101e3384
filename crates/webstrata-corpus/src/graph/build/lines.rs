//! Reads text files with one item per line, skipping comments and empty lines.

use super::super::error::GraphError;
use crate::io::{IoError, Line, LineReader};
use std::io;
use std::path::{Path, PathBuf};

/// Longest line: enough for two URLs.
const MAX_LINE_LEN: u64 = 1 << 17;

/// Reads lines of a file, plain or compressed with gzip or Zstandard.
pub(crate) struct Lines {
    path: PathBuf,
    input: LineReader,
    /// The current line, without its end.
    pub(crate) text: Vec<u8>,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Lines, GraphError> {
        if path.is_dir() {
            let error = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, but not one written by `webstrata run`");
            return Err(IoError::on("read", path)(error).into());
        }
        let input = LineReader::open(path, MAX_LINE_LEN).map_err(IoError::on("read", path))?;
        Ok(Lines { path: path.to_owned(), input, text: Vec::new() })
    }

    /// Bytes of the file read so far.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.input.file_bytes()
    }

    /// Reads the next line that is neither empty nor a comment into `text`. False at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, GraphError> {
        loop {
            match self.input.read_trimmed(&mut self.text) {
                Ok(None) => return Ok(false),
                Ok(Some(Line::Complete)) => {}
                Ok(Some(Line::TooLong)) => {
                    return Err(self.invalid(format!("it is longer than {MAX_LINE_LEN} bytes; write one item per line")));
                }
                Err(error) if self.input.is_compressed() => {
                    let reason =
                        if error.kind() == io::ErrorKind::UnexpectedEof { "it is truncated".into() } else { error.to_string() };
                    return Err(GraphError::Decompress { path: self.path.clone(), offset: self.file_bytes(), reason });
                }
                Err(error) => return Err(IoError::on("read", &self.path)(error).into()),
            }
            if !self.text.iter().all(u8::is_ascii_whitespace) && !self.text.starts_with(b"#") {
                return Ok(true);
            }
        }
    }

    /// An error in the current line.
    pub(crate) fn invalid(&self, reason: impl Into<String>) -> GraphError {
        GraphError::Line { path: self.path.clone(), line: self.input.number(), reason: reason.into() }
    }
}
