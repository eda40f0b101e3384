//! The `srcset` attribute (HTML standard): image candidates, each with its width or density.

use std::borrow::Cow;

/// Size of a candidate; any width ranks above any density.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Size {
    Density(f64),
    Width(f64),
}

/// The URL of the largest candidate of all attributes; the first in case of a tie.
pub(super) fn largest<'a>(attributes: impl Iterator<Item = Cow<'a, str>>) -> Option<String> {
    let mut best: Option<(Size, String)> = None;
    for attribute in attributes {
        for (address, size) in candidates(&attribute) {
            if best.as_ref().is_none_or(|(largest, _)| *largest < size) {
                best = Some((size, address.to_owned()));
            }
        }
    }
    best.map(|(_, address)| address)
}

/// The candidates of an attribute. A URL ends at white space; trailing commas are not part of it, inner ones are.
fn candidates(mut rest: &str) -> impl Iterator<Item = (&str, Size)> {
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return None;
        }
        let (mut address, after) = split(rest, |c| c.is_ascii_whitespace());
        rest = after;
        let mut descriptor = "";
        if address.ends_with(',') {
            address = address.trim_end_matches(',');
        } else {
            (descriptor, rest) = split(rest, |c| c == ',');
        }
        Some((address, size(descriptor)))
    })
}

fn split(text: &str, at: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(at).unwrap_or(text.len()))
}

/// Parses `640w` or `2x`; a candidate without either has density 1.
fn size(descriptor: &str) -> Size {
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    for word in descriptor.split_ascii_whitespace() {
        if let Some(width) = word.strip_suffix('w').and_then(number) {
            return Size::Width(width);
        }
        if let Some(density) = word.strip_suffix('x').and_then(number) {
            return Size::Density(density);
        }
    }
    Size::Density(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_candidate_wins() {
        for (attribute, want) in [
            ("a", Some("a")),
            ("a 1x, b 2x", Some("b")),
            ("a 2x,b", Some("a")),
            ("a 320w, b 1280w, c 640w", Some("b")),
            ("a 3x, b 320w", Some("b")),
            ("a, b", Some("a")),
            ("data:image/png;base64,AA== 1x, b 1.5x", Some("b")),
            ("a,b 2x", Some("a,b")),
            (" ,, a 640w 200h ,", Some("a")),
            ("a NaNw, b infx, c 1x", Some("a")),
            ("", None),
            (" , ", None),
        ] {
            assert_eq!(largest([Cow::Borrowed(attribute)].into_iter()).as_deref(), want, "{attribute}");
        }
    }
}
