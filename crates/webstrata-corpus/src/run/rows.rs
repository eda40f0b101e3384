//! The rows of one page, which is parsed, labelled and segmented once.

use super::hash::hash;
use super::metadata;
use super::segments::{self, thousandths};
use super::{Evidence, RunOptions, Signer, site_of};
use crate::executor::{ItemReader, Phase, Stage, Timer, Times};
use crate::input::{Failure, Item, Reason};
use crate::store::{Encoder, Format, LinkRow, PageRow, PageRows, Row, SegmentRow, Table};
use crate::{Document, Extraction};
use std::sync::Arc;
use webstrata::content::metadata::MetadataOptions;
use webstrata::content::{Content, LinkOptions, RenderOptions, TextOptions};
use webstrata::html::Paths;
use webstrata::label::Preset;
use webstrata::label::strata::{SiteEvidence, StrataLabeller};
use webstrata::record::ProblemRecord;
use webstrata::segment::{Method, SegmentOptions, Segments};
use webstrata::{Page, PageOptions};

/// Maximum bytes of the links of a page: each repeats the page's id and address.
const MAX_LINKS: usize = 32 << 20;
/// Maximum bytes of the rows of a page. No table reader could handle more.
const MAX_ROWS: usize = 512 << 20;

/// Makes the rows of a page.
pub(super) trait MakeRows: Send + Sync {
    /// The rows of an item, or why there are none.
    fn rows(&self, reader: &mut ItemReader, item: &Item, phase: &dyn Fn(Phase), times: &Times) -> Result<PageRows, Failure>;

    /// How pages are parsed.
    fn page_options(&self) -> PageOptions {
        PageOptions::default()
    }
}

/// Makes rows according to the options of a run.
#[derive(Debug)]
pub(super) struct RowMaker {
    page: PageOptions,
    extraction: Extraction,
    method: Method,
    segment: SegmentOptions,
    wants: Wants,
    evidence: Option<Arc<dyn Evidence>>,
    signer: Option<Arc<dyn Signer>>,
}

/// The parts that the output needs.
#[derive(Clone, Copy, Debug)]
struct Wants {
    text: bool,
    markdown: bool,
    metadata: bool,
    segments: bool,
    links: bool,
}

impl RowMaker {
    pub(super) fn new(options: &RunOptions, encoder: &Encoder) -> Self {
        RowMaker {
            page: options.page.clone(),
            extraction: options.extraction.clone(),
            method: options.method,
            segment: options.segment,
            wants: Wants {
                text: encoder.wants(Table::Pages) && encoder.format() != Format::Wat,
                markdown: encoder.wants(Table::Pages) && encoder.format().has_tables(),
                metadata: encoder.wants(Table::Pages) && encoder.format() != Format::Wat,
                segments: encoder.wants(Table::Segments),
                links: encoder.wants(Table::Links),
            },
            evidence: options.evidence.clone(),
            signer: options.signer.clone(),
        }
    }

