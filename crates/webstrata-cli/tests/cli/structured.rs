//! CSV, XML, TEI and YAML: read back with independent parsers.

use crate::common::{article, files, folder, run, testdata};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a program in Python with the standard library, and with PyYAML if `yaml`; `None` if that is not installed.
fn python(program: &str, arguments: &[&Path], yaml: bool) -> Option<String> {
    let check = if yaml { "import yaml" } else { "import csv, xml.etree.ElementTree" };
    let installed = Command::new("python3").args(["-c", check]).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !installed {
        eprintln!("skipped: no python3 that can `{check}`");
        return None;
    }
    let out = Command::new("python3").arg("-c").arg(program).args(arguments).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8(out.stdout).unwrap())
}

/// A reader of RFC 4180.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = csv.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    assert!(field.is_empty() && row.is_empty() && !quoted, "the last line does not end");
    rows
}

const HEADER: [&str; 16] = [
    "url", "id", "fingerprint", "hostname", "title", "image", "date", "text", "comments", "license", "pagetype", "author",
    "sitename", "language", "tags", "description",
];

/// A page with metadata that has commas, quotes and newlines, and with comments.
fn page() -> String {
    let text =
        "It has been raining in the valley for three days, and nobody there can remember when that last happened. ".repeat(6);
    let comment = "I do remember it, because my roof was not finished in those days, and the rain came in. ".repeat(3);
    format!(
        "<html lang=en><title>Rain, \"again\"</title><meta name=author content='Ann Reed'><meta property=og:type content=article>\
        <meta property=article:published_time content=2024-05-13T10:00Z><meta property=og:image content=/i.png>\
        <article><h1>Rain, \"again\"</h1><p>{text}</p><p>{text}</p></article>\
        <div class=comments><div class=comment><p>{comment}</p></div><div class=comment><p>{comment}</p></div></div>"
    )
}

#[test]
fn csv_has_one_header_and_one_row_per_page() {
    let here = folder(&[("a.html", page().as_bytes()), ("b.html", article("ferry").as_bytes())]);
    let base = ["--base-url", "https://e.org/a/"];
    let out = run(here.path(), &[["extract", "--format", "csv", "a.html", "b.html"].as_slice(), &base].concat()).quiet().stdout;
    let found = rows(&out);
    assert_eq!(found[0], HEADER);
    assert_eq!(found.len(), 3, "{out}");
    let cell = |row: usize, name: &str| found[row][HEADER.iter().position(|known| *known == name).unwrap()].as_str();
    assert_eq!((cell(1, "url"), cell(1, "hostname"), cell(1, "id")), ("https://e.org/a/", "e.org", "a.html"));
    assert_eq!((cell(1, "title"), cell(1, "author"), cell(1, "date")), ("Rain, \"again\"", "Ann Reed", "2024-05-13"));
    assert_eq!((cell(1, "image"), cell(1, "pagetype"), cell(1, "language")), ("https://e.org/i.png", "article", "en"));
    assert!(cell(1, "text").contains("nobody there") && !cell(1, "text").contains("my roof"), "{out}");
    let kept = rows(&run(here.path(), &["extract", "--preset", "keep-everything", "--format", "csv", "a.html"]).quiet().stdout);
    let cell_of_kept = |name: &str| kept[1][HEADER.iter().position(|known| *known == name).unwrap()].as_str();
    assert!(cell_of_kept("comments").contains("my roof") && !cell_of_kept("text").contains("my roof"), "{kept:?}");
    assert!(cell(2, "comments").is_empty() && cell(2, "text").contains("The ferry stood"));
    assert!(cell(1, "fingerprint").len() == 16 && cell(1, "fingerprint") != cell(2, "fingerprint"));
    assert!(out.ends_with("\r\n") && out.starts_with("url,id,"));
    // A file has all rows; in a folder every file has the header; without pages there is only the header.
    run(here.path(), &["extract", "--format", "csv", "a.html", "b.html", "-o", "all.csv"]).quiet();
    assert_eq!(rows(&fs::read_to_string(here.path().join("all.csv")).unwrap()).len(), 3);
    run(here.path(), &["extract", "--format", "csv", "a.html", "b.html", "-o", "each/"]).quiet();
    for file in ["each/a.csv", "each/b.csv"] {
        let found = rows(&fs::read_to_string(here.path().join(file)).unwrap());
        assert_eq!((found.len(), found[0][0].as_str()), (2, "url"), "{file}");
    }
    fs::write(here.path().join("empty"), "").unwrap();
    let none = run(here.path(), &["extract", "--format", "csv", "--files-from", "empty"]).complains(3, &[]).stdout;
    assert_eq!(rows(&none), [HEADER]);
    run(here.path(), &["extract", "--format", "csv", "--images", "a.html"]).complains(2, &["--images"]);
    let program = "import csv, sys\nprint(len(list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))))";
    if let Some(read) = python(program, &[&here.path().join("all.csv")], false) {
        assert_eq!(read.trim(), "2");
    }
}

