//! Bundled pages, and evaluation sets that may not be redistributed: `WEBSTRATA_DATA` names the folder with the sets.

use std::path::{Path, PathBuf};
use webstrata::Page;
use webstrata::html::{Node, Tag};

/// Sets with pages in a folder `html`.
pub const SETS: [&str; 9] =
    ["wcxb", "l3s-gn1", "cleaneval", "dragnet", "daniel", "cleanportaleval", "swde-sample", "trafilatura-snippets", "readability"];

/// The fast lane of `scripts/test` reads one page in this many of a set.
const FAST_LANE_STEP: usize = 5;

/// Whether this is the full lane, `scripts/test --full`.
pub fn full_lane() -> bool {
    std::env::var_os("WEBSTRATA_FULL").is_some_and(|value| value == "1")
}

/// Whether a page has a table whose footer comes before its rows or whose caption comes after them. Tables are written in reading
/// order, so comparisons in page order leave such pages out; `tables.rs` has pages of this kind.
pub fn has_table_out_of_order(bytes: &[u8]) -> bool {
    let page = Page::parse(bytes);
    let rank = |node: Node<'_>| match node.tag() {
        Tag::CAPTION => 0,
        Tag::THEAD => 1,
        Tag::TFOOT => 3,
        _ => 2,
    };
    let mut tables = page.dom().nodes().filter(|node| node.tag() == Tag::TABLE);
    tables.any(|table| !table.children().filter(|child| child.is_element()).map(rank).is_sorted())
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
