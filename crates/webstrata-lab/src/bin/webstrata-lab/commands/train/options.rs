//! Converts arguments to options of the library, and options to the command that reproduces a model.

use crate::args::{ClassCount, LearnerName, PruningName, TrainBlocksArgs};
use anyhow::{Result, bail};
use webstrata_lab::learn::classifier::Learner;
use webstrata_lab::learn::dataset::Classes;
use webstrata_lab::learn::information_gain::Weighting;
use webstrata_lab::learn::oner::OneROptions;
use webstrata_lab::learn::svm::SvmOptions;
use webstrata_lab::learn::train::TrainOptions;
use webstrata_lab::learn::tree::{Pruning, TreeOptions};

/// The options of the library. An option that does not apply to the learner is an error.
pub(super) fn options(args: &TrainBlocksArgs) -> Result<TrainOptions> {
    let base = if args.l_extractor { TrainOptions::l_extractor() } else { TrainOptions::default() };
    let name = if args.l_extractor { LearnerName::Svm } else { args.learner };
    if args.min_leaf.is_some() && !matches!(name, LearnerName::Tree | LearnerName::OneR) {
        bail!("--min-leaf applies only to --learner tree or 1r");
    }
    if args.pruning.is_some() && name != LearnerName::Tree {
        bail!("--pruning applies only to --learner tree");
    }
    if args.cost.is_some() && name != LearnerName::Svm {
        bail!("--cost applies only to --learner svm");
    }
    let learner = match name {
        LearnerName::Zeror => Learner::ZeroR,
        LearnerName::OneR => Learner::OneR(match args.min_leaf {
            Some(words) => OneROptions { min_bucket: f64::from(words), weighting: Weighting::Words },
            None => OneROptions::weka(),
        }),
        LearnerName::Tree => {
            let thesis = TreeOptions::thesis();
            let pruning = match args.pruning {
                None | Some(PruningName::C45) => thesis.pruning,
                Some(PruningName::ReducedError) => Pruning::ReducedError,
                Some(PruningName::None) => Pruning::None,
            };
            Learner::Tree(TreeOptions { min_leaf: args.min_leaf.map_or(thesis.min_leaf, f64::from), pruning, ..thesis })
        }
        LearnerName::Svm => Learner::Svm(SvmOptions { c: args.cost.unwrap_or(1.0), ..SvmOptions::default() }),
    };
    Ok(TrainOptions {
        learner,
        columns: if args.l_extractor { base.columns } else { args.features.columns.clone() },
        classes: match args.classes {
            ClassCount::Two => Classes::Two,
            ClassCount::Four => Classes::Four,
        },
        folds: args.folds.map_or(base.folds, usize::from),
        by: args.by,
    })
}

/// The command that reproduces the model: all effective options in a fixed order, with the name of the set instead of its path.
pub(super) fn command(args: &TrainBlocksArgs, options: &TrainOptions, set: &str) -> String {
    let mut words = vec![format!("webstrata-lab train blocks {set} --learner {}", options.learner.name())];
    let features = if args.l_extractor { "parts".to_owned() } else { args.features.typed.replace(' ', "") };
    words.push(format!("--features {features} --classes {}", options.classes.names().len()));
    match &options.learner {
        Learner::Tree(tree) => {
            words.push(format!("--min-leaf {}", tree.min_leaf));
            words.push(format!(
                "--pruning {}",
                match tree.pruning {
                    Pruning::None => "none",
                    Pruning::ReducedError => "reduced-error",
                    Pruning::Pessimistic { .. } => "c45",
                }
            ));
        }
        Learner::OneR(OneROptions { min_bucket, weighting: Weighting::Words }) => words.push(format!("--min-leaf {min_bucket}")),
        Learner::Svm(machine) => words.push(format!("--cost {}", machine.c)),
        Learner::OneR(_) | Learner::ZeroR | Learner::Fixed(_) => {}
    }
    words.push(format!("--folds {} --by {}", options.folds, options.by));
    words.join(" ")
}