#[test]
fn xml_and_tei_of_bundled_pages_are_read_by_another_parser() {
    let here = tempfile::tempdir().unwrap();
    for format in ["xml", "xmltei"] {
        let out = here.path().join(format);
        let shown = out.display().to_string() + "/";
        run(&testdata(), &["extract", "--format", format, "--images", ".", "-o", &shown]);
        assert!(files(&out).len() > 20, "{:?}", files(&out));
        let program = "import pathlib, sys, xml.etree.ElementTree as tree\n\
            number = 0\n\
            for file in sorted(pathlib.Path(sys.argv[1]).rglob('*.xml')):\n    \
                root = tree.parse(file).getroot()\n    \
                assert root.tag in ('doc', '{http://www.tei-c.org/ns/1.0}TEI'), root.tag\n    \
                assert [child.tag.rpartition('}')[2] for child in root] in (['main', 'comments'], ['teiHeader', 'text'])\n    \
                number += 1\n\
            print(number)";
        if let Some(read) = python(program, &[&out], false) {
            assert_eq!(read.trim(), files(&out).len().to_string());
        }
    }
}

#[test]
fn xml_separates_comments_and_pages() {
    let here = folder(&[("a.html", page().as_bytes()), ("b.html", article("ferry").as_bytes())]);
    let out = run(here.path(), &["extract", "--format", "xml", "a.html", "b.html"]).quiet().stdout;
    let (main, _) = out.split_once("</main>\n").unwrap();
    assert!(main.contains("title=\"Rain, &quot;again&quot;\"") && !main.contains("my roof"), "{main}");
    assert_eq!(out.matches("</doc>\n").count(), 2);
    assert!(out.contains("</doc>\n\n<doc "), "an empty line between pages: {out}");
    let without = run(here.path(), &["extract", "--format", "xml", "--no-comments", "a.html"]).quiet().stdout;
    assert!(without.contains("<comments/>") && !without.contains("my roof"), "{without}");
    let all =
        |format: &str| run(here.path(), &["extract", "--preset", "keep-everything", "--format", format, "a.html"]).quiet().stdout;
    let kept = all("xml");
    let (main, comments) = kept.split_once("<comments>").unwrap();
    assert!(!main.contains("my roof") && comments.contains("my roof"), "{kept}");
    let kept = all("xmltei");
    let (main, comments) = kept.split_once("<div type=\"comments\">").unwrap();
    assert!(!main.contains("my roof") && comments.contains("my roof"), "{kept}");
    let tei = run(here.path(), &["extract", "--format", "tei", "a.html"]).quiet().stdout;
    assert_eq!(tei, run(here.path(), &["extract", "--format", "xmltei", "a.html"]).quiet().stdout);
    run(here.path(), &["extract", "--format", "xml", "a.html", "b.html", "-o", "all.xml"]).complains(2, &["-o all/"]);
}

