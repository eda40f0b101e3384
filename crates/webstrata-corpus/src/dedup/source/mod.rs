//! Where texts come from: a run's folder, JSON Lines with texts, or pages.

mod jsonl;

pub(crate) use jsonl::{Line, Lines};

use super::error::DedupError;
use crate::executor;
use crate::input::{Failure, Input, InputError, InputOptions, Item as InputItem, Sources};
use crate::store::{self, Manifest, PageRow};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// How input is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceOptions {
    /// How pages are read.
    pub pages: InputOptions,
    /// The field of JSON Lines with the text.
    pub text_column: String,
    /// The field with its id; a text without one is named by its file and the byte at which its line begins.
    pub id_column: String,
    /// The field with the confidence of the extraction, which may be missing.
    pub confidence_column: String,
    /// Extensions of the files to read from folders, instead of those known to contain pages.
    pub extensions: Vec<String>,
    /// Files and folders to leave out when folders and patterns are searched, because results go there.
    #[serde(skip)]
    pub excluded: Vec<PathBuf>,
}

impl Default for SourceOptions {
    fn default() -> Self {
        SourceOptions {
            pages: InputOptions::default(),
            text_column: "text".into(),
            id_column: "id".into(),
            confidence_column: "confidence".into(),
            extensions: Vec::new(),
            excluded: Vec::new(),
        }
    }
}

/// An item of the input.
#[derive(Debug)]
pub(crate) enum Item {
    /// A text, ready to be compared.
    Text(Text),
    /// A page, still to be parsed.
    Page(InputItem),
    /// A line that should have a text but does not: its name and what is wrong.
    Broken(String, Failure),
}

impl Item {
    /// Approximate size in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Item::Text(text) => text.text.len(),
            Item::Page(page) => page.size(),
            Item::Broken(..) => 0,
        }
    }

    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Item::Text(text) => text.id.clone(),
            Item::Page(page) => page.name(),
            Item::Broken(name, _) => name.clone(),
        }
    }
}

/// A text and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) date: Option<String>,
    pub(crate) confidence: Option<f32>,
}

/// A part of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The output folder of a run.
    Run(PathBuf),
    /// JSON Lines with texts.
    Texts(PathBuf),
    /// Pages: files, folders and patterns that were named one after another.
    Pages(Vec<PathBuf>),
}

/// Texts and pages to be compared, in a fixed order.
///
/// ```
/// use webstrata_corpus::dedup::Source;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("texts.jsonl");
/// std::fs::write(&path, "{\"id\": \"a\", \"text\": \"It rained.\"}\n")?;
/// let source = Source::open(&[path], Default::default())?;
/// assert!(source.has_texts());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Source {
    options: SourceOptions,
    kinds: Vec<Kind>,
    fingerprint: String,
    /// The opened inputs of [`Kind::Pages`], until they are read.
    inputs: VecDeque<Input>,
}

/// Reads a [`Source`].
#[derive(Debug)]
pub(crate) struct SourceReader {
    options: SourceOptions,
    kinds: std::vec::IntoIter<Kind>,
    inputs: VecDeque<Input>,
    open: Option<Open>,
}

#[derive(Debug)]
enum Open {
    Run(Box<store::Rows<PageRow>>),
    Texts(Box<Lines>),
    Pages(Box<Input>),
}

impl Source {
    /// Opens inputs, reading only enough to tell their kinds apart.
    pub fn open(paths: &[PathBuf], options: SourceOptions) -> Result<Self, DedupError> {
        let mut kinds: Vec<Kind> = Vec::new();
        for path in paths {
            let kind = kind(path, &options)?;
            match (kinds.last_mut(), kind) {
                (Some(Kind::Pages(paths)), Kind::Pages(more)) => paths.extend(more),
                (_, kind) => kinds.push(kind),
            }
        }
        let pages = kinds.iter().filter_map(|kind| if let Kind::Pages(paths) = kind { Some(paths) } else { None });
        let inputs = pages.map(|paths| options.input(paths)).collect::<Result<_, _>>().map_err(input)?;
        let mut source = Source { options, kinds, fingerprint: String::new(), inputs };
        source.fingerprint = source.print()?;
        Ok(source)
    }

    /// Whether some input consists of texts, so that there is nothing to choose for comparison.
    #[must_use]
    pub fn has_texts(&self) -> bool {
        self.kinds.iter().any(|kind| !matches!(kind, Kind::Pages(_)))
    }

