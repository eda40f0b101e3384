//! Evaluation sets that may not be redistributed: read from the folder that `WEBSTRATA_DATA` names, if there is one.

use std::path::{Path, PathBuf};

/// The sets that have pages in a folder `html`.
pub const SETS: [&str; 9] =
    ["wcxb", "l3s-gn1", "cleaneval", "dragnet", "daniel", "cleanportaleval", "swde-sample", "trafilatura-snippets", "readability"];

/// The folder of one set, or a note on standard output that it is not at hand.
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

/// The files of a folder with this ending, sorted by name.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    files
}

/// A page as text; bytes that are no UTF-8 become U+FFFD, and a byte order mark goes.
pub fn page(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}
