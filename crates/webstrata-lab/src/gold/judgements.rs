//! Judgements other than gold texts: relevant documents of a query, and pages with the same content.
//!
//! Three published formats are read: queries and judgements of the CACM collection (`<DOC>` with `<DOCNO>`; TREC lines of
//! query, `Q0`, document, relevance), known-item queries as JSON lines, and pairs of pages as JSON lines.
//! Unreadable entries are reported with their line and skipped.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A query and its relevant documents.
///
/// ```
/// use webstrata_lab::gold::judgements::{Problems, Query};
/// let mut problems = Problems::default();
/// let text = "<DOC>\n<DOCNO> 1 </DOCNO>\nWhat exists on\nrain?\n</DOC>\n";
/// let queries = Query::from_trec(text, "1 Q0 D-7 1\n1 Q0 D-9 0\n2 Q0 D-1 1\nragged\n", &mut problems);
/// assert_eq!((queries[0].text.as_str(), queries[0].relevant.as_slice()), ("What exists on rain?", ["D-7".to_owned()].as_slice()));
/// assert_eq!(problems.0, ["judgements, line 3: no query 2", "judgements, line 4: not query, Q0, document, relevance"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Its number, or the line number in the file.
    pub id: String,
    /// The text of the query.
    pub text: String,
    /// Names of the relevant documents, in file order.
    pub relevant: Vec<String>,
}

/// Two pages and the overlap of their gold texts.
///
/// ```
/// use webstrata_lab::gold::judgements::{Pair, Problems};
/// let mut problems = Problems::default();
/// let pairs = Pair::from_lines("{\"a\": \"x/1\", \"b\": \"y/2\", \"jaccard5\": 0.75}\n{}\n", &mut problems);
/// assert_eq!((pairs[0].a.as_str(), pairs[0].jaccard), ("x/1", 0.75));
/// assert!(problems.0[0].starts_with("line 2: "));
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Pair {
    /// Set and id of one page.
    pub a: String,
    /// Set and id of the other page.
    pub b: String,
    /// Jaccard index of the five-word shingles of their gold texts.
    #[serde(rename = "jaccard5")]
    pub jaccard: f64,
    /// Share of the smaller text's shingles that the other contains.
    #[serde(default, rename = "containment5")]
    pub containment: f64,
    /// Whether the pages are identical, byte for byte.
    #[serde(default)]
    pub same_html: bool,
}

/// Skipped entries, with reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<String>);

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", file.display())]
pub struct ReadError {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub source: io::Error,
}

fn text_of(file: PathBuf) -> Result<String, ReadError> {
    match fs::read(&file) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(source) => Err(ReadError { file, source }),
    }
}

impl Query {
    /// Reads a folder like CACM's: `cacm.query.txt`, `cacm.rel.txt`.
    ///
    /// # Errors
    /// If one of the two files cannot be read.
    pub fn read_cacm(folder: &Path, problems: &mut Problems) -> Result<Vec<Query>, ReadError> {
        let (queries, judgements) = (text_of(folder.join("cacm.query.txt"))?, text_of(folder.join("cacm.rel.txt"))?);
        Ok(Query::from_trec(&queries, &judgements, problems))
    }

    /// Parses queries between `<DOC>` and `</DOC>`, and lines of judgements.
    #[must_use]
    pub fn from_trec(queries: &str, judgements: &str, problems: &mut Problems) -> Vec<Query> {
        let mut all: Vec<Query> = Vec::new();
        for (number, part) in queries.split("<DOC>").skip(1).enumerate() {
            let part = part.split("</DOC>").next().unwrap_or_default();
            match part.split_once("<DOCNO>").and_then(|(_, rest)| rest.split_once("</DOCNO>")) {
                Some((id, text)) => all.push(Query {
                    id: id.trim().to_owned(),
                    text: text.split_whitespace().collect::<Vec<_>>().join(" "),
                    relevant: Vec::new(),
                }),
                None => problems.0.push(format!("query {}: no <DOCNO>", number + 1)),
            }
        }
        let index: BTreeMap<String, usize> = all.iter().enumerate().map(|(at, query)| (query.id.clone(), at)).collect();
        for (number, line) in judgements.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (id, document, relevance) = match fields.as_slice() {
                [id, _, document, relevance, ..] => (*id, *document, *relevance),
                _ => {
                    problems.0.push(format!("judgements, line {}: not query, Q0, document, relevance", number + 1));
                    continue;
                }
            };
            match (index.get(id), relevance.parse::<i64>()) {
                (None, _) => problems.0.push(format!("judgements, line {}: no query {id}", number + 1)),
                (_, Err(_)) => problems.0.push(format!("judgements, line {}: {relevance:?} is not a relevance", number + 1)),
                (Some(&at), Ok(relevance)) if relevance > 0 => all[at].relevant.push(document.to_owned()),
                _ => {}
            }
        }
        all
    }

    /// Parses known-item queries, one JSON object per line: `{"query", "targets"}`.
    ///
    /// ```
    /// use webstrata_lab::gold::judgements::{Problems, Query};
    /// let mut problems = Problems::default();
    /// let queries = Query::from_lines("{\"query\": \"rain\", \"targets\": [\"rain.html\"]}\n[]\n", &mut problems);
    /// assert_eq!((queries.len(), queries[0].relevant.len(), problems.0.len()), (1, 1, 1));
    /// ```
    #[must_use]
    pub fn from_lines(text: &str, problems: &mut Problems) -> Vec<Query> {
        #[derive(Deserialize)]
        struct Line {
            query: String,
            targets: Vec<String>,
        }
        let queries = lines::<Line>(text, problems).into_iter();
        queries.map(|(number, line)| Query { id: number.to_string(), text: line.query, relevant: line.targets }).collect()
    }
}

impl Pair {
    /// Parses pairs of pages, one JSON object per line.
    #[must_use]
    pub fn from_lines(text: &str, problems: &mut Problems) -> Vec<Pair> {
        lines(text, problems).into_iter().map(|(_, pair)| pair).collect()
    }

    /// Reads `gold_pairs.jsonl` of a folder.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(folder: &Path, problems: &mut Problems) -> Result<Vec<Pair>, ReadError> {
        Ok(Pair::from_lines(&text_of(folder.join("gold_pairs.jsonl"))?, problems))
    }
}

/// JSON lines with their numbers; unreadable ones are added to the problems.
fn lines<T: for<'d> Deserialize<'d>>(text: &str, problems: &mut Problems) -> Vec<(usize, T)> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(read) => all.push((number + 1, read)),
            Err(error) => problems.0.push(format!("line {}: {error}", number + 1)),
        }
    }
    all
}
