//! The examples of the guide are run, in order, in one folder, and their output is compared. Its sample rules are the files that its
//! commands read.

use crate::common::transcript::{check_console, code_blocks};
use crate::common::{folder, testdata};
use std::fs;
use std::path::Path;

const PAGES: [(&str, &str); 5] =
    [("news", "news-html5"), ("recipe", "recipe"), ("docs-code", "docs-code"), ("lang-ru", "lang-ru"), ("blog", "blog-comments")];

#[test]
fn the_examples_of_the_guide_work() {
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
    let rules = code_blocks(&guide, "toml").into_iter().find(|block| block[0] == "# sites.toml").unwrap();
    fs::write(here.path().join("sites.toml"), rules.join("\n")).unwrap();
    fs::copy(testdata().join("../models/tree.json"), here.path().join("mine.json")).unwrap();
    let commands = check_console(&guide, here.path());
    assert!(commands >= 10, "{commands}");
    for file in ["texts/news.md", "pages.jsonl", "both.jsonl", "report.html"] {
        assert!(here.path().join(file).is_file(), "{file}");
    }
}
