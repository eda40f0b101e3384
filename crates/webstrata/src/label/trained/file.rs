//! Layout of a model file, and the checks that its contents must pass.
//!
//! ```json
//! {"format": "webstrata-block-model", "version": 1, "blocks": "lines",
//!  "classes": [{"name": "boilerplate", "content": false}, {"name": "content", "content": true}],
//!  "features": ["words", "previous.link-density"],
//!  "model": {"tree": [{"weights": [9.0, 21.0], "answer": 1, "split": {"feature": 0, "threshold": 15.0, "low": 1, "high": 2}}, …]},
//!  "card": {"data": "…", "date": "…", "command": "…", …}}
//! ```
//!
//! `model` is one of `zero_r` (weights of the classes), `one_r` (a feature and its intervals; the last one has no `below`), `tree`
//! (nodes: the first is the root, and children follow their parents) and `svm` (planes: one weight per feature, and a bias).

use super::classifier::{Classifier, Interval, OneR, Plane, Svm, ZeroR};
use super::column::Column;
use super::model::{BlockModel, BlockModelError, Card, FORMAT, VERSION};
use super::tree::{Node, Split, Tree};
use crate::block::GapModel;
use serde::{Deserialize, Serialize};

const MAX_CLASSES: usize = 64;
const MAX_FEATURES: usize = 1000;
/// Maximum number of nodes of a tree, or of intervals of a rule.
const MAX_NODES: usize = 100_000;

