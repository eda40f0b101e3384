//! Generated pages for tests and benchmarks: a typical news site, as found in crawls.
//!
//! Deterministic: page `n` is the same everywhere. Nothing is taken from a real page.

use super::random::Random;
use std::fmt::Write;

const WORDS: [&str; 96] = [
    "the", "of", "and", "to", "a", "in", "that", "was", "for", "on", "with", "as", "by", "at", "from", "harbour", "council",
    "bridge", "morning", "report", "committee", "river", "evening", "market", "engineer", "storm", "village", "railway", "budget",
    "school", "teacher", "lantern", "winter", "orchard", "ferry", "museum", "letter", "archive", "quarter", "region", "measure",
    "million", "percent", "decision", "meeting", "resident", "proposal", "season", "station", "garden", "library", "concert",
    "player", "match", "league", "winner", "painter", "gallery", "weather", "forecast", "mountain", "valley", "coast", "island",
    "captain", "crew", "harvest", "factory", "workshop", "machine", "signal", "traffic", "street", "corner", "window", "tower",
    "castle", "festival", "recipe", "kitchen", "doctor", "hospital", "patient", "study", "result", "question", "answer", "promise",
    "agreement", "minister", "parliament", "election", "candidate", "voter", "campaign", "treaty",
];

const SECTIONS: [&str; 12] =
    ["World", "Region", "Business", "Culture", "Science", "Weather", "Sport", "Opinion", "Travel", "Food", "Letters", "Archive"];

/// Quality of the markup of a generated page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Well-formed, as a template engine writes it.
    Neat,
    /// With misnested formatting, made-up tags, a picture in SVG and a table layout.
    Odd,
}

/// Page number `n`, 30 to 60 KB.
pub fn news(n: u64, markup: Markup) -> String {
    let mut page = Page { random: Random::new(n ^ 0x6e_6577_7300), out: String::with_capacity(64 << 10) };
    page.head();
    page.navigation();
    page.article(markup);
    if markup == Markup::Odd {
        page.oddities();
    }
    page.sidebar();
    page.comments();
    page.footer();
    page.out
}

struct Page {
    random: Random,
    out: String,
}