#[test]
fn formats_have_the_names_that_other_tools_use() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    for (name, same) in [("txt", "text"), ("md", "markdown")] {
        let of = |format: &str| run(here.path(), &["extract", "--format", format, "a.html"]).quiet().stdout;
        assert_eq!(of(name), of(same));
    }
    run(here.path(), &["extract", "--xml", "a.html"]).complains(2, &["--format xml"]);
}

/// Titles and authors that are hostile to YAML, and to renderers that do not know front matter.
fn hostile_values() -> Vec<String> {
    const PIECES: [&str; 30] = [
        "---",
        "\n---\n",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "![a](x)",
        ": ",
        " #",
        "'",
        "\"",
        "\\",
        "\\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&amp;",
        "*",
        "!",
        "|",
        ">",
        "%",
        "@",
        "`",
        "null",
        "\u{85}",
        "\u{2028}",
        "\u{1f}",
        "雨",
    ];
    let mut state = 7_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut values: Vec<String> =
        ["yes", "null", "1e3", "0x1f", "2024-05-13", "12:30:00", "~", "-", "...", "=", "<<"].map(String::from).into();
    for _ in 0..300 {
        let mut value = String::new();
        for _ in 0..1 + below(6) {
            value.push_str(PIECES[below(PIECES.len())]);
            if below(2) == 0 {
                value.push_str("rain");
            }
        }
        values.push(value);
    }
    values
}

#[test]
fn front_matter_is_right_for_any_value() {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let pages: Vec<(String, String)> = hostile_values()
        .iter()
        .enumerate()
        .map(|(number, value)| {
            let value = escape(value);
            let html =
                format!("<meta property=og:title content=\"{value}\"><meta property=article:tag content=\"{value}\"><p>Text.");
            (format!("in/{number}.html"), html)
        })
        .collect();
    let pages: Vec<(&str, &[u8])> = pages.iter().map(|(name, html)| (name.as_str(), html.as_bytes())).collect();
    let here = folder(&pages);
    run(here.path(), &["extract", "--format", "markdown", "--with-metadata", "in", "-o", "out"]);
    let lines = run(here.path(), &["extract", "--format", "jsonl", "--only", "metadata", "in"]).lines();
    let mut expected: Vec<Value> = Vec::new();
    for line in &lines {
        let metadata = line["metadata"].as_object().unwrap();
        let name = Path::new(line["id"].as_str().unwrap()).file_stem().unwrap().to_str().unwrap().to_owned();
        let block = fs::read_to_string(here.path().join(format!("out/{name}.md"))).unwrap();
        let rest = block.strip_prefix("---\n").unwrap();
        let block = if rest.starts_with("---\n\n") { "" } else { rest.split_once("\n---\n\n").unwrap().0 };
        assert!(!block.contains(['<', '>', '`']) && !block.contains("]("), "{block}");
        let plain = |value: &Value| value["value"].clone();
        let field = |value: &Value| value.as_array().map_or_else(|| plain(value), |list| list.iter().map(plain).collect());
        expected.push(serde_json::json!([
            name,
            metadata.iter().map(|(key, value)| (key.clone(), field(value))).collect::<serde_json::Map<_, _>>()
        ]));
    }
    fs::write(here.path().join("expected.json"), serde_json::to_string(&expected).unwrap()).unwrap();
    let program = "import json, pathlib, sys, yaml\n\
        folder = pathlib.Path(sys.argv[1])\n\
        for name, expected in json.loads((folder / 'expected.json').read_text(encoding='utf-8')):\n    \
            text = (folder / 'out' / (name + '.md')).read_bytes().decode('utf-8')\n    \
            block = text.split('\\n---\\n\\n', 1)[0].removeprefix('---\\n').removeprefix('---')\n    \
            found = yaml.safe_load(block) or {}\n    \
            assert found == expected, (name, found, expected)\n\
        print('right')";
    if let Some(read) = python(program, &[here.path()], true) {
        assert_eq!(read.trim(), "right");
    }
}
