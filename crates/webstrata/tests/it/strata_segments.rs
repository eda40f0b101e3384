//! The learned segmenter: every block is in one segment, coarser segments contain finer ones, the result is deterministic,
//! and hostile pages take linear time.

use crate::support::clock::{assert_all_linear, check_linear};
use crate::support::data;
use crate::support::hostile::KINDS;
use proptest::prelude::*;
use webstrata::Page;
use webstrata::block::{GapModel, WordBoundary};
use webstrata::segment::{Cut, Granularity, Segmentation, Segmenter, StrataSegmenter};

fn starts(segmentation: &Segmentation) -> Vec<Cut> {
    segmentation.ranges().map(|(from, _)| from).collect()
}

/// The invariants that hold on every page.
fn check(bytes: &[u8]) {
    let page = Page::parse(bytes);
    let blocks = page.blocks_by(GapModel::Tags);
    let hierarchy = StrataSegmenter::hierarchy(blocks);
    assert_eq!(hierarchy, StrataSegmenter::hierarchy(blocks), "the same answer twice");
    for (block, strength) in hierarchy.gaps() {
        assert!((0.0..1.0).contains(&strength));
        assert_eq!(blocks.get(block as usize).map(|b| b.boundary()), Some(WordBoundary::Line), "no cut inside a line");
    }
    let mut coarser: Vec<Cut> = Vec::new();
    let scale = [0.0, 0.1, 0.2, 1.0 / 3.0, 0.4, 0.5, 0.6, 2.0 / 3.0, 0.7, 0.9, 1.0];
    for value in scale {
        let segmentation = hierarchy.at(Granularity::Value(value));
        let cuts = starts(&segmentation);
        assert!(coarser.iter().all(|cut| cuts.contains(cut)), "a cut of a coarser granularity is missing at {value}");
        // Segments are contiguous and contain every block once.
        let mut next = 0;
        for (from, to) in segmentation.ranges() {
            assert_eq!((from.block, from.at, to.at), (next, 0, 0));
            assert!(to.block > from.block);
            next = to.block;
        }
        assert_eq!(next as usize, blocks.len());
        coarser = cuts;
    }
    assert_eq!(hierarchy.at(Granularity::Value(0.0)).len(), usize::from(!blocks.is_empty()));
    assert_eq!(hierarchy.at(Granularity::Value(1.0)).len(), if blocks.is_empty() { 0 } else { hierarchy.gaps().count() + 1 });
    for granularity in [Granularity::Coarse, Granularity::Fine] {
        assert_eq!(StrataSegmenter { granularity }.segment(blocks), hierarchy.at(granularity));
        assert_eq!(hierarchy.at(granularity), hierarchy.at(Granularity::Value(granularity.value())));
    }
}

#[test]
fn bundled_pages_uphold_the_invariants() {
    for (_, bytes) in data::bundled() {
        check(&bytes);
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<ul><li>",
        "<li>",
        "</ul>",
        "<table><tr><td>",
        "<td>",
        "<tr>",
        "</table>",
        "<h2>",
        "</h2>",
        "<b>",
        "</b>",
        "<a href=x>",
        "</a>",
        "<br>",
        "<hr>",
        "<img>",
        "<form>",
        "</form>",
        "<input>",
        "<math><mi>",
        "<mtext><p>",
        "</math>",
        "<svg>",
        "</svg>",
        "<div class='nav menu' id=top>",
        "<section class=footer>",
        "</section>",
        "one ",
        "two three four ",
        "A sentence of a few more words than the others have. ",
        "<script>x</script>",
        "<select><option>",
        "</select>",
        "<noscript>",
        "</noscript>",
        "<template>",
        "</template>",
        "<object>",
        "<button>",
        "</button>",
        "<!-- -->",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn generated_pages_uphold_the_invariants(pieces in prop::collection::vec(piece(), 0..120)) {
        check(pieces.concat().as_bytes());
    }
}

/// A page with a conventional layout.
const PAGE: &str = "<body><div id=header><a href=/>Valley Post</a><form><input name=q></form></div>\
    <ul id=menu><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a><li><a href=/maps>Maps</a></ul>\
    <div id=content><h1>Rain in the valley</h1><p>It has been raining in the valley for three days, and nobody there can remember \
    when that last happened in a summer.</p><p>The river is over its banks, the road to the next village is closed, and the school \
    will stay shut until the end of the week, said the mayor on Monday.</p><p>More rain is expected for the days to come, and the \
    fire brigade asks all who live near the river to carry what is dear to them to the upper floors.</p></div>\
    <div id=sidebar><h3>Most read</h3><ul><li><a href=/1>Bridge closed</a><li><a href=/2>School shut</a></ul>\
    <h3>Weather</h3><p>Rain, 14 degrees</p></div>\
    <div id=footer><p>Copyright Valley Post. <a href=/terms>Terms</a> <a href=/privacy>Privacy</a></p></div>";

#[test]
fn a_plain_page_is_cut_between_its_parts() {
    let page = Page::parse(PAGE.as_bytes());
    let texts: Vec<String> = page.segments_by(&StrataSegmenter::default()).iter().map(|segment| segment.text()).collect();
    println!("{texts:#?}");
    let segment_with = |words: &str| texts.iter().position(|text| text.contains(words)).unwrap();
    // The article stays together, and the menu, the sidebar and the footer are not in it.
    assert_eq!(segment_with("It has been raining"), segment_with("upper floors"));
    assert_eq!(segment_with("Home"), segment_with("Maps"));
    for other in ["Home", "Most read", "Copyright"] {
        assert_ne!(segment_with("It has been raining"), segment_with(other), "{other}");
    }
    let coarse = page.segments_by(&StrataSegmenter { granularity: Granularity::Coarse });
    assert!(coarse.len() <= texts.len());
}

fn cut(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    page.segments_by(&StrataSegmenter::default()).len()
}

#[test]
fn hostile_pages_take_linear_time() {
    assert_all_linear(KINDS.iter().map(|kind| {
        // Most kinds have a gap every few bytes. A single element has none: growth shows among several.
        let n = (kind.n / 16).max(4);
        check_linear(kind.name, n, kind.page, |bytes, timer| timer.time(|| cut(bytes)))
    }));
}

#[test]
fn a_million_nodes() {
    assert!(cut(b"<div>x".repeat(500_000).as_slice()) > 0);
    for piece in ["<p>x", "<li><b>x</b>", "<table><tr><td>x"] {
        assert!(cut(piece.repeat(40_000).as_bytes()) > 0);
    }
}
