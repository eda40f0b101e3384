//! Agreement between two annotators on the pages that both have finished.
//!
//! - **Word F1** of the second annotator's content against the first's, as for extractors; symmetric.
//! - **Cohen's kappa** over blocks, for content or not, and for roles on blocks to which both gave one.
//! - **Adjusted Rand** over words, for level 1 and level 2 segments, on pages where both marked segments.
//! - The share of pages with the same type, among those where both chose one.

use super::folder::{Annotator, Folder};
use super::marks::{Annotation, Start};
use crate::metrics::agreement::Kappa;
use crate::metrics::partition::Contingency;
use crate::metrics::words::{Vocabulary, bag};
use crate::table::{Table, share};
use webstrata::Page;

/// Agreement on one page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageAgreement {
    /// The page.
    pub id: String,
    /// What each annotator saw first.
    pub starts: [Start; 2],
    /// Number of blocks.
    pub blocks: usize,
    /// Word F1 of the content.
    pub word_f1: f64,
    /// Content or not, block by block.
    pub content: Kappa<bool>,
    /// Roles, on blocks to which both gave one.
    pub roles: Kappa<String>,
    /// Adjusted Rand of the level 1 and level 2 segments, if both marked segments.
    pub segments: Option<[f64; 2]>,
    /// Whether the page type is the same, if both chose one.
    pub same_type: Option<bool>,
}

/// Agreement on all pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agreement {
    /// The pages, in the order of the folder.
    pub pages: Vec<PageAgreement>,
    /// Pages that cannot be compared, with reasons.
    pub problems: Vec<String>,
}

impl Agreement {
    /// Compares two annotators.
    #[must_use]
    pub fn new(folder: &Folder, first: &Annotator<'_>, second: &Annotator<'_>) -> Self {
        let mut agreement = Agreement::default();
        for file in folder.pages() {
            let saved = (first.saved(file), second.saved(file));
            let (a, b) = match saved {
                (Ok(Some(a)), Ok(Some(b))) if a.done && b.done => (a, b),
                (Err(error), _) | (_, Err(error)) => {
                    agreement.problems.push(error.to_string());
                    continue;
                }
                _ => continue,
            };
            match file.read() {
                Ok(html) => match compare(&html, &a, &b) {
                    Ok(page) => agreement.pages.push(page),
                    Err(problem) => agreement.problems.push(format!("{}: {problem}", file.id)),
                },
                Err(error) => agreement.problems.push(error.to_string()),
            }
        }
        agreement
    }

    /// Kappa of content over the blocks of all pages.
    #[must_use]
    pub fn content(&self) -> Kappa<bool> {
        self.pages.iter().flat_map(|page| page.content.pairs().iter().copied()).collect()
    }

    /// Kappa of roles over the blocks of all pages.
    #[must_use]
    pub fn roles(&self) -> Kappa<String> {
        self.pages.iter().flat_map(|page| page.roles.pairs().iter().cloned()).collect()
    }

    /// A row per page, and one for all pages, in which blocks are pooled and the other columns are means over the pages that have them.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(&[
            "page", "started", "blocks", "word F1", "kappa content", "kappa roles", "AdjRand level 1", "AdjRand level 2",
            "same type",
        ]);
        let some = |value: Option<f64>| value.map_or("–".to_owned(), share);
        for page in &self.pages {
            let started = if page.starts[0] == page.starts[1] {
                page.starts[0].to_string()
            } else {
                format!("{}, {}", page.starts[0], page.starts[1])
            };
            table.row(vec![
                page.id.clone(),
                started,
                page.blocks.to_string(),
                share(page.word_f1),
                some(page.content.kappa()),
                some(page.roles.kappa()),
                some(page.segments.map(|rand| rand[0])),
                some(page.segments.map(|rand| rand[1])),
                page.same_type.map_or("–", |same| if same { "yes" } else { "no" }).to_owned(),
            ]);
        }
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
            (count > 0).then(|| sum / f64::from(count))
        };
        let segments = |level: usize| mean(&mut self.pages.iter().filter_map(|page| Some(page.segments?[level])));
        table.row(vec![
            format!("all {}", self.pages.len()),
            String::new(),
            self.pages.iter().map(|page| page.blocks).sum::<usize>().to_string(),
            some(mean(&mut self.pages.iter().map(|page| page.word_f1))),
            some(self.content().kappa()),
            some(self.roles().kappa()),
            some(segments(0)),
            some(segments(1)),
            some(mean(&mut self.pages.iter().filter_map(|page| page.same_type).map(|same| f64::from(u8::from(same))))),
        ]);
        table
    }
}

