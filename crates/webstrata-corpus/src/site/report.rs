//! What is told about a site: its segment classes, how constant they are, and which are its template.

use super::cache::CacheSavings;
use super::som::{Class, Som, SomOptions};
use serde::{Deserialize, Serialize};

/// A class whose most frequent text is on this share of its pages, at least, is template.
pub const CONSTANT: f64 = 0.5;

/// Pages below which a class is not called template.
const LEAST: u64 = 3;

/// A site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteReport {
    /// Its registrable domain.
    pub site: String,
    /// Pages.
    pub pages: u64,
    /// Blocks that ContentExtractor found to recur: the saved template.
    pub template_blocks: usize,
    /// Page designs, each with a tree of its own; one for all pages unless they were asked for.
    pub designs: Vec<DesignReport>,
    /// What storing each block once would save, if that was asked for.
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
    /// Root-to-segment path, its own part first.
    pub label: String,
    /// The same in parts, from the root on.
    pub path: Vec<String>,
    /// The class that it stands in, a place in the same list.
    pub within: Option<usize>,
    /// Pages that have it.
    pub pages: u64,
    /// Words on a page, on average.
    pub words: f64,
    /// Share of them inside links.
    pub linked: f64,
    /// Share of its pages (of a sample of them) that have its most frequent text, dates and numbers apart.
    pub constancy: f64,
    /// Is it part of the site's template?
    pub template: bool,
    /// How the text of some of its segments starts.
    pub texts: Vec<String>,
}

impl ClassReport {
    fn of(class: &Class) -> Self {
        let pages = class.pages.len();
        ClassReport {
            label: class.label.clone(),
            path: class.path.clone(),
            within: class.within,
            pages,
            words: round(class.words as f64 / pages.max(1) as f64),
            linked: round(class.linked as f64 / class.words.max(1) as f64),
            constancy: round(class.constancy),
            template: pages >= LEAST && class.constancy >= CONSTANT,
            texts: class.texts.clone(),
        }
    }
}

/// Three places: reports are read by people.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl DesignReport {
    /// The report on a tree.
    ///
    /// ```
    /// use webstrata::Page;
    /// use webstrata_corpus::site::{report::DesignReport, som::{PageTree, Som, SomOptions}};
    /// let mut som = Som::default();
    /// for (number, text) in (0..).zip(["One.", "Two, two.", "Three."]) {
    ///     let html = format!("<h1>The site</h1><p>{text}</p>");
    ///     som.add(number, &PageTree::new(&Page::parse(html.as_bytes())));
    /// }
    /// let report = DesignReport::of(&som, &SomOptions::default());
    /// assert!(report.classes[0].template && !report.classes[1].template);
    /// ```
    #[must_use]
    pub fn of(som: &Som, options: &SomOptions) -> Self {
        let classes = som.classes(options).iter().map(ClassReport::of).collect();
        DesignReport { pages: som.pages(), nodes: som.len(), classes }
    }
}
