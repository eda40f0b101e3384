//! Site methods on pages: pages learned from, other pages, and pages of unknown sites.

use super::*;
use crate::site::blocks::BlockTags;
use crate::site::digest::{Digest, DigestOptions};
use crate::site::sample::{SamplePage, SiteSample};
use crate::site::work::{SiteWork, WorkError, WorkOptions};
use std::sync::Arc;
use webstrata::Page;

const MENU: &str = "<div><a href=/>Home</a> <a href=/n>News</a> <a href=/w>Weather reports</a></div>";
const TEXTS: [&str; 6] = [
    "It has been raining in the valley for three days now.",
    "Snow fell on Tuesday night above eight hundred metres.",
    "Sunshine returns tomorrow morning after heavy fog.",
    "Farmers expect a good harvest despite drought and wind.",
    "Ferries stayed in harbour while waves were too high.",
    "School trains ran late because two bridges were closed.",
];

fn html(text: &str) -> String {
    format!("{MENU}<table><tr><td><p>{text}</p></td></tr></table><div>All rights reserved by the publisher</div>")
}

fn sample(pages: usize) -> SiteSample {
    let mut sample = SiteSample::default();
    let options = DigestOptions { shingles: true, ..DigestOptions::default() };
    for (number, text) in (0..).zip(&TEXTS[..pages]) {
        sample.add(number, SamplePage::new(&Page::parse(html(text).as_bytes()), &options));
    }
    sample
}

fn kept(method: SiteMethod, pages: usize, html: &str, options: &MethodOptions) -> Vec<usize> {
    let prepared = Prepared::new(method, &sample(pages), BlockTags::Html5, options).unwrap();
    let labeller = SiteLabeller::new(method, Arc::new(prepared));
    let page = Page::parse(html.as_bytes());
    let explained = page.explain(&labeller);
    let kept: Vec<usize> = page.label(&labeller).content().collect();
    assert_eq!(explained.labels().content().collect::<Vec<_>>(), kept);
    assert!((0..page.blocks().len()).all(|at| explained.why(at).starts_with(method.name())));
    kept
}

/// Every method keeps the text and leaves out the menu and the footer, on pages it learned from and on others.
#[test]
fn text_stays_and_templates_go() {
    for method in SiteMethod::ALL.into_iter().filter(|&method| method != SiteMethod::Fingerprints) {
        for text in [TEXTS[0], TEXTS[3], "Nobody has ever written these words before, we hope."] {
            assert_eq!(kept(method, 5, &html(text), &MethodOptions::default()), [1], "{method} {text}");
        }
    }
}

/// "The input to the algorithms is a set (at least two) of Web pages" (section 4): with two pages, blocks on both are not content.
#[test]
fn two_pages_are_enough_for_content_extractor() {
    let options = MethodOptions::default();
    assert_eq!(kept(SiteMethod::ContentExtractor, 2, &html(TEXTS[0]), &options), [1]);
    assert_eq!(kept(SiteMethod::ContentExtractorPlaces, 2, &html(TEXTS[1]), &options), [1]);
    let mut narrow = options;
    narrow.content_extractor.theta = 0.34;
    assert_eq!(kept(SiteMethod::ContentExtractor, 2, &html(TEXTS[0]), &narrow), [0, 1, 2], "one other page is too few for 0.34");
}

/// For a block that differs from a known one in some words, `epsilon` decides whether it is the same.
#[test]
fn epsilon_decides_what_is_the_same() {
    let changed = html("Nobody has ever written these words before.").replace("Weather reports", "Weather charts");
    let mut options = MethodOptions::default();
    options.content_extractor.epsilon = 0.7;
    assert_eq!(kept(SiteMethod::ContentExtractor, 5, &changed, &options), [1]);
    options.content_extractor.epsilon = 0.95;
    assert_eq!(kept(SiteMethod::ContentExtractor, 5, &changed, &options), [0, 1]);
}

/// A page that was learned from does not count as one of its other pages.
#[test]
fn a_page_is_not_its_own_evidence() {
    assert_eq!(kept(SiteMethod::ContentExtractor, 1, &html(TEXTS[0]), &MethodOptions::default()), [0, 1, 2]);
    let mut options = MethodOptions::default();
    options.shingling.share_factor = 6;
    assert_eq!(kept(SiteMethod::Shingling, 5, &html(TEXTS[0]), &options), [0, 1, 2], "five pages share the menu, itself included");
    assert_eq!(kept(SiteMethod::Shingling, 5, &html("Quite another text of six words."), &options), [1], "six with a new one");
}

