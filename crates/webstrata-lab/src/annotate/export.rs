//! Exports annotations as a set that the lab can read.
//!
//! `gold.jsonl` has a line for each finished page: the content as text (`gold_text`, one line per block) and as byte ranges
//! (`gold_spans`), the page type, confidence and note; if marked, roles (`gold_roles`: start, end, role) and segments
//! (`gold_segments`, one object per level 2 segment with the numbers at both levels and its byte ranges). This is what
//! `eval extract`, `eval segment` and `train strata` read. `annotated/<id>.html` is the page with its text in `<span class="x-nc-selN">`
//! for `eval blocks` and `train blocks`; `html/` has copies of the pages.

use super::folder::{Annotator, Folder, FolderError, PageFile};
use super::marks::{Annotation, BlockMarks, Start};
use crate::gold::l3s_blocks::{AnnotatedPage, Label};
use serde_json::{Value, json};
use std::path::Path;
use webstrata::Page;
use webstrata_corpus::io::write_without_sync;

/// Result of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Number of pages.
    pub pages: usize,
    /// Number of unfinished pages.
    pub unfinished: usize,
    /// Pages that could not be exported, or only in part, with reasons.
    pub problems: Vec<String>,
}

/// Exports the finished pages of an annotator.
///
/// # Errors
/// If a file cannot be written. Unreadable annotations are listed in [`Exported::problems`].
pub fn export(folder: &Folder, annotator: &Annotator<'_>, to: &Path) -> Result<Exported, FolderError> {
    let mut exported = Exported::default();
    let mut lines = Vec::new();
    for file in folder.pages() {
        match annotator.saved(file) {
            Ok(Some(saved)) if saved.done => match export_page(annotator, file, to, &mut exported.problems) {
                Ok(line) => {
                    lines.push(line);
                    exported.pages += 1;
                }
                Err(error @ FolderError::Write(_)) => return Err(error),
                Err(error) => exported.problems.push(error.to_string()),
            },
            Ok(_) => exported.unfinished += 1,
            Err(error) => exported.problems.push(error.to_string()),
        }
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    write_without_sync(&to.join("gold.jsonl"), text.as_bytes())?;
    Ok(exported)
}

/// Writes the files of a page and returns its line of `gold.jsonl`.
fn export_page(annotator: &Annotator<'_>, file: &PageFile, to: &Path, problems: &mut Vec<String>) -> Result<Value, FolderError> {
    let html = file.read()?;
    let marks = annotator.load(file, &html, Start::Empty)?;
    let page = Page::parse(&html);
    write_without_sync(&to.join("html").join(format!("{}.html", file.id)), &html)?;
    let source = page.dom().source();
    let annotated = labelled(source, &marks);
    // Where text is not parsed as markup (in a text field), a span would become text.
    if AnnotatedPage::new(&annotated).html() == source {
        write_without_sync(&to.join("annotated").join(format!("{}.html", file.id)), annotated.as_bytes())?;
    } else {
        problems.push(format!("{}: some of its text cannot be put in spans; no annotated/{0}.html", file.id));
    }
    Ok(line(&page, &marks))
}

/// The line of `gold.jsonl` for a page.
fn line(page: &Page<'_>, marks: &Annotation) -> Value {
    let content: Vec<String> =
        page.blocks().iter().zip(&marks.blocks).filter(|(_, marks)| marks.content).map(|(block, _)| block.text()).collect();
    let spans: Vec<(u32, u32)> =
        marks.blocks.iter().filter(|block| block.content).flat_map(|block| block.spans.iter().copied()).collect();
    let mut line = json!({
        "id": marks.id, "sha256": marks.sha256, "transcoded": page.is_transcoded(), "annotator": marks.annotator,
        "start": marks.start, "page_type": marks.page_type, "sure": marks.sure, "note": marks.note,
        "gold_text": content.join("\n"), "gold_spans": spans,
    });
    let roles: Vec<(u32, u32, &str)> = marks
        .blocks
        .iter()
        .filter_map(|block| Some((block, block.role.as_deref()?)))
        .flat_map(|(block, role)| block.spans.iter().map(move |span| (span.0, span.1, role)))
        .collect();
    if !roles.is_empty() {
        line["gold_roles"] = json!(roles);
    }
    if let Some(numbers) = marks.segments() {
        let blocks: Vec<((u32, u32), &BlockMarks)> = numbers.into_iter().zip(&marks.blocks).collect();
        let segment = |same: &[((u32, u32), &BlockMarks)]| {
            let spans: Vec<(u32, u32)> = same.iter().flat_map(|(_, block)| block.spans.iter().copied()).collect();
            json!({ "top": same[0].0.0, "sub": same[0].0.1, "spans": spans })
        };
        line["gold_segments"] = blocks.chunk_by(|a, b| a.0.1 == b.0.1).map(segment).collect();
    }
    line
}

/// The page with its labelled text in spans.
fn labelled(source: &str, marks: &Annotation) -> String {
    let mut out = String::with_capacity(source.len() + source.len() / 2);
    let mut at = 0;
    for block in &marks.blocks {
        let label = label(block);
        for &(start, end) in block.spans.iter().filter(|_| label != Label::NotContent) {
            let (start, end) = (start as usize, end as usize);
            // Spans ascend; a file with other spans loses its labels, not the page.
            if let (true, Some(before), Some(text)) = (start >= at, source.get(at..start), source.get(start..end)) {
                out.push_str(before);
                out.push_str(&format!("<span class=\"x-nc-sel{}\">{text}</span>", label as usize));
                at = end;
            }
        }
    }
    out.push_str(&source[at..]);
    out
}

/// The class of a block in the thesis' set. Comments and related links have one, whether or not they were marked as content.
fn label(block: &BlockMarks) -> Label {
    match (block.role.as_deref(), block.content) {
        (Some("comment"), _) => Label::Comments,
        (Some("related"), _) => Label::Related,
        (_, false) => Label::NotContent,
        (Some("title"), true) => Label::Headline,
        (Some("caption" | "credit" | "byline"), true) => Label::Supplemental,
        (_, true) => Label::FullText,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::seg_popular::{Level, MarkedPage};
    use crate::gold::set::GoldSet;
    use std::fs;

    const HTML: &str = "<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><h1>Rain &amp; mud</h1><p>It has been <b>raining</b> for \
                        three days.<p>Nice, says Ada.<hr><p>Imprint";

    /// A folder with one page that Anna has marked.
    fn marked() -> (tempfile::TempDir, Folder) {
        let here = tempfile::tempdir().unwrap();
        fs::write(here.path().join("a.html"), HTML).unwrap();
        fs::write(here.path().join("b.html"), HTML).unwrap();
        let folder = Folder::open(here.path()).unwrap();
        let mut marks = Annotation::new("a", "anna", HTML.as_bytes(), Start::Empty);
        for (number, content, role, cut) in
            [(2, true, "title", 1), (3, true, "body", 0), (4, false, "comment", 2), (5, false, "footer", 1)]
        {
            let block = &mut marks.blocks[number];
            (block.content, block.role, block.cut) = (content, Some(role.to_owned()), cut);
        }
        (marks.done, marks.page_type, marks.sure) = (true, Some("article".to_owned()), Some(0.5));
        folder.annotator("anna").unwrap().save(&folder.pages()[0], &marks).unwrap();
        (here, folder)
    }

    #[test]
    fn the_lab_reads_what_is_exported() {
        let (here, folder) = marked();
        let to = here.path().join("set");
        let exported = export(&folder, &folder.annotator("anna").unwrap(), &to).unwrap();
        assert_eq!(exported, Exported { pages: 1, unfinished: 1, problems: Vec::new() });
        let set = GoldSet::read(&to).unwrap();
        assert_eq!(set.pages[0].gold_text.as_deref(), Some("Rain & mud\nIt has been raining for three days."));
        assert_eq!((set.pages[0].page_type.as_deref(), set.pages[0].sure), (Some("article"), Some(0.5)));
        let line: Value = serde_json::from_str(&fs::read_to_string(to.join("gold.jsonl")).unwrap()).unwrap();
        assert_eq!((&line["start"], &line["annotator"]), (&json!("empty"), &json!("anna")));
        let text: String = line["gold_spans"]
            .as_array()
            .unwrap()
            .iter()
            .map(|span| &HTML[span[0].as_u64().unwrap() as usize..span[1].as_u64().unwrap() as usize])
            .collect();
        assert_eq!(text, "Rain &amp; mudIt has been raining for three days.");

        // The segments.
        let pages = MarkedPage::read_all(&to).unwrap();
        let at = |text: &str, level| pages[0].label_at(HTML.find(text).unwrap() as u32, level).unwrap();
        let tops = ["Home", "News", "Rain", "raining", "Nice", "Imprint"].map(|text| at(text, Level::Top));
        let subs = ["Home", "News", "Rain", "raining", "Nice", "Imprint"].map(|text| at(text, Level::Sub));
        assert_eq!((tops, subs), ([0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 2, 3]));

        // The labels of blocks.
        let annotated = AnnotatedPage::new(&fs::read_to_string(to.join("annotated/a.html")).unwrap());
        let page = annotated.parse();
        let none = Label::NotContent;
        assert_eq!(annotated.block_labels(page.blocks()), [none, none, Label::Headline, Label::FullText, Label::Comments, none]);
    }

    #[test]
    fn text_that_cannot_have_spans_is_reported() {
        let here = tempfile::tempdir().unwrap();
        let html = "<p>one<textarea>two three</textarea>";
        fs::write(here.path().join("a.html"), html).unwrap();
        let folder = Folder::open(here.path()).unwrap();
        let mut marks = Annotation::new("a", "anna", html.as_bytes(), Start::Empty);
        marks.blocks.iter_mut().for_each(|block| block.content = true);
        marks.done = true;
        let anna = folder.annotator("anna").unwrap();
        anna.save(&folder.pages()[0], &marks).unwrap();
        let exported = export(&folder, &anna, &here.path().join("set")).unwrap();
        // Either the field has no text for us, or the page is exported without labels, but never with broken labels.
        let file = here.path().join("set/annotated/a.html");
        assert_eq!(exported.problems.is_empty(), file.exists());
        assert_eq!(exported.pages, 1);
        // A changed page is reported, not exported with wrong ranges.
        fs::write(here.path().join("a.html"), "<p>x").unwrap();
        let exported = export(&folder, &anna, &here.path().join("set2")).unwrap();
        assert!(exported.pages == 0 && exported.problems[0].contains("has changed since"), "{exported:?}");
    }
}
