//! Tags and inline elements as numbers, for the forests.

use crate::html::Tag;

/// A tag as a number; tags with similar uses have adjacent numbers.
pub(super) fn tag_number(tag: Tag) -> f32 {
    let number: u8 = match tag {
        Tag::P => 1,
        Tag::BLOCKQUOTE => 2,
        Tag::PRE => 3,
        Tag::H1 => 4,
        Tag::H2 => 5,
        Tag::H3 => 6,
        Tag::H4 => 7,
        Tag::H5 => 8,
        Tag::H6 => 9,
        Tag::ARTICLE => 10,
        Tag::MAIN => 11,
        Tag::SECTION => 12,
        Tag::DIV => 13,
        Tag::BODY => 14,
        Tag::CENTER => 15,
        Tag::FIGURE => 16,
        Tag::FIGCAPTION => 17,
        Tag::CAPTION => 18,
        Tag::TABLE => 19,
        Tag::TBODY => 20,
        Tag::TR => 21,
        Tag::TD => 22,
        Tag::TH => 23,
        Tag::DL => 24,
        Tag::DT => 25,
        Tag::DD => 26,
        Tag::OL => 27,
        Tag::UL => 28,
        Tag::LI => 29,
        Tag::DETAILS => 30,
        Tag::SUMMARY => 31,
        Tag::NOSCRIPT => 32,
        Tag::HEADER => 33,
        Tag::NAV => 34,
        Tag::ASIDE => 35,
        Tag::FOOTER => 36,
        Tag::ADDRESS => 37,
        Tag::FORM => 38,
        Tag::FIELDSET => 39,
        Tag::LEGEND => 40,
        Tag::BUTTON => 41,
        _ => 0,
    };
    f32::from(number)
}

/// The names of [`tag_number`]'s tags.
const TAGS: [&str; 42] = [
    "other", "p", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "article", "main", "section", "div", "body", "center",
    "figure", "figcaption", "caption", "table", "tbody", "tr", "td", "th", "dl", "dt", "dd", "ol", "ul", "li", "details",
    "summary", "noscript", "header", "nav", "aside", "footer", "address", "form", "fieldset", "legend", "button",
];

/// An inline element as a number; 0 for none.
pub(super) fn inline_number(tag: Tag) -> f32 {
    match tag {
        Tag::NONE => 0.0,
        Tag::A => 1.0,
        Tag::SPAN => 2.0,
        Tag::B | Tag::STRONG => 3.0,
        Tag::EM | Tag::I => 4.0,
        Tag::FONT => 5.0,
        Tag::LABEL => 6.0,
        Tag::TIME => 7.0,
        Tag::SMALL => 8.0,
        Tag::CODE => 9.0,
        Tag::CITE => 10.0,
        _ => 11.0,
    }
}

/// The names of [`inline_number`]'s elements.
const INLINE: [&str; 12] = ["none", "a", "span", "b", "em", "font", "label", "time", "small", "code", "cite", "other"];

fn name_at(names: &[&'static str], number: f32) -> &'static str {
    names.get(number as usize).filter(|_| number >= 0.0).copied().unwrap_or("none")
}

/// The name of the tag with this number; `other` for tags without a number of their own.
pub(super) fn tag_name(number: f32) -> &'static str {
    name_at(&TAGS, number)
}

/// The name of the inline element with this number.
pub(super) fn inline_name(number: f32) -> &'static str {
    name_at(&INLINE, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for name in TAGS.into_iter().skip(1) {
            assert_eq!(tag_name(tag_number(Tag::from_name(name))), name);
        }
        for name in INLINE.into_iter().filter(|name| !matches!(*name, "none" | "other")) {
            assert_eq!(inline_name(inline_number(Tag::from_name(name))), name);
        }
        assert_eq!((tag_name(0.0), tag_name(-1.0), inline_name(99.0)), ("other", "none", "none"));
    }
}
