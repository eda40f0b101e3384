//! Labels of segments: the NumWords tree on a sequence of segments instead of blocks.

use super::role::Role;
use super::tree::NUM_WORDS;
use super::unit::{Marks, Trail, Unit};
use super::{Input, Stage};
use crate::block::Context;
use crate::segment::Segments;

/// Verdict on one segment.
///
/// ```
/// use webstrata::{Page, label::{Role, label_segments}, segment::Method};
/// let text = "Here is a sentence of eight plain words. ".repeat(6);
/// let html = format!("<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><p>{text}");
/// let page = Page::parse(html.as_bytes());
/// let segments = page.segments(Method::JustRules);
/// let labels = label_segments(&segments);
/// assert_eq!((labels[0].role, labels[1].role), (Role::Navigation, Role::Body));
/// assert!(labels[1].why.starts_with("num-words: content"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentLabel {
    /// Is it content?
    pub content: bool,
    /// What it is.
    pub role: Role,
    /// How sure of content, from 0 to 1. The tree knows only 0 and 1.
    pub score: f32,
    /// Why.
    pub why: String,
}

/// Labels the segments of a page by the NumWords tree (thesis, Algorithm 4.3).
#[must_use]
pub fn label_segments(segments: &Segments<'_>) -> Vec<SegmentLabel> {
    let blocks = segments.blocks();
    let mut contexts = Vec::with_capacity(segments.len());
    let mut units = Vec::with_capacity(segments.len());
    for segment in segments.iter() {
        let numbers = segment.block_numbers();
        let records = blocks.records().get(numbers.clone()).unwrap_or_default();
        contexts.push(records.iter().map(|r| r.context.0).reduce(|a, b| a & b).unwrap_or(0));
        units.push(Unit {
            first: numbers.start as u32,
            last: numbers.end.saturating_sub(1) as u32,
            counts: segment.counts(),
            level: records.iter().map(|r| r.level).min().unwrap_or(0),
            marks: Marks::default(),
            content: false,
            step: 0,
        });
    }
    let mut trail = Trail::with_reasons(blocks.len());
    let judged = (&NUM_WORDS).apply(&Input { blocks, title: None }, units, &mut trail);
    let label = |(unit, context): (&Unit, u32)| SegmentLabel {
        content: unit.content,
        role: Role::from_facts(Context(context), unit.counts, unit.content, false),
        score: f32::from(u8::from(unit.content)),
        why: trail.explain(unit.step),
    };
    judged.iter().zip(contexts).map(label).collect()
}
