//! The links of a page: their targets, their text, and the blocks and segments that contain them.

use super::Content;
use super::places::{Budget, LinkTracker, Place, Step, Walk};
use crate::html::address;
use crate::html::{Dom, Facts, Folded, Node, NodeId, Tag, is_white};
use crate::options::setters;
use crate::segment::Segments;
use crate::span::Span;

/// Maximum number of tokens kept from a `rel` attribute.
const MAX_RELATIONS: usize = 16;

/// Options for listing links and images.
///
/// ```
/// use webstrata::{Page, content::LinkOptions, segment::Method};
/// let page = Page::parse(b"<a href=b.html>more</a>");
/// let segments = page.segments(Method::Strata);
/// let options = LinkOptions::default().base("https://example.org/a/").segments(segments.as_segments());
/// let links = page.extract().links(&options);
/// assert_eq!(links[0].target.as_deref(), Some("https://example.org/a/b.html"));
/// assert_eq!(links[0].place.unwrap().segment, Some(0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LinkOptions<'a> {
    /// The page's URL. Relative URLs are resolved against it unless the page has a `base` element.
    pub base: Option<&'a str>,
    /// Segments of the same page, to report which of them contains a link or an image.
    pub segments: Option<&'a Segments<'a>>,
}

setters! { LinkOptions<'a> {  } into { base: Option<&'a str>, segments: Option<&'a Segments<'a>> } }

/// A link: an `a` or `area` element with a URL.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::LinkOptions, label::Preset};
/// let html = b"<nav><a href=/><img alt=Home></a></nav><p>See <a rel='nofollow noopener' href=//example.com>this <b>page</b></a>, \
///     <a href='javascript:go()'>that</a>";
/// let page = Page::parse(html);
/// let options = LinkOptions::default().base("https://example.org/a");
/// let links = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).links(&options);
/// let texts: Vec<&str> = links.iter().map(|l| l.text.as_str()).collect();
/// assert_eq!(texts, ["Home", "this page", "that"]);
/// assert_eq!((links[0].same_host, links[1].same_host), (Some(true), Some(false)));
/// assert!(links[1].has_rel("nofollow") && !links[0].has_rel("nofollow"));
/// assert_eq!((links[2].href.as_str(), &links[2].target), ("javascript:go()", &None));
/// assert_eq!(links[1].span.slice(page.dom().source()), "<a rel='nofollow noopener' href=//example.com>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Its element.
    pub node: NodeId,
    /// Span of its start tag.
    pub span: Span,
    /// Its text with white space collapsed, or the `alt` of its images if there is no text. Text in a nested link belongs to the
    /// inner link.
    pub text: String,
    /// The URL as written, with character references decoded.
    pub href: String,
    /// The resolved URL. `None` if it leads nowhere (scripts, a bare `#`), or once the resolved URLs are many times
    /// longer than the page. Without a base, a relative address is left unchanged.
    pub target: Option<String>,
    /// The tokens of its `rel` attribute in lower case, without repetition.
    pub rel: Vec<String>,
    /// Its `title` attribute.
    pub title: Option<String>,
    /// Facts about its visibility.
    pub facts: Facts,
    /// Whether it leads to the page's own host. Case, port and user are ignored; `www.example.org` and `example.org`
    /// differ. `None` if either host is unknown: without a base, or for schemes such as `mailto:`.
    pub same_host: Option<bool>,
    /// The block of its first text; for a link around an image, the block nearest to the image; `None` for an empty link.
    pub place: Option<Place>,
}

impl Link {
    /// Whether its `rel` attribute has this token, such as `nofollow`.
    #[must_use]
    pub fn has_rel(&self, relation: &str) -> bool {
        self.rel.iter().any(|word| word.eq_ignore_ascii_case(relation))
    }
}

