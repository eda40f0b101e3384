//! The images of a page: their URLs, texts and captions, and the blocks that contain them.

use super::Content;
use super::links::{LinkOptions, Targets, append_words};
use super::places::{Budget, LinkTracker, Place, Step, Walk};
use super::srcset;
use crate::html::{Facts, Folded, Node, NodeId, Tag};
use crate::span::Span;
use std::borrow::Cow;

/// Attributes that may contain the URL of an image, in order of preference: if a script lazy-loads images, `src` is a
/// placeholder.
const SRC_ATTRIBUTES: [&str; 4] = ["data-src", "data-original", "data-lazy-src", "src"];

/// Attributes with image candidates.
const SRCSET_ATTRIBUTES: [&str; 2] = ["srcset", "data-srcset"];

/// Maximum distance of a caption: the lowest common ancestor is at most this many levels above image and caption.
const MAX_CAPTION_DISTANCE: usize = 4;

/// An image: an `img` element with a URL or alt text.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::LinkOptions, label::Preset};
/// let html = b"<figure><a href=/large><img src=ferry.jpg srcset='f1.jpg 1x, f2.jpg 2x' alt='The ferry' width=640 height=50%></a>\
///     <figcaption>The ferry leaves <b>Hallow Quay</b>.</figcaption></figure>";
/// let page = Page::parse(html);
/// let options = LinkOptions::default().base("https://example.org/a/");
/// let images = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).images(&options);
/// assert_eq!(images[0].src.as_deref(), Some("https://example.org/a/ferry.jpg"));
/// assert_eq!(images[0].largest.as_deref(), Some("https://example.org/a/f2.jpg"));
/// assert_eq!(images[0].caption.as_deref(), Some("The ferry leaves Hallow Quay."));
/// assert_eq!(images[0].link.as_deref(), Some("https://example.org/large"));
/// assert_eq!((images[0].width, images[0].height), (Some(640), None));
/// assert_eq!(images[0].place.unwrap().block, 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// Its element.
    pub node: NodeId,
    /// Span of its tag.
    pub span: Span,
    /// Its resolved address: the first usable one of `data-src`, `data-original`, `data-lazy-src` and `src` (a `data:` address
    /// is not usable), or else the largest candidate.
    pub src: Option<String>,
    /// URL of the largest candidate in `srcset`, `data-srcset` or the `source` elements of its `picture`.
    pub largest: Option<String>,
    /// Its alternative text, white space collapsed. Empty if the page marks it as decoration.
    pub alt: Option<String>,
    /// Its `title` attribute.
    pub title: Option<String>,
    /// Its width in pixels, if the attribute is a plain number.
    pub width: Option<u32>,
    /// Its height in pixels, if the attribute is a plain number.
    pub height: Option<u32>,
    /// Its caption: the `figcaption` of its figure, or the next element if its class contains the word "caption". `None` once
    /// the captions, repeated for each image of a figure, are many times longer than the page.
    pub caption: Option<String>,
    /// Target of the link around it.
    pub link: Option<String>,
    /// Facts about its visibility.
    pub facts: Facts,
    /// The block nearest to it: of the text before and after it, the one with the deeper common ancestor (in a figure, its
    /// caption); on a tie, the one before. `None` on a page without text.
    pub place: Option<Place>,
}

/// A figure, and its first caption.
#[derive(Clone, Copy, Debug)]
struct Figure {
    end: u32,
    /// The enclosing figure.
    outer: Option<usize>,
    caption: Option<usize>,
}

/// An element that is a caption.
struct Caption {
    node: u32,
    end: u32,
    text: Folded,
    /// The figure whose caption it is.
    figure: Option<usize>,
    /// Whether it contains an image: unless it is a `figcaption`, it then wraps an image together with its caption.
    has_image: bool,
}

#[derive(Default)]
struct Captions {
    all: Vec<Caption>,
    /// Indexes of the open captions.
    open: Vec<usize>,
    figures: Vec<Figure>,
    figure: Option<usize>,
    /// For each image: its figure, and the caption after it.
    by_image: Vec<(Option<usize>, Option<usize>)>,
    /// Images since the last text.
    pending: Vec<(usize, u32)>,
}

impl Captions {
    fn leave(&mut self, id: u32) {
        while self.open.last().is_some_and(|&at| self.all[at].end <= id) {
            self.open.pop();
        }
        while let Some(figure) = self.figure.and_then(|at| self.figures.get(at)).filter(|figure| figure.end <= id) {
            self.figure = figure.outer;
        }
    }

