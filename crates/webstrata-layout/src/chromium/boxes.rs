//! From a browser's snapshot to a layout of our tree.
//!
//! Elements are matched by the attribute that [`crate::markers`] has put into their tags, texts by the comment before them. A text
//! that the browser has moved away from its comment (out of a table, for instance), or that has none, is matched with our first
//! unmatched text with the same characters.
//!
//! A node counts as rendered if any part of it is visible: it is not hidden or transparent, not clipped by an ancestor, and not to
//! the left of or above the page. Elements without a visible box of their own get the smallest area around their visible
//! descendants.

use super::snapshot::{Kind, Snapshot};
use super::style::{Position, Style, over};
use crate::markers::Marked;
use std::collections::{HashMap, VecDeque};
use webstrata::Page;
use webstrata::html::{Node, NodeId, NodeKind, Tag};
use webstrata::layout::{Area, Color, Layout, Rendered};

/// A text narrower or lower than this is clipped to a point, like texts for screen readers.
const MIN_TEXT: f32 = 2.0;

/// The context that a browser's node passes on to its children.
#[derive(Clone, Copy)]
struct Context {
    style: Style,
    /// Opaque.
    background: Color,
    opacity: f32,
    /// Clip rectangles for children in the flow, and for absolutely positioned ones.
    clip: Option<Area>,
    clip_absolute: Option<Area>,
}

/// Builds a layout of the page from a snapshot of its marked source. Also returns those of its texts that the browser has, visible
/// or not.
pub(crate) fn layout(page: &Page<'_>, marked: &Marked, snapshot: &Snapshot, (width, height): (f32, f32)) -> (Layout, Vec<NodeId>) {
    let mut boxes: Vec<Option<(Area, Style)>> = vec![None; snapshot.len()];
    for (node, area, style) in snapshot.boxes() {
        let known = &mut boxes[node];
        *known = Some(known.map_or((area, style), |(first, style)| (first.union(area), style)));
    }
    let mut contexts: Vec<Context> = Vec::with_capacity(snapshot.len());
    for (node, own) in boxes.iter().enumerate() {
        let outer = outer(snapshot, &contexts, node);
        let is_page = snapshot.kind(node) == Kind::Element && ["HTML", "BODY"].contains(&snapshot.name(node));
        contexts.push(match *own {
            Some((area, style)) if snapshot.kind(node) != Kind::Text => outer.inside(area, style, is_page),
            _ => outer,
        });
    }
    let mut found: Vec<Option<Rendered>> = vec![None; page.dom().len()];
    let mut is_text = vec![false; page.dom().len()];
    for (node, number) in matches(page, marked, snapshot) {
        is_text[number] |= snapshot.kind(node) == Kind::Text;
        let Some((area, _)) = boxes[node] else { continue };
        let outer = outer(snapshot, &contexts, node);
        let own = if snapshot.kind(node) == Kind::Text { outer.text(area) } else { outer.element(area, &contexts[node]) };
        if let Some(own) = own {
            let place = &mut found[number];
            // Copies of a formatting element have the number of the original.
            *place = Some(place.map_or(own, |first| merged(first, own)));
        }
    }
    enclose(page, &mut found);
    let mut layout = Layout::new(width, height, page.dom().len());
    for (node, rendered) in page.dom().nodes().zip(found) {
        if let Some(rendered) = rendered {
            layout.set(node.id(), rendered);
        }
    }
    (layout, page.dom().nodes().map(Node::id).filter(|id| is_text[id.index()]).collect())
}

/// The context of a node whose ancestors' contexts are known.
fn outer(snapshot: &Snapshot, contexts: &[Context], node: usize) -> Context {
    snapshot.parent(node).map_or_else(Context::root, |parent| contexts[parent])
}

fn merged(first: Rendered, other: Rendered) -> Rendered {
    let mut merged = first;
    merged.area = first.area.union(other.area);
    merged
}

impl Context {
    fn root() -> Self {
        let background = Color::new(255, 255, 255, 255);
        Context { style: Style::default(), background, opacity: 1.0, clip: None, clip_absolute: None }
    }

    /// The context that an element in this context passes on.
    fn inside(self, area: Area, style: Style, is_page: bool) -> Context {
        let clip = self.clip_of(&style);
        // Content clipped by the page as a whole can be scrolled into view in most browsers.
        let own = if style.clips && !is_page { Some(clip.map_or(area, |clip| intersection(clip, area))) } else { clip };
        let clip_absolute = if style.position == Position::Static { self.clip_absolute } else { own };
        Context {
            background: over(style.background, self.background),
            opacity: self.opacity * style.opacity,
            style,
            clip: own,
            clip_absolute,
        }
    }

    /// The clip rectangle for an element with this style.
    fn clip_of(&self, style: &Style) -> Option<Area> {
        match style.position {
            Position::Fixed => None,
            Position::Absolute => self.clip_absolute,
            Position::Static | Position::Relative => self.clip,
        }
    }

