//! The page with its segments marked, for the frame of the page view.
//!
//! It is not the page's HTML with parts removed, but new HTML: the tags below, written by us, around escaped text. Of the page's
//! attributes, only text direction and column and row spans are copied, as values from short lists. There are no addresses, so
//! there is nothing to load and nowhere to navigate; scripts are disabled in the frame anyway.
//!
//! Text that belongs to a segment is in a `span` with the segment's number. A parser may arrange badly nested tags differently,
//! which can move text but never turn it into markup.

use std::borrow::Cow;
use webstrata::Page;
use webstrata::html::{Dom, Node, NodeKind, Tag};
use webstrata::record::SegmentRecord;
use webstrata_corpus::markup::Html;

/// Elements this deep are written without their tags: browsers take quadratic time for deep trees.
const MAX_DEPTH: usize = 200;
/// Maximum number of columns or rows that a cell spans.
const MAX_SPAN: u32 = 1000;
/// Maximum length of an image description.
const MAX_ALT: usize = 200;

/// A part of the source with its segment.
type Mark = (u32, u32, usize);

/// The page as a document.
pub(crate) fn document(page: &Page<'_>, segments: &[SegmentRecord]) -> String {
    let mut marks: Vec<Mark> = segments
        .iter()
        .enumerate()
        .flat_map(|(number, segment)| segment.spans.iter().map(move |&[start, end]| (start, end, number)))
        .collect();
    marks.sort_unstable();
    let mut writer = Writer {
        html: Html::with_capacity(page.dom().source().len() + 40 * marks.len()),
        segments,
        marks,
        next: 0,
        written: 0,
        open: Vec::new(),
    };
    writer.html.raw("<!DOCTYPE html>\n<html lang=\"und\"");
    direction(&mut writer.html, page.dom().root());
    writer.html.raw(
        "><head><meta charset=\"utf-8\"><title>The page</title><link rel=\"stylesheet\" href=\"/assets/view.css\"></head><body>",
    );
    writer.nodes(page.dom());
    writer.html.raw("</body></html>\n");
    writer.html.finish()
}

struct Writer<'s> {
    html: Html,
    segments: &'s [SegmentRecord],
    marks: Vec<Mark>,
    /// The first mark that does not end before the current text.
    next: usize,
    /// End of the text written so far, in the source.
    written: u32,
    /// Open elements: the node after the last descendant, and the end tag.
    open: Vec<(usize, &'static str)>,
}

