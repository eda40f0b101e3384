//! Draws the tree of topics as SVG, as figure 3.7 of the thesis: thicker lines join more similar rankings.
//!
//! The tree grows to the right, with one row per leaf. The file has no external fonts, scripts or images; names are escaped; colours
//! follow the light or dark theme of the viewer.

use super::super::GraphError;
use super::UNBIASED;
use super::compare::{Relation, Similarity, parents};
use super::table::RankTable;
use std::fmt::Write;

/// Maximum number of topics.
const MAX_BOXES: usize = 3000;
/// Characters of a name that are shown; the tooltip has the whole name.
const MAX_LABEL_CHARS: usize = 38;
/// Sizes in pixels: approximate widths of characters of 13 and 11 pixels.
const CHAR_WIDTH: f64 = 7.3;
const SMALL_CHAR_WIDTH: f64 = 6.1;
const BOX: f64 = 22.0;
const ROW: f64 = 28.0;
/// Gap between boxes with different parents.
const GROUP_GAP: f64 = 10.0;
/// Gap between levels, for lines and their numbers.
const LEVEL_GAP: f64 = 150.0;
const MARGIN: f64 = 24.0;
const HEAD: f64 = 92.0;
const MAX_STROKE: f64 = 9.0;
/// Space for a number between the end of a line and the box.
const NUMBER: f64 = 40.0;

const STYLE: &str = "\
text{font-family:system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif;font-size:13px;fill:#1c2430}\
.title{font-size:17px;font-weight:600}.small{font-size:11px;fill:#566373}.tau{font-size:11px;text-anchor:end;font-variant-numeric:tabular-nums}\
.paper{fill:#fff}.box{fill:#f3f5f8;stroke:#8a97a8}\
.none{stroke-dasharray:4 3}.line{fill:none;stroke-linecap:butt}\
.t0{stroke:#b6c0cc}.t1{stroke:#8fb3d9}.t2{stroke:#5b93cf}.t3{stroke:#2a6fbd}.t4{stroke:#134b8f}.tn{stroke:#d9722e}\
@media (prefers-color-scheme:dark){text{fill:#e8ecf2}.small{fill:#a3b0c0}.paper{fill:#14181e}\
.box{fill:#222a34;stroke:#718093}.t0{stroke:#4b5563}.t1{stroke:#3d6a99}.t2{stroke:#4a8fd6}.t3{stroke:#78b4ef}.t4{stroke:#b9dcff}\
.tn{stroke:#e8894a}}";

/// Draws the rankings of a table as a tree by their names. `found` has the similarities of pairs; `precisions` has, for each
/// ranking, the ratio of its precision to that of the unbiased one, if known, which sets the thickness of the border of its box.
///
/// # Errors
/// If there are too many topics.
pub fn draw(table: &RankTable, found: &[Similarity], precisions: &[Option<f64>]) -> Result<String, GraphError> {
    let names: Vec<&str> = table.rankings().iter().map(|ranking| ranking.name.as_str()).collect();
    if names.len() > MAX_BOXES {
        let reason =
            format!("{} topics are too many for a picture; rank fewer levels (--depth), or a branch (--topic)", names.len());
        return Err(GraphError::Option(reason));
    }
    let tree = Tree::new(&names, found);
    let places = tree.places();
    let mut picture = Svg { out: String::new() };
    let right = places.iter().map(|place| place.x + place.width).fold(640.0, f64::max) + MARGIN;
    let bottom = places.iter().map(|place| place.y).fold(HEAD, f64::max) + BOX / 2.0 + MARGIN;
    picture.open(right, bottom);
    picture.legend(!precisions.iter().all(Option::is_none));
    for (at, parent) in tree.parents.iter().enumerate() {
        if let Some(parent) = *parent {
            picture.line(&places[parent], &places[at], tree.above[at]);
        }
    }
    for (at, place) in places.iter().enumerate() {
        let precision = precisions.get(at).copied().flatten();
        picture.topic(place, names[at], &tree.label(at), tree.siblings[at], precision);
    }
    picture.out.push_str("</svg>\n");
    Ok(picture.out)
}

/// Position of a box.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    x: f64,
    /// Vertical centre.
    y: f64,
    width: f64,
}

/// Rankings as a tree, with their similarities.
struct Tree<'n> {
    names: &'n [&'n str],
    parents: Vec<Option<usize>>,
    /// Rankings in depth-first order, with their levels.
    order: Vec<(usize, usize)>,
    /// Tau to the parent, if it was computed.
    above: Vec<Option<f64>>,
    /// Mean of tau to the siblings.
    siblings: Vec<Option<f64>>,
}

