//! Learning what a block is from its features (Kohlschütter's thesis, 4.4.3; L-Extractor of Debnath and others, TKDE 2005).
//!
//! Data flows one way: labelled pages → [`dataset`] (features, labels, weights) → a learner ([`zeror`], [`oner`], [`tree`], [`svm`])
//! → a [`classifier`] → scores by [`cross_validation`], a file ([`model`]), verdicts on pages ([`labeller`]).
//! [`information_gain`] says what each feature knows alone; [`tables`] has the tables of the thesis.
//!
//! Why these are written here: the thesis used Weka, and its numbers rest on rows that weigh as much as they have words, on gain ratio, on
//! pruning by errors, and on the shares of the classes in the leaves. linfa's trees know weights but none of the others; its support vector machine, like
//! other kernel machines, fills a matrix of rows by rows. The binding to LIBLINEAR has had no release since 2019 and needs a C++ compiler. Each
//! learner here is one file, tested against values worked by hand and against scikit-learn.
//!
//! Nothing here depends on the number of threads or on the clock; sums run in a fixed order.

pub mod boost;
pub mod classifier;
pub mod cross_validation;
pub mod dataset;
pub mod discretise;
pub mod information_gain;
pub mod oner;
pub mod published;
pub mod svm;
pub mod tables;
pub mod train;
pub mod tree;
pub mod zeror;

pub use webstrata::label::trained::column;
