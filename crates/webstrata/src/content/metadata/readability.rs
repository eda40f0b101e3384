//! Metadata under the field names of Mozilla's Readability.

use super::Metadata;
use super::candidates::key;
use super::source::Value;

/// Metadata with Readability's fields ([`Readability::fields`] spells the names as Readability does).
///
/// ```
/// use webstrata::content::metadata::{Metadata, MetadataOptions};
/// use webstrata::html::Dom;
/// let dom = Dom::parse("<html lang=en dir=ltr><title>Rain</title><meta name=author content='Maren Tolliver'>");
/// let article = Metadata::from_dom(&dom, &MetadataOptions::default()).readability().with_text("Rain\nIt has been raining for days.");
/// assert_eq!(article.excerpt.as_deref(), Some("It has been raining for days."));
/// assert_eq!(article.byline.as_deref(), Some("Maren Tolliver"));
/// let names: Vec<&str> = article.fields().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["title", "byline", "dir", "lang", "length", "excerpt"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Readability {
    /// The title.
    pub title: Option<String>,
    /// The authors, separated by commas.
    pub byline: Option<String>,
    /// The direction of the text.
    pub dir: Option<String>,
    /// The language.
    pub lang: Option<String>,
    /// Number of characters of the content; set by [`Readability::with_text`].
    pub length: Option<usize>,
    /// The description, or else the first paragraph of the content; see [`Readability::with_text`].
    pub excerpt: Option<String>,
    /// The name of the site (`siteName`).
    pub site_name: Option<String>,
    /// When the page was published (`publishedTime`), as ISO 8601.
    pub published_time: Option<String>,
}

/// Minimum length of an excerpt; shorter lines are bylines, dates and captions.
const MIN_EXCERPT_CHARS: usize = 25;

impl Metadata {
    /// Converts the metadata to Readability's fields.
    #[must_use]
    pub fn readability(&self) -> Readability {
        let text = |value: &Option<Value<String>>| value.as_ref().map(|v| v.value.clone());
        let names: Vec<&str> = self.authors.iter().map(|a| a.value.as_str()).collect();
        Readability {
            title: text(&self.title),
            byline: (!names.is_empty()).then(|| names.join(", ")),
            dir: text(&self.direction),
            lang: text(&self.language),
            length: None,
            excerpt: text(&self.description),
            site_name: text(&self.site_name),
            published_time: self.published.as_ref().map(|p| p.value.to_string()),
        }
    }
}

impl Readability {
    /// Adds the length of the content's text, and an excerpt if the page has no description. The excerpt is the first
    /// paragraph that is not the title; a very short one is used only if there is no longer one.
    #[must_use]
    pub fn with_text(mut self, text: &str) -> Readability {
        self.length = Some(text.chars().count());
        if self.excerpt.is_none() {
            let title = self.title.as_deref().map(key);
            let paragraphs = || text.lines().map(str::trim).filter(|line| !line.is_empty() && Some(key(line)) != title);
            let first = paragraphs().find(|line| line.chars().nth(MIN_EXCERPT_CHARS - 1).is_some()).or_else(|| paragraphs().next());
            self.excerpt = first.map(str::to_owned);
        }
        self
    }

    /// The fields that are set, with Readability's own names and order.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        [
            ("title", self.title.clone()),
            ("byline", self.byline.clone()),
            ("dir", self.dir.clone()),
            ("lang", self.lang.clone()),
            ("length", self.length.map(|n| n.to_string())),
            ("excerpt", self.excerpt.clone()),
            ("siteName", self.site_name.clone()),
            ("publishedTime", self.published_time.clone()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts() {
        let excerpt = |title: &str, text: &str| {
            let article = Readability { title: Some(title.to_owned()), ..Readability::default() }.with_text(text);
            (article.length, article.excerpt.unwrap_or_default())
        };
        assert_eq!(
            excerpt("Rain", "RAIN!\n\nBy Jo Ash\n\nIt has been raining for days."),
            (Some(47), "It has been raining for days.".to_owned())
        );
        assert_eq!(excerpt("Rain", "Rain\nIt rains."), (Some(14), "It rains.".to_owned()));
        assert_eq!(excerpt("Rain", "Rain"), (Some(4), String::new()));
        let described = Readability { excerpt: Some("About rain".to_owned()), ..Readability::default() };
        assert_eq!(described.with_text("It has been raining for days.").excerpt.as_deref(), Some("About rain"));
    }
}