impl<'n> Tree<'n> {
    fn new(names: &'n [&'n str], found: &[Similarity]) -> Tree<'n> {
        let parents = parents(names);
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, parent) in parents.iter().enumerate().rev() {
            match parent {
                Some(parent) => children[*parent].push(at),
                None => open.push((at, 0)),
            }
        }
        // No recursion: names may nest arbitrarily deep.
        let mut order = Vec::with_capacity(names.len());
        while let Some((at, level)) = open.pop() {
            order.push((at, level));
            open.extend(children[at].iter().map(|&child| (child, level + 1)));
        }
        let mut above = vec![None; names.len()];
        let mut sums = vec![(0.0, 0usize); names.len()];
        for pair in found {
            if parents.get(pair.two) == Some(&Some(pair.one)) {
                above[pair.two] = Some(pair.tau);
            } else if pair.relation == Relation::Sibling {
                for at in [pair.one, pair.two] {
                    if let Some((sum, count)) = sums.get_mut(at) {
                        (*sum, *count) = (*sum + pair.tau, *count + 1);
                    }
                }
            }
        }
        let siblings = sums.into_iter().map(|(sum, count)| (count > 0).then(|| sum / count as f64)).collect();
        Tree { names, parents, order, above, siblings }
    }

    /// The label of a box: its name without that of its parent.
    fn label(&self, at: usize) -> String {
        let name = self.names[at];
        if name == UNBIASED {
            return "no preference".into();
        }
        let above = self.parents[at].map(|parent| self.names[parent]).filter(|above| *above != UNBIASED);
        let rest = above.and_then(|above| name.strip_prefix(above)).unwrap_or(name).trim_start_matches('/').replace('_', " ");
        if rest.chars().count() <= MAX_LABEL_CHARS {
            return rest;
        }
        rest.chars().take(MAX_LABEL_CHARS - 1).chain(['…']).collect()
    }

    /// Positions of the boxes.
    fn places(&self) -> Vec<Place> {
        let mut places = vec![Place::default(); self.names.len()];
        let mut widths: Vec<f64> = Vec::new();
        for &(at, level) in &self.order {
            let small = if self.siblings[at].is_some() { SMALL_CHAR_WIDTH * 8.0 } else { 0.0 };
            let width = width(&self.label(at), CHAR_WIDTH) + small + 22.0;
            if level == widths.len() {
                widths.push(0.0);
            }
            widths[level] = widths[level].max(width);
        }
        let lefts: Vec<f64> = widths
            .iter()
            .scan(MARGIN, |left, width| {
                let here = *left;
                *left += width + LEVEL_GAP;
                Some(here)
            })
            .collect();
        // Each leaf takes a row; inner nodes are centred on their children, so nodes are placed in reverse order.
        let (mut y, mut last) = (HEAD + BOX / 2.0, None);
        let mut spans: Vec<Option<(f64, f64)>> = vec![None; self.names.len()];
        for (place, &(at, level)) in self.order.iter().enumerate() {
            let is_leaf = self.order.get(place + 1).is_none_or(|&(_, next)| next <= level);
            if is_leaf {
                if last.is_some_and(|last| last != self.parents[at]) {
                    y += GROUP_GAP;
                }
                last = Some(self.parents[at]);
                spans[at] = Some((y, y));
                y += ROW;
            }
        }
        for &(at, level) in self.order.iter().rev() {
            let (first, end) = spans[at].unwrap_or_default();
            let middle = f64::midpoint(first, end);
            places[at] = Place { x: lefts[level], y: middle, width: widths[level] };
            if let Some(parent) = self.parents[at] {
                spans[parent] = Some(spans[parent].map_or((middle, middle), |(low, high)| (low.min(middle), high.max(middle))));
            }
        }
        places
    }
}

/// Approximate width of a text: East Asian characters take twice the space.
fn width(text: &str, letter: f64) -> f64 {
    text.chars().map(|c| if c >= '\u{1100}' { 2.0 } else { 1.0 }).sum::<f64>() * letter
}

/// An SVG under construction.
struct Svg {
    out: String,
}

impl Svg {
    /// Appends markup; writing to a string cannot fail.
    fn put(&mut self, markup: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(markup);
    }

