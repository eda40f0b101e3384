//! Computed styles, as a browser writes them.

use webstrata::layout::{Area, Color, Rendered};

/// The requested properties; [`Style::new`] gets their values in this order.
pub(crate) const PROPERTIES: [&str; 11] = [
    "background-color", "color", "font-size", "font-weight", "font-family", "visibility", "opacity", "display", "position",
    "overflow-x", "overflow-y",
];

/// The parts of an element's style that we use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) background: Color,
    color: Color,
    font_size: f32,
    font_weight: u16,
    font_family: u32,
    pub(crate) hidden: bool,
    pub(crate) opacity: f32,
    /// Content outside of its box is not shown.
    pub(crate) clips: bool,
    pub(crate) position: Position,
}

/// How an element is positioned, as far as it matters for clipping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    Static,
    Relative,
    Absolute,
    Fixed,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            background: Color::default(),
            color: Color::new(0, 0, 0, 255),
            font_size: 16.0,
            font_weight: 400,
            font_family: family(""),
            hidden: false,
            opacity: 1.0,
            clips: false,
            position: Position::Static,
        }
    }
}

impl Style {
    /// Creates a style from the values of [`PROPERTIES`]. Missing or invalid ones get their initial values.
    pub(crate) fn new<'s>(values: impl Iterator<Item = &'s str>) -> Self {
        let mut style = Style::default();
        let mut inline = false;
        for (property, value) in PROPERTIES.into_iter().zip(values) {
            let number =
                |otherwise: f32| value.trim_end_matches("px").parse().ok().filter(|n: &f32| n.is_finite()).unwrap_or(otherwise);
            match property {
                "background-color" => style.background = color(value).unwrap_or_default(),
                "color" => style.color = color(value).unwrap_or(style.color),
                "font-size" => style.font_size = number(16.0),
                "font-weight" => style.font_weight = number(400.0).clamp(1.0, 1000.0) as u16,
                "font-family" => style.font_family = family(value),
                "visibility" => style.hidden = value != "visible",
                "opacity" => style.opacity = number(1.0).clamp(0.0, 1.0),
                "display" => inline = value == "inline",
                "position" => {
                    style.position = match value {
                        "absolute" => Position::Absolute,
                        "fixed" => Position::Fixed,
                        "relative" | "sticky" => Position::Relative,
                        _ => Position::Static,
                    }
                }
                // Content that can be scrolled into view is not hidden.
                _ => style.clips |= value == "hidden" || value == "clip",
            }
        }
        style.clips &= !inline;
        style
    }

    /// A node of this style on a background.
    pub(crate) fn rendered(&self, area: Area, background: Color) -> Rendered {
        Rendered::new(area)
            .background(background)
            .color(over(self.color, background))
            .font_size(self.font_size)
            .font_weight(self.font_weight)
            .font_family(self.font_family)
    }
}

/// A colour on top of an opaque one.
pub(crate) fn over(top: Color, below: Color) -> Color {
    let share = f32::from(top.alpha) / 255.0;
    let mix = |top: u8, below: u8| (f32::from(top) * share + f32::from(below) * (1.0 - share)).round() as u8;
    Color::new(mix(top.red, below.red), mix(top.green, below.green), mix(top.blue, below.blue), 255)
}

/// `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)` or `color(srgb 0.1 0.2 0.3 / 0.5)`; `None` for other colour spaces, which are rare.
fn color(value: &str) -> Option<Color> {
    let (function, parts) = value.strip_suffix(')')?.split_once('(')?;
    let (scale, parts) = match function {
        "rgb" | "rgba" => (1.0, parts),
        "color" => (255.0, parts.strip_prefix("srgb ")?),
        _ => return None,
    };
    let numbers = parts.split([',', ' ', '/']).filter(|part| !part.is_empty()).map(|part| part.parse::<f32>().ok());
    let numbers: Vec<f32> = numbers.collect::<Option<_>>()?;
    let part = |number: f32| (number * scale).round().clamp(0.0, 255.0) as u8;
    match *numbers.as_slice() {
        [red, green, blue] => Some(Color::new(part(red), part(green), part(blue), 255)),
        [red, green, blue, alpha] => {
            Some(Color::new(part(red), part(green), part(blue), (alpha * 255.0).round().clamp(0.0, 255.0) as u8))
        }
        _ => None,
    }
}

/// A hash (FNV-1a) of the first name of a list of font families.
fn family(list: &str) -> u32 {
    let name = list.split(',').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read() {
        assert_eq!(color("rgb(1, 20, 255)"), Some(Color::new(1, 20, 255, 255)));
        assert_eq!(color("rgba(0, 0, 0, 0.5)"), Some(Color::new(0, 0, 0, 128)));
        assert_eq!(color("color(srgb 1 0.5 0 / 0.2)"), Some(Color::new(255, 128, 0, 51)));
        for nonsense in ["", "rgb(", "rgb()", "rgb(1, 2)", "oklch(0.5 0.1 20)", "rgb(a, b, c)", "red"] {
            assert_eq!(color(nonsense), None, "{nonsense}");
        }
        assert_eq!(color("rgb(-1e40, NaN, 1e40)").map(|color| color.blue), Some(255));
    }

    #[test]
    fn transparent_colours_show_what_is_below() {
        let white = Color::new(255, 255, 255, 255);
        assert_eq!(over(Color::default(), white), white);
        assert_eq!(over(Color::new(0, 0, 0, 51), white), Color::new(204, 204, 204, 255));
    }

    #[test]
    fn families_are_compared_by_their_first_name() {
        assert_eq!(family("\"Times New Roman\", serif"), family("times new roman"));
        assert_ne!(family("Arial"), family("Georgia"));
    }

    #[test]
    fn missing_values_are_initial() {
        let style = Style::new(["rgb(1, 2, 3)"].into_iter());
        assert_eq!((style.background, style.hidden, style.opacity), (Color::new(1, 2, 3, 255), false, 1.0));
        let style = Style::new(["", "", "nonsense", "1e9", "", "hidden", "NaN", "inline", "", "hidden"].into_iter());
        assert!(style.hidden && !style.clips);
        assert_eq!((style.font_size, style.font_weight, style.opacity), (16.0, 1000, 1.0));
    }
}
