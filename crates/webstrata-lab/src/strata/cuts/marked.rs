//! Annotated pages as training samples: whether each gap is a cut, and the segment of each word.

use super::train::MASK;
use crate::gold::seg_popular::{Level, MarkedPage};
use crate::metrics::partition::Contingency;
use crate::segmentation::{MIN_WORDS, Score};
use webstrata::block::{Block, GapModel, Mask};
use webstrata::segment::strata::GapFeatures;

/// Weight of a gap with marked text on one side only: annotators skip text that they consider useless, rarely
/// in the middle of a block.
const ONE_SIDED: f32 = 0.5;

/// The annotation of a page at one level.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Marked words in document order: the atom of each, and its mark.
    pub words: Vec<(u32, u32)>,
    /// For each gap: 1 for a cut, 0 otherwise.
    pub labels: Vec<f32>,
    /// For each gap: its weight.
    pub weights: Vec<f32>,
}

impl Marks {
    fn new(starts: &[(u32, u32)], gaps: usize, gold: impl Fn(u32) -> Option<u32>) -> Marks {
        let mut words = Vec::new();
        let mut atoms: Vec<Vec<u32>> = vec![Vec::new(); gaps + 1];
        for &(start, atom) in starts {
            if let Some(mark) = gold(start) {
                words.push((atom, mark));
                atoms[atom as usize].push(mark);
            }
        }
        let main: Vec<Option<u32>> = atoms.iter_mut().map(|marks| most_common(marks)).collect();
        let (labels, weights) = main
            .windows(2)
            .map(|pair| match (pair[0], pair[1]) {
                (Some(a), Some(b)) => (f32::from(u8::from(a != b)), 1.0),
                (None, None) => (0.0, 0.0),
                _ => (1.0, ONE_SIDED),
            })
            .unzip();
        Marks { words, labels, weights }
    }

    /// Whether there are enough words and marks to score a segmentation.
    #[must_use]
    pub fn is_scored(&self) -> bool {
        self.words.len() >= MIN_WORDS && self.words.iter().any(|(_, mark)| *mark != self.words[0].1)
    }

    /// The score of cutting at these gaps.
    #[must_use]
    pub fn score(&self, cuts: &[bool]) -> Score {
        let segments = segments(cuts);
        let table = Contingency::new(self.words.iter().map(|&(atom, mark)| (mark, segments[atom as usize])));
        Score {
            adjusted_rand: table.adjusted_rand(),
            nmi: table.nmi(),
            bcubed: table.bcubed(),
            segments: 1.0 + cuts.iter().filter(|cut| **cut).count() as f64,
        }
    }

    /// For each mark, in order: the Jaccard coefficient of its words and those of the best-fitting segment. Counts marked
    /// words only.
    #[must_use]
    pub fn fits(&self, cuts: &[bool]) -> Vec<f64> {
        let segments = segments(cuts);
        let mut pairs: Vec<(u32, u32)> = self.words.iter().map(|&(atom, mark)| (mark, segments[atom as usize])).collect();
        let mut sizes = vec![0u32; cuts.len() + 1];
        pairs.iter().for_each(|&(_, segment)| sizes[segment as usize] += 1);
        pairs.sort_unstable();
        let fit = |mark: &[(u32, u32)]| {
            let part = |same: &[(u32, u32)]| {
                let both = same.len() as f64;
                both / (mark.len() as f64 + f64::from(sizes[same[0].1 as usize]) - both)
            };
            mark.chunk_by(|a, b| a.1 == b.1).map(part).fold(0.0, f64::max)
        };
        pairs.chunk_by(|a, b| a.0 == b.0).map(fit).collect()
    }
}

/// The segment of each atom.
fn segments(cuts: &[bool]) -> Vec<u32> {
    let mut number = 0;
    let mut segments = vec![0];
    segments.extend(cuts.iter().map(|&cut| {
        number += u32::from(cut);
        number
    }));
    segments
}