impl Writer<'_> {
    fn nodes(&mut self, dom: &Dom<'_>) {
        let mut skip_to = 0;
        for node in dom.nodes() {
            let id = node.id().index();
            while self.open.last().is_some_and(|&(end, _)| end <= id) {
                self.close();
            }
            if id < skip_to {
                continue;
            }
            self.space_before(node);
            match node.kind() {
                NodeKind::Text => self.text(node),
                _ if is_left_out(node) => skip_to = end(node),
                _ => self.element(node),
            }
        }
        while !self.open.is_empty() {
            self.close();
        }
    }

    /// White space between two tags, which separates words but is not a text node in the tree.
    fn space_before(&mut self, node: Node<'_>) {
        let start = node.span().start;
        // A node that the parser has moved may precede the text written so far.
        let Some(before) = node.dom().source().get(self.written as usize..start as usize) else { return };
        self.html.text(&before[before.trim_end().len()..]);
        self.written = start;
    }

    fn close(&mut self) {
        if let Some((_, tag)) = self.open.pop() {
            self.html.raw(tag);
        }
    }

    fn element(&mut self, node: Node<'_>) {
        let tag = node.tag();
        match tag {
            Tag::BR => {
                self.html.raw("<br>");
            }
            Tag::HR => {
                self.html.raw("<hr>");
            }
            Tag::IMG => self.image(node),
            _ => {}
        }
        let Some((start, end_tag)) = tags(tag).filter(|_| !node.is_foreign()) else { return };
        if self.open.len() >= MAX_DEPTH {
            return;
        }
        self.html.raw(start);
        direction(&mut self.html, node);
        if matches!(tag, Tag::TD | Tag::TH) {
            for (name, markup) in [("colspan", " colspan=\""), ("rowspan", " rowspan=\"")] {
                let cells = node.attribute(name).and_then(|value| value.trim().parse::<u32>().ok());
                if let Some(cells) = cells.filter(|cells| (2..=MAX_SPAN).contains(cells)) {
                    self.html.raw(markup).show(cells).raw("\"");
                }
            }
        }
        self.html.raw(">");
        self.open.push((end(node), end_tag));
    }

    fn image(&mut self, node: Node<'_>) {
        let alt: String = node.attribute("alt").unwrap_or_default().trim().chars().take(MAX_ALT).collect();
        if !alt.is_empty() {
            self.html.raw("<span class=\"image\">").text(&alt).raw("</span>");
        }
    }

    /// Writes a text, split where segments change.
    fn text(&mut self, node: Node<'_>) {
        let (start, end) = (node.span().start, node.span().end);
        self.written = end;
        while self.marks.get(self.next).is_some_and(|&(_, to, _)| to <= start) {
            self.next += 1;
        }
        let here = self.marks[self.next..].iter().take_while(|&&(from, _, _)| from < end);
        let here: Vec<Mark> = here.copied().collect();
        match here.as_slice() {
            [] => {
                self.html.text(&decoded(node, start, end));
            }
            [(_, _, number)] => self.marked(*number, &decoded(node, start, end)),
            // Some methods cut within a text.
            several => {
                for (i, &(from, _, number)) in several.iter().enumerate() {
                    let from = if i == 0 { start } else { from };
                    let to = several.get(i + 1).map_or(end, |next| next.0);
                    self.marked(number, &decoded(node, from, to));
                }
            }
        }
    }

    fn marked(&mut self, number: usize, text: &str) {
        if text.trim().is_empty() {
            self.html.text(text);
            return;
        }
        let segment = self.segments.get(number);
        let kept = segment.is_some_and(|segment| segment.content);
        self.html.raw(if kept { "<span class=\"seg content " } else { "<span class=\"seg " });
        self.html.text(segment.map_or("", |segment| segment.role.as_str()));
        self.html.raw("\" data-s=\"").show(number).raw("\">").text(text).raw("</span>");
    }
}

/// A part of a text with its white space. Lines are decoded one by one, so that program listings keep theirs.
fn decoded<'d>(node: Node<'d>, from: u32, to: u32) -> Cow<'d, str> {
    let part = node.dom().source().get(from as usize..to as usize).unwrap_or_default();
    if !part.contains('&') {
        return part.into();
    }
    let line = |line: &str| {
        if !line.contains('&') {
            return line.to_owned();
        }
        let (inner, space) = (line.trim(), |is: bool| if is { " " } else { "" });
        let text = Dom::parse(&inner.replace('<', "&lt;")).text();
        format!("{}{text}{}", space(!line.starts_with(inner)), space(!line.ends_with(inner)))
    };
    part.split('\n').map(line).collect::<Vec<_>>().join("\n").into()
}

/// The node after the last descendant.
fn end(node: Node<'_>) -> usize {
    node.descendants().next_back().map_or(node.id().index(), |last| last.id().index()) + 1
}

/// Whether an element has no text for readers.
fn is_left_out(node: Node<'_>) -> bool {
    matches!(
        node.tag(),
        Tag::HEAD
            | Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::IFRAME
            | Tag::NOEMBED
            | Tag::NOFRAMES
            | Tag::DATALIST
            | Tag::TITLE
    ) && !(node.tag() == Tag::TITLE && node.is_foreign())
}

fn direction(html: &mut Html, node: Node<'_>) {
    html.raw(match node.attribute("dir").map(|value| value.to_ascii_lowercase()).as_deref() {
        Some("rtl") => " dir=\"rtl\"",
        Some("ltr") => " dir=\"ltr\"",
        Some("auto") => " dir=\"auto\"",
        _ => "",
    });
}

