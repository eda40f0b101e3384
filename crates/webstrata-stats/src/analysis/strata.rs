//! Short and long text overall, by language and by decade; and pages that deviate.

use super::{Figure, Section, beside, number, percent, ratio, row, series};
use crate::count::{Strata, Summary};
use crate::plot::{Chart, ChartKind};
use crate::table::Table;

/// Languages that are drawn.
const DRAWN: usize = 24;
/// Minimum number of pages for a language or decade to be drawn.
const MIN_PAGES: u64 = 5;
/// Deviating pages listed in the report; the CSV file has all.
const LISTED: usize = 40;

pub(super) fn overview(summary: &Summary) -> Section {
    let tallies = &summary.tallies;
    let all = &tallies.all;
    let words = all.words[0] + all.words[1];
    let segments = all.segments[0] + all.segments[1];
    let mut table = beside();
    row(&mut table, "pages with text", all.pages, "316448");
    row(&mut table, "segments", segments, "–");
    row(&mut table, "words", words, "137000000");
    row(&mut table, "words in short text (density up to 8)", percent(all.short()), "about a third");
    row(&mut table, "segments of short text", percent(ratio(all.segments[0], segments)), "–");
    let methods: Vec<String> = tallies.methods.iter().map(|(method, pages)| format!("{method} ({pages} pages)")).collect();
    row(&mut table, "segments made by", methods.join(", "), "bf-rulebased");
    Section {
        id: "corpus",
        title: "The corpus",
        about: "The thesis' corpus is the part of Webspam-UK2007 that is not spam; where it counts blocks (the writer), it is GoogleNews.".into(),
        findings: vec![table],
        ..Section::default()
    }
}

fn shares(file: &'static str, title: &str, name: &str, rows: &[(String, Strata)]) -> Figure {
    let mut numbers = Table::new(&[name, "pages", "words", "short", "long", "share of short text"]);
    for (name, strata) in rows {
        let words = strata.words[0] + strata.words[1];
        let cells = [strata.pages, words, strata.words[0], strata.words[1]].map(|count| count.to_string());
        numbers.row([vec![name.clone()], cells.to_vec(), vec![format!("{:.4}", strata.short())]].concat());
    }
    let drawn: Vec<&(String, Strata)> = rows.iter().filter(|row| row.1.pages >= MIN_PAGES).take(DRAWN).collect();
    let points: Vec<(f64, f64)> = drawn.iter().enumerate().map(|(at, row)| (at as f64, row.1.short())).collect();
    let chart = Chart {
        title: title.into(),
        x: name.into(),
        y: "share of words in short text".into(),
        names: drawn.iter().map(|row| row.0.clone()).collect(),
        ..Chart::new(ChartKind::Bars, vec![series("short text", points.clone())])
    };
    let charts = if points.is_empty() { Vec::new() } else { vec![chart] };
    Figure { file, title: title.into(), charts, numbers }
}

pub(super) fn languages(summary: &Summary) -> Section {
    let mut rows: Vec<(String, Strata)> = summary.tallies.languages.iter().map(|(name, strata)| (name.clone(), *strata)).collect();
    rows.sort_by(|a, b| b.1.pages.cmp(&a.1.pages).then(a.0.cmp(&b.0)));
    if rows.iter().all(|row| row.0 == "und") {
        return Section::default();
    }
    Section {
        id: "languages",
        title: "Short and long text by language",
        about: "A line of 80 characters holds more words where words are short, so densities of languages are not quite comparable; `und` means \
                unknown."
            .into(),
        figures: vec![shares("languages", "Share of words in short text, by language", "language", &rows)],
        ..Section::default()
    }
}

pub(super) fn decades(summary: &Summary) -> Section {
    let rows: Vec<(String, Strata)> =
        summary.tallies.decades.iter().map(|(decade, strata)| (format!("{decade}s"), *strata)).collect();
    if rows.is_empty() {
        return Section::default();
    }
    Section {
        id: "decades",
        title: "Short and long text by decade",
        about: "By the date stated on the page or, if there is none, the date on which it was fetched.".into(),
        figures: vec![shares("decades", "Share of words in short text, by decade", "decade", &rows)],
        ..Section::default()
    }
}

pub(super) fn deviations(summary: &Summary) -> Section {
    let compared = summary.deviations.sum();
    if compared == 0 {
        return Section::default();
    }
    let mut table = beside();
    row(&mut table, "pages compared (20 segments or more)", compared, "–");
    row(&mut table, "listed: deviation above (bits)", number(summary.threshold), "–");
    row(&mut table, "pages listed", summary.deviating.len(), "–");
    let title = "Pages by deviation from the law of segment lengths";
    let counts = summary.deviations.counts();
    let mut spread = Table::new(&["bits per segment", "pages"]);
    for (class, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        spread.row(vec![format!("{:.2}", class as f64 / 100.0), count.to_string()]);
    }
    let points = counts.iter().enumerate().map(|(class, count)| (class as f64 / 100.0, *count as f64));
    let axes = ("bits per segment", "pages");
    let chart = Chart {
        title: title.into(),
        x: axes.0.into(),
        y: axes.1.into(),
        ..Chart::new(ChartKind::Line, vec![series("pages", points)])
    };
    let mut list = Table::new(&["page", "bits per segment", "segments", "words", "reason"]);
    for page in summary.deviating.iter().take(LISTED) {
        let cells = [format!("{:.2}", page.bits), page.segments.to_string(), page.words.to_string(), page.reason.clone()];
        list.row([vec![page.page.clone()], cells.to_vec()].concat());
    }
    let mut figures = vec![Figure { file: "deviation", title: title.into(), charts: vec![chart], numbers: spread }];
    if !list.is_empty() {
        figures.push(Figure {
            file: "deviating-pages",
            title: "Pages that deviate most".into(),
            charts: Vec::new(),
            numbers: list,
        });
    }
    Section {
        id: "deviations",
        title: "Pages that deviate from the law",
        about: "The divergence of a page's segment lengths from those of the corpus, in bits per segment, less the divergence expected by chance. Lists of \
                items of one form, generated text and pages without markup deviate most. Pages above the third quartile by more than three times the range of the \
                middle half are listed; `deviations.txt` has their ids, for `webstrata run --skip`."
            .into(),
        findings: vec![table],
        figures,
        ..Section::default()
    }
}
