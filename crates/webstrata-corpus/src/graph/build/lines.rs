//! Lines of an edge list, without blank lines and comments.

use super::super::error::GraphError;
use crate::io::{IoError, Line, LineReader};
use std::io;
use std::path::{Path, PathBuf};

/// Longest line: two addresses and more.
const MAX_LINE: u64 = 1 << 17;

/// Reads lines.
pub(crate) struct Lines {
    path: PathBuf,
    reader: LineReader,
    pub(crate) text: Vec<u8>,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Lines, GraphError> {
        let reader = if path.is_dir() {
            let error = "it is a folder, and no run of `webstrata run` is in it";
            Err(io::Error::new(io::ErrorKind::IsADirectory, error))
        } else {
            LineReader::open(path, MAX_LINE)
        };
        Ok(Lines { path: path.to_owned(), reader: reader.map_err(IoError::on("read", path))?, text: Vec::new() })
    }

    /// Bytes read from the file, before decompression.
    pub(crate) fn bytes(&self) -> u64 {
        self.reader.file_bytes()
    }

    /// Number of the line that was read last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.reader.number()
    }

    /// Reads the next line that is neither blank nor a comment into `text`, without its end. False at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, GraphError> {
        loop {
            match self.reader.read_trimmed(&mut self.text) {
                Ok(None) => return Ok(false),
                Ok(Some(Line::Complete)) => {}
                Ok(Some(Line::TooLong)) => {
                    return Err(self.wrong(format!("it is longer than {MAX_LINE} bytes; give one link per line")));
                }
                Err(error) if self.reader.is_compressed() => {
                    let reason =
                        if error.kind() == io::ErrorKind::UnexpectedEof { "it is cut off".into() } else { error.to_string() };
                    return Err(GraphError::Unpack { path: self.path.clone(), offset: self.bytes(), reason });
                }
                Err(error) => return Err(IoError::on("read", &self.path)(error).into()),
            }
            if !self.text.iter().all(u8::is_ascii_whitespace) && !self.text.starts_with(b"#") {
                return Ok(true);
            }
        }
    }

    /// Something is wrong with the line that was read last.
    pub(crate) fn wrong(&self, reason: impl Into<String>) -> GraphError {
        GraphError::Line { path: self.path.clone(), line: self.number(), reason: reason.into() }
    }
}
