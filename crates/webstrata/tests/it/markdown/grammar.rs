//! Pages by a grammar, full of what Markdown takes for markup.

use crate::support::random::Random;

const WORDS: [&str; 62] = [
    "rain", "stone", "x", "1.", "2)", "*", "**", "a*b*c", "_", "snake_case", "__init__", "#", "##", "&gt;", "|", "a|b", "[x]", "[",
    "]", "(y)", "![z](w)", "&lt;b&gt;", "&lt;", "&amp;", "&amp;amp;", "&amp;lt;", "\\", "\\*", "`", "``", "a`b", "~", "~~no~~",
    "+", "-", "---", "===", "!", "ü", "地層", "مرحبا", "שלום", "👍", "“so”", "—", "…", "http://a.example/", "www.a.example",
    "a@b.example", "$x$", "x^2", "[^1]", "[a]:", ":-", "1986.", "it’s", "&shy;", "so&shy;ft", "&#x200b;", "ⓐ", "e\u{301}", ":",
];

/// A page by a grammar: text with looks, lists, tables, quotes, code, and what does not belong there.
pub(crate) fn page(random: &mut Random) -> String {
    let mut out = String::new();
    for _ in 0..1 + random.below(5) {
        block(random, 0, &mut out);
    }
    out
}

fn block(random: &mut Random, depth: usize, out: &mut String) {
    let kind = if depth > 4 { random.below(4) } else { random.below(16) };
    match kind {
        0 | 1 => wrap("p", random, out, line),
        2 => wrap(["h1", "h2", "h3", "h4", "h5", "h6"][random.below(6)], random, out, line),
        3 => line(random, out),
        4 | 5 => {
            out.push_str(["<ul>", "<ol>", "<ol start=7>", "<ol start=0>", "<dl>"][random.below(5)]);
            for _ in 0..random.below(4) {
                match random.below(9) {
                    0 => block(random, depth + 1, out),
                    1 => wrap("dt", random, out, line),
                    2 => wrap("dd", random, out, line),
                    _ => wrap("li", random, out, |random, out| items(random, depth, out)),
                }
            }
            out.push_str(["</ul>", "</ol>", "</dl>"][random.below(3)]);
        }
        6 => wrap("blockquote", random, out, |random, out| items(random, depth, out)),
        7 | 8 => {
            out.push_str("<table>");
            for _ in 0..1 + random.below(4) {
                out.push_str("<tr>");
                for _ in 0..random.below(5) {
                    let open =
                        ["<td>", "<th>", "<td colspan=2>", "<td rowspan=2>", "<td colspan=9000000000000000>", "<td rowspan=0>"];
                    out.push_str(open[random.below(12).min(5)]);
                    if random.one_in(6) {
                        block(random, depth + 1, out);
                    } else {
                        line(random, out);
                    }
                }
            }
            out.push_str("</table>");
        }
        9 => {
            out.push_str(["<pre>", "<pre class=lang-rust>", "<pre><code class=language-c>"][random.below(3)]);
            for _ in 0..1 + random.below(5) {
                out.push_str(random.pick(&WORDS));
                out.push_str(["\n", "  ", "\t", "\n    ", "\n\n", "```", "<b>b</b>", "<br>", "}"][random.below(9)]);
            }
            out.push_str("</code></pre>");
        }
        10 => out.push_str("<hr>"),
        11 => wrap("div", random, out, |random, out| items(random, depth, out)),
        12 => wrap("li", random, out, line),
        13 => wrap("b", random, out, |random, out| items(random, depth, out)),
        14 => out.push_str("<details><summary>more</summary>less</details>"),
        _ => {
            let n = random.below(100);
            out.push_str(&format!("<p>see<sup><a href=#n{n}>[{n}]</a></sup> there"));
            block(random, depth + 1, out);
            out.push_str(&format!("<ol><li id=n{n}>a note <a href=#r>^</a></ol>"));
        }
    }
}

fn items(random: &mut Random, depth: usize, out: &mut String) {
    for _ in 0..1 + random.below(3) {
        block(random, depth + 1, out);
    }
}

fn wrap(tag: &str, random: &mut Random, out: &mut String, inside: impl FnOnce(&mut Random, &mut String)) {
    out.push_str(&format!("<{tag}>"));
    inside(random, out);
    if !random.one_in(12) {
        out.push_str(&format!("</{tag}>"));
    }
}

fn line(random: &mut Random, out: &mut String) {
    for _ in 0..1 + random.below(8) {
        let word = random.pick(&WORDS);
        let open = ["", "", "", "<b>", "<i>", "<code>", "<a href='x (y).html?a=1&amp;copy;=2'>", "<del>", "<em><strong>", "<span>"];
        let end = ["", "", "", "</b>", "</i>", "</code>", "</a>", "</del>", "</strong></em>", "</span>"];
        let k = random.below(open.len());
        out.push_str(open[k]);
        out.push_str(word);
        if random.one_in(3) {
            out.push(' ');
            out.push_str(random.pick(&WORDS));
        }
        if random.one_in(6) {
            line_piece(random, out);
        }
        if !random.one_in(15) {
            out.push_str(end[k]);
        }
        out.push_str(["", " ", " ", "\n", "<br>", " <img src=i.png alt='*a*'> "][random.below(6)]);
    }
}

fn line_piece(random: &mut Random, out: &mut String) {
    out.push_str("<b>");
    out.push_str(random.pick(&WORDS));
    out.push_str("</b>");
    out.push_str(random.pick(&WORDS));
}
