//! Marked pages as graphs.

use crate::gold::seg_popular::{Level, MarkedPage};
use crate::metrics::partition::Contingency;
use crate::segmentation::{MIN_WORDS, Score};
use webstrata::Page;
use webstrata::block::{Block, GapModel};
use webstrata::segment::graphcut::PageGraph;

/// A marked page as a graph, with the mark of each leaf.
///
/// ```
/// use webstrata_lab::{gold::seg_popular::{Level, MarkedPage}, graphcut::Sample};
/// let html = b"<ul data-block=1 data-block-type=Menu><li>one two<li>three</ul><p data-block=1 data-block-type=Content>four</p><p>five";
/// let marked = MarkedPage::new("made.up", html);
/// let sample = Sample::new(&marked, &marked.parse(), Level::Top);
/// assert_eq!(sample.marks.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, true, false]);
/// assert_eq!(sample.score(&[0, 0, 1, 1]).adjusted_rand, 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Sample {
    /// The page's id.
    pub id: String,
    /// The graph.
    pub graph: PageGraph,
    /// The mark of most words of each leaf.
    pub marks: Vec<Option<u32>>,
    /// For each marked word: its leaf and its mark.
    words: Vec<(u32, u32)>,
}

impl Sample {
    /// Makes a sample from a marked page that has been parsed, with its layout if it has one.
    #[must_use]
    pub fn new(marked: &MarkedPage, page: &Page<'_>, level: Level) -> Self {
        let blocks = page.blocks_by(GapModel::Tags);
        let graph = PageGraph::new(blocks);
        let mut words = Vec::new();
        let mut marks = Vec::with_capacity(graph.leaves());
        for leaf in 0..graph.leaves() {
            let inside = graph.blocks_of(leaf).filter_map(|index| blocks.get(index as usize));
            let starts = inside.flat_map(Block::tokens).filter_map(|token| token.spans.first().map(|span| span.start));
            let mut found: Vec<u32> = starts.filter_map(|start| marked.label_at(start, level)).collect();
            words.extend(found.iter().map(|&mark| (leaf as u32, mark)));
            found.sort_unstable();
            marks.push(found.chunk_by(|a, b| a == b).rev().max_by_key(|same| same.len()).map(|same| same[0]));
        }
        Sample { id: marked.id().to_owned(), graph, marks, words }
    }

    /// Whether there are enough words and marks to score.
    #[must_use]
    pub fn is_scored(&self) -> bool {
        self.words.len() >= MIN_WORDS && self.words.iter().any(|(_, mark)| *mark != self.words[0].1)
    }

    /// The score of a labelling of the leaves, on marked words.
    #[must_use]
    pub fn score(&self, labels: &[u32]) -> Score {
        let table = Contingency::new(self.words.iter().map(|&(leaf, mark)| (mark, labels[leaf as usize])));
        let mut used = labels.to_vec();
        used.sort_unstable();
        used.dedup();
        Score { adjusted_rand: table.adjusted_rand(), nmi: table.nmi(), bcubed: table.bcubed(), segments: used.len() as f64 }
    }
}
