//! Invariants that hold for every input, as functions that panic on a violation.
//!
//! The fuzz targets and the smoke run of the test suite (`crates/webstrata/tests/it/fuzz_smoke.rs`) share them.
#![allow(dead_code, reason = "each fuzz target calls one of them")]

use encoding_rs::{BIG5, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use webstrata::block::{Block, Blocks, GapModel};
use webstrata::content::metadata::MetadataOptions;
use webstrata::content::{Content, LinkOptions, Place, RenderOptions};
use webstrata::decode::{DecodeOptions, EncodingEvidence};
use webstrata::html::token::Repair;
use webstrata::html::{Dom, Node, ParseOptions, Parser, Paths};
use webstrata::label::Preset;
use webstrata::segment::{Cut, Method, RuleSet, Segments};
use webstrata::{ExtractOptions, Limits, Page, PageOptions, Problem, Span};

/// Limits that even a small input reaches.
fn tight_limits() -> Limits {
    Limits::default().bytes(1500).depth(12).nodes(90).attributes(2)
}

/// `Content-Type` values that a server may send; the last declares no encoding.
const TRANSPORTS: [&str; 4] = ["text/html; charset=gb18030", "charset=\"utf-16\"", "windows-1251", "text/html; charset="];

/// Encodings of all kinds: single-byte, double-byte, with escapes, 16-bit.
const FORCED: [&Encoding; 6] = [UTF_8, WINDOWS_1252, SHIFT_JIS, BIG5, ISO_2022_JP, UTF_16LE];

/// Decodes any bytes to text.
pub(crate) fn decode(bytes: &[u8]) {
    decode_with(bytes, &DecodeOptions::default());
    for transport in TRANSPORTS {
        decode_with(bytes, &DecodeOptions::default().transport(transport));
    }
    for encoding in FORCED {
        decode_with(bytes, &DecodeOptions::default().forced(encoding));
    }
}

fn decode_with(bytes: &[u8], options: &DecodeOptions<'_>) {
    let decoded = webstrata::decode::decode(bytes, options);
    let text = decoded.text.as_ref();
    assert!(text.get(decoded.start..).is_some(), "content begins at {} of {}", decoded.start, text.len());
    if let Some(forced) = options.forced {
        assert_eq!((decoded.encoding, decoded.evidence), (forced, EncodingEvidence::Forced));
    } else {
        assert_ne!(decoded.evidence, EncodingEvidence::Forced);
    }
    if !decoded.is_transcoded() {
        assert_eq!(text.as_bytes(), bytes, "offsets in the text are offsets in the input");
        assert!(!decoded.replaced);
    }
    if decoded.encoding == UTF_8 {
        let valid = std::str::from_utf8(bytes).is_ok();
        assert_eq!(valid, !decoded.is_transcoded(), "valid UTF-8 is borrowed, anything else is repaired");
        assert_eq!(valid, !decoded.replaced);
        assert!(text.len() >= bytes.len(), "a replacement is never shorter than what it replaces");
    }
    if decoded.replaced {
        assert!(text.contains('\u{fffd}'));
    }
}

/// Parses any text to a tree.
pub(crate) fn parse(bytes: &[u8]) {
    let decoded = webstrata::decode::decode(bytes, &DecodeOptions::default());
    let source = decoded.text.get(decoded.start..).unwrap_or_default();
    let options = [
        ParseOptions::default(),
        ParseOptions::default().repair(Repair::Off),
        ParseOptions::default().limits(tight_limits()).repair(Repair::On),
    ];
    for options in options {
        let limits = options.limits.clone();
        let mut parser = Parser::new(options);
        let first = parser.parse(source);
        tree(&first, &limits);
        let expected: Vec<(String, Span)> = first.nodes().map(|n| (n.name().to_owned(), n.span())).collect();
        let problems = first.problems().to_vec();
        parser.recycle(first);
        // Reused buffers do not affect the result.
        let second = parser.parse(source);
        assert!(second.nodes().map(|n| (n.name(), n.span())).eq(expected.iter().map(|(name, span)| (name.as_str(), *span))));
        assert_eq!(second.problems(), problems);
    }
}

fn end(node: Node<'_>) -> usize {
    node.descendants().next_back().unwrap_or(node).id().index() + 1
}

fn tree(dom: &Dom<'_>, limits: &Limits) {
    let source = dom.source();
    assert!(!dom.is_empty() && dom.root().parent().is_none() && end(dom.root()) == dom.len());
    assert!(dom.len() <= limits.nodes as usize, "{} nodes", dom.len());
    let mut depths = vec![0usize; dom.len()];
    let mut texts_end = 0;
    for node in dom.nodes() {
        let (id, end_of_node) = (node.id().index(), end(node));
        assert!(id < end_of_node && end_of_node <= dom.len(), "node {id} ends at {end_of_node}");
        assert!((end_of_node..=dom.len()).contains(&node.formatting_end().index()), "formatting end of node {id}");
        if let Some(parent) = node.parent() {
            let above = parent.id().index();
            assert!(above < id && end_of_node <= end(parent) && parent.is_element(), "node {id} lies within its parent {above}");
            depths[id] = depths[above] + 1;
            // A raw-text element and its text may be below an element at the cap.
            assert!(depths[id] <= usize::from(limits.depth) + 2, "node {id} has depth {}", depths[id]);
        } else {
            assert_eq!(id, 0, "only the root has no parent");
        }
        let mut next = id + 1;
        for child in node.children() {
            assert!(child.id().index() == next && child.parent() == Some(node), "children of {id}");
            next = end(child);
        }
        assert_eq!(next, end_of_node, "children of {id}");
        let span = node.span();
        assert!(span.start <= span.end && source.get(span.range()).is_some(), "span {span} of node {id}");
        if node.is_element() {
            attributes(node, limits);
        } else {
            assert!(!span.is_empty() && span.start >= texts_end && end_of_node == id + 1, "text {id} at {span}");
            texts_end = span.end;
        }
    }
    for problem in dom.problems() {
        match *problem {
            Problem::BytesCut { at } => assert_eq!(source.len(), at as usize, "{problem}"),
            Problem::DepthCut { at }
            | Problem::NodesCut { at }
            | Problem::AttributesCut { at }
            | Problem::RawTextRepaired { at, .. }
            | Problem::ReopeningStopped { at } => assert!(at as usize <= source.len(), "{problem}"),
            _ => {}
        }
    }
    let text = dom.text();
    assert!(!text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  "), "white space is collapsed");
    let _ = dom.title();
}

fn attributes(node: Node<'_>, limits: &Limits) {
    let source = node.dom().source();
    let mut before = node.span().start;
    let mut count = 0;
    for attribute in node.attributes() {
        let span = attribute.span();
        assert!(source.get(span.range()).is_some() && !attribute.name().is_empty());
        // Repeated <html> and <body> tags add to the first, so their attributes come after its tag.
        assert!(span.start >= before, "attribute {} at {span}", attribute.name());
        before = span.start;
        let _ = attribute.value();
        count += 1;
    }
    assert!(count <= limits.attributes, "{count} attributes");
}

/// Computes blocks, segments, labels and content of any page.
pub(crate) fn extract(bytes: &[u8]) {
    page(&Page::parse(bytes));
    page(&Page::parse_with(bytes, &PageOptions::default().limits(tight_limits()).noscript(true)));
}

fn page(page: &Page<'_>) {
    let source = page.dom().source();
    for gaps in [GapModel::Lines, GapModel::Tags] {
        blocks(page.blocks_by(gaps), source);
    }
    for preset in Preset::ALL {
        content(&page.extract_with(&ExtractOptions::from(preset)), source);
    }
    output(page, source);
    lists(page, source);
    let content = page.extract_with(&ExtractOptions::default().explain(true));
    for method in Method::ALL {
        segments(&page.segments(method), &content, source);
    }
    for method in [Method::BfRulebased, Method::JustRules, Method::GetBlockSet] {
        segments(&page.segments_by(&*method.segmenter(RuleSet::paper())), &content, source);
    }
}

/// Content has Markdown; spans of metadata lie in the source.
fn output(page: &Page<'_>, source: &str) {
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    let markdown = content.markdown(&RenderOptions::default().images(true));
    assert!(content.selection().blocks().next().is_none() || !markdown.trim().is_empty(), "content without Markdown");
    let metadata = page.metadata_with(&MetadataOptions::default().url("https://example.org/2024/05/13/page"));
    let spans = metadata.title.iter().chain(&metadata.authors).filter_map(|value| value.span);
    for span in spans {
        assert!(span.start <= span.end && source.get(span.range()).is_some(), "metadata at {span} of {} bytes", source.len());
    }
}

/// Links and images have tags in the source, and their blocks and segments exist.
fn lists(page: &Page<'_>, source: &str) {
    let content = page.extract();
    for method in [Method::WordWrap, Method::BfRulebased] {
        let segments = page.segments(method);
        let options = LinkOptions::default().base("https://example.org/a/page").segments(segments.as_segments());
        let exists = |place: &Place| {
            let segment = place.segment.and_then(|number| segments.iter().nth(number));
            segment.is_some() && place.block < content.blocks().len()
        };
        let (links, images) = (content.links(&options), content.images(&options));
        ordered(&links.iter().map(|link| link.span).collect::<Vec<_>>(), &mut 0, source);
        ordered(&images.iter().map(|image| image.span).collect::<Vec<_>>(), &mut 0, source);
        let tags = links.iter().map(|link| link.span).chain(images.iter().map(|image| image.span));
        assert!(tags.into_iter().all(|span| span.slice(source).starts_with('<')));
        let places = links.iter().map(|link| &link.place).chain(images.iter().map(|image| &image.place));
        assert!(places.flatten().all(exists), "a place that does not exist");
        let text: usize = links.iter().map(|link| link.text.len()).sum();
        assert!(text <= 4 * source.len(), "links have {text} bytes of text in a page of {}", source.len());
    }
}

/// Spans lie in the source, are not empty, and do not overlap.
fn ordered(spans: &[Span], before: &mut u32, source: &str) {
    for span in spans {
        assert!(span.start < span.end && source.get(span.range()).is_some(), "span {span} of {} bytes", source.len());
        assert!(span.start >= *before, "span {span} begins before {before}");
        *before = span.end;
    }
}

fn blocks(blocks: Blocks<'_>, source: &str) {
    let paths = Paths::new(blocks.dom());
    let mut before = 0;
    for (number, block) in blocks.iter().enumerate() {
        assert_eq!(block.index(), number);
        assert!(block.gap_span().start <= block.gap_span().end);
        ordered(&block.spans(), &mut before, source);
        assert!(before > 0, "a block has text");
        let counts = block.counts();
        assert!(counts.link_words <= counts.words);
        let tokens = block.tokens();
        assert_eq!(tokens.len(), counts.words as usize, "words of block {number}");
        let mut word_before = 0;
        for token in &tokens {
            assert!(!token.text.is_empty() && !token.spans.is_empty());
            // The two characters of one character reference share their bytes.
            assert!(token.spans.iter().all(|span| span.start >= word_before && source.get(span.range()).is_some()));
            word_before = token.spans[0].start;
        }
        assert!(!block.text().trim().is_empty(), "a block has text");
        assert!(paths.path(block.node()).starts_with(['/', '…']), "a path starts at the root, or with an ellipsis");
    }
}

fn content(content: &Content<'_>, source: &str) {
    let blocks = content.blocks();
    assert_eq!((content.labels().len(), content.selection().len()), (blocks.len(), blocks.len()));
    ordered(&content.spans(), &mut 0, source);
    let explanation = content.explain();
    for block in blocks {
        assert!(!explanation.why(block.index()).is_empty(), "block {} has a verdict without a reason", block.index());
    }
    assert_eq!(content.text().is_empty(), content.selection().blocks().next().is_none());
}

fn segments(segments: &Segments<'_>, content: &Content<'_>, source: &str) {
    let blocks = segments.blocks();
    let verdicts = content.label_segments(segments);
    let explanation = content.explain();
    assert_eq!(verdicts.len(), segments.len());
    assert_eq!(segments.is_empty(), blocks.is_empty());
    let mut reached = Cut::default();
    let mut before = 0;
    let (mut bytes, mut words) = (0, 0);
    for (segment, verdict) in segments.iter().zip(&verdicts) {
        let (from, to) = segment.range();
        assert!(from == reached && from < to, "every segment starts where the previous one ends");
        reached = to;
        let spans = segment.spans();
        ordered(&spans, &mut before, source);
        bytes += spans.iter().map(|span| u64::from(span.len())).sum::<u64>();
        words += segment.counts().words;
        let _ = segment.text();
        assert!(segment.node().is_some_and(Node::is_element));
        assert!((0.0..=1.0).contains(&verdict.score) && !verdict.why(&explanation).is_empty());
    }
    if !blocks.is_empty() {
        assert_eq!((reached.block as usize, reached.at), (blocks.len(), 0), "the last segment ends with the last block");
    }
    let all: u64 = blocks.iter().flat_map(Block::spans).map(|span| u64::from(span.len())).sum();
    assert_eq!(bytes, all, "every byte of the blocks is in exactly one segment");
    assert_eq!(words, blocks.iter().map(|block| block.counts().words).sum::<u32>(), "and so is every word");
}
