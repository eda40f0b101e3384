//! The learned method on bundled pages: properties that hold for any model.

use crate::support::data;
use webstrata::label::strata::{ContentModel, PageType, StrataLabeller, shipped_file};
use webstrata::label::{Labeller, Preset};
use webstrata::select::Mode;
use webstrata::{ExtractOptions, Page};

#[test]
fn the_shipped_model_can_be_read_and_is_small() {
    let model = ContentModel::read(shipped_file()).unwrap();
    assert!(shipped_file().len() < 1_000_000);
    assert_eq!(model.write(), shipped_file(), "writing it again gives the same bytes");
}

#[test]
fn a_damaged_model_is_an_error() {
    let good = shipped_file();
    for at in (0..good.len()).step_by(good.len() / 97) {
        let mut damaged = good.to_vec();
        damaged[at] ^= 0x55;
        assert!(ContentModel::read(&damaged).is_err(), "byte {at}");
        assert!(ContentModel::read(&good[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn labels_and_reasons_agree() {
    let strata = StrataLabeller::shipped().unwrap();
    for (name, bytes) in data::bundled() {
        let page = Page::parse(&bytes);
        let labels = strata.label(&page.input());
        let explanation = strata.explain(&page.input());
        assert_eq!(&labels, explanation.labels(), "{name}");
        assert_eq!(labels, Preset::Strata.label(&page.input()), "{name}");
        for block in 0..labels.len() {
            let probability = labels.probability(block).unwrap();
            assert!((0.0..=1.0).contains(&probability), "{name}: {probability}");
            let why = explanation.why(block);
            let verdict = if labels.verdict(block).content { "strata: content: " } else { "strata: not content: " };
            assert!(why.starts_with(verdict), "{name}: {why}");
        }
        assert!((0.0..=1.0).contains(&labels.confidence().unwrap()), "{name}");
        assert!(PageType::ALL.contains(&labels.page_type().unwrap()), "{name}");
    }
}

#[test]
fn precision_keeps_less_and_recall_keeps_more() {
    let words = |bytes: &[u8], mode| {
        let options = ExtractOptions::default().mode(mode);
        Page::parse(bytes).extract_with(&options).text().split_whitespace().count()
    };
    for (name, bytes) in data::bundled() {
        let [less, some, more] = [Mode::Precision, Mode::Balanced, Mode::Recall].map(|mode| words(&bytes, mode));
        assert!(less <= some && some <= more, "{name}: {less} {some} {more}");
    }
}

#[test]
fn pages_without_content_yield_next_to_nothing() {
    let pages = [
        "<title>404 Not Found</title><h1>Not Found</h1><hr><address>Server at www.example.org</address>",
        "<div class=consent><p>We use cookies.</p><button>Accept</button><button>Settings</button></div>",
        "<div id=root></div><noscript>Please turn scripts on.</noscript>",
        "<ul><li><a href=a>Home</a><li><a href=b>News</a><li><a href=c>About</a></ul>",
        "",
    ];
    for html in pages {
        let page = Page::parse(html.as_bytes());
        let content = page.extract();
        let confidence = content.labels().confidence().unwrap();
        assert!(confidence < 0.5, "{html}: {confidence}");
        let words = content.text().split_whitespace().count();
        assert!(words <= 4, "{html}: {:?}", content.text());
    }
}

#[test]
fn pages_with_too_many_blocks_are_left_to_the_rules() {
    let html = "<p>one".repeat(50_001);
    let page = Page::parse(html.as_bytes());
    let labels = Preset::Strata.label(&page.input());
    assert_eq!(labels, Preset::Article.label(&page.input()));
    assert!(labels.confidence().is_none());
}

#[test]
fn modes_apply_where_rules_replace_the_model() {
    let text =
        "It has been raining in the valley for three days, and nobody who lives there can remember when that last happened. ";
    let html = format!("<p>{}<p>Rain is what they had in May<hr>{}<p>{text}", text.repeat(3), "<p>one".repeat(50_000));
    let page = Page::parse(html.as_bytes());
    let by_mode = |preset: Preset| {
        Mode::ALL.map(|mode| {
            let content = page.extract_with(&ExtractOptions::from(preset).mode(mode));
            let explanation = content.explain();
            assert_eq!(explanation.labels(), content.labels());
            let count =
                (0..content.labels().len()).filter(|block| explanation.why(*block).contains(&format!("; mode {mode}: "))).count();
            (content.selection().blocks().collect::<Vec<_>>(), count)
        })
    };
    let kept = by_mode(Preset::Strata);
    assert_eq!(kept, by_mode(Preset::Article));
    assert!(kept[1..].iter().any(|(blocks, overruled)| *blocks != kept[0].0 && *overruled > 0), "{kept:?}");
}