    fn element(&mut self, node: Node<'_>) {
        let id = node.number();
        self.leave(id);
        let end = node.dom().record(id).end;
        if node.tag() == Tag::FIGURE {
            self.figures.push(Figure { end, outer: self.figure, caption: None });
            self.figure = Some(self.figures.len() - 1);
            return;
        }
        let is_figcaption = node.tag() == Tag::FIGCAPTION;
        // A caption inside a caption is part of the outer one.
        let inside = self.open.last().is_some_and(|&at| !self.all[at].has_image);
        if end > id + 1 && (is_figcaption || (!inside && has_caption_class(node))) {
            let number = self.all.len();
            let figure = self.figure.filter(|_| is_figcaption);
            self.all.push(Caption { node: id, end, text: Folded::default(), figure, has_image: false });
            self.open.push(number);
            if let Some(figure) = figure.and_then(|at| self.figures.get_mut(at)) {
                figure.caption.get_or_insert(number);
            }
        }
    }

    fn image(&mut self, node: Node<'_>) {
        self.leave(node.number());
        if let Some(&at) = self.open.last() {
            self.all[at].has_image = true;
        }
        self.pending.push((self.by_image.len(), node.number()));
        self.by_image.push((self.figure, None));
    }

    fn text(&mut self, node: Node<'_>, spaced: bool) {
        self.leave(node.number());
        let caption = self.open.last().copied();
        for (image, id) in std::mem::take(&mut self.pending) {
            let belongs = |at: &usize| {
                let caption = &self.all[*at];
                caption.figure.is_none() && id < caption.node && is_near(node, id, caption.node)
            };
            self.by_image[image].1 = caption.filter(belongs);
        }
        if let Some(at) = caption {
            if spaced {
                self.all[at].text.space();
            }
            self.all[at].text.push(&node.dom().run_text(node.number()));
        }
    }

    fn assign(&self, images: &mut [Image], mut budget: Budget) {
        for (image, (figure, after)) in images.iter_mut().zip(&self.by_image) {
            let in_figure = figure.and_then(|at| self.figures[at].caption).filter(|&at| !self.all[at].text.text.is_empty());
            let text = in_figure.or(*after).map(|at| &self.all[at].text.text);
            image.caption = text.filter(|text| !text.is_empty() && budget.take(text.len())).cloned();
        }
    }
}

/// Whether `caption` is near enough to the preceding image `image`. `text` is any node of their page.
fn is_near(text: Node<'_>, image: u32, caption: u32) -> bool {
    let above = |id: u32| Node::new(text.dom(), id).ancestors().take(MAX_CAPTION_DISTANCE);
    above(caption).any(|n| n.number() < image) && above(image).any(|n| n.dom().record(n.number()).end > caption)
}

/// Whether an element's class contains the word "caption", as in `wp-caption-text`.
fn has_caption_class(node: Node<'_>) -> bool {
    let is_caption = |word: &str| word.eq_ignore_ascii_case("caption");
    node.attribute("class").is_some_and(|class| class.split(|c: char| !c.is_ascii_alphanumeric()).any(is_caption))
}

/// The candidates from the `source` elements of a picture, for its first image.
#[derive(Default)]
struct Picture {
    end: u32,
    candidates: Vec<String>,
}

impl Content<'_> {
    /// All images of the page in document order, including those outside the content; [`Image::place`] distinguishes them.
    #[must_use]
    pub fn images(&self, options: &LinkOptions<'_>) -> Vec<Image> {
        let dom = self.blocks().dom();
        let mut walk = Walk::new(self, options.segments);
        let mut targets = Targets::new(dom, options.base);
        let mut tracker = LinkTracker::default();
        let mut links: Vec<Node<'_>> = Vec::new();
        let mut picture = Picture::default();
        let mut captions = Captions::default();
        let mut images: Vec<Image> = Vec::new();
        while let Some(step) = walk.step() {
            match step {
                Step::Text(node, spaced) => captions.text(node, spaced),
                Step::Element(node, facts) => match node.tag() {
                    Tag::A => {
                        let index = node.has_attribute("href").then_some(links.len());
                        links.extend(index.map(|_| node));
                        tracker.enter(node, index);
                    }
                    Tag::PICTURE => picture = Picture { end: dom.record(node.number()).end, candidates: Vec::new() },
                    Tag::SOURCE if node.number() < picture.end => picture.candidates.extend(candidates(node).map(Cow::into_owned)),
                    Tag::IMG => {
                        let offered = std::mem::take(&mut picture.candidates);
                        let offered = if node.number() < picture.end { offered } else { Vec::new() };
                        let Some(mut image) = image(node, facts, offered, &mut targets) else { continue };
                        captions.image(node);
                        let link = tracker.at(node).and_then(|at| links[at].attribute("href"));
                        image.link = link.and_then(|href| targets.resolve(&href));
                        image.place = walk.nearest(node);
                        images.push(image);
                    }
                    _ => captions.element(node),
                },
            }
        }
        captions.assign(&mut images, Budget::for_page(dom));
        images
    }
}

