//! Plain-text input: a file is a page, a paragraph is a block (thesis, figure 4.26).
//!
//! As in the thesis, texts are first turned into HTML, so that their densities are those of pages: each paragraph (the lines between
//! two blank lines) becomes a `p` element.

use crate::count::Chunk;
use crate::error::StatsError;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use webstrata::Page;
use webstrata::segment::Method;
use webstrata_corpus::markup::Html;

/// Maximum number of bytes read from a file; the rest is ignored.
const MAX_BYTES: u64 = 64 << 20;
/// Maximum depth of folders.
const MAX_DEPTH: usize = 32;

/// The text files of a folder and its subfolders, or the file itself, sorted by name. Links to folders are not followed.
pub(super) fn files(root: &Path) -> Result<Vec<PathBuf>, StatsError> {
    if root.is_file() {
        return Ok(vec![root.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(StatsError::io("read it", &folder))?;
        for entry in entries {
            let entry = entry.map_err(StatsError::io("read it", &folder))?;
            let kind = entry.file_type().map_err(StatsError::io("read it", &entry.path()))?;
            let path = entry.path();
            if kind.is_dir() && depth < MAX_DEPTH {
                folders.push((path, depth + 1));
            } else if kind.is_file() && path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt")) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a text as a page of a chunk.
pub(super) fn page(path: &Path) -> Result<Chunk, StatsError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(StatsError::io("read it", path))?;
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(StatsError::io("read it", path))?;
    let mut chunk = Chunk::default();
    chunk.page(&path.to_string_lossy(), None, None);
    add(&mut chunk, &String::from_utf8_lossy(&bytes));
    Ok(chunk)
}

/// Adds the paragraphs of a text to the last page of a chunk.
fn add(chunk: &mut Chunk, text: &str) {
    let mut html = Html::with_capacity(text.len());
    html.raw("<!doctype html><meta charset=utf-8>");
    let mut paragraph = String::new();
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            paragraph.push_str(line.trim());
            paragraph.push('\n');
        } else if !paragraph.is_empty() {
            html.raw("<p>").text(&paragraph).raw("</p>\n");
            paragraph.clear();
        }
    }
    let html = html.finish();
    let page = Page::parse(html.as_bytes());
    for segment in &page.segments(Method::TagGap) {
        let counts = segment.counts();
        chunk.segment(&segment.text(), counts.words, counts.density().value() as f32, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_blocks() {
        let mut chunk = Chunk::default();
        chunk.page("a.txt", None, None);
        let long = "It has been raining in the valley for three days now, and nobody here can remember\n".repeat(4);
        add(&mut chunk, &format!("Chapter <1>\n\n{long}\n   \nThe end & more"));
        let page = chunk.pages().next().unwrap();
        let words: Vec<u32> = page.segments().iter().map(|segment| segment.words).collect();
        assert_eq!(words, [2, 64, 3]);
        assert_eq!(page.text(&page.segments()[0]), "Chapter <1>");
        assert!(page.segments()[1].density > 12.0 && page.segments()[0].density == 2.0);
    }
}