    /// Truncates pages at the limit of the input, regardless of their source.
    pub(super) fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.page.limits.bytes = self.page.limits.bytes.min(max_bytes);
        self
    }

    /// The evidence about the site of a page, if its method can use it.
    fn site(&self, host: Option<&str>, preset: Preset) -> Option<Arc<SiteEvidence>> {
        let can_use = preset == Preset::Strata && self.extraction.method_name().is_none();
        self.evidence.as_ref().filter(|_| can_use)?.site(site_of(host?))
    }

    fn page_rows(&self, page: &Page<'_>, document: &Document, timer: &mut Timer<'_>) -> PageRows {
        let url = document.url.as_deref();
        let host = url.and_then(host);
        let options = self.extraction.for_page(page, url);
        let site = self.site(host.as_deref(), options.preset);
        let strata = site.as_deref().and_then(|site| StrataLabeller::shipped().ok().map(|strata| strata.site(site)));
        let content = match &strata {
            Some(strata) => page.extract_by(strata, &options),
            None => self.extraction.content_with(page, url, &options),
        };
        let mut row = PageRow {
            page_type: content.labels().page_type().map(|page_type| page_type.name().to_owned()),
            confidence: content.labels().confidence().map(thousandths),
            ..metadata::captured(document, page)
        };
        row.problems.extend(page.problems().iter().map(|problem| ProblemRecord::new(problem).code));
        row.problems.dedup();
        if self.extraction.check(url).is_err() {
            row.problems.push("site-unknown".to_owned());
        }
        self.write_text(&content, &mut row);
        if self.wants.metadata {
            metadata::fill(page.metadata_with(&MetadataOptions::default().url(url)), &mut row);
        }
        timer.end(Stage::Extract);
        let (mut segments, mut links) = (Vec::new(), Vec::new());
        if self.wants.segments || self.wants.links {
            let cut = page.segments_by(&*self.method.segmenter_with(&self.segment));
            let (rows, shortened) = segments::rows(&row, &cut, &Paths::new(page.dom()), &content);
            segments = rows;
            if shortened {
                row.problems.push("segments-cut".to_owned());
            }
            self.classify(host.as_deref(), page, &cut, &mut segments);
            timer.end(Stage::Segment);
            if self.wants.links {
                let shortened;
                (links, shortened) = link_rows(&row, &content, &cut, &segments);
                if shortened {
                    row.problems.push("links-cut".to_owned());
                }
                timer.end(Stage::Links);
            }
        }
        if !self.wants.segments {
            segments = Vec::new();
        }
        row.host = host;
        PageRows { page: row, segments, links }
    }

    /// Sets text, Markdown, and the columns that depend on the text, from one document: text does not show links.
    fn write_text(&self, content: &Content<'_>, row: &mut PageRow) {
        if !self.wants.text && !self.wants.markdown {
            return;
        }
        let options = RenderOptions::default().links(self.wants.markdown).base(row.url.clone());
        let document = content.document(&options);
        if self.wants.text {
            row.text = document.text(&TextOptions::default());
            row.hash = hash(&row.text);
            row.signature = self.signer.as_ref().map(|signer| signer.sign(&row.text)).unwrap_or_default();
        }
        if self.wants.markdown {
            row.markdown = document.markdown();
        }
    }

    fn classify(&self, host: Option<&str>, page: &Page<'_>, cut: &Segments<'_>, rows: &mut [SegmentRow]) {
        let Some((evidence, host)) = self.evidence.as_ref().zip(host) else { return };
        let classes = evidence.classes(site_of(host), page, cut).unwrap_or_default();
        for (row, class) in rows.iter_mut().zip(classes) {
            row.class = class;
        }
    }
}

impl MakeRows for RowMaker {
    fn rows(&self, reader: &mut ItemReader, item: &Item, phase: &dyn Fn(Phase), times: &Times) -> Result<PageRows, Failure> {
        let mut timer = Timer::start(times);
        let rows = reader.read(item, phase, |document, page| {
            timer.end(Stage::Parse);
            self.page_rows(page, document, &mut timer)
        })?;
        match rows.size() {
            size if size > MAX_ROWS => {
                let message = format!("its rows take {size} bytes; the limit is {MAX_ROWS}");
                Err(Failure::new(Reason::Failed, message))
            }
            _ => Ok(rows),
        }
    }

    fn page_options(&self) -> PageOptions {
        self.page.clone()
    }
}

/// The host of an address, in lower case.
fn host(address: &str) -> Option<String> {
    url::Url::parse(address).ok()?.host_str().map(str::to_ascii_lowercase)
}

