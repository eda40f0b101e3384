//! The bundled pages with labelled blocks: their annotations are consistent, methods and models are measured on them, and numbers do not
//! depend on the number of threads. Also tests the thesis' own set, if available.

use crate::evaluation_set;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use webstrata::block::GapModel;
use webstrata::label::Preset;
use webstrata::label::trained::ModelLabeller;
use webstrata_lab::blocks::run::{Judge, Method, Outcome, run};
use webstrata_lab::blocks::set::BlockSet;
use webstrata_lab::blocks::tables;
use webstrata_lab::gold::l3s_blocks::Label;
use webstrata_lab::learn::classifier::Learner;
use webstrata_lab::learn::cross_validation::By;
use webstrata_lab::learn::dataset::LabelledBlocks;
use webstrata_lab::learn::train::{About, TrainOptions, train, train_watched};
use webstrata_lab::learn::tree::TreeOptions;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/labelled")
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn small_tree() -> TrainOptions {
    let learner = Learner::Tree(TreeOptions { min_leaf: 30.0, ..TreeOptions::default() });
    TrainOptions { learner, folds: 4, by: By::Host, ..TrainOptions::default() }
}

fn methods(set: &BlockSet, options: &TrainOptions) -> Vec<Method> {
    let model = train(&LabelledBlocks::new(&set.labelled, GapModel::Lines), options, About::default());
    let model = Judge::Model(Arc::new(ModelLabeller::new(model).unwrap()));
    let preset = |preset: Preset| Method { name: preset.to_string(), judge: Judge::Preset(preset) };
    vec![preset(Preset::NumWordsRules), preset(Preset::KeepEverything), Method { name: "model".into(), judge: model }]
}

#[test]
fn pages_and_gold_texts_are_those_of_the_annotated_pages() {
    let set = BlockSet::read(&folder()).unwrap();
    assert_eq!((set.name.as_str(), set.labelled.pages.len(), set.labelled.problems.len()), ("labelled", 8, 0));
    for labelled in &set.labelled.pages {
        let id = &labelled.gold.id;
        assert_eq!(fs::read_to_string(&labelled.gold.file).unwrap(), labelled.page.html(), "{id}");
        let parsed = labelled.page.parse();
        let labels = labelled.page.block_labels(parsed.blocks());
        let content = [Label::Headline, Label::FullText, Label::Supplemental];
        let texts: Vec<String> = parsed
            .blocks()
            .iter()
            .zip(&labels)
            .filter(|(_, label)| content.contains(label))
            .map(|(block, _)| block.text())
            .collect();
        assert_eq!(labelled.gold.gold_text.as_deref(), Some(texts.join("\n").as_str()), "{id}");
        assert!(labels.contains(&Label::Related) && labels.contains(&Label::Headline), "{id}");
    }
}

#[test]
fn models_have_scores_and_presets_do_not() {
    let set = BlockSet::read(&folder()).unwrap();
    let outcomes = run(&set, &methods(&set, &small_tree()), &|| ());
    let [rules, all, model] = outcomes.as_slice() else { panic!("three methods") };
    assert_eq!((all.overall().blocks.recall, all.overall().words.recall, all.overall().false_positives), (1.0, 1.0, 1.0));
    // 53 of 115 blocks and 1010 of 1370 words are content.
    assert_eq!((all.overall().blocks.precision, all.overall().words.precision), (53.0 / 115.0, 1010.0 / 1370.0));
    assert!(rules.overall().words_f1 > all.overall().words_f1 + 0.1);
    assert!(rules.overall().area.is_nan() && rules.mean().area.is_nan());
    assert!(model.overall().area > 0.95 && model.mean().area > 0.95, "{:?}", model.overall());
    let csv = tables::pages(&set, &outcomes).csv();
    assert_eq!(csv.lines().count(), 1 + 3 * 8);
    assert!(!csv.contains("NaN"), "{csv}");
}

fn same_on_threads(set: &BlockSet, options: &TrainOptions) -> Vec<Outcome> {
    let measured = |threads: usize| {
        on_threads(threads, || {
            let (pages, folds) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let blocks = LabelledBlocks::new(&set.labelled, GapModel::Lines);
            let tick = |counter: &AtomicUsize| {
                counter.fetch_add(1, Ordering::Relaxed);
            };
            let model = train_watched(&blocks, options, About::default(), &|| tick(&folds));
            let outcomes = run(set, &methods(set, options), &|| tick(&pages));
            assert_eq!((folds.into_inner(), pages.into_inner()), (options.folds + 1, set.labelled.pages.len()));
            (outcomes, model.to_json().unwrap())
        })
    };
    let one = measured(1);
    assert_eq!(one, measured(2));
    one.0
}

#[test]
fn threads_do_not_change_scores() {
    let set = BlockSet::read(&folder()).unwrap();
    same_on_threads(&set, &small_tree());
    same_on_threads(&set, &TrainOptions { folds: 4, ..TrainOptions::l_extractor() });
}

#[test]
fn threads_do_not_change_scores_on_the_thesis_set() {
    let Some(folder) = evaluation_set("l3s-gn1") else { return };
    let set = BlockSet::read(&folder).unwrap();
    assert_eq!(set.labelled.problems, [""; 0]);
    let outcomes = same_on_threads(&set, &TrainOptions::l_extractor());
    for outcome in &outcomes {
        println!("{}: {:?}", outcome.name, outcome.overall().list());
    }
    // 61.8% of the words are content, as in the table of classes.
    assert!((outcomes[1].overall().words.precision - 0.618).abs() < 0.001);
    // This uses ten tag counts; the features of the thesis reach .95.
    assert!(outcomes[2].overall().words_f1 > 0.89 && outcomes[2].overall().area > 0.94);
}
