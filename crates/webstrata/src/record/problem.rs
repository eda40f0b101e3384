//! Problems as plain data.

use crate::limits::Problem;
use serde::{Deserialize, Serialize};

/// A limit that was reached or a repair that was made.
///
/// ```
/// use webstrata::{Page, record::ProblemRecord};
/// let page = Page::parse(b"<title>No end<p>but a text");
/// let problem = ProblemRecord::new(&page.problems()[0]);
/// assert_eq!((problem.code.as_str(), problem.offset), ("raw-text-repaired", Some(13)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemRecord {
    /// Machine-readable code of the problem.
    pub code: String,
    /// A description of the problem.
    pub message: String,
    /// Byte offset of the problem, if it has a single place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

impl ProblemRecord {
    /// Converts a problem to plain data.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        let (code, offset) = match *problem {
            Problem::BytesCut { at } => ("bytes-cut", Some(at)),
            Problem::DepthCut { at } => ("depth-cut", Some(at)),
            Problem::NodesCut { at } => ("nodes-cut", Some(at)),
            Problem::AttributesCut { at } => ("attributes-cut", Some(at)),
            Problem::RawTextRepaired { at, .. } => ("raw-text-repaired", Some(at)),
            Problem::ReopeningStopped { at } => ("reopening-stopped", Some(at)),
            Problem::BytesReplaced => ("bytes-replaced", None),
        };
        ProblemRecord { code: code.to_owned(), message: problem.to_string(), offset }
    }
}
