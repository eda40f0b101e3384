//! The examples of the guide are run, in order, in one folder, and what they print is compared with what stands there.
//!
//! In a `console` block a line with `$ ` is a command; the lines behind it are its standard output, `! ` its standard
//! error, `? ` its exit code. A line that is `…` stands for any lines, `…` in a line for any text. The sample rules of the guide are
//! the files that its commands read.

use super::transcripts::{copy_labelled, ran};
use crate::common::{folder, testdata};
use std::fs;
use std::path::Path;

const PAGES: [(&str, &str); 5] =
    [("news", "news-html5"), ("recipe", "recipe"), ("docs-code", "docs-code"), ("lang-ru", "lang-ru"), ("blog", "blog-comments")];

/// Does a line look like this? `…` stands for any text.
fn alike(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    last.map_or(rest.is_empty(), |last| last.is_empty() || rest.is_empty() || line.ends_with(last))
}

/// Do lines look like these? A pattern that is `…` stands for any number of lines.
fn all_alike(patterns: &[&str], lines: &[&str]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((&"…", patterns)), _) => (0..=lines.len()).any(|skipped| all_alike(patterns, &lines[skipped..])),
        (Some((pattern, patterns)), Some((line, lines))) => alike(pattern, line) && all_alike(patterns, lines),
        _ => false,
    }
}

/// The blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<Vec<&'t str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    let mut inside = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(name), None) => {
                inside = Some(name);
                if name == language {
                    blocks.push(Vec::new());
                }
            }
            (Some(_), Some(_)) => inside = None,
            (None, Some(name)) if name == language => blocks.last_mut().unwrap().push(line),
            _ => {}
        }
    }
    blocks
}

#[test]
fn the_guide_says_what_happens() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide.md")).unwrap();
    let here = folder(&[]);
    fs::create_dir(here.path().join("crawl")).unwrap();
    for (name, page) in PAGES {
        fs::copy(testdata().join(page).join("page.html"), here.path().join(format!("crawl/{name}.html"))).unwrap();
    }
    fs::write(
        here.path().join("list.tsv"),
        "crawl/news.html\thttps://news.example/ferry\ncrawl/blog.html\thttps://blog.example/\n",
    )
    .unwrap();
    let rules = blocks(&guide, "toml").into_iter().find(|block| block[0] == "# sites.toml").unwrap();
    fs::write(here.path().join("sites.toml"), rules.join("\n")).unwrap();
    copy_labelled(here.path());
    let mut commands = 0;
    for block in blocks(&guide, "console") {
        let mut lines = block.iter().copied().peekable();
        while let Some(line) = lines.next() {
            let command = line.strip_prefix("$ ").unwrap();
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected.push(line);
            }
            let ran = ran(here.path(), command);
            let mut shown: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
            shown.extend(ran.stderr.lines().map(|line| format!("! {line}")));
            shown.extend(ran.code.filter(|code| *code != 0).map(|code| format!("? {code}")));
            let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
            assert!(all_alike(&expected, &shown), "{command}\n{}\n--- the guide says\n{}", shown.join("\n"), expected.join("\n"));
            commands += 1;
        }
    }
    assert!(commands >= 12, "{commands}");
    for made in ["texts/news.md", "pages.jsonl", "both.jsonl", "report.html", "mine.json", "mine.model"] {
        assert!(here.path().join(made).is_file(), "{made}");
    }
}

#[test]
fn patterns_are_compared() {
    assert!(alike("a…c", "abc") && alike("a…", "abc") && alike("…", "") && alike("abc", "abc"));
    assert!(!alike("a…d", "abc") && !alike("ab", "abc") && !alike("b", "abc"));
    assert!(all_alike(&["a", "…", "c"], &["a", "b", "b", "c"]) && all_alike(&["…"], &[]));
    assert!(!all_alike(&["a"], &["a", "b"]) && !all_alike(&["…", "x"], &["a"]));
}
