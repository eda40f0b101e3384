//! The `srcset` attribute of the HTML standard: versions of one image, each with its width or density.

use std::borrow::Cow;

/// How large a version is: widths count more than densities.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Size {
    Density(f64),
    Width(f64),
}

/// The address of the largest version of all attributes; of equals the first.
pub(super) fn largest<'a>(attributes: impl Iterator<Item = Cow<'a, str>>) -> Option<String> {
    let mut best: Option<(Size, String)> = None;
    for attribute in attributes {
        for (address, size) in versions(&attribute) {
            if best.as_ref().is_none_or(|(most, _)| *most < size) {
                best = Some((size, address.to_owned()));
            }
        }
    }
    best.map(|(_, address)| address)
}

/// The versions of an attribute. An address ends at white space; commas at its end are not part of it, those inside it are.
fn versions(mut rest: &str) -> impl Iterator<Item = (&str, Size)> {
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return None;
        }
        let (mut address, behind) = split(rest, |c| c.is_ascii_whitespace());
        rest = behind;
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

/// `640w` or `2x`; a version without either has the density 1.
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
    fn the_largest_version() {
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