fn compare(html: &[u8], a: &Annotation, b: &Annotation) -> Result<PageAgreement, &'static str> {
    let fresh = Annotation::new(&a.id, &a.annotator, html, Start::Empty);
    if !a.fits(&fresh) || !b.fits(&fresh) {
        return Err("the page has changed since it was annotated");
    }
    let page = Page::parse(html);
    let mut vocabulary = Vocabulary::default();
    let words: Vec<Vec<u32>> = page.blocks().iter().map(|block| vocabulary.read(&block.text())).collect();
    let content = |marks: &Annotation| -> Vec<u32> {
        marks.blocks.iter().zip(&words).filter(|(block, _)| block.content).flat_map(|(_, words)| words.iter().copied()).collect()
    };
    let pairs = || a.blocks.iter().zip(&b.blocks);
    let segments = a.segments().zip(b.segments()).map(|(a, b)| {
        let by_word = |level: fn(&(u32, u32)) -> u32| {
            let items = a.iter().zip(&b).zip(&words).flat_map(|((a, b), words)| words.iter().map(move |_| (level(a), level(b))));
            Contingency::new(items).adjusted_rand()
        };
        [by_word(|segment| segment.0), by_word(|segment| segment.1)]
    });
    Ok(PageAgreement {
        id: a.id.clone(),
        starts: [a.start, b.start],
        blocks: a.blocks.len(),
        word_f1: bag(&content(a), &content(b)).f1(),
        content: pairs().map(|(a, b)| (a.content, b.content)).collect(),
        roles: pairs().filter_map(|(a, b)| a.role.clone().zip(b.role.clone())).collect(),
        segments,
        same_type: a.page_type.as_ref().zip(b.page_type.as_ref()).map(|(a, b)| a == b),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn two_annotators_are_compared_on_the_pages_both_finished() {
        let here = tempfile::tempdir().unwrap();
        let html = "<p>one two<p>three four<p>five six<p>seven eight";
        for id in ["a", "b", "c"] {
            fs::write(here.path().join(format!("{id}.html")), html).unwrap();
        }
        let folder = Folder::open(here.path()).unwrap();
        let save = |name: &str, page: usize, content: [bool; 4], cuts: [u8; 4], roles: [Option<&str>; 4], done: bool| {
            let file = &folder.pages()[page];
            let mut marks = Annotation::new(&file.id, name, html.as_bytes(), Start::Empty);
            for (number, block) in marks.blocks.iter_mut().enumerate() {
                (block.content, block.cut, block.role) = (content[number], cuts[number], roles[number].map(str::to_owned));
            }
            (marks.done, marks.page_type) = (done, Some("article".to_owned()));
            folder.annotator(name).unwrap().save(file, &marks).unwrap();
        };
        let none = [None; 4];
        save("anna", 0, [false, true, true, false], [0, 1, 0, 1], [Some("list"), Some("body"), Some("body"), None], true);
        save("ben", 0, [false, true, false, false], [0, 1, 2, 1], [Some("list"), Some("body"), Some("list"), None], true);
        save("anna", 1, [true; 4], [0; 4], none, true);
        save("ben", 1, [true; 4], [0; 4], none, true);
        save("anna", 2, [true; 4], [0; 4], none, true);
        save("ben", 2, [false; 4], [0; 4], none, false);
        let agreement = Agreement::new(&folder, &folder.annotator("anna").unwrap(), &folder.annotator("ben").unwrap());
        assert_eq!((agreement.pages.len(), agreement.problems.len()), (2, 0));
        let page = &agreement.pages[0];
        // Content: 2 words of 4 in common. Kappa: 3 of 4 agree; by chance (1/2 · 1/4 + 1/2 · 3/4) = 1/2.
        assert_eq!((page.word_f1, page.content.kappa()), (2.0 / 3.0, Some(0.5)));
        // Roles: 2 of 3 agree; by chance 1/3 · 2/3 + 2/3 · 1/3 = 4/9.
        assert!((page.roles.kappa().unwrap() - (2.0 / 3.0 - 4.0 / 9.0) / (5.0 / 9.0)).abs() < 1e-12);
        let [top, sub] = page.segments.unwrap();
        assert!(top == 1.0 && sub > 0.0 && sub < 1.0, "{top} {sub}");
        assert_eq!(
            (agreement.pages[1].word_f1, agreement.pages[1].content.kappa(), agreement.pages[1].segments),
            (1.0, None, None)
        );
        let table = agreement.table().text();
        assert!(table.lines().last().unwrap().starts_with("all 2") && table.contains(".500"), "{table}");
    }
}
