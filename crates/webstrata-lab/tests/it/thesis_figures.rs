//! The figures drawn on the real sets have the shapes that the thesis describes.
//!
//! Needs `WEBSTRATA_DATA`, the folder of the sets; missing sets are reported and not checked.

use crate::evaluation_set;
use webstrata_lab::figures::{Data, Figure, Name, Set};

fn read(set: Set) -> Option<Data> {
    let folder = evaluation_set(set.folder())?;
    Some(set.read(folder.parent()?).unwrap().0)
}

/// A number in a figure: the first row that starts with `row`, in the named column.
fn number(figure: &Figure, row: &[&str], column: &str) -> f64 {
    let lines: Vec<&Vec<String>> = figure.numbers.lines().collect();
    let at = lines[0].iter().position(|name| name == column).unwrap();
    let found = lines.iter().find(|line| line.iter().zip(row).all(|(cell, want)| cell == want)).unwrap();
    found[at].parse().unwrap()
}

#[test]
fn segmentation_curves_match_the_thesis() {
    if !crate::full_lane() {
        return;
    }
    let Some(data) = read(Set::Marked) else { return };
    let theta = Name::Theta.draw(&data).remove(0);
    for method in ["bf-plain", "bf-smoothed"] {
        let at = |theta_: &str| number(&theta, &[method, theta_], "adjusted_rand");
        // It rises to the best threshold and falls after 0.6.
        assert!(at("0.1") < at("0.38") && at("0.62") > at("0.7") && at("0.7") > at("0.8") && at("0.9") < 0.05, "{method}");
    }
    let passes = Name::Passes.draw(&data).remove(0);
    for method in ["bf-plain", "bf-smoothed", "bf-rulebased"] {
        let error = |pass: &str| 1.0 - number(&passes, &[method, pass], "adjusted_rand");
        // Most of the error disappears in the first pass.
        assert!((error("0") - error("1")) / (error("0") - error("12")) > 0.75, "{method}");
    }
    let laws = &Name::Zipf.draw(&data)[1];
    let fit = |method: &str| number(laws, &[method], "R2");
    for method in ["bf-plain", "bf-smoothed", "bf-rulebased", "just-rules", "manual marks"] {
        assert!(fit(method) > 0.93 && fit(method) > fit("taggap") && fit(method) > fit("wordwrap"), "{method}");
    }
    let accuracy = Name::Segmenters.draw(&data).remove(0);
    for method in ["taggap", "bf-plain", "bf-rulebased", "just-rules"] {
        let row = ["2", "marked text only", method];
        // The remaining error comes from too many cuts, not from wrong ones.
        assert!(
            number(&accuracy, &row, "joined_adjusted_rand") > 0.87 && number(&accuracy, &row, "adjusted_rand") < 0.45,
            "{method}"
        );
    }
}

#[test]
fn extraction_methods_rank_as_in_the_thesis() {
    if !crate::full_lane() {
        return;
    }
    for (set, name) in [(Set::News, Name::AccuracyNews), (Set::CleanEval, Name::AccuracyCleanEval)] {
        let Some(data) = read(set) else { continue };
        let figure = name.draw(&data).remove(0);
        let mean = |method: &str| {
            let row = figure.summary.lines().find(|line| line[0] == method).unwrap();
            row[1].parse::<f64>().unwrap()
        };
        let (all, words, main, bte) =
            (mean("keep everything"), mean("words + links"), mean("words + links + main content"), mean("BTE"));
        if set == Set::News {
            assert!(all < mean("10 words or more") && mean("10 words or more") < bte && bte < words && words < main);
        } else {
            // Keeping everything is hardly worse than the best, and methods made for news are much worse.
            assert!(bte - all < 0.03 && bte > words && all - main > 0.1);
        }
    }
}
