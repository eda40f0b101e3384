//! Model files: they round-trip, damaged ones are rejected, and loaded models label pages.

use proptest::prelude::*;
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::label::TrainedModel;
use webstrata::label::trained::model::Card;
use webstrata::label::trained::{BlockModel, ModelLabeller, UnsuitableModel};
use webstrata_corpus::read_model;
use webstrata_lab::gold::l3s_blocks::{AnnotatedPage, L3sBlocks, LabelledPage};
use webstrata_lab::gold::set::GoldPage;
use webstrata_lab::learn::classifier::{self, Learner};
use webstrata_lab::learn::column::Column;
use webstrata_lab::learn::cross_validation::By;
use webstrata_lab::learn::dataset::{Classes, Dataset, LabelledBlocks};
use webstrata_lab::learn::oner::OneROptions;
use webstrata_lab::learn::svm::SvmOptions;
use webstrata_lab::learn::train::{About, TrainOptions, train};
use webstrata_lab::learn::tree::TreeOptions;

fn model(learner: &Learner, columns: &str, classes: Classes, gaps: GapModel) -> BlockModel {
    let columns = Column::list(columns).unwrap();
    let rows: Vec<_> = (0..200u32)
        .map(|i| {
            let values: Vec<f32> = (0..columns.len() as u32).map(|at| ((i * (7 + at) + at) % 31) as f32 / 3.0).collect();
            let class = (values.iter().sum::<f32>() as u8 / 9).min(3);
            (values, class, 1 + i % 4, i / 10)
        })
        .collect();
    let data = Dataset::from_rows(columns, &rows, classes);
    classifier::model(&data, gaps, learner.fit(&data, &data.rows()), Card { data: "made up".into(), ..Card::default() })
}

fn learners() -> [Learner; 4] {
    [Learner::ZeroR, Learner::OneR(OneROptions::weka()), Learner::Tree(TreeOptions::default()), Learner::Svm(SvmOptions::default())]
}

#[test]
fn models_round_trip_through_files() {
    let folder = tempfile::tempdir().unwrap();
    for learner in learners() {
        for classes in [Classes::Two, Classes::Four] {
            let model = model(&learner, "words,next.link-density,previous.words", classes, GapModel::Lines);
            let path = folder.path().join("model.json");
            std::fs::write(&path, model.to_json().unwrap()).unwrap();
            let TrainedModel::Blocks(read) = read_model(&path).unwrap() else { panic!("a model of blocks") };
            assert_eq!(*read.model(), model, "{}", learner.name());
        }
    }
    let error = read_model(&folder.path().join("none.json")).unwrap_err().to_string();
    assert!(error.contains("none.json") && error.contains("os error 2"), "{error}");
}

#[test]
fn damaged_files_are_rejected_with_the_reason() {
    let tree = model(&Learner::Tree(TreeOptions::default()), "words,density", Classes::Two, GapModel::Lines).to_json().unwrap();
    let svm = model(&Learner::Svm(SvmOptions::default()), "words,density", Classes::Two, GapModel::Lines).to_json().unwrap();
    let rule = model(&Learner::OneR(OneROptions::weka()), "words", Classes::Two, GapModel::Lines).to_json().unwrap();
    let cases = [
        (tree.replace("webstrata-block-model", "pickle"), "the format is 'pickle'"),
        (tree.replace("\"version\":1", "\"version\":2"), "version 2"),
        (tree.replace("\"version\":1,", ""), "missing field `version`"),
        (tree.replace("[\"words\"", "[\"wards\""), "unknown feature 'wards'"),
        (tree.replace("\"low\":1", "\"low\":0"), "each must have one parent"),
        (tree.replace("\"low\":1", "\"low\":4000000000"), "each must have one parent"),
        (tree.replace("\"low\":1", "\"low\":-1"), "not a webstrata model"),
        (tree.replace("\"answer\":0", "\"answer\":2"), "an answer is not the number of a class"),
        (tree.replacen("\"feature\":0", "\"feature\":2", 9), "a feature index is out of range"),
        (tree.replacen("\"threshold\":", "\"threshold\":1e300,\"x\":", 1), "not a webstrata model"),
        (tree.replacen("\"weights\":[", "\"weights\":[1.0,", 1), "one weight per class"),
        (tree.replacen("\"weights\":[", "\"weights\":[-", 1), "one weight per class"),
        (
            tree.replace(
                "{\"name\":\"content\",\"content\":true}",
                "{\"name\":\"x\",\"content\":true},{\"name\":\"y\",\"content\":true}",
            ),
            "one weight per class",
        ),
        (svm.replacen("\"weights\":[", "\"weights\":[1.0,", 1), "a finite weight for each feature"),
        (rule.replacen("{\"below\":", "{\"below\":99.0,\"weights\":[1.0,1.0]},{\"below\":", 1), "do not ascend"),
        (rule.replacen("{\"below\":", "{\"weights\":[1.0,1.0]},{\"below\":", 1), "only the last interval may be unbounded"),
        ("[".repeat(100_000), "not a webstrata model"),
        (String::new(), "not a webstrata model"),
        (" ".repeat((16 << 20) + 1), "larger than"),
    ];
    for (text, want) in cases {
        let error = BlockModel::from_json(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(want), "{want}: {error}");
    }
}