impl Content<'_> {
    /// All links of the page in document order, including those outside the content; [`Link::place`] distinguishes them.
    #[must_use]
    pub fn links(&self, options: &LinkOptions<'_>) -> Vec<Link> {
        let mut walk = Walk::new(self, options.segments);
        let mut targets = Targets::new(self.blocks().dom(), options.base);
        let mut tracker = LinkTracker::default();
        let count = self.blocks().dom().records().iter().filter(|record| matches!(record.tag, Tag::A | Tag::AREA)).count();
        let mut links: Vec<Link> = Vec::with_capacity(count);
        let mut texts: Vec<Folded> = Vec::with_capacity(count);
        while let Some(step) = walk.step() {
            match step {
                Step::Element(node, facts) if matches!(node.tag(), Tag::A | Tag::AREA) => {
                    let link = targets.link(node, facts);
                    if node.tag() == Tag::A {
                        tracker.enter(node, link.as_ref().map(|_| links.len()));
                    }
                    let Some(mut link) = link else { continue };
                    if node.tag() == Tag::AREA {
                        link.place = walk.nearest(node);
                        append_words(&mut link.text, &node.attribute("alt").unwrap_or_default());
                    }
                    links.push(link);
                    texts.push(Folded::default());
                }
                Step::Element(node, _) if matches!(node.tag(), Tag::IMG | Tag::SVG) => {
                    let Some(at) = tracker.at(node) else { continue };
                    if links[at].place.is_none() {
                        links[at].place = walk.nearest(node);
                    }
                    append_words(&mut links[at].text, &node.attribute("alt").unwrap_or_default());
                }
                Step::Element(..) => {}
                Step::Text(node, spaced) => {
                    let Some(at) = tracker.at(node) else { continue };
                    if spaced {
                        texts[at].space();
                    }
                    let before = texts[at].text.is_empty();
                    texts[at].push(&node.dom().run_text(node.number()));
                    if before && !texts[at].text.is_empty() {
                        links[at].place = walk.here();
                    }
                }
            }
        }
        for (link, folded) in links.iter_mut().zip(texts).filter(|(_, folded)| !folded.text.is_empty()) {
            link.text = folded.text;
        }
        links
    }
}

