//! Layouts in files, so that a set of pages is rendered once.
//!
//! A file is JSON: the format, a hash of the page's source, and for each rendered node a row of numbers. A layout belongs to one
//! page and one tree, so a file is only read for the page it was made from.

use crate::LayoutError;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use webstrata::Page;
use webstrata::layout::{Area, Color, Layout, Rendered};
use xxhash_rust::xxh3::xxh3_64;

/// Name and version of the format.
const FORMAT: &str = "webstrata layout 1";

/// Maximum size of a file in bytes.
const MAX_FILE: u64 = 512 << 20;

#[derive(Debug, Deserialize, Serialize)]
struct File {
    format: String,
    /// Hash of the source's UTF-8, in hexadecimal digits.
    source: String,
    nodes: usize,
    width: f32,
    height: f32,
    rendered: Vec<Row>,
}

/// Node; x, y, width, height; background, colour (as RGBA); size, weight and family of the font.
#[derive(Debug, Deserialize, Serialize)]
struct Row(usize, [f32; 4], u32, u32, f32, u16, u32);

/// Writes the layout of a page to a file.
///
/// ```
/// use webstrata::{Page, html::Tag, layout::{Area, Layout, Rendered}};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("page.layout.json");
/// let page = Page::parse(b"<p>Rain");
/// let mut layout = Layout::new(1280.0, 800.0, page.dom().len());
/// layout.set(page.dom().find(Tag::P).unwrap().id(), Rendered::new(Area::new(8.0, 16.0, 1264.0, 18.0)));
/// webstrata_layout::save(&path, &page, &layout)?;
/// assert_eq!(webstrata_layout::read(&path, &page)?, layout);
/// assert!(webstrata_layout::read(&path, &Page::parse(b"<p>Snow")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, page: &Page<'_>, layout: &Layout) -> Result<(), LayoutError> {
    let row = |node: webstrata::html::Node<'_>| {
        let Rendered { area, background, color, font_size, font_weight, font_family, .. } = *layout.get(node.id())?;
        let place = [area.x, area.y, area.width, area.height];
        Some(Row(node.id().index(), place, number(background), number(color), font_size, font_weight, font_family))
    };
    let file = File {
        format: FORMAT.to_owned(),
        source: hash(page),
        nodes: page.dom().len(),
        width: layout.page().width,
        height: layout.page().height,
        rendered: page.dom().nodes().filter_map(row).collect(),
    };
    let failed = |source| LayoutError::File { action: "write", path: path.to_owned(), source };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    serde_json::to_writer(std::io::BufWriter::new(&mut temporary), &file).map_err(|error| failed(error.into()))?;
    temporary.write_all(b"\n").map_err(failed)?;
    temporary.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Reads the layout of a page from a file.
///
/// # Errors
/// If the file cannot be read, is damaged, or belongs to another page.
pub fn read(path: &Path, page: &Page<'_>) -> Result<Layout, LayoutError> {
    let damaged = |reason: String| LayoutError::Damaged { path: path.to_owned(), reason };
    let length = std::fs::metadata(path).map_err(LayoutError::file("read", path))?.len();
    if length > MAX_FILE {
        return Err(damaged(format!("it has more than {} MB", MAX_FILE >> 20)));
    }
    let bytes = std::fs::read(path).map_err(LayoutError::file("read", path))?;
    let file: File = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if file.format != FORMAT {
        return Err(damaged(format!("its format is {:?}, not {FORMAT:?}", file.format)));
    }
    if file.source != hash(page) {
        return Err(damaged("it was made from another page".to_owned()));
    }
    if file.nodes != page.dom().len() {
        return Err(damaged("the page was parsed differently".to_owned()));
    }
    let ids: Vec<_> = page.dom().nodes().map(|node| node.id()).collect();
    let mut layout = Layout::new(file.width, file.height, ids.len());
    for Row(node, [x, y, width, height], background, colour, size, weight, family) in file.rendered {
        let id = *ids.get(node).ok_or_else(|| damaged(format!("there is no node {node}")))?;
        let rendered = Rendered::new(Area::new(x, y, width, height)).background(color(background)).color(color(colour));
        layout.set(id, rendered.font_size(size).font_weight(weight).font_family(family));
    }
    Ok(layout)
}

fn hash(page: &Page<'_>) -> String {
    format!("{:016x}", xxh3_64(page.dom().source().as_bytes()))
}

fn number(color: Color) -> u32 {
    u32::from_be_bytes([color.red, color.green, color.blue, color.alpha])
}

fn color(number: u32) -> Color {
    let [red, green, blue, alpha] = number.to_be_bytes();
    Color::new(red, green, blue, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("layout.json");
        let page = Page::parse(b"<p>Rain");
        let mut layout = Layout::new(100.0, 50.0, page.dom().len());
        layout.set(page.dom().root().id(), Rendered::new(Area::new(0.25, -3.5, 99.0, 1.0)).font_weight(700));
        save(&path, &page, &layout).unwrap();
        assert_eq!(read(&path, &page).unwrap(), layout);
        let text = std::fs::read_to_string(&path).unwrap();
        for (from, to, reason) in [
            ("layout 1", "layout 9", "its format"),
            ("[[0,", "[[4,", "no node 4"),
            ("[[0,", "[[-1,", "invalid value"),
            ("\"nodes\":4", "\"nodes\":5", "parsed differently"),
            ("}", "", "EOF"),
        ] {
            assert!(text.contains(from), "{text}");
            std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
            let error = read(&path, &page).unwrap_err().to_string();
            assert!(error.contains(reason) && error.ends_with("capture it again"), "{error}");
        }
        assert!(matches!(read(&folder.path().join("none"), &page), Err(LayoutError::File { .. })));
    }
}
