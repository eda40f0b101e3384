//! Which text of a page is compared.

use std::fmt;
use std::str::FromStr;
use webstrata::label::Preset;
use webstrata::segment::{Method, Segments};
use webstrata::{ExtractOptions, Page};

/// Which text of a page is compared.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::dedup::TextSource;
/// let html = b"<ul><li><a href=/>Home</a><li><a href=/n>All the news of the day</a></ul><p>It rained.<hr><p>Then the sun came out.";
/// let page = Page::parse(html);
/// let largest: TextSource = "largest-segment=just-rules".parse().unwrap();
/// assert_eq!(largest.text(&page).0, "Then the sun came out.");
/// assert!(TextSource::AllText.text(&page).0.starts_with("- Home"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextSource {
    /// The content, as `extract` returns it.
    #[default]
    Content,
    /// The segment with the most words by a method, ignoring segments with half or more of their words in links. The papers' choice.
    LargestSegment(Method),
    /// All text of the page.
    AllText,
}

impl TextSource {
    /// The method for the largest segment if none is named: it works with and without the tags that the papers' rules rely on
    /// (`docs/dedup.md`, which repeats table 4.3 of the thesis).
    pub const METHOD: Method = Method::Strata;

    /// The text of a page that is compared, and the confidence of its extraction.
    #[must_use]
    pub fn text(self, page: &Page<'_>) -> (String, Option<f32>) {
        match self {
            TextSource::Content => {
                let content = page.extract();
                (content.text(), content.labels().confidence())
            }
            TextSource::LargestSegment(method) => (largest_segment(&page.segments(method)), None),
            TextSource::AllText => (page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).text(), None),
        }
    }
}

/// The text of the first segment with the most words among those with less than half of their words in links. Parts of one segment count
/// together.
#[must_use]
pub fn largest_segment(segments: &Segments<'_>) -> String {
    let groups = segments.segmentation();
    let mut counts = vec![(0u64, 0u64); groups.groups()];
    for (number, segment) in segments.iter().enumerate() {
        let own = segment.counts();
        let (words, link_words) = &mut counts[groups.group(number)];
        *words += u64::from(own.words);
        *link_words += u64::from(own.link_words);
    }
    let mut found = None;
    let mut most = 0;
    for (group, (words, link_words)) in counts.into_iter().enumerate() {
        if words > most && link_words * 2 < words {
            (found, most) = (Some(group), words);
        }
    }
    let parts = segments.iter().enumerate().filter(|(number, _)| Some(groups.group(*number)) == found);
    parts.map(|(_, segment)| segment.text()).collect::<Vec<_>>().join("\n")
}

impl fmt::Display for TextSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextSource::Content => f.write_str("content"),
            TextSource::LargestSegment(method) => write!(f, "largest-segment={method}"),
            TextSource::AllText => f.write_str("all-text"),
        }
    }
}

/// An unknown text source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown text source '{0}'; use content, largest-segment[=METHOD] or all-text")]
pub struct UnknownTextSource(String);

impl FromStr for TextSource {
    type Err = UnknownTextSource;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownTextSource(name.to_owned());
        match name.split_once('=') {
            None if name == "content" => Ok(TextSource::Content),
            None if name == "all-text" => Ok(TextSource::AllText),
            None if name == "largest-segment" => Ok(TextSource::LargestSegment(TextSource::METHOD)),
            Some(("largest-segment", method)) => method.parse().map(TextSource::LargestSegment).map_err(|_| unknown()),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for of in [
            TextSource::Content,
            TextSource::AllText,
            TextSource::LargestSegment(Method::Strata),
            TextSource::LargestSegment(TextSource::METHOD),
        ] {
            assert_eq!(of.to_string().parse(), Ok(of));
        }
        for wrong in ["", "text", "content=strata", "largest-segment=x"] {
            assert!(wrong.parse::<TextSource>().unwrap_err().to_string().contains("largest-segment"), "{wrong}");
        }
    }

    #[test]
    fn half_in_links_is_too_much() {
        let html = b"<p><a href=/1>one two three four</a> five six seven eight<hr><p>nine <a href=/2>ten</a> eleven<hr><p>twelve";
        let page = Page::parse(html);
        assert_eq!(TextSource::LargestSegment(Method::JustRules).text(&page).0, "nine ten eleven");
        let page = Page::parse(b"<p><a href=/3>only links</a>");
        assert_eq!(TextSource::LargestSegment(Method::JustRules).text(&page).0, "");
    }
}
