//! Provenance invariants: all output can be traced to bytes, and nothing is output twice.

use crate::support::data;
use proptest::prelude::*;
use webstrata::block::{Blocks, Counts, GapModel, Token};
use webstrata::html::entity::{Place, decode};
use webstrata::html::{Dom, Node, Tag};
use webstrata::segment::{Method, RuleSet};
use webstrata::{Page, Span};

/// Text without white space, which folding must not change.
fn without_white_space(text: &str) -> String {
    text.chars().filter(|&c| c > ' ' && !c.is_whitespace()).collect()
}

/// Decodes the bytes of a span.
fn decoded(source: &str, span: Span) -> String {
    let mut out = String::new();
    decode(&span.slice(source).replace('\0', ""), Place::Text, &mut out);
    out
}

fn is_plain(dom: &Dom<'_>, span: Span) -> bool {
    // Raw text (xmp, plaintext, CDATA) is not decoded; the comparison here is for ordinary text.
    dom.nodes()
        .find(|n| n.tag() == Tag::TEXT && n.span() == span)
        .is_some_and(|n| n.ancestors().all(|a| !matches!(a.tag(), Tag::XMP | Tag::PLAINTEXT | Tag::NOEMBED) && !a.is_foreign()))
}

fn assert_ascending(spans: &[Span], what: &str) {
    for pair in spans.windows(2) {
        assert!(pair[0].end <= pair[1].start, "{what}: {} and {} overlap or are out of order", pair[0], pair[1]);
    }
    assert!(spans.iter().all(|s| s.start < s.end), "{what}: empty span");
}

/// Greedy wrapping, word by word.
fn wrapped(tokens: &[Token], width: u32) -> (u32, u32) {
    let (mut lines, mut column, mut on_line) = (0, 0, 0);
    for token in tokens {
        let gap = u32::from(column != 0 && token.spaced);
        if column != 0 && column + gap + token.columns > width {
            lines += 1;
            column = token.columns;
            on_line = 1;
        } else {
            column += gap + token.columns;
            on_line += 1;
        }
    }
    (lines + u32::from(on_line > 0), on_line)
}

/// The visible text runs of a page, by an independent walk.
fn visible_runs(node: Node<'_>, out: &mut Vec<Span>) {
    let skipped = matches!(
        node.tag(),
        Tag::HEAD
            | Tag::TITLE
            | Tag::SELECT
            | Tag::OPTION
            | Tag::OPTGROUP
            | Tag::TEXTAREA
            | Tag::IFRAME
            | Tag::FRAMESET
            | Tag::SVG
            | Tag::ANNOTATION
            | Tag::ANNOTATION_XML
            | Tag::NOSCRIPT
            | Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::NOFRAMES
            | Tag::NOEMBED
    );
    if skipped {
        return;
    }
    if node.tag() == Tag::TEXT {
        out.push(node.span());
    }
    for child in node.children() {
        visible_runs(child, out);
    }
}

