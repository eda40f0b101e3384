//! Blocks as plain data.

use super::{FeatureRecord, Pair, RecordOptions, pairs, thousandths};
use crate::block::{Block, Features};
use crate::content::Content;
use crate::html::{Facts, Paths};
use crate::label::Explanation;
use serde::{Deserialize, Serialize};

/// One block of a page.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset, record::{PageRecord, RecordOptions}};
/// let page = Page::parse(b"<p>one two<p hidden>three");
/// let content = page.extract_with(&ExtractOptions::from(Preset::MinWords(2)));
/// let options = RecordOptions::default().blocks(true).why(true);
/// let blocks = PageRecord::new(&page, &content, &options).blocks.unwrap();
/// assert_eq!((blocks[0].text.as_str(), blocks[0].path.as_str(), blocks[0].content), ("one two", "/html/body/p[1]", true));
/// assert_eq!(blocks[0].why.as_deref(), Some("min-words: content: word count 2 >= 2"));
/// assert_eq!(blocks[1].facts, ["hidden"]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockRecord {
    /// Byte ranges of the text.
    pub spans: Vec<Pair>,
    /// DOM path of the element in which the text starts.
    pub path: String,
    /// The text.
    pub text: String,
    /// Whether the block is content.
    pub content: bool,
    /// The role.
    pub role: String,
    /// Probability of content, if the method predicts one; three decimals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Why the block is content or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Number of words.
    pub words: u32,
    /// Number of words in links.
    pub link_words: u32,
    /// Words per line.
    pub text_density: f64,
    /// Facts about visibility.
    pub facts: Vec<String>,
    /// The 67 features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<FeatureRecord>,
}

/// Names of facts.
pub(super) fn names(facts: Facts) -> Vec<String> {
    facts.to_string().split_ascii_whitespace().map(str::to_owned).collect()
}

pub(super) fn records(
    content: &Content<'_>,
    paths: &Paths,
    options: &RecordOptions<'_>,
    explanation: Option<&Explanation<'_>>,
) -> Vec<BlockRecord> {
    let features = options.features.then(|| Features::new(content.blocks()));
    let record = |block: Block<'_>| BlockRecord {
        spans: pairs(&block.spans()),
        path: paths.path(block.node()),
        text: block.text(),
        content: content.is_content(block.index()),
        role: content.role(block).name().to_owned(),
        probability: content.labels().probability(block.index()).map(thousandths),
        why: explanation.map(|explanation| explanation.why(block.index())),
        words: block.counts().words,
        link_words: block.counts().link_words,
        text_density: block.density().value(),
        facts: names(block.facts()),
        features: features.as_ref().map(|features| FeatureRecord::new(features.row(block.index()))),
    };
    content.blocks().iter().map(record).collect()
}