/// A new block in a place where no page has content is not content, although no other page has it.
#[test]
fn content_has_its_place() {
    let later = html(TEXTS[5]) + "<div>Win a car, a boat and a balloon today only</div>";
    assert_eq!(kept(SiteMethod::ContentExtractor, 5, &later, &MethodOptions::default()), [1, 3]);
    assert_eq!(kept(SiteMethod::ContentExtractorPlaces, 5, &later, &MethodOptions::default()), [1]);
}

#[test]
fn shingles_must_have_been_kept() {
    let mut bare = SiteSample::default();
    bare.add(0, SamplePage::new(&Page::parse(b"<p>One"), &DigestOptions::default()));
    assert!(Prepared::new(SiteMethod::Shingling, &bare, BlockTags::Html5, &MethodOptions::default()).is_none());
}

/// A folder learned from three pages of one site.
fn learned() -> tempfile::TempDir {
    let here = tempfile::tempdir().unwrap();
    let options = WorkOptions { digest: DigestOptions { shingles: true, ..DigestOptions::default() }, ..WorkOptions::default() };
    let mut work = SiteWork::open(&here.path().join("work"), "x", &options).unwrap();
    for (number, text) in (0..).zip(&TEXTS[..3]) {
        work.push(&Digest::with(&Page::parse(html(text).as_bytes()), "a.org", number, "page", &options.digest)).unwrap();
    }
    work.gathered(0.into()).unwrap();
    work.finish::<WorkError>(&options, here.path(), |_| (), |_| Ok(())).unwrap();
    here
}

#[test]
fn a_folder_knows_its_sites() {
    let here = learned();
    let folder = SiteFolder::open(here.path(), MethodOptions::default()).unwrap();
    assert_eq!(folder.site(Some("https://www.a.org/x")).as_deref(), Ok("a.org"));
    assert_eq!(folder.site(None).as_deref(), Ok("a.org"), "the only site");
    assert!(matches!(folder.site(Some("https://b.org/")), Err(SiteError::Unknown { .. })));
    assert!(matches!(folder.labeller(SiteMethod::LinHo, Some("https://b.org/")), Err(SiteError::Unknown { .. })));
    assert!(folder.labeller(SiteMethod::Fingerprints, Some("https://b.org/")).is_ok(), "the corpus, not the site");
    for method in SiteMethod::ALL {
        let text = html(TEXTS[4]);
        let page = Page::parse(text.as_bytes());
        let labels = page.label(&folder.labeller(method, None).unwrap());
        assert_eq!(labels.verdict(0).content, method == SiteMethod::Fingerprints, "{method}: three times are no template");
        assert!(labels.verdict(1).content);
    }
    assert_eq!(folder.som(None).unwrap().pages(), 3);
    assert!(matches!(SiteFolder::open(&here.path().join("work"), MethodOptions::default()), Err(SiteError::File { .. })));
}

/// Damaged files are refused or used, without a panic.
#[test]
fn damaged_folders_are_refused() {
    let here = learned();
    let page = html(TEXTS[4]);
    let page = Page::parse(page.as_bytes());
    let use_all = || -> Result<(), SiteError> {
        let folder = SiteFolder::open(here.path(), MethodOptions::default())?;
        folder.som(Some("https://a.org/"))?;
        for method in SiteMethod::ALL {
            let _ = page.label(&folder.labeller(method, Some("https://a.org/"))?);
        }
        Ok(())
    };
    assert_eq!(use_all(), Ok(()));
    for name in ["learned.json", "evidence", "samples", "fingerprints"] {
        let path = here.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
            let mut broken = bytes.clone();
            broken[at] ^= 0x15;
            std::fs::write(&path, &broken).unwrap();
            assert!(use_all().is_err() || name == "learned.json", "{name} byte {at}");
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert!(use_all().is_err(), "{name} cut at {at}");
        }
        std::fs::write(&path, &bytes).unwrap();
    }
}
