//! The report on a site: its segment classes, how constant they are, and which belong to its template.

use super::cache::CacheSavings;
use super::som::{Class, Som, SomOptions};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

/// A class is part of the template if its most frequent text is on at least this share of its pages.
pub const MIN_CONSTANCY: f64 = 0.5;

/// Minimum number of pages for a class to be part of the template.
pub(super) const MIN_TEMPLATE_PAGES: u64 = 3;

/// Minimum number of pages for a site to have a report file: most sites of a crawl have only one page, so nothing recurs.
pub const MIN_REPORT_PAGES: u64 = 2;

/// Longest site name in a file name, in characters.
const MAX_NAME: usize = 120;

/// The path of a site's report below the output folder: `sites/ex/example.org.json`. Folders by the first two characters keep the
/// number of files per folder small.
///
/// ```
/// use webstrata_corpus::site::report::report_path;
/// assert_eq!(report_path("example.org", "json").to_str(), Some("sites/ex/example.org.json"));
/// ```
#[must_use]
pub fn report_path(site: &str, extension: &str) -> PathBuf {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let clean: String = site.chars().take(MAX_NAME).map(|c| if plain(c) { c } else { '_' }).collect();
    let clean = clean.trim_start_matches('.');
    let folder: String = clean
        .chars()
        .chain("__".chars())
        .take(2)
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect();
    // Hosts may have characters that file systems do not allow; the hash distinguishes names that become equal without them.
    let name =
        if clean == site && !clean.is_empty() { clean.to_owned() } else { format!("{clean}_{:016x}", xxh3_64(site.as_bytes())) };
    ["sites", folder.as_str(), format!("{name}.{extension}").as_str()].iter().collect()
}

/// A site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteReport {
    /// Its registrable domain.
    pub site: String,
    /// Pages.
    pub pages: u64,
    /// Recurring blocks found by ContentExtractor: the saved template.
    pub template_blocks: usize,
    /// Page designs, each with its own tree; one for all pages unless designs were requested.
    pub designs: Vec<DesignReport>,
    /// What storing each block once would save, if requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cache: Option<CacheSavings>,
}

/// Pages of one design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DesignReport {
    /// Pages.
    pub pages: u64,
    /// Nodes of the merged tree.
    pub nodes: usize,
    /// Segment classes, in the order of the tree.
    pub classes: Vec<ClassReport>,
}

/// A segment class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassReport {
    /// Path from the segment to the root.
    pub label: String,
    /// The same path in parts, from the root.
    pub path: Vec<String>,
    /// The class that contains it, an index into the same list.
    pub within: Option<usize>,
    /// Pages with it.
    pub pages: u64,
    /// Mean number of words per page.
    pub words: f64,
    /// Share of the words inside links.
    pub linked: f64,
    /// Share of its pages (of a sample of them) with its most frequent text, ignoring dates and numbers.
    pub constancy: f64,
    /// Whether it is part of the site's template.
    pub template: bool,
    /// Beginnings of the text of some of its segments.
    pub texts: Vec<String>,
}

impl ClassReport {
    fn new(class: &Class) -> Self {
        let pages = class.pages.len();
        ClassReport {
            label: class.label.clone(),
            path: class.path.clone(),
            within: class.within,
            pages,
            words: round(class.words as f64 / pages.max(1) as f64),
            linked: round(class.linked as f64 / class.words.max(1) as f64),
            constancy: round(class.constancy),
            template: pages >= MIN_TEMPLATE_PAGES && class.constancy >= MIN_CONSTANCY,
            texts: class.texts.clone(),
        }
    }
}

/// Rounds to three decimals, for readability.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl DesignReport {
    /// Reports on a tree.
    ///
    /// ```
    /// use webstrata::Page;
    /// use webstrata_corpus::site::{report::DesignReport, som::{PageTree, Som, SomOptions}};
    /// let mut som = Som::default();
    /// for (number, text) in (0..).zip(["One.", "Two, two.", "Three."]) {
    ///     let html = format!("<h1>The site</h1><p>{text}</p>");
    ///     som.add(number, &PageTree::new(&Page::parse(html.as_bytes())));
    /// }
    /// let report = DesignReport::new(&som, &SomOptions::default());
    /// assert!(report.classes[0].template && !report.classes[1].template);
    /// ```
    #[must_use]
    pub fn new(som: &Som, options: &SomOptions) -> Self {
        let classes = som.classes(options).iter().map(ClassReport::new).collect();
        DesignReport { pages: som.pages(), nodes: som.len(), classes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_paths_stay_in_their_folder() {
        assert_eq!(report_path("x.de", "html").to_str(), Some("sites/x_/x.de.html"));
        let mut seen = std::collections::BTreeSet::new();
        for site in ["../x", "[::1]", "a/b", "a_b", "", ".", "..", "bücher.de", "b_cher.de", &"x".repeat(300), &"x".repeat(301)] {
            let path = report_path(site, "json");
            assert_eq!(path.components().count(), 3, "{path:?}");
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(!name.contains(['\\', ':']) && !name.starts_with('.') && name.len() < 200, "{name}");
            assert!(seen.insert(path), "{site}");
        }
    }
}