impl Page {
    fn words(&mut self, min: usize, spread: usize) -> String {
        let count = min + self.random.below(spread);
        let mut text = String::new();
        for i in 0..count {
            let word = self.random.pick(&WORDS);
            if i == 0 {
                text.push_str(&word[..1].to_uppercase());
                text.push_str(&word[1..]);
            } else {
                text.push_str(if self.random.one_in(12) { ", " } else { " " });
                text.push_str(word);
            }
        }
        text
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn head(&mut self) {
        let title = self.words(5, 5);
        let summary = self.words(18, 12);
        write!(
            self.out,
            "<!DOCTYPE html>\n<html lang=\"en\" class=\"no-js\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title} &ndash; The Harbour Courier</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"description\" content=\"{summary}\">\n"
        )
        .unwrap();
        for property in
            ["og:title", "og:type", "og:url", "og:image", "og:site_name", "twitter:card", "twitter:title", "article:section"]
        {
            let value = self.words(3, 6);
            writeln!(self.out, "<meta property=\"{property}\" content=\"{value}\" />").unwrap();
        }
        for i in 0..6 {
            writeln!(self.out, "<link rel=\"stylesheet\" href=\"/static/css/part-{i}.css?v=20{i}4\" media=\"all\">").unwrap();
        }
        self.put("<style>\n");
        for i in 0..30 {
            writeln!(self.out, ".c-{i} > a:hover {{ color: #{:06x}; margin: 0 {i}px; display: block }}", i * 4099).unwrap();
        }
        self.put("</style>\n<script type=\"application/ld+json\">{\"@context\":\"https://schema.example\",\"@type\":\"NewsArticle\",\"headline\":\"");
        self.put(&title);
        self.put("\",\"author\":{\"name\":\"A. Writer\"}}</script>\n<script>\n");
        for i in 0..80 {
            writeln!(
                self.out,
                "window.cfg = window.cfg || {{}}; if (a < {i} && b > 2) {{ cfg.push(['slot-{i}', \"<div id='s{i}'></div>\"]); }}"
            )
            .unwrap();
        }
        self.put("</script>\n</head>\n");
    }

    fn navigation(&mut self) {
        self.put("<body class=\"page page--article\" data-page-id=\"4711\">\n<!-- header -->\n<header class=\"site-header\" role=\"banner\">\n");
        self.put("<a class=\"logo\" href=\"/\"><img src=\"/static/logo.svg\" alt=\"The Harbour Courier\" width=\"180\" height=\"40\"></a>\n<nav class=\"main-nav\"><ul>\n");
        for section in SECTIONS {
            let path = section.to_lowercase();
            write!(self.out, "  <li class=\"nav__item\"><a class=\"nav__link\" href=\"/{path}/\" data-track=\"nav|{path}\">{section}</a>\n    <ul class=\"sub\">\n").unwrap();
            for _ in 0..4 {
                let label = self.words(1, 2);
                writeln!(self.out, "      <li><a href=\"/{path}/{}\">{label}</a></li>", label.replace([' ', ','], "-")).unwrap();
            }
            self.put("    </ul>\n  </li>\n");
        }
        self.put("</ul></nav>\n</header>\n");
    }

    fn article(&mut self, markup: Markup) {
        let title = self.words(6, 5);
        self.put("<main id=\"content\">\n<article class=\"story\" itemscope itemtype=\"https://schema.example/Article\">\n");
        write!(
            self.out,
            "<h1 class=\"story__title\">{title}</h1>\n<p class=\"story__meta\"><span class=\"by\">By <a rel=\"author\" href=\"/people/a-writer\">A. Writer</a></span> \
             <time datetime=\"2021-03-04T05:06:07Z\">4 March 2021</time></p>\n"
        )
        .unwrap();
        let paragraphs = 16 + self.random.below(12);
        for i in 0..paragraphs {
            if i % 5 == 4 {
                let heading = self.words(3, 4);
                writeln!(self.out, "<h2>{heading}</h2>").unwrap();
            }
            if i % 7 == 2 {
                let caption = self.words(8, 8);
                write!(
                    self.out,
                    "<figure class=\"media\">\n  <picture><source srcset=\"/img/{i}-2x.webp 2x, /img/{i}.webp 1x\" type=\"image/webp\"><img loading=\"lazy\" \
                     src=\"/img/{i}.jpg\" alt=\"{caption}\"></picture>\n  <figcaption>{caption} <small>&copy; Courier</small></figcaption>\n</figure>\n"
                )
                .unwrap();
            }
            self.put("<p>");
            let sentences = 3 + self.random.below(3);
            for _ in 0..sentences {
                let sentence = self.words(9, 14);
                self.put(&sentence);
                match self.random.below(8) {
                    0 => {
                        let link = self.words(2, 3);
                        write!(self.out, " <a href=\"/story/{i}?ref=body&amp;pos=3\">{link}</a>").unwrap();
                    }
                    1 => {
                        let word = self.words(1, 2);
                        write!(self.out, " <em>{word}</em>").unwrap();
                    }
                    2 => self.put(" &mdash; &ldquo;as they say&rdquo;"),
                    _ => {}
                }
                self.put(". ");
            }
            let unclosed = markup == Markup::Odd && self.random.one_in(3);
            self.put(if unclosed { "\n" } else { "</p>\n" });
        }
        self.put("</article>\n");
    }

    fn oddities(&mut self) {
        for i in 0..12 {
            let text = self.words(6, 8);
            write!(
                self.out,
                "<x-card kind=card-{i}><b>one <i>two</b> three</i> <a href=/n/{i}><div>{text}</a></div><fb:like data-href='/s/{i}' /></x-card>\n\
                 <table width=100%><tr><td><font size=2><p>{text}<p><a name=x{i}>{text}</td><td>{text}</tr></table>\n\
                 <svg viewBox=\"0 0 9 9\"><title>dot {i}</title><path d=\"M0 0h9\"/></svg>\n"
            )
            .unwrap();
        }
    }

    fn sidebar(&mut self) {
        self.put("</main>\n<aside class=\"sidebar\">\n<h3>Most read</h3>\n<ol class=\"ranked\">\n");
        for i in 0..20 {
            let title = self.words(6, 5);
            writeln!(
                self.out,
                "<li><a href=\"/story/{}\" title=\"{title}\"><span class=\"rank\">{i}</span> {title}</a></li>",
                i * 37
            )
            .unwrap();
        }
        self.put("</ol>\n<div class=\"ad\" id=\"slot-1\"><script>cfg.show('slot-1');</script><noscript><img src=\"/px.gif\" alt=\"\"></noscript></div>\n</aside>\n");
    }

    fn comments(&mut self) {
        self.put("<section id=\"comments\"><h3>Comments</h3>\n");
        let comments = 14 + self.random.below(20);
        for i in 0..comments {
            let text = self.words(12, 30);
            write!(
                self.out,
                "<div class=\"comment\" id=\"c{i}\" data-depth=\"{}\"><div class=\"comment__head\"><img class=\"avatar\" src=\"/avatar/{i}.png\" alt=\"\">\
                 <span class=\"user\">reader{i}</span> <time>{i} hours ago</time></div><div class=\"comment__body\"><p>{text}<br>\n{text}</p></div>\
                 <div class=\"comment__tools\"><button type=\"button\" class=\"btn\">Reply</button> <button type=\"button\" class=\"btn\">Report</button></div></div>\n",
                i % 4
            )
            .unwrap();
        }
        self.put("</section>\n");
    }

    fn footer(&mut self) {
        self.put("<footer class=\"site-footer\"><div class=\"cols\">\n");
        for section in SECTIONS {
            write!(self.out, "<div class=\"col\"><h4>{section}</h4><ul>").unwrap();
            for _ in 0..5 {
                let label = self.words(1, 3);
                write!(self.out, "<li><a href=\"#{}\">{label}</a></li>", label.len()).unwrap();
            }
            self.put("</ul></div>\n");
        }
        self.put("</div><p>&copy; 2021 The Harbour Courier. All rights reserved.</p></footer>\n<script src=\"/static/app.js\" async></script>\n</body>\n</html>\n");
    }
}
