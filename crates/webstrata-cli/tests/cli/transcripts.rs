//! Transcripts: commands and all that comes of them, compared with what is kept in `transcripts/`.
//!
//! A file has blocks of a command (`$ webstrata …`), its standard output, its standard error (each line behind `! `), and
//! its exit code if that is not 0 (`? 2`). Commands run in a folder with copies of some bundled pages.
//! WEBSTRATA_BLESS=1 writes the files anew; then look at the difference.

use crate::common::{Ran, files, folder, run, run_with, testdata};
use std::fs;
use std::path::{Path, PathBuf};

/// Bundled pages that the commands use.
const PAGES: [&str; 6] = ["news-html5", "data-table", "docs-code", "enc-windows-1252", "lang-ar", "blog-comments"];

/// Copies the bundled pages with labelled blocks into a folder.
pub(crate) fn copy_labelled(to: &Path) {
    let from = testdata().join("../labelled");
    for name in files(&from).iter().filter(|name| *name != "README.md") {
        let target = to.join("labelled").join(name);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(from.join(name), target).unwrap();
    }
}

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/transcripts");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "{paths:?}");
    paths
}

/// Words of a command, with quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Runs a command: `webstrata …`, and `< FILE` for its standard input.
pub(crate) fn ran(here: &Path, line: &str) -> Ran {
    let (line, input) = line.split_once(" < ").map_or((line, None), |(line, file)| (line, Some(file)));
    let words = words(line);
    assert_eq!(words[0], "webstrata", "{line}");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    match input {
        Some(file) => run_with(here, &args, &fs::read(here.join(file)).unwrap()),
        None => run(here, &args),
    }
}

/// What a command leaves behind, as it is kept.
fn shown(ran: &Ran) -> String {
    let mut out = ran.stdout.clone();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push_str("\\\n");
    }
    for line in ran.stderr.lines() {
        out.push_str(format!("! {line}").trim_end());
        out.push('\n');
    }
    match ran.code {
        Some(0) => out,
        code => out + &format!("? {}\n", code.unwrap_or(-1)),
    }
}

#[test]
fn commands_do_what_their_transcripts_say() {
    let read = |name: &str| fs::read(testdata().join(name).join("page.html")).unwrap();
    let pages: Vec<(String, Vec<u8>)> = PAGES.iter().map(|name| (format!("pages/{name}.html"), read(name))).collect();
    let mut wrong = Vec::new();
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
            ("no-model.json", "{\"weights\": [1, 2]}\n"),
            ("newer.json", "{\"format\": \"webstrata-block-model\", \"version\": 7, \"layers\": []}\n"),
            ("plain/html/a.html", "<p>It rains."),
            ("plain/gold.jsonl", "{\"id\": \"a\", \"gold_text\": \"It rains.\"}\n"),
        ] {
            let path = here.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        copy_labelled(here.path());
        let kept = fs::read_to_string(&path).unwrap();
        let mut made = String::new();
        for line in kept.lines().take_while(|line| !line.starts_with("$ webstrata")) {
            made.push_str(&format!("{line}\n"));
        }
        for command in kept.lines().filter_map(|line| line.strip_prefix("$ ")).filter(|line| line.starts_with("webstrata")) {
            made.push_str(&format!("$ {command}\n{}", shown(&ran(here.path(), command))));
        }
        if std::env::var_os("WEBSTRATA_BLESS").is_some() {
            fs::write(&path, &made).unwrap();
        } else if made != kept {
            let differs = made.lines().zip(kept.lines()).find(|(made, kept)| made != kept);
            let command = |text: &str, at: usize| {
                text.lines().take(at + 1).filter(|line| line.starts_with("$ webstrata")).last().map(str::to_owned)
            };
            let at = made.lines().zip(kept.lines()).take_while(|(made, kept)| made == kept).count();
            wrong.push(format!("{}: {:?}\n  now, and as kept: {differs:#?}", path.display(), command(&kept, at)));
        }
    }
    assert!(wrong.is_empty(), "{}\nWEBSTRATA_BLESS=1 writes the transcripts anew", wrong.join("\n"));
}