fn candidates(node: Node<'_>) -> impl Iterator<Item = Cow<'_, str>> {
    SRCSET_ATTRIBUTES.into_iter().filter_map(move |name| node.attribute(name))
}

fn image(node: Node<'_>, facts: Facts, offered: Vec<String>, targets: &mut Targets) -> Option<Image> {
    let alt = node.attribute("alt").map(|alt| {
        let mut words = String::new();
        append_words(&mut words, &alt);
        words
    });
    let offered = offered.into_iter().map(Cow::Owned);
    let largest = srcset::largest(candidates(node).chain(offered)).and_then(|address| targets.resolve(&address));
    // Some scripts store JSON there instead of a URL.
    let is_address = |value: &str| !value.trim_start().starts_with(['{', '[']);
    let src = SRC_ATTRIBUTES.iter().find_map(|name| targets.resolve(&node.attribute(name).filter(|value| is_address(value))?));
    let src = src.or_else(|| largest.clone());
    if src.is_none() && alt.as_ref().is_none_or(String::is_empty) {
        return None;
    }
    let number = |name: &str| node.attribute(name)?.trim().parse().ok();
    Some(Image {
        node: node.id(),
        span: node.span(),
        src,
        largest,
        alt,
        title: node.attribute("title").map(Cow::into_owned),
        width: number("width"),
        height: number("height"),
        caption: None,
        link: None,
        facts,
        place: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Preset;
    use crate::{ExtractOptions, Page};

    fn images(html: &str) -> Vec<Image> {
        let page = Page::parse(html.as_bytes());
        let options = LinkOptions { base: Some("http://a/"), ..LinkOptions::default() };
        page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).images(&options)
    }

    #[test]
    fn captions() {
        for (html, want) in [
            ("<figure><figcaption>one</figcaption><img src=x></figure>", vec![Some("one")]),
            ("<figure><img src=x><figcaption>one <i>two</i></figcaption></figure>three", vec![Some("one two")]),
            ("<figure><img src=x><img src=y><figcaption>one</figcaption></figure>", vec![Some("one"), Some("one")]),
            (
                "<figure><img src=x><figure><img src=y><figcaption>in</figcaption></figure><figcaption>out</figcaption></figure>",
                vec![Some("out"), Some("in")],
            ),
            ("<div class=wp-caption><a><img src=x></a><p class=wp-caption-text>one</p></div>two", vec![Some("one")]),
            ("<div><img src=x><p class='photo Caption'>one <span class=caption-by>two</span></p></div>", vec![Some("one two")]),
            ("<div><img src=x><p class=captions>one</p></div>", vec![None]),
            ("<div><img src=x><p>one</p><p class=caption>two</p></div>", vec![None]),
            ("<p><img src=x></p><div><div><div><div><p class=caption>far</p></div></div></div></div>", vec![None]),
            ("<figure><img src=x><figcaption> </figcaption></figure>", vec![None]),
            ("<figure><img src=x></figure><figure><figcaption>of another</figcaption></figure>", vec![None]),
        ] {
            let found = images(html);
            assert_eq!(found.iter().map(|image| image.caption.as_deref()).collect::<Vec<_>>(), want, "{html}");
        }
    }

    #[test]
    fn addresses() {
        for (html, src, largest) in [
            ("<img src=x>", Some("http://a/x"), None),
            ("<img src=blank.gif data-src=x>", Some("http://a/x"), None),
            ("<img src=x data-src='{\"a\": 1}'>", Some("http://a/x"), None),
            ("<img src=data:image/png;base64,AA== alt=dot>", None, None),
            ("<img srcset='x 1x, y 2x'>", Some("http://a/y"), Some("http://a/y")),
            (
                "<picture><source srcset='p 800w'><source srcset='q 1600w, r 400w'><img src=x></picture>",
                Some("http://a/x"),
                Some("http://a/q"),
            ),
            ("<picture><source srcset=p></picture><img src=x>", Some("http://a/x"), None),
            ("<video><source srcset=p src=v></video><img src=x>", Some("http://a/x"), None),
        ] {
            let found = images(html);
            assert_eq!(found.len(), 1, "{html}");
            assert_eq!((found[0].src.as_deref(), found[0].largest.as_deref()), (src, largest), "{html}");
        }
        assert!(images("<img><img src='data:,x'><img alt=''><noscript><img src=x></noscript>").is_empty());
    }

    #[test]
    fn image_places() {
        for (html, want) in [
            ("<p>one</p><figure><img src=x><figcaption>two</figcaption></figure>", Some(1)),
            ("<p>one</p><img src=x><p>two</p>", Some(0)),
            ("<p>one</p><p><img src=x> two</p>", Some(1)),
            ("<img src=x><p>one</p>", Some(0)),
            ("<div>one <div>two</div><img src=x></div>three", Some(1)),
            ("<img src=x>", None),
        ] {
            assert_eq!(images(html)[0].place.map(|place| place.block), want, "{html}");
        }
    }

    #[test]
    fn links_and_sizes() {
        let found = images("<a href=/l><p><img src=x width=' 30 ' height=+4></a><img src=y width=50%>");
        assert_eq!(found[0].link.as_deref(), Some("http://a/l"));
        assert_eq!((found[0].width, found[1].width, &found[1].link), (Some(30), None, &None));
    }
}
