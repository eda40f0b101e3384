//! Commands and their complete output, compared with the files in `transcripts/`. Commands run in a folder with copies of some bundled
//! pages.

use crate::common::transcript::check;
use crate::common::{folder, testdata};
use std::fs;
use std::path::{Path, PathBuf};

/// Bundled pages that the commands use.
const PAGES: [&str; 6] = ["news-html5", "data-table", "docs-code", "enc-windows-1252", "lang-ar", "blog-comments"];

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/transcripts");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "{paths:?}");
    paths
}

#[test]
fn commands_match_their_transcripts() {
    let read = |name: &str| fs::read(testdata().join(name).join("page.html")).unwrap();
    let pages: Vec<(String, Vec<u8>)> = PAGES.iter().map(|name| (format!("pages/{name}.html"), read(name))).collect();
    let mut links = "https://a.org/ https://a.org/in\n".to_owned();
    (1..10).for_each(|host| links.push_str(&format!("https://a.org/ https://b{host}.org/\n")));
    let mut differences = Vec::new();
    for path in transcripts() {
        let files: Vec<(&str, &[u8])> = pages.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let here = folder(&files);
        for (name, text) in [
            (
                "list.txt",
                "pages/news-html5.html\thttps://news.example/2024/ferry\nhttps://elsewhere.example/\npages/missing.html\n",
            ),
            ("config.toml", "[extract]\nformat = \"markdown\"\nno-links = true\n\n[segment]\nmethod = \"just-rules\"\n"),
            ("sites.toml", "[site.\"news.example\"]\nonly = [\"figcaption\"]\npreset = \"keep-everything\"\n"),
            ("wrong-sites.toml", "[site.\"news.example\"]\nonly = [\"p:hover\"]\n"),
            ("wrong.toml", "[extract]\nformat = \"markdown\"\nno-link = true\n"),
            // One page with a link inside its host and nine outside.
            ("links.tsv", &links),
            (
                "short.html",
                "<title>Rain</title><ul><li><a href=a>Home</a><li><a href=b>News</a></ul><h1>Rain</h1><p>It rained again.</p>\
                 <p>It rained on the hill and on the <b>old mill</b>.</p><hr><p>Imprint",
            ),
            ("no-model.json", "{\"weights\": [1, 2]}\n"),
            ("newer.json", "{\"format\": \"webstrata-block-model\", \"version\": 7, \"layers\": []}\n"),
        ] {
            let path = here.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        // A site of six pages, and one that is not learned from.
        let site = testdata().join("../site");
        fs::create_dir(here.path().join("post")).unwrap();
        for name in ["bridge", "ferry", "harvest", "library", "market", "school", "later"] {
            let to = if name == "later" { here.path().join("later.html") } else { here.path().join(format!("post/{name}.html")) };
            fs::copy(site.join(format!("{name}.html")), to).unwrap();
        }
        fs::copy(testdata().join("../models/tree.json"), here.path().join("mine.json")).unwrap();
        differences.extend(check(&path, here.path()));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
