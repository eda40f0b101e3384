//! Layout: where the nodes of a page are on the screen, and how their text looks.
//!
//! This is only a table. It is filled by a layout engine outside this crate (`webstrata-layout` has the providers),
//! attached to a page with [`crate::Page::with_layout`], and read by the methods that can use it. A page without a layout is
//! segmented from its content and its tree alone.

use crate::html::NodeId;

/// A rectangle in CSS pixels, measured from the top left corner of the page.
///
/// ```
/// use webstrata::layout::Area;
/// let (menu, text) = (Area::new(0.0, 0.0, 100.0, 400.0), Area::new(120.0, 0.0, 600.0, 400.0));
/// assert_eq!(menu.distance(text), 20.0);
/// assert_eq!(menu.union(text), Area::new(0.0, 0.0, 720.0, 400.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Area {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width; never negative.
    pub width: f32,
    /// Height; never negative.
    pub height: f32,
}

/// Maximum coordinate in pixels; larger ones are clamped. Layout engines use no larger ones, and `f32` represents integers up to it exactly.
const MAX_COORDINATE: f32 = 16_000_000.0;

impl Area {
    /// Creates an area from its top left corner and size. Non-finite numbers and negative sizes become 0.
    #[must_use]
    pub fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        let finite = |number: f32, from: f32| if number.is_finite() { number.clamp(from, MAX_COORDINATE) } else { 0.0 };
        Area {
            x: finite(x, -MAX_COORDINATE),
            y: finite(y, -MAX_COORDINATE),
            width: finite(width, 0.0),
            height: finite(height, 0.0),
        }
    }

    /// Whether the width or height is 0.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.width <= 0.0 || self.height <= 0.0
    }

    /// Right edge.
    #[must_use]
    pub fn right(self) -> f32 {
        self.x + self.width
    }

    /// Bottom edge.
    #[must_use]
    pub fn bottom(self) -> f32 {
        self.y + self.height
    }

    /// The smallest rectangle around both; empty areas are ignored.
    #[must_use]
    pub fn union(self, other: Area) -> Area {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Area { x, y, width: self.right().max(other.right()) - x, height: self.bottom().max(other.bottom()) - y }
    }

    /// Distance between the nearest points; 0 if the areas touch or overlap.
    #[must_use]
    pub fn distance(self, other: Area) -> f32 {
        let across = (other.x - self.right()).max(self.x - other.right()).max(0.0);
        let down = (other.y - self.bottom()).max(self.y - other.bottom()).max(0.0);
        across.hypot(down)
    }
}

/// A colour with opacity, each component from 0 to 255.
///
/// ```
/// use webstrata::layout::Color;
/// assert_eq!(Color::new(255, 255, 255, 255).difference(Color::new(0, 0, 0, 255)), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity; 0 is transparent.
    pub alpha: u8,
}

impl Color {
    /// Creates a colour from its four components.
    #[must_use]
    pub fn new(red: u8, green: u8, blue: u8, alpha: u8) -> Self {
        Color { red, green, blue, alpha }
    }

    /// Perceived brightness, 0 (black) to 1 (white), by the weights of ITU-R BT.601. Opacity is ignored.
    #[must_use]
    pub fn brightness(self) -> f32 {
        (0.299 * f32::from(self.red) + 0.587 * f32::from(self.green) + 0.114 * f32::from(self.blue)) / 255.0
    }

    /// Largest difference between the red, green and blue components, 0 to 1. Opacity is ignored.
    #[must_use]
    pub fn difference(self, other: Color) -> f32 {
        let parts = [(self.red, other.red), (self.green, other.green), (self.blue, other.blue)];
        f32::from(parts.into_iter().map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)) / 255.0
    }
}

/// How one node was rendered.
///
/// ```
/// use webstrata::layout::{Area, Color, Rendered};
/// let heading = Rendered::new(Area::new(10.0, 10.0, 400.0, 40.0)).font_size(32.0).font_weight(700).color(Color::new(20, 20, 20, 255));
/// assert_eq!(heading.font_size, 32.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Rendered {
    /// Position and size.
    pub area: Area,
    /// The colour behind its text: its own background, or that of the nearest ancestor that is not transparent.
    pub background: Color,
    /// Colour of its text.
    pub color: Color,
    /// Size of its text in CSS pixels.
    pub font_size: f32,
    /// Weight of its text: 400 is regular, 700 bold.
    pub font_weight: u16,
    /// Hash of the font family's name: equal for equal names.
    pub font_family: u32,
}