/// The tags for an element, the start tag without its `>`. Landmarks and controls become plain boxes: to a screen reader this is a
/// picture of a page, not a part of ours.
fn tags(tag: Tag) -> Option<(&'static str, &'static str)> {
    Some(match tag {
        Tag::P => ("<p", "</p>"),
        Tag::H1 => ("<h1", "</h1>"),
        Tag::H2 => ("<h2", "</h2>"),
        Tag::H3 => ("<h3", "</h3>"),
        Tag::H4 => ("<h4", "</h4>"),
        Tag::H5 => ("<h5", "</h5>"),
        Tag::H6 => ("<h6", "</h6>"),
        Tag::UL | Tag::MENU | Tag::DIR => ("<ul", "</ul>"),
        Tag::OL => ("<ol", "</ol>"),
        Tag::LI => ("<li", "</li>"),
        Tag::DL => ("<dl", "</dl>"),
        Tag::DT => ("<dt", "</dt>"),
        Tag::DD => ("<dd", "</dd>"),
        Tag::BLOCKQUOTE => ("<blockquote", "</blockquote>"),
        Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => ("<pre", "</pre>"),
        Tag::CODE | Tag::TT | Tag::KBD | Tag::SAMP => ("<code", "</code>"),
        Tag::EM | Tag::I | Tag::CITE | Tag::DFN | Tag::VAR => ("<em", "</em>"),
        Tag::STRONG | Tag::B => ("<strong", "</strong>"),
        Tag::SMALL => ("<small", "</small>"),
        Tag::SUB => ("<sub", "</sub>"),
        Tag::SUP => ("<sup", "</sup>"),
        Tag::S | Tag::STRIKE | Tag::DEL => ("<s", "</s>"),
        Tag::BDI | Tag::BDO => ("<bdi", "</bdi>"),
        Tag::TABLE => ("<table", "</table>"),
        Tag::CAPTION => ("<caption", "</caption>"),
        Tag::THEAD => ("<thead", "</thead>"),
        Tag::TBODY => ("<tbody", "</tbody>"),
        Tag::TFOOT => ("<tfoot", "</tfoot>"),
        Tag::TR => ("<tr", "</tr>"),
        Tag::TD => ("<td", "</td>"),
        Tag::TH => ("<th", "</th>"),
        Tag::A => ("<span class=\"link\"", "</span>"),
        Tag::BUTTON | Tag::LABEL | Tag::OPTION | Tag::TEXTAREA => ("<span class=\"control\"", "</span>"),
        Tag::NAV => ("<div class=\"nav\"", "</div>"),
        Tag::DIV | Tag::ARTICLE | Tag::SECTION | Tag::MAIN | Tag::ASIDE | Tag::HEADER | Tag::FOOTER | Tag::HGROUP | Tag::SEARCH => {
            ("<div", "</div>")
        }
        Tag::ADDRESS | Tag::CENTER | Tag::DETAILS | Tag::SUMMARY | Tag::DIALOG | Tag::FORM | Tag::FIELDSET | Tag::LEGEND => {
            ("<div", "</div>")
        }
        Tag::FIGURE | Tag::FIGCAPTION => ("<div", "</div>"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::record::{PageRecord, RecordOptions};
    use webstrata::segment::{Method, SegmentOptions};

    fn view(html: &str, method: Method) -> String {
        let page = Page::parse(html.as_bytes());
        let options = RecordOptions::default().segments((method, SegmentOptions::default()));
        let record = PageRecord::new(&page, &page.extract(), &options);
        document(&page, record.segments.as_deref().unwrap_or_default())
    }

    #[test]
    fn every_word_is_in_its_segment() {
        let html = "<nav><a href=/>Home</a> <a href=/x>News &amp; more</a></nav><h1>Rain</h1><p dir=rtl>It <b>rained</b> &lt;hard&gt;.</p>";
        for method in Method::ALL {
            let page = Page::parse(html.as_bytes());
            let options = RecordOptions::default().segments((method, SegmentOptions::default()));
            let record = PageRecord::new(&page, &page.extract(), &options);
            let segments = record.segments.unwrap();
            let written = document(&page, &segments);
            let parsed = Page::parse(written.as_bytes());
            let mut texts = vec![String::new(); segments.len()];
            for node in parsed.dom().nodes() {
                if let Some(number) = node.attribute("data-s") {
                    texts[number.parse::<usize>().unwrap()].push_str(&format!("{} ", node.text()));
                }
            }
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            for (segment, text) in segments.iter().zip(&texts) {
                let (got, wanted) = (words(text).replace(" .", "."), words(&segment.text).replace(" .", "."));
                assert_eq!(got, wanted, "{method} {written}");
            }
        }
    }

    #[test]
    fn words_stay_apart() {
        let written = view("<p>By <a href=/m>Maren</a> <b>today</b><i>!</i></p><pre><b>if</b>\n  <b>x</b></pre>", Method::TagGap);
        let text = |html: &str| Page::parse(html.as_bytes()).dom().text();
        assert_eq!(text(&written), "The page By Maren today! if x", "the first two words are the title");
        assert!(written.contains("</strong>\n  <strong>"), "programs keep their lines: {written}");
        let long = format!("<p>{}<b>x</b>", "<b> </b>\n".repeat(1000));
        assert!(view(&long, Method::TagGap).len() < 10 * long.len(), "white space is written once");
    }

    #[test]
    fn a_method_that_cuts_within_a_text() {
        let long = format!("<p>{}", "one &amp; two three ".repeat(40));
        let written = view(&long, Method::WordWrap);
        assert!(written.matches("data-s=").count() >= 5);
        assert_eq!(written.matches("&amp;").count(), 40);
    }

    #[test]
    fn nothing_but_our_tags_and_attributes() {
        let attacks = "<script>alert(1)</script><img src=x onerror=alert(1) alt='a\"><script>alert(2)</script>'><svg onload=alert(1)><a xlink:href=javascript:alert(1)><text>svg</text></a>\
            <title><img src=y onerror=alert(8)></title></svg><math><mtext><style><img src=x onerror=alert(3)></style></mtext></math><a href='javascript:alert(4)'>link</a>\
            <meta http-equiv=refresh content='0;url=https://evil.example/'><base href=https://evil.example/><link rel=stylesheet href=https://evil.example/x.css>\
            <p style='background:url(https://evil.example/)' onclick=alert(5) dir='rtl\" onclick=\"x'>text</p><iframe srcdoc='<script>alert(6)</script>'></iframe>\
            <object data=x.swf></object><embed src=y><form action=https://evil.example/><input autofocus onfocus=alert(7)><button formaction=javascript:x>go</button></form>\
            <textarea><script>alert(9)</script></textarea><xmp><script>alert(10)</script></xmp><noscript><p title='</noscript><img src=z onerror=alert(11)>'></noscript>\
            <td colspan='2\" onclick=\"x'>cell</td><plaintext><script>alert(12)</script>";
        for method in Method::ALL {
            let written = view(attacks, method);
            let page = Page::parse(written.as_bytes());
            for node in page.dom().nodes().filter(|node| node.is_element()) {
                let known = ["html", "head", "body", "meta", "title", "link"].contains(&node.name())
                    || tags(node.tag()).is_some()
                    || node.name() == "span";
                assert!(known, "{} in {written}", node.name());
                for attribute in node.attributes() {
                    let value = attribute.value();
                    let fine = match attribute.name() {
                        "class" => value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' '),
                        "data-s" | "colspan" | "rowspan" => value.bytes().all(|byte| byte.is_ascii_digit()),
                        "dir" => ["ltr", "rtl", "auto"].contains(&&*value),
                        "lang" | "charset" => true,
                        "rel" | "href" => node.name() == "link" && (value == "stylesheet" || value == "/assets/view.css"),
                        _ => false,
                    };
                    assert!(fine, "{}={value} in {written}", attribute.name());
                }
            }
        }
    }

    #[test]
    fn deep_pages_stay_shallow() {
        let written = view(&format!("{}text", "<div>".repeat(20_000)), Method::TagGap);
        assert!(written.matches("<div").count() <= MAX_DEPTH && written.contains("text</span>"));
    }
}