/// The rows of a page's links, and whether some were left out.
fn link_rows(page: &PageRow, content: &Content<'_>, cut: &Segments<'_>, segments: &[SegmentRow]) -> (Vec<LinkRow>, bool) {
    let listed = content.links(&LinkOptions::default().base(page.url.as_deref()).segments(cut));
    let mut rows = Vec::with_capacity(listed.len().min(1 << 10));
    let mut room = MAX_LINKS;
    for link in listed {
        let Some(target) = link.target else { continue };
        let segment = link.place.and_then(|place| place.segment);
        let row = LinkRow {
            page: page.id.clone(),
            source: page.url.clone().unwrap_or_else(|| page.id.clone()),
            target,
            anchor: link.text,
            segment: segment.and_then(|segment| u32::try_from(segment).ok()),
            role: segment.and_then(|segment| segments.get(segment)).and_then(|segment| segment.role),
            content: link.place.map(|place| place.content),
            same_host: link.same_host,
        };
        let Some(left) = room.checked_sub(row.size()) else { return (rows, true) };
        room = left;
        rows.push(row);
    }
    (rows, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    fn document(html: &str) -> Document {
        let document = Document::new(Origin::new("a.warc", 3), html.as_bytes().to_vec());
        Document { url: Some("https://WWW.Example.org/a/".into()), ..document }
    }

    fn rows_of(options: &RunOptions, document: Document) -> PageRows {
        let maker = maker(options);
        maker.rows(&mut ItemReader::new(maker.page_options()), &Item::Document(document), &|_| {}, &Times::default()).unwrap()
    }

    fn maker(options: &RunOptions) -> RowMaker {
        RowMaker::new(options, &Encoder::new(options.format, &options.tables).unwrap())
    }

    const TEXT: &str = "It has been raining in the valley for three days, and nobody there can remember when that last happened. ";

    #[test]
    fn a_page_has_rows_in_all_tables() {
        let html = format!(
            "<html lang=en><title>Rain</title><nav><a href=/>Home</a></nav><p>{0}<a href=b.html>More</a>.<p>{0}",
            TEXT.repeat(3)
        );
        let rows = rows_of(&RunOptions::default(), document(&html));
        assert_eq!((rows.page.id.as_str(), rows.page.host.as_deref()), ("a.warc@3", Some("www.example.org")));
        assert_eq!((rows.page.language.as_deref(), rows.page.title.as_deref()), (Some("en"), Some("Rain")));
        assert!(rows.page.text.contains("three days") && rows.page.markdown.contains("[More](https://WWW.Example.org/a/b.html)"));
        assert!(rows.page.confidence.unwrap() > 0.5 && rows.page.page_type.is_some());
        let more = rows.links.iter().find(|link| link.anchor == "More").unwrap();
        assert_eq!((more.target.as_str(), more.same_host), ("https://WWW.Example.org/a/b.html", Some(true)));
        let segment = &rows.segments[more.segment.unwrap() as usize];
        assert_eq!((segment.role, segment.page.as_str(), more.content), (more.role, "a.warc@3", Some(true)));
    }

    #[test]
    fn rows_have_what_the_format_needs() {
        let html = format!("<title>Rain</title><p>{}<a href=b.html>More</a>", TEXT.repeat(3));
        let of = |format, tables: &[Table]| {
            let options = RunOptions { format, tables: tables.to_vec(), ..RunOptions::default() };
            let rows = rows_of(&options, document(&html));
            (!rows.page.text.is_empty(), !rows.page.markdown.is_empty(), !rows.segments.is_empty(), !rows.links.is_empty())
        };
        assert_eq!(of(Format::Parquet, &Table::ALL), (true, true, true, true));
        assert_eq!(of(Format::Jsonl, &[Table::Links]), (false, false, false, true));
        assert_eq!(of(Format::Jsonl, &[Table::Segments]), (false, false, true, false));
        assert_eq!(of(Format::Wet, &[]), (true, false, false, false));
        assert_eq!(of(Format::Wat, &[]), (false, false, false, true));
    }

    #[test]
    fn links_of_a_hostile_page_are_limited() {
        let html = "<a href=x>y</a>".repeat(60_000);
        let url = format!("https://example.org/{}", "x".repeat(1900));
        let page = Document { url: Some(url), ..document(&html) };
        let rows = rows_of(&RunOptions::default(), page);
        assert!(rows.page.problems.contains(&"links-cut".to_owned()));
        assert!(rows.links.len() > 1000 && rows.links.iter().map(Row::size).sum::<usize>() <= MAX_LINKS);
    }

    #[derive(Debug)]
    struct Known(Arc<SiteEvidence>);

    impl Evidence for Known {
        fn site(&self, domain: &str) -> Option<Arc<SiteEvidence>> {
            (domain == "example.org").then(|| Arc::clone(&self.0))
        }

        fn classes(&self, _: &str, _: &Page<'_>, segments: &Segments<'_>) -> Option<Vec<Option<String>>> {
            Some(segments.iter().map(|segment| segment.text().starts_with("We have").then(|| "notice".to_owned())).collect())
        }

        fn fingerprint(&self) -> String {
            "known".to_owned()
        }
    }

    #[test]
    fn site_evidence_counts() {
        let notice = "We have moved to a new building, and the doors are open from nine to five on all days of the week.";
        let page = |text: &str| format!("<p>{notice}</p><hr><p>{text}</p>");
        let mut site = SiteEvidence::default();
        for text in ["One text.", "Another text.", TEXT] {
            site.add(Page::parse(page(text).as_bytes()).blocks());
        }
        let evidence: Option<Arc<dyn Evidence>> = Some(Arc::new(Known(Arc::new(site))));
        let rows = |options: &RunOptions| rows_of(options, document(&page(&TEXT.repeat(4))));
        let alone = rows(&RunOptions::default());
        let known = rows(&RunOptions { evidence: evidence.clone(), ..RunOptions::default() });
        assert!(alone.page.text.contains("new building") && !known.page.text.contains("new building"));
        assert_eq!(known.segments[0].class.as_deref(), Some("notice"));
        assert_eq!(known.segments.last().unwrap().class, None);
    }
}