    fn open(&mut self, right: f64, bottom: f64) {
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {right:.0} {bottom:.0}\" width=\"{right:.0}\" height=\"{bottom:.0}\" \
             role=\"img\" aria-label=\"Similarity of topic rankings\">\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
        ));
    }

    fn legend(&mut self, precisions: bool) {
        let (x, y) = (MARGIN, 32.0);
        self.put(format_args!("<text class=\"title\" x=\"{x}\" y=\"{y}\">Similarity of topic rankings</text>\n"));
        let contour = if precisions {
            " The thicker the outline, the more precise the ranking is compared with the one without a topic."
        } else {
            ""
        };
        self.put(format_args!(
            "<text class=\"small\" x=\"{x}\" y=\"{}\">Lines: Kendall’s τ between a topic and its parent. ↕: mean τ between a topic and its siblings.{contour}</text>\n",
            y + 20.0
        ));
        let mut x = x;
        let y = y + 40.0;
        for (tau, text) in [(-0.3, "below 0"), (0.1, "to 0.2"), (0.3, "to 0.4"), (0.5, "to 0.6"), (0.7, "to 0.8"), (0.95, "to 1")] {
            let (class, thick) = line_style(tau);
            self.put(format_args!(
                "<path class=\"line {class}\" stroke-width=\"{thick:.1}\" d=\"M{x:.0} {y:.0}h30\"/><text class=\"small\" x=\"{:.0}\" y=\"{:.0}\">{text}</text>\n",
                x + 37.0,
                y + 4.0
            ));
            x += 92.0;
        }
    }

    /// The line from a topic to a child, with tau in front of the child.
    fn line(&mut self, from: &Place, to: &Place, tau: Option<f64>) {
        let (x1, y1, x2, y2) = (from.x + from.width, from.y, to.x - NUMBER, to.y);
        let (class, thick) = tau.map_or(("t0 none", 1.0), line_style);
        let (out, straight) = (x1 + LEVEL_GAP * 0.4, x2 - LEVEL_GAP * 0.1);
        self.put(format_args!(
            "<path class=\"line {class}\" stroke-width=\"{thick:.1}\" \
             d=\"M{x1:.1} {y1:.1}C{out:.1} {y1:.1} {x1:.1} {y2:.1} {straight:.1} {y2:.1}H{x2:.1}\"/>\n"
        ));
        if let Some(tau) = tau {
            let (x, y) = (to.x - 7.0, y2 + 4.0);
            self.put(format_args!("<text class=\"tau\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>\n", number(tau)));
        }
    }

    /// The box of a topic.
    fn topic(&mut self, place: &Place, name: &str, label: &str, siblings: Option<f64>, precision: Option<f64>) {
        let contour = precision.map_or(1.0, |times| (times * 1.5).clamp(0.5, 7.0));
        self.put(format_args!("<g><title>"));
        self.text(name);
        if let Some(times) = precision {
            self.put(format_args!(" ({times:.2} times as precise as without a topic)"));
        }
        self.put(format_args!(
            "</title><rect class=\"box\" stroke-width=\"{contour:.1}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BOX}\" rx=\"6\"/><text x=\"{:.1}\" y=\"{:.1}\">",
            place.x,
            place.y - BOX / 2.0,
            place.width,
            place.x + 10.0,
            place.y + 4.5
        ));
        self.text(label);
        self.put(format_args!("</text>"));
        if let Some(tau) = siblings {
            self.put(format_args!(
                "<text class=\"small\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">↕ {}</text>",
                place.x + place.width - 9.0,
                place.y + 4.0,
                number(tau)
            ));
        }
        self.put(format_args!("</g>\n"));
    }

    /// Appends untrusted text, escaped.
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                // Characters that XML does not allow.
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => self.out.push('\u{fffd}'),
                c => self.out.push(c),
            }
        }
    }
}

/// Colour class and thickness of a line.
fn line_style(tau: f64) -> (&'static str, f64) {
    let thick = 1.0 + (MAX_STROKE - 1.0) * tau.abs().min(1.0);
    let class = match tau {
        tau if tau < 0.0 => "tn",
        tau if tau < 0.2 => "t0",
        tau if tau < 0.4 => "t1",
        tau if tau < 0.6 => "t2",
        tau if tau < 0.8 => "t3",
        _ => "t4",
    };
    (class, thick)
}

/// A number with a minus sign as wide as a digit.
fn number(tau: f64) -> String {
    let text = format!("{:.2}", tau + 0.0);
    if text == "-0.00" { "0.00".into() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Boxes do not touch, and each is to the right of its parent.
        #[test]
        fn boxes_have_room(names in prop::collection::btree_set(prop::collection::vec("[a-c]{1,30}", 1..5), 1..60), unbiased in any::<bool>()) {
            let mut names: Vec<String> = names.into_iter().map(|parts| parts.join("/")).collect();
            if unbiased {
                names.push(UNBIASED.into());
            }
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let tree = Tree::new(&names, &[]);
            prop_assert_eq!(tree.order.len(), names.len());
            let places = tree.places();
            for (at, one) in places.iter().enumerate() {
                for two in &places[..at] {
                    let apart = (one.y - two.y).abs() > BOX || one.x + one.width < two.x || two.x + two.width < one.x;
                    prop_assert!(apart, "{:?} {:?}", one, two);
                }
                if let Some(parent) = tree.parents[at] {
                    prop_assert!(places[parent].x + places[parent].width + LEVEL_GAP <= one.x + 1e-6);
                }
            }
        }
    }
}
