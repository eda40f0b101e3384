//! The learners against scikit-learn 1.9.1 on rows that both make by the same formula, weights included.
//!
//! Figures were printed by `DecisionTreeClassifier(criterion="entropy", min_weight_fraction_leaf=m/1800)`, by
//! `LinearSVC(C=1, loss="hinge", dual=True, tol=1e-10)` (LIBLINEAR) on features scaled to [0, 1] with weights of mean 1, and by
//! `mutual_info_score` over the intervals of a plain recursive version of Fayyad and Irani's cuts.

use webstrata_lab::learn::classifier::{Classifier, Learner};
use webstrata_lab::learn::column::Column;
use webstrata_lab::learn::cross_validation::{By, cross_validate};
use webstrata_lab::learn::dataset::{Classes, Dataset};
use webstrata_lab::learn::information_gain::{Weighting, information_gain};
use webstrata_lab::learn::oner::OneROptions;
use webstrata_lab::learn::svm::{self, SvmOptions};
use webstrata_lab::learn::tree::{self, Criterion, Pruning, TreeOptions};
use webstrata_lab::metrics::blocks::area_under_roc;

const ROWS: u32 = 600;

fn row(i: u32) -> (Vec<f32>, u8, u32, u32) {
    let (a, b, c, noise) = ((i * 379 + 11) % 601, (i * 263 + 5) % 607, (i * 97 + 300) % 613, (i * 31) % 17);
    let content = (a > 250 && b > 180 && noise != 3) || c > 560 || noise == 5;
    (vec![a as f32 / 4.0, b as f32 / 8.0, c as f32], u8::from(content), 1 + (i * 7) % 5, i / 20)
}

fn data() -> Dataset {
    let rows: Vec<_> = (0..ROWS).map(row).collect();
    Dataset::from_rows(Column::list("words,density,position").unwrap(), &rows, Classes::Two)
}

fn values(data: &Dataset, row: usize) -> Vec<f32> {
    data.row(row).collect()
}

#[test]
fn trees_by_information_gain_are_those_of_scikit_learn() {
    let data = data();
    // Least weight of a leaf; leaves, weight of the right answers, rows answered 1, area under the curve.
    for (min_leaf, leaves, right, ones, area) in
        [(25.0, 29, 1710.0, 275, 0.9915649560679987), (60.0, 17, 1668.0, 288, 0.978780943030436)]
    {
        let options = TreeOptions { min_leaf, criterion: Criterion::Gain, pruning: Pruning::None };
        let tree = tree::fit(&data, &data.rows(), &options);
        let answers: Vec<usize> = (0..data.len()).map(|row| tree.answer(&values(&data, row))).collect();
        let rightly: f64 = (0..data.len()).filter(|&row| answers[row] == data.class(row)).map(|row| data.weight(row)).sum();
        let root = tree.nodes()[0].split.unwrap();
        // scikit-learn's threshold is the middle, 62.625; here it is the value below it.
        assert_eq!((root.column, root.threshold), (0, 62.5));
        assert_eq!((tree.leaves(), rightly, answers.iter().sum::<usize>()), (leaves, right, ones));
        let items: Vec<_> =
            (0..data.len()).map(|row| (tree.scores(&values(&data, row))[1], data.class(row) == 1, data.weight(row))).collect();
        assert!((area_under_roc(&items) - area).abs() < 1e-12, "{}", area_under_roc(&items));
        assert!(tree.nodes().iter().all(|node| node.weights.iter().sum::<f64>() >= min_leaf));
    }
}

#[test]
fn gain_ratio_and_pruning_make_smaller_trees_that_are_no_worse() {
    let data = data();
    let plain = Learner::Tree(TreeOptions { min_leaf: 2.0, criterion: Criterion::Gain, pruning: Pruning::None });
    let score = |learner: &Learner| cross_validate(&data, learner, 10, By::Page).f1;
    for pruning in [Pruning::Pessimistic { confidence: 0.25 }, Pruning::ReducedError] {
        let pruned = Learner::Tree(TreeOptions { pruning, ..TreeOptions::default() });
        let leaves = |learner: &Learner| learner.fit(&data, &data.rows()).leaves().unwrap();
        assert!(leaves(&pruned) * 2 < leaves(&plain), "{pruning:?}: {} of {}", leaves(&pruned), leaves(&plain));
        assert!(score(&pruned) > score(&plain) - 0.01, "{pruning:?}: {} {}", score(&pruned), score(&plain));
    }
}

#[test]
fn the_machine_is_that_of_liblinear() {
    let data = data();
    let machine = svm::fit(&data, &data.rows(), &SvmOptions { tolerance: 1e-9, max_passes: 1_000_000, ..SvmOptions::default() });
    let plane = &machine.planes()[0];
    let want = [0.02358307770012692, 0.03332659009475998, 0.0015318341806687336];
    for (weight, want) in plane.weights.iter().zip(want) {
        assert!((weight - want).abs() < 1e-6, "{weight} {want}");
    }
    assert!((plane.bias + 3.7226763778604135).abs() < 1e-5, "{}", plane.bias);
    // One row lies on the plane to eleven digits, on either side of it; it is left out.
    let apart = |row: &usize| machine.scores(&values(&data, *row))[1].abs() > 1e-3;
    let right = (0..data.len()).filter(apart).filter(|&row| machine.answer(&values(&data, row)) == data.class(row)).count();
    assert_eq!(right, 482);
}