impl Rendered {
    /// A node in this area, with black 16-pixel text on white.
    #[must_use]
    pub fn new(area: Area) -> Self {
        let (black, white) = (Color::new(0, 0, 0, 255), Color::new(255, 255, 255, 255));
        Rendered { area, background: white, color: black, font_size: 16.0, font_weight: 400, font_family: 0 }
    }

    /// Sets the background.
    #[must_use]
    pub fn background(self, background: Color) -> Self {
        Rendered { background, ..self }
    }

    /// Sets the text colour.
    #[must_use]
    pub fn color(self, color: Color) -> Self {
        Rendered { color, ..self }
    }

    /// Sets the text size; anything but a positive number up to 1,000 becomes 16.
    #[must_use]
    pub fn font_size(self, pixels: f32) -> Self {
        let font_size = if pixels > 0.0 && pixels <= 1_000.0 { pixels } else { 16.0 };
        Rendered { font_size, ..self }
    }

    /// Sets the font weight.
    #[must_use]
    pub fn font_weight(self, font_weight: u16) -> Self {
        Rendered { font_weight, ..self }
    }

    /// Sets the font family (a hash of its name).
    #[must_use]
    pub fn font_family(self, font_family: u32) -> Self {
        Rendered { font_family, ..self }
    }
}

/// The layout of a page: how each node was rendered, by node number.
///
/// ```
/// use webstrata::{Page, html::Tag, layout::{Area, Layout, Rendered}};
/// let page = Page::parse(b"<p>Rain");
/// let paragraph = page.dom().find(Tag::P).unwrap().id();
/// let mut layout = Layout::new(1280.0, 800.0, page.dom().len());
/// layout.set(paragraph, Rendered::new(Area::new(8.0, 16.0, 1264.0, 18.0)));
/// let page = page.with_layout(layout);
/// assert_eq!(page.layout().unwrap().get(paragraph).unwrap().area.width, 1264.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    page: Area,
    nodes: Vec<Option<Rendered>>,
}

impl Layout {
    /// Creates an empty layout for a page of this size with `nodes` nodes.
    #[must_use]
    pub fn new(width: f32, height: f32, nodes: usize) -> Self {
        Layout { page: Area::new(0.0, 0.0, width, height), nodes: vec![None; nodes] }
    }

    /// The area of the whole page.
    #[must_use]
    pub fn page(&self) -> Area {
        self.page
    }

    /// Records how a node was rendered. Node numbers outside the page are ignored.
    pub fn set(&mut self, node: NodeId, rendered: Rendered) {
        if let Some(place) = self.nodes.get_mut(node.index()) {
            *place = Some(rendered);
        }
    }

    /// How a node was rendered; `None` if it was not.
    #[must_use]
    pub fn get(&self, node: NodeId) -> Option<&Rendered> {
        self.nodes.get(node.index())?.as_ref()
    }

    /// Number of nodes that were rendered.
    #[must_use]
    pub fn rendered(&self) -> usize {
        self.nodes.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_becomes_harmless() {
        let area = Area::new(f32::NAN, f32::INFINITY, -3.0, 1e30);
        assert_eq!(area, Area { x: 0.0, y: 0.0, width: 0.0, height: MAX_COORDINATE });
        assert!(area.is_empty());
        assert_eq!(Rendered::new(area).font_size(f32::NAN).font_size, 16.0);
        let mut layout = Layout::new(f32::NAN, 10.0, 1);
        layout.set(NodeId(7), Rendered::new(area));
        assert_eq!((layout.rendered(), layout.get(NodeId(7))), (0, None));
    }

    #[test]
    fn distances_are_symmetric_and_zero_inside() {
        let (outer, inner, far) =
            (Area::new(0.0, 0.0, 100.0, 100.0), Area::new(10.0, 10.0, 5.0, 5.0), Area::new(103.0, 104.0, 1.0, 1.0));
        assert_eq!(outer.distance(inner), 0.0);
        assert_eq!(outer.distance(far), 5.0);
        assert_eq!(far.distance(outer), 5.0);
        assert_eq!(Area::default().union(inner), inner);
    }
}
