//! Nodes before the first and after the last content. On most pages they are the majority, and none of them is written.
//!
//! The traversal ends after the last content. Before the first, elements without content are skipped, as if a line had just ended.
//! Only three things there matter: a heading directly before content, a link that extends into it, and the positions of listings.
//! List items are entered as usual because they count in their list, and so are their descendants, which may include the check box
//! of a task. If images, tables or formulas are rendered, nothing is skipped: they are written, or change the reading order, even
//! without content of their own.

use super::build::Walk;
use super::frame::{FIELDS, SKIPPED};
use super::marks::Marks;
use crate::html::{HIDDEN, Record, Tag};

/// The range of nodes with content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The first text node that is content.
    first: u32,
    /// The node after the last content.
    pub(super) end: u32,
    /// Nodes before this one belong to a skipped element.
    passed: u32,
}

impl Extent {
    /// The whole page: nothing is skipped.
    pub(super) fn whole(nodes: usize) -> Self {
        Extent { first: 0, end: nodes as u32, passed: 0 }
    }

    /// The range from the first to the last text node with content.
    pub(super) fn of(marks: &Marks) -> Self {
        match (marks.first_content(), marks.last_content()) {
            (Some(first), Some(last)) => Extent { first, end: last + 1, passed: 0 },
            _ => Extent::whole(0),
        }
    }
}

impl Walk<'_> {
    /// Skips a node before the content, with its descendants if none of them matters, and returns the node to continue with.
    pub(super) fn pass_over(&mut self, id: u32, record: &Record) -> Option<u32> {
        let Record { tag, end, .. } = *record;
        if id >= self.extent.first || end > self.extent.first || (tag == Tag::LI && id >= self.extent.passed) {
            return None;
        }
        // Inside a list, quotation or note.
        if self.frames.last().is_some_and(|frame| frame.container != 0) {
            return None;
        }
        if tag == Tag::TEXT {
            return Some(id + 1);
        }
        self.extent.passed = self.extent.passed.max(end);
        let is_empty = end <= id + 1;
        if tag.flags() & HIDDEN != 0 || SKIPPED.contains(tag) || FIELDS.contains(tag) {
            return Some(end.max(id + 1));
        }
        if is_empty || self.frames.last().is_some_and(|frame| frame.pre != 0) {
            return Some(id + 1);
        }
        if self.starts_listing(id) {
            return Some(end);
        }
        if tag == Tag::A {
            self.extend_link(id, end);
        } else if tag.is_heading() {
            self.last_heading = (id, end);
        }
        Some(id + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::{build, build_whole};
    use crate::label::Preset;
    use crate::{ExtractOptions, Page, PageOptions};

    /// Tests every page with methods that keep little text, much text, or scattered blocks.
    #[test]
    fn documents_equal_those_of_whole_pages() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
        let mut pages: Vec<Vec<u8>> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| std::fs::read(entry.unwrap().path().join("page.html")).ok())
            .collect();
        pages.extend(
            [
                "<div><h2>Rain</h2></div><a href=#x>#</a><p>It has rained here for three days now.</p>",
                "<nav><a href=/a>Menu</nav><p>It has rained here for three days now.</p><p>x",
                "<ol reversed><li>one<li>two<li>three words here now<li>four</ol>",
                "<ol><li value=5>one<li>It has rained here for three days now<li>three</ol>",
                "<li>one<li>two words or more are here now<li>three",
                "<ul><li><input type=checkbox checked>one<li><input type=checkbox>two words or more are here</ul>",
                "<ul><li><span><input type=checkbox checked></span><ul></ul>two words or more are here</ul>",
                "<div class=highlight><button>Copy</button><pre>a</pre></div><p>two words or more are here",
                "<pre>a</pre><h1>x</h1><pre>two words or more are here</pre><q>b</q>",
                "<p><q>one</q><p><q>two words or more are here",
                "<table><tr><td>1<td>two words or more are here<tr><td>3<td>4</table><p>more",
            ]
            .map(|html| html.as_bytes().to_vec()),
        );
        let mut shorter = 0;
        for bytes in &pages {
            let page = Page::parse_with(bytes, &PageOptions::default());
            for preset in [Preset::default(), Preset::Article, Preset::MinWords(4), Preset::MinWords(12), Preset::KeepEverything] {
                let content = page.extract_with(&ExtractOptions::from(preset));
                for links in [false, true] {
                    let options = crate::content::RenderOptions::default().links(links);
                    let (fast, whole) = (build(&content, &options), build_whole(&content, &options));
                    assert!(fast.events().eq(whole.events()), "{preset:?}: {}", String::from_utf8_lossy(bytes));
                    assert_eq!(fast.tables, whole.tables);
                }
                shorter += usize::from(content.selection().blocks().next().is_some_and(|first| first > 0));
            }
        }
        assert!(shorter > 50);
    }
}