#[test]
fn one_plane_for_each_of_several_classes() {
    // The third class is what is content and has a small second feature; class 3 does not occur.
    let rows: Vec<_> = (0..ROWS)
        .map(row)
        .map(|(values, class, weight, page)| {
            let class = if class == 1 && values[1] <= 50.0 { 2 } else { class };
            (values, class, weight, page)
        })
        .collect();
    let data = Dataset::from_rows(Column::list("words,density,position").unwrap(), &rows, Classes::Four);
    let machine = svm::fit(&data, &data.rows(), &SvmOptions { tolerance: 1e-9, max_passes: 1_000_000, ..SvmOptions::default() });
    let want = [[-0.023583, -0.033327, -0.001532], [0.019145, 0.061155, -0.000096], [0.0; 3]];
    for (plane, want) in machine.planes().iter().zip(want) {
        for (weight, want) in plane.weights.iter().zip(want) {
            assert!((weight - want).abs() < 2e-6, "{weight} {want}");
        }
    }
}

#[test]
fn information_gain_is_that_of_scikit_learn() {
    let gains = information_gain(&data(), Weighting::Blocks);
    let want = [("words", 0.2835578971592624), ("density", 0.14722618155339678), ("position", 0.10780913389050946)];
    for (gain, (name, want)) in gains.iter().zip(want) {
        assert_eq!((gain.column.to_string().as_str(), gain.intervals), (name, 2));
        assert!((gain.gain - want).abs() < 1e-12, "{name}: {} {want}", gain.gain);
    }
}

#[test]
fn weights_are_copies() {
    // A row that weighs three is three rows: for trees, rules and machines alike.
    let weighted = data();
    let copies: Vec<_> =
        (0..ROWS).map(row).flat_map(|(v, class, weight, page)| vec![(v, class, 1, page); weight as usize]).collect();
    let copied = Dataset::from_rows(weighted.columns().to_vec(), &copies, Classes::Two);
    let machine = SvmOptions { tolerance: 1e-9, max_passes: 1_000_000, ..SvmOptions::default() };
    for learner in [Learner::Tree(TreeOptions { min_leaf: 30.0, ..TreeOptions::default() }), Learner::OneR(OneROptions::words())] {
        assert_eq!(learner.fit(&weighted, &weighted.rows()), learner.fit(&copied, &copied.rows()), "{}", learner.name());
    }
    // The price of an error is that of a row of mean weight, and the mean weight is 3.
    let one = svm::fit(&weighted, &weighted.rows(), &SvmOptions { c: 3.0, ..machine });
    let other = svm::fit(&copied, &copied.rows(), &machine);
    for (a, b) in one.planes()[0].weights.iter().zip(&other.planes()[0].weights) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
}

#[test]
fn the_same_scores_for_any_number_of_threads() {
    let data = data();
    for learner in [Learner::Tree(TreeOptions::default()), Learner::Svm(SvmOptions::default()), Learner::ZeroR] {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| cross_validate(&data, &learner, 7, By::Page))
        };
        assert_eq!(run(1), run(4));
    }
}

#[test]
fn always_the_same_class_scores_as_by_hand() {
    // 1 - p of the words are content: precision p², recall p, F1 2p²/(1 + p), false positive rate p, for the class that is answered.
    let data = data();
    let shares = data.distribution(&data.rows());
    let p = shares[0].max(shares[1]) / (shares[0] + shares[1]);
    let scores = cross_validate(&data, &Learner::ZeroR, 10, By::Page);
    for (score, want) in [
        (scores.precision, p * p),
        (scores.recall, p),
        (scores.f1, 2.0 * p * p / (1.0 + p)),
        (scores.false_positives, p),
        (scores.area_of_answers, 0.5),
    ] {
        assert!((score - want).abs() < 1e-12, "{score} {want}");
    }
    // Folds with less of a class leave more of it to learn from: the scores run against the truth.
    assert!(scores.area < 0.5);
}

#[test]
fn no_rows_and_no_columns_are_no_reason_to_stop() {
    let none = Dataset::from_rows(Column::list("words").unwrap(), &[], Classes::Two);
    let bare = Dataset::from_rows(Vec::new(), &[(vec![], 1, 3, 0), (vec![], 0, 1, 0)], Classes::Two);
    let learners = [
        Learner::ZeroR,
        Learner::Tree(TreeOptions::default()),
        Learner::Svm(SvmOptions::default()),
        Learner::Tree(TreeOptions { pruning: Pruning::ReducedError, ..TreeOptions::default() }),
    ];
    for learner in learners {
        assert!(learner.fit(&none, &[]).answer(&[1.0]) < 2, "{}", learner.name());
        let learnt: Classifier = learner.fit(&bare, &bare.rows());
        assert!(learnt.answer(&[]) < 2, "{}", learner.name());
    }
    assert!(Learner::OneR(OneROptions::weka()).fit(&none, &[]).answer(&[1.0]) < 2);
}