/// The most common mark, the first one on a tie.
fn most_common(marks: &mut [u32]) -> Option<u32> {
    marks.sort_unstable();
    marks.chunk_by(|a, b| a == b).rev().max_by_key(|same| same.len()).map(|same| same[0])
}

/// A training page.
///
/// ```
/// use webstrata_lab::{gold::seg_popular::MarkedPage, strata::cuts::Sample};
/// let html = b"<p data-block=1 data-block-type=Menu>one two</p><p data-block=1 data-block-type=Content>three</p>";
/// let sample = Sample::new(&MarkedPage::new("made.up", html));
/// assert_eq!(sample.marks[0].labels, [1.0]);
/// assert_eq!(sample.marks[0].words.len(), 3);
/// assert_eq!(sample.marks[0].fits(&[true]), [1.0, 1.0]);
/// ```
#[derive(Debug)]
pub struct Sample {
    /// Its host.
    pub id: String,
    /// Its features.
    pub features: GapFeatures,
    /// Its features with names and tags masked.
    pub masked: GapFeatures,
    /// Marks of level 1 and of level 2.
    pub marks: [Marks; 2],
}

impl Sample {
    /// Makes a sample from a marked page.
    #[must_use]
    pub fn new(marked: &MarkedPage) -> Sample {
        let page = marked.parse();
        let blocks = page.blocks_by(GapModel::Tags);
        let features = GapFeatures::new(blocks, Mask::default());
        let gaps: Vec<u32> = (0..features.gaps()).map(|gap| features.block(gap)).collect();
        let starts: Vec<(u32, u32)> = blocks
            .iter()
            .flat_map(|block| Block::tokens(block).into_iter().map(move |token| (block.index() as u32, token)))
            .filter_map(|(block, token)| {
                let atom = gaps.partition_point(|&first| first <= block) as u32;
                token.spans.first().map(|span| (span.start, atom))
            })
            .collect();
        let marks = [Level::Top, Level::Sub].map(|level| Marks::new(&starts, gaps.len(), |byte| marked.label_at(byte, level)));
        Sample { id: marked.id().to_owned(), features, masked: GapFeatures::new(blocks, MASK), marks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<div data-block=1 data-block-type=Menu><p>one two</p><p>three</p></div><p>four</p>\
        <div data-block=1 data-block-type=Content><h2 data-block=2 data-block-type=Title>five six</h2><p>seven eight</p>\
        <p>nine ten eleven</p></div>";

    fn sample() -> Sample {
        Sample::new(&MarkedPage::new("made.up", PAGE.as_bytes()))
    }

    #[test]
    fn gaps_between_marks_are_cuts() {
        let sample = sample();
        assert_eq!(sample.features.gaps(), 5);
        let [top, sub] = &sample.marks;
        assert_eq!(top.labels, [0.0, 1.0, 1.0, 0.0, 0.0]);
        assert_eq!(sub.labels, [0.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(sub.weights, [1.0, ONE_SIDED, ONE_SIDED, 1.0, 1.0]);
        assert_eq!(sample.masked.gaps(), 5);
        assert!(sub.is_scored());
    }

    #[test]
    fn segments_are_scored_on_marked_words() {
        let sample = sample();
        let sub = &sample.marks[1];
        let perfect: Vec<bool> = sub.labels.iter().map(|label| *label > 0.5).collect();
        let score = sub.score(&perfect);
        assert_eq!((score.adjusted_rand, score.bcubed.f, score.segments), (1.0, 1.0, 4.0));
        assert_eq!(sub.fits(&perfect), [1.0; 3]);
        // Without the cut after the title, two of seven words are not the text's.
        let joined = sub.fits(&[false, true, true, false, false]);
        assert_eq!(joined, [1.0, 5.0 / 7.0, 2.0 / 7.0]);
        assert!(sub.score(&[false; 5]).adjusted_rand < 0.1);
    }

    #[test]
    fn pages_with_one_mark_are_not_scored() {
        let html = format!("<div data-block=1 data-block-type=Menu>{}</div>", "word ".repeat(20));
        assert!(!Sample::new(&MarkedPage::new("made.up", html.as_bytes())).marks[0].is_scored());
    }
}
