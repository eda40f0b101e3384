//! A folder with labelled blocks in the format of [`crate::gold::l3s_blocks`], validated before anything is measured or trained.

use crate::gold::l3s_blocks::{L3sBlocks, LabelledPage};
use crate::gold::set::SetError;
use crate::learn::dataset::Classes;
use std::path::{Path, PathBuf};

/// A set with labelled blocks.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use webstrata_lab::blocks::set::BlockSet;
/// let folder = tempfile::tempdir()?;
/// for (id, annotated) in [("1", "<p><span class=x-nc-sel2>It rains.</span>"), ("2", "<p> ")] {
///     for part in ["html", "annotated"] {
///         std::fs::create_dir_all(folder.path().join(part))?;
///         std::fs::write(folder.path().join(part).join(format!("{id}.html")), annotated)?;
///     }
/// }
/// std::fs::write(folder.path().join("gold.jsonl"), "{\"id\": \"1\"}\n{\"id\": \"2\"}")?;
/// let set = BlockSet::read(folder.path())?;
/// assert_eq!(set.labelled.pages.len(), 1);
/// assert_eq!(set.labelled.problems, ["the page annotated/2.html has no text"]);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct BlockSet {
    /// Name of the folder.
    pub name: String,
    /// Its pages, and the problems of skipped pages.
    pub labelled: L3sBlocks,
}

/// Why a folder is not a set with labelled blocks.
#[derive(Debug, thiserror::Error)]
pub enum BlockSetError {
    /// Not an evaluation set.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The pages are not labelled.
    #[error(
        "{} has no labelled blocks: they belong in annotated/<id>.html, beside html/ and gold.jsonl: the page with its text in \
         <span class=\"x-nc-selN\"> (1 headline, 2 full text, 3 supplemental, 4 related, 5 comments); \
         to measure against gold texts, use `webstrata-lab eval extract`", folder.display()
    )]
    NoBlocks {
        /// The folder.
        folder: PathBuf,
    },
    /// No text is labelled as content.
    #[error(
        "{}: no block is labelled as content; in annotated/<id>.html content is text in <span class=\"x-nc-selN\"> \
         (1 headline, 2 full text, 3 supplemental, 5 comments)", folder.display()
    )]
    NoContent {
        /// The folder.
        folder: PathBuf,
    },
}

impl BlockSet {
    /// Reads a set. Pages without words are reported and skipped.
    ///
    /// # Errors
    /// If there is no gold, none of its pages can be used, or nothing is labelled.
    pub fn read(folder: &Path) -> Result<BlockSet, BlockSetError> {
        let no_blocks = || BlockSetError::NoBlocks { folder: folder.to_owned() };
        if folder.join("gold.jsonl").is_file() && !folder.join("annotated").is_dir() {
            return Err(no_blocks());
        }
        let mut labelled = L3sBlocks::read(folder)?;
        let mut content = false;
        let problems = &mut labelled.problems;
        labelled.pages.retain(|page| {
            let words = words(page);
            content |= words.content;
            if !words.any {
                problems.push(format!("the page annotated/{}.html has no text", page.gold.id));
            }
            words.any
        });
        if labelled.pages.is_empty() {
            let first = labelled.problems.into_iter().next().unwrap_or_default();
            return Err(SetError::Empty { folder: folder.to_owned(), first }.into());
        }
        if !content {
            return Err(BlockSetError::NoContent { folder: folder.to_owned() });
        }
        let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Ok(BlockSet { name: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(), labelled })
    }
}

/// Whether a page has words, and whether any of them are content.
struct Words {
    any: bool,
    content: bool,
}

fn words(page: &LabelledPage) -> Words {
    let parsed = page.page.parse();
    let labels = page.page.block_labels(parsed.blocks());
    let mut words = Words { any: false, content: false };
    for (_, label) in parsed.blocks().iter().zip(labels).filter(|(block, _)| block.counts().words > 0) {
        words.any = true;
        words.content |= Classes::Two.class(label) > 0;
    }
    words
}
