//! Learning block classes from features (Kohlschütter's thesis, 4.4.3; L-Extractor of Debnath and others, TKDE 2005).
//!
//! Data flows one way: labelled pages → [`dataset`] (features, labels, weights) → a learner ([`zeror`], [`oner`], [`tree`], [`svm`])
//! → a [`classifier`] → scores by [`cross_validation`] and a model file ([`webstrata::label::trained`]).
//! [`information_gain`] ranks single features; [`tables`] has the tables of the thesis.
//!
//! We have our own learners because the thesis used Weka, and its numbers depend on word weights, gain ratio,
//! error-based pruning, and class shares in the leaves. linfa's trees support weights but none of the others; its support vector
//! machine, like other kernel machines, needs a quadratic matrix. The binding to LIBLINEAR has had no release since 2019 and needs a C++
//! compiler. Each learner here is one file, tested against hand-computed values and scikit-learn.
//!
//! Results do not depend on the number of threads or the clock; sums have a fixed order.

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