/// Appends the words of a text, separated by single spaces.
pub(super) fn append_words(out: &mut String, text: &str) {
    for word in text.split(is_white).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// Resolves the URLs of a page.
#[derive(Debug)]
pub(super) struct Targets {
    base: Option<String>,
    /// Host of the page.
    host: Option<String>,
    budget: Budget,
}

impl Targets {
    pub(super) fn new(dom: &Dom<'_>, given: Option<&str>) -> Self {
        let element = dom.find(Tag::BASE).and_then(|n| n.attribute("href"));
        let base = address::base(given, element.as_deref());
        let host = given.and_then(address::host).or_else(|| address::host(base.as_deref()?)).map(str::to_owned);
        Targets { base, host, budget: Budget::for_page(dom) }
    }

    /// Resolves a URL; `None` if it leads nowhere.
    pub(super) fn resolve(&mut self, href: &str) -> Option<String> {
        if self.budget.is_spent() {
            return None;
        }
        address::target(self.base.as_deref(), href).filter(|target| self.budget.take(target.len()))
    }

    fn link(&mut self, node: Node<'_>, facts: Facts) -> Option<Link> {
        let (mut href, mut rel, mut title) = (None, Vec::new(), None);
        for attribute in node.attributes() {
            let name = attribute.name();
            if name.eq_ignore_ascii_case("href") && href.is_none() {
                href = Some(attribute.value().into_owned());
            } else if name.eq_ignore_ascii_case("title") {
                title = Some(attribute.value().into_owned());
            } else if name.eq_ignore_ascii_case("rel") {
                rel = relations(&attribute.value());
            }
        }
        let href = href?;
        let target = self.resolve(&href);
        let is_own = |host: &String| Some(address::host(target.as_deref()?)?.eq_ignore_ascii_case(host));
        let same_host = self.host.as_ref().and_then(is_own);
        let text = String::new();
        Some(Link { node: node.id(), span: node.span(), text, href, target, rel, title, facts, same_host, place: None })
    }
}

/// The tokens of a `rel` attribute.
fn relations(value: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in value.split_ascii_whitespace().map(str::to_ascii_lowercase) {
        if words.len() < MAX_RELATIONS && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Preset;
    use crate::segment::Method;
    use crate::{ExtractOptions, Page};

    fn links(html: &str, base: Option<&str>) -> Vec<Link> {
        let page = Page::parse(html.as_bytes());
        let segments = page.segments(Method::TagGap);
        let options = LinkOptions { base, segments: Some(segments.as_segments()) };
        page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).links(&options)
    }

    fn texts(html: &str) -> Vec<String> {
        links(html, None).into_iter().map(|link| link.text).collect()
    }

    #[test]
    fn same_host() {
        let html = "<a href=/x>a</a><a href=https://EXAMPLE.org:81/>b</a><a href=//www.example.org>c</a><a href=mailto:x@example.org>d</a>\
            <a href=#top>e</a><a href=#>f</a>";
        let same = |base| links(html, base).iter().map(|link| link.same_host).collect::<Vec<_>>();
        assert_eq!(same(Some("http://example.org/")), [Some(true), Some(true), Some(false), None, Some(true), None]);
        assert_eq!(same(None), [None; 6]);
        // The page's own URL determines its host; a `base` element is the fallback.
        let based = format!("<base href=https://cdn.example/>{html}");
        let same = |base| links(&based, base).iter().map(|link| link.same_host).collect::<Vec<_>>();
        assert_eq!(same(Some("http://example.org/"))[..3], [Some(false), Some(true), Some(false)]);
        assert_eq!(same(None)[..2], [Some(true), Some(false)]);
    }

    #[test]
    fn link_texts() {
        for (html, want) in [
            ("<a href=x>one\n <b>t</b>wo</a>", vec!["one two"]),
            ("<a href=x>one<p>two</p></a>", vec!["one two"]),
            ("<a href=x> <img alt=' a  b '> <img alt=c> </a>", vec!["a b c"]),
            ("<a href=x><img alt=a>b</a>", vec!["b"]),
            ("<a href=x></a><a name=y>not a link</a>", vec![""]),
            ("<a href=x><script>no</script><svg><title>no</title></svg></a>", vec![""]),
            ("<map><area href=x alt='the east'></map>", vec!["the east"]),
            // Reopened in the next paragraph: still one link.
            ("<p><a href=x>one<p>two</a><p>three", vec!["one two"]),
            // The end tag is inside another block.
            ("<a href=x>one<div>two</a>three</div>", vec!["one two"]),
            ("<a href=x>one<div>two<a href=y>three</a>four</div>", vec!["one two", "three"]),
            // Nested links.
            ("<a href=x>one<object><a href=y>two</a></object>three</a>", vec!["one three", "two"]),
            ("<p><template><a href=x>no</a></template><noscript><a href=y>no</a></noscript>", vec![]),
        ] {
            assert_eq!(texts(html), want, "{html}");
        }
    }

    #[test]
    fn link_places() {
        let html = "<ul><li><a href=a>one</a><li><a href=b><img></a></ul><p>two <a href=c>three</a> <i>four</i><p><a href=d></a>\
            <a href=e>»</a>";
        let places: Vec<_> = links(html, None).iter().map(|link| link.place.map(|p| (p.block, p.segment))).collect();
        assert_eq!(places, [Some((0, Some(0))), Some((0, Some(0))), Some((1, Some(1))), None, None]);
    }

    #[test]
    fn relations_are_capped_and_unique() {
        assert_eq!(relations(" NoFollow ugc\tnofollow "), ["nofollow", "ugc"]);
        let many: String = (0..100).map(|i| format!("r{i} ")).collect();
        assert_eq!(relations(&many).len(), MAX_RELATIONS);
    }

    #[test]
    fn resolved_addresses_have_a_budget() {
        let base = format!("<base href='https://example.org/{}/'>", "x".repeat(1900));
        let html = base + &"<a href=y>z</a>".repeat(20_000);
        let all = links(&html, None);
        let length: usize = all.iter().filter_map(|l| l.target.as_ref()).map(String::len).sum();
        assert_eq!(all.len(), 20_000);
        assert!(length <= 16 * html.len() + (1 << 20) && length > 15 * html.len(), "{length} of {}", html.len());
    }
}
