//! Bundled pages, and evaluation sets that may not be redistributed: `WEBSTRATA_DATA` names the folder with the sets.

use std::path::{Path, PathBuf};
use webstrata::html::{Node, Tag};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

/// Sets with pages in a folder `html`.
pub const SETS: [&str; 9] =
    ["wcxb", "l3s-gn1", "cleaneval", "dragnet", "daniel", "cleanportaleval", "swde-sample", "trafilatura-snippets", "readability"];

/// The fast lane of `scripts/test` reads one page in this many of a set.
const FAST_LANE_STEP: usize = 5;

/// Whether this is the full lane, `scripts/test --full`.
pub fn full_lane() -> bool {
    std::env::var_os("WEBSTRATA_FULL").is_some_and(|value| value == "1")
}

/// Maximum number of tables of a page that are put in order.
const MAX_REORDERED: usize = 50;

/// A page with the parts of its data tables in reading order: captions, head, body, foot. Tables are written in this order, so
/// comparisons in page order are made with such a page. `None` if all tables are already in order.
pub fn in_reading_order(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut source = Page::parse(bytes).dom().source().to_owned();
    let mut changed = false;
    for _ in 0..MAX_REORDERED {
        let Some(ordered) = with_next_table_in_order(&source) else { break };
        source = ordered;
        changed = true;
    }
    // The byte order mark declares UTF-8, overriding the page's own declaration.
    changed.then(|| with_mark(&source).into_bytes())
}

fn with_mark(source: &str) -> String {
    format!("\u{feff}{}", source.trim_start_matches('\u{feff}'))
}

/// The source with its first out-of-order data table put in order.
fn with_next_table_in_order(source: &str) -> Option<String> {
    let marked = with_mark(source);
    let page = Page::parse(marked.as_bytes());
    let source = page.dom().source();
    let rank = |node: Node<'_>| match node.tag() {
        Tag::CAPTION => 0,
        Tag::THEAD => 1,
        Tag::TFOOT => 3,
        _ => 2,
    };
    let data_tables = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).tables();
    let is_data = |table: Node<'_>| data_tables.iter().any(|data| data.span().start == table.span().start);
    let mut tables = page.dom().nodes().filter(|node| node.tag() == Tag::TABLE && !node.is_implied());
    let (table, mut parts) = tables.find_map(|table| {
        let parts: Vec<Node<'_>> = table.children().filter(|child| child.is_element()).collect();
        (is_data(table) && !parts.iter().map(|part| rank(*part)).is_sorted()).then_some((table, parts))
    })?;
    // A part ends where the next one starts; the last one at the end tag of the table.
    let last = table.descendants().next_back().map_or(table.span().end, |node| node.span().end) as usize;
    let rest = source[last..].to_ascii_lowercase();
    let end = rest.find("</table").map_or(source.len(), |at| last + at);
    let starts: Vec<usize> = parts.iter().map(|part| part.span().start as usize).chain([end]).collect();
    let slice = |part: &Node<'_>| {
        let start = part.span().start as usize;
        let next = starts.iter().copied().find(|next| *next > start).unwrap_or(end);
        &source[start..next]
    };
    parts.sort_by_key(|part| rank(*part));
    let ordered: String = parts.iter().map(slice).collect();
    Some([&source[..starts[0]], &ordered, &source[end..]].concat())
}

/// The folder of a set, or None and a note on standard output.
pub fn folder(name: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("WEBSTRATA_DATA") else {
        println!("{name}: WEBSTRATA_DATA is not set; skipped");
        return None;
    };
    let folder = Path::new(&root).join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("{name}: no folder {}; skipped", folder.display());
    None
}

/// The files of a folder with this extension, sorted by name.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    files
}

/// The pages of a set: all of them in the full lane, a sample in the fast one. None if the set is not available.
pub fn pages(set: &str) -> Option<Vec<PathBuf>> {
    let step = if full_lane() { 1 } else { FAST_LANE_STEP };
    Some(files(&folder(set)?.join("html"), "html").into_iter().step_by(step).collect())
}

/// Checks the pages of all sets that are available; fails with the first error and the number of errors of a set.
pub fn check_pages(check: impl Fn(&[u8]) -> Result<(), String>) {
    for set in SETS {
        let Some(paths) = pages(set) else { continue };
        let check = |path: &PathBuf| check(&std::fs::read(path).unwrap()).err().map(|error| format!("{}: {error}", path.display()));
        let failed: Vec<String> = paths.iter().filter_map(check).collect();
        println!("{set}: {} pages", paths.len());
        assert!(failed.is_empty(), "{} failed, the first: {}", failed.len(), failed[0]);
    }
}

/// A page as text; invalid UTF-8 becomes U+FFFD, and a byte order mark is removed.
pub fn page(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

/// The folders in a folder of `testdata`, one per case, sorted by name.
pub fn cases(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(folder);
    let entries = std::fs::read_dir(folder).expect("testdata is part of the repository");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    cases.sort();
    assert!(cases.len() > 10);
    cases
}

/// The bundled pages with their names.
pub fn bundled() -> Vec<(String, Vec<u8>)> {
    let page =
        |case: PathBuf| (case.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(case.join("page.html")).unwrap());
    cases("pages").into_iter().map(page).collect()
}
