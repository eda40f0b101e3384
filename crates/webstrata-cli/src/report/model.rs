//! The data of a report: the page's text in pieces that no method divides, and each method's segments over them.

use webstrata::Page;
use webstrata::block::{Blocks, GapModel};
use webstrata::content::Content;
use webstrata::html::Paths;
use webstrata::label::Explanation;
use webstrata::segment::{Cut, RuleSet, Segment, Segmentation, Segments};
use webstrata::select::SegmentVerdict;

/// Width of a line of text in the profile; a gap is [`GAP`] wide. Integers keep the drawing small.
const LINE: usize = 2;
/// Width of the stripe of a gap.
const GAP: usize = 1;

/// Maximum number of characters shown of a path; a path may be much longer than its text.
const MAX_PATH: usize = 240;

/// A stretch of text that no method divides: a block, or a part of one that some method divides.
pub(super) struct Piece<'p> {
    pub(super) segment: Segment<'p>,
    /// Index of its block.
    pub(super) block: usize,
    /// Whether it is the first of its block, after a gap.
    pub(super) starts_block: bool,
    /// Start and end along the text.
    pub(super) x: (usize, usize),
}

/// How a method divides the page's atoms.
pub(crate) struct Division<'p> {
    pub(crate) name: &'static str,
    /// The rules for tags, if the method has any.
    pub(crate) rules: Option<RuleSet>,
    pub(crate) segments: Segments<'p>,
    /// Further details of the method about each segment, besides the reason for its verdict; may be empty.
    pub(crate) notes: Vec<String>,
}

/// One method's division of the page.
pub(super) struct Column<'p> {
    pub(super) name: &'static str,
    pub(super) rules: Option<RuleSet>,
    pub(super) layers: Vec<Layer<'p>>,
}

/// One segment of a method.
pub(super) struct Layer<'p> {
    pub(super) segment: Segment<'p>,
    pub(super) verdict: SegmentVerdict,
    pub(super) why: String,
    /// The range of its pieces.
    pub(super) pieces: std::ops::Range<usize>,
    pub(super) path: String,
}

impl Layer<'_> {
    /// Class of its role in the style sheet.
    pub(super) fn class(&self) -> &'static str {
        self.verdict.role.name()
    }
}

/// The page as the report shows it.
pub(super) struct Model<'p> {
    pub(super) blocks: Blocks<'p>,
    pub(super) pieces: Vec<Piece<'p>>,
    pub(super) columns: Vec<Column<'p>>,
    /// Length of the text in the units of [`Piece::x`].
    pub(super) length: usize,
    /// Top of the density scale, in words per line.
    pub(super) densest: f64,
}

impl<'p> Model<'p> {
    pub(super) fn new(page: &'p Page<'_>, divisions: &[Division<'p>], content: &Content<'_>) -> Self {
        let blocks = page.blocks_by(GapModel::Tags);
        let mut cuts: Vec<Cut> = (0..blocks.len()).map(|block| Cut { block: block as u32, at: 0 }).collect();
        cuts.extend(divisions.iter().flat_map(|division| &division.segments).map(|segment| segment.range().0));
        cuts.sort_unstable();
        cuts.dedup();
        let finest = Segments::new(blocks, Segmentation::from_cuts(cuts.iter().copied(), blocks.len()));

        let (mut pieces, mut x) = (Vec::with_capacity(finest.len()), 0);
        for segment in &finest {
            let from = segment.range().0;
            let starts_block = from.at == 0;
            let start = x + if starts_block { GAP } else { 0 };
            x = start + LINE * segment.counts().lines.max(1) as usize;
            pieces.push(Piece { segment, block: from.block as usize, starts_block, x: (start, x) });
        }

        let paths = Paths::new(page.dom());
        let explanation = content.explain();
        let columns = divisions.iter().map(|division| Column {
            name: division.name,
            rules: division.rules,
            layers: layers(division, &cuts, &paths, content, &explanation),
        });
        let densest = blocks.iter().map(|block| block.density().value()).fold(0.0, f64::max);
        Model { blocks, columns: columns.collect(), pieces, length: x + GAP, densest: ((densest / 5.0).ceil() * 5.0).max(10.0) }
    }

    /// Start and end of a segment along the text.
    pub(super) fn ends(&self, layer: &Layer<'_>) -> (usize, usize) {
        let pieces = self.pieces.get(layer.pieces.clone()).unwrap_or_default();
        pieces.first().zip(pieces.last()).map_or((0, 0), |(first, last)| (first.x.0, last.x.1))
    }

    /// For each piece, the number of methods that start a segment there.
    pub(super) fn agreement(&self) -> Vec<usize> {
        let mut starts = vec![0; self.pieces.len()];
        for layer in self.columns.iter().flat_map(|column| &column.layers) {
            starts[layer.pieces.start] += 1;
        }
        starts
    }
}

fn layers<'p>(
    division: &Division<'p>,
    cuts: &[Cut],
    paths: &Paths,
    content: &Content<'_>,
    explanation: &Explanation<'_>,
) -> Vec<Layer<'p>> {
    let segments = &division.segments;
    let (mut result, mut piece) = (Vec::with_capacity(segments.len()), 0);
    for (number, (segment, verdict)) in segments.iter().zip(content.label_segments(segments)).enumerate() {
        let start = piece;
        let end = segment.range().1;
        piece += cuts[start..].iter().take_while(|&&cut| cut < end).count();
        let path = segment.node().map_or_else(String::new, |node| shortened(paths.path(node)));
        let mut why = verdict.why(explanation);
        if let Some(note) = division.notes.get(number) {
            why = format!("{note}; {why}");
        }
        result.push(Layer { segment, verdict, why, pieces: start..piece, path });
    }
    result
}

/// The end of a path, which is more telling than its start.
fn shortened(path: String) -> String {
    let length = path.chars().count();
    if length <= MAX_PATH {
        return path;
    }
    std::iter::once('…').chain(path.chars().skip(length - MAX_PATH)).collect()
}
