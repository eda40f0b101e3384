//! The report: its files, and that no text of a page becomes markup.

use super::counts::{counted, pages, tables};
use webstrata_corpus::store::Format;
use webstrata_stats::count::Memory;
use webstrata_stats::report;

#[test]
fn a_report_has_a_figure_and_a_table_for_each_analysis() {
    let folder = tempfile::tempdir().unwrap();
    pages(&folder.path().join("a"), 0..80);
    let hostile = "<p>&lt;script&gt;alert(1)&lt;/script&gt; Read more";
    for number in 0..12 {
        std::fs::write(folder.path().join(format!("a/x{number}.html")), hostile).unwrap();
    }
    let tables = tables(&folder.path().join("a"), folder.path().join("tables"), Format::Parquet);
    let summary = counted(&[&tables], 2, Memory::default(), folder.path());
    let out = folder.path().join("report");
    let sections = report::write(&summary, "A <test>", &out).unwrap();
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("<title>A &lt;test&gt;</title>") && !page.contains("<script"), "markup of a page");
    assert!(page.contains("prefers-color-scheme: dark") && !page.contains("http://") || page.contains("www.w3.org/2000/svg"));
    for figure in sections.iter().flat_map(|section| &section.figures) {
        let csv = std::fs::read_to_string(out.join(format!("{}.csv", figure.file))).unwrap();
        assert!(csv.lines().count() > 1, "{}", figure.file);
        assert_eq!(out.join(format!("{}.svg", figure.file)).exists(), !figure.charts.is_empty());
        assert!(page.contains(&format!("href=\"{}.csv\"", figure.file)));
    }
    let ids: Vec<&str> = sections.iter().map(|section| section.id).collect();
    for id in [
        "corpus", "density", "full-stop", "token-length", "writer", "quotient", "sentences", "segment-ranks", "page-ranks",
        "terms", "typicality", "templates", "links", "languages", "decades", "deviations",
    ] {
        assert!(ids.contains(&id), "{id} {ids:?}");
    }
    // The pages were written by the stratified writer with the thesis' parameters.
    let writer = sections.iter().find(|section| section.id == "writer").unwrap();
    let fitted = writer.fits.iter().find(|fitted| fitted.law == "stratified random writer").unwrap();
    assert!(fitted.r_squared_adjusted > 0.95, "{fitted:?}");
    let laws: serde_json::Value = serde_json::from_slice(&std::fs::read(out.join("laws.json")).unwrap()).unwrap();
    assert_eq!(laws["schema"], report::SCHEMA);
    assert!(out.join("deviations.csv").exists() && out.join("deviations.txt").exists());
}

#[test]
fn plain_text_is_a_corpus_too() {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("texts/deep");
    std::fs::create_dir_all(&texts).unwrap();
    let paragraph = "It has been raining in the valley for three days now. Nobody here remembers when that last happened.\n";
    std::fs::write(texts.join("a.txt"), format!("Chapter One\n\n{}\n{}", paragraph.repeat(3), paragraph)).unwrap();
    std::fs::write(texts.join("notes.md"), "not read").unwrap();
    let summary = counted(&[&folder.path().join("texts")], 2, Memory::default(), folder.path());
    assert_eq!((summary.tallies.all.pages, summary.tallies.all.segments), (1, [1, 2]));
    assert_eq!(summary.tallies.sentences.sum(), 8);
    assert!(report::write(&summary, "Texts", &folder.path().join("report")).is_ok());
}

#[test]
fn no_text_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let summary = counted(&[folder.path()], 1, Memory::default(), folder.path());
    assert!(report::write(&summary, "Nothing", &folder.path().join("report")).is_err());
}