    /// Identifies the input, so that a resumed command notices that it has changed.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    pub(crate) fn options(&self) -> &SourceOptions {
        &self.options
    }

    /// Reads the source from its start. Standard input can be read once.
    pub(crate) fn reader(&mut self) -> SourceReader {
        let inputs = std::mem::take(&mut self.inputs);
        SourceReader { options: self.options.clone(), kinds: self.kinds.clone().into_iter(), inputs, open: None }
    }

    /// Names, sizes and times of the files, and how they are read.
    fn print(&self) -> Result<String, DedupError> {
        let mut text = serde_json::to_string(&self.options).unwrap_or_default();
        let mut inputs = self.inputs.iter();
        for kind in &self.kinds {
            let (Kind::Run(path) | Kind::Texts(path)) = kind else {
                let Some(print) = inputs.next().map(Input::fingerprint) else { continue };
                let _ = write!(text, " {} {} {:016x}", print.files, print.bytes, print.hash);
                continue;
            };
            let file = if path.is_dir() { path.join("manifest.json") } else { path.clone() };
            let about = file.metadata().map_err(super::error::at(&file))?;
            let time = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
            let _ = write!(text, " {:?} {} {}", path, about.len(), time.as_nanos());
        }
        let named: Vec<String> = self.kinds.iter().flat_map(Kind::names).collect();
        Ok(format!("{} [{:016x}]", named.join(" "), xxh3_64(text.as_bytes())))
    }
}

impl SourceOptions {
    fn input(&self, paths: &[PathBuf]) -> Result<Input, InputError> {
        let sources = Sources::new(paths)?.with_extensions(&self.extensions);
        let sources = self.excluded.iter().fold(sources, |sources, path| sources.excluding(path));
        Input::list(&sources, &self.pages)
    }
}

impl SourceReader {
    fn opened(&mut self, kind: &Kind) -> Result<Open, DedupError> {
        Ok(match kind {
            Kind::Run(path) => Open::Run(Box::new(store::pages(path).map_err(|error| DedupError::Input(error.to_string()))?)),
            Kind::Texts(path) => Open::Texts(Box::new(Lines::open(path, &self.options)?)),
            Kind::Pages(paths) => {
                let pages = self.inputs.pop_front().map_or_else(|| self.options.input(paths), Ok);
                Open::Pages(Box::new(pages.map_err(input)?))
            }
        })
    }

    /// The next item.
    pub(crate) fn read(&mut self) -> Result<Option<Item>, DedupError> {
        loop {
            let item = match &mut self.open {
                None => None,
                Some(Open::Run(rows)) => match rows.next() {
                    Some(row) => Some(Item::Text(of_row(row.map_err(|error| DedupError::Input(error.to_string()))?))),
                    None => None,
                },
                Some(Open::Texts(lines)) => lines.next()?.map(Line::into_item),
                Some(Open::Pages(pages)) => match executor::Source::next(&mut **pages) {
                    Some(entry) => Some(Item::Page(entry.map_err(input)?.item)),
                    None => None,
                },
            };
            if item.is_some() {
                return Ok(item);
            }
            let Some(kind) = self.kinds.next() else { return Ok(None) };
            self.open = Some(self.opened(&kind)?);
        }
    }
}

impl executor::Source for SourceReader {
    type Item = Item;
    type Error = DedupError;

    fn next(&mut self) -> Option<Result<Item, DedupError>> {
        self.read().transpose()
    }
}

impl Kind {
    fn names(&self) -> Vec<String> {
        match self {
            Kind::Run(path) | Kind::Texts(path) => vec![path.display().to_string()],
            Kind::Pages(paths) => paths.iter().map(|path| path.display().to_string()).collect(),
        }
    }
}

fn input(error: InputError) -> DedupError {
    DedupError::Input(error.to_string())
}

fn of_row(row: PageRow) -> Text {
    Text { id: row.id, text: row.text, date: row.fetched_text, confidence: row.confidence }
}

fn kind(path: &Path, options: &SourceOptions) -> Result<Kind, DedupError> {
    if path.is_dir() {
        let run = Manifest::is_in(path);
        return Ok(if run { Kind::Run(path.to_owned()) } else { Kind::Pages(vec![path.to_owned()]) });
    }
    let texts = jsonl::has_jsonl_name(path) && jsonl::has_texts(path, options)?;
    Ok(if texts { Kind::Texts(path.to_owned()) } else { Kind::Pages(vec![path.to_owned()]) })
}
