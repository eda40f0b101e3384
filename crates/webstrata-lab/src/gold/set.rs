//! A folder with pages and their gold: `html/<id>.html` and `gold.jsonl`, one object per page.
//!
//! All sets used in this project have this format (apart from their own quirks), and yours can have it as well. Unreadable lines,
//! missing or empty pages and duplicate ids are reported in [`GoldSet::problems`] and skipped.

use super::structure::Structure;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A page of a set.
///
/// ```
/// use webstrata_lab::gold::set::GoldPage;
/// let page: GoldPage = serde_json::from_str(r#"{"id": "1", "gold_text": "It rains.", "lang": "en"}"#).unwrap();
/// assert_eq!((page.gold_text.as_deref(), page.language.as_deref()), (Some("It rains."), Some("en")));
/// let two: GoldPage = serde_json::from_str(r#"{"id": "2", "author": ["A. Moss", "B. Fern"]}"#).unwrap();
/// assert_eq!(two.author.as_deref(), Some("A. Moss; B. Fern"));
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GoldPage {
    /// Its id; the file is `html/<id>.html`.
    pub id: String,
    /// Its address.
    pub url: Option<String>,
    /// The main content.
    pub gold_text: Option<String>,
    /// Readers' comments, if recorded separately.
    pub gold_comments: Option<String>,
    /// The headline, if the text was labelled; further lines may be a second headline.
    pub gold_headline: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// The authors as written; several are joined with `; `.
    #[serde(default, deserialize_with = "one_or_many")]
    pub author: Option<String>,
    /// The tags; several are joined with `; `.
    #[serde(default, alias = "topics", deserialize_with = "one_or_many")]
    pub tags: Option<String>,
    /// Date of publication, as `2024-05-13`.
    pub date: Option<String>,
    /// Page type.
    pub page_type: Option<String>,
    /// Its language.
    #[serde(alias = "lang")]
    pub language: Option<String>,
    /// The site of the page.
    #[serde(alias = "domain")]
    pub site: Option<String>,
    /// Split of the set that the page is in, if it has splits.
    pub split: Option<String>,
    /// Attributes of the page's subject, for sets of template-driven sites.
    #[serde(default, alias = "attrs")]
    pub attributes: std::collections::BTreeMap<String, Vec<String>>,
    /// The confidence of the reader who labelled the page, from 0 to 1.
    pub sure: Option<f32>,
    /// Snippets that are content.
    #[serde(default)]
    pub with: Vec<String>,
    /// Snippets that are not content.
    #[serde(default)]
    pub without: Vec<String>,
    /// Code, formulas, tables, headings and items, in sets for `eval markdown`.
    #[serde(flatten)]
    pub structure: Structure,
    /// The page's file.
    #[serde(skip)]
    pub file: PathBuf,
}

/// A string, or a list of strings joined into one.
fn one_or_many<'d, D: serde::Deserializer<'d>>(input: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(String),
        Many(Vec<String>),
    }
    Ok(Option::<Names>::deserialize(input)?.map(|names| match names {
        Names::One(name) => name,
        Names::Many(names) => names.join("; "),
    }))
}

/// Why a folder is not a set.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// `gold.jsonl` cannot be read.
    #[error("cannot read {} (a set is a folder with html/ and gold.jsonl)", file.display())]
    Gold {
        /// The file.
        file: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
    /// None of its pages can be used.
    #[error("{}: no page with gold; the first problem: {first}", folder.display())]
    Empty {
        /// The folder.
        folder: PathBuf,
        /// The first problem.
        first: String,
    },
}

/// A set.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use webstrata_lab::gold::set::GoldSet;
/// let folder = tempfile::tempdir()?;
/// std::fs::create_dir(folder.path().join("html"))?;
/// std::fs::write(folder.path().join("html/1.html"), "<p>It rains.")?;
/// std::fs::write(folder.path().join("gold.jsonl"), "{\"id\": \"1\", \"gold_text\": \"It rains.\"}\n{\"id\": \"2\"}\nno JSON\n")?;
/// let set = GoldSet::read(folder.path())?;
/// assert_eq!((set.pages.len(), set.problems.len()), (1, 2));
/// assert!(set.problems[0].starts_with("gold.jsonl, line 2: no page html/2.html"));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct GoldSet {
    /// Name of the folder.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// Its pages, in the order of `gold.jsonl`.
    pub pages: Vec<GoldPage>,
    /// Skipped entries, with reasons.
    pub problems: Vec<String>,
}

impl GoldSet {
    /// Reads a set.
    ///
    /// # Errors
    /// If there is no gold, or none of its pages can be used.
    pub fn read(folder: &Path) -> Result<GoldSet, SetError> {
        let file = folder.join("gold.jsonl");
        let gold = fs::read(&file).map_err(|source| SetError::Gold { file, source })?;
        let name =
            folder.canonicalize().ok().as_deref().unwrap_or(folder).file_name().map(|name| name.to_string_lossy().into_owned());
        let mut set =
            GoldSet { name: name.unwrap_or_default(), folder: folder.to_owned(), pages: Vec::new(), problems: Vec::new() };
        let mut ids = BTreeSet::new();
        for (number, line) in gold.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty()) {
            match read_line(folder, line, &mut ids) {
                Ok(page) => set.pages.push(page),
                Err(what) => set.problems.push(format!("gold.jsonl, line {}: {what}", number + 1)),
            }
        }
        if set.pages.is_empty() {
            let first = set.problems.into_iter().next().unwrap_or_else(|| "gold.jsonl is empty".to_owned());
            return Err(SetError::Empty { folder: folder.to_owned(), first });
        }
        Ok(set)
    }
}

fn read_line(folder: &Path, line: &[u8], ids: &mut BTreeSet<String>) -> Result<GoldPage, String> {
    let mut page: GoldPage = serde_json::from_slice(line).map_err(|error| format!("not an object with an id: {error}"))?;
    // The id becomes a file name: it must not lead out of the folder.
    if page.id.is_empty() || page.id.contains(['/', '\\', '\0']) || page.id.starts_with("..") {
        return Err(format!("the id {:?} is not a file name", page.id));
    }
    page.file = folder.join("html").join(format!("{}.html", page.id));
    match fs::metadata(&page.file) {
        Err(error) => return Err(format!("no page html/{}.html ({error})", page.id)),
        Ok(metadata) if metadata.len() == 0 => return Err(format!("the page html/{}.html is empty", page.id)),
        Ok(_) => {}
    }
    if !ids.insert(page.id.clone()) {
        return Err(format!("the id {:?} occurs twice", page.id));
    }
    Ok(page)
}