    /// An element in this context, if it is visible.
    fn element(&self, area: Area, inner: &Context) -> Option<Rendered> {
        let area = visible(area, self.clip_of(&inner.style))?;
        (!inner.style.hidden && inner.opacity > 0.0).then(|| inner.style.rendered(area, inner.background))
    }

    /// A text whose parent has this context, if it is visible.
    fn text(&self, area: Area) -> Option<Rendered> {
        let area = visible(area, self.clip).filter(|area| area.width >= MIN_TEXT && area.height >= MIN_TEXT)?;
        (!self.style.hidden && self.opacity > 0.0).then(|| self.style.rendered(area, self.background))
    }
}

/// The visible part of an area; `None` if it is empty or off the page.
fn visible(area: Area, clip: Option<Area>) -> Option<Area> {
    let area = clip.map_or(area, |clip| intersection(clip, area));
    (!area.is_empty() && area.right() > 0.0 && area.bottom() > 0.0).then_some(area)
}

fn intersection(a: Area, b: Area) -> Area {
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    Area::new(x, y, a.right().min(b.right()) - x, a.bottom().min(b.bottom()) - y)
}

/// Elements without a box get the area around those of their children, and the style of the first.
fn enclose(page: &Page<'_>, found: &mut [Option<Rendered>]) {
    // Children follow their parents, so a parent is complete when all after it have been seen.
    let parents: Vec<Option<usize>> = page.dom().nodes().map(|node| node.parent().map(|parent| parent.id().index())).collect();
    let mut around: Vec<Option<Rendered>> = vec![None; found.len()];
    for (number, parent) in parents.into_iter().enumerate().rev() {
        if found[number].is_none() {
            found[number] = around[number];
        }
        if let (Some(parent), Some(own)) = (parent, found[number]) {
            // In reverse order, so the last one visited is the first child.
            around[parent] = Some(around[parent].map_or(own, |later| merged(own, later)));
        }
    }
}

/// Pairs of a browser's node and the number of ours.
fn matches(page: &Page<'_>, marked: &Marked, snapshot: &Snapshot) -> Vec<(usize, usize)> {
    let numbered: Vec<Node<'_>> = page.dom().nodes().collect();
    let is = |number: usize, kind: NodeKind| numbered.get(number).is_some_and(|node| node.kind() == kind);
    let mut pairs = Vec::with_capacity(numbered.len());
    let mut taken = vec![false; numbered.len()];
    let mut comment = None;
    // Unmatched texts, or parts of them: a browser appends moved text to existing text.
    let mut lost = Vec::new();
    for node in 0..snapshot.len() {
        match snapshot.kind(node) {
            Kind::Element => {
                let number = element(page, marked, snapshot, node).filter(|&number| is(number, NodeKind::Element));
                pairs.extend(number.map(|number| (node, number)));
            }
            Kind::Comment => comment = marked.text_number(snapshot.value(node)).or(comment),
            Kind::Text => {
                let theirs = letters(snapshot.value(node));
                if theirs.is_empty() {
                    continue;
                }
                let candidate = comment.take().filter(|&number: &usize| is(number, NodeKind::Text) && !taken[number]);
                let rest =
                    candidate.and_then(|number| rest(&letters(&numbered[number].text()), &theirs).map(|rest| (number, rest)));
                let rest = match rest {
                    Some((number, rest)) => {
                        taken[number] = true;
                        pairs.push((node, number));
                        rest
                    }
                    None => theirs,
                };
                if !rest.is_empty() {
                    lost.push((node, rest));
                }
            }
            Kind::Other => {}
        }
    }
    if !lost.is_empty() {
        let mut left: HashMap<String, VecDeque<usize>> = HashMap::new();
        for node in numbered.iter().filter(|node| node.kind() == NodeKind::Text && !taken[node.id().index()]) {
            left.entry(letters(&node.text())).or_default().push_back(node.id().index());
        }
        pairs.extend(lost.into_iter().filter_map(|(node, text)| Some((node, left.get_mut(&text)?.pop_front()?))));
    }
    pairs
}

/// The number of an element: its mark, or that of `html` and `body`, which need no tag.
fn element(page: &Page<'_>, marked: &Marked, snapshot: &Snapshot, node: usize) -> Option<usize> {
    if let Some(mark) = snapshot.attribute(node, &marked.mark) {
        return mark.parse().ok();
    }
    let id: Option<NodeId> = match snapshot.name(node) {
        "HTML" => Some(page.dom().root().id()),
        "BODY" => page.dom().find(Tag::BODY).map(Node::id),
        _ => None,
    };
    id.map(NodeId::index)
}

/// A text without white space, which is collapsed in one tree and not in the other.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// What follows our text in the browser's, if the browser's starts with ours. It may also have been cut short.
fn rest(ours: &str, theirs: &str) -> Option<String> {
    if ours.is_empty() {
        return None;
    }
    theirs.strip_prefix(ours).map(str::to_owned).or_else(|| ours.starts_with(theirs).then(String::new))
}
