//! Errors, each with its remedy.

use std::io;
use std::path::{Path, PathBuf};
use tantivy::TantivyError;
use webstrata_corpus::graph::GraphError;
use webstrata_corpus::io::IoError;
use webstrata_corpus::store::StoreError;

/// An error of the index or of a search.
///
/// ```
/// use webstrata_search::{Index, SearchError};
/// let folder = tempfile::tempdir().unwrap();
/// let error = Index::open(folder.path()).unwrap_err();
/// assert!(matches!(error, SearchError::NoIndex(_)) && error.to_string().contains("webstrata index"));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The folder is not an index.
    #[error("{} is not an index; build one with `webstrata index TABLES --out {}`", .0.display(), .0.display())]
    NoIndex(PathBuf),
    /// The folder contains something else.
    #[error("{} is neither empty nor an index; choose another folder", .0.display())]
    Occupied(PathBuf),
    /// The index has another format.
    #[error("{} has the index format {found}, but this version reads {expected}; build it again in another folder", path.display())]
    Format {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: String,
        /// The format of this version.
        expected: &'static str,
    },
    /// The index was built from other tables.
    #[error("{} was built from other tables ({built_from}); add these to it with --add, or choose another folder", path.display())]
    OtherTables {
        /// The folder.
        path: PathBuf,
        /// The tables that it was built from.
        built_from: String,
    },
    /// Another process writes to the index.
    #[error("{} is being written by another process", .0.display())]
    Busy(PathBuf),
    /// A file of the index is damaged.
    #[error("the index {} is damaged ({reason}); build it again in another folder", path.display())]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A query that cannot be answered.
    #[error("{0}")]
    Query(#[from] QueryError),
    /// An invalid option.
    #[error("{0}")]
    Option(String),
    /// The tables of a run cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Ranks cannot be read.
    #[error(transparent)]
    Ranks(#[from] GraphError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// Why a query cannot be answered.
///
/// ```
/// use webstrata_search::Query;
/// let error = "rain (snow".parse::<Query>().unwrap_err();
/// assert_eq!(error.to_string(), "the query has a ( without a )");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// No word to look for.
    #[error("the query has no words; give some, such as: rain \"hot water\" -snow site:example.org")]
    Empty,
    /// Too long.
    #[error("the query has {0} bytes, and at most {max} are allowed; shorten it", max = crate::query::MAX_BYTES)]
    TooLong(usize),
    /// Too many words.
    #[error("the query has more than {max} words; shorten it", max = crate::query::MAX_WORDS)]
    TooManyWords,
    /// Too many nested parentheses.
    #[error("the parentheses of the query are nested more than {max} deep; simplify it", max = crate::query::MAX_DEPTH)]
    TooDeep,
    /// A parenthesis is missing.
    #[error("the query has a {0} without a {1}")]
    Unbalanced(char, char),
    /// An operator without an operand.
    #[error("{0} needs words {place}; write it in lower case to search for the word", place = if *.0 == "NOT" { "after it, and words to find before it" } else { "on both sides" })]
    Operand(&'static str),
    /// A filter whose value is missing or invalid.
    #[error("{0} needs {1}, such as {0}{2}")]
    Filter(&'static str, &'static str, &'static str),
}

/// Converts tantivy's errors.
pub(crate) fn from_tantivy(path: &Path) -> impl Fn(TantivyError) -> SearchError {
    let path = path.to_owned();
    move |error| match error {
        TantivyError::LockFailure(..) => SearchError::Busy(path.clone()),
        TantivyError::IoError(error) => io_error(&path, &error),
        other => SearchError::Damaged { path: path.clone(), reason: one_line(&other.to_string()) },
    }
}

fn io_error(path: &Path, error: &io::Error) -> SearchError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
            SearchError::Damaged { path: path.to_owned(), reason: one_line(&error.to_string()) }
        }
        kind => SearchError::Io(IoError::on("use the index", path)(io::Error::new(kind, error.to_string()))),
    }
}

/// The first line of a message, without its final full stop.
fn one_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().trim_end_matches('.').chars().take(200).collect()
}
