//! Layouts of the pages of a set: rendered once (`webstrata-lab layouts`), then read by training and evaluation.

use std::fs;
use std::path::{Path, PathBuf};
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::html::NodeId;
use webstrata_layout::{Assets, Capture, LayoutError};

/// Suffix of the marked page among the files saved with it.
const PAGE: &str = ".blocks.html";

/// Maximum depth of the search for the page.
const MAX_DEPTH: usize = 8;

/// The layout file of a page in a folder of layouts.
#[must_use]
pub fn layout_file(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Adds the layout in a folder of layouts to a page.
///
/// # Errors
/// If there is no layout, or it was made from another version of the page.
pub fn with_layout<'a>(folder: &Path, id: &str, page: Page<'a>) -> Result<Page<'a>, LayoutError> {
    let layout = webstrata_layout::read(&layout_file(folder, id), &page)?;
    Ok(page.with_layout(layout))
}

/// The files saved with a page, from a folder with one subfolder per page; `None` if there is none for this page.
///
/// # Errors
/// If a folder cannot be read.
pub fn assets(folder: &Path, id: &str) -> Result<Option<Assets>, LayoutError> {
    let root = folder.join(id);
    if !root.is_dir() {
        return Ok(None);
    }
    page_file(&root, MAX_DEPTH)?.map(|page| Assets::within(&root, &page)).transpose()
}

/// The first page, by name, in a folder or its subfolders.
fn page_file(folder: &Path, depth: usize) -> Result<Option<PathBuf>, LayoutError> {
    let failed = |source| LayoutError::File { action: "read the folder", path: folder.to_owned(), source };
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).map_err(failed)?.collect();
    let mut paths: Vec<PathBuf> = entries.map_err(failed)?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    if let Some(page) = paths.iter().find(|path| path.to_string_lossy().ends_with(PAGE)) {
        return Ok(Some(page.clone()));
    }
    for below in paths.iter().filter(|path| depth > 0 && path.is_dir()) {
        if let Some(page) = page_file(below, depth - 1)? {
            return Ok(Some(page));
        }
    }
    Ok(None)
}

/// Numbers of text nodes: in the page's blocks, found by the browser, and visible.
#[must_use]
pub fn texts(page: &Page<'_>, capture: &Capture) -> [usize; 3] {
    let mut texts: Vec<NodeId> = page.blocks_by(GapModel::Tags).iter().flat_map(|block| block.runs()).collect();
    texts.sort_unstable();
    texts.dedup();
    let found = texts.iter().filter(|text| capture.texts.binary_search(text).is_ok()).count();
    let visible = texts.iter().filter(|text| capture.layout.get(**text).is_some()).count();
    [texts.len(), found, visible]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_among_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("made.up/host/news");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir_all(folder.path().join("made.up/cdn")).unwrap();
        fs::write(deep.join("index.blocks.html"), "x").unwrap();
        assert!(assets(folder.path(), "made.up").unwrap().is_some());
        assert!(assets(folder.path(), "other").unwrap().is_none());
    }
}