fn check_blocks(page: &Page<'_>, blocks: Blocks<'_>, model: GapModel) {
    let source = page.dom().source();
    let all: Vec<Span> = blocks.iter().flat_map(|b| b.spans()).collect();
    assert_ascending(&all, "blocks");
    for block in blocks {
        let spans = block.spans();
        if spans.iter().all(|&s| is_plain(page.dom(), s)) {
            let text: String = spans.iter().map(|&s| decoded(source, s)).collect();
            assert_eq!(without_white_space(&text), without_white_space(&block.text()), "block text is its decoded bytes");
        }
        let text = block.text();
        assert!(!text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  "), "folded: {text:?}");
        // The fast counter agrees with the simple tokenizer.
        let tokens = block.tokens();
        let counts: Counts = block.counts();
        assert_eq!(counts.words as usize, tokens.len(), "words of {text:?}");
        assert_eq!(counts.chars as usize, tokens.iter().map(|t| t.text.chars().count()).sum::<usize>(), "characters of {text:?}");
        let (lines, last_line) = wrapped(&tokens, blocks.word_options().line_width);
        assert_eq!((counts.lines, counts.last_line), (lines, last_line), "lines of {text:?}");
        assert!(counts.words > 0 && counts.link_words <= counts.words);
    }
    // Every visible run with a word is in exactly one block.
    let mut runs = Vec::new();
    visible_runs(page.dom().root(), &mut runs);
    for run in runs {
        let word = decoded(source, run).chars().any(char::is_alphanumeric);
        let found = all.binary_search_by_key(&run.start, |s| s.start).map_or(0, |_| 1);
        assert!(!word || found == 1, "{model:?}: {run} {:?} is in no block", run.slice(source));
    }
}

fn check_segments(page: &Page<'_>) {
    let blocks = page.blocks_by(GapModel::Tags);
    let words: Vec<Token> = blocks.iter().flat_map(|b| b.tokens()).collect();
    for method in Method::ALL {
        for rules in [RuleSet::paper(), RuleSet::html5()] {
            let segments = page.segments_by(&*method.segmenter(rules));
            let spans: Vec<Span> = segments.iter().flat_map(|s| s.spans()).collect();
            assert_ascending(&spans, method.name());
            // Every byte of every word is in exactly one segment: spans ascend, so one span must contain it.
            for part in words.iter().flat_map(|w| &w.spans) {
                let at = spans.partition_point(|s| s.end <= part.start);
                assert!(
                    spans.get(at).is_some_and(|s| s.start <= part.start && part.end <= s.end),
                    "{method}: {part} in no segment"
                );
            }
            // The segments' text has the same words in the same order.
            let text: String = segments.iter().map(|s| without_white_space(&s.text())).collect();
            let mut rest = text.as_str();
            for word in &words {
                let at = rest.find(&word.text).unwrap_or_else(|| panic!("{method}: {:?} is not in the segments' text", word.text));
                rest = &rest[at + word.text.len()..];
            }
            for segment in &segments {
                assert!(segment.node().is_some());
                assert!(!segment.text().is_empty());
            }
        }
    }
}

fn check(bytes: &[u8]) {
    let page = Page::parse(bytes);
    for model in [GapModel::Tags, GapModel::Lines] {
        check_blocks(&page, page.blocks_by(model), model);
    }
    check_segments(&page);
}

#[test]
fn bundled_pages_uphold_the_invariants() {
    for (_, bytes) in data::bundled() {
        check(&bytes);
    }
}

/// Pages checked per set: the checks favour simplicity over speed.
const SAMPLE: usize = 25;

#[test]
fn pages_of_the_evaluation_sets_uphold_the_invariants() {
    for set in ["seg-popular", "l3s-gn1", "dragnet", "daniel", "wcxb", "swde-sample"] {
        let Some(folder) = data::folder(set) else { continue };
        let paths = data::files(&folder.join("html"), "html");
        for path in paths.iter().step_by(paths.len() / SAMPLE + 1) {
            let bytes = std::fs::read(path).unwrap();
            if bytes.len() < 300_000 {
                check(&bytes);
            }
        }
    }
}

/// Pieces of pages, well formed and not.
fn piece() -> impl Strategy<Value = String> {
    let tag = prop_oneof![
        Just("p"),
        Just("div"),
        Just("a"),
        Just("b"),
        Just("i"),
        Just("span"),
        Just("ul"),
        Just("li"),
        Just("table"),
        Just("tr"),
        Just("td"),
        Just("h1"),
        Just("br"),
        Just("img"),
        Just("script"),
        Just("style"),
        Just("title"),
        Just("select"),
        Just("option"),
        Just("svg"),
        Just("noscript"),
        Just("pre"),
        Just("form"),
        Just("button"),
        Just("x-y"),
        Just("textarea"),
        Just("section"),
        Just("nav"),
        Just("sup"),
    ];
    let word = prop_oneof![
        "[a-z]{1,9}",
        "[A-Z][a-z]{0,12}",
        "[0-9]{1,5}",
        Just("地層".to_owned()),
        Just("ชั้นหิน".to_owned()),
        Just("слой".to_owned()),
        Just("-".to_owned()),
        Just("&amp;".to_owned()),
        Just("&eacute;t&eacute;".to_owned()),
        Just("&#x41;".to_owned()),
        Just("|".to_owned()),
        Just("\u{a0}".to_owned()),
        Just("\0".to_owned()),
        Just("\u{1}".to_owned()),
        Just("a\u{2003}b".to_owned()),
        Just("本book本".to_owned()),
        "[a-z]{60,90}",
        Just("&notin;&NotEqualTilde;".to_owned()),
        Just("<".to_owned()),
        Just("한국어".to_owned()),
    ];
    prop_oneof![
        3 => tag.clone().prop_map(|t| format!("<{t}>")),
        3 => tag.prop_map(|t| format!("</{t}>")),
        5 => word.clone(),
        3 => word.prop_map(|w| format!("{w} ")),
        1 => Just(" \n".to_owned()),
        1 => Just("<!-- c -->".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]
    #[test]
    fn generated_pages_uphold_the_invariants(pieces in proptest::collection::vec(piece(), 0..60)) {
        check(pieces.concat().as_bytes());
    }
}