/// The fields that determine whether the rest can be read.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    format: String,
    version: u32,
    blocks: BlocksBy,
    classes: Vec<Class>,
    features: Vec<String>,
    model: FileClassifier,
    card: Card,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BlocksBy {
    Lines,
    Tags,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    name: String,
    content: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FileClassifier {
    ZeroR(Vec<f64>),
    OneR { feature: usize, intervals: Vec<FileInterval> },
    Tree(Vec<FileNode>),
    Svm(Vec<FilePlane>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileInterval {
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<f32>,
    weights: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileNode {
    weights: Vec<f64>,
    answer: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    split: Option<FileSplit>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSplit {
    feature: usize,
    threshold: f32,
    low: usize,
    high: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePlane {
    weights: Vec<f64>,
    bias: f64,
}

pub(super) fn write(model: &BlockModel) -> Result<String, BlockModelError> {
    let classifier = match &model.classifier {
        Classifier::ZeroR(zeror) => FileClassifier::ZeroR(zeror.shares().to_vec()),
        Classifier::OneR(rule) => FileClassifier::OneR {
            feature: rule.column(),
            intervals: rule
                .intervals()
                .iter()
                .map(|i| FileInterval { below: Some(i.below).filter(|below| below.is_finite()), weights: i.weights.clone() })
                .collect(),
        },
        Classifier::Tree(tree) => FileClassifier::Tree(
            tree.nodes()
                .iter()
                .map(|node| FileNode {
                    weights: node.weights.clone(),
                    answer: node.answer,
                    split: node.split.map(|Split { column, threshold, low, high }| FileSplit {
                        feature: column,
                        threshold,
                        low,
                        high,
                    }),
                })
                .collect(),
        ),
        Classifier::Svm(svm) => {
            FileClassifier::Svm(svm.planes().iter().map(|p| FilePlane { weights: p.weights.clone(), bias: p.bias }).collect())
        }
    };
    let file = ModelFile {
        format: FORMAT.to_owned(),
        version: VERSION,
        blocks: match model.gaps {
            GapModel::Lines => BlocksBy::Lines,
            GapModel::Tags => BlocksBy::Tags,
        },
        classes: model
            .classes
            .iter()
            .zip(&model.content)
            .map(|(name, content)| Class { name: name.clone(), content: *content })
            .collect(),
        features: model.columns.iter().map(Column::to_string).collect(),
        model: classifier,
        card: model.card.clone(),
    };
    let mut text = serde_json::to_string(&file)?;
    text.push('\n');
    // Never write a file that cannot be read back.
    read(text.as_bytes())?;
    Ok(text)
}

pub(super) fn read(bytes: &[u8]) -> Result<BlockModel, BlockModelError> {
    let head: Header = serde_json::from_slice(bytes)?;
    if head.format != FORMAT {
        return Err(BlockModelError::Format(head.format.chars().take(40).collect()));
    }
    if head.version != VERSION {
        return Err(BlockModelError::Version(head.version));
    }
    let file: ModelFile = serde_json::from_slice(bytes)?;
    let damaged = BlockModelError::Damaged;
    if !(2..=MAX_CLASSES).contains(&file.classes.len()) {
        return Err(damaged("there are from 2 to 64 classes"));
    }
    if file.features.len() > MAX_FEATURES {
        return Err(damaged("there are more than 1000 features"));
    }
    let columns = file.features.iter().map(|name| name.parse::<Column>()).collect::<Result<Vec<_>, _>>()?;
    let classifier = Check { classes: file.classes.len(), features: columns.len() }.classifier(file.model).map_err(damaged)?;
    Ok(BlockModel {
        gaps: match file.blocks {
            BlocksBy::Lines => GapModel::Lines,
            BlocksBy::Tags => GapModel::Tags,
        },
        content: file.classes.iter().map(|class| class.content).collect(),
        classes: file.classes.into_iter().map(|class| class.name).collect(),
        columns,
        classifier,
        card: file.card,
    })
}

/// Checks the parts of a classifier against the number of classes and features.
#[derive(Clone, Copy)]
struct Check {
    classes: usize,
    features: usize,
}

impl Check {
    fn classifier(self, parts: FileClassifier) -> Result<Classifier, &'static str> {
        match parts {
            FileClassifier::ZeroR(shares) => Ok(Classifier::ZeroR(ZeroR::from_shares(self.weights(shares)?))),
            FileClassifier::OneR { feature, intervals } => {
                self.feature(feature)?;
                self.count(intervals.len())?;
                let last = intervals.len().saturating_sub(1);
                let interval = |(at, interval): (usize, FileInterval)| {
                    let below = match interval.below {
                        Some(below) if below.is_finite() && at < last => below,
                        None if at == last => f32::INFINITY,
                        _ => return Err("only the last interval may be unbounded"),
                    };
                    Ok(Interval { below, weights: self.weights(interval.weights)? })
                };
                let intervals = intervals.into_iter().enumerate().map(interval).collect::<Result<Vec<_>, _>>()?;
                OneR::from_parts(feature, intervals).map(Classifier::OneR).ok_or("the intervals do not ascend")
            }
            FileClassifier::Tree(nodes) => {
                self.count(nodes.len())?;
                let nodes = nodes.into_iter().map(|node| self.node(node)).collect::<Result<Vec<_>, _>>()?;
                Tree::from_nodes(nodes)
                    .map(Classifier::Tree)
                    .ok_or("the nodes do not form a tree: each must have one parent, which precedes it")
            }
            FileClassifier::Svm(planes) => {
                let wanted = if self.classes == 2 { 1 } else { self.classes };
                if planes.len() != wanted {
                    return Err("two classes need one plane, more need one per class");
                }
                let plane = |FilePlane { weights, bias }: FilePlane| {
                    let fits = weights.len() == self.features && weights.iter().chain([&bias]).all(|number| number.is_finite());
                    fits.then_some(Plane { weights, bias }).ok_or("a plane must have a finite weight for each feature")
                };
                Ok(Classifier::Svm(Svm::from_planes(planes.into_iter().map(plane).collect::<Result<Vec<_>, _>>()?)))
            }
        }
    }

    fn node(self, node: FileNode) -> Result<Node, &'static str> {
        if node.answer >= self.classes {
            return Err("an answer is not the number of a class");
        }
        let split = match node.split {
            None => None,
            Some(FileSplit { feature, threshold, low, high }) => {
                self.feature(feature)?;
                if !threshold.is_finite() {
                    return Err("a threshold is not finite");
                }
                Some(Split { column: feature, threshold, low, high })
            }
        };
        Ok(Node { weights: self.weights(node.weights)?, answer: node.answer, split })
    }

    fn feature(self, feature: usize) -> Result<(), &'static str> {
        (feature < self.features).then_some(()).ok_or("a feature index is out of range")
    }

    fn count(self, nodes: usize) -> Result<(), &'static str> {
        (1..=MAX_NODES).contains(&nodes).then_some(()).ok_or("there must be 1 to 100000 nodes or intervals")
    }

    fn weights(self, weights: Vec<f64>) -> Result<Vec<f64>, &'static str> {
        let fits = weights.len() == self.classes && weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
        fits.then_some(weights).ok_or("there must be one weight per class, and none may be negative")
    }
}
