//! Pages of sites, for the figures of the papers on sites.

use crate::gold::set::{GoldPage, GoldSet};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use webstrata_corpus::site::digest::site_of;

/// A page with its bytes.
#[derive(Clone, Debug)]
pub struct SitePage {
    /// Its gold.
    pub gold: GoldPage,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The pages of a site, in the order of `gold.jsonl`.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// The part of its name before the first `-`, by which sets with made-up names group their sites.
    pub group: String,
    /// Its pages.
    pub pages: Vec<SitePage>,
}

/// The sites of a set with at least `fewest` pages, sorted by name. Unreadable pages are left out.
#[must_use]
pub fn sites(set: &GoldSet, fewest: usize) -> Vec<Site> {
    let mut by_name: BTreeMap<String, Vec<SitePage>> = BTreeMap::new();
    for gold in &set.pages {
        let Ok(bytes) = std::fs::read(&gold.file) else { continue };
        // Sets without addresses have the host between underscores in their ids.
        let host = gold.id.split('_').find(|part| part.contains('.'));
        let address = gold.url.clone().or_else(|| host.map(|host| format!("http://{host}/")));
        let name = match (&gold.site, &address) {
            (Some(site), _) if !site.contains('.') => site.clone(),
            (_, Some(address)) => site_of(Some(address), "unnamed"),
            (Some(site), None) => site.clone(),
            (None, None) => continue,
        };
        by_name.entry(name).or_default().push(SitePage { gold: gold.clone(), bytes });
    }
    by_name.retain(|_, pages| pages.len() >= fewest);
    let group = |name: &str| name.split('-').next().unwrap_or_default().to_owned();
    by_name.into_iter().map(|(name, pages)| Site { group: group(&name), name, pages }).collect()
}

/// All pages below a folder, sorted by name. Symbolic links are not followed.
#[must_use]
pub fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
                folders.push(path);
            } else if kind.is_ok_and(|kind| kind.is_file()) && path.extension().is_some_and(|ending| ending == "html") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