#[test]
fn models_label_pages_and_explain() {
    let html =
        format!("<p>Home</p><p>{}</p><p><a href=x>More news of the day</a></p>", "It rained again in the valley. ".repeat(4));
    let page = Page::parse(html.as_bytes());
    for learner in learners() {
        for classes in [Classes::Two, Classes::Four] {
            let labeller = ModelLabeller::new(model(&learner, "words,link-density,next.words", classes, GapModel::Lines)).unwrap();
            let explanation = page.explain(&labeller);
            assert_eq!(page.label(&labeller), *explanation.labels());
            for (block, class) in labeller.classes(&page.input()).into_iter().enumerate() {
                let why = explanation.why(block);
                assert!(why.starts_with(&format!("model: {}", classes.names()[class])), "{why}");
                assert_eq!(explanation.labels().verdict(block).content, class > 0);
                assert_eq!(explanation.decided_by(block).unwrap().name, "model");
            }
            let content = page.extract_by(&labeller, &Default::default());
            assert_eq!(content.explain().why(1), explanation.why(1));
        }
    }
}

#[test]
fn models_trained_on_annotated_pages_label_others() {
    // Menus of linked words and paragraphs of 20 to 49 words, in an order that differs between pages.
    let page = |number: usize| {
        let menu = format!("<ul>{}</ul>", "<li><a href=x>Sport</a></li>".repeat(4 + number % 3));
        let text = format!("<p><span class=\"x-nc-sel2\">{}</span></p>", "word ".repeat(20 + number % 30)).repeat(3);
        let html = if number.is_multiple_of(2) { menu + &text } else { text + &menu };
        LabelledPage { gold: GoldPage { id: number.to_string(), ..GoldPage::default() }, page: AnnotatedPage::new(&html) }
    };
    let set = L3sBlocks { pages: (0..40).map(page).collect(), problems: Vec::new() };
    let blocks = LabelledBlocks::new(&set, GapModel::Lines);
    for learner in [Learner::Tree(TreeOptions::default()), Learner::Svm(SvmOptions::default())] {
        let options = TrainOptions { learner, by: By::Host, ..TrainOptions::l_extractor() };
        let about = About { data: "made up".into(), date: "2010-02-04".into(), command: "train blocks".into() };
        let model = train(&blocks, &options, about);
        let card = model.card();
        assert_eq!((card.pages, card.folds, card.by.as_str(), card.scores.f1), (40, 5, "host", 1.0));
        assert_eq!(card.words, blocks.blocks().map(|(_, words)| u64::from(words)).sum::<u64>());
        let labeller = ModelLabeller::new(BlockModel::from_json(model.to_json().unwrap().as_bytes()).unwrap()).unwrap();
        let html = format!("<ul><li><a href=x>News</a></li><li><a href=y>Weather</a></li></ul><p>{}</p>", "rain ".repeat(33));
        let other = Page::parse(html.as_bytes());
        assert_eq!(other.extract_by(&labeller, &Default::default()).text(), "rain ".repeat(33).trim_end());
    }
}

#[test]
fn models_that_need_a_corpus_are_rejected() {
    let learner = Learner::Tree(TreeOptions::default());
    let tags = ModelLabeller::new(model(&learner, "words", Classes::Two, GapModel::Tags));
    assert_eq!(tags.unwrap_err(), UnsuitableModel::Gaps);
    let global = ModelLabeller::new(model(&learner, "words,next.frequency", Classes::Two, GapModel::Lines)).unwrap_err();
    assert!(global.to_string().contains("'next.frequency'"));
}

proptest! {
    #[test]
    fn no_damaged_byte_crashes_the_reader(at in 0usize..4000, byte: u8, cut in 0usize..4000) {
        let mut text = model(&Learner::Tree(TreeOptions::default()), "words,density", Classes::Four, GapModel::Lines).to_json().unwrap().into_bytes();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(model) = BlockModel::from_json(&text) {
            // Any accepted model can be used.
            prop_assert!(model.classifier().predict(&[3.0, 9.0]) < 4);
        }
        text.truncate(cut % text.len());
        prop_assert!(BlockModel::from_json(&text).is_err());
    }
}
